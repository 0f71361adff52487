"""Whole games in a real browser: with bots, two browsers, at one device, by keyboard, in words, on a phone."""

import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.house import House
from tests.web.seat import (
    ASKED,
    ask,
    choose,
    choose_any,
    click_at_random,
    lift,
    log,
    make,
    options,
    private,
    until_done,
    until_the_result,
    wait_until_asked,
)

Visit = Callable[..., Page]
QUICK = '{"speed": "off", "name": "Ana", "autopass": false}'


def points(text: str) -> float:
    """Points as the page writes them: 4½, ½, 12."""
    return float(text.replace("½", ".5"))


def test_two_clicks_to_a_game_against_bots_and_on_to_the_scoring(visit: Visit) -> None:
    page = visit(prefs=QUICK)
    page.get_by_role("button", name="Play against bots: Equinox").click()
    page.locator(ASKED).wait_for()
    assert page.url.split("/")[-2] == "t"
    click_at_random(page, 1)
    until_the_result(page)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Final scoring")
    expect(dialog.locator("ol li")).to_have_count(4)
    expect(dialog.locator("li.won").first).to_contain_text(re.compile("wins|shares"))
    # E-8.1: what stands beside a name is the sum of what stands under it
    for line in dialog.locator("ol li").all():
        parts = [points(part) for part in line.locator(".part b").all_inner_texts()]
        total = points(line.locator(".total").inner_text().split()[0])
        assert sum(parts) == total
    dialog.get_by_role("button", name="Check the deal").click()
    expect(dialog).to_contain_text("The deal was honest")
    dialog.get_by_role("button", name="Replay").click()
    reel = page.get_by_role("group", name="Replay")
    reel.get_by_role("button", name="One action on").click()
    expect(reel).to_contain_text("1/")


def test_two_browsers_and_a_rematch(visit: Visit, house: House) -> None:
    ana = visit(prefs=QUICK)
    ana.get_by_role("button", name="Play with friends…: Equinox").click()
    dialog = ana.get_by_role("dialog")
    dialog.get_by_label("Players").select_option("2")
    dialog.get_by_role("button", name="Open the table").click()
    ana.locator("main.waiting").wait_for()
    link = ana.get_by_role("textbox", name="Link for friends").input_value()
    # Ben plays in German and in words: another language and another way at the same table
    own = QUICK.replace("Ana", "Ben").replace("{", '{"text": true, ')
    ben = visit(link.removeprefix(house.address), prefs=own, locale="de-DE")
    ben.get_by_role("button", name="Platz nehmen").click()
    ana.locator(".grid").wait_for()
    ben.locator(".words").wait_for()
    click_at_random(ana, 0)
    click_at_random(ben, 1, ".options button")
    for page in (ana, ben):
        until_the_result(page)
    expect(ana.get_by_role("dialog")).to_contain_text("Final scoring")
    expect(ben.get_by_role("dialog")).to_contain_text("Die Wertung")
    # the same story, each in its own words
    assert len(log(ana)) == pytest.approx(len(log(ben)), abs=3)
    ana.get_by_role("button", name="Play again").click()
    ben.get_by_role("button", name="Noch einmal").click()
    expect(ana).not_to_have_url(link)  # it was the old table's grid until then
    expect(ana.locator(".grid")).to_be_visible()
    expect(ben).to_have_url(ana.url)
    expect(ben.locator(".words")).to_be_visible()


def test_hot_seat_has_a_curtain_and_nothing_of_the_other_hand_is_there(visit: Visit, house: House) -> None:
    made = make(house.address, seats=[{"kind": "hot", "name": "Ana"}, {"kind": "hot", "name": "Ben"}])
    page = visit("/")
    received: list[str] = []
    page.on(
        "websocket",
        lambda line: line.on(
            "framereceived", lambda data: received.append(data if isinstance(data, str) else "")
        ),
    )
    page.goto(house.address + private(made))
    page.locator(".curtain").wait_for()
    assert "token" not in page.evaluate("location.href")
    hands: dict[str, set[str]] = {}
    chance = random.Random(3)
    for _ in range(40):
        wait_until_asked(page)
        if page.locator(".curtain").count():
            # while it is down, no card at all is on the page
            assert page.locator("[data-spot^=hand], .grid, .log p").count() == 0
            received.clear()
            name = lift(page)
            who = "Ana" if "Ana" in name else "Ben"
            own = set(
                page.eval_on_selector_all(
                    "[data-spot^='hand-']", "all => all.map(one => one.dataset.spot.slice(5))"
                )
            )
            view = received[0]
            for other, cards in hands.items():
                if other != who:
                    for card in cards - own:
                        # a card of the other hand may be told only where all saw it
                        assert f'"{card}"' not in view.split('"own":')[1].split('"known":')[0]
            hands[who] = own
        choose_any(page, chance.random())
    assert set(hands) == {"Ana", "Ben"}


def test_a_reload_at_the_curtain_asks_for_no_hand(visit: Visit, house: House) -> None:
    made = make(house.address, seats=[{"kind": "hot", "name": "Ana"}, {"kind": "hot", "name": "Ben"}])
    page = visit(private(made))
    page.locator(".curtain").wait_for()
    sockets: list[str] = []
    page.on("websocket", lambda line: sockets.append(line.url))
    page.reload()
    page.locator(".curtain").wait_for()
    assert sockets == []


def test_by_keyboard_alone(visit: Visit) -> None:
    page = visit(prefs='{"speed": "off", "name": "Ana", "bots": 1, "level": "thumbling"}')
    button = page.get_by_role("button", name="Play against bots: Equinox")
    button.focus()
    page.keyboard.press("Enter")
    page.locator(ASKED).wait_for()
    chance = random.Random(4)
    for _ in range(16):
        wait_until_asked(page)
        # after a card the focus is at the next question, neither nowhere nor at what can no longer be chosen
        page.wait_for_function(
            """() => document.activeElement !== document.body
              && !document.activeElement.matches(':is(.hand, [data-board]) :not([data-option])')"""
        )
        # Tab goes on to what may be chosen; Enter chooses it
        for _ in range(chance.randrange(1, 4)):
            for _ in range(60):
                page.keyboard.press("Tab")
                if page.evaluate("() => !!document.activeElement?.dataset.option"):
                    break
        answered = page.locator(".chooser").get_attribute("data-choice")
        page.keyboard.press("Enter")
        until_done(page, answered)
    assert sum(line.startswith("You play") for line in log(page)) >= 3


def test_arrow_keys_walk_over_the_grid_and_say_where_they_are(visit: Visit) -> None:
    page = visit()
    page.get_by_role("button", name="Play against bots: Equinox").click()
    page.locator(ASKED).wait_for()
    page.locator('[data-at="1-0"]').focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    here = page.locator(":focus")
    assert here.get_attribute("data-at") == "2-1"
    assert "the 3 row" in here.inner_text()
    expect(page.get_by_role("tooltip")).to_contain_text("the 3 row")


def test_a_whole_game_in_words(visit: Visit) -> None:
    page = visit(prefs='{"speed": "off", "text": true, "name": "Ana", "bots": 2, "autopass": false}')
    page.get_by_role("button", name="Play against bots: Equinox").click()
    page.locator(".words .options").wait_for()
    click_at_random(page, 5, ".options button")
    until_the_result(page)
    expect(page.get_by_role("dialog")).to_contain_text("Final scoring")


@pytest.mark.parametrize(
    ("locale", "play", "turn", "creature"),
    [
        ("en-GB", "Play against bots", "Your turn", "Hoot"),
        ("fr-FR", "Jouer contre des bots", "À vous", "Le Duc"),
        ("de-CH", "Gegen Bots spielen", "Du bist dran", "Noctia"),
    ],
)
def test_in_three_languages(
    visit: Visit, house: House, locale: str, play: str, turn: str, creature: str
) -> None:
    page = visit(locale=locale)
    expect(page.get_by_role("button", name=f"{play}: Equinox")).to_be_visible()
    creatures = ["hoot", "stag", "ursus", "twinz", "fungy", "carmen", "squeak", "rubble"]
    made = make(
        house.address,
        name="Ana",
        seats=[{}, {"kind": "bot"}],
        options={"seats": 2, "creatures": creatures, "first": 0},
    )
    page.goto(house.address + private(made))
    expect(page.locator(ASKED)).to_contain_text(turn)
    expect(page.locator(".heads")).to_contain_text(creature)
    assert page.locator("html").get_attribute("lang") == locale[:2]


def test_the_language_can_be_changed_at_the_table(visit: Visit) -> None:
    page = visit()
    page.get_by_role("button", name="Play against bots: Equinox").click()
    page.locator(ASKED).wait_for()
    page.get_by_role("link", name="Settings").click()
    page.get_by_label("Language").select_option("fr")
    page.keyboard.press("Escape")
    expect(page.locator(ASKED)).to_contain_text("À vous")
    expect(page.locator(".log")).to_contain_text("Le tournoi")


def test_on_a_phone_everything_fits_and_a_tap_plays(visit: Visit) -> None:
    page = visit(phone=True)
    page.get_by_role("button", name="Play against bots: Equinox").tap()
    page.locator(ASKED).wait_for()
    chance = random.Random(6)
    for _ in range(12):
        wait_until_asked(page)
        wide, screen = page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        assert wide <= screen
        answered = page.locator(".chooser").get_attribute("data-choice")
        chosen = page.locator("[data-option]:not([disabled])")
        # where it can be seen: the next card of a full hand lies over the middle
        here = {"x": 6.0, "y": 16.0}
        if not (count := chosen.count()):
            continue  # a lone pass has answered itself meanwhile
        one = chosen.nth(chance.randrange(count))
        one.tap(force=True, no_wait_after=True, position=here)
        # the first touch of a card shows what follows, the second plays it
        sure = page.locator(".answers .main", has_text="Yes:")
        page.wait_for_function(
            """answered => document.querySelector('.slot.picked')
              || document.querySelector('.chooser')?.dataset.choice !== answered
              || document.querySelector('.chooser')?.dataset.busy !== undefined""",
            arg=answered,
        )
        if sure.count():
            sure.tap()
        until_done(page, answered)
    assert len(log(page)) > 10


def test_a_dragged_card_follows_the_pointer_and_is_played_on_its_own_cell_only(
    visit: Visit, house: House
) -> None:
    made = make(
        house.address, name="Ana", seats=[{}, {"kind": "bot"}], options={"seats": 2, "first": 0}, seed="drag"
    )
    page = visit(private(made))
    page.locator(ASKED).wait_for()
    choose(page, "pass")
    named = page.locator(
        ".slot.lit:not([data-option^=chameleon], [data-option=dryad], [data-option=ancestor])"
    ).first
    name = named.get_attribute("data-option") or ""
    card = page.locator(f'[data-spot="hand-{name}"]').first
    own = page.locator(f'[data-row="1"][data-drop="{name.rpartition("-")[0]}"]')
    other = page.locator(f'[data-row="1"]:not([data-drop="{name.rpartition("-")[0]}"])').first

    def drag_to(cell: Locator) -> None:
        card.hover(position={"x": 30, "y": 30})  # waits until the card lies still
        end = cell.bounding_box()
        assert end is not None
        x, y = end["x"] + end["width"] / 2, end["y"] + end["height"] / 2
        page.mouse.down()
        page.mouse.move(x, y + 80, steps=4)
        page.mouse.move(x, y, steps=4)
        page.wait_for_function(
            """([spot, x, y]) => {
              const box = document.querySelector(`[data-spot="${spot}"]`).getBoundingClientRect();
              return box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
            }""",
            arg=[f"hand-{name}", x, y],
        )
        page.mouse.up()

    drag_to(other)
    page.mouse.move(5, 5)
    page.wait_for_timeout(300)
    expect(card).to_have_attribute("data-option", name)
    assert not any(line.startswith("You play") for line in log(page))
    drag_to(own)
    page.locator(".log p", has_text="You play").first.wait_for()
    expect(page.locator(f"[data-option='{name}']")).to_have_count(0)


def test_spectators_see_no_hand_and_nobody_can_answer_for_others(visit: Visit, house: House) -> None:
    made = make(house.address, name="Ana", seats=[{}, {"kind": "bot"}], options={"seats": 2, "first": 0})
    page = visit(f"/t/{made['table']}")
    expect(page.locator(".watch")).to_contain_text("You are watching")
    assert page.locator("[data-spot^='hand-'], [data-option]").count() == 0
    assert page.get_by_role("tab", name="Chat").count() == 0


def test_chat_and_reactions_between_two_people(visit: Visit, house: House) -> None:
    made = make(house.address, name="Ana", seats=[{}, {}])
    ana = visit(private(made))
    ana.get_by_label("Say something").fill("Who is coming?")
    ana.keyboard.press("Enter")
    expect(ana.locator(".waiting .talk")).to_contain_text("Who is coming?")
    ben = visit(f"/t/{made['table']}", prefs='{"name": "Ben"}')
    ben.get_by_role("button", name="Sit down").click()
    for page in (ana, ben):
        page.get_by_role("tab", name="Chat").click()
    ana.get_by_label("Say something").fill("<b>Good luck</b>")
    ana.keyboard.press("Enter")
    expect(ben.locator(".talk")).to_contain_text("<b>Good luck</b>")
    ben.get_by_role("button", name="Well played!").click()
    expect(ana.get_by_role("list", name="Reactions")).to_contain_text("Ben Well played!")


def test_undo_and_why_it_is_barred(visit: Visit, house: House) -> None:
    made = make(house.address, name="Ana", seats=[{}, {"kind": "bot"}], options={"seats": 2, "first": 0})
    page = visit(private(made))
    page.locator(ASKED).wait_for()
    undo = page.get_by_role("button", name="Undo")
    undo.hover()
    expect(page.get_by_role("tooltip")).to_contain_text("nothing to take back")
    chosen = next(one for one in options(page) if one not in ("pass", "reveal") and "-" not in one)
    choose(page, chosen)
    assert any(line.startswith("You bet on") for line in log(page))
    expect(undo).to_have_attribute("aria-disabled", "false")
    undo.click()
    expect(page.locator(f'[data-option="{chosen}"]')).to_have_count(1)
    expect(page.locator(".log p", has_text="You bet on")).to_have_count(0)


def test_a_hint_against_bots(visit: Visit) -> None:
    page = visit()
    page.get_by_role("button", name="Play against bots: Equinox").click()
    page.locator(ASKED).wait_for()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".chooser .hint")).to_contain_text("A strong player would choose")
    assert page.locator(".best").count() >= 1


def test_confirm_before_every_step(visit: Visit, house: House) -> None:
    made = make(house.address, name="Ana", seats=[{}, {"kind": "bot"}], options={"seats": 2, "first": 0})
    page = visit(private(made), prefs='{"speed": "off", "confirm": "all"}')
    page.locator(ASKED).wait_for()
    page.locator(".cell.lit").first.click()
    expect(page.get_by_role("button", name=re.compile("^Yes: "))).to_be_visible()
    assert not any(line.startswith("You bet on") for line in log(page))
    page.get_by_role("button", name=re.compile("^Yes: ")).click()
    page.locator(".log p", has_text="You bet on").wait_for()


def test_confirm_only_what_reveals_something(visit: Visit, house: House) -> None:
    made = make(house.address, name="Ana", seats=[{}, {"kind": "bot"}], options={"seats": 2, "first": 0})
    page = visit(private(made), prefs='{"speed": "off", "confirm": "reveals"}')
    choose(page, str(page.locator(".cell.lit").first.get_attribute("data-option")))
    page.locator(".log p", has_text="You bet on").wait_for()
    page.locator(".hand [data-option]").first.click()
    expect(page.get_by_role("button", name=re.compile("^Yes: "))).to_be_visible()


def test_leave_and_take_the_seat_back(visit: Visit, house: House) -> None:
    made = make(house.address, name="Ana", seats=[{}, {}], options={"seats": 2, "first": 0})
    ask(house.address, "POST", f"/api/tables/{made['table']}/sit", {"name": "Ben"})
    page = visit(private(made))
    page.locator(ASKED).wait_for()
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Let a bot play").click()
    page.get_by_role("button", name="Take my seat back").wait_for()
    page.get_by_role("button", name="More").click()
    expect(page.get_by_role("button", name="Resign")).to_be_visible()
    expect(page.get_by_role("button", name="Let a bot play")).to_have_count(0)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Take my seat back").click()
    expect(page.get_by_role("button", name="Take my seat back")).to_have_count(0)


def test_a_game_that_was_given_up_can_be_looked_through_and_played_again(visit: Visit, house: House) -> None:
    made = make(house.address, name="Ana", seats=[{}, {"kind": "bot"}], options={"seats": 2, "first": 0})
    page = visit(private(made), prefs=QUICK)
    page.locator(ASKED).wait_for()
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Resign for good").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("This game was given up")
    dialog.get_by_role("button", name="Check the deal").click()
    expect(dialog).to_contain_text("The deal was honest")
    dialog.get_by_role("button", name="Replay").click()
    reel = page.get_by_role("group", name="Replay")
    expect(reel).to_contain_text("0/0")
    reel.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Result").click()
    before = page.url
    page.get_by_role("button", name="Play again").click()
    page.wait_for_url(lambda url: url != before)


def test_a_clock_is_shown_and_runs(visit: Visit, house: House) -> None:
    pace = {"kind": "move", "seconds": 90}
    made = make(
        house.address, name="Ana", seats=[{}, {"kind": "bot"}], options={"seats": 2, "first": 0}, pace=pace
    )
    page = visit(private(made))
    clock = page.locator(".clock")
    expect(clock).to_have_text(re.compile(r"1:\d\d"))
    first = clock.inner_text()
    page.wait_for_function("first => document.querySelector('.clock')?.innerText !== first", arg=first)


def test_a_refusal_speaks_the_language_of_the_reader(visit: Visit, house: House) -> None:
    made = make(house.address, name="Ana", seats=[{}, {}, {}])
    page = visit(f"/t/{made['table']}", locale="fr-FR")
    page.get_by_role("button", name="S’asseoir").click()
    expect(page.get_by_role("alert")).to_contain_text("Quelqu’un s’appelle déjà Ana ici")
