"""Delivery per viewer: numbered updates, and how many events of a reconnecting client are still valid.

A viewer is a seat, or None for the spectators. Everything here is counted per viewer, never for the whole table: a
number that went up for something this viewer may not know would show it that something happened.

A viewer's `seq` goes up by one with each *update*: whenever the viewer acts, receives an event, is asked or no longer
asked, or sees somebody else begin or stop being asked. It depends on the log alone, so it is the same after a restart.
`core.events` decides which events a viewer receives.
"""

from array import array

from fabletop.core.events import EventTable, Listener


class Cursor(Listener):
    """A viewer's place in the game: the events it has received, the updates sent to it, the choice put to it."""

    __slots__ = ("choice", "knew", "seq", "undone")

    def __init__(self, events: EventTable, viewer: int | None) -> None:
        super().__init__(events, viewer)
        self.seq = 0
        self.choice = -1
        """The number of the choice that is put to this seat: the `seq` with which it was put. -1: not asked."""
        self.knew = array("I", [0])
        """After each update, how many events the viewer knew; the first is the number before any."""
        self.undone: list[tuple[int, int]] = []
        """The updates that took something back, each with the number of events that remained."""

    @property
    def told(self) -> int:
        """How many events this viewer has received."""
        return len(self.heard)

    def update(self, keep: int | None = None) -> int:
        """Count an update, and return its number; one that takes something back keeps only the first `keep` events."""
        self.seq += 1
        self.knew.append(len(self.heard))
        if keep is not None:
            self.undone.append((self.seq, keep))
        return self.seq

    def kept_since(self, seq: int | None) -> int:
        """How many events of a client that has seen update `seq` are still valid; 0 where there is no such update."""
        if seq is None or not 0 <= seq <= self.seq:
            return 0
        return min([self.knew[seq], *(keep for at, keep in self.undone if at > seq)])

    def put(self, asked: bool, new: bool) -> bool:
        """Number the choice of this seat where it is a new one; True where the seat gets another choice, or no longer
        has one."""
        had = self.choice
        if not asked:
            self.choice = -1
        elif new or had < 0:
            self.choice = self.seq
        return self.choice != had
