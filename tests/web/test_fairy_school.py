"""Fairy School in a real browser: a whole year in each set-up by clicking."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

from tests.web.fit import UNDRAWN
from tests.web.house import House
from tests.web.seat import ask, private

Visit = Callable[..., Page]
QUICK = '{"speed": "off", "name": "Ana", "autopass": false}'
ASKED = ".question.asked"

CLICKER = """
async ([seed, hurry]) => {
  const draw = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  window.met = {};
  const nap = ms => new Promise(done => setTimeout(done, ms));
  const step = () => {
    const question = document.querySelector('.question.asked:not([data-busy])');
    if (!question) return false;
    const kind = question.dataset.kind;
    const all = [...document.querySelectorAll('[data-option]:not([disabled])')];
    const some = all.filter(one => one.dataset.option !== 'convert' || draw() < 0.05);
    const end = some.find(one => ['done', 'pass'].includes(one.dataset.option));
    const spaces = some.filter(one => one.matches('.forest .space.can'));
    const cards = some.filter(one => one.matches('.near.drawn .piece'));
    const from = spaces.length ? spaces : cards.length ? cards : some;
    const one = end && draw() < hurry ? end : from[Math.floor(draw() * from.length)];
    if (!one) return false;
    window.met[kind] = (window.met[kind] ?? 0) + 1;
    one.click();
    return true;
  };
  (async () => {
    while (!document.querySelector('dialog')) {
      // what is laid out on this page alone needs no picture in between
      while (step()) await null, await null;
      await nap(5);
    }
  })();
}
"""


def table(house: House, seats: int, bots: str = "thumbling", **options: Any) -> dict[str, Any]:
    """A table of one person and bots."""
    plans = [{"kind": "open"}] + [{"kind": "bot", "level": bots}] * (seats - 1)
    body = {"game": "fairy_school", "seats": plans, "options": {"seats": seats, **options}, "name": "Ana"}
    made: dict[str, Any] = ask(house.address, "POST", "/api/tables", body)
    return made


YEARS: dict[str, tuple[int, dict[str, Any]]] = {
    "beginners": (2, {}),
    "normal": (4, {"wider": True}),
    "expert": (3, {}),
}


def test_a_whole_year_to_the_school_report_in_each_set_up(visit: Visit, house: House) -> None:
    """All three at once: most of the time a page waits."""
    pages: dict[str, Page] = {}
    for seed, (setup, (seats, options)) in enumerate(YEARS.items()):
        page = visit(private(table(house, seats, setup=setup, length="full", **options)), prefs=QUICK)
        page.locator(ASKED).wait_for()
        page.evaluate(UNDRAWN)
        page.evaluate(CLICKER, [seed, 0.7])
        pages[setup] = page
    for setup, page in pages.items():
        dialog = page.get_by_role("dialog")
        dialog.locator("ol.pupils").wait_for(timeout=300_000)
        assert dialog.locator("ol.pupils > li").count() == YEARS[setup][0]
        for line in dialog.locator("ol.pupils > li").all():
            parts = [int(part) for part in line.locator(".part b").all_inner_texts()]
            assert sum(parts) == int(line.locator(".total").inner_text())
        assert dialog.locator(".sheet .jury").inner_text()
