"""Section 7: Fiery Fang, Hopscotch, Feather Fox, Ursus, Pilgrim and the Trees: what becomes of the piles."""

import pytest

from fabletop.games.equinox import EQUINOX
from tests.equinox.scene import scene

# ---- Fiery Fang


def test_fiery_fang_takes_back_a_visible_card_of_an_earlier_row():
    # E-7.10
    g = scene("""
        round 3   turn ana   out: stag, twinz
                 fiery_fang   hoot
        row 1      5a          7
        row 2      1/6         4
        row 3      3           2
        ana: fiery_fang 9, stag 2        ben: hoot 0
    """)
    g.ana("fiery_fang 9")
    assert g.options == "1-fiery_fang, 2-fiery_fang, pass"  # not the current row
    g.ana("row 2")
    assert g.hand("ana") == "stag 2, fiery_fang 6"
    assert g.top("fiery_fang", 2) == "fiery_fang-1"
    assert g.log("ben")[-1] == "Ana takes Fiery Fang 6 into their hand (the 3 row)"
    assert g.log("ben", "de")[-1] == "Ana nimmt Lupino 6 auf die Hand (3er-Reihe)"


def test_fiery_fang_sees_no_covered_card():
    # E-7.10
    g = scene("""
        round 2   turn ana   out: stag
                 fiery_fang
        row 1      5/c2a
        ana: fiery_fang 9, hoot 2        ben: hoot 0
    """)
    g.ana("fiery_fang 9")
    assert g.asks == "discard"


def test_in_round_1_fiery_fang_has_no_target():
    # E-7.10
    g = scene("""
        round 1   turn ana
                 fiery_fang
        row 1      5a
        ana: fiery_fang 9, hoot 2        ben: hoot 0
    """)
    g.ana("fiery_fang 9")
    assert g.asked == "ben"


# ---- Hopscotch


def test_hopscotch_swaps_two_visible_creature_cards_of_a_column():
    # E-7.11
    g = scene("""
        round 2   turn ana   out: stag
                 hopscotch   hoot     stag
        row 1      5a         1/8       0
        row 2      .          2/4       .
        ana: hopscotch 9, stag 2        ben: hoot 0
    """)
    g.ana("hopscotch 9")
    assert g.options == "1-hoot, 1-hopscotch, 2-hoot, 2-hopscotch, pass"
    g.ana("1-hoot")
    assert (g.asks, g.options) == ("hopscotch_with", "2-hoot")
    g.ana("2-hoot")
    assert g.cell("hoot", 1) == {"top": "hoot-4", "strength": 4, "covered": ["hoot-1"], "pebble": None}
    assert g.cell("hoot", 2) == {"top": "hoot-8", "strength": 8, "covered": ["hoot-2"], "pebble": None}
    assert g.log("ben")[-1] == "Ana swaps Hoot 8 (the 4 row) and Hoot 4 (the 3 row)"
    assert g.log("ana", "fr")[-1] == "Vous échangez Le Duc 8 (rangée à 4) et Le Duc 4 (rangée à 3)"


def test_hopscotch_swaps_no_chameleons_and_nothing_of_an_eliminated_creature():
    # E-7.11
    g = scene("""
        round 3   turn ana   out: stag, rubble
                 hopscotch   hoot    fungy    rubble
        row 1      .a         8        c5       9
        row 2      .          c4       6        0
        row 3      .          .        .        .
        ana: hopscotch 9, stag 2        ben: hoot 0
    """)
    g.ana("hopscotch 9")
    assert g.asks == "discard"  # no column in play has two visible Creature cards


def test_a_swap_can_save_a_creature():
    # E-7.11, E-6.5
    g = scene("""
        round 2   turn ana   out: stag
                squeak  moss_man  stag  rubble  twinz  hoot  hopscotch  fungy
        row 1     5        6       0      8      9      10     4a        7
        row 2     4        5       .      7      8      9      6         1
        ana: hopscotch 3, hopscotch 8, hopscotch 9, stag 9     ben: fungy 2
    """)
    g.ana("hopscotch 9", "1-fungy", "2-fungy", "pass")
    assert g.out() == "stag, squeak"


# ---- Feather Fox


def test_feather_fox_discards_the_visible_card_of_another_column():
    # E-7.12, E-7.17
    g = scene("""
        round 2   turn ana   out: stag
                 feather_fox   hoot    fungy   ursus
        row 1      5a           8        7       3
        row 2      .            2/c4     6       .
        ana: feather_fox 9, stag 2        ben: hoot 0
    """)
    g.ana("feather_fox 9")
    assert g.options == "hoot, fungy, pass"  # not its own column, no empty cell
    g.ana("hoot")
    assert g.top("hoot", 2) == "hoot-2"
    assert "chameleon-4" in g.view()["discarded"]
    assert g.log("ben")[-1] == "Ana discards Chameleon 4 from the table (Hoot, the 3 row)"


def test_feather_fox_can_empty_a_cell():
    # E-7.12, E-7.17
    g = scene("""
        round 1   turn ana
                squeak  moss_man  stag  rubble  twinz  hoot  feather_fox  fungy
        row 1     5        6       0      8      9      10     4a        7
        ana: feather_fox 3     ben: fungy 2
    """)
    g.ana("feather_fox 3", "stag")
    assert g.cell("stag", 1) == {"top": None, "covered": [], "pebble": None}
    assert (g.out(), g.round) == ("", 1)  # the row is no longer full
    assert g.log("ben")[2] == "Ana discards Stag 0 from the table (the 4 row)"


def test_feather_fox_alone_in_the_row_has_no_target():
    # E-7.12
    g = scene("""
        round 1   turn ana
                feather_fox
        row 1     4a
        ana: feather_fox 3     ben: fungy 2
    """)
    g.ana("feather_fox 3")
    assert g.asked == "ben"


# ---- Ursus


URSUS_ROW = """
        round 1   turn ana
                squeak  moss_man  stag  rubble  twinz  hoot  ursus  fungy
        row 1     5        6       {stag}      8      9      10     {ursus}    .
        ana: fungy 7     ben: fungy 2
"""


@pytest.mark.parametrize(
    ("stag", "ursus", "out"),
    [
        ("3", "3", "stag"),  # 3 against 3.5: no tie
        ("4", "3", "ursus"),  # 4 against 3.5
        ("3", "5/c3", ""),  # a Chameleon in its column gets nothing: a tie
        ("3", "c0/3", "stag"),  # on top of a Chameleon it is half a point stronger all the same
        ("0", "0", "stag"),
    ],
)
def test_ursus_cards_are_half_a_point_stronger(stag, ursus, out):
    # E-7.13
    g = scene(URSUS_ROW.format(stag=stag, ursus=ursus))
    g.ana("fungy 7")
    assert g.out() == out


def test_ursus_has_no_power_to_use():
    # E-7.13
    g = scene("""
        round 1   turn ana
                ursus
        row 1     4a
        ana: ursus 3     ben: fungy 2
    """)
    g.ana("ursus 3")
    assert g.asked == "ben"


def test_pebbles_with_ursus_score_half_a_point_more():
    # E-7.13, E-8.1
    g = scene("""
        round 5   turn ana   out: stag, squeak, moss_man, twinz
                   ursus   hoot   fungy   rubble
        champion    b       .      .       .
        row 1       1a      1b     .       .
        row 2       .a      .      .       .
        row 5       .       9      .       8
        ana: fungy 3     ben: fungy 2
        deck: 1
    """)
    g.ana("fungy 3")
    assert g.reason() == "deck_ran_out"
    assert g.scores() == (4.5 + 3.5, 5.5 + 4)
    assert g.log("ben")[-3:] == ["Ana scores 8 points", "You score 9½ points", "You win the game"]
    assert g.log("ana")[-1] == "Ben wins the game"
    assert g.log("ben", "fr")[-2] == "Vous marquez 9½ points"
    assert g.log("ben", "de")[-2] == "Du erreichst 9½ Punkte"


@pytest.mark.parametrize(("halves", "scores"), [(0, (7.0, 9.0)), (3, (10.0, 10.5))])
def test_a_study_may_change_what_ursus_adds(halves, scores):
    # E-7.13
    g = scene(f"""
        round 5   turn ana   flow: ursus_halves={halves}   out: stag, squeak, moss_man, twinz
                   ursus   hoot   fungy   rubble
        champion    b       .      .       .
        row 1       1a      1b     .       .
        row 2       .a      .      .       .
        row 5       .       9      .       8
        ana: fungy 3     ben: fungy 2
        deck: 1
    """)
    g.ana("fungy 3")
    assert g.scores() == scores
    outcome = EQUINOX.outcome(g.state)
    assert outcome is not None
    assert sum(pebble["value"] for pebble in outcome.reckoning[0]["pebbles"]) == scores[0]


def test_an_eliminated_ursus_scores_nothing():
    # E-7.13, E-8.1
    g = scene("""
        round 5   turn ana   phase over   flow: ended=deck_ran_out   out: ursus
                   ursus   hoot
        row 1       1a      1b
        ana: fungy 3     ben: fungy 2
    """)
    assert g.scores() == (0, 4)


# ---- Pilgrim


def test_pilgrim_takes_a_visible_chameleon_from_any_row():
    # E-7.14, E-7.17
    g = scene("""
        round 2   turn ana   out: stag
                 pilgrim   hoot      fungy     stag
        row 1      5a      8/c2      c7/3      4/c9
        row 2      .       c4        .         .
        ana: pilgrim 9, stag 2        ben: hoot 0
    """)
    g.ana("pilgrim 9")
    assert g.options == "1-stag, 1-hoot, 2-hoot, pass"  # also in an eliminated column; no covered one
    g.ana("1-hoot")
    assert g.hand("ana") == "stag 2, chameleon 2"
    assert g.top("hoot", 1) == "hoot-8"
    assert g.log("ben")[-1] == "Ana takes Chameleon 2 into their hand (Hoot, the 4 row)"


def test_pilgrim_needs_a_visible_chameleon():
    # E-7.14
    g = scene("""
        round 1   turn ana
                 pilgrim   hoot
        row 1      5a      c2/8
        ana: pilgrim 9, stag 2        ben: hoot 0
    """)
    g.ana("pilgrim 9")
    assert g.asked == "ben"


# ---- the Trees


def test_the_ancestor_reveals_all_secrets_on_a_creature_one_s_own_included():
    # E-7.15
    g = scene("""
        round 1   turn ana
                   hoot
        row 1       .c
        ana: ancestor, fungy 2   ben: hoot 0   cleo: stag 3   dov: stag 4
        ana secret: hoot 1
        ben secret: hoot 2
        dov secret: stag 1
    """)
    assert g.controller("hoot") == "cleo"
    g.ana("ancestor")
    assert g.options == "squeak, moss_man, stag, rubble, twinz, hoot, carmen, fungy"
    g.ana("hoot")
    assert g.champion("hoot") == "ana, ben"
    assert g.controller("hoot") is None  # 5 and 5
    assert (g.secret("ana"), g.secret("ben"), g.secret("dov")) == (None, None, "stag-1")
    assert {"hoot-1", "hoot-2", "ancestor"} <= set(g.view()["discarded"])
    assert g.log("ben")[:4] == [
        "Ana plays a Tree: Ancestor",
        "Ana names Hoot",
        "Ana must reveal their secret bet: Hoot 1",
        "You must reveal your secret bet: Hoot 2",
    ]
    assert g.log("dov", "fr")[:2] == ["Ana joue un Arbre\u00a0: L’Ancêtre", "Ana nomme Le Duc"]
    assert g.view("ana")["lacks"][3]["secret"] == ["hoot"]  # what everybody has learned about Dov's


def test_the_ancestor_names_a_creature_even_without_any_secret():
    # E-7.15, E-5.4
    g = scene("round 2   turn ana   out: stag   ana: ancestor, fungy 2   ben: hoot 0")
    g.ana("ancestor")
    assert g.options == "squeak, moss_man, rubble, twinz, hoot, carmen, fungy"
    g.ana("hoot")
    assert g.log("ben") == ["Ana plays a Tree: Ancestor", "Ana names Hoot"]


def test_the_dryad_takes_any_visible_creature_card():
    # E-7.16, E-7.17
    g = scene("""
        round 2   turn ana   out: stag
                 pilgrim   hoot      fungy     stag
        row 1      5a      8/c2      c7/3      4
        row 2      .       c4        .         .
        ana: dryad, fungy 2        ben: hoot 0
    """)
    g.ana("dryad")
    assert g.options == "1-stag, 1-fungy, 1-pilgrim"  # any row and column, no Chameleon
    g.ana("1-fungy")
    assert g.hand("ana") == "fungy 2, fungy 3"
    assert g.top("fungy", 1) == "chameleon-7"
    assert g.log("ben")[-1] == "Ana takes Fungy 3 into their hand (the 4 row)"
    assert {entry["card"] for entry in g.view("ben")["known"]} == {"fungy-3"}


def test_two_dryads_are_offered_as_one():
    # E-7.16
    g = scene("""
        round 1   turn ana
                 fungy
        row 1      5
        ana: dryad, dryad, fungy 2        ben: hoot 0
    """)
    assert g.options == "fungy-2, dryad"
    g.ana("dryad", "1-fungy")
    assert "dryad" in g.hand("ana")
    assert g.view()["discarded"] == ["dryad"]


def test_what_is_uncovered_counts_at_once():
    # E-7.17, E-6.5: the Dryad takes Hoot 8 away, and the 1 below it is the lowest strength
    g = scene("""
        round 1   turn ana
                squeak  moss_man  stag  rubble  twinz  hoot  carmen  fungy
        row 1     5        6       7      8      9      1/8     4       3
        ana: dryad     ben: hoot 4
    """)
    g.ana("dryad", "1-hoot")
    assert g.out() == "hoot"
    assert g.top("hoot", 1) == "hoot-1"
