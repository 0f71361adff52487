"""A browser, a server and a table to visit. Without chromium or node these tests are skipped; in CI they fail."""

import importlib.util
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

from tests.web.house import PATIENCE, House

ROOT = Path(__file__).resolve().parents[2]
expect.set_options(timeout=1000 * PATIENCE)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def missing(what: str) -> None:
    """Skip here, fail in CI."""
    if os.environ.get("CI") == "true":
        pytest.fail(what)
    pytest.skip(what)


def module_of(name: str) -> ModuleType:
    """A script of web/ as a module."""
    spec = importlib.util.spec_from_file_location(f"web_{name}", ROOT / "web" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def client() -> Path:
    """The built client."""
    builder = module_of("build")
    try:
        builder.build()
    except builder.NoNode as why:
        missing(str(why))
    return Path(builder.STATIC)


# Of the package, not of the session: a test with an event loop of its own may come next, and Playwright's still runs.
@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """What drives browsers."""
    with sync_playwright() as found:
        yield found


def launched(playwright: Playwright, *names: str) -> Browser:
    """The first of some browsers that is installed."""
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        missing(f"there is no {names[0]}; on Debian: apt-get install {names[0]}")
    return playwright.chromium.launch(executable_path=path, args=FLAGS)


@pytest.fixture(scope="package")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """A real browser; without windows it starts fewer processes."""
    browser = launched(playwright, "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def house(client: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server with the built client."""
    made = House(tmp_path_factory.mktemp("house"))
    made.start()
    yield made
    made.stop()
    assert made.faults() == []


def expected(said: str) -> bool:
    """Does the browser complain of what a test does on purpose?"""
    return any(one in said for one in ("WebSocket", "status of 404", "ERR_CONNECTION", "status of 409"))


@pytest.fixture
def visit(chromium: Browser, house: House) -> Iterator[Callable[..., Page]]:
    """Opens pages for one person each; at the end nothing may have gone wrong in any of them."""
    contexts: list[BrowserContext] = []
    wrong: list[str] = []

    def open_page(
        path: str = "/",
        *,
        prefs: str = '{"speed": "off", "name": "Ana"}',
        locale: str = "en-GB",
        phone: bool = False,
        still: bool = True,
        scheme: str = "dark",
        at: str = "",
        worker: bool = True,
    ) -> Page:
        context = chromium.new_context(
            locale=locale,
            viewport={"width": 390, "height": 780} if phone else {"width": 1280, "height": 860},
            has_touch=phone,
            is_mobile=phone,
            reduced_motion="reduce" if still else "no-preference",
            color_scheme="light" if scheme == "light" else "dark",
            service_workers="allow" if worker else "block",
        )
        contexts.append(context)
        context.set_default_timeout(1000 * PATIENCE)
        page = context.new_page()
        # a house of one's own is stopped while the page asks; the browser's page about that has no storage
        stopped = (
            "net::ERR",
            "fetching the script",
            "imported module",
            "Unable to preload",
            "Access is denied",
        )
        calm = stopped if at else ()

        def note(what: str) -> None:
            if not any(one in what for one in calm):
                wrong.append(what)

        page.on("pageerror", lambda error: note(f"{error}"))
        page.on(
            "console",
            lambda said: note(said.text) if said.type == "error" and not expected(said.text) else None,
        )
        place = "const place = 'fabletop.prefs'; if (!localStorage[place]) localStorage[place] = JSON.stringify(%s)"
        page.add_init_script(place % prefs)
        page.goto((at or house.address) + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert wrong == []


@pytest.fixture
def own_house(client: Path, tmp_path: Path) -> Iterator[House]:
    """A server that may be stopped."""
    made = House(tmp_path)
    made.start()
    yield made
    made.stop()
