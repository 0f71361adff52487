"""What a change does: the changed game against the present one, paired on the same deals, as one page."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from fabletop import __version__
from fabletop.core.errors import BadOptions
from fabletop.core.records import parse
from fabletop.games import GAMES
from fabletop.lab import page, plots
from fabletop.lab.effects import Effect, compare, corrected
from fabletop.lab.facts import measures_of
from fabletop.lab.frames import Frame
from fabletop.lab.records import records_of
from fabletop.lab.results import Results
from fabletop.lab.runner import Executor, Progress, run_study
from fabletop.lab.study import Match, Study
from fabletop.lang import Lexicon

SHOWN = 3
"""Pairs of games that a page links to."""
MOST = 25
"""Rows of a table of things that changed."""


@dataclass(frozen=True, slots=True)
class Change:
    """The present game and the changed one."""

    present: Match
    changed: Match
    seed: str
    cards_file: str = ""

    @property
    def study(self) -> Study:
        """Both as a study."""
        return Study("change", self.seed, (self.present, self.changed))

    def lines(self) -> list[tuple[str, str, str]]:
        """What is different: a name, before and after."""
        lines = []
        if self.changed.cards:
            things = measures_of(self.present.game).changed_things(self.changed.cards, self.cards_file)
            lines += [(f"card {name}", before, after) for name, (before, after) in things.items()]
        before, after = self.present.tables[0], self.changed.tables[0]
        lines += [(key, str(before[key]), str(after[key])) for key in after if before.get(key) != after[key]]
        if self.present.bots != self.changed.bots:
            lines.append(("bot", self.present.bots[0], self.changed.bots[0]))
        return lines


def change_of(
    game: str,
    *,
    bot: str,
    seats: Sequence[int],
    options: Mapping[str, Any],
    settings: Mapping[str, Any],
    cards: str,
    cards_file: str,
    other_bot: str,
    deals: int,
    seed: str,
) -> Change:
    """The two matches; BadOptions where nothing would change."""
    rules = GAMES[game]

    def tables(more: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
        given = [{"seats": n} for n in seats] or [{}]
        return tuple(rules.options({**options, **point, **more}) for point in given)

    present = Match("present", game, (bot,), deals, "same", tables=tables({}))
    changed = replace(present, name="changed", bots=(other_bot or bot,), tables=tables(settings), cards=cards)
    change = Change(present, changed, seed, cards_file)
    if not change.lines():
        raise BadOptions(
            "nothing is changed: give a card file that differs from the present one, or --set NAME=VALUE, or --to BOT"
        )
    return change


# ---------------------------------------------------------------------------------------------- measuring


def effects_of(present: Frame, changed: Frame, game: str) -> list[Effect]:
    """Every measure of the two, with the correction for their number."""
    sides = (measured(present, game), measured(changed, game))
    effects = []
    for group, name in dict.fromkeys((*sides[0], *sides[1])):
        pair = [
            (side.get((group, name), np.zeros(len(frame))), np.ones(len(frame)), frame.deals)
            for side, frame in zip(sides, (present, changed), strict=True)
        ]
        effects.append(compare(group, name, "", *pair))
    return corrected([*effects, *thing_effects(present, changed, game)])


def measured(frame: Frame, game: str) -> dict[tuple[str, str], Any]:
    """The measures of the whole game, by group and name: one value a game."""
    labels: Mapping[str, str] = measures_of(game).LABELS
    best, last = np.nanmax(frame.points, axis=1), np.nanmin(frame.points, axis=1)
    values = {
        ("points", "points of a seat"): np.nanmean(frame.points, axis=1),
        ("points", "points of the winner"): best,
        ("points", "lead of the winner over the last"): best - last,
        ("length", "turns"): frame.column("turns").astype(float),
        ("length", "decisions"): frame.column("actions").astype(float),
    }
    for name in frame.plain_names():
        if name in labels:
            values["points" if "points" in labels[name] else "length", labels[name]] = frame.plain(name)
    for reason in sorted(set(frame.reasons)):
        values["length", f"ends by: {reason.replace('_', ' ')}"] = (frame.reasons == reason).astype(float)
    for seat in range(frame.points.shape[1]):
        values["who wins", f"seat {seat + 1} wins"] = frame.shares[:, seat]
    values["who wins", "victory is shared"] = (np.nanmax(frame.shares, axis=1) < 1).astype(float)
    return values


def thing_effects(present: Frame, changed: Frame, game: str) -> list[Effect]:
    """The measures of each card or creature."""
    module = measures_of(game)
    effects = []
    for name, label in module.LABELS.items():
        sides = [frame.by_thing(name) for frame in (present, changed)]
        for thing in sorted((set(sides[0]) | set(sides[1])) - {""}):
            pair = [
                (side.get(thing, np.zeros(len(frame))), np.ones(len(frame)), frame.deals)
                for side, frame in zip(sides, (present, changed), strict=True)
            ]
            effects.append(compare("things", label, thing, *pair))
        if name in module.RATES:
            base = [frame.by_thing(module.RATES[name]) for frame in (present, changed)]
            text = f"{label}, of {module.LABELS.get(module.RATES[name], 'those there')}"
            for thing in sorted(set(sides[0]) & set(sides[1]) & set(base[0]) & set(base[1])):
                pair = [
                    (side[thing], of[thing], frame.deals)
                    for side, of, frame in zip(sides, base, (present, changed), strict=True)
                ]
                if all(of.sum() >= 20 for _, of, _ in pair):
                    effects.append(compare("things", text, thing, *pair))
    return effects


# ---------------------------------------------------------------------------------------------- the page


def run_change(
    change: Change, executor: Executor, progress: Progress, out: Path, site: str, command: str
) -> list[Effect]:
    """Play both games, compare them, write the page; returns the effects."""
    study = change.study
    with TemporaryDirectory() as folder:
        results = run_study(study, Path(folder) / "change", executor, progress)
        effects, html = write_page(change, study, results, site, command)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(html, encoding="utf-8")
    return effects


def write_page(
    change: Change, study: Study, results: Results, site: str, command: str
) -> tuple[list[Effect], str]:
    """The effects, and the page about them."""
    game = change.present.game
    present, changed = (Frame.of(results, number) for number in (0, 1))
    effects = effects_of(present, changed, game)
    whole = [effect for effect in effects if not effect.thing]
    things = [effect for effect in effects if effect.thing]
    counts = {kind: sum(effect.verdict == kind for effect in whole) for kind in page.WORDS}
    moved = [effect for effect in things if effect.verdict in ("up", "down")]
    module = measures_of(game)
    tiles = page.tiles(
        [
            ("up", str(counts["up"]), "measures of the game went up"),
            ("down", str(counts["down"]), "went down"),
            ("same", str(counts["same"]), "stayed as they were"),
            ("open", str(counts["open"]), "not decided: too few games"),
            ("", f"{len(moved)} of {len(things)}", f"counts of single {module.ABOUT}s changed"),
        ]
    )
    sections = [("In short", tiles + summary(change, whole, things, module) + the_change(change))]
    for group in ("points", "length", "who wins"):
        some = [effect for effect in whole if effect.group == group]
        sections.append((group.capitalize(), forest(some) + effect_table(some)))
    sections.append((f"The changed {module.ABOUT}s", changed_things(change, things, module)))
    sections.append((f"Other {module.ABOUT}s", other_things(change, things, module)))
    sections.append(("What did not change", unchanged(whole, things)))
    sections.append(("Games to look at", games_to_see(change, study, present, changed, site)))
    deals, title = len(set(present.deals.tolist())), Lexicon("en")(f"{game}.name.title")
    lead = page.inline(
        f"{len(present)} games of {title} as it is, and the same {deals} deals with the change. Every difference "
        "is taken deal by deal, with its 95 % interval. Green and red are differences that stand after the correction "
        f"for {len(effects)} comparisons (at most one in twenty of them is wrong)."
    )
    foot = page.inline(f"Fabletop {__version__} · seed {change.seed} · `{command}`")
    return effects, page.document(f"What the change does to {title}", lead, sections, foot)


def summary(change: Change, whole: Sequence[Effect], things: Sequence[Effect], module: Any) -> str:
    """The largest changes in words: of the whole game, and of the cards that were changed themselves."""
    moved, own = (
        sorted((effect for effect in some if effect.verdict in ("up", "down")), key=lambda effect: effect.q)
        for some in (whole, [effect for effect in things if effect.thing in changed_names(change)])
    )
    entries = "".join(
        f"<li>{page.chip(effect.verdict)} <b>{escape(name)}</b>: {present} → {changed}, "
        f"a difference of {difference}</li>"
        for effect, name in (
            *((effect, effect.name) for effect in moved[:6]),
            *((effect, f"{module.ABOUT} {effect.thing}, {effect.name}") for effect in own[:4]),
        )
        for _, present, changed, difference, _ in [effect_row(effect, "")]
    )
    text = ""
    if not moved:
        still = sum(effect.verdict == "open" for effect in whole)
        text = page.paragraph(
            "Of the whole game no measure changed for certain"
            + (
                f"; {still} of {len(whole)} are not decided by this number of deals."
                if still
                else ": all stayed as they were."
            )
        )
    return text + (f'<ul class="findings">{entries}</ul>' if entries else "")


def changed_names(change: Change) -> list[str]:
    """The cards whose lines were changed."""
    return [name.removeprefix("card ") for name, _, _ in change.lines() if name.startswith("card ")]


def the_change(change: Change) -> str:
    """What was changed, before and after."""
    rows = [
        (escape(name), f"<code>{escape(before)}</code>", f"<code>{escape(after)}</code>")
        for name, before, after in change.lines()
    ]
    return "<h3>The change</h3>" + page.table(["", "present", "changed"], rows)


def digits_of(effect: Effect) -> tuple[int, float]:
    """How a measure is written: shares in percent."""
    share = any(word in effect.name for word in ("wins", "ends by", "shared", ", of "))
    return (1, 100) if share else (2, 1)


def effect_row(effect: Effect, title: str) -> list[str]:
    """One comparison as a row."""
    digits, scale = digits_of(effect)
    unit = " %" if scale == 100 else ""
    return [
        title,
        page.number(effect.present, digits, scale) + unit,
        page.number(effect.changed, digits, scale) + unit,
        page.interval(effect.difference, digits, scale, sign=True),
        page.chip(effect.verdict),
    ]


def effect_table(effects: Sequence[Effect]) -> str:
    """Some comparisons."""
    head = ["", "present", "changed", "difference (95 %)", ""]
    return page.table(head, [effect_row(effect, escape(effect.name)) for effect in effects], (1, 2, 3))


def forest(effects: Sequence[Effect], titles: Sequence[str] = ()) -> str:
    """The differences in units of how much the measure varies from game to game, with their intervals."""
    names = {id(effect): name for effect, name in zip(effects, titles, strict=False)}
    some = [effect for effect in effects if effect.margin > 0]
    if not some:
        return ""
    figure, (axes,) = plots.picture(width=8.6, height=0.55 + 0.3 * len(some))
    axes.axvspan(-0.1, 0.1, color="#eef0f3", lw=0)
    axes.axvline(0, color=plots.INK, lw=0.8)
    for row, effect in enumerate(some):
        unit = 10 * effect.margin
        colour = {"up": plots.UP, "down": plots.DOWN}.get(effect.verdict, plots.GREY)
        ends = [effect.difference.low / unit, effect.difference.high / unit]
        axes.plot(ends, [row, row], color=colour, lw=2, solid_capstyle="round")
        marker = {"up": "^", "down": "v", "same": "s"}.get(effect.verdict, "o")
        hollow = "white" if effect.verdict == "open" else colour
        axes.plot(effect.difference.value / unit, row, marker, color=colour, mfc=hollow, ms=6)
    axes.set_yticks(range(len(some)), [names.get(id(effect), effect.name) for effect in some])
    axes.set_ylim(len(some) - 0.4, -0.6)
    axes.grid(axis="x", color=plots.FAINT, lw=0.6)
    axes.set_xlabel("difference, in standard deviations of the measure from deal to deal")
    caption = "Differences with 95 % intervals. Inside the grey band a difference is too small to matter."
    return page.picture(figure, caption)


def changed_things(change: Change, things: Sequence[Effect], module: Any) -> str:
    """Of each card whose line was changed, what became of it."""
    names = changed_names(change)
    if not names:
        return page.paragraph(
            f"No single {module.ABOUT} was changed: the change is to an option or to the bots."
        )
    parts = []
    for name in names:
        some = [effect for effect in things if effect.thing == name]
        parts.append(f"<h3>{escape(module.title(name))}</h3>")
        parts.append(
            forest(some) + effect_table(some) if some else page.paragraph("It never came up in these games.")
        )
    return "".join(parts)


def other_things(change: Change, things: Sequence[Effect], module: Any) -> str:
    """The cards that were not changed themselves, but fare otherwise."""
    names = changed_names(change)
    moved = [effect for effect in things if effect.thing not in names and effect.verdict in ("up", "down")]
    if not moved:
        return page.paragraph(
            f"No other {module.ABOUT} is taken, kept or used more or less often than before."
        )
    moved.sort(key=lambda effect: effect.q)
    head = [module.ABOUT, "measure", "present", "changed", "difference (95 %)", ""]
    rows = []
    for effect in moved[:MOST]:
        title, *rest = effect_row(effect, escape(module.title(effect.thing)))
        rows.append([title, escape(effect.name), *rest])
    more = page.paragraph(f"And {len(moved) - MOST} more.") if len(moved) > MOST else ""
    shown = moved[:MOST]
    picture = forest(shown, [f"{module.title(effect.thing)}, {effect.name}" for effect in shown])
    return picture + page.table(head, rows, (2, 3, 4)) + more


def unchanged(whole: Sequence[Effect], things: Sequence[Effect]) -> str:
    """What certainly stayed, and what these games cannot decide."""
    same = [effect for effect in whole if effect.verdict == "same"]
    still = [effect for effect in whole if effect.verdict == "open"]
    parts = [
        page.paragraph(
            "As before: the whole interval is within a tenth of the standard deviation, so a change, if there is one, "
            "is too small to matter at the table."
        ),
        effect_table(same) if same else page.paragraph("None with certainty."),
    ]
    if still:
        parts += [page.paragraph("Not decided: more deals (`--deals`) would show."), effect_table(still)]
    counts = {kind: sum(effect.verdict == kind for effect in things) for kind in ("same", "open")}
    parts.append(
        page.paragraph(
            f"Of the counts of single things, {counts['same']} stayed as they were, {counts['open']} are not decided."
        )
    )
    return "".join(parts)


def games_to_see(change: Change, study: Study, present: Frame, changed: Frame, site: str) -> str:
    """The deals whose two games differ most in points, from the action at which they part."""
    gap = np.nanmean(changed.points, axis=1) - np.nanmean(present.points, axis=1)
    order = [int(row) for row in np.argsort(-np.abs(gap), kind="stable")[:SHOWN]]
    pairs = [(int(present.column("index")[row]), int(changed.column("index")[row])) for row in order]
    texts = records_of(study, [index for pair in pairs for index in pair])
    entries = []
    for row, (first, second) in zip(order, pairs, strict=True):
        before, after = parse(texts[first]).actions, parse(texts[second]).actions
        step = next(
            (n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b),
            min(len(before), len(after)),
        )
        links = page.replay_link(site, texts[first], step, "present game") + page.replay_link(
            site, texts[second], step, "changed game"
        )
        entries.append(
            f"<li>Deal {int(present.deals[row])}: {page.number(float(gap[row]), 1, sign=True)} points a seat with the "
            f'change; the two games part at action {step}. <span class="games">{links}</span></li>'
        )
    serve = "fabletop serve"
    if change.changed.cards:
        serve = f"FABLETOP_CARDS={shlex.quote(change.cards_file)} fabletop serve"
    return (
        page.paragraph(
            f"The links carry the whole record and open it at {site}: `fabletop serve` for the present game"
            + (f", `{serve}` for the changed one, whose cards differ." if change.changed.cards else ".")
        )
        + f'<ul class="findings">{"".join(entries)}</ul>'
    )
