"""What a host relies on: clocks, bots that cannot harm, limits, headers, metrics, logs, shutting down."""

import asyncio
import gc
import io
import json
import logging
import signal
import sqlite3
import sys
import time
import weakref

import pytest
from aiohttp.test_utils import make_mocked_request

from fabletop import Chance
from fabletop.client import Client, RequestRefused
from fabletop.server.api.transport import HEADERS
from fabletop.server.bots.pool import BotPool
from fabletop.server.limits import Bucket, Buckets, address, household
from fabletop.server.logs import JsonLines, scrubbed
from tests.server.hall import PATIENCE, Process, hall, play, raw, table_of, until

# ---- clocks ---------------------------------------------------------------------------------


async def test_when_time_is_out_a_bot_moves_and_the_person_goes_on_after(tmp_path):
    async with hall(tmp_path) as (hall_, client):
        table, tokens = await table_of(
            client, "equinox", 2, pace={"kind": "move", "seconds": 1}, options={"first": 0}
        )
        async with client.connect(table, tokens[0]) as ana, client.connect(table, tokens[1]) as ben:
            first = ana.choice
            assert 0 < first["left"] <= 1
            await ana.until(lambda: ana.choice != first, PATIENCE)
            assert not ana.table["seats"][0].get("left"), "the seat is still Ana's"
            log = (await hall_.store.load(table)).entries
            assert (log[-1].by, log[-1].seat) == ("clock", 0)
            mover = ana if ana.choice else ben
            await mover.act(mover.choice["options"][0])


async def test_a_clock_for_the_whole_game_runs_down_only_while_one_is_asked(tmp_path):
    # the clock of this test jumps, so nothing is swept: a table without subscribers would be evicted as idle
    async with hall(tmp_path, idle=1e9) as (hall_, client):
        pace = {"kind": "game", "seconds": 100, "extra": 2}
        table, tokens = await table_of(client, "equinox", 2, pace=pace, options={"first": 0})
        clock = [1000.0 + time.time()]
        hall_.server.services.now = lambda: clock[0]
        actor = hall_.actor(table)
        actor.table.asked_since[0] = clock[0]
        await asyncio.sleep(3 * hall_.settings.sweep)
        async with client.connect(table, tokens[0]) as ana:
            clock[0] += 30
            await ana.act(ana.choice["options"][0])
            assert actor.table.bank == [100 - 30 + 2, 100]
        (seat,) = actor.table.asked()
        async with client.connect(table, tokens[seat]) as next_one:
            clock[0] += 5
            await next_one.act(next_one.choice["options"][0])
            assert actor.table.bank == ([72 - 5 + 2, 100] if seat == 0 else [72, 100 - 5 + 2])


async def test_a_clock_runs_out_also_at_a_table_that_nobody_looks_at(tmp_path):
    async with hall(tmp_path, idle=-1.0) as (hall_, client):
        table, _ = await table_of(client, "equinox", 2, pace={"kind": "move", "seconds": 1})
        before = len((await hall_.store.load(table)).entries)
        await asyncio.sleep(0.3)
        assert table not in hall_.server.registry.actors, "it has been evicted"
        async with asyncio.timeout(PATIENCE):
            while len((await hall_.store.load(table)).entries) == before:
                await asyncio.sleep(0.05)


async def test_tables_that_cannot_be_opened_do_not_keep_the_sweeper_from_the_others(tmp_path, monkeypatch):
    monkeypatch.setattr("fabletop.server.tables.sweeper.DUE_AT_ONCE", 3)
    async with hall(tmp_path) as (hall_, client):
        pace = {"kind": "move", "seconds": 1}
        old = [(await table_of(client, "equinox", 2, pace=pace))[0] for _ in range(7)]
        good, _ = await table_of(client, "equinox", 2, pace={"kind": "move", "seconds": 2})
        before = len((await hall_.store.load(good)).entries)
        await hall_.close()
        stored = sqlite3.connect(tmp_path / "tables.sqlite")
        for table in old:
            head = json.loads(stored.execute("SELECT head FROM tables WHERE id = ?", [table]).fetchone()[0])
            stored.execute(
                "UPDATE tables SET head = ? WHERE id = ?", [json.dumps({**head, "rules": 0}), table]
            )
        stored.commit()
        stored.close()
        await hall_.open()
        async with asyncio.timeout(PATIENCE):
            while len((await hall_.store.load(good)).entries) == before:
                await asyncio.sleep(0.05)
        assert not set(old) & set(hall_.server.registry.actors)


async def test_after_a_restart_everybody_has_a_moment_to_come_back(tmp_path):
    async with hall(tmp_path, credit=30.0) as (hall_, client):
        table, _ = await table_of(client, "equinox", 2, pace={"kind": "move", "seconds": 1})
        await hall_.close()
        await asyncio.sleep(1.1)
        await hall_.open()
        before = len((await hall_.store.load(table)).entries)
        await asyncio.sleep(0.5)
        assert len((await hall_.store.load(table)).entries) == before


# ---- bots -----------------------------------------------------------------------------------

STUCK = ("-c", "import time; time.sleep(1000)")
BROKEN = ("-c", "raise SystemExit('no')")
LYING = ("-c", "import sys\nfor line in sys.stdin: print('{\"action\": 99999}', flush=True)")


@pytest.mark.parametrize("program", [STUCK, BROKEN, LYING], ids=["stuck", "broken", "lying"])
async def test_a_bot_that_does_not_answer_is_dropped_for_a_simple_move(tmp_path, program):
    async with hall(tmp_path) as (hall_, client):
        thinkers = hall_.server.services.bots = BotPool(1, 0.05, program)
        made = await client.make("equinox", ["hot", "puss"])
        async with client.connect(made["table"], made["token"]) as place:
            await play(place, Chance(1), until=lambda: len(place.story) > 60)
            assert any(event.get("seat") == 1 for event in place.story[-30:])
        assert thinkers.dropped > 0


async def test_thinking_bots_do_not_slow_other_tables(tmp_path):
    async with hall(tmp_path, thinkers=1) as (hall_, client):
        begins = {"first": 0}
        slow = [
            await client.make("equinox", ["queen", "queen", "hot"], name="Ana", options=begins)
            for _ in range(4)
        ]
        lines = [await raw(client, made["table"], made["token"]) for made in slow]
        assert all(line.welcome["table"]["status"] == "playing" for line in lines)
        table, tokens = await table_of(client, "equinox", 2)
        worst = 0.0
        async with client.connect(table, tokens[0]) as ana, client.connect(table, tokens[1]) as ben:
            for _ in range(40):
                mover = ana if ana.choice else ben
                if mover.choice is None:
                    await asyncio.sleep(0.01)
                    continue
                began = time.monotonic()
                await mover.act(mover.choice["options"][0])
                worst = max(worst, time.monotonic() - began)
                await asyncio.sleep(0)
        assert worst < 0.5
        assert hall_.server.services.bots.scheduler.running, "the bots are thinking"


async def test_bots_alone_play_only_while_somebody_looks_on(tmp_path):
    async with hall(tmp_path) as (hall_, client):
        made = await client.make("equinox", ["thumbling", "thumbling"])
        await asyncio.sleep(0.2)
        assert len((await hall_.store.load(made["table"])).entries) == 3
        async with client.connect(made["table"]) as watcher:
            await watcher.until(lambda: watcher.over, 30)


# ---- limits ---------------------------------------------------------------------------------


async def test_a_bucket_fills_steadily():
    bucket = Bucket(2, 3, 0.0)
    assert [bucket.take(0.0) for _ in range(4)] == [True, True, True, False]
    assert not bucket.take(0.4)
    assert bucket.take(0.6)
    assert not bucket.take(0.6)
    clock = [0.0]
    many = Buckets(1, 1, lambda: clock[0])
    assert [many.take("a"), many.take("a"), many.take("b")] == [True, False, True]


async def test_rates_are_limited_per_address_and_per_socket(tmp_path):
    async with hall(tmp_path, tables_per_hour=3) as (_, client):
        for _ in range(3):
            await client.make("equinox", ["open", "open"])
        with pytest.raises(RequestRefused, match="too_many"):
            await client.make("equinox", ["open", "open"])
    async with hall(tmp_path, requests_per_second=2) as (_, client):
        codes = []
        for _ in range(10):
            async with client.session.get(f"{client.address}/api/about") as answer:
                codes.append(answer.status)
        assert codes[:6] == [200] * 6
        assert codes[-1] == 429
    async with hall(tmp_path, messages_per_second=2, chat_per_minute=6, sockets_per_address=3) as (_, client):
        table, tokens = await table_of(client, "equinox", 2)
        line = await raw(client, table, tokens[0])
        for _ in range(4):
            await line.say({"type": "chat", "text": "again"})
        codes = [(await line.hear())["type"] for _ in range(6)]
        assert codes.count("error") == 2, "two lines of chat are enough for the moment"
        for _ in range(10):
            await line.say({"type": "ping"})
        assert (await line.hear("bye"))["reason"] == "too many messages"
        assert (await line.hear("closed"))["code"] == 1008
        await asyncio.sleep(0.05)
        lines = [await raw(client) for _ in range(3)]
        with pytest.raises(Exception, match="429"):
            await raw(client)
        assert lines


async def test_behind_a_proxy_the_limits_are_for_the_true_address(tmp_path):
    async with hall(tmp_path, requests_per_second=1, behind_proxy=True) as (_, client):
        for n in range(8):
            headers = {"X-Forwarded-For": f"192.0.2.77, 198.51.100.{n}"}
            async with client.session.get(f"{client.address}/api/about", headers=headers) as answer:
                assert answer.status == 200


def asked_from(host, *forwarded):
    """A request from an address, through proxies."""

    class Peer:
        def get_extra_info(self, name, default=None):
            return (host, 1234) if name == "peername" else default

    headers = [("X-Forwarded-For", text) for text in forwarded]
    return make_mocked_request("GET", "/api/about", headers, transport=Peer())


def test_what_a_client_says_of_its_address_itself_does_not_count():
    assert address(asked_from("192.0.2.1", "1.2.3.4"), behind_proxy=False) == "192.0.2.1"
    assert address(asked_from("127.0.0.1", "1.2.3.4", "192.0.2.1"), behind_proxy=True) == "192.0.2.1"
    assert address(asked_from("127.0.0.1", "1.2.3.4, 192.0.2.1"), behind_proxy=True) == "192.0.2.1"


def test_all_addresses_of_a_household_share_its_limits():
    def who(host):
        return household(asked_from(host), behind_proxy=False)

    assert who("2001:db8:1:2:3:4:5:6") == who("2001:db8:1:2:ffff::1") != who("2001:db8:1:3:3:4:5:6")
    assert who("192.0.2.1") == who("::ffff:192.0.2.1") != who("192.0.2.2")
    assert who("nowhere") == "nowhere"


async def test_a_body_that_does_not_come_is_not_waited_for(open_hall, monkeypatch):
    hall_, _ = open_hall
    monkeypatch.setattr("fabletop.server.api.handlers.SECONDS_TO_READ", 0.2)
    cursor, writer = await asyncio.open_connection("127.0.0.1", hall_.port)
    writer.write(b"POST /api/records HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{")
    head = await asyncio.wait_for(cursor.readuntil(b"\r\n"), PATIENCE)
    assert b" 400 " in head
    writer.close()


async def test_a_body_must_say_how_long_it_is(open_hall):
    _, client = open_hall

    async def parts():
        yield b'{"game":'
        yield b'"equinox"}'

    async with client.session.post(f"{client.address}/api/tables", data=parts()) as answer:
        assert answer.status == 400
        assert "Content-Length" in (await answer.json())["message"]


async def test_a_token_in_strange_letters_opens_nothing(open_hall):
    hall_, client = open_hall
    table, _ = await table_of(client, "equinox", 2)
    cursor, writer = await asyncio.open_connection("127.0.0.1", hall_.port)
    request = b"GET /api/tables/%b/view HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \xff\xfe\r\n\r\n"
    writer.write(request % table.encode())
    assert b" 403 " in await asyncio.wait_for(cursor.readuntil(b"\r\n"), PATIENCE)
    writer.close()


async def test_bodies_are_bounded(open_hall):
    _, client = open_hall
    async with client.session.post(
        f"{client.address}/api/records", data=io.BytesIO(b"x" * (2 << 20))
    ) as answer:
        assert (answer.status, (await answer.json())["code"]) == (413, "too_large")


async def test_bodies_that_are_too_deep_or_too_long_are_refused(open_hall):
    _, client = open_hall
    deep = b'{"game": "equinox", "options": {"x": ' + b"[" * 8000 + b"]" * 8000 + b"}}"
    long = b'{"game": "equinox", "options": {"x": "' + b"y" * 20_000 + b'"}}'
    for data, status in ((deep, 400), (long, 413)):
        async with client.session.post(f"{client.address}/api/tables", data=data) as answer:
            assert answer.status == status


# ---- headers, health, metrics, logs ---------------------------------------------------------


async def test_every_answer_carries_a_strict_policy(open_hall):
    _, client = open_hall
    for path in (
        "/",
        "/t/abc",
        "/api/about",
        "/api/nothing",
        "/api/tables/nowhere",
        "/healthz",
        "/static/../../x",
    ):
        async with client.session.get(client.address + path) as answer:
            for name, value in HEADERS.items():
                assert answer.headers[name] == value, path
            assert "Set-Cookie" not in answer.headers
            assert "aiohttp" not in answer.headers["Server"]
    policy = HEADERS["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


async def test_a_page_names_the_files_that_it_needs_at_once(tmp_path):
    static = tmp_path / "static"
    static.mkdir()
    (static / "index.html").write_text("<title>client</title>")
    preloads = {
        "": ["first.js"],
        "de": ["de.js"],
        "equinox": ["equinox.js", "equinox.css"],
        "equinox/de": ["e.js"],
    }
    (static / "preloads.json").write_text(json.dumps(preloads))
    async with hall(tmp_path, static=static) as (_, client):

        async def links(path):
            async with client.session.get(client.address + path, headers={"Accept-Language": "de"}) as answer:
                return answer.headers["Link"].split(", ")

        common = ["</first.js>; rel=modulepreload", "</de.js>; rel=modulepreload"]
        assert await links("/") == common
        made = await client.make("equinox", ["open", "open"], name="Ana")
        table = f"</api/tables/{made['table']}>; rel=preload; as=fetch; crossorigin"
        assert await links(f"/t/{made['table']}") == [*common, table], (
            "of what is not in memory nothing is read"
        )
        async with client.session.get(f"{client.address}/api/tables/{made['table']}"):
            pass
        assert await links(f"/t/{made['table']}") == [
            *common,
            "</equinox.js>; rel=modulepreload",
            "</equinox.css>; rel=preload; as=style; crossorigin",
            "</e.js>; rel=modulepreload",
            table,
        ]
        assert await links("/t/%3E%3B") == common
        async with client.session.get(f"{client.address}/preloads.json") as answer:
            assert answer.status == 404


async def test_paths_lead_nowhere_they_should_not(tmp_path):
    static = tmp_path / "static"
    static.mkdir()
    (static / "index.html").write_text("<title>client</title>")
    (static / "app.js").write_text("1")
    (tmp_path / "secret.txt").write_text("secret")
    (static / "link.txt").symlink_to(tmp_path / "secret.txt")
    async with hall(tmp_path, static=static) as (_, client):
        import yarl

        async def get(path):
            async with client.session.get(yarl.URL(client.address + path, encoded=True)) as answer:
                return answer.status, await answer.text()

        assert (await get("/"))[1] == "<title>client</title>"
        assert (await get("/t/abc"))[1] == "<title>client</title>"
        assert (await get("/app.js"))[0] == 200
        for path in (
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            "/..%2fsecret.txt",
            "/link.txt",
            "//etc/passwd",
            "/tables.sqlite",
        ):
            status, text = await get(path)
            assert status >= 400, path
            assert "secret" not in text


async def test_health_readiness_and_metrics(tmp_path):
    async with hall(tmp_path) as (hall_, client):
        made = await client.make("equinox", ["open", "thumbling"], name="Ana", options={"first": 0})
        async with client.connect(made["table"], made["token"]) as place:
            await place.act(place.choice["options"][0])
            texts = {}
            for path in ("/healthz", "/readyz", "/metrics"):
                async with client.session.get(client.address + path) as answer:
                    texts[path] = await answer.text()
                    assert answer.status == 200
        metrics = texts["/metrics"]
        assert 'fabletop_actions_total{by="person",worker="worker-0"} 1.0' in metrics
        assert 'fabletop_sockets{worker="worker-0"} 1.0' in metrics
        assert 'fabletop_tables_made_total{game="equinox",worker="worker-0"} 1.0' in metrics
        assert made["table"] not in metrics
        await hall_.server.services.store.close()
        async with client.session.get(client.address + "/readyz") as answer:
            assert answer.status == 503
        await hall_.server.services.store.open()


async def test_logs_are_json_and_secrets_are_struck_out():
    record = logging.makeLogRecord(
        {
            "msg": "token %s at postgresql://me:word@host/db",
            "args": ("a" * 32,),
            "levelname": "INFO",
            "name": "x",
            "run": "r1",
        }
    )
    told = json.loads(JsonLines().format(record))
    assert told["message"] == "token … at postgresql://…host/db"
    assert told["run"] == "r1"
    assert told["at"].endswith("Z")
    assert scrubbed("table abcdefghijkl is fine") == "table abcdefghijkl is fine"


async def test_a_server_that_is_told_to_stop_says_good_bye_and_loses_nothing(tmp_path):
    server = Process("--database", str(tmp_path / "t.sqlite"))
    await server.start()
    try:
        async with Client(server.address) as client:
            table, tokens = await table_of(client, "equinox", 2)
            line = await raw(client, table, tokens[0])
            server.process.send_signal(signal.SIGTERM)
            bye = await line.hear("bye")
            assert bye["again"] is True
            assert (await line.hear("closed"))["code"] == 1012
            assert await asyncio.wait_for(server.process.wait(), PATIENCE) == 0
            await server.start()
            assert (await client.get(table))["status"] == "playing"
    finally:
        await server.kill()


async def test_a_server_that_stops_evicts_many_tables_in_few_commits(tmp_path):
    async with hall(tmp_path) as (hall_, client):
        tables = [(await table_of(client, "equinox", 2))[0] for _ in range(30)]
        assert set(tables) <= set(hall_.server.registry.actors)
        said = []
        hall_.store._writer.set_trace_callback(said.append)
        await hall_.server.registry.close()
        assert not hall_.server.registry.actors
        assert said.count("COMMIT") < len(tables), "each for itself would need two"
        for table in tables:
            assert (await hall_.store.claim(table, "another")).home == "another"


async def test_a_table_that_is_opened_again_and_again_gets_its_snapshots(tmp_path):
    async with hall(tmp_path, snapshot_every=30) as (hall_, client):
        table, tokens = await table_of(client, "equinox", 2)
        kept = []
        for _ in range(8):
            async with client.connect(table, tokens[0]) as one, client.connect(table, tokens[1]) as two:
                for _ in range(12):
                    while not (asked := [place for place in (one, two) if place.choice]):
                        await asyncio.sleep(0.002)
                    await asked[0].act(asked[0].choice["options"][0])
            await hall_.server.registry.evict(table)
            loaded = await hall_.store.load(table)
            kept.append(json.loads(loaded.snapshot)["length"] if loaded.snapshot else 0)
            assert len(loaded.entries) - kept[-1] < 30, "these would be replayed"
        assert len(set(kept)) >= 3


async def test_an_evicted_table_is_freed_at_once(tmp_path):
    async with hall(tmp_path) as (hall_, client):
        made = await client.make(
            "equinox", ["hot", "gretel"], name="Ana", pace={"kind": "move", "seconds": 100}
        )
        gc.disable()  # nothing may be left to it
        try:
            async with client.connect(made["table"], made["token"]) as place:
                await play(place, Chance(1), until=lambda: len(place.story) > 30)
                await place.say("good night")
            actor = hall_.actor(made["table"])
            await until(lambda actor=actor: actor.settled and not actor.subscribers)
            left = [weakref.ref(actor), weakref.ref(actor.table)]
            del actor
            await hall_.server.registry.evict(made["table"])
            await until(lambda: all(one() is None for one in left))
        finally:
            gc.enable()


async def test_a_port_that_is_taken_is_said_clearly(open_hall):
    hall_, _ = open_hall
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "fabletop", "serve", "--port", str(hall_.port)),
        stderr=asyncio.subprocess.PIPE,
    )
    _, told = await process.communicate()
    assert process.returncode == 1
    assert b"choose another --port" in told
