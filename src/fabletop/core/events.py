"""Events: facts that happened, and who may know which part of them.

An engine says an event as a row of small ints, `(kind, value, value, …)`. The game's `EventTable` names the kind and
its fields, turns the ints into ids, and says of every field whose eyes see it. What is not listed does not exist:
there is no default audience.

Three audiences are all there is:
- a field without `eyes` is public; one with `eyes` is seen by the seats that stand in those fields of the event;
- a kind with `only` is told to nobody but the seats in those fields;
- a kind that is `later` happens in a stage that all seats play at once: its own seat (the field `seat`) sees it now,
  the others when the stage closes, seat by seat, so that the order of arrival shows nowhere. Fields with `eyes` stay
  hidden.

The row `(CLOSED,)` marks the end of such a stage.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

CLOSED = 0
Json = Any
Row = Sequence[int]


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
        self._public = {
            number
            for number, kind in self.kinds.items()
            if kind.only is None and all(f.eyes is None for f in kind.fields)
        }

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

    def redact(self, row: Row, viewer: int | None) -> Event | None:
        """The event as `viewer` (a seat, or None for a spectator) may know it; None where it may not know of it."""
        kind, whole = self.kinds[row[0]], self._fields(row)
        if row[0] in self._public:
            return Event(kind.name, whole)
        if kind.only is not None and not _sees(kind.only, whole, viewer):
            return None
        shown = {f.name: whole[f.name] for f in kind.fields if f.eyes is None or _sees(f.eyes, whole, viewer)}
        return Event(kind.name, shown)

    def story(self, rows: Iterable[Row], viewer: int | None) -> list[Event]:
        """What `viewer` has been told so far, in order."""
        told: list[Event] = []
        held: list[tuple[int, Event]] = []
        for row in rows:
            if row[0] == CLOSED:
                told.extend(event for _, event in sorted(held, key=lambda pair: pair[0]))
                held.clear()
                continue
            event = self.redact(row, viewer)
            if event is None:
                continue
            if self.kinds[row[0]].later and event["seat"] != viewer:
                held.append((event["seat"], event))
            else:
                told.append(event)
        return told


def _sees(eyes: tuple[str, ...], whole: Mapping[str, Json], viewer: int | None) -> bool:
    """Is this viewer one of the seats in these fields?"""
    return viewer is not None and any(whole[name] == viewer for name in eyes)
