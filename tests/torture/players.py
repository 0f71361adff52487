"""Clients that play at random, change servers, take back and look, and record everything in a history.

They are written without `fabletop.client`, so that a fault of that client cannot hide one of the server.
"""

import asyncio
import json
import random
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import aiohttp

from tests.torture.history import ACT, FAIL, INFO, INVOKE, LOOK, OK, TOLD, UNDO, History

FOR_GOOD = ("stale", "not_asked", "cannot_undo", "not_playing", "not_offered")
"""Codes that say: this was not done, and will not be. All others mean: ask again under the same id."""
SECONDS_TO_ANSWER = 3.0
Json = dict[str, Any]
Failures = (aiohttp.ClientError, ConnectionError, TimeoutError)


class Gone(Exception):
    """The connection is gone, or of no use any more."""


async def call(
    session: aiohttp.ClientSession, method: str, url: str, body: Any = None, token: str = ""
) -> Json:
    """One HTTP request; raises Gone where it was not answered well."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        timeout = aiohttp.ClientTimeout(total=SECONDS_TO_ANSWER)
        async with session.request(method, url, json=body, headers=headers, timeout=timeout) as answer:
            data: Json = await answer.json(content_type=None)
    except (*Failures, ValueError) as error:
        raise Gone(str(error)) from None
    if answer.status >= 400:
        raise Gone(str(data))
    return data


class Guest:
    """Somebody at a table: in a seat, or as a spectator (viewer None)."""

    def __init__(
        self, room: "Room", name: str, table: str, viewer: int | None, token: str, seed: str
    ) -> None:
        self.room = room
        self.name = name
        self.table = table
        self.viewer = viewer
        self.token = token
        self.chance = random.Random(seed)
        self.seq: int | None = None
        self.choice: Json | None = None
        self.undo: str | None = "nothing"
        self.over = False
        self.done = 0
        self.line = 0
        self._asked: Json | None = None
        self._ws: aiohttp.ClientWebSocketResponse | None = None

    def _note(
        self,
        kind: str,
        what: str,
        op: str = "",
        action: str = "",
        seq: int | None = None,
        line: int | None = None,
    ) -> None:
        line = self.line if line is None else line
        self.room.history.note(self.name, line, self.table, self.viewer, kind, what, op, action, seq)
        self.room.on_note()

    async def play(self) -> None:
        """Until the game is over; a new connection, often to another server, whenever one breaks."""
        while not self.over:
            try:
                await self._connect()
                while not self.over:
                    await self._step()
            except (Gone, *Failures):
                await asyncio.sleep(self.chance.uniform(0.01, 0.15))
            finally:
                if self._ws is not None:
                    await asyncio.wait([asyncio.ensure_future(self._ws.close())], timeout=0.2)

    async def _connect(self) -> None:
        address = self.chance.choice(self.room.addresses)
        self.line += 1
        op = f"hello-{self.line}"
        hello: Json = {"type": "hello", "table": self.table}
        hello |= {"token": self.token} if self.token else {}
        hello |= {"seq": self.seq} if self.seq is not None else {}
        self._note(INVOKE, LOOK, op)
        async with asyncio.timeout(SECONDS_TO_ANSWER):
            self._ws = await self.room.session.ws_connect(f"{address}/ws", max_msg_size=1 << 24)
            await self._ws.send_json(hello)
            while True:
                said = await self._hear()
                if said["type"] == "error":
                    raise Gone(said["code"])
                if said["type"] == "welcome":
                    break
        self.seq, self.choice, self.undo = said["seq"], said["choice"], said["undo"]
        self._note(OK, LOOK, op, seq=self.seq)
        self._see(said["table"])
        if self._asked is not None:
            await self._ws.send_json(self._asked)

    def _see(self, table: Json) -> None:
        self.over = table["status"] in ("over", "closed") and self._asked is None

    async def _hear(self) -> Json:
        assert self._ws is not None
        message = await self._ws.receive()
        if message.type is not aiohttp.WSMsgType.TEXT:
            raise Gone("closed")
        said: Json = json.loads(message.data)
        return said

    async def _step(self) -> None:
        """Ask for something if there is something to ask, and take in what comes."""
        assert self._ws is not None
        if self._asked is None and self.viewer is not None:
            await self._ask()
        if self._asked is None and self.chance.random() < self.room.leaving:
            raise Gone("left")
        try:
            async with asyncio.timeout(SECONDS_TO_ANSWER):
                self._take(await self._hear())
        except TimeoutError:
            if self._asked is not None or self.chance.random() < 0.3:
                raise Gone("no answer") from None

    async def _ask(self) -> None:
        assert self._ws is not None
        undo = self.undo is None and self.chance.random() < 0.15
        if not undo and self.choice is None:
            return
        if self.room.pause:
            await asyncio.sleep(self.chance.uniform(0, 2 * self.room.pause))
        self.done += 1
        message: Json = {"type": "undo" if undo else "act", "id": f"{self.name}-{self.done}"}
        if not undo:
            assert self.choice is not None
            message |= {"choice": self.choice["id"], "action": self.chance.choice(self.choice["options"])}
        self._asked = message
        self._note(INVOKE, UNDO if undo else ACT, message["id"], message.get("action", ""))
        await self._ws.send_json(message)

    def _take(self, said: Json) -> None:
        match said["type"]:
            case "update":
                self.choice = said.get("choice", self.choice)
                self.undo = said.get("undo", self.undo)
                self._note(TOLD, "update", seq=said["seq"])
                self.seq = said["seq"]
                if "done" in said:
                    self._answered(said["done"], OK)
            case "done":
                self._answered(said.get("id", ""), OK)
            case "error":
                if said["code"] not in FOR_GOOD:
                    raise Gone(said["code"])
                self._answered(said.get("id", ""), FAIL)
            case "table":
                self._see(said["table"])
            case "bye":
                raise Gone(said["reason"])

    def _answered(self, op: str, kind: str) -> None:
        if self._asked is None or self._asked["id"] != op:
            return
        asked, self._asked = self._asked, None
        self._note(kind, asked["type"], op, asked.get("action", ""))

    def give_up(self) -> None:
        """The trial is over: what was asked last may be done or not."""
        if self._asked is not None:
            self._note(INFO, self._asked["type"], self._asked["id"])


class Room:
    """Many tables at once, each with two players, a spectator and somebody who asks for views over HTTP."""

    def __init__(
        self,
        addresses: Sequence[str],
        history: History,
        seed: str,
        *,
        on_note: Callable[[], None] = lambda: None,
        pause: float = 0.0,
        leaving: float = 0.02,
    ) -> None:
        self.addresses = addresses
        self.history = history
        self.chance = random.Random(f"{seed} room")
        self.seed = seed
        self.on_note = on_note
        self.pause = pause
        self.leaving = leaving
        self.guests: list[Guest] = []
        self.games = 0
        self.tables: dict[int, str] = {}
        """The tables at which somebody plays now."""

    async def run(self, tables: int, disturb: Callable[[], Awaitable[None]]) -> None:
        """Play at N tables, new ones when games are over, until `disturb` returns."""
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as self.session:
            tasks = [asyncio.ensure_future(self._company(n)) for n in range(tables)]
            disturbing = asyncio.ensure_future(disturb())
            try:
                await asyncio.wait([disturbing, *tasks], return_when=asyncio.FIRST_COMPLETED)
                for task in tasks:
                    if task.done():
                        task.result()  # a client that met something unknown ends the trial
                await disturbing
            finally:
                for task in (disturbing, *tasks):
                    task.cancel()
                await asyncio.gather(disturbing, *tasks, return_exceptions=True)
                for guest in self.guests:
                    guest.give_up()

    async def _company(self, number: int) -> None:
        """One game after the other."""
        chance = random.Random(f"{self.seed} {number}")
        while True:
            try:
                table, tokens = await self._new_table(chance)
            except Gone:
                await asyncio.sleep(0.1)
                continue
            self.games += 1
            self.tables[number] = table
            names = (f"Ana-{self.games}", f"Ben-{self.games}")
            guests = [
                Guest(self, name, table, seat, token, f"{self.seed} {number} {self.games} {seat}")
                for seat, (name, token) in enumerate(zip(names, tokens, strict=True))
            ]
            watcher = Guest(self, f"Cleo-{self.games}", table, None, "", f"{self.seed} {number} {self.games}")
            self.guests += [*guests, watcher]
            others = [
                asyncio.ensure_future(watcher.play()),
                asyncio.ensure_future(self._reader(table, f"Dov-{self.games}", tokens, chance)),
            ]
            try:
                await asyncio.gather(*(guest.play() for guest in guests))
            finally:
                for other in others:
                    other.cancel()
                ended = await asyncio.gather(*others, return_exceptions=True)
            for result in ended:
                if isinstance(result, Exception):
                    raise result

    async def _new_table(self, chance: random.Random) -> tuple[str, list[str]]:
        address = chance.choice(self.addresses)
        body: Json = {"game": "equinox", "seats": [{"kind": "open"}] * 2, "name": "Ana"}
        if chance.random() < 0.5:
            body["pace"] = {"kind": "move", "seconds": 600}
        made = await call(self.session, "POST", f"{address}/api/tables", body)
        sat = await call(self.session, "POST", f"{address}/api/tables/{made['table']}/sit", {"name": "Ben"})
        return made["table"], [made["token"], sat["token"]]

    async def _reader(self, table: str, name: str, tokens: Sequence[str], chance: random.Random) -> None:
        """Asks for views of either seat or a spectator, each time of any server."""
        while True:
            await asyncio.sleep(chance.uniform(0.02, 0.3) + self.pause)
            viewer = chance.choice((0, 1, None))
            who, op = f"{name}-{viewer}", f"look-{secrets.token_hex(4)}"
            token = "" if viewer is None else tokens[viewer]
            address = chance.choice(self.addresses)
            self.history.note(who, 0, table, viewer, INVOKE, LOOK, op)
            try:
                told = await call(self.session, "GET", f"{address}/api/tables/{table}/view", None, token)
            except Gone:
                continue
            self.history.note(who, 0, table, viewer, OK, LOOK, op, seq=told["seq"])
            self.on_note()
