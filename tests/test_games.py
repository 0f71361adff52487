"""The laws of the design on both games, all seat counts and modes."""

import importlib
import json
import os
import subprocess
import sys
from itertools import islice

import pytest

from fabletop import GAMES
from fabletop.core import laws
from fabletop.core.laws import LAWS
from fabletop.fuzz import all_options
from fabletop.pure import is_compiled, load_pure

COMPILED = all(is_compiled(importlib.import_module(f"fabletop.games.{name}.engine")) for name in GAMES)
CASES = [(name, options) for name, game in GAMES.items() for options in all_options(game)]
# Interpreted, a look at a game costs a hundred times as much: fewer cases and fewer looks then.
TRIED = CASES if COMPILED else CASES[:: 1 + len(CASES) // 8]
LOOKS = 40 if COMPILED else 4


def case_id(case):
    name, options = case
    return "-".join([name, *(str(v) for v in options.values() if isinstance(v, (int, str)))])


@pytest.fixture(autouse=True)
def few_looks(monkeypatch):
    monkeypatch.setattr(laws, "LOOKS", LOOKS)


@pytest.fixture
def compiled():
    if not COMPILED:
        assert "CI" not in os.environ or "FABLETOP_PURE" in os.environ, "the engines are not compiled"
        pytest.skip("the engines are not compiled: there is no second build to compare with")


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("case", TRIED, ids=case_id)
def test_law(case, law):
    name, options = case
    LAWS[law](GAMES[name], options, f"law {law}")


def test_non_interference_compares_many_actions(monkeypatch):
    monkeypatch.setattr(laws, "LOOKS", 200)
    compared = sum(laws.non_interference(GAMES["equinox"], {"seats": n}, f"many {n}") for n in (2, 3, 4, 5))
    assert compared > 150


DIGESTS = """
import json, sys
from fabletop import GAMES
from fabletop.core.laws import digests
for name, options, seed in json.loads(sys.argv[1]):
    print(" ".join(digests(GAMES[name], options, seed)))
"""


def pure_digests(cases):
    """The digests that the interpreted engines give, in a process of their own."""
    command = [sys.executable, "-c", DIGESTS, json.dumps(cases)]
    environment = {**os.environ, "FABLETOP_PURE": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return [line.split() for line in done.stdout.splitlines()]


@pytest.mark.parametrize("part", range(4))
def test_law_10_compiled_and_interpreted_agree_step_by_step(part, compiled):
    cases = [(name, options, "law 10") for name, options in CASES[part::16]]
    for (name, options, seed), there in zip(cases, pure_digests(cases), strict=True):
        here = list(laws.digests(GAMES[name], options, seed))
        differing = next((i for i, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), None)
        assert differing is None, f"{name} {options} differs at step {differing}"
        assert len(here) == len(there)


@pytest.mark.parametrize(("name", "games"), [("equinox", 1500), ("fairy_school", 10)])
def test_law_10_play_outs_of_many_games_are_the_same(name, games, compiled):
    module = f"fabletop.games.{name}.playouts"
    seats = list(GAMES[name].seat_counts)
    for n in seats:
        fast = importlib.import_module(module).Playouts(n, 2026).run(games // len(seats))
        slow = load_pure(module).Playouts(n, 2026).run(games // len(seats))
        assert fast == slow


def test_digests_see_every_step():
    first = list(islice(laws.digests(GAMES["equinox"], {"seats": 2}, "x"), 50))
    assert len(set(first)) == 50
