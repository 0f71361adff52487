"""The rules of Fairy School over one flat record of small ints: interpreted as it stands, compiled with `engine.pxd`.

Everything that all seats do at once is a *stage*. In it every seat has a little flow of its own: `q[seat]` is the
question it is asked (0: nothing more), and a few registers hold what belongs to it. A seat writes only its own area and
reads the others' shared zones, which nobody changes while somebody reads them; the others see it as it stood when the
stage began (the `was_…` arrays). When the last seat has finished, the stage closes and the next begins.

The order is that of the rules page: set-up (F-2), the year (F-3), choosing projects (F-4), a turn (F-5), effects (F-6),
the last trimester (F-7), the score (F-8); before them payment and conversion (F-1.3, F-6.9), which all of them use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fabletop.core import chance
from fabletop.core.errors import NotOffered
from fabletop.games.fairy_school import card_tables
from fabletop.games.fairy_school.constants import (
    ACTIONS,
    AIR,
    ALTERNATIVES,
    ANY,
    ASK_ACTIVATE,
    ASK_ANY,
    ASK_BANISH,
    ASK_BONUS,
    ASK_CONVERT,
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
    BEGINNERS,
    BOX_SLOT,
    CARDS,
    COLUMN_COST,
    COLUMNS,
    COMMON_MAX,
    CREATURES,
    CUBES_FULL,
    CUBES_SHORT,
    DECK_END,
    DECK_FIRST,
    DICE,
    DO_CANCEL,
    DO_CARD,
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
    DRAFT_SIZE,
    DRAFT_SIZE_OF_TWO,
    EARS,
    ELEMENTS,
    END_COMPLETED,
    END_TWELFTH_TURN,
    EV_ACTIVATED,
    EV_BANISHED,
    EV_CLOSED,
    EV_CLOSED_UP,
    EV_COLUMN_CHOSEN,
    EV_COMMON_GOT,
    EV_CONVERTED,
    EV_DISCARDED,
    EV_DREW,
    EV_DROPPED,
    EV_FINAL_CHOSEN,
    EV_FINAL_COMPLETED,
    EV_FINALS_DRAWN,
    EV_GAINED,
    EV_GOAL_MISSING,
    EV_GOAL_TAKEN,
    EV_HAND_GOT,
    EV_KEPT,
    EV_KINDNESS_GOT,
    EV_LEADER_GAINED,
    EV_ORDER_SET,
    EV_PAID,
    EV_PAWS_DISCARDED,
    EV_PICKED,
    EV_PLACED,
    EV_PROJECTS_GIVEN,
    EV_REALISED,
    EV_RECALLED,
    EV_REPEATED,
    EV_RESTED,
    EV_SCORED,
    EV_SCOUT_DISCARDED,
    EV_SCOUT_PLACED,
    EV_SCOUTED,
    EV_SET_DEALT,
    EV_SETTLED,
    EV_SHUFFLED,
    EV_SHUFFLED_SCOUTING,
    EV_STEP_DONE,
    EV_STUDIED,
    EV_TRIMESTER_BEGAN,
    EV_TURN_BEGAN,
    EV_WON,
    EV_YEAR_ENDED,
    EXPERT,
    FINALS_DRAWN_MAX,
    GOLDEN,
    HAND_MAX,
    IN_BOX,
    IN_PLAY,
    KEPT,
    LAST_TURNS,
    LONG_FINALS,
    LOOKED_MAX,
    MASK64,
    NO_ELEMENT,
    NONE,
    OP_BANISH,
    OP_GAIN,
    OP_NONE,
    OP_RECALL,
    OP_REPEAT,
    OP_SCOUT,
    OP_STUDY,
    OWN_MAX,
    PAIR_BONUS,
    PASSED_LEFT,
    PAW_BOTTOM,
    PAW_TOP,
    PHASE_ACTIVATE,
    PHASE_BONUS,
    PHASE_DRAFT,
    PHASE_DROP,
    PHASE_FINAL,
    PHASE_GOAL,
    PHASE_OVER,
    PHASE_PLAN,
    PHASE_REALISE,
    PHASE_SELECT,
    PHASE_SETTLE,
    PHASE_SETTLE_DRAFT,
    PHASE_SPEND,
    PHASE_STUDY,
    PICK_SLOT,
    PICKS_MAX,
    PROJECT_FIRST,
    PROJECTS_MAX,
    RATE,
    REALISED_PER_TURN,
    ROW_MARK,
    SCOUTED,
    SEATS_MAX,
    SETS,
    SETTLED,
    SHARED_MAX,
    SHORT_FINALS,
    SPACES,
    STEPS_LONG,
    STEPS_SHORT,
    USED_MAX,
    WORDS,
)
from fabletop.games.fairy_school.notation import ACTION_TEXTS

COMPILED = not __file__.endswith(".py")
if not COMPILED:  # compiled it is C, in splitmix.pxd
    globals().update(scramble=chance.scramble)

# ---- the cards as tables: one row per line of a card (card * 2 + line); compiled, they are C arrays

OP = list(card_tables.OP)
COST = list(card_tables.COST)
TIMES = list(card_tables.TIMES)
N_GAINS = list(card_tables.N_GAINS)
GAINS = list(card_tables.GAINS)
COUNT = list(card_tables.COUNT)
BONUS = list(card_tables.BONUS)
EXCHANGE = list(card_tables.EXCHANGE)
CREATURE = list(card_tables.CREATURE)
PRICE = list(card_tables.PRICE)
STEP_PRICE = list(card_tables.STEP_PRICE)
SET_CARD = list(card_tables.SET_CARD)
SET_PLACE = list(card_tables.SET_PLACE)
SET_PROJECT = list(card_tables.SET_PROJECT)


class State:
    """Everything true about one year at the school. `words` start the streams of chance; without them it is blank."""

    def __init__(
        self, seats: int, setup: int, short: int, wider: int, words: Sequence[int] | None = None
    ) -> None:
        self.seats = seats
        self.setup = setup
        self.short = short
        self.wider = wider
        self.listening = 0
        self.n_ears = 0
        self.rows: list[tuple[int, ...]] = []
        self.stage = 0
        self.together = False
        self.learned = 0
        self.phase = PHASE_OVER
        self.trimester = 0
        self.last = 3 if short else 4
        self.turn = 0
        self.year_turn = 0
        self.waiting = 0
        self.draft_round = 0
        self.ended = 0
        self.n_common = 0
        self.n_finals = 0
        self.n_order = 0
        self.at_order = 0
        self.n_opts = 0
        self.shuffles = 0
        self.decisions = 0
        self.answers = 0
        self.words = list([0] * WORDS)
        self.elements = list([0] * (SEATS_MAX * ELEMENTS))
        self.cubes = list([0] * SEATS_MAX)
        self.kindness = list([0] * (SEATS_MAX * SEATS_MAX))
        self.studied = list([0] * SEATS_MAX)
        self.forest = list([NONE] * (SEATS_MAX * SPACES))
        self.n_pile = list([0] * SEATS_MAX)
        self.n_bag = list([0] * SEATS_MAX)
        self.pile = list([0] * (SEATS_MAX * OWN_MAX))
        self.n_discard = list([0] * SEATS_MAX)
        self.discard = list([0] * (SEATS_MAX * OWN_MAX))
        self.n_personal = list([0] * SEATS_MAX)
        self.personal = list([0] * (SEATS_MAX * OWN_MAX))
        self.n_shared = list([0] * SEATS_MAX)
        self.shared = list([0] * (SEATS_MAX * SHARED_MAX))
        self.n_projects = list([0] * SEATS_MAX)
        self.projects = list([0] * (SEATS_MAX * PROJECTS_MAX))
        self.n_hand = list([0] * SEATS_MAX)
        self.hand = list([0] * (SEATS_MAX * HAND_MAX))
        self.n_gone = list([0] * SEATS_MAX)
        self.gone = list([0] * (SEATS_MAX * OWN_MAX))
        self.steps = list([0] * SEATS_MAX)
        self.final = list([NONE] * SEATS_MAX)
        self.set_of = list([SETS] * SEATS_MAX)
        self.was_elements = list([0] * (SEATS_MAX * ELEMENTS))
        self.was_cubes = list([0] * SEATS_MAX)
        self.was_studied = list([0] * SEATS_MAX)
        self.was_forest = list([NONE] * (SEATS_MAX * SPACES))
        self.was_n_pile = list([0] * SEATS_MAX)
        self.was_n_bag = list([0] * SEATS_MAX)
        self.was_pile = list([0] * (SEATS_MAX * OWN_MAX))
        self.was_n_discard = list([0] * SEATS_MAX)
        self.was_discard = list([0] * (SEATS_MAX * OWN_MAX))
        self.was_n_personal = list([0] * SEATS_MAX)
        self.was_personal = list([0] * (SEATS_MAX * OWN_MAX))
        self.was_n_shared = list([0] * SEATS_MAX)
        self.was_shared = list([0] * (SEATS_MAX * SHARED_MAX))
        self.was_n_projects = list([0] * SEATS_MAX)
        self.was_projects = list([0] * (SEATS_MAX * PROJECTS_MAX))
        self.was_n_hand = list([0] * SEATS_MAX)
        self.was_hand = list([0] * (SEATS_MAX * HAND_MAX))
        self.was_n_gone = list([0] * SEATS_MAX)
        self.was_steps = list([0] * SEATS_MAX)
        self.n_sure = list([0] * SEATS_MAX)
        self.n_picks = list([0] * SEATS_MAX)
        self.picks = list([0] * (SEATS_MAX * PICKS_MAX))
        self.n_used = list([0] * SEATS_MAX)
        self.used = list([0] * (SEATS_MAX * USED_MAX))
        self.used_cubes = list([0] * (SEATS_MAX * USED_MAX))
        self.n_looked = list([0] * SEATS_MAX)
        self.looked = list([0] * (SEATS_MAX * LOOKED_MAX))
        self.q = list([0] * SEATS_MAX)
        self.card = list([NONE] * SEATS_MAX)
        self.line = list([0] * SEATS_MAX)
        self.left = list([0] * SEATS_MAX)
        self.again = list([0] * SEATS_MAX)
        self.after = list([0] * SEATS_MAX)
        self.back = list([0] * SEATS_MAX)
        self.making = list([NO_ELEMENT] * SEATS_MAX)
        self.spent = list([0] * SEATS_MAX)
        self.taken = list([0] * SEATS_MAX)
        self.columns = list([0] * SEATS_MAX)
        self.owed = list([0] * (SEATS_MAX * ELEMENTS))
        self.given = list([0] * (SEATS_MAX * ELEMENTS))
        self.common = list([0] * COMMON_MAX)
        self.away = list([IN_BOX] * CARDS)
        self.finals = list([0] * FINALS_DRAWN_MAX)
        self.order = list([0] * SEATS_MAX)
        self.opts = list([0] * ACTIONS)
        self.deck = list([0] * CARDS)
        self.slots = list([0] * CARDS)
        self.ears = list([0] * EARS)
        if words is not None:
            for stream in range(seats + 1):
                self.words[stream] = words[stream] & MASK64
            self.listening = 1
            self.begin_year()
            self.drain()
            self.listening = 0

    def clone(self) -> State:
        """An independent copy; events noted so far stay with the original."""
        g = State.__new__(State)
        # Scratch space: filled anew whenever it is used.
        if not COMPILED:
            g.opts = self.opts[:]
            g.deck = self.deck[:]
            g.slots = self.slots[:]
            g.ears = self.ears[:]
        g.rows = []
        g.become(self)
        return g

    def become(self, other: State) -> None:
        """Copy another state of the same game into this one: what `clone` does, without making an object."""
        self.seats = other.seats
        self.setup = other.setup
        self.short = other.short
        self.wider = other.wider
        self.listening = 0
        self.n_ears = 0
        self.stage = other.stage
        self.together = other.together
        self.learned = other.learned
        self.phase = other.phase
        self.trimester = other.trimester
        self.last = other.last
        self.turn = other.turn
        self.year_turn = other.year_turn
        self.waiting = other.waiting
        self.draft_round = other.draft_round
        self.ended = other.ended
        self.n_common = other.n_common
        self.n_finals = other.n_finals
        self.n_order = other.n_order
        self.at_order = other.at_order
        self.n_opts = 0
        self.shuffles = 0
        self.decisions = 0
        self.answers = 0
        self.words = other.words[:]
        self.elements = other.elements[:]
        self.cubes = other.cubes[:]
        self.kindness = other.kindness[:]
        self.studied = other.studied[:]
        self.forest = other.forest[:]
        self.n_pile = other.n_pile[:]
        self.n_bag = other.n_bag[:]
        self.pile = other.pile[:]
        self.n_discard = other.n_discard[:]
        self.discard = other.discard[:]
        self.n_personal = other.n_personal[:]
        self.personal = other.personal[:]
        self.n_shared = other.n_shared[:]
        self.shared = other.shared[:]
        self.n_projects = other.n_projects[:]
        self.projects = other.projects[:]
        self.n_hand = other.n_hand[:]
        self.hand = other.hand[:]
        self.n_gone = other.n_gone[:]
        self.gone = other.gone[:]
        self.steps = other.steps[:]
        self.final = other.final[:]
        self.set_of = other.set_of[:]
        self.was_elements = other.was_elements[:]
        self.was_cubes = other.was_cubes[:]
        self.was_studied = other.was_studied[:]
        self.was_forest = other.was_forest[:]
        self.was_n_pile = other.was_n_pile[:]
        self.was_n_bag = other.was_n_bag[:]
        self.was_pile = other.was_pile[:]
        self.was_n_discard = other.was_n_discard[:]
        self.was_discard = other.was_discard[:]
        self.was_n_personal = other.was_n_personal[:]
        self.was_personal = other.was_personal[:]
        self.was_n_shared = other.was_n_shared[:]
        self.was_shared = other.was_shared[:]
        self.was_n_projects = other.was_n_projects[:]
        self.was_projects = other.was_projects[:]
        self.was_n_hand = other.was_n_hand[:]
        self.was_hand = other.was_hand[:]
        self.was_n_gone = other.was_n_gone[:]
        self.was_steps = other.was_steps[:]
        self.n_sure = other.n_sure[:]
        self.n_picks = other.n_picks[:]
        self.picks = other.picks[:]
        self.n_used = other.n_used[:]
        self.used = other.used[:]
        self.used_cubes = other.used_cubes[:]
        self.n_looked = other.n_looked[:]
        self.looked = other.looked[:]
        self.q = other.q[:]
        self.card = other.card[:]
        self.line = other.line[:]
        self.left = other.left[:]
        self.again = other.again[:]
        self.after = other.after[:]
        self.back = other.back[:]
        self.making = other.making[:]
        self.spent = other.spent[:]
        self.taken = other.taken[:]
        self.columns = other.columns[:]
        self.owed = other.owed[:]
        self.given = other.given[:]
        self.common = other.common[:]
        self.away = other.away[:]
        self.finals = other.finals[:]
        self.order = other.order[:]

    # ------------------------------------------------------------------------------------ chance and events

    def below(self, stream: int, n: int) -> int:
        """A number from 0 to n - 1 from one of the streams (SplitMix64, as `fabletop.core.chance`)."""
        return ((self.word(stream) >> 32) * n) >> 32

    def word(self, stream: int) -> int:
        """The next 64 bits of a stream."""
        z = (self.words[stream] + GOLDEN) & MASK64
        self.words[stream] = z
        return scramble(z)  # type: ignore[name-defined,no-any-return]  # noqa: F821

    def say(self, kind: int, a: int, b: int, c: int, d: int) -> None:
        """Note an event with up to four values (-1: no value); free when nobody listens."""
        if self.listening:
            self.add(ROW_MARK)
            self.add(kind)
            if a >= 0:
                self.add(a)
            if b >= 0:
                self.add(b)
            if c >= 0:
                self.add(c)
            if d >= 0:
                self.add(d)

    def add(self, value: int) -> None:
        """One more value for the event just noted."""
        if self.listening and self.n_ears < EARS:
            self.ears[self.n_ears] = value
            self.n_ears += 1

    def add_amounts(self, e: int, v: int, f: int, w: int, a: int) -> None:
        self.add(e)
        self.add(v)
        self.add(f)
        self.add(w)
        self.add(a)

    # ------------------------------------------------------------------------------------ stages

    def enter(self, phase: int, together: int) -> None:
        """F-3.2: a stage begins; nobody is asked yet, and what is so now is what the others see until it closes."""
        self.phase = phase
        self.together = together != 0
        self.stage += 1
        self.waiting = 0
        self.learned = (1 << (self.seats + 1)) - 1
        for s in range(self.seats):
            self.q[s] = ASK_NOTHING
        self.snapshot()

    def snapshot(self) -> None:
        """Everything a seat can change in a stage, as the stage begins."""
        self.was_elements = self.elements[:]
        self.was_cubes = self.cubes[:]
        self.was_studied = self.studied[:]
        self.was_forest = self.forest[:]
        self.was_n_pile = self.n_pile[:]
        self.was_n_bag = self.n_bag[:]
        self.was_pile = self.pile[:]
        self.was_n_discard = self.n_discard[:]
        self.was_discard = self.discard[:]
        self.was_n_personal = self.n_personal[:]
        self.was_personal = self.personal[:]
        self.was_n_shared = self.n_shared[:]
        self.was_shared = self.shared[:]
        self.was_n_projects = self.n_projects[:]
        self.was_projects = self.projects[:]
        self.was_n_hand = self.n_hand[:]
        self.was_hand = self.hand[:]
        self.was_n_gone = self.n_gone[:]
        self.was_steps = self.steps[:]

    def restore(self, s: int) -> None:
        """Put a seat back to where it stood when the stage began, before its first answer."""
        i = s * ELEMENTS
        for k in range(i, i + ELEMENTS):
            self.elements[k] = self.was_elements[k]
            self.owed[k] = 0
            self.given[k] = 0
        self.cubes[s] = self.was_cubes[s]
        self.studied[s] = self.was_studied[s]
        for k in range(s * SPACES, s * SPACES + SPACES):
            self.forest[k] = self.was_forest[k]
        self.n_pile[s] = self.was_n_pile[s]
        self.n_bag[s] = self.was_n_bag[s]
        self.n_discard[s] = self.was_n_discard[s]
        self.n_personal[s] = self.was_n_personal[s]
        for k in range(s * OWN_MAX, s * OWN_MAX + OWN_MAX):
            self.pile[k] = self.was_pile[k]
            self.discard[k] = self.was_discard[k]
            self.personal[k] = self.was_personal[k]
        self.n_shared[s] = self.was_n_shared[s]
        for k in range(s * SHARED_MAX, s * SHARED_MAX + SHARED_MAX):
            self.shared[k] = self.was_shared[k]
        self.n_projects[s] = self.was_n_projects[s]
        for k in range(s * PROJECTS_MAX, s * PROJECTS_MAX + PROJECTS_MAX):
            self.projects[k] = self.was_projects[k]
        self.n_hand[s] = self.was_n_hand[s]
        for k in range(s * HAND_MAX, s * HAND_MAX + HAND_MAX):
            self.hand[k] = self.was_hand[k]
        self.n_gone[s] = self.was_n_gone[s]
        self.steps[s] = self.was_steps[s]
        self.n_used[s] = 0
        self.n_looked[s] = 0
        self.forget(s)

    def forget(self, s: int) -> None:
        """Clear the registers of a seat's flow."""
        self.q[s] = ASK_NOTHING
        self.card[s] = NONE
        self.line[s] = 0
        self.left[s] = 0
        self.again[s] = 0
        self.after[s] = 0
        self.back[s] = 0
        self.making[s] = NO_ELEMENT
        self.spent[s] = 0
        self.taken[s] = 0
        self.columns[s] = 0

    def open_seat(self, s: int) -> None:
        """Put the first question of the stage to a seat, unless public facts leave it nothing to decide."""
        self.forget(s)
        phase = self.phase
        if phase == PHASE_DRAFT or phase == PHASE_SETTLE_DRAFT:
            self.q[s] = ASK_DRAFT
        elif phase == PHASE_SETTLE:
            if self.n_hand[s] > 0:
                self.q[s] = ASK_SETTLE
        elif phase == PHASE_DROP:
            if self.n_projects[s] > KEPT:
                self.q[s] = ASK_DROP
        elif phase == PHASE_PLAN:
            if self.n_hand[s] > 0:
                self.plan_next(s)
        elif phase == PHASE_SELECT:
            self.q[s] = ASK_SELECT
        elif phase == PHASE_ACTIVATE:
            self.q[s] = ASK_ACTIVATE
            self.offer_activate(s)
            if self.n_opts == 1:
                self.q[s] = ASK_NOTHING
        elif phase == PHASE_STUDY:
            self.q[s] = ASK_STUDY
            self.offer_study(s)
            if self.n_opts == 1:
                self.q[s] = ASK_NOTHING
        elif phase == PHASE_REALISE:
            self.q[s] = ASK_REALISE
            self.offer_realise(s)
            if self.n_opts == 1:
                self.q[s] = ASK_NOTHING
        elif phase == PHASE_BONUS:
            if self.leads(s):
                self.q[s] = ASK_BONUS
        elif phase == PHASE_SPEND and not self.completed(s):
            self.q[s] = ASK_SPEND
            self.offer_realise(s)
            if self.n_opts == 1:
                self.q[s] = ASK_NOTHING

    def open_stage(self) -> None:
        """Ask every seat that has something to decide; a stage that asks nobody closes at once."""
        for s in range(self.seats):
            self.open_seat(s)
            if self.q[s] != ASK_NOTHING:
                self.waiting += 1
        if self.waiting == 0:
            self.close_stage()

    def finish(self, s: int) -> None:
        """A seat has finished the stage; with the last of them it closes."""
        self.q[s] = ASK_NOTHING
        self.waiting -= 1
        if self.waiting == 0:
            self.close_stage()

    def close_stage(self) -> None:
        """F-3.2: all have finished; what they did becomes public, and the next phase starts."""
        self.say(EV_CLOSED, -1, -1, -1, -1)
        phase = self.phase
        if phase == PHASE_DRAFT or phase == PHASE_SETTLE_DRAFT:
            self.close_draft()
        elif phase == PHASE_SETTLE:
            self.close_settle()
        elif phase == PHASE_DROP:
            self.close_drop()
        elif phase == PHASE_PLAN:
            self.begin_select()
        elif phase == PHASE_SELECT:
            self.begin_activate()
        elif phase == PHASE_ACTIVATE:
            self.rest()
        elif phase == PHASE_STUDY:
            self.close_study()
        elif phase == PHASE_REALISE:
            self.close_realise()
        elif phase == PHASE_BONUS:
            self.close_bonus()
        elif phase == PHASE_SPEND:
            self.end_year()

    # ------------------------------------------------------------------------------------ piles and lists

    def draw_card(self, s: int) -> int:
        """F-3.3: the top card; an empty pile takes the shuffled discard first; NONE if both are empty.

        Realised projects lie on top in a known order; the rest is a bag from which a card is drawn at random.
        """
        base = s * OWN_MAX
        n = self.n_pile[s]
        if n == 0:
            n = self.n_discard[s]
            if n == 0:
                return NONE
            for i in range(base, base + n):
                self.pile[i] = self.discard[i]
            self.n_discard[s] = 0
            self.n_bag[s] = n
            self.shuffles += 1
        n -= 1
        self.n_pile[s] = n
        if n >= self.n_bag[s]:
            return self.pile[base + n]
        i = base + self.below(s, n + 1)
        card = self.pile[i]
        self.pile[i] = self.pile[base + n]
        self.n_bag[s] = n
        return card

    def to_discard(self, s: int, card: int) -> None:
        n = self.n_discard[s]
        self.discard[s * OWN_MAX + n] = card
        self.n_discard[s] = n + 1

    def to_personal(self, s: int, card: int) -> None:
        n = self.n_personal[s]
        self.personal[s * OWN_MAX + n] = card
        self.n_personal[s] = n + 1

    def to_hand(self, s: int, card: int) -> None:
        n = self.n_hand[s]
        self.hand[s * HAND_MAX + n] = card
        self.n_hand[s] = n + 1

    def from_hand(self, s: int, card: int) -> None:
        """Take a card out of the hand; the others keep their order."""
        base = s * HAND_MAX
        n = self.n_hand[s] - 1
        i = base
        while self.hand[i] != card:
            i += 1
        while i < base + n:
            self.hand[i] = self.hand[i + 1]
            i += 1
        self.n_hand[s] = n

    def to_projects(self, s: int, card: int) -> None:
        n = self.n_projects[s]
        self.projects[s * PROJECTS_MAX + n] = card
        self.n_projects[s] = n + 1

    def from_projects(self, s: int, card: int) -> None:
        base = s * PROJECTS_MAX
        n = self.n_projects[s] - 1
        i = base
        while self.projects[i] != card:
            i += 1
        while i < base + n:
            self.projects[i] = self.projects[i + 1]
            i += 1
        self.n_projects[s] = n

    def to_common(self, card: int) -> None:
        self.common[self.n_common] = card
        self.n_common += 1

    def gather(self, which: int) -> int:
        """Lay out the cards of a deck (0: S, 1 to 3: the trimester's projects) that are still in the box."""
        n = 0
        for card in range(DECK_FIRST[which], DECK_END[which]):
            if self.away[card] == IN_BOX:
                self.deck[n] = card
                n += 1
        return n

    def lot(self, stream: int, n: int) -> int:
        """Draw one of the first n cards laid out; the last takes its place."""
        i = self.below(stream, n)
        card = self.deck[i]
        self.deck[i] = self.deck[n - 1]
        self.away[card] = IN_PLAY
        return card

    # ------------------------------------------------------------------------------------ F-1.3, F-6.9 payment

    def can_pay(self, s: int, e: int, v: int, f: int, w: int, a: int, more: int) -> int:
        """F-1.3: whether the seat can pay this, by whatever conversions, and `more` elements of any kind besides.

        Exact: what is spare is worth one element each to any conversion; a spare air makes any other element alone,
        so it goes to plant and fire first, which cost four, then to earth and water, which cost three. Spare air
        and missing air exclude each other, and no detour over a third element is ever cheaper.
        """
        i = s * ELEMENTS
        e = self.elements[i] - e
        v = self.elements[i + 1] - v
        f = self.elements[i + 2] - f
        w = self.elements[i + 3] - w
        a = self.elements[i + 4] - a
        if more == 0 and e >= 0 and v >= 0 and f >= 0 and w >= 0 and a >= 0:
            return 1
        spare = 0
        cheap = 0
        dear = 0
        if e < 0:
            cheap -= e
        else:
            spare += e
        if w < 0:
            cheap -= w
        else:
            spare += w
        if v < 0:
            dear -= v
        else:
            spare += v
        if f < 0:
            dear -= f
        else:
            spare += f
        if a < 0:
            more -= 6 * a
        elif a >= dear:
            a -= dear
            dear = 0
            cheap = 0 if a >= cheap else cheap - a
        else:
            dear -= a
        return 1 if more + 4 * dear + 3 * cheap <= spare else 0

    def can_pay_line(self, s: int, row: int) -> int:
        i = row * ELEMENTS
        return self.can_pay(s, COST[i], COST[i + 1], COST[i + 2], COST[i + 3], COST[i + 4], 0)

    def can_pay_times(self, s: int, row: int, k: int) -> int:
        i = row * ELEMENTS
        return self.can_pay(
            s, k * COST[i], k * COST[i + 1], k * COST[i + 2], k * COST[i + 3], k * COST[i + 4], 0
        )

    def owe(self, s: int, e: int, v: int, f: int, w: int, a: int, after: int) -> None:
        """Something is to be paid; `after` says what follows when it is."""
        i = s * ELEMENTS
        self.owed[i] = e
        self.owed[i + 1] = v
        self.owed[i + 2] = f
        self.owed[i + 3] = w
        self.owed[i + 4] = a
        self.after[s] = after
        self.making[s] = NO_ELEMENT
        self.spent[s] = 0
        self.pay(s)

    def lacking(self, s: int) -> int:
        """The first element of which more is owed than there is; NO_ELEMENT if all can be paid at once."""
        i = s * ELEMENTS
        for k in range(ELEMENTS):
            if self.elements[i + k] < self.owed[i + k]:
                return k
        return NO_ELEMENT

    def pay(self, s: int) -> None:
        """F-6.9: pay what is owed; what is missing is made by conversions that the seat names, one element at a time.

        The first element of each conversion is always asked for, even where only one will do: nothing is converted
        unasked. Further ones without an alternative follow by themselves.
        """
        while True:
            if self.making[s] == NO_ELEMENT:
                missing = self.lacking(s)
                if missing == NO_ELEMENT:
                    break
                self.making[s] = missing
                self.spent[s] = 0
            self.offer_pay(s)
            if self.spent[s] == 0 or self.n_opts > 1:
                self.q[s] = ASK_PAY
                return
            self.spend(s, self.opts[0] - DO_SPEND)
        i = s * ELEMENTS
        sum_owed = 0
        for k in range(i, i + ELEMENTS):
            sum_owed += self.owed[k]
            self.elements[k] -= self.owed[k]
        if sum_owed:
            self.say(EV_PAID, s, -1, -1, -1)
            self.add_amounts(
                self.owed[i], self.owed[i + 1], self.owed[i + 2], self.owed[i + 3], self.owed[i + 4]
            )
        for k in range(i, i + ELEMENTS):
            self.owed[k] = 0
        self.paid(s)

    def offer_pay(self, s: int) -> None:
        """What may be spent next to make the missing element: nothing that is itself owed, and it must work out."""
        i = s * ELEMENTS
        missing = self.making[s]
        self.n_opts = 0
        rest = RATE[missing] - self.spent[s] - 1
        for k in range(AIR):
            if self.elements[i + k] > self.owed[i + k]:
                self.elements[i + k] -= 1
                if self.works_out(s, missing, rest):
                    self.offer(DO_SPEND + k)
                self.elements[i + k] += 1
        if self.spent[s] == 0 and missing != AIR and self.elements[i + AIR] > self.owed[i + AIR]:
            self.elements[i + AIR] -= 1
            if self.works_out(s, missing, 0):
                self.offer(DO_SPEND + AIR)
            self.elements[i + AIR] += 1

    def works_out(self, s: int, made: int, more: int) -> int:
        """Whether all that is owed can still be paid, one `made` element being on its way for `more` elements.

        A Repeat that is no exchange must also leave enough for a card to be repeated (F-5.3).
        """
        i = s * ELEMENTS
        e = self.owed[i] - (1 if made == 0 else 0)
        v = self.owed[i + 1] - (1 if made == 1 else 0)
        f = self.owed[i + 2] - (1 if made == 2 else 0)
        w = self.owed[i + 3] - (1 if made == 3 else 0)
        a = self.owed[i + 4] - (1 if made == 4 else 0)
        if self.after[s] == ASK_LINE:
            row = self.card[s] * 2 + self.line[s]
            if OP[row] == OP_REPEAT and not EXCHANGE[row]:
                return self.can_repeat(s, self.card[s], e, v, f, w, a, more)
        return self.can_pay(s, e, v, f, w, a, more)

    def spend(self, s: int, element: int) -> None:
        """F-1.3: one element goes into the conversion under way; air alone makes any other element."""
        i = s * ELEMENTS
        made = self.making[s]
        joker = element == AIR and made != AIR and self.spent[s] == 0
        self.elements[i + element] -= 1
        self.given[i + element] += 1
        self.spent[s] += 1
        if joker or self.spent[s] == RATE[made]:
            self.elements[i + made] += 1
            self.say(EV_CONVERTED, s, made, -1, -1)
            self.add_amounts(
                self.given[i], self.given[i + 1], self.given[i + 2], self.given[i + 3], self.given[i + 4]
            )
            for k in range(i, i + ELEMENTS):
                self.given[k] = 0
            self.making[s] = NO_ELEMENT
            self.spent[s] = 0

    def paid(self, s: int) -> None:
        """Go on with what was paid for."""
        after = self.after[s]
        self.after[s] = ASK_NOTHING
        if after == ASK_SELECT:
            self.play_column(s)
        elif after == ASK_LINE:
            self.carry_out(s)
        elif after == ASK_FINAL:
            self.complete_step(s)
        else:
            self.realise(s)

    def total(self, s: int) -> int:
        """How many elements the seat has; air counts one."""
        i = s * ELEMENTS
        return (
            self.elements[i]
            + self.elements[i + 1]
            + self.elements[i + 2]
            + self.elements[i + 3]
            + self.elements[i + 4]
        )

    def offer_conversion(self, s: int) -> None:
        """F-6.9: a conversion of one's own accord, wherever a seat has something to decide."""
        if self.elements[s * ELEMENTS + AIR] > 0 or self.total(s) >= RATE[0]:
            self.offer(DO_CONVERT)

    def offer_convert(self, s: int) -> None:
        """F-1.3: what can be made."""
        self.n_opts = 0
        total = self.total(s)
        air = self.elements[s * ELEMENTS + AIR]
        for k in range(ELEMENTS):
            if total >= RATE[k] or (air > 0 and k != AIR):
                self.offer(DO_MAKE + k)
        self.offer(DO_CANCEL)

    def offer_convert_with(self, s: int) -> None:
        """F-1.3: what goes into it, one element at a time; air first makes any other element alone."""
        self.n_opts = 0
        i = s * ELEMENTS
        made = self.making[s]
        spent = self.spent[s]
        enough = self.total(s) + spent >= RATE[made]
        for k in range(ELEMENTS):
            if self.elements[i + k] > 0 and (enough or (k == AIR and made != AIR and spent == 0)):
                self.offer(DO_SPEND + k)
        if spent == 0:
            self.offer(DO_CANCEL)

    def convert_with(self, s: int, element: int) -> None:
        """F-1.3: spend, and go on by oneself where there is only one kind left."""
        self.spend(s, element)
        while self.making[s] != NO_ELEMENT:
            self.offer_convert_with(s)
            if self.n_opts > 1:
                return
            self.spend(s, self.opts[0] - DO_SPEND)
        self.q[s] = self.back[s]
        self.back[s] = ASK_NOTHING

    # ------------------------------------------------------------------------------------ F-2 set-up

    def begin_year(self) -> None:
        """F-2.1: start decks, cubes, elements, S cards; then the first trimester."""
        for s in range(self.seats):
            for k in range(AIR):
                self.elements[s * ELEMENTS + k] = 1
            self.cubes[s] = CUBES_SHORT if self.short else CUBES_FULL
            for k in range(12):
                self.pile[s * OWN_MAX + k] = 12 * s + k
                self.away[12 * s + k] = IN_PLAY
            self.n_pile[s] = 12
            self.n_bag[s] = 12
        if self.setup == EXPERT:
            self.deal_draft(0, DRAFT_SIZE_OF_TWO if self.seats == 2 else DRAFT_SIZE)
            self.open_stage()
        else:
            self.deal_sets()

    def deal_sets(self) -> None:
        """F-2.2, F-1.10: predefined sets by lot; F-2.4: the sixth player's four; F-2.6: two players' fifth card."""
        n = SETS if self.seats <= SETS else SEATS_MAX
        for k in range(n):
            self.slots[k] = k
        for s in range(self.seats):
            i = self.below(self.seats, n - s)
            letter = self.slots[i]
            self.slots[i] = self.slots[n - s - 1]
            self.set_of[s] = letter
            self.say(EV_SET_DEALT, s, letter, -1, -1)
            if letter < SETS:
                for k in range(letter * 4, letter * 4 + 4):
                    self.away[SET_CARD[k]] = IN_PLAY
                    if SET_PLACE[k] > 0:
                        self.forest[s * SPACES + SET_PLACE[k] - 1] = SET_CARD[k]
                    else:
                        self.to_discard(s, SET_CARD[k])
        if self.seats == 2:
            for s in range(self.seats):
                n = self.gather(0)
                card = self.lot(self.seats, n)
                self.to_discard(s, card)
                self.say(EV_DISCARDED, s, card, -1, -1)
        if self.seats > SETS:
            for s in range(self.seats):
                if self.set_of[s] == SETS:
                    for _ in range(DRAFT_SIZE):
                        n = self.gather(0)
                        self.to_hand(s, self.lot(self.seats, n))
                    self.say_hand(s)
            self.begin_settle()
        else:
            self.begin_trimester()

    def say_hand(self, s: int) -> None:
        self.say(EV_HAND_GOT, s, -1, -1, -1)
        for i in range(self.n_hand[s]):
            self.add(self.hand[s * HAND_MAX + i])

    def begin_settle(self) -> None:
        """F-2.5: two of the S cards in hand go into the top row, the others into the discard."""
        self.enter(PHASE_SETTLE, 1)
        self.open_stage()

    def offer_settle(self, s: int) -> None:
        self.n_opts = 0
        if self.taken[s] < SETTLED:
            for i in range(self.n_hand[s]):
                self.offer(DO_CARD + self.hand[s * HAND_MAX + i])
        else:
            self.offer(DO_DONE)

    def offer_settle_space(self, s: int) -> None:
        self.n_opts = 0
        for space in range(COLUMNS):
            if self.forest[s * SPACES + space] == NONE:
                self.offer(DO_SPACE + space)

    def settle(self, s: int, space: int) -> None:
        """F-2.5: on any space of the top row."""
        card = self.card[s]
        self.forest[s * SPACES + space] = card
        self.from_hand(s, card)
        self.card[s] = NONE
        self.taken[s] += 1
        self.say(EV_SETTLED, s, card, space, -1)
        self.q[s] = ASK_SETTLE

    def close_settle(self) -> None:
        """F-2.2: what was not laid into the forest begins in the discard."""
        for s in range(self.seats):
            if self.n_hand[s] > 0:
                self.say(EV_DISCARDED, s, -1, -1, -1)
                for i in range(self.n_hand[s]):
                    self.to_discard(s, self.hand[s * HAND_MAX + i])
                    self.add(self.hand[s * HAND_MAX + i])
                self.n_hand[s] = 0
            self.n_picks[s] = 0
        self.begin_trimester()

    # ------------------------------------------------------------------------------------ F-3 the year

    def begin_trimester(self) -> None:
        """F-3.1, F-4.1: the next trimester begins with its projects; F-2.3: those of the beginners are given."""
        self.trimester += 1
        self.turn = 0
        self.say(EV_TRIMESTER_BEGAN, self.named_trimester(), -1, -1, -1)
        if self.trimester == self.last:
            self.begin_finals()
        elif self.trimester == 1 and self.setup == BEGINNERS:
            for s in range(self.seats):
                self.say(EV_PROJECTS_GIVEN, s, -1, -1, -1)
                for k in range(self.set_of[s] * KEPT, self.set_of[s] * KEPT + KEPT):
                    self.to_projects(s, SET_PROJECT[k])
                    self.add(SET_PROJECT[k])
                    self.away[SET_PROJECT[k]] = IN_PLAY
            n = self.gather(1)
            self.say(EV_COMMON_GOT, -1, -1, -1, -1)
            for s in range(self.seats):
                card = self.lot(self.seats, n - s)
                self.to_common(card)
                self.add(card)
            self.begin_turn()
        else:
            self.deal_draft(self.trimester, DRAFT_SIZE)
            self.open_stage()

    def named_trimester(self) -> int:
        """The trimester as people are told: 1 to 3, and 0 for the last one, which is another in the short game."""
        return 0 if self.trimester == self.last else self.trimester

    def turns(self) -> int:
        """F-3.1: three turns, four with two players (F-2.6); the last trimester has twelve at the most."""
        if self.trimester == self.last:
            return LAST_TURNS
        return 4 if self.seats == 2 else 3

    # ------------------------------------------------------------------------------------ F-4 choosing projects

    def deal_draft(self, which: int, size: int) -> None:
        """F-4.1, F-2.5: a hand of cards for everyone; draft one at a time."""
        n = self.gather(which)
        for s in range(self.seats):
            self.n_hand[s] = 0
            self.n_picks[s] = 0
            for _ in range(size):
                self.to_hand(s, self.lot(self.seats, n))
                n -= 1
            self.say_hand(s)
        self.draft_round = 0
        self.enter(PHASE_DRAFT if which else PHASE_SETTLE_DRAFT, 1)

    def passing(self) -> int:
        """F-4.1: how many seats on a hand is passed: right in I and III, left in II; F-2.5: S cards left."""
        return 1 if PASSED_LEFT[self.trimester] else self.seats - 1

    def offer_draft(self, s: int) -> None:
        self.n_opts = 0
        for i in range(self.n_hand[s]):
            self.offer(DO_CARD + self.hand[s * HAND_MAX + i])

    def to_picks(self, s: int, card: int) -> None:
        self.from_hand(s, card)
        self.picks[s * PICKS_MAX + self.n_picks[s]] = card
        self.n_picks[s] += 1

    def close_draft(self) -> None:
        """F-4.1: the picks are put aside and the rest is passed on; the last card is nobody's choice."""
        for s in range(self.seats):
            self.to_picks(s, self.card[s])
        self.draft_round += 1
        self.pass_hands()
        if self.n_hand[0] > 1:
            self.enter(self.phase, 1)
            self.open_stage()
            return
        for s in range(self.seats):
            self.say(EV_PICKED, s, self.hand[s * HAND_MAX], -1, -1)
            self.to_picks(s, self.hand[s * HAND_MAX])
        self.draft_round += 1
        if self.phase == PHASE_SETTLE_DRAFT:
            for s in range(self.seats):
                for i in range(self.n_picks[s]):
                    self.to_hand(s, self.picks[s * PICKS_MAX + i])
            self.begin_settle()
        else:
            self.begin_drop()

    def pass_hands(self) -> None:
        step = self.passing()
        n = self.n_hand[0]
        for s in range(self.seats):
            for i in range(n):
                self.slots[s * HAND_MAX + i] = self.hand[s * HAND_MAX + i]
        for s in range(self.seats):
            to = (s + step) % self.seats
            for i in range(n):
                self.hand[to * HAND_MAX + i] = self.slots[s * HAND_MAX + i]
        for s in range(self.seats):
            self.say_hand(s)

    def begin_drop(self) -> None:
        """F-4.2: of the drafted and the unfinished projects everyone keeps exactly three."""
        self.enter(PHASE_DROP, 1)
        for s in range(self.seats):
            self.merge_picks(s)
        self.open_stage()

    def merge_picks(self, s: int) -> None:
        for i in range(self.n_picks[s]):
            self.to_projects(s, self.picks[s * PICKS_MAX + i])

    def offer_drop(self, s: int) -> None:
        self.n_opts = 0
        if self.n_projects[s] > KEPT:
            for i in range(self.n_projects[s]):
                self.offer(DO_CARD + self.projects[s * PROJECTS_MAX + i])
        else:
            self.offer(DO_DONE)

    def close_drop(self) -> None:
        """F-4.2: what is not kept goes to the common discard; F-4.3: now all is public."""
        for s in range(self.seats):
            for i in range(self.n_hand[s]):
                self.to_common(self.hand[s * HAND_MAX + i])
            self.n_hand[s] = 0
            self.n_picks[s] = 0
            self.say(EV_KEPT, s, -1, -1, -1)
            for i in range(self.n_projects[s]):
                self.add(self.projects[s * PROJECTS_MAX + i])
        self.begin_turn()

    # ------------------------------------------------------------------------------------ F-5 a turn

    def begin_turn(self) -> None:
        """F-5.7: count the turn; then phase 0 for those without a project, but not in the last trimester."""
        self.turn += 1
        self.year_turn += 1
        self.say(EV_TURN_BEGAN, self.named_trimester(), self.turn, -1, -1)
        if self.trimester == self.last:
            self.begin_plan()
            return
        idle = 0
        for s in range(self.seats):
            if self.n_projects[s] == 0:
                idle |= 1 << s
        if idle == 0:
            self.begin_plan()
            return
        self.set_order(idle)
        self.enter(PHASE_GOAL, 0)
        self.next_goal()

    def set_order(self, who: int) -> None:
        """F-5.0: most kindness first, then fewest elements, then by lot; measured once."""
        self.n_order = 0
        self.at_order = 0
        while who:
            n = 0
            best = -1
            for s in range(self.seats):
                if who >> s & 1:
                    rank = self.kindness_of(s) * 4096 + 4095 - self.total(s)
                    if rank > best:
                        best = rank
                        n = 0
                    if rank == best:
                        self.slots[n] = s
                        n += 1
            s = self.slots[self.below(self.seats, n) if n > 1 else 0]
            self.order[self.n_order] = s
            self.n_order += 1
            who ^= 1 << s
        self.say(EV_ORDER_SET, -1, -1, -1, -1)
        for i in range(self.n_order):
            self.add(self.order[i])

    def kindness_of(self, s: int) -> int:
        """All cubes of others that this seat has received."""
        cubes = 0
        for t in range(self.seats):
            cubes += self.kindness[s * SEATS_MAX + t]
        return cubes

    def next_goal(self) -> None:
        """F-5.0: the next one in order takes a project of this trimester from the common discard, if there is one."""
        while self.at_order < self.n_order:
            s = self.order[self.at_order]
            self.forget(s)
            self.offer_goal(s)
            if self.n_opts > 1:
                self.q[s] = ASK_GOAL
                self.waiting = 1
                return
            if self.n_opts == 1:
                self.give_goal(s, self.opts[0])
            else:
                self.say(EV_GOAL_MISSING, s, -1, -1, -1)
                self.at_order += 1
        self.n_order = 0
        self.at_order = 0
        self.say(EV_CLOSED, -1, -1, -1, -1)
        self.begin_plan()

    def offer_goal(self, s: int) -> None:
        self.n_opts = 0
        for i in range(self.n_common):
            card = self.common[i]
            if DECK_FIRST[self.trimester] <= card < DECK_END[self.trimester]:
                self.offer(DO_CARD + card)

    def give_goal(self, s: int, card: int) -> None:
        i = 0
        while self.common[i] != card:
            i += 1
        self.n_common -= 1
        while i < self.n_common:
            self.common[i] = self.common[i + 1]
            i += 1
        self.to_projects(s, card)
        self.say(EV_GOAL_TAKEN, s, card, -1, -1)
        self.at_order += 1

    def begin_plan(self) -> None:
        """F-5.1: phase 1, draw as many cards as there are empty spaces; everyone from the own stream of chance."""
        for s in range(self.seats):
            empty = 0
            for i in range(s * SPACES, s * SPACES + SPACES):
                if self.forest[i] == NONE:
                    empty += 1
            before = self.n_pile[s]
            known = before - self.n_bag[s]
            self.shuffles = 0
            for _ in range(empty):
                card = self.draw_card(s)
                if card == NONE:
                    break
                self.to_hand(s, card)
            drawn = self.n_hand[s]
            # What everyone can tell: the known top cards, the whole of a pile that ran out, or all there is.
            if self.shuffles or drawn == before:
                self.n_sure[s] = before
            else:
                self.n_sure[s] = known if known < drawn else drawn
            if self.n_pile[s] == 0:
                self.n_sure[s] = drawn
            if self.shuffles:
                self.say(EV_SHUFFLED, s, -1, -1, -1)
            if drawn:
                self.say(EV_DREW, s, drawn, -1, -1)
                for i in range(drawn):
                    self.add(self.hand[s * HAND_MAX + i])
        self.enter(PHASE_PLAN, 1)
        self.open_stage()

    def plan_next(self, s: int) -> None:
        """The next card to place: a lone one needs no choosing, nor does a lone space for it."""
        if self.n_hand[s] != 1:
            self.q[s] = ASK_PLAN
            return
        self.card[s] = self.hand[s * HAND_MAX]
        self.plan_where(s)

    def plan_where(self, s: int) -> None:
        self.offer_plan_space(s)
        if self.n_opts == 1:
            self.place(s, self.opts[0] - DO_SPACE)
        else:
            self.q[s] = ASK_PLAN_SPACE

    def offer_plan(self, s: int) -> None:
        self.n_opts = 0
        for i in range(self.n_hand[s]):
            self.offer(DO_CARD + self.hand[s * HAND_MAX + i])
        if self.n_hand[s] == 0:
            self.offer(DO_DONE)

    def offer_plan_space(self, s: int) -> None:
        self.n_opts = 0
        for space in range(SPACES):
            if self.forest[s * SPACES + space] == NONE:
                self.offer(DO_SPACE + space)

    def place(self, s: int, space: int) -> None:
        """F-5.1: a drawn card on an empty space."""
        card = self.card[s]
        self.forest[s * SPACES + space] = card
        self.from_hand(s, card)
        self.card[s] = NONE
        self.say(EV_PLACED, s, card, space, -1)
        self.plan_next(s)

    def begin_select(self) -> None:
        """F-5.2: phase 2, choose one or two columns."""
        for s in range(self.seats):
            self.n_sure[s] = 0
        self.enter(PHASE_SELECT, 1)
        self.open_stage()

    def offer_select(self, s: int) -> None:
        self.n_opts = 0
        if self.taken[s] < 2:
            for column in range(COLUMNS):
                if self.columns[s] >> column & 1 == 0:
                    k = COLUMN_COST[column]
                    if k == NO_ELEMENT or self.elements[s * ELEMENTS + k] > 0:
                        self.offer(DO_COLUMN + column)
                    elif self.can_pay(
                        s,
                        1 if k == 0 else 0,
                        1 if k == 1 else 0,
                        1 if k == 2 else 0,
                        1 if k == 3 else 0,
                        0,
                        0,
                    ):
                        self.offer(DO_COLUMN + column)
        if self.taken[s] > 0:
            self.offer(DO_DONE)

    def select(self, s: int, column: int) -> None:
        """F-5.2: pay the cost of the column."""
        self.left[s] = column
        k = COLUMN_COST[column]
        self.owe(
            s,
            1 if k == 0 else 0,
            1 if k == 1 else 0,
            1 if k == 2 else 0,
            1 if k == 3 else 0,
            0,
            ASK_SELECT,
        )

    def play_column(self, s: int) -> None:
        """F-5.2: the top card goes to the shared zone, the bottom card to the personal one."""
        column = self.left[s]
        self.left[s] = 0
        self.columns[s] |= 1 << column
        self.taken[s] += 1
        self.say(EV_COLUMN_CHOSEN, s, column, -1, -1)
        top = s * SPACES + column
        if self.forest[top] != NONE:
            self.shared[s * SHARED_MAX + self.n_shared[s]] = self.forest[top]
            self.n_shared[s] += 1
            self.forest[top] = NONE
        bottom = top + COLUMNS
        if self.forest[bottom] != NONE:
            self.to_personal(s, self.forest[bottom])
            self.forest[bottom] = NONE
        self.q[s] = ASK_SELECT

    def begin_activate(self) -> None:
        """F-5.3: phase 3, activate cards."""
        self.enter(PHASE_ACTIVATE, 1)
        self.open_stage()

    def neighbours(self) -> int:
        """F-1.1: how many others' shared zones a seat can reach; two players have one neighbour."""
        return 1 if self.seats == 2 else 2

    def neighbour(self, s: int, k: int) -> int:
        """F-1.1, F-2.8: the k-th seat whose shared cards this seat may activate.

        Left and right; with the wider neighbourhood the two to the left on the odd turns of the year, whose cards
        lie one seat to the right, and the two to the right on the even ones.
        """
        if self.wider:
            if self.year_turn & 1:
                return (s + 1 + k) % self.seats
            return (s + self.seats - 1 - k) % self.seats
        return (s + (1 if k == 0 else self.seats - 1)) % self.seats

    def offer_activate(self, s: int) -> None:
        """F-5.3: every reachable card once, if a line of it can be paid and does something; or done."""
        self.n_opts = 0
        if self.cubes[s] > 0:
            for i in range(self.n_personal[s]):
                self.offer_card(s, self.personal[s * OWN_MAX + i])
            for i in range(self.n_shared[s]):
                self.offer_card(s, self.shared[s * SHARED_MAX + i])
            for k in range(self.neighbours()):
                t = self.neighbour(s, k)
                for i in range(self.n_shared[t]):
                    self.offer_card(s, self.shared[t * SHARED_MAX + i])
        self.offer(DO_DONE)

    def offer_card(self, s: int, card: int) -> None:
        if self.cubes_on(s, card) == 0 and (
            self.usable(s, card, 0, 0) or (OP[card * 2 + 1] != OP_NONE and self.usable(s, card, 1, 0))
        ):
            self.offer(DO_CARD + card)

    def cubes_on(self, s: int, card: int) -> int:
        """How many cubes of this seat lie on the card this turn."""
        base = s * USED_MAX
        for i in range(base, base + self.n_used[s]):
            if self.used[i] == card:
                return self.used_cubes[i]
        return 0

    def does_something(self, s: int, row: int) -> int:
        """F-5.3, F-6.7: whether a line, once paid, has something to do."""
        op = OP[row]
        if op == OP_GAIN:
            return 1
        if op == OP_NONE:
            return 0
        if EXCHANGE[row]:
            return 1
        if op == OP_RECALL:
            return 1 if self.n_discard[s] > 0 else 0
        if op == OP_SCOUT:
            return 1 if self.n_pile[s] + self.n_discard[s] > 0 else 0
        if op == OP_BANISH:
            for i in range(s * SPACES, s * SPACES + SPACES):
                if self.forest[i] != NONE:
                    return 1
            return 0
        if op == OP_STUDY:
            return 1 if self.studied[s] != (1 << CREATURES) - 1 else 0
        return 0

    def usable(self, s: int, card: int, line: int, again: int) -> int:
        """F-5.3: whether a line of a card can be paid and does something; F-6.3: never a Repeat by a Repeat."""
        row = card * 2 + line
        if OP[row] == OP_REPEAT:
            if again:
                return 0
            if not EXCHANGE[row]:
                i = row * ELEMENTS
                return self.cubes[s] > 1 and self.can_repeat(
                    s, card, COST[i], COST[i + 1], COST[i + 2], COST[i + 3], COST[i + 4], 0
                )
            return self.can_pay_line(s, row)
        return self.does_something(s, row) and self.can_pay_line(s, row)

    def can_repeat(self, s: int, card: int, e: int, v: int, f: int, w: int, a: int, more: int) -> int:
        """F-6.8: whether, this much being owed, another card activated this turn could be paid for as well."""
        base = s * USED_MAX
        for i in range(base, base + self.n_used[s]):
            if self.used[i] != card:
                for row in range(self.used[i] * 2, self.used[i] * 2 + 2):
                    if OP[row] != OP_REPEAT and self.does_something(s, row):
                        k = row * ELEMENTS
                        if self.can_pay(
                            s,
                            e + COST[k],
                            v + COST[k + 1],
                            f + COST[k + 2],
                            w + COST[k + 3],
                            a + COST[k + 4],
                            more,
                        ):
                            return 1
        return 0

    def activate(self, s: int, card: int, again: int) -> None:
        """F-5.3: a card to activate; which line, if more than one will do."""
        self.card[s] = card
        self.again[s] = again
        first = self.usable(s, card, 0, again)
        second = self.usable(s, card, 1, again)
        if first and second:
            self.q[s] = ASK_LINE
        else:
            self.begin_line(s, 0 if first else 1)

    def begin_line(self, s: int, line: int) -> None:
        """F-5.3: put a cube on the card; F-6.2: say how often, then pay."""
        card = self.card[s]
        self.line[s] = line
        self.cubes[s] -= 1
        base = s * USED_MAX
        i = base
        while i < base + self.n_used[s] and self.used[i] != card:
            i += 1
        if i == base + self.n_used[s]:
            self.used[i] = card
            self.used_cubes[i] = 0
            self.n_used[s] += 1
        self.used_cubes[i] += 1
        self.say(EV_REPEATED if self.again[s] else EV_ACTIVATED, s, self.owner(s, card), card, line)
        row = card * 2 + line
        if TIMES[row] > 1 and self.can_pay_times(s, row, 2):
            self.q[s] = ASK_TIMES
        else:
            self.pay_line(s, 1)

    def owner(self, s: int, card: int) -> int:
        """Whose card it is that this seat activates."""
        for t in range(self.seats):
            for i in range(self.n_shared[t]):
                if self.shared[t * SHARED_MAX + i] == card:
                    return t
        return s

    def offer_times(self, s: int) -> None:
        self.n_opts = 0
        row = self.card[s] * 2 + self.line[s]
        for k in range(1, TIMES[row] + 1):
            if self.can_pay_times(s, row, k):
                self.offer(DO_TIMES + k - 1)

    def pay_line(self, s: int, k: int) -> None:
        """F-6.2: k times the cost at once."""
        self.left[s] = k
        i = (self.card[s] * 2 + self.line[s]) * ELEMENTS
        self.owe(
            s,
            k * COST[i],
            k * COST[i + 1],
            k * COST[i + 2],
            k * COST[i + 3],
            k * COST[i + 4],
            ASK_LINE,
        )

    # ------------------------------------------------------------------------------------ F-6 effects

    def carry_out(self, s: int) -> None:
        """F-6.6: paid; take the element if the line gives one, then carry out the special."""
        row = self.card[s] * 2 + self.line[s]
        op = OP[row]
        if op == OP_GAIN:
            self.gain_next(s)
            return
        bonus = BONUS[row]
        if bonus != NO_ELEMENT:
            self.gain_one(s, bonus)
        if op == OP_RECALL:
            self.left[s] = COUNT[row]
            self.recall_next(s)
        elif op == OP_SCOUT:
            self.scout(s, COUNT[row])
        elif op == OP_REPEAT:
            self.repeat(s)
        elif op == OP_BANISH:
            self.offer_banish(s)
            self.ask_or_answer(s, ASK_BANISH)
        else:
            self.offer_study_any(s)
            self.ask_or_answer(s, ASK_STUDY_ANY)

    def ask_or_answer(self, s: int, question: int) -> None:
        """Put a follow-up question whose options lie ready; the only answer to it is given at once."""
        self.q[s] = question
        if self.n_opts == 1:
            self.act(s, self.opts[0])

    def end_effect(self, s: int) -> None:
        """F-5.3: the effect is carried out; the next card."""
        self.card[s] = NONE
        self.line[s] = 0
        self.left[s] = 0
        self.again[s] = 0
        self.q[s] = ASK_ACTIVATE

    def gain_one(self, s: int, element: int) -> None:
        self.elements[s * ELEMENTS + element] += 1
        self.say(EV_GAINED, s, -1, -1, -1)
        for k in range(ELEMENTS):
            self.add(1 if k == element else 0)

    def gain_next(self, s: int) -> None:
        """F-6.1, F-6.2: take what the line gives, as often as paid for; a choice is made anew each time."""
        row = self.card[s] * 2 + self.line[s]
        if N_GAINS[row] > 1:
            self.q[s] = ASK_GAIN
            return
        while self.left[s] > 0:
            self.gain(s, 0)
        self.end_effect(s)

    def gain(self, s: int, which: int) -> None:
        i = s * ELEMENTS
        k = ((self.card[s] * 2 + self.line[s]) * ALTERNATIVES + which) * ELEMENTS
        for j in range(ELEMENTS):
            self.elements[i + j] += GAINS[k + j]
        self.left[s] -= 1
        self.say(EV_GAINED, s, -1, -1, -1)
        self.add_amounts(GAINS[k], GAINS[k + 1], GAINS[k + 2], GAINS[k + 3], GAINS[k + 4])

    def offer_gain(self, s: int) -> None:
        self.n_opts = 0
        for k in range(N_GAINS[self.card[s] * 2 + self.line[s]]):
            self.offer(DO_GAIN + k)

    def recall_next(self, s: int) -> None:
        """F-6.3, F-6.7: a card of the own discard; the first must be taken where there is one, a second may be."""
        if self.left[s] == 0 or self.n_discard[s] == 0:
            self.end_effect(s)
            return
        self.offer_recall(s)
        self.ask_or_answer(s, ASK_RECALL)

    def offer_recall(self, s: int) -> None:
        self.n_opts = 0
        for i in range(self.n_discard[s]):
            self.offer(DO_CARD + self.discard[s * OWN_MAX + i])
        if self.left[s] < COUNT[self.card[s] * 2 + self.line[s]]:
            self.offer(DO_PASS)

    def recall(self, s: int, card: int) -> None:
        """F-6.3, F-6.4: into the personal zone, where it may be activated."""
        base = s * OWN_MAX
        i = base
        while self.discard[i] != card:
            i += 1
        self.n_discard[s] -= 1
        while i < base + self.n_discard[s]:
            self.discard[i] = self.discard[i + 1]
            i += 1
        self.to_personal(s, card)
        self.say(EV_RECALLED, s, card, -1, -1)
        self.left[s] -= 1
        self.recall_next(s)

    def scout(self, s: int, count: int) -> None:
        """F-6.3, F-6.7: draw three, or what there is; put one or two of them into the personal zone."""
        self.n_looked[s] = 0
        self.shuffles = 0
        for i in range(SCOUTED):
            card = self.draw_card(s)
            if card == NONE:
                break
            self.looked[s * LOOKED_MAX + i] = card
            self.n_looked[s] += 1
        self.learned |= 1 << s
        if self.shuffles:
            self.say(EV_SHUFFLED_SCOUTING, s, -1, -1, -1)
        self.say(EV_SCOUTED, s, -1, -1, -1)
        for i in range(self.n_looked[s]):
            self.add(self.looked[s * LOOKED_MAX + i])
        self.left[s] = count
        self.scout_next(s)

    def scout_next(self, s: int) -> None:
        """F-6.7: place as many as the card says or as there are; the rest is in the discard at once."""
        n = self.n_looked[s]
        if self.left[s] > 0 and n > self.left[s]:
            self.q[s] = ASK_SCOUT
            return
        if self.left[s] > 0 and n > 0:
            self.scout_place(s, self.looked[s * LOOKED_MAX])
            return
        if n > 0:
            self.say(EV_SCOUT_DISCARDED, s, -1, -1, -1)
            for i in range(n):
                self.to_discard(s, self.looked[s * LOOKED_MAX + i])
                self.add(self.looked[s * LOOKED_MAX + i])
        self.n_looked[s] = 0
        self.end_effect(s)

    def offer_scout(self, s: int) -> None:
        self.n_opts = 0
        for i in range(self.n_looked[s]):
            self.offer(DO_CARD + self.looked[s * LOOKED_MAX + i])

    def scout_place(self, s: int, card: int) -> None:
        base = s * LOOKED_MAX
        i = base
        while self.looked[i] != card:
            i += 1
        self.n_looked[s] -= 1
        while i < base + self.n_looked[s]:
            self.looked[i] = self.looked[i + 1]
            i += 1
        self.to_personal(s, card)
        self.say(EV_SCOUT_PLACED, s, card, -1, -1)
        self.left[s] -= 1
        self.scout_next(s)

    def repeat(self, s: int) -> None:
        """F-6.3, F-6.8: activate once more a card already activated this turn, with a further cube."""
        self.offer_repeat(s)
        if self.n_opts == 0:
            self.end_effect(s)
        else:
            self.ask_or_answer(s, ASK_REPEAT)

    def offer_repeat(self, s: int) -> None:
        self.n_opts = 0
        if self.cubes[s] > 0:
            base = s * USED_MAX
            for i in range(base, base + self.n_used[s]):
                card = self.used[i]
                if card != self.card[s] and (self.usable(s, card, 0, 1) or self.usable(s, card, 1, 1)):
                    self.offer(DO_CARD + card)
        if EXCHANGE[self.card[s] * 2 + self.line[s]]:
            self.offer(DO_PASS)

    def offer_banish(self, s: int) -> None:
        """F-6.3, F-6.7: an unplayed card of the own forest; optional where the line is of use as a mere exchange."""
        self.n_opts = 0
        for i in range(s * SPACES, s * SPACES + SPACES):
            if self.forest[i] != NONE:
                self.offer(DO_CARD + self.forest[i])
        if EXCHANGE[self.card[s] * 2 + self.line[s]]:
            self.offer(DO_PASS)

    def banish(self, s: int, card: int) -> None:
        """F-6.3: remove it from the game; F-6.5: a project among them no longer scores."""
        i = s * SPACES
        while self.forest[i] != card:
            i += 1
        self.forest[i] = NONE
        self.gone[s * OWN_MAX + self.n_gone[s]] = card
        self.n_gone[s] += 1
        self.say(EV_BANISHED, s, card, -1, -1)
        self.end_effect(s)

    def offer_study_any(self, s: int) -> None:
        """F-6.3: any creature not yet studied."""
        self.n_opts = 0
        for creature in range(CREATURES):
            if self.studied[s] >> creature & 1 == 0:
                self.offer(DO_CREATURE + creature)

    def study(self, s: int, creature: int) -> None:
        """F-5.5, F-1.6: mark the creature; the second of a pair gives the bonus between them."""
        self.studied[s] |= 1 << creature
        self.say(EV_STUDIED, s, creature, -1, -1)
        if self.studied[s] >> (creature ^ 1) & 1:
            bonus = PAIR_BONUS[creature >> 1]
            if bonus == ANY:
                self.q[s] = ASK_ANY
                return
            self.gain_one(s, bonus)
        self.studied_on(s)

    def studied_on(self, s: int) -> None:
        """A study is over: it was an effect (F-6.3) or phase 5a (F-5.5)."""
        if self.phase == PHASE_ACTIVATE:
            self.end_effect(s)
        else:
            self.finish(s)

    # ------------------------------------------------------------------------------------ F-5.4 to F-5.7

    def rest(self) -> None:
        """F-5.4: phase 4, own cubes come back, those of others stay as kindness, played cards go to the discard."""
        for s in range(self.seats):
            for i in range(s * USED_MAX, s * USED_MAX + self.n_used[s]):
                t = self.owner(s, self.used[i])
                if t == s:
                    self.cubes[s] += self.used_cubes[i]
                else:
                    self.kindness[t * SEATS_MAX + s] += self.used_cubes[i]
                    self.say(EV_KINDNESS_GOT, t, s, self.used_cubes[i], -1)
            self.n_used[s] = 0
        for s in range(self.seats):
            if self.n_shared[s] + self.n_personal[s] > 0:
                self.say(EV_RESTED, s, -1, -1, -1)
            for i in range(self.n_shared[s]):
                self.to_discard(s, self.shared[s * SHARED_MAX + i])
                self.add(self.shared[s * SHARED_MAX + i])
            for i in range(self.n_personal[s]):
                self.to_discard(s, self.personal[s * OWN_MAX + i])
                self.add(self.personal[s * OWN_MAX + i])
            self.n_shared[s] = 0
            self.n_personal[s] = 0
        self.enter(PHASE_STUDY, 1)
        self.open_stage()

    def offer_study(self, s: int) -> None:
        """F-5.5: phase 5a, one of the creatures on the two paw spaces, if not studied before; optional."""
        self.n_opts = 0
        first = self.forest[s * SPACES + PAW_TOP]
        second = self.forest[s * SPACES + PAW_BOTTOM]
        if first != NONE and self.studied[s] >> CREATURE[first] & 1 == 0:
            self.offer(DO_CREATURE + CREATURE[first])
        if second != NONE and self.studied[s] >> CREATURE[second] & 1 == 0:
            if self.n_opts == 0 or self.opts[0] != DO_CREATURE + CREATURE[second]:
                self.offer(DO_CREATURE + CREATURE[second])
        self.offer(DO_PASS)

    def close_study(self) -> None:
        """F-5.5: the cards on the paw spaces are discarded; 5b, the top row closes up to the left, the bottom row
        to the right."""
        for s in range(self.seats):
            base = s * SPACES
            first = self.forest[base + PAW_TOP]
            second = self.forest[base + PAW_BOTTOM]
            if first != NONE or second != NONE:
                self.say(EV_PAWS_DISCARDED, s, -1, -1, -1)
            if first != NONE:
                self.forest[base + PAW_TOP] = NONE
                self.to_discard(s, first)
                self.add(first)
            if second != NONE:
                self.forest[base + PAW_BOTTOM] = NONE
                self.to_discard(s, second)
                self.add(second)
            to = base
            for i in range(base, base + COLUMNS):
                card = self.forest[i]
                if card != NONE:
                    self.forest[i] = NONE
                    self.forest[to] = card
                    to += 1
            to = base + SPACES - 1
            for k in range(COLUMNS):
                i = base + SPACES - 1 - k
                card = self.forest[i]
                if card != NONE:
                    self.forest[i] = NONE
                    self.forest[to] = card
                    to -= 1
            self.say(EV_CLOSED_UP, s, -1, -1, -1)
            for i in range(base, base + SPACES):
                self.add(self.forest[i])
        self.enter(PHASE_REALISE, 1)
        self.open_stage()

    def offer_realise(self, s: int) -> None:
        """F-5.6: up to two current projects; F-7.2: in the last trimester any number, and steps from top to bottom;
        F-7.4: at the end likewise."""
        self.n_opts = 0
        last = self.trimester == self.last
        if last or self.taken[s] < REALISED_PER_TURN:
            for i in range(self.n_projects[s]):
                card = self.projects[s * PROJECTS_MAX + i]
                k = card * ELEMENTS
                if self.can_pay(s, PRICE[k], PRICE[k + 1], PRICE[k + 2], PRICE[k + 3], PRICE[k + 4], 0):
                    self.offer(DO_CARD + card)
        if last and self.final[s] != NONE and not self.completed(s):
            k = (self.final[s] * STEPS_LONG + self.steps[s]) * ELEMENTS
            if self.can_pay(
                s,
                STEP_PRICE[k],
                STEP_PRICE[k + 1],
                STEP_PRICE[k + 2],
                STEP_PRICE[k + 3],
                STEP_PRICE[k + 4],
                0,
            ):
                self.offer(DO_STEP)
        self.offer(DO_DONE)

    def pay_project(self, s: int, card: int) -> None:
        """F-5.6: pay the cost of a project."""
        self.card[s] = card
        k = card * ELEMENTS
        self.owe(s, PRICE[k], PRICE[k + 1], PRICE[k + 2], PRICE[k + 3], PRICE[k + 4], ASK_REALISE)

    def realise(self, s: int) -> None:
        """F-5.6: on top of the draw pile, in the order chosen, where all see it lie."""
        card = self.card[s]
        self.card[s] = NONE
        self.from_projects(s, card)
        self.pile[s * OWN_MAX + self.n_pile[s]] = card
        self.n_pile[s] += 1
        self.taken[s] += 1
        self.say(EV_REALISED, s, card, -1, -1)
        self.q[s] = ASK_SPEND if self.phase == PHASE_SPEND else ASK_REALISE

    def close_realise(self) -> None:
        """F-5.7: the turn is over, and with its last turn the trimester; F-7.3: in the last one the bonus."""
        if self.trimester == self.last:
            self.begin_bonus()
        elif self.turn < self.turns():
            self.begin_turn()
        else:
            self.begin_trimester()

    # ------------------------------------------------------------------------------------ F-7 the last trimester

    def begin_finals(self) -> None:
        """F-7.1: one final project more than there are players; chosen openly in the order of F-5.0."""
        first = LONG_FINALS if self.short else 0
        n = LONG_FINALS
        if self.short:
            n = SHORT_FINALS if self.seats == SEATS_MAX else SHORT_FINALS - 1
        for i in range(n):
            self.slots[i] = first + i
        self.say(EV_FINALS_DRAWN, -1, -1, -1, -1)
        for k in range(SEATS_MAX + 1):
            if k <= self.seats:
                i = self.below(self.seats, n - k)
                self.finals[k] = self.slots[i]
                self.add(self.slots[i])
                self.slots[i] = self.slots[n - k - 1]
        self.n_finals = self.seats + 1
        self.set_order((1 << self.seats) - 1)
        self.enter(PHASE_FINAL, 0)
        self.next_final()

    def next_final(self) -> None:
        if self.at_order < self.n_order:
            s = self.order[self.at_order]
            self.forget(s)
            self.q[s] = ASK_FINAL
            self.waiting = 1
            return
        self.n_order = 0
        self.at_order = 0
        self.say(EV_CLOSED, -1, -1, -1, -1)
        self.begin_turn()

    def offer_final(self, s: int) -> None:
        self.n_opts = 0
        for i in range(self.n_finals):
            self.offer(DO_FINAL + self.finals[i])

    def choose_final(self, s: int, final: int) -> None:
        i = 0
        while self.finals[i] != final:
            i += 1
        self.n_finals -= 1
        while i < self.n_finals:
            self.finals[i] = self.finals[i + 1]
            i += 1
        self.final[s] = final
        self.say(EV_FINAL_CHOSEN, s, final, -1, -1)
        self.at_order += 1

    def n_steps(self) -> int:
        """F-1.8: five steps, four in the short game."""
        return STEPS_SHORT if self.short else STEPS_LONG

    def completed(self, s: int) -> int:
        """F-7.4: whether the seat has made the last step of its final project."""
        return 1 if self.final[s] != NONE and self.steps[s] >= self.n_steps() else 0

    def pay_step(self, s: int) -> None:
        """F-7.2: pay the next step."""
        k = (self.final[s] * STEPS_LONG + self.steps[s]) * ELEMENTS
        self.owe(
            s,
            STEP_PRICE[k],
            STEP_PRICE[k + 1],
            STEP_PRICE[k + 2],
            STEP_PRICE[k + 3],
            STEP_PRICE[k + 4],
            ASK_FINAL,
        )

    def complete_step(self, s: int) -> None:
        """F-7.2: strictly from top to bottom."""
        self.steps[s] += 1
        self.say(EV_STEP_DONE, s, self.final[s], self.steps[s], -1)
        self.q[s] = ASK_SPEND if self.phase == PHASE_SPEND else ASK_REALISE

    def begin_bonus(self) -> None:
        """F-7.3: those with the most steps each gain an element of their choice."""
        for s in range(self.seats):
            if self.completed(s):
                self.say(EV_FINAL_COMPLETED, s, self.final[s], -1, -1)
                self.ended = END_COMPLETED + 1
        self.enter(PHASE_BONUS, 1)
        self.open_stage()

    def leads(self, s: int) -> int:
        """F-7.3: nobody has more steps; a tie counts, also at none."""
        for t in range(self.seats):
            if self.steps[t] > self.steps[s]:
                return 0
        return 1

    def offer_bonus(self, s: int) -> None:
        self.n_opts = 0
        for k in range(AIR):
            self.offer(DO_TAKE + k)

    def close_bonus(self) -> None:
        """F-7.4: with a completed final project, or after the twelfth turn (F-3.1), the year is over once the others
        have spent what is left."""
        if self.ended == 0 and self.turn >= LAST_TURNS:
            self.ended = END_TWELFTH_TURN + 1
        if self.ended:
            self.enter(PHASE_SPEND, 1)
            self.open_stage()
        else:
            self.begin_turn()

    # ------------------------------------------------------------------------------------ F-8 the score

    def end_year(self) -> None:
        """F-8.1: the score of everybody."""
        self.enter(PHASE_OVER, 1)
        self.say(EV_YEAR_ENDED, self.ended - 1, -1, -1, -1)
        best = 0
        for s in range(self.seats):
            score = self.score(s)
            if score > best:
                best = score
            self.say(EV_SCORED, s, self.kindness_of(s), 3 * self.realised(s), 3 * self.steps[s])
            self.add(2 * self.n_studied(s))
            self.add(self.element_points(s))
            self.add(score)
        self.say(EV_WON, -1, -1, -1, -1)
        for s in range(self.seats):
            if self.score(s) == best:
                self.add(s)

    def score(self, s: int) -> int:
        """F-8.1: kindness, realised projects, steps, creatures and elements."""
        return (
            self.kindness_of(s)
            + 3 * self.realised(s)
            + 3 * self.steps[s]
            + 2 * self.n_studied(s)
            + self.element_points(s)
        )

    def realised(self, s: int) -> int:
        """F-8.1: realised projects in draw pile, discard or forest."""
        n = 0
        for i in range(s * OWN_MAX, s * OWN_MAX + self.n_pile[s]):
            if self.pile[i] >= PROJECT_FIRST:
                n += 1
        for i in range(s * OWN_MAX, s * OWN_MAX + self.n_discard[s]):
            if self.discard[i] >= PROJECT_FIRST:
                n += 1
        for i in range(s * SPACES, s * SPACES + SPACES):
            if self.forest[i] >= PROJECT_FIRST and self.forest[i] != NONE:
                n += 1
        return n

    def n_studied(self, s: int) -> int:
        n = 0
        for creature in range(CREATURES):
            n += self.studied[s] >> creature & 1
        return n

    def element_points(self, s: int) -> int:
        """F-8.1: air counts as two elements, every full ten give one point."""
        return (self.total(s) + self.elements[s * ELEMENTS + AIR]) // 10

    # ------------------------------------------------------------------------------------ questions and answers

    def offer(self, action: int) -> None:
        self.opts[self.n_opts] = action
        self.n_opts += 1

    def ask(self, s: int) -> None:
        """Fill `opts` with what the seat may answer, a conversion of one's own accord not counted."""
        q = self.q[s]
        if q == ASK_PLAN:
            self.offer_plan(s)
        elif q == ASK_PLAN_SPACE:
            self.offer_plan_space(s)
        elif q == ASK_ACTIVATE:
            self.offer_activate(s)
        elif q == ASK_SELECT:
            self.offer_select(s)
        elif q == ASK_PAY:
            self.offer_pay(s)
        elif q == ASK_LINE:
            self.n_opts = 0
            self.offer(DO_LINE)
            self.offer(DO_LINE + 1)
        elif q == ASK_TIMES:
            self.offer_times(s)
        elif q == ASK_GAIN:
            self.offer_gain(s)
        elif q == ASK_REALISE or q == ASK_SPEND:
            self.offer_realise(s)
        elif q == ASK_STUDY:
            self.offer_study(s)
        elif q == ASK_DRAFT:
            self.offer_draft(s)
        elif q == ASK_DROP:
            self.offer_drop(s)
        elif q == ASK_RECALL:
            self.offer_recall(s)
        elif q == ASK_SCOUT:
            self.offer_scout(s)
        elif q == ASK_REPEAT:
            self.offer_repeat(s)
        elif q == ASK_BANISH:
            self.offer_banish(s)
        elif q == ASK_STUDY_ANY:
            self.offer_study_any(s)
        elif q == ASK_ANY or q == ASK_BONUS:
            self.offer_bonus(s)
        elif q == ASK_SETTLE:
            self.offer_settle(s)
        elif q == ASK_SETTLE_SPACE:
            self.offer_settle_space(s)
        elif q == ASK_GOAL:
            self.offer_goal(s)
        elif q == ASK_FINAL:
            self.offer_final(s)
        elif q == ASK_CONVERT:
            self.offer_convert(s)
        elif q == ASK_CONVERT_WITH:
            self.offer_convert_with(s)
        else:
            self.n_opts = 0

    def ask_all(self, s: int) -> None:
        """F-6.9: fill `opts` with everything the seat may answer, a conversion of one's own accord included.

        Which card, which line and how often are one decision in steps, which ends with its payment: that names the
        conversions it needs, and others wait until it is made.
        """
        self.ask(s)
        q = self.q[s]
        if (
            q != ASK_NOTHING
            and q != ASK_LINE
            and q != ASK_TIMES
            and q != ASK_REPEAT
            and q != ASK_PAY
            and q != ASK_CONVERT
            and q != ASK_CONVERT_WITH
        ):
            self.offer_conversion(s)

    def act(self, s: int, action: int) -> None:
        """Carry out one of the answers offered. Checks nothing."""
        q = self.q[s]
        if action == DO_CONVERT:
            self.back[s] = q
            self.q[s] = ASK_CONVERT
        elif q == ASK_PLAN:
            if action == DO_DONE:
                self.finish(s)
            else:
                self.card[s] = action
                self.plan_where(s)
        elif q == ASK_PLAN_SPACE:
            self.place(s, action - DO_SPACE)
        elif q == ASK_ACTIVATE:
            if action == DO_DONE:
                self.finish(s)
            else:
                self.activate(s, action, 0)
        elif q == ASK_SELECT:
            if action == DO_DONE:
                self.finish(s)
            else:
                self.select(s, action - DO_COLUMN)
        elif q == ASK_PAY:
            self.spend(s, action - DO_SPEND)
            self.pay(s)
        elif q == ASK_LINE:
            self.begin_line(s, action - DO_LINE)
        elif q == ASK_TIMES:
            self.pay_line(s, action - DO_TIMES + 1)
        elif q == ASK_GAIN:
            self.gain(s, action - DO_GAIN)
            if self.left[s] == 0:
                self.end_effect(s)
        elif q == ASK_REALISE or q == ASK_SPEND:
            if action == DO_DONE:
                self.finish(s)
            elif action == DO_STEP:
                self.pay_step(s)
            else:
                self.pay_project(s, action)
        elif q == ASK_STUDY:
            if action == DO_PASS:
                self.finish(s)
            else:
                self.study(s, action - DO_CREATURE)
        elif q == ASK_DRAFT:
            self.card[s] = action
            self.say(EV_PICKED, s, action, -1, -1)
            self.finish(s)
        elif q == ASK_DROP:
            if action == DO_DONE:
                self.finish(s)
            else:
                self.from_projects(s, action)
                self.to_hand(s, action)
                self.say(EV_DROPPED, s, action, -1, -1)
        elif q == ASK_RECALL:
            if action == DO_PASS:
                self.end_effect(s)
            else:
                self.recall(s, action)
        elif q == ASK_SCOUT:
            self.scout_place(s, action)
        elif q == ASK_REPEAT:
            if action == DO_PASS:
                self.end_effect(s)
            else:
                self.activate(s, action, 1)
        elif q == ASK_BANISH:
            if action == DO_PASS:
                self.end_effect(s)
            else:
                self.banish(s, action)
        elif q == ASK_STUDY_ANY:
            self.study(s, action - DO_CREATURE)
        elif q == ASK_ANY:
            self.gain_one(s, action - DO_TAKE)
            self.studied_on(s)
        elif q == ASK_BONUS:
            self.elements[s * ELEMENTS + action - DO_TAKE] += 1
            self.say(EV_LEADER_GAINED, s, action - DO_TAKE, -1, -1)
            self.finish(s)
        elif q == ASK_SETTLE:
            if action == DO_DONE:
                self.finish(s)
            else:
                self.card[s] = action
                self.q[s] = ASK_SETTLE_SPACE
        elif q == ASK_SETTLE_SPACE:
            self.settle(s, action - DO_SPACE)
        elif q == ASK_GOAL:
            self.give_goal(s, action)
            self.q[s] = ASK_NOTHING
            self.next_goal()
        elif q == ASK_FINAL:
            self.choose_final(s, action - DO_FINAL)
            self.q[s] = ASK_NOTHING
            self.next_final()
        elif q == ASK_CONVERT:
            if action == DO_CANCEL:
                self.q[s] = self.back[s]
                self.back[s] = ASK_NOTHING
            else:
                self.making[s] = action - DO_MAKE
                self.spent[s] = 0
                self.q[s] = ASK_CONVERT_WITH
        elif q == ASK_CONVERT_WITH:
            if action == DO_CANCEL:
                self.making[s] = NO_ELEMENT
                self.q[s] = self.back[s]
                self.back[s] = ASK_NOTHING
            else:
                self.convert_with(s, action - DO_SPEND)

    def move(self, s: int, action: int) -> None:
        """Carry out an answer; F-3.2: where seats are asked in order, everybody sees it at once."""
        self.learned = 0
        open_order = not self.together
        stage = self.stage
        self.act(s, action)
        if open_order and stage == self.stage:
            self.say(EV_CLOSED, -1, -1, -1, -1)
            self.snapshot()
            self.stage += 1

    # ------------------------------------------------------------------------------------ random play, imagined worlds

    def play_seat(self, s: int) -> None:
        """Answer at random for a seat until it has finished the stage."""
        while self.q[s] != ASK_NOTHING:
            self.ask(s)
            self.act(s, self.opts[self.below(DICE, self.n_opts)])

    def play_out(self) -> None:
        """Play at random to the end of the year; nobody converts without need."""
        while self.phase != PHASE_OVER:
            for s in range(self.seats):
                while self.q[s] != ASK_NOTHING:
                    self.ask(s)
                    self.answers += 1
                    if self.n_opts > 1:
                        self.decisions += 1
                        self.act(s, self.opts[self.below(DICE, self.n_opts)])
                    else:
                        self.act(s, self.opts[0])

    def reset(self) -> None:
        """Back to before the set-up; the streams of chance go on."""
        self.phase = PHASE_OVER
        self.stage = 0
        self.trimester = 0
        self.turn = 0
        self.year_turn = 0
        self.waiting = 0
        self.draft_round = 0
        self.ended = 0
        self.n_common = 0
        self.n_finals = 0
        self.n_order = 0
        self.at_order = 0
        for s in range(SEATS_MAX):
            self.forget(s)
            self.studied[s] = 0
            self.n_pile[s] = 0
            self.n_bag[s] = 0
            self.n_discard[s] = 0
            self.n_personal[s] = 0
            self.n_shared[s] = 0
            self.n_projects[s] = 0
            self.n_hand[s] = 0
            self.n_gone[s] = 0
            self.n_picks[s] = 0
            self.n_used[s] = 0
            self.n_looked[s] = 0
            self.n_sure[s] = 0
            self.steps[s] = 0
            self.final[s] = NONE
            self.set_of[s] = SETS
            for t in range(SEATS_MAX):
                self.kindness[s * SEATS_MAX + t] = 0
            for k in range(ELEMENTS):
                self.elements[s * ELEMENTS + k] = 0
                self.owed[s * ELEMENTS + k] = 0
                self.given[s * ELEMENTS + k] = 0
            for k in range(SPACES):
                self.forest[s * SPACES + k] = NONE
        for card in range(CARDS):
            self.away[card] = IN_BOX

    def deal_again(self, viewer: int) -> None:
        """Draw anew everything that this viewer (the number of seats for a spectator) cannot know.

        Draft hands and picks, cards drawn in planning, and what the others have done in this stage; those who have
        finished it did something else instead. Every stream of chance goes on from elsewhere.
        """
        for stream in range(self.seats + 1):
            self.words[stream] = self.word(DICE)
        phase = self.phase
        if phase == PHASE_OVER or not self.together:
            return
        if (
            phase == PHASE_SETTLE_DRAFT
            or phase == PHASE_DRAFT
            or phase == PHASE_DROP
            or (phase == PHASE_SETTLE and self.setup == EXPERT)
        ):
            self.draft_again(viewer)
        for s in range(self.seats):
            if s != viewer:
                if phase == PHASE_PLAN:
                    self.draw_again(s)
                elif phase == PHASE_SETTLE and self.setup != EXPERT and self.was_n_hand[s] > 0:
                    self.sixth_again(s)
                busy = self.q[s] != ASK_NOTHING
                self.restore(s)
                if phase == PHASE_DROP:
                    self.merge_picks(s)
                self.open_seat(s)
                if not busy and self.q[s] != ASK_NOTHING:
                    self.waiting += 1
                    self.play_seat(s)

    def draw_again(self, s: int) -> None:
        """F-5.1: which cards of the bag were drawn in planning; those that everybody can tell stay."""
        n = self.was_n_hand[s]
        for i in range(self.n_sure[s], n):
            j = i + self.below(DICE, n - i + self.n_bag[s])
            at = s * HAND_MAX + i
            card = self.was_hand[at]
            if j < n:
                self.was_hand[at] = self.was_hand[s * HAND_MAX + j]
                self.was_hand[s * HAND_MAX + j] = card
            else:
                self.was_hand[at] = self.pile[s * OWN_MAX + j - n]
                self.pile[s * OWN_MAX + j - n] = card
                self.was_pile[s * OWN_MAX + j - n] = card

    def sixth_again(self, s: int) -> None:
        """F-2.4: the four S cards of the player without a set."""
        n = self.was_n_hand[s]
        for i in range(s * HAND_MAX, s * HAND_MAX + n):
            self.away[self.was_hand[i]] = IN_BOX
        left = self.gather(0)
        for i in range(n):
            self.was_hand[s * HAND_MAX + i] = self.lot(DICE, left - i)

    def holder(self, pack: int, number: int) -> int:
        """Who holds the hand that was dealt to seat `pack` after it has been passed on so many times."""
        return (pack + self.passing() * number) % self.seats

    def draft_again(self, viewer: int) -> None:
        """F-4.1, F-4.3: what lies in the hands and among the picks of the others.

        The viewer knows every hand that it passed on, so the cards of such a hand have gone, one each, to those who
        held it since, or are still in it. What it has never seen is mixed with the undealt cards.
        """
        rounds = self.draft_round
        held = self.phase == PHASE_SETTLE_DRAFT or self.phase == PHASE_DRAFT
        last = rounds if held else rounds - 1
        unseen = 0
        for pack in range(self.seats):
            visit = 0
            while visit <= last and self.holder(pack, visit) != viewer:
                visit += 1
            while visit <= last:
                following = visit + self.seats
                n = 0
                for number in range(visit + 1, following if following < rounds else rounds):
                    self.slots[n] = self.pick_slot(pack, number)
                    n += 1
                if held and following > rounds and visit < rounds:
                    n = self.hand_slots(self.holder(pack, rounds), n)
                self.mix(n, n)
                visit = following
        for pack in range(self.seats):
            number = 0
            while number < rounds and self.holder(pack, number) != viewer:
                self.slots[unseen] = self.pick_slot(pack, number)
                unseen += 1
                number += 1
            if held and number == rounds and self.holder(pack, rounds) != viewer:
                unseen = self.hand_slots(self.holder(pack, rounds), unseen)
        which = 0 if self.trimester == 0 else self.trimester
        total = unseen
        for card in range(DECK_FIRST[which], DECK_END[which]):
            if self.away[card] == IN_BOX:
                self.slots[total] = BOX_SLOT + card
                total += 1
        self.mix(unseen, total)
        for s in range(self.seats):
            if s != viewer:
                if held:
                    for i in range(s * HAND_MAX, s * HAND_MAX + self.n_hand[s]):
                        self.was_hand[i] = self.hand[i]
                elif self.phase == PHASE_SETTLE:
                    for i in range(self.n_picks[s]):
                        self.was_hand[s * HAND_MAX + i] = self.picks[s * PICKS_MAX + i]

    def pick_slot(self, pack: int, number: int) -> int:
        return PICK_SLOT + self.holder(pack, number) * PICKS_MAX + number

    def hand_slots(self, s: int, n: int) -> int:
        for i in range(self.n_hand[s]):
            self.slots[n] = s * HAND_MAX + i
            n += 1
        return n

    def mix(self, n: int, total: int) -> None:
        """Shuffle the cards of the slots; from slot n on they are cards in the box."""
        for i in range(total):
            slot = self.slots[i]
            if slot >= BOX_SLOT:
                self.deck[i] = slot - BOX_SLOT
            elif slot >= PICK_SLOT:
                self.deck[i] = self.picks[slot - PICK_SLOT]
            else:
                self.deck[i] = self.hand[slot]
        for i in range(n):
            j = i + self.below(DICE, total - i)
            card = self.deck[j]
            self.deck[j] = self.deck[i]
            self.deck[i] = card
            slot = self.slots[i]
            if slot >= PICK_SLOT:
                self.picks[slot - PICK_SLOT] = card
            else:
                self.hand[slot] = card
            self.away[card] = IN_PLAY
        for i in range(n, total):
            self.away[self.deck[i]] = IN_BOX

    # ------------------------------------------------------------------------------------ the boundary, checked

    def asked(self) -> list[int]:
        """The seats that have something to decide, ascending; empty when the year is over."""
        return [s for s in range(self.seats) if self.q[s] != ASK_NOTHING]

    def legal(self, seat: int) -> list[int]:
        """What is offered to the seat, ascending; nothing if it is not asked."""
        if not 0 <= seat < self.seats or self.q[seat] == ASK_NOTHING:
            return []
        self.ask_all(seat)
        offered = [self.opts[i] for i in range(self.n_opts)]
        offered.sort()
        return offered

    def offers(self, seat: int, action: int) -> bool:
        """Is this action offered to this seat?"""
        if 0 <= seat < self.seats and self.q[seat] != ASK_NOTHING:
            self.ask_all(seat)
            for i in range(self.n_opts):
                if self.opts[i] == action:
                    return True
        return False

    def apply(self, seat: int, action: int) -> None:
        """Carry out an offered action; anything else raises NotOffered and changes nothing."""
        if not self.offers(seat, action):
            raise NotOffered(self.why_not(seat, action))
        self.move(seat, action)
        if self.listening:
            self.drain()

    def why_not(self, seat: int, action: int) -> str:
        """What is wrong with an action, and what would be right, as this seat may know it."""
        if self.phase == PHASE_OVER:
            return "the year is over: nothing is asked any more"
        if not 0 <= seat < self.seats or self.q[seat] == ASK_NOTHING:
            return f"seat {seat} has nothing to decide: {', '.join(str(s) for s in self.asked())} still at it"
        text = f"'{ACTION_TEXTS[action]}'" if 0 <= action < ACTIONS else f"action {action}"
        return f"{text} is not offered; offered are {', '.join(ACTION_TEXTS[a] for a in self.legal(seat))}"

    def step(self, seat: int, index: int) -> None:
        """Carry out the option of this index in `legal`, for loops that choose by lot."""
        offered = self.legal(seat)
        if not 0 <= index < len(offered):
            raise NotOffered(f"there are {len(offered)} options, and {index} is not the index of one")
        self.apply(seat, offered[index])

    def question(self, seat: int) -> int:
        """What the seat is asked: one of the ASK_ numbers."""
        return self.q[seat]

    def registers(self, seat: int) -> dict[str, int]:
        """Where a seat is in its flow, and the few numbers a question is about."""
        return {
            "question": self.q[seat],
            "card": self.card[seat],
            "line": self.line[seat],
            "left": self.left[seat],
            "again": self.again[seat],
            "after": self.after[seat],
            "back": self.back[seat],
            "making": self.making[seat],
            "spent": self.spent[seat],
            "taken": self.taken[seat],
            "columns": self.columns[seat],
            "hand": self.n_hand[seat],
            "projects": self.n_projects[seat],
            "picks": self.n_picks[seat],
            "cubes": self.cubes[seat],
            "final": self.final[seat],
            "steps": self.steps[seat],
            "draft_round": self.draft_round,
            "trimester": self.trimester,
            "last": self.last,
        }

    def owes(self, seat: int) -> list[int]:
        """What the seat is paying."""
        return [self.owed[seat * ELEMENTS + k] for k in range(ELEMENTS)]

    def gives(self, seat: int) -> list[int]:
        """What the seat has put into the conversion under way."""
        return [self.given[seat * ELEMENTS + k] for k in range(ELEMENTS)]

    def stir(self, stream: int, word: int) -> None:
        """Set a stream of chance: a seat's, or the table's (stream number `seats`)."""
        self.words[stream] = word & MASK64

    def listen(self, on: bool) -> None:
        """Start or stop noting events."""
        self.listening = 1 if on else 0

    def heard(self) -> list[tuple[int, ...]]:
        """Take the event rows noted since the last call."""
        rows = self.rows
        self.rows = []
        return rows

    def drain(self) -> None:
        """Cut the buffer into event rows."""
        row: list[int] = []
        for i in range(self.n_ears):
            value = self.ears[i]
            if value == ROW_MARK:
                if row:
                    self.rows.append(tuple(row))
                row = []
            else:
                row.append(value)
        if row:
            self.rows.append(tuple(row))
        self.n_ears = 0

    def redeal(self, viewer: int, word: int) -> None:
        """Become a world that this viewer (`seats` for a spectator) cannot tell from this one, drawn with `word`."""
        self.listening = 0
        self.words[DICE] = word & MASK64
        self.deal_again(viewer)
        self.learned = 0

    def finish_randomly(self, word: int) -> int:
        """Play at random to the end; returns how many decisions had more than one option."""
        self.listening = 0
        self.words[DICE] = word & MASK64
        self.decisions = 0
        self.play_out()
        return self.decisions

    def open_phase(self, phase: int) -> None:
        """Begin a phase as the state stands, for positions written by hand; cards not given are dealt or drawn."""
        held = 0
        for s in range(self.seats):
            held += self.n_hand[s]
        if phase == PHASE_GOAL:
            self.turn -= 1
            self.year_turn -= 1
            self.begin_turn()
        elif phase == PHASE_PLAN and held == 0:
            self.begin_plan()
        elif (phase == PHASE_DRAFT or phase == PHASE_SETTLE_DRAFT) and held == 0:
            self.deal_draft(
                self.trimester, DRAFT_SIZE_OF_TWO if self.trimester == 0 and self.seats == 2 else DRAFT_SIZE
            )
            self.open_stage()
        elif phase == PHASE_DROP:
            self.begin_drop()
        elif phase == PHASE_FINAL:
            self.begin_finals()
        elif phase == PHASE_BONUS:
            self.begin_bonus()
        elif phase == PHASE_OVER:
            self.end_year()
        else:
            self.enter(phase, 1)
            self.open_stage()
        self.learned = 0

    def points(self) -> list[int]:
        """The score of each seat as it stands (F-8.1)."""
        return [self.score(s) for s in range(self.seats)]

    def parts(self, seat: int) -> tuple[int, int, int, int, int]:
        """The score of a seat by its parts (F-8.1): kindness, projects, steps, creatures, elements."""
        return (
            self.kindness_of(seat),
            3 * self.realised(seat),
            3 * self.steps[seat],
            2 * self.n_studied(seat),
            self.element_points(seat),
        )

    def reach(self, seat: int) -> list[int]:
        """The seats whose shared cards this one may activate, itself first (F-5.3, F-2.8)."""
        return [seat, *(self.neighbour(seat, k) for k in range(self.neighbours()))]

    @property
    def nbytes(self) -> int:
        """The size of a state; an interpreted one counts its numbers at eight bytes each."""
        if COMPILED:
            return int(State.__basicsize__)
        return 8 * sum(len(a) if isinstance(a, list) else 1 for a in vars(self).values())

    # ------------------------------------------------------------------------------------ taken apart, put together

    def table(self) -> dict[str, int]:
        """What is not any seat's: options, and where the year is."""
        return {
            "seats": self.seats,
            "setup": self.setup,
            "short": self.short,
            "wider": self.wider,
            "stage": self.stage,
            "together": 1 if self.together else 0,
            "phase": self.phase,
            "trimester": self.trimester,
            "last": self.last,
            "turn": self.turn,
            "year_turn": self.year_turn,
            "draft_round": self.draft_round,
            "ended": self.ended,
        }

    def lists(self) -> dict[str, list[int]]:
        """The same for lists: streams of chance, common discard, final projects on offer, who is still to choose."""
        return {
            "chance": [self.words[i] for i in range(self.seats + 1)],
            "common": [self.common[i] for i in range(self.n_common)],
            "finals": [self.finals[i] for i in range(self.n_finals)],
            "order": [self.order[i] for i in range(self.at_order, self.n_order)],
        }

    def put_table(self, table: Mapping[str, int], lists: Mapping[str, list[int]]) -> None:
        """The reverse of `table` and `lists`; the options stay."""
        self.stage = table["stage"]
        self.together = table["together"] != 0
        self.phase = table["phase"]
        self.trimester = table["trimester"]
        self.turn = table["turn"]
        self.year_turn = table["year_turn"]
        self.draft_round = table["draft_round"]
        self.ended = table["ended"]
        for i, word in enumerate(lists["chance"]):
            self.words[i] = word
        self.n_common = len(lists["common"])
        for i, card in enumerate(lists["common"]):
            self.common[i] = card
        self.n_finals = len(lists["finals"])
        for i, final in enumerate(lists["finals"]):
            self.finals[i] = final
        self.at_order = 0
        self.n_order = len(lists["order"])
        for i, seat in enumerate(lists["order"]):
            self.order[i] = seat

    def area(self, seat: int) -> dict[str, Any]:
        """What a seat can change in a stage, as it is."""
        own = seat * OWN_MAX
        return {
            "elements": [self.elements[seat * ELEMENTS + i] for i in range(ELEMENTS)],
            "cubes": self.cubes[seat],
            "studied": self.studied[seat],
            "steps": self.steps[seat],
            "forest": [self.forest[seat * SPACES + i] for i in range(SPACES)],
            "bag": self.n_bag[seat],
            "pile": [self.pile[own + i] for i in range(self.n_pile[seat])],
            "discard": [self.discard[own + i] for i in range(self.n_discard[seat])],
            "personal": [self.personal[own + i] for i in range(self.n_personal[seat])],
            "shared": [self.shared[seat * SHARED_MAX + i] for i in range(self.n_shared[seat])],
            "projects": [self.projects[seat * PROJECTS_MAX + i] for i in range(self.n_projects[seat])],
            "hand": [self.hand[seat * HAND_MAX + i] for i in range(self.n_hand[seat])],
            "banished": [self.gone[own + i] for i in range(self.n_gone[seat])],
        }

    def area_began(self, seat: int) -> dict[str, Any]:
        """What a seat can change in a stage, as the stage began."""
        own = seat * OWN_MAX
        return {
            "elements": [self.was_elements[seat * ELEMENTS + i] for i in range(ELEMENTS)],
            "cubes": self.was_cubes[seat],
            "studied": self.was_studied[seat],
            "steps": self.was_steps[seat],
            "forest": [self.was_forest[seat * SPACES + i] for i in range(SPACES)],
            "bag": self.was_n_bag[seat],
            "pile": [self.was_pile[own + i] for i in range(self.was_n_pile[seat])],
            "discard": [self.was_discard[own + i] for i in range(self.was_n_discard[seat])],
            "personal": [self.was_personal[own + i] for i in range(self.was_n_personal[seat])],
            "shared": [self.was_shared[seat * SHARED_MAX + i] for i in range(self.was_n_shared[seat])],
            "projects": [
                self.was_projects[seat * PROJECTS_MAX + i] for i in range(self.was_n_projects[seat])
            ],
            "hand": [self.was_hand[seat * HAND_MAX + i] for i in range(self.was_n_hand[seat])],
            "banished": [self.gone[own + i] for i in range(self.was_n_gone[seat])],
        }

    def put_area(self, seat: int, area: Mapping[str, Any]) -> None:
        """The reverse of `area`."""
        own = seat * OWN_MAX
        for i, n in enumerate(area["elements"]):
            self.elements[seat * ELEMENTS + i] = n
        self.cubes[seat] = area["cubes"]
        self.studied[seat] = area["studied"]
        self.steps[seat] = area["steps"]
        for i, card in enumerate(area["forest"]):
            self.forest[seat * SPACES + i] = card
        self.n_bag[seat] = area["bag"]
        self.n_pile[seat] = len(area["pile"])
        for i, card in enumerate(area["pile"]):
            self.pile[own + i] = card
        self.n_discard[seat] = len(area["discard"])
        for i, card in enumerate(area["discard"]):
            self.discard[own + i] = card
        self.n_personal[seat] = len(area["personal"])
        for i, card in enumerate(area["personal"]):
            self.personal[own + i] = card
        self.n_shared[seat] = len(area["shared"])
        for i, card in enumerate(area["shared"]):
            self.shared[seat * SHARED_MAX + i] = card
        self.n_projects[seat] = len(area["projects"])
        for i, card in enumerate(area["projects"]):
            self.projects[seat * PROJECTS_MAX + i] = card
        self.n_hand[seat] = len(area["hand"])
        for i, card in enumerate(area["hand"]):
            self.hand[seat * HAND_MAX + i] = card
        self.n_gone[seat] = len(area["banished"])
        for i, card in enumerate(area["banished"]):
            self.gone[own + i] = card

    def mark_began(self) -> None:
        """What the seats have now is what they had when the stage began."""
        self.snapshot()

    def facts(self, seat: int) -> dict[str, Any]:
        """What else belongs to a seat."""
        used = seat * USED_MAX
        return {
            "set": self.set_of[seat],
            "final": self.final[seat],
            "kindness": [self.kindness[seat * SEATS_MAX + i] for i in range(self.seats)],
            "sure": self.n_sure[seat],
            "picks": [self.picks[seat * PICKS_MAX + i] for i in range(self.n_picks[seat])],
            "looked": [self.looked[seat * LOOKED_MAX + i] for i in range(self.n_looked[seat])],
            "used": [(self.used[used + i], self.used_cubes[used + i]) for i in range(self.n_used[seat])],
        }

    def put_facts(self, seat: int, facts: Mapping[str, Any]) -> None:
        """The reverse of `facts`."""
        self.set_of[seat] = facts["set"]
        self.final[seat] = facts["final"]
        for i, n in enumerate(facts["kindness"]):
            self.kindness[seat * SEATS_MAX + i] = n
        self.n_sure[seat] = facts["sure"]
        self.n_picks[seat] = len(facts["picks"])
        for i, card in enumerate(facts["picks"]):
            self.picks[seat * PICKS_MAX + i] = card
        self.n_looked[seat] = len(facts["looked"])
        for i, card in enumerate(facts["looked"]):
            self.looked[seat * LOOKED_MAX + i] = card
        self.n_used[seat] = len(facts["used"])
        for i, (card, cubes) in enumerate(facts["used"]):
            self.used[seat * USED_MAX + i] = card
            self.used_cubes[seat * USED_MAX + i] = cubes

    def put_registers(
        self, seat: int, at: Mapping[str, int], owed: Sequence[int], given: Sequence[int]
    ) -> None:
        """The reverse of `registers`, `owes` and `gives`."""
        self.q[seat] = at["question"]
        self.card[seat] = at["card"]
        self.line[seat] = at["line"]
        self.left[seat] = at["left"]
        self.again[seat] = at["again"]
        self.after[seat] = at["after"]
        self.back[seat] = at["back"]
        self.making[seat] = at["making"]
        self.spent[seat] = at["spent"]
        self.taken[seat] = at["taken"]
        self.columns[seat] = at["columns"]
        for k in range(ELEMENTS):
            self.owed[seat * ELEMENTS + k] = owed[k]
            self.given[seat * ELEMENTS + k] = given[k]

    def put_together(self) -> None:
        """All parts are in place: count who is asked, and put what lies nowhere else into the box."""
        self.waiting = 0
        for card in range(CARDS):
            self.away[card] = IN_BOX
        for i in range(self.n_common):
            self.away[self.common[i]] = IN_PLAY
        for s in range(self.seats):
            if self.q[s] != ASK_NOTHING:
                self.waiting += 1
            own = s * OWN_MAX
            for i in range(self.n_pile[s]):
                self.away[self.pile[own + i]] = IN_PLAY
            for i in range(self.n_discard[s]):
                self.away[self.discard[own + i]] = IN_PLAY
            for i in range(self.n_personal[s]):
                self.away[self.personal[own + i]] = IN_PLAY
            for i in range(self.n_gone[s]):
                self.away[self.gone[own + i]] = IN_PLAY
            for i in range(self.n_shared[s]):
                self.away[self.shared[s * SHARED_MAX + i]] = IN_PLAY
            for i in range(self.n_projects[s]):
                self.away[self.projects[s * PROJECTS_MAX + i]] = IN_PLAY
            for i in range(self.n_hand[s]):
                self.away[self.hand[s * HAND_MAX + i]] = IN_PLAY
            for i in range(self.n_picks[s]):
                self.away[self.picks[s * PICKS_MAX + i]] = IN_PLAY
            for i in range(self.n_looked[s]):
                self.away[self.looked[s * LOOKED_MAX + i]] = IN_PLAY
            for i in range(SPACES):
                if self.forest[s * SPACES + i] != NONE:
                    self.away[self.forest[s * SPACES + i]] = IN_PLAY

    def placed(self) -> list[int]:
        """The cards that are not in the box."""
        return [card for card in range(CARDS) if self.away[card] == IN_PLAY]
