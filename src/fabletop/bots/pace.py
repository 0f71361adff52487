"""How a level that searches thinks about a choice: for a share of its time, by the kind of the choice and the seats.

Choices differ in what there is to find, and a person waits for all of them. Both the kind of a choice and the number of
seats are known to everybody at the table, so how long an answer takes tells nothing. Each game has its shares in
`bots/<game>/pace.py`, and how far below the best an option is good enough for a level that does not look for the best.
"""

from functools import cache
from importlib import import_module
from typing import Any

from fabletop.core.game import View


@cache
def share(game: str, kind: str, seats: int) -> float:
    """The share of a level's thinking time for a choice of this kind, 0 to 1. Without any, knowledge alone decides."""
    paced: Any = import_module(f"fabletop.bots.{game}.pace")
    found: float = paced.SHARES.get(kind, paced.OTHER) * paced.crowd(seats)
    return found


def share_of(view: View, kind: str) -> float:
    """The same for a seat that sees this."""
    seats: int = view["seats"] if isinstance(view.get("seats"), int) else view["options"]["seats"]
    return share(view["game"], kind, seats)


def whole(game: str, kind: str) -> frozenset[str]:
    """The kinds of choices that are parts of one decision with this kind; none where it is a decision of its own."""
    paced: Any = import_module(f"fabletop.bots.{game}.pace")
    return next((kinds for kinds in paced.WHOLE if kind in kinds), frozenset())


@cache
def tolerance(game: str) -> float:
    """The reward that a level with a `slack` of one may give away in a choice."""
    paced: Any = import_module(f"fabletop.bots.{game}.pace")
    found: float = paced.TOLERANCE
    return found
