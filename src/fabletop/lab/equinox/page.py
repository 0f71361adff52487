"""The page of the report on Equinox: tables, plots and explanations. All numbers come from the games."""

from collections.abc import Callable, Sequence
from pathlib import Path
from textwrap import fill

from fabletop.games.equinox import EQUINOX
from fabletop.games.equinox.constants import CREATURE_IDS, IN_GAME
from fabletop.lab.equinox.games import GameSummary, Trial
from fabletop.lab.plots import bars, picture, ranges, save
from fabletop.lab.statistics import Estimate, mean, quantile, rate, share
from fabletop.lang import Lexicon

PLACES = ("first", "second", "third", "fourth", "fifth")
FEW = 30
"""With fewer trials nothing is said about a power."""


def name(creature: str) -> str:
    """A creature as people call it."""
    return Lexicon("en")(f"equinox.creature.{creature}")


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of Markdown; all columns but the first to the right."""
    marks = ["---", *["---:"] * (len(headings) - 1)]
    return "".join(f"| {' | '.join(line)} |\n" for line in (headings, marks, *rows))


def prose(text: str) -> str:
    """A paragraph, in lines of the usual length."""
    return fill(" ".join(text.split()), 118, break_long_words=False, break_on_hyphens=False)


def with_seats(summaries: Sequence[GameSummary], seats: int) -> list[GameSummary]:
    """The games with N seats."""
    return [summary for summary in summaries if summary.seats == seats]


def seat_counts(summaries: Sequence[GameSummary]) -> list[int]:
    """The numbers of seats that occur."""
    return sorted({summary.seats for summary in summaries})


# ---------------------------------------------------------------------------------------------- numbers


def survival(summaries: Sequence[GameSummary], creature: str) -> Estimate:
    """How often a creature that takes part is still in play at the end."""
    there = [summary for summary in summaries if creature in summary.creatures]
    return rate(sum(creature not in summary.out for summary in there), len(there))


def worth(summaries: Sequence[GameSummary], creature: str, what: Callable[[Trial], float]) -> Estimate:
    """The value of the option to use a power for its seat; the trials of one game are one cluster."""
    clusters = [
        [what(trial) for trial in summary.trials if trial.creature == creature] for summary in summaries
    ]
    return mean(clusters)


def even_survival(summaries: Sequence[GameSummary]) -> float:
    """How often any creature survives: as many as are left, of all."""
    return sum(left(summary) for summary in summaries) / len(summaries) / IN_GAME


def left(summary: GameSummary) -> int:
    """How many creatures are in play at the end."""
    return len(summary.creatures) - len(summary.out)


def place_share(summaries: Sequence[GameSummary], place: int) -> Estimate:
    """The share of the victories of the seat that plays in this place."""
    return share([[summary.shares[place]] for summary in summaries])


def ended(summaries: Sequence[GameSummary], reason: str) -> Estimate:
    """How often games end so."""
    return rate(sum(summary.reason == reason for summary in summaries), len(summaries))


def spread(values: Sequence[float], digits: int = 0) -> str:
    """The middle of some values, and where nine of ten of them lie."""
    low, middle, high = (quantile(values, part) for part in (0.05, 0.5, 0.95))
    return f"{middle:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


# ---------------------------------------------------------------------------------------------- sections


def survival_section(out: Path, summaries: Sequence[GameSummary]) -> str:
    """Who survives."""
    counts = seat_counts(summaries)
    overall = {creature: survival(summaries, creature) for creature in CREATURE_IDS}
    order = sorted(CREATURE_IDS, key=lambda creature: -overall[creature].value)
    rows = [
        [
            name(creature),
            overall[creature].percent(),
            *(survival(with_seats(summaries, n), creature).percent() for n in counts),
        ]
        for creature in order
    ]
    even = [even_survival(summaries), *(even_survival(with_seats(summaries, n)) for n in counts)]
    rows.append(["even", *(f"{100 * part:.1f} %" for part in even)])
    figure, (axes,) = picture(height=3.6)
    ranges(axes, [name(c) for c in order], [overall[c] for c in order], scale=100, fair=even[0])
    axes.set_xlabel("survives, % of the games in which it takes part")
    save(figure, out / "equinox-survival.svg")
    first, last = order[0], order[-1]
    said = prose(
        f"""Three of eight creatures are left after five eliminations, more where the deck runs out before; *even* is
        what that makes for each. {name(first)} survives most often, {overall[first].percent()}, {name(last)} least,
        {overall[last].percent()}."""
    )
    return f"""## Who survives

{said}

![How often each creature survives](equinox-survival.svg)

{table(["creature", "all", *(f"{n} seats" for n in counts)], rows)}"""


def power_section(out: Path, summaries: Sequence[GameSummary], times: int) -> str:
    """What powers are worth."""
    rows: list[list[str]] = []
    measured: dict[str, Estimate] = {}
    for creature in CREATURE_IDS:
        there = [summary for summary in summaries if creature in summary.creatures]
        offered = sum(summary.offered.get(creature, 0) for summary in there)
        trials = sum(trial.creature == creature for summary in there for trial in summary.trials)
        if trials < FEW:
            continue
        used = sum(summary.used.get(creature, 0) for summary in there)
        victory = worth(there, creature, lambda trial: trial.victory)
        lead = worth(there, creature, lambda trial: trial.lead)
        measured[creature] = lead
        rows.append(
            [
                name(creature),
                f"{offered / len(there):.1f}",
                f"{100 * used / offered:.0f} %",
                victory.text(1, "", 100),
                lead.text(2),
                str(trials),
            ]
        )
    without = [name(creature) for creature in CREATURE_IDS if creature not in measured]
    order = sorted(measured, key=lambda creature: -measured[creature].value)
    rows.sort(key=lambda row: [name(creature) for creature in order].index(row[0]))
    figure, (axes,) = picture(height=3.4)
    ranges(axes, [name(c) for c in order], [measured[c] for c in order], fair=0.0)
    axes.set_xlabel("lead in points from one chance to use the power")
    save(figure, out / "equinox-powers.svg")
    ends = ""
    if order:
        most, least = (f"{name(c)}'s, {measured[c].text(2)} points of lead" for c in (order[0], order[-1]))
        ends = f"Worth most is {most}; worth least is {least}."
    said = prose(
        f"""Where a card has been played and its creature's power can be used, the player may decline. Some of these
        moments are tried both ways: the game goes on as the player wants it, and as if the seat had declined, each way
        {times} times to the end, with the hidden cards drawn again as far as the seat does not know them. *Victory* is
        by how much the seat's share of the victory grows through the chance to use the power, *lead* by how much its
        points grow over the mean of the others. Where the player declines anyway, the chance is worth nothing, and
        counts. {ends} Not in the table, for want of such moments: {", ".join(without) or "none"}."""
    )
    headings = ["creature", "chances a game", "used", "victory, % points", "lead, points", "trials"]
    return f"""## What powers are worth

{said}

![What a chance to use each power is worth](equinox-powers.svg)

{table(headings, rows)}"""


def seat_section(out: Path, summaries: Sequence[GameSummary]) -> str:
    """Whether it matters who begins."""
    counts = seat_counts(summaries)
    figure, plots = picture(len(counts), height=2.4)
    rows = []
    for place in range(max(counts)):
        cells = [PLACES[place]]
        for n in counts:
            some = with_seats(summaries, n)
            cells.append(place_share(some, place).percent() if place < n else "")
        rows.append(cells)
    for n, axes in zip(counts, plots, strict=True):
        some = with_seats(summaries, n)
        places = [place_share(some, place) for place in range(n)]
        ranges(axes, [str(place + 1) for place in range(n)], places, scale=100, fair=1 / n)
        axes.set_title(f"{n} seats", fontsize=9)
    plots[0].set_ylabel("place in the order of play")
    figure.supxlabel("share of the victories, %", fontsize=9)
    save(figure, out / "equinox-seats.svg")
    fair = ["even", *(f"{100 / n:.1f} %" for n in counts)]
    furthest = max(
        (abs(place_share(with_seats(summaries, n), place).value - 1 / n), n, place)
        for n in counts
        for place in range(n)
    )
    return f"""## Whether it matters who begins

The furthest from even is the {PLACES[furthest[2]]} of {furthest[1]}: {100 * furthest[0]:.1f} percentage points.

![Share of the victories by place in the order of play](equinox-seats.svg)

{table(["place", *(f"{n} seats" for n in counts)], [*rows, fair])}"""


def length_section(out: Path, summaries: Sequence[GameSummary]) -> str:
    """How long games are, and how they end."""
    counts = seat_counts(summaries)
    rows = []
    for n in counts:
        some = with_seats(summaries, n)
        rows.append(
            [
                str(n),
                spread([summary.turns for summary in some]),
                spread([summary.turns / n for summary in some], 1),
                f"{sum(map(left, some)) / len(some):.2f}",
                ended(some, "deck_ran_out").percent(),
                ended(some, "stalled").percent(),
                spread([summary.deck for summary in some if summary.reason == "fifth_elimination"] or [0]),
            ]
        )
    figure, (axes,) = picture(height=2.8)
    turns = [[summary.turns for summary in with_seats(summaries, n)] for n in counts]
    bars(axes, turns, [f"{n} seats" for n in counts], width=4, unit=100)
    axes.set_xlabel("turns in a game")
    axes.set_ylabel("% of the games")
    save(figure, out / "equinox-length.svg")
    headings = [
        "seats", "turns", "turns each", "creatures left", "deck runs out", "stalled", "cards left else",
    ]  # fmt: skip
    return f"""## How long a game is, and how it ends

A game ends with the fifth elimination, with the deck, or when nobody can do anything any more. Turns and cards left:
the middle value, and where nine games of ten lie.

![Turns in a game](equinox-length.svg)

{table(headings, rows)}"""


def score_section(out: Path, summaries: Sequence[GameSummary]) -> str:
    """What people score."""
    counts = seat_counts(summaries)
    rows = []
    for n in counts:
        some = with_seats(summaries, n)
        rows.append(
            [
                str(n),
                spread([max(summary.scores) for summary in some], 1),
                spread([score for summary in some for score in summary.scores], 1),
                spread([max(summary.scores) - sorted(summary.scores)[-2] for summary in some], 1),
                rate(sum(sum(s > 0 for s in summary.shares) > 1 for summary in some), len(some)).percent(),
            ]
        )
    figure, plots = picture(2, height=2.8)
    best = [[max(summary.scores) for summary in with_seats(summaries, n)] for n in counts]
    whole = [[x for summary in with_seats(summaries, n) for x in summary.scores] for n in counts]
    for axes, values, label in zip(plots, (best, whole), ("the winner", "everybody"), strict=True):
        bars(axes, values, [f"{n} seats" for n in counts], unit=100)
        axes.set_xlabel(f"points of {label}")
    plots[0].set_ylabel("%")
    save(figure, out / "equinox-scores.svg")
    headings = ["seats", "winner", "everybody", "ahead of the second", "victory shared"]
    return f"""## Points

The middle value, and where nine of ten lie.

![Points of the winner and of everybody](equinox-scores.svg)

{table(headings, rows)}"""


def strong_section(quick: Sequence[GameSummary], strong: Sequence[GameSummary], bot: str) -> str:
    """The main results with players that search."""
    rows = []
    for n in seat_counts(strong):
        for title, summaries in (("one step", quick), ("search", strong)):
            some = with_seats(summaries, n)
            rows.append(
                [
                    f"{n}, {title}",
                    str(len(some)),
                    spread([max(summary.scores) for summary in some], 1),
                    spread([summary.turns / n for summary in some], 1),
                    ended(some, "deck_ran_out").percent(),
                    place_share(some, 0).percent(),
                ]
            )
    headings = ["seats, players", "games", "winner's points", "turns each", "deck runs out", "first wins"]
    said = prose(
        f"""The same with `{bot}` in all seats, which thinks ahead, beside the players above, which look one step
        ahead."""
    )
    return f"""## With stronger players

{said}

{table(headings, rows)}"""


def write(
    out: Path, summaries: Sequence[GameSummary], quick: str, strong: str, times: int, command: str
) -> None:
    """Write the page and its pictures."""
    out.mkdir(parents=True, exist_ok=True)
    volume = [summary for summary in summaries if summary.bot == quick]
    searched = [summary for summary in summaries if summary.bot == strong]
    each = len(volume) // len(EQUINOX.seat_counts)
    said = prose(
        f"""Made by `{command}`: {each} games for each number of seats with `{quick}` players, and
        {len(searched) // len(EQUINOX.seat_counts)} with `{strong}`. Creatures and the first seat are drawn at random.
        In brackets are 95 % intervals, unless something else is said. The results are about these players; people
        differ."""
    )
    head = f"""# Equinox: what many games say

<!-- made by `fabletop lab report`; do not edit -->

{said}
"""
    parts = [
        head,
        survival_section(out, volume),
        power_section(out, volume, times),
        seat_section(out, volume),
        length_section(out, volume),
        score_section(out, volume),
        strong_section(volume, searched, strong),
    ]
    (out / "equinox.md").write_text("\n".join(parts), encoding="utf-8")
