"""What a good player knows about Equinox, as numbers: a score for every option of every choice.

The scores use what the acting seat may know: its own hand and secret, and the table. Inside a play-out every seat is
judged by its own knowledge, and the rest of the state is not looked at (`tests/bots` checks it on twins).

*Powers.* A card that wakes a power which changes the row is judged by the row after the best use of it.

*Risk.* In a row that is not complete, the weaker a creature's card, the likelier it goes: its share of the risk falls
with strength, and the more steeply the fewer cells are empty. In a complete row with one lowest card that creature
goes (E-6.5).

*Interest.* What a seat has at stake in a creature, its secret included, less what the rivals have there, the leader
counting more. A card is worth what it moves risk from where the seat is interested to where the rivals are.

*Prospects.* Three creatures survive. The chance of each is its share of three: larger with pebbles on it, with good
cards of it in hand, with a good card on the table. A pebble is worth its value times that chance, less what it costs
not to have it later.
"""

from __future__ import annotations

from collections.abc import Mapping

from fabletop.bots.world import World
from fabletop.games.equinox.constants import (
    ANCESTOR,
    ASK_ANCESTOR,
    ASK_COLUMN,
    ASK_DISCARD,
    ASK_DRYAD,
    ASK_FEATHER_FOX,
    ASK_FIERY_FANG,
    ASK_FUNGY,
    ASK_GOATMAN_KEEP,
    ASK_GOATMAN_SEAT,
    ASK_HOOT_CREATURE,
    ASK_HOOT_GIVE,
    ASK_HOOT_SEAT,
    ASK_HOPSCOTCH,
    ASK_HOPSCOTCH_WITH,
    ASK_MOSS_MAN,
    ASK_PILGRIM,
    ASK_PLAY,
    ASK_PREDICT,
    ASK_RUBBLE,
    ASK_STAG,
    ASK_USE,
    CARDS,
    CHAMELEON,
    COLUMNS,
    FEATHER_FOX,
    FIRST_CHAMELEON,
    FUNGY,
    HAND_MAX,
    HOPSCOTCH,
    IN_GAME,
    NONE,
    OVER,
    PASS,
    PILGRIM,
    REVEAL,
    SEATS_MAX,
    SECRET,
    SQUEAK,
    STRENGTHS,
    TO_CELL,
    TO_CHAMPION,
    TO_COLUMN,
    TO_SEAT,
    URSUS,
)
from fabletop.games.equinox.engine import State
from fabletop.games.equinox.view_reader import skeleton
from fabletop.games.equinox.view_types import View

WEIGHTS = {
    # rewards of a search
    "victory": 48,  # what a share of the victory counts beside the margin, in 64ths
    # risk
    "empty": 7,  # an empty cell counts as a card of this strength, in half points
    "steep_0": 40,  # how steeply risk falls with strength where the row is complete but for a tie,
    "steep_1": 64,  # where one cell is empty,
    "steep_2": 40,  # two,
    "steep_3": 28,  # three or more
    # interest
    "rival": 16,  # all rivals' losses against one's own, in sixteenths
    "leader": 8,  # the same, for the leader in addition
    "pebble_bit": 0,  # what a pebble counts for beside its value, in sixteenths of a point
    # what it is worth to hold a card, in 64ths of a point as all below
    "keep": 6,  # any that can be played
    "keep_high": 3,  # for each strength above 4, of a creature one is interested in
    "keep_low": 2,  # for each strength below 6, of a creature one wants gone
    "chameleon": 21,
    "extreme": 6,  # a Chameleon, for each strength away from 5
    "dryad": 16,
    "ancestor": 8,
    "draw": 8,  # a card that is drawn at the end of the turn: one that is taken stands in for it
    # predictions
    "pebble_0": 40,  # what it is worth to keep a pebble, in round 1
    "pebble_1": 51,
    "pebble_2": 30,
    "pebble_3": 16,
    "pebble_4": 0,
    "same": 8,  # less for each own pebble there already
    "secret": 40,  # what a secret prediction costs beside the pebble
    "secret_high": 10,  # and for each strength above 4 of its card, which leaves the hand
    "reveal": -100,
    "control": 12,  # for becoming the controller
    # victims and discards
    "lead": 4,  # to pick on a seat, for each point that it has on the table
    "next": 16,  # and for being the next to play
    "discard": 8,
    "hide": 8,  # to discard a card with Carmen, less what it is worth to hold it
    "give": 4,  # to give away a strength less, where the other is interested
    # prospects
    "p_base": 40,
    "p_mine": 0,  # for each point that one has there
    "p_others": 4,  # for each point that others have there
    "p_hand": 6,  # for each strength above 4 in hand
    "p_card": 2,  # for each half point of its card in this row above 5
    "p_empty": 16,  # no card in this row yet
    "p_secret": 24,  # one's own secret
    # using a power: what it is worth beside what it does to the row
    "squeak": 24,
    "moss_man": 16,
    "stag": 16,
    "rubble": 24,
    "twinz": 24,
    "hoot": 12,
    "carmen": 8,
    "fungy": 16,
    "goatman": 16,
    "fiery_fang": 12,
    "hopscotch": 0,  # of this one and the next what the row gains is counted as well
    "feather_fox": 0,
    "ursus": 0,
    "pilgrim": 16,
}
"""How most of these numbers were found is not on record; `fabletop.lab.tuning` lets others play against them."""

DUEL = {"steep_3": 11, "control": 18}
"""What is different between two: an early row tells little, and control is worth more."""

KNOBS = 96  # room for the weights; `equinox.pxd` has this size
KEYS = tuple(WEIGHTS)
VICTORY, EMPTY, STEEP, RIVAL, LEADER, BIT = map(
    KEYS.index, ("victory", "empty", "steep_0", "rival", "leader", "pebble_bit")
)
KEEP, HIGH, LOW = map(KEYS.index, ("keep", "keep_high", "keep_low"))
HOLD_CHAMELEON, EXTREME = map(KEYS.index, ("chameleon", "extreme"))
HOLD_DRYAD, HOLD_ANCESTOR, DRAW = map(KEYS.index, ("dryad", "ancestor", "draw"))
SECRET_HIGH = KEYS.index("secret_high")
PEBBLE, SAME, SECRETLY, SHOW = map(KEYS.index, ("pebble_0", "same", "secret", "reveal"))
CONTROL, LEAD, NEXT = map(KEYS.index, ("control", "lead", "next"))
DISCARD, HIDE, GIVE = map(KEYS.index, ("discard", "hide", "give"))
P_BASE, P_MINE, P_OTHERS, P_HAND = map(KEYS.index, ("p_base", "p_mine", "p_others", "p_hand"))
P_CARD, P_EMPTY, P_SECRET, POWER = map(KEYS.index, ("p_card", "p_empty", "p_secret", "squeak"))

UNIT = 4096  # a 64th of a point, in scores
BEST = 1 << 29  # better than any score
HALVES = 40  # strengths in half points, and more for Ursus
STRENGTH_MAX = 256  # room for every strength, and for NONE
FALL = [round(16384 * 2 ** (-i / 16)) for i in range(512)]
"""A share of risk, or of a victory, that has fallen by n sixteenths of an octave."""

FITS = [160, 360, 620, 560, 870, 1024]
"""How well a secret fits that is on an eliminated creature with 0, 1, 2 own pebbles, or on one in play with as many.

The order of these is what games of our own bots show, whose secrets are two to five times as often on a creature with
own pebbles as elsewhere; the numbers are flatter than theirs, for people differ.
"""

# what others see of an action that is hidden from them
UNSEEN_SECRET, UNSEEN_CARD, UNSEEN_PLAY = 300, 301, 302


class Knowledge(World):
    """Equinox as search sees it, from one seat's view; or for `player` from the record, where nothing is imagined."""

    def __init__(self, seen: View | State, weights: Mapping[str, int] | None = None) -> None:
        if isinstance(seen, State):
            World.__init__(self, seen.seats, 0)
            self.root = self.state = seen
        else:
            viewer = seen["viewer"]
            if viewer is None:
                raise ValueError("a bot needs the view of a seat, and this is a spectator's")
            World.__init__(self, seen["seats"], viewer)
            self.root = skeleton(seen)
            self.state = self.root.clone()
        self.per_point = 2
        self.knobs = list([0] * KNOBS)
        self.pull = list([0] * (4 * STRENGTH_MAX))
        self.seat = NONE
        self.at = 0
        self.interest = list([0] * (SEATS_MAX * COLUMNS))
        self.strength = list([0] * COLUMNS)
        self.prospect = list([0] * COLUMNS)
        self.standing = list([0] * IN_GAME)
        self.n_standing = 0
        self.shown = list([0] * SEATS_MAX)
        self.backing = list([0] * COLUMNS)
        self.pebbled = list([0] * COLUMNS)
        self.counted = False
        self.known = 0
        self.scanned = False
        self.summed = 0
        self.row = 0
        self.in_play = 0
        self.future = 0
        self.base = 0
        self.empties = 0
        self.pulls = list([0] * 4)
        self.losses = list([0] * 4)
        self.worth = list([0] * (3 * CARDS))
        self.half = list([0] * STRENGTH_MAX)
        self.ursus = 0
        self.share = 16 * (self.seats - 1)
        chosen = {**WEIGHTS, **(DUEL if self.seats == 2 else {}), **(weights or {})}
        for i in range(len(KEYS)):
            self.knobs[i] = chosen[KEYS[i]]
        for empties in range(4):
            at = empties * STRENGTH_MAX
            for strength in range(HALVES):
                self.pull[at + strength] = FALL[self.knobs[STEEP + empties] * strength // 8]
            self.pull[at + NONE] = self.pull[at + self.knobs[EMPTY]]
        self.value_cards()
        self.measure_cards()

    # ---------------------------------------------------------------- the game as search sees it

    def imagine(self, word: int) -> None:
        """E-9: a deal that fits what the viewer knows."""
        self.word = word
        self.state.become(self.root)
        self.state.word = word
        self.state.deal_again(self.viewer)
        self.forget()

    def likelihood(self) -> int:
        """Whom a seat backs tells of its secret prediction: seldom one that it let go, often one that it stands by."""
        fits = 1024
        for seat in range(self.seats):
            if seat != self.viewer and self.state.secret[seat] != NONE:
                column = self.state.secret[seat] // STRENGTHS
                own = self.state.stake[column * SEATS_MAX + seat] & 7
                i = min(own, 2) + 3 * ((self.state.in_play >> column) & 1)
                fits = fits * FITS[i] >> 10
        return fits

    def asked(self) -> int:
        """The seat that has to decide."""
        return self.state.actor

    def offer(self) -> None:
        """What the engine offers."""
        self.n_options = self.state.n_options
        for i in range(self.n_options):
            self.options[i] = self.state.options[i]

    def act(self, action: int) -> None:
        """Carry it out, and forget what of `look` it may have changed: bets change what is at stake, cards the row."""
        phase = self.state.phase
        if action != PASS:
            if (
                phase == ASK_PREDICT
                or phase == ASK_MOSS_MAN
                or phase == ASK_RUBBLE
                or phase == ASK_ANCESTOR
                or phase == ASK_USE
            ):
                self.counted = False
            if phase != ASK_PREDICT and phase != ASK_DISCARD:
                self.scanned = False
        self.state.answer(action)
        if self.state.row != self.row or self.state.in_play != self.in_play:
            self.forget()

    def sign(self, action: int, seat: int) -> int:
        """What another seat sees: secret predictions, cards given and kept, unseen discards are hidden from it."""
        phase = self.state.phase
        if phase == ASK_PREDICT and action < TO_COLUMN:
            return UNSEEN_SECRET
        if phase == ASK_PLAY and FIRST_CHAMELEON <= action and action < ANCESTOR:
            return UNSEEN_PLAY
        if phase == ASK_COLUMN:
            return action * CARDS + self.state.held
        if phase == ASK_DISCARD and self.state.carmen and action != PASS:
            return UNSEEN_CARD
        if phase == ASK_HOOT_GIVE and action != PASS and seat != self.state.turn:
            return UNSEEN_CARD
        if phase == ASK_GOATMAN_KEEP and seat != self.state.target:
            return UNSEEN_CARD
        return action

    def stage(self) -> int:
        """Every answer is seen at once."""
        return self.state.stage

    def follow(self, state: State) -> None:
        """Judge this state from now on."""
        self.state = state
        if self.ursus != state.ursus_halves:
            self.measure_cards()

    def pending(self) -> int:
        """The seat that is asked, as a bit."""
        return 0 if self.state.phase == OVER else 1 << self.state.actor

    def consider(self, seat: int) -> None:
        """What the engine offers: one seat is asked at a time. Nothing is kept from the choice before."""
        self.forget()
        self.offer()

    def stir(self, stream: int, word: int) -> None:
        """The table's stream is the only one."""
        self.state.word = word

    def answer(self, seat: int, action: int) -> None:
        """Carry it out."""
        self.state.answer(action)

    def hear(self, rows: list[tuple[int, ...]]) -> None:
        """The events of the last answer."""
        rows += self.state.heard()

    def reckon(self) -> None:
        """E-8: the victory, and a part for the margin; before the end of the game by expected points."""
        over = self.state.phase == OVER
        winners = 0
        number = 0
        if over:
            winners = self.state.winners()
        else:
            self.neutral()
        for seat in range(self.seats):
            self.points[seat] = self.state.measure(seat, 0) if over else self.expected(seat)
            number += (winners >> seat) & 1
        for seat in range(self.seats):
            rival = 0
            weight = 0
            for other in range(self.seats):
                if other != seat and self.points[other] > rival:
                    rival = self.points[other]
            for other in range(self.seats):
                ahead = self.points[other] - self.points[seat]
                weight += 65536 if ahead > 11 else FALL[176 - 16 * ahead if ahead > -21 else 511]
            if over:
                self.shares[seat] = 65536 // number if (winners >> seat) & 1 else 0
            else:
                self.shares[seat] = FALL[176] * 65536 // weight
            margin = 32768 + 1024 * (self.points[seat] - rival)
            margin = min(65536, max(0, margin))
            self.rewards[seat] = (
                self.knobs[VICTORY] * self.shares[seat] + (64 - self.knobs[VICTORY]) * margin
            ) // 64

    def neutral(self) -> None:
        """Prospects that nobody's hand has a say in, for guessing at the end of a game."""
        self.count()
        self.scan()
        self.foresee(NONE)

    def expected(self, seat: int) -> int:
        """The half points that a seat can expect."""
        found = 0
        for i in range(self.n_standing):
            column = self.standing[i]
            stake = self.state.stake[column * SEATS_MAX + seat]
            value = 2 * (stake >> 3)
            if self.state.secret[seat] != NONE and self.state.secret[seat] // STRENGTHS == column:
                value += 10
            found += value * self.prospect[column]
        return found >> 8

    def secrets(self) -> list[int]:
        """The card under the secret prediction of each seat in the deal at hand, NONE where there is none."""
        return [self.state.secret[seat] for seat in range(self.seats)]

    # ---------------------------------------------------------------- risk and interest

    def forget(self) -> None:
        """Nothing of what `look` has taken in holds any more."""
        self.counted = False
        self.scanned = False

    def look(self, me: int) -> None:
        """Take in the table as this seat sees it. What no action has changed since it was taken in is kept."""
        if not self.counted:
            self.count()
        if not (self.known >> me) & 1:
            self.care(me)
        if not self.scanned:
            self.scan()
        if self.seat != me:
            self.seat = me
            self.at = me * COLUMNS
            self.summed = 0

    def count(self) -> None:
        """What lies on the table: the creatures in play, and what each seat has there and each creature carries."""
        self.counted = True
        self.known = 0
        self.summed = 0
        self.in_play = self.state.in_play
        self.n_standing = 0
        for seat in range(self.seats):
            self.shown[seat] = 0
        for i in range(IN_GAME):
            column = self.state.columns[i]
            if (self.in_play >> column) & 1:
                self.standing[self.n_standing] = column
                self.n_standing += 1
                self.backing[column] = 0
                self.pebbled[column] = 0
                for seat in range(self.seats):
                    stake = self.state.stake[column * SEATS_MAX + seat]
                    self.shown[seat] += 16 * (stake >> 3) + (stake & 7)
                    self.backing[column] += self.backed(column, stake)
                    self.pebbled[column] += (stake >> 3) + (stake & 7)
        self.future = 48 // (self.n_standing - 1)

    def backed(self, column: int, stake: int) -> int:
        """What a seat loses with this creature, in sixteenths of a point."""
        return 16 * (stake >> 3) + (self.knobs[BIT] + (8 * self.ursus if column == URSUS else 0)) * (
            stake & 7
        )

    def total(self, me: int, seat: int) -> int:
        """What a seat has on the table and under it, in sixteenths of a point, as `me` sees it."""
        if self.state.secret[seat] == NONE:
            return self.shown[seat]
        if seat != me:
            return self.shown[seat] + 32
        if (self.in_play >> (self.state.secret[me] // STRENGTHS)) & 1:
            return self.shown[seat] + 80  # one's own is no guess
        return self.shown[seat]

    def care(self, me: int) -> None:
        """The interest of a seat in each creature: what it has there itself, less what the rivals have."""
        self.known |= 1 << me
        if self.seat == me:
            self.summed = 0
        leader = NONE
        most = 0
        for seat in range(self.seats):
            if seat != me and self.total(me, seat) > most:
                most = self.total(me, seat)
                leader = seat
        for i in range(self.n_standing):
            column = self.standing[i]
            mine = self.backed(column, self.state.stake[column * SEATS_MAX + me])
            theirs = self.knobs[RIVAL] * (self.backing[column] - mine)
            if leader != NONE:
                theirs += self.knobs[LEADER] * self.backed(
                    column, self.state.stake[column * SEATS_MAX + leader]
                )
            self.interest[me * COLUMNS + column] = mine - theirs // self.share
        if self.state.secret[me] != NONE:
            self.interest[me * COLUMNS + self.state.secret[me] // STRENGTHS] += 80

    def scan(self) -> None:
        """The strengths of the row."""
        self.scanned = True
        self.summed = 0
        self.empties = 0
        self.row = self.state.row
        for i in range(self.n_standing):
            column = self.standing[i]
            self.strength[column] = self.half[self.state.top[self.row * COLUMNS + column]]
            if self.strength[column] == NONE:
                self.empties += 1

    def sum_up(self, steep: int) -> None:
        """The sums over the row that `stand` starts from, for this number of empty cells."""
        self.summed |= 1 << steep
        self.pulls[steep] = 0
        self.losses[steep] = 0
        for i in range(self.n_standing):
            column = self.standing[i]
            pull = self.pull[STRENGTH_MAX * steep + self.strength[column]]
            self.pulls[steep] += pull
            self.losses[steep] += pull * self.interest[self.at + column]

    def put(self, column: int, strength: int) -> None:
        """Another strength in one column, for good: the sums follow."""
        if self.strength[column] == NONE:
            self.empties -= 1
        if strength == NONE:
            self.empties += 1
        for steep in range(4):
            more = (
                self.pull[STRENGTH_MAX * steep + strength]
                - self.pull[STRENGTH_MAX * steep + self.strength[column]]
            )
            self.pulls[steep] += more
            self.losses[steep] += more * self.interest[self.at + column]
        self.strength[column] = strength

    def loser(self, column: int, strength: int) -> int:
        """E-6.5: who would go in a complete row with another strength in one column; NONE where there is a tie."""
        lowest = NONE
        found = NONE
        for i in range(self.n_standing):
            c = self.standing[i]
            s = strength if c == column else self.strength[c]
            if s < lowest:
                lowest = s
                found = c
            elif s == lowest:
                found = NONE
        return found

    def stand(self, column: int, strength: int) -> int:
        """What the row is worth to the seat with another strength in one column (NONE: as it is), in scores."""
        empties = self.empties
        if column != NONE:
            empties += (1 if strength == NONE else 0) - (1 if self.strength[column] == NONE else 0)
        if empties == 0:
            gone = self.loser(column, strength)
            if gone != NONE:
                return -1024 * self.interest[self.at + gone] * self.future
        steep = min(empties, 3)
        if not (self.summed >> steep) & 1:
            self.sum_up(steep)
        total = self.pulls[steep]
        loss = self.losses[steep]
        if column != NONE:
            more = (
                self.pull[STRENGTH_MAX * steep + strength]
                - self.pull[STRENGTH_MAX * steep + self.strength[column]]
            )
            total += more
            loss += more * self.interest[self.at + column]
        # C and Python round quotients of negative numbers differently
        if loss < 0:
            return 1024 * -loss // total * self.future
        return -(1024 * loss // total * self.future)

    def hold(self, card: int) -> int:
        """What it is worth to have this card in hand, in scores."""
        kind = card // STRENGTHS
        if kind >= CHAMELEON:
            return self.worth[card]
        if not (self.in_play >> kind) & 1:
            return 0
        interest = self.interest[self.at + kind]
        return self.worth[card + (CARDS if interest > 0 else 2 * CARDS if interest < 0 else 0)]

    def measure_cards(self) -> None:
        """E-7.13: the strength of each card in half points, NONE for no card."""
        self.ursus = self.state.ursus_halves
        for card in range(CARDS):
            self.half[card] = 2 * (card % STRENGTHS) + (self.ursus if card // STRENGTHS == URSUS else 0)
        self.half[NONE] = NONE

    def value_cards(self) -> None:
        """The table for `hold`: with no interest in the creature, with some, and where one wants it gone."""
        for card in range(CARDS):
            strength = card % STRENGTHS
            for sign in range(3):
                worth = self.knobs[KEEP]
                if card // STRENGTHS == CHAMELEON:
                    away = strength - 5 if strength > 5 else 5 - strength
                    worth = self.knobs[HOLD_CHAMELEON] + self.knobs[EXTREME] * away
                elif card // STRENGTHS > CHAMELEON:
                    worth = self.knobs[HOLD_ANCESTOR if card == ANCESTOR else HOLD_DRYAD]
                elif sign == 1 and strength > 4:
                    worth += self.knobs[HIGH] * (strength - 4)
                elif sign == 2 and strength < 6:
                    worth += self.knobs[LOW] * (6 - strength)
                self.worth[sign * CARDS + card] = UNIT * worth

    # ---------------------------------------------------------------- prospects

    def foresee(self, me: int) -> None:
        """The chance of each creature in play to be there at the end, in 256ths; `look` comes first."""
        total = 0
        for i in range(self.n_standing):
            column = self.standing[i]
            weight = self.knobs[P_BASE] + self.knobs[P_OTHERS] * self.pebbled[column]
            if me != NONE:
                stake = self.state.stake[column * SEATS_MAX + me]
                weight += (self.knobs[P_MINE] - self.knobs[P_OTHERS]) * ((stake >> 3) + (stake & 7))
            if self.strength[column] == NONE:
                weight += self.knobs[P_EMPTY]
            else:
                weight += self.knobs[P_CARD] * (self.strength[column] - 10)
            self.prospect[column] = weight
        if me != NONE:
            for i in range(me * HAND_MAX, me * HAND_MAX + self.state.n_hand[me]):
                card = self.state.hand[i]
                if card < FIRST_CHAMELEON and card % STRENGTHS > 4:
                    self.prospect[card // STRENGTHS] += self.knobs[P_HAND] * (card % STRENGTHS - 4)
            if self.state.secret[me] != NONE:
                self.prospect[self.state.secret[me] // STRENGTHS] += self.knobs[P_SECRET]
        for i in range(self.n_standing):
            column = self.standing[i]
            self.prospect[column] = max(4, self.prospect[column])
            total += self.prospect[column]
        scale = (768 << 16) // total
        for i in range(self.n_standing):
            column = self.standing[i]
            self.prospect[column] = min(240, self.prospect[column] * scale >> 16)

    def pebble_worth(self, column: int, halves: int) -> int:
        """What a pebble of this value in half points can be expected to bring, in scores."""
        if not (self.in_play >> column) & 1:
            return 0
        if column == URSUS:
            halves += self.state.ursus_halves
        return self.prospect[column] * (512 * halves + 64 * self.knobs[BIT])

    def gains_control(self, me: int, column: int, value: int) -> bool:
        """E-4.2: would one more pebble of this value make the seat the controller?"""
        if self.state.controller[column] == me:
            return False
        mine = (self.state.stake[column * SEATS_MAX + me] + 8 * value + 8) >> 3
        for seat in range(self.seats):
            if seat != me and (self.state.stake[column * SEATS_MAX + seat] + 7) >> 3 >= mine:
                return False
        return True

    def place_score(self, me: int, cell: int) -> int:
        """E-3.1, E-7.4: a pebble onto this cell."""
        column = cell % COLUMNS
        row = cell // COLUMNS
        score = self.pebble_worth(column, 8 - 2 * row) - UNIT * self.knobs[PEBBLE + self.state.row]
        score -= UNIT * self.knobs[SAME] * (self.state.stake[column * SEATS_MAX + me] & 7)
        if self.gains_control(me, column, 4 - row):
            score += UNIT * self.knobs[CONTROL]
        return score

    # ---------------------------------------------------------------- the choices

    def rate(self) -> None:
        """A score for every option, by what the seat that is asked may know."""
        me = self.state.actor
        phase = self.state.phase
        if phase == ASK_DISCARD and not self.state.carmen:
            self.in_play = self.state.in_play  # there are only dead cards to judge
        else:
            self.look(me)
        if phase == ASK_PREDICT or phase == ASK_MOSS_MAN or phase == ASK_RUBBLE:
            self.foresee(me)
        elif phase != ASK_DISCARD:
            self.base = self.stand(NONE, NONE)
        for i in range(self.n_options):
            action = self.options[i]
            if phase == ASK_PREDICT:
                self.scores[i] = self.predict_score(me, action)
            elif phase == ASK_PLAY:
                self.scores[i] = self.play_score(me, action)
            elif phase == ASK_COLUMN:
                self.scores[i] = self.stand(action - TO_COLUMN, self.half[self.state.held])
            elif phase == ASK_DISCARD:
                self.scores[i] = self.discard_score(action)
            elif phase == ASK_HOOT_GIVE:
                self.scores[i] = self.give_score(action)
            elif phase == ASK_GOATMAN_KEEP:
                self.scores[i] = self.hold(action)
            elif phase == ASK_HOOT_CREATURE:
                self.scores[i] = 1024 * self.interest[self.at + action - TO_COLUMN]
            elif phase == ASK_ANCESTOR:
                self.scores[i] = self.name_score(me, action - TO_COLUMN)
            elif phase == ASK_DRYAD:
                self.scores[i] = self.take_score(action - TO_CELL)
            elif phase == ASK_HOPSCOTCH_WITH:
                self.scores[i] = self.swap_score(self.state.held, action - TO_CELL)
            elif action == PASS:
                self.scores[i] = 0
            else:
                self.scores[i] = self.power_score(me, action)

    def predict_score(self, me: int, action: int) -> int:
        """E-3: a column, a card for a secret prediction, reveal, or pass."""
        if action == PASS:
            return 0
        if action == REVEAL:
            column = self.state.secret[me] // STRENGTHS
            score = UNIT * self.knobs[SHOW]
            if (self.in_play >> column) & 1 and self.gains_control(me, column, 5):
                score += UNIT * (self.knobs[CONTROL] + self.knobs[POWER + column])
                score += self.use_at_hand(me, column)
            return score
        if action >= TO_COLUMN:
            return self.place_score(me, self.state.row * COLUMNS + action - TO_COLUMN)
        column = action // STRENGTHS
        score = self.pebble_worth(column, 10) - UNIT * (self.knobs[PEBBLE] + self.knobs[SECRETLY])
        score -= UNIT * self.knobs[SAME] * (self.state.stake[column * SEATS_MAX + me] & 7)
        if action % STRENGTHS > 4:  # the card counted as one in hand, and is gone
            score -= UNIT * self.knobs[SECRET_HIGH] * (action % STRENGTHS - 4)
        return score

    def changes_row(self, column: int) -> bool:
        """Can the power of this column change the strengths of the row? Fungy may borrow one that can (E-7.8)."""
        if column == FEATHER_FOX or column == HOPSCOTCH or column == PILGRIM:
            return True
        if column != FUNGY:
            return False
        out = self.state.in_game & ~self.in_play
        return ((out >> FEATHER_FOX) | (out >> HOPSCOTCH) | (out >> PILGRIM)) & 1 == 1

    def best_after(self, column: int, card: int) -> int:
        """What the row is worth with this card in its column, after the best use of the power that it wakes."""
        before = self.strength[column]
        self.put(column, self.half[card])
        best = self.stand(NONE, NONE)
        out = self.state.in_game & ~self.in_play if column == FUNGY else 1 << column
        for i in range(IN_GAME):
            other = self.state.columns[i]
            cell = self.state.row * COLUMNS + other
            top = card if other == column else self.state.top[cell]
            if (out >> FEATHER_FOX) & 1 and other != column and top != NONE and (self.in_play >> other) & 1:
                best = max(best, self.stand(other, self.half[self.state.under[top]]))
            if (out >> HOPSCOTCH) & 1 and top < FIRST_CHAMELEON and (self.in_play >> other) & 1:
                for row in range(self.state.row):
                    swapped = self.state.top[row * COLUMNS + other]
                    if swapped < FIRST_CHAMELEON:
                        best = max(best, self.stand(other, self.half[swapped]))
            if (
                (out >> PILGRIM) & 1
                and top != NONE
                and top // STRENGTHS == CHAMELEON
                and (self.in_play >> other) & 1
            ):
                best = max(best, self.stand(other, self.half[self.state.under[top]]) + self.hold(top))
        self.put(column, before)
        return best

    def use_at_hand(self, me: int, column: int) -> int:
        """What the power of this column brings in this turn beyond the best card without it."""
        best = 0
        if self.changes_row(column):
            for i in range(me * HAND_MAX, me * HAND_MAX + self.state.n_hand[me]):
                card = self.state.hand[i]
                if card // STRENGTHS == column:
                    value = self.best_after(column, card) - self.best_play(me)
                    best = max(best, value)
        return best

    def best_play(self, me: int) -> int:
        """What the row is worth after the best card in hand that wakes no power."""
        best = -BEST
        for i in range(me * HAND_MAX, me * HAND_MAX + self.state.n_hand[me]):
            card = self.state.hand[i]
            if card < FIRST_CHAMELEON and (self.in_play >> (card // STRENGTHS)) & 1:
                best = max(best, self.stand(card // STRENGTHS, self.half[card]))
        return best if best > -BEST else self.stand(NONE, NONE)

    def play_score(self, me: int, action: int) -> int:
        """E-5: a card. A Chameleon is as good as its best column, a Tree is played to keep the row as it is."""
        if action == PASS:
            return 0
        score = -self.hold(action)
        if action < FIRST_CHAMELEON:
            column = action // STRENGTHS
            covered = self.state.top[self.state.row * COLUMNS + column]
            wakes = covered == NONE or covered // STRENGTHS != CHAMELEON
            if self.state.controller[column] == me and wakes:
                score += UNIT * self.knobs[POWER + column]
                if self.changes_row(column):
                    return score + self.best_after(column, action) - self.base
            score += self.stand(column, self.half[action]) - self.base
        elif action < ANCESTOR:
            best = -BEST
            for i in range(self.n_standing):
                value = self.stand(self.standing[i], self.half[action])
                best = max(best, value)
            score += best - self.base
        elif action != ANCESTOR:
            best = 0
            for row in range(self.state.row + 1):
                for i in range(IN_GAME):
                    cell = row * COLUMNS + self.state.columns[i]
                    if self.state.top[cell] < FIRST_CHAMELEON:
                        value = self.take_score(cell)
                        best = max(best, value)
            score += best
        return score

    def take_score(self, cell: int) -> int:
        """E-7.16, E-7.17: the visible card of a cell comes into the hand."""
        card = self.state.top[cell]
        score = self.hold(card)
        if self.state.n_hand[self.state.turn] < self.state.full_hand:
            score -= UNIT * self.knobs[DRAW]
        if cell // COLUMNS == self.state.row and (self.in_play >> (cell % COLUMNS)) & 1:
            score += self.stand(cell % COLUMNS, self.half[self.state.under[card]]) - self.base
        return score

    def swap_score(self, one: int, other: int) -> int:
        """E-7.11: only the card in the current row matters."""
        if one // COLUMNS == self.state.row:
            return self.stand(one % COLUMNS, self.half[self.state.top[other]]) - self.base
        if other // COLUMNS == self.state.row:
            return self.stand(other % COLUMNS, self.half[self.state.top[one]]) - self.base
        return 0

    def best_swap(self, cell: int) -> int:
        """E-7.11: the best that can come of a swap with this card."""
        best = -BEST
        for row in range(self.state.row + 1):
            other = row * COLUMNS + cell % COLUMNS
            if other != cell and self.state.top[other] < FIRST_CHAMELEON:
                value = self.swap_score(cell, other)
                best = max(best, value)
        return best

    def name_score(self, me: int, column: int) -> int:
        """E-7.15: not one's own secret; rather a creature that one would not mind to see defended openly."""
        if self.state.secret[me] != NONE and self.state.secret[me] // STRENGTHS == column:
            return -UNIT * 16
        return -256 * self.interest[self.at + column]

    def discard_score(self, action: int) -> int:
        """E-6.1, E-7.7: dead cards go; with Carmen also those that are of no use."""
        if action == PASS:
            return 0
        if not (self.in_play >> (action // STRENGTHS)) & 1:
            return UNIT * self.knobs[DISCARD]
        return UNIT * self.knobs[HIDE] - self.hold(action)

    def give_score(self, action: int) -> int:
        """E-7.6: the card that one needs least, and that helps the other least."""
        if action == PASS:
            return 0
        score = -self.hold(action)
        if self.state.stake[self.state.named * SEATS_MAX + self.state.turn] > 0:
            score -= UNIT * self.knobs[GIVE] * (action % STRENGTHS)
        return score

    def victim_score(self, me: int, seat: int) -> int:
        """Whom to pick on: who leads, and who is next."""
        score = UNIT * self.knobs[LEAD] * self.total(me, seat) // 16
        if seat == (me + 1) % self.seats:
            score += UNIT * self.knobs[NEXT]
        return score

    def power_score(self, me: int, action: int) -> int:
        """E-7: using the power in question, so or so; declining it counts nothing, and what brings nothing is worse."""
        phase = self.state.phase
        worth = UNIT * self.knobs[POWER + self.state.power]
        if phase == ASK_USE:
            if self.state.power == SQUEAK and self.state.n_deck <= self.state.squeak_draws:  # it ends
                for seat in range(self.seats):
                    if seat != me and self.total(me, seat) >= self.total(me, me):
                        return -worth
            return worth
        if phase == ASK_RUBBLE:
            return self.place_score(me, action - TO_CELL)
        if phase == ASK_MOSS_MAN:
            back = UNIT * self.knobs[PEBBLE + self.state.row]
            if action == SECRET:
                return back - self.pebble_worth(self.state.secret[me] // STRENGTHS, 10)
            if action >= TO_CHAMPION:
                return back - self.pebble_worth(action - TO_CHAMPION, 10)
            cell = action - TO_CELL
            return back - self.pebble_worth(cell % COLUMNS, 8 - 2 * (cell // COLUMNS))
        if phase == ASK_STAG or phase == ASK_HOOT_SEAT or phase == ASK_GOATMAN_SEAT:
            return worth + self.victim_score(me, action - TO_SEAT)
        if phase == ASK_FUNGY:
            return UNIT * self.knobs[POWER + action - TO_COLUMN]
        if phase == ASK_FEATHER_FOX:
            column = action - TO_COLUMN
            card = self.state.top[self.state.row * COLUMNS + column]
            return self.stand(column, self.half[self.state.under[card]]) - self.base - 2 * UNIT
        if phase == ASK_HOPSCOTCH:
            return self.best_swap(action - TO_CELL) - 2 * UNIT
        if phase == ASK_FIERY_FANG or phase == ASK_PILGRIM:
            return self.take_score(action - TO_CELL)
        return worth
