"""What a player would remember: the Dryads look alike, kinds that a hand lacks, cards that Stag hides."""

import pytest

from tests.equinox.scene import scene

DRYADS = """
    4 seats   turn ben
             hoot   goatman
    row 1     5       4
    ana: hoot 1, {ana}
    ben: hoot 2, stag 2, {ben}
    cleo: hoot 3, {cleo}
    dov: hoot 4
    known dryad: - | - | - | {first} | -
    known dryad 2: - | - | - | {second} | -
    deck: 20
"""
"""Dov has seen one Dryad with Ben before Ana drew from Ben's hand, one with Cleo before Ben drew from hers."""
AWAY, HERE = "hand-1+hand-0", "hand-2+hand-1"


def two_worlds():
    """Ben's one Dryad is the one that Dov saw there, or the one that he took from Cleo: Dov cannot tell."""
    kept = scene(DRYADS.format(ana="stag 1", ben="dryad", cleo="dryad 2", first=AWAY, second=HERE))
    moved = scene(DRYADS.format(ana="dryad", ben="dryad 2", cleo="stag 1", first=AWAY, second=HERE))
    return kept, moved


def known(g, name):
    """What a seat knows of Dryads."""
    return [entry["places"] for entry in g.view(name)["known"] if entry["card"] == "dryad"]


def test_which_of_two_dryads_was_played_shows_nowhere():
    # E-7.16, E-9: the other one may be with Ana, with Cleo or still with Ben
    kept, moved = two_worlds()
    assert kept.view("dov") == moved.view("dov")
    for g in (kept, moved):
        g.ben("dryad", "1 hoot")
        assert known(g, "dov") == [["hand-0", "hand-1", "hand-2"]]
    assert kept.view("dov") == moved.view("dov")


def test_a_dryad_that_is_certain_is_not_told_from_one_that_may_be_there():
    # E-7.16, E-9: Dov knows that Ben has a Dryad, and that he or Ana has the other one; Ben plays one of his
    for first, second, hands in (
        ("hand-0+hand-1", "hand-1", {"ana": "stag 1", "ben": "dryad, dryad 2"}),
        ("hand-0+hand-1", "hand-1", {"ana": "dryad", "ben": "dryad 2"}),
    ):
        g = scene(DRYADS.format(**hands, cleo="stag 3", first=first, second=second))
        g.ben("dryad", "1 hoot")
        assert known(g, "dov") == [["hand-0", "hand-1"]]


def test_a_shown_hand_with_one_dryad_leaves_open_which_one_it_is():
    # E-7.6, E-7.16: Dov sees Ben's hand; the other Dryad is with Ana or with Cleo
    head = "turn dov   phase hoot_give   flow: home=hoot power=hoot target=ben named=goatman"
    drawing = DRYADS.replace("turn ben", head)
    for hands in (
        {"ana": "stag 1", "ben": "dryad", "cleo": "dryad 2"},
        {"ana": "dryad", "ben": "dryad 2", "cleo": "stag 3"},
    ):
        g = scene(drawing.format(**hands, first=AWAY, second=HERE))
        g.ben("pass")
        assert sorted(known(g, "dov")) == [["hand-0", "hand-2"], ["hand-1"]]


def test_a_retrieved_card_does_not_make_others_forget_what_the_hand_lacks():
    # E-7.6, E-7.16: Ben has no Hoot card, as all know; the Hoot 5 that he takes is seen, and no reason to suspect more
    g = scene("""
        3 seats   turn ben
                 hoot   stag
        row 1     5      4
        ana: hoot 1    ben: stag 2, dryad, ursus 1, ursus 2, ursus 3, ursus 4, ursus 5, ursus 6    cleo: hoot 3
        lacks ben hand: hoot
        deck: 20
    """)
    g.ben("dryad", "1 hoot")
    view = g.view("cleo")
    assert view["known"] == [{"card": "hoot-5", "places": ["hand-1"], "public": ["hand-1"]}]
    assert view["at_least"][1] == {"hoot": 1}
    assert view["lacks"][1]["hand"] == ["hoot"]


@pytest.mark.parametrize(("seen", "expected"), [("stag 9", {"hoot": 1, "stag": 1}), ("none", {"hoot": 1})])
def test_a_card_set_aside_is_still_known_after_the_hand_was_shown(seen, expected):
    # E-5.5, E-7.3, E-7.6: Ben got a Hoot card; it is not in the hand that he shows, so Stag has set it aside
    g = scene(f"""
        3 seats   round 2   turn ben   out: stag
                 hoot   stag
        row 1     5      4
        ana: hoot 1    ben: {seen}    cleo: hoot 3
        ben aside: hoot 8, ursus 1, ursus 2, ursus 3, ursus 4, ursus 5, ursus 6, ursus 7
        at least ben: hoot 1
        deck: 20
    """)
    g.ben("pass")
    assert g.view("cleo")["at_least"][1] == expected
