"""Every message that goes over the wire, as types. docs/protocol.md and the OpenAPI description are made from them.

All messages are JSON objects; `type` says which. A client's message with a field that is not listed here, or with a
value of another type, is refused with the code `bad_message` and changes nothing.
"""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from fabletop.server.protocol.views import VIEW_SCHEMA
from fabletop.server.stores.entries import LONGEST_ID, LONGEST_NAME, Pace, SeatPlan

LARGEST_MESSAGE = 4096
LONGEST_SEED = 100
LARGEST_BODY = 16_384
LARGEST_RECORD = 1 << 20
LONGEST_CHAT = 500

TableId = Annotated[str, Meta(min_length=1, max_length=32, pattern="^[A-Za-z0-9_-]+$")]
Token = Annotated[str, Meta(min_length=16, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
Id = Annotated[str, Meta(min_length=1, max_length=LONGEST_ID)]
Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
Level = Annotated[str, Meta(max_length=32)]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
Count = Annotated[int, Meta(ge=-1, le=1_000_000_000)]


def _with(fields: Mapping[str, Any]) -> Meta:
    """For the description: an object that is made elsewhere has these fields, each with its JSON schema."""
    return Meta(extra_json_schema={"type": "object", "properties": dict(fields), "required": list(fields)})


def _list(kind: str) -> dict[str, Any]:
    return {"type": "array", "items": {"type": kind}}


Told = Annotated[Any, _with({"event": {"type": "string"}})]
"""An event, as docs/events.md lists them."""
View = Annotated[Any, Meta(extra_json_schema=VIEW_SCHEMA)]
"""A view of the game; `games/<game>/view_types.py` says what is in it."""
Result = Annotated[
    dict[str, Any],
    _with(
        {
            "scores": _list("number"),
            "winners": _list("integer"),
            "reason": {"type": "string"},
            "reckoning": _list("object"),
        }
    ),
]
"""How a game ended."""
Advice = Annotated[
    dict[str, Any],
    _with(
        {
            "action": {"type": "string"},
            "victory": {"type": "number"},
            "points": {"type": "number"},
            "visits": {"type": "integer"},
        }
    ),
]
"""What is to be expected of one option."""


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a client says."""


# ---- what a client says ---------------------------------------------------------------------------------------------


class Hello(Request, tag="hello", frozen=True):
    """The first message on a socket: which table, and who you are.

    Without `token` you are a spectator. `seat` chooses among the seats of your token (hot seat); `seq` is the last
    update you have, so that only what you missed is sent; `lang` (en, fr, de) adds words to events and choices;
    `reveals` adds to choices which options cannot be taken back, since they would show somebody something hidden.
    """

    table: TableId
    token: Token | None = None
    seat: SeatNumber | None = None
    seq: Count | None = None
    lang: Annotated[str, Meta(max_length=2)] | None = None
    reveals: bool = False


class Act(Request, tag="act", frozen=True):
    """Answer a choice with one of its options, by text or by number.

    `id` is made by the client, new for every answer, the same when the same answer is sent again: it is carried out
    once and acknowledged as often as it is sent. `choice` is the `id` of the choice that is answered.
    """

    id: Id
    choice: Count
    action: Annotated[str, Meta(max_length=80)] | Annotated[int, Meta(ge=0, le=100_000)]
    seat: SeatNumber | None = None


class Undo(Request, tag="undo", frozen=True):
    """Take back your last action, if nobody has learned anything since. `id` as for `act`."""

    id: Id
    seat: SeatNumber | None = None


class Look(Request, tag="look", frozen=True):
    """Ask for the whole view again, or, with `seat`, look from another seat of your token (hot seat)."""

    seat: SeatNumber | None = None


class Chat(Request, tag="chat", frozen=True):
    """Say something to the people at the table. Spectators neither read nor write."""

    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_CHAT)]


class Hint(Request, tag="hint", frozen=True):
    """Ask what a strong bot would do in your place. Only where all other seats are bots."""

    id: Id
    seat: SeatNumber | None = None


class Start(Request, tag="start", frozen=True):
    """The host: deal now; bots of `level` take the open seats."""

    level: Level = ""


class Stand(Request, tag="stand", frozen=True):
    """Get up before the game has begun; the seat is open again."""


class Leave(Request, tag="leave", frozen=True):
    """Let a bot of `level` play for you. You can come back with `back`."""

    level: Level = ""


class Back(Request, tag="back", frozen=True):
    """Take your seat back from the bot."""


class Resign(Request, tag="resign", frozen=True):
    """Give up: a bot plays your seat to the end."""


class Replace(Request, tag="replace", frozen=True):
    """Let a bot play for somebody who is asked and has been away for a while. The person can come back."""

    seat: SeatNumber
    level: Level = ""


class Rematch(Request, tag="rematch", frozen=True):
    """After the game: the same people at a new table. Your token opens your seat there too."""


class Renew(Request, tag="renew", frozen=True):
    """Change your token: the old one no longer opens your seats at this table. It is changed here only: at another
    table that it opens, such as the one of a rematch, it goes on opening your seat until it is renewed there too."""


class Close(Request, tag="close", frozen=True):
    """The host, or the last person at the table: give the game up."""


class Webhook(Request, tag="webhook", frozen=True):
    """Have an address called when it is your turn and you are away; an empty `url` stops it."""

    url: Annotated[str, Meta(max_length=500)]


class Push(Request, tag="push", frozen=True):
    """Have the browser told when it is your turn and you are away: the `endpoint` of a push subscription made with the
    key in `push` of `/api/about`; an empty one stops it. The push carries no content."""

    endpoint: Annotated[str, Meta(max_length=1000)]


class Ping(Request, tag="ping", frozen=True):
    """Is anybody there?"""

    n: Count = 0


Said = (
    Hello
    | Act
    | Undo
    | Look
    | Chat
    | Hint
    | Start
    | Stand
    | Leave
    | Back
    | Resign
    | Replace
    | Rematch
    | Renew
    | Close
    | Webhook
    | Push
    | Ping
)
"""What may come over a socket."""

VERBS: dict[str, type[Request]] = {
    "act": Act,
    "undo": Undo,
    "chat": Chat,
    "hint": Hint,
    "start": Start,
    "stand": Stand,
    "leave": Leave,
    "back": Back,
    "resign": Resign,
    "replace": Replace,
    "rematch": Rematch,
    "renew": Renew,
    "close": Close,
    "webhook": Webhook,
    "push": Push,
}
"""What may also be asked over HTTP: POST /api/tables/{table}/{verb}."""


class NewTable(Request, frozen=True):
    """A new table. `seats` has an entry for every seat; the maker sits down at the first open one if `name` is
    given. What `options` there are for a game is told by `/api/about`."""

    game: Annotated[str, Meta(max_length=32)]
    options: dict[str, Any] = {}
    seats: Annotated[list[SeatPlan], Meta(max_length=16)] = []
    name: Annotated[str, Meta(max_length=LONGEST_NAME)] = ""
    pace: Pace = Pace()
    listed: bool = False
    spectators: bool = True
    seed: Annotated[str, Meta(max_length=LONGEST_SEED)] | None = None


class Sit(Request, frozen=True):
    """Sit down at an open seat, any or a certain one."""

    name: Name
    seat: SeatNumber | None = None


class Mine(Request, frozen=True):
    """The tables that these tokens open."""

    tokens: Annotated[list[Token], Meta(max_length=100)]


class Branch(Request, frozen=True):
    """A new hot-seat table that goes on after the first `at` actions of a finished game or of one's own hot-seat
    game."""

    at: Annotated[int, Meta(ge=0, le=1_000_000)]


# ---- what the server says -------------------------------------------------------------------------------------------


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
    is to be had from `verify` and `record` when the game has ended. `asked` are the seats that have still to decide
    something; what the others have decided is not told before all have. `pace` is the clock; `listed`: whether the
    table is in the list of open ones; `chosen_seed`: its maker chose the seed and may know the deal; `source` is
    `record`, or the table from which this one branched or of which it is the rematch; `made` and `updated` are times in
    seconds since 1970, the latter as the former while the game is on. `outcome`, when it is over: `scores` by seat,
    the `winners`, the `reason` why it ended, and the `reckoning`, an object of the game's own for each part of it.
    `followed` is the table of the rematch, `closed` why a table was given up.
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
    `labels` say both in words where a language is asked for; `left`: so many seconds remain; `reveals`, where `hello`
    has asked for it: options that would show somebody something hidden; `reasons`, where a language is asked for: why
    something else cannot be chosen."""

    id: int
    kind: str
    options: list[str]
    about: dict[str, Any]
    prompt: str = ""
    labels: list[str] = []
    left: float | None = None
    reveals: list[str] = []
    reasons: list[ReasonNow] = []


class Welcome(msgspec.Struct, tag="welcome", frozen=True):
    """The answer to `hello` and `look`: everything you may know now.

    `events` are those after the first `keep` of your story; with a `seq` that you had, only what you missed. `undo`
    says why you cannot take back your last action (null: you can). `run` changes when the server starts.
    """

    table: TableNow
    viewer: int | None
    seats: list[int]
    seq: int
    keep: int
    events: list[Any]
    view: Any
    choice: ChoiceNow | None
    undo: str | None
    chat: list[Any]
    run: str
    host: bool = False


class Update(msgspec.Struct, tag="update", frozen=True):
    """Something has happened that you may know of.

    `seq` is one more than that of the update before. If `keep` is there, an action was taken back: of your story only
    the first `keep` events stand. `choice` is there when it is another one than before, null when you are no longer
    asked. `view` is there unless updates come thick and fast; then a message `view` follows. `done` acknowledges your
    `act` or `undo` with this id.
    """

    seq: int
    events: list[Any]
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


class ChatSays(msgspec.Struct, tag="chat", frozen=True):
    """A line of the chat."""

    n: int
    at: int
    seat: int
    name: str
    text: str


class Done(msgspec.Struct, tag="done", frozen=True, omit_defaults=True):
    """What you asked for is done and stored. `id` as you gave it; `seq` the update you have reached by it; `token` your
    new token; `table` another table to go to."""

    id: str = ""
    seq: int | None = None
    token: str = ""
    table: str = ""
    seat: int | None = None
    host: str = ""


class Hinted(msgspec.Struct, tag="hint", frozen=True, omit_defaults=True):
    """The options of your choice, best first, with what is to be expected of each.

    `id` is that of your `hint`, `choice` that of the choice. Every option has its `action`, as it stands in the
    choice; `victory`, your share of the victory to be expected, from 0 to 1; `points`, your points to be expected at
    the end; and `visits`, how often the bot has tried it: the more, the surer the two figures.
    """

    id: str
    choice: int
    options: list[Advice]


class Error(msgspec.Struct, tag="error", frozen=True, omit_defaults=True):
    """Your message was not carried out, and why. `code` is one of a fixed list, `message` is for people. `id` is that
    of your message, if it had one, also where nothing else of the message could be understood."""

    code: str
    message: str
    id: str = ""


class Pong(msgspec.Struct, tag="pong", frozen=True):
    """The answer to `ping`."""

    n: int


class Bye(msgspec.Struct, tag="bye", frozen=True):
    """The server closes this socket. With `again`, connect again and go on from your last `seq`; with the `code`
    `too_many`, do so after a pause, and send less."""

    reason: str
    again: bool
    code: str = ""


Says = Welcome | Update | ViewNow | TableSays | ChatSays | Done | Hinted | Error | Pong | Bye
"""What may come from the server over a socket."""


# ---- reading and writing --------------------------------------------------------------------------------------------

encode = msgspec.json.Encoder().encode
_said = msgspec.json.Decoder(Said)


class _Named(msgspec.Struct):
    id: str = ""


_named = msgspec.json.Decoder(_Named)


def said(data: bytes | str) -> Said:
    """A client's message; msgspec's errors name the field that is wrong."""
    found: Said = _said.decode(data)
    return found


def id_in(data: bytes | str) -> str:
    """The id in something that is no message, so that its sender hears which one was refused; empty if there is
    none."""
    try:
        found = _named.decode(data).id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""
    return found if len(found) <= LONGEST_ID else ""
