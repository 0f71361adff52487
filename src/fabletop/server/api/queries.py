"""Queries about a table over HTTP. They change nothing, except that `branch` makes another table. Each
returns a message for the wire."""

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import msgspec

from fabletop.core.chance import verify
from fabletop.core.lessons import Progress, tips_for
from fabletop.core.records import Record
from fabletop.core.replay import ReplayCursor
from fabletop.games import COURSES
from fabletop.server.protocol import responses, wire
from fabletop.server.protocol.errors import ApiError, worded
from fabletop.server.tables.access import ENDED, need_everything, need_seat, reader_for, viewer_for
from fabletop.server.tables.actor import TableActor
from fabletop.server.tables.chances import find_chances
from fabletop.server.tables.creation import from_record, maker_of
from fabletop.server.tables.lessons import events_told, lesson_of, progress_at
from fabletop.server.tables.messages import Preferences, Renderer, result_of, table_now
from fabletop.server.tables.registry import Registry
from fabletop.server.tables.replays import steps, walked
from fabletop.server.tables.table import PLAYING

MOST_EVENTS = 1000


class Parameters(NamedTuple):
    """What a query is asked with; each query takes what concerns it."""

    seat: int | None = None
    lang: str | None = None
    first: int = 0
    """In a story: how many events come before."""
    told: int | None = None
    """In a story: how many events count; None: all."""
    at: int = 0
    """In a record: how many actions come before."""
    branch: wire.Branch = wire.Branch(0)


async def table(registry: Registry, actor: TableActor, key: str, parameters: Parameters) -> Any:
    """The table as everybody sees it."""
    return table_now(actor.table, actor.presence.attendance())


async def view(registry: Registry, actor: TableActor, key: str, parameters: Parameters) -> Any:
    """The view and the choice of a seat, or the view of a spectator."""
    viewer = viewer_for(actor.table, key, parameters.seat)
    renderer = Renderer(actor.table, actor.services.now())
    return responses.Seen(
        table=table_now(actor.table, actor.presence.attendance()),
        viewer=viewer,
        seq=actor.table.cursor(viewer).seq,
        view=None if actor.table.sitting is None else renderer.view(viewer),
        choice=renderer.choice(viewer, Preferences(parameters.lang)),
    )


async def story(registry: Registry, actor: TableActor, key: str, parameters: Parameters) -> Any:
    """The events that a viewer has received, from some event on, at most MOST_EVENTS at a time. A person who may see
    everything may read the events of any seat."""
    viewer = reader_for(actor.table, key, parameters.seat)
    first = parameters.first
    if actor.table.sitting is None:
        return responses.Story(first, [], 0)
    cursor = actor.table.cursor(viewer)
    places = cursor.heard[first : first + MOST_EVENTS]
    events = Renderer(actor.table, actor.services.now()).events(viewer, places, parameters.lang)
    return responses.Story(first, events, cursor.told)


async def taught(registry: Registry, actor: TableActor, key: str, parameters: Parameters) -> Any:
    """How far the learner is, and the tips that fit what happened from some event on."""
    table = actor.table
    viewer = viewer_for(table, key, parameters.seat)
    told, lesson = parameters.told, lesson_of(table)
    progress = Progress(0) if lesson is None else progress_at(table, lesson, told)
    first = max(parameters.first, table.cursor(viewer).told - MOST_EVENTS)
    events = events_told(table, viewer, first, told)
    choice = None if viewer is None or table.status != PLAYING else table.choice(viewer)
    tips = [] if lesson is not None else tips_for(COURSES[table.head.game], events, choice)
    return responses.Taught(progress.reached, progress.missed, tips)


def whole_record(actor: TableActor, key: str) -> Record:
    """The record with its seed, for people who may see everything."""
    table = actor.table
    if table.head.lesson:
        raise ApiError("not_allowed", "a lesson begins from a position and has no record")
    need_everything(table, key)
    assert table.sitting is not None
    people = [number for number, seat in enumerate(table.seats) if seat.key]
    bots = {str(number): seat.bot for number, seat in enumerate(table.seats) if seat.bot}
    return table.sitting.record(table=table.head.id, people=people, bots=bots, commitment=table.commitment)


async def record(registry: Registry, actor: TableActor, key: str, parameters: Parameters) -> Any:
    """The record, as it stands in a file."""
    return msgspec.Raw(whole_record(actor, key).text().encode())


async def check(registry: Registry, actor: TableActor, key: str, parameters: Parameters) -> Any:
    """Does the seed of a finished game belong to its commitment, and does the record come to the same result?"""
    if actor.table.status not in ENDED:
        raise worded("not_playing", "verify_early")
    whole = whole_record(actor, key)
    again = await walked(ReplayCursor(actor.table.game, whole), len(whole.actions))
    outcome = again.outcome
    assert actor.table.sitting is not None
    return responses.Verified(
        commitment=actor.table.commitment,
        seed=whole.seed,
        salt=whole.salt,
        seed_fits=verify(whole.seed, actor.table.commitment, whole.salt),
        replays=outcome == actor.table.sitting.outcome,
        outcome=None if outcome is None else result_of(outcome),
    )


async def at(registry: Registry, actor: TableActor, key: str, parameters: Parameters) -> Any:
    """A finished game, or a hot-seat game of the asker, after some of its actions, from any viewpoint."""
    whole = whole_record(actor, key)
    place = min(parameters.at, len(whole.actions))
    seat = parameters.seat
    need_seat(actor.table, seat)
    game = actor.table.game
    if actor.table.status in ENDED:
        cursor = actor.services.replays.cursor(actor.table.head.id, game, whole)
    else:
        cursor = ReplayCursor(game, whole)
    sitting = await walked(cursor, place)
    return responses.Point(
        at=place,
        of=len(whole.actions),
        viewer=seat,
        view=sitting.view(seat),
        asked=sorted(sitting.pending),
        action=None if place == 0 else "{} {}".format(*whole.actions[place - 1]),
        told=len(sitting.events(seat)),
    )


async def chances(registry: Registry, actor: TableActor, key: str, parameters: Parameters) -> Any:
    """How the chances of the seats went in a finished game."""
    if actor.table.status not in ENDED:
        raise worded("not_playing", "chances_early")
    whole = whole_record(actor, key)
    seat = parameters.seat
    need_seat(actor.table, seat)
    shares = await find_chances(actor, whole)
    delivered = {
        place: len(sitting.events(seat))
        async for place, sitting in steps(actor.table.game, whole)
        if place in shares
    }
    return responses.Chances(
        [responses.ChancesPoint(place, delivered[place], shares[place]) for place in sorted(shares)]
    )


async def branch(registry: Registry, actor: TableActor, key: str, parameters: Parameters) -> Any:
    """A new table that goes on from a point of this one."""
    whole = whole_record(actor, key)
    message = parameters.branch
    place = message.at
    if place > len(whole.actions):
        raise ApiError("bad_message", f"the game has {len(whole.actions)} actions, not {place}")
    part = Record(
        whole.game,
        whole.rules,
        whole.options,
        whole.seed,
        whole.actions[:place],
        whole.names,
        digest=whole.digest,
    )
    now, most, source = registry.services.now(), registry.services.settings.most_actions, actor.table.head.id
    maker = maker_of(message.id, message.token, f"branch of {source}", wire.encode(message))
    bots = {number: seat.bot for number, seat in enumerate(actor.table.seats) if seat.bot and not seat.key}
    return await registry.make(maker, lambda: from_record(part, maker, now, most, source=source, bots=bots))


Query = Callable[[Registry, TableActor, str, Parameters], Awaitable[Any]]
QUERIES: dict[str, Query] = {
    "table": table,
    "view": view,
    "story": story,
    "taught": taught,
    "record": record,
    "verify": check,
    "at": at,
    "chances": chances,
    "branch": branch,
}
