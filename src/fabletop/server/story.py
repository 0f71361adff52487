"""What each viewer has been told so far, and how far each has come.

A viewer is a seat, or None for the spectators. Everything here is counted per viewer, never for the whole table: a
number that went up for something this viewer may not know would tell it that something happened.

A viewer's `seq` goes up by one with each *update*: whenever the viewer acts, is told an event, is asked or no longer
asked, or sees somebody else begin or stop being asked. It hangs on the log alone, so it is the same after a restart.
"""

from array import array
from bisect import bisect_right
from collections.abc import Sequence

from fabletop.core.events import CLOSED, EventTable, Row


class Audience:
    """Who hears of an event row, by its numbers alone; a game's event table says the same more slowly."""

    def __init__(self, table: EventTable) -> None:
        self.only: dict[int, tuple[int, ...]] = {}
        self.later: dict[int, int] = {}
        self.at_once: set[int] = set()
        """The kinds of which everybody hears at once, though perhaps not of all there is to know."""
        self.seats: dict[int, tuple[tuple[int, ...], int]] = {}
        """Where seats stand in a row: single ones, and from where on a list of them (0: none)."""
        for number, kind in table.kinds.items():
            place = {field.name: 1 + i for i, field in enumerate(kind.fields)}
            single = tuple(place[field.name] for field in kind.fields if field.kind == "seat")
            self.seats[number] = single, sum(place[f.name] for f in kind.fields if f.kind == "seat*")
            if kind.only is not None:
                self.only[number] = tuple(place[name] for name in kind.only)
            if kind.later:
                self.later[number] = place["seat"]
            if kind.only is None and not kind.later:
                self.at_once.add(number)

    def hears(self, row: Row, viewer: int | None) -> bool:
        """Does this viewer ever hear of it?"""
        only = self.only.get(row[0])
        return only is None or (viewer is not None and any(row[place] == viewer for place in only))

    def concerned(self, row: Row) -> Sequence[int]:
        """The seats that are named in it. To all others it reads as it does to a spectator."""
        single, rest = self.seats[row[0]]
        if rest:
            return [*(row[place] for place in single), *row[rest:]]
        return (row[single[0]],) if len(single) == 1 else [row[place] for place in single]

    def waits(self, row: Row, viewer: int | None) -> bool:
        """Does this viewer hear of it only when the stage closes?"""
        place = self.later.get(row[0])
        return place is not None and row[place] != viewer


class Reader:
    """One viewer's place in the story."""

    __slots__ = ("_held", "after", "audience", "choice", "knew", "seq", "undone", "viewer")

    def __init__(self, audience: Audience, viewer: int | None) -> None:
        self.audience = audience
        self.viewer = viewer
        self.seq = 0
        self.choice = -1
        """The number of the choice that is put to this seat: the `seq` with which it was put. -1: not asked."""
        self.after = array("I")
        """After each event row, how many events this viewer had been told."""
        self.knew = array("I", [0])
        """After each update, how many events the viewer knew; the first is the number before any."""
        self.undone: list[tuple[int, int]] = []
        """The updates that took something back, each with the number of events that it left standing."""
        self._held: list[tuple[int, int]] = []

    @property
    def told(self) -> int:
        """How many events this viewer has been told."""
        return self.after[-1] if self.after else 0

    def hear(self, rows: Sequence[Row]) -> list[int]:
        """Listen to the rows that are new; returns the places of those that are told to this viewer now, in order."""
        now: list[int] = []
        told = self.told
        for place in range(len(self.after), len(rows)):
            row = rows[place]
            if row[0] == CLOSED:
                released = [at for _, at in sorted(self._held)]
                self._held.clear()
                now += released
                told += len(released)
            elif self.audience.hears(row, self.viewer):
                if self.audience.waits(row, self.viewer):
                    self._held.append((row[self.audience.later[row[0]]], place))
                else:
                    now.append(place)
                    told += 1
            self.after.append(told)
        return now

    def rewind(self, rows: Sequence[Row], place: int) -> int:
        """Forget the rows from `place` on; returns how many told events stay."""
        del self.after[place:]
        kept = self.told
        start = self._stage_start(rows, place)
        self._held = [
            (rows[at][self.audience.later[rows[at][0]]], at)
            for at in range(start, place)
            if self.audience.waits(rows[at], self.viewer) and self.audience.hears(rows[at], self.viewer)
        ]
        return kept

    def _stage_start(self, rows: Sequence[Row], place: int) -> int:
        """Where the stage of a row began: after the last stage that closed before it."""
        if not self.audience.later:
            return place
        while place > 0 and rows[place - 1][0] != CLOSED:
            place -= 1
        return place

    def update(self, keep: int | None = None) -> None:
        """Count an update; one that takes something back leaves standing only the first `keep` events."""
        self.seq += 1
        self.knew.append(self.after[-1] if self.after else 0)
        if keep is not None:
            self.undone.append((self.seq, keep))

    def missed_since(self, seq: int) -> int | None:
        """How many events of the story as it stands a client has right that has seen update `seq`; None: no such."""
        if not 0 <= seq <= self.seq:
            return None
        return min([self.knew[seq], *(keep for at, keep in self.undone if at > seq)])

    def places_from(self, rows: Sequence[Row], told: int) -> list[int]:
        """The places of the events told after the first `told`, in the order in which they were told."""
        if told >= self.told:
            return []
        start = self._stage_start(rows, bisect_right(self.after, told))
        before = self.after[start - 1] if start else 0
        again = Reader(self.audience, self.viewer)
        again.after = array("I", [before]) * start if start else array("I")
        return again.hear(rows[: len(self.after)])[told - before :]


def hear_all(readers: Sequence[Reader], rows: Sequence[Row]) -> list[list[int]]:
    """All viewers listen to the rows that are new. Where everybody hears at once, as is usual, that is quickly done."""
    start, at_once = len(readers[0].after), readers[0].audience.at_once
    for row in rows[start:]:
        if row[0] not in at_once:
            return [reader.hear(rows) for reader in readers]
    places = list(range(start, len(rows)))
    for reader in readers:
        told = reader.told + 1
        reader.after.extend(range(told, told + len(places)))
    return [places] * len(readers)
