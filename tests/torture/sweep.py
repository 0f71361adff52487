"""One error at every call that writes: the store alone, in a process of its own under disk.c.

    python -m tests.torture.sweep FOLDER SEED STRIDE SECONDS    (with the environment of `Disk`)

A short life of a store (open, create, append, checkpoint, close) is repeated, each time with another call made to fail,
until a whole life passes without an error. The store must not hang, must go on when the error is over, and must
hold what it acknowledged, also after a power cut. Prints a JSON object per life.
"""

import asyncio
import contextlib
import errno
import json
import os
import random
import sqlite3
import sys
import time
from itertools import product
from pathlib import Path
from typing import Any

from fabletop.server.stores import sqlite as store_module
from fabletop.server.stores.base import Append, Listing, Lost, Store, StoreDown
from fabletop.server.stores.entries import Acted, Head, encode
from fabletop.server.stores.sqlite import SqliteStore
from tests.torture.checker import Entry, Finding, Log, check
from tests.torture.history import ACT, INFO, INVOKE, OK, History, read
from tests.torture.power import SUFFIXES, cut_power
from tests.torture.preload import EVERYTHING, ON_FOLDER, ON_SYNC, ON_WRITE, Disk

TABLE = "trial"
MOVES = 8
SECONDS = 8.0
"""In which every call of the store must be answered."""
ATTEMPTS = 4
READ_FROM, READ_UNTIL = 2, 4
STUCK = "stuck"
ERRORS = (
    ("no space", errno.ENOSPC, EVERYTHING),
    ("I/O error", errno.EIO, EVERYTHING),
    ("short write", 0, ON_WRITE),
    ("failed sync", errno.EIO, ON_SYNC),
    ("failed sync of the folder", errno.EIO, ON_FOLDER),
)
ONCE, STICKY, KILLED = "once", "until the disk is repaired", "once, and the process is killed"
LISTING = Listing("playing", 0, None, 0.0)


async def unfolded(store: Store) -> dict[str, Log]:
    """The log as the checker wants it, of entries that are no game."""
    await store.open()
    try:
        loaded = await store.load(TABLE)
    finally:
        await store.close()
    if loaded is None:
        return {}
    entries = [Entry(e.seat, e.id, e.action) for e in loaded.entries if isinstance(e, Acted)]
    return {TABLE: Log(entries, {0: range(len(entries) + 1)})}


class Life:
    """One life of a store."""

    def __init__(self, disk: Disk) -> None:
        self.disk = disk
        self.history = History()
        self.findings: list[Finding] = []

    def note(self, kind: str, op: str) -> None:
        """Note what was asked and acknowledged, in the history and in the journal."""
        self.history.note("Ana", 0, TABLE, 0, kind, ACT, op, "go")
        self.disk.mark(b"%d" % len(self.history.events))

    async def run(self, clear_after: int | None) -> None:
        """Open, append, close; sticky errors are cleared after some moves."""
        store = await self._opened()
        for n in range(MOVES):
            if n == clear_after:
                self.disk.clear()
            self._read_along(n)
            over = clear_after is None or n >= clear_after
            if not await self._append(store, f"move-{n}") and over:
                self.findings.append(Finding(STUCK, TABLE, f"move {n} fails although the disk is good again"))
        if clear_after is not None:
            self.disk.clear()
        await self._answered(store.close(), "close")

    async def die(self) -> None:
        """As far as the first error, in a process that ends there as if it was killed."""
        with contextlib.suppress(StoreDown, Lost):
            store = SqliteStore(self.disk.database)
            await store.open()
            await self._create(store)
            for n in range(MOVES):
                self._read_along(n)
                if not await self._append(store, f"before-{n}", attempts=1):
                    break
        self.history.save(self.died)
        os._exit(0)

    def _read_along(self, n: int) -> None:
        """Somebody else reads for some moves. What is written meanwhile cannot be copied from the log into the
        database, and SQLite does not sync what it copies before all of it is copied."""
        if n == READ_FROM:
            self._reader = sqlite3.connect(self.disk.database)
            self._reader.execute("BEGIN")
            self._reader.execute("SELECT count(*) FROM tables").fetchone()
        elif n == READ_UNTIL:
            self._reader.close()

    @property
    def died(self) -> Path:
        """What a process that ended so had done."""
        return self.disk.journal.with_suffix(".died")

    async def _opened(self) -> SqliteStore:
        """A store that could be opened: a server that cannot open its store ends, and is started again."""
        for attempt in range(ATTEMPTS):
            store = SqliteStore(self.disk.database)
            try:
                await self._answered(store.open(), "open")
                await self._create(store)
                return store
            except StoreDown:
                await self._answered(store.close(), "close")
            if attempt == ATTEMPTS - 2:
                self.disk.clear()
        raise AssertionError("the store cannot be opened although the disk is good")

    async def _create(self, store: SqliteStore) -> None:
        if await self._answered(store.load(TABLE), "load") is None:
            head = Head(TABLE, "equinox", 1, {"seats": 2}, "seed", 0.0, "host")
            await self._answered(store.create(head, [], LISTING, ["key"]), "create")

    async def _append(self, store: SqliteStore, op: str, attempts: int = ATTEMPTS) -> bool:
        """As a server does it: a table whose append failed is evicted and loaded again, and the client asks again."""
        self.note(INVOKE, op)
        for _ in range(attempts):
            try:
                claim = await self._answered(store.claim(TABLE, "worker"), "claim")
                loaded = await self._answered(store.load(TABLE), "load")
                assert claim is not None
                assert loaded is not None
                if not any(entry.id == op for entry in loaded.entries if isinstance(entry, Acted)):
                    entries = [encode(Acted(0.0, 0, "go", op))]
                    append = Append(TABLE, claim.fence, len(loaded.entries), entries, LISTING)
                    await self._answered(store.append(append), "append")
                self.note(OK, op)
                if not store.writable:
                    self.findings.append(
                        Finding(STUCK, TABLE, f"{op} is written, and the store says it cannot write")
                    )
                return True
            except (StoreDown, Lost):
                continue
        self.note(INFO, op)
        return False

    async def _answered(self, work, name):  # type: ignore[no-untyped-def]
        """Nothing may wait for ever."""
        try:
            async with asyncio.timeout(SECONDS):
                return await work
        except TimeoutError:
            print(json.dumps({"findings": [[STUCK, TABLE, f"{name} is not answered"]]}), flush=True)
            sys.exit(1)  # the thread hangs: there is no way on


def live(
    disk: Disk, folder: Path, seed: str, error: int, which: int, number: int, way: str
) -> dict[str, Any]:
    """One life with one error; what came of it."""
    for suffix in SUFFIXES:
        Path(f"{disk.database}{suffix}").unlink(missing_ok=True)
    disk.journal.write_bytes(b"")  # the library appends
    life = Life(disk)
    disk.arm(number, error, which, sticky=way == STICKY)
    if way == KILLED:
        child = os.fork()
        if not child:
            asyncio.run(life.die())
        os.waitpid(child, 0)
        disk.clear()
        life.history.events = read(life.died)
    asyncio.run(life.run(MOVES // 2 if way == STICKY else None))
    if way != KILLED:
        disk.clear()
    return asyncio.run(judged(life, folder, seed, which))


async def judged(life: Life, folder: Path, seed: str, which: int) -> dict[str, Any]:
    """Check what a life has left, now and after power cuts."""
    history, disk = life.history.events, life.disk
    findings = life.findings + check(history, await unfolded(SqliteStore(disk.database)))
    cuts = 8 if which in (ON_SYNC, ON_FOLDER) else 4  # there are few syncs, and they matter most
    outcome = await cut_power(disk.journal, history, cuts, seed, folder, unfolded)
    return {
        "failed": disk.failed,
        "acknowledged": life.history.acknowledged(),
        "cuts": outcome.cuts,
        "findings": findings + outcome.findings,
    }


def sweep(folder: Path, seed: str, stride: int, seconds: float) -> None:
    """Every error at every call, or at about one of `stride` calls; failed syncs always at every one."""
    store_module.COPY_AFTER = 6
    disk = Disk(folder / "disk" / "tables.sqlite", folder)
    chance = random.Random(f"{seed} sweep")
    deadline = time.monotonic() + seconds
    trials = list(product((ONCE, STICKY, KILLED), ERRORS))
    chance.shuffle(trials)  # the time may not be enough for all
    for way, (name, error, which) in trials:
        step = 1 if which in (ON_SYNC, ON_FOLDER) else stride
        number = chance.randint(1, step)
        while time.monotonic() < deadline:
            told = live(disk, folder, f"{seed} {name} {number}", error, which, number, way)
            print(json.dumps({"error": name, "number": number, "way": way, **told}), flush=True)
            if not told["failed"]:
                break
            number += chance.randint(1, 2 * step - 1)


if __name__ == "__main__":
    sweep(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), float(sys.argv[4]))
