"""The desk: finds tables. Each is in the memory of one worker only, the one that the store says owns it."""

import asyncio
import gc
import logging
from collections.abc import Sequence

from fabletop.server.protocol import wire
from fabletop.server.protocol.errors import Refused, busy, moved, unknown_table
from fabletop.server.services import House
from fabletop.server.stores.base import Listing, Lost, StoreDown
from fabletop.server.stores.entries import Followed, encode
from fabletop.server.tables.actor import CHAT_SHOWN, Live, listing_of
from fabletop.server.tables.creation import Made, rematch_of
from fabletop.server.tables.driver import Minder
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


class Elsewhere(Exception):
    """Another worker owns the table."""

    def __init__(self, home: str) -> None:
        super().__init__(home)
        self.home = home


class Desk:
    """The tables of one worker."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.lives: dict[str, Live] = {}
        self.minders: dict[str, Minder] = {}
        self._opening: dict[str, asyncio.Future[Live]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._broken: set[str] = set()
        """Tables that cannot be opened, which the sweeper has found out."""
        self.closing = False

    # ---- finding ----------------------------------------------------------------------------

    async def live(self, table: str) -> Live:
        """The table, opened if need be; Elsewhere where another worker has it."""
        found = self.lives.get(table)
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

    async def _open(self, table: str) -> Live:
        house = self.house
        if len(self.lives) >= house.settings.tables_in_memory:
            raise Refused("busy", "this server has as many tables open as it can; try again later")
        began = house.ticks()
        try:
            claim = await house.store.claim(table, house.settings.worker, house.now())
            if claim is None:
                raise unknown_table()
            if claim.home != house.settings.worker:
                raise Elsewhere(claim.home)
            loaded = await house.store.load(table)
            if loaded is None:
                raise unknown_table()
            chat = await house.store.chat(table, CHAT_SHOWN)
        except StoreDown:
            raise busy() from None
        try:
            folded = opened(loaded.head, loaded.entries, loaded.snapshot)
        except Refused:
            raise
        except Exception:
            log.exception("table %s cannot be opened from its log", table)
            self.house.metrics.faults.inc()
            self._broken.add(table)
            raise Refused("fault", "this table cannot be opened; its host has been told") from None
        live = Live(folded, claim.fence, house, chat, lambda: self._forget(table, live))
        self.lives[table] = live
        self.minders[table] = Minder(live, house.now())
        self.minders[table].look()
        house.metrics.load_seconds.observe(house.ticks() - began)
        house.metrics.tables.set(len(self.lives))
        return live

    def _forget(self, table: str, live: Live) -> None:
        if self.lives.get(table) is live:
            del self.lives[table]
            self.minders.pop(table).stop()
            live.stop()
            self.house.metrics.tables.set(len(self.lives))

    async def put_away(self, table: str) -> None:
        """Give the table up, and forget it."""
        live = self.lives.get(table)
        if live is None:
            return
        self._forget(table, live)
        try:
            await self.house.store.release(table, self.house.settings.worker, live.fence)
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
        if table.sitting is not None and table.length >= self.house.settings.snapshot_every:
            await self.house.store.snapshot(made.head.id, table.snapshot())
        self.house.metrics.made.labels(made.head.game).inc()
        return wire.Done(table=made.head.id, host=made.host, token=made.token, seat=made.seat)

    async def _create(self, made: Made, listing: Listing, keys: Sequence[str]) -> None:
        try:
            await self.house.store.create(made.head, [encode(e) for e in made.entries], listing, keys)
        except StoreDown:
            raise busy() from None

    async def rematch(self, live: Live, key: str) -> wire.Done:
        """A new table for the same people; whoever asks second is told of the first one's."""
        live.seat_for(key, None)
        if live.table.sitting is None or live.table.status not in (OVER, CLOSED):
            raise Refused("not_playing", "a rematch is for games that are over")
        if live.table.followed:
            return wire.Done(table=live.table.followed)
        if live.rematch is None or live.rematch.done():
            live.rematch = self.house.spawn(self._follow(live))
        return wire.Done(table=await asyncio.shield(live.rematch))

    async def _follow(self, live: Live) -> str:
        """Make the table that follows; its id."""
        made = rematch_of(live.table, self.house.now())
        await self.make(made)
        await live.write(Followed(self.house.now(), made.head.id))
        return made.head.id

    # ---- looking after ----------------------------------------------------------------------

    def start(self) -> None:
        """Begin to look after tables."""
        self._tasks = [asyncio.ensure_future(self._sweep()), asyncio.ensure_future(self._live_on())]

    async def _live_on(self) -> None:
        """Say that this worker lives, so that nobody takes its tables."""
        settings, held = self.house.settings, self.house.ticks() + self.house.settings.lease
        while True:
            now = self.house.ticks()
            if now > held:
                self._give_up_all()
            try:
                await self.house.store.alive(settings.worker, self.house.now() + settings.lease)
                held = now + settings.lease
            except StoreDown:
                log.warning("the store does not answer")
            except Exception:  # whatever it is, the next sign of life must be given
                log.exception("no sign of life could be given")
            await asyncio.sleep(settings.lease / 3)

    def _give_up_all(self) -> None:
        """Others may have taken our tables while we gave no sign of life: whoever wants one here opens it anew."""
        log.warning("no sign of life for too long; all tables are opened anew")
        for live in list(self.lives.values()):
            live.fail(moved())

    async def _sweep(self) -> None:
        """Again and again, look after the tables that nobody looks at."""
        while True:
            await asyncio.sleep(self.house.settings.sweep)
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
        now, sweep = self.house.now(), self.house.settings.sweep
        quiet = all(now - live.touched_at > sweep for live in self.lives.values())
        if young > (SOME_GARBAGE if quiet else MUCH_GARBAGE):
            gc.collect()

    async def _look_after(self) -> None:
        """Put away what nobody looks at; open what is due, and where somebody must be told that it is their turn.
        Tables are many: those who play go on in between."""
        for number, (table, live) in enumerate(list(self.lives.items())):
            if number % AT_A_TIME == 0:
                await asyncio.sleep(0)
            if self.lives.get(table) is not live:
                continue
            self._call_the_absent(live)
            if live.quiet():
                await self.put_away(table)
        now = self.house.now()
        due = await self.house.store.due(now, DUE_AT_ONCE + len(self._broken))
        for table in [*due, *await self.house.notices.waiting(now, self.house.began)]:
            if table in self.lives or table in self._broken:
                continue
            try:
                self._call_the_absent(await self.live(table))  # at once: it may be put away soon
            except Elsewhere:
                pass
            except Refused as refused:
                if (
                    refused.code != "busy"
                ):  # such as one of older rules: it would stand in the way of the others
                    self._broken.add(table)
            except Exception:  # its log cannot even be read; the others must be looked after
                log.exception("table %s cannot be opened", table)
                self._broken.add(table)

    def _call_the_absent(self, live: Live) -> None:
        """Send notices to people who are asked and have been away for a while."""
        after, now, here = self.house.settings.notice_after, self.house.now(), live.here()
        keys = {
            live.table.seats[seat].key
            for seat in live.table.asked()
            if live.table.seats[seat].is_person
            and seat not in here
            and live.away_for(seat) >= after
            and now - live.table.asked_since[seat] >= after
        }
        if keys:
            self.house.notices.call(live.table.head.id, live.table.head.game, keys)

    async def close(self) -> None:
        """Put all tables away."""
        self.closing = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        lives = list(self.lives.values())
        deadline = self.house.ticks() + self.house.settings.drain
        while not all(live.settled for live in lives) and self.house.ticks() < deadline:
            await asyncio.sleep(0.005)
        for live in lives:
            for line in list(live.lines):
                line.end(wire.Bye("the server is restarting; connect again in a moment", again=True))
            live.lines.clear()
        await self._put_all_away(list(self.lives))
        try:
            await self.house.store.alive(self.house.settings.worker, 0.0)
        except StoreDown:
            log.warning("the store does not answer")
