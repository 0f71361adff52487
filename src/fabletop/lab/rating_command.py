"""The commands `fabletop ladder` and `fabletop rate`. Nothing heavy is imported before a command runs."""

import argparse
from pathlib import Path
from typing import Any

from fabletop.arguments import add_jobs, add_seats, add_settings, given_options, listed, title
from fabletop.bots.levels import LEVELS
from fabletop.bots.specs import SETTINGS
from fabletop.core.errors import FabletopError
from fabletop.envs.players import ATTEMPTS, PATIENCE
from fabletop.games import GAMES, shown
from fabletop.lang import LANGUAGES


def add_commands(commands: Any) -> None:
    """Add the commands to the command line."""
    _ladder(commands)
    _rate(commands)


def _add_games(command: argparse.ArgumentParser, deals: int, seed: str, each: str) -> None:
    """Which games are played, and where they are kept."""
    command.add_argument(
        "--deals",
        type=int,
        default=deals,
        metavar="N",
        help=f"number of deals, each played {each} (default {deals})",
    )
    command.add_argument(
        "--seed", default=seed, help=f"any text; the same seed gives the same deals (default: {seed})"
    )
    add_jobs(command)
    command.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="append every game to FILE as a line of JSON; games already in FILE are not played again",
    )


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
        command = games.add_parser(
            shown(name),
            help=f"bots play {title(name)}",
            description=f"Bots play {title(name)} against each other. The bots are {', '.join(SETTINGS)}; settings "
            "follow a colon, as in ismcts:milliseconds=1000 or ismcts:iterations=2000:threads=2; or a bot of your own "
            "as module:attribute. The bots rotate through the seats if there are fewer or more bots than seats.",
        )
        command.add_argument(
            "entrants",
            nargs="*",
            metavar="BOT",
            help=f"the bots that play (default: the levels {', '.join(LEVELS)})",
        )
        add_seats(command, game)
        command.add_argument(
            "--against", metavar="BOT", help="each bot plays alone against copies of this one"
        )
        _add_games(command, deals=5, seed="ladder", each="in every rotation")
        command.add_argument(
            "--records",
            type=Path,
            metavar="FOLDER",
            help="save the record of every game there; `fabletop replay` opens them",
        )
        _markdown(command)
        # Every bot sits in every seat, so it does not matter which seat begins.
        add_settings(command, name, (setting for setting in game.settings if setting.kind != "first"))
        command.set_defaults(run=run_ladder, game=name, files=None)
        games.choices[name] = command


def _markdown(command: argparse.ArgumentParser) -> None:
    command.add_argument("--markdown", action="store_true", help="print the tables as Markdown")


def run_ladder(arguments: argparse.Namespace) -> int:
    """Play a ladder, or print the standings from files."""
    from fabletop.lab import console

    if arguments.game is None:
        if not arguments.files:
            raise FabletopError("ladder needs a game, or --from and result files")
        return console.sum_up(arguments.files, arguments.markdown)
    if arguments.deals < 1 or arguments.jobs < 1:
        raise FabletopError("--deals and --jobs must be at least 1")
    return console.ladder(
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
    games = rate.add_subparsers(title="games", metavar="GAME", required=True)
    for name, game in GAMES.items():
        command = games.add_parser(
            shown(name),
            help=f"rate a player of {title(name)}",
            description=f"Rate a player of {title(name)}, alone against each opponent in every seat.",
        )
        _add_player(command)
        add_settings(command, name, (setting for setting in game.settings if setting.kind != "first"))
        command.set_defaults(run=run_rate, game=name)
        games.choices.update({name: command, title(name): command})


def _add_player(rate: argparse.ArgumentParser) -> None:
    """Who plays whom, and how."""
    rate.add_argument("player", metavar="PLAYER", help="the player to rate")
    rate.add_argument(
        "--against",
        metavar="BOT,…",
        default=",".join(LEVELS),
        help=f"the opponents, separated by commas (default: {','.join(LEVELS)})",
    )
    rate.add_argument("--seats", type=int, default=2, metavar="N", help="number of seats (default 2)")
    _add_games(rate, deals=10, seed="rate", each="against every opponent in every seat")
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


def run_rate(arguments: argparse.Namespace) -> int:
    """Rate a player."""
    from fabletop.lab.rate import rate

    if min(arguments.deals, arguments.jobs, arguments.attempts) < 1 or not arguments.patience > 0:
        raise FabletopError("--deals, --jobs and --attempts must be at least 1, --patience more than 0")
    return rate(
        arguments.game,
        arguments.player,
        listed(arguments.against),
        options=given_options(GAMES[arguments.game], arguments) or {},
        deals=arguments.deals,
        seed=arguments.seed,
        processes=arguments.jobs,
        out=arguments.out,
        lang=arguments.lang,
        attempts=arguments.attempts,
        patience=arguments.patience,
    )
