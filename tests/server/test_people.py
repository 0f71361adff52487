"""People at a table: rematches by consent, reactions, chat before the deal, spectators, lists, and absent friends."""

import asyncio
import secrets

import pytest

from fabletop import Chance
from fabletop.client import RequestRefused
from fabletop.server.stores.base import Listing
from fabletop.server.tables.listing import summary_of
from tests.server.hall import hall, play, raw, table_of
from tests.server.test_commands import finished, first_choice, refused


async def given_up(client, options=None, **more):
    """A game of Ana and Ben that both have given up."""
    table, tokens = await table_of(client, "equinox", 2, options=options or {}, **more)
    for token in tokens:
        await client.do(table, "resign", token)
    return table, tokens


# ---- rematch --------------------------------------------------------------------------------


async def test_a_rematch_waits_for_everybody_who_is_there(tmp_path):
    async with hall(tmp_path, away=60.0) as (_, client):
        table, (ana, ben) = await given_up(client)
        line = await raw(client, table, ben)
        assert (await client.do(table, "rematch", ana)).get("table") is None
        told = await line.hear("table")
        assert (told["table"]["again"], told["table"]["followed"]) == ([0], "")
        await client.do(table, "rematch", ana, agree=False)
        assert (await client.get(table))["again"] == []
        assert (await client.do(table, "rematch", ben)).get("table") is None, "Ana has thought better of it"
        done = await client.do(table, "rematch", ana)
        assert done["table"] == (await client.get(table))["followed"]
        assert (await client.do(table, "rematch", ben))["table"] == done["table"]
        new = await client.get(done["table"])
        assert new["status"] == "playing"
        assert [(seat["name"], seat.get("left", False)) for seat in new["seats"]] == [
            ("Ana", False),
            ("Ben", False),
        ]


async def test_agreement_is_kept_over_a_restart_and_follows_a_new_token(tmp_path):
    async with hall(tmp_path, away=60.0) as (hall_, client):
        table, (ana, ben) = await given_up(client)
        await client.do(table, "rematch", ana)
        new = secrets.token_urlsafe(24)
        await client.do(table, "renew", ana, token=new)
        await hall_.close()
        await hall_.open()
        assert (await client.get(table))["again"] == [0]
        again = (await client.do(table, "rematch", ben))["table"]
        assert (await client.get(again, "view", new))["viewer"] == 0


async def test_who_is_away_does_not_hold_up_a_rematch_and_finds_a_bot_in_their_seat(tmp_path):
    async with hall(tmp_path, away=0.3) as (_, client):
        table, (ana, ben) = await given_up(client)
        await asyncio.sleep(0.4)  # nobody is connected
        again = (await client.do(table, "rematch", ana))["table"]
        seats = (await client.get(again))["seats"]
        assert [seat.get("left", False) for seat in seats] == [False, True]
        await client.do(again, "back", ben)
        assert not (await client.get(again))["seats"][1].get("left", False)


async def test_who_does_not_answer_holds_up_a_rematch_only_for_a_while(tmp_path):
    async with hall(tmp_path, away=0.3) as (_, client):
        table, (ana, ben) = await given_up(client)
        await raw(client, table, ben)
        assert (await client.do(table, "rematch", ana)).get("table") is None
        await asyncio.sleep(0.4)
        assert (await client.do(table, "rematch", ana))["table"]


async def test_in_a_rematch_the_next_seat_begins_where_a_seat_was_named(tmp_path):
    async with hall(tmp_path, away=60.0) as (_, client):
        table, tokens = await given_up(client, options={"first": 1})
        await client.do(table, "rematch", tokens[0])
        again = (await client.do(table, "rematch", tokens[1]))["table"]
        assert (await client.get(again))["options"]["first"] == 0


# ---- chat and reactions ---------------------------------------------------------------------


async def test_people_chat_while_they_wait_for_others(open_hall):
    _, client = open_hall
    made = await client.make("equinox", ["open"] * 3, name="Ana")
    ben = (await client.sit(made["table"], "Ben"))["token"]
    line = await raw(client, made["table"], ben)
    assert line.welcome["table"]["status"] == "open"
    await client.do(made["table"], "chat", made["token"], text="welcome")
    assert (await line.hear("chat"))["text"] == "welcome"
    cleo = (await client.sit(made["table"], "Cleo"))["token"]
    later = await raw(client, made["table"], cleo)
    assert [said["text"] for said in later.welcome["chat"]] == ["welcome"]


async def test_a_reaction_is_shown_to_everybody_and_is_not_stored(open_hall):
    hall_, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    lines = [await raw(client, table, tokens[0]), await raw(client, table)]
    await client.do(table, "react", tokens[1], reaction="clap")
    for line in lines:
        assert await line.hear("reaction") == {"type": "reaction", "seat": 1, "reaction": "clap"}
    before = len((await hall_.store.load(table)).entries)
    await client.do(table, "react", tokens[1], reaction="clap", id="twice")
    assert len((await hall_.store.load(table)).entries) == before
    assert "clap" in (await client.call("GET", "/api/about"))["reactions"]
    await refused("bad_message", client.do(table, "react", tokens[1], reaction="spit"))
    await lines[1].say({"type": "react", "reaction": "wave"})
    assert (await lines[1].hear("error"))["code"] == "not_allowed", "spectators only look on"


async def test_reactions_are_limited_for_each_person(tmp_path):
    async with hall(tmp_path, reactions_per_minute=8) as (_, client):
        table, tokens = await table_of(client, "equinox", 2)
        for _ in range(2):
            await client.do(table, "react", tokens[0], reaction="wave")
        await refused("too_many", client.do(table, "react", tokens[0], reaction="wave"))
        await client.do(table, "react", tokens[1], reaction="wave")


# ---- who is there ---------------------------------------------------------------------------


async def test_spectators_are_counted(open_hall, monkeypatch):
    monkeypatch.setattr("fabletop.server.tables.actor.COUNT_EVERY", 0.05)
    _, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    ana = await raw(client, table, tokens[0])
    assert ana.welcome["table"]["watching"] == 0
    watchers = [await raw(client, table) for _ in range(3)]
    assert (await ana.hear("table"))["table"]["watching"] == 3, "told once for all three"
    await watchers[0].ws.close()
    assert (await ana.hear("table"))["table"]["watching"] == 2
    assert (await client.get(table))["watching"] == 2


async def test_a_bot_for_somebody_is_refused_with_the_seconds_until_it_is_allowed(tmp_path):
    async with hall(tmp_path, away=0.6) as (_, client):
        table, tokens = await table_of(client, "equinox", 2, options={"first": 0})
        ben = await raw(client, table, tokens[1])
        with pytest.raises(RequestRefused, match="wait 1 s"):
            await client.do(table, "replace", tokens[1], seat=0)
        await ben.say({"type": "replace", "seat": 0, "id": "x"})
        assert 0 < (await ben.hear("error"))["wait"] <= 0.6
        ana = await raw(client, table, tokens[0])
        assert (await ben.hear("table"))["table"]["seats"][0]["here"]
        await refused("not_allowed", client.do(table, "replace", tokens[1], seat=0))
        await ana.ws.close()
        assert "here" not in (await ben.hear("table"))["table"]["seats"][0]
        await asyncio.sleep(0.7)
        await client.do(table, "replace", tokens[1], seat=0)


# ---- lists ----------------------------------------------------------------------------------


async def test_a_listed_table_names_its_host_and_who_sits_there(open_hall):
    _, client = open_hall
    made = await client.make("equinox", ["open", "gretel", "open"], name="Ana", listed=True)
    row = (await client.call("GET", "/api/tables"))["tables"][0]
    assert (row["table"], row["host"], row["free"]) == (made["table"], "Ana", 1)
    assert [seat.get("level", "") for seat in row["seats"]] == ["", "gretel", ""]
    assert [seat.get("name", "") for seat in row["seats"]][::2] == ["Ana", ""]
    assert not any(seat.get("mine") for seat in row["seats"])
    assert (await client.get(made["table"]))["host"] == "Ana"


@pytest.mark.parametrize(
    ("game", "progress"),
    [("equinox", {"round": 1, "of": 5}), ("fairy_school", {"trimester": 1, "of": 4, "turn": 1})],
)
async def test_your_tables_show_opponents_progress_and_whose_turn_it_is(open_hall, game, progress):
    _, client = open_hall
    options = {"setup": "beginners"} if game == "fairy_school" else {}
    table, tokens = await table_of(client, game, 3, options=options)
    mine = await client.call("POST", "/api/mine", {"tokens": [tokens[1]]})
    row = mine["tables"][0]
    assert [seat["name"] for seat in row["seats"]] == ["Ana", "Ben", "Cleo"]
    assert [seat.get("mine", False) for seat in row["seats"]] == [False, True, False]
    assert row["progress"].keys() == progress.keys()
    assert row["asked"] == (await client.get(table))["asked"]
    assert row["updated"] == row["made"], "the time of the last action would tell of unseen ones"
    assert not any(token in str(mine) for token in tokens)
    seat, _ = await first_choice(client, table, tokens)
    await client.do(table, "leave", tokens[seat])
    row = (await client.call("POST", "/api/mine", {"tokens": [tokens[1]]}))["tables"][0]
    assert row["seats"][seat]["level"], "a bot plays for them now"


async def test_the_progress_in_lists_follows_the_game(open_hall):
    _, client = open_hall
    _, tokens = await finished(client)
    row = (await client.call("POST", "/api/mine", {"tokens": [tokens[0]]}))["tables"][0]
    assert (row["status"], row["progress"]["of"]) == ("over", 5)
    assert 1 < row["progress"]["round"] <= 5


def test_a_summary_that_cannot_be_read_spoils_no_list():
    for text in ("", "{", '{"seats": 3}'):
        assert summary_of(Listing("open", 1, None, 0.0, 0, text)).seats == []


# ---- looking back ---------------------------------------------------------------------------


async def test_after_the_game_the_story_of_every_seat_can_be_read_and_not_before(open_hall):
    _, client = open_hall
    made = await client.make("equinox", ["open", "gretel"], name="Ana")
    await refused("not_allowed", client.get(made["table"], "story", made["token"], seat=1))
    async with client.connect(made["table"], made["token"]) as ana:
        await play(ana, Chance(2))
    own = await client.get(made["table"], "story", made["token"], seat=0)
    bots = await client.get(made["table"], "story", made["token"], seat=1)
    assert own["events"] != bots["events"]
    assert (await client.get(made["table"], "story", seat=1))["events"] == bots["events"]
    await refused("unknown", client.get(made["table"], "story", made["token"], seat=2))


async def test_after_the_game_nobody_reads_at_a_table_without_spectators(open_hall):
    _, client = open_hall
    table, tokens = await given_up(client, spectators=False)
    await refused("not_allowed", client.get(table, "story", seat=1))
    await client.get(table, "story", tokens[0], seat=1)


# ---- making a table twice -------------------------------------------------------------------


async def made_in_every_way(client, token, request):
    """The same requests for tables, each with an id."""
    table, (ana, _) = request["source"]
    record = request["record"]
    yield await client.call(
        "POST",
        "/api/tables",
        {
            "game": "equinox",
            "name": "Ana",
            "seats": [{"kind": "open"}] * 2,
            "token": token,
            "id": "a",
        },
    )
    yield await client.call(
        "POST", f"/api/tables/{table}/branch", {"at": 0, "token": token, "id": "b"}, token=ana
    )
    yield await client.call("POST", "/api/records", record, token=token, query={"id": "c"})


async def test_what_makes_a_table_makes_one_however_often_it_is_sent(open_hall):
    hall_, client = open_hall
    source = await given_up(client)
    record = await client.get(source[0], "record", source[1][0])
    request = {"source": source, "record": record}
    token = secrets.token_urlsafe(24)
    first = [done async for done in made_in_every_way(client, token, request)]
    assert [done["id"] for done in first] == ["a", "b", "c"]
    assert len({done["table"] for done in first}) == 3
    assert all(done["token"] == token for done in first)
    again = [done async for done in made_in_every_way(client, token, request)]
    await hall_.close()
    await hall_.open()
    later = [done async for done in made_in_every_way(client, token, request)]
    assert first == again == later
    assert len(await hall_.store.every_table()) == 4
    await client.do(first[0]["table"], "start", first[0]["host"])
    other = [done async for done in made_in_every_way(client, secrets.token_urlsafe(24), request)]
    assert not {done["table"] for done in first} & {done["table"] for done in other}


async def test_an_id_for_a_table_needs_a_token_and_means_one_table(open_hall):
    _, client = open_hall
    token = secrets.token_urlsafe(24)
    new = {"game": "equinox", "seats": [{"kind": "hot"}] * 2, "id": "a"}
    await refused("bad_message", client.call("POST", "/api/tables", new))
    await client.call("POST", "/api/tables", {**new, "token": token})
    await refused("bad_message", client.call("POST", "/api/tables", {**new, "token": token, "listed": True}))
    await refused("bad_message", client.call("POST", "/api/records", {}, query={"id": "x"}))


async def test_the_same_request_twice_at_once_makes_one_table(open_hall):
    hall_, client = open_hall
    new = {"game": "equinox", "seats": [{"kind": "hot"}] * 2, "id": "a", "token": secrets.token_urlsafe(24)}
    answers = await asyncio.gather(
        *(client.call("POST", "/api/tables", new) for _ in range(5)), return_exceptions=True
    )
    assert all(isinstance(a, dict) or (isinstance(a, RequestRefused) and a.code == "busy") for a in answers)
    assert len(await hall_.store.every_table()) == 1
    assert hall_.store.writable, "a table that is there already is no failed write"
