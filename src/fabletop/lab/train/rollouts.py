"""Games of the training, and what their learners see, do and win."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fabletop.bots.constants import POINT
from fabletop.bots.greedy import knowledge_class
from fabletop.bots.net import Weights
from fabletop.bots.player import Player
from fabletop.core.chance import Chance
from fabletop.core.game import Game, Options
from fabletop.lab.train.episode import Episode

SLACK = 0.02
"""Of the rivals: that of `greedy`."""
LONGEST = 4096
"""Choices of one game that are recorded at most."""
MOST_PARTS = 16  # as in net.py

Numbers = npt.NDArray[Any]


class Rollouts(NamedTuple):
    """Choices of learners, game after game, in the order in which they were made. Inputs are bytes."""

    table: Numbers
    """(choices, inputs)"""
    parts: Numbers
    """(choices, most parts, inputs), 0 where there is none"""
    n_parts: Numbers
    """(choices,)"""
    hidden_table: Numbers
    """(choices, inputs of the critic alone)"""
    hidden_parts: Numbers
    """(choices, most parts, inputs of the critic alone)"""
    counts: Numbers
    """(choices,): how many options each has"""
    options: Numbers
    """(options, inputs), those of all choices one behind the other"""
    about: Numbers
    """(options,): the part, -1 for none"""
    down: Numbers
    """(options,): how far knowledge puts it below the best, in points"""
    action: Numbers
    """(choices,): the index of the option that was taken"""
    trajectory: Numbers
    """(choices,): the number of the learner's game"""
    reward: Numbers
    """(trajectories,)"""


class Environment:
    """Games with the same number of seats. A net plays the learners' seats, knowledge the others'."""

    def __init__(self, game: Game, options: Options, net: Weights, chance: Chance) -> None:
        self.game = game
        self.options = options
        self.chance = chance
        self.seats: int = options["seats"]
        self.state = self.deal()
        self.use(net)
        shape = net.shape
        hidden = getattr(import_module(f"fabletop.bots.{game.id}.learned"), "HIDDEN", None)
        self.sees_hidden = hidden is not None
        hidden_table, hidden_part = hidden or (0, 0)
        self._table = np.zeros((LONGEST, shape.table), np.uint8)
        self._parts = np.zeros((LONGEST, MOST_PARTS * shape.part), np.uint8)
        self._n_parts = np.zeros(LONGEST, np.int8)
        self._hidden_table = np.zeros((LONGEST, hidden_table), np.uint8)
        self._hidden_parts = np.zeros((LONGEST, MOST_PARTS * hidden_part), np.uint8)
        self._counts = np.zeros(LONGEST, np.int16)
        self._action = np.zeros(LONGEST, np.int16)
        self._seat = np.zeros(LONGEST, np.int8)
        self._options = np.zeros(16 * LONGEST * shape.option, np.uint8)
        self._about = np.zeros(16 * LONGEST, np.int8)
        self._down = np.zeros(16 * LONGEST, np.int32)

    def use(self, net: Weights) -> None:
        """Let the learners follow this net from now on."""
        self.shape = net.shape
        self.world: Any = knowledge_class(self.game.id, True)(self.state, net=net)
        own = Chance(self.chance.word())
        self.episode = Episode(self.world, Player(knowledge_class(self.game.id)(self.state), own, SLACK))

    def deal(self, words: Sequence[int] | None = None) -> Any:
        """The first state of a game, a certain one with `words`."""
        return self.game.new(self.options, words or [self.chance.word() for _ in range(self.seats + 1)])

    def begin(self, learners: int, words: Sequence[int] | None = None) -> None:
        """A new game with a bit for each learner."""
        self.state = self.deal(words)
        self.episode.begin(self.state, learners)

    def play(self, learners: int, temperature: float, margin: float) -> Rollouts:
        """A game in which the learners draw their options by the scores of the net."""
        self.begin(learners)
        n = n_options = 0
        while count := self.episode.ask():
            self.record(n, n_options, count)
            taken = self.episode.sample(temperature)
            self._action[n] = taken
            self.episode.act(taken)
            n += 1
            n_options += count
        seats = [seat for seat in range(self.seats) if (learners >> seat) & 1]
        number = np.zeros(self.seats, np.int64)
        number[seats] = range(len(seats))
        results = self.results()
        rewards = [results[seat][0] + margin * results[seat][1] for seat in seats]
        return self.recorded(n)._replace(
            trajectory=number[self._seat[:n]], reward=np.array(rewards, np.float32)
        )

    def record(self, n: int, first: int, count: int) -> None:
        """Record the choice under consideration as the n-th, its options from `first`."""
        if n == LONGEST or first + count > len(self._about):
            raise ValueError(f"a game with more than {n} choices is too long to learn from")
        self._parts[n] = 0
        self._n_parts[n] = self.world.inputs(
            self._table[n],
            self._parts[n],
            self._options[first * self.shape.option :],
            self._about[first:],
            self._down[first:],
        )
        if self.sees_hidden:
            self.world.hidden(self._hidden_table[n], self._hidden_parts[n])
        self._counts[n] = count
        self._seat[n] = self.episode.seat

    def recorded(self, n: int) -> Rollouts:
        """The first n choices that were recorded; nobody knows yet what they were worth."""
        n_options = int(self._counts[:n].sum())
        most = max(1, int(self._n_parts[:n].max(initial=0)))
        return Rollouts(
            self._table[:n].copy(),
            self._parts[:n].reshape(n, MOST_PARTS, -1)[:, :most].copy(),
            self._n_parts[:n].copy(),
            self._hidden_table[:n].copy(),
            self._hidden_parts[:n].reshape(n, MOST_PARTS, -1)[:, :most].copy()
            if self.sees_hidden
            else np.zeros((n, most, 0), np.uint8),
            self._counts[:n].copy(),
            self._options[: n_options * self.shape.option].reshape(n_options, -1).copy(),
            self._about[:n_options].copy(),
            (self._down[:n_options] / POINT).astype(np.float32),
            self._action[:n].copy(),
            np.zeros(n, np.int64),
            np.zeros(0, np.float32),
        )

    def results(self) -> list[tuple[float, float]]:
        """The share of the victory of each seat and its lead over the mean of the others, at the end of a game."""
        outcome = self.game.outcome(self.state)
        assert outcome is not None
        total = sum(outcome.scores)
        return [
            (
                (seat in outcome.winners) / len(outcome.winners),
                float(score - (total - score) / (self.seats - 1)),
            )
            for seat, score in enumerate(outcome.scores)
        ]


def joined(games: Sequence[Rollouts]) -> Rollouts:
    """The choices of some games as one."""
    most = max(game.parts.shape[1] for game in games)

    def padded(parts: Numbers) -> Numbers:
        return np.pad(parts, ((0, 0), (0, most - parts.shape[1]), (0, 0)))

    columns: dict[str, list[Numbers]] = {name: [] for name in Rollouts._fields}
    trajectories = 0
    for game in games:
        row = game._replace(
            parts=padded(game.parts),
            hidden_parts=padded(game.hidden_parts),
            trajectory=game.trajectory + trajectories,
        )
        trajectories += len(game.reward)
        for name, numbers in zip(Rollouts._fields, row, strict=True):
            columns[name].append(numbers)
    return Rollouts(*(np.concatenate(numbers) for numbers in columns.values()))


def evaluate(
    game: Game, options: Options, net: Weights, deals: int, seed: int
) -> tuple[list[list[float]], list[list[float]]]:
    """The net alone against greedies, every deal from every seat: shares of the victory and leads, by deal."""
    chance = Chance(seed)
    environment = Environment(game, options, net, chance)
    shares, leads = [], []
    for _ in range(deals):
        words = [chance.word() for _ in range(environment.seats + 1)]
        results = []
        for seat in range(environment.seats):
            environment.begin(1 << seat, words)
            while environment.episode.ask():
                environment.episode.act(environment.episode.best_option())
            results.append(environment.results()[seat])
        shares.append([share for share, _ in results])
        leads.append([lead for _, lead in results])
    return shares, leads
