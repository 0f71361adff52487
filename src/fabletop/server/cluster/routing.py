"""Rooms: the way from a request to its table, whether that is here or with another worker."""

from typing import Any, Protocol

from fabletop.server.api.queries import ERRANDS, Values
from fabletop.server.protocol import wire
from fabletop.server.protocol.errors import Refused
from fabletop.server.tables.actor import Line, Live
from fabletop.server.tables.commands import do
from fabletop.server.tables.registry import Desk, Elsewhere


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

    async def errand(self, home: str, table: str, name: str, key: str, values: Values) -> bytes:
        """Have an errand run by the worker that owns the table."""

    def room(self, home: str, table: str, line: Line) -> Room:
        """A room at another worker."""


class Here:
    """A room of this worker."""

    def __init__(self, desk: Desk, live: Live, line: Line) -> None:
        self.desk = desk
        self.live = live
        self.line = line

    async def join(self, seat: int | None, seq: int | None) -> None:
        """Look at the table."""
        await self.live.show(self.line, seat, seq)
        self.live.house.notices.seen(self.live.table.head.id, self.line.key)

    async def do(self, said: wire.Request) -> Any:
        """Carry out a verb."""
        return await carry_out(self.desk, self.live, self.line.key, said, self.line)

    def part(self) -> None:
        """The socket is gone."""
        self.live.part(self.line)


async def carry_out(desk: Desk, live: Live, key: str, said: wire.Request, line: Line | None) -> Any:
    """A verb at a table of this worker."""
    if live.error is not None:
        raise live.error
    if isinstance(said, wire.Rematch):
        return await desk.rematch(live, key)
    if isinstance(said, wire.Look):
        if line is None:
            raise Refused("bad_message", "only a socket can look")
        await live.show(line, said.seat if said.seat is not None else line.viewer, None)
        return None
    return await do(live, key, said, line)


class Rooms:
    """Finds the room for a request."""

    def __init__(self, desk: Desk, peers: Peers | None = None) -> None:
        self.desk = desk
        self.peers = peers

    def _peers(self, where: Elsewhere) -> Peers:
        if self.peers is None:
            raise Refused(
                "busy",
                f"the table is open at {where.home}, which this server cannot reach; try again shortly",
            )
        return self.peers

    async def errand(self, table: str, name: str, key: str, values: Values) -> bytes:
        """Run an errand, here or elsewhere; the answer as JSON."""
        try:
            live = await self.desk.live(table)
        except Elsewhere as where:
            return await self._peers(where).errand(where.home, table, name, key, values)
        return await self.run(live, name, key, values)

    async def run(self, live: Live, name: str, key: str, values: Values) -> bytes:
        """Run an errand at a table of this worker; a verb is an errand too, its message in `said`."""
        if name in ERRANDS:
            await live.caught_up()
            return wire.encode(await ERRANDS[name](self.desk, live, key, values))
        return wire.encode(await carry_out(self.desk, live, key, wire.said(values["said"]), None))

    async def room(self, table: str, line: Line) -> Room:
        """The room in which a table is."""
        try:
            live = await self.desk.live(table)
        except Elsewhere as where:
            return self._peers(where).room(where.home, table, line)
        return Here(self.desk, live, line)
