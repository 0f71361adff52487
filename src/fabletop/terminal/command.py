"""The commands `fabletop play`, `fabletop replay` and `fabletop cards`."""

import argparse
import sys
from pathlib import Path
from typing import Any

from fabletop.arguments import (
    add_game,
    add_language,
    add_seats,
    add_settings,
    given_options,
    listed,
    title,
)
from fabletop.bots.levels import DEFAULT, LEVELS
from fabletop.core.errors import BadOptions, FabletopError
from fabletop.core.game import offered
from fabletop.core.records import load
from fabletop.games import GAMES, shown


def add_commands(commands: Any) -> None:
    """Add the commands to the command line."""
    _play(commands)
    _replay(commands)
    _cards(commands)


def need_terminal() -> None:
    """Fail with a clear message where there is no terminal."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise FabletopError("this needs a terminal; run it in one, not through a pipe or from a script")


# ---------------------------------------------------------------------------------------------- play


def _play(commands: Any) -> None:
    play = commands.add_parser(
        "play",
        help="play in the terminal",
        usage="fabletop play [-h] [--lang LANG] [--resume FILE] [GAME ...]",
        description="Play in the terminal, against bots or with others at the same screen. Without GAME, a start "
        "screen asks for everything.",
    )
    add_language(play)
    play.add_argument("--resume", type=Path, metavar="FILE", help="continue a saved game")
    play.set_defaults(run=run_play, game=None)
    games = play.add_subparsers(title="games", metavar="GAME", prog="fabletop play")
    for name, game in GAMES.items():
        command = games.add_parser(
            shown(name),
            help=f"play {title(name)}",
            description=f"Play {title(name)} in the terminal. Without options, a start screen asks for them.",
        )
        add_language(command)
        add_seats(command, game)
        command.add_argument(
            "--people", type=int, default=1, metavar="N", help="number of people at this screen (default 1)"
        )
        command.add_argument("--names", metavar="A,B,…", help="names of the seats, separated by commas")
        command.add_argument("--seed", help="any text; the same seed gives the same deal")
        command.add_argument(
            "--bots",
            metavar="A,B,…",
            help=f"one bot for all seats without people, or one for each: {', '.join(LEVELS)} (default {DEFAULT}), or "
            "any bot that `fabletop ladder` takes",
        )
        command.add_argument(
            "--think",
            type=float,
            metavar="SECONDS",
            help="thinking time per choice of the bots that search (default: that of their level)",
        )
        command.add_argument("--watch", action="store_true", help="bots play all seats, and you watch")
        add_settings(command, name, offered(game.settings))
        command.set_defaults(run=run_play, game=name, resume=None)
        games.choices[name] = command  # `fairy_school` as well, without a line in the help


def run_play(arguments: argparse.Namespace) -> None:
    """Open the table in the terminal."""
    from fabletop.terminal.run import play, resume

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


# ---------------------------------------------------------------------------------------------- replay


def _replay(commands: Any) -> None:
    replay = commands.add_parser(
        "replay",
        help="step through a recorded game",
        description="Step through a record, forwards and backwards, from any seat's viewpoint.",
    )
    add_language(replay)
    replay.add_argument("file", type=Path, help="the record")
    replay.add_argument(
        "--seat", type=int, metavar="N", help="viewpoint of this seat, counted from 0 (default: a spectator)"
    )
    replay.add_argument("--log", action="store_true", help="print the log instead of opening the screen")
    replay.set_defaults(run=run_replay)


def run_replay(arguments: argparse.Namespace) -> None:
    """Open a record, or print its log."""
    from fabletop.terminal.run import log_lines, replay

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
    add_language(cards)
    add_game(cards)
    cards.add_argument("words", nargs="*", help="print only cards whose line contains all these words")
    cards.set_defaults(run=run_cards)


def run_cards(arguments: argparse.Namespace) -> int:
    """Print the card list."""
    from fabletop.terminal.cards import print_cards

    return print_cards(GAMES[arguments.game], arguments.words, arguments.lang)
