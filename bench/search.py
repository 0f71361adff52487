"""Search side by side with OpenSpiel's: iterations of information-set tree search per second, on one core.

    python -m bench.search [--quick] [--json FILE]

Ours searches Equinox for four from the first choice of fresh games: with play-outs guided by the game's knowledge, as
the bot plays, and with random play-outs, as OpenSpiel's evaluator does them. Theirs is `ISMCTSBot`, all of it C++, one
random roll-out per simulation, a new world for each, on those of its card games that it can search; the first choice
with several options of fresh deals. An iteration is a whole game, and games differ in length: so what is judged is
choices a second, random play-outs on both sides, on the trick-taking games. Gin rummy is shown and not judged: its
games are as long as Equinox's, and it is the slowest of OpenSpiel's card games by far.

Last comes how much sooner two threads of the bot answer than one, by the clock on the wall: on a machine with nothing
else to do.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

from bench.clock import Measure, Measured, Probe, Reading, measure, pin
from bench.peers import dealt, decisions_per_game, resolve
from bench.table import as_text

SEATS = 4
FAIRY_SCHOOL = "Fairy School, guided play-outs"
FAIRY_SEATS = 3
DEALS = 8
STEP = 100
"""Iterations between two looks at the clock."""

OURS = {"Equinox, guided play-outs": 0.02, "Equinox, random play-outs": 1.0}
"""Our searches, and the share of play-out choices that are made at random."""

AT_LEAST = {"Equinox, guided play-outs": 20_000, FAIRY_SCHOOL: 2_000}
"""Iterations per second of processor time from the deal, for four and for three seats: the targets."""

THREADED_ITERATIONS = 100
WANTED_OF_TWO_THREADS = 1.6
"""How many times as fast as one they are to be."""

PEERS = {
    "hearts": "hearts",
    "oh_hell": "oh_hell(players=4)",
    "euchre": "euchre",
    "gin_rummy": "gin_rummy",
}
JUDGED = ("hearts", "oh_hell", "euchre")
WANTED = 5.0
"""The target for the ratio to OpenSpiel's choices a second, on each of the judged games."""


# ---------------------------------------------------------------------------------------------- ours


def starts(name: str, seats: int) -> list[tuple[Any, Any]]:
    """The views of the first choices of fresh games, and the choices."""
    game = importlib.import_module("fabletop").GAMES[name]
    found = []
    for number in range(DEALS):
        rng = random.Random(number)
        state = game.new({"seats": seats}, [rng.getrandbits(64) for _ in range(seats + 1)])
        seat, choice = next(iter(game.pending(state).items()))
        found.append((game.view(state, seat), choice))
    return found


def searches(name: str, seats: int, stray: float) -> Measure:
    """Our search, one tree per deal, started again in every reading."""
    bots = importlib.import_module("fabletop.bots.search")
    knowledge = importlib.import_module("fabletop.bots.greedy").knowledge_of
    made = [
        bots.Search(knowledge(view), 1 << 16, 256, 0.1, 0.25, round(1024 * stray), -1)
        for view, _ in starts(name, seats)
    ]

    def take(seconds: float) -> Reading:
        iterations = 0
        began = process_time()
        while (spent := process_time() - began) < seconds:
            for number, search in enumerate(made):
                search.begin(number)
                search.run(STEP)
                iterations += STEP
        return Reading(spent, iterations, iterations)

    return take


def thread_gains(rounds: int, seconds: float) -> list[float]:
    """How many times as fast as one two threads think, with a few iterations from the deal; once for each round."""
    bots = importlib.import_module("fabletop.bots.ismcts")
    chance = importlib.import_module("fabletop.core.chance").Chance
    first = starts("equinox", SEATS)

    def thoughts(threads: int) -> float:
        bot = bots.Ismcts(chance(1), iterations=THREADED_ITERATIONS, threads=threads)
        made, began = 0, perf_counter()
        while (spent := perf_counter() - began) < seconds:
            for view, choice in first:
                bot.think(view, choice)
                made += 1
        return made / spent

    return [thoughts(2) / thoughts(1) for _ in range(rounds)]


def of_threads(gains: Sequence[float]) -> str:
    """The middle one, and whether it is enough, in words."""
    found = median(gains)
    reached = "reached" if found >= WANTED_OF_TWO_THREADS else "MISSED"
    return (
        f"Equinox, two threads with {THREADED_ITERATIONS} iterations: {found:.2f} times one"
        f" ({min(gains):.2f} to {max(gains):.2f}); target: {WANTED_OF_TWO_THREADS}, {reached}"
    )


def our_length(stray: float, games: int) -> float:
    """The mean number of choices with several options in a play-out."""
    game = importlib.import_module("fabletop").GAMES["equinox"]
    greedy = importlib.import_module("fabletop.bots.greedy").Greedy
    chance = importlib.import_module("fabletop.core.chance").Chance(1)
    bot = greedy(chance)
    real = 0
    for number in range(games):
        state = game.new({"seats": SEATS}, [number * 5 + stream for stream in range(SEATS + 1)])
        while pending := game.pending(state):
            for seat, choice in pending.items():
                real += len(choice.options) > 1
                at_random = chance.below(1024) < 1024 * stray
                action = (
                    chance.pick(choice.options) if at_random else bot.choose(game.view(state, seat), choice)
                )
                state.apply(seat, action)
    return real / games


# ---------------------------------------------------------------------------------------------- OpenSpiel


def first_choices(name: str) -> list[Any]:
    """Fresh deals, played on at random to the first choice with several options."""
    spiel = importlib.import_module("pyspiel")
    game = spiel.load_game(PEERS[name])
    found = []
    for number in range(DEALS):
        rng = random.Random(number)
        state = dealt(game, rng)
        while state.is_chance_node() or len(state.legal_actions()) < 2:
            if state.is_chance_node():
                resolve(state, rng)
            else:
                state.apply_action(state.legal_actions()[0])
        found.append(state)
    return found


def peer_searches(name: str) -> Measure:
    """OpenSpiel's search on one of its games, by its step for a single choice."""
    spiel = importlib.import_module("pyspiel")
    states = first_choices(name)
    evaluator = spiel.RandomRolloutEvaluator(n_rollouts=1, seed=1)
    policy = spiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    # seed, evaluator, exploration, simulations, worlds (no limit), final policy, by observation, inconsistent options
    bot = spiel.ISMCTSBot(1, evaluator, 1.4, STEP, -1, policy, False, True)

    def take(seconds: float) -> Reading:
        iterations = 0
        began = process_time()
        while (spent := process_time() - began) < seconds:
            for state in states:
                bot.step(state)
                iterations += STEP
        return Reading(spent, iterations, iterations)

    return take


# ---------------------------------------------------------------------------------------------- the table


def probes() -> list[Probe]:
    """Everything that is measured."""
    ours = [Probe(name, partial(searches, "equinox", SEATS, stray)) for name, stray in OURS.items()]
    ours.append(Probe(FAIRY_SCHOOL, partial(searches, "fairy_school", FAIRY_SEATS, 0.02)))
    return ours + [Probe(name, partial(peer_searches, name)) for name in PEERS]


def lengths(measured: Measured, games: int) -> dict[str, float]:
    """How many choices a play-out of each probe has."""
    found = {name: our_length(stray, games) for name, stray in OURS.items()}
    for name in PEERS:
        if name in measured.readings:
            found[name] = decisions_per_game(first_choices(name), games, random.Random(1))[0]
    return found


def table(measured: Measured, length: dict[str, float]) -> list[list[str]]:
    """One row per probe; the peers with our choices a second over theirs, our play-outs random as theirs or guided."""
    found = []
    for name in (*OURS, *PEERS):
        reading = measured.best(name)
        if reading is None:
            found.append([f"OpenSpiel {name}", "", "not installed", "", "", ""])
            continue
        rate, choices = reading.rate, length[name]
        row = [f"{choices:.0f}", f"{rate:,.0f}", f"{rate * choices:,.0f}", "", ""]
        if name in PEERS:
            guided, at_random = (ratio(ours, name, measured, length) for ours in OURS)
            row[3:] = [f"{at_random:.1f}×", f"{guided:.1f}×"]
        found.append([name if name in OURS else f"OpenSpiel {name}", *row])
    return found


def ratio(ours: str, peer: str, measured: Measured, length: dict[str, float]) -> float:
    """Our choices a second over theirs."""
    mine, theirs = measured.best(ours), measured.best(peer)
    assert mine is not None
    assert theirs is not None
    return mine.rate * length[ours] / (theirs.rate * length[peer])


def lowest(measured: Measured, length: dict[str, float]) -> float | None:
    """The lowest ratio on a judged game, random play-outs on both sides; None where one was not measured."""
    if any(name not in measured.readings for name in JUDGED):
        return None
    return min(ratio(list(OURS)[1], name, measured, length) for name in JUDGED)


def verdict(found: float | None) -> str:
    """Whether the target was reached, in words."""
    if found is None:
        return "not judged: OpenSpiel is not installed (make bench)"
    reached = "reached" if found >= WANTED else "MISSED"
    return (
        f"{found:.1f} times OpenSpiel's choices a second on the closest game; target: {WANTED:.0f}, {reached}"
    )


def speeds(measured: Measured) -> list[str]:
    """Our iterations a second where there is a target, in words."""
    found = []
    for name, wanted in AT_LEAST.items():
        reading = measured.best(name)
        if reading is not None:
            reached = "reached" if reading.rate >= wanted else "MISSED"
            found.append(f"{name}: {reading.rate:,.0f} iterations a second; target: {wanted:,}, {reached}")
    return found


def searched(quick: bool) -> tuple[Measured, dict[str, float]]:
    """All readings, and how many choices a play-out has."""
    measured = measure(probes(), rounds=1 if quick else 5, seconds=0.1 if quick else 1.0)
    return measured, lengths(measured, 2 if quick else 10)


HEAD = (
    "search",
    "choices a play-out",
    "iterations a second",
    "choices a second",
    "ours, random",
    "ours, guided",
)


def main(given: Sequence[str] | None = None) -> int:
    """Measure, print, and say whether the target was reached."""
    parser = argparse.ArgumentParser(prog="bench.search", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="one short round: a look, not a measurement")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep every reading in a file")
    parser.add_argument("--strict", action="store_true", help="fail if the target was measured and missed")
    asked = parser.parse_args(given)
    gains = thread_gains(1 if asked.quick else 5, 0.1 if asked.quick else 1.0)
    pin()
    measured, length = searched(asked.quick)
    found = lowest(measured, length)
    print(
        as_text(HEAD, table(measured, length)),
        "",
        verdict(found),
        *speeds(measured),
        of_threads(gains),
        sep="\n",
    )
    if asked.json:
        kept = {name: [tuple(reading) for reading in taken] for name, taken in measured.readings.items()}
        asked.json.write_text(
            json.dumps({"readings": kept, "choices": length, "two_threads": gains}, indent=1) + "\n", "utf-8"
        )
    return 1 if asked.strict and found is not None and found < WANTED else 0


if __name__ == "__main__":
    sys.exit(main())
