"""Means and shares with 95 % intervals. Correlated values, such as the games of a deal, form one cluster."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt

from fabletop.core.chance import Chance

LEVEL = 0.95
NORMAL = 1.959964
T = (inf, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
"""Student's 97.5 % quantiles by degrees of freedom, up to 10."""

DRAWS = 400
"""Bootstrap samples for a median."""

Clusters = Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimated value with its 95 % confidence interval."""

    value: float
    low: float
    high: float

    def text(self, digits: int = 1, unit: str = "", scale: float = 1) -> str:
        """As in a table: `31.2 (28.4 to 34.1) %`."""
        value, low, high = (
            f"{round(scale * side, digits) + 0.0:.{digits}f}" if abs(side) < inf else "?"  # + 0.0: no -0.0
            for side in (self.value, self.low, self.high)
        )
        return f"{value}{unit} ({low} to {high})"

    def percent(self) -> str:
        """A share as a percentage."""
        return self.text(1, " %", 100)


def quantile_of_t(freedom: int) -> float:
    """Student's 97.5 % quantile; beyond the table by the usual correction of the normal one."""
    if freedom < len(T):
        return T[max(0, freedom)]
    z = NORMAL
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


def _mean_and_error(clusters: Clusters) -> tuple[float, float, int]:
    """The mean of all values, its standard error from how the clusters differ, and the number of clusters.

    The mean is a ratio, values over counts, so that clusters may differ in size.
    """
    full = [cluster for cluster in clusters if cluster]
    count = sum(map(len, full))
    if not count:
        raise ValueError("no values, so no mean")
    mean = sum(map(sum, full)) / count
    if len(full) < 2:
        return mean, inf, len(full)
    spread = sum((sum(cluster) - mean * len(cluster)) ** 2 for cluster in full)
    return mean, sqrt(spread * len(full) / (len(full) - 1)) / count, len(full)


def mean(clusters: Clusters) -> Estimate:
    """The mean of values of any size."""
    value, error, number = _mean_and_error(clusters)
    reach = quantile_of_t(number - 1) * error if error else 0.0
    return Estimate(value, value - reach, value + reach)


def share(clusters: Clusters) -> Estimate:
    """The mean of values between 0 and 1, such as shares of a victory: Wilson's interval.

    Its sample size is the one at which independent games would have the error that the clusters show, and the number
    of clusters where they show none, so that ten victories in ten games are not taken for certainty.
    """
    value, error, number = _mean_and_error(clusters)
    if error == inf:
        return Estimate(value, 0.0, 1.0)
    size = value * (1 - value) / error**2 if error > 1e-12 else float(number)
    return wilson(value, size, quantile_of_t(number - 1))


def median(clusters: Clusters) -> Estimate:
    """The median of all values, with a bootstrap interval over clusters."""
    full = [cluster for cluster in clusters if cluster]
    value = quantile([item for cluster in full for item in cluster], 0.5)
    if len(full) < 2:
        return Estimate(value, -inf, inf)
    chance = Chance(len(full))
    drawn = [
        quantile([item for _ in full for item in full[chance.below(len(full))]], 0.5) for _ in range(DRAWS)
    ]
    tail = (1 - LEVEL) / 2
    return Estimate(value, min(value, quantile(drawn, tail)), max(value, quantile(drawn, 1 - tail)))


def wilson(value: float, size: float, z: float) -> Estimate:
    """Wilson's interval around a share of `size` independent cases: what lies within `z` standard errors of it."""
    centre = (value + z * z / (2 * size)) / (1 + z * z / size)
    reach = z / (1 + z * z / size) * sqrt(max(0.0, value * (1 - value)) / size + z * z / (4 * size * size))
    return Estimate(value, max(0.0, min(value, centre - reach)), min(1.0, max(value, centre + reach)))


def quantile(values: Sequence[float], part: float) -> float:
    """The quantile of the values, with linear interpolation."""
    ordered = sorted(values)
    place = part * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])
