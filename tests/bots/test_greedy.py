"""Greedy: sound at every choice, better than chance, and judging by what the seat may know."""

import pytest

from fabletop.bots.equinox.knowledge import WEIGHTS, Knowledge
from fabletop.bots.greedy import Greedy, knowledge_of
from fabletop.bots.uniform import Uniform
from fabletop.core.chance import Chance
from fabletop.core.sitting import Sitting
from fabletop.games.equinox import EQUINOX
from fabletop.games.equinox.constants import CHOICE_IDS
from tests.bots.moments import kinds, of_each_kind, wins
from tests.equinox.scene import Scene, scene


def test_all_kinds_of_choice_are_met() -> None:
    assert set(kinds()) == set(CHOICE_IDS) - {"over"}


@pytest.mark.parametrize("kind", kinds())
def test_greedy_answers_every_kind_of_choice(kind: str) -> None:
    for sitting, seat, choice in of_each_kind(6):
        if choice.kind == kind:
            view = sitting.view(seat)
            assert set(knowledge_of(view).ratings(7)) == set(choice.options)
            assert Greedy(Chance(1)).choose(view, choice) in choice.options


@pytest.mark.parametrize("kind", kinds())
def test_scores_do_not_depend_on_what_the_seat_may_not_know(kind: str) -> None:
    """The same scores in every deal that the seat cannot tell from the true one."""
    for sitting, seat, choice in of_each_kind(6):
        if choice.kind == kind:
            world = knowledge_of(sitting.view(seat))
            scores = world.ratings(1)
            assert all(world.ratings(word) == scores for word in range(2, 8))


def test_greedy_wins_against_uniform() -> None:
    assert wins(Greedy, Uniform, 4, 40) > 0.6
    assert wins(Greedy, Uniform, 2, 20) > 0.85


def test_greedy_is_reproducible() -> None:
    for sitting, seat, choice in of_each_kind(2):
        view = sitting.view(seat)
        answers = {Greedy(Chance(9)).choose(view, choice) for _ in range(3)}
        assert len(answers) == 1


def test_chance_breaks_ties() -> None:
    sitting, seat, choice = next(m for m in of_each_kind(6) if m[2].kind == "predict")
    view = sitting.view(seat)
    assert len({Greedy(Chance(seed), slack=100).choose(view, choice) for seed in range(60)}) > 3
    assert len({Greedy(Chance(seed), slack=0).choose(view, choice) for seed in range(20)}) == 1


def answer(g: Scene, name: str) -> str:
    """What greedy answers in a scene."""
    return EQUINOX.actions[Greedy(Chance(1)).choose(g.view(name), g.choice)]


def test_who_has_a_pebble_there_protects_the_creature() -> None:
    # E-6.5: the row is complete, and ana's creature has the lowest card
    g = scene("""
        round 1   turn ana
                 squeak   stag   rubble   hoot   carmen   goatman   ursus   pilgrim
        row 1      1a      5b      6       7       8        9        4        3
        ana: squeak 9, stag 10, rubble 8       ben: hoot 0
    """)
    assert answer(g, "ana") == "squeak-9"


def test_a_rivals_creature_is_attacked_rather_than_an_empty_one() -> None:
    # E-6.5: the row is complete; the lowest card eliminates stag, on which ben has a pebble
    g = scene("""
        round 1   turn ana
                 squeak   stag   rubble   hoot   carmen   goatman   ursus   pilgrim
        row 1      5a      5b      6       7       8        9        4        4
        ana: stag 0, rubble 10, hoot 10       ben: hoot 0
    """)
    assert answer(g, "ana") == "stag-0"


def test_dead_cards_are_discarded() -> None:
    # E-6.1
    for sitting, seat, choice in of_each_kind(6):
        if choice.kind == "discard" and not choice.about["unseen"]:
            taken = Greedy(Chance(1)).choose(sitting.view(seat), choice)
            assert EQUINOX.actions[taken] != "pass"


def test_weights_can_be_varied() -> None:
    view = Sitting(EQUINOX, {"seats": 3, "first": 0}, seed="weights").view(0)
    plain = Knowledge(view).ratings(1)
    bold = Knowledge(view, {"pebble_0": WEIGHTS["pebble_0"] - 64}).ratings(1)
    columns = [a for a in plain if EQUINOX.actions[a] in view["creatures"]]
    assert len(columns) == 8
    assert all(bold[a] == pytest.approx(plain[a] + 1) for a in columns)


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no game 'chess'"):
        knowledge_of({"game": "chess"})
