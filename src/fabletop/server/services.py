"""The house: what all live tables of a worker share, so that each need not be handed ten things."""

import asyncio
import logging
import secrets
import time
from collections.abc import Coroutine
from typing import Any

from fabletop.core.replay import ReplayCache
from fabletop.server.bots.pool import BotPool
from fabletop.server.limits import Bucket, Buckets
from fabletop.server.metrics import Metrics
from fabletop.server.notify.webhooks import Notifier
from fabletop.server.settings import Settings
from fabletop.server.stores.base import Store

log = logging.getLogger("fabletop.server")
VIEWS_AT_ONCE = 4


class Services:
    """Store, bots, clock, figures and settings of one worker."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings = settings
        self.store = store
        self.thinkers = BotPool(settings.thinkers, settings.bot_limit)
        self.metrics = Metrics()
        self.notices = Notifier(settings, store, self.metrics)
        self.looks = Buckets(settings.looks_per_second, 6 * settings.looks_per_second)
        self.replays = ReplayCache()
        self.run = secrets.token_hex(4)
        self.began = self.now()
        self._tasks: set[asyncio.Task[Any]] = set()

    def now(self) -> float:
        """The time of day, for what is stored."""
        return time.time()

    def ticks(self) -> float:
        """Seconds that only go forward, for how long something takes."""
        return time.monotonic()

    def views(self) -> Bucket:
        """How often a line may get a view: every `view_gap` seconds, and a few at once where steps are quick."""
        return Bucket(1 / max(self.settings.view_gap, 1e-6), VIEWS_AT_ONCE, self.ticks())

    def spawn(self, work: Coroutine[Any, Any, Any]) -> "asyncio.Task[Any]":
        """Do something beside; what goes wrong is logged, not lost."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            error = task.exception()
            log.error("work beside failed: %s: %s", type(error).__name__, error)

    async def close(self) -> None:
        """End what is still under way."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.thinkers.close()
        await self.notices.close()
