"""Rules page, section 5: a turn, from activation to the end."""

import pytest

from tests.fairy_school.scene import scene

# ---- phase 3, activation


def test_each_card_once_in_any_order_a_cube_on_each() -> None:  # F-5.3
    g = scene("""
        3 seats; phase activate
        ana: elements none; shared 3; personal 1 4
        ben: shared 16
        cleo: shared 29
    """)
    assert g.offered("ana") == "1 3 4 16 29 done"
    g.ana("16", "4", "29", "1")
    assert g.elements("ana") == "1E 1V 2W"
    assert g.offered("ana") == "3 done"
    assert g.cubes("ana") == 33
    g.refuses("ana", "16")


def test_several_fairies_may_activate_the_same_card() -> None:  # F-5.3
    g = scene("""
        3 seats; phase activate
        ana: elements none; shared 1
        ben: elements none
        cleo: elements none
    """)
    for who in ("ana", "ben", "cleo"):
        g.play(who, "1", "done")
    assert [g.elements(who) for who in ("ana", "ben", "cleo")] == ["1E", "1E", "1E"]
    assert g.kindness("ana") == "ben 1, cleo 1"
    assert [g.cubes(who) for who in ("ana", "ben", "cleo")] == [37, 36, 36]


def test_personal_cards_are_for_their_owner_alone() -> None:  # F-5.3
    g = scene("""
        2 seats; phase activate
        ana: personal 1
        ben: shared 13
    """)
    assert g.offered("ben") == "13 done"


def test_without_cubes_no_activation() -> None:  # F-5.3
    g = scene("""
        2 seats; phase activate
        ana: cubes 1; personal 1 2
        ben: cubes 0; personal 13
    """)
    assert g.asked == "ana"
    g.ana("1")
    assert g.offered("ana") == "done"


def test_an_effect_is_carried_out_fully_before_the_next_card() -> None:  # F-5.3
    g = scene("""
        2 seats; phase activate
        ana: personal 82 1
    """)
    g.ana("82")
    assert g.offered("ana") == "gain-1 gain-2 gain-3 gain-4"
    g.refuses("ana", "1")
    g.refuses("ana", "done")


@pytest.mark.parametrize(
    ("area", "offered"),
    [
        ("elements none; personal 87", ""),  # F → 2E+2W cannot be paid
        ("elements 1F; personal 87", "87 done"),
        ("elements 1E; personal 131; discard ; pile 1", "131 done"),  # the production line does something
        ("elements 3V; personal 126; discard ; pile ", ""),  # Scout 2 with nothing to draw
        (
            "elements 9F; personal 70; forest . . . . . / . . . . .",
            "70 done",
        ),  # 2F, though Banish has no card
        ("elements 9W; personal 10", "10 done"),  # V, though Repeat has nothing to repeat
    ],
)
def test_a_line_must_be_payable_and_do_something(area: str, offered: str) -> None:
    """F-5.3: no cube as a mere gift."""
    g = scene(f"2 seats; phase activate\nana: {area}\nben: personal 13")
    assert g.offered("ana") == offered


def test_a_line_that_does_nothing_is_not_offered_beside_one_that_does() -> None:  # F-5.3
    g = scene("""
        2 seats; phase activate
        ana: elements 9E 9F; personal 9 70; discard ; forest . . . . . / . . . . .
    """)
    g.ana("9", "70")
    assert g.elements("ana") == "9E 12F", "both cards had one useful line, which needed no choosing"


def test_own_means_the_activators_on_a_neighbours_card() -> None:
    """F-5.3: Ana recalls with Ben's sphinx from her own discard into her own zone; Ben's discard stays."""
    g = scene("""
        2 seats; phase activate
        ana: elements 2E; discard 53
        ben: shared 21; discard 54
    """)
    g.ana("21", "line 2")
    assert g.zone("ana", "personal") == "53"
    assert g.zone("ben", "discard", "ana") == "54"
    g.ana("53", "done")
    g.ben("21", "line 1", "done")
    assert g.zone("ana", "discard") == "53"
    assert g.zone("ben", "discard") == "21 54"


def test_own_forest_pile_and_creatures_on_a_neighbours_card() -> None:  # F-5.3, F-6.3
    g = scene("""
        2 seats; phase activate
        ana: elements 1V 1F; forest 57 . . . . / . . . . .; pile 1 2
        ben: shared 23 24; forest 62 . . . . / . . . . .; pile 13
    """)
    g.ana("23", "line 2", "1")
    assert g.zone("ana", "personal") == "1"
    g.ana("24", "line 2", "57")
    assert g.zone("ana", "banished") == "57"
    g = scene("""
        2 seats; phase activate
        ana: elements 1V 1F 1W 1A; studied gnome
        ben: shared 159; elements none; studied elf
    """)
    g.ana("159", "unicorn", "done")
    assert g.studied("ana", "ben") == "unicorn gnome"
    assert g.studied("ben") == "elf"


# ---- phase 4, rest


def test_rest_brings_own_cubes_back_and_those_of_others_stay_for_good() -> None:  # F-5.4
    g = scene("""
        3 seats; phase activate
        ana: elements 9E 9V 9F 9W; cubes 10; shared 1 3; personal 4; discard 53; projects 82
        ben: cubes 10; kindness ana 4
        cleo: cubes 10; shared 25
    """)
    g.ana("1", "4", "25", "done")
    g.ben("1", "3", "25", "done")
    g.cleo("1", "done")
    assert g.cubes("ana") == 9
    assert g.kindness("ana") == "ben 2, cleo 1"
    assert g.kindness("cleo") == "ana 1, ben 1"
    assert g.kindness("ben") == "ana 4"
    assert [g.cubes("ben"), g.cubes("cleo")] == [7, 9]
    assert g.zone("ana", "discard") == "1 3 4 53"
    assert g.zone("ana", "shared") == g.zone("ana", "personal") == ""
    assert "Ben leaves you a cube: your kindness grows" in g.log("ana")


# ---- phase 5, study and movement


def test_paw_cards_are_discarded_studied_or_not() -> None:  # F-5.5
    for answer, studied in (("siren", "siren"), ("pass", "")):
        g = scene("""
            2 seats; phase study
            ana: forest 1 2 . 3 . / 6 . 7 . 10; projects 82
        """)
        assert g.offered("ana") == "unicorn siren pass"
        g.ana(answer)
        assert g.studied("ana") == studied
        assert g.zone("ana", "discard").split() == ["1", "10"]


def test_the_top_row_closes_up_to_the_left_and_the_bottom_row_to_the_right() -> None:  # F-5.5
    g = scene("""
        2 seats; phase study
        ana: elements 9E 9V 9F 9W; forest 1 2 . 3 . / 6 . 7 . 10; projects 82
    """)
    g.ana("pass")
    assert g.phase == "realise"
    assert g.forest("ana") == "2 3 . . . / . . . 6 7"


def test_a_creature_is_studied_once_and_only_one_a_turn() -> None:  # F-5.5
    g = scene("""
        2 seats; phase study
        ana: studied unicorn; forest 1 . . . . / . . . . 3
        ben: studied unicorn siren; forest 13 . . . . / . . . . 15
    """)
    assert g.asked == "ana"
    assert g.offered("ana") == "siren pass"
    g.ana("siren")
    assert g.studied("ana") == "unicorn siren"
    assert g.zone("ben", "discard") == "13 15", "nothing to study, discarded all the same"


def test_two_of_the_same_creature_are_one_option() -> None:  # F-5.5
    g = scene("""
        2 seats; phase study
        ana: forest 1 . . . . / . . . . 12
    """)
    assert g.offered("ana") == "unicorn pass"


def test_empty_paw_spaces_skip_the_study() -> None:  # F-5.5
    g = scene("""
        2 seats; phase study
        ana: elements 9E 9V 9F 9W; forest . 1 . . . / . . . 3 .; projects 82
    """)
    assert g.phase == "realise"
    assert g.forest("ana") == "1 . . . . / . . . . 3"


def test_played_cards_on_the_paw_spaces_are_not_studied() -> None:  # F-5.5, F-5.2
    g = scene("""
        2 seats; phase select
        ana: elements 9E 9W; forest 1 . . . . / . . . . 3
    """)
    g.ana("column 1", "column 5", "done")
    g.ben("column 3", "done")
    while g.phase == "activate":
        g.close()
    assert g.phase != "study"
    assert g.studied("ana") == ""


# ---- phase 6, projects


def test_up_to_two_projects_go_on_top_of_the_pile_in_the_order_chosen() -> None:  # F-5.6
    g = scene("""
        2 seats; phase realise
        ana: elements 20E 20V 20F 20W; projects 82 91 95; pile 1 2
    """)
    g.ana("95", "82")
    assert g.offered("ana") == "done"
    assert g.elements("ana") == "14E 16V 16F 16W"
    assert g.zone("ana", "projects") == "91"
    assert g.pile("ana") == "1 2 | 95 82"
    assert g.pile("ana", "ben") == "1 2"
    g.ana("done")
    drawn = g.told("ana", "drew")[0]["cards"]
    assert drawn[:2] == ["82", "95"], "the last one realised lies on top"


def test_realising_is_optional_and_asks_only_those_who_can() -> None:  # F-5.6
    g = scene("""
        3 seats; phase realise
        ana: elements 20E 20V 20F 20W; projects 82
        ben: elements none; projects 91
        cleo: elements 20E 20V 20F 20W
    """)
    assert g.asked == "ana"
    g.ana("done")
    assert g.zone("ana", "projects") == "82"


def test_a_realised_project_is_seen_by_all_when_the_phase_is_over() -> None:  # F-5.6, F-3.2
    g = scene("""
        2 seats; phase realise
        ana: elements 3E 2V 2F 2W; projects 82; pile 1 2
        ben: elements 9E 9V 9F 9W; projects 91
    """)
    g.ana("82", "done")
    assert g.zone("ana", "realised", "ben") == ""
    g.ben("done")
    assert g.zone("ana", "realised", "ben") == "82"
    assert "Ana realises the project Griffin 82" in g.log("ben")


# ---- phase 7


@pytest.mark.parametrize(
    ("seats", "turn", "follows"),
    [(3, 1, ("plan", 1, 2)), (3, 3, ("draft", 2, 0)), (2, 3, ("plan", 1, 4)), (2, 4, ("draft", 2, 0))],
)
def test_the_turn_is_counted(seats: int, turn: int, follows: tuple[str, int, int]) -> None:  # F-5.7, F-3.1
    others = "ben: projects 95" + ("\ncleo: projects 86" if seats == 3 else "")
    g = scene(f"""
        {seats} seats; trimester I, turn {turn}, phase realise
        ana: elements 20E 20V 20F 20W; projects 82 91
        {others}
    """)
    g.ana("done")
    seen = g.view(None)
    assert (g.phase, seen["trimester"], seen["turn"]) == follows
