"""What is asked of a table at a bad moment: twice, at once, before it is durable, too often, or to gain time."""

import asyncio
import json
import time

import pytest

from fabletop import GAMES, Chance
from fabletop.client import RequestRefused
from fabletop.server.stores.entries import Acted
from fabletop.server.tables.actor import TableActor
from fabletop.server.tables.driver import asker_at
from fabletop.server.tables.names import free_name
from tests.server.hall import PATIENCE, hall, play, raw, table_of, until


class Gate:
    """Lets nothing through to the store until it is opened."""

    def __init__(self, hall_, monkeypatch):
        self.open = asyncio.Event()
        self.append = hall_.store.append
        monkeypatch.setattr(hall_.store, "append", self._held)

    def _held(self, append):
        stored = asyncio.get_running_loop().create_future()

        async def later():
            await self.open.wait()
            stored.set_result(await self.append(append))

        self.task = asyncio.ensure_future(later())
        return stored


async def refused(code, awaitable):
    """What the refusal says."""
    with pytest.raises(RequestRefused) as caught:
        await awaitable
    assert caught.value.code == code, caught.value
    return str(caught.value)


async def first_choice(client, table, tokens):
    """The seat that is asked, and its choice."""
    for seat, token in enumerate(tokens):
        choice = (await client.get(table, "view", token, seat=seat))["choice"]
        if choice:
            return seat, choice
    raise AssertionError("nobody is asked")


async def finished(client, players=2):
    """A game that has been played to its end."""
    table, tokens = await table_of(client, "equinox", players)
    async with client.connect(table, tokens[0]) as ana, client.connect(table, tokens[1]) as ben:
        await asyncio.gather(play(ana, Chance(1)), play(ben, Chance(2)))
    return table, tokens


# ---- durable before it is told --------------------------------------------------------------


async def test_what_is_sent_again_is_acknowledged_only_when_it_is_durable(open_hall, monkeypatch):
    hall_, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    seat, choice = await first_choice(client, table, tokens)
    gate = Gate(hall_, monkeypatch)
    body = {"id": "once", "choice": choice["id"], "action": choice["options"][0]}
    answers = [asyncio.ensure_future(client.do(table, "act", tokens[seat], **body)) for _ in range(3)]
    looks = [asyncio.ensure_future(client.get(table, what)) for what in ("", "view", "story")]
    await asyncio.sleep(0.3)
    assert not any(one.done() for one in (*answers, *looks)), "told before it was durable"
    gate.open.set()
    assert [answer["id"] for answer in await asyncio.gather(*answers)] == ["once"] * 3
    await asyncio.gather(*looks)
    assert sum(isinstance(entry, Acted) for entry in (await hall_.store.load(table)).entries) == 1


async def test_a_letter_that_cannot_be_written_leaves_nothing_behind_that_is_not_stored(
    open_hall, monkeypatch
):
    from fabletop.server.tables import actor

    hall_, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    async with client.connect(table, tokens[0]) as ana, client.connect(table, tokens[1]) as ben:
        mover = ana if ana.choice else ben
        body = {"id": "once", "choice": mover.choice["id"], "action": mover.choice["options"][0]}
        with monkeypatch.context() as broken:
            broken.setattr(actor.Renderer, "message", lambda *_: 1 / 0)
            await refused("fault", client.do(table, "act", mover.token, **body))
        await client.do(table, "act", mover.token, **body)
    assert sum(isinstance(entry, Acted) for entry in (await hall_.store.load(table)).entries) == 1


# ---- the same thing twice -------------------------------------------------------------------


async def test_what_is_sent_again_for_a_hot_seat_is_not_done_for_the_next_one(open_hall):
    hall_, client = open_hall
    made = await client.make("equinox", ["hot", "hot", "hot"], name="Ana")
    for n in range(40):
        _, choice = await first_choice(client, made["table"], [made["token"]] * 3)
        body = {"id": f"{n}", "choice": choice["id"], "action": choice["options"][0]}
        for _ in range(2):
            assert (await client.do(made["table"], "act", made["token"], **body))["id"] == f"{n}"
    log = (await hall_.store.load(made["table"])).entries
    assert sum(isinstance(entry, Acted) for entry in log) == 40


async def test_each_seat_of_a_device_counts_its_own_ids(open_hall):
    _, client = open_hall
    made = await client.make("equinox", ["hot", "hot"], name="Ana")
    places = [client.connect(made["table"], made["token"], seat=seat) for seat in (0, 1)]
    async with places[0], places[1]:
        acted = set()
        while len(acted) < 2:
            (place,) = [place for place in places if place.choice]
            seat = place.view["viewer"]
            body = {"id": "same" if seat not in acted else f"{len(place.story)}", "type": "act"}
            await place.ask({**body, "choice": place.choice["id"], "action": place.choice["options"][0]})
            acted.add(seat)
            await asyncio.sleep(0.05)


async def test_an_action_may_be_spelled_in_another_way_when_it_is_sent_again(open_hall):
    _, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    seat, choice = await first_choice(client, table, tokens)
    text = choice["options"][0]
    number = GAMES["equinox"].actions.index(text)
    for action in (text.upper().replace("-", " "), text, number, text.upper()):
        body = {"id": "x", "choice": choice["id"], "action": action}
        assert (await client.do(table, "act", tokens[seat], **body))["id"] == "x"
    other = {"id": "x", "choice": choice["id"], "action": choice["options"][1]}
    assert "something else" in await refused("bad_message", client.do(table, "act", tokens[seat], **other))


# ---- getting up -----------------------------------------------------------------------------


async def test_who_gets_up_sees_nothing_of_the_next_one_at_that_seat(open_hall, monkeypatch):
    hall_, client = open_hall
    made = await client.make("equinox", ["open"] * 3, name="Ana")
    ben = await client.sit(made["table"], "Ben")
    line = await raw(client, made["table"], ben["token"])
    gate = Gate(hall_, monkeypatch)
    standing = asyncio.ensure_future(client.do(made["table"], "stand", ben["token"]))
    await asyncio.sleep(0.1)
    sitting = [asyncio.ensure_future(client.sit(made["table"], name)) for name in ("Cleo", "Dov")]
    await asyncio.sleep(0.1)
    gate.open.set()
    await asyncio.gather(standing, *sitting)
    heard = []
    while not any(one["type"] == "update" and one.get("view") for one in heard):
        heard.append(await line.hear())
    for one in heard:
        assert not one.get("choice")
        assert (one.get("view") or {}).get("own") is None


async def test_a_person_who_leaves_a_private_table_is_disconnected_and_no_longer_lists_it(open_hall):
    _, client = open_hall
    made = await client.make("equinox", ["open"] * 3, name="Ana", spectators=False)
    ben = await client.sit(made["table"], "Ben")
    line = await raw(client, made["table"], ben["token"])
    watching = await raw(client, made["table"], made["token"])
    await client.do(made["table"], "stand", ben["token"])
    while (said := await line.hear())["type"] != "bye":
        assert said["type"] == "table"
    assert not said["again"]
    now = (await watching.hear("table"))["table"]
    assert now["seats"][1]["kind"] == "open"
    assert not now["seats"][1].get("here"), "nobody sits there"
    assert (await client.call("POST", "/api/mine", {"tokens": [ben["token"]]}))["tables"] == []
    assert len((await client.call("POST", "/api/mine", {"tokens": [made["token"]]}))["tables"]) == 1


# ---- clocks ---------------------------------------------------------------------------------


async def undoable_here(hall_, table, place):
    """Answer until the last answer can be taken back."""
    while (choice := await place.next_choice(PATIENCE)) is not None:
        await place.act(choice["options"][0])
        if hall_.actor(table).table.sitting.undo_barrier(0) is None:
            return
    raise AssertionError("nothing could be taken back")


async def test_taking_back_gives_no_time_to_think(tmp_path):
    async with hall(tmp_path) as (hall_, client):
        pace = {"kind": "game", "seconds": 1000, "extra": 30}
        table, tokens = await table_of(client, "fairy_school", 2, pace=pace)
        async with client.connect(table, tokens[0]) as ana:
            await undoable_here(hall_, table, ana)
            actor = hall_.actor(table)
            since, bank = actor.table.asked_since[0], actor.table.bank[0]
            for _ in range(5):
                await ana.undo()
                choice = await ana.next_choice(PATIENCE)
                await ana.act(choice["options"][0])
            await ana.undo()
            assert actor.table.asked_since[0] <= since
            assert actor.table.bank[0] <= bank


async def test_what_there_was_no_time_left_for_cannot_be_taken_back(tmp_path):
    async with hall(tmp_path) as (hall_, client):
        table, tokens = await table_of(client, "fairy_school", 2, pace={"kind": "move", "seconds": 60})
        async with client.connect(table, tokens[0]) as ana:
            await undoable_here(hall_, table, ana)
            actor = hall_.actor(table)
            actor.table.clocks[0][-1] = (time.time() - 61, 60.0)
            assert "the time" in await refused("cannot_undo", ana.undo())


async def test_a_clock_that_was_taken_back_is_the_same_after_a_restart(tmp_path):
    async with hall(tmp_path, snapshot_every=1) as (hall_, client):
        pace = {"kind": "game", "seconds": 1000, "extra": 30}
        table, tokens = await table_of(client, "fairy_school", 2, pace=pace)
        async with client.connect(table, tokens[0]) as ana:
            await undoable_here(hall_, table, ana)
            before = hall_.actor(table).table.clocks
            assert before[0]
            await hall_.close()
            await hall_.open()
            await ana.until(lambda: table in hall_.server.registry.actors, PATIENCE)
            assert hall_.actor(table).table.clocks == before
            assert hall_.actor(table).table.kept, "it came from a snapshot"


async def test_nothing_more_is_taken_back_when_the_log_has_grown_too_long(tmp_path):
    async with hall(tmp_path, most_actions=5) as (hall_, client):
        table, tokens = await table_of(client, "fairy_school", 2)
        async with client.connect(table, tokens[0]) as ana:
            await undoable_here(hall_, table, ana)
            assert hall_.actor(table).table.length == 5, (
                "two sat down, one of them with an id, it began, and one acted"
            )
            assert "play on" in await refused("cannot_undo", ana.undo())


# ---- too much -------------------------------------------------------------------------------


async def test_lines_that_are_said_at_once_are_all_kept(open_hall):
    hall_, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    says = [client.do(table, "chat", tokens[n % 2], text=f"line {n}") for n in range(20)]
    await asyncio.gather(*says)
    kept = await hall_.store.chat(table, 100)
    assert sorted(line.text for line in kept) == sorted(f"line {n}" for n in range(20))
    assert len({line.n for line in kept}) == 20
    assert [line.n for line in hall_.actor(table).chat.shown()] == [line.n for line in kept]


async def test_chat_is_limited_wherever_it_comes_from(tmp_path):
    async with hall(tmp_path, chat_per_minute=15) as (_, client):
        table, tokens = await table_of(client, "equinox", 2)
        async with client.connect(table, tokens[0]):
            for n in range(5):
                await client.do(table, "chat", tokens[0], text=f"{n}")
            await refused("too_many", client.do(table, "chat", tokens[0], text="more"))
            line = await raw(client, table, tokens[0])
            await line.say({"type": "chat", "text": "and more"})
            assert (await line.hear("error"))["code"] == "too_many"
            await client.do(table, "chat", tokens[1], text="somebody else")


async def test_one_hint_at_a_time_for_all(tmp_path):
    async with hall(tmp_path, hint_milliseconds=400) as (_, client):
        made = await client.make("equinox", ["hot", "gretel"], name="Ana", options={"first": 0})
        asks = [client.do(made["table"], "hint", made["token"], id=f"{n}") for n in range(5)]
        answers = await asyncio.gather(*asks, return_exceptions=True)
        codes = sorted(a.code if isinstance(a, RequestRefused) else "hint" for a in answers)
        assert codes == ["hint", "too_many", "too_many", "too_many", "too_many"]


async def test_hints_at_many_tables_hold_no_bot_up_for_long(tmp_path):
    async with hall(tmp_path, hint_milliseconds=500, thinkers=1) as (hall_, client):
        begins = {"first": 0}
        tables = [await client.make("equinox", ["hot", "gretel"], options=begins) for _ in range(12)]
        await client.do(tables[0]["table"], "hint", tables[0]["token"], id="first")  # starts the process
        asks = [asyncio.ensure_future(client.do(m["table"], "hint", m["token"], id="h")) for m in tables]
        await asyncio.sleep(0.1)
        thinkers = hall_.server.services.bots
        actor = hall_.actor(tables[0]["table"])
        choice = actor.table.choice(0)
        before = sum(ask.done() for ask in asks)
        assert await thinkers.choose("thumbling", actor.table.sitting.view(0), choice, 1, asker_at(actor))
        told = sum(ask.done() for ask in asks) - before
        assert told <= 2, "a bot waited for more than the hint that was under way"
        for ask in asks:
            ask.cancel()
        await asyncio.gather(*asks, return_exceptions=True)


async def test_many_looks_in_one_packet_stop_nobody_else(tmp_path, monkeypatch):
    async with hall(tmp_path, looks_per_second=2) as (_, client):
        made = await client.make("equinox", ["hot"] * 4, name="Ana")
        line = await raw(client, made["table"], lang="de")
        loop, turn, looks, join = asyncio.get_running_loop(), 0, [], TableActor.join

        def next_turn():
            nonlocal turn, ticking
            turn += 1
            ticking = loop.call_soon(next_turn)

        def noted(*what):
            looks.append(turn)
            join(*what)

        monkeypatch.setattr(TableActor, "join", noted)
        ticking = loop.call_soon(next_turn)
        for _ in range(60):
            await line.say({"type": "look"})
        heard = [await line.hear() for _ in range(60)]
        ticking.cancel()
        assert 5 < len(looks) < 20
        assert len(set(looks)) == len(looks), "everybody else had a turn in between"
        assert [one["type"] for one in heard].count("welcome") == len(looks)
        assert {one["code"] for one in heard if one["type"] == "error"} == {"too_many"}


async def test_nobody_is_replaced_before_there_was_time_to_come(tmp_path):
    async with hall(tmp_path, away=0.5) as (hall_, client):
        hall_.server.services.began -= 1000  # a server that has been up for a while
        table, tokens = await table_of(client, "equinox", 2)
        seat, _ = await first_choice(client, table, tokens)
        await refused("not_allowed", client.do(table, "replace", tokens[1 - seat], seat=seat))
        await asyncio.sleep(0.6)
        await client.do(table, "replace", tokens[1 - seat], seat=seat)


# ---- when it is over ------------------------------------------------------------------------


async def test_people_who_want_a_rematch_at_once_get_the_same_one(open_hall):
    _, client = open_hall
    table, tokens = await finished(client)
    answers = await asyncio.gather(*(client.do(table, "rematch", tokens[n % 2]) for n in range(10)))
    assert len({answer["table"] for answer in answers}) == 1
    mine = await client.call("POST", "/api/mine", {"tokens": [tokens[0]]})
    assert len(mine["tables"]) == 2


async def test_a_game_that_was_given_up_can_be_looked_through_and_played_again(open_hall):
    _, client = open_hall
    made = await client.make("equinox", ["hot", "gretel"], name="Ana", options={"first": 0})
    table, token = made["table"], made["token"]
    async with client.connect(table, token) as ana:
        await play(ana, Chance(4), until=lambda: len(ana.story) > 20)
    await refused("not_allowed", client.get(table, "record", token))
    await client.do(table, "resign", token)
    assert (await client.get(table))["status"] == "closed"
    record = await client.get(table, "record", token)
    assert len(record["actions"]) > 5
    checked = await client.get(table, "verify", token)
    assert (checked["seed"], checked["seed_fits"], checked["replays"]) == (record["seed"], True, True)
    assert (await client.get(table, "at", token, at=3))["at"] == 3
    await client.call("POST", f"/api/tables/{table}/branch", {"at": 3}, token=token)
    again = await client.do(table, "rematch", token)
    assert (await client.get(again["table"]))["status"] == "playing"


async def test_a_table_that_was_closed_before_it_began_has_nothing_to_show(open_hall):
    _, client = open_hall
    made = await client.make("equinox", ["open", "open"], name="Ana")
    await client.do(made["table"], "close", made["host"])
    for what in ("record", "verify", "at"):
        await refused("not_playing", client.get(made["table"], what, made["token"]))
    await refused("not_playing", client.do(made["table"], "rematch", made["token"]))


async def test_the_host_closes_a_game_of_one_person_and_bots_but_not_of_several(open_hall):
    _, client = open_hall
    alone = await client.make("equinox", ["open", "gretel"], name="Ana")
    await client.do(alone["table"], "close", alone["host"])
    assert (await client.get(alone["table"]))["status"] == "closed"
    made = await client.make("equinox", ["open", "open"], name="Ana")
    ben = await client.sit(made["table"], "Ben")
    await refused("not_allowed", client.do(made["table"], "close", made["host"]))
    await client.do(made["table"], "resign", ben["token"])
    await client.do(made["table"], "close", made["host"])


# ---- small ----------------------------------------------------------------------------------


def test_a_bot_is_never_called_like_a_person_also_in_other_letters():
    assert free_name(["bramble", "CLOVER"]) == "Fern"


async def test_somebody_called_like_a_bot_can_play_with_bots(open_hall):
    _, client = open_hall
    made = await client.make("equinox", ["open", "gretel", "gretel"], name="bramble")
    assert (await client.get(made["table"]))["status"] == "playing"


@pytest.mark.parametrize("damage", [b"", b"{", b"{}", b'{"form":3,"length":5}', b"[]", b"\xff"])
async def test_a_damaged_snapshot_is_not_used(tmp_path, damage):
    async with hall(tmp_path, snapshot_every=10) as (hall_, client):
        table, tokens = await finished(client)
        record = await client.get(table, "record", tokens[0])
        await hall_.server.registry.evict(table)
        await hall_.store.snapshot(table, damage)
        assert await client.get(table, "record", tokens[0]) == record


async def test_a_long_record_is_imported_with_a_snapshot(tmp_path):
    async with hall(tmp_path, snapshot_every=50) as (hall_, client):
        table, tokens = await finished(client)
        record = await client.get(table, "record", tokens[0])
        made = await client.call("POST", "/api/records", record)

        async def snapshot():  # stored in the background
            return (await hall_.store.load(made["table"])).snapshot

        await until(snapshot)
        loaded = await hall_.store.load(made["table"])
        assert json.loads(loaded.snapshot)["length"] == len(loaded.entries)


async def test_a_record_with_a_seed_without_end_is_refused(open_hall):
    _, client = open_hall
    table, tokens = await finished(client)
    record = await client.get(table, "record", tokens[0])
    body = {**record, "seed": "x" * 500_000}
    assert "seed is too long" in await refused("bad_record", client.call("POST", "/api/records", body))


async def test_a_worker_that_was_away_too_long_opens_its_tables_again(tmp_path):
    async with hall(tmp_path, lease=1.0) as (hall_, client):
        table, tokens = await table_of(client, "equinox", 2)
        line = await raw(client, table, tokens[0])
        old = hall_.actor(table)
        time.sleep(1.5)  # the whole process stands still
        assert (await line.hear("bye"))["again"]
        assert old.error is not None
        await until(hall_.server.services.lease.held)  # until a heartbeat has been written again
        assert (await client.get(table))["status"] == "playing"
        assert hall_.actor(table) is not old
