"""What a host relies on: clocks, bots that cannot harm, limits, headers, figures, logs, notices, shutting down."""

import asyncio
import base64
import gc
import io
import json
import logging
import signal
import sys
import time
import weakref

import pytest
from aiohttp import web

from fabletop import Chance
from fabletop.client import Client, Refusal
from fabletop.server.app import HEADERS
from fabletop.server.limits import Bucket, Buckets
from fabletop.server.logs import JsonLines, scrubbed
from fabletop.server.notices import checked_url, is_public
from fabletop.server.push import push_key
from fabletop.server.refusals import Refused
from fabletop.server.thinkers import Thinkers
from fabletop.server.tokens import hashed
from tests.server.hall import Process, hall, play, raw, table_of

# ---- clocks ---------------------------------------------------------------------------------


async def test_when_time_is_out_a_bot_moves_and_the_person_goes_on_after(tmp_path):
    async with hall(tmp_path) as (hall_, client):
        table, tokens = await table_of(
            client, "equinox", 2, pace={"kind": "move", "seconds": 1}, options={"first": 0}
        )
        async with client.sit_at(table, tokens[0]) as ana, client.sit_at(table, tokens[1]) as ben:
            first = ana.choice
            assert 0 < first["left"] <= 1
            await ana.until(lambda: ana.choice != first, 10)
            assert not ana.table["seats"][0].get("left"), "the seat is still Ana's"
            log = (await hall_.store.load(table)).entries
            assert (log[-1].by, log[-1].seat) == ("clock", 0)
            mover = ana if ana.choice else ben
            await mover.act(mover.choice["options"][0])


async def test_a_clock_for_the_whole_game_runs_down_only_while_one_is_asked(tmp_path):
    async with hall(tmp_path) as (hall_, client):
        pace = {"kind": "game", "seconds": 100, "extra": 2}
        table, tokens = await table_of(client, "equinox", 2, pace=pace, options={"first": 0})
        clock = [1000.0 + time.time()]
        hall_.server.house.now = lambda: clock[0]
        live = hall_.live(table)
        live.table.asked_since[0] = clock[0]
        async with client.sit_at(table, tokens[0]) as ana:
            clock[0] += 30
            await ana.act(ana.choice["options"][0])
            assert live.table.bank == [100 - 30 + 2, 100]
        (seat,) = live.table.asked()
        async with client.sit_at(table, tokens[seat]) as next_one:
            clock[0] += 5
            await next_one.act(next_one.choice["options"][0])
            assert live.table.bank == ([72 - 5 + 2, 100] if seat == 0 else [72, 100 - 5 + 2])


async def test_a_clock_runs_out_also_at_a_table_that_nobody_looks_at(tmp_path):
    async with hall(tmp_path, idle=-1.0) as (hall_, client):
        table, _ = await table_of(client, "equinox", 2, pace={"kind": "move", "seconds": 1})
        before = len((await hall_.store.load(table)).entries)
        await asyncio.sleep(0.3)
        assert table not in hall_.server.desk.lives, "it has been put away"
        async with asyncio.timeout(15):
            while len((await hall_.store.load(table)).entries) == before:
                await asyncio.sleep(0.05)


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
        thinkers = hall_.server.house.thinkers = Thinkers(1, 0.05, program)
        made = await client.make("equinox", ["hot", "gretel"])
        async with client.sit_at(made["table"], made["token"]) as place:
            await play(place, Chance(1), until=lambda: len(place.story) > 60)
            assert any(event.get("seat") == 1 for event in place.story[-30:])
        assert thinkers.dropped > 0 or program is LYING


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
        async with client.sit_at(table, tokens[0]) as ana, client.sit_at(table, tokens[1]) as ben:
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
        assert hall_.server.house.thinkers._free.qsize() == 0, "the bots are thinking"


async def test_bots_alone_play_only_while_somebody_looks_on(tmp_path):
    async with hall(tmp_path) as (hall_, client):
        made = await client.make("equinox", ["thumbling", "thumbling"])
        await asyncio.sleep(0.2)
        assert len((await hall_.store.load(made["table"])).entries) == 3
        async with client.sit_at(made["table"]) as watcher:
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
        with pytest.raises(Refusal, match="too_many"):
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


# ---- headers, health, figures, logs ---------------------------------------------------------


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


async def test_health_readiness_and_figures(tmp_path):
    async with hall(tmp_path) as (hall_, client):
        made = await client.make("equinox", ["open", "thumbling"], name="Ana", options={"first": 0})
        async with client.sit_at(made["table"], made["token"]) as place:
            await place.act(place.choice["options"][0])
            texts = {}
            for path in ("/healthz", "/readyz", "/metrics"):
                async with client.session.get(client.address + path) as answer:
                    texts[path] = await answer.text()
                    assert answer.status == 200
        figures = texts["/metrics"]
        assert 'fabletop_actions_total{by="person"} 1.0' in figures
        assert "fabletop_sockets 1.0" in figures
        assert 'fabletop_tables_made_total{game="equinox"} 1.0' in figures
        assert made["table"] not in figures
        await hall_.server.house.store.close()
        async with client.session.get(client.address + "/readyz") as answer:
            assert answer.status == 503
        await hall_.server.house.store.open()


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
            assert await asyncio.wait_for(server.process.wait(), 10) == 0
            await server.start()
            assert (await client.get(table))["status"] == "playing"
    finally:
        await server.kill()


async def test_a_server_that_stops_puts_many_tables_away_in_few_commits(tmp_path):
    async with hall(tmp_path) as (hall_, client):
        tables = [(await table_of(client, "equinox", 2))[0] for _ in range(30)]
        assert set(tables) <= set(hall_.server.desk.lives)
        said = []
        hall_.store._writer.set_trace_callback(said.append)
        await hall_.server.desk.close()
        assert not hall_.server.desk.lives
        assert said.count("COMMIT") < len(tables), "each for itself would need two"
        for table in tables:
            assert (await hall_.store.claim(table, "another", time.time())).home == "another"


async def test_a_table_that_is_opened_again_and_again_gets_its_snapshots(tmp_path):
    async with hall(tmp_path, snapshot_every=30) as (hall_, client):
        table, tokens = await table_of(client, "equinox", 2)
        kept = []
        for _ in range(8):
            async with client.sit_at(table, tokens[0]) as one, client.sit_at(table, tokens[1]) as two:
                for _ in range(12):
                    while not (asked := [place for place in (one, two) if place.choice]):
                        await asyncio.sleep(0.002)
                    await asked[0].act(asked[0].choice["options"][0])
            await hall_.server.desk.put_away(table)
            loaded = await hall_.store.load(table)
            kept.append(json.loads(loaded.snapshot)["length"] if loaded.snapshot else 0)
            assert len(loaded.entries) - kept[-1] < 30, "so many would be replayed"
        assert len(set(kept)) >= 3


async def test_a_table_that_is_put_away_is_gone_from_memory_at_once(tmp_path):
    async with hall(tmp_path) as (hall_, client):
        made = await client.make(
            "equinox", ["hot", "gretel"], name="Ana", pace={"kind": "move", "seconds": 100}
        )
        gc.disable()  # nothing may be left to it
        try:
            async with client.sit_at(made["table"], made["token"]) as place:
                await play(place, Chance(1), until=lambda: len(place.story) > 30)
                await place.say("good night")
            async with asyncio.timeout(10):
                while (live := hall_.live(made["table"])).lines or not live.settled:
                    await asyncio.sleep(0.01)
            left = [weakref.ref(live), weakref.ref(live.table)]
            del live
            await hall_.server.desk.put_away(made["table"])
            async with asyncio.timeout(10):
                while any(one() is not None for one in left):
                    await asyncio.sleep(0.01)
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


# ---- notices --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("169.254.169.254", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("::ffff:127.0.0.1", False),
        ("fd00::1", False),
    ],
)
async def test_only_public_addresses_are_called(address, public):
    assert is_public(address) is public


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/x",
        "ftp://example.com",
        "https://",
        "https://me:word@example.com/",
        "https://example.com:8443/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://10.0.0.8/hook",
        "https://example.com:99999/",
        "nonsense",
    ],
)
async def test_a_webhook_that_must_not_be_called_is_refused(url):
    with pytest.raises(Refused):
        checked_url(url)


class Ear:
    """A server that is called."""

    async def __aenter__(self):
        self.heard, self.headers, self.status = [], [], 200
        app = web.Application()
        app.router.add_post("/hook", self._take)
        self.runner = web.AppRunner(app, access_log=None)
        await self.runner.setup()
        await web.TCPSite(self.runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self.runner.addresses[0][1]}/hook"
        return self

    async def __aexit__(self, *_):
        await self.runner.cleanup()

    async def _take(self, request):
        data = await request.read()
        self.heard.append(json.loads(data) if data else data)
        self.headers.append(request.headers)
        return web.Response(status=self.status, headers={"Location": "/elsewhere"})


async def test_who_is_away_is_called_once_when_it_is_their_turn(tmp_path):
    trusted = frozenset({"127.0.0.1"})
    async with Ear() as ear, hall(tmp_path, trusted_hooks=trusted, notice_after=0.0) as (hall_, client):
        table, tokens = await table_of(client, "equinox", 2, options={"first": 0})
        with pytest.raises(Refusal, match="https"):
            await client.do(table, "webhook", tokens[0], url="http://example.com")
        async with client.sit_at(table, tokens[0]):
            await client.do(table, "webhook", tokens[0], url=ear.url)
            await asyncio.sleep(0.3)
            assert ear.heard == [], "none while the person is here"
        async with asyncio.timeout(5):
            while not ear.heard:
                await asyncio.sleep(0.02)
        await asyncio.sleep(0.3)
        assert len(ear.heard) == 1
        assert ear.heard[0]["table"] == table
        assert [
            secret for secret in (*tokens, hall_.live(table).table.head.seed) if secret in str(ear.heard)
        ] == []
        ear.status = 302
        for _ in range(4):
            async with client.sit_at(table, tokens[0]):
                pass
            await asyncio.sleep(0.2)
        (hook,) = await hall_.store.hooks(table)
        assert (hook.failures, hook.error) == (3, "answered 302"), "three failures switch it off"
        assert len(ear.heard) == 4


async def test_a_browser_is_pushed_with_a_signature_and_without_content(tmp_path):
    trusted, file = frozenset({"127.0.0.1"}), tmp_path / "push.pem"
    settings = {
        "trusted_hooks": trusted,
        "notice_after": 0.0,
        "push_key": file,
        "public": "https://a.example",
    }
    async with Ear() as ear, hall(tmp_path, **settings) as (hall_, client):
        table, tokens = await table_of(client, "equinox", 2, options={"first": 0})
        public = (await client.call("GET", "/api/about"))["push"]
        if push_key(file) is None:  # without the extra it says so
            with pytest.raises(Refusal, match="extra"):
                await client.do(table, "push", tokens[0], endpoint=ear.url)
            return
        assert file.stat().st_mode & 0o777 == 0o600
        assert push_key(file).public == public
        with pytest.raises(Refusal, match="https"):
            await client.do(table, "push", tokens[0], endpoint="http://example.com")
        await client.do(table, "push", tokens[0], endpoint=ear.url)
        await client.do(table, "webhook", tokens[0], url=ear.url)
        async with asyncio.timeout(5):
            while len(ear.heard) < 2:
                await asyncio.sleep(0.02)
        (pushed,) = (headers for headers, body in zip(ear.headers, ear.heard, strict=True) if body == b"")
        check_signature(pushed["Authorization"], public, ear.url)
        assert int(pushed["TTL"]) > 0
        ear.status = 410
        async with client.sit_at(table, tokens[0]):
            pass
        async with asyncio.timeout(5):
            while len(await hall_.store.hooks(table)) > 1:
                await asyncio.sleep(0.02)
        (left,) = await hall_.store.hooks(table)
        assert left.key == hashed(tokens[0]), "the browser has unsubscribed, the webhook stays"
        new = (await client.do(table, "renew", tokens[0]))["token"]
        assert [hook.key for hook in await hall_.store.hooks(table)] == [hashed(new)]


def check_signature(header, public, endpoint):
    """Is the token signed with the key that the browser knows, and meant for this push service?"""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

    def plain(text):
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))

    token, key = header.removeprefix("vapid t=").split(", k=")
    assert key == public
    head, claims, signature = token.split(".")
    numbers = [int.from_bytes(plain(signature)[at : at + 32], "big") for at in (0, 32)]
    known = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), plain(public))
    known.verify(encode_dss_signature(*numbers), f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    told = json.loads(plain(claims))
    assert endpoint.startswith(told["aud"])
    assert told["sub"] == "https://a.example"
    assert time.time() < told["exp"] < time.time() + 24 * 3600


async def test_a_name_that_stands_for_a_private_address_is_not_called(tmp_path):
    async with Ear() as ear, hall(tmp_path) as (hall_, client):
        table, tokens = await table_of(client, "equinox", 2)
        await client.do(table, "webhook", tokens[0], url="https://localhost/hook")
        await hall_.server.house.notices.call(table, "equinox", [hall_.live(table).table.seats[0].key])
        (hook,) = await hall_.store.hooks(table)
        assert hook.failures == 1
        assert hook.error
        assert ear.heard == []
