"""What a good player knows about Fairy School, as numbers: a score for every option of every choice.

The scores use what the acting seat may know: its own area as it is, the others' as it stood when the stage began
(F-3.2). Inside a play-out every seat is judged by its own knowledge (`tests/bots` checks it on twins).

*Goals.* Current projects and the steps ahead of the final project. Realising one brings its points, and a project also
a card for the turns that are left. `stand` says what a purse is worth on the way: each goal in turn, the nearest first,
takes what it needs and counts by the share of its cost that is there; what is left over counts little. `prospect` is
the best that can be made of a purse in the next phase 6: which goals to realise at once, by conversions where it must
be, and what the rest is worth then. A line of a card is worth the difference that it makes to the prospect.

*Cubes.* A neighbour's card must bring more than a cube is worth, and that depends on how many there are for the turns
left. What lies in the shared zone is worth, beside one's own use, the cubes that neighbours will put on it: that is
what their own goals make of the card.

*The forest.* Drawn cards are laid out as a whole: the two columns that will be played, good gifts on top; creatures not
yet studied on the paws or on their way to them, and no good card there.

*The rest of the year.* Search plays a turn or two and then guesses what the year will bring: the points there are, and
what was gained from such situations in years that were played to their end (`guess`).

Values are in 1024ths of a point.
"""

from __future__ import annotations

from collections.abc import Mapping

from fabletop.bots.constants import NOBODY
from fabletop.bots.fairy_school.guess import FINENESS, LATE, REGULAR, STRETCHES, TRAITS, learned
from fabletop.bots.world import World
from fabletop.core import chance
from fabletop.games.fairy_school import card_tables
from fabletop.games.fairy_school.algebra import Special
from fabletop.games.fairy_school.cards import CARDS as CARD_TABLE
from fabletop.games.fairy_school.cards import worth
from fabletop.games.fairy_school.constants import (
    AIR,
    ALTERNATIVES,
    ANY,
    ASK_ACTIVATE,
    ASK_ANY,
    ASK_BANISH,
    ASK_BONUS,
    ASK_CONVERT_WITH,
    ASK_DRAFT,
    ASK_DROP,
    ASK_FINAL,
    ASK_GAIN,
    ASK_GOAL,
    ASK_LINE,
    ASK_NOTHING,
    ASK_PAY,
    ASK_PLAN,
    ASK_PLAN_SPACE,
    ASK_REALISE,
    ASK_RECALL,
    ASK_REPEAT,
    ASK_SCOUT,
    ASK_SELECT,
    ASK_SETTLE,
    ASK_SETTLE_SPACE,
    ASK_SPEND,
    ASK_STUDY,
    ASK_STUDY_ANY,
    ASK_TIMES,
    CARDS,
    COLUMN_COST,
    COLUMNS,
    CREATURES,
    DICE,
    DO_CANCEL,
    DO_COLUMN,
    DO_CONVERT,
    DO_CREATURE,
    DO_DONE,
    DO_FINAL,
    DO_GAIN,
    DO_LINE,
    DO_MAKE,
    DO_PASS,
    DO_SPACE,
    DO_SPEND,
    DO_STEP,
    DO_TAKE,
    DO_TIMES,
    ELEMENTS,
    GOLDEN,
    HAND_MAX,
    MASK64,
    NO_ELEMENT,
    NONE,
    OP_BANISH,
    OP_GAIN,
    OP_NONE,
    OP_RECALL,
    OP_REPEAT,
    OP_SCOUT,
    OWN_MAX,
    PAIR_BONUS,
    PHASE_DRAFT,
    PHASE_DROP,
    PHASE_FINAL,
    PHASE_OVER,
    PHASE_SETTLE_DRAFT,
    PHASE_SPEND,
    PROJECT_FIRST,
    PROJECTS_MAX,
    RATE,
    REALISED_PER_TURN,
    SEATS_MAX,
    SPACES,
    STEPS_LONG,
    USED_MAX,
)
from fabletop.games.fairy_school.engine import State
from fabletop.games.fairy_school.view_reader import skeleton
from fabletop.games.fairy_school.view_types import View

WEIGHTS = {
    # goals
    "air": 7,  # what an air counts for among the elements of a cost; E and W count 3, V and F 4
    "rho": 63,  # how much of a goal's gain its elements are worth before it is realised, in 64ths,
    "fade": 48,  # and how that fades from goal to goal, in 64ths
    "bend": 11,  # how much more the last elements of a goal count than the first ones, in 64ths
    "spare_1": 50,  # an element beyond all goals, for each of what it counts for, in trimester I,
    "spare_2": 70,  # II,
    "spare_3": 40,  # III,
    "spare_4": 14,  # the last
    "glut": 10,  # this many of a kind; more count half
    "now": 41,  # to realise a goal at once
    "engine": 24,  # a card gained, for each of its worth above the usual and each turn left
    "usual": 5,  # the worth of a usual card
    "finish": 0,  # to complete the final project
    "late": 4,  # how many turns the last trimester is taken to last
    # cubes
    "cube": 203,  # what a cube is worth when there are three to spend in each turn left,
    "slope": 105,  # and more for each that there is less
    "least": 74,
    "reserve": 2,  # cubes needed for one's own cards
    "gift": 256,  # what the neighbour's point costs, shared by the number of rivals,
    "rival": 617,  # and where the neighbour is the only one
    "kind": 812,  # what a cube received is worth
    "sure": 470,  # how much a card must bring above the price before a neighbour surely uses it
    # planning
    "static": 15,  # how much a card's worth at large counts beside what it brings now, in 64ths
    "unit": 74,  # one of its worth
    "study": 1386,
    "pair": 160,  # the second creature of a pair is still to come
    "copies": 145,  # less for each further card with this creature that one has
    "next": 23,  # the creatures next in line, in 64ths
    "waste": 12,  # what is lost with a card on a paw, in 64ths of its use
    "hold": 7,  # what is kept with one in the forest
    # special effects
    "scout": 36,  # for each of the worth of an average card of the pile
    "scout_plus": 183,
    "banish": 14,  # for each of the worth below the average and each turn left
    "banish_plus": 71,
    # projects to be chosen
    "price": 84,  # what each of a cost counts
    "stock": 39,  # how much what one has counts, in 64ths
    "supply": 20,  # how much cheaper the elements are that one's deck makes
    "novel": 332,  # a creature not yet studied and not in one's deck
}

SEARCH_WEIGHTS = {
    **WEIGHTS,
    "fade": 58,
    "bend": 13,
    "spare_1": 56,
    "spare_2": 74,
    "spare_3": 42,
    "spare_4": 15,
    "now": 43,
    "engine": 23,
    "cube": 219,
    "slope": 121,
    "least": 75,
    "gift": 232,
    "rival": 851,
    "kind": 892,
    "sure": 424,
    "static": 17,
    "study": 1367,
    "pair": 163,
    "copies": 138,
    "next": 25,
    "waste": 11,
    "hold": 6,
    "scout": 33,
    "scout_plus": 164,
    "banish": 13,
    "banish_plus": 66,
    "stock": 28,
    "novel": 352,
}
"""Stronger ones, for search and the learned player. Greedies that play by them make years that the cards are not
calibrated for (docs/bots.md), so `greedy` does not have them."""
SEARCH_SETTINGS = {"weights": SEARCH_WEIGHTS}
"""With what search makes this knowledge."""

KNOBS = 64  # room for the weights of a seat; `knowledge.pxd` has this size
KEYS = tuple(WEIGHTS)
K_AIR, K_RHO, K_FADE, K_BEND, K_SPARE = map(KEYS.index, ("air", "rho", "fade", "bend", "spare_1"))
K_GLUT, K_NOW, K_ENGINE, K_USUAL = map(KEYS.index, ("glut", "now", "engine", "usual"))
K_FINISH, K_LATE = map(KEYS.index, ("finish", "late"))
K_CUBE, K_SLOPE, K_LEAST, K_RESERVE = map(KEYS.index, ("cube", "slope", "least", "reserve"))
K_GIFT, K_RIVAL, K_KIND, K_SURE = map(KEYS.index, ("gift", "rival", "kind", "sure"))
K_STATIC, K_UNIT, K_STUDY, K_PAIR, K_COPIES = map(KEYS.index, ("static", "unit", "study", "pair", "copies"))
K_NEXT, K_WASTE, K_HOLD = map(KEYS.index, ("next", "waste", "hold"))
K_SCOUT, K_SCOUT_PLUS, K_BANISH, K_BANISH_PLUS = map(
    KEYS.index, ("scout", "scout_plus", "banish", "banish_plus")
)
K_PRICE, K_STOCK, K_SUPPLY, K_NOVEL = map(KEYS.index, ("price", "stock", "supply", "novel"))

COMPILED = not __file__.endswith(".py")
if not COMPILED:  # compiled it is C, in splitmix.pxd
    globals().update(scramble=chance.scramble)

V = 1024  # a point
SCORE = 256  # a value of one, in scores
BEST = 1 << 20  # better than any value
GOALS = 12
RANKS = 5  # this many goals count at the same time
ORDER = 2048  # what is done first because it closes no door
FINE = 4096  # in rewards, for a voluntary conversion
UNSEEN = 400  # what others see of a draft pick
MEMO_BITS = 13  # the memory of prospects has a power of two of places; `knowledge.pxd` has this size
MEMO = 1 << MEMO_BITS
BUNDLES = 1 << PROJECTS_MAX  # sets of projects

# ---- the cards as tables: one row per line of a card (card * 2 + line)


def _makes(card: int, element: int) -> int:
    """The most of an element that one use of a card brings."""
    lines = [line for line in CARD_TABLE[card].effect.lines if not isinstance(line, Special)]
    return max((some[element] - line.cost[element] for line in lines for some in line.options), default=0)


OP = list(card_tables.OP)
COST = list(card_tables.COST)
TIMES = list(card_tables.TIMES)
N_GAINS = list(card_tables.N_GAINS)
GAINS = list(card_tables.GAINS)
COUNT = list(card_tables.COUNT)
BONUS = list(card_tables.BONUS)
CREATURE = list(card_tables.CREATURE)
PRICE = list(card_tables.PRICE)
STEP_PRICE = list(card_tables.STEP_PRICE)
WORTH = [max(1, worth(card)) for card in CARD_TABLE]
GUESS = learned()
MAKES = [max(0, _makes(card.id, element)) for card in CARD_TABLE for element in range(ELEMENTS)]


class Knowledge(World):
    """Fairy School as search sees it, from one seat's view; or for `player` from the record, where nothing is imagined.

    `span` is how many turns after the present one a search plays before the year is guessed at, None to play to its
    end; `trust` is how many play-outs these scores count for in it. `weights` stand in for those of WEIGHTS.
    """

    def __init__(
        self,
        seen: View | State,
        weights: Mapping[str, int] | None = None,
        span: int | None = 1,
        trust: int = 4,
    ) -> None:
        if isinstance(seen, State):
            World.__init__(self, seen.seats, 0)
            self.root = self.state = seen
        else:
            viewer = seen["viewer"]
            if viewer is None:
                raise ValueError("a bot needs the view of a seat, and this is a spectator's")
            World.__init__(self, seen["options"]["seats"], viewer)
            self.root = skeleton(seen)
            self.state = self.root.clone()
        self.per_point = 64
        self.streams = True
        self.flat = True
        self.trust = trust
        self.span = -1 if span is None else span
        self.until = 0
        self.first = True
        self.detour = False
        self.absent = NOBODY
        self.knobs = list([0] * (SEATS_MAX * KNOBS))
        self.knobs_at = 0
        self.rho = list([0] * RANKS)
        self.rates = list([0] * ELEMENTS)
        self.have = list([0] * ELEMENTS)
        self.purse = list([0] * ELEMENTS)
        self.purse_after = list([0] * ELEMENTS)
        self.unspent = list([0] * ELEMENTS)
        self.n_goals = 0
        self.n_steps = 0
        self.limit = 0
        self.goal_cost = list([0] * (GOALS * ELEMENTS))
        self.goal_total = list([0] * GOALS)
        self.goal_gain = list([0] * GOALS)
        self.goal_card = list([0] * GOALS)
        self.goals_key = 0
        self.memo_key = list([0] * MEMO)
        self.memo_value = list([0] * MEMO)
        self.bundle_key = 0
        self.bundle = list([0] * (BUNDLES * ELEMENTS))
        self.bundle_gain = list([0] * BUNDLES)
        self.bundle_size = list([0] * BUNDLES)
        self.in_reach = list([False] * BUNDLES)
        self.spare = 0
        self.left = 0
        self.cube = 0
        self.base = 0
        self.seat = 0
        self.memo_stage = -1
        self.memo_seat = NONE
        self.use = list([0] * CARDS)
        self.lure = list([0] * CARDS)
        self.toll = list([0] * COLUMNS)
        self.novelty = list([0] * CREATURES)
        self.spot = list([NONE] * SPACES)
        self.free = list([0] * SPACES)
        self.dear = list([0] * ELEMENTS)
        self.copies = list([0] * CREATURES)
        self.traits = list([0] * TRAITS)
        for seat in range(SEATS_MAX):
            self.weight(seat, weights or {})

    def weight(self, seat: int, weights: Mapping[str, int]) -> None:
        """Give one seat weights of its own."""
        chosen = {**WEIGHTS, **weights}
        for i in range(len(KEYS)):
            self.knobs[seat * KNOBS + i] = chosen[KEYS[i]]
        self.forget()

    # ---------------------------------------------------------------- the game as search sees it

    def imagine(self, word: int) -> None:
        """A deal that fits what the viewer knows; what the others have done unseen they will do in the play-out."""
        self.word = word
        self.first = True
        self.memo_stage = -1
        self.state.become(self.root)
        self.state.words[DICE] = word
        self.until = self.state.year_turn + self.span
        if self.state.phase <= PHASE_DROP or self.state.phase == PHASE_FINAL:
            self.until += 3  # projects show what they are worth by the end of the trimester
        if self.state.together and self.state.phase != PHASE_OVER:
            for seat in range(SEATS_MAX):
                if seat < self.seats and seat != self.viewer:
                    self.state.question[seat] = ASK_DRAFT  # any question: the engine puts the right one
        self.state.deal_again(self.viewer)
        self.state.waiting = 0
        for seat in range(self.seats):
            if self.state.question[seat] != ASK_NOTHING:
                self.state.waiting += 1

    def asked(self) -> int:
        """The viewer first, then in seat order; nobody when as many turns are over as `span` says."""
        self.veiled = self.state.together
        if self.span >= 0 and self.state.year_turn > self.until and self.state.year_turn > 1:
            return NOBODY
        if self.state.question[self.viewer] != ASK_NOTHING and self.viewer != self.absent:
            return self.viewer
        for seat in range(self.seats):
            if self.state.question[seat] != ASK_NOTHING and seat != self.absent:
                return seat
        return NOBODY

    def offer(self) -> None:
        """What the engine offers; a voluntary conversion only at the root."""
        seat = self.asked()
        if self.first:
            self.state.ask_all(seat)
        else:
            self.state.ask(seat)
        self.n_options = self.state.n_options
        for i in range(self.n_options):
            self.options[i] = self.state.options[i]

    def act(self, action: int) -> None:
        """Carry it out."""
        if self.first:
            self.first = False
            self.detour = action == DO_CONVERT or (DO_MAKE <= action and action < DO_SPEND)
        self.state.answer(self.asked(), action)

    def sign(self, action: int, seat: int) -> int:
        """F-4.3: picks are secret; all else is seen at once or when the stage closes."""
        if self.state.phase == PHASE_DRAFT or self.state.phase == PHASE_SETTLE_DRAFT:
            return UNSEEN
        return action

    def stage(self) -> int:
        """Changes when a stage closes."""
        return self.state.stage

    def follow(self, state: State) -> None:
        """Judge this state from now on."""
        self.state = state
        self.until = BEST

    def pending(self) -> int:
        """The seats that are asked, a bit for each."""
        seats = 0
        for seat in range(self.seats):
            if self.state.question[seat] != ASK_NOTHING:
                seats |= 1 << seat
        return seats

    def consider(self, seat: int) -> None:
        """What the engine offers, conversions included. Nothing is kept from the choice before."""
        self.viewer = seat
        self.first = True
        self.memo_stage = -1
        self.offer()

    def stir(self, stream: int, word: int) -> None:
        """A seat's stream, or the table's."""
        self.state.words[stream] = word

    def answer(self, seat: int, action: int) -> None:
        """Carry it out."""
        self.state.answer(seat, action)

    def hear(self, rows: list[tuple[int, ...]]) -> None:
        """The events of the last answer."""
        self.state.drain()
        rows += self.state.heard()

    def whim(self, i: int) -> bool:
        """F-6.9: nobody converts for no reason."""
        return self.options[i] != DO_CONVERT

    def plain(self) -> bool:
        """F-5.1: which of the drawn cards is placed first does not matter, since all are; where it goes does."""
        return self.root.question[self.viewer] == ASK_PLAN  # type: ignore[no-any-return, unused-ignore]

    def reckon(self) -> None:
        """F-8: at the end the score, before it a guess; what counts is the distance to the others."""
        over = self.state.phase == PHASE_OVER
        best = 0
        number = 0
        for seat in range(self.seats):
            if over:
                self.points[seat] = 64 * self.state.score(seat)
            else:
                self.points[seat] = self.guess(seat) >> 4
            if self.points[seat] > best:
                best = self.points[seat]
        for seat in range(self.seats):
            if self.points[seat] == best:
                number += 1
        for seat in range(self.seats):
            rival = 0
            total = 0
            for other in range(self.seats):
                if other != seat:
                    total += self.points[other]
                    if self.points[other] > rival:
                        rival = self.points[other]
            margin = self.points[seat] - (rival + total // (self.seats - 1)) // 2
            self.rewards[seat] = min(65536, max(0, 32768 + 16 * margin))
            if over:
                self.shares[seat] = 65536 // number if self.points[seat] == best else 0
            else:
                self.shares[seat] = min(65536, max(0, 65536 // self.seats + 48 * margin))
        if self.detour:  # else a search that finds all equal might convert and cancel for ever
            self.rewards[self.viewer] = max(0, self.rewards[self.viewer] - FINE)

    def forget(self) -> None:
        """Forget all prospects. What a stage's cards are worth is judged once in a stage, and stays."""
        self.bundle_key = 0
        for i in range(MEMO):
            self.memo_key[i] = 0

    def guess(self, seat: int) -> int:
        """What a seat can expect at the end of the year: its points, and what situations like this one have brought."""
        self.notice(seat)
        at = self.stretch() * TRAITS
        value = FINENESS * (self.state.score(seat) - self.state.element_points(seat))
        for i in range(TRAITS):
            value += GUESS[at + i] * self.traits[i]
        return max(0, value) // (FINENESS // V)

    def stretch(self) -> int:
        """How far the year has come, as a row of the table: turns before the last trimester, or turns in it."""
        row = 0 if self.seats == 2 else STRETCHES
        if self.state.trimester == self.state.last:
            return row + REGULAR + min(LATE, max(1, self.state.turn)) - 1
        regular = (self.state.last - 1) * (4 if self.seats == 2 else 3)
        return row + min(REGULAR - 1, max(0, regular - self.state.year_turn))

    def notice(self, s: int) -> None:
        """What of a seat's situation tells how its year will go on: see TRAIT_NAMES."""
        self.knobs_at = s * KNOBS
        self.look(s, True)
        lack = 0
        for e in range(ELEMENTS):
            need = -self.have[e]
            for i in range(self.n_goals):
                need += self.goal_cost[i * ELEMENTS + e]
            if need > 0:
                lack += need * self.rates[e]
        self.count_creatures()
        fresh = 0
        for creature in range(CREATURES):
            if self.copies[creature] > 0 and not (self.state.studied[s] >> creature) & 1:
                fresh += 1
        near = 0
        wealth = 0
        for i in range(self.state.neighbours()):
            other = self.reached_by(s, i)
            near += self.state.cubes[other]
            wealth += self.deck_worth(other)
        ahead = 0
        for other in range(self.seats):
            if other != s and self.state.steps[other] > ahead:
                ahead = self.state.steps[other]
        self.traits[0] = 1
        self.traits[1] = self.base >> 4
        self.traits[2] = self.state.cubes[s]
        self.traits[3] = self.deck_worth(s)
        self.traits[4] = self.deck_size(s)
        self.traits[5] = self.state.n_studied(s)
        self.traits[6] = fresh
        self.traits[7] = self.state.steps[s]
        self.traits[8] = self.state.n_projects[s]
        self.traits[9] = self.state.kindness_of(s)
        self.traits[10] = near
        self.traits[11] = wealth
        self.traits[12] = ahead
        self.traits[13] = lack
        self.traits[14] = self.state.realised(s)
        for e in range(ELEMENTS):
            self.traits[15 + e] = self.state.elements[s * ELEMENTS + e]
        self.traits[20] = max(0, 6 - self.state.cubes[s])
        self.traits[21] = max(0, 3 - self.state.cubes[s])

    def deck_worth(self, s: int) -> int:
        """The worth of all cards of a seat's deck."""
        total = 0
        for i in range(self.state.n_pile[s]):
            total += WORTH[self.state.pile[s * OWN_MAX + i]]
        for i in range(self.state.n_discard[s]):
            total += WORTH[self.state.discard[s * OWN_MAX + i]]
        for i in range(self.state.n_hand[s]):
            total += WORTH[self.state.hand[s * HAND_MAX + i]]
        for i in range(SPACES):
            if self.state.forest[s * SPACES + i] != NONE:
                total += WORTH[self.state.forest[s * SPACES + i]]
        return total

    def deck_size(self, s: int) -> int:
        """How many cards that are."""
        n = self.state.n_pile[s] + self.state.n_discard[s] + self.state.n_hand[s]
        for i in range(SPACES):
            if self.state.forest[s * SPACES + i] != NONE:
                n += 1
        return n

    def situation(self, seat: int) -> tuple[int, list[int]]:
        """The row of the table that a seat's situation belongs to, and its traits: for those who learn from them."""
        self.notice(seat)
        return self.stretch(), [self.traits[i] for i in range(TRAITS)]

    def promised(self, seat: int) -> float:
        """The points that a seat can expect at the end of the year, by this guess."""
        return float(self.guess(seat)) / V

    # ---------------------------------------------------------------- goals, purses, prospects

    def turns_left(self) -> int:
        """How many turns there are after this one, as far as one can tell."""
        late = self.knobs[self.knobs_at + K_LATE]
        if self.state.trimester == self.state.last:
            return late - self.state.turn if late > self.state.turn else 1
        regular = (self.state.last - 1) * (4 if self.seats == 2 else 3)
        return regular - self.state.year_turn + late

    def add_goal(self, card: int, gain: int, price: int, own: bool) -> None:
        """One more goal; `price` is the place of its cost in PRICE (own) or STEP_PRICE."""
        n = self.n_goals
        total = 0
        for e in range(ELEMENTS):
            cost = PRICE[price + e] if own else STEP_PRICE[price + e]
            self.goal_cost[n * ELEMENTS + e] = cost
            total += cost * self.rates[e]
        self.goal_card[n] = card
        self.goal_gain[n] = gain
        self.goal_total[n] = max(1, total)
        self.n_goals += 1
        self.fold(2 * price + (1 if own else 0))
        self.fold(gain)

    def fold(self, number: int) -> None:
        """One more number that the prospects of a purse depend on."""
        self.goals_key = ((self.goals_key + number + 1) * GOLDEN) & MASK64

    def gain_of(self, card: int) -> int:
        """What it brings to realise a project: its points, and the card for the turns that are left."""
        return (
            3 * V
            + self.knobs[self.knobs_at + K_ENGINE]
            * (WORTH[card] - self.knobs[self.knobs_at + K_USUAL])
            * self.left
        )

    def look(self, s: int, own: bool) -> None:
        """Take in a seat's purse and goals: one's own as they are, another's as the stage began."""
        self.seat = s
        self.rates[0] = RATE[0]
        self.rates[1] = RATE[1]
        self.rates[2] = RATE[2]
        self.rates[3] = RATE[3]
        self.rates[4] = self.knobs[self.knobs_at + K_AIR]
        rho = self.knobs[self.knobs_at + K_RHO]
        for i in range(RANKS):
            self.rho[i] = rho
            rho = rho * self.knobs[self.knobs_at + K_FADE] >> 6
        self.left = self.turns_left()
        last = self.state.trimester == self.state.last
        self.spare = self.knobs[
            self.knobs_at + K_SPARE + (3 if last else max(0, min(2, self.state.trimester - 1)))
        ]
        ending = self.state.phase == PHASE_SPEND or self.state.ended != 0
        if ending:
            self.spare = 25  # a tenth of a point for each element
            for i in range(RANKS):
                self.rho[i] = 0
        for e in range(ELEMENTS):
            self.have[e] = (
                self.state.elements[s * ELEMENTS + e] if own else self.state.was_elements[s * ELEMENTS + e]
            )
        paying = own and self.state.question[s] == ASK_PAY
        if paying:
            for e in range(ELEMENTS):
                self.have[e] = max(0, self.have[e] - self.state.owed[s * ELEMENTS + e])
        self.n_goals = 0
        self.n_steps = 0
        self.goals_key = self.knobs_at
        if last and self.state.final[s] != NONE:
            step = self.state.steps[s] if own else self.state.was_steps[s]
            if paying and self.state.after[s] == ASK_FINAL:
                step += 1
            while step < self.state.n_steps():
                gain = 3 * V
                if step == self.state.n_steps() - 1:
                    gain += self.knobs[self.knobs_at + K_FINISH]
                self.add_goal(NONE, gain, (self.state.final[s] * STEPS_LONG + step) * ELEMENTS, False)
                step += 1
            self.n_steps = self.n_goals
        n = self.state.n_projects[s] if own else self.state.was_n_projects[s]
        card = -1
        for _ in range(n):
            card = self.next_project(s, own, n, card)
            if paying and self.state.after[s] == ASK_REALISE and self.state.card[s] == card:
                continue
            self.add_goal(card, self.gain_of(card), card * ELEMENTS, True)
        self.limit = 9 if last else REALISED_PER_TURN
        if own and not last and (self.state.question[s] == ASK_REALISE or paying):
            self.limit = max(0, REALISED_PER_TURN - self.state.taken[s])
        cubes = self.state.cubes[s] if own else self.state.was_cubes[s]
        spend = max(0, cubes - self.knobs[self.knobs_at + K_RESERVE])
        self.cube = self.knobs[self.knobs_at + K_CUBE] + (
            self.knobs[self.knobs_at + K_SLOPE] * (192 - 64 * spend // (self.left + 1)) >> 6
        )
        self.cube = max(self.knobs[self.knobs_at + K_LEAST], self.cube)
        self.fold(self.n_steps)
        self.fold(self.limit)
        self.fold(2 * self.spare + (1 if ending else 0))
        self.rebase()

    def next_project(self, s: int, own: bool, n: int, after: int) -> int:
        """The next of n projects, ascending: no view tells in which order a seat has got them."""
        lowest = NONE
        for i in range(s * PROJECTS_MAX, s * PROJECTS_MAX + n):
            card = self.state.projects[i] if own else self.state.was_projects[i]
            if card > after and card < lowest:
                lowest = card
        return lowest

    def rebase(self) -> None:
        """What the purse is good for as it is."""
        for e in range(ELEMENTS):
            self.purse[e] = self.have[e]
        self.base = self.prospect()

    def stand(self, goals: int) -> int:
        """What `purse_after` is worth on the way to these goals (a mask), and beyond them."""
        value = 0
        rank = 0
        for e in range(ELEMENTS):
            self.unspent[e] = self.purse_after[e]
        while goals != 0 and rank < RANKS:
            best = -1
            which = 0
            stepped = False
            for i in range(self.n_goals):
                if (goals >> i) & 1 and not (i < self.n_steps and stepped):
                    if i < self.n_steps:
                        stepped = True
                    got = 0
                    for e in range(ELEMENTS):
                        cost = self.goal_cost[i * ELEMENTS + e]
                        got += (self.unspent[e] if self.unspent[e] < cost else cost) * self.rates[e]
                    share = 256 * got // self.goal_total[i]
                    if share > best:
                        best = share
                        which = i
            goals ^= 1 << which
            bend = self.knobs[self.knobs_at + K_BEND]
            curve = ((64 - bend) * best + (bend * best * best >> 8)) >> 6
            value += (self.goal_gain[which] * self.rho[rank] >> 6) * curve >> 8
            for e in range(ELEMENTS):
                cost = self.goal_cost[which * ELEMENTS + e]
                self.unspent[e] -= self.unspent[e] if self.unspent[e] < cost else cost
            rank += 1
        glut = self.knobs[self.knobs_at + K_GLUT]
        for e in range(ELEMENTS):
            n = 2 * self.unspent[e] if self.unspent[e] <= glut else self.unspent[e] + glut
            value += n * self.rates[e] * self.spare >> 1
        return value

    def settle(self) -> bool:
        """Whether `purse_after`, from which a price has been taken, can be put right by conversions; it is then."""
        need = 0
        spare = 0
        for e in range(ELEMENTS):
            if self.purse_after[e] < 0:
                need -= self.purse_after[e] * RATE[e]
            elif e != AIR:
                spare += self.purse_after[e]
        if need == 0:
            return True
        while need > spare:
            if self.purse_after[AIR] <= 0:
                return False
            which = (
                1
                if self.purse_after[1] < 0
                else 2
                if self.purse_after[2] < 0
                else 0
                if self.purse_after[0] < 0
                else 3
            )
            if self.purse_after[which] >= 0:
                return False
            self.purse_after[AIR] -= 1
            self.purse_after[which] += 1
            need -= RATE[which]
        for e in range(ELEMENTS):
            if self.purse_after[e] < 0:
                self.purse_after[e] = 0
        while need > 0:
            which = 0
            for e in range(1, AIR):
                if self.purse_after[e] > self.purse_after[which]:
                    which = e
            self.purse_after[which] -= 1
            need -= 1
        return True

    def prospect(self) -> int:
        """The best that can be made of `purse` in the next phase 6.

        The same purses with the same goals come again and again, in a turn and from play-out to play-out: what was
        found last for a place of the memory is kept there.
        """
        packed = 0
        for e in range(ELEMENTS):
            packed = (packed << 12) | self.purse[e]
        key: int = scramble(self.goals_key ^ packed)  # type: ignore[name-defined]  # noqa: F821
        at: int = key & (MEMO - 1)
        if self.memo_key[at] != key:
            self.memo_key[at] = key
            self.memo_value[at] = self.best_prospect()
        return self.memo_value[at]

    def best_prospect(self) -> int:
        """The same, found out: every set of goals that can be realised at once, and what the rest is worth then."""
        if self.bundle_key != self.goals_key:
            self.bundle_up()
        for e in range(ELEMENTS):
            self.purse_after[e] = self.purse[e]
        everything = (1 << self.n_goals) - 1
        best = self.stand(everything)
        self.in_reach[0] = True
        for subset in range(1 << (self.n_goals - self.n_steps)):
            if self.bundle_size[subset] > self.limit:
                continue
            gain = self.bundle_gain[subset]
            goals = everything & ~(subset << self.n_steps)
            if subset > 0:  # what is out of reach is so with one goal more as well
                self.in_reach[subset] = False
                if not self.in_reach[subset & (subset - 1)]:
                    continue
            for steps in range(self.n_steps + 1):
                for e in range(ELEMENTS):
                    self.purse_after[e] = self.purse[e] - self.bundle[subset * ELEMENTS + e]
                if steps > 0:
                    gain += self.goal_gain[steps - 1] + self.knobs[self.knobs_at + K_NOW]
                    goals &= ~(1 << (steps - 1))
                    for i in range(steps):
                        for e in range(ELEMENTS):
                            self.purse_after[e] -= self.goal_cost[i * ELEMENTS + e]
                if subset == 0 and steps == 0:
                    continue
                if not self.settle():
                    break
                self.in_reach[subset] = True
                value = gain + self.stand(goals)
                best = max(best, value)
        return best

    def bundle_up(self) -> None:
        """The cost and the gain of each set of projects, for these goals."""
        self.bundle_key = self.goals_key
        for e in range(ELEMENTS):
            self.bundle[e] = 0
        self.bundle_gain[0] = 0
        self.bundle_size[0] = 0
        for subset in range(1, 1 << (self.n_goals - self.n_steps)):
            rest = subset & (subset - 1)
            which = self.n_steps
            while not (subset >> (which - self.n_steps)) & 1:
                which += 1
            for e in range(ELEMENTS):
                self.bundle[subset * ELEMENTS + e] = (
                    self.bundle[rest * ELEMENTS + e] + self.goal_cost[which * ELEMENTS + e]
                )
            self.bundle_gain[subset] = (
                self.bundle_gain[rest] + self.goal_gain[which] + self.knobs[self.knobs_at + K_NOW]
            )
            self.bundle_size[subset] = self.bundle_size[rest] + 1

    # ---------------------------------------------------------------- what a card is worth in use

    def line_value(self, row: int, own: bool) -> int:
        """What using a line would bring to the seat that was looked at; -BEST where it cannot be paid as it is."""
        op = OP[row]
        if op == OP_NONE:
            return -BEST
        i = row * ELEMENTS
        for e in range(ELEMENTS):
            if self.have[e] < COST[i + e]:
                return -BEST
        if op == OP_GAIN:
            best = -BEST
            for times in range(1, TIMES[row] + 1):
                value = self.times_value(row, times)
                if value == -BEST:
                    break
                best = max(best, value)
            return best
        return self.special_value(row, own)

    def times_value(self, row: int, times: int) -> int:
        """What this many uses of a line at once bring, with the best gain for all of them."""
        i = row * ELEMENTS
        best = -BEST
        for e in range(ELEMENTS):
            if self.have[e] < times * COST[i + e]:
                return -BEST
        for which in range(N_GAINS[row]):
            k = (row * ALTERNATIVES + which) * ELEMENTS
            for e in range(ELEMENTS):
                self.purse[e] = self.have[e] + times * (GAINS[k + e] - COST[i + e])
            value = self.prospect() - self.base
            best = max(best, value)
        return best

    def special_value(self, row: int, own: bool) -> int:
        """F-6.3: what a special effect would bring; another's discard and pile are not looked into."""
        op = OP[row]
        i = row * ELEMENTS
        for e in range(ELEMENTS):
            self.purse[e] = self.have[e] - COST[i + e]
        if BONUS[row] != NO_ELEMENT:
            self.purse[BONUS[row]] += 1
        value = self.prospect() - self.base
        if not own:
            return value + 600
        if op == OP_RECALL:
            value += self.recall_value(COUNT[row])
        elif op == OP_SCOUT:
            value += self.scout_value(COUNT[row])
        elif op == OP_REPEAT:
            value += max(0, self.repeat_value(row // 2))
        elif op == OP_BANISH:
            value += max(0, self.banish_value())
        else:
            value += self.study_value()
        return value

    def quick_value(self, card: int) -> int:
        """What a card would bring at once by production or transformation; nothing is paid beforehand."""
        best = 0
        for row in range(2 * card, 2 * card + 2):
            if OP[row] == OP_GAIN:
                value = self.line_value(row, True)
                best = max(best, value)
        return best

    def recall_value(self, count: int) -> int:
        """The best cards of the own discard."""
        first = 0
        second = 0
        s = self.seat
        for i in range(self.state.n_discard[s]):
            value = self.quick_value(self.state.discard[s * OWN_MAX + i])
            if value > first:
                second = first
                first = value
            elif value > second:
                second = value
        return first + second if count > 1 else first

    def scout_value(self, count: int) -> int:
        """The better ones of three from the pile."""
        s = self.seat
        n = self.state.n_pile[s]
        total = 0
        for i in range(n):
            total += WORTH[self.state.pile[s * OWN_MAX + i]]
        if n == 0:
            n = self.state.n_discard[s]
            for i in range(n):
                total += WORTH[self.state.discard[s * OWN_MAX + i]]
        if n == 0:
            return 0
        return count * (
            self.knobs[self.knobs_at + K_SCOUT_PLUS] + self.knobs[self.knobs_at + K_SCOUT] * total // n
        )

    def repeat_value(self, card: int) -> int:
        """F-6.8: the best card activated before, and its cube where it is a neighbour's."""
        s = self.seat
        best = 0
        if self.state.cubes[s] < 2:
            return 0
        for i in range(self.state.n_used[s]):
            used = self.state.used[s * USED_MAX + i]
            if used != card:
                value = self.quick_value(used)
                if value > best and self.state.owner(s, used) != s:
                    value -= self.cube_price()
                best = max(best, value)
        return best

    def banish_card(self, card: int) -> int:
        """F-6.3, F-6.5: what it brings to be rid of a card of the forest."""
        if card >= PROJECT_FIRST:
            return -3 * V
        low = self.average() - WORTH[card]
        return (
            self.knobs[self.knobs_at + K_BANISH] * low * self.left + self.knobs[self.knobs_at + K_BANISH_PLUS]
        )

    def banish_value(self) -> int:
        """The card that it is best to be rid of."""
        best = -BEST
        for i in range(self.seat * SPACES, self.seat * SPACES + SPACES):
            if self.state.forest[i] != NONE:
                value = self.banish_card(self.state.forest[i])
                best = max(best, value)
        return best

    def average(self) -> int:
        """The worth of an average card of the own deck."""
        s = self.seat
        total = 0
        n = self.state.n_pile[s] + self.state.n_discard[s]
        for i in range(self.state.n_pile[s]):
            total += WORTH[self.state.pile[s * OWN_MAX + i]]
        for i in range(self.state.n_discard[s]):
            total += WORTH[self.state.discard[s * OWN_MAX + i]]
        for i in range(SPACES):
            if self.state.forest[s * SPACES + i] != NONE:
                total += WORTH[self.state.forest[s * SPACES + i]]
                n += 1
        return total // n if n > 0 else 0

    def study_value(self) -> int:
        """F-6.3: the creature that brings most."""
        best = 0
        self.count_creatures()
        for creature in range(CREATURES):
            best = max(best, self.novelty[creature])
        return best

    def count_creatures(self) -> None:
        """What it is worth to study each creature: its points, the pair's bonus, and how seldom it comes by."""
        s = self.seat
        for creature in range(CREATURES):
            self.copies[creature] = 0
        for i in range(self.state.n_pile[s]):
            self.copies[CREATURE[self.state.pile[s * OWN_MAX + i]]] += 1
        for i in range(self.state.n_discard[s]):
            self.copies[CREATURE[self.state.discard[s * OWN_MAX + i]]] += 1
        for i in range(SPACES):
            if self.state.forest[s * SPACES + i] != NONE:
                self.copies[CREATURE[self.state.forest[s * SPACES + i]]] += 1
        for i in range(self.state.n_hand[s]):
            self.copies[CREATURE[self.state.hand[s * HAND_MAX + i]]] += 1
        for creature in range(CREATURES):
            value = 0
            if not (self.state.studied[s] >> creature) & 1:
                value = self.knobs[self.knobs_at + K_STUDY]
                if (self.state.studied[s] >> (creature ^ 1)) & 1:
                    bonus = PAIR_BONUS[creature >> 1]
                    value += 80 * (4 if bonus == ANY else self.rates[bonus])
                else:
                    value += self.knobs[self.knobs_at + K_PAIR]
                value -= self.knobs[self.knobs_at + K_COPIES] * min(3, max(0, self.copies[creature] - 1))
            self.novelty[creature] = value

    def cube_price(self) -> int:
        """What it costs to leave a cube with a neighbour."""
        if self.seats == 2:
            return self.cube + self.knobs[self.knobs_at + K_RIVAL]
        return self.cube + self.knobs[self.knobs_at + K_GIFT] // (self.seats - 1)

    # ---------------------------------------------------------------- the forest

    def appraise(self, s: int) -> None:
        """What each card that could be played is worth to this seat and to its neighbours; kept for the stage."""
        if self.memo_stage == self.state.stage and self.memo_seat == s:
            return
        self.memo_stage = self.state.stage
        self.memo_seat = s
        self.look(s, True)
        self.count_creatures()
        unit = self.knobs[self.knobs_at + K_UNIT]
        static = self.knobs[self.knobs_at + K_STATIC]
        for i in range(SPACES + self.state.n_hand[s]):
            if i < SPACES:
                card = self.state.forest[s * SPACES + i]
            else:
                card = self.state.hand[s * HAND_MAX + i - SPACES]
            if card != NONE:
                value = max(0, self.line_value(2 * card, True))
                value = max(value, self.line_value(2 * card + 1, True))
                self.use[card] = ((64 - static) * value + static * unit * WORTH[card]) >> 6
                self.lure[card] = 0
        for column in range(COLUMNS):
            e = COLUMN_COST[column]
            self.toll[column] = 0
            if e != NO_ELEMENT:
                self.toll[column] = 900
                if self.have[e] > 0:
                    for k in range(ELEMENTS):
                        self.purse[k] = self.have[k]
                    self.purse[e] -= 1
                    self.toll[column] = self.base - self.prospect()
        for n in range(self.state.neighbours()):
            t = self.reached_by(s, n)
            self.look(t, False)
            price = self.cube_price()
            if self.state.was_cubes[t] > 3:
                for i in range(SPACES + self.state.n_hand[s]):
                    if i < SPACES:
                        card = self.state.forest[s * SPACES + i]
                    else:
                        card = self.state.hand[s * HAND_MAX + i - SPACES]
                    if card != NONE:
                        value = max(self.line_value(2 * card, False), self.line_value(2 * card + 1, False))
                        self.lure[card] += self.tempted(value - price)
        self.look(s, True)

    def reached_by(self, s: int, n: int) -> int:
        """F-2.8: the n-th of the seats that may use this one's shared cards."""
        if self.state.wider:
            if self.state.year_turn & 1:
                return (s + self.seats - 1 - n) % self.seats
            return (s + 1 + n) % self.seats
        return self.state.neighbour(s, n)

    def tempted(self, surplus: int) -> int:
        """What it brings that a neighbour may use a card which brings it so much more than it costs."""
        sure = self.knobs[self.knobs_at + K_SURE]
        if surplus >= sure:
            return self.knobs[self.knobs_at + K_KIND]
        if surplus <= -sure:
            return 0
        return self.knobs[self.knobs_at + K_KIND] * (surplus + sure) // (2 * sure)

    def column_value(self, column: int) -> int:
        """What it is worth to play a column of the forest in `spot`."""
        value = -self.toll[column]
        card = self.spot[column]
        if card != NONE:
            value += self.use[card] + self.lure[card]
        card = self.spot[column + COLUMNS]
        if card != NONE:
            value += self.use[card]
        return value

    def rest_value(self, columns: int) -> int:
        """What the forest in `spot` is worth when these columns (a mask) are played: creatures to study, cards kept."""
        first = self.spot[0] if not columns & 1 else NONE
        second = self.spot[SPACES - 1] if not (columns >> (COLUMNS - 1)) & 1 else NONE
        value = 0
        studied = NONE
        if first != NONE:
            value = self.novelty[CREATURE[first]]
            studied = CREATURE[first]
        if second != NONE and self.novelty[CREATURE[second]] > value:
            value = self.novelty[CREATURE[second]]
            studied = CREATURE[second]
        waste = 0
        hold = 0
        following = 0
        met = False
        for column in range(1, COLUMNS):
            card = self.spot[column]
            if card != NONE and not (columns >> column) & 1:
                hold += self.use[card]
                if not met:
                    met = True
                    if CREATURE[card] != studied:
                        following = self.novelty[CREATURE[card]]
        met = False
        for i in range(1, COLUMNS):
            column = COLUMNS - 1 - i
            card = self.spot[COLUMNS + column]
            if card != NONE and not (columns >> column) & 1:
                hold += self.use[card]
                if not met:
                    met = True
                    if CREATURE[card] != studied and self.novelty[CREATURE[card]] > following:
                        following = self.novelty[CREATURE[card]]
        if first != NONE:
            waste += self.use[first]
        if second != NONE:
            waste += self.use[second]
        value += following * self.knobs[self.knobs_at + K_NEXT] >> 6
        value += hold * self.knobs[self.knobs_at + K_HOLD] >> 6
        return value - (waste * self.knobs[self.knobs_at + K_WASTE] >> 6)

    def forest_value(self) -> int:
        """What the forest in `spot` is worth, the best two columns being played."""
        best = -BEST
        next_best = -BEST
        one = 0
        other = NONE
        for column in range(COLUMNS):
            value = self.column_value(column)
            if value > best:
                next_best = best
                other = one
                best = value
                one = column
            elif value > next_best:
                next_best = value
                other = column
        columns = 1 << one
        if next_best > 0:
            columns |= 1 << other
            best += next_best
        return best + self.rest_value(columns)

    def lay_out(self, s: int) -> None:
        """The best forest that can be made of the cards in hand: by swaps, as long as one is better."""
        n = 0
        for i in range(SPACES):
            self.spot[i] = self.state.forest[s * SPACES + i]
            if self.spot[i] == NONE:
                self.free[n] = i
                n += 1
        k = 0
        if self.state.question[s] == ASK_PLAN_SPACE:
            self.spot[self.free[0]] = self.state.card[s]
            k = 1
        for i in range(self.state.n_hand[s]):
            card = self.state.hand[s * HAND_MAX + i]
            if not (self.state.question[s] == ASK_PLAN_SPACE and card == self.state.card[s]):
                self.spot[self.free[k]] = card
                k += 1
        value = self.forest_value()
        for _ in range(4):
            better = False
            for i in range(n):
                for j in range(i + 1, n):
                    a = self.free[i]
                    b = self.free[j]
                    self.swap(a, b)
                    other = self.forest_value()
                    if other > value:
                        value = other
                        better = True
                    else:
                        self.swap(a, b)
            if not better:
                break

    def swap(self, a: int, b: int) -> None:
        """Two spaces exchange what lies there."""
        card = self.spot[a]
        self.spot[a] = self.spot[b]
        self.spot[b] = card

    def rate_plan(self, s: int) -> None:
        """F-5.1: any card will do; the space that the whole layout has for it."""
        self.appraise(s)
        if self.state.question[s] == ASK_PLAN:
            for i in range(self.n_options):
                self.scores[i] = 0
            self.scores[0] = SCORE * 64  # they have to be placed anyway, so one after the other
            self.shun_conversion()
            return
        self.lay_out(s)
        home = 0
        for i in range(SPACES):
            if self.spot[i] == self.state.card[s]:
                home = i
        for i in range(self.n_options):
            if self.options[i] == DO_CONVERT:
                self.scores[i] = 0
            else:
                space = self.options[i] - DO_SPACE
                self.swap(home, space)
                self.scores[i] = SCORE * self.forest_value()
                self.swap(home, space)
        self.shun_conversion()

    def rate_select(self, s: int) -> None:
        """F-5.2: the columns, each with the best that can go with it."""
        self.appraise(s)
        for i in range(SPACES):
            self.spot[i] = self.state.forest[s * SPACES + i]
        for i in range(self.n_options):
            action = self.options[i]
            if action == DO_DONE:
                self.scores[i] = SCORE * self.columns_value(s, 0)
            elif action != DO_CONVERT:
                columns = 1 << (action - DO_COLUMN)
                best = self.columns_value(s, columns)
                if self.state.taken[s] == 0:
                    for other in range(COLUMNS):
                        if not (columns >> other) & 1:
                            best = max(best, self.columns_value(s, columns | 1 << other))
                self.scores[i] = SCORE * best
        self.shun_conversion()

    def columns_value(self, s: int, columns: int) -> int:
        """What it brings to play these columns beside those chosen already, whose cards have left the forest."""
        value = self.rest_value(columns | self.state.columns[s])
        for column in range(COLUMNS):
            if (columns >> column) & 1:
                value += self.column_value(column)
        return value

    # ---------------------------------------------------------------- projects to be chosen

    def weigh_elements(self, s: int) -> None:
        """How dear each element is, in 64ths of what it counts for: the less one's deck makes of it, the dearer."""
        total = 0
        for e in range(ELEMENTS):
            self.dear[e] = 0
        for i in range(self.state.n_pile[s]):
            self.supply(self.state.pile[s * OWN_MAX + i])
        for i in range(self.state.n_discard[s]):
            self.supply(self.state.discard[s * OWN_MAX + i])
        for i in range(SPACES):
            if self.state.forest[s * SPACES + i] != NONE:
                self.supply(self.state.forest[s * SPACES + i])
        for e in range(AIR):
            total += self.dear[e]
        supply = self.knobs[self.knobs_at + K_SUPPLY]
        for e in range(ELEMENTS):
            mean = total // 4 + 1
            # between 64 - supply and 64 + supply
            self.dear[e] = (
                64 + supply * (mean - self.dear[e]) // (mean + self.dear[e])
                if (mean > self.dear[e])
                else 64 - supply * (self.dear[e] - mean) // (mean + self.dear[e])
            )

    def supply(self, card: int) -> None:
        """A card of the own deck."""
        for e in range(ELEMENTS):
            self.dear[e] += MAKES[card * ELEMENTS + e]

    def project_value(self, s: int, card: int) -> int:
        """F-4: what a project promises: its gain, less what its cost asks for beyond what there is."""
        asks = 0
        for e in range(ELEMENTS):
            cost = PRICE[card * ELEMENTS + e]
            have = min(cost, self.have[e])
            asks += (64 * cost - self.knobs[self.knobs_at + K_STOCK] * have) * self.rates[e] * self.dear[
                e
            ] >> 6
        value = self.gain_of(card) - (self.knobs[self.knobs_at + K_PRICE] * asks >> 6)
        creature = CREATURE[card]
        if self.copies[creature] == 0 and not (self.state.studied[s] >> creature) & 1:
            value += self.knobs[self.knobs_at + K_NOVEL]
        return value

    def final_value(self, s: int, final: int) -> int:
        """F-7.1: the less its steps ask for beyond what there is, the better."""
        asks = 0
        for e in range(ELEMENTS):
            cost = 0
            for step in range(STEPS_LONG):
                cost += STEP_PRICE[(final * STEPS_LONG + step) * ELEMENTS + e]
            have = min(cost, self.have[e])
            asks += (64 * cost - 64 * have) * self.rates[e] * self.dear[e] >> 6
        return -(self.knobs[self.knobs_at + K_PRICE] * asks >> 6)

    # ---------------------------------------------------------------- the choices

    def rate(self) -> None:
        """A score for every option, by what the seat that is asked may know."""
        s = self.asked()
        q = self.state.question[s]
        self.knobs_at = s * KNOBS
        if q == ASK_PLAN or q == ASK_PLAN_SPACE:
            self.rate_plan(s)
        elif q == ASK_SELECT:
            self.rate_select(s)
        else:
            self.look(s, True)
            if q == ASK_DRAFT or q == ASK_DROP or q == ASK_GOAL or q == ASK_FINAL:
                self.weigh_elements(s)
            if q == ASK_DRAFT or q == ASK_DROP or q == ASK_GOAL or q == ASK_STUDY or q == ASK_STUDY_ANY:
                self.count_creatures()
            for i in range(self.n_options):
                self.scores[i] = SCORE * self.value_of(s, q, self.options[i])
        self.shun_conversion()

    def shun_conversion(self) -> None:
        """F-6.9: what must be converted is asked for when it is paid; a voluntary one is never worth while."""
        at = self.n_options
        least = 0
        for i in range(self.n_options):
            if self.options[i] == DO_CONVERT:
                at = i
            elif self.scores[i] < least or i == 0:
                least = self.scores[i]
        if at < self.n_options:
            self.scores[at] = least - SCORE * V

    def value_of(self, s: int, q: int, action: int) -> int:
        """What an answer promises."""
        if action == DO_CONVERT:
            return -V
        if action == DO_CANCEL:
            return V
        if q == ASK_ACTIVATE:
            return self.activate_value(s, action)
        if q == ASK_LINE:
            return self.line_value(2 * self.state.card[s] + action - DO_LINE, True)
        if q == ASK_TIMES:
            return self.times_value(2 * self.state.card[s] + self.state.line[s], action - DO_TIMES + 1)
        if q == ASK_GAIN:
            row = 2 * self.state.card[s] + self.state.line[s]
            k = (row * ALTERNATIVES + action - DO_GAIN) * ELEMENTS
            for e in range(ELEMENTS):
                self.purse[e] = self.have[e] + GAINS[k + e]
            return self.prospect() - self.base
        if q == ASK_ANY or q == ASK_BONUS:
            for e in range(ELEMENTS):
                self.purse[e] = self.have[e]
            self.purse[action - DO_TAKE] += 1
            return self.prospect() - self.base
        if q == ASK_PAY or q == ASK_CONVERT_WITH:
            for e in range(ELEMENTS):
                self.purse[e] = self.have[e]
            self.purse[action - DO_SPEND] = max(0, self.purse[action - DO_SPEND] - 1)
            return self.prospect() - self.base
        if q == ASK_REALISE or q == ASK_SPEND:
            return self.realise_value(s, action)
        if q == ASK_STUDY or q == ASK_STUDY_ANY:
            return 0 if action == DO_PASS else self.novelty[action - DO_CREATURE]
        if q == ASK_RECALL or q == ASK_SCOUT:
            return 0 if action == DO_PASS else self.brought_value(action)
        if q == ASK_REPEAT:
            return 0 if action == DO_PASS else self.again_value(s, action)
        if q == ASK_BANISH:
            return 0 if action == DO_PASS else self.banish_card(action)
        if q == ASK_DRAFT or q == ASK_GOAL:
            return self.project_value(s, action) if action >= PROJECT_FIRST else V * WORTH[action] // 8
        if q == ASK_DROP:
            return 0 if action == DO_DONE else -self.project_value(s, action)
        if q == ASK_FINAL:
            return self.final_value(s, action - DO_FINAL)
        if q == ASK_SETTLE:
            return 0 if action == DO_DONE else V * WORTH[action] // 8
        if q == ASK_SETTLE_SPACE:
            space = action - DO_SPACE
            return -128 * (space - 2 if space > 2 else 2 - space)
        return 0

    def activate_value(self, s: int, action: int) -> int:
        """F-5.3: what closes no door first; a neighbour's card must be worth its cube."""
        if action == DO_DONE:
            return 0
        row = 2 * action
        value = max(self.line_value(row, True), self.line_value(row + 1, True))
        if value == -BEST:
            return -V  # only by conversions
        if self.state.owner(s, action) != s:
            return value - self.cube_price()
        if value > 0:
            if OP[row + 1] == OP_NONE and OP[row] == OP_GAIN and N_GAINS[row] == 1:
                if (
                    COST[row * ELEMENTS]
                    + COST[row * ELEMENTS + 1]
                    + COST[row * ELEMENTS + 2]
                    + (COST[row * ELEMENTS + 3] + COST[row * ELEMENTS + 4])
                    == 0
                ):
                    return value + 2 * ORDER
            elif OP[row] != OP_REPEAT and OP[row + 1] != OP_REPEAT:
                return value + ORDER
        return value

    def brought_value(self, card: int) -> int:
        """F-6.4: a card that comes into the personal zone, for use at once."""
        value = max(self.line_value(2 * card, True), self.line_value(2 * card + 1, True))
        return max(0, value) + WORTH[card]

    def again_value(self, s: int, card: int) -> int:
        """F-6.8: a card activated once more."""
        value = max(self.line_value(2 * card, True), self.line_value(2 * card + 1, True))
        if self.state.owner(s, card) != s:
            value -= self.cube_price()
        return max(-V, value)

    def realise_value(self, s: int, action: int) -> int:
        """F-5.6, F-7.2: realise this goal, and make the best of the rest."""
        for e in range(ELEMENTS):
            self.purse_after[e] = self.have[e]
        everything = (1 << self.n_goals) - 1
        stay = self.stand(everything)
        if action == DO_DONE:
            return 0
        which = 0
        if action != DO_STEP:
            which = self.n_steps
            while self.goal_card[which] != action:
                which += 1
        for e in range(ELEMENTS):
            self.purse_after[e] = self.have[e] - self.goal_cost[which * ELEMENTS + e]
        if not self.settle():
            return -V
        gain = self.goal_gain[which] + self.knobs[self.knobs_at + K_NOW]
        return gain + self.stand(everything & ~(1 << which)) - stay

    # ---------------------------------------------------------------- whole years, for the lab

    def renew(self, word: int) -> None:
        """A new year in place of the one at hand, with the same options."""
        self.word = word
        self.first = False
        self.memo_stage = -1
        self.until = BEST  # to the end
        self.state.clear()
        self.state.words[DICE] = word
        for stream in range(self.seats + 1):
            self.state.words[stream] = self.state.word(DICE)
        self.state.begin_year()

    def play_stage(self) -> None:
        """Play the present stage to its end, everybody by knowledge alone."""
        stage = self.state.stage
        while self.state.stage == stage and self.asked() != NOBODY:
            self.offer()
            best = 0
            if self.n_options > 1:
                self.rate()
                for i in range(1, self.n_options):
                    if self.scores[i] > self.scores[best]:
                        best = i
            self.act(self.options[best])

    def begin(self, word: int) -> None:
        """A new year in place of the one at hand, with the same options."""
        self.renew(word & MASK64)

    def advance(self, absent: int = 255) -> int:
        """Play the present stage to its end, but for a seat that somebody else plays; returns the next phase."""
        self.absent = absent
        self.play_stage()
        self.absent = NOBODY
        return self.state.phase

    def year(self) -> None:
        """Play to the end of the year."""
        while self.state.phase != PHASE_OVER:
            self.play_stage()
