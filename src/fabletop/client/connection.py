"""A connection to a table over a WebSocket.

It reconnects by itself when the socket breaks or the server restarts: it continues from the last update it has, and
sends what was not acknowledged again under the same id, so nothing is lost and nothing is done twice. It keeps to the
rate that the server allows. Everything that is asked is answered, refused, or given up after a time limit.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
from collections import deque
from typing import TYPE_CHECKING, Any, Self

import aiohttp

from fabletop.client.errors import AnswerTimeout, ConnectionLost, RequestRefused
from fabletop.client.throttle import Throttle

if TYPE_CHECKING:
    from fabletop.client.http import Client

Json = dict[str, Any]
LARGEST = 1 << 24
WITH_ID = (
    *("act", "undo", "chat", "hint", "start", "stand", "leave", "back", "resign", "replace"),
    *("react", "rematch", "renew", "close", "webhook", "push", "look"),
)
"""Messages that carry an id; the answers to the others come in the order in which these were sent."""
TOO_LARGE = 4096
"""Bytes: on a longer message the server closes the connection."""
MARGIN = 0.9
"""Of what the server allows we use this share: hello and answers to pings count as well."""
SLOW_DOWN = 1.0
"""Seconds to wait after a server has disconnected us for too many messages."""
RETRY_DELAY = 0.3
"""Seconds after which something is asked again of a server that was busy."""


def fail(future: asyncio.Future[Json], error: Exception) -> None:
    """A caller that waits for this gets the error; if nobody waits any more, it is not reported."""
    if not future.done():
        future.set_exception(error)
        future.exception()


class Connection:
    """A connection to a table, with everything received over it: `table`, `view`, `story`, `choice`, `chat`.

    `patience` is how many seconds the server may be away, `answer_within` how many it may take to answer, including the
    time in which it is away.
    """

    def __init__(
        self,
        client: Client,
        table: str,
        token: str = "",
        *,
        seat: int | None = None,
        lang: str | None = None,
        patience: float = 30.0,
        answer_within: float = 60.0,
    ) -> None:
        self.client = client
        self.id = table
        self.token = token
        self.seat = seat
        self.lang = lang
        self.patience = patience
        self.answer_within = answer_within
        self.seq: int | None = None
        self.table: Json = {}
        self.view: Any = None
        self.story: list[Json] = []
        self.choice: Json | None = None
        self.chat: list[Json] = []
        self.undo_barrier: str | None = "nothing"
        self.reconnections = 0
        self.error: Exception | None = None
        self._ws: aiohttp.ClientWebSocketResponse | None = None
        self._up = False
        self._unanswered: dict[str, tuple[Json, asyncio.Future[Json]]] = {}
        self._in_order: deque[tuple[Json, asyncio.Future[Json]]] = deque()
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._retrying: asyncio.Task[None] | None = None
        self._slowdown = 1.0
        self._throttle: Throttle | None = None
        self._sending = asyncio.Lock()

    # ---- the socket -------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        self._task = asyncio.ensure_future(self._run())
        try:
            await self.until(lambda: self.seq is not None)
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await self._task
        self._fail_all(self.error or ConnectionLost("we have left the table"))

    async def until(self, holds: Any, timeout: float | None = None) -> None:
        """Wait until a message of the server makes a condition true."""
        async with asyncio.timeout(timeout):
            while not holds():
                if self.error is not None:
                    raise self.error
                self._changed.clear()
                await self._changed.wait()

    async def _run(self) -> None:
        try:
            while True:
                await self._connect()
                with contextlib.suppress(aiohttp.ClientError, ConnectionError):
                    await self._listen()
                self.reconnections += 1
                self._fail_unnumbered()
        except Exception as error:  # whatever it is, callers that wait must get it
            self._fail_all(error)
        finally:
            if self._ws is not None:
                await self._ws.close()

    def _fail_all(self, error: Exception) -> None:
        """There will be no connection any more."""
        self.error = error
        for _, future in (*self._unanswered.values(), *self._in_order):
            fail(future, error)
        self._changed.set()

    def _fail_unnumbered(self) -> None:
        """The socket is gone, and with it the order in which answers come."""
        self._up = False
        while self._in_order:
            message, future = self._in_order.popleft()
            fail(
                future,
                ConnectionLost(
                    f"the connection broke before {message.get('type')!r} was answered; it may be done or not"
                ),
            )

    async def _connect(self) -> None:
        """Connect and say hello; patient while the server is away."""
        loop = asyncio.get_running_loop()
        deadline, pause = loop.time() + self.patience, 0.02
        limits = await self.client.limits()
        while True:
            try:
                self._ws = await self.client.session.ws_connect(
                    f"{self.client.address}/ws", params={"table": self.id}, max_msg_size=LARGEST
                )
                hello: Json = {"type": "hello", "table": self.id}
                given = {"token": self.token or None, "seat": self.seat, "seq": self.seq, "lang": self.lang}
                hello |= {name: value for name, value in given.items() if value is not None}
                await self._ws.send_json(hello)
                if await self._received_welcome():
                    break
            except (aiohttp.ClientError, ConnectionError, TimeoutError):
                pass
            if loop.time() > deadline:
                raise ConnectionLost(f"the server has not answered for {self.patience:g} seconds")
            await asyncio.sleep(pause)
            pause = min(0.5, pause * 1.5)
        rate, burst = (
            MARGIN * limits[name] / self._slowdown for name in ("messages_per_second", "message_burst")
        )
        self._throttle = Throttle(rate, max(1.0, burst))  # the server counts for each connection
        self._up = True
        self._changed.set()
        for message, _ in list(self._unanswered.values()):
            await self._send(message)

    async def _received_welcome(self) -> bool:
        assert self._ws is not None
        while True:
            message = await self._ws.receive(timeout=self.patience)
            if message.type is not aiohttp.WSMsgType.TEXT:
                return False
            content = message.json()
            if content["type"] == "error" and content["code"] in ("busy", "moved", "fault"):
                await self._ws.close()
                return False
            if content["type"] == "error" and self._renewed(content["code"]):
                await self._ws.close()
                return False
            if content["type"] == "error":
                raise RequestRefused(content["code"], content["message"])
            self._receive(content)
            if content["type"] == "welcome":
                return True

    def _renewed(self, code: str) -> bool:
        """Our token is refused while we wait for the answer to `renew`: it was done, and the new token is ours."""
        asked = [message for message, _ in self._unanswered.values() if message["type"] == "renew"]
        if code != "not_allowed" or not asked or self.token == asked[-1]["token"]:
            return False
        self.token = asked[-1]["token"]
        return True

    async def _listen(self) -> None:
        assert self._ws is not None
        async for message in self._ws:
            if message.type is not aiohttp.WSMsgType.TEXT:
                return
            content = message.json()
            if content["type"] == "bye" and content.get("code") == "too_many":
                self._slowdown *= 2
                await asyncio.sleep(SLOW_DOWN)
                return
            if content["type"] == "bye" and not content["again"]:
                raise ConnectionLost(content["reason"])
            if not self._receive(content):
                return

    def _receive(self, message: Json) -> bool:
        """Take in a message; False where something is missing, so that we must connect again."""
        match message["type"]:
            case "welcome":
                self.table, self.view, self.choice = message["table"], message["view"], message["choice"]
                self.story[message["keep"] :] = message["events"]
                self.seq, self.undo_barrier = message["seq"], message["undo"]
                self.chat = message["chat"]
                if "id" in message:
                    self.seat = message["viewer"]
                    self._answer(message["id"], message)
            case "update":
                if self.seq is None or message["seq"] != self.seq + 1:
                    return False
                self.seq = message["seq"]
                self.story[message.get("keep", len(self.story)) :] = message["events"]
                self.choice = message.get("choice", self.choice)
                self.undo_barrier = message.get("undo", self.undo_barrier)
                self.view = message.get("view", self.view)
                if "done" in message:
                    self._answer(message["done"], message)
            case "view":
                self.view = message["view"]
            case "table":
                self.table = message["table"]
            case "chat":
                self.chat.append(message)
            case "done" | "hint" | "error" | "pong":
                self._answer(message.get("id", ""), message)
        self._changed.set()
        return True

    def _answer(self, message_id: str, message: Json) -> None:
        """Tell the one who asked; without an id, the one who has waited longest, first of those that have none."""
        if message_id and message.get("code") in ("busy", "moved"):
            # retried under the same id, here or over the next socket
            asyncio.get_running_loop().call_later(RETRY_DELAY, self._retry, message_id)
            return
        future: asyncio.Future[Json] | None = None
        if message_id:
            _, future = self._unanswered.pop(message_id, (None, None))
        elif self._in_order:
            _, future = self._in_order.popleft()
        elif message["type"] == "error" and self._unanswered:
            _, future = self._unanswered.pop(next(iter(self._unanswered)))
        if future is None:
            return
        self.token = message.get("token", self.token)
        if message["type"] == "error":
            fail(future, RequestRefused(message["code"], message["message"]))
        elif not future.done():
            future.set_result(message)

    def _retry(self, message_id: str) -> None:
        waiting = self._unanswered.get(message_id)
        if waiting is not None and self._ws is not None and not self._ws.closed:
            self._retrying = asyncio.ensure_future(self._send(waiting[0]))

    async def _send(self, message: Json) -> None:
        """Send, if there is a socket; what is lost with it is sent again over the next."""
        async with self._sending:  # one after the other, in the order in which they were asked
            if self._throttle is not None:
                await self._throttle.acquire()
            if self._ws is not None and not self._ws.closed:
                with contextlib.suppress(aiohttp.ClientError, ConnectionError):
                    await self._ws.send_json(message)

    # ---- asking -----------------------------------------------------------------------------

    async def ask(self, message: Json, timeout: float | None = None) -> Json:
        """Send any message and wait for its answer; raises RequestRefused, ConnectionLost or AnswerTimeout.

        Every verb gets an id if it has none, and is sent again over as many sockets as it takes. The rest (`ping`, or a
        message that the server does not know) is sent once.
        """
        if self.error is not None:
            raise self.error
        kind = message.get("type", "")
        if kind in WITH_ID:
            message = {**message, "id": message.get("id") or secrets.token_hex(8)}
        if kind == "renew":
            message.setdefault("token", secrets.token_urlsafe(24))
        size = len(json.dumps(message).encode())
        if size >= TOO_LARGE:
            raise RequestRefused("too_large", f"a message has fewer than {TOO_LARGE} bytes, not {size}")
        future: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        message_id = message["id"] if kind in WITH_ID else ""
        within = self.answer_within if timeout is None else timeout
        try:
            async with asyncio.timeout(within):
                if message_id:
                    self._unanswered[message_id] = (message, future)
                else:
                    await self.until(lambda: self._up)
                    self._in_order.append((message, future))
                await self._send(message)
                return await future
        except TimeoutError:
            raise AnswerTimeout(
                f"no answer to {kind!r} for {within:g} seconds; it may be done or not"
            ) from None
        finally:
            # a message without an id keeps its place in the order, so that the next one does not get a late answer
            if message_id and self._unanswered.get(message_id, (None, None))[1] is future:
                del self._unanswered[message_id]

    async def act(self, action: str | int, **more: Any) -> Json:
        """Answer the choice that is put to us."""
        if self.choice is None:
            raise RequestRefused("not_asked", "there is nothing to answer")
        return await self.ask({"type": "act", "choice": self.choice["id"], "action": action, **more})

    async def undo(self) -> Json:
        """Take back our last action."""
        return await self.ask({"type": "undo"})

    async def hint(self) -> Json:
        """What a strong bot would do."""
        return await self.ask({"type": "hint"})

    async def say(self, text: str) -> None:
        """A line of chat; returns when it is stored."""
        await self.ask({"type": "chat", "text": text})

    async def look(self, seat: int) -> None:
        """Look from another seat of our token (hot seat): `view`, `story` and `choice` are that seat's from now on."""
        await self.ask({"type": "look", "seat": seat})

    async def next_choice(self, timeout: float | None = None) -> Json | None:
        """Wait until we are asked something; None when the game is over."""
        await self.until(lambda: self.choice is not None or self.over, timeout)
        return self.choice

    @property
    def over(self) -> bool:
        """Is the game over, or given up?"""
        return self.table.get("status") in ("over", "closed")
