"""Facts of a game: small numbers with a name, what they are about, and the seat. Each game has its own
(`lab/<game>/measures.py`); everything that studies them is the same for all games."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, NamedTuple

from fabletop.core.errors import BadOptions
from fabletop.games import shown

ALL = -1
"""The seat of a fact that is about the whole game."""


class Fact(NamedTuple):
    """`kept` of card `88` by seat 2: once."""

    name: str
    thing: str
    seat: int
    value: float


def counted(seen: Mapping[tuple[str, str, int], int]) -> Iterator[Fact]:
    """Counts as facts, in a fixed order."""
    for (name, thing, seat), count in sorted(seen.items()):
        yield Fact(name, thing, seat, count)


def measures_of(game: str) -> Any:
    """The module with the measures of a game."""
    return import_module(f"fabletop.lab.{game}.measures")


def checked_cards(game: str, text: str, file: str) -> str:
    """The text of a card file, if the game has such files and reads it."""
    module = measures_of(game)
    if not hasattr(module, "check_cards"):
        raise BadOptions(
            f"{shown(game)} has no card file: its cards are part of its rules; use `--set` instead"
        )
    module.check_cards(text, file)
    return text


def cards_variable(game: str) -> str:
    """The environment variable that gives a process other cards."""
    name: str = measures_of(game).CARDS_VARIABLE
    return name
