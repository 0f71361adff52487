"""The actor of a table: the one writer of its log.

Every change goes: check → fold into the table → append durably → acknowledge → publish. Messages are built when the
entry is folded, because only then the state is the one they describe, and sent when the store says that the entry is
durable. Until then nothing is sent; if the store refuses, the table is evicted and loaded again.
"""

import asyncio
from collections.abc import Callable, Sequence

from fabletop.server.limits import Buckets
from fabletop.server.protocol import wire
from fabletop.server.protocol.errors import ApiError, busy, moved
from fabletop.server.services import Services
from fabletop.server.stores.base import Append, ChatLine, Lost, StoreDown
from fabletop.server.stores.entries import Acted, Entry, Renewed, Sat, Stood, encode
from fabletop.server.tables.access import is_host, viewer_for
from fabletop.server.tables.chat import TableChat, says
from fabletop.server.tables.late_views import LateViews
from fabletop.server.tables.listing import listing_of
from fabletop.server.tables.messages import Renderer, find_words, table_now, welcome
from fabletop.server.tables.outbox import Mail, Outbox, durable
from fabletop.server.tables.presence import Presence
from fabletop.server.tables.subscriber import Stored, Subscriber
from fabletop.server.tables.table import Change, Table

COUNT_EVERY = 1.0
"""Seconds between two messages with the number of spectators."""


def nothing() -> None:
    """The callback of a table that nobody drives."""


def keys_in(table: Table, entries: Sequence[Entry]) -> tuple[list[str], list[str]]:
    """The keys that get a seat with these entries, and those that give one up."""
    got, given_up = [], []
    for entry in entries:
        match entry:
            case Acted():  # nearly all
                pass
            case Sat() if entry.key:
                got.append(entry.key)
            case Renewed():
                got.append(entry.key)
                given_up.append(entry.old)
            case Stood():
                given_up.append(table.seats[entry.seat].key)
    return got, given_up


class TableActor:
    """A table in memory."""

    def __init__(
        self,
        table: Table,
        fence: int,
        services: Services,
        chat: Sequence[ChatLine],
        on_end: Callable[[], None],
    ) -> None:
        self.table = table
        self.fence = fence
        self.services = services
        self.chat = TableChat(table, services, chat)
        self.presence = Presence(services)
        self.subscribers = self.presence.subscribers
        """The connections that look at the table."""
        self.outbox = Outbox(services)
        self.late_views = LateViews(table, services, self.presence.subscribers, self.outbox)
        self.hinting = False
        self.chances: dict[int, list[float]] = {}
        """The chances of the seats in a finished game, by place of its record, as far as somebody has asked."""
        self.finds_chances = asyncio.Lock()
        self.at_work = False
        """Is a bot about to move, for itself or for somebody whose time is out?"""
        self.reactions = Buckets(
            services.settings.reactions_per_minute / 60,
            services.settings.reactions_per_minute / 4,
            services.ticks,
        )
        self._announcing: asyncio.TimerHandle | None = None
        self.rematch: asyncio.Task[str] | None = None
        self.on_end = on_end
        self.on_change: Callable[[], None] = nothing
        self.active_at = services.now()
        self.error: ApiError | None = None

    # ---- subscribers ------------------------------------------------------------------------

    def here(self) -> list[int]:
        """The seats whose people are connected."""
        return self.presence.here()

    def away_for(self, seat: int) -> float:
        """Seconds for which the person of a seat has not been connected."""
        return self.presence.away_for(seat)

    async def show(self, subscriber: Subscriber, seat: int | None, seq: int | None, look: str = "") -> None:
        """Subscribe a socket, as a seat or as a spectator, and welcome it; `look` is the id of a `look`."""
        viewer = viewer_for(self.table, subscriber.key, seat)
        await find_words(self.table, viewer, seq, subscriber.preferences.lang)
        self.join(subscriber, seat, seq, look)

    def join(self, subscriber: Subscriber, seat: int | None, seq: int | None, look: str = "") -> None:
        """The same without giving others a turn in the event loop."""
        if self.error is not None:
            raise self.error
        viewer = viewer_for(self.table, subscriber.key, seat)
        changed = self.presence.add(subscriber, viewer, self.table.seats_of(subscriber.key))
        self._welcome(subscriber, seq, look)
        if changed:
            self._announce(but=subscriber)
        elif not subscriber.seats:
            self._announce_soon()
        self.on_change()

    def _welcome(self, subscriber: Subscriber, seq: int | None, look: str) -> None:
        message = welcome(
            self.table,
            subscriber.viewer,
            seats=subscriber.seats,
            present=self.presence.attendance(),
            seq=seq,
            now=self.services.now(),
            preferences=subscriber.preferences,
            chat=self.chat.shown() if subscriber.seats else [],
            run=self.services.run,
            host=is_host(self.table, subscriber.key),
            look=look,
        )
        subscriber.stale = False
        self.outbox.post(subscriber, wire.encode(message))

    def part(self, subscriber: Subscriber) -> None:
        """A socket is gone."""
        if subscriber not in self.subscribers:
            return
        self.active_at = self.services.now()
        if self.presence.remove(subscriber):
            self._announce()
        elif not subscriber.seats:
            self._announce_soon()
        self.on_change()

    def spread(self, line: ChatLine) -> None:
        """Send a stored line of chat to the people at the table, and to nobody else."""
        self.chat.add(line)
        data = wire.encode(says(line))
        for subscriber in self.subscribers:
            if subscriber.seats:
                self.outbox.post(subscriber, data)

    def show_reaction(self, seat: int, reaction: wire.Reaction) -> None:
        """Show a reaction to everybody who is connected."""
        data = wire.encode(wire.Reacted(seat, reaction))
        for subscriber in self.subscribers:
            self.outbox.post(subscriber, data)

    def _announce_soon(self) -> None:
        """Send the number of spectators, with a rate limit: many may come and go at once."""
        if self._announcing is None:
            self._announcing = asyncio.get_running_loop().call_later(COUNT_EVERY, self._announce)

    def _announce(self, but: Subscriber | None = None) -> None:
        """Send everybody the current table."""
        if self._announcing is not None:
            self._announcing.cancel()
            self._announcing = None
        data = self._table_says()
        for subscriber in self.subscribers:
            if subscriber is not but:
                self.outbox.post(subscriber, data)

    def _table_says(self) -> bytes:
        return wire.encode(wire.TableSays(table_now(self.table, self.presence.attendance())))

    # ---- writing ----------------------------------------------------------------------------

    def _address(self, change: Change, now: float, mail: Mail, sender: Subscriber | None, done: str) -> bool:
        """Write the messages about a change; True if the sender's own carries the acknowledgement."""
        acknowledged = False
        ticks, updates, renderer = self.services.ticks(), change.updates, Renderer(self.table, now)
        for subscriber in self.subscribers:
            update = updates.get(subscriber.viewer)
            if update is None:
                continue
            with_view = subscriber.views.take(ticks)
            subscriber.stale = not with_view
            if not with_view:
                self.late_views.later()
            own = ""
            if subscriber is sender:
                own, acknowledged = done, bool(done)
            mail.append((subscriber, renderer.message(update, subscriber.preferences, with_view, own)))
        if change.table:
            data = self._table_says()
            mail.extend((subscriber, data) for subscriber in self.subscribers)
        return acknowledged

    def put(
        self,
        *entries: Entry,
        subscriber: Subscriber | None = None,
        done: str = "",
        since: float | None = None,
        action: int | None = None,
    ) -> tuple[Stored, bool]:
        """Fold entries that have been checked, and store them; then notify the subscribers concerned.

        `action` is the number of a checked action. The second result is True where the update to `subscriber` carries
        the acknowledgement of `done`: then there is nothing to wait for, and if the store refuses, the subscriber is
        ended with all others.
        """
        if self.error is not None:
            raise self.error
        table, mail, now = self.table, Mail(), self.services.now()
        length = table.length
        acknowledged = False
        keys, given_up = keys_in(table, entries)
        try:
            for entry in entries:
                change = table.fold(entry, action)
                acknowledged = self._address(change, now, mail, subscriber, done) or acknowledged
        except Exception:
            self.fail(busy())  # it may have been folded, and will not be stored
            raise
        stored = self.services.store.append(
            Append(
                table.head.id,
                self.fence,
                length,
                [encode(entry) for entry in entries],
                listing_of(table),
                keys,
                [key for key in given_up if not table.seats_of(key)],
            )
        )
        if subscriber is not None:
            subscriber.last_stored = stored
        self.outbox.add(stored, mail, since)
        self.active_at = now
        stored.add_done_callback(self._stored)
        return stored, acknowledged

    async def write(self, *entries: Entry, subscriber: Subscriber | None = None, done: str = "") -> bool:
        """Put entries and wait until they are durable; True where `done` has been acknowledged."""
        stored, acknowledged = self.put(*entries, subscriber=subscriber, done=done)
        await durable(stored)
        return acknowledged

    async def caught_up(self) -> None:
        """Wait until everything that has been folded is durable: only then it may be sent."""
        await self.outbox.empty()

    def _stored(self, _: Stored) -> None:
        """Something has become durable: send what waited for it."""
        try:
            if not self.outbox.flush():
                return
        except Lost:
            self.fail(moved())
            return
        except StoreDown:
            self.fail(busy())
            return
        except Exception:
            self.fail(busy())
            raise
        table = self.table
        if table.sitting is not None and table.length - table.kept >= self.services.settings.snapshot_every:
            table.kept = table.length
            self.services.spawn(self.services.store.snapshot(table.head.id, table.snapshot()))
        self.on_change()

    @property
    def settled(self) -> bool:
        """Is everything stored?"""
        return not self.outbox

    # ---- the end ----------------------------------------------------------------------------

    def fail(self, error: ApiError) -> None:
        """Evict the table: its last entries were not stored, so it must be loaded again."""
        if self.error is not None:
            return
        self.error = error
        self.outbox.clear()
        self._stop_timers()
        for subscriber in list(self.subscribers):
            subscriber.end(wire.Bye(error.message, again=True))
        self.subscribers.clear()
        self.on_end()

    def _stop_timers(self) -> None:
        self.late_views.stop()
        if self._announcing is not None:
            self._announcing.cancel()
            self._announcing = None

    def quiet(self) -> bool:
        """May the table be evicted?"""
        return (
            not self.subscribers
            and not self.outbox
            and not self.at_work
            and self.services.now() - self.active_at
            > self.services.settings.idle + self.services.settings.sweep
        )

    def stop(self) -> None:
        """The table is evicted. Its callbacks are dropped, so that no cycle keeps its memory until the next garbage
        collection."""
        self._stop_timers()
        self.on_change = self.on_end = nothing
