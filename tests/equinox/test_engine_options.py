"""Options of a new game: what is possible, and what is said to what is not."""

from datetime import date
from typing import Any

import pytest

from fabletop.core.errors import BadOptions
from fabletop.core.sitting import Sitting, start_words
from fabletop.games.equinox import EQUINOX
from fabletop.games.equinox import constants as c
from fabletop.games.equinox.options import distance, next_equinox

EIGHT = list(c.CREATURE_IDS[3:11])


def test_defaults() -> None:
    numbers = {"hand": 8, "squeak_draws": 3, "ursus_halves": 1}
    assert EQUINOX.options({}) == {"seats": 4, "creatures": "random", "first": "lot", **numbers}


def test_chosen_creatures_are_the_game() -> None:
    # E-1.2, E-2.1
    options = EQUINOX.options({"seats": 3, "creatures": EIGHT[::-1]})
    assert options["creatures"] == EIGHT
    state = EQUINOX.new(options, start_words("options", 3))
    view = EQUINOX.view(state, None)
    assert view["creatures"] == EIGHT
    assert [player["hand"] for player in view["players"]] == [8, 8, 8]
    assert view["deck"] == 102 - 24


def test_random_creatures_are_drawn_from_the_seed() -> None:
    # E-1.2: all fourteen come up, eight at a time
    drawn = [EQUINOX.view(Sitting(EQUINOX, {}, seed=str(i)).state, None)["creatures"] for i in range(40)]
    assert all(len(creatures) == 8 for creatures in drawn)
    assert {creature for creatures in drawn for creature in creatures} == set(c.CREATURE_IDS)
    assert drawn[7] == EQUINOX.view(Sitting(EQUINOX, {}, seed="7").state, None)["creatures"]


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ({"seats": 6}, "2 to 5"),
        ({"seats": 1}, "2 to 5"),
        ({"seats": True}, "2 to 5"),
        ({"seats": "4"}, "2 to 5"),
        ({"creatures": c.CREATURE_IDS[:9]}, "9 creatures: a game has exactly 8"),
        ({"creatures": [*EIGHT[:7], EIGHT[0]]}, "twice"),
        ({"creatures": [*EIGHT[:7], "ursos"]}, "ursus"),
        ({"creatures": "all"}, "random"),
        ({"creature": "random"}, "creatures"),
        ({"colour": "red"}, "the options are"),
        ({"first": 4}, "0 to 3"),
        ({"first": "me"}, "lot"),
        ({"seats": 2, "first": {"birthdays": ["01-01"], "today": "2024-01-01"}}, "one for each seat"),
        ({"seats": 2, "first": {"birthdays": ["01-01", "13-01"], "today": "2024-01-01"}}, "MM-DD"),
        ({"seats": 2, "first": {"birthdays": ["01-01", "02-01"], "today": "soon"}}, "2024-06-01"),
        ({"seats": 2, "first": {"birthdays": ["01-01", "02-01"]}}, "today"),
    ],
)
def test_impossible_options_say_what_would_be_right(given: dict[str, Any], hint: str) -> None:
    with pytest.raises(BadOptions, match=hint):
        EQUINOX.options(given)


def test_the_first_seat_by_choice_and_by_lot() -> None:
    # E-2.2, E-2.3
    first = {EQUINOX.new({"first": 2}, start_words(str(i), 4)).turn for i in range(5)}
    assert first == {2}
    drawn = {EQUINOX.new({"first": "lot"}, start_words(str(i), 4)).turn for i in range(40)}
    assert drawn == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("today", "birthdays", "first"),
    [
        ("2024-06-01", ["03-21", "09-20", "10-01"], 1),  # the next equinox is that of September
        ("2024-09-23", ["09-23", "03-01", "04-30"], 1),  # on the day itself the next one is that of March
        ("2024-12-31", ["12-25", "03-31", "06-30"], 1),  # over the turn of the year
        ("2024-01-05", ["03-24", "03-18", "07-07"], 0),  # a tie goes to the lower seat
        ("2023-01-05", ["02-28", "02-29", "04-12"], 1),  # who is born on a leap day is not left out
    ],
)
def test_the_first_seat_by_birthday(today: str, birthdays: list[str], first: int) -> None:
    # E-2.2
    options = {"seats": 3, "first": {"birthdays": birthdays, "today": today}}
    state = EQUINOX.new(EQUINOX.options(options), start_words("birthday", 3))
    assert state.turn == first


def test_days_are_counted_in_either_direction() -> None:
    # E-2.2
    assert next_equinox(date(2024, 3, 20)) == date(2024, 3, 21)
    assert next_equinox(date(2024, 3, 21)) == date(2024, 9, 23)
    assert next_equinox(date(2024, 10, 1)) == date(2025, 3, 21)
    assert distance("03-20", date(2025, 3, 21)) == distance("03-22", date(2025, 3, 21)) == 1
    assert distance("12-31", date(2025, 3, 21)) == 80
