"""Training of the estimate with which search in Fairy School ends: a linear model learned from complete years.

    python -m fabletop.lab.fairy_school.training --years 20000

plays years among bots that follow knowledge alone, notes every seat's situation at the start of every turn, and fits
what each of these seats still gained from there to the end of the year: one linear fit for every turn. The table
goes into `bots/fairy_school/guess.json`. In most years the seats follow weights that differ at random, so that the
situations are not all of one habit: what hoards cubes and what spends them, what realises early and what waits.

The same arguments give the same table. It takes some minutes; needs numpy (`pip install 'fabletop[lab]'`).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fabletop.bots.fairy_school.guess import FILE, FINENESS, STRETCHES, TRAIT_NAMES, TRAITS
from fabletop.bots.fairy_school.knowledge import SEARCH_WEIGHTS, Knowledge
from fabletop.core.chance import Chance
from fabletop.games.fairy_school import FAIRY_SCHOOL
from fabletop.games.fairy_school import constants as c

MIX = ((3, 5), (4, 5), (2, 4), (5, 1), (6, 1))
"""Numbers of seats, and how many sixteenths of the years have them."""
CHANGED = 4
"""One weight in N is changed for a seat with its own habits."""
RIDGE = 20.0
ENOUGH = 200
"""A turn with fewer situations uses the table of the turn before."""

Rows = list[tuple[int, list[int], int]]
"""Row of the table, features, and the points gained afterwards."""


def world_of(seats: int) -> Knowledge:
    """A world in which years with N seats can be played, by the weights of search."""
    view = FAIRY_SCHOOL.view(FAIRY_SCHOOL.new({"seats": seats}, range(seats + 1)), 0)
    return Knowledge(view, SEARCH_WEIGHTS)


def habits(chance: Chance) -> dict[str, int]:
    """Weights that differ: some halved, some doubled."""
    changed = {}
    for key, value in SEARCH_WEIGHTS.items():
        if chance.below(CHANGED) == 0:
            changed[key] = value * (32 + chance.below(97)) // 64
    return {**SEARCH_WEIGHTS, **changed, "late": max(2, changed.get("late", SEARCH_WEIGHTS["late"]))}


def situations(world: Knowledge, word: int, rows: Rows) -> None:
    """Play a year, and note every seat's situation at the start of every turn."""
    world.begin(word)
    state: Any = world.state
    seen: Rows = []
    seats: list[int] = []
    turn = 1
    while state.phase != c.PHASE_OVER:
        world.advance()
        if state.year_turn > turn and state.phase != c.PHASE_OVER:
            turn = state.year_turn
            for seat in range(state.seats):
                row, traits = world.situation(seat)
                kindness, projects, steps, creatures, _ = state.parts(seat)
                seen.append((row, traits, kindness + projects + steps + creatures))
                seats.append(seat)
    scores = state.points()
    for (row, traits, points), seat in zip(seen, seats, strict=True):
        rows.append((row, traits, scores[seat] - points))


def gathered(years: int, seed: int) -> Rows:
    """The situations of N years; a quarter of them are played with the usual weights."""
    rows: Rows = []
    for seats, part in MIX:
        chance = Chance(100 * seed + seats)
        world = world_of(seats)
        for number in range(years * part // 16):
            for seat in range(seats):
                world.weight(seat, habits(chance) if number % 4 else SEARCH_WEIGHTS)
            situations(world, chance.word(), rows)
    return rows


def fitted(rows: Rows) -> tuple[list[int], list[str]]:
    """The table, and for each row the number of situations and the error."""
    import numpy as np

    table: list[int] = []
    notes = []
    for row in range(2 * STRETCHES):
        some = [(traits, gain) for at, traits, gain in rows if at == row]
        if len(some) < ENOUGH:
            table += table[-TRAITS:] if row % STRETCHES else [0] * TRAITS
            notes.append(f"{row:3} {len(some):7}")
            continue
        x = np.array([traits for traits, _ in some], dtype=float)
        y = np.array([gain for _, gain in some], dtype=float)
        use = x.std(axis=0) > 0
        use[0] = True
        ridge = RIDGE * np.eye(int(use.sum()))
        ridge[0, 0] = 0
        z = x[:, use]
        fit = np.zeros(TRAITS)
        fit[use] = np.linalg.solve(z.T @ z + ridge, z.T @ y)
        off = y - x @ fit
        table += [round(FINENESS * value) for value in fit]
        notes.append(f"{row:3} {len(some):7}  spread {y.std():5.2f}  off {off.std():5.2f}")
    return table, notes


def written(table: Sequence[int], years: int, seed: int) -> str:
    """The text of `guess.json`: where it comes from, the traits, and the rows, one line each."""
    rows = [json.dumps(table[at : at + TRAITS]) for at in range(0, len(table), TRAITS)]
    head = f'{{"years": {years}, "seed": {seed}, "traits": {json.dumps(TRAIT_NAMES)}, "rows": ['
    return head + "\n" + ",\n".join(rows) + "\n]}\n"


def main() -> None:
    """Play, fit, write."""
    parser = argparse.ArgumentParser(
        description="Learn what Fairy School situations promise, from years of play."
    )
    parser.add_argument("--years", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=FILE)
    given = parser.parse_args()
    table, notes = fitted(gathered(given.years, given.seed))
    given.out.write_text(written(table, given.years, given.seed), encoding="utf-8")
    print("\n".join(notes))


if __name__ == "__main__":
    main()
