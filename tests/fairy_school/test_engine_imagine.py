"""What a viewer can know, and that nothing else shapes the worlds it imagines (rules page, section 10)."""

import json
from collections import Counter

from fabletop.core.chance import Chance
from fabletop.games import GAMES
from fabletop.games.fairy_school import constants as c
from tests.fairy_school.scene import PEOPLE, scene, year

GAME = GAMES["fairy_school"]


def worlds(state, viewer, number=600, seed="worlds"):
    chance = Chance.from_text(seed)
    view = json.loads(json.dumps(GAME.view(state, viewer)))
    for _ in range(number):
        twin = GAME.imagine(view, chance)
        assert GAME.view(twin, viewer) == view
        yield twin


def evenly(counts, cases, number):
    """All cases occur, none by more than four standard deviations too often or too rarely."""
    expected = number / cases
    assert len(counts) == cases
    assert all(abs(n - expected) < 4 * expected**0.5 + 1 for n in counts.values())


def test_cards_drawn_in_planning_are_any_of_the_pile() -> None:  # F-3.2, F-5.1
    g = scene("""
        2 seats; trimester I, phase plan
        ana: forest 57 62 . . 1 / 2 3 4 5 6; pile 7 8 9 10
        ben: pile
    """)
    ana = g.view("ben")["players"][0]
    assert ana["drawn"] == {"count": 2, "sure": []}
    assert ana["pile"]["count"] == 2
    assert ana["pile"]["among"] == ["7", "8", "9", "10"]
    hands = Counter(
        " ".join(sorted(GAME.view(twin, 0)["own"]["hand"], key=int)) for twin in worlds(g.state, 1)
    )
    evenly(hands, 6, 600)


def test_known_cards_on_top_are_known_to_be_drawn() -> None:  # F-5.6: all saw them being put there
    g = scene("""
        2 seats; trimester I, phase plan
        ana: forest 57 62 . . 1 / . 3 4 5 6; pile 7 8 9 | 82 91
        ben: pile
    """)
    ana = g.view("ben")["players"][0]
    assert ana["drawn"] == {"count": 3, "sure": ["91", "82"]}
    hands = Counter(GAME.view(twin, 0)["own"]["hand"][2] for twin in worlds(g.state, 1, 300))
    evenly(hands, 3, 300)


def test_a_pile_that_ran_out_is_known_to_be_drawn_whole() -> None:  # F-3.3
    g = scene("""
        2 seats; trimester I, phase plan
        ana: forest 57 62 . . . / . 3 4 5 6; pile 7 8; discard 9 10 11
        ben: pile
    """)
    ana = g.view(None)["players"][0]
    assert sorted(ana["drawn"]["sure"]) == ["7", "8"]
    assert ana["pile"]["among"] == ["9", "10", "11"]
    assert (ana["pile"]["count"], ana["discard"]) == (1, [])
    rest = Counter(
        " ".join(sorted(GAME.view(twin, 0)["own"]["hand"][2:], key=int))
        for twin in worlds(g.state, None, 300)
    )
    evenly(rest, 3, 300)


def test_a_seat_that_has_finished_has_finished_in_every_imagined_world() -> None:  # F-3.2
    g = scene("""
        3 seats; trimester I, phase select
        ana: elements 2E 2V 2F 2W; forest 57 62 1 2 3 / 4 5 6 7 8
        ben: elements 1E
    """)
    g.ana("column 1", "column 4", "done")
    assert g.view("ben")["waiting"] == [1, 2]
    assert g.view("ben")["players"][0]["forest"]["top"] == ["57", "62", "1", "2", "3"]
    shared = Counter()
    for twin in worlds(g.state, 1, 300):
        assert twin.asked() == [1, 2]
        shared[tuple(GAME.view(twin, 0)["players"][0]["shared"])] += 1
    assert len(shared) > 10  # one column or two, any of them, in either order


def pass_on(g, *picks):
    """Everyone drafts the card of this index."""
    stage = g.state.stage
    for seat, index in enumerate(picks):
        assert g.state.stage == stage
        hand = g.view(PEOPLE[seat])["own"]["hand"]
        g.play(PEOPLE[seat], hand[index])


def picks_of(state, seat):
    return GAME.view(state, seat)["own"]["picks"]


def test_two_players_know_what_the_other_took_from_a_hand_they_see_again() -> None:  # F-4.1, F-4.3
    g = year("draft", seats=2)
    before = g.view("ana")["own"]["hand"]
    pass_on(g, 0, 0)
    first = set(before) - set(picks_of(g.state, 0))
    pass_on(g, 0, 0)
    again = set(g.view("ana")["own"]["hand"])
    taken = first - again
    assert len(taken) == 1
    unknown = Counter()
    for twin in worlds(g.state, 0, 200):
        picks = picks_of(twin, 1)
        assert {picks[1]} == taken
        unknown[picks[0]] += 1
    assert len(unknown) > 15  # Ben's first pick came out of a hand that Ana has never seen whole


def test_three_players_know_which_two_cards_went_but_not_to_whom() -> None:  # F-4.1, F-4.3
    g = year("draft of three", seats=3)
    first = set(g.view("ana")["own"]["hand"])
    for _ in range(3):
        pass_on(g, 0, 0, 0)
    assert g.phase == "drop"  # the fourth card is nobody's choice
    gone = first - set(picks_of(g.state, 0))
    pairs = Counter()
    for twin in worlds(g.state, 0, 400):
        right, left = picks_of(twin, 2), picks_of(twin, 1)  # trimester I is passed to the right
        assert {right[1], left[2]} == gone
        pairs[right[1], left[2]] += 1
    evenly(pairs, 2, 400)


def test_a_spectator_knows_nothing_of_a_draft() -> None:  # F-4.3
    g = year("spectated", seats=3)
    pass_on(g, 1, 1, 1)
    seen = Counter()
    for twin in worlds(g.state, None, 300):
        seen[picks_of(twin, 0)[0]] += 1
    assert len(seen) == 28  # any project of the trimester
    assert g.view(None)["own"] is None


def test_the_order_of_a_pile_shows_in_no_view() -> None:
    texts = ["7 8 9 10 11", "11 9 7 10 8"]
    views = [
        [
            GAME.view(scene(f"2 seats; trimester I, phase select; ana: pile {text}").state, viewer)
            for viewer in (None, 0, 1)
        ]
        for text in texts
    ]
    assert views[0] == views[1]


def test_an_imagined_state_is_a_position_in_every_phase() -> None:  # F-3.2
    """And what the others see of the viewer is what they see at the table, for the viewer knows that."""
    phases = set()
    for seats, setup in ((2, "expert"), (3, "normal"), (4, "beginners"), (6, "normal")):
        state = GAME.new({"seats": seats, "setup": setup, "length": "short"}, range(seats + 1))
        chance = Chance.from_text(setup)
        while asked := state.asked():
            seat = chance.pick(asked)
            state.apply(seat, chance.pick(state.legal(seat)))
            if state.phase in phases and chance.below(6):
                continue
            phases.add(state.phase)
            viewer = chance.below(seats)
            twin = GAME.imagine(GAME.view(state, viewer), chance)
            text = GAME.position(twin)
            assert GAME.position(GAME.from_position(text)) == text
            assert alike(twin.area_began(viewer)) == alike(state.area_began(viewer))
    assert phases >= set(range(c.PHASE_SPEND)) - {c.PHASE_GOAL}


def alike(area):
    """An area without the order of its lists."""
    return {key: sorted(value) if isinstance(value, list) else value for key, value in area.items()}
