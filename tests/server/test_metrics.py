"""Metrics: whichever worker is asked answers for all of them, as Prometheus reads it, and not to everybody."""

import asyncio
import contextlib
import ipaddress
from collections import Counter
from dataclasses import replace

import aiohttp
import pytest
import pytest_asyncio
from aiohttp.test_utils import make_mocked_request
from prometheus_client.parser import text_string_to_metric_families

from fabletop import Chance
from fabletop.client import Client
from fabletop.server import app
from fabletop.server import run as serving
from fabletop.server.app import PRIVATE_NETWORKS, is_private
from fabletop.server.metrics import BUCKETS
from fabletop.server.settings import Settings
from fabletop.server.stores.base import Worker
from fabletop.server.stores.sqlite import SqliteStore
from tests.server.hall import FREE, Hall, Process, hall, play, table_of, until


async def metrics_of(address):
    """What a worker says, asked over a connection of its own."""
    async with aiohttp.ClientSession() as session, session.get(f"{address}/metrics") as answer:
        assert answer.status == 200
        assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
        return await answer.text()


def read(text):
    """All samples, by name and labels; every family is there once, and says what it is."""
    for word in ("HELP", "TYPE"):
        names = [line.split()[2] for line in text.splitlines() if line.startswith(f"# {word} ")]
        assert len(names) == len(set(names))
    found = {}
    for family in text_string_to_metric_families(text):
        assert family.documentation
        assert family.type in ("counter", "gauge", "histogram")
        for sample in family.samples:
            key = (sample.name, tuple(sorted(sample.labels.items())))
            assert key not in found
            found[key] = sample.value
            assert "worker" in sample.labels or sample.name == "fabletop_workers_answered"
    return found


def per_worker(found, name):
    """The sums of a figure, by worker."""
    sums = Counter()
    for (sample, labels), value in found.items():
        if sample == name:
            sums[dict(labels)["worker"]] += value
    return sums


@pytest_asyncio.fixture
async def neighbours(tmp_path):
    """Two workers on one machine."""
    async with contextlib.AsyncExitStack() as stack:
        halls = []
        for n in range(2):
            halls.append(Hall(replace(FREE, worker=f"w{n}", lease=1.0), SqliteStore(tmp_path / "t.sqlite")))
            await halls[-1].open()
            stack.push_async_callback(halls[-1].close)
        await halls[0].server.services.lease.beat()  # so that it knows of the other at once
        yield halls


async def played(address, seed):
    """A game of two people; how many actions it had."""
    async with Client(address) as client:
        table, tokens = await table_of(client, "equinox", 2)
        async with client.connect(table, tokens[0]) as ana, client.connect(table, tokens[1]) as ben:
            done = await asyncio.gather(*(play(p, Chance(seed + n)) for n, p in enumerate((ana, ben))))
            assert ana.over
    return sum(map(len, done))


async def test_a_single_worker_is_named_too(tmp_path):
    async with hall(tmp_path) as (hall_, client):
        made = await client.make("equinox", ["open", "thumbling"], name="Ana", options={"first": 0})
        async with client.connect(made["table"], made["token"]) as place:
            await place.act(place.choice["options"][0])
            found = read(await metrics_of(hall_.address))
    here = ("worker", "worker-0")
    assert found["fabletop_workers_answered", ()] == 1
    assert found["fabletop_actions_total", (("by", "person"), here)] == 1
    assert found["fabletop_sockets", (here,)] == 1
    assert found["fabletop_tables_made_total", (("game", "equinox"), here)] == 1
    assert found["fabletop_action_seconds_count", (here,)] == 1
    assert found["fabletop_action_seconds_bucket", (("le", "+Inf"), here)] == 1
    assert {dict(labels)["le"] for name, labels in found if name == "fabletop_action_seconds_bucket"} == {
        *map(str, BUCKETS),
        "+Inf",
    }


async def test_each_of_two_workers_serves_the_metrics_of_both(neighbours):
    count = [await played(hall_.address, 10 * n) for n, hall_ in enumerate(neighbours)]
    for hall_ in neighbours:
        found = read(await metrics_of(hall_.address))
        assert found["fabletop_workers_answered", ()] == 2
        assert per_worker(found, "fabletop_actions_total") == {"w0": count[0], "w1": count[1]}
        assert per_worker(found, "fabletop_action_seconds_count") == {"w0": count[0], "w1": count[1]}
        assert per_worker(found, "fabletop_tables_made_total") == {"w0": 1, "w1": 1}


async def test_a_worker_that_does_not_answer_is_left_out_and_comes_back(neighbours, monkeypatch, tmp_path):
    one, two = neighbours
    monkeypatch.setattr(app, "SECONDS_TO_COLLECT", 0.1)
    lease = one.server.services.lease

    async def answered():
        await lease.beat()
        found = read(await metrics_of(one.address))
        return found["fabletop_workers_answered", ()], sorted(per_worker(found, "fabletop_tables"))

    assert await answered() == (2, ["w0", "w1"])
    waiting = []
    silent = await asyncio.start_server(lambda *both: waiting.append(both), "127.0.0.1", 0)
    torn = await asyncio.start_server(
        lambda reader, writer: (
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n# HE"),
            writer.close(),
        ),
        *("127.0.0.1", 0),
    )
    for name, server in (("silent", silent), ("torn", torn)):
        port = server.sockets[0].getsockname()[1]
        await one.store.enlist(Worker(name, "run", 0, f"127.0.0.1:{port}"))
    await one.store.enlist(Worker("dead", "run", 0, "127.0.0.1:1"))
    assert await answered() == (2, ["w0", "w1"])
    assert {peer.id for peer in lease.peers()} == {"w1", "silent", "torn", "dead"}, "they were asked"
    for _, writer in waiting:
        writer.close()
    silent.close()
    torn.close()
    await two.close()
    assert await answered() == (1, ["w0"])
    two.store = SqliteStore(tmp_path / "t.sqlite")
    await two.open()
    assert await answered() == (2, ["w0", "w1"])


async def test_memory_and_processor_time_are_measured(tmp_path):
    async with hall(tmp_path) as (hall_, _):
        found = read(await metrics_of(hall_.address))
    here = (("worker", "worker-0"),)
    assert found["process_resident_memory_bytes", here] > 1e6
    assert found["process_cpu_seconds_total", here] > 0
    assert found["process_open_fds", here] > 3


async def test_the_sum_over_all_workers_is_what_was_played_whichever_is_asked(tmp_path):
    server = Process("--database", str(tmp_path / "t.sqlite"), "--workers", "2")
    await server.start()
    try:
        games = await asyncio.gather(*(played(server.address, 10 * n) for n in range(6)))

        told = []

        async def all_answer():
            """A worker knows of another after a heartbeat; a request may reach either; a busy one may miss one."""
            told[:] = [read(await metrics_of(server.address)) for _ in range(10)]
            return all(one["fabletop_workers_answered", ()] == 2 for one in told)

        await until(all_answer)
        for found in told:
            actions = per_worker(found, "fabletop_actions_total")
            assert len(actions) == 2
            assert sum(actions.values()) == sum(games)
            assert per_worker(found, "fabletop_tables_made_total").total() == 6
    finally:
        await server.kill()


# ---- who is told --------------------------------------------------------------------------------


class Peer:
    """A transport that has an address, and nothing else."""

    def __init__(self, host):
        self.host = host

    def get_extra_info(self, name, default=None):
        return (self.host, 40000) if name == "peername" and self.host else default

    def is_closing(self):
        return False


def near(host, behind_proxy=False, *forwarded):
    """Is a request from there told?"""
    headers = [("X-Forwarded-For", text) for text in forwarded]
    return is_private(make_mocked_request("GET", "/metrics", headers, transport=Peer(host)), behind_proxy)


NEARBY = """
    127.0.0.1 127.9.9.9 10.1.2.3 172.31.0.1 192.168.1.1 169.254.1.1
    ::1 fd00::1 fe80::1 fe80::1%eth0 ::ffff:127.0.0.1 ::ffff:10.0.0.1
"""
PUBLIC = """
    8.8.8.8 172.32.0.1 100.64.0.1 198.18.0.1 0.0.0.0 224.0.0.1 255.255.255.255
    2001:4860:4860::8888 2001::1 2002:7f00:1:: 64:ff9b::a00:1 ::ffff:8.8.8.8 :: ff02::1
    ? localhost unknown 10.0.0.1:80 127.0.0.1\0
"""


@pytest.mark.parametrize("host", NEARBY.split())
def test_metrics_are_served_to_private_addresses(host):
    assert near(host)
    assert near(host, True), "with a proxy in front, but not through it"
    assert near("127.0.0.1", True, host)


@pytest.mark.parametrize("host", PUBLIC.split())
def test_metrics_are_not_served_to_the_public(host):
    assert not near(host)
    assert not near("127.0.0.1", True, host)
    assert not near("127.0.0.1", True, f"10.0.0.1, {host}"), "only the last is the proxy's word"


def test_metrics_are_not_served_where_the_true_address_is_unknown():
    assert not near(None)
    assert not near("127.0.0.1", False, "10.0.0.1"), "a proxy without --behind-proxy"
    assert not near("127.0.0.1", True, "10.0.0.1", "8.8.8.8"), "the proxy added a line of its own"
    assert not near("127.0.0.1", True, "10.0.0.1,")


def test_nothing_near_is_public():
    assert not any(net.is_global for net in PRIVATE_NETWORKS)
    assert ipaddress.ip_address("::ffff:8.8.8.8") not in PRIVATE_NETWORKS[-1]


async def test_the_public_is_refused_in_words(tmp_path):
    async with hall(tmp_path, behind_proxy=True) as (hall_, client):
        public = {"X-Forwarded-For": "10.0.0.1, 203.0.114.7"}
        async with client.session.get(f"{hall_.address}/metrics", headers=public) as answer:
            assert answer.status == 403
            said = await answer.json()
            assert said["code"] == "not_allowed"
            assert "private network" in said["message"]
        found = read(await metrics_of(hall_.address))
        assert found["fabletop_refused_total", (("code", "not_allowed"), ("worker", "worker-0"))] == 1


# ---- the address that is printed and put into notices --------------------------------------------


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:"),
        ("::1", "http://[::1]:"),
        ("localhost", "http://localhost:"),
        ("0.0.0.0", "http://localhost:"),
        ("::", "http://localhost:"),
        ("", "http://localhost:"),
    ],
)
def test_the_address_that_is_told_can_be_opened(host, address, tmp_path, monkeypatch, capsys, caplog):
    async def work(settings, folder, listener, *, announce):
        listener.close()
        serving.announced(settings)
        assert settings.public == f"{address}{settings.port}"

    monkeypatch.setattr(serving, "work", work)
    monkeypatch.setattr(serving, "start_logging", lambda level: None)
    try:
        serving.serve(Settings(host=host, port=0), 1, "info", tmp_path)
    except serving.FabletopError:
        if ":" in host:
            pytest.skip("this machine has no IPv6")
        raise
    assert capsys.readouterr().out.startswith(f"Fabletop is at {address}")
    assert ("--public" in caplog.text) == (host in ("0.0.0.0", "::", ""))


def test_a_public_address_is_used_as_it_is_given(tmp_path, monkeypatch, capsys, caplog):
    async def work(settings, folder, listener, *, announce):
        listener.close()
        serving.announced(settings)

    monkeypatch.setattr(serving, "work", work)
    monkeypatch.setattr(serving, "start_logging", lambda level: None)
    serving.serve(Settings(host="0.0.0.0", port=0, public="https://t.example.org"), 1, "info", tmp_path)
    assert capsys.readouterr().out == "Fabletop is at https://t.example.org\n"
    assert "--public" not in caplog.text


def test_an_address_that_is_taken_is_named_as_it_is_written(monkeypatch):
    taken = serving.listening(Settings(host="127.0.0.1", port=0))
    try:
        with pytest.raises(serving.FabletopError, match=r"cannot listen on 127\.0\.0\.1:\d+ "):
            serving.listening(Settings(host="127.0.0.1", port=taken.getsockname()[1]))
    finally:
        taken.close()
    assert serving.place("::1", 80) == "[::1]:80"
