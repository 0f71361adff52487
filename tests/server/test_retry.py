"""Every verb can be sent again: with the same id it is done once, and answered as the first time."""

import asyncio
import secrets

import pytest

from fabletop import GAMES, Chance
from fabletop.client import RequestRefused
from fabletop.server.protocol import wire
from fabletop.server.stores.base import StoreDown
from fabletop.server.stores.entries import Acted, Began, Head, Renewed, Replied, Sat, encode, entry_of
from fabletop.server.tables.commands import COMMANDS
from fabletop.server.tables.table import opened
from tests.server.hall import PATIENCE, hall, play, raw, table_of
from tests.server.test_commands import first_choice, refused

RULES = GAMES["equinox"].rules
HERE = "http://127.0.0.1:9/ring"


def own_token():
    return secrets.token_urlsafe(24)


async def restarted(hall_):
    """The same hall again, with nothing but its database."""
    await hall_.close()
    await hall_.open()


async def entries_of(hall_, table):
    """The log of a table, without what bots do meanwhile."""
    entries = (await hall_.store.load(table)).entries
    return [entry for entry in entries if not isinstance(entry, Acted) or not entry.by]


async def ready(client, verb):
    """A table at which a verb can be asked for: its id, the token that asks, and the body."""
    if verb in ("start", "stand", "close"):
        made = await client.make("equinox", ["open", "open"], name="Ana")
        return made["table"], made["host" if verb != "stand" else "token"], {}
    if verb == "hint":
        made = await client.make("equinox", ["open", "thumbling"], name="Ana", options={"first": 0})
        return made["table"], made["token"], {}
    table, tokens = await table_of(client, "equinox", 2)
    seat, choice = await first_choice(client, table, tokens)
    act = {"choice": choice["id"], "action": choice["options"][0]}
    if verb == "undo":  # an action that can be taken back: try until one is found
        for n in range(40):
            await client.do(table, "act", tokens[seat], id=f"before {n}", **act)
            line = await raw(client, table, tokens[seat])
            if line.welcome["undo"] is None:
                return table, tokens[seat], {}
            seat, choice = await first_choice(client, table, tokens)
            act = {"choice": choice["id"], "action": choice["options"][-1]}
        raise AssertionError("nothing could be taken back")
    if verb == "back":
        await client.do(table, "leave", tokens[0])
    if verb == "rematch":
        await client.do(table, "resign", tokens[0])
        await client.do(table, "resign", tokens[1])
    bodies = {
        "act": act,
        "chat": {"text": "hello"},
        "react": {"reaction": "wave"},
        "replace": {"seat": seat},
        "renew": {"token": own_token()},
        "webhook": {"url": HERE},
        "push": {"endpoint": ""},
    }
    return table, tokens[1 - seat] if verb == "replace" else tokens[seat], bodies.get(verb, {})


@pytest.mark.parametrize("verb", wire.VERBS)
async def test_a_verb_with_the_same_id_is_done_once_also_after_a_restart(tmp_path, verb):
    if verb == "push":
        pytest.importorskip("cryptography", reason="pushing needs the extra `push`")
    more = {"trusted_hooks": frozenset({"127.0.0.1"}), "push_key": tmp_path / "push.pem"}
    async with hall(tmp_path, **more) as (hall_, client):
        table, token, body = await ready(client, verb)
        first = await client.do(table, verb, token, id="once", **body)
        assert first["id"] == "once"
        if verb in ("hint", "react"):
            return  # it stores nothing and is done again
        before = await entries_of(hall_, table)
        assert await client.do(table, verb, token, id="once", **body) == first
        await restarted(hall_)
        assert await client.do(table, verb, token, id="once", **body) == first
        assert await entries_of(hall_, table) == before
        assert len(await hall_.store.chat(table, 9)) == (verb == "chat")


def test_every_verb_is_a_command_and_takes_an_id():
    assert set(COMMANDS) == {*wire.VERBS.values(), wire.Sit, wire.Look}
    assert all("id" in kind.__struct_fields__ for kind in COMMANDS)


async def test_an_id_means_one_thing(open_hall):
    _, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    await client.do(table, "leave", tokens[0], id="one")
    await refused("bad_message", client.do(table, "back", tokens[0], id="one"))
    await refused("bad_message", client.do(table, "leave", tokens[0], id="one", level="puss"))
    await client.do(table, "leave", tokens[1], id="one")  # somebody else's id is another


async def test_what_is_sent_again_late_does_not_undo_what_came_after_it(open_hall):
    hall_, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    await client.do(table, "leave", tokens[0], id="go")
    await client.do(table, "back", tokens[0], id="come")
    await client.do(table, "leave", tokens[0], id="go")
    assert not hall_.actor(table).table.seats[0].bot


async def test_without_an_id_a_verb_is_done_each_time(open_hall):
    hall_, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    for _ in range(2):
        assert await client.do(table, "chat", tokens[0], text="hello") == {"type": "done"}
    assert len(await hall_.store.chat(table, 9)) == 2
    assert not any(isinstance(entry, Replied) and entry.line for entry in await entries_of(hall_, table))


# ---- tokens ---------------------------------------------------------------------------------


async def test_a_lost_answer_to_sit_is_asked_for_again(open_hall):
    hall_, client = open_hall
    made = await client.make("equinox", ["open", "open", "open"], name="Ana")
    path, token = f"/api/tables/{made['table']}/sit", own_token()
    body = {"name": "Ben", "token": token, "id": "sit"}
    first = await client.call("POST", path, body)
    assert first == {"type": "done", "id": "sit", "token": token, "seat": 1, "table": made["table"]}
    await restarted(hall_)
    assert await client.call("POST", path, body) == first
    await refused("bad_message", client.call("POST", path, {**body, "name": "Cleo"}))
    await refused("taken", client.call("POST", path, {"name": "Cleo", "token": token}))
    await refused("taken", client.call("POST", path, {"name": "Cleo", "token": made["host"]}))
    await refused("bad_message", client.call("POST", path, {"name": "Cleo", "id": "no token"}))
    await refused("bad_message", client.call("POST", path, {"name": "Cleo", "token": token[:21]}))
    assert (await raw(client, made["table"], token)).welcome["seats"] == [1]
    stored = b"".join(encode(entry) for entry in await entries_of(hall_, made["table"]))
    assert token.encode() not in stored


async def test_the_old_token_is_told_again_what_it_was_renewed_to_and_opens_nothing(open_hall):
    hall_, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    await client.do(table, "chat", tokens[0], text="hello", id="said")
    await client.do(table, "webhook", tokens[0], url="https://93.184.216.34/ring")
    new = own_token()
    first = await client.do(table, "renew", tokens[0], id="renew", token=new)
    assert first["token"] == new
    await restarted(hall_)
    assert await client.do(table, "renew", tokens[0], id="renew", token=new) == first
    await refused("not_allowed", client.get(table, "view", tokens[0]))
    await refused("not_allowed", client.do(table, "chat", tokens[0], text="still here?"))
    assert (await client.get(table, "view", new))["viewer"] == 0
    # what was said with the old token is not said again with the new one
    await client.do(table, "chat", new, text="hello", id="said")
    assert len(await hall_.store.chat(table, 9)) == 1
    await refused("taken", client.do(table, "renew", tokens[1], token=new))


async def test_the_client_gets_its_new_token_over_a_broken_line(open_hall, monkeypatch):
    hall_, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    async with client.connect(table, tokens[0]) as ana:
        actor = hall_.actor(table)
        write = type(actor).write

        async def cut(self, *entries, **more):
            found = await write(self, *entries, **more)
            if any(isinstance(entry, Renewed) for entry in entries):
                self.subscribers[0].end(wire.Bye("cut", again=True))
            return found

        monkeypatch.setattr(type(actor), "write", cut)
        await ana.ask({"type": "renew"}, 10)
        assert ana.token != tokens[0]
        assert ana.reconnections
        await ana.say("back again")
    await refused("not_allowed", client.get(table, "view", tokens[0]))


# ---- chat -----------------------------------------------------------------------------------


async def test_a_line_that_was_promised_and_not_stored_is_stored_on_retry(open_hall, monkeypatch):
    hall_, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    say = hall_.store.say

    async def down(*_):
        raise StoreDown

    monkeypatch.setattr(hall_.store, "say", down)
    await refused("busy", client.do(table, "chat", tokens[0], text="one", id="one"))
    monkeypatch.setattr(hall_.store, "say", say)
    await restarted(hall_)
    await client.do(table, "chat", tokens[1], text="two")  # takes another number
    async with client.connect(table, tokens[1]) as ben:
        for _ in range(2):
            await client.do(table, "chat", tokens[0], text="one", id="one")
        await ben.until(lambda: len(ben.chat) == 2, PATIENCE)
    assert [(line.n, line.text) for line in await hall_.store.chat(table, 9)] == [(1, "one"), (2, "two")]


async def test_a_line_that_is_sent_twice_at_once_is_told_once(open_hall):
    _, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    async with client.connect(table, tokens[1]) as ben:
        asked = [client.do(table, "chat", tokens[0], text="hello", id="one") for _ in range(5)]
        assert [answer["id"] for answer in await asyncio.gather(*asked)] == ["one"] * 5
        await client.do(table, "chat", tokens[0], text="bye")
        await ben.until(lambda: ben.chat and ben.chat[-1]["text"] == "bye", PATIENCE)
        assert [line["text"] for line in ben.chat] == ["hello", "bye"]


# ---- seats that nobody can reach ------------------------------------------------------------


@pytest.mark.parametrize("spectators", [True, False])
async def test_the_host_frees_a_seat_before_the_game(open_hall, spectators):
    _, client = open_hall
    made = await client.make("equinox", ["open", "open", "open"], name="Ana", spectators=spectators)
    table, host = made["table"], made["host"]
    lost = (await client.sit(table, "Ben"))["token"]
    line = await raw(client, table, lost)
    await refused("not_allowed", client.do(table, "stand", made["token"], seat=1))
    await refused("not_allowed", client.do(table, "stand", host, seat=2))
    await refused("not_allowed", client.do(table, "stand", host, seat=9))
    await client.do(table, "stand", host, seat=1, id="free")
    if not spectators:
        assert not (await line.hear("bye"))["again"]
    await refused("not_allowed", client.get(table, "view", lost))
    assert (await client.sit(table, "Ben", 1))["seat"] == 1
    assert await client.do(table, "stand", host, seat=1, id="free") == {"type": "done", "id": "free"}
    assert [seat["kind"] for seat in (await client.get(table, token=host))["seats"]] == [
        "person",
        "person",
        "open",
    ]


async def test_one_of_several_seats_of_a_token_is_freed_and_the_others_stay(open_hall):
    _, client = open_hall
    made = await client.make("equinox", ["hot", "hot", "open"], name="Ana")
    await client.do(made["table"], "stand", made["token"], seat=1)
    assert (await raw(client, made["table"], made["token"])).welcome["seats"] == [0]
    mine = await client.call("POST", "/api/mine", {"tokens": [made["token"]]})
    assert [row["table"] for row in mine["tables"]] == [made["table"]]


async def test_the_host_replaces_somebody_whose_token_is_lost_in_the_middle_of_a_game(open_hall):
    _, client = open_hall
    made = await client.make("equinox", ["open", "open"], name="Ana", options={"first": 1})
    await client.sit(made["table"], "Ben")
    async with client.connect(made["table"], made["token"]) as ana:
        await client.do(made["table"], "replace", made["host"], seat=1, id="replace")
        await play(ana, Chance(4), until=lambda: len(ana.story) > 20)


# ---- what may be looked at and matched ------------------------------------------------------


async def test_a_look_is_answered_with_its_id(open_hall):
    _, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    line = await raw(client, table, tokens[0])
    await line.say({"type": "look", "id": "again"})
    assert (await line.hear("welcome"))["id"] == "again"
    await line.say({"type": "look"})
    assert "id" not in await line.hear("welcome")


async def test_an_unknown_language_is_refused_alike_over_the_socket_and_http(open_hall):
    _, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    assert "lang" in await refused("bad_message", client.get(table, "view", tokens[0], lang="xx"))
    with pytest.raises(RequestRefused) as caught:
        async with client.connect(table, tokens[0], lang="xx"):
            pass
    assert caught.value.code == "bad_message"
    assert "lang" in str(caught.value)


def test_a_log_from_before_there_were_ids_folds_as_it_did():
    head = Head("t", "equinox", RULES, {"seats": 2}, "seed", 1.0, "host")
    old = [
        b'{"type":"sat","at":2.0,"seat":0,"name":"Ana","key":"a"}',
        b'{"type":"sat","at":3.0,"seat":1,"name":"Ben","key":"b"}',
        b'{"type":"began","at":4.0}',
        b'{"type":"renewed","at":5.0,"old":"a","key":"c"}',
    ]
    table = opened(head, [entry_of(data) for data in old])
    assert table.seats_of("c") == (0,)
    assert table.replies == {}
    assert [encode(entry_of(data)) for data in old] == old


def test_what_is_done_does_not_change_when_the_table_was_last_played():
    entries = [
        Sat(2.0, 0, "Ana", key="a"),
        Sat(3.0, 1, "Ben", key="b"),
        Began(4.0),
        Replied(9.0, "a", "x", "h"),
    ]
    table = opened(Head("t", "equinox", RULES, {"seats": 2}, "seed", 1.0, "host"), entries)
    assert table.updated == 4.0
    assert table.replies["a", "x"].meant == "h"
