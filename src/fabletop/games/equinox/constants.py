"""Names and numbers of Equinox: creatures, cards, actions, choice kinds, event kinds.

Everything is a small number inside the engine and a text outside it. Upper-case ints become C constants where the
engine is compiled; upper-case tuples of texts are the same numbers in words.

A card is `creature * 11 + strength` for the fourteen creatures; then come eleven Chameleons, the Ancestor and two
Dryads. So `card // 11` is the kind of card (0 to 13 a creature, 14 Chameleon, 15 Tree) and `card % 11` its strength.
The two Dryads are one thing to every player: their text, and the action that plays either, is `dryad`.
"""

from fabletop.core import chance

# SplitMix64, as in core.chance; compiled engines need the names as constants of their own
MASK64 = chance.MASK64
GOLDEN = chance.GOLDEN

RULES = 2
"""The version of the rules. 2: cards that come back after Stag count as something done (E-6.9)."""

# ---- creatures, in the order of the rules page (E-1.2); a creature's number is also the number of its column

SQUEAK = 0
MOSS_MAN = 1
STAG = 2
RUBBLE = 3
TWINZ = 4
HOOT = 5
CARMEN = 6
FUNGY = 7
GOATMAN = 8
FIERY_FANG = 9
HOPSCOTCH = 10
FEATHER_FOX = 11
URSUS = 12
PILGRIM = 13

CREATURE_IDS = (
    "squeak",
    "moss_man",
    "stag",
    "rubble",
    "twinz",
    "hoot",
    "carmen",
    "fungy",
    "goatman",
    "fiery_fang",
    "hopscotch",
    "feather_fox",
    "ursus",
    "pilgrim",
)

# ---- sizes

SEATS_MAX = 5  # at most (E-1.1)
VIEWERS = 6  # the seats and the spectator
COLUMNS = 14
IN_GAME = 8  # creatures in one game (E-1.2)
ROWS = 5
CELLS = COLUMNS * ROWS  # cell = row * COLUMNS + column, rows from 0 inside the engine
STRENGTHS = 11
PEBBLES = 5
HAND = 8  # E-2.1, E-6.3
DISCARDS = 3  # E-6.1
SQUEAK_DRAWS = 3  # E-7.1
URSUS_HALVES = 1  # half points that Ursus adds (E-7.13)
LOOKED = 3  # cards that Goatman shows (E-7.9)
CHAMPION_VALUE = 5  # of a pebble on a Champion card (E-4.1)
ROW_VALUE = (4, 3, 2, 1, 0)  # of a pebble in row 1 to row 5 (E-4.1)
STAKE = 8  # a stake is this many times the value of the pebbles, plus their number
DECK = 102  # E-1.5
HAND_MAX = 104  # cards that fit in one hand: all there are
NONE = 255  # no card, no seat, no column

# ---- cards

CHAMELEON = 14  # kind
TREE = 15  # kind
FIRST_CHAMELEON = 154
ANCESTOR = 165
DRYAD = 166
OTHER_DRYAD = 167
CARDS = 168
SHOWN = 167  # cards that a player can tell apart
ALL_KINDS = 0xFFFF
CREATURE_KINDS = 0x3FFF

# ---- the action catalogue; what an action means depends on the choice that it answers

TO_COLUMN = 167  # + creature. Cards come first, under their own number
TO_CELL = 181  # + cell
TO_SEAT = 251  # + seat
USE = 256
PASS = 257
REVEAL = 258
TO_CHAMPION = 259  # + creature
SECRET = 273
ACTIONS = 274
OPTIONS_MAX = 112  # the most options of one question

# ---- choice kinds: the questions

OVER = 0
ASK_PREDICT = 1
ASK_PLAY = 2
ASK_COLUMN = 3
ASK_USE = 4
ASK_MOSS_MAN = 5
ASK_STAG = 6
ASK_RUBBLE = 7
ASK_HOOT_SEAT = 8
ASK_HOOT_CREATURE = 9
ASK_HOOT_GIVE = 10
ASK_FUNGY = 11
ASK_GOATMAN_SEAT = 12
ASK_GOATMAN_KEEP = 13
ASK_FIERY_FANG = 14
ASK_HOPSCOTCH = 15
ASK_HOPSCOTCH_WITH = 16
ASK_FEATHER_FOX = 17
ASK_PILGRIM = 18
ASK_ANCESTOR = 19
ASK_DRYAD = 20
ASK_DISCARD = 21
CHOICES = 22

CHOICE_IDS = (
    "over",
    "predict",  # column: regular; card: secret; reveal; pass (E-3)
    "play",  # card; a lone pass shows the hand (E-5)
    "column",  # column: where the chosen Chameleon goes (E-5.3)
    "use",  # use or pass: Squeak, Twinz, Carmen (E-7.1, E-7.5, E-7.7)
    "moss_man",  # cell, champion-…, secret: which pebble comes back; pass (E-7.2)
    "stag",  # seat; pass (E-7.3)
    "rubble",  # cell; pass (E-7.4)
    "hoot_seat",  # seat; pass (E-7.6)
    "hoot_creature",  # column
    "hoot_give",  # card, asked of the other seat; a lone pass shows the hand
    "fungy",  # column: whose power; pass (E-7.8)
    "goatman_seat",  # seat; pass (E-7.9)
    "goatman_keep",  # card: one of three
    "fiery_fang",  # cell; pass (E-7.10)
    "hopscotch",  # cell: the first card; pass (E-7.11)
    "hopscotch_with",  # cell: the second card
    "feather_fox",  # column; pass (E-7.12)
    "pilgrim",  # cell; pass (E-7.14)
    "ancestor",  # column (E-7.15)
    "dryad",  # cell (E-7.16)
    "discard",  # card, one at a time; pass (E-6.1)
)

# the first question that a creature's power asks, by creature; Ursus has none (E-7.13)
POWER_ASKS = (
    ASK_USE,
    ASK_MOSS_MAN,
    ASK_STAG,
    ASK_RUBBLE,
    ASK_USE,
    ASK_HOOT_SEAT,
    ASK_USE,
    ASK_FUNGY,
    ASK_GOATMAN_SEAT,
    ASK_FIERY_FANG,
    ASK_HOPSCOTCH,
    ASK_FEATHER_FOX,
    OVER,
    ASK_PILGRIM,
)

# ---- why a game ended

FIFTH_ELIMINATION = 1
DECK_RAN_OUT = 2
STALLED = 3
REASON_IDS = ("", "fifth_elimination", "deck_ran_out", "stalled")

# ---- hidden places, as bits of a mask: where a card that is not in plain sight may be

AT_HAND = 0  # + seat
AT_ASIDE = 5  # + seat
AT_SECRET = 10  # + seat
AT_UNSEEN = 15  # discarded unseen by the others (E-7.7)
PLACES = 16
PLACE_IDS = (
    *(f"{kind}-{seat}" for kind in ("hand", "aside", "secret") for seat in range(SEATS_MAX)),
    "unseen",
)
GROUPS = 11  # places of which something is known in general: five secrets, the unseen discards, five hands

# ---- what became of a card that left the game

KEPT = 0  # it has not left
DISCARDED = 1  # face up
UNSEEN = 2  # + the seat that discarded it

# ---- events (their fields and audiences are in events.py)

SAID_MAX = 320  # bytes of events that one action can say; all cards of the game shown at once would fit
GAME_BEGAN = 1
DEALT = 2
ROUND_BEGAN = 3
TURN_BEGAN = 4
PASSED = 5
PREDICTED = 6
PREDICTED_SECRETLY = 7
REVEALED = 8
PLAYED = 9
CHAMELEON_PLAYED = 10
TREE_PLAYED = 11
HAND_SHOWN = 12
POWER_USED = 13
POWER_DECLINED = 14
TOOK_BACK_PEBBLE = 15
TOOK_BACK_CHAMPION = 16
TOOK_BACK_SECRET = 17
SET_ASIDE = 18
GOT_BACK = 19
PLACED_PEBBLE = 20
ASKED_FOR = 21
GAVE = 22
HAND_SHOWN_TO = 23
LOOKED_AT = 24
KEPT_CARD = 25
TOOK_CARD = 26
SWAPPED = 27
REMOVED_CARD = 28
NAMED = 29
EXPOSED = 30
FOUND_NOTHING = 31
DISCARDED_CARD = 32
DISCARDED_UNSEEN = 33
DREW = 34
ELIMINATED = 35
DECK_ENDED = 36
GAME_STALLED = 37
SECRET_AT_END = 38
SCORED = 39
WON = 40

# ---- imagining: after this many failed tries the next weaker set of demands is used

TRIES = 2000


def card_text(card: int) -> str:
    """The id of a card: `hoot-7`, `chameleon-3`, `ancestor`, `dryad`."""
    if card < FIRST_CHAMELEON:
        return f"{CREATURE_IDS[card // STRENGTHS]}-{card % STRENGTHS}"
    if card < ANCESTOR:
        return f"chameleon-{card % STRENGTHS}"
    return "ancestor" if card == ANCESTOR else "dryad"


CARD_IDS = tuple(card_text(card) for card in range(CARDS))

ACTION_IDS = (
    *CARD_IDS[:OTHER_DRYAD],
    *CREATURE_IDS,
    *(f"{row + 1}-{creature}" for row in range(ROWS) for creature in CREATURE_IDS),
    *(f"seat-{seat}" for seat in range(SEATS_MAX)),
    "use",
    "pass",
    "reveal",
    *(f"champion-{creature}" for creature in CREATURE_IDS),
    "secret",
)
