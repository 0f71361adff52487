"""New tables: as their maker wants them, from a record, as a branch of another, and for a rematch."""

from collections.abc import Sequence
from typing import NamedTuple

from fabletop.bots.levels import DEFAULT, LEVELS
from fabletop.core.chance import fresh_salt, fresh_seed
from fabletop.core.errors import FabletopError
from fabletop.core.records import Record
from fabletop.core.replay import ReplayCursor
from fabletop.games import GAMES, game_called
from fabletop.server.protocol import wire
from fabletop.server.protocol.errors import ApiError
from fabletop.server.stores.entries import LONGEST_NAME, Acted, Began, Entry, Head, Pace, Sat, SeatPlan
from fabletop.server.tables.names import checked_name, free_name, imitated, need_own_name, numbered
from fabletop.server.tables.replays import walked
from fabletop.server.tables.table import Table
from fabletop.server.tables.tokens import fresh_table_id, fresh_token, hashed

LONGEST_PACE = 60 * 86400


class Made(NamedTuple):
    """A table before it is stored, and the tokens that are told to its maker only."""

    head: Head
    entries: list[Entry]
    host: str
    token: str = ""
    seat: int | None = None


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


def new_table(said: wire.NewTable, now: float) -> Made:
    """A table as its maker wants it."""
    try:
        game = game_called(said.game)
    except FabletopError as error:
        raise ApiError("bad_options", str(error)) from None
    plans = list(said.seats)
    given = dict(said.options)
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
    host, token = fresh_token(), fresh_token()
    head = Head(
        id=fresh_table_id(),
        game=game.id,
        rules=game.rules,
        options=options,
        seed=fresh_seed() if said.seed is None else said.seed,
        at=now,
        host=hashed(host),
        pace=checked_pace(said.pace),
        listed=said.listed,
        spectators=said.spectators,
        chosen_seed=said.seed is not None,
        salt=fresh_salt(),
        digest=game.digest,
    )
    entries, mine = _company(plans, said.name, token, now)
    if all(any(isinstance(e, Sat) and e.seat == seat for e in entries) for seat in range(len(plans))):
        entries.append(Began(now))
    return Made(head, entries, host, token if mine is not None else "", mine)


def _company(plans: Sequence[SeatPlan], name: str, token: str, now: float) -> tuple[list[Entry], int | None]:
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


async def from_record(record: Record, now: float, most: int, source: str = "record") -> Made:
    """A table that goes on where a record ends, all seats at the maker's device."""
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
        raise ApiError("bad_record", "this record does not replay") from None
    host, token, seats = fresh_token(), fresh_token(), sitting.options["seats"]
    head = Head(
        id=fresh_table_id(),
        game=record.game,
        rules=record.rules,
        options=sitting.options,
        seed=record.seed,
        at=now,
        host=hashed(host),
        chosen_seed=True,
        source=source,
        salt=fresh_salt(),
        digest=sitting.game.digest,
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
        entries.append(Sat(now, seat, names[-1], key=hashed(token), hot=True))
    entries.append(Began(now))
    texts = sitting.game.actions
    entries += [Acted(now, seat, texts[action]) for seat, action in sitting.actions]
    return Made(head, entries, host, token, 0)


def rematch_of(table: Table, now: float) -> Made:
    """The same company, one seat further round, with a fresh deal. Everybody's token opens their seat there too."""
    head, count = table.head, len(table.seats)
    new = Head(
        id=fresh_table_id(),
        game=head.game,
        rules=head.rules,
        options=table.game.options(head.options),
        seed=fresh_seed(),
        at=now,
        host=head.host,
        pace=head.pace,
        spectators=head.spectators,
        source=head.id,
        salt=fresh_salt(),
        digest=table.game.digest,
    )
    entries: list[Entry] = []
    for number in range(count):
        seat = table.seats[(number + 1) % count]
        bot = "" if seat.key else seat.bot
        entries.append(Sat(now, number, seat.name, key=seat.key, bot=bot, hot=seat.hot))
    entries.append(Began(now))
    return Made(new, entries, "")
