"""The estimate of the points that a situation in Fairy School will still bring, learned from many years of play.

`guess.json` is a table with a row for each turn: the weight of each feature (trait) of a seat's situation in the points
still to come. `fabletop.lab.fairy_school.training` made it and says how. `Knowledge` computes the traits, and search
uses the weighted sum where it does not play a year to its end.
"""

import json
from pathlib import Path

TRAIT_NAMES = (
    "constant",
    "prospect",  # of the purse, for the goals at hand, in 64ths of a point
    "cubes",
    "deck_worth",  # of all cards that one has
    "deck_size",
    "studied",  # creatures
    "fresh",  # creatures in one's deck that are still to be studied
    "steps",
    "projects",  # not realised yet
    "kindness",
    "near",  # cubes of those who can use one's cards
    "wealth",  # the worth of their decks
    "ahead",  # steps of the rival who has most
    "lack",  # what all goals at hand ask for beyond what one has
    "realised",
    "earth",
    "plant",
    "fire",
    "water",
    "air",
    "few",  # cubes below six: they come back, so the last ones limit every turn to come
    "last",  # cubes below three
)
FILE = Path(__file__).with_suffix(".json")
TRAITS = len(TRAIT_NAMES)
REGULAR = 13
"""Rows by the number of turns that are left before the last trimester, 0 to 12,"""
LATE = 4
"""then by the turn of the last one, 1 to 4 and more."""
STRETCHES = REGULAR + LATE
"""Rows with two seats; then as many with more."""
FINENESS = 65536
"""A point."""


def learned() -> list[int]:
    """The table, row by row."""
    table = json.loads(FILE.read_text(encoding="utf-8"))
    rows = [[int(n) for n in row] for row in table["rows"]]
    if tuple(table["traits"]) != TRAIT_NAMES or [len(row) for row in rows] != [TRAITS] * (2 * STRETCHES):
        raise ValueError("guess.json is for other features; train again, see lab.fairy_school.training")
    return [n for row in rows for n in row]
