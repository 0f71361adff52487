"""The listing of a table: what lists and the sweeper know of it without loading it."""

import msgspec

from fabletop.server.stores.base import Listing, SeatSummary, Summary
from fabletop.server.tables.clocks import seconds_left
from fabletop.server.tables.lessons import KEPT
from fabletop.server.tables.table import OPEN, Table

KEY_PART = 16
"""Characters of a key in a summary: enough to tell the people of one table apart."""
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Summary).decode


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
    return Listing(table.status, free, due, table.updated, asked, _summary(table))


def _summary(table: Table) -> str:
    """The summary as it is stored. It is the same for many moves."""
    progress = {} if table.sitting is None else table.game.progress(table.sitting.state)
    if table.summary is None or table.summary[0] != progress:
        seats = [SeatSummary(seat.name, seat.bot, seat.key[:KEY_PART]) for seat in table.seats]
        table.summary = (progress, _encode(Summary(seats, progress)).decode())
    return table.summary[1]


def summary_of(listing: Listing) -> Summary:
    """The summary in a listing; an empty one where it cannot be read."""
    try:
        return _decode(listing.summary) if listing.summary else Summary()
    except msgspec.DecodeError:
        return Summary()


def _due(table: Table, seat: int) -> float | None:
    """When a worker must load the table for this seat's sake: at once for a bot that plays with people; a lesson
    later, to be deleted."""
    if table.head.lesson:
        return table.updated + KEPT
    if table.seats[seat].bot:
        return table.updated if any(other.is_person for other in table.seats) else None
    if table.head.pace.kind == "none":
        return None
    left = seconds_left(table, seat, table.updated)
    return None if left is None else table.updated + left
