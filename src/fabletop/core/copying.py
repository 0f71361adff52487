"""Copies of an engine's record."""

from typing import Any


def copy_fields(to: Any, of: Any) -> None:
    """Give one object the fields of another, with lists of its own. Compiled engines copy memory (their .pxd)."""
    vars(to).update({name: value[:] if type(value) is list else value for name, value in vars(of).items()})
