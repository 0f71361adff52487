"""A TCP proxy that can be cut: between a worker and its database, or between two workers."""

import asyncio
import contextlib
from pathlib import Path

PASS, DROP, HANG, DEAF = "pass", "drop", "hang", "deaf"
"""Everything passes; connections are closed and refused; nothing passes; what is asked passes and no answer does."""


class Proxy:
    """Listens on a port of its own and passes everything on to a port of this machine or a Unix socket."""

    def __init__(self, target: int | Path) -> None:
        self.target = target
        self.mode = PASS
        self.port = 0
        self._changed = asyncio.Event()
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Start listening."""
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Stop, and close all connections."""
        self._server.close()
        self.set(DROP)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def set(self, mode: str, *, reset: bool = False) -> None:
        """Change the mode. What was held back passes when everything does, unless the connections are reset."""
        self.mode = mode
        self._changed.set()
        self._changed = asyncio.Event()
        if mode == DROP or reset:
            for writer in list(self._writers):
                writer.transport.abort()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self._writers.add(writer)
        beyond: asyncio.StreamWriter | None = None
        try:
            if self.mode == DROP:
                return
            await self._may_pass(HANG)
            if isinstance(self.target, Path):
                there, beyond = await asyncio.open_unix_connection(self.target)
            else:
                there, beyond = await asyncio.open_connection("127.0.0.1", self.target)
            self._writers.add(beyond)
            pumps = [
                asyncio.ensure_future(self._pump(reader, beyond, (HANG,))),
                asyncio.ensure_future(self._pump(there, writer, (HANG, DEAF))),
            ]
            try:
                await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for pump in pumps:
                    pump.cancel()
                await asyncio.gather(*pumps, return_exceptions=True)
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            for one in (writer, beyond):
                if one is not None:
                    self._writers.discard(one)
                    one.transport.abort()

    async def _may_pass(self, *held: str) -> None:
        while self.mode in held:
            await self._changed.wait()

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, held: tuple[str, ...]
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 16):
                await self._may_pass(*held)
                writer.write(data)
                await writer.drain()
