"""Bots at the table: levels by seat, thinking in the background, hints, and watching."""

from threading import Event
from time import monotonic

import pytest
from textual.widgets import Select

from fabletop.core.errors import BadOptions
from fabletop.core.records import load
from fabletop.terminal.app import FabletopApp
from fabletop.terminal.preferences import NO_PAUSES, Pauses, Preferences
from fabletop.terminal.screens.hint import Hint, shown
from fabletop.terminal.screens.table import SPEEDS, Table
from fabletop.terminal.seats import bot_in, seating, seating_of
from tests.terminal.stage import LARGE, SMALL, press, saved_files, screen_text, settled, table_app

QUICK = Pauses(0.01, 0.01, 0.01)


async def until(pilot, done, seconds=20.0):
    """Wait for something to come true."""
    end = monotonic() + seconds
    while not done():
        assert monotonic() < end, "it never happened"
        await pilot.pause(0.01)


# ---------------------------------------------------------------------------------------------- who plays


def test_one_bot_for_all_or_one_for_each():
    assert seating(4).bots == ("gretel",) * 4
    assert seating(4, 1, bots=["queen"]).bots == ("queen",) * 4
    mixed = seating(4, 1, bots=["thumbling", "puss", "ismcts:iterations=5"])
    assert [mixed.bot(seat).name for seat in (1, 2, 3)] == ["thumbling", "puss", "ismcts"]
    assert mixed.about("en")["bots"] == {"1": "thumbling", "2": "puss", "3": "ismcts:iterations=5"}
    with pytest.raises(BadOptions, match="2 bots for 3 seats"):
        seating(4, 1, bots=["queen", "puss"])
    with pytest.raises(BadOptions, match="there is no bot 'fred'"):
        seating(4, 1, bots=["fred"])


def test_a_record_brings_its_bots_back():
    kept = seating(3, 1, bots=["thumbling", "queen"], milliseconds=300).about("en")
    found = seating_of(["Ana", "Ben", "Cleo"], 3, kept)
    assert found.bots[1:] == ("thumbling", "queen")
    assert found.milliseconds == 300
    strange = seating_of([], 3, {"people": [0], "bots": {"1": "of the future"}, "milliseconds": "long"})
    assert strange.bots == ("gretel",) * 3
    assert strange.milliseconds is None


def test_thinking_time_is_that_of_the_company():
    app = table_app()
    sitting = app.first.sitting
    seat = next(iter(sitting.pending))
    slow = bot_in(sitting, seating(3, 0, bots=["queen"], milliseconds=70), seat)
    assert slow.inner.milliseconds == 70
    own = bot_in(sitting, seating(3, 0, bots=["ismcts:milliseconds=20"], milliseconds=70), seat)
    assert own.inner.milliseconds == 20, "a bot that was given its own time keeps it"


async def test_levels_and_thinking_time_can_be_chosen_on_the_start_screen():
    app = FabletopApp(Preferences("en", NO_PAUSES, auto_pass=False))
    async with app.run_test(size=LARGE) as pilot:
        await pilot.pause()
        assert not app.screen.query_one("#level-0").display, "a person needs no level"
        assert "Gretel" in screen_text(app)
        app.screen.query_one("#level-1", Select).value = "thumbling"
        app.screen.query_one("#level-3", Select).value = "queen"
        app.screen.query_one("#thinking", Select).value = 200
        await pilot.pause()
        assert "beats good players" in str(app.screen.query_one("#level-3").tooltip)
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, Table))
        assert app.screen.seating.bots == ("gretel", "thumbling", "gretel", "queen")
        assert app.screen.seating.milliseconds == 200


# ---------------------------------------------------------------------------------------------- thinking


async def test_the_screen_answers_while_a_bot_thinks_and_quitting_is_immediate(home):
    app = table_app(people=0, seats=2, bots=("ismcts:milliseconds=60000:threads=2",), pauses=QUICK)
    async with app.run_test(size=SMALL) as pilot:
        await until(pilot, lambda: app.screen._thinking is not None)
        thinking = app.screen._thinking
        began = monotonic()
        await pilot.press("l")
        await pilot.pause()
        assert "Manche 1" in screen_text(app)
        assert app.screen._thinking is thinking, "a new language is no reason to think again"
        await pilot.press("q")
        await until(pilot, lambda: thinking.answer is not None, 5)
        assert monotonic() - began < 10
    assert thinking.dropped
    (path,) = saved_files(home)
    assert load(path).about["bots"] == {
        "0": "ismcts:milliseconds=60000:threads=2",
        "1": "ismcts:milliseconds=60000:threads=2",
    }
    assert str(path) in app.return_value


async def test_searching_bots_play_on_while_a_person_plays():
    app = table_app(seats=2, bots=("ismcts:iterations=5",), pauses=QUICK)
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        for _ in range(4):
            await press(pilot, "1")
        seats = {seat for seat, _ in app.screen.sitting.actions}
        assert seats == {0, 1}


class Patient:
    """Answers at once, but thinks about a space until it is stopped."""

    def __init__(self) -> None:
        self._stopped = Event()

    def choose(self, view, choice):
        if choice.kind == "plan_space":
            self._stopped.wait(60)
        return choice.options[0]

    def stop(self):
        self._stopped.set()


async def test_a_bot_goes_on_thinking_while_others_answer_at_the_same_time():
    app = table_app("fairy_school", seats=3, setup="beginners", bots=(f"{__name__}:Patient",), pauses=QUICK)
    async with app.run_test(size=SMALL) as pilot:
        table = app.screen
        await until(
            pilot, lambda: table._thinking is not None and table._thinking.choice.kind == "plan_space"
        )
        thinking, before = table._thinking, list(table.sitting.actions)
        table.act(table.sitting.pending[0].options[0])
        await pilot.pause()
        assert table.sitting.actions[-1][0] == 0
        assert table._thinking is thinking
        table.action_undo()
        await pilot.pause()
        assert table.sitting.actions == before
        assert table._thinking is thinking, "the bot has seen nothing of it"
        await pilot.press("q")


# ---------------------------------------------------------------------------------------------- hints


@pytest.mark.parametrize(
    ("lang", "words", "percent", "size"),
    [
        ("en", "A strong player would choose", "%", SMALL),
        ("fr", "Un joueur fort choisirait", "\u202f%", SMALL),
        ("de", "Ein starker Spieler würde wählen", "\u00a0%", LARGE),
    ],
)
async def test_a_hint_names_the_best_option_and_what_to_expect_of_each(lang, words, percent, size):
    app = table_app(lang=lang, seats=2)
    app.first.seating = seating(2, 1, bots=["uniform"], milliseconds=500)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        table = app.screen
        choice = table.sitting.pending[0]
        await pilot.press("h")
        await until(pilot, lambda: isinstance(app.screen, Hint) and app.screen.thought is not None)
        await pilot.pause()
        panel = app.screen
        assert {option.action for option in panel.thought.options} == set(choice.options)
        text = screen_text(app)
        assert words in text
        best, *others = shown(panel.thought)
        assert best.action == panel.thought.best
        assert [o.victory for o in others] == sorted((o.victory for o in others), reverse=True)
        assert str(table.board.label(best.action))[:12] in text
        assert f"{100 * best.victory:.0f}{percent}" in text
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen is table
        assert table.sitting.actions == [], "a hint does nothing"


async def test_a_hint_can_be_closed_while_it_is_thought_about():
    app = table_app(seats=2)
    app.first.seating = seating(2, 1, bots=["uniform"], milliseconds=60_000)
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        await pilot.press("h")
        await until(pilot, lambda: isinstance(app.screen, Hint))
        assert "Thinking" in screen_text(app)
        panel = app.screen
        await pilot.press("h")
        await until(pilot, lambda: isinstance(app.screen, Table))
        await until(pilot, lambda: panel.thinking.answer is not None, 5)
        assert panel.thought is None


async def test_without_a_question_there_is_no_hint():
    app = table_app(seats=2, bots=("ismcts:milliseconds=60000",), first=1, pauses=QUICK)
    async with app.run_test(size=SMALL) as pilot:
        await until(pilot, lambda: app.screen._thinking is not None)
        await pilot.press("h")
        await pilot.pause()
        assert "nothing for you to decide" in screen_text(app)
        await pilot.press("q")


# ---------------------------------------------------------------------------------------------- watching


async def test_watching_can_be_halted_stepped_and_sped_up():
    app = table_app(people=0, seats=3, pauses=Pauses(0.2, 0.2, 0.2))
    async with app.run_test(size=SMALL) as pilot:
        table = app.screen
        await until(pilot, lambda: len(table.sitting.actions) >= 1)
        await pilot.press("space")
        await pilot.pause()
        assert table.halted
        assert "paused" in screen_text(app).splitlines()[0]
        made = len(table.sitting.actions)
        await pilot.pause(0.5)
        assert len(table.sitting.actions) == made
        for step in (1, 2):
            await until(pilot, lambda: table._thinking is not None and table._thinking.answer is not None)
            await pilot.press("n")
            await until(pilot, lambda wanted=made + step: len(table.sitting.actions) == wanted)
        for _ in SPEEDS:
            await pilot.press("plus")
        assert table.speed == len(SPEEDS) - 1
        await pilot.press("minus")
        assert table.speed == len(SPEEDS) - 2
        await pilot.press("space")
        await until(pilot, lambda: len(table.sitting.actions) > made + 6)
        assert "×8" in screen_text(app).splitlines()[0]


async def test_who_watches_may_look_over_shoulders_but_decides_nothing():
    app = table_app(people=0, seats=2, pauses=Pauses(60, 60, 60))
    async with app.run_test(size=LARGE) as pilot:
        table = app.screen
        await until(pilot, lambda: table._thinking is not None and table._thinking.answer is not None)
        assert table.board.look.view["own"] is None
        seat = next(iter(table.sitting.pending))
        for _ in range(seat + 1):
            await pilot.press("v")
        await pilot.pause()
        assert table.reader == seat
        assert table.board.look.view["own"] is not None
        assert table.board.look.choice is None
        table.act(table.sitting.pending[seat].options[0])
        await pilot.press("u")
        assert table.sitting.actions == []
        for _ in range(2 - seat):
            await pilot.press("v")
        assert table.reader is None, "in the end a spectator again"
        await pilot.press("question_mark")
        await pilot.pause()
        assert "Pause the game" in screen_text(app)


async def test_where_people_play_the_watching_keys_choose_options():
    app = table_app(seats=2, pauses=QUICK)
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        table = app.screen
        await pilot.press("space", "plus", "minus")
        await pilot.pause()
        assert not table.halted
        assert table.speed == SPEEDS.index(1.0)
