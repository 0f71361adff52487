"""What pictures are taken with: a browser at a size, by day or night, in one of the three languages."""

import tomllib
from typing import NamedTuple

from playwright.sync_api import Browser, Page

from fabletop.core.records import Record
from tests.web.conftest import ROOT
from tests.web.house import PATIENCE, House
from tests.web.seat import ASKED, go_on_from, make, private

LANGS = ("en", "de", "fr")


class Look(NamedTuple):
    """What somebody looks with."""

    wide: int
    tall: int
    night: bool
    lang: str

    @property
    def phone(self) -> bool:
        return min(self.wide, self.tall) < 500

    def __str__(self) -> str:
        return f"{self.wide}x{self.tall}-{'night' if self.night else 'day'}-{self.lang}"


LOOKS = (
    Look(1440, 900, night=True, lang="en"),
    Look(1280, 720, night=False, lang="de"),
    Look(390, 844, night=False, lang="de"),
    Look(360, 640, night=True, lang="fr"),
)


HOLDABLE = """(() => {
  const start = window.setTimeout.bind(window);
  window.setTimeout = (run, wait, ...rest) => {
    const early = !window.held;
    return start(() => early && window.held ? undefined : run(...rest), wait);
  };
})()"""
"""From `window.held = true` on, nothing that waited until then goes on: a scene stays as it is."""


class Camera:
    """Takes pictures with one browser of one house, in one look; with `hold`, a scene does not pass; with `sharp`, a
    phone has as many pixels as a real one."""

    def __init__(
        self, browser: Browser, house: House, look: Look, hold: bool = False, sharp: bool = False
    ) -> None:
        self.hold = hold
        self.sharp = sharp
        self.browser = browser
        self.address = house.address
        self.look = look

    def page(self, path: str, speed: str = "off") -> Page:
        """A page as somebody sees it."""
        phone = self.look.phone
        context = self.browser.new_context(
            viewport={"width": self.look.wide, "height": self.look.tall},
            color_scheme="dark" if self.look.night else "light",
            locale=self.look.lang,
            is_mobile=phone,
            has_touch=phone,
            device_scale_factor=2 if phone and self.sharp else 1,
            reduced_motion="reduce",
        )
        context.set_default_timeout(1000 * PATIENCE)
        page = context.new_page()
        prefs = f'{{"speed": "{speed}", "autopass": false}}'
        if self.hold:
            page.add_init_script(HOLDABLE)
        page.add_init_script(f"localStorage['fabletop.prefs'] ??= '{prefs}'")
        page.goto(self.address + path)
        page.locator("h1").first.wait_for(state="attached")
        return page

    def table(self, record: Record, speed: str = "off") -> Page:
        """A table at one device, as the one sees it whose turn it is."""
        page = self.page(private(go_on_from(self.address, record)), speed)
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
