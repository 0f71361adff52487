"""The report on Equinox: what is kept of a game, the figures by hand, and a page that is the same on every run."""

import re
import sys
from pathlib import Path

import pytest

from fabletop.cli import main
from fabletop.core.errors import FabletopError
from fabletop.games.equinox import EQUINOX
from fabletop.games.equinox.constants import CREATURE_IDS
from fabletop.lab import command
from fabletop.lab.equinox import report as equinox
from fabletop.lab.equinox.games import GameSummary, PlannedGame, Trial, watch
from fabletop.lab.equinox.page import (
    ended,
    even_survival,
    left,
    place_share,
    power_section,
    spread,
    survival,
    worth,
)
from fabletop.lab.plots import need_plots


def test_what_is_kept_of_a_game() -> None:
    summary = watch(PlannedGame("greedy", 3, "report test", 2, 2))
    assert len(summary.creatures) == 8
    assert set(summary.out) < set(summary.creatures)
    assert 3 <= left(summary) <= 8
    assert summary.reason in ("fifth_elimination", "deck_ran_out", "stalled")
    assert (left(summary) == 3) == (summary.reason == "fifth_elimination")  # E-6.6
    assert (summary.deck == 0) == (summary.reason == "deck_ran_out")
    assert sum(summary.shares) == pytest.approx(1)
    assert max(summary.scores) == summary.scores[summary.shares.index(max(summary.shares))]
    assert all(summary.used[c] <= summary.offered[c] for c in summary.offered)
    assert summary.trials
    assert "ursus" not in summary.offered, "E-7.13: nothing to use"
    assert all(trial.used or trial.victory == trial.lead == 0 for trial in summary.trials)
    assert watch(PlannedGame("greedy", 3, "report test", 2, 2)) == summary
    without = watch(PlannedGame("greedy", 3, "report test", 0))
    assert (without.scores, without.trials) == (summary.scores, []), "trials do not touch the game"


def a_story(**more: object) -> GameSummary:
    """A game for two in which three survive."""
    known: dict[str, object] = {
        "creatures": CREATURE_IDS[:8],
        "out": dict.fromkeys(CREATURE_IDS[:5], 1),
        "reason": "fifth_elimination",
        "scores": (9.0, 4.0),
        "shares": (1.0, 0.0),
        "turns": 40,
    }
    return GameSummary("greedy", 2, **{**known, **more})  # type: ignore[arg-type]


def test_figures_by_hand() -> None:
    summaries = [
        a_story(),
        a_story(out={"squeak": 1}, reason="deck_ran_out", shares=(0.5, 0.5)),
        a_story(creatures=CREATURE_IDS[6:], out=dict.fromkeys(CREATURE_IDS[6:11], 1)),
    ]
    assert survival(summaries, "squeak").value == 0
    assert survival(summaries, "stag").value == 0.5
    assert survival(summaries, "hoot").value == 1
    assert survival(summaries, "fungy").value == pytest.approx(2 / 3)
    assert even_survival(summaries) == pytest.approx((3 + 7 + 3) / 24)
    assert place_share(summaries, 0).value == pytest.approx(2.5 / 3)
    assert ended(summaries, "deck_ran_out").value == pytest.approx(1 / 3)
    assert spread([1, 2, 3, 4, 5]) == "3 (1 to 5)"


def test_a_power_is_worth_the_mean_of_its_trials() -> None:
    trials = [
        [Trial("hoot", True, 1.0, 3.0), Trial("hoot", False, 0.0, 0.0), Trial("stag", True, -1.0, -9.0)],
        [Trial("hoot", True, -1.0, 0.0)],
        [],
    ]
    summaries = [a_story(trials=some) for some in trials]
    assert worth(summaries, "hoot", lambda trial: trial.lead).value == 1
    assert worth(summaries, "hoot", lambda trial: trial.victory).value == 0


def test_little_is_not_made_much_of(tmp_path: Path) -> None:
    """Below thirty trials a power is not in the table."""
    some = [Trial("hoot", True, 0.0, 1.0 + n % 2) for n in range(31)] + [Trial("stag", True, 0.0, 9.0)] * 5
    offered = {"hoot": 31, "stag": 5}
    summaries = [
        a_story(trials=some, offered=offered, used=offered),
        a_story(trials=some[:1], offered={"hoot": 1}),
    ]
    section = power_section(tmp_path, summaries, 64)
    assert "| Hoot | 16.0 | 97 % |" in section
    assert "| Stag |" not in section
    assert re.search(r"for want of such moments: .*Stag", " ".join(section.split()))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Strong players that do not think long, and moments that are played on but twice."""
    monkeypatch.setattr(equinox, "STRONG", "ismcts:iterations=1")
    monkeypatch.setattr(equinox, "TIMES", 2)


@pytest.mark.usefixtures("small")
def test_the_page_is_the_same_on_every_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[tuple[int, int]] = []
    equinox.report(tmp_path / "a", games=2, seed=5, processes=1, progress=lambda *now: seen.append(now))
    assert seen[0] == (0, 12)
    assert seen[-1] == (12, 12)
    words = ["lab", "report", "equinox", "--games", "2", "--seed", "5", "--jobs", "2", "--out"]
    assert main([*words, str(tmp_path / "b")]) == 0
    assert "the report is in" in capsys.readouterr().out
    files = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert files == sorted(
        [
            "equinox.md",
            *(f"equinox-{part}.svg" for part in ("length", "powers", "scores", "seats", "survival")),
        ]
    )
    for name in files:
        text = (tmp_path / "a" / name).read_text("utf-8")
        assert (tmp_path / "b" / name).read_text("utf-8") == text
        assert len(text) < 60_000
        if name.endswith(".svg"):
            assert "<dc:date>" not in text
            assert "<text" in text
    page = (tmp_path / "a" / "equinox.md").read_text("utf-8")
    assert "fabletop lab report equinox --games 2 --seed 5" in page
    assert set(re.findall(r"\((equinox-\w+\.svg)\)", page)) == {
        name for name in files if name.endswith(".svg")
    }
    for n in EQUINOX.seat_counts:
        assert f"{n} seats" in page


def test_without_matplotlib_a_report_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(FabletopError, match=r"fabletop\[lab\]"):
        need_plots()
    assert main(["lab", "report", "equinox", "--games", "1", "--out", str(tmp_path / "x")]) == 1
    assert "fabletop[lab]" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


def test_a_game_without_a_report_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FabletopError, match="there is no game"):
        command.report("no_such_game", tmp_path, games=1, seed=1, processes=1)
