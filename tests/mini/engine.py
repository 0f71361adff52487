"""A miniature engine that shows the pattern: the same text interpreted and compiled."""

from __future__ import annotations

from mini.constants import (
    ACTIONS,
    CARDS,
    GOLDEN,
    HAND_MAX,
    MASK64,
    MIX_1,
    MIX_2,
    NONE,
    PASS,
    SEATS_MAX,
    VALUE,
)

COMPILED = not __file__.endswith(".py")

# Declared as a C array in the .pxd: filled once, at import, from any Python list of the right length.
WORTH = [value * value for value in VALUE]


class State:
    """Everything true about one game."""

    def __init__(self, seats: int, seed: int) -> None:
        self.seats = seats
        self.seat = 0
        self.phase = 0
        self.n_legal = 0
        self.word = seed & MASK64
        # `list(…)` around it: Cython turns a Python list into a C array, but refuses `[0] * N` on its own.
        self.legal = list([NONE] * ACTIONS)
        self.hand = list([0] * (SEATS_MAX * HAND_MAX))
        self.n_hand = list([0] * SEATS_MAX)
        self.score = list([0] * SEATS_MAX)
        self.deal()
        self.ask()

    def clone(self) -> State:
        """An independent copy. `[:]` on every array: a memcpy in C, a new list in Python."""
        g = State.__new__(State)
        g.seats = self.seats
        g.seat = self.seat
        g.phase = self.phase
        g.n_legal = self.n_legal
        g.word = self.word
        g.legal = self.legal[:]
        g.hand = self.hand[:]
        g.n_hand = self.n_hand[:]
        g.score = self.score[:]
        return g

    # ---- core: C functions when compiled; cannot raise, checks nothing

    def draw(self, n: int) -> int:
        """A number below n, from splitmix64."""
        z = self.word = (self.word + GOLDEN) & MASK64
        z = ((z ^ (z >> 30)) * MIX_1) & MASK64
        z = ((z ^ (z >> 27)) * MIX_2) & MASK64
        return (((z ^ (z >> 31)) >> 32) * n) >> 32

    def give(self, seat: int, card: int) -> None:
        """Adds a card to a hand."""
        n = self.n_hand[seat]
        self.hand[seat * HAND_MAX + n] = card
        self.n_hand[seat] = n + 1

    def take(self, seat: int, index: int) -> None:
        """Removes a card; the last one fills the gap (the order of a hand means nothing)."""
        n = self.n_hand[seat] - 1
        self.hand[seat * HAND_MAX + index] = self.hand[seat * HAND_MAX + n]
        self.n_hand[seat] = n

    def deal(self) -> None:
        """Every card goes to a random seat."""
        for card in range(CARDS):
            self.give(self.draw(self.seats), card)

    def ask(self) -> None:
        """Fills legal[:n_legal]; nothing legal means the game is over."""
        seat = self.seat
        n = self.n_hand[seat]
        for i in range(n):
            self.legal[i] = self.hand[seat * HAND_MAX + i]
        self.n_legal = n
        if n == 0 and self.phase < self.seats:
            self.legal[0] = PASS
            self.n_legal = 1

    def move(self, action: int) -> None:
        """Plays a card, or passes with an empty hand."""
        seat = self.seat
        if action == PASS:
            self.phase += 1
        else:
            self.phase = 0
            for i in range(self.n_hand[seat]):
                if self.hand[seat * HAND_MAX + i] == action:
                    self.take(seat, i)
                    break
            self.score[seat] += WORTH[action] + VALUE[action]
        self.seat = (seat + 1) % self.seats
        self.ask()

    # ---- boundary: ordinary Python methods (not in the .pxd, or cpdef); checks live here

    def legal_actions(self) -> list[int]:
        """What may be done now."""
        return [self.legal[i] for i in range(self.n_legal)]

    def apply(self, action: int) -> None:
        """Carries out an action that was offered."""
        if action not in self.legal_actions():
            raise ValueError(f"action {action} is not offered; offered are {self.legal_actions()}")
        self.move(action)

    def scores(self) -> list[int]:
        """The points of each seat."""
        return [self.score[seat] for seat in range(self.seats)]
