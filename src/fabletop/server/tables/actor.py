"""A live table: the one writer of its log, the lines to those who look at it, and what waits to be stored.

The way of every change: check → fold into the table → append durably → acknowledge → publish. Letters are written
when the entry is folded, since only then the state is the one they tell of, and posted when the store says that it is
durable. Until then nobody has heard of it; if the store refuses, the table is forgotten and loaded anew.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

from fabletop.server.limits import Bucket
from fabletop.server.protocol import wire
from fabletop.server.protocol.errors import ApiError, busy, moved
from fabletop.server.services import Services
from fabletop.server.stores.base import Append, ChatLine, Listing, Lost
from fabletop.server.stores.entries import Entry, Renewed, Sat, Stood, encode
from fabletop.server.tables.messages import (
    PLAIN,
    Preferences,
    Renderer,
    find_words,
    seconds_left,
    table_now,
    welcome,
)
from fabletop.server.tables.table import OPEN, Change, Table

CHAT_SHOWN = 100
WITH_KEY = (Sat, Renewed)


Stored = asyncio.Future[None]


def nothing() -> None:
    """What is done where nobody looks after a table."""


class Subscriber:
    """One socket that looks at a table. `viewer` is the seat it looks from, None a spectator's.

    `views` says whether an update may carry a view; one that may not makes what the line shows `stale`. It is counted
    for each line apart: a count for the whole table would tell of what this viewer does not hear.
    """

    __slots__ = (
        "end",
        "household",
        "key",
        "last_stored",
        "preferences",
        "seats",
        "send",
        "stale",
        "viewer",
        "views",
    )

    def __init__(
        self,
        send: Callable[[bytes], None],
        end: Callable[[wire.Bye], None],
        views: Bucket,
        *,
        key: str = "",
        preferences: Preferences = PLAIN,
        household: str = "",
    ) -> None:
        self.send = send
        self.end = end
        self.key = key
        self.household = household
        self.preferences = preferences
        self.viewer: int | None = None
        self.seats: tuple[int, ...] = ()
        self.views = views
        self.stale = False
        self.last_stored: Stored | None = None
        """What this line has last had written; done when it is durable."""


Mail = list[tuple[Subscriber, bytes]]


class Waiting(NamedTuple):
    """Letters that wait for the store, or behind others that do; `since`: a person's action came then."""

    stored: Stored | None
    mail: Mail
    since: float | None = None


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
        self.chat = deque(chat, maxlen=CHAT_SHOWN)
        self.last_said = chat[-1].n if chat else 0
        """The number of the last line of chat that somebody has begun to say."""
        self.talk: dict[str, Bucket] = {}
        self.hinting = False
        self.at_work = False
        """Is a bot about to move, for itself or for somebody whose time is out?"""
        self.rematch: asyncio.Task[str] | None = None
        self.on_end = on_end
        self.subscribers: list[Subscriber] = []
        self.gone_at: dict[int, float] = {}
        self.touched_at = services.now()
        self.error: ApiError | None = None
        self.on_change: Callable[[], None] = nothing
        self._outbox: deque[Waiting] = deque()
        self._views: asyncio.TimerHandle | None = None

    # ---- who looks --------------------------------------------------------------------------

    def seat_for(self, key: str, seat: int | None) -> int:
        """The seat that a token speaks for; where it opens several, one of them must be named."""
        if seat is not None and self.table.opens(key, seat):
            return seat
        seats = self.table.seats_of(key)
        if not seats:
            raise ApiError("not_allowed", "this token opens no seat at this table")
        if seat is None:
            asked = [s for s in seats if self.table.cursors[s].choice >= 0]
            return asked[0] if len(asked) == 1 else seats[0]
        raise ApiError("not_allowed", f"your token does not open seat {seat}")

    def here(self) -> list[int]:
        """The seats whose people are connected."""
        return sorted({seat for subscriber in self.subscribers for seat in subscriber.seats})

    def viewer_for(self, key: str, seat: int | None) -> int | None:
        """Through whose eyes a token, or none, may look at the table."""
        table = self.table
        seats = table.seats_of(key)
        is_host = bool(key) and key == table.head.host
        if key and not seats and not is_host:
            raise ApiError("not_allowed", "this token opens no seat at this table")
        if not seats and not is_host and not table.head.spectators:
            raise ApiError("not_allowed", "this table is not open to spectators")
        viewer = self.seat_for(key, seat) if seats else None
        if seat is not None and viewer is None:
            raise ApiError("not_allowed", f"you have no token for seat {seat}")
        return viewer

    async def show(self, subscriber: Subscriber, seat: int | None, seq: int | None) -> None:
        """Show the table to a socket, as a seat or as a spectator, and go on doing so."""
        await find_words(self.table, self.viewer_for(subscriber.key, seat), seq, subscriber.preferences.lang)
        self.join(subscriber, seat, seq)

    def join(self, subscriber: Subscriber, seat: int | None, seq: int | None) -> None:
        """The same at once, however long that takes."""
        if self.error is not None:
            raise self.error
        viewer, seats = self.viewer_for(subscriber.key, seat), self.table.seats_of(subscriber.key)
        before = self.here()
        if subscriber not in self.subscribers:
            self.subscribers.append(subscriber)
        subscriber.viewer, subscriber.seats = viewer, seats
        for mine in seats:
            self.gone_at.pop(mine, None)
        self._welcome(subscriber, seq)
        if self.here() != before:
            self._announce(but=subscriber)
        self.on_change()

    def _welcome(self, subscriber: Subscriber, seq: int | None) -> None:
        message = welcome(
            self.table,
            subscriber.viewer,
            seats=subscriber.seats,
            here=self.here(),
            seq=seq,
            now=self.services.now(),
            preferences=subscriber.preferences,
            chat=[self.chat_json(said) for said in self.chat] if subscriber.seats else [],
            run=self.services.run,
            host=bool(subscriber.key) and subscriber.key == self.table.head.host,
        )
        subscriber.stale = False
        self.post(subscriber, wire.encode(message))

    def part(self, subscriber: Subscriber) -> None:
        """A socket is gone."""
        if subscriber not in self.subscribers:
            return
        before = self.here()
        self.subscribers.remove(subscriber)
        self.touched_at = self.services.now()
        here = self.here()
        for seat in before:
            if seat not in here:
                self.gone_at[seat] = self.touched_at
        if here != before:
            self._announce()
        self.on_change()

    def may_talk(self, key: str) -> bool:
        """May this person say one more line of chat, wherever it comes from?"""
        now, a_minute = self.services.ticks(), self.services.settings.chat_per_minute
        return self.talk.setdefault(key, Bucket(a_minute / 60, a_minute / 3, now)).take(now)

    def away_for(self, seat: int) -> float:
        """How long the person of a seat has not been connected, as far as this worker knows."""
        if seat in self.here():
            return 0.0
        return self.services.now() - self.gone_at.get(seat, self.services.began)

    def chat_json(self, said: ChatLine) -> wire.ChatSays:
        """A line of chat as it goes over the wire."""
        return wire.ChatSays(n=said.n, at=int(said.at), seat=said.seat, name=said.name, text=said.text)

    # ---- posting ----------------------------------------------------------------------------

    def post(self, subscriber: Subscriber, data: bytes) -> None:
        """Send, but never before what has been told earlier is durable."""
        if self._outbox:
            self._outbox.append(Waiting(None, [(subscriber, data)]))
        else:
            subscriber.send(data)

    def _announce(self, but: Subscriber | None = None) -> None:
        """Tell everybody how the table stands."""
        data = wire.encode(wire.TableSays(table_now(self.table, self.here())))
        for subscriber in self.subscribers:
            if subscriber is not but:
                self.post(subscriber, data)

    def _address(self, change: Change, mail: Mail, actor: Subscriber | None, done: str) -> bool:
        """Write the letters that tell of a change; True if the actor's own carries the acknowledgement."""
        acknowledged = False
        ticks, touches = self.services.ticks(), change.touches
        renderer = Renderer(self.table, self.services.now())
        for subscriber in self.subscribers:
            touch = touches.get(subscriber.viewer)
            if touch is None:
                continue
            subscriber.stale = not subscriber.views.take(ticks)
            if subscriber.stale and self._views is None:
                self._views_later()
            own = ""
            if subscriber is actor:
                own, acknowledged = done, bool(done)
            mail.append(
                (subscriber, renderer.message(touch, subscriber.preferences, not subscriber.stale, own))
            )
        if change.table:
            data = wire.encode(wire.TableSays(table_now(self.table, self.here())))
            mail.extend((subscriber, data) for subscriber in self.subscribers)
        return acknowledged

    def _views_later(self) -> None:
        if self._views is None:
            gap = self.services.settings.view_gap
            self._views = asyncio.get_running_loop().call_later(gap, self._post_views)

    def _post_views(self) -> None:
        """Views for those whose last updates came without."""
        self._views = None
        if self._outbox:
            self._views_later()
            return
        if self.table.sitting is None:
            return
        renderer, ticks = Renderer(self.table, self.services.now()), self.services.ticks()
        written: dict[int | None, bytes] = {}
        for subscriber in self.subscribers:
            if not subscriber.stale:
                continue
            if not subscriber.views.take(ticks):
                self._views_later()
                continue
            if subscriber.viewer not in written:
                now = wire.ViewNow(self.table.cursor(subscriber.viewer).seq, renderer.view(subscriber.viewer))
                written[subscriber.viewer] = wire.encode(now)
            subscriber.stale = False
            subscriber.send(written[subscriber.viewer])

    # ---- writing ----------------------------------------------------------------------------

    def put(
        self,
        *entries: Entry,
        subscriber: Subscriber | None = None,
        done: str = "",
        since: float | None = None,
    ) -> tuple[Stored, bool]:
        """Fold entries that have been checked, and store them; when that is done, everybody concerned is told.

        The second result is True where the update to `line` carries the acknowledgement of `done`: then there is
        nothing to wait for, and if the store refuses, the line is ended with all others.
        """
        if self.error is not None:
            raise self.error
        table, mail = self.table, Mail()
        length = table.length
        acknowledged = False
        gone = [
            entry.old if isinstance(entry, Renewed) else table.seats[entry.seat].key
            for entry in entries
            if isinstance(entry, Renewed | Stood)
        ]
        try:
            for entry in entries:
                acknowledged = self._address(table.fold(entry), mail, subscriber, done) or acknowledged
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
                [entry.key for entry in entries if isinstance(entry, WITH_KEY) and entry.key],
                gone,
            )
        )
        if subscriber is not None:
            subscriber.last_stored = stored
        self._outbox.append(Waiting(stored, mail, since))
        self.touched_at = self.services.now()
        stored.add_done_callback(self._stored)
        return stored, acknowledged

    async def write(self, *entries: Entry, subscriber: Subscriber | None = None, done: str = "") -> bool:
        """Put entries and wait until they are durable; True where `done` has been acknowledged."""
        stored, acknowledged = self.put(*entries, subscriber=subscriber, done=done)
        await self.durable(stored)
        return acknowledged

    async def durable(self, stored: Stored) -> None:
        """Wait for the store."""
        try:
            await asyncio.shield(stored)  # others wait for it too
        except Lost:
            raise moved() from None
        except Exception:
            raise busy() from None

    async def caught_up(self) -> None:
        """Wait until everything is durable that has been folded: only then it may be told."""
        while self._outbox:
            last = next(waiting.stored for waiting in reversed(self._outbox) if waiting.stored is not None)
            await self.durable(last)
            await asyncio.sleep(0)

    def _stored(self, _: Stored) -> None:
        """Post what is durable, in order."""
        while self._outbox:
            stored, mail, since = self._outbox[0]
            if stored is not None:
                if not stored.done():
                    return
                error = stored.exception()
                if error is not None:
                    self.fail(moved() if isinstance(error, Lost) else busy())
                    return
            self._outbox.popleft()
            for subscriber, data in mail:
                subscriber.send(data)
            if since is not None:
                self.services.metrics.actions.person(self.services.ticks() - since)
        table = self.table
        if table.sitting is not None and table.length - table.kept >= self.services.settings.snapshot_every:
            table.kept = table.length
            self.services.spawn(self.services.store.snapshot(table.head.id, table.snapshot()))
        self.on_change()

    @property
    def settled(self) -> bool:
        """Is everything stored?"""
        return not self._outbox

    def fail(self, error: ApiError) -> None:
        """Forget the table: what was folded last is not stored, so nobody may go on from it."""
        if self.error is not None:
            return
        self.error = error
        self._outbox.clear()
        if self._views is not None:
            self._views.cancel()
        for subscriber in list(self.subscribers):
            subscriber.end(wire.Bye(error.message, again=True))
        self.subscribers.clear()
        self.on_end()

    def quiet(self) -> bool:
        """May the table be put away?"""
        return (
            not self.subscribers
            and not self._outbox
            and not self.at_work
            and self.services.now() - self.touched_at
            > self.services.settings.idle + self.services.settings.sweep
        )

    def stop(self) -> None:
        """Put the table away. It lets go of those who look after it, so that its memory is free at once, and not when
        garbage is collected next."""
        if self._views is not None:
            self._views.cancel()
            self._views = None
        self.on_change = self.on_end = nothing


def listing_of(table: Table) -> Listing:
    """What lists and the sweeper know of a table."""
    due: float | None = None
    asked = 0
    for seat in table.asked():
        asked |= 1 << seat
        at = _due(table, seat)
        if at is not None:
            due = at if due is None else min(due, at)
    free = sum(seat.is_open for seat in table.seats) if table.status == OPEN else 0
    return Listing(table.status, free, due, table.updated, asked)


def _due(table: Table, seat: int) -> float | None:
    """When somebody must see to it that a seat moves: at once for a bot that plays with people."""
    if table.seats[seat].bot:
        return table.updated if any(other.is_person for other in table.seats) else None
    left = seconds_left(table, seat, table.updated)
    return None if left is None else table.updated + left


def chat_line(actor: TableActor, seat: int, text: str) -> ChatLine:
    """The next line of a table's chat."""
    actor.last_said += 1
    return ChatLine(actor.last_said, actor.services.now(), seat, actor.table.names[seat], text)


def spread_chat(actor: TableActor, said: ChatLine) -> None:
    """Tell a line of chat to the people at the table, and to nobody else."""
    actor.chat.append(said)
    data = wire.encode(actor.chat_json(said))
    for subscriber in actor.subscribers:
        if subscriber.seats:
            actor.post(subscriber, data)
