"""How many lines of play there are from fixed positions: the rules as numbers, the same compiled or not.

A difference means that some rule offers more or less than it did. Look at which option appeared or vanished before
writing a new number down.
"""

import pytest

from fabletop.core.sitting import Sitting
from fabletop.games.equinox import EQUINOX

POSITIONS = {
    "a turn begins, with a secret to reveal": """
        round 2   turn ana   phase predict   out: stag
                squeak  moss_man  stag  rubble  twinz  hoot  carmen  fungy
        row 1     5a       6b      0      8      9a     10     4       3
        row 2     4        .       .      7b     .      .      3a      .
        ana: squeak 1, twinz 2, hoot 3, stag 4, chameleon 5, dryad
        ben: stag 6, fungy 7, rubble 9, carmen 1
        ana secret: hoot 7
    """,
    "everything can be borrowed": """
        round 5   turn ana   out: moss_man, rubble, hopscotch, feather_fox
                fungy   moss_man  rubble  hopscotch  feather_fox  hoot    squeak  ursus
        row 1    5a       0b        8        9           10        4        3      2
        row 2    4        .         0        8           9         3b       2      1
        row 3    3        .         .        0           8         c2       1/c5   6
        row 4    2a       .         .        .           0         6        7      5
        row 5    .        .         .        .           .         5        c4     .
        ana: fungy 9, fungy 10, hoot 8, ursus 3      ben: hoot 0, hoot 1, ursus 9
    """,
    "two cards in one turn": """
        round 1   turn ana
                twinz   goatman   hoot
        row 1    .a      .a        .a
        ana: twinz 1, goatman 2, hoot 3, chameleon 4     ben: stag 1, stag 2, stag 3, dryad     cleo: stag 5
    """,
    "nothing but lost cards": """
        round 3   turn ana   phase predict   out: stag, hoot
        ana: stag 1, stag 2, stag 3, stag 4, stag 5, stag 6, stag 7, stag 8
        ben: hoot 1, hoot 2, hoot 3, hoot 4, hoot 5, hoot 6, hoot 7, hoot 8
    """,
    "the last cards": """
        round 5   turn ana   out: squeak, moss_man, stag, rubble
                squeak  moss_man  stag  rubble  twinz  hoot  carmen  fungy
        row 5     .        .       .      .      9      10     4a      .
        ana: fungy 3, carmen 5, chameleon 6, stag 1     ben: fungy 8, hoot 2
        deck: twinz 1, twinz 2
    """,
}
COUNTS = {
    "a turn begins, with a secret to reveal": (7, 35, 168),
    "everything can be borrowed": (4, 12, 86),
    "two cards in one turn": (4, 15, 121),
    "nothing but lost cards": (7, 7, 63),
    "the last cards": (3, 8, 15),
    "opening for 2 seats": (17, 192, 2006),
    "opening for 5 seats": (16, 191, 2426),
}
"""Lines of one, two and three actions."""


def start(name):
    """The first state of a line: a drawn position, or the opening of a seeded game."""
    if name in POSITIONS:
        return EQUINOX.from_position(POSITIONS[name])
    return Sitting(EQUINOX, {"seats": int(name.split()[-2])}, seed="counted").state


def lines(state, depth):
    """The number of different lines of this many actions; a game that ends earlier is one line."""
    if depth == 0 or not state.asked():
        return 1
    (seat,) = state.asked()
    total = 0
    for action in state.legal(seat):
        after = state.clone()
        after.apply(seat, action)
        total += lines(after, depth - 1)
    return total


@pytest.mark.parametrize(("name", "counts"), COUNTS.items())
def test_the_number_of_lines(name, counts):
    assert tuple(lines(start(name), depth) for depth in (1, 2, 3)) == counts
