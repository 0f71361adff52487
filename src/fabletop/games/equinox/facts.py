"""Numbers of the rules that every table shows: stated here for the terminal and, generated, for the browser."""

from typing import Any, Final

from fabletop.games.equinox.constants import PEBBLES, STRENGTHS

WORTH: Final = (5, 4, 3, 2, 1, 0)
"""E-4.1: what a pebble is worth on the Champion card, then in rows 1 to 5."""

HALF_STRONGER: Final = ("ursus",)
"""E-7.13: the creatures whose cards are half a point stronger than their number."""

FACTS: Final[dict[str, Any]] = {
    "worth": WORTH,
    "half_stronger": HALF_STRONGER,
    "pebbles": PEBBLES,
    "strongest": STRENGTHS - 1,
}
