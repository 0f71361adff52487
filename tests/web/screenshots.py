"""Pictures of the main states of the table: make screenshots, or python -m tests.web.screenshots [folder [part …]].

Every state is taken in each look: a size, night or day, one of the three languages. They are made from fixed games, so
that two runs can be compared. Without a folder they go to build/screenshots; with parts of names, such as `390x844`,
`day-de` or `scoring`, only the pictures that have one of them are taken.
"""

import functools
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Error, Page, sync_playwright

from fabletop import GAMES
from fabletop.bots.greedy import Greedy
from fabletop.core.chance import Chance
from fabletop.core.records import Record
from fabletop.core.sitting import Sitting
from tests.web import scenes, school_states
from tests.web.camera import LOOKS, Camera, Look
from tests.web.conftest import FLAGS, ROOT, module_of
from tests.web.house import House
from tests.web.seat import go_on_from, make, private

GAME = GAMES["equinox"]
NAMES = ("Ana", "Ben", "Cleo", "Dov", "Eli")


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


def home(camera: Camera) -> Page:
    """The first page, with a table that waits for players."""
    make(camera.address, name="Ben", seats=[{}, {}, {}], listed=True)
    page = camera.page("/")
    page.locator(".game svg").nth(1).wait_for()
    return page


def new_table(camera: Camera) -> Page:
    """Who plays, with all further choices."""
    page = camera.page("/")
    page.locator(".way").first.click()
    page.locator("dialog select").nth(2).select_option("bot")
    page.locator("dialog select").nth(4).select_option("hot")
    page.locator("summary").click()
    page.locator(".chip").nth(3).click()
    return page


def waiting(camera: Camera) -> Page:
    """The waiting room of a host."""
    page = camera.page(private(make(camera.address, name="Ana", seats=[{}, {}, {"kind": "bot"}])))
    page.locator(".invite .code svg").wait_for()
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
        page.locator(".talk .button").click()
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


def chances(camera: Camera) -> Page:
    """How the chances went in a finished game."""
    page = camera.table(a_game("midsummer 1", 4))
    page.locator(".after button").nth(2).click()
    page.locator(".chances svg").first.wait_for()
    return page


def statistics(camera: Camera) -> Page:
    """One's own games, on the home page."""
    page = camera.page("/")
    games = [
        {
            "game": "equinox",
            "seats": 4,
            "level": level,
            "place": place,
            "score": 12,
            "favourites": ["hoot", "stag"],
        }
        for level, place in (("thumbling", 1), ("thumbling", 2), ("gretel", 1), ("", 3))
    ]
    kept = json.dumps([{"table": f"{number}", "at": 0, **game} for number, game in enumerate(games)])
    page.evaluate("kept => localStorage.setItem('fabletop.statistics', kept)", kept)
    page.reload()
    page.locator(".greeting .quiet").click()
    page.locator("dialog .figures").wait_for()
    return page


def guide(camera: Camera) -> Page:
    """The rules."""
    page = camera.page("/#rules-equinox")
    page.get_by_role("searchbox").wait_for()
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
    "chances": chances,
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
    **{f"school-{name}": show for name, show in school_states.STATES.items()},
    "settings": lambda camera: camera.page("/#settings"),
    "statistics": statistics,
    "gone": lambda camera: camera.page("/t/nowhere"),
}


def picture(page: Page, file: Path) -> None:
    """Take a page as it is."""
    page.wait_for_timeout(400)
    page.screenshot(path=file)


Shoot = Callable[[Page, Path], None]


def take(camera: Camera, show: Callable[[Camera], Page], file: Path, shoot: Shoot = picture) -> bool:
    """Take one picture; False, with the reason printed, where the state cannot be reached."""
    try:
        page = show(camera)
        shoot(page, file)
        page.context.close()
    except (Error, LookupError) as error:
        print(f"{file}: {error}", file=sys.stderr)
        return False
    print(file)
    return True


@contextmanager
def studio() -> Iterator[Callable[[Look], Camera]]:
    """A server and a browser, ended afterwards; gives a camera for each look. What passes is held."""
    module_of("build").build()
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        house = House(Path(place))
        house.start()
        try:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
            yield lambda look: Camera(browser, house, look, hold=True, sharp=True)
            browser.close()
        finally:
            house.stop()


def main() -> int:
    """Take the pictures; 1 where one could not be taken."""
    given = sys.argv[1:]
    if {"-h", "--help"} & set(given):
        print(__doc__)
        return 0
    folder = Path(given[0]) if given else ROOT / "build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    missed = 0
    with studio() as camera:
        for state, show in {**STATES, **scenes.STATES}.items():
            for look in LOOKS:
                name = f"{state}-{look}.png"
                if not given[1:] or any(part in name for part in given[1:]):
                    missed += not take(camera(look), show, folder / name)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
