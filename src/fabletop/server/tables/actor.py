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
from fabletop.server.protocol.errors import Refused, busy, moved
from fabletop.server.services import House
from fabletop.server.stores.base import Append, Listing, Lost
from fabletop.server.stores.base import Line as ChatLine
from fabletop.server.stores.entries import Entry, Renewed, Sat, Stood, encode
from fabletop.server.tables.messages import (
    PLAIN,
    Manner,
    Moment,
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


class Line:
    """One socket that looks at a table. `viewer` is the seat it looks from, None a spectator's.

    `views` says whether an update may carry a view; one that may not makes what the line shows `stale`. It is counted
    for each line apart: a count for the whole table would tell of what this viewer does not hear.
    """

    __slots__ = ("end", "key", "last_stored", "manner", "seats", "send", "stale", "viewer", "views")

    def __init__(
        self,
        send: Callable[[bytes], None],
        end: Callable[[wire.Bye], None],
        views: Bucket,
        *,
        key: str = "",
        manner: Manner = PLAIN,
    ) -> None:
        self.send = send
        self.end = end
        self.key = key
        self.manner = manner
        self.viewer: int | None = None
        self.seats: tuple[int, ...] = ()
        self.views = views
        self.stale = False
        self.last_stored: Stored | None = None
        """What this line has last had written; done when it is durable."""


Mail = list[tuple[Line, bytes]]


class Waiting(NamedTuple):
    """Letters that wait for the store, or behind others that do; `since`: a person's action came then."""

    stored: Stored | None
    mail: Mail
    since: float | None = None


class Live:
    """A table in memory."""

    def __init__(
        self, table: Table, fence: int, house: House, chat: Sequence[ChatLine], on_end: Callable[[], None]
    ) -> None:
        self.table = table
        self.fence = fence
        self.house = house
        self.chat = deque(chat, maxlen=CHAT_SHOWN)
        self.last_said = chat[-1].n if chat else 0
        """The number of the last line of chat that somebody has begun to say."""
        self.talk: dict[str, Bucket] = {}
        self.hinting = False
        self.at_work = False
        """Is a bot about to move, for itself or for somebody whose time is out?"""
        self.rematch: asyncio.Task[str] | None = None
        self.on_end = on_end
        self.lines: list[Line] = []
        self.gone_at: dict[int, float] = {}
        self.touched_at = house.now()
        self.error: Refused | None = None
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
            raise Refused("not_allowed", "this token opens no seat at this table")
        if seat is None:
            asked = [s for s in seats if self.table.readers[s].choice >= 0]
            return asked[0] if len(asked) == 1 else seats[0]
        raise Refused("not_allowed", f"your token does not open seat {seat}")

    def here(self) -> list[int]:
        """The seats whose people are connected."""
        return sorted({seat for line in self.lines for seat in line.seats})

    def viewer_for(self, key: str, seat: int | None) -> int | None:
        """Through whose eyes a token, or none, may look at the table."""
        table = self.table
        seats = table.seats_of(key)
        is_host = bool(key) and key == table.head.host
        if key and not seats and not is_host:
            raise Refused("not_allowed", "this token opens no seat at this table")
        if not seats and not is_host and not table.head.spectators:
            raise Refused("not_allowed", "this table is not open to spectators")
        viewer = self.seat_for(key, seat) if seats else None
        if seat is not None and viewer is None:
            raise Refused("not_allowed", f"you have no token for seat {seat}")
        return viewer

    async def show(self, line: Line, seat: int | None, seq: int | None) -> None:
        """Show the table to a socket, as a seat or as a spectator, and go on doing so."""
        await find_words(self.table, self.viewer_for(line.key, seat), seq, line.manner.lang)
        self.join(line, seat, seq)

    def join(self, line: Line, seat: int | None, seq: int | None) -> None:
        """The same at once, however long that takes."""
        if self.error is not None:
            raise self.error
        viewer, seats = self.viewer_for(line.key, seat), self.table.seats_of(line.key)
        before = self.here()
        if line not in self.lines:
            self.lines.append(line)
        line.viewer, line.seats = viewer, seats
        for mine in seats:
            self.gone_at.pop(mine, None)
        self._welcome(line, seq)
        if self.here() != before:
            self._announce(but=line)
        self.on_change()

    def _welcome(self, line: Line, seq: int | None) -> None:
        letter = welcome(
            self.table,
            line.viewer,
            seats=line.seats,
            here=self.here(),
            seq=seq,
            now=self.house.now(),
            manner=line.manner,
            chat=[self.chat_json(said) for said in self.chat] if line.seats else [],
            run=self.house.run,
            host=bool(line.key) and line.key == self.table.head.host,
        )
        line.stale = False
        self.post(line, wire.encode(letter))

    def part(self, line: Line) -> None:
        """A socket is gone."""
        if line not in self.lines:
            return
        before = self.here()
        self.lines.remove(line)
        self.touched_at = self.house.now()
        here = self.here()
        for seat in before:
            if seat not in here:
                self.gone_at[seat] = self.touched_at
        if here != before:
            self._announce()
        self.on_change()

    def may_talk(self, key: str) -> bool:
        """May this person say one more line of chat, wherever it comes from?"""
        now, a_minute = self.house.ticks(), self.house.settings.chat_per_minute
        return self.talk.setdefault(key, Bucket(a_minute / 60, a_minute / 3, now)).take(now)

    def away_for(self, seat: int) -> float:
        """How long the person of a seat has not been connected, as far as this worker knows."""
        if seat in self.here():
            return 0.0
        return self.house.now() - self.gone_at.get(seat, self.house.began)

    def chat_json(self, said: ChatLine) -> wire.ChatSays:
        """A line of chat as it goes over the wire."""
        return wire.ChatSays(n=said.n, at=int(said.at), seat=said.seat, name=said.name, text=said.text)

    # ---- posting ----------------------------------------------------------------------------

    def post(self, line: Line, data: bytes) -> None:
        """Send, but never before what has been told earlier is durable."""
        if self._outbox:
            self._outbox.append(Waiting(None, [(line, data)]))
        else:
            line.send(data)

    def _announce(self, but: Line | None = None) -> None:
        """Tell everybody how the table stands."""
        data = wire.encode(wire.TableSays(table_now(self.table, self.here())))
        for line in self.lines:
            if line is not but:
                self.post(line, data)

    def _address(self, change: Change, mail: Mail, actor: Line | None, done: str) -> bool:
        """Write the letters that tell of a change; True if the actor's own carries the acknowledgement."""
        acknowledged = False
        ticks, touches = self.house.ticks(), change.touches
        moment = Moment(self.table, self.house.now())
        for line in self.lines:
            touch = touches.get(line.viewer)
            if touch is None:
                continue
            line.stale = not line.views.take(ticks)
            if line.stale and self._views is None:
                self._views_later()
            own = ""
            if line is actor:
                own, acknowledged = done, bool(done)
            mail.append((line, moment.letter(touch, line.manner, not line.stale, own)))
        if change.table:
            data = wire.encode(wire.TableSays(table_now(self.table, self.here())))
            mail.extend((line, data) for line in self.lines)
        return acknowledged

    def _views_later(self) -> None:
        if self._views is None:
            gap = self.house.settings.view_gap
            self._views = asyncio.get_running_loop().call_later(gap, self._post_views)

    def _post_views(self) -> None:
        """Views for those whose last updates came without."""
        self._views = None
        if self._outbox:
            self._views_later()
            return
        if self.table.sitting is None:
            return
        moment, ticks = Moment(self.table, self.house.now()), self.house.ticks()
        written: dict[int | None, bytes] = {}
        for line in self.lines:
            if not line.stale:
                continue
            if not line.views.take(ticks):
                self._views_later()
                continue
            if line.viewer not in written:
                now = wire.ViewNow(self.table.reader(line.viewer).seq, moment.view(line.viewer))
                written[line.viewer] = wire.encode(now)
            line.stale = False
            line.send(written[line.viewer])

    # ---- writing ----------------------------------------------------------------------------

    def put(
        self, *entries: Entry, line: Line | None = None, done: str = "", since: float | None = None
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
                acknowledged = self._address(table.fold(entry), mail, line, done) or acknowledged
        except Exception:
            self.fail(busy())  # it may have been folded, and will not be stored
            raise
        stored = self.house.store.append(
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
        if line is not None:
            line.last_stored = stored
        self._outbox.append(Waiting(stored, mail, since))
        self.touched_at = self.house.now()
        stored.add_done_callback(self._stored)
        return stored, acknowledged

    async def write(self, *entries: Entry, line: Line | None = None, done: str = "") -> bool:
        """Put entries and wait until they are durable; True where `done` has been acknowledged."""
        stored, acknowledged = self.put(*entries, line=line, done=done)
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
            for line, data in mail:
                line.send(data)
            if since is not None:
                self.house.metrics.actions.person(self.house.ticks() - since)
        table = self.table
        if table.sitting is not None and table.length - table.kept >= self.house.settings.snapshot_every:
            table.kept = table.length
            self.house.spawn(self.house.store.snapshot(table.head.id, table.snapshot()))
        self.on_change()

    @property
    def settled(self) -> bool:
        """Is everything stored?"""
        return not self._outbox

    def fail(self, error: Refused) -> None:
        """Forget the table: what was folded last is not stored, so nobody may go on from it."""
        if self.error is not None:
            return
        self.error = error
        self._outbox.clear()
        if self._views is not None:
            self._views.cancel()
        for line in list(self.lines):
            line.end(wire.Bye(error.message, again=True))
        self.lines.clear()
        self.on_end()

    def quiet(self) -> bool:
        """May the table be put away?"""
        return (
            not self.lines
            and not self._outbox
            and not self.at_work
            and self.house.now() - self.touched_at > self.house.settings.idle + self.house.settings.sweep
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


def chat_line(live: Live, seat: int, text: str) -> ChatLine:
    """The next line of a table's chat."""
    live.last_said += 1
    return ChatLine(live.last_said, live.house.now(), seat, live.table.names[seat], text)


def spread_chat(live: Live, said: ChatLine) -> None:
    """Tell a line of chat to the people at the table, and to nobody else."""
    live.chat.append(said)
    data = wire.encode(live.chat_json(said))
    for line in live.lines:
        if line.seats:
            live.post(line, data)
