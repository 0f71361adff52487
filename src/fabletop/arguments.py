"""Arguments that several commands share: games, seats, options of a game, languages, processes."""

import argparse
import os
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from fabletop.core.errors import BadOptions
from fabletop.core.game import Game, Setting
from fabletop.games import GAMES, game_called, shown
from fabletop.lang import LANGUAGES, Lexicon, preferred


def game_id(text: str) -> str:
    """A game by its id; `fairy-school` and `fairy_school` are the same."""
    try:
        return game_called(text).id
    except BadOptions as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def add_game(command: argparse.ArgumentParser) -> None:
    """The game that the command is about."""
    command.add_argument("game", type=game_id, help=game_names())


def game_names() -> str:
    """The games as they are written on the command line."""
    return " or ".join(shown(name) for name in GAMES)


def title(game: str) -> str:
    """A game's name in prose."""
    return Lexicon("en")(f"{game}.name.title")


def add_language(command: argparse.ArgumentParser) -> None:
    """The language, by default that of the system."""
    command.add_argument(
        "--lang",
        choices=LANGUAGES,
        default=preferred(),
        help="language (default: the language of your system)",
    )


def add_seats(command: argparse.ArgumentParser, game: Game) -> None:
    """The number of seats; None where it is not given."""
    counts, default = game.seat_counts, game.options({})["seats"]
    command.add_argument(
        "--seats",
        type=int,
        metavar="N",
        help=f"number of seats, {counts[0]} to {counts[-1]} (default {default})",
    )


def add_jobs(command: argparse.ArgumentParser) -> None:
    """The number of processes."""
    command.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        metavar="N",
        help="number of processes (default: one per core)",
    )


def listed(text: str | None) -> tuple[str, ...]:
    """The items of a list separated by commas."""
    return tuple(item.strip() for item in text.split(",")) if text else ()


def add_settings(command: argparse.ArgumentParser, game: str, settings: Iterable[Setting]) -> None:
    """The options of a game, explained in the words of the start screen."""
    for setting in settings:
        add_setting(command, setting, Lexicon("en").table(f"{game}.setting.{setting.name}"))


def add_setting(command: argparse.ArgumentParser, setting: Setting, texts: Mapping[str, str]) -> None:
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
            days = list(listed(arguments.birthdays))
            value = {"birthdays": days, "today": date.today().isoformat()}  # noqa: DTZ011 - the player's own calendar
            given.setdefault("seats", len(days))
        elif setting.kind == "first" and value is not None and value != setting.default:
            value = _seat_number(value)
        elif setting.kind == "some" and value is not None and value != setting.default:
            value = list(listed(value))
        if value is not None:
            given[setting.name] = value
    return game.options(given) if given else None


def _seat_number(text: str) -> int:
    if not text.isdigit():
        raise BadOptions(f"{text!r} is not a seat number: the first seat is 0")
    return int(text)
