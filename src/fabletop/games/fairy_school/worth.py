"""What one activation is worth, in points of the conversion rates (F-1.3), derived from the algebra.

Bots use it as a first guess and the card list prints it. It is an estimate for comparing cards, not a rule:
a choice counts its best side, `×n` counts as often as it may, two lines count the better one, and the special
effects have the documented figures below.
"""

from __future__ import annotations

from typing import Final

from fabletop.games.fairy_school.algebra import (
    PRICES,
    Amounts,
    Effect,
    Kind,
    Line,
    Production,
    Special,
    Transformation,
)

# What F-1.3 asks for one of each element: three of anything for E or W, four for V or F, six for A.
RATES: Final[Amounts] = (3, 4, 4, 3, 6)
# Before their price. The figures agree with what the known cards cost (a project's price is close to 2.8 times
# its worth plus 3): a recalled or scouted card is one more activation of a card one picks, a repeat one more of
# the best card in play, a banish a better deck for the rest of the year, a study two points and half a bonus.
SPECIAL_WORTH: Final[dict[tuple[Kind, int], int]] = {
    ("recall", 1): 8,
    ("recall", 2): 13,
    ("scout", 1): 9,
    ("scout", 2): 15,
    ("repeat", 1): 10,
    ("banish", 1): 7,
    ("study", 1): 32,
}


def value(amounts: Amounts) -> int:
    """Elements counted at the rates of F-1.3."""
    return sum(n * rate for n, rate in zip(amounts, RATES, strict=True))


def line_worth(line: Line) -> int:
    """What using the line once brings, net of its cost, with the best option, as often as it allows."""
    match line:
        case Production(options):
            return max(map(value, options))
        case Transformation(cost, options, times):
            return times * (max(map(value, options)) - value(cost))
        case Special(kind, count, bonus):
            extra = 0 if bonus is None else RATES[bonus]
            return SPECIAL_WORTH[kind, count] + extra - value(PRICES[kind])


def effect_worth(effect: Effect) -> int:
    """The worth of one activation: that of the better line; nothing for a blank."""
    return max(map(line_worth, effect.lines), default=0)
