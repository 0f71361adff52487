"""What Fairy School teaches: four chapters of at most three minutes, and tips for a first game.

The positions are scenes (see `position.py`): Ana is the learner, Ben her left and Cleo her right neighbour.
"""

from fabletop.core.lessons import LEARNER, Course, Fact, Lesson, Step, Tip, other_than

THREE = {"seats": 3}
RESTED = Fact("rested", seat=LEARNER)
NEXT_TURN = Fact("turn_began")

ELEMENTS = Lesson(
    "elements",
    THREE,
    """
    3 seats; trimester I, turn 1, phase activate
    ana: elements 2E 1V 1F 5W; personal 1 3; projects 85; forest . 4 5 6 . / . 8 9 10 .
    ben: projects 82; forest . 13 14 . . / . . 15 16 .
    cleo: projects 91; forest . 25 26 . . / . . 27 28 .
    """,
    (
        # on a phone the project lies behind its tab
        Step("project", spots=("project-85", "tab-projects")),
        Step(
            "earth",
            goal=(Fact("gained", seat=LEARNER, earth=1),),
            missed={"early": RESTED},
            spots=("near-1",),
        ),
        Step("finish", goal=(RESTED,)),
        Step(
            "realise",
            goal=(Fact("realised", seat=LEARNER),),
            missed={"later": NEXT_TURN},
            spots=("project-85",),
        ),
        Step("worth"),
    ),
)

FOREST = Lesson(
    "forest",
    THREE,
    """
    3 seats; trimester I, turn 1, phase plan
    ana: elements 1E 1V 1F 1W; projects 85; forest 9 . 3 2 7 / 6 4 1 . 10; hand 5 8; pile 11 12
    ben: projects 82; forest 13 14 15 16 17 / 18 19 20 21 22; pile 23 24
    cleo: projects 91; forest 25 26 27 28 29 / 30 31 32 33 34; pile 35 36
    """,
    (
        Step(
            "place",
            goal=(Fact("placed", seat=LEARNER),),
            times=2,
            spots=("space-0-top-2", "space-0-bottom-4"),
        ),
        Step(
            "column",
            goal=(Fact("column_chosen", seat=LEARNER),),
            spots=("space-0-top-3", "space-0-bottom-3"),
        ),
        Step("zones", goal=(RESTED,), spots=("shared-0",)),
        Step(
            "study",
            goal=(Fact("studied", seat=LEARNER),),
            missed={"none": Fact("closed_up", seat=LEARNER)},
            spots=("space-0-top-1", "space-0-bottom-5"),
        ),
        Step("slide"),
    ),
)

KINDNESS = Lesson(
    "kindness",
    THREE,
    """
    3 seats; trimester I, turn 1, phase activate
    ana: elements 1E 1V 1F 1W; personal 2; shared 3; projects 85; forest . 4 5 6 . / . 8 9 10 .
    ben: elements 1E 1V 1F 1W; projects 82; shared 57; forest . 13 14 . . / . . 15 16 .
    cleo: elements 1E 1V 1F 1W; projects 91; shared 55; forest . 25 26 . . / . . 27 28 .
    """,
    (
        Step("neighbours", spots=("shared-1", "shared-2")),
        Step(
            "borrow",
            goal=(Fact("activated", seat=LEARNER, owner=other_than(LEARNER)),),
            missed={"alone": RESTED},
            spots=("shared-1", "shared-2"),
        ),
        Step("gift", goal=(Fact("kindness_got", seat=LEARNER),), spots=("shared-0",)),
        Step("points", spots=("kindness",)),
    ),
    ("3", "done", "3", "done"),
)

TURN = Lesson(
    "turn",
    THREE,
    """
    3 seats; trimester I, turn 3, phase plan
    ana: elements 3E 2V 1F 2W; projects 85 103; forest 57 . 3 2 11 / 6 4 7 . 10; hand 5 8; pile 1 9 12
    ben: projects 82 86; forest 13 14 15 16 17 / 18 19 20 21 22; pile 23 24
    cleo: projects 91 95; forest 25 26 27 28 29 / 30 31 32 33 34; pile 35 36
    """,
    (
        Step(
            "plan",
            goal=(Fact("placed", seat=LEARNER),),
            times=2,
            spots=("space-0-top-2", "space-0-bottom-4"),
        ),
        Step("select", goal=(Fact("column_chosen", seat=LEARNER),)),
        Step("activate", goal=(RESTED,)),
        Step("study", goal=(Fact("studied", seat=LEARNER), Fact("closed_up", seat=LEARNER))),
        Step("realise", goal=(Fact("realised", seat=LEARNER), Fact("trimester_began"))),
        Step("draft", goal=(Fact("picked", seat=LEARNER),)),
        Step("ready"),
    ),
)

COURSE = Course(
    (ELEMENTS, FOREST, KINDNESS, TURN),
    (
        Tip("plan", asked=("plan",)),
        Tip("select", asked=("select",)),
        Tip("activate", asked=("activate",)),
        Tip("line", asked=("line",)),
        Tip("neighbour", (Fact("activated", seat=LEARNER, owner=other_than(LEARNER)),)),
        Tip("kindness", (Fact("kindness_got", seat=LEARNER),)),
        Tip("study", asked=("study",)),
        Tip("realise", asked=("realise",)),
        Tip("convert", (Fact("converted", seat=LEARNER),), asked=("convert", "pay")),
        Tip("recall", asked=("recall",)),
        Tip("scout", asked=("scout",)),
        Tip("repeat", asked=("repeat",)),
        Tip("banish", asked=("banish",)),
        Tip("draft", asked=("draft",)),
        Tip("drop", asked=("drop",)),
        Tip("final", asked=("final",)),
        Tip("steps", (Fact("step_done", seat=LEARNER),), asked=("spend",)),
    ),
    {"seats": 3, "setup": "beginners", "length": "short"},
)
