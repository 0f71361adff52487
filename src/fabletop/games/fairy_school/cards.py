"""The cards of Fairy School, read from `cards.txt` once, at import, or from the file that FABLETOP_CARDS names.

A card's dense `id` is its index in `CARDS`, which is what the engine works with; its `name` is what people write:

    ids 0-71     six starting decks, seat d has 12·d … 12·d+11     names 1-48, then 5:1-5:12 and 6:1-6:12
    ids 72-99    the S cards                                        names 49-76
    ids 100-127  projects of trimester I                            names 77-104
    ids 128-156  projects of trimester II                           names 105-133
    ids 157-186  projects of trimester III                          names 134-163

The fifth and the sixth starting deck are copies without numbers of their own (F-1.8), hence "5:3": the third
card of deck five. Final projects are a separate list, `FINALS`: F1-F10 are 0-9, f1-f7 are 10-16.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args

from fabletop.core.errors import BadText
from fabletop.games.fairy_school.algebra import (
    ANY,
    NOTHING,
    Amounts,
    CardError,
    Effect,
    Line,
    parse_effect,
    parse_price,
)
from fabletop.games.fairy_school.worth import effect_worth, line_worth

Deck: TypeAlias = Literal["start", "S", "I", "II", "III"]

DECKS: Final[tuple[Deck, ...]] = get_args(Deck)
PROJECT_DECKS: Final[tuple[Deck, ...]] = ("I", "II", "III")
SET_LETTERS: Final = "ABCDE"
START_DECK_SIZE: Final = 12
START_DECKS: Final = 6
# How many cards each deck has (F-1.8); the starting deck is written once.
DECK_SIZES: Final[dict[Deck, int]] = {"start": START_DECK_SIZE, "S": 28, "I": 28, "II": 29, "III": 30}
FIRST_NUMBER: Final[dict[Deck, int]] = {"start": 1, "S": 49, "I": 77, "II": 105, "III": 134}
LONG_FINALS: Final = 10
SHORT_FINALS: Final = 7

# Two by two the pairs of the creature board (F-1.6): the partner of creature c is c ^ 1, its pair c // 2.
CREATURES: Final = (
    "unicorn", "gnome", "siren", "sea_serpent", "sylvide", "elf",
    "dragon", "phoenix", "sphinx", "salamander", "griffin", "cockatrice",
)  # fmt: skip
# What the second creature of a pair gives: one of these amounts, to be chosen where there are several.
PAIR_BONUS: Final[tuple[tuple[Amounts, ...], ...]] = (
    ((1, 0, 0, 0, 0),),
    ((0, 0, 0, 1, 0),),
    ((0, 1, 0, 0, 0),),
    ((0, 0, 1, 0, 0),),
    ANY,
    ((0, 0, 0, 0, 1),),
)

IN_DISCARD: Final = 0


@dataclass(frozen=True, slots=True)
class Card:
    """One card as printed (F-1.9). `place` is 1-5 for a column of the top row, `IN_DISCARD`, or None."""

    id: int
    name: str
    deck: Deck
    creature: str
    effect: Effect
    cost: Amounts = NOTHING
    set: str = ""
    place: int | None = None
    ours: bool = True

    @property
    def creature_index(self) -> int:
        """The creature's place in `CREATURES`."""
        return CREATURES.index(self.creature)

    @property
    def is_project(self) -> bool:
        """Whether the card is realised by paying its cost, and scores."""
        return self.deck in PROJECT_DECKS


@dataclass(frozen=True, slots=True)
class FinalProject:
    """A final project: its steps from top to bottom (F-7.2)."""

    id: int
    name: str
    steps: tuple[Amounts, ...]
    ours: bool = True


@dataclass(frozen=True, slots=True)
class CardTable:
    """All that a card file says, in the order of the dense ids."""

    cards: tuple[Card, ...]
    finals: tuple[FinalProject, ...]


def card_lines(table: CardTable) -> list[str]:
    """What each card does, without comments, order of columns or marks: the same for two files that play the same."""
    cards = [
        f"{card.name} {card.deck}{card.set} {card.place} {card.creature} {card.cost} {card.effect}"
        for card in table.cards
    ]
    return cards + [f"{final.name} {final.steps}" for final in table.finals]


def worth(of: Card | Effect | Line) -> int:
    """The worth of one activation of a card, an effect or a single line; see `worth.py`."""
    if isinstance(of, Card):
        return effect_worth(of.effect)
    return effect_worth(of) if isinstance(of, Effect) else line_worth(of)


# ---------------------------------------------------------------------------------------- reading a file

_CELL = re.compile(r"\S+(?: \S+)*")
_DECK = re.compile(r"(?P<deck>start|S|I{1,3}|final)(?::(?P<set>[A-Z]))?")


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    column: int


def _rows(text: str) -> Iterator[tuple[int, list[_Cell]]]:
    """The lines that say something, cut into cells at two spaces or more, without comments."""
    for number, raw in enumerate(text.splitlines(), start=1):
        content = raw.split("#", 1)[0].expandtabs()
        cells = [_Cell(match[0], match.start() + 1) for match in _CELL.finditer(content)]
        if cells:
            yield number, cells


def parse_card_table(text: str, file: str = "cards.txt") -> CardTable:
    """Read a whole card file; a `CardError` says the line, the column, and what would be right."""
    rows: dict[str, list[Card]] = {deck: [] for deck in DECKS}
    finals: list[FinalProject] = []
    last = 0
    for number, cells in _rows(text):
        last = number
        try:
            known = cells[-1].text == "known"
            _read_row(cells[:-1] if known else cells, not known, rows, finals)
        except CardError as error:
            raise CardError(error.problem, error.column, number, file) from None
    for deck, size in DECK_SIZES.items():
        if len(rows[deck]) != size:
            raise CardError(f"deck {deck} has {len(rows[deck])} cards: it should have {size}", 1, last, file)
    if len(finals) != LONG_FINALS + SHORT_FINALS:
        problem = f"there are {len(finals)} final projects: there should be {LONG_FINALS + SHORT_FINALS}"
        raise CardError(problem, 1, last, file)
    return CardTable(tuple(_dense(rows)), tuple(finals))


def _read_row(
    cells: list[_Cell], ours: bool, rows: dict[str, list[Card]], finals: list[FinalProject]
) -> None:
    end = cells[-1].column + len(cells[-1].text)
    if len(cells) < 3:
        raise CardError(
            "the row breaks off: number, deck, creature, cost or place, and effect belong there", end
        )
    match = _DECK.fullmatch(cells[1].text)
    if match is None:
        problem = f"'{cells[1].text}' is no deck: it should be start, S, S:A to S:E, I, II, III or final"
        raise CardError(problem, cells[1].column)
    if match["deck"] == "final":
        finals.append(_final(cells, len(finals), ours))
        return
    if len(cells) != 5:
        column = cells[5].column if len(cells) > 5 else end
        raise CardError(f"the row has {len(cells)} columns (apart from 'known'): it should have 5", column)
    deck = next(deck for deck in DECKS if deck == match["deck"])
    rows[deck].append(_card(cells, deck, match["set"] or "", len(rows[deck]), ours))


def _card(cells: list[_Cell], deck: Deck, letter: str, index: int, ours: bool) -> Card:
    name, deck_cell, creature, middle, effect = cells
    expected = str(FIRST_NUMBER[deck] + index)
    if name.text != expected:
        raise CardError(
            f"card {name.text} is out of order: {expected} comes next in deck {deck}", name.column
        )
    if creature.text not in CREATURES:
        problem = f"'{creature.text}' is no creature: there are {', '.join(CREATURES)}"
        raise CardError(problem, creature.column)
    if letter and (deck != "S" or letter not in SET_LETTERS):
        problem = f"'{deck_cell.text}' is no set: only S cards have one, {', '.join(SET_LETTERS)}"
        raise CardError(problem, deck_cell.column)
    card = Card(0, name.text, deck, creature.text, parse_effect(effect.text, effect.column), ours=ours)
    if deck in PROJECT_DECKS:
        return replace(card, cost=parse_price(middle.text, middle.column))
    if not letter:
        if middle.text != "-":
            raise CardError(f"'{middle.text}' should be '-': this card costs nothing", middle.column)
        return card
    places = {"discard": IN_DISCARD} | {f"column {n}": n for n in range(1, 6)}
    if middle.text not in places:
        problem = f"'{middle.text}' is no place to start: it should be column 1 to column 5, or discard"
        raise CardError(problem, middle.column)
    return replace(card, set=letter, place=places[middle.text])


def _final(cells: list[_Cell], index: int, ours: bool) -> FinalProject:
    name, _, steps_cell = cells[:3]
    if len(cells) > 3:
        raise CardError("a final project has 3 columns: number, final, and its steps", cells[3].column)
    long = index < LONG_FINALS
    expected = f"F{index + 1}" if long else f"f{index - LONG_FINALS + 1}"
    if name.text != expected:
        raise CardError(f"final project {name.text} is out of order: {expected} comes next", name.column)
    steps = []
    column = steps_cell.column
    for part in steps_cell.text.split("/"):
        steps.append(parse_price(part, column))
        column += len(part) + 1
    if len(steps) != (5 if long else 4):
        problem = f"{name.text} has {len(steps)} steps: F projects have 5, f projects 4"
        raise CardError(problem, steps_cell.column)
    return FinalProject(index, name.text, tuple(steps), ours)


def _dense(rows: dict[str, list[Card]]) -> Iterator[Card]:
    """Number the cards densely, the starting deck once per seat."""
    for copy in range(START_DECKS):
        for index, card in enumerate(rows["start"]):
            number = START_DECK_SIZE * copy + index
            name = str(number + 1) if copy < 4 else f"{copy + 1}:{index + 1}"
            yield replace(card, id=number, name=name)
    number = START_DECKS * START_DECK_SIZE
    for deck in DECKS[1:]:
        for card in rows[deck]:
            yield replace(card, id=number)
            number += 1


# ---------------------------------------------------------------------------------------------- the set

OTHER_CARDS: Final = "FABLETOP_CARDS"
"""The environment variable with the path of another card file, or with its whole text: the lab gives its worker
processes the text, so that all of them play the same cards wherever they run."""


def own_card_text() -> str:
    """The card file of the package."""
    return files("fabletop.games.fairy_school").joinpath("cards.txt").read_text(encoding="utf-8")


def _card_table() -> CardTable:
    given = os.environ.get(OTHER_CARDS, "")
    if not given:
        return parse_card_table(own_card_text())
    if "\n" in given:
        return parse_card_table(given, OTHER_CARDS)
    try:
        text = Path(given).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadText(f"{OTHER_CARDS} names {given}, which cannot be read as a card file: {error}") from None
    return parse_card_table(text, given)


TABLE: Final = _card_table()

CARDS: Final[tuple[Card, ...]] = TABLE.cards
FINALS: Final[tuple[FinalProject, ...]] = TABLE.finals
BY_NAME: Final[dict[str, Card]] = {card.name: card for card in CARDS}
FINAL_BY_NAME: Final[dict[str, FinalProject]] = {final.name: final for final in FINALS}

# Predefined sets: the ids of their four S cards, and of their beginners' projects (F-1.10).
SETS: Final[dict[str, tuple[int, ...]]] = {
    letter: tuple(card.id for card in CARDS if card.set == letter) for letter in SET_LETTERS
}
BEGINNER_PROJECTS: Final[dict[str, tuple[int, ...]]] = {
    letter: tuple(BY_NAME[name].id for name in names.split())
    for letter, names in {
        "A": "82 91 95", "B": "86 90 99", "C": "80 94 97", "D": "85 92 98", "E": "81 89 100",
    }.items()
}  # fmt: skip
