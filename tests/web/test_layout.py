"""The table of Equinox at every size: nothing overlaps, nothing is cut, nothing scrolls, names can be read."""

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.web.fit import MISFITS, SIZES, SMALLEST, TIGHT, UNDRAWN, misfits, sizes
from tests.web.house import House
from tests.web.screenshots import a_game, moment
from tests.web.seat import ASKED, choose_any, go_on_from, lift, make, private
from tests.web.test_pages import AT_REST

ROOMS = [".bar", ".players", ".cloth", ".strip", ".before", ".ask", ".hand", "aside"]
TEXTS = [".called", ".more"]
PATIENT = '{"speed": "off", "autopass": false}'
LANGS = ("en", "fr", "de")


NAMES_UNDER_TOTALS = """() => [...document.querySelectorAll('.plaque')].filter(one => {
  const points = one.querySelector('.total').getBoundingClientRect();
  const words = document.createRange();
  words.selectNodeContents(one.querySelector('.name'));
  const name = words.getBoundingClientRect();
  return name.right > points.left + 2 && name.bottom > points.top + 4 && name.top < points.bottom - 4;
}).map(one => one.querySelector('.name').textContent)"""


def speak(page: Page, lang: str) -> None:
    """Change the language at the table."""
    page.locator('.bar nav a[href$="#settings"]').click()
    page.locator("dialog select").first.select_option(lang)
    page.keyboard.press("Escape")
    page.wait_for_function(
        """lang => document.documentElement.lang === lang && !document.querySelector('dialog')
          && document.querySelector('.grid') && !document.querySelector('.chooser')?.dataset.busy""",
        arg=lang,
    )


def in_every_language(page: Page) -> list[str]:
    """What is wrong at every size in one language, and where words have least room in the others."""
    wrong = []
    for lang, some in zip(LANGS, (TIGHT, TIGHT, SIZES), strict=True):
        speak(page, lang)
        page.locator(".chooser:not([hidden]) p, .reel").first.wait_for()
        wrong += [f"{lang}, {what}" for what in misfits(page, ROOMS, TEXTS, some)]
    return wrong


@pytest.mark.parametrize("seats", [2, 5])
@pytest.mark.parametrize("kind", ["predict", "use", "discard"])
def test_every_size_in_every_language(
    visit: Callable[..., Page], house: House, kind: str, seats: int
) -> None:
    page = visit(private(go_on_from(house.address, moment(kind, 3, seats))), prefs=PATIENT)
    lift(page)
    page.evaluate(UNDRAWN)
    wrong = in_every_language(page)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(("seats", "lang"), [(2, "en"), (5, "fr"), (5, "de")])
def test_the_bar_of_a_replay_hides_nothing(
    visit: Callable[..., Page], house: House, seats: int, lang: str
) -> None:
    page = visit(private(go_on_from(house.address, a_game("midsummer 1", seats))), locale=lang)
    page.locator("dialog .after button").nth(1).click()
    page.locator(".reel input").fill("40")
    page.wait_for_function("() => document.querySelector('.reel .figures').textContent.startsWith('40/')")
    page.evaluate(UNDRAWN)
    wrong = misfits(page, ROOMS, TEXTS)
    page.locator(".reel select").select_option("")
    page.locator(".watch").wait_for()
    wrong += misfits(page, ROOMS, TEXTS)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("seats", [4, 5])
def test_the_table_fits_when_the_game_is_over(visit: Callable[..., Page], house: House, seats: int) -> None:
    """The bar has one button more, and every bet is on its player's plate."""
    page = visit(private(go_on_from(house.address, a_game("midsummer 1", seats))), locale="de-DE")
    page.locator("dialog .after button").first.wait_for()
    page.keyboard.press("Escape")
    page.locator(".plaque .total").first.wait_for()
    page.evaluate(UNDRAWN)
    assert page.locator(".plaque:has(.bet:nth-child(5))").count(), "somebody made five bets"
    wrong = misfits(page, ROOMS, [*TEXTS, ".bets"])
    for size in sizes(page):
        bar = page.locator(".bar").evaluate("bar => bar.getBoundingClientRect().height / bar.currentCSSZoom")
        cut = page.eval_on_selector_all(
            ".bets", "all => all.filter(one => one.scrollHeight > one.clientHeight + 1).length"
        )
        hidden = page.evaluate(NAMES_UNDER_TOTALS)
        wrong += [f"{size}: the name {name} is under its points" for name in hidden]
        if bar > 64 or cut:
            wrong.append(f"{size}: the bar is {bar} of its own px tall, the bets of {cut} players are cut")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(("seats", "locale"), [(2, "de-DE"), (5, "fr-FR"), (4, "en-GB")])
def test_nothing_overlaps_and_nothing_is_cut(
    visit: Callable[..., Page], house: House, seats: int, locale: str
) -> None:
    made = make(house.address, name="Ana", seats=[{}, *[{"kind": "bot"}] * (seats - 1)], seed="layout")
    page = visit(private(made), locale=locale)
    page.locator(ASKED).wait_for()
    page.evaluate(UNDRAWN)
    chance = random.Random(seats)
    wrong: list[str] = []
    for moves in (0, 1, 12):
        for _ in range(moves):
            page.locator(f"{ASKED}, dialog").first.wait_for()
            if page.locator("dialog").count():
                break
            choose_any(page, chance.random())
        page.locator(f"{ASKED}, dialog").first.wait_for()
        wrong += [f"after {moves} moves, {what}" for what in misfits(page, ROOMS, TEXTS)]
    assert not wrong, "\n".join(wrong)


def test_a_small_phone_on_its_side(visit: Callable[..., Page], house: House) -> None:
    """As is a laptop's window at twice its size."""
    page = visit(private(go_on_from(house.address, moment("play", 3))), locale="de-DE")
    lift(page)
    page.evaluate(UNDRAWN)
    for size in sizes(page, [(640, 360), (667, 375), (720, 450), (960, 540)]):
        assert page.evaluate(MISFITS, [ROOMS, TEXTS, SMALLEST]) == [], size


@pytest.mark.parametrize("locale", ["de-DE", "fr-FR"])
def test_a_hint_has_room_for_its_words(visit: Callable[..., Page], house: House, locale: str) -> None:
    made = make(
        house.address,
        name="Ana",
        seats=[{}, {"kind": "bot"}],
        options={"seats": 2, "first": 0},
        seed="midsummer",
    )
    page = visit(private(made), locale=locale)
    page.locator(ASKED).wait_for()
    page.keyboard.press("h")
    page.locator(".chooser .advice", has_text="%").wait_for()
    page.set_viewport_size({"width": 1280, "height": 720})
    assert page.locator(".chooser .prompt").is_visible(), "on a laptop the question stays beside the hint"
    page.evaluate(UNDRAWN)
    wrong = misfits(page, ROOMS, TEXTS)
    assert not wrong, "\n".join(wrong)
    page.set_viewport_size({"width": 2560, "height": 1440})
    page.locator(".tools button").last.click()
    page.get_by_role("dialog").wait_for()
    page.evaluate(AT_REST)
    box = page.get_by_role("dialog").bounding_box()
    assert box
    assert box["y"] >= 0, "the head of a dialog that is opened from the bar is on the page"
    assert box["y"] + box["height"] <= 1440


def test_the_cell_that_is_chosen_first_is_as_wide_as_the_others(
    visit: Callable[..., Page], house: House
) -> None:
    page = visit(private(go_on_from(house.address, moment("hopscotch_with"))))
    lift(page)
    page.evaluate(UNDRAWN)
    for size in sizes(page, [(390, 844), (844, 390), (1280, 720)]):
        widths = page.eval_on_selector_all(
            ".line:has(.first) .cell", "all => all.map(one => Math.round(one.getBoundingClientRect().width))"
        )
        assert len(widths) == 8
        assert max(widths) - min(widths) <= 1, size


@pytest.mark.parametrize(
    ("kind", "seats", "locale"),
    [("moss_man", 4, "de-DE"), ("stag", 4, "fr-FR"), ("rubble", 5, "de-DE"), ("use", 2, "fr-FR")],
)
def test_a_power_has_room_for_its_words(
    visit: Callable[..., Page], house: House, kind: str, seats: int, locale: str
) -> None:
    page = visit(private(go_on_from(house.address, moment(kind, 2, seats))), locale=locale)
    lift(page)
    page.locator(".chooser .words").wait_for()
    page.evaluate(UNDRAWN)
    wrong = misfits(page, ROOMS, TEXTS)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(("wide", "tall", "locale"), [(360, 640, "de-DE"), (1440, 900, "fr-FR")])
def test_the_board_does_not_move_from_question_to_question(
    visit: Callable[..., Page], house: House, wide: int, tall: int, locale: str
) -> None:
    """Neither a question that wraps nor a secret bet beside the name takes room from it."""
    made = make(
        house.address,
        name="Ana",
        seats=[{}, *[{"kind": "bot"}] * 3],
        options={"seats": 4, "first": 0},
        seed="midsummer",
    )
    page = visit(private(made), locale=locale, prefs=PATIENT)
    page.set_viewport_size({"width": wide, "height": tall})
    page.locator(ASKED).wait_for()
    chance = random.Random(3)
    places, secrets = set(), 0
    for _ in range(14):
        places.add(
            page.evaluate("() => JSON.stringify(document.querySelector('.cloth').getBoundingClientRect())")
        )
        secrets = max(secrets, page.locator(".plaque .secret").count())
        choose_any(page, chance.random())
        page.locator(ASKED).wait_for()
    assert secrets > 0
    assert len(places) == 1, "\n".join(places)
