"""Fairy School as the learned player sees it: knowledge's scores, corrected by a net.

The net has a say where projects are chosen, in the draft and later, and the final project. It sees what the acting
seat may know, as three kinds of rows (see `net`): the table, the seat's goals as parts, and the options. Of the others
it sees what stood there when the stage began. An option also shows how far knowledge puts it below the best.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fabletop.bots.fairy_school.knowledge import SEARCH_WEIGHTS, Knowledge
from fabletop.bots.net import Net, Weights, read
from fabletop.games.fairy_school import card_tables
from fabletop.games.fairy_school.cards import CARDS as CARD_TABLE
from fabletop.games.fairy_school.cards import worth
from fabletop.games.fairy_school.constants import (
    ALTERNATIVES,
    ASK_DRAFT,
    ASK_FINAL,
    ASK_GOAL,
    ASK_PLAN,
    ASK_PLAN_SPACE,
    ASK_SELECT,
    COLUMNS,
    CREATURES,
    DO_COLUMN,
    DO_CONVERT,
    DO_CREATURE,
    DO_FINAL,
    DO_GAIN,
    DO_LINE,
    DO_MAKE,
    DO_SPACE,
    DO_SPEND,
    DO_STEP,
    DO_TAKE,
    DO_TIMES,
    ELEMENTS,
    NO_ELEMENT,
    NONE,
    OP_NONE,
    PROJECT_FIRST,
    QUESTIONS,
    S_FIRST,
    STEPS_LONG,
)
from fabletop.games.fairy_school.engine import State
from fabletop.games.fairy_school.view_types import View

FILE = Path(__file__).with_name("learned.net")
IN_SEARCH = True
"""The net also makes the first guess of a search."""
INPUTS, ONE, NOWHERE = 256, 64, -1  # as in net.py
TABLE, PART, OPTION = 88, 24, 120
ROWS_OF_INPUTS = (TABLE, PART, OPTION)
"""The lengths of the rows: of the table, of a part and of an option."""
FAR = 4 * 262144  # no option is further below the best than these four points
CARD = 36  # inputs that describe a card


def _card(card: int) -> list[int]:
    """A card as inputs: worth, deck, creature, what its lines do, what they cost and make, the price of a project."""
    row = [min(255, 6 * worth(CARD_TABLE[card]))]
    row += [ONE * (card < S_FIRST), ONE * (S_FIRST <= card < PROJECT_FIRST), ONE * (card >= PROJECT_FIRST)]
    row += [ONE * (card_tables.CREATURE[card] == creature) for creature in range(CREATURES)]
    lines = (2 * card, 2 * card + 1)
    row += [ONE * any(card_tables.OP[line] == op for line in lines) for op in range(OP_NONE + 1, OP_NONE + 6)]
    row += [
        min(255, 16 * max(card_tables.COST[line * ELEMENTS + e] for line in lines)) for e in range(ELEMENTS)
    ]
    for e in range(ELEMENTS):
        gains = [
            card_tables.GAINS[(line * ALTERNATIVES + i) * ELEMENTS + e]
            for line in lines
            for i in range(card_tables.N_GAINS[line])
        ]
        row.append(min(255, 16 * max(gains, default=0)))
    row += [min(255, 12 * card_tables.PRICE[card * ELEMENTS + e]) for e in range(ELEMENTS)]
    return row


CARD_ROWS = [number for card in range(len(CARD_TABLE)) for number in _card(card)]
CREATURE_OF = list(card_tables.CREATURE)
STEP_COST = list(card_tables.STEP_PRICE)


class Learned(Knowledge):
    """Knowledge whose scores a net has corrected; without other `weights`, with those of search."""

    def __init__(
        self,
        seen: View | State,
        weights: Mapping[str, int] | None = None,
        span: int | None = 1,
        trust: int = 4,
        net: Weights | None = None,
    ) -> None:
        Knowledge.__init__(self, seen, SEARCH_WEIGHTS if weights is None else weights, span, trust)
        self.net = Net(read(FILE) if net is None else net)
        self.best = 0
        self.lacks = list([0] * ELEMENTS)

    def corrects(self, seat: int) -> bool:
        """Does the net correct this choice? Only where cards or projects are drafted: elsewhere it plays worse."""
        question = self.state.question[seat]
        return question == ASK_DRAFT or question == ASK_GOAL or question == ASK_FINAL

    def rate(self) -> None:
        """Knowledge's scores; where projects are chosen, below the best, and with what the net adds to each."""
        if not self.corrects(self.asked()):
            Knowledge.rate(self)
            return
        self.prepare()
        self.net.open()
        for i in range(self.n_options):
            part = self.describe(i)
            self.scores[i] = self.scores[i] - self.best + self.net.score(part)

    def prepare(self) -> None:
        """Knowledge's scores, none too far below the best; then the table and its parts as inputs."""
        Knowledge.rate(self)
        self.best = self.scores[0]
        for i in range(1, self.n_options):
            if self.scores[i] > self.best:
                self.best = self.scores[i]
        for i in range(self.n_options):
            if self.scores[i] < self.best - FAR:
                self.scores[i] = self.best - FAR
        self.show(self.asked())

    def show(self, me: int) -> None:
        """The table and the goals as this seat sees them."""
        self.knobs_at = me * 64  # KNOBS
        self.look(me, True)
        self.show_table(me)
        self.net.n_parts = self.n_goals
        for goal in range(self.n_goals):
            self.show_part(me, goal)

    def show_table(self, me: int) -> None:
        """The row of the table."""
        for i in range(TABLE):
            self.net.table[i] = 0
        self.net.table[self.seats - 2] = ONE
        self.net.table[5 + self.state.trimester] = ONE
        self.net.table[10] = ONE if self.state.trimester == self.state.last else 0
        self.net.table[11] = ONE if self.state.short else 0
        self.net.table[12] = 16 * self.state.turn
        self.net.table[13] = min(255, 8 * self.left)
        self.net.table[14 + self.state.question[me]] = ONE
        at = 14 + QUESTIONS
        total = 0
        for e in range(ELEMENTS):
            self.lacks[e] = -self.have[e]
            for goal in range(self.n_goals):
                self.lacks[e] += self.goal_cost[goal * ELEMENTS + e]
            if self.lacks[e] > 0:
                self.net.table[at + e] = min(255, 8 * self.lacks[e])
                total += self.lacks[e]
            self.net.table[at + 5 + e] = min(255, 8 * self.have[e])
        cubes = self.state.cubes[me]
        self.net.table[at + 10] = min(255, 8 * cubes)
        if cubes < 4:
            self.net.table[at + 11 + cubes] = ONE
        self.net.table[at + 15] = min(255, 4 * total)
        self.net.table[at + 16] = 12 * self.state.steps[me]
        self.net.table[at + 17] = 16 * self.state.n_projects[me]
        self.net.table[at + 18] = 10 * self.n_goals
        self.net.table[at + 19] = 10 * self.state.n_studied(me)
        self.net.table[at + 20] = ONE if self.state.final[me] != NONE else 0
        self.net.table[at + 21] = min(255, max(0, self.base) >> 7)
        self.net.table[at + 22] = min(255, max(0, self.cube) >> 4)
        self.net.table[at + 23] = 20 * self.state.n_hand[me]
        self.net.table[at + 24] = 20 * self.state.taken[me]
        steps = 0
        others = 0
        for other in range(self.seats):
            if other != me:
                steps = max(steps, self.state.was_steps[other])
                others += self.state.was_cubes[other]
        self.net.table[at + 25] = 12 * steps
        self.net.table[at + 26] = min(255, 6 * others // (self.seats - 1))
        near = 0
        for i in range(self.state.neighbours()):
            near += self.state.was_cubes[self.reached_by(me, i)]
        self.net.table[at + 27] = min(255, 4 * near)

    def show_part(self, me: int, goal: int) -> None:
        """The row of a goal: a current project or a step of the final one."""
        at = goal * INPUTS
        for i in range(PART):
            self.net.parts[at + i] = 0
        card = self.goal_card[goal]
        self.net.parts[at + (0 if card == NONE else 1)] = ONE
        missing = 0
        for e in range(ELEMENTS):
            cost = self.goal_cost[goal * ELEMENTS + e]
            self.net.parts[at + 2 + e] = min(255, 12 * cost)
            if cost > self.have[e]:
                self.net.parts[at + 7 + e] = min(255, 16 * (cost - self.have[e]))
                missing += cost - self.have[e]
        self.net.parts[at + 12] = min(255, 8 * missing)
        self.net.parts[at + 13] = ONE if missing == 0 else 0
        self.net.parts[at + 14] = min(255, max(0, self.goal_gain[goal]) >> 5)
        self.net.parts[at + 15] = min(255, self.goal_total[goal])
        if card != NONE:
            self.net.parts[at + 16] = CARD_ROWS[card * CARD]
            if not (self.state.studied[me] >> CREATURE_OF[card]) & 1:
                self.net.parts[at + 17] = ONE
        elif goal > 0:
            self.net.parts[at + 18] = ONE

    def describe(self, i: int) -> int:
        """The row of an option; returns the goal that it is about, or NOWHERE."""
        me = self.asked()
        question = self.state.question[me]
        action = self.options[i]
        down = (self.best - self.scores[i]) >> 10  # in 256ths of a point
        part = NOWHERE
        card = NONE
        element = NO_ELEMENT
        for k in range(OPTION):
            self.net.option[k] = 0
        self.net.option[0] = min(255, down >> 1)
        self.net.option[1] = min(255, down >> 3)
        self.net.option[2] = min(255, down >> 5)
        self.net.option[3] = ONE if down == 0 else 0
        self.net.option[4 + question] = ONE
        if action < DO_FINAL:
            self.net.option[31] = ONE
            card = action
        elif action < DO_SPACE:
            self.net.option[32] = ONE
            self.show_final(me, action - DO_FINAL)
        elif action < DO_COLUMN:
            self.net.option[33] = ONE
            self.net.option[83 + action - DO_SPACE] = ONE
            card = self.state.card[me]
        elif action < DO_LINE:
            self.net.option[34] = ONE
            self.net.option[93 + action - DO_COLUMN] = ONE
            if question == ASK_SELECT:
                self.show_column(action - DO_COLUMN)
        elif action < DO_TIMES:
            self.net.option[35 + action - DO_LINE] = ONE
            card = self.state.card[me]
        elif action < DO_GAIN:
            self.net.option[37] = ONE
            self.net.option[106] = 12 * (action - DO_TIMES + 1)
            card = self.state.card[me]
        elif action < DO_TAKE:
            self.net.option[38] = ONE
            card = self.state.card[me]
        elif action < DO_MAKE:
            self.net.option[39] = ONE
            element = action - DO_TAKE
        elif action < DO_SPEND:
            self.net.option[40] = ONE
            element = action - DO_MAKE
        elif action < DO_CREATURE:
            self.net.option[41] = ONE
            element = action - DO_SPEND
        elif action < DO_STEP:
            self.net.option[42] = ONE
            self.net.option[51 + action - DO_CREATURE] = ONE
        elif action == DO_STEP:
            self.net.option[43] = ONE
            part = 0 if self.n_goals > 0 else NOWHERE
        else:
            self.net.option[44 + min(2, action - DO_CONVERT)] = ONE  # convert, cancel, or pass and done
        if element < NO_ELEMENT:
            self.net.option[99 + element] = ONE
            self.net.option[104] = min(255, 8 * self.have[element])
            self.net.option[105] = min(255, 12 * self.lacks[element]) if self.lacks[element] > 0 else 0
        if card != NONE:
            for k in range(CARD):
                self.net.option[47 + k] = CARD_ROWS[card * CARD + k]
            creature = CREATURE_OF[card]
            if creature < CREATURES and not (self.state.studied[me] >> creature) & 1:
                self.net.option[107] = ONE
            if self.state.owner(me, card) != me:
                self.net.option[108] = ONE
            if question == ASK_PLAN or question == ASK_PLAN_SPACE:
                self.net.option[109] = min(255, max(0, self.use[card]) >> 4)
                self.net.option[110] = min(255, max(0, self.lure[card]) >> 4)
            elif card >= PROJECT_FIRST:
                self.show_price(card)
            for goal in range(self.n_steps, self.n_goals):
                if self.goal_card[goal] == card:
                    part = goal
        return part

    def show_price(self, card: int) -> None:
        """What a project asks for beyond what one has, and what share of it other goals do not ask for already."""
        missing = 0
        fresh = 0
        for e in range(ELEMENTS):
            cost = 0
            if CARD_ROWS[card * CARD + CARD - ELEMENTS + e] > 0:
                cost = CARD_ROWS[card * CARD + CARD - ELEMENTS + e] // 12
            if cost > self.have[e]:
                missing += cost - self.have[e]
            if cost > 0 and self.lacks[e] <= 0:
                fresh += cost
        self.net.option[111] = min(255, 6 * missing)
        self.net.option[112] = min(255, 6 * fresh)

    def show_final(self, me: int, final: int) -> None:
        """What the steps of a final project ask for."""
        for e in range(ELEMENTS):
            cost = 0
            for step in range(STEPS_LONG):
                cost += STEP_COST[(final * STEPS_LONG + step) * ELEMENTS + e]
            self.net.option[78 + e] = min(255, 6 * cost)
            if cost > self.have[e]:
                self.net.option[99 + e] = min(255, 6 * (cost - self.have[e]))

    def show_column(self, column: int) -> None:
        """The two cards of a column, and what it costs to play it."""
        self.net.option[113] = min(255, max(0, self.toll[column]) >> 4)
        for row in range(2):
            card = self.spot[row * COLUMNS + column]
            if card != NONE:
                self.net.option[114 + row] = min(255, max(0, self.use[card]) >> 4)
                self.net.option[116 + row] = min(255, max(0, self.lure[card]) >> 4)
                self.net.option[118 + row] = min(255, max(0, self.novelty[CREATURE_OF[card]]) >> 4)

    # ---------------------------------------------------------------- the boundary

    def has_a_say(self) -> bool:
        """Whether the net corrects the scores of the choice at hand."""
        return self.corrects(self.viewer)

    def inputs(self, table: Any, parts: Any, options: Any, about: Any, down: Any) -> int:
        """What the net sees of the choice under consideration, into the caller's buffers; returns how many parts.

        `about` gets the part of each option, NOWHERE for none, `down` how far it is below the best by knowledge alone.
        """
        self.prepare()
        self.net.copy(table, parts)
        for i in range(self.n_options):
            about[i] = self.describe(i)
            down[i] = self.best - self.scores[i]
            self.net.copy_option(options, i)
        return self.net.n_parts
