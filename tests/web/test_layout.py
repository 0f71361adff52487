"""The table of Equinox at every size: nothing overlaps, nothing is cut, nothing scrolls, names can be read."""

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.web.fit import misfits
from tests.web.house import House
from tests.web.seat import ASKED, choose_any, make, private

ROOMS = [".bar", ".players", ".cloth", ".strip", ".ask", ".hand", "aside"]
TEXTS = [".called", ".more"]


@pytest.mark.parametrize(("seats", "locale"), [(2, "de-DE"), (5, "fr-FR"), (4, "en-GB")])
def test_nothing_overlaps_and_nothing_is_cut(
    visit: Callable[..., Page], house: House, seats: int, locale: str
) -> None:
    made = make(house.address, name="Ana", seats=[{}, *[{"kind": "bot"}] * (seats - 1)], seed="layout")
    page = visit(private(made), locale=locale)
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
