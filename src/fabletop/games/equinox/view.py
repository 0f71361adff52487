"""What one viewer of Equinox may see (E-9), built straight from the record; `view_types.py` says what each field means.

Every viewer of a table gets a view with every move, so this is compiled with `view.pxd`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from fabletop.core.game import Pack
from fabletop.games.equinox.constants import (
    ACTION_IDS,
    ASK_COLUMN,
    ASK_GOATMAN_KEEP,
    ASK_HOPSCOTCH_WITH,
    ASK_PLAY,
    CARD_IDS,
    CARDS,
    CELLS,
    CHOICE_IDS,
    COLUMNS,
    CREATURE_IDS,
    DISCARDED,
    DRYAD,
    HAND,
    HAND_MAX,
    NONE,
    OTHER_DRYAD,
    OVER,
    PEBBLES,
    PLACE_IDS,
    REASON_IDS,
    ROWS,
    RULES,
    SEATS_MAX,
    TO_CELL,
    UNSEEN,
    URSUS,
    VIEWERS,
)
from fabletop.games.equinox.engine import State
from fabletop.games.equinox.facts import WORTH
from fabletop.games.equinox.view_types import (
    Cell,
    Column,
    Common,
    Counted,
    Known,
    Lacks,
    Only,
    Outcome,
    Own,
    Player,
    Power,
    Reckoned,
    View,
)

SEAT_IDS = tuple(range(SEATS_MAX))
CARD_OR_NONE = tuple(CARD_IDS[card] if card < CARDS else None for card in range(256))
CREATURE_OR_NONE = tuple(CREATURE_IDS[kind] if kind < COLUMNS else None for kind in range(256))
SEAT_OR_NONE = tuple(seat if seat < SEATS_MAX else None for seat in range(256))
ROUND_OR_NONE = tuple(row + 1 if row < ROWS else None for row in range(256))
POINTS = tuple(0.5 * halves for halves in range(256))
FIRST_PLAYER = (CARDS + 1) * (SEATS_MAX + 1)
NO_LACKS = FIRST_PLAYER + 2 * HAND * (PEBBLES + 1) * 4
NO_BOUNDS = NO_LACKS + 1
WORTHS = NO_BOUNDS + 1
CELL_IDS = tuple(ACTION_IDS[TO_CELL + cell] for cell in range(CELLS))
PARTS: dict[tuple[Any, ...], Any] = {}
"""Packed columns and hands by what is in them: a move changes one or two, and the others stay as they are."""
MOST_PARTS = 8192
"""About half a kilobyte each; then all of them are dropped."""


def members(bits: int, ids: tuple[str, ...]) -> list[str]:
    """The ids of the members of a set of bits."""
    return [ids[i] for i in range(len(ids)) if (bits >> i) & 1] if bits else []


def creatures(bits: int) -> list[str]:
    """A set of creatures by id."""
    return members(bits, CREATURE_IDS)


def places(bits: int) -> list[str]:
    """A set of hidden places by id."""
    return members(bits, PLACE_IDS)


def with_card(state: State, top: int, covered: list[str], pebble: int | None) -> Cell:
    """A cell in which a card lies."""
    strength = POINTS[state.strength(top)]
    return {"top": CARD_IDS[top], "strength": strength, "covered": covered, "pebble": pebble}


def reckoning(state: State) -> list[Reckoned]:
    """What each pebble on a creature still in play is worth (E-8.1), and what is compared in a tie (E-8.2)."""
    return [
        {
            "seat": seat,
            "pebbles": counted(state, seat),
            "by_row": [state.measure(seat, step) for step in range(1, ROWS + 2)],
        }
        for seat in range(state.seats)
    ]


def counted(state: State, seat: int) -> list[Counted]:
    """The pebbles of a seat that count."""
    pebbles: list[Counted] = []
    for column in range(COLUMNS):
        if not (state.in_play >> column) & 1:
            continue
        extra = 0.5 * state.ursus_halves if column == URSUS else 0.0
        for row in range(ROWS + 1):
            if row == 0:
                lies = (state.champion[column] >> seat) & 1 != 0
            else:
                lies = state.pebble[(row - 1) * COLUMNS + column] == seat
            if lies:
                value = WORTH[row] + extra
                pebbles.append({"creature": CREATURE_IDS[column], "row": row, "value": value, "total": value})
    total = 0.0
    for pebble in sorted(pebbles, key=value_of):
        total += pebble["value"]
        pebble["total"] = total
    return pebbles


def value_of(pebble: Counted) -> float:
    """What a pebble is worth."""
    return pebble["value"]


@lru_cache(maxsize=8)
def recurring(pack: Pack, ursus_halves: int) -> tuple[Any, ...]:
    """The parts that recur in most views, packed: cells with one card at most, seats without anything set aside, unseen
    or resting, what is known in general of a seat of which nothing is, and what pebbles are worth."""
    state = State(SEATS_MAX, ursus_halves=ursus_halves)
    cells = [
        with_card(state, card, [], pebble) if card < CARDS else {"top": None, "covered": [], "pebble": pebble}
        for card in range(CARDS + 1)
        for pebble in (*SEAT_IDS, None)
    ]
    players: list[Player] = [
        {
            "hand": hand,
            "aside": 0,
            "unseen": 0,
            "pebbles": pebbles,
            "resting": 0,
            "secret": secret,
            "secret_made": made,
        }
        for hand in range(2 * HAND)
        for pebbles in range(PEBBLES + 1)
        for secret in (False, True)
        for made in (False, True)
    ]
    lacks: Lacks = {"hand": [], "secret": []}
    return tuple([pack(part) for part in (*cells, *players, lacks, {}, list(WORTH))])


class ViewBuilder:
    """Builds the views of one state. All but a few fields are common to all viewers."""

    def __init__(self, state: State, pack: Pack | None = None) -> None:
        self.state = state
        self.pack = pack
        self.packed = None if pack is None else recurring(pack, state.ursus_halves)

    def view(self, viewer: int | None) -> View:
        """What a seat, or a spectator (None), sees."""
        return {**self.common(), **self.only(viewer)}

    def common(self) -> Common:
        """The fields that every viewer sees."""
        state = self.state
        over = state.phase == OVER
        swapping = state.phase == ASK_HOPSCOTCH_WITH and state.held != NONE
        discarded = self.cards_with(DISCARDED)
        unseen = 0
        for seat in range(state.seats):
            unseen += state.n_unseen[seat]
        return {
            "game": "equinox",
            "rules": RULES,
            "seats": state.seats,
            "full_hand": state.full_hand,
            "squeak_draws": state.squeak_draws,
            "ursus_halves": state.ursus_halves,
            "worth": list(WORTH) if self.packed is None else self.packed[WORTHS],
            "pebbles": PEBBLES,
            "creatures": creatures(state.in_game),
            "round": state.row + 1,
            "turn": state.turn,
            "waiting_for": [] if over else [state.actor],
            "power": None if state.home == NONE else self.power(),
            "target": SEAT_OR_NONE[state.target],
            "named": CREATURE_OR_NONE[state.named],
            "first_cell": CELL_IDS[state.held] if swapping else None,
            "second_card": state.twinz != 0,
            "carmen": state.carmen != 0,
            "discards": state.discards,
            "busy": state.busy != 0,
            "idle": state.idle,
            "columns": [self.kept_column(i) for i in range(COLUMNS) if (state.in_game >> i) & 1],
            "players": [self.player(seat) for seat in range(state.seats)],
            "deck": state.n_deck,
            "discard": unseen + len(discarded),
            "discarded": discarded,
            "lacks": [self.lacks(seat) for seat in range(state.seats)],
            "at_least": [self.at_least(seat) for seat in range(state.seats)],
            "outcome": self.outcome() if over else None,
        }

    def only(self, viewer: int | None) -> Only:
        """The fields that differ from viewer to viewer."""
        state = self.state
        number = state.seats if viewer is None else viewer
        choosing = number == state.turn or state.phase != ASK_COLUMN
        looking = state.phase == ASK_GOATMAN_KEEP and (number == state.turn or number == state.target)
        return {
            "viewer": viewer,
            "phase": CHOICE_IDS[state.phase if choosing else ASK_PLAY],
            "own": None if viewer is None else self.kept_own(number),
            "looked": self.looked() if looking else None,
            "known": self.known(number),
        }

    # ---------------------------------------------------------------- the table

    def power(self) -> Power:
        """The power in use."""
        state = self.state
        return {
            "creature": CREATURE_IDS[state.home],
            "power": CREATURE_IDS[state.power],
            "committed": state.committed != 0,
        }

    def kept_column(self, column: int) -> Any:
        """One column, packed where packing is asked for."""
        if self.pack is None:
            return self.column(column)
        key = self.content(column)
        found = PARTS.get(key)
        return self.keep(key, self.column(column)) if found is None else found

    def keep(self, key: tuple[Any, ...], part: Any) -> Any:
        """Pack a part, and keep it for the next views."""
        assert self.pack is not None
        if len(PARTS) >= MOST_PARTS:
            PARTS.clear()
        found = PARTS[key] = self.pack(part)
        return found

    def content(self, column: int) -> tuple[Any, ...]:
        """What is in a column, in few numbers: one for what belongs to all of it, then one for each cell that is not
        empty, larger than a card, and the cards that are covered there."""
        state = self.state
        number = (column << 1) | ((state.in_play >> column) & 1)
        number = (number << 8) | state.seats
        number = (number << 8) | state.ursus_halves
        number = (number << 8) | state.gone[column]
        number = (number << 8) | state.controller[column]
        found = [self.pack, (number << 8) | state.champion[column]]
        for row in range(ROWS):
            cell = row * COLUMNS + column
            card = state.top[cell]
            if card == NONE and state.pebble[cell] == NONE:
                continue
            found.append((((row + 1) << 8 | state.pebble[cell]) << 8) | card)
            while card != NONE and state.under[card] != NONE:
                card = state.under[card]
                found.append(card)
        return tuple(found)

    def column(self, column: int) -> Column:
        """One column. All of it is public, since everybody saw the covered cards when they were played."""
        state = self.state
        bits = state.champion[column]
        return {
            "creature": CREATURE_IDS[column],
            "in_play": ((state.in_play >> column) & 1) != 0,
            "eliminated": ROUND_OR_NONE[state.gone[column]],
            "controller": SEAT_OR_NONE[state.controller[column]],
            "champion": [SEAT_IDS[i] for i in range(SEATS_MAX) if (bits >> i) & 1] if bits else [],
            "totals": self.totals(column),
            "cells": [self.cell(row * COLUMNS + column) for row in range(ROWS)],
        }

    def totals(self, column: int) -> list[int | None]:
        """What the pebbles of each seat in a column are worth."""
        state = self.state
        totals: list[int | None] = []
        for seat in range(state.seats):
            total = state.total(seat, column)
            if total != NONE:
                if not totals:
                    totals = [None] * state.seats
                totals[seat] = total
        return totals

    def cell(self, cell: int) -> Any:
        """One cell of a column."""
        state = self.state
        top = state.top[cell]
        pebble = state.pebble[cell]
        if self.packed is not None and (top == NONE or state.under[top] == NONE):
            card = CARDS if top == NONE else top
            return self.packed[card * (SEATS_MAX + 1) + (SEATS_MAX if pebble == NONE else pebble)]
        if top == NONE:
            return {"top": None, "covered": [], "pebble": SEAT_OR_NONE[pebble]}
        covered: list[str] = []
        card = state.under[top]
        while card != NONE:
            covered.insert(0, CARD_IDS[card])
            card = state.under[card]
        return with_card(state, top, covered, SEAT_OR_NONE[pebble])

    def player(self, seat: int) -> Any:
        """What everybody sees of a seat."""
        state = self.state
        hand = state.n_hand[seat]
        aside = state.n_aside[seat]
        unseen = state.n_unseen[seat]
        pebbles = state.pebbles[seat]
        resting = state.resting if seat == state.turn else 0
        secret = state.secret[seat] != NONE
        made = (state.secret_made >> seat) & 1
        if self.packed is not None and aside + unseen + resting == 0 and hand < 2 * HAND:
            return self.packed[FIRST_PLAYER + 4 * ((PEBBLES + 1) * hand + pebbles) + 2 * secret + made]
        return {
            "hand": hand,
            "aside": aside,
            "unseen": unseen,
            "pebbles": pebbles,
            "resting": resting,
            "secret": secret,
            "secret_made": made != 0,
        }

    def cards_with(self, fate: int) -> list[str]:
        """The cards that left the game in this way."""
        return [CARD_IDS[card] for card in range(CARDS) if self.state.fate[card] == fate]

    def lacks(self, seat: int) -> Any:
        """The creatures that a seat lacks, as everybody knows."""
        hand = self.state.none_hand[seat]
        secret = self.state.none_secret[seat]
        if hand == 0 and secret == 0:
            return {"hand": [], "secret": []} if self.packed is None else self.packed[NO_LACKS]
        return {"hand": creatures(hand), "secret": creatures(secret)}

    def at_least(self, seat: int) -> Any:
        """The fewest cards of each creature that a seat has, as everybody knows."""
        if self.state.bounds == 0:
            return {} if self.packed is None else self.packed[NO_BOUNDS]
        found: dict[str, int] = {}
        for column in range(COLUMNS):
            count = self.state.at_least[seat * COLUMNS + column]
            if count:
                found[CREATURE_IDS[column]] = count
        return found

    def outcome(self) -> Outcome:
        """The result in short."""
        state = self.state
        return {
            "scores": [halves / 2 for halves in state.half_points()],
            "winners": state.winning(),
            "reason": REASON_IDS[state.reason],
            "reckoning": reckoning(state),
        }

    # ---------------------------------------------------------------- what one viewer alone knows

    def kept_own(self, seat: int) -> Any:
        """The cards that only a seat knows, packed where packing is asked for."""
        state = self.state
        if self.pack is None or state.n_unseen[seat]:
            return self.own(seat)
        first = seat * HAND_MAX
        cards = bytes(state.hand[first : first + state.n_hand[seat] + state.n_aside[seat]])
        held = state.held if self.placing(seat) else NONE
        key = (self.pack, cards, state.n_hand[seat], state.secret[seat], held)
        found = PARTS.get(key)
        return self.keep(key, self.own(seat)) if found is None else found

    def placing(self, seat: int) -> bool:
        """Does the seat hold a card for which it chooses a column?"""
        return seat == self.state.turn and self.state.phase == ASK_COLUMN

    def own(self, seat: int) -> Own:
        """The cards that only a seat knows."""
        state = self.state
        in_hand = state.n_hand[seat]
        return {
            "hand": self.cards(seat, 0, in_hand),
            "aside": self.cards(seat, in_hand, in_hand + state.n_aside[seat]),
            "secret": CARD_OR_NONE[state.secret[seat]],
            "unseen": self.cards_with(UNSEEN + seat) if state.n_unseen[seat] else [],
            "held": CARD_OR_NONE[state.held] if self.placing(seat) else None,
        }

    def cards(self, seat: int, start: int, end: int) -> list[str]:
        """The cards of a hand from one index to another, in the order of the rules page."""
        if start == end:
            return []
        found = self.state.cards_of(seat, start, end)
        found.sort()
        return [CARD_IDS[card] for card in found]

    def looked(self) -> list[str]:
        """The cards that Goatman's player is looking at."""
        return [CARD_IDS[card] for card in sorted([self.state.looked[i] for i in range(3)])]

    def known(self, viewer: int) -> list[Known]:
        """The hidden cards of which a viewer (the last is the spectator), or everybody, knows something."""
        state = self.state
        if state.n_special == 0:
            return []
        found = []
        for i in range(state.n_special):
            card = state.special[i]
            mask = state.mask[i * VIEWERS + viewer]
            public = state.mask[i * VIEWERS + state.seats]
            if state.owns(viewer, card):
                mask = 0
            if mask or public:
                found.append((DRYAD if card == OTHER_DRYAD else card, mask, public))
        found.sort()  # the slots are in the order of what happened, which not everybody has seen
        return [
            {
                "card": CARD_IDS[shown],
                "places": places(mine),
                "public": places(everybody),
            }
            for shown, mine, everybody in found
        ]
