"""The events of an update are staged one by one, and lead to the view of the server."""

import json
import os
import random
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from fabletop.core.chance import Chance
from fabletop.core.sitting import Sitting
from fabletop.games import game_called
from tests.web.conftest import ROOT, missing, module_of
from tests.web.house import House
from tests.web.seat import ASKED, choose_any, count_flights, make, private


def staged(seed: str, seats: int, viewer: int | None) -> dict[str, Any]:
    """A game at random as a viewer is told it: the first view, then events and view of every action."""
    sitting = Sitting(game_called("equinox"), {"seats": seats}, seed=seed)
    chance = Chance(len(seed) * 7 + seats)
    first, told, steps = sitting.view(viewer), len(sitting.events(viewer)), []
    while pending := sitting.pending:
        seat, choice = next(iter(pending.items()))
        sitting.act(seat, chance.pick(choice.options))
        events = sitting.events(viewer)
        steps.append({"events": [event.json() for event in events[told:]], "view": sitting.view(viewer)})
        told = len(events)
    return {"game": "equinox", "viewer": viewer, "first": first, "steps": steps}


def test_events_lead_to_the_view_of_the_server(tmp_path: Path) -> None:
    games = [
        staged(f"staged {seats} {viewer}", seats, viewer) for seats in (2, 3, 5) for viewer in (0, 1, None)
    ]
    found = tmp_path / "games.json"
    found.write_text(json.dumps(games))
    builder = module_of("build")
    try:
        node = builder.find_node()
    except builder.NoNode as why:
        missing(str(why))
    command = [str(node.node), "node_modules/vitest/vitest.mjs", "run", "staging.games"]
    done = subprocess.run(
        command,
        cwd=ROOT / "web",
        env={**os.environ, "STAGED_GAMES": str(found)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


WATCH = """
() => {
  window.early = [];
  const watch = new MutationObserver(all => {
    if (!document.querySelector('.flyer')) return;
    for (const one of all) {
      const node = one.target.nodeType === 1 ? one.target : one.target.parentElement;
      window.early.push(`${node.className}: ${node.textContent.slice(0, 60)}`);
    }
  });
  for (const part of document.querySelectorAll('.grid, .players, .log, .hand'))
    watch.observe(part, {childList: true, characterData: true, subtree: true});
}
"""


def test_nothing_changes_while_its_cause_is_in_the_air(visit: Callable[..., Page], house: House) -> None:
    made = make(house.address, name="Ana", seats=[{}, {"kind": "bot"}, {"kind": "bot"}], seed="staged")
    page = visit(private(made), prefs='{"speed": "fast", "name": "Ana"}', still=False)
    page.locator(ASKED).wait_for()
    count_flights(page)
    page.evaluate(WATCH)
    chance = random.Random(5)
    for _ in range(7):
        page.locator(ASKED).or_(page.locator(".notice")).first.wait_for()
        if page.locator(".notice").count():
            page.keyboard.press("Enter")
            continue
        choose_any(page, chance.random())
    assert page.evaluate("window.flew") > 10
    assert page.evaluate("window.early") == []


def test_space_skips_to_the_next_question(visit: Callable[..., Page], house: House) -> None:
    options = {"seats": 4, "first": 0}
    made = make(
        house.address, name="Ana", seats=[{}, *[{"kind": "bot"}] * 3], seed="skipped", options=options
    )
    page = visit(private(made), prefs='{"speed": "slow", "name": "Ana"}', still=False)
    # Ana answers whatever she is asked until others move; what lets her skip them is measured at the moment it is there
    page.wait_for_function(
        """() => {
          document.querySelector('.chooser.asked') && document.querySelector('[data-option]')?.click();
          if (document.querySelector('.ask .onward')?.textContent.trim() !== 'Skip to my turn') return false;
          const box = one => document.querySelector(one)?.getBoundingClientRect();
          const [skip, room] = [box('.ask .onward'), box('.ask')];
          return skip && skip.width > 0 && skip.top >= room.top && skip.bottom <= Math.min(room.bottom, innerHeight);
        }"""
    )
    page.keyboard.press("Space")
    expect(page.locator(ASKED)).to_be_visible(timeout=6_000)
