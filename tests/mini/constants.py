"""Names and tables of the miniature game. Upper-case ints and flat tuples of ints become C constants."""

from mini.cards import CARD_VALUES

CARDS = len(CARD_VALUES)
SEATS_MAX = 5
HAND_MAX = CARDS
NONE = 255
PASS = CARDS
ACTIONS = CARDS + 1
LEAST = -3

# Numbers above 2**31 need a name: as literals they do not compile in code that runs without the interpreter.
MASK64 = 0xFFFFFFFFFFFFFFFF
GOLDEN = 0x9E3779B97F4A7C15
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB

VALUE = CARD_VALUES

# These stay Python's own.
TITLE = "mini"
GENTLE = True
NAMES = ("a", "b")
EMPTY: tuple[int, ...] = ()
HUGE = 2**64
seldom = 3
