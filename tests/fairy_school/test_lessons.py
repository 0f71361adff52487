"""The chapters of Fairy School: solved in the shortest way and in others; what misses a goal is taken back."""

import pytest

from fabletop.games.fairy_school.lessons import COURSE
from tests.teaching import Learner

WATER = ("spend-water",)
SOLUTIONS = {
    "elements": [
        ("1", "done", "85", "spend-water"),
        ("3", "1", "convert", "make-fire", *WATER * 4, "done", "85"),
    ],
    "forest": [
        ("5", "top-2", "done", "column-3", "done", "done", "sphinx"),
        ("8", "top-2", "done", "column-3", "column-2", "done", "1", "done", "siren"),
    ],
    "kindness": [("57", "done"), ("2", "55", "57", "done")],
    "turn": [
        ("5", "top-2", "done", "column-3", "done", "7", "done", "siren", "85", "done", "first"),
        ("8", "top-2", "done", "column-3", "done", "done", "pass", "first"),
    ],
}
MISSES = {
    "elements": {("done",): "early", ("1", "done", "done"): "later"},
    "forest": {("5", "top-2", "done", "column-3", "done", "done", "pass"): "none"},
    "kindness": {("done",): "alone", ("2", "done"): "alone"},
}


def taken(lesson: str, moves: tuple[str, ...]) -> Learner:
    """A learner after some moves; `first` picks the first card of the draft."""
    learner = Learner("fairy_school", lesson)
    for move in moves:
        learner.moves(learner.options()[0] if move == "first" else move)
    return learner


def test_every_chapter_has_its_solutions() -> None:
    assert [lesson.id for lesson in COURSE.lessons] == list(SOLUTIONS)
    assert set(MISSES) == {
        lesson.id for lesson in COURSE.lessons if any(step.missed for step in lesson.steps)
    }


@pytest.mark.parametrize(
    ("lesson", "moves"), [(name, way) for name, ways in SOLUTIONS.items() for way in ways]
)
def test_a_chapter_is_solved_by_any_way_to_its_goals(lesson: str, moves: tuple[str, ...]) -> None:
    learner = taken(lesson, moves)
    assert learner.progress == (len(learner.lesson.goals), "")


@pytest.mark.parametrize(
    ("lesson", "moves", "why"),
    [(name, way, why) for name, ways in MISSES.items() for way, why in ways.items()],
)
def test_a_miss_shows_its_result_and_is_taken_back(lesson: str, moves: tuple[str, ...], why: str) -> None:
    learner, before_last = taken(lesson, moves), taken(lesson, moves[:-1])
    assert learner.progress.missed == why
    learner.sitting.undo(0)
    assert learner.progress == before_last.progress
    assert learner.options() == before_last.options()


def test_both_neighbours_are_kind_in_the_chapter_on_kindness() -> None:
    """F-5.4: what its last text says."""
    learner = taken("kindness", ("57", "done"))
    givers = [
        event["giver"]
        for event in learner.sitting.events(0)
        if event.kind == "kindness_got" and not event["seat"]
    ]
    assert givers == [1, 2]
