"""The Game protocol: all that code outside `games/` knows of a game.

A *State* is the engine's record of everything true, secrets included; it is fast, mutable, cheap to clone, and
speaks in numbers. A *Game* says what the numbers mean.
"""

import hashlib
import json
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol, Self

from fabletop.core.batch import Slot
from fabletop.core.chance import Chance
from fabletop.core.errors import BadOptions
from fabletop.core.events import EventTable
from fabletop.core.planes import Plane

Options = Mapping[str, Any]
View = Mapping[str, Any]


class State(Protocol):
    """Everything true about a game, as an engine holds it."""

    seats: int
    """How many seats there are; seats are numbered from 0, and a spectator counts as viewer number `seats`."""
    stage: int
    """Counts up; the table's stream of chance is reseeded for every value. Independent of the order of arrival."""
    together: bool
    """Are the pending choices answered by all seats at once, unseen by each other?"""
    learned: int
    """After `apply`: one bit per viewer who learned something hidden by it (what undo and law 5 ask)."""

    def clone(self) -> Self:
        """An independent copy."""

    def asked(self) -> list[int]:
        """The seats that have something to decide, ascending; empty when the game is over."""

    def legal(self, seat: int) -> list[int]:
        """The numbers of the actions offered to the seat, ascending; empty if it is not asked."""

    def offers(self, seat: int, action: int) -> bool:
        """Is this action among those offered to the seat?"""

    def apply(self, seat: int, action: int) -> None:
        """Carry out an offered action; anything else raises NotOffered and changes nothing."""

    def apply_offered(self, seat: int, action: int) -> None:
        """The same for an action of which the caller knows that it is offered: nothing is checked."""

    def stir(self, stream: int, word: int) -> None:
        """Set a stream of chance: a seat's, or the table's (stream number `seats`)."""

    def listen(self, on: bool) -> None:
        """Start or stop noting events."""

    def heard(self) -> list[tuple[int, ...]]:
        """Take the event rows noted since the last call."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The question put to a seat. `kind` names it, `about` says what it is about, `options` are action numbers."""

    seat: int
    kind: str
    options: tuple[int, ...]
    about: Mapping[str, Any] = field(default_factory=dict)


class Reason(NamedTuple):
    """Why a seat cannot choose a thing now: a `key` of the game's language file under `why`, the number of the `rule`,
    and the `values` that the text names, by name."""

    key: str
    rule: str
    values: tuple[tuple[str, Any], ...] = ()


ANYTHING_ELSE = "*"
"""The thing whose reason holds for everything that is neither an option nor has a reason of its own."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the points of each seat, who won (several share a victory), why it ended, the reckoning."""

    scores: tuple[float, ...]
    winners: tuple[int, ...]
    reason: str
    reckoning: tuple[Mapping[str, Any], ...] = ()

    @property
    def shares(self) -> tuple[float, ...]:
        """The share of the victory of each seat."""
        return victory_shares(self.winners, len(self.scores))


def victory_shares(winners: Sequence[int], seats: int) -> tuple[float, ...]:
    """The share of the victory of each seat: the winners have equal ones."""
    return tuple((seat in winners) / len(winners) for seat in range(seats))


SettingKind = Literal["one", "yes", "some", "number", "first"]


@dataclass(frozen=True, slots=True)
class Setting:
    """One option of a new game, as a person is asked for it.

    `kind` is `one` (one of the values), `yes` (yes or no), `some` (`count` of the values, or `default`), `first` (who
    begins: a seat, a birthday for each seat, or `default`) or `number` (a whole number from `low` to `high`).
    """

    name: str
    kind: SettingKind
    values: tuple[str, ...] = ()
    default: Any = None
    count: int = 0
    low: int = 0
    high: int = 0
    study: bool = False
    """Is it for studies alone? Then Python, records, `ladder` and `fuzz` take it, and no person is asked for it."""

    def number(self, value: object) -> int:
        """The value of a `number`, if it is one within the bounds; BadOptions says what they are."""
        n = whole(value)
        if n is None or not self.low <= n <= self.high:
            raise BadOptions(
                f"{self.name} is {value!r}; it should be a whole number from {self.low} to {self.high}"
            )
        return n


@dataclass(frozen=True, slots=True)
class CardEntry:
    """One line of a card list, to print and to search. `symbols` may be empty, `text` says what the card does.

    `data` has the card as plain values, for clients that draw it; empty where a picture and a name are enough.
    """

    id: str
    group: str
    title: str
    symbols: str
    text: str
    data: Mapping[str, Any] = field(default_factory=dict)


Pack = Callable[[Any], Any]
"""What becomes of a part that recurs in many views: a server encodes it once."""


def whole(value: object) -> int | None:
    """The value as an int, or None where it is no whole number. Numbers of numpy are; `True` is not.

    >>> whole(3), whole(True), whole(0.5), whole("3")
    (3, None, None, None)
    """
    if type(value) is int:
        return value
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def digest_of(rules: int, **facts: Any) -> str:
    """The digest of a game: of its rules version and of every fact that decides how a record plays on."""
    text = json.dumps([rules, facts], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class ViewBuilder(Protocol):
    """Builds the views of one state for many viewers: what they have in common is built once."""

    def common(self) -> View:
        """The fields that every seat and every spectator sees."""

    def only(self, viewer: int | None) -> View:
        """The other fields: those that differ from viewer to viewer."""


def offered(settings: Sequence[Setting]) -> list[Setting]:
    """The settings that a person is asked for."""
    return [setting for setting in settings if not setting.study]


class Game(Protocol):
    """A game: rules, names and numbers."""

    @property
    def id(self) -> str:
        """The name in `GAMES`, in records and in `lang`."""

    @property
    def rules(self) -> int:
        """The version of the rules; records of another version do not replay unless they are migrated."""

    @property
    def digest(self) -> str:
        """A short hash of the cards and the numbers of the rules (`digest_of`); records of another one are refused."""

    @property
    def seat_counts(self) -> range:
        """How many can play."""

    @property
    def settings(self) -> Sequence[Setting]:
        """The options of a new game except the number of seats."""

    @property
    def actions(self) -> Sequence[str]:
        """The action catalogue: the text of every action by number."""

    @property
    def events(self) -> EventTable:
        """What can happen, and who may know."""

    def options(self, given: Options) -> dict[str, Any]:
        """The given options checked and completed with the defaults; BadOptions says what would be right."""

    def new(self, options: Options, words: Sequence[int]) -> Any:
        """The first state. `words` start the streams of chance: one per seat, then the table's."""

    def pending(self, state: Any) -> dict[int, Choice]:
        """Who is asked what; empty means that the game is over."""

    def half_step(self, state: Any) -> int:
        """Where a decision has several parts and everybody sees which part is under way, its number, else 0. Everybody
        sees a change of it, although no event shows it."""

    def progress(self, state: Any) -> dict[str, int]:
        """How far the game is, in counts that everybody may know and that a list of tables can show."""

    @property
    def view_type(self) -> type:
        """The shape of a view: a TypedDict whose fields are annotated with their meaning."""

    def view(self, state: Any, viewer: int | None) -> View:
        """What a seat, or a spectator (None), may see: built up from nothing, ids and plain JSON values only."""

    def views(self, state: Any, pack: Pack) -> ViewBuilder:
        """The views of one state for many viewers. Parts that recur from viewer to viewer, or from state to state, go
        through `pack`."""

    @property
    def planes(self) -> Sequence[Plane]:
        """What an observation consists of, byte by byte."""

    def observe(self, state: Any, seat: int, out: Any) -> None:
        """Write what a seat may know into a buffer, as `planes` says; ValueError for a wrong seat or buffer."""

    def mask(self, state: Any, seat: int, out: Any) -> None:
        """Write a byte for each action of the catalogue: 1 where it is offered to the seat, else 0."""

    def slot(self, options: Options) -> Slot:
        """A row of a batch, in which one game with these options follows the other (`core.batch`)."""

    def reasons(self, view: Any, choice: Choice) -> Mapping[str, Reason]:
        """Why the seat cannot choose what a person might try, by the text of the action or by a thing that the game
        names. Computed from the seat's own view and choice, so a reason cannot show anything hidden."""

    @property
    def preview_type(self) -> type | None:
        """The shape of a preview, as `view_type` is that of a view; None for a game that has none."""

    def previews(self, view: Any, choice: Choice) -> Mapping[str, Any]:
        """What follows from an option before it is chosen, by the text of the action or by a thing that the game names,
        as plain JSON values. Computed from the seat's own view and choice, as reasons are."""

    @property
    def card_type(self) -> type | None:
        """The shape of the `data` of a `CardEntry`, as `view_type` is that of a view; None where there is none."""

    def imagine(self, view: Any, chance: Chance) -> Any:
        """A whole state that this viewer could be in, drawn uniformly from all that fits what it knows."""

    def outcome(self, state: Any) -> Outcome | None:
        """The result, or None while the game goes on."""

    def parse(self, text: str) -> int:
        """The number of an action; BadText says what was not understood."""

    def position(self, state: Any) -> str:
        """The whole state as text that a person can read and write."""

    def from_position(self, text: str) -> Any:
        """The state that a position text describes."""

    def counts(self, state: Any) -> Mapping[str, int]:
        """How many of each conserved thing there are (law 8): constant from the first state to the last."""

    def say(self, kind: str, value: Any, word: Callable[[str], str]) -> str:
        """A value of an event, view or action in words; `word` looks up a key of the game's language file."""

    def cards(self, word: Callable[[str], str]) -> Iterator[CardEntry]:
        """The cards of the game, in the order in which a person would look for them, and what each one does."""
