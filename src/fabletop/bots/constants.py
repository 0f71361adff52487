"""Numbers of the search and of the worlds that it plays in; compiled they are constants of C."""

NOBODY = 255
OPTIONS = 512  # the most options at once
MOST_SEATS = 8
DEPTH = 256  # more than the depth of any tree
REWARD = 65536
FULL = 1024  # a likelihood of one
POINT = 262144  # a point of the game in the scores of the options
TRIES = 16  # deals that are tried to find one that fits what the others have done
EVEN = 4096
FLOOR = 4
"""An option that looks bad has this part of an even share as its prior, so that it is looked at again."""
DEALS = 4096  # different deals in a flat search; an option that has met them all has nothing to add
FIRST = 4
"""Where something else guesses first, knowledge has a part of the prior at the root: one in this many."""
DISCOUNT = 4  # in a flat search a first guess is worth a part of what it says in points: one in this many
AWAY = 1 << 24  # more than any sum of rewards per visit
BLUR = 256  # rewards that differ by less may change places
OPTION_SALT = 0x94D049BB133111EB  # keeps the keys of options apart from those of nodes
LEAN = tuple(max(1, round(EVEN * 2 ** (-i / 8))) for i in range(128))
"""The weight of an option i eighths of `heat` below the best: half as much for each eight of them."""
