"""The table of Equinox helps: what happened, what would happen, what a power does, any card large, the rule behind."""

import re
import tomllib
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from fabletop.core.records import Record
from fabletop.core.sitting import Sitting
from tests.web.conftest import ROOT
from tests.web.house import House
from tests.web.screenshots import GAME, a_game, moment, until
from tests.web.seat import choose, go_on_from, lift, option, private

Visit = Callable[..., Page]


def at(visit: Visit, house: House, record: Record, **how: object) -> Page:
    """A table that goes on where a record ends, with the curtain lifted."""
    page = visit(private(go_on_from(house.address, record)), **how)
    lift(page)
    return page


def overlap(one: Locator, other: Locator) -> bool:
    """Do two things on the page cover each other?"""
    a, b = one.bounding_box(), other.bounding_box()
    assert a is not None
    assert b is not None
    across = min(a["x"] + a["width"], b["x"] + b["width"]) - max(a["x"], b["x"])
    down = min(a["y"] + a["height"], b["y"] + b["height"]) - max(a["y"], b["y"])
    return across > 1 and down > 1


def test_a_power_is_asked_with_its_picture_and_its_words(visit: Visit, house: House) -> None:
    """E-5.2"""
    page = at(visit, house, moment("use", 2))
    expect(page.locator(".chooser .prompt")).to_contain_text("Use the power of Twinz?")
    expect(page.locator(".chooser .words")).to_contain_text("Play another card")
    expect(page.locator(".chooser .picture use")).to_have_attribute("href", "#art-twinz")


def test_where_no_creature_is_free_only_the_reveal_is_asked_and_it_is_no_main_button(
    visit: Visit, house: House
) -> None:
    """E-3.4, E-3.5"""

    def only_a_reveal(sitting: Sitting, kind: str) -> bool:
        [choice] = sitting.pending.values()
        return kind == "predict" and {GAME.actions[one] for one in choice.options} == {"pass", "reveal"}

    games = (a_game(f"midsummer {seed}", seats) for seed in range(60) for seats in (5, 4))
    record = next(filter(None, (until(game, only_a_reveal) for game in games)))
    page = at(visit, house, record, prefs='{"speed": "off", "autopass": false}')
    expect(page.locator(".chooser .prompt")).to_contain_text("Reveal your secret bet, or pass")
    expect(page.locator(".chooser .main")).to_have_count(0)


def test_where_only_a_secret_bet_is_possible_it_is_asked_for(visit: Visit, house: House) -> None:
    """E-3.1, E-3.2"""

    def only_a_secret(sitting: Sitting, kind: str) -> bool:
        [choice] = sitting.pending.values()
        named = [GAME.actions[one] for one in choice.options]
        return kind == "predict" and len(named) > 1 and all("-" in one or one == "pass" for one in named)

    games = (a_game(f"midsummer {seed}", seats) for seed in range(60) for seats in (5, 4))
    record = next(filter(None, (until(game, only_a_secret) for game in games)))
    page = at(visit, house, record, prefs='{"speed": "off", "autopass": false}')
    expect(page.locator(".chooser .prompt")).to_contain_text("No open bet is possible here.")
    page.get_by_role("button", name="Bet secretly…").click()
    expect(page.locator(".slot.lit").first).to_be_visible()
    page.get_by_role("button", name="Think again").click()
    expect(page.locator(".slot.lit")).to_have_count(0)


def test_while_a_card_is_asked_for_the_grid_does_not_glow(visit: Visit, house: House) -> None:
    """E-3.2"""
    page = at(visit, house, moment("predict"))
    expect(page.locator(".cell.lit")).to_have_count(8)
    expect(page.locator(".slot.lit")).to_have_count(0)
    page.get_by_role("button", name="Bet secretly").click()
    expect(page.locator(".cell.lit")).to_have_count(0)
    expect(page.locator(".slot.lit").first).to_be_visible()
    page.get_by_role("button", name="Bet openly").click()
    expect(page.locator(".cell.lit")).to_have_count(8)


def test_cards_to_choose_from_leave_a_low_row_in_play_free(visit: Visit, house: House) -> None:
    page = at(visit, house, moment("goatman_keep", 4))
    for width, height in ((360, 640), (844, 390), (1280, 620), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        assert not overlap(page.locator(".tray"), page.locator(".line.now"))


def test_the_strength_line_goes_from_weak_to_strong(visit: Visit, house: House) -> None:
    """E-6.5, E-7.13"""
    page = at(visit, house, moment("use", 2))
    for width, height in ((1280, 720), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        places = page.eval_on_selector_all(
            ".strengths .place .one",
            """all => all.map(one => [parseFloat(one.textContent.replace('½', '.5')),
              Math.round(one.getBoundingClientRect().left), one.classList.contains('low')])""",
        )
        strengths, lefts, low = zip(*places, strict=True)
        assert list(strengths) == sorted(strengths)
        assert any(strength % 1 for strength in strengths), "Ursus is half a point stronger"
        assert list(lefts) == sorted(set(lefts))
        assert low == (True, *[False] * (len(low) - 1))
    # what is far apart in strength is far apart on the line
    page.set_viewport_size({"width": 1280, "height": 720})
    lefts = page.eval_on_selector_all(
        ".strengths .place .one", "all => all.map(one => one.getBoundingClientRect().left)"
    )
    gaps = {
        round(after - before, 1): right - left
        for before, after, left, right in zip(strengths, strengths[1:], lefts, lefts[1:], strict=False)
    }
    assert gaps[max(gaps)] == max(gaps.values())


def test_what_slides_under_a_resting_pointer_opens_no_tip(visit: Visit, house: House) -> None:
    page = at(visit, house, moment("play", 3))
    hand = page.locator(".hand .slot")
    hand.last.hover()
    title = page.locator("#inspector strong")
    expect(title).to_have_count(1)
    before = title.inner_text()
    # one card less: the others slide, and one of them comes to lie under the pointer
    page.locator(".slot.lit:not([data-option^=chameleon])").first.evaluate("card => card.click()")
    page.wait_for_timeout(900)
    assert page.locator("#tip.on").count() == 0
    assert title.inner_text() == before


def test_pointing_at_a_card_shows_its_cell_the_order_and_who_would_go(visit: Visit, house: House) -> None:
    """E-6.5"""
    page = at(visit, house, moment("play", 3))
    card = page.locator(".slot.lit:not([data-option^=chameleon], [data-option=ancestor])").last
    name = card.get_attribute("data-option") or ""
    kind, _, strength = name.partition("-")
    card.hover()
    aimed = page.locator(".cell.aimed")
    expect(aimed).to_have_count(1)
    expect(aimed).to_have_attribute("data-drop", kind)
    expect(page.locator(".strengths .moved b")).to_contain_text(strength)
    expect(page.locator(".chooser .then")).to_contain_text("nobody goes yet")
    page.mouse.move(4, 4)
    expect(aimed).to_have_count(0)
    page.locator(".slot.lit[data-option^=chameleon]").first.focus()
    assert aimed.count() == page.locator(".head:not(.out)").count()


def test_on_a_phone_the_first_touch_shows_and_the_second_plays(visit: Visit, house: House) -> None:
    page = at(visit, house, moment("play", 3), phone=True)
    card = page.locator(".slot.lit").first
    name = card.get_attribute("data-option") or ""
    card.tap(position={"x": 8, "y": 20})
    expect(page.locator(".cell.aimed")).to_have_count(1)
    expect(page.locator(".chooser .then")).to_be_visible()
    card.tap(position={"x": 8, "y": 20})
    expect(option(page, name)).to_have_count(0)


def test_what_the_others_did_has_rings_and_signs_that_open_it(visit: Visit, house: House) -> None:
    page = at(visit, house, moment("play", 3))
    assert page.locator(".cell .ring").count() == 3
    assert page.locator(".cell .ring .by svg").count() == 3
    deed = page.locator(".deed").nth(1)
    expect(deed).to_contain_text("Ben uses the power of Twinz")
    deed.click()
    expect(page.get_by_role("tooltip")).to_contain_text("Ben uses the power of Twinz")
    expect(page.locator(".log .opened")).to_contain_text("Ben uses the power of Twinz")
    expect(page.locator(".log .opened")).to_be_in_viewport()
    # once the viewer has moved, the rings are gone; the strip stays for the rest of the turn
    choose(
        page, page.locator(".slot.lit:not([data-option^=chameleon])").first.get_attribute("data-option") or ""
    )
    expect(page.locator(".cell .ring")).to_have_count(0)


def test_the_inspector_shows_any_card_large_and_covers_neither_hand_nor_question(
    visit: Visit, house: House
) -> None:
    page = at(visit, house, moment("play", 3))
    inspector = page.locator("#inspector")
    for width, height in ((1280, 720), (1366, 650), (1024, 768), (2560, 1440)):
        page.set_viewport_size({"width": width, "height": height})
        page.mouse.move(4, 4)
        page.locator(".slot.lit").first.hover()
        page.wait_for_function(
            "() => document.querySelector('#inspector > .card')?.getBoundingClientRect().width >= 100"
        )
        assert not overlap(inspector, page.locator(".hand"))
        assert not overlap(inspector, page.locator(".ask"))
    page.set_viewport_size({"width": 1280, "height": 720})
    page.locator(".cell", has=page.locator(".pile")).first.hover()
    top = (
        page.locator(".cell", has=page.locator(".pile")).first.locator(".visually-hidden").first.inner_text()
    )
    expect(inspector.locator("strong")).to_contain_text(top.split(",")[0])
    page.locator(".log .carded").first.hover()
    expect(inspector.locator("> .card")).to_be_visible()


def test_a_rule_in_a_tip_opens_that_rule(visit: Visit, house: House) -> None:
    page = at(visit, house, moment("play", 3))
    page.locator('[data-at="0-2"]').hover()
    rule = page.get_by_role("tooltip").get_by_role("link")
    expect(rule).to_contain_text("E-4.2")
    rule.hover()  # the tip waits for the pointer
    rule.click()
    sought = page.get_by_role("dialog").locator(".sought")
    expect(sought).to_be_in_viewport()
    expect(sought).to_be_focused()
    expect(sought).to_contain_text("Each creature is controlled")
    page.keyboard.press("Escape")
    page.locator('[data-at="0-2"]').hover()
    page.get_by_role("tooltip").get_by_text("E-4.2").wait_for()
    page.keyboard.press("?")
    expect(sought).to_contain_text("Each creature is controlled")


@pytest.mark.parametrize(("game", "letter"), [("equinox", "E"), ("fairy_school", "F")])
def test_the_guide_has_a_place_for_every_rule_that_is_named(game: str, letter: str) -> None:
    client = ROOT / "web" / "src" / "games" / game
    places = dict(re.findall(rf'"({letter}-[\d.]+)": "([\w.]+)"', (client / "guide.ts").read_text()))
    reasons = ROOT / "src" / "fabletop" / "games" / game / "reasons.py"
    sources = [reasons, *(path for path in client.glob("*.*") if path.name != "guide.ts")]
    named = {rule for path in sources for rule in re.findall(rf'"({letter}-\d[\d.]*)"', path.read_text())}
    assert named
    assert named <= places.keys()
    words = ROOT / "src" / "fabletop" / "lang" / "en"
    guide = tomllib.loads((words / f"guide_{game}.toml").read_text())
    kinds = tomllib.loads((words / f"{game}.toml").read_text()).get("power", {})
    told = {f"{section}.{part}" for section, texts in guide.items() for part in texts} | kinds.keys()
    assert set(places.values()) <= told


def test_pebbles_are_counted_lowest_first_and_the_winner_last(visit: Visit, house: House) -> None:
    """E-8.1"""
    whole = a_game("midsummer 3", 4)
    *most, (_, last) = whole.actions
    record = Record(whole.game, whole.rules, whole.options, whole.seed, tuple(most), whole.names)
    page = at(visit, house, record, prefs='{"speed": "fast", "autopass": false}', still=False)
    page.evaluate(
        """() => { window.totals = []; new MutationObserver(() => {
          const now = [...document.querySelectorAll('.total')].map(one => `${one.dataset.spot}=${one.textContent}`);
          window.totals.push(...now.filter(one => !one.endsWith('=0') && !window.totals.includes(one)));
        }).observe(document.querySelector('.players'), {childList: true, characterData: true, subtree: true});
        window.legends = 0; new MutationObserver(() => {
          window.legends = Math.max(window.legends, document.querySelectorAll('.legends .light svg').length);
        }).observe(document.body, {childList: true, subtree: true}) }"""
    )
    option(page, last).click()
    page.locator("dialog").wait_for()
    assert page.evaluate("window.legends") == page.locator(".heads .head:not(.out)").count() > 0
    seen = page.evaluate("window.totals")
    order = list(dict.fromkeys(one.partition("=")[0] for one in seen))
    final = {
        spot: max(float(one.partition("=")[2].replace("½", ".5")) for one in seen if one.startswith(spot))
        for spot in order
    }
    assert len(order) == 4
    assert [final[spot] for spot in order] == sorted(final.values())
    assert len(seen) > len(order)  # pebble by pebble


def test_in_a_replay_the_inspector_tells_nothing_that_comes_later(visit: Visit, house: House) -> None:
    page = visit(private(go_on_from(house.address, a_game("midsummer 1", 4))))
    page.get_by_role("dialog").get_by_role("button", name="Replay").click()
    page.locator(".reel .figures", has_text="0/").wait_for()
    expect(page.locator("#inspector strong")).to_have_count(0)
    places, told = page.locator(".reel input"), page.locator("#inspector .words p").first
    for place in range(2, 40, 6):
        places.fill(str(place))
        page.locator(".reel .figures", has_text=re.compile(rf"^{place}/")).wait_for()
        if told.count():
            expect(page.locator(".log")).to_contain_text(told.inner_text())


@pytest.mark.parametrize("size", [(1280, 720), (844, 390), (390, 844)])
def test_the_graph_of_chances_is_in_sight_and_its_figures_can_be_read(
    visit: Visit, house: House, size: tuple[int, int]
) -> None:
    page = visit(private(go_on_from(house.address, a_game("midsummer 1", 4))), locale="de-DE")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.get_by_role("dialog").get_by_role("button", name="Verlauf der Chancen").click()
    page.locator(".chances svg .line").first.wait_for(state="attached")
    graph = page.locator(".chances > svg")
    expect(graph).to_be_in_viewport(ratio=0.75)
    tall, lefts = graph.evaluate(
        """svg => [svg.querySelector('.scale').getBoundingClientRect().height,
          [...svg.querySelectorAll('.scale')].map(one => one.getBoundingClientRect().left)
            .every(left => left >= svg.closest('figure').getBoundingClientRect().left)]"""
    )
    assert tall >= 11
    assert lefts
