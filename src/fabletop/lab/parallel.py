"""Work for all cores: one function over many items, in processes, each result as soon as it is there."""

import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 4
"""Items that wait for each process: enough that none is ever idle, few enough to stop quickly."""


def map_unordered(work: Callable[[Item], Result], items: Iterable[Item], processes: int) -> Iterator[Result]:
    """Each result as it comes, in any order. With one process everything happens here, in order.

    Whoever stops taking results, or is interrupted, ends the processes at once.
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
    except BaseException:  # somebody waits at the keyboard: what is under way is given up
        for process in list(pool._processes.values()):
            process.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _stay_quiet() -> None:
    """Ctrl+C is for the process that the person sees; it ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
