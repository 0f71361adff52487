"""The command `fabletop lab`. Nothing heavy is imported before a command runs."""

import argparse
from pathlib import Path
from typing import Any

from fabletop.arguments import add_jobs, game_id, game_names
from fabletop.core.errors import FabletopError

SITE = "http://127.0.0.1:8000"
"""Where links to recorded games lead: a server of one's own, as `fabletop serve` starts it."""


def add_commands(commands: Any) -> None:
    """Add the command to the command line."""
    lab = commands.add_parser(
        "lab",
        help="study the games: what a change does, what many games say",
        description="Study the games with many games of bots: what a changed card or option does (change), any "
        "matches (run, merge), and reports on what was played (report). Needs the extra `lab`.",
    )
    kinds = lab.add_subparsers(title="studies", metavar="STUDY", required=True)
    _change(kinds)
    _run(kinds)
    _merge(kinds)
    _report(kinds)


def _add_executor(command: argparse.ArgumentParser) -> None:
    add_jobs(command)
    command.add_argument(
        "--on",
        choices=("local", "ray"),
        default="local",
        help="local: processes of this machine (default); ray: a Ray cluster, for which the extra `ray` is needed",
    )
    command.add_argument(
        "--address",
        metavar="HOST:PORT",
        help="the Ray cluster (default: RAY_ADDRESS, or a cluster of this machine alone)",
    )


def executor_of(arguments: argparse.Namespace) -> Any:
    """Where a study runs."""
    from fabletop.lab.runner import Executor

    if arguments.jobs < 1:
        raise FabletopError("--jobs must be at least 1")
    if arguments.address is not None and arguments.on != "ray":
        raise FabletopError("--address is for --on ray")
    return Executor(arguments.jobs, arguments.on, arguments.address)


# ---------------------------------------------------------------------------------------------- change


def _change(kinds: Any) -> None:
    change = kinds.add_parser(
        "change",
        help="what a changed card, option or bot does to a game",
        description="Play the present game and a changed one on the same deals, and write one page that says what "
        "changed and what did not, with intervals. The change is a card file, --set, or --to, or several of them.",
    )
    change.add_argument("cards", nargs="?", type=Path, metavar="CARDS.txt", help="a changed card file")
    change.add_argument("--game", type=game_id, required=True, help=game_names())
    change.add_argument(
        "--set",
        dest="settings",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the changed game, such as hand=7; may be given several times",
    )
    change.add_argument(
        "--bot", default="greedy", metavar="BOT", help="who plays in all seats (default: greedy)"
    )
    change.add_argument(
        "--to", dest="other", default="", metavar="BOT", help="who plays in the changed game instead"
    )
    change.add_argument(
        "--with",
        dest="options",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of both games; may be given several times",
    )
    change.add_argument(
        "--seats", type=int, action="append", metavar="N", help="number of seats; may be given several times"
    )
    change.add_argument(
        "--deals",
        type=int,
        default=1000,
        metavar="N",
        help="deals that are played in both games (default 1000)",
    )
    change.add_argument("--seed", default="change", help="any text; the same seed gives the same deals")
    change.add_argument(
        "--out",
        type=Path,
        default=Path("change.html"),
        metavar="FILE",
        help="the page (default: change.html)",
    )
    _site(change)
    _add_executor(change)
    change.set_defaults(run=run_change)


def _site(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--site",
        default=SITE,
        metavar="URL",
        help=f"the Fabletop server at which links open recorded games (default: {SITE}, as `fabletop serve` has it)",
    )


def run_change(arguments: argparse.Namespace) -> int:
    """Compare a changed game with the present one."""
    from fabletop.lab.console import change

    if arguments.deals < 2:
        raise FabletopError("--deals must be at least 2")
    return change(arguments, executor_of(arguments))


# ---------------------------------------------------------------------------------------------- run


def _share(text: str) -> tuple[int, int]:
    from fabletop.lab.runner import parse_share

    try:
        return parse_share(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} should be such as 1/3, the first of three") from None


def _run(kinds: Any) -> None:
    run = kinds.add_parser(
        "run",
        help="play the games of a study",
        description="Play the games of a study and write the results as Parquet files. The same command resumes after "
        "an interruption. The same study gives the same results on any number of processes and on a cluster.",
    )
    run.add_argument(
        "study", type=Path, metavar="STUDY.toml", help="the study; docs/lab.md describes the fields"
    )
    run.add_argument(
        "--out", type=Path, metavar="FOLDER", help="folder for the results (default: the name of the study)"
    )
    run.add_argument(
        "--deals", type=int, metavar="N", help="N deals in every match, instead of those in the file"
    )
    run.add_argument(
        "--part",
        type=_share,
        default=(1, 1),
        metavar="K/N",
        help="only the K-th of N parts, for several machines without a cluster; `fabletop lab merge` joins them",
    )
    _add_executor(run)
    run.set_defaults(run=run_run)


def run_run(arguments: argparse.Namespace) -> int:
    """Run a study."""
    from fabletop.lab.console import study

    if arguments.deals is not None and arguments.deals < 1:
        raise FabletopError("--deals must be at least 1")
    return study(arguments.study, arguments.out, executor_of(arguments), arguments.part, arguments.deals)


def _merge(kinds: Any) -> None:
    merge = kinds.add_parser(
        "merge",
        help="join results of several machines",
        description="Join the results of one study from several folders. A game that is there twice counts once.",
    )
    merge.add_argument(
        "folders", type=Path, nargs="+", metavar="FOLDER", help="results of `fabletop lab run`"
    )
    merge.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="folder for all of them")
    merge.set_defaults(run=run_merge)


def run_merge(arguments: argparse.Namespace) -> int:
    """Join results."""
    from fabletop.lab.results import merge

    results, games, twice = merge(arguments.folders, arguments.out)
    print(
        f"{games} games in {arguments.out}" + (f"; {twice} were there twice and count once" if twice else "")
    )
    missing = results.head["games"] - games
    if missing:
        print(f"{missing} games of the study are still missing")
    return 0


# ---------------------------------------------------------------------------------------------- report


def _report(kinds: Any) -> None:
    report = kinds.add_parser(
        "report",
        help="a page with plots on a game, or on the results of a study",
        description="Write one HTML page with plots: on a game, for which bots play many games, or on the results of "
        "`fabletop lab run`. Everything has its interval, and findings link to recorded games.",
    )
    report.add_argument("what", metavar="WHAT", help=f"{game_names()}, or a folder with results")
    report.add_argument(
        "--games",
        type=int,
        default=1000,
        metavar="N",
        help="deals for each number of seats, of a report on a game (default 1000); what takes longer has fewer",
    )
    report.add_argument(
        "--seed", default="report", help="any text; the same seed gives the same report (default: report)"
    )
    report.add_argument(
        "--out", type=Path, metavar="FILE", help="the page (default: GAME.html, or report.html in the folder)"
    )
    _site(report)
    _add_executor(report)
    report.set_defaults(run=run_report)


def run_report(arguments: argparse.Namespace) -> int:
    """Write a report."""
    from fabletop.lab.console import report

    if arguments.games < 20:
        raise FabletopError("--games must be at least 20: fewer say nothing")
    return report(
        arguments.what,
        arguments.out,
        games=arguments.games,
        seed=arguments.seed,
        executor=executor_of(arguments),
        site=arguments.site,
    )
