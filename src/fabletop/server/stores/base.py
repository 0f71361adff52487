"""The interface of a store, and the queue in front of it that makes one commit of many appends.

A store keeps heads, logs and snapshots, and answers the few questions that cannot wait for a table to be loaded:
which tables are open, which a token opens, which are due. Appending is the one thing that must be right: entries go
in only if the writer still owns the table (`fence`) and has seen all of its log (`length`).
"""

import asyncio
import logging
import secrets
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec

from fabletop.server.stores.entries import Entry, Head, head_of

log = logging.getLogger("fabletop.server")
MOST_FAILURES = 3
"""Failures in a row that disable a webhook. The index `hooks_untold` has the same number."""


PROBE = 2
"""The id of the row that a large heartbeat writes into `cluster`; the secret has 1."""


def probe() -> str:
    """64 KB that cannot be compressed."""
    return secrets.token_hex(1 << 15)


class StoreDown(Exception):
    """The database cannot be reached, or did not say whether it has written; the caller may retry."""


class Lost(Exception):
    """Another worker owns the table, or has written to it: the caller must evict the table."""


class Listing(NamedTuple):
    """What the lists show and the sweeper asks of a table without loading it; written with every append."""

    status: str
    free: int
    """How many seats are open."""
    due: float | None
    """When the sweeper must open the table if it is not open: a clock runs out, or a bot has to move."""
    updated: float
    asked: int = 0
    """The seats that are asked, a bit each."""
    summary: str = ""
    """A `Summary` as JSON; empty in rows that an earlier version has written."""


class SeatSummary(msgspec.Struct, frozen=True, array_like=True):
    """A seat in a list: the `name`, the `level` of the bot that plays it, and the beginning of the person's key."""

    name: str = ""
    level: str = ""
    key: str = ""


class Summary(msgspec.Struct, frozen=True, omit_defaults=True):
    """The public summary of a table for lists: its seats, and how far the game is (`Game.progress`)."""

    seats: list[SeatSummary] = []
    progress: dict[str, int] = {}


class Append(msgspec.Struct, frozen=True):
    """Entries for the log of a table, from one that owns it and has seen `length` entries."""

    table: str
    fence: int
    length: int
    entries: Sequence[bytes]
    listing: Listing
    keys: Sequence[str] = ()
    """Hashes of tokens that from now on open the table."""
    gone: Sequence[str] = ()
    """Hashes that no longer do."""

    @property
    def end(self) -> int:
        """The length of the log with them."""
        return self.length + len(self.entries)


class Worker(NamedTuple):
    """A worker as the database knows it. `run` tells a process from an earlier one of the same name, `beat` counts its
    heartbeats, `address` is where other workers reach it."""

    id: str
    run: str
    beat: int
    address: str


class Claim(NamedTuple):
    """Who owns a table: `home` is the worker, `fence` the number under which it may write, `address` where to reach it
    (empty where the claim succeeded)."""

    home: str
    fence: int
    address: str = ""


class Loaded(NamedTuple):
    """A table as it is stored. The snapshot may be missing or behind the log."""

    head: Head
    entries: list[Entry]
    snapshot: bytes | None


class Written(NamedTuple):
    """A table as it was written, byte for byte, whether or not this version can read it."""

    head: bytes
    entries: list[bytes]


class StoredTable(NamedTuple):
    """A table in a list."""

    id: str
    head: Head
    listing: Listing


class ChatLine(NamedTuple):
    """A line of chat."""

    n: int
    at: float
    seat: int
    name: str
    text: str


class Hook(NamedTuple):
    """The webhook of a seat; `failures` in a row, and what the last one was. `notified`: it has been called since the
    person was last here."""

    table: str
    key: str
    url: str
    failures: int = 0
    error: str = ""
    notified: bool = False


class Store(Protocol):
    """A database of tables. Every method may raise StoreDown."""

    async def open(self) -> None:
        """Connect, and bring the schema to the version of this program."""

    async def close(self) -> None:
        """Write what waits, and disconnect."""

    @property
    def writable(self) -> bool:
        """Did the last write succeed? Known without asking the database."""

    async def create(
        self, head: Head, entries: Sequence[bytes], listing: Listing, keys: Sequence[str]
    ) -> bool:
        """A new table with the first entries of its log; False, and nothing is written, where its id is taken."""

    def append(self, append: Append) -> "asyncio.Future[None]":
        """Queue entries; done when they are durable. Lost: the table has another owner, or another length."""

    async def load(self, table: str) -> Loaded | None:
        """A table with its whole log."""

    async def written(self, table: str) -> Written | None:
        """A table with its whole log, not decoded: a backup must not fail where a byte is wrong."""

    async def snapshot(self, table: str, data: bytes) -> None:
        """Keep a snapshot, instead of the one before."""

    async def claim(self, table: str, worker: str, dead: Collection[Worker] = ()) -> Claim | None:
        """Become the owner of a table that has none or whose owner is gone; returns who owns it. None: no such table.

        An owner is gone where it is not entered, or where it is one of `dead` and has sent no heartbeat since.
        """

    async def release(self, table: str, worker: str, fence: int) -> None:
        """Give a table up, if it is still owned."""

    async def enlist(self, worker: Worker) -> None:
        """Enter a worker that starts, in place of an earlier one of the same name."""

    async def heartbeat(self, worker: str, run: str) -> list[Worker]:
        """Count a heartbeat of this worker; returns all workers. A worker that is not among them with its own `run` has
        been replaced by another process of the same name.

        After a failed write the heartbeat is as large as a table: on a full disk a few bytes may still find room.
        """

    async def retire(self, worker: str, run: str) -> None:
        """Remove a worker that stops."""

    async def secret(self) -> str:
        """The secret that the workers of this database share; created on first use."""

    async def open_tables(self, game: str | None, limit: int, before: str | None) -> list[StoredTable]:
        """Listed tables with free seats, newest first, and by their ids where they were made at the same moment.
        `before` is the last table of the page before; after one that has been deleted nothing comes."""

    async def tables_of(self, keys: Sequence[str], limit: int) -> list[tuple[str, StoredTable]]:
        """The tables that these keys open, each with its key."""

    async def due(self, now: float, limit: int) -> list[str]:
        """Tables that are due."""

    async def say(self, table: str, line: ChatLine) -> None:
        """Keep a line of chat."""

    async def chat(self, table: str, limit: int) -> list[ChatLine]:
        """The last lines of chat, oldest first."""

    async def hook(self, hook: Hook) -> None:
        """Keep, change or (with an empty url) forget a webhook."""

    async def hooks(self, table: str) -> list[Hook]:
        """The webhooks of a table."""

    async def called(self, hook: Hook) -> None:
        """Keep the result of a call (`failures`, `error`, `notified`), unless the hook was changed meanwhile."""

    async def to_notify(self, after: float, until: float) -> list[str]:
        """Tables at which somebody is asked, with a webhook that works and has not been called, and whose last entry is
        younger than `after` but not than `until`; oldest entry first."""

    async def every_table(self) -> list[str]:
        """The ids of all tables, oldest first."""

    async def delete(self, table: str) -> bool:
        """Forget a table and all that belongs to it."""


def join(appends: Sequence[Append]) -> tuple[list[tuple[str, list[Append]]], list[Exception | None]]:
    """Appends by table, in the order of the ids, and what is wrong with each: None, or Lost.

    Several appends to one table come one after the other; each must go on where the one before it ended.
    """
    joined: dict[str, list[Append]] = {}
    outcomes: list[Exception | None] = []
    for append in appends:
        row = joined.setdefault(append.table, [])
        fits = not row or (row[-1].fence == append.fence and row[-1].end == append.length)
        outcomes.append(None if fits else Lost(append.table))
        if fits:
            row.append(append)
    return sorted(joined.items()), outcomes


_unreadable: set[str] = set()
"""Tables in lists that could not be read: each is logged once."""


def rows_of(rows: Iterable[Sequence[Any]]) -> list[StoredTable]:
    """Tables in a list, from the columns id, head and those of a listing. One that cannot be read is left out: it must
    not spoil the list for all others."""
    tables = (_row_of(*row) for row in rows)
    return [row for row in tables if row is not None]


def _row_of(table: str, head: bytes | str, *listing: Any) -> StoredTable | None:
    try:
        row = StoredTable(table, head_of(head), Listing(*listing))
        if isinstance(row.head.options.get("seats"), int):
            return row
        problem = "its options name no number of seats"
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        problem = str(error)
    if table not in _unreadable:
        _unreadable.add(table)
        log.warning("table %s is left out of lists: %s", table, problem)
    return None


def hooks_of(rows: Iterable[Sequence[Any]]) -> list[Hook]:
    """Webhooks from their columns; a database keeps 0 or 1 for `notified`, in the column `told`."""
    return [Hook(*row)._replace(notified=bool(row[-1])) for row in rows]
