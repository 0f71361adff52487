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

from fabletop.core import chance, copying
from fabletop.core.errors import NotOffered
from fabletop.games.fairy_school import card_tables
from fabletop.games.fairy_school.constants import (
    ACTIONS,
    AIR,
    ALTERNATIVES,
    ANY,
    AREA_FIELDS,
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
    EARTH,
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
    FACTS_FIELDS,
    FIELD_CARDS,
    FIELD_COUNT,
    FIELD_SIZE,
    FINALS_DRAWN_MAX,
    FIRE,
    FIRST_FACT,
    FIRST_FLOW,
    FLOW_FIELDS,
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
    OPTIONS_ROOM,
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
    PLANT,
    PROJECT_FIRST,
    PROJECTS_MAX,
    RATE,
    REALISED_PER_TURN,
    ROW_MARK,
    SAID_MAX,
    SCOUTED,
    SEAT_FIELDS,
    SEATS_MAX,
    SELECTED,
    SETS,
    SETTLED,
    SHARED_MAX,
    SHORT_FINALS,
    SPACES,
    STEPS_LONG,
    STEPS_SHORT,
    USED_MAX,
    WATER,
    WORDS,
    fields_of_flow,
    seat_fields,
    table_fields,
)
from fabletop.games.fairy_school.notation import ACTION_TEXTS

COMPILED = not __file__.endswith(".py")
if not COMPILED:  # compiled, all of them are C: in splitmix.pxd and engine.pxd
    globals().update(
        scramble=chance.scramble, copy_record=copying.copy_fields, **copying.by_name(seat_fields, AREA_FIELDS)
    )
PART_NAMES = [
    None if name.startswith("n_") else name for name in (row[0].removeprefix("was_") for row in seat_fields)
]
FLOW_NAMES = [row[0] for row in fields_of_flow if row[1] == 1]

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
    """Everything true about one year at the school; `start_game` sets it up."""

    def __init__(self, seats: int, setup: int, short: int, wider: int) -> None:
        # options, and where the year is
        self.seats = seats
        self.setup = setup
        self.short = short
        self.wider = wider
        self.stage = 0
        self.together = False
        self.learned = 0
        self.phase = PHASE_OVER
        self.trimester = 0
        self.last = 3 if short else 4
        self.turn = 0
        self.year_turn = 0
        self.draft_round = 0
        self.ended = 0
        self.waiting = 0
        # the table
        self.n_common = 0
        self.n_finals = 0
        self.n_order = 0
        self.at_order = 0
        # scratch, events, counters
        self.n_options = 0
        self.shuffles = 0
        self.decisions = 0
        self.answers = 0
        self.listening = 0
        self.n_said = 0
        self.rows: list[tuple[int, ...]] = []
        if not COMPILED:  # C arrays are there from the start
            self.make_arrays()
        self.clear()

    def make_arrays(self) -> None:
        """The arrays, as lists; `seat_fields` in constants.py says which there are."""
        self.words = list([0] * WORDS)
        # the table
        self.common = list([0] * COMMON_MAX)
        self.away = list([IN_BOX] * CARDS)
        self.finals = list([0] * FINALS_DRAWN_MAX)
        self.order = list([0] * SEATS_MAX)
        # the seats' areas
        self.elements = list([0] * (SEATS_MAX * ELEMENTS))
        self.studied = list([0] * SEATS_MAX)
        self.cubes = list([0] * SEATS_MAX)
        self.steps = list([0] * SEATS_MAX)
        self.forest = list([NONE] * (SEATS_MAX * SPACES))
        self.bag = list([0] * SEATS_MAX)
        self.n_pile = list([0] * SEATS_MAX)
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
        self.n_banished = list([0] * SEATS_MAX)
        self.banished = list([0] * (SEATS_MAX * OWN_MAX))
        # the same as the stage began
        self.was_elements = list([0] * (SEATS_MAX * ELEMENTS))
        self.was_studied = list([0] * SEATS_MAX)
        self.was_cubes = list([0] * SEATS_MAX)
        self.was_steps = list([0] * SEATS_MAX)
        self.was_forest = list([NONE] * (SEATS_MAX * SPACES))
        self.was_bag = list([0] * SEATS_MAX)
        self.was_n_pile = list([0] * SEATS_MAX)
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
        self.was_n_banished = list([0] * SEATS_MAX)
        self.was_banished = list([0] * (SEATS_MAX * OWN_MAX))
        # what else belongs to a seat
        self.set = list([SETS] * SEATS_MAX)
        self.final = list([NONE] * SEATS_MAX)
        self.kindness = list([0] * (SEATS_MAX * SEATS_MAX))
        self.sure = list([0] * SEATS_MAX)
        self.n_picks = list([0] * SEATS_MAX)
        self.picks = list([0] * (SEATS_MAX * PICKS_MAX))
        self.n_looked = list([0] * SEATS_MAX)
        self.looked = list([0] * (SEATS_MAX * LOOKED_MAX))
        self.n_used = list([0] * SEATS_MAX)
        self.used = list([0] * (SEATS_MAX * USED_MAX))
        self.used_cubes = list([0] * (SEATS_MAX * USED_MAX))
        # the seats' flows
        self.question = list([ASK_NOTHING] * SEATS_MAX)
        self.card = list([NONE] * SEATS_MAX)
        self.line = list([0] * SEATS_MAX)
        self.left = list([0] * SEATS_MAX)
        self.again = list([0] * SEATS_MAX)
        self.after = list([ASK_NOTHING] * SEATS_MAX)
        self.back = list([ASK_NOTHING] * SEATS_MAX)
        self.making = list([NO_ELEMENT] * SEATS_MAX)
        self.spent = list([0] * SEATS_MAX)
        self.taken = list([0] * SEATS_MAX)
        self.columns = list([0] * SEATS_MAX)
        self.owed = list([0] * (SEATS_MAX * ELEMENTS))
        self.given = list([0] * (SEATS_MAX * ELEMENTS))
        # scratch: means nothing between two calls
        self.options = list([0] * OPTIONS_ROOM)
        self.deck = list([0] * CARDS)
        self.slots = list([0] * CARDS)
        self.said = list([0] * SAID_MAX)

    def clone(self) -> State:
        """An independent copy; events noted so far stay with the original."""
        g = State.__new__(State)
        g.become(self)
        g.rows = []
        return g

    def become(self, other: State) -> None:
        """Copy another state of the same game into this one: what `clone` does, without making an object."""
        copy_record(self, other)  # type: ignore[name-defined]  # noqa: F821
        self.listening = 0
        self.n_said = 0
        self.n_options = 0
        self.shuffles = 0
        self.decisions = 0
        self.answers = 0

    # ------------------------------------------------------------------------------------ chance and events

    def below(self, stream: int, n: int) -> int:
        """A number from 0 to n - 1 from one of the streams (SplitMix64, as `fabletop.core.chance`)."""
        return ((self.word(stream) >> 32) * n) >> 32

    def word(self, stream: int) -> int:
        """The next 64 bits of a stream."""
        z = (self.words[stream] + GOLDEN) & MASK64
        self.words[stream] = z
        return scramble(z)  # type: ignore[name-defined,no-any-return]  # noqa: F821

    def put(self, value: int) -> None:
        """Add a value to the event being said."""
        if self.listening and self.n_said < SAID_MAX:
            self.said[self.n_said] = value
            self.n_said += 1

    def say(self, kind: int) -> None:
        """Begin an event; free when nobody listens. In the buffer stand a mark, its kind, its values."""
        if self.listening:
            self.put(ROW_MARK)
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
            self.say(kind)
            self.put(a)
            self.put(b)
            self.put(c)
            self.put(d)

    def put_amounts(self, earth: int, plant: int, fire: int, water: int, air: int) -> None:
        self.put(earth)
        self.put(plant)
        self.put(fire)
        self.put(water)
        self.put(air)

    # ------------------------------------------------------------------------------------ stages

    def enter(self, phase: int, together: int) -> None:
        """F-3.2: a stage begins; nobody is asked yet, and what is so now is what the others see until it closes."""
        self.phase = phase
        self.together = together != 0
        self.stage += 1
        self.waiting = 0
        self.learned = (1 << (self.seats + 1)) - 1
        for seat in range(self.seats):
            self.question[seat] = ASK_NOTHING
        self.snapshot()

    def snapshot(self) -> None:
        """Everything a seat can change in a stage, as the stage begins."""
        copy_areas(self)  # type: ignore[name-defined]  # noqa: F821

    def restore(self, seat: int) -> None:
        """Put a seat back to where it stood when the stage began, before its first answer."""
        restore_area(self, seat)  # type: ignore[name-defined]  # noqa: F821
        self.n_used[seat] = 0
        self.n_looked[seat] = 0
        self.forget(seat)

    def forget(self, seat: int) -> None:
        """A seat's flow is at rest: nothing is asked, nothing is owed."""
        empty_fields(self, FIRST_FLOW, SEAT_FIELDS, seat)  # type: ignore[name-defined]  # noqa: F821

    def open_seat(self, seat: int) -> None:
        """Put the first question of the stage to a seat, unless public facts leave it nothing to decide."""
        self.forget(seat)
        phase = self.phase
        if phase == PHASE_DRAFT or phase == PHASE_SETTLE_DRAFT:
            self.question[seat] = ASK_DRAFT
        elif phase == PHASE_SETTLE:
            if self.n_hand[seat] > 0:
                self.question[seat] = ASK_SETTLE
        elif phase == PHASE_DROP:
            if self.n_projects[seat] > KEPT:
                self.question[seat] = ASK_DROP
        elif phase == PHASE_PLAN:
            if self.n_hand[seat] > 0:
                self.plan_next(seat)
        elif phase == PHASE_SELECT:
            self.question[seat] = ASK_SELECT
        elif phase == PHASE_ACTIVATE:
            self.question[seat] = ASK_ACTIVATE
            self.offer_activate(seat)
            if self.n_options == 1:
                self.question[seat] = ASK_NOTHING
        elif phase == PHASE_STUDY:
            self.question[seat] = ASK_STUDY
            self.offer_study(seat)
            if self.n_options == 1:
                self.question[seat] = ASK_NOTHING
        elif phase == PHASE_REALISE:
            self.question[seat] = ASK_REALISE
            self.offer_realise(seat)
            if self.n_options == 1:
                self.question[seat] = ASK_NOTHING
        elif phase == PHASE_BONUS:
            if self.leads(seat):
                self.question[seat] = ASK_BONUS
        elif phase == PHASE_SPEND and not self.completed(seat):
            self.question[seat] = ASK_SPEND
            self.offer_realise(seat)
            if self.n_options == 1:
                self.question[seat] = ASK_NOTHING

    def open_stage(self) -> None:
        """Ask every seat that has something to decide; a stage that asks nobody closes at once."""
        for seat in range(self.seats):
            self.open_seat(seat)
            if self.question[seat] != ASK_NOTHING:
                self.waiting += 1
        if self.waiting == 0:
            self.close_stage()

    def finish(self, seat: int) -> None:
        """A seat has finished the stage; with the last of them it closes."""
        self.question[seat] = ASK_NOTHING
        self.waiting -= 1
        if self.waiting == 0:
            self.close_stage()

    def close_stage(self) -> None:
        """F-3.2: all have finished; what they did becomes public, and the next phase starts."""
        self.say(EV_CLOSED)
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

    def draw_card(self, seat: int) -> int:
        """F-3.3: the top card; an empty pile takes the shuffled discard first; NONE if both are empty.

        Realised projects lie on top in a known order; the rest is a bag from which a card is drawn at random.
        """
        base = seat * OWN_MAX
        n = self.n_pile[seat]
        if n == 0:
            n = self.n_discard[seat]
            if n == 0:
                return NONE
            for i in range(base, base + n):
                self.pile[i] = self.discard[i]
            self.n_discard[seat] = 0
            self.bag[seat] = n
            self.shuffles += 1
        n -= 1
        self.n_pile[seat] = n
        if n >= self.bag[seat]:
            return self.pile[base + n]
        i = base + self.below(seat, n + 1)
        card = self.pile[i]
        self.pile[i] = self.pile[base + n]
        self.bag[seat] = n
        return card

    def to_discard(self, seat: int, card: int) -> None:
        n = self.n_discard[seat]
        self.discard[seat * OWN_MAX + n] = card
        self.n_discard[seat] = n + 1

    def to_personal(self, seat: int, card: int) -> None:
        n = self.n_personal[seat]
        self.personal[seat * OWN_MAX + n] = card
        self.n_personal[seat] = n + 1

    def to_hand(self, seat: int, card: int) -> None:
        n = self.n_hand[seat]
        self.hand[seat * HAND_MAX + n] = card
        self.n_hand[seat] = n + 1

    def from_hand(self, seat: int, card: int) -> None:
        """Take a card out of the hand; the others keep their order."""
        base = seat * HAND_MAX
        n = self.n_hand[seat] - 1
        i = base
        while self.hand[i] != card:
            i += 1
        while i < base + n:
            self.hand[i] = self.hand[i + 1]
            i += 1
        self.n_hand[seat] = n

    def to_projects(self, seat: int, card: int) -> None:
        n = self.n_projects[seat]
        self.projects[seat * PROJECTS_MAX + n] = card
        self.n_projects[seat] = n + 1

    def from_projects(self, seat: int, card: int) -> None:
        base = seat * PROJECTS_MAX
        n = self.n_projects[seat] - 1
        i = base
        while self.projects[i] != card:
            i += 1
        while i < base + n:
            self.projects[i] = self.projects[i + 1]
            i += 1
        self.n_projects[seat] = n

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

    def can_pay(self, seat: int, earth: int, plant: int, fire: int, water: int, air: int, more: int) -> int:
        """F-1.3: whether the seat can pay this, by whatever conversions, and `more` elements of any kind besides.

        Exact: what is spare is worth one element each to any conversion; a spare air makes any other element alone,
        so it goes to plant and fire first, which cost four, then to earth and water, which cost three. Spare air
        and missing air exclude each other, and no detour over a third element is ever cheaper.
        """
        i = seat * ELEMENTS
        earth = self.elements[i] - earth
        plant = self.elements[i + 1] - plant
        fire = self.elements[i + 2] - fire
        water = self.elements[i + 3] - water
        air = self.elements[i + 4] - air
        if more == 0 and earth >= 0 and plant >= 0 and fire >= 0 and water >= 0 and air >= 0:
            return 1
        spare = 0
        cheap = 0
        dear = 0
        if earth < 0:
            cheap -= earth
        else:
            spare += earth
        if water < 0:
            cheap -= water
        else:
            spare += water
        if plant < 0:
            dear -= plant
        else:
            spare += plant
        if fire < 0:
            dear -= fire
        else:
            spare += fire
        if air < 0:
            more -= 6 * air
        elif air >= dear:
            air -= dear
            dear = 0
            cheap = 0 if air >= cheap else cheap - air
        else:
            dear -= air
        return 1 if more + 4 * dear + 3 * cheap <= spare else 0

    def can_pay_line(self, seat: int, row: int) -> int:
        i = row * ELEMENTS
        return self.can_pay(seat, COST[i], COST[i + 1], COST[i + 2], COST[i + 3], COST[i + 4], 0)

    def can_pay_times(self, seat: int, row: int, k: int) -> int:
        i = row * ELEMENTS
        return self.can_pay(
            seat, k * COST[i], k * COST[i + 1], k * COST[i + 2], k * COST[i + 3], k * COST[i + 4], 0
        )

    def owe(self, seat: int, earth: int, plant: int, fire: int, water: int, air: int, after: int) -> None:
        """Something is to be paid; `after` says what follows when it is."""
        i = seat * ELEMENTS
        self.owed[i] = earth
        self.owed[i + 1] = plant
        self.owed[i + 2] = fire
        self.owed[i + 3] = water
        self.owed[i + 4] = air
        self.after[seat] = after
        self.making[seat] = NO_ELEMENT
        self.spent[seat] = 0
        self.pay(seat)

    def lacking(self, seat: int) -> int:
        """The first element of which more is owed than there is; NO_ELEMENT if all can be paid at once."""
        i = seat * ELEMENTS
        for k in range(ELEMENTS):
            if self.elements[i + k] < self.owed[i + k]:
                return k
        return NO_ELEMENT

    def pay(self, seat: int) -> None:
        """F-6.9: pay what is owed; what is missing is made by conversions that the seat names, one element at a time.

        The first element of each conversion is always asked for, even where only one will do: nothing is converted
        unasked. Further ones without an alternative follow by themselves.
        """
        while True:
            if self.making[seat] == NO_ELEMENT:
                missing = self.lacking(seat)
                if missing == NO_ELEMENT:
                    break
                self.making[seat] = missing
                self.spent[seat] = 0
            self.offer_pay(seat)
            if self.spent[seat] == 0 or self.n_options > 1:
                self.question[seat] = ASK_PAY
                return
            self.spend(seat, self.options[0] - DO_SPEND)
        i = seat * ELEMENTS
        sum_owed = 0
        for k in range(i, i + ELEMENTS):
            sum_owed += self.owed[k]
            self.elements[k] -= self.owed[k]
        if sum_owed:
            self.say1(EV_PAID, seat)
            self.put_amounts(
                self.owed[i], self.owed[i + 1], self.owed[i + 2], self.owed[i + 3], self.owed[i + 4]
            )
        for k in range(i, i + ELEMENTS):
            self.owed[k] = 0
        self.paid(seat)

    def offer_pay(self, seat: int) -> None:
        """What may be spent next to make the missing element: nothing that is itself owed, and it must work out."""
        i = seat * ELEMENTS
        missing = self.making[seat]
        self.n_options = 0
        rest = RATE[missing] - self.spent[seat] - 1
        for k in range(AIR):
            if self.elements[i + k] > self.owed[i + k]:
                self.elements[i + k] -= 1
                if self.works_out(seat, missing, rest):
                    self.offer(DO_SPEND + k)
                self.elements[i + k] += 1
        if self.spent[seat] == 0 and missing != AIR and self.elements[i + AIR] > self.owed[i + AIR]:
            self.elements[i + AIR] -= 1
            if self.works_out(seat, missing, 0):
                self.offer(DO_SPEND + AIR)
            self.elements[i + AIR] += 1

    def works_out(self, seat: int, made: int, more: int) -> int:
        """Whether all that is owed can still be paid, one `made` element being on its way for `more` elements.

        A Repeat that is no exchange must also leave enough for a card to be repeated (F-5.3).
        """
        i = seat * ELEMENTS
        earth = self.owed[i] - (1 if made == EARTH else 0)
        plant = self.owed[i + 1] - (1 if made == PLANT else 0)
        fire = self.owed[i + 2] - (1 if made == FIRE else 0)
        water = self.owed[i + 3] - (1 if made == WATER else 0)
        air = self.owed[i + 4] - (1 if made == AIR else 0)
        if self.after[seat] == ASK_LINE:
            row = self.card[seat] * 2 + self.line[seat]
            if OP[row] == OP_REPEAT and not EXCHANGE[row]:
                return self.can_repeat(seat, self.card[seat], earth, plant, fire, water, air, more)
        return self.can_pay(seat, earth, plant, fire, water, air, more)

    def spend(self, seat: int, element: int) -> None:
        """F-1.3: one element goes into the conversion under way; air alone makes any other element."""
        i = seat * ELEMENTS
        made = self.making[seat]
        joker = element == AIR and made != AIR and self.spent[seat] == 0
        self.elements[i + element] -= 1
        self.given[i + element] += 1
        self.spent[seat] += 1
        if joker or self.spent[seat] == RATE[made]:
            self.elements[i + made] += 1
            self.say2(EV_CONVERTED, seat, made)
            self.put_amounts(
                self.given[i], self.given[i + 1], self.given[i + 2], self.given[i + 3], self.given[i + 4]
            )
            for k in range(i, i + ELEMENTS):
                self.given[k] = 0
            self.making[seat] = NO_ELEMENT
            self.spent[seat] = 0

    def paid(self, seat: int) -> None:
        """Go on with what was paid for."""
        after = self.after[seat]
        self.after[seat] = ASK_NOTHING
        if after == ASK_SELECT:
            self.play_column(seat)
        elif after == ASK_LINE:
            self.carry_out(seat)
        elif after == ASK_FINAL:
            self.complete_step(seat)
        else:
            self.realise(seat)

    def total(self, seat: int) -> int:
        """How many elements the seat has; air counts one."""
        i = seat * ELEMENTS
        return (
            self.elements[i]
            + self.elements[i + 1]
            + self.elements[i + 2]
            + self.elements[i + 3]
            + self.elements[i + 4]
        )

    def offer_conversion(self, seat: int) -> None:
        """F-6.9: a voluntary conversion, wherever a seat has something to decide."""
        if self.elements[seat * ELEMENTS + AIR] > 0 or self.total(seat) >= RATE[0]:
            self.offer(DO_CONVERT)

    def offer_convert(self, seat: int) -> None:
        """F-1.3: what can be made."""
        self.n_options = 0
        total = self.total(seat)
        air = self.elements[seat * ELEMENTS + AIR]
        for k in range(ELEMENTS):
            if total >= RATE[k] or (air > 0 and k != AIR):
                self.offer(DO_MAKE + k)
        self.offer(DO_CANCEL)

    def offer_convert_with(self, seat: int) -> None:
        """F-1.3: what goes into it, one element at a time; air first makes any other element alone."""
        self.n_options = 0
        i = seat * ELEMENTS
        made = self.making[seat]
        spent = self.spent[seat]
        enough = self.total(seat) + spent >= RATE[made]
        for k in range(ELEMENTS):
            if self.elements[i + k] > 0 and (enough or (k == AIR and made != AIR and spent == 0)):
                self.offer(DO_SPEND + k)
        if spent == 0:
            self.offer(DO_CANCEL)

    def convert(self, seat: int) -> None:
        """F-6.9: a voluntary conversion; then the question goes on as it was."""
        self.back[seat] = self.question[seat]
        self.question[seat] = ASK_CONVERT

    def choose_made(self, seat: int, action: int) -> None:
        """F-1.3: what is to be made, or nothing after all."""
        if action == DO_CANCEL:
            self.end_conversion(seat)
        else:
            self.making[seat] = action - DO_MAKE
            self.spent[seat] = 0
            self.question[seat] = ASK_CONVERT_WITH

    def choose_spent(self, seat: int, action: int) -> None:
        """F-1.3: what goes into it, or nothing after all."""
        if action == DO_CANCEL:
            self.making[seat] = NO_ELEMENT
            self.end_conversion(seat)
        else:
            self.convert_with(seat, action - DO_SPEND)

    def end_conversion(self, seat: int) -> None:
        """Back to the question that was asked before."""
        self.question[seat] = self.back[seat]
        self.back[seat] = ASK_NOTHING

    def convert_with(self, seat: int, element: int) -> None:
        """F-1.3: spend, and go on by oneself where there is only one kind left."""
        self.spend(seat, element)
        while self.making[seat] != NO_ELEMENT:
            self.offer_convert_with(seat)
            if self.n_options > 1:
                return
            self.spend(seat, self.options[0] - DO_SPEND)
        self.end_conversion(seat)

    # ------------------------------------------------------------------------------------ F-2 set-up

    def clear(self) -> None:
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
        for seat in range(SEATS_MAX):
            empty_fields(self, 0, SEAT_FIELDS, seat)  # type: ignore[name-defined]  # noqa: F821
        for card in range(CARDS):
            self.away[card] = IN_BOX

    def begin_year(self) -> None:
        """F-2.1: start decks, cubes, elements, S cards; then the first trimester."""
        for seat in range(self.seats):
            for k in range(AIR):
                self.elements[seat * ELEMENTS + k] = 1
            self.cubes[seat] = CUBES_SHORT if self.short else CUBES_FULL
            for k in range(12):
                self.pile[seat * OWN_MAX + k] = 12 * seat + k
                self.away[12 * seat + k] = IN_PLAY
            self.n_pile[seat] = 12
            self.bag[seat] = 12
        if self.setup == EXPERT:
            self.deal_draft(0, DRAFT_SIZE_OF_TWO if self.seats == 2 else DRAFT_SIZE)
            self.open_stage()
        else:
            self.deal_sets()

    def deal_sets(self) -> None:
        """F-2.2, F-1.10: predefined sets at random; F-2.4: the sixth player's four; F-2.6: two players' fifth card."""
        n = SETS if self.seats <= SETS else SEATS_MAX
        for k in range(n):
            self.slots[k] = k
        for seat in range(self.seats):
            i = self.below(self.seats, n - seat)
            letter = self.slots[i]
            self.slots[i] = self.slots[n - seat - 1]
            self.set[seat] = letter
            self.say2(EV_SET_DEALT, seat, letter)
            if letter < SETS:
                for k in range(letter * 4, letter * 4 + 4):
                    self.away[SET_CARD[k]] = IN_PLAY
                    if SET_PLACE[k] > 0:
                        self.forest[seat * SPACES + SET_PLACE[k] - 1] = SET_CARD[k]
                    else:
                        self.to_discard(seat, SET_CARD[k])
        if self.seats == 2:
            for seat in range(self.seats):
                n = self.gather(0)
                card = self.lot(self.seats, n)
                self.to_discard(seat, card)
                self.say2(EV_DISCARDED, seat, card)
        if self.seats > SETS:
            for seat in range(self.seats):
                if self.set[seat] == SETS:
                    for _ in range(DRAFT_SIZE):
                        n = self.gather(0)
                        self.to_hand(seat, self.lot(self.seats, n))
                    self.say_hand(seat)
            self.begin_settle()
        else:
            self.begin_trimester()

    def say_hand(self, seat: int) -> None:
        self.say1(EV_HAND_GOT, seat)
        for i in range(self.n_hand[seat]):
            self.put(self.hand[seat * HAND_MAX + i])

    def begin_settle(self) -> None:
        """F-2.5: two of the S cards in hand go into the top row, the others into the discard."""
        self.enter(PHASE_SETTLE, 1)
        self.open_stage()

    def offer_settle(self, seat: int) -> None:
        self.n_options = 0
        if self.taken[seat] < SETTLED:
            for i in range(self.n_hand[seat]):
                self.offer(DO_CARD + self.hand[seat * HAND_MAX + i])
        else:
            self.offer(DO_DONE)

    def offer_settle_space(self, seat: int) -> None:
        self.n_options = 0
        for space in range(COLUMNS):
            if self.forest[seat * SPACES + space] == NONE:
                self.offer(DO_SPACE + space)

    def choose_settled(self, seat: int, action: int) -> None:
        """F-2.5: a card to lay into the top row, or done."""
        if action == DO_DONE:
            self.finish(seat)
        else:
            self.card[seat] = action
            self.question[seat] = ASK_SETTLE_SPACE

    def settle(self, seat: int, space: int) -> None:
        """F-2.5: on any space of the top row."""
        card = self.card[seat]
        self.forest[seat * SPACES + space] = card
        self.from_hand(seat, card)
        self.card[seat] = NONE
        self.taken[seat] += 1
        self.say3(EV_SETTLED, seat, card, space)
        self.question[seat] = ASK_SETTLE

    def close_settle(self) -> None:
        """F-2.2: what was not laid into the forest begins in the discard."""
        for seat in range(self.seats):
            if self.n_hand[seat] > 0:
                self.say1(EV_DISCARDED, seat)
                for i in range(self.n_hand[seat]):
                    self.to_discard(seat, self.hand[seat * HAND_MAX + i])
                    self.put(self.hand[seat * HAND_MAX + i])
                self.n_hand[seat] = 0
            self.n_picks[seat] = 0
        self.begin_trimester()

    # ------------------------------------------------------------------------------------ F-3 the year

    def begin_trimester(self) -> None:
        """F-3.1, F-4.1: the next trimester begins with its projects; F-2.3: those of the beginners are given."""
        self.trimester += 1
        self.turn = 0
        self.say1(EV_TRIMESTER_BEGAN, self.named_trimester())
        if self.trimester == self.last:
            self.begin_finals()
        elif self.trimester == 1 and self.setup == BEGINNERS:
            for seat in range(self.seats):
                self.say1(EV_PROJECTS_GIVEN, seat)
                for k in range(self.set[seat] * KEPT, self.set[seat] * KEPT + KEPT):
                    self.to_projects(seat, SET_PROJECT[k])
                    self.put(SET_PROJECT[k])
                    self.away[SET_PROJECT[k]] = IN_PLAY
            n = self.gather(1)
            self.say(EV_COMMON_GOT)
            for seat in range(self.seats):
                card = self.lot(self.seats, n - seat)
                self.to_common(card)
                self.put(card)
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
        for seat in range(self.seats):
            self.n_hand[seat] = 0
            self.n_picks[seat] = 0
            for _ in range(size):
                self.to_hand(seat, self.lot(self.seats, n))
                n -= 1
            self.say_hand(seat)
        self.draft_round = 0
        self.enter(PHASE_DRAFT if which else PHASE_SETTLE_DRAFT, 1)

    def passing(self) -> int:
        """F-4.1: how many seats on a hand is passed: right in I and III, left in II; F-2.5: S cards left."""
        return 1 if PASSED_LEFT[self.trimester] else self.seats - 1

    def offer_draft(self, seat: int) -> None:
        self.n_options = 0
        for i in range(self.n_hand[seat]):
            self.offer(DO_CARD + self.hand[seat * HAND_MAX + i])

    def pick_card(self, seat: int, card: int) -> None:
        """F-4.1: the card to keep; it goes to the picks when all have chosen."""
        self.card[seat] = card
        self.say2(EV_PICKED, seat, card)
        self.finish(seat)

    def to_picks(self, seat: int, card: int) -> None:
        self.from_hand(seat, card)
        self.picks[seat * PICKS_MAX + self.n_picks[seat]] = card
        self.n_picks[seat] += 1

    def close_draft(self) -> None:
        """F-4.1: the picks are put aside and the rest is passed on; the last card is nobody's choice."""
        for seat in range(self.seats):
            self.to_picks(seat, self.card[seat])
        self.draft_round += 1
        self.pass_hands()
        if self.n_hand[0] > 1:
            self.enter(self.phase, 1)
            self.open_stage()
            return
        for seat in range(self.seats):
            self.say2(EV_PICKED, seat, self.hand[seat * HAND_MAX])
            self.to_picks(seat, self.hand[seat * HAND_MAX])
        self.draft_round += 1
        if self.phase == PHASE_SETTLE_DRAFT:
            for seat in range(self.seats):
                for i in range(self.n_picks[seat]):
                    self.to_hand(seat, self.picks[seat * PICKS_MAX + i])
            self.begin_settle()
        else:
            self.begin_drop()

    def pass_hands(self) -> None:
        step = self.passing()
        n = self.n_hand[0]
        for seat in range(self.seats):
            for i in range(n):
                self.slots[seat * HAND_MAX + i] = self.hand[seat * HAND_MAX + i]
        for seat in range(self.seats):
            to = (seat + step) % self.seats
            for i in range(n):
                self.hand[to * HAND_MAX + i] = self.slots[seat * HAND_MAX + i]
        for seat in range(self.seats):
            self.say_hand(seat)

    def begin_drop(self) -> None:
        """F-4.2: of the drafted and the unfinished projects everyone keeps exactly three."""
        self.enter(PHASE_DROP, 1)
        for seat in range(self.seats):
            self.merge_picks(seat)
        self.open_stage()

    def merge_picks(self, seat: int) -> None:
        for i in range(self.n_picks[seat]):
            self.to_projects(seat, self.picks[seat * PICKS_MAX + i])

    def offer_drop(self, seat: int) -> None:
        self.n_options = 0
        if self.n_projects[seat] > KEPT:
            for i in range(self.n_projects[seat]):
                self.offer(DO_CARD + self.projects[seat * PROJECTS_MAX + i])
        else:
            self.offer(DO_DONE)

    def drop(self, seat: int, action: int) -> None:
        """F-4.2: a project that is not kept, or done."""
        if action == DO_DONE:
            self.finish(seat)
        else:
            self.from_projects(seat, action)
            self.to_hand(seat, action)
            self.say2(EV_DROPPED, seat, action)

    def close_drop(self) -> None:
        """F-4.2: what is not kept goes to the common discard; F-4.3: now all is public."""
        for seat in range(self.seats):
            for i in range(self.n_hand[seat]):
                self.to_common(self.hand[seat * HAND_MAX + i])
            self.n_hand[seat] = 0
            self.n_picks[seat] = 0
            self.say1(EV_KEPT, seat)
            for i in range(self.n_projects[seat]):
                self.put(self.projects[seat * PROJECTS_MAX + i])
        self.begin_turn()

    # ------------------------------------------------------------------------------------ F-5 a turn

    def begin_turn(self) -> None:
        """F-5.7: count the turn; then phase 0 for those without a project, but not in the last trimester."""
        self.turn += 1
        self.year_turn += 1
        self.say2(EV_TURN_BEGAN, self.named_trimester(), self.turn)
        if self.trimester == self.last:
            self.begin_plan()
            return
        idle = 0
        for seat in range(self.seats):
            if self.n_projects[seat] == 0:
                idle |= 1 << seat
        if idle == 0:
            self.begin_plan()
            return
        self.set_order(idle)
        self.enter(PHASE_GOAL, 0)
        self.next_goal()

    def set_order(self, who: int) -> None:
        """F-5.0: most kindness first, then fewest elements, then at random; measured once."""
        self.n_order = 0
        self.at_order = 0
        while who:
            n = 0
            best = -1
            for seat in range(self.seats):
                if who >> seat & 1:
                    rank = self.kindness_of(seat) * 4096 + 4095 - self.total(seat)
                    if rank > best:
                        best = rank
                        n = 0
                    if rank == best:
                        self.slots[n] = seat
                        n += 1
            seat = self.slots[self.below(self.seats, n) if n > 1 else 0]
            self.order[self.n_order] = seat
            self.n_order += 1
            who ^= 1 << seat
        self.say(EV_ORDER_SET)
        for i in range(self.n_order):
            self.put(self.order[i])

    def kindness_of(self, seat: int) -> int:
        """All cubes of others that this seat has received."""
        cubes = 0
        for t in range(self.seats):
            cubes += self.kindness[seat * SEATS_MAX + t]
        return cubes

    def next_goal(self) -> None:
        """F-5.0: the next one in order takes a project of this trimester from the common discard, if there is one."""
        while self.at_order < self.n_order:
            seat = self.order[self.at_order]
            self.forget(seat)
            self.offer_goal(seat)
            if self.n_options > 1:
                self.question[seat] = ASK_GOAL
                self.waiting = 1
                return
            if self.n_options == 1:
                self.give_goal(seat, self.options[0])
            else:
                self.say1(EV_GOAL_MISSING, seat)
                self.at_order += 1
        self.n_order = 0
        self.at_order = 0
        self.say(EV_CLOSED)
        self.begin_plan()

    def offer_goal(self, seat: int) -> None:
        self.n_options = 0
        for i in range(self.n_common):
            card = self.common[i]
            if DECK_FIRST[self.trimester] <= card < DECK_END[self.trimester]:
                self.offer(DO_CARD + card)

    def take_goal(self, seat: int, card: int) -> None:
        """F-5.0: the project that was chosen; then the next seat."""
        self.give_goal(seat, card)
        self.question[seat] = ASK_NOTHING
        self.next_goal()

    def give_goal(self, seat: int, card: int) -> None:
        i = 0
        while self.common[i] != card:
            i += 1
        self.n_common -= 1
        while i < self.n_common:
            self.common[i] = self.common[i + 1]
            i += 1
        self.to_projects(seat, card)
        self.say2(EV_GOAL_TAKEN, seat, card)
        self.at_order += 1

    def begin_plan(self) -> None:
        """F-5.1: phase 1, draw as many cards as there are empty spaces; everyone from the own stream of chance."""
        for seat in range(self.seats):
            empty = 0
            for i in range(seat * SPACES, seat * SPACES + SPACES):
                if self.forest[i] == NONE:
                    empty += 1
            before = self.n_pile[seat]
            known = before - self.bag[seat]
            self.shuffles = 0
            for _ in range(empty):
                card = self.draw_card(seat)
                if card == NONE:
                    break
                self.to_hand(seat, card)
            drawn = self.n_hand[seat]
            # What everyone can tell: the known top cards, the whole of a pile that ran out, or all there is.
            if self.shuffles or drawn == before:
                self.sure[seat] = before
            else:
                self.sure[seat] = known if known < drawn else drawn
            if self.n_pile[seat] == 0:
                self.sure[seat] = drawn
            if self.shuffles:
                self.say1(EV_SHUFFLED, seat)
            if drawn:
                self.say2(EV_DREW, seat, drawn)
                for i in range(drawn):
                    self.put(self.hand[seat * HAND_MAX + i])
        self.enter(PHASE_PLAN, 1)
        self.open_stage()

    def plan_next(self, seat: int) -> None:
        """The next card to place: a lone one needs no choosing, nor does a lone space for it."""
        if self.n_hand[seat] != 1:
            self.question[seat] = ASK_PLAN
            return
        self.card[seat] = self.hand[seat * HAND_MAX]
        self.plan_where(seat)

    def plan_where(self, seat: int) -> None:
        self.offer_plan_space(seat)
        if self.n_options == 1:
            self.place(seat, self.options[0] - DO_SPACE)
        else:
            self.question[seat] = ASK_PLAN_SPACE

    def offer_plan(self, seat: int) -> None:
        self.n_options = 0
        for i in range(self.n_hand[seat]):
            self.offer(DO_CARD + self.hand[seat * HAND_MAX + i])
        if self.n_hand[seat] == 0:
            self.offer(DO_DONE)

    def offer_plan_space(self, seat: int) -> None:
        self.n_options = 0
        for space in range(SPACES):
            if self.forest[seat * SPACES + space] == NONE:
                self.offer(DO_SPACE + space)

    def plan(self, seat: int, action: int) -> None:
        """F-5.1: a drawn card to place, or done."""
        if action == DO_DONE:
            self.finish(seat)
        else:
            self.card[seat] = action
            self.plan_where(seat)

    def place(self, seat: int, space: int) -> None:
        """F-5.1: a drawn card on an empty space."""
        card = self.card[seat]
        self.forest[seat * SPACES + space] = card
        self.from_hand(seat, card)
        self.card[seat] = NONE
        self.say3(EV_PLACED, seat, card, space)
        self.plan_next(seat)

    def begin_select(self) -> None:
        """F-5.2: phase 2, choose one or two columns."""
        for seat in range(self.seats):
            self.sure[seat] = 0
        self.enter(PHASE_SELECT, 1)
        self.open_stage()

    def offer_select(self, seat: int) -> None:
        self.n_options = 0
        if self.taken[seat] < SELECTED:
            for column in range(COLUMNS):
                if self.columns[seat] >> column & 1 == 0:
                    k = COLUMN_COST[column]
                    if k == NO_ELEMENT or self.elements[seat * ELEMENTS + k] > 0:
                        self.offer(DO_COLUMN + column)
                    elif self.can_pay(
                        seat,
                        1 if k == EARTH else 0,
                        1 if k == PLANT else 0,
                        1 if k == FIRE else 0,
                        1 if k == WATER else 0,
                        0,
                        0,
                    ):
                        self.offer(DO_COLUMN + column)
        if self.taken[seat] > 0:
            self.offer(DO_DONE)

    def choose_column(self, seat: int, action: int) -> None:
        """F-5.2: a column to play, or done."""
        if action == DO_DONE:
            self.finish(seat)
        else:
            self.select(seat, action - DO_COLUMN)

    def select(self, seat: int, column: int) -> None:
        """F-5.2: pay the cost of the column."""
        self.left[seat] = column
        k = COLUMN_COST[column]
        self.owe(
            seat,
            1 if k == EARTH else 0,
            1 if k == PLANT else 0,
            1 if k == FIRE else 0,
            1 if k == WATER else 0,
            0,
            ASK_SELECT,
        )

    def play_column(self, seat: int) -> None:
        """F-5.2: the top card goes to the shared zone, the bottom card to the personal one."""
        column = self.left[seat]
        self.left[seat] = 0
        self.columns[seat] |= 1 << column
        self.taken[seat] += 1
        self.say2(EV_COLUMN_CHOSEN, seat, column)
        top = seat * SPACES + column
        if self.forest[top] != NONE:
            self.shared[seat * SHARED_MAX + self.n_shared[seat]] = self.forest[top]
            self.n_shared[seat] += 1
            self.forest[top] = NONE
        bottom = top + COLUMNS
        if self.forest[bottom] != NONE:
            self.to_personal(seat, self.forest[bottom])
            self.forest[bottom] = NONE
        self.question[seat] = ASK_SELECT

    def begin_activate(self) -> None:
        """F-5.3: phase 3, activate cards."""
        self.enter(PHASE_ACTIVATE, 1)
        self.open_stage()

    def neighbours(self) -> int:
        """F-1.1: how many others' shared zones a seat can reach; two players have one neighbour."""
        return 1 if self.seats == 2 else 2

    def neighbour(self, seat: int, k: int) -> int:
        """F-1.1, F-2.8: the k-th seat whose shared cards this seat may activate.

        Left and right; with the wider neighbourhood the two to the left on the odd turns of the year, whose cards
        lie one seat to the right, and the two to the right on the even ones.
        """
        if self.wider:
            if self.year_turn & 1:
                return (seat + 1 + k) % self.seats
            return (seat + self.seats - 1 - k) % self.seats
        return (seat + (1 if k == 0 else self.seats - 1)) % self.seats

    def offer_activate(self, seat: int) -> None:
        """F-5.3: every reachable card once, if a line of it can be paid and does something; or done."""
        self.n_options = 0
        if self.cubes[seat] > 0:
            for i in range(self.n_personal[seat]):
                self.offer_card(seat, self.personal[seat * OWN_MAX + i])
            for i in range(self.n_shared[seat]):
                self.offer_card(seat, self.shared[seat * SHARED_MAX + i])
            for k in range(self.neighbours()):
                t = self.neighbour(seat, k)
                for i in range(self.n_shared[t]):
                    self.offer_card(seat, self.shared[t * SHARED_MAX + i])
        self.offer(DO_DONE)

    def offer_card(self, seat: int, card: int) -> None:
        if self.cubes_on(seat, card) == 0 and (
            self.usable(seat, card, 0, 0) or (OP[card * 2 + 1] != OP_NONE and self.usable(seat, card, 1, 0))
        ):
            self.offer(DO_CARD + card)

    def cubes_on(self, seat: int, card: int) -> int:
        """How many cubes of this seat lie on the card this turn."""
        base = seat * USED_MAX
        for i in range(base, base + self.n_used[seat]):
            if self.used[i] == card:
                return self.used_cubes[i]
        return 0

    def does_something(self, seat: int, row: int) -> int:
        """F-5.3, F-6.7: whether a line, once paid, has something to do."""
        op = OP[row]
        if op == OP_GAIN:
            return 1
        if op == OP_NONE:
            return 0
        if EXCHANGE[row]:
            return 1
        if op == OP_RECALL:
            return 1 if self.n_discard[seat] > 0 else 0
        if op == OP_SCOUT:
            return 1 if self.n_pile[seat] + self.n_discard[seat] > 0 else 0
        if op == OP_BANISH:
            for i in range(seat * SPACES, seat * SPACES + SPACES):
                if self.forest[i] != NONE:
                    return 1
            return 0
        if op == OP_STUDY:
            return 1 if self.studied[seat] != (1 << CREATURES) - 1 else 0
        return 0

    def usable(self, seat: int, card: int, line: int, again: int) -> int:
        """F-5.3: whether a line of a card can be paid and does something; F-6.3: never a Repeat by a Repeat."""
        row = card * 2 + line
        if OP[row] == OP_REPEAT:
            if again:
                return 0
            if not EXCHANGE[row]:
                i = row * ELEMENTS
                return self.cubes[seat] > 1 and self.can_repeat(
                    seat, card, COST[i], COST[i + 1], COST[i + 2], COST[i + 3], COST[i + 4], 0
                )
            return self.can_pay_line(seat, row)
        return self.does_something(seat, row) and self.can_pay_line(seat, row)

    def can_repeat(
        self, seat: int, card: int, earth: int, plant: int, fire: int, water: int, air: int, more: int
    ) -> int:
        """F-6.8: whether, this much being owed, another card activated this turn could be paid for as well."""
        base = seat * USED_MAX
        for i in range(base, base + self.n_used[seat]):
            if self.used[i] != card:
                for row in range(self.used[i] * 2, self.used[i] * 2 + 2):
                    if OP[row] != OP_REPEAT and self.does_something(seat, row):
                        k = row * ELEMENTS
                        if self.can_pay(
                            seat,
                            earth + COST[k],
                            plant + COST[k + 1],
                            fire + COST[k + 2],
                            water + COST[k + 3],
                            air + COST[k + 4],
                            more,
                        ):
                            return 1
        return 0

    def choose_card(self, seat: int, action: int) -> None:
        """F-5.3: a card to activate, or done."""
        if action == DO_DONE:
            self.finish(seat)
        else:
            self.activate(seat, action, 0)

    def activate(self, seat: int, card: int, again: int) -> None:
        """F-5.3: a card to activate; which line, if more than one will do."""
        self.card[seat] = card
        self.again[seat] = again
        first = self.usable(seat, card, 0, again)
        second = self.usable(seat, card, 1, again)
        if first and second:
            self.question[seat] = ASK_LINE
        else:
            self.begin_line(seat, 0 if first else 1)

    def begin_line(self, seat: int, line: int) -> None:
        """F-5.3: put a cube on the card; F-6.2: say how often, then pay."""
        card = self.card[seat]
        self.line[seat] = line
        self.cubes[seat] -= 1
        base = seat * USED_MAX
        i = base
        while i < base + self.n_used[seat] and self.used[i] != card:
            i += 1
        if i == base + self.n_used[seat]:
            self.used[i] = card
            self.used_cubes[i] = 0
            self.n_used[seat] += 1
        self.used_cubes[i] += 1
        self.say4(EV_REPEATED if self.again[seat] else EV_ACTIVATED, seat, self.owner(seat, card), card, line)
        row = card * 2 + line
        if TIMES[row] > 1 and self.can_pay_times(seat, row, 2):
            self.question[seat] = ASK_TIMES
        else:
            self.pay_line(seat, 1)

    def owner(self, seat: int, card: int) -> int:
        """Whose card it is that this seat activates."""
        for t in range(self.seats):
            for i in range(self.n_shared[t]):
                if self.shared[t * SHARED_MAX + i] == card:
                    return t
        return seat

    def offer_times(self, seat: int) -> None:
        self.n_options = 0
        row = self.card[seat] * 2 + self.line[seat]
        for k in range(1, TIMES[row] + 1):
            if self.can_pay_times(seat, row, k):
                self.offer(DO_TIMES + k - 1)

    def pay_line(self, seat: int, k: int) -> None:
        """F-6.2: k times the cost at once."""
        self.left[seat] = k
        i = (self.card[seat] * 2 + self.line[seat]) * ELEMENTS
        self.owe(
            seat,
            k * COST[i],
            k * COST[i + 1],
            k * COST[i + 2],
            k * COST[i + 3],
            k * COST[i + 4],
            ASK_LINE,
        )

    # ------------------------------------------------------------------------------------ F-6 effects

    def carry_out(self, seat: int) -> None:
        """F-6.6: paid; take the element if the line gives one, then carry out the special."""
        row = self.card[seat] * 2 + self.line[seat]
        op = OP[row]
        if op == OP_GAIN:
            self.gain_next(seat)
            return
        bonus = BONUS[row]
        if bonus != NO_ELEMENT:
            self.gain_one(seat, bonus)
        if op == OP_RECALL:
            self.left[seat] = COUNT[row]
            self.recall_next(seat)
        elif op == OP_SCOUT:
            self.scout(seat, COUNT[row])
        elif op == OP_REPEAT:
            self.repeat(seat)
        elif op == OP_BANISH:
            self.offer_banish(seat)
            self.ask_or_answer(seat, ASK_BANISH)
        else:
            self.offer_study_any(seat)
            self.ask_or_answer(seat, ASK_STUDY_ANY)

    def ask_or_answer(self, seat: int, question: int) -> None:
        """Put a follow-up question whose options lie ready; the only answer to it is given at once."""
        self.question[seat] = question
        if self.n_options == 1:
            self.dispatch(seat, self.options[0])

    def end_effect(self, seat: int) -> None:
        """F-5.3: the effect is carried out; the next card."""
        self.card[seat] = NONE
        self.line[seat] = 0
        self.left[seat] = 0
        self.again[seat] = 0
        self.question[seat] = ASK_ACTIVATE

    def gain_one(self, seat: int, element: int) -> None:
        self.elements[seat * ELEMENTS + element] += 1
        self.say1(EV_GAINED, seat)
        for k in range(ELEMENTS):
            self.put(1 if k == element else 0)

    def gain_next(self, seat: int) -> None:
        """F-6.1, F-6.2: take what the line gives, as often as paid for; each time with a choice of its own."""
        row = self.card[seat] * 2 + self.line[seat]
        if N_GAINS[row] > 1:
            self.question[seat] = ASK_GAIN
            return
        while self.left[seat] > 0:
            self.gain(seat, 0)
        self.end_effect(seat)

    def gain(self, seat: int, which: int) -> None:
        i = seat * ELEMENTS
        k = ((self.card[seat] * 2 + self.line[seat]) * ALTERNATIVES + which) * ELEMENTS
        for j in range(ELEMENTS):
            self.elements[i + j] += GAINS[k + j]
        self.left[seat] -= 1
        self.say1(EV_GAINED, seat)
        self.put_amounts(GAINS[k], GAINS[k + 1], GAINS[k + 2], GAINS[k + 3], GAINS[k + 4])

    def choose_gain(self, seat: int, which: int) -> None:
        """F-6.1, F-6.2: one of the gains; asked as often as was paid for."""
        self.gain(seat, which)
        if self.left[seat] == 0:
            self.end_effect(seat)

    def offer_gain(self, seat: int) -> None:
        self.n_options = 0
        for k in range(N_GAINS[self.card[seat] * 2 + self.line[seat]]):
            self.offer(DO_GAIN + k)

    def choose_for_special(self, seat: int, action: int) -> None:
        """F-6.3: the card that a Recall, a Repeat or a Banish is about; or none, where it is optional."""
        if action == DO_PASS:
            self.end_effect(seat)
        elif self.question[seat] == ASK_RECALL:
            self.recall(seat, action)
        elif self.question[seat] == ASK_REPEAT:
            self.activate(seat, action, 1)
        else:
            self.banish(seat, action)

    def recall_next(self, seat: int) -> None:
        """F-6.3, F-6.7: a card of the own discard; the first must be taken where there is one, a second may be."""
        if self.left[seat] == 0 or self.n_discard[seat] == 0:
            self.end_effect(seat)
            return
        self.offer_recall(seat)
        self.ask_or_answer(seat, ASK_RECALL)

    def offer_recall(self, seat: int) -> None:
        self.n_options = 0
        for i in range(self.n_discard[seat]):
            self.offer(DO_CARD + self.discard[seat * OWN_MAX + i])
        if self.left[seat] < COUNT[self.card[seat] * 2 + self.line[seat]]:
            self.offer(DO_PASS)

    def recall(self, seat: int, card: int) -> None:
        """F-6.3, F-6.4: into the personal zone, where it may be activated."""
        base = seat * OWN_MAX
        i = base
        while self.discard[i] != card:
            i += 1
        self.n_discard[seat] -= 1
        while i < base + self.n_discard[seat]:
            self.discard[i] = self.discard[i + 1]
            i += 1
        self.to_personal(seat, card)
        self.say2(EV_RECALLED, seat, card)
        self.left[seat] -= 1
        self.recall_next(seat)

    def scout(self, seat: int, count: int) -> None:
        """F-6.3, F-6.7: draw three, or what there is; put one or two of them into the personal zone."""
        self.n_looked[seat] = 0
        self.shuffles = 0
        for i in range(SCOUTED):
            card = self.draw_card(seat)
            if card == NONE:
                break
            self.looked[seat * LOOKED_MAX + i] = card
            self.n_looked[seat] += 1
        self.learned |= 1 << seat
        if self.shuffles:
            self.say1(EV_SHUFFLED_SCOUTING, seat)
        self.say1(EV_SCOUTED, seat)
        for i in range(self.n_looked[seat]):
            self.put(self.looked[seat * LOOKED_MAX + i])
        self.left[seat] = count
        self.scout_next(seat)

    def scout_next(self, seat: int) -> None:
        """F-6.7: place as many as the card says or as there are; the rest is in the discard at once."""
        n = self.n_looked[seat]
        if self.left[seat] > 0 and n > self.left[seat]:
            self.question[seat] = ASK_SCOUT
            return
        if self.left[seat] > 0 and n > 0:
            self.scout_place(seat, self.looked[seat * LOOKED_MAX])
            return
        if n > 0:
            self.say1(EV_SCOUT_DISCARDED, seat)
            for i in range(n):
                self.to_discard(seat, self.looked[seat * LOOKED_MAX + i])
                self.put(self.looked[seat * LOOKED_MAX + i])
        self.n_looked[seat] = 0
        self.end_effect(seat)

    def offer_scout(self, seat: int) -> None:
        self.n_options = 0
        for i in range(self.n_looked[seat]):
            self.offer(DO_CARD + self.looked[seat * LOOKED_MAX + i])

    def scout_place(self, seat: int, card: int) -> None:
        base = seat * LOOKED_MAX
        i = base
        while self.looked[i] != card:
            i += 1
        self.n_looked[seat] -= 1
        while i < base + self.n_looked[seat]:
            self.looked[i] = self.looked[i + 1]
            i += 1
        self.to_personal(seat, card)
        self.say2(EV_SCOUT_PLACED, seat, card)
        self.left[seat] -= 1
        self.scout_next(seat)

    def repeat(self, seat: int) -> None:
        """F-6.3, F-6.8: activate once more a card already activated this turn, with a further cube."""
        self.offer_repeat(seat)
        if self.n_options == 0:
            self.end_effect(seat)
        else:
            self.ask_or_answer(seat, ASK_REPEAT)

    def offer_repeat(self, seat: int) -> None:
        self.n_options = 0
        if self.cubes[seat] > 0:
            base = seat * USED_MAX
            for i in range(base, base + self.n_used[seat]):
                card = self.used[i]
                if card != self.card[seat] and (
                    self.usable(seat, card, 0, 1) or self.usable(seat, card, 1, 1)
                ):
                    self.offer(DO_CARD + card)
        if EXCHANGE[self.card[seat] * 2 + self.line[seat]]:
            self.offer(DO_PASS)

    def offer_banish(self, seat: int) -> None:
        """F-6.3, F-6.7: an unplayed card of the own forest; optional where the line is of use as a mere exchange."""
        self.n_options = 0
        for i in range(seat * SPACES, seat * SPACES + SPACES):
            if self.forest[i] != NONE:
                self.offer(DO_CARD + self.forest[i])
        if EXCHANGE[self.card[seat] * 2 + self.line[seat]]:
            self.offer(DO_PASS)

    def banish(self, seat: int, card: int) -> None:
        """F-6.3: remove it from the game; F-6.5: a project among them no longer scores."""
        i = seat * SPACES
        while self.forest[i] != card:
            i += 1
        self.forest[i] = NONE
        self.banished[seat * OWN_MAX + self.n_banished[seat]] = card
        self.n_banished[seat] += 1
        self.say2(EV_BANISHED, seat, card)
        self.end_effect(seat)

    def offer_study_any(self, seat: int) -> None:
        """F-6.3: any creature not yet studied."""
        self.n_options = 0
        for creature in range(CREATURES):
            if self.studied[seat] >> creature & 1 == 0:
                self.offer(DO_CREATURE + creature)

    def choose_study(self, seat: int, action: int) -> None:
        """F-5.5: a creature of a paw space, or none."""
        if action == DO_PASS:
            self.finish(seat)
        else:
            self.study(seat, action - DO_CREATURE)

    def study(self, seat: int, creature: int) -> None:
        """F-5.5, F-1.6: mark the creature; the second of a pair gives the bonus between them."""
        self.studied[seat] |= 1 << creature
        self.say2(EV_STUDIED, seat, creature)
        if self.studied[seat] >> (creature ^ 1) & 1:
            bonus = PAIR_BONUS[creature >> 1]
            if bonus == ANY:
                self.question[seat] = ASK_ANY
                return
            self.gain_one(seat, bonus)
        self.studied_on(seat)

    def studied_on(self, seat: int) -> None:
        """A study is over: it was an effect (F-6.3) or phase 5a (F-5.5)."""
        if self.phase == PHASE_ACTIVATE:
            self.end_effect(seat)
        else:
            self.finish(seat)

    # ------------------------------------------------------------------------------------ F-5.4 to F-5.7

    def rest(self) -> None:
        """F-5.4: phase 4, own cubes come back, those of others stay as kindness, played cards go to the discard."""
        for seat in range(self.seats):
            for i in range(seat * USED_MAX, seat * USED_MAX + self.n_used[seat]):
                t = self.owner(seat, self.used[i])
                if t == seat:
                    self.cubes[seat] += self.used_cubes[i]
                else:
                    self.kindness[t * SEATS_MAX + seat] += self.used_cubes[i]
                    self.say3(EV_KINDNESS_GOT, t, seat, self.used_cubes[i])
            self.n_used[seat] = 0
        for seat in range(self.seats):
            if self.n_shared[seat] + self.n_personal[seat] > 0:
                self.say1(EV_RESTED, seat)
            for i in range(self.n_shared[seat]):
                self.to_discard(seat, self.shared[seat * SHARED_MAX + i])
                self.put(self.shared[seat * SHARED_MAX + i])
            for i in range(self.n_personal[seat]):
                self.to_discard(seat, self.personal[seat * OWN_MAX + i])
                self.put(self.personal[seat * OWN_MAX + i])
            self.n_shared[seat] = 0
            self.n_personal[seat] = 0
        self.enter(PHASE_STUDY, 1)
        self.open_stage()

    def offer_study(self, seat: int) -> None:
        """F-5.5: phase 5a, one of the creatures on the two paw spaces, if not studied before; optional."""
        self.n_options = 0
        first = self.forest[seat * SPACES + PAW_TOP]
        second = self.forest[seat * SPACES + PAW_BOTTOM]
        if first != NONE and self.studied[seat] >> CREATURE[first] & 1 == 0:
            self.offer(DO_CREATURE + CREATURE[first])
        if second != NONE and self.studied[seat] >> CREATURE[second] & 1 == 0:
            if self.n_options == 0 or self.options[0] != DO_CREATURE + CREATURE[second]:
                self.offer(DO_CREATURE + CREATURE[second])
        self.offer(DO_PASS)

    def close_study(self) -> None:
        """F-5.5: the cards on the paw spaces are discarded; 5b, the top row closes up to the left, the bottom row
        to the right."""
        for seat in range(self.seats):
            base = seat * SPACES
            first = self.forest[base + PAW_TOP]
            second = self.forest[base + PAW_BOTTOM]
            if first != NONE or second != NONE:
                self.say1(EV_PAWS_DISCARDED, seat)
            if first != NONE:
                self.forest[base + PAW_TOP] = NONE
                self.to_discard(seat, first)
                self.put(first)
            if second != NONE:
                self.forest[base + PAW_BOTTOM] = NONE
                self.to_discard(seat, second)
                self.put(second)
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
            self.say1(EV_CLOSED_UP, seat)
            for i in range(base, base + SPACES):
                self.put(self.forest[i])
        self.enter(PHASE_REALISE, 1)
        self.open_stage()

    def offer_realise(self, seat: int) -> None:
        """F-5.6: up to two current projects; F-7.2: in the last trimester any number, and steps from top to bottom;
        F-7.4: at the end likewise."""
        self.n_options = 0
        last = self.trimester == self.last
        if last or self.taken[seat] < REALISED_PER_TURN:
            for i in range(self.n_projects[seat]):
                card = self.projects[seat * PROJECTS_MAX + i]
                k = card * ELEMENTS
                if self.can_pay(seat, PRICE[k], PRICE[k + 1], PRICE[k + 2], PRICE[k + 3], PRICE[k + 4], 0):
                    self.offer(DO_CARD + card)
        if last and self.final[seat] != NONE and not self.completed(seat):
            k = (self.final[seat] * STEPS_LONG + self.steps[seat]) * ELEMENTS
            if self.can_pay(
                seat,
                STEP_PRICE[k],
                STEP_PRICE[k + 1],
                STEP_PRICE[k + 2],
                STEP_PRICE[k + 3],
                STEP_PRICE[k + 4],
                0,
            ):
                self.offer(DO_STEP)
        self.offer(DO_DONE)

    def choose_project(self, seat: int, action: int) -> None:
        """F-5.6, F-7.2, F-7.4: a project or a step to pay for, or done."""
        if action == DO_DONE:
            self.finish(seat)
        elif action == DO_STEP:
            self.pay_step(seat)
        else:
            self.pay_project(seat, action)

    def pay_project(self, seat: int, card: int) -> None:
        """F-5.6: pay the cost of a project."""
        self.card[seat] = card
        k = card * ELEMENTS
        self.owe(seat, PRICE[k], PRICE[k + 1], PRICE[k + 2], PRICE[k + 3], PRICE[k + 4], ASK_REALISE)

    def realise(self, seat: int) -> None:
        """F-5.6: on top of the draw pile, in the order chosen, where all see it lie."""
        card = self.card[seat]
        self.card[seat] = NONE
        self.from_projects(seat, card)
        self.pile[seat * OWN_MAX + self.n_pile[seat]] = card
        self.n_pile[seat] += 1
        self.taken[seat] += 1
        self.say2(EV_REALISED, seat, card)
        self.question[seat] = ASK_SPEND if self.phase == PHASE_SPEND else ASK_REALISE

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
        self.say(EV_FINALS_DRAWN)
        for k in range(SEATS_MAX + 1):
            if k <= self.seats:
                i = self.below(self.seats, n - k)
                self.finals[k] = self.slots[i]
                self.put(self.slots[i])
                self.slots[i] = self.slots[n - k - 1]
        self.n_finals = self.seats + 1
        self.set_order((1 << self.seats) - 1)
        self.enter(PHASE_FINAL, 0)
        self.next_final()

    def next_final(self) -> None:
        if self.at_order < self.n_order:
            seat = self.order[self.at_order]
            self.forget(seat)
            self.question[seat] = ASK_FINAL
            self.waiting = 1
            return
        self.n_order = 0
        self.at_order = 0
        self.say(EV_CLOSED)
        self.begin_turn()

    def offer_final(self, seat: int) -> None:
        self.n_options = 0
        for i in range(self.n_finals):
            self.offer(DO_FINAL + self.finals[i])

    def take_final(self, seat: int, final: int) -> None:
        """F-7.1: the final project that was chosen; then the next seat."""
        self.choose_final(seat, final)
        self.question[seat] = ASK_NOTHING
        self.next_final()

    def choose_final(self, seat: int, final: int) -> None:
        i = 0
        while self.finals[i] != final:
            i += 1
        self.n_finals -= 1
        while i < self.n_finals:
            self.finals[i] = self.finals[i + 1]
            i += 1
        self.final[seat] = final
        self.say2(EV_FINAL_CHOSEN, seat, final)
        self.at_order += 1

    def n_steps(self) -> int:
        """F-1.8: five steps, four in the short game."""
        return STEPS_SHORT if self.short else STEPS_LONG

    def completed(self, seat: int) -> int:
        """F-7.4: whether the seat has made the last step of its final project."""
        return 1 if self.final[seat] != NONE and self.steps[seat] >= self.n_steps() else 0

    def pay_step(self, seat: int) -> None:
        """F-7.2: pay the next step."""
        k = (self.final[seat] * STEPS_LONG + self.steps[seat]) * ELEMENTS
        self.owe(
            seat,
            STEP_PRICE[k],
            STEP_PRICE[k + 1],
            STEP_PRICE[k + 2],
            STEP_PRICE[k + 3],
            STEP_PRICE[k + 4],
            ASK_FINAL,
        )

    def complete_step(self, seat: int) -> None:
        """F-7.2: strictly from top to bottom."""
        self.steps[seat] += 1
        self.say3(EV_STEP_DONE, seat, self.final[seat], self.steps[seat])
        self.question[seat] = ASK_SPEND if self.phase == PHASE_SPEND else ASK_REALISE

    def begin_bonus(self) -> None:
        """F-7.3: those with the most steps each gain an element of their choice."""
        for seat in range(self.seats):
            if self.completed(seat):
                self.say2(EV_FINAL_COMPLETED, seat, self.final[seat])
                self.ended = END_COMPLETED + 1
        self.enter(PHASE_BONUS, 1)
        self.open_stage()

    def leads(self, seat: int) -> int:
        """F-7.3: nobody has more steps; a tie counts, also at none."""
        for t in range(self.seats):
            if self.steps[t] > self.steps[seat]:
                return 0
        return 1

    def offer_bonus(self, seat: int) -> None:
        self.n_options = 0
        for k in range(AIR):
            self.offer(DO_TAKE + k)

    def take_bonus(self, seat: int, element: int) -> None:
        """F-7.3: an element of one's choice."""
        self.elements[seat * ELEMENTS + element] += 1
        self.say2(EV_LEADER_GAINED, seat, element)
        self.finish(seat)

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
        self.say(EV_YEAR_ENDED)
        if self.ended:
            self.put(self.ended - 1)
        best = 0
        for seat in range(self.seats):
            score = self.score(seat)
            if score > best:
                best = score
            self.say4(EV_SCORED, seat, self.kindness_of(seat), 3 * self.realised(seat), 3 * self.steps[seat])
            self.put(2 * self.n_studied(seat))
            self.put(self.element_points(seat))
            self.put(score)
        self.say(EV_WON)
        for seat in range(self.seats):
            if self.score(seat) == best:
                self.put(seat)

    def score(self, seat: int) -> int:
        """F-8.1: kindness, realised projects, steps, creatures and elements."""
        return (
            self.kindness_of(seat)
            + 3 * self.realised(seat)
            + 3 * self.steps[seat]
            + 2 * self.n_studied(seat)
            + self.element_points(seat)
        )

    def realised(self, seat: int) -> int:
        """F-8.1: realised projects in draw pile, discard or forest."""
        n = 0
        for i in range(seat * OWN_MAX, seat * OWN_MAX + self.n_pile[seat]):
            if self.pile[i] >= PROJECT_FIRST:
                n += 1
        for i in range(seat * OWN_MAX, seat * OWN_MAX + self.n_discard[seat]):
            if self.discard[i] >= PROJECT_FIRST:
                n += 1
        for i in range(seat * SPACES, seat * SPACES + SPACES):
            if self.forest[i] >= PROJECT_FIRST and self.forest[i] != NONE:
                n += 1
        return n

    def n_studied(self, seat: int) -> int:
        n = 0
        for creature in range(CREATURES):
            n += self.studied[seat] >> creature & 1
        return n

    def element_points(self, seat: int) -> int:
        """F-8.1: air counts as two elements, every full ten give one point."""
        return (self.total(seat) + self.elements[seat * ELEMENTS + AIR]) // 10

    # ------------------------------------------------------------------------------------ questions and answers

    def offer(self, action: int) -> None:
        self.options[self.n_options] = action
        self.n_options += 1

    def ask(self, seat: int) -> None:
        """Fill `options` with what the seat may answer, a voluntary conversion not counted."""
        q = self.question[seat]
        if q == ASK_PLAN:
            self.offer_plan(seat)
        elif q == ASK_PLAN_SPACE:
            self.offer_plan_space(seat)
        elif q == ASK_ACTIVATE:
            self.offer_activate(seat)
        elif q == ASK_SELECT:
            self.offer_select(seat)
        elif q == ASK_PAY:
            self.offer_pay(seat)
        elif q == ASK_LINE:
            self.n_options = 0
            self.offer(DO_LINE)
            self.offer(DO_LINE + 1)
        elif q == ASK_TIMES:
            self.offer_times(seat)
        elif q == ASK_GAIN:
            self.offer_gain(seat)
        elif q == ASK_REALISE or q == ASK_SPEND:
            self.offer_realise(seat)
        elif q == ASK_STUDY:
            self.offer_study(seat)
        elif q == ASK_DRAFT:
            self.offer_draft(seat)
        elif q == ASK_DROP:
            self.offer_drop(seat)
        elif q == ASK_RECALL:
            self.offer_recall(seat)
        elif q == ASK_SCOUT:
            self.offer_scout(seat)
        elif q == ASK_REPEAT:
            self.offer_repeat(seat)
        elif q == ASK_BANISH:
            self.offer_banish(seat)
        elif q == ASK_STUDY_ANY:
            self.offer_study_any(seat)
        elif q == ASK_ANY or q == ASK_BONUS:
            self.offer_bonus(seat)
        elif q == ASK_SETTLE:
            self.offer_settle(seat)
        elif q == ASK_SETTLE_SPACE:
            self.offer_settle_space(seat)
        elif q == ASK_GOAL:
            self.offer_goal(seat)
        elif q == ASK_FINAL:
            self.offer_final(seat)
        elif q == ASK_CONVERT:
            self.offer_convert(seat)
        elif q == ASK_CONVERT_WITH:
            self.offer_convert_with(seat)
        else:
            self.n_options = 0

    def ask_all(self, seat: int) -> None:
        """F-6.9: fill `options` with everything the seat may answer, a voluntary conversion included.

        Which card, which line and how often are one decision in steps, which ends with its payment: that names the
        conversions it needs, and others wait until it is made.
        """
        self.ask(seat)
        q = self.question[seat]
        if (
            q != ASK_NOTHING
            and q != ASK_LINE
            and q != ASK_TIMES
            and q != ASK_REPEAT
            and q != ASK_PAY
            and q != ASK_CONVERT
            and q != ASK_CONVERT_WITH
        ):
            self.offer_conversion(seat)

    def answer(self, seat: int, action: int) -> None:
        """Carry out an action that is offered; nothing is checked here.

        F-3.2: where seats are asked in order, everybody sees it at once.
        """
        self.learned = 0
        open_order = not self.together
        stage = self.stage
        self.dispatch(seat, action)
        if open_order and stage == self.stage:
            self.say(EV_CLOSED)
            self.snapshot()
            self.stage += 1

    def dispatch(self, seat: int, action: int) -> None:
        """Give an answer to the method of its question."""
        q = self.question[seat]
        if action == DO_CONVERT:
            self.convert(seat)
        elif q == ASK_PLAN:
            self.plan(seat, action)
        elif q == ASK_PLAN_SPACE:
            self.place(seat, action - DO_SPACE)
        elif q == ASK_ACTIVATE:
            self.choose_card(seat, action)
        elif q == ASK_SELECT:
            self.choose_column(seat, action)
        elif q == ASK_PAY:
            self.spend(seat, action - DO_SPEND)
            self.pay(seat)
        elif q == ASK_LINE:
            self.begin_line(seat, action - DO_LINE)
        elif q == ASK_TIMES:
            self.pay_line(seat, action - DO_TIMES + 1)
        elif q == ASK_GAIN:
            self.choose_gain(seat, action - DO_GAIN)
        elif q == ASK_REALISE or q == ASK_SPEND:
            self.choose_project(seat, action)
        elif q == ASK_STUDY:
            self.choose_study(seat, action)
        elif q == ASK_DRAFT:
            self.pick_card(seat, action)
        elif q == ASK_DROP:
            self.drop(seat, action)
        elif q == ASK_SCOUT:
            self.scout_place(seat, action)
        elif q == ASK_RECALL or q == ASK_REPEAT or q == ASK_BANISH:
            self.choose_for_special(seat, action)
        elif q == ASK_STUDY_ANY:
            self.study(seat, action - DO_CREATURE)
        elif q == ASK_ANY:
            self.gain_one(seat, action - DO_TAKE)
            self.studied_on(seat)
        elif q == ASK_BONUS:
            self.take_bonus(seat, action - DO_TAKE)
        elif q == ASK_SETTLE:
            self.choose_settled(seat, action)
        elif q == ASK_SETTLE_SPACE:
            self.settle(seat, action - DO_SPACE)
        elif q == ASK_GOAL:
            self.take_goal(seat, action)
        elif q == ASK_FINAL:
            self.take_final(seat, action - DO_FINAL)
        elif q == ASK_CONVERT:
            self.choose_made(seat, action)
        elif q == ASK_CONVERT_WITH:
            self.choose_spent(seat, action)

    # ------------------------------------------------------------------------------------ random play, imagined worlds

    def play_seat(self, seat: int) -> None:
        """Answer at random for a seat until it has finished the stage."""
        while self.question[seat] != ASK_NOTHING:
            self.ask(seat)
            self.dispatch(seat, self.options[self.below(DICE, self.n_options)])

    def play_out(self) -> None:
        """Play at random to the end of the year; nobody converts without need."""
        while self.phase != PHASE_OVER:
            for seat in range(self.seats):
                while self.question[seat] != ASK_NOTHING:
                    self.ask(seat)
                    self.answers += 1
                    if self.n_options > 1:
                        self.decisions += 1
                        self.dispatch(seat, self.options[self.below(DICE, self.n_options)])
                    else:
                        self.dispatch(seat, self.options[0])

    def deal_again(self, viewer: int) -> None:
        """Draw again everything that this viewer (the number of seats for a spectator) cannot know.

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
        for seat in range(self.seats):
            if seat != viewer:
                if phase == PHASE_PLAN:
                    self.draw_again(seat)
                elif phase == PHASE_SETTLE and self.setup != EXPERT and self.was_n_hand[seat] > 0:
                    self.sixth_again(seat)
                busy = self.question[seat] != ASK_NOTHING
                self.restore(seat)
                if phase == PHASE_DROP:
                    self.merge_picks(seat)
                self.open_seat(seat)
                if not busy and self.question[seat] != ASK_NOTHING:
                    self.waiting += 1
                    self.play_seat(seat)

    def draw_again(self, seat: int) -> None:
        """F-5.1: which cards of the bag were drawn in planning; those that everybody can tell stay."""
        n = self.was_n_hand[seat]
        for i in range(self.sure[seat], n):
            j = i + self.below(DICE, n - i + self.bag[seat])
            at = seat * HAND_MAX + i
            card = self.was_hand[at]
            if j < n:
                self.was_hand[at] = self.was_hand[seat * HAND_MAX + j]
                self.was_hand[seat * HAND_MAX + j] = card
            else:
                self.was_hand[at] = self.pile[seat * OWN_MAX + j - n]
                self.pile[seat * OWN_MAX + j - n] = card
                self.was_pile[seat * OWN_MAX + j - n] = card

    def sixth_again(self, seat: int) -> None:
        """F-2.4: the four S cards of the player without a set."""
        n = self.was_n_hand[seat]
        for i in range(seat * HAND_MAX, seat * HAND_MAX + n):
            self.away[self.was_hand[i]] = IN_BOX
        left = self.gather(0)
        for i in range(n):
            self.was_hand[seat * HAND_MAX + i] = self.lot(DICE, left - i)

    def holder(self, pack: int, number: int) -> int:
        """Who holds the hand that was dealt to seat `pack` after it has been passed on `number` times."""
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
        for seat in range(self.seats):
            if seat != viewer:
                if held:
                    for i in range(seat * HAND_MAX, seat * HAND_MAX + self.n_hand[seat]):
                        self.was_hand[i] = self.hand[i]
                elif self.phase == PHASE_SETTLE:
                    for i in range(self.n_picks[seat]):
                        self.was_hand[seat * HAND_MAX + i] = self.picks[seat * PICKS_MAX + i]

    def pick_slot(self, pack: int, number: int) -> int:
        return PICK_SLOT + self.holder(pack, number) * PICKS_MAX + number

    def hand_slots(self, seat: int, n: int) -> int:
        for i in range(self.n_hand[seat]):
            self.slots[n] = seat * HAND_MAX + i
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
        return [seat for seat in range(self.seats) if self.question[seat] != ASK_NOTHING]

    def legal(self, seat: int) -> list[int]:
        """What is offered to the seat, ascending; nothing if it is not asked."""
        if not 0 <= seat < self.seats or self.question[seat] == ASK_NOTHING:
            return []
        self.ask_all(seat)
        offered = [self.options[i] for i in range(self.n_options)]
        offered.sort()
        return offered

    def offers(self, seat: int, action: int) -> bool:
        """Is this action offered to this seat?"""
        if 0 <= seat < self.seats and self.question[seat] != ASK_NOTHING:
            self.ask_all(seat)
            for i in range(self.n_options):
                if self.options[i] == action:
                    return True
        return False

    def apply(self, seat: int, action: int) -> None:
        """Carry out an offered action; anything else raises NotOffered and changes nothing."""
        if not self.offers(seat, action):
            raise NotOffered(self.why_not(seat, action))
        self.apply_offered(seat, action)

    def apply_offered(self, seat: int, action: int) -> None:
        """The same for an action of which the caller knows that it is offered: nothing is checked."""
        self.answer(seat, action)
        if self.listening:
            self.drain()

    def why_not(self, seat: int, action: int) -> str:
        """What is wrong with an action, and what would be right, as this seat may know it."""
        if self.phase == PHASE_OVER:
            return "the year is over: nothing is asked any more"
        if not 0 <= seat < self.seats or self.question[seat] == ASK_NOTHING:
            return f"seat {seat} has nothing to decide: {', '.join(str(seat) for seat in self.asked())} still at it"
        text = f"'{ACTION_TEXTS[action]}'" if 0 <= action < ACTIONS else f"action {action}"
        return f"{text} is not offered; offered are {', '.join(ACTION_TEXTS[a] for a in self.legal(seat))}"

    def step(self, seat: int, index: int) -> None:
        """Carry out the option of this index in `legal`, for loops that choose at random."""
        offered = self.legal(seat)
        if not 0 <= index < len(offered):
            raise NotOffered(f"there are {len(offered)} options, and {index} is not the index of one")
        self.apply(seat, offered[index])

    def registers(self, seat: int) -> dict[str, Any]:
        """A seat's flow, and the few numbers besides that a question is about."""
        return {
            **self.flow(seat),
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
        for i in range(self.n_said):
            value = self.said[i]
            if value == ROW_MARK:
                if row:
                    self.rows.append(tuple(row))
                row = []
            else:
                row.append(value)
        if row:
            self.rows.append(tuple(row))
        self.n_said = 0

    def start_game(self, words: Sequence[int]) -> None:
        """Set up a new year, the streams of chance starting with these words. Events are noted."""
        for stream in range(self.seats + 1):
            self.words[stream] = words[stream] & MASK64
        self.listening = 1
        self.begin_year()
        self.drain()
        self.listening = 0

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
        for seat in range(self.seats):
            held += self.n_hand[seat]
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
        return [self.score(seat) for seat in range(self.seats)]

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

    # ------------------------------------------------------------------------------------ dumped and loaded

    def part(self, seat: int, first: int, count: int) -> dict[str, Any]:
        """Some fields of a seat by name: a number, or a list as far as it is in use."""
        found: dict[str, Any] = {}
        for field in range(first, first + count):
            name = PART_NAMES[field]
            if name is not None:
                found[name] = self.value(seat, field)
        return found

    def value(self, seat: int, field: int) -> Any:
        """One field of a seat."""
        if FIELD_SIZE[field] == 1:
            return read_field(self, field, seat)  # type: ignore[name-defined]  # noqa: F821
        start = seat * FIELD_SIZE[field]
        numbers = []
        for i in range(start, start + self.in_use(seat, field)):
            numbers.append(read_field(self, field, i))  # type: ignore[name-defined]  # noqa: F821
        return numbers

    def in_use(self, seat: int, field: int) -> int:
        """How many numbers of a field mean something."""
        if FIELD_COUNT[field] == NONE:
            return FIELD_SIZE[field]
        return read_field(self, FIELD_COUNT[field], seat)  # type: ignore[name-defined,no-any-return]  # noqa: F821

    def put_part(self, seat: int, first: int, count: int, part: Mapping[str, Any]) -> None:
        """The reverse of `part`; what is not named stays."""
        for field in range(first, first + count):
            name = PART_NAMES[field]
            if name is None or name not in part:
                continue
            if FIELD_SIZE[field] == 1:
                write_field(self, field, seat, part[name])  # type: ignore[name-defined]  # noqa: F821
                continue
            numbers = part[name]
            if FIELD_COUNT[field] != NONE:
                write_field(self, FIELD_COUNT[field], seat, len(numbers))  # type: ignore[name-defined]  # noqa: F821
            for i in range(len(numbers)):
                write_field(self, field, seat * FIELD_SIZE[field] + i, numbers[i])  # type: ignore[name-defined]  # noqa: F821

    def table(self) -> dict[str, int]:
        """What is not any seat's: options, and where the year is."""
        return {name: int(getattr(self, name)) for name in table_fields}

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
        self.learned = table["learned"]
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
        return self.part(seat, 0, AREA_FIELDS)

    def area_began(self, seat: int) -> dict[str, Any]:
        """What a seat can change in a stage, as the stage began."""
        return self.part(seat, AREA_FIELDS, AREA_FIELDS)

    def put_area(self, seat: int, area: Mapping[str, Any]) -> None:
        """The reverse of `area`."""
        self.put_part(seat, 0, AREA_FIELDS, area)

    def mark_began(self) -> None:
        """What the seats have now is what they had when the stage began."""
        self.snapshot()

    def facts(self, seat: int) -> dict[str, Any]:
        """What else belongs to a seat; `used` pairs a card with the seat's cubes on it."""
        facts = self.part(seat, FIRST_FACT, FACTS_FIELDS)
        facts["used"] = list(zip(facts["used"], facts.pop("used_cubes"), strict=False))
        facts["kindness"] = facts["kindness"][: self.seats]
        return facts

    def put_facts(self, seat: int, facts: Mapping[str, Any]) -> None:
        """The reverse of `facts`."""
        used = [card for card, _ in facts["used"]]
        cubes = [count for _, count in facts["used"]]
        self.put_part(seat, FIRST_FACT, FACTS_FIELDS, {**facts, "used": used, "used_cubes": cubes})

    def flow(self, seat: int) -> dict[str, Any]:
        """Where a seat is in the stage: what it is asked, and the few numbers that the question is about."""
        return self.part(seat, FIRST_FLOW, FLOW_FIELDS)

    def put_flow(self, seat: int, flow: Mapping[str, Any]) -> None:
        """The reverse of `flow`."""
        self.put_part(seat, FIRST_FLOW, FLOW_FIELDS, flow)

    def put_registers(
        self, seat: int, at: Mapping[str, int], owed: Sequence[int], given: Sequence[int]
    ) -> None:
        """The reverse of `registers`, `owes` and `gives`."""
        self.put_flow(seat, {name: at[name] for name in FLOW_NAMES} | {"owed": owed, "given": given})

    def put_together(self) -> None:
        """All parts are in place: count who is asked, and put what lies nowhere else into the box."""
        self.waiting = 0
        for card in range(CARDS):
            self.away[card] = IN_BOX
        for i in range(self.n_common):
            self.away[self.common[i]] = IN_PLAY
        for seat in range(self.seats):
            if self.question[seat] != ASK_NOTHING:
                self.waiting += 1
            for field in range(SEAT_FIELDS):
                if FIELD_CARDS[field] and not AREA_FIELDS <= field < FIRST_FACT:
                    for card in self.value(seat, field):
                        if card != NONE:
                            self.away[card] = IN_PLAY

    def placed(self) -> list[int]:
        """The cards that are not in the box."""
        return [card for card in range(CARDS) if self.away[card] == IN_PLAY]

    def dump(self) -> dict[str, Any]:
        """Everything true, as plain numbers. Order inside lists is kept."""
        seats = range(self.seats)
        return {
            **self.table(),
            **self.lists(),
            "areas": [self.area(seat) for seat in seats],
            "began": [self.area_began(seat) for seat in seats],
            "facts": [self.facts(seat) for seat in seats],
            "flows": [self.flow(seat) for seat in seats],
        }

    def load(self, data: Mapping[str, Any]) -> None:
        """Become the state that `dump` described. The data must be sound: positions are checked where they are read."""
        self.clear()
        self.put_table(data, data)
        for seat in range(self.seats):
            self.put_facts(seat, data["facts"][seat])
            self.put_area(seat, data["began"][seat])
            self.put_flow(seat, data["flows"][seat])
        self.snapshot()
        for seat in range(self.seats):
            self.put_area(seat, data["areas"][seat])
        self.put_together()

    # ------------------------------------------------------------------------------------ as a Python object

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
        options = (self.seats, self.setup, self.short, self.wider)
        return revived, (options, self.dump(), self.listening, self.rows)


def revived(
    options: tuple[int, int, int, int], data: dict[str, Any], listening: int, rows: list[tuple[int, ...]]
) -> State:
    """A state out of a pickle."""
    seats, setup, short, wider = options
    state = State(seats, setup, short, wider)
    state.load(data)
    state.listening = listening
    state.rows = list(rows)
    return state


def record_sizes() -> tuple[int, ...]:
    """Compiled: the bytes of an area, of all fields of the seats, and of what is between them and the scratch space."""
    sizes: tuple[int, ...] = sizes_of(State(2, 0, 0, 0))  # type: ignore[name-defined]  # noqa: F821
    return sizes
