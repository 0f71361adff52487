"""Section 9: what a player may see. (What everybody may see is also checked by the laws, on random play.)"""

import json

import pytest

from fabletop.core.chance import Chance
from fabletop.games.equinox.game import EQUINOX
from fabletop.server.protocol.views import ViewBytes
from tests.equinox.scene import scene

TABLE = """
    round 2   turn ana   out: stag
               hoot     fungy   stag
    champion    .        b       .
    row 1       3/c4b    8       0a
    row 2       .        .a      .
    ana: hoot 9, fungy 2, dryad     ben: fungy 5, carmen 3     cleo: twinz 1
    ana secret: carmen 7
    ben aside: rubble 5, rubble 6
    ben unseen: squeak 2
    deck: squeak 9, squeak 10, rubble 1
"""
HIDDEN = {
    "ana": {"hoot-9", "fungy-2", "dryad", "carmen-7"},
    "ben": {"fungy-5", "carmen-3", "rubble-5", "rubble-6", "squeak-2"},
    "cleo": {"twinz-1"},
    "deck": {"squeak-9", "squeak-10", "rubble-1"},
}


def test_what_everyone_sees():
    # E-9: tops and heights of the piles, pebbles, who is out, whose turn, sizes; E-3.2: that a secret exists
    g = scene(TABLE)
    for name in ("ana", "ben", "cleo", None):
        view = g.view(name)
        assert (view["round"], view["turn"], view["phase"], view["waiting_for"]) == (2, 0, "play", [0])
        assert view["deck"] == 3
        assert view["players"] == [
            {
                "hand": 3,
                "aside": 0,
                "unseen": 0,
                "pebbles": 2,
                "resting": 0,
                "secret": True,
                "secret_made": True,
            },
            {
                "hand": 2,
                "aside": 2,
                "unseen": 1,
                "pebbles": 3,
                "resting": 0,
                "secret": False,
                "secret_made": True,
            },
            {
                "hand": 1,
                "aside": 0,
                "unseen": 0,
                "pebbles": 5,
                "resting": 0,
                "secret": False,
                "secret_made": False,
            },
        ]
        hoot = next(column for column in view["columns"] if column["creature"] == "hoot")
        assert hoot["cells"][0] == {
            "top": "chameleon-4",
            "strength": 4,
            "covered": ["hoot-3"],
            "pebble": 1,
        }
        assert "strength" not in hoot["cells"][1]
        assert (view["worth"], view["pebbles"]) == ([5, 4, 3, 2, 1, 0], 5)
        stag = next(column for column in view["columns"] if column["creature"] == "stag")
        assert (stag["in_play"], stag["eliminated"], stag["cells"][0]["pebble"]) == (False, 1, 0)


def test_what_the_pebbles_of_a_column_are_worth_together():
    # E-4.1, E-4.3
    g = scene("""
        round 5   turn ana   out: squeak, moss_man, rubble, twinz
                   hoot   fungy   stag
        champion    .       b      .
        row 1       .a     .b      .
        row 5       .b     .a      .
        ana: hoot 9     ben: stag 1     cleo: stag 3
    """)
    for sent in (g.view(None), json.loads(ViewBytes(EQUINOX, g.state).view(None))):
        totals = {column["creature"]: column["totals"] for column in sent["columns"]}
        assert (totals["hoot"], totals["fungy"], totals["stag"]) == ([4, 0, None], [0, 9, None], [])


@pytest.mark.parametrize(("halves", "strength"), [(0, 4), (1, 4.5), (3, 5.5)])
def test_a_cell_says_how_strong_its_card_is(halves, strength):
    # E-7.13: and so do the bytes that are kept for other tables of any options
    g = scene(f"""
        round 1   turn ana   flow: ursus_halves={halves}
                   hoot   ursus   fungy
        row 1       7      4       c4
        ana: hoot 9     ben: stag 1
    """)
    for sent in (g.view("ana"), json.loads(ViewBytes(EQUINOX, g.state).view(0))):
        cells = {column["creature"]: column["cells"][0] for column in sent["columns"]}
        assert [cells[name].get("strength") for name in ("hoot", "ursus", "fungy", "stag")] == [
            7,
            strength,
            4,
            None,
        ]


def test_kept_bytes_say_the_same_as_the_view():
    # E-9: columns that two tables share in all but the number of seats or the options
    for seats in (2, 3, 5):
        for halves in (0, 1, 2):
            state = EQUINOX.new({"seats": seats, "ursus_halves": halves}, list(range(seats + 1)))
            chance = Chance(7)
            while asked := state.asked():
                for viewer in (0, None):
                    assert json.loads(ViewBytes(EQUINOX, state).view(viewer)) == EQUINOX.view(state, viewer)
                state.apply(asked[0], chance.pick(state.legal(asked[0])))


def test_own_cards_are_for_their_owner_alone():
    # E-9, E-3.2, E-7.3, E-7.7
    g = scene(TABLE)
    for name in ("ana", "ben", "cleo", None):
        view = g.view(name)
        told = str({key: value for key, value in view.items() if key not in ("columns", "discarded")})
        for owner, cards in HIDDEN.items():
            for card in cards:
                assert (f"'{card}'" in told) == (owner == name), f"{name} and {card}"


def test_a_spectator_sees_no_hand():
    # E-9
    assert scene(TABLE).view()["own"] is None


def test_the_order_of_the_deck_is_nobody_s_business():
    # E-9: two decks with the same cards in another order look alike to all
    one = scene(TABLE)
    other = scene(TABLE.replace("squeak 9, squeak 10, rubble 1", "rubble 1, squeak 10, squeak 9"))
    for name in ("ana", "ben", "cleo", None):
        assert one.view(name) == other.view(name)


def test_whose_answer_is_awaited_is_public():
    # E-9
    g = scene("""
        round 1   turn ana
                   hoot
        row 1       .a
        ana: hoot 9     ben: stag 1, stag 7     cleo: stag 3
    """)
    g.ana("hoot 9", "ben", "stag")
    view = g.view("cleo")
    assert (view["turn"], view["waiting_for"], view["phase"]) == (0, [1], "hoot_give")
    assert view["power"] == {"creature": "hoot", "power": "hoot", "committed": False}
    assert (view["target"], view["named"]) == (1, "stag")


def test_that_carmen_is_active_is_public():
    # E-9, E-7.7
    g = scene("""
        round 1   turn ana
                   carmen
        row 1       .a
        ana: carmen 9, stag 2     ben: stag 1
    """)
    assert not g.view("ben")["carmen"]
    g.ana("carmen 9", "use")
    assert g.view("ben")["carmen"]


def test_everyone_knows_a_card_that_was_taken_openly():
    # E-9, E-7.16
    g = scene("""
        round 1   turn ana
                   carmen
        row 1       5
        ana: dryad, stag 2     ben: stag 1
    """)
    g.ana("dryad", "1-carmen")
    for name in ("ben", None):
        assert g.view(name)["known"] == [{"card": "carmen-5", "places": ["hand-0"], "public": ["hand-0"]}]


def test_the_log_is_written_for_its_reader():
    # E-9: the same four answers for the one who asks, the one who gives, another seat and a spectator
    g = scene("""
        round 1   turn ana
                   hoot
        row 1       .a
        ana: hoot 9     ben: stag 1, stag 7     cleo: stag 3
    """)
    g.ana("hoot 9", "ben", "stag")
    g.ben("stag 7")
    lines = {name: g.log(name)[3] for name in ("ana", "ben", "cleo", None)}
    assert lines == {
        "ana": "Ben gives you Stag 7",
        "ben": "You give Stag 7 to Ana",
        "cleo": "Ben gives Ana one Stag card",
        None: "Ben gives Ana one Stag card",
    }


def test_what_is_drawn_is_told_to_the_drawer_alone():
    # E-9
    g = scene("round 1   turn ana   ana: stag 2   ben: stag 1")
    g.ana("stag 2")
    drawn = [event.fields for event in g.events("ana") if event.kind == "drew"]
    assert len(drawn[0]["cards"]) == drawn[0]["count"] == 8
    for other in ("ben", None):
        assert [event.fields for event in g.events(other) if event.kind == "drew"] == [
            {"seat": 0, "count": 8}
        ]
