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
    CELLS,
    CHOICES,
    COLUMNS,
    DECK,
    DISCARDED,
    DRYAD,
    HAND,
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
        card = shown(state.looked[i]) + 1
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
    seats = state.seats
    pebble = at + 10 * SEATS_MAX
    champion = pebble + SEATS_MAX * CELLS
    controller = champion + SEATS_MAX * COLUMNS
    hand = controller + SEATS_MAX * COLUMNS
    secret = hand + SEATS_MAX * COLUMNS
    least = secret + SEATS_MAX * COLUMNS
    end = least + SEATS_MAX * COLUMNS
    blank(out, at, pebble - at)
    blank(out, hand, end + 3 * SHOWN - hand)  # with what `write_cards` fills: nearly all of it stays empty
    turn = from_viewer(state.turn, seat, seats)
    out[at + 4 * SEATS_MAX + turn] = state.resting
    out[at + 7 * SEATS_MAX + turn] = 1
    if state.actor != NONE:
        out[at + 8 * SEATS_MAX + from_viewer(state.actor, seat, seats)] = 1
    if state.target != NONE:
        out[at + 9 * SEATS_MAX + from_viewer(state.target, seat, seats)] = 1
    lacking = 0
    for who in range(seats):
        r = from_viewer(who, seat, seats)
        lacking |= state.none_hand[who] | state.none_secret[who]
        out[at + r] = state.n_hand[who]
        out[at + SEATS_MAX + r] = state.n_aside[who]
        out[at + 2 * SEATS_MAX + r] = state.n_unseen[who]
        out[at + 3 * SEATS_MAX + r] = state.pebbles[who]
        out[at + 5 * SEATS_MAX + r] = 1 if state.secret[who] != NONE else 0
        out[at + 6 * SEATS_MAX + r] = (state.secret_made >> who) & 1
        equal(out, pebble + r * CELLS, state.pebble, 0, CELLS, who, 1)
        bit_of(out, champion + r * COLUMNS, state.champion, 0, COLUMNS, who)
        equal(out, controller + r * COLUMNS, state.controller, 0, COLUMNS, who, 1)
    if lacking:
        for who in range(seats):
            r = from_viewer(who, seat, seats)
            bits(out, hand + r * COLUMNS, COLUMNS, state.none_hand[who])
            bits(out, secret + r * COLUMNS, COLUMNS, state.none_secret[who])
    if state.bounds:
        for who in range(seats):
            r = from_viewer(who, seat, seats)
            plain(out, least + r * COLUMNS, state.at_least, who * COLUMNS, COLUMNS)
    for r in range(seats, SEATS_MAX):
        blank(out, pebble + r * CELLS, CELLS)
        blank(out, champion + r * COLUMNS, COLUMNS)
        blank(out, controller + r * COLUMNS, COLUMNS)
    return end


def from_viewer(who: int, seat: int, seats: int) -> int:
    """A seat, counted from the viewer."""
    return who - seat if who >= seat else who + seats - seat


def seats_from_viewer(some: int, seat: int, seats: int) -> int:
    """A set of seats, a bit for each, counted from the viewer."""
    return (some >> seat | some << (seats - seat)) & ((1 << seats) - 1)


def write_cards(state: State, seat: int, out: Any, at: int) -> int:
    """The cards: the viewer's own, those in the discard, and what the viewer knows of the hidden ones."""
    own = at + SHOWN
    known = own + SHOWN
    discarded = known + SHOWN
    if state.n_unseen[seat]:
        equal(out, own, state.fate, 0, SHOWN, UNSEEN + seat, 4)
        if state.fate[OTHER_DRYAD] == UNSEEN + seat:
            out[own + DRYAD] = 4
    start = seat * HAND_MAX
    n = state.n_hand[seat]
    for i in range(
        (n if n > HAND else HAND) - 1, -1, -1
    ):  # a count that seldom changes, and no branches inside:
        out[at + shown(state.hand[start + i])] = 1 if i < n else 0  # what is not in hand is overwritten later
    if state.holds(seat, DRYAD) and state.holds(seat, OTHER_DRYAD):
        out[at + DRYAD] = 2
    for i in range(n, n + state.n_aside[seat]):
        out[own + shown(state.hand[start + i])] |= 1
    card = state.secret[seat]
    if card != NONE:
        out[own + shown(card)] |= 2
    n += state.n_aside[seat]
    for i in range(state.n_special):  # those that the viewer does not hold itself, without branches
        card = state.special[i]
        place = state.where[card]
        mine = (place < n) & (state.hand[start + place] == card)
        mine |= (state.secret[seat] == card) | (state.fate[card] == UNSEEN + seat)
        out[known + shown(card)] |= flags(state.mask[i * VIEWERS + seat], seat, state.seats) & (mine - 1)
    equal(out, discarded, state.fate, 0, SHOWN, DISCARDED, 1)
    if state.fate[OTHER_DRYAD] == DISCARDED:
        out[discarded + DRYAD] += 1
    return discarded + SHOWN


def shown(card: int) -> int:
    """The place of a card in a plane of cards."""
    return DRYAD if card == OTHER_DRYAD else card


def flags(mask: int, seat: int, seats: int) -> int:
    """Where a hidden card may be with others, as the plane `known` has it."""
    others = ((1 << seats) - 1) ^ (1 << seat)
    found = seats_from_viewer((mask >> AT_HAND) & others, seat, seats) >> 1
    found |= 16 if (mask >> AT_ASIDE) & others else 0
    found |= 32 if (mask >> AT_SECRET) & others else 0
    return found | ((mask >> AT_UNSEEN) & 1) << 6


def write_mask(state: State, seat: int, out: Any) -> None:
    """A one for each action that is offered to a seat, into a buffer of ACTIONS bytes."""
    blank(out, 0, ACTIONS)
    if seat == state.actor:
        for i in range(((state.n_options + 7) & ~7) - 1, -1, -1):  # by eights: counts that can be predicted
            out[state.options[i]] = (
                1 if i < state.n_options else 0
            )  # an old option may be one again: the new ones last


def observe(state: State, seat: int, out: Any) -> None:
    """Write what a seat may know into a buffer of SIZE bytes."""
    view = buffer(out, SIZE, "the observation")
    write(state, a_seat(state, seat), start_of(view))


def mask(state: State, seat: int, out: Any) -> None:
    """Write a one for each action that is offered to a seat into a buffer of ACTIONS bytes, zeros for the rest."""
    view = buffer(out, ACTIONS, "the mask")
    write_mask(state, a_seat(state, seat), start_of(view))
