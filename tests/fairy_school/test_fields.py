"""The fields of the state: one list, and everything that is made from it knows each of them."""

import re
from pathlib import Path

import pytest

from fabletop.core import copying
from fabletop.games.fairy_school import constants as c
from fabletop.games.fairy_school import engine
from fabletop.pure import load_pure

PXD = Path(c.__file__).with_name("engine.pxd").read_text(encoding="utf-8")
C_TYPES = {1: "unsigned char", 2: "unsigned short"}


def declared():
    """The arrays and numbers of the record in engine.pxd, in order: name, C type, size."""
    start = PXD.index("    # the record:")
    record = PXD[start : PXD.index("    cdef int n_options", start)]
    found = re.findall(r"^    cdef (?:readonly )?([a-z ]+?) (\w+)(?:\[(.+)\])?$", record, re.MULTILINE)
    return [(name, kind, eval(size or "1", vars(c).copy())) for kind, name, size in found]


def test_the_pxd_declares_the_fields_of_the_list_in_its_order():
    rows = declared()
    wanted = [(name, C_TYPES[width], c.SEATS_MAX * size) for name, size, width, _, _ in c.seat_fields]
    assert rows[-len(wanted) :] == wanted
    before = [name for name, _, _ in rows[: -len(wanted)]]
    assert [name for name in before if name in c.table_fields] == list(c.table_fields)
    assert len(set(before)) == len(before)


def test_the_interpreted_state_has_the_same_fields():
    state = load_pure("fabletop.games.fairy_school.engine").State(3, 1, 0, 0)
    for name, size, _, empty, _ in c.seat_fields:
        assert getattr(state, name) == [empty] * (c.SEATS_MAX * size), name
    arrays = {name for name, value in vars(state).items() if type(value) is list}
    record = {name for name, _, _ in declared()}
    assert arrays - record == {"options", "deck", "slots", "said", "rows"}, "scratch that no copy needs"


def test_two_bytes_are_emptied_with_zeros():
    assert all(empty == 0 for _, _, width, empty, _ in c.seat_fields if width == 2)


def test_c_leaves_no_gaps_in_the_record():
    if not engine.COMPILED:
        pytest.skip("interpreted: there is no C record; compile with python hatch_build.py")
    area, seats, gap = engine.record_sizes()
    assert (area, seats) == (c.AREA_BYTES, c.FIELD_BYTES)
    assert 0 <= gap < 8, "a field stands between the last one of the list and the scratch space"


def with_a_new_field(monkeypatch):
    """The interpreted engine with one more field in the seats' areas, in facts and in flows."""
    pure = load_pure("fabletop.games.fairy_school.engine")
    area = (*c.fields_of_area, ("n_wands", 1, 1, 0, 0), ("wands", 4, 1, 0, 0))
    facts = (*c.fields_of_facts, ("wish", 1, 1, 9, 0))
    flow = (*c.fields_of_flow, ("mood", 1, 1, 7, 0))
    fields = (*area, *(("was_" + row[0], *row[1:]) for row in area), *facts, *flow)
    names = [row[0] for row in fields]
    made = {
        "AREA_FIELDS": len(area),
        "FACTS_FIELDS": len(facts),
        "FLOW_FIELDS": len(flow),
        "FIRST_FACT": 2 * len(area),
        "FIRST_FLOW": 2 * len(area) + len(facts),
        "SEAT_FIELDS": len(fields),
        "FIELD_SIZE": tuple(row[1] for row in fields),
        "FIELD_CARDS": tuple(row[4] for row in fields),
        "FIELD_COUNT": tuple(
            names.index(count) if (count := re.sub("^(was_|)", r"\1n_", name)) in names else c.NONE
            for name in names
        ),
        "PART_NAMES": [
            None if name.startswith("n_") else name for name in (name.removeprefix("was_") for name in names)
        ],
        **copying.by_name(fields, len(area)),
    }
    for name, value in made.items():
        monkeypatch.setattr(pure, name, value)
    make_arrays = pure.State.make_arrays

    def with_wands(state):
        make_arrays(state)
        for name, size, _, empty, _ in fields:
            if not hasattr(state, name):
                setattr(state, name, [empty] * (c.SEATS_MAX * size))

    monkeypatch.setattr(pure.State, "make_arrays", with_wands)
    return pure


def test_a_new_field_is_copied_snapshotted_dumped_loaded_and_compared(monkeypatch):
    pure = with_a_new_field(monkeypatch)
    state = pure.State(3, 1, 0, 0)
    state.start_game(range(4))
    state.wands[4:6], state.n_wands[1], state.wish[1], state.mood[1] = [5, 6], 2, 3, 4
    twin = state.clone()
    assert (twin.area(1)["wands"], twin.facts(1)["wish"], twin.flow(1)["mood"]) == ([5, 6], 3, 4)
    assert twin == state
    twin.wands[4] = 8
    assert twin != state, "compared"
    assert state.wands[4] == 5, "a copy has lists of its own"
    state.snapshot()
    state.wands[4], state.n_wands[1] = 9, 1
    assert (state.area(1)["wands"], state.area_began(1)["wands"]) == ([9], [5, 6])
    loaded = pure.State(3, 1, 0, 0)
    loaded.load(state.dump())
    assert loaded == state
    assert (loaded.area(1)["wands"], loaded.area_began(1)["wands"]) == ([9], [5, 6])
    state.restore(1)
    assert state.area(1)["wands"] == [5, 6], "put back to where the stage began"
    assert state.mood[1] == 7, "a flow at rest"
    state.clear()
    assert (state.n_wands[1], state.wish[1]) == (0, 9)
