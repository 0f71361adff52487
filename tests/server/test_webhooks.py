"""Notices: who is away is called when it is their turn, once, whatever happens to the server or to the one called."""

import asyncio
import base64
import json
import socket
import time

import pytest
from aiohttp import web

from fabletop.client import RequestRefused
from fabletop.server.metrics import Metrics
from fabletop.server.notify import webhooks as notices
from fabletop.server.notify.addresses import PublicOnly, checked_url, is_public
from fabletop.server.notify.push import push_key
from fabletop.server.protocol.errors import ApiError
from fabletop.server.settings import Settings
from fabletop.server.stores.background import Background
from fabletop.server.stores.base import Worker
from fabletop.server.tables.tokens import hashed
from tests.server.hall import hall, table_of, until


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
        ("64:ff9b::5db8:d822", True),
        ("64:ff9b::a00:1", False),
        ("64:ff9b:1::5db8:d822", False),
        ("::127.0.0.1", False),
        ("::93.184.216.34", False),
        ("::ffff:0:10.0.0.1", False),
        ("2002:7f00:1::", False),
        ("2002:5db8:d822::", False),
        ("2001:0:4136:e378:8000:63bf:80ff:fffe", False),
        ("fec0::1", False),
        ("ff0e::1", False),
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
        "https://①②⑦.0.0.1/",
        "https://127。0。0。1/",
        "https://[::127.0.0.1]/",
        "https://example.com/\0",
        "https://exam\nple.com/",
        "https://example.com/\x7f",
        "\thttps://example.com/",
        "nonsense",
    ],
)
async def test_a_webhook_that_must_not_be_called_is_refused(url):
    with pytest.raises(ApiError) as refused:
        checked_url(url)
    assert refused.value.code == "bad_message"


@pytest.mark.parametrize("bad", ["\0", "\x1b", "\r\n"])
async def test_an_address_with_control_characters_is_refused_on_every_store(new_store, tmp_path, bad):
    async with hall(tmp_path, new_store(), push_key=tmp_path / "push.pem") as (hall_, client):
        table, tokens = await table_of(client, "equinox", 2)
        with pytest.raises(RequestRefused, match="bad_message"):
            await client.do(table, "webhook", tokens[0], url=f"https://example.com/{bad}")
        if hall_.server.services.notifier.key is not None:
            with pytest.raises(RequestRefused, match="bad_message"):
                await client.do(table, "push", tokens[0], endpoint=f"https://example.com/{bad}")
        assert await hall_.store.hooks(table) == []


@pytest.mark.parametrize(
    ("addresses", "good"),
    [
        (["93.184.216.34", "2606:2800:220:1::1"], True),
        (["93.184.216.34", "10.0.0.1"], False),
        (["2606:2800:220:1::1", "64:ff9b::7f00:1"], False),
    ],
)
async def test_of_a_name_every_address_must_be_public(monkeypatch, addresses, good):
    async def getaddrinfo(host, port, **_):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", getaddrinfo)
    resolving = PublicOnly([]).resolve("a.example", 443)
    if good:
        assert [found["host"] for found in await resolving] == addresses
    else:
        with pytest.raises(OSError, match="not a public address"):
            await resolving


TRUSTED = frozenset({"127.0.0.1"})


class Ear:
    """A server that is called; `statuses` are answered one after the other, then `status`."""

    async def __aenter__(self):
        self.heard, self.headers, self.status, self.statuses = [], [], 200, []
        self.slow = asyncio.Event()
        app = web.Application()
        app.router.add_post("/hook", self._take)
        app.router.add_post("/hangs", self._hang)
        self.runner = web.AppRunner(app, access_log=None)
        await self.runner.setup()
        await web.TCPSite(self.runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self.runner.addresses[0][1]}/hook"
        self.hanging = self.url.replace("hook", "hangs")
        return self

    async def __aexit__(self, *_):
        self.slow.set()
        await self.runner.cleanup()

    async def _hang(self, request):
        await self.slow.wait()
        return web.Response()

    async def _take(self, request):
        data = await request.read()
        self.heard.append(json.loads(data) if data else data)
        self.headers.append(request.headers)
        status = self.statuses.pop(0) if self.statuses else self.status
        return web.Response(status=status, headers={"Location": "/elsewhere"})


async def test_who_is_away_is_called_once_when_it_is_their_turn(tmp_path, monkeypatch):
    monkeypatch.setattr(notices, "PAUSES", ())
    async with Ear() as ear, hall(tmp_path, trusted_hooks=TRUSTED, notice_after=0.0) as (hall_, client):
        table, tokens = await table_of(client, "equinox", 2, options={"first": 0})
        with pytest.raises(RequestRefused, match="https"):
            await client.do(table, "webhook", tokens[0], url="http://example.com")
        async with client.connect(table, tokens[0]):
            await client.do(table, "webhook", tokens[0], url=ear.url)
            await asyncio.sleep(0.3)
            assert ear.heard == [], "none while the person is here"
        await until(lambda: ear.heard)
        await asyncio.sleep(0.3)
        assert len(ear.heard) == 1
        assert ear.heard[0]["table"] == table
        assert [
            secret for secret in (*tokens, hall_.actor(table).table.head.seed) if secret in str(ear.heard)
        ] == []
        ear.status = 302
        for number in range(1, 5):
            async with client.connect(table, tokens[0]):
                pass
            await until(lambda number=number: len(ear.heard) == 1 + min(number, 3))
            await until(lambda: not hall_.server.services.notifier._tasks)
        await asyncio.sleep(0.2)  # time for a call that should not be made
        (hook,) = await hall_.store.hooks(table)
        assert (hook.failures, hook.error) == (3, "answered 302"), "three failures switch it off"
        assert len(ear.heard) == 4


async def test_a_browser_is_pushed_with_a_signature_and_without_content(tmp_path):
    file = tmp_path / "push.pem"
    settings = {
        "trusted_hooks": TRUSTED,
        "notice_after": 0.0,
        "push_key": file,
        "public": "https://a.example",
    }
    async with Ear() as ear, hall(tmp_path, **settings) as (hall_, client):
        table, tokens = await table_of(client, "equinox", 2, options={"first": 0})
        public = (await client.call("GET", "/api/about"))["push"]
        if push_key(file) is None:  # without the extra it says so
            with pytest.raises(RequestRefused, match="extra"):
                await client.do(table, "push", tokens[0], endpoint=ear.url)
            return
        assert file.stat().st_mode & 0o777 == 0o600
        assert push_key(file).public == public
        with pytest.raises(RequestRefused, match="https"):
            await client.do(table, "push", tokens[0], endpoint="http://example.com")
        await client.do(table, "push", tokens[0], endpoint=ear.url)
        await client.do(table, "webhook", tokens[0], url=ear.url)
        await until(lambda: len(ear.heard) >= 2)
        (pushed,) = (headers for headers, body in zip(ear.headers, ear.heard, strict=True) if body == b"")
        check_signature(pushed["Authorization"], public, ear.url)
        assert int(pushed["TTL"]) > 0
        ear.status = 410
        async with client.connect(table, tokens[0]):
            pass

        async def unsubscribed():
            return len(await hall_.store.hooks(table)) == 1

        await until(unsubscribed)
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


async def test_a_name_that_stands_for_a_private_address_is_not_called(tmp_path, monkeypatch):
    monkeypatch.setattr(notices, "PAUSES", ())
    async with Ear() as ear, hall(tmp_path) as (hall_, client):
        table, tokens = await table_of(client, "equinox", 2)
        await client.do(table, "webhook", tokens[0], url="https://localhost/hook")
        hall_.server.services.notifier.call(table, "equinox", [hashed(tokens[0])])
        await until(lambda: not hall_.server.services.notifier._attempts)
        (hook,) = await hall_.store.hooks(table)
        assert hook.failures == 1
        assert hook.error
        assert ear.heard == []


# ---- when a call fails ----------------------------------------------------------------------


async def waiting(client, *urls):
    """A table at which Ana is asked and away, and wants to be called."""
    table, tokens = await table_of(client, "equinox", 2, options={"first": 0})
    for url in urls:
        await client.do(table, "webhook", tokens[0], url=url)
    return table, tokens[0]


async def hook_of(hall_, table):
    """The only hook of a table."""
    (hook,) = await hall_.store.hooks(table)
    return hook


@pytest.mark.parametrize(("statuses", "failures"), [([503, 503, 200], 0), ([503, 404, 500], 1)])
async def test_a_call_that_fails_is_tried_again_before_it_counts_as_failed(
    tmp_path, monkeypatch, statuses, failures
):
    monkeypatch.setattr(notices, "PAUSES", (0.05, 0.1))
    async with Ear() as ear, hall(tmp_path, trusted_hooks=TRUSTED, notice_after=0.0) as (hall_, client):
        ear.statuses = list(statuses)
        table, _ = await waiting(client, ear.url)

        async def notified():
            return (await hook_of(hall_, table)).notified

        await until(notified)
        await asyncio.sleep(0.3)
        assert len(ear.heard) == 3
        hook = await hook_of(hall_, table)
        assert (hook.failures, hook.error) == (failures, "answered 500" if failures else "")


async def test_who_comes_back_is_not_called_again(tmp_path, monkeypatch):
    monkeypatch.setattr(notices, "PAUSES", (20.0,))
    async with Ear() as ear, hall(tmp_path, trusted_hooks=TRUSTED, notice_after=0.0) as (hall_, client):
        ear.statuses = [503]
        table, token = await waiting(client, ear.url)
        await until(lambda: ear.heard)
        attempts = hall_.server.services.notifier._attempts
        assert attempts
        async with client.connect(table, token):
            await until(lambda: not attempts)
            hook = await hook_of(hall_, table)
            assert (hook.failures, hook.notified) == (0, False)
            assert len(ear.heard) == 1
        await until(lambda: len(ear.heard) == 2)


async def test_who_wants_no_calls_any_more_gets_none(tmp_path, monkeypatch):
    monkeypatch.setattr(notices, "PAUSES", (0.3,))
    async with Ear() as ear, hall(tmp_path, trusted_hooks=TRUSTED, notice_after=0.0) as (hall_, client):
        ear.status = 503
        table, token = await waiting(client, ear.url)
        await until(lambda: ear.heard)
        await client.do(table, "webhook", token, url="")
        await until(lambda: not hall_.server.services.notifier._attempts)
        await asyncio.sleep(0.2)
        assert len(ear.heard) == 1
        assert await hall_.store.hooks(table) == []


async def test_one_that_hangs_is_given_up_and_holds_nobody_up(tmp_path, monkeypatch):
    monkeypatch.setattr(notices, "PAUSES", ())
    monkeypatch.setattr(notices, "SECONDS", 2.0)
    async with Ear() as ear, hall(tmp_path, trusted_hooks=TRUSTED, notice_after=0.0) as (hall_, client):
        slow, token = await waiting(client, ear.hanging)
        await until(lambda: hall_.server.services.notifier._attempts)
        await waiting(client, ear.url)
        await until(lambda: ear.heard)
        assert (slow, hashed(token)) in hall_.server.services.notifier._attempts, (
            "the other call is still under way"
        )

        async def given_up():
            return (await hook_of(hall_, slow)).failures

        await until(given_up)
        assert (await hook_of(hall_, slow)).error in ("TimeoutError", "ServerTimeoutError")


async def test_a_server_that_stops_waits_for_no_call_and_the_next_one_makes_it(tmp_path, monkeypatch):
    monkeypatch.setattr(notices, "PAUSES", (20.0,))
    async with Ear() as ear, hall(tmp_path, trusted_hooks=TRUSTED, notice_after=0.0) as (hall_, client):
        ear.statuses = [503]
        table, _ = await waiting(client, ear.url)
        await until(lambda: ear.heard)
        began = time.monotonic()
        await hall_.close()
        assert time.monotonic() - began < 20, "less than the pause before it"
        await hall_.open()
        await until(lambda: len(ear.heard) == 2)
        assert (await hook_of(hall_, table)).failures == 0


# ---- after a restart ------------------------------------------------------------------------


@pytest.mark.parametrize("idle", [60.0, -1.0])
async def test_a_notice_that_was_due_while_the_server_was_down_is_sent(new_store, tmp_path, idle):
    # with -1 every table is evicted at the next sweep: nothing may depend on its staying
    settings = {"trusted_hooks": TRUSTED, "notice_after": 0.6, "idle": idle}
    async with Ear() as ear, hall(tmp_path, new_store(), **settings) as (hall_, client):
        table, _ = await waiting(client, ear.url)
        await hall_.close()
        assert ear.heard == []
        await hall_.open()
        began = time.monotonic()
        await until(lambda: ear.heard)
        assert time.monotonic() - began >= 0.5, "people have a moment to come back by themselves"
        await asyncio.sleep(0.4)
        assert [heard["table"] for heard in ear.heard] == [table]


async def test_a_notice_that_was_sent_is_not_sent_again_after_a_restart(new_store, tmp_path):
    settings = {"trusted_hooks": TRUSTED, "notice_after": 0.1}
    async with Ear() as ear, hall(tmp_path, new_store(), **settings) as (hall_, client):
        table, token = await waiting(client, ear.url)

        async def notified():
            return (await hook_of(hall_, table)).notified

        await until(notified)
        await hall_.close()
        await hall_.open()
        assert (await client.get(table))["status"] == "playing"
        await asyncio.sleep(0.5)
        assert len(ear.heard) == 1
        async with client.connect(table, token):
            pass
        await until(lambda: len(ear.heard) == 2)


async def test_the_notices_of_a_worker_that_died_are_sent_by_another(new_store, tmp_path):
    settings = {"trusted_hooks": TRUSTED, "notice_after": 0.6, "lease": 0.6}
    async with Ear() as ear, hall(tmp_path, new_store(), **settings) as (hall_, client):
        table, _ = await waiting(client, ear.url)
        await hall_.store.enlist(Worker("dead", "run", 0, "127.0.0.1:1"))
        await hall_.server.registry.evict(table)
        # it dies a moment before the notice is due, when nobody can know it yet
        assert (await hall_.store.claim(table, "dead")).home == "dead"
        await until(lambda: ear.heard)
        await asyncio.sleep(0.3)
        assert len(ear.heard) == 1


async def test_to_join_a_table_writes_nothing_where_nobody_was_told(tmp_path, monkeypatch):
    async with hall(tmp_path) as (hall_, client):
        table, tokens = await table_of(client, "equinox", 2)
        written = []
        called = hall_.store.called

        async def record(hook):
            written.append(hook)
            await called(hook)

        monkeypatch.setattr(hall_.store, "called", record)

        async def join():
            async with client.connect(table, tokens[0]):
                pass
            await until(lambda: not hall_.server.services.notifier._tasks)
            return len(written)

        assert await join() == 0
        await client.do(table, "webhook", tokens[0], url="https://a.example/")
        await client.do(table, "webhook", tokens[1], url="https://a.example/")
        assert await join() == 0
        for hook in await hall_.store.hooks(table):
            await called(hook._replace(notified=True))
        assert await join() == 1
        told = {hook.key: hook.notified for hook in await hall_.store.hooks(table)}
        assert told == {hashed(tokens[0]): False, hashed(tokens[1]): True}


async def test_many_tables_that_wait_are_opened_a_few_at_a_time(monkeypatch):
    monkeypatch.setattr(notices, "TABLES_AT_ONCE", 2)

    class Waiting:
        """A store in which a table has waited at every full second."""

        async def to_notify(self, after, until):
            return [f"t{n}" for n in range(1, 200) if after < n <= until]

    settings = Settings(notice_after=60.0, lease=6.0, sweep=5.0)
    made = notices.Notifier(settings, Waiting(), Metrics(), Background(lambda: None))
    assert await made.waiting(64.0, began=10.0) == [], "those who were here may come back"
    assert await made.waiting(64.0, began=4.0) == ["t1", "t2"]
    assert await made.waiting(64.0, began=4.0) == ["t3", "t4"]
    assert await made.waiting(65.0, began=4.0) == ["t5"]
    assert await made.waiting(78.5, began=4.0) == ["t6", "t7"]
    rest = [table for _ in range(7) for table in await made.waiting(78.5, began=4.0)]
    assert rest == [*(f"t{n}" for n in range(8, 19)), "t1"], "and once more two leases later"
