"""Section 6: discarding, drawing, elimination, and how a game comes to its end."""

import pytest

from tests.equinox.scene import scene


def test_up_to_three_cards_of_eliminated_creatures_may_be_discarded_openly():
    # E-6.1
    g = scene("""
        round 3   turn ana   out: stag, hoot
        ana: stag 1, stag 2, stag 3, hoot 4, fungy 5, fungy 6, chameleon 1, dryad     ben: fungy 8
    """)
    g.ana("fungy 6")
    assert g.asks == "discard"
    assert g.options == "stag-1, stag-2, stag-3, hoot-4, pass"  # no Fungy, no Chameleon, no Tree
    g.ana("stag 3", "hoot 4", "stag 1")
    assert g.asked == "ben"  # three is the limit
    assert {"stag-3", "hoot-4", "stag-1"} <= set(g.view()["discarded"])
    assert g.log("ben")[1:4] == ["Ana discards Stag 3", "Ana discards Hoot 4", "Ana discards Stag 1"]
    assert g.log("ana", "de")[1] == "Du wirfst Cornu 3 ab"


def test_discarding_is_optional_at_every_step():
    # E-6.1
    g = scene("""
        round 2   turn ana   out: stag
        ana: stag 1, stag 2, fungy 6     ben: fungy 8
    """)
    g.ana("fungy 6", "stag 2", "pass")
    assert g.asked == "ben"
    assert "stag 1" in g.hand("ana")
    assert g.log("ben")[1:3] == ["Ana discards Stag 2", "Ana draws 7 cards"]


def test_nobody_is_asked_to_discard_while_no_creature_is_out():
    # E-6.1
    g = scene("round 1   turn ana   ana: stag 1, fungy 6     ben: fungy 8")
    g.ana("fungy 6")
    assert g.asked == "ben"


def test_an_empty_hand_is_not_asked_to_discard():
    # E-6.1
    g = scene("round 2   turn ana   out: stag   ana: fungy 6     ben: fungy 8")
    g.ana("fungy 6")
    assert g.asked == "ben"


@pytest.mark.parametrize(
    ("card", "options"), [("stag 1", "stag-1, pass"), ("hoot 1", "pass"), ("dryad", "pass")]
)
def test_whether_the_question_is_put_does_not_depend_on_the_cards(card, options):
    # E-6.1
    g = scene(f"round 2   turn ana   out: stag   ana: fungy 6, {card}     ben: fungy 8")
    g.ana("fungy 6")
    assert (g.asked, g.asks, g.options) == ("ana", "discard", options)


def test_set_aside_cards_come_back_after_discarding():
    # E-6.2
    g = scene("""
        round 2   turn ana   out: stag
        ana: stag 1, fungy 6     ben: fungy 8
        ana aside: stag 2, hoot 3
    """)
    g.ana("fungy 6")
    assert g.options == "stag-1, pass"  # Stag 2 is out of reach
    g.ana("stag 1")
    assert g.player("ana")["aside"] == 0
    assert {"stag 2", "hoot 3"} <= set(g.hand("ana").split(", "))
    assert g.log("ana")[2] == "You get back Stag 2 and Hoot 3"
    assert g.log("ben")[2:4] == ["Ana gets back 2 cards", "Ana draws 6 cards"]
    assert g.log("ben", "fr")[2] == "Ana retrouve 2 cartes"


def test_a_single_card_comes_back():
    # E-6.2
    g = scene("round 1   turn ana   ana: fungy 6    ben: fungy 8\n ana aside: hoot 3")
    g.ana("fungy 6")
    assert g.log("ben")[1] == "Ana gets back one card"
    assert g.log("ben", "de")[1] == "Ana bekommt eine Karte wieder"


@pytest.mark.parametrize(("left", "drawn"), [(0, 8), (3, 5), (7, 1)])
def test_the_hand_is_filled_up_to_eight(left, drawn):
    # E-6.3
    cards = "".join(f", hoot {k}" for k in range(left))
    g = scene(f"round 1   turn ana   ana: fungy 6{cards}    ben: fungy 8")
    deck = g.deck
    g.ana("fungy 6")
    assert g.player("ana")["hand"] == 8
    assert g.deck == deck - drawn
    said = "Ana draws a card" if drawn == 1 else f"Ana draws {drawn} cards"
    assert g.log("ben")[1] == said
    assert g.log("ana")[1].startswith("You draw ")


@pytest.mark.parametrize("left", [8, 10])
def test_with_eight_cards_or_more_nothing_is_drawn(left):
    # E-6.3
    cards = "".join(f", hoot {k}" for k in range(left))
    g = scene(f"round 1   turn ana   ana: fungy 6{cards}    ben: fungy 8")
    deck = g.deck
    g.ana("fungy 6")
    assert g.player("ana")["hand"] == left
    assert g.deck == deck
    assert g.log("ben") == ["Ana plays Fungy 6", "Your turn"]


def test_drawing_the_last_card_ends_the_game_without_an_elimination():
    # E-6.4: Fungy would be the weakest
    g = scene("""
        round 1   turn ana
                squeak  moss_man  stag  rubble  twinz  hoot  carmen  fungy
        row 1     5a       6       7      8b     9      10     4       .
        ana: fungy 1     ben: fungy 8
        deck: hoot 1, hoot 2
    """)
    g.ana("fungy 1")
    assert g.asked is None
    assert g.reason() == "deck_ran_out"
    assert g.out() == ""
    assert g.scores() == (4, 4)
    assert g.log("ben")[1:3] == ["Ana draws 2 cards", "Ana draws the last card: the game is over"]
    assert g.log("ana")[2] == "You draw the last card: the game is over"


def test_one_card_left_in_the_deck_keeps_the_game_going():
    # E-6.4
    g = scene("""
        round 1   turn ana
        ana: fungy 1, hoot 3, hoot 4, hoot 5, hoot 6, hoot 7, hoot 8, hoot 9     ben: fungy 8
        deck: hoot 1, hoot 2
    """)
    g.ana("fungy 1")
    assert (g.asked, g.deck) == ("ben", 1)


def test_a_tie_at_the_bottom_and_then_the_elimination_as_in_the_rulebook():
    # E-6.5: Hoot and Moss Man share the lowest strength 1; then Hoot becomes 4, and Moss Man alone is the weakest
    g = scene("""
        round 1   turn ana
                squeak  moss_man  stag  rubble  twinz  hoot  carmen  fungy
        row 1     5        1       7      8      9      1      4       .
        ana: fungy 6     ben: hoot 4
    """)
    g.ana("fungy 6")
    assert (g.out(), g.round) == ("", 1)
    g.ben("pass", "hoot 4")
    assert (g.out(), g.round) == ("moss_man", 2)
    assert g.column("moss_man")["eliminated"] == 1
    assert g.log("ana")[-3:] == ["Moss Man is eliminated", "Round 2", "Your turn"]
    assert g.log("ana", "fr")[-3:] == ["Lichen quitte le tournoi", "Manche 2", "À vous de jouer"]
    assert g.log("ana", "de")[-3:] == ["Moosmann scheidet aus", "Runde 2", "Du bist am Zug"]


def test_an_empty_cell_keeps_the_round_going():
    # E-6.5
    g = scene("""
        round 1   turn ana
                squeak  moss_man  stag  rubble  twinz  hoot  carmen  fungy
        row 1     5        1       7      8      9      2      .       .
        ana: fungy 6     ben: hoot 4
    """)
    g.ana("fungy 6")
    assert (g.out(), g.round) == ("", 1)


def test_an_eliminated_creature_needs_no_card_in_the_row():
    # E-6.5
    g = scene("""
        round 2   turn ana   out: stag
                squeak  moss_man  stag  rubble  twinz  hoot  carmen  fungy
        row 1     5        6       0      8      9      10     4       3
        row 2     4        5       .      7      8      9      3       .
        ana: fungy 2     ben: fungy 1
    """)
    g.ana("fungy 2")
    assert (g.out(), g.round) == ("stag, fungy", 3)


def test_cards_and_pebbles_of_an_eliminated_creature_stay_but_its_column_is_closed():
    # E-6.6
    g = scene("""
        round 1   turn ana
                squeak  moss_man  stag  rubble  twinz  hoot  carmen  fungy
        champion  .        .       .      .      .      .      .       b
        row 1     5        3       7      8      9      4      6       0/2a
        ana: fungy 1     ben: fungy 8, chameleon 4
    """)
    g.ana("fungy 1")
    assert g.out() == "fungy"
    assert g.cell("fungy", 1) == {
        "top": "fungy-1",
        "strength": 1,
        "covered": ["fungy-0", "fungy-2"],
        "pebble": 0,
    }
    assert g.champion("fungy") == "ben"
    assert not g.offers("fungy")  # no prediction
    g.ben("pass")
    assert not g.offers("fungy 8")  # no card
    g.ben("chameleon 4")
    assert not g.offers("fungy")  # no Chameleon


def test_the_fifth_elimination_ends_the_game_with_three_creatures_left():
    # E-6.7
    g = scene("""
        round 5   turn ana   out: squeak, moss_man, stag, rubble
                squeak  moss_man  stag  rubble  twinz  hoot  carmen  fungy
        row 5     .        .       .      .      9      10     4       .
        ana: fungy 3     ben: fungy 8
    """)
    g.ana("fungy 3")
    assert g.asked is None
    assert g.reason() == "fifth_elimination"
    assert g.out() == "squeak, moss_man, stag, rubble, fungy"
    assert [column["creature"] for column in g.view()["columns"] if column["in_play"]] == [
        "twinz",
        "hoot",
        "carmen",
    ]


def test_a_turn_with_a_secret_prediction_may_end_the_round():
    # E-6.8: nothing is played, but the check for elimination still happens
    g = scene("""
        round 1   turn ana   phase predict
                squeak  moss_man  stag  rubble  twinz  hoot  carmen  fungy
        row 1     5        1       7      8      9      10     4       3
        ana: fungy 6     ben: hoot 4
    """)
    g.ana("fungy 6")
    assert g.secret("ana") == "fungy-6"
    assert g.out() == "moss_man"
    assert g.player("ana")["hand"] == 8


STUCK = """
    round 2   turn ana   phase predict   out: stag
    ana: stag 1, stag 2, stag 3, stag 4, stag 5, chameleon 1, chameleon 2, chameleon 3, chameleon 4
    ben: stag 6, stag 7, stag 8, stag 9, stag 10, chameleon 5, chameleon 6, chameleon 7, chameleon 8
"""

FULL_OF_LOST_CARDS = """
    round 3   turn ana   phase predict   out: stag, hoot
    ana: stag 1, stag 2, stag 3, stag 4, stag 5, stag 6, stag 7, stag 8
    ben: hoot 1, hoot 2, hoot 3, hoot 4, hoot 5, hoot 6, hoot 7, hoot 8
"""


def test_a_whole_round_of_the_table_without_anything_ends_the_game():
    # E-6.9
    g = scene(FULL_OF_LOST_CARDS)
    g.ana("pass", "pass", "pass")  # no prediction, no playable card, no discard; the hand is full
    assert g.asked == "ben"
    g.ben("pass", "pass", "pass")
    assert g.asked is None
    assert g.reason() == "stalled"
    assert "Nobody has done anything for a whole round of the table: the game is over" in g.log("ana")


@pytest.mark.parametrize(
    "moves", [("squeak", "pass", "pass"), ("pass", "pass", "hoot 1", "pass")], ids=["predicted", "discarded"]
)
def test_anything_that_happens_keeps_the_game_going(moves):
    # E-6.9
    g = scene(FULL_OF_LOST_CARDS)
    g.ana("pass", "pass", "pass")
    g.ben(*moves)
    assert (g.asked, g.asks) == ("ana", "predict")
    g.ana("pass", "pass", "pass")
    assert g.asked == "ben"  # counted from zero again


def test_cards_that_come_back_after_stag_keep_the_game_going():
    # E-6.9, E-6.2: without it the game would end although ben has a card again that must be played
    g = scene("""
        round 3   turn ana   phase predict   out: stag, hoot
        ana: stag 1, stag 2, stag 3, stag 4, stag 5, stag 6, stag 7, stag 8
        ben: hoot 1, hoot 2, hoot 3, hoot 4, hoot 5, hoot 6, hoot 7
        ben aside: squeak 5
    """)
    g.ana("pass", "pass", "pass")
    g.ben("pass", "pass", "pass")  # the hand is full again without drawing
    assert (g.asked, g.asks) == ("ana", "predict")
    assert g.view()["idle"] == 0


def test_who_can_play_cannot_stall():
    # E-6.9
    g = scene(STUCK)
    g.ana("pass", "chameleon 1", "squeak", "pass")
    assert g.asked == "ben"
    assert g.view()["idle"] == 0
