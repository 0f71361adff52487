"""Moments of recorded games of Equinox, every kind of choice and many of each; and matches between two bots."""

from collections.abc import Callable, Iterator
from functools import cache

from fabletop.bots import Bot
from fabletop.core.chance import Chance
from fabletop.core.game import Choice
from fabletop.core.sitting import Sitting, steps
from fabletop.games.equinox import EQUINOX
from tests.equinox.recorded import records

Maker = Callable[[Chance], Bot]


def moments() -> Iterator[tuple[Sitting, int, Choice]]:
    """Every choice of every record, with the sitting as it stood."""
    for _, record in sorted(records().items()):
        for sitting in steps(EQUINOX, record):
            for seat, choice in sitting.pending.items():
                yield sitting, seat, choice


@cache
def of_each_kind(count: int) -> tuple[tuple[Sitting, int, Choice], ...]:
    """So many moments of each kind of choice, with several options, spread over the records."""
    found: dict[str, list[tuple[Sitting, int, Choice]]] = {}
    for number, (sitting, seat, choice) in enumerate(moments()):
        if len(choice.options) > 1 and number % 5 in (0, 3):
            kept = found.setdefault(choice.kind, [])
            if len(kept) < count:
                kept.append((sitting.fork(), seat, choice))
    rare = set(kinds()) - set(found)
    for sitting, seat, choice in moments():
        if choice.kind in rare and len(choice.options) > 1 and len(found.get(choice.kind, [])) < count:
            found.setdefault(choice.kind, []).append((sitting.fork(), seat, choice))
    return tuple(moment for kind in sorted(found) for moment in found[kind])


@cache
def kinds() -> tuple[str, ...]:
    """The kinds of choice that occur with more than one option."""
    return tuple(sorted({choice.kind for _, _, choice in moments() if len(choice.options) > 1}))


def wins(first: Maker, second: Maker, seats: int, games: int) -> float:
    """The share of games that the first bot wins in one seat, the others being the second."""
    won = 0.0
    for game in range(games):
        mine = game % seats
        sitting = Sitting(EQUINOX, {"seats": seats}, seed=f"ladder {game // seats}")
        bots = [(first if seat == mine else second)(Chance(1000 * game + seat)) for seat in range(seats)]
        while sitting.pending:
            for seat, choice in sitting.pending.items():
                sitting.act(seat, bots[seat].choose(sitting.view(seat), choice))
        assert sitting.outcome is not None
        winners = sitting.outcome.winners
        won += (mine in winners) / len(winners)
    return won / games
