"""Lessons at real tables: made from a position, answered by the script, taken back, and deleted when they are left."""

import asyncio

import pytest

from fabletop.client import RequestRefused
from fabletop.games import COURSES
from fabletop.server.api.courses import course_now
from fabletop.server.stores.sqlite import SqliteStore
from tests.server.hall import PATIENCE, hall

LANGUAGES = ("en", "fr", "de")


async def lesson(client, name="goodbye", game="equinox"):
    return await client.call("POST", "/api/lessons", {"game": game, "lesson": name, "name": "Ana"})


async def taught(client, made, **query):
    path = f"/api/tables/{made['table']}/taught"
    return await client.call("GET", path, token=made["token"], query=query)


async def test_a_lesson_is_a_table_that_begins_at_its_position(open_hall):
    _, client = open_hall
    made = await lesson(client)
    assert made["seat"] == 0
    async with client.connect(made["table"], made["token"]) as ana:
        choice = await ana.next_choice()
        assert choice["kind"] == "play"
        assert "hopscotch-8" in choice["options"]
        assert ana.table["lesson"] == "goodbye"
        assert await taught(client, made) == {"reached": 0, "missed": "", "tips": []}
        await ana.act("hopscotch-8")
        choice = await ana.next_choice()  # the script has answered for the other seat
        assert [event["event"] for event in ana.story].count("turn_began") == 2
        assert (await taught(client, made))["reached"] == 1
        await ana.act("fungy-9")
        await ana.until(lambda: any(event["event"] == "eliminated" for event in ana.story), PATIENCE)
        assert (await taught(client, made))["reached"] == 2
        told = len(ana.story)
        assert (await taught(client, made, told="1"))["reached"] == 1, "as far as the page has shown it"
        await asyncio.sleep(0.1)
        assert len(ana.story) == told, "nobody plays on after the lesson"


async def test_what_was_missed_is_taken_back_with_all_that_followed(open_hall):
    _, client = open_hall
    made = await lesson(client)
    async with client.connect(made["table"], made["token"]) as ana:
        before = (await ana.next_choice())["options"]
        await ana.act("hopscotch-1")
        await ana.until(lambda: any(event["event"] == "eliminated" for event in ana.story), PATIENCE)
        assert (await taught(client, made))["missed"] == "lowest"
        await ana.undo()
        assert (await ana.next_choice())["options"] == before
        assert ana.story == []
        assert await taught(client, made) == {"reached": 0, "missed": "", "tips": []}
        await ana.act("hopscotch-5")
        await ana.next_choice()  # the other seat has acted since
        await ana.undo()
        assert (await ana.next_choice())["options"] == before


async def test_a_lesson_survives_a_restart_and_has_no_record(tmp_path):
    store = SqliteStore(tmp_path / "tables.sqlite")
    async with hall(tmp_path, store) as (place, client):
        made = await lesson(client)
        async with client.connect(made["table"], made["token"]) as ana:
            await ana.next_choice()
            await ana.act("hopscotch-8")
            await ana.next_choice()
        await place.close()
        place.store = SqliteStore(tmp_path / "tables.sqlite")
        await place.open()
        assert (await taught(client, made))["reached"] == 1
        for path in ("record", "verify", "at"):
            with pytest.raises(RequestRefused) as refusal:
                await client.call("GET", f"/api/tables/{made['table']}/{path}", token=made["token"])
            assert refusal.value.code in ("not_allowed", "not_playing")
        mine = await client.call("POST", "/api/mine", {"tokens": [made["token"]]})
        assert mine["tables"] == []
        with pytest.raises(RequestRefused):
            await client.get(made["table"] + "x")


async def test_a_lesson_that_is_left_is_deleted(tmp_path):
    async with hall(tmp_path, idle=0.0, sweep=0.02) as (place, client):
        made = await lesson(client)
        async with client.connect(made["table"], made["token"]) as ana:
            await ana.next_choice()
            await asyncio.sleep(0.1)
            assert await place.server.services.store.load(made["table"]) is not None
        for _ in range(100):
            await asyncio.sleep(0.02)
            if await place.server.services.store.load(made["table"]) is None:
                break
        assert await place.server.services.store.load(made["table"]) is None


async def test_strangers_do_not_look_at_a_lesson(open_hall):
    _, client = open_hall
    made = await lesson(client)
    with pytest.raises(RequestRefused) as refusal:
        await client.call("GET", f"/api/tables/{made['table']}/taught")
    assert refusal.value.code == "not_allowed"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"game": "equinox", "lesson": "algebra", "name": "Ana"}, "unknown"),
        ({"game": "chess", "lesson": "goodbye", "name": "Ana"}, "unknown"),
        ({"game": "equinox", "lesson": "goodbye", "name": ""}, "bad_message"),
    ],
)
async def test_what_is_not_taught_is_refused(open_hall, body, code):
    _, client = open_hall
    with pytest.raises(RequestRefused) as refusal:
        await client.call("POST", "/api/lessons", body)
    assert refusal.value.code == code


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", COURSES)
async def test_a_course_has_its_texts(open_hall, game, lang):
    _, client = open_hall
    found = await client.call("GET", f"/api/lessons/{game}", query={"lang": lang})
    assert [entry["id"] for entry in found["lessons"]] == [entry.id for entry in COURSES[game].lessons]
    assert [entry["id"] for entry in found["tips"]] == [tip.id for tip in COURSES[game].tips]
    course = course_now(game, lang)
    steps = [step for entry in course.lessons for step in entry.steps]
    texts = [text for step in steps for text in (step.text, *step.missed.values())]
    assert not [text for text in texts + [tip.text for tip in course.tips] if "{" in text]


async def test_a_coached_game_is_told_the_tips_that_fit(open_hall):
    _, client = open_hall
    made = await client.make("equinox", ["open", "thumbling"], name="Ana", options={"seats": 2, "first": 0})
    async with client.connect(made["table"], made["token"]) as ana:
        choice = await ana.next_choice()
        assert choice["kind"] == "predict"
        assert (await taught(client, made))["tips"] == ["predict"]
        await ana.act("pass")
        await ana.next_choice()
        assert (await taught(client, made))["tips"] == ["play"]
