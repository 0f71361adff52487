"""Events: facts that happened, and who may know which part of them.

An engine says an event as a row of small ints, `(kind, value, value, …)`. The game's `EventTable` names the kind and
its fields, turns the ints into ids, and says of every field whose eyes see it. What is not listed does not exist:
there is no default audience.

Three audiences are all there is:
- a field without `eyes` is public; one with `eyes` is seen by the seats that stand in those fields of the event;
- a kind with `only` is sent to the seats in those fields alone;
- a kind that is `later` happens in a stage that all seats play at once: its own seat (the field `seat`) sees it now,
  the others when the stage closes, seat by seat, so that the order of arrival shows nowhere. Fields with `eyes` stay
  hidden.

The row `(CLOSED,)` marks the end of such a stage.

These rules are stated here and nowhere else. `EventTable.redact` and `EventTable.story` answer for whole events;
`Listener` follows the rows of a game as they come and answers by places in the list, without decoding a row.
"""

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

CLOSED = 0
Json = Any
Row = Sequence[int]
Places = Sequence[int]
"""Where in the list of event rows some of them stand."""


@dataclass(frozen=True, slots=True)
class Field:
    """One value of an event: its name, what kind of thing it is, and whose eyes see it (None: everybody's)."""

    name: str
    kind: str
    eyes: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class EventKind:
    """A kind of fact. A field whose kind ends in `*` is a list and takes the rest of the row; it comes last."""

    name: str
    fields: tuple[Field, ...]
    only: tuple[str, ...] | None = None
    later: bool = False


@dataclass(frozen=True, slots=True)
class Event:
    """A fact as one reader may know it: hidden fields are absent, not blanked."""

    kind: str
    fields: Mapping[str, Json] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Json:
        return self.fields[name]

    def json(self) -> dict[str, Json]:
        """As it goes over a wire or into a file."""
        return {"event": self.kind, **self.fields}


class EventTable:
    """All event kinds of a game by number, with the ids behind the ints."""

    def __init__(self, kinds: Mapping[int, EventKind], values: Mapping[str, Callable[[int], Json]]) -> None:
        self.kinds = dict(kinds)
        self.values = dict(values)
        self.named = {kind.name: kind for kind in self.kinds.values()}
        if CLOSED in self.kinds:
            raise TypeError(f"event number {CLOSED} marks the end of a stage and cannot be given away")
        for kind in self.kinds.values():
            self._check(kind)
        self._plans = {
            number: [(f.name, self.values[f.kind.rstrip("*")], f.kind.endswith("*")) for f in kind.fields]
            for number, kind in self.kinds.items()
        }
        places = {
            number: {f.name: 1 + i for i, f in enumerate(kind.fields)} for number, kind in self.kinds.items()
        }
        self._only = {
            number: tuple(places[number][name] for name in kind.only)
            for number, kind in self.kinds.items()
            if kind.only is not None
        }
        self._later = {number: places[number]["seat"] for number, kind in self.kinds.items() if kind.later}
        self._eyes = {
            number: [
                (f.name, tuple(places[number][name] for name in f.eyes))
                for f in kind.fields
                if f.eyes is not None
            ]
            for number, kind in self.kinds.items()
        }
        self._seats = {
            number: (
                tuple(places[number][f.name] for f in kind.fields if f.kind == "seat"),
                sum(places[number][f.name] for f in kind.fields if f.kind == "seat*"),
            )
            for number, kind in self.kinds.items()
        }
        """Where seats stand in a row: single ones, and from where on a list of them (0: none)."""
        self.at_once = frozenset(self.kinds) - self._only.keys() - self._later.keys()
        """The kinds that every viewer receives at once, perhaps without their hidden fields."""
        self.alike = frozenset(number for number in self.kinds if not self._eyes[number]) - self._only.keys()
        """The kinds that are the same for every viewer who receives them."""

    def _check(self, kind: EventKind) -> None:
        seats = {f.name for f in kind.fields if f.kind == "seat"}
        for i, f in enumerate(kind.fields):
            if f.kind.rstrip("*") not in self.values:
                raise TypeError(f"event {kind.name}: field {f.name} is of the unknown kind {f.kind!r}")
            if f.kind.endswith("*") and i < len(kind.fields) - 1:
                raise TypeError(f"event {kind.name}: the list {f.name} must come last")
            if f.eyes is not None and not set(f.eyes) <= seats:
                raise TypeError(f"event {kind.name}: the eyes of {f.name} are not seats of this event")
        if kind.only is not None and not set(kind.only) <= seats:
            raise TypeError(f"event {kind.name}: its audience is not made of seats of this event")
        if kind.later and "seat" not in seats:
            raise TypeError(f"event {kind.name}: comes later to the others, but has no field `seat`")

    def decode(self, row: Row) -> Event:
        """The whole event, secrets included."""
        return Event(self.kinds[row[0]].name, self._fields(row))

    def _fields(self, row: Row) -> dict[str, Json]:
        out: dict[str, Json] = {}
        at = 1
        for name, value, is_list in self._plans[row[0]]:
            if is_list:
                out[name] = [value(n) for n in row[at:]]
                at = len(row)
            else:
                out[name] = value(row[at])
                at += 1
        if at != len(row):
            name = self.kinds[row[0]].name
            raise ValueError(f"event {name} has {len(row) - 1} values, its table lists {at - 1}")
        return out

    # ---- who may know -----------------------------------------------------------------------

    def hears(self, row: Row, viewer: int | None) -> bool:
        """Does this viewer (a seat, or None for a spectator) ever receive the event?"""
        only = self._only.get(row[0])
        return only is None or _stands_in(row, only, viewer)

    def held_for(self, row: Row, viewer: int | None) -> int | None:
        """The seat of an event that this viewer receives only when the stage closes; None: it is received at once."""
        place = self._later.get(row[0])
        return None if place is None or row[place] == viewer else row[place]

    def concerned(self, row: Row) -> Sequence[int]:
        """The seats that the event names. To all others it reads as it does to a spectator."""
        single, rest = self._seats[row[0]]
        if rest:
            return [*(row[place] for place in single), *row[rest:]]
        return (row[single[0]],) if len(single) == 1 else [row[place] for place in single]

    def redact(self, row: Row, viewer: int | None) -> Event | None:
        """The event as `viewer` may know it; None where it may not know of it."""
        if not self.hears(row, viewer):
            return None
        shown = self._fields(row)
        for name, eyes in self._eyes[row[0]]:
            if not _stands_in(row, eyes, viewer):
                del shown[name]
        return Event(self.kinds[row[0]].name, shown)

    def story(self, rows: Sequence[Row], viewer: int | None) -> list[Event]:
        """The events that `viewer` has received so far, in order."""
        listener = Listener(self, viewer)
        events = (self.redact(rows[place], viewer) for place in listener.hear(rows))
        return [event for event in events if event is not None]


class Listener:
    """One viewer of a game, and the event rows that this viewer has received so far."""

    __slots__ = ("_held", "events", "heard", "rows", "viewer")

    def __init__(self, events: EventTable, viewer: int | None) -> None:
        self.events = events
        self.viewer = viewer
        self.rows = 0
        """How many rows of the game have been gone through."""
        self.heard = array("I")
        """The places of the rows that were received, in the order of arrival."""
        self._held: list[tuple[int, int]] = []

    def hear(self, rows: Sequence[Row]) -> Places:
        """Go through the new rows; returns the places of those that this viewer receives now, in order."""
        before, events, viewer = len(self.heard), self.events, self.viewer
        for place in range(self.rows, len(rows)):
            row = rows[place]
            if row[0] == CLOSED:
                self.heard.extend([at for _, at in sorted(self._held)])
                self._held.clear()
            elif events.hears(row, viewer):
                seat = events.held_for(row, viewer)
                if seat is None:
                    self.heard.append(place)
                else:
                    self._held.append((seat, place))
        self.rows = len(rows)
        return self.heard[before:]

    def hear_again(self, rows: Sequence[Row]) -> Places:
        """Go through all rows from the first, because some were taken back; returns what had been received before."""
        before = self.heard
        self.rows, self.heard = 0, array("I")
        self._held.clear()
        self.hear(rows)
        return before


def hear_all(listeners: Sequence[Listener], rows: Sequence[Row]) -> list[Places]:
    """All viewers of one game go through the new rows. Rows that everybody receives at once, which most are,
    are not looked at viewer by viewer."""
    start, end, at_once = listeners[0].rows, len(rows), listeners[0].events.at_once
    for place in range(start, end):
        if rows[place][0] not in at_once:
            return [listener.hear(rows) for listener in listeners]
    places = array("I", range(start, end))
    for listener in listeners:
        listener.rows = end
        listener.heard.extend(places)
    return [places] * len(listeners)


def _stands_in(row: Row, places: tuple[int, ...], viewer: int | None) -> bool:
    """Is this viewer one of the seats at these places of the row?"""
    return viewer is not None and any(row[place] == viewer for place in places)
