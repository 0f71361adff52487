"""The command `fabletop`: play, replay, cards, serve, admin, mcp, ladder, rate, lab, fuzz, bench."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fabletop import __version__
from fabletop.arguments import add_game, add_jobs
from fabletop.core.chance import fresh_seed
from fabletop.core.errors import FabletopError
from fabletop.envs.command import add_commands as add_env_commands
from fabletop.games import shown
from fabletop.lab.command import add_commands as add_lab_commands
from fabletop.lab.rating_command import add_commands as add_rating_commands
from fabletop.server.command import add_commands as add_server_commands
from fabletop.terminal.command import add_commands as add_terminal_commands

FUZZ_FOLDER = Path("findings")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command. Exit codes: 0 success, 1 a fault was found or the command failed, 2 wrong usage."""
    top = parser()
    arguments, rest = top.parse_known_args(argv)
    if arguments.run is run_bench:
        arguments.rest = rest
    elif rest:
        top.error(f"unknown arguments: {' '.join(rest)}")
    if arguments.run is None:
        top.print_help()
        return 0
    try:
        return int(arguments.run(arguments) or 0)
    except FabletopError as error:
        print(f"fabletop: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def parser() -> argparse.ArgumentParser:
    """The whole command line. docs/commands.md is generated from its help texts."""
    top = argparse.ArgumentParser(
        prog="fabletop",
        description="Play, host and study two fairy-tale board games. `fabletop COMMAND --help` explains a command.",
    )
    top.add_argument("--version", action="version", version=f"fabletop {__version__}")
    top.set_defaults(run=None)
    commands = top.add_subparsers(title="commands", metavar="COMMAND")
    add_terminal_commands(commands)
    add_server_commands(commands)
    add_env_commands(commands)
    add_rating_commands(commands)
    add_lab_commands(commands)
    _fuzz(commands)
    _bench(commands)
    return top


# ---------------------------------------------------------------------------------------------- fuzz


def _fuzz(commands: Any) -> None:
    fuzz = commands.add_parser(
        "fuzz",
        help="look for faults with random games",
        description="Play random games with all options and look for crashes, dead ends, endless games and lost "
        "cards. Saves each finding as a record.",
    )
    add_game(fuzz)
    fuzz.add_argument("--games", type=int, default=1000, metavar="N", help="number of games (default 1000)")
    fuzz.add_argument("--seed", help="any text; the same seed gives the same games (default: a new one)")
    add_jobs(fuzz)
    fuzz.add_argument(
        "--out",
        type=Path,
        default=FUZZ_FOLDER,
        metavar="FOLDER",
        help=f"folder for the findings (default: {FUZZ_FOLDER})",
    )
    fuzz.set_defaults(run=run_fuzz)


def run_fuzz(arguments: argparse.Namespace) -> int:
    """Fuzz with a progress bar; 1 if something was found."""
    from rich.console import Console
    from rich.progress import track

    from fabletop.fuzz import fuzz

    if arguments.games < 1 or arguments.jobs < 1:
        raise FabletopError("--games and --jobs must be at least 1")
    seed = arguments.seed or fresh_seed()[:12]
    console, actions, findings = Console(stderr=True), 0, 0
    runs = fuzz(arguments.game, arguments.games, seed, arguments.jobs)
    for run in track(runs, total=arguments.games, description=shown(arguments.game), console=console):
        actions += run.actions
        if run.finding is not None:
            findings += 1
            console.print(f"{run.finding.what}\n  saved as {run.finding.save(arguments.out)}", markup=False)
    verdict = f"{findings} findings" if findings else "nothing found"
    print(f"{arguments.games} games of {shown(arguments.game)}, {actions} actions, seed {seed}: {verdict}")
    return 1 if findings else 0


# ---------------------------------------------------------------------------------------------- bench


def _bench(commands: Any) -> None:
    bench = commands.add_parser(
        "bench",
        help="measure the engines and compare them with other libraries",
        description="Measure the engines and compare them with other libraries in one run. Needs a checkout of the "
        "repository. Options, such as --quick, are passed on; `python -m bench --help` lists them.",
    )
    bench.set_defaults(run=run_bench)


def run_bench(arguments: argparse.Namespace) -> int:
    """Run the package `bench` of the checkout."""
    home = Path(__file__).resolve().parents[2]
    if not (home / "bench" / "__main__.py").exists():
        raise FabletopError(
            "the benchmarks are in the repository, not in the installed package; use a checkout"
        )
    sys.path.insert(0, str(home))
    from bench.__main__ import main as run

    return int(run(arguments.rest) or 0)
