"""The plots of the report on Fairy School."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fabletop.games.fairy_school.cards import CARDS, SET_LETTERS
from fabletop.lab.fairy_school.report import PARTS, SEATS, Findings, project_rates, seat_shares, set_shares
from fabletop.lab.plots import COLOURS, picture, save

BAND = "#efe9d8"
"""The range that a mark of section 9 asks for."""


def draw(found: Findings, out: Path) -> None:
    """All plots, as SVG files that are identical for identical data."""
    for name, plot in (("scores", scores), ("turns", turns), ("shares", shares), ("projects", projects)):
        save(plot(found), out / f"fairy-school-{name}.svg")


def scores(found: Findings) -> Any:
    """How the scores spread, and of what they are made."""
    figure, (left, right) = picture(2, 9, 3)
    left.axvspan(85, 95, color=BAND)
    for seats, colour in zip(SEATS, COLOURS, strict=False):
        points = found.tallies["greedy", seats].points
        bins = range(min(points), max(points) + 2)
        left.hist(
            points, bins=list(bins), density=True, histtype="step", color=colour, label=f"{seats} seats"
        )
    left.set(xlabel="points of a seat", yticks=[], title="greedy; the band is the mark for the median")
    left.legend(frameon=False)
    names, bottom = [], [0.0] * 4
    tallies = []
    for kind in ("greedy", "search"):
        for seats in SEATS:
            names.append(f"{kind}, {seats}")
            tallies.append(found.tallies[kind, seats])
    for part, colour in zip(PARTS, COLOURS[:5], strict=True):
        means = [tally.parts[part] / len(tally.points) for tally in tallies]
        right.bar(names, means, bottom=bottom, color=colour, label=part, width=0.6)
        bottom = [low + high for low, high in zip(bottom, means, strict=True)]
    right.set(ylabel="points on average", title="kinds of points")
    right.legend(frameon=False, fontsize=7, loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def turns(found: Findings) -> Any:
    """How long the last trimester took."""
    figure, (left, right) = picture(2, 9, 2.6)
    for axes, kind in ((left, "greedy"), (right, "search")):
        axes.axvspan(2.5, 6.5, color=BAND)
        for number, (seats, colour) in enumerate(zip(SEATS, COLOURS, strict=False)):
            taken = found.tallies[kind, seats].turns
            shares_of = [taken.count(turn) / len(taken) for turn in range(1, 13)]
            places = [turn + 0.4 * number - 0.2 for turn in range(1, 13)]
            axes.bar(places, [100 * one for one in shares_of], 0.4, color=colour, label=f"{seats} seats")
        axes.set(
            xlabel="turns of the last trimester", ylabel="% of the years", xticks=range(1, 13), title=kind
        )
    left.legend(frameon=False)
    return figure


def shares(found: Findings) -> Any:
    """Seats and sets against their fair share."""
    figure, every = picture(len(SEATS), 9, 2.8)
    for axes, seats in zip(every, SEATS, strict=True):
        tally = found.tallies["greedy", seats]
        named = [(f"seat {seat + 1}", one) for seat, one in enumerate(seat_shares(tally, seats))]
        named += [(f"set {letter}", one) for letter, one in zip(SET_LETTERS, set_shares(tally), strict=True)]
        fair = 100 / seats
        axes.axhspan(fair - 3, fair + 3, color=BAND)
        for place, (_, one) in enumerate(named):
            low, high = one.value - one.low, one.high - one.value
            axes.errorbar(
                place, 100 * one.value, [[100 * low], [100 * high]], fmt="o", color=COLOURS[place >= seats]
            )
        axes.set(ylabel="% of the victories", title=f"{seats} seats; the band is the mark")
        axes.set_xticks(range(len(named)), [name for name, _ in named], rotation=60)
    return figure


def projects(found: Findings) -> Any:
    """How often each project is realised by those who keep it."""
    figure, every = picture(3, 9, 3)
    rates = project_rates([found.tallies["greedy", seats] for seats in SEATS])
    for axes, deck, colour in zip(every, ("I", "II", "III"), COLOURS, strict=False):
        cards = sorted((i for i in rates if CARDS[i].deck == deck), key=lambda i: rates[i].value)
        axes.axhspan(5, 95, color=BAND)
        for place, i in enumerate(cards):
            one = rates[i]
            low, high = one.value - one.low, one.high - one.value
            axes.errorbar(place, 100 * one.value, [[100 * low], [100 * high]], fmt="o", ms=3, color=colour)
        axes.set(ylim=(0, 100), ylabel="% realised", title=f"trimester {deck}")
        axes.set_xticks(range(len(cards)), [CARDS[i].name for i in cards], rotation=90, fontsize=5)
    return figure
