"""A person at the table: reads the page and clicks, never the state."""

import json
import urllib.request
from typing import Any

from playwright.sync_api import Locator, Page

from fabletop.core.records import Record
from tests.web.house import PATIENCE

ASKED = ".chooser.asked"


def ask(address: str, method: str, path: str, body: Any = None, token: str = "") -> Any:
    """A request to the API."""
    data = body.encode() if isinstance(body, str) else None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    request = urllib.request.Request(address + path, data=data, method=method, headers=headers)
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.loads(answer.read())


def make(address: str, **table: Any) -> dict[str, Any]:
    """A new table over the API."""
    made: dict[str, Any] = ask(address, "POST", "/api/tables", {"game": "equinox", **table})
    return made


def go_on_from(address: str, record: Record) -> dict[str, Any]:
    """A table at one device that goes on where a record ends."""
    made: dict[str, Any] = ask(address, "POST", "/api/records", record.text())
    return made


def private(made: dict[str, Any]) -> str:
    """The private link of a seat."""
    return f"/t/{made['table']}#token={made['token']}"


def wait_until_asked(page: Page) -> None:
    """Until there is a question, a curtain or the result."""
    page.locator(f"{ASKED}, .curtain, dialog, .words .options").first.wait_for()


def lift(page: Page) -> str:
    """Lift the curtain, if there is one; the name on it. Waits until the page shows a curtain or what is behind it."""
    wait_until_asked(page)
    button = page.locator(".curtain button")
    if not button.count():
        return ""
    name = page.locator(".curtain h1").inner_text()
    button.click()
    page.locator(f"{ASKED}, dialog").first.wait_for()
    return name


def option(page: Page, action: str) -> Locator:
    """What is to be clicked for an option."""
    return page.locator(f'[data-option="{action}"]').first


def choose(page: Page, action: str) -> None:
    """Take an option by clicking on it, wherever on the table it is, and wait until it is done."""
    found = option(page, action)
    secretly = page.locator('button[aria-pressed="false"]', has_text="ecret")
    found.or_(secretly).first.wait_for()
    if not found.count():
        secretly.click()
    answered = page.locator(".chooser").get_attribute("data-choice")
    found.click()
    until_done(page, answered)


def until_done(page: Page, answered: str | None) -> None:
    """Until a question has been answered and everything that came of it is shown: the next question, somebody else's
    turn, a curtain or the result; or a notice that waits."""
    page.wait_for_function(
        """answered => {
          const now = document.querySelector('.chooser')?.dataset ?? {};
          return (now.choice !== answered && !('busy' in now)) || document.querySelector('.notice') !== null;
        }""",
        arg=answered,
    )


def choose_any(page: Page, draw: float) -> None:
    """Take something that glows, wherever it is; `draw` from 0 to 1 says what. Nothing glows: nothing is done."""
    answered = page.locator(".chooser").get_attribute("data-choice")
    clicked = page.evaluate(
        """draw => {
          const all = [...document.querySelectorAll('[data-option]:not([disabled])')];
          if (all.length) all[Math.floor(draw * all.length)].click();
          return all.length > 0;
        }""",
        draw,
    )
    if clicked:
        until_done(page, answered)


def options(page: Page) -> list[str]:
    """What can be clicked now."""
    found: list[str] = page.eval_on_selector_all("[data-option]", "all => all.map(one => one.dataset.option)")
    return found


def count_flights(page: Page) -> None:
    """From now on `window.flew` counts what flies."""
    page.evaluate(
        "() => { window.flew = 0; new MutationObserver(all => all.forEach(one => one.addedNodes.forEach("
        "node => { if (node.classList?.contains('flyer')) window.flew += 1 })))"
        ".observe(document.body, {childList: true, subtree: true}) }"
    )


def log(page: Page) -> list[str]:
    """The lines of the log."""
    return [line.strip() for line in page.locator(".log p").all_inner_texts()]


CLICKER = """
([seed, where]) => {
  const draw = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  window.clicks = 0;
  const timer = setInterval(() => {
    if (document.querySelector('dialog')) return clearInterval(timer);
    const all = [...document.querySelectorAll(where + ':not([disabled])')];
    if (!all.length) return;
    window.clicks += 1;
    all[Math.floor(draw() * all.length)].click();
  }, 15);
}
"""


def click_at_random(page: Page, seed: int, where: str = "[data-option]") -> None:
    """From now on, whatever lights up is clicked, anything at random, until the result is shown."""
    page.evaluate(CLICKER, [seed, where])


def until_the_result(page: Page) -> None:
    """A whole game may take its time on a busy machine."""
    page.get_by_role("dialog").wait_for(timeout=180_000)
