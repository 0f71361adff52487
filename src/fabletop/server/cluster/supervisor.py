"""Several workers on one port: each is a process of its own; one that dies is restarted."""

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
import tempfile
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import msgspec

from fabletop.server.app import internal_address, place
from fabletop.server.settings import Settings

log = logging.getLogger("fabletop.server")
PAUSE = 0.5


Ready = Callable[[Settings], None]


def supervise(
    settings: Settings, workers: int, level: str, folder: Path, listener: socket.socket, announced: Ready
) -> int:
    """Start the workers, call `announced` when all are ready, keep them running, stop them on a signal."""
    with tempfile.TemporaryDirectory(prefix="fabletop-") as passing:
        shared = replace(settings, passing=Path(passing))
        return asyncio.run(_supervise(shared, workers, level, folder, listener, announced))


def worker_address(internal: str, number: int) -> str:
    """The internal address of a worker: each has its own port, counted from the one that is given."""
    host, port = internal_address(internal)
    return internal if port == 0 else place(host, port + number)


async def _supervise(
    settings: Settings, workers: int, level: str, folder: Path, listener: socket.socket, announced: Ready
) -> int:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    ready = [asyncio.Event() for _ in range(workers)]
    quiet = replace(settings, opens=False)  # one browser is enough, and it is opened from here
    tasks = [
        asyncio.ensure_future(
            _keep(
                replace(
                    quiet, worker=f"{settings.worker}-{n}", internal=worker_address(settings.internal, n)
                ),
                level,
                folder,
                listener,
                ready[n],
            )
        )
        for n in range(workers)
    ]
    waiting: asyncio.Future[Any] = asyncio.gather(*(event.wait() for event in ready))
    stopping: asyncio.Future[Any] = asyncio.ensure_future(stop.wait())
    await asyncio.wait([waiting, stopping], return_when=asyncio.FIRST_COMPLETED)
    if not stop.is_set():
        announced(settings)
    await stopping
    waiting.cancel()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, waiting, return_exceptions=True)
    return 0


async def _keep(
    settings: Settings, level: str, folder: Path, listener: socket.socket, ready: asyncio.Event
) -> None:
    """Run one worker, and restart it when it ends."""
    while True:
        try:
            process = await _start(settings, level, folder, listener)
        except OSError as error:  # too many processes, or one that ended at once
            log.error("worker %s cannot be started: %s; it is tried again", settings.worker, error)
            await asyncio.sleep(PAUSE)
            continue
        try:
            assert process.stdout is not None
            if await process.stdout.readline():
                ready.set()
            code = await process.wait()
        except asyncio.CancelledError:
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGTERM)
            try:
                await asyncio.wait_for(process.wait(), settings.drain + 5)
            except TimeoutError:
                process.kill()
                await process.wait()
            raise
        log.error("worker %s ended with code %s; it is restarted", settings.worker, code)
        await asyncio.sleep(PAUSE)


async def _start(
    settings: Settings, level: str, folder: Path, listener: socket.socket
) -> asyncio.subprocess.Process:
    start = msgspec.json.encode({"settings": plain(settings), "level": level, "folder": str(folder)})
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "fabletop.server.cluster.worker", str(listener.fileno())),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        pass_fds=(listener.fileno(),),
    )
    assert process.stdin is not None
    # through a pipe, not the command line: the address of the database may hold a password
    process.stdin.write(start + b"\n")
    await process.stdin.drain()
    return process


def plain(settings: Settings) -> dict[str, object]:
    """Settings as JSON; the worker reads them back with `settings_from`."""
    values: dict[str, object] = {}
    for field in fields(settings):
        value = getattr(settings, field.name)
        if isinstance(value, Path):
            value = os.fspath(value)
        values[field.name] = sorted(value) if isinstance(value, frozenset) else value
    return values


def settings_from(plain_settings: dict[str, object]) -> Settings:
    """What `plain` wrote."""
    trusted = plain_settings.pop("trusted_hooks")
    assert isinstance(trusted, list)
    paths = {name: plain_settings.pop(name) for name in ("static", "push_key", "passing")}
    return Settings(
        **plain_settings,  # type: ignore[arg-type]
        **{name: None if path is None else Path(str(path)) for name, path in paths.items()},  # type: ignore[arg-type]
        trusted_hooks=frozenset(trusted),
    )
