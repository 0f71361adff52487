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
    monkeypatch.setattr(search, "THREADED_ITERATIONS", 4)
    kept = tmp_path / "readings.json"
    assert search.main(["--quick", "--json", str(kept)]) == 0
    assert "Equinox, guided play-outs" in capsys.readouterr().out
    found = json.loads(kept.read_text())
    readings = found["readings"]
    assert len(found["two_threads"]) == 1
    assert all(taken[0][1] > 0 for taken in readings.values())
    assert {*search.OURS, *search.AT_LEAST} <= set(readings)


def test_the_speed_is_judged_from_the_deal() -> None:
    name = search.FAIRY_SCHOOL
    measured = Measured({name: [Reading(1.0, 1999, 1999)]})
    assert search.speeds(measured) == [f"{name}: 1,999 iterations a second; target: 2,000, MISSED"]
    measured.readings[name].append(Reading(1.0, 2500, 2500))
    assert search.speeds(measured)[0].endswith("reached")


def test_the_table_sets_ours_against_theirs() -> None:
    names = [*search.OURS, "hearts"]
    measured = Measured(
        {name: [Reading(1.0, rate, rate)] for name, rate in zip(names, (900, 5000, 1000), strict=True)}
    )
    length = {names[0]: 150.0, names[1]: 130.0, names[2]: 50.0}
    rows = search.table(measured, length)
    assert rows[2] == ["OpenSpiel hearts", "50", "1,000", "50,000", "13.0×", "2.7×"]
    assert rows[3][2] == "not installed"
    assert search.lowest(measured, length) is None
    assert search.verdict(None).startswith("not judged")
    for name, rate in (("oh_hell", 2000), ("euchre", 4000)):
        measured.readings[name] = [Reading(1.0, rate, rate)]
        length[name] = 40.0
    assert search.lowest(measured, length) == 650_000 / 160_000
    assert search.verdict(search.lowest(measured, length)).endswith("target: 5, MISSED")


def test_two_threads_are_judged_by_the_middle_round() -> None:
    assert search.of_threads([1.7, 1.2, 1.61]).endswith("1.61 times one (1.20 to 1.70); target: 1.6, reached")
    assert search.of_threads([1.59]).endswith("MISSED")
