"""A worker's lease: the time for which it may answer from memory, renewed by heartbeats in the database.

Nothing here reads a wall clock. A worker holds its lease for `seconds` from the moment *before* a heartbeat was sent.
Another worker takes its tables over only after it has seen the same heartbeat for `seconds` on its own clock, which is
later. A lease that has run out is never taken up again: everything in memory is evicted first.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from functools import partial

from fabletop.server.stores.background import Background
from fabletop.server.stores.base import Store, StoreDown, Worker

log = logging.getLogger("fabletop.server")
BEATS_PER_LEASE = 3
MOST_PENDING = 3
"""Heartbeats that may wait for the database at once: one connection that hangs must not cost the lease."""


boot_time: Callable[[], float] = (
    partial(time.clock_gettime, time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic
)
"""Seconds that only go forward, also while the machine sleeps."""


def nothing() -> None:
    """Do nothing."""


class Lease:
    """The lease of one worker, and what it knows of the other workers. `clock` is replaced in tests."""

    def __init__(self, store: Store, worker: str, run: str, seconds: float, background: Background) -> None:
        self.store = store
        self.background = background
        self.worker = worker
        self.run = run
        self.seconds = seconds
        self.clock: Callable[[], float] = boot_time
        self.on_lapse: Callable[[], None] = nothing
        self.lapses = 0
        """How often the lease has run out: what was begun under an earlier count must not be kept."""
        self._until: float | None = None
        self._written = False
        """Has the last heartbeat been written?"""
        self._seen: dict[str, tuple[Worker, float]] = {}
        self._task: asyncio.Task[None] | None = None
        self._pending: set[asyncio.Task[None]] = set()

    # ---- what others ask ----------------------------------------------------------------------

    def held(self) -> bool:
        """May this worker answer from memory now? If the lease has just run out, everything is evicted first."""
        if self._until is None:
            return False
        if self.clock() < self._until:
            return True
        self._lapse()
        return False

    @property
    def fresh(self) -> bool:
        """Was the last heartbeat written, and is the lease held? The heartbeat is the probe of the database."""
        return self._written and self.held()

    def peers(self) -> list[Worker]:
        """The other workers that are alive as far as this one knows."""
        now = self.clock()
        return [
            worker
            for name, (worker, seen) in self._seen.items()
            if name != self.worker and now - seen < self.seconds
        ]

    def dead(self) -> list[Worker]:
        """Workers whose heartbeat has not changed for a whole lease, each with that heartbeat."""
        now = self.clock()
        return [worker for worker, seen in self._seen.values() if now - seen >= self.seconds]

    def has_lapsed(self, worker: str) -> bool:
        """Is this worker known, and has its heartbeat not changed for a whole lease?"""
        return any(row.id == worker for row in self.dead())

    # ---- heartbeats ---------------------------------------------------------------------------

    async def start(self, address: str) -> None:
        """Enter this worker in the database, and renew its lease from now on."""
        await self.store.enlist(Worker(self.worker, self.run, 0, address))
        await self.beat()
        self._task = self.background.spawn(self.background.repeat(self.seconds / BEATS_PER_LEASE, self._keep))

    async def close(self) -> None:
        """Stop renewing, and tell the others that this worker is gone."""
        tasks = [task for task in (self._task, *self._pending) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._until = None
        try:
            async with asyncio.timeout(self.seconds):
                await self.store.retire(self.worker, self.run)
        except (StoreDown, TimeoutError):
            log.warning("the database does not answer; other workers wait for the lease to run out")

    async def _keep(self) -> None:
        """Send the next heartbeat, whether or not the one before has been answered."""
        self.held()  # so that a lease which runs out is noticed even where nobody asks
        if self._pending:
            self._written = False
        self._send()

    def _send(self) -> None:
        """Send a heartbeat in the background."""
        if len(self._pending) < MOST_PENDING:
            task = self.background.spawn(self.beat())
            self._pending.add(task)
            task.add_done_callback(self._pending.discard)

    async def beat(self) -> None:
        """Send one heartbeat, and note what the database says."""
        sent = self.clock()
        try:
            workers = await self.store.heartbeat(self.worker, self.run)
        except Exception as error:
            self._written = False
            self.background.failed(error)
            return
        self.background.store_answers()
        if not any(row.id == self.worker and row.run == self.run for row in workers):
            self._written = False
            self._lapse()
            log.error(
                "another server uses the name %s on the same database, so this one serves no tables; give each"
                " server its own --name",
                self.worker,
            )
            return
        self._note(workers)
        self._renewed(sent)

    def _renewed(self, sent: float) -> None:
        """Hold the lease for its whole length from the moment the heartbeat was sent."""
        if self._until is not None and self.clock() >= self._until:
            self._lapse()  # it ran out before the answer came: others may have taken over
        self._written = True
        until = sent + self.seconds
        if until > max(self.clock(), self._until or 0.0):
            self._until = until
            asyncio.get_running_loop().call_later(until - self.clock(), self.held)

    def _lapse(self) -> None:
        if self._until is None:
            return
        self._until = None
        self.lapses += 1
        log.warning("the lease of this worker has run out; all its tables are evicted")
        self.on_lapse()
        if self._task is not None and not self._task.done():
            self._send()  # at once, so that clients which connect again need not wait for the next one

    def _note(self, workers: list[Worker]) -> None:
        """Note when each worker's heartbeat was first seen."""
        now, before = self.clock(), self._seen
        self._seen = {
            worker.id: (
                before[worker.id] if worker.id in before and before[worker.id][0] == worker else (worker, now)
            )
            for worker in workers
        }
