"""The store in one SQLite file: no server, no configuration.

One thread writes; all waiting appends go into one transaction, so that busy tables share a commit. Another thread reads
independently of the writer (write-ahead log), and a third copies that log into the database (checkpoints).
"""

import asyncio
import contextlib
import json
import logging
import queue
import secrets
import sqlite3
import threading
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from time import monotonic, sleep
from typing import Any, TypeVar

from fabletop.server.stores.base import (
    MOST_FAILURES,
    PROBE,
    Append,
    ChatLine,
    Claim,
    Hook,
    Listing,
    Loaded,
    Lost,
    StoreDown,
    StoredTable,
    Worker,
    Written,
    hooks_of,
    join,
    probe,
    rows_of,
)
from fabletop.server.stores.entries import Head, encode, entry_of, head_of
from fabletop.server.stores.private import private_file, private_folder, sync_folder
from fabletop.server.stores.schema import PARTS
from fabletop.server.stores.sqlite_file import connect, copy_log, migrate, rewrite_log, rewrite_pages

log = logging.getLogger("fabletop.server")
T = TypeVar("T")
LARGEST_BATCH = 512
MOST_ROWS = 1000
"""In one statement: SQLite takes 32,766 values."""
PAUSE_RATIO, LONGEST_PAUSE = 3, 0.01
"""After a commit the next one waits PAUSE_RATIO times as long as that one took, but at most LONGEST_PAUSE: the slower
the disk or the busier the server, the more entries share a commit."""
COPY_AFTER = 4000
"""Jobs, of two pages each as a rule, after which the write-ahead log is copied into the database (a checkpoint): what
has changed often meanwhile is copied only once."""
UPDATE = """
    UPDATE tables SET length = tables.length + u.added, status = u.status, free = u.free, due = u.due,
        updated = u.updated, asked = u.asked, summary = u.summary
    FROM (WITH u(id, fence, length, added, status, free, due, updated, asked, summary)
        AS (VALUES {rows}) SELECT * FROM u) AS u
    WHERE tables.id = u.id AND tables.fence = u.fence AND tables.length = u.length"""
"""Begins with UPDATE, since `sqlite3` counts the rows of no other statement."""
INSERT = "INSERT INTO log VALUES {rows}"
ROW = "id, CAST(head AS BLOB), status, free, due, updated, asked, summary"
"""What a list needs of a table; its head as bytes, so that one that is not even text does no harm."""
HOOK = "table_id, key, url, failures, error, told"

Job = tuple[Append | Callable[[sqlite3.Connection], Any], "asyncio.Future[Any]"]
Settled = tuple["asyncio.Future[Any]", Any, Exception | None]


class SqliteStore:
    """The store protocol over one file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._written = True
        """Was the last transaction committed?"""

    async def open(self) -> None:
        """Open the file, which is created if need be, and migrate it to the newest schema."""
        self._loop = asyncio.get_running_loop()
        private_folder(self.path.parent)
        try:
            private_file(self.path)  # SQLite creates the write-ahead log with the same mode
            for left in (self.path.with_name(f"{self.path.name}-{part}") for part in ("wal", "shm")):
                if left.exists():
                    private_file(left)
            self._connect()
        except (sqlite3.DatabaseError, OSError) as error:
            raise StoreDown(f"{self.path}: {error}") from None
        self._reader = ThreadPoolExecutor(1, "store-reader")
        self._copier = ThreadPoolExecutor(1, "store-copier")
        self._copying: Future[bool] | None = None
        self._copied = True
        """Has no copying of the log failed, or has every page been rewritten since?"""
        self._thread = threading.Thread(target=self._write, name="store-writer", daemon=True)
        self._thread.start()

    def _connect(self) -> None:
        """Three connections, for three threads; all or none."""
        with contextlib.ExitStack() as opened:
            self._writer = opened.enter_context(contextlib.closing(connect(self.path)))
            rewrite_log(self._writer, self.path)
            migrate(self._writer)
            sync_folder(self.path.parent)
            self._readable = opened.enter_context(contextlib.closing(connect(self.path)))
            self._copyable = opened.enter_context(contextlib.closing(connect(self.path)))
            opened.pop_all()

    async def close(self) -> None:
        """Write what waits, then close the file."""
        if self._thread is None:
            return
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)
        self._thread = None
        self._copier.shutdown()
        self._copyable.close()
        self._reader.shutdown()
        if self._copying is not None:
            self._copied &= self._copying.result()
        if self._copied or rewrite_pages(self._writer):
            self._readable.close()
            self._writer.close()
        else:  # the last one to close would copy the log and delete it, but not one that may only read
            left = sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=ro", uri=True)
            left.execute("SELECT count(*) FROM tables").fetchone()
            self._readable.close()
            self._writer.close()
            left.close()

    # ---- the writer thread ------------------------------------------------------------------

    def append(self, append: Append) -> "asyncio.Future[None]":
        """Queue entries for the next transaction."""
        future: asyncio.Future[None] = self._loop.create_future()
        self._queue.put((append, future))
        return future

    async def _job(self, work: Callable[[sqlite3.Connection], T]) -> T:
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queue.put((work, future))
        return await future

    async def _execute(self, statement: str, values: Sequence[Any]) -> None:
        """Carry out one statement that returns nothing."""
        await self._job(lambda c: _done(c.execute(statement, values)))

    def _write(self) -> None:
        going, not_before, uncopied = True, 0.0, 0
        while going:
            batch: list[Job] = []
            item = self._queue.get()
            if (wait := not_before - monotonic()) > 0:
                sleep(wait)
            began = monotonic()
            while item is not None:
                batch.append(item)
                if len(batch) >= LARGEST_BATCH or self._queue.empty():
                    break
                item = self._queue.get()
            going = item is not None
            if batch:
                self._transact(batch)
            ended = monotonic()
            try:
                uncopied = self._copy(uncopied + len(batch))
            except Exception:  # this thread must go on, or all callers wait for ever
                log.exception("SQLite's log could not be copied into the database")
                self._copied, self._copying, uncopied = False, None, 0
            not_before = ended + min(PAUSE_RATIO * (ended - began), LONGEST_PAUSE)

    def _transact(self, batch: list[Job]) -> None:
        """Everything in one transaction: the appends together, other jobs one by one."""
        before = self._writer.total_changes
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            appends = [(work, future) for work, future in batch if isinstance(work, Append)]
            outcomes = append_all(self._writer, [append for append, _ in appends])
            done: list[Settled] = [(f, None, e) for (_, f), e in zip(appends, outcomes, strict=True)]
            done += [(f, work(self._writer), None) for work, f in batch if not isinstance(work, Append)]
            self._writer.execute("COMMIT")
            if self._writer.total_changes != before:  # else it has touched no disk, and proves nothing
                self._written = True
        except Exception as error:
            self._written = False
            self._roll_back()
            if not isinstance(error, sqlite3.Error):
                log.exception("a transaction failed")
            down = StoreDown(str(error))
            done = [(future, None, down) for _, future in batch]
        self._loop.call_soon_threadsafe(_tell, done)

    def _roll_back(self) -> None:
        """Undo a transaction that has failed. Where that fails too, the next one fails, and it is tried again."""
        try:
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
        except sqlite3.Error as error:
            log.warning("a transaction could not be rolled back: %s", error)

    def _copy(self, uncopied: int) -> int:
        """Checkpoint from time to time. That takes too long while callers wait for a commit, so another thread does it,
        and this one only the rest that came meanwhile: the log restarts only when all of it has been copied. Returns
        the number of jobs since the last checkpoint was started."""
        if self._copying is not None:
            if self._copying.done():
                self._copied = self._copying.result() and copy_log(self._writer)
                self._copying = None
        elif uncopied >= COPY_AFTER:
            if self._copied:
                self._copying = self._copier.submit(copy_log, self._copyable)
            else:
                self._copied = rewrite_pages(self._writer) and copy_log(self._writer)
            return 0
        return uncopied

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._reader, work, self._readable)
        except sqlite3.Error as error:
            raise StoreDown(str(error)) from None

    # ---- the protocol -----------------------------------------------------------------------

    @property
    def writable(self) -> bool:
        """Did the last write succeed?"""
        return self._thread is not None and self._written

    async def create(
        self, head: Head, entries: Sequence[bytes], listing: Listing, keys: Sequence[str]
    ) -> bool:
        """A new table with the first entries of its log."""
        return await self._job(lambda c: _create(c, head, entries, listing, keys))

    async def load(self, table: str) -> Loaded | None:
        """A table with its whole log."""

        def work(c: sqlite3.Connection) -> Loaded | None:
            c.execute("BEGIN")  # head, log and snapshot of the same moment
            try:
                row = c.execute("SELECT head FROM tables WHERE id = ?", (table,)).fetchone()
                if row is None:
                    return None
                log = c.execute("SELECT entry FROM log WHERE table_id = ? ORDER BY n", (table,)).fetchall()
                kept = c.execute("SELECT data FROM snapshots WHERE table_id = ?", (table,)).fetchone()
            finally:
                c.execute("COMMIT")
            return Loaded(head_of(row[0]), [entry_of(text) for (text,) in log], kept[0] if kept else None)

        return await self._read(work)

    async def written(self, table: str) -> Written | None:
        """A table as it was written."""

        def work(c: sqlite3.Connection) -> Written | None:
            c.execute("BEGIN")  # head and log of the same moment
            try:
                head = c.execute("SELECT CAST(head AS BLOB) FROM tables WHERE id = ?", (table,)).fetchone()
                entries = c.execute(
                    "SELECT CAST(entry AS BLOB) FROM log WHERE table_id = ? ORDER BY n", (table,)
                ).fetchall()
            finally:
                c.execute("COMMIT")
            return Written(head[0], [entry for (entry,) in entries]) if head else None

        return await self._read(work)

    async def snapshot(self, table: str, data: bytes) -> None:
        """Keep a snapshot."""
        await self._execute("REPLACE INTO snapshots VALUES (?, ?)", (table, data))

    async def claim(self, table: str, worker: str, dead: Collection[Worker] = ()) -> Claim | None:
        """Become the owner, or learn who is."""

        def work(c: sqlite3.Connection) -> Claim | None:
            row = c.execute(
                "SELECT home, fence, run, beat, address FROM tables LEFT JOIN workers ON workers.id = home"
                " WHERE tables.id = ?",
                (table,),
            ).fetchone()
            if row is None:
                return None
            home, fence, run, beat, address = row
            if home not in ("", worker) and run is not None and Worker(home, run, beat, address) not in dead:
                return Claim(home, fence, address)
            c.execute("UPDATE tables SET home = ?, fence = fence + 1 WHERE id = ?", (worker, table))
            return Claim(worker, fence + 1)

        return await self._job(work)

    async def release(self, table: str, worker: str, fence: int) -> None:
        """Give a table up."""
        await self._execute(
            "UPDATE tables SET home = '' WHERE id = ? AND home = ? AND fence = ?", (table, worker, fence)
        )

    async def enlist(self, worker: Worker) -> None:
        """Enter a worker that starts."""
        await self._execute("REPLACE INTO workers (id, run, beat, address) VALUES (?, ?, ?, ?)", worker)

    async def heartbeat(self, worker: str, run: str) -> list[Worker]:
        """Count a heartbeat, and read all of them."""

        def work(c: sqlite3.Connection) -> list[Worker]:
            c.execute("UPDATE workers SET beat = beat + 1 WHERE id = ? AND run = ?", (worker, run))
            if self._written:
                c.execute("DELETE FROM cluster WHERE id = ?", (PROBE,))
            else:
                c.execute("REPLACE INTO cluster VALUES (?, ?)", (PROBE, probe()))
            return [Worker(*row) for row in c.execute("SELECT id, run, beat, address FROM workers")]

        return await self._job(work)

    async def retire(self, worker: str, run: str) -> None:
        """Remove a worker that stops."""
        await self._execute("DELETE FROM workers WHERE id = ? AND run = ?", (worker, run))

    async def secret(self) -> str:
        """The secret that the workers share."""

        def work(c: sqlite3.Connection) -> str:
            c.execute("INSERT OR IGNORE INTO cluster VALUES (1, ?)", (secrets.token_urlsafe(32),))
            return str(c.execute("SELECT secret FROM cluster WHERE id = 1").fetchone()[0])

        return await self._job(work)

    async def open_tables(self, game: str | None, limit: int, before: str | None) -> list[StoredTable]:
        """Listed tables with free seats, newest first."""
        page = "" if before is None else " AND (made, id) < (SELECT made, id FROM tables WHERE id = :before)"
        asked = {"game": game, "before": before, "limit": limit}
        return await self._read(
            lambda c: rows_of(
                c.execute(
                    f"SELECT {ROW} FROM tables WHERE status = 'open' AND listed = 1 AND free > 0"  # noqa: S608 - our own
                    f" AND (:game IS NULL OR game = :game){page} ORDER BY made DESC, id DESC LIMIT :limit",
                    asked,
                )
            )
        )

    async def tables_of(self, keys: Sequence[str], limit: int) -> list[tuple[str, StoredTable]]:
        """The tables that these keys open."""
        return await self._read(
            lambda c: [
                (key, row)
                for key, *rest in c.execute(
                    f"SELECT key, {ROW} FROM keys JOIN tables ON id = table_id"  # noqa: S608 - our own
                    " WHERE key IN (SELECT value FROM json_each(?)) ORDER BY made DESC LIMIT ?",
                    (json.dumps(list(keys)), limit),
                )
                for row in rows_of([rest])
            ]
        )

    async def due(self, now: float, limit: int) -> list[str]:
        """Tables that are due."""
        return await self._read(
            lambda c: [
                row[0]
                for row in c.execute(
                    "SELECT id FROM tables WHERE due <= ? ORDER BY due LIMIT ?", (now, limit)
                )
            ]
        )

    async def say(self, table: str, line: ChatLine) -> None:
        """Keep a line of chat."""
        await self._execute("INSERT OR IGNORE INTO chat VALUES (?, ?, ?, ?, ?, ?)", (table, *line))

    async def chat(self, table: str, limit: int) -> list[ChatLine]:
        """The last lines of chat."""
        return await self._read(
            lambda c: [
                ChatLine(*row)
                for row in c.execute(
                    "SELECT n, at, seat, name, text FROM chat WHERE table_id = ? ORDER BY n DESC LIMIT ?",
                    (table, limit),
                )
            ][::-1]
        )

    async def hook(self, hook: Hook) -> None:
        """Keep, change or forget a webhook."""
        if hook.url:
            await self._execute(f"REPLACE INTO hooks ({HOOK}) VALUES (?, ?, ?, ?, ?, ?)", hook)  # noqa: S608 - our own
        else:
            await self._execute("DELETE FROM hooks WHERE table_id = ? AND key = ?", hook[:2])

    async def hooks(self, table: str) -> list[Hook]:
        """The webhooks of a table."""
        return await self._read(
            lambda c: hooks_of(
                c.execute(
                    f"SELECT {HOOK} FROM hooks WHERE table_id = ? ORDER BY key",  # noqa: S608 - our own
                    (table,),
                )
            )
        )

    async def called(self, hook: Hook) -> None:
        """Keep how a call went."""
        await self._execute(
            "UPDATE hooks SET failures = ?, error = ?, told = ? WHERE table_id = ? AND key = ? AND url = ?",
            (hook.failures, hook.error, hook.notified, hook.table, hook.key, hook.url),
        )

    async def to_notify(self, after: float, until: float) -> list[str]:
        """Tables where a person may have to be notified."""
        return await self._read(
            lambda c: [
                row[0]
                for row in c.execute(
                    "SELECT DISTINCT id, updated FROM hooks JOIN tables ON id = table_id"  # noqa: S608 - our own
                    f" WHERE told = 0 AND failures < {MOST_FAILURES} AND asked <> 0"
                    " AND updated > ? AND updated <= ? ORDER BY updated",
                    (after, until),
                )
            ]
        )

    async def every_table(self) -> list[str]:
        """The ids of all tables."""
        return await self._read(
            lambda c: [row[0] for row in c.execute("SELECT id FROM tables ORDER BY made, id")]
        )

    async def delete(self, table: str) -> bool:
        """Forget a table."""

        def work(c: sqlite3.Connection) -> bool:
            for part in PARTS:
                c.execute(f"DELETE FROM {part} WHERE table_id = ?", (table,))  # noqa: S608 - our own names
            return c.execute("DELETE FROM tables WHERE id = ?", (table,)).rowcount > 0

        return await self._job(work)


def _done(_: sqlite3.Cursor) -> None:
    """Discard the rows of a statement."""


def _tell(done: list[Settled]) -> None:
    """Settle the futures of callers; runs in the event loop."""
    for future, value, error in done:
        if future.done():
            continue
        if error is None:
            future.set_result(value)
        else:
            future.set_exception(error)
            future.exception()  # marked as seen: the caller may have been cancelled


def append_all(c: sqlite3.Connection, appends: Sequence[Append]) -> list[Exception | None]:
    """Write many appends with two statements, since every statement is a wait for the interpreter's lock.

    Those of tables that are no longer ours fail with Lost. Comes first in a transaction.
    """
    if not appends:
        return []
    joined, outcomes = join(appends)
    rows = [
        (table, row[0].fence, row[0].length, row[-1].end - row[0].length, *row[-1].listing)
        for table, row in joined
    ]
    if _with_rows(c, UPDATE, rows) != len(rows):
        c.execute("ROLLBACK")  # somebody's table is gone: find out whose, and write the others
        c.execute("BEGIN IMMEDIATE")
        good = {table for table, row in joined if _owned(c, row[0])}
        outcomes = [
            error if error is not None or append.table in good else Lost(append.table)
            for append, error in zip(appends, outcomes, strict=True)
        ]
        _with_rows(c, UPDATE, [row for row in rows if row[0] in good])
    kept = [append for append, error in zip(appends, outcomes, strict=True) if error is None]
    entries = [(a.table, a.length + n, entry.decode()) for a in kept for n, entry in enumerate(a.entries)]
    _with_rows(c, INSERT, entries)
    for append in kept:
        if append.keys:
            _put_keys(c, append.table, append.keys)
        for key in append.gone:
            c.execute("DELETE FROM keys WHERE key = ? AND table_id = ?", (key, append.table))
    return outcomes


def _with_rows(c: sqlite3.Connection, statement: str, rows: Sequence[tuple[Any, ...]]) -> int:
    """Carry out a statement on many rows at once; how many it changed."""
    changed = 0
    for start in range(0, len(rows), MOST_ROWS):
        part = rows[start : start + MOST_ROWS]
        marks = ",".join([f"({','.join('?' * len(part[0]))})"] * len(part))
        changed += c.execute(statement.format(rows=marks), list(chain.from_iterable(part))).rowcount
    return changed


def _owned(c: sqlite3.Connection, append: Append) -> bool:
    """Is the table still the writer's, and as long as it thinks?"""
    row = c.execute("SELECT fence, length FROM tables WHERE id = ?", (append.table,)).fetchone()
    return bool(row == (append.fence, append.length))


def _create(
    c: sqlite3.Connection, head: Head, entries: Sequence[bytes], listing: Listing, keys: Sequence[str]
) -> bool:
    row = (head.id, encode(head).decode(), head.game, int(head.listed), head.at, len(entries), *listing)
    made = c.execute(
        "INSERT INTO tables (id, head, game, listed, made, length, status, free, due, updated, asked, summary)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        row,
    )
    if not made.rowcount:
        return False
    c.executemany(
        "INSERT INTO log VALUES (?, ?, ?)", [(head.id, n, e.decode()) for n, e in enumerate(entries)]
    )
    _put_keys(c, head.id, keys)
    return True


def _put_keys(c: sqlite3.Connection, table: str, keys: Sequence[str]) -> None:
    c.executemany("INSERT OR IGNORE INTO keys VALUES (?, ?)", [(key, table) for key in keys])
