"""The line itself: reconnecting, repeating, racing, and messages that make no sense."""

import asyncio
import contextlib

import pytest
from aiohttp import WSMsgType

from fabletop import Chance
from fabletop.client import RequestRefused
from fabletop.core.sitting import WHY_NOT
from fabletop.server.api import websocket as socket
from fabletop.server.protocol import wire
from tests.server.hall import PATIENCE, hall, play, raw, table_of, until


async def asked_of(client, table, tokens):
    """The seat that is asked, with a raw line for it."""
    for token in tokens:
        line = await raw(client, table, token)
        if line.welcome["choice"] is not None:
            return line
        await line.ws.close()
    raise AssertionError("nobody is asked")


async def test_the_same_answer_twice_is_carried_out_once_and_acknowledged_twice(open_hall):
    hall_, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    line = await asked_of(client, table, tokens)
    choice = line.welcome["choice"]
    answer = {"type": "act", "id": "one", "choice": choice["id"], "action": choice["options"][0]}
    await line.say(answer)
    await line.say(answer)
    assert (await line.hear("update"))["done"] == "one"
    assert (await line.hear("done"))["id"] == "one"
    assert len(hall_.actor(table).table.sitting.actions) == 1
    other = {**answer, "action": choice["options"][1]}
    await line.say(other)
    assert (await line.hear("error"))["code"] == "bad_message", "the id was used for something else"


async def test_a_second_answer_to_the_same_choice_is_told_that_it_is_answered(open_hall):
    hall_, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    one = await asked_of(client, table, tokens)
    two = await asked_of(client, table, tokens)
    choice = one.welcome["choice"]
    for n, line in enumerate((one, two)):
        await line.say(
            {"type": "act", "id": f"by {n}", "choice": choice["id"], "action": choice["options"][n]}
        )
    first, second = await one.hear("update"), await two.hear("error")
    if "done" not in first:
        first, second = await two.hear("update"), await one.hear("error")
    assert second["code"] == "stale"
    assert "already been answered" in second["message"]
    assert len(hall_.actor(table).table.sitting.actions) == 1


async def test_seats_that_decide_at_once_never_collide(open_hall):
    hall_, client = open_hall
    table, tokens = await table_of(client, "fairy_school", 6)
    lines = [await raw(client, table, token) for token in tokens]
    rounds = 0
    while rounds < 3:
        asked = [line for line in lines if line.welcome["choice"] is not None]
        rounds += len(asked) == 6
        before = len(hall_.actor(table).table.sitting.actions)
        for line in asked:  # nobody waits for anybody's answer
            choice = line.welcome["choice"]
            await line.say(
                {"type": "act", "id": f"{before}", "choice": choice["id"], "action": choice["options"][0]}
            )
        for line in asked:
            while "done" not in (update := await line.hear("update")):
                pass
            assert update["done"] == f"{before}"
        for line in lines:
            await line.say({"type": "look"})
            line.welcome = await line.hear("welcome")
        assert len(hall_.actor(table).table.sitting.actions) == before + len(asked)


BEGINNERS = {"setup": "beginners"}


@pytest.mark.parametrize(
    ("game", "options", "reason"),
    [
        ("equinox", {}, "nothing"),
        ("equinox", {}, "learned"),
        ("equinox", {}, "acted"),
        ("fairy_school", BEGINNERS, "nothing"),
        ("fairy_school", BEGINNERS, "learned"),
        ("fairy_school", BEGINNERS, "closed"),
    ],
)
async def test_what_cannot_be_taken_back_is_refused_with_the_reason(open_hall, game, options, reason):
    hall_, client = open_hall
    table, tokens = await table_of(client, game, 2, options=options, seed="undo")
    actor, chance = hall_.actor(table), Chance(4)
    for n in range(400):
        barred = [seat for seat in range(2) if actor.table.sitting.undo_barrier(seat) == reason]
        if barred:
            break
        seat = chance.pick(actor.table.asked())
        choice, action = actor.table.cursors[seat].choice, chance.pick(actor.table.choice(seat).options)
        await client.do(table, "act", tokens[seat], id=f"{n}", choice=choice, action=action)
    ana = await raw(client, table, tokens[barred[0]])
    ben = await raw(client, table, tokens[1 - barred[0]])
    assert ana.welcome["undo"] == reason, "the client is told before it asks"
    before = actor.table.length
    await ana.say({"type": "undo", "id": "back"})
    said = await ana.hear("error")
    assert (said["code"], said["id"]) == ("cannot_undo", "back")
    assert WHY_NOT[reason] in said["message"]
    with pytest.raises(RequestRefused, match=WHY_NOT[reason]) as refused:
        await client.do(table, "undo", tokens[barred[0]], id="back")
    assert refused.value.code == "cannot_undo"
    await ana.say({"type": "look"})
    again = await ana.hear("welcome")
    assert [again[name] for name in ("seq", "view", "choice", "undo")] == [
        ana.welcome[name] for name in ("seq", "view", "choice", "undo")
    ]
    await ben.say({"type": "ping", "n": 5})
    assert await ben.hear() == {"type": "pong", "n": 5}, "nobody else hears of it"
    assert actor.table.length == before


async def test_a_client_can_ask_which_options_reveal_something(open_hall):
    _, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    asked = [(await raw(client, table, token, reveals=True)).welcome["choice"] for token in tokens]
    not_asked = [(await raw(client, table, token)).welcome["choice"] for token in tokens]
    assert [choice and choice["options"] for choice in asked] == [c and c["options"] for c in not_asked]
    assert sum(choice is not None and "reveals" in choice for choice in not_asked) == 0
    [choice] = [choice for choice in asked if choice]
    assert set(choice.get("reveals", [])) < set(choice["options"])


async def test_a_client_that_was_away_gets_what_it_missed_and_no_more(open_hall):
    _, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    async with client.connect(table, tokens[0]) as ana, client.connect(table, tokens[1]) as ben:
        here = await raw(client, table, tokens[0])
        away = here.welcome
        await here.ws.close()
        for _ in range(6):
            mover = ana if ana.choice else ben
            await mover.act(mover.choice["options"][0])
            await asyncio.gather(
                *(p.until(lambda p=p: p.choice or ana.choice or ben.choice, PATIENCE) for p in (ana, ben))
            )
        back = (await raw(client, table, tokens[0], seq=away["seq"])).welcome
        assert back["seq"] > away["seq"]
        assert back["keep"] == len(away["events"])
        assert away["events"] + back["events"] == (await client.get(table, "story", tokens[0]))["events"]
        for gap in (10_000, -1):
            whole = (await raw(client, table, tokens[0], seq=gap)).welcome
            assert whole["keep"] == 0, "a number that we do not remember leads to the whole story"
            assert whole["events"] == away["events"] + back["events"]


async def test_updates_are_numbered_without_gaps_and_views_are_never_behind_for_long(tmp_path):
    async with hall(tmp_path, view_gap=0.15) as (_, client):
        table, tokens = await table_of(client, "equinox", 2)
        watcher = await raw(client, table)
        async with client.connect(table, tokens[0]) as ana, client.connect(table, tokens[1]) as ben:
            await asyncio.gather(play(ana, Chance(1)), play(ben, Chance(2)))
            await asyncio.sleep(0.4)
        seqs, with_view, without, last = [watcher.welcome["seq"]], 0, 0, None
        while (said := await watcher.hear())["type"] in ("update", "view", "table"):
            if said["type"] == "update":
                seqs.append(said["seq"])
                with_view += "view" in said
                without += "view" not in said
            last = said.get("view", last)
            if said["type"] == "table" and said["table"]["status"] == "over":
                break
        with contextlib.suppress(TimeoutError):  # a view that came with no update comes soon
            while True:
                last = (await watcher.hear(timeout=1)).get("view", last)
        assert seqs == list(range(seqs[0], seqs[0] + len(seqs)))
        assert without > with_view, "updates came thick and fast, so views were saved"
        assert last == (await client.get(table, "view"))["view"]


async def test_a_restart_is_invisible_but_for_a_pause(tmp_path):
    async with hall(tmp_path, snapshot_every=20) as (hall_, client):
        table, tokens = await table_of(client, "equinox", 3)
        async with (
            client.connect(table, tokens[0]) as ana,
            client.connect(table, tokens[1]) as ben,
            client.connect(table, tokens[2]) as cleo,
        ):
            players = [asyncio.ensure_future(play(p, Chance(n))) for n, p in enumerate((ana, ben, cleo))]
            for _ in range(3):
                await asyncio.sleep(0.02)
                await hall_.close()
                await hall_.open()
                await until(lambda: ana._up)
            done = await asyncio.gather(*players)
            assert ana.reconnections == 3
            assert ana.table["status"] == "over"
            record = await client.get(table, "record")
            assert len(record["actions"]) == sum(map(len, done))
            for place in (ana, ben, cleo):
                assert place.story == (await client.get(table, "story", place.token))["events"]


async def test_a_long_game_opens_at_once(tmp_path):
    async with hall(tmp_path) as (hall_, client):
        made = await client.make("fairy_school", ["hot"] * 4)
        actor = await hall_.server.registry.actor(made["table"])
        from fabletop.server.stores.entries import Acted

        chance, entries = Chance(5), []
        for n in range(1500):
            seat = chance.pick(actor.table.asked())
            action = actor.table.game.actions[chance.pick(actor.table.choice(seat).options)]
            stored, _ = actor.put(Acted(5.0, seat, action, id=f"{n}"))
            entries.append(stored)
        await asyncio.gather(*entries)
        view = actor.table.sitting.view(None)
        await hall_.server.registry.evict(made["table"])
        began = hall_.server.services.ticks()
        again = await hall_.server.registry.actor(made["table"])
        assert hall_.server.services.ticks() - began < 1.0
        assert again.table.sitting.view(None) == view


NONSENSE = [
    "",
    "{",
    "[]",
    "null",
    '"hello"',
    "{}",
    '{"type": 3}',
    '{"type": "dance"}',
    '{"type": "act"}',
    '{"type": "act", "id": "", "choice": 1, "action": "pass"}',
    '{"type": "act", "id": "x", "choice": "1", "action": "pass"}',
    '{"type": "act", "id": "x", "choice": 1, "action": {"a": 1}}',
    '{"type": "act", "id": "x", "choice": 1e99, "action": "pass"}',
    '{"type": "act", "id": "x", "choice": 1, "action": "pass", "seat": -1}',
    '{"type": "act", "id": "x", "choice": 1, "action": "pass", "extra": 1}',
    '{"type": "hello", "table": "../../etc/passwd"}',
    '{"type": "hello", "table": "a b"}',
    '{"type": "chat", "text": ""}',
    '{"type": "undo", "id": "x", "seat": 99}',
    "\U0001f600",
    "[" * 4000,
    '{"type": "act", "id": "x", "choice": 1, "action": ' + "[" * 3900 + "]" * 10 + "}",
]


async def test_every_bad_message_gets_a_clear_answer_and_changes_nothing(tmp_path):
    async with hall(tmp_path) as (hall_, client):
        table, tokens = await table_of(client, "equinox", 2)
        length = hall_.actor(table).table.length
        for text in NONSENSE:
            line = await raw(client, table, tokens[0])
            await line.say(text)
            said = await line.hear("error")
            assert said["code"] == "bad_message", text
            assert len(said["message"]) > 5
            await line.say({"type": "ping", "n": 7})
            assert await line.hear("pong") == {"type": "pong", "n": 7}
            await line.ws.close()
        assert hall_.actor(table).table.length == length


async def test_a_client_that_sends_nonsense_is_disconnected(open_hall):
    _, client = open_hall
    line = await raw(client)
    for _ in range(20):
        await line.say("nonsense")
    assert (await line.hear("bye"))["again"] is False
    assert (await line.hear("closed"))["code"] == 1008


async def test_an_oversized_message_closes_the_socket_and_hurts_nobody_else(open_hall):
    _, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    other = await raw(client, table, tokens[1])
    line = await raw(client, table, tokens[0])
    await line.say({"type": "chat", "text": "x" * wire.LARGEST_MESSAGE})
    assert (await line.hear("closed"))["code"] == 1009
    await other.say({"type": "ping"})
    assert (await other.hear("pong"))["n"] == 0


async def test_before_hello_nothing_is_to_be_had(open_hall):
    _, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    line = await raw(client)
    for message in (
        {"type": "look"},
        {"type": "act", "id": "x", "choice": 1, "action": 0},
        {"type": "chat", "text": "x"},
    ):
        await line.say(message)
        assert "hello" in (await line.hear("error"))["message"]
    await line.say({"type": "hello", "table": "nowhere"})
    assert (await line.hear("error"))["code"] == "unknown"
    await line.say({"type": "hello", "table": table, "token": tokens[0]})
    assert (await line.hear("welcome"))["viewer"] == 0


async def test_wrong_tokens_and_other_seats_tokens_open_nothing(open_hall):
    hall_, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    elsewhere, others = await table_of(client, "equinox", 2)
    wrong = tokens[0][:-1] + ("-" if tokens[0].endswith("_") else "_")
    for token in ("x" * 32, others[0], wrong, hall_.actor(table).table.seats[0].key):
        line = await raw(client, table, token)
        assert line.welcome["type"] == "error"
        assert line.welcome["code"] == "not_allowed"
        for verb, body in (
            ("leave", {}),
            ("act", {"id": "x", "choice": 1, "action": 0}),
            ("renew", {}),
            ("resign", {}),
        ):
            with pytest.raises(RequestRefused) as refused:
                await client.do(table, verb, token, **body)
            assert refused.value.code == "not_allowed"
        with pytest.raises(RequestRefused):
            await client.get(table, "view", token)
    line = await raw(client, table, tokens[0])
    for message in ({"type": "look", "seat": 1}, {"type": "undo", "id": "x", "seat": 1}):
        await line.say(message)
        assert (await line.hear("error"))["code"] == "not_allowed"
    spectator = await raw(client, table)
    for message in (
        {"type": "act", "id": "x", "choice": 1, "action": 0},
        {"type": "act", "id": "x", "choice": 1, "action": 0, "seat": 0},
        {"type": "undo", "id": "y"},
        {"type": "leave"},
        {"type": "look", "seat": 0},
    ):
        await spectator.say(message)
        assert (await spectator.hear("error"))["code"] == "not_allowed"
    assert hall_.actor(elsewhere).table.status == "playing"


async def test_a_slow_reader_is_disconnected_and_the_others_play_on(tmp_path):
    async with hall(tmp_path, backlog=2000) as (hall_, client):
        table, tokens = await table_of(client, "equinox", 2)
        slow = await raw(client, table)
        transport = slow.ws._response.connection.transport
        transport.pause_reading()
        actor = hall_.actor(table)
        (line,) = (one for one in actor.subscribers if one.viewer is None)
        for _ in range(20_000):
            line.send(b"x" * 4000)
            if line not in actor.subscribers:
                break
            await asyncio.sleep(0)
        assert line not in actor.subscribers
        transport.abort()
        async with client.connect(table, tokens[0]) as ana:
            assert ana.seq is not None


async def test_a_client_that_does_not_even_answer_a_ping_is_disconnected(open_hall, monkeypatch):
    monkeypatch.setattr(socket, "HEARTBEAT", 0.1)
    hall_, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    there = await raw(client, table, tokens[0])
    hearing = asyncio.ensure_future(there.hear("never"))  # the client's library answers while it listens
    mute = await client.session.ws_connect(f"{client.address}/ws", autoping=False)
    await mute.send_json({"type": "hello", "table": table, "token": tokens[1]})
    heard = [await mute.receive() for _ in range(2)]
    while heard[-1].type is WSMsgType.TEXT:
        heard.append(await mute.receive())
    assert heard[-1].type is WSMsgType.PING
    await until(lambda: hall_.actor(table).here() == [0])
    assert not hearing.done()
    hearing.cancel()


async def test_a_table_closed_to_spectators_is_closed_to_them(open_hall):
    _, client = open_hall
    made = await client.make("equinox", ["open", "bot"], name="Ana", spectators=False)
    line = await raw(client, made["table"])
    assert line.welcome["code"] == "not_allowed"
    for what in ("view", "story"):
        with pytest.raises(RequestRefused, match="spectators"):
            await client.get(made["table"], what)
    assert (await raw(client, made["table"], made["token"])).welcome["viewer"] == 0


@pytest.mark.parametrize("length", [0, 125, 126, 65_535, 65_536, 200_000])
def test_frames_of_all_lengths_are_read_as_they_were_written(length):
    text = b"x" * length
    written = socket.frame(text)
    assert written[:1] == b"\x81", "a whole text"
    size, start = written[1], 2
    if size > 125:
        start = 4 if size == 126 else 10
        size = int.from_bytes(written[2:start], "big")
    assert size == length
    assert written[start:] == text
