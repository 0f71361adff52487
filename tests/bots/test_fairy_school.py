"""Knowledge of Fairy School: sound at every choice, honest, far better than chance, and it plays as people advise."""

import pytest

from fabletop.bots.fairy_school.knowledge import WEIGHTS, Knowledge
from fabletop.bots.greedy import Greedy, knowledge_of
from fabletop.bots.search import COMPILED
from fabletop.bots.uniform import Uniform
from fabletop.core.chance import Chance
from fabletop.games.fairy_school import constants as c
from tests.bots.twice import compiled_and_interpreted
from tests.bots.years import kinds, margins, of_each_kind
from tests.fairy_school.scene import GAME, Scene, scene


def test_all_kinds_of_choice_are_met() -> None:
    assert set(kinds()) == set(c.question_names) - {"nothing"}


@pytest.mark.parametrize("kind", kinds())
def test_greedy_answers_every_kind_of_choice(kind: str) -> None:
    for sitting, seat, choice in of_each_kind(4):
        if choice.kind == kind:
            view = sitting.view(seat)
            assert set(knowledge_of(view).ratings(7)) == set(choice.options)
            assert Greedy(Chance(1)).choose(view, choice) in choice.options


@pytest.mark.parametrize("kind", kinds())
def test_scores_do_not_depend_on_what_the_seat_may_not_know(kind: str) -> None:
    """F-3.2, section 10: the same scores in every deal that the seat cannot tell from the true one."""
    for sitting, seat, choice in of_each_kind(4):
        if choice.kind == kind:
            view = sitting.view(seat)
            world = knowledge_of(view)
            scores = world.ratings(1)
            assert all(world.ratings(word) == scores for word in range(2, 6))
            for seed in (5, 6):
                twin = GAME.imagine(view, Chance(seed))
                assert knowledge_of(GAME.view(twin, seat)).ratings(1) == scores


def test_greedy_leaves_uniform_far_behind() -> None:
    years = 4 if COMPILED else 1
    assert min(margins(Greedy, Uniform, 3, years, length="short")) > 15


def test_greedy_is_reproducible() -> None:
    for sitting, seat, choice in of_each_kind(2):
        view = sitting.view(seat)
        assert len({Greedy(Chance(9)).choose(view, choice) for _ in range(3)}) == 1


def test_weights_change_the_judgment() -> None:
    sitting, seat, _ = next(m for m in of_each_kind(4) if m[2].kind == "activate")
    view = sitting.view(seat)
    plain, same = Knowledge(view).ratings(1), Knowledge(view, weights=WEIGHTS).ratings(1)
    assert plain == same
    assert Knowledge(view, weights={"cube": 9000}).ratings(1) != plain


# ---------------------------------------------------------------------------------------- advice


def answer(g: Scene, who: str) -> str:
    """What greedy answers in a scene."""
    return GAME.actions[Greedy(Chance(1), slack=0).choose(g.view(who), g.choice(who))]


def test_own_cards_are_used_before_anything_else() -> None:
    # F-5.3: one's own cube comes back
    g = scene("""
        3 seats; trimester I, turn 1, phase activate
        ana: elements 1E 1V 1F 1W; projects 85; personal 1; shared 49
        ben: shared 51
    """)
    assert answer(g, "ana") in ("1", "49")


def test_a_neighbours_card_must_bring_clearly_more_than_its_cube() -> None:
    # F-5.3, F-5.4: the cube is gone for good and gives the neighbour a point
    poor = """
        3 seats; trimester II, turn 1, phase activate
        ana: elements 1E 1V 1F 1W; projects 107; cubes 12
        ben: shared 13
    """
    assert answer(scene(poor), "ana") == "done"
    assert answer(scene(poor.replace("shared 13", "shared 134")), "ana") == "134"


def test_what_a_project_lacks_is_taken() -> None:
    # F-6.1: 85 costs 3E 1V 2F, and a plant is missing
    g = scene("""
        3 seats; trimester I, turn 2, phase activate
        ana: elements 3E 2F 3W; projects 85; personal 6
        ben: elements 1E
    """)
    g.ana("6")
    assert answer(g, "ana") == "line-1"


def test_what_can_be_paid_is_realised() -> None:
    # F-5.6
    g = scene("""
        3 seats; trimester I, turn 2, phase realise
        ana: elements 3E 1V 2F; projects 85
        ben: elements 1E
    """)
    assert answer(g, "ana") == "85"


def test_at_the_end_of_the_year_everything_is_spent() -> None:
    # F-7.4: conversions included
    g = scene("""
        2 seats; trimester last, turn 4, phase spend; ended final_completed
        ana: elements 9E 3F 9W 1A; projects 85; final F1
        ben: elements none; final F6; steps 5
    """)
    assert answer(g, "ana") != "done"


def test_a_creature_on_a_paw_is_studied() -> None:
    # F-5.5: two points
    g = scene("""
        3 seats; trimester I, turn 1, phase study
        ana: forest 1 . . . . / . . . . 7; studied unicorn
        ben: elements 1E
    """)
    assert answer(g, "ana") == "dragon"


def test_a_realised_project_is_never_banished() -> None:
    # F-6.5: it would no longer score
    g = scene("""
        3 seats; trimester II, turn 1, phase activate
        ana: elements 2F; personal 98; forest 85 . . . . / . . . . .
        ben: elements 1E
    """)
    assert answer(g, "ana") == "done", "98 gives back what it costs, so it must remove a card (F-6.7)"
    g = scene("""
        3 seats; trimester II, turn 1, phase activate
        ana: elements 2F; personal 102; forest 85 . . . . / . . . . .
        ben: elements 1E
    """)
    g.ana("102")
    assert answer(g, "ana") == "pass"


def test_unstudied_creatures_go_to_the_paws() -> None:
    # F-5.1, F-5.5: of three cards the one with an unknown creature lies on a paw when all are placed
    g = scene("""
        3 seats; trimester III, turn 1, phase plan
        ana: elements 3E 3V 3F 3W; projects 136; studied unicorn gnome siren sea_serpent sylvide elf dragon phoenix
             forest . 2 3 4 5 / 6 7 8 10 .; hand 9 134
        ben: elements 3W; projects 137
        cleo: elements 3W; projects 147
    """)
    while "ana" in g.asked.split() and g.phase == "plan":
        g.ana(answer(g, "ana"))
    forest = g.view("ana")["players"][0]["forest"]
    assert "9" in (forest["top"][0], forest["bottom"][4])


def test_nothing_is_converted_without_need() -> None:
    # F-6.9
    for sitting, seat, choice in of_each_kind(4):
        if GAME.parse("convert") in choice.options:
            assert GAME.actions[Greedy(Chance(3)).choose(sitting.view(seat), choice)] != "convert"
        if choice.kind == "convert":
            assert GAME.actions[Greedy(Chance(3)).choose(sitting.view(seat), choice)] == "cancel"


# ---------------------------------------------------------------------------------------- whole years


def years_of(seats: int, words: range, **options: str) -> list[list[int]]:
    """The points of whole years by knowledge alone."""
    state = GAME.new({"seats": seats, **options}, list(range(seats + 1)))
    world = Knowledge(GAME.view(state, 0))
    found = []
    for word in words:
        world.begin(word)
        world.year()
        found.append(world.state.points())
    return found


def test_years_are_played_by_knowledge_alone() -> None:
    # F-3.1, F-8.1
    for options in ({}, {"setup": "expert"}, {"setup": "beginners", "length": "short"}):
        points = years_of(3, range(2), **options)
        assert points == years_of(3, range(2), **options)
        assert points[0] != points[1]
        assert all(30 < some < 140 for year in points for some in year)


def test_a_seat_can_be_left_to_somebody_else() -> None:
    state = GAME.new({"seats": 3}, [1, 2, 3, 4])
    world = Knowledge(GAME.view(state, 0))
    world.begin(5)
    assert world.advance(absent=1) == c.PHASE_DRAFT
    assert world.state.asked() == [1]
    world.state.apply(1, world.state.legal(1)[0])
    assert world.advance() == c.PHASE_DRAFT


SCRIPT = """
import json
from fabletop.bots.fairy_school.knowledge import Knowledge
from fabletop.bots.greedy import knowledge_of
from fabletop.bots.search import COMPILED
from tests.bots.years import of_each_kind
from tests.bots.test_fairy_school import years_of
found = [knowledge_of(sitting.view(seat)).ratings(1) for sitting, seat, choice in of_each_kind(2)]
found = [sorted(ratings.items()) for ratings in found]
print(json.dumps([COMPILED, found, years_of(3, range(1))]))
"""


@pytest.mark.skipif(not COMPILED, reason="both are interpreted here: nothing to compare")
def test_compiled_and_interpreted_knowledge_agree() -> None:
    compiled, interpreted = compiled_and_interpreted(SCRIPT)
    assert compiled == interpreted
