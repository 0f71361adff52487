"""How each game is trained, and a run of the training: it can be interrupted at any moment and goes on where it was."""

from __future__ import annotations

import csv
import time
from collections.abc import Callable, Mapping
from copy import deepcopy
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import torch

from fabletop.bots.net import Shape, Weights, read, written
from fabletop.core.chance import Chance
from fabletop.games import GAMES
from fabletop.lab.statistics import Estimate, mean, share
from fabletop.lab.train.model import Critic, Model, weights, widened
from fabletop.lab.train.ppo import Hyperparameters, Learner, Schedule
from fabletop.lab.train.rollouts import Environment, Rollouts, evaluate, joined

START, END = Schedule(1e-3, 0.15, 0.005), Schedule(2e-5, 0.05, 0.0)
"""The schedule at the beginning and at the end; linear between them."""
AFTER = Schedule(4e-4, 0.1, 0.002)
"""The beginning of a run that starts from a trained net."""
WARM_UP = 8
"""In the first batches only the critic learns."""
AVERAGE = 0.95
"""What is evaluated and kept is a mean of the net after every batch: so much of what it was, the rest is new."""
SCALES = (1.0, 0.7, 1.4)
"""An evaluation also measures the corrections made smaller and larger by these factors."""
COUNTS = ("elapsed", "batches", "choices", "best")
"""What a run counts, and keeps beside the nets."""


class Config(NamedTuple):
    """The training of one game."""

    hyperparameters: Hyperparameters
    widths: tuple[int, int, int]
    """Of the layers: part, table, option."""
    tables: Mapping[int, int]
    """How many of a hundred games have this number of seats."""
    evaluations: Mapping[int, int]
    """What the strength is measured by: seats, and how many deals. The net with the best mean lead is kept."""
    self_play: int = 10
    """In this many of a hundred games all seats learn; in the others one does, among greedies."""
    choices: int = 40_000
    """How many a batch has at least."""
    from_search: bool = False
    """Learn from lessons (see `lessons`) in place of the results of games."""


class Evaluation(NamedTuple):
    """A row of the learning curve: shares of the victory and leads by the number of seats, against greedies."""

    minutes: float
    choices: int
    shares: dict[int, Estimate]
    leads: dict[int, Estimate]

    @property
    def lead(self) -> float:
        """The mean over the numbers of seats."""
        return sum(estimate.value for estimate in self.leads.values()) / len(self.leads)

    def text(self) -> str:
        """In one line."""
        results = (
            f"{seats} seats {self.shares[seats].percent()}, lead {self.leads[seats].text(2)}"
            for seats in self.shares
        )
        return f"{self.minutes:.1f} minutes, {self.choices} choices: {'; '.join(results)}"


class Run:
    """The training of one game. `minutes` are those of the processor; `folder` has the state, the curve and the net."""

    def __init__(
        self, game: str, minutes: float, folder: Path, seed: int = 0, start: Path | None = None
    ) -> None:
        self.game = GAMES[game]
        self.config: Config = import_module(f"fabletop.lab.{game}.learned").CONFIG
        self.minutes = minutes
        self.folder = folder
        self.seed = seed
        module = import_module(f"fabletop.bots.{game}.learned")
        table, part, option = module.ROWS_OF_INPUTS
        wide_part, wide_table, wide_option = self.config.widths
        self.shape = Shape(table, part, option, wide_part, wide_table, wide_option)
        torch.manual_seed(seed)
        critic = Critic(self.shape, getattr(module, "HIDDEN", (0, 0)))
        self.learner = Learner(Model(self.shape), critic, self.config.hyperparameters)
        self.start = START
        if start is not None:
            widened(self.learner.model, read(start))
            self.start = AFTER
        self.average = deepcopy(self.learner.model)
        self.elapsed = 0.0
        self.batches = 0
        self.choices = 0
        self.best = -inf
        folder.mkdir(parents=True, exist_ok=True)
        if self.state_file.exists():
            self._restore(torch.load(self.state_file))

    @property
    def state_file(self) -> Path:
        """Everything that a run needs to go on."""
        return self.folder / "state.pt"

    @property
    def net_file(self) -> Path:
        """The best net so far."""
        return self.folder / "learned.net"

    @property
    def curve_file(self) -> Path:
        """The learning curve."""
        return self.folder / "curve.csv"

    def _parts(self) -> list[Any]:
        return [self.learner.model, self.learner.critic, self.average, self.learner.optimizer]

    def _restore(self, kept: Mapping[str, Any]) -> None:
        for part, state in zip(self._parts(), kept["parts"], strict=True):
            part.load_state_dict(state)
        for name in COUNTS:
            setattr(self, name, kept[name])

    def save(self) -> None:
        """Keep the state; a run that is broken off now loses nothing."""
        kept: dict[str, Any] = {name: getattr(self, name) for name in COUNTS}
        there = self.state_file.with_suffix(".new")
        torch.save({"parts": [part.state_dict() for part in self._parts()], **kept}, there)
        there.replace(self.state_file)

    def net(self, model: Model, scale: float = 1.0) -> Weights:
        """A net as it would be shipped."""
        notes = {"game": self.game.id, "choices": self.choices, "seed": self.seed}
        return weights(model, notes, scale)

    def evaluate(self) -> Evaluation:
        """Measure the averaged net on fixed deals, with corrections of several sizes; keep the best yet."""
        candidates = []
        for scale in SCALES:
            net = self.net(self.average, scale)
            candidates.append((self._measured(net), net))
        row, net = max(candidates, key=lambda candidate: candidate[0].lead)
        if row.lead > self.best:
            self.best = row.lead
            self.net_file.write_bytes(written(net))
        self._note(row)
        return row

    def _measured(self, net: Weights) -> Evaluation:
        shares, leads = {}, {}
        for seats, deals in self.config.evaluations.items():
            won, ahead = evaluate(self.game, {"seats": seats}, net, deals, 1)
            shares[seats], leads[seats] = share(won), mean(ahead)
        return Evaluation(self.elapsed, self.choices, shares, leads)

    def _note(self, row: Evaluation) -> None:
        fresh = not self.curve_file.exists()
        with self.curve_file.open("a", newline="", encoding="utf-8") as file:
            table = csv.writer(file)
            if fresh:
                names = (f"{kind}_{n}" for n in row.shares for kind in ("share", "low", "high", "lead"))
                table.writerow(("minutes", "choices", *names))
            numbers = []
            for n, won in row.shares.items():
                numbers += [won.value, won.low, won.high, row.leads[n].value]
            table.writerow((round(row.minutes, 2), row.choices, *(round(number, 4) for number in numbers)))

    def train(self, every: float, report: Callable[[Run, Evaluation | None], None]) -> None:
        """Learn until the minutes are over, with an evaluation every few of them; `report` hears of every batch."""
        chance = Chance.from_text(f"train {self.seed} {self.batches}")
        environments = {
            seats: Environment(self.game, {"seats": seats}, self.net(self.learner.model), chance)
            for seats in self.config.tables
        }
        began, before, measured = time.process_time(), self.elapsed, self.elapsed
        if not self.batches:
            report(self, self.evaluate())
        while self.elapsed < self.minutes:
            self.choices += self.learn_batch(environments, chance)
            self.batches += 1
            self.elapsed = before + (time.process_time() - began) / 60
            row = None
            if self.elapsed - measured >= every or self.elapsed >= self.minutes:
                row, measured = self.evaluate(), self.elapsed
                self.save()
            report(self, row)

    def learn_batch(self, environments: Mapping[int, Environment], chance: Chance) -> int:
        """Play a batch and learn from it; returns how many choices it had."""
        batch = self._rollouts(environments, chance)
        self.learner.learn(batch, self.schedule())
        self.update_average()
        return len(batch.action)

    def update_average(self) -> None:
        """Move the averaged net towards the one that learns."""
        with torch.no_grad():
            for mine, new in zip(self.average.parameters(), self.learner.model.parameters(), strict=True):
                mine.lerp_(new, 1 - AVERAGE)

    def schedule(self) -> Schedule:
        """The values of the schedule at this moment."""
        left = 1 - self.elapsed / self.minutes
        now = Schedule(*(left * a + (1 - left) * b for a, b in zip(self.start, END, strict=True)))
        return now._replace(learning_rate=0.0) if self.batches < WARM_UP else now

    def _rollouts(self, environments: Mapping[int, Environment], chance: Chance) -> Rollouts:
        net = self.net(self.learner.model)
        for environment in environments.values():
            environment.use(net)
        kinds = [seats for seats, many in self.config.tables.items() for _ in range(many)]
        settings = self.config.hyperparameters
        games: list[Rollouts] = []
        n = 0
        while n < self.config.choices:
            seats = kinds[chance.below(len(kinds))]
            everybody = chance.below(100) < self.config.self_play
            learners = (1 << seats) - 1 if everybody else 1 << chance.below(seats)
            games.append(environments[seats].play(learners, settings.temperature, settings.margin))
            n += len(games[-1].action)
        return joined(games)
