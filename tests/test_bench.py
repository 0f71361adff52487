"""The benchmarks: their arithmetic, their table, a short run without peers, and the one speed that is a test."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from bench import ours, search, vector
from bench.clock import Measured, Probe, Reading, measure
from bench.page import page
from bench.peers import OPENSPIEL, OTHER_OPENSPIEL, PETTINGZOO, RLCARD, UNEVEN
from bench.table import (
    HEAD,
    NOT_COMPILED,
    NOT_INSTALLED,
    NOT_MEASURED,
    Facts,
    Row,
    as_markdown,
    as_text,
    beside_rows,
    cells,
    duration,
    per_second,
    plain,
    rows,
)
from fabletop.pure import is_compiled

ROOT = Path(__file__).resolve().parent.parent
COMPILED = Facts(compiled=True, equinox_bytes=3000, fairy_school_bytes=20000)


def full_run() -> Measured:
    """A made-up run in which every probe has two readings, the second of them disturbed."""
    speeds = {
        "equinox": (12e6, 15e6),
        "equinox interpreted": (0.1e6, 0.125e6),
        "equinox stepped whole": (2e6, 2.5e6),
        "equinox stepped bare": (3e6, 4e6),
        "equinox clone": (5e6, 5e6),
        "fairy_school": (3e6, 4e6),
        "fairy_school replay": (250.0, 250.0),
        "equinox greedy decision": (1e6, 1e6),
        "fairy_school greedy decision": (0.1e6, 0.1e6),
        "equinox greedy game": (2000.0, 2000.0),
        "fairy_school greedy game": (100.0, 100.0),
        "openspiel stepped whole hearts": (0.5e6, 0.6e6),
        "openspiel stepped whole spades": (0.4e6, 1.25e6),
        "openspiel stepped bare hearts": (1e6, 1.2e6),
        "rlcard core uno": (50e3, 60e3),
        "pettingzoo raw leduc_holdem_v4": (4e3, 4e3),
    }
    speeds |= {f"openspiel {name}": ((i + 1) * 1e6, (i + 2) * 1e6) for i, name in enumerate(OPENSPIEL)}
    speeds |= {f"openspiel clone {name}": (1e6, 1e6) for name in OPENSPIEL}
    speeds |= {f"rlcard {name}": (30e3, 40e3) for name in RLCARD}
    speeds |= {f"pettingzoo {name}": (3e3, 3e3) for name in PETTINGZOO}
    return Measured(
        {
            name: [Reading(0.5, real / 2, every / 2), Reading(1.0, real / 2, every / 2)]
            for name, (real, every) in speeds.items()
        }
    )


def by_name(table: list[Row]) -> dict[str, Row]:
    """Rows by what they are about."""
    return {row.what: row for row in table}


def test_a_reading_has_two_rates() -> None:
    reading = Reading(seconds=2.0, real=30, every=50)
    assert (reading.real_rate, reading.rate) == (15.0, 25.0)


def test_the_least_disturbed_reading_counts() -> None:
    measured = Measured({"a": [Reading(1.0, 5, 10), Reading(1.0, 6, 12), Reading(2.0, 6, 12)]})
    assert measured.best("a") == Reading(1.0, 6, 12)
    assert measured.best("b") is None
    assert list(measured.best_of(["a", "b"])) == ["a"]


def test_rounds_are_interleaved_and_a_missing_library_is_noted() -> None:
    order: list[str] = []

    def ready(name: str) -> Probe:
        def take(seconds: float) -> Reading:
            order.append(name)
            return Reading(seconds, 1, 2)

        return Probe(name, lambda: take)

    def absent() -> object:
        raise ImportError("no such peer")

    measured = measure([ready("a"), Probe("gone", absent), ready("b")], rounds=2, seconds=0.5)  # type: ignore[arg-type]
    assert order == ["a", "b", "a", "b"]
    assert measured.missing == {"gone": "no such peer"}
    assert measured.readings["b"] == [Reading(0.5, 1, 2)] * 2


@pytest.mark.parametrize(
    ("number", "text"), [(0.456, "0.46"), (2, "2.00"), (12.34, "12.3"), (123.4, "123"), (12345, "12,345")]
)
def test_numbers_have_three_figures(number: float, text: str) -> None:
    assert plain(number) == text


def test_speeds_and_times_choose_their_units() -> None:
    assert [per_second(rate) for rate in (12.34e6, 45.6e3, 789.0)] == ["12.3 M/s", "45.6 k/s", "789/s"]
    assert [duration(time) for time in (1.5, 4.5e-3, 0.25e-6, 2e-6)] == [
        "1.50 s",
        "4.50 ms",
        "250 ns",
        "2.00 µs",
    ]


def test_the_lower_of_two_ratios_is_judged_each_against_the_fastest_game_by_its_count() -> None:
    table = by_name(rows(full_run(), COMPILED))
    native = table["Equinox play-outs, OpenSpiel native"]
    assert native.value == pytest.approx(12 / 8)  # the eighth game is the fastest
    assert native.beside == "1.67×"  # 15 over 9
    assert native.verdict == "MISSED"
    assert native.other == "openspiel bridge 8.00 M/s (9.00 M/s)"
    stepped = table["Equinox stepped from Python, whole games, pyspiel"]
    assert (stepped.value, stepped.beside) == (pytest.approx(2), "4.00×")  # by all decisions, against spades
    assert stepped.other == "openspiel stepped whole spades 400 k/s (1.25 M/s)"
    assert table["Equinox play-outs, RLCard's game objects"].value == pytest.approx(240)
    assert table["Equinox interpreted, RLCard's game objects"].value == pytest.approx(2)
    assert table["Equinox compiled over interpreted"].value == pytest.approx(120)


def test_clone_size_median_and_replay_are_judged_the_right_way_round() -> None:
    table = by_name(rows(full_run(), COMPILED))
    clone = table["Equinox clone, pyspiel"]
    assert clone.value == pytest.approx(0.2)
    assert (clone.ours, clone.other.split(" ", 3)[3], clone.reached) == ("200 ns", "1.00 µs", True)
    assert table["Equinox state"].reached is True
    assert table["Fairy School state"].reached is False
    assert table["Fairy School state"].wanted == "≤ 16,384 B"
    school = table["Fairy School play-outs, OpenSpiel native"]
    assert school.value == pytest.approx(3 / 8)
    assert school.reached is False
    replay = table["Fairy School, a game replayed from its record"]
    assert replay.value == pytest.approx(4.0)
    assert replay.reached is True
    assert table["Equinox, a greedy game for four"].measured == "0.50 ms"
    assert table["Equinox, a greedy decision"].measured == "1.00 µs"
    assert table["Fairy School, a greedy decision"].verdict == "MISSED"  # 10 µs


def test_what_is_not_judged_is_shown() -> None:
    beside = by_name(beside_rows(full_run(), COMPILED))
    assert beside["Equinox play-outs, RLCard's environments"].value == pytest.approx(375)
    assert beside["Equinox play-outs, OpenSpiel kuhn_poker"].verdict == NOT_MEASURED
    assert beside["Equinox stepped from Python, the barest loops after the deal"].value == pytest.approx(3)
    assert beside["Equinox stepped from Python, after the deal"].verdict == NOT_MEASURED


def test_a_peer_that_is_not_installed_gives_a_row_that_says_so() -> None:
    run = full_run()
    for name in [name for name in run.readings if name.startswith("openspiel")]:
        del run.readings[name]
        run.missing[name] = "No module named 'pyspiel'"
    table = by_name(rows(run, COMPILED))
    for what in (
        "Equinox play-outs, OpenSpiel native",
        "Equinox clone, pyspiel",
        "Fairy School play-outs, OpenSpiel native",
    ):
        assert (table[what].value, table[what].verdict) == (None, NOT_INSTALLED)
    assert table["Equinox play-outs, RLCard's game objects"].reached is True


def test_without_peers_or_compiler_nothing_is_judged_that_was_not_measured() -> None:
    run = full_run()
    for name in [name for name in run.readings if name.split()[0] in ("openspiel", "rlcard", "pettingzoo")]:
        del run.readings[name]
    alone = rows(run, Facts(True, 3000, 9000, with_peers=False))
    assert {row.reason for row in alone if row.value is None} == {NOT_MEASURED}
    assert sum(row.value is not None for row in alone) == 8
    pure = rows(full_run(), Facts(False, 0, 0))
    assert [row.what for row in pure if row.value is not None] == [
        "Equinox interpreted, RLCard's game objects"
    ]
    assert {row.reason for row in pure if row.value is None} == {NOT_COMPILED}


def test_the_table_is_aligned() -> None:
    lines = as_text(HEAD, cells(rows(full_run(), COMPILED))).splitlines()
    start = lines[0].index("Fabletop")
    assert all(line[start - 2 : start] == "  " or line[start - 1] == "─" for line in lines if "─" not in line)
    assert all(line[start] != " " for line in lines)
    assert (
        len({line.count("|") for line in as_markdown(HEAD, cells(rows(full_run(), COMPILED))).splitlines()})
        == 1
    )


def test_the_page_holds_the_table_the_method_and_the_machine() -> None:
    run = full_run()
    names = [*search.OURS, *search.PEERS]
    searches = Measured({name: [Reading(1.0, 100, 100)] for name in names}), dict.fromkeys(names, 10.0)
    text = page(rows(run, COMPILED), beside_rows(run, COMPILED), run, searches, rounds=6, seconds=0.3)
    assert "1.0 times OpenSpiel's choices a second on the closest game; target: 5, MISSED" in text
    assert "| Equinox clone, pyspiel | 200 ns |" in text
    assert "6 rounds" in text
    assert "| equinox interpreted | 100 k/s | 125 k/s | 2.00× |" in text
    assert "| python | " in text


def test_chance_is_uniform_in_the_games_in_which_it_is_drawn_from_the_legal_actions() -> None:
    spiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    for name, text in {**OPENSPIEL, **OTHER_OPENSPIEL}.items():
        game, rng, uneven = spiel.load_game(text), random.Random(1), 0
        for _ in range(3):
            state = game.new_initial_state()
            while actions := state.legal_actions():
                if state.is_chance_node():
                    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                    assert list(outcomes) == actions
                    uneven += max(weights) - min(weights) > 1e-9
                state.apply_action(rng.choice(actions))
        assert (uneven > 0) == (name in UNEVEN), name


def test_a_quick_run_without_peers(tmp_path: Path) -> None:
    kept = tmp_path / "run.json"
    done = subprocess.run(
        [sys.executable, "-m", "bench", "--quick", "--ours", "--rounds", "1", "--json", str(kept)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "Equinox compiled over interpreted" in done.stdout
    data = json.loads(kept.read_text(encoding="utf-8"))
    assert {figure["what"] for figure in data["figures"]} == {row.what for row in rows(Measured(), COMPILED)}
    assert all(reading["every"] > 0 for taken in data["readings"].values() for reading in taken)
    assert set(data["readings"]) == {probe.name for probe in ours.probes()}


@pytest.mark.skipif(
    not is_compiled(ours.engine("equinox")) and not os.environ.get("CI"),
    reason="there is no compiled engine here, which is allowed everywhere but in CI",
)
def test_the_compiled_engine_is_eighty_times_the_interpreted() -> None:
    """A method that fell back to the interpreter costs a factor and changes no result: only this notices."""
    probes = [
        Probe("equinox", lambda: ours.played_out("equinox")),
        Probe("interpreted", lambda: ours.interpreted("equinox")),
    ]
    run = Measured()
    ratio = 0.0
    for _ in range(3):  # a busy machine gets more rounds, and the best of all of them counts, on both sides
        again = measure(probes, rounds=3, seconds=0.1)
        for name, taken in again.readings.items():
            run.readings.setdefault(name, []).extend(taken)
        fast, slow = run.best("equinox"), run.best("interpreted")
        assert fast is not None
        assert slow is not None
        ratio = fast.real_rate / slow.real_rate
        if ratio >= 80:
            break
    assert ratio >= 80


# ---------------------------------------------------------------------------------------------- environments


def test_environments_are_measured_and_judged() -> None:
    assert vector.ours("equinox", 4)(0.01).rate > 0
    measured = Measured(
        {
            "equinox, 64": [Reading(1, 3e6, 5e6), Reading(1, 2e6, 4e6)],
            "equinox, 1": [Reading(1, 1e6, 2e6)],
            "fairy_school, 64": [Reading(1, 1e6, 1e6)],
            "equinox, PettingZoo": [Reading(1, 3e4, 3e4)],
            "RLCard uno": [Reading(1, 4e4, 5e4)],
            "PettingZoo leduc_holdem_v4": [Reading(1, 4e3, 4e3)],
        }
    )
    assert vector.rows(measured)[:4] == [
        ("equinox, 64", "5.00 M", "3.00 M", "4.00 M to 5.00 M", "4 M: reached"),
        ("equinox, 1", "2.00 M", "1.00 M", "2.00 M to 2.00 M", ""),
        ("fairy_school, 64", "1.00 M", "1.00 M", "1.00 M to 1.00 M", "2 M: missed"),
        ("equinox, PettingZoo", "30.0 k", "30.0 k", "30.0 k to 30.0 k", ""),
    ]
    ratios = {words: row for words, *row in vector.comparisons(measured)}
    assert ratios["equinox, many games, over RLCard's fastest"] == [
        "75",
        "100",
        "60: reached",
    ]  # 100 by all steps
    assert ratios["equinox, one game, over RLCard's fastest"] == ["25", "40", ""]
    assert ratios["equinox, many games, over pgx's fastest"] == ["not measured", "", ""]
    assert ratios["equinox, PettingZoo's benchmark, over its fastest card game"] == ["7.50", "7.50", ""]
    page = vector.page(measured, [("equinox", "1.90", "1.95", "1.92 (1.90 to 1.95)", "1.8: reached")], 5, 0.3)
    assert "| equinox | 1.90 | 1.95 |" in page


def test_pettingzoo_measures_our_environment_with_its_own_benchmark() -> None:
    pytest.importorskip("pettingzoo")
    reading = vector.pettingzoo("fabletop.envs.equinox_v1")(0.05)
    assert 0.01 < reading.every / reading.rate < 1
    assert reading.every > 10
    assert 0.6 < reading.real / reading.every < 0.95  # the benchmark counts all turns, and some are forced


def test_two_threads_are_measured_next_to_a_control() -> None:
    ratios = vector.two_threads("equinox", 2, 0.01)
    assert [len(some) for some in ratios] == [2, 2, 2]
    assert min(map(min, ratios)) > 0
