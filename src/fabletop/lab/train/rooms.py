"""Games of the training side by side, and what their learners see, do and gain."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fabletop.bots.greedy import knowledge_class
from fabletop.bots.net import Weights
from fabletop.bots.player import Player
from fabletop.core.chance import Chance
from fabletop.core.game import Game, Options
from fabletop.lab.train.rehearsal import Rehearsal

SLACK = 0.02
"""Of the rivals: that of `greedy`."""
MOST_PARTS, MOST_OPTIONS = 16, 512
POINT = 262144  # as in search.py

Bytes = npt.NDArray[np.uint8]


class Seen(NamedTuple):
    """A choice as the net sees it; `model.Choices` are many of them."""

    table: Bytes
    parts: Bytes
    options: Bytes
    about: npt.NDArray[np.int8]
    down: npt.NDArray[np.float32]


class Step(NamedTuple):
    """A decision: the index of the option taken, its log-probability, and what the critic expected."""

    seen: Seen
    action: int
    log: float
    value: float


class Room:
    """A table at which one game follows the other. A net plays the learners' seats, knowledge the others'."""

    def __init__(
        self, game: Game, options: Options, net: Weights, chance: Chance, margin: float = 0.0
    ) -> None:
        self.game = game
        self.options = options
        self.chance = chance
        self.margin = margin
        self.seats: int = options["seats"]
        self.state = self.deal()
        self.world: Any = knowledge_class(game.id, True)(self.state, net=net)
        self.rehearsal = Rehearsal(self.world, Player(knowledge_class(game.id)(self.state), chance, SLACK))
        self.steps: list[list[Step]] = []
        shape = net.shape
        self._table = np.zeros(shape.table, np.uint8)
        self._parts = np.zeros((MOST_PARTS, shape.part), np.uint8)
        self._options = np.zeros((MOST_OPTIONS, shape.option), np.uint8)
        self._about = np.zeros(MOST_OPTIONS, np.int8)
        self._down = np.zeros(MOST_OPTIONS, np.int32)
        self._flat = (
            self._table,
            self._parts.reshape(-1),
            self._options.reshape(-1),
            self._about,
            self._down,
        )

    def deal(self, words: Sequence[int] | None = None) -> Any:
        """The first state of a game, a certain one with `words`."""
        return self.game.new(self.options, words or [self.chance.word() for _ in range(self.seats + 1)])

    def begin(self, learners: int, words: Sequence[int] | None = None) -> None:
        """A new game with a bit for each learner."""
        self.state = self.deal(words)
        self.steps = [[] for _ in range(self.seats)]
        self.rehearsal.begin(self.state, learners)

    def seen(self, n: int) -> Seen:
        """The choice that `rehearsal.ask` has found, with so many options."""
        n_parts = self.world.inputs(*self._flat)
        return Seen(
            self._table.copy(),
            self._parts[:n_parts].copy(),
            self._options[:n].copy(),
            self._about[:n].copy(),
            (self._down[:n] / POINT).astype(np.float32),
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


Answer = Callable[[list[Seen]], Iterable[tuple[int, float, float]]]
"""Answers some choices at once: indices of options, their log-probabilities, and values of the critic."""


def episodes(
    rooms: Sequence[Room], seating: Callable[[Room], int], answer: Answer
) -> Iterator[tuple[list[Step], float]]:
    """Play without end, all rooms in step; yields what each learner did in a game that is over, and its reward."""
    for room in rooms:
        room.begin(seating(room))
    while True:
        seen = []
        for room in rooms:
            while not (n := room.rehearsal.ask()):
                for steps, (share, lead) in zip(room.steps, room.results(), strict=True):
                    if steps:
                        yield steps, share + room.margin * lead
                room.begin(seating(room))
            seen.append(room.seen(n))
        for room, one, (action, log, value) in zip(rooms, seen, answer(seen), strict=True):
            room.steps[room.rehearsal.seat].append(Step(one, action, log, value))
            room.rehearsal.act(action)


def strength(
    game: Game, options: Options, net: Weights, deals: int, seed: int
) -> tuple[list[list[float]], list[list[float]]]:
    """The net alone against greedies, every deal from every seat: shares of the victory and leads, by deal."""
    chance = Chance(seed)
    room = Room(game, options, net, chance)
    shares, leads = [], []
    for _ in range(deals):
        words = [chance.word() for _ in range(room.seats + 1)]
        found = []
        for seat in range(room.seats):
            room.begin(1 << seat, words)
            while room.rehearsal.ask():
                room.rehearsal.act(room.rehearsal.rated())
            found.append(room.results()[seat])
        shares.append([share for share, _ in found])
        leads.append([lead for _, lead in found])
    return shares, leads
