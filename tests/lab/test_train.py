"""The training of learned players: a run in small, broken off and resumed; the net in torch and in whole numbers."""

import csv
from importlib import import_module
from pathlib import Path

import pytest

pytest.importorskip("torch")

from fabletop.bots.greedy import knowledge_class
from fabletop.bots.net import read
from fabletop.core.chance import Chance
from fabletop.games import GAMES
from fabletop.lab.train.course import Course, Run, Trial
from fabletop.lab.train.learning import Settings, choices
from fabletop.lab.train.model import weights
from fabletop.lab.train.rooms import Room

SMALL = Course(Settings(margin=0.02), (8, 12, 12), {2: 2, 3: 1}, {2: 1}, choices=120)


def small_run(
    game: str, folder: Path, batches: int, monkeypatch: pytest.MonkeyPatch
) -> tuple[Run, list[Trial]]:
    """A run of so many batches, with a trial after each."""
    monkeypatch.setattr(import_module(f"fabletop.lab.{game}.learned"), "COURSE", SMALL)
    run = Run(game, 60, folder)
    trials: list[Trial] = []

    def told(run: Run, trial: Trial | None) -> None:
        if trial is not None:
            trials.append(trial)
        if run.batches >= batches:
            run.minutes = 0

    run.train(0, told)
    return run, trials


@pytest.mark.parametrize("game", GAMES)
def test_a_run_goes_on_where_it_was_broken_off(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, trials = small_run(game, tmp_path, 2, monkeypatch)
    assert len(trials) == 3  # one before any learning
    assert trials[0].choices == 0
    second, more = small_run(game, tmp_path, 3, monkeypatch)
    assert len(more) == 1
    assert second.batches == 3
    assert second.choices > first.choices >= 240
    assert second.spent > first.spent > 0
    with second.curve_file.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["choices"]) for row in rows] == [one.choices for one in (*trials, *more)]
    assert all(0 <= float(row["low_2"]) <= float(row["share_2"]) <= float(row["high_2"]) <= 1 for row in rows)
    assert read(second.net_file).notes["game"] == game


@pytest.mark.parametrize("game", GAMES)
def test_before_any_learning_the_scores_are_those_of_knowledge(game: str, tmp_path: Path) -> None:
    run = Run(game, 1, tmp_path)
    room = Room(GAMES[game], {"seats": 2}, run.net(), Chance(3))
    room.begin(3)
    for _ in range(60):
        assert room.rehearsal.ask() > 1
        seat = room.rehearsal.seat
        scores = knowledge_class(game)(room.state).ratings_in(room.state, seat)
        best = max(scores.values())
        found = room.world.ratings_in(room.state, seat)
        assert found == {action: max(score - best, -4.0) for action, score in scores.items()}
        room.rehearsal.act(0)


@pytest.mark.parametrize("game", GAMES)
def test_whole_numbers_come_close_to_torch(game: str, tmp_path: Path) -> None:
    """The error of a score is that of rounding: small beside what the corrections differ by."""
    run = Run(game, 1, tmp_path)
    model = run.learner.model
    model.score.reset_parameters()
    model.trust = 1.0
    room = Room(GAMES[game], {"seats": 3}, weights(model, {}), Chance(5))
    room.begin(7)
    largest, spread = 0.0, 0.0
    for _ in range(80):
        n = room.rehearsal.ask()
        wanted = model.scores(choices([room.seen(n)])).tolist()
        found = list(room.world.ratings_in(room.state, room.rehearsal.seat).values())
        largest = max(largest, *(abs(a - b) for a, b in zip(wanted, found, strict=True)))
        spread = max(spread, max(wanted) - min(wanted))
        room.rehearsal.act(n - 1)
    assert largest < 0.01
    assert spread > 0.1
