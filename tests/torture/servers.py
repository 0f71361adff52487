"""Servers for the trials: processes of their own, with preload libraries and inner settings."""

import asyncio
import contextlib
import json
import os
import signal
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import aiohttp

from tests.server.hall import Process
from tests.torture.preload import ROOT

FEW_THINKERS = ("--thinkers", "1", "--view-gap", "5")


class Worker(Process):
    """A server that can be killed, stopped and continued."""

    program = ("-m", "tests.torture.launch")

    def __init__(
        self, *arguments: str, log: Path, preload: Mapping[str, str] | None = None, **inner: Any
    ) -> None:
        path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        environment = {"PYTHONPATH": path, "FABLETOP_TORTURE": json.dumps(inner), **(preload or {})}
        super().__init__(*arguments, *FEW_THINKERS, environment=environment)
        self.log = log

    async def start(self) -> None:
        """Start; what it logs is appended to its log."""
        with self.log.open("ab") as self.errors:
            await super().start()

    def stop(self) -> None:
        """SIGSTOP."""
        os.killpg(self.process.pid, signal.SIGSTOP)

    def go_on(self) -> None:
        """SIGCONT."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGCONT)

    async def ready(self) -> bool:
        """What /readyz says."""
        timeout = aiohttp.ClientTimeout(total=5)
        try:
            async with (
                aiohttp.ClientSession(timeout=timeout) as session,
                session.get(f"{self.address}/readyz") as answer,
            ):
                return answer.status == 200
        except (aiohttp.ClientError, TimeoutError):
            return False

    async def until_ready(self, wanted: bool, seconds: float) -> bool:
        """Wait until /readyz says so; False where it does not in time."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        while await self.ready() is not wanted:
            if loop.time() > deadline:
                return False
            await asyncio.sleep(0.05)
        return True


def faults(log: Path) -> list[str]:
    """The unexpected errors in a server's log, each by its last line."""
    found = []
    for line in log.read_text("utf-8", "replace").splitlines():
        try:
            error = json.loads(line).get("error", "")
        except ValueError:  # the rest of a line when a server was killed, or a traceback that is no JSON
            error = line if line.startswith("Traceback") else ""
        if error:
            found.append(error.splitlines()[-1])
    return found


def file_in(folder: Path) -> Path:
    """A database in a folder of its own, which is there before the server starts."""
    folder = folder / "disk"
    folder.mkdir()
    return folder / "tables.sqlite"


def new_folder() -> Path:
    """A folder for one trial, in memory where that is possible: its disk is simulated anyhow."""
    memory = Path("/dev/shm")
    usable = memory.is_dir() and os.access(memory, os.W_OK)
    return Path(tempfile.mkdtemp(prefix="fabletop-torture-", dir=memory if usable else None))
