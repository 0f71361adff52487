"""Connections that workers of one machine pass on to each other: nothing is lost on the way, and nothing leaks."""

import asyncio
import contextlib
import os
import socket
import tempfile
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import pytest_asyncio
import uvloop

from fabletop.client import Client
from fabletop.server.cluster import fd_passing as handover
from fabletop.server.cluster import supervisor
from fabletop.server.cluster.bus import LocalBus
from fabletop.server.cluster.fd_passing import Handover
from fabletop.server.settings import Settings
from fabletop.server.stores.sqlite import SqliteStore
from tests.server.hall import FREE, Hall, table_of

LOOPS = pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop])


class Heard(asyncio.Protocol):
    """Notes what it hears, and answers what it is told to."""

    def __init__(self):
        self.data = b""
        self.lost = asyncio.get_running_loop().create_future()

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.data += data

    def connection_lost(self, error):
        self.lost.set_result(error)


class Doors:
    """Two workers' doors in a folder, and a connection at the first that can be given to the second."""

    async def __aenter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="fabletop-")
        self.tasks, self.made = [], []
        self.one, self.two = (Handover(Path(self.folder.name), name, self.spawn) for name in ("one", "two"))
        self.one.open(self.protocol)
        self.two.open(self.protocol)
        self.listener = await asyncio.get_running_loop().create_server(self.protocol, "127.0.0.1", 0)
        self.client = socket.create_connection(self.listener.sockets[0].getsockname())
        self.client.setblocking(False)
        await self.until(lambda: self.made and hasattr(self.made[0], "transport"))
        return self

    async def __aexit__(self, *_):
        self.client.close()
        for protocol in self.made:
            if hasattr(protocol, "transport"):
                protocol.transport.abort()
        self.listener.close()
        for door in (self.one, self.two):
            door.close()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await asyncio.sleep(0.01)
        self.folder.cleanup()

    def spawn(self, work):
        """Do something beside."""
        self.tasks.append(asyncio.ensure_future(work))
        return self.tasks[-1]

    def protocol(self):
        """What speaks with a client."""
        self.made.append(Heard())
        return self.made[-1]

    def request(self, **changed):
        """What aiohttp knows of the request that came over the first connection."""
        known = {
            "transport": self.made[0].transport,
            "protocol": SimpleNamespace(_message_tail=b"", _messages=[]),
            "path": "/ws",
            "raw_headers": [(b"Host", b"here")],
            "body_exists": False,
        }
        return SimpleNamespace(**{**known, **changed})

    async def until(self, good):
        """Wait for something, not for ever."""
        async with asyncio.timeout(5):
            while not good():
                await asyncio.sleep(0.005)

    async def receive(self):
        """What comes to the client."""
        async with asyncio.timeout(5):
            return await asyncio.get_running_loop().sock_recv(self.client, 1000)


HEAD = b"GET /ws HTTP/1.1\r\nHost: here\r\n\r\n"


def run(work, loop):
    """Run a test on a loop of this kind."""
    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(work())


@LOOPS
def test_the_other_worker_hears_the_request_first_and_the_connection_stays_open(loop):
    async def work():
        async with Doors() as doors:
            assert doors.one.give(doors.request(), "two")
            doors.client.send(b"said too early")  # waits in the connection when the other takes it
            await doors.until(lambda: len(doors.made) == 2)
            first, second = doors.made
            assert await first.lost is None
            await doors.until(lambda: second.data.endswith(b"early"))
            assert second.data == HEAD + b"said too early"
            assert first.data == b""
            second.transport.write(b"welcome")
            assert await doors.receive() == b"welcome"
            assert not os.get_inheritable(second.transport.get_extra_info("socket").fileno())
            second.transport.close()
            assert await doors.receive() == b"", "no other end of it is left open"

    run(work, loop)


@LOOPS
def test_a_client_that_has_gone_meanwhile_is_no_trouble(loop):
    async def work():
        async with Doors() as doors:
            doors.client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # with a reset
            assert doors.one.give(doors.request(), "two")
            doors.client.close()
            await doors.until(lambda: len(doors.made) == 2 and doors.made[1].lost.done())
            assert doors.made[1].data in (HEAD, b"")
            assert not doors.one.give(doors.request(), "two"), "our end is closed"
            assert not doors.one.give(doors.request(transport=None), "two")

    run(work, loop)


@LOOPS
@pytest.mark.parametrize("mishap", ["cannot serve", "ended before it began"])
def test_a_connection_that_cannot_be_served_is_closed(loop, mishap):
    async def work():
        async with Doors() as doors:

            def broken():
                raise RuntimeError("cannot serve")

            def ended(work):
                task = doors.spawn(work)
                task.cancel()
                return task

            if mishap == "cannot serve":
                doors.two._serve = broken
            else:
                doors.two.spawn = ended
            assert doors.one.give(doors.request(), "two")
            assert await doors.receive() == b""
            (error,) = await asyncio.gather(*doors.tasks, return_exceptions=True)
            assert isinstance(error, RuntimeError | asyncio.CancelledError)

    run(work, loop)


@LOOPS
def test_a_connection_stays_where_it_is_when_the_other_worker_is_too_busy(loop):
    async def work():
        async with Doors() as doors:
            asyncio.get_running_loop().remove_reader(doors.two._socket)
            before = len(list(Path("/proc/self/fd").iterdir()))
            number = 0
            while True:
                connection = socket.create_connection(doors.listener.sockets[0].getsockname())
                transport = SimpleNamespace(
                    get_extra_info=lambda name, connection=connection: connection,
                    is_closing=lambda: False,
                    get_write_buffer_size=lambda: 0,
                    abort=connection.close,
                )
                if not doors.one.give(doors.request(transport=transport), "two"):
                    break
                number += 1
            assert connection.fileno() >= 0, "it is still ours"
            connection.close()
            assert 0 < number < 1000
            assert len(list(Path("/proc/self/fd").iterdir())) <= before
            asyncio.get_running_loop().add_reader(doors.two._socket, doors.two._receive)
            await doors.until(lambda: sum(protocol.data == HEAD for protocol in doors.made) == number)

    run(work, loop)


async def test_a_worker_that_is_gone_gets_nothing_and_one_of_the_same_name_gets_it_again():
    async with Doors() as doors:
        path = doors.two._door
        doors.two.close()
        assert not path.exists()
        assert not doors.one.give(doors.request(), "two")
        with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as killed:
            killed.bind(str(path))
        assert path.exists(), "as a worker that was killed leaves it"
        assert not doors.one.give(doors.request(), "two")
        doors.two.open(doors.protocol)
        assert doors.one.give(doors.request(), "two")
        await doors.until(lambda: len(doors.made) == 2 and doors.made[1].data == HEAD)


@pytest.mark.parametrize(
    "changed",
    [
        {"body_exists": True},
        {"protocol": SimpleNamespace(_message_tail=b"early", _messages=[])},
        {"protocol": SimpleNamespace(_message_tail=b"", _messages=["another request"])},
        {"raw_headers": [(b"X-Long", b"x" * handover.LARGEST_REQUEST)]},
    ],
)
async def test_what_is_more_than_the_head_of_a_request_stays_here(changed):
    async with Doors() as doors:
        assert not doors.one.give(doors.request(**changed), "two")
        assert not doors.made[0].transport.is_closing()


async def test_a_client_that_has_not_read_all_its_answers_stays_here():
    async with Doors() as doors:
        transport = doors.made[0].transport
        transport.write(b"x" * 10_000_000)
        assert transport.get_write_buffer_size() > 0
        assert not doors.one.give(doors.request(), "two")


async def test_a_datagram_without_a_connection_is_reported(caplog):
    async with Doors() as doors:
        with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as stranger:
            stranger.sendto(HEAD, str(doors.two._door))
        await doors.until(lambda: "too many files" in caplog.text)
        assert len(doors.made) == 1


# ---- between whole servers ------------------------------------------------------------------------


@pytest_asyncio.fixture
async def neighbours(tmp_path):
    """Two workers on one machine, and a client for each."""
    room, doors = {}, tmp_path / "doors"
    doors.mkdir()
    async with contextlib.AsyncExitStack() as stack:
        halls, clients = [], []
        for n in range(2):
            settings = replace(FREE, worker=f"w{n}", doors=doors)
            halls.append(Hall(settings, SqliteStore(tmp_path / "t.sqlite"), LocalBus(room)))
            await halls[-1].open()
            stack.push_async_callback(halls[-1].close)
            clients.append(await stack.enter_async_context(Client(halls[-1].address)))
        yield halls, clients


def upgrade(table):
    """A request for a WebSocket."""
    return (
        f"GET /ws?table={table} HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    ).encode()


async def test_what_a_client_says_with_its_request_is_heard(neighbours):
    halls, (one, _) = neighbours
    table, tokens = await table_of(one, "equinox", 2)
    said = f'{{"type":"hello","table":"{table}","token":"{tokens[1]}"}}'.encode()
    assert len(said) < 126
    frame = bytes([0x81, 0x80 | len(said), 0, 0, 0, 0]) + said  # masked with nothing
    cursor, writer = await asyncio.open_connection("127.0.0.1", halls[1].port)
    writer.write(b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n" + upgrade(table) + frame)
    async with asyncio.timeout(5):
        assert b"ok\n" in await cursor.readuntil(b"ok\n")
        assert b"101 Switching" in await cursor.readuntil(b"\r\n\r\n")
        assert b'"welcome"' in await cursor.readuntil(b'"welcome"')
    assert [line.viewer for line in halls[0].actor(table).subscribers] == [1]
    writer.close()
    await writer.wait_closed()


async def test_a_client_that_goes_while_its_table_is_looked_for_is_no_fault(neighbours, monkeypatch, caplog):
    halls, (one, _) = neighbours
    table, _ = await table_of(one, "equinox", 2)
    registry, asked = halls[1].server.registry, asyncio.Event()
    find = registry.actor

    async def slowly(table):
        asked.set()
        await asyncio.sleep(0.1)
        return await find(table)

    monkeypatch.setattr(registry, "actor", slowly)
    _, writer = await asyncio.open_connection("127.0.0.1", halls[1].port)
    writer.write(upgrade(table))
    await asyncio.wait_for(asked.wait(), 5)
    assert halls[1].server.sockets == {"127.0.0.1": 1}, "counted from the first moment"
    writer.close()
    await writer.wait_closed()
    async with asyncio.timeout(5):
        while halls[1].server.sockets:
            await asyncio.sleep(0.01)
    assert halls[1].server.services.metrics.faults._value.get() == 0
    assert "could not be handled" not in caplog.text


async def test_a_folder_with_too_long_a_name_leaves_the_bus(tmp_path, caplog):
    hall = Hall(replace(FREE, doors=tmp_path / ("x" * 200)), SqliteStore(tmp_path / "t.sqlite"))
    await hall.open()
    assert hall.server.handover is None
    assert "no connections can be taken" in caplog.text
    await hall.close()


async def test_only_the_supervisor_opens_a_browser(tmp_path, monkeypatch):
    started = []

    async def keep(settings, level, folder, listener, ready):
        started.append(settings)
        ready.set()

    def announced(settings):
        started.append(settings)
        os.kill(os.getpid(), supervisor.signal.SIGTERM)

    monkeypatch.setattr(supervisor, "_keep", keep)
    monkeypatch.setattr(supervisor, "announced", announced)
    settings = Settings(worker="here", opens=True)
    async with asyncio.timeout(10):
        await supervisor._supervise(settings, 2, "info", tmp_path, None)
    assert [(one.worker, one.opens) for one in started] == [
        ("here-0", False),
        ("here-1", False),
        ("here", True),
    ]
    for number in (supervisor.signal.SIGTERM, supervisor.signal.SIGINT):
        asyncio.get_running_loop().remove_signal_handler(number)
