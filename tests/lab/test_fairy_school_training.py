"""Learning what a situation promises: what is noted of a year, the fit by hand, and the file."""

import json
from pathlib import Path

import pytest

from fabletop.bots.fairy_school.guess import FINENESS, STRETCHES, TRAIT_NAMES, TRAITS
from fabletop.bots.fairy_school.knowledge import WEIGHTS
from fabletop.core.chance import Chance
from fabletop.lab.fairy_school import training
from fabletop.lab.fairy_school.training import world_of


def test_what_is_noted_of_a_year() -> None:
    # F-3.1, F-8.1: every seat at the start of every turn but the first; what is still gained is never negative
    rows: training.Rows = []
    world = world_of(3)
    training.situations(world, 5, rows)
    turns = world.state.year_turn - 1
    assert len(rows) == 3 * turns
    assert all(len(traits) == TRAITS and gained >= 0 for _, traits, gained in rows)
    assert [row for row, *_ in rows[:6]] == [STRETCHES + 7] * 3 + [STRETCHES + 6] * 3, "9 turns in all"
    assert max(row for row, *_ in rows) < 2 * STRETCHES


def test_the_fit_finds_what_was_put_in() -> None:
    chance = Chance(3)
    rows: training.Rows = []
    for _ in range(2000):
        traits = [1] + [chance.below(50) for _ in range(TRAITS - 1)]
        rows.append((STRETCHES, traits, 7 + 2 * traits[2] - traits[5]))
    table, notes = training.fitted(rows)
    assert len(table) == 2 * STRETCHES * TRAITS
    row = table[STRETCHES * TRAITS : (STRETCHES + 1) * TRAITS]
    wanted = {0: 7, 2: 2, 5: -1}
    assert [n / FINENESS for n in row] == pytest.approx([wanted.get(i, 0) for i in range(TRAITS)], abs=0.05)
    assert "off  0.0" in notes[STRETCHES]
    assert table[(STRETCHES + 1) * TRAITS : (STRETCHES + 2) * TRAITS] == row, "too few: as the turn before"


def test_habits_differ_but_stay_sound() -> None:
    chance = Chance(1)
    some = [training.habits(chance) for _ in range(20)]
    assert all(set(one) <= set(WEIGHTS) and one["late"] >= 2 for one in some)
    assert len({tuple(sorted(one.items())) for one in some}) == 20


def test_the_same_seed_learns_the_same(tmp_path: Path) -> None:
    texts = []
    for seed in (1, 1, 2):
        table, _ = training.fitted(training.gathered(16, seed))
        texts.append(training.written(table, 16, seed))
    assert texts[0] == texts[1] != texts[2]
    found = json.loads(texts[0])
    assert tuple(found["traits"]) == TRAIT_NAMES
    assert [len(row) for row in found["rows"]] == [TRAITS] * (2 * STRETCHES)
