"""Sittings: acting, the undo barrier, replaying."""

import pytest

from fabletop import GAMES, Chance
from fabletop.core.chance import commitment, verify
from fabletop.core.errors import BadOptions, BadRecord, BadText, CannotUndo, NotOffered
from fabletop.core.records import Record, parse
from fabletop.core.sitting import MARK_EVERY, Sitting, opened, replay, steps
from tests.core.toy import KEEP, Toy, ToyState


def sitting(**kwargs):
    return Sitting(Toy(), seed="a", **kwargs)


def test_an_action_may_be_given_by_text_or_number():
    table = sitting()
    table.act(0, "keep")
    table.act(1, 0)
    assert table.record().actions == ((0, "keep"), (1, "keep"))


WRONG = [
    (0, "show", NotOffered),
    (7, "keep", NotOffered),
    (0, "jump", BadText),
    (0, 2**70, NotOffered),
    (0, -1, NotOffered),
    (0, 0.5, NotOffered),
    (0, None, NotOffered),
    (0, True, NotOffered),
    ("0", "keep", NotOffered),
    (True, "keep", NotOffered),
]


class Int64:
    """A whole number that is no `int`, as numpy's are."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


@pytest.mark.parametrize("game", GAMES)
def test_numbers_of_numpy_are_seats_and_actions(game):
    table = Sitting(GAMES[game], {"seats": Int64(2)}, seed="numpy")
    seat, choice = next(iter(table.pending.items()))
    table.act(Int64(seat), Int64(choice.options[0]))
    assert table.actions == [(seat, choice.options[0])]
    assert [type(n) for n in table.actions[0]] == [int, int]
    assert table.view(Int64(seat)) == table.view(seat)
    assert table.undo_barrier(Int64(seat)) == table.undo_barrier(seat)
    assert replay(GAMES[game], parse(table.record().text())).actions == table.actions


@pytest.mark.parametrize(
    ("seed", "message"), [(7, "the seed is 7; it should be a text, such as '7'"), ("\ud800", "half a char")]
)
def test_a_seed_that_is_no_text_gets_words(seed, message):
    with pytest.raises(BadOptions, match=message):
        Sitting(Toy(), seed=seed)


def test_what_is_not_offered_changes_nothing():
    table = sitting()
    for seat, action, error in WRONG:
        with pytest.raises(error):
            table.act(seat, action)
    assert table.actions == []
    assert table.view(0) == sitting().view(0)


def test_undo_takes_back_what_nobody_learned_from():
    table = sitting()
    before = table.view(0)
    table.act(0, "keep")
    table.act(1, "keep")  # others act meanwhile in a stage played at once
    assert table.undo(0) == 0
    assert table.view(0) == before
    assert table.actions == [(1, 0)]


@pytest.mark.parametrize(("game", "seats", "seldom"), [("equinox", 2, 3), ("fairy_school", 3, 20)])
def test_undo_in_a_long_game_comes_to_the_same_and_replays_only_the_end(game, seats, seldom, monkeypatch):
    table, chance, taken = Sitting(GAMES[game], {"seats": seats}, seed="long"), Chance(7), 0
    replayed = []
    act = Sitting.act
    monkeypatch.setattr(Sitting, "act", lambda self, *what: replayed.append(what) or act(self, *what))
    while table.outcome is None:
        seat = chance.pick(sorted(table.pending))
        table.act(seat, chance.pick(table.pending[seat].options))
        if table.undo_barrier(seat) is None and chance.below(seldom) == 0:
            resumed = Sitting.resumed(table.game, table.options, table.seed, (), table.saved())
            replayed.clear()
            table.undo(seat)
            assert len(replayed) < 2 * MARK_EVERY
            resumed.undo(seat)
            whole = replay(table.game, table.record())
            for other in (whole, resumed):
                assert other.saved() == table.saved()
                assert other.rows == table.rows
            taken += 1
    assert len(table.actions) > MARK_EVERY
    assert taken > 5


def test_undo_stops_where_something_was_learned():
    table = sitting()
    table.act(0, "swap")
    assert table.undo_barrier(0) == "learned"
    with pytest.raises(CannotUndo, match="showed somebody something hidden"):
        table.undo(0)
    table.act(0, "done")
    table.undo(0)  # done can be taken back, the swap before it cannot
    assert table.undo_barrier(0) == "learned"


def test_undo_stops_where_the_stage_has_closed_or_another_seat_has_acted():
    table = sitting()
    assert table.undo_barrier(0) == "nothing"
    for seat in range(3):
        table.act(seat, "keep")
    for seat in range(3):
        table.act(seat, "done")
    assert table.undo_barrier(0) == "closed"
    table.act(0, "pass")
    assert table.undo_barrier(0) is None
    table.act(1, "pass")
    assert table.undo_barrier(0) == "acted"
    assert table.undo_barrier(1) is None


def test_events_of_a_stage_reach_the_others_when_it_closes():
    table = sitting()
    table.act(2, "swap")
    table.act(0, "swap")
    assert [e["seat"] for e in table.events(0)] == [0]
    assert table.events(None) == []
    for seat in (2, 0):
        table.act(seat, "done")
    table.act(1, "keep")
    table.act(1, "done")
    assert [(e["seat"], "drawn" in e.fields) for e in table.events(0)] == [(0, True), (2, False)]
    assert [e["seat"] for e in table.events(None)] == [0, 2]


def test_a_record_replays_step_by_step():
    table = sitting(names=["Ana", "Ben", "Cleo"])
    for seat in range(3):
        table.act(seat, "swap")
    record = table.record(level=1)
    assert record.names == ("Ana", "Ben", "Cleo")
    assert record.about == {"level": 1}
    assert [len(s.actions) for s in steps(Toy(), record)] == [0, 1, 2, 3]
    assert replay(Toy(), record).view(1) == table.view(1)


def test_the_seed_can_be_checked_against_its_commitment():
    table = sitting()
    assert table.commitment == commitment("a")
    assert verify("a", table.commitment)
    assert not verify("b", table.commitment)


def test_the_salt_goes_with_the_record_and_is_not_needed_in_old_ones():
    table = Sitting(Toy(), {"seats": 3}, seed="a", salt="f" * 32)
    again = Sitting.resumed(table.game, table.options, table.seed, (), table.saved(), table.salt)
    for made in (table.record(), again.record(), parse(table.record().text())):
        assert verify(made.seed, table.commitment, made.salt)
        assert replay(Toy(), made).commitment == table.commitment
    assert "salt" not in sitting().record().text()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": "chess"}, "a record of chess, not of toy"),
        ({"rules": 9}, "version 9 of the rules of toy; this Fabletop plays version 1"),
        ({"digest": "0123"}, r"with other cards or other numbers .*toy \(digest 0123, here d16e57\)"),
        ({"options": {"seats": 8}}, "options of this record do not make a game: a toy game has 3 seats"),
    ],
)
def test_a_record_of_something_else_is_refused(change, message):
    record = Record(**{"game": "toy", "rules": 1, "options": {}, "seed": "a", **change})
    with pytest.raises(BadRecord, match=message):
        opened(Toy(), record)


def test_a_record_carries_the_digest_and_an_old_one_without_is_taken():
    record = parse(sitting().record().text())
    assert record.digest == Toy.digest
    assert "digest" not in Record("toy", 1, {}, "a").text()
    for one in (record, Record("toy", 1, {}, "a")):
        assert opened(Toy(), one).pending


def test_a_record_that_does_not_replay_names_the_action():
    record = Record("toy", 1, {}, "a", ((0, "keep"), (0, "show")))
    with pytest.raises(BadRecord, match="action 2, '0 show', cannot be replayed"):
        replay(Toy(), record)


def test_legality_is_asked_once(monkeypatch):
    asked = []
    legal = ToyState.legal
    monkeypatch.setattr(ToyState, "legal", lambda state, seat: asked.append(seat) or legal(state, seat))
    one = sitting()
    asked.clear()
    one.act(0, KEEP)
    assert asked == [0]
    one.act_offered(1, KEEP)
    assert asked == [0], "the caller has asked"
