"""Why something cannot be done, by the position."""

from tests.equinox.scene import scene


def test_why_no_prediction():
    # E-3.1, E-3.2, E-3.4
    g = scene("""
        round 2   turn ana   phase predict   out: twinz
                squeak  moss_man  stag  rubble  twinz  hoot  carmen  fungy
        row 1     5        6       7a     8      1      10     4       3
        row 2     .b       4       .      .      .      .      .       .
        ana: hoot 1     ben: fungy 2
    """)
    assert g.why("squeak") == "pebble_there E-3.1"
    assert g.why("twinz") == "predict_out E-3.1"
    assert g.why("1-hoot") == g.why("3-hoot") == "current_row E-3.1"
    assert g.why("hoot-1") == "secret_round E-3.2"
    assert g.why("reveal") == "no_secret E-3.4"


def test_why_no_secret_prediction():
    # E-3.2
    g = scene("""
        round 1   turn ana   phase predict
        ana: hoot 1, chameleon 4, dryad     ben: fungy 2
    """)
    assert g.why("chameleon-4") == g.why("dryad") == "secret_kind E-3.2"
    assert g.offers("hoot 1")


def test_which_cards_can_be_played_and_which_powers_they_activate():
    # E-5.1, E-5.2, E-5.5
    g = scene("""
        round 2   turn ana   out: twinz
                squeak  moss_man  stag  rubble  twinz  hoot  ursus  fungy
        row 1     5a       6       7a     8b     1      10     4      3
        row 2     .        .       c3     .      .      .      .      .
        ana: squeak 4, stag 2, rubble 3, twinz 5, ursus 1, dryad     ben: fungy 2
    """)
    assert g.why("power-squeak") == "controls E-5.2"
    assert g.why("power-stag") == "covers_chameleon E-5.2"
    assert g.why("power-rubble") == "no_control E-5.2"
    assert g.why("twinz-5") == "play_out E-5.1"
    assert g.why("pass") == "must_play E-5.5"
    # Ursus has no power, and Twinz is out: nothing of their own is said
    assert g.why("power-ursus") == g.why("power-twinz") == g.why("2-hoot") == "play E-5.1"


def test_why_a_card_cannot_be_discarded():
    # E-6.1, E-7.7
    g = scene("""
        round 2   turn ana   out: twinz
                squeak  moss_man  stag  rubble  twinz  hoot  carmen  fungy
        row 1     5        6       7      8      1      10     4a      3
        ana: twinz 5, hoot 3, chameleon 2, carmen 1, squeak 1     ben: fungy 2
    """)
    g.ana("squeak 1")
    assert g.asks == "discard"
    assert g.why("hoot-3") == "discard_in_play E-6.1"
    assert g.why("chameleon-2") == "discard_kind E-6.1"
    assert g.why("seat-1") == "discard E-6.1"


def test_a_power_that_has_begun_is_carried_out():
    # E-5.2, E-7.6
    g = scene("""
        round 1   turn ana
                moss_man  hoot
        row 1     .        .a
        ana: hoot 3     ben: fungy 2, hoot 9
    """)
    g.ana("hoot 3")
    assert g.why("seat-0") == "hoot_seat E-7.6"
    g.ana("seat-1")
    assert g.why("pass") == "power_began E-5.2"
    g.ana("hoot")
    assert g.why("pass") == "must_give E-7.6"
    assert g.why("fungy-2") == "hoot_give E-7.6"
