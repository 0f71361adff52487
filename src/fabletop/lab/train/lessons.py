"""Training by lessons from search, for games in which the result says next to nothing about a single choice.

A lesson is a choice in which the net has a say, with a value for every option: a short search plays each out equally
often, in the same deals, by the game's knowledge. The net learns from the differences by the policy gradient over all
options: it raises the expected value of what its policy takes. The values do not depend on the net, so lessons stay
valid and are used again.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from fabletop.bots.greedy import knowledge_of, search_settings
from fabletop.bots.search import Search
from fabletop.core.chance import Chance
from fabletop.lab.train.ppo import MAX_GRADIENT_NORM, Batch, by_choice, log_probabilities
from fabletop.lab.train.rollouts import Environment, Numbers, Rollouts, joined
from fabletop.lab.train.run import Run

VISITS = 3
"""Play-outs of each option."""
EXPLORATION = 0.05
"""The temperature of the games in which the lessons are found."""
MINIBATCH = 1024
REPETITIONS = 8
"""How many times a lesson is used, on average over a whole run."""
TEMPERATURE = (0.3, 0.12)
LEARNING_RATE = (2e-3, 1e-4)
"""At the beginning and at the end of a run."""
REWARD_POINTS = 64  # a reward of 1 in points


def values(environment: Environment, word: int) -> dict[int, float]:
    """The value in points of each option of the choice that is asked for."""
    game, state, seat = environment.game, environment.state, environment.episode.seat
    world = knowledge_of(game.view(state, seat), **search_settings(game.id))
    search = Search(world, 1024, 256, 0.06, 0.25, 0, -1, 1024)
    options = search.begin(word)
    search.run(VISITS * len(options))
    tally = search.tally()
    rewards = zip(tally["actions"], tally["rewards"], tally["visits"], strict=True)
    return {action: REWARD_POINTS * reward / visits for action, reward, visits in rewards}


def lessons(environment: Environment, chance: Chance) -> tuple[Rollouts, Numbers]:
    """Those of a game in which all seats follow the net; with the value of every option, choice after choice."""
    environment.begin((1 << environment.seats) - 1)
    episode = environment.episode
    searched: list[float] = []
    n = 0
    while count := episode.ask():
        if environment.world.has_a_say():
            taught = values(environment, chance.word())
            options = environment.world.ratings_in(environment.state, episode.seat)
            environment.record(n, len(searched), count)
            searched += [taught[action] for action in options]
            n += 1
        episode.act(episode.sample(EXPLORATION))
    return environment.recorded(n), np.array(searched, np.float32)


class Lessons:
    """Some lessons as tensors."""

    def __init__(self, rollouts: Rollouts, values: Numbers) -> None:
        self.batch = Batch(rollouts)
        self.values = torch.from_numpy(values)

    def at(self, rows: Tensor) -> tuple[Any, Tensor]:
        """Some of the choices, and (choices, most options) their values relative to the mean of the choice."""
        seen = self.batch.at(rows)
        value = by_choice(seen.owner, self.values[self.batch.places(rows)[1]], 0.0)
        there = by_choice(seen.owner, torch.ones(len(seen.owner)), 0.0)
        return seen, (value - value.sum(1, keepdim=True) / there.sum(1, keepdim=True)) * there


class LessonRun(Run):
    """A run that learns from lessons; they are kept in the folder."""

    def __init__(
        self, game: str, minutes: float, folder: Path, seed: int = 0, start: Path | None = None
    ) -> None:
        super().__init__(game, minutes, folder, seed, start)
        self.lessons = [self._load(file) for file in sorted(folder.glob("lessons-*.npz"))[: self.batches]]

    def _load(self, file: Path) -> Lessons:
        with np.load(file) as kept:
            return Lessons(Rollouts(*(kept[name] for name in Rollouts._fields)), kept["values"])

    def learn_batch(self, environments: Mapping[int, Environment], chance: Chance) -> int:
        """Find a batch of lessons and learn from all so far; returns how many were found."""
        count = self._find(environments, chance)
        self.learn()
        return count

    def _find(self, environments: Mapping[int, Environment], chance: Chance) -> int:
        """A batch of new lessons; returns how many."""
        net = self.net(self.learner.model)
        for environment in environments.values():
            environment.use(net)
        kinds = [seats for seats, many in self.config.tables.items() for _ in range(many)]
        games: list[tuple[Rollouts, Numbers]] = []
        n = 0
        while n < self.config.choices:
            games.append(lessons(environments[kinds[chance.below(len(kinds))]], chance))
            n += len(games[-1][0].counts)
        rollouts = joined([game for game, _ in games])
        values = np.concatenate([part for _, part in games])
        self.lessons.append(Lessons(rollouts, values))
        np.savez_compressed(
            self.folder / f"lessons-{self.batches:05}.npz", values=values, **rollouts._asdict()
        )
        return n

    def learn(self) -> None:
        """Steps for as many lessons as a batch has, REPETITIONS times, each step from any batch so far."""
        done = min(1.0, self.elapsed / self.minutes)
        temperature, rate = (a * (b / a) ** done for a, b in (TEMPERATURE, LEARNING_RATE))
        model, optimizer = self.learner.model, self.learner.optimizer
        optimizer.param_groups[0]["lr"] = rate
        for _ in range(max(1, REPETITIONS * self.config.choices // MINIBATCH)):
            some = self.lessons[int(torch.randint(len(self.lessons), ()))]
            seen, value = some.at(torch.randperm(some.batch.n)[:MINIBATCH])
            loss = -(log_probabilities(model, seen, temperature).exp() * value).sum(1).mean()
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call, unused-ignore]
            nn.utils.clip_grad_norm_(model.parameters(), MAX_GRADIENT_NORM)
            optimizer.step()
            self.update_average()
