"""Means, shares and ratings with intervals, checked against known figures and by simulation."""

from math import inf, log10

import pytest

from fabletop.core.chance import Chance
from fabletop.lab.ratings import WinCounts, connected_groups, rating, ratings, strengths
from fabletop.lab.statistics import Estimate, mean, median, quantile, quantile_of_t, share, wilson


def test_students_quantiles() -> None:
    assert quantile_of_t(1) == 12.706
    assert quantile_of_t(10) == pytest.approx(2.228, abs=0.001)
    assert quantile_of_t(20) == pytest.approx(2.086, abs=0.002)
    assert quantile_of_t(10_000) == pytest.approx(1.960, abs=0.001)


def test_the_mean_of_independent_values_has_students_interval() -> None:
    found = mean([[1], [2], [3], [4]])
    assert found.value == 2.5
    assert found.high - found.value == pytest.approx(3.182 * (5 / 3 / 4) ** 0.5)


def test_values_that_hang_together_make_the_interval_wider() -> None:
    apart = mean([[0], [1]] * 20)
    together = mean([[0] * 4, [1] * 4] * 5)
    assert together.value == apart.value == 0.5
    assert together.high - together.low > 1.8 * (apart.high - apart.low)


def test_clusters_of_different_size_count_by_their_values() -> None:
    assert mean([[1, 1, 1], [0], []]).value == 0.75
    with pytest.raises(ValueError, match="no values"):
        mean([[], []])


def test_one_cluster_says_nothing_about_the_error() -> None:
    assert mean([[1, 2]]).high == inf
    assert share([[1, 0]]) == Estimate(0.5, 0.0, 1.0)
    assert mean([[1, 2]]).text() == "1.5 (? to ?)"


def test_the_median_and_its_interval() -> None:
    chance = Chance(2)
    found = median([[chance.below(101), chance.below(101)] for _ in range(400)])
    assert 40 < found.low <= found.value <= found.high < 60
    assert found.high - found.low < 15
    assert median([[1, 2, 9]]).value == 2
    assert median([[1, 2, 9]]).text() == "2.0 (? to ?)"
    assert median([[5]] * 9) == Estimate(5, 5, 5)


def test_wilsons_interval() -> None:
    z = quantile_of_t(10**9)
    found = wilson(0.8, 10, z)
    assert (found.low, found.high) == (pytest.approx(0.490, abs=0.001), pytest.approx(0.943, abs=0.001))
    assert wilson(1.0, 10, z).high == 1
    assert wilson(1.0, 10, z).low == pytest.approx(0.722, abs=0.001)


def test_ten_victories_of_ten_are_no_certainty() -> None:
    found = share([[1.0]] * 10)
    assert found.value == found.high == 1
    assert 0.5 < found.low < 0.8


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    chance = Chance(5)
    covered = {"share": 0, "mean": 0}
    for _ in range(300):
        clusters = [[float(chance.below(100) < 30) for _ in range(4)] for _ in range(25)]
        covered["share"] += share(clusters).low <= 0.3 <= share(clusters).high
        covered["mean"] += mean(clusters).low <= 0.3 <= mean(clusters).high
    assert 270 <= covered["share"] <= 297
    assert 270 <= covered["mean"] <= 297


def test_percentages_and_quantiles() -> None:
    assert Estimate(0.312, 0.284, 0.3406).percent() == "31.2 % (28.4 to 34.1)"
    assert Estimate(-0.0001, -0.2, 0.04).text(1) == "0.0 (-0.2 to 0.0)"
    assert quantile([4, 1, 3, 2], 0.5) == 2.5
    assert quantile([1], 0.975) == 1


# ---------------------------------------------------------------------------------------------- ratings


def match(strength: dict[str, float], lineup: tuple[str, ...], games: int, seed: int) -> list[WinCounts]:
    """Games between entrants of known strength."""
    chance, found = Chance(seed), []
    total = sum(strength[name] for name in lineup)
    for _ in range(games):
        left = chance.below(1_000_000) / 1_000_000 * total
        winner = 0
        while left >= strength[lineup[winner]]:
            left -= strength[lineup[winner]]
            winner += 1
        found.append(WinCounts())
        found[-1].add_game(lineup, [float(seat == winner) for seat in range(len(lineup))])
    return found


def test_two_entrants_have_the_difference_of_elo() -> None:
    counts = WinCounts()
    for won in [1.0] * 300 + [0.0] * 100:
        counts.add_game(("a", "b"), (won, 1 - won))
    found = strengths(counts, ["a", "b"])
    assert rating(found["a"]) - rating(found["b"]) == pytest.approx(400 * log10(3), abs=2)
    assert rating(found["a"]) + rating(found["b"]) == pytest.approx(3000)


def test_the_strengths_are_those_of_maximum_likelihood() -> None:
    """Hunter's iteration, another way to the same maximum."""
    counts = WinCounts()
    for deal in match({"a": 5, "b": 2, "c": 1}, ("a", "b", "c", "c"), 300, 3):
        counts.add(deal)
    found = strengths(counts, ["a", "b", "c"])
    at = {"a": 1.0, "b": 1.0, "c": 1.0}
    places = {"a": 1, "b": 1, "c": 2}
    for _ in range(3000):
        total = sum(at[n] * places[n] for n in at)
        at = {n: (counts.victories[n] + 0.5) / (300 * places[n] / total + 1 / (at[n] + 1)) for n in at}
    scale = (at["a"] * at["b"] * at["c"]) ** (1 / 3)
    assert found == {n: pytest.approx(at[n] / scale, rel=1e-2) for n in at}


def test_ratings_find_the_true_differences_and_their_intervals_hold_them() -> None:
    truth = {"weak": 1.0, "good": 4.0, "best": 10.0}
    deals = match(truth, ("weak", "good", "best", "good"), 150, 1) + match(truth, ("weak", "best"), 50, 2)
    found = ratings(deals, draws=200)
    assert list(found) == ["best", "good", "weak"]
    middle = sum(map(log10, truth.values())) / 3
    for name, strength in truth.items():
        wanted = 1500 + 400 * (log10(strength) - middle)
        assert found[name].low <= wanted <= found[name].high
        assert found[name].high - found[name].low < 250


def test_who_wins_everything_still_has_a_rating() -> None:
    deals = [WinCounts() for _ in range(10)]
    for deal in deals:
        deal.add_game(("a", "b"), (1, 0))
    found = ratings(deals, draws=20)
    assert 1600 < found["a"].value < 2200
    assert (found["a"].high, found["b"].low) == (inf, -inf), "and no bound on it"


def test_entrants_that_never_met_are_told_apart() -> None:
    assert connected_groups([("a", "b"), ("c", "d")]) == [{"a", "b"}, {"c", "d"}]
    assert connected_groups([("a", "b"), ("c", "d"), ("b", "c")]) == [{"a", "b", "c", "d"}]
