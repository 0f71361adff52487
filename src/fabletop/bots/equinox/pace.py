"""How Equinox shares out thinking time: all choices alike, but for the last one of a turn."""

SHARES = {"discard": 0.1}
"""By the kind of a choice. Dead cards go, and which of them first hardly matters."""
OTHER = 1.0
WHOLE: tuple[frozenset[str], ...] = ()
"""Kinds of choices that are parts of one decision."""
TOLERANCE = 0.04
"""The reward that `puss` may give away in a choice: about five hundredths of the victory."""


def crowd(seats: int) -> float:
    """With more seats there are more bots to wait for, but each is asked less often."""
    return 1.0 if seats < 4 else 0.85
