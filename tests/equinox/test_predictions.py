"""Section 3: phase 1, predictions."""

from tests.equinox.scene import scene


def test_a_regular_prediction_takes_a_free_cell_of_the_current_row():
    # E-3.1
    g = scene("""
        round 2   turn ana   phase predict   out: twinz
                squeak  moss_man  stag  rubble  twinz  hoot  carmen  fungy
        row 1     5        6       7a     8      1      10     4       3
        row 2     .b       4       .      .      .      .      .       .
        ana: hoot 1     ben: fungy 2
    """)
    assert g.options == "moss_man, stag, rubble, hoot, carmen, fungy, pass"  # not Squeak's cell, not Twinz
    g.ana("moss_man")
    assert g.pebble("moss_man", 2) == "ana"
    assert g.pebbles("ana") == 3
    assert (g.asked, g.asks) == ("ana", "play")  # at most one prediction, and then phase 2
    assert g.log("ana") == ["You bet on Moss Man (the 3 row)"]
    assert g.log("ben") == g.log() == ["Ana bets on Moss Man (the 3 row)"]
    assert g.log("ben", "fr") == ["Ana mise sur Lichen (rangée à 3)"]
    assert g.log("ben", "de") == ["Ana wettet auf Moosmann (3er-Reihe)"]


def test_there_is_one_regular_prediction_per_cell():
    # E-3.1
    g = scene("""
        round 1   turn ana   phase predict
        ana: stag 1     ben: fungy 2
    """)
    g.ana("hoot", "stag 1")
    assert not g.offers("hoot")
    assert "not offered" in g.refusal("ben", "hoot")
    g.ben("fungy")
    assert g.pebble("fungy", 1) == "ben"


def test_a_cell_freed_by_moss_man_may_be_used_again_in_the_same_round():
    # E-3.1, E-7.2
    g = scene("""
        round 1   turn ana
                moss_man  hoot
        row 1     .a       .a
        ana: moss_man 3     ben: fungy 2
    """)
    g.ana("moss_man 3", "1-hoot")
    assert g.asked == "ben"
    assert g.offers("hoot")
    g.ben("hoot")
    assert g.pebble("hoot", 1) == "ben"


def test_nothing_can_be_predicted_without_a_pebble():
    # E-3.1, E-3.5
    g = scene("""
        round 2   turn ben   phase play   out: stag 1
                squeak  moss_man  stag  rubble  twinz  hoot  carmen  fungy
        champion  .        .       .      .      .      a      .       .
        row 1     5a       6a      7a     8a     9      10     4       3
        ana: hoot 1     ben: fungy 2
    """)
    assert g.pebbles("ana") == 0
    g.ben("fungy 2")
    assert (g.asked, g.asks) == ("ana", "play")  # nobody could miss that there is nothing to choose


def test_a_secret_prediction_takes_a_creature_card_from_the_hand():
    # E-3.2
    g = scene("""
        round 1   turn ana   phase predict
                hoot   stag
        row 1    .b     .
        ana: hoot 1, hoot 9, stag 3, chameleon 2, dryad     ben: fungy 2, fungy 3
    """)
    assert g.offers("hoot 9")
    assert g.offers("stag 3")
    assert not g.offers("chameleon 2")
    assert not g.offers("dryad")
    g.ana("hoot 9")  # although Ben has predicted Hoot
    assert g.secret("ana") == "hoot-9"
    assert g.player("ana")["secret"]
    assert g.pebbles("ana") == 4
    assert g.pebble("hoot", 1) == "ben"
    assert "You make a secret bet with Hoot 9" in g.log("ana")
    for other in ("ben", None):
        assert g.log(other)[0] == "Ana makes a secret bet"
        assert "hoot-9" not in str(g.view(other))
    assert g.log("ben", "fr")[0] == "Ana fait une mise secrète"


def test_two_players_may_predict_the_same_creature_secretly():
    # E-3.2
    g = scene("""
        round 1   turn ana   phase predict
        ana: hoot 1     ben: hoot 2    cleo: stag 1
    """)
    g.ana("hoot 1")
    g.ben("hoot 2")
    assert (g.secret("ana"), g.secret("ben")) == ("hoot-1", "hoot-2")


def test_a_secret_prediction_skips_phase_2_and_only_phase_2():
    # E-3.2, E-6.8
    g = scene("""
        round 1   turn ana   phase predict
        ana: hoot 1     ben: hoot 2
    """)
    g.ana("hoot 1")
    assert g.player("ana")["hand"] == 8  # she drew
    assert g.asked == "ben"
    assert g.log()[:3] == ["Ana makes a secret bet", "Ana draws 8 cards", "Ben’s turn"]


def test_a_secret_prediction_is_for_round_1_only():
    # E-3.2
    g = scene("""
        round 2   turn ana   phase predict   out: stag
        ana: hoot 1     ben: hoot 2
    """)
    assert g.options == "squeak, moss_man, rubble, twinz, hoot, carmen, fungy, pass"


def test_a_second_secret_prediction_is_not_offered():
    # E-3.2
    g = scene("""
        round 1   turn ana   phase predict
        ana: hoot 1, stag 3     ben: hoot 2
        ana secret: stag 4
    """)
    assert not g.offers("hoot 1")
    assert not g.offers("stag 3")
    assert g.offers("reveal")


def test_moss_man_gives_the_pebble_back_but_not_the_right_to_a_secret():
    # E-3.3, E-7.2
    g = scene("""
        round 1   turn ana
                moss_man
        row 1     .a
        ana: moss_man 3, hoot 1     ben: fungy 2
        ana secret: hoot 4
    """)
    g.ana("moss_man 3", "secret")
    assert g.pebbles("ana") == 4
    g.ben("pass", "*")
    assert (g.asked, g.asks) == ("ana", "predict")
    assert g.player("ana")["secret_made"]
    assert not g.offers("hoot 1")  # no second secret
    g.ana("hoot")  # but a regular prediction
    assert g.pebble("hoot", 1) == "ana"


def test_the_pebble_of_a_secret_taken_back_may_return_by_rubble():
    # E-3.3, E-7.4
    g = scene("""
        round 1   turn ana
                rubble  hoot
        row 1     .a     .b
        ana: rubble 3, hoot 1     ben: fungy 2
        made: ana
    """)
    g.ana("rubble 3")
    assert g.offers("1-stag")


def test_revealing_shows_and_discards_the_card_and_moves_the_pebble():
    # E-3.4
    g = scene("""
        round 2   turn ana   phase predict   out: stag
        ana: fungy 1     ben: fungy 2
        ana secret: hoot 4
    """)
    before = g.discard
    g.ana("reveal")
    assert g.champion("hoot") == "ana"
    assert g.secret("ana") is None
    assert g.discard == before + 1
    assert "hoot-4" in g.view()["discarded"]
    assert g.pebbles("ana") == 4
    assert (g.asked, g.asks) == ("ana", "play")  # phase 2 follows as usual
    assert g.log("ana") == ["You reveal your secret bet: Hoot 4"]
    assert g.log("ben") == ["Ana reveals their secret bet: Hoot 4"]
    assert g.log("ben", "de") == ["Ana deckt eine geheime Wette auf: Noctia 4"]
    assert g.log("ben", "fr") == ["Ana révèle sa mise secrète\u00a0: Le Duc 4"]


def test_a_secret_on_an_eliminated_creature_may_be_revealed():
    # E-3.4
    g = scene("""
        round 2   turn ana   phase predict   out: hoot
        ana: fungy 1     ben: fungy 2
        ana secret: hoot 4
    """)
    g.ana("reveal")
    assert g.champion("hoot") == "ana"
    assert g.asks == "play"


def test_predicting_may_be_skipped():
    # E-3.5
    g = scene("""
        round 1   turn ana   phase predict
        ana: hoot 1     ben: fungy 2
    """)
    g.ana("pass")
    assert g.asks == "play"
    assert g.pebbles("ana") == 5
    assert [event.json() for event in g.events("ben")] == [{"event": "passed", "seat": 0, "phase": "predict"}]
    assert g.log("ben") == []  # not worth a line


def test_the_question_is_not_put_where_all_can_see_that_there_is_nothing_to_choose():
    # E-3.5: pebbles, but no free cell in row 2, and no secret bet to make or reveal
    g = scene("""
        round 2   turn ben   out: stag
                squeak  moss_man  stag  rubble  twinz  hoot  carmen  fungy
        row 1     5        6       0      8      9      10     4       3
        row 2     .b       .b      .      .b     .b     .c     .c      .c
        ana: hoot 1     ben: fungy 2    cleo: hoot 3
    """)
    g.ben("fungy 2")
    assert g.pebbles("cleo") == 2
    assert (g.asked, g.asks) == ("cleo", "play")  # she has pebbles, but there is no free cell
    g.cleo("hoot 3", "pass")  # declining Hoot's power
    assert g.pebbles("ana") == 5
    assert (g.asked, g.asks) == ("ana", "play")


def test_an_unrevealed_secret_keeps_the_question_alive():
    # E-3.5
    g = scene("""
        round 2   turn ben   out: stag
                squeak  moss_man  stag  rubble  twinz  hoot  carmen  fungy
        row 1     5        6       0      8      9      10     4       3
        row 2     .b       .b      .      .b     .b     .a     .a      .a
        ana: hoot 1     ben: fungy 2
        ana secret: squeak 4
    """)
    g.ben("fungy 2")
    assert (g.asked, g.asks, g.options) == ("ana", "predict", "pass, reveal")


def test_the_question_never_depends_on_hidden_cards():
    # E-3.5: no free cell and no Creature card in hand, but that is nobody's business: a lone pass is asked
    grid = """
        round 1   turn ben   phase play
                squeak  moss_man  stag  rubble  twinz  hoot  carmen  fungy
        row 1     .b      .b       .b     .b     .c     .c     .c      .c
    """
    for hand, options in (("chameleon 1, dryad", "pass"), ("hoot 1, dryad", "hoot-1, pass")):
        g = scene(f"{grid}        ben: rubble 2   cleo: stag 3   ana: {hand}")
        g.ben("rubble 2")  # Ben has one pebble left, but Rubble finds no free cell
        g.cleo("pass", "stag 3")
        assert (g.asked, g.asks, g.options) == ("ana", "predict", options)
