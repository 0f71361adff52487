"""One seat against given policies: the fast environment against the slow one, in every autoreset mode."""

import contextlib
import warnings

import numpy as np
import pytest

from fabletop import GAMES, BadOptions, Chance, NotOffered
from fabletop.bots.greedy import Greedy

pytest.importorskip("gymnasium")

from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit

from fabletop.envs.one_seat import OneSeatEnv, OneSeatVectorEnv, decider

SEEDS = [3, 14, 15]


def first(_, mask):
    """Always the first legal action."""
    return mask.argmax(axis=1)


def learner(seen, number):
    """Another legal action of each row as time goes on."""
    return np.array([row.nonzero()[0][number % row.sum()] if row.any() else 0 for row in seen["action_mask"]])


def limited(env, limit):
    """Gymnasium's own limit of steps."""
    return env if limit is None else TimeLimit(env, limit)


def same(one, other):
    assert sorted(one) == sorted(other)
    for key, part in one.items():
        if isinstance(part, dict):
            same(part, other[key])
        else:
            assert np.asarray(part).tolist() == np.asarray(other[key]).tolist(), key


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize(("game", "seat"), [("equinox", 1), ("fairy_school", 0)])
@pytest.mark.parametrize("limit", [None, 30])
def test_the_modes_are_those_of_the_slow_reference(game, seat, mode, limit):
    options = {"seats": 2, "length": "short"} if game == "fairy_school" else {"seats": 3}
    slow = SyncVectorEnv(
        [lambda: limited(OneSeatEnv(game, seat=seat, others=first, **options), limit) for _ in SEEDS],
        autoreset_mode=mode,
    )
    fast = OneSeatVectorEnv(
        game, 3, seat=seat, others=first, autoreset_mode=mode, max_episode_steps=limit, **options
    )
    assert fast.metadata["autoreset_mode"] == mode
    assert fast.single_observation_space == slow.single_observation_space
    (expected, told), (seen, info) = slow.reset(seed=SEEDS), fast.reset(seed=SEEDS)
    ends = cuts = number = 0
    while ends < 5 and number < 4_000:
        same(expected, seen)
        assert (info["action_mask"] == seen["action_mask"]).all()
        actions = learner(seen, number)
        expected, rewards, terminated, truncated, told = slow.step(actions)
        seen, *got, info = fast.step(actions)
        for ours, theirs in zip(got, (rewards, terminated, truncated), strict=True):
            assert ours.tolist() == theirs.tolist()
        assert ("final_obs" in info) == ("final_obs" in told)
        if "final_obs" in told:
            for theirs, ours in zip(told["final_obs"], info["final_obs"], strict=True):
                assert (theirs is None) == (ours is None)
                if theirs is not None:
                    same(theirs, ours)
            same({"m": told["final_info"]["action_mask"]}, {"m": info["final_info"]["action_mask"]})
        ended = terminated | truncated
        cuts += int(truncated.sum())
        if mode == AutoresetMode.DISABLED and ended.any():
            same(expected, seen)
            with pytest.raises(ValueError, match="reset them with"):
                fast.step(actions)
            expected, _ = slow.reset(options={"reset_mask": ended.copy()})
            seen, info = fast.reset(options={"reset_mask": ended.copy()})
        ends += int(ended.sum())
        number += 1
    assert ends >= 5
    assert (cuts > 0) == (limit is not None)
    fast.close()


@pytest.mark.parametrize("game", GAMES)
def test_gymnasium_checks_the_environment(game):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the checker says what it thinks of Dict
        env = OneSeatEnv(game, seat=0, seats=2, others=first, illegal="replace")
        seen, info = env.reset(seed=1)
        assert env.observation_space.contains(seen)
        assert (info["action_mask"] == seen["action_mask"]).all()
        assert env.action_masks().dtype == np.bool_
        assert (env.action_masks() == seen["action_mask"]).all()
        check_env(env, skip_render_check=True)  # it draws actions without a mask


def test_an_illegal_action_becomes_the_first_legal_one_on_demand():
    """In a vector of games, in a single one, and on the record; also in the step that begins an ended game again."""
    fast = OneSeatVectorEnv("equinox", 4, seats=2, others=first, illegal="replace")
    strict = OneSeatVectorEnv("equinox", 4, seats=2, others=first)
    slow = OneSeatEnv("equinox", seats=2, others=first, illegal="replace")
    seen, _ = fast.reset(seed=[3, 4, 5, 6])
    expected, _ = strict.reset(seed=[3, 4, 5, 6])
    slow.reset(seed=3)
    rng = np.random.default_rng(1)
    ended, over = 0, False
    for _ in range(150):
        actions = rng.integers(-300, 600, 4)
        offered = [
            i for i, action in enumerate(actions) if 0 <= action < 274 and seen["action_mask"][i, action]
        ]
        right = seen["action_mask"].argmax(1)
        right[offered] = actions[offered]
        given = actions.copy()
        seen, reward, done, _, _ = fast.step(actions)
        assert (actions == given).all()
        expected, its_reward, _, _, _ = strict.step(right)
        assert (seen["observation"] == expected["observation"]).all()
        assert (reward == its_reward).all()
        ended += done.sum()
        if not over:
            single, _, over, _, _ = slow.step(given[0])
            assert (single["observation"] == seen["observation"][0]).all()
    assert over
    assert ended >= 4
    with pytest.raises(BadOptions, match="illegal is 'skip'; it should be 'raise' or 'replace'"):
        OneSeatVectorEnv("equinox", 4, illegal="skip")
    with pytest.raises(NotOffered):
        slow.step(0)  # the game is over


@pytest.mark.parametrize("others", ["uniform", "greedy", "ismcts:iterations=4"])
def test_bots_play_the_others(others):
    played = []
    for _ in range(2):
        env = OneSeatVectorEnv("equinox", 4, seat=[0, 1, 2, 0], others=others, seats=3)
        seen, _ = env.reset(seed=5)
        assert env.observation_space.contains(seen)
        total = np.zeros(4)
        for number in range(60):
            assert (env.games.seat == [0, 1, 2, 0]).all() or (env.games.seat < 0).any()
            seen, reward, terminated, _, _ = env.step(learner(seen, number))
            assert (reward[~terminated] == 0).all()
            total += reward
        played.append((seen["observation"].tobytes(), total.tolist()))
        env.close()
    assert played[0] == played[1]


@pytest.mark.parametrize("game", GAMES)
def test_a_bot_from_the_record_answers_as_it_does_with_its_view(game):
    """`greedy` is asked without views; hidden in another bot it is asked with them, and the games are the same."""

    class ByView:
        def __init__(self, bot):
            self.choose = bot.choose

    rules = GAMES[game]
    options = rules.options({"seats": 2})
    for seed in (1, 2):
        games = []
        for wrap in (lambda bot: bot, ByView):
            state = rules.new(options, [seed, seed + 10, seed + 20])
            choose = decider(rules, wrap(Greedy(Chance(seed))), state)
            played = []
            while (asked := state.asked()) and len(played) < 400:
                played.append((asked[0], choose(state, asked[0])))
                state.apply(*played[-1])
            games.append(played)
        assert games[0] == games[1]


def test_bad_input():
    with pytest.raises(BadOptions, match="no bot 'genius'"):
        OneSeatVectorEnv("equinox", 2, others="genius")
    with pytest.raises(ValueError, match="seat is 4; the seats are 0 to 3"):
        OneSeatVectorEnv("equinox", 2, seat=4)
    with pytest.raises(ValueError, match="seat is 4; the seats are 0 to 3"):
        OneSeatEnv("equinox", seat=4)
    for seat in ([0, 1, 2], "first", 0.5):
        with pytest.raises(ValueError, match="it should be a whole number, or 2 of them"):
            OneSeatVectorEnv("equinox", 2, seat=seat)
    with pytest.raises(ValueError, match="autoreset_mode is 'Never'; it should be one of 'NextStep', "):
        OneSeatVectorEnv("equinox", 2, autoreset_mode="Never")
    with pytest.raises(ValueError, match="others is 3; it should be the name of a bot, or a function"):
        OneSeatVectorEnv("equinox", 2, others=3)
    with pytest.raises(ValueError, match="max_episode_steps should be a whole number from 1 on, not 0"):
        OneSeatVectorEnv("equinox", 2, max_episode_steps=0)
    env = OneSeatVectorEnv("equinox", 2)
    for before in (env, OneSeatEnv("equinox")):
        with pytest.raises(ResetNeeded, match="call reset"):
            before.step(0)
    seen, _ = env.reset(seed=1)
    with pytest.raises(ValueError, match="2 whole numbers, not float64"):
        env.step(np.array([1.0, 1.0]))
    with pytest.raises(ValueError, match=r"with the shape \(3,\)"):
        env.step(np.array([1, 1, 1]))
    assert (env.games.observation == seen["observation"]).all()
    with pytest.raises(NotOffered, match="game 1"):
        env.step(np.array([seen["action_mask"][0].argmax(), 1_000]))
    with pytest.raises(ValueError, match="does not go with a reset_mask"):
        env.reset(seed=1, options={"reset_mask": np.array([True, False])})
    with pytest.raises(ValueError, match="reset_mask should be"):
        env.reset(options={"reset_mask": np.array([False, False])})
    with pytest.raises(ValueError, match="reset has no option 'mask'; there is reset_mask"):
        env.reset(options={"mask": np.array([False, False])})
    with pytest.raises(ValueError, match="the options of reset are 3; they should be a dict, or None"):
        env.reset(options=3)
    with pytest.raises(BadOptions, match="no option 'thread'; did you mean 'threads'"):
        OneSeatVectorEnv("equinox", 2, thread=2)
    with pytest.raises(BadOptions, match="no option 'ilegal'; did you mean 'illegal'"):
        OneSeatEnv("equinox", ilegal="replace")
    with pytest.raises(ResetNeeded, match="call reset"):
        OneSeatEnv("equinox").action_masks()
    one = OneSeatEnv("equinox")
    with pytest.raises(ValueError, match="reset has no option 'seats'; there is none"):
        one.reset(options={"seats": 3})
    one.reset(seed=1)
    for action in (None, 1.5, "pass"):
        with pytest.raises(NotOffered, match="an action is a whole number, not "):
            one.step(action)


@pytest.mark.parametrize("wrong", [lambda n: np.zeros(n + 1, int), np.zeros, lambda n: None])
def test_wrong_answers_of_a_policy_are_refused(wrong):
    def others(seen, mask):
        return wrong(len(seen))

    with pytest.raises(ValueError, match=r"the answers of `others` should be \d whole numbers, not "):
        OneSeatVectorEnv("equinox", 2, seat=3, others=others, first=0).reset(seed=1)
    with pytest.raises(ValueError, match="the answers of `others` should be 1 whole numbers, not "):
        OneSeatEnv("equinox", seat=3, others=others, first=0).reset(seed=1)


def test_after_an_error_of_a_policy_no_action_of_the_learner_goes_to_another_seat():
    failing = False

    def others(seen, mask):
        if failing:
            raise RuntimeError("out of memory")
        return mask.argmax(axis=1)

    env = OneSeatVectorEnv("equinox", 2, seats=3, others=others, first=0)
    env.reset(seed=1)
    failing = True
    while (env.games.seat == 0).all():
        with contextlib.suppress(RuntimeError):
            env.step(env.games.mask.argmax(axis=1))
    before = env.games.observation.copy()
    with pytest.raises(ResetNeeded, match="the others stopped halfway"):
        env.step(env.games.mask.argmax(axis=1))
    assert (env.games.observation == before).all()
    failing = False
    env.reset(seed=1)
    env.step(env.games.mask.argmax(axis=1))


def test_without_a_seed_games_differ():
    assert len({OneSeatVectorEnv("equinox", 1).games.word(0) for _ in range(3)}) == 3
    seen = [OneSeatEnv("equinox").reset()[0]["observation"].tobytes() for _ in range(3)]
    assert len(set(seen)) == 3
