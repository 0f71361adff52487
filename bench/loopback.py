"""A server of ours on loopback, and people who play at it at random: for `bench.memory` and `bench.fairness`."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp

PAGE_SIZE = os.sysconf("SC_PAGE_SIZE")
SECONDS_TO_START, SECONDS_TO_STOP = 60, 20
SECONDS_TO_ANSWER = 30.0


class Running(NamedTuple):
    """A server that runs."""

    address: str
    pid: int


def resident(pid: int) -> float:
    """The memory of a process in MB."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_SIZE / 1e6


@contextlib.asynccontextmanager
async def server(database: Path, options: Sequence[str] = ()) -> AsyncIterator[Running]:
    """`fabletop serve` as a process of its own, on any free port of loopback."""
    command = [sys.executable, "-m", "fabletop", "serve", "--port", "0", "--log", "error", *options]
    started = await asyncio.create_subprocess_exec(
        *command, "--database", str(database), stdout=asyncio.subprocess.PIPE
    )
    assert started.stdout is not None
    try:
        async with asyncio.timeout(SECONDS_TO_START):
            while "Fabletop is at" not in (line := (await started.stdout.readline()).decode()):
                if not line:
                    raise RuntimeError("the server ended before it was ready")
        yield Running(line.split()[3].rstrip(","), started.pid)
    finally:
        started.terminate()
        try:
            await asyncio.wait_for(started.wait(), SECONDS_TO_STOP)
        except TimeoutError:
            started.kill()
            await started.wait()


class Person:
    """A socket at a table that answers every choice at random. `heard` is called with every message."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        address: str,
        headers: dict[str, str] | None = None,
        heard: Callable[[dict[str, Any]], None] = lambda _: None,
    ) -> None:
        self.session, self.address, self.headers, self.heard = session, address, headers, heard

    async def play(self, hello: dict[str, Any], pause: Callable[[], float], most: int | None = None) -> str:
        """Play until the game is over or this socket has made `most` moves; returns the status of the table."""
        async with self.session.ws_connect(
            f"{self.address}/ws", headers=self.headers, max_msg_size=1 << 24
        ) as ws:
            await ws.send_json({"type": "hello", **hello})
            table: dict[str, Any] = {}
            choice: dict[str, Any] | None = None
            sent = 0
            while True:
                message = await ws.receive(SECONDS_TO_ANSWER)
                if message.type is not aiohttp.WSMsgType.TEXT:
                    raise RuntimeError(f"the server closed the socket: {message.data}")
                said = message.json()
                self.heard(said)
                if said["type"] == "error":
                    raise RuntimeError(f"{said['code']}: {said['message']}")
                table = said.get("table", table)
                before, choice = choice, said.get("choice", choice)
                if table["status"] in ("over", "closed") or (most is not None and sent >= most):
                    return str(table["status"])
                if choice is None or (before is not None and choice["id"] == before["id"]):
                    continue
                if wait := pause():
                    await asyncio.sleep(wait)
                sent += 1
                act = {"type": "act", "id": f"{sent}-{time.monotonic_ns()}", "choice": choice["id"]}
                await ws.send_json({**act, "action": random.choice(choice["options"])})


async def made(
    session: aiohttp.ClientSession, address: str, body: dict[str, Any], headers: dict[str, str] | None = None
) -> dict[str, Any]:
    """Make a table."""
    async with session.post(f"{address}/api/tables", json=body, headers=headers) as answer:
        if answer.status >= 400:
            raise RuntimeError(f"a table was refused: {await answer.text()}")
        return dict(await answer.json())
