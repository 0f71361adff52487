"""What cards look like and what places are called: stated here for every client; FACTS is generated for the browser."""

from typing import Any, Final

from fabletop.games.equinox.constants import CHAMPION_VALUE, ROW_VALUE, STRENGTHS

WORTH: Final = (CHAMPION_VALUE, *ROW_VALUE)
"""E-4.1: what a pebble is worth on the Champion card, then in rows 1 to 5."""

WITH_HALF: Final = ("ursus",)
"""The creatures whose cards have a half in their name and on their face: Ursus 6½."""

FACTS: Final[dict[str, Any]] = {"with_half": WITH_HALF, "strongest": STRENGTHS - 1}
