"""What the lab notes of a year of Fairy School, and how another card file is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from fabletop.core.sitting import Sitting
from fabletop.games.fairy_school import constants as c
from fabletop.games.fairy_school.algebra import BLANK, price_text
from fabletop.games.fairy_school.cards import (
    BY_NAME,
    CARDS,
    FINALS,
    OTHER_CARDS,
    SET_LETTERS,
    START_DECK_SIZE,
    Card,
    FinalProject,
    own_card_text,
    parse_card_table,
)
from fabletop.games.fairy_school.engine import State
from fabletop.lab.facts import ALL, Fact, counted

PARTS = ("kindness", "projects", "steps", "creatures", "elements")
PRINTED = tuple(
    CARDS[card.id % START_DECK_SIZE].name if card.deck == "start" else card.name for card in CARDS
)
"""By card, the name of the card that it is a copy of: the starting decks are alike."""


LABELS = {
    "kindness": "points for kindness",
    "projects": "points for projects",
    "steps": "points for steps of the final project",
    "creatures": "points for creatures",
    "elements": "points for elements",
    "last_turns": "turns of the last trimester",
    "taken": "taken in the draft",
    "kept": "kept",
    "realised": "realised",
    "used": "used by its owner",
    "lent": "used by neighbours",
    "final": "chosen",
    "completed": "completed",
    "set": "dealt",
}
"""How a page calls the facts."""
PLAIN = ("last_turns", *PARTS)
"""The facts of which there is one value a game or a seat."""
RATES = {"realised": "kept", "completed": "final"}
"""What is also shown as a share of something else."""
CARDS_VARIABLE = OTHER_CARDS
"""The environment variable that gives a process other cards."""
ABOUT = "card"
"""What most facts are about."""
SEATS = (3, 4)
"""The numbers of seats that a report looks at."""
SETS = "set"
"""The fact that says who was dealt which set."""
HEADINGS = {"realised": "Which projects are realised", "completed": "Which final projects are completed"}
LEVELS = ("thumbling", "gretel", "puss:iterations=3", "queen:iterations=10")
"""The four levels with a fixed number of iterations, so that a report is the same on every machine."""
LEVELS_PART = 500
"""One deal of the levels for N games of greedy bots."""
MARKS: tuple[dict[str, Any], ...] = (
    *(
        mark
        for seats in SEATS
        for mark in (
            {"value": "points", "statistic": "median", "low": 85, "high": 95, "seats": seats},
            {
                "value": "last_turns",
                "statistic": "share",
                "low": 0.9,
                "high": 1,
                "seats": seats,
                "least": 3,
                "most": 6,
            },
            {"value": "victory", "statistic": "seats", "low": -0.03, "high": 0.03, "seats": seats},
            {"value": "set", "statistic": "victories", "low": -0.03, "high": 0.03, "seats": seats},
        )
    ),
    {"value": "realised", "statistic": "rate", "low": 0.05, "high": 0.95},
)
"""What section 9 of the rules asks of the cards."""
WORTH = "kept"
"""The fact that says who has a card, where its worth is asked for."""


def facts(sitting: Sitting) -> Iterator[Fact]:
    """Of each card who took, kept, realised and used it, of each seat the parts of its points, of the year its end."""
    seen: Counter[tuple[str, str, int]] = Counter()
    last_turns = 0
    for row in sitting.rows:
        kind = row[0]
        if kind not in NOTED:
            continue
        if kind in (c.EV_ACTIVATED, c.EV_REPEATED):
            _, seat, owner, card, line = row
            seen["used" if seat == owner else "lent", PRINTED[card], owner] += 1
            seen["line", f"{PRINTED[card]}:{line + 1}", ALL] += 1
        elif kind == c.EV_PICKED:
            seen["taken", PRINTED[row[2]], row[1]] += 1
        elif kind in (c.EV_KEPT, c.EV_PROJECTS_GIVEN):
            for card in row[2:]:
                seen["kept", PRINTED[card], row[1]] += 1
        elif kind == c.EV_GOAL_TAKEN:
            seen["kept", PRINTED[row[2]], row[1]] += 1
        elif kind == c.EV_REALISED:
            seen["realised", PRINTED[row[2]], row[1]] += 1
        elif kind == c.EV_SET_DEALT and row[2] < len(SET_LETTERS):
            seen["set", SET_LETTERS[row[2]], row[1]] = 1
        elif kind == c.EV_FINAL_CHOSEN:
            seen["final", FINALS[row[2]].name, row[1]] += 1
        elif kind == c.EV_FINAL_COMPLETED:
            seen["completed", FINALS[row[2]].name, row[1]] += 1
        elif kind == c.EV_TURN_BEGAN and row[1] == 0:
            last_turns = row[2]
    yield from counted(seen)
    yield Fact("last_turns", "", ALL, last_turns)
    outcome = sitting.outcome
    assert outcome is not None
    for part in outcome.reckoning:
        for name in PARTS:
            yield Fact(name, "", part["seat"], part[name])


def things() -> dict[str, list[str]]:
    """Everything that could appear in a fact of these names, so that a report can say what never did."""
    cards = [card for card in CARDS if card.deck != "start" or card.id < START_DECK_SIZE]
    return {
        "line": [f"{card.name}:{n + 1}" for card in cards for n in range(len(card.effect.lines))],
        "realised": [card.name for card in cards if card.is_project],
        "completed": [final.name for final in FINALS],
    }


def title(thing: str) -> str:
    """A card as a page calls it."""
    card = BY_NAME.get(thing)
    if card is None:
        return thing
    return f"{card.name} {card.creature.replace('_', ' ')}: {card.effect}"


NOTED = frozenset(
    (
        c.EV_ACTIVATED, c.EV_REPEATED, c.EV_PICKED, c.EV_KEPT, c.EV_PROJECTS_GIVEN, c.EV_GOAL_TAKEN, c.EV_REALISED,
        c.EV_SET_DEALT, c.EV_FINAL_CHOSEN, c.EV_FINAL_COMPLETED, c.EV_TURN_BEGAN,
    )
)  # fmt: skip
"""The events that facts are made of: a few of the thousands of a year."""


def judged(thing: str) -> bool:
    """Is a mark about this card? The known ones stay as they were seen in print, whatever comes of it."""
    return thing in BY_NAME and BY_NAME[thing].ours


def blanks() -> dict[str, str]:
    """For each card beyond the starting decks, the text of a card file in which it does nothing."""
    texts = {}
    lines = own_card_text().splitlines()
    for number, line in enumerate(lines):
        name = line.split(" ", 1)[0]
        card = BY_NAME.get(name)
        if card is None or card.deck == "start":
            continue
        blank = line.replace(f"  {card.effect}", f"  {BLANK}")
        if blank == line:
            continue
        texts[name] = "\n".join([*lines[:number], blank, *lines[number + 1 :]]) + "\n"
    return texts


def check_cards(text: str, file: str) -> None:
    """CardError says the line and the column of the first mistake."""
    parse_card_table(text, file)


def changed_things(text: str, file: str) -> Mapping[str, tuple[str, str]]:
    """By name of a card, its line before and after, for the cards that differ from the package's own."""
    before, after = (
        {card.name: said(card) for card in table.cards} | {final.name: said(final) for final in table.finals}
        for table in (parse_card_table(own_card_text()), parse_card_table(text, file))
    )
    copies = {card.name for card in CARDS if card.deck == "start" and card.id >= START_DECK_SIZE}
    return {
        name: (before[name], after[name])
        for name in before
        if before[name] != after[name] and name not in copies
    }


def said(of: Card | FinalProject) -> str:
    """A card as its line in the file says it."""
    if isinstance(of, FinalProject):
        return " / ".join(map(price_text, of.steps))
    where = f":{of.set} " if of.set else " "
    cost = f"{price_text(of.cost)}  " if of.is_project else ""
    place = "" if of.place is None else f"{f'column {of.place}' if of.place else 'discard'}  "
    return f"{of.deck}{where}{of.creature}  {cost}{place}{of.effect}"


def points_now(state: State) -> list[float]:
    """The points of each seat if the year ended now."""
    return [float(points) for points in state.points()]
