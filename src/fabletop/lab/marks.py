"""Marks: ranges that values of a study should lie in, and whether the games decide that they do."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from fabletop.core.errors import BadOptions
from fabletop.lab import page, plots
from fabletop.lab.effects import bootstrap, level_of, mean_of, share_of
from fabletop.lab.facts import measures_of
from fabletop.lab.frames import Frame
from fabletop.lab.sections import places, victories_by
from fabletop.lab.statistics import Estimate
from fabletop.lab.study import Mark, Study

KINDS = {"met": "up", "not met": "down", "not decided": "open"}


def estimates_of(mark: Mark, frame: Frame) -> dict[str, Estimate]:
    """What a mark is about, by name; several where it is about all seats or all cards, with
    intervals that hold together."""
    if mark.seats:
        frame = frame.only(frame.seats == mark.seats)
    if not len(frame):
        raise BadOptions(f"the mark for {mark.value} is about {mark.seats} seats, which were not played")
    if mark.statistic == "seats":
        shares, count = places(frame), int(frame.seats.min())
        return {
            f"place {place + 1}": mean_of(shares[:, place] - 1 / frame.seats, frame.deals, level_of(count))
            for place in range(count)
        }
    if mark.statistic == "victories":
        return victories_by(frame, mark.value, together=True)
    if mark.statistic == "rate":
        module: Any = measures_of(frame.games["game"][0].as_py())
        values, bases = frame.by_thing(mark.value), frame.by_thing(module.RATES[mark.value])
        things = [thing for thing, base in bases.items() if thing and base.any() and module.judged(thing)]
        none, level = np.zeros(len(frame)), level_of(len(things))
        return {
            module.title(thing): share_of(values.get(thing, none), frame.deals, bases[thing], level)
            for thing in things
        }
    values, deals = column_of(mark.value, frame)
    if mark.statistic == "median":
        return {"": bootstrap(lambda some: float(np.nanmedian(values[some])), frame.deals)}
    flat = values if values.ndim == 1 else values[~np.isnan(values)]
    of = deals if values.ndim == 1 else np.repeat(deals, frame.seats)
    if mark.statistic == "share":
        return {"": share_of(((flat >= mark.least) & (flat <= mark.most)).astype(float), of)}
    return {"": mean_of(flat, of)}


def column_of(name: str, frame: Frame) -> tuple[Any, Any]:
    """The values that a mark names: one a game, or one a seat."""
    if name == "points":
        return frame.points, frame.deals
    if name in ("turns", "actions"):
        return frame.column(name).astype(float), frame.deals
    if name in frame.plain_names():
        return frame.plain(name), frame.deals
    if name in measures_of(frame.games["game"][0].as_py()).PLAIN:
        return np.zeros(len(frame)), frame.deals  # it never happened
    raise BadOptions(
        f"a mark is about {name!r}, which these games do not have; there are points, turns, actions and "
        + ", ".join(frame.plain_names())
    )


def judged(study: Study, frames: Sequence[Frame]) -> list[tuple[Mark, str, Estimate, str]]:
    """Every mark with what decides it: of several values the one that is farthest out."""
    results = []
    names = [match.name for match in study.matches]
    for mark in study.marks:
        estimates = estimates_of(mark, frames[names.index(mark.match)])
        verdicts = {name: mark.verdict(estimate) for name, estimate in estimates.items()}
        verdict = next((worse for worse in ("not met", "not decided") if worse in verdicts.values()), "met")
        some = [name for name in estimates if verdicts[name] == verdict]
        middle = (mark.low + mark.high) / 2
        worst = max(some, key=lambda name: abs(estimates[name].value - middle))
        results.append((mark, worst, estimates[worst], verdict))
    return results


def words_of(mark: Mark, game: str) -> str:
    """What a mark is about, in words."""
    module: Any = measures_of(game)
    value = module.LABELS.get(mark.value, mark.value)
    base = module.LABELS.get(module.RATES.get(mark.value, ""), "those there")
    about = {
        "share": f"games with {mark.least:g} to {mark.most:g} {value}",
        "seats": "victories of each place, above the fair share",
        "victories": f"victories with each {mark.value}, above the fair share",
        "rate": f"{value}, of {base}, each {module.ABOUT}",
    }.get(mark.statistic, f"{mark.statistic} of {value}")
    return about + (f", {mark.seats} seats" if mark.seats else "")


def marks_table(study: Study, frames: Sequence[Frame]) -> str:
    """The marks as a picture and as a table."""
    games = {match.name: match.game for match in study.matches}
    several = len({mark.match for mark in study.marks}) > 1
    results = judged(study, frames)
    titles = [
        words_of(mark, games[mark.match]) + (f" ({mark.match})" if several else "") for mark, *_ in results
    ]
    rows = []
    for title, (mark, name, estimate, verdict) in zip(titles, results, strict=True):
        percent = mark.statistic in ("share", "seats", "victories", "rate")
        digits, scale, unit = (1, 100, " %") if percent else (1, 1, "")
        rows.append(
            [
                escape(title),
                f"{page.number(mark.low, digits, scale)} to {page.number(mark.high, digits, scale)}{unit}",
                (f"{escape(name)}: " if name else "") + page.interval(estimate, digits, scale) + unit,
                page.chip(KINDS[verdict], verdict),
            ]
        )
    return (
        page.paragraph(
            "A mark is met, or not met, if the whole interval is inside or outside the range; otherwise it is not "
            "decided: there are too few games. Where a mark is about many things, the one farthest out is shown, with "
            "an interval wide enough that all of them hold together at 95 %."
        )
        + marks_picture(titles, results)
        + page.table(["mark", "wanted", "found", ""], rows, (1, 2))
    )


def marks_picture(titles: Sequence[str], results: Sequence[tuple[Mark, str, Estimate, str]]) -> str:
    """Where each value lies in the range that is wanted."""
    figure, (axes,) = plots.picture(width=8.6, height=0.7 + 0.3 * len(results))
    axes.axvspan(0, 1, color="#e2f3ea", lw=0)
    inside = [
        Estimate(
            *(
                (side - mark.low) / ((mark.high - mark.low) or 1)
                for side in (estimate.value, estimate.low, estimate.high)
            )
        )
        for mark, _, estimate, _ in results
    ]
    plots.ranges(axes, titles, inside, verdicts=[verdict for *_, verdict in results])
    ends = [end for estimate in inside for end in (estimate.low, estimate.high)]
    axes.set_xlim(max(-2.0, min(-0.15, *ends)), min(3.0, max(1.15, *ends)))
    axes.set_xticks([0, 1], ["lowest wanted", "highest wanted"])
    return page.picture(figure, "Each value with its interval in the range that is wanted (the green band).")
