"""Tactical positions: what a good player sees, the bots see too. Each has its reason and its rule."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from fabletop.bots.greedy import Greedy
from fabletop.bots.ismcts import Ismcts
from fabletop.bots.levels import LEVELS
from fabletop.core.chance import Chance
from fabletop.core.game import Choice, View
from fabletop.games import GAMES
from tests.equinox.scene import scene

FOLDER = Path(__file__).parent / "positions"
ITERATIONS = {"puss": {"equinox": 600, "fairy_school": 200}, "queen": {"equinox": 2500, "fairy_school": 600}}
"""What a level has on a slow machine; `gretel` takes one look."""
AT_LEAST = 30
"""Positions of each game."""


def positions(name: str) -> list[dict[str, Any]]:
    """The positions of a game."""
    found: list[dict[str, Any]] = tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))["position"]
    return found


POSITIONS = [pytest.param(game, one, id=one["name"]) for game in GAMES for one in positions(game)]


def asked(game: str, position: Mapping[str, Any]) -> tuple[View, Choice]:
    """What the seat sees, and what it is asked."""
    if game == "equinox":
        drawn = scene(position["drawing"])
        who = drawn.asked
        assert who is not None
        drawn.play(who, *position.get("after", ()))
        view: View = drawn.view(who)
        return view, drawn.choice
    state = GAMES[game].from_position(position["drawing"])
    return GAMES[game].view(state, position["seat"]), GAMES[game].pending(state)[position["seat"]]


@pytest.mark.parametrize(("game", "position"), POSITIONS)
def test_one_look_ahead(game: str, position: Mapping[str, Any]) -> None:
    view, choice = asked(game, position)
    texts = GAMES[game].actions
    assert any(texts[option] not in position["best"] for option in choice.options), "every option would do"
    if position["greedy"]:
        for seed in range(5):
            assert texts[Greedy(Chance(seed)).choose(view, choice)] in position["best"]


def test_there_are_enough_positions_each_with_its_reason_and_rule() -> None:
    every = [one for game in GAMES for one in positions(game)]
    assert all(len(positions(game)) >= AT_LEAST for game in GAMES)
    assert len({one["name"] for one in every}) == len(every)
    assert all(one["reason"] and one["rule"][:2] in ("E-", "F-") for one in every)


def answers(game: str, position: Mapping[str, Any], level: str, seeds: int) -> list[str]:
    """What a level answers that thinks as long as this one does on a slow machine, with its slack.

    Where a position says `close = true`, a short search finds another option within the slack, and is asked without.
    Where a position says `net = false`, the first guess of the net misleads so short a search (docs/bots.md), and it
    is asked without.
    """
    view, choice = asked(game, position)
    thinking: dict[str, Any] = {
        "iterations": ITERATIONS[level][game],
        "net": position.get("net", True),
        "slack": 0.0 if position.get("close") else LEVELS[level].slack,
    }
    return [
        GAMES[game].actions[Ismcts(Chance(seed), **thinking).choose(view, choice)] for seed in range(seeds)
    ]


@pytest.mark.parametrize(("game", "position"), POSITIONS)
def test_a_short_search(game: str, position: Mapping[str, Any]) -> None:
    if position.get("search", True):
        found = answers(game, position, "puss", 3)
        assert sum(text in position["best"] for text in found) >= 2, found


@pytest.mark.parametrize(("game", "position"), POSITIONS)
def test_a_long_search(game: str, position: Mapping[str, Any]) -> None:
    if position.get("search", True):
        [found] = answers(game, position, "queen", 1)
        assert found in position["best"]
