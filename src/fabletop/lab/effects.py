"""Estimates over arrays, clustered by deal, and comparisons that are corrected for their number. By scipy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import stats

from fabletop.lab.statistics import LEVEL, Estimate, wilson

Array = Any
SURE = 0.05
"""The share of wrong findings that is accepted among all (Benjamini and Hochberg)."""
DRAWS = 999
"""Bootstrap samples."""


def level_of(count: int) -> float:
    """The level of each of several intervals at which all of them hold together (Bonferroni)."""
    return 1 - (1 - LEVEL) / max(1, count)


def by_deal(values: Array, deals: Array) -> tuple[Array, Array]:
    """Sums and counts of the values of each deal; NaN does not count."""
    _, codes = np.unique(deals, return_inverse=True)
    there = ~np.isnan(values)
    return np.bincount(codes, np.where(there, values, 0.0)), np.bincount(codes, there.astype(float))


def _influence(sums: Array, counts: Array) -> tuple[float, Array]:
    """A ratio of sums, and how much each deal moves it (the delta method)."""
    total = counts.sum()
    ratio = float(sums.sum() / total) if total else float("nan")
    return ratio, (sums - ratio * counts) * len(sums) / total if total else np.full(len(sums), np.nan)


def _interval(value: float, influence: Array, level: float = LEVEL) -> tuple[Estimate, float]:
    """An estimate with its interval, and the probability of one as far from 0 if the true value were 0."""
    number = len(influence)
    error = float(np.std(influence, ddof=1) / np.sqrt(number)) if number > 1 else float("inf")
    if error == 0.0 or np.isnan(error):
        return Estimate(value, value, value), 1.0 if value == 0 or np.isnan(value) else 0.0
    reach = float(stats.t.ppf((1 + level) / 2, number - 1)) * error if number > 1 else float("inf")
    p = float(2 * stats.t.sf(abs(value) / error, number - 1)) if number > 1 else 1.0
    return Estimate(value, value - reach, value + reach), p


def mean_of(values: Array, deals: Array, level: float = LEVEL) -> Estimate:
    """The mean of some values, games of one deal together."""
    return ratio_of(values, np.ones(len(values)), deals, level)


def ratio_of(values: Array, of: Array, deals: Array, level: float = LEVEL) -> Estimate:
    """A sum over a sum, such as realised of kept."""
    sums, _ = by_deal(values, deals)
    counts, _ = by_deal(of, deals)
    return _interval(*_influence(sums, counts), level)[0]


def share_of(values: Array, deals: Array, of: Array | None = None, level: float = LEVEL) -> Estimate:
    """A mean between 0 and 1, or a share of something: Wilson's interval, with the number of independent cases that
    would have the error that the deals show, and the number of deals with a case where they show none."""
    sums, _ = by_deal(values, deals)
    counts, _ = by_deal(np.ones(len(values)) if of is None else of, deals)
    value, influence = _influence(sums, counts)
    number = len(influence)
    if number < 2 or np.isnan(value):
        return Estimate(value, 0.0, 1.0)
    error = float(np.std(influence, ddof=1) / np.sqrt(number))
    cases = float(np.count_nonzero(counts))
    size = value * (1 - value) / error**2 if error > 1e-12 and 0 < value < 1 else cases
    return wilson(value, size, float(stats.t.ppf((1 + level) / 2, number - 1)))


def bootstrap(statistic: Callable[[Array], float], deals: Array) -> Estimate:
    """The interval of any statistic of the games, which gets the rows of the games. Whole deals are drawn again."""
    kinds, codes = np.unique(deals, return_inverse=True)
    rows = np.argsort(codes, kind="stable")
    ends = np.searchsorted(codes[rows], np.arange(len(kinds) + 1))
    value = float(statistic(np.arange(len(deals))))
    if len(kinds) < 2:
        return Estimate(value, float("-inf"), float("inf"))

    def drawn(some: Array) -> float:
        return float(statistic(np.concatenate([rows[ends[deal] : ends[deal + 1]] for deal in some])))

    interval = stats.bootstrap(
        (np.arange(len(kinds)),),
        drawn,
        n_resamples=DRAWS,
        vectorized=False,
        confidence_level=LEVEL,
        method="percentile",
        rng=np.random.default_rng(1),
    ).confidence_interval
    return Estimate(value, min(value, float(interval.low)), max(value, float(interval.high)))


@dataclass(frozen=True, slots=True)
class Effect:
    """How a measure differs between two matches on the same deals."""

    group: str
    name: str
    thing: str
    present: float
    changed: float
    difference: Estimate
    p: float
    margin: float
    """A difference smaller than this does not matter: a tenth of what the measure varies from game to game."""
    q: float = 1.0
    """`p` after the correction for the number of comparisons."""

    @property
    def verdict(self) -> str:
        """`up` or `down` where it changed, `same` where it certainly did not change much, else `open`."""
        if self.q < SURE:
            return "up" if self.difference.value > 0 else "down"
        inside = -self.margin <= self.difference.low and self.difference.high <= self.margin
        return "same" if inside else "open"


def compare(
    group: str,
    name: str,
    thing: str,
    present: tuple[Array, Array, Array],
    changed: tuple[Array, Array, Array],
) -> Effect:
    """A ratio of sums in two matches, deal by deal: each side gives values, of what, and the deals."""
    sides = []
    for values, of, deals in (present, changed):
        sums, _ = by_deal(values, deals)
        counts, _ = by_deal(of, deals)
        sides.append(_influence(sums, counts))
    (before, moves), (after, moved) = sides
    difference, p = _interval(after - before, moved - moves)
    spread = float(np.std(moves)) if len(moves) else 0.0
    return Effect(group, name, thing, before, after, difference, p, 0.1 * spread)


def corrected(effects: Sequence[Effect]) -> list[Effect]:
    """The same with `q`, all comparisons of a page together."""
    if not effects:
        return []
    values = stats.false_discovery_control([min(1.0, max(0.0, effect.p)) for effect in effects])
    return [replace(effect, q=float(q)) for effect, q in zip(effects, values, strict=True)]
