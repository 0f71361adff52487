"""The numbers of Fairy School: cards, spaces, elements, phases, questions, actions.

Plain Python, standard library only. Upper-case ints and flat tuples of ints become C constants in the compiled engine;
the names that people read are in lower-case tuples next to them.
"""

import re

from fabletop.core import chance

# SplitMix64, as in core.chance; compiled engines need the names as constants of their own
MASK64 = chance.MASK64
GOLDEN = chance.GOLDEN

RULES = 2
"""The version of the rules. 2: `Banish +F` must remove a card (F-6.7); cards 72, 112 and 137 (F-6.10)."""

# ---- sizes

SEATS_MAX = 6
ELEMENTS = 5
EARTH, PLANT, FIRE, WATER, AIR = 0, 1, 2, 3, 4
CREATURES = 12
COLUMNS = 5
SPACES = 10  # 0-4 the top row, 5-9 the bottom row, each from left to right (F-1.5)
PAW_TOP = 0
PAW_BOTTOM = 9

CARDS = 187
S_FIRST, S_END = 72, 100
DECK_FIRST = (72, 100, 128, 157)  # S, then the projects of trimesters I, II, III
DECK_END = (100, 128, 157, 187)
PROJECT_FIRST = 100
FINALS = 17
LONG_FINALS = 10
SHORT_FINALS = 7
STEPS_LONG = 5
STEPS_SHORT = 4
NONE = 255  # no card, no final: arrays are unsigned bytes

# Most cards one seat can own: 12 + 5 + two realised projects in each of 12 turns + 3 leftover ones = 44.
OWN_MAX = 48
HAND_MAX = 10  # cards drawn in planning, a draft hand, projects put aside
PICKS_MAX = 5
PROJECTS_MAX = 7  # three unfinished and four drafted
SHARED_MAX = 2
COMMON_MAX = 87
USED_MAX = 40  # different cards one seat can put a cube on
LOOKED_MAX = 3
FINALS_DRAWN_MAX = 8
WORDS = 8  # streams of chance: one per seat, the table's, and the last for random play
DICE = 7
SAID_MAX = 1500  # room for the events of one action
PICK_SLOT = 100  # in the list of hidden places: 0-59 hands, from 100 picks, from 200 cards in the box
BOX_SLOT = 200
ROW_MARK = 65535  # begins an event in the buffer
SETS = 5

CUBES_FULL = 37  # F-1.7
CUBES_SHORT = 32
LAST_TURNS = 12  # F-3.1
KEPT = 3  # F-4.2
DRAFT_SIZE = 4
DRAFT_SIZE_OF_TWO = 5  # S cards for each of two players (F-2.6)
# By trimester, whether a draft goes to the left (F-2.5, F-4.1): S cards and II do, I and III do not; IV has none.
PASSED_LEFT = (1, 0, 1, 0, 0)
SETTLED = 2  # F-2.2
SELECTED = 2  # columns, F-5.2
REALISED_PER_TURN = 2  # F-5.6
SCOUTED = 3  # F-6.3

# F-1.3: how many elements of any kind one E, V, F, W or A takes.
RATE = (3, 4, 4, 3, 6)
# F-1.5: the element that each column costs; 5 is the free one.
COLUMN_COST = (0, 1, 5, 2, 3)
# F-1.6: the bonus of each pair; 5 means any element but air.
PAIR_BONUS = (0, 3, 1, 2, 5, 4)
ANY = 5
NO_ELEMENT = 5

# ---- set-up and places of cards

BEGINNERS, NORMAL, EXPERT = 0, 1, 2
IN_PLAY, IN_BOX, BANISHED_CARD = 0, 1, 2

# ---- effect lines

OP_NONE, OP_GAIN, OP_RECALL, OP_SCOUT, OP_REPEAT, OP_BANISH, OP_STUDY = 0, 1, 2, 3, 4, 5, 6
ALTERNATIVES = 4
TIMES_MAX = 5

# ---- phases: what the whole table is at

PHASE_SETTLE_DRAFT = 0  # expert: S cards are drafted
PHASE_SETTLE = 1  # expert, and the sixth seat: two S cards go into the forest
PHASE_DRAFT = 2
PHASE_DROP = 3  # of the drafted and the unfinished projects three are kept
PHASE_GOAL = 4
PHASE_PLAN = 5
PHASE_SELECT = 6
PHASE_ACTIVATE = 7
PHASE_STUDY = 8
PHASE_REALISE = 9
PHASE_FINAL = 10
PHASE_BONUS = 11
PHASE_SPEND = 12
PHASE_OVER = 13
PHASES = 14

phase_names = (
    "settle_draft", "settle", "draft", "drop", "goal", "plan", "select", "activate", "study", "realise",
    "final", "bonus", "spend", "over",
)  # fmt: skip

# ---- questions: what one seat is asked

ASK_NOTHING = 0
ASK_DRAFT = 1
ASK_SETTLE = 2
ASK_SETTLE_SPACE = 3
ASK_DROP = 4
ASK_GOAL = 5
ASK_PLAN = 6
ASK_PLAN_SPACE = 7
ASK_SELECT = 8
ASK_ACTIVATE = 9
ASK_LINE = 10
ASK_TIMES = 11
ASK_GAIN = 12
ASK_RECALL = 13
ASK_SCOUT = 14
ASK_REPEAT = 15
ASK_BANISH = 16
ASK_STUDY_ANY = 17
ASK_STUDY = 18
ASK_ANY = 19
ASK_REALISE = 20
ASK_FINAL = 21
ASK_BONUS = 22
ASK_SPEND = 23
ASK_PAY = 24
ASK_CONVERT = 25
ASK_CONVERT_WITH = 26
QUESTIONS = 27

question_names = (
    "nothing", "draft", "settle", "settle_space", "drop", "goal", "plan", "plan_space", "select", "activate",
    "line", "times", "gain", "recall", "scout", "repeat", "banish", "study_any", "study", "any", "realise",
    "final", "bonus", "spend", "pay", "convert", "convert_with",
)  # fmt: skip

# ---- actions: the catalogue, in blocks

DO_CARD = 0
DO_FINAL = 187
DO_SPACE = 204
DO_COLUMN = 214
DO_LINE = 219
DO_TIMES = 221
DO_GAIN = 226
DO_TAKE = 230
DO_MAKE = 235
DO_SPEND = 240
DO_CREATURE = 245
DO_STEP = 257
DO_CONVERT = 258
DO_CANCEL = 259
DO_PASS = 260
DO_DONE = 261
ACTIONS = 262
OPTIONS_ROOM = 264  # for options, a multiple of 8

# ---- observations: where a card is, and the sizes of their parts (observation.py)

IN_PILE = 1
ON_PILE = 2
IN_DISCARD = 3
IN_PERSONAL = 4
IN_SHARED = 5
IN_FOREST = 6
IN_PROJECTS = 7
IN_BANISHED = 8
IN_HAND = 9
IN_COMMON = 10
IN_PICKS = 11
IN_SIGHT = 12
PASSED_ON = 13
BLOCK = 44  # bytes for the area of a seat
OWNERS = SEATS_MAX * BLOCK  # where the cards begin in an image
IMAGE = OWNERS + 2 * CARDS

# ---- events (fabletop.games.fairy_school.events says who may know them)

EV_CLOSED = 0
EV_SET_DEALT = 1
EV_HAND_GOT = 2
EV_PICKED = 3
EV_SETTLED = 4
EV_DISCARDED = 5
EV_TRIMESTER_BEGAN = 6
EV_PROJECTS_GIVEN = 7
EV_COMMON_GOT = 8
EV_DROPPED = 9
EV_KEPT = 10
EV_TURN_BEGAN = 11
EV_ORDER_SET = 12
EV_GOAL_TAKEN = 13
EV_GOAL_MISSING = 14
EV_SHUFFLED = 15
EV_DREW = 16
EV_PLACED = 17
EV_COLUMN_CHOSEN = 18
EV_PAID = 19
EV_CONVERTED = 20
EV_ACTIVATED = 21
EV_REPEATED = 22
EV_GAINED = 23
EV_RECALLED = 24
EV_SHUFFLED_SCOUTING = 25
EV_SCOUTED = 26
EV_SCOUT_PLACED = 27
EV_SCOUT_DISCARDED = 28
EV_BANISHED = 29
EV_STUDIED = 30
EV_KINDNESS_GOT = 31
EV_RESTED = 32
EV_PAWS_DISCARDED = 33
EV_CLOSED_UP = 34
EV_REALISED = 35
EV_STEP_DONE = 36
EV_FINALS_DRAWN = 37
EV_FINAL_CHOSEN = 38
EV_LEADER_GAINED = 39
EV_FINAL_COMPLETED = 40
EV_YEAR_ENDED = 41
EV_SCORED = 42
EV_WON = 43

END_COMPLETED, END_TWELFTH_TURN = 0, 1
end_names = ("final_completed", "twelfth_turn")

# ---- the fields of the state
#
# Copying, snapshots, dumping and loading follow from these lists; `engine.pxd` declares the same fields in the same
# order, `State.make_arrays` gives the interpreted engine its lists, and tests compare the three.
# An area is what a seat can change in a stage, facts are what else belongs to it, a flow is where it is in the stage.
# A row: name, numbers for each seat, bytes of a number in C, the number that means "nothing", whether they are cards.
# `n_pile` is how many of `pile` are in use; the rest of a list means nothing.

fields_of_area = (
    ("elements", ELEMENTS, 2, 0, 0),
    ("studied", 1, 2, 0, 0),
    ("cubes", 1, 1, 0, 0),
    ("steps", 1, 1, 0, 0),
    ("forest", SPACES, 1, NONE, 1),
    ("bag", 1, 1, 0, 0),
    ("n_pile", 1, 1, 0, 0),
    ("pile", OWN_MAX, 1, 0, 1),
    ("n_discard", 1, 1, 0, 0),
    ("discard", OWN_MAX, 1, 0, 1),
    ("n_personal", 1, 1, 0, 0),
    ("personal", OWN_MAX, 1, 0, 1),
    ("n_shared", 1, 1, 0, 0),
    ("shared", SHARED_MAX, 1, 0, 1),
    ("n_projects", 1, 1, 0, 0),
    ("projects", PROJECTS_MAX, 1, 0, 1),
    ("n_hand", 1, 1, 0, 0),
    ("hand", HAND_MAX, 1, 0, 1),
    ("n_banished", 1, 1, 0, 0),
    ("banished", OWN_MAX, 1, 0, 1),
)
fields_of_facts = (
    ("set", 1, 1, SETS, 0),
    ("final", 1, 1, NONE, 0),
    ("kindness", SEATS_MAX, 1, 0, 0),
    ("sure", 1, 1, 0, 0),
    ("n_picks", 1, 1, 0, 0),
    ("picks", PICKS_MAX, 1, 0, 1),
    ("n_looked", 1, 1, 0, 0),
    ("looked", LOOKED_MAX, 1, 0, 1),
    ("n_used", 1, 1, 0, 0),
    ("used", USED_MAX, 1, 0, 0),
    ("used_cubes", USED_MAX, 1, 0, 0),
)
fields_of_flow = (
    ("question", 1, 1, ASK_NOTHING, 0),
    ("card", 1, 1, NONE, 0),
    ("line", 1, 1, 0, 0),
    ("left", 1, 1, 0, 0),
    ("again", 1, 1, 0, 0),
    ("after", 1, 1, ASK_NOTHING, 0),
    ("back", 1, 1, ASK_NOTHING, 0),
    ("making", 1, 1, NO_ELEMENT, 0),
    ("spent", 1, 1, 0, 0),
    ("taken", 1, 1, 0, 0),
    ("columns", 1, 1, 0, 0),
    ("owed", ELEMENTS, 1, 0, 0),
    ("given", ELEMENTS, 1, 0, 0),
)
seat_fields = (
    *fields_of_area,
    *(("was_" + row[0], *row[1:]) for row in fields_of_area),
    *fields_of_facts,
    *fields_of_flow,
)
AREA_FIELDS = len(fields_of_area)
FACTS_FIELDS = len(fields_of_facts)
FLOW_FIELDS = len(fields_of_flow)
FIRST_FACT = 2 * AREA_FIELDS
FIRST_FLOW = FIRST_FACT + FACTS_FIELDS
SEAT_FIELDS = len(seat_fields)
FIELD_SIZE = tuple(row[1] for row in seat_fields)
FIELD_WIDTH = tuple(row[2] for row in seat_fields)
FIELD_EMPTY = tuple(row[3] for row in seat_fields)
FIELD_CARDS = tuple(row[4] for row in seat_fields)
# The field that says how many of a list are in use, or NONE.
FIELD_COUNT = tuple(
    next((i for i, other in enumerate(seat_fields) if other[0] == re.sub("^(was_|)", r"\1n_", row[0])), NONE)
    for row in seat_fields
)
# Where a field begins, in bytes from the first; the two-byte ones of an area come first, so that C leaves no gaps.
FIELD_AT = tuple(sum(SEATS_MAX * row[1] * row[2] for row in seat_fields[:i]) for i in range(len(seat_fields)))
FIELD_BYTES = FIELD_AT[-1] + SEATS_MAX * FIELD_SIZE[-1] * FIELD_WIDTH[-1]
AREA_BYTES = FIELD_AT[AREA_FIELDS]

# What is not any seat's: options, and where the year is.
table_fields = (
    "seats", "setup", "short", "wider", "stage", "together", "learned", "phase", "trimester", "last", "turn",
    "year_turn", "draft_round", "ended",
)  # fmt: skip

setup_names = ("beginners", "normal", "expert")
length_names = ("full", "short")
trimester_names = ("I", "II", "III")
