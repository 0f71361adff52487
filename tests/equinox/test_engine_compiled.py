"""The compiled engine and the interpreted one are the same rules: step by step, and by the thousand."""

import re
from pathlib import Path

import pytest

from fabletop.core.chance import Chance
from fabletop.games.equinox import constants as c
from fabletop.games.equinox import engine, playouts, view
from fabletop.pure import load_pure

needs_compiler = pytest.mark.skipif(
    not engine.COMPILED, reason="both are interpreted here: nothing to compare"
)


@needs_compiler
@pytest.mark.parametrize("seats", range(2, 6))
def test_compiled_and_interpreted_agree_step_by_step(seats: int) -> None:
    pure = load_pure("fabletop.games.equinox.engine")
    assert not pure.COMPILED
    asked = set()
    for seed in range(6):
        chance = Chance(seed)
        worlds = [engine.State(seats), pure.State(seats)]
        for world in worlds:
            world.start_game(0, c.NONE, seed)
            world.listen(True)
        while worlds[0].phase != c.OVER:
            asked.add(worlds[0].phase)
            index = chance.below(worlds[0].n_options)
            assert worlds[0].legal_actions() == worlds[1].legal_actions()
            assert worlds[0].heard() == worlds[1].heard()
            assert worlds[0].dump() == worlds[1].dump()
            if chance.below(8) == 0:
                viewer, word = chance.below(seats + 1), chance.word()
                imagined = [world.clone() for world in worlds]
                for world in imagined:
                    world.redeal(viewer, word)
                assert imagined[0].dump() == imagined[1].dump()
            for world in worlds:
                world.step(index)
            assert worlds[0].learned == worlds[1].learned
        assert worlds[0].dump() == worlds[1].dump()
        assert worlds[0].heard() == worlds[1].heard()
        assert worlds[0].half_points() == worlds[1].half_points()
        assert worlds[0].winning() == worlds[1].winning()
    assert len(asked) > 10


@needs_compiler
@pytest.mark.parametrize("seats", range(2, 6))
def test_compiled_and_interpreted_show_the_same(seats: int) -> None:
    pure, plain = (load_pure(f"fabletop.games.equinox.{name}") for name in ("engine", "view"))
    chance = Chance(seats)
    worlds = [engine.State(seats), pure.State(seats)]
    for world in worlds:
        world.start_game(0, c.NONE, 2026)
    shown = set()
    while worlds[0].phase != c.OVER:
        index = chance.below(worlds[0].n_options)
        for world in worlds:
            world.step(index)
        for viewer in (None, *range(seats)):
            seen = view.ViewBuilder(worlds[0]).view(viewer)
            assert plain.ViewBuilder(worlds[1]).view(viewer) == seen
            assert view.ViewBuilder(worlds[0], str).common() == plain.ViewBuilder(worlds[1], str).common()
        shown.add(str(seen))
    assert len(shown) > 40


@needs_compiler
def test_playouts_are_the_same_interpreted() -> None:
    pure = load_pure("fabletop.games.equinox.playouts")
    for seats in range(2, 6):
        assert playouts.Playouts(seats, 5).run(25) == pure.Playouts(seats, 5).run(25)


def test_playouts_count() -> None:
    counts = playouts.Playouts(4, 11).run(50)
    assert counts["games"] == 50
    assert 50 <= sum(counts["wins"]) <= 200
    assert 50 * 60 < counts["choices"] < counts["decisions"] < 50 * 400
    assert all(points > 0 for points in counts["points"])
    more = playouts.Playouts(4, 11)
    more.run(20)
    assert more.run(30) == counts, "to play on is to play longer"


def test_a_state_is_small() -> None:
    if engine.COMPILED:
        assert engine.State(5).nbytes <= 4096
    else:
        assert engine.State(5).nbytes > 0


def test_chance_is_that_of_the_core() -> None:
    """SplitMix64 with the same bounded draw, so that a game can be replayed by anyone."""
    chance = Chance(42)
    state = engine.State(2)
    state.start_game(0xFF, 0, 42)
    bag = [kind * 11 + k for kind in range(8) for k in range(11)] + list(range(c.FIRST_CHAMELEON, c.CARDS))
    for seat in range(2):
        hand = []
        for _ in range(8):
            i = chance.below(len(bag))
            hand.append(bag[i])
            bag[i] = bag[-1]
            bag.pop()
        assert state.dump()["hands"][seat] == hand


def test_every_field_is_in_the_part_of_the_record_that_copies_take():
    """What is declared below `mask` is copied by name or is scratch: a new field there would be lost in copies."""
    text = Path(c.__file__).with_name("engine.pxd").read_text(encoding="utf-8")
    fields = re.findall(r"^    cdef (?:readonly )?[a-z ]+? (\w+)(?:\[.+\])?$", text, re.MULTILINE)
    cut = fields.index("mask")
    assert set(fields[cut:]) == {"mask", "said", "room", "kinds", "in_order", "start", "group"}
    state = load_pure("fabletop.games.equinox.engine").State(3)
    assert set(vars(state)) == set(fields), "the interpreted state has the same fields"
