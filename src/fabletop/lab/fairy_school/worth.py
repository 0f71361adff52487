"""What a card is worth: by intervention, and by mere correlation.

In some deals in which a seat keeps the card, the same deal is played again with a blank in its place: same name, same
creature, same cost, no effect. By how much that seat's lead falls is what the effect is worth to who keeps the card.
The lead of those who keep it, as statistics of played games would show, also has who keeps it and when.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from fabletop.games.fairy_school.cards import BY_NAME
from fabletop.lab import page, plots
from fabletop.lab.effects import mean_of
from fabletop.lab.fairy_school.measures import WORTH, blanks, title
from fabletop.lab.frames import Frame
from fabletop.lab.runner import Executor, Progress, run_study
from fabletop.lab.statistics import Estimate
from fabletop.lab.study import Match, Study

HEADING = "What a card is worth"
FEWEST = 4
"""With fewer deals the report says nothing about a card."""


def worth(
    study: Study, frame: Frame, deals: int, executor: Executor, progress: Progress
) -> dict[str, tuple[Estimate, Estimate]]:
    """For each project that is kept often enough: its worth by intervention and by correlation, in points of lead."""
    base = study.matches[0]
    seats = int(frame.seats.max())
    frame = frame.only(frame.seats == seats)
    table = next(options for options in base.tables if options["seats"] == seats)
    matches, keepers = [], {}
    for name, text in blanks().items():
        if not BY_NAME[name].is_project:
            continue
        keep = frame.by_seat(WORTH, name) > 0
        rows = np.flatnonzero(keep.any(axis=1))[:deals]
        if len(rows) < FEWEST:
            continue
        chosen = tuple(int(deal) for deal in frame.deals[rows])
        keepers[name] = (rows, keep)
        matches.append(
            Match(
                f"without {name}",
                base.game,
                base.bots,
                len(chosen),
                "same",
                tables=(table,),
                cards=text,
                chosen=chosen,
            )
        )
    if not matches:
        return {}
    worths = {}
    with TemporaryDirectory() as folder:
        results = run_study(
            Study("worth", study.seed, tuple(matches)), Path(folder) / "worth", executor, progress
        )
        for number, match in enumerate(matches):
            name = match.name.removeprefix("without ")
            rows, keep = keepers[name]
            without = Frame.of(results, number)
            which, seat = np.nonzero(keep[rows])
            lost = frame.leads[rows][which, seat] - without.leads[which, seat]
            everywhere, own = np.nonzero(keep)
            worths[name] = (
                mean_of(lost, frame.deals[rows][which]),
                mean_of(frame.leads[everywhere, own], frame.deals[everywhere]),
            )
    return worths


def section(study: Study, frame: Frame, games: int, executor: Executor, progress: Progress) -> str:
    """The section of the report."""
    worths = worth(study, frame, max(FEWEST, games // 20), executor, progress)
    if not worths:
        return page.paragraph("Too few years for this: give more --games.")
    order = sorted(worths, key=lambda name: -worths[name][0].value)
    few = order if len(order) <= 30 else [*order[:15], *order[-15:]]
    figure, (left, right) = plots.picture(2, width=9.4, height=0.8 + 0.21 * len(few))
    plots.ranges(left, [title(name) for name in few], [worths[name][0] for name in few], fair=0.0)
    left.set_xlabel("worth of the effect, points of lead")
    for deck, colour in zip(("I", "II", "III"), plots.COLOURS, strict=False):
        some = [name for name in order if BY_NAME[name].deck == deck]
        right.plot(
            [worths[name][1].value for name in some], [worths[name][0].value for name in some], "o", color=colour, ms=4,
            label=f"trimester {deck}",
        )  # fmt: skip
    right.axhline(0, color=plots.FAINT, lw=0.8)
    right.axvline(0, color=plots.FAINT, lw=0.8)
    right.set(xlabel="lead of those who keep it (correlation)", ylabel="worth (intervention)")
    right.legend(frameon=False, fontsize=8)
    sure = [name for name in order if worths[name][0].low > 0]
    rows = [
        [
            escape(title(name)),
            BY_NAME[name].deck,
            page.interval(worths[name][0], 1, sign=True),
            page.interval(worths[name][1], 1, sign=True),
        ]
        for name in order
    ]
    table = page.table(
        ["project", "trimester", "worth by intervention", "lead of those who keep it"], rows, (2, 3)
    )
    return (
        page.paragraph(
            "Deals in which a seat keeps the card are played again with a blank in its place: same creature and cost, "
            "no effect. The fall of that seat's lead is what the effect is worth. Beside it is what mere counting "
            "would say: the lead of those who keep the card, which also tells who keeps it and when. "
            f"{len(sure)} of {len(order)} effects are worth something for certain."
        )
        + page.picture(figure, "Worth with 95 % intervals; on the right, intervention against correlation.")
        + page.folded(f"All {len(order)} as a table", table)
    )
