"""One year after another, for `core.batch`."""

from __future__ import annotations

from typing import Any

from fabletop.core.batch import Slot
from fabletop.games.fairy_school import observation
from fabletop.games.fairy_school.constants import (
    ASK_NOTHING,
    DICE,
    IMAGE,
)
from fabletop.games.fairy_school.engine import State

# ruff: noqa: F821
# mypy: disable-error-code="name-defined"
COMPILED = not __file__.endswith(".py")
if not COMPILED:  # compiled, all of them are C
    globals().update(paint=observation.paint, write=observation.write, write_mask=observation.write_mask)
NEVER = -1


class FairySchoolSlot(Slot):
    """The engine's side of a slot, and the image of the stage that all observations share."""

    def __init__(self, seats: int, setup: int, short: int, wider: int) -> None:
        Slot.__init__(self)
        self.state = State(seats, setup, short, wider)
        self.seats = seats
        self.painted = NEVER
        self.options = self.state.options
        if not COMPILED:
            self.image = list([0] * IMAGE)

    def begin(self, word: int) -> int:
        """F-2: each stream of chance begins with a word of its own."""
        self.state.clear()
        self.state.words[DICE] = word
        for stream in range(self.seats + 1):
            self.state.words[stream] = self.state.word(DICE)
        self.state.begin_year()
        self.painted = NEVER
        return self.asked()

    def asked(self) -> int:
        """The lowest seat that is asked."""
        for seat in range(self.seats):
            if self.state.question[seat] != ASK_NOTHING:
                return seat
        return -1

    def act(self, seat: int, action: int) -> int:
        """Carry out an action that is offered."""
        self.state.answer(seat, action)
        return self.asked()

    def show(self, seat: int, seen: Any, mask: Any) -> int:
        """Write the observation and the mask of a seat."""
        if self.painted != self.state.stage:
            paint(self.state, self.image)
            self.painted = self.state.stage
        write(self.state, seat, self.image, seen)
        self.state.n_options = 0
        write_mask(self.state, seat, mask)
        return self.state.n_options

    def reckon(self, reward: Any, score: Any) -> None:
        """F-8: the victory is shared by all who have the most points."""
        best = 0
        shared = 0
        for seat in range(self.seats):
            points = self.state.score(seat)
            score[seat] = points
            if points > best:
                best = points
                shared = 0
            if points == best:
                shared += 1
        for seat in range(self.seats):
            reward[seat] = 1.0 / shared if self.state.score(seat) == best else 0.0

    def why_not(self, action: int) -> str:
        """What is wrong with an action."""
        return self.state.why_not(self.seat, action)

    def copy(self) -> State:
        """A copy of the state."""
        return self.state.clone()
