"""The states of Fairy School that pictures are taken of: every question, and what one looks at besides."""

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from playwright.sync_api import Page

from fabletop import GAMES
from fabletop.bots.greedy import Greedy
from fabletop.core.chance import Chance
from fabletop.core.records import Record
from fabletop.core.sitting import Sitting
from tests.web.camera import Camera
from tests.web.seat import ask, go_on_from, private

GAME = GAMES["fairy_school"]
NAMES = ("Ana", "Ben", "Cleo", "Dov", "Eli", "Fay")
SEEDS = 80
RARE = {"goal": 55, "spend": 7, "study_any": 8}
"""In which of the years a rare question was first asked: the search begins there, since years take long to play."""


@cache
def a_year(seats: int, setup: str, seed: str = "midsummer", whims: float = 0.0) -> Record:
    """A whole year between bots that look one step ahead; the first one has whims: then it does anything."""
    sitting = Sitting(GAME, {"seats": seats, "setup": setup}, seed=seed, names=NAMES[:seats])
    bots = [Greedy(Chance(number + 7)) for number in range(seats)]
    chance = random.Random(seed)
    while sitting.pending:
        seat = min(sitting.pending)
        choice = sitting.pending[seat]
        if seat == 0 and chance.random() < whims:
            action = chance.choice(choice.options)
        else:
            action = bots[seat].choose(sitting.view(seat), choice)
        sitting.act(seat, action)
    return sitting.record()


def until(record: Record, place: int) -> Record:
    """The beginning of a record."""
    return replace(record, actions=record.actions[:place])


@cache
def in_the_year(kind: str, since: int = 4, seats: int = 4, setup: str = "normal", offers: str = "") -> Record:
    """The first time that the first fairy is asked something from a turn of a year on, and can answer `offers`."""
    for number in (RARE.get(kind, 0), *range(SEEDS)):
        record = a_year(seats, setup, f"midsummer {number}" if number else "midsummer", 0.3 if number else 0)
        sitting = Sitting(GAME, record.options, seed=record.seed, names=record.names)
        for place, (seat, action) in enumerate(record.actions):
            choice = sitting.pending[seat]
            asked = seat == 0 and choice.kind == kind
            if offers:
                asked = asked and GAME.actions.index(offers) in choice.options
            if asked and sitting.view(None)["year_turn"] >= since:
                return until(record, place)
            sitting.act(seat, action)
    raise LookupError(kind)


@cache
def first_of_the_finals() -> Record:
    """The first of six fairies chooses among all final projects."""
    record = a_year(6, "normal")
    sitting = Sitting(GAME, record.options, seed=record.seed, names=record.names)
    for place, (seat, action) in enumerate(record.actions):
        if sitting.pending[seat].kind == "final":
            return until(record, place)
        sitting.act(seat, action)
    raise LookupError("final")


@cache
def with_all_to_do() -> Record:
    """A fairy has three projects left in the last trimester, and her final project."""
    for number in range(SEEDS):
        record = a_year(4, "normal", f"midsummer {number}", 0.3)
        sitting = Sitting(GAME, record.options, seed=record.seed, names=record.names)
        for place, (seat, action) in enumerate(record.actions):
            mine = sitting.view(None)["players"][seat]
            if sitting.pending[seat].kind == "realise" and mine["final"] and len(mine["projects"]) == 3:
                return until(record, place)
            sitting.act(seat, action)
    raise LookupError("projects")


@cache
def before_kindness() -> Record:
    """The last fairy is the last to finish an activation, in which others were kind to her."""
    record = a_year(4, "normal")
    sitting = Sitting(GAME, record.options, seed=record.seed, names=record.names)
    for place, (seat, action) in enumerate(record.actions):
        alone = list(sitting.pending) == [3] and sitting.pending[3].kind == "activate"
        before = kindness_of(sitting, 3)
        sitting.act(seat, action)
        if alone and kindness_of(sitting, 3) > before + 2:
            return until(record, place)
    raise LookupError("kindness")


@cache
def before_a_price() -> tuple[Record, str]:
    """The first fairy is about to play a column whose price she has to convert for, and that column."""
    for number in range(SEEDS):
        record = a_year(3, "normal", f"midsummer {number}")
        sitting = Sitting(GAME, record.options, seed=record.seed, names=record.names)
        found: tuple[Record, str] | None = None
        for place, (seat, action) in enumerate(record.actions):
            if seat == 0:
                if found and sitting.pending[0].kind == "pay":
                    return found
                found = (until(record, place), action) if action.startswith("column-") else None
            sitting.act(seat, action)
    raise LookupError("a price")


def kindness_of(sitting: Sitting, seat: int) -> int:
    """The points that others gave a fairy."""
    return int(sitting.view(None)["players"][seat]["kindness"])


def point_at(camera: Camera, page: Page, where: str) -> None:
    """With a mouse, or with a finger that taps once to look."""
    thing = page.locator(where).first
    if camera.look.phone:
        thing.tap()
    else:
        thing.hover()


def pointed(camera: Camera) -> Page:
    """What one would have after an activation."""
    page = camera.table(in_the_year("activate"))
    point_at(camera, page, ".clearing .piece.can")
    page.locator(".then").wait_for()
    return page


def answer_pointed(camera: Camera) -> Page:
    """What one would have after one of the lines of a card."""
    page = camera.table(in_the_year("line"))
    point_at(camera, page, ".answers .answer")
    page.locator(".then").wait_for()
    return page


def laid(camera: Camera) -> Page:
    """Some cards lie in the forest, one is in the hand."""
    page = camera.table(in_the_year("plan"))
    for _ in range(3):
        page.locator(".near.drawn .piece").first.click()
        page.locator(".forest .space.can").first.click()
    page.locator(".near.drawn .piece").first.click()
    return page


def marked(camera: Camera) -> Page:
    """Two columns are marked."""
    page = camera.table(in_the_year("select"))
    for _ in range(2):
        page.locator('.column[data-option^="column-"][aria-pressed="false"]').last.click()
    return page


def exchange(camera: Camera) -> Page:
    """What can be made of what."""
    page = camera.table(in_the_year("activate", offers="convert"))
    page.locator('[data-option="convert"]').click()
    page.locator('.question[data-kind="convert"]').wait_for()
    return page


def kindness(camera: Camera) -> Page:
    """Neighbours were kind."""
    page = camera.table(before_kindness(), speed="slow")
    page.locator('.question [data-option="done"]').click()
    page.locator(".over-clearing.kindness").wait_for()
    return page


def waiting(camera: Camera) -> Page:
    """The others are still choosing."""
    body = {
        "game": "fairy_school",
        "seats": [{"kind": "open"}] * 3,
        "options": {"seats": 3, "setup": "normal"},
        "seed": "three fairies",
        "name": "Ana",
    }
    made = ask(camera.address, "POST", "/api/tables", body)
    for name in NAMES[1:3]:
        ask(camera.address, "POST", f"/api/tables/{made['table']}/sit", {"name": name})
    page = camera.page(f"/t/{made['table']}#token={made['token']}")
    page.locator(".pack .offer").first.click()
    page.locator(".question .still").wait_for()
    return page


def account(camera: Camera) -> Page:
    """What the others did, to look at again."""
    page = camera.table(in_the_year("realise"))
    page.locator(".again").click()
    page.get_by_role("dialog").wait_for()
    return page


def around(camera: Camera) -> Page:
    """All that a neighbour has."""
    page = camera.table(in_the_year("activate"))
    if page.locator("nav.tabs").is_visible():
        page.locator("nav.tabs button").nth(3).click()
    page.locator(".plate:visible").first.click()
    page.get_by_role("dialog").wait_for()
    return page


def tab(number: int) -> Callable[[Camera], Page]:
    """A part of the table that a phone has behind a tab; a desk shows it anyway."""

    def show(camera: Camera) -> Page:
        page = camera.table(in_the_year("activate"))
        if page.locator("nav.tabs").is_visible():
            page.locator("nav.tabs button").nth(number).click()
        return page

    return show


def words(camera: Camera) -> Page:
    """The table in words."""
    return camera.tool(camera.table(in_the_year("activate")), "tools", "text")


def against_bots(camera: Camera, setup: str = "beginners") -> Page:
    """The first question of a year against bots."""
    seats = [{"kind": "open"}, *[{"kind": "bot"}] * 2]
    options = {"seats": 3, "setup": setup}
    body = {"game": "fairy_school", "seats": seats, "options": options, "seed": "midsummer", "name": "Ana"}
    page = camera.page(private(ask(camera.address, "POST", "/api/tables", body)))
    page.locator(".question.asked").wait_for()
    return page


def picked(camera: Camera) -> Page:
    """A card lies in front already, and the next pack has come."""
    page = against_bots(camera, "expert")
    page.locator(".pack .offer").first.click()
    page.locator(".near.picks .pick").wait_for()
    page.locator(".question.asked").wait_for()
    return page


def hint(camera: Camera) -> Page:
    """What a strong player would do."""
    page = camera.tool(against_bots(camera), "tools", "hint")
    page.locator(".question .hint", has_text="%").wait_for()
    return page


def replay(camera: Camera) -> Page:
    """A year that is looked through again, at the choice of columns."""
    page = camera.table(a_year(4, "normal"))
    page.locator(".after button").nth(1).click()
    page.locator(".reel input").fill("200")
    page.locator(".question-room > .reel").wait_for()
    return page


def curtain(camera: Camera) -> Page:
    """Between two fairies at one device."""
    hot = [{"kind": "hot", "name": name} for name in NAMES[:2]]
    options = {"seats": 2, "setup": "beginners"}
    body = {"game": "fairy_school", "seats": hot, "options": options, "seed": "midsummer"}
    page = camera.page(private(ask(camera.address, "POST", "/api/tables", body)))
    page.locator(".curtain").wait_for()
    return page


def spectator(camera: Camera) -> Page:
    """Somebody who only watches."""
    page = camera.page(f"/t/{go_on_from(camera.address, in_the_year('activate'))['table']}")
    page.locator(".school .question .still").wait_for()
    return page


def lesson(name: str) -> Callable[[Camera], Page]:
    """The first step of a chapter."""

    def show(camera: Camera) -> Page:
        page = camera.page(f"/learn/fairy_school/{name}")
        page.locator(".sheet-note.laid").wait_for()
        return page

    return show


def coached(camera: Camera) -> Page:
    """The first question of a game with a coach."""
    page = camera.page("/learn/fairy_school")
    page.locator(".learn .row button").first.click()
    page.locator(".sheet-note").wait_for()
    return page


def guide(camera: Camera) -> Page:
    """The rules."""
    page = camera.page("/#rules-fairy_school")
    page.get_by_role("searchbox").wait_for()
    return page


def gallery(camera: Camera) -> Page:
    """All cards, at the end of the rules."""
    page = guide(camera)
    page.locator("dialog .filters").wait_for()
    page.locator("dialog .filters").evaluate("node => node.scrollIntoView()")
    return page


def question(kind: str, since: int = 4, seats: int = 4, setup: str = "normal") -> Callable[[Camera], Page]:
    """A question of the first fairy."""
    return lambda camera: camera.table(in_the_year(kind, since, seats, setup))


STATES: dict[str, Callable[[Camera], Page]] = {
    "draft": question("draft", 3),
    "draft-first": question("draft", 0, 2),
    "draft-picked": picked,
    "settle": question("settle", 0, 3, "expert"),
    "settle-space": question("settle_space", 0, 3, "expert"),
    "drop": question("drop", 3),
    "goal": question("goal", 1, 4, "expert"),
    "plan": question("plan"),
    "plan-laid": laid,
    "select": question("select", seats=6),
    "select-marked": marked,
    "activate": question("activate", seats=2),
    "activate-six": question("activate", seats=6),
    "then": pointed,
    "line": question("line"),
    "line-then": answer_pointed,
    "times": question("times"),
    "gain": question("gain"),
    "recall": question("recall"),
    "scout": question("scout"),
    "repeat": question("repeat"),
    "banish": question("banish"),
    "study-any": question("study_any"),
    "any": question("any"),
    "pay": question("pay"),
    "exchange": exchange,
    "exchange-with": question("convert_with"),
    "study": question("study"),
    "realise": question("realise"),
    "final": question("final", seats=6),
    "final-first": lambda camera: camera.table(first_of_the_finals()),
    "last": question("realise", 10, 3),
    "last-all": lambda camera: camera.table(with_all_to_do()),
    "bonus": question("bonus"),
    "spend": question("spend"),
    "kindness": kindness,
    "waiting": waiting,
    "account": account,
    "look": around,
    "projects": tab(1),
    "creatures": tab(2),
    "fairies": tab(3),
    "log": tab(4),
    "words": words,
    "hint": hint,
    "report": lambda camera: camera.table(a_year(4, "normal")),
    "report-six": lambda camera: camera.table(a_year(6, "expert")),
    "replay": replay,
    "curtain": curtain,
    "spectator": spectator,
    "lesson": lesson("forest"),
    "lesson-kindness": lesson("kindness"),
    "coached": coached,
    "guide": guide,
    "gallery": gallery,
}
