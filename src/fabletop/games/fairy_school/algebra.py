"""The closed algebra of Fairy School card effects, and the shorthand that writes it down.

An effect is one or two lines, of which one is chosen when the card is activated. A line is a production
(F-6.1), a transformation (F-6.2) or a special effect (F-6.3). There is nothing else, so the options of the
engine, the words in every language, the symbols and a card's worth can all be derived from these few types.

Amounts of elements are tuples of five small ints in the fixed order E V F W A (earth, plant, fire, water, air).

The shorthand, as `str` writes it and `parse_effect` reads it back (docs/design-cards.md is the full guide):

    2F+W                      take them                       4E or 4W or A     one of these
    W → 2F                    spend one water for two fire    F ×2 → 4E or A    up to twice, each chosen
    Recall 2, Recall 1 +E     Scout 1, Scout 2                Repeat, Repeat +E
    Banish, Banish +E         Study                           V | Banish +E     two lines
    -                         nothing: a blank, for studies of what another card is worth
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, NoReturn, TypeAlias, get_args

from fabletop.core.errors import BadText

Amounts: TypeAlias = tuple[int, int, int, int, int]
Kind: TypeAlias = Literal["recall", "scout", "repeat", "banish", "study"]

LETTERS: Final = "EVFWA"
ELEMENTS: Final = ("earth", "plant", "fire", "water", "air")
EARTH, PLANT, FIRE, WATER, AIR = range(5)
NOTHING: Final[Amounts] = (0, 0, 0, 0, 0)

MAX_LINES: Final = 2
MAX_OPTIONS: Final = 4
MAX_TIMES: Final = 5
MAX_AMOUNT: Final = 9
BLANK: Final = "-"

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
# The price belongs to the family, not to the card (F-6.3).
PRICES: Final[dict[Kind, Amounts]] = {
    "recall": (1, 0, 0, 0, 0),
    "scout": (0, 1, 0, 0, 0),
    "repeat": (0, 0, 0, 1, 0),
    "banish": (0, 0, 1, 0, 0),
    "study": (0, 1, 1, 1, 1),
}
COUNTED: Final[frozenset[Kind]] = frozenset({"recall", "scout"})
WITH_BONUS: Final[frozenset[Kind]] = frozenset({"recall", "repeat", "banish"})


class CardError(BadText):
    """A line of shorthand that says nothing valid: what is wrong, where, and what would be right."""

    def __init__(self, problem: str, column: int, line: int | None = None, file: str = "cards.txt") -> None:
        where = f"column {column}" if line is None else f"{file}, line {line}, column {column}"
        super().__init__(f"{where}: {problem}")
        self.problem = problem
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True)
class Production:
    """F-6.1: take one of the options; with a single option there is nothing to choose."""

    options: tuple[Amounts, ...]

    @property
    def cost(self) -> Amounts:
        """A production is free."""
        return NOTHING

    def __str__(self) -> str:
        return options_text(self.options)


@dataclass(frozen=True, slots=True)
class Transformation:
    """F-6.2: pay `cost` k times at once (1 ≤ k ≤ `times`), then take an option k times, chosen each time."""

    cost: Amounts
    options: tuple[Amounts, ...]
    times: int = 1

    def __str__(self) -> str:
        times = f" ×{self.times}" if self.times > 1 else ""
        return f"{sum_text(self.cost)}{times} → {options_text(self.options)}"


@dataclass(frozen=True, slots=True)
class Special:
    """F-6.3: a recall, scout, repeat, banish or study; `bonus` is the index of the element it also gives.

    `count` is 2 for the recall of up to two cards and for the scout that places two; otherwise 1.
    """

    kind: Kind
    count: int = 1
    bonus: int | None = None

    @property
    def cost(self) -> Amounts:
        """The price of the family."""
        return PRICES[self.kind]

    @property
    def up_to(self) -> bool:
        """Whether fewer than `count` cards may be taken: only a recall of two says "up to"."""
        return self.kind == "recall" and self.count > 1

    def __str__(self) -> str:
        count = f" {self.count}" if self.kind in COUNTED else ""
        bonus = "" if self.bonus is None else f" +{LETTERS[self.bonus]}"
        return f"{self.kind.capitalize()}{count}{bonus}"


Line: TypeAlias = Production | Transformation | Special


@dataclass(frozen=True, slots=True)
class Effect:
    """What a card does: one line, or two of which one is chosen at each activation; a blank has none."""

    lines: tuple[Line, ...]

    def __str__(self) -> str:
        return " | ".join(map(str, self.lines)) or BLANK


# ---------------------------------------------------------------------------------------------- writing

ANY: Final[tuple[Amounts, ...]] = ((1, 0, 0, 0, 0), (0, 1, 0, 0, 0), (0, 0, 1, 0, 0), (0, 0, 0, 1, 0))


def sum_text(amounts: Amounts) -> str:
    """`(1, 0, 2, 0, 0)` as `E+2F`: a one is not written."""
    parts = (f"{n if n > 1 else ''}{letter}" for n, letter in zip(amounts, LETTERS, strict=True) if n)
    return "+".join(parts) or "-"


def price_text(amounts: Amounts) -> str:
    """`(3, 1, 3, 0, 0)` as `3E 1V 3F`: the form of a project's cost, every number written."""
    return " ".join(f"{n}{letter}" for n, letter in zip(amounts, LETTERS, strict=True) if n) or "-"


def options_text(options: tuple[Amounts, ...]) -> str:
    """Alternatives with `or`; one of any element but air (F-1.4) as `E/V/F/W`."""
    return ("/" if options == ANY else " or ").join(map(sum_text, options))


# ---------------------------------------------------------------------------------------------- reading

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+)|(?P<word>[A-Za-z]{2,})|(?P<arrow>→|->)|(?P<times>×|x)"
    r"|(?P<element>[EVFWA])|(?P<sign>[+|/])|(?P<other>\S))"
)


@dataclass(frozen=True, slots=True)
class _Token:
    sort: str
    text: str
    column: int


class _Reader:
    """Walks over the tokens of one piece of shorthand; `first_column` places its errors in the file."""

    def __init__(self, text: str, first_column: int) -> None:
        self.tokens: list[_Token] = []
        for match in _TOKEN.finditer(text):
            sort = match.lastgroup or "other"
            self.tokens.append(_Token(sort, match[sort], first_column + match.start(sort)))
        self.end = first_column + len(text.rstrip())
        self.at = 0

    def peek(self) -> _Token:
        return self.tokens[self.at] if self.at < len(self.tokens) else _Token("end", "the end", self.end)

    def take(self, *accepted: str) -> _Token | None:
        """The next token if its sort or its text is among `accepted`, else nothing."""
        token = self.peek()
        if token.sort in accepted or token.text in accepted:
            self.at += 1
            return token
        return None

    def wrong(self, expected: str) -> NoReturn:
        token = self.peek()
        actual = "the line ends" if token.sort == "end" else f"found '{token.text}'"
        raise CardError(f"{actual} where {expected} should be", token.column)

    def number(self, least: int, most: int, what: str) -> int | None:
        token = self.take("number")
        if token is None:
            return None
        if not least <= int(token.text) <= most:
            raise CardError(f"{token.text} is no {what}: it should be {least} to {most}", token.column)
        return int(token.text)


def _amount(reader: _Reader) -> tuple[int, int]:
    count = reader.number(1, MAX_AMOUNT, "number of elements")
    letter = reader.take("element")
    if letter is None:
        reader.wrong("an element letter (E, V, F, W or A)")
    return LETTERS.index(letter.text), 1 if count is None else count


def _sum(reader: _Reader) -> Amounts:
    amounts = [0] * 5
    while True:
        column = reader.peek().column
        element, count = _amount(reader)
        if amounts[element]:
            raise CardError(f"{LETTERS[element]} is written twice: add the two up", column)
        amounts[element] = count
        if not reader.take("+"):
            return _as_amounts(amounts)


def _options(reader: _Reader, first: Amounts | None = None) -> tuple[Amounts, ...]:
    options = [_sum(reader) if first is None else first]
    while reader.take("or", "/"):
        column = reader.peek().column
        option = _sum(reader)
        if option in options:
            raise CardError(f"the choice {sum_text(option)} is offered twice", column)
        if len(options) == MAX_OPTIONS:
            raise CardError(f"a choice has at most {MAX_OPTIONS} sides", column)
        options.append(option)
    return tuple(options)


def _special(reader: _Reader) -> Special:
    word = reader.take("word")
    if word is None:
        reader.wrong("an element or a special effect")
    kinds = [kind for kind in KINDS if kind == word.text.lower()]
    if not kinds:
        known = ", ".join(kind.capitalize() for kind in KINDS)
        raise CardError(f"'{word.text}' is no special effect: there are {known}", word.column)
    kind = kinds[0]
    column = reader.peek().column
    count = reader.number(1, 2, "number of cards")
    if kind in COUNTED and count is None:
        reader.wrong(f"the number of cards ({kind.capitalize()} 1 or {kind.capitalize()} 2)")
    if kind not in COUNTED and count is not None:
        raise CardError(f"{kind.capitalize()} takes no number", column)
    bonus = None
    sign = reader.take("+")
    if sign is not None:
        if kind not in WITH_BONUS:
            raise CardError(f"{kind.capitalize()} gives no element", sign.column)
        letter = reader.take("element")
        if letter is None:
            reader.wrong("the one element that is given (E, V, F, W or A)")
        bonus = LETTERS.index(letter.text)
    return Special(kind, 1 if count is None else count, bonus)


def _line(reader: _Reader) -> Line:
    if reader.peek().sort == "word":
        return _special(reader)
    first_column = reader.peek().column
    first = _sum(reader)
    times = 1
    if reader.take("times"):
        count = reader.number(2, MAX_TIMES, "number of times")
        if count is None:
            reader.wrong("the number of times (×2 and so on)")
        times = count
        if reader.peek().sort != "arrow":
            reader.wrong("the arrow →")
    if not reader.take("arrow"):
        return Production(_options(reader, first))
    options = _options(reader)
    if first in options:
        raise CardError(f"{sum_text(first)} would be paid for the same {sum_text(first)}", first_column)
    return Transformation(first, options, times)


def parse_effect(text: str, first_column: int = 1) -> Effect:
    """One or two lines separated by `|`, or `-`. Raises `CardError` with the column of the first mistake."""
    if text.strip() == BLANK:
        return Effect(())
    reader = _Reader(text, first_column)
    lines = [_line(reader)]
    while reader.take("|"):
        column = reader.peek().column
        lines.append(_line(reader))
        if len(lines) > MAX_LINES:
            raise CardError(f"a card has at most {MAX_LINES} lines", column)
        if lines[0] == lines[1]:
            raise CardError("both lines say the same", column)
    if reader.peek().sort != "end":
        reader.wrong("the end, or | and a second line,")
    return Effect(tuple(lines))


def parse_price(text: str, first_column: int = 1) -> Amounts:
    """A project's cost or a step's, `3E 1V 3F`; the elements in any order, each once."""
    reader = _Reader(text, first_column)
    amounts = [0] * 5
    while True:
        column = reader.peek().column
        element, count = _amount(reader)
        if amounts[element]:
            raise CardError(f"{LETTERS[element]} is written twice: add the two up", column)
        amounts[element] = count
        if reader.peek().sort == "end":
            return _as_amounts(amounts)


def _as_amounts(amounts: list[int]) -> Amounts:
    earth, plant, fire, water, air = amounts
    return earth, plant, fire, water, air
