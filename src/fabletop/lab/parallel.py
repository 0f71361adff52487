"""A parallel map that yields each result as soon as it is ready: on processes of this machine, or on a Ray cluster.

Both take the items as they get free (back pressure), do an item again whose process was lost, and give each result
once.
"""

from __future__ import annotations

import logging
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any, Generic, TypeVar

from fabletop.core.errors import FabletopError

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 2
"""Queued items per process: enough that none is ever idle, few enough to stop quickly."""
LOSSES = 3
"""How often processes may die one after the other, without a result in between."""
NOTHING: Mapping[str, str] = {}


def map_unordered(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    processes: int,
    environment: Mapping[str, str] = NOTHING,
) -> Iterator[Result]:
    """Apply `work` to all items; yield results in the order of completion. One process runs inline and in order,
    unless it needs an environment of its own.

    Closing the generator or interrupting it terminates the processes at once.
    """
    if processes <= 1 and not environment:
        yield from map(work, items)
        return
    run = _Run(work, items, processes, environment)
    try:
        yield from run.results()
    except BaseException:  # the user waits at the keyboard: abandon running items
        run.terminate()
        raise
    finally:
        run.close()


class _Run(Generic[Item, Result]):
    """Items on their way through a pool of processes."""

    def __init__(
        self,
        work: Callable[[Item], Result],
        items: Iterable[Item],
        processes: int,
        environment: Mapping[str, str],
    ) -> None:
        self._work = work
        self._left = iter(items)
        self._processes = processes
        self._environment = environment
        self._pool = _pool(processes)
        self._busy: dict[Future[Result], Item] = {}
        self._lost: deque[Item] = deque()
        """The items of a pool in which a process has died; it takes no more, and fails all that it has."""
        self._losses = 0

    def results(self) -> Iterator[Result]:
        """Each result as soon as it is ready."""
        while self._submit():
            ready, _ = wait(self._busy, return_when=FIRST_COMPLETED)
            for future in ready:
                item = self._busy.pop(future)
                try:
                    result = future.result()
                except BrokenProcessPool:
                    self._lost.append(item)
                else:
                    self._losses = 0
                    yield result

    def _submit(self) -> bool:
        """Keep the processes busy; False where nothing is left to wait for."""
        if self._lost and self._busy:
            return True
        if self._lost:
            self._replace_pool()
        while len(self._busy) < AHEAD * self._processes:
            try:
                item = self._lost.popleft() if self._lost else next(self._left)
            except StopIteration:
                break
            try:
                with _environment(self._environment):  # a process is started when it is needed
                    self._busy[self._pool.submit(self._work, item)] = item
            except BrokenProcessPool:
                self._lost.append(item)
                break
        return bool(self._busy or self._lost)

    def _replace_pool(self) -> None:
        self._losses += 1
        if self._losses > LOSSES:
            raise FabletopError(
                "processes keep dying, perhaps for lack of memory; fewer --jobs may help, and the same command resumes "
                "where results are kept"
            )
        self._pool.shutdown(wait=False)
        self._pool = _pool(self._processes)

    def terminate(self) -> None:
        """End the processes at once."""
        for process in list((self._pool._processes or {}).values()):
            process.terminate()

    def close(self) -> None:
        """Wait for the processes to end."""
        self._pool.shutdown(wait=True, cancel_futures=True)


def _pool(processes: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=_start_worker)


@contextmanager
def _environment(added: Mapping[str, str]) -> Iterator[None]:
    """Some variables more, for a process that is started here."""
    before = {name: os.environ.get(name) for name in added}
    os.environ.update(added)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _start_worker() -> None:
    """Ignore Ctrl-C in a worker: the parent process handles it and ends the workers. End with a parent that was killed:
    the pool's pipes stay open between the workers, so they would wait for work for ever."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


# ---------------------------------------------------------------------------------------------- Ray

RETRIES = 20
"""How often Ray does an item again whose node or process was lost."""
PATIENCE = 5
"""Seconds after which a cluster counts as not reachable."""


def connect(address: str | None) -> Any:
    """Ray, connected to a cluster; without an address to RAY_ADDRESS or to a cluster of this machine alone."""
    try:
        import ray
    except ImportError:
        raise FabletopError("`--on ray` needs Ray: pip install 'fabletop[ray]'") from None
    if ray.is_initialized():
        return ray
    if address is not None:
        _check_reachable(address)
    try:
        ray.init(address, logging_level=logging.ERROR, log_to_driver=False, include_dashboard=None)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise FabletopError(
            f"the Ray cluster at {address} cannot be used ({str(error).splitlines()[0]}); `ray start --head` starts "
            "one, and all machines need the same versions of Python, Ray and Fabletop"
        ) from None
    return ray


def _check_reachable(address: str) -> None:
    """Ray itself would try for minutes."""
    import socket

    host, _, port = address.removeprefix("ray://").rpartition(":")
    if address == "auto":
        return
    if not host or not port.isdigit():
        raise FabletopError(
            f"--address is {address!r}; it should be HOST:PORT, such as 127.0.0.1:6379, or auto"
        )
    try:
        socket.create_connection((host, int(port)), timeout=PATIENCE).close()
    except OSError as error:
        raise FabletopError(
            f"no Ray cluster at {address} ({error.strerror or error}); `ray start --head --port={port}` starts one"
        ) from None


def map_on_ray(
    work: Callable[[Any], Result],
    items: Iterable[Item],
    address: str | None,
    environment_of: Callable[[Item], Mapping[str, str]] = lambda item: NOTHING,
) -> Iterator[Result]:
    """`map_unordered` on a Ray cluster. Ray does an item again if its node is lost."""
    ray = connect(address)
    task = ray.remote(num_cpus=1, max_retries=RETRIES, retry_exceptions=False)(work)
    left = iter(items)
    busy: list[Any] = []
    try:
        while True:
            most = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
            while len(busy) < most:
                item = next(left, None)
                if item is None:
                    break
                environment = dict(environment_of(item))
                options = {"runtime_env": {"env_vars": environment}} if environment else {}
                busy.append(task.options(**options).remote(item))
            if not busy:
                break
            ready, busy = ray.wait(busy, num_returns=1)
            for future in ready:
                try:
                    yield ray.get(future)
                except ray.exceptions.RayTaskError as error:
                    raise error.cause if isinstance(error.cause, FabletopError) else error from None
                except ray.exceptions.RayError as error:
                    raise FabletopError(
                        f"the Ray cluster lost an item {RETRIES} times ({type(error).__name__}); the same command "
                        "resumes where results are kept"
                    ) from None
    finally:
        for future in busy:
            ray.cancel(future, force=True)
