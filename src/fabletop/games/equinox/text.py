"""Equinox in words: values of events, views and actions as a person would say them.

The words themselves are in the language files; `word(key)` looks one up (`creature.hoot`, `place.cell`). Nothing here
knows which language is spoken, so word order and number forms are the business of the templates.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from fabletop.core.errors import BadText
from fabletop.core.game import CardEntry
from fabletop.games.equinox.constants import CREATURE_IDS, STRENGTHS
from fabletop.games.equinox.facts import WITH_HALF, WORTH

Word = Callable[[str], str]


def say(kind: str, value: Any, word: Word) -> str:
    """A value of some kind in words, such as `card` `hoot-7`: Hoot 7."""
    if kind not in SPEECH:
        raise BadText(f"Equinox cannot say a value of the kind {kind!r}; it says {', '.join(sorted(SPEECH))}")
    return SPEECH[kind](value, word)


def card(text: str, word: Word) -> str:
    """A card by its id: `hoot-7`, `chameleon-3`, `ancestor`, `dryad`."""
    name, _, strength = text.partition("-")
    called = word(f"creature.{name}") if name in CREATURE_IDS else word(f"card.{name}")
    if name in WITH_HALF:
        strength = "½" if strength == "0" else f"{strength}½"
    return f"{called} {strength}" if strength else called


def creature(text: str, word: Word) -> str:
    """A creature by its id."""
    return word(f"creature.{text}")


def place(text: str, word: Word) -> str:
    """Where a pebble or a card lies: `2-hoot`, `champion-hoot`, `secret`."""
    where, _, name = text.partition("-")
    if not name:
        return word(f"place.{where}")
    if where == "champion":
        return word("place.champion").format(creature=creature(name, word))
    return word("place.cell").format(creature=creature(name, word), row=row(int(where), word))


def row(number: int, word: Word) -> str:
    """A row by what a pebble in it is worth (E-4.1): row 1 is "the 4 row"."""
    return word("place.row").format(worth=WORTH[number])


def spot(event: Mapping[str, Any], word: Word) -> str:
    """Where a card of an event lay: a Creature card's column goes without saying, a Chameleon's does not."""
    if event["card"].startswith("chameleon"):
        return place(f"{event['row']}-{event['creature']}", word)
    return row(event["row"], word)


def lent(event: Mapping[str, Any], word: Word) -> str:
    """Whose power an event is about, also if Fungy has borrowed it (E-7.8)."""
    used, user = creature(event["power"], word), creature(event["creature"], word)
    return used if used == user else word("place.lent").format(power=used, creature=user)


def points(value: float, word: Word) -> str:
    """Points with their unit; halves are written as on the cards (E-7.13)."""
    few = {0: "none", 1: "half", 2: "one", 3: "one_half"}.get(round(value * 2))
    if few is not None:
        return word(f"points.{few}")
    whole, half = divmod(round(value * 2), 2)
    return word("points.many").format(number=f"{whole}{'½' * half}")


def action(text: str, word: Word) -> str:
    """An action as the label of an option: what is chosen, in words."""
    if text in ("use", "pass", "reveal", "secret"):
        return word(f"action.{text}")
    if text in CREATURE_IDS:
        return creature(text, word)
    first, _, second = text.partition("-")
    if first == "seat":
        return word("action.seat").format(seat=second)
    if first == "champion" or first.isdigit():
        return place(text, word)
    return card(text, word)


def _number(value: int, word: Word) -> str:
    return str(value)


SPEECH: dict[str, Callable[[Any, Word], str]] = {
    "card": card,
    "creature": creature,
    "power": creature,
    "named": creature,
    "place": place,
    "first": place,
    "spot": spot,
    "lent": lent,
    "row": row,
    "round": _number,
    "points": points,
    "action": action,
    "choice": lambda value, word: word(f"phase.{value}"),
    "phase": lambda value, word: word(f"phase.{value}"),
    "reason": lambda value, word: word(f"reason.{value}"),
}
"""The words for each kind of value."""


def cards(word: Word) -> Iterator[CardEntry]:
    """The fourteen creatures, the Chameleon and the two Trees, and what each of them does."""
    strengths = f"0–{STRENGTHS - 1}"
    for name in CREATURE_IDS:
        shown = f"½–{STRENGTHS - 1}½" if name in WITH_HALF else strengths
        yield CardEntry(name, word("group.creature"), creature(name, word), shown, word(f"power.{name}"))
    yield CardEntry(
        "chameleon", word("group.chameleon"), word("card.chameleon"), strengths, word("power.chameleon")
    )
    for name, count in (("ancestor", "×1"), ("dryad", "×2")):
        yield CardEntry(name, word("group.tree"), word(f"card.{name}"), count, word(f"power.{name}"))
