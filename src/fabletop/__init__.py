"""Fabletop: a table for two fairy-tale board games, Equinox and Fairy School.

The library in one breath: `GAMES` holds the games, a `Sitting` is a game being played, a `Record` replays it.
"""

from typing import TYPE_CHECKING, Any

from fabletop import pure as pure  # first of all: it decides how the engines are loaded
from fabletop.core.chance import Chance, commitment, verify
from fabletop.core.errors import BadOptions, BadRecord, BadText, CannotUndo, FabletopError, NotOffered
from fabletop.core.events import Event
from fabletop.core.game import Choice, Game, Outcome
from fabletop.core.records import Record, load
from fabletop.core.sitting import Sitting, replay

if TYPE_CHECKING:
    from fabletop.games import GAMES, game_called

__version__ = "0.1.0"

__all__ = [
    "GAMES",
    "BadOptions",
    "BadRecord",
    "BadText",
    "CannotUndo",
    "Chance",
    "Choice",
    "Event",
    "FabletopError",
    "Game",
    "NotOffered",
    "Outcome",
    "Record",
    "Sitting",
    "commitment",
    "game_called",
    "load",
    "replay",
    "verify",
]


def __getattr__(name: str) -> Any:
    """The games are loaded when they are first asked for, so that a mistake in a card file meets the command, which
    reports it in one line, and not an import."""
    if name not in ("GAMES", "game_called"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from fabletop import games

    return getattr(games, name)
