"""The registry of open tables. Each table is in the memory of one worker only, the one that the store says owns it.

A worker answers from memory only while it holds its lease. When the lease runs out, all tables are evicted at once.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

from fabletop.server.limits import CLIENT
from fabletop.server.protocol import wire
from fabletop.server.protocol.errors import ApiError, busy, moved, unknown_table, worded
from fabletop.server.services import Services
from fabletop.server.stores.base import Listing, StoreDown
from fabletop.server.stores.entries import Followed, Sat, encode
from fabletop.server.tables.actor import TableActor
from fabletop.server.tables.chat import SHOWN
from fabletop.server.tables.creation import Draft, Maker, fresh_maker, rematch_of
from fabletop.server.tables.driver import Driver
from fabletop.server.tables.listing import listing_of
from fabletop.server.tables.table import Table, opened
from fabletop.server.tables.tokens import hashed

log = logging.getLogger("fabletop.server")
EVICTED_AT_ONCE = 100
"""Tables that are released together when the server stops."""


class OwnedElsewhere(Exception):
    """Another worker owns the table; `address` is that of its internal listener."""

    def __init__(self, home: str, address: str) -> None:
        super().__init__(home)
        self.home = home
        self.address = address


class Registry:
    """The tables of one worker."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.lease = services.lease
        self.lease.on_lapse = self._evict_all
        self.actors: dict[str, TableActor] = {}
        self.drivers: dict[str, Driver] = {}
        self._opening: dict[str, asyncio.Future[TableActor]] = {}
        self.broken: set[str] = set()
        """Tables that cannot be opened: the sweeper does not try them again."""
        self.closing = False

    # ---- finding ----------------------------------------------------------------------------

    async def actor(self, table: str) -> TableActor:
        """The table, opened if need be; OwnedElsewhere where another worker has it."""
        if not self.lease.held():
            raise busy()
        actor = self.actors.get(table)
        if actor is not None:
            return actor
        if self.closing:
            raise busy()
        waiting = self._opening.get(table)
        if waiting is None:
            waiting = asyncio.ensure_future(self._open(table))
            self._opening[table] = waiting
            waiting.add_done_callback(lambda _: self._opening.pop(table, None))
        return await asyncio.shield(waiting)

    def check(self, actor: TableActor) -> None:
        """Raise unless this worker may answer for the table now: called last, right before an answer is sent."""
        if not self.lease.held():
            raise moved()
        if actor.error is not None:
            raise actor.error

    async def _open(self, table: str) -> TableActor:
        services, lapses = self.services, self.lease.lapses
        if len(self.actors) >= services.settings.tables_in_memory:
            raise worded("busy", "server_full")
        began = services.ticks()
        try:
            claim = await services.store.claim(table, services.settings.worker, self.lease.dead())
            if claim is None:
                raise unknown_table()
            if claim.home != services.settings.worker:
                raise OwnedElsewhere(claim.home, claim.address)
            loaded = await services.store.load(table)
            if loaded is None:
                raise unknown_table()
            chat = await services.store.chat(table, SHOWN)
        except StoreDown:
            raise busy() from None
        try:
            folded = opened(loaded.head, loaded.entries, loaded.snapshot)
        except ApiError:
            raise
        except Exception:
            log.exception("table %s cannot be opened from its log", table)
            self.services.metrics.faults.inc()
            self.broken.add(table)
            raise ApiError(
                "fault",
                "this table cannot be opened: its log does not replay. The operator finds why in the server's log",
            ) from None
        if not self.lease.held() or self.lease.lapses != lapses:
            raise busy()  # another worker may have claimed it since
        actor = TableActor(folded, claim.fence, services, chat, lambda: self._forget(table, actor))
        self.actors[table] = actor
        self.drivers[table] = Driver(actor, services.now())
        self.drivers[table].look()
        services.metrics.load_seconds.observe(services.ticks() - began)
        services.metrics.tables.set(len(self.actors))
        return actor

    def _forget(self, table: str, actor: TableActor) -> None:
        if self.actors.get(table) is actor:
            del self.actors[table]
            self.drivers.pop(table).stop()
            actor.stop()
            self.services.metrics.tables.set(len(self.actors))

    async def evict(self, table: str) -> None:
        """Release the table, and forget it."""
        actor = self.actors.get(table)
        if actor is None:
            return
        self._forget(table, actor)
        try:
            await self.services.store.release(table, self.services.settings.worker, actor.fence)
        except StoreDown as error:
            # its log is complete, and it is ours until we open it or our lease runs out
            self.services.background.failed(error)

    def _evict_all(self) -> None:
        """The lease has run out, so others may own our tables: their clients must connect again."""
        for actor in list(self.actors.values()):
            try:
                actor.fail(moved())
            except Exception as error:  # the others must be evicted
                self.services.background.failed(error)

    # ---- making -----------------------------------------------------------------------------

    async def make(self, maker: Maker, prepare: Callable[[], Awaitable[Draft]]) -> wire.Done:
        """Store a new table and return its tokens. A request that has made its table already gets the same answer.
        All new tables come this way, and are counted here, before the work of making one is done."""
        before = await self._made_before(maker)
        if before is not None:
            return before
        if not self.services.creation_limit.take(CLIENT.get()):
            raise worded("too_many", "tables_limit")
        draft = await prepare()
        table = Table(draft.head)
        for index, entry in enumerate(draft.entries):
            table.fold(entry)
            if index % 100 == 99:
                await asyncio.sleep(0)
        listing = listing_of(table)
        keys = sorted({seat.key for seat in table.seats if seat.key})
        if not await self._create(draft, listing, keys):
            raise busy()  # another request has just made it: the next attempt finds it
        if table.sitting is not None and table.length >= self.services.settings.snapshot_every:
            self.services.spawn(self.services.store.snapshot(draft.head.id, table.snapshot()))
        self.services.metrics.made.labels(draft.head.game).inc()
        return wire.Done(maker.id, table=draft.head.id, host=draft.host, token=draft.token, seat=draft.seat)

    async def _made_before(self, maker: Maker) -> wire.Done | None:
        """The answer to a request that has made its table already; None where it has not, or has no id."""
        if not maker.id:
            return None
        try:
            stored = await self.services.store.load(maker.table)
        except StoreDown:
            raise busy() from None
        if stored is None:
            return None
        if stored.head.meant != maker.meant:
            raise ApiError("bad_message", f"the id {maker.id!r} was used for something else")
        key = hashed(maker.token)
        seats = [entry.seat for entry in stored.entries if isinstance(entry, Sat) and entry.key == key]
        seat, token = (seats[0], maker.token) if seats else (None, "")
        return wire.Done(maker.id, table=maker.table, host=maker.host, token=token, seat=seat)

    async def _create(self, draft: Draft, listing: Listing, keys: Sequence[str]) -> bool:
        try:
            return await self.services.store.create(
                draft.head, [encode(e) for e in draft.entries], listing, keys
            )
        except StoreDown:
            raise busy() from None

    async def follow(self, actor: TableActor) -> str:
        """The table of the rematch: a new one, or for a second request that of the first."""
        if actor.rematch is None or actor.rematch.done():
            actor.rematch = asyncio.ensure_future(self._follow(actor))
        return await asyncio.shield(actor.rematch)

    async def _follow(self, actor: TableActor) -> str:
        """Make the table that follows; its id."""
        maker = fresh_maker()

        async def prepare() -> Draft:
            return rematch_of(actor.table, maker, self.services.now())

        await self.make(maker, prepare)
        await actor.write(Followed(self.services.now(), maker.table))
        return maker.table

    # ---- the end ----------------------------------------------------------------------------

    async def close(self) -> None:
        """Evict all tables."""
        self.closing = True
        actors = list(self.actors.values())
        deadline = self.services.ticks() + self.services.settings.drain
        while not all(actor.settled for actor in actors) and self.services.ticks() < deadline:
            await asyncio.sleep(0.005)
        for actor in actors:
            for subscriber in list(actor.subscribers):
                subscriber.end(wire.Bye("the server is restarting; connect again in a moment", again=True))
            actor.subscribers.clear()
        tables = list(self.actors)
        # several at a time, so that they share their commits
        for start in range(0, len(tables), EVICTED_AT_ONCE):
            await asyncio.gather(*map(self.evict, tables[start : start + EVICTED_AT_ONCE]))
