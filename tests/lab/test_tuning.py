"""Weights against each other: matches that mean something, a climb that keeps what is better, and the command."""

import argparse

import pytest

from fabletop.games import GAMES
from fabletop.lab import tuning
from fabletop.lab.statistics import Estimate


@pytest.mark.parametrize("game", GAMES)
def test_a_game_among_weights(game: str) -> None:
    base = tuning.weights_of(game)
    assert tuning.margin(game, 2, "weights", 0, base, base) == tuning.margin(
        game, 2, "weights", 0, base, base
    )
    total = sum(tuning.margin(game, 2, "weights", seat, base, base) for seat in range(2))
    assert total == 0, "the same weights, the same chance: what one seat gains the other loses"


def test_a_bad_weight_is_behind() -> None:
    base = tuning.weights_of("equinox")
    found = tuning.match("equinox", 2, 24, "bad", {**base, "rival": -200, "keep": -400}, base)
    assert found.high < 0


def test_weights_change_by_a_factor_or_a_little() -> None:
    chance = tuning.Chance(3)
    assert {tuning.changed(1, chance) for _ in range(60)} == {-1, 0, 2, 3}
    assert {tuning.changed(100, chance) for _ in range(60)} == {50, 70, 85, 120, 140, 200}


def test_a_climb_keeps_what_wins_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """A weight is better the nearer to 30 it is, and nothing else matters."""
    asked = []

    def match(
        game: str, seats: int, games: int, seed: str, one: dict[str, int], others: dict[str, int]
    ) -> Estimate:
        asked.append(games)
        ahead = abs(others["squeak"] - 30) - abs(one["squeak"] - 30)
        return Estimate(ahead, ahead - 0.5, ahead + 0.5)

    monkeypatch.setattr(tuning, "match", match)
    told: list[str] = []
    start = tuning.weights_of("equinox")
    best = tuning.climb("equinox", seats=3, games=10, rounds=40, seed=1, only=["squeak"], say=told.append)
    assert abs(best["squeak"] - 30) < abs(start["squeak"] - 30)
    assert {key: best[key] for key in best if key != "squeak"} == {
        key: start[key] for key in start if key != "squeak"
    }
    assert set(asked) == {10, 30}
    assert told
    assert all("squeak" in line for line in told)


def test_the_command_measures_values(capsys: pytest.CaptureFixture[str]) -> None:
    tuning.main(["equinox", "--seats", "2", "--games", "4", "--try", "squeak=0,40"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == ["squeak 24 → 0", "squeak 24 → 40"]
    with pytest.raises(argparse.ArgumentTypeError, match="squeak=0,30"):
        tuning.weight_values("luck=3", "equinox")
