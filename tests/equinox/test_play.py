"""Section 5: phase 2, playing a card."""

import pytest

from tests.equinox.scene import scene


def test_a_creature_card_goes_on_top_of_its_own_column_in_the_current_row():
    # E-5.1
    g = scene("""
        round 2   turn ana   out: stag
                   hoot   fungy
        row 1       1      3
        row 2       5b     .
        ana: hoot 9, fungy 2     ben: hoot 8
    """)
    g.ana("hoot 9")
    assert g.cell("hoot", 2) == {"top": "hoot-9", "strength": 9, "covered": ["hoot-5"], "pebble": 1}
    assert g.top("hoot", 1) == "hoot-1"
    assert g.hand("ana") == "fungy 2"
    assert g.log("ben") == ["Ana plays Hoot 9"]
    assert g.log("ana", "fr") == ["Vous jouez Le Duc 9"]
    assert g.log("ana", "de") == ["Du spielst Noctia 9"]


def test_a_card_of_an_eliminated_creature_cannot_be_played():
    # E-5.1
    g = scene("""
        round 2   turn ana   out: hoot
        ana: hoot 9, fungy 2     ben: hoot 8
    """)
    assert g.options == "fungy-2"
    assert "fungy-2" in g.refusal("ana", "hoot 9")


def test_the_controller_may_use_the_power_or_not():
    # E-5.2
    picture = """
        round 1   turn ana
                   squeak
        row 1       3a
        ana: squeak 9     ben: hoot 8
    """
    used = scene(picture).ana("squeak 9", "use")
    assert used.log("ben")[1:3] == ["Ana uses the power of Squeak", "Ana draws 3 cards"]
    declined = scene(picture).ana("squeak 9", "pass")
    assert declined.log("ben")[1] == "Ana does not use the power of Squeak"
    assert declined.log("ana", "de")[1] == "Du verzichtest auf die Fähigkeit von Susi"
    assert used.player("ana")["hand"] == declined.player("ana")["hand"] == 8  # filled up all the same


@pytest.mark.parametrize("pebbles", [".", ".b", ".c"])
def test_nobody_but_the_controller_may_use_the_power(pebbles):
    # E-5.2
    g = scene(f"""
        round 1   turn ana
                   squeak
        row 1       {pebbles}
        ana: squeak 9     ben: hoot 8     cleo: hoot 7
    """)
    g.ana("squeak 9")
    assert g.asked == "ben"


def test_control_is_looked_at_when_the_card_is_played():
    # E-5.2: the prediction of phase 1 counts
    g = scene("""
        round 1   turn ana   phase predict
        ana: squeak 9     ben: hoot 8
    """)
    g.ana("squeak", "squeak 9")
    assert g.asks == "use"


def test_a_chameleon_cancels_the_power_of_hoot_as_in_the_rulebook():
    # E-5.2, E-5.3: Ana covers Hoot with a Chameleon; Ben, who controls Hoot, plays a Hoot card on it in vain
    g = scene("""
        round 1   turn ana   phase play
                   hoot
        row 1       6b
        ana: chameleon 2     ben: hoot 8, hoot 9
    """)
    g.ana("chameleon 2", "hoot")
    assert g.cell("hoot", 1) == {"top": "chameleon-2", "strength": 2, "covered": ["hoot-6"], "pebble": 1}
    assert g.log("ben")[0] == "Ana plays Chameleon 2 on Hoot"
    g.ben("pass", "hoot 8")
    assert g.controller("hoot") == "ben"
    assert g.top("hoot", 1) == "hoot-8"
    assert (g.asked, g.asks) == ("ana", "predict")  # no power; it is Ana's turn


def test_a_card_on_a_card_on_a_chameleon_has_its_power_again():
    # E-5.2
    g = scene("""
        round 1   turn ben
                   hoot
        row 1     c2/6b
        ana: fungy 2     ben: hoot 8, hoot 9
    """)
    g.ben("hoot 8")
    assert g.asks == "hoot_seat"


def test_only_a_card_from_the_hand_wakes_a_power():
    # E-5.2: Hopscotch moves a Squeak card, and a Squeak card is uncovered; neither wakes Squeak
    g = scene("""
        round 2   turn ana   out: stag
                   hopscotch   squeak
        row 1       3a          7a
        row 2       .           4
        ana: hopscotch 9     ben: hoot 8
    """)
    g.ana("hopscotch 9", "1-squeak", "2-squeak")
    assert g.top("squeak", 2) == "squeak-7"
    assert (g.asked, g.asks) == ("ben", "predict")
    assert "Ana uses the power of Squeak" not in g.log()


def test_a_target_once_chosen_stands():
    # E-5.2: after naming a player, Hoot must name a creature; there is no way back
    g = scene("""
        round 1   turn ana
                   hoot
        row 1       3a
        ana: hoot 9     ben: hoot 8     cleo: hoot 7
    """)
    g.ana("hoot 9", "ben")
    assert g.asks == "hoot_creature"
    assert not g.offers("pass")
    assert "not offered" in g.refusal("ana", "pass")


def test_a_chameleon_goes_to_any_creature_in_play_and_has_its_own_strength():
    # E-5.3
    g = scene("""
        round 2   turn ana   out: stag
                squeak  moss_man  stag  rubble  twinz  hoot  carmen  fungy
        row 1     5        6       0      8      9      10     4       3
        row 2     4        5       .      7      8      9      3       6a
        ana: chameleon 2     ben: fungy 1
    """)
    g.ana("chameleon 2")
    assert g.options == "squeak, moss_man, rubble, twinz, hoot, carmen, fungy"
    g.ana("hoot")
    assert g.out() == "stag, hoot"  # 2 is the lowest strength now


def test_a_chameleon_wakes_no_power_of_the_creature_it_plays():
    # E-5.3
    g = scene("""
        round 1   turn ana
                   squeak
        row 1       3a
        ana: chameleon 9     ben: hoot 8
    """)
    g.ana("chameleon 9", "squeak")
    assert g.asked == "ben"


def test_nobody_sees_which_chameleon_is_being_placed():
    # E-5.3, E-5.6: until it lies on the table it is a card in a hand
    g = scene("""
        round 1   turn ana   ana: chameleon 9, chameleon 4     ben: hoot 8
    """)
    before = g.view("ben"), g.view()
    g.ana("chameleon 9")
    assert (g.view("ben"), g.view()) == before
    assert g.log("ben") == []


@pytest.mark.parametrize("tree", ["ancestor", "dryad"])
def test_a_tree_takes_effect_and_is_discarded(tree):
    # E-5.4
    g = scene(f"""
        round 1   turn ana
                   squeak
        row 1       3
        ana: {tree}     ben: hoot 8
    """)
    g.ana(tree)
    assert not g.offers("pass")  # it found something, so it is not optional
    g.ana("squeak" if tree == "ancestor" else "1-squeak")
    assert tree in g.view()["discarded"]
    assert g.log("ben")[0] == f"Ana plays a Tree: {tree.capitalize()}"


def test_a_tree_may_be_played_though_it_finds_nothing():
    # E-5.4
    g = scene("""
        round 1   turn ana   ana: dryad     ben: hoot 8
    """)
    g.ana("dryad")
    assert g.asked == "ben"
    assert g.log("ben")[:2] == ["Ana plays a Tree: Dryad", "Dryad finds nothing to do"]
    assert g.log("ben", "fr")[1] == "Dryade reste sans effet"
    assert "dryad" in g.view()["discarded"]


def test_who_has_no_playable_card_skips_and_shows_the_hand():
    # E-5.5
    g = scene("""
        round 3   turn ana   out: stag, hoot
        ana: hoot 9, stag 2     ben: fungy 8
    """)
    assert g.options == "pass"
    g.ana("pass")
    assert g.log("ben") == ["Ana has no card to play and shows their hand: Stag 2 and Hoot 9"]
    for viewer in ("ben", None):
        known = {entry["card"]: entry["places"] for entry in g.view(viewer)["known"]}
        assert known == {"hoot-9": ["hand-0"], "stag-2": ["hand-0"]}


def test_who_has_no_card_at_all_skips():
    # E-5.5
    g = scene("""
        round 2   turn ana   out: stag
        ana: none     ben: fungy 8
    """)
    g.ana("pass")
    assert g.log("ana")[0] == "You have no card to play and show your hand: nothing"


@pytest.mark.parametrize("card", ["fungy 2", "chameleon 2", "dryad", "ancestor"])
def test_who_has_a_playable_card_may_not_skip(card):
    # E-5.5
    g = scene(f"""
        round 2   turn ana   out: stag
        ana: {card}, stag 3     ben: fungy 8
    """)
    assert g.options == card.replace(" ", "-")
    assert "not offered" in g.refusal("ana", "pass")


def test_set_aside_cards_can_neither_be_played_nor_are_they_shown():
    # E-5.5, E-7.3
    g = scene("""
        round 2   turn ana   out: stag
        ana: stag 3     ben: fungy 8
        ana aside: fungy 2, dryad
    """)
    g.ana("pass")
    assert g.log("ben") == ["Ana has no card to play and shows their hand: Stag 3"]


def test_covered_cards_and_the_order_of_discards_stay_where_they_are():
    # E-5.6: what was played openly is public when it happens, so the view may keep it; nothing else is told
    g = scene("""
        round 1   turn ana
                   hoot
        row 1       3/c4/7
        ana: hoot 9     ben: fungy 8
    """)
    g.ana("hoot 9")
    assert g.cell("hoot", 1)["top"] == "hoot-9"
    assert g.cell("hoot", 1)["covered"] == ["hoot-3", "chameleon-4", "hoot-7"]
    assert not any(action.startswith("look") for action in g.options.split(", "))
