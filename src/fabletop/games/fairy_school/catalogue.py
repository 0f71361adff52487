"""The card list as people use it: searched, and printed as a page in three languages.

`catalogues` maps a language code to that language's words for cards, see `words.py`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Final

from fabletop.games.fairy_school.algebra import ELEMENTS, LETTERS, Amounts, Effect, Line, Special, price_text
from fabletop.games.fairy_school.cards import (
    BEGINNER_PROJECTS,
    CARDS,
    DECKS,
    FINALS,
    IN_DISCARD,
    START_DECK_SIZE,
    Card,
    FinalProject,
    worth,
)
from fabletop.games.fairy_school.words import (
    Words,
    amounts_words,
    creature_words,
    effect_words,
    kind_of,
    legend,
    place_words,
)
from fabletop.games.fairy_school.worth import value

Catalogues = Mapping[str, Words]

# Every printed design once: of the starting decks only the first.
DESIGNS: Final[tuple[Card, ...]] = tuple(c for c in CARDS if c.deck != "start" or c.id < START_DECK_SIZE)


def search(
    catalogues: Catalogues,
    text: str = "",
    *,
    deck: str | None = None,
    creature: str | None = None,
    kind: str | None = None,
    element: str | None = None,
    cards: Iterable[Card] = DESIGNS,
) -> list[Card]:
    """The cards that answer to everything asked.

    `deck`, `creature` and `kind` ("production", "recall", …) are ids; `element`, an id or a letter, asks for cards
    that give it. `text` is free: each of its words must occur in the card's number, its shorthand or its words in
    any language, whatever the accents and capitals.
    """
    wanted = _plain(text).split()
    return [
        card
        for card in cards
        if (deck is None or card.deck == deck)
        and (creature is None or card.creature == creature)
        and (kind is None or kind in map(kind_of, card.effect.lines))
        and (element is None or _element(element) in gives(card.effect))
        and (not wanted or _has_all(wanted, _haystack(card, catalogues)))
    ]


def _has_all(wanted: Iterable[str], text: str) -> bool:
    return all(word in text for word in wanted)


def gives(effect: Effect) -> frozenset[int]:
    """The elements that some line of the effect can bring."""
    return frozenset(element for line in effect.lines for element in _gains(line))


def _gains(line: Line) -> Iterable[int]:
    if isinstance(line, Special):
        return () if line.bonus is None else (line.bonus,)
    return (element for option in line.options for element, count in enumerate(option) if count)


def _element(text: str) -> int:
    if text.lower() in ELEMENTS:
        return ELEMENTS.index(text.lower())
    if len(text) == 1 and text.upper() in LETTERS:
        return LETTERS.index(text.upper())
    raise ValueError(
        f"'{text}' is no element: it should be {', '.join(ELEMENTS)}, or one of {', '.join(LETTERS)}"
    )


def _plain(text: str) -> str:
    """Small letters without accents, so that "phenix" finds "Phénix"."""
    return "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))


def _haystack(card: Card, catalogues: Catalogues) -> str:
    parts = [card.name, card.deck, card.creature, str(card.effect), price_text(card.cost)]
    for words in catalogues.values():
        parts += [
            creature_words(card.creature, words),
            effect_words(card.effect, words),
            amounts_words(card.cost, words),
            place_words(card, words),
            *(words["kind"][kind_of(line)] for line in card.effect.lines),
        ]
    return _plain("\n".join(parts))


# ---------------------------------------------------------------------------------------------- the page


def cards_page(catalogues: Catalogues) -> str:
    """`docs/cards.md`: the whole set with its words in every language."""
    english = catalogues["en"]
    out = [
        "# The cards of Fairy School",
        "",
        "The rulebook never listed the cards. Those marked **known** were seen in print and are used as they are;",
        "all others are this project's own design, made within the price levels of the known ones.",
        "[design-cards.md](design-cards.md) explains the shorthand. *Worth* is an estimate of what one activation",
        "brings, net, when earth and water count 3, plant and fire 4, air 6 (the game's own rates of exchange).",
        "*Price* is a cost counted at the same rates.",
        "",
        *(f"- {legend(words)}" for words in catalogues.values()),
    ]
    for deck in DECKS:
        out += ["", f"## {english['deck'][deck]}", "", *_deck_notes(deck)]
        out += _table([card for card in DESIGNS if card.deck == deck], catalogues)
    out += ["", f"## {english['deck']['final']}", "", *_finals_table(FINALS)]
    return "\n".join(out) + "\n"


def _deck_notes(deck: str) -> list[str]:
    if deck == "start":
        return [
            "Every seat has these twelve. Numbers 13 to 48 are the same cards in the decks two to four; the fifth and",
            "the sixth deck are copies whose cards are called 5:1 to 5:12 and 6:1 to 6:12.",
            "",
        ]
    if deck == "I":
        names = {letter: ", ".join(CARDS[i].name for i in ids) for letter, ids in BEGINNER_PROJECTS.items()}
        return ["Beginners' projects: " + " · ".join(f"{k} {v}" for k, v in names.items()) + ".", ""]
    return []


def _table(cards: Iterable[Card], catalogues: Catalogues) -> list[str]:
    rows = [
        "| no. | creature | cost or place | price | effect | worth | in words | |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for card in cards:
        names = "<br>".join(creature_words(card.creature, words) for words in catalogues.values())
        texts = "<br>".join(effect_words(card.effect, words) for words in catalogues.values())
        effect = str(card.effect).replace("|", "\\|")
        price = value(card.cost) if card.is_project else ""
        mark = "" if card.ours else "**known**"
        cells = (card.name, names, _where(card), price, effect, worth(card), texts, mark)
        rows.append(f"| {' | '.join(map(str, cells))} |")
    return rows


def _where(card: Card) -> str:
    if card.is_project:
        return price_text(card.cost)
    if card.place is None:
        return ""
    return f"set {card.set}, " + ("discard" if card.place == IN_DISCARD else f"column {card.place}")


def _finals_table(finals: Iterable[FinalProject]) -> list[str]:
    rows = ["| no. | steps from top to bottom | in all | price | |", "|---|---|---|---|---|"]
    for final in finals:
        total = total_of(final.steps)
        steps = "<br>".join(map(price_text, final.steps))
        mark = "" if final.ours else "**known**"
        rows.append(f"| {final.name} | {steps} | {price_text(total)} | {value(total)} | {mark} |")
    return rows


def total_of(steps: Iterable[Amounts]) -> Amounts:
    """All steps of a final project added up."""
    earth, plant, fire, water, air = (sum(column) for column in zip(*steps, strict=True))
    return earth, plant, fire, water, air
