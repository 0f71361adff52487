"""The notice that it is somebody's turn: by push where the browser can, by the page while it is open."""

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from tests.web.conftest import launched
from tests.web.house import House
from tests.web.seat import ASKED, ask, make, private

Visit = Callable[..., Page]
SWITCH = "Notify me when it is my turn"
# what a push service would answer; the browser of the tests has none
SUBSCRIBES = """
  let now = null;
  PushManager.prototype.getSubscription = async () => now;
  PushManager.prototype.subscribe = async (how) => (now = {
    endpoint: "https://push.example/ana", key: how.applicationServerKey,
    unsubscribe: async () => ((now = null), true),
  });
"""
HAS_NO_PUSH = (
    "PushManager.prototype.subscribe = async () => { throw new DOMException('none', 'AbortError') };"
)


@pytest.fixture(scope="module")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """One with windows: the headless shell shows no notices."""
    browser = launched(playwright, "chromium", "chromium-browser", "google-chrome")
    yield browser
    browser.close()


def table_of(house: House) -> str:
    """A table at which Ana is asked at once."""
    made = make(house.address, name="Ana", seats=[{}, {"kind": "bot"}], options={"seats": 2, "first": 0})
    return private(made)


def allow(page: Page, script: str) -> None:
    """A page of a browser that lets us show notices."""
    page.context.grant_permissions(["notifications"])
    page.add_init_script(script)
    page.reload()
    page.locator(ASKED).wait_for()
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")


def switch(page: Page) -> None:
    """In the settings."""
    page.get_by_role("link", name="Settings").click()
    page.get_by_label(SWITCH).click()


def kept(page: Page) -> bool:
    """What the preferences say."""
    return bool(json.loads(page.evaluate("localStorage.getItem('fabletop.prefs')"))["notify"])


def test_the_switch_subscribes_and_the_server_is_told_where_to_push(visit: Visit, house: House) -> None:
    page = visit(table_of(house))
    about = ask(house.address, "GET", "/api/about") | {
        "push": "the-key"
    }  # with the extra `push` or without it
    page.route("**/api/about", lambda route: route.fulfill(json=about))
    allow(page, SUBSCRIBES)
    page.route("**/api/tables/*/push", lambda route: route.fulfill(json={"type": "done"}))
    with page.expect_request("**/api/tables/*/push") as told:
        switch(page)
    expect(page.get_by_label(SWITCH)).to_be_checked()
    assert told.value.post_data_json == {"endpoint": "https://push.example/ana"}
    ready = "navigator.serviceWorker.ready.then(worker => worker.pushManager.getSubscription())"
    assert page.evaluate(f"{ready}.then(one => one.key)") == about["push"]
    with page.expect_request("**/api/tables/*/push") as told:
        page.get_by_label(SWITCH).click()
    assert told.value.post_data_json == {"endpoint": ""}
    expect(page.get_by_label(SWITCH)).not_to_be_checked()
    page.wait_for_function(f"() => {ready}.then(one => !one)")


def test_without_a_push_service_the_page_tells(visit: Visit, house: House) -> None:
    page = visit(table_of(house))
    allow(page, HAS_NO_PUSH + "Document.prototype.hasFocus = () => false;")
    switch(page)
    expect(page.get_by_label(SWITCH)).to_be_checked()
    assert kept(page)
    page.reload()
    page.locator(ASKED).wait_for()
    page.wait_for_function(
        "() => navigator.serviceWorker.ready.then(worker => worker.getNotifications())"
        ".then(all => all.some(one => one.body.startsWith('Predict') && one.data.url.startsWith('/t/')))"
    )


def test_whoever_refuses_gets_no_notices(visit: Visit, house: House) -> None:
    page = visit(table_of(house))
    page.locator(ASKED).wait_for()
    page.evaluate("Notification.requestPermission = async () => 'denied'")
    switch(page)
    expect(page.get_by_role("dialog").get_by_role("status")).to_contain_text(
        "does not let this page show notifications"
    )
    expect(page.get_by_label(SWITCH)).not_to_be_checked()
    assert not kept(page)


@pytest.mark.parametrize(
    ("locale", "words"), [("en-GB", "It is your turn"), ("fr-FR", "C’est à vous"), ("de-DE", "Du bist")]
)
def test_a_push_without_content_is_shown_in_the_words_of_the_reader(
    visit: Visit, house: House, locale: str, words: str
) -> None:
    page = visit("/", locale=locale)
    page.context.grant_permissions(["notifications"])
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function(
        "() => caches.open('fabletop-spoken').then(kept => kept.match('/spoken')).then(Boolean)"
    )
    session = page.context.new_cdp_session(page)
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: found.extend(one["registrationId"] for one in told["registrations"]),
    )
    session.send("ServiceWorker.enable")
    for _ in range(100):
        page.wait_for_timeout(20 if found else 100)
        if found:
            break
    session.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": house.address, "registrationId": found[0], "data": ""},
    )
    page.wait_for_function(
        "words => navigator.serviceWorker.ready.then(worker => worker.getNotifications())"
        ".then(all => all.some(one => one.body.startsWith(words)))",
        arg=words,
    )
