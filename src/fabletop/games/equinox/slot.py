"""One game of Equinox after another, for `core.batch`."""

from __future__ import annotations

from typing import Any

from fabletop.core.batch import Slot
from fabletop.core.chance import scramble as scrambled
from fabletop.games.equinox import observation
from fabletop.games.equinox.constants import GOLDEN, MASK64, OVER
from fabletop.games.equinox.engine import State

# ruff: noqa: F821
# mypy: disable-error-code="name-defined"
COMPILED = not __file__.endswith(".py")
if not COMPILED:  # compiled, all of them are C
    globals().update(scramble=scrambled, write=observation.write, write_mask=observation.write_mask)


class EquinoxSlot(Slot):
    """The engine's side of a slot."""

    def __init__(self, seats: int, numbers: tuple[int, ...], creatures: int, first: int) -> None:
        Slot.__init__(self)
        self.state = State(seats, *numbers)
        self.seats = seats
        self.creatures = creatures
        self.first = first
        self.options = self.state.options

    def begin(self, word: int) -> int:
        """E-2: only the table's stream of chance is used, the last one."""
        self.state.word = scramble((word + (self.seats + 1) * GOLDEN) & MASK64)
        self.state.set_up(self.creatures, self.first)
        return self.asked()

    def asked(self) -> int:
        """The seat that is asked."""
        return -1 if self.state.phase == OVER else self.state.actor

    def act(self, seat: int, action: int) -> int:
        """Carry out an action that is offered."""
        self.state.answer(action)
        return self.asked()

    def show(self, seat: int, seen: Any, mask: Any) -> int:
        """Write the observation and the mask of a seat."""
        write(self.state, seat, seen)
        write_mask(self.state, seat, mask)
        return self.state.n_options if seat == self.state.actor else 0

    def reckon(self, reward: Any, score: Any) -> None:
        """E-8: the victory is shared by all winners."""
        winners = self.state.winners()
        shared = 0
        for seat in range(self.seats):
            shared += (winners >> seat) & 1
        for seat in range(self.seats):
            reward[seat] = 1.0 / shared if (winners >> seat) & 1 else 0.0
            score[seat] = 0.5 * self.state.measure(seat, 0)

    def why_not(self, action: int) -> str:
        """What is wrong with an action."""
        return self.state.why_not(self.seat, action)

    def copy(self) -> State:
        """A copy of the state."""
        return self.state.clone()
