"""Responses over HTTP, as types; docs/protocol.md and the OpenAPI description are made from them, as from the messages
of the socket (wire.py)."""

from typing import Any, Literal

import msgspec

from fabletop.core.game import SettingKind
from fabletop.games import GAMES
from fabletop.server.protocol.wire import ChoiceNow, Event, Result, TableNow, View
from fabletop.server.stores.entries import Pace


class SettingNow(msgspec.Struct, frozen=True):
    """An option of a new game. `kind` is `one` (one of `values`), `yes` (true or false), `some` (a list of `count` of
    the `values`, or the `default`), `number` (a whole number from `low` to `high`) or `first` (who begins: the number
    of a seat, or the `default`, or an object with
    `birthdays`, as MM-DD for each seat, and `today`, as YYYY-MM-DD)."""

    name: str
    kind: SettingKind
    values: list[str]
    default: Any
    count: int
    low: int = 0
    high: int = 0


class GameNow(msgspec.Struct, frozen=True):
    """A game: the version of its `rules`, how many `seats` it may have, its `settings` (the `options` of a new table
    except `seats`), and how many `actions` its catalogue has."""

    rules: int
    seats: list[int]
    settings: list[SettingNow]
    actions: int


class Limits(msgspec.Struct, frozen=True):
    """How long a `message` and a `record` may be in bytes, a line of `chat` and a `name` in characters.

    And how many: `messages_per_second` on one socket, with bursts of `message_burst`; from one address
    `requests_per_second`, with bursts of three times as many, and `tables_per_hour`; `chat_per_minute` of one seat, and
    `reactions_per_minute`. After `away` seconds without a connection a person holds nobody up."""

    message: int
    record: int
    chat: int
    name: int
    messages_per_second: float
    message_burst: float
    requests_per_second: float
    tables_per_hour: float
    chat_per_minute: float
    reactions_per_minute: float
    away: float


class About(msgspec.Struct, frozen=True):
    """This server. `run` changes when it starts; `games` by their names; `levels` of bots, and which `level` is meant
    by an empty one; `languages` by their codes; `reactions` by their names; `push` is the key for push subscriptions,
    empty where there is no push."""

    version: str
    run: str
    games: dict[str, GameNow]
    levels: list[str]
    level: str
    languages: dict[str, str]
    reactions: list[str]
    push: str
    limits: Limits


WORDS = ("common", "cards", *GAMES)
Words = msgspec.defstruct(
    "Words",
    [(name, dict[str, Any]) for name in WORDS],
    namespace={
        "__doc__": """The words of a language, as the files of `fabletop/lang` have them: objects of texts, or of such
        objects again. The keys are the ids that are used in views, events and actions; a text may have places in braces
        to be filled in."""
    },
)


class Card(msgspec.Struct, frozen=True):
    """A card in words: its `id` in views and actions, the `group` under which it is listed, its `title`, its `symbols`
    (may be empty), what it does as `text`, and as `data` what a client needs to draw it (may be empty)."""

    id: str
    group: str
    title: str
    symbols: str
    text: str
    data: dict[str, Any]


class Cards(msgspec.Struct, frozen=True):
    """The cards of a game, in the order in which one would look for them."""

    cards: list[Card]


class ListedSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat in a list: the `name`, empty where it is open, the `level` of the bot that plays it, and whether it is
    opened by the token of the request (`mine`)."""

    name: str = ""
    level: str = ""
    mine: bool = False


class ListedTable(msgspec.Struct, frozen=True):
    """A table in a list: `free` is how many seats are open, `asked` are the seats that have still to decide something,
    `made` is when it was made, `updated` when something last happened there, in seconds since 1970 (as `made` while the
    game is on); `host` is the name of the person who made it, if they gave one; `progress` is how far the game is, in
    counts of the game's own, such as `round` and `of`; the rest is as in `TableNow`. At tables that an earlier version
    wrote last, `seats` and `progress` are empty."""

    table: str
    game: str
    options: dict[str, Any]
    status: str
    free: int
    asked: list[int]
    pace: Pace
    made: int
    updated: int
    host: str
    seats: list[ListedSeat]
    progress: dict[str, int]


class OpenTables(msgspec.Struct, frozen=True):
    """Listed tables with open seats, newest first, a page of at most 50. The next page begins after the table that is
    named by `before`: the last of this one. After a table that is not there any more nothing comes."""

    tables: list[ListedTable]


class OwnTable(ListedTable, frozen=True):
    """One of your own tables: as in `ListedTable`, and `token` is the place (from 0) in the request of the token that
    opens it."""

    token: int


class OwnTables(msgspec.Struct, frozen=True):
    """The tables that your tokens open, newest first, at most 100."""

    tables: list[OwnTable]


class Seen(msgspec.Struct, frozen=True):
    """What you may see: the `table`, through whose eyes you look (`viewer`, null for a spectator), the number of your
    last update (`seq`), the `view`, null before the cards are dealt, and the `choice` put to you, null if there is
    none."""

    table: TableNow
    viewer: int | None
    seq: int
    view: View
    choice: ChoiceNow | None


class Story(msgspec.Struct, frozen=True):
    """Your story: the `events` after the first `from` that you have received, at most 1000 of them, and how many there
    are in all (`told`). If that is more than you have now, ask again with a higher `from`."""

    first: int = msgspec.field(name="from")
    events: list[Event]
    told: int


class RecordFile(msgspec.Struct, frozen=True):
    """A record, as records.md describes it. `options`, `names` and `about` are those of the game that was played;
    in `about` the server notes the `table`, the seats of `people`, the levels of `bots` by seat, and the `commitment`
    to the seed."""

    fabletop: Literal["record"]
    format: Literal[1]
    game: str
    rules: int
    options: dict[str, Any]
    seed: str
    actions: list[str]
    names: list[str] = []
    about: dict[str, Any] = {}
    salt: str = ""
    digest: str = ""


class Verified(msgspec.Struct, frozen=True):
    """The deal of a game that is over or was given up: the `commitment` from before the game, the `seed`, whether the
    one belongs to the other (`seed_fits`) with the `salt` (empty at tables made before there were salts), whether the
    record, played again from that seed, comes to the same end
    (`replays`), and the `outcome` to which it comes, as in `TableNow`, null where it was given up."""

    commitment: str
    seed: str
    seed_fits: bool
    replays: bool
    outcome: Result | None
    salt: str = ""


class Point(msgspec.Struct, frozen=True):
    """A game after `at` of its actions (of `of` in all): the `view` through the eyes of `viewer` (null: a spectator),
    who was `asked` then, the `action` that led there (its seat and its text; null at the beginning), and how many
    events the viewer had been `told`."""

    at: int
    of: int
    viewer: int | None
    view: View
    asked: list[int]
    action: str | None
    told: int


class ChancesPoint(msgspec.Struct, frozen=True):
    """The `chances` of the seats after `at` actions; their sum is 1. By then the viewer had been `told` this number of
    events."""

    at: int
    told: int
    chances: list[float]


class Chances(msgspec.Struct, frozen=True):
    """How the chances of the seats went in a finished game, from its beginning to its end."""

    points: list[ChancesPoint]


class StepNow(msgspec.Struct, frozen=True):
    """A step of a lesson: its `id` and `text`, whether it has a `goal` or is only read, the places of the table that it
    points at (`spots`), and the texts that say why the goal was missed, by id."""

    id: str
    text: str
    goal: bool
    spots: list[str]
    missed: dict[str, str]


class LessonNow(msgspec.Struct, frozen=True):
    """A lesson: what it is called, what it is about, and its steps in order."""

    id: str
    title: str
    text: str
    steps: list[StepNow]


class TipNow(msgspec.Struct, frozen=True):
    """What is explained once in a coached game."""

    id: str
    title: str
    text: str


class CourseNow(msgspec.Struct, frozen=True):
    """What a game teaches: its `lessons` in order, the `tips` of a coached game, and the options of that game."""

    lessons: list[LessonNow]
    tips: list[TipNow]
    first_game: dict[str, Any]


class Taught(msgspec.Struct, frozen=True):
    """How far you are in the lesson of this table, after the first `told` events of your story: how many goals are
    `reached`, and the id of what went wrong with the next one (`missed`, empty where nothing did). `tips` are the ids
    of those that fit the events from `from` on and your choice."""

    reached: int
    missed: str
    tips: list[str]
