"""Boards: every option of every game has words, an explanation and, where there is one, its Thing."""

import pytest
from textual.app import App

from fabletop.core.sitting import Sitting
from fabletop.games import GAMES
from fabletop.games.equinox.constants import CHOICE_IDS
from fabletop.terminal.boards import BOARDS, Look, board_of
from fabletop.terminal.boards.equinox.board import EquinoxBoard
from fabletop.terminal.preferences import Preferences
from tests.terminal.stage import NAMES, bot_action

WITHOUT_THING = {"use", "pass"}


class Bare(App[None]):
    """A board and nothing else."""

    def __init__(self, board):
        super().__init__()
        self.board = board

    def compose(self):
        yield self.board


def look_at(sitting, choice, lang, reader, tall):
    names = NAMES[: sitting.state.seats]
    teller = Preferences(lang).teller(sitting.game, names, reader)
    return Look(sitting.view(reader), choice, teller, names, tall, tall)


def test_every_game_has_a_board():
    assert set(BOARDS) == set(GAMES)


async def test_every_option_has_words_and_its_thing():
    kinds = set()
    game = GAMES["equinox"]
    app = Bare(EquinoxBoard())
    async with app.run_test(size=(120, 40)) as pilot:
        for number in range(12):
            sitting = Sitting(game, {"seats": 2 + number % 4}, seed=f"board {number}")
            lang = ("en", "fr", "de")[number % 3]
            while sitting.pending:
                seat, choice = next(iter(sitting.pending.items()))
                if (choice.kind, lang) not in kinds:
                    app.board.show(look_at(sitting, choice, lang, seat, number % 2 == 0))
                    await pilot.pause()
                    check_options(app.board, choice)
                    kinds.add((choice.kind, lang))
                sitting.act(seat, bot_action(sitting, seat))
    asked = {kind for kind, _ in kinds}
    assert asked == set(CHOICE_IDS) - {"over"}, "these games do not ask everything"


def check_options(board, choice):
    keys = {thing.key for thing in board.things()}
    assert sorted(board.order()) == sorted(choice.options)
    assert board.question(choice)
    labels = [board.label(action) for action in choice.options]
    assert len(set(labels)) == len(labels), "two options read the same"
    for action in choice.options:
        text = board.look.teller.game.actions[action]
        if text in WITHOUT_THING:
            continue
        assert board.key_of(action) in keys, f"{choice.kind}: nothing on the board stands for {text}"
        assert board.explain(action).plain
    for key in keys:
        assert board.details(key).plain
    lit = {action for thing in board.things() for action in thing.actions}
    assert {board.look.teller.game.actions[a] for a in set(choice.options) - lit} <= WITHOUT_THING


async def test_the_board_shows_what_lies_on_the_table():  # E-1.6, E-4.1
    game = GAMES["equinox"]
    sitting = Sitting(game, {"seats": 3, "first": 0}, seed="show")
    while sitting.view(None)["round"] < 3:
        seat = next(iter(sitting.pending))
        sitting.act(seat, bot_action(sitting, seat))
    app = Bare(EquinoxBoard())
    async with app.run_test(size=(120, 40)) as pilot:
        app.board.show(look_at(sitting, None, "en", None, tall=False))
        await pilot.pause()
        view = sitting.view(None)
        for n, column in enumerate(view["columns"]):
            assert app.board.thing(f"head-{n}").has_class("-out") is not column["in_play"]
            for row, cell in enumerate(column["cells"], 1):
                shown = str(app.board.thing(f"{row}-{n}").render())
                if cell["top"]:
                    assert cell["top"].split("-")[1] in shown
                assert ("≈" in shown) is (cell["top"] or "").startswith("chameleon")
                assert ("×" in shown) is bool(cell["covered"])
                for seat, shape in enumerate("●◆▲"):
                    assert (shape in shown) is (cell["pebble"] == seat)
        assert app.board.query_one("#row-3").has_class("-now")
        assert "A pebble here is worth 4 points" in app.board.details("1-0").plain
        assert "A pebble here is worth 5 points" in app.board.details("champion-0").plain


async def test_a_spectator_sees_no_hand():
    sitting = Sitting(GAMES["equinox"], {"seats": 3}, seed="nobody")
    app = Bare(EquinoxBoard())
    async with app.run_test(size=(120, 40)) as pilot:
        app.board.show(look_at(sitting, None, "en", None, tall=True))
        await pilot.pause()
        assert not [thing for thing in app.board.things() if thing.key.startswith("hand")]


@pytest.mark.parametrize("game", list(GAMES))
def test_the_reckoning_adds_up(game):
    sitting = Sitting(GAMES[game], {}, seed="reckoning")
    while sitting.pending:
        seat = next(iter(sitting.pending))
        sitting.act(seat, bot_action(sitting, seat))
    for lang in ("en", "fr", "de"):
        teller = Preferences(lang).teller(sitting.game, NAMES[: sitting.state.seats], None)
        for seat in range(sitting.state.seats):
            assert board_of(sitting.game).reckoning(sitting.outcome, seat, teller)
