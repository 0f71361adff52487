"""Texts of actions, and positions drawn as text."""

import pytest

from fabletop.core.chance import Chance
from fabletop.core.errors import BadText
from fabletop.core.sitting import start_words
from fabletop.games.equinox import EQUINOX
from fabletop.games.equinox import constants as c
from fabletop.games.equinox.notation import read

DRAWN = """
    round 2   turn ana   out: fiery_fang
             fungy   hoot   ursus
    row 1      5a      7      3b
    row 2      .       4      .
    ana: fungy 9, ursus 2        ben: hoot 0
"""


def test_every_action_has_a_text_of_its_own() -> None:
    assert len(set(EQUINOX.actions)) == len(EQUINOX.actions) == c.ACTIONS
    for number, text in enumerate(EQUINOX.actions):
        assert EQUINOX.parse(text) == number


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Hoot 7", "hoot-7"),
        ("play hoot 7", "hoot-7"),
        ("HOOT_7", "hoot-7"),
        ("moss man", "moss_man"),
        ("use fiery_fang", "fiery_fang"),
        ("cell 2 ursus", "2-ursus"),
        ("row 2 moss man", "2-moss_man"),
        ("the champion of Hoot", "champion-hoot"),
        ("ask seat 3", "seat-3"),
        ("play the dryad", "dryad"),
        ("  Pass ", "pass"),
        ("skip", "pass"),
        ("chameleon 10", "chameleon-10"),
    ],
)
def test_typing_is_taken_leniently(typed: str, meant: str) -> None:
    assert EQUINOX.actions[EQUINOX.parse(typed)] == meant


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("hott 7", "hoot-7"),
        ("squeek", "squeak"),
        ("revael", "reveal"),
        ("", "written like"),
        ("hoot 11", "hoot"),
    ],
)
def test_what_is_not_understood_gets_a_hint(typed: str, hint: str) -> None:
    with pytest.raises(BadText, match=hint):
        EQUINOX.parse(typed)


def test_a_part_is_enough_where_it_fits_one_option() -> None:
    options = [EQUINOX.parse(text) for text in ("1-fungy", "3-fungy", "pass")]
    assert EQUINOX.actions[read("row 1", options)] == "1-fungy"
    assert EQUINOX.actions[read("pass", options)] == "pass"
    with pytest.raises(BadText, match="1-fungy"):
        read("fungus", options)


def test_a_drawn_scene_gets_sensible_defaults() -> None:
    # E-1.1, E-1.2, E-1.5
    state = EQUINOX.from_position(DRAWN)
    view = EQUINOX.view(state, 0)
    assert (view["seats"], view["round"], view["turn"], view["phase"]) == (2, 2, 0, "play")
    assert len(view["creatures"]) == 8
    assert {"fungy", "hoot", "ursus", "fiery_fang"} <= set(view["creatures"])
    assert view["own"]["hand"] == ["fungy-9", "ursus-2"]
    assert [player["pebbles"] for player in view["players"]] == [4, 4]
    columns = {column["creature"]: column for column in view["columns"]}
    assert columns["fungy"]["controller"] == 0
    assert columns["fiery_fang"]["eliminated"] == 1
    assert EQUINOX.counts(state) == {"cards": 102, "pebbles-0": 5, "pebbles-1": 5, "creatures": 8}
    assert view["deck"] == 102 - 4 - 3


def test_piles_champions_secrets_and_a_short_deck() -> None:
    state = EQUINOX.from_position("""
        3 seats   turn b   phase predict
                 hoot         stag
        champion   c           .
        row 1      3/c4/5a     .b
        a: none    b: dryad, dryad     c: hoot 1
        b secret: stag 9
        b aside: hoot 2, hoot 4
        deck: 7
    """)
    view = EQUINOX.view(state, None)
    hoot = next(column for column in view["columns"] if column["creature"] == "hoot")
    assert hoot["cells"][0] == {
        "top": "hoot-5",
        "strength": 5,
        "covered": ["hoot-3", "chameleon-4"],
        "pebble": 0,
    }
    assert hoot["champion"] == [2]
    assert hoot["controller"] == 2
    assert view["deck"] == 7
    assert [player["secret"] for player in view["players"]] == [False, True, False]
    assert view["players"][1]["aside"] == 2
    assert EQUINOX.view(state, 1)["own"]["hand"] == ["dryad", "dryad"]
    assert EQUINOX.counts(state)["cards"] == 102


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("ana: hoot 7   ben: hoot 7", "two places"),
        ("ana: hott 7", "hoot-7"),
        ("round 7", "1 to 5"),
        ("phase dance", "no phase"),
        ("    hoot  stag\n row 1  5x  .", "5x"),
        ("    hoot  stag\n row 1  5a  .b  .c", "3 cells under 2"),
        ("    hoot  stag\n row 2  5  .", "after round 1"),
        ("ana secret: chameleon 3", "Creature card"),
        ("pebbles: ana 7", "7 pebbles"),
        ("nonsense", "cannot read"),
        ("flow: jumping", "jumping"),
        ("known hoot 3: cellar", "cellar"),
        ("phase stag", "home"),
        ("ana: " + ", ".join(f"{creature} 1" for creature in c.CREATURE_IDS[:9]), "more than 8"),
        ("6 seats", "2 to 5"),
    ],
)
def test_what_cannot_be_is_refused(text: str, hint: str) -> None:
    with pytest.raises(BadText, match=hint):
        EQUINOX.from_position(text)


@pytest.mark.parametrize("seats", EQUINOX.seat_counts)
def test_a_position_goes_on_exactly_like_the_game(seats: int) -> None:
    """Also in the middle of a power; hands, knowledge and chance come along."""
    chance = Chance(3)
    state = EQUINOX.new({"seats": seats}, start_words("notation", seats))
    phases = set()
    while state.phase != c.OVER:
        phases.add(state.phase)
        text = EQUINOX.position(state)
        again = EQUINOX.from_position(text)
        assert EQUINOX.position(again) == text
        copy = state.clone()
        for _ in range(6):
            assert EQUINOX.position(again) == EQUINOX.position(copy)
            if copy.phase == c.OVER:
                break
            for world in (copy, again):
                world.apply(world.actor, world.legal_actions()[-1])
        state.step(chance.below(state.n_options))
    assert len(phases) > 5
