"""The report on a game, or on the results of a study: one HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from fabletop import __version__
from fabletop.core.errors import FabletopError
from fabletop.games import GAMES, shown
from fabletop.lab import page, sections
from fabletop.lab.effects import share_of
from fabletop.lab.facts import measures_of
from fabletop.lab.frames import Frame
from fabletop.lab.leads import Leads
from fabletop.lab.marks import marks_table
from fabletop.lab.records import records_of
from fabletop.lab.results import Results
from fabletop.lab.runner import Executor, Progress, run_study
from fabletop.lab.study import Mark, Match, Study
from fabletop.lang import Lexicon

SHOWN = 3
"""Games that a finding links to."""

Sections = list[tuple[str, str]]


def study_on_game(game: str, games: int, seed: str) -> Study:
    """What is played for a report on a game: many games of greedy bots, and fewer of everything that takes longer."""
    module: Any = measures_of(game)
    rules = GAMES[game]
    usual = (rules.options({}),)
    volume = Match(
        "volume",
        game,
        ("greedy",),
        games,
        "same",
        tables=tuple(rules.options({"seats": n}) for n in module.SEATS),
    )
    return Study(
        f"report on {shown(game)}",
        seed,
        (
            volume,
            Match("course", game, ("greedy",), max(20, games // 10), "same", tables=usual, decisions=True),
            Match("luck", game, ("thumbling", "greedy"), max(10, games // 40), tables=usual, repeats=2),
            Match("levels", game, module.LEVELS, max(2, games // module.LEVELS_PART), "matrix", tables=usual),
        ),
        tuple(Mark("volume", **mark) for mark in module.MARKS),
    )


def report_on_game(
    game: str, games: int, seed: str, executor: Executor, progress: Progress, site: str, command: str
) -> str:
    """Play what a report needs, and write it."""
    study = study_on_game(game, games, seed)
    with TemporaryDirectory() as folder:
        results = run_study(study, Path(folder) / "report", executor, progress)
        frames = [Frame.of(results, number) for number in range(len(study.matches))]
    module = import_module(f"fabletop.lab.{game}.worth")
    worth = module.section(study, frames[0], games, executor, progress)
    parts = parts_of(study, frames, site)
    at = next((n for n, (name, _) in enumerate(parts) if name == "How long a game is"), len(parts))
    parts.insert(at, (module.HEADING, worth))
    return document(game, study, frames, parts, command)


def report_on_results(folder: Path, site: str, command: str) -> tuple[str, Results]:
    """The report on the results of a study, and the results."""
    results = Results.open(folder)
    study = results.study()
    frames = [Frame.of(results, number) for number in range(len(study.matches))]
    if not any(len(frame) for frame in frames):
        raise FabletopError(f"{folder} has no games")
    return document(study.matches[0].game, study, frames, parts_of(study, frames, site), command), results


def document(game: str, study: Study, frames: Sequence[Frame], parts: Sections, command: str) -> str:
    """The whole page."""
    title = Lexicon("en")(f"{game}.name.title")
    total = sum(map(len, frames))
    bots = ", ".join(dict.fromkeys(bot for match in study.matches for bot in match.bots))
    lead = page.inline(
        f"{total} games of bots ({bots}). Intervals are at 95 % and take the games of one deal together; where many "
        "things are compared at once, what is called different stands after the correction for their number. The "
        "results are about these players; people differ."
    )
    foot = page.inline(f"Fabletop {__version__} · {study.name}, seed {study.seed} · `{command}`")
    return page.document(f"{title}: what many games say", lead, parts, foot)


def parts_of(study: Study, frames: Sequence[Frame], site: str) -> Sections:
    """The sections for which there are games."""
    parts: Sections = []
    game = GAMES[study.matches[0].game]
    module: Any = measures_of(game.id)
    pairs = [(match, frame) for match, frame in zip(study.matches, frames, strict=True) if len(frame)]
    alike = [(match, frame) for match, frame in pairs if match.pairing == "same" and len(match.bots) == 1]
    widest = max(alike, key=lambda pair: len(pair[1]), default=(None, None))[1]
    noted = [(match, frame) for match, frame in pairs if len(frame.decisions)]
    leads = [(frame, Leads.of(frame)) for _, frame in noted]
    parts.append(("Findings", headline(pairs, leads, widest) + findings(study, leads, widest, site)))
    if study.marks:
        parts.append(("The marks", marks_table(study, frames)))
    for match, frame in sorted(pairs, key=lambda pair: pair[0].pairing):
        if match.pairing == "matrix" and len(match.bots) > 1:
            parts.append(("Does skill pay?", sections.matchups(frame)))
        elif match.pairing == "mixed" and match.repeats > 1:
            parts.append(("Luck and skill", sections.luck(frame)))
    if widest is not None:
        parts.append(("Does it matter where one sits?", sections.seats(widest)))
        if module.SETS:
            parts.append((f"The {module.SETS}s", sections.sets(widest, module.SETS)))
        for name in module.RATES:
            if content := sections.rates(widest, name):
                parts.append((module.HEADINGS[name], content))
        parts.append(("How long a game is", sections.length(widest)))
    for frame, lead in leads[:1]:
        parts.append(("When it is decided", sections.leads(frame, lead)))
        parts.append(("How much there is to choose", sections.options(frame)))
        parts.append(("Never used", sections.never([part for _, part in alike], frame, game)))
    return parts


def headline(
    pairs: Sequence[tuple[Match, Frame]], leads: Sequence[tuple[Frame, Leads]], widest: Frame | None
) -> str:
    """The game in a few big numbers."""
    tiles = [("", f"{sum(len(frame) for _, frame in pairs):,}".replace(",", " "), "games played by bots")]
    if widest is not None:
        turns = widest.column("turns")
        low, high = np.quantile(turns, (0.05, 0.95))
        tiles.append(
            ("", f"{np.median(turns):.0f} turns", f"in the middle; nine of ten take {low:.0f} to {high:.0f}")
        )
        best = np.nanmax(widest.points, axis=1)
        tiles.append(("", f"{np.median(best):g} points", "win in the middle"))
    for match, frame in pairs:
        if match.pairing == "matrix" and len(match.bots) > 1:
            strong, weak = match.bots[-1], match.bots[0]
            share = sections.alone(frame, strong, weak)
            if share is not None:
                names = [spec.split(":")[0] for spec in (strong, weak)]
                fair = 100 / int(frame.seats.max())
                what = f"won by one {names[0]} among {names[1]}s; fair is {fair:.0f} %"
                tiles.append(("up" if 100 * share.low > fair else "open", f"{100 * share.value:.0f} %", what))
    for _, lead in leads[:1]:
        half = share_of(lead.leader_wins(0.5), lead.deals)
        tiles.append(("", f"{100 * half.value:.0f} %", "of the leaders at half-time win"))
        tiles.append(("", f"{float(np.mean(lead.changes)):.1f}", "changes of the lead in a game"))
    return page.tiles(tiles)


def findings(study: Study, leads: Sequence[tuple[Frame, Leads]], widest: Frame | None, site: str) -> str:
    """What stands out, with a few games that show it."""
    wanted: list[tuple[str, str, list[tuple[int, int]]]] = []
    if widest is not None:
        turns = widest.column("turns")
        order = np.argsort(-turns, kind="stable")[:SHOWN]
        wanted.append(
            (
                "The longest games",
                f"take {int(turns[order[0]])} turns, where half of all games take at most {int(np.median(turns))}.",
                [(int(widest.column("index")[row]), 0) for row in order],
            )
        )
        gap = np.nanmax(widest.points, axis=1) - np.nanmin(widest.points, axis=1)
        order = np.argsort(-gap, kind="stable")[:SHOWN]
        wanted.append(
            (
                "The clearest victories",
                f"are by {gap[order[0]]:g} points over the last; half of all games by at most {np.median(gap):g}.",
                [(int(widest.column("index")[row]), 0) for row in order],
            )
        )
    for _, lead in leads[:1]:
        for title, values, steps, text in (
            ("The greatest comebacks", lead.deficit, lead.moments, "points behind, and won"),
            ("The most lead changes", lead.changes, lead.turning, "changes of the lead in one game"),
            (
                "The latest decisions",
                lead.decided,
                lead.turning,
                "of the game was over before the winner was in front",
            ),
        ):
            order = np.argsort(-values, kind="stable")[:SHOWN]
            best = f"{100 * values[order[0]]:.0f} %" if values is lead.decided else f"{values[order[0]]:g}"
            moments = [(int(lead.indices[row]), int(steps[row])) for row in order]
            wanted.append((title, f"{best} {text}.", moments))
    texts = records_of(study, [index for _, _, games in wanted for index, _ in games])
    entries = []
    for title, detail, games in wanted:
        links = "".join(
            page.replay_link(site, texts[index], step, f"game {index}" + (f", action {step}" if step else ""))
            for index, step in games
        )
        entries.append(
            f'<li><b>{escape(title)}</b>: {escape(detail)} <span class="games">{links}</span></li>'
        )
    return f'<ul class="findings">{"".join(entries)}</ul>' + page.paragraph(
        f"The links carry whole records and open them at {site}, which `fabletop serve` starts."
    )
