"""Fairy School in a real browser: what a turn shows before, while and after something is done."""

from collections.abc import Callable

from playwright.sync_api import Browser, Page, expect

from tests.web.camera import Camera, Look
from tests.web.house import House
from tests.web.school_states import STATES, before_a_price, before_kindness, in_the_year
from tests.web.seat import count_flights

Visit = Callable[..., Page]
DESK = Look(1280, 720, night=False, lang="en")
STOCK = ".dock .disc b"
OVERLAP = """([one, others]) => {
  const a = document.querySelector(one).getBoundingClientRect();
  return others.filter(name => {
    const b = document.querySelector(name).getBoundingClientRect();
    return Math.min(a.right, b.right) > Math.max(a.left, b.left) &&
      Math.min(a.bottom, b.bottom) > Math.max(a.top, b.top);
  });
}"""


def drag(page: Page, card: str, space: str) -> None:
    """By mouse, in several moves."""
    ends = [page.locator(where).first.bounding_box() for where in (card, space)]
    (x, y), (to_x, to_y) = [
        (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in ends if box is not None
    ]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move((x + to_x) / 2, (y + to_y) / 2, steps=4)
    expect(page.locator(".dragged")).to_be_visible()
    page.mouse.move(to_x, to_y, steps=4)
    page.mouse.up()
    expect(page.locator(".dragged")).to_have_count(0)


def test_a_first_turn_from_the_home_page(visit: Visit, house: House) -> None:
    """One click, and a first game is a beginners' one. Nothing is sent before it is confirmed (F-5.1, F-5.2), and what
    an activation brings is shown before, flies, and is then there (F-5.3)."""
    page = visit("/", prefs='{"speed": "fast", "name": "Ana", "autopass": false}', still=False)
    sent: list[str] = []
    page.on("websocket", lambda line: line.on("framesent", lambda data: sent.append(f"{data!r}")))
    page.get_by_role("button", name="Play against bots: Fairy School").click()
    # a beginners' year has no draft
    page.locator('.question.asked[data-kind="plan"]:not([data-busy])').wait_for()
    cards = page.locator(".near.drawn .piece").count()
    assert cards > 2
    sent.clear()
    drag(page, ".near.drawn .piece", '.forest [data-space="bottom-3"]')
    drag(page, ".near.drawn .piece", '.forest [data-space="bottom-3"]')
    # where a card was laid the next one takes its place
    expect(page.locator(".near.drawn .piece")).to_have_count(cards - 1)
    while page.locator(".near.drawn .piece").count():
        page.locator(".near.drawn .piece").first.click()
        page.locator(".forest .space.can").first.click()
    assert not any('"act"' in frame for frame in sent)
    page.locator('.question [data-option="done"]').click()

    page.locator('.question.asked[data-kind="select"]:not([data-busy])').wait_for()
    assert sum('"act"' in frame for frame in sent) >= cards
    sent.clear()
    for column in (3, 1):
        page.locator(f'.column[data-option="column-{column}"]').click()
    # what lies where then, and what it costs
    assert page.locator(".clearing .soon").count() + page.locator(".near .soon").count() >= 3
    expect(page.locator(".question .price")).to_be_visible()
    expect(page.locator(".question .then")).to_be_visible()
    assert not any('"act"' in frame for frame in sent)
    page.locator('.question [data-option="done"]').click()

    page.locator('.question.asked[data-kind="activate"]:not([data-busy])').wait_for()
    simple = page.locator(".clearing .piece.can:not(:has(.two)), .near .piece.can:not(:has(.two))")
    simple.first.hover()
    # large and in words, but not over the table
    expect(page.locator("#inspector.on .large")).to_be_visible()
    assert (
        page.evaluate(OVERLAP, ["#inspector", [".clearing", ".forest", ".near", ".question", ".dock"]]) == []
    )
    then = page.locator(".question .then .stock b").all_inner_texts()
    cubes = page.locator(".question .then .rest b").first.inner_text()
    assert then != page.locator(STOCK).all_inner_texts()
    count_flights(page)
    simple.first.click()
    expect(page.locator(".piece .card.used")).to_have_count(1)
    expect(page.locator(STOCK)).to_have_text(then)
    assert page.locator(".dock [data-spot=cubes] b").inner_text() == cubes
    assert page.evaluate("window.flew") >= 2  # the cube, and an element


def test_answers_stay_under_the_pointer(chromium: Browser, house: House) -> None:
    """What would follow is shown where the question was, and a decision can be left again."""
    page = Camera(chromium, house, DESK).table(in_the_year("line"))
    answers = page.locator(".question .answer")
    for number in range(answers.count()):
        before = answers.nth(number).bounding_box()
        answers.nth(number).hover()
        expect(page.locator(".question .then")).to_be_visible()
        after = answers.nth(number).bounding_box()
        assert before is not None
        assert after is not None
        assert all(abs(before[side] - after[side]) < 1 for side in ("x", "y", "width", "height"))
    page.get_by_role("button", name="Not now").click()
    expect(page.locator('.question[data-kind="activate"]')).to_be_visible()
    page.context.close()


def test_by_key_a_question_is_read_before_its_answers(chromium: Browser, house: House) -> None:
    """The focus comes to the first answer by itself; what would follow is shown once somebody moves on from there."""
    record = in_the_year("line")
    page = Camera(chromium, house, DESK).table(record)
    page.get_by_role("button", name="Not now").click()
    page.locator(f'.piece[data-option="{record.actions[-1][1]}"]').focus()
    page.keyboard.press("Enter")
    page.locator('.question.asked[data-kind="line"]:not([data-busy])').wait_for()
    expect(page.locator(".question .answer").first).to_be_focused()
    expect(page.locator(".question .prompt")).to_be_visible()
    expect(page.locator(".question .then")).to_have_count(0)
    page.keyboard.press("Tab")
    expect(page.locator(".question .then")).to_be_visible()
    page.context.close()


def test_a_card_stays_while_its_elements_fly(chromium: Browser, house: House) -> None:
    """The cube lies on it before they come, and whoever is quicker goes on at once."""
    page = Camera(chromium, house, DESK).page("/", speed="slow")
    page.emulate_media(reduced_motion="no-preference")
    page.get_by_role("button", name="Play against bots: Fairy School").click()
    page.locator('.question.asked[data-kind="plan"]:not([data-busy])').wait_for()
    while page.locator(".near.drawn .piece").count():
        page.locator(".near.drawn .piece").first.click()
        page.locator(".forest .space.can").first.click()
    page.locator('.question [data-option="done"]').click()
    page.locator('[data-option="column-3"]').click()
    page.locator('.question [data-option="done"]').click()
    simple = page.locator(".clearing .piece.can:not(:has(.two)), .near .piece.can:not(:has(.two))")
    simple.first.wait_for()
    used = simple.first.get_attribute("data-spot")
    simple.first.click()
    page.locator(f'[data-spot="{used}"] .card.used').wait_for()
    page.locator(".flyer.token").first.wait_for()
    expect(page.locator(f'[data-spot="{used}"]')).to_be_visible()
    # a press on the next card ends what is shown, and counts
    others = page.locator(f'.clearing .piece:not([data-spot="{used}"])').first
    others.dispatch_event("pointerdown")
    expect(page.locator(".flyer")).to_have_count(0)
    expect(page.locator('.question.asked[data-kind="activate"]')).to_be_visible()
    page.context.close()


def test_a_replay_tells_nothing_of_the_future(chromium: Browser, house: House) -> None:
    page = STATES["replay"](Camera(chromium, house, DESK))
    page.locator(".reel input").fill("0")
    page.locator(".reel .figures", has_text="0/").wait_for()
    page.locator(".again").click()
    expect(page.get_by_role("dialog").locator(".deed")).to_have_count(0)
    page.context.close()


def test_kindness_is_celebrated_and_can_be_looked_at_again(chromium: Browser, house: House) -> None:
    """F-5.4: which cards, by whom, and the scale grows; it can be skipped, and opened again."""
    page = Camera(chromium, house, DESK).table(before_kindness(), speed="slow")
    scale = page.locator(".dock .scale i")
    before = scale.count()
    page.locator('.question [data-option="done"]').click()
    scene = page.locator(".over-clearing.kindness")
    scene.wait_for()
    gain = int(scene.locator(".grows b").inner_text())
    assert scene.locator(".giver").count() >= 1
    assert scene.locator(".card .cube").count() == gain
    page.get_by_role("button", name="Skip to my turn").click()
    expect(scene).to_have_count(0)
    page.locator(".question.asked:not([data-busy]), .curtain").first.wait_for()
    if page.locator(".curtain").count():
        page.locator(".curtain button").click()
    else:
        assert scale.count() == before + gain
    page.locator(".again").click()
    expect(page.get_by_role("dialog").locator(".kindness").first).to_be_visible()
    page.context.close()


def test_a_payment_comes_with_the_cheapest_way_and_can_be_made_otherwise(
    chromium: Browser, house: House
) -> None:
    """F-1.3, F-6.9"""
    page = STATES["pay"](Camera(chromium, house, DESK))
    paying = page.locator('.question[data-kind="pay"]')
    assert paying.locator(".proposed .exchange").count() >= 1
    ways = paying.locator('[data-option^="spend-"]')
    assert ways.count() >= 2
    # a way of one's own, taken back, and then the one that is proposed
    ways.last.click()
    expect(page.locator(".places .full")).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".places .full")).to_have_count(0)
    paying.locator("[data-pay]").click()
    expect(paying).to_have_count(0)
    page.context.close()


def test_a_finger_looks_first_and_then_does_it(chromium: Browser, house: House) -> None:
    """The first tap shows what would follow, the button does it, and the cross leaves it."""
    page = STATES["then"](Camera(chromium, house, Look(390, 844, night=False, lang="en")))
    page.get_by_role("button", name="Not now").tap()
    expect(page.locator(".question .then")).to_have_count(0)
    simple = page.locator(".clearing .piece.can:not(:has(.two))").first
    simple.tap()
    expect(page.locator(".question .then")).to_be_visible()
    page.locator("[data-commit]").tap()
    expect(page.locator(".piece .card.used")).to_have_count(1)
    page.context.close()


def test_columns_are_played_when_their_price_is_paid(chromium: Browser, house: House) -> None:
    """F-5.2, F-6.9: the payment in between is the only thing that is asked."""
    record, column = before_a_price()
    page = Camera(chromium, house, DESK).table(record)
    page.locator(f'[data-option="{column}"]').click()
    page.locator('.question [data-option="done"]').click()
    page.locator('.question[data-kind="pay"] [data-pay]').click()
    page.locator(".curtain, .question.asked:not([data-busy], [data-kind=pay])").first.wait_for()
    expect(page.locator('.question[data-kind="select"]')).to_have_count(0)
    page.context.close()


def test_the_report_is_kept_as_a_picture_and_the_gallery_can_be_filtered(
    chromium: Browser, house: House
) -> None:
    """F-8.1, F-8.2"""
    page = STATES["report"](Camera(chromium, house, DESK))
    dialog = page.get_by_role("dialog")
    points = [int(one) for one in dialog.locator(".sheet .points").all_inner_texts()]
    total = int(dialog.locator("p.stamp b").inner_text())
    assert sum(points) == total
    marks = ((95, "congratulations"), (90, "distinction"), (85, "passed"), (0, "points"))
    assert next(word for mark, word in marks if total >= mark) in dialog.locator("p.stamp").inner_text()
    with page.expect_download() as saved:
        dialog.get_by_role("button", name="Save as a picture").click()
    data = saved.value.path().read_bytes()
    assert data.startswith(b"\x89PNG")
    assert len(data) > 20_000
    page.context.close()
    page = STATES["gallery"](Camera(chromium, house, DESK))
    cards = page.locator("dialog ul > li:has(.card)")
    everything = cards.count()
    page.get_by_label("Effect").select_option("recall")
    some = cards.count()
    page.get_by_label("Creatures").select_option("sphinx")
    assert 0 < cards.count() < some < everything
    page.context.close()
