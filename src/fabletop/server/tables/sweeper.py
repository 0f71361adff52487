"""The sweeper of a worker: evicts idle tables, opens those that are due, and notifies people whose turn it is."""

import asyncio
import gc
import logging

from fabletop.server.protocol.errors import ApiError
from fabletop.server.tables.actor import TableActor
from fabletop.server.tables.registry import OwnedElsewhere, Registry

log = logging.getLogger("fabletop.server")
SOME_GARBAGE, MUCH_GARBAGE = 100, 25_000
"""Collections of the youngest generation since the last full one."""
AT_A_TIME = 10
"""Tables that are swept before other tasks get their turn."""
DUE_AT_ONCE = 100
"""Tables that one sweep opens since a clock has run out or a bot has to move."""


class Sweeper:
    """Looks at all tables of a registry every few seconds."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self.services = registry.services
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Sweep in the background from now on."""
        background = self.services.background
        self._task = background.spawn(background.repeat(self.services.settings.sweep, self._sweep))

    async def close(self) -> None:
        """Stop."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _collect_garbage(self) -> None:
        """Run a full garbage collection while nobody plays; where somebody always does, once in a long while."""
        _, young, _ = gc.get_count()
        now, sweep = self.services.now(), self.services.settings.sweep
        quiet = all(now - actor.active_at > sweep for actor in self.registry.actors.values())
        if young > (SOME_GARBAGE if quiet else MUCH_GARBAGE):
            gc.collect()

    async def _sweep(self) -> None:
        """Evict idle tables; open those that are due, and those where a person must be notified of their turn. Other
        tasks get their turn in between."""
        self._collect_garbage()
        registry, store, notifier = self.registry, self.services.store, self.services.notifier
        for number, (table, actor) in enumerate(list(registry.actors.items())):
            if number % AT_A_TIME == 0:
                await asyncio.sleep(0)
            if registry.actors.get(table) is not actor:
                continue
            self._notify(actor)
            if actor.quiet():
                await registry.evict(table)
                if actor.table.head.lesson:
                    await store.delete(table)
        now = self.services.now()
        for table in await store.due(now, DUE_AT_ONCE + len(registry.broken)):
            await self._open_due(table)
        for table in await notifier.waiting(now, self.services.began):
            if not await self._open_due(table):
                notifier.postpone(table)

    async def _open_due(self, table: str) -> bool:
        """Open a table in order to go on with it; False where that is to be tried again."""
        registry = self.registry
        if table in registry.actors or table in registry.broken:
            return True
        try:
            self._notify(await registry.actor(table))  # at once: it may be evicted soon
        except OwnedElsewhere:
            pass
        except ApiError as refused:
            if refused.code == "busy":
                return False
            registry.broken.add(table)  # such as one of older rules, which every sweep would find again
        except Exception:  # its log cannot even be read; the others must be opened
            log.exception("table %s cannot be opened", table)
            registry.broken.add(table)
        return True

    def _notify(self, actor: TableActor) -> None:
        """Send notices to people who are asked and have been away for a while."""
        after, now, here = self.services.settings.notice_after, self.services.now(), actor.here()
        keys = {
            actor.table.seats[seat].key
            for seat in actor.table.asked()
            if actor.table.seats[seat].is_person
            and seat not in here
            and actor.away_for(seat) >= after
            and now - actor.table.asked_since[seat] >= after
        }
        if keys:
            self.services.notifier.call(actor.table.head.id, actor.table.head.game, keys)
