"""A position text that cannot be a state is refused with a reason; the engine itself looks at nothing twice."""

import re

import pytest

from fabletop.core import laws
from fabletop.core.chance import Chance
from fabletop.core.errors import BadText
from fabletop.games.fairy_school import constants as c
from fabletop.games.fairy_school.cards import CARDS
from tests.fairy_school.scene import GAME, scene


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("9 seats", "there are 9 seats; Fairy School is for 2 to 6"),  # F-1.1
        ("2 seats; cleo: cubes 3", "seat 2 has a part, but there are 2 seats"),
        ("2 seats; ana: kindness fay 2", "'fay' has no seat"),
        ("2 seats; ana: cubes 38", "the number of cubes is 38; it should be 0 to 37"),  # F-1.7
        ("2 seats; ana: pile 1 2; discard 2", "in two places at once: 2"),
        ("2 seats; ana: projects 82\nben: projects 82", "in two places at once: 82"),
        ("2 seats; common 82; ana: projects 82", "in two places at once: 82"),
        ("2 seats; common 1", "only projects lie in the common discard"),  # F-4.2
        ("2 seats; ana: projects 82 83 84 85", "the number of current projects is 4"),  # F-4.2
        ("2 seats; ana: shared 1 2 3", "room for 2"),
        (
            "2 seats; phase select; ana: shared 1",
            "the number of shared cards is 1; it should be 0 to 0",
        ),  # F-5.2
        ("2 seats; trimester last; ana: final F1 at 6", "the number of steps is 6"),  # F-1.8
        ("2 seats, short; trimester last; ana: final F1", "a final project of the other length"),  # F-2.7
        ("2 seats; turn 13", "the turn is 13; it should be 0 to 12"),  # F-3.1
        ("2 seats; ana: set Q", "'Q' is no set; there are A, B, C, D, E"),  # F-1.8
        ("2 seats; ended early", "is no reason for an end"),
        ("2 seats; ana: elements 70000E", "an amount of an element is 70000"),
        ("2 seats; ana: asked dance", "is no question"),
        ("2 seats; ana: asked plan arm=3", "is no register"),
        ("2 seats; chance xyz", "'xyz' should be a number"),
        ("2 seats; chance 1 2", "chance has 2 words; 3 are needed"),
        ("2 seats; chance 1 2 3", "nobody is asked anything, yet the year is not over"),
        ("2 seats; chance 1 2 3; ana: asked gain", "asked gain about no card"),
        ("2 seats; chance 1 2 3; ana: asked plan_space card=5", "not in the hand"),
        (
            "2 seats; chance 1 2 3; ana: asked gain card=9999",
            "card is 9999; it should be the number of a card",
        ),
        ("2 seats; chance 1 2 3; ana: asked pay", "'after' does not say for what"),
        ("2 seats; chance 1 2 3; ana: asked convert", "'back' does not say what was asked before"),
        ("2 seats; chance 1 2 3; ana: asked scout card=10 line=1", "to which there is no answer"),
        ("2 seats; phase draft; chance 1 2 3; ana: asked draft; hand 82 83", "not in the hand"),
    ],
)
def test_what_cannot_be_a_state_is_refused(text: str, why: str) -> None:
    with pytest.raises(BadText, match=re.escape(why)):
        GAME.from_position(text)


def test_no_more_cards_than_there_is_room_for() -> None:
    with pytest.raises(BadText, match="pile, discard, zones, hand and forest is 49"):
        GAME.from_position(f"2 seats; ana: pile {' '.join(str(n) for n in range(13, 62))}")


def test_the_box_has_the_projects_of_every_draft_to_come() -> None:
    """F-4.1: with too few left, the draft would deal a card twice."""
    away = range(c.DECK_FIRST[2], c.DECK_END[2] - c.DRAFT_SIZE * 2)
    GAME.from_position(f"2 seats; trimester I; common {' '.join(CARDS[card].name for card in away)}")
    one_more = [*away, away.stop]
    with pytest.raises(
        BadText, match="7 cards of trimester II are left in the box; the draft to come needs 8"
    ):
        GAME.from_position(f"2 seats; trimester I; common {' '.join(CARDS[card].name for card in one_more)}")


def mutilated(text: str, chance: Chance) -> str:
    """The text with a few of its words lost, doubled, exchanged, or with other numbers in them."""
    words = re.split(r"(\s+)", text)
    for _ in range(1 + chance.below(3)):
        i, j = chance.below(len(words)), chance.below(len(words))
        number = chance.pick(["0", "1", "7", "99", "255", "256", "70000", "1" + "0" * 20])
        words[i] = chance.pick(
            [
                "",
                words[j],
                f"{words[i]} {words[j]}",
                " ".join([words[i]] * 60),
                re.sub(r"\d+", number, words[i]),
            ]
        )
    return "".join(words)


@pytest.mark.parametrize("options", [{"seats": 2, "setup": "expert", "length": "short"}, {"seats": 6}])
def test_a_mutilated_position_is_refused_or_can_be_played(options: dict[str, object]) -> None:
    chance = Chance.from_text(f"mutilated {options}")
    refused = played = 0
    texts = []
    for sitting, _, _ in laws.walk(GAME, options, "mutilated"):
        if len(sitting.actions) % 29 == 0:
            texts.append(GAME.position(sitting.state))
        if len(sitting.actions) > 500:
            break
    for _ in range(250):
        text = mutilated(chance.pick(texts), chance)
        try:
            state = GAME.from_position(text)
        except BadText:
            refused += 1
            continue
        played += 1
        for viewer in (None, 0, 1):
            GAME.view(state, viewer)
        for _ in range(20):
            if not state.asked():
                break
            seat = chance.pick(state.asked())
            state.apply(seat, chance.pick(state.legal(seat)))
    assert refused > 50
    assert played > 20


def test_a_true_position_is_never_refused_in_the_middle_of_a_conversion() -> None:  # F-6.9
    g = scene("2 seats; phase plan; ana: elements 4E; pile 1 2 3; forest . . . . . / . . . . .")
    g.ana("convert", "make water")
    text = GAME.position(g.state)
    assert GAME.position(GAME.from_position(text)) == text
