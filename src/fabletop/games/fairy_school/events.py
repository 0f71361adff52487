"""What can happen in Fairy School, and who may know which part of it (rules page, section 10).

Everything a seat does in a stage that all play at once is `later`: it sees its own doings at once, the others when the
stage closes (F-3.2). Draft hands and picks are visible to nobody else (F-4.3), nor are the cards drawn in planning; the
others see those placed when planning has ended.
"""

from typing import Any

from fabletop.core.events import EventKind, EventTable, Field
from fabletop.games.fairy_school import constants as c
from fabletop.games.fairy_school.algebra import ELEMENTS
from fabletop.games.fairy_school.cards import CARDS, CREATURES, FINALS, SET_LETTERS
from fabletop.games.fairy_school.notation import SPACE_NAMES

SEAT = Field("seat", "seat")
CARD = Field("card", "card")
CARDS_ = Field("cards", "card*")
AMOUNTS = tuple(Field(name, "count") for name in ELEMENTS)


def _kind(name: str, *fields: Field, later: bool = False, only: tuple[str, ...] | None = None) -> EventKind:
    return EventKind(name, fields, only=only, later=later)


def _card_or_none(number: int) -> str | None:
    return None if number == c.NONE else CARDS[number].name


VALUES: dict[str, Any] = {
    "seat": int,
    "count": int,
    "card": lambda n: CARDS[n].name,
    "forest": _card_or_none,
    "final": lambda n: FINALS[n].name,
    "set": lambda n: SET_LETTERS[n] if n < len(SET_LETTERS) else None,
    "space": lambda n: SPACE_NAMES[n],
    "column": lambda n: n + 1,
    "line": lambda n: n + 1,
    "element": lambda n: ELEMENTS[n],
    "creature": lambda n: CREATURES[n],
    "trimester": int,
    "end": lambda n: c.end_names[n],
}

EVENTS = EventTable(
    {
        # set-up (F-2) and the choice of projects (F-4)
        c.EV_SET_DEALT: _kind("set_dealt", SEAT, Field("set", "set")),
        c.EV_HAND_GOT: _kind("hand_got", SEAT, CARDS_, only=("seat",)),
        c.EV_PICKED: _kind("picked", SEAT, CARD, only=("seat",)),
        c.EV_SETTLED: _kind("settled", SEAT, CARD, Field("space", "space"), later=True),
        c.EV_DISCARDED: _kind("discarded", SEAT, CARDS_),
        c.EV_TRIMESTER_BEGAN: _kind("trimester_began", Field("trimester", "trimester")),
        c.EV_PROJECTS_GIVEN: _kind("projects_given", SEAT, CARDS_),
        c.EV_COMMON_GOT: _kind("common_got", CARDS_),
        c.EV_DROPPED: _kind("dropped", SEAT, CARD, later=True),
        c.EV_KEPT: _kind("kept", SEAT, CARDS_),
        # a turn (F-5)
        c.EV_TURN_BEGAN: _kind("turn_began", Field("trimester", "trimester"), Field("turn", "count")),
        c.EV_ORDER_SET: _kind("order_set", Field("seats", "seat*")),
        c.EV_GOAL_TAKEN: _kind("goal_taken", SEAT, CARD),
        c.EV_GOAL_MISSING: _kind("goal_missing", SEAT),
        c.EV_SHUFFLED: _kind("shuffled", SEAT),
        c.EV_DREW: _kind("drew", SEAT, Field("count", "count"), Field("cards", "card*", eyes=("seat",))),
        c.EV_PLACED: _kind("placed", SEAT, CARD, Field("space", "space"), later=True),
        c.EV_COLUMN_CHOSEN: _kind("column_chosen", SEAT, Field("column", "column"), later=True),
        c.EV_PAID: _kind("paid", SEAT, *AMOUNTS, later=True),
        c.EV_CONVERTED: _kind("converted", SEAT, Field("made", "element"), *AMOUNTS, later=True),
        c.EV_ACTIVATED: _kind(
            "activated", SEAT, Field("owner", "seat"), CARD, Field("line", "line"), later=True
        ),
        c.EV_REPEATED: _kind(
            "repeated", SEAT, Field("owner", "seat"), CARD, Field("line", "line"), later=True
        ),
        c.EV_GAINED: _kind("gained", SEAT, *AMOUNTS, later=True),
        c.EV_RECALLED: _kind("recalled", SEAT, CARD, later=True),
        c.EV_SHUFFLED_SCOUTING: _kind("shuffled_scouting", SEAT, later=True),
        c.EV_SCOUTED: _kind("scouted", SEAT, CARDS_, later=True),
        c.EV_SCOUT_PLACED: _kind("scout_placed", SEAT, CARD, later=True),
        c.EV_SCOUT_DISCARDED: _kind("scout_discarded", SEAT, CARDS_, later=True),
        c.EV_BANISHED: _kind("banished", SEAT, CARD, later=True),
        c.EV_STUDIED: _kind("studied", SEAT, Field("creature", "creature"), later=True),
        c.EV_KINDNESS_GOT: _kind("kindness_got", SEAT, Field("giver", "seat"), Field("count", "count")),
        c.EV_RESTED: _kind("rested", SEAT, CARDS_),
        c.EV_PAWS_DISCARDED: _kind("paws_discarded", SEAT, CARDS_),
        c.EV_CLOSED_UP: _kind("closed_up", SEAT, Field("forest", "forest*")),
        c.EV_REALISED: _kind("realised", SEAT, CARD, later=True),
        # the last trimester (F-7) and the score (F-8)
        c.EV_STEP_DONE: _kind("step_done", SEAT, Field("final", "final"), Field("step", "count"), later=True),
        c.EV_FINALS_DRAWN: _kind("finals_drawn", Field("finals", "final*")),
        c.EV_FINAL_CHOSEN: _kind("final_chosen", SEAT, Field("final", "final")),
        c.EV_LEADER_GAINED: _kind("leader_gained", SEAT, Field("element", "element"), later=True),
        c.EV_FINAL_COMPLETED: _kind("final_completed", SEAT, Field("final", "final")),
        c.EV_YEAR_ENDED: _kind("year_ended", Field("reason", "end")),
        c.EV_SCORED: _kind(
            "scored", SEAT, Field("kindness", "count"), Field("projects", "count"), Field("steps", "count"),
            Field("creatures", "count"), Field("elements", "count"), Field("total", "count"),
        ),
        c.EV_WON: _kind("won", Field("seats", "seat*")),
    },
    VALUES,
)  # fmt: skip
