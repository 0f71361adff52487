"""Whatever is sent: a clear answer or a closed socket, no fault, no change that was not asked for rightly."""

import asyncio
import contextlib
import json
import os
import shutil
import struct
from functools import partial

import aiohttp
import pytest

from fabletop import Chance
from fabletop.client import Client, RequestRefused
from fabletop.server.api.pages import PACKAGED
from fabletop.server.protocol import wire
from fabletop.server.protocol.errors import STATUS
from tests.server.hall import PATIENCE, Process, hall, raw, table_of, until

KINDS = [
    *(verb for verb in wire.VERBS if verb != "renew"),
    "hello",
    "look",
    "ping",
    "sit",
    "view",
    "update",
    "welcome",
    "",
]
VALUES = [
    None,
    True,
    -1,
    0,
    1,
    2,
    15,
    16,
    10**9,
    10**20,
    0.5,
    1e308,
    "",
    "x",
    "pass",
    "convert",
    "../..",
    "é\u202e",
    "'; --",
]
VALUES += ["x" * 200, [], [1], {}, {"type": "act"}, [[[[]]]]]
FIELDS = [
    "id",
    "choice",
    "action",
    "seat",
    "text",
    "level",
    "table",
    "token",
    "seq",
    "lang",
    "url",
    "n",
    "type",
    "extra",
]


def scrambled(chance, good):
    """A message that is nearly right, or not at all."""
    message = dict(chance.pick(good)) if chance.below(2) else {"type": chance.pick(KINDS)}
    for _ in range(chance.below(4)):
        message[chance.pick(FIELDS)] = chance.pick(VALUES)
    if message and chance.below(4) == 0:
        message.pop(chance.pick(sorted(message)))
    text = json.dumps(message)
    if chance.below(5) == 0:
        text = text[: chance.below(len(text) + 1)]
    elif chance.below(8) == 0:
        at = chance.below(len(text))
        text = text[:at] + chance.pick(["\x00", "}", '"', "\\", "9", "ü"]) + text[at + 1 :]
    return text


async def agree(actor, store, table):
    """Is everything that a table knows in its log, and nothing else?"""
    await actor.caught_up()
    return actor.table.length == len((await store.load(table)).entries)


async def test_scrambled_messages_get_an_answer_and_do_no_harm(tmp_path, caplog):
    async with hall(tmp_path) as (hall_, client):
        for number, (game, seats) in enumerate((("equinox", 2), ("fairy_school", 3))):
            table, tokens = await table_of(client, game, seats)
            other, others = await table_of(client, game, seats)
            untouched = hall_.actor(other).table.length
            chance = Chance.from_text(f"fuzz {number}")
            for round_ in range(14):
                line = await raw(client, table, chance.pick([None, *tokens]))
                good = [{"type": "look"}, {"type": "undo", "id": f"u{round_}"}, {"type": "ping"}]
                choice = line.welcome["choice"]
                if choice:
                    action = chance.pick(choice["options"])
                    good.append({"type": "act", "id": f"a{round_}", "choice": choice["id"], "action": action})
                good.append({"type": "hello", "table": table, "token": others[0]})
                for _ in range(18):
                    await line.say(scrambled(chance, good))
                await line.say({"type": "ping", "n": 4242})
                while (said := await line.hear())["type"] not in ("closed", "bye"):
                    if said == {"type": "pong", "n": 4242}:
                        break
                    if said["type"] == "error":
                        assert said["code"] in STATUS
                        assert said["code"] != "fault", said
                        assert said["message"]
                await line.ws.close()
            actor = await hall_.server.registry.actor(table)
            # a bot may play on for somebody who has left: then the log is written a moment after the table knows
            await until(partial(agree, actor, hall_.store, table))
            assert hall_.actor(other).table.length == untouched
        faults = hall_.server.services.metrics.faults._value.get()
    assert faults == 0, caplog.text
    assert "Traceback" not in caplog.text


def frame(data, opcode=1, final=True, mask=True, size=None):
    """A WebSocket frame, right or wrong."""
    first = (0x80 if final else 0) | opcode
    length = len(data) if size is None else size
    head = bytes([first])
    if length < 126:
        head += bytes([(0x80 if mask else 0) | length])
    elif length < 1 << 16:
        head += bytes([(0x80 if mask else 0) | 126]) + struct.pack(">H", length)
    else:
        head += bytes([(0x80 if mask else 0) | 127]) + struct.pack(">Q", length)
    return head + (b"\0\0\0\0" if mask else b"") + data


HELLO = json.dumps({"type": "hello", "table": "x"}).encode()
STREAMS = {
    "garbage": os.urandom(400),
    "not masked": frame(HELLO, mask=False),
    "invalid utf-8": frame(b"\xff\xfe\xfd"),
    "half a frame": frame(HELLO)[:9],
    "more promised than sent": frame(HELLO, size=4000),
    "larger than allowed": frame(b"", size=1 << 40),
    "unknown opcode": frame(HELLO, opcode=7),
    "in pieces that never end": frame(HELLO, final=False) + frame(b"x", opcode=0, final=False) * 50,
    "continued out of order": frame(b"x", opcode=0) + frame(HELLO),
    "large ping": frame(b"p" * 200, opcode=9),
    "close and go on": frame(struct.pack(">H", 1000), opcode=8) + frame(HELLO),
    "close with a bad code": frame(struct.pack(">H", 7), opcode=8),
    "compressed without leave": bytes([0xC1, 0x80, 0, 0, 0, 0]),
}


@pytest.mark.parametrize("name", STREAMS)
async def test_broken_frames_cost_nobody_else_anything(open_hall, name):
    hall_, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    cursor, writer = await asyncio.open_connection("127.0.0.1", hall_.port)
    writer.write(
        b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    await cursor.readuntil(b"\r\n\r\n")
    writer.write(STREAMS[name])
    await writer.drain()
    await asyncio.sleep(0.05)
    async with client.connect(table, tokens[0]) as ana:
        assert ana.view["viewer"] == 0
    writer.close()
    await asyncio.sleep(0.02)
    assert hall_.server.services.metrics.faults._value.get() == 0


async def test_two_at_once_at_every_step_never_both_win(open_hall):
    """Both devices of a seat answer every choice at the same moment with different options."""
    hall_, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    lines = {seat: [await raw(client, table, token) for _ in range(2)] for seat, token in enumerate(tokens)}
    actor, chance = hall_.actor(table), Chance(9)
    for n in range(30):
        if actor.table.status != "playing":
            break
        (seat,) = actor.table.asked()
        choice, options = actor.table.cursors[seat].choice, actor.table.choice(seat).options
        before = len(actor.table.sitting.actions)
        for which, line in enumerate(lines[seat]):
            await line.say(
                {"type": "act", "id": f"{n}-{which}", "choice": choice, "action": chance.pick(options)}
            )
        answers = []
        for line in lines[seat]:
            while True:
                said = await line.hear()
                if said["type"] == "error" or "done" in said:
                    answers.append(said.get("code", "done"))
                    break
        assert sorted(answers) == ["done", "stale"]
        assert len(actor.table.sitting.actions) == before + 1


SECRET = "what lies beside the client is nobody's business"
DOTS = [
    *(
        "../",
        "..%2f",
        "%2e%2e/",
        "%2e%2e%2f",
        "%2E%2E%2F",
        ".%2e/",
        "..%252f",
        "%252e%252e%252f",
        "%252e%252e/",
    ),
    *(
        "..\\",
        "..%5c",
        "%2e%2e%5c",
        "..%255c",
        "....//",
        "..;/",
        "..%00/",
        "%c0%ae%c0%ae/",
        "%ef%bc%8e%ef%bc%8e/",
    ),
]
TRICKS = [
    *(
        f"{start}{dots * deep}secret.txt"
        for dots in DOTS
        for deep in (1, 2, 3)
        for start in ("/", "/assets/")
    ),
    *(f"{start}{dots * 9}etc/passwd" for dots in DOTS for start in ("/", "/assets/", "/assets/x/", "/t/")),
    *(
        "//etc/passwd",
        "/assets//etc/passwd",
        "/assets/%2fetc%2fpasswd",
        "/%2fetc%2fpasswd",
        "/assets/file:///etc/passwd",
    ),
    *(
        "http://127.0.0.1/../secret.txt",
        "http://127.0.0.1/assets/../../secret.txt",
        "/assets/C:%5csecret.txt",
    ),
    *(
        "/link.txt",
        "/assets/link.js",
        "/assets/way/secret.txt",
        "/way/secret.txt",
        "/assets/way",
        "/assets/link.js.gz",
    ),
    *("/assets/plain.js%00", "/assets/plain.js%00.css", "/%00", "/assets/%00", "/assets/%00secret.txt"),
    *("/assets", "/assets/", "/assets/.", "/assets/..", "/assets/%2e", "/assets/%2e%2e", "/."),
    *("/assets/" + "a" * 255, "/" + "a" * 300, "/" + "a" * 7000),
]


LONG = ["/assets/" + "a/" * 2000, "/assets/" + "%2e%2e%2f" * 800 + "etc/passwd"]


def client_folder(folder):
    """A folder laid out as the built client is, with ways out of it planted."""
    if PACKAGED.exists():
        shutil.copytree(PACKAGED, folder)
    (folder / "assets").mkdir(parents=True, exist_ok=True)
    for name in ("index.html", "icon.svg", "sw.js", "assets/plain.js"):
        (folder / name).write_text(f"this is {name}")
    (folder.parent / "secret.txt").write_text(SECRET)
    (folder / "link.txt").symlink_to("../secret.txt")
    (folder / "assets" / "link.js").symlink_to("../../secret.txt")
    (folder / "assets" / "link.js.gz").symlink_to("../../secret.txt")
    (folder / "assets" / "way").symlink_to("../..", target_is_directory=True)
    (folder / "way").symlink_to("..", target_is_directory=True)
    return folder


async def fetched(port, path):
    """Status and body of a request whose path goes out as it is written."""
    cursor, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode("latin-1"))
    async with asyncio.timeout(PATIENCE):
        answer = await cursor.read()
    writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split(b" ", 2)[1]), body


async def test_no_trick_with_paths_leads_out_of_the_clients_folder(tmp_path):
    folder = client_folder(tmp_path / "static")
    async with hall(tmp_path, static=folder) as (hall_, _):
        for path, text in (("/", "index.html"), ("/assets/plain.js", "assets/plain.js"), ("/sw.js", "sw.js")):
            assert await fetched(hall_.port, path) == (200, f"this is {text}".encode())
        for path in TRICKS:
            await assert_not_there(hall_, path)
        assert await fetched(hall_.port, "/healthz") == (200, b"ok\n")
        assert hall_.server.services.metrics.faults._value.get() == 0


LONG_NAME = "/assets/" + "a" * 300


@pytest.mark.parametrize("path", [LONG_NAME, *LONG])
async def test_a_file_name_that_is_too_long_is_not_there_and_no_fault(tmp_path, path):
    async with hall(tmp_path, static=client_folder(tmp_path / "static")) as (hall_, _):
        await assert_not_there(hall_, path)
        assert hall_.server.services.metrics.faults._value.get() == 0


async def assert_not_there(hall_, path):
    """Nothing is available at this path."""
    status, body = await fetched(hall_.port, path)
    assert status in (400, 403, 404, 414), (path[:80], status)
    assert SECRET.encode() not in body, path[:80]
    assert b"root:" not in body, path[:80]
    assert b"plain.js" not in body, f"{path[:80]} lists the folder"


FAULTY = """
import sys
from dataclasses import replace
from fabletop.cli import main
from fabletop.server import command
from fabletop.server.tables import commands as verbs
from fabletop.server.protocol import wire

plain = command.settings_of
command.settings_of = lambda given: replace(
    plain(given), notice_after=0.0, sweep=0.1, trusted_hooks=frozenset({'127.0.0.1'})
)

async def fault(call, message):
    raise RuntimeError(f"a fault of {call.key} with the seed {call.table.head.seed}")

verbs.COMMANDS[wire.Resign] = fault
sys.exit(main())
"""


async def test_the_log_is_json_and_holds_no_secret_whatever_goes_wrong(tmp_path, postgres):
    names, chat, password = ["Ana zq71", "Ben zq72"], "the plover zq73 is in the pie", "zq74password"
    called, seed = asyncio.Event(), "zq77" * 10

    async def fail(cursor, writer):
        called.set()
        writer.write(b"HTTP/1.1 500 zq75\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        await writer.drain()
        writer.close()

    broken = await asyncio.start_server(fail, "127.0.0.1", 0)
    hook = f"http://127.0.0.1:{broken.sockets[0].getsockname()[1]}/zq76"
    database = (await postgres.fresh()).replace("postgres@", f"postgres:{password}@")
    (tmp_path / "faulty.py").write_text(FAULTY)
    server = Process("--database", database, "--log", "debug", environment={"XDG_DATA_HOME": str(tmp_path)})
    server.program = (str(tmp_path / "faulty.py"),)
    with (tmp_path / "errors").open("wb") as server.errors:
        await server.start()
        try:
            secrets = await gone_wrong(server.address, names, chat, hook, called, seed, postgres)
        finally:
            broken.close()
            await server.kill()
    secrets += [*names, chat, password, hook, "zq75", "zq76", seed]
    lines = (tmp_path / "errors").read_text().splitlines()
    told = [json.loads(line) for line in lines]
    assert [line for line in told if set(line) < {"at", "level", "logger", "message"}] == []
    assert {"info", "warning", "error"} <= {line["level"] for line in told}
    assert any("a fault of" in line.get("error", "") for line in told), "the fault was logged"
    whole = "\n".join(lines)
    assert [secret for secret in secrets if secret in whole] == []


async def gone_wrong(address, names, chat, hook, called, seed, postgres):
    """People play at a server and everything goes wrong; the secrets that they have."""
    async with Client(address) as client:
        made = await client.make("equinox", ["open", "open"], name=names[0], seed=seed)
        table, tokens = made["table"], [made["token"]]
        tokens.append((await client.sit(table, names[1]))["token"])
        for token in tokens:
            await client.do(table, "webhook", token, url=hook)
            await client.do(table, "chat", token, text=chat)
        for verb, body in (
            ("resign", {}),
            ("act", {"id": chat, "choice": 1, "action": chat}),
            ("dance", {"x": chat}),
        ):
            for token in (*tokens, "x" + tokens[0], made["host"]):
                with contextlib.suppress(RequestRefused):
                    await client.do(table, verb, token, **body)
        line = await raw(client, table, tokens[0])
        for said in (
            {"type": "resign"},
            {"type": "chat", "text": [chat]},
            {"type": "act", "token": tokens[0]},
            chat,
        ):
            await line.say(said)
        await line.say({"type": "hello", "table": table, "token": tokens[0] + "x"})
        assert (await line.hear("error"))["code"] == "fault"
        for path in (
            f"/t/{table}?token={tokens[0]}",
            f"/api/tables/{table}/view?token={tokens[1]}",
            f"/{tokens[0]}",
        ):
            async with client.session.get(address + path) as answer:
                await answer.read()
        await line.ws.close()
        async with asyncio.timeout(PATIENCE):
            await called.wait()  # it is the turn of somebody who is away
        await asyncio.to_thread(postgres.stop)
        for token in tokens:
            with contextlib.suppress(RequestRefused, aiohttp.ClientError):
                await client.do(table, "chat", token, text=chat)
        await asyncio.to_thread(postgres.start)
        await asyncio.sleep(0.3)
        with contextlib.suppress(RequestRefused):
            await client.get(table, "view", tokens[0])
    return [*tokens, made["host"], f"{address}/t/{table}#{tokens[0]}"]
