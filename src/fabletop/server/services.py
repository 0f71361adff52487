"""The services of one worker that all its tables share."""

import secrets
import time

from fabletop.core.replay import ReplayCache
from fabletop.server.bots.pool import BotPool
from fabletop.server.limits import Bucket, Buckets
from fabletop.server.metrics import Metrics
from fabletop.server.notify.webhooks import Notifier
from fabletop.server.settings import Settings
from fabletop.server.stores.background import Background
from fabletop.server.stores.base import Store
from fabletop.server.stores.lease import Lease

VIEWS_AT_ONCE = 4


class Services:
    """Store, lease, bots, clock, metrics, limits and settings of one worker."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings = settings
        self.store = store
        self.bots = BotPool(settings.thinkers, settings.bot_limit)
        self.metrics = Metrics()
        self.background = Background(self.metrics.faults.inc)
        self.spawn = self.background.spawn
        self.notifier = Notifier(settings, store, self.metrics, self.background)
        self.look_limit = Buckets(settings.looks_per_second, 6 * settings.looks_per_second)
        self.creation_limit = Buckets(settings.tables_per_hour / 3600, settings.tables_per_hour)
        self.replays = ReplayCache()
        self.run = secrets.token_hex(8)
        self.lease = Lease(store, settings.worker, self.run, settings.lease, self.background)
        self._anchor = time.time() - self.ticks()
        self.began = self.now()
        """When people could first reach this worker."""

    def now(self) -> float:
        """The time of day as it was when this worker started, plus the time that has passed since: a wall clock that
        is set forward or back must not run out anybody's clock."""
        return self._anchor + self.ticks()

    ticks = staticmethod(time.monotonic)
    """Seconds that only go forward."""

    def views(self) -> Bucket:
        """How often a subscriber may get a view: every `view_gap` seconds, and a few at once where steps are quick."""
        return Bucket(1 / max(self.settings.view_gap, 1e-6), VIEWS_AT_ONCE, self.ticks())

    async def close(self) -> None:
        """Close notifier and bots, and cancel the background tasks."""
        await self.notifier.close()
        await self.background.close()
        await self.bots.close()
