"""The command `fabletop`: play, replay, cards, serve, admin, mcp, ladder, rate, lab, fuzz, bench."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from fabletop import __version__
from fabletop.bots.levels import DEFAULT, LEVELS
from fabletop.bots.specs import SETTINGS
from fabletop.core.chance import fresh_seed
from fabletop.core.errors import BadOptions, FabletopError
from fabletop.core.game import Game, Setting, offered
from fabletop.core.records import load
from fabletop.envs.command import add_commands as add_env_commands
from fabletop.envs.players import ATTEMPTS, PATIENCE
from fabletop.games import GAMES, game_called, shown
from fabletop.lab.arguments import add_lab, jobs
from fabletop.lang import LANGUAGES, Lexicon, preferred
from fabletop.server.command import add_commands as add_server_commands

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
    _play(commands)
    _replay(commands)
    _cards(commands)
    add_server_commands(commands)
    add_env_commands(commands)
    _ladder(commands)
    _rate(commands)
    add_lab(commands)
    _fuzz(commands)
    _bench(commands)
    return top


def game_id(text: str) -> str:
    """A game by its id; `fairy-school` and `fairy_school` are the same."""
    try:
        return game_called(text).id
    except BadOptions as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def title(game: str) -> str:
    """A game's name in prose."""
    return Lexicon("en")(f"{game}.name.title")


def _language(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--lang",
        choices=LANGUAGES,
        default=preferred(),
        help="language (default: the language of your system)",
    )


def _seats(command: argparse.ArgumentParser, game: Game) -> None:
    counts, default = game.seat_counts, game.options({})["seats"]
    command.add_argument(
        "--seats",
        type=int,
        metavar="N",
        help=f"number of seats, {counts[0]} to {counts[-1]} (default {default})",
    )


# ---------------------------------------------------------------------------------------------- play


def _play(commands: Any) -> None:
    play = commands.add_parser(
        "play",
        help="play in the terminal",
        usage="fabletop play [-h] [--lang LANG] [--resume FILE] [GAME ...]",
        description="Play in the terminal, against bots or with others at the same screen. Without GAME, a start "
        "screen asks for everything.",
    )
    _language(play)
    play.add_argument("--resume", type=Path, metavar="FILE", help="continue a saved game")
    play.set_defaults(run=run_play, game=None)
    games = play.add_subparsers(title="games", metavar="GAME", prog="fabletop play")
    for name, game in GAMES.items():
        one = games.add_parser(
            shown(name),
            help=f"play {title(name)}",
            description=f"Play {title(name)} in the terminal. Without options, a start screen asks for them.",
        )
        _language(one)
        _seats(one, game)
        one.add_argument(
            "--people", type=int, default=1, metavar="N", help="number of people at this screen (default 1)"
        )
        one.add_argument("--names", metavar="A,B,…", help="names of the seats, separated by commas")
        one.add_argument("--seed", help="any text; the same seed gives the same deal")
        one.add_argument(
            "--bots",
            metavar="A,B,…",
            help=f"one bot for all seats without people, or one for each: {', '.join(LEVELS)} (default {DEFAULT}), or "
            "any bot that `fabletop ladder` takes",
        )
        one.add_argument(
            "--think",
            type=float,
            metavar="SECONDS",
            help="thinking time per choice of the bots that search (default: that of their level)",
        )
        one.add_argument("--watch", action="store_true", help="bots play all seats, and you watch")
        for setting in offered(game.settings):
            _add_setting(one, setting, _texts(name, setting))
        one.set_defaults(run=run_play, game=name, resume=None)
        games.choices[name] = one  # `fairy_school` as well, without a line in the help


def _texts(game: str, setting: Setting) -> Mapping[str, str]:
    """The words of the start screen for a setting."""
    return Lexicon("en").table(f"{game}.setting.{setting.name}")


def _add_setting(command: argparse.ArgumentParser, setting: Setting, texts: Mapping[str, str]) -> None:
    """An option of the game, explained in these words."""
    flag = f"--{setting.name}"
    about = texts["help"].rstrip(".")
    if setting.kind == "one":
        each = " ".join(f"{value}: {texts[f'{value}_help']}" for value in setting.values)
        command.add_argument(
            flag, choices=setting.values, help=f"{about} (default: {setting.default}). {each}"
        )
    elif setting.kind == "yes":
        command.add_argument(flag, action="store_true", default=None, help=f"{about} (default: no)")
    elif setting.kind == "number":
        bounds = f"{setting.low} to {setting.high} (default: {setting.default})"
        command.add_argument(flag, type=int, metavar="N", help=f"{about}, {bounds}")
    elif setting.kind == "some":
        text = f"{setting.count} of {', '.join(setting.values)}, separated by commas (default: {setting.default})"
        command.add_argument(flag, metavar="A,B,…", help=text)
    elif setting.kind == "first":
        command.add_argument(
            flag,
            metavar="SEAT",
            help="number of the seat that begins, counted from 0 (default: drawn at random)",
        )
        command.add_argument(
            "--birthdays",
            metavar="MM-DD,…",
            help="one birthday per seat, to decide which seat begins",
        )


def given_options(game: Game, arguments: argparse.Namespace) -> dict[str, Any] | None:
    """The options on the command line, checked; None if there are none, so that the start screen asks."""
    given: dict[str, Any] = {}
    if arguments.seats is not None:
        given["seats"] = arguments.seats
    for setting in game.settings:
        value = getattr(arguments, setting.name, None)
        if setting.kind == "first" and getattr(arguments, "birthdays", None) is not None:
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
    game = GAMES[arguments.game]
    people = 0 if arguments.watch else arguments.people
    names, bots = listed(arguments.names), listed(arguments.bots)
    if arguments.think is not None and not 0 < arguments.think < 3600:
        raise BadOptions(f"--think {arguments.think:g} should be some seconds, such as 0.5 or 10")
    if len(bots) > 1 and arguments.seats is None:
        arguments.seats = people + len(bots)  # as many bots as are named
    options = given_options(game, arguments)
    if options is None and (
        names or bots or arguments.watch or arguments.seed is not None or arguments.think is not None
    ):
        options = game.options({})
    play(
        arguments.game,
        options,
        lang=arguments.lang,
        seed=arguments.seed,
        people=people,
        names=names,
        bots=bots,
        milliseconds=None if arguments.think is None else 1000 * arguments.think,
    )


def listed(text: str | None) -> tuple[str, ...]:
    """The items of a list separated by commas."""
    return tuple(item.strip() for item in text.split(",")) if text else ()


def need_terminal() -> None:
    """Fail with a clear message where there is no terminal."""
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
    replay.add_argument(
        "--seat", type=int, metavar="N", help="viewpoint of this seat, counted from 0 (default: a spectator)"
    )
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
        description="Print the cards of a game, or the cards that match.",
    )
    _language(cards)
    cards.add_argument("game", type=game_id, help=" or ".join(shown(name) for name in GAMES))
    cards.add_argument("words", nargs="*", help="print only cards whose line contains all these words")
    cards.set_defaults(run=run_cards)


def run_cards(arguments: argparse.Namespace) -> int:
    """Print the card list."""
    from fabletop.terminal.cards import print_cards

    return print_cards(GAMES[arguments.game], arguments.words, arguments.lang)


# ---------------------------------------------------------------------------------------------- ladder


def _ladder(commands: Any) -> None:
    ladder = commands.add_parser(
        "ladder",
        help="let bots play each other and rate them",
        usage="fabletop ladder [-h] [--from FILE [FILE ...]] [--markdown] [GAME ...]",
        description="Let bots play each other. Every deal is played with each bot in each seat. Prints ratings, shares "
        "of the victory, points and margins with 95 % intervals. With --from and without GAME, prints the standings "
        "from result files.",
    )
    ladder.add_argument(
        "--from",
        dest="files",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="print the standings from these result files, play nothing",
    )
    _markdown(ladder)
    ladder.set_defaults(run=run_ladder, game=None)
    games = ladder.add_subparsers(title="games", metavar="GAME", prog="fabletop ladder")
    for name, game in GAMES.items():
        one = games.add_parser(
            shown(name),
            help=f"bots play {title(name)}",
            description=f"Bots play {title(name)} against each other. The bots are {', '.join(SETTINGS)}; settings "
            "follow a colon, as in ismcts:milliseconds=1000 or ismcts:iterations=2000:threads=2; or a bot of your own "
            "as module:attribute. The bots rotate through the seats if there are fewer or more bots than seats.",
        )
        one.add_argument(
            "entrants",
            nargs="*",
            metavar="BOT",
            help=f"the bots that play (default: the levels {', '.join(LEVELS)})",
        )
        _seats(one, game)
        one.add_argument("--against", metavar="BOT", help="each bot plays alone against copies of this one")
        one.add_argument(
            "--deals",
            type=int,
            default=5,
            metavar="N",
            help="number of deals, each played in every rotation (default 5)",
        )
        one.add_argument(
            "--seed", default="ladder", help="any text; the same seed gives the same deals (default: ladder)"
        )
        jobs(one)
        one.add_argument(
            "--out",
            type=Path,
            metavar="FILE",
            help="append every game to FILE as a line of JSON; games already in FILE are not played again",
        )
        one.add_argument(
            "--records",
            type=Path,
            metavar="FOLDER",
            help="save the record of every game there; `fabletop replay` opens them",
        )
        _markdown(one)
        for setting in game.settings:
            if (
                setting.kind != "first"
            ):  # every bot sits in every seat, so it does not matter which seat begins
                _add_setting(one, setting, _texts(name, setting))
        one.set_defaults(run=run_ladder, game=name, files=None)
        games.choices[name] = one


def _markdown(command: argparse.ArgumentParser) -> None:
    command.add_argument("--markdown", action="store_true", help="print the tables as Markdown")


def run_ladder(arguments: argparse.Namespace) -> int:
    """Play a ladder, or print the standings from files."""
    from fabletop.lab import command

    if arguments.game is None:
        if not arguments.files:
            raise FabletopError("ladder needs a game, or --from and result files")
        return command.sum_up(arguments.files, arguments.markdown)
    if arguments.deals < 1 or arguments.jobs < 1:
        raise FabletopError("--deals and --jobs must be at least 1")
    return command.ladder(
        arguments.game,
        given_options(GAMES[arguments.game], arguments) or {},
        arguments.entrants or list(LEVELS),
        against=arguments.against,
        deals=arguments.deals,
        seed=arguments.seed,
        processes=arguments.jobs,
        out=arguments.out,
        records=arguments.records,
        as_page=arguments.markdown,
    )


# ---------------------------------------------------------------------------------------------- rate


def _rate(commands: Any) -> None:
    rate = commands.add_parser(
        "rate",
        help="rate a player, program or language model against the four levels",
        description="Rate a player on fixed deals, alone against each of the four levels, in every seat. Prints "
        "victories, margins and ratings with 95 % intervals. The player is a bot as `fabletop ladder` takes it, "
        "module:attribute for one of your own, or 'command:PROGRAM ARGUMENTS' for a program that reads questions as "
        "lines of JSON and answers with lines of text; docs/language-models.md explains both.",
    )
    rate.add_argument("game", type=game_id, help=" or ".join(shown(name) for name in GAMES))
    rate.add_argument("player", metavar="PLAYER", help="the player to rate")
    rate.add_argument(
        "--against",
        metavar="BOT,…",
        default=",".join(LEVELS),
        help=f"the opponents, separated by commas (default: {','.join(LEVELS)})",
    )
    rate.add_argument("--seats", type=int, default=2, metavar="N", help="number of seats (default 2)")
    rate.add_argument(
        "--deals",
        type=int,
        default=10,
        metavar="N",
        help="number of deals, each played against every opponent in every seat (default 10)",
    )
    rate.add_argument(
        "--seed", default="rate", help="any text; the same seed gives the same deals (default: rate)"
    )
    jobs(rate)
    rate.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="append every game to FILE as a line of JSON; games already in FILE are not played again",
    )
    rate.add_argument(
        "--lang", choices=LANGUAGES, default="en", help="language that a player in words reads (default: en)"
    )
    rate.add_argument(
        "--attempts",
        type=int,
        default=ATTEMPTS,
        metavar="N",
        help=f"answers to one question before any option is taken (default {ATTEMPTS})",
    )
    rate.add_argument(
        "--patience",
        type=float,
        default=PATIENCE,
        metavar="SECONDS",
        help=f"how long a program may take for an answer (default {PATIENCE:g})",
    )
    rate.set_defaults(run=run_rate)


def run_rate(arguments: argparse.Namespace) -> int:
    """Rate a player."""
    from fabletop.lab.rate import rate

    if min(arguments.deals, arguments.jobs, arguments.attempts) < 1 or not arguments.patience > 0:
        raise FabletopError("--deals, --jobs and --attempts must be at least 1, --patience more than 0")
    return rate(
        arguments.game,
        arguments.player,
        listed(arguments.against),
        seats=arguments.seats,
        deals=arguments.deals,
        seed=arguments.seed,
        processes=arguments.jobs,
        out=arguments.out,
        lang=arguments.lang,
        attempts=arguments.attempts,
        patience=arguments.patience,
    )


# ---------------------------------------------------------------------------------------------- fuzz


def _fuzz(commands: Any) -> None:
    fuzz = commands.add_parser(
        "fuzz",
        help="look for faults with random games",
        description="Play random games with all options and look for crashes, dead ends, endless games and lost "
        "cards. Saves each finding as a record.",
    )
    fuzz.add_argument("game", type=game_id, help=" or ".join(shown(name) for name in GAMES))
    fuzz.add_argument("--games", type=int, default=1000, metavar="N", help="number of games (default 1000)")
    fuzz.add_argument("--seed", help="any text; the same seed gives the same games (default: a new one)")
    jobs(fuzz)
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
