"""Several workers, one writer per table: sockets anywhere, the table in one place, and what if that place is gone."""

import asyncio
import contextlib
import json
import signal
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest
import pytest_asyncio

from fabletop import Chance
from fabletop.client import Client, RequestRefused
from fabletop.core.errors import FabletopError
from fabletop.server.api import websocket
from fabletop.server.app import internal_address
from fabletop.server.cluster.forwarding import FOR, SECRET
from fabletop.server.cluster.supervisor import worker_address
from fabletop.server.stores.base import Worker
from fabletop.server.stores.sqlite import SqliteStore
from tests.server.hall import FREE, PATIENCE, Hall, Process, Raw, play, table_of, until
from tests.server.test_commands import refused


@contextlib.asynccontextmanager
async def two_halls(new_store, **changed):
    """Two workers that share a database, and a client for each."""
    halls = []
    async with contextlib.AsyncExitStack() as stack:
        clients = []
        for n in range(2):
            hall = Hall(replace(FREE, worker=f"w{n}", lease=1.5, **changed), new_store())
            await hall.open()
            halls.append(hall)
            clients.append(await stack.enter_async_context(Client(hall.address)))
        yield halls, clients
    for hall in halls:
        with contextlib.suppress(Exception):
            await hall.close()


@pytest_asyncio.fixture
async def both(new_store):
    """Two workers, on SQLite and on PostgreSQL."""
    async with two_halls(new_store) as found:
        yield found


@pytest_asyncio.fixture
async def neighbours(tmp_path):
    """Two workers on SQLite, for what does not depend on the database."""
    async with two_halls(lambda: SqliteStore(tmp_path / "t.sqlite")) as found:
        yield found


def cut(hall):
    """Cut all connections that other workers have to this one; how many there were."""
    connections = [found for found in hall.server.internal.server.connections if found.transport is not None]
    for found in connections:
        found.transport.abort()
    return len(connections)


def homes(halls, table):
    """Which workers have the table in memory."""
    return [hall.settings.worker for hall in halls if table in hall.server.registry.actors]


async def in_the_game(place):
    """Until a few moves have been made, and long before the end."""
    await until(lambda: place.seq >= 8)


async def test_people_at_different_workers_play_at_one_table(both):
    halls, (one, two) = both
    table, tokens = await table_of(one, "equinox", 3)
    assert homes(halls, table) == ["w0"]
    async with (
        one.connect(table, tokens[0]) as ana,
        two.connect(table, tokens[1]) as ben,
        two.connect(table, tokens[2], lang="de") as cleo,
        two.connect(table) as watcher,
    ):
        await ben.say("hello from the other side")
        await ana.until(lambda: ana.chat, PATIENCE)
        await asyncio.gather(*(play(place, Chance(n)) for n, place in enumerate((ana, ben, cleo))))
        await watcher.until(lambda: watcher.over, PATIENCE)
        assert homes(halls, table) == ["w0"]
        for place in (ana, ben, watcher):
            await place.until(lambda place=place: place.story and place.story[-1]["event"] == "won", PATIENCE)
            assert place.reconnections == 0
            assert place.story == (await two.get(table, "story", place.token))["events"]
        assert all("line" in event for event in cleo.story)
    record = await two.get(table, "record")
    assert record == await one.get(table, "record")


async def test_of_two_workers_that_open_a_table_at_once_one_owns_it(both):
    halls, clients = both
    tables = [(await clients[n % 2].make("equinox", ["hot", "hot"]))["table"] for n in range(20)]
    await asyncio.gather(*(client.get(table) for table in tables for client in clients))
    for table in tables:
        assert len(homes(halls, table)) == 1


async def test_refusals_errands_and_hints_come_through(both):
    _, (one, two) = both
    made = await one.make("equinox", ["open", "thumbling"], name="Ana", options={"first": 0})
    table = made["table"]
    await one.get(table)
    with pytest.raises(RequestRefused, match="not_allowed"):
        await two.get(table, "record", made["token"])
    with pytest.raises(RequestRefused, match="not_allowed"):
        async with two.connect(table, "x" * 32):
            pass
    async with two.connect(table, made["token"]) as ana:
        with pytest.raises(RequestRefused, match="stale"):
            await ana.ask({"type": "act", "choice": 999, "action": 0})
        await ana.next_choice(PATIENCE)
        hint = await ana.hint()
        assert {option["action"] for option in hint["options"]} == set(ana.choice["options"])
        await ana._ws.send_json({"type": "look"})
        renewed = await two.do(table, "renew", made["token"])
        with pytest.raises(Exception, match="changed"):
            await ana.until(lambda: False, PATIENCE)
    async with two.connect(table, renewed["token"]) as ana:
        assert ana.view["viewer"] == 0


async def test_when_the_home_of_a_table_closes_another_takes_it_over(both):
    halls, (one, two) = both
    table, tokens = await table_of(one, "equinox", 2)
    async with two.connect(table, tokens[0]) as ana, two.connect(table, tokens[1]) as ben:
        assert homes(halls, table) == ["w0"]
        players = [asyncio.ensure_future(play(p, Chance(n))) for n, p in enumerate((ana, ben))]
        await in_the_game(ana)
        await halls[0].close()
        done = await asyncio.gather(*players)
        assert homes(halls[1:], table) == ["w1"]
        assert ana.table["status"] == "over"
        record = await two.get(table, "record")
        assert len(record["actions"]) == sum(map(len, done))


async def test_when_the_home_of_a_table_is_gone_without_a_word_its_lease_runs_out(both):
    halls, (one, two) = both
    table, tokens = await table_of(one, "equinox", 2)
    async with two.connect(table, tokens[0]) as ana, two.connect(table, tokens[1]) as ben:
        players = [asyncio.ensure_future(play(p, Chance(n))) for n, p in enumerate((ana, ben))]
        await in_the_game(ana)
        silent = halls[0].server
        silent.services.lease._task.cancel()  # sends no more heartbeats,
        for site in silent.internal.sites:  # and cannot be reached
            await site.stop()
        cut(halls[0])
        done = await asyncio.wait_for(asyncio.gather(*players), 30)
        assert homes(halls, table) == ["w1"], "the first has evicted it"
        record = await two.get(table, "record")
        assert len(record["actions"]) == sum(map(len, done))
        for what in ("", "view"):
            with pytest.raises(RequestRefused, match="busy"):
                await one.get(table, what)


async def test_the_connections_between_workers_may_be_cut_while_people_play(both):
    halls, (one, two) = both
    table, tokens = await table_of(one, "equinox", 3)
    async with contextlib.AsyncExitStack() as stack:
        places = [await stack.enter_async_context(two.connect(table, token)) for token in tokens]
        players = [asyncio.ensure_future(play(place, Chance(n))) for n, place in enumerate(places)]
        cuts = 0
        for _ in range(5):
            await asyncio.sleep(0.1)
            cuts += cut(halls[0])
        done = await asyncio.wait_for(asyncio.gather(*players), 30)
        assert cuts >= 5
        assert sum(place.reconnections for place in places) >= 3
        assert homes(halls, table) == ["w0"]
        record = await two.get(table, "record")
        assert len(record["actions"]) == sum(map(len, done)), "nothing lost, nothing done twice"


async def test_an_owner_that_stands_still_is_noticed(neighbours):
    """As a process that is stopped: connections to it are made, and nothing comes back."""
    halls, (one, two) = neighbours
    table, tokens = await table_of(one, "equinox", 2)
    await halls[0].server.registry.evict(table)
    waiting = []
    stopped = await asyncio.start_server(lambda *both: waiting.append(both), "127.0.0.1", 0)
    port = stopped.sockets[0].getsockname()[1]
    store = halls[0].store
    await store.enlist(Worker("stopped", "run", 0, f"127.0.0.1:{port}"))
    assert (await store.claim(table, "stopped")).home == "stopped"
    lease = halls[1].server.services.lease.seconds
    async with asyncio.timeout(lease + 5):
        await refused("busy", two.get(table, "view", tokens[0]))  # and not after SECONDS_TO_ANSWER
    assert waiting, "it was asked first"
    async with asyncio.timeout(PATIENCE), two.connect(table, tokens[0]) as ana:
        assert ana.table["status"] == "playing", "taken over as soon as its lease has run out"
    for _, writer in waiting:
        writer.close()
    stopped.close()


async def test_a_forwarded_socket_whose_front_is_gone_is_dropped(both):
    halls, (one, two) = both
    table, tokens = await table_of(one, "equinox", 2)
    line = Raw(await two.session.ws_connect(f"{two.address}/ws"))
    await line.say({"type": "hello", "table": table, "token": tokens[0]})
    assert (await line.hear())["type"] == "welcome"
    actor = halls[0].actor(table)
    assert actor.here() == [0]
    for found in list(halls[1].runner.server.connections):
        if found.transport is not None:
            found.transport.abort()
    await until(lambda: not actor.here())
    await line.ws.close()


async def test_a_front_that_no_longer_answers_is_dropped(neighbours, monkeypatch):
    monkeypatch.setattr(websocket, "HEARTBEAT", 0.1)
    halls, (one, _) = neighbours
    table, tokens = await table_of(one, "equinox", 2)
    async with internal(halls[0]) as (session, address):
        ws = await session.ws_connect(f"{address}/ws", autoping=False)
        await ws.send_json({"type": "hello", "table": table, "token": tokens[0]})
        assert (await ws.receive_json())["type"] == "welcome"
        actor = halls[0].actor(table)
        assert actor.here() == [0]
        await until(lambda: not actor.here())


async def test_a_slow_reader_behind_another_worker_is_disconnected(tmp_path, caplog):
    caplog.set_level("INFO")
    async with two_halls(lambda: SqliteStore(tmp_path / "t.sqlite"), backlog=10_000) as (halls, (one, _)):
        table, tokens = await table_of(one, "equinox", 2)
        reader, writer = await asyncio.open_connection("127.0.0.1", halls[1].port, limit=1000)
        said = json.dumps({"type": "hello", "table": table, "token": tokens[0]}).encode()
        writer.write(upgrade() + masked(said))
        await reader.readuntil(b"\r\n\r\n")
        writer.transport.pause_reading()
        actor = halls[0].actor(table)
        await until(actor.here)
        (subscriber,) = actor.subscribers
        async with asyncio.timeout(PATIENCE):
            while actor.here():
                subscriber.send(b"x" * 100_000)
                await asyncio.sleep(0.001)
        assert "slow reader" in caplog.text
        writer.close()


async def test_a_spectator_behind_another_worker_hears_no_secrets(neighbours):
    _, (one, two) = neighbours
    table, tokens = await table_of(one, "equinox", 2)
    async with one.connect(table, tokens[0]) as ana, one.connect(table, tokens[1]) as ben:
        line = Raw(await two.session.ws_connect(f"{two.address}/ws"))
        await line.say({"type": "hello", "table": table})
        heard = [await line.hear()]
        for _ in range(6):
            place = ana if ana.choice else ben
            await place.next_choice(PATIENCE)
            await place.act(place.choice["options"][0])
            heard.append(await line.hear("update"))
        assert len(heard) == 7
        for said in heard:
            assert not said.get("choice")
            assert (said.get("view") or {}).get("own") is None
        await line.ws.close()


async def test_what_was_forwarded_leaves_nothing_behind(neighbours):
    halls, (one, two) = neighbours
    table, tokens = await table_of(one, "equinox", 3)
    async with contextlib.AsyncExitStack() as stack:
        places = [await stack.enter_async_context(two.connect(table, token)) for token in tokens]
        assert homes(halls, table) == ["w0"]
        assert sorted(line.viewer for line in halls[0].actor(table).subscribers) == [0, 1, 2]
        await asyncio.gather(*(play(place, Chance(n)) for n, place in enumerate(places)))
        assert all(place.over for place in places)
    await until(lambda: not (halls[0].server.sockets or halls[1].server.sockets))


async def test_a_socket_may_go_from_table_to_table_wherever_they_are(neighbours):
    halls, (one, two) = neighbours
    here, tokens_here = await table_of(one, "equinox", 2)
    there, tokens_there = await table_of(two, "equinox", 2)
    assert (homes(halls, here), homes(halls, there)) == (["w0"], ["w1"])
    line = Raw(await two.session.ws_connect(f"{two.address}/ws", params={"table": here}))
    for table, token in ((there, tokens_there[1]), (here, tokens_here[1]), (there, tokens_there[0])):
        await line.say({"type": "hello", "table": table, "token": token})
        assert (await line.hear("welcome"))["table"]["table"] == table
        await line.say({"type": "chat", "text": 'I said "hello" to everybody'})
        assert (await line.hear("done"))["type"] == "done"
    await until(lambda: not halls[0].actor(here).here())
    await line.ws.close()


async def test_a_request_with_large_headers_is_forwarded_without_them(neighbours):
    halls, (one, two) = neighbours
    table, tokens = await table_of(one, "equinox", 2)
    assert homes(halls, table) == ["w0"]
    padding = {f"X-Padding-{n}": "x" * 8000 for n in range(10)}
    line = Raw(await two.session.ws_connect(f"{two.address}/ws", headers=padding))
    await line.say({"type": "hello", "table": table, "token": tokens[1]})
    assert (await line.hear("welcome"))["viewer"] == 1
    await line.ws.close()
    async with two.session.get(f"{two.address}/api/tables/{table}", headers=padding) as answer:
        assert answer.status == 200


@pytest.mark.parametrize(
    ("table", "code"), [("nowhere", "unknown"), ("no\0where", "bad_message"), ("n" * 2000, "bad_message")]
)
async def test_a_socket_for_a_table_that_there_is_not_is_told_so(neighbours, table, code):
    _, (one, _) = neighbours
    line = Raw(await one.session.ws_connect(f"{one.address}/ws", params={"table": table}))
    await line.say({"type": "hello", "table": table})
    assert (await line.hear("error"))["code"] == code
    await line.ws.close()


async def test_a_table_whose_owner_cannot_be_reached_is_said_to_be_busy(neighbours):
    halls, (one, two) = neighbours
    table, tokens = await table_of(one, "equinox", 2)
    for site in list(halls[0].server.internal.sites):
        await site.stop()
    cut(halls[0])
    with pytest.raises(RequestRefused, match="busy"):
        await two.get(table)
    line = Raw(await two.session.ws_connect(f"{two.address}/ws"))
    await line.say({"type": "hello", "table": table, "token": tokens[0]})
    assert (await line.hear("error"))["code"] == "busy"
    await line.ws.close()


def upgrade():
    """A request for a WebSocket."""
    return (
        b"GET /ws HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )


def masked(data):
    """A text as a client frames it, masked with nothing."""
    assert len(data) < 126
    return bytes([0x81, 0x80 | len(data), 0, 0, 0, 0]) + data


async def test_what_a_client_says_with_its_request_is_heard(neighbours):
    halls, (one, _) = neighbours
    table, tokens = await table_of(one, "equinox", 2)
    said = f'{{"type":"hello","table":"{table}","token":"{tokens[1]}"}}'.encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", halls[1].port)
    writer.write(b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n" + upgrade() + masked(said))
    async with asyncio.timeout(PATIENCE):
        assert b"ok\n" in await reader.readuntil(b"ok\n")
        assert b"101 Switching" in await reader.readuntil(b"\r\n\r\n")
        assert b'"welcome"' in await reader.readuntil(b'"welcome"')
    assert [line.viewer for line in halls[0].actor(table).subscribers] == [1]
    writer.close()
    await writer.wait_closed()


async def test_a_client_that_goes_while_its_table_is_looked_for_is_no_fault(neighbours, monkeypatch, caplog):
    halls, (one, _) = neighbours
    table, tokens = await table_of(one, "equinox", 2)
    registry, asked = halls[1].server.registry, asyncio.Event()
    find = registry.actor

    async def slowly(table):
        asked.set()
        await asyncio.sleep(0.1)
        return await find(table)

    monkeypatch.setattr(registry, "actor", slowly)
    _, writer = await asyncio.open_connection("127.0.0.1", halls[1].port)
    writer.write(upgrade() + masked(f'{{"type":"hello","table":"{table}","token":"{tokens[1]}"}}'.encode()))
    await asyncio.wait_for(asked.wait(), PATIENCE)
    assert halls[1].server.sockets == {"127.0.0.1": 1}, "counted from the first moment"
    writer.close()
    await writer.wait_closed()
    await until(lambda: not (halls[0].server.sockets or halls[1].server.sockets))
    for hall in halls:
        assert hall.server.services.metrics.faults._value.get() == 0
    assert "could not be handled" not in caplog.text


# ---- the internal listener -------------------------------------------------------------------------


@contextlib.asynccontextmanager
async def internal(hall, **headers):
    """A session that is trusted, unless it is told otherwise, and the internal address of a worker."""
    known = {SECRET: await hall.store.secret(), FOR: "198.51.100.7", **headers}
    async with aiohttp.ClientSession(headers=known) as session:
        yield session, f"http://127.0.0.1:{hall.server.internal.addresses[0][1]}"


@pytest.mark.parametrize("secret", ["", "wrong", "\u00e9" * 43])
async def test_nobody_is_answered_who_does_not_know_the_secret(neighbours, secret):
    halls, (one, _) = neighbours
    table, _ = await table_of(one, "equinox", 2)
    async with internal(halls[0], **{SECRET: secret}) as (session, address):
        for path in (f"/api/tables/{table}", "/api/about", "/ws", "/metrics", "/nowhere"):
            async with session.get(address + path) as answer:
                assert answer.status == 403, path
                assert "Python" not in answer.headers["Server"]


async def test_nothing_is_forwarded_twice(neighbours):
    halls, (one, _) = neighbours
    table, tokens = await table_of(one, "equinox", 2)
    async with internal(halls[1]) as (session, address):
        async with session.get(f"{address}/api/tables/{table}") as answer:
            assert (answer.status, (await answer.json())["code"]) == (503, "moved")
        ws = await session.ws_connect(f"{address}/ws")
        await ws.send_json({"type": "hello", "table": table, "token": tokens[0]})
        assert (await ws.receive_json())["code"] == "moved"
        assert (await ws.receive_json())["again"]
        assert (await ws.receive()).type is aiohttp.WSMsgType.CLOSE


async def test_limits_count_the_client_and_not_the_worker_that_forwards(tmp_path):
    changed = {"behind_proxy": True, "tables_per_hour": 2, "sockets_per_address": 1}
    async with two_halls(lambda: SqliteStore(tmp_path / "t.sqlite"), **changed) as (halls, (one, two)):
        made = await one.make("equinox", ["hot", "hot"])
        table, token = made["table"], made["token"]
        await one.get(table)

        def branch(address):
            return two.session.post(
                f"{two.address}/api/tables/{table}/branch",
                json={"at": 0},
                headers={"Authorization": f"Bearer {token}", "X-Forwarded-For": address},
            )

        told = []
        for address in ("203.0.113.5", "203.0.113.5", "203.0.113.5", "203.0.113.6"):
            async with branch(address) as answer:
                told.append(answer.status)
        assert told == [201, 201, 429, 201]
        lines = []
        for address in ("203.0.113.5", "203.0.113.6"):
            ws = await two.session.ws_connect(f"{two.address}/ws", headers={"X-Forwarded-For": address})
            lines.append(Raw(ws))
            await lines[-1].say({"type": "hello", "table": table, "token": token})
            assert (await lines[-1].hear())["type"] == "welcome"
        assert halls[0].server.sockets == {"203.0.113.5": 1, "203.0.113.6": 1}
        for line in lines:
            await line.ws.close()


async def test_a_client_cannot_say_who_it_is(tmp_path):
    async with two_halls(lambda: SqliteStore(tmp_path / "t.sqlite"), tables_per_hour=1) as (halls, (one, _)):
        secret = await halls[0].store.secret()
        told = []
        for n in range(2):
            headers = {SECRET: secret, FOR: f"203.0.113.{n}"}
            async with one.session.post(
                f"{one.address}/api/tables", json={"game": "equinox"}, headers=headers
            ) as answer:
                told.append(answer.status)
        assert told == [201, 429]


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("127.0.0.1", "127.0.0.1", 0),
        ("10.0.0.5:8100", "10.0.0.5", 8100),
        ("[::1]:80", "::1", 80),
        ("::1", "::1", 0),
        ("fd00::5", "fd00::5", 0),
        ("worker.internal:9", "worker.internal", 9),
    ],
)
def test_the_internal_address_is_read(text, host, port):
    assert internal_address(text) == (host, port)
    assert internal_address(worker_address(text, 2)) == (host, port and port + 2)


@pytest.mark.parametrize("text", ["", ":80", "host:port", "host:70000"])
def test_what_is_no_internal_address_is_refused(text):
    with pytest.raises(FabletopError, match=r"--internal takes HOST"):
        internal_address(text)


# ---- processes -------------------------------------------------------------------------------------


async def test_the_command_starts_several_workers_and_ends_them_in_good_order(tmp_path):
    server = Process("--database", str(tmp_path / "t.sqlite"), "--workers", "2")
    await server.start()
    try:
        pids = server.workers()
        assert len(pids) == 2
        async with Client(server.address) as client, contextlib.AsyncExitStack() as stack:
            table, tokens = await table_of(client, "equinox", 3)
            places = [await stack.enter_async_context(client.connect(table, token)) for token in tokens]
            await asyncio.gather(*(play(place, Chance(n)) for n, place in enumerate(places)))
            assert all(place.over for place in places)
            server.process.send_signal(signal.SIGTERM)
            assert await asyncio.wait_for(server.process.wait(), PATIENCE) == 0
        assert [pid for pid in pids if Path(f"/proc/{pid}").exists()] == []
    finally:
        await server.kill()


async def test_a_bus_is_no_longer_needed_and_that_is_said(tmp_path):
    server = Process("--database", str(tmp_path / "t.sqlite"), "--bus", "redis://localhost:6379/0")
    server.errors = asyncio.subprocess.PIPE
    await server.start()
    await server.kill()
    assert b"--bus is no longer needed" in await server.process.stderr.read()
