"""Section 4: what pebbles are worth, and who controls a creature."""

import pytest

from tests.equinox.scene import scene

OVER = """
    round 5   turn ana   phase over   flow: ended=fifth_elimination
    out: squeak 1, moss_man 2, stag 3, rubble 4, twinz 5
"""


@pytest.mark.parametrize(
    ("row", "value"),
    [("champion", 5), ("row 1", 4), ("row 2", 3), ("row 3", 2), ("row 4", 1), ("row 5", 0)],
)
def test_what_a_pebble_is_worth(row, value):
    # E-4.1
    pebble = "b" if row == "champion" else ".b"
    g = scene(f"{OVER}           hoot\n{row}   {pebble}\nana: fungy 1     ben: fungy 2")
    assert g.scores() == (0, value)


def test_control_in_the_rulebook_example():
    # E-4.2: Ana predicted Feather Fox in rounds 1 and 2, 4 + 3 = 7
    g = scene("""
        round 3   turn ana   out: stag, rubble
                feather_fox   hoot
        row 1     3a           5b
        row 2     4a           6
        row 3     .b           7
        ana: feather_fox 9     ben: fungy 2
    """)
    assert g.controller("feather_fox") == "ana"
    g.ana("feather_fox 9")
    assert g.asks == "feather_fox"  # she may use the power


def test_the_highest_total_controls():
    # E-4.2: two pebbles worth 3 + 2 beat one worth 4
    g = scene("""
        round 3   turn ana   out: stag, rubble
                hoot
        row 1    1b
        row 2    2a
        row 3    3a
        ana: hoot 9     ben: fungy 2
    """)
    assert g.controller("hoot") == "ana"


def test_a_tie_at_the_top_means_no_control():
    # E-4.2: 3 + 2 against 5
    g = scene("""
        round 3   turn ana   out: stag, rubble
                   hoot
        champion    b
        row 1       1
        row 2       2a
        row 3       3a
        ana: hoot 9, fungy 2     ben: hoot 8     cleo: hoot 7
    """)
    assert g.controller("hoot") is None
    g.ana("hoot 9")
    assert g.asks == "discard"  # no power for her


def test_a_tie_below_the_top_does_not_matter():
    # E-4.2
    g = scene("""
        round 4   turn ana   out: stag, rubble, squeak
                   hoot
        champion    a
        row 1       1
        row 2       2b
        row 3       .c
        row 4       .c
        ana: hoot 9     ben: hoot 8     cleo: hoot 7
    """)
    assert g.controller("hoot") == "ana"


def test_a_secret_prediction_counts_only_when_revealed():
    # E-4.2
    g = scene("""
        round 2   turn ben   phase predict   out: stag
                   hoot
        row 1       1a
        ana: fungy 9     ben: hoot 8
        ben secret: hoot 3
    """)
    assert g.controller("hoot") == "ana"
    g.ben("reveal")
    assert g.controller("hoot") == "ben"
    g.ben("hoot 8")
    assert g.asks == "hoot_seat"


def test_predicting_changes_control_at_once():
    # E-4.2
    g = scene("""
        round 2   turn ben   phase predict   out: stag
                   hoot   fungy
        row 1       1      3a
        ana: fungy 9     ben: hoot 8
    """)
    assert g.controller("hoot") is None
    g.ben("hoot")
    assert g.controller("hoot") == "ben"


def test_a_lone_pebble_worth_nothing_gives_control():
    # E-4.3
    g = scene("""
        round 5   turn ana   phase predict   out: stag, rubble, squeak, carmen
        ana: hoot 9     ben: hoot 8
    """)
    g.ana("hoot")
    assert g.controller("hoot") == "ana"
    g.ana("hoot 9")
    assert g.asks == "hoot_seat"


def test_a_pebble_worth_nothing_yields_to_any_other():
    # E-4.3
    g = scene("""
        round 5   turn ana   out: stag, rubble, squeak, carmen
                   hoot
        row 4       1b
        row 5       2a
        ana: hoot 9     ben: hoot 8
    """)
    assert g.controller("hoot") == "ben"


def test_the_half_points_of_ursus_do_not_count_for_control():
    # E-4.4: Ana 3 + 2 with two pebbles, Ben 5 with one; at the end it would be 6 against 5.5
    g = scene("""
        round 3   turn ana   out: stag, rubble
                   ursus
        champion    b
        row 1       1
        row 2       2a
        row 3       3a
        ana: fungy 9     ben: fungy 8
    """)
    assert g.controller("ursus") is None
