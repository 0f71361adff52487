"""The report on Equinox: many games of bots, and what they say about the game."""

from collections.abc import Callable
from pathlib import Path

from fabletop.games.equinox import EQUINOX
from fabletop.lab.equinox.games import GameSummary, PlannedGame, watch
from fabletop.lab.equinox.page import write
from fabletop.lab.parallel import map_unordered
from fabletop.lab.plots import need_plots

TIMES = 64
"""How often such a moment is played on each way."""
VOLUME = "greedy"
STRONG = "ismcts:iterations=200"
STRONG_PART = 20
"""One game of strong players for N games of the others."""
TRIED = 2
"""One in N of the moments at which a power may be used is tried both ways."""


def orders(games: int, seed: int) -> list[PlannedGame]:
    """All games of a report: for each number of seats `games` of quick players, and some of strong ones."""
    found = []
    for seats in EQUINOX.seat_counts:
        found += [
            PlannedGame(VOLUME, seats, f"report {seed} {seats} {n}", TRIED, TIMES) for n in range(games)
        ]
        strong = -(-games // STRONG_PART)
        found += [PlannedGame(STRONG, seats, f"strong {seed} {seats} {n}", 0) for n in range(strong)]
    # the long ones first, so that no process is left alone with them in the end
    return sorted(found, key=lambda one: (one.bot != STRONG, -one.seats))


def report(out: Path, *, games: int, seed: int, processes: int, progress: Callable[[int, int], None]) -> None:
    """Play the games and write `equinox.md` with its pictures into a folder."""
    need_plots()
    work = orders(games, seed)
    summaries = []
    progress(0, len(work))
    for summary in map_unordered(watch_one, list(enumerate(work)), processes):
        summaries.append(summary)
        progress(len(summaries), len(work))
    summaries.sort(key=lambda pair: pair[0])  # the page must not depend on the order of completion
    command = f"fabletop lab report equinox --games {games} --seed {seed}"
    write(out, [summary for _, summary in summaries], VOLUME, STRONG, TIMES, command)


def watch_one(numbered: tuple[int, PlannedGame]) -> tuple[int, GameSummary]:
    """`watch`, keeping the number of the game."""
    number, planned = numbered
    return number, watch(planned)
