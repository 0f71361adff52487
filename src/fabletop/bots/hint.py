"""A hint: the option that search prefers, and what it expects of every other.

>>> from fabletop import GAMES
>>> game = GAMES["equinox"]
>>> state = game.new({"seats": 2}, [1, 2, 3])
>>> [(seat, choice)] = game.pending(state).items()
>>> found = hint(game.view(state, seat), choice, Chance(1), iterations=300)
>>> found.best in choice.options, all(option.visits > 0 for option in found.options)
(True, True)
"""

from fabletop.bots.greedy import Greedy
from fabletop.bots.ismcts import Ismcts, Thought
from fabletop.bots.pace import share_of, whole
from fabletop.core.chance import Chance
from fabletop.core.game import Choice, View
from fabletop.games import GAMES

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


def rest(view: View, choice: Choice, first: int, chance: Chance, *, milliseconds: float) -> tuple[int, ...]:
    """What the adviser would answer after its first answer, where a decision has several parts (see `pace.whole`): the
    other columns of a selection, the spaces of a plan. Such a part shows nothing that was hidden, so one imagined game
    is as good as any other."""
    game, seat = GAMES[view["game"]], choice.seat
    parts = whole(view["game"], choice.kind)
    if not parts:
        return ()
    state = game.imagine(view, chance)
    stage, answer = state.stage, first
    answers: list[int] = []
    while True:
        state.apply(seat, answer)
        asked = game.pending(state).get(seat)
        if asked is None or asked.kind not in parts or state.stage != stage:
            return tuple(answers)
        seen = game.view(state, seat)
        if len(asked.options) == 1 or not share_of(seen, asked.kind):
            answer = Greedy(chance).choose(seen, asked)
        else:  # the fewer options, the fewer parts are to come
            time = milliseconds / len(asked.options)
            milliseconds -= time
            answer = hint(seen, asked, chance, milliseconds=time).best
        answers.append(answer)
