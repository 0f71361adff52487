"""The chances of all seats, by play-outs from what each of them knows.

>>> from fabletop import GAMES
>>> game = GAMES["equinox"]
>>> state = game.new({"seats": 3}, [1, 2, 3])
>>> found = chances([game.view(state, seat) for seat in range(3)], Chance(1), times=20)
>>> len(found), round(sum(found), 6)
(3, 1.0)
"""

from collections.abc import Sequence
from time import perf_counter

from fabletop.bots.greedy import knowledge_of
from fabletop.core.chance import Chance
from fabletop.core.game import View

TIMES = 120
"""Play-outs from each view: with four seats the error is some two in a hundred."""
FEWEST = 10
"""Play-outs from each view, however little time there is."""
STRAY, HEAT, TO_THE_END = 20, 0.06, -1
"""Play-outs as the search makes them: see `ismcts.Ismcts`."""


def chances(
    views: Sequence[View], chance: Chance, *, times: int = TIMES, milliseconds: float | None = None
) -> list[float]:
    """Each seat's share of the victory, the mean of what the views of all seats let one expect; the sum is 1."""
    worlds = [knowledge_of(view) for view in views]
    won = [0.0] * worlds[0].seats
    end = None if milliseconds is None else perf_counter() + milliseconds / 1000
    for played in range(times):
        if end is not None and played >= FEWEST and perf_counter() > end:
            break
        for world in worlds:
            _, shares, _ = world.finish(chance.word(), STRAY, HEAT, TO_THE_END)
            for seat, share in enumerate(shares):
                won[seat] += share
    total = sum(won) or 1.0
    return [share / total for share in won]
