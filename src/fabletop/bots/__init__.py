"""Bots: each gets its view and its choice, nothing else, and answers with an action number."""

from typing import Protocol

from fabletop.core.game import Choice, View


class Bot(Protocol):
    """A player that answers choices."""

    def choose(self, view: View, choice: Choice) -> int:
        """One of the options of the choice."""
