"""Passing connections: a WebSocket for a table goes to the worker of this machine that owns the table.

A client names its table in the URL, `/ws?table=…`. The worker that accepts the connection reads the first line of the
request before aiohttp does. If another worker of this machine owns the table and answers at once, it gets the
connection itself, a file descriptor over a Unix socket, and the bytes that were read; it serves both as if it had
accepted them. Whatever cannot be passed is served here and forwarded. Measured in docs/decisions/0008.
"""

import asyncio
import logging
import re
import socket
from array import array
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, cast

from fabletop.server.limits import Buckets, household_of
from fabletop.server.protocol.errors import ApiError
from fabletop.server.protocol.wire import TABLE_ID
from fabletop.server.tables.registry import OwnedElsewhere, Registry
from fabletop.server.tables.tokens import hashed

log = logging.getLogger("fabletop.server")
LARGEST_REQUEST = 1 << 15
"""Bytes that are passed with a connection."""
SECONDS_TO_AGREE = 2.0
"""A worker that does not answer in this time may be stopped: it must get no connection that then hangs."""
ASKS, AGREES, GIVES = b"?", b"!", b">"
"""The first byte of a message between workers. A number follows, or with a connection what was read from it."""
NAMES_TABLE = re.compile(rf"GET /ws\?table=({TABLE_ID}) HTTP/1\.1\r\n".encode())
FORWARDED_FOR = re.compile(rb"\r\nX-Forwarded-For:[^\r\n]*?([^\r\n, ]+) *\r\n", re.IGNORECASE)
Serve = Callable[[], asyncio.Protocol]


class Passing:
    """Gives connections to the other workers of this machine, and takes theirs. Each worker has a Unix socket in
    `folder`, which only their user can enter. `serve` makes the protocol that speaks with a client."""

    def __init__(self, folder: Path, registry: Registry, serve: Serve) -> None:
        self.registry = registry
        self.serve = serve
        self._folder = folder
        self._path = self._path_of(registry.services.settings.worker)
        rate = registry.services.settings.looks_per_second
        self._asked = Buckets(rate, 6 * rate)
        self._numbers = count()
        self._agreeing: dict[bytes, asyncio.Future[None]] = {}

    def _path_of(self, worker: str) -> Path:
        return self._folder / hashed(worker)[:16]  # the path of a Unix socket must be short

    def open(self) -> None:
        """Take connections from now on."""
        self._path.unlink(missing_ok=True)  # of a worker of this name that was killed
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        try:
            self._socket.bind(str(self._path))
        except OSError:
            self._socket.close()
            raise
        asyncio.get_running_loop().add_reader(self._socket, self._take)

    def close(self) -> None:
        """Take no more."""
        asyncio.get_running_loop().remove_reader(self._socket)
        self._socket.close()
        self._path.unlink(missing_ok=True)

    async def owner(self, table: str, client: str) -> str | None:
        """The worker to which a connection for this table belongs; None: this one, or it is not known.

        It may open the table here, as `hello` would in a moment, so it is limited in the same way.
        """
        if not self._asked.take(client):
            return None
        try:
            await self.registry.actor(table)
        except OwnedElsewhere as where:
            return where.home
        except ApiError:
            pass  # the client gets an error after its hello
        return None

    async def agrees(self, worker: str) -> bool:
        """Does another worker of this machine take a connection now?"""
        number = next(self._numbers).to_bytes(8, "big")
        agreed = self._agreeing[number] = asyncio.get_running_loop().create_future()
        try:
            if not self._send(str(self._path_of(worker)), ASKS + number):
                return False
            async with asyncio.timeout(SECONDS_TO_AGREE):
                await agreed
        except TimeoutError:
            return False
        finally:
            del self._agreeing[number]
        return True

    def give(self, worker: str, connection: int, read: bytes) -> bool:
        """Give a connection and the bytes read from it to another worker; False where that is not possible."""
        rights = socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", [connection])
        return self._send(str(self._path_of(worker)), GIVES + read, [rights])

    def _send(self, path: str, data: bytes, rights: Sequence[Any] = ()) -> bool:
        try:
            self._socket.sendmsg([data], rights, 0, path)
        except OSError:  # on another machine, gone, or too busy
            return False
        return True

    def _take(self) -> None:
        """Take a message of another worker."""
        try:
            data, descriptors, _, sender = socket.recv_fds(self._socket, LARGEST_REQUEST + 1, 1)
        except BlockingIOError:
            return
        kind, rest = data[:1], data[1:]
        if kind == ASKS:
            self._send(sender, AGREES + rest)
        elif kind == AGREES:
            agreed = self._agreeing.get(rest)
            if agreed is not None and not agreed.done():
                agreed.set_result(None)
        else:
            self._take_connection(descriptors, rest)

    def _take_connection(self, descriptors: Sequence[int], read: bytes) -> None:
        if not descriptors:
            log.warning("a connection from another worker is lost: too many files are open here")
        for number in descriptors:
            connection = socket.socket(fileno=number)
            connection.setblocking(False)
            connection.set_inheritable(False)  # a bot's process must not keep it open
            taken = self.registry.services.spawn(self._serve(connection, read))
            taken.add_done_callback(partial(_close_unless_served, connection))

    async def _serve(self, connection: socket.socket, read: bytes) -> None:
        loop = asyncio.get_running_loop()
        await loop.connect_accepted_socket(lambda: Passed(self.serve, read), connection)


def start_passing(passing: Passing) -> Passing | None:
    """Open the worker's Unix socket; None where that is not possible: then connections are forwarded."""
    try:
        passing.open()
    except OSError as error:  # such as a folder whose path is too long for a Unix socket
        log.warning("connections cannot be passed between workers and are forwarded: %s", error)
        return None
    return passing


def _close_unless_served(connection: socket.socket, taken: "asyncio.Task[None]") -> None:
    if taken.cancelled() or taken.exception() is not None:
        connection.close()


class Passed(asyncio.Protocol):
    """The first protocol of a connection that another worker has passed: it repeats what was read there."""

    def __init__(self, serve: Serve, read: bytes) -> None:
        self.serve_with = serve
        self.read = read

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Hand over to the protocol that serves."""
        hand_over(cast(asyncio.Transport, transport), self.serve_with(), self.read)


class Accepted(asyncio.Protocol):
    """The first protocol of a connection that this worker has accepted: reads the first line, and decides who serves
    it."""

    def __init__(self, passing: Passing, behind_proxy: bool) -> None:
        self.passing = passing
        self.behind_proxy = behind_proxy
        self.read = b""
        self.deciding = False
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The client has connected."""
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """The client has sent something."""
        self.read += data
        if self.deciding:
            return
        named = NAMES_TABLE.match(self.read)
        if named is None:
            hand_over(self.transport, self.passing.serve(), self.read)
            return
        self.deciding = True
        self.transport.pause_reading()
        self.passing.registry.services.spawn(self._decide(named[1].decode()))

    def _client(self) -> str:
        """The address for which the request counts."""
        named = FORWARDED_FOR.search(self.read) if self.behind_proxy else None
        peer = self.transport.get_extra_info("peername")
        return household_of(named[1].decode("latin-1") if named else str(peer[0]) if peer else "?")

    async def _decide(self, table: str) -> None:
        transport, passed = self.transport, False
        try:
            passed = await self._pass(table)
        finally:  # whatever went wrong, the client must not wait for ever
            if passed:
                transport.abort()  # closes this worker's copy of the descriptor only
            elif not transport.is_closing():
                hand_over(transport, self.passing.serve(), self.read)
                transport.resume_reading()

    async def _pass(self, table: str) -> bool:
        """Give the connection to the worker that owns the table; False where it is served here."""
        owner = await self.passing.owner(table, self._client())
        if owner is None or len(self.read) > LARGEST_REQUEST or not await self.passing.agrees(owner):
            return False
        if self.transport.is_closing():
            return False
        number = self.transport.get_extra_info("socket").fileno()
        return self.passing.give(owner, number, self.read)


def hand_over(transport: asyncio.Transport, protocol: asyncio.Protocol, read: bytes) -> None:
    """Let another protocol serve a connection, beginning with the bytes that were read already."""
    transport.set_protocol(protocol)
    protocol.connection_made(transport)
    protocol.data_received(read)
