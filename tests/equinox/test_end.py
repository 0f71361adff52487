"""Section 8: scores, ties, shared victories."""

import pytest

from fabletop.games.equinox import EQUINOX
from tests.equinox.scene import scene

FIVE_OUT = "out: ursus 1, stag 2, moss_man 3, rubble 4, twinz 5"


def ended(grid, hands="ana: hoot 1   ben: hoot 2", head="round 5   turn ana"):
    """A finished game, as drawn."""
    return scene(f"{head}   phase over   flow: ended=fifth_elimination   {FIVE_OUT}\n{grid}\n{hands}")


def test_secret_predictions_are_revealed_at_the_end():
    # E-8.1
    g = scene("""
        round 1   turn ana
                   hoot
        row 1       .c
        ana: hoot 9   ben: stag 1   cleo: stag 2
        ana secret: hoot 3
        ben secret: stag 3
        deck: 1
    """)
    g.ana("hoot 9")
    assert g.champion("hoot") == "ana"
    assert g.champion("stag") == "ben"
    assert g.scores() == (5, 5, 4)
    assert g.log("ben")[3:5] == ["Ana’s secret bet was Hoot 3", "Your secret bet was Stag 3"]
    assert g.log(None, "de")[3:5] == [
        "Die geheime Wette von Ana war Noctia 3",
        "Die geheime Wette von Ben war Cornu 3",
    ]
    outcome = g.view()["outcome"]
    assert outcome["scores"] == [5, 5, 4]
    assert outcome["winners"] == [0, 1]
    assert outcome["reason"] == "deck_ran_out"


def test_the_view_says_what_every_pebble_brings():
    # E-8.1, E-8.2, E-7.13: the smallest are counted first
    g = scene("""
        round 5   turn ana   phase over   flow: ended=fifth_elimination
        out: squeak 1, moss_man 2, rubble 3, twinz 4, fungy 5
                   hoot   stag   ursus
        champion    .      .      a
        row 1       .a     .b     .
        row 2       .      .a     .b
        row 5       .a     .      .
        ana: hoot 1   ben: hoot 2
    """)
    ana, ben = g.view()["outcome"]["reckoning"]
    counted = [tuple(pebble.values()) for pebble in ana["pebbles"]]
    assert sorted(counted) == [
        ("hoot", 1, 4, 7),
        ("hoot", 5, 0, 0),
        ("stag", 2, 3, 3),
        ("ursus", 0, 5.5, 12.5),
    ]
    assert ana["by_row"] == [1, 1, 1, 0, 0, 1]
    assert [(pebble["value"], pebble["total"]) for pebble in ben["pebbles"]] == [(4, 7.5), (3.5, 3.5)]


def test_only_pebbles_on_creatures_still_in_play_score():
    # E-8.1
    g = ended("""
                   hoot   stag   fungy
        champion    .      a      b
        row 1       .a     .b     .
        row 2       .      .a     .a
        row 5       .      .      .b
    """)
    assert g.scores() == (4 + 3, 5 + 0)
    assert g.winners() == "ana"


def test_the_scoring_example_of_the_rulebook():
    # E-8.3: Ana has 4 + 1 + 5 + 4 + 3, Ben 5 + 3 + 3 + 1, Cleo 4 + 2, Dov 2
    g = ended(
        """
                   fungy   squeak   hoot   stag
        champion    b       a        .      .
        row 1       .a      .c       .a     .b
        row 2       .b      .b       .a     .d
        row 3       .d      .        .c     .
        row 4       .a      .b       .      .
        """,
        hands="ana: hoot 1   ben: hoot 2   cleo: hoot 3   dov: hoot 4",
    )
    outcome = EQUINOX.outcome(g.state)
    assert outcome.scores == (17, 12, 6, 2)
    assert outcome.winners == (0,)
    values = [[entry["value"] for entry in seat["pebbles"]] for seat in outcome.reckoning]
    assert [sorted(found) for found in values] == [[1, 3, 4, 4, 5], [1, 3, 3, 5], [2, 4], [2]]
    where = [(entry["creature"], entry["row"]) for entry in outcome.reckoning[3]["pebbles"]]
    assert where == [("fungy", 3)]


@pytest.mark.parametrize(
    ("grid", "winners"),
    [
        pytest.param(
            """
                   hoot   fungy   stag
        champion    b      .       .
        row 1       .      .a      .
        row 4       .      .a      .
            """,
            "ben",  # 5 with a Champion pebble against 4 + 1
            id="secret",
        ),
        pytest.param(
            """
                   hoot   fungy   stag
        champion    .      .       b
        row 1       .      .a      .
        row 2       .b     .       .
        row 4       .b     .       .
            """,
            "ana",  # Ben's Champion pebble is on an eliminated creature; row 1 decides
            id="secret on an eliminated creature",
        ),
        pytest.param(
            """
                   hoot   fungy
        champion    a      b
        row 1       .      .a
        row 2       .b     .
        row 4       .      .b
            """,
            "ana",  # 5 + 4 against 5 + 3 + 1
            id="row 1",
        ),
        pytest.param(
            """
                   hoot   fungy   squeak
        row 2       .a     .      .
        row 3       .b     .      .
        row 4       .      .b     .
            """,
            "ana",  # 3 against 2 + 1
            id="row 2",
        ),
        pytest.param(
            """
                   hoot   fungy   squeak
        row 3       .a     .      .
        row 4       .b     .b     .
            """,
            "ana",
            id="row 3",
        ),
        pytest.param(
            """
                   hoot   fungy   twinz
        row 4       .a     .b     .
        row 5       .b     .      .a
            """,
            "ben",  # a pebble worth nothing, but on a creature in play
            id="row 5",
        ),
        pytest.param(
            """
                   hoot   fungy
        row 1       .a     .b
            """,
            "ana, ben",
            id="shared",
        ),
        pytest.param("hoot", "ana, ben", id="nobody has anything"),
    ],
)
def test_ties(grid, winners):
    # E-8.2
    g = ended(grid)
    assert g.scores()[0] == g.scores()[1]
    assert g.winners() == winners


def test_each_step_keeps_only_those_still_tied():
    # E-8.2: Cleo has most pebbles in row 2, but she has no Champion pebble and is out of it by then
    g = ended(
        """
                   hoot   fungy   squeak
        champion    ab     .       .
        row 2       .      .c      .c
        row 3       .      .       .
        row 4       .a     .b      .
        row 5       .b     .       .
        """,
        hands="ana: hoot 1   ben: hoot 2   cleo: hoot 3",
    )
    assert g.scores() == (6, 6, 6)
    assert g.winners() == "ben"


def test_a_secret_prediction_that_moss_man_took_back_breaks_no_tie():
    # E-8.2
    g = ended(
        """
                   hoot   fungy
        row 1       .a     .b
        """,
        hands="ana: hoot 1   ben: hoot 2\nmade: ana",
    )
    assert g.winners() == "ana, ben"


def test_a_shared_victory_is_told():
    # E-8.2
    g = scene("""
        round 1   turn ana
                   hoot   fungy
        row 1       .a     .b
        ana: carmen 9   ben: stag 1   deck: 1
    """)
    g.ana("carmen 9")
    assert g.log("ana")[-3:] == ["You score 4 points", "Ben scores 4 points", "Ana and Ben share the victory"]
    assert g.log("ana", "fr")[-1] == "Ana et Ben se partagent la victoire"
    assert g.log("ana", "de")[-1] == "Ana und Ben teilen sich den Sieg"
