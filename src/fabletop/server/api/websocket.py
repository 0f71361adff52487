"""The WebSocket of a client: one table, JSON both ways. For a table of another worker it passes everything through."""

import asyncio
import contextlib
import logging
import random
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import msgspec
from aiohttp import WSCloseCode, WSMsgType, web

from fabletop.server.limits import CLIENT, Bucket
from fabletop.server.protocol import wire
from fabletop.server.protocol.errors import ApiError, moved, worded
from fabletop.server.tables.actor import TableActor
from fabletop.server.tables.commands import run
from fabletop.server.tables.messages import Preferences
from fabletop.server.tables.registry import OwnedElsewhere, Registry
from fabletop.server.tables.subscriber import Subscriber
from fabletop.server.tables.tokens import hashed

log = logging.getLogger("fabletop.server")
SECONDS_TO_SAY_HELLO = 10.0
HEARTBEAT = 25.0
"""Seconds between two pings; a client that has sent nothing since the one before is disconnected."""
INCOMING = frozenset({WSMsgType.TEXT, WSMsgType.BINARY, WSMsgType.PING, WSMsgType.PONG})
MOST_BAD = 20
"""Invalid messages after which the socket is closed."""
EXPLAINED = (WSCloseCode.SERVICE_RESTART, WSCloseCode.POLICY_VIOLATION)
"""The codes with which a worker closes a socket after it has said good-bye."""

Upstream = aiohttp.ClientWebSocketResponse[bool]
Connect = Callable[[OwnedElsewhere], Awaitable[Upstream]]


PING = b"\x89\x00"
"""A ping as a WebSocket frame."""


def frame(text: bytes) -> bytes:
    """A text as a WebSocket frame (RFC 6455, section 5.2): final, and unmasked as a server's frames are.

    Put together here, because every move is sent to every viewer: 2.0 µs for a message of 700 bytes against 3.2 µs
    through aiohttp's `send_frame`, of some 200 µs that a move of four viewers costs.
    """
    length = len(text)
    if length < 126:
        return b"\x81" + length.to_bytes(1, "big") + text
    if length < 1 << 16:
        return b"\x81\x7e" + length.to_bytes(2, "big") + text
    return b"\x81\x7f" + length.to_bytes(8, "big") + text


class Socket:
    """One connection, from hello to the end. `connect` opens a socket to another worker; None: this one has been
    forwarded already, and goes no further."""

    def __init__(self, request: web.Request, registry: Registry, connect: Connect | None) -> None:
        assert request.transport is not None
        self.request = request
        self.transport: asyncio.Transport = request.transport
        self.services = registry.services
        self.registry = registry
        self.connect = connect
        settings = self.services.settings
        self.ws = web.WebSocketResponse(
            max_msg_size=wire.LARGEST_MESSAGE,
            compress=False,
            autoclose=True,
            autoping=False,
            decode_text=False,
            writer_limit=sys.maxsize,  # `backlog` is the limit
        )
        now = self.services.ticks()
        self.messages = Bucket(settings.messages_per_second, settings.message_burst, now)
        self.backlog = settings.backlog
        self.subscriber: Subscriber | None = None
        self.actor: TableActor | None = None
        self.upstream: Upstream | None = None
        self.lang: str | None = None
        """The language of refusals to this client."""
        self.bad = 0
        self.heard = True
        self._ending: asyncio.Task[Any] | None = None
        self._hints: set[asyncio.Task[None]] = set()

    # ---- sending ----------------------------------------------------------------------------

    def send(self, data: bytes) -> None:
        """Write now, without waiting; a reader that is too slow is disconnected and may connect again."""
        if self.transport.is_closing():
            return
        self.transport.write(frame(data))
        if self.transport.get_write_buffer_size() > self.backlog:
            log.info("a slow reader is disconnected")
            self.transport.abort()

    def say(self, message: Any) -> None:
        """Send a message that does not depend on what is in memory."""
        self.send(wire.encode(message))

    def end(self, bye: wire.Bye) -> None:
        """Say good-bye and close."""
        if self._ending is None:
            self.say(bye)
            self._close(WSCloseCode.SERVICE_RESTART if bye.again else WSCloseCode.POLICY_VIOLATION)

    def _close(self, code: int) -> None:
        if self._ending is None:
            self._ending = self.services.spawn(self.ws.close(code=code))

    # ---- receiving --------------------------------------------------------------------------

    async def run(self) -> web.WebSocketResponse:
        """Until one side closes."""
        await self.ws.prepare(self.request)
        self.services.metrics.sockets.inc()
        loop = asyncio.get_running_loop()
        # spread over time, where many clients have connected at once
        self._pulse = loop.call_later(random.uniform(0.5, 1.0) * HEARTBEAT, self._beat)
        try:
            # a task of its own, so that a message need not wake the whole chain of callers
            await loop.create_task(self._listen())
        finally:
            self._pulse.cancel()
            self.services.metrics.sockets.dec()
            for task in self._hints:
                task.cancel()
            self._leave()
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
            if message.type not in INCOMING:
                return
            self.heard = True
            if not self.messages.take(self.services.ticks()):
                self.services.metrics.refused.labels("too_many").inc()
                self.end(wire.Bye("too many messages", again=False, code="too_many"))
                return
            if message.type is WSMsgType.PING:
                await self.ws.pong(message.data)
            elif message.type is not WSMsgType.PONG:
                last = None if self.subscriber is None else self.subscriber.last_stored
                if last is not None and not last.done():
                    # one thing after the other: what was done before must be durable
                    await asyncio.wait([last])
                await self._take(message.data)
            if self.bad >= MOST_BAD:
                self.end(wire.Bye("too many messages that make no sense", again=False))
                return
            if self.actor is not None or self.upstream is not None:
                wait = None
            if self.transport.is_closing():
                return  # nobody waits for an answer to what is still to be read

    def _beat(self) -> None:
        """Disconnect a client that has sent nothing since the last ping, not even a pong."""
        if self.transport.is_closing():
            return
        if not self.heard:
            self.transport.abort()
            return
        self.heard = False
        self.transport.write(PING)
        self._pulse = asyncio.get_running_loop().call_later(HEARTBEAT, self._beat)

    async def _take(self, data: bytes) -> None:
        """Carry out one message, and answer it."""
        if self.upstream is not None and b'"hello"' not in data:
            await self._pass_on(self.upstream, data)
            return
        message_id = ""
        try:
            message = wire.decode(data)
            message_id = getattr(message, "id", "")
            match message:
                case wire.Ping():
                    self.say(wire.Pong(message.n))
                case wire.Hello():
                    await self._hello(message, data)
                case _ if self.upstream is not None:  # it only spoke of a hello
                    await self._pass_on(self.upstream, data)
                case _ if self.actor is None:
                    raise ApiError("bad_message", "say hello first: which table, and with which token")
                case wire.Hint():
                    self._start_hint(message)
                case _:
                    if isinstance(message, wire.Look):
                        await self._may_look()
                    await self._run(message)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            self.bad += 1
            self._refuse(ApiError("bad_message", str(error)), message_id or wire.id_in(data))
        except Exception as error:
            self._failed(error, message_id)

    def _failed(self, error: Exception, message_id: str) -> None:
        """A message cannot be carried out: the client gets an error, and the log a line where it should not happen."""
        if not isinstance(error, ApiError):
            log.error("a message could not be handled", exc_info=error)
            self.services.metrics.faults.inc()
            error = ApiError("fault", "something went wrong here; nothing has changed")
        self._refuse(error, message_id)

    def _refuse(self, refused: ApiError, message_id: str) -> None:
        self.services.metrics.refused.labels(refused.code).inc()
        self.say(wire.Error(refused.code, refused.in_language(self.lang), message_id, refused.wait))
        if refused.code == "moved":
            self.end(wire.Bye(refused.message, again=True))

    async def _run(self, message: wire.Request) -> None:
        assert self.actor is not None
        assert self.subscriber is not None
        self.registry.check(self.actor)
        answer = await run(self.registry, self.actor, self.subscriber.key, message, self.subscriber)
        if answer is not None:
            self.say(answer)

    def _start_hint(self, message: wire.Hint) -> None:
        """Hints take a while; the socket goes on meanwhile."""
        if self._hints:
            raise worded("too_many", "one_hint")
        task = asyncio.ensure_future(self._hint(message))
        self._hints.add(task)
        task.add_done_callback(self._hints.discard)

    async def _hint(self, message: wire.Hint) -> None:
        try:
            await self._run(message)
        except Exception as error:
            self._failed(error, message.id)

    async def _may_look(self) -> None:
        """Sending a whole table is costly: it is rate limited, and other tasks get their turn first."""
        if not self.services.look_limit.take(CLIENT.get()):
            raise worded("too_many", "looks_limit")
        await asyncio.sleep(0)

    # ---- the table, here or elsewhere -------------------------------------------------------

    async def _hello(self, message: wire.Hello, data: bytes) -> None:
        self.lang = message.lang
        await self._may_look()
        self._leave()
        try:
            actor = await self.registry.actor(message.table)
        except OwnedElsewhere as where:
            if self.connect is None:
                raise moved() from None
            self.upstream = await self.connect(where)
            self.services.spawn(self._pump(self.upstream))
            await self._pass_on(self.upstream, data)
            return
        subscriber = Subscriber(
            self.send,
            self.end,
            self.services.views(),
            key=hashed(message.token),
            preferences=Preferences(message.lang, message.reveals),
            household=CLIENT.get(),
        )
        await actor.show(subscriber, message.seat, message.seq)
        self.services.notifier.seen(message.table, subscriber.key)
        self.subscriber, self.actor = subscriber, actor

    async def _pass_on(self, upstream: Upstream, data: bytes) -> None:
        """Send a message of the client to the worker that owns the table."""
        # the pump finds a broken connection too, and reports it
        with contextlib.suppress(ConnectionError, aiohttp.ClientError):
            await upstream.send_frame(data, WSMsgType.TEXT)

    async def _pump(self, upstream: Upstream) -> None:
        """Send to the client what the worker that owns the table says, until one of them closes."""
        async for message in upstream:
            if message.type is not WSMsgType.TEXT:
                break  # an error: that worker has not answered a ping
            self.send(message.data)
        if self.upstream is not upstream:
            return  # the client has left that table
        code = upstream.close_code
        if code in EXPLAINED:
            self._close(code)
        else:
            self.end(wire.Bye("the worker that had the table is gone; connect again", again=True))

    def _leave(self) -> None:
        """Leave the table; nothing of this connection may keep it in memory."""
        if self.actor is not None and self.subscriber is not None:
            self.actor.part(self.subscriber)
        self.actor = self.subscriber = None
        if self.upstream is not None:
            self.services.spawn(self.upstream.close())
            self.upstream = None
