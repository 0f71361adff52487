"""The trials of workers: killed, stopped, cut off, with clocks that jump, while many clients play at all of them."""

import asyncio
import contextlib
import random
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fabletop.server.stores.base import Store
from fabletop.server.stores.postgres import PostgresStore
from fabletop.server.stores.sqlite import SqliteStore
from tests.server.services import Postgres
from tests.torture.checker import Finding, check
from tests.torture.history import OK
from tests.torture.logs import logs_of
from tests.torture.players import Room
from tests.torture.preload import Clock
from tests.torture.proxy import DEAF, DROP, HANG, PASS, Proxy
from tests.torture.servers import Worker
from tests.torture.tally import CLOCK, CUTS, GAMES, JUMPS, KILLS, STOPS, STUCK, Tally

TABLES = 6
LEASE = 2.0
"""Seconds: short, so that leases run out often."""
LONGEST = 2 * LEASE
"""A disturbance may last longer than a lease."""
SECONDS_TO_RECOVER = 40.0
HOURS = 3600
SHIFTS = (2 * HOURS, -2 * HOURS, 400 * 24 * HOURS, -400 * 24 * HOURS, 0)


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Node:
    """A worker with the proxies in front of its database and its internal listener, and its clock."""

    def __init__(self, name: str, folder: Path, database: str, socket: Path | None, **inner: Any) -> None:
        """`socket`: of PostgreSQL, whose address contains `{port}`."""
        self.inner = inner
        self._log = folder / f"{name}.log"
        self.name = name
        self.clock = Clock(folder / f"{name}.clock")
        internal = free_port()
        self.inside = Proxy(internal)
        self.database = None if socket is None else Proxy(socket)
        self._address = database
        self._internal = internal

    async def open(self) -> None:
        """Start the proxies, then the worker."""
        await self.inside.open()
        address = self._address
        if self.database is not None:
            await self.database.open()
            address = address.format(port=self.database.port)
        self.worker = Worker(
            *("--database", address, "--name", self.name, "--internal", f"127.0.0.1:{self._internal}"),
            log=self._log,
            preload=self.clock.environment,
            advertise=f"127.0.0.1:{self.inside.port}",
            lease=LEASE,
            copy_after=200,
            **self.inner,
        )
        await self.worker.start()

    async def close(self) -> None:
        """Kill the worker and close the proxies."""
        with contextlib.suppress(AttributeError):  # it was never started
            await self.worker.kill()
        for proxy in (self.inside, self.database):
            if proxy is not None and proxy.port:
                await proxy.close()

    def repair(self) -> None:
        """Undo every disturbance."""
        self.worker.go_on()
        self.clock.jump(0)
        for proxy in (self.inside, self.database):
            if proxy is not None:
                proxy.set(PASS)


class Disturbance:
    """Disturbs some nodes for a while, then repairs everything."""

    def __init__(self, nodes: list[Node], tally: Tally, seed: str) -> None:
        self.nodes = nodes
        self.tally = tally
        self.chance = random.Random(f"{seed} disturbance")

    async def run(self, deadline: float) -> None:
        """One thing after the other, often two at once."""
        ways: list[Callable[[Node], Any]] = [self._kill, self._stop, self._jump]
        if len(self.nodes) > 1:
            ways.append(self._cut_inside)
        if any(node.database for node in self.nodes):
            ways += [self._cut_database] * 2
        while time.monotonic() < deadline:
            nodes = self.chance.sample(self.nodes, self.chance.randint(1, len(self.nodes)))
            await asyncio.gather(*(self.chance.choice(ways)(node) for node in nodes))
            await asyncio.sleep(self.chance.uniform(0.1, 1.5))
        for node in self.nodes:
            node.repair()

    async def _pause(self) -> None:
        await asyncio.sleep(self.chance.choice((0.2, 1.0, LONGEST)) * self.chance.uniform(0.5, 1.0))

    async def _kill(self, node: Node) -> None:
        self.tally.tried[KILLS] += 1
        await node.worker.kill()
        await self._pause()
        await node.worker.start()

    async def _stop(self, node: Node) -> None:
        self.tally.tried[STOPS] += 1
        node.worker.stop()
        await self._pause()
        node.worker.go_on()

    async def _jump(self, node: Node) -> None:
        self.tally.tried[JUMPS] += 1
        node.clock.jump(self.chance.choice(SHIFTS))
        await self._pause()

    async def _cut_inside(self, node: Node) -> None:
        await self._cut(node.inside)

    async def _cut_database(self, node: Node) -> None:
        assert node.database is not None
        await self._cut(node.database)

    async def _cut(self, proxy: Proxy) -> None:
        self.tally.tried[CUTS] += 1
        proxy.set(self.chance.choice((DROP, HANG, DEAF)))
        await self._pause()
        proxy.set(PASS, reset=self.chance.random() < 0.3)


async def _back_in_play(room: Room, tally: Tally) -> None:
    """After the last disturbance every table goes on."""
    began, deadline = len(tally.history.events), time.monotonic() + SECONDS_TO_RECOVER
    while True:
        since = {event.table for event in tally.history.events[began:] if event.kind == OK and event.action}
        waiting = [table for table in room.tables.values() if table not in since]
        if not waiting or time.monotonic() > deadline:
            break
        await asyncio.sleep(0.1)
    tally.findings += [Finding(STUCK, table, "nobody moves after the last disturbance") for table in waiting]


async def _trial(nodes: list[Node], store: Store, seed: str, seconds: float) -> Tally:
    tally = Tally()
    try:
        for node in nodes:
            await node.open()
        room = Room([node.worker.address for node in nodes], tally.history, seed, pause=0.02, leaving=0.03)

        async def disturb() -> None:
            await asyncio.sleep(0.5)
            await Disturbance(nodes, tally, seed).run(time.monotonic() + seconds)
            await _back_in_play(room, tally)

        await room.run(TABLES, disturb)
    finally:
        for node in nodes:
            await node.close()
    logs = await logs_of(store)
    tally.findings += check(tally.history.events, logs)
    tally.findings += [
        Finding(CLOCK, table, f"the clock moved for seat {entry.seat}")
        for table, log in logs.items()
        for entry in log.entries
        if entry and entry.by == "clock"
    ]
    tally.tried[GAMES] += room.games
    tally.note_faults(node.worker for node in nodes)
    return tally.counted()


async def sqlite_one(folder: Path, seed: str, seconds: float) -> Tally:
    """One worker on SQLite."""
    file = folder / "tables.sqlite"
    return await _trial([Node("east", folder, str(file), None)], SqliteStore(file), seed, seconds)


async def sqlite_two(folder: Path, seed: str, seconds: float) -> Tally:
    """Two workers on one SQLite file."""
    file = folder / "tables.sqlite"
    nodes = [Node(name, folder, str(file), None) for name in ("east", "west")]
    return await _trial(nodes, SqliteStore(file), seed, seconds)


async def postgres_two(folder: Path, seed: str, seconds: float) -> Tally:
    """Two workers on PostgreSQL, each with a database connection that can be cut."""
    server = await asyncio.to_thread(Postgres)
    try:
        address = await server.fresh()
        name = f"trial{server.databases}"
        through = f"postgresql://postgres@127.0.0.1:{{port}}/{name}?sslmode=disable"
        listening = server.folder / ".s.PGSQL.5432"
        nodes = [Node(worker, folder, through, listening) for worker in ("east", "west")]
        return await _trial(nodes, PostgresStore(address), seed, seconds)
    finally:
        await asyncio.to_thread(server.close)
