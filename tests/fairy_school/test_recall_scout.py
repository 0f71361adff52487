"""Rules page, F-6.3, F-6.4, F-6.6 and F-6.7: what special effects cost; Recall and Scout with their edges."""

# Each family on cards: Recall 1 (9), Recall 1 +W (73, 95), Recall 2 (131), Recall 2 +F (125); Scout 1 (11),
# Scout 2 (126); Repeat (10), +E (96), +F (100), +A (128); Banish (70), +E (12), +V (76); Study (159).

import pytest

from tests.fairy_school.scene import scene

# ---- what each family costs and does


@pytest.mark.parametrize(
    ("area", "moves", "left"),
    [
        ("elements 1E; personal 9; discard 53", ("9", "line 2"), "none"),  # Recall costs an earth
        ("elements 1V; personal 126; pile 1 2", ("126",), "none"),  # Scout costs a plant
        ("elements 1W; personal 10 1", ("1", "10", "line 2"), "2E"),  # Repeat costs a water
        (
            "elements 1F; personal 12; forest 57 . . . . / . . . . .",
            ("12", "line 2", "57"),
            "1E",
        ),  # Banish a fire
        ("elements 1V 1F 1W 1A; personal 159", ("159", "elf"), "none"),  # Study one of each but earth
    ],
)
def test_each_family_has_its_own_price(area: str, moves: tuple[str, ...], left: str) -> None:  # F-6.3
    g = scene(f"2 seats; phase activate\nana: {area}")
    g.ana(*moves)
    assert g.elements("ana") == left


# ---- Recall


def test_recall_takes_one_card_of_the_discard_into_the_personal_zone() -> None:  # F-6.3
    g = scene("""
        2 seats; phase activate
        ana: elements 2E; personal 9; discard 53 54 55
    """)
    g.ana("9", "line 2")
    assert g.offered("ana") == "53 54 55"
    g.ana("54")
    assert g.choice("ana").kind == "activate"
    assert g.zone("ana", "personal") == "9 54"
    assert g.zone("ana", "discard") == "53 55"
    assert g.log("ana")[-1] == "You recall Salamander 54 from your discard"


def test_recall_of_up_to_two_takes_one_or_two() -> None:  # F-6.3, F-6.7
    text = """
        2 seats; phase activate
        ana: elements 2E; personal 131; discard 53 54 55
    """
    g = scene(text)
    g.ana("131", "line 2")
    assert g.offered("ana") == "53 54 55", "the first must be taken"
    g.ana("54")
    assert g.offered("ana") == "53 55 pass"
    g.ana("55")
    assert g.zone("ana", "personal") == "131 54 55"
    g = scene(text)
    g.ana("131", "line 2", "54", "pass")
    assert g.zone("ana", "personal") == "131 54"
    assert g.choice("ana").kind == "activate"


def test_recall_of_two_from_a_discard_of_one() -> None:
    """F-6.7: the only card must be taken, so it comes by itself, and there is no second."""
    g = scene("""
        2 seats; phase activate
        ana: elements 1E; personal 131; discard 53
    """)
    g.ana("131", "line 2")
    assert g.zone("ana", "personal") == "131 53"
    assert g.choice("ana").kind == "activate"


def test_recall_with_an_element_is_a_mere_exchange_when_the_discard_is_empty() -> None:  # F-6.7, F-6.3
    g = scene("""
        2 seats; phase activate
        ana: elements 1E; personal 73; discard
    """)
    g.ana("73")
    assert g.elements("ana") == "1W"
    assert g.offered("ana") == "done"


def test_recall_without_an_element_needs_a_discard() -> None:  # F-6.7, F-5.3
    g = scene("""
        2 seats; phase activate
        ana: elements 2E; personal 9; discard
        ben: personal 13
    """)
    g.ana("9")
    assert g.elements("ana") == "2E 1F", "the other line, without a question"


def test_recall_with_an_element_must_take_a_card_where_there_is_one() -> None:  # F-6.7
    g = scene("""
        2 seats; phase activate
        ana: elements 1E; personal 95; discard 53 54
    """)
    g.ana("95")
    assert g.elements("ana") == "1W"
    assert g.offered("ana") == "53 54"


def test_a_recalled_card_can_be_activated_and_is_discarded_again() -> None:  # F-6.4
    g = scene("""
        2 seats; phase activate
        ana: elements 1E 9V 9F 9W; personal 9; discard 53 54; projects 82; pile 1
        ben: personal 13
    """)
    g.ana("9", "line 2", "53", "53", "done")
    g.ben("done")
    assert g.elements("ana") == "10V 9F 10W"
    assert g.phase == "realise"
    assert g.zone("ana", "discard") == "9 53 54"


# ---- Scout


def test_scout_draws_three_places_one_and_discards_the_rest() -> None:  # F-6.3
    g = scene("""
        2 seats; phase activate
        ana: elements 1V; personal 11; pile 1 2 3
    """)
    g.ana("11", "line 2")
    assert g.offered("ana") == "1 2 3"
    g.ana("2")
    assert g.zone("ana", "personal") == "11 2"
    assert g.zone("ana", "discard") == "1 3"
    assert g.area("ana")["pile"]["count"] == 0


def test_scout_of_two_places_two() -> None:  # F-6.3
    g = scene("""
        2 seats; phase activate
        ana: elements 1V; personal 126; pile 1 2 3
    """)
    g.ana("126", "3")
    assert g.offered("ana") == "1 2"
    g.ana("1")
    assert g.zone("ana", "personal") == "126 3 1"
    assert g.zone("ana", "discard") == "2"


def test_scout_draws_realised_projects_from_the_top_first() -> None:  # F-6.3, F-5.6
    g = scene("""
        2 seats; phase activate
        ana: elements 1V; personal 11; pile 1 2 3 4 5 | 88 82
    """)
    g.ana("11", "line 2")
    assert {"82", "88"} < set(g.offered("ana").split())


def test_scout_with_fewer_cards_draws_what_there_is() -> None:  # F-6.7
    g = scene("""
        2 seats; phase activate
        ana: elements 1V; personal 126; pile 1 2; discard
    """)
    g.ana("126")
    assert sorted(g.zone("ana", "personal").split()) == ["1", "126", "2"], "it must place two, and has two"
    assert g.choice("ana").kind == "activate"
    assert g.zone("ana", "discard") == ""
    g = scene("""
        2 seats; phase activate
        ana: elements 1V; personal 126; pile 1; discard
    """)
    g.ana("126")
    assert g.zone("ana", "personal") == "126 1"


def test_scout_shuffles_the_discard_when_the_pile_runs_out() -> None:  # F-3.3, F-6.3
    g = scene("""
        2 seats; phase activate
        ana: elements 1V; personal 126; pile 1; discard 53 54 55
    """)
    g.ana("126")
    seen = g.offered("ana").split()
    assert "1" in seen
    assert len({"53", "54", "55"} & set(seen)) == 2
    assert g.zone("ana", "discard") == ""
    assert g.log("ana")[1:2] == ["You shuffle your discard into a new draw pile"]


def test_scouted_leftovers_are_in_the_discard_at_once() -> None:
    """F-6.7: a Recall in the same phase finds them."""
    g = scene("""
        2 seats; phase activate
        ana: elements 1E 1V; personal 11 9; pile 1 2 3; discard
    """)
    g.ana("11", "line 2", "2", "9", "line 2")
    assert g.offered("ana") == "1 3"


def test_a_scouted_card_can_be_activated_in_the_same_phase() -> None:  # F-6.4
    g = scene("""
        2 seats; phase activate
        ana: elements 1V; personal 11; pile 1 2 3
    """)
    g.ana("11", "line 2", "3", "3")
    assert g.elements("ana") == "1W"


# ---- the order within a line


def test_pay_take_the_element_then_the_special_which_it_may_pay_for() -> None:
    """F-6.6: the fire of `Repeat +F` pays for the repeated card."""
    g = scene("""
        2 seats; phase activate
        ana: elements 1F 1W; personal 100 87
    """)
    g.ana("87")
    assert g.elements("ana") == "2E 3W"
    g.ana("100")
    assert g.elements("ana") == "2E 1F 2W"
    assert g.offered("ana") == "87 pass"
    g.ana("87")
    assert g.elements("ana") == "4E 4W"
    kinds = [event.kind for event in g.events("ana")][3:]
    assert kinds == ["activated", "paid", "gained", "repeated", "paid", "gained"]
