"""What a power is worth: games are played on both ways.

Greedy players meet. Some of the moments at which a seat may use a power are *tried both ways*: the game goes on as
the bot wants it, and as if the seat had declined, each way many times to the end, by the knowledge of the game, with
the hidden cards drawn again as far as the seat does not know them. The difference for that seat is the value of the
chance to use the power.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np

from fabletop.bots.greedy import knowledge_of
from fabletop.bots.specs import Spec
from fabletop.core.chance import Chance
from fabletop.core.game import Choice
from fabletop.core.sitting import Sitting
from fabletop.games.equinox import EQUINOX
from fabletop.games.equinox.constants import PASS
from fabletop.lab import page, plots
from fabletop.lab.effects import mean_of, share_of
from fabletop.lab.equinox.measures import title
from fabletop.lab.frames import Frame
from fabletop.lab.runner import Executor, Progress
from fabletop.lab.study import Study

HEADING = "What a power is worth"
HEAT = 0.02
"""An option this many points below the best is chosen half as often in the play-outs."""
WHOLE = 65536
"""A whole victory, and half points in a point, as a play-out counts them."""
HALVES = 2
TIMES = 32
"""How often such a moment is played on each way."""
TRIED = 2
"""One in N of the moments is tried."""
CHUNK = 10
"""Games in one item of work."""
FEW = 30
"""With fewer trials the report says nothing about a power."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A moment tried both ways: by how much the seat's share of the victory and its lead in points were better with the
    chance to use the power than without. Both are 0 where the bot declined unprompted."""

    deal: int
    creature: str
    used: bool
    victory: float
    lead: float


def trials(work: tuple[str, str, int, range]) -> list[Trial]:
    """The trials of some deals: a bot, a seed, the number of seats and the deals."""
    bot, seed, seats, deals = work
    return [trial for deal in deals for trial in trials_of(bot, f"{seed} {deal}", seats, deal)]


def trials_of(bot: str, seed: str, seats: int, deal: int) -> list[Trial]:
    """The trials of one game."""
    sitting = Sitting(EQUINOX, {"seats": seats}, seed=seed)
    spec = Spec.read(bot)
    bots = [spec.made(Chance.from_text(f"{seed} {seat}")) for seat in range(seats)]
    chance = Chance.from_text(f"trials {seed}")
    trials = []
    while sitting.pending:
        ((seat, choice),) = sitting.pending.items()
        action = bots[seat].choose(sitting.view(seat), choice)
        if may_decline(choice) and chance.below(TRIED) == 0:
            trials.append(tried_both_ways(sitting, seat, action, deal, chance.word()))
        sitting.act(seat, action)
    return trials


def may_decline(choice: Choice) -> bool:
    """Is this the question whether to use a power?"""
    return bool(choice.about.get("optional")) and PASS in choice.options and len(choice.options) > 1


def tried_both_ways(sitting: Sitting, seat: int, action: int, deal: int, word: int) -> Trial:
    """Play on with the answer of the bot, and with declining."""
    creature = sitting.pending[seat].about["creature"]
    if action == PASS:
        return Trial(deal, creature, False, 0.0, 0.0)
    (victory, lead), (victory_without, lead_without) = (
        played_on(sitting, seat, answer, TIMES, Chance(word)) for answer in (action, PASS)
    )
    return Trial(deal, creature, True, victory - victory_without, lead - lead_without)


def played_on(sitting: Sitting, seat: int, answer: int, times: int, chance: Chance) -> tuple[float, float]:
    """The expected share of the victory and lead in points of a seat after an answer."""
    copy = sitting.fork()
    copy.act(seat, answer)
    world = knowledge_of(copy.view(seat))
    victory, lead = 0.0, 0.0
    for _ in range(times):
        _, shares, halves = world.finish(chance.word(), 0, HEAT, -1)
        own = halves[seat]
        victory += shares[seat] / WHOLE
        lead += (own - (sum(halves) - own) / (len(halves) - 1)) / HALVES
    return victory / times, lead / times


def section(study: Study, frame: Frame, games: int, executor: Executor, progress: Progress) -> str:
    """The section of the report."""
    seats = int(EQUINOX.options({})["seats"])
    bot = study.matches[0].bots[0]
    count = max(CHUNK, games // 4)
    work = [(bot, study.seed, seats, range(first, first + CHUNK)) for first in range(0, count, CHUNK)]
    results: list[Trial] = []
    progress(0, len(work))
    for number, some in enumerate(executor.map(trials, work), 1):
        results += some
        progress(number, len(work))
    results.sort(key=lambda trial: (trial.deal, trial.creature, trial.victory, trial.lead))
    rows, measured = [], {}
    for creature in sorted({trial.creature for trial in results}):
        some = [trial for trial in results if trial.creature == creature]
        if len(some) < FEW:
            continue
        deals = np.array([trial.deal for trial in some])
        lead = mean_of(np.array([trial.lead for trial in some]), deals)
        victory = mean_of(np.array([trial.victory for trial in some]), deals)
        used = share_of(np.array([float(trial.used) for trial in some]), deals)
        measured[creature] = lead
        rows.append(
            (
                -lead.value,
                [
                    escape(title(creature)),
                    str(len(some)),
                    page.interval(used, 0, 100) + " %",
                    page.interval(victory, 1, 100, sign=True),
                    page.interval(lead, 2, sign=True),
                ],
            )
        )
    if not measured:
        return page.paragraph("Too few games for this: give more --games.")
    order = sorted(measured, key=lambda creature: -measured[creature].value)
    figure, (axes,) = plots.picture(width=8.6, height=0.8 + 0.25 * len(order))
    plots.ranges(
        axes, [title(creature) for creature in order], [measured[creature] for creature in order], fair=0.0
    )
    axes.set_xlabel("lead in points from one chance to use the power")
    head = ["creature", "trials", "used", "victory, percentage points", "lead, points"]
    return (
        page.paragraph(
            f"Where a power can be used, the player may decline. Some of these moments, in {count} games of {seats}, "
            f"are played on both ways, {TIMES} times each, with the hidden cards drawn again as far as the seat does "
            "not know them. What the seat's lead gains is the worth of the chance; where the bot declines anyway, 0."
        )
        + page.picture(figure, "What a chance to use each power is worth, with 95 % intervals.")
        + page.table(head, [row for _, row in sorted(rows)], range(1, 5))
    )
