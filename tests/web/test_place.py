"""Another language, night instead of day, words instead of pictures: whatever one is doing, one keeps one's place."""

import json
import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.web.house import House
from tests.web.school_states import in_the_year
from tests.web.screenshots import a_game, moment
from tests.web.seat import ASKED, go_on_from, private
from tests.web.test_lessons import act, go_on, says
from tests.web.test_table import at

Visit = Callable[..., Page]
PREFS = '{"speed": "off", "name": "Ana", "autopass": false}'


def set_to(page: Page, name: str, value: str) -> None:
    """Choose something in the settings, which stay open until they are closed."""
    page.locator('.bar nav a[href$="#settings"]').click()
    box = page.locator("dialog select").nth(["language", "theme"].index(name))
    box.select_option(value)
    if name == "language":
        expect(page.locator("html")).to_have_attribute("lang", value)
    else:
        expect(page.locator("html")).to_have_attribute("data-theme", value)
    expect(box).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


def in_words_and_back(page: Page) -> None:
    """Text mode, and the pictures again."""
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("t")
    page.locator(".board").wait_for(state="detached")
    page.keyboard.press("t")


def test_in_a_replay(visit: Visit, house: House) -> None:
    page = visit(private(go_on_from(house.address, a_game("midsummer 1", 4))))
    page.get_by_role("dialog").get_by_role("button", name="Replay").click()
    place, seen = page.locator(".reel input"), page.locator(".reel select")
    place.fill("31")
    expect(page.locator(".reel .figures")).to_contain_text("31/")
    seen.select_option("2")
    expect(page.locator(".log h4").last).to_have_text("Dov’s turn")
    cards = page.locator(".hand .slot")
    held = cards.count()
    assert held
    for change in (
        lambda: set_to(page, "theme", "light"),
        lambda: set_to(page, "language", "fr"),
        lambda: in_words_and_back(page),
        lambda: set_to(page, "language", "de"),
    ):
        change()
        expect(place).to_have_value("31")
        expect(seen).to_have_value("2")
        expect(page.locator(".reel .figures")).to_contain_text("31/")
        expect(cards).to_have_count(held)
    expect(page.locator(".log p").last).to_contain_text(re.compile("spiel|zieh|wette|wirf|nutzt|bekommt"))
    page.locator(".reel").get_by_role("button", name="Einen Schritt weiter").click()
    expect(place).to_have_value("32")


def test_in_a_lesson(visit: Visit) -> None:
    page = visit("/learn/equinox/goodbye")
    go_on(page)
    act(page, "hopscotch-8")
    says(page, "share the lowest card")
    set_to(page, "theme", "light")
    says(page, "share the lowest card")
    set_to(page, "language", "fr")
    says(page, "les plus faibles à égalité")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("t")
    says(page, "les plus faibles à égalité")
    page.keyboard.press("t")
    act(page, "fungy-7")
    says(page, "Adieu, Gruyère")


def test_with_a_card_that_waits_for_a_second_choice(visit: Visit, house: House) -> None:
    prefs = json.dumps({"speed": "off", "autopass": False, "confirm": "all"})
    page = at(visit, house, moment("play", 2), prefs=prefs)
    card = page.locator(".slot.lit:not([data-option^=chameleon])").first
    name = card.get_attribute("data-option") or ""
    card.click()
    yes = page.locator(".chooser .answers .main")
    expect(yes).to_contain_text("Yes:")
    set_to(page, "language", "de")
    expect(page.locator(ASKED)).to_contain_text("Spiele eine Karte.")
    set_to(page, "theme", "light")
    in_words_and_back(page)
    expect(yes).to_contain_text("Ja:")
    expect(page.locator(f'.slot.picked[data-option="{name}"]')).to_have_count(1)
    yes.click()
    expect(page.locator(".log p", has_text="Du spielst").last).to_be_visible()


def test_while_a_secret_bet_is_being_made(visit: Visit, house: House) -> None:
    page = at(visit, house, moment("predict", seats=5), prefs=PREFS)
    page.locator(".answers button[aria-pressed]").click()
    lit = page.locator(".slot.lit").count()
    assert lit
    set_to(page, "language", "fr")
    expect(page.locator(ASKED)).to_contain_text("Avec quelle carte")
    expect(page.locator(".slot.lit")).to_have_count(lit)


def test_with_cards_laid_in_the_forest(visit: Visit, house: House) -> None:
    page = visit(private(go_on_from(house.address, in_the_year("plan"))), prefs=PREFS)
    page.locator(".curtain button").click()
    drawn = page.locator(".near.drawn .piece")
    drawn.first.wait_for()
    loose = drawn.count()
    for _ in range(2):
        drawn.first.click()
        page.locator(".forest .space.can").first.click()
    drawn.first.click()
    held = page.locator(".near.drawn .piece.picked")
    laid = page.locator(".forest .piece")
    there = laid.count()
    for change in (
        lambda: set_to(page, "language", "de"),
        lambda: set_to(page, "theme", "light"),
        lambda: in_words_and_back(page),
    ):
        change()
        expect(laid).to_have_count(there)
        expect(drawn).to_have_count(loose - 2)
        expect(held).to_have_count(1)


def test_with_columns_marked(visit: Visit, house: House) -> None:
    page = visit(private(go_on_from(house.address, in_the_year("select"))), prefs=PREFS)
    page.locator(".curtain button").click()
    page.locator('.column[data-option^="column-"][aria-pressed="false"]').last.click()
    marked = page.locator('.column[aria-pressed="true"]')
    expect(marked).to_have_count(1)
    set_to(page, "language", "fr")
    in_words_and_back(page)
    expect(marked).to_have_count(1)


def test_the_coach_keeps_what_it_proposes(visit: Visit) -> None:
    page = visit("/learn/equinox", worker=False)
    page.get_by_role("button", name="Play a first game with a coach").first.click()
    page.locator(".sheet-note").get_by_role("button", name="Got it").click()
    tips = page.locator(".advice")
    expect(tips).to_contain_text("A strong player would choose")
    set_to(page, "language", "de")
    expect(tips).to_contain_text("Ein starker Spieler würde wählen")
