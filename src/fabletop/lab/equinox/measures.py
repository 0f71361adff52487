"""What the lab notes of a game of Equinox."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from fabletop.core.sitting import Sitting
from fabletop.games.equinox import constants as c
from fabletop.games.equinox.engine import State
from fabletop.lab.facts import ALL, Fact, counted
from fabletop.lang import Lexicon

COUNTED = {
    c.POWER_USED: "power_used",
    c.POWER_DECLINED: "power_declined",
    c.PREDICTED: "predicted",
    c.CHAMELEON_PLAYED: "chameleon",
}
"""Events with a seat and a creature that are counted, and under which name."""
PLACE = {number: 3 if number == c.CHAMELEON_PLAYED else 2 for number in COUNTED}


LABELS = {
    "creatures_left": "creatures left at the end",
    "secret": "secret predictions",
    "power_used": "power used",
    "power_declined": "power declined",
    "power_offered": "power could be used",
    "predicted": "predicted",
    "chameleon": "chameleon played as it",
    "survived": "survived",
}
"""How a page calls the facts."""
PLAIN = ("creatures_left", "secret", "first")
"""The facts of which there is one value a game or a seat."""
RATES = {"survived": "present", "power_used": "power_offered"}
"""What is also shown as a share of something else."""
SEATS = (2, 3, 4, 5)
"""The numbers of seats that a report looks at."""
SETS = ""
HEADINGS = {"survived": "Who survives", "power_used": "Which powers are used"}
LEVELS = ("thumbling", "gretel", "puss:iterations=30", "queen:iterations=150")
"""The four levels with a fixed number of iterations, so that a report is the same on every machine."""
LEVELS_PART = 50
"""One deal of the levels for N games of greedy bots."""
MARKS: tuple[dict[str, Any], ...] = ()
ABOUT = "creature"
"""What most facts are about."""


def title(thing: str) -> str:
    """A creature as a page calls it."""
    return Lexicon("en")(f"equinox.creature.{thing}") if thing in c.CREATURE_IDS else thing


def judged(thing: str) -> bool:
    """Is a mark about this creature? About all of them."""
    return True


def facts(sitting: Sitting) -> Iterator[Fact]:
    """Which creatures take part and survive, whose powers are used and declined, what is predicted; who begins."""
    seen: Counter[tuple[str, str, int]] = Counter()
    gone: dict[int, int] = {}
    there: list[int] = []
    first = ALL
    for row in sitting.rows:
        kind = row[0]
        if kind in COUNTED:
            seen[COUNTED[kind], c.CREATURE_IDS[row[PLACE[kind]]], row[1]] += 1
            if kind in (c.POWER_USED, c.POWER_DECLINED):
                seen["power_offered", c.CREATURE_IDS[row[2]], row[1]] += 1
        elif kind == c.PREDICTED_SECRETLY:
            seen["secret", "", row[1]] += 1
        elif kind == c.GAME_BEGAN:
            there = list(row[1:])
        elif kind == c.TURN_BEGAN and first == ALL:
            first = row[1]
        elif kind == c.ELIMINATED:
            gone[row[1]] = row[2]
    yield from counted(seen)
    yield Fact("first", "", first, 1)
    yield Fact("creatures_left", "", ALL, len(there) - len(gone))
    for creature in there:
        yield Fact("present", c.CREATURE_IDS[creature], ALL, 1)
        yield Fact("survived", c.CREATURE_IDS[creature], ALL, creature not in gone)


def things() -> dict[str, list[str]]:
    """Everything that could appear in a fact of these names, so that a report can say what never did."""
    powers = [name for name, ask in zip(c.CREATURE_IDS, c.POWER_ASKS, strict=True) if ask]
    return {"power_used": powers, "survived": list(c.CREATURE_IDS), "predicted": list(c.CREATURE_IDS)}


def points_now(state: State) -> list[float]:
    """The points of each seat if the game ended now."""
    return [halves / 2 for halves in state.half_points()]
