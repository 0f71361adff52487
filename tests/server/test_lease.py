"""A worker answers from memory only under a lease that is known to hold, whatever database and clocks do."""

import asyncio
import contextlib
import os
import signal
import sqlite3
from dataclasses import replace

import asyncpg
import pytest

from fabletop.client import Client, ConnectionLost, RequestRefused
from fabletop.server.stores.background import Background
from fabletop.server.stores.base import StoreDown, Worker
from fabletop.server.stores.lease import Lease
from fabletop.server.stores.postgres import PostgresStore
from tests.server.hall import FREE, Hall, eventually, hall, raw, table_of, until


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


class Book:
    """A database of workers; an answer takes as long as the test says."""

    def __init__(self):
        self.workers = {}
        self.gate = asyncio.Event()
        self.gate.set()
        self.error = None

    async def enlist(self, worker):
        self.workers[worker.id] = worker

    async def heartbeat(self, worker, run):
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        known = self.workers.get(worker)
        if known is not None and known.run == run:
            self.workers[worker] = known._replace(beat=known.beat + 1)
        return list(self.workers.values())


async def lease_of(book, clock, name="w0", seconds=6.0):
    """A lease that is held, and a list of the moments at which it ran out."""
    made = Lease(book, name, f"run of {name}", seconds, Background(lambda: None))
    made.clock = clock
    lapsed = []
    made.on_lapse = lambda: lapsed.append(clock.now)
    await book.enlist(Worker(name, made.run, 0, ""))
    await made.beat()
    return made, lapsed


async def test_a_lease_is_held_from_the_moment_before_the_heartbeat_was_sent():
    book, clock = Book(), Clock()
    lease, lapsed = await lease_of(book, clock)
    clock.now += 4
    book.gate.clear()
    beat = asyncio.ensure_future(lease.beat())
    await asyncio.sleep(0)
    clock.now += 1.5  # the answer takes a while
    book.gate.set()
    await beat
    assert lease.held()
    clock.now = 1000 + 4 + 5.9
    assert lease.held()
    clock.now = 1000 + 4 + 6
    assert not lease.held(), "not from the answer, which was later"
    assert lapsed == [1010]
    assert not lease.held()
    assert lapsed == [1010], "once"


async def test_an_answer_that_comes_after_the_lease_ran_out_does_not_bring_it_back():
    book, clock = Book(), Clock()
    lease, lapsed = await lease_of(book, clock)
    clock.now += 5
    book.gate.clear()
    beat = asyncio.ensure_future(lease.beat())
    await asyncio.sleep(0)
    clock.now += 3  # the process stood still, so nobody has noticed
    book.gate.set()
    await beat
    assert lapsed == [1008], "everything is evicted before the lease is held again"
    assert lease.held()
    assert lease.lapses == 1


async def test_a_heartbeat_that_is_answered_too_late_is_of_no_use():
    book, clock = Book(), Clock()
    lease, lapsed = await lease_of(book, clock)
    book.gate.clear()
    beat = asyncio.ensure_future(lease.beat())
    await asyncio.sleep(0)
    clock.now += 30
    book.gate.set()
    await beat
    assert not lease.held()
    assert lapsed == [1030]


async def test_a_worker_is_dead_when_its_heartbeat_has_not_changed_for_a_lease_on_our_own_clock():
    book, clock = Book(), Clock()
    one, _ = await lease_of(book, clock, "w0")
    two, _ = await lease_of(book, clock, "w1")
    assert [peer.id for peer in two.peers()] == ["w0"]
    clock.now += 5
    await two.beat()
    assert two.dead() == []
    await one.beat()
    clock.now += 2
    await two.beat()  # sees the beat of two seconds ago now
    clock.now += 5.9
    assert two.dead() == []
    assert not one.held(), "the lease ends before others may think so"
    clock.now += 0.1
    assert [(dead.id, dead.beat) for dead in two.dead() if dead.id == "w0"] == [("w0", 2)]
    assert two.peers() == []


@pytest.mark.parametrize("error", [StoreDown("no space"), RuntimeError("who knows")])
async def test_after_an_error_a_worker_is_not_ready_until_a_write_succeeds(error, caplog):
    book, clock = Book(), Clock()
    lease, _ = await lease_of(book, clock)
    assert lease.fresh
    book.error = error
    await lease.beat()
    assert not lease.fresh
    assert lease.held(), "it may still answer"
    book.error = None
    await lease.beat()
    assert lease.fresh
    clock.now += 6
    assert not lease.fresh


async def test_a_worker_whose_name_is_taken_serves_no_tables(caplog):
    book, clock = Book(), Clock()
    lease, lapsed = await lease_of(book, clock)
    await book.enlist(Worker("w0", "another run", 0, ""))
    await lease.beat()
    assert lapsed == [1000]
    assert not lease.held()
    assert not lease.fresh
    assert "--name" in caplog.text


# ---- a whole worker -------------------------------------------------------------------------------


async def test_a_worker_past_its_lease_answers_nothing_from_memory(tmp_path):
    async with hall(tmp_path) as (hall_, client):
        table, tokens = await table_of(client, "equinox", 2)
        line = await raw(client, table, tokens[0])
        lease, clock = hall_.server.services.lease, Clock()
        clock.now = lease.clock() + lease.seconds
        old = hall_.actor(table)
        lease.clock = clock
        hall_.store.heartbeat = never
        assert (await line.hear("bye"))["again"]
        assert table not in hall_.server.registry.actors
        assert old.error is not None
        for path in ("", "view", "story"):
            with pytest.raises(RequestRefused, match="busy"):
                await client.get(table, path, tokens[0])
        with pytest.raises(RequestRefused, match="busy"):
            await client.do(table, "act", tokens[0], id="late", choice=0, action=0)
        late = await raw(client, table, tokens[0])
        assert late.welcome["code"] == "busy"
        async with client.session.get(f"{hall_.address}/readyz") as answer:
            assert answer.status == 503


async def test_an_answer_that_took_until_the_lease_ran_out_is_not_sent(tmp_path, monkeypatch):
    async with hall(tmp_path) as (hall_, client):
        table, tokens = await table_of(client, "equinox", 2)
        actor, lease = hall_.actor(table), hall_.server.services.lease

        async def slow():
            lease.clock = lambda: float("inf")

        monkeypatch.setattr(actor, "caught_up", slow)
        with pytest.raises(RequestRefused, match="moved"):
            await client.get(table, "view", tokens[0])


async def test_a_table_that_was_loaded_under_an_earlier_lease_is_not_kept(tmp_path, monkeypatch):
    async with hall(tmp_path) as (hall_, client):
        table, _ = await table_of(client, "equinox", 2)
        registry, lease = hall_.server.registry, hall_.server.services.lease
        await registry.evict(table)
        load = hall_.store.load

        async def interrupted(name):
            loaded = await load(name)
            clock, lease.clock = lease.clock, lambda: float("inf")
            assert not lease.held()
            lease.clock = clock
            await lease.beat()
            assert lease.held()
            return loaded

        monkeypatch.setattr(hall_.store, "load", interrupted)
        with pytest.raises(RequestRefused, match="busy"):
            await client.get(table)
        assert table not in registry.actors


async def never(*_):
    """A database that hangs."""
    await asyncio.Event().wait()


# ---- PostgreSQL stands still for one of two workers ------------------------------------------------


async def backends(address, name):
    """The processes of PostgreSQL that serve a worker."""
    connection = await asyncpg.connect(address)
    try:
        rows = await connection.fetch("SELECT pid FROM pg_stat_activity WHERE application_name = $1", name)
    finally:
        await connection.close()
    return [row[0] for row in rows]


async def test_reads_never_go_back_in_time_while_the_database_hangs_for_one_worker(postgres):
    address = await postgres.fresh()
    async with contextlib.AsyncExitStack() as stack:
        halls, clients, stopped = [], [], set()
        for name in ("a", "b"):
            store = PostgresStore(f"{address}&application_name={name}")
            halls.append(Hall(replace(FREE, worker=name, lease=1.5), store))
            await halls[-1].open()
            clients.append(await stack.enter_async_context(Client(halls[-1].address)))
        a, b = clients
        made = await a.make("equinox", ["hot", "hot"], options={"first": 0})
        table, token = made["table"], made["token"]
        await a.get(table)
        assert table in halls[0].server.registry.actors
        acknowledged, answers, over = 0, [], asyncio.Event()

        async def look():
            """What `a` says, and what had been acknowledged when it was asked."""
            while not over.is_set():
                before = acknowledged
                with contextlib.suppress(RequestRefused, TimeoutError, ConnectionLost, OSError):
                    async with asyncio.timeout(0.5):
                        seen = await a.get(table, "view", token, seat=0)
                        answers.append((before, seen["seq"]))
                await asyncio.sleep(0.01)

        async def play():
            nonlocal acknowledged
            for number in range(1000):
                if over.is_set():
                    return
                with contextlib.suppress(RequestRefused, TimeoutError, ConnectionLost, OSError):
                    async with asyncio.timeout(0.5):
                        views = [await b.get(table, "view", token, seat=seat) for seat in (0, 1)]
                        seen = next(seen for seen in views if seen["choice"])
                        done = await b.do(
                            *(table, "act", token),
                            id=f"{number}",
                            choice=seen["choice"]["id"],
                            seat=seen["viewer"],
                            action=seen["choice"]["options"][0],
                        )
                        if seen["viewer"] == 0:
                            acknowledged = max(acknowledged, done["seq"])
                await asyncio.sleep(0.03)

        tasks = [asyncio.ensure_future(look()), asyncio.ensure_future(play())]
        try:
            await until(lambda: acknowledged)
            first = acknowledged
            began = asyncio.get_running_loop().time()
            async with asyncio.timeout(40):
                while (
                    asyncio.get_running_loop().time() < began + 4
                    or table not in halls[1].server.registry.actors
                    or acknowledged == first
                ):
                    for pid in (
                        set(await backends(address, "a")) - stopped
                    ):  # also those that it opens meanwhile
                        os.kill(pid, signal.SIGSTOP)
                        stopped.add(pid)
                    await asyncio.sleep(0.1)
            assert table in halls[1].server.registry.actors, "b has taken it over"
            assert table not in halls[0].server.registry.actors
            assert acknowledged > first
        finally:
            for pid in stopped:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)
        while_it_hung = len(answers)
        await until(lambda: len(answers) > max(20, while_it_hung + 10))
        over.set()
        await asyncio.gather(*tasks)
        for hall_ in halls:
            await hall_.close()
        assert [pair for pair in answers if pair[1] < pair[0]] == [], "seq may not be lower than acknowledged"


# ---- readiness -----------------------------------------------------------------------------------


async def ready(client, hall_):
    async with client.session.get(f"{hall_.address}/readyz") as answer:
        return answer.status == 200


async def until_ready(client, hall_, wanted):
    async def found():
        return await ready(client, hall_) is wanted

    await until(found)


async def test_a_server_whose_disk_is_full_is_not_ready(tmp_path):
    async with hall(tmp_path, lease=0.6) as (hall_, client):
        assert await ready(client, hall_)
        writer = hall_.store._writer
        (pages,) = writer.execute("PRAGMA page_count").fetchone()
        writer.execute(f"PRAGMA max_page_count={pages}")  # small writes fit into free pages, a table does not
        for _ in range(30):
            with contextlib.suppress(RequestRefused):
                for _ in range(20):
                    await client.make("equinox", ["hot", "hot"])
                pytest.fail("there is no room for these tables")
            assert not await ready(client, hall_)
            await asyncio.sleep(0.02)
        writer.execute("PRAGMA max_page_count=1000000")
        await until_ready(client, hall_, True)
        await client.make("equinox", ["hot", "hot"])
        with sqlite3.connect(tmp_path / "tables.sqlite") as connection:
            await eventually(
                lambda: connection.execute("SELECT id FROM cluster").fetchall(), [(1,)]
            )  # no probe


async def test_a_server_whose_database_is_read_only_is_not_ready(postgres, tmp_path):
    address = await postgres.fresh()
    name = address.partition("@/")[2].partition("?")[0]
    connection = await asyncpg.connect(postgres.address())
    try:
        async with hall(tmp_path, PostgresStore(address), lease=0.6) as (hall_, client):
            assert await ready(client, hall_)
            for value in ("on", "off"):
                await connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = {value}")
                await connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name
                )
                await until_ready(client, hall_, value == "off")
                if value == "on":
                    with pytest.raises(RequestRefused, match="busy"):
                        await client.make("equinox", ["hot", "hot"])
                    await asyncio.sleep(0.5)
                    assert not await ready(client, hall_)
            await client.make("equinox", ["hot", "hot"])
    finally:
        await connection.close()


async def test_asking_whether_it_is_ready_writes_nothing(tmp_path):
    async with hall(tmp_path) as (hall_, client):
        said = []
        hall_.store._writer.set_trace_callback(said.append)
        for _ in range(50):
            assert await ready(client, hall_)
        assert len([text for text in said if text == "COMMIT"]) <= 2
