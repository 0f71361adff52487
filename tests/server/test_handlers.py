"""Everything a user can do at a table, over HTTP and the socket."""

import asyncio
import json

import pytest

from fabletop import GAMES, Chance, replay, verify
from fabletop.client import RequestRefused
from fabletop.core.records import parse
from fabletop.server.stores.entries import LONGEST_NAME
from tests.server.hall import PATIENCE, hall, play, table_of

RECORD = {
    "fabletop": "record",
    "format": 1,
    "game": "equinox",
    "rules": GAMES["equinox"].rules,
    "options": {"seats": 2},
    "seed": "x",
    "names": [],
    "actions": [],
}


async def finished(client, game="equinox", seats=("open", "gretel"), **more):
    """A game played to its end by Ana at random against bots."""
    made = await client.make(game, seats, name="Ana", **more)
    async with client.connect(made["table"], made["token"]) as place:
        await play(place, Chance(1))
        await place.until(lambda: place.over, PATIENCE)
    return made, place


async def refused(code, awaitable):
    with pytest.raises(RequestRefused) as refusal:
        await awaitable
    assert refusal.value.code == code
    return str(refusal.value)


async def test_two_clicks_to_a_game_against_bots(open_hall):
    _, client = open_hall
    made, place = await finished(client)
    assert place.table["status"] == "over"
    assert place.story[-1]["event"] == "won"
    assert place.table["outcome"]["winners"]
    assert made["host"] != made["token"]
    assert place.view["outcome"]["scores"] == place.table["outcome"]["scores"]


async def test_friends_sit_down_by_the_link_and_the_last_one_starts_the_game(open_hall):
    _, client = open_hall
    made = await client.make("equinox", ["open"] * 3, name="Ana", listed=True)
    table = made["table"]
    async with client.connect(table, made["token"]) as ana:
        assert ana.table["status"] == "open"
        assert ana.view is None
        ben = await client.sit(table, "  Ben\tB. ")
        await ana.until(lambda: ana.table["seats"][1]["kind"] == "person", PATIENCE)
        assert ana.table["seats"][1]["name"] == "Ben B."
        assert "taken" in await refused("taken", client.sit(table, "ben b."))
        await refused("taken", client.sit(table, "Cleo", seat=0))
        listed = await client.call("GET", "/api/tables", query={"game": "equinox"})
        assert [(row["table"], row["free"]) for row in listed["tables"]] == [(table, 1)]
        await client.sit(table, "Cleo", seat=2)
        await ana.until(lambda: ana.view is not None, PATIENCE)
        assert ana.table["status"] == "playing"
        assert ana.view["viewer"] == 0
        assert (await client.call("GET", "/api/tables"))["tables"] == []
        await refused("taken", client.sit(table, "Dov"))
    mine = await client.call("POST", "/api/mine", {"tokens": [ben["token"], "x" * 20]})
    assert [(row["token"], row["table"]) for row in mine["tables"]] == [(0, table)]


async def test_the_host_starts_with_bots_and_somebody_may_get_up_before(open_hall):
    _, client = open_hall
    made = await client.make("equinox", ["open"] * 4, name="Ana")
    table = made["table"]
    ben = await client.sit(table, "Ben")
    await client.do(table, "stand", ben["token"])
    assert [seat["kind"] for seat in (await client.get(table))["seats"]] == ["person", "open", "open", "open"]
    await refused("not_allowed", client.do(table, "start", made["token"]))
    await refused("bad_message", client.do(table, "start", made["host"], level="wizard"))
    await client.do(table, "start", made["host"], level="thumbling")
    now = await client.get(table)
    assert now["status"] == "playing"
    assert [seat.get("level") for seat in now["seats"]] == [None, "thumbling", "thumbling", "thumbling"]
    assert len({seat["name"] for seat in now["seats"]}) == 4
    await refused("not_allowed", client.do(table, "stand", ben["token"]))


async def test_one_comes_back_on_another_device_and_both_are_told(open_hall):
    _, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    async with client.connect(table, tokens[0]) as phone, client.connect(table, tokens[0]) as laptop:
        assert phone.view == laptop.view
        async with client.connect(table, tokens[1]) as ben:
            mover = ben if ben.choice else phone
            before = phone.seq
            await mover.act(mover.choice["options"][0])
            await laptop.until(lambda: laptop.seq == phone.seq != before, PATIENCE)
            assert laptop.story == phone.story


async def test_a_leaver_is_replaced_and_takes_the_seat_back(open_hall):
    _, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    async with client.connect(table, tokens[0]) as ana, client.connect(table, tokens[1]) as ben:
        asked, other = (ana, ben) if ana.choice else (ben, ana)
        seat = asked.view["viewer"]
        await client.do(table, "leave", asked.token, level="gretel")
        await other.until(lambda: other.choice is not None, PATIENCE)
        assert other.table["seats"][seat] | {"left": True, "level": "gretel"} == other.table["seats"][seat]
        await refused("not_asked", asked.ask({"type": "act", "choice": 1, "action": "pass"}))
        await client.do(table, "back", asked.token)
        await asked.until(lambda: not asked.table["seats"][seat].get("left"), PATIENCE)
        await play(other, Chance(2), until=lambda: asked.choice is not None)
        await asked.until(lambda: asked.choice is not None, PATIENCE)
        await asked.act(asked.choice["options"][0])


async def test_a_person_who_keeps_others_waiting_can_be_replaced_but_not_while_here(tmp_path):
    async with hall(tmp_path, away=0.2) as (_, client):
        table, tokens = await table_of(client, "equinox", 2)
        async with client.connect(table, tokens[0]) as ana, client.connect(table, tokens[1]) as ben:
            asked, other = (ana, ben) if ana.choice else (ben, ana)
            seat = asked.view["viewer"]
            await refused("not_allowed", client.do(table, "replace", other.token, seat=seat))
            await refused("not_asked", client.do(table, "replace", asked.token, seat=1 - seat))
            await asked.__aexit__()
            await asyncio.sleep(0.3)
            await client.do(table, "replace", other.token, seat=seat)
            await other.until(lambda: other.choice is not None, PATIENCE)
            await refused("not_allowed", client.do(table, "replace", other.token, seat=7))


async def test_resigning_is_for_good_and_the_last_one_closes_the_table(open_hall):
    _, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    await client.do(table, "resign", tokens[0])
    await refused("not_allowed", client.do(table, "back", tokens[0]))
    assert (await client.get(table))["status"] == "playing"
    await client.do(table, "resign", tokens[1])
    now = await client.get(table)
    assert (now["status"], now["closed"]) == ("closed", "resigned")
    await refused("not_playing", client.do(table, "resign", tokens[1]))


async def test_closing_is_for_the_host_or_the_last_person(open_hall):
    _, client = open_hall
    made = await client.make("equinox", ["open", "open"], name="Ana")
    table = made["table"]
    await refused("not_allowed", client.do(table, "close", "x" * 32))
    ben = await client.sit(table, "Ben")
    await refused("not_allowed", client.do(table, "close", ben["token"]))
    await refused("not_allowed", client.do(table, "close", made["host"]))
    alone = await client.make("equinox", ["open", "bot"], name="Ana")
    await client.do(alone["table"], "close", alone["token"])
    await refused("not_playing", client.do(alone["table"], "close", alone["token"]))
    waiting = await client.make("equinox", ["open", "open"], name="Ana")
    await client.do(waiting["table"], "close", waiting["host"])
    assert (await client.get(waiting["table"]))["status"] == "closed"


async def test_a_rematch_with_the_same_people_and_the_same_tokens(open_hall):
    _, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    await refused("not_playing", client.do(table, "rematch", tokens[0]))
    async with client.connect(table, tokens[0]) as ana, client.connect(table, tokens[1]) as ben:
        await asyncio.gather(play(ana, Chance(1)), play(ben, Chance(2)))
        both = await asyncio.gather(
            client.do(table, "rematch", tokens[0]), client.do(table, "rematch", tokens[1])
        )
        assert both[0]["table"] == both[1]["table"]
        await ana.until(lambda: ana.table["followed"] == both[0]["table"], PATIENCE)
    async with (
        client.connect(both[0]["table"], tokens[0]) as ana,
        client.connect(both[0]["table"], tokens[1]) as ben,
    ):
        assert {ana.view["viewer"], ben.view["viewer"]} == {0, 1}
        assert [seat["name"] for seat in ana.table["seats"]] == ["Ana", "Ben"]
        assert ana.table["commitment"] != (await client.get(table))["commitment"]


async def test_the_record_of_a_finished_game_replays_and_its_deal_can_be_verified(open_hall):
    _, client = open_hall
    made, place = await finished(client)
    text = json.dumps(await client.get(made["table"], "record", made["token"]))
    record = parse(text)
    again = replay(GAMES["equinox"], record)
    assert list(again.outcome.scores) == place.table["outcome"]["scores"]
    assert verify(record.seed, place.table["commitment"], record.salt)
    told = await client.get(made["table"], "verify")
    assert told["seed_fits"]
    assert told["replays"]
    assert told["seed"] == record.seed
    assert told["salt"] == record.salt
    assert len(record.salt) == 32
    imported = await client.call("POST", "/api/records", json.loads(text))
    now = await client.get(imported["table"], "", imported["token"])
    assert (now["status"], now["source"], now["outcome"]) == ("over", "record", place.table["outcome"])


async def test_a_game_may_be_named_with_a_hyphen(open_hall):
    _, client = open_hall
    made = await client.make("fairy-school", ["open", "open"], listed=True)
    assert (await client.get(made["table"]))["game"] == "fairy_school"
    listed = await client.call("GET", "/api/tables", query={"game": "fairy-school"})
    assert made["table"] in [row["table"] for row in listed["tables"]]
    assert (await client.call("GET", "/api/cards/fairy-school")) == (
        await client.call("GET", "/api/cards/fairy_school")
    )
    with pytest.raises(RequestRefused, match="there is no game 'chess'; there are equinox, fairy-school"):
        await client.make("chess")


async def test_a_chosen_seed_cannot_be_guessed_from_its_commitment(open_hall):
    _, client = open_hall
    published = set()
    for _ in range(2):
        made = await client.make("equinox", ["open", "open"], seed="midsummer")
        published.add((await client.get(made["table"]))["commitment"])
    assert len(published) == 2
    assert not any(verify("midsummer", one) for one in published)


async def test_the_chances_of_a_finished_game_go_from_its_beginning_to_its_winner(open_hall):
    _, client = open_hall
    made, _ = await finished(client)
    table = made["table"]
    last = await client.get(table, "at", at=10_000, seat=0)
    found = await asyncio.gather(*(client.get(table, "chances", seat=seat) for seat in (0, 1)))
    points, others = (one["points"] for one in found)
    assert [point["chances"] for point in others] == [point["chances"] for point in points], "asked at once"
    assert (points[0]["at"], points[-1]["at"]) == (0, last["of"])
    assert points[-1]["told"] == last["told"]
    assert [point["told"] for point in points] == sorted(point["told"] for point in points)
    assert all(abs(sum(point["chances"]) - 1) < 0.001 for point in points)
    assert all(0 < chance < 1 for chance in points[0]["chances"])
    winners = (await client.get(table))["outcome"]["winners"]
    assert {seat for seat, chance in enumerate(points[-1]["chances"]) if chance} == set(winners)
    assert (await client.get(table, "chances", seat=0))["points"] == points, "found once"


async def test_a_finished_game_is_looked_through_and_branched_at_any_point(open_hall):
    _, client = open_hall
    made, _ = await finished(client)
    table = made["table"]
    last = await client.get(table, "at", at=10_000)
    assert last["at"] == last["of"] > 50
    for at in (0, 7, 30, 8, last["of"]):
        for seat in (0, 1, None):
            query = {"at": at} if seat is None else {"at": at, "seat": seat}
            found = await client.get(table, "at", **query)
            assert (found["at"], found["view"]["viewer"]) == (at, seat)
    branch = await client.call("POST", f"/api/tables/{table}/branch", {"at": 30})
    async with client.connect(branch["table"], branch["token"]) as place:
        assert place.table["source"] == table
        assert place.view == (await client.get(table, "at", at=30, seat=place.view["viewer"]))["view"]
        before = (await client.get(table))["seats"]
        for old, new in zip(before, place.table["seats"], strict=True):
            assert (new["kind"], new.get("level", "")) == (old["kind"], old.get("level", "")), (
                "bots stay bots"
            )
            assert new.get("hot", False) == (old["kind"] == "person")
        assert {seat["kind"] for seat in before} == {"person", "bot"}
    await refused("bad_message", client.call("POST", f"/api/tables/{table}/branch", {"at": 10_000}))


async def test_a_hot_seat_is_one_device_for_several_seats(open_hall):
    _, client = open_hall
    made = await client.make("equinox", ["hot", "hot", "gretel"], name="Ana")
    async with client.connect(made["table"], made["token"]) as place, asyncio.timeout(30):
        acted = set()
        while acted != {0, 1}:
            for seat in (await client.get(made["table"]))["asked"]:
                if seat < 2:
                    await place.look(seat)
                    await place.act(place.choice["options"][0])
                    acted.add(seat)
            await asyncio.sleep(0.01)
        await refused("not_allowed", place.look(2))
        assert place.view["viewer"] != 2, "the bot's seat is not theirs"


async def test_undo_says_why_it_is_barred(open_hall):
    _, client = open_hall
    made = await client.make(
        "fairy_school", ["open", "hot", "hot"], name="Ana", options={"setup": "beginners"}
    )
    async with client.connect(made["table"], made["token"], seat=0) as ana:
        assert ana.undo_barrier == "nothing"
        await refused("cannot_undo", ana.undo())
        first, story, view = ana.choice, list(ana.story), ana.view
        plain = [option for option in first["options"] if option != "convert"]
        await ana.act(plain[0])
        assert ana.undo_barrier is None
        assert ana.view != view
        await ana.undo()
        assert (ana.story, ana.view) == (story, view)
        assert ana.choice["id"] > first["id"]
        assert {**ana.choice, "id": 0} == {**first, "id": 0}


async def test_a_hint_is_given_against_bots_and_only_there(open_hall):
    _, client = open_hall
    made = await client.make("equinox", ["open", "thumbling"], name="Ana", options={"first": 0})
    async with client.connect(made["table"], made["token"]) as place:
        await place.next_choice(PATIENCE)
        hint = await place.hint()
        assert hint["choice"] == place.choice["id"]
        assert {option["action"] for option in hint["options"]} == set(place.choice["options"])
        assert 0 <= hint["options"][0]["victory"] <= 1
    table, tokens = await table_of(client, "equinox", 2)
    async with client.connect(table, tokens[0]) as place:
        await refused("no_hint", place.hint())


async def test_chat_is_for_the_people_at_the_table(open_hall):
    _, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    async with (
        client.connect(table, tokens[0]) as ana,
        client.connect(table, tokens[1]) as ben,
        client.connect(table) as watcher,
    ):
        await ana.say("hello\x07 Ben")
        await ben.until(lambda: ben.chat, PATIENCE)
        assert [(line["seat"], line["name"], line["text"]) for line in ben.chat] == [(0, "Ana", "hello  Ben")]
        await refused("not_allowed", watcher.say("me too"))
        assert watcher.chat == []
        assert len(ben.chat) == 1
    async with client.connect(table, tokens[1]) as later, client.connect(table) as watcher:
        assert len(later.chat) == 1
        assert watcher.chat == []


async def test_a_token_can_be_renewed(open_hall):
    _, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    async with client.connect(table, tokens[0]) as old:
        new = (await client.do(table, "renew", tokens[0]))["token"]
        await refused("not_allowed", client.get(table, "view", tokens[0]))
        with pytest.raises(Exception, match="changed"):
            await old.until(lambda: False, PATIENCE)
    async with client.connect(table, new) as again:
        assert again.view["viewer"] == 0
    assert (await client.call("POST", "/api/mine", {"tokens": [tokens[0]]}))["tables"] == []
    assert len((await client.call("POST", "/api/mine", {"tokens": [new]}))["tables"]) == 1


async def test_words_come_in_the_language_that_is_asked_for(open_hall):
    _, client = open_hall
    made = await client.make("equinox", ["open", "bot"], name="Ana", options={"first": 0})
    for lang, word in (("de", "Du"), ("fr", "Vous"), ("en", "You")):
        async with client.connect(made["table"], made["token"], lang=lang) as place:
            lines = [event["line"] for event in place.story if event["line"]]
            assert any(word in line for line in lines), lines
            assert place.choice["prompt"]
            assert len(place.choice["labels"]) == len(place.choice["options"])
    story = await client.get(made["table"], "story", made["token"], lang="de")
    assert story["told"] == len(story["events"])
    words = await client.call("GET", "/api/words/fr")
    assert words["equinox"]["event"]
    cards = await client.call("GET", "/api/cards/fairy_school", query={"lang": "de"})
    assert len(cards["cards"]) > 100
    await refused("unknown", client.call("GET", "/api/words/xx"))


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"game": "chess"}, "bad_options"),
        ({"game": "equinox", "options": {"seats": 9}}, "bad_options"),
        ({"game": "equinox", "options": {"creatures": {"a": 1}}}, "bad_options"),
        ({"game": "equinox", "seats": [{"kind": "throne"}, {}]}, "bad_message"),
        ({"game": "equinox", "seats": [{}, {}], "options": {"seats": 3}}, "bad_options"),
        ({"game": "equinox", "seats": [{"kind": "bot", "level": "wizard"}, {}]}, "bad_message"),
        ({"game": "equinox", "pace": {"kind": "move", "seconds": 0}}, "bad_message"),
        ({"game": "equinox", "pace": {"kind": "fast"}}, "bad_message"),
        ({"game": "equinox", "name": "A" * 25}, "bad_message"),
        ({"game": "equinox", "name": "\u200b \x00"}, "bad_message"),
        ({"game": "equinox", "unknown": 1}, "bad_message"),
        ({"game": 3}, "bad_message"),
        ([], "bad_message"),
    ],
)
async def test_a_table_that_cannot_be_is_refused_in_words(open_hall, body, code):
    _, client = open_hall
    assert len(await refused(code, client.call("POST", "/api/tables", body))) > 20


async def test_a_chosen_seed_is_visible_as_such(open_hall):
    _, client = open_hall
    made = await client.make("equinox", ["hot", "hot"], seed="midsummer")
    assert (await client.get(made["table"]))["chosen_seed"] is True
    other = await client.make("equinox", ["hot", "hot"])
    assert (await client.get(other["table"]))["chosen_seed"] is False


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"game": "chess"}, "chess"),
        ({"rules": 99}, "version 99"),
        ({"actions": ["0 jump"]}, "action 1"),
        ({"options": {"seats": 77}}, "do not make a game"),
        ({"fabletop": "nothing"}, "no Fabletop record"),
    ],
)
async def test_a_record_that_does_not_replay_is_refused(open_hall, change, says):
    _, client = open_hall
    assert says in await refused("bad_record", client.call("POST", "/api/records", RECORD | change))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"seats": 2', '"seats": ' + "9" * 5000, "a number of 5000 digits"),
        ('"seats": 2', '"seats": -' + "9" * 19, "a number of 19 digits"),
        ('"actions": []', '"actions": ["' + "9" * 5000 + ' pass"]', "action 1 is '999"),
        ('"actions": []', '"actions": ["0 ' + "x" * 100_000 + '"]', "action 1 is '0 xxx"),
        ('"actions": []', '"actions": [' + "[" * 300 + "]" * 300 + "]", "more than 8 deep"),
        ('"seats": 2', '"seats": ' + "[" * 100_000, "not a JSON text"),
        ('"seats": 2', '"seats": NaN', "NaN is no number"),
        ('"seats": 2', '"seats": -Infinity', "-Infinity is no number"),
        ('"seats": 2', '"seats": 1e999', "too large"),
        ('"seats": 2', '"seats": 2.0', "seats is 2.0"),
        ('"seats": 2', '"seats": true', "seats is True"),
        ('"seats": 2', '"seats": 2, "seats": 3', "'seats' is there twice"),
        ('"seed": "x"', '"seed": "x", "seed": "y"', "'seed' is there twice"),
        ('"seed": "x"', '"seed": "\\ud800"', "half a character"),
        ('"names": []', '"names": ["\\udfff"]', "half a character"),
        ('"actions": []', '"actions": ["0 \\ud800"]', "half a character"),
        ('"names": []', '"names": 5', "'names' should be of type list"),
        ('"names": []', '"names": [true]', "the name of seat 0 is True"),
        ('"format": 1', '"format": true', "format True is unknown"),
        ('"rules": 2', '"rules": true', "not bool"),
    ],
)
async def test_a_hostile_record_is_a_bad_record_and_no_fault(open_hall, old, new, says):
    hall_, client = open_hall
    text = json.dumps(RECORD)
    assert old in text
    async with client.session.post(client.address + "/api/records", data=text.replace(old, new)) as answer:
        told = await answer.json()
    assert (answer.status, told["code"]) == (400, "bad_record")
    assert says in told["message"]
    assert len(told["message"]) < 300
    assert hall_.server.services.metrics.faults._value.get() == 0


async def test_names_of_a_record_are_made_fit_to_be_shown_and_told_apart(open_hall):
    _, client = open_hall
    names = ["Ana 3", "\x00", "ana 3", "B" * 30, "B" * 24]
    made = await client.call("POST", "/api/records", RECORD | {"names": names, "options": {"seats": 5}})
    seats = (await client.get(made["table"]))["seats"]
    assert [seat["name"] for seat in seats] == ["Ana 3", "Seat 2", "ana 3 3", "B" * 24, "B" * 22 + " 5"]


async def test_hot_seats_have_names_that_are_not_too_long_and_all_different(open_hall):
    _, client = open_hall
    long = "Ana of the Seven Hills 2"
    made = await client.make("equinox", ["open", "hot", "hot", "hot"], name=long)
    names = [seat["name"] for seat in (await client.get(made["table"]))["seats"]]
    assert names == [long, *(f"Ana of the Seven Hills {n}" for n in (3, 4, 5))]
    assert max(map(len, names)) == LONGEST_NAME == 24
    made = await client.make("equinox", ["hot", {"kind": "hot", "name": "seat 1"}])
    assert [seat["name"] for seat in (await client.get(made["table"]))["seats"]] == ["Seat 2", "seat 1"]


async def test_open_tables_come_page_by_page(open_hall):
    _, client = open_hall
    made = [
        (await client.make("equinox", ["open", "open"], name="Ana", listed=True))["table"] for _ in range(53)
    ]
    found, page = [], await client.call("GET", "/api/tables")
    while page["tables"]:
        found += [row["table"] for row in page["tables"]]
        page = await client.call("GET", "/api/tables", query={"before": found[-1]})
    assert len(found) == 53
    assert set(found) == set(made)
    for wrong in ("1700000000.5", "", "x" * 33):
        await refused("bad_message", client.call("GET", "/api/tables", query={"before": wrong}))


async def test_an_address_that_is_not_there_is_a_page_and_not_a_file(open_hall):
    _, client = open_hall
    for path in ("/nowhere", "/t/a/b", "/index.html.br", "/..%2f..%2fetc%2fpasswd"):
        async with client.session.get(client.address + path) as answer:
            assert answer.status == 404
            assert answer.content_type == "text/html"
