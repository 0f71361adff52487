"""Environment against environment: `python -m bench.vector` steps many games with observation, mask, checked actions.

Every row counts steps of a game with everything that a learner needs: an observation, a mask and a random legal action,
drawn inside the measured time. The peers' rows are their fastest games by their documented ways. Processor time on one
core, best of the rounds and the range of all; two threads against one by the wall clock, on two cores.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import os
from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter, process_time
from typing import Any

from bench.clock import Measure, Measured, Probe, Reading, measure, pin
from bench.peers import rlcard_environment
from bench.table import as_text

GAMES = ("equinox", "fairy_school")
ROWS = (1, 64, 1024)
SEATS = 4
WANTED = {
    ("equinox", 64): 4e6,
    ("equinox", 1024): 3e6,
    ("fairy_school", 64): 2e6,
    ("fairy_school", 1024): 2e6,
}
RLCARD = ("leduc-holdem", "uno", "limit-holdem")
PETTINGZOO = ("leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6")
PGX = ("kuhn_poker", "leduc_holdem")
PGX_ROWS, PGX_STEPS = 1024, 100
TIMES_RLCARD = 60
SPEED_UP = 1.8
THREAD_ROWS = 4096


def repeated(step: Callable[[], None], steps: int, clock: Callable[[], float] = process_time) -> Measure:
    """Calls `step`, which makes this many steps, in blocks that grow until reading the clock costs nothing."""

    def take(seconds: float) -> Reading:
        made, block = 0, 1
        began = clock()
        while (spent := clock() - began) < seconds:
            for _ in range(block):
                step()
            made += block
            if spent < seconds / 20:
                block *= 2
        return Reading(spent, made * steps, made * steps)

    return take


def games(name: str, n: int, threads: int = 1) -> Callable[[], None]:
    """One step of all games, each with a random legal action."""
    env = importlib.import_module("fabletop.envs").vector(name, n, seats=SEATS, seed=1, threads=threads)
    for _ in range(300):  # past the first moves, which all games have in common
        env.step(env.sample())
    return lambda: env.step(env.sample())


def ours(name: str, n: int) -> Measure:
    """Our games."""
    return repeated(games(name, n), n)


def pettingzoo(name: str) -> Measure:
    """The loop of PettingZoo's own performance benchmark: `last`, a sample by the mask, `step`."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    env = importlib.import_module(f"pettingzoo.classic.{name}").env()

    def take(seconds: float) -> Reading:
        steps = 0
        began = process_time()
        while (spent := process_time() - began) < seconds:
            env.reset()
            for agent in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                env.step(env.action_space(agent).sample(observation["action_mask"]))
                steps += 1
        return Reading(spent, steps, steps)

    return take


def pgx(name: str) -> Measure:
    """A hundred steps of a thousand games in one compiled loop, with auto-reset and samples by the mask."""
    jax = importlib.import_module("jax")
    env = importlib.import_module("pgx").make(name)
    auto_reset = importlib.import_module("pgx.experimental").auto_reset
    step_all = jax.vmap(auto_reset(env.step, env.init))

    def one(_: int, carried: tuple[Any, Any]) -> tuple[Any, Any]:
        state, key = carried
        key, draw, chance = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
        actions = jax.random.categorical(draw, logits, axis=-1)
        return step_all(state, actions, jax.random.split(chance, PGX_ROWS)), key

    many = jax.jit(lambda carried: jax.lax.fori_loop(0, PGX_STEPS, one, carried))
    keys = jax.random.split(jax.random.PRNGKey(1), PGX_ROWS)
    carried = many((jax.jit(jax.vmap(env.init))(keys), jax.random.PRNGKey(2)))

    def block() -> None:
        nonlocal carried
        carried = jax.block_until_ready(many(carried))

    return repeated(block, PGX_ROWS * PGX_STEPS)


def probes(with_peers: bool) -> list[Probe]:
    """Everything that is measured on one core."""
    found = [Probe(f"{name}, {n}", partial(ours, name, n)) for name in GAMES for n in ROWS]
    if with_peers:
        found += [Probe(f"RLCard {name}", partial(rlcard_environment, name)) for name in RLCARD]
        found += [Probe(f"PettingZoo {name}", partial(pettingzoo, name)) for name in PETTINGZOO]
        found += [Probe(f"pgx {name}, {PGX_ROWS}", partial(pgx, name)) for name in PGX]
    return found


def speed_up(name: str, rounds: int, seconds: float) -> tuple[float, list[float]]:
    """How many times faster two threads step than one, by the wall clock: the best, and every round."""
    one, two = (repeated(games(name, THREAD_ROWS, k), THREAD_ROWS, perf_counter) for k in (1, 2))
    ratios = []
    for _ in range(rounds):
        alone = one(seconds).rate
        ratios.append(two(seconds).rate / alone)
    return max(ratios), ratios


def rows(measured: Measured) -> list[tuple[str, ...]]:
    """The table: best, range, what was wanted."""
    found = []
    for name, readings in measured.readings.items():
        rates = sorted(reading.rate for reading in readings)
        game, _, n = name.partition(", ")
        wanted = WANTED.get((game, int(n))) if n else None
        verdict = (
            ""
            if wanted is None
            else f"{wanted / 1e6:.0f} M: {'reached' if rates[-1] >= wanted else 'missed'}"
        )
        found.append(
            (name, thousands(rates[-1]), f"{thousands(rates[0])} to {thousands(rates[-1])}", verdict)
        )
    return found


def thousands(rate: float) -> str:
    """A rate in words."""
    return f"{rate / 1e6:.2f} M" if rate >= 1e6 else f"{rate / 1e3:.1f} k"


def best(measured: Measured, start: str) -> float:
    """The best rate of all probes whose names begin so; 0 where none was measured."""
    return max(
        (r.rate for n, all_ in measured.readings.items() if n.startswith(start) for r in all_), default=0
    )


def main(given: Sequence[str] | None = None) -> int:
    """Run it."""
    parser = argparse.ArgumentParser(prog="bench.vector", description=__doc__)
    parser.add_argument("--ours", action="store_true", help="leave the peers out")
    parser.add_argument("--rounds", type=int, default=5, help="how many rounds (5)")
    parser.add_argument("--seconds", type=float, default=0.3, help="how long a reading takes (0.3)")
    asked = parser.parse_args(given)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if cores > 1:
        for name in GAMES:
            top, ratios = speed_up(name, asked.rounds, asked.seconds)
            shown = ", ".join(f"{ratio:.2f}" for ratio in ratios)
            print(
                f"{name}, {THREAD_ROWS} games: two threads {top:.2f} times one (wanted {SPEED_UP}; {shown})"
            )
    else:
        print("two threads: not measured, since there is only one core")
    pin()
    measured = measure(probes(not asked.ours), rounds=asked.rounds, seconds=asked.seconds)
    print()
    print(as_text(("games at once", "steps/s, one core", "range", "wanted"), rows(measured)))
    rlcard = best(measured, "RLCard")
    if rlcard:
        for name in GAMES:
            print(
                f"{name} / the fastest of RLCard: {best(measured, name) / rlcard:.0f} (wanted {TIMES_RLCARD})"
            )
    for name, why in sorted(measured.missing.items()):
        print(f"{name}: not installed ({why})")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
