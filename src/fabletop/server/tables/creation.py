"""New tables: as their maker wants them, for a lesson, from a record, as a branch of another, and for a rematch."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec import structs

from fabletop.bots.levels import DEFAULT, LEVELS
from fabletop.core.chance import fresh_salt, fresh_seed
from fabletop.core.errors import FabletopError
from fabletop.core.game import Game, whole
from fabletop.core.records import Record
from fabletop.core.replay import ReplayCursor
from fabletop.games import COURSES, GAMES, game_called
from fabletop.server.protocol import wire
from fabletop.server.protocol.errors import ApiError, worded
from fabletop.server.stores.entries import (
    LONGEST_NAME,
    Acted,
    Began,
    Entry,
    Head,
    Left,
    Pace,
    Sat,
    SeatPlan,
)
from fabletop.server.tables.lessons import LEVEL
from fabletop.server.tables.names import checked_name, free_name, imitated, need_own_name, numbered
from fabletop.server.tables.replays import walked
from fabletop.server.tables.table import Table
from fabletop.server.tables.tokens import derived, fingerprint, fresh_table_id, fresh_token, hashed

LONGEST_PACE = 60 * 86400


class Maker(NamedTuple):
    """Who makes a table: the `token` of their seat, that of the `host`, and the id that the `table` gets. Where the
    request has an `id`, all three follow from it and the client's token, so that the same request again finds the table
    that it has made; `meant` says whether it is the same."""

    table: str
    host: str
    token: str
    id: str = ""
    meant: str = ""


def fresh_maker() -> Maker:
    """Of a table that is made once."""
    return Maker(fresh_table_id(), fresh_token(), fresh_token())


def maker_of(request: str, token: str | None, kind: str, data: bytes) -> Maker:
    """Of a request of some kind with this content; `request` is its id, if it has one."""
    if not request:
        fresh = fresh_maker()
        return fresh if token is None else fresh._replace(token=token)
    if token is None:
        raise ApiError("bad_message", "with an id, bring a token of your own: it could not be sent again")
    return Maker(
        derived("table", token, request, 9),
        derived("host", token, request, 24),
        token,
        request,
        fingerprint(kind, data),
    )


class Draft(NamedTuple):
    """A table before it is stored, and the tokens that only its maker gets."""

    head: Head
    entries: list[Entry]
    host: str
    token: str = ""
    seat: int | None = None


def game_named(name: str, refused_as: str) -> Game:
    """The game that a request names, as people write it; `refused_as` is the code of the error where there is none."""
    try:
        return game_called(name)
    except FabletopError as error:
        raise ApiError(refused_as, str(error)) from None


def checked_level(level: str) -> str:
    """A level of bots; empty is the usual one."""
    if not level:
        return DEFAULT
    if level not in LEVELS:
        raise ApiError("bad_message", f"there is no level {level!r}; the levels are {', '.join(LEVELS)}")
    return level


def checked_pace(pace: Pace) -> Pace:
    """A clock that can be kept."""
    if pace.kind not in ("none", "move", "game"):
        raise ApiError("bad_message", f"the pace {pace.kind!r} is unknown; it should be none, move or game")
    if pace.kind == "none":
        return Pace()
    if not 1 <= pace.seconds <= LONGEST_PACE or not 0 <= pace.extra <= LONGEST_PACE:
        raise ApiError("bad_message", f"a pace has 1 to {LONGEST_PACE} seconds, not {pace.seconds:g}")
    return pace


async def new_table(request: wire.NewTable, maker: Maker, now: float) -> Draft:
    """A table as its maker wants it."""
    game = game_named(request.game, "bad_options")
    plans = list(request.seats)
    given = dict(request.options)
    if plans:
        given.setdefault("seats", len(plans))
    try:
        options = game.options(given)
    except FabletopError as error:
        raise ApiError("bad_options", str(error)) from None
    except Exception:  # an option of a strange type: whatever the game made of it, it is no option
        raise ApiError("bad_options", "these options do not make a game") from None
    if plans and len(plans) != options["seats"]:
        raise ApiError("bad_options", f"{len(plans)} seats are described, the game has {options['seats']}")
    plans = plans or [SeatPlan() for _ in range(options["seats"])]
    head = Head(
        id=maker.table,
        game=game.id,
        rules=game.rules,
        options=options,
        seed=fresh_seed() if request.seed is None else request.seed,
        at=now,
        host=hashed(maker.host),
        pace=checked_pace(request.pace),
        listed=request.listed,
        spectators=request.spectators,
        chosen_seed=request.seed is not None,
        salt=fresh_salt(),
        digest=game.digest,
        maker=checked_name(request.name) if request.name else "",
        meant=maker.meant,
    )
    entries, mine = _first_entries(plans, request.name, maker.token, now)
    if all(any(isinstance(e, Sat) and e.seat == seat for e in entries) for seat in range(len(plans))):
        entries.append(Began(now))
    return Draft(head, entries, maker.host, maker.token if mine is not None else "", mine)


async def lesson_table(request: wire.NewLesson, maker: Maker, now: float) -> Draft:
    """A table for a lesson: the learner at the first seat, bots at the others."""
    game = game_named(request.game, "unknown")
    course = COURSES[game.id]
    lesson = course.lesson(request.lesson)
    if lesson is None:
        known = ", ".join(lesson.id for lesson in course.lessons)
        raise ApiError("unknown", f"{game.id} has no lesson {request.lesson!r}; it has {known}")
    bots = [SeatPlan("bot", level=LEVEL) for _ in range(lesson.options["seats"] - 1)]
    plain = wire.NewTable(
        game.id, dict(lesson.options), [SeatPlan(), *bots], request.name, spectators=False, seed=lesson.id
    )
    draft = await new_table(plain, maker, now)
    return draft._replace(head=structs.replace(draft.head, lesson=lesson.id, start=lesson.position))


def _first_entries(
    plans: Sequence[SeatPlan], name: str, token: str, now: float
) -> tuple[list[Entry], int | None]:
    """The people and bots that sit down from the beginning, and the first seat of the maker."""
    entries: list[Entry] = []
    names: list[str] = []
    mine: int | None = None
    maker = checked_name(name) if name else ""
    for number, plan in enumerate(plans):
        if plan.kind == "bot":
            called = checked_name(plan.name) if plan.name else free_name([*names, maker])
            entries.append(Sat(now, number, called, bot=checked_level(plan.level)))
        elif plan.kind == "hot":
            taken = [*names, maker, *(other.name for other in plans)]
            called = checked_name(plan.name) if plan.name else numbered(maker or "Seat", number + 1, taken)
            entries.append(Sat(now, number, called, key=hashed(token), hot=True))
            mine = number if mine is None else mine
        elif plan.kind != "open":
            raise ApiError("bad_message", f"a seat is open, bot or hot, not {plan.kind!r}")
        elif maker and mine is None:
            called = maker
            entries.append(Sat(now, number, maker, key=hashed(token)))
            mine = number
        else:
            continue
        need_own_name(called, names)
        names.append(called)
    return entries, mine


async def from_record(
    record: Record,
    maker: Maker,
    now: float,
    most: int,
    *,
    source: str = "record",
    bots: Mapping[int, str] = MappingProxyType({}),
) -> Draft:
    """A table that goes on where a record ends: the seats of `bots` are played by bots of these levels, all others at
    the maker's device."""
    if record.game not in GAMES:
        raise ApiError("bad_record", f"a record of {record.game!r}, which is not played here")
    if len(record.actions) > most:
        raise ApiError("bad_record", f"{len(record.actions)} actions; at most {most} are taken")
    if len(record.seed) > wire.LONGEST_SEED:
        raise ApiError(
            "bad_record", f"its seed is too long; at most {wire.LONGEST_SEED} characters are taken"
        )
    try:
        sitting = await walked(ReplayCursor(GAMES[record.game], record), len(record.actions))
    except FabletopError as error:
        raise ApiError("bad_record", str(error)) from None
    except Exception:
        raise worded("bad_record", "record_broken") from None
    seats = sitting.options["seats"]
    hot = [seat for seat in range(seats) if seat not in bots] or [0]
    head = Head(
        id=maker.table,
        game=record.game,
        rules=record.rules,
        options=sitting.options,
        seed=record.seed,
        at=now,
        host=hashed(maker.host),
        chosen_seed=True,
        source=source,
        salt=fresh_salt(),
        digest=sitting.game.digest,
        meant=maker.meant,
    )
    entries: list[Entry] = []
    names: list[str] = []
    for seat in range(seats):
        given = record.names[seat] if seat < len(record.names) else ""
        try:
            name = checked_name(given[:LONGEST_NAME])
        except ApiError:  # nothing in it that can be shown
            name = f"Seat {seat + 1}"
        names.append(name if imitated(name, names) is None else numbered(name, seat + 1, names))
        if seat in hot:
            entries.append(Sat(now, seat, names[-1], key=hashed(maker.token), hot=True))
        else:
            entries.append(Sat(now, seat, names[-1], bot=bots[seat]))
    entries.append(Began(now))
    texts = sitting.game.actions
    entries += [Acted(now, seat, texts[action]) for seat, action in sitting.actions]
    return Draft(head, entries, maker.host, maker.token, hot[0])


def rematch_of(table: Table, maker: Maker, now: float) -> Draft:
    """The same people and bots in the same seats, with a new deal; if the options named the first seat, the next seat
    begins.
    Everybody's token opens their seat there too. A bot plays for people who have not agreed until they come back."""
    head = table.head
    new = Head(
        id=maker.table,
        game=head.game,
        rules=head.rules,
        options=_next_begins(table),
        seed=fresh_seed(),
        at=now,
        host=head.host,
        pace=head.pace,
        spectators=head.spectators,
        source=head.id,
        salt=fresh_salt(),
        digest=table.game.digest,
        maker=head.maker,
    )
    entries: list[Entry] = []
    for number, seat in enumerate(table.seats):
        bot = "" if seat.key else seat.bot
        entries.append(Sat(now, number, seat.name, key=seat.key, bot=bot, hot=seat.hot))
    absent = [n for n, seat in enumerate(table.seats) if seat.key and seat.key not in table.agreed]
    entries += [Left(now, number, DEFAULT) for number in absent]
    entries.append(Began(now))
    return Draft(new, entries, "")


def _next_begins(table: Table) -> dict[str, Any]:
    """The options of a rematch."""
    options = table.game.options(table.head.options)
    for setting in table.game.settings:
        first = whole(options.get(setting.name))
        if setting.kind == "first" and first is not None:
            options[setting.name] = (first + 1) % len(table.seats)
    return options
