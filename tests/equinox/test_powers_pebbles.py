"""Section 7: Moss Man and Rubble, who move pebbles, and Fungy, who borrows."""

import pytest

from tests.equinox.scene import scene

# ---- Moss Man


def test_moss_man_takes_back_a_pebble_from_anywhere():
    # E-7.2
    g = scene("""
        round 2   turn ana   out: stag
                   moss_man   stag   hoot
        champion    .          .      ab
        row 1       3a         0a     5b
        row 2       .          .      .
        ana: moss_man 9     ben: hoot 8
        ana secret: fungy 4
    """)
    g.ana("moss_man 9")
    assert g.options == "1-moss_man, 1-stag, pass, champion-hoot, secret"  # no pebble of Ben's
    g.ana("1-stag")  # from an eliminated creature
    assert g.pebble("stag", 1) is None
    assert g.pebbles("ana") == 2
    assert g.log("ben")[1:3] == [
        "Ana uses the power of Moss Man",
        "Ana takes back a pebble (Stag, the 4 row)",
    ]


def test_moss_man_takes_back_a_pebble_from_a_champion_card():
    # E-7.2
    g = scene("""
        round 2   turn ana   out: stag
                   moss_man   hoot
        champion    .          ab
        row 1       3a         5b
        ana: moss_man 9     ben: hoot 8
    """)
    assert g.controller("hoot") == "ben"
    g.ana("moss_man 9", "champion hoot")
    assert g.champion("hoot") == "ben"
    assert g.log("ben")[2] == "Ana takes back a pebble (Hoot, Champion card)"
    assert g.log("ana", "fr")[2] == "Vous reprenez un caillou (Le Duc, carte Champion)"


def test_moss_man_taking_back_a_secret_discards_its_card_face_up():
    # E-7.2
    g = scene("""
        round 2   turn ana   out: stag
                   moss_man
        row 1       3a
        ana: moss_man 9     ben: hoot 8
        ana secret: fungy 4
    """)
    g.ana("moss_man 9", "secret")
    assert g.secret("ana") is None
    assert "fungy-4" in g.view()["discarded"]
    assert g.champion("fungy") == ""
    assert g.pebbles("ana") == 4
    assert g.log("ben")[2] == "Ana takes back the pebble of their secret bet and discards Fungy 4"
    assert g.log("ana")[2] == "You take back the pebble of your secret bet and discard Fungy 4"


def test_moss_man_may_give_up_control():
    # E-7.2, E-4.2
    g = scene("""
        round 1   turn ana
                   moss_man   hoot
        row 1       3a         5a
        ana: moss_man 9     ben: hoot 8
    """)
    g.ana("moss_man 9", "1-moss_man")
    assert g.controller("moss_man") is None
    assert g.controller("hoot") == "ana"


def test_a_pebble_taken_back_rests_until_the_next_turn():
    # E-7.2: no turn has room for Moss Man and Rubble, but the pebble is marked all the same
    g = scene("""
        round 1   turn ana   phase rubble   flow: home=rubble power=rubble resting=1
                   rubble   moss_man   hoot   stag   fungy
        row 1       3a       4a         5a     6a     .
        ana: hoot 9     ben: hoot 8
        pebbles: ana 1
    """)
    assert g.options == "pass"
    free = scene("""
        round 1   turn ana   phase rubble   flow: home=rubble power=rubble
                   rubble   moss_man   hoot   stag   fungy
        row 1       3a       4a         5a     6a     .
        ana: hoot 9     ben: hoot 8
    """)
    assert free.offers("1-fungy")


def test_the_pebble_can_be_used_in_the_next_turn():
    # E-7.2
    g = scene("""
        round 1   turn ana
                   moss_man   hoot   stag   rubble   fungy
        row 1       3a         5a     .a     .a       .a
        ana: moss_man 9     ben: hoot 8
    """)
    g.ana("moss_man 9", "1-hoot")
    assert g.player("ana")["resting"] == 0  # the turn is over
    g.ben("pass", "hoot 8")
    assert g.asks == "predict"
    g.ana("twinz")
    assert g.pebble("twinz", 1) == "ana"


def test_moss_man_through_fungy_may_take_any_pebble():
    # E-7.2, E-7.8
    g = scene("""
        round 2   turn ana   out: moss_man
                   moss_man   fungy
        row 1       0a         5a
        ana: fungy 9     ben: hoot 8
    """)
    g.ana("fungy 9", "moss_man")
    assert g.options == "1-moss_man, 1-fungy"  # it was chosen: no pass any more
    g.ana("1-moss_man")
    assert g.log("ben")[1:3] == [
        "Ana uses the power of Moss Man (through Fungy)",
        "Ana takes back a pebble (Moss Man, the 4 row)",
    ]


# ---- Rubble


def test_rubble_places_a_pebble_in_this_or_an_earlier_row():
    # E-7.4
    g = scene("""
        round 3   turn ana   out: stag, twinz
                squeak  moss_man  stag  rubble  twinz  hoot  carmen  fungy
        row 1     5a       6       0      8a     9      10b    4       3
        row 2     4        5       .      7      0      9      3       2
        row 3     .        .       .      .      .      .      .       .
        ana: rubble 9     ben: fungy 1
    """)
    g.ana("rubble 9")
    for row in (1, 2, 3):
        assert g.offers(f"{row}-moss_man")
    assert not g.offers("1-squeak")  # a pebble of Ana's own lies there
    assert not g.offers("1-hoot")  # one of Ben's
    assert not g.offers("1-stag")  # eliminated
    assert not g.offers("2-twinz")
    assert not g.offers("4-moss_man")  # not reached yet
    assert not g.offers("champion-moss_man")
    g.ana("1-moss_man")
    assert g.pebble("moss_man", 1) == "ana"
    assert g.controller("moss_man") == "ana"
    assert g.log("ben")[2] == "Ana places a pebble on Moss Man (the 4 row)"


def test_a_pebble_placed_by_rubble_is_worth_what_its_row_is_worth():
    # E-7.4, E-4.1
    g = scene("""
        round 5   turn ana   out: stag, squeak, moss_man, twinz
                squeak  moss_man  stag  rubble  twinz  hoot  carmen  fungy
        row 1     .        .       .      1a     .      .      .       .
        row 5     .        .       .      .      .      10     4       3
        ana: rubble 9     ben: fungy 1
    """)
    g.ana("rubble 9", "1-hoot")
    assert g.out().endswith("fungy")
    assert g.scores() == (8, 0)


def test_rubble_needs_an_available_pebble():
    # E-7.4
    g = scene("""
        round 1   turn ana
                squeak  moss_man  stag  rubble  twinz  hoot  carmen  fungy
        row 1     .a       .a      .a     .a     .a     .      .       .
        ana: rubble 9     ben: fungy 1
    """)
    g.ana("rubble 9")
    assert g.asked == "ben"


# ---- Fungy


def test_fungy_as_fiery_fang_takes_a_fungy_card_back():
    # E-7.8, E-7.10
    g = scene("""
        round 2   turn ana   out: fiery_fang
                 fungy   hoot   ursus
        row 1      5a      7      3b
        row 2      .       4      .
        ana: fungy 9, ursus 2        ben: hoot 0
    """)
    g.ana("fungy 9", "use fiery_fang", "row 1")
    assert g.hand("ana") == "fungy 5, ursus 2"
    assert g.top("fungy", 1) is None
    assert g.log("ben")[-1] == "Ana takes Fungy 5 into their hand (the 4 row)"


def test_fungy_as_fiery_fang_may_not_take_the_card_just_played_nor_a_chameleon():
    # E-7.8, E-7.10
    g = scene("""
        round 2   turn ana   out: fiery_fang
                 fungy      fiery_fang
        row 1      5/c3a      0
        ana: fungy 9, ursus 2        ben: hoot 0
    """)
    g.ana("fungy 9")
    assert g.asks == "discard"  # Fiery Fang has no target, so nothing is offered


def test_fungy_as_feather_fox_discards_in_a_column_other_than_fungys():
    # E-7.8, E-7.12
    g = scene("""
        round 2   turn ana   out: feather_fox
                 fungy   hoot   feather_fox   ursus
        row 1      5a      7       0            3b
        row 2      3       4       .            .
        ana: fungy 9, ursus 2        ben: hoot 0
    """)
    g.ana("fungy 9", "feather_fox")
    assert g.options == "hoot"
    g.ana("hoot")
    assert g.top("hoot", 2) is None


def test_fungy_borrows_only_from_creatures_eliminated_in_this_game():
    # E-7.8: Goatman is in play, Squeak is not in the game, Ursus has no power
    g = scene("""
        round 3   turn ana   out: ursus, stag
        creatures: fungy, goatman, ursus, stag, hoot, carmen, pilgrim, rubble
                 fungy
        row 1      5a
        ana: fungy 9, fungy 2        ben: hoot 0, hoot 1, hoot 2
    """)
    g.ana("fungy 9")
    assert g.options == "stag, pass"


def test_fungy_is_not_offered_a_power_without_a_target():
    # E-7.8
    g = scene("""
        round 4   turn ana   out: pilgrim, goatman, hopscotch
                 fungy   hoot
        row 1      5a      6
        ana: fungy 9, fungy 2        ben: hoot 0, hoot 1
    """)
    g.ana("fungy 9")
    assert (
        g.options == "hopscotch, pass"
    )  # Fungy's own cards can be swapped; no Chameleon lies, nobody has three cards
    g.ana("pass")
    assert g.log("ben")[-1] == "Ana does not use the power of Fungy"


def test_before_the_first_elimination_fungy_has_no_power():
    # E-7.8
    g = scene("""
        round 1   turn ana
                 fungy
        row 1      5a
        ana: fungy 9, fungy 2        ben: hoot 0, hoot 1
    """)
    g.ana("fungy 9")
    assert g.asked == "ben"


@pytest.mark.parametrize("lender", ["squeak", "carmen"])
def test_a_borrowed_power_without_a_target_to_choose_works_at_once(lender):
    # E-7.8
    g = scene(f"""
        round 2   turn ana   out: {lender}
                 fungy
        row 1      5a
        ana: fungy 9, fungy 2        ben: hoot 0, hoot 1
    """)
    g.ana("fungy 9", lender)
    assert g.asks == "discard"
    assert g.log("ben")[1] == f"Ana uses the power of {lender.capitalize()} (through Fungy)"


def test_hoot_through_fungy():
    # E-7.8, E-7.6
    g = scene("""
        round 2   turn ana   out: hoot
                 fungy
        row 1      5a
        ana: fungy 9, fungy 2        ben: stag 0, hoot 1
    """)
    g.ana("fungy 9", "hoot", "ben")
    assert not g.offers("hoot")  # eliminated
    g.ana("stag")
    g.ben("stag 0")
    assert "stag 0" in g.hand("ana")
