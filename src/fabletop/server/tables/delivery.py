"""What each viewer has been told so far, and how far each has come.

A viewer is a seat, or None for the spectators. Everything here is counted per viewer, never for the whole table: a
number that went up for something this viewer may not know would tell it that something happened.

A viewer's `seq` goes up by one with each *update*: whenever the viewer acts, is told an event, is asked or no longer
asked, or sees somebody else begin or stop being asked. It hangs on the log alone, so it is the same after a restart.
"""

from array import array
from collections.abc import Sequence

from fabletop.core.events import CLOSED, EventTable, Row

Places = Sequence[int]
"""Where in the list of event rows some of them stand."""


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


class Cursor:
    """One viewer's place in the story."""

    __slots__ = ("_held", "audience", "choice", "heard", "knew", "rows", "seq", "undone", "viewer")

    def __init__(self, audience: Audience, viewer: int | None) -> None:
        self.audience = audience
        self.viewer = viewer
        self.seq = 0
        self.choice = -1
        """The number of the choice that is put to this seat: the `seq` with which it was put. -1: not asked."""
        self.rows = 0
        """So many event rows the viewer has listened to."""
        self.heard = array("I")
        """The places of those it was told, in the order in which it was told."""
        self.knew = array("I", [0])
        """After each update, how many events the viewer knew; the first is the number before any."""
        self.undone: list[tuple[int, int]] = []
        """The updates that took something back, each with the number of events that it left standing."""
        self._held: list[tuple[int, int]] = []

    @property
    def told(self) -> int:
        """How many events this viewer has been told."""
        return len(self.heard)

    def hear(self, rows: Sequence[Row]) -> Places:
        """Listen to the rows that are new; returns the places of those that are told to this viewer now, in order."""
        told, audience = len(self.heard), self.audience
        for place in range(self.rows, len(rows)):
            row = rows[place]
            if row[0] == CLOSED:
                self.heard.extend([at for _, at in sorted(self._held)])
                self._held.clear()
            elif audience.hears(row, self.viewer):
                if audience.waits(row, self.viewer):
                    self._held.append((row[audience.later[row[0]]], place))
                else:
                    self.heard.append(place)
        self.rows = len(rows)
        return self.heard[told:]

    def hear_again(self, rows: Sequence[Row]) -> Places:
        """Listen to everything from the beginning, since something was taken back; returns what had been heard."""
        before = self.heard
        self.rows, self.heard = 0, array("I")
        self._held.clear()
        self.hear(rows)
        return before

    def update(self, keep: int | None = None) -> None:
        """Count an update; one that takes something back leaves standing only the first `keep` events."""
        self.seq += 1
        self.knew.append(len(self.heard))
        if keep is not None:
            self.undone.append((self.seq, keep))

    def kept_since(self, seq: int | None) -> int:
        """How many events of the story as it stands a client has right that has seen update `seq`; 0: there is none
        such, or the client has seen nothing."""
        if seq is None or not 0 <= seq <= self.seq:
            return 0
        return min([self.knew[seq], *(keep for at, keep in self.undone if at > seq)])

    def put(self, asked: bool, anew: bool) -> bool:
        """Give the choice that is put to this seat its number, if there is one and it is another than before; True
        where the seat gets another choice, or no longer has one."""
        had = self.choice
        if not asked:
            self.choice = -1
        elif anew or had < 0:
            self.choice = self.seq
        return self.choice != had


def hear_all(cursors: Sequence[Cursor], rows: Sequence[Row]) -> list[Places]:
    """All viewers listen to the rows that are new. Where everybody hears at once, as is usual, that is quickly done."""
    start, end, at_once = cursors[0].rows, len(rows), cursors[0].audience.at_once
    for place in range(start, end):
        if rows[place][0] not in at_once:
            return [cursor.hear(rows) for cursor in cursors]
    places = array("I", range(start, end))
    for cursor in cursors:
        cursor.rows = end
        cursor.heard.extend(places)
    return [places] * len(cursors)
