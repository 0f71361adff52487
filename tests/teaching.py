"""A learner in a lesson, without a server: the script and then anything at all answers for the other seats."""

from fabletop.core.chance import Chance
from fabletop.core.lessons import LEARNER, Lesson, Progress, progress
from fabletop.core.sitting import Sitting
from fabletop.games import COURSES, GAMES


class Learner:
    """Takes a lesson move by move."""

    def __init__(self, game: str, name: str) -> None:
        found = COURSES[game].lesson(name)
        assert found is not None
        self.lesson: Lesson = found
        self.game = GAMES[game]
        self.sitting = Sitting(
            self.game, self.lesson.options, seed=self.lesson.id, start=self.lesson.position
        )
        self.chance = Chance.from_text(name)

    @property
    def progress(self) -> Progress:
        return progress(self.lesson, self.sitting.events(LEARNER))

    @property
    def rests(self) -> bool:
        return self.progress.ends(self.lesson)

    def options(self) -> list[str]:
        """What the learner is offered, once the others have done what they do before."""
        self.others()
        choice = self.sitting.pending.get(LEARNER)
        return [] if choice is None else [self.game.actions[action] for action in choice.options]

    def others(self) -> None:
        """Let the other seats act until they wait for the learner, or the lesson rests."""
        while not self.rests:
            asked = [seat for seat in self.sitting.pending if seat != LEARNER]
            if not asked:
                return
            self._other(asked[0])

    def _other(self, seat: int) -> None:
        made = sum(self.sitting.made(s) for s in range(self.sitting.state.seats) if s != LEARNER)
        choice = self.sitting.pending[seat]
        scripted = self.lesson.script[made : made + 1]
        if scripted and self.game.parse(scripted[0]) in choice.options:
            self.sitting.act(seat, scripted[0])
        else:
            self.sitting.act(seat, self.chance.pick(choice.options))

    def moves(self, *actions: str) -> Progress:
        """Make some moves; the progress after them."""
        for action in actions:
            assert action in self.options(), f"{action} is not offered: {self.options()}"
            self.sitting.act(LEARNER, action)
        self.others()
        return self.progress
