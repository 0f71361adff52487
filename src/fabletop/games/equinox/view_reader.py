"""The way back from a view of Equinox to a state (E-9), read straight into the record.

Every bot begins with it, so it is compiled with `view_reader.pxd`. The order in which the hidden cards are laid down is
part of what a bot answers: with the same view and the same chance it must stay the same.
"""

from __future__ import annotations

from collections.abc import Iterable

from fabletop.core.chance import Chance
from fabletop.games.equinox.constants import (
    ACTION_IDS,
    AT_HAND,
    CARD_IDS,
    CARDS,
    CHOICE_IDS,
    COLUMNS,
    CREATURE_IDS,
    DISCARDED,
    DRYAD,
    FIRST_CHAMELEON,
    NONE,
    OTHER_DRYAD,
    PLACE_IDS,
    REASON_IDS,
    SEATS_MAX,
    STRENGTHS,
    TO_CELL,
    TO_SEAT,
    UNSEEN,
    VIEWERS,
)
from fabletop.games.equinox.engine import State
from fabletop.games.equinox.view_types import Column, Known, View

CARD_OF_ID = {text: card for card, text in reversed(list(enumerate(CARD_IDS)))}
CREATURE_OF_ID = {text: creature for creature, text in enumerate(CREATURE_IDS)}
PLACE_OF_ID = {text: place for place, text in enumerate(PLACE_IDS)}
CELL_OF_ID = {text: cell for cell, text in enumerate(ACTION_IDS[TO_CELL:TO_SEAT])}
PHASE_OF_ID = {text: phase for phase, text in enumerate(CHOICE_IDS)}
EMPTY = [State(seats) for seats in range(SEATS_MAX + 1)]
"""An empty record by number of seats: a copy of one is cheaper than a new one."""


def imagine(view: View, chance: Chance) -> State:
    """A whole state that this viewer could be in, drawn uniformly from all that fits what the viewer knows."""
    state = skeleton(view)
    viewer = view["viewer"]
    state.redeal(view["seats"] if viewer is None else viewer, chance.word())
    return state


def skeleton(view: View) -> State:
    """A state with this view, in which `redeal` must still deal the hidden cards: they lie in a fixed order."""
    return Reader(view).read()


def bits_of(texts: Iterable[str], ids: dict[str, int]) -> int:
    """A set of ids as bits."""
    bits = 0
    for text in texts:
        bits |= 1 << ids[text]
    return bits


def creature_bits(texts: Iterable[str]) -> int:
    """A set of creatures by id as bits."""
    return bits_of(texts, CREATURE_OF_ID)


def place_bits(texts: Iterable[str]) -> int:
    """A set of hidden places by id as bits."""
    return bits_of(texts, PLACE_OF_ID)


class Reader:
    """One view on its way to a state."""

    def __init__(self, view: View) -> None:
        self.seen = view
        self.state = EMPTY[view["seats"]].clone()
        self.viewer = view["seats"] if view["viewer"] is None else view["viewer"]
        self.target = NONE if view["target"] is None else view["target"]
        self.free = list([0] * CARDS)  # the cards of the game that have no place yet
        self.left = list([0] * CARDS)  # the same in the order in which they were put there
        self.n_left = 0
        self.n_looked = 0

    def read(self) -> State:
        """All of the view."""
        view = self.seen
        self.state.clear()
        self.state.set_columns(creature_bits(view["creatures"]))
        self.open_pool()
        self.read_flow()
        self.read_columns()
        for text in view["discarded"]:
            self.state.fate[self.take(text)] = DISCARDED
        self.read_own()
        self.read_looked()
        for entry in view["known"]:
            self.read_known(entry)
        self.close_pool()
        self.deal_others()
        self.read_seats()
        self.state.offer()
        return self.state

    # ---------------------------------------------------------------- the cards without a place

    def open_pool(self) -> None:
        """All cards of the game are free."""
        for text in self.seen["creatures"]:
            first = STRENGTHS * CREATURE_OF_ID[text]
            for card in range(first, first + STRENGTHS):
                self.free[card] = 1
        for card in range(FIRST_CHAMELEON, CARDS):
            self.free[card] = 1

    def take(self, text: str) -> int:
        """The card of this id; the two Dryads are taken one after the other."""
        card = CARD_OF_ID[text]
        if card == DRYAD and not self.free[card]:
            card = OTHER_DRYAD
        self.free[card] = 0
        return card

    def close_pool(self) -> None:
        """Put what is free in order. What the viewer knows something about is never in the deck, so it comes last:
        `give` takes from the end."""
        for text in self.seen["creatures"]:
            first = STRENGTHS * CREATURE_OF_ID[text]
            for card in range(first, first + STRENGTHS):
                self.put_back(card)
        for card in range(FIRST_CHAMELEON, CARDS):
            self.put_back(card)
        for i in range(self.state.n_special):
            if self.state.mask[i * VIEWERS + self.viewer]:
                self.free[self.state.special[i]] = 1
                self.put_back(self.state.special[i])

    def put_back(self, card: int) -> None:
        """The next card that `give` takes, if it is free."""
        if self.free[card]:
            self.free[card] = 0
            self.left[self.n_left] = card
            self.n_left += 1

    def give(self) -> int:
        """Any card that is left."""
        self.n_left -= 1
        return self.left[self.n_left]

    # ---------------------------------------------------------------- what lies open

    def read_flow(self) -> None:
        """Whose turn it is, and what is asked."""
        view = self.seen
        state = self.state
        state.full_hand = view["full_hand"]
        state.squeak_draws = view["squeak_draws"]
        state.ursus_halves = view["ursus_halves"]
        state.row = view["round"] - 1
        state.turn = view["turn"]
        state.actor = view["waiting_for"][0] if view["waiting_for"] else NONE
        state.phase = PHASE_OF_ID[view["phase"]]
        power = view["power"]
        if power is not None:
            state.home = CREATURE_OF_ID[power["creature"]]
            state.power = CREATURE_OF_ID[power["power"]]
            state.committed = 1 if power["committed"] else 0
        state.target = self.target
        named = view["named"]
        if named is not None:
            state.named = CREATURE_OF_ID[named]
        state.twinz = 1 if view["second_card"] else 0
        state.carmen = 1 if view["carmen"] else 0
        state.discards = view["discards"]
        state.resting = view["players"][state.turn]["resting"]
        state.busy = 1 if view["busy"] else 0
        state.idle = view["idle"]
        outcome = view["outcome"]
        if outcome is not None:
            state.reason = REASON_IDS.index(outcome["reason"])
        state.word = 0
        first = view["first_cell"]
        if first is not None:
            state.held = CELL_OF_ID[first]

    def read_columns(self) -> None:
        """The grid."""
        self.state.in_play = 0
        for entry in self.seen["columns"]:
            self.read_column(entry, CREATURE_OF_ID[entry["creature"]])

    def read_column(self, entry: Column, column: int) -> None:
        """One column."""
        state = self.state
        if entry["in_play"]:
            state.in_play |= 1 << column
        eliminated = entry["eliminated"]
        if eliminated is not None:
            state.gone[column] = eliminated - 1
        for seat in entry["champion"]:
            state.champion[column] |= 1 << seat
            state.bet(seat, column, 5)
        at = column
        for cell in entry["cells"]:
            pebble, top = cell["pebble"], cell["top"]
            if pebble is not None:
                state.place(pebble, at)
            for text in cell["covered"]:
                state.lay(at, self.take(text))
            if top is not None:
                state.lay(at, self.take(top))
            at += COLUMNS

    # ---------------------------------------------------------------- what the viewer knows

    def read_own(self) -> None:
        """The viewer's own cards."""
        own = self.seen["own"]
        if own is None:
            return
        state = self.state
        seat = self.viewer
        for text in own["hand"]:
            state.gain(seat, self.take(text))
        number = state.n_hand[seat]
        for text in own["aside"]:
            state.gain(seat, self.take(text))
        state.n_aside[seat] = state.n_hand[seat] - number
        state.n_hand[seat] = number
        for text in own["unseen"]:
            state.fate[self.take(text)] = UNSEEN + seat
            state.n_unseen[seat] += 1
        secret, held = own["secret"], own["held"]
        if secret is not None:
            state.secret[seat] = self.take(secret)
        if held is not None:
            state.held = CARD_OF_ID[held]

    def read_looked(self) -> None:
        """The cards that Goatman's player sees: in the viewer's own hand, or in the hand of the other."""
        looked = self.seen["looked"]
        if looked is None:
            return
        if self.target != self.viewer:
            for text in looked:
                self.look_at(self.take(text))
            return
        hand = sorted(self.state.cards_of(self.viewer, 0, self.state.n_hand[self.viewer]))
        for text in looked:
            card = CARD_OF_ID[text]
            if card not in hand:
                card = OTHER_DRYAD
            hand.remove(card)
            self.look_at(card)

    def look_at(self, card: int) -> None:
        """One of the cards that Goatman's player sees."""
        self.state.looked[self.n_looked] = card
        self.n_looked += 1

    def read_known(self, entry: Known) -> None:
        """A special card with its masks: what the viewer knows, and what everybody knows."""
        state = self.state
        mask = place_bits(entry["places"])
        public = place_bits(entry["public"])
        card = CARD_OF_ID[entry["card"]]  # one of the viewer's own cards where the mask is 0
        if mask:
            card = self.find_known(entry["card"], mask)
        slot = state.slot(card)
        for viewer in range(state.seats + 1):
            state.mask[slot * VIEWERS + viewer] = public
        if self.viewer < state.seats:
            state.mask[slot * VIEWERS + self.viewer] = mask

    def find_known(self, text: str, mask: int) -> int:
        """The card of which the viewer knows something: one that Goatman's player is looking at, or a free one."""
        state = self.state
        if self.n_looked and self.target != self.viewer and mask == 1 << (AT_HAND + self.target):
            wanted = CARD_OF_ID[text]
            for i in range(self.n_looked):
                card = state.looked[i]
                same = card == wanted or (card == OTHER_DRYAD and wanted == DRYAD)
                if same and state.special_at[card] == NONE:
                    return card
        return self.take(text)

    # ---------------------------------------------------------------- what is hidden

    def deal_others(self) -> None:
        """Give the others as many cards as the view says, the hands of all first."""
        state = self.state
        players = self.seen["players"]
        for seat in range(state.seats):
            if seat != self.viewer:
                count = players[seat]["hand"]
                for _ in range(count):
                    state.gain(seat, self.give())
        for seat in range(state.seats):
            if seat != self.viewer:
                number = state.n_hand[seat]
                count = players[seat]["aside"]
                for _ in range(count):
                    state.gain(seat, self.give())
                state.n_aside[seat] = count
                state.n_hand[seat] = number
        for seat in range(state.seats):
            if seat != self.viewer:
                count = players[seat]["unseen"]
                for _ in range(count):
                    state.fate[self.give()] = UNSEEN + seat
                state.n_unseen[seat] = count
        for seat in range(state.seats):
            if seat != self.viewer and players[seat]["secret"]:
                state.secret[seat] = self.give()
        for i in range(self.n_left):
            state.deck[i] = self.left[i]
        state.n_deck = self.n_left

    def read_seats(self) -> None:
        """What else everybody knows of each seat."""
        view = self.seen
        state = self.state
        for seat in range(state.seats):
            player = view["players"][seat]
            lacks = view["lacks"][seat]
            state.pebbles[seat] = player["pebbles"]
            if player["secret_made"]:
                state.secret_made |= 1 << seat
            state.none_hand[seat] = creature_bits(lacks["hand"])
            state.none_secret[seat] = creature_bits(lacks["secret"])
            for text, count in view["at_least"][seat].items():
                state.at_least[seat * COLUMNS + CREATURE_OF_ID[text]] = count
                state.bounds += count
