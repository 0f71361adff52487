"""A store that is down is expected by everything that happens in the background: it is logged once, and what was left
undone is done later. Errors that nobody expects are logged with their traceback, and nobody waits for ever."""

import asyncio
import logging
import sqlite3
from collections import Counter
from functools import partial

import pytest

from fabletop import Chance
from fabletop.client import RequestRefused
from fabletop.server.cluster import supervisor
from fabletop.server.notify import webhooks
from fabletop.server.protocol.errors import moved
from fabletop.server.settings import Settings
from fabletop.server.stores import background, sqlite
from fabletop.server.stores.background import Background
from fabletop.server.stores.base import StoreDown
from fabletop.server.stores.sqlite import SqliteStore
from fabletop.server.tables import driver
from fabletop.server.tables.tokens import hashed
from tests.server.hall import PATIENCE, eventually, hall, play, raw, table_of
from tests.server.test_lessons import lesson
from tests.server.test_webhooks import TRUSTED, Ear, hook_of, until, waiting

DOWN = "the store is down, and tried again: disk I/O error"


class Flaky:
    """A store on SQLite; calls that are named in `down` fail, and are counted."""

    def __init__(self, folder):
        self.store = SqliteStore(folder / "tables.sqlite")
        self.down = set()
        self.failed = Counter()

    def __getattr__(self, name):
        return partial(self._fail, name) if name in self.down else getattr(self.store, name)

    def _fail(self, name, *_):
        self.failed[name] += 1
        future = asyncio.get_running_loop().create_future()
        future.set_exception(StoreDown("disk I/O error"))
        future.exception()
        return future if name == "append" else self._wait(future)

    async def _wait(self, future):
        return await future

    async def fails(self, call, times=3):
        """Let a call fail a few times."""
        self.down = {call}
        await until(lambda: self.failed[call] >= times)

    def repair(self):
        """All is well again."""
        self.down = set()


@pytest.fixture(autouse=True)
def impatient(monkeypatch, caplog):
    """Retry soon, and log everything."""
    monkeypatch.setattr(background, "RETRY", 0.03)
    monkeypatch.setattr(driver, "RETRY", 0.03)
    monkeypatch.setattr(webhooks, "PAUSES", (0.03,))
    caplog.set_level(logging.INFO)


@pytest.fixture
def flaky(tmp_path):
    """A store whose calls can fail."""
    return Flaky(tmp_path)


def errors(caplog):
    """What was logged as an error, with the traceback."""
    return [(r.getMessage(), r.exc_info) for r in caplog.records if r.levelno >= logging.ERROR]


def told(caplog, message):
    """How often something was logged."""
    return [record.getMessage() for record in caplog.records].count(message)


# ---- the one place that decides -------------------------------------------------------------


async def test_a_store_that_is_down_is_logged_once_until_it_answers(caplog):
    faults = []
    made = Background(lambda: faults.append(1))

    async def fails():
        raise StoreDown("disk I/O error")

    for _ in range(2):
        for _ in range(3):
            await asyncio.wait([made.spawn(fails())])
        assert [record.getMessage() for record in caplog.records] == [DOWN]
        made.store_answers()
        made.store_answers()
        assert told(caplog, "the store answers again") == 1
        caplog.clear()
    assert faults == []


async def test_what_nobody_expects_is_logged_with_its_traceback_and_counted(caplog):
    faults = []
    made = Background(lambda: faults.append(1))

    async def fails():
        raise KeyError("seven")

    await asyncio.wait([made.spawn(fails())])
    ((message, (kind, _, trace)),) = errors(caplog)
    assert (message, kind) == ("a background task failed", KeyError)
    assert trace is not None
    assert faults == [1]


async def test_a_step_is_repeated_whatever_goes_wrong_in_it(caplog):
    made, steps = Background(lambda: None), []

    async def step():
        steps.append(1)
        raise StoreDown if len(steps) % 2 else KeyError

    made.spawn(made.repeat(0.001, step))
    await until(lambda: len(steps) > 5)
    await made.close()
    count = len(steps)
    await asyncio.sleep(0.02)
    assert len(steps) == count


# ---- every step that uses the store ---------------------------------------------------------


async def test_a_heartbeat(tmp_path, flaky, caplog):
    async with hall(tmp_path, flaky, lease=0.6) as (hall_, client):
        await flaky.fails("heartbeat")
        assert (await client.session.get(f"{hall_.address}/readyz")).status == 503
        flaky.repair()
        await until(lambda: hall_.server.services.lease.fresh)
        await eventually(lambda: told(caplog, "the store answers again"), 1)
    assert told(caplog, DOWN) == 1
    assert errors(caplog) == []


async def test_a_snapshot(tmp_path, flaky, caplog):
    async with hall(tmp_path, flaky, snapshot_every=3) as (hall_, client):
        flaky.down = {"snapshot"}
        made = await client.make("equinox", ["hot", "gretel"], name="Ana")
        async with client.connect(made["table"], made["token"]) as ana:
            await play(ana, Chance(1), until=lambda: flaky.failed["snapshot"] >= 3)
            assert (await hall_.store.load(made["table"])).snapshot is None
            flaky.repair()
            length = hall_.actor(made["table"]).table.length
            await play(ana, Chance(2), until=lambda: hall_.actor(made["table"]).table.length > length + 6)
        await hall_.server.registry.evict(made["table"])
        assert (await hall_.store.load(made["table"])).snapshot is not None
    assert errors(caplog) == []


async def test_the_snapshot_of_an_imported_record(tmp_path, flaky, caplog):
    async with hall(tmp_path, flaky, snapshot_every=3) as (_, client):
        made = await client.make("equinox", ["hot", "gretel"], name="Ana")
        async with client.connect(made["table"], made["token"]) as ana:
            await play(ana, Chance(1))
        record = await client.get(made["table"], "record", made["token"])
        flaky.down = {"snapshot"}
        copy = await client.call("POST", "/api/records", record)
        assert flaky.failed["snapshot"] == 1
        assert (await client.get(copy["table"]))["status"] == "over"
    assert errors(caplog) == []


@pytest.mark.parametrize("call", ["due", "to_notify", "release", "claim", "load", "chat"])
async def test_the_sweeper(tmp_path, flaky, caplog, call):
    settings = {"trusted_hooks": TRUSTED, "notice_after": 0.1, "idle": -1.0, "lease": 0.3}
    async with Ear() as ear, hall(tmp_path, flaky, **settings) as (hall_, client):
        table, _ = await waiting(client, ear.url)
        assert ear.heard == []
        await flaky.fails(
            call, 1 if call == "release" else 3
        )  # one that was not released is gone from memory
        flaky.repair()
        await until(lambda: ear.heard)
        await until(lambda: table not in hall_.server.registry.actors)
        assert hall_.server.registry.broken == set()
    assert errors(caplog) == []
    assert [heard["table"] for heard in ear.heard] == [table]


async def test_a_lesson_that_is_left(tmp_path, flaky, caplog, monkeypatch):
    async with hall(tmp_path, flaky, idle=0.0, lease=0.3) as (hall_, client):
        flaky.down = {"delete"}
        made = await lesson(client)
        async with client.connect(made["table"], made["token"]) as ana:
            await ana.next_choice()
        await until(lambda: flaky.failed["delete"])
        assert await hall_.store.load(made["table"]) is not None
        flaky.repair()
        now = hall_.server.services.now
        monkeypatch.setattr(hall_.server.services, "now", lambda: now() + 30 * 24 * 3600)

        async def gone():
            return await hall_.store.load(made["table"]) is None

        await until(gone)
    assert errors(caplog) == []


@pytest.mark.parametrize("call", ["hooks", "called"])
async def test_a_notice_is_sent_once(tmp_path, flaky, caplog, call):
    """While it could not be noted that it was sent, it was sent again with every sweep."""
    settings = {"trusted_hooks": TRUSTED, "notice_after": 0.1, "lease": 0.3}
    async with Ear() as ear, hall(tmp_path, flaky, **settings) as (hall_, client):
        table, token = await waiting(client, ear.url)
        await flaky.fails(call)
        await asyncio.sleep(0.3)
        assert len(ear.heard) == (call == "called")
        flaky.repair()

        async def noted():
            return (await hook_of(hall_, table)).notified

        await until(noted)
        assert len(ear.heard) == 1
        flaky.failed.clear()
        flaky.down = {call}
        async with client.connect(table, token):  # the next one may be sent
            await until(lambda: flaky.failed[call] >= 3)
            flaky.repair()

            async def cleared():
                return not (await hook_of(hall_, table)).notified

            await until(cleared)
    assert errors(caplog) == []


async def test_a_browser_that_has_unsubscribed(tmp_path, flaky, caplog):
    settings = {
        "trusted_hooks": TRUSTED,
        "notice_after": 0.0,
        "lease": 0.3,
        "public": "https://a.example",
        "push_key": tmp_path / "push.pem",
    }
    async with Ear() as ear, hall(tmp_path, flaky, **settings) as (hall_, client):
        ear.status = 410
        table, token = await waiting(client)
        await client.do(table, "push", token, endpoint=ear.url)
        await flaky.fails("hook")
        assert len(await hall_.store.hooks(table)) == 1
        flaky.repair()

        async def forgotten():
            return await hall_.store.hooks(table) == []

        await until(forgotten)
    assert errors(caplog) == []
    assert len(ear.heard) == 1


@pytest.mark.parametrize("seats", [["hot", "gretel"], ["hot", "hot"]])
async def test_bots_and_clocks(tmp_path, flaky, caplog, seats):
    async with hall(tmp_path, flaky, lease=0.3) as (hall_, client):
        flaky.down = {"append"}
        pace = {"kind": "move", "seconds": 5 if "gretel" in seats else 1}
        made = await client.make("equinox", seats, name="Ana", pace=pace, options={"first": 1})
        assert (await client.get(made["table"]))["status"] == "playing"
        await until(lambda: flaky.failed["append"] >= 3)
        flaky.repair()

        async def goes_on():
            loaded = await hall_.store.load(made["table"])
            return any(getattr(entry, "by", "") in ("bot", "clock") for entry in loaded.entries)

        await until(goes_on)
    assert errors(caplog) == []


async def test_the_hooks_of_a_token_that_is_changed(tmp_path, flaky, caplog):
    """Before, the client was told that the server is busy: the old token was of no use, and the new one lost."""
    async with hall(tmp_path, flaky, trusted_hooks=TRUSTED) as (hall_, client):
        table, tokens = await table_of(client, "equinox", 2)
        await client.do(table, "webhook", tokens[0], url="https://a.example/")
        line = await raw(client, table, tokens[0])
        flaky.down = {"hook"}
        new = (await client.do(table, "renew", tokens[0]))["token"]
        assert (await line.hear("bye"))["again"] is False, "it had the old token"
        await until(lambda: flaky.failed["hook"] >= 3)
        assert (await hook_of(hall_, table)).key == hashed(tokens[0])
        flaky.repair()

        async def followed():
            return [hook.key for hook in await hall_.store.hooks(table)] == [hashed(new)]

        await until(followed)
    assert errors(caplog) == []


async def test_a_server_that_stops(tmp_path, flaky, caplog):
    async with hall(tmp_path, flaky, lease=0.3) as (hall_, client):
        tables = [(await table_of(client, "equinox", 2))[0] for _ in range(5)]
        assert set(tables) <= set(hall_.server.registry.actors)
        flaky.down = {"release", "retire", "heartbeat"}
    assert (flaky.failed["release"], flaky.failed["retire"]) == (5, 1)
    assert told(caplog, DOWN) == 1
    assert errors(caplog) == []
    assert told(caplog, "stopped") == 1


# ---- errors that nobody expects -------------------------------------------------------------


async def test_an_error_at_one_table_leaves_no_other_in_memory_when_the_lease_runs_out(
    open_hall, monkeypatch, caplog
):
    hall_, client = open_hall
    tables = [(await table_of(client, "equinox", 2))[0] for _ in range(3)]

    def fails(_):
        raise KeyError("seven")

    monkeypatch.setattr(hall_.actor(tables[0]), "on_end", lambda: fails(0))
    hall_.server.registry._evict_all()
    assert [table for table in tables if table in hall_.server.registry.actors] == tables[:1]
    with pytest.raises(RequestRefused, match=moved().code):
        await client.get(tables[0])
    assert [message for message, _ in errors(caplog)] == ["a background task failed"]


@pytest.mark.parametrize("seats", [["hot", "gretel"], ["hot", "hot"]])
async def test_a_table_goes_on_after_a_bot_has_failed(open_hall, monkeypatch, caplog, seats):
    hall_, client = open_hall
    pace = {"kind": "move", "seconds": 5 if "gretel" in seats else 1}
    answer, calls = driver.Driver._answer, []

    async def fails_at_first(self, *asked):
        calls.append(1)
        if len(calls) <= 2:
            raise KeyError("seven")
        return await answer(self, *asked)

    monkeypatch.setattr(driver.Driver, "_answer", fails_at_first)
    made = await client.make("equinox", seats, name="Ana", pace=pace, options={"first": 1})
    async with client.connect(made["table"], made["token"]) as ana:
        await ana.until(lambda: len(calls) > 2, PATIENCE)

        async def moved_on():
            entries = (await hall_.store.load(made["table"])).entries
            return any(getattr(entry, "by", "") in ("bot", "clock") for entry in entries)

        await until(moved_on)
    assert [message for message, _ in errors(caplog)] == ["a background task failed"] * 2


async def test_a_hint_that_fails_is_answered(open_hall, monkeypatch, caplog):
    hall_, client = open_hall
    made = await client.make("equinox", ["hot", "gretel"], name="Ana", options={"first": 0})
    line = await raw(client, made["table"], made["token"])

    async def fails(*_):
        raise KeyError("seven")

    monkeypatch.setattr(hall_.server.services.bots, "hint", fails)
    await line.say({"type": "hint", "id": "one"})
    answer = await line.hear("error")
    assert (answer["code"], answer["id"]) == ("fault", "one")
    assert [message for message, _ in errors(caplog)] == ["a message could not be handled"]


class Bad:
    """A connection to SQLite on which some statements fail."""

    def __init__(self, connection, *bad):
        self.connection = connection
        self.bad = bad
        self.failed = Counter()

    def __getattr__(self, name):
        return getattr(self.connection, name)

    def execute(self, statement, *values):
        for word in self.bad:
            if statement.startswith(word):
                self.failed[word] += 1
                raise sqlite3.OperationalError("disk I/O error")
        return self.connection.execute(statement, *values)


async def test_the_writer_survives_a_transaction_that_cannot_be_rolled_back(tmp_path):
    store = SqliteStore(tmp_path / "t.sqlite")
    await store.open()
    bad = store._writer = Bad(store._writer, "DELETE", "ROLLBACK")
    async with asyncio.timeout(PATIENCE):
        for _ in range(2):
            with pytest.raises(StoreDown):
                await store.retire("w", "run")
        assert bad.failed == {"DELETE": 1, "ROLLBACK": 2}, "the second time it could not even begin"
        assert not store.writable
        bad.bad = ()
        with pytest.raises(StoreDown):
            await store.retire("w", "run")
        await store.retire("w", "run")
        assert await store.secret()
        await store.close()


async def test_the_writer_survives_a_copy_of_the_log_that_fails_in_no_usual_way(
    tmp_path, monkeypatch, caplog
):
    monkeypatch.setattr(sqlite, "COPY_AFTER", 1)
    store = SqliteStore(tmp_path / "t.sqlite")
    await store.open()

    def fails(*_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(store._copier, "submit", fails)
    async with asyncio.timeout(PATIENCE):
        assert await store.secret() == await store.secret()
        await store.close()
    assert errors(caplog)


@pytest.mark.parametrize("number", [1, 2, 3])
async def test_a_store_that_cannot_open_a_connection_is_down(tmp_path, monkeypatch, number):
    connect, calls = sqlite.connect, []

    def fails(path):
        calls.append(path)
        if len(calls) == number:
            raise sqlite3.OperationalError("unable to open database file")
        return connect(path)

    monkeypatch.setattr(sqlite, "connect", fails)
    store = SqliteStore(tmp_path / "t.sqlite")
    with pytest.raises(StoreDown, match="unable to open"):
        await store.open()
    await store.open()
    await store.close()


async def test_a_worker_that_cannot_be_started_is_started_later(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(supervisor, "PAUSE", 0.01)
    tries = []

    async def start(*_):
        tries.append(1)
        if len(tries) < 3:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        await asyncio.Event().wait()

    monkeypatch.setattr(supervisor, "_start", start)
    keeping = asyncio.ensure_future(
        supervisor._keep(Settings(worker="w0"), "info", tmp_path, None, asyncio.Event())
    )
    await eventually(lambda: len(tries), 3)
    assert not keeping.done()
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)
    assert "worker w0 cannot be started" in caplog.text
