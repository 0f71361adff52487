"""The action catalogue of Fairy School: a number and a text for everything a seat can answer, and back again.

    88, 5:3          a card by its name                 top-1 … bottom-5   a space of the forest
    F3, f3           a final project                    column-1 …         a column
    line-2           a line of a card                   times-3            how often
    gain-2           the second of several gains        earth … air        an element that is taken
    make-fire        what a conversion makes            spend-water        what it takes
    unicorn …        a creature to study                step               the next step of the final project
    convert, cancel, pass, done

`parse_action` is tolerant: case, spaces and underscores do not matter, a creature may stand next to the card's number,
and a leading verb is ignored ("activate 88 phoenix", "Column 3", "pay water").
"""

import difflib
import re

from fabletop.core.errors import BadText
from fabletop.games.fairy_school import constants as c
from fabletop.games.fairy_school.algebra import ELEMENTS
from fabletop.games.fairy_school.cards import BY_NAME, CARDS, CREATURES, FINALS

SPACE_NAMES = tuple(f"{row}-{n}" for row in ("top", "bottom") for n in range(1, c.COLUMNS + 1))

ACTION_TEXTS: tuple[str, ...] = (
    *(card.name for card in CARDS),
    *(final.name for final in FINALS),
    *SPACE_NAMES,
    *(f"column-{n}" for n in range(1, c.COLUMNS + 1)),
    "line-1",
    "line-2",
    *(f"times-{n}" for n in range(1, c.TIMES_MAX + 1)),
    *(f"gain-{n}" for n in range(1, c.ALTERNATIVES + 1)),
    *ELEMENTS,
    *(f"make-{name}" for name in ELEMENTS),
    *(f"spend-{name}" for name in ELEMENTS),
    *(name.replace("_", "-") for name in CREATURES),
    "step",
    "convert",
    "cancel",
    "pass",
    "done",
)
assert len(ACTION_TEXTS) == c.ACTIONS

NUMBERS = {text.lower(): number for number, text in enumerate(ACTION_TEXTS)}
NUMBERS |= {text: number for number, text in enumerate(ACTION_TEXTS)}  # F1 and f1 differ

_ALIASES = {
    "e": "earth",
    "v": "plant",
    "f": "fire",
    "w": "water",
    "a": "air",
    "end": "done",
    "finish": "done",
    "skip": "pass",
}
_VERBS = (
    "activate", "play", "place", "put", "realise", "realize", "recall", "scout", "repeat", "banish", "study", "take",
    "keep", "drop", "draft", "pick", "choose", "select", "use", "settle", "card", "final", "project", "the", "on", "to",
)  # fmt: skip
_SYNONYMS = {"pay": "spend", "space": "", "x": "times", "option": "gain"}


def parse_action(text: str) -> int:
    """The number of an action; BadText says what was not understood and what is near."""
    stripped = text.strip()
    if stripped in NUMBERS:
        return NUMBERS[stripped]
    words = [word for word in re.split(r"[\s_\-]+", stripped) if word]
    lowered = [word.lower() for word in words]
    while len(lowered) > 1 and (lowered[0] in _VERBS or lowered[0] in _SYNONYMS):
        if lowered[0] in _SYNONYMS:
            lowered[0] = _SYNONYMS[lowered[0]]
            if lowered[0]:
                break
        lowered, words = lowered[1:], words[1:]
    if len(words) == 1 and words[0] in NUMBERS:
        return NUMBERS[words[0]]
    for candidate in _readings(lowered):
        if candidate in NUMBERS:
            return NUMBERS[candidate]
    near = difflib.get_close_matches("-".join(lowered), NUMBERS, n=3, cutoff=0.5)
    hint = (
        f"; did you mean {' or '.join(near)}?"
        if near
        else "; try a card number, a space such as top-1, or done"
    )
    raise BadText(f"{stripped!r} is no action{hint}")


def _readings(words: list[str]) -> list[str]:
    """What the words can mean, most literal first."""
    joined = "-".join(words)
    readings = [joined, _ALIASES.get(joined, joined)]
    if len(words) > 1:
        last = _ALIASES.get(words[-1], words[-1])
        readings.append("-".join([*words[:-1], last]))
        # A card's creature may stand before or after its number.
        for number, rest in ((words[0], words[1:]), (words[-1], words[:-1])):
            if number in BY_NAME and BY_NAME[number].creature == "_".join(rest):
                readings.append(number)
    return readings
