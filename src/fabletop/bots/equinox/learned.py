"""Equinox as the learned player sees it: knowledge's scores, corrected by a net.

The net sees what the acting seat may know, as three kinds of rows (see `net`): the table, the creatures in play as
parts, and the options. Seats are counted from the acting one. An option also shows how far knowledge puts it below the
best.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fabletop.bots.equinox.knowledge import Knowledge
from fabletop.bots.net import Net, Weights, read
from fabletop.games.equinox.constants import (
    ANCESTOR,
    ASK_COLUMN,
    ASK_PLAY,
    ASK_PREDICT,
    ASK_RUBBLE,
    CHAMELEON,
    CHOICES,
    COLUMNS,
    DISCARDED,
    FIRST_CHAMELEON,
    HAND_MAX,
    IN_GAME,
    NONE,
    PASS,
    REVEAL,
    ROWS,
    SEATS_MAX,
    SECRET,
    STRENGTHS,
    TO_CELL,
    TO_CHAMPION,
    TO_COLUMN,
    TO_SEAT,
    URSUS,
    USE,
)
from fabletop.games.equinox.engine import State
from fabletop.games.equinox.view_types import View

FILE = Path(__file__).with_name("learned.net")
IN_SEARCH = True
"""A search is stronger with the first guess of this net (docs/bots.md)."""
INPUTS, ONE, NOWHERE = 256, 64, -1  # as in net.py
TABLE, PART, OPTION = 112, 72, 80
ROWS_OF_INPUTS = (TABLE, PART, OPTION)
"""The lengths of the rows: of the table, of a part and of an option."""
HIDDEN_TABLE, HIDDEN_PART = 12, 12
HIDDEN = (HIDDEN_TABLE, HIDDEN_PART)
"""What the critic of the training sees beside that: of the table and of a part."""
FAR = 4 * 262144  # no option is further below the best than these four points


class Learned(Knowledge):
    """Knowledge whose scores a net has corrected."""

    def __init__(
        self, seen: View | State, weights: Mapping[str, int] | None = None, net: Weights | None = None
    ) -> None:
        Knowledge.__init__(self, seen, weights)
        self.net = Net(read(FILE) if net is None else net)
        self.halves_at = list([NONE] * COLUMNS)
        self.value_at = list([0] * (COLUMNS * SEATS_MAX))
        self.part_at = list([NOWHERE] * COLUMNS)
        self.total_of = list([0] * SEATS_MAX)
        self.seen_at = list([0] * (COLUMNS * STRENGTHS))
        self.front = 0
        self.lowest = NONE
        self.second = NONE
        self.ties = 0
        self.empty = 0
        self.best = 0

    def rate(self) -> None:
        """Knowledge's scores below the best, and what the net adds to each."""
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
        self.show(self.state.actor)

    def show(self, me: int) -> None:
        """The table and the creatures in play as this seat sees them."""
        self.survey(me)
        self.show_table(me)
        for column in range(COLUMNS):
            if self.part_at[column] != NOWHERE:
                self.show_part(me, column)

    def survey(self, me: int) -> None:
        """Take in the row and what everybody has at stake."""
        n = 0
        self.lowest = NONE
        self.second = NONE
        self.ties = 0
        self.empty = 0
        for seat in range(SEATS_MAX):
            self.total_of[seat] = 0
        for i in range(COLUMNS * STRENGTHS):
            self.seen_at[i] = 0
        for column in range(COLUMNS):
            self.part_at[column] = NOWHERE
        for i in range(IN_GAME):
            column = self.state.columns[i]
            for row in range(self.state.row + 1):
                card = self.state.top[row * COLUMNS + column]
                while card != NONE:
                    if card < FIRST_CHAMELEON:
                        self.seen_at[card] = 1
                    card = self.state.under[card]
            for card in range(column * STRENGTHS, (column + 1) * STRENGTHS):
                if self.state.fate[card] == DISCARDED:
                    self.seen_at[card] = 1
            if not (self.state.in_play >> column) & 1:
                continue
            self.part_at[column] = n
            n += 1
            top = self.state.top[self.state.row * COLUMNS + column]
            halves = NONE
            if top == NONE:
                self.empty += 1
            else:
                halves = 2 * (top % STRENGTHS) + (1 if top // STRENGTHS == URSUS else 0)
            self.halves_at[column] = halves
            if halves < self.lowest:
                self.second = self.lowest
                self.lowest = halves
                self.ties = 1
            elif halves == self.lowest and halves != NONE:
                self.ties += 1
            elif halves < self.second:
                self.second = halves
            for seat in range(self.seats):
                value = self.state.stake[column * SEATS_MAX + seat] >> 3
                if (
                    seat == me
                    and self.state.secret[me] != NONE
                    and self.state.secret[me] // STRENGTHS == column
                ):
                    value += 5
                self.value_at[column * SEATS_MAX + seat] = value
                self.total_of[seat] += value
        for i in range(me * HAND_MAX, me * HAND_MAX + self.state.n_hand[me]):
            if self.state.hand[i] < FIRST_CHAMELEON:
                self.seen_at[self.state.hand[i]] = 2
        self.net.n_parts = n
        self.front = NONE
        for seat in range(self.seats):
            if seat != me and (self.front == NONE or self.total_of[seat] > self.total_of[self.front]):
                self.front = seat

    def show_table(self, me: int) -> None:
        """The row of the table."""
        for i in range(TABLE):
            self.net.table[i] = 0
        self.net.table[self.seats - 2] = ONE
        self.net.table[4 + self.state.row] = ONE
        self.net.table[9] = 8 * self.empty
        if self.empty < 3:
            self.net.table[10 + self.empty] = ONE
        self.net.table[13] = 2 * self.state.n_deck
        self.net.table[14] = 8 * self.net.n_parts
        for away in range(self.seats):
            seat = (me + away) % self.seats
            self.net.table[15 + away] = 12 * self.state.pebbles[seat]
            self.net.table[20 + away] = min(255, 8 * self.state.n_hand[seat])
            if self.state.secret[seat] != NONE:
                self.net.table[25 + away] = ONE
            self.net.table[30 + away] = min(255, 6 * self.total_of[seat])
            if seat == self.state.turn:
                self.net.table[35 + away] = ONE
        if (self.state.secret_made >> me) & 1:
            self.net.table[40] = ONE
        if self.state.secret[me] != NONE and self.part_at[self.state.secret[me] // STRENGTHS] != NOWHERE:
            self.net.table[41] = ONE
        ahead = self.total_of[me] - self.total_of[self.front]
        if ahead > 0:
            self.net.table[42] = min(255, 8 * ahead)
        else:
            self.net.table[43] = min(255, -8 * ahead)
        for i in range(me * HAND_MAX, me * HAND_MAX + self.state.n_hand[me]):
            card = self.state.hand[i]
            if card < FIRST_CHAMELEON:
                if self.part_at[card // STRENGTHS] == NOWHERE:
                    self.net.table[44] = min(255, self.net.table[44] + 12)
                elif self.state.controller[card // STRENGTHS] == me:
                    self.net.table[45] = min(255, self.net.table[45] + 20)
            elif card < ANCESTOR:
                self.net.table[46 + card % STRENGTHS] = ONE
                self.net.table[57] = min(255, self.net.table[57] + 20)
            elif card == ANCESTOR:
                self.net.table[58] = ONE
            else:
                self.net.table[59] = min(255, self.net.table[59] + 32)
        if self.state.phase < CHOICES:
            self.net.table[60 + self.state.phase] = ONE
        if self.state.power < COLUMNS:
            self.net.table[82 + self.state.power] = ONE
        self.net.table[96] = ONE if self.state.carmen else 0
        self.net.table[97] = ONE if self.state.twinz else 0
        self.net.table[98] = ONE if self.state.busy else 0
        self.net.table[99] = min(255, 12 * self.state.idle)
        self.net.table[100] = 20 * self.state.discards
        self.net.table[101] = ONE if self.state.committed else 0
        if self.lowest != NONE:
            self.net.table[102] = 3 * self.lowest
            if self.ties > 1:
                self.net.table[103] = ONE
            if self.second != NONE:
                self.net.table[104] = 3 * self.second
        if self.state.phase == ASK_COLUMN:
            self.net.table[105] = 6 * (self.state.held % STRENGTHS)
            self.net.table[106] = ONE
        if self.state.named < COLUMNS:
            self.net.table[107] = ONE

    def show_part(self, me: int, column: int) -> None:
        """The row of a creature in play."""
        at = self.part_at[column] * INPUTS
        for i in range(PART):
            self.net.parts[at + i] = 0
        self.net.parts[at + column] = ONE
        halves = self.halves_at[column]
        top = self.state.top[self.state.row * COLUMNS + column]
        if halves == NONE:
            self.net.parts[at + 14] = ONE
        else:
            self.net.parts[at + 15] = 3 * halves
            self.net.parts[at + 16 + halves // 2] = ONE
            self.net.parts[at + 27] = ONE if top // STRENGTHS == CHAMELEON else 0
            if halves == self.lowest:
                self.net.parts[at + 28 + (1 if self.ties > 1 else 0)] = ONE
            for other in range(COLUMNS):
                if self.part_at[other] != NOWHERE and self.halves_at[other] < halves:
                    self.net.parts[at + 30] = self.net.parts[at + 30] + 8
            beside = self.second if halves == self.lowest and self.ties == 1 else self.lowest
            if beside < halves:
                self.net.parts[at + 31] = 3 * (halves - beside)
            elif beside != NONE:
                self.net.parts[at + 32] = 3 * (beside - halves)
            if self.state.under[top] != NONE:
                self.net.parts[at + 33] = 4 + 6 * (self.state.under[top] % STRENGTHS)
        for strength in range(STRENGTHS):
            seen = self.seen_at[column * STRENGTHS + strength]
            if seen == 2:
                self.net.parts[at + 34 + strength] = ONE
                self.net.parts[at + 45] = min(255, self.net.parts[at + 45] + 16)
                self.net.parts[at + 46] = 4 + 6 * strength
            elif seen == 0:
                self.net.parts[at + 47] = self.net.parts[at + 47] + 5
                if strength > 6:
                    self.net.parts[at + 48] = self.net.parts[at + 48] + 12
                elif strength < 4:
                    self.net.parts[at + 49] = self.net.parts[at + 49] + 12
        others = 0
        most = 0
        for away in range(self.seats):
            seat = (me + away) % self.seats
            value = self.value_at[column * SEATS_MAX + seat]
            self.net.parts[at + 50 + away] = min(255, 8 * value)
            if away > 0:
                others += value
                most = max(most, value)
        self.net.parts[at + 55] = min(255, 4 * others)
        self.net.parts[at + 56] = min(255, 8 * most)
        self.net.parts[at + 57] = min(255, 8 * self.value_at[column * SEATS_MAX + self.front])
        self.net.parts[at + 58] = 16 * (self.state.stake[column * SEATS_MAX + me] & 7)
        if self.state.secret[me] != NONE and self.state.secret[me] // STRENGTHS == column:
            self.net.parts[at + 59] = ONE
        controller = self.state.controller[column]
        if controller == me:
            self.net.parts[at + 60] = ONE
        elif controller == NONE:
            self.net.parts[at + 61] = ONE
        else:
            self.net.parts[at + 62] = ONE
            if controller == (me + 1) % self.seats:
                self.net.parts[at + 63] = ONE
        high = 0
        low = STRENGTHS
        for row in range(self.state.row):
            card = self.state.top[row * COLUMNS + column]
            if card != NONE:
                high = max(high, card % STRENGTHS)
                low = min(low, card % STRENGTHS)
        self.net.parts[at + 64] = 6 * high
        self.net.parts[at + 65] = 6 * low if low < STRENGTHS else 0

    def describe(self, i: int) -> int:
        """The row of an option; returns the part that it is about, or NOWHERE."""
        me = self.state.actor
        phase = self.state.phase
        action = self.options[i]
        down = (self.best - self.scores[i]) >> 10  # in 256ths of a point
        column = NONE
        strength = NONE
        for k in range(OPTION):
            self.net.option[k] = 0
        self.net.option[0] = min(255, down >> 1)
        self.net.option[1] = min(255, down >> 3)
        self.net.option[2] = min(255, down >> 5)
        self.net.option[3] = ONE if down == 0 else 0
        self.net.option[4 + phase] = ONE
        if action < TO_COLUMN:
            if action < FIRST_CHAMELEON:
                self.net.option[26] = ONE
                column = action // STRENGTHS
                strength = action % STRENGTHS
            elif action < ANCESTOR:
                self.net.option[27] = ONE
                strength = action % STRENGTHS
            else:
                self.net.option[28 if action == ANCESTOR else 29] = ONE
        elif action < TO_CELL:
            self.net.option[30] = ONE
            column = action - TO_COLUMN
        elif action < TO_SEAT:
            self.net.option[31] = ONE
            column = (action - TO_CELL) % COLUMNS
            self.net.option[55 + (action - TO_CELL) // COLUMNS] = ONE
            if self.state.top[action - TO_CELL] != NONE:
                strength = self.state.top[action - TO_CELL] % STRENGTHS
            if (action - TO_CELL) // COLUMNS == self.state.row:
                self.net.option[60] = ONE
        elif action < USE:
            seat = action - TO_SEAT
            self.net.option[32] = ONE
            self.net.option[61] = ONE if seat == (me + 1) % self.seats else 0
            self.net.option[62] = ONE if seat == self.front else 0
            self.net.option[63] = min(255, 6 * self.total_of[seat])
            self.net.option[64] = min(255, 8 * self.state.n_hand[seat])
            self.net.option[65] = 12 * self.state.pebbles[seat]
        elif action == USE:
            self.net.option[33] = ONE
        elif action == PASS:
            self.net.option[34] = ONE
        elif action == REVEAL or action == SECRET:
            self.net.option[35 if action == REVEAL else 36] = ONE
            column = self.state.secret[me] // STRENGTHS
        else:
            self.net.option[37] = ONE
            column = action - TO_CHAMPION
        if strength != NONE:
            self.net.option[38 + strength] = ONE
            self.net.option[49] = 6 * strength
        if column == NONE or self.part_at[column] == NOWHERE:
            return NOWHERE
        if phase == ASK_PLAY and action < FIRST_CHAMELEON:
            self.show_effect(me, column, 2 * strength + (1 if column == URSUS else 0))
            top = self.state.top[self.state.row * COLUMNS + column]
            if self.state.controller[column] == me and (top == NONE or top // STRENGTHS != CHAMELEON):
                self.net.option[66] = ONE
        elif phase == ASK_COLUMN:
            self.show_effect(me, column, 2 * (self.state.held % STRENGTHS))
        elif phase == ASK_PREDICT or phase == ASK_RUBBLE:
            row = self.state.row if phase == ASK_PREDICT else (action - TO_CELL) // COLUMNS
            value = 5 if action < TO_COLUMN or action == REVEAL else ROWS - 1 - row
            mine = (self.state.stake[column * SEATS_MAX + me] >> 3) + value
            self.net.option[76] = 12 * value
            if action >= TO_COLUMN and self.state.controller[column] != me:
                self.net.option[77] = ONE
                for seat in range(self.seats):
                    if seat != me and self.state.stake[column * SEATS_MAX + seat] >> 3 >= mine:
                        self.net.option[77] = 0
        return self.part_at[column]

    def show_effect(self, me: int, column: int, halves: int) -> None:
        """E-6.5: what a card of this strength in this column does to the row."""
        before = self.halves_at[column]
        empty = self.empty - (1 if before == NONE else 0)
        least = NONE
        loser = NONE
        for other in range(COLUMNS):
            if self.part_at[other] != NOWHERE:
                there = halves if other == column else self.halves_at[other]
                if there < least:
                    least = there
                    loser = other
                elif there == least:
                    loser = NONE
        if least == halves:
            self.net.option[67] = ONE
        if before != NONE:
            if halves > before:
                self.net.option[68] = 3 * (halves - before)
            else:
                self.net.option[69] = 3 * (before - halves)
        if empty == 0:
            self.net.option[70] = ONE
            if loser != NONE:
                self.net.option[71] = ONE
                self.net.option[72] = ONE if loser == column else 0
                self.net.option[73] = min(255, 8 * self.value_at[loser * SEATS_MAX + me])
                self.net.option[74] = min(255, 8 * self.value_at[loser * SEATS_MAX + self.front])
                for seat in range(self.seats):
                    if seat != me:
                        more = 4 * self.value_at[loser * SEATS_MAX + seat]
                        self.net.option[75] = min(255, self.net.option[75] + more)

    # ---------------------------------------------------------------- the boundary

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

    def hidden(self, table: Any, parts: Any) -> None:
        """What the others hold, of the choice that `inputs` has described; for the critic of the training alone."""
        me = self.state.actor
        for i in range(HIDDEN_TABLE):
            table[i] = 0
        for i in range(self.net.n_parts * HIDDEN_PART):
            parts[i] = 0
        for away in range(1, self.seats):
            seat = (me + away) % self.seats
            for i in range(seat * HAND_MAX, seat * HAND_MAX + self.state.n_hand[seat]):
                card = self.state.hand[i]
                if card < FIRST_CHAMELEON:
                    part = self.part_at[card // STRENGTHS]
                    if part != NOWHERE:
                        at = part * HIDDEN_PART + 3 * (away - 1)
                        parts[at] = max(parts[at], 4 + 6 * (card % STRENGTHS))
                        parts[at + 1] = min(255, parts[at + 1] + 16)
                elif card < ANCESTOR:
                    table[3 * (away - 1)] = max(table[3 * (away - 1)], 4 + 6 * (card % STRENGTHS))
                    table[3 * (away - 1) + 1] = min(255, table[3 * (away - 1) + 1] + 20)
                else:
                    table[3 * (away - 1) + 2] = min(255, table[3 * (away - 1) + 2] + 32)
            if self.state.secret[seat] != NONE:
                part = self.part_at[self.state.secret[seat] // STRENGTHS]
                if part != NOWHERE:
                    parts[part * HIDDEN_PART + 3 * (away - 1) + 2] = ONE
