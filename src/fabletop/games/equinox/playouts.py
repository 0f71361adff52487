"""Random games by the thousand, in one loop without the interpreter where the engine is compiled.

>>> counts = Playouts(seats=3, seed=1).run(games=2)
>>> counts["games"], sum(counts["wins"]) >= 2
(2, True)
"""

from __future__ import annotations

from typing import Any

from fabletop.games.equinox.constants import GOLDEN, MASK64, NONE, SEATS_MAX
from fabletop.games.equinox.engine import State


class Playouts:
    """Plays random games one after the other on one state, and counts."""

    def __init__(self, seats: int, seed: int) -> None:
        self.state = State(seats)
        self.seats = seats
        self.seed = seed & MASK64
        self.games = 0
        self.choices = 0
        self.decisions = 0
        self.wins = list([0] * SEATS_MAX)
        self.halves = list([0] * SEATS_MAX)

    def play(self, games: int) -> None:
        """Play this number of games; the generator of each starts with a word of its own."""
        for _ in range(games):
            self.seed = (self.seed + GOLDEN) & MASK64
            self.state.word = self.seed
            self.state.set_up(0, NONE)
            self.choices += self.state.play_out()
            self.decisions += self.state.stage
            self.games += 1
            winners = self.state.winners()
            for seat in range(self.seats):
                self.wins[seat] += (winners >> seat) & 1
                self.halves[seat] += self.state.measure(seat, 0)

    def run(self, games: int) -> dict[str, Any]:
        """Play on, and return all counts so far.

        `choices` are the decisions with more than one option, `decisions` all of them; `wins` (shared victories count
        for each winner) and `points` are per seat.
        """
        self.play(games)
        return {
            "games": self.games,
            "choices": self.choices,
            "decisions": self.decisions,
            "wins": [self.wins[seat] for seat in range(self.seats)],
            "points": [self.halves[seat] * 0.5 for seat in range(self.seats)],
        }
