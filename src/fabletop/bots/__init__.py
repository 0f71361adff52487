"""Bots: each gets its view and its choice, nothing else, and answers with an action number."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from fabletop.core.chance import Chance
from fabletop.core.game import Choice, View


class Bot(Protocol):
    """A player that answers choices."""

    def choose(self, view: View, choice: Choice) -> int:
        """One of the options of the choice."""


class Policy(NamedTuple):
    """How a bot decides that needs nothing but its game's knowledge and chance: what `player` plays from the record.

    `slack` points below the best are good enough, None for any option; a share `stray` of the choices is made at
    random; `weights` stand in for those of the knowledge; with `learned` a net corrects its scores.
    """

    chance: Chance
    slack: float | None
    stray: float = 0.0
    weights: Mapping[str, int] | None = None
    learned: bool = False
