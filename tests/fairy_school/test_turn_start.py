"""Rules page, section 5: a turn, from phase 0 to the selection of columns."""

from tests.fairy_school.scene import Scene, scene

# ---- phase 0, without a goal


def test_without_a_goal_one_must_take_a_project_of_this_trimester() -> None:  # F-5.0
    g = scene("""
        2 seats; trimester II, turn 2, phase goal; common 82 105 106 134
        ana: projects
        ben: projects 91
    """)
    assert g.asked == "ana"
    assert g.offered("ana") == "105 106"
    g.ana("106")
    assert g.zone("ana", "projects", "ben") == "106"
    assert g.view("ben")["common"] == ["82", "105", "134"]
    assert "Ana has no project left and takes Sea serpent 106" in g.log("ben")
    assert g.phase == "plan"


def test_most_kindness_chooses_first_then_fewest_elements() -> None:  # F-5.0
    g = scene("""
        4 seats; trimester I, turn 2, phase goal; common 82 91 95 86 90
        ana: elements 9E; kindness ben 2
        ben: elements 3E 2A; kindness ana 1, cleo 1
        cleo: elements 1E; kindness ben 1
        dov: elements 4E; kindness ben 2
    """)
    assert g.view(None)["order"] == [3, 1, 0, 2]
    for who, card in (("dov", "82"), ("ben", "91"), ("ana", "95"), ("cleo", "86")):
        assert g.asked == who
        g.play(who, card)
    assert g.told(None, "goal_taken") == [
        {"seat": 3, "card": "82"},
        {"seat": 1, "card": "91"},
        {"seat": 0, "card": "95"},
        {"seat": 2, "card": "86"},
    ]


def test_an_air_counts_as_one_element_in_the_order() -> None:  # F-5.0
    g = scene("""
        2 seats; trimester I, turn 2, phase goal; common 82 91 95
        ana: elements 3E
        ben: elements 2A
    """)
    assert g.view(None)["order"] == [1, 0]


def test_the_order_is_measured_once_before_the_first_choice() -> None:
    """F-5.0: Ana converts while it is her turn to choose; the order stays."""
    g = scene("""
        3 seats; trimester I, turn 2, phase goal; common 82 91 95
        ana: elements 4E
        ben: elements 5E
        cleo: elements 6E
    """)
    g.ana("82")
    g.ben("convert", "make water", "spend earth")
    assert g.elements("ben") == "2E 1W"
    assert g.view(None)["order"] == [1, 2]
    g.ben("91")
    assert g.zone("cleo", "projects") == "95"


def test_ties_are_broken_by_lot() -> None:  # F-5.0
    orders = set()
    for n in range(30):
        g = scene("""
            3 seats; trimester I, turn 1, phase realise; common 91 95 86
            ana: elements 3E 2V 2F 2W; projects 82 90
        """)
        g.state.stir(3, n * 0x9E3779B97F4A7C15)
        g.ana("done")
        orders.add(tuple(g.view(None)["order"]))
    assert orders == {(1, 2), (2, 1)}


def test_whoever_finds_none_goes_without_and_is_asked_again_next_turn() -> None:  # F-5.0
    g = scene("""
        2 seats; trimester I, turn 2, phase select; common 105
        ana: elements none; pile ; discard
        ben: elements none; pile ; discard; projects 91
    """)
    g.ana("column 3", "done")
    g.ben("column 3", "done")
    assert g.log("ana")[-2:] == ["Turn 3 of trimester I", "You have no project, and there is none to take"]
    assert (g.phase, g.zone("ana", "projects")) == ("select", "")
    g.ana("column 3", "done")
    g.ben("column 3", "done")
    assert g.log("ben")[-2:] == ["Turn 4 of trimester I", "Ana has no project, and there is none to take"]


def test_a_lone_project_is_taken_at_once() -> None:
    """F-5.0: it must be taken, so there is nothing to choose."""
    g = scene("""
        2 seats; trimester I, turn 2, phase goal; common 82 105
        ben: projects 91
    """)
    assert g.zone("ana", "projects") == "82"
    assert g.phase == "plan"


def test_the_last_trimester_has_no_phase_0() -> None:  # F-5.0
    g = scene("""
        2 seats; trimester last, turn 1, phase bonus; common 82 134
        ana: final F1 at 1; projects ; pile 1 2
        ben: final F2; projects
    """)
    g.ana("water")
    assert (g.phase, g.view(None)["turn"]) == ("plan", 2)


# ---- phase 1, planning


def test_planning_draws_a_card_for_every_empty_space_and_places_them_all() -> None:  # F-5.1
    g = scene("""
        2 seats; phase plan
        ana: forest 57 . 62 . . / . . 7 8 9; pile 1 2 3 4 5 6
        ben: pile 13
    """)
    drawn = g.view("ana")["own"]["drawn"]
    assert len(drawn) == 5
    assert g.offered("ana").split() == sorted(drawn, key=int)
    g.ana(drawn[0])
    assert g.offered("ana") == "top-2 top-4 top-5 bottom-1 bottom-2"
    g.ana("bottom 2", drawn[1], "top 5")
    assert "done" not in g.options("ana")
    g.ana(drawn[2], "top 2", drawn[3], "top 4")
    assert g.offered("ana") == "done", "the last card had only one space to go to"
    assert g.forest("ana") == f"57 {drawn[2]} 62 {drawn[3]} {drawn[1]} / {drawn[4]} {drawn[0]} 7 8 9"
    assert g.forest("ana", "ben") == "57 . 62 . . / . . 7 8 9"
    g.ana("done")
    g.ben("bottom 3", "done")
    assert g.forest("ana", "ben") == g.forest("ana")


def test_with_too_few_cards_the_player_decides_which_spaces_stay_empty() -> None:  # F-5.1
    g = scene("""
        2 seats; phase plan
        ana: forest . . . . . / 1 2 3 4 5; pile 6 7
        ben: pile ; discard
    """)
    g.ana("7", "top 4", "top 1", "done")
    assert g.forest("ana") == "6 . . 7 . / 1 2 3 4 5"
    assert g.phase == "select"


# ---- phase 2, selection


def columns(elements: str) -> Scene:
    return scene(f"""
        2 seats; phase select
        ana: elements {elements}; forest 1 2 3 . 5 / 6 . 8 . 10
    """)


def test_two_columns_top_cards_shared_bottom_cards_personal() -> None:  # F-5.2
    g = columns("1E 1V 1F 1W")
    g.ana("column 1", "column 5")
    assert g.offered("ana") == "done"
    assert g.zone("ana", "shared") == "1 5"
    assert g.zone("ana", "personal") == "6 10"
    assert g.forest("ana") == ". 2 3 . . / . . 8 . ."
    assert g.elements("ana") == "1V 1F"


def test_one_column_is_enough_and_none_is_too_few() -> None:  # F-5.2
    g = columns("1E")
    assert "done" not in g.options("ana")
    g.ana("column 1", "done")
    assert g.asked == "ben"


def test_a_column_may_be_half_empty_or_empty() -> None:  # F-5.2
    g = columns("1V 1F")
    g.ana("column 4", "column 2", "done")
    assert g.zone("ana", "shared") == "2"
    assert g.zone("ana", "personal") == ""
    assert g.elements("ana") == "none"


def test_without_elements_only_the_middle_column_can_be_played() -> None:  # F-5.2
    g = columns("none")
    assert g.offered("ana") == "column-3"
    g.ana("column 3")
    assert g.offered("ana") == "done"


def test_a_column_is_played_once() -> None:  # F-5.2
    g = columns("2E")
    g.ana("column 1")
    g.refuses("ana", "column 1")
