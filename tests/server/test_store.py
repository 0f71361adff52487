"""One contract for every store."""

import asyncio
import contextlib
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from fabletop.server.stores import sqlite
from fabletop.server.stores.base import Append, ChatLine, Claim, Hook, Listing, Lost, Worker, Written
from fabletop.server.stores.entries import Acted, Began, Head, Sat, encode
from fabletop.server.stores.sqlite import SqliteStore, append_all
from fabletop.server.stores.sqlite_file import connect, migrate

NOW = 1000.0


def head(name="t1", at=NOW, game="equinox", listed=True):
    return Head(name, game, 1, {"seats": 2}, "seed", at, "host", listed=listed)


def listing(**changed):
    values = {"status": "open", "free": 1, "due": None, "updated": NOW, "asked": 0} | changed
    return Listing(**values)


FIRST = [encode(Sat(NOW, 0, "Ana", key="ka"))]


async def made(store, **given):
    await store.create(head(**given), FIRST, listing(), ["ka"])
    return given.get("name", "t1")


def entry(n):
    return encode(Acted(NOW + n, 0, f"action-{n}", id=f"i{n}"))


async def test_what_is_created_is_loaded(store):
    await made(store)
    loaded = await store.load("t1")
    assert loaded.head == head()
    assert loaded.entries == [Sat(NOW, 0, "Ana", key="ka")]
    assert loaded.snapshot is None
    assert await store.load("nowhere") is None


async def test_appends_are_kept_in_order_and_only_for_the_owner(store):
    await made(store)
    claim = await store.claim("t1", "w1")
    assert claim == Claim("w1", 1)
    for n in range(3):
        await store.append(Append("t1", 1, 1 + n, [entry(n)], listing(updated=NOW + n)))
    loaded = await store.load("t1")
    assert [e.id for e in loaded.entries[1:]] == ["i0", "i1", "i2"]
    for wrong in (
        Append("t1", 1, 3, [entry(9)], listing()),  # has not seen all
        Append("t1", 1, 9, [entry(9)], listing()),  # has seen what is not there
        Append("t1", 2, 4, [entry(9)], listing()),  # does not own it
        Append("t2", 1, 0, [entry(9)], listing()),  # there is no such table
    ):
        with pytest.raises(Lost):
            await store.append(wrong)
    assert len((await store.load("t1")).entries) == 4


async def test_one_commit_serves_many_and_one_that_is_lost_takes_no_other_with_it(store):
    for n in range(20):
        await made(store, name=f"t{n}")
        await store.claim(f"t{n}", "w1")
    futures = []
    for step in range(5):
        for n in range(20):
            fence = 7 if n == 13 else 1
            futures.append(store.append(Append(f"t{n}", fence, 1 + step, [entry(step)], listing())))
    results = await asyncio.gather(*futures, return_exceptions=True)
    assert [isinstance(result, Lost) for result in results] == [i % 20 == 13 for i in range(100)]
    for n in range(20):
        assert len((await store.load(f"t{n}")).entries) == (1 if n == 13 else 6)


def three_tables(path):
    connection = connect(path)
    migrate(connection)
    for n in range(3):
        connection.execute(
            "INSERT INTO tables (id, head, game, listed, made, length, status, free, updated, asked, fence)"
            " VALUES (?, '', '', 0, 0, 1, 'playing', 0, 0, 0, 1)",
            (f"t{n}",),
        )
    return connection


def test_sqlite_writes_what_is_in_order_at_the_first_attempt(tmp_path):
    connection = three_tables(tmp_path / "tables.sqlite")
    said = []
    connection.execute("BEGIN IMMEDIATE")
    connection.set_trace_callback(said.append)
    appends = [Append(f"t{n}", 1, 1, [entry(n)], listing()) for n in range(3)]
    assert append_all(connection, appends) == [None] * 3
    assert [text.split()[0] for text in said] == ["UPDATE", "INSERT"]
    connection.close()


def test_a_move_writes_two_pages_of_sqlite(tmp_path):
    """The table's row and its log; no index, since a table that is played is in none that a move changes."""
    connection = three_tables(tmp_path / "tables.sqlite")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.execute("BEGIN IMMEDIATE")
    playing = listing(status="playing", free=0, updated=NOW + 1)
    assert append_all(connection, [Append("t1", 1, 1, [entry(1)], playing)]) == [None]
    connection.execute("COMMIT")
    (page,) = connection.execute("PRAGMA page_size").fetchone()
    log = (tmp_path / "tables.sqlite-wal").stat().st_size
    assert log == 32 + 2 * (24 + page), "the file's head, then each page with a head of its own"
    connection.close()


@pytest.mark.parametrize("cannot_be_copied", [False, True])
async def test_the_log_of_sqlite_is_copied_in_the_background_and_restarts(
    tmp_path, monkeypatch, caplog, cannot_be_copied
):
    path = tmp_path / "tables.sqlite"
    monkeypatch.setattr(sqlite, "COPY_AFTER", 20)
    store = SqliteStore(path)
    await store.open()
    said = []
    store._writer.set_trace_callback(said.append)
    if cannot_be_copied:
        store._copyable.close()  # whatever goes wrong there, play goes on
    await made(store)
    await store.claim("t1", "w1")
    before = path.stat().st_size
    for n in range(400):
        await store.append(Append("t1", 1, 1 + n, [entry(n)], listing()))
    assert len((await store.load("t1")).entries) == 401
    assert path.stat().st_size > before, "something has been copied"
    assert path.with_name("tables.sqlite-wal").stat().st_size < 400 * 4096, (
        "a page for each move, were it not copied"
    )
    assert sum("wal_checkpoint" in text for text in said) >= 5, (
        "the writer finishes what is copied in the background"
    )
    await store.close()
    assert ("could not be copied" in caplog.text) == cannot_be_copied


async def test_a_log_that_could_not_be_copied_is_kept_when_sqlite_is_closed(tmp_path, monkeypatch):
    path = tmp_path / "tables.sqlite"
    store = SqliteStore(path)
    await store.open()
    await made(store)
    store._copied = False
    monkeypatch.setattr(sqlite, "rewrite_pages", lambda connection: False)  # the disk is not good yet
    await store.close()
    assert path.with_name("tables.sqlite-wal").stat().st_size > 0
    await store.open()
    assert (await store.load("t1")).head == head()
    await store.close()
    assert not path.with_name("tables.sqlite-wal").exists()


def write_on(path, told):
    """Append to a table without end, and tell how long its log is when that is durable."""

    async def run():
        sqlite.COPY_AFTER = 5
        store = SqliteStore(path)
        await store.open()
        fence = (await store.claim("t1", "w1")).fence
        length = len((await store.load("t1")).entries)
        while True:
            await store.append(Append("t1", fence, length, [entry(length)], listing()))
            length += 1
            told.send(length)

    asyncio.run(run())


async def test_nothing_is_lost_when_sqlite_is_killed_while_its_log_is_copied(tmp_path):
    path = tmp_path / "tables.sqlite"
    store = SqliteStore(path)
    await store.open()
    await made(store)
    await store.close()
    processes = get_context("spawn")
    for turn in range(4):
        hear, tell = processes.Pipe(duplex=False)
        writer = processes.Process(target=write_on, args=(path, tell))
        writer.start()
        tell.close()
        acknowledged = 0
        while acknowledged <= 5 * (turn + 1):
            assert hear.poll(30)
            acknowledged = hear.recv()
        await asyncio.sleep(0.07 * turn)
        writer.kill()
        writer.join()
        with contextlib.suppress(EOFError):
            while True:
                acknowledged = hear.recv()
        await store.open()
        kept = (await store.load("t1")).entries
        assert store._readable.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        await store.close()
        assert len(kept) >= acknowledged
        assert [e.id for e in kept[1:]] == [f"i{n}" for n in range(1, len(kept))]


async def test_what_is_asked_of_all_tables_is_found_by_an_index_of_sqlite(tmp_path):
    store = SqliteStore(tmp_path / "tables.sqlite")
    await store.open()
    said = []
    store._readable.set_trace_callback(said.append)
    await store.due(NOW, 5)
    await store.open_tables("equinox", 5, None)
    await store.open_tables("equinox", 5, "t1")
    await store.to_notify(0.0, NOW)
    store._readable.set_trace_callback(None)
    plans = [store._readable.execute(f"EXPLAIN QUERY PLAN {text}").fetchall() for text in said]
    steps = [[step[-1] for step in plan] for plan in plans]
    used = [[step.split(" USING ")[-1].split(" (")[0] for step in plan] for plan in steps]
    assert used[:2] == [["INDEX tables_due"], ["INDEX tables_open"]], "and nothing is sorted"
    assert steps[2][0] == "SEARCH tables USING INDEX tables_open (made<?)", "a page is not counted off"
    assert not any("B-TREE" in step for step in steps[2])
    assert "hooks_untold" in steps[3][0], "what has been told costs nothing"
    assert steps[3][1] == "SEARCH tables USING INDEX sqlite_autoindex_tables_1 (id=?)"
    await store.close()


def make_file(path, at):
    while time.time() < at:
        pass
    connection = connect(path)
    migrate(connection)
    connection.close()


def test_many_may_make_the_same_sqlite_file_at_once(tmp_path):
    with ProcessPoolExecutor(4, get_context("spawn")) as pool:
        list(pool.map(make_file, [tmp_path / "first.sqlite"] * 4, [0.0] * 4))  # all processes have started
        for n in range(25):
            list(pool.map(make_file, [tmp_path / f"{n}.sqlite"] * 4, [time.time() + 0.01] * 4))


async def test_an_append_brings_the_lists_up_to_date(store):
    await made(store)
    await store.claim("t1", "w1")
    assert [row.id for row in await store.open_tables(None, 10, None)] == ["t1"]
    entries = [encode(Sat(NOW, 1, "Ben", key="kb")), encode(Began(NOW))]
    told = listing(status="playing", free=0, due=NOW + 5, asked=2)
    await store.append(Append("t1", 1, 1, entries, told, keys=["kb"]))
    assert await store.open_tables(None, 10, None) == []
    assert await store.due(NOW + 4, 10) == []
    assert await store.due(NOW + 5, 10) == ["t1"]
    ((key, row),) = await store.tables_of(["kb", "kx"], 10)
    assert (key, row.id, row.listing) == ("kb", "t1", told)
    await store.append(Append("t1", 1, 3, [entry(1)], told, keys=["kc"], gone=["kb"]))
    assert await store.tables_of(["kb"], 10) == []
    assert [key for key, _ in await store.tables_of(["kc", "ka"], 10)] in (["kc", "ka"], ["ka", "kc"])


async def test_open_tables_are_listed_newest_first_page_by_page(store):
    for n in range(5):
        await made(
            store, name=f"t{n}", at=NOW + n, game="equinox" if n % 2 else "fairy_school", listed=n != 3
        )
    assert [row.id for row in await store.open_tables(None, 2, None)] == ["t4", "t2"]
    assert [row.id for row in await store.open_tables(None, 9, "t2")] == ["t1", "t0"]
    assert [row.id for row in await store.open_tables("equinox", 9, None)] == ["t1"]
    assert [row.id for row in await store.open_tables(None, 9, "t3")] == ["t2", "t1", "t0"], (
        "not listed itself"
    )
    assert await store.open_tables(None, 9, "gone") == []


async def test_tables_made_at_the_same_moment_are_all_listed_page_by_page(store):
    names = [f"t{n}" for n in range(7)]
    for name in names:
        await made(store, name=name, at=NOW if name != "t3" else NOW + 0.5)
    pages, before = [], None
    while rows := await store.open_tables(None, 2, before):
        pages.append([row.id for row in rows])
        before = rows[-1].id
    assert pages == [["t3", "t6"], ["t5", "t4"], ["t2", "t1"], ["t0"]]


def spoil(store, statement, *values):
    """Change what is written behind the back of the store."""
    if isinstance(store, SqliteStore):
        return store._job(lambda c: c.execute(statement, values) and None)
    marks = [f"${n + 1}" for n in range(len(values))]
    return store._pool.execute(statement.replace("?", "{}").format(*marks), *values)


@pytest.mark.parametrize(
    "bad", ["nonsense", "{}", encode(Head("t1", "equinox", 1, {}, "s", 1.0, "h")).decode()]
)
async def test_a_table_that_cannot_be_read_is_left_out_of_lists_and_logged_once(
    store, caplog, monkeypatch, bad
):
    monkeypatch.setattr("fabletop.server.stores.base._unreadable", set())
    for n in range(3):
        await made(store, name=f"t{n}", at=NOW + n)
    await spoil(store, "UPDATE tables SET head = ? WHERE id = ?", bad, "t1")
    for _ in range(2):
        assert [row.id for row in await store.open_tables(None, 9, None)] == ["t2", "t0"]
        assert [row.id for _, row in await store.tables_of(["ka"], 9)] == ["t2", "t0"]
    (told,) = [record for record in caplog.records if "t1" in record.getMessage()]
    assert told.levelname == "WARNING"


async def test_what_cannot_be_read_is_there_as_it_was_written(store):
    await made(store)
    assert await store.written("t1") == Written(encode(head()), FIRST)
    await spoil(store, "UPDATE log SET entry = ? WHERE table_id = ?", "nonsense é", "t1")
    assert await store.written("t1") == Written(encode(head()), ["nonsense é".encode()])
    assert await store.written("nowhere") is None


W1, W2 = Worker("w1", "run 1", 0, "127.0.0.1:1"), Worker("w2", "run 2", 0, "127.0.0.1:2")


async def test_a_table_has_one_owner_until_that_one_is_gone(store):
    await made(store)
    await store.enlist(W1)
    assert await store.claim("t1", "w1") == Claim("w1", 1)
    assert await store.claim("t1", "w2") == Claim("w1", 1, W1.address), "w1 is alive"
    await store.heartbeat("w1", W1.run)
    assert await store.claim("t1", "w2", [W1]) == Claim("w1", 1, W1.address), (
        "a heartbeat since it was seen dead"
    )
    seen = W1._replace(beat=1)
    assert await store.heartbeat("w2", W2.run) == [seen], "who is not entered does not enter by a heartbeat"
    assert await store.claim("t1", "w2", [seen._replace(run="other")]) == Claim("w1", 1, W1.address)
    assert await store.claim("t1", "w2", [seen]) == Claim("w2", 2), "no heartbeat since"
    with pytest.raises(Lost):
        await store.append(Append("t1", 1, 1, [entry(1)], listing()))
    await store.enlist(W2)
    assert await store.claim("t1", "w2") == Claim("w2", 3), "after a restart, under a new number"
    await store.release("t1", "w2", 2)
    assert await store.claim("t1", "w1") == Claim("w2", 3, W2.address), "an old number releases nothing"
    await store.release("t1", "w2", 3)
    assert await store.claim("t1", "w1") == Claim("w1", 4)
    await store.retire("w1", "another run")
    assert await store.claim("t1", "w2") == Claim("w1", 4, W1.address), "another process may not retire it"
    await store.retire("w1", W1.run)
    assert await store.claim("t1", "w2") == Claim("w2", 5), "w1 has retired"
    assert await store.claim("nowhere", "w1") is None


async def test_heartbeats_are_counted_for_the_last_process_of_a_name(store):
    await store.enlist(W1)
    assert await store.heartbeat("w1", W1.run) == [W1._replace(beat=1)]
    later = W1._replace(run="later", address="127.0.0.1:9")
    await store.enlist(later)
    assert await store.heartbeat("w1", W1.run) == [later], "the earlier one is told that it has been replaced"
    assert await store.heartbeat("w1", "later") == [later._replace(beat=1)]


async def test_all_workers_get_the_same_secret(store, reopened):
    found = await asyncio.gather(*(store.secret() for _ in range(5)))
    assert len(set(found)) == 1
    assert len(found[0]) >= 32
    assert await (await reopened(store)).secret() == found[0]


async def test_of_many_who_want_a_table_one_gets_it(store):
    await made(store)
    for n in range(8):
        await store.enlist(Worker(f"w{n}", "run", 0, ""))
    claims = await asyncio.gather(*(store.claim("t1", f"w{n}") for n in range(8)))
    assert len({claim.home for claim in claims}) == 1


async def test_snapshots_chat_and_hooks(store):
    await made(store)
    for data in (b"old", b"\x00new\xff"):
        await store.snapshot("t1", data)
    assert (await store.load("t1")).snapshot == b"\x00new\xff"
    for n in range(1, 6):
        await store.say("t1", ChatLine(n, NOW + n, 0, "Ana", f"line {n} é"))
    assert [line.text for line in await store.chat("t1", 2)] == ["line 4 é", "line 5 é"]
    await store.hook(Hook("t1", "ka", "https://a.example/x"))
    await store.hook(Hook("t1", "ka", "https://a.example/y", 2, "answered 500"))
    assert await store.hooks("t1") == [Hook("t1", "ka", "https://a.example/y", 2, "answered 500")]
    await store.called(Hook("t1", "ka", "https://a.example/y", 1, "answered 400", True))
    assert await store.hooks("t1") == [Hook("t1", "ka", "https://a.example/y", 1, "answered 400", True)]
    await store.called(Hook("t1", "ka", "https://a.example/x"))
    (hook,) = await store.hooks("t1")
    assert hook.notified is True, "of an address that is no longer called nothing is kept"
    await store.hook(hook._replace(key="kb"))
    assert (await store.hooks("t1"))[1] == hook._replace(key="kb")
    for key in ("ka", "kb"):
        await store.hook(Hook("t1", key, ""))
    await store.called(hook)
    assert await store.hooks("t1") == []


async def test_tables_with_somebody_to_be_told_are_found_by_their_last_entry(store):
    for n in range(6):
        playing = listing(status="playing", free=0, asked=1 if n != 3 else 0, updated=NOW + n)
        await store.create(head(f"t{n}"), FIRST, playing, ["ka"])
    for n in range(5):
        await store.hook(Hook(f"t{n}", "kb", "https://a.example/", notified=n == 1))
        await store.hook(Hook(f"t{n}", "kc", "https://a.example/", failures=3))
    await store.hook(Hook("t4", "kd", "https://a.example/"))
    assert await store.to_notify(0.0, NOW + 9) == ["t0", "t2", "t4"], "once, though two are to be notified"
    assert await store.to_notify(NOW, NOW + 4) == ["t2", "t4"]
    assert await store.to_notify(NOW, NOW + 3) == ["t2"]


async def test_what_is_deleted_is_gone_with_all_that_belongs_to_it(store):
    await made(store)
    await made(store, name="t2")
    await store.snapshot("t1", b"x")
    await store.say("t1", ChatLine(1, NOW, 0, "Ana", "hello"))
    assert await store.delete("t1")
    assert not await store.delete("t1")
    assert await store.every_table() == ["t2"]
    assert await store.load("t1") is None
    assert await store.chat("t1", 9) == []
    assert [row.id for _, row in await store.tables_of(["ka"], 9)] == ["t2"]


async def test_what_was_stored_is_there_after_opening_again(store, reopened):
    await made(store)
    await store.claim("t1", "w1")
    waiting = [store.append(Append("t1", 1, 1 + n, [entry(n)], listing())) for n in range(50)]
    await asyncio.gather(*waiting)
    again = await reopened(store)
    assert len((await again.load("t1")).entries) == 51
    assert again.writable
