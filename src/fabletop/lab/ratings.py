"""Ratings from games with any number of seats, scaled like Elo.

Each entrant has a strength, and wins a game with the probability that its strength is of the sum of all at the table
(Bradley and Terry's model for two, Plackett and Luce's for more, of which only the victory counts; shared victories
count in shares). The strengths are those of maximum likelihood; a half victory and a half defeat of every entrant
against one of average strength keep them finite where somebody has won all games or none. A rating is 400 times the
decimal logarithm of the strength, 1500 on average: of two entrants 200 apart the stronger wins 76 % of their games for
two. Intervals come from drawing the deals again and again, with repetition.
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
"""Who sat at a table, in order of name: one entrant may have several seats."""


class Tally:
    """What some games come to: how often each line-up played, and the victories of each entrant."""

    def __init__(self) -> None:
        self.lineups: Counter[Lineup] = Counter()
        self.victories: dict[str, float] = {}

    def add_game(self, entrants: Sequence[str], shares: Sequence[float]) -> None:
        """A game, by seat."""
        self.lineups[tuple(sorted(entrants))] += 1
        for name, part in zip(entrants, shares, strict=True):
            self.victories[name] = self.victories.get(name, 0.0) + part

    def add(self, other: "Tally") -> None:
        """All games of another tally."""
        self.lineups.update(other.lineups)
        for name, part in other.victories.items():
            self.victories[name] = self.victories.get(name, 0.0) + part


def strengths(
    tally: Tally, names: Sequence[str], start: Mapping[str, float] | None = None
) -> dict[str, float]:
    """The strengths of maximum likelihood, 1 on (geometric) average: Newton's method on their logarithms."""
    at = [0.0 if start is None else log(start[name]) for name in names]
    place = {name: i for i, name in enumerate(names)}
    seats = [
        ([(place[name], places) for name, places in Counter(lineup).items()], count)
        for lineup, count in tally.lineups.items()
    ]
    won = [tally.victories.get(name, 0.0) + PRIOR for name in names]
    for _ in range(100):
        slope, bend = _slope_and_bend(at, seats, won)
        step = _solved(bend, slope)
        longest = max(map(abs, step))
        pace = min(1.0, 1.0 / longest) if longest else 1.0  # no leaps where the curve is flat
        at = [x + pace * s for x, s in zip(at, step, strict=True)]
        if longest < 1e-6:
            break
    middle = sum(at) / len(at)
    return {name: exp(x - middle) for name, x in zip(names, at, strict=True)}


def _slope_and_bend(
    at: Sequence[float], seats: Sequence[tuple[list[tuple[int, int]], int]], won: Sequence[float]
) -> tuple[list[float], list[list[float]]]:
    """The first and (with changed sign) the second derivatives of the logarithm of the likelihood."""
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
    """The solution of a small system of equations whose matrix is positive definite: Gauss, no pivots needed."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i in range(size):
        for j in range(i + 1, size):
            factor = rows[j][i] / rows[i][i]
            for k in range(i, size + 1):
                rows[j][k] -= factor * rows[i][k]
    found = [0.0] * size
    for i in reversed(range(size)):
        rest = sum(rows[i][k] * found[k] for k in range(i + 1, size))
        found[i] = (rows[i][size] - rest) / rows[i][i]
    return found


def ratings(deals: Sequence[Tally], draws: int = DRAWS) -> dict[str, Estimate]:
    """The rating of each entrant with its interval, best first. A deal is what is drawn: its games hang together."""
    whole = Tally()
    for deal in deals:
        whole.add(deal)
    names = sorted({name for lineup in whole.lineups for name in lineup})
    best = strengths(whole, names)
    drawn: dict[str, list[float]] = {name: [] for name in names}
    chance = Chance.from_text("bootstrap")
    for _ in range(draws):
        sample = Tally()
        for _ in deals:
            sample.add(deals[chance.below(len(deals))])
        for name, strength in strengths(sample, names, best).items():
            drawn[name].append(rating(strength))
    side = (1 - LEVEL) / 2
    found = {}
    for name in names:
        low, high = quantile(drawn[name], side), quantile(drawn[name], 1 - side)
        played = sum(count for lineup, count in whole.lineups.items() if name in lineup)
        won = whole.victories.get(name, 0.0)
        # who has won all games or none may be any amount better or worse: no drawing of the deals can tell
        found[name] = Estimate(rating(best[name]), low if won else -inf, high if won < played else inf)
    return dict(sorted(found.items(), key=lambda item: -item[1].value))


def rating(strength: float) -> float:
    """A strength on the scale of Elo."""
    return AVERAGE + 400 * log10(strength)


def circles(lineups: Sequence[Lineup]) -> list[set[str]]:
    """The entrants in groups within which all have met, directly or through others; ratings compare only inside one."""
    found: list[set[str]] = []
    for lineup in lineups:
        one = set(lineup)
        apart = []
        for group in found:
            if group & one:
                one |= group
            else:
                apart.append(group)
        found = [*apart, one]
    return found
