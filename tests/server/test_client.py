"""The Python client: whatever is asked is answered, refused, or given up after a while."""

import asyncio
import re
import sys
from pathlib import Path

import pytest
from aiohttp import WSMsgType, web

from fabletop.client import AnswerTimeout, Client, ConnectionLost, RequestRefused
from fabletop.client.connection import TOO_LARGE, WITH_ID
from fabletop.server.protocol import wire
from fabletop.server.settings import Settings
from tests.server.hall import PATIENCE, hall, raw, table_of

PAGE = Path(__file__).resolve().parents[2] / "docs" / "client.md"


async def refused(code, awaitable):
    with pytest.raises(RequestRefused) as refusal:
        async with asyncio.timeout(PATIENCE):
            await awaitable
    assert refusal.value.code == code
    return str(refusal.value)


def test_the_client_knows_which_messages_have_an_id_and_how_long_they_may_be():
    with_id = [kind for kind in wire.MESSAGES if "id" in kind.__struct_fields__]
    assert {kind.__struct_config__.tag for kind in with_id} == set(WITH_ID)
    assert set(wire.VERBS) <= set(WITH_ID)
    assert TOO_LARGE == wire.LARGEST_MESSAGE


async def test_an_error_names_the_message_even_where_nothing_else_of_it_is_understood(open_hall):
    _, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    line = await raw(client, table, tokens[0])
    for message, given in (
        ({"type": "act", "id": "one", "choice": 1, "action": "x" * 100}, "one"),
        ({"type": "jump", "id": "two"}, "two"),
        ({"type": "leave", "id": "three", "levle": "puss"}, "three"),
        ({"type": "act", "id": "x" * 65, "choice": 1, "action": "pass"}, None),
        ({"type": "act", "id": 4, "choice": 1, "action": "pass"}, None),
        ("{", None),
        ('["id"]', None),
    ):
        await line.say(message)
        error = await line.hear("error")
        assert (error["code"], error.get("id")) == ("bad_message", given)


async def test_what_cannot_be_read_is_refused_and_the_next_ask_is_answered(open_hall):
    _, client = open_hall
    made = await client.make("equinox", ["open", "thumbling"], name="Ana", options={"first": 0})
    async with client.connect(made["table"], made["token"]) as place:
        await place.next_choice(PATIENCE)
        assert "80" in await refused("bad_message", place.act("x" * 100))
        await refused("bad_message", place.ask({"type": "leave", "levle": "puss"}))
        await refused("bad_message", place.ask({"type": "act", "id": 7, "choice": 1, "action": "pass"}))
        await refused("bad_message", place.ask({"type": "jump"}))
        await refused("bad_message", place.ask({}))
        assert "not 5" in await refused("too_large", place.ask({"type": "chat", "text": "x" * 5000}))
        fits = {"type": "chat", "text": "", "id": "fits"}
        fits["text"] = "x" * (TOO_LARGE - 1 - len('{"type": "chat", "text": "", "id": "fits"}'))
        await refused("bad_message", place.ask(fits))
        await place.act(place.choice["options"][0])
        assert place.reconnections == 0


async def test_answers_come_to_those_who_asked(open_hall):
    _, client = open_hall
    made = await client.make("equinox", ["open", "thumbling"], name="Ana", options={"first": 0})
    async with client.connect(made["table"], made["token"]) as place:
        await place.next_choice(PATIENCE)
        left, chatted, hint, bad, back, pong = await asyncio.gather(
            place.ask({"type": "leave", "level": "wizard"}),
            place.ask({"type": "chat", "text": "one moment"}),
            place.ask({"type": "hint"}),
            place.say("\x07"),
            place.ask({"type": "back"}),
            place.ask({"type": "ping", "n": 3}),
            return_exceptions=True,
        )
        assert "wizard" in str(left)
        assert chatted.keys() == {"type", "id"}
        assert hint["options"][0].keys() == {"action", "victory", "points", "visits"}
        assert "nothing to say" in str(bad)
        assert back.keys() == {"type", "id"}
        assert pong == {"type": "pong", "n": 3}


async def test_a_line_of_chat_that_is_refused_is_said_to_be(open_hall):
    _, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    async with client.connect(table, tokens[0]) as ana, client.connect(table) as watcher:
        await ana.say("hello")
        await refused("bad_message", ana.say("x" * 501))
        await refused("not_allowed", watcher.say("hello"))
        assert [line["text"] for line in ana.chat] == ["hello"]


async def test_a_hot_seat_is_looked_at_from_all_its_sides(open_hall):
    _, client = open_hall
    made = await client.make("equinox", ["hot", "hot", "gretel"], name="Ana")
    async with client.connect(made["table"], made["token"]) as place:
        for seat in (1, 0, 1):
            await place.look(seat)
            assert (place.view["viewer"], place.seat) == (seat, seat)
        await refused("not_allowed", place.look(2))
        assert place.seat == 1


async def silent(request):
    """A server that says welcome, and then nothing more; it hangs up when it hears `drop`."""
    ws = web.WebSocketResponse()
    await ws.prepare(request)
    async for message in ws:
        assert message.type is WSMsgType.TEXT
        said = message.json()
        if said["type"] == "hello":
            welcome = {"type": "welcome", "table": {"status": "playing"}, "view": {}, "choice": {"id": 1}}
            welcome |= {"keep": 0, "events": [], "seq": 1, "undo": None, "chat": [], "viewer": 0}
            await ws.send_json(welcome)
        elif said["type"] == "drop":
            break
        elif said.get("action") == "garble":
            await ws.send_json({"type": "error", "code": "bad_message", "message": "what?"})
    return ws


async def gateway(_):
    """A proxy whose server is away."""
    return web.Response(text="<h1>Bad gateway</h1>", status=502)


@pytest.fixture
async def silent_client():
    app = web.Application()
    app.router.add_get("/ws", silent)
    app.router.add_get("/api/about", gateway)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    async with Client(f"http://127.0.0.1:{runner.addresses[0][1]}") as client:
        yield client
    await runner.cleanup()


async def test_a_server_that_does_not_answer_is_given_up_after_a_while(silent_client):
    async with silent_client.connect("t", answer_within=0.2) as place:
        for message in ({"type": "undo"}, {"type": "leave"}):
            with pytest.raises(AnswerTimeout, match=message["type"]):
                await place.ask(message)
        with pytest.raises(AnswerTimeout, match=r"0\.1 seconds"):
            await place.ask({"type": "back"}, timeout=0.1)
        assert not place._unanswered


async def test_a_refusal_without_an_id_is_that_of_the_call_that_has_waited_longest(silent_client):
    async with silent_client.connect("t", answer_within=0.3) as place:
        waiting = asyncio.ensure_future(place.act("pass"))
        await asyncio.sleep(0.05)
        with pytest.raises(AnswerTimeout):
            await place.act("garble")
        await refused("bad_message", waiting)


async def test_what_cannot_be_sent_twice_is_not_and_who_leaves_waits_no_longer(silent_client):
    async with silent_client.connect("t") as place:
        ping = asyncio.ensure_future(place.ask({"type": "ping"}))
        await asyncio.sleep(0.05)
        with pytest.raises(ConnectionLost, match="'drop'"):
            await place.ask({"type": "drop"}, timeout=5)
        with pytest.raises(ConnectionLost, match="'ping'"):
            await ping
        await place.until(lambda: place._up, PATIENCE)
        undo = asyncio.ensure_future(place.undo())
        await asyncio.sleep(0.05)
    with pytest.raises(ConnectionLost, match="left"):
        await undo
    with pytest.raises(ConnectionLost, match="left"):
        await place.undo()


async def test_an_answer_that_is_not_ours_is_a_refusal(silent_client):
    assert "Bad gateway" in await refused("502", silent_client.call("GET", "/api/about"))


async def bot_of_the_page(folder, *arguments):
    """Run docs/client.md as it stands there, to its end; what it prints."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    (folder / "bot.py").write_text(code, "utf-8")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-W", "error", str(folder / "bot.py"), *arguments), stdout=asyncio.subprocess.PIPE
    )
    try:
        async with asyncio.timeout(90):
            told, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0
    return told.decode()


async def test_the_bot_of_the_page_plays_a_game_to_its_end(tmp_path):
    async with hall(tmp_path) as (hall_, client):
        made = await client.make("equinox", ["open", "thumbling"])
        told = await bot_of_the_page(tmp_path, hall_.address, made["table"])
        now = await client.get(made["table"])
    assert now["status"] == "over"
    assert now["seats"][0]["name"] == "Dov"
    assert str(now["outcome"]["scores"]) in told


async def test_the_bot_of_the_page_makes_its_own_table(tmp_path):
    async with hall(tmp_path) as (hall_, _):
        assert "the points: [" in await bot_of_the_page(tmp_path, hall_.address, "equinox")


async def test_two_bots_of_the_page_play_at_full_speed_on_a_server_with_its_usual_limits(tmp_path):
    usual = Settings()
    limits = {
        "messages_per_second": usual.messages_per_second,
        "requests_per_second": usual.requests_per_second,
        "looks_per_second": usual.looks_per_second,
        "view_gap": usual.view_gap,
    }
    async with hall(tmp_path, **limits) as (hall_, client):
        made = await client.make(
            "fairy_school", ["open", "open"], options={"length": "short", "setup": "beginners"}
        )
        told = await asyncio.gather(
            *(bot_of_the_page(tmp_path, hall_.address, made["table"]) for _ in range(2))
        )
        now = await client.get(made["table"])
        refused = hall_.server.services.metrics.refused.labels("too_many")._value.get()
    assert now["status"] == "over"
    assert sorted(seat["name"] for seat in now["seats"]) == ["Dov", "Dov 2"]
    assert told == [f"the points: {now['outcome']['scores']}\n"] * 2
    assert refused == 0


async def test_a_place_keeps_to_the_limits_that_the_server_tells(tmp_path):
    async with hall(tmp_path, messages_per_second=20) as (_, client):
        made = await client.make("equinox", ["open", "open"], name="Ana")
        assert (await client.limits())["message_burst"] == 60
        async with client.connect(made["table"], made["token"]) as place:
            began = asyncio.get_running_loop().time()
            await asyncio.gather(*(place.ask({"type": "ping", "n": n}) for n in range(80)))
            assert asyncio.get_running_loop().time() - began > (80 - 60) / 20
            assert place.reconnections == 0


async def test_a_place_that_is_cut_off_for_too_many_messages_comes_back_and_sends_less(tmp_path):
    async with hall(tmp_path, messages_per_second=10) as (_, client):
        client._limits = {"messages_per_second": 1e9, "message_burst": 1e9}  # it does not know them
        made = await client.make("equinox", ["open", "open"], name="Ana")
        async with client.connect(made["table"], made["token"]) as place:
            asks = [place.ask({"type": "undo"}, timeout=20) for _ in range(40)]
            client._limits = {"messages_per_second": 10.0, "message_burst": 30.0}
            answers = await asyncio.gather(*asks, return_exceptions=True)
            assert {type(answer) for answer in answers} == {RequestRefused}
            assert (place.reconnections, place._slowdown) == (1, 2.0)
            assert place.table["status"] == "open"
