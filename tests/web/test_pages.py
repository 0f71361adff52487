"""Every page: nothing for axe to find, nothing from outside, small enough, and what it says about itself."""

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.web.conftest import module_of
from tests.web.house import House
from tests.web.seat import ASKED, ask, choose, count_flights, lift, make, private, wait_until_asked
from tests.web.test_powers import played

Visit = Callable[..., Page]
CREATURES = ["squeak", "moss_man", "stag", "hoot", "fungy", "goatman", "ursus", "pilgrim"]


AXE = {"rules": {"label-content-name-mismatch": {"enabled": True}}, "resultTypes": ["violations"]}
"""The experimental rule as well: what is read on a thing is part of its name, for people who speak to the page."""
AT_REST = """() => Promise.all(document.getAnimations()
  .filter(one => one.effect.getComputedTiming().iterations !== Infinity).map(one => one.finished.catch(() => {})))"""


def found_by_axe(page: Page) -> list[str]:
    """What is not accessible, with the element."""
    page.evaluate(AT_REST)
    violations = Axe().run(page, options=AXE).response["violations"]
    return [
        f"{one['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:300]}"
        for one in violations
        for node in one["nodes"]
    ]


def table_of(house: House) -> str:
    """A table at which Ana is asked at once."""
    made = make(
        house.address, name="Ana", seats=[{}, {"kind": "bot"}, {"kind": "bot"}],
        options={"seats": 3, "creatures": CREATURES, "first": 0}, seed="pages",
    )  # fmt: skip
    return private(made)


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_axe_finds_nothing_on_any_page(visit: Visit, house: House, scheme: str) -> None:
    page = visit(scheme=scheme)
    expect(page.locator(".game svg").nth(1)).to_be_visible()
    found = {"home": found_by_axe(page)}
    page.get_by_role("button", name="Play with friends…: Equinox").click()
    page.get_by_text("More options").click()
    found["new table"] = found_by_axe(page)
    page.get_by_role("button", name="Open the table").click()
    page.locator("main.waiting").wait_for()
    found["waiting room"] = found_by_axe(page)
    page.goto(f"{house.address}/#settings")
    page.get_by_role("dialog").wait_for()
    found["settings"] = found_by_axe(page)
    page.goto(f"{house.address}/#rules-equinox")
    page.get_by_role("dialog").locator("dl").wait_for()
    found["guide"] = found_by_axe(page)
    page.goto(house.address + table_of(house))
    page.locator(ASKED).wait_for()
    found["table"] = found_by_axe(page)
    page.get_by_role("tab", name="Chat").click()
    page.get_by_role("button", name="More").click()
    found["more"] = found_by_axe(page)
    page.keyboard.press("Escape")
    page.keyboard.press("t")
    page.locator(".words").wait_for()
    found["text mode"] = found_by_axe(page)
    page.keyboard.press("t")
    assert [(name, fault) for name, faults in found.items() for fault in faults] == []


def test_axe_finds_nothing_at_the_curtain_and_after_the_game(visit: Visit, house: House) -> None:
    from tests.web.seat import go_on_from

    sitting = played(3)
    page = visit(private(go_on_from(house.address, sitting.record())))
    page.get_by_role("dialog").wait_for()
    page.wait_for_timeout(800)
    found = {"result": found_by_axe(page)}
    made = make(house.address, seats=[{"kind": "hot", "name": "Ana"}, {"kind": "hot", "name": "Ben"}])
    page.goto(house.address + private(made))
    page.locator(".curtain").wait_for()
    page.wait_for_timeout(500)
    found["curtain"] = found_by_axe(page)
    assert [(name, fault) for name, faults in found.items() for fault in faults] == []


def test_things_explain_themselves(visit: Visit, house: House) -> None:
    """E-5.2 and E-3.1 are told where they matter."""
    page = visit(table_of(house), prefs='{"speed": "off"}')
    page.locator(ASKED).wait_for()
    tooltip = page.get_by_role("tooltip")
    page.locator('[data-at="0-3"]').hover()
    expect(tooltip).to_contain_text("Ask another player for a creature")
    expect(tooltip).to_contain_text("Nobody has a pebble here")
    page.locator('[data-at="3-2"]').hover()
    expect(tooltip).to_contain_text("pebbles go into the current row")
    expect(tooltip).to_contain_text("E-3.1")
    page.locator('[data-at="1-2"]').hover()
    expect(tooltip).to_contain_text("worth 4")
    card = (
        page.locator(".slot").filter(has_text=re.compile("Squeak|Stag|Hoot|Moss|Fungy|Goatman|Pilgrim")).first
    )
    card.hover()
    inspector = page.locator("#inspector")
    expect(inspector).to_contain_text("You do not control it")
    name = (card.get_attribute("data-spot") or "").split("-")[1]
    choose(page, name)
    page.mouse.move(5, 5)
    page.locator(f".slot[data-spot^='hand-{name}-']").first.hover()
    expect(inspector).to_contain_text("You control it")


def test_the_rules_can_be_searched(visit: Visit) -> None:
    page = visit("/#rules-equinox", locale="fr-FR")
    dialog = page.get_by_role("dialog")
    dialog.locator("dl").wait_for()
    assert dialog.locator("dt").count() == 17
    dialog.get_by_role("searchbox").fill("cameleon")
    expect(dialog).to_contain_text("n’active aucun pouvoir")
    assert 0 < dialog.locator("dt").count() < 17


def test_nothing_comes_from_outside_and_the_policy_is_strict(visit: Visit, house: House) -> None:
    page = visit()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    answer = page.goto(house.address + "/")
    assert answer is not None
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    page.get_by_role("button", name="Play against bots: Equinox").click()
    wait_until_asked(page)
    assert asked
    assert all(url.startswith((house.address, house.address.replace("http", "ws"))) for url in asked)


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR"])
@pytest.mark.parametrize(("game", "other"), [("equinox", "fairy_school"), ("fairy_school", "equinox")])
def test_the_first_load_is_small(
    visit: Visit, house: House, client: Path, game: str, other: str, locale: str
) -> None:
    made = make(house.address, game=game, name="Ana", seats=[{}, {"kind": "bot"}, {"kind": "bot"}])
    # what comes through a service worker is not told by its compressed size
    page = visit(private(made), worker=False, locale=locale)
    page.locator(f"{ASKED}, .question.asked").wait_for()
    page.evaluate("document.fonts.ready")
    loaded: list[tuple[str, int]] = page.evaluate(
        """['navigation', 'resource'].flatMap(kind => performance.getEntriesByType(kind))
          .map(one => [one.name.split('/').at(-1), one.encodedBodySize])"""
    )
    names = {name for name, _ in loaded}
    assert [name for name in names if name.startswith(other)] == [], "only the code of this game"
    assert sum(".woff2" in name for name in names) == 2
    # pictures are scripts that draw; they come on top, and are small as well
    drawn = {path.name for path in (client / "assets").glob("*.js") if "<symbol" in path.read_text("utf-8")}
    pictures = [size for name, size in loaded if name in drawn]
    assert 1 <= len(pictures) <= 2
    assert sum(pictures) < 20_000
    # page, code, styles, typefaces, words and cards, as the server sends them
    rest = {name: size for name, size in loaded if name not in drawn}
    assert sum(rest.values()) < 150_000, rest
    # and the code would be that small without brotli, too
    wanted = [path for path in (client / "assets").glob("*.[jc]s*") if path.name in rest]
    assert wanted
    assert sum(len(gzip.compress(path.read_bytes())) for path in wanted) < 150_000


def test_a_table_is_asked_for_together_with_the_client(visit: Visit, house: House, client: Path) -> None:
    """What a table needs comes one round trip after the page, in whatever order it is used; and the server tells what
    is on the table before the client is there to show it."""
    made = make(house.address, name="Ana", seats=[{}, {"kind": "bot"}], options={"seats": 2, "first": 0})
    path = f"/t/{made['table']}"
    ask(house.address, "GET", f"/api/tables/{made['table']}")  # somebody is at the table already
    page = visit("/icon.svg", worker=False)
    page.goto(house.address + path)
    page.locator(".grid").wait_for()
    found = page.evaluate(
        "performance.getEntriesByType('resource')"
        ".map(one => [new URL(one.name).pathname, one.startTime, one.responseEnd])"
    )
    began = {name: start for name, start, _ in found}
    preloads = json.loads((client / "preloads.json").read_text("utf-8"))
    needed = [f"/{name}" for key in ("", "en", "equinox", "equinox/en") for name in preloads[key]]
    first = next(end for name, _, end in found if name == needed[0])
    for name in [*needed, f"/api/tables/{made['table']}"]:
        assert began[name] < first, f"{name} is asked for later than the first file of the client"

    page = visit("/icon.svg", worker=False)
    page.route("**/assets/client-*.js", lambda _: None)
    told: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: told.append(str(frame))))
    page.goto(house.address + path, wait_until="commit")
    for _ in range(100):
        if told:
            break
        page.wait_for_timeout(100)
    assert told
    assert '"welcome"' in told[0]


def test_the_first_view_is_quick_on_a_slow_device(visit: Visit, house: House) -> None:
    """A processor four times slower, and a mobile network. The bound is loose, since tests share a machine."""
    page = visit("/icon.svg")
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    rate = 9_000_000 / 8
    session.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 60, "downloadThroughput": rate, "uploadThroughput": rate},
    )
    session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    painted = []
    for _ in range(3):
        page.goto(house.address + "/")
        page.get_by_role("button", name="Play against bots: Equinox").wait_for()
        painted.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
    assert min(painted) < 3000


def test_the_types_are_those_of_the_server() -> None:
    maker = module_of("wire_types")
    for path, text in maker.files().items():
        assert path.read_text("utf-8") == text, "run python web/wire_types.py"


def test_a_stale_type_would_be_noticed() -> None:
    maker = module_of("wire_types")
    wire, views = maker.SRC / "lib" / "wire.ts", maker.SRC / "games" / "equinox" / "view.generated.ts"
    for path, right, wrong in (
        (wire, "choice: number;", "choice: string;"),
        (views, "deck: number;", "deck: string;"),
    ):
        text = maker.files()[path]
        assert right in text
        assert text.replace(right, wrong, 1) != path.read_text("utf-8")


def test_the_facts_are_those_of_the_games() -> None:
    maker = module_of("game_facts")
    assert [path.parent.name for path, text in maker.texts() if path.read_text("utf-8") != text] == [], (
        "run python web/game_facts.py"
    )
    assert maker.text("equinox", {"worth": (1, 2)}).endswith("export const WORTH = [1, 2] as const;\n")


def test_the_client_can_be_installed(house: House, visit: Visit) -> None:
    page = visit()
    manifest = page.evaluate(
        "fetch(document.querySelector('link[rel=manifest]').href).then(found => found.json())"
    )
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        assert page.evaluate("url => fetch(url).then(found => found.status)", icon["src"]) == 200
    assert page.evaluate("navigator.serviceWorker.ready.then(found => !!found.active)")


def test_an_unknown_table_says_so(visit: Visit) -> None:
    page = visit("/t/nothing-here")
    expect(page.get_by_role("heading", name="This table cannot be opened")).to_be_visible()


def test_animation_moves_cards_and_ends(visit: Visit, house: House) -> None:
    page = visit(table_of(house), prefs='{"speed": "normal"}', still=False)
    page.locator(ASKED).wait_for()
    count_flights(page)
    choose(page, "squeak")
    page.locator(".slot.lit").first.click()
    page.locator(".slot.lit, .chooser.asked").first.wait_for()
    page.wait_for_function("() => window.flew >= 2")
    page.locator(ASKED).wait_for()  # two bots at normal pace
    expect(page.locator(".flyer")).to_have_count(0)


def test_the_private_link_opens_the_seat_elsewhere(visit: Visit, house: House) -> None:
    path = table_of(house)
    first = visit(path)
    first.locator(ASKED).wait_for()
    kept = json.loads(first.evaluate("localStorage.getItem('fabletop.tables')"))
    table = path.split("/")[2].split("#")[0]
    other = visit(f"/t/{table}#token={kept[table]['token']}")
    other.locator(ASKED).wait_for()
    assert other.evaluate("location.hash") == ""
    assert lift(other) == ""
