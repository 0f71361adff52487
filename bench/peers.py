"""The peers: OpenSpiel, RLCard and PettingZoo, each by its documented way and by the fastest way found into it.

*OpenSpiel, native.* The fastest random play that can be reached from its Python package without leaving C++: its
`RandomRolloutEvaluator`, asked for many roll-outs at once through a search of one simulation, which evaluates the
root and nothing else. The roll-outs start after the deal, so the deal is not on OpenSpiel's bill, and draws in
the middle of a game are work that is not counted as decisions. The evaluator returns no counts: the decisions per
game come from playing the very same deals in Python beforehand.

*RLCard* and *PettingZoo* have no native loop. "core" is RLCard's game object below its environment and "raw" is
PettingZoo's environment without its checking wrappers: both faster than what their manuals tell users to write.
"""

from __future__ import annotations

import importlib
import os
import random
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import repeat
from time import process_time
from typing import Any

from bench.clock import Measure, Probe, Reading

OPENSPIEL = {
    "hearts": "hearts",
    "euchre": "euchre",
    "spades": "spades",
    "skat": "skat",  # three seats, always
    "crazy_eights": "crazy_eights(players=4)",
    "go_fish": "go_fish(players=4)",
    "oh_hell": "oh_hell(players=4)",
    "bridge": "bridge(use_double_dummy_result=false)",  # with its card play
}
"""The native card games, with four seats wherever the game lets four play."""

OTHER_OPENSPIEL = {"kuhn_poker": "kuhn_poker(players=4)", "bridge_auction": "bridge"}
"""Left out of the comparison, and shown next to it: five and eight decisions a game, and no card is ever played."""

STEPPED = ("hearts", "spades", "oh_hell", "euchre")
"""Driven from Python; the fastest of them counts."""

UNEVEN = ("go_fish",)
"""Games in which chance is not uniform at every chance node; in all the others it is."""

RLCARD = ("leduc-holdem", "uno", "limit-holdem")
RLCARD_CORE = ("leduc-holdem", "uno", "limit-holdem")
PETTINGZOO = ("leduc_holdem_v4", "texas_holdem_v4")

WAYS = ("whole", "dealt", "bare")
"""How a game is driven from Python: whole games by the documented loop, the same after the deal, the barest loop."""

DEALS = 20
ROLLOUTS = 100


# ---------------------------------------------------------------------------------------------- OpenSpiel


def dealt(game: Any, rng: random.Random) -> Any:
    """A state after the deal: every chance node at the beginning resolved."""
    state = game.new_initial_state()
    while state.is_chance_node():
        resolve(state, rng)
    return state


def resolve(state: Any, rng: random.Random) -> None:
    """Let chance act. Where its outcomes are equally likely, `legal_actions` lists them, which is the quickest way."""
    if state.get_game().get_type().short_name in UNEVEN:
        actions, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(actions, weights)[0])
    else:
        actions = state.legal_actions()
        state.apply_action(actions[int(rng.random() * len(actions))])


def decisions_per_game(deals: list[Any], games: int, rng: random.Random) -> tuple[float, float]:
    """The mean number of decisions with more than one option, and of all, in random games from these deals."""
    real = every = 0
    for deal in deals:
        for _ in range(games):
            state = deal.clone()
            while not state.is_terminal():
                if state.is_chance_node():
                    resolve(state, rng)
                else:
                    actions = state.legal_actions()
                    every += 1
                    real += len(actions) > 1
                    state.apply_action(actions[int(rng.random() * len(actions))])
    played = len(deals) * games
    return real / played, every / played


def native(name: str, games: int) -> Measure:
    """Random play-outs inside OpenSpiel's C++."""
    spiel = importlib.import_module("pyspiel")
    game = spiel.load_game({**OPENSPIEL, **OTHER_OPENSPIEL}[name])
    rng = random.Random(1)
    deals = [dealt(game, rng) for _ in range(DEALS)]
    real, every = decisions_per_game(deals, games, rng)
    evaluator = spiel.RandomRolloutEvaluator(n_rollouts=ROLLOUTS, seed=1)
    # exploration constant, simulations, megabytes, solve, seed, verbose
    bot = spiel.MCTSBot(game, evaluator, 1.0, 1, 10, False, 1, False)

    def take(seconds: float) -> Reading:
        passes = 0
        began = process_time()
        while (spent := process_time() - began) < seconds:
            for deal in deals:  # always all of them, since the mean length is over all of them
                bot.mcts_search(deal)
            passes += 1
        played = passes * DEALS * ROLLOUTS
        return Reading(spent, real * played, every * played)

    return take


def whole_game(game: Any, rng: random.Random) -> None:
    """A whole game: `legal_actions` are the outcomes of chance at a chance node, those of a player elsewhere."""
    play_on(game.new_initial_state(), rng)


def dealt_game(deal: Any, rng: random.Random) -> None:
    """The same from a dealt state."""
    play_on(deal.clone(), rng)


def play_on(state: Any, rng: random.Random) -> None:
    """To the end."""
    while not state.is_terminal():
        actions = state.legal_actions()
        state.apply_action(actions[int(rng.random() * len(actions))])


def bare_game(deal: Any, rng: random.Random) -> None:
    """The least that plays at random, with the methods looked up once; at the end there are no actions."""
    state = deal.clone()
    legal, apply, draw = state.legal_actions, state.apply_action, rng.random
    while actions := legal():
        apply(actions[int(draw() * len(actions))])


def counted_game(start: Any, rng: random.Random, way: str) -> tuple[int, int]:
    """How many actions the loop of this way applies with this generator; those of chance, which it deals, included."""
    state = start.new_initial_state() if way == "whole" else start.clone()
    real = every = 0
    while not state.is_terminal():
        actions = state.legal_actions()
        every += 1
        real += len(actions) > 1
        state.apply_action(actions[int(rng.random() * len(actions))])
    return real, every


def stepped(name: str, way: str) -> Measure:
    """A game driven from Python: `whole` games, from the `dealt` cards on, or by the `bare` minimum of calls."""
    spiel = importlib.import_module("pyspiel")
    game = spiel.load_game(OPENSPIEL[name])
    rng = random.Random(1)
    starts = [game] if way == "whole" else [dealt(game, rng) for _ in range(DEALS)]
    play = {"whole": whole_game, "dealt": dealt_game, "bare": bare_game}[way]
    return timed_then_counted(starts, play, partial(counted_game, way=way))


def timed_then_counted(
    starts: list[Any],
    play: Callable[[Any, random.Random], None],
    count: Callable[[Any, random.Random], tuple[int, int]],
) -> Measure:
    """Plays from these starts for a while, then plays the very same games again, untimed, to count decisions."""

    def take(seconds: float) -> Reading:
        rng = random.Random(2)
        passes = 0
        began = process_time()
        while (spent := process_time() - began) < seconds:
            for start in starts:
                play(start, rng)
            passes += 1
        rng = random.Random(2)
        counts = [count(start, rng) for _ in range(passes) for start in starts]
        return Reading(spent, sum(real for real, _ in counts), sum(every for _, every in counts))

    return take


def cloned(name: str) -> Measure:
    """Clones of a state in the middle of a game."""
    spiel = importlib.import_module("pyspiel")
    rng = random.Random(1)
    deal = dealt(spiel.load_game(OPENSPIEL[name]), rng)
    _, every = decisions_per_game([deal], 20, rng)
    state, made = deal, 0
    while made < every / 2:
        if state.is_terminal():
            state, made = deal.clone(), 0
        if state.is_chance_node():
            resolve(state, rng)
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            made += 1
    return calls_of(state.clone)


def calls_of(call: Callable[[], object], block: int = 2000) -> Measure:
    """How often something can be called from Python."""

    def take(seconds: float) -> Reading:
        blocks = 0
        began = process_time()
        while (spent := process_time() - began) < seconds:
            for _ in repeat(None, block):
                call()
            blocks += 1
        return Reading(spent, blocks * block, blocks * block)

    return take


# ---------------------------------------------------------------------------------------------- RLCard


def rlcard_environment(name: str) -> Measure:
    """RLCard's documented way: `env.step` with an action out of the state's legal actions."""
    env = importlib.import_module("rlcard").make(name, {"seed": 1})
    rng = random.Random(1)

    def take(seconds: float) -> Reading:
        real = every = 0
        began = process_time()
        while (spent := process_time() - began) < seconds:
            state, _ = env.reset()
            while not env.is_over():
                actions = list(state["legal_actions"])
                every += 1
                real += len(actions) > 1
                state, _ = env.step(actions[int(rng.random() * len(actions))])
        return Reading(spent, real, every)

    return take


def rlcard_core(name: str) -> Measure:
    """RLCard's game object alone, without the encoding of states that its environment does."""
    game = importlib.import_module("rlcard").make(name, {"seed": 1}).game
    rng = random.Random(1)

    def take(seconds: float) -> Reading:
        real = every = 0
        began = process_time()
        while (spent := process_time() - began) < seconds:
            game.init_game()
            while not game.is_over():
                actions = game.get_legal_actions()
                every += 1
                real += len(actions) > 1
                game.step(actions[int(rng.random() * len(actions))])
        return Reading(spent, real, every)

    return take


# ---------------------------------------------------------------------------------------------- PettingZoo


def pettingzoo(name: str, raw: bool) -> Measure:
    """PettingZoo's documented loop: `agent_iter`, `last`, a legal action by its mask, `step`."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    numpy = importlib.import_module("numpy")
    module = importlib.import_module(f"pettingzoo.classic.{name}")
    env = module.raw_env() if raw else module.env()
    rng = random.Random(1)

    def take(seconds: float) -> Reading:
        real = every = games = 0
        began = process_time()
        while (spent := process_time() - began) < seconds:
            env.reset(seed=games)
            games += 1
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                actions = numpy.flatnonzero(observation["action_mask"])
                every += 1
                real += len(actions) > 1
                env.step(int(actions[int(rng.random() * len(actions))]))
        return Reading(spent, real, every)

    return take


# ---------------------------------------------------------------------------------------------- all of them


@contextmanager
def quiet() -> Iterator[None]:
    """The peers' own warnings are not what a reader of the table came for."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def probe(name: str, prepare: Callable[[], Measure]) -> Probe:
    """A probe that keeps its library quiet, while it is loaded and while it is measured."""

    def prepare_quietly() -> Measure:
        with quiet():
            take = prepare()

        def take_quietly(seconds: float) -> Reading:
            with quiet():
                return take(seconds)

        return take_quietly

    return Probe(name, prepare_quietly)


def probes(quick: bool = False) -> list[Probe]:
    """Everything that is measured of the peers."""
    games = 5 if quick else 100
    return [
        *(
            probe(f"openspiel {name}", partial(native, name, games))
            for name in (*OPENSPIEL, *OTHER_OPENSPIEL)
        ),
        *(probe(f"openspiel clone {name}", partial(cloned, name)) for name in OPENSPIEL),
        *(
            probe(f"openspiel stepped {way} {name}", partial(stepped, name, way))
            for way in WAYS
            for name in STEPPED
        ),
        *(probe(f"rlcard {name}", partial(rlcard_environment, name)) for name in RLCARD),
        *(probe(f"rlcard core {name}", partial(rlcard_core, name)) for name in RLCARD_CORE),
        *(probe(f"pettingzoo {name}", partial(pettingzoo, name, False)) for name in PETTINGZOO),
        *(probe(f"pettingzoo raw {name}", partial(pettingzoo, name, True)) for name in PETTINGZOO),
    ]
