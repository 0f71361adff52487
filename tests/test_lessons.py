"""What holds for the lessons of every game: real positions, known events, short texts, and no way to get stuck."""

import re
import tomllib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from fabletop.core.chance import Chance
from fabletop.core.errors import BadOptions, BadRecord
from fabletop.core.lessons import Fact, Lesson
from fabletop.core.sitting import Sitting
from fabletop.games import COURSES, GAMES
from tests.teaching import Learner

LANG = Path(__file__).parent.parent / "src" / "fabletop" / "lang"
MOST_WORDS = 20
WORD = re.compile(r"[\w{}’'-]*\w[\w{}’'-]*")
LESSONS = [(game, lesson.id) for game, course in COURSES.items() for lesson in course.lessons]


def texts(game: str, language: str) -> Iterator[tuple[str, str]]:
    """The texts of steps, misses and tips, which must be short."""
    found = tomllib.loads((LANG / language / f"lessons_{game}.toml").read_text("utf-8"))
    for name, lesson in found["lesson"].items():
        yield from ((f"{name} {step}", text) for step, text in lesson["step"].items())
        for step, missed in lesson.get("missed", {}).items():
            yield from ((f"{name} {step} {why}", text) for why, text in missed.items())
    yield from ((name, tip["text"]) for name, tip in found["tip"].items())


def facts(game: str) -> Iterator[Fact]:
    """Every event that a course waits for."""
    for lesson in COURSES[game].lessons:
        for step in lesson.steps:
            yield from (*step.goal, *step.missed.values(), *([step.after] if step.after else []))
    for tip in COURSES[game].tips:
        yield from tip.facts


@pytest.mark.parametrize("language", ["en", "fr", "de"])
@pytest.mark.parametrize("game", COURSES)
def test_nothing_is_longer_than_twenty_words(game: str, language: str) -> None:
    long = {key: len(WORD.findall(text)) for key, text in texts(game, language)}
    assert long
    assert {key: count for key, count in long.items() if count > MOST_WORDS} == {}


@pytest.mark.parametrize("game", COURSES)
def test_the_texts_are_those_of_the_course_and_no_others(game: str) -> None:
    course = COURSES[game]
    wanted = {tip.id for tip in course.tips}
    for lesson in course.lessons:
        for step in lesson.steps:
            wanted |= {f"{lesson.id} {step.id}"} | {f"{lesson.id} {step.id} {why}" for why in step.missed}
    assert {key for key, _ in texts(game, "en")} == wanted


@pytest.mark.parametrize("game", COURSES)
def test_a_course_waits_for_events_that_there_are(game: str) -> None:
    kinds = GAMES[game].events.named
    for fact in facts(game):
        assert fact.kind in kinds
        assert set(fact.fields) <= {field.name for field in kinds[fact.kind].fields}, fact.kind


@pytest.mark.parametrize(("game", "name"), LESSONS)
def test_a_lesson_begins_with_a_question_to_the_learner(game: str, name: str) -> None:
    learner = Learner(game, name)
    assert 0 in learner.sitting.pending
    assert learner.progress == (0, "")
    first = next(index for index, step in enumerate(learner.lesson.steps) if step.goal)
    assert first <= 2, "the learner moves after two texts at most"


@pytest.mark.parametrize(("game", "name"), LESSONS)
def test_whatever_a_learner_does_can_be_taken_back(game: str, name: str) -> None:
    """At random: after any moves, taking back move by move leads to the first position again."""
    learner = Learner(game, name)
    first = learner.game.position(learner.sitting.state)
    chance = Chance.from_text(f"wander {name}")
    for _ in range(12):
        options = learner.options()
        if not options or learner.rests:
            break
        learner.sitting.act(0, chance.pick(options))
        if learner.sitting.outcome is not None:
            break
    while learner.sitting.made(0):
        assert learner.sitting.undo_barrier(0) is None
        learner.sitting.undo(0)
    while learner.sitting.actions:  # others who act at the same time may have been first
        learner = Learner(game, name)
    assert learner.game.position(learner.sitting.state) == first


def some_ways(learner: Learner, depth: int) -> Iterator[str]:
    """What goes wrong on the ways that a learner may take from here."""
    if learner.rests:
        yield learner.progress.missed
        return
    options = learner.options()
    if not options or not depth:
        return
    for action in options:
        learner.sitting.act(0, action)
        learner.others()
        yield from some_ways(learner, depth - 1)
        learner.sitting.undo(0)


@pytest.mark.parametrize(("game", "name"), LESSONS)
def test_misses_are_met_by_trying(game: str, name: str) -> None:
    """No text of a miss at the first goal is there in vain."""
    learner = Learner(game, name)
    wanted = set(learner.lesson.goals[0].missed)
    met: set[str] = set()
    for why in islice(some_ways(learner, 2), 400):
        met.add(why)
        if wanted <= met:
            break
    assert wanted <= met


def test_practice_has_no_record_and_needs_the_seats_of_its_position() -> None:
    lesson: Lesson = COURSES["equinox"].lessons[0]
    sitting = Sitting(GAMES["equinox"], lesson.options, start=lesson.position)
    with pytest.raises(BadRecord, match="no record"):
        sitting.record()
    with pytest.raises(BadOptions, match="2 seats"):
        Sitting(GAMES["equinox"], {"seats": 3}, start=lesson.position)
    again = Sitting.resumed(
        sitting.game, sitting.options, sitting.seed, (), sitting.saved(), start=lesson.position
    )
    again.act(0, "hopscotch-1")
    assert again.undo_barrier(0) is None
    assert again.undo(0) == sitting.game.parse("hopscotch-1")
