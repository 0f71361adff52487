"""A state is an ordinary Python object: it pickles, copies and compares, compiled or interpreted."""

import copy
import multiprocessing
import pickle

import pytest

from fabletop.core.chance import Chance
from fabletop.core.sitting import Sitting, start_words
from fabletop.games import GAMES
from fabletop.pure import load_pure

SIZES = [(name, seats) for name in sorted(GAMES) for seats in (2, 3, 5)]


def walked(game, seats, steps, seed="walk"):
    """A state somewhere in a game."""
    state = GAMES[game].new({"seats": seats}, start_words(seed, seats))
    go_on(state, steps, seed)
    return state


def go_on(state, steps, seed="walk"):
    """Random steps; ends early with the game."""
    chance = Chance.from_text(seed)
    for _ in range(steps):
        if not state.asked():
            break
        seat = chance.pick(state.asked())
        state.apply(seat, chance.pick(state.legal(seat)))


def restored(state):
    """Through pickle and back."""
    return pickle.loads(pickle.dumps(state))


@pytest.mark.parametrize("copied", [restored, copy.copy, copy.deepcopy, lambda state: state.clone()])
@pytest.mark.parametrize(("game", "seats"), SIZES)
def test_a_copy_is_equal_and_plays_on_alike(game, seats, copied):
    for steps in (0, 7, 60, 200):
        state = walked(game, seats, steps)
        twin = copied(state)
        assert twin == state
        assert twin is not state
        assert twin.learned == state.learned
        assert [twin.legal(seat) for seat in range(seats)] == [state.legal(seat) for seat in range(seats)]
        before = GAMES[game].position(state)
        go_on(twin, 40, "on")
        assert GAMES[game].position(state) == before, "a copy is independent"
        go_on(state, 40, "on")
        assert twin == state


@pytest.mark.parametrize(("game", "seats"), SIZES)
def test_states_that_differ_are_not_equal(game, seats):
    state = walked(game, seats, 30)
    twin = state.clone()
    go_on(twin, 1, "other")
    assert twin != state
    twin = state.clone()
    twin.stir(seats, 12345)
    assert twin != state, "chance is part of a state"
    assert state != "a state"
    with pytest.raises(TypeError, match="unhashable"):
        hash(state)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_an_interpreted_state_pickles_too(game):
    pure = load_pure(f"fabletop.games.{game}.engine")
    state = walked(game, 3, 50)
    make, (*given, data, listening, said) = state.__reduce__()
    assert make.__name__ == "revived"
    twin = pure.revived(*given, data, listening, said)
    assert twin.dump() == state.dump()
    assert twin == twin.clone() == copy.deepcopy(twin)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_sitting_pickles(game):
    sitting = Sitting(GAMES[game], {"seats": 3}, seed="pickled")
    chance = Chance.from_text("pickled")
    for _ in range(40):
        seat, choice = chance.pick(sorted(sitting.pending.items()))
        sitting.act(seat, chance.pick(choice.options))
    twin = restored(sitting)
    assert twin.state == sitting.state
    assert twin.record() == sitting.record()
    assert twin.events(0) == sitting.events(0)
    seat, choice = min(sitting.pending.items())
    assert twin.act(seat, choice.options[0]) == sitting.act(seat, choice.options[0])
    assert twin.state == sitting.state


def scores(state):
    """What a worker process makes of a state."""
    state.finish_randomly(9)
    return state.dump()


@pytest.mark.parametrize("game", sorted(GAMES))
def test_states_go_to_other_processes(game):
    states = [walked(game, 3, steps) for steps in (10, 20)]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        found = pool.map(scores, states)
    assert found == [scores(state) for state in states]
