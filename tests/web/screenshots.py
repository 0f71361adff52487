"""Pictures of the main states of the table: make screenshots, or python -m tests.web.screenshots [folder [part …]].

Every state is taken in each look: desk or phone, night or day, one of the three languages. They are made from fixed
games, so that two runs can be compared. Without a folder they go to build/screenshots; with parts of names, such as
`phone-day-de` or `scoring`, only the pictures that have one of them are taken.
"""

import functools
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

from fabletop import GAMES
from fabletop.bots.greedy import Greedy
from fabletop.core.chance import Chance
from fabletop.core.records import Record
from fabletop.core.sitting import Sitting
from tests.web.conftest import FLAGS, ROOT, module_of
from tests.web.house import House
from tests.web.seat import ASKED, go_on_from, make, private

GAME = GAMES["equinox"]
NAMES = ("Ana", "Ben", "Cleo", "Dov", "Eli")


class Look(NamedTuple):
    """What somebody looks with."""

    phone: bool
    night: bool
    lang: str

    def __str__(self) -> str:
        return f"{'phone' if self.phone else 'desk'}-{'night' if self.night else 'day'}-{self.lang}"


LOOKS = (
    Look(phone=False, night=True, lang="en"),
    Look(phone=False, night=False, lang="de"),
    Look(phone=True, night=False, lang="de"),
    Look(phone=True, night=True, lang="fr"),
)


@functools.cache
def a_game(seed: str, seats: int) -> Record:
    """A whole game between bots that look one step ahead."""
    sitting = Sitting(GAME, {"seats": seats}, seed=seed, names=NAMES[:seats])
    bots = [Greedy(Chance(number + 7)) for number in range(seats)]
    while sitting.pending:
        [(seat, choice)] = sitting.pending.items()
        sitting.act(seat, bots[seat].choose(sitting.view(seat), choice))
    return sitting.record()


def until(record: Record, fits: Callable[[Sitting, str], bool]) -> Record | None:
    """The beginning of a game, up to a moment, if there is such a moment."""
    sitting = Sitting(GAME, record.options, seed=record.seed, names=record.names)
    for place, (seat, action) in enumerate(record.actions):
        if fits(sitting, sitting.pending[seat].kind):
            return Record(
                record.game, record.rules, record.options, record.seed, record.actions[:place], record.names
            )
        sitting.act(seat, action)
    return None


@functools.cache
def a_year(seats: int, setup: str) -> Record:
    """A whole year of Fairy School between bots that look one step ahead."""
    game = GAMES["fairy_school"]
    names = (*NAMES, "Fay")[:seats]
    sitting = Sitting(game, {"seats": seats, "setup": setup}, seed="midsummer", names=names)
    bots = [Greedy(Chance(number + 7)) for number in range(seats)]
    while sitting.pending:
        seat = min(sitting.pending)
        sitting.act(seat, bots[seat].choose(sitting.view(seat), sitting.pending[seat]))
    return sitting.record()


@functools.cache
def in_the_year(kind: str, since: int = 4, seats: int = 4, setup: str = "normal") -> Record:
    """The first time that the first fairy is asked something from a turn of the year on."""
    record = a_year(seats, setup)
    sitting = Sitting(GAMES["fairy_school"], record.options, seed=record.seed, names=record.names)
    for place, (seat, action) in enumerate(record.actions):
        asked = sitting.pending[seat].kind == kind and seat == 0
        if asked and sitting.view(None)["year_turn"] >= since:
            return Record(
                record.game, record.rules, record.options, record.seed, record.actions[:place], record.names
            )
        sitting.act(seat, action)
    raise LookupError(kind)


@functools.cache
def moment(kind: str, since: int = 1, seats: int = 4) -> Record:
    """The first time that something is asked from a round on, in the first game where it is."""
    for seed in range(60):
        found = until(
            a_game(f"midsummer {seed}", seats),
            lambda sitting, asked: asked == kind and sitting.view(None)["round"] >= since,
        )
        if found:
            return found
    raise LookupError(kind)


class Camera:
    """Takes pictures with one browser of one house, in one look."""

    def __init__(self, browser: Browser, house: House, look: Look) -> None:
        self.browser = browser
        self.address = house.address
        self.look = look

    def page(self, path: str) -> Page:
        """A page as somebody sees it."""
        phone = self.look.phone
        context = self.browser.new_context(
            viewport={"width": 390, "height": 780} if phone else {"width": 1280, "height": 860},
            color_scheme="dark" if self.look.night else "light",
            locale=self.look.lang,
            is_mobile=phone,
            has_touch=phone,
            device_scale_factor=2 if phone else 1,
            reduced_motion="reduce",
        )
        context.set_default_timeout(10_000)
        page = context.new_page()
        page.add_init_script('localStorage[\'fabletop.prefs\'] ??= \'{"speed": "off", "autopass": false}\'')
        page.goto(self.address + path)
        return page

    def table(self, record: Record) -> Page:
        """A table at one device, as the one sees it whose turn it is."""
        page = self.page(private(go_on_from(self.address, record)))
        page.locator(".curtain button, dialog").first.wait_for()
        if page.locator(".curtain").count():
            page.locator(".curtain button").click()
            page.locator(f"{ASKED}, .question.asked").first.wait_for()
        page.mouse.move(2, 2)
        return page

    def against_a_bot(self) -> Page:
        """The first turn of a game against a bot."""
        made = make(
            self.address,
            name="Ana",
            seats=[{}, {"kind": "bot"}],
            options={"seats": 2, "first": 0},
            seed="midsummer",
        )
        page = self.page(private(made))
        page.locator(ASKED).wait_for()
        return page

    def tool(self, page: Page, table: str, key: str) -> Page:
        """Press a tool of the bar, which has another name in every language."""
        path = ROOT / "src" / "fabletop" / "lang" / self.look.lang / "web.toml"
        page.locator(".tools").get_by_role("button", name=tomllib.loads(path.read_text())[table][key]).click()
        return page


def home(camera: Camera) -> Page:
    """The first page, with a table that waits for players."""
    make(camera.address, name="Ben", seats=[{}, {}, {}], listed=True)
    page = camera.page("/")
    page.locator(".game svg").nth(1).wait_for()
    return page


def new_table(camera: Camera) -> Page:
    """Who plays, with all further choices."""
    page = camera.page("/")
    page.locator(".go .button:not(.main)").first.click()
    page.locator("dialog select").nth(2).select_option("bot")
    page.locator("dialog select").nth(4).select_option("hot")
    page.locator("summary").click()
    page.locator(".chip").nth(3).click()
    return page


def waiting(camera: Camera) -> Page:
    """The waiting room of a host."""
    page = camera.page(private(make(camera.address, name="Ana", seats=[{}, {}, {"kind": "bot"}])))
    page.locator(".peeking").wait_for()
    return page


def curtain(camera: Camera) -> Page:
    """Between two players at one device."""
    hot = [{"kind": "hot", "name": name} for name in NAMES[:2]]
    page = camera.page(private(make(camera.address, seats=hot)))
    page.locator(".curtain").wait_for()
    return page


def secretly(camera: Camera) -> Page:
    """A secret bet: the hand glows."""
    page = camera.table(moment("predict", seats=5))
    page.locator(".answers button[aria-pressed]").click()
    return page


def hint(camera: Camera) -> Page:
    """What a strong player would do."""
    page = camera.tool(camera.against_a_bot(), "tools", "hint")
    page.locator(".chooser .hint", has_text="%").wait_for()
    return page


def tip(camera: Camera) -> Page:
    """What a creature is."""
    page = camera.table(moment("play", 3))
    spot = page.locator('[data-at="0-6"]')
    if camera.look.phone:
        spot.tap()
    else:
        spot.hover()
    page.locator("#tip.on").wait_for()
    return page


def words(camera: Camera) -> Page:
    """The table in words."""
    return camera.tool(camera.table(moment("predict", 3)), "tools", "text")


def log(camera: Camera) -> Page:
    """What happened."""
    page = camera.table(moment("play", 3))
    return camera.tool(page, "table", "log") if camera.look.phone else page


def chat(camera: Camera) -> Page:
    """What people said."""
    page = log(camera)
    page.get_by_role("tab").nth(1).click()
    for said in ("!", "Equinox, equinox, equinox, equinox, equinox, equinox."):
        page.locator(".talk input").fill(said)
        page.locator(".talk button").click()
    return page


def spectator(camera: Camera) -> Page:
    """A game that one only watches."""
    page = camera.page(f"/t/{go_on_from(camera.address, moment('play', 4, 5))['table']}")
    page.locator(".watch").wait_for()
    return page


def replay(camera: Camera) -> Page:
    """A game that is looked through again."""
    page = camera.table(a_game("midsummer 1", 5))
    page.locator(".after button").nth(1).click()
    page.locator(".reel input").fill("40")
    return page


def guide(camera: Camera) -> Page:
    """The rules."""
    page = camera.page("/#rules-equinox")
    page.get_by_role("searchbox").wait_for()
    return page


def pointed(camera: Camera) -> Page:
    """What one would have after an activation."""
    page = camera.table(in_the_year("activate"))
    card = page.locator(".clearing .piece.can").first
    if camera.look.phone:
        card.tap()
    else:
        card.hover()
    page.locator(".then").wait_for()
    return page


def account(camera: Camera) -> Page:
    """What the others did, to look at again."""
    page = camera.table(in_the_year("realise"))
    page.locator(".again").click()
    return page


def around(camera: Camera) -> Page:
    """All that a neighbour has."""
    page = camera.table(in_the_year("activate"))
    page.locator(".plate").first.click()
    return page


def scrolled(page: Page) -> Page:
    """The same, at the end of what can be scrolled."""
    page.locator("dialog .body").evaluate("body => body.scrollTo(0, body.scrollHeight)")
    return page


STATES: dict[str, Callable[[Camera], Page]] = {
    "home": home,
    "new": new_table,
    "new-end": lambda camera: scrolled(new_table(camera)),
    "waiting": waiting,
    "start": lambda camera: camera.table(moment("predict")),
    "secretly": secretly,
    "hint": hint,
    "middle": lambda camera: camera.table(moment("play", 3)),
    "predict": lambda camera: camera.table(moment("predict", 3, 5)),
    "use": lambda camera: camera.table(moment("use", 2)),
    "goatman": lambda camera: camera.table(moment("goatman_keep", seats=3)),
    "hoot": lambda camera: camera.table(moment("hoot_creature", 2)),
    "rubble": lambda camera: camera.table(moment("rubble", 2)),
    "last": lambda camera: camera.table(moment("predict", 5)),
    "scoring": lambda camera: camera.table(a_game("midsummer 1", 5)),
    "scoring-end": lambda camera: scrolled(camera.table(a_game("midsummer 1", 5))),
    "replay": replay,
    "curtain": curtain,
    "spectator": spectator,
    "chat": chat,
    "log": log,
    "words": words,
    "tip": tip,
    "more": lambda camera: camera.tool(camera.against_a_bot(), "tools", "more"),
    "rules": guide,
    "rules-end": lambda camera: scrolled(guide(camera)),
    "school-draft": lambda camera: camera.table(in_the_year("draft", 3)),
    "school-settle": lambda camera: camera.table(in_the_year("settle", 0, 3, "expert")),
    "school-plan": lambda camera: camera.table(in_the_year("plan")),
    "school-select": lambda camera: camera.table(in_the_year("select", seats=6)),
    "school-activate": lambda camera: camera.table(in_the_year("activate", seats=2)),
    "school-then": pointed,
    "school-study": lambda camera: camera.table(in_the_year("study")),
    "school-realise": lambda camera: camera.table(in_the_year("realise")),
    "school-final": lambda camera: camera.table(in_the_year("final", seats=6)),
    "school-report": lambda camera: camera.table(a_year(4, "normal")),
    "school-account": account,
    "school-look": around,
    "settings": lambda camera: camera.page("/#settings"),
    "gone": lambda camera: camera.page("/t/nowhere"),
}


def main() -> None:
    """Start a server and a browser, take the pictures, end both."""
    if {"-h", "--help"} & set(sys.argv):
        print(__doc__)
        return
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    module_of("build").build()
    with tempfile.TemporaryDirectory() as place:
        house = House(Path(place))
        house.start()
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
                for state, show in STATES.items():
                    for look in LOOKS:
                        name = f"{state}-{look}.png"
                        if len(sys.argv) > 2 and not any(part in name for part in sys.argv[2:]):
                            continue
                        page = show(Camera(browser, house, look))
                        page.wait_for_timeout(400)
                        page.screenshot(path=folder / name)
                        page.context.close()
                        print(folder / name)
                browser.close()
        finally:
            house.stop()


if __name__ == "__main__":
    main()
