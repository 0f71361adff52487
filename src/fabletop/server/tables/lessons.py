"""Lessons at a table: it is made from a position, the script answers for the other seats, and how far the learner has
come follows from the events that the learner has received."""

from collections.abc import Sequence

from fabletop.core.events import Event
from fabletop.core.lessons import LEARNER, Lesson, Progress, progress
from fabletop.games import COURSES
from fabletop.server.tables.table import Table

LEVEL = "thumbling"
"""The bots of a lesson, after its script."""
KEPT = 3600.0
"""Seconds after which the sweeper opens a lesson that nobody has open, to find it idle and delete it."""


def lesson_of(table: Table) -> Lesson | None:
    """The lesson that is taken at a table; None where it is an ordinary one, or the lesson is no longer taught."""
    return COURSES[table.head.game].lesson(table.head.lesson) if table.head.lesson else None


def events_told(table: Table, viewer: int | None, first: int = 0, told: int | None = None) -> list[Event]:
    """The events of a viewer's story from `first` on, up to the first `told`."""
    if table.sitting is None:
        return []
    rows, redact = table.sitting.rows, table.game.events.redact
    places: Sequence[int] = table.cursor(viewer).heard[first:told]
    return [event for place in places if (event := redact(rows[place], viewer)) is not None]


def progress_at(table: Table, lesson: Lesson, told: int | None = None) -> Progress:
    """How far the learner has come after the first `told` events."""
    return progress(lesson, events_told(table, LEARNER, 0, told))


def rests(table: Table) -> bool:
    """Do the other seats wait, because the lesson is over or the learner is to take something back?"""
    lesson = lesson_of(table)
    return lesson is not None and progress_at(table, lesson).ends(lesson)


def scripted(table: Table, seat: int) -> int | None:
    """What the script says for another seat; None where it says nothing, or what is not offered."""
    lesson, sitting = lesson_of(table), table.sitting
    if lesson is None or sitting is None:
        return None
    made = sum(sitting.made(other) for other in range(len(table.seats)) if other != LEARNER)
    if made >= len(lesson.script):
        return None
    action = table.game.parse(lesson.script[made])
    return action if sitting.state.offers(seat, action) else None
