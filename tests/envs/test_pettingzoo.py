"""The PettingZoo environments: PettingZoo's own tests, the same game as the engine, masks, pictures, bad input."""

import warnings
from functools import partial
from types import SimpleNamespace

import numpy as np
import pettingzoo
import pytest

from fabletop import GAMES, Chance
from fabletop.core.errors import BadOptions, FabletopError, NotOffered
from fabletop.envs import equinox_v1, fairy_school_v1
from fabletop.envs.observation import observe
from fabletop.envs.reader import outline

with (
    warnings.catch_warnings()
):  # where pygame is installed, it imports games of its own by a way that it deprecates
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import (
        api_test,
        max_cycles_test,
        parallel_api_test,
        parallel_seed_test,
        seed_test,
    )

MODULES = {"equinox": equinox_v1, "fairy_school": fairy_school_v1}
SHORT = {"setup": "beginners", "length": "short"}


def engine(game: str, seats: int, seed: int, **options: object):
    """The game that an environment with this seed plays."""
    chance = Chance(seed)
    rules = GAMES[game]
    return rules.new(rules.options({"seats": seats, **options}), [chance.word() for _ in range(seats + 1)])


def quiet(test, *arguments, **more) -> None:
    """PettingZoo prints when a test has passed; what it warns of is that an observation is flat, not a picture."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*(obs|Observation).*")
        warnings.filterwarnings("ignore", message="The base environment.*")
        test(*arguments, **more)


@pytest.mark.parametrize("game", MODULES)
def test_pettingzoos_own_tests_pass(game: str) -> None:
    module = MODULES[game]
    quiet(api_test, module.env(), num_cycles=60)
    quiet(api_test, module.raw_env(seats=3), num_cycles=60)
    seed_test(module.env, num_cycles=30)


def seeded(make, **settings):
    """An environment whose action spaces are seeded; PettingZoo's test does not look at the masks."""
    made = make(illegal="replace", options=SHORT, seats=2, **settings)
    made.action_space("seat_0").seed(1)
    return made


def test_pettingzoos_tests_of_parallel_environments_pass() -> None:
    quiet(parallel_api_test, fairy_school_v1.parallel_env(options=SHORT), num_cycles=300)
    replacing = partial(fairy_school_v1.parallel_env, illegal="replace", options=SHORT)
    parallel_seed_test(replacing, num_cycles=30)
    max_cycles_test(
        SimpleNamespace(
            parallel_env=partial(seeded, fairy_school_v1.parallel_env),
            env=partial(seeded, fairy_school_v1.env),
        )
    )


@pytest.mark.parametrize("game", MODULES)
def test_a_game_is_truncated_after_its_rounds(game: str) -> None:
    """PettingZoo's own test of this wants each seat to act as often as the others, as in no turn of Equinox."""
    env, plain = (MODULES[game].env(seats=3, max_cycles=cycles) for cycles in (20, None))
    env.reset(seed=3)
    plain.reset(seed=3)
    rounds, last = 0, -1
    while not any(env.truncations.values()):
        assert rounds < 20
        seat = env.possible_agents.index(env.agent_selection)
        action = int(env.infos[env.agent_selection]["action_mask"].argmax())
        env.step(action)
        plain.step(action)
        last, seat = seat, plain.possible_agents.index(plain.agent_selection)
        rounds += seat <= last
    assert rounds == 20
    assert all(env.truncations.values())
    assert not any((*env.terminations.values(), *plain.truncations.values(), *plain.terminations.values()))


def test_the_environments_are_in_pettingzoos_registry() -> None:
    for kind, name, module, made in (
        ("aec", "equinox", equinox_v1, "env"),
        ("aec", "fairy-school", fairy_school_v1, "env"),
        ("parallel", "fairy-school", fairy_school_v1, "parallel_env"),
    ):
        env = pettingzoo.make(kind, f"fabletop/{name}-v1", seats=3, max_cycles=7)
        assert type(env) is type(getattr(module, made)())
        assert str(env) == str(getattr(module, made)())
        assert (len(env.possible_agents), env.unwrapped.session.max_cycles) == (3, 7)


@pytest.mark.parametrize("game", MODULES)
def test_a_random_player_plays_the_same_game_as_on_the_engine(game: str) -> None:
    env, state = MODULES[game].env(seats=3), engine(game, 3, 7)
    env.reset(seed=7)
    chance, masks = Chance(3), 0
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, info = env.last()
        seat = int(agent.removeprefix("seat_"))
        if terminated:
            assert seen["action_mask"].sum() == 0
            outcome = GAMES[game].outcome(state)
            assert reward == (seat in outcome.winners) / len(outcome.winners)
            env.step(None)
            continue
        assert not truncated
        legal = state.legal(seat)
        assert seen["action_mask"] is info["action_mask"]
        assert np.flatnonzero(seen["action_mask"]).tolist() == legal
        assert np.array_equal(seen["observation"], observe(game, state, seat))
        masks += 1
        if masks % 20 == 0:  # those who are not to act
            for other, one in enumerate(env.possible_agents):
                told = env.observe(one)
                assert np.array_equal(told["observation"], observe(game, state, other))
                assert told["action_mask"] is env.infos[one]["action_mask"]
                assert one == agent or not told["action_mask"].any()
        action = chance.pick(legal)
        env.step(action)
        state.apply(seat, action)
        assert masks % 50 or GAMES[game].position(state) == GAMES[game].position(env.unwrapped.session.state)
    assert masks > 40
    assert GAMES[game].outcome(state) == GAMES[game].outcome(env.unwrapped.session.state)


def test_all_seats_at_once_play_the_same_game_as_on_the_engine() -> None:
    env, state = fairy_school_v1.parallel_env(seats=3), engine("fairy_school", 3, 5)
    seen, infos = env.reset(seed=5)
    chance, several = Chance(6), 0
    while env.agents:
        actions = {}
        asked = state.asked()
        several += len(asked) > 1
        for seat, agent in enumerate(env.possible_agents):
            assert seen[agent]["action_mask"] is infos[agent]["action_mask"]
            assert np.flatnonzero(seen[agent]["action_mask"]).tolist() == state.legal(seat)
            assert np.array_equal(seen[agent]["observation"], observe("fairy_school", state, seat))
            actions[agent] = chance.pick(state.legal(seat)) if seat in asked else 0
        for seat in asked:
            state.apply(seat, actions[f"seat_{seat}"])
        seen, rewards, terminated, truncated, infos = env.step(actions)
    assert several > 50
    assert all(terminated.values())
    assert not any(truncated.values())
    winners = GAMES["fairy_school"].outcome(state).winners
    assert rewards == {f"seat_{seat}": (seat in winners) / len(winners) for seat in range(3)}
    assert GAMES["fairy_school"].position(state) == GAMES["fairy_school"].position(env.session.state)


@pytest.mark.parametrize("game", MODULES)
def test_pictures(game: str, capsys) -> None:
    for mode in ("ansi", "rgb_array", "human"):
        env = MODULES[game].env(render_mode=mode)
        env.reset(seed=1)
        first = env.render()
        for _ in range(40):
            env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
        if mode == "ansi":
            assert isinstance(first, str)
            assert first != env.render()
            assert "seat_0" in env.render()
        elif mode == "rgb_array":
            assert first.dtype == np.uint8
            assert first.shape[2] == 3
            assert first.std() > 5
            assert not np.array_equal(first, env.render())
        else:
            assert env.render() is None
            assert "players" in capsys.readouterr().out


@pytest.mark.parametrize("game", MODULES)
def test_what_is_rendered_is_what_a_spectator_may_know(game: str) -> None:
    env = MODULES[game].raw_env(render_mode="ansi")
    env.reset(seed=1)
    drawn: list[object] = []
    env.session.draw = drawn.append
    for _ in range(60):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
        view = GAMES[game].view(env.session.state, None)
        assert env.render().startswith("\n".join((*outline(view), "", "")))
        env.session.render_mode = "rgb_array"
        env.render()
        env.session.render_mode = "ansi"
        assert drawn.pop() == view


@pytest.mark.parametrize("game", MODULES)
def test_an_action_outside_the_mask_is_refused_and_changes_nothing(game: str) -> None:
    env = MODULES[game].env()
    env.reset(seed=2)
    before = GAMES[game].position(env.unwrapped.session.state)
    wrong = int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])
    for action in (wrong, -1, 10**6, None, 1.5, "pass"):
        with pytest.raises(NotOffered, match="its action_mask has"):
            env.step(action)
    assert GAMES[game].position(env.unwrapped.session.state) == before
    assert env.last()[0]["action_mask"].any()


def test_all_actions_are_checked_before_one_is_carried_out() -> None:
    env = fairy_school_v1.parallel_env(seats=2)
    seen, _ = env.reset(seed=2)
    before = GAMES["fairy_school"].position(env.session.state)
    good = int(np.flatnonzero(seen["seat_0"]["action_mask"])[0])
    with pytest.raises(NotOffered, match="seat_1 is not offered"):
        env.step({"seat_0": good, "seat_1": 10**6})
    with pytest.raises(NotOffered, match="no action of seat_1"):
        env.step({"seat_0": good})
    with pytest.raises(BadOptions, match="no agent 'ana'"):
        env.step({"ana": good})
    assert GAMES["fairy_school"].position(env.session.state) == before


def test_a_step_after_the_end_or_before_the_beginning_is_refused() -> None:
    env = equinox_v1.raw_env(seats=2)
    with pytest.raises(FabletopError, match="reset"):
        env.step(0)
    env.reset(seed=1)
    for _ in env.agent_iter():
        seen, _, over, _, _ = env.last()
        env.step(None if over else int(np.flatnonzero(seen["action_mask"])[0]))
    with pytest.raises(FabletopError, match="reset"):
        env.step(0)
    with pytest.raises(FabletopError, match="render_mode"):
        env.render()
    with pytest.raises(FabletopError, match="reset"):
        fairy_school_v1.parallel_env().step({})


@pytest.mark.parametrize(
    ("settings", "right"),
    [
        ({"seats": 9}, "seats"),
        ({"options": {"hue": 1}}, "hue"),
        ({"options": 3}, "it should be a dict"),
        ({"hue": 1}, "no setting 'hue'; there are seats, options"),
        ({"first": 0}, "no setting 'first'; it goes into options={'first': 0}"),
        ({"render_mode": "svg"}, "human, ansi, rgb_array"),
        ({"max_cycles": 0}, "from 1 on"),
        ({"illegal": "ignore"}, "'raise' or 'replace'"),
        ({"lang": "es"}, "en, fr, de"),
    ],
)
def test_wrong_settings_are_told_what_would_be_right(settings: dict, right: str) -> None:
    with pytest.raises(BadOptions, match=right):
        equinox_v1.env(**settings)
    with pytest.raises(BadOptions, match="whole number"):
        equinox_v1.raw_env().reset(seed="one")
    env = equinox_v1.raw_env(seats=2)
    env.reset(seed=1)
    with pytest.raises(BadOptions, match="no agent 'seat_2'; the agents are seat_0, seat_1"):
        env.observe("seat_2")
