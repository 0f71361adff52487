"""Fairy School in a real browser as people use it: several at once, by keyboard, in words, with reloads."""

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from tests.web.camera import Camera, Look
from tests.web.fit import UNDRAWN
from tests.web.house import House
from tests.web.school_states import STATES
from tests.web.seat import ask, private
from tests.web.test_fairy_school import ASKED, QUICK, table
from tests.web.test_pages import found_by_axe

Visit = Callable[..., Page]
DESK = Look(1280, 720, night=False, lang="en")

ON = """kind => {
  const question = document.querySelector('.question.asked:not([data-busy])');
  if (!question) return false;
  if (question.dataset.kind === kind) return true;
  const all = [...document.querySelectorAll('[data-option]:not([data-option=convert], [disabled])')];
  // without elements there is no project to realise
  const earn = kind === 'realise' && question.dataset.kind === 'activate';
  const end = all.find(one => !earn && ['done', 'pass'].includes(one.dataset.option));
  (end ?? all[0])?.click();
  return false;
}"""
"""Go on with the first thing that can be chosen, until a question of a kind is asked."""


ANSWERED = """() => {
  const question = document.querySelector('.question.asked:not([data-busy])');
  if (!question) return false;
  if (question.dataset.kind === 'activate') return document.querySelector('.piece .card.used') !== null;
  document.querySelector('[data-option]:not([data-option=convert], [disabled])')?.click();
  return false;
}"""
"""What a card that was pressed asks is answered with the first thing."""


def go_on_to(page: Page, kind: str) -> None:
    """Until a question of this kind is asked."""
    page.wait_for_function(ON, arg=kind, polling=20)


def lay_all(page: Page) -> None:
    """Lay the drawn cards, each on the first empty space."""
    while page.locator(".near.drawn .piece").count():
        page.locator(".near.drawn .piece").first.click()
        page.locator(".forest .space.can").first.click()


def for_people(house: House, *names: str, setup: str = "beginners", **table: Any) -> list[str]:
    """A table of people; their private links."""
    body = {
        "game": "fairy_school",
        "seats": [{"kind": "open"}] * len(names),
        "options": {"seats": len(names), "setup": setup, "length": "short"},
        "seed": "three fairies",
        "name": names[0],
        **table,
    }
    made: dict[str, Any] = ask(house.address, "POST", "/api/tables", body)
    sit = f"/api/tables/{made['table']}/sit"
    tokens = [
        made["token"],
        *(ask(house.address, "POST", sit, {"name": name})["token"] for name in names[1:]),
    ]
    return [f"/t/{made['table']}#token={token}" for token in tokens]


def test_the_order_of_arrival_of_three_browsers_changes_nothing(visit: Visit, house: House) -> None:
    """F-3.2: what a seat does is hidden until all have done it; only who is still at it is told."""
    seen: list[list[list[str]]] = []
    had: list[list[list[str]]] = []
    for order in ((2, 0, 1), (1, 2, 0)):
        pages = [visit(link, prefs=QUICK) for link in for_people(house, "Ana", "Ben", "Cleo")]
        for kind in ("plan", "select"):
            for place, seat in enumerate(order):
                page = pages[seat]
                go_on_to(page, kind)
                if kind == "plan":
                    lay_all(page)
                else:
                    page.locator('.column[data-option="column-3"]').click()
                page.locator('.question [data-option="done"]').click()
                if place < 2:
                    waiting = page.locator(".question .still")
                    waiting.wait_for()
                    names = [("Ana", "Ben", "Cleo")[other] for other in order[place + 1 :]]
                    assert all(name in waiting.inner_text() for name in names)
                    # what was done is nowhere on another page
                    assert pages[order[-1]].locator(".clearing .piece").count() == 0
        for page in pages:
            go_on_to(page, "activate")
        labels = "all => all.map(one => one.ariaLabel.split('.')[0])"
        seen.append([page.locator(".clearing .piece").evaluate_all(labels) for page in pages])
        for place, seat in enumerate(order):
            page = pages[seat]
            # a card of the neighbour on the left: kindness for her, which nobody sees before all are done
            page.locator(".shared.l .piece.can").first.click()
            page.wait_for_function(ANSWERED, polling=20)
            page.locator('.question [data-option="done"]').click()
            if place < 2:
                page.locator(".question .still").wait_for()
                assert page.locator(".dock .scale i").count() == 0
        for page in pages:
            page.locator(".dock .scale i").first.wait_for()
        rooms = ".dock .bank, .dock .scale, .neighbour .have"
        had.append([page.locator(rooms).all_inner_texts() for page in pages])
        for page in pages:
            page.context.close()
    assert seen[0] == seen[1]
    assert had[0] == had[1]
    assert all(len(cards) == 3 for cards in seen[0])


def test_a_reload_in_each_phase_loses_nothing_that_was_confirmed(visit: Visit, house: House) -> None:
    page = visit(private(table(house, 2, setup="normal", length="short")), prefs=QUICK)
    for kind in ("draft", "drop", "plan", "select", "activate", "study", "realise"):
        go_on_to(page, kind)
        rooms = page.locator(".dock-row, .near-row, .goals")
        before = rooms.all_inner_texts()
        page.reload()
        page.locator(ASKED).wait_for()
        assert page.locator(".question").get_attribute("data-kind") == kind
        assert rooms.all_inner_texts() == before


@pytest.mark.parametrize(
    "state", ["settle", "goal", "line", "pay", "recall", "scout", "final", "bonus", "spend"]
)
def test_a_reload_in_the_middle_of_a_decision(chromium: Browser, house: House, state: str) -> None:
    """The same is asked again, with the same answers."""
    page = STATES[state](Camera(chromium, house, DESK))
    options = "all => all.map(one => one.dataset.option).sort()"
    asked = page.locator("[data-option]").evaluate_all(options)
    kind = page.locator(".question").get_attribute("data-kind")
    page.reload()
    page.locator(".curtain button").click()
    page.locator(ASKED).wait_for()
    assert page.locator(".question").get_attribute("data-kind") == kind
    assert page.locator("[data-option]").evaluate_all(options) == asked
    page.context.close()


def test_a_restart_of_the_server_in_the_middle_of_a_turn(visit: Visit, own_house: House) -> None:
    page = visit(private(table(own_house, 2, length="short")), prefs=QUICK, at=own_house.address)
    go_on_to(page, "plan")
    own_house.stop(kill=True)
    # cards are laid on the page alone; what is confirmed goes out when the server is back
    lay_all(page)
    page.locator('.question [data-option="done"]').click()
    own_house.start()
    go_on_to(page, "select")
    assert page.locator(".forest .piece").count() == 10


def test_a_year_over_days(visit: Visit, own_house: House) -> None:
    """Nobody is there at the same time, the server restarts between two visits, and each finds what is theirs."""
    day = {"kind": "move", "seconds": 86_400}
    ana, ben = for_people(own_house, "Ana", "Ben", setup="normal", pace=day)

    def come(link: str) -> Page:
        page = visit(link, prefs=QUICK, at=own_house.address)
        page.locator(".question.asked, .question .still").first.wait_for()
        return page

    def pick(page: Page) -> str:
        card = page.locator(".pack .offer").first
        name = (card.get_attribute("data-option") or "").strip()
        card.click()
        page.locator(".question .still").wait_for()
        return name

    page = come(ana)
    assert page.locator(".question .clock").get_attribute("aria-label") == "24 hours left"
    first = pick(page)
    assert "Ben" in page.locator(".question .still").inner_text()
    page.context.close()
    own_house.stop()
    own_house.start()
    page = come(ben)
    assert first not in page.locator(".pack .offer").evaluate_all("all => all.map(one => one.dataset.option)")
    page.locator(".pack .offer").first.click()
    page.context.close()
    own_house.stop(kill=True)
    own_house.start()
    page = come(ana)
    expect(page.locator(".near.picks .pick")).to_have_count(1)
    pick(page)
    page.goto(own_house.address)
    line = page.locator(".yours li, .tables li").filter(has_text="Fairy School").first
    assert "Ben" in line.inner_text()


def test_a_hint_in_every_phase(visit: Visit, house: House) -> None:
    page = visit(private(table(house, 2, setup="normal", length="short")), prefs=QUICK)
    hint = page.get_by_role("button", name="Hint")
    for kind in ("draft", "plan", "select", "activate", "study", "realise"):
        go_on_to(page, kind)
        hint.click()
        page.locator(".question .hint").wait_for()
        assert "A strong player would choose" in page.locator(".question .hint").inner_text()
        assert page.locator(".school .best").count() >= 1, kind
        if kind == "select":
            # all columns are named, and all of them are marked
            said = page.locator(".question .hint").inner_text()
            marked = page.locator(".column.best").evaluate_all("all => all.map(one => one.dataset.option)")
            assert 1 <= len(marked) <= 2
            assert all(column.removeprefix("column-") in said.rpartition("(")[0] for column in marked)
        if kind == "plan":
            # a place for every card; with one in the hand the hint says where it would go
            drawn = page.locator(".near.drawn .piece").count()
            assert page.locator(".forest .ghost").count() >= drawn - 1
            page.locator(".near.drawn .piece.best").first.click()
            page.locator(".forest .space.best").click()
            lay_all(page)
            page.locator('.question [data-option="done"]').click()


def test_a_hint_in_words_names_every_part(visit: Visit, house: House) -> None:
    page = visit(private(table(house, 2, setup="beginners")), prefs=QUICK)
    page.locator(".tools").get_by_role("button", name="Text").click()
    said = page.locator(".words [role=status]")
    hint = page.get_by_role("button", name="Hint")
    options = page.locator(".words .options button:not([disabled])")
    options.first.wait_for()
    hint.click()
    said.wait_for()
    assert said.inner_text().count(" row, ") > 2  # a space for every card
    columns = page.locator("#ask", has_text="columns")
    while not columns.count():
        options.filter(has_not_text="Convert").last.click()
        with suppress(Error):
            columns.wait_for(timeout=500)  # or the next click would answer that question
    hint.click()
    said.wait_for()
    named = re.findall(r"Column (\d)", said.inner_text())
    # the same hint on the table marks the same columns, and no others
    page.locator(".tools").get_by_role("button", name="Text").click()
    page.locator(".column.best").first.wait_for()
    marked = page.locator(".column.best").evaluate_all("all => all.map(one => one.dataset.option)")
    assert sorted(f"column-{column}" for column in named) == sorted(marked)


def test_a_bot_that_plays_for_somebody_is_told_of(visit: Visit, house: House) -> None:
    """And who looks on is not told that anything is theirs."""
    ana, ben = for_people(house, "Ana", "Ben", "Cleo")[:2]
    page, other = visit(ana, prefs=QUICK), visit(ben, prefs=QUICK)
    other.get_by_role("button", name="More", exact=True).click()
    other.get_by_role("button", name="Let a bot play").click()
    expect(page.get_by_role("button", name="A bot plays for Ben")).to_be_visible()
    other.get_by_role("button", name="Take my seat back").click()
    expect(page.get_by_role("button", name="A bot plays for Ben")).to_have_count(0)
    guest = visit(ana.partition("#")[0], prefs=QUICK)
    guest.locator(".school").wait_for()
    for _ in range(2):
        for name in ("Ana", "Projects"):
            expect(guest.get_by_role("region", name=name, exact=True)).to_be_visible()
        guest.locator(".tools").get_by_role("button", name="Text").click()


def test_answers_in_words_say_what_they_do(chromium: Browser, house: House) -> None:
    for state, said in (("line", r"^Line 1: .{9,}"), ("exchange", r"^1 earth for 3 elements$")):
        page = STATES[state](Camera(chromium, house, DESK))
        page.locator(".tools").get_by_role("button", name="Text").click()
        expect(page.locator(".words .options button").first).to_have_text(re.compile(said))
        expect(page.locator(".words [aria-labelledby=goals]")).to_contain_text(re.compile("Missing: |Ready"))
        page.context.close()


STEP = """held => {
  const question = document.querySelector('.question');
  if (!question || question.matches('[data-busy]')) return 'busy';
  if (!question.matches('.asked')) return question.querySelector('.still') ? 'waits' : 'busy';
  if (held.includes(question.dataset.kind)) return question.dataset.kind;
  const all = [...document.querySelectorAll('[data-option]:not([data-option=convert], [disabled])')];
  const from = [all.filter(one => one.matches('.forest .space.can')), all].find(some => some.length) ?? [];
  const earns = question.dataset.kind === 'activate';
  (from.find(one => !earns && ['done', 'pass'].includes(one.dataset.option)) ?? from[0])?.click();
  return 'busy';
}"""
"""Go on by one click, but not with a question of a kind that is held; what the page does now."""


def test_undo_in_every_phase(visit: Visit, house: House) -> None:
    """Until the others are done, a seat may take back what it did."""
    ana, ben = (visit(link, prefs=QUICK) for link in for_people(house, "Ana", "Ben", setup="normal"))
    rooms = ana.locator(".dock .bank, .goals")
    left = {"draft", "plan", "select", "activate", "study", "realise"}

    def until(page: Page, held: set[str], wanted: frozenset[str] = frozenset()) -> str:
        """Until the page is at rest, or at something that is wanted."""
        for _ in range(600):
            now = str(page.evaluate(STEP, sorted(held)))
            if now in wanted or (not wanted and now != "busy"):
                return now
            page.wait_for_timeout(15)
        raise AssertionError(f"it never came to that: {now}")

    for _ in range(400):
        kind, other = until(ana, left), until(ben, left)
        if kind == "waits":
            ben.evaluate(STEP, sorted(left - {other}))
        elif other == "waits":
            # nobody is waited for, so what Ana does is final
            ana.evaluate(STEP, sorted(left - {kind}))
        else:
            before = rooms.all_inner_texts()
            until(ana, left - {kind}, frozenset({"waits"}))
            # step by step, as far back as the phase began
            undo = ana.locator('[aria-label="Undo"][aria-disabled="false"]')
            for _ in range(80):
                ana.wait_for_timeout(60)  # what the question is about is shown a moment after it
                if ana.locator(f"{ASKED}:not([data-busy])").count() and rooms.all_inner_texts() == before:
                    break
                with suppress(Error):  # it may be barred by now: then the page has only to catch up
                    undo.click(timeout=500)
            assert rooms.all_inner_texts() == before, kind
            left.discard(kind)
        if not left:
            break
    assert not left


def test_at_one_device_nothing_of_the_other_fairy_is_in_page_or_traffic(visit: Visit, house: House) -> None:
    hot = [{"kind": "hot", "name": name} for name in ("Ana", "Ben")]
    body = {
        "game": "fairy_school",
        "seats": hot,
        "options": {"seats": 2, "setup": "normal", "length": "short"},
    }
    page = visit("/", prefs=QUICK)
    received: list[str] = []
    page.on(
        "websocket",
        lambda line: line.on("framereceived", lambda data: received.append(f"{data!r}")),
    )
    page.goto(house.address + private(ask(house.address, "POST", "/api/tables", body)))
    hands: dict[str, set[str]] = {}
    for _ in range(2):
        page.locator(".curtain").wait_for()
        assert page.locator("[data-option], .piece, .offer").count() == 0
        received.clear()
        name = page.locator(".curtain h1").inner_text()
        page.locator(".curtain button").click()
        page.locator(ASKED).wait_for()
        spots = page.locator(".pack .offer").evaluate_all("all => all.map(one => one.dataset.spot)")
        hands[name] = {spot.removeprefix("pack-") for spot in spots}
        told = "".join(received)
        own = told.partition('"own":')[2]
        for other, cards in hands.items():
            if other != name:
                assert not any(f'"{card}"' in own for card in cards - hands[name])
        page.locator(".pack .offer").first.click()
    assert len(hands) == 2
    assert all(len(cards) == 4 for cards in hands.values())


def test_at_one_device_drawn_cards_are_told_to_one_fairy_alone(visit: Visit, house: House) -> None:
    """F-3.2: neither what Ben drew is told while Ana plans, nor what Ana drew and laid while Ben does."""
    hot = [{"kind": "hot", "name": name} for name in ("Ana", "Ben")]
    body = {"game": "fairy_school", "seats": hot, "options": {"seats": 2, "setup": "beginners"}}
    page = visit("/", prefs=QUICK)
    received: list[str] = []
    page.on(
        "websocket",
        lambda line: line.on("framereceived", lambda data: received.append(f"{data!r}")),
    )
    page.goto(house.address + private(ask(house.address, "POST", "/api/tables", body)))
    drawn: list[set[str]] = []
    told: list[str] = []
    for _ in range(2):
        page.locator(".curtain").wait_for()
        received.clear()
        page.locator(".curtain button").click()
        page.locator('.question.asked[data-kind="plan"]').wait_for()
        cards = page.locator(".near.drawn .piece")
        drawn.append(set(cards.evaluate_all("all => all.map(one => one.dataset.option)")))
        lay_all(page)
        if len(drawn) == 1:
            page.locator('.question [data-option="done"]').click()
            page.locator(".curtain").wait_for()
            assert page.locator(".piece, .card").count() == 0
        told.append("".join(received))
    assert all(len(cards) == 8 for cards in drawn)
    for seat, frames in enumerate(told):
        # cards that were drawn or laid; what a draw pile is made of is no secret
        lists = re.findall(r'"(?:drawn|top|bottom)":\[([^\]]*)\]', frames)
        cards = {card.strip('"') for one in lists for card in one.split(",")}
        assert drawn[seat] <= cards
        assert not drawn[1 - seat] & cards


AT = """() => {
  if (document.querySelector('dialog')) return ['over', ''];
  const question = document.querySelector('.question.asked:not([data-busy])');
  return question && [question.dataset.kind, document.activeElement?.dataset?.option ?? ''];
}"""
"""What is asked, and what has the focus."""


def test_a_year_by_keyboard_alone(visit: Visit, house: House) -> None:
    """A whole year; the focus goes from a card to where it may lie, and on to the next, so that few keys are needed."""
    page = visit(private(table(house, 2, setup="beginners")), prefs=QUICK)
    page.locator(ASKED).wait_for()
    page.evaluate(UNDRAWN)
    marked = tabs = 0
    for step in range(900):
        kind, focused = page.wait_for_function(AT).json_value()
        if kind == "over":
            break
        if (kind == "select" and marked) or (kind in ("activate", "realise", "spend") and step % 3):
            page.keyboard.press("d")
            marked = 0
        elif focused in ("", "convert"):
            page.keyboard.press("Tab")
            tabs += 1
        else:
            marked += kind == "select"
            page.keyboard.press("Enter")
    page.get_by_role("dialog").locator("ol.pupils").wait_for()
    assert tabs < step / 4


def test_a_year_in_words(visit: Visit, house: House) -> None:
    """A whole year."""
    prefs = '{"speed": "off", "name": "Ana", "autopass": false, "text": true}'
    page = visit(private(table(house, 2, setup="beginners")), prefs=prefs)
    page.locator(".words .options button").first.wait_for()
    page.evaluate(
        """() => {
          let step = 0;
          const timer = setInterval(() => {
            if (document.querySelector('dialog')) return clearInterval(timer);
            const all = [...document.querySelectorAll('.words .options button:not([disabled])')]
              .filter(one => one.dataset.option !== 'convert');
            const end = all.find(one => ['done', 'pass'].includes(one.dataset.option));
            step += 1;
            (end && step % 3 ? end : all[step % Math.max(1, all.length)])?.click();
          }, 10);
        }"""
    )
    page.get_by_role("dialog").locator("ol.pupils").wait_for(timeout=120_000)


def test_axe_finds_nothing_in_any_phase_on_a_phone(visit: Visit, house: House) -> None:
    """Each state in a look of its own: test_fairy_school_layout."""
    page = visit(private(table(house, 3, setup="normal", length="short")), prefs=QUICK, phone=True)
    found: dict[str, list[str]] = {}
    for kind in ("draft", "plan", "select", "activate"):
        go_on_to(page, kind)
        found[kind] = found_by_axe(page)
    page.locator(".again").click()
    found["account"] = found_by_axe(page)
    page.keyboard.press("Escape")
    page.goto(f"{house.address}/#rules-fairy_school-F-5.4")
    expect(page.locator("dialog .sought")).to_contain_text("kindness")
    page.locator("dialog .filters").wait_for()
    found["guide"] = found_by_axe(page)
    assert [(name, fault) for name, faults in found.items() for fault in faults] == []
