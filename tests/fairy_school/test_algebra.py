"""The effect algebra and its shorthand: round trips, and errors that say what would be right."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabletop.games.fairy_school.algebra import (
    ANY,
    COUNTED,
    KINDS,
    LETTERS,
    MAX_OPTIONS,
    MAX_TIMES,
    NOTHING,
    PRICES,
    WITH_BONUS,
    Amounts,
    CardError,
    Effect,
    Kind,
    Line,
    Production,
    Special,
    Transformation,
    parse_effect,
    parse_price,
    price_text,
)
from fabletop.games.fairy_school.worth import effect_worth, line_worth

amounts: st.SearchStrategy[Amounts] = st.tuples(*[st.integers(0, 9)] * 5).filter(any)
options = st.lists(amounts, min_size=1, max_size=MAX_OPTIONS, unique=True).map(tuple)


@st.composite
def specials(draw: st.DrawFn) -> Special:
    kind: Kind = draw(st.sampled_from(KINDS))
    count = draw(st.integers(1, 2)) if kind in COUNTED else 1
    bonus = draw(st.none() | st.integers(0, 4)) if kind in WITH_BONUS else None
    return Special(kind, count, bonus)


productions = st.builds(Production, options | st.just(ANY))
transformations = st.builds(Transformation, amounts, options, st.integers(1, MAX_TIMES)).filter(
    lambda line: line.cost not in line.options
)
lines: st.SearchStrategy[Line] = productions | transformations | specials()
effects = st.lists(lines, min_size=1, max_size=2, unique=True).map(lambda some: Effect(tuple(some)))


def parse_line(text: str) -> Line:
    """An effect of one line."""
    (line,) = parse_effect(text).lines
    return line


@given(effects)
def test_what_is_written_is_read_back(effect: Effect) -> None:
    # F-6.1, F-6.2, F-6.3
    assert parse_effect(str(effect)) == effect


@given(effects)
def test_what_is_typed_plainly_means_the_same(effect: Effect) -> None:
    plain = str(effect).replace("→", "->").replace("×", "x").replace(" or ", "/")
    assert parse_effect(plain) == effect


@given(lines)
def test_a_line_alone_is_read_back(line: Line) -> None:
    assert parse_line(str(line)) == line


@given(amounts)
def test_a_price_is_read_back_in_any_order(price: Amounts) -> None:
    assert parse_price(price_text(price)) == price
    assert parse_price(" ".join(reversed(price_text(price).split()))) == price


@given(st.text(alphabet="EVFWA0123456789+|/→×-> xorRecallStudyBanish", max_size=20))
def test_any_text_is_an_effect_or_a_clear_error(text: str) -> None:
    found: Effect | CardError
    try:
        found = parse_effect(text)
    except CardError as error:
        found = error
    if isinstance(found, CardError):
        assert 1 <= found.column <= len(text) + 1
        assert found.problem
    else:
        assert parse_effect(str(found)) == found


def test_the_forms_of_the_rules_page() -> None:
    # F-6.1: fixed elements, or a choice
    assert parse_line("5F") == Production(((0, 0, 5, 0, 0),))
    assert parse_line("2F+W") == Production(((0, 0, 2, 1, 0),))
    assert parse_line("E/V/F/W") == Production(ANY)
    # F-6.2: the choice is made for each fire
    assert parse_line("W → 2F") == Transformation((0, 0, 0, 1, 0), ((0, 0, 2, 0, 0),))
    four_earth, four_water, one_air = (4, 0, 0, 0, 0), (0, 0, 0, 4, 0), (0, 0, 0, 0, 1)
    line = parse_line("F x2 -> 4E or 4W or A")
    assert line == Transformation((0, 0, 1, 0, 0), (four_earth, four_water, one_air), 2)
    assert str(line) == "F ×2 → 4E or 4W or A"
    assert parse_line("A ×2 → E+2V+F+W") == Transformation(one_air, ((1, 2, 1, 1, 0),), 2)
    # F-6.3: up to two cards, an element with it
    assert parse_line("Recall 2 +E") == Special("recall", 2, 0)
    assert parse_line("Banish +E") == Special("banish", 1, 0)


def test_every_family_of_specials_has_its_own_price() -> None:
    # F-6.3: Recall E, Scout V, Repeat W, Banish F, Study V+A+F+W
    prices = {kind: Special(kind).cost for kind in KINDS}
    expected = {"recall": "1E", "scout": "1V", "repeat": "1W", "banish": "1F", "study": "1V 1F 1W 1A"}
    assert {kind: price_text(price) for kind, price in prices.items()} == expected
    assert prices == PRICES
    assert parse_line("2E").cost == NOTHING


def test_only_a_recall_of_two_says_up_to() -> None:
    # F-6.3, F-6.7
    assert [str(s) for s in (Special("recall", 2), Special("recall"), Special("scout", 2)) if s.up_to] == [
        "Recall 2"
    ]


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("", 1, "the line ends where an element letter (E, V, F, W or A) should be"),
        ("2E+", 4, "the line ends where an element letter"),
        ("2E+3E", 4, "E is written twice"),
        ("0E", 1, "0 is no number of elements: it should be 1 to 9"),
        ("E, F", 2, "found ',' where the end, or | and a second line, should be"),
        ("W ×2", 5, "the line ends where the arrow → should be"),
        ("W × → F", 5, "found '→' where the number of times"),
        ("W ×9 → F", 4, "9 is no number of times: it should be 2 to 5"),
        ("W → ", 4, "the line ends where an element letter"),
        ("W → W", 1, "W would be paid for the same W"),
        ("E or V or E", 11, "the choice E is offered twice"),
        ("E/V/F/W/A", 9, "a choice has at most 4 sides"),
        ("Fly 2", 1, "'Fly' is no special effect: there are Recall, Scout, Repeat, Banish, Study"),
        ("F | Recall", 11, "(Recall 1 or Recall 2)"),
        ("Recall 3", 8, "3 is no number of cards: it should be 1 to 2"),
        ("Repeat 2", 8, "Repeat takes no number"),
        ("Scout 1 +E", 9, "Scout gives no element"),
        ("Banish +2E", 9, "found '2' where the one element that is given"),
        ("E | E", 5, "both lines say the same"),
        ("E | F | W", 9, "a card has at most 2 lines"),
    ],
)
def test_a_bad_line_says_where_and_what_would_be_right(text: str, column: int, says: str) -> None:
    with pytest.raises(CardError) as caught:
        parse_effect(text)
    assert caught.value.column == column
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("E", 3),
        ("V+W", 7),
        ("3V or 3W", 12),  # the best side
        ("W → E+2F", 8),  # 3 + 8 - 3
        ("F ×2 → 4E or 4W or A", 16),  # twice 12 - 4
        ("Recall 1 +E", 8),  # 8 + 3 - 3
        ("Scout 2", 11),  # 15 - 4
        ("Repeat", 7),  # 10 - 3
        ("Banish +A", 9),  # 7 + 6 - 4
        ("Study", 15),  # 32 - 17
        ("4F | A", 16),  # the better line
    ],
)
def test_worth_counts_at_the_rates_of_exchange(text: str, worth: int) -> None:
    # F-1.3: three of anything for E or W, four for V or F, six for A
    assert effect_worth(parse_effect(text)) == worth


@given(transformations)
def test_a_transformation_is_worth_its_times(line: Transformation) -> None:
    once = Transformation(line.cost, line.options)
    assert line_worth(line) == line.times * line_worth(once)


def test_letters_and_order_are_fixed() -> None:
    # F-1.2: five elements
    assert LETTERS == "EVFWA"
    assert [price_text(parse_price(f"1{letter}")) for letter in LETTERS] == ["1E", "1V", "1F", "1W", "1A"]
