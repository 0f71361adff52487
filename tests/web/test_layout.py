"""The table of Equinox at every size: nothing overlaps, nothing is cut, nothing scrolls, names can be read."""

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.web.fit import UNDRAWN, misfits
from tests.web.house import House
from tests.web.screenshots import moment
from tests.web.seat import ASKED, choose_any, go_on_from, lift, make, private

ROOMS = [".bar", ".players", ".cloth", ".strip", ".before", ".ask", ".hand", "aside"]
TEXTS = [".called", ".more"]


@pytest.mark.parametrize(("seats", "locale"), [(2, "de-DE"), (5, "fr-FR"), (4, "en-GB")])
def test_nothing_overlaps_and_nothing_is_cut(
    visit: Callable[..., Page], house: House, seats: int, locale: str
) -> None:
    made = make(house.address, name="Ana", seats=[{}, *[{"kind": "bot"}] * (seats - 1)], seed="layout")
    page = visit(private(made), locale=locale)
    page.locator(ASKED).wait_for()
    page.evaluate(UNDRAWN)
    chance = random.Random(seats)
    wrong: list[str] = []
    for moves in (0, 1, 12):
        for _ in range(moves):
            page.locator(f"{ASKED}, dialog").first.wait_for()
            if page.locator("dialog").count():
                break
            choose_any(page, chance.random())
        page.locator(f"{ASKED}, dialog").first.wait_for()
        wrong += [f"after {moves} moves, {what}" for what in misfits(page, ROOMS, TEXTS)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("kind", "seats", "locale"),
    [("moss_man", 4, "de-DE"), ("stag", 4, "fr-FR"), ("rubble", 5, "de-DE"), ("use", 2, "fr-FR")],
)
def test_a_power_has_room_for_its_words(
    visit: Callable[..., Page], house: House, kind: str, seats: int, locale: str
) -> None:
    page = visit(private(go_on_from(house.address, moment(kind, 2, seats))), locale=locale)
    lift(page)
    page.locator(".chooser .words").wait_for()
    page.evaluate(UNDRAWN)
    wrong = misfits(page, ROOMS, TEXTS)
    assert not wrong, "\n".join(wrong)
