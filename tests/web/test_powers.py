"""Every power is used through the interface: the table is laid just before it, and then only clicks count."""

import random
import re
from collections.abc import Callable
from functools import cache

import pytest
from playwright.sync_api import Page

from fabletop import GAMES
from fabletop.core.records import Record
from fabletop.core.sitting import Sitting
from tests.web.house import House
from tests.web.seat import choose, go_on_from, lift, private, wait_until_asked

Visit = Callable[..., Page]
GAME = GAMES["equinox"]
POWERS = [
    "squeak", "moss_man", "stag", "rubble", "twinz", "hoot", "carmen", "fungy", "goatman", "fiery_fang", "hopscotch",
    "feather_fox", "pilgrim",
]  # fmt: skip
TREES = ["ancestor", "dryad"]


def played(seed: int) -> Sitting:
    """A game at random that likes to bet and to use powers."""
    chance = random.Random(seed)
    chosen = chance.sample(GAME.settings[0].values, 8)
    sitting = Sitting(
        GAME, {"seats": 2, "creatures": sorted(chosen, key=GAME.settings[0].values.index)}, seed=f"{seed}"
    )
    while sitting.pending:
        [(seat, choice)] = sitting.pending.items()
        some = [one for one in choice.options if GAME.actions[one] != "pass"]
        sitting.act(seat, chance.choice(some or choice.options))
    return sitting


@cache
def moments() -> dict[str, tuple[Record, int, int]]:
    """For every power and Tree a game, and the actions from before the card to after the power."""
    found: dict[str, tuple[Record, int, int]] = {}
    for seed in range(400):
        sitting = played(seed)
        record = sitting.record()
        again = Sitting(GAME, record.options, seed=record.seed, names=("Ana", "Ben"))
        start, name, before = 0, "", 0
        for place, (seat, action) in enumerate(record.actions):
            kind = again.pending[seat].kind
            if kind in ("play", "predict", "discard"):
                if name and name not in found and place - start > 1:
                    found[name] = (record, start, place)
                name = ""
                if kind == "play":
                    start = place
            before = len(again.rows)
            again.act(seat, action)
            for row in again.rows[before:]:
                event = GAME.events.decode(row)
                if event.kind == "power_used":
                    name = "fungy" if event["creature"] == "fungy" else event["power"]
                elif event.kind == "tree_played":
                    name = event["card"]
        if set(POWERS + TREES) <= set(found):
            break
    return found


def before(record: Record, count: int) -> Record:
    """The first actions of a game, between Ana and Ben."""
    return Record(
        record.game, record.rules, record.options, record.seed, record.actions[:count], ("Ana", "Ben")
    )


@pytest.mark.parametrize("power", POWERS + TREES)
def test_a_power_is_used_by_clicking(visit: Visit, house: House, power: str) -> None:
    """E-7.1, E-7.2, E-7.3, E-7.4, E-7.5, E-7.6, E-7.7, E-7.8, E-7.9, E-7.10, E-7.11, E-7.12, E-7.14, E-7.15, E-7.16"""
    record, start, end = moments()[power]
    page = visit(
        private(go_on_from(house.address, before(record, start))), prefs='{"speed": "off", "autopass": false}'
    )
    for seat, action in record.actions[start:end]:
        wait_until_asked(page)
        if page.locator(".curtain").count():
            assert ("Ana", "Ben")[seat] in lift(page)
        choose(page, action)
    wait_until_asked(page)
    lift(page)
    title = power.replace("_", " ").title()
    told = "a Tree" if power in TREES else f"power of {title}|\\(through {title}\\)"
    page.locator(".log p", has_text=re.compile(told)).first.wait_for()


def test_a_reload_in_the_middle_of_a_power(visit: Visit, house: House) -> None:
    record, start, end = moments()["hopscotch"]
    page = visit(
        private(go_on_from(house.address, before(record, start))), prefs='{"speed": "off", "autopass": false}'
    )
    wait_until_asked(page)
    lift(page)
    for number, (_, action) in enumerate(record.actions[start:end]):
        choose(page, action)
        if number < end - start - 1:
            page.reload()
            wait_until_asked(page)
            lift(page)
    page.locator(".log p", has_text="You swap").first.wait_for()


def test_what_cannot_be_chosen_says_why(visit: Visit, house: House) -> None:
    """E-7.10: a cell that is no target tells the rule."""
    record, start, _ = moments()["fiery_fang"]
    page = visit(private(go_on_from(house.address, before(record, start))))
    wait_until_asked(page)
    lift(page)
    choose(page, record.actions[start][1])
    page.locator(".cell:not(.lit)").first.hover()
    tooltip = page.get_by_role("tooltip")
    tooltip.get_by_text("in an earlier row").wait_for()
    tooltip.get_by_text("E-7.10").wait_for()
