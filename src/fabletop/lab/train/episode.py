"""A game of the training: learners are asked from outside, the other seats follow their game's knowledge.

Compiled with `episode.pxd`.
"""

from __future__ import annotations

from math import exp
from typing import Any

from fabletop.bots.player import Player
from fabletop.bots.world import World

COMPILED = not __file__.endswith(".py")

FINE = 1 << 30


class Episode:
    """One game at a time. `world` considers the choices of the learners, `rival` plays the other seats."""

    def __init__(self, world: World, rival: Player) -> None:
        self.world = world
        self.rival = rival
        self.learners = 0
        self.seat = 0

    def begin(self, state: Any, learners: int) -> None:
        """Start with this state, which the episode changes; `learners` has a bit for each seat that is asked."""
        self.world.follow(state)
        self.rival.world.follow(state)
        self.learners = learners

    def ask(self) -> int:
        """Play on until a learner has to choose among several options: how many there are, 0 at the end of the game."""
        while True:
            waiting = self.world.pending()
            if waiting == 0:
                return 0
            self.seat = 0
            while not (waiting >> self.seat) & 1:
                self.seat += 1
            if not (self.learners >> self.seat) & 1:
                self.world.answer(self.seat, self.rival.answer(self.seat))
                continue
            self.world.consider(self.seat)
            if self.world.n_options > 1:
                return self.world.n_options
            self.world.answer(self.seat, self.world.options[0])

    def act(self, index: int) -> None:
        """The learner takes the option with this index."""
        self.world.answer(self.seat, self.world.options[index])

    def sample(self, temperature: float) -> int:
        """The index of an option, drawn by the scores: `temperature` points make one e times as likely."""
        self.world.rate()
        best = self.world.points_of(self.world.top())
        total = 0.0
        for i in range(self.world.n_options):
            total += exp((self.world.points_of(i) - best) / temperature)
        left = total * self.rival.below(FINE) / FINE
        for i in range(self.world.n_options - 1):
            left -= exp((self.world.points_of(i) - best) / temperature)
            if left < 0:
                return i
        return self.world.n_options - 1

    def best_option(self) -> int:
        """The index of the option that the world itself rates best."""
        self.world.rate()
        return self.world.top()
