"""The line to a player: one WebSocket, one table, JSON both ways."""

import asyncio
import logging
import random
from typing import Any

import msgspec
from aiohttp import WSCloseCode, WSMsgType, web

from fabletop.server.cluster.routing import Room, Router
from fabletop.server.limits import Bucket, household
from fabletop.server.protocol import wire
from fabletop.server.protocol.errors import ApiError
from fabletop.server.services import Services
from fabletop.server.tables.messages import Preferences
from fabletop.server.tables.subscriber import Subscriber
from fabletop.server.tables.tokens import hashed

log = logging.getLogger("fabletop.server")
SECONDS_TO_SAY_HELLO = 10.0
HEARTBEAT = 25.0
"""Seconds between two looks whether somebody who says nothing is still there."""
PING = b"\x89\x00"
HEARD = frozenset({WSMsgType.TEXT, WSMsgType.BINARY, WSMsgType.PING, WSMsgType.PONG})
MOST_BAD = 20
"""So many messages that make no sense, and the socket is closed."""


def frame(data: bytes) -> bytes:
    """A whole text message as WebSocket frames it."""
    size = len(data)
    if size < 126:
        return b"\x81" + size.to_bytes(1, "big") + data
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2, "big") + data
    return b"\x81\x7f" + size.to_bytes(8, "big") + data


class Socket:
    """One connection, from hello to the end."""

    def __init__(self, request: web.Request, services: Services, router: Router) -> None:
        assert request.transport is not None
        self.request = request
        self.transport: asyncio.Transport = request.transport
        self.services = services
        self.router = router
        settings = services.settings
        self.ws = web.WebSocketResponse(
            max_msg_size=wire.LARGEST_MESSAGE,
            compress=False,
            autoclose=True,
            autoping=False,
            decode_text=False,
        )
        self.who = household(request, settings.behind_proxy)
        now = services.ticks()
        self.messages = Bucket(settings.messages_per_second, settings.message_burst, now)
        self.subscriber: Subscriber | None = None
        self.room: Room | None = None
        self.bad = 0
        self.heard = True
        self._ending: asyncio.Task[Any] | None = None
        self._hints: set[asyncio.Task[None]] = set()

    # ---- sending ----------------------------------------------------------------------------

    def send(self, data: bytes) -> None:
        """Send now, without waiting; a reader that is too slow is let go and may come again."""
        if self.transport.is_closing():
            return
        self.transport.write(frame(data))
        if self.transport.get_write_buffer_size() > self.services.settings.backlog:
            log.info("a slow reader is let go")
            self.transport.abort()

    def say(self, message: Any) -> None:
        """Send a message."""
        self.send(wire.encode(message))

    def end(self, bye: wire.Bye) -> None:
        """Say good-bye and close."""
        if self._ending is None:
            self.say(bye)
            code = WSCloseCode.SERVICE_RESTART if bye.again else WSCloseCode.POLICY_VIOLATION
            self._ending = self.services.spawn(self.ws.close(code=code))

    # ---- receiving --------------------------------------------------------------------------

    async def run(self) -> web.WebSocketResponse:
        """Until one side closes."""
        await self.ws.prepare(self.request)
        self.services.metrics.sockets.inc()
        loop = asyncio.get_running_loop()
        # not all at once, where many have come at once
        self._pulse = loop.call_later(random.uniform(0.5, 1.0) * HEARTBEAT, self._beat)
        try:
            # a task of its own, so that a message need not wake all who called us
            await loop.create_task(self._listen())
        finally:
            self._pulse.cancel()
            self.services.metrics.sockets.dec()
            for task in self._hints:
                task.cancel()
            if self.room is not None:
                self.room.part()
                self.room = self.subscriber = None  # what is left of a connection must not keep its table
        if self._ending is not None:
            await self._ending
        return self.ws

    async def _listen(self) -> None:
        wait: float | None = SECONDS_TO_SAY_HELLO
        while True:
            try:
                message = await self.ws.receive(timeout=wait)
            except TimeoutError:
                self.end(wire.Bye("the first message should be hello, and come soon", again=False))
                return
            if message.type not in HEARD:
                return
            self.heard = True
            if not self.messages.take(self.services.ticks()):
                self.services.metrics.refused.labels("too_many").inc()
                self.end(wire.Bye("too many messages", again=False, code="too_many"))
                return
            if message.type is WSMsgType.PING:
                await self.ws.pong(message.data)
            elif message.type is not WSMsgType.PONG:
                await self._settled()
                await self._take(message.data)
            if self.bad >= MOST_BAD:
                self.end(wire.Bye("too many messages that make no sense", again=False))
                return
            if self.room is not None:
                wait = None
            if self.transport.is_closing():
                return  # what is still to be read is nobody's any more

    def _beat(self) -> None:
        """Let go who has not been heard since the last time, not even with an answer to the ping."""
        if self.transport.is_closing():
            return
        if not self.heard:
            self.transport.abort()
            return
        self.heard = False
        self.transport.write(PING)
        self._pulse = asyncio.get_running_loop().call_later(HEARTBEAT, self._beat)

    async def _settled(self) -> None:
        """One thing after the other: what this socket has done before must be durable."""
        last = None if self.subscriber is None else self.subscriber.last_stored
        if last is not None and not last.done():
            await asyncio.wait([last])

    async def _take(self, data: bytes | str) -> None:
        given = ""
        try:
            said = wire.said(data)
            given = getattr(said, "id", "")
            await self._do(said)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            self.bad += 1
            self._refuse(ApiError("bad_message", str(error)), given or wire.id_in(data))
        except ApiError as refused:
            self._refuse(refused, given)
        except Exception:
            log.exception("a message could not be handled")
            self.services.metrics.faults.inc()
            self._refuse(ApiError("fault", "something went wrong here; nothing has changed"), given)

    def _refuse(self, refused: ApiError, given: str) -> None:
        self.services.metrics.refused.labels(refused.code).inc()
        self.say(wire.Error(refused.code, refused.message, given))
        if refused.code == "moved":
            self.end(wire.Bye(refused.message, again=True))

    async def _do(self, said: wire.Request) -> None:
        if isinstance(said, wire.Hello | wire.Look):
            if not self.services.looks.take(self.who):
                raise ApiError("too_many", "too many looks at tables from your address; wait a moment")
            await asyncio.sleep(
                0
            )  # it takes a while, and the next one may be here already: let others have their turn
        if isinstance(said, wire.Ping):
            self.say(wire.Pong(said.n))
        elif isinstance(said, wire.Hello):
            await self._hello(said)
        elif self.room is None:
            raise ApiError("bad_message", "say hello first: which table, and with which token")
        elif isinstance(said, wire.Hint):
            if self._hints:
                raise ApiError("too_many", "one hint at a time")
            task = asyncio.ensure_future(self._hint(said))
            self._hints.add(task)
            task.add_done_callback(self._hints.discard)
        else:
            answer = await self.room.do(said)
            if answer is not None:
                self.send(answer) if isinstance(answer, bytes) else self.say(answer)

    async def _hint(self, said: wire.Hint) -> None:
        """Hints take a while; the socket goes on meanwhile."""
        assert self.room is not None
        try:
            answer = await self.room.do(said)
            self.send(answer) if isinstance(answer, bytes) else self.say(answer)
        except ApiError as refused:
            self._refuse(refused, said.id)

    async def _hello(self, said: wire.Hello) -> None:
        if self.room is not None:
            self.room.part()
            self.room = None
        preferences = Preferences(said.lang, said.reveals)
        subscriber = Subscriber(
            self.send,
            self.end,
            self.services.views(),
            key=hashed(said.token),
            preferences=preferences,
            household=self.who,
        )
        room = await self.router.room(said.table, subscriber)
        await room.join(said.seat, said.seq)
        self.subscriber, self.room = subscriber, room
