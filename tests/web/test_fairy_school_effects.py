"""Fairy School in a real browser: every question, every kind of line and every answer by clicking."""

from collections.abc import Callable

from playwright.sync_api import Page

from tests.web.fit import UNDRAWN
from tests.web.house import House
from tests.web.school_deeds import Deed, used, windows
from tests.web.seat import go_on_from, private
from tests.web.test_fairy_school import QUICK

Visit = Callable[..., Page]

READY = """([kind, action]) => {
  if (document.querySelector('.curtain')) return 'curtain';
  const question = document.querySelector('.question.asked:not([data-busy])');
  if (!question || (kind && question.dataset.kind !== kind)) return '';
  if (question.dataset.choice === window.answered) return '';
  const found = document.querySelector(`[data-option="${action}"]:not([disabled])`);
  const here = ['plan', 'plan_space', 'select'].includes(question.dataset.kind) &&
    !['done', 'convert'].includes(action);
  if (found && !here) window.answered = question.dataset.choice;
  if (found) found.click();
  return found ? 'done' : '';
}"""


GONE_ON = """() => {
  const question = document.querySelector('.question');
  return !question || question.dataset.choice !== window.answered;
}"""
"""Has the last answer been taken?"""


def press(page: Page, kind: str, action: str) -> None:
    """Click what answers a question, once it is asked; the curtain before it is lifted."""
    for _ in range(2):
        if page.wait_for_function(READY, arg=[kind, action]).json_value() == "done":
            return
        page.locator(".curtain button").click()
        page.locator(".curtain").wait_for(state="detached")
        page.evaluate("window.answered = null")
    raise AssertionError(f"{action} for {kind} was not offered")


def lay(page: Page, deed: Deed) -> None:
    """Lay a card by clicking it and then the space; the last card needs no question of the server's."""
    held = page.locator('.piece.picked[aria-pressed="true"]')
    if not held.count():
        press(page, "", deed.card or "")
    press(page, "", deed.action)


def lay_the_rest(page: Page) -> None:
    """What the server lays by itself, since there is but one space for it, is laid by hand before the end."""
    while page.locator(".near.drawn .piece").count():
        page.locator(".near.drawn .piece").first.click()
        page.locator(".forest .space.can").first.click()


def play(page: Page, stretch: list[Deed]) -> set[str]:
    """Play some answers by clicking; what they used."""
    skip: set[int] = set()
    for at, deed in enumerate(stretch):
        if at in skip:
            continue
        if deed.kind == "select" and deed.action != "convert":
            # all columns are marked at once, then confirmed; payments in between are asked for
            rest = range(at, len(stretch))
            last = next(n for n in rest if stretch[n].action == "done" or stretch[n].seat != deed.seat)
            own = [n for n in range(at, last + 1) if stretch[n].kind == "select"]
            for n in own:
                press(page, "select", stretch[n].action)
            skip |= set(own)
        elif deed.kind == "plan_space":
            lay(page, deed)
        elif deed.kind == "plan" and deed.action == "done":
            lay_the_rest(page)
            press(page, "", "done")
        else:
            press(page, deed.kind, deed.action)
    return used(stretch)


def test_all_there_is_to_do_is_done_by_clicking(visit: Visit, house: House) -> None:
    """F-1.3, F-2.5, F-4.1, F-4.2, F-5.0, F-5.1, F-5.2, F-5.3, F-5.5, F-5.6, F-6.1, F-6.2, F-6.3, F-6.8, F-7.1, F-7.2,
    F-7.3, F-7.4: nothing that the engine asks or offers, and no kind of line that a card has, is missing."""
    stretches, needed = windows()
    met: set[str] = set()
    page = visit(prefs=QUICK)
    for record, stretch in stretches:
        page.goto(house.address + private(go_on_from(house.address, record)))
        page.evaluate(UNDRAWN)
        met |= play(page, stretch)
        page.wait_for_function(GONE_ON)
    assert needed - met == set()
