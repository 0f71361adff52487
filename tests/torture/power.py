"""Power cuts: the disk as it would be if the power had failed at a moment, from the journal of disk.c.

What was synced is there. Of what was not, anything may be: nothing, all of it, the first part in order, any of the
writes, any of their sectors. What a failed sync covered may be gone for good, even if a later sync succeeds.
"""

import random
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from fabletop.server.stores.base import Store
from fabletop.server.stores.sqlite import SqliteStore
from tests.torture.checker import LOST, Finding, Log, check
from tests.torture.history import Event
from tests.torture.logs import logs_of
from tests.torture.preload import RECORD

SUFFIXES = ("", "-wal", "-shm", "-journal")
SHM, FOLDER = 2, 4
SECTOR = 512
MODES = ("none", "all", "first", "some", "torn")


class Record(NamedTuple):
    """A line of the journal."""

    kind: str
    file: int
    error: int
    offset: int
    data: bytes


def records(journal: Path) -> Iterator[Record]:
    """The journal; its last line may be cut off where the server was killed."""
    data = journal.read_bytes()
    at = 0
    while at + RECORD.size <= len(data):
        kind, file, error, length, offset = RECORD.unpack_from(data, at)
        at += RECORD.size
        if at + length > len(data):
            return
        yield Record(kind.decode(), file, error, offset, data[at : at + length])
        at += length


class Write(NamedTuple):
    """A change of a file that is not durable yet; `data` None: the file is cut to `offset`."""

    number: int
    offset: int
    data: bytes | None


def put(content: bytearray, write: Write, sectors: random.Random | None = None) -> None:
    """Carry out a write; with chance, only some of its sectors."""
    if write.data is None:
        del content[write.offset :]
        content.extend(bytes(write.offset - len(content)))
        return
    end = write.offset + len(write.data)
    content.extend(bytes(max(0, end - len(content))))
    if sectors is None:
        content[write.offset : end] = write.data
        return
    at = write.offset
    while at < end:
        until = min(end, at - at % SECTOR + SECTOR)
        if sectors.random() < 0.5:
            content[at:until] = write.data[at - write.offset : until - write.offset]
        at = until


@dataclass
class Inode:
    """A file: what is durable, and what is not yet."""

    durable: bytearray = field(default_factory=bytearray)
    pending: list[Write] = field(default_factory=list)

    def sync(self, before: int) -> None:
        """All writes before a moment are durable."""
        for write in self.pending:
            if write.number < before:
                put(self.durable, write)
        self.pending = [write for write in self.pending if write.number >= before]

    def forget(self, before: int, chance: random.Random) -> None:
        """A sync has failed: the system may think that what it covered is clean, and never write it."""
        self.pending = [w for w in self.pending if w.number >= before or chance.random() < 0.5]

    def left(self, mode: str, chance: random.Random) -> bytes:
        """What is left after a power cut."""
        content, pending = bytearray(self.durable), self.pending
        if mode == "none":
            pending = []
        elif mode == "first":
            pending = pending[: chance.randint(0, len(pending))]
        elif mode == "some":
            pending = [write for write in pending if chance.random() < 0.5]
        for write in pending:
            put(content, write, chance if mode == "torn" else None)
        return bytes(content)


class Replay:
    """The disk while the journal is read forward. A name is durable when the folder has been synced."""

    def __init__(self, seed: str) -> None:
        self.chance = random.Random(f"{seed} failed syncs")
        self.number = 0
        self.marks = 0
        """What the last mark says: the length of the history."""
        self.named: dict[int, Inode] = {}
        self._durable: dict[int, Inode] = {}
        self._began: dict[tuple[int, int], int] = {}
        self.syncs = 0

    def take(self, record: Record) -> None:
        """One more line of the journal."""
        self.number += 1
        file = record.file
        match record.kind:
            case "C":
                self.named[file] = Inode()
            case "U":
                self.named.pop(file, None)
            case "W":
                self.named[file].pending.append(Write(self.number, record.offset, record.data))
            case "T":
                self.named[file].pending.append(Write(self.number, record.offset, None))
            case "S":
                self._began[file, record.offset] = self.number
            case "D" if file == FOLDER:
                self._durable = dict(self.named)
            case "D":
                self.syncs += 1
                self.named[file].sync(self._began.pop((file, record.offset)))
            case "F" if file != FOLDER:
                self.named[file].forget(self._began.pop((file, record.offset)), self.chance)
            case "A":
                self.marks = int(record.data)

    def cut(self, mode: str, chance: random.Random) -> dict[str, bytes]:
        """The files after a power cut now, by their suffixes. The -shm file is rebuilt by whoever opens the database
        first."""
        names = self._durable if mode == "none" or chance.random() < 0.5 else self.named
        return {SUFFIXES[file]: inode.left(mode, chance) for file, inode in names.items() if file != SHM}


def moments(journal: Path, cuts: int, chance: random.Random) -> list[int]:
    """When to cut: half of the cuts right after a mark, where something has just been acknowledged, the others at any
    time."""
    kinds = [record.kind for record in records(journal)]
    marks = [n for n, kind in enumerate(kinds, 1) if kind == "A"]
    near = chance.sample(marks, min(len(marks), cuts // 2))
    return sorted({*near, *chance.sample(range(1, len(kinds) + 1), min(len(kinds), cuts - len(near)))})


class Outcome(NamedTuple):
    """What power cuts have shown."""

    cuts: int
    syncs: int
    findings: list[Finding]


Read = Callable[[Store], Awaitable[dict[str, Log]]]


async def cut_power(
    journal: Path, history: list[Event], cuts: int, seed: str, folder: Path, read: Read = logs_of
) -> Outcome:
    """Cut the power at many moments; every time the store must open and hold all that had been acknowledged."""
    chance = random.Random(f"{seed} power")
    wanted = set(moments(journal, cuts, chance))
    replay, findings = Replay(seed), []
    for record in records(journal):
        replay.take(record)
        if replay.number in wanted:
            mode = chance.choice(MODES)
            found = await judge(replay.cut(mode, chance), history[: replay.marks], folder, read)
            findings += [
                Finding(kind, table, f"power cut at {replay.number} ({mode}): {text}")
                for kind, table, text in found
            ]
    return Outcome(len(wanted), replay.syncs, findings)


async def judge(files: dict[str, bytes], history: list[Event], folder: Path, read: Read) -> list[Finding]:
    """Open what a power cut has left, and check it."""
    database = folder / "after.sqlite"
    for suffix in SUFFIXES:
        Path(f"{database}{suffix}").unlink(missing_ok=True)
    for suffix, content in files.items():
        Path(f"{database}{suffix}").write_bytes(content)
    try:
        connection = sqlite3.connect(database)
        try:
            told = connection.execute("PRAGMA integrity_check").fetchall()
        finally:
            connection.close()
        if told != [("ok",)]:
            return [Finding(LOST, "", f"the database is damaged: {told[:3]}")]
        logs = await read(SqliteStore(database))
    except Exception as error:  # whatever it is, the tables cannot be read
        return [Finding(LOST, "", f"the database cannot be read: {error!r}")]
    return check(history, logs)
