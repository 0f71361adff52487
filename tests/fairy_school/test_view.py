"""Rules page, section 10: what everyone may see, what a player alone, and what nobody."""

import json

import pytest

from fabletop.core.chance import Chance
from tests.fairy_school.bot import answer
from tests.fairy_school.scene import GAME, PEOPLE, scene, year


def seen(view: object) -> str:
    """A view as it goes over the wire."""
    return json.dumps(view, sort_keys=True)


def test_what_everyone_sees() -> None:  # F-5.1, F-5.3, F-4.3, F-7.1
    g = scene("""
        2 seats; trimester last, turn 1, phase activate; common 80 94
        ana: elements 3E 1A; cubes 5; kindness ben 2; studied elf; shared 1; personal 3; discard 53 54
             forest 57 . 62 . . / . . . 7 8; projects 82 91; final F1 at 2; pile 4 5 | 88; banished 12
        ben: final F2; shared 13
    """)
    for viewer in ("ben", None):
        area = g.area("ana", viewer)
        assert g.forest("ana", viewer) == "57 . 62 . . / . . . 7 8"
        assert (g.zone("ana", "shared", viewer), g.zone("ana", "personal", viewer)) == ("1", "3")
        assert (g.elements("ana", viewer), g.cubes("ana", viewer), area["kindness"]) == ("3E 1A", 5, 2)
        assert g.studied("ana", viewer) == "elf"
        assert (g.zone("ana", "projects", viewer), g.zone("ana", "realised", viewer)) == ("82 91", "88")
        assert (area["final"], area["steps"]) == ("F1", 2)
        assert g.view(viewer)["common"] == ["80", "94"]
        assert area["pile"]["count"] == 3
        assert g.zone("ana", "discard", viewer) == "53 54"
        assert g.zone("ana", "banished", viewer) == "12"


def test_a_realised_project_on_top_of_the_pile_is_known_until_it_is_drawn() -> None:  # F-5.6
    g = scene("""
        2 seats; phase realise
        ana: elements 9E 9V 9F 9W; projects 82 91 95; pile 1 2 3
             forest 57 58 59 60 61 / 62 63 64 65 66
        ben: pile ; discard
    """)
    g.ana("82", "91", "done")
    for viewer in ("ana", "ben", None):
        assert g.area("ana", viewer)["pile"]["top"] == ["91", "82"]
        assert g.pile("ana", viewer) == "1 2 3 | 82 91"


def test_the_order_of_the_pile_is_known_to_nobody() -> None:  # F-3.3
    texts = {
        seen(scene(f"2 seats; phase select\nana: pile {order}; forest 7 8 . . . / . . . . .").view(viewer))
        for order in ("1 2 3 4", "4 2 1 3")
        for viewer in ("ana",)
    }
    assert len(texts) == 1


def test_cards_drawn_in_planning_are_seen_by_their_owner_alone_until_it_ends() -> None:  # F-5.1
    g = scene("""
        2 seats; phase plan
        ana: forest . . . . . / 57 58 59 60 61; pile 1 2 3 4 5 6 7
        ben: forest . . . . . / 62 63 64 65 66; pile 13 14 15 16 17 18 19
    """)
    drawn = g.view("ana")["own"]["drawn"]
    assert len(drawn) == 5
    for viewer in ("ben", None):
        assert g.area("ana", viewer)["drawn"] == {"count": 5, "sure": []}
        assert g.area("ana", viewer)["pile"]["among"] == ["1", "2", "3", "4", "5", "6", "7"]
    while g.phase == "plan":
        g.play(who := g.asked.split()[0], g.offered(who).split()[0])
    assert set(g.area("ana", "ben")["forest"]["top"]) == set(drawn)
    assert set(g.area("ana", "ben")["pile"]["among"]) == {"1", "2", "3", "4", "5", "6", "7"} - set(drawn)


def test_scouted_cards_are_seen_by_their_owner_alone_until_the_phase_ends() -> None:  # F-6.3, F-6.7
    g = scene("""
        2 seats; phase activate
        ana: elements 1V 9E 9F 9W; personal 11; pile 1 2 3 4 5; projects 82
        ben: shared 13
    """)
    before = seen(g.view("ben"))
    g.ana("11", "line 2")
    assert sorted(g.view("ana")["own"]["looked"]) == g.offered("ana").split()
    assert seen(g.view("ben")) == before
    placed, *rest = g.offered("ana").split()
    g.ana(placed)
    assert seen(g.view("ben")) == before
    g.ana("done")
    g.ben("done")
    assert set(g.told("ben", "scouted")[0]["cards"]) == {placed, *rest}
    assert g.told("ben", "scout_placed") == [{"seat": 0, "card": placed}]
    assert set(g.zone("ana", "discard", "ben").split()) == {"11", placed, *rest}


def test_a_draft_hand_is_seen_by_its_holder_alone() -> None:  # F-4.1, F-4.3
    g = year(seats=3)
    hands = {who: set(g.offered(who).split()) for who in PEOPLE[:3]}
    for who in PEOPLE[:3]:
        others = set().union(*(hands[other] for other in PEOPLE[:3] if other != who))
        text = seen(g.view(who))
        assert all(f'"{card}"' in text for card in hands[who])
        assert not any(f'"{card}"' in text for card in others)
    assert not any(f'"{card}"' in seen(g.view(None)) for hand in hands.values() for card in hand)


def test_everyone_remembers_the_hands_that_passed_through_theirs() -> None:  # F-4.1
    g = year(seats=4)
    first = set(g.offered("ana").split())
    for who in PEOPLE[:4]:
        g.play(who, g.offered(who).split()[0])
    second = set(g.offered("ana").split())
    assert [set(hand) for hand in g.view("ana")["own"]["seen"]] == [first, second]


def test_a_seat_in_the_middle_of_something_is_seen_by_nobody_else() -> None:  # F-3.2
    g = scene("""
        2 seats; phase activate
        ana: elements 3F; personal 117
        ben: shared 13
    """)
    before = seen(g.view(None))
    g.ana("117", "times 2", "gain 1")
    assert g.view("ana")["flow"]["question"] == "gain"
    assert seen(g.view(None)) == before
    assert g.view("ben")["flow"]["seat"] == 1


@pytest.mark.parametrize(
    "options", [{"seats": 2}, {"seats": 3, "setup": "expert"}, {"seats": 5, "wider": True}]
)
def test_a_viewer_cannot_tell_apart_what_differs_only_in_secrets(options: dict[str, object]) -> None:
    """F-3.2, F-4.3, F-5.1: a whole year seen by one seat; an imagined world that fits the view looks the same."""
    g = year("twins", **options)
    chance = Chance.from_text("twins")
    viewer = 1
    steps = 0
    while g.asked and steps < 400:
        seat = chance.pick(g.state.asked())
        g.play(PEOPLE[seat], GAME.actions[answer(g.choice(PEOPLE[seat]), g.view(PEOPLE[seat]), chance)])
        steps += 1
        if steps % 5 == 0:
            view = seen(g.view(PEOPLE[viewer]))
            twin = GAME.imagine(json.loads(view), chance)
            assert seen(GAME.view(twin, viewer)) == view
