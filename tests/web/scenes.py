"""Moments of Equinox that pass: an elimination, a notice, the final scoring, a lesson; found in fixed games."""

import functools
import itertools

from playwright.sync_api import Page

from fabletop import GAMES
from fabletop.bots.greedy import Greedy
from fabletop.core.chance import Chance
from fabletop.core.records import Record
from fabletop.core.sitting import Sitting
from tests.web.camera import Camera
from tests.web.seat import ASKED, ask, choose, make, private

GAME = GAMES["equinox"]
NAMES = ("Ana", "Ben", "Cleo", "Dov", "Eli")
SLOW = "slow"


def played(sitting: Sitting) -> None:
    """Let bots that look one step ahead play a game to its end."""
    bots = [Greedy(Chance(number + 7)) for number in range(len(sitting.record().names))]
    while sitting.pending:
        [(seat, choice)] = sitting.pending.items()
        sitting.act(seat, bots[seat].choose(sitting.view(seat), choice))


@functools.cache
def before(kind: str, seats: int, about: int | None = None) -> tuple[Record, str]:
    """A game up to just before the action that an event comes of, and that action. With `about`, the event is done to
    that seat by another."""
    for seed in itertools.count():
        whole = Sitting(GAME, {"seats": seats}, seed=f"scene {seed}", names=NAMES[:seats])
        played(whole)
        record = whole.record()
        again = Sitting(GAME, record.options, seed=record.seed, names=record.names)
        for place, (seat, action) in enumerate(record.actions):
            told = len(again.rows)
            again.act(seat, action)
            for row in again.rows[told:]:
                event = GAME.events.decode(row)
                if event.kind == kind and (about is None or (event["target"] == about and seat != about)):
                    some = record.actions[:place]
                    return (
                        Record(record.game, record.rules, record.options, record.seed, some, record.names),
                        action,
                    )
    raise LookupError(kind)


def scene(camera: Camera, kind: str, sign: str, seats: int = 4) -> Page:
    """An event that is being staged, once something of it is on the page."""
    record, action = before(kind, seats)
    page = camera.table(record, SLOW)
    choose_now(page, action)
    page.locator(sign).first.wait_for()
    if camera.hold:
        page.evaluate("window.held = true")
    return page


def choose_now(page: Page, action: str) -> None:
    """Take an option without waiting for what comes of it."""
    page.evaluate(
        """action => {
          const here = () => document.querySelector(`[data-option="${action}"]`);
          if (!here()) document.querySelector('.answers button[aria-pressed="false"]')?.click();
          return new Promise(done => requestAnimationFrame(() => (here().click(), done())));
        }""",
        action,
    )


def notice(camera: Camera, kind: str = "set_aside") -> Page:
    """Somebody does something to the person at the page."""
    record, action = before(kind, 2, about=0)
    made = make(camera.address, name="Ana", seats=[{}, {}], options=record.options, seed=record.seed)
    ben = ask(camera.address, "POST", f"/api/tables/{made['table']}/sit", {"name": "Ben"})
    tokens = (made["token"], ben["token"])
    for place, (seat, one) in enumerate([*record.actions, (1, action)]):
        if place == len(record.actions):
            page = camera.page(private(made), SLOW)
            page.locator(".grid").wait_for()
        seen = ask(camera.address, "GET", f"/api/tables/{made['table']}/view?seat={seat}", token=tokens[seat])
        answer = {"id": f"{place}", "choice": seen["choice"]["id"], "action": one}
        ask(camera.address, "POST", f"/api/tables/{made['table']}/act", answer, token=tokens[seat])
    page.locator(".notice").wait_for()
    return page


def lesson(camera: Camera) -> Page:
    """The first lesson, at its first goal."""
    page = camera.page("/learn/equinox/goodbye")
    page.locator(".sheet-note .row .main").first.click()
    page.locator(".slot.lit").first.wait_for()
    return page


def learn(camera: Camera) -> Page:
    """All lessons."""
    page = camera.page("/learn/equinox")
    page.locator(".learn .row .main").first.wait_for()
    return page


def pointing(camera: Camera) -> Page:
    """What a card of the hand would do."""
    page = camera.against_a_bot()
    choose(page, "pass")
    card = page.locator(".slot.lit").nth(2)
    if camera.look.phone:
        card.tap(position={"x": 8, "y": 20})
    else:
        card.hover()
    page.locator(".cell.aimed").first.wait_for()
    return page


def home_with_tables(camera: Camera) -> Page:
    """The first page of somebody with games that run."""
    page = camera.page("/")
    for seats in (2, 4):
        made = make(
            camera.address, name="Ana", seats=[{}, *[{"kind": "bot"}] * (seats - 1)], seed="midsummer"
        )
        page.goto(camera.address + private(made))
        page.locator(ASKED).wait_for()
    page.goto(camera.address)
    page.locator(".game svg").nth(1).wait_for()
    return page


STATES = {
    "home-tables": home_with_tables,
    "pointing": pointing,
    "alone": lambda camera: scene(camera, "eliminated", ".grid.alone"),
    "banner": lambda camera: scene(camera, "eliminated", ".banner"),
    "banner-5": lambda camera: scene(camera, "eliminated", ".banner", 5),
    "counting": lambda camera: scene(camera, "won", ".total"),
    "revealed": lambda camera: scene(camera, "revealed", ".turned.faced"),
    "legends": lambda camera: scene(camera, "won", ".legends"),
    "notice": notice,
    "notice-hoot": lambda camera: notice(camera, "asked_for"),
    "learn": learn,
    "lesson": lesson,
}
