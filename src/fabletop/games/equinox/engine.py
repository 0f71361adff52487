"""The rules of Equinox, once: a record of small numbers and the moves that change it.

Interpreted, the arrays are lists; compiled with `engine.pxd` beside it, they are C arrays and the same text runs
without the interpreter. So: one-dimensional arrays only, copies by `[:]`, 255 for "none", no negative values, and
nothing raises below the boundary. Methods stand in the order of the rulebook and begin with the number of their rule.

What waits is data (`phase`, `actor` and a few arguments), so a state can be copied, saved and searched at any point.
The pending question is in `phase`, its options in `options[:n_options]`. A power's "this creature" is `home`, the
column where it is used, so Fungy needs no special cases (E-7.8).

A hand is `hand[seat * HAND_MAX:]`: first the `n_hand` cards in hand, then the `n_aside` cards that Stag has set aside.
The order inside a hand or the deck means nothing; the deck is a bag, drawn from at random.

Knowledge. Cards in piles and face-up discards have been seen by all. A hidden card that somebody knows more about
than that it is hidden is *special*: it has a slot with one mask per viewer (the spectator is viewer number `seats`),
the set of hidden places where this viewer thinks it may be; an empty mask means that the viewer knows nothing about it,
and it may also be in the deck. A viewer's own hand, set-aside cards, secret and unseen discards need no mask. Besides,
all know kinds of which a hand or a secret has none (`none_hand`, `none_secret`; of the cards they cannot place), and
how many cards of a creature a hand holds at least, set-aside cards included (`at_least`). A mask never excludes the
truth.
"""

from __future__ import annotations

from typing import Any

from fabletop.core import chance
from fabletop.core.copying import copy_fields
from fabletop.core.errors import NotOffered
from fabletop.games.equinox.constants import (
    ACTION_IDS,
    ALL_KINDS,
    ANCESTOR,
    ASK_ANCESTOR,
    ASK_COLUMN,
    ASK_DISCARD,
    ASK_DRYAD,
    ASK_FEATHER_FOX,
    ASK_FUNGY,
    ASK_GOATMAN_KEEP,
    ASK_GOATMAN_SEAT,
    ASK_HOOT_CREATURE,
    ASK_HOOT_GIVE,
    ASK_HOOT_SEAT,
    ASK_HOPSCOTCH,
    ASK_HOPSCOTCH_WITH,
    ASK_MOSS_MAN,
    ASK_PLAY,
    ASK_PREDICT,
    ASK_RUBBLE,
    ASK_STAG,
    ASK_USE,
    ASKED_FOR,
    AT_ASIDE,
    AT_HAND,
    AT_SECRET,
    AT_UNSEEN,
    CARDS,
    CARMEN,
    CELLS,
    CHAMELEON,
    CHAMELEON_PLAYED,
    CHAMPION_VALUE,
    COLUMNS,
    CREATURE_KINDS,
    DEALT,
    DECK_ENDED,
    DECK_RAN_OUT,
    DISCARDED,
    DISCARDED_CARD,
    DISCARDED_UNSEEN,
    DISCARDS,
    DREW,
    DRYAD,
    ELIMINATED,
    EXPOSED,
    FEATHER_FOX,
    FIERY_FANG,
    FIFTH_ELIMINATION,
    FIRST_CHAMELEON,
    FOUND_NOTHING,
    FUNGY,
    GAME_BEGAN,
    GAME_STALLED,
    GAVE,
    GOATMAN,
    GOLDEN,
    GOT_BACK,
    GROUPS,
    HAND,
    HAND_MAX,
    HAND_SHOWN,
    HAND_SHOWN_TO,
    HOOT,
    HOPSCOTCH,
    IN_GAME,
    KEPT,
    KEPT_CARD,
    LOOKED,
    LOOKED_AT,
    MASK64,
    MOSS_MAN,
    NAMED,
    NONE,
    OPTIONS_MAX,
    OTHER_DRYAD,
    OVER,
    PASS,
    PASSED,
    PEBBLES,
    PILGRIM,
    PLACED_PEBBLE,
    PLACES,
    PLAYED,
    POWER_ASKS,
    POWER_DECLINED,
    POWER_USED,
    PREDICTED,
    PREDICTED_SECRETLY,
    REMOVED_CARD,
    REVEAL,
    REVEALED,
    ROUND_BEGAN,
    ROW_VALUE,
    ROWS,
    RUBBLE,
    SAID_MAX,
    SCORED,
    SEATS_MAX,
    SECRET,
    SECRET_AT_END,
    SET_ASIDE,
    SQUEAK,
    SQUEAK_DRAWS,
    STAG,
    STAKE,
    STALLED,
    STRENGTHS,
    SWAPPED,
    TO_CELL,
    TO_CHAMPION,
    TO_COLUMN,
    TO_SEAT,
    TOOK_BACK_CHAMPION,
    TOOK_BACK_PEBBLE,
    TOOK_BACK_SECRET,
    TOOK_CARD,
    TREE_PLAYED,
    TRIES,
    TURN_BEGAN,
    TWINZ,
    UNSEEN,
    URSUS,
    URSUS_HALVES,
    USE,
    VIEWERS,
    WON,
)

COMPILED = not __file__.endswith(".py")
if not COMPILED:  # compiled, both are C: one memcpy in engine.pxd, and splitmix.pxd
    globals().update(copy_record=copy_fields, scramble=chance.scramble)


class State:
    """Everything true about one game of Equinox."""

    def __init__(
        self,
        seats: int,
        full_hand: int = HAND,
        squeak_draws: int = SQUEAK_DRAWS,
        ursus_halves: int = URSUS_HALVES,
    ) -> None:
        self.seats = seats
        self.full_hand = full_hand
        self.squeak_draws = squeak_draws
        self.ursus_halves = ursus_halves
        self.stage = 0
        self.together = False
        self.learned = 0
        # whose turn, and what is asked
        self.row = 0
        self.turn = 0
        self.actor = NONE
        self.phase = OVER
        self.home = NONE
        self.power = NONE
        self.committed = 0
        self.target = NONE
        self.named = NONE
        self.held = NONE
        self.n_options = 0
        # this turn
        self.twinz = 0
        self.carmen = 0
        self.discards = 0
        self.resting = 0
        self.busy = 0
        self.idle = 0
        self.reason = 0
        # the table, the seats, knowledge
        self.in_play = 0
        self.in_game = 0
        self.filled = 0
        self.n_deck = 0
        self.secret_made = 0
        self.n_special = 0
        self.bounds = 0
        # chance and events
        self.word = 0
        self.listening = False
        self.n_said = 0
        self.last_said = 0
        if not COMPILED:  # C arrays are there from the start
            self.make_arrays()
        self.clear()

    def make_arrays(self) -> None:
        """The arrays, as lists."""
        self.looked = list([NONE] * LOOKED)
        self.options = list([0] * OPTIONS_MAX)
        # the table
        self.columns = list([0] * IN_GAME)
        self.gone = list([NONE] * COLUMNS)
        self.taken = list([0] * ROWS)
        self.stake = list([0] * (COLUMNS * SEATS_MAX))
        self.top = list([NONE] * CELLS)
        self.under = list([NONE] * CARDS)
        self.pebble = list([NONE] * CELLS)
        self.champion = list([0] * COLUMNS)
        self.controller = list([NONE] * COLUMNS)
        self.fate = list([KEPT] * CARDS)
        self.deck = list([0] * HAND_MAX)
        # the seats
        self.hand = list([0] * (SEATS_MAX * HAND_MAX))
        self.n_hand = list([0] * SEATS_MAX)
        self.n_aside = list([0] * SEATS_MAX)
        self.n_unseen = list([0] * SEATS_MAX)
        self.where = list([0] * CARDS)
        self.pebbles = list([0] * SEATS_MAX)
        self.secret = list([NONE] * SEATS_MAX)
        # knowledge
        self.special = list([0] * HAND_MAX)
        self.special_at = list([NONE] * CARDS)
        self.mask = list([0] * (HAND_MAX * VIEWERS))
        self.none_hand = list([0] * SEATS_MAX)
        self.none_secret = list([0] * SEATS_MAX)
        self.at_least = list([0] * (SEATS_MAX * COLUMNS))
        # scratch: means nothing between two calls
        self.room = list([0] * PLACES)
        self.kinds = list([0] * PLACES)
        self.start = list([0] * PLACES)
        self.group = list([0] * GROUPS)
        self.in_order = list([0] * OPTIONS_MAX)
        self.said = list([0] * SAID_MAX)

    def clone(self) -> State:
        """An independent copy."""
        g = State.__new__(State)
        g.become(self)
        return g

    def become(self, other: State) -> None:
        """Copy another state of the same game into this one: what `clone` does, without making an object."""
        copy_record(self, other)  # type: ignore[name-defined]  # noqa: F821
        for i in range(other.n_special * VIEWERS):  # seldom more than a few are in use
            self.mask[i] = other.mask[i]
        for i in range(other.n_said):
            self.said[i] = other.said[i]

    # ---------------------------------------------------------------- chance

    def below(self, n: int) -> int:
        """A number from 0 to n - 1 (SplitMix64, as core.chance)."""
        self.word = (self.word + GOLDEN) & MASK64
        z: int = scramble(self.word)  # type: ignore[name-defined]  # noqa: F821
        return ((z >> 32) * n) >> 32

    # ---------------------------------------------------------------- events

    def put(self, value: int) -> None:
        """Add a value to the event being said."""
        if self.listening and self.n_said < SAID_MAX:
            self.said[self.n_said] = value
            self.n_said += 1
            self.said[self.last_said] += 1

    def say(self, kind: int) -> None:
        """Begin an event: in the buffer stand its length, its kind, its values."""
        if self.listening and self.n_said < SAID_MAX:
            self.last_said = self.n_said
            self.said[self.n_said] = 0
            self.n_said += 1
            self.put(kind)

    def say1(self, kind: int, a: int) -> None:
        """An event with one value."""
        if self.listening:
            self.say(kind)
            self.put(a)

    def say2(self, kind: int, a: int, b: int) -> None:
        """An event with two values."""
        if self.listening:
            self.say(kind)
            self.put(a)
            self.put(b)

    def say3(self, kind: int, a: int, b: int, c: int) -> None:
        """An event with three values."""
        if self.listening:
            self.say(kind)
            self.put(a)
            self.put(b)
            self.put(c)

    def say4(self, kind: int, a: int, b: int, c: int, d: int) -> None:
        """An event with four values."""
        if self.listening:
            self.say3(kind, a, b, c)
            self.put(d)

    def put_hand(self, seat: int, start: int, end: int) -> None:
        """Add the cards of a hand from one index to another, ascending, to the event being said."""
        if self.listening:
            for card in range(CARDS):
                i = self.where[card]
                if start <= i and i < end and self.hand[seat * HAND_MAX + i] == card:
                    self.put(card)

    def others_learn(self, seat: int) -> None:
        """All viewers but this seat have learned something hidden; the spectator is viewer number `seats`."""
        self.learned |= ((2 << self.seats) - 1) & ~(1 << seat)

    # ---------------------------------------------------------------- hands and piles

    def gain(self, seat: int, card: int) -> None:
        """A card comes into a hand."""
        base = seat * HAND_MAX
        n = self.n_hand[seat]
        aside = self.n_aside[seat]
        if aside > 0:
            moved = self.hand[base + n]
            self.hand[base + n + aside] = moved
            self.where[moved] = n + aside
        self.hand[base + n] = card
        self.where[card] = n
        self.n_hand[seat] = n + 1

    def lose(self, seat: int, card: int) -> None:
        """A card leaves a hand; the last one fills the gap."""
        base = seat * HAND_MAX
        n = self.n_hand[seat] - 1
        aside = self.n_aside[seat]
        i = self.where[card]
        last = self.hand[base + n]
        self.hand[base + i] = last
        self.where[last] = i
        if aside > 0:
            moved = self.hand[base + n + aside]
            self.hand[base + n] = moved
            self.where[moved] = n
        self.n_hand[seat] = n

    def holds(self, seat: int, card: int) -> bool:
        """Is the card in this hand (and not set aside)?"""
        i = self.where[card]
        return i < self.n_hand[seat] and self.hand[seat * HAND_MAX + i] == card

    def exchange(self, seat: int, i: int, j: int) -> None:
        """Two cards of a hand change places; it means nothing but makes room for drawing at random."""
        base = seat * HAND_MAX
        a = self.hand[base + i]
        b = self.hand[base + j]
        self.hand[base + i] = b
        self.hand[base + j] = a
        self.where[b] = i
        self.where[a] = j

    def lay(self, cell: int, card: int) -> None:
        """A card goes on top of a pile."""
        self.under[card] = self.top[cell]
        self.top[cell] = card
        column = cell - self.row * COLUMNS
        if column >= 0:
            self.filled |= 1 << column

    def lift(self, cell: int) -> int:
        """E-7.17: the top card leaves its pile, and what lies under it is visible."""
        card = self.top[cell]
        self.top[cell] = self.under[card]
        self.under[card] = NONE
        column = cell - self.row * COLUMNS
        if column >= 0 and self.top[cell] == NONE:
            self.filled &= ALL_KINDS ^ (1 << column)
        return card

    def draw(self, seat: int, count: int) -> None:
        """E-6.4: draw `count` cards, or all there are. The last card ends the game; the caller checks for it."""
        count = min(count, self.n_deck)
        for _ in range(count):
            i = self.below(self.n_deck)
            card = self.deck[i]
            self.n_deck -= 1
            self.deck[i] = self.deck[self.n_deck]
            self.gain(seat, card)
        self.none_hand[seat] = 0
        self.learned |= 1 << seat
        self.busy = 1
        self.say2(DREW, seat, count)
        self.put_hand(seat, self.n_hand[seat] - count, self.n_hand[seat])

    def throw_away(self, seat: int, card: int) -> None:
        """A card that was hidden with this seat is discarded face up."""
        self.fate[card] = DISCARDED
        self.seen(seat, card)

    def seen(self, seat: int, card: int) -> None:
        """A card that was hidden with this seat is in plain sight now."""
        if self.special_at[card] != NONE:
            self.forget(card)
        self.others_learn(seat)

    # ---------------------------------------------------------------- knowledge

    def slot(self, card: int) -> int:
        """The slot of a special card; a card that has none gets one."""
        i = self.special_at[card]
        if i == NONE:
            i = self.n_special
            self.n_special = i + 1
            self.special[i] = card
            self.special_at[card] = i
            for viewer in range(VIEWERS):
                self.mask[i * VIEWERS + viewer] = 0
        return i

    def forget(self, card: int) -> None:
        """The card is special no more; the last slot fills the gap."""
        i = self.special_at[card]
        n = self.n_special - 1
        if i != n:
            last = self.special[n]
            self.special[i] = last
            self.special_at[last] = i
            for viewer in range(VIEWERS):
                self.mask[i * VIEWERS + viewer] = self.mask[n * VIEWERS + viewer]
        self.n_special = n
        self.special_at[card] = NONE

    def know(self, viewer: int, card: int, place: int) -> None:
        """One viewer knows where the card is."""
        self.mask[self.slot(card) * VIEWERS + viewer] = 1 << place

    def all_know(self, card: int, place: int) -> None:
        """Everybody knows where the card is."""
        i = self.slot(card)
        for viewer in range(VIEWERS):
            self.mask[i * VIEWERS + viewer] = 1 << place

    def widen(self, start: int, end: int, kinds: int, one: int, two: int) -> None:
        """A card of these kinds went unseen from one place to another; only these two viewers know which."""
        a = 1 << start
        b = 1 << end
        for i in range(self.n_special):
            if (kinds >> (self.special[i] // STRENGTHS)) & 1:
                for viewer in range(self.seats + 1):
                    if viewer != one and viewer != two and self.mask[i * VIEWERS + viewer] & a:
                        self.mask[i * VIEWERS + viewer] |= b

    def carry(self, start: int, end: int) -> None:
        """All cards of one place went to another."""
        a = 1 << start
        b = 1 << end
        for i in range(self.n_special * VIEWERS):
            if self.mask[i] & a:
                self.mask[i] = (self.mask[i] & ~a) | b

    def narrow(self, place: int, kinds: int) -> None:
        """Everybody knows that no card of these kinds is in this place."""
        a = 1 << place
        for i in range(self.n_special):
            if (kinds >> (self.special[i] // STRENGTHS)) & 1:
                for viewer in range(VIEWERS):
                    self.mask[i * VIEWERS + viewer] &= ALL_KINDS ^ a

    def show_hand(self, seat: int, viewer: int) -> None:
        """This viewer sees a whole hand: knows the cards in it, and that no other card is there."""
        a = 1 << (AT_HAND + seat)
        if self.holds(seat, DRYAD) != self.holds(seat, OTHER_DRYAD):
            self.one_dryad_less(seat, DRYAD if self.holds(seat, DRYAD) else OTHER_DRYAD, viewer)
        for i in range(self.n_special):
            if self.mask[i * VIEWERS + viewer] & a:
                self.mask[i * VIEWERS + viewer] &= ALL_KINDS ^ a
        for i in range(self.n_hand[seat]):
            self.know(viewer, self.hand[seat * HAND_MAX + i], AT_HAND + seat)

    def one_dryad_less(self, seat: int, card: int, viewer: int) -> None:
        """The Dryads look alike: a viewer who sees one of this hand cannot tell it from another that may be there.

        A viewer who knew of one Dryad there knows nothing of the other now; one who knew of both keeps both places.
        """
        other = DRYAD + OTHER_DRYAD - card
        i = self.special_at[other]
        if i != NONE and self.mask[i * VIEWERS + viewer] & (1 << (AT_HAND + seat)):
            j = self.special_at[card]
            if j == NONE or self.mask[j * VIEWERS + viewer] == 0:
                self.mask[i * VIEWERS + viewer] = 0
            else:
                self.mask[i * VIEWERS + viewer] |= self.mask[j * VIEWERS + viewer]

    def one_more(self, seat: int, kind: int) -> None:
        """Everybody knows that a card of this kind has come into the hand."""
        if kind < COLUMNS:
            self.at_least[seat * COLUMNS + kind] += 1
            self.bounds += 1

    def one_less(self, seat: int, kind: int) -> None:
        """A card of this kind has left the hand."""
        if self.bounds > 0 and kind < COLUMNS and self.at_least[seat * COLUMNS + kind] > 0:
            self.at_least[seat * COLUMNS + kind] -= 1
            self.bounds -= 1

    def any_less(self, seat: int) -> None:
        """Some Creature card has left the hand, unseen."""
        if self.bounds > 0:
            for kind in range(COLUMNS):
                self.one_less(seat, kind)

    # ---------------------------------------------------------------- E-2 set-up

    def clear(self) -> None:
        """An empty table, whatever was on it before."""
        self.stage = 0
        self.learned = 0
        self.row = 0
        self.home = NONE
        self.power = NONE
        self.committed = 0
        self.target = NONE
        self.named = NONE
        self.held = NONE
        self.idle = 0
        self.reason = 0
        self.secret_made = 0
        self.n_special = 0
        self.bounds = 0
        self.n_said = 0
        self.filled = 0
        for row in range(ROWS):
            self.taken[row] = 0
        for cell in range(CELLS):
            self.top[cell] = NONE
            self.pebble[cell] = NONE
        for i in range(COLUMNS * SEATS_MAX):
            self.stake[i] = 0
            self.at_least[i] = 0
        for card in range(CARDS):
            self.under[card] = NONE
            self.fate[card] = KEPT
            self.special_at[card] = NONE
            self.where[card] = 0
        for column in range(COLUMNS):
            self.gone[column] = NONE
            self.champion[column] = 0
            self.controller[column] = NONE
        for seat in range(SEATS_MAX):
            self.n_hand[seat] = 0
            self.n_aside[seat] = 0
            self.n_unseen[seat] = 0
            self.pebbles[seat] = PEBBLES
            self.secret[seat] = NONE
            self.none_hand[seat] = 0
            self.none_secret[seat] = 0
        for i in range(LOOKED):
            self.looked[i] = NONE

    def set_columns(self, creatures: int) -> None:
        """E-1.6: the creatures of the game (a bit each) get their columns."""
        self.in_game = creatures
        self.in_play = creatures
        n = 0
        for column in range(COLUMNS):
            if (creatures >> column) & 1:
                self.columns[n] = column
                n += 1

    def fill_deck(self) -> None:
        """E-1.5: eight times eleven Creature cards, eleven Chameleons and three Trees."""
        n = 0
        for i in range(IN_GAME):
            for strength in range(STRENGTHS):
                self.deck[n] = self.columns[i] * STRENGTHS + strength
                n += 1
        for card in range(FIRST_CHAMELEON, CARDS):
            self.deck[n] = card
            n += 1
        self.n_deck = n

    def random_creatures(self) -> int:
        """E-2.1: eight of the fourteen, at random."""
        creatures = 0
        wanted = IN_GAME
        for column in range(COLUMNS):
            if self.below(COLUMNS - column) < wanted:
                creatures |= 1 << column
                wanted -= 1
        return creatures

    def set_up(self, creatures: int, first: int) -> None:
        """E-2.1, E-2.2: eight creatures (0: random), eight cards for each, the first player (NONE: random)."""
        self.clear()
        if creatures == 0:
            creatures = self.random_creatures()
        self.set_columns(creatures)
        self.fill_deck()
        if first == NONE:
            first = self.below(self.seats)
        self.say(GAME_BEGAN)
        for i in range(IN_GAME):
            self.put(self.columns[i])
        for seat in range(self.seats):
            for _ in range(self.full_hand):
                i = self.below(self.n_deck)
                card = self.deck[i]
                self.n_deck -= 1
                self.deck[i] = self.deck[self.n_deck]
                self.gain(seat, card)
            self.say2(DEALT, seat, self.full_hand)
            self.put_hand(seat, 0, self.full_hand)
        self.say1(ROUND_BEGAN, 1)
        self.begin_turn(first)

    def begin_turn(self, seat: int) -> None:
        """E-2.3: a turn, phase by phase."""
        self.turn = seat
        self.twinz = 0
        self.carmen = 0
        self.discards = 0
        self.resting = 0
        self.busy = 0
        self.say1(TURN_BEGAN, seat)
        self.phase_1()

    # ---------------------------------------------------------------- E-3 phase 1: prediction

    def phase_1(self) -> None:
        """E-3: asked where everyone can see that there may be something to choose."""
        seat = self.turn
        ask = self.secret[seat] != NONE
        if not ask and self.pebbles[seat] > 0:
            ask = self.free_columns() != 0
            if not ask and self.row == 0 and self.n_hand[seat] > 0:
                ask = not (self.secret_made >> seat) & 1
        if ask:
            self.actor = seat
            self.phase = ASK_PREDICT
            self.offer_predict()
        else:
            self.phase_2()

    def free_columns(self) -> int:
        """E-3.1: the creatures in play whose cell in the current row has no pebble, a bit each."""
        return self.in_play & (ALL_KINDS ^ self.taken[self.row])

    def offer_predict(self) -> None:
        """E-3.1 to E-3.5: a column, a Creature card for a secret prediction, reveal, or pass."""
        seat = self.turn
        n = 0
        if self.pebbles[seat] > 0:
            free = self.free_columns()
            for i in range(IN_GAME):
                self.options[n] = TO_COLUMN + self.columns[i]
                n += (free >> self.columns[i]) & 1
            if self.row == 0 and not (self.secret_made >> seat) & 1:
                for i in range(seat * HAND_MAX, seat * HAND_MAX + self.n_hand[seat]):
                    self.options[n] = self.hand[i]
                    n += (CREATURE_KINDS >> (self.hand[i] // STRENGTHS)) & 1
        if self.secret[seat] != NONE:
            self.options[n] = REVEAL
            n += 1
        self.options[n] = PASS
        self.n_options = n + 1

    def predict(self, action: int) -> None:
        """E-3: at most one prediction, or the revealing of one."""
        seat = self.turn
        if action == PASS:
            self.say2(PASSED, seat, ASK_PREDICT)
            self.phase_2()
            return
        self.busy = 1
        if action == REVEAL:
            self.reveal(seat, REVEALED)
            self.phase_2()
        elif action >= TO_COLUMN:
            column = action - TO_COLUMN
            self.place(seat, self.row * COLUMNS + column)
            self.say3(PREDICTED, seat, column, self.row + 1)
            self.phase_2()
        else:
            self.predict_secretly(action)

    def place(self, seat: int, cell: int) -> None:
        """E-1.6: a pebble goes onto a cell."""
        self.pebbles[seat] -= 1
        self.pebble[cell] = seat
        self.taken[cell // COLUMNS] |= 1 << (cell % COLUMNS)
        self.bet(seat, cell % COLUMNS, ROW_VALUE[cell // COLUMNS])

    def predict_secretly(self, card: int) -> None:
        """E-3.2: a card face down under a pebble; phase 2 is skipped (E-6.8)."""
        seat = self.turn
        self.lose(seat, card)
        self.secret[seat] = card
        self.secret_made |= 1 << seat
        self.pebbles[seat] -= 1
        self.none_secret[seat] = self.none_hand[seat]
        self.widen(AT_HAND + seat, AT_SECRET + seat, CREATURE_KINDS, seat, seat)
        self.any_less(seat)
        self.say2(PREDICTED_SECRETLY, seat, card)
        self.phase_3()

    def reveal(self, seat: int, how: int) -> None:
        """E-3.4: the secret card is shown and discarded, its pebble goes onto the Champion card."""
        card = self.secret[seat]
        column = card // STRENGTHS
        self.secret[seat] = NONE
        self.throw_away(seat, card)
        self.narrow(AT_SECRET + seat, ALL_KINDS)
        self.champion[column] |= 1 << seat
        self.bet(seat, column, CHAMPION_VALUE)
        self.say3(how, seat, card, column)

    # ---------------------------------------------------------------- E-4 values and control

    def bet(self, seat: int, column: int, value: int) -> None:
        """E-4.1: a visible pebble of this value counts; a stake is `STAKE` times the value plus the pebbles' number."""
        self.stake[column * SEATS_MAX + seat] += STAKE * value + 1
        self.control(column)

    def unbet(self, seat: int, column: int, value: int) -> None:
        """E-7.2: a pebble of this value does not count any more."""
        self.stake[column * SEATS_MAX + seat] -= STAKE * value + 1
        self.control(column)

    def control(self, column: int) -> None:
        """E-4.2, E-4.3: the seat with the strictly highest total value of visible pebbles in the column."""
        best = 0
        controller = NONE
        for seat in range(self.seats):
            # the value, and one more for a seat that has a pebble there at all
            total = (self.stake[column * SEATS_MAX + seat] + STAKE - 1) // STAKE
            if total > best:
                best = total
                controller = seat
            elif total == best:
                controller = NONE
        self.controller[column] = controller

    def total(self, seat: int, column: int) -> int:
        """E-4.1: what the visible pebbles of a seat in a column are worth together; NONE where it has none."""
        stake = self.stake[column * SEATS_MAX + seat]
        return stake // STAKE if stake > 0 else NONE

    # ---------------------------------------------------------------- E-5 phase 2: play one card

    def phase_2(self) -> None:
        """E-5: every player is asked for a card; one without a playable card must pass (E-5.5)."""
        self.actor = self.turn
        self.home = NONE
        self.power = NONE
        self.committed = 0
        self.phase = ASK_PLAY
        self.offer_play()

    def offer_play(self) -> None:
        """E-5.1, E-5.3, E-5.4: cards of creatures in play, Chameleons, Trees. Two Dryads are one option."""
        seat = self.turn
        playable = self.in_play | (ALL_KINDS ^ CREATURE_KINDS)
        n = 0
        for i in range(seat * HAND_MAX, seat * HAND_MAX + self.n_hand[seat]):
            card = self.hand[i]
            self.options[n] = card
            n += (playable >> (card // STRENGTHS)) & 1
            if card == OTHER_DRYAD:
                self.options[n - 1] = DRYAD
                if self.holds(seat, DRYAD):
                    n -= 1
        if n == 0:
            self.options[0] = PASS
            n = 1
        self.n_options = n

    def play(self, action: int) -> None:
        """E-5: the card that was chosen."""
        if action == PASS:
            self.skip()
        elif action < FIRST_CHAMELEON:
            self.play_creature(action)
        elif action < ANCESTOR:
            self.held = action
            self.phase = ASK_COLUMN
            self.offer_columns()
        else:
            self.play_tree(action)

    def play_creature(self, card: int) -> None:
        """E-5.1, E-5.2: onto its own column's pile; the controller may use the power, unless it covered a Chameleon."""
        seat = self.turn
        column = card // STRENGTHS
        cell = self.row * COLUMNS + column
        covered = self.top[cell]
        self.lose(seat, card)
        self.lay(cell, card)
        self.seen(seat, card)
        self.one_less(seat, column)
        self.busy = 1
        self.say3(PLAYED, seat, card, self.row + 1)
        if self.controller[column] == seat and (covered == NONE or covered // STRENGTHS != CHAMELEON):
            self.offer_power(column)
        else:
            self.phase_3()

    def offer_columns(self) -> None:
        """The creatures still in play."""
        n = 0
        for i in range(IN_GAME):
            self.options[n] = TO_COLUMN + self.columns[i]
            n += (self.in_play >> self.columns[i]) & 1
        self.n_options = n

    def play_chameleon(self, column: int) -> None:
        """E-5.3: on top of any creature in play; it activates nothing."""
        seat = self.turn
        card = self.held
        self.held = NONE
        self.lose(seat, card)
        self.lay(self.row * COLUMNS + column, card)
        self.seen(seat, card)
        self.busy = 1
        self.say4(CHAMELEON_PLAYED, seat, card, column, self.row + 1)
        self.phase_3()

    def play_tree(self, action: int) -> None:
        """E-5.4: it takes effect and is discarded; where it finds something, the effect is not optional."""
        seat = self.turn
        card = action
        if action == DRYAD:
            if not self.holds(seat, DRYAD):
                card = OTHER_DRYAD
            for viewer in range(self.seats + 1):
                self.one_dryad_less(seat, card, viewer)
        self.lose(seat, card)
        self.throw_away(seat, card)
        self.busy = 1
        self.say2(TREE_PLAYED, seat, card)
        self.phase = ASK_ANCESTOR if card == ANCESTOR else ASK_DRYAD
        self.offer()
        if self.n_options == 0:
            self.say2(FOUND_NOTHING, seat, card)
            self.phase_3()

    def skip(self) -> None:
        """E-5.5: nothing to play; everyone sees the hand."""
        seat = self.turn
        # what all knew of still counts: if it is not in the hand, Stag has set it aside
        for kind in range(COLUMNS):
            shown = 0
            for i in range(seat * HAND_MAX, seat * HAND_MAX + self.n_hand[seat]):
                if self.hand[i] // STRENGTHS == kind:
                    shown += 1
            while self.at_least[seat * COLUMNS + kind] < shown:
                self.one_more(seat, kind)
        for viewer in range(VIEWERS):
            self.show_hand(seat, viewer)
        self.others_learn(seat)
        self.say1(HAND_SHOWN, seat)
        self.put_hand(seat, 0, self.n_hand[seat])
        self.phase_3()

    # ---------------------------------------------------------------- E-7 powers: what they can be used on

    def offer_power(self, creature: int) -> None:
        """E-5.2: the player may use the power of the creature just played, if it has a target now."""
        self.home = creature
        self.power = creature
        self.committed = 0
        if self.offer_targets(creature) > 0:
            self.phase = POWER_ASKS[creature]
            self.options[self.n_options] = PASS
            self.n_options += 1
        else:
            self.phase_3()

    def offer_targets(self, creature: int) -> int:
        """E-7: what this power can be used on now, used in the column `home`; how many targets there are."""
        if creature == SQUEAK or creature == CARMEN or (creature == TWINZ and not self.twinz):
            self.options[0] = USE
            self.n_options = 1
        elif creature == MOSS_MAN:
            self.offer_own_pebbles()
        elif creature == STAG:
            self.offer_seats(1)
        elif creature == RUBBLE:
            self.offer_any_row()
        elif creature == HOOT:
            self.offer_seats(0)
        elif creature == FUNGY:
            self.offer_eliminated()
        elif creature == GOATMAN:
            self.offer_seats(LOOKED)
        elif creature == FIERY_FANG:
            self.offer_visible(1 << self.home, 1 << self.home, self.row)
        elif creature == HOPSCOTCH:
            self.offer_swaps()
        elif creature == FEATHER_FOX:
            self.offer_removals()
        elif creature == PILGRIM:
            self.offer_visible(1 << CHAMELEON, self.in_game, self.row + 1)
        else:
            self.n_options = 0
        return self.n_options

    def offer_seats(self, cards: int) -> None:
        """E-7.3, E-7.6, E-7.9: the other players with at least `cards` cards in hand."""
        n = 0
        for seat in range(self.seats):
            if seat != self.turn and self.n_hand[seat] >= cards:
                self.options[n] = TO_SEAT + seat
                n += 1
        self.n_options = n

    def offer_own_pebbles(self) -> None:
        """E-7.2: own pebbles, in cells, on Champion cards, and on the secret prediction."""
        seat = self.turn
        n = 0
        for i in range(IN_GAME):
            column = self.columns[i]
            for row in range(self.row + 1):
                if self.pebble[row * COLUMNS + column] == seat:
                    self.options[n] = TO_CELL + row * COLUMNS + column
                    n += 1
            if (self.champion[column] >> seat) & 1:
                self.options[n] = TO_CHAMPION + column
                n += 1
        if self.secret[seat] != NONE:
            self.options[n] = SECRET
            n += 1
        self.n_options = n

    def offer_any_row(self) -> None:
        """E-7.4: the pebble-free cells of the rows reached so far, under creatures in play."""
        n = 0
        if self.pebbles[self.turn] > self.resting:
            for row in range(self.row + 1):
                for i in range(IN_GAME):
                    column = self.columns[i]
                    if (self.in_play >> column) & 1 and self.pebble[row * COLUMNS + column] == NONE:
                        self.options[n] = TO_CELL + row * COLUMNS + column
                        n += 1
        self.n_options = n

    def offer_eliminated(self) -> None:
        """E-7.8: creatures eliminated in this game whose power has a target now."""
        found = 0
        for i in range(IN_GAME):
            column = self.columns[i]
            if not (self.in_play >> column) & 1 and column != FUNGY and self.offer_targets(column) > 0:
                found |= 1 << column
        n = 0
        for i in range(IN_GAME):
            if (found >> self.columns[i]) & 1:
                self.options[n] = TO_COLUMN + self.columns[i]
                n += 1
        self.n_options = n

    def offer_visible(self, kinds: int, columns: int, rows: int) -> None:
        """E-7.10, E-7.14, E-7.16: cells of these columns and of the first rows whose visible card is of these kinds."""
        n = 0
        for row in range(rows):
            for i in range(IN_GAME):
                column = self.columns[i]
                card = self.top[row * COLUMNS + column]
                if (columns >> column) & 1 and card != NONE and (kinds >> (card // STRENGTHS)) & 1:
                    self.options[n] = TO_CELL + row * COLUMNS + column
                    n += 1
        self.n_options = n

    def offer_swaps(self) -> None:
        """E-7.11: visible Creature cards of a creature in play that has at least two of them."""
        n = 0
        for i in range(IN_GAME):
            column = self.columns[i]
            if (self.in_play >> column) & 1:
                start = n
                for row in range(self.row + 1):
                    card = self.top[row * COLUMNS + column]
                    if card < FIRST_CHAMELEON:
                        self.options[n] = TO_CELL + row * COLUMNS + column
                        n += 1
                if n - start < 2:
                    n = start
        self.n_options = n

    def offer_swap_with(self) -> None:
        """E-7.11: the other visible Creature cards of the same column."""
        column = self.held % COLUMNS
        n = 0
        for row in range(self.row + 1):
            cell = row * COLUMNS + column
            if cell != self.held and self.top[cell] < FIRST_CHAMELEON:
                self.options[n] = TO_CELL + cell
                n += 1
        self.n_options = n

    def offer_removals(self) -> None:
        """E-7.12: the other columns with a card in the current row."""
        n = 0
        for i in range(IN_GAME):
            column = self.columns[i]
            if column != self.home and self.top[self.row * COLUMNS + column] != NONE:
                self.options[n] = TO_COLUMN + column
                n += 1
        self.n_options = n

    def offer_gifts(self) -> None:
        """E-7.6: the cards of the named creature in the hand of the seat that was asked; a lone pass shows the hand."""
        seat = self.target
        n = 0
        for i in range(seat * HAND_MAX, seat * HAND_MAX + self.n_hand[seat]):
            if self.hand[i] // STRENGTHS == self.named:
                self.options[n] = self.hand[i]
                n += 1
        if n == 0:
            self.options[0] = PASS
            n = 1
        self.n_options = n

    def offer_looked(self) -> None:
        """E-7.9: the three cards that were drawn; two Dryads are one option."""
        n = 0
        dryads = 0
        for i in range(LOOKED):
            card = self.looked[i]
            if card >= DRYAD:
                card = DRYAD
                dryads += 1
            if card != DRYAD or dryads == 1:
                self.options[n] = card
                n += 1
        self.n_options = n

    def offer(self) -> None:
        """The options of the pending question, from scratch."""
        phase = self.phase
        if phase == ASK_PREDICT:
            self.offer_predict()
        elif phase == ASK_PLAY:
            self.offer_play()
        elif phase == ASK_DISCARD:
            self.offer_discard()
        elif phase == ASK_COLUMN or phase == ASK_HOOT_CREATURE or phase == ASK_ANCESTOR:
            self.offer_columns()
        elif phase == ASK_DRYAD:
            self.offer_visible(CREATURE_KINDS, self.in_game, self.row + 1)
        elif phase == ASK_HOOT_GIVE:
            self.offer_gifts()
        elif phase == ASK_GOATMAN_KEEP:
            self.offer_looked()
        elif phase == ASK_HOPSCOTCH_WITH:
            self.offer_swap_with()
        elif phase == OVER:
            self.n_options = 0
        else:
            self.offer_targets(self.power)
            if not self.committed:
                self.options[self.n_options] = PASS
                self.n_options += 1

    # ---------------------------------------------------------------- E-7 powers: what they do

    def use(self, action: int) -> None:
        """E-5.2: the first answer to a power's question says whether it is used at all."""
        if action == PASS:
            self.say2(POWER_DECLINED, self.turn, self.home)
            self.phase_3()
            return
        phase = self.phase
        if not self.committed and phase != ASK_FUNGY:
            self.say3(POWER_USED, self.turn, self.home, self.power)
        if phase == ASK_USE:
            self.use_at_once()
        elif phase == ASK_MOSS_MAN:
            self.use_moss_man(action)
        elif phase == ASK_STAG:
            self.use_stag(action - TO_SEAT)
        elif phase == ASK_RUBBLE:
            self.use_rubble(action - TO_CELL)
        elif phase == ASK_HOOT_SEAT:
            self.target = action - TO_SEAT
            self.phase = ASK_HOOT_CREATURE
            self.offer_columns()
        elif phase == ASK_FUNGY:
            self.use_fungy(action - TO_COLUMN)
        elif phase == ASK_GOATMAN_SEAT:
            self.use_goatman(action - TO_SEAT)
        elif phase == ASK_HOPSCOTCH:
            self.held = action - TO_CELL
            self.phase = ASK_HOPSCOTCH_WITH
            self.offer_swap_with()
        elif phase == ASK_FEATHER_FOX:
            self.use_feather_fox(action - TO_COLUMN)
        else:  # Fiery Fang, Pilgrim
            self.take_visible(action - TO_CELL)

    def use_at_once(self) -> None:
        """The powers that have nothing to choose."""
        if self.power == SQUEAK:
            self.use_squeak()
        elif self.power == TWINZ:
            self.use_twinz()
        else:
            self.use_carmen()

    def use_squeak(self) -> None:
        """E-7.1: draw exactly three cards, in a study another number."""
        self.draw(self.turn, self.squeak_draws)
        if self.n_deck == 0:
            self.deck_ran_out()
        else:
            self.phase_3()

    def use_moss_man(self, action: int) -> None:
        """E-7.2: take back an own pebble; it rests until the next turn."""
        seat = self.turn
        if action == SECRET:
            card = self.secret[seat]
            self.secret[seat] = NONE
            self.throw_away(seat, card)
            self.narrow(AT_SECRET + seat, ALL_KINDS)
            self.say3(TOOK_BACK_SECRET, seat, card, card // STRENGTHS)
        elif action >= TO_CHAMPION:
            column = action - TO_CHAMPION
            self.champion[column] &= ALL_KINDS ^ (1 << seat)
            self.unbet(seat, column, CHAMPION_VALUE)
            self.say2(TOOK_BACK_CHAMPION, seat, column)
        else:
            cell = action - TO_CELL
            column = cell % COLUMNS
            self.pebble[cell] = NONE
            self.taken[cell // COLUMNS] &= ALL_KINDS ^ (1 << column)
            self.unbet(seat, column, ROW_VALUE[cell // COLUMNS])
            self.say3(TOOK_BACK_PEBBLE, seat, column, cell // COLUMNS + 1)
        self.pebbles[seat] += 1
        self.resting += 1
        self.phase_3()

    def use_stag(self, seat: int) -> None:
        """E-7.3: half of the other's hand, rounded up, is set aside at random."""
        n = self.n_hand[seat]
        count = (n + 1) // 2
        for i in range(count):
            self.exchange(seat, self.below(n - i), n - 1 - i)
        self.n_hand[seat] = n - count
        self.n_aside[seat] += count
        if count == n:
            self.carry(AT_HAND + seat, AT_ASIDE + seat)
        else:
            self.widen(AT_HAND + seat, AT_ASIDE + seat, ALL_KINDS, seat, seat)
        self.learned |= 1 << seat  # the owner sees what is left, and so knows what was taken
        self.say3(SET_ASIDE, self.turn, seat, count)
        self.put_hand(seat, n - count, n)
        self.phase_3()

    def use_rubble(self, cell: int) -> None:
        """E-7.4: a pebble onto a cell of this row or an earlier one."""
        column = cell % COLUMNS
        self.place(self.turn, cell)
        self.say3(PLACED_PEBBLE, self.turn, column, cell // COLUMNS + 1)
        self.phase_3()

    def use_twinz(self) -> None:
        """E-7.5: a second card, as in phase 2; once a turn."""
        self.twinz = 1
        self.phase_2()

    def ask_hoot(self, creature: int) -> None:
        """E-7.6: the other player is asked; an empty hand has nothing to decide."""
        self.named = creature
        self.say3(ASKED_FOR, self.turn, self.target, creature)
        if self.n_hand[self.target] > 0:
            self.actor = self.target
            self.phase = ASK_HOOT_GIVE
            self.offer_gifts()
        else:
            self.answer_hoot(PASS)

    def answer_hoot(self, action: int) -> None:
        """E-7.6: a card is given; or there is none, and the one who asked sees the hand."""
        seat = self.target
        asker = self.turn
        self.others_learn(seat)
        if action == PASS:
            self.none_hand[seat] |= 1 << self.named
            self.narrow(AT_HAND + seat, 1 << self.named)
            self.show_hand(seat, asker)
            self.say3(HAND_SHOWN_TO, seat, asker, self.named)
            self.put_hand(seat, 0, self.n_hand[seat])
        else:
            self.lose(seat, action)
            self.gain(asker, action)
            self.one_less(seat, self.named)
            self.one_more(asker, self.named)
            self.none_hand[asker] &= ALL_KINDS ^ (1 << self.named)  # the others cannot place the card
            self.widen(AT_HAND + seat, AT_HAND + asker, 1 << self.named, seat, asker)
            self.know(seat, action, AT_HAND + asker)
            self.say4(GAVE, seat, asker, self.named, action)
        self.target = NONE
        self.named = NONE
        self.phase_3()

    def use_carmen(self) -> None:
        """E-7.7: in this turn's phase 3 Creature cards of any creature may be discarded, unseen."""
        self.carmen = 1
        self.phase_3()

    def use_fungy(self, creature: int) -> None:
        """E-7.8: the power of an eliminated creature, as if it were Fungy's own."""
        self.say3(POWER_USED, self.turn, self.home, creature)
        self.power = creature
        self.committed = 1
        self.phase = POWER_ASKS[creature]
        if self.phase == ASK_USE:
            self.use_at_once()
        else:
            self.offer_targets(creature)

    def use_goatman(self, seat: int) -> None:
        """E-7.9: three cards of the other's hand, at random, are looked at."""
        asker = self.turn
        n = self.n_hand[seat]
        for i in range(LOOKED):
            self.exchange(seat, self.below(n - i), n - 1 - i)
            card = self.hand[seat * HAND_MAX + n - 1 - i]
            self.looked[i] = card
        for i in range(LOOKED):
            card = self.looked[i]
            other = DRYAD + OTHER_DRYAD - card
            if (
                card >= DRYAD
                and other != self.looked[0]
                and other != self.looked[1]
                and other != self.looked[2]
            ):
                self.one_dryad_less(seat, card, asker)
            self.know(asker, card, AT_HAND + seat)
        self.target = seat
        self.learned |= (1 << asker) | (1 << seat)
        self.say2(LOOKED_AT, asker, seat)
        self.put_hand(seat, n - LOOKED, n)
        self.phase = ASK_GOATMAN_KEEP
        self.offer_looked()

    def keep_card(self, action: int) -> None:
        """E-7.9: one of the three is kept, two go back."""
        asker = self.turn
        seat = self.target
        card = action
        for i in range(LOOKED):
            if action == DRYAD and self.looked[i] >= DRYAD:
                card = self.looked[i]
            self.looked[i] = NONE
        self.lose(seat, card)
        self.gain(asker, card)
        self.none_hand[asker] &= self.none_hand[seat]
        self.any_less(seat)
        self.widen(AT_HAND + seat, AT_HAND + asker, ALL_KINDS, seat, asker)
        self.know(seat, card, AT_HAND + asker)
        self.learned |= (1 << asker) | (1 << seat)
        self.say3(KEPT_CARD, asker, seat, card)
        self.target = NONE
        self.phase_3()

    def take_visible(self, cell: int) -> None:
        """E-7.10, E-7.14, E-7.16: Fiery Fang, Pilgrim and the Dryad take a visible card into the hand."""
        seat = self.turn
        card = self.lift(cell)
        self.gain(seat, card)
        self.all_know(card, AT_HAND + seat)
        self.one_more(seat, card // STRENGTHS)
        self.say4(TOOK_CARD, seat, card, cell % COLUMNS, cell // COLUMNS + 1)
        self.phase_3()

    def use_hopscotch(self, cell: int) -> None:
        """E-7.11: two visible Creature cards of one column change places."""
        other = self.held
        self.held = NONE
        a = self.lift(other)
        b = self.lift(cell)
        self.lay(other, b)
        self.lay(cell, a)
        self.say4(SWAPPED, self.turn, cell % COLUMNS, a, other // COLUMNS + 1)
        self.put(b)
        self.put(cell // COLUMNS + 1)
        self.phase_3()

    def use_feather_fox(self, column: int) -> None:
        """E-7.12: the visible card of another column in the current row is discarded."""
        card = self.lift(self.row * COLUMNS + column)
        self.fate[card] = DISCARDED
        self.say4(REMOVED_CARD, self.turn, card, column, self.row + 1)
        self.phase_3()

    def use_ancestor(self, creature: int) -> None:
        """E-7.15: every secret prediction on this creature is revealed; so all know that the others are not on it."""
        self.say2(NAMED, self.turn, creature)
        for seat in range(self.seats):
            if self.secret[seat] != NONE:
                if self.secret[seat] // STRENGTHS == creature:
                    self.reveal(seat, EXPOSED)
                else:
                    self.none_secret[seat] |= 1 << creature
                    self.narrow(AT_SECRET + seat, 1 << creature)
                    self.others_learn(seat)
        self.phase_3()

    # ---------------------------------------------------------------- E-6 phases 3 to 5

    def phase_3(self) -> None:
        """E-6.1: asked where everyone can see that there may be something to discard."""
        seat = self.turn
        self.actor = seat
        self.home = NONE
        self.power = NONE
        self.committed = 0
        may = self.carmen or self.in_play != self.in_game
        if may and self.discards < DISCARDS and self.n_hand[seat] > 0:
            self.phase = ASK_DISCARD
            self.offer_discard()
        else:
            self.phase_4()

    def offer_discard(self) -> None:
        """E-6.1: Creature cards of eliminated creatures; with Carmen of any creature (E-7.7); or pass."""
        seat = self.turn
        out = CREATURE_KINDS if self.carmen else CREATURE_KINDS ^ self.in_play
        n = 0
        for i in range(seat * HAND_MAX, seat * HAND_MAX + self.n_hand[seat]):
            self.options[n] = self.hand[i]
            n += (out >> (self.hand[i] // STRENGTHS)) & 1
        self.options[n] = PASS
        self.n_options = n + 1

    def discard(self, action: int) -> None:
        """E-6.1: one card after the other, up to three, shown to all unless Carmen is active (E-7.7)."""
        seat = self.turn
        if action == PASS:
            self.say2(PASSED, seat, ASK_DISCARD)
            self.phase_4()
            return
        self.lose(seat, action)
        self.discards += 1
        self.busy = 1
        if self.carmen:
            self.fate[action] = UNSEEN + seat
            self.n_unseen[seat] += 1
            self.widen(AT_HAND + seat, AT_UNSEEN, CREATURE_KINDS, seat, seat)
            self.any_less(seat)
            self.say2(DISCARDED_UNSEEN, seat, action)
        else:
            self.throw_away(seat, action)
            self.one_less(seat, action // STRENGTHS)
            self.say2(DISCARDED_CARD, seat, action)
        self.phase_3()

    def get_back(self, seat: int) -> None:
        """E-6.2: the cards that Stag had set aside come back, which counts as something done (E-6.9)."""
        count = self.n_aside[seat]
        n = self.n_hand[seat]
        self.n_hand[seat] = n + count
        self.n_aside[seat] = 0
        self.carry(AT_ASIDE + seat, AT_HAND + seat)
        self.none_hand[seat] = 0
        self.busy = 1
        self.say2(GOT_BACK, seat, count)
        self.put_hand(seat, n, n + count)

    def phase_4(self) -> None:
        """E-6.2, E-6.3: set-aside cards come back, then the hand is filled up to eight."""
        seat = self.turn
        if self.n_aside[seat] > 0:
            self.get_back(seat)
        if self.n_hand[seat] < self.full_hand:
            self.draw(seat, self.full_hand - self.n_hand[seat])
            if self.n_deck == 0:
                self.deck_ran_out()
                return
        self.phase_5()

    def strength(self, card: int) -> int:
        """E-7.13: the strength of a card, in half points."""
        halves = 2 * (card % STRENGTHS)
        if card // STRENGTHS == URSUS:
            halves += self.ursus_halves
        return halves

    def weakest(self) -> int:
        """E-6.5: the creature that alone has the lowest strength in a full row, or NONE."""
        if self.in_play & (ALL_KINDS ^ self.filled):
            return NONE
        lowest = 2 * NONE
        loser = NONE
        for i in range(IN_GAME):
            column = self.columns[i]
            if (self.in_play >> column) & 1:
                card = self.top[self.row * COLUMNS + column]
                strength = self.strength(card)
                if strength < lowest:
                    lowest = strength
                    loser = column
                elif strength == lowest:
                    loser = NONE
        return loser

    def phase_5(self) -> None:
        """E-6.5 to E-6.7, E-6.9: elimination, the next round or the end; then the next turn."""
        loser = self.weakest()
        if loser != NONE:
            self.in_play &= ALL_KINDS ^ (1 << loser)
            self.gone[loser] = self.row
            self.say2(ELIMINATED, loser, self.row + 1)
            if self.row == ROWS - 1:
                self.finish(FIFTH_ELIMINATION)
                return
            self.row += 1
            self.filled = 0
            self.say1(ROUND_BEGAN, self.row + 1)
        self.idle = 0 if self.busy else self.idle + 1
        if self.idle == self.seats:
            self.say(GAME_STALLED)
            self.finish(STALLED)
            return
        self.begin_turn(self.turn + 1 if self.turn + 1 < self.seats else 0)

    # ---------------------------------------------------------------- E-8 the end

    def deck_ran_out(self) -> None:
        """E-6.4: the player who draws the last card ends the game on the spot."""
        self.say1(DECK_ENDED, self.turn)
        self.finish(DECK_RAN_OUT)

    def finish(self, reason: int) -> None:
        """E-8.1: all secret predictions are revealed, and the points are counted."""
        self.reason = reason
        self.phase = OVER
        self.actor = NONE
        self.home = NONE
        self.power = NONE
        self.committed = 0
        self.n_options = 0
        for seat in range(self.seats):
            if self.secret[seat] != NONE:
                self.reveal(seat, SECRET_AT_END)
        if self.listening:
            for seat in range(self.seats):
                self.say2(SCORED, seat, self.measure(seat, 0))
            self.say(WON)
            winners = self.winners()
            for seat in range(self.seats):
                if (winners >> seat) & 1:
                    self.put(seat)

    def measure(self, seat: int, step: int) -> int:
        """E-8.1, E-8.2: what is compared: half points, then Champion pebbles, then pebbles in row 1 to row 5."""
        total = 0
        for i in range(IN_GAME):
            column = self.columns[i]
            if (self.in_play >> column) & 1:
                if step == 0:
                    stake = self.stake[column * SEATS_MAX + seat]
                    total += 2 * (stake // STAKE)
                    if column == URSUS:
                        total += self.ursus_halves * (stake % STAKE)  # for each pebble (E-7.13)
                elif step == 1:
                    total += (self.champion[column] >> seat) & 1
                elif self.pebble[(step - 2) * COLUMNS + column] == seat:
                    total += 1
        return total

    def winners(self) -> int:
        """E-8.2: a bit for each winner; each step of the tie-break keeps only those still tied."""
        tied = (1 << self.seats) - 1
        for step in range(ROWS + 2):
            best = 0
            kept = 0
            for seat in range(self.seats):
                if (tied >> seat) & 1:
                    points = self.measure(seat, step)
                    if kept == 0 or points > best:
                        best = points
                        kept = 1 << seat
                    elif points == best:
                        kept |= 1 << seat
            tied = kept
            if tied & (tied - 1) == 0:
                break
        return tied

    # ---------------------------------------------------------------- answers

    def answer(self, action: int) -> None:
        """Carry out an action that is offered; nothing is checked here."""
        self.stage += 1
        self.learned = 0
        self.dispatch(action)

    def dispatch(self, action: int) -> None:
        """Give an answer to the method of its question."""
        phase = self.phase
        if phase == ASK_PLAY:
            self.play(action)
        elif phase == ASK_PREDICT:
            self.predict(action)
        elif phase == ASK_DISCARD:
            self.discard(action)
        elif phase == ASK_COLUMN:
            self.play_chameleon(action - TO_COLUMN)
        elif phase == ASK_HOOT_CREATURE:
            self.ask_hoot(action - TO_COLUMN)
        elif phase == ASK_HOOT_GIVE:
            self.answer_hoot(action)
        elif phase == ASK_GOATMAN_KEEP:
            self.keep_card(action)
        elif phase == ASK_HOPSCOTCH_WITH:
            self.use_hopscotch(action - TO_CELL)
        elif phase == ASK_ANCESTOR:
            self.use_ancestor(action - TO_COLUMN)
        elif phase == ASK_DRYAD:
            self.take_visible(action - TO_CELL)
        else:
            self.use(action)

    def play_out(self) -> int:
        """Random play to the end; the number of decisions that had more than one option."""
        choices = 0
        while self.n_options > 0:
            if self.n_options > 1:
                choices += 1
                self.answer(self.options[self.below(self.n_options)])
            else:
                self.answer(self.options[0])
        return choices

    # ---------------------------------------------------------------- imagining: the hidden cards are dealt again

    def owns(self, viewer: int, card: int) -> bool:
        """Is the card hidden with this viewer: in hand, set aside, secret, or discarded unseen?"""
        if viewer == self.seats:
            return False
        i = self.where[card]
        held = i < self.n_hand[viewer] + self.n_aside[viewer] and self.hand[viewer * HAND_MAX + i] == card
        return held or self.secret[viewer] == card or self.fate[card] == UNSEEN + viewer

    def collect(self, viewer: int, card: int) -> None:
        """A hidden card goes back into the bag, unless this viewer knows more about it."""
        i = self.special_at[card]
        self.fate[card] = KEPT
        if i == NONE or self.mask[i * VIEWERS + viewer] == 0:
            self.deck[self.n_deck] = card
            self.n_deck += 1

    def collect_hidden(self, viewer: int) -> None:
        """Everything hidden from this viewer goes back into the bag; `kinds` counts what is in it."""
        for card in range(CARDS):
            if self.fate[card] >= UNSEEN and self.fate[card] != UNSEEN + viewer:
                self.collect(viewer, card)
        for seat in range(self.seats):
            if seat != viewer:
                for i in range(seat * HAND_MAX, seat * HAND_MAX + self.n_hand[seat] + self.n_aside[seat]):
                    self.collect(viewer, self.hand[i])
                if self.secret[seat] != NONE:
                    self.collect(viewer, self.secret[seat])
        for kind in range(PLACES):
            self.kinds[kind] = 0
        for i in range(self.n_deck):
            self.kinds[self.deck[i] // STRENGTHS] += 1

    def open_room(self, viewer: int) -> None:
        """How many cards are missing in each hidden place."""
        for place in range(PLACES):
            self.room[place] = 0
        for seat in range(self.seats):
            if seat != viewer:
                self.room[AT_HAND + seat] = self.n_hand[seat]
                self.room[AT_ASIDE + seat] = self.n_aside[seat]
                self.room[AT_SECRET + seat] = 1 if self.secret[seat] != NONE else 0
                self.room[AT_UNSEEN] += self.n_unseen[seat]

    def hide(self, viewer: int, card: int, place: int) -> None:
        """A card goes into a hidden place."""
        left = self.room[place]
        self.room[place] = left - 1
        self.fate[card] = KEPT
        if place == AT_UNSEEN:
            for seat in range(self.seats):
                if seat != viewer:
                    if left <= self.n_unseen[seat]:
                        self.fate[card] = UNSEEN + seat
                        return
                    left -= self.n_unseen[seat]
        elif place >= AT_SECRET:
            self.secret[place - AT_SECRET] = card
        else:
            seat = place - AT_ASIDE if place >= AT_ASIDE else place - AT_HAND
            i = self.n_hand[seat] - left
            if place >= AT_ASIDE:
                i += self.n_aside[seat]
            self.hand[seat * HAND_MAX + i] = card
            self.where[card] = i

    def pick(self, i: int) -> int:
        """Take a card out of the bag; it stays behind the end of the bag, so that all can be put back at once."""
        self.n_deck -= 1
        card = self.deck[i]
        self.deck[i] = self.deck[self.n_deck]
        self.deck[self.n_deck] = card
        return card

    def hide_special(self, viewer: int) -> bool:
        """Deal the cards of which the viewer knows something, each to one of its possible places.

        Those with one possible place come first. Each of the others chooses among `a` free slots, at most `b` whatever
        the earlier ones chose; going on with chance a / b makes all arrangements equally likely.
        """
        for i in range(self.n_special):
            places = self.mask[i * VIEWERS + viewer]
            if places != 0 and (places & (places - 1)) == 0 and not self.owns(viewer, self.special[i]):
                for place in range(PLACES):
                    if (places >> place) & 1:
                        if self.room[place] == 0:
                            return False
                        self.hide(viewer, self.special[i], place)
        for place in range(PLACES):
            self.start[place] = self.room[place]
        for i in range(self.n_special):
            places = self.mask[i * VIEWERS + viewer]
            if (places & (places - 1)) != 0 and not self.owns(viewer, self.special[i]):
                a = 0
                b = 0
                for place in range(PLACES):
                    if (places >> place) & 1:
                        a += self.room[place]
                        b += self.start[place]
                for j in range(i):
                    earlier = self.mask[j * VIEWERS + viewer]
                    if (
                        (earlier & (earlier - 1)) != 0
                        and (earlier & (ALL_KINDS ^ places)) == 0
                        and not self.owns(viewer, self.special[j])
                    ):
                        b -= 1
                if a == 0 or (a < b and self.below(b) >= a):
                    return False
                chosen = self.below(a)
                for place in range(PLACES):
                    if (places >> place) & 1:
                        if chosen < self.room[place]:
                            self.hide(viewer, self.special[i], place)
                            break
                        chosen -= self.room[place]
        return True

    def group_kinds(self, group: int) -> int:
        """The kinds of card that may be in a place of which something is known in general.

        Groups 0 to 4 are the secret predictions, Creature cards all (E-3.2); 5 are the unseen discards, likewise
        (E-7.7); 6 to 10 are the hands of which all know that they have no card of some creature (E-7.6).
        """
        if group < SEATS_MAX:
            return CREATURE_KINDS & (ALL_KINDS ^ self.none_secret[group])
        if group == SEATS_MAX:
            return CREATURE_KINDS
        return ALL_KINDS ^ self.none_hand[group - SEATS_MAX - 1]

    def group_place(self, group: int) -> int:
        """The place that a group fills."""
        if group < SEATS_MAX:
            return AT_SECRET + group
        return AT_UNSEEN if group == SEATS_MAX else AT_HAND + group - SEATS_MAX - 1

    def varies(self, viewer: int, place: int) -> bool:
        """May a special card go to this place or not, so that it is not certain how many others it takes?"""
        for i in range(self.n_special):
            places = self.mask[i * VIEWERS + viewer]
            if (
                (places >> place) & 1
                and (places & (places - 1)) != 0
                and not self.owns(viewer, self.special[i])
            ):
                return True
        return False

    def hide_groups(self, viewer: int, lax: int) -> bool:
        """Deal from the bag to the places of which something is known in general.

        Each card is drawn from the `a` suitable ones among the `m` in the bag; going on with chance a / m makes all
        deals equally likely, but wastes tries. Where it is certain how many cards the groups take, no deal has more
        than `b` suitable ones left, so a / b does as well. Those groups come first, since then `b` is the same in
        every try.
        """
        for group in range(GROUPS):
            self.group[group] = 0
        for group in range(GROUPS):
            if not self.varies(viewer, self.group_place(group)) and not self.hide_group(
                viewer, group, lax, 0
            ):
                return False
        for group in range(GROUPS):
            if self.room[self.group_place(group)] > 0 and not self.hide_group(viewer, group, lax, 1):
                return False
        return True

    def hide_group(self, viewer: int, group: int, lax: int, varies: int) -> bool:
        """Deal one group its cards; False where that ends the try."""
        place = self.group_place(group)
        wanted = self.room[place]
        kinds = self.group_kinds(group)
        if lax >= 2:
            kinds = ALL_KINDS if group > SEATS_MAX else CREATURE_KINDS
        if wanted == 0 or kinds == ALL_KINDS:
            return True
        a = 0
        for i in range(self.n_deck):
            a += (kinds >> (self.deck[i] // STRENGTHS)) & 1
        if a < wanted:
            if lax < 3:
                return False
            kinds = ALL_KINDS
        b = self.n_deck if varies else self.most_suitable(group, kinds)
        for i in range(wanted):
            if lax < 2 and a < b and self.below(b - i) >= a - i:
                return False
            j = self.below(self.n_deck)
            while not (kinds >> (self.deck[j] // STRENGTHS)) & 1:
                j = self.below(self.n_deck)
            self.hide(viewer, self.pick(j), place)
        self.group[group] = wanted
        return True

    def most_suitable(self, group: int, kinds: int) -> int:
        """How many suitable cards can be left at most, whatever the groups before this one have drawn."""
        suitable = 0
        for kind in range(PLACES):
            if (kinds >> kind) & 1:
                suitable += self.kinds[kind]
        used = 0
        for earlier in range(group):
            if (self.group_kinds(earlier) & (ALL_KINDS ^ kinds)) == 0:
                used += self.group[earlier]
        return suitable - max(used, suitable - self.n_deck)

    def hide_rest(self, viewer: int) -> None:
        """Deal from the bag to all other hidden places; what is left is the deck."""
        for place in range(AT_SECRET):
            while self.room[place] > 0:
                self.hide(viewer, self.pick(self.below(self.n_deck)), place)

    def bounds_hold(self, viewer: int) -> bool:
        """Does every hand have as many cards of each creature as all know it to have?"""
        for seat in range(self.seats):
            if seat != viewer:
                for i in range(IN_GAME):
                    wanted = self.at_least[seat * COLUMNS + self.columns[i]]
                    if wanted > 0:
                        for j in range(
                            seat * HAND_MAX, seat * HAND_MAX + self.n_hand[seat] + self.n_aside[seat]
                        ):
                            if self.hand[j] // STRENGTHS == self.columns[i]:
                                wanted -= 1
                                if wanted == 0:
                                    break
                        if wanted > 0:
                            return False
        return True

    def hide_all(self, viewer: int, total: int, lax: int) -> bool:
        """One try to deal everything hidden; False where it does not fit, or by the lot that makes it fair."""
        self.n_deck = total
        self.open_room(viewer)
        for i in range(total):  # an earlier try may have put them among the unseen discards
            self.fate[self.deck[i]] = KEPT
        if lax < 3 and not self.hide_special(viewer):
            return False
        if not self.hide_groups(viewer, lax):
            return False
        self.hide_rest(viewer)
        return lax > 0 or self.bounds == 0 or self.bounds_hold(viewer)

    def level_knowledge(self, viewer: int) -> None:
        """In an imagined world the others know what the spectator knows."""
        for i in range(self.n_special - 1, -1, -1):
            common = self.mask[i * VIEWERS + self.seats]
            for other in range(self.seats):
                if other != viewer:
                    self.mask[i * VIEWERS + other] = common
            if self.owns(viewer, self.special[i]):
                self.mask[i * VIEWERS + viewer] = 0
            if common == 0 and self.mask[i * VIEWERS + viewer] == 0:
                self.forget(self.special[i])

    def deal_again(self, viewer: int) -> None:
        """Deal again what is hidden from this viewer, uniformly among all deals that fit what the viewer knows.

        Each deal is a try that is accepted or not, so no deal is favoured. Should nothing fit for long, the lower
        bounds are dropped, then the kinds that a place lacks, at last the masks, so that the loop ends.
        """
        if self.phase == ASK_COLUMN and self.turn != viewer:
            self.phase = ASK_PLAY  # others cannot see that a Chameleon has been chosen
            self.held = NONE
        self.collect_hidden(viewer)
        total = self.n_deck
        tries = 0
        while not self.hide_all(viewer, total, tries // TRIES):
            tries += 1
            if tries == 3 * TRIES:
                self.n_deck = total
                for i in range(self.n_special):
                    card = self.special[i]
                    if self.mask[i * VIEWERS + viewer] != 0 and not self.owns(viewer, card):
                        self.deck[self.n_deck] = card
                        self.n_deck += 1
                        self.kinds[card // STRENGTHS] += 1
                total = self.n_deck
        self.level_knowledge(viewer)
        if self.phase == ASK_GOATMAN_KEEP and viewer != self.turn and viewer != self.target:
            n = self.n_hand[self.target]
            for i in range(LOOKED):
                self.exchange(self.target, self.below(n - i), n - 1 - i)
                self.looked[i] = self.hand[self.target * HAND_MAX + n - 1 - i]
        self.learned = 0
        self.offer()

    # ---------------------------------------------------------------- the boundary: checked, and visible from outside

    def asked(self) -> list[int]:
        """The seat that has something to decide, or nobody when the game is over."""
        return [] if self.phase == OVER else [self.actor]

    def sort_options(self) -> None:
        """The options, ascending, in `in_order`; their own order stays, for a lot may be drawn from it."""
        for i in range(self.n_options):
            action = self.options[i]
            j = i
            while j > 0 and self.in_order[j - 1] > action:
                self.in_order[j] = self.in_order[j - 1]
                j -= 1
            self.in_order[j] = action

    def legal_actions(self) -> list[int]:
        """What is offered to the seat that is asked, ascending."""
        self.sort_options()
        offered = [0] * self.n_options
        for i in range(self.n_options):
            offered[i] = self.in_order[i]
        return offered

    def legal(self, seat: int) -> list[int]:
        """What is offered to this seat, ascending; nothing if it is not asked."""
        return self.legal_actions() if seat == self.actor else []

    def offers(self, seat: int, action: int) -> bool:
        """Is this action offered to this seat?"""
        if seat == self.actor:
            for i in range(self.n_options):
                if self.options[i] == action:
                    return True
        return False

    def apply(self, seat: int, action: int) -> None:
        """Carry out an offered action; anything else raises NotOffered and changes nothing."""
        if not self.offers(seat, action):
            raise NotOffered(self.why_not(seat, action))
        self.answer(action)

    def apply_offered(self, seat: int, action: int) -> None:
        """The same for an action of which the caller knows that it is offered: nothing is checked."""
        self.answer(action)

    def why_not(self, seat: int, action: int) -> str:
        """What is wrong with an action, and what would be right, as this seat may know it."""
        if self.phase == OVER:
            return "the game is over: nothing is asked any more"
        if seat != self.actor:
            return f"seat {seat} is not asked: seat {self.actor} has to decide"
        text = f"'{ACTION_IDS[action]}'" if 0 <= action < len(ACTION_IDS) else f"action {action}"
        return f"{text} is not offered; offered are {', '.join(ACTION_IDS[a] for a in self.legal_actions())}"

    def step(self, index: int) -> None:
        """Carry out the option of this index, for loops that choose at random; the order of options has no meaning."""
        if not 0 <= index < self.n_options:
            raise NotOffered(f"there are {self.n_options} options, and {index} is not the index of one")
        self.answer(self.options[index])

    def stir(self, stream: int, word: int) -> None:
        """Set the table's stream of chance; the seats' streams are not used, since one seat is asked at a time."""
        if stream == self.seats:
            self.word = word & MASK64

    def start_game(self, creatures: int, first: int, word: int) -> None:
        """Set up a new game: a bit per creature (0: random), the first seat (NONE: random). Events are noted."""
        self.word = word & MASK64
        self.listening = True
        self.set_up(creatures, first)
        self.listening = False

    def redeal(self, viewer: int, word: int) -> None:
        """Become a world that this viewer (`seats` for the spectator) cannot tell from this one, drawn with `word`."""
        self.word = word & MASK64
        self.n_said = 0
        self.deal_again(viewer)

    def finish_randomly(self, word: int) -> int:
        """Play at random to the end; returns how many decisions had more than one option."""
        self.word = word & MASK64
        return self.play_out()

    def listen(self, on: bool) -> None:
        """Start or stop noting events."""
        self.listening = on
        if not on:
            self.n_said = 0

    def heard(self) -> list[tuple[int, ...]]:
        """Take the event rows noted since the last call; to be taken after every action, for there is room for one."""
        rows: list[tuple[int, ...]] = []
        at = 0
        while at < self.n_said:
            n = self.said[at]
            rows.append(tuple([self.said[at + 1 + i] for i in range(n)]))
            at += n + 1
        self.n_said = 0
        return rows

    def half_points(self) -> list[int]:
        """The score of each seat as the table stands, in half points (E-8.1)."""
        return [self.measure(seat, 0) for seat in range(self.seats)]

    def winning(self) -> list[int]:
        """The seats that have won, or would win as the table stands (E-8.2)."""
        winners = self.winners()
        return [seat for seat in range(self.seats) if (winners >> seat) & 1]

    @property
    def nbytes(self) -> int:
        """The size of a state; an interpreted one counts its numbers at eight bytes each."""
        if COMPILED:
            return int(State.__basicsize__)
        return 8 * sum(len(a) if isinstance(a, list) else 1 for a in vars(self).values())

    def dump(self) -> dict[str, Any]:
        """Everything true, as plain numbers: what positions are made from. Order inside lists is kept."""
        piles = []
        for cell in range(CELLS):
            pile = []
            card = self.top[cell]
            while card != NONE:
                pile.append(card)
                card = self.under[card]
            pile.reverse()
            piles.append(pile)
        return {
            "seats": self.seats,
            "hand": self.full_hand,
            "squeak_draws": self.squeak_draws,
            "ursus_halves": self.ursus_halves,
            "row": self.row,
            "turn": self.turn,
            "phase": self.phase,
            "home": self.home,
            "power": self.power,
            "committed": self.committed,
            "target": self.target,
            "named": self.named,
            "held": self.held,
            "looked": [self.looked[i] for i in range(LOOKED)],
            "twinz": self.twinz,
            "carmen": self.carmen,
            "discards": self.discards,
            "resting": self.resting,
            "busy": self.busy,
            "idle": self.idle,
            "in_game": self.in_game,
            "pebbles": [self.pebbles[i] for i in range(self.seats)],
            "secret": [self.secret[i] for i in range(self.seats)],
            "secret_made": self.secret_made,
            "hands": [self.cards_of(seat, 0, self.n_hand[seat]) for seat in range(self.seats)],
            "aside": [
                self.cards_of(seat, self.n_hand[seat], self.n_hand[seat] + self.n_aside[seat])
                for seat in range(self.seats)
            ],
            "unseen": [
                [card for card in range(CARDS) if self.fate[card] == UNSEEN + seat]
                for seat in range(self.seats)
            ],
            "discarded": [card for card in range(CARDS) if self.fate[card] == DISCARDED],
            "known": [
                (self.special[i], [self.mask[i * VIEWERS + viewer] for viewer in range(self.seats + 1)])
                for i in range(self.n_special)
            ],
            "none_hand": [self.none_hand[i] for i in range(self.seats)],
            "none_secret": [self.none_secret[i] for i in range(self.seats)],
            "at_least": [self.at_least[i] for i in range(self.seats * COLUMNS)],
            "stage": self.stage,
            "learned": self.learned,
            "actor": self.actor,
            "reason": self.reason,
            "in_play": self.in_play,
            "gone": [self.gone[i] for i in range(COLUMNS)],
            "piles": piles,
            "pebble": [self.pebble[i] for i in range(CELLS)],
            "champion": [self.champion[i] for i in range(COLUMNS)],
            "controller": [self.controller[i] for i in range(COLUMNS)],
            "deck": [self.deck[i] for i in range(self.n_deck)],
            "word": self.word,
        }

    def cards_of(self, seat: int, start: int, end: int) -> list[int]:
        """The cards of a hand from one index to another."""
        return [self.hand[seat * HAND_MAX + i] for i in range(start, end)]

    def load(self, data: dict[str, Any]) -> None:
        """Become the state that `dump` described. The data must be sound: positions are checked where they are read."""
        self.clear()
        self.set_columns(data["in_game"])
        self.load_flow(data)
        for column in range(COLUMNS):
            self.gone[column] = data["gone"][column]
            self.champion[column] = data["champion"][column]
            for seat in range(self.seats):
                if (self.champion[column] >> seat) & 1:
                    self.bet(seat, column, CHAMPION_VALUE)
        for cell in range(CELLS):
            if data["pebble"][cell] != NONE:
                self.place(data["pebble"][cell], cell)
            for card in data["piles"][cell]:
                self.lay(cell, card)
        for card in data["discarded"]:
            self.fate[card] = DISCARDED
        for seat in range(self.seats):
            self.load_seat(seat, data)
        self.n_deck = 0
        for card in data["deck"]:
            self.deck[self.n_deck] = card
            self.n_deck += 1
        for card, masks in data["known"]:
            i = self.slot(card)
            for viewer in range(self.seats + 1):
                self.mask[i * VIEWERS + viewer] = masks[viewer]
        self.offer()

    def load_flow(self, data: dict[str, Any]) -> None:
        """The part of `load` that says whose turn it is and what is asked."""
        self.full_hand = data["hand"]
        self.squeak_draws = data["squeak_draws"]
        self.ursus_halves = data["ursus_halves"]
        self.stage = data["stage"]
        self.learned = data.get("learned", 0)
        self.row = data["row"]
        self.turn = data["turn"]
        self.actor = data["actor"]
        self.phase = data["phase"]
        self.home = data["home"]
        self.power = data["power"]
        self.committed = data["committed"]
        self.target = data["target"]
        self.named = data["named"]
        self.held = data["held"]
        for i in range(LOOKED):
            self.looked[i] = data["looked"][i]
        self.twinz = data["twinz"]
        self.carmen = data["carmen"]
        self.discards = data["discards"]
        self.resting = data["resting"]
        self.busy = data["busy"]
        self.idle = data["idle"]
        self.reason = data["reason"]
        self.in_play = data["in_play"]
        self.secret_made = data["secret_made"]
        self.word = data["word"]

    def load_seat(self, seat: int, data: dict[str, Any]) -> None:
        """The part of `load` that is one seat's."""
        self.pebbles[seat] = data["pebbles"][seat]
        self.secret[seat] = data["secret"][seat]
        for card in data["hands"][seat] + data["aside"][seat]:
            self.gain(seat, card)
        self.n_aside[seat] = len(data["aside"][seat])
        self.n_hand[seat] = len(data["hands"][seat])
        for card in data["unseen"][seat]:
            self.fate[card] = UNSEEN + seat
            self.n_unseen[seat] += 1
        self.none_hand[seat] = data["none_hand"][seat]
        self.none_secret[seat] = data["none_secret"][seat]
        for column in range(COLUMNS):
            self.at_least[seat * COLUMNS + column] = data["at_least"][seat * COLUMNS + column]
            self.bounds += data["at_least"][seat * COLUMNS + column]

    # ---------------------------------------------------------------- as a Python object

    def __eq__(self, other: object) -> bool:
        """Is everything true the same?"""
        return isinstance(other, State) and self.dump() == other.dump()

    __hash__ = None  # type: ignore[assignment]  # a state changes

    def __copy__(self) -> State:
        return self.clone()

    def __deepcopy__(self, memo: Any) -> State:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle: the dump, and the events that nobody has taken yet."""
        return revived, (self.seats, self.dump(), self.listening, [self.said[i] for i in range(self.n_said)])


def revived(seats: int, data: dict[str, Any], listening: bool, said: list[int]) -> State:
    """A state out of a pickle."""
    state = State(seats)
    state.load(data)
    state.listening = listening
    for i in range(len(said)):
        state.said[i] = said[i]
    state.n_said = len(said)
    return state
