"""Errands: what is asked about a table over HTTP, apart from the verbs. Each answers with something that goes on the
wire.

An errand is run by the worker that owns the table, so it must fit through a bus: a name, a key, and plain values.
"""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec

from fabletop.core.chance import verify
from fabletop.core.records import Record
from fabletop.core.sitting import Sitting, opened
from fabletop.server.protocol import responses as answers
from fabletop.server.protocol import wire
from fabletop.server.protocol.errors import ApiError
from fabletop.server.tables.actor import TableActor
from fabletop.server.tables.commands import sit as sit_down
from fabletop.server.tables.creation import from_record, replayed
from fabletop.server.tables.messages import Preferences, Renderer, outcome_json, table_now
from fabletop.server.tables.registry import Registry
from fabletop.server.tables.table import CLOSED, OVER

MOST_EVENTS = 1000
REELS = 32
ENDED = (OVER, CLOSED)
"""Nobody plays on at such a table: its secrets may be told."""

Values = Mapping[str, Any]


def looker(actor: TableActor, key: str, seat: int | None) -> int | None:
    """Through whose eyes a token looks; without one, a spectator's."""
    if key and actor.table.seats_of(key):
        return actor.seat_for(key, seat)
    if key and key != actor.table.head.host:
        raise ApiError("not_allowed", "this token opens no seat at this table")
    if seat is not None:
        raise ApiError("not_allowed", f"you have no token for seat {seat}")
    if not key and not actor.table.head.spectators:
        raise ApiError("not_allowed", "this table is not open to spectators")
    return None


async def table(registry: Registry, actor: TableActor, key: str, values: Values) -> Any:
    """The table as everybody sees it."""
    return table_now(actor.table, actor.here())


async def view(registry: Registry, actor: TableActor, key: str, values: Values) -> Any:
    """The view and the choice of a seat, or the view of a spectator."""
    viewer = looker(actor, key, values.get("seat"))
    renderer = Renderer(actor.table, actor.services.now())
    return answers.Seen(
        table=table_now(actor.table, actor.here()),
        viewer=viewer,
        seq=actor.table.cursor(viewer).seq,
        view=None if actor.table.sitting is None else renderer.view(viewer),
        choice=renderer.choice(viewer, Preferences(values.get("lang"))),
    )


async def story(registry: Registry, actor: TableActor, key: str, values: Values) -> Any:
    """What a viewer has been told, from some event on, at most so many at a time."""
    viewer = looker(actor, key, values.get("seat"))
    first = max(0, int(values.get("from", 0)))
    if actor.table.sitting is None:
        return answers.Story(first, [], 0)
    cursor = actor.table.cursor(viewer)
    places = cursor.heard[first : first + MOST_EVENTS]
    events = Renderer(actor.table, actor.services.now()).events(viewer, places, values.get("lang"))
    return answers.Story(first, events, cursor.told)


def whole_record(actor: TableActor, key: str) -> Record:
    """The record with its seed: of a game that is over, or that is all on the asker's own device."""
    table = actor.table
    mine = bool(key) and all(seat.key == key for seat in table.seats)
    if key and not table.seats_of(key) and key != table.head.host:
        raise ApiError("not_allowed", "this token opens no seat at this table")
    if table.sitting is None:
        raise ApiError("not_playing", "the game has not begun")
    if table.status not in ENDED and not mine:
        raise ApiError(
            "not_allowed", "the record holds everybody's secrets; it is to be had when the game is over"
        )
    if not key and not table.head.spectators:
        raise ApiError("not_allowed", "this table is not open to spectators")
    people = [number for number, seat in enumerate(table.seats) if seat.key]
    bots = {str(number): seat.bot for number, seat in enumerate(table.seats) if seat.bot}
    return table.sitting.record(table=table.head.id, people=people, bots=bots, commitment=table.commitment)


async def record(registry: Registry, actor: TableActor, key: str, values: Values) -> Any:
    """The record, as it stands in a file."""
    return msgspec.Raw(whole_record(actor, key).text().encode())


async def check(registry: Registry, actor: TableActor, key: str, values: Values) -> Any:
    """Does the seed of a finished game belong to its commitment, and does the record come to the same result?"""
    if actor.table.status not in ENDED:
        raise ApiError("not_playing", "a deal can be verified when the game is over")
    made = whole_record(actor, key)
    again = opened(actor.table.game, made)
    await replayed(again, made.actions)
    outcome = again.outcome
    assert actor.table.sitting is not None
    fits = verify(made.seed, actor.table.commitment, made.salt)
    return answers.Verified(
        commitment=actor.table.commitment,
        seed=made.seed,
        salt=made.salt,
        seed_fits=fits,
        replays=outcome == actor.table.sitting.outcome,
        outcome=None if outcome is None else outcome_json(outcome),
    )


_reels: OrderedDict[tuple[str, int], Sitting] = OrderedDict()
"""Sittings at points of finished games that somebody looks through; going on from one is quick."""


async def _wound(actor: TableActor, made: Record, place: int) -> Sitting:
    """The sitting after so many actions; of a finished game, from the nearest point that was looked at before."""
    table, over = actor.table.head.id, actor.table.status in ENDED
    near = max((n for name, n in _reels if name == table and n <= place), default=None) if over else None
    sitting = opened(actor.table.game, made) if near is None else _reels[table, near].fork()
    await replayed(sitting, made.actions[near or 0 : place])
    if over:
        _reels[table, place] = sitting.fork()
        while len(_reels) > REELS:
            _reels.popitem(last=False)
    return sitting


async def at(registry: Registry, actor: TableActor, key: str, values: Values) -> Any:
    """A finished game, or one's own hot-seat game, after so many actions, from any viewpoint."""
    made = whole_record(actor, key)
    place = min(int(values["at"]), len(made.actions))
    seat = values.get("seat")
    if seat is not None and not 0 <= seat < len(actor.table.seats):
        raise ApiError("unknown", f"there is no seat {seat}")
    sitting = await _wound(actor, made, place)
    return answers.Point(
        at=place,
        of=len(made.actions),
        viewer=seat,
        view=sitting.view(seat),
        asked=sorted(sitting.pending),
        action=None if place == 0 else "{} {}".format(*made.actions[place - 1]),
        told=len(sitting.events(seat)),
    )


async def branch(registry: Registry, actor: TableActor, key: str, values: Values) -> Any:
    """A new table that goes on from a point of this one."""
    made = whole_record(actor, key)
    place = int(values["at"])
    if place > len(made.actions):
        raise ApiError("bad_message", f"the game has {len(made.actions)} actions, not {place}")
    part = Record(
        made.game, made.rules, made.options, made.seed, made.actions[:place], made.names, digest=made.digest
    )
    settings = registry.services.settings
    return await registry.make(
        await from_record(part, registry.services.now(), settings.most_actions, source=actor.table.head.id)
    )


async def sit(registry: Registry, actor: TableActor, key: str, values: Values) -> Any:
    """Sit down."""
    return await sit_down(actor, wire.Sit(name=values["name"], seat=values.get("seat")))


async def rematch(registry: Registry, actor: TableActor, key: str, values: Values) -> Any:
    """The same people again."""
    return await registry.rematch(actor, key)


Query = Callable[[Registry, TableActor, str, Values], Awaitable[Any]]
QUERIES: dict[str, Query] = {
    "table": table,
    "view": view,
    "story": story,
    "record": record,
    "verify": check,
    "at": at,
    "branch": branch,
    "sit": sit,
    "rematch": rematch,
}
