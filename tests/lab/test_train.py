"""The training of learned players: a run in small, broken off and resumed; the net in torch and in whole numbers."""

import csv
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from fabletop.bots.greedy import knowledge_class, search_settings
from fabletop.bots.net import read
from fabletop.core.chance import Chance
from fabletop.core.sitting import Sitting
from fabletop.games import GAMES
from fabletop.lab.train.lessons import LessonRun, Lessons, lessons, values
from fabletop.lab.train.model import Model, weights, widened
from fabletop.lab.train.ppo import Batch, Hyperparameters, advantages, log_probabilities
from fabletop.lab.train.rollouts import Environment, Rollouts, joined
from fabletop.lab.train.run import Config, Evaluation, Run

torch.set_num_threads(1)  # more only wait for each other where all cores are busy
SMALL = Config(Hyperparameters(margin=0.02), (8, 12, 12), {2: 60, 3: 40}, {2: 1}, choices=120)


KINDS = {"equinox": Run, "fairy_school": LessonRun}


def small_run(
    game: str, folder: Path, batches: int, monkeypatch: pytest.MonkeyPatch
) -> tuple[Run, list[Evaluation]]:
    """A run of so many batches, with an evaluation after each."""
    monkeypatch.setattr(import_module(f"fabletop.lab.{game}.learned"), "CONFIG", SMALL)
    run = KINDS[game](game, 60, folder)
    evaluations: list[Evaluation] = []

    def report(run: Run, evaluation: Evaluation | None) -> None:
        if evaluation is not None:
            evaluations.append(evaluation)
        if run.batches >= batches:
            run.minutes = 0

    run.train(0, report)
    return run, evaluations


@pytest.mark.parametrize("game", GAMES)
def test_a_run_goes_on_where_it_was_broken_off(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, evaluations = small_run(game, tmp_path, 2, monkeypatch)
    assert len(evaluations) == 3  # one before any learning
    assert evaluations[0].choices == 0
    second, more = small_run(game, tmp_path, 3, monkeypatch)
    assert len(more) == 1
    assert second.batches == 3
    assert second.choices > first.choices >= 240
    assert second.elapsed > first.elapsed > 0
    with second.curve_file.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["choices"]) for row in rows] == [one.choices for one in (*evaluations, *more)]
    assert all(0 <= float(row["low_2"]) <= float(row["share_2"]) <= float(row["high_2"]) <= 1 for row in rows)
    assert read(second.net_file).notes["game"] == game
    if isinstance(second, LessonRun):
        assert sum(one.batch.n for one in second.lessons) == second.choices


@pytest.mark.parametrize("game", GAMES)
def test_before_any_learning_the_scores_are_those_of_knowledge(game: str, tmp_path: Path) -> None:
    run = Run(game, 1, tmp_path)
    environment = Environment(GAMES[game], {"seats": 2}, run.net(run.average), Chance(3))
    environment.begin(3)
    for _ in range(60):
        assert environment.episode.ask() > 1
        seat = environment.episode.seat
        knowledge = knowledge_class(game)(environment.state, **search_settings(game))
        scores = knowledge.ratings_in(environment.state, seat)
        best = max(scores.values())
        found = environment.world.ratings_in(environment.state, seat)
        highest = max(found.values())
        assert {action: max(score - highest, -4.0) for action, score in found.items()} == {
            action: max(score - best, -4.0) for action, score in scores.items()
        }
        environment.episode.act(0)


def uneven(run: Run) -> Model:
    """A net whose corrections are not 0."""
    run.learner.model.score.reset_parameters()
    return run.learner.model


@pytest.mark.parametrize("game", GAMES)
def test_whole_numbers_come_close_to_torch(game: str, tmp_path: Path) -> None:
    """The options that the whole numbers draw are those that torch holds likely: the scores differ by rounding."""
    model = uneven(Run(game, 1, tmp_path))
    environment = Environment(GAMES[game], {"seats": 3}, weights(model, {}), Chance(5))
    batch = environment.play(7, 0.1, 0.0)
    seen = Batch(batch).at(torch.arange(len(batch.action)))
    wanted = model.scores(seen)
    corrected = 0
    environment.chance = Chance(5)  # the same game again
    environment.state = environment.deal()
    environment.use(weights(model, {}))
    environment.begin(7)
    largest, first = 0.0, 0
    for i, action in enumerate(batch.action.tolist()):
        n = environment.episode.ask()
        assert n == batch.counts[i]
        found = list(environment.world.ratings_in(environment.state, environment.episode.seat).values())
        if game == "equinox" or environment.world.has_a_say():
            largest = max(largest, (wanted[first : first + n] - torch.tensor(found)).abs().max().item())
            corrected += 1
        first += n
        environment.episode.act(action)
    assert environment.episode.ask() == 0
    assert corrected > 20
    assert largest < 0.01
    assert (wanted.max() - wanted.min()).item() > 0.1


@pytest.mark.parametrize("game", GAMES)
def test_rollouts_are_joined_and_taken_apart(game: str, tmp_path: Path) -> None:
    """A choice in a batch is the choice that was recorded, and a wider net that starts from a net says the same."""
    model = uneven(Run(game, 1, tmp_path))
    chance = Chance(8)
    games = [
        Environment(GAMES[game], {"seats": seats}, weights(model, {}), chance).play(learners, 0.1, 0.02)
        for seats, learners in ((2, 3), (4, 1))
    ]
    both = joined(games)
    assert len(both.reward) == 3
    assert both.trajectory.max() == 2
    last = len(both.action) - 1
    scores = model.scores(Batch(both).at(torch.tensor([last, 0])))
    n = int(both.counts[last])
    alone = [model.scores(Batch(one).at(torch.tensor([at]))) for one, at in zip(games, (0, -1), strict=True)]
    assert torch.allclose(scores, torch.cat((alone[1], alone[0])), atol=1e-5)
    assert len(alone[1]) == n
    wide = Model(
        model.shape._replace(wide_part=model.shape.wide_part + 5, wide_option=model.shape.wide_option + 3)
    )
    widened(wide, weights(model, {}))
    assert torch.allclose(wide.scores(Batch(both).at(torch.tensor([last, 0]))), scores, atol=0.01)


def test_advantages_are_those_of_gae() -> None:
    """Two learners by turns: what is expected falls and rises, and the reward comes at the end."""
    numbers = Rollouts(*[np.zeros(0)] * len(Rollouts._fields))._replace(
        trajectory=np.array([0, 1, 0]), reward=np.array([1.0, 0.0])
    )
    found = advantages(numbers, [0.2, 0.5, 0.6], 0.5)
    assert found.tolist() == pytest.approx([0.6 - 0.2 + 0.5 * (1 - 0.6), -0.5, 1 - 0.6])


def test_the_critic_sees_hands_that_the_player_does_not(tmp_path: Path) -> None:
    """In two states that are the same for the acting seat the inputs agree, and those for the critic do not."""
    run = Run("equinox", 1, tmp_path)
    environment = Environment(GAMES["equinox"], {"seats": 3}, run.net(run.average), Chance(2))
    sitting = Sitting(GAMES["equinox"], {"seats": 3}, seed="critic")
    (seat,) = sitting.pending
    view = sitting.view(seat)
    found = []
    for number in range(2):
        environment.state = GAMES["equinox"].imagine(view, Chance(number))
        environment.episode.begin(environment.state, 7)
        environment.record(0, 0, environment.episode.ask())
        found.append(environment.recorded(1))
    for name in ("table", "parts", "options", "down"):
        assert np.array_equal(getattr(found[0], name), getattr(found[1], name))
    assert not np.array_equal(found[0].hidden_parts, found[1].hidden_parts)


def test_a_lesson_has_a_value_for_every_option(tmp_path: Path) -> None:
    """Of a year of Fairy School: the choices of projects, by play-outs in the same deals."""
    run = LessonRun("fairy_school", 1, tmp_path)
    environment = Environment(GAMES["fairy_school"], {"seats": 2}, run.net(run.average), Chance(2))
    rollouts, found = lessons(environment, Chance(4))
    assert len(rollouts.counts) > 10
    assert len(found) == rollouts.counts.sum() == len(rollouts.options)
    assert found.std() > 0.5
    environment.begin(3)
    while not (environment.episode.ask() and environment.world.has_a_say()):
        environment.episode.act(0)
    options = environment.world.ratings_in(environment.state, environment.episode.seat)
    assert set(values(environment, 7)) == set(options)
    assert values(environment, 7) == values(environment, 7)


def test_a_net_learns_to_take_what_the_lessons_value(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the first option is always the better one by five points, the net comes to prefer it."""
    monkeypatch.setattr(import_module("fabletop.lab.fairy_school.learned"), "CONFIG", SMALL)
    run = LessonRun("fairy_school", 1, tmp_path)
    environment = Environment(GAMES["fairy_school"], {"seats": 3}, run.net(run.average), Chance(2))
    rollouts, found = lessons(environment, Chance(4))
    first = np.cumsum(rollouts.counts) - rollouts.counts
    found[:] = 0
    found[first] = 5
    run.lessons.append(Lessons(rollouts, found))
    before = expected(run)
    for _ in range(40):
        run.learn()
    assert expected(run) > before + 0.5


def expected(run: LessonRun) -> float:
    """The value, relative to the mean of the options, of what the net would take in its lessons."""
    some = run.lessons[0]
    seen, value = some.at(torch.arange(some.batch.n))
    with torch.no_grad():
        policy = log_probabilities(run.learner.model, seen, 0.1).exp()
    return float((policy * value).sum(1).mean())
