"""Why something cannot be done, by the position."""

from tests.fairy_school.scene import scene


def test_why_a_card_cannot_be_activated() -> None:  # F-5.2, F-5.3, F-6.7, F-6.8
    g = scene("""
        4 seats; phase activate
        ana: elements none; forest 5 2 . . . / . . . . .; shared 3; personal 9 12
        ben: shared 16
        cleo: shared 29
    """)
    assert g.why("ana", "5") == "not_played F-5.2"
    assert g.why("ana", "29") == "not_reached F-5.3"
    assert g.why("ana", "convert") == "convert_few F-1.3"
    g.ana("3")
    assert g.why("ana", "3") == "once F-5.3"


def test_without_cubes_nothing_is_activated() -> None:  # F-5.3
    g = scene("""
        2 seats; phase activate
        ana: cubes 1; personal 1 2
        ben: shared 13
    """)
    g.ana("2")
    assert g.why("ana", "1") == g.why("ana", "13") == "no_cube F-5.3"


def test_why_a_column_cannot_be_chosen() -> None:  # F-5.2
    g = scene("""
        2 seats; phase select
        ana: elements 1E
        ben: elements none
    """)
    assert g.why("ana", "done") == "column_first F-5.2"
    assert g.why("ana", "column-2") == "column_cost F-5.2"
    g.ana("column-1")
    assert g.why("ana", "column-1") == "column_chosen F-5.2"
    g.ana("column-3")
    assert g.why("ana", "column-2") == "column_two F-5.2"


def test_why_a_project_cannot_be_realised() -> None:  # F-5.6, F-7.2
    g = scene("""
        2 seats; phase realise
        ana: elements 3E 2V 2F 2W; projects 82 88; pile 1 2
    """)
    g.ana("82")
    assert g.why("ana", "88") == "project_cost F-5.6"
    assert g.why("ana", "step") == "step_later F-7.2"


def test_drawn_cards_must_be_placed() -> None:  # F-5.1
    g = scene("""
        2 seats; phase plan
        ana: hand 1 2; forest . . . . . / 3 4 5 . .
        ben: elements none
    """)
    assert g.why("ana", "done") == "plan_first F-5.1"
    g.ana("1")
    assert g.why("ana", "bottom-1") == "plan_space F-5.1"


def test_two_projects_a_turn() -> None:  # F-5.6
    g = scene("""
        2 seats; phase realise
        ana: elements 20E 20V 20F 20W; projects 82 91 95; pile 1 2
    """)
    g.ana("95", "82")
    assert g.why("ana", "91") == "two_projects F-5.6"
