"""Who may look at a table and who may act at it: the one place that decides, for sockets and HTTP alike.

A person is known by the `key`, the hash of a token; it is empty where no token was sent. A key may be that of one seat
or of several (hot seat), that of the host who made the table, or both.
"""

from fabletop.server.protocol.errors import ApiError, worded
from fabletop.server.tables.table import CLOSED, OVER, Table

ENDED = (OVER, CLOSED)
"""Such a table is finished: its secrets may be shown."""


def is_host(table: Table, key: str) -> bool:
    """Is this the person who made the table?"""
    return bool(key) and key == table.head.host


def need_host(table: Table, key: str) -> None:
    """Refuse everybody but the person who made the table."""
    if not is_host(table, key):
        raise worded("not_allowed", "host_only")


def seat_for(table: Table, key: str, seat: int | None) -> int:
    """The seat that a key acts for. Where it opens several and none is named, it is the one that is asked."""
    if seat is not None and table.opens(key, seat):
        return seat
    seats = table.seats_of(key)
    if not seats:
        raise worded("not_allowed", "no_seat")
    if seat is None:
        asked = [s for s in seats if table.cursors[s].choice >= 0]
        return asked[0] if len(asked) == 1 else seats[0]
    raise worded("not_allowed", "other_seat")


def viewer_for(table: Table, key: str, seat: int | None) -> int | None:
    """The seat from which a key, or nobody's (an empty one), may look at the table; None: as a spectator."""
    if table.seats_of(key):
        return seat_for(table, key, seat)
    if key and not is_host(table, key):
        raise worded("not_allowed", "no_seat")
    if not key and not table.head.spectators:
        raise worded("not_allowed", "no_spectators")
    if seat is not None:
        raise worded("not_allowed", "other_seat")
    return None


def need_seat(table: Table, seat: int | None) -> None:
    """Refuse a seat that the table does not have."""
    if seat is not None and not 0 <= seat < len(table.seats):
        raise ApiError("unknown", f"there is no seat {seat}")


def reader_for(table: Table, key: str, seat: int | None) -> int | None:
    """The seat whose story a key may read: as `viewer_for`, and any where it may see everything."""
    if seat is None or table.opens(key, seat) or not may_see_everything(table, key):
        return viewer_for(table, key, seat)
    viewer_for(table, key, None)
    need_seat(table, seat)
    return seat


def may_see_everything(table: Table, key: str) -> bool:
    """Has the game ended, or are all its seats this person's?"""
    return table.status in ENDED or (bool(key) and all(seat.key == key for seat in table.seats))


def need_everything(table: Table, key: str) -> None:
    """Refuse people who may not see every secret of the game."""
    viewer_for(table, key, None)
    if table.sitting is None:
        raise worded("not_playing", "not_begun")
    if not may_see_everything(table, key):
        raise worded("not_allowed", "secrets")
