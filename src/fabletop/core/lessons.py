"""Lessons: a position, a few steps, and what must happen to reach the goal of each.

A lesson is data of its game. Its texts are in `lang` (`lessons_<game>.toml`), by the ids that stand here. How far a
learner has come follows from the events that the learner has received and from nothing else, so it is right after an
undo, a reload and a restart.

A `Tip` explains something once in an ordinary game, when it first matters.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fabletop.core.events import Event
from fabletop.core.game import Choice, Options

LEARNER = 0
"""The seat of the learner; the others are played by the script, then by bots."""

Test = Callable[[Any], bool]


class Fact:
    """An event that a lesson waits for: its kind, and what some of its fields are: a value, or a test of one.

    >>> Fact("played", seat=0, card=starts("hoot")).fits(Event("played", {"seat": 0, "card": "hoot-7", "row": 1}))
    True
    """

    __slots__ = ("fields", "kind")

    def __init__(self, kind: str, /, **fields: Any) -> None:
        self.kind = kind
        self.fields: Mapping[str, Any] = fields

    def fits(self, event: Event) -> bool:
        """Is it this that happened?"""
        return event.kind == self.kind and all(
            name in event.fields
            and (want(event.fields[name]) if callable(want) else event.fields[name] == want)
            for name, want in self.fields.items()
        )


def starts(text: str) -> Test:
    """A test of a field: its text starts like this."""
    return lambda value: str(value).startswith(text)


def one_of(*values: Any) -> Test:
    """A test of a field: it is one of these."""
    return lambda value: value in values


def other_than(*values: Any) -> Test:
    """A test of a field: it is none of these."""
    return lambda value: value not in values


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a lesson. Without a goal it is only read.

    `goal`: the facts of which one must happen, `times` times in all. `missed`: facts after which the goal was missed,
    each under the id of the text that says why; the learner sees the result and takes it back. Both count from the
    fact `after` on, such as the next turn of the learner; without it, at once. `spots` are the places of the table that
    the browser points at (`data-spot`).
    """

    id: str
    goal: tuple[Fact, ...] = ()
    missed: Mapping[str, Fact] = field(default_factory=dict)
    spots: tuple[str, ...] = ()
    times: int = 1
    after: Fact | None = None


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson. `script` are the actions of the other seats in the order in which they are asked; after it a friendly
    bot plays them."""

    id: str
    options: Options
    position: str
    steps: tuple[Step, ...]
    script: tuple[str, ...] = ()

    @property
    def goals(self) -> tuple[Step, ...]:
        """The steps that have a goal."""
        return tuple(step for step in self.steps if step.goal)


@dataclass(frozen=True, slots=True)
class Tip:
    """Something to explain once: when one of the facts happens, or when a question of this kind is put."""

    id: str
    facts: tuple[Fact, ...] = ()
    asked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Course:
    """What a game teaches: its lessons in order, the tips of a coached game, and the options of that game."""

    lessons: tuple[Lesson, ...] = ()
    tips: tuple[Tip, ...] = ()
    first_game: Options = field(default_factory=dict)

    def lesson(self, name: str) -> Lesson | None:
        """A lesson by its id."""
        return next((lesson for lesson in self.lessons if lesson.id == name), None)


class Progress(NamedTuple):
    """How far a learner has come: the goals that are reached, and the id of what went wrong with the next one; empty
    where nothing did."""

    reached: int
    missed: str = ""

    def ends(self, lesson: Lesson) -> bool:
        """Does nobody play on, because the lesson is over or the learner is to take something back?"""
        return bool(self.missed) or self.reached == len(lesson.goals)


def progress(lesson: Lesson, events: Iterable[Event]) -> Progress:
    """How far a learner has come who received these events."""
    goals, reached, count = lesson.goals, 0, 0
    waits = goals[0].after if goals else None
    for event in events:
        if reached == len(goals):
            break
        step = goals[reached]
        if waits is not None:
            waits = None if waits.fits(event) else waits
            continue
        if any(fact.fits(event) for fact in step.goal):
            count += 1
        if count == step.times:
            reached, count = reached + 1, 0
            waits = goals[reached].after if reached < len(goals) else None
            continue
        for why, fact in step.missed.items():
            if fact.fits(event):
                return Progress(reached, why)
    return Progress(reached)


def tips_for(course: Course, events: Sequence[Event], choice: Choice | None) -> list[str]:
    """The tips that fit the events a viewer received and what it is asked now, in the order of the course."""
    return [
        tip.id
        for tip in course.tips
        if (choice is not None and choice.kind in tip.asked)
        or any(fact.fits(event) for fact in tip.facts for event in events)
    ]
