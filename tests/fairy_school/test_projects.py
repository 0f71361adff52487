"""Rules page, section 4: choosing the projects of trimesters I to III."""

import pytest

from fabletop.games.fairy_school.cards import BY_NAME
from tests.fairy_school.scene import PEOPLE, Scene, scene, year


def draft(trimester: str, seats: int = 3) -> Scene:
    """The start of a trimester's draft."""
    return scene(f"{seats} seats; trimester {trimester}, phase draft")


@pytest.mark.parametrize("seats", [2, 3])
def test_the_first_draft_is_passed_right_and_says_so(seats: int) -> None:  # F-4.1
    """With two seats both neighbours are the same player, but the word is still the rule's."""
    g = year("passed", seats=seats, setup="normal")
    assert g.view("ana")["draft"]["to"] == "right"
    assert g.sitting.pending[0].about["to"] == "right"


@pytest.mark.parametrize(("trimester", "step"), [("I", -1), ("II", 1), ("III", -1)])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_four_cards_are_drafted_and_passed_on(trimester: str, step: int, seats: int) -> None:
    """F-4.1: to the right in I and III, to the left in II, until everyone has four."""
    g = draft(trimester, seats)
    picked: dict[str, list[str]] = {who: [] for who in PEOPLE[:seats]}
    for held in (4, 3, 2):
        hands = {who: g.offered(who).split() for who in PEOPLE[:seats]}
        assert {len(hand) for hand in hands.values()} == {held}
        assert {BY_NAME[card].deck for hand in hands.values() for card in hand} == {trimester}
        if seats > 2:  # with two, left and right are the same fairy
            assert g.choice("ana").about["to"] == ("left" if step == 1 else "right")
        for who in PEOPLE[:seats]:
            g.play(who, hands[who][-1])
            picked[who].append(hands[who][-1])
        for seat, who in enumerate(PEOPLE[:seats]):
            to = PEOPLE[(seat + step) % seats]
            if held > 2:
                assert g.offered(to).split() == hands[who][:-1]
            else:  # the last card is nobody's choice
                picked[to] += hands[who][:-1]
    assert g.phase == "drop"
    for who in PEOPLE[:seats]:
        assert set(g.offered(who).split()) == set(picked[who])


def test_exactly_three_are_kept_and_the_rest_goes_to_the_common_discard() -> None:  # F-4.2
    g = scene("""
        3 seats; trimester I, phase drop
        ana: picks 82 91 95 86
        ben: picks 90 99 80 94
        cleo: picks 97 85 92 98
    """)
    assert g.offered("ana") == "82 86 91 95"
    g.ana("86")
    assert g.offered("ana") == "done"
    g.ana("done")
    g.ben("80", "done")
    g.cleo("98", "done")
    assert g.zone("ana", "projects") == "82 91 95"
    assert g.view(None)["common"] == ["80", "86", "98"]
    assert "Ana keeps Griffin 82, Salamander 91 and Sphinx 95" in g.log(None)


def test_unfinished_projects_of_any_earlier_trimester_may_be_kept_again() -> None:
    """F-4.2: one project of I and one of II are left; of these and the four drafted in III three are kept."""
    g = scene("""
        2 seats; trimester III, phase drop
        ana: projects 82 105; picks 134 135 136 137
        ben: picks 138 139 140 141
    """)
    assert g.offered("ana") == "82 105 134 135 136 137"
    g.ana("134", "135", "105")
    g.refuses("ana", "82")
    g.ana("done")
    g.ben("138", "done")
    assert g.zone("ana", "projects", "ben") == "82 136 137"
    assert g.view("ben")["common"] == ["105", "134", "135", "138"]


def test_never_more_than_three_current_projects() -> None:  # F-4.2
    g = scene("""
        2 seats; trimester II, phase drop
        ana: projects 82 91 95; picks 105 106 107 108
        ben: picks 109 110 111 112
    """)
    assert len(g.offered("ana").split()) == 7
    for card in ("82", "91", "95"):
        assert "done" not in g.options("ana")
        g.ana(card)
    g.ana("105")
    assert g.offered("ana") == "done"


def test_picks_are_secret_until_all_have_chosen() -> None:  # F-4.3
    g = year(seats=3)
    before = g.view("ben")
    card = g.offered("ana").split()[0]
    g.ana(card)
    assert g.view("ben") == {**before, "waiting": [1, 2]}
    assert g.view("ana")["own"]["pick"] == card
    for who in ("ben", "cleo"):
        g.play(who, g.offered(who).split()[0])
    assert g.told("ben", "picked") == [{"seat": 1, "card": g.view("ben")["own"]["picks"][0]}]
    assert g.told(None, "picked") == g.told(None, "hand_got") == []
    assert g.view("ana")["own"]["picks"] == [card]
    assert card not in str(g.view(None))


def test_kept_projects_and_the_common_discard_are_then_public() -> None:  # F-4.3
    g = scene("""
        2 seats; trimester I, phase drop
        ana: picks 82 91 95 86
        ben: picks 90 99 80 94
    """)
    g.ana("86", "done")
    assert g.zone("ana", "projects", "ben") == ""
    assert g.view("ben")["common"] == []
    g.ben("80", "done")
    for viewer in ("ben", None):
        assert g.zone("ana", "projects", viewer) == "82 91 95"
        assert g.view(viewer)["common"] == ["80", "86"]


def test_placed_s_cards_are_secret_until_all_have_chosen() -> None:  # F-4.3, F-2.5
    g = scene("""
        2 seats, expert; trimester 0, turn 0, phase settle
        ana: hand 49 50 51 52 53
        ben: hand 54 55 56 57 58
    """)
    g.ana("49", "top 2", "51", "top 4", "done")
    assert g.forest("ana", "ben") == ". . . . . / . . . . ."
    assert g.log("ben") == []
    g.ben("54", "top 1", "55", "top 3", "done")
    assert "Ana puts Unicorn 49 into their forest: top row, space 2" in g.log("ben")
    assert "To Ana’s discard: Griffin 50, Sea serpent 52 and Sylvide 53" in g.log(None)
    assert g.area("ana", "ben")["forest"]["top"] == [None, "49", None, "51", None]
