"""Fairy School in the terminal: every phase by keys and by mouse, what is shown of it, a whole year to the result."""

import pytest

from fabletop.core.chance import Chance
from fabletop.games import GAMES
from fabletop.games.fairy_school.cards import BY_NAME, CREATURES
from fabletop.terminal.app import FabletopApp
from fabletop.terminal.glyphs import ASCII, UNICODE, use_glyphs
from fabletop.terminal.preferences import NO_PAUSES, Preferences
from fabletop.terminal.screens.result import Result
from fabletop.terminal.screens.table import Table
from fabletop.terminal.widgets.chooser import Chooser
from tests.terminal.stage import LARGE, SMALL, press, questions, screen_text, settled, table_app

GAME = GAMES["fairy_school"]
LAST_RESORTS = ("convert", "cancel", "done", "pass")


def scene_app(text, seats=3, lang="en", **options):
    """A table at a moment drawn as text; see the positions of the game."""
    app = table_app("fairy_school", seats=seats, lang=lang, **options)
    sitting = app.first.sitting
    sitting.state = GAME.from_position(f"{seats} seats; {text}")
    sitting.state.listen(True)
    return app


def useful(choice, chance):
    """An option that gets on with the year."""
    texts = {action: GAME.actions[action] for action in choice.options}
    found = [action for action, text in texts.items() if text not in LAST_RESORTS]
    return chance.pick(found or [action for action, text in texts.items() if text in ("done", "pass")])


def advance(sitting, wanted):
    """Let everybody play until seat 0 is asked what is wanted; whether that happened."""
    chance = Chance.from_text("advance")
    while sitting.pending:
        for seat in list(sitting.pending):
            choice = sitting.pending.get(seat)
            if choice is None:
                continue
            if seat == 0 and wanted(choice):
                return True
            sitting.act(seat, useful(choice, chance))
    return False


def entries(app):
    """The options in the list, in words."""
    return [str(entry.label) for entry in app.screen.query_one(Chooser).entries]


def pick(app, *texts):
    """The shortcut of an option, by its action text."""
    chooser = app.screen.query_one(Chooser)
    texts_shown = [entry.text for entry in chooser.entries]
    return [chooser.keys[texts_shown.index(text)] for text in texts]


async def choose(pilot, *texts):
    """Choose options one after the other by their shortcuts."""
    for text in texts:
        await press(pilot, *pick(pilot.app, text))


def said(app, card):
    """A card as one speaks of it."""
    return app.screen.board.look.teller.say("card", card)


def lit(app):
    """The keys of the Things that can be chosen."""
    return {thing.key for thing in app.screen.board.things() if thing.actions}


def own(app):
    """Seat 0's area as Ana sees it."""
    return app.screen.sitting.view(0)["players"][0]


ACTIVATION = """trimester I, turn 2, phase activate
    ana: elements 3E 1V 2F; cubes 30; kindness ben 2; studied gnome; discard 53 5; projects 103 96
         shared 88; personal 8 9; forest 57 . 3 . . / . . 7 . 4
    ben: shared 58; kindness ana 1
    cleo: shared 68"""


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_the_table_shows_everything_that_matters(size):
    app = scene_app(ACTIVATION)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        text = screen_text(app)
        lines = text.splitlines()
        assert "Trimester I · turn 2 of 3 · Activation" in lines[0]
        assert "E 3" in text, "own elements"
        assert "F 2" in text, "own elements"
        assert "▣30" in text, "cubes, kindness, creatures"
        assert "♥2" in text, "cubes, kindness, creatures"
        assert "✎1" in text, "cubes, kindness, creatures"
        assert "discard 2" in text
        assert "common" in text
        assert "pile" in text
        assert any("personal" in line and "8 Sea" in line and "9 Sphinx" in line for line in lines)
        assert any("shared" in line and "88 Ph" in line for line in lines)
        assert any("←◆ Ben" in line and "58 " in line for line in lines)
        assert any("→▲ Cleo" in line and "68 Sphinx" in line for line in lines)
        assert any("57 " in line and "∴" in line for line in lines), "the forest and its paw"
        assert "1E" in text, "what the columns cost"
        assert "3 · free" in text, "what the columns cost"
        assert any("103" in line and "1V 0/4W" in line for line in lines), "cost, and what is missing"
        for creature in CREATURES:
            assert GAME.say("creature", creature, app.screen.board.look.teller.word)[:6].capitalize() in text
        assert "✓Gnome" in text
        assert "·Unicorn" in text
        assert "─E─" in text
        assert {"personal:8", "personal:9", "shared:88", "shared:58", "shared:68"} <= lit(app)
        assert any(line.startswith("◆ 58") for line in entries(app)), "whose card it is"


async def test_details_say_what_a_card_does_and_whose_it_is():
    app = scene_app(ACTIVATION)
    async with app.run_test(size=LARGE) as pilot:
        await settled(pilot)
        board = app.screen.board
        await pilot.hover(board.thing("shared:58"))
        await pilot.pause()
        word = board.look.teller.word
        assert GAME.say("card_text", "58", word)[:30] in " ".join(screen_text(app).split())
        assert "your cube would become kindness for ◆ Ben" in board.details("shared:58").plain
        for key in (
            "project:103",
            "seat-1",
            "pile",
            "discard",
            "common",
            "element:fire",
            "column-1",
            "bottom-5",
            "creature:elf",
        ):
            assert len(board.details(key).plain) > 20, key
        assert "Missing: 4 water" in board.details("project:103").plain
        assert "53" in board.details("discard").plain
        assert "Pair with Gnome" in board.details("creature:unicorn").plain
        assert "Kindness: 1 (● Ana 1)" in board.details("seat-1").plain
        assert "Paw space" in board.details("bottom-5").plain


async def test_planning_by_keys_and_by_mouse():  # F-5.1
    app = scene_app("trimester I, turn 1, phase plan\nana: forest 57 58 . 59 60 / 61 62 63 . .")
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        hand = app.screen.sitting.view(0)["own"]["hand"]
        assert len(hand) == 3
        assert "3 left" in questions(app)
        assert {f"hand:{card}" for card in hand} <= lit(app)
        await choose(pilot, hand[0])
        assert f"place {said(app, hand[0])}" in questions(app)
        assert {"top-3", "bottom-5"} <= lit(app)
        assert "Bottom row, space 5 (1W) ∴" in entries(app)
        await pilot.click(app.screen.board.thing("bottom-5"))
        await settled(pilot)
        assert own(app)["forest"]["bottom"][4] == hand[0]
        await pilot.click(app.screen.board.thing(f"hand:{hand[1]}"))
        await settled(pilot)
        await choose(pilot, "top-3")
        assert own(app)["forest"]["top"][2] == hand[1]
        assert own(app)["forest"]["bottom"][3] == hand[2], "the last card has only one space left"
        assert "Everything is placed" in questions(app)


async def test_selection_plays_columns_and_says_what_they_cost():  # F-5.2
    app = scene_app("trimester I, turn 1, phase select\nana: elements 5E; forest 57 . 58 . . / 7 . 3 . .")
    async with app.run_test(size=LARGE) as pilot:
        await settled(pilot)
        assert "top card is shared" in questions(app)
        labels = entries(app)
        assert labels[0] == "Column 1 (1 earth)  ⇡57 ⇣7"
        assert labels[1].endswith("⇄"), "one plant has to be made"
        await pilot.click(app.screen.board.thing("column-1"))
        await settled(pilot)
        assert own(app)["elements"]["earth"] == 4
        assert "second column" in questions(app)
        assert "✓ 1" in screen_text(app)
        assert app.screen.board.thing("shared:57").display
        assert app.screen.board.thing("personal:7").display
        await choose(pilot, "column-3")
        assert own(app)["shared"] == ["57", "58"]
        assert "Two columns" in questions(app)


async def test_a_card_with_two_lines_asks_for_one():  # F-5.3
    app = scene_app(ACTIVATION)
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        await choose(pilot, "8")
        assert "Sea serpent 8: which line" in questions(app)
        assert entries(app) == ["Line 1: E", "Line 2: W"]
        assert "▸8 Sea" in screen_text(app), "the card in use is marked"
        assert "Take 1 earth." in screen_text(app)
        await press(pilot, "down")
        assert "Take 1 water." in screen_text(app)
        await press(pilot, "enter")
        assert own(app)["elements"]["water"] == 1
        assert "✓8 Sea" in screen_text(app), "an activated card is ticked"
        assert own(app)["cubes"] == 29


async def test_a_transformation_says_what_each_time_costs_and_brings():  # F-6.2
    app = scene_app("trimester I, turn 2, phase activate\nana: elements 3E; personal 103")
    async with app.run_test(size=LARGE) as pilot:
        await settled(pilot)
        assert entries(app)[0] == "103 Griffin: E ×5 → V or F", "realised, it has no cost any more"
        await choose(pilot, "103")
        assert entries(app) == ["Once: pay 1 earth", "2 times: pay 2 earth", "3 times: pay 3 earth"]
        await choose(pilot, "times-2")
        assert entries(app) == ["Take 1 plant", "Take 1 fire"]
        await choose(pilot, "gain-1", "gain-2")
        elements = own(app)["elements"]
        assert (elements["earth"], elements["plant"], elements["fire"]) == (1, 1, 1)


async def test_recall_shows_the_discard_and_brings_a_card_back():  # F-6.3
    app = scene_app(ACTIVATION)
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        await choose(pilot, "9", "line-2")
        assert "which card do you recall" in questions(app)
        assert {"discard:5", "discard:53"} <= lit(app)
        await pilot.click(app.screen.board.thing("discard:53"))
        await settled(pilot)
        assert "53" in own(app)["personal"]
        assert "personal:53" in lit(app), "and it can be activated now"


async def test_scouted_cards_are_shown_to_choose_from():  # F-6.3
    app = scene_app("trimester I, turn 2, phase activate\nana: elements 1V; personal 11; pile 1 2 3 4")
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        await choose(pilot, "11", "line-2")
        looked = app.screen.sitting.view(0)["own"]["looked"]
        assert len(looked) == 3
        assert {f"looked:{card}" for card in looked} <= lit(app)
        assert "scouted" in screen_text(app)


async def test_banish_lights_up_the_forest():  # F-6.3
    app = scene_app(
        "trimester I, turn 2, phase activate\nana: elements 1F; personal 12; forest 57 . 3 . . / . . 7 . ."
    )
    async with app.run_test(size=LARGE) as pilot:
        await settled(pilot)
        await choose(pilot, "12", "line-2")
        assert {"top-1", "top-3", "bottom-3"} <= lit(app)
        assert "Banish nothing" in entries(app)
        await pilot.click(app.screen.board.thing("top-3"))
        await settled(pilot)
        assert own(app)["banished"] == ["3"]


async def test_repeat_offers_what_was_activated():  # F-6.8
    app = scene_app("trimester I, turn 2, phase activate\nana: elements 2W; personal 10 1 2")
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        await choose(pilot, "1", "2", "10", "line-2", "1")
        assert own(app)["elements"]["earth"] == 3
        assert app.screen.board.thing("personal:1").render().plain.startswith("21 Unicorn"), (
            "two cubes on card 1"
        )


async def test_a_free_conversion_from_the_board():  # F-1.3, F-6.9
    app = scene_app("trimester I, turn 2, phase activate\nana: elements 2E 2V 1W; personal 1")
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        assert "convert" in lit(app)
        await pilot.click(app.screen.board.thing("convert"))
        await settled(pilot)
        assert "any 3 make earth or water" in questions(app)
        assert "1 fire for 4 elements" in entries(app)
        assert "element:fire" in lit(app)
        await pilot.click(app.screen.board.thing("element:fire"))
        await settled(pilot)
        assert "0 of 4 given" in questions(app)
        assert "Give 1 earth (you have 2)" in entries(app)
        await choose(pilot, "spend-earth", "spend-earth", "spend-plant", "spend-plant")
        elements = own(app)["elements"]
        assert (elements["earth"], elements["plant"], elements["fire"], elements["water"]) == (0, 0, 1, 1)
        assert "Activate a card" in questions(app), "and back to where we were"


async def test_a_payment_that_lacks_something_explains_itself():  # F-6.9
    app = scene_app("trimester I, turn 2, phase realise\nana: elements 1E 1V 3W 5F 1A; projects 103")
    async with app.run_test(size=LARGE) as pilot:
        await settled(pilot)
        assert entries(app)[0].endswith("⇄"), "realising it takes a conversion"
        await choose(pilot, "103")
        asked = questions(app)
        assert f"{said(app, '103')} costs 1 earth, 1 plant and 4 water" in asked
        assert "1 water is missing" in asked
        assert "1 air alone would do" in asked
        await choose(pilot, "spend-air")
        assert own(app)["realised"] == ["103"]


async def test_projects_are_marked_when_they_can_be_paid():  # F-5.6
    app = scene_app("trimester I, turn 2, phase realise\nana: elements 1E 1V 4W; projects 103 96; cubes 30")
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        text = screen_text(app)
        assert "✓103" in text
        assert "✓96" not in text
        assert "1/3E 0/3F 3W" in text
        assert "0 of 2" in questions(app)
        assert "project:103" in lit(app)
        await pilot.click(app.screen.board.thing("project:103"))
        await settled(pilot)
        assert own(app)["pile"]["top"] == ["103"] or app.screen.sitting.view(0)["turn"] == 3


async def test_study_lights_up_creatures_and_ticks_them():  # F-5.5
    app = scene_app(
        "trimester I, turn 2, phase study\n"
        "ana: elements 1W; studied unicorn; forest 2 . . . . / . . . . 7; projects 103"
    )
    async with app.run_test(size=LARGE) as pilot:
        await settled(pilot)
        assert {"creature:gnome", "creature:dragon"} <= lit(app)
        assert "Study nothing" in entries(app)
        await pilot.click(app.screen.board.thing("creature:gnome"))
        await settled(pilot)
        text = screen_text(app)
        assert "✓Gnome" in text
        assert "✓Unicorn" in text
        assert own(app)["elements"]["earth"] == 1, "the pair's bonus"


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_the_last_trimester_shows_the_steps(size):  # F-7.2
    ana = "ana: elements 2F 3W 1E; final F6; projects 103"
    app = scene_app(f"trimester IV, turn 2, phase realise\n{ana}\nben: final F1\ncleo: final F2")
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        text = screen_text(app)
        assert "The last trimester" in text
        assert "F6 0/5" in text
        assert "step 1: 2F 3W ✓" in text
        assert "step:1" in lit(app)
        assert entries(app)[0] == "Step 1: 2F 3W"
        await pilot.click(app.screen.board.thing("step:1"))
        await settled(pilot)
        assert own(app)["steps"] == 1
        assert "F6 1/5" in screen_text(app)


async def test_final_projects_to_choose_from():  # F-7.1
    app = table_app("fairy_school", setup="beginners", length="short")
    assert advance(app.first.sitting, lambda choice: choice.kind == "final")
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        names = app.screen.sitting.view(0)["finals"]
        chosen = app.screen.sitting.pending[0].options
        assert {f"final:{name}" for name in names} == {key for key in lit(app) if key.startswith("final")}
        assert len(names) == len([action for action in chosen if GAME.actions[action][0] == "f"])
        await press(pilot, "enter")
        assert own(app)["final"] in names


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_a_draft_shows_hand_and_picks_and_nothing_of_the_others(size):  # F-4.1, F-4.3
    app = table_app("fairy_school", seats=4)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        sitting = app.screen.sitting
        hand = sitting.view(0)["own"]["hand"]
        assert {f"hand:{card}" for card in hand} <= lit(app)
        assert "go to the fairy on your right" in questions(app)
        text = screen_text(app)
        for card in hand:
            assert card in text
        hidden = {card for seat in (1, 2, 3) for card in sitting.view(seat)["own"]["hand"]}
        assert len(hidden) >= 9
        for card in hidden:
            assert f"{card} {BY_NAME[card].creature[:3].capitalize()}" not in text
        await choose(pilot, hand[2])
        assert "picked" in screen_text(app)
        assert any(thing.key == f"picks:{hand[2]}" for thing in app.screen.board.things())


async def test_expert_cards_are_settled_on_the_top_row():  # F-2.5
    app = table_app("fairy_school", setup="expert")
    assert advance(app.first.sitting, lambda choice: choice.kind == "settle")
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        assert "2 to place" in questions(app)
        card = app.screen.sitting.view(0)["own"]["hand"][1]
        await choose(pilot, card)
        assert {key for key in lit(app) if key.startswith(("top", "bottom"))} == {
            f"top-{n}" for n in range(1, 6)
        }
        await pilot.click(app.screen.board.thing("top-4"))
        await settled(pilot)
        assert own(app)["forest"]["top"][3] == card
        assert "1 to place" in questions(app)


async def test_looking_at_another_seat_and_home_again():
    app = scene_app(
        ACTIVATION.replace(
            "ben: shared 58", "ben: forest 49 . . . . / . . . . 50; projects 88; shared 58"
        ).replace("shared 88", "shared 52")
    )
    async with app.run_test(size=LARGE) as pilot:
        await settled(pilot)
        board = app.screen.board
        assert "57 " in board.thing("top-1").render().plain
        await pilot.click(board.thing("seat-1"))
        await pilot.pause()
        assert "49" in board.thing("top-1").render().plain
        assert any(thing.key == "project:88" for thing in board.things())
        assert not any(
            thing.actions for thing in board.things() if thing.key.startswith(("personal", "top", "column"))
        )
        assert app.screen.sitting.actions.count((0, 0)) == 0
        await pilot.click(board.thing("seat-1"))
        await pilot.pause()
        assert "57" in board.thing("top-1").render().plain
        await pilot.click(board.thing("seat-2"))
        await pilot.pause()
        await choose(pilot, "8")
        assert board.area == 0, "the next question brings one home"


@pytest.mark.parametrize(
    ("turn", "reached", "before"), [(1, ("◆ Ben", "▲ Cleo"), "● Ana"), (2, ("★ Eli", "■ Dov"), "● Ana")]
)
async def test_the_wider_neighbourhood_says_whose_cards_can_be_reached(turn, reached, before):  # F-2.8
    shared = {"ana": 49, "ben": 50, "cleo": 51, "dov": 52, "eli": 53}
    areas = "\n".join(f"{who}: shared {card}" for who, card in shared.items())
    app = table_app("fairy_school", seats=5, wider=True)
    app.first.sitting.state = GAME.from_position(
        f"5 seats, wider; trimester I, turn {turn}, phase activate\n{areas}"
    )
    app.first.sitting.state.listen(True)
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        board = app.screen.board
        labels = [thing.render().plain for thing in board.things() if thing.key.startswith("row:shared-")]
        assert [label[1:].strip() for label in labels] == list(reached)
        first = {1: "shared:50", 2: "shared:53"}[turn]
        assert first in lit(app)
        assert f"it lies in front of {before}" in board.details(first).plain


async def test_everything_asked_in_a_year_has_words_in_three_languages():
    app = table_app("fairy_school", setup="expert", length="short", seats=3)
    sitting, chance, kinds, told = app.first.sitting, Chance.from_text("e year"), set(), 0
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        screen, board = app.screen, app.screen.board
        while sitting.pending:
            for seat in list(sitting.pending):
                choice = sitting.pending.get(seat)
                if choice is None:
                    continue
                if seat == 0 and (choice.kind not in kinds or told % 25 == 0):
                    kinds.add(choice.kind)
                    for lang in ("en", "fr", "de"):
                        screen.preferences.lang = lang
                        board.show(screen.look_at(sitting.view(0), choice))
                        asked = board.question(choice)
                        assert asked
                        assert "{" not in asked
                        assert sorted(board.order()) == sorted(choice.options)
                        labels = [board.label(action) for action in choice.options]
                        assert all(labels)
                        assert len(set(labels)) == len(labels), labels
                        assert all(board.explain(action).plain for action in choice.options)
                        assert all(board.details(thing.key).plain for thing in board.things())
                told += seat == 0
                free = choice.kind in ("select", "plan", "activate") and chance.below(6) == 0
                texts = [GAME.actions[action] for action in choice.options]
                sitting.act(seat, "convert" if free and "convert" in texts else useful(choice, chance))
    assert kinds >= {
        "draft", "settle", "settle_space", "drop", "plan", "plan_space", "select", "activate", "line", "recall",
        "scout", "banish", "repeat", "study", "realise", "final", "pay", "convert", "convert_with",
    }  # fmt: skip


@pytest.mark.parametrize("size", [SMALL, LARGE, (100, 30), (160, 50)])
@pytest.mark.parametrize(
    ("lang", "words"),
    [("en", ("Planning", "hand")), ("fr", ("Planification", "main")), ("de", ("Planung", "Hand"))],
)
async def test_all_languages_fit_all_sizes(lang, words, size):
    app = table_app("fairy_school", seats=6, lang=lang)
    assert advance(app.first.sitting, lambda choice: choice.kind == "plan")
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        lines = screen_text(app).splitlines()
        assert len(lines) == size[1]
        assert all(word in "\n".join(lines) for word in words)
        for seat, mark in enumerate("●◆▲■★⬢"):
            assert any(mark in line for line in lines), f"seat {seat}"
        board, chooser = app.screen.board, app.screen.query_one(Chooser)
        assert board.size.height <= size[1] - 9, "room is left to choose"
        assert chooser.size.height >= 5
        common = board.thing("common")
        assert common.region.right <= board.region.right, "nothing runs over the edge"
        for creature in CREATURES:
            assert board.thing(f"creature:{creature}").region.bottom <= board.region.bottom


async def test_signs_without_unicode():
    use_glyphs(ASCII)
    try:
        app = scene_app(ACTIVATION)
        async with app.run_test(size=SMALL) as pilot:
            await settled(pilot)
            board = app.screen.board
            drawn = "\n".join(thing.render().plain for thing in board.things())
            assert drawn.isascii(), {letter for letter in drawn if not letter.isascii()}
            assert "c30" in drawn
    finally:
        use_glyphs(UNICODE)


async def test_help_explains_the_signs():
    app = scene_app(ACTIVATION)
    async with app.run_test(size=(120, 60)) as pilot:
        await settled(pilot)
        await pilot.press("question_mark")
        await pilot.pause()
        text = screen_text(app)
        assert "Paw space" in text
        assert "Kindness" in text
        assert "Recall" in text
        assert "plant" in text


async def test_a_year_played_to_its_end_by_pressing_keys_ends_on_the_result_screen():
    app = table_app("fairy_school", seats=2, setup="beginners", length="short", auto_pass=True)
    sitting = app.first.sitting
    assert advance(sitting, lambda _: sitting.view(0)["turn"] == 10)  # F-3.1: it ends after the twelfth
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        for pressed in range(900):
            chooser = app.screen.query_one(Chooser)
            # Mostly done as soon as that is offered, so that the trimester is not too long a test.
            await pilot.press("d" if "d" in chooser.keys and pressed % 3 else "enter")
            while isinstance(app.screen, Table) and (app.screen._timer is not None or not chooser.entries):
                await pilot.pause(0.001)
            if isinstance(app.screen, Result):
                break
        assert isinstance(app.screen, Result)
        outcome = app.screen.sitting.outcome
        text = screen_text(app)
        for seat, score in enumerate(outcome.scores):
            assert ("● Ana", "◆ Ben")[seat] in text
            assert f" {int(score)} " in text
        for lang, word in (("en", "Kindness"), ("fr", "Reconnaissance"), ("de", "Anerkennung")):
            app.screen.preferences.lang = lang
            app.screen.redraw()
            await pilot.pause()
            assert f"{word} {outcome.reckoning[0]['kindness']}" in screen_text(app)


async def test_a_replay_shows_every_viewpoint_and_never_more_than_it_may():  # F-4.3
    whole = table_app("fairy_school", seats=3)
    sitting = whole.first.sitting
    assert advance(sitting, lambda choice: choice.kind == "activate")
    app = FabletopApp(Preferences("en", NO_PAUSES))
    app.first = app.replay(sitting.record(), None)
    async with app.run_test(size=LARGE) as pilot:
        await pilot.pause()
        board = app.screen.board
        assert "Draft of projects" in screen_text(app)
        assert not any(thing.key.startswith("hand:") for thing in board.things()), "a spectator sees no hand"
        await pilot.click(board.thing("seat-2"))
        await pilot.pause()
        assert board.area == 2, "and can sit with anybody"
        await pilot.press("1")
        await pilot.pause()
        assert any(thing.key.startswith("hand:") for thing in board.things()), "Ben sees his own"
        await pilot.press("end")
        await pilot.pause()
        assert "Activation" in screen_text(app)
        assert any(
            thing.key == f"shared:{sitting.view(1)['players'][1]['shared'][0]}" for thing in board.things()
        )
        await pilot.press("s", "left", "home")
        await pilot.pause()
        assert "Draft of projects" in screen_text(app)


async def test_two_people_at_one_screen_do_not_see_each_others_drawn_cards():  # F-5.1
    app = table_app("fairy_school", seats=3, people=2, setup="beginners")
    async with app.run_test(size=LARGE) as pilot:
        await pilot.pause()
        await pilot.press("enter")
        await settled(pilot)
        assert app.screen.reader == 0
        view = app.screen.sitting.view(1)
        hidden = {
            card for card in view["own"]["hand"] if card not in app.screen.sitting.view(0)["own"]["hand"]
        }
        keys = {thing.key for thing in app.screen.board.things()}
        assert hidden
        assert not {f"hand:{card}" for card in hidden} & keys
