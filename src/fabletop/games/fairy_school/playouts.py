"""Random years by the thousand, in one loop without the interpreter where the engine is compiled.

>>> counts = Playouts(seats=3, seed=1).run(games=2)
>>> counts["games"], sum(counts["wins"]) >= 2
(2, True)
"""

from __future__ import annotations

from typing import Any

from fabletop.games.fairy_school.constants import DICE, GOLDEN, MASK64, NORMAL, SEATS_MAX
from fabletop.games.fairy_school.engine import State


class Playouts:
    """Plays random games one after the other on one state, and counts. Nobody converts elements without need."""

    def __init__(self, seats: int, seed: int, setup: int = NORMAL, short: int = 0, wider: int = 0) -> None:
        self.state = State(seats, setup, short, wider)
        self.seats = seats
        self.seed = seed & MASK64
        self.games = 0
        self.turns = 0
        self.wins = list([0] * SEATS_MAX)
        self.points = list([0] * SEATS_MAX)

    def play(self, games: int) -> None:
        """Play this number of games; every stream of each starts with a word of its own."""
        for _ in range(games):
            self.state.clear()
            self.seed = (self.seed + GOLDEN) & MASK64
            self.state.words[DICE] = self.seed
            for stream in range(self.seats + 1):
                self.state.words[stream] = self.state.word(DICE)
            self.state.begin_year()
            self.state.play_out()
            self.games += 1
            self.turns += self.state.turn
            best = 0
            for seat in range(self.seats):
                score = self.state.score(seat)
                self.points[seat] += score
                if score > best:
                    best = score
            for seat in range(self.seats):
                if self.state.score(seat) == best:
                    self.wins[seat] += 1

    def run(self, games: int) -> dict[str, Any]:
        """Play on, and return all counts so far.

        `choices` are the decisions with more than one option, `decisions` all of them; `wins` (shared victories count
        for each winner) and `points` are per seat, `last_turns` counts the turns of the last trimesters.
        """
        self.play(games)
        return {
            "games": self.games,
            "choices": self.state.decisions,
            "decisions": self.state.answers,
            "wins": [self.wins[seat] for seat in range(self.seats)],
            "points": [self.points[seat] for seat in range(self.seats)],
            "last_turns": self.turns,
        }
