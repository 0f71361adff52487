"""The state as a thing: size, copies, streams of chance, positions, action texts, undo."""

import pytest

from fabletop.core.chance import Chance
from fabletop.core.errors import BadOptions, BadText, CannotUndo, NotOffered
from fabletop.games import GAMES
from fabletop.games.fairy_school.engine import COMPILED
from fabletop.games.fairy_school.playouts import Playouts
from tests.fairy_school.scene import scene, year

GAME = GAMES["fairy_school"]


def walk(state, chance, steps):
    for _ in range(steps):
        seat = chance.pick(state.asked())
        state.apply(seat, chance.pick(state.legal(seat)))


def test_a_state_is_small() -> None:
    size = GAME.new({"seats": 6}, range(7)).nbytes
    # Interpreted, a number counts eight bytes; compiled it takes one or two.
    assert size <= 16 * 1024 if COMPILED else size // 8 * 2 <= 16 * 1024


def test_seats_draw_from_their_own_streams() -> None:  # F-3.2: nothing depends on who was faster
    def hands(words):
        state = GAME.new({"seats": 3, "setup": "beginners"}, [*words, 99])
        return [GAME.view(state, seat)["own"]["hand"] for seat in range(3)]

    plain, other = hands([1, 2, 3]), hands([1, 2, 4])
    assert plain[:2] == other[:2]
    assert plain[2] != other[2]


def test_the_last_to_finish_does_not_draw_for_the_others() -> None:  # F-5.1
    orders = []
    for order in ((0, 1), (1, 0)):
        g = year("order", seats=2, setup="beginners")
        while g.view(None)["turn"] == 1:
            stage = g.state.stage
            for seat in order:
                while g.state.stage == stage and seat in g.state.asked():
                    g.sitting.act(seat, g.state.legal(seat)[0])
        orders.append([g.view(who)["own"]["hand"] for who in ("ana", "ben")])
    assert orders[0] == orders[1]
    assert all(orders[0])


@pytest.mark.parametrize("setup", ["beginners", "normal", "expert"])
def test_a_position_is_the_whole_state(setup) -> None:
    state = GAME.new({"seats": 4, "setup": setup, "wider": True}, range(5))
    chance = Chance.from_text(setup)
    for _ in range(40):
        walk(state, chance, 30)
        text = GAME.position(state)
        again = GAME.from_position(text)
        assert GAME.position(again) == text
        twin = state.clone()
        for world in (again, twin):
            walk(world, Chance(7), 25)
        assert GAME.position(again) == GAME.position(twin)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("ana: forest 1 2 3", "ten spaces"),
        ("ana: discard 164", "'164' is no card"),
        ("ana: elements 3X", "3E"),
        ("phase dancing", "there are settle_draft"),
        ("ana: studied kraken", "no creature"),
        ("ana: final F11", "F1 to F10"),
        ("short; trimester IV", "no trimester"),
        ("something else", "a seat's part begins with its name"),
        ("ana: cubes many", "should be a number"),
    ],
)
def test_a_wrong_position_is_refused_with_a_reason(text, complaint) -> None:
    with pytest.raises(BadText, match=complaint):
        GAME.from_position(text)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("Activate 88 phoenix", "88"),
        ("phoenix 88", "88"),
        ("column 3", "column-3"),
        ("TOP 1", "top-1"),
        ("place bottom_5", "bottom-5"),
        ("F3", "F3"),
        ("f3", "f3"),
        ("pay water", "spend-water"),
        ("spend w", "spend-water"),
        ("E", "earth"),
        ("study sea serpent", "sea-serpent"),
        ("finish", "done"),
        ("5:12", "5:12"),
    ],
)
def test_action_texts_are_read_tolerantly(text, action) -> None:
    assert GAME.actions[GAME.parse(text)] == action


@pytest.mark.parametrize("text", ["", "164", "88 gnome", "column 6", "make love"])
def test_what_is_no_action_is_refused(text) -> None:
    with pytest.raises(BadText, match="is no action"):
        GAME.parse(text)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"seats": 7}, "2 to 6"),
        ({"seats": "4"}, "2 to 6"),
        ({"seats": 6, "setup": "beginners"}, "2 to 5"),
        ({"seats": 3, "wider": True}, "four seats or more"),
        ({"setup": "hard"}, "beginners, normal or expert"),
        ({"length": "long"}, "full or short"),
        ({"wider": "yes"}, "true or false"),
        ({"lenght": "short"}, "did you mean 'length'"),
    ],
)
def test_impossible_options(options, complaint) -> None:  # F-1.1, F-2.8, F-2.9
    with pytest.raises(BadOptions, match=complaint):
        GAME.options(options)


def test_a_refusal_says_what_is_offered() -> None:
    g = scene("2 seats; trimester I, phase select; ana: elements none")
    assert g.refuses("ana", "column 1").endswith("offered are column-3")
    g.ana("column 3", "done")
    with pytest.raises(NotOffered, match="seat 0 has nothing to decide"):
        g.state.apply(0, GAME.parse("done"))


def test_an_unfinished_phase_can_be_revised() -> None:  # F-3.2
    g = year("revise", seats=2, setup="beginners")
    before = g.view("ana")
    card = before["own"]["hand"][0]
    g.ana(card, "top 2" if before["players"][0]["forest"]["top"][1] is None else "top 3")
    g.sitting.act(1, g.state.legal(1)[0])  # what Ben does is no matter
    assert g.view("ana") != before
    for _ in range(2):
        g.sitting.undo(0)
    assert g.view("ana") == before


def test_a_closed_phase_cannot_be_revised() -> None:  # F-3.2
    g = year("closed", seats=2, setup="beginners")
    stage = g.state.stage
    while g.state.stage == stage:
        seat = g.state.asked()[0]
        g.sitting.act(seat, g.state.legal(seat)[0])
    for seat in (0, 1):
        with pytest.raises(CannotUndo):
            g.sitting.undo(seat)


def test_what_was_scouted_cannot_be_unseen() -> None:  # F-6.3
    g = scene("2 seats; trimester I, phase activate; ana: elements 1V; personal 11; pile 1 2 3 4")
    g.ana("11", "line 2")
    assert g.state.learned == 1
    g = scene("2 seats; trimester I, phase activate; ana: elements 1E; personal 9; discard 1 2")
    g.ana("9", "line 2")
    assert g.state.learned == 0  # everybody knows the discard


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_play_outs_count_and_repeat_themselves(seats) -> None:  # F-3.1: random years end too
    counts = Playouts(seats, 5).run(3)
    assert counts == Playouts(seats, 5).run(3)
    assert counts["games"] == 3
    assert sum(counts["wins"]) >= 3
    assert 0 < counts["choices"] < counts["decisions"]
    assert 3 <= counts["last_turns"] <= 36
    assert all(points > 0 for points in counts["points"])


def test_a_random_world_and_a_random_end_depend_on_the_word_alone() -> None:
    state = GAME.new({"seats": 3}, range(4))
    walk(state, Chance(3), 100)
    ends = []
    for word in (1, 1, 2):
        twin = state.clone()
        twin.redeal(0, word)
        twin.finish_randomly(word)
        ends.append(GAME.position(twin))
    assert ends[0] == ends[1] != ends[2]
    assert GAME.outcome(twin) is not None
