"""Short stretches of Fairy School years that together use every question, every kind of line on a card, every place
from which a card is activated, and every answer that is ever offered."""

import random
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from fabletop import GAMES
from fabletop.bots.greedy import Greedy
from fabletop.core.chance import Chance
from fabletop.core.game import Choice
from fabletop.core.records import Record
from fabletop.core.sitting import Sitting
from fabletop.games.fairy_school import constants as c
from fabletop.games.fairy_school.algebra import AIR, Amounts, Line, Special, Transformation
from fabletop.games.fairy_school.cards import BY_NAME, CARDS, CREATURES, FINAL_BY_NAME
from tests.web.school_states import in_the_year

GAME = GAMES["fairy_school"]
NAMES = ("Ana", "Ben", "Cleo")
WINDOW = 14
FRUITFUL = (0, 1, 2, 3, 6, 8, 12, 14, 16, 17, 28, 44, 53)
"""Years that bring something new: tried first, so that few have to be played. Others follow if cards have changed."""
YEARS = (*FRUITFUL, *(number for number in range(60) if number not in FRUITFUL))
LOCAL = ("plan", "plan_space", "select")
"""What is arranged on the page alone, and sent as a whole."""
CREATURE_ACTIONS = {name.replace("_", "-") for name in CREATURES}


class Deed(NamedTuple):
    """An answer of a game, the question it answers, and what is used by it."""

    seat: int
    first: bool  # whether no lower seat is asked: with it a device begins
    kind: str
    action: str
    card: str | None
    uses: frozenset[str]


# ---- what there is to use


def shape_of(line: Line) -> str:
    """What kind of line this is, as the interface has to tell it apart: all that the algebra allows but the numbers."""
    if isinstance(line, Special):
        count = " of two" if line.count > 1 else ""
        return f"{line.kind}{count}{' with an element' if line.bonus is not None else ''}"
    transforms = isinstance(line, Transformation)
    traits = {
        "several times": isinstance(line, Transformation) and line.times > 1,
        "paid with air": line.cost[AIR] > 0,
        "paid with several": is_several(line.cost),
        "a choice": len(line.options) > 1,
        "of several": any(map(is_several, line.options)),
        "with air": any(option[AIR] for option in line.options),
    }
    return ", ".join(
        ["transformation" if transforms else "production", *(name for name in traits if traits[name])]
    )


def is_several(amounts: Amounts) -> bool:
    """Elements of more than one kind?"""
    return sum(map(bool, amounts)) > 1


def shapes_of(action: str) -> set[str]:
    """The kinds of lines on a card; an answer that is no card has none."""
    return {shape_of(line) for line in BY_NAME[action].effect.lines} if action in BY_NAME else set()


def answer_to(kind: str, action: str) -> str:
    """A question with an answer to it; which card, creature, final project or space it is does not matter."""
    if action in BY_NAME:
        return f"{kind}: a card"
    if action in FINAL_BY_NAME:
        return f"{kind}: a final project"
    if kind.endswith("_space") and action != "convert":
        return f"{kind}: a space"
    return f"{kind}: a creature" if action in CREATURE_ACTIONS else f"{kind}: {action}"


WHOSE = ("personal", "shared", "left", "right")
NEEDED = {
    *c.question_names[1:],
    *(shape_of(line) for card in CARDS for line in card.effect.lines),
    *(f"{verb} {whose}" for verb in ("activated", "repeated") for whose in WHOSE),
}
"""Known beforehand; every answer that is offered in one of the years comes on top."""


def place_of(sitting: Sitting, seat: int, card: str) -> str:
    """Where a card lies that a seat can activate."""
    players = sitting.view(seat)["players"]
    for way, whose in enumerate(WHOSE[1:]):
        if card in players[(seat + way) % len(players)]["shared"]:
            return whose
    return WHOSE[0]


# ---- years in which bots are curious


def curious(choice: Choice, texts: list[str], missing: set[str], local: bool) -> list[str]:
    """The answers that bring something nobody has used; to convert comes before what is laid out on the page alone."""
    if choice.kind == "drop" and not missing & {answer_to("drop", text) for text in texts}:
        return [text for text in texts if text in BY_NAME and not shapes_of(text) & missing]
    gaps = {one for one in missing if one.startswith(("convert", "pay"))}
    return [
        text
        for text in texts
        if answer_to(choice.kind, text) in missing
        or (choice.kind != "banish" and shapes_of(text) & missing)
        or (text == "convert" and gaps and not local)
    ]


def played(number: int, met: set[str]) -> tuple[Sitting, list[Deed], set[str]]:
    """A year at one device between bots that look one step ahead, but would rather do what is missing: a seat answers
    while it is asked, then the lowest one that is asked. Also all answers that were offered."""
    chance = random.Random(number)
    seats = 2 + (number + 1) % 2
    options = {
        "seats": seats,
        "setup": ("expert", "normal")[number // 4 % 2],
        "length": ("full", "short")[number // 2 % 2],
    }
    sitting = Sitting(GAME, options, seed=f"curious {number}", names=NAMES[:seats])
    bots = [Greedy(Chance(seat + 7)) for seat in range(seats)]
    deeds: list[Deed] = []
    offered: set[str] = set()
    missing = NEEDED - met
    seat, local = 0, False
    while sitting.pending:
        first = min(sitting.pending)
        local = local and seat in sitting.pending
        seat = seat if seat in sitting.pending else first
        choice = sitting.pending[seat]
        local = local and choice.kind in (*LOCAL, "pay")
        texts = [
            text for text in map(GAME.actions.__getitem__, choice.options) if text != "convert" or not local
        ]
        seen = {answer_to(choice.kind, text) for text in texts} - {"plan_space: convert"}
        missing |= seen - offered - met
        offered |= seen
        some = curious(choice, texts, missing, local)
        if some and chance.random() < 0.9:
            action = chance.choice(some)
        elif chance.random() < 0.8:
            action = GAME.actions[bots[seat].choose(sitting.view(seat), choice)]
        else:
            action = chance.choice([text for text in texts if text != "convert"])
        deed = done(sitting, seat, choice, action, seat == first)
        local = choice.kind in LOCAL and action not in ("convert", "done")
        missing -= deed.uses
        deeds.append(deed)
    return sitting, deeds, offered


def done(sitting: Sitting, seat: int, choice: Choice, action: str, first: bool) -> Deed:
    """Carry out an answer; what it used is read from what the engine says."""
    uses = {choice.kind, answer_to(choice.kind, action)}
    place = place_of(sitting, seat, action) if action in BY_NAME else choice.about.get("card")
    if choice.kind == "line":
        place = place_of(sitting, seat, choice.about["card"])
    for row in sitting.act(seat, GAME.parse(action)):
        event = GAME.events.decode(row) if row[0] != c.EV_CLOSED else None
        if event and event.kind in ("activated", "repeated") and event["seat"] == seat:
            uses |= {
                shape_of(BY_NAME[event["card"]].effect.lines[event["line"] - 1]),
                f"{event.kind} {place}",
            }
    return Deed(seat, first, choice.kind, action, choice.about.get("card"), frozenset(uses))


def without_a_project() -> tuple[Record, list[Deed]]:
    """A fairy has run out of projects and takes one (F-5.0): rare."""
    record = in_the_year("goal", 1, 4, "expert")
    sitting = Sitting(GAME, record.options, seed=record.seed, names=record.names)
    for seat, action in record.actions:
        sitting.act(seat, GAME.parse(action))
    choice = sitting.pending[0]
    return record, [done(sitting, 0, choice, GAME.actions[choice.options[0]], first=True)]


@cache
def windows() -> tuple[list[tuple[Record, list[Deed]]], set[str]]:
    """Stretches of years that use everything: the record until then, the answers; and all that is to be used."""
    found = [without_a_project()]
    needed, met = set(NEEDED), used(found[0][1])
    for number in YEARS:
        if needed <= met:
            break
        sitting, deeds, offered = played(number, met)
        needed |= offered
        record = sitting.record()
        while True:
            starts = [at for at, deed in enumerate(deeds) if deed.first]
            gain = {at: len(used(deeds[at : at + WINDOW]) & needed - met) for at in starts}
            start = max(starts, key=gain.__getitem__)
            if not gain[start]:
                break
            start, end = around([deed.uses & needed - met for deed in deeds], starts, start)
            while start and (not deeds[start].first or goes_on(deeds[start - 1])):
                start -= 1
            while end < len(deeds) and goes_on(deeds[end - 1]):
                end += 1
            met |= used(deeds[start:end])
            until = Record(
                record.game, record.rules, record.options, record.seed, record.actions[:start], record.names
            )
            found.append((until, deeds[start:end]))
    return found, needed


def around(news: list[frozenset[str]], starts: list[int], start: int) -> tuple[int, int]:
    """A stretch without what is at its ends but brings nothing new; it begins where a device can begin."""
    some = [at for at in range(start, min(start + WINDOW, len(news))) if news[at]]
    return max(at for at in starts if at <= some[0]), some[-1] + 1


def goes_on(deed: Deed) -> bool:
    """In the middle of what is sent as a whole?"""
    return deed.kind in (*LOCAL, "pay") and deed.action not in ("done", "convert")


def used(deeds: Iterable[Deed]) -> set[str]:
    """All that some answers use."""
    return set().union(*(deed.uses for deed in deeds))
