"""Passing a connection on to the worker of this machine that has its table, so that nothing need go between workers.

A client names the table when it opens its WebSocket. The worker that happens to get the connection asks whose the table
is, and gives the connection itself to that worker, together with the request: the other one answers as if the client
had come there. Where that cannot be done, the table is reached over the bus, as from another machine.
"""

import array
import asyncio
import contextlib
import logging
import socket
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from aiohttp import web

from fabletop.server.tokens import hashed

log = logging.getLogger("fabletop.server")
LARGEST_REQUEST = 1 << 16
Serve = Callable[[], asyncio.Protocol]
Spawn = Callable[[Coroutine[Any, Any, Any]], Any]


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
        self._socket.setblocking(False)
        self._socket.bind(str(self._door))
        asyncio.get_running_loop().add_reader(self._socket, self._receive)

    def close(self) -> None:
        """Take no more."""
        asyncio.get_running_loop().remove_reader(self._socket)
        self._socket.close()
        self._door.unlink(missing_ok=True)

    def give(self, request: web.Request, home: str) -> bool:
        """Give the connection of a request to another worker; False where that one cannot be reached so."""
        transport = request.transport
        if transport is None or transport.is_closing():
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
        with contextlib.suppress(BlockingIOError):
            request, rights, _, _ = socket.recv_fds(self._socket, LARGEST_REQUEST, 1)
            for number in rights:
                self.spawn(self._take(socket.socket(fileno=number), request))

    async def _take(self, connection: socket.socket, request: bytes) -> None:
        connection.setblocking(False)
        loop = asyncio.get_running_loop()
        _, protocol = await loop.connect_accepted_socket(self._serve, connection)
        protocol.data_received(request)
