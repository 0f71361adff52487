"""Fairy School in a real browser as people use it: several at once, by keyboard, in words, with reloads."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.web.house import House
from tests.web.seat import ask, private
from tests.web.test_fairy_school import ASKED, QUICK, table
from tests.web.test_pages import found_by_axe

Visit = Callable[..., Page]

ON = """kind => {
  const question = document.querySelector('.question.asked:not([data-busy])');
  if (!question) return false;
  if (question.dataset.kind === kind) return true;
  const all = [...document.querySelectorAll('[data-option]:not([data-option=convert], [disabled])')];
  const end = all.find(one => ['done', 'pass'].includes(one.dataset.option));
  (end ?? all[0])?.click();
  return false;
}"""
"""Go on with the first thing that can be chosen, until a question of a kind is asked."""


def go_on_to(page: Page, kind: str) -> None:
    """Until a question of this kind is asked."""
    page.wait_for_function(ON, arg=kind, timeout=60_000, polling=20)


def lay_all(page: Page) -> None:
    """Lay the drawn cards, each on the first empty space."""
    while page.locator(".near.drawn .piece").count():
        page.locator(".near.drawn .piece").first.click()
        page.locator(".forest .space.can").first.click()


def for_three(house: House) -> list[str]:
    """A table of three people; their private links."""
    body = {
        "game": "fairy_school",
        "seats": [{"kind": "open"}] * 3,
        "options": {"seats": 3, "setup": "beginners", "length": "short"},
        "seed": "three fairies",
        "name": "Ana",
    }
    made: dict[str, Any] = ask(house.address, "POST", "/api/tables", body)
    sit = f"/api/tables/{made['table']}/sit"
    tokens = [
        made["token"],
        *(ask(house.address, "POST", sit, {"name": name})["token"] for name in ("Ben", "Cleo")),
    ]
    return [f"/t/{made['table']}#token={token}" for token in tokens]


def test_the_order_of_arrival_of_three_browsers_changes_nothing(visit: Visit, house: House) -> None:
    """F-3.2: what a seat does is hidden until all have done it; only who is still at it is told."""
    seen: list[list[list[str]]] = []
    for order in ((2, 0, 1), (1, 2, 0)):
        pages = [visit(link, prefs=QUICK) for link in for_three(house)]
        for kind in ("plan", "select"):
            for place, seat in enumerate(order):
                page = pages[seat]
                go_on_to(page, kind)
                if kind == "plan":
                    lay_all(page)
                else:
                    page.locator('.coin[data-option="column-3"]').click()
                page.locator('.question [data-option="done"]').click()
                if place < 2:
                    waiting = page.locator(".question .still")
                    waiting.wait_for()
                    names = [("Ana", "Ben", "Cleo")[other] for other in order[place + 1 :]]
                    assert all(name in waiting.inner_text() for name in names)
                    # what was done is nowhere on another page
                    assert pages[order[-1]].locator(".clearing .piece").count() == 0
        for page in pages:
            go_on_to(page, "activate")
        labels = "all => all.map(one => one.ariaLabel.split('.')[0])"
        seen.append([page.locator(".clearing .piece").evaluate_all(labels) for page in pages])
        for page in pages:
            page.context.close()
    assert seen[0] == seen[1]
    assert all(len(cards) == 3 for cards in seen[0])


def test_a_reload_in_each_phase_loses_nothing_that_was_confirmed(visit: Visit, house: House) -> None:
    page = visit(private(table(house, 2, setup="normal", length="short")), prefs=QUICK)
    for kind in ("draft", "plan", "select", "activate"):
        go_on_to(page, kind)
        rooms = page.locator(".dock-row, .near-row, .goals")
        before = rooms.all_inner_texts()
        page.reload()
        page.locator(ASKED).wait_for()
        assert page.locator(".question").get_attribute("data-kind") == kind
        assert rooms.all_inner_texts() == before


def test_a_restart_of_the_server_in_the_middle_of_a_turn(visit: Visit, own_house: House) -> None:
    page = visit(private(table(own_house, 2, length="short")), prefs=QUICK, at=own_house.address)
    go_on_to(page, "plan")
    own_house.stop(kill=True)
    # cards are laid on the page alone; what is confirmed goes out when the server is back
    lay_all(page)
    page.locator('.question [data-option="done"]').click()
    own_house.start()
    go_on_to(page, "select")
    assert page.locator(".forest .piece").count() == 10


def test_at_one_device_nothing_of_the_other_fairy_is_in_page_or_traffic(visit: Visit, house: House) -> None:
    hot = [{"kind": "hot", "name": name} for name in ("Ana", "Ben")]
    body = {
        "game": "fairy_school",
        "seats": hot,
        "options": {"seats": 2, "setup": "normal", "length": "short"},
    }
    page = visit("/", prefs=QUICK)
    received: list[str] = []
    page.on(
        "websocket",
        lambda line: line.on("framereceived", lambda data: received.append(f"{data!r}")),
    )
    page.goto(house.address + private(ask(house.address, "POST", "/api/tables", body)))
    hands: dict[str, set[str]] = {}
    for _ in range(2):
        page.locator(".curtain").wait_for()
        assert page.locator("[data-option], .piece, .offer").count() == 0
        received.clear()
        name = page.locator(".curtain h1").inner_text()
        page.locator(".curtain button").click()
        page.locator(ASKED).wait_for()
        spots = page.locator(".pack .offer").evaluate_all("all => all.map(one => one.dataset.spot)")
        hands[name] = {spot.removeprefix("pack-") for spot in spots}
        told = "".join(received)
        own = told.partition('"own":')[2]
        for other, cards in hands.items():
            if other != name:
                assert not any(f'"{card}"' in own for card in cards - hands[name])
        page.locator(".pack .offer").first.click()
    assert len(hands) == 2
    assert all(len(cards) == 4 for cards in hands.values())


def test_a_year_by_keyboard_alone(visit: Visit, house: House) -> None:
    page = visit(private(table(house, 2, setup="beginners", length="short")), prefs=QUICK)
    page.locator(ASKED).wait_for()
    focused = "() => document.activeElement?.dataset?.option ?? ''"
    asked = """() => {
      if (document.querySelector('dialog')) return 'over';
      const question = document.querySelector('.question.asked:not([data-busy])');
      return question ? question.dataset.kind : '';
    }"""
    page.keyboard.press("Tab")
    marked = steps = 0
    while steps < 900:
        steps += 1
        kind = page.wait_for_function(asked).json_value()
        if kind == "over":
            break
        if kind == "select" and marked:
            page.keyboard.press("d")
            marked = 0
            continue
        if kind in ("activate", "realise", "spend") and steps % 3:
            page.keyboard.press("d")
            continue
        for _ in range(40):
            if page.evaluate(focused) not in ("", "convert"):
                break
            page.keyboard.press("Tab")
        marked += kind == "select"
        page.keyboard.press("Enter")
        page.wait_for_timeout(15)
    page.get_by_role("dialog").wait_for(timeout=60_000)


def test_a_year_in_words(visit: Visit, house: House) -> None:
    prefs = '{"speed": "off", "name": "Ana", "autopass": false, "text": true}'
    page = visit(private(table(house, 2, setup="beginners", length="short")), prefs=prefs)
    page.locator(".words .options button").first.wait_for()
    page.evaluate(
        """() => {
          let step = 0;
          const timer = setInterval(() => {
            if (document.querySelector('dialog')) return clearInterval(timer);
            const all = [...document.querySelectorAll('.words .options button:not([disabled])')]
              .filter(one => one.dataset.option !== 'convert');
            const end = all.find(one => ['done', 'pass'].includes(one.dataset.option));
            step += 1;
            (end && step % 3 ? end : all[step % Math.max(1, all.length)])?.click();
          }, 10);
        }"""
    )
    page.get_by_role("dialog").wait_for(timeout=120_000)


@pytest.mark.parametrize(("scheme", "phone"), [("light", False), ("dark", True)])
def test_axe_finds_nothing_in_any_phase(visit: Visit, house: House, scheme: str, phone: bool) -> None:
    page = visit(
        private(table(house, 3, setup="normal", length="short")), prefs=QUICK, scheme=scheme, phone=phone
    )
    found: dict[str, list[str]] = {}
    for kind in ("draft", "plan", "select", "activate"):
        go_on_to(page, kind)
        found[kind] = found_by_axe(page)
    page.locator(".again").click()
    found["account"] = found_by_axe(page)
    page.keyboard.press("Escape")
    page.goto(f"{house.address}/#rules-fairy_school")
    page.get_by_role("dialog").locator("dl, ul").first.wait_for()
    found["guide"] = found_by_axe(page)
    assert [(name, fault) for name, faults in found.items() for fault in faults] == []
