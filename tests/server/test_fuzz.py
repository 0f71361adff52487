"""Whatever is sent: a clear answer or a closed socket, no fault, no change that was not asked for rightly."""

import asyncio
import json
import os
import struct

import pytest

from fabletop import Chance
from fabletop.server import wire
from fabletop.server.refusals import STATUS
from tests.server.hall import hall, raw, table_of

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


async def test_scrambled_messages_get_an_answer_and_do_no_harm(tmp_path, caplog):
    async with hall(tmp_path) as (hall_, client):
        for number, (game, seats) in enumerate((("equinox", 2), ("fairy_school", 3))):
            table, tokens = await table_of(client, game, seats)
            other, others = await table_of(client, game, seats)
            untouched = hall_.live(other).table.length
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
            live = await hall_.server.desk.live(table)
            again = await hall_.store.load(table)
            assert live.table.length == len(again.entries)
            assert hall_.live(other).table.length == untouched
        faults = hall_.server.house.metrics.faults._value.get()
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
    reader, writer = await asyncio.open_connection("127.0.0.1", hall_.port)
    writer.write(
        b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    await reader.readuntil(b"\r\n\r\n")
    writer.write(STREAMS[name])
    await writer.drain()
    await asyncio.sleep(0.05)
    async with client.sit_at(table, tokens[0]) as ana:
        assert ana.view["viewer"] == 0
    writer.close()
    await asyncio.sleep(0.02)
    assert hall_.server.house.metrics.faults._value.get() == 0


async def test_two_at_once_at_every_step_never_both_win(open_hall):
    """Both devices of a seat answer every choice at the same moment with different options."""
    hall_, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    lines = {seat: [await raw(client, table, token) for _ in range(2)] for seat, token in enumerate(tokens)}
    live, chance = hall_.live(table), Chance(9)
    for n in range(30):
        if live.table.status != "playing":
            break
        (seat,) = live.table.asked()
        choice, options = live.table.readers[seat].choice, live.table.choice(seat).options
        before = len(live.table.sitting.actions)
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
        assert len(live.table.sitting.actions) == before + 1
