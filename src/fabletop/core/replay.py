"""A cursor over a record: the game after any number of its actions, forwards and backwards.

Snapshots are kept every few actions on the way, and what lies between two of them is played again.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from fabletop.core.game import Game
from fabletop.core.records import Record
from fabletop.core.sitting import Sitting, advance, opened

EVERY = 20
"""Actions between two snapshots: no step back replays more."""


class ReplayCursor:
    """The sitting after any number of actions of a record.

    `go` moves the cursor. `walk` leaves it where it is and plays on a sitting of its own, so several walks over one
    record can take turns. With `headings` (names of events) the whole record is played once at the start, and `turns`
    are the places after which one of these events was sent.
    """

    def __init__(self, game: Game, record: Record, headings: frozenset[str] | None = None) -> None:
        self.record = record
        self.length = len(record.actions)
        self.turns: list[int] = []
        self._rows: list[int] = []
        start = opened(game, record)
        self._snapshots = {0: start}
        if headings is not None:
            self._find_turns(game, headings)
        self.sitting = start.fork()

    def _find_turns(self, game: Game, headings: frozenset[str]) -> None:
        numbers = {number for number, kind in game.events.kinds.items() if kind.name in headings}
        for place, sitting in enumerate(self.walk(self.length)):
            if any(row[0] in numbers for row in sitting.rows[self._rows[-1] if place else 0 :]):
                self.turns.append(place)
            self._rows.append(len(sitting.rows))

    @property
    def place(self) -> int:
        """How many actions lie behind the cursor."""
        return len(self.sitting.actions)

    @property
    def told_before(self) -> int:
        """How many event rows there were before the last action; known where `headings` were given."""
        return self._rows[self.place - 1] if self.place else 0

    def go(self, place: int) -> Sitting:
        """Move to the place after this many actions; beyond the ends, to the nearest end."""
        place = max(0, min(place, self.length))
        if not self.place <= place <= self.place + EVERY:
            self.sitting = self._nearest(place)
        for _ in self._forward(self.sitting, place):
            pass
        return self.sitting

    def walk(self, place: int) -> Iterator[Sitting]:
        """An independent sitting at the nearest snapshot, and after each further action until `place`."""
        sitting = self._nearest(place)
        yield sitting
        yield from self._forward(sitting, place)

    def _nearest(self, place: int) -> Sitting:
        return self._snapshots[max(at for at in self._snapshots if at <= place)].fork()

    def _forward(self, sitting: Sitting, place: int) -> Iterator[Sitting]:
        while len(sitting.actions) < place:
            advance(sitting, self.record)
            here = len(sitting.actions)
            if here % EVERY == 0 and here not in self._snapshots:
                self._snapshots[here] = sitting.fork()
            yield sitting

    def turn_after(self) -> int:
        """Where the next turn begins, or the end."""
        index = bisect_right(self.turns, self.place)
        return self.turns[index] if index < len(self.turns) else self.length

    def turn_before(self) -> int:
        """Where this turn began, or the one before if we are there."""
        index = bisect_left(self.turns, self.place)
        return self.turns[index - 1] if index else 0


class ReplayCache:
    """The cursors of the games that were looked through last. A game is known by a key, so only a record that no longer
    grows may be kept."""

    def __init__(self, most: int = 16) -> None:
        self._most = most
        self._cursors: dict[str, ReplayCursor] = {}

    def cursor(self, key: str, game: Game, record: Record) -> ReplayCursor:
        """The cursor over a record; where too many are kept, the one that was asked for longest ago goes."""
        cursor = self._cursors.pop(key, None) or ReplayCursor(game, record)
        self._cursors[key] = cursor
        while len(self._cursors) > self._most:
            del self._cursors[next(iter(self._cursors))]
        return cursor
