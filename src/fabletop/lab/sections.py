"""The sections of a report that are the same for every game: each takes a frame and gives HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import permutations
from typing import Any

import numpy as np

from fabletop.core.game import Game
from fabletop.lab import page, plots
from fabletop.lab.effects import Effect, bootstrap, corrected, level_of, mean_of, ratio_of, share_of
from fabletop.lab.effects import compare as compared
from fabletop.lab.facts import measures_of
from fabletop.lab.frames import Frame
from fabletop.lab.leads import Leads
from fabletop.lab.statistics import LEVEL, Estimate

Array = Any


def alone(frame: Frame, bot: str, other: str) -> Estimate | None:
    """The share of the victory of one bot among copies of another; None where they did not meet."""
    rows = [
        n for n, bots in enumerate(frame.bots) if set(bots) == {bot, other} and list(bots).count(bot) == 1
    ]
    if not rows:
        return None
    own = np.array([frame.shares[n, list(frame.bots[n]).index(bot)] for n in rows])
    return share_of(own, frame.deals[rows])


def matchups(frame: Frame) -> str:
    """One bot among copies of another: its share of the victory, for all pairs."""
    names = list(dict.fromkeys(bot for bots in frame.bots for bot in bots))
    seats = int(frame.seats.max())
    shares: dict[tuple[str, str], Estimate] = {}
    for bot, other in permutations(names, 2):
        share = alone(frame, bot, other)
        if share is not None:
            shares[bot, other] = share
    short = [name.split(":")[0] for name in names]
    grid = np.full((len(names), len(names)), np.nan)
    for (bot, other), estimate in shares.items():
        grid[names.index(bot), names.index(other)] = 100 * estimate.value
    figure, (axes,) = plots.picture(width=7.2, height=0.9 + 0.75 * len(names))
    fair = 100 / seats
    reach = max(10.0, float(np.nanmax(np.abs(grid - fair))))
    axes.imshow(grid - fair, cmap="PRGn", vmin=-1.7 * reach, vmax=1.7 * reach, aspect="auto")
    for row, bot in enumerate(names):
        for column, other in enumerate(names):
            if bot == other:
                text = "–"
            else:
                cell = shares.get((bot, other))
                text = (
                    ""
                    if cell is None
                    else f"{100 * cell.value:.0f} %\n{100 * cell.low:.0f}–{100 * cell.high:.0f}"
                )
            axes.text(column, row, text, ha="center", va="center", fontsize=9)
    axes.set_xticks(range(len(names)), [f"among {name}" for name in short])
    axes.set_yticks(range(len(names)), [f"one {name}" for name in short])
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    pays = [
        (weak, strong) for n, strong in enumerate(names) for weak in names[:n] if (strong, weak) in shares
    ]
    better = sum(shares[strong, weak].low > 1 / seats for weak, strong in pays)
    return page.paragraph(
        f"One bot of the row sits among copies of the column's; fair is {fair:.0f} %. In {better} of {len(pays)} pairs "
        "the stronger one wins more than its share for certain. "
        + ("Skill pays." if better == len(pays) else "")
    ) + page.picture(figure, f"Share of the victory, with 95 % intervals; {len(frame)} games.")


def luck(frame: Frame) -> str:
    """How the lead in points splits into who plays, which seat of which deal, and the rest."""
    rows, seats = np.nonzero(~np.isnan(frame.leads))
    leads = frame.leads[rows, seats]
    bots = [frame.bots[row][seat] for row, seat in zip(rows.tolist(), seats.tolist(), strict=True)]
    names, codes = np.unique(np.array(bots, dtype=str), return_inverse=True)
    cells = frame.deals[rows] * 16 + seats

    def split(some: Array) -> tuple[float, float, float]:
        """Variances of the skill, of the deal, and of the rest, from some games."""
        counts = np.bincount(some, minlength=len(frame))[rows]  # a game that was drawn twice counts twice
        means = np.bincount(codes, counts * leads, minlength=len(names)) / np.maximum(
            1e-9, np.bincount(codes, counts, minlength=len(names))
        )
        total = counts.sum()
        skill = float((counts * (means[codes] - (counts * leads).sum() / total) ** 2).sum() / total)
        rest = leads - means[codes]
        _, places = np.unique(cells, return_inverse=True)
        sums, sizes = np.bincount(places, counts * rest), np.bincount(places, counts)
        there = sizes > 0
        middle = np.where(there, sums / np.maximum(1, sizes), 0.0)
        inner = float((counts * (rest - middle[places]) ** 2).sum() / max(1.0, total - there.sum()))
        outer = float((sizes * middle**2).sum() / total)
        deal = max(0.0, outer - inner * there.sum() / total)
        return skill, deal, inner

    def share(part: int) -> Estimate:
        def of(some: Array) -> float:
            parts = split(some)
            return parts[part] / max(1e-9, sum(parts))

        return bootstrap(of, frame.deals)

    parts = {
        "who plays (skill)": share(0),
        "the seat's cards (luck of the deal)": share(1),
        "everything else": share(2),
    }
    figure, (axes,) = plots.picture(width=7.2, height=1.9)
    plots.ranges(axes, list(parts), list(parts.values()), scale=100)
    axes.set_xlim(0, 100)
    axes.set_xlabel("% of the variance of the lead in points")
    rest = "draws during the game, the others' play and the dice of the bots"
    return page.paragraph(
        f"The same deals were played again with the bots in every seat and with other dice: {len(frame)} games of "
        f"{', '.join(names)}. So the spread of the leads splits into who plays, what the seat was dealt, and {rest}."
    ) + page.picture(
        figure, "Where the lead in points comes from, with 95 % intervals (whole deals drawn again)."
    )


def places(frame: Frame) -> Array:
    """The shares of the victory in the order of play: the seat that begins is first, where the game says which."""
    if "first" not in frame.fact_names():
        return frame.shares
    first = np.nan_to_num(frame.by_seat("first", "")).argmax(axis=1)
    wide = np.full_like(frame.shares, np.nan)
    for row, (shift, seats) in enumerate(zip(first, frame.seats, strict=True)):
        wide[row, :seats] = np.roll(frame.shares[row, :seats], -shift)
    return wide


def seats(frame: Frame) -> str:
    """Whether it matters where one sits."""
    counts = sorted(set(frame.seats.tolist()))
    figure, axes = plots.picture(len(counts), width=8.6, height=2.6)
    worst = (0.0, 0, 0, Estimate(0, 0, 0))
    tests = []
    for count, plot in zip(counts, axes, strict=True):
        some = frame.only(frame.seats == count)
        shares = places(some)
        estimates = [share_of(shares[:, place], some.deals) for place in range(count)]
        fair = np.full(len(some), 1 / count)
        ones = np.ones(len(some))
        for place, estimate in enumerate(estimates):
            tests.append(
                compared(
                    "",
                    f"place {place + 1} of {count}",
                    "",
                    (fair, ones, some.deals),
                    (shares[:, place], ones, some.deals),
                )
            )
            worst = max(
                worst, (abs(estimate.value - 1 / count), count, place, estimate), key=lambda entry: entry[0]
            )
        plots.ranges(plot, [str(place + 1) for place in range(count)], estimates, scale=100, fair=1 / count)
        plot.set_title(f"{count} seats", fontsize=9)
    axes[0].set_ylabel("place in the order of play")
    figure.supxlabel("share of the victory, %", fontsize=9)
    sure = [effect for effect in corrected(tests) if effect.verdict in ("up", "down")]
    text = (
        f"Farthest from fair is place {worst[2] + 1} of {worst[1]}: {worst[3].percent()}, "
        f"where {100 / worst[1]:.1f} % is fair. "
        + (
            "After the correction for all places these differ from fair: "
            + ", ".join(effect.name for effect in sure)
            + "."
            if sure
            else "After the correction for all places none differs from fair."
        )
    )
    return page.paragraph(text) + page.picture(figure, "The dashed line is fair.")


def victories_by(frame: Frame, name: str, together: bool = False) -> dict[str, Estimate]:
    """Of those who have a thing, such as a set of cards, the share of the victory above the fair one."""
    victories = {}
    things = frame.things(name)
    level = level_of(len(things)) if together else LEVEL
    for thing in things:
        have = frame.by_seat(name, thing) > 0
        rows, _ = np.nonzero(have)
        victories[thing] = mean_of(frame.shares[have] - 1 / frame.seats[rows], frame.deals[rows], level)
    return victories


def sets(frame: Frame, name: str) -> str:
    """Whether a set that is dealt to a seat is better than others."""
    victories = victories_by(frame, name)
    figure, (axes,) = plots.picture(width=7.2, height=0.8 + 0.3 * len(victories))
    plots.ranges(axes, list(victories), list(victories.values()), scale=100, fair=0.0)
    axes.set_xlabel("share of the victory above the fair one, in percentage points")
    return page.picture(figure, f"What each {name} is worth to the seat that has it.")


def rates(frame: Frame, name: str) -> str:
    """What is shown as a share, thing by thing, with intervals: such as realised of kept."""
    module: Any = measures_of(frame.games["game"][0].as_py())
    of = module.RATES[name]
    values, bases = frame.by_thing(name), frame.by_thing(of)
    estimates = {
        thing: share_of(values.get(thing, np.zeros(len(frame))), frame.deals, base)
        for thing, base in bases.items()
        if thing and base.sum() >= 20
    }
    order = sorted(estimates, key=lambda thing: -estimates[thing].value)
    if not order:
        return ""
    label = f"{module.LABELS[name]}, of {module.LABELS.get(of, 'games in which it takes part')}"
    verdicts = against_all(values, bases, order, frame.deals)
    few = order if len(order) <= 24 else [*order[:12], *order[-12:]]
    mean = ratio_of(sum(values.values()), sum(bases.values()), frame.deals)
    figure, (axes,) = plots.picture(width=8.6, height=0.8 + 0.21 * len(few))
    plots.ranges(
        axes,
        [module.title(thing) for thing in few],
        [estimates[thing] for thing in few],
        scale=100,
        fair=mean.value,
        verdicts=[verdicts[thing] for thing in few],
    )
    axes.set_xlabel(f"{label}, %")
    cut = "" if len(few) == len(order) else f" The twelve highest and the twelve lowest of {len(order)}."
    rows = [
        [escape(module.title(thing)), str(int(bases[thing].sum())), page.interval(estimates[thing], 1, 100)]
        for thing in order
    ]
    whole = page.table([module.ABOUT, "cases", f"{escape(label)}, %"], rows, (1, 2))
    note = "Green and red differ from the mean after the correction for their number."
    return page.picture(
        figure, f"{label[0].upper()}{label[1:]}; the dashed line is the mean. {note}{cut}"
    ) + (page.folded(f"All {len(order)} as a table", whole) if cut else "")


def against_all(
    values: dict[str, Array], bases: dict[str, Array], things: Sequence[str], deals: Array
) -> dict[str, str]:
    """Of each thing whether its rate is above or below that of all together, corrected for their number."""
    whole = (sum(values.values()), sum(bases.values()), deals)
    none = np.zeros(len(deals))
    tests: list[Effect] = [
        compared("", "", thing, whole, (values.get(thing, none), bases[thing], deals)) for thing in things
    ]
    return {effect.thing: effect.verdict for effect in corrected(tests)}


def length(frame: Frame) -> str:
    """How long games are, and the tail."""
    counts = sorted(set(frame.seats.tolist()))
    figure, (left, right) = plots.picture(2, width=8.6, height=3)
    rows = []
    for number, count in enumerate(counts):
        some = frame.only(frame.seats == count)
        turns, actions = some.column("turns"), some.column("actions")
        colour = plots.COLOURS[number]
        values, sizes = np.unique(turns, return_counts=True)
        left.plot(values, 100 * sizes / len(some), color=colour, label=f"{count} seats", lw=1.4)
        ordered = np.sort(turns)
        right.step(ordered, 100 * (1 - np.arange(len(ordered)) / len(ordered)), color=colour, where="post")
        quantiles = np.quantile(turns, (0.05, 0.5, 0.95, 0.99))
        middle = bootstrap(lambda of, turns=turns: float(np.median(turns[of])), some.deals)  # type: ignore[misc]
        rows.append(
            [
                str(count),
                page.interval(middle, 0),
                f"{quantiles[0]:.0f} to {quantiles[2]:.0f}",
                f"{quantiles[3]:.0f}",
                str(int(turns.max())),
                page.interval(mean_of(actions.astype(float), some.deals), 0),
            ]
        )
    left.set(xlabel="turns", ylabel="% of the games")
    left.legend(frameon=False, fontsize=8)
    right.set(xlabel="turns", ylabel="% at least as long", yscale="log")
    right.yaxis.set_major_formatter("{x:g}")
    right.grid(color=plots.FAINT, lw=0.6)
    reasons = sorted(set(frame.reasons))
    ends = ", ".join(
        f"{reason.replace('_', ' ')} {share_of((frame.reasons == reason).astype(float), frame.deals).percent()}"
        for reason in reasons
    )
    head = ["seats", "median turns", "nine of ten", "one of a hundred is longer than", "longest", "decisions"]
    return (
        page.picture(figure, "How long games are; on the right the tail, on a logarithmic scale.")
        + page.table(head, rows, range(1, 6))
        + page.paragraph(f"Games end by: {ends}.")
    )


def leads(frame: Frame, leads: Leads) -> str:
    """When the game is decided, how often the lead changes, and who comes back."""
    figure, (left, right) = plots.picture(2, width=8.6, height=3)
    grid = np.linspace(0, 1, 21)
    curve = [share_of(leads.leader_wins(part), leads.deals) for part in grid]
    left.fill_between(
        100 * grid,
        [100 * estimate.low for estimate in curve],
        [100 * estimate.high for estimate in curve],
        color="#dbe4f3",
        lw=0,
    )
    left.plot(100 * grid, [100 * estimate.value for estimate in curve], color=plots.COLOURS[1], lw=1.6)
    left.axhline(100 * float(np.mean(1 / frame.seats)), color=plots.COLOURS[0], ls="--", lw=1)
    left.set(xlabel="% of the game played", ylabel="% in which the leader wins", ylim=(0, 101))
    right.hist(
        100 * leads.decided,
        bins=20,
        range=(0, 100),
        color=plots.COLOURS[2],
        weights=np.full(len(leads), 100 / len(leads)),
    )
    right.set(xlabel="% of the game after which the winner stays ahead", ylabel="% of the games")
    early = share_of((leads.decided < 2 / 3).astype(float), leads.deals)
    rows = [
        ["decided before the last third", page.interval(early, 1, 100) + " %"],
        ["lead changes a game", page.interval(mean_of(leads.changes.astype(float), leads.deals), 1)],
        [
            "largest deficit of the later winner, points",
            page.interval(mean_of(leads.deficit, leads.deals), 1),
        ],
        [
            "won by a seat that was last at half-time",
            page.interval(share_of(leads.comebacks.astype(float), leads.deals), 1, 100) + " %",
        ],
    ]
    return (
        page.paragraph(
            f"From {len(leads)} games with every decision noted. The leader is who would have most points if the game "
            "ended now; the game counts as decided from the last moment at which the later winner was not in front."
        )
        + page.picture(
            figure, "On the left how often the leader of the moment wins in the end (dashed: at random)."
        )
        + page.table(["", "with its 95 % interval"], rows, (1,))
    )


def options(frame: Frame) -> str:
    """How much there is to choose."""
    kinds = np.array(frame.decisions["kind"].to_pylist(), dtype=object)
    count = frame.decisions["options"].to_numpy().astype(float)
    deals = frame.deals[np.searchsorted(frame.column("index"), frame.decisions["index"].to_numpy())]
    rows = []
    for kind in sorted(set(kinds), key=lambda kind: -int((kinds == kind).sum())):
        some = kinds == kind
        rows.append(
            [
                escape(kind.replace("_", " ")),
                page.number(some.sum() / len(frame), 1),
                page.interval(mean_of(count[some], deals[some]), 1),
                f"{np.quantile(count[some], 0.95):.0f}",
                page.interval(share_of((count[some] == 1).astype(float), deals[some]), 1, 100) + " %",
            ]
        )
    figure, (axes,) = plots.picture(width=7.2, height=2.4)
    values, sizes = np.unique(np.minimum(count, 40), return_counts=True)
    axes.bar(values, 100 * sizes / len(count), color=plots.COLOURS[4], width=0.9)
    axes.set(xlabel="options of a decision (40: or more)", ylabel="% of the decisions")
    head = ["decision", "a game", "options", "one of twenty has more than", "no choice"]
    return page.picture(figure, f"{len(count)} decisions of {len(frame)} games.") + page.folded(
        f"All {len(rows)} kinds of decisions as a table", page.table(head, rows, range(1, 5))
    )


def never(frames: Sequence[Frame], course_frame: Frame, game: Game) -> str:
    """Rules and cards that nobody ever used."""
    module: Any = measures_of(game.id)
    parts = []
    for name, things in module.things().items():
        seen = {thing for frame in frames for thing, values in frame.by_thing(name).items() if values.any()}
        idle = [thing for thing in things if thing not in seen]
        label = module.LABELS.get(name, f"{name}s used")
        if idle:
            names = ", ".join(
                escape(module.title(thing.split(":")[0]) if ":" in thing else module.title(thing))
                for thing in idle
            )
            parts.append(
                f"<li>{page.chip('down', 'never')} <b>{escape(label)}</b> ({len(idle)} of {len(things)}): {names}</li>"
            )
        else:
            parts.append(
                f"<li>{page.chip('same', 'all seen')} <b>{escape(label)}</b>: all {len(things)}</li>"
            )
    used = set(course_frame.decisions["action"].to_pylist())
    idle_actions = [action for action in game.actions if action not in used]
    games = sum(map(len, frames))
    return (
        page.paragraph(
            f"In {games} games. What never happens is a rule to teach for nothing, or a card to change."
        )
        + f'<ul class="findings">{"".join(parts)}</ul>'
        + f"<details><summary>{len(idle_actions)} of {len(game.actions)} actions were never taken in the "
        f"{len(course_frame)} games with every decision noted</summary><p>{escape(', '.join(idle_actions[:400]))}"
        f"{' …' if len(idle_actions) > 400 else ''}</p></details>"
    )
