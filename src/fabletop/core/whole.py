"""Whole numbers as callers give them: Python's own, or those of numpy and its like; `True` is not a number."""

import operator


def whole(value: object) -> int | None:
    """The value as an int, or None where it is no whole number.

    >>> whole(3), whole(True), whole(0.5), whole("3")
    (3, None, None, None)
    """
    if type(value) is int:
        return value
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None
