"""Connections that are passed to the worker that owns their table, and those that cannot be."""

import asyncio
import json
import os
import signal
from pathlib import Path

import aiohttp
import pytest
import pytest_asyncio

from fabletop import Chance
from fabletop.client import Client
from fabletop.server.cluster.fd_passing import FORWARDED_FOR, LARGEST_REQUEST, NAMES_TABLE
from fabletop.server.stores.sqlite import SqliteStore
from tests.server.hall import PATIENCE, Process, Raw, eventually, play, table_of
from tests.server.test_forwarding import homes, two_halls


@pytest_asyncio.fixture
async def machine(tmp_path):
    """Two workers of one machine, and a client for each."""
    folder = tmp_path / "passing"
    folder.mkdir()
    async with two_halls(lambda: SqliteStore(tmp_path / "t.sqlite"), passing=folder) as found:
        yield found


def served(hall) -> int:
    """The sockets that a worker serves, forwarded ones too."""
    return sum(hall.server.sockets.values())


def connections(halls) -> int:
    """The connections that workers serve."""
    return sum(found.transport is not None for hall in halls for found in hall.runner.server.connections)


async def head_of_socket(hall, table, behind=b""):
    """Open a connection by hand and send a request for a WebSocket, and what follows it at once."""
    reader, writer = await asyncio.open_connection("127.0.0.1", hall.port)
    writer.write(
        f"GET /ws?table={table} HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        + behind
    )
    return reader, writer


def masked(text: str) -> bytes:
    """A frame as a client sends it, with a mask of zeros."""
    return bytes([0x81, 0x80 | len(text)]) + bytes(4) + text.encode()


async def seated(hall, table, token):
    """A socket on a connection of its own, as browsers open them, after hello and its answer."""
    session = aiohttp.ClientSession()
    raw = Raw(await session.ws_connect(f"{hall.address}/ws?table={table}"))
    raw.close = session.close
    await raw.say({"type": "hello", "table": table, "token": token})
    raw.welcome = await raw.hear()
    assert raw.welcome["type"] == "welcome"
    return raw


async def test_a_socket_is_served_by_the_owner_of_its_table(machine):
    halls, (one, _) = machine
    table, tokens = await table_of(one, "equinox", 2)
    assert homes(halls, table) == ["w0"]
    sockets = [await seated(halls[1], table, token) for token in tokens]
    assert [served(hall) for hall in halls] == [2, 0]
    asked = next(raw for raw in sockets if raw.welcome["choice"])
    choice = asked.welcome["choice"]
    await asked.say({"type": "act", "id": "1", "choice": choice["id"], "action": choice["options"][0]})
    assert [(await raw.hear("update"))["seq"] for raw in sockets] == [2, 2]
    for raw in sockets:
        await raw.close()
    await eventually(lambda: [served(hall) for hall in halls], [0, 0])


async def test_what_a_client_sends_before_the_answer_is_not_lost(machine):
    halls, (one, _) = machine
    table, tokens = await table_of(one, "equinox", 2)
    hello = masked(json.dumps({"type": "hello", "table": table, "token": tokens[0]}))
    reader, writer = await head_of_socket(halls[1], table, hello)
    async with asyncio.timeout(PATIENCE):
        assert b"101 Switching" in await reader.readuntil(b"\r\n\r\n")
        assert b'"welcome"' in await reader.read(4096)
    assert [served(hall) for hall in halls] == [1, 0]
    writer.close()


async def test_a_request_in_pieces_is_served_where_it_came(machine):
    halls, _ = machine
    reader, writer = await asyncio.open_connection("127.0.0.1", halls[1].port)
    for piece in (b"GE", b"T /healthz HTT", b"P/1.1\r\nHost: here\r\n", b"\r\n"):
        writer.write(piece)
        await asyncio.sleep(0.02)
    async with asyncio.timeout(PATIENCE):
        assert b"200 OK" in await reader.readuntil(b"\r\n\r\n")
    writer.close()


async def test_a_client_that_gives_up_meanwhile_leaves_nothing_behind(machine):
    halls, (one, _) = machine
    table, _ = await table_of(one, "equinox", 2)
    before = connections(halls)
    for _ in range(20):
        _, writer = await head_of_socket(halls[1], table)
        writer.transport.abort()
    await asyncio.sleep(0.3)  # until all of them have been accepted
    await eventually(lambda: [served(hall) for hall in halls], [0, 0])
    await eventually(lambda: connections(halls), before)


@pytest.mark.parametrize("gone", ["closed", "no file"])
async def test_what_cannot_be_passed_is_forwarded(machine, gone):
    halls, (one, _) = machine
    table, tokens = await table_of(one, "equinox", 2)
    passing = halls[0].server.passing
    if gone == "no file":
        passing._path.unlink()
    else:
        asyncio.get_running_loop().remove_reader(passing._socket)
        passing._socket.close()
    raw = await seated(halls[1], table, tokens[0])
    assert [served(hall) for hall in halls] == [1, 1]
    assert raw.welcome["viewer"] == 0
    await raw.close()
    if gone == "closed":
        passing.open()


async def test_a_worker_that_is_stopped_gets_no_connection(machine):
    halls, (one, _) = machine
    table, tokens = await table_of(one, "equinox", 2)
    asyncio.get_running_loop().remove_reader(halls[0].server.passing._socket)  # it hears nothing
    async with asyncio.timeout(PATIENCE):
        raw = await seated(halls[1], table, tokens[0])
    assert [served(hall) for hall in halls] == [1, 1], "it was forwarded"
    await raw.close()
    asyncio.get_running_loop().add_reader(halls[0].server.passing._socket, halls[0].server.passing._take)
    await eventually(lambda: [served(hall) for hall in halls], [0, 0])
    again = await seated(halls[1], table, tokens[0])
    assert [served(hall) for hall in halls] == [1, 0], "a late answer harms nobody"
    await again.close()


async def test_without_unix_sockets_connections_are_forwarded(tmp_path, caplog):
    folder = tmp_path / ("x" * 120)  # too long a path for a Unix socket
    folder.mkdir()
    store = lambda: SqliteStore(tmp_path / "t.sqlite")  # noqa: E731
    async with two_halls(store, passing=folder) as (halls, (one, _)):
        assert "are forwarded" in caplog.text
        table, tokens = await table_of(one, "equinox", 2)
        raw = await seated(halls[1], table, tokens[0])
        assert [served(hall) for hall in halls] == [1, 1]
        await raw.close()


async def test_a_large_request_is_forwarded(machine):
    _, (one, two) = machine
    table, tokens = await table_of(one, "equinox", 2)
    large = {f"X-{n}": "x" * 7000 for n in range(LARGEST_REQUEST // 7000 + 1)}
    async with two.session.ws_connect(f"{two.address}/ws?table={table}", headers=large) as ws:
        await ws.send_json({"type": "hello", "table": table, "token": tokens[0]})
        assert (await ws.receive_json(timeout=PATIENCE))["type"] == "welcome"


async def test_an_address_that_asks_too_often_is_forwarded(tmp_path):
    folder = tmp_path / "passing"
    folder.mkdir()
    store = lambda: SqliteStore(tmp_path / "t.sqlite")  # noqa: E731
    async with two_halls(store, passing=folder, looks_per_second=1) as (halls, (one, _)):
        table, _ = await table_of(one, "equinox", 2)
        sockets = [await head_of_socket(halls[1], table) for _ in range(10)]
        await eventually(lambda: [served(hall) for hall in halls], [6, 4])
        for _, writer in sockets:
            writer.close()


async def test_an_unknown_table_is_refused_after_hello(machine):
    _, (_, two) = machine
    raw = Raw(await two.session.ws_connect(f"{two.address}/ws?table=nothing-here"))
    await raw.say({"type": "hello", "table": "nothing-here"})
    assert (await raw.hear("error"))["code"] == "unknown"
    await raw.ws.close()


@pytest.mark.parametrize(
    ("line", "table"),
    [
        (b"GET /ws?table=abc HTTP/1.1\r\n", b"abc"),
        (b"GET /ws?table=a_b-9 HTTP/1.1\r\nHost: x\r\n", b"a_b-9"),
        (b"GET /ws?table=abc&seat=1 HTTP/1.1\r\n", None),
        (b"GET /ws?table=" + b"a" * 33 + b" HTTP/1.1\r\n", None),
        (b"GET /ws?table=../etc HTTP/1.1\r\n", None),
        (b"POST /ws?table=abc HTTP/1.1\r\n", None),
        (b"GET /ws?table=abc HTTP/1.1", None),
    ],
)
def test_only_a_whole_first_line_names_a_table(line, table):
    found = NAMES_TABLE.match(line)
    assert (found and found[1]) == table


def test_behind_a_proxy_the_last_address_that_it_names_counts():
    head = b"GET /ws HTTP/1.1\r\nx-forwarded-for: 192.0.2.9, 198.51.100.7 \r\nHost: x\r\n"
    assert FORWARDED_FOR.search(head)[1] == b"198.51.100.7"
    assert FORWARDED_FOR.search(b"GET /ws HTTP/1.1\r\nHost: x\r\n") is None


async def test_processes_pass_connections_and_outlive_a_kill(tmp_path):
    process = Process("--workers", "2", "--database", str(tmp_path / "t.sqlite"))
    await process.start()
    try:
        async with Client(process.address) as client:
            table, tokens = await table_of(client, "equinox", 2)
            before = [sockets_of(pid) for pid in process.workers()]
            raws = [await seated(process, table, tokens[n % 2]) for n in range(12)]
            after = [sockets_of(pid) for pid in process.workers()]
            more = sorted(now - then for now, then in zip(after, before, strict=True))
            assert more[0] <= 1 < 12 <= more[1], "all of them belong to the owner"
            os.kill(process.workers()[after.index(max(after))], signal.SIGKILL)
            for raw in raws:
                assert (await raw.hear("bye"))["type"] == "closed"
                await raw.close()
            async with client.connect(table, tokens[0]) as ana, client.connect(table, tokens[1]) as ben:
                await asyncio.gather(*(play(place, Chance(n)) for n, place in enumerate((ana, ben))))
                assert ana.over
    finally:
        await process.kill(signal.SIGTERM)


def sockets_of(pid: int) -> int:
    """The sockets that a process has open."""
    return sum(str(link.readlink()).startswith("socket:") for link in Path(f"/proc/{pid}/fd").iterdir())


async def test_a_connection_is_answered_although_its_table_cannot_be_opened(machine, monkeypatch, caplog):
    halls, (one, _) = machine
    table, _ = await table_of(one, "equinox", 2)

    async def fails(_):
        raise KeyError("seven")

    monkeypatch.setattr(halls[1].server.registry, "actor", fails)
    async with aiohttp.ClientSession() as session, asyncio.timeout(PATIENCE):
        raw = Raw(await session.ws_connect(f"{halls[1].address}/ws?table={table}"))
        await raw.say({"type": "hello", "table": table})
        assert (await raw.hear())["code"] == "fault"
    assert "a background task failed" in caplog.text
