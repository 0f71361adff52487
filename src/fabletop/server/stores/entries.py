"""The log of a table: the truth from which everything else is made.

A table is its head and its entries. The head says what is played and never changes; an entry is a fact, appended
durably before anything about it is sent. Both are stored as JSON.
"""

from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from msgspec import Meta

LONGEST_NAME = 24
LONGEST_ID = 64


class Pace(msgspec.Struct, frozen=True, omit_defaults=True):
    """The clock. `kind` is `none`, `move` (`seconds` for every choice) or `game` (`seconds` in all, and `extra`
    with every choice; who has used them up has 10 seconds for every choice). When time is out a bot makes the move, and
    the person can go on after it."""

    kind: Annotated[str, Meta(max_length=8)] = "none"
    seconds: float = 0.0
    extra: float = 0.0


class SeatPlan(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat when the table is made: `open` to anybody, a `bot` of some level, or `hot`: played at the maker's
    own device."""

    kind: Annotated[str, Meta(max_length=8)] = "open"
    name: Annotated[str, Meta(max_length=LONGEST_NAME)] = ""
    level: Annotated[str, Meta(max_length=32)] = ""


class Head(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is played: everything that is fixed when a table is made. `host` is the hash of the maker's token."""

    id: str
    game: str
    rules: int
    options: dict[str, Any]
    seed: str
    at: float
    host: str
    pace: Pace = Pace()
    listed: bool = False
    spectators: bool = True
    chosen_seed: bool = False
    source: str = ""
    """Where a table comes from that did not begin here: `record`, or the table it branched from."""
    salt: str = ""
    """Of the commitment to the seed; tables made before there were salts have none."""
    digest: str = ""
    """Of the cards and rules (`Game.digest`); older tables have none."""
    maker: str = ""
    """The name that the host has given; empty where there is none."""
    meant: str = ""
    """A hash of the request that made the table, where it had an id: the same request again is answered alike."""
    lesson: str = ""
    """The lesson that is taken here. Such a table has no record and is deleted soon after it is left."""
    start: str = ""
    """The position from which a lesson begins: it is kept, so that the log replays when the lesson has changed."""


class Sat(msgspec.Struct, tag="sat", frozen=True, omit_defaults=True):
    """Somebody has the seat now. `key` is the hash of the token; with `bot` the seat is a bot's from the beginning."""

    at: float
    seat: int
    name: str
    key: str = ""
    bot: str = ""
    hot: bool = False


class Stood(msgspec.Struct, tag="stood", frozen=True, omit_defaults=True):
    """The person in this seat got up before the game began; the seat is open again."""

    at: float
    seat: int


class Began(msgspec.Struct, tag="began", frozen=True, omit_defaults=True):
    """The cards were dealt."""

    at: float


class Acted(msgspec.Struct, tag="acted", frozen=True, omit_defaults=True):
    """A seat answered its choice. `by` is empty for the person, else `bot` or `clock`."""

    at: float
    seat: int
    action: str
    id: str = ""
    by: str = ""


class Undid(msgspec.Struct, tag="undid", frozen=True, omit_defaults=True):
    """A seat took back its last action."""

    at: float
    seat: int
    id: str = ""


class Left(msgspec.Struct, tag="left", frozen=True, omit_defaults=True):
    """A bot plays for the person of this seat, who may come back unless they resigned (`for_good`)."""

    at: float
    seat: int
    level: str
    for_good: bool = False


class Returned(msgspec.Struct, tag="returned", frozen=True, omit_defaults=True):
    """The person took the seat back from the bot."""

    at: float
    seat: int


class Renewed(msgspec.Struct, tag="renewed", frozen=True, omit_defaults=True):
    """The token of every seat with the key `old` was changed for another."""

    at: float
    old: str
    key: str


class Agreed(msgspec.Struct, tag="agreed", frozen=True, omit_defaults=True):
    """The person with this key wants a rematch, or no longer does."""

    at: float
    key: str
    agree: bool = True


class Followed(msgspec.Struct, tag="followed", frozen=True, omit_defaults=True):
    """The same people play again at another table."""

    at: float
    table: str


class Closed(msgspec.Struct, tag="closed", frozen=True, omit_defaults=True):
    """The table was given up before its game was over."""

    at: float
    reason: str


class Replied(msgspec.Struct, tag="replied", frozen=True, omit_defaults=True):
    """What the person with this key asked for under this `id` is done, and must not be done again. `meant` is a hash of
    the message; `seat` and `line` (the number of a line of chat) are what the answer needs."""

    at: float
    key: str
    id: str
    meant: str
    seat: int | None = None
    line: int | None = None


Entry = Sat | Stood | Began | Acted | Undid | Left | Returned | Renewed | Agreed | Followed | Closed | Replied

_entry = msgspec.json.Decoder(Entry)
_head = msgspec.json.Decoder(Head)


encode: Callable[[Entry | Head], bytes] = msgspec.json.Encoder().encode
"""An entry or a head as it is stored."""


def entry_of(data: bytes | str) -> Entry:
    """An entry as it was stored."""
    entry: Entry = _entry.decode(data)
    return entry


def head_of(data: bytes | str) -> Head:
    """A head as it was stored."""
    return _head.decode(data)
