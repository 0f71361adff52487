"""The report on Fairy School: what is counted of a year, the figures by hand, and a page that repeats itself."""

from pathlib import Path

import pytest

from fabletop.games.fairy_school.cards import BY_NAME
from fabletop.lab.fairy_school import report as lab
from fabletop.lab.fairy_school.report import Batch, Findings, Tally
from fabletop.lab.statistics import Estimate


def a_tally() -> Tally:
    """Four years of three seats."""
    return Tally(
        scores=[[90, 80, 85], [88, 92, 85], [90, 90, 70], [86, 87, 91]],
        wins=[[1, 0, 0], [0, 1, 0], [0.5, 0.5, 0], [0, 0, 1]],
        sets=[[0, 1, 2], [1, 0, 2], [3, 4, 0], [0, 1, 4]],
        turns=[3, 6, 2, 7],
        completed=4,
    )


def test_figures_by_hand() -> None:
    # section 9: the marks
    tally = a_tally()
    assert lab.median_of(tally).value == 87.5
    assert lab.right_length(tally).value == 0.5
    assert [one.value for one in lab.seat_shares(tally, 3)] == [0.375, 0.375, 0.25]
    assert [one.value for one in lab.set_shares(tally)] == [0.5, 0, 0, 0.5, 0.75]
    assert lab.farthest(lab.seat_shares(tally, 3), 1 / 3).value == pytest.approx(1 / 12)


def test_how_far_a_share_is_away() -> None:
    shares = [Estimate(0.3, 0.25, 0.36), Estimate(0.4, 0.35, 0.46)]
    away = lab.farthest(shares, 0.34)
    assert (away.value, away.low, away.high) == pytest.approx((0.06, 0.01, 0.12))
    around = lab.farthest(shares[:1], 0.34)
    assert (around.value, around.low, around.high) == pytest.approx((0.04, 0, 0.09))


def test_a_mark_is_judged_by_the_whole_interval() -> None:
    assert lab.verdict(Estimate(90, 85, 95), 85, 95) == "yes"
    assert lab.verdict(Estimate(80, 75, 84), 85, 95) == "**no**"
    assert lab.verdict(Estimate(97, 96, 98), 85, 95) == "**no**"
    assert lab.verdict(Estimate(86, 84, 88), 85, 95) == "not decided by this sample; the value is inside"
    assert lab.verdict(Estimate(84, 82, 86), 85, 95).endswith("**outside**")


def test_tallies_add_up() -> None:
    both = a_tally() + a_tally()
    assert len(both.points) == 24
    assert both.completed == 8
    assert lab.median_of(both).value == lab.median_of(a_tally()).value


def test_what_is_counted_of_a_year() -> None:
    # F-4.2, F-7.1, F-8.1
    found = Tally()
    scores = lab.played(lab.world_of(3), 5, {}, found)
    assert found.scores == [scores]
    assert sum(found.wins[0]) == pytest.approx(1)
    assert sum(found.parts.values()) == sum(scores)
    assert sum(found.finals.values()) == 3
    assert sorted(set(found.sets[0])) == sorted(found.sets[0])
    assert all(found.realised[card] <= found.kept[card] for card in found.kept)
    assert 3 * sum(found.realised.values()) >= found.parts["projects"]  # banished ones count no longer
    kept_at_once = sum(found.kept[BY_NAME[str(name)].id] for name in range(77, 105))
    assert kept_at_once >= 9, "three seats keep three projects each in trimester I"


@pytest.fixture(scope="module")
def found() -> Findings:
    """One year of each kind, searching as little as possible."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lab, "ITERATIONS", 1)
        patch.setattr(
            lab, "batches", lambda games, seed: [one(kind, seats) for kind in KINDS for seats in lab.SEATS]
        )
        return lab.study(1, 7, 1, lambda done, total: None)


KINDS = ("greedy", "search", "search-greedy", "greedy-lot")


def one(kind: str, seats: int) -> Batch:
    """A batch of one year."""
    return Batch(kind, seats, (7,))


def test_the_page_and_its_plots_are_the_same_on_every_run(
    found: Findings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(lab, "study", lambda *given: found)
    seen = []
    for name in ("one", "two"):
        lab.report(tmp_path / name, games=4, seed=7, processes=1, progress=lambda done, total: None)
        seen.append({path.name: path.read_bytes() for path in sorted((tmp_path / name).iterdir())})
    assert seen[0] == seen[1]
    plots = {f"fairy-school-{plot}.svg" for plot in ("scores", "turns", "shares", "projects")}
    assert set(seen[0]) == {"fairy-school.md"} | plots
    text = seen[0]["fairy-school.md"].decode()
    assert "--games 4 --seed 7" in text
    assert all(f"({plot})" in text for plot in plots)


def test_the_same_work_gives_the_same_years(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = Batch("greedy", 3, (1, 2, 3))
    assert lab.play_batch(batch) == lab.play_batch(batch)
    steps: list[tuple[int, int]] = []
    monkeypatch.setattr(lab, "batches", lambda games, seed: [batch, Batch("greedy", 3, (4,))])
    together = lab.study(4, 1, 1, lambda done, total: steps.append((done, total)))
    assert steps == [(0, 2), (1, 2), (2, 2)]
    assert len(together.tallies["greedy", 3].turns) == 4


def test_work_is_cut_into_pieces() -> None:
    todo = lab.batches(2000, 1)
    assert todo == lab.batches(2000, 1) != lab.batches(2000, 2)
    counts: dict[tuple[str, int], int] = {}
    for batch in todo:
        counts[batch.kind, batch.seats] = counts.get((batch.kind, batch.seats), 0) + len(batch.words)
    assert counts == {
        (kind, s): n for kind, n in zip(KINDS, (2000, 8, 10, 10), strict=True) for s in lab.SEATS
    }
    assert len({word for batch in todo for word in batch.words}) == sum(counts.values())


def test_a_match_counts_one_seat_against_the_others(found: Findings) -> None:
    assert min(found.margins["greedy-lot", 3]) > 10
    assert found.wins["greedy-lot", 3] == [1.0]
    assert len(found.tallies["greedy", 4].turns) == 1
