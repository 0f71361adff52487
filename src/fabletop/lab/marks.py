"""Marks: ranges that values of a study should lie in, and whether the games decide that they do."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from fabletop.core.errors import BadOptions
from fabletop.lab import page
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
    values, deals = values_of(mark.value, frame)
    if mark.statistic == "median":
        return {"": bootstrap(lambda some: float(np.nanmedian(values[some])), frame.deals)}
    flat = values if values.ndim == 1 else values[~np.isnan(values)]
    of = deals if values.ndim == 1 else np.repeat(deals, frame.seats)
    if mark.statistic == "share":
        return {"": share_of(((flat >= mark.least) & (flat <= mark.most)).astype(float), of)}
    return {"": mean_of(flat, of)}


def values_of(name: str, frame: Frame) -> tuple[Any, Any]:
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
    found = []
    names = [match.name for match in study.matches]
    for mark in study.marks:
        estimates = estimates_of(mark, frames[names.index(mark.match)])
        verdicts = {name: mark.verdict(one) for name, one in estimates.items()}
        verdict = next((one for one in ("not met", "not decided") if one in verdicts.values()), "met")
        some = [name for name in estimates if verdicts[name] == verdict]
        middle = (mark.low + mark.high) / 2
        worst = max(some, key=lambda name: abs(estimates[name].value - middle))
        found.append((mark, worst, estimates[worst], verdict))
    return found


def marks_table(study: Study, frames: Sequence[Frame]) -> str:
    """The marks as a table."""
    rows = []
    for mark, name, found, verdict in judged(study, frames):
        percent = mark.statistic in ("share", "seats", "victories", "rate")
        digits, scale, unit = (1, 100, " %") if percent else (1, 1, "")
        inside = f" from {mark.least:g} to {mark.most:g}" if mark.statistic == "share" else ""
        rows.append(
            [
                escape(
                    f"{mark.statistic} of {mark.value}{inside}"
                    + (f", {mark.seats} seats" if mark.seats else "")
                ),
                escape(mark.match),
                f"{page.number(mark.low, digits, scale)} to {page.number(mark.high, digits, scale)}{unit}",
                (f"{escape(name)}: " if name else "") + page.interval(found, digits, scale) + unit,
                page.chip(KINDS[verdict], verdict),
            ]
        )
    return page.paragraph(
        "A mark is met, or not met, if the whole interval is inside or outside the range; otherwise it is not decided: "
        "there are too few games. Where a mark is about many things, the one farthest out is shown, with an interval "
        "wide enough that all of them hold together at 95 %."
    ) + page.table(["mark", "match", "wanted", "found", ""], rows, (2, 3))
