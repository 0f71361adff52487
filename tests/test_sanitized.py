"""The build with bounds and overflow checks: that it finds what it should, and that the engines run clean in it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import hatch_build
from tests.build_trial import copy_of_mini

FAULTS = {
    "an index past the end": ("self.n_hand[seat] = n + 1", "self.n_hand[seat + 5] = n + 1", "out of bounds"),
    "a sum past the largest int": (
        "self.score[seat] += WORTH[action]",
        "self.score[seat] += 2000000000 + WORTH[action]",
        "signed integer overflow",
    ),
}


def run_mini(folder: Path, source: Path) -> subprocess.CompletedProcess[str]:
    """Random games with the sanitized build of the miniature game, in a process of their own."""
    built = hatch_build.build(folder / "out", hatch_build.SANITIZE, source=source, work=folder / "work")
    if built.reason:  # in CI the build has raised instead
        pytest.skip(built.reason)
    script = "import mini.engine, mini.playouts; assert mini.engine.COMPILED; print(mini.playouts.playouts(3, 200, 1))"
    environment = {**os.environ, "PYTHONPATH": str(folder / "out")}
    command = [sys.executable, "-c", script]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_a_clean_engine_runs_clean(tmp_path: Path) -> None:
    told = run_mini(tmp_path, copy_of_mini(tmp_path))
    assert told.returncode == 0, told.stderr
    assert told.stderr == ""
    assert int(told.stdout) > 200


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(fault: str, tmp_path: Path) -> None:
    right, wrong, report = FAULTS[fault]
    source = copy_of_mini(tmp_path)
    engine = source / "mini" / "engine.py"
    assert right in engine.read_text("utf-8")
    engine.write_text(engine.read_text("utf-8").replace(right, wrong), "utf-8")
    told = run_mini(tmp_path, source)
    assert told.returncode != 0
    assert report in told.stderr


# Random games of every game and number of seats, with views, imagined states, clones and searches on the way; games of
# greedy players, and of a net with made-up weights; batches with their observations: all of it is compiled code.
# Without their extensions in that tree the run would prove nothing, so their number is told.
PLAY = """
import sys
from array import array
from importlib import import_module
from fabletop.bots.greedy import knowledge_class
from fabletop.bots.ismcts import Ismcts
from fabletop.bots.net import Shape, Weights
from fabletop.bots.play import play
from fabletop.bots.player import Player
from fabletop.bots.uniform import Uniform
from fabletop.core.chance import Chance
from fabletop.core.sitting import Sitting
from fabletop.envs import vector
from fabletop.games import GAMES
from fabletop.lab.train.episode import Episode
from fabletop.pure import is_compiled

def learned(game, seats):
    shape = Shape(*import_module(f"fabletop.bots.{game.id}.learned").ROWS_OF_INPUTS, 24, 40, 48)
    weights = Weights(shape, array("h", [37 * i % 1999 - 999 for i in range(shape.size())]), {})
    state = Sitting(game, {"seats": seats}, seed="sanitized").state.clone()
    world = knowledge_class(game.id, True)(state, net=weights)
    episode = Episode(world, Player(knowledge_class(game.id)(state), Chance(1), 0))
    episode.begin(state, 1)
    while episode.ask():
        episode.act(episode.best_option())

for game in GAMES.values():
    for seats in game.seat_counts:
        import_module(f"fabletop.games.{game.id}.playouts").Playouts(seats, 1).run(100)
        play(game, ["greedy"] * seats, seed="sanitized")
        learned(game, seats)
        batch = vector(game.id, 4, seats=seats, seed=1)
        for _ in range(300):
            batch.step(batch.sample())
        for number in range(int(sys.argv[1])):
            sitting = Sitting(game, {"seats": seats}, seed=f"sanitized {number}")
            chance = Chance.from_text(sitting.seed)
            bot, thinker = Uniform(chance), Ismcts(chance, iterations=5)
            while pending := sitting.pending:
                seat = chance.pick(list(pending))
                view = sitting.view(seat)
                sitting.act(seat, bot.choose(view, pending[seat]))
                if chance.below(20) == 0:
                    game.imagine(sitting.view(seat), chance)
                    sitting.state.clone()
                if chance.below(50) == 0 and (pending := sitting.pending):
                    thinker.think(sitting.view(seat := min(pending)), pending[seat])
print(sum(is_compiled(module) for name, module in sys.modules.items() if name.startswith("fabletop.")))
"""


def test_the_engines_run_clean() -> None:
    target = hatch_build.ROOT / "build" / "sanitize"
    built = hatch_build.build(target, hatch_build.SANITIZE)
    if built.reason:  # in CI the build has raised instead
        pytest.skip(built.reason)
    environment = {**os.environ, "PYTHONPATH": str(target), "FABLETOP_PURE": "0"}
    command = [sys.executable, "-c", PLAY, "3"]
    told = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    assert "runtime error" not in told.stderr
    assert int(told.stdout) == len(built.extensions) > 0
