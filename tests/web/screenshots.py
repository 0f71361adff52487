"""Pictures of the main states of the table: python -m tests.web.screenshots [folder], or make screenshots.

They are made from fixed games, so that two runs can be compared. Without a folder they go to build/screenshots.
"""

import random
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from fabletop import GAMES
from fabletop.bots.greedy import Greedy
from fabletop.core.chance import Chance
from fabletop.core.records import Record
from fabletop.core.sitting import Sitting
from tests.web.conftest import FLAGS, ROOT, module_of
from tests.web.house import House
from tests.web.seat import ASKED, choose, go_on_from, make, private

GAME = GAMES["equinox"]
NAMES = ("Ana", "Ben", "Cleo", "Dov")
DESK, PHONE = (1280, 820), (390, 800)


def a_game(seed: str, seats: int = 4) -> Record:
    """A whole game between bots that look one step ahead."""
    sitting = Sitting(GAME, {"seats": seats}, seed=seed, names=NAMES[:seats])
    bots = [Greedy(Chance(number + 7)) for number in range(seats)]
    while sitting.pending:
        [(seat, choice)] = sitting.pending.items()
        sitting.act(seat, bots[seat].choose(sitting.view(seat), choice))
    return sitting.record()


def until(record: Record, fits: Callable[[Sitting, int, str], bool]) -> Record:
    """The beginning of a game, up to a moment."""
    sitting = Sitting(GAME, record.options, seed=record.seed, names=record.names)
    for place, (seat, action) in enumerate(record.actions):
        if fits(sitting, seat, sitting.pending[seat].kind):
            return Record(
                record.game, record.rules, record.options, record.seed, record.actions[:place], record.names
            )
        sitting.act(seat, action)
    return record


class Camera:
    """Takes pictures with one browser of one house."""

    def __init__(self, browser: Browser, house: House, folder: Path) -> None:
        self.browser = browser
        self.house = house
        self.folder = folder

    def page(
        self, path: str, size: tuple[int, int] = DESK, *, night: bool = True, locale: str = "en-GB"
    ) -> Page:
        """A page as somebody sees it."""
        phone = size == PHONE
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if night else "light",
            locale=locale,
            is_mobile=phone,
            has_touch=phone,
            device_scale_factor=2 if phone else 1,
        )
        page = context.new_page()
        page.add_init_script('localStorage[\'fabletop.prefs\'] ??= \'{"speed": "off", "autopass": false}\'')
        page.goto(self.house.address + path)
        return page

    def table(self, record: Record, **how: object) -> Page:
        """A table at one device, as the one sees it whose turn it is."""
        page = self.page(private(go_on_from(self.house.address, record)), **how)  # type: ignore[arg-type]
        page.locator(".curtain button, dialog").first.wait_for()
        if page.locator(".curtain").count():
            page.locator(".curtain button").click()
            page.locator(ASKED).wait_for()
        page.mouse.move(2, 2)
        return page

    def take(self, page: Page, name: str) -> None:
        """Take the picture."""
        page.wait_for_timeout(1500)
        page.screenshot(path=self.folder / f"{name}.png")
        page.context.close()
        print(self.folder / f"{name}.png")


def take_all(camera: Camera) -> None:
    """All of them."""
    game = a_game("midsummer")
    middle = until(game, lambda sitting, seat, kind: sitting.view(None)["round"] == 3 and kind == "play")
    late = until(game, lambda sitting, seat, kind: sitting.view(None)["round"] == 5 and kind == "predict")
    for night in (True, False):
        when = "night" if night else "day"
        page = camera.page("/", night=night)
        page.locator(".peeking").wait_for()
        camera.take(page, f"home-{when}")
        camera.take(camera.table(middle, night=night), f"table-{when}")
        camera.take(camera.table(middle, size=PHONE, night=night), f"phone-{when}")
    first = until(game, lambda sitting, seat, kind: kind == "predict")
    camera.take(camera.table(first, locale="de-DE"), "first-turn-de")
    camera.take(camera.table(late, locale="fr-FR", night=False), "last-round-fr")
    for seed in range(60):
        looked = until(a_game(f"goat {seed}", 3), lambda sitting, seat, kind: kind == "goatman_keep")
        if len(looked.actions) < len(a_game(f"goat {seed}", 3).actions):
            camera.take(camera.table(looked), "goatman-looks")
            break
    page = camera.table(middle)
    page.locator('[data-at="0-2"]').hover()
    camera.take(page, "explained")
    page = camera.table(middle)
    page.keyboard.press("t")
    camera.take(page, "words")
    camera.take(camera.table(game), "scoring")
    camera.take(camera.table(game, size=PHONE, night=False), "scoring-phone")
    page = camera.page("/#rules-equinox")
    page.get_by_role("searchbox").fill("hoot")
    camera.take(page, "rules")
    made = make(camera.house.address, name="Ana", seats=[{}, {}, {"kind": "bot"}])
    page = camera.page(private(made))
    page.locator(".peeking").wait_for()
    camera.take(page, "waiting")
    made = make(camera.house.address, seats=[{"kind": "hot", "name": "Ana"}, {"kind": "hot", "name": "Ben"}])
    camera.take(camera.page(private(made)), "curtain")
    made = make(
        camera.house.address, name="Ana", seats=[{}, {"kind": "bot"}], options={"seats": 2, "first": 0}
    )
    page = camera.page(private(made), PHONE)
    page.locator(ASKED).wait_for()
    chance = random.Random(5)
    for _ in range(3):
        lit = page.locator(".cell.lit").all()
        if lit:
            choose(page, str(chance.choice(lit).get_attribute("data-option")))
            break
    camera.take(page, "phone-first-turn")


def main() -> None:
    """Start a server and a browser, take the pictures, end both."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    module_of("build").build()
    with tempfile.TemporaryDirectory() as place:
        house = House(Path(place))
        house.start()
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
                take_all(Camera(browser, house, folder))
                browser.close()
        finally:
            house.stop()


if __name__ == "__main__":
    main()
