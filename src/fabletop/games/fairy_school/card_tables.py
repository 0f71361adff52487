"""The cards as flat tables of small numbers: what engine and bots work with, made once from `cards.txt`.

A row is a line of a card, `card * 2 + line`; a card with one line has an empty second row. Compiled modules copy a
table into a C array of their own (`OP = list(card_tables.OP)`, with the size in their .pxd), so that a changed card
file needs no compiler.
"""

from __future__ import annotations

from fabletop.games.fairy_school.algebra import Line, Special, Transformation
from fabletop.games.fairy_school.cards import BEGINNER_PROJECTS, CARDS, FINALS, SET_LETTERS, SETS
from fabletop.games.fairy_school.constants import (
    ALTERNATIVES,
    ELEMENTS,
    NO_ELEMENT,
    OP_BANISH,
    OP_GAIN,
    OP_NONE,
    OP_RECALL,
    OP_REPEAT,
    OP_SCOUT,
    OP_STUDY,
    STEPS_LONG,
)

NOTHING = (0,) * ELEMENTS
OPS = {"recall": OP_RECALL, "scout": OP_SCOUT, "repeat": OP_REPEAT, "banish": OP_BANISH, "study": OP_STUDY}
LINES: tuple[Line | None, ...] = tuple(
    card.effect.lines[i] if i < len(card.effect.lines) else None for card in CARDS for i in (0, 1)
)


def operation(line: Line | None) -> int:
    """What a line does: one of the OP_ numbers."""
    if line is None:
        return OP_NONE
    return OPS[line.kind] if isinstance(line, Special) else OP_GAIN


def alternatives(line: Line | None) -> int:
    """How many gains there are to choose from."""
    return 0 if line is None or isinstance(line, Special) else len(line.options)


def gains(line: Line | None) -> list[int]:
    """The gains of a line, one after the other, filled up to the most that a line can have."""
    options = [] if line is None or isinstance(line, Special) else [n for some in line.options for n in some]
    return options + [0] * (ALTERNATIVES * ELEMENTS - len(options))


def bonus(line: Line | None) -> int:
    """The element that a special line gives."""
    return line.bonus if isinstance(line, Special) and line.bonus is not None else NO_ELEMENT


def exchange(line: Line | None) -> int:
    """Whether a special line is of use as a mere exchange; an element for itself (`Banish +F`) is none (F-6.7)."""
    element = bonus(line)
    return 1 if line is not None and element != NO_ELEMENT and not line.cost[element] else 0


OP = tuple(operation(line) for line in LINES)
COST = tuple(n for line in LINES for n in (line.cost if line else NOTHING))
TIMES = tuple(line.times if isinstance(line, Transformation) else 1 for line in LINES)
N_GAINS = tuple(alternatives(line) for line in LINES)
GAINS = tuple(n for line in LINES for n in gains(line))
COUNT = tuple(line.count if isinstance(line, Special) else 0 for line in LINES)
BONUS = tuple(bonus(line) for line in LINES)
EXCHANGE = tuple(exchange(line) for line in LINES)

CREATURE = tuple(card.creature_index for card in CARDS)
PRICE = tuple(n for card in CARDS for n in card.cost)
STEP_PRICE = tuple(
    n
    for final in FINALS
    for i in range(STEPS_LONG)
    for n in (final.steps[i] if i < len(final.steps) else NOTHING)
)

# F-1.10, F-2.3: the predefined sets, four S cards and three projects each; a place is a column from 1, or 0: discard.
SET_CARD = tuple(card for letter in SET_LETTERS for card in SETS[letter])
SET_PLACE = tuple(CARDS[card].place or 0 for card in SET_CARD)
SET_PROJECT = tuple(card for letter in SET_LETTERS for card in BEGINNER_PROJECTS[letter])
