"""The start screen: a form made from what the game says of itself."""

import pytest
from textual.widgets import Input, OptionList, Select, Static

from fabletop.core.errors import BadOptions
from fabletop.games import GAMES
from fabletop.terminal.app import FabletopApp
from fabletop.terminal.new_game import BIRTHDAYS, NewGame, day_of
from fabletop.terminal.preferences import NO_PAUSES, Preferences
from fabletop.terminal.screens.start import Start
from fabletop.terminal.screens.table import Table
from fabletop.terminal.widgets.tick import Tick
from tests.terminal.stage import LARGE, SMALL, played, screen_text, settled


def start_app(lang="en") -> FabletopApp:
    return FabletopApp(Preferences(lang, NO_PAUSES, auto_pass=False))


def say(key, **values):
    return Preferences("en").say(key, **values)


def problem(app) -> str:
    return str(app.screen.query_one("#problem", Static).render())


async def test_one_key_starts_a_game_against_bots():
    app = start_app()
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, Table)
        assert app.screen.seating.people == (0,)
        assert app.screen.sitting.options == GAMES["equinox"].options({})


@pytest.mark.parametrize(
    ("lang", "words"),
    [("en", "First player"), ("fr", "Premier joueur"), ("de", "Wer beginnt")],
)
async def test_the_form_speaks_three_languages_and_fits_a_small_terminal(lang, words):
    app = start_app(lang)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        text = screen_text(app)
        assert words in text
        assert say("start.begin") in text if lang == "en" else True
        for name in ("Ana", "Ben", "Cleo", "Dov"):
            assert name in text
        assert app.screen.query_one("#begin").region.bottom <= SMALL[1]


async def test_f2_changes_the_language_and_keeps_what_was_typed():
    app = start_app()
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        app.screen.query_one("#seed", Input).value = "midsummer"
        await pilot.pause()
        await pilot.press("f2")
        await pilot.pause()
        assert "Graine" in screen_text(app)
        assert app.screen.query_one("#seed", Input).value == "midsummer"


async def test_everything_can_be_set():
    app = start_app()
    async with app.run_test(size=LARGE) as pilot:
        await pilot.pause()
        screen = app.screen
        screen.query_one("#seats", Select).value = 5
        await pilot.pause()
        await pilot.pause()
        screen.query_one("#name-4", Input).value = "Zoë"
        screen.query_one("#person-1", Tick).value = True
        screen.query_one("#seed", Input).value = "a seed of ours"
        screen.query_one("#set-first", Select).value = 2
        screen.query_one("#way-creatures", Select).value = True
        await pilot.pause()
        wanted = GAMES["equinox"].settings[0].values[3:11]
        for creature in wanted:
            screen.query_one(f"#some-creatures-{creature}", Tick).value = True
        await pilot.pause()
        await pilot.press("f5")
        await pilot.pause()
        await pilot.press("enter")  # two people share the screen: the curtain first
        await settled(pilot)
        table = app.screen
        chosen = {"seats": 5, "creatures": list(wanted), "first": 2}
        assert table.sitting.options == GAMES["equinox"].options(chosen)
        assert table.sitting.seed == "a seed of ours"
        assert table.seating.names == ("Ana", "Ben", "Cleo", "Dov", "Zoë")
        assert table.seating.people == (0, 1)


async def test_the_first_player_by_birthday():  # E-2.2
    app = start_app()
    async with app.run_test(size=LARGE) as pilot:
        await pilot.pause()
        app.screen.query_one("#set-first", Select).value = BIRTHDAYS
        await pilot.pause()
        await pilot.press("f5")
        await pilot.pause()
        assert problem(app) == say("start.bad_birthday", seat=1)
        for seat, day in enumerate(("01-01", "03-21", "09-23", "02-29")):
            app.screen.query_one(f"#birthday-{seat}", Input).value = day
        await pilot.pause()
        await pilot.press("f5")
        await settled(pilot)
        first = app.screen.sitting.options["first"]
        assert first["birthdays"] == ["01-01", "03-21", "09-23", "02-29"]
        turn = next(e for e in app.screen.sitting.events(None) if e.kind == "turn_began")
        assert turn["seat"] in (1, 2), "born on an equinox"


async def test_bad_input_is_told_in_place():
    app = start_app()
    async with app.run_test(size=LARGE) as pilot:
        await pilot.pause()
        screen = app.screen
        screen.query_one("#name-1", Input).value = " ana "
        await pilot.pause()
        await pilot.press("f5")
        await pilot.pause()
        assert problem(app) == say("start.bad_same_name")
        screen.query_one("#name-1", Input).value = ""
        await pilot.pause()
        await pilot.press("f5")
        await pilot.pause()
        assert problem(app) == say("start.bad_empty_name", seat=2)
        screen.query_one("#name-1", Input).value = "Ben"
        screen.query_one("#way-creatures", Select).value = True
        await pilot.pause()
        screen.query_one("#some-creatures-hoot", Tick).value = True
        await pilot.pause()
        await pilot.press("f5")
        await pilot.pause()
        assert problem(app) == say("start.bad_count", count=8, chosen=1)
        assert isinstance(app.screen, Start)


async def test_what_the_game_refuses_is_told_in_place(monkeypatch):
    def refuse(given):
        if given:
            raise BadOptions("not with these")
        return {"seats": 4, "creatures": "random", "first": "lot"}

    monkeypatch.setattr(type(GAMES["equinox"]), "options", lambda self, given: refuse(given))
    app = start_app()
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        await pilot.press("f5")
        await pilot.pause()
        assert problem(app) == "not with these"


async def test_a_tick_shows_without_colour():
    app = start_app()
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        text = screen_text(app)
        assert text.count("[x]") == 1, "one person"
        assert text.count("[ ]") == 3


async def test_saved_games_can_be_continued(home):
    folder = home / "fabletop"
    whole = played(seats=2)
    part = whole.record(people=[0], over=False)
    half = type(part)(
        **{name: getattr(part, name) for name in part.__slots__} | {"actions": part.actions[:20]}
    )
    half.save(folder / "half.json")
    whole.record(people=[0], over=True).save(folder / "whole.json")
    (folder / "foreign.json").write_text("{}")
    type(part)("draughts", 1, {"seats": 2}, "seed").save(
        folder / "later.json"
    )  # of a later version, with more games
    app = start_app()
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        assert app.screen.query_one("#saved", OptionList).option_count == 1, (
            "finished and foreign files are left out"
        )
        await pilot.press("c")
        await settled(pilot)
        assert app.screen.path == folder / "half.json"
        made = [(seat, GAMES["equinox"].actions[a]) for seat, a in app.screen.sitting.actions]
        assert made[:20] == list(half.actions)


async def test_a_saved_game_of_other_rules_is_refused_in_words(home):
    part = played(seats=2).record(people=[0])
    old = type(part)(**{name: getattr(part, name) for name in part.__slots__} | {"rules": 999})
    old.save(home / "fabletop" / "old.json")
    app = start_app()
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        await pilot.press("c")
        await pilot.pause()
        assert "999" in problem(app)
        assert isinstance(app.screen, Start)


@pytest.mark.parametrize("text", ["03-21", "3-21", "21.3.", "21/03", " 21.03 "])
def test_birthdays_are_read_as_people_write_them(text):
    assert day_of(text, 0, say) == "03-21"


@pytest.mark.parametrize("text", ["", "21", "13-01", "02-30", "March 21", "32.1."])
def test_no_birthday(text):
    with pytest.raises(BadOptions, match="seat 3"):
        day_of(text, 2, say)


def test_a_first_player_who_has_left_the_table():
    new_game = NewGame("equinox", 2, values={"first": 3})
    with pytest.raises(BadOptions, match="one of the 2"):
        new_game.options(GAMES["equinox"], say)
