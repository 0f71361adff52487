"""A call: one message on its way to a table, and the register of what carries it out."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, get_type_hints

import msgspec

from fabletop.server.protocol import wire
from fabletop.server.protocol.errors import worded
from fabletop.server.stores.entries import Entry, Replied
from fabletop.server.tables.access import seat_for
from fabletop.server.tables.actor import TableActor
from fabletop.server.tables.registry import Registry
from fabletop.server.tables.subscriber import Subscriber
from fabletop.server.tables.table import PLAYING, Table

Reply = wire.Done | wire.Hinted


class Call(msgspec.Struct, frozen=True):
    """One message on its way: to which table, from whom (`key`), over which socket (None: over HTTP), with which id."""

    registry: Registry
    actor: TableActor
    table: Table
    key: str
    subscriber: Subscriber | None
    id: str = ""
    meant: str = ""
    """A hash of the message; empty where it has no id."""

    def now(self) -> float:
        """The time for the log."""
        return self.actor.services.now()

    def named(self, seat: int | None) -> int | None:
        """The seat that a message names, or else the one from which its socket looks."""
        return seat if seat is not None or self.subscriber is None else self.subscriber.viewer

    def seat(self, named: int | None = None) -> int:
        """The seat that the sender acts for."""
        return seat_for(self.table, self.key, named)

    def at(self, seat: int) -> Subscriber | None:
        """The sender's socket, if it looks from this seat: its update can carry the acknowledgement."""
        return self.subscriber if self.subscriber is not None and self.subscriber.viewer == seat else None

    def need_playing(self) -> None:
        """Refuse what makes sense only while the game is on."""
        if self.table.status != PLAYING:
            raise worded("not_playing", "nothing_played")

    async def write(self, *entries: Entry, seat: int | None = None, line: int | None = None) -> None:
        """Write entries, and that this message is done; wait until both are durable."""
        replied = [Replied(self.now(), self.key, self.id, self.meant, seat, line)] if self.id else []
        if entries or replied:
            await self.actor.write(*entries, *replied)

    def done(self, **more: Any) -> wire.Done:
        """The answer."""
        return wire.Done(id=self.id, **more)


Command = Callable[[Call, Any], Awaitable[Reply | None]]
COMMANDS: dict[type[wire.Request], Command] = {}
"""What carries out a message, by its type."""
C = TypeVar("C", bound=Command)


def command(function: C) -> C:
    """Register a command for the type of its second parameter."""
    kind = get_type_hints(function)["message"]
    COMMANDS[kind] = function
    return function
