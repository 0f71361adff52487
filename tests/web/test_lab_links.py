"""The links of the lab's pages: a whole record that opens in the replay at its action."""

import re
from collections.abc import Callable
from html import unescape

import pytest
from playwright.sync_api import Browser, Page, expect

from fabletop import GAMES, Chance, Sitting
from fabletop.lab.page import replay_link
from tests.web.house import House


def record(game: str) -> str:
    """The record of a random game."""
    sitting, chance = Sitting(GAMES[game], {"seats": 2}, seed="link"), Chance(1)
    while sitting.pending:
        for seat, choice in sitting.pending.items():
            sitting.act(seat, chance.pick(choice.options))
    return sitting.record().text()


def address(house: House, text: str, step: int) -> str:
    """Where a link of a page leads."""
    (found,) = re.findall(r'href="([^"]+)"', replay_link(house.address, text, step, "game"))
    return unescape(found)


@pytest.mark.parametrize("game", GAMES)
def test_a_link_opens_the_replay_at_its_action(visit: Callable[..., Page], house: House, game: str) -> None:
    page = visit()
    page.goto(address(house, record(game), 25))
    expect(page).to_have_url(re.compile(r"/t/[\w-]+#at-25$"))
    expect(page.locator(".reel")).to_contain_text(re.compile(r"\b25/\d+"))


def test_a_record_with_other_cards_is_refused_where_one_looks(chromium: Browser, house: House) -> None:
    other = re.sub(r'"digest": ?"\w+"', '"digest": "0123456789abcdef"', record("fairy_school"))
    page = chromium.new_page(viewport={"width": 390, "height": 664})
    page.goto(address(house, other, 25))
    told = page.get_by_role("alert")
    expect(told).to_contain_text("played with other cards")
    expect(told).to_be_in_viewport(ratio=1)
    page.close()
