"""A subscriber: one connection that looks at a table."""

import asyncio
from collections.abc import Callable

from fabletop.server.limits import Bucket
from fabletop.server.protocol import wire
from fabletop.server.tables.messages import PLAIN, Preferences

Stored = asyncio.Future[None]
"""Done when what was given to the store is durable."""


class Subscriber:
    """One socket that looks at a table. `viewer` is the seat it looks from, None for a spectator.

    `views` limits how often an update may carry a view; one that may not leaves the subscriber `stale`. This is counted
    per subscriber: a count for the whole table would show this viewer that something happened that it may not know.
    """

    __slots__ = (
        "end",
        "household",
        "key",
        "last_stored",
        "preferences",
        "seats",
        "send",
        "stale",
        "viewer",
        "views",
    )

    def __init__(
        self,
        send: Callable[[bytes], None],
        end: Callable[[wire.Bye], None],
        views: Bucket,
        *,
        key: str = "",
        preferences: Preferences = PLAIN,
        household: str = "",
    ) -> None:
        self.send = send
        self.end = end
        self.key = key
        self.household = household
        self.preferences = preferences
        self.viewer: int | None = None
        self.seats: tuple[int, ...] = ()
        self.views = views
        self.stale = False
        self.last_stored: Stored | None = None
        """What this subscriber asked the store to write last."""
