"""Bots of another checkout as opponents; here the other checkout is this one."""

import sys
from pathlib import Path
from time import perf_counter

import pytest

from bench import against
from fabletop.bots import ismcts
from fabletop.games import GAMES
from fabletop.lab import ladder
from fabletop.lab.matches import Planned, play


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The benchmark sets the clock of the search for good."""
    monkeypatch.setattr(ismcts, "perf_counter", perf_counter)


@pytest.mark.parametrize("game", GAMES)
def test_games_over_the_pipe_are_those_of_a_ladder(game: str) -> None:
    """Also with a bot that searches, where each side is told what the other has done."""
    planned = against.plan(game, 2, "greedy", "ismcts:iterations=2", 1, "pipe")
    found, parted = against.games(planned, sys.executable, None)
    assert parted == 0
    for one, there in zip(found, planned, strict=True):
        entrants = tuple(who.removeprefix(against.OTHER) for who in there.entrants)
        here = play(Planned(there.game, there.options, there.seed, entrants, there.turned))
        assert (one.scores, one.winners, one.actions) == (here.scores, here.winners, here.actions)
        assert one.choices == here.choices


def test_a_match_goes_on_where_it_was_broken_off(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "against.jsonl"
    command = [sys.executable, "equinox", "greedy", "--other", "uniform", "--out", str(out)]
    assert against.main([*command, "--deals", "1"]) == 0
    first = out.read_text("utf-8")
    assert against.main([*command, "--deals", "2"]) == 0
    assert out.read_text("utf-8").startswith(first)
    assert len(ladder.read(out)) == 4
    assert capsys.readouterr().out.endswith("4 games\n")


def test_a_game_whose_copies_part_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    planned = against.plan("equinox", 2, "greedy", "greedy", 1, "parted")
    tell = against.Checkout.tell
    with (
        monkeypatch.context() as patch
    ):  # the other side hears of no action, so it soon answers something else
        patch.setattr(against.Checkout, "tell", lambda self, *what: what[0] != "act" and tell(self, *what))
        found, parted = against.games(planned, sys.executable, None)
    assert (found, parted) == ([], 2)
