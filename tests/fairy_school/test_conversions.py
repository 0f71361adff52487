"""Rules page, F-1.3 and F-6.9: paying by conversion, and converting voluntarily; nothing unasked."""

import itertools

import pytest

from fabletop.core.chance import Chance
from tests.fairy_school.scene import GAME, scene

# ---- paying for what one cannot afford as it is


def test_a_column_paid_by_conversion_names_what_is_given() -> None:  # F-6.9, F-5.2
    g = scene("""
        2 seats; phase select
        ana: elements 2V 2F
    """)
    g.ana("column 1")
    choice = g.choice("ana")
    assert choice.kind == "pay"
    assert choice.about["for"] == "column"
    assert choice.about["making"] == "earth"
    assert (choice.about["spent"], choice.about["rate"]) == (0, 3)
    assert g.offered("ana") == "spend-plant spend-fire"
    g.ana("spend fire", "spend plant")
    assert g.offered("ana") == "spend-plant spend-fire"
    g.ana("spend fire")
    assert g.elements("ana") == "1V"
    assert g.log("ana") == ["You convert 1 plant and 2 fire into 1 earth", "You play column 1"]


def test_what_can_be_paid_directly_is_paid_without_a_question() -> None:  # F-6.9
    g = scene("""
        2 seats; phase select
        ana: elements 1E 3V 1A
    """)
    g.ana("column 1")
    assert g.elements("ana") == "3V 1A"
    assert g.told("ana", "converted") == []


def test_the_first_element_is_always_asked_for() -> None:
    """F-6.9: even where only one kind will do, nothing is converted behind one's back; the rest follows by itself."""
    g = scene("""
        2 seats; phase select
        ana: elements 3V
    """)
    g.ana("column 1")
    assert g.offered("ana") == "spend-plant"
    g.ana("spend plant")
    assert g.elements("ana") == "none"


def test_the_joker_pays_alone() -> None:  # F-6.9, F-1.3
    g = scene("""
        2 seats; phase select
        ana: elements 3V 1A
    """)
    g.ana("column 4")
    assert g.offered("ana") == "spend-air", "three plants are too few for a fire"
    g.ana("spend air")
    assert g.elements("ana") == "3V"
    g = scene("""
        2 seats; phase select
        ana: elements 3V 1A
    """)
    g.ana("column 1")
    assert g.offered("ana") == "spend-plant spend-air"


def test_only_steps_that_keep_it_payable_are_offered() -> None:
    """F-6.9: for 3E 1V 2F there must stay a plant and two fires, so the missing earth comes from the waters."""
    g = scene("""
        2 seats; phase realise
        ana: elements 2E 1V 2F 3W; projects 85
    """)
    g.ana("85")
    assert g.choice("ana").about["for"] == "project"
    assert g.offered("ana") == "spend-water"
    g.ana("spend water")
    assert g.elements("ana") == "none"
    assert g.zone("ana", "realised") == "85"


def test_several_missing_elements_are_made_one_after_the_other() -> None:  # F-6.9
    g = scene("""
        2 seats; phase realise
        ana: elements 1E 1V 10W 1A; projects 85
    """)
    g.ana("85")
    for making, offered in (
        ("earth", "spend-water"),
        ("earth", "spend-water"),
        ("fire", "spend-water spend-air"),
    ):
        assert g.choice("ana").about["making"] == making
        assert g.offered("ana") == offered, "an air spent on an earth would leave too little for two fires"
        g.ana("spend water")
    while g.choice("ana").kind == "pay":
        g.ana(g.options("ana")[0])
    assert g.elements("ana") == "none"
    assert [event["made"] for event in g.told("ana", "converted")] == ["earth", "earth", "fire", "fire"]


def test_a_line_paid_by_conversion() -> None:  # F-6.9, F-6.2
    g = scene("""
        2 seats; phase activate
        ana: elements 3E; personal 88
    """)
    g.ana("88")
    assert g.choice("ana").about["for"] == "line"
    assert g.choice("ana").about["card"] == "88"
    g.ana("spend earth")
    assert g.elements("ana") == "1E 2F"


def test_a_step_paid_by_conversion() -> None:  # F-6.9, F-7.2
    g = scene("""
        2 seats; trimester last, phase realise
        ana: elements 6E 3W; final F6
        ben: final F1
    """)
    assert g.phase == "bonus", "six earths make one fire, and two are needed"
    g = scene("""
        2 seats; trimester last, phase realise
        ana: elements 9E 3W; final F6
        ben: final F1; elements none
    """)
    g.ana("step")
    assert g.choice("ana").about["for"] == "step"
    assert g.choice("ana").about["cost"] == {"earth": 0, "plant": 0, "fire": 2, "water": 3, "air": 0}
    g.ana("spend earth", "spend earth")
    assert g.elements("ana") == "1E"
    assert g.area("ana")["steps"] == 1


def test_what_no_conversion_can_pay_is_not_offered() -> None:  # F-6.9, F-1.3
    g = scene("""
        2 seats; phase select
        ana: elements 2V 1W
        ben: elements 3V 1W
    """)
    assert g.offered("ana") == "column-1 column-2 column-3 column-5"
    assert g.offered("ben") == "column-1 column-2 column-3 column-4 column-5"


# ---- voluntarily


@pytest.mark.parametrize(
    ("phase", "area"),
    [
        ("plan", "pile 1 2; forest . . . . . / . . . . ."),
        ("select", ""),
        ("activate", "personal 1"),
        ("study", "forest 1 . . . . / . . . . ."),
        ("realise", "projects 84"),
        ("drop", "picks 84 85 86 87"),
    ],
)
def test_a_conversion_can_be_opened_whenever_there_is_something_to_decide(phase: str, area: str) -> None:
    """F-6.9, F-1.3: and one comes back to the same question."""
    g = scene(f"""
        2 seats; phase {phase}
        ana: elements 4V 9F 4W; {area}
        ben: elements 1E; pile 13; personal 14; forest 15 . . . . / . . . . .; picks 80 81 82 83
    """)
    asked = g.choice("ana")
    assert "convert" in g.options("ana")
    g.ana("convert", "make earth", "spend fire", "spend fire", "spend water")
    assert g.elements("ana") == "1E 4V 7F 3W"
    assert g.choice("ana").kind == asked.kind
    assert set(g.options("ana")) >= {GAME.actions[option] for option in asked.options}


def test_a_draft_and_the_order_of_finals_allow_conversions_too() -> None:  # F-6.9
    g = scene("2 seats; trimester I, phase draft; ana: elements 3F; ben: elements 3F")
    g.ana("convert", "make earth", "spend fire")
    assert g.elements("ana") == "1E"
    g = scene("2 seats; trimester last, phase final; ana: elements 3F; ben: elements 4F")
    g.ana("convert", "make water", "spend fire")
    assert g.elements("ana", "ben") == "1W", "the choice of finals is open, and so is what is done in it"


def test_a_conversion_can_be_called_off_before_anything_is_spent() -> None:  # F-6.9
    g = scene("""
        2 seats; phase select
        ana: elements 2V 2W
    """)
    g.ana("convert", "cancel")
    assert g.choice("ana").kind == "select"
    g.ana("convert", "make earth", "cancel")
    assert (g.choice("ana").kind, g.elements("ana")) == ("select", "2V 2W")
    g.ana("convert", "make earth", "spend water")
    assert "cancel" not in g.options("ana")


def test_a_conversion_under_way_is_hidden_from_the_others() -> None:  # F-6.9, F-3.2
    g = scene("""
        2 seats; phase select
        ana: elements 2V 2W
    """)
    before = g.view("ben")
    g.ana("convert", "make earth", "spend water", "spend plant", "spend plant")
    assert g.view("ben") == before
    assert g.log("ben") == []


# ---- exactly what conversions can reach


def purses_within_reach(held: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Everything that conversions can make of a purse, by trying them all."""
    found, fresh = {held}, [held]
    while fresh:
        purse = fresh.pop()
        for made, rate in enumerate((3, 4, 4, 3, 6)):
            ways = [
                given for given in itertools.product(*(range(n + 1) for n in purse)) if sum(given) == rate
            ]
            if made != 4 and purse[4]:
                ways.append((0, 0, 0, 0, 1))
            for given in ways:
                after = [have - gone for have, gone in zip(purse, given, strict=True)]
                after[made] += 1
                if tuple(after) not in found:
                    found.add(tuple(after))
                    fresh.append(tuple(after))
    return found


def test_what_is_offered_is_exactly_what_conversions_can_pay() -> None:
    """F-1.3, F-6.9: the projects offered against a search through all conversions, for many small purses."""
    cards = {"98": (1, 3, 2, 0, 0), "85": (3, 1, 2, 0, 0), "103": (1, 1, 0, 4, 0)}
    chance = Chance.from_text("purses")
    verdicts: set[tuple[str, bool]] = set()
    tried = 0
    while len(verdicts) < 6 or tried < 80:
        held = tuple(chance.below(n) for n in (4, 4, 4, 5, 3))
        if sum(held) > 9:  # the search through all conversions grows fast
            continue
        tried += 1
        text = " ".join(f"{n}{letter}" for n, letter in zip(held, "EVFWA", strict=True) if n) or "none"
        g = scene(
            f"2 seats; phase realise\nana: elements {text}; projects {' '.join(cards)}\nben: elements none"
        )
        offered = [card for card in cards if card in g.options("ana")]
        within = purses_within_reach(held)
        expected = [
            card
            for card, cost in cards.items()
            if any(all(have >= need for have, need in zip(purse, cost, strict=True)) for purse in within)
        ]
        assert offered == expected, text
        verdicts |= {(card, card in expected) for card in cards}
        assert tried < 1000, "every project should be within reach once and out of reach once"


def test_every_way_of_paying_ends_in_payment() -> None:  # F-6.9
    chance = Chance.from_text("ways")
    for _ in range(60):
        held = [chance.below(6) for _ in range(4)] + [chance.below(4)]
        purse = " ".join(f"{n}{letter}" for n, letter in zip(held, "EVFWA", strict=True) if n) or "none"
        g = scene(f"2 seats; phase realise\nana: elements {purse}; projects 85\nben: elements none")
        if "85" not in g.options("ana"):
            continue
        g.ana("85")
        while "ana" in g.asked and g.choice("ana").kind == "pay":
            g.ana(chance.pick(g.options("ana")))
        assert g.zone("ana", "realised") == "85" or g.told("ana", "realised")
