"""Rooms: the way from a request to its table, whether that is here or with another worker."""

from typing import Any, Protocol

from fabletop.server.api.queries import QUERIES, Values
from fabletop.server.protocol import wire
from fabletop.server.protocol.errors import ApiError
from fabletop.server.tables.actor import TableActor
from fabletop.server.tables.commands import run
from fabletop.server.tables.registry import OwnedElsewhere, Registry
from fabletop.server.tables.subscriber import Subscriber


class Room(Protocol):
    """A table as a socket sees it."""

    async def join(self, seat: int | None, seq: int | None) -> None:
        """Look at the table; the welcome goes over the line."""

    async def do(self, said: wire.Request) -> Any:
        """Carry out a verb; None: the answer has been sent with an update."""

    def part(self) -> None:
        """The socket is gone."""


class Peers(Protocol):
    """The other workers, as far as rooms need them."""

    async def query(self, home: str, table: str, name: str, key: str, values: Values) -> bytes:
        """Have an errand run by the worker that owns the table."""

    def room(self, home: str, table: str, subscriber: Subscriber) -> Room:
        """A room at another worker."""


class Here:
    """A room of this worker."""

    def __init__(self, registry: Registry, actor: TableActor, subscriber: Subscriber) -> None:
        self.registry = registry
        self.actor = actor
        self.subscriber = subscriber

    async def join(self, seat: int | None, seq: int | None) -> None:
        """Look at the table."""
        await self.actor.show(self.subscriber, seat, seq)
        self.actor.services.notices.seen(self.actor.table.head.id, self.subscriber.key)

    async def do(self, said: wire.Request) -> Any:
        """Carry out a verb."""
        return await run(self.registry, self.actor, self.subscriber.key, said, self.subscriber)

    def part(self) -> None:
        """The socket is gone."""
        self.actor.part(self.subscriber)


class Router:
    """Finds the room for a request."""

    def __init__(self, registry: Registry, peers: Peers | None = None) -> None:
        self.registry = registry
        self.peers = peers

    def _peers(self, where: OwnedElsewhere) -> Peers:
        if self.peers is None:
            raise ApiError(
                "busy",
                f"the table is open at {where.home}, which this server cannot reach; try again shortly",
            )
        return self.peers

    async def query(self, table: str, name: str, key: str, values: Values) -> bytes:
        """Run an errand, here or elsewhere; the answer as JSON."""
        try:
            actor = await self.registry.actor(table)
        except OwnedElsewhere as where:
            return await self._peers(where).query(where.home, table, name, key, values)
        return await self.run(actor, name, key, values)

    async def run(self, actor: TableActor, name: str, key: str, values: Values) -> bytes:
        """Run an errand at a table of this worker; a verb is an errand too, its message in `said`."""
        if name in QUERIES:
            await actor.caught_up()
            return wire.encode(await QUERIES[name](self.registry, actor, key, values))
        return wire.encode(await run(self.registry, actor, key, wire.said(values["said"]), None))

    async def room(self, table: str, subscriber: Subscriber) -> Room:
        """The room in which a table is."""
        try:
            actor = await self.registry.actor(table)
        except OwnedElsewhere as where:
            return self._peers(where).room(where.home, table, subscriber)
        return Here(self.registry, actor, subscriber)
