"""The examples run as they are, with small budgets.

`make examples` installs the learning libraries and runs this with FABLETOP_EXAMPLES=1: then a missing library is a
failure. `make test` skips what it cannot import.
"""

import importlib
import os

import pytest


def example(name: str, *libraries: str):
    """A module of examples/; skipped where its libraries are missing, unless that must not be."""
    for library in libraries:
        if os.environ.get("FABLETOP_EXAMPLES") == "1":
            importlib.import_module(library)
        else:
            pytest.importorskip(
                library, reason=f"{library} is missing; `make examples` installs it", exc_type=ImportError
            )
    return importlib.import_module(f"examples.{name}")


def test_a_position_is_studied(capsys) -> None:
    example("study_position").study(3)
    told = capsys.readouterr().out
    assert "Play a card." in told
    assert "Chameleon 3" in told


def test_ppo_learns_and_writes_its_curve(tmp_path, capsys) -> None:
    ppo = example("ppo", "torch", "matplotlib")
    rows = ppo.train(0.01, tmp_path, n=8, steps=8, games=2)
    assert len(rows) >= 2
    assert rows[-1][1] >= 64
    head, *lines = (tmp_path / "curve.csv").read_text().splitlines()
    assert head == "minutes,decisions,uniform,greedy"
    assert [int(line.split(",")[1]) for line in lines] == [row[1] for row in rows]
    assert (tmp_path / "curve.svg").stat().st_size > 1000
    from fabletop import Chance, Sitting

    net = example("equinox_net", "torch")
    player = net.Player(Chance(1), tmp_path / "net.pt")
    sitting = Sitting(net.GAME, {"seats": 2}, seed="net")
    ((seat, choice),) = sitting.pending.items()
    assert player.choose(sitting.view(seat), choice) in choice.options


@pytest.mark.filterwarnings("ignore")
def test_the_recipe_for_stable_baselines() -> None:
    assert 0 <= example("sb3_maskable_ppo", "sb3_contrib").train(128) <= 1


@pytest.mark.filterwarnings("ignore")
def test_the_recipe_for_torchrl() -> None:
    assert example("torchrl_policy_gradient", "torchrl").train(1) != 0
