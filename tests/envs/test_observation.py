"""Observations as numpy arrays, for every game."""

import numpy as np
import pytest

from fabletop import GAMES, BadOptions, Sitting
from fabletop.core import laws
from fabletop.envs import observation


@pytest.mark.parametrize("game", GAMES)
def test_an_observation_goes_into_a_callers_array(game):
    state = Sitting(GAMES[game], {"seats": 3}, seed="o").state
    space = observation.space(game)
    block = np.full((3, space.size), 7, np.uint8)
    for seat in range(3):
        row = observation.observe(game, state, seat, block[seat])
        assert row.base is block
        assert (row == observation.observe(GAMES[game], state, seat)).all()
        assert (row <= space.high).all()
    seat = state.asked()[0]
    assert observation.mask(game, state, seat).nonzero()[0].tolist() == state.legal(seat)
    assert space.part("seats") == slice(0, 1)
    with pytest.raises(KeyError, match="no plane 'hands'"):
        space.part("hands")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda n: np.zeros(n + 1, np.uint8), "shape"),
        (lambda n: np.zeros((1, n), np.uint8), "shape"),
        (lambda n: np.zeros(n, np.float32), "format 'f'"),
        (lambda n: np.zeros(n, np.bool_), "format"),
        (lambda n: np.zeros(2 * n, np.uint8)[::2], "not contiguous"),
        (bytes, "read-only"),
        (lambda n: [0] * n, "not list"),
    ],
)
def test_a_wrong_buffer_is_refused(game, wrong, said):
    state = Sitting(GAMES[game], {"seats": 2}, seed="o").state
    space = observation.space(game)
    with pytest.raises(ValueError, match=said):
        observation.observe(game, state, 0, wrong(space.size))
    with pytest.raises(ValueError, match=f"the mask should be .*{space.actions}.*{said}"):
        observation.mask(game, state, 0, wrong(space.actions))


@pytest.mark.parametrize("game", GAMES)
def test_a_wrong_seat_is_refused_and_nothing_is_written(game):
    state = Sitting(GAMES[game], {"seats": 2}, seed="o").state
    out = np.full(observation.space(game).size, 7, np.uint8)
    for seat in (-1, 2):
        with pytest.raises(ValueError, match=f"no seat {seat}: the seats are 0 to 1"):
            observation.observe(game, state, seat, out)
    assert (out == 7).all()
    with pytest.raises(BadOptions, match="no game 'chess'"):
        observation.space("chess")
    assert observation.space("fairy-school") == observation.space("fairy_school")


@pytest.mark.parametrize("name", GAMES)
def test_information_states_are_as_different_as_views(name):
    game = GAMES[name]
    seen = {}
    for sitting, _, _ in laws.walk(game, {"seats": 3}, "information"):
        if len(sitting.actions) % 5 == 0:
            for seat in range(3):
                view = laws.bytes_of(game.view(sitting.state, seat))
                assert seen.setdefault(observation.information_state(name, sitting.state, seat), view) == view
    assert len(seen) == len(set(seen.values())) > 20
