"""Cards in words and in symbols, in any language, derived from the algebra.

No card has a text of its own. A sentence is put together from the phrases of a language, `lang/<xx>/cards.toml`,
which the caller loads and hands in as a mapping: the games know no language. A special effect is one phrase,
because word order differs too much between languages for smaller pieces; elements, sums, choices and costs are
filled in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from fabletop.games.fairy_school.algebra import (
    ANY,
    COUNTED,
    ELEMENTS,
    LETTERS,
    NOTHING,
    Amounts,
    Effect,
    Line,
    Production,
    Special,
    Transformation,
)
from fabletop.games.fairy_school.cards import IN_DISCARD, Card

Words: TypeAlias = Mapping[str, Any]


def kind_of(line: Line) -> str:
    """The id of the effect kind: production, transformation, or the family of the special effect."""
    match line:
        case Production():
            return "production"
        case Transformation():
            return "transformation"
        case Special(kind=kind):
            return kind


# ---------------------------------------------------------------------------------------------- in words


def element_words(element: int, count: int, words: Words) -> str:
    """`3 earth`, `1 végétal`, `2 Pflanzen`."""
    table = words["element" if count == 1 else "elements"]
    return f"{count} {table[ELEMENTS[element]]}"


def amounts_words(amounts: Amounts, words: Words) -> str:
    """A sum of elements, `3 earth, 1 plant and 3 fire`; an empty sum is "free"."""
    if amounts == NOTHING:
        return str(words["phrase"]["free"])
    parts = [element_words(element, count, words) for element, count in enumerate(amounts) if count]
    return _series(parts, words["join"]["comma"], words["join"]["and"])


def options_words(options: Sequence[Amounts], words: Words) -> str:
    """Alternatives, `4 earth, 4 water or 1 air`."""
    if tuple(options) == ANY:
        return str(words["phrase"]["any"])
    parts = [amounts_words(option, words) for option in options]
    # With an "and" inside an alternative, commas between them would not tell what belongs together.
    if any(sum(map(bool, option)) > 1 for option in options):
        return str(words["join"]["or_long"]).join(parts)
    return _series(parts, words["join"]["comma"], words["join"]["or"])


def line_words(line: Line, words: Words) -> str:
    """One line as a sentence."""
    phrase: Mapping[str, str] = words["phrase"]
    special: Mapping[str, str] = words["special"]
    match line:
        case Production(options):
            return phrase["take"].format(gain=options_words(options, words))
        case Transformation(cost, options, times):
            template = phrase["change" if times == 1 else "change_times"]
            gain = options_words(options, words)
            return template.format(cost=amounts_words(cost, words), times=times, gain=gain)
        case Special(kind, count, bonus):
            template = special[f"{kind}_{count}{'' if bonus is None else '_bonus'}"]
            gain = "" if bonus is None else element_words(bonus, 1, words)
            return template.format(cost=amounts_words(line.cost, words), gain=gain)


def effect_words(effect: Effect, words: Words) -> str:
    """What the card does, in one or two sentences; a blank has none."""
    if not effect.lines:
        return ""
    text = line_words(effect.lines[0], words)
    for line in effect.lines[1:]:
        second = line_words(line, words)
        lower = second[0].lower() + second[1:]
        text = words["join"]["lines"].format(first=text, second_lower=lower)
    return text


def creature_words(creature: str, words: Words) -> str:
    """The creature's name, as it stands in a list."""
    return str(words["creature"][creature])


def card_title(card: Card, words: Words) -> str:
    """`88 phoenix`, `5:3 sirène`: enough to tell cards apart."""
    return f"{card.name} {creature_words(card.creature, words)}"


def place_words(card: Card, words: Words) -> str:
    """Where an S card of a set starts; empty for all other cards."""
    if card.place is None:
        return ""
    if card.place == IN_DISCARD:
        return str(words["phrase"]["discard"])
    return str(words["phrase"]["column"].format(column=card.place))


def _series(parts: Sequence[str], comma: str, last: str) -> str:
    return parts[0] if len(parts) == 1 else comma.join(parts[:-1]) + last + parts[-1]


# -------------------------------------------------------------------------------------------- in symbols


def amounts_symbols(amounts: Amounts, glyphs: Sequence[str] = LETTERS) -> str:
    """`E+2F`, or with other glyphs: a one is not written."""
    return (
        "+".join(f"{n if n > 1 else ''}{glyph}" for n, glyph in zip(amounts, glyphs, strict=True) if n) or "-"
    )


def cost_symbols(cost: Amounts, glyphs: Sequence[str] = LETTERS) -> str:
    """`3E 1V 3F`, the form of a project's cost: every number is written."""
    return " ".join(f"{n}{glyph}" for n, glyph in zip(cost, glyphs, strict=True) if n) or "-"


def line_symbols(line: Line, words: Words, glyphs: Sequence[str] = LETTERS) -> str:
    """One line in shorthand: the letters are the same in all languages, the names of special effects are not."""
    match line:
        case Production(options):
            return _options_symbols(options, words, glyphs)
        case Transformation(cost, options, times):
            often = f" ×{times}" if times > 1 else ""
            return f"{amounts_symbols(cost, glyphs)}{often} → {_options_symbols(options, words, glyphs)}"
        case Special(kind, count, bonus):
            name = words["kind"][kind]
            number = f" {count}" if kind in COUNTED else ""
            return f"{name}{number}{'' if bonus is None else f' +{glyphs[bonus]}'}"


def effect_symbols(effect: Effect, words: Words, glyphs: Sequence[str] = LETTERS) -> str:
    """The whole effect in shorthand."""
    return " | ".join(line_symbols(line, words, glyphs) for line in effect.lines)


def _options_symbols(options: Sequence[Amounts], words: Words, glyphs: Sequence[str]) -> str:
    between = "/" if tuple(options) == ANY else words["join"]["or"]
    return str(between).join(amounts_symbols(option, glyphs) for option in options)


def legend(words: Words, glyphs: Sequence[str] = LETTERS) -> str:
    """`E earth · V plant · …`: what the glyphs stand for."""
    pairs = zip(glyphs, ELEMENTS, strict=True)
    return " · ".join(f"{glyph} {words['element'][element]}" for glyph, element in pairs)
