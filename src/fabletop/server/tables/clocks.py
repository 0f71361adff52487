"""Clocks: how long a seat may still think about its choice."""

from fabletop.server.tables.table import Table

LATE = 10.0
"""Seconds for a choice of somebody whose time for the whole game is used up."""


def seconds_left(table: Table, seat: int, now: float) -> float | None:
    """How long the seat may still think about its choice; None: as long as it likes."""
    return _left(table, table.asked_since[seat], table.bank[seat], now)


def seconds_left_after_undo(table: Table, seat: int, now: float) -> float | None:
    """How long it could think about the choice that it would have again if it took back its last action."""
    return _left(table, *table.clocks[seat][-1], now) if table.clocks[seat] else None


def _left(table: Table, since: float, bank: float, now: float) -> float | None:
    pace = table.head.pace
    if pace.kind == "none":
        return None
    allowed = pace.seconds if pace.kind == "move" else max(LATE, bank)
    return allowed - max(0.0, now - since)  # the clock of this worker may be behind that of the one before
