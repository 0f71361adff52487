"""A sitting: one game being played, with its record, its events and its undo barrier.

>>> from fabletop import GAMES
>>> sitting = Sitting(GAMES["equinox"], {"seats": 2}, seed="midsummer")
>>> seat, choice = next(iter(sitting.pending.items()))
>>> _ = sitting.act(seat, choice.options[0])
>>> sitting.record().actions[0][0] == seat
True
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from typing import Any, NamedTuple

from fabletop.core.chance import Chance, commitment, fresh_seed, stream_word
from fabletop.core.errors import BadOptions, BadRecord, CannotUndo, FabletopError, NotOffered
from fabletop.core.events import Event
from fabletop.core.game import Choice, Game, Options, Outcome, View, whole
from fabletop.core.records import Record

SEAT_STREAMS = [f"seat {seat}" for seat in range(16)]
"""The names of the seats' streams of chance, made once: they are needed with every action."""

WHY_NOT = {
    "nothing": "there is nothing to take back",
    "learned": "the last action showed somebody something hidden",
    "acted": "somebody else has acted since",
    "closed": "everybody has finished this phase",
}


MARK_EVERY = 64
"""Actions between two marks."""


class Mark(NamedTuple):
    """A sitting as it stood after some actions: going back there need not replay the game from its beginning."""

    state: Any
    actions: int
    rows: int
    table_stage: int
    made: tuple[int, ...]
    last: tuple[int, ...]
    floor: tuple[tuple[int, str], ...]


class Sitting:
    """A game in play. Everything goes through `act`; `undo` takes back what nobody has learned from.

    With `start`, a position, it is practice: it begins there and not with a deal, has no record, and a seat may take
    back whatever it did, with all that followed.
    """

    def __init__(
        self,
        game: Game,
        options: Options | None = None,
        *,
        seed: str | None = None,
        names: Sequence[str] = (),
        salt: str = "",
        start: str = "",
    ) -> None:
        self.game = game
        self.start = start
        self.options = game.options(options or {})
        self.seed = fresh_seed() if seed is None else checked_seed(seed)
        self.names = tuple(names)
        self.salt = salt
        self._deal()

    def _deal(self) -> None:
        seats: int = self.options["seats"]
        self._table_stage = 0
        if self.start:
            self.state = self.game.from_position(self.start)
            self._check_seats(seats)
            for stream, word in enumerate(start_words(self.seed, seats)):
                self.state.stir(stream, word)
        else:
            self.state = self.game.new(self.options, start_words(self.seed, seats))
        self.state.listen(True)
        self.actions: list[tuple[int, int]] = []
        self.rows: list[tuple[int, ...]] = []
        self._made = [0] * seats
        self._last = [-1] * seats
        self._floor = [(0, "nothing")] * seats
        self._marks: list[Mark] = []
        self._take_rows()

    def _check_seats(self, seats: int) -> None:
        if self.state.seats != seats:
            raise BadOptions(f"the position has {self.state.seats} seats, the options say {seats}")

    @property
    def commitment(self) -> str:
        """What may be published while the game is on, so that the seed can be checked after it."""
        return commitment(self.seed, self.salt)

    @property
    def pending(self) -> dict[int, Choice]:
        """Who is asked what; empty when the game is over."""
        return self.game.pending(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """The result, once the game is over."""
        return self.game.outcome(self.state)

    def view(self, viewer: int | None) -> View:
        """What a seat or a spectator (None) may see."""
        return self.game.view(self.state, self._viewer(viewer))

    def events(self, viewer: int | None) -> list[Event]:
        """The events that a seat or a spectator has received so far."""
        return self.game.events.story(self.rows, self._viewer(viewer))

    def _viewer(self, viewer: int | None) -> int | None:
        return None if viewer is None else self._seat(viewer)

    def _seat(self, given: int) -> int:
        """A seat as a plain number, if there is such a seat."""
        if type(given) is int and 0 <= given < self.state.seats:
            return given
        seat = whole(given)
        if seat is None or not 0 <= seat < self.state.seats:
            raise NotOffered(f"there is no seat {given!r}; the seats are 0 to {self.state.seats - 1}")
        return seat

    def made(self, seat: int) -> int:
        """How many actions the seat has made; those it took back do not count."""
        return self._made[seat]

    def act(self, seat: int, action: int | str) -> list[tuple[int, ...]]:
        """Answer the seat's choice; returns the new event rows. What cannot be done raises and changes nothing."""
        number = self._action(action)
        seat = self._seat(seat)
        if not self.state.offers(seat, number):  # a refused action must not touch the streams
            self.state.apply(seat, number)  # says why not
        return self.act_offered(seat, number)

    def _action(self, given: int | str) -> int:
        """An action as its number, if there is such an action."""
        number = self.game.parse(given) if isinstance(given, str) else whole(given)
        if number is None or not 0 <= number < len(self.game.actions):
            raise NotOffered(
                f"{given!r} is no action; actions are numbered 0 to {len(self.game.actions) - 1}"
            )
        return number

    def act_offered(self, seat: int, number: int) -> list[tuple[int, ...]]:
        """Answer with an action of which the caller knows that it is offered: it has asked `state.offers`."""
        together = self.state.together
        self._stir(seat)
        self.state.apply_offered(seat, number)
        self._last[seat] = len(self.actions)
        self.actions.append((seat, number))
        self._made[seat] += 1
        self._raise_floor(seat, together)
        rows = self._take_rows()
        if len(self.actions) % MARK_EVERY == 0:
            self._mark()
        return rows

    def take_over(
        self, actions: Sequence[tuple[int, int]], rows: Sequence[tuple[int, ...]], stage: int
    ) -> None:
        """Note what was carried out on `state` outside, with the streams set as `act` sets them; it stays done.

        `stage` is the one for which the table's stream was set last.
        """
        for at, (seat, _) in enumerate(actions, len(self.actions)):
            self._last[seat] = at
            self._made[seat] += 1
        self.actions.extend(actions)
        self.rows.extend(rows)
        self._table_stage = stage
        self._floor = [(len(self.actions), "acted")] * self.state.seats
        self._mark()

    @property
    def table_stage(self) -> int:
        """The stage for which the table's stream of chance was set last."""
        return self._table_stage

    def _stir(self, seat: int) -> None:
        """Set the streams that this action may use: the seat's by its count of actions, the table's by the stage."""
        state = self.state
        state.stir(seat, stream_word(self.seed, SEAT_STREAMS[seat], self._made[seat] + 1))
        if state.stage != self._table_stage:
            self._table_stage = state.stage
            state.stir(state.seats, stream_word(self.seed, "table", state.stage))

    def _take_rows(self) -> list[tuple[int, ...]]:
        rows: list[tuple[int, ...]] = self.state.heard()
        self.rows.extend(rows)
        return rows

    def _raise_floor(self, seat: int, together: bool) -> None:
        """Note whose earlier actions stand from now on, and why. What stands already goes on standing for the same
        reason: another one would reveal a step that is not seen."""
        now, learned = len(self.actions), self.state.learned
        if together and not learned:
            return
        for other in range(self.state.seats):
            if other == seat:
                if learned:
                    self._floor[other] = (now, "learned")
            elif self._last[other] < self._floor[other][0]:
                continue
            elif not together:
                self._floor[other] = (now, "acted")
            elif learned & ~(1 << seat):
                self._floor[other] = (now, "closed")

    def undo_barrier(self, seat: int) -> str | None:
        """Why the seat cannot take back its last action (a key of WHY_NOT), or None if it can."""
        return self.undo_barriers()[self._seat(seat)]

    def undo_barriers(self) -> list[str | None]:
        """The same for every seat."""
        if self.start:
            return [None if last >= 0 else "nothing" for last in self._last]
        return [
            None if last >= floor else why if made else "nothing"
            for last, (floor, why), made in zip(self._last, self._floor, self._made, strict=True)
        ]

    def undo(self, seat: int) -> int:
        """Take back the seat's last action, and return it; what came after it is replayed without it, or in practice
        taken back too."""
        why = self.undo_barrier(seat)
        if why is not None:
            raise CannotUndo(WHY_NOT[why])
        at = self._last[self._seat(seat)]
        taken = self.actions[at][1]
        kept = self.actions[:at] + ([] if self.start else self.actions[at + 1 :])
        self._go_back(at)
        for who, action in kept[len(self.actions) :]:
            self.act(who, action)
        return taken

    def _mark(self) -> None:
        """Keep the sitting as it stands; two marks are enough, since nobody can take back much."""
        mark = Mark(
            self.state.clone(),
            len(self.actions),
            len(self.rows),
            self._table_stage,
            tuple(self._made),
            tuple(self._last),
            tuple(self._floor),
        )
        self._marks = [*self._marks[-1:], mark]

    def _go_back(self, at: int) -> None:
        """Be as it was at the last mark before an action, or at the beginning."""
        self._marks = [mark for mark in self._marks if mark.actions <= at]
        if not self._marks:
            self._deal()
            return
        mark = self._marks[-1]
        self.state, self._table_stage = mark.state.clone(), mark.table_stage
        self.state.listen(True)
        self.actions, self.rows = self.actions[: mark.actions], self.rows[: mark.rows]
        self._made, self._last, self._floor = list(mark.made), list(mark.last), list(mark.floor)

    def fork(self) -> "Sitting":
        """An independent sitting at the same point."""
        other = copy(self)
        other.state = self.state.clone()
        other.state.listen(True)
        other.actions, other.rows = self.actions[:], self.rows[:]
        other._made, other._last, other._floor = self._made[:], self._last[:], self._floor[:]
        return other

    def saved(self) -> dict[str, Any]:
        """The sitting as plain JSON, so that it need not be replayed; `resumed` reads it. It holds every secret."""
        return {
            "position": self.game.position(self.state),
            "stage": self._table_stage,
            "actions": self.actions,
            "rows": self.rows,
            "made": self._made,
            "floor": self._floor,
        }

    @classmethod
    def resumed(
        cls,
        game: Game,
        options: Options,
        seed: str,
        names: Sequence[str],
        saved: Mapping[str, Any],
        salt: str = "",
        start: str = "",
    ) -> "Sitting":
        """The saved sitting; it continues exactly as if it had not been interrupted."""
        sitting = cls.__new__(cls)
        sitting.game, sitting.options, sitting.seed = game, game.options(options), seed
        sitting.names, sitting.salt, sitting.start = tuple(names), salt, start
        sitting.state = game.from_position(saved["position"])
        sitting.state.listen(True)
        sitting.actions = [(seat, action) for seat, action in saved["actions"]]
        sitting.rows = [tuple(row) for row in saved["rows"]]
        sitting._table_stage = saved["stage"]
        sitting._made = list(saved["made"])
        sitting._last = [-1] * sitting.state.seats
        for at, (seat, _) in enumerate(sitting.actions):
            sitting._last[seat] = at
        sitting._floor = [(at, why) for at, why in saved["floor"]]
        sitting._marks = []
        sitting._mark()
        return sitting

    def record(self, **about: Any) -> Record:
        """The record of what has been played. Practice has none: a record begins with a deal."""
        if self.start:
            raise BadRecord("a game that began from a position has no record")
        texts = self.game.actions
        return Record(
            game=self.game.id,
            rules=self.game.rules,
            options=self.options,
            seed=self.seed,
            actions=tuple((seat, texts[action]) for seat, action in self.actions),
            names=self.names,
            about=about,
            salt=self.salt,
            digest=self.game.digest,
        )


def revealing(game: Game, view: View, choice: Choice, chance: Chance) -> list[int]:
    """The options that would show somebody something hidden, so that they could not be taken back.

    It is found out in a world that the viewer can imagine, so the answer reveals nothing that the view does not show.
    """
    found = []
    world = game.imagine(view, chance)
    for action in choice.options:
        after = world.clone()
        after.apply(choice.seat, action)
        if after.learned:
            found.append(action)
    return found


def checked_seed(seed: object) -> str:
    """The seed, if it is a text that can be stored and hashed."""
    if not isinstance(seed, str):
        raise BadOptions(f"the seed is {seed!r}; it should be a text, such as {str(seed)!r}")
    try:
        seed.encode()
    except UnicodeEncodeError:
        raise BadOptions("the seed holds half a character, a surrogate without its other half") from None
    return seed


def start_words(seed: str, seats: int) -> list[int]:
    """The words that start the streams of chance: one per seat, then the table's."""
    return [stream_word(seed, stream, 0) for stream in (*SEAT_STREAMS[:seats], "table")]


def other_cards(what: str, game: Game, digest: str) -> str:
    """Why something with another digest cannot go on here."""
    return (
        f"{what} with other cards or other numbers in the rules of {game.id} (digest {digest}, here {game.digest}); "
        "the Fabletop that wrote it can replay it"
    )


def opened(game: Game, record: Record) -> Sitting:
    """The sitting at the start of a record, after checking that the record belongs to this game and these rules."""
    if record.game != game.id:
        raise BadRecord(f"a record of {record.game}, not of {game.id}")
    if record.rules != game.rules:
        raise BadRecord(
            f"recorded under version {record.rules} of the rules of {game.id}; this Fabletop plays version {game.rules}"
        )
    if record.digest not in ("", game.digest):
        raise BadRecord(other_cards("this record was played", game, record.digest))
    try:
        return Sitting(game, record.options, seed=record.seed, names=record.names, salt=record.salt)
    except FabletopError as error:
        raise BadRecord(f"the options of this record do not make a game: {error}") from None


def advance(sitting: Sitting, record: Record) -> None:
    """Carry out the next action of a record."""
    index = len(sitting.actions)
    seat, text = record.actions[index]
    try:
        sitting.act(seat, text)
    except FabletopError as error:
        raise BadRecord(f"action {index + 1}, '{seat} {text}', cannot be replayed: {error}") from None


def steps(game: Game, record: Record) -> Iterator[Sitting]:
    """The sitting before the first action and after each action; always the same object, one step further."""
    sitting = opened(game, record)
    yield sitting
    for _ in record.actions:
        advance(sitting, record)
        yield sitting


def replay(game: Game, record: Record) -> Sitting:
    """The sitting as it stood after the last action of the record."""
    sitting: Sitting
    for sitting in steps(game, record):  # noqa: B007 - the last one is wanted
        pass
    return sitting
