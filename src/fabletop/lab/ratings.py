"""Ratings from games with any number of seats, scaled like Elo.

Each entrant has a strength, and wins a game with probability proportional to it: its strength divided by the sum at the
table (the Bradley-Terry model for two seats, Plackett-Luce for more, of which only the victory counts; shared victories
count in shares). Strengths are estimated by maximum likelihood. As a prior, every entrant has half a victory and half a
defeat against one of average strength; that keeps strengths finite where an entrant has won all games or none. A rating
is 400 times the decimal logarithm of the strength, 1500 on average: of two entrants 200 apart the stronger wins 76 % of
their games for two. Intervals are bootstrapped over deals.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import exp, inf, log, log10

from fabletop.core.chance import Chance
from fabletop.lab.statistics import LEVEL, Estimate, quantile

AVERAGE = 1500.0
DRAWS = 400
PRIOR = 0.5

Lineup = tuple[str, ...]
"""The entrants at a table, sorted by name; one entrant may have several seats."""


class WinCounts:
    """Counts over some games: how often each line-up played, and the victories of each entrant."""

    def __init__(self) -> None:
        self.lineups: Counter[Lineup] = Counter()
        self.victories: dict[str, float] = {}

    def add_game(self, entrants: Sequence[str], shares: Sequence[float]) -> None:
        """Count a game; both lists are by seat."""
        self.lineups[tuple(sorted(entrants))] += 1
        for name, part in zip(entrants, shares, strict=True):
            self.victories[name] = self.victories.get(name, 0.0) + part

    def add(self, other: "WinCounts") -> None:
        """Count all games of another."""
        self.lineups.update(other.lineups)
        for name, part in other.victories.items():
            self.victories[name] = self.victories.get(name, 0.0) + part


def strengths(
    counts: WinCounts, names: Sequence[str], start: Mapping[str, float] | None = None
) -> dict[str, float]:
    """Maximum-likelihood strengths with geometric mean 1, by Newton's method on their logarithms."""
    at = [0.0 if start is None else log(start[name]) for name in names]
    place = {name: i for i, name in enumerate(names)}
    seats = [
        ([(place[name], places) for name, places in Counter(lineup).items()], count)
        for lineup, count in counts.lineups.items()
    ]
    won = [counts.victories.get(name, 0.0) + PRIOR for name in names]
    for _ in range(100):
        slope, bend = _slope_and_bend(at, seats, won)
        step = _solved(bend, slope)
        longest = max(map(abs, step))
        damping = min(1.0, 1.0 / longest) if longest else 1.0  # no large steps where the curve is flat
        at = [x + damping * s for x, s in zip(at, step, strict=True)]
        if longest < 1e-6:
            break
    middle = sum(at) / len(at)
    return {name: exp(x - middle) for name, x in zip(names, at, strict=True)}


def _slope_and_bend(
    at: Sequence[float], seats: Sequence[tuple[list[tuple[int, int]], int]], won: Sequence[float]
) -> tuple[list[float], list[list[float]]]:
    """The gradient and the negated Hessian of the log-likelihood."""
    size = len(at)
    strength = [exp(x) for x in at]
    slope = list(won)
    bend = [[0.0] * size for _ in range(size)]
    for i in range(size):
        part = strength[i] / (strength[i] + 1)
        slope[i] -= 2 * PRIOR * part
        bend[i][i] += 2 * PRIOR * part * (1 - part)
    for lineup, count in seats:
        total = sum(strength[i] * places for i, places in lineup)
        parts = [(i, strength[i] * places / total) for i, places in lineup]
        for i, part in parts:
            slope[i] -= count * part
            bend[i][i] += count * part
            for j, other in parts:
                bend[i][j] -= count * part * other
    return slope, bend


def _solved(matrix: list[list[float]], right: Sequence[float]) -> list[float]:
    """Solve a small positive definite system by Gaussian elimination; it needs no pivoting."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i in range(size):
        for j in range(i + 1, size):
            factor = rows[j][i] / rows[i][i]
            for k in range(i, size + 1):
                rows[j][k] -= factor * rows[i][k]
    solution = [0.0] * size
    for i in reversed(range(size)):
        rest = sum(rows[i][k] * solution[k] for k in range(i + 1, size))
        solution[i] = (rows[i][size] - rest) / rows[i][i]
    return solution


def ratings(deals: Sequence[WinCounts], draws: int = DRAWS) -> dict[str, Estimate]:
    """The rating of each entrant with its interval, best first. The bootstrap draws whole deals."""
    whole = WinCounts()
    for deal in deals:
        whole.add(deal)
    names = sorted({name for lineup in whole.lineups for name in lineup})
    best = strengths(whole, names)
    drawn: dict[str, list[float]] = {name: [] for name in names}
    chance = Chance.from_text("bootstrap")
    for _ in range(draws):
        sample = WinCounts()
        for _ in deals:
            sample.add(deals[chance.below(len(deals))])
        for name, strength in strengths(sample, names, best).items():
            drawn[name].append(rating(strength))
    side = (1 - LEVEL) / 2
    estimates = {}
    for name in names:
        low, high = quantile(drawn[name], side), quantile(drawn[name], 1 - side)
        played = sum(count for lineup, count in whole.lineups.items() if name in lineup)
        won = whole.victories.get(name, 0.0)
        # an entrant that has won all games or none may be arbitrarily strong or weak: the bootstrap cannot tell
        estimates[name] = Estimate(rating(best[name]), low if won else -inf, high if won < played else inf)
    return dict(sorted(estimates.items(), key=lambda item: -item[1].value))


def rating(strength: float) -> float:
    """A strength on the Elo scale."""
    return AVERAGE + 400 * log10(strength)


def connected_groups(lineups: Sequence[Lineup]) -> list[set[str]]:
    """Connected components of the graph of entrants that have met; ratings are comparable only inside one."""
    groups: list[set[str]] = []
    for lineup in lineups:
        merged = set(lineup)
        apart = []
        for group in groups:
            if group & merged:
                merged |= group
            else:
                apart.append(group)
        groups = [*apart, merged]
    return groups
