"""Rules page, section 3: trimesters and turns, what is played at once, drawing cards."""

import pytest

from fabletop.games.fairy_school.cards import BY_NAME
from tests.fairy_school.bot import played
from tests.fairy_school.scene import PEOPLE, scene, year


@pytest.mark.parametrize(
    ("seats", "length", "turns"),
    [
        (2, "full", [(1, 4), (2, 4), (3, 4)]),
        (3, "full", [(1, 3), (2, 3), (3, 3)]),
        (5, "full", [(1, 3), (2, 3), (3, 3)]),
        (2, "short", [(1, 4), (2, 4)]),
        (4, "short", [(1, 3), (2, 3)]),
    ],
)
def test_trimesters_and_their_turns(seats: int, length: str, turns: list[tuple[int, int]]) -> None:
    """F-3.1, F-2.6, F-2.7: four trimesters, three in the short game; all but the last have three turns, or four."""
    sitting = played("turns", seats=seats, length=length)
    began = [
        (event["trimester"], event["turn"]) for event in sitting.events(None) if event.kind == "turn_began"
    ]
    expected = [(trimester, turn) for trimester, last in turns for turn in range(1, last + 1)]
    assert began[: len(expected)] == expected
    final = began[len(expected) :]
    assert [trimester for trimester, _ in final] == [0] * len(final)
    assert [turn for _, turn in final] == list(range(1, len(final) + 1))
    assert 1 <= len(final) <= 12
    drawn = next(event for event in sitting.events(None) if event.kind == "finals_drawn")
    assert all(name.startswith("F" if length == "full" else "f") for name in drawn["finals"])


def test_the_last_trimester_is_closed_after_its_twelfth_turn() -> None:
    """F-3.1: nobody has completed anything; after the bonus and the last spending the year is over."""
    g = scene("""
        2 seats; trimester last, turn 12, phase realise
        ana: elements 1E; final F6 at 2; projects 91
        ben: elements 3E 2V 2F 2W; final F1; projects 82
    """)
    assert g.asked == "ben"
    g.ben("done")
    assert (g.phase, g.asked) == ("bonus", "ana")
    g.ana("water")
    assert (g.phase, g.asked) == ("spend", "ben")
    g.ben("82", "done")
    assert g.outcome.reason == "twelfth_turn"
    assert "The year is over after the twelfth turn of the last trimester" in g.log("ana")
    assert g.outcome.scores == (6.0, 3.0)


def test_the_eleventh_turn_is_not_the_last() -> None:  # F-3.1
    g = scene("""
        2 seats; trimester last, turn 11, phase bonus
        ana: final F6 at 2
        ben: final F1
    """)
    g.ana("water")
    assert (g.phase, g.view(None)["turn"]) == ("plan", 12)


def test_a_phase_begins_when_all_have_finished_the_one_before() -> None:  # F-3.2
    g = scene("""
        3 seats; phase select
        ana: forest 1 2 3 . . / 4 5 6 . .
    """)
    g.ana("column 3", "done")
    g.ben("column 3", "done")
    assert (g.phase, g.asked) == ("select", "cleo")
    g.refuses("ana", "column 1")
    g.cleo("column 3", "done")
    assert g.phase == "activate"


def test_what_a_seat_does_stays_hidden_until_all_have_finished() -> None:
    """F-3.2: the others see who is still at it, and nothing else."""
    g = scene("""
        3 seats; phase select
        ana: elements 2E; forest 1 2 3 . . / 4 5 6 . .
    """)
    before = {who: g.view(who) for who in ("ben", "cleo", None)}
    g.ana("column 1")
    assert {who: g.view(who) for who in ("ben", "cleo", None)} == before
    assert g.elements("ana") == "1E"
    assert g.elements("ana", "ben") == "2E"
    g.ana("done")
    for who in ("ben", "cleo", None):
        assert g.view(who) == {**before[who], "waiting": [1, 2]}
        assert g.log(who) == []
    assert g.log("ana") == ["You play column 1"]
    g.ben("column 3", "done")
    g.cleo("column 3", "done")
    assert g.log("ben") == ["You play column 3", "Ana plays column 1", "Cleo plays column 3"]
    assert g.elements("ana", None) == "1E"
    assert g.zone("ana", "shared", "ben") == "1"


def test_the_order_of_arrival_shows_nowhere() -> None:  # F-3.2
    stories = []
    for order in (("ana", "ben", "cleo"), ("cleo", "ben", "ana")):
        g = scene("""
            3 seats; phase select
            ana: forest . . 1 . . / . . . . .
        """)
        for who in order:
            g.play(who, "column 3", "done")
        stories.append(g.log(None))
    assert stories[0] == stories[1] == [f"{name} plays column 3" for name in ("Ana", "Ben", "Cleo")]


def test_phase_0_and_the_final_projects_go_in_order() -> None:  # F-3.2, F-5.0, F-7.1
    g = scene("""
        3 seats; trimester I, turn 2, phase goal; common 82 91 95
        ana: elements 5E
        ben: elements 1E
        cleo: projects 80
    """)
    assert (g.view(None)["together"], g.asked) == (False, "ben")
    g.refuses("ana", "82")
    g.ben("91")
    assert g.zone("ben", "projects", "ana") == "91"
    assert g.asked == "ana"
    g = scene("3 seats; trimester last, phase final")
    assert g.view(None)["together"] is False
    assert len(g.asked.split()) == 1


def test_an_empty_pile_takes_the_shuffled_discard_and_what_is_drawn_stays_drawn() -> None:
    """F-3.3: six empty spaces, two cards to draw; four more come from the discard."""
    g = scene("""
        2 seats; phase plan
        ana: forest 1 2 . . . / . . . 3 4; pile 5 6; discard 7 8 9 10 11 12
    """)
    drawn = g.view("ana")["own"]["drawn"]
    assert set(drawn[:2]) == {"5", "6"}
    assert len(drawn) == 6
    assert set(drawn[2:]) < {"7", "8", "9", "10", "11", "12"}
    assert g.zone("ana", "discard") == ""
    assert g.area("ana")["pile"]["count"] == 2


def test_with_pile_and_discard_empty_nothing_more_is_drawn() -> None:  # F-3.3, F-5.1
    g = scene("""
        2 seats; phase plan
        ana: forest 1 2 . . . / . . . 3 4; pile 5; discard 7 8
    """)
    assert sorted(g.view("ana")["own"]["drawn"]) == ["5", "7", "8"]
    g = scene("""
        2 seats; phase plan
        ana: forest 1 2 3 . . / . . . 5 4; pile ; discard
        ben: pile 13
    """)
    assert g.asked == "ben"
    g.ben("top 1", "done")
    assert g.forest("ana", "ben") == "1 2 3 . . / . . . 5 4"


def test_played_cards_are_not_in_the_discard_yet() -> None:
    """F-3.3: a Scout finds neither pile nor discard while the played cards still lie in the zones."""
    g = scene("""
        2 seats; phase activate
        ana: elements 5V; personal 11 1 2; shared 3; pile ; discard
    """)
    g.ana("11")
    assert g.elements("ana") == "5V 1F", "the Scout line had nothing to draw, so the other line was meant"


def test_drawing_is_by_lot() -> None:  # F-2.1, F-3.3
    hands = {
        tuple(year(f"seed {n}", seats=2, setup="beginners").view("ana")["own"]["drawn"]) for n in range(20)
    }
    assert len(hands) == 20
    assert {BY_NAME[card].deck for hand in hands for card in hand} == {"start"}
    assert len({hand[0] for hand in hands}) > 6


def test_everyone_draws_from_a_stream_of_chance_of_their_own() -> None:
    """F-3.2: who finishes first changes nothing in what anybody draws."""
    drawn = []
    for order in (PEOPLE[:3], PEOPLE[2::-1]):
        g = year("streams", seats=3, setup="beginners")
        for who in order:
            while g.phase == "plan" and who in g.asked.split():
                g.play(who, g.offered(who).split()[0])
        drawn.append([g.forest(who) for who in PEOPLE[:3]])
    assert drawn[0] == drawn[1]
