"""The report on Equinox: many games of bots, and what they say about the game."""

from collections.abc import Callable
from pathlib import Path

from fabletop.games.equinox import EQUINOX
from fabletop.lab.equinox.games import Ordered, Story, watch
from fabletop.lab.equinox.page import write
from fabletop.lab.parallel import map_unordered
from fabletop.lab.plots import need_plots

TIMES = 64
"""How often such a moment is played on each way."""
VOLUME = "greedy"
STRONG = "ismcts:iterations=200"
STRONG_PART = 20
"""One game of strong players for so many of the others."""
TRIED = 2
"""Of the moments at which a power may be used, one in so many is tried both ways."""


def orders(games: int, seed: int) -> list[Ordered]:
    """All games of a report: for each number of seats `games` of quick players, and some of strong ones."""
    found = []
    for seats in EQUINOX.seat_counts:
        found += [Ordered(VOLUME, seats, f"report {seed} {seats} {n}", TRIED, TIMES) for n in range(games)]
        strong = -(-games // STRONG_PART)
        found += [Ordered(STRONG, seats, f"strong {seed} {seats} {n}", 0) for n in range(strong)]
    # the long ones first, so that no process is left alone with them in the end
    return sorted(found, key=lambda one: (one.bot != STRONG, -one.seats))


def report(out: Path, *, games: int, seed: int, processes: int, progress: Callable[[int, int], None]) -> None:
    """Play the games and write `equinox.md` with its pictures into a folder."""
    need_plots()
    work = orders(games, seed)
    stories = []
    progress(0, len(work))
    for story in map_unordered(watch_one, list(enumerate(work)), processes):
        stories.append(story)
        progress(len(stories), len(work))
    stories.sort(key=lambda pair: pair[0])  # the page must not depend on who was faster
    command = f"fabletop lab report equinox --games {games} --seed {seed}"
    write(out, [story for _, story in stories], VOLUME, STRONG, TIMES, command)


def watch_one(numbered: tuple[int, Ordered]) -> tuple[int, Story]:
    """`watch`, keeping the number of the game."""
    number, ordered = numbered
    return number, watch(ordered)
