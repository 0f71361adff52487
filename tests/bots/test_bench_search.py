"""The benchmark of the search runs, with or without the peers."""

import json
from pathlib import Path

import pytest

from bench import search
from bench.clock import Measured, Reading


def test_a_quick_look_measures_our_searches(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(search, "pin", lambda: None)  # the other tests may use all cores
    monkeypatch.setattr(search, "STEP", 2)
    kept = tmp_path / "readings.json"
    assert search.main(["--quick", "--json", str(kept)]) == 0
    assert "Equinox, guided play-outs" in capsys.readouterr().out
    readings = json.loads(kept.read_text())["readings"]
    assert all(taken[0][1] > 0 for taken in readings.values())
    assert set(search.OURS) <= set(readings)


def test_the_table_sets_ours_against_theirs() -> None:
    names = [*search.OURS, "gin_rummy"]
    measured = Measured(
        {name: [Reading(1.0, rate, rate)] for name, rate in zip(names, (900, 5000, 100), strict=True)}
    )
    rows = search.table(measured, {names[0]: 150, names[1]: 130, names[2]: 100})
    assert rows[2] == ["OpenSpiel gin_rummy", "100", "100", "9.0 ×", "10,000", "65.0 ×"]
    assert rows[3][2] == "not installed"
