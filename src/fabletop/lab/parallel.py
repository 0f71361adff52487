"""A parallel map over processes that yields each result as soon as it is ready."""

import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 4
"""Queued items per process: enough that none is ever idle, few enough to stop quickly."""


def map_unordered(work: Callable[[Item], Result], items: Iterable[Item], processes: int) -> Iterator[Result]:
    """Apply `work` to all items; yield results in the order of completion. One process runs inline and in order.

    Closing the generator or interrupting it terminates the processes at once.
    """
    if processes <= 1:
        yield from map(work, items)
        return
    left = iter(items)
    pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=_stay_quiet)
    busy: set[Future[Result]] = set()
    try:
        while True:
            for item in left:
                busy.add(pool.submit(work, item))
                if len(busy) >= AHEAD * processes:
                    break
            if not busy:
                break
            ready, busy = wait(busy, return_when=FIRST_COMPLETED)
            for future in ready:
                yield future.result()
    except BaseException:  # the user waits at the keyboard: abandon running items
        for process in list(pool._processes.values()):
            process.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _stay_quiet() -> None:
    """Ignore Ctrl-C in a worker; the parent process handles it and ends the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
