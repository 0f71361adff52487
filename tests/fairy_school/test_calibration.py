"""A first look at the card set with a simple player: years end, and what is on the cards is used.

A longer run is `python -m tests.fairy_school.calibration`; docs/reports/fairy-school.html has the one with strong bots.
"""

import statistics

import pytest

from tests.fairy_school.calibration import LINES, PROJECTS, Tally, tables, tally

YEARS = 14


@pytest.fixture(scope="module")
def some_years() -> Tally:
    """A few years of the usual kind; every other mode has its turn in test_laws and in the long run."""
    return tally(YEARS, "first look")


def test_years_end_and_the_last_trimester_is_reached(some_years: Tally) -> None:  # F-3.1, F-7.4
    assert some_years.years == YEARS
    assert sum(some_years.reasons.values()) == YEARS
    assert all(1 <= turns <= 12 for turns in some_years.last_turns)
    assert some_years.reasons["final_completed"] > YEARS / 2, "somebody should get through a final project"


def test_scores_are_of_the_right_size(some_years: Tally) -> None:  # F-8.1
    assert 40 <= statistics.median(some_years.scores) <= 95
    assert all(some_years.parts[part] for part in ("kindness", "projects", "steps", "creatures", "elements"))


def test_no_kind_of_effect_is_dead(some_years: Tally) -> None:  # F-6.1, F-6.2, F-6.3
    used = {kind for kind, n in some_years.kinds.items() if n}
    assert used >= {"production", "transformation", "recall", "scout", "repeat", "banish"}


def test_most_of_the_cards_see_use_already(some_years: Tally) -> None:
    """All of them do in the long run; in so few years a dear project may stay in the box."""
    assert len(some_years.idle_lines) < len(LINES) * 2 / 5
    assert len(some_years.idle_projects) < len(PROJECTS) / 2


def test_the_long_run_goes_through_every_mode() -> None:  # F-2.9
    kinds = tables()
    assert {k["seats"] for k in kinds} == {2, 3, 4, 5, 6}
    assert {(k.get("setup"), k.get("length"), k.get("wider")) for k in kinds} >= {
        (setup, length, wider)
        for setup in ("beginners", "normal", "expert")
        for length in ("full", "short")
        for wider in (False, True)
    }
