"""The lab on the terminal: ladders, studies and reports with a progress bar, and their results in print."""

import argparse
import shlex
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

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

from fabletop.core.errors import BadOptions
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
from fabletop.lab.matches import Planned, Played, plan, play
from fabletop.lab.plots import need_plots

if TYPE_CHECKING:
    from fabletop.lab.runner import Executor


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
    """Play a ladder, as far as its games are not in the file yet, and print the standings."""
    planned = plan(game, options, entrants, deals, seed, against)
    return play_missing(
        planned, partial(play, records=records), processes, out, lambda games: show(games, as_page)
    )


def play_missing(
    planned: Sequence[Planned],
    play_one: Callable[[Planned], Played],
    processes: int,
    out: Path | None,
    show_results: Callable[[Sequence[Played]], None],
) -> int:
    """Play the games of a plan that are not in the file yet, then show all of them, also when interrupted; the exit
    code."""
    wanted = {game.key for game in planned}
    games = [game for game in read(out) if game.key in wanted] if out is not None and out.exists() else []
    missing = left(planned, games)
    interrupted = False
    with progress_bar() as bar:
        task = bar.add_task(shown(planned[0].game), total=len(planned), completed=len(planned) - len(missing))
        try:
            for game in run(missing, processes, out, play_one):
                games.append(game)
                bar.advance(task)
        except KeyboardInterrupt:
            interrupted = True
    show_results(games)
    if interrupted:
        resumes = f"; the same command resumes from {out}" if out is not None else ""
        print(f"interrupted after {len(games)} of {len(planned)} games{resumes}")
    return 130 if interrupted else 0


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
        ranking = standings(some)
        if as_page:
            print(f"\n{markdown(ranking)}")
        else:
            console.print(grid(ranking), highlight=False)
        groups = unconnected_groups(some)
        if len(groups) > 1:
            apart = " | ".join(", ".join(sorted(group)) for group in groups)
            console.print(f"these never met, so their ratings do not compare: {apart}", highlight=False)


def grid(ranking: Sequence[Standing]) -> Table:
    """The standings as a table on the terminal."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in HEADINGS:
        table.add_column(heading, justify="left" if heading == "entrant" else "right", no_wrap=True)
    for row in rows(ranking):
        table.add_row(*row)
    return table


def study(
    path: Path, out: Path | None, executor: "Executor", share: tuple[int, int], deals: int | None
) -> int:
    """Run a study from its file, or what is missing of it."""
    from fabletop.lab.runner import run_study
    from fabletop.lab.study import read_study

    plan = read_study(path, **({} if deals is None else {"deals": deals}))
    folder = out or Path(plan.name)
    with progress_bar() as bar:
        task = bar.add_task(plan.name, total=None)
        try:
            results = run_study(
                plan,
                folder,
                executor,
                lambda done, total: bar.update(task, completed=done, total=total),
                share,
            )
        except KeyboardInterrupt:
            bar.stop()
            print(f"interrupted; the same command resumes from {folder}")
            return 130
    games = len(results.table("games"))
    print(
        f"{games} games of {results.head['games']} are in {folder}; `fabletop lab report {folder}` shows them"
    )
    return 0


def setting_of(text: str) -> tuple[str, Any]:
    """`hand=7` as a name and a value; what is no TOML value is a text."""
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise BadOptions(f"{text!r} should be a name and a value, such as seats=3")
    try:
        return name, tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return name, value


def change(arguments: argparse.Namespace, executor: "Executor") -> int:
    """Compare a changed game with the present one, and write the page."""
    need_plots()
    from fabletop.lab.change import change_of, run_change
    from fabletop.lab.study import read_cards, spec_of

    game: str = arguments.game
    comparison = change_of(
        game,
        bot=spec_of(arguments.bot),
        other_bot=spec_of(arguments.other) if arguments.other else "",
        seats=arguments.seats or [],
        options=dict(map(setting_of, arguments.options)),
        settings=dict(map(setting_of, arguments.settings)),
        cards="" if arguments.cards is None else read_cards(game, arguments.cards),
        cards_file=str(arguments.cards or ""),
        deals=arguments.deals,
        seed=arguments.seed,
    )
    words = [str(arguments.cards)] if arguments.cards else []
    words += [f"--game={shown(game)}", *(f"--set={setting}" for setting in arguments.settings)]
    words += [f"--with={option}" for option in arguments.options] + [
        f"--seats={n}" for n in arguments.seats or []
    ]
    words += [f"--bot={arguments.bot}"] + ([f"--to={arguments.other}"] if arguments.other else [])
    command = shlex.join(
        ["fabletop", "lab", "change", *words, f"--deals={arguments.deals}", f"--seed={arguments.seed}"]
    )
    with progress_bar() as bar:
        task = bar.add_task(shown(game), total=None)
        effects = run_change(
            comparison,
            executor,
            lambda done, total: bar.update(task, completed=done, total=total),
            arguments.out,
            arguments.site,
            command,
        )
    moved = [effect for effect in effects if effect.verdict in ("up", "down")]
    for effect in sorted((effect for effect in moved if not effect.thing), key=lambda effect: effect.q):
        print(f"{'▲' if effect.verdict == 'up' else '▼'} {effect.name}: {effect.difference.text(2)}")
    print(f"{len(moved)} of {len(effects)} measures changed; {arguments.out} shows all of them")
    return 0


def report(what: str, out: Path | None, *, games: int, seed: str, executor: "Executor", site: str) -> int:
    """A report on a game, or on a folder of results, as one page."""
    need_plots()
    from fabletop.lab.marks import judged
    from fabletop.lab.report import report_on_game, report_on_results

    if Path(what).is_dir():
        file = out or Path(what) / "report.html"
        html, results = report_on_results(Path(what), site, shlex.join(["fabletop", "lab", "report", what]))
        study = results.study()
        if study.marks:
            from fabletop.lab.frames import Frame

            frames = [Frame.of(results, number) for number in range(len(study.matches))]
            for mark, name, estimate, verdict in judged(study, frames):
                about = f"{mark.statistic} of {mark.value}" + (f", {mark.seats} seats" if mark.seats else "")
                print(f"{verdict}: {about}{f' ({name})' if name else ''}: {estimate.text(3)}")
    else:
        try:
            game = game_called(what).id
        except BadOptions as error:
            raise BadOptions(f"{error}, and there is no folder {what!r} with results") from None
        file = out or Path(f"{shown(game)}.html")
        command = f"fabletop lab report {shown(game)} --games {games} --seed {shlex.quote(seed)}"
        with progress_bar() as bar:
            task = bar.add_task(shown(game), total=None)

            def progress(done: int, total: int) -> None:
                bar.update(task, completed=done, total=total)

            html = report_on_game(game, games, seed, executor, progress, site, command)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(html, encoding="utf-8")
    print(f"the report is in {file}")
    return 0
