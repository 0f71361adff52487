"""Rules page, F-2.8: the wider neighbourhood, and who may activate what in it."""

import pytest

from tests.fairy_school.scene import PEOPLE, Scene, scene

SHARED = {"ana": "1", "ben": "13", "cleo": "25", "dov": "37", "eli": "5:1", "fay": "6:1"}


def table(seats: int, turn: int, *, wider: bool = True, trimester: str = "I") -> Scene:
    """Everybody has shared one card that gives an earth."""
    areas = "\n".join(f"{who}: shared {SHARED[who]}" for who in PEOPLE[:seats])
    variant = ", wider" if wider else ""
    return scene(f"{seats} seats{variant}; trimester {trimester}, turn {turn}, phase activate\n{areas}")


def reach(g: Scene, who: str) -> list[str]:
    """Whose shared cards a seat may activate."""
    return [other for other in PEOPLE if SHARED[other] in g.options(who)]


@pytest.mark.parametrize("seats", [4, 5, 6])
def test_the_first_turn_goes_right_so_one_reaches_the_two_to_the_left(seats: int) -> None:  # F-2.8
    g = table(seats, 1)
    for seat, who in enumerate(PEOPLE[:seats]):
        expected = {who, PEOPLE[(seat + 1) % seats], PEOPLE[(seat + 2) % seats]}
        assert set(reach(g, who)) == expected


@pytest.mark.parametrize("seats", [4, 5, 6])
def test_the_second_turn_goes_left_and_is_the_mirror_image(seats: int) -> None:  # F-2.8
    g = table(seats, 2)
    for seat, who in enumerate(PEOPLE[:seats]):
        expected = {who, PEOPLE[(seat - 1) % seats], PEOPLE[(seat - 2) % seats]}
        assert set(reach(g, who)) == expected


def test_the_turn_of_the_whole_year_decides_the_side() -> None:
    """F-2.8: the first turn of the second trimester is the fourth of the year, so it goes left."""
    assert reach(table(5, 1, trimester="II"), "cleo") == ["ana", "ben", "cleo"]
    assert reach(table(5, 2, trimester="II"), "cleo") == ["cleo", "dov", "eli"]
    assert reach(table(5, 1, trimester="III"), "cleo") == ["cleo", "dov", "eli"]


def test_without_the_variant_one_reaches_both_neighbours_on_every_turn() -> None:  # F-2.8, F-5.3
    for turn in (1, 2, 3):
        assert reach(table(5, turn, wider=False), "cleo") == ["ben", "cleo", "dov"]


def test_cubes_and_card_go_back_to_the_owner() -> None:  # F-2.8, F-5.4
    g = table(5, 1)
    g.ana("25", "done")
    g.ben("25", "done")
    g.cleo("25", "done")
    g.close()
    assert g.kindness("cleo") == "ana 1, ben 1"
    assert g.cubes("cleo") == 37
    assert g.zone("cleo", "discard") == "25"
    assert "Ana leaves Cleo a cube" in g.log(None)


def test_four_colours_can_come_in_over_two_turns() -> None:  # F-2.8
    givers: set[str] = set()
    for turn in (1, 2):
        g = table(5, turn)
        givers |= {who for who in PEOPLE[:5] if "25" in g.options(who)}
    assert givers == {"ana", "ben", "cleo", "dov", "eli"}
