"""Many games at once are the games that the engine plays one by one."""

import copy
import os
import pickle
import subprocess
import sys
import time

import numpy as np
import pytest

from fabletop import GAMES, BadOptions, NotOffered
from fabletop.core.batch import COMPILED
from fabletop.core.chance import Chance
from fabletop.envs import observation, vector

SETTINGS = [
    ("equinox", {"seats": 2, "hand": 6}),
    ("equinox", {"seats": 3, "first": 2}),
    ("equinox", {"seats": 5}),
    ("fairy_school", {"seats": 2, "setup": "beginners", "length": "short"}),
    ("fairy_school", {"seats": 4, "wider": True}),
    ("fairy_school", {"seats": 3, "setup": "expert"}),
    ("fairy_school", {"seats": 6, "setup": "expert", "length": "short"}),
]
ARRAYS = ("observation", "mask", "seat", "reward", "score", "done")


def engine_of(games, i):
    """The game under way in a row, begun by the engine."""
    chance = Chance(games.word(i))
    return games.game.new(games.options, [chance.word() for _ in range(games.seats + 1)])


def snapshot(games):
    return {name: getattr(games, name).copy() for name in ARRAYS}


@pytest.mark.parametrize(("name", "options"), SETTINGS)
def test_every_row_is_the_game_that_the_engine_plays(name, options):
    game = GAMES[name]
    games = vector(name, 4, seed=7, **options)
    worlds = [engine_of(games, i) for i in range(4)]
    ended = 0
    for number in range(1_200 if name == "equinox" else 2_500):
        thorough = number % 7 == 0
        for i, state in enumerate(worlds):
            seat = min(state.asked())
            assert games.seat[i] == seat
            assert games.mask[i].nonzero()[0].tolist() == state.legal(seat)
            if thorough:
                assert (games.observation[i] == observation.observe(game, state, seat)).all()
        actions = games.sample().copy()
        games.step(actions)
        for i, state in enumerate(worlds):
            state.apply(min(state.asked()), int(actions[i]))
            outcome = game.outcome(state)
            assert games.done[i] == (outcome is not None)
            if outcome is None:
                assert not games.reward[i].any()
            else:
                ended += 1
                share = 1 / len(outcome.winners)
                assert games.reward[i] == pytest.approx(
                    [share * (s in outcome.winners) for s in range(games.seats)]
                )
                assert games.score[i].tolist() == list(outcome.scores)
                worlds[i] = engine_of(games, i)
    assert ended or name != "equinox"
    assert games.state(0) == worlds[0]


@pytest.mark.parametrize("name", GAMES)
def test_every_observation_is_the_one_of_the_state(name):
    games = vector(name, 1, seed=3, seats=4)
    for _ in range(600):
        seat = int(games.seat[0])
        assert (games.observation[0] == games.observe(0, seat)).all()
        games.step(games.sample())


@pytest.mark.parametrize("name", GAMES)
def test_whole_games_end_and_begin_again(name):
    games = vector(name, 8, seed=1, seats=2)
    words = {games.word(i) for i in range(8)}
    ends = 0
    while ends < 16:
        games.step(games.sample())
        ends += int(games.done.sum())
        assert games.reward.sum(axis=1) == pytest.approx(games.done.astype(float))
        assert (games.seat >= 0).all()
    assert len(words | {games.word(i) for i in range(8)}) > len(words)


@pytest.mark.parametrize("name", GAMES)
def test_a_seed_gives_the_same_games_and_samples(name):
    def played(games):
        for _ in range(300):
            games.step(games.sample())
        return snapshot(games)

    one, two = (played(vector(name, 5, seed=11, seats=3)) for _ in range(2))
    other = played(vector(name, 5, seed=12, seats=3))
    again = vector(name, 5, seats=3)
    again.reset(seed=11)
    three = played(again)
    for array in ARRAYS:
        assert (one[array] == two[array]).all()
        assert (one[array] == three[array]).all()
    assert (one["observation"] != other["observation"]).any()
    chance = Chance(11)
    by_row = played(vector(name, 5, seed=[chance.word() for _ in range(5)], seats=3))
    assert (one["observation"] == by_row["observation"]).all()


def test_without_a_seed_games_differ():
    games, others = (vector("equinox", 3, seed=None) for _ in range(2))
    words = {each.word(i) for each in (games, others) for i in range(3)}
    assert len(words) == 6


@pytest.mark.parametrize("name", GAMES)
def test_threads_change_nothing(name):
    alone = vector(name, 37, seed=5, seats=3)
    with vector(name, 37, seed=5, seats=3, threads=3) as together:
        for _ in range(200):
            actions = alone.sample()
            assert (together.sample() == actions).all()
            alone.step(actions)
            together.step()
        for array in ARRAYS:
            assert (getattr(alone, array) == getattr(together, array)).all()
    together.step(together.sample())  # without threads after close, the caller's own does it all
    alone.step(alone.sample())
    assert (alone.observation == together.observation).all()


def test_samples_are_uniform():
    games = vector("equinox", 1, seed=2, seats=2)
    offered = games.mask[0].nonzero()[0]
    counts = dict.fromkeys(offered.tolist(), 0)
    for _ in range(200 * len(offered)):
        counts[int(games.sample()[0])] += 1
    assert sum((found - 200) ** 2 / 200 for found in counts.values()) < 3 * len(offered)


@pytest.mark.parametrize("name", GAMES)
def test_without_autoreset_a_game_stays_over_until_it_is_begun_again(name):
    games = vector(name, 2, seed=4, seats=2, autoreset=False)
    while not games.done.any():
        games.step(games.sample())
    over = int(games.done.argmax())
    assert games.seat[over] == -1
    assert not games.mask[over].any()
    assert (games.observation[over] == games.observe(over, 0)).all()
    reward, before = games.reward.copy(), snapshot(games)
    with pytest.raises(NotOffered, match=f"game {over}: the (game|year) is over"):
        games.step(games.sample())
    for array in ARRAYS:
        assert (getattr(games, array) == before[array]).all()
    word = games.word(over)
    games.reset(where=games.done.copy())
    assert games.word(over) != word
    assert games.seat[over] >= 0
    assert not games.done.any()
    assert reward.any()
    assert not games.reward.any()
    games.step(games.sample())


# ---------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize("name", GAMES)
def test_a_wrong_action_changes_nothing(name):
    games = vector(name, 3, seed=6, seats=3)
    before, actions = snapshot(games), games.sample().copy()
    for wrong in (-1, games.space.actions, 2**40, int((games.mask[1] == 0).argmax())):
        bad = actions.copy()
        bad[1] = wrong
        with pytest.raises(NotOffered, match=r"game 1: .* is not offered; offered are "):
            games.step(bad)
        for array in ARRAYS:
            assert (getattr(games, array) == before[array]).all()
    games.mask[:] = 1  # the caller's own arrays are not what actions are checked against
    bad[1] = int((before["mask"][1] == 0).argmax())
    with pytest.raises(NotOffered):
        games.step(bad)
    games.step(actions)


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        (np.zeros(4, np.int64), r"shape \(4,\)"),
        (np.zeros((3, 1), np.int64), r"shape \(3, 1\)"),
        (np.zeros(3, np.int32), "this one is int32"),
        (np.zeros(3), "this one is float64"),
        (np.zeros(6, np.int64)[::2], "not contiguous"),
        ([0, 0, 0], "not list"),
    ],
)
def test_a_wrong_array_of_actions_is_refused(actions, said):
    games = vector("equinox", 3)
    with pytest.raises(ValueError, match=f"actions should be .* int64 with the shape \\(3,\\).*{said}"):
        games.step(actions)
    with pytest.raises(ValueError, match=f"out should be .*{said}"):
        games.sample(actions)


def test_games_that_cannot_be_pickled_say_what_can():
    games = vector("equinox", 2)
    for attempt in (pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError, match=r"cannot be pickled or copied; make new ones .* state\(i\)"):
            attempt(games)
    assert pickle.loads(pickle.dumps(games.state(1))) == games.state(1)


def test_the_arrays_may_be_the_callers():
    size = observation.space("equinox").size
    block = np.zeros((2, 3, size), np.uint8)
    games = vector("equinox", 3, out={"observation": block[1]})
    assert games.observation.base is block
    assert block[1].any()
    assert not block[0].any()
    for wrong, said in (
        ({"observation": block}, "shape"),
        ({"observation": block[1].astype(np.float32)}, "float32"),
        ({"observation": np.zeros((3, 2 * size), np.uint8)[:, ::2]}, "not contiguous"),
        ({"seen": block[1]}, "no array 'seen'; there are observation, mask"),
    ):
        with pytest.raises(ValueError, match=said):
            vector("equinox", 3, out=wrong)
    frozen = block[0].copy()
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        vector("equinox", 3, out={"observation": frozen})
    with pytest.raises(ValueError, match="out should be a dict of arrays by name, not list"):
        vector("equinox", 3, out=[block[1]])
    both = np.zeros((3, 4), np.float32)
    with pytest.raises(ValueError, match="reward and score share memory"):
        vector("equinox", 3, out={"reward": both, "score": both})


@pytest.mark.parametrize("name", GAMES)
def test_actions_may_be_read_only(name):
    games, same = vector(name, 3, seed=8), vector(name, 3, seed=8)
    actions, where = games.sample().copy(), np.array([True, False, True])
    actions.flags.writeable = where.flags.writeable = False
    games.step(actions, where=where)
    same.step(same.sample(), where=where.copy())
    for array in ARRAYS:
        assert (getattr(games, array) == getattr(same, array)).all()


def test_wrong_settings_are_refused():
    with pytest.raises(BadOptions, match="no option 'seat'; did you mean 'seats'"):
        vector("equinox", 3, seat=2)
    with pytest.raises(BadOptions, match="no option 'thread'; did you mean 'threads'"):
        vector("equinox", 3, thread=2)
    with pytest.raises(
        BadOptions, match="no option 'players'; there are seed, threads, autoreset, out, and "
    ):
        vector("fairy-school", 3, players=2)
    with pytest.raises(BadOptions, match="no game 'go'"):
        vector("go", 3)
    for n in (0, 1.5, "many"):
        with pytest.raises(ValueError, match="n should be a whole number from 1 on"):
            vector("equinox", n)
    with pytest.raises(ValueError, match="threads should be"):
        vector("equinox", 3, threads=0)
    for seed in ([1, 2], [1, 2, 0.5], 0.5, "abc"):
        with pytest.raises(ValueError, match="seed should be a whole number, or 3 of them"):
            vector("equinox", 3, seed=seed)
    with pytest.raises(ValueError, match="autoreset is 'NextStep'; it should be True or False"):
        vector("equinox", 3, autoreset="NextStep")
    games = vector("equinox", 3)
    with pytest.raises(ValueError, match="`where` should be 3 bools"):
        games.reset(where=[0, 1, 1])
    with pytest.raises(ValueError, match="either a seed"):
        games.reset(1, where=[True, False, False])
    for i in (3, -1, "one"):
        with pytest.raises(IndexError, match=f"no game {i!r}: the games are 0 to 2"):
            games.state(i)


# ---------------------------------------------------------------------------------------------- interpreted

DIGEST = """
import hashlib
from fabletop.envs import vector
for name, seats in (("equinox", 3), ("fairy_school", 2)):
    games, seen = vector(name, 2, seed=9, seats=seats), hashlib.sha256()
    for _ in range(250):
        games.step(games.sample())
        for array in (games.observation, games.mask, games.seat, games.reward, games.score, games.done):
            seen.update(array.tobytes())
    print(seen.hexdigest())
"""


def test_interpreted_games_write_the_same_bytes():
    run = [
        subprocess.run(
            [sys.executable, "-c", DIGEST],
            env=os.environ | {"FABLETOP_PURE": pure},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for pure in ("0", "1")
    ]
    assert run[0] == run[1]
    assert run[0].count("\n") == 2


def test_some_games_begin_again_and_the_others_go_on():
    games = vector("equinox", 4, seed=8, seats=3)
    for _ in range(5):
        games.step(games.sample())
    where, before, words = np.array([True, False, False, True]), snapshot(games), [*map(games.word, range(4))]
    games.reset(where=where)
    assert [games.word(i) != words[i] for i in range(4)] == where.tolist()
    for array in ARRAYS:
        assert (getattr(games, array)[~where] == before[array][~where]).all()
    for i in (0, 3):
        assert games.state(i) == engine_of(games, i)


@pytest.mark.parametrize("name", GAMES)
def test_some_games_act_and_the_others_wait(name):
    games = vector(name, 4, seed=8, seats=3)
    where = np.array([True, False, True, False])
    before = snapshot(games)
    actions = games.sample().copy()
    actions[1] = -5  # ignored
    games.step(actions, where=where)
    for array in ARRAYS:
        assert (getattr(games, array)[~where] == before[array][~where]).all()
    assert (games.observation[where] != before["observation"][where]).any(axis=1).all()
    with pytest.raises(ValueError, match=r"where should be .* bool with the shape"):
        games.step(where=np.array([1, 0, 1, 0]))


def test_threads_that_sleep_are_woken():
    one, two = (vector("equinox", 6, seats=2, seed=3, threads=threads) for threads in (1, 3))
    for step in range(300):
        if step % 50 == 0:
            time.sleep(0.01)  # longer than a worker waits awake
        for games in (one, two):
            games.step(games.sample())
    assert np.array_equal(one.observation, two.observation)
    two.close()
    for games in (one, two):  # after the threads have ended, the caller does all the work
        games.step(games.sample())
    assert np.array_equal(one.observation, two.observation)


def test_a_wrong_action_in_the_share_of_a_worker_changes_nothing():
    games = vector("equinox", 8, seats=3, seed=5, threads=4)
    before = games.observation.copy()
    actions = games.sample().copy()
    actions[5] = -1
    with pytest.raises(NotOffered, match="game 5: "):
        games.step(actions)
    assert np.array_equal(games.observation, before)
    games.close()


@pytest.mark.skipif(not COMPILED, reason="interpreted games have no worker threads")
def test_games_that_nobody_holds_end_their_threads():
    games = vector("equinox", 4, seed=1, threads=2)
    [worker] = games._workers.threads
    assert worker.is_alive()
    del games
    worker.join(5)
    assert not worker.is_alive()
