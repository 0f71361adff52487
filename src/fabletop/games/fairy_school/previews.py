"""What follows from an option of Fairy School, shown before it is chosen.

Everything is computed from the seat's own view and choice, so a preview cannot show anything hidden. The things are the
texts of the action catalogue (`notation.py`), and four more: the current projects and `step`, whatever is asked; a pair
of columns, `column-1 column-4`; `payment`, what is being paid; `deck`, what the seat's cards make.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any

from fabletop.core.game import Choice, View
from fabletop.games.fairy_school import constants as c
from fabletop.games.fairy_school.algebra import (
    AIR,
    EARTH,
    ELEMENTS,
    FIRE,
    NOTHING,
    PLANT,
    WATER,
    Amounts,
    Line,
    Production,
    Special,
    Transformation,
)
from fabletop.games.fairy_school.cards import BY_NAME, CREATURES, FINAL_BY_NAME
from fabletop.games.fairy_school.notation import ACTION_TEXTS
from fabletop.games.fairy_school.preview_types import Preview
from fabletop.games.fairy_school.view import amounts

NamedPreviews = Iterator[tuple[str, Preview]]

JOKER_FIRST = (PLANT, FIRE, EARTH, WATER)
"""Air stands in for the dearest elements first."""
CHEAP_FIRST = (EARTH, WATER, PLANT, FIRE)
"""What goes into a conversion: first what is cheapest to make again."""


def previews(view: View, choice: Choice) -> dict[str, Preview]:
    """What follows from each option of a choice, and what the projects of the seat lack."""
    player = view["players"][view["viewer"]]
    by_option: dict[str, Preview] = {}
    for card in (*player["projects"], *view["own"]["picks"]):
        if BY_NAME[card].is_project:
            by_option[card] = payment(player, BY_NAME[card].cost)
    final = FINAL_BY_NAME.get(player["final"])
    if final and player["steps"] < len(final.steps):
        by_option["step"] = payment(player, final.steps[player["steps"]])
    if choice.kind in BY_QUESTION:
        by_option |= BY_QUESTION[choice.kind](view, player, choice)
    return by_option


def stock(player: Mapping[str, Any]) -> list[int]:
    """The elements of a seat."""
    return [player["elements"][element] for element in ELEMENTS]


def payment(player: Mapping[str, Any], cost: Amounts, gain: Amounts | None = None) -> Preview:
    """F-1.3: what a seat lacks to pay, the cheapest conversions that close the gap, and what is left then."""
    has = stock(player)
    lack = [max(0, due - held) for due, held in zip(cost, has, strict=True)]
    preview: Preview = {"cost": amounts(cost), "lack": amounts(lack)}
    exchanges = conversions(has, cost)
    if exchanges is None:
        return preview
    preview["exchanges"] = [{"made": ELEMENTS[made], "given": amounts(given)} for made, given in exchanges]
    if gain is not None:
        preview["gain"] = amounts(gain)
    left = [held - due + gained for held, due, gained in zip(has, cost, gain or NOTHING, strict=True)]
    for made, given in exchanges:
        left[made] += 1
        left = [held - spent for held, spent in zip(left, given, strict=True)]
    preview["elements"] = amounts(left)
    return preview


def conversions(has: list[int], cost: Iterable[int], begun: int = 0) -> list[tuple[int, list[int]]] | None:
    """F-1.3: the cheapest conversions that make `has` enough for `cost`, in the order of the elements; None if there
    are none. Into the first of them `begun` elements have gone already."""
    short = [due - held for due, held in zip(cost, has, strict=True)]
    spare = [max(0, -gap) for gap in short]
    jokers = [0] * len(ELEMENTS)
    first = next((k for k, gap in enumerate(short) if gap > 0), None)
    for k in JOKER_FIRST:
        jokers[k] = min(spare[AIR], max(0, short[k] - (begun > 0 and k == first)))
        spare[AIR] -= jokers[k]
    exchanges: list[tuple[int, list[int]]] = []
    for k, gap in enumerate(short):
        for n in range(gap):
            given = [0] * len(ELEMENTS)
            if n >= gap - jokers[k]:
                given[AIR] = 1
            else:
                due = c.RATE[k] - (begun if k == first and n == 0 else 0)
                for other in CHEAP_FIRST:
                    given[other] = min(spare[other], due)
                    spare[other] -= given[other]
                    due -= given[other]
                if due:
                    return None
            exchanges.append((k, given))
    return exchanges


def _sum(values: Iterable[int]) -> Amounts:
    """Five numbers as an amount."""
    earth, plant, fire, water, air = values
    return earth, plant, fire, water, air


def _one(element: int) -> Amounts:
    """One of an element."""
    return _sum(int(k == element) for k in range(len(ELEMENTS)))


def _cube(player: Mapping[str, Any], owner: int) -> Preview:
    """F-5.3, F-5.4: an activation takes a cube, which becomes the kindness of the card's owner."""
    preview: Preview = {"cubes": player["cubes"] - 1}
    return preview if owner == player["seat"] else {**preview, "to": owner}


def _use(player: Mapping[str, Any], line: Line, times: int = 1) -> Preview:
    """F-6: what a line costs, and what it gives where that is certain."""
    return payment(player, _sum(times * due for due in line.cost), _gain(line, times))


def _gain(line: Line, times: int) -> Amounts | None:
    """What a line gives; None where that is still to be chosen."""
    if isinstance(line, Special):
        return NOTHING if line.bonus is None else _one(line.bonus)
    if len(line.options) > 1:
        return None
    return _sum(times * amount for amount in line.options[0])


def _owner(view: View, card: str) -> int:
    """The seat in front of which a card lies."""
    return next(
        (player["seat"] for player in view["players"] if card in player["shared"]), int(view["viewer"])
    )


def _activate(view: View, player: Mapping[str, Any], choice: Choice) -> NamedPreviews:
    """F-5.3, F-6.3: a cube, and what the line does where the card has only one."""
    for action in choice.options:
        card = ACTION_TEXTS[action]
        if card not in BY_NAME:
            continue
        preview = _cube(player, _owner(view, card))
        lines = BY_NAME[card].effect.lines
        if len(lines) == 1 and (not isinstance(lines[0], Transformation) or lines[0].times == 1):
            preview |= _use(player, lines[0])
        yield card, preview


def _line(view: View, player: Mapping[str, Any], choice: Choice) -> NamedPreviews:
    """F-6: what each line costs and gives."""
    card = choice.about["card"]
    for number, line in enumerate(BY_NAME[card].effect.lines, 1):
        preview = _cube(player, _owner(view, card))
        if not isinstance(line, Transformation) or line.times == 1:
            preview |= _use(player, line)
        yield f"line-{number}", preview


def _times(view: View, player: Mapping[str, Any], choice: Choice) -> NamedPreviews:
    """F-6.2: what it costs and gives as often as that; the cube lies on the card already."""
    line = BY_NAME[choice.about["card"]].effect.lines[choice.about["line"] - 1]
    for action in choice.options:
        text = ACTION_TEXTS[action]
        if text.startswith("times-"):
            yield text, _use(player, line, int(text[len("times-") :]))


def _got(player: Mapping[str, Any], gain: Amounts) -> Preview:
    """What a gain makes of the stock."""
    return {
        "gain": amounts(gain),
        "elements": amounts(held + gained for held, gained in zip(stock(player), gain, strict=True)),
    }


def _gains(view: View, player: Mapping[str, Any], choice: Choice) -> NamedPreviews:
    """F-6.1: one of the gains."""
    for number, gain in enumerate(choice.about["gains"], 1):
        yield f"gain-{number}", _got(player, _sum(gain.values()))


def _element(view: View, player: Mapping[str, Any], choice: Choice) -> NamedPreviews:
    """F-1.6, F-7.3: one element."""
    for k, element in enumerate(ELEMENTS):
        yield element, _got(player, _one(k))


def _repeat(view: View, player: Mapping[str, Any], choice: Choice) -> NamedPreviews:
    """F-6.8: a further cube on a card activated before."""
    for card, _ in view["own"]["used"]:
        yield card, _cube(player, _owner(view, card))


def _study(view: View, player: Mapping[str, Any], choice: Choice) -> NamedPreviews:
    """F-5.5: the second creature of a pair brings the bonus; which element `any` is comes later."""
    for action in choice.options:
        creature = ACTION_TEXTS[action].replace("-", "_")
        if creature not in CREATURES:
            continue
        number = CREATURES.index(creature)
        bonus = c.PAIR_BONUS[number // 2]
        if CREATURES[number ^ 1] in player["studied"] and bonus < len(ELEMENTS):
            yield ACTION_TEXTS[action], _got(player, _one(bonus))


def _select(view: View, player: Mapping[str, Any], choice: Choice) -> NamedPreviews:
    """F-5.2: what a column costs, and a pair of columns together."""
    columns = [text for text in map(ACTION_TEXTS.__getitem__, choice.options) if text.startswith("column-")]
    for count in range(1, 1 + choice.about["most"]):
        for some in combinations(columns, count):
            cost = [0] * len(ELEMENTS)
            for column in some:
                element = c.COLUMN_COST[int(column[len("column-") :]) - 1]
                if element < len(ELEMENTS):
                    cost[element] += 1
            yield " ".join(some), payment(player, _sum(cost))


def _draft(view: View, player: Mapping[str, Any], choice: Choice) -> NamedPreviews:
    """F-4.1, F-4.2, F-5.0: what the projects to choose from cost, and what the seat's cards make."""
    for action in choice.options:
        card = BY_NAME.get(ACTION_TEXTS[action])
        if card and card.is_project:
            yield card.name, payment(player, card.cost)
    yield "deck", {"gain": amounts(makes(deck(player)))}


def _final(view: View, player: Mapping[str, Any], choice: Choice) -> NamedPreviews:
    """F-7.1: what the first step of each final project costs, and what the seat's cards make."""
    for name in view["finals"]:
        yield name, payment(player, FINAL_BY_NAME[name].steps[0])
    yield "deck", {"gain": amounts(makes(deck(player)))}


def deck(player: Mapping[str, Any]) -> list[str]:
    """All cards that a seat plays with."""
    forest, pile = player["forest"], player["pile"]
    return [
        *filter(None, (*forest["top"], *forest["bottom"])),
        *player["personal"],
        *player["shared"],
        *player["discard"],
        *pile["top"],
        *pile["among"],
    ]


def makes(cards: Iterable[str]) -> list[int]:
    """What cards give by themselves: of each element as much as their productions can give at most."""
    total = [0] * len(ELEMENTS)
    for card in cards:
        made = [line for line in BY_NAME[card].effect.lines if isinstance(line, Production)]
        for k in range(len(ELEMENTS)):
            total[k] += max((option[k] for line in made for option in line.options), default=0)
    return total


def _pay(view: View, player: Mapping[str, Any], choice: Choice) -> NamedPreviews:
    """F-6.9: the cheapest way to pay from here."""
    due, has, spent = choice.about["cost"], stock(player), choice.about["spent"]
    exchanges = conversions(has, due.values(), spent) or []
    preview = payment(player, _sum(due.values()))
    preview["exchanges"] = [{"made": ELEMENTS[made], "given": amounts(given)} for made, given in exchanges]
    yield "payment", preview
    offered = [text for text in map(ACTION_TEXTS.__getitem__, choice.options) if text.startswith("spend-")]
    first = f"spend-{ELEMENTS[next(k for k, n in enumerate(exchanges[0][1]) if n)]}" if exchanges else ""
    for text in offered:
        yield text, {"best": text == (first if first in offered else offered[0])}


def _convert(view: View, player: Mapping[str, Any], choice: Choice) -> NamedPreviews:
    """F-1.3: the rates."""
    for k, element in enumerate(ELEMENTS):
        yield f"make-{element}", {"rate": c.RATE[k]}


BY_QUESTION: Mapping[str, Callable[[View, Mapping[str, Any], Choice], NamedPreviews]] = {
    "draft": _draft,
    "drop": _draft,
    "goal": _draft,
    "final": _final,
    "select": _select,
    "activate": _activate,
    "line": _line,
    "times": _times,
    "gain": _gains,
    "repeat": _repeat,
    "study": _study,
    "study_any": _study,
    "any": _element,
    "bonus": _element,
    "pay": _pay,
    "convert": _convert,
}
