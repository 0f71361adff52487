"""The learned player: the same answers compiled and interpreted, from its view alone, quick, stronger than greedy."""

import json
import os
import subprocess
import sys
from array import array
from importlib import import_module
from pathlib import Path
from time import process_time

import pytest

from fabletop.bots import net
from fabletop.bots.greedy import Greedy, knowledge_class
from fabletop.bots.learned import Learned
from fabletop.bots.net import Shape, Weights, check, read, written
from fabletop.bots.play import games, play, run_from_record, run_from_views
from fabletop.bots.specs import Spec
from fabletop.core.chance import Chance
from fabletop.core.errors import FabletopError
from fabletop.core.sitting import Sitting
from fabletop.games import GAMES
from fabletop.pure import is_compiled

MODULES = {game: import_module(f"fabletop.bots.{game}.learned") for game in GAMES}
FILES = {game: module.FILE for game, module in MODULES.items()}
LENGTHS = {game: module.ROWS_OF_INPUTS for game, module in MODULES.items()}
TRAINED = [game for game, file in FILES.items() if file.exists()]
SHAPE = Shape(3, 2, 4, 2, 3, 2)


def counting(shape: Shape, step: int = 37) -> Weights:
    """Weights that are all different and of both signs."""
    return Weights(
        shape, array("h", [(step * i) % 1999 - 999 for i in range(shape.size())]), {"from": "a test"}
    )


def share(game: str, seats: int, deals: int) -> float:
    """The share of the victory of the learned player, alone against greedies, every deal from every seat."""
    won = 0.0
    for seat in range(seats):
        bots = ["learned" if one == seat else "greedy" for one in range(seats)]
        for sitting in games(game, bots, (f"fresh {deal}" for deal in range(deals)), events=False):
            assert sitting.outcome is not None
            won += (seat in sitting.outcome.winners) / len(sitting.outcome.winners)
    return won / (seats * deals)


@pytest.mark.parametrize("game", TRAINED)
def test_the_weights_are_small_and_say_where_they_come_from(game: str) -> None:
    assert FILES[game].stat().st_size < 200_000
    found = read(FILES[game])
    assert found.notes["game"] == game
    assert found.notes["choices"] > 10_000
    assert found.shape[:3] == LENGTHS[game]


def test_a_net_that_is_not_there_says_how_to_make_it(tmp_path: Path) -> None:
    with pytest.raises(FabletopError, match=r"python -m fabletop\.lab\.train fairy-school --keep makes one"):
        read(tmp_path / "fairy_school" / "learned.net")


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "some.net"
    file.write_bytes(written(counting(SHAPE)))
    assert read(file) == counting(SHAPE)


def test_weights_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match=f"{SHAPE.size() - 1} weights for a shape with {SHAPE.size()}"):
        check(SHAPE, counting(SHAPE).numbers[:-1])
    with pytest.raises(ValueError, match=r"a sum of .* could reach \d+, which has more than 31 bits"):
        check(Shape(200, 2, 4, 2, 3, 2), array("h", [32767] * Shape(200, 2, 4, 2, 3, 2).size()))
    with pytest.raises(ValueError, match="larger than 255 inputs or 128 units"):
        check(SHAPE._replace(wide_table=129), [])


def answers(game: str, seats: int, count: int) -> list[int]:
    """So many decisions of bots with a net of made-up weights, which follow no reason and so reach every kind."""
    sitting = Sitting(GAMES[game], {"seats": seats}, seed="both")
    weights = counting(Shape(*LENGTHS[game], 24, 40, 48))
    while sitting.pending and len(sitting.actions) < count:
        for seat, choice in sitting.pending.items():
            world = knowledge_class(game, True)(sitting.view(seat), net=weights)
            sitting.act(seat, Greedy(Chance(seat)).choose_with(world, choice))
    return [action for _, action in sitting.actions]


@pytest.mark.parametrize("game", GAMES)
def test_the_compiled_and_the_interpreted_net_answer_alike(game: str) -> None:
    """The interpreted one in a process of its own."""
    if not is_compiled(net):
        pytest.skip("this process is interpreted already")
    code = f"from tests.bots import test_learned as t; print(t.net.__file__, t.answers({game!r}, 3, 150))"
    made = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "FABLETOP_PURE": "1"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    file, _, found = made.stdout.partition(" ")
    assert file.endswith("net.py")
    assert json.loads(found) == answers(game, 3, 150)


@pytest.mark.parametrize("seats", [2, 4, 5])
@pytest.mark.parametrize("game", GAMES)
def test_the_record_tells_it_no_more_than_its_view(game: str, seats: int) -> None:
    """Law 5: the scores in the true state are those from the view, and those where all that is hidden is different."""
    weights = counting(Shape(*LENGTHS[game], 16, 24, 32))
    sitting = Sitting(GAMES[game], {"seats": seats}, seed="hidden")
    chance = Chance(seats)
    seen = 0
    while pending := sitting.pending:
        for seat, choice in pending.items():
            if len(choice.options) > 1 and chance.below(3 if game == "equinox" else 11) == 0:
                seen += 1
                view = sitting.view(seat)
                world = knowledge_class(game, True)(sitting.state, net=weights)
                scores = world.ratings_in(sitting.state, seat)
                assert set(scores) == set(choice.options)
                assert scores == knowledge_class(game, True)(view, net=weights).ratings(chance.word())
                for _ in range(2):
                    assert world.ratings_in(GAMES[game].imagine(view, chance), seat) == scores
            sitting.act(seat, Greedy(chance).choose(sitting.view(seat), choice))
    assert seen > 20


@pytest.mark.parametrize("game", TRAINED)
def test_games_from_the_record_are_games_from_views(game: str) -> None:
    slow, quick = (Sitting(GAMES[game], {"seats": 3}, seed="two ways") for _ in range(2))
    run_from_views(slow, [Learned(Chance(seat)) for seat in range(3)])
    assert run_from_record(quick, [Learned(Chance(seat)) for seat in range(3)]) is not None
    assert quick.actions == slow.actions


@pytest.mark.parametrize("game", TRAINED)
def test_the_same_view_and_the_same_seed_give_the_same_answer(game: str) -> None:
    sitting = Sitting(GAMES[game], {"seats": 3}, seed="again")
    for number in range(40):
        seat, choice = next(iter(sitting.pending.items()))
        view = sitting.view(seat)
        first, second = (Learned(Chance(number)).choose(view, choice) for _ in range(2))
        assert first == second
        assert first in choice.options
        sitting.act(seat, first)


@pytest.mark.parametrize(
    ("game", "seats", "deals", "least"),
    [("equinox", 4, 250, 0.36), ("equinox", 2, 250, 0.7)],
)
def test_it_leaves_greedy_behind(game: str, seats: int, deals: int, least: float) -> None:
    assert share(game, seats, deals) > least


@pytest.mark.parametrize("game", TRAINED)
def test_a_decision_takes_less_than_a_fifth_of_a_millisecond(game: str) -> None:
    """From the record, as `ladder` and `play` ask it; of the processor, so that others at work do not count."""
    if not is_compiled(net):
        pytest.skip("compiled only")
    began = process_time()
    made = list(games(game, ["learned"] * 2, (f"time {number}" for number in range(4)), events=False))
    choices = sum(len(sitting.actions) for sitting in made)
    assert (process_time() - began) / choices < 0.0002


def test_it_has_a_name_and_no_settings() -> None:
    assert isinstance(Spec.read("learned").made(Chance(1)), Learned)
    assert not Spec.read("learned").searches
    sitting = play("equinox", ["learned", "greedy"], seed="named")
    assert sitting.record().names == ("learned", "greedy")
