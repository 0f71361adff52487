"""Actions as people write them, positions as text, and what is said when neither is understood."""

import pytest

from fabletop.core.errors import BadText, NotOffered
from tests.fairy_school.scene import GAME, scene


def test_every_action_text_parses_back() -> None:
    assert [GAME.parse(text) for text in GAME.actions] == list(range(len(GAME.actions)))
    assert len(set(GAME.actions)) == len(GAME.actions)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("88", "88"), ("88 phoenix", "88"), ("Phoenix 88", "88"), ("activate 88 Phoenix", "88"), ("5:3", "5:3"),
        ("Column 3", "column-3"), ("play column 3", "column-3"), ("TOP_1", "top-1"), ("place on bottom 5", "bottom-5"),
        ("line 2", "line-2"), ("times 3", "times-3"), ("x 3", "times-3"), ("option 2", "gain-2"),
        ("Earth", "earth"), ("e", "earth"), ("make Fire", "make-fire"), ("pay water", "spend-water"),
        ("spend w", "spend-water"), ("Sea Serpent", "sea-serpent"), ("study sea serpent", "sea-serpent"),
        ("realise 103", "103"), ("final F3", "F3"), ("finish", "done"), ("skip", "pass"), ("  done ", "done"),
    ],
)  # fmt: skip
def test_actions_are_read_tolerantly(written: str, meant: str) -> None:
    assert GAME.actions[GAME.parse(written)] == meant


def test_long_and_short_finals_differ_only_in_the_capital() -> None:  # F-1.8
    assert GAME.actions[GAME.parse("F1")] == "F1"
    assert GAME.actions[GAME.parse("f1")] == "f1"


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("unicron", "unicorn"),
        ("colunm-3", "column-3"),
        ("164", "is no action"),
        ("88 unicorn", "is no action"),
        ("", "is no action"),
    ],
)
def test_what_is_not_understood_says_what_is_near(written: str, hint: str) -> None:
    with pytest.raises(BadText, match=hint):
        GAME.parse(written)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("2 seats; phase dance", "is no phase; there are"),
        ("2 seats; ana: discard 164", "is no card; cards are 1 to 163"),
        ("2 seats; ana: elements 3X", "is no amount of an element"),
        ("2 seats; ana: forest 1 2 3", "a forest has ten spaces"),
        ("2 seats; ana: studied dog", "is no creature"),
        ("2 seats; ana: final F11", "is no final project"),
        ("2 seats; ana: cubes many", "should be a number"),
        ("2 seats; trimester V", "is no trimester"),
        ("2 seats; nonsense", "is no part of a position"),
    ],
)
def test_a_bad_position_says_what_is_wrong(text: str, why: str) -> None:
    with pytest.raises(BadText, match=why):
        GAME.from_position(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("6 seats; trimester I, phase plan; common 105 106 107 108 109 110", "23 cards of trimester II"),
        ("6 seats; trimester I, phase draft; common 77 78 79 80 81", "23 cards of trimester I are"),
        (
            "2 seats, expert; trimester 0, phase settle_draft; ana: discard "
            + " ".join(map(str, range(49, 68))),
            "9 cards of the S deck .* needs 10",
        ),
    ],
)
def test_a_position_must_leave_enough_cards_for_the_drafts_to_come(text: str, why: str) -> None:  # F-4.1
    """Else the draft would deal cards twice."""
    with pytest.raises(BadText, match=why):
        GAME.from_position(text)


def test_a_position_with_just_enough_projects_is_read() -> None:  # F-4.1
    state = GAME.from_position("6 seats; trimester I, phase draft; common 77 78 79 80")
    assert GAME.counts(state)["cards"] == GAME.counts(GAME.new({"seats": 6}, range(7)))["cards"]


def test_a_position_reads_back_in_the_middle_of_anything() -> None:
    g = scene("""
        4 seats, wider; trimester II, turn 3, phase activate; common 80 94
        ana: elements 3F 2E; personal 117 11; shared 9; pile 1 2 3 | 88; discard 53; kindness ben 2, cleo 1
        ben: shared 13; studied elf; final F2
    """)
    g.ana("117", "times 2", "gain 1")
    text = GAME.position(g.state)
    again = GAME.from_position(text)
    assert GAME.position(again) == text
    for seat in range(4):
        assert again.legal(seat) == g.state.legal(seat)
        assert GAME.view(again, seat) == GAME.view(g.state, seat)


def test_a_refused_action_says_what_is_offered() -> None:
    g = scene("""
        2 seats; phase select
        ana: elements none
    """)
    assert g.refuses("ana", "column 1") == "'column-1' is not offered; offered are column-3"
    g.ana("column 3", "done")
    assert "nothing to decide" in g.refuses("ana", "column 1")
    with pytest.raises(NotOffered, match="nothing to decide"):
        g.state.apply(7, 0)
    with pytest.raises(NotOffered):
        g.state.apply(1, 99999)
