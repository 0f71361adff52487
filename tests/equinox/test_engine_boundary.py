"""The engine's outer edge: what is asked, refused, said and counted."""

import json

import pytest

from fabletop.core.chance import Chance
from fabletop.core.errors import NotOffered
from fabletop.core.sitting import Sitting, start_words
from fabletop.games.equinox import EQUINOX
from fabletop.games.equinox import constants as c
from fabletop.pure import load_pure


def test_a_new_game_tells_how_it_began() -> None:
    # E-2.1, E-9: the cards dealt are told to their owner alone
    state = EQUINOX.new({"seats": 2, "first": 1}, start_words("began", 2))
    rows = state.heard()
    told = EQUINOX.events.story(rows, 0)
    assert [event.kind for event in told] == ["game_began", "dealt", "dealt", "round_began", "turn_began"]
    assert told[1].fields == {"seat": 0, "count": 8, "cards": EQUINOX.view(state, 0)["own"]["hand"]}
    assert told[2].fields == {"seat": 1, "count": 8}
    assert told[4]["seat"] == 1
    assert state.heard() == []


def test_events_cost_nothing_unless_somebody_listens() -> None:
    state = EQUINOX.new({"seats": 2}, start_words("deaf", 2))
    state.heard()
    state.step(0)
    assert state.heard() == []
    state.listen(True)
    state.step(0)
    assert len(state.heard()) > 0


def test_every_event_can_be_told_to_everybody() -> None:
    """Over many games: every row fits its table, and nobody else sees what is for certain eyes."""
    kinds = set()
    for seed in range(60):
        sitting = Sitting(EQUINOX, {"seats": 2 + seed % 4}, seed=f"told {seed}")
        chance = Chance(seed)
        while pending := sitting.pending:
            seat = next(iter(pending))
            sitting.act(seat, chance.pick(pending[seat].options))
        for row in sitting.rows:
            whole = EQUINOX.events.decode(row)
            kinds.add(whole.kind)
            json.dumps(whole.json())
        private = [
            row for row in sitting.rows if EQUINOX.events.decode(row).kind in ("drew", "gave", "looked_at")
        ]
        assert all(not {"card", "cards"} & set(EQUINOX.events.redact(row, None).fields) for row in private)
    missing = {kind.name for kind in EQUINOX.events.kinds.values()} - kinds
    assert missing <= {"hand_shown", "stalled", "found_nothing", "took_back_secret", "took_back_champion"}


def test_what_is_not_offered_is_refused_with_a_reason() -> None:
    state = EQUINOX.from_position("turn ana   phase discard   out: stag\n ana: stag 3, hoot 1   ben: hoot 2")
    before = EQUINOX.position(state)
    with pytest.raises(NotOffered, match=r"'hoot-1' is not offered; offered are stag-3, pass"):
        state.apply(0, EQUINOX.parse("hoot 1"))
    with pytest.raises(NotOffered, match="seat 0 has to decide"):
        state.apply(1, EQUINOX.parse("hoot 2"))
    with pytest.raises(NotOffered, match="action 4000"):
        state.apply(0, 4000)
    with pytest.raises(NotOffered, match="2 options"):
        state.step(2)
    assert EQUINOX.position(state) == before


def test_nothing_is_asked_after_the_end() -> None:
    state = EQUINOX.new({"seats": 2}, start_words("end", 2))
    state.finish_randomly(5)
    assert state.asked() == []
    assert EQUINOX.pending(state) == {}
    assert EQUINOX.outcome(state) is not None
    with pytest.raises(NotOffered, match="over"):
        state.apply(0, c.PASS)


def test_the_reckoning_adds_up_to_the_score() -> None:
    # E-8.1, E-4.1, E-7.13
    halves = 0
    for seed in range(40):
        state = EQUINOX.new({"seats": 4}, start_words(f"reckoning {seed}", 4))
        state.finish_randomly(seed)
        outcome = EQUINOX.outcome(state)
        assert outcome is not None
        sums = [sum(pebble["value"] for pebble in entry["pebbles"]) for entry in outcome.reckoning]
        assert tuple(sums) == outcome.scores
        last = [
            max((pebble["total"] for pebble in entry["pebbles"]), default=0) for entry in outcome.reckoning
        ]
        assert tuple(last) == outcome.scores
        view = EQUINOX.view(state, None)
        assert view["outcome"] is not None
        assert view["outcome"]["reckoning"] == list(outcome.reckoning)
        assert max(outcome.scores) == outcome.scores[outcome.winners[0]]
        halves += any(score % 1 for score in outcome.scores)
    assert halves > 0


def test_drawing_and_playing_are_marked_as_learned() -> None:
    """Who learned something hidden: what may be taken back depends on it."""
    state = EQUINOX.from_position("""
        3 seats   turn ana   phase predict
             hoot   stag
        ana: hoot 1, hoot 2, hoot 3, hoot 4, hoot 5, hoot 6, hoot 7, hoot 8
    """)
    state.apply(0, EQUINOX.parse("stag"))
    assert state.learned == 0, "a regular prediction tells nothing hidden"
    state.apply(0, EQUINOX.parse("hoot 3"))
    assert state.learned == 0b1111, "all see the card, ana sees what she draws; bit 3 is the spectator"


def test_keeping_an_eye_on_derived_numbers() -> None:
    """Controllers, free cells and filled cells are kept up to date; a state read from its text has them afresh."""
    for seed in range(2):
        state = EQUINOX.new({"seats": 3}, start_words(f"derived {seed}", 3))
        chance = Chance(seed)
        while state.phase != c.OVER:
            d = state.dump()
            again = EQUINOX.from_position(EQUINOX.position(state))
            assert again.dump()["controller"] == d["controller"]
            assert again.legal_actions() == state.legal_actions()
            full = again.clone()
            index = chance.below(state.n_options)
            for world in (state, full):
                world.apply(world.actor, world.legal_actions()[index])
            assert EQUINOX.position(full) == EQUINOX.position(state)


def test_an_empty_table_has_no_stakes_and_no_bounds_whatever_the_numbers_of_rows_and_seats(monkeypatch):
    # E-2.1: each array is cleared in a loop of its own size; with fewer rows than seats this would show
    pure = load_pure("fabletop.games.equinox.engine")
    monkeypatch.setattr(pure, "ROWS", 3)
    monkeypatch.setattr(pure, "CELLS", 3 * c.COLUMNS)
    state = pure.State(5)
    for name in ("stake", "at_least", "top", "pebble", "taken"):
        getattr(state, name)[:] = [7] * len(getattr(state, name))
    state.clear()
    blank = pure.State(5)
    for name in ("stake", "at_least", "top", "pebble", "taken"):
        assert getattr(state, name) == getattr(blank, name), name


def test_every_row_has_a_value():
    # E-4.1
    assert len(c.ROW_VALUE) == c.ROWS
    assert (c.CHAMPION_VALUE, *c.ROW_VALUE) == (5, 4, 3, 2, 1, 0)
