"""Better weights for the knowledge of Fairy School: evolution by play among themselves.

    python -m fabletop.lab.fairy_school.weights --minutes 6

One player with changed weights sits among players with the present ones, in every seat by turns and with the same deals
in each, with three seats, with two and with four. All weights change at once: separable CMA-ES (Ros and Hansen, 2008),
with pairs of opposite changes. A year takes about a millisecond, so a generation takes six seconds of the processor.

They start as those of search, SEARCH_WEIGHTS of `bots/fairy_school/knowledge.py`, and are printed. To keep them, show
with fresh deals that search is stronger with them. Needs numpy (the extra `lab`).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from time import process_time
from typing import Any

from fabletop.bots.fairy_school.knowledge import SEARCH_WEIGHTS, Knowledge
from fabletop.core.chance import Chance
from fabletop.lab.fairy_school.training import world_of
from fabletop.lab.matches import lead

MIX = {3: (40, 0.5), 2: (24, 0.25), 4: (16, 0.25)}
"""Seats: the deals of a comparison, and how much they count."""
FIXED = ("usual", "late", "finish", "glut", "reserve")
"""Small numbers that do not change by a few hundredths."""
CHANGED = tuple(key for key in SEARCH_WEIGHTS if key not in FIXED)
BROOD, PARENTS = 16, 8
FIRST, LEAST = 0.12, 0.06
"""By which part of itself a weight changes at first, and at least."""

Weights = Mapping[str, int]


def weights_at(x: Sequence[float]) -> dict[str, int]:
    """The weights at a point of the search: `x` are the logarithms of the factors."""
    from math import exp

    changed = {key: round(SEARCH_WEIGHTS[key] * exp(value)) for key, value in zip(CHANGED, x, strict=True)}
    return {**SEARCH_WEIGHTS, **changed}


def leads(
    world: Knowledge, seats: int, words: Sequence[int], own: Weights, others: Weights
) -> list[list[float]]:
    """By how many points a seat with its own weights is ahead of the mean of the others: by deal, from every seat."""
    ahead: list[list[float]] = [[] for _ in words]
    for mine in range(seats):
        for seat in range(seats):
            world.weight(seat, own if seat == mine else others)
        for deal, word in enumerate(words):
            world.begin(word)
            world.year()
            points = world.state.points()
            ahead[deal].append(lead(points, mine))
    return ahead


class Evolution:
    """A mean, and how far the weights vary around it. `step` is a generation."""

    def __init__(self, seed: int, mix: Mapping[int, tuple[int, float]] = MIX) -> None:
        import numpy as np

        self.chance = Chance(seed)
        self.random = np.random.default_rng(seed)
        self.mix = mix
        self.worlds = {seats: world_of(seats) for seats in mix}
        n = len(CHANGED)
        self.mean: Any = np.zeros(n)
        self.kept: Any = np.zeros(n)  # the mean, smoothed over generations
        self.spread: Any = np.ones(n)  # variances
        self.path: Any = np.zeros(n)
        self.step_path: Any = np.zeros(n)
        self.step_size = FIRST
        self.generation = 0

    def deals(self, times: int = 1) -> dict[int, list[int]]:
        """Fresh ones."""
        return {seats: [self.chance.word() for _ in range(times * n)] for seats, (n, _) in self.mix.items()}

    def worth(self, x: Sequence[float], deals: Mapping[int, Sequence[int]]) -> float:
        """The lead of the weights at this point over the present ones."""
        total = 0.0
        for seats, (_, part) in self.mix.items():
            ahead = leads(self.worlds[seats], seats, deals[seats], weights_at(x), SEARCH_WEIGHTS)
            total += part * sum(map(sum, ahead)) / (seats * len(ahead))
        return total

    def step(self) -> None:
        """A brood on the same deals; the mean and the spread follow its better half."""
        import numpy as np

        n = len(CHANGED)
        self.generation += 1
        deals = self.deals()
        half = self.random.standard_normal((BROOD // 2, n))
        brood = np.concatenate((half, -half))
        deviation = np.sqrt(self.spread)
        worths = [self.worth(self.mean + self.step_size * deviation * z, deals) for z in brood]
        best = brood[np.argsort(worths)[::-1][:PARENTS]]
        rank = np.log(PARENTS + 0.5) - np.log(np.arange(1, PARENTS + 1))
        rank /= rank.sum()
        mass = 1 / (rank**2).sum()
        move = rank @ best
        self.mean = self.mean + self.step_size * deviation * move
        self.kept = 0.9 * self.kept + 0.1 * self.mean

        slow, path_rate = (mass + 2) / (n + mass + 5), 4 / (n + 4)
        rank_one = (n + 2) / 3 * 2 / ((n + 1.3) ** 2 + mass)
        rank_mu = (n + 2) / 3 * 2 * (mass - 2 + 1 / mass) / ((n + 2) ** 2 + mass)
        self.step_path = (1 - slow) * self.step_path + np.sqrt(slow * (2 - slow) * mass) * move
        self.path = (1 - path_rate) * self.path + np.sqrt(
            path_rate * (2 - path_rate) * mass
        ) * deviation * move
        variance = (rank[:, None] * (deviation * best) ** 2).sum(axis=0)
        self.spread = (1 - rank_one - rank_mu) * self.spread + rank_one * self.path**2 + rank_mu * variance
        usual = np.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))
        change = slow / (1 + slow) * (np.linalg.norm(self.step_path) / usual - 1)
        self.step_size = max(LEAST, self.step_size * float(np.exp(np.clip(change, -0.1, 0.1))))


def evolved(minutes: float, seed: int, say: Callable[[str], None] = print) -> dict[str, int]:
    """Generations until the minutes of the processor are spent: the weights at the smoothed mean."""
    evolution = Evolution(seed)
    began = process_time()
    while process_time() - began < 60 * minutes:
        evolution.step()
        if evolution.generation % 5 == 0:
            ahead = evolution.worth(evolution.kept, evolution.deals(3))
            say(f"generation {evolution.generation}: {ahead:.2f} points ahead")
    return weights_at(evolution.kept)


def main(arguments: Sequence[str] | None = None) -> None:
    """Evolve, and print."""
    parser = argparse.ArgumentParser(description="Evolve the weights of Fairy School's knowledge.")
    parser.add_argument("--minutes", type=float, default=6, help="of the processor (default 6)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    print(evolved(given.minutes, given.seed))


if __name__ == "__main__":
    main()
