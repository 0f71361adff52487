"""Rules page, F-6.1 and F-6.2: productions and transformations."""

import pytest

from tests.fairy_school.scene import scene


@pytest.mark.parametrize(
    ("card", "gained"),
    [("137", "5F"), ("57", "1E 1W"), ("113", "2W 1A"), ("144", "1E 1V 1F 1W 1A"), ("139", "1F 3W")],
)
def test_a_production_gives_fixed_elements(card: str, gained: str) -> None:  # F-6.1
    g = scene(f"""
        2 seats; phase activate
        ana: elements none; personal {card}
    """)
    g.ana(card)
    assert g.elements("ana") == gained
    assert g.choice("ana").kind == "activate"


@pytest.mark.parametrize(("n", "gained"), [(1, "2E"), (2, "2V"), (3, "2F"), (4, "2W")])
def test_a_production_may_give_one_of_several(n: int, gained: str) -> None:  # F-6.1
    g = scene("""
        2 seats; phase activate
        ana: elements none; personal 82
    """)
    g.ana("82", f"gain {n}")
    assert g.elements("ana") == gained


def test_of_two_lines_one_is_chosen() -> None:  # F-6.1, F-5.3
    g = scene("""
        2 seats; phase activate
        ana: elements none; personal 115
    """)
    g.ana("115")
    assert (g.choice("ana").kind, g.offered("ana")) == ("line", "line-1 line-2")
    g.ana("line 2")
    assert g.elements("ana") == "1A"


def test_a_transformation_spends_and_gains() -> None:  # F-6.2
    g = scene("""
        2 seats; phase activate
        ana: elements 1W; personal 88
    """)
    g.ana("88")
    assert g.elements("ana") == "1E 2F"
    assert g.log("ana") == ["You activate Phoenix 88", "You take 1 earth and 2 fire"]
    assert g.told("ana", "paid") == [{"seat": 0, "earth": 0, "plant": 0, "fire": 0, "water": 1, "air": 0}]


def test_the_choice_is_made_again_for_each_element_spent() -> None:
    """F-6.2: two fires of `F ×2 → 4E or 4W or A` give four waters and an air."""
    g = scene("""
        2 seats; phase activate
        ana: elements 3F; personal 117
    """)
    g.ana("117")
    assert g.offered("ana") == "times-1 times-2"
    g.ana("times 2")
    assert g.elements("ana") == "1F"
    g.ana("gain 2")
    assert g.choice("ana").about["left"] == 1
    g.ana("gain 3")
    assert g.elements("ana") == "1F 4W 1A"


@pytest.mark.parametrize(("times", "left"), [(1, "2E 1F 2W"), (2, "4E 2F 1W")])
def test_as_often_as_one_likes_up_to_the_number(times: int, left: str) -> None:  # F-6.2
    g = scene("""
        2 seats; phase activate
        ana: elements 3W; personal 93
    """)
    g.ana("93", f"times {times}")
    assert g.elements("ana") == left


def test_air_transforms_too() -> None:  # F-6.2
    g = scene("""
        2 seats; phase activate
        ana: elements 2A; personal 146
    """)
    g.ana("146", "times 2")
    assert g.elements("ana") == "2E 4V 2F 2W"


def test_gains_of_an_activation_cannot_pay_for_it() -> None:
    """F-6.2: `E+W ×2 → 2V+A` is paid twice at once; one earth and one water are not enough for two."""
    g = scene("""
        2 seats; phase activate
        ana: elements 1E 1W; personal 152
        ben: elements 2E 1W; personal 13
    """)
    g.ana("152")
    assert g.elements("ana") == "2V 1A", "with enough for once alone there is nothing to choose"


def test_how_often_depends_on_what_can_be_paid() -> None:  # F-6.2
    g = scene("""
        2 seats; phase activate
        ana: elements 3E; personal 103
    """)
    g.ana("103")
    assert g.offered("ana") == "times-1 times-2 times-3"
    g.ana("times 3", "gain 1", "gain 2", "gain 2")
    assert g.elements("ana") == "1V 2F"


def test_the_same_transformation_on_a_neighbours_card() -> None:  # F-6.2, F-5.3
    g = scene("""
        2 seats; phase activate
        ana: elements 1V
        ben: shared 90
    """)
    g.ana("90", "done")
    assert g.elements("ana") == "2E 2W"
    g.ben("done")
    assert "Ana activates your Phoenix 90" in g.log("ben")
    assert g.kindness("ben") == "ana 1"
