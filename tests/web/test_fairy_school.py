"""Fairy School in a real browser: whole years, every question and every effect by clicking, reloads, keys and words."""

import random
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from playwright.sync_api import Page

from fabletop import GAMES
from fabletop.core.game import Choice
from fabletop.core.records import Record
from fabletop.core.sitting import Sitting
from fabletop.games.fairy_school import constants as c
from fabletop.games.fairy_school.algebra import PRICES, Special
from fabletop.games.fairy_school.cards import BY_NAME
from tests.web.fit import UNDRAWN
from tests.web.house import House
from tests.web.seat import ask, go_on_from, private

Visit = Callable[..., Page]
GAME = GAMES["fairy_school"]
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


# ---- every question and every effect

WINDOW = 14
GOAL, STUDY = 963, 81
PLANNING = ("plan", "plan_space")
LOCAL = (*PLANNING, "select")
EFFECTS = {"production", "transformation", *PRICES}
NEEDED = {*c.question_names[1:], *EFFECTS}


class Deed(NamedTuple):
    """An answer of a game, the question it answers, and what is used by it."""

    seat: int
    first: bool  # whether no lower seat is asked: with it a device begins
    kind: str
    action: str
    card: str | None
    uses: frozenset[str]


def effect_of(card: str, line: int) -> str:
    """The kind of effect of a line of a card."""
    found = BY_NAME[card].effect.lines[line]
    return found.kind if isinstance(found, Special) else type(found).__name__.lower()


def deed_of(seat: int, first: bool, choice: Choice, action: str) -> Deed:
    """What an answer uses: its question, and the effect that is chosen by it."""
    uses, card = {choice.kind}, choice.about.get("card")
    if choice.kind == "line":
        uses.add(effect_of(choice.about["card"], int(action.removeprefix("line-")) - 1))
    elif choice.kind == "activate" and action in BY_NAME and len(BY_NAME[action].effect.lines) == 1:
        uses.add(effect_of(action, 0))
    return Deed(seat, first, choice.kind, action, card, frozenset(uses))


def played(seed: int, options: dict[str, Any]) -> tuple[Sitting, list[Deed]]:
    """A game at random as at one device: a seat answers while it is asked, then the lowest one that is asked."""
    chance = random.Random(seed)
    sitting = Sitting(GAME, options, seed=f"{seed}")
    deeds: list[Deed] = []
    seat = 0
    while sitting.pending:
        first = min(sitting.pending)
        seat = seat if seat in sitting.pending else first
        choice = sitting.pending[seat]
        texts = [GAME.actions[one] for one in choice.options]
        some = [text for text in texts if text not in ("pass", "convert", "done", "cancel")]
        if "convert" in texts and choice.kind in ("activate", "realise") and chance.random() < 0.03:
            some = ["convert"]
        action = chance.choice(some or [text for text in texts if text != "convert"])
        deeds.append(deed_of(seat, seat == first, choice, action))
        sitting.act(seat, GAME.parse(action))
    return sitting, deeds


@cache
def windows() -> list[tuple[Record, list[Deed]]]:
    """Short stretches of games that together use every question and effect: the record until then, the answers."""
    found: list[tuple[Record, list[Deed]]] = []
    missing = set(NEEDED)
    expert, short = {"setup": "expert"}, {"setup": "normal", "length": "short"}
    # in game GOAL a fairy runs out of projects, in game STUDY one studies by a card: both are rare
    for seed, options in (
        (0, expert),
        (GOAL, {"setup": "normal"}),
        (STUDY, expert),
        *((n, (short, expert)[n % 2]) for n in range(1, 80)),
    ):
        sitting, deeds = played(seed, {"seats": 2, **options})
        record = sitting.record()
        while missing:
            starts = [at for at, deed in enumerate(deeds) if deed.first]
            start = max(starts, key=lambda at: len(missing & used(deeds[at : at + WINDOW])))
            if len(missing & used(deeds[start : start + WINDOW])) < (2 if seed == 0 else 1):
                break
            end = start + WINDOW
            # planning and selection are sent as a whole
            while start and (deeds[start].kind in LOCAL or not deeds[start].first):
                start -= 1
            while end < len(deeds) and deeds[end].kind in (*LOCAL, "pay"):
                end += 1
            stretch = deeds[start:end]
            missing -= used(stretch)
            until = Record(
                record.game, record.rules, record.options, record.seed, record.actions[:start], ("Ana", "Ben")
            )
            found.append((until, stretch))
        if not missing:
            break
    return found


def used(deeds: list[Deed]) -> set[str]:
    """All that some answers use."""
    return set().union(*(deed.uses for deed in deeds)) if deeds else set()


READY = """([kind, action]) => {
  if (document.querySelector('.curtain')) return 'curtain';
  const question = document.querySelector('.question.asked:not([data-busy])');
  if (!question || (kind && question.dataset.kind !== kind)) return '';
  if (question.dataset.choice === window.answered) return '';
  const found = document.querySelector(`[data-option="${action}"]:not([disabled])`);
  const here = ['plan', 'plan_space', 'select'].includes(question.dataset.kind) && action !== 'done';
  if (found && !here) window.answered = question.dataset.choice;
  if (found) found.click();
  return found ? 'done' : '';
}"""


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
        if deed.kind == "select":
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


def test_every_question_and_every_effect_is_used_by_clicking(visit: Visit, house: House) -> None:
    """F-2.5, F-4.1, F-4.2, F-5.0, F-5.1, F-5.2, F-5.3, F-5.5, F-5.6, F-6.2, F-6.3, F-7.1, F-7.2, F-7.3, F-7.4, F-1.3"""
    met: set[str] = set()
    page = visit(prefs=QUICK)
    for record, stretch in windows():
        page.goto(house.address + private(go_on_from(house.address, record)))
        met |= play(page, stretch)
    assert NEEDED - met == set()
