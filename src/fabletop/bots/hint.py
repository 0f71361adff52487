"""A hint: the option that search prefers, and what it expects of every other.

>>> from fabletop import GAMES
>>> game = GAMES["equinox"]
>>> state = game.new({"seats": 2}, [1, 2, 3])
>>> [(seat, choice)] = game.pending(state).items()
>>> found = hint(game.view(state, seat), choice, Chance(1), iterations=300)
>>> found.best in choice.options, all(option.visits > 0 for option in found.options)
(True, True)
"""

from fabletop.bots.ismcts import Ismcts, Thought
from fabletop.core.chance import Chance
from fabletop.core.game import Choice, View

MILLISECONDS = 1500.0
SPREAD = 0.3
"""The share of the thinking that all options get alike; the rest goes where it is worth most."""


def adviser(
    chance: Chance, *, milliseconds: float = MILLISECONDS, iterations: int | None = None, threads: int = 1
) -> Ismcts:
    """A bot whose `think` gives a hint, and whose `stop` makes it give what it has."""
    return Ismcts(chance, milliseconds=milliseconds, iterations=iterations, threads=threads, spread=SPREAD)


def hint(
    view: View,
    choice: Choice,
    chance: Chance,
    *,
    milliseconds: float = MILLISECONDS,
    iterations: int | None = None,
    threads: int = 1,
) -> Thought:
    """What a strong player would take, first, and what the seat can expect of each option: its share of the victory
    and its points. The view and the choice are all that goes in."""
    return adviser(chance, milliseconds=milliseconds, iterations=iterations, threads=threads).think(
        view, choice
    )
