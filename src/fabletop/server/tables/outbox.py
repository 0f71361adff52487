"""The outbox of a table: messages wait here until the change they report is durable, and are sent in order.

It is the only way to a subscriber, and nothing leaves it unless this worker holds its lease at that moment.
"""

import asyncio
from collections import deque

import msgspec

from fabletop.server.protocol.errors import busy, moved
from fabletop.server.services import Services
from fabletop.server.stores.base import Lost, StoreDown
from fabletop.server.tables.subscriber import Stored, Subscriber

Mail = list[tuple[Subscriber, bytes]]


class Waiting(msgspec.Struct, frozen=True):
    """Messages that wait for the store, or behind others that do; `since`: when a person's action came."""

    stored: Stored | None
    mail: Mail
    since: float | None = None


async def durable(stored: Stored) -> None:
    """Wait until something is durable; ApiError says why it is not."""
    try:
        await asyncio.shield(stored)  # others wait for it too
    except Lost:
        raise moved() from None
    except StoreDown:
        raise busy() from None


class Outbox:
    """Messages in the order in which they are to be sent."""

    __slots__ = ("_services", "_waiting")

    def __init__(self, services: Services) -> None:
        self._services = services
        self._waiting: deque[Waiting] = deque()

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def add(self, stored: Stored, mail: Mail, since: float | None) -> None:
        """Messages that may be sent when `stored` is done."""
        self._waiting.append(Waiting(stored, mail, since))

    def post(self, subscriber: Subscriber, data: bytes) -> None:
        """Send now, or after the messages that wait: never before earlier changes are durable."""
        if self._waiting:
            self._waiting.append(Waiting(None, [(subscriber, data)]))
        elif self._services.lease.held():
            subscriber.send(data)

    def flush(self) -> bool:
        """Send what is durable, in order; True when nothing waits any more. Raises what went wrong in the store."""
        while self._waiting:  # a lease that has run out evicts the table, and clears this
            first = self._waiting[0]
            if first.stored is not None:
                if not first.stored.done():
                    return False
                first.stored.result()
            if not self._services.lease.held():
                return False
            self._waiting.popleft()
            for subscriber, data in first.mail:
                subscriber.send(data)
            if first.since is not None:
                self._services.metrics.actions.person(self._services.ticks() - first.since)
        return True

    async def empty(self) -> None:
        """Wait until everything that has been folded is durable: only then it may be sent."""
        while self._waiting:
            last = next(waiting.stored for waiting in reversed(self._waiting) if waiting.stored is not None)
            await durable(last)
            await asyncio.sleep(0)

    def clear(self) -> None:
        """Drop everything: it did not become durable."""
        self._waiting.clear()
