"""The listing of a table: what lists and the sweeper know of it without loading it."""

from fabletop.server.stores.base import Listing
from fabletop.server.tables.messages import seconds_left
from fabletop.server.tables.table import OPEN, Table


def listing_of(table: Table) -> Listing:
    """The listing that is stored with every append."""
    due: float | None = None
    asked = 0
    for seat in table.asked():
        asked |= 1 << seat
        at = _due(table, seat)
        if at is not None:
            due = at if due is None else min(due, at)
    free = sum(seat.is_open for seat in table.seats) if table.status == OPEN else 0
    return Listing(table.status, free, due, table.updated, asked)


def _due(table: Table, seat: int) -> float | None:
    """When a worker must load the table for this seat's sake: at once for a bot that plays with people."""
    if table.seats[seat].bot:
        return table.updated if any(other.is_person for other in table.seats) else None
    left = seconds_left(table, seat, table.updated)
    return None if left is None else table.updated + left
