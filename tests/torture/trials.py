"""The trials of the disk: power cuts and errors, on SQLite."""

import asyncio
import json
import os
import random
import sys
import time
from pathlib import Path

from fabletop.server.stores.sqlite import SqliteStore
from tests.torture.checker import Finding, check
from tests.torture.history import History
from tests.torture.logs import logs_of
from tests.torture.players import Room
from tests.torture.power import cut_power
from tests.torture.preload import ROOT, Disk
from tests.torture.servers import Worker, file_in
from tests.torture.sweep import ERRORS as KINDS_OF_ERROR
from tests.torture.tally import ERRORS, GAMES, KILLS, MOVES, POWER_CUTS, STUCK, UNTRUE, Tally

TABLES = 6
CUTS_PER_SECOND = 20
SLOW_SYNC = 3000
"""Microseconds: long enough to acknowledge something too early."""
COPY_AFTER = 60
SECONDS_TO_RECOVER = 30.0


class Session:
    """A server on a disk that is watched, and people who play there."""

    def __init__(self, folder: Path, seed: str, workers: int = 1, **inner: object) -> None:
        self.folder = folder
        self.seed = seed
        self.chance = random.Random(f"{seed} session")
        self.tally = Tally()
        self.disk = Disk(file_in(folder), folder, slow=SLOW_SYNC)
        self.workers = [
            Worker(
                *("--database", str(self.disk.database), "--name", f"worker-{n}"),
                log=folder / f"worker-{n}.log",
                preload=self.disk.environment,
                **{"copy_after": COPY_AFTER, **inner},
            )
            for n in range(workers)
        ]

    @property
    def history(self) -> History:
        """What people asked and were told."""
        return self.tally.history

    async def play(self, disturb, seconds: float) -> None:  # type: ignore[no-untyped-def]
        """Play while the disturbances come, for a number of seconds; then check the log, and cut the power."""
        for worker in self.workers:
            await worker.start()
        mark = lambda: self.disk.mark(b"%d" % len(self.history.events))  # noqa: E731
        room = Room([worker.address for worker in self.workers], self.history, self.seed, on_note=mark)
        deadline = time.monotonic() + seconds
        try:
            await room.run(TABLES, lambda: disturb(self, deadline))
        finally:
            for worker in self.workers:
                await worker.kill()
        self.tally.tried[GAMES] += room.games
        self.tally.note_faults(self.workers)
        self.tally.findings += check(self.history.events, await logs_of(SqliteStore(self.disk.database)))
        outcome = await cut_power(
            self.disk.journal, self.history.events, int(seconds * CUTS_PER_SECOND), self.seed, self.folder
        )
        self.tally.tried[POWER_CUTS] += outcome.cuts
        self.tally.findings += outcome.findings
        self.tally.counted()

    async def restart(self) -> None:
        """Kill a server or all of them, and start them again."""
        killed = self.chance.choice([self.workers, [self.chance.choice(self.workers)]])
        for worker in killed:
            await worker.kill()
            self.tally.tried[KILLS] += 1
        self.disk.clear()
        for worker in killed:
            await worker.start()

    def find(self, kind: str, text: str) -> None:
        """Note a finding that the history does not show."""
        self.tally.findings.append(Finding(kind, "", text))

    async def goes_on(self, after: str) -> None:
        """Moves are acknowledged again, soon after the disk is good again."""
        before, deadline = self.history.acknowledged(), time.monotonic() + SECONDS_TO_RECOVER
        while self.history.acknowledged() < before + TABLES:
            if time.monotonic() > deadline:
                self.find(STUCK, f"nothing is acknowledged after {after}")
                return
            await asyncio.sleep(0.05)


async def _kill(session: Session, deadline: float) -> None:
    while time.monotonic() < deadline:
        await asyncio.sleep(session.chance.uniform(0.5, 2.0))
        await session.restart()
        await session.goes_on("a kill")


async def power(folder: Path, seed: str, seconds: float, **inner: object) -> Tally:
    """Play on SQLite with one worker or two, kill them now and then, and cut the power at many moments."""
    session = Session(folder, seed, random.Random(f"{seed} workers").randint(1, 2), **inner)
    await session.play(_kill, seconds)
    return session.tally


async def _spoil(session: Session, deadline: float) -> None:
    """Errors one after the other: a single one, or all calls until the disk is repaired; sometimes with a kill."""
    disk, chance = session.disk, session.chance
    while time.monotonic() < deadline:
        await session.goes_on("the start")
        name, error, which = chance.choice(KINDS_OF_ERROR[:-1])  # a running server does not sync the folder
        sticky = (
            error != 0 and chance.random() < 0.4
        )  # a write that is short again and again is whole in the end
        disk.arm(chance.randint(1, 60), error, which, sticky=sticky)
        until = time.monotonic() + 5
        while not disk.failing and time.monotonic() < until:
            await asyncio.sleep(0.005)
        told = f"{name}{' until repaired' if sticky else ''}"
        if sticky and disk.failing and not await session.workers[0].until_ready(False, 10):
            session.find(UNTRUE, f"/readyz says yes while nothing can be written: {told}")
        if chance.random() < 0.3:
            session.tally.tried[ERRORS] += bool(disk.failing)
            await session.restart()
        else:
            disk.clear()
            session.tally.tried[ERRORS] += bool(disk.failed)
        await session.goes_on(told)
        if not await session.workers[0].until_ready(True, 15):
            session.find(UNTRUE, f"/readyz says no although moves are acknowledged: {told}")


async def errors(folder: Path, seed: str, seconds: float) -> Tally:
    """Play on SQLite while calls that write fail."""
    session = Session(folder, seed)
    await session.play(_spoil, seconds)
    return session.tally


async def sweep(folder: Path, seed: str, seconds: float, stride: int = 1) -> Tally:
    """An error at every call that writes, one after the other, in the life of a store without a server."""
    disk, tally = Disk(file_in(folder), folder), Tally()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.torture.sweep", str(folder), seed, str(stride), str(seconds)),
        cwd=ROOT,
        env={**os.environ, **disk.environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdout is not None
    async for line in process.stdout:
        told = json.loads(line)
        tally.tried[ERRORS] += bool(told.get("failed"))
        tally.tried[POWER_CUTS] += told.get("cuts", 0)
        tally.tried[MOVES] += told.get("acknowledged", 0)
        where = f"{told.get('error')} at call {told.get('number')}, {told.get('way')}: "
        tally.findings += [Finding(kind, table, where + text) for kind, table, text in told["findings"]]
    if await process.wait():
        tally.findings.append(Finding(STUCK, "", "the sweep has failed"))
    return tally
