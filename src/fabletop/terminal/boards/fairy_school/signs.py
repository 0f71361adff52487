"""Fairy School in few cells: elements, costs, effects and cards as short coloured texts.

Elements keep the letters of the card list (E V F W A) in every language; colour only repeats what the letter says.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from rich.text import Text

from fabletop.games.fairy_school.algebra import (
    COUNTED,
    ELEMENTS,
    LETTERS,
    Amounts,
    Effect,
    Line,
    Special,
    Transformation,
    sum_text,
)
from fabletop.games.fairy_school.cards import BY_NAME, CREATURES, PAIR_BONUS
from fabletop.games.fairy_school.view_types import View
from fabletop.terminal.boards.board import Look
from fabletop.terminal.glyphs import ASCII, glyphs

HUES = {"earth": "#d8a866", "plant": "#8fd07f", "fire": "#ff9770", "water": "#7fbcff", "air": "#d9e2f2"}
"""A hue for each element, always together with its letter or name."""
LETTER_HUES = dict(zip(LETTERS, HUES.values(), strict=True))
PLAIN_HUE = "#d9c9f0"
"""For the pair of creatures whose bonus is any element."""
_LETTER = re.compile(r"(?<![^\W\d_])[EVFWA](?![\w])")

Held = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Signs:
    """The signs of this board, in addition to those that all boards share."""

    cube: str
    heart: str
    study: str
    yes: str
    no: str
    paw: str
    convert: str
    up: str
    down: str
    pair: str
    project: str
    arrow: str
    times: str
    recall: str
    scout: str
    repeat: str
    banish: str


UNICODE_SIGNS = Signs(
    cube="▣", heart="♥", study="✎", yes="✓", no="·", paw="∴", convert="⇄", up="⇡", down="⇣", pair="─",
    project="⚑", arrow="→", times="×", recall="↶", scout="◎", repeat="↻", banish="✗",
)  # fmt: skip
ASCII_SIGNS = Signs(
    cube="c", heart="h", study="st", yes="+", no=".", paw=":", convert="<>", up="^", down="v", pair="-",
    project="p", arrow=">", times="x", recall="rec", scout="sco", repeat="rep", banish="ban",
)  # fmt: skip


def seen(look: Look) -> View:
    """The view that is drawn, as this game's type."""
    return cast(View, look.view)


def signs() -> Signs:
    """The signs in use: plain ones where the terminal has no others."""
    return ASCII_SIGNS if glyphs() is ASCII else UNICODE_SIGNS


def tint(text: str | Text) -> Text:
    """A text whose element letters have their hue."""
    tinted = Text(text) if isinstance(text, str) else text.copy()
    for match in _LETTER.finditer(tinted.plain):
        tinted.stylize(LETTER_HUES[match[0]], match.start(), match.end())
    return tinted


def cut(text: str, room: int) -> str:
    """A text in this many cells at most."""
    return text if len(text) <= room else text[: max(0, room - 1)] + glyphs().ellipsis


def capital(text: str) -> str:
    """A text that begins with a capital letter."""
    return text[:1].upper() + text[1:]


# ---- elements and costs


def held_text(held: Held, *, zeros: bool = False, width: int = 0) -> Text:
    """`3E 1V`; with zeros all five, each number in this many cells."""
    parts = [
        f"{held[name]:>{width}}{letter}"
        for name, letter in zip(ELEMENTS, LETTERS, strict=True)
        if zeros or held[name]
    ]
    return tint(" ".join(parts) or glyphs().dot)


def missing(cost: Amounts, held: Held) -> dict[str, int]:
    """What is lacking to pay a cost without converting anything."""
    lack = {name: n - held[name] for name, n in zip(ELEMENTS, cost, strict=True)}
    return {name: n for name, n in lack.items() if n > 0}


def cost_text(cost: Amounts, held: Held | None = None) -> Text:
    """`3E 1V`; of what is lacking also how much there is: `1/3E 1V`."""
    parts = []
    for name, letter, n in zip(ELEMENTS, LETTERS, cost, strict=True):
        if n:
            short = held is not None and held[name] < n
            parts.append(f"{held[name]}/{n}{letter}" if short and held is not None else f"{n}{letter}")
    return tint(" ".join(parts))


def can_pay(cost: Amounts, held: Held) -> bool:
    """Whether the cost can be paid without converting anything."""
    return not missing(cost, held)


# ---- effects


def line_short(line: Line) -> str:
    """A line in as few cells as can be: `E×5→V/F`, `↶1`, `↻+E`."""
    use = signs()
    if isinstance(line, Special):
        count = str(line.count) if line.kind in COUNTED else ""
        bonus = "" if line.bonus is None else f"+{LETTERS[line.bonus]}"
        return f"{getattr(use, line.kind)}{count}{bonus}"
    gains = "/".join(map(sum_text, line.options))
    if isinstance(line, Transformation):
        often = f"{use.times}{line.times}" if line.times > 1 else ""
        return f"{sum_text(line.cost)}{often}{use.arrow}{gains}"
    return gains


def effect_short(effect: Effect) -> str:
    """The whole effect in as few cells as can be."""
    return "|".join(map(line_short, effect.lines))


def effect_text(name: str, room: int, look: Look) -> Text:
    """What a card does in symbols: with the names of special effects where they fit."""
    spoken = look.teller.say("card_symbols", name)
    return tint(spoken if len(spoken) <= room else effect_short(BY_NAME[name].effect))


# ---- creatures and cards


def creature_hue(creature: str) -> str:
    """The hue of the bonus that the creature's pair gives."""
    bonus = PAIR_BONUS[CREATURES.index(creature) // 2]
    return PLAIN_HUE if len(bonus) > 1 else HUES[ELEMENTS[bonus[0].index(1)]]


def creature_name(creature: str, look: Look) -> str:
    """A creature's name, with a capital letter."""
    return capital(look.teller.say("creature", creature))


def shortened(name: str, room: int) -> str:
    """A creature's name in this many cells, but three letters at least, which tell all twelve apart."""
    if len(name) <= room:
        return name
    return name[: max(3, room)] if room < 6 else cut(name, room)


def card_text(name: str, room: int, look: Look) -> Text:
    """`103 Griffin E×5→V/F` in one line."""
    card = BY_NAME[name]
    creature = creature_name(card.creature, look)
    left = room - len(name) - 2
    effect = effect_text(name, left - len(creature), look)
    shown = shortened(creature, left - len(effect.plain))
    return Text.assemble((name, "bold"), " ", (shown, creature_hue(card.creature)), " ", effect)


def card_block(name: str, room: int, look: Look, sign: str = "") -> Text:
    """The same in two lines, a sign at the end of the first."""
    card = BY_NAME[name]
    creature = shortened(creature_name(card.creature, look), room - len(name) - 1 - len(sign) - bool(sign))
    return Text.assemble(
        (name, "bold"), " ", (creature, creature_hue(card.creature)), f" {sign}" if sign else "", "\n",
        effect_text(name, room, look),
    )  # fmt: skip


def project_text(name: str, room: int, look: Look, held: Held | None, *, effect: bool = False) -> Text:
    """A project with its cost, whether it can be paid, and, where there is room, its creature and effect."""
    card = BY_NAME[name]
    paid = held is not None and can_pay(card.cost, held)
    cost = cost_text(card.cost, held)
    text = Text.assemble(signs().yes if paid else " ", (name, "bold"), " ")
    left = room - len(text.plain) - len(cost.plain)
    does = Text.assemble(" ", effect_text(name, left - 5, look)) if effect else Text()
    left -= len(does.plain)
    if left > 3:
        creature = shortened(creature_name(card.creature, look), left - 1)
        text.append_text(Text.assemble((creature, creature_hue(card.creature)), " "))
    return Text.assemble(text, cost, does)


def joined(parts: Sequence[Text], between: str) -> Text:
    """Texts one after the other."""
    return Text(between).join(parts)
