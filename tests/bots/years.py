"""Moments of recorded years of Fairy School, every kind of choice and several of each; and years between two bots."""

from collections.abc import Callable, Iterator
from functools import cache

from fabletop.bots import Bot
from fabletop.core.chance import Chance
from fabletop.core.game import Choice
from fabletop.core.sitting import Sitting, steps
from tests.fairy_school.recorded import stored
from tests.fairy_school.scene import GAME

Maker = Callable[[Chance], Bot]
Moment = tuple[Sitting, int, Choice]


def moments() -> Iterator[Moment]:
    """Every choice of every record, with the sitting as it stood."""
    for _, record in sorted(stored().items()):
        for sitting in steps(GAME, record):
            for seat, choice in sitting.pending.items():
                yield sitting, seat, choice


@cache
def of_each_kind(count: int) -> tuple[Moment, ...]:
    """So many moments of each kind of choice, with several options, spread over the records; of rare kinds all."""
    found: dict[str, list[Moment]] = {}
    skipped: dict[str, int] = {}
    for sitting, seat, choice in moments():
        if len(choice.options) > 1:
            kept = found.setdefault(choice.kind, [])
            skipped[choice.kind] = skipped.get(choice.kind, 0) + 1
            # the first, then one of ever more: 1, 2, 4, 8, … moments lie between two that are kept
            if len(kept) < count and skipped[choice.kind] >= 2 ** len(kept):
                skipped[choice.kind] = 0
                kept.append((sitting.fork(), seat, choice))
    return tuple(moment for kind in sorted(found) for moment in found[kind])


@cache
def kinds() -> tuple[str, ...]:
    """The kinds of choice that occur with more than one option."""
    return tuple(sorted({choice.kind for _, _, choice in of_each_kind(1)}))


def margins(first: Maker, second: Maker, seats: int, years: int, **options: str) -> list[float]:
    """By how many points the first bot, in one seat, is ahead of the mean of the others, who are the second."""
    found = []
    for number in range(years):
        mine = number % seats
        sitting = Sitting(GAME, {"seats": seats, **options}, seed=f"ladder {number}")
        bots = [(first if seat == mine else second)(Chance(1000 * number + seat)) for seat in range(seats)]
        while pending := sitting.pending:
            for seat, choice in pending.items():
                sitting.act(seat, bots[seat].choose(sitting.view(seat), choice))
        assert sitting.outcome is not None
        scores = sitting.outcome.scores
        found.append(scores[mine] - (sum(scores) - scores[mine]) / (seats - 1))
    return found
