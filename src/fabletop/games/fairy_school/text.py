"""Fairy School in words: any value of an event, a view, a choice or an action, in the language that `word` speaks.

`word(key)` looks up a text of `lang/<xx>/fairy_school.toml`, or, file first, of `cards.toml`, where the creatures, the
elements and the phrases of the cards are. This module knows what the values are; the languages know how to say them.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from fabletop.core.game import CardEntry
from fabletop.games.fairy_school import constants as c
from fabletop.games.fairy_school.algebra import ELEMENTS, Amounts, Line, Production, Special, Transformation
from fabletop.games.fairy_school.card_types import CardAmounts, CardData, CardLine
from fabletop.games.fairy_school.cards import BY_NAME, CARDS, CREATURES, FINAL_BY_NAME, FINALS, Card
from fabletop.games.fairy_school.catalogue import DESIGNS
from fabletop.games.fairy_school.words import (
    amounts_symbols,
    amounts_words,
    cost_symbols,
    effect_symbols,
    effect_words,
    line_symbols,
    line_words,
    place_words,
)

Word = Callable[[str], str]


class Phrases(Mapping[str, Any]):
    """A language file seen as the nested mapping that `words.py` reads; keys are looked up when they are wanted."""

    def __init__(self, word: Word, path: str) -> None:
        self.word = word
        self.path = path

    def __getitem__(self, key: str) -> Any:
        path = f"{self.path}.{key}"
        return Phrases(self.word, path) if "." not in self.path else self.word(path)

    def __iter__(self) -> Iterator[str]:
        raise TypeError("a language file is looked up by key, not read through")

    def __len__(self) -> int:
        raise TypeError("a language file is looked up by key, not read through")


def say(kind: str, value: Any, word: Word) -> str:
    """A value of some kind in words. Kinds that need more than one field get the fields of the event as a mapping."""
    speaker = SPEAKERS.get(kind)
    if speaker is None:
        raise KeyError(
            f"Fairy School has no words for the kind {kind!r}; it knows {', '.join(sorted(SPEAKERS))}"
        )
    return speaker(value, word)


# ---- cards, creatures, elements


def card_name(name: str, word: Word) -> str:
    """`Phoenix 88`: a card in a sentence, where a number in front would count (four sea serpents)."""
    return f"{_upper(word(f'cards.creature.{BY_NAME[name].creature}'))} {name}"


def card_title(name: str, word: Word) -> str:
    """`88 Phoenix`: a card in a list, by its number."""
    return f"{name} {_upper(word(f'cards.creature.{BY_NAME[name].creature}'))}"


def card_symbols(name: str, word: Word) -> str:
    """What a card does, in shorthand."""
    return effect_symbols(BY_NAME[name].effect, Phrases(word, "cards"))


def card_text(name: str, word: Word) -> str:
    """What a card does, in sentences."""
    return effect_words(BY_NAME[name].effect, Phrases(word, "cards"))


def amounts(value: Any, word: Word) -> str:
    """`3 earth and 1 fire`, from five numbers, or from a mapping that has them by name."""
    return amounts_words(_five(value), Phrases(word, "cards"))


def symbols(value: Any, word: Word) -> str:
    """`3E 1F`."""
    return cost_symbols(_five(value))


def _one(element: str) -> dict[str, int]:
    return {element: 1}


def _five(value: Any) -> Amounts:
    if isinstance(value, Mapping):
        value = [value.get(name, 0) for name in ELEMENTS]
    earth, plant, fire, water, air = value
    return earth, plant, fire, water, air


def _final(value: str, word: Word) -> str:
    return word("say.final").format(final=value)


def _steps(value: str) -> str:
    return " / ".join(cost_symbols(step) for step in FINAL_BY_NAME[value].steps)


# ---- places and times


def _space(value: str, word: Word) -> str:
    row, _, n = value.partition("-")
    return word(f"space.{row}").format(n=n)


def _set(value: str | None, word: Word) -> str:
    return word("say.no_set") if value is None else word("say.set").format(set=value)


def _trimester(value: int, word: Word) -> str:
    """`trimester II`; 0 is the last one, whichever number it has."""
    if 0 < value <= len(c.trimester_names):
        return word("say.trimester").format(trimester=c.trimester_names[value - 1])
    return word("say.last_trimester")


# ---- actions


def action_label(text: str, word: Word) -> str:
    """An action as an option to choose: a card with what it does, a column with what it costs."""
    head, _, tail = text.partition("-")
    if text in BY_NAME:
        return _card_label(BY_NAME[text], word)
    if text in FINAL_BY_NAME:
        return word("action.final").format(final=_upper(_final(text, word)), steps=_steps(text))
    if text in ELEMENTS:
        return word("action.take").format(element=word(f"cards.element.{text}"))
    if text.replace("-", "_") in CREATURES:
        return word("action.creature").format(
            creature=_upper(word(f"cards.creature.{text.replace('-', '_')}"))
        )
    if head in ("top", "bottom"):
        return word("action.space").format(space=_upper(_space(text, word)))
    if head == "column":
        return _column_label(int(tail), word)
    if head == "line":
        return word("action.line").format(line=tail)
    if head == "times":
        return _upper(word("action.times_one" if tail == "1" else "action.times").format(count=tail))
    if head == "gain":
        return word("action.gain").format(n=tail)
    if head in ("make", "spend"):
        return word(f"action.{head}").format(element=word(f"cards.element.{tail}"))
    return word(f"action.{text}")


def _card_label(card: Card, word: Word) -> str:
    return word("action.project" if card.is_project else "action.card").format(
        title=card_title(card.name, word), cost=cost_symbols(card.cost), symbols=card_symbols(card.name, word)
    )


def _column_label(column: int, word: Word) -> str:
    cost = c.COLUMN_COST[column - 1]
    if cost == c.NO_ELEMENT:
        return word("action.column_free").format(column=column)
    return word("action.column").format(column=column, cost=amounts(_one(ELEMENTS[cost]), word))


def option_label(value: Mapping[str, Any], word: Word) -> str:
    """An action as an answer to a choice, `{"action": "line-2", **choice.about}`: a line or a gain says what it is."""
    text = str(value["action"])
    head, _, tail = text.partition("-")
    card = BY_NAME.get(value.get("card", ""))
    if card is not None and head == "line":
        return line_symbols(card.effect.lines[int(tail) - 1], Phrases(word, "cards"))
    if card is not None and head == "gain" and "line" in value:
        line = card.effect.lines[value["line"] - 1]
        if not isinstance(line, Special):
            return amounts_symbols(line.options[int(tail) - 1])
    return action_label(text, word)


# ---- the card list


def cards(word: Word) -> Iterator[CardEntry]:
    """Every printed card once, then the final projects, for people who look something up."""
    phrases = Phrases(word, "cards")
    for card in DESIGNS:
        text = effect_words(card.effect, phrases)
        shorthand = effect_symbols(card.effect, phrases)
        if card.is_project:
            shorthand = f"{cost_symbols(card.cost)} · {shorthand}"
        elif card.set:
            shorthand = word("say.deck_place").format(
                symbols=shorthand, set=card.set, place=place_words(card, phrases)
            )
        group = word(f"cards.deck.{card.deck}")
        yield CardEntry(
            card.name, group, card_title(card.name, word), shorthand, text, card_data(card, phrases)
        )
    for final in FINALS:
        steps = [
            word("say.step").format(step=n, cost=amounts_words(cost, phrases))
            for n, cost in enumerate(final.steps, start=1)
        ]
        group = word("cards.deck.final")
        yield CardEntry(
            final.name,
            group,
            _upper(_final(final.name, word)),
            _steps(final.name),
            "\n".join(steps),
            CardData(steps=[_by_name(cost) for cost in final.steps]),
        )


def card_data(card: Card, phrases: Phrases) -> CardData:
    """A card as plain values."""
    names = [card.name]
    if card.deck == "start":
        names = [other.name for other in CARDS if other.deck == "start" and other.effect is card.effect]
    return {
        "creature": card.creature,
        "deck": card.deck,
        "names": names,
        "cost": _by_name(card.cost) if card.is_project else None,
        "lines": [_line_data(line, line_words(line, phrases)) for line in card.effect.lines],
    }


def _line_data(line: Line, text: str) -> CardLine:
    """What a line costs and gives."""
    data: CardLine = {
        "cost": _by_name(line.cost),
        "times": 1,
        "gains": [],
        "special": None,
        "count": 1,
        "text": text,
    }
    match line:
        case Production(options):
            data["gains"] = [_by_name(option) for option in options]
        case Transformation(options=options, times=times):
            data["gains"] = [_by_name(option) for option in options]
            data["times"] = times
        case Special(kind=kind, count=count, bonus=bonus):
            data["gains"] = [] if bonus is None else [cast(CardAmounts, {ELEMENTS[bonus]: 1})]
            data["special"], data["count"], data["up_to"] = kind, count, line.up_to
    return data


def _by_name(amounts: Amounts) -> CardAmounts:
    return cast(CardAmounts, {name: n for name, n in zip(ELEMENTS, amounts, strict=True) if n})


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


SPEAKERS: dict[str, Callable[[Any, Word], str]] = {
    "card": card_name,
    "card_title": card_title,
    "card_symbols": card_symbols,
    "card_text": card_text,
    "final": _final,
    "final_steps": lambda v, word: _steps(v),
    "creature": lambda v, word: word(f"cards.creature.{v}"),
    "element": lambda v, word: word(f"cards.element.{v}"),
    "space": _space,
    "column": lambda v, word: word("say.column").format(column=v),
    "line": lambda v, word: word("say.line").format(line=v),
    "amounts": amounts,
    "symbols": symbols,
    "cost": amounts,
    "making": lambda v, word: amounts(_one(v), word),
    "deck": lambda v, word: word(f"cards.deck.{v}"),
    "to": lambda v, word: word(f"side.{v}"),
    "set": _set,
    "trimester": _trimester,
    "end": lambda v, word: word(f"reason.{v}"),
    "reason": lambda v, word: word(f"reason.{v}"),
    "report": lambda v, word: word(f"report.{v or 'none'}"),
    "phase": lambda v, word: word(f"phase.{v}"),
    "action": action_label,
    "option": option_label,
    # From all fields of an event.
    "final_names": lambda v, word: ", ".join(v["finals"]),
    "the_creature": lambda v, word: word(f"cards.the_creature.{v['creature']}"),
    "made_words": lambda v, word: amounts(_one(v["made"]), word),
    "element_words": lambda v, word: amounts(_one(v["element"]), word),
    "trimester_heading": lambda v, word: _upper(_trimester(v["trimester"], word)),
}
