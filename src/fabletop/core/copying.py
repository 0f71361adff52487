"""Copies of an engine's record where it is interpreted. Compiled engines copy memory (their .pxd)."""

from collections.abc import Callable, Sequence
from typing import Any

FieldRow = tuple[str, int, int, int, int]
"""Name, numbers for each seat, bytes of a number in C, the number that means "nothing", whether they are cards."""


def copy_fields(to: Any, of: Any) -> None:
    """Give one object the fields of another, with lists of its own."""
    vars(to).update({name: value[:] if type(value) is list else value for name, value in vars(of).items()})


def by_name(fields: Sequence[FieldRow], in_area: int) -> dict[str, Callable[..., Any]]:
    """What an engine does to the fields of its seats by their numbers; the first `in_area` have a `was_` each."""
    names = [field[0] for field in fields]
    area = names[:in_area]

    def copy_areas(state: Any) -> None:
        for name in area:
            setattr(state, f"was_{name}", getattr(state, name)[:])

    def restore_area(state: Any, seat: int) -> None:
        for name, size, _, _, _ in fields[:in_area]:
            part = slice(seat * size, (seat + 1) * size)
            getattr(state, name)[part] = getattr(state, f"was_{name}")[part]

    def empty_fields(state: Any, first: int, end: int, seat: int) -> None:
        for name, size, _, empty, _ in fields[first:end]:
            if size == 1:
                getattr(state, name)[seat] = empty
            else:
                getattr(state, name)[seat * size : (seat + 1) * size] = [empty] * size

    def read_field(state: Any, field: int, i: int) -> int:
        number: int = getattr(state, names[field])[i]
        return number

    def write_field(state: Any, field: int, i: int, value: int) -> None:
        getattr(state, names[field])[i] = value

    made = (copy_areas, restore_area, empty_fields, read_field, write_field)
    return {function.__name__: function for function in made}
