"""Every message that goes over the wire, as types. docs/protocol.md and the OpenAPI description are made from them.

All messages are JSON objects; `type` says which: it is the name of the class in small letters. A client's message with
a field that is not listed here, or with a value of another type, is refused with the code `bad_message` and changes
nothing.
"""

from collections.abc import Callable
from typing import Annotated, Any, Literal, Union

import msgspec
from msgspec import UNSET, Meta, UnsetType

from fabletop.lang import LANGUAGES
from fabletop.server.protocol.views import VIEW_SCHEMA
from fabletop.server.stores.entries import LONGEST_ID, LONGEST_NAME, Pace, SeatPlan

LARGEST_MESSAGE = 4096
LONGEST_SEED = 100
LARGEST_BODY = 16_384
LARGEST_RECORD = 1 << 20
LONGEST_CHAT = 500

LETTERS = "[A-Za-z0-9_-]"
"""What ids of tables and tokens consist of: what base64 for URLs has."""
TABLE_ID = f"{LETTERS}{{1,32}}"
OWN_TOKEN = f"{LETTERS}{{22,64}}"
"""The two as patterns, for where they do not come in a message."""
TableId = Annotated[str, Meta(min_length=1, max_length=32, pattern=f"^{LETTERS}+$")]
Token = Annotated[str, Meta(min_length=16, max_length=64, pattern=f"^{LETTERS}+$")]
OwnToken = Annotated[str, Meta(min_length=22, max_length=64, pattern=f"^{LETTERS}+$")]
"""A token that a client has made: 22 characters of 6 bits are more than 128 bits."""
Id = Annotated[str, Meta(min_length=1, max_length=LONGEST_ID)]
MaybeId = Annotated[str, Meta(max_length=LONGEST_ID)]
"""The id of a message that may go without one: then it is empty."""
Lang = Annotated[str, Meta(pattern=f"^({'|'.join(LANGUAGES)})$")]
Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
Level = Annotated[str, Meta(max_length=32)]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
Count = Annotated[int, Meta(ge=-1, le=1_000_000_000)]
Reaction = Literal["wave", "clap", "laugh", "gasp", "think", "sorry"]
"""What can be shown to the table with one key."""

View = Annotated[Any, Meta(extra_json_schema=VIEW_SCHEMA)]
"""A view of the game; `games/<game>/view_types.py` says what is in it."""
Event = Annotated[
    Any,
    Meta(
        extra_json_schema={
            "type": "object",
            "properties": {
                "event": {"type": "string"},
                "line": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            },
            "required": ["event"],
        }
    ),
]
"""An event; its fields are the game's, as docs/events.md lists them. With a language asked for, `line` is its line of
the log, or null where it has none."""


# ---- what a client says ---------------------------------------------------------------------------------------------


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a client says, over HTTP or over a socket."""


class Message(Request, frozen=True, tag=str.lower):
    """What a client says over a socket."""


class Verb(Message, frozen=True):
    """What a client asks a table to do, over a socket or as POST /api/tables/{table}/{verb}.

    Every verb has an `id`, made by the client and new for everything that it asks. The answer carries it. The same
    message with the same id again is carried out once and answered as often as it is sent.
    """


class Hello(Message, frozen=True):
    """The first message on a socket: which table, and who you are.

    Without `token` you are a spectator. `seat` chooses among the seats of your token (hot seat); `seq` is the last
    update you have, so that only what you missed is sent; `lang` adds words to events and choices; `reveals` adds to
    choices which options cannot be taken back, since they would show somebody something hidden.
    """

    table: TableId
    token: Token | None = None
    seat: SeatNumber | None = None
    seq: Count | None = None
    lang: Lang | None = None
    reveals: bool = False


class Act(Verb, frozen=True):
    """Answer a choice with one of its options, by text or by number. `choice` is the `id` of the choice that is
    answered."""

    id: Id
    choice: Count
    action: Annotated[str, Meta(max_length=80)] | Annotated[int, Meta(ge=0, le=100_000)]
    seat: SeatNumber | None = None


class Undo(Verb, frozen=True):
    """Take back your last action, if nobody has learned anything since."""

    id: Id
    seat: SeatNumber | None = None


class Look(Message, frozen=True):
    """Ask for the whole view again, or, with `seat`, look from another seat of your token (hot seat)."""

    seat: SeatNumber | None = None
    id: MaybeId = ""


class Chat(Verb, frozen=True):
    """Say something to the people at the table. Spectators neither read nor write."""

    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_CHAT)]
    id: MaybeId = ""


class React(Verb, frozen=True):
    """Show one of a few reactions to everybody at the table, spectators too. Nothing is stored: sent again, it is shown
    again."""

    reaction: Reaction
    id: MaybeId = ""


class Hint(Verb, frozen=True):
    """Ask what a strong bot would do in your place. Only where all other seats are bots. Nothing is stored: sent
    again, it is thought about again."""

    id: Id
    seat: SeatNumber | None = None


class Start(Verb, frozen=True):
    """The host: deal now; bots of `level` take the open seats."""

    level: Level = ""
    id: MaybeId = ""


class Stand(Verb, frozen=True):
    """Get up before the game has begun; the seat is open again. Without `seat`, from all seats of your token. The host
    may free the seat of anybody: so a seat whose token is lost can be taken again."""

    seat: SeatNumber | None = None
    id: MaybeId = ""


class Leave(Verb, frozen=True):
    """Let a bot of `level` play for you. You can come back with `back`."""

    level: Level = ""
    id: MaybeId = ""


class Back(Verb, frozen=True):
    """Take your seat back from the bot."""

    id: MaybeId = ""


class Resign(Verb, frozen=True):
    """Give up: a bot plays your seat to the end."""

    id: MaybeId = ""


class Replace(Verb, frozen=True):
    """Let a bot play for somebody who is asked and has been away for a while. The person can come back. It is
    allowed when they have been asked and not `here` for `away` seconds (see `Limits`); a refusal says how many are left
    as `wait`."""

    seat: SeatNumber
    level: Level = ""
    id: MaybeId = ""


class Rematch(Verb, frozen=True):
    """After the game: agree to play again, or with `agree` false take that back. The new table is made when everybody
    has agreed who is not away; all get the same one, as `table` of the answer and as `followed`. Before that the
    answer names none, and `again` of the table says who has agreed. Where somebody is there and does not answer, ask
    again when `limits.away` seconds have passed: then it begins without them.

    Everybody has the same seat there, opened by the same token. A bot plays for those who have not agreed until they
    take their seat `back`."""

    agree: bool = True
    id: MaybeId = ""


class Renew(Verb, frozen=True):
    """Change your token: the old one no longer opens your seats at this table. It is changed here only: at another
    table that it opens, such as the one of a rematch, it goes on opening your seat until it is renewed there too.

    `token` is the new one, made by you at random; without it the server makes one. With an `id` it must be there: the
    server stores no token and could not send it again.
    """

    token: OwnToken | None = None
    id: MaybeId = ""


class Close(Verb, frozen=True):
    """The host, or the last person at the table: give the game up."""

    id: MaybeId = ""


class Webhook(Verb, frozen=True):
    """Have an address called when it is your turn and you are away; an empty `url` stops it."""

    url: Annotated[str, Meta(max_length=500)]
    id: MaybeId = ""


class Push(Verb, frozen=True):
    """Notify a browser when it is your turn and you are away: the `endpoint` of a push subscription made with the
    key in `push` of `/api/about`; an empty one stops it. The push carries no content."""

    endpoint: Annotated[str, Meta(max_length=1000)]
    id: MaybeId = ""


class Ping(Message, frozen=True):
    """Is anybody there?"""

    n: Count = 0


def _name(kind: type[Request]) -> str:
    """The `type` of a message."""
    return str(kind.__struct_config__.tag)


VERBS: dict[str, type[Verb]] = {_name(kind): kind for kind in Verb.__subclasses__()}
"""What a table may be asked to do, by name."""
MESSAGES: tuple[type[Message], ...] = (Hello, *VERBS.values(), Look, Ping)
ClientMessage: Any = Union[MESSAGES]  # noqa: UP007 - made from the list above
"""What may come over a socket."""


class NewTable(Request, frozen=True):
    """A new table. `seats` has an entry for every seat; the maker sits down at the first open one if `name` is
    given. `/api/about` lists the `options` of each game.

    With an `id` the request can be sent again and makes one table. It then needs a `token`, made by you at random, that
    will open your seat: the server stores no token and could not send it again."""

    game: Annotated[str, Meta(max_length=32)]
    options: dict[str, Any] = {}
    seats: Annotated[list[SeatPlan], Meta(max_length=16)] = []
    name: Annotated[str, Meta(max_length=LONGEST_NAME)] = ""
    pace: Pace = Pace()
    listed: bool = False
    spectators: bool = True
    seed: Annotated[str, Meta(max_length=LONGEST_SEED)] | None = None
    token: OwnToken | None = None
    id: MaybeId = ""


class NewLesson(Request, frozen=True):
    """A table for a lesson of a game; `/api/lessons/{game}` lists them. You have seat 0, the others are played for you.
    You may take back whatever you did. There is no record, and the table is deleted a few minutes after you leave."""

    game: Annotated[str, Meta(max_length=32)]
    lesson: Annotated[str, Meta(max_length=32)]
    name: Name


class Sit(Request, frozen=True):
    """Sit down at an open seat, any or a certain one.

    `token` is what will open your seat, made by you at random; without it the server makes one. With an `id` it must be
    there: the server stores no token and could not send it again.
    """

    name: Name
    seat: SeatNumber | None = None
    token: OwnToken | None = None
    id: MaybeId = ""


class Mine(Request, frozen=True):
    """The tables that these tokens open."""

    tokens: Annotated[list[Token], Meta(max_length=100)]


class Branch(Request, frozen=True):
    """A new table that goes on after the first `at` actions of a finished game, or of a hot-seat game of yours. The
    seats of people are all yours (hot seat); bots stay bots. `id` and `token` as in `NewTable`."""

    at: Annotated[int, Meta(ge=0, le=1_000_000)]
    token: OwnToken | None = None
    id: MaybeId = ""


# ---- what the server says -------------------------------------------------------------------------------------------


class Result(msgspec.Struct, frozen=True):
    """How a game ended: the `scores` by seat, the `winners`, the `reason` why it ended, and the `reckoning`, an object
    of the game's own for each part of it."""

    scores: list[float]
    winners: list[int]
    reason: str
    reckoning: list[dict[str, Any]]


class SeatNow(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat as everybody sees it. `kind` is open, person or bot; `level` is the level of the bot that plays now;
    `left`: a bot plays for the person; `resigned`: for good; `here`: the person is connected."""

    seat: int
    kind: str
    name: str = ""
    level: str = ""
    hot: bool = False
    left: bool = False
    resigned: bool = False
    here: bool = False


class TableNow(msgspec.Struct, frozen=True):
    """A table as everybody sees it.

    `status` is open, playing, over or closed. `commitment` binds the server to its seed from the start; the seed itself
    is available from `verify` and `record` when the game has ended. `asked` are the seats that have still to decide
    something; what the others have decided is not shown before all have. `pace` is the clock; `listed`: whether the
    table is in the list of open ones; `chosen_seed`: its maker chose the seed and may know the deal; `source` is
    `record`, or the table from which this one branched or of which it is the rematch; `made` and `updated` are times in
    seconds since 1970, the latter as the former while the game is on. `outcome` is there when it is over. `followed` is
    the table of the rematch, `again` the seats whose people have agreed to one, `closed` why a table was given up.
    `watching` is how many spectators are connected, `host` the name of the person who made the table, if they gave one.
    `lesson` is the lesson that is taken here.
    """

    table: str
    game: str
    rules: int
    options: dict[str, Any]
    status: str
    seats: list[SeatNow]
    asked: list[int]
    pace: Pace
    listed: bool
    spectators: bool
    chosen_seed: bool
    source: str
    commitment: str
    made: int
    updated: int
    outcome: Result | None = None
    followed: str = ""
    closed: str = ""
    again: list[int] = []
    watching: int = 0
    host: str = ""
    lesson: str = ""


class ReasonNow(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why the `things` cannot be chosen now, in words, and the number of the `rule`. Things are texts of actions, and
    what else a game names: `power-hoot` says in Equinox whether a card of Hoot would activate its power. The thing `*`
    stands for everything that is neither an option nor named in another reason."""

    text: str
    rule: str
    things: list[str]


class ChoiceNow(msgspec.Struct, frozen=True, omit_defaults=True):
    """The question put to your seat. `id` goes back with the answer; `kind` names the question, `about` is what it is
    about (cards, seats, counts: as the game has it), `options` are the actions among which to choose; `prompt` and
    `labels` say both in words where a language is asked for; `left`: the seconds that remain; `reveals`, where `hello`
    has asked for it: options that would show somebody something hidden; `reasons`, where a language is asked for: why
    something else cannot be chosen; `previews`, then too: what follows from an option before it is chosen, by its text
    or by what else the game names (views.md)."""

    id: int
    kind: str
    options: list[str]
    about: dict[str, Any]
    prompt: str = ""
    labels: list[str] = []
    left: float | None = None
    reveals: list[str] = []
    reasons: list[ReasonNow] = []
    previews: dict[str, Any] = {}


class ChatSays(msgspec.Struct, tag="chat", frozen=True):
    """A line of the chat."""

    n: int
    at: int
    seat: int
    name: str
    text: str


class Welcome(msgspec.Struct, tag="welcome", frozen=True):
    """The answer to `hello` and `look`: everything you may know now.

    `events` are those after the first `keep` of your story; with a `seq` that you had, only what you missed. `undo`
    says why you cannot take back your last action (null: you can). `run` changes when the server starts. `id` is that
    of your `look`, if it had one.
    """

    table: TableNow
    viewer: int | None
    seats: list[int]
    seq: int
    keep: int
    events: list[Event]
    view: Any
    choice: ChoiceNow | None
    undo: str | None
    chat: list[ChatSays]
    run: str
    host: bool = False
    id: str | UnsetType = UNSET


class Update(msgspec.Struct, tag="update", frozen=True):
    """Something has happened that you may know of.

    `seq` is one more than that of the update before. If `keep` is there, an action was taken back: of your story only
    the first `keep` events stand. `choice` is there when it is another one than before, null when you are no longer
    asked. `view` is there unless updates come in quick succession; then a message `view` follows. `done` acknowledges
    your `act` or `undo` with this id.
    """

    seq: int
    events: list[Event]
    keep: int | UnsetType = UNSET
    choice: ChoiceNow | UnsetType | None = UNSET
    undo: str | UnsetType | None = UNSET
    view: Any | UnsetType = UNSET
    done: str | UnsetType = UNSET


class ViewNow(msgspec.Struct, tag="view", frozen=True):
    """The view that belongs to update `seq`, where that came without it."""

    seq: int
    view: Any


class TableSays(msgspec.Struct, tag="table", frozen=True):
    """Somebody sat down, left, came back, connected; or the game began or ended."""

    table: TableNow


class Reacted(msgspec.Struct, tag="reaction", frozen=True):
    """Somebody at the table shows a reaction."""

    seat: int
    reaction: Reaction


class Done(msgspec.Struct, tag="done", frozen=True, omit_defaults=True):
    """What you asked for is done and stored. `id` as you gave it; `seq` the update you have reached by it; `token` your
    new token; `seat` the seat it opens; `table` the table you sit at or go to; `host` the token of the host."""

    id: str = ""
    seq: int | None = None
    token: str = ""
    table: str = ""
    seat: int | None = None
    host: str = ""


class Advice(msgspec.Struct, frozen=True):
    """What is expected of one option: its `action`, as it stands in the choice; `victory`, your expected share of the
    victory, from 0 to 1; `points`, your expected points at the end; and `visits`, how often the bot has tried it: the
    more, the surer the two numbers."""

    action: str
    victory: float
    points: float
    visits: int


class Hinted(msgspec.Struct, tag="hint", frozen=True, omit_defaults=True):
    """The options of your choice, best first, with what is expected of each. `id` is that of your `hint`, `choice` that
    of the choice. Where a decision has several parts, `then` has what the bot would answer after the first option:
    further columns, or by turns the space of a card and the next card."""

    id: str
    choice: int
    options: list[Advice]
    then: list[str] = []


class Error(msgspec.Struct, tag="error", frozen=True, omit_defaults=True):
    """Your message was not carried out, and why. `code` is one of a fixed list, `message` is for people: in the
    `lang` of `hello`, over HTTP in the first language of the header Accept-Language that the server has, else in
    English. `id` is that of your message, if it had one, also where nothing else of the message could be understood.
    `wait`: the seconds after which it would be allowed, where time is all that is missing."""

    code: str
    message: str
    id: str = ""
    wait: float | None = None


class Pong(msgspec.Struct, tag="pong", frozen=True):
    """The answer to `ping`."""

    n: int


class Bye(msgspec.Struct, tag="bye", frozen=True):
    """The server closes this socket. With `again`, connect again and go on from your last `seq`; with the `code`
    `too_many`, do so after a pause, and send less."""

    reason: str
    again: bool
    code: str = ""


ServerMessage = (
    Welcome | Update | ViewNow | TableSays | ChatSays | Reacted | Done | Hinted | Error | Pong | Bye
)
"""What may come from the server over a socket."""


# ---- reading and writing --------------------------------------------------------------------------------------------

encode = msgspec.json.Encoder().encode


class _Named(msgspec.Struct):
    id: str = ""


_named = msgspec.json.Decoder(_Named)


decode: Callable[[bytes | str], Message] = msgspec.json.Decoder(ClientMessage).decode
"""A client's message; msgspec's errors name the field that is wrong."""


def id_in(data: bytes | str) -> str:
    """The id in something that is no message, so that the refusal can carry it; empty if there is none."""
    try:
        message_id = _named.decode(data).id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""
    return message_id if len(message_id) <= LONGEST_ID else ""
