"""What a game teaches, as a client shows it: the lessons and tips with their texts in a language."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from fabletop.core.lessons import Lesson, Step, Tip
from fabletop.games import COURSES
from fabletop.lang import Lexicon
from fabletop.server.protocol import responses


class CourseWords:
    """The texts of a course in a language. `{hoot}` and the like in them become the names of the game's creatures."""

    def __init__(self, game: str, lang: str) -> None:
        lexicon = Lexicon(lang)
        self._texts = lexicon.table(f"lessons_{game}")
        self._names = {**lexicon.table(game).get("creature", {}), **lexicon.table(game).get("card", {})}

    def say(self, text: str) -> str:
        """A text with the names of this language."""
        return text.format_map(self._names)

    def lesson(self, lesson: Lesson) -> responses.LessonNow:
        """A lesson with its texts."""
        words = self._texts["lesson"][lesson.id]
        steps = [self.step(step, words) for step in lesson.steps]
        return responses.LessonNow(lesson.id, self.say(words["title"]), self.say(words["text"]), steps)

    def step(self, step: Step, words: Mapping[str, Any]) -> responses.StepNow:
        """A step with its texts."""
        missed = {why: self.say(words["missed"][step.id][why]) for why in step.missed}
        return responses.StepNow(
            step.id, self.say(words["step"][step.id]), bool(step.goal), list(step.spots), missed
        )

    def tip(self, tip: Tip) -> responses.TipNow:
        """A tip with its texts."""
        words = self._texts["tip"][tip.id]
        return responses.TipNow(tip.id, self.say(words["title"]), self.say(words["text"]))


@cache
def course_now(game: str, lang: str) -> responses.CourseNow:
    """What a game teaches, with its texts in a language."""
    course, words = COURSES[game], CourseWords(game, lang)
    lessons = [words.lesson(lesson) for lesson in course.lessons]
    return responses.CourseNow(lessons, [words.tip(tip) for tip in course.tips], dict(course.first_game))
