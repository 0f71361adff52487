"""The desk: finds tables. Each is in the memory of one worker only, the one that the store says owns it."""

import asyncio
import gc
import logging
from collections.abc import Sequence

from fabletop.server.protocol import wire
from fabletop.server.protocol.errors import ApiError, busy, moved, unknown_table
from fabletop.server.services import Services
from fabletop.server.stores.base import Listing, Lost, StoreDown
from fabletop.server.stores.entries import Followed, encode
from fabletop.server.tables.access import seat_for
from fabletop.server.tables.actor import TableActor
from fabletop.server.tables.chat import SHOWN
from fabletop.server.tables.creation import Made, rematch_of
from fabletop.server.tables.driver import Driver
from fabletop.server.tables.listing import listing_of
from fabletop.server.tables.table import CLOSED, OVER, Table, opened

log = logging.getLogger("fabletop.server")
SOME_GARBAGE, MUCH_GARBAGE = 100, 25_000
"""How often young objects have been looked through since the last time all were."""
AT_A_TIME = 10
"""Tables that are looked after without a pause."""
DUE_AT_ONCE = 100
"""Tables that are opened in one sweep since a clock has run out or a bot has to move."""
AWAY_AT_ONCE = 100
"""Tables that are put away together when the server stops."""


class OwnedElsewhere(Exception):
    """Another worker owns the table."""

    def __init__(self, home: str) -> None:
        super().__init__(home)
        self.home = home


class Registry:
    """The tables of one worker."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.actors: dict[str, TableActor] = {}
        self.drivers: dict[str, Driver] = {}
        self._opening: dict[str, asyncio.Future[TableActor]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._broken: set[str] = set()
        """Tables that cannot be opened, which the sweeper has found out."""
        self.closing = False

    # ---- finding ----------------------------------------------------------------------------

    async def actor(self, table: str) -> TableActor:
        """The table, opened if need be; Elsewhere where another worker has it."""
        found = self.actors.get(table)
        if found is not None:
            return found
        if self.closing:
            raise busy()
        waiting = self._opening.get(table)
        if waiting is None:
            waiting = asyncio.ensure_future(self._open(table))
            self._opening[table] = waiting
            waiting.add_done_callback(lambda _: self._opening.pop(table, None))
        return await asyncio.shield(waiting)

    async def _open(self, table: str) -> TableActor:
        services = self.services
        if len(self.actors) >= services.settings.tables_in_memory:
            raise ApiError("busy", "this server has as many tables open as it can; try again later")
        began = services.ticks()
        try:
            claim = await services.store.claim(table, services.settings.worker, services.now())
            if claim is None:
                raise unknown_table()
            if claim.home != services.settings.worker:
                raise OwnedElsewhere(claim.home)
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
            self._broken.add(table)
            raise ApiError(
                "fault",
                "this table cannot be opened: its log does not replay. The operator finds why in the server's log",
            ) from None
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

    async def put_away(self, table: str) -> None:
        """Give the table up, and forget it."""
        actor = self.actors.get(table)
        if actor is None:
            return
        self._forget(table, actor)
        try:
            await self.services.store.release(table, self.services.settings.worker, actor.fence)
        except (StoreDown, Lost):
            log.warning("a table could not be put away in order; its log is complete")

    async def _put_all_away(self, tables: Sequence[str]) -> None:
        """Put tables away, several at a time, so that they share their commits."""
        for start in range(0, len(tables), AWAY_AT_ONCE):
            await asyncio.gather(*map(self.put_away, tables[start : start + AWAY_AT_ONCE]))

    # ---- making -----------------------------------------------------------------------------

    async def make(self, made: Made) -> wire.Done:
        """Store a new table; its tokens are told once, here."""
        table = Table(made.head)
        for index, entry in enumerate(made.entries):
            table.fold(entry)
            if index % 100 == 99:
                await asyncio.sleep(0)
        listing = listing_of(table)
        keys = sorted({seat.key for seat in table.seats if seat.key})
        await self._create(made, listing, keys)
        if table.sitting is not None and table.length >= self.services.settings.snapshot_every:
            await self.services.store.snapshot(made.head.id, table.snapshot())
        self.services.metrics.made.labels(made.head.game).inc()
        return wire.Done(table=made.head.id, host=made.host, token=made.token, seat=made.seat)

    async def _create(self, made: Made, listing: Listing, keys: Sequence[str]) -> None:
        try:
            await self.services.store.create(made.head, [encode(e) for e in made.entries], listing, keys)
        except StoreDown:
            raise busy() from None

    async def rematch(self, actor: TableActor, key: str) -> wire.Done:
        """A new table for the same people; whoever asks second is told of the first one's."""
        seat_for(actor.table, key, None)
        if actor.table.sitting is None or actor.table.status not in (OVER, CLOSED):
            raise ApiError("not_playing", "a rematch is for games that are over")
        if actor.table.followed:
            return wire.Done(table=actor.table.followed)
        if actor.rematch is None or actor.rematch.done():
            actor.rematch = self.services.spawn(self._follow(actor))
        return wire.Done(table=await asyncio.shield(actor.rematch))

    async def _follow(self, actor: TableActor) -> str:
        """Make the table that follows; its id."""
        made = rematch_of(actor.table, self.services.now())
        await self.make(made)
        await actor.write(Followed(self.services.now(), made.head.id))
        return made.head.id

    # ---- looking after ----------------------------------------------------------------------

    def start(self) -> None:
        """Begin to look after tables."""
        self._tasks = [asyncio.ensure_future(self._sweep()), asyncio.ensure_future(self._live_on())]

    async def _live_on(self) -> None:
        """Say that this worker lives, so that nobody takes its tables."""
        settings, held = self.services.settings, self.services.ticks() + self.services.settings.lease
        while True:
            now = self.services.ticks()
            if now > held:
                self._give_up_all()
            try:
                await self.services.store.alive(settings.worker, self.services.now() + settings.lease)
                held = now + settings.lease
            except StoreDown:
                log.warning("the store does not answer")
            except Exception:  # whatever it is, the next sign of life must be given
                log.exception("no sign of life could be given")
            await asyncio.sleep(settings.lease / 3)

    def _give_up_all(self) -> None:
        """Others may have taken our tables while we gave no sign of life: whoever wants one here opens it anew."""
        log.warning("no sign of life for too long; all tables are opened anew")
        for actor in list(self.actors.values()):
            actor.fail(moved())

    async def _sweep(self) -> None:
        """Again and again, look after the tables that nobody looks at."""
        while True:
            await asyncio.sleep(self.services.settings.sweep)
            self._tidy()
            try:
                await self._look_after()
            except StoreDown:
                log.warning("the store does not answer")
            except Exception:  # one bad table must not keep the others from being looked after
                log.exception("looking after the tables failed")

    def _tidy(self) -> None:
        """Collect old garbage when there is some and nobody plays; when somebody always does, once in a long while."""
        _, young, _ = gc.get_count()
        now, sweep = self.services.now(), self.services.settings.sweep
        quiet = all(now - actor.touched_at > sweep for actor in self.actors.values())
        if young > (SOME_GARBAGE if quiet else MUCH_GARBAGE):
            gc.collect()

    async def _look_after(self) -> None:
        """Put away what nobody looks at; open what is due, and where somebody must be told that it is their turn.
        Tables are many: those who play go on in between."""
        for number, (table, actor) in enumerate(list(self.actors.items())):
            if number % AT_A_TIME == 0:
                await asyncio.sleep(0)
            if self.actors.get(table) is not actor:
                continue
            self._call_the_absent(actor)
            if actor.quiet():
                await self.put_away(table)
        now = self.services.now()
        due = await self.services.store.due(now, DUE_AT_ONCE + len(self._broken))
        for table in [*due, *await self.services.notices.waiting(now, self.services.began)]:
            if table in self.actors or table in self._broken:
                continue
            try:
                self._call_the_absent(await self.actor(table))  # at once: it may be put away soon
            except OwnedElsewhere:
                pass
            except ApiError as refused:
                if (
                    refused.code != "busy"
                ):  # such as one of older rules: it would stand in the way of the others
                    self._broken.add(table)
            except Exception:  # its log cannot even be read; the others must be looked after
                log.exception("table %s cannot be opened", table)
                self._broken.add(table)

    def _call_the_absent(self, actor: TableActor) -> None:
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
            self.services.notices.call(actor.table.head.id, actor.table.head.game, keys)

    async def close(self) -> None:
        """Put all tables away."""
        self.closing = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        actors = list(self.actors.values())
        deadline = self.services.ticks() + self.services.settings.drain
        while not all(actor.settled for actor in actors) and self.services.ticks() < deadline:
            await asyncio.sleep(0.005)
        for actor in actors:
            for subscriber in list(actor.subscribers):
                subscriber.end(wire.Bye("the server is restarting; connect again in a moment", again=True))
            actor.subscribers.clear()
        await self._put_all_away(list(self.actors))
        try:
            await self.services.store.alive(self.services.settings.worker, 0.0)
        except StoreDown:
            log.warning("the store does not answer")
