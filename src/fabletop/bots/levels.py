"""Four levels to play against, from a friendly beginner to one that beats good players.

    thumbling   takes what looks good enough, and now and then anything
    gretel      takes what looks best at this moment
    puss        thinks ahead for a moment, and takes what comes out nearly best
    queen       thinks ahead for long, with several threads

Their names and a sentence about each are in `lang` (`common.level`). A level plays every game with any number of seats,
and never holds a game up: where thinking fails or does not end, the answer is what looks best at this moment, and where
even that fails, any option.

>>> from fabletop import GAMES
>>> from fabletop.core.chance import Chance
>>> game = GAMES["equinox"]
>>> state = game.new({"seats": 2}, [1, 2, 3])
>>> [(seat, choice)] = game.pending(state).items()
>>> bot("puss", Chance(1), iterations=20).choose(game.view(state, seat), choice) in choice.options
True
"""

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from threading import Thread

from fabletop.bots import Bot, Policy
from fabletop.bots.greedy import Greedy, knowledge_of
from fabletop.bots.ismcts import STRETCH, Ismcts
from fabletop.core.chance import Chance
from fabletop.core.errors import BadOptions
from fabletop.core.game import Choice, View

GRACE = 5.0
"""Seconds that thinking may take beyond its time before a bot answers without it: more than a busy machine needs."""
LONGEST = 600.0
"""Seconds that thinking by iterations may take."""
MOST_THREADS = 4

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Level:
    """How a level plays: `slack` points below the best are good enough, a share `stray` of its choices is made at
    random; with `milliseconds` it searches so long for the choices that matter most, and `slack` counts in the
    tolerance of the game (see `pace`)."""

    id: str
    slack: float = 0.02
    stray: float = 0.0
    milliseconds: float = 0
    threads: int = 1

    @property
    def searches(self) -> bool:
        """Does it think ahead, so that its thinking time can be set?"""
        return self.milliseconds > 0


LEVELS = {
    level.id: level
    for level in (
        Level("thumbling", slack=0.75, stray=0.25),
        Level("gretel"),
        Level("puss", slack=1.0, milliseconds=100),
        Level("queen", slack=0.0, milliseconds=1000, threads=MOST_THREADS),
    )
}
DEFAULT = "gretel"


def bot(
    level: str,
    chance: Chance,
    *,
    milliseconds: float | None = None,
    iterations: int | None = None,
    threads: int | None = None,
) -> "Steady":
    """A bot of a level. Thinking time can be set for those that search, also as a number of iterations.

    With a time that is set, it is the same for all choices; else each kind of choice has its share (see `pace`).

    By iterations a level thinks on one thread, unless told otherwise, and so the same on every machine.
    """
    if level not in LEVELS:
        raise BadOptions(f"there is no level {level!r}; the levels are {', '.join(LEVELS)}")
    found = LEVELS[level]
    if not found.searches:
        return Steady(Beginner(chance, found) if found.stray else Greedy(chance, slack=found.slack), chance)
    paced = milliseconds is None
    if milliseconds is None:
        milliseconds = found.milliseconds
    if threads is None:
        threads = 1 if iterations is not None else min(found.threads, cores())
    thinker = Ismcts(
        chance,
        iterations=iterations,
        milliseconds=milliseconds,
        threads=threads,
        paced=paced,
        slack=found.slack,
    )
    limit = LONGEST if iterations is not None else STRETCH * milliseconds / 1000 + GRACE
    return Steady(thinker, chance, limit)


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def policy_of(bot: Bot) -> Policy | None:
    """How a bot decides, where it can be played from the record; None where it has to be asked with its view."""
    found: Policy | None = getattr(bot, "policy", None)
    return found if isinstance(found, Policy) else None


class Beginner:
    """Takes what looks good enough, and now and then anything."""

    def __init__(self, chance: Chance, level: Level) -> None:
        self.chance = chance
        self.level = level
        self.greedy = Greedy(chance, slack=level.slack)
        self.policy = Policy(chance, level.slack, level.stray)

    def choose(self, view: View, choice: Choice) -> int:
        """One of the better options, or any that a person might take for no reason."""
        if self.chance.below(1000) < 1000 * self.level.stray:
            return self.chance.pick(knowledge_of(view).whims())
        return self.greedy.choose(view, choice)


class Steady:
    """A bot that answers whatever happens to the one inside it: in time, and with one of the options.

    What goes wrong is logged. `limit` is in seconds; without one the bot inside is waited for.
    """

    def __init__(self, inner: Bot, chance: Chance, limit: float | None = None) -> None:
        self.inner = inner
        self.limit = limit
        # of its own: falling back must not change what comes later
        self._chance = Chance(chance.state ^ 0x5EED)

    @property
    def policy(self) -> Policy | None:
        """That of the bot inside, if it has one."""
        return policy_of(self.inner)

    def choose(self, view: View, choice: Choice) -> int:
        """What the bot inside says, if it says something sound in time."""
        if len(choice.options) == 1:
            return choice.options[0]
        answer = in_time(lambda: self.inner.choose(view, choice), self.limit)
        return answer if answer in choice.options else self.fall_back(view, choice)

    def fall_back(self, view: View, choice: Choice) -> int:
        """What looks best at this moment, or any option."""
        _log.warning("a bot had no answer to %s, so it plays what looks best", choice.kind)
        answer = in_time(lambda: Greedy(self._chance).choose(view, choice), None)
        return answer if answer in choice.options else self._chance.pick(choice.options)

    def stop(self) -> None:
        """Answer at once; a bot that searches takes what it has found."""
        if isinstance(self.inner, Ismcts):
            self.inner.stop()


def in_time(think: Callable[[], int], limit: float | None) -> int | None:
    """What comes of thinking, or None where it fails or takes longer than `limit` seconds."""
    found: list[int] = []

    def work() -> None:
        try:
            found.append(think())
        except Exception:
            _log.exception("thinking failed")

    if limit is None:
        work()
    else:
        thread = Thread(target=work, daemon=True)
        thread.start()
        thread.join(limit)
    return found[0] if found else None
