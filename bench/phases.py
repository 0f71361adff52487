"""`python -m bench.phases [levels [seats]]`: how long a person waits for bots between two phases of Fairy School.

A real Chromium against a real server with its usual settings. The page answers everything at once, so that the bots
have no time of the person's to think in: nobody waits longer. Measured are the seconds from the last answer of a phase
to the next question; with `--staged` what happened is animated as by default. `--turns` says how many turns are played.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from fabletop.bots.levels import LEVELS
from tests.web.conftest import FLAGS, module_of
from tests.web.fit import UNDRAWN
from tests.web.house import House
from tests.web.seat import ask, private

ANSWERS = """
turns => {
  window.waits = [];
  window.over = false;
  let last = null, phase = null, seed = 7;
  const seen = new Set();
  const draw = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const step = () => {
    const question = document.querySelector('.question.asked:not([data-busy])');
    if (document.querySelector('dialog')) return (window.over = true);
    if (!question) return setTimeout(step, 5);
    const name = /in-(\\w+)/.exec(document.querySelector('.school').className)[1];
    const turn = document.querySelector('.term').textContent;
    const now = `${name} ${turn} ${name.includes('draft') ? question.dataset.choice : ''}`;
    if (now !== phase) {
      if (last !== null) window.waits.push([phase.split(' ')[0], (performance.now() - last) / 1000]);
      phase = now;
      seen.add(turn);
      if (seen.size > turns + 1) return (window.over = true);
    }
    const all = [...document.querySelectorAll('[data-option]:not([disabled], [data-option=convert])')];
    const end = all.find(one => ['done', 'pass'].includes(one.dataset.option));
    const first = ['.forest .space.can', '.near.drawn .piece'].map(what => all.filter(one => one.matches(what)));
    const from = first.find(some => some.length) ?? all;
    const one = end && (question.dataset.kind === 'plan' || draw() < 0.4) ? end
      : from[Math.floor(draw() * from.length)];
    last = performance.now();
    one?.click();
    return setTimeout(step, 5);
  };
  step();
}
"""


class Usual(House):
    """A server with its usual pauses."""

    quick = ()


def waits(
    browser: Browser, house: House, level: str, seats: int, turns: int, staged: bool
) -> list[tuple[str, float]]:
    """The phase that was ended and the seconds until the next question."""
    bots = [{"kind": "bot", "level": level}] * (seats - 1)
    options = {"seats": seats, "setup": "normal"}
    body = {"game": "fairy_school", "seats": [{"kind": "open"}, *bots], "options": options, "name": "Ana"}
    made = ask(house.address, "POST", "/api/tables", {**body, "seed": "midsummer"})
    context = browser.new_context(viewport={"width": 1280, "height": 720}, locale="en-GB")
    page = context.new_page()
    speed = "normal" if staged else "off"
    page.add_init_script(f'localStorage[\'fabletop.prefs\'] = \'{{"speed": "{speed}", "autopass": false}}\'')
    page.goto(house.address + private(made))
    page.locator(".question.asked").wait_for()
    if not staged:
        page.evaluate(UNDRAWN)
    page.evaluate(ANSWERS, turns)
    page.wait_for_function("() => window.over", timeout=600_000)
    found: list[tuple[str, float]] = page.evaluate("window.waits")
    context.close()
    return found


def main() -> None:
    """Every level with every number of seats, one line each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("levels", nargs="?", default=",".join(LEVELS))
    parser.add_argument("seats", nargs="?", default="2,3,4,5,6")
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--staged", action="store_true")
    given = parser.parse_args()
    module_of("build").build()
    with tempfile.TemporaryDirectory() as place:
        house = Usual(Path(place))
        house.start()
        try:
            with sync_playwright() as playwright:
                path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
                browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
                for level in given.levels.split(","):
                    for seats in map(int, given.seats.split(",")):
                        found = waits(browser, house, level, seats, given.turns, given.staged)
                        seconds = [one for _, one in found]
                        phase, longest = max(found, key=lambda one: one[1])
                        middle = statistics.median(seconds)
                        print(
                            f"{level:9} {seats} seats: median {middle:.1f} s, longest {longest:.1f} s after {phase}"
                        )
                        sys.stdout.flush()
                browser.close()
        finally:
            house.stop()


if __name__ == "__main__":
    main()
