"""What is printed on the boards: stated here for every client, and generated for the browser."""

from typing import Any, Final

from fabletop.games.fairy_school import constants as c
from fabletop.games.fairy_school.algebra import ELEMENTS
from fabletop.games.fairy_school.cards import CREATURES

COLUMNS: Final = tuple(None if cost == c.NO_ELEMENT else ELEMENTS[cost] for cost in c.COLUMN_COST)
"""F-1.5: the element that each column of the forest costs; the third is free."""

PAIRS: Final = tuple(
    (CREATURES[2 * i], CREATURES[2 * i + 1], "any" if bonus == c.ANY else ELEMENTS[bonus])
    for i, bonus in enumerate(c.PAIR_BONUS)
)
"""F-1.6: the six pairs of the creature board, each with its bonus."""

FACTS: Final[dict[str, Any]] = {"columns": COLUMNS, "pairs": PAIRS}
