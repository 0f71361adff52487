"""What one seat may know of a year (rules page, section 10) as bytes for learners, written straight from the record.

`PLANES` says what lies where; `write` writes in that order. Nothing comes from what the seat may not know: a test
compares every plane with the view, and law 5 holds for these bytes too. Seats are counted from the viewer: 0 is the
viewer, 1 the next to the left, and so on; the bytes of absent seats are 0.

The viewer's own area is shown as it is, the others' as they were when the stage began (F-3.2). So most of an
observation stays the same for a whole stage: `paint` makes an *image* of it, once for all viewers, and `write` turns
the image towards one of them and lays what is the viewer's own over it.

Compiled with `observation.pxd`; interpreted, the same text gives the same bytes.
"""

# The functions that fill are C where this is compiled, and set by `globals` where it is not.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined,no-any-return"
from __future__ import annotations

from typing import Any

from fabletop.core.planes import FILL, a_seat, buffer, planes, size_of
from fabletop.games.fairy_school.constants import (
    ACTIONS,
    ASK_NOTHING,
    BLOCK,
    CARDS,
    COLUMNS,
    CREATURES,
    CUBES_FULL,
    ELEMENTS,
    FINALS,
    HAND_MAX,
    IMAGE,
    IN_BANISHED,
    IN_COMMON,
    IN_DISCARD,
    IN_FOREST,
    IN_HAND,
    IN_PERSONAL,
    IN_PICKS,
    IN_PILE,
    IN_PROJECTS,
    IN_SHARED,
    IN_SIGHT,
    LAST_TURNS,
    LOOKED_MAX,
    NONE,
    ON_PILE,
    OWN_MAX,
    OWNERS,
    PASSED_LEFT,
    PASSED_ON,
    PHASE_DRAFT,
    PHASE_DROP,
    PHASE_PLAN,
    PHASE_SETTLE,
    PHASE_SETTLE_DRAFT,
    PHASES,
    PICKS_MAX,
    PROJECTS_MAX,
    QUESTIONS,
    SEATS_MAX,
    SETS,
    SHARED_MAX,
    SPACES,
    STEPS_LONG,
    USED_MAX,
)
from fabletop.games.fairy_school.engine import State

COMPILED = not __file__.endswith(".py")
if not COMPILED:  # compiled, all of them are C, in fill.pxd
    globals().update(FILL)

ZONES = (
    "0 not seen, 1 draw pile (or drawn from it unseen), 2 draw pile, its place known, 3 discard, 4 personal zone, "
    "5 shared zone, 6 forest, 7 projects, 8 banished, 9 hand or drawn, 10 common discard, 11 picked in a draft, "
    "12 looked at, 13 seen in a draft hand and passed on"
)

area = (
    ("set", 1, SETS, "its predefined set, from 1"),
    ("cubes", 1, CUBES_FULL, "cubes in its reserve"),
    ("kindness", 1, 255, "cubes received, at most 255"),
    ("steps", 1, STEPS_LONG, "steps of its final project completed"),
    ("final", 1, FINALS, "its final project, from 1"),
    ("personal", 1, OWN_MAX, "cards in its personal zone"),
    ("shared", 1, SHARED_MAX, "cards in its shared zone"),
    ("discard", 1, OWN_MAX, "cards in its discard"),
    ("pile", 1, OWN_MAX, "cards in its draw pile"),
    ("pile_known", 1, OWN_MAX, "cards on its draw pile whose place is known"),
    ("hand_size", 1, HAND_MAX, "cards in hand"),
    ("drawn", 1, HAND_MAX, "cards drawn, while it plans"),
    ("projects", 1, PROJECTS_MAX, "its projects"),
    ("banished", 1, OWN_MAX, "its banished cards"),
    ("pile_top", 3, CARDS, "the uppermost cards of its draw pile, as far as they are known, from 1"),
    ("elements", ELEMENTS, 255, "E, V, F, W, A, each at most 255"),
    ("studied", CREATURES, 1, "the creatures it has studied"),
    ("forest", SPACES, CARDS, "its forest, top row and bottom row, cards from 1"),
)
PLANES = planes(
    (
        # the table
        ("seats", 1, SEATS_MAX, "how many seats there are"),
        ("setup", 1, 2, "0 beginners, 1 normal, 2 expert"),
        ("short", 1, 1, "the short year"),
        ("wider", 1, 1, "the wider neighbourhood"),
        ("trimester", 1, 4, "0 during set-up, 4 the last"),
        ("last", 1, 1, "this is the last trimester"),
        ("turn", 1, LAST_TURNS, "the turn in this trimester"),
        ("year_turn", 1, 255, "the turn in the year"),
        ("together", 1, 1, "all seats decide at once, unseen by each other"),
        ("draft_round", 1, PICKS_MAX, "picks made so far in the draft"),
        ("draft_size", 1, HAND_MAX, "cards in a draft hand at the start"),
        ("draft_left", 1, 1, "draft hands are passed to the left"),
        ("ended", 1, 2, "why the year ended: 1 a final project was completed, 2 the twelfth turn"),
        ("phase", PHASES, 1, "what the table is at"),
        ("finals", FINALS, 1, "the final projects on offer"),
        ("waiting", SEATS_MAX, 1, "the seats that have something to decide"),
        ("order", SEATS_MAX, SEATS_MAX, "1 for the seat that chooses next, 2 for the one after it"),
        # what the viewer is in the middle of, or the seat that is asked, where one is asked at a time
        ("question", QUESTIONS, 1, "the kind of the pending choice"),
        ("deciding", SEATS_MAX, 1, "the seat whose choice it is"),
        ("card", 1, CARDS, "the card that the question is about, from 1"),
        ("line", 1, 2, "the line of that card, from 1"),
        ("left", 1, 255, "how many times still to do"),
        ("again", 1, 1, "the card is activated by a repeat"),
        ("after", 1, QUESTIONS - 1, "the choice that a payment belongs to, by the place in `question`"),
        ("back", 1, QUESTIONS - 1, "the choice to return to after a conversion, in the same way"),
        ("spent", 1, 255, "elements put into what is being made"),
        ("taken", 1, 255, "projects realised, or cards settled, so far"),
        ("making", ELEMENTS, 1, "the element that is being made"),
        ("columns", COLUMNS, 1, "the columns chosen so far"),
        ("owed", ELEMENTS, 255, "what is being paid"),
        ("given", ELEMENTS, 255, "what has been put into the conversion"),
        # the seats' areas
        *(
            (f"{name}.{seat}", length, high, f"seat {seat}: {meaning}")
            for seat in range(SEATS_MAX)
            for name, length, high, meaning in area
        ),
        # the cards
        ("owner", CARDS, SEATS_MAX, "by card: the seat that has it, from 1; 0 nobody, or not known"),
        ("zone", CARDS, PASSED_ON, f"by card: {ZONES}"),
        ("used", CARDS, 255, "by card: 0 not activated by the viewer this turn, else 1 and the cubes on it"),
    )
)
SIZE = size_of(PLANES)


def paint(state: State, image: Any) -> None:
    """What every viewer sees alike of the seats and cards, for a whole stage: areas as they were when it began."""
    blank(image, OWNERS, 2 * CARDS)
    for seat in range(state.seats):
        write_area(state, seat, 1, image, seat * BLOCK)
        lay_area(state, seat, 1, seat + 1, image, OWNERS)
    blank(image, state.seats * BLOCK, (SEATS_MAX - state.seats) * BLOCK)
    lay(state.common, 0, state.n_common, 0, IN_COMMON, image, OWNERS)


def write(state: State, seat: int, image: Any, out: Any) -> int:
    """The observation of a seat into a buffer of SIZE bytes, with an image of this stage; the index after the last."""
    at = write_table(state, seat, out)
    at = write_flow(state, seat, out, at)
    write_area(state, seat, 0, out, at)
    at += BLOCK
    at = plain(out, at, image, (seat + 1) * BLOCK, (state.seats - seat - 1) * BLOCK)
    at = plain(out, at, image, 0, seat * BLOCK)
    at = plain(out, at, image, state.seats * BLOCK, (SEATS_MAX - state.seats) * BLOCK)
    turned(out, at, image, OWNERS, CARDS, seat, state.seats)
    without(out, at + CARDS, image, OWNERS + CARDS, OWNERS, CARDS, seat + 1)
    lay_area(state, seat, 0, 1, out, at)
    if (
        state.phase == PHASE_SETTLE_DRAFT
        or state.phase == PHASE_DRAFT
        or state.phase == PHASE_DROP
        or state.phase == PHASE_SETTLE
    ):
        lay_draft(state, seat, out, at)
    at = blank(out, at + 2 * CARDS, CARDS)
    for i in range(seat * USED_MAX, seat * USED_MAX + state.n_used[seat]):
        out[at - CARDS + state.used[i]] = state.used_cubes[i] + 1
    return at


def write_table(state: State, seat: int, out: Any) -> int:
    """Where the year is."""
    drafting = state.phase == PHASE_SETTLE_DRAFT or state.phase == PHASE_DRAFT
    size = 0
    if drafting or state.phase == PHASE_DROP or state.phase == PHASE_SETTLE:
        size = state.n_picks[0] + (state.was_n_hand[0] if drafting else 0)
    out[0] = state.seats
    out[1] = state.setup
    out[2] = state.short
    out[3] = state.wider
    out[4] = 4 if state.trimester == state.last else state.trimester
    out[5] = 1 if state.trimester == state.last else 0
    out[6] = state.turn
    out[7] = state.year_turn
    out[8] = 1 if state.together else 0
    out[9] = state.draft_round if size else 0
    out[10] = size
    out[11] = PASSED_LEFT[state.trimester] if size else 0
    out[12] = state.ended
    at = one_hot(out, 13, PHASES, state.phase)
    finals = at
    at = blank(out, at, FINALS)
    for i in range(state.n_finals):
        out[finals + state.finals[i]] = 1
    waiting = at
    at = blank(out, at, 2 * SEATS_MAX)
    for who in range(state.seats):
        r = who - seat if who >= seat else who + state.seats - seat
        out[waiting + r] = 1 if state.question[who] != ASK_NOTHING else 0
    for i in range(state.at_order, state.n_order):
        who = state.order[i]
        r = who - seat if who >= seat else who + state.seats - seat
        out[waiting + SEATS_MAX + r] = i - state.at_order + 1
    return at


def write_flow(state: State, viewer: int, out: Any, at: int) -> int:
    """What the viewer is in the middle of; where seats are asked in order, what the asked one is."""
    seat = viewer
    if not state.together:
        for who in range(state.seats):
            if state.question[who] != ASK_NOTHING:
                seat = who
                break
    if state.question[seat] == ASK_NOTHING:
        return blank(out, at, QUESTIONS + SEATS_MAX + 8 + 3 * ELEMENTS + COLUMNS)
    at = one_hot(out, at, QUESTIONS, state.question[seat])
    at = one_hot(out, at, SEATS_MAX, seat - viewer if seat >= viewer else seat + state.seats - viewer)
    out[at] = (state.card[seat] + 1) & 255
    out[at + 1] = state.line[seat] + 1
    out[at + 2] = state.left[seat]
    out[at + 3] = 1 if state.again[seat] != 0 else 0
    out[at + 4] = state.after[seat]
    out[at + 5] = state.back[seat]
    out[at + 6] = state.spent[seat]
    out[at + 7] = state.taken[seat]
    at = one_hot(out, at + 8, ELEMENTS, state.making[seat])
    at = bits(out, at, COLUMNS, state.columns[seat])
    at = plain(out, at, state.owed, seat * ELEMENTS, ELEMENTS)
    return plain(out, at, state.given, seat * ELEMENTS, ELEMENTS)


def write_area(state: State, seat: int, began: int, out: Any, at: int) -> None:
    """A seat's area as it is, or as it was when the stage began."""
    kindness = 0
    for other in range(state.seats):
        kindness += state.kindness[seat * SEATS_MAX + other]
    out[at] = state.set[seat] + 1 if state.set[seat] != SETS else 0
    out[at + 2] = 255 if kindness > 255 else kindness
    out[at + 4] = (state.final[seat] + 1) & 255
    out[at + 11] = state.was_n_hand[seat] if state.phase == PHASE_PLAN else 0
    if began:
        pile = state.was_pile
        elements = state.was_elements
        studied = state.was_studied[seat]
        count = state.was_n_pile[seat]
        known = count - state.was_bag[seat]
        in_hand = state.was_n_hand[seat]
        out[at + 1] = state.was_cubes[seat]
        out[at + 3] = state.was_steps[seat]
        out[at + 5] = state.was_n_personal[seat]
        out[at + 6] = state.was_n_shared[seat]
        out[at + 7] = state.was_n_discard[seat]
        out[at + 12] = state.was_n_projects[seat]
        out[at + 13] = state.was_n_banished[seat]
        raised(out, at + 17 + ELEMENTS + CREATURES, state.was_forest, seat * SPACES, SPACES)
    else:
        pile = state.pile
        elements = state.elements
        studied = state.studied[seat]
        count = state.n_pile[seat]
        known = count - state.bag[seat]
        in_hand = state.n_hand[seat]
        out[at + 1] = state.cubes[seat]
        out[at + 3] = state.steps[seat]
        out[at + 5] = state.n_personal[seat]
        out[at + 6] = state.n_shared[seat]
        out[at + 7] = state.n_discard[seat]
        out[at + 12] = state.n_projects[seat]
        out[at + 13] = state.n_banished[seat]
        raised(out, at + 17 + ELEMENTS + CREATURES, state.forest, seat * SPACES, SPACES)
    out[at + 8] = count
    out[at + 9] = known
    out[at + 10] = 0 if state.phase == PHASE_DROP else in_hand
    top = seat * OWN_MAX + count - 1
    out[at + 14] = pile[top] + 1 if known > 0 else 0
    out[at + 15] = pile[top - 1] + 1 if known > 1 else 0
    out[at + 16] = pile[top - 2] + 1 if known > 2 else 0
    for k in range(ELEMENTS):
        amount = elements[seat * ELEMENTS + k]
        out[at + 17 + k] = 255 if amount > 255 else amount
    bits(out, at + 17 + ELEMENTS, CREATURES, studied)


def lay(of: Any, start: int, count: int, owner: int, zone: int, out: Any, at: int) -> None:
    """Enter the cards of a zone into `owner` and `zone`, which begin at an index."""
    for i in range(start, start + count):
        card = of[i]
        out[at + card] = owner
        out[at + CARDS + card] = zone


def lay_area(state: State, seat: int, began: int, owner: int, out: Any, at: int) -> None:
    """Enter a seat's cards: as the others know them when the stage began, or as the seat itself does now."""
    own = seat * OWN_MAX
    if began:
        bag = state.was_bag[seat]
        drawn = state.was_n_hand[seat] if state.phase == PHASE_PLAN else 0
        sure = state.sure[seat]
        if sure > drawn:
            sure = drawn
        lay(state.was_pile, own, bag, owner, IN_PILE, out, at)
        lay(state.was_pile, own + bag, state.was_n_pile[seat] - bag, owner, ON_PILE, out, at)
        lay(state.was_discard, own, state.was_n_discard[seat], owner, IN_DISCARD, out, at)
        lay(state.was_personal, own, state.was_n_personal[seat], owner, IN_PERSONAL, out, at)
        lay(state.was_shared, seat * SHARED_MAX, state.was_n_shared[seat], owner, IN_SHARED, out, at)
        lay(state.was_projects, seat * PROJECTS_MAX, state.was_n_projects[seat], owner, IN_PROJECTS, out, at)
        lay(state.banished, own, state.was_n_banished[seat], owner, IN_BANISHED, out, at)
        lay(state.was_hand, seat * HAND_MAX, sure, owner, IN_HAND, out, at)
        lay(state.was_hand, seat * HAND_MAX + sure, drawn - sure, owner, IN_PILE, out, at)
        lay_forest(state.was_forest, seat * SPACES, owner, out, at)
        return
    bag = state.bag[seat]
    lay(state.picks, seat * PICKS_MAX, state.n_picks[seat], owner, IN_PICKS, out, at)
    lay(state.pile, own, bag, owner, IN_PILE, out, at)
    lay(state.pile, own + bag, state.n_pile[seat] - bag, owner, ON_PILE, out, at)
    lay(state.discard, own, state.n_discard[seat], owner, IN_DISCARD, out, at)
    lay(state.personal, own, state.n_personal[seat], owner, IN_PERSONAL, out, at)
    lay(state.shared, seat * SHARED_MAX, state.n_shared[seat], owner, IN_SHARED, out, at)
    lay(state.projects, seat * PROJECTS_MAX, state.n_projects[seat], owner, IN_PROJECTS, out, at)
    lay(state.banished, own, state.n_banished[seat], owner, IN_BANISHED, out, at)
    lay(state.hand, seat * HAND_MAX, state.n_hand[seat], owner, IN_HAND, out, at)
    lay(state.looked, seat * LOOKED_MAX, state.n_looked[seat], owner, IN_SIGHT, out, at)
    lay_forest(state.forest, seat * SPACES, owner, out, at)


def lay_forest(of: Any, start: int, owner: int, out: Any, at: int) -> None:
    """Enter the cards of a forest."""
    for i in range(start, start + SPACES):
        card = of[i]
        if card != NONE:
            out[at + card] = owner
            out[at + CARDS + card] = IN_FOREST


def lay_draft(state: State, seat: int, out: Any, at: int) -> None:
    """Enter what the viewer has picked just now, and the cards that it saw in draft hands and passed on."""
    seats = state.seats
    drafting = state.phase == PHASE_SETTLE_DRAFT or state.phase == PHASE_DRAFT
    if drafting and state.card[seat] != NONE:
        out[at + CARDS + state.card[seat]] = IN_PICKS
    if not drafting and state.n_picks[seat] == 0:
        return
    step = state.passing()
    rounds = state.draft_round
    for number in range(rounds + 1 if drafting else rounds):
        pack = (seat + (seats - step) * number) % seats
        for i in range(number, rounds):
            holder = (pack + step * i) % seats
            pass_on(state.picks[holder * PICKS_MAX + i], out, at)
        if drafting:
            holder = (pack + step * rounds) % seats
            for i in range(holder * HAND_MAX, holder * HAND_MAX + state.was_n_hand[holder]):
                pass_on(state.was_hand[i], out, at)


def pass_on(card: int, out: Any, at: int) -> None:
    """Enter a card of a draft hand, unless it is known to be elsewhere."""
    if out[at + CARDS + card] == 0:
        out[at + CARDS + card] = PASSED_ON


def write_mask(state: State, seat: int, out: Any) -> None:
    """A one for each action that is offered to a seat, into a buffer of ACTIONS bytes."""
    blank(out, 0, ACTIONS)
    if state.question[seat] != ASK_NOTHING:
        state.ask_all(seat)
        for i in range(state.n_options):
            out[state.options[i]] = 1


def observe(state: State, seat: int, out: Any) -> None:
    """Write what a seat may know into a buffer of SIZE bytes."""
    view = buffer(out, SIZE, "the observation")
    image = memoryview(bytearray(IMAGE))
    paint(state, start_of(image))
    write(state, a_seat(state, seat), start_of(image), start_of(view))


def mask(state: State, seat: int, out: Any) -> None:
    """Write a one for each action that is offered to a seat into a buffer of ACTIONS bytes, zeros for the rest."""
    view = buffer(out, ACTIONS, "the mask")
    write_mask(state, a_seat(state, seat), start_of(view))
