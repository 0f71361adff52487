"""Observations: bytes with a fixed meaning, as learners take them.

A game states its *planes* once, in the order in which they lie in the observation, and writes them in that order. The
functions below fill one part each and return the index after it. Compiled observations use the same in C (`fill.pxd`).
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple


class Plane(NamedTuple):
    """A part of an observation: `length` bytes from `offset` on, each from 0 to `high`."""

    name: str
    offset: int
    length: int
    high: int
    meaning: str

    @property
    def part(self) -> slice:
        """Where it lies: `observation[plane.part]`."""
        return slice(self.offset, self.offset + self.length)


def planes(rows: Iterable[tuple[str, int, int, str]]) -> tuple[Plane, ...]:
    """Planes one after the other, from rows of name, length, highest value and meaning."""
    made: list[Plane] = []
    offset = 0
    for name, length, high, meaning in rows:
        made.append(Plane(name, offset, length, high, meaning))
        offset += length
    return tuple(made)


def size_of(made: Sequence[Plane]) -> int:
    """The bytes of an observation."""
    return made[-1].offset + made[-1].length


def buffer(out: Any, size: int, what: str) -> memoryview:
    """A caller's buffer, checked: one writable row of bytes; ValueError says what would be right."""
    wanted = f"{what} should be a writable contiguous buffer of {size} bytes (numpy: uint8)"
    try:
        view = memoryview(out)
    except TypeError:
        raise ValueError(f"{wanted}, not {type(out).__name__}") from None
    if view.format != "B" or view.itemsize != 1:
        raise ValueError(f"{wanted}; this one has items of format {view.format!r}")
    if view.readonly or not view.c_contiguous:
        raise ValueError(f"{wanted}; this one is {'read-only' if view.readonly else 'not contiguous'}")
    if view.ndim != 1 or len(view) != size:
        raise ValueError(f"{wanted}; this one has the shape {view.shape}")
    return view


def a_seat(state: Any, seat: int) -> int:
    """A seat of a game, checked."""
    if not 0 <= seat < state.seats:
        raise ValueError(f"there is no seat {seat}: the seats are 0 to {state.seats - 1}")
    return seat


# ---------------------------------------------------------------------------------------------- filling


def blank(out: Any, at: int, n: int) -> int:
    """Nothing."""
    for i in range(at, at + n):
        out[i] = 0
    return at + n


def one_hot(out: Any, at: int, n: int, value: int) -> int:
    """A one at the place of a value; nothing for a value from `n` on."""
    blank(out, at, n)
    if value < n:
        out[at + value] = 1
    return at + n


def bits(out: Any, at: int, n: int, word: int) -> int:
    """The lowest bits of a word, one in each byte."""
    for i in range(n):
        out[at + i] = (word >> i) & 1
    return at + n


def plain(out: Any, at: int, of: Sequence[int], start: int, n: int) -> int:
    """A field of the record as it is."""
    for i in range(n):
        out[at + i] = of[start + i]
    return at + n


def raised(out: Any, at: int, of: Sequence[int], start: int, n: int) -> int:
    """A field of the record, each number by one higher, so that 255 ("none") becomes 0."""
    for i in range(n):
        out[at + i] = (of[start + i] + 1) & 255
    return at + n


def rest(out: Any, at: int, of: Sequence[int], start: int, n: int, divisor: int) -> int:
    """The rest of each number of a field after division, by one higher; 0 for 255 ("none"). Other numbers are below 16
    times the divisor."""
    for i in range(n):
        out[at + i] = 0 if of[start + i] == 255 else of[start + i] % divisor + 1
    return at + n


def equal(out: Any, at: int, of: Sequence[int], start: int, n: int, value: int, mark: int) -> int:
    """A mark where a field of the record has this value."""
    for i in range(n):
        out[at + i] = mark if of[start + i] == value else 0
    return at + n


def bit_of(out: Any, at: int, of: Sequence[int], start: int, n: int, bit: int) -> int:
    """One bit of each number of a field of the record."""
    for i in range(n):
        out[at + i] = (of[start + i] >> bit) & 1
    return at + n


def turned(out: Any, at: int, of: Sequence[int], start: int, n: int, seat: int, seats: int) -> int:
    """Seats from 1 (0: none), counted from a viewer, who would be 1; nothing for the viewer."""
    for i in range(n):
        who = of[start + i]
        out[at + i] = 0 if who in (0, seat + 1) else who - seat if who > seat else who + seats - seat
    return at + n


def without(out: Any, at: int, of: Sequence[int], start: int, marks: int, n: int, mark: int) -> int:
    """A part as it is, but nothing where another part of the same field has a mark."""
    for i in range(n):
        out[at + i] = 0 if of[marks + i] == mark else of[start + i]
    return at + n


def start_of(view: memoryview) -> memoryview:
    """Where a buffer begins: in C a pointer."""
    return view


FILL = {
    function.__name__: function
    for function in (blank, one_hot, bits, plain, raised, rest, equal, bit_of, turned, without, start_of)
}
"""The same by name, for modules that have them in C where they are compiled."""
