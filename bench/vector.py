"""Environment against environment: `python -m bench.vector` steps many games with observation, mask, checked actions.

Every row counts steps of a game with everything that a learner needs: an observation, a mask and a random legal action,
drawn inside the measured time. The peers' rows are their fastest games by their documented ways. Processor time on one
core, best of the rounds and the range of all; two threads against one by the wall clock, next to a control.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import io
import math
import os
import random
import re
import threading
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from functools import partial
from statistics import median
from time import perf_counter, process_time, thread_time
from types import SimpleNamespace
from typing import Any
from unittest import mock

from bench.clock import Measure, Measured, Probe, Reading, measure, pin
from bench.ours import ROOT
from bench.page import machine, version
from bench.peers import quiet, rlcard_environment
from bench.table import as_markdown, as_text

GAMES = ("equinox", "fairy_school")
ROWS = (1, 64, 1024, 4096)
SEATS = 4
WANTED = {
    ("equinox", 64): 4e6,
    ("equinox", 1024): 3e6,
    ("fairy_school", 64): 2e6,
    ("fairy_school", 1024): 2e6,
}
RLCARD = ("leduc-holdem", "uno", "limit-holdem")
PETTINGZOO = ("leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6")
ZOO_SECONDS = 5
"""How long PettingZoo's benchmark runs by its clock."""
PGX = ("kuhn_poker", "leduc_holdem")
PGX_ROWS, PGX_STEPS = (1024, 8192), 100
COUNTED = 5_000
"""Turns that are counted, untimed, for the share of those with more than one option."""
TIMES_RLCARD = 60
SPEED_UP = 1.8
THREAD_ROWS = 2048
"""Games that one thread steps about as quickly as half of them; twice as many do not fit into a core's caches."""
CALLS, TURNS = 4, 6
"""Calls with one or two threads in a turn, and how many readings of the other rows the turns of a round last."""
HASHED = 1 << 22
"""Bytes: enough that starting the second thread costs the control next to nothing."""
WARM_UP = 300
PAGE = ROOT / "docs" / "benchmarks-envs.md"


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


def games(name: str, n: int, threads: int = 1) -> tuple[Callable[[], None], float]:
    """One step of all games, each with a random legal action; and the share of steps with more than one option."""
    env = importlib.import_module("fabletop.envs").vector(name, n, seats=SEATS, seed=1, threads=threads)
    real = 0
    for _ in range(WARM_UP):  # past the first moves, which all games have in common
        real += int((env.mask.sum(1) > 1).sum())
        env.step(env.sample())
    return lambda: env.step(env.sample()), real / WARM_UP / n


def ours(name: str, n: int) -> Measure:
    """Our games."""
    step, share = games(name, n)
    take = repeated(step, n)

    def counted(seconds: float) -> Reading:
        reading = take(seconds)
        return reading._replace(real=share * reading.every)

    return counted


def pettingzoo(module: str) -> Measure:
    """PettingZoo's own `performance_benchmark`, as it is, with processor time for its clock."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    with quiet():
        benchmark = importlib.import_module("pettingzoo.test.performance_benchmark")
        env = importlib.import_module(module).env()
        share = real_share(env)

    def take(seconds: float) -> Reading:
        pace = ZOO_SECONDS / seconds
        told = io.StringIO()
        clock = SimpleNamespace(time=lambda: pace * process_time())
        with quiet(), mock.patch.object(benchmark, "time", clock), redirect_stdout(told):
            benchmark.performance_benchmark(env)
        turns = pace * float(re.findall(r"([\d.]+) turns per second", told.getvalue())[0])
        return Reading(seconds, share * turns * seconds, turns * seconds)

    return take


def real_share(env: Any) -> float:
    """The share of a random player's turns that have more than one option; the benchmark counts all turns alike."""
    rng = random.Random(1)
    every = real = 0
    while every < COUNTED:
        env.reset(seed=every)
        for _ in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                break
            actions = seen["action_mask"].nonzero()[0].tolist()
            every += 1
            real += len(actions) > 1
            env.step(rng.choice(actions))
    return real / every


def pgx(name: str, n: int) -> Measure:
    """A hundred steps of many games in one compiled loop, with auto-reset and samples by the mask. In these games every
    decision has more than one option."""
    jax = importlib.import_module("jax")
    env = importlib.import_module("pgx").make(name)
    auto_reset = importlib.import_module("pgx.experimental").auto_reset
    step_all = jax.vmap(auto_reset(env.step, env.init))

    def one(_: int, carried: tuple[Any, Any]) -> tuple[Any, Any]:
        state, key = carried
        key, draw, chance = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
        actions = jax.random.categorical(draw, logits, axis=-1)
        return step_all(state, actions, jax.random.split(chance, n)), key

    many = jax.jit(lambda carried: jax.lax.fori_loop(0, PGX_STEPS, one, carried))
    keys = jax.random.split(jax.random.PRNGKey(1), n)
    carried = many((jax.jit(jax.vmap(env.init))(keys), jax.random.PRNGKey(2)))

    def block() -> None:
        nonlocal carried
        carried = jax.block_until_ready(many(carried))

    return repeated(block, n * PGX_STEPS)


def probes(with_peers: bool) -> list[Probe]:
    """Everything that is measured on one core."""
    found = [Probe(f"{name}, {n}", partial(ours, name, n)) for name in GAMES for n in ROWS]
    found += [Probe(f"{name}, PettingZoo", partial(pettingzoo, f"fabletop.envs.{name}_v1")) for name in GAMES]
    if with_peers:
        found += [Probe(f"RLCard {name}", partial(rlcard_environment, name)) for name in RLCARD]
        found += [
            Probe(f"PettingZoo {name}", partial(pettingzoo, f"pettingzoo.classic.{name}"))
            for name in PETTINGZOO
        ]
        found += [Probe(f"pgx {name}, {n}", partial(pgx, name, n)) for name in PGX for n in PGX_ROWS]
    return found


def two_threads(name: str, rounds: int, seconds: float) -> tuple[list[float], list[float], list[float]]:
    """How many times faster two threads step than one: by the wall clock, the same of a control, and by the processor
    time of the caller's thread, a ratio for each round.

    In a round, one thread, two threads and both controls take turns; each call is a reading of its own, and the
    quickest counts. A call takes about a millisecond, so that some are not interrupted. The control hashes without the
    interpreter's lock. It shows what a second thread was worth in that round: on a machine with other work it is less
    than two. The caller's thread steps half of the games and then waits for the other half, at most a few dozen
    microseconds of it awake, so its processor time shows about what a second thread is worth where a core is free.
    """
    block = bytes(HASHED)

    def hashes(threads: int) -> None:
        others = [threading.Thread(target=hashlib.sha256, args=(block,)) for _ in range(threads - 1)]
        for other in others:
            other.start()
        hashlib.sha256(block)
        for other in others:
            other.join()

    steps = [games(name, THREAD_ROWS, k)[0] for k in (1, 2)]
    calls = [*steps, partial(hashes, 1), partial(hashes, 2)]

    def ratios() -> tuple[float, float, float]:
        wall, caller = [math.inf] * len(calls), [math.inf] * len(calls)
        began = perf_counter()
        while perf_counter() - began < TURNS * seconds:
            for i, call in enumerate(calls):
                for _ in range(CALLS):
                    clock, spent = perf_counter(), thread_time()
                    call()
                    caller[i] = min(caller[i], thread_time() - spent)
                    wall[i] = min(wall[i], perf_counter() - clock)
        return wall[0] / wall[1], 2 * wall[2] / wall[3], caller[0] / caller[1]

    taken = [ratios() for _ in range(rounds)]
    return [one[0] for one in taken], [one[1] for one in taken], [one[2] for one in taken]


def rows(measured: Measured) -> list[tuple[str, ...]]:
    """The table: best by both counts, range, what was wanted."""
    found = []
    for name, readings in measured.readings.items():
        best_one = max(readings, key=lambda reading: reading.rate)
        worst = min(reading.rate for reading in readings)
        game, _, n = name.partition(", ")
        wanted = WANTED.get((game, int(n))) if n.isdigit() else None
        verdict = (
            ""
            if wanted is None
            else f"{wanted / 1e6:.0f} M: {'reached' if best_one.rate >= wanted else 'missed'}"
        )
        spread = f"{thousands(worst)} to {thousands(best_one.rate)}"
        found.append((name, thousands(best_one.rate), thousands(best_one.real_rate), spread, verdict))
    return found


def thousands(rate: float) -> str:
    """A rate in words."""
    return f"{rate / 1e6:.2f} M" if rate >= 1e6 else f"{rate / 1e3:.1f} k"


def best(measured: Measured, names: Callable[[str], object], real: bool = False) -> float:
    """The best rate of all probes with such names, by all steps or by those with more than one option; 0 without."""
    rates = (
        reading.real_rate if real else reading.rate
        for name, readings in measured.readings.items()
        if names(name)
        for reading in readings
    )
    return max(rates, default=0)


def against(
    measured: Measured, game: str, peer: str, own: Callable[[str], object]
) -> tuple[float, float] | None:
    """Our best over the peer's best by both counts, the lower ratio first; None where the peer was not measured."""
    ratios = []
    for real in (False, True):
        theirs = best(measured, lambda name: name.startswith(peer), real)
        if theirs == 0:
            return None
        ratios.append(best(measured, lambda name: name.startswith(game) and own(name), real) / theirs)
    return min(ratios), max(ratios)


def comparisons(measured: Measured) -> list[tuple[str, ...]]:
    """Environment against environment, like with like."""
    many, single, zoo = (partial(re.search, pattern) for pattern in (r", \d+$", ", 1$", "PettingZoo$"))
    kinds = (
        ("many games, over RLCard's fastest", "RLCard", many),
        ("one game, over RLCard's fastest", "RLCard", single),
        ("many games, over pgx's fastest", "pgx", many),
        ("PettingZoo's benchmark, over its fastest card game", "PettingZoo", zoo),
    )
    table = []
    for game in GAMES:
        for words, peer, own in kinds:
            ratios = against(measured, game, peer, own)
            if ratios is None:
                table.append((f"{game}, {words}", "not measured", "", ""))
                continue
            verdict = ""
            if (game, peer, own) == ("equinox", "RLCard", many):
                verdict = f"{TIMES_RLCARD}: {'reached' if ratios[0] >= TIMES_RLCARD else 'missed'}"
            table.append((f"{game}, {words}", *map(times, ratios), verdict))
    return table


def times(ratio: float) -> str:
    """A ratio in words."""
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}"


def thread_rows(rounds: int, seconds: float) -> list[tuple[str, ...]]:
    """Two threads over one for both games: the medians of the rounds. Without a free core none is judged."""
    found = []
    for name in GAMES:
        taken = two_threads(name, rounds, seconds)
        wall, control, _ = map(median, taken)
        verdict = "reached" if wall >= SPEED_UP else "missed" if control >= SPEED_UP else "no core was free"
        spreads = (f"{median(some):.2f} ({min(some):.2f} to {max(some):.2f})" for some in taken)
        found.append((f"{name}, {THREAD_ROWS} games", *spreads, f"{SPEED_UP}: {verdict}"))
    return found


HEAD = ("games at once", "steps/s, one core", "with more than one option", "range", "target")
RATIO_HEAD = ("lower of the two counts", "times", "other count", "target")
THREAD_HEAD = ("two threads over one", "wall clock", "control", "caller's processor time", "target")
TEXT = """\
# Benchmarks of the environments

Written by `python -m bench.vector --write`; `make bench` installs the peers. [Engines](benchmarks.md) and the
[server](benchmarks-tables.md) have pages of their own.

{table}

{ratios}

{threads}

## How it was measured

- One process on one pinned core, processor time, {rounds} rounds of {seconds} s for every row in turn; the best round
  counts, and the range shows the variation. Every step has an observation, a mask and a random legal action, drawn
  inside the measured time. A game that ends begins again.
- *Fabletop*, with {seats} seats: `games.step(games.sample())` from Python, for this many games at once. Actions are
  checked.
- *RLCard*: `env.step` with one of the state's legal actions by number, as learners do; it checks them, as we do. Its
  three fastest games. Actions by name (`raw_action=True`), which it does not check, are some 4 to 10 % quicker. It has
  no vector environment.
- *PettingZoo*: its own `performance_benchmark`, unchanged, with processor time for its clock; on our environments
  (four seats) and on its Classic card games for two, each as `env()` makes it. Theirs have three wrappers (illegal
  actions, bounds, order of calls), ours one (order of calls), since it checks actions itself. The benchmark counts all
  turns; the share of those with more than one option is counted in a pass of its own. Hanabi is left out: it needs a
  library of its own.
- *pgx*: {pgx_rows} games in one compiled loop of {pgx_steps} steps with `auto_reset` and `jax.random`, on the
  processor; its own benchmark calls each step from Python and lets finished games stand, which is slower. It is made
  for accelerators, where it is far quicker.
- Ratios take the best of our rows and the best of the peer's rows, by all steps and by steps with more than one option;
  the lower one is judged. RLCard is Python and our games are C, so that ratio depends on how fast the machine runs
  Python: where the target of {times_rlcard} was set, RLCard's Leduc made 52 k steps a second. What would move it:
  nearly half of a step of Equinox is writing its {equinox_size} bytes with vectors of 16 bytes, which every x86-64
  has, and more than a quarter is the rules. No part of either stands out. With vectors of 32 bytes a step takes 8 %
  fewer instructions but only 3 % less time, which is not worth a second version of the code; compiled for the machine's
  own processor (`-march=native`), fewer stores and no calls inside the observation gain less than 1 % each.
- *Threads*: {thread_rows} games, medians and ranges of the rounds. In a round, steps with one thread, with two and of a
  control take turns, and the quickest of each counts. The control hashes in one and in two threads and
  says what a second thread was worth on this machine in that round; 2 means that a core was free, and where it is less
  than {speed_up} a missed target is not judged. The caller's thread steps half of the games and then
  waits for the rest, the first few dozen microseconds awake: its own processor time is about what a step takes where a
  core is free, and a little more where none is. With 4,096 games two threads can be worth more than 2, which says
  little: that many do not fit into a core's caches, so that a step takes one thread longer, as the first table shows,
  and half of them do.
- The games differ: an observation of Equinox has {equinox_size} bytes, one of pgx's Leduc poker 34 bools, and its rules
  are a few operations. The results say what a step of each costs, not which code is better.

## The machine

{machine}
"""


def main(given: Sequence[str] | None = None) -> int:
    """Run it."""
    parser = argparse.ArgumentParser(prog="bench.vector", description=__doc__)
    parser.add_argument("--ours", action="store_true", help="leave the peers out")
    parser.add_argument("--rounds", type=int, default=5, help="how many rounds (5)")
    parser.add_argument("--seconds", type=float, default=0.3, help="how long a reading takes (0.3)")
    parser.add_argument("--write", action="store_true", help=f"renew docs/{PAGE.name}; needs all peers")
    asked = parser.parse_args(given)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    threads = thread_rows(asked.rounds, asked.seconds) if cores > 1 else []
    pin()
    measured = measure(probes(not asked.ours), rounds=asked.rounds, seconds=asked.seconds)
    for head, body in ((HEAD, rows(measured)), (RATIO_HEAD, comparisons(measured)), (THREAD_HEAD, threads)):
        print(as_text(head, body), end="\n\n")
    for name, why in sorted(measured.missing.items()):
        print(f"{name}: not installed ({why})")
    if asked.write:
        if asked.ours or measured.missing or not threads:
            print(f"docs/{PAGE.name} stays as it was: some results were not measured (make bench)")
            return 1
        PAGE.write_text(page(measured, threads, asked.rounds, asked.seconds), encoding="utf-8")
        print(f"wrote docs/{PAGE.name}")
    return 0


def page(measured: Measured, threads: list[tuple[str, ...]], rounds: int, seconds: float) -> str:
    """The text of docs/benchmarks-envs.md."""
    facts = machine() | {name: version(name) for name in ("pgx", "jax")}
    return TEXT.format(
        table=as_markdown(HEAD, rows(measured)),
        ratios=as_markdown(RATIO_HEAD, comparisons(measured)),
        threads=as_markdown(THREAD_HEAD, threads),
        rounds=rounds,
        seconds=seconds,
        seats=SEATS,
        pgx_rows=" and ".join(f"{n:,}" for n in PGX_ROWS),
        pgx_steps=PGX_STEPS,
        thread_rows=f"{THREAD_ROWS:,}",
        times_rlcard=TIMES_RLCARD,
        equinox_size=f"{importlib.import_module('fabletop.envs.observation').space('equinox').size:,}",
        speed_up=SPEED_UP,
        machine=as_markdown(("", ""), list(facts.items())),
    )


if __name__ == "__main__":
    raise SystemExit(main())
