"""What one seat may know of a game of Equinox (E-9) as bytes for learners, written straight from the record.

`PLANES` says what lies where; `write` writes in that order. Nothing comes from what the seat may not know: a
test compares every plane with the view, and law 5 holds for these bytes too. Seats are counted from the viewer: 0 is
the viewer, 1 the next to play, and so on; the bytes of absent seats are 0. The two Dryads are one thing to every
player, so planes of cards have 167 places, as many as the actions that name a card.

Compiled with `observation.pxd`; interpreted, the same text gives the same bytes.
"""

# The functions that fill are C where this is compiled, and set by `globals` where it is not.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined,no-any-return"
from __future__ import annotations

from typing import Any

from fabletop.core.planes import FILL, a_seat, buffer, planes, size_of
from fabletop.games.equinox.constants import (
    ACTIONS,
    ANCESTOR,
    ASK_COLUMN,
    ASK_GOATMAN_KEEP,
    ASK_HOPSCOTCH_WITH,
    ASK_PLAY,
    AT_ASIDE,
    AT_HAND,
    AT_SECRET,
    AT_UNSEEN,
    CARDS,
    CELLS,
    CHOICES,
    COLUMNS,
    DECK,
    DISCARDED,
    DRYAD,
    HAND_MAX,
    LOOKED,
    NONE,
    OTHER_DRYAD,
    PEBBLES,
    ROWS,
    SEATS_MAX,
    SHOWN,
    STRENGTHS,
    UNSEEN,
    VIEWERS,
)
from fabletop.games.equinox.engine import State

COMPILED = not __file__.endswith(".py")
if not COMPILED:  # compiled, all of them are C, in fill.pxd
    globals().update(FILL)

EACH = f"{SEATS_MAX} × {COLUMNS}, by seat and creature: "
PLANES = planes(
    (
        # the game and the turn
        ("seats", 1, SEATS_MAX, "how many seats there are"),
        ("full_hand", 1, DECK, "the cards that a hand is filled up to"),
        ("round", 1, ROWS, "the round"),
        ("deck", 1, DECK, "cards in the deck"),
        ("discards", 1, 3, "cards discarded so far this turn"),
        ("idle", 1, SEATS_MAX, "turns in a row without progress"),
        ("busy", 1, 1, "something counted as progress this turn"),
        ("second_card", 1, 1, "Twinz's second card is being played"),
        ("carmen", 1, 1, "Carmen is active this turn"),
        ("committed", 1, 1, "the power in use cannot be declined any more"),
        ("reason", 1, 3, "why the game ended: 1 fifth elimination, 2 the deck ran out, 3 stalled"),
        ("first_cell", 1, CELLS, "the cell of Hopscotch's first card, from 1"),
        ("placing", 1, DRYAD + 1, "the Chameleon that the viewer is about to place, from 1"),
        (
            "looked",
            LOOKED,
            DRYAD + 1,
            "the cards that Goatman's player and their owner see, ascending, from 1",
        ),
        ("phase", CHOICES, 1, "the kind of the pending choice, as far as the viewer may know"),
        ("creature", COLUMNS, 1, "the creature whose card was played and whose power is being used"),
        ("power", COLUMNS, 1, "the creature whose power that is: another one for Fungy"),
        ("named", COLUMNS, 1, "the creature that Hoot's player has named"),
        # the columns
        ("in_game", COLUMNS, 1, "the creatures of this game"),
        ("in_play", COLUMNS, 1, "those that are not eliminated"),
        ("eliminated", COLUMNS, ROWS, "the round in which a creature was eliminated"),
        (
            "top",
            CELLS,
            ANCESTOR,
            f"the visible card in each cell, from 1; a cell is row × {COLUMNS} + creature",
        ),
        ("strength", CELLS, STRENGTHS, "the strength of that card, from 1"),
        ("under", ANCESTOR, ANCESTOR, "for each card in a pile, the card that lies under it, from 1"),
        # the seats
        ("hand_size", SEATS_MAX, DECK, "cards in hand"),
        ("aside_size", SEATS_MAX, DECK, "cards that Stag has set aside"),
        ("unseen_size", SEATS_MAX, DECK, "cards discarded unseen"),
        ("pebbles", SEATS_MAX, PEBBLES, "pebbles left"),
        ("resting", SEATS_MAX, PEBBLES, "pebbles that came back this turn"),
        ("has_secret", SEATS_MAX, 1, "an unrevealed secret prediction lies here"),
        ("secret_made", SEATS_MAX, 1, "a secret prediction was made at some time"),
        ("turn", SEATS_MAX, 1, "the seat whose turn it is"),
        ("asked", SEATS_MAX, 1, "the seat that is asked"),
        ("target", SEATS_MAX, 1, "the seat chosen so far (Hoot, Goatman)"),
        ("pebble", SEATS_MAX * CELLS, 1, f"{SEATS_MAX} × {CELLS}, by seat and cell: a pebble lies there"),
        ("champion", SEATS_MAX * COLUMNS, 1, EACH + "a pebble lies on the Champion card"),
        ("controller", SEATS_MAX * COLUMNS, 1, EACH + "the seat controls the column"),
        # what is known of hidden cards
        ("lacks_hand", SEATS_MAX * COLUMNS, 1, EACH + "none among the cards in hand that cannot be placed"),
        ("lacks_secret", SEATS_MAX * COLUMNS, 1, EACH + "not the card of the secret prediction"),
        ("at_least", SEATS_MAX * COLUMNS, STRENGTHS, EACH + "the fewest cards everybody knows a seat has"),
        ("hand", SHOWN, 2, "by card: how many are in the viewer's hand"),
        (
            "own",
            SHOWN,
            7,
            "by card: 1 set aside by the viewer, + 2 under its secret, + 4 discarded unseen by it",
        ),
        (
            "known",
            SHOWN,
            127,
            (
                "by card, where it may be with others as the viewer knows: 1, 2, 4, 8 the hand of seat 1 to 4, "
                "+ 16 set aside, + 32 a secret prediction, + 64 discarded unseen"
            ),
        ),
        ("discarded", SHOWN, 2, "by card: how many lie in the discard face up"),
    )
)
SIZE = size_of(PLANES)


def write(state: State, seat: int, out: Any) -> int:
    """The observation of a seat into a buffer of SIZE bytes; returns the index after the last."""
    at = write_turn(state, seat, out)
    at = write_table(state, out, at)
    at = write_seats(state, seat, out, at)
    return write_cards(state, seat, out, at)


def write_turn(state: State, seat: int, out: Any) -> int:
    """Whose turn, and what is asked."""
    phase = state.phase
    mine = seat == state.turn
    out[0] = state.seats
    out[1] = state.full_hand
    out[2] = state.row + 1
    out[3] = state.n_deck
    out[4] = state.discards
    out[5] = state.idle
    out[6] = state.busy
    out[7] = state.twinz
    out[8] = state.carmen
    out[9] = state.committed
    out[10] = state.reason
    out[11] = state.held + 1 if phase == ASK_HOPSCOTCH_WITH and state.held != NONE else 0
    out[12] = state.held + 1 if phase == ASK_COLUMN and mine else 0
    at = blank(out, 13, LOOKED)
    if phase == ASK_GOATMAN_KEEP and (mine or seat == state.target):
        write_looked(state, out, 13)
    if phase == ASK_COLUMN and not mine:
        phase = ASK_PLAY  # others cannot see that a Chameleon has been chosen
    at = one_hot(out, at, CHOICES, phase)
    at = one_hot(out, at, COLUMNS, state.home)
    at = one_hot(out, at, COLUMNS, state.power)
    return one_hot(out, at, COLUMNS, state.named)


def write_looked(state: State, out: Any, at: int) -> None:
    """The cards that Goatman's player looks at, sorted in."""
    for i in range(LOOKED):
        card = state.looked[i]
        card = (DRYAD if card == OTHER_DRYAD else card) + 1
        j = at + i
        while j > at and out[j - 1] > card:
            out[j] = out[j - 1]
            j -= 1
        out[j] = card


def write_table(state: State, out: Any, at: int) -> int:
    """The columns."""
    at = bits(out, at, COLUMNS, state.in_game)
    at = bits(out, at, COLUMNS, state.in_play)
    at = raised(out, at, state.gone, 0, COLUMNS)
    at = raised(out, at, state.top, 0, CELLS)
    at = rest(out, at, state.top, 0, CELLS, STRENGTHS)
    return raised(out, at, state.under, 0, ANCESTOR)


def write_seats(state: State, seat: int, out: Any, at: int) -> int:
    """The seats, counted from the viewer."""
    pebble = at + 10 * SEATS_MAX
    champion = pebble + SEATS_MAX * CELLS
    controller = champion + SEATS_MAX * COLUMNS
    hand = controller + SEATS_MAX * COLUMNS
    secret = hand + SEATS_MAX * COLUMNS
    least = secret + SEATS_MAX * COLUMNS
    end = least + SEATS_MAX * COLUMNS
    blank(out, hand, end + 3 * SHOWN - hand)  # with what `write_cards` fills: nearly all of it stays empty
    if state.seats < SEATS_MAX:
        blank(out, at, hand - at)
    who = seat
    for r in range(state.seats):
        out[at + r] = state.n_hand[who]
        out[at + SEATS_MAX + r] = state.n_aside[who]
        out[at + 2 * SEATS_MAX + r] = state.n_unseen[who]
        out[at + 3 * SEATS_MAX + r] = state.pebbles[who]
        out[at + 4 * SEATS_MAX + r] = state.resting if who == state.turn else 0
        out[at + 5 * SEATS_MAX + r] = 1 if state.secret[who] != NONE else 0
        out[at + 6 * SEATS_MAX + r] = (state.secret_made >> who) & 1
        out[at + 7 * SEATS_MAX + r] = 1 if who == state.turn else 0
        out[at + 8 * SEATS_MAX + r] = 1 if who == state.actor else 0
        out[at + 9 * SEATS_MAX + r] = 1 if who == state.target else 0
        equal(out, pebble + r * CELLS, state.pebble, 0, CELLS, who)
        bit_of(out, champion + r * COLUMNS, state.champion, 0, COLUMNS, who)
        equal(out, controller + r * COLUMNS, state.controller, 0, COLUMNS, who)
        if state.none_hand[who]:
            bits(out, hand + r * COLUMNS, COLUMNS, state.none_hand[who])
        if state.none_secret[who]:
            bits(out, secret + r * COLUMNS, COLUMNS, state.none_secret[who])
        if state.bounds:
            plain(out, least + r * COLUMNS, state.at_least, who * COLUMNS, COLUMNS)
        who += 1
        if who == state.seats:
            who = 0
    return end


def write_cards(state: State, seat: int, out: Any, at: int) -> int:
    """The cards: the viewer's own, those in the discard, and what the viewer knows of the hidden ones."""
    start = seat * HAND_MAX
    own = at + SHOWN
    known = own + SHOWN
    discarded = known + SHOWN
    for i in range(start, start + state.n_hand[seat]):
        card = state.hand[i]
        out[at + (DRYAD if card == OTHER_DRYAD else card)] += 1
    start += state.n_hand[seat]
    for i in range(start, start + state.n_aside[seat]):
        card = state.hand[i]
        out[own + (DRYAD if card == OTHER_DRYAD else card)] |= 1
    card = state.secret[seat]
    if card != NONE:
        out[own + (DRYAD if card == OTHER_DRYAD else card)] |= 2
    if state.n_unseen[seat]:
        for card in range(CARDS):
            if state.fate[card] == UNSEEN + seat:
                out[own + (DRYAD if card == OTHER_DRYAD else card)] |= 4
    for i in range(state.n_special):
        card = state.special[i]
        if not state.owns(seat, card):
            where = flags(state, seat, state.mask[i * VIEWERS + seat])
            out[known + (DRYAD if card == OTHER_DRYAD else card)] |= where
    equal(out, discarded, state.fate, 0, SHOWN, DISCARDED)
    if state.fate[OTHER_DRYAD] == DISCARDED:
        out[discarded + DRYAD] += 1
    return discarded + SHOWN


def flags(state: State, seat: int, mask: int) -> int:
    """Where a hidden card may be with others, as the plane `known` has it."""
    seats = state.seats
    found = 0
    for r in range(1, seats):
        who = seat + r if seat + r < seats else seat + r - seats
        found |= ((mask >> (AT_HAND + who)) & 1) << (r - 1)
        found |= ((mask >> (AT_ASIDE + who)) & 1) << 4
        found |= ((mask >> (AT_SECRET + who)) & 1) << 5
    return found | ((mask >> AT_UNSEEN) & 1) << 6


def write_mask(state: State, seat: int, out: Any) -> None:
    """A one for each action that is offered to a seat, into a buffer of ACTIONS bytes."""
    blank(out, 0, ACTIONS)
    if seat == state.actor:
        for i in range(state.n_options):
            out[state.options[i]] = 1


def observe(state: State, seat: int, out: Any) -> None:
    """Write what a seat may know into a buffer of SIZE bytes."""
    view = buffer(out, SIZE, "the observation")
    write(state, a_seat(state, seat), start_of(view))


def mask(state: State, seat: int, out: Any) -> None:
    """Write a one for each action that is offered to a seat into a buffer of ACTIONS bytes, zeros for the rest."""
    view = buffer(out, ACTIONS, "the mask")
    write_mask(state, a_seat(state, seat), start_of(view))
