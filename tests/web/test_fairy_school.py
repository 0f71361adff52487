"""Fairy School in a real browser: whole years, every question and every effect by clicking, reloads, keys and words."""

import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from fabletop import GAMES
from fabletop.core.records import Record
from fabletop.core.sitting import Sitting
from fabletop.games.fairy_school import constants as c
from fabletop.games.fairy_school.algebra import PRICES
from tests.web.house import House
from tests.web.seat import ask, go_on_from, lift, private

Visit = Callable[..., Page]
GAME = GAMES["fairy_school"]
QUICK = '{"speed": "off", "name": "Ana", "autopass": false}'
ASKED = ".question.asked"

CLICKER = """
([seed, hurry]) => {
  const draw = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  window.met = {};
  const timer = setInterval(() => {
    if (document.querySelector('dialog')) return clearInterval(timer);
    const question = document.querySelector('.question.asked:not([data-busy])');
    if (!question) return;
    window.met[question.dataset.kind] = (window.met[question.dataset.kind] ?? 0) + 1;
    const all = [...document.querySelectorAll('[data-option]:not([disabled])')];
    const some = all.filter(one => one.dataset.option !== 'convert' || draw() < 0.05);
    const end = some.find(one => ['done', 'pass'].includes(one.dataset.option));
    const one = end && draw() < hurry ? end : some[Math.floor(draw() * some.length)];
    one?.click();
  }, 10);
}
"""


def table(house: House, seats: int, bots: str = "thumbling", **options: Any) -> dict[str, Any]:
    """A table of one person and bots."""
    plans = [{"kind": "open"}] + [{"kind": "bot", "level": bots}] * (seats - 1)
    body = {"game": "fairy_school", "seats": plans, "options": {"seats": seats, **options}, "name": "Ana"}
    made: dict[str, Any] = ask(house.address, "POST", "/api/tables", body)
    return made


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, {"setup": "beginners", "length": "short"}),
        (6, {"setup": "normal", "length": "short", "wider": True}),
        (3, {"setup": "expert"}),
    ],
)
def test_a_year_to_the_school_report(visit: Visit, house: House, seats: int, options: dict[str, Any]) -> None:
    page = visit(private(table(house, seats, **options)), prefs=QUICK)
    page.locator(ASKED).wait_for()
    page.evaluate(CLICKER, [seats, 0.7])
    dialog = page.get_by_role("dialog")
    dialog.wait_for(timeout=120_000)
    assert dialog.locator("ol.pupils > li").count() == seats
    for line in dialog.locator("ol.pupils > li").all():
        parts = [int(part) for part in line.locator(".part b").all_inner_texts()]
        assert sum(parts) == int(line.locator(".total").inner_text())
