"""Running the server: one process, or a supervisor with several workers that share the port."""

import asyncio
import contextlib
import gc
import ipaddress
import logging
import os
import signal
import socket
import sys
import time
import webbrowser
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

from fabletop.core.errors import FabletopError
from fabletop.server.api.transport import Runner
from fabletop.server.app import Server, place, store_for
from fabletop.server.logs import start_logging
from fabletop.server.settings import Settings
from fabletop.server.stores.base import StoreDown

log = logging.getLogger("fabletop.server")


def serve(settings: Settings, workers: int, level: str, folder: Path) -> int:
    """Serve until a signal comes; the exit code."""
    start_logging(level)
    try:
        return _serve(settings, workers, level, folder)
    except FabletopError as error:
        if sys.stderr.isatty():
            raise  # a person reads it
        log.critical("%s", error)
        return 1


def _serve(settings: Settings, workers: int, level: str, folder: Path) -> int:
    listener = listening(settings)
    port = listener.getsockname()[1]
    host = openable(settings.host)
    address = settings.public or f"http://{place(host, port)}"
    name = settings.worker or f"{socket.gethostname()}-{port}"  # the same after a restart
    if not settings.public and host != settings.host:
        log.warning(
            "notices name %s, which opens on this machine only; --public sets what they name", address
        )
    settings = replace(settings, port=port, public=address, worker=name)
    if workers > 1:
        from fabletop.server.cluster.supervisor import supervise

        return supervise(settings, workers, level, folder, listener, announced)
    run_loop(work(settings, folder, listener, announce=True))
    return 0


def openable(host: str) -> str:
    """A host that a browser can open: one that stands for all addresses of the machine cannot be opened itself."""
    try:
        everywhere = not host or ipaddress.ip_address(host).is_unspecified
    except ValueError:  # a name
        everywhere = False
    return "localhost" if everywhere else host


def listening(settings: Settings) -> socket.socket:
    """The socket on which the server is reached."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        try:
            listener.bind((settings.host, settings.port))
        except OSError:
            if not settings.opens:
                raise
            listener.bind((settings.host, 0))
    except OSError as error:
        listener.close()
        raise FabletopError(
            f"cannot listen on {place(settings.host, settings.port)} ({error.strerror}); choose another --port"
        ) from None
    listener.listen(1024)
    listener.setblocking(False)
    return listener


def announced(settings: Settings) -> None:
    """Print the address of the server, and open it in a browser if asked to."""
    print(f"Fabletop is at {settings.public}", flush=True)
    if settings.opens:
        started = os.environ.get("FABLETOP_STARTED")  # when the command was given that set everything up
        if started:
            print(f"{time.time() - float(started):.1f} s after the command; Ctrl+C ends it", flush=True)
        Thread(target=webbrowser.open, args=[settings.public], daemon=True).start()


def run_loop(work: Coroutine[Any, Any, None]) -> None:
    """Run with uvloop where there is one."""
    factory = None
    with contextlib.suppress(ImportError):
        import uvloop

        factory = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(work)


def tune_process() -> None:
    """Garbage collection is the tail of the latency: while people play only the youngest generation is collected, and
    the sweeper collects the rest. The thread that writes to SQLite must not wait long for its turn."""
    gc.set_threshold(2_000, 1_000_000, 1_000)
    sys.setswitchinterval(0.0005)


async def work(settings: Settings, folder: Path, listener: socket.socket, *, announce: bool) -> None:
    """Run one worker on a listening socket until a signal comes."""
    tune_process()
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, stop.set)
    server = Server(settings, store_for(settings.database, folder))
    runner = Runner(server.app(), access_log=None, shutdown_timeout=settings.drain, handle_signals=False)
    try:
        await runner.setup()
    except StoreDown as error:
        raise FabletopError(f"the database cannot be opened: {error}") from None
    try:
        await server.listen(runner, listener)
        if announce:
            announced(settings)
        await stop.wait()
        log.info("stopping")
    finally:
        await runner.cleanup()
