"""The command `fabletop`: play, replay, cards, fuzz, bench."""

import argparse
import os
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from fabletop import __version__
from fabletop.core.chance import fresh_seed
from fabletop.core.errors import BadOptions, FabletopError
from fabletop.core.game import Game, Setting
from fabletop.core.records import load
from fabletop.games import GAMES
from fabletop.lang import LANGUAGES, preferred

FUZZ_FOLDER = Path("findings")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code: 0 well, 1 something was found or cannot be done, 2 the command line is wrong."""
    top = parser()
    arguments, rest = top.parse_known_args(argv)
    if arguments.run is run_bench:
        arguments.rest = rest
    elif rest:
        top.error(f"unknown arguments: {' '.join(rest)}")
    try:
        return int(arguments.run(arguments) or 0)
    except FabletopError as error:
        print(f"fabletop: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def parser() -> argparse.ArgumentParser:
    """The whole command line. docs/commands.md is made from its help texts."""
    top = argparse.ArgumentParser(prog="fabletop", description="A table for two fairy-tale board games.")
    top.add_argument("--version", action="version", version=f"fabletop {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _play(commands)
    _replay(commands)
    _cards(commands)
    _fuzz(commands)
    _bench(commands)
    return top


def game_id(text: str) -> str:
    """A game by its id; `fairy-school` and `fairy_school` are the same."""
    found = text.lower().replace("-", "_")
    if found not in GAMES:
        names = ", ".join(shown(name) for name in GAMES)
        raise argparse.ArgumentTypeError(f"there is no game {text!r}; choose one of {names}")
    return found


def shown(game: str) -> str:
    """A game's id as one types it."""
    return game.replace("_", "-")


def _language(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--lang", choices=LANGUAGES, default=preferred(), help="language (default: that of the environment)"
    )


# ---------------------------------------------------------------------------------------------- play


def _play(commands: Any) -> None:
    play = commands.add_parser(
        "play",
        help="play in the terminal",
        description="Play in the terminal, against bots or with others at the same screen. Without a game, it asks.",
    )
    _language(play)
    play.add_argument("--resume", type=Path, metavar="FILE", help="go on with a saved game")
    play.set_defaults(run=run_play, game=None)
    games = play.add_subparsers(title="games", metavar="GAME")
    for name, game in GAMES.items():
        one = games.add_parser(
            shown(name), help=f"play {shown(name)}", description=f"Play {shown(name)} in the terminal."
        )
        _language(one)
        counts = game.seat_counts
        one.add_argument("--seats", type=int, metavar="N", help=f"{counts[0]} to {counts[-1]} seats")
        one.add_argument(
            "--people", type=int, default=1, metavar="N", help="how many people share this screen (default 1)"
        )
        one.add_argument("--names", metavar="A,B,…", help="names of the seats, separated by commas")
        one.add_argument("--seed", help="any text; the same seed gives the same deal")
        for setting in game.settings:
            _add_setting(one, setting)
        one.set_defaults(run=run_play, game=name, resume=None)


def _add_setting(command: argparse.ArgumentParser, setting: Setting) -> None:
    flag = f"--{setting.name}"
    if setting.kind == "one":
        command.add_argument(flag, choices=setting.values, help=f"default: {setting.default}")
    elif setting.kind == "yes":
        command.add_argument(flag, action="store_true", default=None, help="yes (default: no)")
    elif setting.kind == "some":
        text = f"{setting.count} of {', '.join(setting.values)}, separated by commas (default: {setting.default})"
        command.add_argument(flag, metavar="A,B,…", help=text)
    elif setting.kind == "first":
        command.add_argument(
            flag, metavar="SEAT", help=f"the number of the seat that begins (default: {setting.default})"
        )
        command.add_argument(
            "--birthdays",
            metavar="MM-DD,…",
            help="one birthday per seat decides who begins",
        )


def given_options(game: Game, arguments: argparse.Namespace) -> dict[str, Any] | None:
    """The options that the command line gives, checked; None if it gives none, so that a person can be asked."""
    given: dict[str, Any] = {}
    if arguments.seats is not None:
        given["seats"] = arguments.seats
    for setting in game.settings:
        value = getattr(arguments, setting.name)
        if setting.kind == "first" and arguments.birthdays is not None:
            days = [day.strip() for day in arguments.birthdays.split(",")]
            value = {"birthdays": days, "today": date.today().isoformat()}  # noqa: DTZ011 - the player's own calendar
            given.setdefault("seats", len(days))
        elif setting.kind == "first" and value is not None and value != setting.default:
            value = _seat_number(value)
        elif setting.kind == "some" and value is not None and value != setting.default:
            value = [item.strip() for item in value.split(",")]
        if value is not None:
            given[setting.name] = value
    return game.options(given) if given else None


def _seat_number(text: str) -> int:
    if not text.isdigit():
        raise BadOptions(f"{text!r} is not a seat number: the first seat is 0")
    return int(text)


def run_play(arguments: argparse.Namespace) -> None:
    """Open the table in the terminal."""
    from fabletop.terminal import play, resume

    need_terminal()
    if arguments.resume is not None:
        resume(load(arguments.resume), arguments.resume, arguments.lang)
        return
    if arguments.game is None:
        play(None, None, lang=arguments.lang, seed=None, people=1, names=())
        return
    options = given_options(GAMES[arguments.game], arguments)
    if options is None and (arguments.seed is not None or arguments.names is not None):
        options = GAMES[arguments.game].options({})
    names = tuple(name.strip() for name in arguments.names.split(",")) if arguments.names else ()
    play(
        arguments.game,
        options,
        lang=arguments.lang,
        seed=arguments.seed,
        people=arguments.people,
        names=names,
    )


def need_terminal() -> None:
    """A clear word where there is no terminal to draw on."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise FabletopError("this needs a terminal; run it in one, not through a pipe or from a script")


# ---------------------------------------------------------------------------------------------- replay


def _replay(commands: Any) -> None:
    replay = commands.add_parser(
        "replay",
        help="step through a recorded game",
        description="Step through a record, forwards and backwards, from any seat's viewpoint.",
    )
    _language(replay)
    replay.add_argument("file", type=Path, help="the record")
    replay.add_argument("--seat", type=int, metavar="N", help="whose viewpoint (default: a spectator's)")
    replay.add_argument("--log", action="store_true", help="print the log instead of opening the screen")
    replay.set_defaults(run=run_replay)


def run_replay(arguments: argparse.Namespace) -> None:
    """Open a record, or print its log."""
    from fabletop.terminal import log_lines, replay

    record = load(arguments.file)
    if arguments.log:
        for line in log_lines(record, arguments.seat, arguments.lang):
            print(line)
        return
    need_terminal()
    replay(record, arguments.seat, arguments.lang)


# ---------------------------------------------------------------------------------------------- cards


def _cards(commands: Any) -> None:
    cards = commands.add_parser(
        "cards",
        help="print and search the cards of a game",
        description="Print the cards of a game, or those that match.",
    )
    _language(cards)
    cards.add_argument("game", type=game_id, help=" or ".join(shown(name) for name in GAMES))
    cards.add_argument("words", nargs="*", help="only cards in whose line all these words occur")
    cards.set_defaults(run=run_cards)


def run_cards(arguments: argparse.Namespace) -> int:
    """Print the card list."""
    from fabletop.terminal.cards import print_cards

    return print_cards(GAMES[arguments.game], arguments.words, arguments.lang)


# ---------------------------------------------------------------------------------------------- fuzz


def _fuzz(commands: Any) -> None:
    fuzz = commands.add_parser(
        "fuzz",
        help="hunt for faults with random games",
        description="Play random games with all options; look for crashes, dead ends, endless games and lost things.",
    )
    fuzz.add_argument("game", type=game_id, help=" or ".join(shown(name) for name in GAMES))
    fuzz.add_argument("--games", type=int, default=1000, metavar="N", help="how many games (default 1000)")
    fuzz.add_argument("--seed", help="any text; the same seed gives the same games (default: a fresh one)")
    fuzz.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes (default: all cores)"
    )
    fuzz.add_argument(
        "--out",
        type=Path,
        default=FUZZ_FOLDER,
        metavar="FOLDER",
        help=f"where findings go (default {FUZZ_FOLDER})",
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
    console, actions, found = Console(stderr=True), 0, 0
    runs = fuzz(arguments.game, arguments.games, seed, arguments.jobs)
    for run in track(runs, total=arguments.games, description=shown(arguments.game), console=console):
        actions += run.actions
        if run.finding is not None:
            found += 1
            console.print(f"{run.finding.what}\n  saved as {run.finding.save(arguments.out)}", markup=False)
    verdict = f"{found} findings" if found else "nothing found"
    print(f"{arguments.games} games of {shown(arguments.game)}, {actions} actions, seed {seed}: {verdict}")
    return 1 if found else 0


# ---------------------------------------------------------------------------------------------- bench


def _bench(commands: Any) -> None:
    bench = commands.add_parser(
        "bench",
        help="measure the engines beside their peers",
        description="Measure the engines side by side with other libraries in one run. Needs a checkout. "
        "Options, such as --quick, are passed on; `python -m bench --help` lists them.",
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
