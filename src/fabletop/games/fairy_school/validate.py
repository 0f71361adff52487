"""What a position text may say: the limits that the engine relies on and, being fast, never looks at again.

`position.py` reads a text into plain numbers and asks here whether they can be a state. Every refusal is a BadText that
says what is wrong and what would be right.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fabletop.core.errors import BadText
from fabletop.games.fairy_school import constants as c
from fabletop.games.fairy_school.cards import CARDS

OWN = ("pile", "discard", "personal", "shared", "hand", "forest")
LIES = (*OWN, "projects", "banished")
DRAFTED = (c.PHASE_SETTLE_DRAFT, c.PHASE_DRAFT, c.PHASE_DROP)

# The most that a register can hold; what a question needs beside that is in `check_flow`.
REGISTER_MOST = {
    "line": 1, "left": c.HAND_MAX, "again": 1, "after": c.ASK_FINAL, "back": c.ASK_SPEND, "making": c.NO_ELEMENT,
    "spent": max(c.RATE) - 1, "taken": c.PROJECTS_MAX, "columns": (1 << c.COLUMNS) - 1,
}  # fmt: skip
ON_A_CARD = range(c.ASK_LINE, c.ASK_STUDY_ANY + 1)
DECK_NAMES = ("the S deck", "trimester I", "trimester II", "trimester III")
PAID_FOR = (c.ASK_SELECT, c.ASK_LINE, c.ASK_REALISE, c.ASK_FINAL)


def demand(holds: bool, message: str) -> None:
    """Raise BadText unless it holds."""
    if not holds:
        raise BadText(message)


def within(what: str, number: int, most: int) -> int:
    """The number, if it is not too high."""
    demand(0 <= number <= most, f"{what} is {number}; it should be 0 to {most}")
    return number


def check_seats(seats: int, named: Iterable[int]) -> None:
    """F-1.1: two to six seats, and nobody named who has none."""
    demand(2 <= seats <= c.SEATS_MAX, f"there are {seats} seats; Fairy School is for 2 to 6")
    for seat in named:
        demand(seat < seats, f"seat {seat} has a part, but there are {seats} seats, from 0 to {seats - 1}")


def check_table(at: Mapping[str, int], lists: Mapping[str, Sequence[int]], exact: bool) -> None:
    """Where the year is, the common discard, the final projects and who is still to choose."""
    within("the turn", at["turn"], c.LAST_TURNS)
    within("the draft round", at["draft_round"], c.PICKS_MAX)
    demand(len(set(lists["finals"])) == len(lists["finals"]), "a final project is on offer twice")
    within("the number of final projects", len(lists["finals"]), c.FINALS_DRAWN_MAX)
    demand(
        all(card >= c.PROJECT_FIRST for card in lists["common"]), "only projects lie in the common discard"
    )
    order = lists["order"]
    demand(len(set(order)) == len(order), "a seat stands twice in the order")
    demand(all(seat < at["seats"] for seat in order), "somebody stands in the order who has no seat")
    words = lists["chance"]
    demand(
        not exact or len(words) == at["seats"] + 1,
        f"chance has {len(words)} words; {at['seats'] + 1} are needed",
    )
    demand(all(word <= c.MASK64 for word in words), "a word of chance has more than sixteen digits")


def check_cards(areas: Sequence[Mapping[str, Any]], common: Sequence[int]) -> None:
    """Every card lies in one place only, and nobody owns more than there is room for."""
    cards = list(common)
    for area in areas:
        held = [card for zone in LIES for card in area[zone] if card != c.NONE]
        owned = sum(card != c.NONE for zone in OWN for card in area[zone])
        within("the number of cards in pile, discard, zones, hand and forest", owned, c.OWN_MAX)
        cards += held
    twice = sorted({card for card in cards if cards.count(card) > 1})
    demand(not twice, f"in two places at once: {', '.join(CARDS[card].name for card in twice)}")


def check_area(at: Mapping[str, int], area: Mapping[str, Any]) -> None:
    """What a seat has, and whether it fits the phase."""
    for amount in area["elements"]:
        within("an amount of an element", amount, 9999)
    within("the number of cubes", area["cubes"], c.CUBES_FULL)
    within("the number of steps", area["steps"], c.STEPS_SHORT if at["short"] else c.STEPS_LONG)
    projects = len(area["projects"])
    if at["phase"] == c.PHASE_DROP:
        within("the number of unfinished and drafted projects", projects, c.PROJECTS_MAX)
    else:
        within("the number of current projects", projects, c.KEPT)
    if at["phase"] == c.PHASE_PLAN:
        within("the number of cards to place", len(area["hand"]), area["forest"].count(c.NONE))


def check_began(at: Mapping[str, int], began: Mapping[str, Any]) -> None:
    """F-5.2: what a seat had when the stage began; before selection nothing is shared."""
    check_area(at, began)
    if at["phase"] == c.PHASE_SELECT:
        within("the number of shared cards", len(began["shared"]), 0)


def check_facts(at: Mapping[str, int], facts: Mapping[str, Any], exact: bool) -> None:
    """What else belongs to a seat."""
    for cubes in facts["kindness"]:
        within("the kindness from one seat", cubes, 255)
    within("the number of picks", len(facts["picks"]), c.PICKS_MAX)
    within("the number of cards looked at", len(facts["looked"]), c.LOOKED_MAX)
    within("the number of cards with cubes", len(facts["used"]), c.USED_MAX)
    within("sure", facts["sure"], c.HAND_MAX)
    for _, cubes in facts["used"]:
        within("the number of cubes on a card", cubes, c.CUBES_FULL)
    if facts["final"] != c.NONE:
        demand((facts["final"] >= c.LONG_FINALS) == bool(at["short"]), "a final project of the other length")
    rounds = at["draft_round"]
    if exact and at["phase"] in DRAFTED:
        demand(
            len(facts["picks"]) == rounds, f"{len(facts['picks'])} picks after {rounds} rounds of the draft"
        )


def check_flow(
    at: Mapping[str, int], flow: Mapping[str, int], area: Mapping[str, Any], facts: Mapping[str, Any]
) -> None:
    """Where a seat is in its flow: what it is asked must be about something it has."""
    card, question, after = flow["card"], flow["question"], flow["after"]
    converting = question in (c.ASK_CONVERT, c.ASK_CONVERT_WITH)
    heart = flow["back"] if converting else question
    demand(card == c.NONE or 0 <= card < c.CARDS, f"card is {card}; it should be the number of a card")
    for name, most in REGISTER_MOST.items():
        within(name, flow[name], most)
    placing = heart in (c.ASK_PLAN_SPACE, c.ASK_SETTLE_SPACE)
    picked = question == c.ASK_NOTHING and at["phase"] in (c.PHASE_SETTLE_DRAFT, c.PHASE_DRAFT)
    if placing or picked:
        demand(card in area["hand"], "a card is placed or picked that is not in the hand")
    if heart in ON_A_CARD or after == c.ASK_LINE:
        demand(card != c.NONE, f"asked {c.question_names[heart]} about no card")
    if question == c.ASK_PAY:
        demand(after in PAID_FOR, "asked to pay, but 'after' does not say for what")
        demand(
            after != c.ASK_REALISE or card in area["projects"], "asked to pay for what is no current project"
        )
        demand(
            after != c.ASK_FINAL or facts["final"] != c.NONE, "asked to pay for a step of no final project"
        )
    if question in (c.ASK_PAY, c.ASK_CONVERT_WITH):
        demand(flow["making"] != c.NO_ELEMENT, "asked to convert, but 'making' does not say into what")
    if converting:
        demand(heart != c.ASK_NOTHING, "asked to convert, but 'back' does not say what was asked before")
    if at["phase"] == c.PHASE_SELECT:
        # a seat that has chosen all its columns has no flow any more
        most = flow["taken"] if question != c.ASK_NOTHING else c.SHARED_MAX
        within("the number of shared cards", len(area["shared"]), most)
        within("the number of columns chosen", flow["taken"], c.SHARED_MAX)


def check_box(at: Mapping[str, int], placed: Sequence[int], hands: Sequence[int]) -> None:
    """F-4.1: a draft deals every seat its hand, so the box must have as many cards of each draft that is to come."""
    coming = list(range(at["trimester"] + 1, at["last"]))
    if at["phase"] in (c.PHASE_SETTLE_DRAFT, c.PHASE_DRAFT) and not any(hands):
        coming.append(at["trimester"])
    for deck in coming:
        size = c.DRAFT_SIZE_OF_TWO if deck == 0 and at["seats"] == 2 else c.DRAFT_SIZE
        left = sum(card not in placed for card in range(c.DECK_FIRST[deck], c.DECK_END[deck]))
        demand(
            left >= size * at["seats"],
            f"{left} cards of {DECK_NAMES[deck]} are left in the box; "
            f"the draft to come needs {size * at['seats']}",
        )


def check_asked(at: Mapping[str, int], asked: Mapping[int, Sequence[int]], hands: Sequence[int]) -> None:
    """Somebody is asked or the year is over, everyone asked has an answer, and all hold as many cards of a draft."""
    demand(bool(asked) != (at["phase"] == c.PHASE_OVER), "nobody is asked anything, yet the year is not over")
    for seat, options in asked.items():
        demand(len(options) > 0, f"seat {seat} is asked something to which there is no answer")
    if at["phase"] in (c.PHASE_SETTLE_DRAFT, c.PHASE_DRAFT):
        demand(
            len(set(hands)) == 1 and hands[0] > 1, "in a draft all hold the same number of cards, two or more"
        )
