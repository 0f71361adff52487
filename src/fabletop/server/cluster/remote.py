"""The other workers: a socket here may look at a table there.

The worker with the socket is the *front*, the one that owns the table the *home*. The front asks, the home answers;
what the table says to a line comes back numbered, and a gap closes the socket, so that the client comes again and
misses nothing.
"""

import asyncio
import itertools
import logging
import time
from typing import Any

import msgspec

from fabletop.server.api.queries import Values
from fabletop.server.cluster.bus import Bus
from fabletop.server.cluster.routing import Room, Router
from fabletop.server.protocol import wire
from fabletop.server.protocol.errors import ApiError, busy, moved
from fabletop.server.services import Services
from fabletop.server.tables.actor import TableActor
from fabletop.server.tables.commands import run
from fabletop.server.tables.messages import Preferences
from fabletop.server.tables.registry import OwnedElsewhere
from fabletop.server.tables.subscriber import Subscriber

log = logging.getLogger("fabletop.server")
ANSWER_WITHIN = 5.0
HINT_WITHIN = 30.0
BEAT = 2.0
SILENCE = 7.0
"""Seconds without a beat after which the lines of a front are dropped."""


class Ask(msgspec.Struct, tag="ask", omit_defaults=True):
    """From front to home. `what` is errand, join, do or part."""

    front: str
    n: int
    what: str
    table: str
    key: str = ""
    line: int = 0
    name: str = ""
    values: dict[str, Any] = {}
    said: bytes = b""
    seat: int | None = None
    seq: int | None = None
    lang: str | None = None
    reveals: bool = False
    household: str = ""


class Answer(msgspec.Struct, tag="answer", omit_defaults=True):
    """From home to front: what came of an Ask."""

    n: int
    body: bytes = b""
    code: str = ""
    message: str = ""


class Said(msgspec.Struct, tag="said"):
    """From home to front: the `n`-th message for a line."""

    line: int
    n: int
    data: bytes


class Ended(msgspec.Struct, tag="ended"):
    """From home to front: the table lets the line go."""

    line: int
    reason: str
    again: bool


class Beat(msgspec.Struct, tag="beat"):
    """From front to home: these of my lines look at your tables."""

    front: str
    lines: list[int]


Message = Ask | Answer | Said | Ended | Beat
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Message).decode


class There:
    """A room at another worker."""

    def __init__(self, peers: "Peers", home: str, table: str, line: Subscriber) -> None:
        self.peers = peers
        self.home = home
        self.table = table
        self.line = line
        self.id = next(peers.numbers)
        self.heard = 0

    async def join(self, seat: int | None, seq: int | None) -> None:
        """Look at the table."""
        self.peers.rooms_there[self.id] = self
        try:
            await self.peers.ask(
                self.home,
                Ask(
                    self.peers.name,
                    0,
                    "join",
                    self.table,
                    key=self.line.key,
                    line=self.id,
                    seat=seat,
                    seq=seq,
                    lang=self.line.preferences.lang,
                    reveals=self.line.preferences.reveals,
                    household=self.line.household,
                ),
            )
        except BaseException:
            self.part()
            raise

    async def do(self, said: wire.Request) -> Any:
        """Carry out a verb."""
        ask = Ask(self.peers.name, 0, "do", self.table, line=self.id, said=wire.encode(said))
        within = HINT_WITHIN if isinstance(said, wire.Hint) else ANSWER_WITHIN
        return await self.peers.ask(self.home, ask, within) or None

    def part(self) -> None:
        """The socket is gone."""
        if self.peers.rooms_there.pop(self.id, None) is not None:
            self.peers.send(self.home, Ask(self.peers.name, 0, "part", self.table, line=self.id))

    def hear(self, said: Said) -> None:
        """Pass on what the table says; a gap means that something was lost on the way."""
        self.heard += 1
        if said.n != self.heard:
            self.lose("a message was lost between two workers")
        else:
            self.line.send(said.data)

    def lose(self, reason: str) -> None:
        """Let the socket go; the client comes again."""
        self.part()
        self.peers.give_up(self.id)
        self.line.end(wire.Bye(reason, again=True))


class Guest:
    """A line of another worker at a table of ours."""

    def __init__(
        self, peers: "Peers", front: str, number: int, actor: TableActor, key: str, preferences: Preferences
    ) -> None:
        self.actor = actor
        self.sent = 0
        self.front = front
        self.number = number
        self.peers = peers
        self.line = Subscriber(
            self._send, self._end, actor.services.views(), key=key, preferences=preferences
        )

    def _send(self, data: bytes) -> None:
        self.sent += 1
        self.peers.send(self.front, Said(self.number, self.sent, data))

    def _end(self, bye: wire.Bye) -> None:
        self.peers.guests.pop((self.front, self.number), None)
        self.peers.send(self.front, Ended(self.number, bye.reason, bye.again))


class Peers:
    """Speaks with the other workers over a bus."""

    def __init__(self, services: Services, router: Router, bus: Bus) -> None:
        self.services = services
        self.router = router
        self.bus = bus
        self.name = services.settings.worker
        self.numbers = itertools.count(time.time_ns())
        """Those of a worker of this name that was here before are lower: others may still remember its lines."""
        self.rooms_there: dict[int, There] = {}
        self.guests: dict[tuple[str, int], Guest] = {}
        self._answers: dict[int, tuple[asyncio.Future[bytes], int]] = {}
        self._heard: dict[str, float] = {}
        self._joining: set[tuple[str, int]] = set()
        self._beating: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Be reached by the others."""
        await self.bus.open(self.name, self._receive, self._lost, self._absent)
        self._beating = asyncio.ensure_future(self._beat())

    async def close(self) -> None:
        """Be reached no longer."""
        if self._beating is not None:
            self._beating.cancel()
            await asyncio.gather(self._beating, return_exceptions=True)
        for room in list(self.rooms_there.values()):
            room.lose("the server is restarting; connect again in a moment")
        await asyncio.sleep(0)
        await self.bus.close()

    def send(self, worker: str, message: Message) -> None:
        """Send a message to a worker."""
        self.bus.send(worker, _encode(message))

    # ---- the front --------------------------------------------------------------------------

    async def ask(self, home: str, ask: Ask, within: float = ANSWER_WITHIN) -> bytes:
        """Ask the owner of a table, and wait for the answer."""
        if not self.bus.connected:
            raise busy()
        ask.n = next(self.numbers)
        future: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._answers[ask.n] = (future, ask.line)
        self.send(home, ask)
        try:
            return await asyncio.wait_for(future, within)
        except TimeoutError:
            raise busy() from None
        finally:
            self._answers.pop(ask.n, None)

    async def query(self, home: str, table: str, name: str, key: str, values: Values) -> bytes:
        """Have an errand run by the owner of a table."""
        return await self.ask(
            home, Ask(self.name, 0, "errand", table, key=key, name=name, values=dict(values))
        )

    def room(self, home: str, table: str, line: Subscriber) -> Room:
        """A room at another worker."""
        return There(self, home, table, line)

    def _lost(self) -> None:
        """The bus broke: nobody can know what was lost, so all lines across it start anew."""
        for n in list(self._answers):
            self._settle(n, busy())
        for room in list(self.rooms_there.values()):
            room.lose("the way between two workers broke")
        for guest in list(self.guests.values()):
            self._drop(guest)

    def _settle(self, n: int, outcome: bytes | ApiError) -> None:
        """Tell whoever waits for an answer."""
        future, _ = self._answers.pop(n, (None, 0))
        if future is None or future.done():
            return
        if isinstance(outcome, ApiError):
            future.set_exception(outcome)
            future.exception()
        else:
            future.set_result(outcome)

    def give_up(self, line: int) -> None:
        """Nothing more will be heard for this line."""
        for n in [n for n, (_, asked) in self._answers.items() if asked == line]:
            self._settle(n, busy())

    def _absent(self, worker: str, data: bytes) -> None:
        """A worker to whom we spoke is not there."""
        message = _decode(data)
        if isinstance(message, Ask):
            self._settle(message.n, busy())
        if isinstance(message, Ask | Beat):
            for room in [room for room in self.rooms_there.values() if room.home == worker]:
                room.lose("the worker that had the table is gone")
        else:
            for guest in [guest for guest in self.guests.values() if guest.front == worker]:
                self._drop(guest)

    # ---- the home ---------------------------------------------------------------------------

    def _drop(self, guest: Guest) -> None:
        self.guests.pop((guest.front, guest.number), None)
        guest.actor.part(guest.line)

    def _receive(self, data: bytes) -> None:
        try:
            message = _decode(data)
        except msgspec.DecodeError:
            log.warning("a message of another worker makes no sense; are all of the same version?")
            return
        match message:
            case Ask():
                if message.what == "join":
                    self._joining.add((message.front, message.line))
                self.services.spawn(self._answer(message))
            case Answer():
                refused = ApiError(message.code, message.message) if message.code else None
                self._settle(message.n, refused or message.body)
            case Said():
                room = self.rooms_there.get(message.line)
                if room is not None:
                    room.hear(message)
            case Ended():
                room = self.rooms_there.pop(message.line, None)
                if room is not None:
                    self.give_up(room.id)
                    room.line.end(wire.Bye(message.reason, message.again))
            case Beat():
                self._heard[message.front] = self.services.ticks()
                lines = set(message.lines)
                known = {number for front, number in self.guests if front == message.front}
                coming = {number for front, number in self._joining if front == message.front}
                for number in known - lines:
                    self._drop(self.guests[message.front, number])
                for number in lines - known - coming:  # from before our restart
                    self.send(message.front, Ended(number, "the table is being opened anew", again=True))

    async def _answer(self, ask: Ask) -> None:
        answer = Answer(ask.n)
        try:
            answer.body = await self._carry_out(ask)
        except ApiError as refused:
            answer.code, answer.message = refused.code, refused.message
        except OwnedElsewhere:
            answer.code, answer.message = "moved", moved().message
        except Exception:
            log.exception("what another worker asked could not be done")
            self.services.metrics.faults.inc()
            answer.code, answer.message = "fault", "something went wrong here; nothing has changed"
        self._joining.discard((ask.front, ask.line))
        if ask.what != "part":
            self.send(ask.front, answer)

    async def _carry_out(self, ask: Ask) -> bytes:
        guest = self.guests.get((ask.front, ask.line))
        if ask.what == "part":
            if guest is not None:
                self._drop(guest)
            return b""
        if ask.what == "do":
            if guest is None:
                raise moved()
            found = await run(
                self.router.registry, guest.actor, guest.line.key, wire.said(ask.said), guest.line
            )
            return b"" if found is None else wire.encode(found)
        actor = await self.router.registry.actor(ask.table)
        if ask.what == "errand":
            return await self.router.run(actor, ask.name, ask.key, ask.values)
        self._heard[ask.front] = self.services.ticks()
        guest = Guest(self, ask.front, ask.line, actor, ask.key, Preferences(ask.lang, ask.reveals))
        guest.line.household = ask.household
        await actor.show(guest.line, ask.seat, ask.seq)
        self.guests[ask.front, ask.line] = guest
        actor.services.notices.seen(ask.table, ask.key)
        return b""

    # ---- signs of life ----------------------------------------------------------------------

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            homes: dict[str, list[int]] = {}
            for room in self.rooms_there.values():
                homes.setdefault(room.home, []).append(room.id)
            for home, lines in homes.items():
                self.send(home, Beat(self.name, lines))
            now = self.services.ticks()
            for guest in list(self.guests.values()):
                if now - self._heard.get(guest.front, now) > SILENCE:
                    self._drop(guest)
