"""Names of people and bots at a table: shown to others, so they must be visible, short, and no imitation of another.

Two names imitate each other if they are the same after small differences are taken away: case, width and form (NFKC),
invisible characters, and letters of Cyrillic and Greek that look like Latin ones. The list of such letters is short on
purpose: it has the ones that look the same in common fonts, not every pair of Unicode's list of confusables.
"""

import re
import unicodedata
from collections.abc import Iterable
from itertools import count

from fabletop.server.protocol.errors import worded
from fabletop.server.stores.entries import LONGEST_NAME

BOT_NAMES = ("Bramble", "Clover", "Fern", "Hazel", "Moss", "Rowan", "Sorrel", "Yarrow")
MOST_MARKS = 2
"""Combining marks on one letter; more of them cover the lines above and below."""
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Fillers: letters and symbols that show nothing."""
IGNORED = re.compile("[\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Marks that show nothing: joiners and variation selectors that Unicode does not count as format characters."""
LOOK_ALIKES = str.maketrans(
    # Cyrillic, then Greek, then the letters that are dotted or crossed by so little that nobody sees it
    "АВЕЅІЈКМНОРСТУХаеѕіјорсухԁһԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυχϲϳıȷℓⅼ",
    "ABESIJKMHOPCTYXaesijopcyxdhqwABEZHIKMNOPTYXaikvopuxcjijll",
)
ONE_STROKE = str.maketrans("I1|", "lll")
"""Letters that are one upright stroke in many fonts."""


def checked_name(text: str) -> str:
    """A name that can be shown to others; ApiError says what is wrong with it."""
    name = " ".join(_visible(unicodedata.normalize("NFC", text)).split())
    if not any(unicodedata.category(c)[0] in "LNPS" for c in name):
        raise worded("bad_message", "name_unseen")
    if len(name) > LONGEST_NAME:
        raise worded("bad_message", "name_long", most=LONGEST_NAME)
    marks = 0
    for c in unicodedata.normalize("NFD", name):
        marks = marks + 1 if unicodedata.category(c)[0] == "M" else 0
        if marks > MOST_MARKS:
            raise worded("bad_message", "name_marks", most=MOST_MARKS)
    return name


def _visible(text: str) -> str:
    """A text without what shows nothing. Control characters, such as line ends, become spaces."""
    kept = (" " if unicodedata.category(c) == "Cc" else c for c in IGNORED.sub("", text))
    return "".join(c for c in kept if c not in BLANK and unicodedata.category(c)[0] != "C")


def skeletons(name: str) -> set[str]:
    """What is left of a name when small differences are taken away: by its letters, and by their shapes."""
    plain = unicodedata.normalize("NFKC", _visible(name)).translate(LOOK_ALIKES)
    plain = "".join(plain.split())
    return {plain.casefold().translate(LOOK_ALIKES), plain.translate(ONE_STROKE)}


def imitated(name: str, others: Iterable[str]) -> str | None:
    """The first of the other names that this one is, or looks like."""
    mine = skeletons(name)
    return next((other for other in others if other and mine & skeletons(other)), None)


def need_own_name(name: str, others: Iterable[str]) -> None:
    """Refuse a name that somebody at the table has, or that looks like it."""
    other = imitated(name, others)
    if other is None:
        return
    if other.casefold() == name.casefold():
        raise worded("taken", "name_taken", other=other)
    raise worded("taken", "name_alike", name=name, other=other)


def free_name(taken: list[str]) -> str:
    """A name for a bot that nobody at the table has."""
    names = (*BOT_NAMES, *(f"{BOT_NAMES[0]} {n}" for n in range(2, 20)))
    return next(name for name in names if imitated(name, taken) is None)


def numbered(name: str, number: int, taken: Iterable[str]) -> str:
    """A name with a number, cut so that it is not too long; a higher number where somebody has that name already."""
    others = list(taken)
    ends = (f" {n}" for n in count(number))
    names = (name[: LONGEST_NAME - len(end)].rstrip() + end for end in ends)
    return next(candidate for candidate in names if imitated(candidate, others) is None)
