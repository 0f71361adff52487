"""Sections 1 and 2 of the rules: what there is, and how a game begins."""

from collections import Counter
from datetime import date

import pytest

from fabletop.core.errors import BadOptions
from fabletop.core.sitting import Sitting
from fabletop.games.equinox import EQUINOX
from fabletop.games.equinox.constants import CARD_IDS, CREATURE_IDS
from fabletop.games.equinox.options import distance, next_equinox
from tests.equinox.scene import scene

EIGHT = ["squeak", "stag", "hoot", "carmen", "fungy", "goatman", "ursus", "pilgrim"]


def opening(seats=4, seed="spring", **options):
    return Sitting(EQUINOX, {"seats": seats, **options}, seed=seed)


def all_cards(sitting):
    """Every card of a game, wherever it is: what all seats hold and what is left in the deck."""
    held = [card for seat in range(sitting.state.seats) for card in sitting.view(seat)["own"]["hand"]]
    deck = sitting.state.dump()["deck"]
    return Counter(held) + Counter(CARD_IDS[card] for card in deck)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_two_to_five_players_with_five_pebbles_each(seats):
    # E-1.1
    players = opening(seats).view(None)["players"]
    assert [player["pebbles"] for player in players] == [5] * seats


@pytest.mark.parametrize("seats", [0, 1, 6, -2, 2.5, True, "4", None])
def test_no_other_number_of_players(seats):
    # E-1.1
    with pytest.raises(BadOptions, match="2 to 5"):
        EQUINOX.options({"seats": seats})


def test_there_are_fourteen_creatures_with_eleven_cards_each():
    # E-1.2
    assert len(CREATURE_IDS) == 14
    for creature in CREATURE_IDS:
        assert [card for card in CARD_IDS if card.startswith(f"{creature}-")] == [
            f"{creature}-{strength}" for strength in range(11)
        ]


def test_the_players_may_choose_the_eight_creatures():
    # E-1.2
    sitting = opening(creatures=EIGHT)
    assert sitting.view(None)["creatures"] == EIGHT
    dealt = all_cards(sitting)
    assert {card.rpartition("-")[0] for card in dealt} - {"", "chameleon"} == set(EIGHT)


def test_eight_creatures_are_drawn_at_random():
    # E-1.2, E-2.1
    seen = Counter()
    for seed in range(60):
        creatures = opening(2, seed=f"lot {seed}").view(None)["creatures"]
        assert len(set(creatures)) == 8
        seen.update(creatures)
    assert seen.keys() == set(CREATURE_IDS)  # every one takes part at some time


def test_there_are_eleven_chameleons_one_ancestor_and_two_dryads():
    # E-1.3, E-1.4
    cards = all_cards(opening(creatures=EIGHT))
    assert [cards[f"chameleon-{strength}"] for strength in range(11)] == [1] * 11
    assert (cards["ancestor"], cards["dryad"]) == (1, 2)


def test_a_chameleon_has_no_champion_card_and_is_no_creature_card():
    # E-1.3
    g = scene("round 1   turn ana   phase predict   ana: chameleon 4, ancestor, dryad, hoot 2   ben: hoot 1")
    assert "chameleon" not in [column["creature"] for column in g.view()["columns"]]
    assert not g.offers("chameleon 4")
    assert g.offers("hoot 2")


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_deck_has_102_cards_of_which_each_player_gets_eight(seats):
    # E-1.5, E-2.1
    sitting = opening(seats)
    view = sitting.view(None)
    assert sum(all_cards(sitting).values()) == 102
    assert [player["hand"] for player in view["players"]] == [8] * seats
    assert view["deck"] == 102 - 8 * seats
    for seat in range(seats):
        assert len(sitting.view(seat)["own"]["hand"]) == 8


def test_the_deal_is_random_but_the_same_for_the_same_seed():
    # E-2.1
    hands = {tuple(opening(2, seed=f"{n}").view(0)["own"]["hand"]) for n in range(20)}
    assert len(hands) == 20
    assert opening(3, seed="again").view(1) == opening(3, seed="again").view(1)


def test_the_table_is_a_grid_of_eight_columns_and_five_rows():
    # E-1.6
    columns = opening().view(None)["columns"]
    assert len(columns) == 8
    for column in columns:
        assert column["champion"] == []
        assert column["cells"] == [{"top": None, "covered": [], "pebble": None}] * 5


def test_a_cell_holds_a_pile_and_one_pebble_and_a_champion_card_any_number():
    # E-1.6
    g = scene("""
        round 1   turn ana   phase predict
                   hoot      stag
        champion   abc       .
        row 1      3/c4/7b   .
        ana: hoot 1    ben: hoot 2    cleo: hoot 0
    """)
    assert g.cell("hoot", 1) == {
        "top": "hoot-7",
        "strength": 7,
        "covered": ["hoot-3", "chameleon-4"],
        "pebble": 1,
    }
    assert g.champion("hoot") == "ana, ben, cleo"
    assert not g.offers("hoot")  # the cell has its one pebble
    assert g.offers("stag")


def test_the_first_player_is_drawn_by_lot():
    # E-2.2
    first = Counter(opening(3, seed=f"lot {n}").view(None)["turn"] for n in range(90))
    assert set(first) == {0, 1, 2}
    assert min(first.values()) >= 15
    assert EQUINOX.options({})["first"] == "lot"


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_first_player_may_be_chosen(seat):
    # E-2.2
    assert opening(3, first=seat).view(None)["turn"] == seat


@pytest.mark.parametrize(
    ("today", "equinox"),
    [
        ("2026-01-05", "2026-03-21"),
        ("2026-03-20", "2026-03-21"),
        ("2026-03-21", "2026-09-23"),  # the one that falls after the day of play
        ("2026-09-22", "2026-09-23"),
        ("2026-09-23", "2027-03-21"),
        ("2026-12-31", "2027-03-21"),
    ],
)
def test_the_next_equinox_falls_after_the_day_of_play(today, equinox):
    # E-2.2
    assert next_equinox(date.fromisoformat(today)).isoformat() == equinox


@pytest.mark.parametrize(
    ("birthday", "days"),
    [("03-21", 0), ("03-20", 1), ("03-22", 1), ("02-28", 21), ("12-31", 80), ("09-19", 182), ("02-29", 20)],
)
def test_distance_is_counted_in_days_either_way_around_the_calendar(birthday, days):
    # E-2.2
    assert distance(birthday, date(2026, 3, 21)) == days


@pytest.mark.parametrize(
    ("today", "birthdays", "first"),
    [
        ("2026-02-01", ["07-07", "04-01", "03-01"], 1),  # eleven days after beats twenty days before
        ("2026-02-01", ["03-25", "03-17", "12-24"], 0),  # a tie goes to the lower seat
        ("2026-06-01", ["03-21", "10-01", "05-05"], 1),  # now the autumn equinox counts
        ("2026-10-01", ["09-23", "12-30", "03-01"], 2),
    ],
)
def test_the_birthday_closest_to_the_next_equinox_begins(today, birthdays, first):
    # E-2.2
    sitting = opening(3, first={"birthdays": birthdays, "today": today})
    assert sitting.view(None)["turn"] == first


def test_turns_go_in_seat_order():
    # E-2.3
    g = scene("""
        round 1   turn cleo   phase predict
        ana: hoot 1, hoot 4    ben: hoot 2, hoot 5    cleo: hoot 0, hoot 3
    """)
    g.cleo("pass", "hoot 3")
    assert g.turn == "ana"
    g.ana("pass", "hoot 4")
    assert g.turn == "ben"
    g.ben("pass", "hoot 5")
    assert g.turn == "cleo"


def test_the_player_after_the_one_who_ended_the_round_begins_the_next():
    # E-2.3
    g = scene("""
        round 1   turn ben
                squeak  moss_man  stag  rubble  twinz  hoot  carmen  fungy
        row 1     5        6       7      8      9      10     4       .
        ana: hoot 1     ben: fungy 2     cleo: hoot 3
    """)
    g.ben("fungy 2")
    assert g.out() == "fungy"
    assert (g.round, g.turn) == (2, "cleo")
    assert g.log("cleo")[-2:] == ["Round 2", "Your turn"]
