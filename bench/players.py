"""Random players at many tables, ours or boardgame.io's: each table four sockets in one event loop (`bench.tables`)."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import aiohttp
import msgspec
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

SEATS = 4


class Line(WSListener):
    """A socket; what comes in goes to `hear`."""

    def __init__(self, hear: Callable[[bytes], None]) -> None:
        super().__init__()
        self.hear = hear
        self.transport: WSTransport | None = None

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Ready to send."""
        self.transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """A whole message."""
        if frame.msg_type == WSMsgType.PING:
            transport.send_pong(frame.get_payload_as_bytes())
        elif frame.msg_type in (WSMsgType.TEXT, WSMsgType.BINARY):
            self.hear(frame.get_payload_as_bytes())

    def say(self, data: bytes) -> None:
        """Send a text."""
        assert self.transport is not None
        self.transport.send(WSMsgType.TEXT, data)


@dataclass
class Count:
    """What the tables of a trial report."""

    pause: float | None = None
    """Seconds between two moves at a table; None: none."""
    counting: bool = False
    moves: int = 0
    waits: list[float] = field(default_factory=list)
    going: bool = True
    held: list[Callable[[], None]] | None = field(default_factory=list)
    """First moves, until all tables are open."""
    began: float = 0.0

    def rest(self) -> None:
        """More tables are being opened: nobody moves meanwhile."""
        self.held = [] if self.held is None else self.held

    def begin(self) -> None:
        """All tables are open: let them play."""
        held, self.held = self.held, None
        self.began = asyncio.get_running_loop().time()
        for move in held or ():
            move()

    def next(self, due: float) -> float:
        """When a table moves whose last move was due then; after a rest, all begin anywhere in the first pause."""
        assert self.pause is not None
        now = asyncio.get_running_loop().time()
        return max(due + self.pause, now) if due >= self.began else now + self.pause * random.random()

    def told(self, since: float) -> None:
        """A move was acknowledged."""
        if self.counting:
            self.moves += 1
            self.waits.append(time.perf_counter() - since)


class Paced:
    """A table that moves as the trial wants it."""

    count: Count
    due = 0.0

    def later(self, move: Callable[[], None]) -> None:
        """Move when all tables are open and the pause is over; not at all when the trial has ended."""
        if self.count.held is not None:
            self.count.held.append(lambda: self.later(move))
        elif self.count.going and self.count.pause is None:
            move()
        elif self.count.going:
            self.due = self.count.next(self.due)
            asyncio.get_running_loop().call_at(self.due, move)


class OurChoice(msgspec.Struct):
    """Of a choice only what a random player needs."""

    id: int
    options: list[str]


class OurMessage(msgspec.Struct):
    """Of a message only what a random player needs."""

    type: str
    choice: OurChoice | msgspec.UnsetType | None = msgspec.UNSET
    done: str | msgspec.UnsetType = msgspec.UNSET
    table: msgspec.Raw = msgspec.Raw()


class OurStatus(msgspec.Struct):
    """Of a table, whether its game is over, and which table follows."""

    status: str
    followed: str = ""


_ours = msgspec.json.Decoder(OurMessage).decode
_our_table = msgspec.json.Decoder(OurStatus).decode


class OurTable(Paced):
    """Four sockets at one table of ours; a game that is over is followed by a rematch."""

    def __init__(self, address: str, session: aiohttp.ClientSession, count: Count) -> None:
        self.address, self.session, self.count = address, session, count
        self.lines: list[Line] = []
        self.sent = 0.0
        self.number = 0

    async def open(self) -> None:
        """Make a table, and connect all seats."""
        body = {"game": "equinox", "seats": [{"kind": "hot", "name": f"N{n}"} for n in range(SEATS)]}
        async with self.session.post(f"{self.address}/api/tables", json=body) as answer:
            made = await answer.json()
        self.token = made["token"]
        for seat in range(SEATS):
            _, line = await ws_connect(
                lambda seat=seat: Line(lambda data: self._hear(seat, data)),
                f"ws{self.address[4:]}/ws?table={made['table']}",
                websocket_handshake_timeout=60,
            )
            assert isinstance(line, Line)
            self.lines.append(line)
        self._sit_down(made["table"])

    def _sit_down(self, table: str) -> None:
        for seat, line in enumerate(self.lines):
            hello = {"type": "hello", "table": table, "token": self.token, "seat": seat}
            line.say(json.dumps(hello).encode())

    def _hear(self, seat: int, data: bytes) -> None:
        said = _ours(data)
        if said.done:
            self.count.told(self.sent)
        if said.choice:
            self.later(partial(self._act, seat, said.choice))
        elif said.type == "table" and seat == 0:
            table = _our_table(said.table)
            if table.status == "over" and not table.followed:
                self.lines[0].say(b'{"type":"rematch"}')
        elif said.type == "done" and said.table:
            self._sit_down(msgspec.json.decode(said.table))

    def _act(self, seat: int, choice: OurChoice) -> None:
        self.number += 1
        action = choice.options[self.number * 7 % len(choice.options)]
        self.sent = time.perf_counter()
        self.lines[seat].say(
            b'{"type":"act","id":"%d","choice":%d,"action":"%b"}' % (self.number, choice.id, action.encode())
        )


class PeerContext(msgspec.Struct):
    """Whose turn it is, and how the match ended."""

    currentPlayer: str  # noqa: N815 - their name
    gameover: Any = None


class PeerState(msgspec.Struct):
    """Of a state only what a random player needs."""

    ctx: PeerContext
    stateID: int = msgspec.field(name="_stateID")  # noqa: N815 - their name


class PeerSync(msgspec.Struct):
    """What `sync` brings."""

    state: PeerState


_peer_update = msgspec.json.Decoder(tuple[str, str, PeerState, Any]).decode
_peer_sync = msgspec.json.Decoder(tuple[str, str, PeerSync]).decode


class PeerTable(Paced):
    """Four sockets at one match of boardgame.io, by its own protocol: socket.io over WebSocket; a match that is over is
    followed by another."""

    PREFIX = b"42/fable,"

    def __init__(self, address: str, session: aiohttp.ClientSession, count: Count) -> None:
        self.address, self.count = address, count
        self.match = ""
        self.lines: list[Line] = []
        self.mover = -1
        self.number = 0
        self.sent = 0.0
        self.ready = asyncio.Event()

    async def open(self) -> None:
        """Connect all seats, and begin a match."""
        for seat in range(SEATS):
            url = f"ws{self.address[4:]}/socket.io/?EIO=4&transport=websocket"
            _, line = await ws_connect(
                lambda seat=seat: Line(lambda data: self._hear(seat, data)),
                url,
                websocket_handshake_timeout=60,
            )
            assert isinstance(line, Line)
            self.lines.append(line)
            self.ready.clear()
            line.say(b"40/fable,")
            await asyncio.wait_for(self.ready.wait(), 30)
        self._new_match()

    def _new_match(self) -> None:
        self.match = f"m{random.getrandbits(60):x}"
        self._sit_down(0)

    def _sit_down(self, seat: int) -> None:
        """One after the other: the first one makes the match."""
        sync = ["sync", self.match, str(seat), None, SEATS]
        self.lines[seat].say(self.PREFIX + json.dumps(sync).encode())

    def _hear(self, seat: int, data: bytes) -> None:
        if data == b"2":
            self.lines[seat].say(b"3")
        elif data.startswith(b"40/fable"):
            self.ready.set()
        elif data.startswith(self.PREFIX + b'["sync"'):
            if seat + 1 < SEATS:
                self._sit_down(seat + 1)
            else:
                self._turn(_peer_sync(data[len(self.PREFIX) :])[2].state, None)
        elif data.startswith(self.PREFIX + b'["update"'):
            self._turn(_peer_update(data[len(self.PREFIX) :])[2], seat)

    def _turn(self, state: PeerState, seat: int | None) -> None:
        """The mover hears that its move is made; the next one moves when it has heard of it."""
        if seat is not None and self.mover == seat and state.stateID > self.number:
            self.number = state.stateID
            self.count.told(self.sent)
            if state.ctx.gameover is not None:
                self._new_match()
        mover = int(state.ctx.currentPlayer)
        if state.ctx.gameover is None and (seat is None or seat == mover):
            self.later(partial(self._act, mover, state.stateID))

    def _act(self, mover: int, state: int) -> None:
        self.mover, self.number = mover, state
        self.sent = time.perf_counter()
        payload = {"type": "play", "args": [state], "playerID": str(mover)}
        update = ["update", {"type": "MAKE_MOVE", "payload": payload}, state, self.match, str(mover)]
        self.lines[mover].say(self.PREFIX + json.dumps(update).encode())
