"""The waiting room: the invitation, who sits down first, a second tab, and a host who comes and goes."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.web.seat import ASKED

Visit = Callable[..., Page]
SHARES = """cancelled => {
  window.shared = [];
  Navigator.prototype.share = data => {
    window.shared.push(data);
    return cancelled ? Promise.reject(new DOMException("closed", "AbortError")) : Promise.resolve();
  };
}"""
INVITES = {
    "en-GB": "Come and play Equinox",
    "fr-FR": "Venez jouer à Equinox",
    "de-DE": "Komm und spiel Equinox",
}
BEGUN = {"fr-FR": "la partie a commencé", "de-DE": "Die Partie hat begonnen"}
SIT = ".waiting form .main"
STAND = ".waiting .row .button:not(.main)"


def invite(page: Page, seats: int) -> str:
    """A table with free seats, made on the first page; its path."""
    page.locator(".game", has=page.locator("h2", has_text="Equinox")).get_by_role(
        "button", name="…: Equinox"
    ).click()
    page.locator("dialog select").first.select_option(str(seats))
    page.locator("dialog button.main").click()
    page.locator(".invite .code svg").wait_for()
    return "/t/" + page.url.rpartition("/")[2]


def at_once(*presses: tuple[Page, str]) -> None:
    """Press something on several pages at the same moment."""
    for page, what in presses:
        page.locator(what).wait_for()
    moment = presses[0][0].evaluate("Date.now() + 1000")
    for page, what in presses:
        page.evaluate(
            "([moment, what]) => void setTimeout(() => document.querySelector(what).click(), moment - Date.now())",
            [moment, what],
        )


def settled(page: Page) -> bool:
    """Does the person sit at the table that has begun? Waits until it has."""
    page.locator(".panel[data-spot], .hand .slot, .watch, .players").first.wait_for()
    page.wait_for_function(
        "() => document.querySelector('.hand .slot') || document.querySelector('[role=alert]')"
    )
    return page.locator(".hand .slot").count() > 0


@pytest.mark.parametrize("cancelled", [False, True])
@pytest.mark.parametrize("locale", INVITES)
def test_the_invitation_goes_to_the_share_sheet(visit: Visit, locale: str, cancelled: bool) -> None:
    page = visit(locale=locale)
    page.evaluate(SHARES, cancelled)
    path = invite(page, 3)
    page.locator(".invite .button").nth(1).click()
    [shared] = page.evaluate("window.shared")
    assert shared == {
        "title": "Equinox · Fabletop",
        "text": INVITES[locale],
        "url": page.url.partition("/t/")[0] + path,
    }
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator(".invite")).to_be_visible()


@pytest.mark.parametrize("clipboard", [True, False])
def test_without_a_share_sheet_the_link_is_copied(visit: Visit, clipboard: bool) -> None:
    """A page that came over plain HTTP has neither a share sheet nor a clipboard."""
    page = visit()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("delete Navigator.prototype.share")
    read = "navigator.clipboard.readText()"
    if not clipboard:
        page.evaluate("window.clipboard = navigator.clipboard; delete Navigator.prototype.clipboard")
        read = "window.clipboard.readText()"
    path = invite(page, 3)
    buttons = page.locator(".invite .button")
    expect(buttons).to_have_count(1)
    buttons.click()
    expect(buttons).to_have_text("Copied")
    assert page.evaluate(read) == page.url.partition("/t/")[0] + path


def test_of_two_who_want_the_last_seat_one_gets_it(visit: Visit) -> None:
    path = invite(visit(), 2)
    locales = ["de-DE", "fr-FR"]
    both = [
        visit(path, locale=locale, prefs=f'{{"speed": "off", "name": "{name}"}}')
        for locale, name in zip(locales, ("Ben", "Cleo"), strict=True)
    ]
    at_once(*((page, SIT) for page in both))
    seated = [settled(page) for page in both]
    assert sorted(seated) == [False, True]
    late = seated.index(False)
    expect(both[late].get_by_role("alert")).to_contain_text(BEGUN[locales[late]])
    for page, sits in zip(both, seated, strict=True):
        page.reload()
        page.locator(".players").wait_for()
        expect(page.locator(".hand .slot")).to_have_count(8 if sits else 0)
        expect(page.get_by_role("alert")).to_have_count(0)


def test_who_comes_too_late_for_one_seat_can_take_another(visit: Visit) -> None:
    host = visit()
    path = invite(host, 4)
    both = [visit(path, prefs=f'{{"speed": "off", "name": "{name}"}}') for name in ("Ben", "Cleo")]
    at_once(*((page, SIT) for page in both))
    names = host.locator(".waiting li b")
    expect(names).to_have_count(3)
    assert sorted(names.all_inner_texts()) == ["Ana", "Ben", "Cleo"]
    for page in both:
        expect(page.locator(STAND).first).to_have_text("Leave the seat")
        expect(page.get_by_role("alert")).to_have_count(0)


def test_two_tabs_of_one_browser_share_a_seat(visit: Visit) -> None:
    host = visit()
    path = invite(host, 3)
    one = visit(path, prefs='{"speed": "off", "name": "Ben"}')
    other = one.context.new_page()
    other.goto(one.url)
    other.locator(SIT).wait_for()
    one.locator(SIT).click()
    for tab in (one, other):
        expect(tab.get_by_role("button", name="Leave the seat")).to_be_visible()
        expect(tab.locator(SIT)).to_have_count(0)
    other.get_by_role("button", name="Leave the seat").click()
    for tab in (one, other):
        expect(tab.locator(SIT)).to_be_visible()
        expect(tab.locator(".waiting li b")).to_have_count(1)
        expect(tab.get_by_role("alert")).to_have_count(0)
    other.locator(SIT).click()
    expect(one.get_by_role("button", name="Leave the seat")).to_be_visible()
    expect(host.locator(".waiting li b")).to_have_count(2)
    host.get_by_role("button", name="Start now").click()
    hands = [tab.locator(".hand .slot .visually-hidden") for tab in (one, other)]
    for hand in hands:
        expect(hand).to_have_count(8)
    assert hands[0].all_inner_texts() == hands[1].all_inner_texts()


def test_a_friend_joins_while_the_host_presses_start(visit: Visit) -> None:
    """Whoever is first: the friend sits there, or watches and is told why."""
    host = visit()
    friend = visit(invite(host, 3), locale="de-DE", prefs='{"speed": "off", "name": "Ben"}')
    at_once((host, ".waiting .row:not(form) .main"), (friend, SIT))
    sits = settled(friend)
    host.locator(".hand .slot").first.wait_for()
    assert ("Ben" in host.locator(".players").inner_text()) == sits
    if not sits:
        expect(friend.get_by_role("alert")).to_contain_text(BEGUN["de-DE"])
        friend.get_by_role("button", name="Schließen").first.click()
        expect(friend.get_by_role("alert")).to_have_count(0)
    expect(host.get_by_role("alert")).to_have_count(0)


def test_a_host_who_closes_the_tab_is_missed_and_finds_the_table_again(visit: Visit) -> None:
    host = visit()
    path = invite(host, 3)
    friend = visit(path, prefs='{"speed": "off", "name": "Ben"}')
    friend.locator(SIT).click()
    expect(friend.locator(".waiting .here")).to_have_count(2)
    context = host.context
    host.close()
    expect(friend.locator(".waiting .here")).to_have_count(1)
    # the game begins without a host as soon as all seats are taken
    third = visit(path, prefs='{"speed": "off", "name": "Cleo"}')
    third.locator(SIT).click()
    for page in (friend, third):
        page.locator(".hand .slot").first.wait_for()
    back = context.new_page()
    back.goto(friend.url.partition("/t/")[0])
    back.get_by_role("link", name=re.compile("Continue|Your turn")).first.click()
    back.locator(".hand .slot").first.wait_for()
    expect(back.locator(".players")).to_contain_text("Cleo")
    expect(back.locator(f"{ASKED}, .chooser").first).to_be_visible()
