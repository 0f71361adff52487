"""The OpenSpiel adapter: their algorithms run unchanged, histories replay, imagined states fit, structs are views."""

import contextlib
import io
import json
import pickle
import sys
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import generate_playthrough, ismcts, mcts, tabular_qlearner

from fabletop import GAMES, Chance
from fabletop.core.errors import BadOptions, NotOffered
from fabletop.envs.observation import observe
from fabletop.envs.openspiel import SPIEL_GAMES

SHORT = {
    "equinox": "fabletop_equinox(players=2,deals=3)",
    "fairy_school": "fabletop_fairy_school(players=2,deals=3,length=short,setup=beginners)",
}
PLAYTHROUGHS = Path(__file__).parent / "playthroughs"


def dealt(game: str, deal: int = 1):
    state = pyspiel.load_game(SHORT[game]).new_initial_state()
    state.apply_action(deal)
    return state


@pytest.mark.parametrize("game", GAMES)
def test_openspiels_own_random_tests_pass(game: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(SHORT[game]), num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("game", GAMES)
def test_a_random_player_plays_the_same_game_as_on_the_engine(game: str) -> None:
    rules, state = GAMES[game], dealt(game, 2)
    words, chance = Chance(2), Chance(9)
    engine = rules.new(state.options, [words.word() for _ in range(3)])
    steps = 0
    while asked := engine.asked():
        assert state.current_player() == asked[0]
        assert state.legal_actions() == engine.legal(asked[0])
        action = chance.pick(state.legal_actions())
        if steps % 50 == 0:
            assert str(state) == rules.position(engine)
            assert state.observation_tensor(1) == observe(rules, engine, 1).tolist()
            assert json.loads(state.observation_string(0)) == rules.view(engine, 0)
        assert state.action_to_string(asked[0], action) == rules.actions[action]
        state.apply_action(action)
        engine.apply(asked[0], action)
        steps += 1
    assert state.is_terminal()
    outcome = rules.outcome(engine)
    assert state.returns() == [(seat in outcome.winners) / len(outcome.winners) for seat in range(2)]
    again = pyspiel.load_game(SHORT[game]).deserialize_state(state.serialize())
    assert str(again) == str(state)


@pytest.mark.parametrize("game", GAMES)
def test_their_search_runs_unchanged(game: str) -> None:
    state = dealt(game)
    bot = ismcts.ISMCTSBot(
        game=state.get_game(),
        evaluator=mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)),
        uct_c=1.0,
        max_simulations=4,
        random_state=np.random.RandomState(2),
    )
    assert bot.step(state) in state.legal_actions()


@pytest.mark.parametrize("game", GAMES)
def test_their_trainer_runs_unchanged(game: str) -> None:
    env = rl_environment.Environment(pyspiel.load_game(SHORT[game]))
    agents = [tabular_qlearner.QLearner(player, env.action_spec()["num_actions"]) for player in range(2)]
    step = env.reset()
    while not step.last():
        player = step.observations["current_player"]
        step = env.step([agents[player].step(step).action])
    for agent in agents:
        agent.step(step)
    assert sum(step.rewards) == pytest.approx(1)
    assert all(agent._q_values for agent in agents)


@pytest.mark.parametrize("game", GAMES)
def test_resampled_states_are_worlds_that_the_player_could_be_in(game: str) -> None:
    state, chance = dealt(game), Chance(5)
    for _ in range(25):
        state.apply_action(chance.pick(state.legal_actions()))
    player = state.current_player()
    rng = np.random.RandomState(3)
    worlds = [state.resample_from_infostate(player, rng.rand) for _ in range(10)]
    for world in worlds:
        assert world.information_state_string(player) == state.information_state_string(player)
        assert world.legal_actions() == state.legal_actions()
        assert world.history() == state.history()
    assert len({str(world) for world in worlds}) == 10
    assert str(state) not in map(str, worlds)


@pytest.mark.parametrize("game", GAMES)
def test_structs_are_our_views_and_action_texts(game: str) -> None:
    state = dealt(game)
    player = state.current_player()
    assert state.to_observation_struct(player).to_dict() == GAMES[game].view(state.engine, player)
    assert state.to_struct().to_dict() == {"position": str(state)}
    action = state.legal_actions()[0]
    struct = state.action_to_struct(player, action)
    assert struct.to_dict() == {"action": GAMES[game].actions[action]}
    assert state.struct_to_actions(struct) == [action]
    child = state.child(action)
    state.apply_action_struct(struct)
    assert str(state) == str(child)


@pytest.mark.parametrize("game", GAMES)
def test_games_and_states_can_be_pickled(game: str) -> None:
    state = dealt(game)
    state.apply_action(state.legal_actions()[0])
    again = pickle.loads(pickle.dumps(state))
    assert str(again) == str(state)
    assert again.history() == state.history()
    assert str(pickle.loads(pickle.dumps(state.get_game()))) == str(state.get_game())


class Enough(Exception):
    """The beginning of a game is enough: a whole one takes a minute and two megabytes."""


def playthrough(game: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The first states of a game, as OpenSpiel writes them."""

    def shown(self, state) -> bool:
        if state.move_number() == 3:
            raise Enough
        return True

    monkeypatch.setattr(generate_playthrough.ShouldDisplayStateTracker, "__call__", shown)
    written = io.StringIO()
    with contextlib.redirect_stdout(written), contextlib.suppress(Enough):
        generate_playthrough.playthrough_lines(SHORT[game], alsologtostdout=True, seed=1)
    return "".join(f"{line.rstrip()}\n" for line in written.getvalue().splitlines())


@pytest.mark.parametrize("game", GAMES)
def test_the_playthrough_is_the_same_as_ever(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`python -m tests.envs.test_openspiel` writes the files again after a change of rules or observations."""
    assert playthrough(game, monkeypatch) == (PLAYTHROUGHS / f"{game}.txt").read_text("utf-8")


def test_wrong_parameters_are_told_what_would_be_right() -> None:
    assert set(SPIEL_GAMES) == {"fabletop_equinox", "fabletop_fairy_school"}
    with pytest.raises(BadOptions, match="seats"):
        SPIEL_GAMES["fabletop_equinox"]({"players": 9})
    with pytest.raises(ValueError, match="1 to 1000000"):
        SPIEL_GAMES["fabletop_equinox"]({"deals": 0})
    state = pyspiel.load_game(SHORT["equinox"]).new_initial_state()
    with pytest.raises(NotOffered, match="no deal 3: the deals are 0 to 2"):
        state.apply_action(3)
    assert state.history() == []


if __name__ == "__main__":
    for name in GAMES:
        with pytest.MonkeyPatch.context() as patch:
            (PLAYTHROUGHS / f"{name}.txt").write_text(playthrough(name, patch), "utf-8")
    sys.exit(0)
