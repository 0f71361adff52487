"""Lessons in a real browser: to their end in three languages, by keyboard, taken back, resumed; then a coached game."""

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from fabletop.server.api.courses import course_now
from tests.web.test_pages import found_by_axe

Visit = Callable[..., Page]
PLAN = ["5", "top-2", "8", "bottom-4", "done"]
WAYS: dict[str, dict[str, list[list[str]]]] = {
    "equinox": {
        "goodbye": [["hopscotch-8"], ["fungy-7"]],
        "bets": [["fungy"], ["hopscotch-8"], ["fungy"]],
        "secret": [["hopscotch-5"], ["reveal"]],
        "power": [["feather_fox"], ["feather_fox-8"], ["hoot"]],
        "chameleon": [["squeak-6"], ["dryad", "1-stag"], ["chameleon-8", "hopscotch"]],
    },
    "fairy_school": {
        "elements": [["1"], ["done"], ["85", "spend-water"]],
        "forest": [PLAN, ["column-3", "done"], ["done"], ["sphinx"]],
        "kindness": [["57"], ["done"]],
        "turn": [PLAN, ["column-3", "done"], ["7", "done"], ["siren"], ["85"], ["done", "first"]],
    },
}
"""What is clicked for each goal; `first` is the first thing that is offered."""
READING = 4
"""Words that somebody reads in a second."""
LOCALES = {"en": "en-GB", "fr": "fr-FR", "de": "de-DE"}
SECRETLY = re.compile("secretly|secrète|Geheim", re.IGNORECASE)


def note(page: Page) -> str:
    """What the lesson says."""
    return page.locator(".sheet-note .text").inner_text()


def go_on(page: Page) -> None:
    """Press the note's own button."""
    page.locator(".sheet-note .row .main").first.click()


def act(page: Page, action: str) -> None:
    """Choose something on the table, once it is offered."""
    option = page.locator("main [data-option]" if action == "first" else f'[data-option="{action}"]').first
    secretly = page.get_by_role("button", name=SECRETLY, pressed=False, disabled=False)
    option.or_(secretly).first.wait_for()
    if not option.count():
        secretly.click()
    option.click()


def says(page: Page, text: str) -> None:
    expect(page.locator(".sheet-note .text")).to_contain_text(text)


def take(page: Page, game: str, name: str, lang: str) -> None:
    """A whole lesson: what is read is read, what is done is done, and the note says what comes next."""
    steps = next(entry for entry in course_now(game, lang).lessons if entry.id == name).steps
    ways = iter(WAYS[game][name])
    for step in steps[:-1]:
        says(page, step.text)
        if not step.goal:
            go_on(page)
            continue
        for action in next(ways):
            act(page, action)
    says(page, steps[-1].text)


@pytest.mark.parametrize("lang", LOCALES)
@pytest.mark.parametrize("game", WAYS)
def test_all_lessons_lead_to_their_end_one_after_the_other(visit: Visit, game: str, lang: str) -> None:
    page = visit(f"/learn/{game}", locale=LOCALES[lang])
    page.locator(".learn .row .main").first.click()
    for name in WAYS[game]:
        expect(page).to_have_url(re.compile(f"/learn/{game}/{name}$"))
        page.locator(".sheet-note").wait_for()
        take(page, game, name, lang)
        if name != list(WAYS[game])[-1]:
            page.locator(".sheet-note .row a.main").click()
    page.locator(".sheet-note .row button.main").wait_for()
    page.goto(page.url.rsplit("/", 1)[0])
    expect(page.locator(".number.done")).to_have_count(len(WAYS[game]))


@pytest.mark.parametrize("lang", LOCALES)
def test_the_first_own_move_comes_within_twenty_seconds(visit: Visit, lang: str) -> None:
    """From the click on a lesson to the first card or bet: what is loaded, and what there is to read."""
    page = visit("/learn/equinox", locale=LOCALES[lang], prefs='{"name": "Ana"}', still=False)
    for name, ways in WAYS["equinox"].items():
        lesson = next(entry for entry in course_now("equinox", lang).lessons if entry.id == name)
        page.locator(f'li a[href$="/{name}"]').click()
        began, read = time.monotonic(), 0
        for step in lesson.steps:
            says(page, step.text)
            read += len(note(page).split())
            if step.goal:
                break
            go_on(page)
        read += len(page.locator(".chooser .prompt").inner_text().split())
        act(page, ways[0][0])
        taken = time.monotonic() - began + read / READING
        assert taken < 20, f"{name}: {taken:.1f} s, {read} words of it"
        page.goto(page.url.rsplit("/", 1)[0])


def test_a_miss_shows_its_result_and_is_taken_back(visit: Visit) -> None:
    page = visit("/learn/equinox/goodbye")
    go_on(page)
    act(page, "hopscotch-1")
    says(page, "Not quite.")
    expect(page.locator(".log")).to_contain_text("Hopscotch is eliminated")
    assert found_by_axe(page) == []
    page.get_by_role("button", name="Take it back").click()
    says(page, "Play one, and not the weakest")
    act(page, "hopscotch-5")
    says(page, "share the lowest card")


def test_a_move_of_two_parts_is_taken_back_as_a_whole(visit: Visit) -> None:
    page = visit("/learn/equinox/chameleon")
    act(page, "chameleon-8")
    act(page, "hopscotch")
    says(page, "Not quite.")
    page.get_by_role("button", name="Take it back").click()
    says(page, "You control Squeak")
    expect(page.locator('[data-option="squeak-6"]')).to_be_visible()
    act(page, "squeak-6")
    says(page, "Dryad")


def test_a_lesson_by_touch_at_the_smallest_size(visit: Visit) -> None:
    """The first tap on a card shows what it would bring, the button beside it does it, and the note leaves it free."""
    page = visit("/learn/fairy_school/elements", phone=True)
    page.set_viewport_size({"width": 360, "height": 640})
    page.locator(".sheet-note .main").tap()
    page.locator('[data-option="1"]').first.tap()
    page.get_by_role("button", name="Do it").tap()
    says(page, "Three earth")
    page.locator('[data-option="done"]').first.tap()
    page.locator('[data-option="85"]').first.tap()
    page.get_by_role("button", name="Do it").tap()
    # the panel with the payment stands where other things stood: the note makes room
    page.locator('[data-option="spend-water"]').last.tap()
    expect(page.locator(".sheet-note a.main")).to_be_visible()


def test_a_lesson_goes_on_after_a_reload_and_is_left_behind_with_the_page(visit: Visit) -> None:
    page = visit("/learn/equinox/goodbye")
    go_on(page)
    act(page, "hopscotch-8")
    says(page, "share the lowest card")
    page.reload()
    says(page, "share the lowest card")
    page.get_by_role("button", name="Leave this lesson").click()
    expect(
        page.get_by_role("link", name="Continue").or_(page.get_by_role("link", name="Start"))
    ).to_be_visible()
    assert page.evaluate("localStorage['fabletop.tables'] ?? '{}'") == "{}", "lessons are not among the games"


def test_a_lesson_by_keyboard_alone(visit: Visit) -> None:
    page = visit("/learn/equinox/goodbye")
    expect(page.locator(".sheet-note .main")).to_be_focused()
    page.keyboard.press("Enter")
    says(page, "has no card in this row")
    press_on(page, "hopscotch-8")
    says(page, "share the lowest card")
    press_on(page, "fungy-9")
    expect(page.locator(".sheet-note a.main")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/learn/equinox/bets$"))


def test_a_chapter_by_keyboard_alone(visit: Visit) -> None:
    page = visit("/learn/fairy_school/kindness")
    expect(page.locator(".sheet-note .main")).to_be_focused()
    page.keyboard.press("Enter")
    says(page, "Activate a card of a neighbour")
    press_on(page, "57")
    says(page, "finish the phase")
    press_on(page, "done")
    expect(page.locator(".sheet-note a.main")).to_be_focused()


def press_on(page: Page, action: str) -> None:
    """Reach an option by Tab and press Enter."""
    page.locator(f'[data-option="{action}"]').first.wait_for()
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement?.dataset?.option") == action:
            page.keyboard.press("Enter")
            return
    raise AssertionError(f"{action} is not reached by Tab")


@pytest.mark.parametrize("phone", [False, True])
@pytest.mark.parametrize("game", WAYS)
def test_axe_finds_nothing_in_lessons_and_their_list(visit: Visit, game: str, phone: bool) -> None:
    page = visit("/learn", phone=phone, scheme="light")
    page.locator("li a").first.wait_for()
    assert found_by_axe(page) == []
    page = visit(f"/learn/{game}/{next(iter(WAYS[game]))}", phone=phone)
    page.locator(".sheet-note.laid").wait_for()
    assert found_by_axe(page) == []
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide == 0


NEEDED = {
    "equinox/goodbye": "[data-option]",
    "fairy_school/forest": "[data-option], [data-choice] p, [data-spot^=element-]",
}
COVERED = """needed => {
  const note = document.querySelector('.sheet-note').getBoundingClientRect();
  return [...document.querySelectorAll(needed)].filter(one => {
    const box = one.getBoundingClientRect();
    return box.left < note.right && box.right > note.left && box.top < note.bottom && box.bottom > note.top;
  }).map(one => one.dataset.option ?? one.textContent);
}"""


@pytest.mark.parametrize("lesson", NEEDED)
def test_the_note_covers_nothing_that_is_needed(visit: Visit, lesson: str) -> None:
    """Cards that can be chosen, the question, the elements: also on a phone on its side, in the longest language."""
    page = visit(f"/learn/{lesson}", locale="fr-FR")
    page.locator(".sheet-note.laid").wait_for()
    if lesson.startswith("equinox"):
        go_on(page)
        says(page, "dans cette rangée")
    for size in (
        {"width": 1280, "height": 720},
        {"width": 390, "height": 844},
        {"width": 360, "height": 640},
    ):
        page.set_viewport_size(size)
        page.wait_for_timeout(600)
        assert page.evaluate(COVERED, NEEDED[lesson]) == [], size
    if lesson.startswith("fairy"):
        page.set_viewport_size({"width": 844, "height": 390})
        for action in PLAN:
            act(page, action)
        page.wait_for_timeout(600)
        assert page.evaluate(COVERED, NEEDED[lesson]) == []


def test_a_lesson_that_is_not_there_says_so(visit: Visit) -> None:
    page = visit("/learn/equinox/algebra")
    expect(page.get_by_role("alert")).to_be_visible()
    page.locator("main .main").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_a_newcomer_is_offered_the_lessons_first_and_a_coached_game_after_them(visit: Visit) -> None:
    page = visit("/")
    door = page.get_by_role("link", name="Learn it in 5 minutes: Equinox")
    expect(door).to_have_class(re.compile("main"))
    door.click()
    page.get_by_role("button", name="Play a first game with a coach").first.click()
    expect(page).to_have_url(re.compile("/t/"))
    shown = page.locator(".sheet-note")
    shown.get_by_role("button", name="Got it").click()
    page.locator(".chooser.asked").wait_for()
    coach = page.get_by_role("button", name="Coach", exact=True)
    for width, height in ((360, 640), (1024, 768), (2560, 1440), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        home, undo = (page.locator(one).first.bounding_box() for one in (".bar .home", ".bar .tools button"))
        mark = coach.bounding_box()
        assert home
        assert undo
        assert mark
        assert home["x"] + home["width"] <= mark["x"]
        assert mark["x"] + mark["width"] <= undo["x"] + 1
    coach.click()
    page.get_by_role("checkbox", name="Propose a move").uncheck()
    page.get_by_role("checkbox", name="Explain what is new").uncheck()
    expect(shown).to_have_count(0)
    assert found_by_axe(page) == []
    page.goto(page.url.split("/t/")[0])
    expect(page.get_by_role("link", name=re.compile("^Learn it in 5 minutes"))).not_to_have_class(
        re.compile("main")
    )
