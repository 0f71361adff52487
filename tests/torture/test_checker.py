"""The checker finds every kind of fault in histories that are wrong on purpose, and nothing in good ones."""

import pytest

from tests.torture.checker import DOUBLED, LOST, REORDERED, STALE, Entry, Log, check
from tests.torture.history import ACT, FAIL, INFO, INVOKE, LOOK, OK, TOLD, UNDO, Event, History, read

T = "table"


def event(client, kind, what, op="", seq=None, line=1, action="go"):
    seats = {"Ana": 0, "Ben": 1}
    return Event(0.0, client, line, T, seats.get(client), kind, what, op, action if op else "", seq)


def did(client, op, seq=None):
    return [event(client, INVOKE, ACT, op), event(client, OK, ACT, op, seq)]


def looked(client, op, seq):
    return [event(client, INVOKE, LOOK, op, line=0), event(client, OK, LOOK, op, seq, line=0)]


def log(*ops):
    """A log in which everybody hears of everything."""
    seqs = list(range(len(ops) + 1))
    return {T: Log([Entry(seat, op, "go") for seat, op in ops], {0: seqs, 1: seqs, None: seqs})}


def kinds(events, logs):
    return [finding.kind for finding in check(events, logs)]


GOOD = [
    *did("Ana", "a1", 1),
    *looked("Cleo", "look", 1),
    event("Ben", INVOKE, ACT, "b1"),
    event("Ana", TOLD, "update", seq=2),
    *looked("Cleo", "again", 2),
    event("Ben", OK, ACT, "b1", 2),
    event("Ana", INVOKE, ACT, "a2"),
    event("Ana", INFO, ACT, "a2"),
    event("Ben", INVOKE, UNDO, "b2"),
    event("Ben", FAIL, UNDO, "b2"),
]


@pytest.mark.parametrize("logged", [[(0, "a1"), (1, "b1")], [(0, "a1"), (1, "b1"), (0, "a2")]])
def test_a_good_history_whether_or_not_the_open_operation_was_carried_out(logged):
    assert kinds(GOOD, log(*logged)) == []


def test_lost():
    assert kinds(did("Ana", "a1"), log()) == [LOST]
    assert kinds(did("Ana", "a1"), {}) == [LOST]
    assert kinds([*did("Ana", "a1"), event("Cleo", TOLD, "update", seq=3)], log((0, "a1"))) == [LOST]
    wrong = {T: Log([Entry(0, "a1", "stay")], {0: [0, 1], 1: [0, 1], None: [0, 1]})}
    assert kinds(did("Ana", "a1"), wrong) == [LOST]


def test_doubled():
    assert kinds(did("Ana", "a1"), log((0, "a1"), (0, "a1"))) == [DOUBLED]
    assert kinds(did("Ana", "a1"), log((0, "a1"), (1, "b7"))) == [DOUBLED]
    refused = [event("Ana", INVOKE, ACT, "a1"), event("Ana", FAIL, ACT, "a1")]
    assert kinds(refused, log((0, "a1"))) == [DOUBLED]


def test_reordered():
    assert kinds([*did("Ana", "a1"), *did("Ben", "b1")], log((1, "b1"), (0, "a1"))) == [REORDERED]
    together = [event("Ana", INVOKE, ACT, "a1"), *did("Ben", "b1"), event("Ana", OK, ACT, "a1")]
    assert kinds(together, log((0, "a1"), (1, "b1"))) == []
    assert kinds(together, log((1, "b1"), (0, "a1"))) == []


def test_a_gap_or_a_repetition_on_one_connection():
    logs = log((0, "a1"), (0, "a2"), (0, "a3"))
    asked = [event("Ana", INVOKE, ACT, op) for op in ("a1", "a2", "a3")]
    gap = [event("Ben", TOLD, "update", seq=1), event("Ben", TOLD, "update", seq=3)]
    assert kinds(asked + gap, logs) == [REORDERED]
    twice = [event("Ben", TOLD, "update", seq=1), event("Ben", TOLD, "update", seq=1)]
    assert kinds(asked + twice, logs) == [REORDERED]


def test_stale():
    logs = log((0, "a1"), (1, "b1"))
    behind = [*did("Ana", "a1"), *did("Ben", "b1"), *looked("Cleo", "look", 1)]
    assert kinds(behind, logs) == [STALE], "what was acknowledged must be in the answer"
    asked = [event("Ana", INVOKE, ACT, "a1"), event("Ben", INVOKE, ACT, "b1")]
    spread = [*asked, event("Ana", TOLD, "update", seq=2), *looked("Cleo", "look", 1)]
    assert kinds(spread, logs) == [STALE], "what anybody was told must be in it"
    overlapping = [
        *asked,
        event("Cleo", INVOKE, LOOK, "look", line=0),
        event("Ana", TOLD, "update", seq=2),
        event("Cleo", OK, LOOK, "look", 1, line=0),
    ]
    assert kinds(overlapping, logs) == [], "but only what was known when it was asked for"


def test_a_sequence_number_that_goes_back():
    asked = [event("Ana", INVOKE, ACT, "a1"), event("Ana", INVOKE, ACT, "a2")]
    back = [event("Ben", TOLD, "update", seq=2, line=1), event("Ben", TOLD, "update", seq=1, line=2)]
    assert kinds(asked + back, log((0, "a1"), (0, "a2"))) == [STALE]


def test_a_history_can_be_saved_and_read(tmp_path):
    history = History()
    history.note("Ana", 1, T, 0, INVOKE, ACT, "a1", "go")
    history.note("Ana", 1, T, 0, OK, ACT, "a1", "go", 1)
    history.save(tmp_path / "history")
    assert read(tmp_path / "history") == history.events
    assert history.acknowledged() == 1
