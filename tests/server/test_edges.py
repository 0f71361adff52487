"""The edges of the server: limits on new tables, clocks that jump, file modes, logs, and headers of every answer."""

import asyncio
import gzip
import json
import logging
import os
import signal
import stat
import subprocess
import sys
import threading
import time
import warnings

import pytest

from fabletop.client import Client, RequestRefused
from fabletop.server import admin
from fabletop.server.api.transport import HEADERS
from fabletop.server.logs import start_logging
from fabletop.server.notify.addresses import NOT_PUBLIC, is_public
from fabletop.server.notify.push import push_key
from fabletop.server.stores.sqlite import SqliteStore
from tests.server.hall import PATIENCE, Process, alive, hall, raw, until

# ---- new tables ----------------------------------------------------------------------------------


async def closed_table(client):
    """A table that is over, the token of its only person, and its record."""
    made = await client.make("equinox", ["hot", "hot"])
    await client.do(made["table"], "close", made["host"])
    return made["table"], made["token"], await client.get(made["table"], "record", made["token"])


async def by_http(client, table, token, record):
    await client.make("equinox", ["hot", "hot"])


async def by_branch(client, table, token, record):
    await client.call("POST", f"/api/tables/{table}/branch", {"at": 0}, token=token)


async def by_record(client, table, token, record):
    await client.call("POST", "/api/records", record)


async def by_rematch(client, table, token, record):
    """A rematch of a table of its own, over HTTP."""
    await client.do(table, "rematch", token)


async def by_socket(client, table, token, record):
    """The same over the socket."""
    line = await raw(client, table, token)
    await line.say({"type": "rematch"})
    said = await line.hear("done")
    if said["type"] == "error":
        raise RequestRefused(said["code"], said["message"])


@pytest.mark.parametrize("way", [by_http, by_branch, by_record, by_rematch, by_socket])
async def test_every_way_of_making_a_table_is_counted(tmp_path, way, monkeypatch):
    async with hall(tmp_path) as (hall_, client):
        table, token, record = await closed_table(client)
        taken = []
        makers = hall_.server.services.creation_limit
        monkeypatch.setattr(makers, "take", lambda who: taken.append(who) or len(taken) <= 1)
        await way(client, table, token, record)
        assert taken == ["127.0.0.1"]
        if way in (by_rematch, by_socket):  # there is one already: make another that can have one
            monkeypatch.undo()
            table, token, record = await closed_table(client)
            monkeypatch.setattr(makers, "take", lambda who: False)
        if way is by_socket:
            line = await raw(client, table, token)
            await line.say({"type": "rematch"})
            assert (await line.hear("error"))["code"] == "too_many"
        else:
            with pytest.raises(RequestRefused, match="too_many"):
                await way(client, table, token, record)


# ---- clocks --------------------------------------------------------------------------------------


@pytest.mark.parametrize("jump", [7200, -7200, 400 * 86400])
async def test_a_wall_clock_that_jumps_moves_nobodys_pieces(tmp_path, monkeypatch, jump):
    pace = {"kind": "game", "seconds": 3600}
    async with hall(tmp_path) as (hall_, client):
        made = await client.make("equinox", ["hot", "hot"], pace=pace, options={"first": 0})
        table, token = made["table"], made["token"]
        async with client.connect(table, token) as place:
            before = (await client.get(table, "view", token, seat=0))["choice"]
            assert 3590 < before["left"] <= 3600
            wall = time.time
            monkeypatch.setattr(time, "time", lambda: wall() + jump)
            await asyncio.sleep(0.3)
            after = (await client.get(table, "view", token, seat=0))["choice"]
            assert after["id"] == before["id"], "nobody has moved"
            assert 3590 < after["left"] <= 3600
            await place.act(after["options"][0])
        counted = hall_.server.services.metrics.actions.by
        assert counted["clock"] == 0


@pytest.mark.parametrize("jump", [-7200, -400 * 86400])
async def test_after_a_restart_with_a_clock_that_was_set_back_nobody_has_more_time(
    tmp_path, monkeypatch, jump
):
    async with hall(tmp_path) as (hall_, client):
        pace = {"kind": "game", "seconds": 3600}
        made = await client.make("equinox", ["hot", "hot"], pace=pace, options={"first": 0})
        wall = time.time
        monkeypatch.setattr(time, "time", lambda: wall() + jump)
        await hall_.close()
        await hall_.open()
        seen = await client.get(made["table"], "view", made["token"], seat=0)
        assert 3590 < seen["choice"]["left"] <= 3600


# ---- files ---------------------------------------------------------------------------------------


def mode(path):
    """The permissions of a file."""
    return stat.S_IMODE(path.stat().st_mode)


async def test_databases_backups_and_keys_are_for_their_owner_alone(tmp_path):
    old = os.umask(0o022)
    try:
        folder = tmp_path / "data" / "fabletop"
        store = SqliteStore(folder / "tables.sqlite")
        await store.open()
        await store.secret()
        files = {path.name: mode(path) for path in folder.iterdir()}
        assert files == dict.fromkeys(("tables.sqlite", "tables.sqlite-wal", "tables.sqlite-shm"), 384)
        await store.close()
        assert mode(folder) == 0o700
        assert (await admin.backup(SqliteStore(folder / "tables.sqlite"), tmp_path / "backup.jsonl")).good
        assert mode(tmp_path / "backup.jsonl") == 0o600
        assert push_key(tmp_path / "keys" / "push.pem") is not None
        assert (mode(tmp_path / "keys" / "push.pem"), mode(tmp_path / "keys")) == (0o600, 0o700)
    finally:
        os.umask(old)


async def test_a_database_that_others_could_read_is_taken_from_them_when_it_is_opened(tmp_path):
    files = [tmp_path / f"tables.sqlite{end}" for end in ("", "-wal", "-shm")]
    store = SqliteStore(files[0])
    await store.open()
    await store.secret()
    for file in files:
        file.chmod(0o644)
    again = SqliteStore(files[0])  # the first is still open, so its log is there
    await again.open()
    assert [mode(file) for file in files] == [0o600] * 3
    await again.close()
    await store.close()


def test_a_key_that_others_could_read_is_taken_from_them_when_it_is_read(tmp_path):
    file = tmp_path / "push.pem"
    made = push_key(file)
    file.chmod(0o644)
    assert push_key(file).public == made.public
    assert mode(file) == 0o600


# ---- logs ----------------------------------------------------------------------------------------


def lines_of(text):
    """The log, every line of which must be JSON."""
    found = [json.loads(line) for line in text.splitlines()]
    assert all({"at", "level", "logger", "message"} <= set(line) for line in found)
    return found


def test_what_python_itself_would_write_is_json_too(tmp_path):
    file = tmp_path / "log"
    kept = (sys.excepthook, sys.unraisablehook, threading.excepthook, logging.getLogger().handlers[:])
    level = logging.getLogger().level
    try:
        with file.open("w") as out:
            start_logging("info", out)
            thread = threading.Thread(target=lambda: 1 / 0)
            thread.start()
            thread.join()
            try:
                raise ValueError("twice\nbroken")
            except ValueError as error:
                sys.excepthook(type(error), error, error.__traceback__)

            class Bad:
                def __del__(self):
                    raise RuntimeError("in a finalizer")

            del [Bad()][0]
            with warnings.catch_warnings():
                warnings.simplefilter("always")
                warnings.warn("beware", stacklevel=1)
    finally:
        sys.excepthook, sys.unraisablehook, threading.excepthook = kept[:3]
        logging.getLogger().handlers[:] = kept[3]
        logging.getLogger().setLevel(level)
        logging.captureWarnings(False)
    told = lines_of(file.read_text())
    assert [line["error"].splitlines()[-1] for line in told if "error" in line] == [
        "ZeroDivisionError: division by zero",
        "broken",
        "RuntimeError: in a finalizer",
    ]
    assert "beware" in told[-1]["message"]


async def test_when_a_server_is_killed_its_bots_leave_nothing_but_json(tmp_path):
    server = Process("--database", str(tmp_path / "t.sqlite"), "--thinkers", "2")
    file = tmp_path / "log"
    with file.open("wb") as out:
        server.errors = out
        await server.start()
        async with Client(server.address) as client:
            made = await client.make("equinox", ["open", "queen", "queen"], name="Ana", options={"first": 1})
            async with client.connect(made["table"], made["token"]):
                await until(server.workers)
                await asyncio.sleep(0.5)
                bots = server.workers()
                os.kill(server.process.pid, signal.SIGKILL)  # the bots are thinking
        await until(lambda: not any(map(alive, bots)))
        await server.kill()
    lines_of(file.read_text())


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_database_that_is_not_there_is_told_in_json(tmp_path, workers):
    (tmp_path / "file").write_text("no database")
    command = ["serve", "--port", "0", "--workers", workers, "--database", str(tmp_path / "file")]
    told = subprocess.Popen(
        [sys.executable, "-m", "fabletop", *command],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    try:
        line = told.stderr.readline()
        (found,) = lines_of(line)
        assert "cannot be opened" in found["message"]
    finally:
        told.terminate()
        _, rest = told.communicate(timeout=30)
    lines_of(rest)


# ---- headers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "request_",
    [
        b"NONSENSE\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /api/about HTTP/1.1\r\nHost: x\r\nBad Header: 1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 20_000 + b"\r\n\r\n",
        b"POST /api/mine HTTP/1.1\r\nHost: x\r\nContent-Length: nine\r\n\r\n",
        b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        b"GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
        b"DELETE /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
)
async def test_every_answer_has_the_headers_and_names_no_library(tmp_path, request_, caplog):
    async with hall(tmp_path) as (hall_, _):
        reader, writer = await asyncio.open_connection("127.0.0.1", hall_.port)
        writer.write(request_)
        head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)).decode()
        writer.close()
    found = dict(line.split(": ", 1) for line in head.splitlines()[1:] if line)
    assert found["Server"] == "fabletop"
    assert {name: found.get(name) for name in HEADERS} == HEADERS
    assert "aiohttp" not in head
    assert "Python" not in head
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR], "no noise in the log"


@pytest.mark.parametrize(
    ("path", "accepts", "packed"),
    [
        ("/api/cards/fairy_school?lang=fr", "gzip, br", True),
        ("/api/cards/fairy_school?lang=fr", "identity", False),
        ("/api/about", "gzip, br", False),
    ],
)
async def test_only_what_is_public_for_all_is_compressed(tmp_path, path, accepts, packed):
    async with hall(tmp_path) as (hall_, _):
        reader, writer = await asyncio.open_connection("127.0.0.1", hall_.port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: {accepts}\r\n\r\n".encode())
        head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)).decode()
        found = dict(line.split(": ", 1) for line in head.splitlines()[1:] if line)
        body = await reader.readexactly(int(found["Content-Length"]))
        writer.close()
    assert (found.get("Content-Encoding") == "gzip") == packed
    assert json.loads(gzip.decompress(body) if packed else body)


# ---- addresses -----------------------------------------------------------------------------------


def test_the_addresses_that_are_not_public_are_our_own_list():
    for net in NOT_PUBLIC:
        assert not is_public(str(net[0]))
        assert not is_public(str(net[-1]))
    for address in ("192.0.0.192", "192.0.0.8", "100.64.1.1", "3fff::1", "2001:db8::1", "2620:4f:8000::1"):
        assert not is_public(address)
    for address in (
        "8.8.8.8",
        "192.0.1.1",
        "100.128.0.1",
        "172.32.0.1",
        "198.20.0.1",
        "2001:4860:4860::8888",
    ):
        assert is_public(address)
