"""Nothing for axe to find in any state of the table of Equinox, on a desk and on a phone."""

import pytest
from playwright.sync_api import Browser

from tests.web import scenes, screenshots
from tests.web.camera import Camera, Look
from tests.web.house import House
from tests.web.test_pages import found_by_axe

STATES = {**screenshots.STATES, **scenes.STATES}
SIGNS = {"banner": ".banner", "revealed": ".turned.faced", "counting": ".total", "legends": ".legends"}
TABLE = ("start", "secretly", "use", "goatman", "hoot", "rubble", "pointing", "tip", "log", "chat")
BESIDE = ("notice", "scoring", "chances", "replay", "spectator", "home-tables", "learn", "gone")
PHONES = ((390, 844), (844, 390))


@pytest.mark.parametrize(
    ("states", "night", "lang"), [(TABLE, False, "en"), (BESIDE, True, "de")], ids=["table", "beside"]
)
def test_axe_finds_nothing_in_any_state(
    chromium: Browser, house: House, states: tuple[str, ...], night: bool, lang: str
) -> None:
    found = []
    for number, state in enumerate(states):
        page = STATES[state](Camera(chromium, house, Look(1280, 720, night, lang)))
        found += [(state, fault) for fault in found_by_axe(page)]
        width, height = PHONES[number % 2]
        page.set_viewport_size({"width": width, "height": height})
        found += [(f"{state}, {width} × {height}", fault) for fault in found_by_axe(page)]
        page.context.close()
    assert found == []


@pytest.mark.parametrize("state", SIGNS)
def test_axe_finds_nothing_in_a_scene(chromium: Browser, house: House, state: str) -> None:
    """What passes is held: the page is looked at as long as that takes."""
    look = Look(1280, 720, state == "legends", "fr") if state != "banner" else Look(390, 844, True, "de")
    page = STATES[state](Camera(chromium, house, look, hold=True))
    assert found_by_axe(page) == []
    assert page.locator(SIGNS[state]).count(), "it was still there"
    page.context.close()
