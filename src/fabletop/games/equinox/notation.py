"""Equinox as text: actions that a person may type.

Every action has one text (`constants.ACTION_IDS`); `parse` takes it back, and is lenient about case, spaces,
underscores and a verb in front: "play Hoot 7", "hoot_7" and `hoot-7` are the same.
"""

import difflib
import re
from collections.abc import Iterable, Sequence

from fabletop.core.errors import BadText
from fabletop.games.equinox import constants as c

FILLERS = """
    play plays place predict predicts take takes choose chooses pick ask asks name names give gives keep keeps discard
    discards swap swaps put use the on in of to for row cell column card pebble power from with creature back
"""
VERBS = frozenset(FILLERS.split())
"""Words that may stand in front of what is meant, or between its parts."""


def plain(text: str) -> str:
    """A text without case, spaces, underscores and the like: what is compared."""
    return re.sub(r"[\s_\-]+", "", text.lower())


ACTION_OF = {plain(text): number for number, text in enumerate(c.ACTION_IDS)}
# "hoot 2" is a card, "2 hoot" a cell; two more ways to write them cannot be mistaken
ACTION_OF |= {
    f"row{plain(text)}": c.TO_CELL + cell for cell, text in enumerate(c.ACTION_IDS[c.TO_CELL : c.TO_SEAT])
}
ACTION_OF |= {f"seat{seat}": c.TO_SEAT + seat for seat in range(c.SEATS_MAX)}
ACTION_OF |= {"skip": c.PASS, "no": c.PASS, "yes": c.USE, "none": c.PASS}


def without_verbs(text: str) -> str:
    """The text without the words that only make it readable."""
    return " ".join(word for word in re.split(r"[\s_\-,]+", text.lower()) if word not in VERBS)


def parse(text: str) -> int:
    """The number of an action; BadText says what was not understood, and what was perhaps meant."""
    for way in (text, without_verbs(text)):
        action = ACTION_OF.get(plain(way))
        if action is not None:
            return action
    raise BadText(f"{text.strip()!r} is no action of Equinox{perhaps(text, c.ACTION_IDS)}")


def read(text: str, options: Sequence[int]) -> int:
    """The option that is meant: also where the text is enough only among these options, such as "row 1"."""
    try:
        action = parse(text)
    except BadText:
        action = -1
    if action in options:
        return action
    wanted = plain(without_verbs(text))
    fitting = [a for a in options if wanted in map(plain, c.ACTION_IDS[a].split("-"))]
    if len(fitting) == 1:
        return fitting[0]
    if action >= 0:
        return action
    raise BadText(f"{text.strip()!r} is none of {', '.join(c.ACTION_IDS[a] for a in options)}")


def perhaps(text: str, known: Iterable[str]) -> str:
    """A hint at what was perhaps meant."""
    ways = {plain(word): word for word in known}
    near = difflib.get_close_matches(plain(without_verbs(text)), ways, n=3, cutoff=0.6)
    if not near:
        return "; an action is written like hoot-7, hoot, 2-hoot, seat-1, use, pass, reveal, champion-hoot or secret"
    return f"; did you mean {' or '.join(ways[word] for word in near)}?"


def creature_number(text: str) -> int:
    """The number of a creature."""
    wanted = plain(text)
    for number, creature in enumerate(c.CREATURE_IDS):
        if plain(creature) == wanted:
            return number
    near = difflib.get_close_matches(text.strip().lower(), c.CREATURE_IDS, n=1, cutoff=0.5)
    hint = f"; did you mean {near[0]}?" if near else f"; the creatures are {', '.join(c.CREATURE_IDS)}"
    raise BadText(f"{text.strip()!r} is no creature{hint}")


def card_number(text: str) -> int:
    """The number of a card; the first one of the two Dryads."""
    card = ACTION_OF.get(plain(text), c.ACTIONS)
    if card > c.DRYAD:
        raise BadText(f"{text.strip()!r} is no card{perhaps(text, c.CARD_IDS)}")
    return card
