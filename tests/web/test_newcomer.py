"""What somebody does who has never been here, or who is out of luck: nothing of it may leave an empty page."""

import contextlib
import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from fabletop.core.records import Record
from tests.web.house import House
from tests.web.seat import (
    ASKED,
    choose,
    count_flights,
    go_on_from,
    lift,
    log,
    make,
    options,
    private,
    wait_until_asked,
)
from tests.web.test_powers import before, moments

Visit = Callable[..., Page]
WIDE = ["moss_man", "stag", "rubble", "twinz", "hoot", "goatman", "hopscotch", "pilgrim"]
"""Those with the longest names in German."""
GO = "path => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')) }"
"""To another page without loading it."""
LONG = "Wolfeschlegelsteinhausen"


def overflow(page: Page) -> tuple[int, int]:
    """How much wider and taller than the screen the page is."""
    wide, tall = page.evaluate(
        "[document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]"
    )
    return wide, tall


def test_both_games_are_equals_on_the_first_page(visit: Visit) -> None:
    page = visit(locale="de-DE")
    page.set_viewport_size({"width": 1280, "height": 720})
    page.locator(".settings").wait_for()
    expect(page.locator(".game .main")).to_have_count(2)  # the lessons, for somebody who has never been here
    first, second = (page.locator(".game .scene[aria-hidden]").nth(place).bounding_box() for place in (0, 1))
    assert first is not None
    assert second is not None
    assert (first["y"], first["height"]) == (second["y"], second["height"])
    page.set_viewport_size({"width": 360, "height": 640})
    assert overflow(page)[0] == 0
    for chosen in page.locator(".settings select").all():
        # as wide as its own words would be, were there no limit
        needed = chosen.evaluate("node => { const copy = node.cloneNode(true); copy.style.width = 'auto';"
            "node.parentElement.append(copy); const wide = copy.offsetWidth; copy.remove(); return wide }")  # fmt: skip
        assert chosen.evaluate("node => node.offsetWidth") >= needed
    expect(page.get_by_text("100 min mit Freunden")).to_be_visible()
    page.locator(".settings select").nth(1).select_option("short")
    expect(page.get_by_text("75 min mit Freunden")).to_be_visible()


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR", "de-DE"])
def test_the_ways_into_a_game_take_three_lines_on_a_phones_side(visit: Visit, locale: str) -> None:
    """Bots and rules, whom one plays against, lessons and friends; Fairy School has its settings besides."""
    page = visit(locale=locale)
    page.set_viewport_size({"width": 844, "height": 390})
    page.locator(".settings").wait_for()
    for stage in page.locator(".game").all():
        parts = [
            stage.locator(one) for one in (".play", ".rules", ".opponents", ".ways > a", ".way:not(.rules)")
        ]
        middles = [box["y"] + box["height"] / 2 for box in (one.bounding_box() for one in parts) if box]
        play, rules, opponents, lessons, friends = middles
        assert abs(play - rules) < 4
        assert play < opponents < lessons
        assert abs(lessons - friends) < 4
        for one in parts:
            assert one.evaluate("node => node.scrollWidth <= node.clientWidth + 1")
    assert overflow(page)[0] == 0


def test_on_a_phone_the_table_that_waits_comes_first(visit: Visit) -> None:
    page = visit(phone=True)
    page.get_by_role("button", name="Play against bots: Equinox").tap()
    page.locator(ASKED).wait_for()
    page.locator(".bar .home").tap()
    page.get_by_role("link", name="Your turn in Equinox").tap()
    page.locator(ASKED).wait_for()


@pytest.mark.parametrize(("width", "height"), [(360, 640), (360, 740), (390, 844)])
def test_five_with_long_names_fit_on_a_phone(visit: Visit, house: House, width: int, height: int) -> None:
    bots = [{"kind": "bot"}] * 4
    options = {"seats": 5, "first": 0, "creatures": WIDE}
    made = make(house.address, name=LONG, seats=[{}, *bots], options=options)
    page = visit(private(made), phone=True, locale="de-DE")
    page.set_viewport_size({"width": width, "height": height})
    page.locator(ASKED).wait_for()
    assert overflow(page) == (0, 0)
    for card in page.locator(".slot").all():
        box = card.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= height + 1, "a card of the hand is cut off"
    for head in page.locator(".called").all():
        assert head.evaluate("node => node.scrollWidth <= node.parentElement.clientWidth + 1")


def test_the_table_does_not_jump_on_a_phone_from_question_to_question(visit: Visit, house: House) -> None:
    made = make(house.address, name="Ana", seats=[{}, {"kind": "bot"}], options={"seats": 2, "first": 0})
    page = visit(private(made), phone=True)
    page.locator(ASKED).wait_for()
    before = page.locator(".cloth").bounding_box()
    choose(page, next(one for one in options(page) if one not in ("pass", "reveal") and "-" not in one))
    page.locator(".slot.lit").first.wait_for()
    assert page.locator(".cloth").bounding_box() == before


def test_a_tap_on_what_cannot_be_chosen_explains_it(visit: Visit, house: House) -> None:
    """E-3.1: on a phone there is nothing to hover with."""
    made = make(house.address, name="Ana", seats=[{}, {"kind": "bot"}], options={"seats": 2, "first": 0})
    page = visit(private(made), phone=True)
    page.locator(ASKED).wait_for()
    tooltip = page.get_by_role("tooltip")
    page.locator('[data-at="3-2"]').tap()
    expect(tooltip).to_contain_text("E-3.1")
    page.get_by_role("button", name="Undo").tap(force=True)
    expect(tooltip).to_contain_text("nothing to take back")
    page.get_by_role("button", name="Round 1").tap(force=True)
    expect(tooltip).to_contain_text("weaker than all others")
    before = log(page)
    page.locator(".cell.lit").first.tap()
    expect(tooltip).not_to_be_visible()
    page.locator(".log p", has_text="You bet on").first.wait_for(state="attached")
    assert len(log(page)) > len(before)


def test_two_who_give_no_name_sit_at_one_table(visit: Visit) -> None:
    host = visit(prefs='{"speed": "off"}')
    host.get_by_role("button", name="Play with friends…: Fairy School").click()
    host.get_by_label("Players").select_option("3")
    expect(host.get_by_role("button", name="Open the table")).to_be_in_viewport()
    host.get_by_role("button", name="Open the table").click()
    host.locator(".invite .code svg").wait_for()
    path = "/t/" + host.url.rpartition("/")[2]
    friend = visit(path, prefs='{"speed": "off", "name": "Guest"}')
    friend.get_by_role("button", name="Sit down").click()
    expect(friend.get_by_role("alert")).to_contain_text("already")
    friend.get_by_label("Your name").fill(" ")
    friend.get_by_role("button", name="Sit down").click()
    expect(host.locator(".waiting li").nth(1)).to_contain_text("Guest 2")
    expect(friend.get_by_role("alert")).to_have_count(0)


def test_a_wrong_token_says_so_and_the_table_can_still_be_watched(visit: Visit, house: House) -> None:
    made = make(house.address, name="Ana", seats=[{}, {"kind": "bot"}], options={"seats": 2, "first": 0})
    page = visit(f"/t/{made['table']}#token={'x' * 32}")
    expect(page.locator(".watch, .panel").first).to_be_visible()
    assert page.locator("[data-option]").count() == 0


def test_the_server_is_gone_when_the_page_asks(visit: Visit, own_house: House) -> None:
    made = make(own_house.address, name="Ana", seats=[{}, {"kind": "bot"}], options={"seats": 2, "first": 0})
    page = visit("/", at=own_house.address)
    page.get_by_role("button", name="Play against bots: Equinox").wait_for()
    own_house.stop()
    page.get_by_role("button", name="Play against bots: Equinox").click()
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    page.evaluate(GO, private(made))
    expect(page.get_by_role("heading", name="This table cannot be opened")).to_be_visible()
    own_house.start()
    with contextlib.suppress(
        PlaywrightTimeout
    ):  # the page may have reloaded by itself: the server answers again
        page.get_by_role("button", name="Try again").click(timeout=5000)
    page.locator(ASKED).wait_for()


@pytest.mark.parametrize("part", ["js", "css"])
def test_when_a_part_of_the_client_did_not_come_the_page_begins_anew(
    visit: Visit, own_house: House, part: str
) -> None:
    made = make(own_house.address, name="Ana", seats=[{}, {"kind": "bot"}], options={"seats": 2, "first": 0})
    page = visit("/", at=own_house.address, worker=False)
    page.get_by_role("button", name="Play against bots: Equinox").wait_for()
    failing, failed = [True], []

    def fail(route: Route) -> None:
        if failing:
            failed.append(route.request.url)
            route.abort()
        else:
            route.continue_()

    page.route(f"**/assets/equinox-*.{part}", fail)
    page.on("request", lambda asked: failing.clear() if asked.is_navigation_request() else None)
    page.evaluate(GO, private(made))
    page.locator(ASKED).wait_for()
    assert failed
    assert page.locator(".cloth").evaluate("node => getComputedStyle(node).display") == "flex"


def test_a_lost_line_is_told_and_forgotten_when_it_is_back(visit: Visit, own_house: House) -> None:
    made = make(own_house.address, name="Ana", seats=[{}, {"kind": "bot"}], options={"seats": 2, "first": 0})
    page = visit(private(made), at=own_house.address)
    page.locator(ASKED).wait_for()
    notice = page.get_by_text("Connection lost")
    assert notice.count() == 0
    own_house.stop(kill=True)
    expect(notice).to_be_visible()
    own_house.start()
    expect(notice).to_have_count(0)
    expect(page.locator(ASKED)).to_be_visible()


def test_back_and_forward_and_the_game_goes_on(visit: Visit) -> None:
    page = visit()
    page.get_by_role("button", name="Play against bots: Equinox").click()
    page.locator(ASKED).wait_for()
    page.get_by_role("link", name="Rules").click()
    page.get_by_role("dialog").wait_for()
    page.go_back()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(ASKED)).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="Continue").first.wait_for()
    page.go_forward()
    page.locator(ASKED).wait_for()
    page.go_back()
    page.get_by_role("link", name="Continue").first.click()
    page.locator(ASKED).wait_for()


def test_the_language_changes_in_the_middle_of_a_power(visit: Visit, house: House) -> None:
    """E-7.11 in two languages: the question stays the same one."""
    record, start, end = moments()["hopscotch"]
    page = visit(
        private(go_on_from(house.address, before(record, start))), prefs='{"speed": "off", "autopass": false}'
    )
    wait_until_asked(page)
    lift(page)
    actions = [action for _, action in record.actions[start:end]]
    for action in actions[:-1]:
        choose(page, action)
    asked = page.locator(".chooser").get_attribute("data-choice")
    page.get_by_role("link", name="Settings").click()
    page.get_by_label("Language").select_option("de")
    page.keyboard.press("Escape")
    expect(page.locator(ASKED)).to_contain_text("Raneri")
    assert page.locator(".chooser").get_attribute("data-choice") == asked
    choose(page, actions[-1])
    wait_until_asked(page)
    lift(page)
    page.locator(".log p", has_text="tausch").first.wait_for()


def test_reduced_motion_moves_nothing(visit: Visit, house: House) -> None:
    made = make(house.address, name="Ana", seats=[{}, {"kind": "bot"}], options={"seats": 2, "first": 0})
    page = visit(private(made), prefs='{"speed": "normal"}', still=True)
    page.locator(ASKED).wait_for()
    count_flights(page)
    choose(page, next(one for one in options(page) if one not in ("pass", "reveal") and "-" not in one))
    page.locator(".slot.lit").first.click()
    page.locator(".log p", has_text="You play").first.wait_for()
    assert page.evaluate("window.flew") == 0


def test_looking_through_a_game_shows_the_log_of_that_moment(visit: Visit, house: House) -> None:
    record, _, _ = moments()["hopscotch"]
    whole = Record(record.game, record.rules, record.options, record.seed, record.actions, ("Ana", "Ben"))
    page = visit(private(go_on_from(house.address, whole)))
    page.get_by_role("dialog").wait_for()
    lines = len(log(page))
    page.keyboard.press("Escape")
    expect(page.locator("[data-result]")).to_be_focused()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Replay").click()
    reel = page.get_by_role("group", name="Replay")
    expect(reel).to_contain_text("0/")
    assert 0 < len(log(page)) < 10
    at = reel.get_by_role("slider")
    reel.get_by_role("button", name="One turn on").click()
    page.wait_for_function("() => document.querySelector('.reel input').value > 0")
    first = int(at.input_value())
    assert page.locator(".log h3, .log h4, .log p").count() > 1
    reel.get_by_role("button", name="One turn on").click()
    page.wait_for_function("first => document.querySelector('.reel input').value > first", arg=first)
    second = int(at.input_value())
    assert second - first > 1, "a turn is more than one action"
    reel.get_by_role("button", name="One turn back").click()
    expect(at).to_have_value(str(first))
    reel.get_by_role("button", name="Play the game").click()
    expect(at).to_have_value(str(first + 2))
    reel.get_by_role("button", name="Pause").click()
    reel.get_by_label("View as").select_option("a spectator")
    expect(page.locator("[data-spot^='hand-']")).to_have_count(0)
    reel.get_by_role("button", name="Close").click()
    expect(page.locator(".reel")).to_have_count(0)
    expect(page.locator(".log p")).to_have_count(lines)
    # a phone that is turned shows the end of the log again
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(".tools").get_by_role("button", name="Log").click()
    page.locator("aside .log").wait_for()
    page.set_viewport_size({"width": 844, "height": 390})
    page.wait_for_timeout(300)
    assert page.locator("aside .log").evaluate(
        "log => log.scrollTop + log.clientHeight > log.scrollHeight - 2"
    )
    kept = json.loads(page.evaluate("localStorage.getItem('fabletop.tables')"))
    assert len(kept) == 1


def test_a_replay_goes_on_in_another_language(visit: Visit, house: House) -> None:
    record, _, _ = moments()["hopscotch"]
    whole = Record(record.game, record.rules, record.options, record.seed, record.actions, ("Ana", "Ben"))
    page = visit(private(go_on_from(house.address, whole)))
    page.get_by_role("button", name="Replay").click()
    at = page.locator(".reel input")
    at.fill("12")
    expect(page.locator(".reel .figures")).to_contain_text("12/")
    lines = len(log(page))
    page.locator('.bar nav a[href$="#settings"]').click()
    page.locator("dialog select").first.select_option("de")
    page.keyboard.press("Escape")
    expect(page.locator(".log p").last).to_contain_text(re.compile("spiel|zieh|wette|wirf"))
    expect(at).to_have_value("12")
    assert len(log(page)) == lines
    page.locator(".reel").get_by_role("button", name="Schließen").click()
    expect(page.locator(".log p").last).to_contain_text("Partie")


def test_the_result_shows_how_the_chances_went_and_can_be_kept(visit: Visit, house: House) -> None:
    record, _, _ = moments()["hopscotch"]
    whole = Record(record.game, record.rules, record.options, record.seed, record.actions, ("Ana", "Ben"))
    page = visit(private(go_on_from(house.address, whole)))
    page.get_by_role("button", name="How the chances went").click()
    table = page.get_by_role("table", name="How the chances went")
    expect(table.get_by_role("row")).not_to_have_count(0)
    rows = [row.split("\t") for row in table.get_by_role("row").all_inner_texts()]
    assert rows[0][1:] == ["Ana", "Ben"]
    assert rows[1][0] == "Round 1"
    shares = [int(cell.removesuffix("%")) for cell in rows[1][1:]]
    assert 99 <= sum(shares) <= 101
    with page.expect_download() as kept:
        page.get_by_role("button", name="Save as a picture").click()
    assert kept.value.path().read_bytes().startswith(b"\x89PNG")
    page.get_by_role("button", name="Show").first.click()
    expect(page.locator(".reel .figures")).to_contain_text("/")
