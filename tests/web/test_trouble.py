"""The server goes away in the middle of a game and comes back; the client goes on as if nothing had been."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.web.house import House
from tests.web.seat import ASKED, choose, log, make, options, private

Visit = Callable[..., Page]


@pytest.mark.parametrize("kill", [False, True])
def test_a_restart_of_the_server_during_play(visit: Visit, own_house: House, kill: bool) -> None:
    made = make(own_house.address, name="Ana", seats=[{}, {"kind": "bot"}], options={"seats": 2, "first": 0})
    page = visit(private(made), at=own_house.address)
    page.locator(ASKED).wait_for()
    chosen = next(one for one in options(page) if one not in ("pass", "reveal") and "-" not in one)
    choose(page, chosen)
    before = log(page)
    own_house.stop(kill=kill)
    # what is clicked meanwhile is not lost: it is sent again when the connection is back
    card = page.locator(".slot.lit").first
    name = card.locator(".visually-hidden").inner_text()
    card.click()
    page.wait_for_timeout(600)
    own_house.start()
    page.locator(".log p", has_text=f"You play {name}").first.wait_for()
    assert log(page)[: len(before)] == before
    assert sum(f"You play {name}" in line for line in log(page)) == 1
    expect(page.locator(ASKED)).to_be_visible()


def test_a_cut_line_is_said_at_once_and_what_was_chosen_is_sent_when_it_is_back(
    visit: Visit, own_house: House
) -> None:
    made = make(own_house.address, name="Ana", seats=[{}, {"kind": "bot"}], options={"seats": 2, "first": 0})
    page = visit(private(made), at=own_house.address)
    page.locator(ASKED).wait_for()
    page.context.set_offline(True)
    expect(page.locator(".offline")).to_be_visible()
    page.locator('.answers [data-option="pass"]').click()
    page.context.set_offline(False)
    expect(page.locator(".offline")).to_have_count(0)
    expect(page.locator(".slot.lit").first).to_be_visible()


def test_two_pages_of_one_seat_follow_each_other(visit: Visit, house: House) -> None:
    made = make(house.address, name="Ana", seats=[{}, {"kind": "bot"}], options={"seats": 2, "first": 0})
    first, second = visit(private(made)), visit(private(made))
    for page in (first, second):
        page.locator(ASKED).wait_for()
    chosen = next(one for one in options(first) if one not in ("pass", "reveal") and "-" not in one)
    choose(first, chosen)
    second.locator(".log p", has_text="You bet on").wait_for()
    assert options(second) == options(first)


def test_what_the_home_page_cannot_load_it_says(visit: Visit, house: House) -> None:
    page = visit("/", at=house.address)
    page.locator(".game svg").nth(1).wait_for()
    page.context.set_offline(True)
    page.locator(".way.rules").first.click()
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    page.locator(".way").first.click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("cannot be reached")
