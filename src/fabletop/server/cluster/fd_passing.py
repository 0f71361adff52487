"""Passing a connection on to the worker of this machine that has its table, so that nothing need go between workers.

A client names the table when it opens its WebSocket. The worker that happens to get the connection asks whose the table
is, and gives the connection itself to that worker, together with the request: the other one answers as if the client
had come there. Where that cannot be done, the table is reached over the bus, as from another machine.
"""

import array
import asyncio
import logging
import socket
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

from aiohttp import web

from fabletop.server.tables.tokens import hashed

log = logging.getLogger("fabletop.server")
LARGEST_REQUEST = 1 << 16
Serve = Callable[[], asyncio.Protocol]
Spawn = Callable[[Coroutine[Any, Any, Any]], asyncio.Task[Any]]


class Arrival(asyncio.Protocol):
    """Stands at the connection until it is made: what speaks with the client hears the request that came along, and
    only then what the client itself says. Whoever waited for the connection could be too late to tell it first."""

    def __init__(self, protocol: asyncio.Protocol, request: bytes) -> None:
        self.protocol = protocol
        self.request = request

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Step aside."""
        transport.set_protocol(self.protocol)
        self.protocol.connection_made(transport)
        self.protocol.data_received(self.request)


class Handover:
    """One worker's door for connections that others pass on; the doors of a machine are in one folder."""

    def __init__(self, folder: Path, worker: str, spawn: Spawn) -> None:
        self.folder = folder
        self.spawn = spawn
        self._door = folder / self._name(worker)

    def _name(self, worker: str) -> str:
        return hashed(worker)[:16]  # the path of a socket must not be long

    def open(self, serve: Serve) -> None:
        """Take connections from now on; `serve` makes what speaks with a client."""
        self._serve = serve
        self._door.unlink(missing_ok=True)  # of a worker of this name that was killed
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            self._socket.setblocking(False)
            self._socket.bind(str(self._door))
        except OSError:
            self._socket.close()
            raise
        asyncio.get_running_loop().add_reader(self._socket, self._receive)

    def close(self) -> None:
        """Take no more."""
        asyncio.get_running_loop().remove_reader(self._socket)
        self._socket.close()
        self._door.unlink(missing_ok=True)

    def give(self, request: web.Request, home: str) -> bool:
        """Give the connection of a request to another worker; False where that one cannot be reached so."""
        transport = request.transport
        if transport is None or transport.is_closing() or not all_said(request):
            return False
        # without the name of the table: wherever that is by then, the connection is passed on only once
        lines = [f"GET {request.path} HTTP/1.1".encode()]
        lines += [name + b": " + value for name, value in request.raw_headers]
        text = b"\r\n".join(lines) + b"\r\n\r\n"
        if len(text) > LARGEST_REQUEST:
            return False
        rights = array.array("i", [transport.get_extra_info("socket").fileno()])
        try:
            self._socket.sendmsg(
                [text],
                [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)],
                0,
                str(self.folder / self._name(home)),
            )
        except OSError:  # on another machine, just gone, or too busy
            return False
        transport.abort()  # the other worker has the connection; this only closes our end of it
        return True

    def _receive(self) -> None:
        try:
            request, rights, _, _ = socket.recv_fds(self._socket, LARGEST_REQUEST, 1)
        except BlockingIOError:
            return
        if not rights:
            log.warning("a connection from another worker is lost: too many files are open here")
        for number in rights:
            connection = socket.socket(fileno=number)
            connection.setblocking(False)
            connection.set_inheritable(False)  # a bot's process must not keep it open
            taken = self.spawn(self._take(connection, request))
            taken.add_done_callback(partial(self._taken, connection))

    async def _take(self, connection: socket.socket, request: bytes) -> None:
        loop = asyncio.get_running_loop()
        await loop.connect_accepted_socket(lambda: Arrival(self._serve(), request), connection)

    def _taken(self, connection: socket.socket, taken: asyncio.Task[Any]) -> None:
        if taken.cancelled() or taken.exception() is not None:  # perhaps before it has begun
            connection.close()


def all_said(request: web.Request) -> bool:
    """Is the head of this request all that has been heard and not answered, and has the client got all answers? Only
    the head is passed on: the rest would be lost with our end of the connection."""
    protocol, transport = request.protocol, request.transport
    # aiohttp has no other way to ask what came early: bytes behind an upgrade, and requests behind this one
    early = getattr(protocol, "_message_tail", b"") or getattr(protocol, "_messages", ())
    return not (early or request.body_exists or (transport and transport.get_write_buffer_size()))
