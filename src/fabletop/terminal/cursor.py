"""A record that can be wound forwards and backwards: snapshots every few actions, the rest is played again."""

from bisect import bisect_left, bisect_right

from fabletop.core.game import Game
from fabletop.core.records import Record
from fabletop.core.sitting import Sitting, steps

EVERY = 20
"""Actions between two snapshots: going back costs at most so many."""


class Reel:
    """The sitting after any number of actions of a record. `turns` are the places where a turn or a round began."""

    def __init__(self, game: Game, record: Record, headings: frozenset[str]) -> None:
        self.record = record
        self.length = len(record.actions)
        self.turns: list[int] = []
        self._rows: list[int] = []
        self._snapshots: list[Sitting] = []
        numbers = {number for number, kind in game.events.kinds.items() if kind.name in headings}
        for place, sitting in enumerate(steps(game, record)):
            if any(row[0] in numbers for row in sitting.rows[self._rows[-1] if place else 0 :]):
                self.turns.append(place)
            self._rows.append(len(sitting.rows))
            if place % EVERY == 0:
                self._snapshots.append(sitting.fork())
        self.place = 0
        self.sitting = self._snapshots[0].fork()

    @property
    def told_before(self) -> int:
        """How many event rows there were before the last action."""
        return self._rows[self.place - 1] if self.place else 0

    def go(self, place: int) -> Sitting:
        """The sitting after so many actions; beyond the ends, the nearest end."""
        place = max(0, min(place, self.length))
        if not self.place <= place <= self.place + EVERY:
            self.sitting = self._snapshots[place // EVERY].fork()
            self.place = place // EVERY * EVERY
        while self.place < place:
            self.sitting.act(*self.record.actions[self.place])
            self.place += 1
        return self.sitting

    def turn_after(self) -> int:
        """Where the next turn begins, or the end."""
        index = bisect_right(self.turns, self.place)
        return self.turns[index] if index < len(self.turns) else self.length

    def turn_before(self) -> int:
        """Where this turn began, or the one before if we are there."""
        index = bisect_left(self.turns, self.place)
        return self.turns[index - 1] if index else 0
