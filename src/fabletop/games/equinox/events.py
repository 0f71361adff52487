"""What can happen in Equinox, and who may know (E-9).

A field without `eyes` is public. `row` counts from 1 to 5; `points` may be halves (E-7.13).
"""

from typing import Any

from fabletop.core.events import EventKind, EventTable, Field
from fabletop.games.equinox import constants as c

SEAT = Field("seat", "seat")
TARGET = Field("target", "seat")
CREATURE = Field("creature", "creature")
ROW = Field("row", "row")
CARD = Field("card", "card")
COUNT = Field("count", "count")
OWN_CARD = Field("card", "card", eyes=("seat",))
OWN_CARDS = Field("cards", "card*", eyes=("seat",))
CARD_OF_TWO = Field("card", "card", eyes=("seat", "target"))
CARDS_OF_TWO = Field("cards", "card*", eyes=("seat", "target"))


def _kind(name: str, *fields: Field) -> EventKind:
    return EventKind(name, fields)


KINDS = {
    c.GAME_BEGAN: _kind("game_began", Field("creatures", "creature*")),
    c.DEALT: _kind("dealt", SEAT, COUNT, OWN_CARDS),
    c.ROUND_BEGAN: _kind("round_began", Field("round", "round")),
    c.TURN_BEGAN: _kind("turn_began", SEAT),
    # phases 1 to 3: the phase is `predict` or `discard`
    c.PASSED: _kind("passed", SEAT, Field("phase", "choice")),
    c.PREDICTED: _kind("predicted", SEAT, CREATURE, ROW),
    c.PREDICTED_SECRETLY: _kind("predicted_secretly", SEAT, OWN_CARD),
    c.REVEALED: _kind("revealed", SEAT, CARD, CREATURE),
    c.PLAYED: _kind("played", SEAT, CARD, ROW),
    c.CHAMELEON_PLAYED: _kind("chameleon_played", SEAT, CARD, CREATURE, ROW),
    c.TREE_PLAYED: _kind("tree_played", SEAT, CARD),
    c.HAND_SHOWN: _kind("hand_shown", SEAT, Field("cards", "card*")),
    # `creature` is the one whose card was played, `power` the one whose power it is: they differ for Fungy (E-7.8)
    c.POWER_USED: _kind("power_used", SEAT, CREATURE, Field("power", "creature")),
    c.POWER_DECLINED: _kind("power_declined", SEAT, CREATURE),
    c.TOOK_BACK_PEBBLE: _kind("took_back_pebble", SEAT, CREATURE, ROW),
    c.TOOK_BACK_CHAMPION: _kind("took_back_champion", SEAT, CREATURE),
    c.TOOK_BACK_SECRET: _kind("took_back_secret", SEAT, CARD, CREATURE),
    # the target sees what is left, and so knows what was taken
    c.SET_ASIDE: _kind("set_aside", SEAT, TARGET, COUNT, Field("cards", "card*", eyes=("target",))),
    c.GOT_BACK: _kind("got_back", SEAT, COUNT, OWN_CARDS),
    c.PLACED_PEBBLE: _kind("placed_pebble", SEAT, CREATURE, ROW),
    c.ASKED_FOR: _kind("asked_for", SEAT, TARGET, CREATURE),
    # here `seat` is the one who gives or shows, `target` the one who asked
    c.GAVE: _kind("gave", SEAT, TARGET, CREATURE, CARD_OF_TWO),
    c.HAND_SHOWN_TO: _kind("hand_shown_to", SEAT, TARGET, CREATURE, CARDS_OF_TWO),
    c.LOOKED_AT: _kind("looked_at", SEAT, TARGET, CARDS_OF_TWO),
    c.KEPT_CARD: _kind("kept_card", SEAT, TARGET, CARD_OF_TWO),
    # Fiery Fang, Pilgrim, Dryad: from the cell into the hand
    c.TOOK_CARD: _kind("took_card", SEAT, CARD, CREATURE, ROW),
    c.SWAPPED: _kind("swapped", SEAT, CREATURE, CARD, ROW, Field("other", "card"), Field("other_row", "row")),
    c.REMOVED_CARD: _kind("removed_card", SEAT, CARD, CREATURE, ROW),
    c.NAMED: _kind("named", SEAT, CREATURE),
    c.EXPOSED: _kind("exposed", SEAT, CARD, CREATURE),
    c.FOUND_NOTHING: _kind("found_nothing", SEAT, CARD),
    c.DISCARDED_CARD: _kind("discarded", SEAT, CARD),
    c.DISCARDED_UNSEEN: _kind("discarded_unseen", SEAT, OWN_CARD),
    c.DREW: _kind("drew", SEAT, COUNT, OWN_CARDS),
    c.ELIMINATED: _kind("eliminated", CREATURE, Field("round", "round")),
    c.DECK_ENDED: _kind("deck_ran_out", SEAT),
    c.GAME_STALLED: _kind("stalled"),
    c.SECRET_AT_END: _kind("secret_at_end", SEAT, CARD, CREATURE),
    c.SCORED: _kind("scored", SEAT, Field("points", "points")),
    c.WON: _kind("won", Field("winners", "seat*")),
}


def points(halves: int) -> float:
    """Half points as points: 8 is 4.0, 9 is 4.5."""
    return halves / 2


def _same(number: int) -> Any:
    return number


EVENTS = EventTable(
    KINDS,
    {
        "seat": _same,
        "count": _same,
        "row": _same,
        "round": _same,
        "points": points,
        "card": c.CARD_IDS.__getitem__,
        "creature": c.CREATURE_IDS.__getitem__,
        "choice": c.CHOICE_IDS.__getitem__,
    },
)
