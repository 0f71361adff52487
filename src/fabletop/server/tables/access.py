"""Who may look at a table and who may act at it: the one place that decides, for sockets and HTTP alike.

A person is known by the `key`, the hash of a token; it is empty where no token was sent. A key may be that of one seat
or of several (hot seat), that of the host who made the table, or both.
"""

from fabletop.server.protocol.errors import ApiError
from fabletop.server.tables.table import CLOSED, OVER, Table

ENDED = (OVER, CLOSED)
"""Nobody plays on at such a table: its secrets may be told."""


def is_host(table: Table, key: str) -> bool:
    """Is this the person who made the table?"""
    return bool(key) and key == table.head.host


def need_host(table: Table, key: str) -> None:
    """Refuse everybody but the person who made the table."""
    if not is_host(table, key):
        raise ApiError("not_allowed", "only the host may do this; the host's token is needed")


def seat_for(table: Table, key: str, seat: int | None) -> int:
    """The seat that a key acts for. Where it opens several and none is named, it is the one that is asked."""
    if seat is not None and table.opens(key, seat):
        return seat
    seats = table.seats_of(key)
    if not seats:
        raise ApiError("not_allowed", "this token opens no seat at this table")
    if seat is None:
        asked = [s for s in seats if table.cursors[s].choice >= 0]
        return asked[0] if len(asked) == 1 else seats[0]
    raise ApiError("not_allowed", f"your token does not open seat {seat}")


def viewer_for(table: Table, key: str, seat: int | None) -> int | None:
    """The seat from which a key, or nobody's (an empty one), may look at the table; None: as a spectator."""
    if table.seats_of(key):
        return seat_for(table, key, seat)
    if key and not is_host(table, key):
        raise ApiError("not_allowed", "this token opens no seat at this table")
    if not key and not table.head.spectators:
        raise ApiError("not_allowed", "this table is not open to spectators")
    if seat is not None:
        raise ApiError("not_allowed", f"you have no token for seat {seat}")
    return None


def need_everything(table: Table, key: str) -> None:
    """Refuse people who may not see every secret of the game: they may when it has ended, or when all its seats are
    theirs."""
    viewer_for(table, key, None)
    if table.sitting is None:
        raise ApiError("not_playing", "the game has not begun")
    mine = bool(key) and all(seat.key == key for seat in table.seats)
    if table.status not in ENDED and not mine:
        raise ApiError(
            "not_allowed", "the record holds everybody's secrets; it is available when the game is over"
        )
