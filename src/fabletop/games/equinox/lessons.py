"""What Equinox teaches: five lessons of about a minute, and tips for a first game.

Every position is in round 1, so that no question about discards (E-6.1) comes up, and where betting is not the subject
no pebble can be placed, so that the question of phase 1 is left out (E-3.5).
"""

from fabletop.core.lessons import LEARNER, Course, Fact, Lesson, Step, Tip, one_of, other_than, starts

OTHER = 1
TWO = {"seats": 2}
MINE = Fact("turn_began", seat=LEARNER)
THEIRS = Fact("turn_began", seat=OTHER)

GOODBYE = Lesson(
    "goodbye",
    TWO,
    """
    round 1   turn ana   phase play
            squeak  stag  rubble  hoot  fungy  hopscotch  fiery_fang  pilgrim
    row 1   3b      5b    6a      8b    3a     .a         9a          5a
    ana: hopscotch 8, hopscotch 5, hopscotch 1, fungy 7, fungy 9, squeak 1, chameleon 6, rubble 4
    ben: rubble 8, hoot 4, stag 9, squeak 6
    """,
    (
        Step(
            "creatures",
            spots=("head-rubble", "head-fungy", "head-hopscotch", "head-fiery_fang", "head-pilgrim"),
        ),
        Step(
            "fill",
            goal=(
                Fact("played", seat=LEARNER, card=one_of("hopscotch-8", "hopscotch-5")),
                Fact("chameleon_played", seat=LEARNER, creature="hopscotch"),
            ),
            missed={"lowest": Fact("eliminated", creature="hopscotch"), "empty": THEIRS},
            spots=("cell-1-hopscotch", "hand-hopscotch-8", "hand-hopscotch-5", "hand-hopscotch-1"),
        ),
        Step(
            "tie",
            after=MINE,
            goal=(Fact("eliminated", creature="squeak"),),
            missed={"other": Fact("eliminated", creature=other_than("squeak")), "tied": THEIRS},
            spots=("cell-1-squeak", "cell-1-fungy"),
        ),
        Step("gone", spots=("head-squeak",)),
    ),
    ("pass", "rubble-8"),
)

BETS = Lesson(
    "bets",
    TWO,
    """
    round 1   turn ana   phase predict   made: ana, ben
            squeak  stag  rubble  hoot  fungy  hopscotch  feather_fox  pilgrim
    row 1   6b      5     7b      1     9      .          8            4
    ana: hopscotch 8, hopscotch 5, hopscotch 3, rubble 3, pilgrim 2, squeak 9, fungy 4, feather_fox 6
    ben: pilgrim 6, hoot 4, stag 9, squeak 7
    """,
    (
        Step(
            "bet",
            goal=(Fact("predicted", seat=LEARNER, creature=other_than("hoot")),),
            missed={
                "weak": Fact("predicted", seat=LEARNER, creature="hoot"),
                "kept": Fact("passed", seat=LEARNER),
            },
            spots=("pebbles-0", "cell-1-fungy", "cell-1-feather_fox", "cell-1-stag"),
        ),
        Step(
            "end",
            goal=(Fact("eliminated", creature="hoot"),),
            missed={"other": Fact("eliminated", creature=other_than("hoot")), "empty": THEIRS},
            spots=("cell-1-hopscotch", "hand-hopscotch-8", "hand-hopscotch-5", "hand-hopscotch-3"),
        ),
        Step(
            "again",
            after=MINE,
            goal=(Fact("predicted", seat=LEARNER),),
            missed={"kept": Fact("passed", seat=LEARNER)},
            spots=("pebbles-0",),
        ),
        Step("worth"),
    ),
    ("pass", "pilgrim-6", "pass"),
)

SECRET = Lesson(
    "secret",
    TWO,
    """
    round 1   turn ana   phase predict
            squeak  stag  rubble  hoot  fungy  hopscotch  fiery_fang  pilgrim
    row 1   .       4     .       6b    5      .          2b          .
    ana: hopscotch 8, hopscotch 5, pilgrim 9, pilgrim 2, rubble 6, fungy 7, squeak 4, chameleon 5
    ben: rubble 8, hoot 4, stag 9, squeak 6
    """,
    (
        Step(
            "hide",
            goal=(Fact("predicted_secretly", seat=LEARNER),),
            missed={
                "open": Fact("predicted", seat=LEARNER),
                "kept": Fact("passed", seat=LEARNER, phase="predict"),
            },
            spots=("hand-hopscotch-5", "hand-pilgrim-2", "hand-squeak-4"),
        ),
        Step(
            "reveal",
            after=MINE,
            goal=(Fact("revealed", seat=LEARNER),),
            missed={
                "open": Fact("predicted", seat=LEARNER),
                "kept": Fact("passed", seat=LEARNER, phase="predict"),
            },
            spots=("secret-0",),
        ),
        Step("worth"),
    ),
    ("pass", "rubble-8"),
)

POWER = Lesson(
    "power",
    TWO,
    """
    round 1   turn ana   phase predict   made: ana, ben
            squeak  stag  rubble  hoot  fungy  hopscotch  feather_fox  pilgrim
    row 1   3b      5b    6       1/8b  5      9          4            3
    ana: feather_fox 8, feather_fox 7, feather_fox 6, pilgrim 9, fungy 8, rubble 7, squeak 8, stag 6
    ben: rubble 8, hoot 4, stag 9, squeak 6
    """,
    (
        Step(
            "control",
            goal=(Fact("predicted", seat=LEARNER, creature="feather_fox"),),
            missed={
                "other": Fact("predicted", seat=LEARNER),
                "kept": Fact("passed", seat=LEARNER, phase="predict"),
            },
            spots=("cell-1-feather_fox",),
        ),
        Step(
            "wake",
            goal=(Fact("played", seat=LEARNER, card=starts("feather_fox")),),
            missed={"other": THEIRS},
            spots=("hand-feather_fox-8", "hand-feather_fox-7", "hand-feather_fox-6"),
        ),
        Step(
            "beneath",
            goal=(Fact("eliminated", creature="hoot"),),
            missed={"declined": Fact("power_declined", seat=LEARNER), "other": THEIRS},
            spots=("cell-1-hoot",),
        ),
        Step("summary"),
    ),
)

CHAMELEON = Lesson(
    "chameleon",
    TWO,
    """
    round 1   turn ana   phase play
            squeak  stag  rubble  hoot  fungy  hopscotch  fiery_fang  pilgrim
    row 1   c7a     5b    8a      2b    4a     .a         9a          6b
    ana: squeak 6, squeak 9, dryad, chameleon 8, chameleon 5, pilgrim 4, stag 3, hoot 5
    ben: rubble 7, fungy 6, stag 9, hoot 4
    """,
    (
        Step(
            "asleep",
            goal=(Fact("played", seat=LEARNER, card=starts("squeak")),),
            missed={"other": THEIRS},
            spots=("cell-1-squeak", "hand-squeak-6", "hand-squeak-9"),
        ),
        Step(
            "tree",
            after=MINE,
            goal=(Fact("took_card", seat=LEARNER),),
            missed={"other": THEIRS},
            spots=("hand-dryad",),
        ),
        Step(
            "anywhere",
            after=MINE,
            goal=(Fact("chameleon_played", seat=LEARNER),),
            missed={"other": THEIRS},
            spots=("cell-1-hopscotch", "hand-chameleon-8", "hand-chameleon-5"),
        ),
        Step("summary"),
    ),
    ("pass", "rubble-7", "pass", "fungy-6"),
)

POWERS = (
    "use",
    "moss_man",
    "stag",
    "rubble",
    "hoot_seat",
    "fungy",
    "goatman_seat",
    "fiery_fang",
    "hopscotch",
    "feather_fox",
    "pilgrim",
)

COURSE = Course(
    (GOODBYE, BETS, SECRET, POWER, CHAMELEON),
    (
        Tip("predict", asked=("predict",)),
        Tip("play", asked=("play",)),
        Tip("power", asked=POWERS),
        Tip("eliminated", (Fact("eliminated"),)),
        Tip("discard", asked=("discard",)),
        Tip("secret", (Fact("predicted_secretly", seat=other_than(LEARNER)),)),
        Tip("revealed", (Fact("revealed", seat=other_than(LEARNER)),)),
        Tip("chameleon", (Fact("chameleon_played", seat=other_than(LEARNER)),)),
        Tip("tree", (Fact("tree_played", seat=other_than(LEARNER)),)),
        Tip("aside", (Fact("set_aside", target=LEARNER),)),
        Tip(
            "asked",
            (Fact("asked_for", target=LEARNER), Fact("looked_at", target=LEARNER)),
            asked=("hoot_give",),
        ),
        Tip("half", (Fact("round_began", round=3),)),
        Tip("last", (Fact("round_began", round=5),)),
    ),
    {"seats": 2, "first": LEARNER},
)
