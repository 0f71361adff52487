"""Playing at the table in the terminal: by keys, by mouse, to the end; undo, saving, going on."""

import pytest
from textual.widgets import OptionList

from fabletop.core.records import load
from fabletop.core.sitting import Sitting, replay
from fabletop.games import GAMES
from fabletop.terminal.app import FabletopApp
from fabletop.terminal.preferences import NO_PAUSES, Pauses, Preferences
from fabletop.terminal.screens.result import Result
from fabletop.terminal.screens.table import Table
from fabletop.terminal.widgets.chooser import Chooser
from tests.terminal.stage import (
    LARGE,
    SMALL,
    bot_action,
    press,
    questions,
    saved_files,
    screen_text,
    settled,
    table_app,
)


async def test_the_table_shows_board_hand_log_and_options():
    app = table_app()
    async with app.run_test(size=LARGE) as pilot:
        await settled(pilot)
        text = screen_text(app)
        view = app.screen.sitting.view(0)
        teller = app.screen.board.look.teller
        for column in view["columns"]:
            assert teller.say("creature", column["creature"]).split()[-1] in text
        for card in view["own"]["hand"]:
            name = teller.say("card", card)
            assert name in text, f"{name} is in the log, which tells what was dealt"
        assert "Your turn" in text
        assert "Bet on a creature" in text
        assert len(app.screen.query_one(Chooser).entries) == len(app.screen.sitting.pending[0].options)


async def test_playing_by_keys():
    app = table_app()
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        await press(pilot, "1")  # by shortcut
        await press(pilot, "down", "enter")  # by arrows
        own = [text for seat, text in app.screen.sitting.record().actions if seat == 0]
        view = app.screen.sitting.view(0)
        assert own[0] in view["creatures"], "the first option is a prediction"
        assert len(own) >= 2
        cells = {c["creature"]: c["cells"][0] for c in view["columns"]}
        assert cells[own[0]]["pebble"] == 0


async def test_playing_by_mouse_on_the_board_and_in_the_list():
    app = table_app()
    async with app.run_test(size=LARGE) as pilot:
        await settled(pilot)
        board = app.screen.board
        lit = [thing for thing in board.things() if thing.actions and thing.key.startswith("1-")]
        wanted = lit[2].actions[0]
        await pilot.click(lit[2])
        await settled(pilot)
        assert app.screen.sitting.actions[0] == (0, wanted)
        made = len(app.screen.sitting.actions)
        chooser = app.screen.query_one(Chooser)
        entry = chooser.entries[1]
        await pilot.click(OptionList, offset=(4, 1))
        await settled(pilot)
        assert app.screen.sitting.actions[made] == (0, entry.action)


async def test_a_click_on_something_that_is_no_option_changes_nothing():
    app = table_app()
    async with app.run_test(size=LARGE) as pilot:
        await settled(pilot)
        await pilot.click(app.screen.board.thing("5-0"))
        await settled(pilot)
        assert app.screen.sitting.actions == []
        assert "A pebble here is worth 0 points" in screen_text(app).replace("\n", " ")


async def test_a_whole_game_by_pressing_keys_ends_on_the_result_screen():
    app = table_app(seats=5, auto_pass=True)
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        for _ in range(300):
            await press(pilot, "enter")
            if isinstance(app.screen, Result):
                break
        assert isinstance(app.screen, Result)
        outcome = app.screen.sitting.outcome
        text = screen_text(app)
        people = ("● Ana", "◆ Ben", "▲ Cleo", "■ Dov", "★ Eli")
        winners = [people[seat] for seat in outcome.winners]
        assert all(winner in text.splitlines()[1] for winner in winners)
        for seat, score in enumerate(outcome.scores):
            assert people[seat] in text
            assert f"{int(score)}" in text
        await pilot.press("b")
        await pilot.pause()
        assert isinstance(app.screen, Table), "back to the table"
        await press(pilot, "enter")
        await pilot.press("n")
        await pilot.pause()
        assert "Equinox" in screen_text(app)
        assert app.screen.query("#begin"), "play again leads to the start screen"


async def test_undo_takes_back_what_nobody_has_learned_from():
    app = table_app()
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        before = screen_text(app)
        await press(pilot, "2")
        assert screen_text(app) != before
        await press(pilot, "u")
        assert app.screen.sitting.actions == []
        text = screen_text(app)
        assert "Taken back" in text
        assert "Bet on a creature" in questions(app)


@pytest.mark.parametrize(
    ("lang", "why"),
    [
        ("en", "This cannot be taken back"),
        ("fr", "Impossible de revenir en arrière"),
        ("de", "Das lässt sich nicht zurücknehmen"),
    ],
)
async def test_undo_says_why_it_is_barred(lang, why):
    app = table_app(lang=lang)
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        await press(pilot, "u")
        nothing = screen_text(app)
        assert why in nothing
        await press(pilot, "p", "1")  # no prediction, then a card, which all see; then the bots play
        made = list(app.screen.sitting.actions)
        assert len({seat for seat, _ in made}) > 1
        await press(pilot, "u")
        assert app.screen.sitting.actions == made
        assert why in screen_text(app)
        assert screen_text(app) != nothing


async def test_every_own_action_is_saved_and_a_resumed_game_goes_on_exactly(home):
    app = table_app(seed="resume")
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        await press(pilot, "1", "1")
        (path,) = saved_files(home)
        made = app.screen.sitting.actions
        kept = replay(GAMES["equinox"], load(path)).actions
        assert made[: len(kept)] == kept, "the file is never ahead, and what bots did since comes again"
        await pilot.press("q")
    assert str(path) in app.return_value
    record = load(path)
    assert record.about["people"] == [0]
    assert record.about["bots"] == {"1": "uniform", "2": "uniform"}
    again = FabletopApp(Preferences("fr", NO_PAUSES, False))
    again.first = again.saved_table(path, record)
    straight = table_app(seed="resume")
    async with again.run_test(size=SMALL) as pilot:
        await settled(pilot)
        assert again.screen.sitting.actions[: len(made)] == made
        await press(pilot, "1", "1", "1")
        resumed = list(again.screen.sitting.actions)
    async with straight.run_test(size=SMALL) as pilot:
        await settled(pilot)
        await press(pilot, "1", "1", "1", "1", "1")
        assert straight.screen.sitting.actions == resumed


async def test_the_game_goes_on_when_the_disk_refuses(home, monkeypatch):
    (home / "fabletop").write_text("a file where the folder should be")
    app = table_app()
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        await press(pilot, "1")
        assert "could not be saved" in screen_text(app)
        assert len(app.screen.sitting.actions) == 1
        await pilot.press("q")
    assert "could not be saved" in app.return_value


def before_a_lone_pass() -> Sitting:
    """A game of bots up to where Ana has nothing but a pass."""
    game = GAMES["equinox"]
    sitting = Sitting(game, {"seats": 3}, seed="lone pass", names=("Ana", "Ben", "Cleo"))
    while True:
        (choice,) = sitting.pending.values()
        if choice.seat == 0 and [game.actions[action] for action in choice.options] == ["pass"]:
            break
        sitting.act(choice.seat, bot_action(sitting, choice.seat))
    return sitting


async def test_a_lone_pass_answers_itself_only_where_that_is_wanted(home):
    sitting = before_a_lone_pass()
    made = len(sitting.actions)
    app = FabletopApp(Preferences("en", NO_PAUSES, auto_pass=False))
    app.first = app.saved_table(home / "game.json", sitting.record(people=[0]))
    async with app.run_test(size=SMALL) as pilot:
        for _ in range(5):
            await pilot.pause(0.02)
        assert len(app.screen.sitting.actions) == made, "auto-pass is off: nothing happens by itself"
        assert len(app.screen.query_one(Chooser).entries) == 1
        await press(pilot, "a")
        assert app.screen.sitting.actions[made] == (0, GAMES["equinox"].parse("pass"))


async def test_a_lone_pass_is_never_answered_without_a_pause():
    assert Pauses().lone_pass >= 0.5


async def test_highlighting_an_option_shows_it_on_the_board_and_explains_it():
    app = table_app()
    async with app.run_test(size=LARGE) as pilot:
        await settled(pilot)
        chooser, board = app.screen.query_one(Chooser), app.screen.board
        for _ in range(3):
            await pilot.press("down")
            await pilot.pause()
            (aimed,) = [thing for thing in board.things() if thing.has_class("-aimed")]
            assert aimed.actions == [chooser.current.action]
            power = board.details(aimed.key).plain.splitlines()[-1]
            assert power[:20] in screen_text(app)


async def test_tab_goes_round_choices_board_and_log():
    app = table_app()
    async with app.run_test(size=LARGE) as pilot:
        await settled(pilot)
        met = []
        for key in ("tab", "tab", "tab", "shift+tab"):
            met.append(app.focused.id)
            await pilot.press(key)
        assert met == ["chooser", "board", "log", "chooser"]
        assert app.focused.id == "log"


async def test_the_board_cursor_moves_with_arrows_and_enter_chooses():
    app = table_app()
    async with app.run_test(size=LARGE) as pilot:
        await settled(pilot)
        board = app.screen.board
        await pilot.press("tab")
        await pilot.pause()
        assert app.focused is board
        start = board._cursor
        assert start.has_class("-cursor", "-aimed"), "it begins where the list points"
        await pilot.press("right")
        assert board._cursor is not start
        assert board._cursor.region.x > start.region.x
        await pilot.press("left")
        assert board._cursor is start
        wanted = board._cursor.actions[0]
        await pilot.press("enter")
        await settled(pilot)
        assert app.screen.sitting.actions[0] == (0, wanted)


@pytest.mark.parametrize(
    ("lang", "size"),
    [("en", SMALL), ("fr", SMALL), ("de", SMALL), ("fr", LARGE), ("de", (100, 30)), ("en", (200, 60))],
)
async def test_all_languages_fit_all_sizes(lang, size):
    app = table_app(lang=lang, seats=5)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        await press(pilot, "1", "1")
        lines = screen_text(app).splitlines()
        assert len(lines) == size[1]
        assert {"en": "Round 1", "fr": "Manche 1", "de": "Runde 1"}[lang] in lines[0]
        assert {"en": "Help", "fr": "Aide", "de": "Hilfe"}[lang] in lines[-1]
        for name in ("An", "Be", "Cl", "Do", "El"):
            assert name in "\n".join(lines)
        shown = [
            entry for entry in app.screen.query_one(Chooser).entries if str(entry.label) in "\n".join(lines)
        ]
        assert shown, "at least the first option can be read"


async def test_the_language_changes_at_the_table():
    app = table_app()
    async with app.run_test(size=LARGE) as pilot:
        await settled(pilot)
        seen = []
        for _ in range(4):
            seen.append(screen_text(app).splitlines()[0].strip())
            await press(pilot, "l")
        assert seen[0] == seen[3]
        assert len(set(seen)) == 3
        assert "à vous" in seen[1]


async def test_a_terminal_that_is_too_small_says_so():
    app = table_app()
    async with app.run_test(size=(50, 15)) as pilot:
        await pilot.pause()
        assert "50 × 15" in screen_text(app)
        await pilot.resize_terminal(80, 24)
        await settled(pilot)
        assert "Your turn" in screen_text(app)


async def test_help_lists_keys_and_signs():
    app = table_app()
    async with app.run_test(size=LARGE) as pilot:
        await settled(pilot)
        await pilot.press("question_mark")
        await pilot.pause()
        text = screen_text(app)
        assert "Take back your last action" in text
        assert "A Chameleon is on top" in text
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, Table)


async def test_without_people_the_bots_play_for_a_spectator():
    app = table_app(people=0, seats=2)
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot, rounds=5000)
        assert app.screen.sitting.outcome is not None
        assert app.screen.board.look.view["own"] is None


async def test_seats_have_shape_and_colour():
    app = table_app(seats=5)
    async with app.run_test(size=LARGE) as pilot:
        await settled(pilot)
        text = screen_text(app)
        for shape, name in zip("●◆▲■★", ("Ana", "Ben", "Cleo", "Dov", "Eli"), strict=True):
            assert f"{shape} {name}" in text


async def test_what_cannot_be_chosen_says_why_when_it_is_looked_at_and_when_it_is_tried():
    app = table_app()
    async with app.run_test(size=LARGE) as pilot:
        await settled(pilot)
        board = app.screen.board
        tree = next(thing for thing in board.things() if thing.key == "hand-7-dryad")
        assert not tree.actions
        await pilot.hover(tree)
        await pilot.pause()
        told = str(app.screen.query_one("#detail").render())
        assert "A secret bet takes a Creature card. (E-3.2)" in told
        later = next(thing for thing in board.things() if thing.key.startswith("3-"))
        before = list(app.screen.sitting.actions)
        await pilot.click(later)
        await settled(pilot)
        assert "No bet here: pebbles go into the current row. (E-3.1)" in screen_text(app)
        assert app.screen.sitting.actions == before
