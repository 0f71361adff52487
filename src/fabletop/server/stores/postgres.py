"""The store in PostgreSQL, for more than one worker. Plain SQL through asyncpg (extra `postgres`).

Appends are collected and written together, as in SQLite: one transaction for all tables that are busy at the moment.
While the database is down everything raises StoreDown; the pool reconnects when it is back.
"""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import AsyncIterator, Collection, Sequence
from typing import Any

from fabletop.core.errors import FabletopError
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
from fabletop.server.stores.schema import PARTS, POSTGRES, VERSION, statements

try:
    import asyncpg  # type: ignore[import-untyped]
except ImportError:  # pragma: no cover - said when it is needed
    asyncpg = None

log = logging.getLogger("fabletop.server")
LARGEST_BATCH = 512
CONNECTIONS = 4
PATIENCE = 5.0
ROW = "id, head, status, free, due, updated, asked, summary"
HOOK = "table_id, key, url, failures, error, told"
MIGRATING = 0x5AB1E709
"""The number of the lock that keeps two workers from bringing the schema up to date at once."""

Queued = tuple[Append, "asyncio.Future[None]"]


class PostgresStore:
    """The store protocol over a PostgreSQL database."""

    def __init__(self, address: str) -> None:
        if asyncpg is None:
            raise FabletopError("PostgreSQL needs the extra `postgres`: pip install 'fabletop[postgres]'")
        self.address = address
        self._pool: Any = None
        self._waiting: list[Queued] = []
        self._news = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self._closing = False
        self._probed = False
        """Did the last heartbeat leave a large row behind?"""
        self._begun = self._succeeded = self._failed = 0
        """The numbers of the last write that was begun, that succeeded, that failed."""

    async def open(self) -> None:
        """Connect, and bring the schema to the newest version."""
        self._closing = False
        self._waiting, self._news = [], asyncio.Event()
        async with self._troubles():
            self._pool = await asyncpg.create_pool(
                self.address, min_size=1, max_size=CONNECTIONS, timeout=PATIENCE, command_timeout=PATIENCE
            )
            try:
                async with self._pool.acquire() as c, c.transaction():
                    await migrate(c)
            except BaseException:
                self._pool.terminate()
                self._pool = None
                raise
        self._writer = asyncio.ensure_future(self._write())

    async def close(self) -> None:
        """Write what waits, and disconnect."""
        if self._pool is None:
            return
        self._closing = True
        self._news.set()
        if self._writer is not None:
            await self._writer
        with contextlib.suppress(Exception):
            await asyncio.wait_for(self._pool.close(), PATIENCE)
        self._pool.terminate()
        self._pool = None

    @contextlib.asynccontextmanager
    async def _troubles(self) -> AsyncIterator[None]:
        """Turn every error of the database or the network into StoreDown."""
        try:
            yield
        except (
            OSError,
            TimeoutError,
            asyncpg.PostgresError,
            asyncpg.InterfaceError,
            asyncpg.InternalClientError,  # such as an answer in the wrong place, on a connection that was cut
        ) as error:
            raise StoreDown(f"{type(error).__name__}: {error}") from None

    @contextlib.asynccontextmanager
    async def _connection(self) -> AsyncIterator[Any]:
        async with self._troubles():
            if self._pool is None:
                raise StoreDown("not open")
            async with self._pool.acquire(timeout=PATIENCE) as c:
                yield c

    @contextlib.asynccontextmanager
    async def _writing(self) -> AsyncIterator[Any]:
        """A connection for a write; notes how it went."""
        self._begun += 1
        number = self._begun
        try:
            async with self._connection() as c:
                yield c
        except StoreDown:
            self._failed = max(self._failed, number)
            raise
        self._succeeded = max(self._succeeded, number)

    # ---- writing ----------------------------------------------------------------------------

    def append(self, append: Append) -> "asyncio.Future[None]":
        """Queue entries for the next transaction."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((append, future))
        self._news.set()
        return future

    async def _write(self) -> None:
        """Write what waits, all of it at once, until there is nothing more to come."""
        while not (self._closing and not self._waiting):
            await self._news.wait()
            batch, self._waiting = self._waiting[:LARGEST_BATCH], self._waiting[LARGEST_BATCH:]
            if not self._waiting and not self._closing:
                self._news.clear()
            if not batch:
                continue
            try:
                async with self._writing() as c, c.transaction():
                    good = await append_all(c, [append for append, _ in batch])
            except StoreDown as error:
                good = [error] * len(batch)
            except Exception as error:  # no caller may be left waiting
                log.exception("a transaction failed")
                good = [StoreDown(str(error))] * len(batch)
            for (_, future), outcome in zip(batch, good, strict=True):
                if future.done():
                    continue
                if outcome is None:
                    future.set_result(None)
                else:
                    future.set_exception(outcome)
                    future.exception()  # marked as seen: the caller may have been cancelled

    @property
    def writable(self) -> bool:
        """Did the last write succeed?"""
        return self._pool is not None and self._succeeded >= self._failed

    async def create(
        self, head: Head, entries: Sequence[bytes], listing: Listing, keys: Sequence[str]
    ) -> bool:
        """A new table with the first entries of its log."""
        async with self._writing() as c, c.transaction():
            made = await c.fetchval(
                "INSERT INTO tables (id, head, game, listed, made, length, status, free, due, updated, asked, summary)"
                " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT DO NOTHING RETURNING id",
                head.id,
                encode(head).decode(),
                head.game,
                int(head.listed),
                head.at,
                len(entries),
                *listing,
            )
            if made is None:
                return False
            await put(c, [(head.id, n, entry.decode()) for n, entry in enumerate(entries)])
            await put_keys(c, [(key, head.id) for key in keys])
        return True

    async def snapshot(self, table: str, data: bytes) -> None:
        """Keep a snapshot."""
        async with self._writing() as c:
            await c.execute(
                "INSERT INTO snapshots VALUES ($1, $2) ON CONFLICT (table_id) DO UPDATE SET data = $2",
                table,
                data,
            )

    # ---- owners -----------------------------------------------------------------------------

    async def claim(self, table: str, worker: str, dead: Collection[Worker] = ()) -> Claim | None:
        """Become the owner, or learn who is."""
        async with self._writing() as c, c.transaction():
            row = await c.fetchrow("SELECT home, fence FROM tables WHERE id = $1 FOR UPDATE", table)
            if row is None:
                return None
            home, fence = row
            if home not in ("", worker):
                # not locked: a heartbeat that comes meanwhile is of a worker whose lease has run out, and it knows
                owner = await c.fetchrow("SELECT id, run, beat, address FROM workers WHERE id = $1", home)
                if owner is not None and Worker(*owner) not in dead:
                    return Claim(home, fence, owner["address"])
            await c.execute("UPDATE tables SET home = $2, fence = $3 WHERE id = $1", table, worker, fence + 1)
            return Claim(worker, fence + 1)

    async def release(self, table: str, worker: str, fence: int) -> None:
        """Give a table up."""
        async with self._writing() as c:
            await c.execute(
                "UPDATE tables SET home = '' WHERE id = $1 AND home = $2 AND fence = $3", table, worker, fence
            )

    async def enlist(self, worker: Worker) -> None:
        """Enter a worker that starts."""
        async with self._writing() as c:
            await c.execute(
                "INSERT INTO workers (id, run, beat, address) VALUES ($1, $2, $3, $4)"
                " ON CONFLICT (id) DO UPDATE SET run = $2, beat = $3, address = $4",
                *worker,
            )

    async def heartbeat(self, worker: str, run: str) -> list[Worker]:
        """Count a heartbeat, and read all of them; each statement by itself, so that a hang holds no lock."""
        async with self._writing() as c:
            if self._succeeded < self._failed:
                await c.execute(
                    "INSERT INTO cluster VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET secret = $2",
                    PROBE,
                    probe(),
                )
            elif self._probed:
                await c.execute("DELETE FROM cluster WHERE id = $1", PROBE)
            self._probed = self._succeeded < self._failed
            await c.execute("UPDATE workers SET beat = beat + 1 WHERE id = $1 AND run = $2", worker, run)
            return [Worker(*row) for row in await c.fetch("SELECT id, run, beat, address FROM workers")]

    async def retire(self, worker: str, run: str) -> None:
        """Remove a worker that stops."""
        async with self._writing() as c:
            await c.execute("DELETE FROM workers WHERE id = $1 AND run = $2", worker, run)

    async def secret(self) -> str:
        """The secret that the workers share."""
        async with self._writing() as c:
            await c.execute(
                "INSERT INTO cluster VALUES (1, $1) ON CONFLICT DO NOTHING", secrets.token_urlsafe(32)
            )
            return str(await c.fetchval("SELECT secret FROM cluster WHERE id = 1"))

    # ---- reading ----------------------------------------------------------------------------

    async def load(self, table: str) -> Loaded | None:
        """A table with its whole log."""
        async with self._connection() as c, c.transaction(isolation="repeatable_read", readonly=True):
            head = await c.fetchval("SELECT head FROM tables WHERE id = $1", table)
            if head is None:
                return None
            log = await c.fetch("SELECT entry FROM log WHERE table_id = $1 ORDER BY n", table)
            kept = await c.fetchval("SELECT data FROM snapshots WHERE table_id = $1", table)
        return Loaded(head_of(head), [entry_of(row[0]) for row in log], kept)

    async def written(self, table: str) -> Written | None:
        """A table as it was written."""
        async with self._connection() as c, c.transaction(isolation="repeatable_read", readonly=True):
            head = await c.fetchval("SELECT head FROM tables WHERE id = $1", table)
            log = await c.fetch("SELECT entry FROM log WHERE table_id = $1 ORDER BY n", table)
        return None if head is None else Written(head.encode(), [row[0].encode() for row in log])

    async def open_tables(self, game: str | None, limit: int, before: str | None) -> list[StoredTable]:
        """Listed tables with free seats, newest first."""
        page = "" if before is None else " AND (made, id) < (SELECT made, id FROM tables WHERE id = $3)"
        async with self._connection() as c:
            rows = await c.fetch(
                f"SELECT {ROW} FROM tables WHERE status = 'open' AND listed = 1 AND free > 0"  # noqa: S608 - our own
                f" AND ($1::text IS NULL OR game = $1){page} ORDER BY made DESC, id DESC LIMIT $2",
                *([game, limit] if before is None else [game, limit, before]),
            )
        return rows_of(rows)

    async def tables_of(self, keys: Sequence[str], limit: int) -> list[tuple[str, StoredTable]]:
        """The tables that these keys open."""
        async with self._connection() as c:
            rows = await c.fetch(
                f"SELECT key, {ROW} FROM keys JOIN tables ON id = table_id"  # noqa: S608 - our own
                " WHERE key = ANY($1::text[]) ORDER BY made DESC LIMIT $2",
                list(keys),
                limit,
            )
        return [(key, row) for key, *rest in rows for row in rows_of([rest])]

    async def due(self, now: float, limit: int) -> list[str]:
        """Tables that are due."""
        async with self._connection() as c:
            rows = await c.fetch("SELECT id FROM tables WHERE due <= $1 ORDER BY due LIMIT $2", now, limit)
        return [row[0] for row in rows]

    async def every_table(self) -> list[str]:
        """The ids of all tables."""
        async with self._connection() as c:
            return [row[0] for row in await c.fetch("SELECT id FROM tables ORDER BY made, id")]

    # ---- chat, hooks, deleting --------------------------------------------------------------

    async def say(self, table: str, line: ChatLine) -> None:
        """Keep a line of chat."""
        async with self._writing() as c:
            await c.execute(
                "INSERT INTO chat VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING", table, *line
            )

    async def chat(self, table: str, limit: int) -> list[ChatLine]:
        """The last lines of chat."""
        async with self._connection() as c:
            rows = await c.fetch(
                "SELECT n, at, seat, name, text FROM chat WHERE table_id = $1 ORDER BY n DESC LIMIT $2",
                table,
                limit,
            )
        return [ChatLine(*row) for row in reversed(rows)]

    async def hook(self, hook: Hook) -> None:
        """Keep, change or forget a webhook."""
        async with self._writing() as c:
            if hook.url:
                await c.execute(
                    f"INSERT INTO hooks ({HOOK}) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (table_id, key)"  # noqa: S608
                    " DO UPDATE SET url = $3, failures = $4, error = $5, told = $6",
                    *hook[:5],
                    int(hook.notified),
                )
            else:
                await c.execute("DELETE FROM hooks WHERE table_id = $1 AND key = $2", *hook[:2])

    async def hooks(self, table: str) -> list[Hook]:
        """The webhooks of a table."""
        async with self._connection() as c:
            rows = await c.fetch(f"SELECT {HOOK} FROM hooks WHERE table_id = $1 ORDER BY key", table)  # noqa: S608
        return hooks_of(rows)

    async def called(self, hook: Hook) -> None:
        """Keep how a call went."""
        async with self._writing() as c:
            await c.execute(
                "UPDATE hooks SET failures = $4, error = $5, told = $6 WHERE table_id = $1 AND key = $2 AND url = $3",
                *hook[:5],
                int(hook.notified),
            )

    async def to_notify(self, after: float, until: float) -> list[str]:
        """Tables where a person may have to be notified."""
        async with self._connection() as c:
            rows = await c.fetch(
                "SELECT DISTINCT id, updated FROM hooks JOIN tables ON id = table_id"  # noqa: S608 - our own
                f" WHERE told = 0 AND failures < {MOST_FAILURES} AND asked <> 0"
                " AND updated > $1 AND updated <= $2 ORDER BY updated",
                after,
                until,
            )
        return [row[0] for row in rows]

    async def delete(self, table: str) -> bool:
        """Forget a table."""
        async with self._writing() as c, c.transaction():
            for part in PARTS:
                await c.execute(f"DELETE FROM {part} WHERE table_id = $1", table)  # noqa: S608 - our own names
            status = await c.execute("DELETE FROM tables WHERE id = $1", table)
        return str(status) == "DELETE 1"


async def migrate(c: Any) -> None:
    """Bring the schema to the newest version; of several workers one does it, the others wait."""
    await c.execute("SELECT pg_advisory_xact_lock($1)", MIGRATING)
    await c.execute("CREATE TABLE IF NOT EXISTS meta (version INTEGER NOT NULL)")
    have = await c.fetchval("SELECT version FROM meta") or 0
    for text in statements(have, POSTGRES):
        await c.execute(text)
    if have != VERSION:
        await c.execute("DELETE FROM meta")
        await c.execute("INSERT INTO meta VALUES ($1)", VERSION)


async def append_all(c: Any, appends: Sequence[Append]) -> list[Exception | None]:
    """Write many appends in one go; those of tables that are no longer ours fail with Lost."""
    rows, outcomes = join(appends)
    # locks are taken in the same order by everybody
    ids = [table for table, _ in rows]
    await c.execute("SELECT 1 FROM tables WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE", ids)
    done = await c.fetch(
        "UPDATE tables t SET length = t.length + u.added, status = u.status, free = u.free, due = u.due,"
        " updated = u.updated, asked = u.asked, summary = u.summary"
        " FROM unnest($1::text[], $2::int[], $3::int[], $4::int[], $5::text[], $6::int[],"
        " $7::double precision[], $8::double precision[], $9::int[], $10::text[])"
        " AS u(id, fence, length, added, status, free, due, updated, asked, summary)"
        " WHERE t.id = u.id AND t.fence = u.fence AND t.length = u.length RETURNING t.id",
        ids,
        [row[0].fence for _, row in rows],
        [row[0].length for _, row in rows],
        [row[-1].end - row[0].length for _, row in rows],
        *([row[-1].listing[column] for _, row in rows] for column in range(len(Listing._fields))),
    )
    good = {row[0] for row in done}
    kept = [append for append, outcome in zip(appends, outcomes, strict=True) if outcome is None]
    kept = [append for append in kept if append.table in good]
    await put(c, [(a.table, a.length + n, entry.decode()) for a in kept for n, entry in enumerate(a.entries)])
    await put_keys(c, [(key, a.table) for a in kept for key in a.keys])
    gone = [(key, a.table) for a in kept for key in a.gone]
    if gone:
        await c.executemany("DELETE FROM keys WHERE key = $1 AND table_id = $2", gone)
    return [
        outcome if outcome is not None or append.table in good else Lost(append.table)
        for append, outcome in zip(appends, outcomes, strict=True)
    ]


async def put(c: Any, entries: Sequence[tuple[str, int, str]]) -> None:
    """Entries into the log."""
    await c.execute(
        "INSERT INTO log SELECT * FROM unnest($1::text[], $2::int[], $3::text[])",
        [table for table, _, _ in entries],
        [n for _, n, _ in entries],
        [text for _, _, text in entries],
    )


async def put_keys(c: Any, keys: Sequence[tuple[str, str]]) -> None:
    """Keys that open tables."""
    if keys:
        await c.executemany("INSERT INTO keys VALUES ($1, $2) ON CONFLICT DO NOTHING", keys)
