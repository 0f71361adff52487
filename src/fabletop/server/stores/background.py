"""Background tasks: nobody waits for them, so it is decided here what happens when one fails.

A store that is down is expected. It is logged once, until a heartbeat is written again, and what was left undone is
done later. Everything else should not happen: it is logged with its traceback and counted.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, NoReturn, TypeVar

from fabletop.server.stores.base import StoreDown

log = logging.getLogger("fabletop.server")
T = TypeVar("T")
RETRY = 2.0
"""Seconds until something that has failed is tried again."""


class Background:
    """The background tasks of one worker. `on_fault` is called for every error that should not happen."""

    def __init__(self, on_fault: Callable[[], None]) -> None:
        self._on_fault = on_fault
        self._tasks: set[asyncio.Task[Any]] = set()
        self._down = False
        """Has it been logged that the store is down?"""

    def spawn(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        """Start a task."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    async def repeat(self, seconds: float, step: Callable[[], Awaitable[None]]) -> NoReturn:
        """Do something every few seconds, whatever goes wrong in it."""
        while True:
            await asyncio.sleep(seconds)
            try:
                await step()
            except Exception as error:
                self.failed(error)

    async def retried(self, step: Callable[[], Awaitable[T]]) -> T:
        """Do something as soon as the store can."""
        while True:
            try:
                return await step()
            except StoreDown as error:
                self.failed(error)
            await asyncio.sleep(RETRY)

    def failed(self, error: BaseException) -> None:
        """Something has failed in the background."""
        if not isinstance(error, StoreDown):
            log.error("a background task failed", exc_info=error)
            self._on_fault()
        elif not self._down:
            self._down = True
            log.warning("the store is down, and tried again: %s", error)

    def store_answers(self) -> None:
        """A heartbeat has been written."""
        if self._down:
            self._down = False
            log.info("the store answers again")

    async def close(self) -> None:
        """Cancel all tasks."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _finished(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self.failed(error)
