"""How each game is trained, and a run of the training: it can be interrupted at any moment and goes on where it was."""

from __future__ import annotations

import csv
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import torch

from fabletop.bots.net import Shape, Weights, written
from fabletop.core.chance import Chance
from fabletop.games import GAMES
from fabletop.lab.statistics import Estimate, mean, share
from fabletop.lab.train.learning import Learner, Pace, Settings, gathered
from fabletop.lab.train.model import Critic, Model, weights
from fabletop.lab.train.rooms import Room, episodes, strength

FIRST, LAST = Pace(2e-3, 0.15, 0.01), Pace(1e-4, 0.05, 0.001)
"""How boldly to learn at the beginning and at the end."""
TRUSTS = (1.0, 0.7, 1.5)
"""A trial also measures the corrections made smaller and larger by these factors, and goes on with the best."""
SELF_PLAY = 60
"""In so many of a hundred games all seats learn; in the others one does, among greedies."""
COUNTS = ("spent", "batches", "choices", "best")
"""What a run counts, and keeps beside the nets."""


class Course(NamedTuple):
    """The training of one game."""

    settings: Settings
    widths: tuple[int, int, int]
    """Of the layers: part, table, option."""
    tables: Mapping[int, int]
    """How many games with so many seats are played side by side."""
    trials: Mapping[int, int]
    """What the strength is measured by: seats, and how many deals. The net with the best lead in the first is kept."""
    choices: int = 16_000
    """How many a batch has."""


class Trial(NamedTuple):
    """A row of the learning curve: shares of the victory and leads by the number of seats, against greedies."""

    minutes: float
    choices: int
    shares: dict[int, Estimate]
    leads: dict[int, Estimate]

    def text(self) -> str:
        """In one line."""
        found = (
            f"{seats} seats {self.shares[seats].percent()}, lead {self.leads[seats].text(2)}"
            for seats in self.shares
        )
        return f"{self.minutes:.1f} minutes, {self.choices} choices: {'; '.join(found)}"


class Run:
    """The training of one game. `minutes` are those of the processor; `folder` has the state, the curve and the net."""

    def __init__(self, game: str, minutes: float, folder: Path, seed: int = 0) -> None:
        self.game = GAMES[game]
        self.course: Course = import_module(f"fabletop.lab.{game}.learned").COURSE
        self.minutes = minutes
        self.folder = folder
        self.seed = seed
        table, part, option = import_module(f"fabletop.bots.{game}.learned").ROWS_OF_INPUTS
        wide_part, wide_table, wide_option = self.course.widths
        self.shape = Shape(table, part, option, wide_part, wide_table, wide_option)
        torch.manual_seed(seed)
        self.learner = Learner(Model(self.shape), Critic(self.shape), self.course.settings)
        self.spent = 0.0
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
        return [self.learner.model, self.learner.critic, self.learner.optimizer]

    def _restore(self, kept: Mapping[str, Any]) -> None:
        for part, state in zip(self._parts(), kept["parts"], strict=True):
            part.load_state_dict(state)
        for name in COUNTS:
            setattr(self, name, kept[name])
        self.learner.model.trust = kept["trust"]

    def save(self) -> None:
        """Keep the state; a run that is broken off now loses nothing."""
        kept: dict[str, Any] = {name: getattr(self, name) for name in COUNTS}
        kept["trust"] = self.learner.model.trust
        there = self.state_file.with_suffix(".new")
        torch.save({"parts": [part.state_dict() for part in self._parts()], **kept}, there)
        there.replace(self.state_file)

    def net(self) -> Weights:
        """The net as it is now, as it would be shipped."""
        return weights(self.learner.model, {"game": self.game.id, "choices": self.choices, "seed": self.seed})

    def trial(self) -> Trial:
        """Measure the net on fixed deals with more and less trust, go on with the best, and note it in the curve."""
        model = self.learner.model
        usual, found = model.trust, []
        for factor in TRUSTS:
            model.trust = usual * factor
            found.append((self._measured(self.net()), model.trust, self.net()))
        row, model.trust, net = max(found, key=lambda one: next(iter(one[0].leads.values())).value)
        lead = next(iter(row.leads.values())).value
        if lead > self.best:
            self.best = lead
            self.net_file.write_bytes(written(net))
        self._note(row)
        return row

    def _measured(self, net: Weights) -> Trial:
        shares, leads = {}, {}
        for seats, deals in self.course.trials.items():
            won, ahead = strength(self.game, {"seats": seats}, net, deals, 1)
            shares[seats], leads[seats] = share(won), mean(ahead)
        return Trial(self.spent, self.choices, shares, leads)

    def _note(self, row: Trial) -> None:
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

    def train(self, every: float, told: Callable[[Run, Trial | None], None]) -> None:
        """Learn until the minutes are spent, with a trial every few of them; `told` hears of every batch."""
        course, learner = self.course, self.learner
        chance = Chance.from_text(f"train {self.seed} {self.batches}")
        net = self.net()
        rooms = [
            Room(self.game, {"seats": seats}, net, chance, course.settings.margin)
            for seats, number in course.tables.items()
            for _ in range(number)
        ]

        def seating(room: Room) -> int:
            return (1 << room.seats) - 1 if chance.below(100) < SELF_PLAY else 1 << chance.below(room.seats)

        games = episodes(rooms, seating, learner.answer)
        began, before, measured = time.process_time(), self.spent, self.spent
        if not self.batches:
            told(self, self.trial())
        while self.spent < self.minutes:
            left = 1 - self.spent / self.minutes
            batch = gathered(games, course.choices, course.settings.decay)
            learner.learn(batch, Pace(*(left * a + (1 - left) * b for a, b in zip(FIRST, LAST, strict=True))))
            self.batches += 1
            self.choices += len(batch.seen)
            self.spent = before + (time.process_time() - began) / 60
            row = None
            if self.spent - measured >= every or self.spent >= self.minutes:
                row, measured = self.trial(), self.spent
                self.save()
            told(self, row)
