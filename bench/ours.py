"""Our side: the engines driven inside compiled code, from a Python loop, cloned, replayed, and interpreted.

The interpreted engine is measured in its own process with FABLETOP_PURE=1, restarted in every round:

    python -m bench.ours equinox 0.5       one reading of half a second, as JSON
"""

from __future__ import annotations

import importlib
import itertools
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time
from types import ModuleType
from typing import Any

from bench.clock import Measure, Probe, Reading
from bench.peers import DEALS, WAYS, calls_of, timed_then_counted
from bench.table import Facts

ROOT = Path(__file__).resolve().parent.parent
SEATS = 4
GAMES = ("equinox", "fairy_school")
RECORDS = 9


def engine(name: str) -> ModuleType:
    """The engine of a game, compiled where that was done."""
    return importlib.import_module(f"fabletop.games.{name}.engine")


def starter(name: str) -> Callable[[int], Any]:
    """Starts games for four with the default options, each with its own word of chance."""
    game = importlib.import_module("fabletop").GAMES[name]
    options = game.options({"seats": SEATS})

    def start(word: int) -> Any:
        return game.new(options, [word ^ stream for stream in range(SEATS + 1)])

    return start


def dealt(name: str, number: int) -> Any:
    """A fresh game for four."""
    return starter(name)(random.Random(number).getrandbits(64))


# ---------------------------------------------------------------------------------------------- play-outs


def played_out(name: str) -> Measure:
    """Random games in the engine's own loop, the deal included."""
    games = importlib.import_module(f"fabletop.games.{name}.playouts").Playouts(SEATS, 1)
    before = games.run(1)  # the counts go on from run to run

    def take(seconds: float) -> Reading:
        nonlocal before
        counts, block = before, 1
        began = process_time()
        while (spent := process_time() - began) < seconds:
            counts = games.run(block)
            if spent < seconds / 20:  # blocks grow until reading the clock costs nothing
                block *= 2
        real, every = (counts[key] - before[key] for key in ("choices", "decisions"))
        before = counts
        return Reading(spent, real, every)

    return take


def interpreted(name: str) -> Measure:
    """The same without the compiler, in a process of its own."""

    def take(seconds: float) -> Reading:
        search = [str(ROOT), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
        environment = os.environ | {"FABLETOP_PURE": "1", "PYTHONPATH": os.pathsep.join(filter(None, search))}
        done = subprocess.run(
            [sys.executable, "-m", "bench.ours", name, str(seconds)],
            env=environment,
            cwd=ROOT,
            check=True,
            capture_output=True,
            text=True,
        )
        return Reading(*json.loads(done.stdout))

    return take


# ---------------------------------------------------------------------------------------------- stepping


def whole_game(start: Callable[[int], Any], rng: random.Random) -> None:
    """A new game, played to its end by the loop that the State protocol suggests."""
    play_on(start(rng.getrandbits(64)), rng)


def dealt_game(deal: Any, rng: random.Random) -> None:
    """The same from a dealt state."""
    play_on(deal.clone(), rng)


def play_on(state: Any, rng: random.Random) -> None:
    """Who is asked, what may they do, do it (checked); to the end."""
    while asked := state.asked():
        seat = asked[0]
        actions = state.legal(seat)
        state.apply(seat, actions[int(rng.random() * len(actions))])


def bare_game(deal: Any, rng: random.Random) -> None:
    """The least that plays at random from Python, with the check of `apply`."""
    state = deal.clone()
    legal, apply, draw = state.legal_actions, state.apply, rng.random
    while actions := legal():
        apply(state.actor, actions[int(draw() * len(actions))])


def counted_game(start: Any, rng: random.Random, way: str) -> tuple[int, int]:
    """How many decisions the loop of this way makes with this generator."""
    state = start(rng.getrandbits(64)) if way == "whole" else start.clone()
    real = every = 0
    while asked := state.asked():
        actions = state.legal(asked[0])
        every += 1
        real += len(actions) > 1
        state.apply(asked[0], actions[int(rng.random() * len(actions))])
    return real, every


def stepped(name: str, way: str) -> Measure:
    """A game driven from Python in one of the ways of `WAYS`."""
    starts: list[Any] = [starter(name)] if way == "whole" else [dealt(name, i) for i in range(DEALS)]
    play = {"whole": whole_game, "dealt": dealt_game, "bare": bare_game}[way]
    return timed_then_counted(starts, play, partial(counted_game, way=way))


def cloned(name: str) -> Measure:
    """Clones of a state in the middle of a game."""
    return calls_of(halfway(name).clone)


def halfway(name: str) -> Any:
    """A state in the middle of a random game."""
    rng = random.Random(1)
    deal = dealt(name, 1)
    _, every = counted_game(deal, rng, "dealt")
    state = deal.clone()
    rng = random.Random(1)
    for _ in range(every // 2):
        seat = state.asked()[0]
        actions = state.legal(seat)
        state.apply(seat, actions[int(rng.random() * len(actions))])
    return state


def replayed(name: str) -> Measure:
    """The longest of a few random games, replayed from its record: parsing, chance and events included."""
    fabletop = importlib.import_module("fabletop")
    game = fabletop.GAMES[name]
    records = []
    for number in range(RECORDS):
        rng = random.Random(number)
        sitting = fabletop.Sitting(game, {"seats": SEATS}, seed=f"bench {number}")
        while asked := sitting.state.asked():
            seat = rng.choice(asked)
            sitting.act(seat, rng.choice(sitting.state.legal(seat)))
        records.append(sitting.record())
    longest = max(records, key=lambda record: len(record.actions))
    return calls_of(partial(fabletop.replay, game, longest), block=1)


# ---------------------------------------------------------------------------------------------- greedy


def greedy_decisions(name: str) -> Measure:
    """Choices with several options of a greedy game, answered by a greedy player, each from its state."""
    play = importlib.import_module("fabletop.bots.play")
    core = importlib.import_module("fabletop.core.sitting")
    game = importlib.import_module("fabletop").GAMES[name]
    played = play.play(name, ["greedy"] * SEATS, seed="bench")
    asked = []
    for sitting in core.steps(game, played.record()):
        state = sitting.state.clone()
        asked += [(state, seat) for seat in state.asked()[:1] if len(state.legal(seat)) > 1]
    player = play.Player(play.knowledge_class(name)(played.state), play.Chance(1), 0.02)

    def take(seconds: float) -> Reading:
        passes = 0
        began = process_time()
        while (spent := process_time() - began) < seconds:
            for state, seat in asked:
                player.choose(state, seat)
            passes += 1
        return Reading(spent, passes * len(asked), passes * len(asked))

    return take


def greedy_games(name: str) -> Measure:
    """Whole games among greedy players, with their records and events."""
    play = importlib.import_module("fabletop.bots.play")

    def take(seconds: float) -> Reading:
        seeds = (f"bench {number}" for number in itertools.count())
        began = process_time()
        for games, _ in enumerate(play.games(name, ["greedy"] * SEATS, seeds), 1):
            if (spent := process_time() - began) >= seconds:
                return Reading(spent, games, games)
        raise AssertionError("there are always more seeds")

    return take


# ---------------------------------------------------------------------------------------------- all of it


def facts(with_peers: bool) -> Facts:
    """Whether the engines are compiled, and how large their states are."""
    pure = importlib.import_module("fabletop.pure")
    compiled = all(pure.is_compiled(engine(name)) for name in GAMES)
    return Facts(compiled, state_bytes("equinox"), state_bytes("fairy_school"), with_peers)


def state_bytes(name: str) -> int:
    """The memory of a state: a compiled one holds no pointers, so the object's own size is all of it."""
    return sys.getsizeof(dealt(name, 1))


def probes() -> list[Probe]:
    """Everything that is measured of Fabletop."""
    return [
        *(Probe(name, partial(played_out, name)) for name in GAMES),
        *(Probe(f"{name} interpreted", partial(interpreted, name)) for name in GAMES),
        *(Probe(f"equinox stepped {way}", partial(stepped, "equinox", way)) for way in WAYS),
        *(Probe(f"{name} clone", partial(cloned, name)) for name in GAMES),
        Probe("fairy_school replay", partial(replayed, "fairy_school")),
        *(Probe(f"{name} greedy decision", partial(greedy_decisions, name)) for name in GAMES),
        *(Probe(f"{name} greedy game", partial(greedy_games, name)) for name in GAMES),
    ]


if __name__ == "__main__":
    print(json.dumps(played_out(sys.argv[1])(float(sys.argv[2]))))
