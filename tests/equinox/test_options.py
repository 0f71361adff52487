"""What makes a game and what does not: options, seats, records of other rules."""

import json
from dataclasses import replace

import pytest

from fabletop.core.chance import Chance
from fabletop.core.errors import BadOptions, BadRecord, BadText, NotOffered
from fabletop.core.records import parse
from fabletop.core.sitting import Sitting, replay
from fabletop.games.equinox import EQUINOX
from fabletop.games.equinox.constants import CREATURE_IDS

EIGHT = list(CREATURE_IDS[:8])
NUMBERS = {"squeak_draws": 3, "ursus_halves": 1}
"""The numbers of powers that a study may change."""


def test_the_defaults():
    # E-1.1, E-1.2, E-2.2
    assert EQUINOX.options({}) == {"seats": 4, "creatures": "random", "first": "lot", "hand": 8, **NUMBERS}


def test_options_are_completed_and_put_in_order_and_stay_the_same_when_checked_again():
    # E-1.2
    options = EQUINOX.options({"seats": 3, "creatures": EIGHT[::-1]})
    assert options == {"seats": 3, "creatures": EIGHT, "first": "lot", "hand": 8, **NUMBERS}
    assert EQUINOX.options(options) == options
    assert json.loads(json.dumps(options)) == options


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"seats": 6}, "seats is 6; Equinox is for 2 to 5"),
        ({"seats": 1}, "seats is 1; Equinox is for 2 to 5"),
        ({"creatures": list(CREATURE_IDS[:9])}, "9 creatures: a game has exactly 8"),
        ({"creatures": list(CREATURE_IDS[:7])}, "7 creatures: a game has exactly 8"),
        ({"creatures": [*EIGHT[:7], "squeak"]}, "'squeak' stands twice among the creatures"),
        ({"creatures": [*EIGHT[:7], "ursos"]}, "there is no creature 'ursos'; did you mean 'ursus'?"),
        ({"creatures": "all"}, "creatures should be 'random' or a list of 8 ids, not 'all'"),
        ({"seats": 3, "first": 3}, "the first seat is 3, but the seats are 0 to 2"),
        ({"first": "me"}, "first should be 'lot', a seat, or"),
        (
            {"seats": 3, "first": {"birthdays": ["03-21"], "today": "2026-01-01"}},
            "birthdays should be a list of 3, one for each seat",
        ),
        (
            {"seats": 2, "first": {"birthdays": ["03-21", "13-01"], "today": "2026-01-01"}},
            "a birthday should be written MM-DD, like '09-23', not '13-01'",
        ),
        (
            {"seats": 2, "first": {"birthdays": ["03-21", "01-01"], "today": "tomorrow"}},
            "today should be a date",
        ),
        (
            {"seats": 2, "first": {"birthdays": ["03-21", "W10-1"], "today": "2026-01-01"}},
            "a birthday should be written MM-DD, like '09-23', not 'W10-1'",
        ),
        (
            {"seats": 2, "first": {"birthdays": ["03-21", "01-01"], "today": "9999-12-31"}},
            "today should be a date of our time",
        ),
        (
            {"seats": 2, "first": {"birthdays": ["03-21", "01-01"], "today": "0001-01-01"}},
            "today should be a date of our time",
        ),
        ({"creature": EIGHT}, "Equinox has no option 'creature'; did you mean 'creatures'?"),
        ({"variant": 1}, "Equinox has no option 'variant'; the options are seats, creatures, first"),
    ],
)
def test_impossible_options_are_refused_with_what_would_be_right(given, said):
    # E-1.1, E-1.2, E-2.2
    with pytest.raises(BadOptions) as caught:
        Sitting(EQUINOX, given, seed="x")
    assert str(caught.value).startswith(said)


def test_what_a_person_is_asked_for():
    # E-1.2, E-2.2
    settings = {setting.name: setting for setting in EQUINOX.settings}
    assert settings["creatures"].values == CREATURE_IDS
    assert (settings["creatures"].count, settings["creatures"].default) == (8, "random")
    assert settings["first"].kind == "first"
    assert EQUINOX.seat_counts == range(2, 6)


# ---- what a sitting refuses


@pytest.fixture
def sitting():
    return Sitting(EQUINOX, {"seats": 2, "first": 0}, seed="midsummer")


def everything(sitting):
    views = [sitting.view(viewer) for viewer in (None, 0, 1)]
    return EQUINOX.position(sitting.state), views, sitting.record(), list(sitting.rows)


@pytest.mark.parametrize(
    ("seat", "action", "said"),
    [
        (0, "use", "'use' is not offered"),
        (0, 9999, "9999"),
        (0, -1, "-1"),
        (1, "pass", "seat 1"),
        (2, "pass", "there is no seat 2; the seats are 0 to 1"),
        (-1, "pass", "there is no seat -1"),
        (0, "dance", "'dance' is no action of Equinox"),
        (0, "", "'' is no action of Equinox"),
        (0, "hoot 11", "'hoot 11' is no action of Equinox"),
        (0, "hooot", "did you mean hoot"),
        (0, "row 6 hoot", "is no action of Equinox"),
    ],
)
def test_a_refused_action_says_why_and_changes_nothing(sitting, seat, action, said):
    before = everything(sitting)
    with pytest.raises(ValueError) as caught:
        sitting.act(seat, action)
    assert said in str(caught.value)
    assert everything(sitting) == before
    sitting.act(0, "pass")  # and the game goes on as if nothing had been said
    other = Sitting(EQUINOX, {"seats": 2, "first": 0}, seed="midsummer")
    other.act(0, "pass")
    assert everything(sitting) == everything(other)


def test_a_refusal_names_what_is_offered(sitting):
    with pytest.raises(NotOffered) as caught:
        sitting.act(0, "reveal")
    offered = [EQUINOX.actions[action] for action in sitting.pending[0].options]
    assert all(text in str(caught.value) for text in offered[:3])


def test_nothing_can_be_done_after_the_end(sitting):
    while sitting.pending:
        (seat,) = sitting.pending
        sitting.act(seat, sitting.pending[seat].options[-1])
    before = everything(sitting)
    with pytest.raises(NotOffered, match="over"):
        sitting.act(0, "pass")
    assert everything(sitting) == before


def test_a_record_of_other_rules_is_refused(sitting):
    record = sitting.record()
    with pytest.raises(BadRecord, match="version 99 of the rules of equinox; this Fabletop plays version 2"):
        replay(EQUINOX, replace(record, rules=99))
    with pytest.raises(BadRecord, match="a record of chess"):
        replay(EQUINOX, replace(record, game="chess"))


def test_a_record_with_an_impossible_action_is_refused(sitting):
    sitting.act(0, "pass")
    record = sitting.record()
    with pytest.raises(BadRecord, match=r"action 2, '1 pass', cannot be replayed"):
        replay(EQUINOX, replace(record, actions=(*record.actions, (1, "pass"))))


def test_a_damaged_record_is_refused(sitting):
    text = sitting.record().text()
    with pytest.raises(BadRecord, match="damaged"):
        parse(text[:40])


@pytest.mark.parametrize("size", [6, 7, 10])
def test_a_study_may_deal_hands_of_another_size(size):
    # E-2.1, E-6.3: the hand size is a setting for studies; eight is the rule
    sitting = Sitting(EQUINOX, {"seats": 3, "hand": size}, seed="hands")
    assert [len(sitting.view(seat)["own"]["hand"]) for seat in range(3)] == [size] * 3
    twin = EQUINOX.from_position(EQUINOX.position(sitting.state))
    assert twin.full_hand == size
    chance = Chance.from_text("hands")
    while sitting.pending:
        for seat, choice in sitting.pending.items():
            sitting.act(seat, chance.pick(choice.options))
        assert sitting.view(0)["full_hand"] == size
        assert all(player["hand"] <= size + 6 for player in sitting.view(None)["players"])


@pytest.mark.parametrize("size", [5, 11, "8", True, 6.5])
def test_a_hand_size_outside_its_bounds_is_refused(size):
    with pytest.raises(BadOptions, match="6 to 10"):
        EQUINOX.options({"hand": size})


@pytest.mark.parametrize("text", ["hand=200", "hand=0", "hand=99999999999"])
def test_a_position_with_a_hand_size_outside_its_bounds_is_refused(text):
    position = EQUINOX.position(Sitting(EQUINOX, {"seats": 2, "hand": 7}, seed="p").state)
    assert "hand=7" in position
    with pytest.raises(BadText, match="hand="):
        EQUINOX.from_position(position.replace("hand=7", text))
