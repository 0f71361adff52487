"""The lessons of Equinox: solved in the shortest way and in others; what misses a goal is taken back."""

import pytest

from fabletop.games.equinox.lessons import COURSE
from tests.teaching import Learner

SOLUTIONS = {
    "goodbye": [
        ("hopscotch-8", "fungy-7"),
        ("hopscotch-5", "squeak-1"),
        ("chameleon-6", "hopscotch", "fungy-9"),
    ],
    "bets": [
        ("fungy", "hopscotch-8", "fungy"),
        ("stag", "hopscotch-3", "rubble"),
        ("hopscotch", "hopscotch-5", "hopscotch"),
    ],
    "secret": [("hopscotch-5", "reveal"), ("squeak-4", "reveal")],
    "power": [("feather_fox", "feather_fox-8", "hoot"), ("feather_fox", "feather_fox-6", "hoot")],
    "chameleon": [
        ("squeak-6", "dryad", "1-stag", "chameleon-8", "hopscotch"),
        ("squeak-9", "dryad", "1-fiery_fang", "chameleon-5", "fiery_fang"),
    ],
}

MISSES = {
    "goodbye": {
        ("hopscotch-1",): "lowest",
        ("squeak-1",): "empty",
        ("hopscotch-8", "rubble-4"): "tied",
    },
    "bets": {
        ("hoot",): "weak",
        ("pass",): "kept",
        ("fungy", "squeak-9"): "empty",
        ("fungy", "hopscotch-5", "pass"): "kept",
    },
    "secret": {
        ("hopscotch",): "open",
        ("pass",): "kept",
        ("squeak-4", "hopscotch"): "open",
        ("squeak-4", "pass"): "kept",
    },
    "power": {
        ("hopscotch",): "other",
        ("pass",): "kept",
        ("feather_fox", "rubble-7"): "other",
        ("feather_fox", "feather_fox-7", "pass"): "declined",
        ("feather_fox", "feather_fox-7", "rubble"): "other",
    },
    "chameleon": {
        ("stag-3",): "other",
        ("squeak-6", "stag-3"): "other",
        ("squeak-6", "dryad", "1-stag", "pilgrim-4"): "other",
    },
}


def test_every_lesson_has_its_solutions_and_misses() -> None:
    assert [lesson.id for lesson in COURSE.lessons] == list(SOLUTIONS) == list(MISSES)


@pytest.mark.parametrize(
    ("lesson", "moves"), [(name, way) for name, ways in SOLUTIONS.items() for way in ways]
)
def test_a_lesson_is_solved_by_any_way_to_its_goals(lesson: str, moves: tuple[str, ...]) -> None:
    learner = Learner("equinox", lesson)
    found = learner.moves(*moves)
    assert (found.reached, found.missed) == (len(learner.lesson.goals), "")


@pytest.mark.parametrize(
    ("lesson", "moves", "why"),
    [(name, way, why) for name, ways in MISSES.items() for way, why in ways.items()],
)
def test_a_miss_shows_its_result_and_is_taken_back(lesson: str, moves: tuple[str, ...], why: str) -> None:
    learner = Learner("equinox", lesson)
    before_last = Learner("equinox", lesson)
    before_last.moves(*moves[:-1])
    assert learner.moves(*moves).missed == why
    assert learner.sitting.undo_barrier(0) is None
    learner.sitting.undo(0)
    assert learner.progress == before_last.progress
    assert learner.options() == before_last.options()


def test_no_power_wakes_on_a_chameleon() -> None:
    """E-5.2: what the last lesson shows: the same card wakes the power where no Chameleon lies."""
    learner = Learner("equinox", "chameleon")
    learner.moves("squeak-6")
    assert "use" not in learner.options()
    assert learner.sitting.view(0)["columns"][0]["controller"] == 0
