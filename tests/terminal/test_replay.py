"""Stepping through a record: forwards and backwards, by action and by turn, from any viewpoint."""

import pytest

from fabletop.core.errors import BadOptions, BadRecord
from fabletop.core.replay import ReplayCursor
from fabletop.games import GAMES
from fabletop.terminal.app import FabletopApp
from fabletop.terminal.boards import board_of
from fabletop.terminal.preferences import NO_PAUSES, Preferences
from fabletop.terminal.run import checked_seat, log_lines
from tests.terminal.stage import LARGE, SMALL, played, screen_text

GAME = GAMES["equinox"]


@pytest.fixture(scope="module")
def record():
    return played(seats=3, seed="replay").record(people=[0])


def cursor_of(record) -> ReplayCursor:
    return ReplayCursor(GAME, record, board_of(GAME).HEADINGS)


def test_any_place_is_reached_from_any_other(record):
    cursor = cursor_of(record)
    straight = {}
    for place in range(cursor.length + 1):
        sitting = cursor.go(place)
        straight[place] = (sitting.view(None), sitting.view(1), len(sitting.rows))
    for place in (cursor.length, 3, 50, 49, 48, 20, 21, 0, 40, 39, cursor.length - 1):
        sitting = cursor.go(place)
        assert cursor.place == place
        assert len(sitting.actions) == place
        assert (sitting.view(None), sitting.view(1), len(sitting.rows)) == straight[place]
    assert cursor.go(-5) is cursor.sitting
    assert cursor.place == 0
    assert cursor.go(10**6).outcome is not None


def test_turns_are_found_both_ways(record):
    cursor = cursor_of(record)
    began = []
    while cursor.place < cursor.length:
        cursor.go(cursor.turn_after())
        began.append(cursor.place)
    for place in reversed(began[:-1]):
        cursor.go(cursor.turn_before())
        assert cursor.place == place
        fresh = [GAME.events.kinds[row[0]].name for row in cursor.sitting.rows[cursor.told_before :]]
        assert "turn_began" in fresh


async def replay_app(record, seat=None, lang="en"):
    app = FabletopApp(Preferences(lang, NO_PAUSES))
    app.first = app.replay(record, seat)
    return app


async def test_keys_step_through_the_record(record):
    app = await replay_app(record, 0)
    async with app.run_test(size=LARGE) as pilot:
        await pilot.pause()
        assert f"Action 0 of {len(record.actions)}" in screen_text(app)
        first = screen_text(app)
        await pilot.press("right", "right", "right")
        await pilot.pause()
        assert f"Action 3 of {len(record.actions)}" in screen_text(app)
        third = screen_text(app)
        await pilot.press("pagedown", "pagedown", "pageup", "end")
        await pilot.pause()
        last = screen_text(app)
        assert f"Action {len(record.actions)} of" in last
        assert "wins the game" in last or "share the victory" in last
        await pilot.press("home")
        await pilot.pause()
        assert screen_text(app) == first
        await pilot.press("right", "right", "right", "right", "left")
        await pilot.pause()
        assert screen_text(app) == third, "backwards shows what forwards showed"


async def test_the_viewpoint_decides_what_is_seen(record):
    app = await replay_app(record)
    async with app.run_test(size=LARGE) as pilot:
        await pilot.pause()
        outside = screen_text(app)
        assert "seen by a spectator" in outside
        assert "You are dealt" not in outside
        await pilot.press("1")
        await pilot.pause()
        ben = screen_text(app)
        assert "seen by ◆ Ben" in ben
        assert "You are dealt" in ben
        assert "● Ana is dealt 8 cards" in ben
        await pilot.press("9")
        await pilot.pause()
        assert screen_text(app) == ben, "there is no seat 9"
        await pilot.press("s")
        await pilot.pause()
        assert screen_text(app) == outside


@pytest.mark.parametrize(
    ("lang", "word"), [("en", "Action 1 of"), ("fr", "Action 1 sur"), ("de", "Schritt 1 von")]
)
async def test_replay_in_three_languages_on_a_small_terminal(record, lang, word):
    app = await replay_app(record, 2, lang)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        await pilot.press("right")
        await pilot.pause()
        assert word in screen_text(app)


def test_the_log_as_text(record):
    lines = {lang: log_lines(record, 0, lang) for lang in ("en", "fr", "de")}
    assert "You are dealt" in lines["en"][1]
    assert "Ben is dealt 8 cards" in lines["en"]
    assert len({len(found) for found in lines.values()}) == 1
    assert lines["en"] != lines["fr"] != lines["de"]
    assert not any("You are" in line for line in log_lines(record, None, "en"))


def test_a_seat_that_is_not_there(record):
    assert checked_seat(record, 2) == 2
    with pytest.raises(BadOptions, match="0 to 2"):
        log_lines(record, 3, "en")


def test_a_record_of_no_game_is_refused(record):
    other = type(record)("draughts", 1, {"seats": 2}, "seed")
    with pytest.raises(BadRecord, match="draughts"):
        FabletopApp(Preferences("en")).replay(other, None)
