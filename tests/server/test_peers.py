"""Several workers, one writer per table: sockets anywhere, the table in one place, and what if that place is gone."""

import asyncio
import contextlib
import json
import signal
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from fabletop import Chance
from fabletop.client import Client, Refusal
from fabletop.server.app import Server
from fabletop.server.cluster.bus import LocalBus, RedisBus
from fabletop.server.stores.postgres import PostgresStore
from fabletop.server.stores.sqlite import SqliteStore
from fabletop.server.tables.actor import Subscriber
from tests.server.hall import FREE, Hall, Process, Raw, play, table_of


@contextlib.asynccontextmanager
async def two_halls(new_store, new_bus, **changed):
    """Two workers that share a database and a bus, and a client for each."""
    halls = []
    async with contextlib.AsyncExitStack() as stack:
        clients = []
        for n in range(2):
            hall = Hall(replace(FREE, worker=f"w{n}", lease=1.5, **changed), new_store(), new_bus())
            hall.new_bus = new_bus
            await hall.open()
            halls.append(hall)
            clients.append(await stack.enter_async_context(Client(hall.address)))
        yield halls, clients
    for hall in halls:
        with contextlib.suppress(Exception):
            await hall.close()


@pytest_asyncio.fixture(params=["sqlite and local", "postgres and redis"])
async def both(request, tmp_path):
    """Two workers, on small and on real infrastructure."""
    if request.param == "sqlite and local":
        room = {}
        async with two_halls(lambda: SqliteStore(tmp_path / "t.sqlite"), lambda: LocalBus(room)) as found:
            yield found
    else:
        address = await request.getfixturevalue("postgres").fresh()
        bus = request.getfixturevalue("redis").address
        prefix = f"t{id(address)}"
        async with two_halls(lambda: PostgresStore(address), lambda: RedisBus(bus, prefix)) as found:
            yield found


def homes(halls, table):
    """Which workers have the table in memory."""
    return [hall.settings.worker for hall in halls if table in hall.server.registry.actors]


async def test_people_at_different_workers_play_at_one_table(both):
    halls, (one, two) = both
    table, tokens = await table_of(one, "equinox", 3)
    assert homes(halls, table) == ["w0"]
    async with (
        one.sit_at(table, tokens[0]) as ana,
        two.sit_at(table, tokens[1]) as ben,
        two.sit_at(table, tokens[2], lang="de") as cleo,
        two.sit_at(table) as watcher,
    ):
        await ben.say("hello from the other side")
        await ana.until(lambda: ana.chat, 5)
        await asyncio.gather(*(play(place, Chance(n)) for n, place in enumerate((ana, ben, cleo))))
        await watcher.until(lambda: watcher.over, 5)
        assert homes(halls, table) == ["w0"]
        for place in (ana, ben, watcher):
            await place.until(lambda place=place: place.story and place.story[-1]["event"] == "won", 5)
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
    with pytest.raises(Refusal, match="not_allowed"):
        await two.get(table, "record", made["token"])
    with pytest.raises(Refusal, match="not_allowed"):
        async with two.sit_at(table, "x" * 32):
            pass
    async with two.sit_at(table, made["token"]) as ana:
        with pytest.raises(Refusal, match="stale"):
            await ana.ask({"type": "act", "choice": 999, "action": 0})
        await ana.next_choice(5)
        hint = await ana.hint()
        assert {option["action"] for option in hint["options"]} == set(ana.choice["options"])
        await ana._ws.send_json({"type": "look"})
        renewed = await two.do(table, "renew", made["token"])
        with pytest.raises(Exception, match="changed"):
            await ana.until(lambda: False, 5)
    async with two.sit_at(table, renewed["token"]) as ana:
        assert ana.view["viewer"] == 0


async def test_when_the_home_of_a_table_closes_another_takes_it_over(both):
    halls, (one, two) = both
    table, tokens = await table_of(one, "equinox", 2)
    async with two.sit_at(table, tokens[0]) as ana, two.sit_at(table, tokens[1]) as ben:
        assert homes(halls, table) == ["w0"]
        players = [asyncio.ensure_future(play(p, Chance(n))) for n, p in enumerate((ana, ben))]
        await asyncio.sleep(0.2)
        await halls[0].close()
        done = await asyncio.gather(*players)
        assert homes(halls[1:], table) == ["w1"]
        assert ana.table["status"] == "over"
        record = await two.get(table, "record")
        assert len(record["actions"]) == sum(map(len, done))


async def test_when_the_home_of_a_table_is_gone_without_a_word_its_lease_runs_out(both):
    halls, (one, two) = both
    table, tokens = await table_of(one, "equinox", 2)
    async with two.sit_at(table, tokens[0]) as ana, two.sit_at(table, tokens[1]) as ben:
        players = [asyncio.ensure_future(play(p, Chance(n))) for n, p in enumerate((ana, ben))]
        await asyncio.sleep(0.1)
        silent = halls[0].server
        silent.registry._tasks[1].cancel()  # gives no more sign of life,
        await silent.peers.bus.close()  # and cannot be reached
        done = await asyncio.wait_for(asyncio.gather(*players), 30)
        assert homes(halls[1:], table) == ["w1"]
        record = await two.get(table, "record")
        assert len(record["actions"]) == sum(map(len, done))
        old = silent.registry.actors.get(table)
        assert old is not None
        if old.table.status == "playing":  # it still thinks that it owns the table
            (seat,) = old.table.asked()
            body = {
                "id": "late",
                "choice": old.table.cursors[seat].choice,
                "action": old.table.choice(seat).options[0],
            }
            with pytest.raises(Refusal, match="moved"):
                await one.do(table, "act", tokens[seat], **body)
            assert len((await two.get(table, "record"))["actions"]) == sum(map(len, done))


async def test_lines_of_a_front_that_is_gone_are_dropped(both, monkeypatch):
    from fabletop.server.cluster import remote as peers

    monkeypatch.setattr(peers, "BEAT", 0.05)
    monkeypatch.setattr(peers, "SILENCE", 0.3)
    halls, (one, two) = both
    table, tokens = await table_of(one, "equinox", 2)
    async with two.sit_at(table, tokens[0]):
        actor = halls[0].actor(table)
        assert actor.here() == [0]
        halls[1].server.peers._beating.cancel()
        for hall in halls:
            hall.server.peers._beating.cancel()
            hall.server.peers._beating = asyncio.ensure_future(hall.server.peers._beat())
        halls[1].server.peers._beating.cancel()
        async with asyncio.timeout(5):
            while actor.here():
                await asyncio.sleep(0.02)


async def test_a_front_that_is_back_at_once_hears_nothing_that_was_meant_for_its_lines_before(
    both, monkeypatch
):
    from fabletop.server.cluster import remote as peers

    monkeypatch.setattr(peers, "BEAT", 0.1)
    halls, (one, two) = both
    table, tokens = await table_of(one, "equinox", 2)
    async with one.sit_at(table, tokens[1]) as ben, two.sit_at(table, tokens[0]):
        actor, killed = halls[0].actor(table), halls[1].server
        assert sorted(actor.here()) == [0, 1]
        killed.peers._beating.cancel()
        await killed.peers.bus.close()  # gone without a word
        again = Server(halls[1].settings, halls[1].store, halls[1].new_bus())
        await again.peers.open()
        heard = []
        room = await again.router.room(
            table, Subscriber(heard.append, lambda bye: None, again.services.views())
        )
        await room.join(None, None)
        for _ in range(6):
            if ben.choice:
                await ben.act(ben.choice["options"][0])
            else:
                (seat,) = actor.table.asked()
                choice = actor.table.cursors[seat].choice
                action = actor.table.game.actions[actor.table.choice(seat).options[0]]
                await one.do(table, "act", tokens[seat], id=f"{choice}", choice=choice, action=action)
        async with asyncio.timeout(5):
            while actor.here() != [1]:
                await asyncio.sleep(0.02)
        assert len(heard) > 3
        for text in heard:
            said = json.loads(text)
            assert not said.get("choice")
            assert (said.get("view") or {}).get("own") is None
        await again.peers.close()
        await again.services.close()


@pytest_asyncio.fixture
async def neighbours(tmp_path):
    """Two workers on one machine."""
    room, doors = {}, tmp_path / "doors"
    doors.mkdir()
    async with two_halls(
        lambda: SqliteStore(tmp_path / "t.sqlite"), lambda: LocalBus(room), doors=doors
    ) as found:
        yield found


async def played_from_next_door(halls, one, two):
    """A game of people who came to the worker that does not have the table; how many came to it over the bus."""
    table, tokens = await table_of(one, "equinox", 3)
    async with contextlib.AsyncExitStack() as stack:
        places = [await stack.enter_async_context(two.sit_at(table, token)) for token in tokens]
        assert homes(halls, table) == ["w0"]
        assert sorted(line.viewer for line in halls[0].actor(table).subscribers) == [0, 1, 2]
        over_the_bus = len(halls[0].server.peers.guests)
        await asyncio.gather(*(play(place, Chance(n)) for n, place in enumerate(places)))
        assert all(place.over for place in places)
    return over_the_bus


async def test_a_connection_is_passed_on_to_the_worker_that_has_the_table(neighbours):
    halls, (one, two) = neighbours
    assert await played_from_next_door(halls, one, two) == 0
    async with asyncio.timeout(5):
        while halls[0].server.sockets or halls[1].server.sockets:
            await asyncio.sleep(0.02)


async def test_where_a_connection_cannot_be_passed_on_the_bus_is_used(neighbours):
    halls, (one, two) = neighbours
    halls[0].server.handover.close()
    halls[0].server.handover = None
    assert await played_from_next_door(halls, one, two) == 3


async def test_a_connection_is_passed_on_only_once(neighbours):
    halls, (one, two) = neighbours
    here, tokens_here = await table_of(one, "equinox", 2)
    there, tokens_there = await table_of(two, "equinox", 2)
    async with one.sit_at(here, tokens_here[0]), two.sit_at(there, tokens_there[0]):
        assert (homes(halls, here), homes(halls, there)) == (["w0"], ["w1"])
        line = Raw(await two.session.ws_connect(f"{two.address}/ws", params={"table": here}))
        await line.say({"type": "hello", "table": there, "token": tokens_there[1]})
        assert (await line.hear("welcome"))["table"]["table"] == there
        assert [front for front, _ in halls[1].server.peers.guests] == ["w0"]
        await line.say({"type": "hello", "table": here, "token": tokens_here[1]})
        assert (await line.hear("welcome"))["table"]["table"] == here
        await line.ws.close()


async def test_a_request_too_large_to_be_passed_on_is_answered_all_the_same(neighbours):
    halls, (one, two) = neighbours
    table, tokens = await table_of(one, "equinox", 2)
    assert homes(halls, table) == ["w0"]
    padding = {f"X-Padding-{n}": "x" * 8000 for n in range(10)}
    line = Raw(await two.session.ws_connect(f"{two.address}/ws", params={"table": table}, headers=padding))
    await line.say({"type": "hello", "table": table, "token": tokens[1]})
    assert (await line.hear("welcome"))["viewer"] == 1
    assert list(halls[0].server.peers.guests), "it came over the bus"
    await line.ws.close()


@pytest.mark.parametrize(
    ("table", "code"), [("nowhere", "unknown"), ("no\0where", "bad_message"), ("n" * 2000, "bad_message")]
)
async def test_a_socket_for_a_table_that_there_is_not_is_told_so(neighbours, table, code):
    _, (one, _) = neighbours
    line = Raw(await one.session.ws_connect(f"{one.address}/ws", params={"table": table}))
    await line.say({"type": "hello", "table": table})
    assert (await line.hear("error"))["code"] == code
    await line.ws.close()


async def test_without_a_bus_a_table_that_is_open_elsewhere_is_said_to_be_so(tmp_path):
    async with two_halls(lambda: SqliteStore(tmp_path / "t.sqlite"), lambda: None) as (_, (one, two)):
        table, _ = await table_of(one, "equinox", 2)
        with pytest.raises(Refusal, match="busy"):
            await two.get(table)


async def test_the_command_starts_several_workers_and_ends_them_in_good_order(tmp_path, redis):
    server = Process("--database", str(tmp_path / "t.sqlite"), "--bus", redis.address, "--workers", "2")
    await server.start()
    try:
        pids = server.workers()
        assert len(pids) == 2
        async with Client(server.address) as client, contextlib.AsyncExitStack() as stack:
            table, tokens = await table_of(client, "equinox", 3)
            places = [await stack.enter_async_context(client.sit_at(table, token)) for token in tokens]
            await asyncio.gather(*(play(place, Chance(n)) for n, place in enumerate(places)))
            assert all(place.over for place in places)
            server.process.send_signal(signal.SIGTERM)
            assert await asyncio.wait_for(server.process.wait(), 20) == 0
        assert [pid for pid in pids if Path(f"/proc/{pid}").exists()] == []
    finally:
        await server.kill()


async def test_several_workers_without_a_bus_are_refused_in_words(tmp_path):
    process = await asyncio.create_subprocess_exec(
        *(
            sys.executable,
            "-m",
            "fabletop",
            "serve",
            "--workers",
            "2",
            "--database",
            str(tmp_path / "t.sqlite"),
        ),
        stderr=asyncio.subprocess.PIPE,
    )
    _, told = await process.communicate()
    assert process.returncode == 1
    assert b"need a bus" in told
