"""The commands `fabletop ladder` and `fabletop lab`: run the lab with a progress bar and print the results."""

import importlib
import importlib.util
from collections.abc import Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from fabletop.core.errors import FabletopError
from fabletop.games import game_called, shown
from fabletop.lab.ladder import (
    HEADINGS,
    Standing,
    alike,
    left,
    markdown,
    merged,
    read,
    rows,
    run,
    standings,
    unconnected_groups,
)
from fabletop.lab.matches import Played, plan


def progress_bar() -> Progress:
    """A bar on standard error, so that standard output can be redirected."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )


def ladder(
    game: str,
    options: Mapping[str, Any],
    entrants: Sequence[str],
    *,
    against: str | None,
    deals: int,
    seed: str,
    processes: int,
    out: Path | None,
    records: Path | None = None,
    as_page: bool = False,
) -> int:
    """Play the games that are not in the file yet, then print the standings, also when interrupted."""
    planned = plan(game, options, entrants, deals, seed, against)
    wanted = {one.key for one in planned}
    played = [one for one in read(out) if one.key in wanted] if out is not None and out.exists() else []
    missing = left(planned, played)
    broken_off = False
    with progress_bar() as bar:
        task = bar.add_task(shown(game), total=len(planned), completed=len(planned) - len(missing))
        try:
            for one in run(missing, processes, out, records):
                played.append(one)
                bar.advance(task)
        except KeyboardInterrupt:
            broken_off = True
        except BrokenProcessPool:
            raise FabletopError(
                "a process has died, perhaps for lack of memory; fewer --jobs may help, and with --out the same "
                "command resumes"
            ) from None
    show(played, as_page)
    if broken_off:
        again = f"; the same command resumes from {out}" if out is not None else ""
        print(f"interrupted after {len(played)} of {len(planned)} games{again}")
    return 130 if broken_off else 0


def sum_up(files: Sequence[Path], as_page: bool = False) -> int:
    """Print the standings of all games in some files."""
    games, again = merged([read(path) for path in files])
    if again:
        print(f"{again} games are in these files more than once and count once")
    show(games, as_page)
    return 0


def show(games: Sequence[Played], as_page: bool = False) -> None:
    """Print the standings, one table for each set of rules and options; as Markdown for a page."""
    if not games:
        print("no games yet")
        return
    console = Console(width=None if Console().is_terminal else 160)
    for about, some in alike(games).items():
        deals = len({game.seed for game in some})
        console.print(
            f"{about}: {len(some)} games, {deals} deals; 95 % intervals in brackets", highlight=False
        )
        found = standings(some)
        if as_page:
            print(f"\n{markdown(found)}")
        else:
            console.print(grid(found), highlight=False)
        groups = unconnected_groups(some)
        if len(groups) > 1:
            apart = " | ".join(", ".join(sorted(group)) for group in groups)
            console.print(f"these never met, so their ratings do not compare: {apart}", highlight=False)


def grid(found: Sequence[Standing]) -> Table:
    """The standings as a table on the terminal."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in HEADINGS:
        table.add_column(heading, justify="left" if heading == "entrant" else "right", no_wrap=True)
    for row in rows(found):
        table.add_row(*row)
    return table


def report(game: str, out: Path, *, games: int, seed: int, processes: int) -> int:
    """Let the game's own lab module write its report."""
    game = game_called(game).id
    name = f"fabletop.lab.{game}.report"
    if importlib.util.find_spec(name.removesuffix(".report")) is None:
        raise FabletopError(f"there is no report on {shown(game)} yet")
    module = importlib.import_module(name)
    with progress_bar() as bar:
        task = bar.add_task(shown(game), total=None)

        def progress(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        module.report(out, games=games, seed=seed, processes=processes, progress=progress)
    print(f"the report is in {out}")
    return 0
