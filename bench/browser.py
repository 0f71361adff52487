"""`python -m bench.browser`: how soon the client is there, and whether frames are lost while cards fly.

A real Chromium against a real server on this machine. Profiles are those of the browser's own tools: a processor that
is four times slower, and a network with its delay for every request and its rate. A visit is the first one: nothing is
in any cache, and there is no service worker yet.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from tests.web.conftest import FLAGS, module_of
from tests.web.house import House
from tests.web.seat import ASKED, make, private

VISITS = 5
MOVES = 8
SLOWER = 4
LANDING = 20_000
"""Microseconds: in the last frame of a flight the next thing already begins."""
CREATURES = ["squeak", "moss_man", "stag", "hoot", "fungy", "goatman", "ursus", "pilgrim"]
SEEN = """
([selector]) => { const look = () => document.querySelector(selector)
  ? requestAnimationFrame(() => { window.seen = performance.now() }) : requestAnimationFrame(look); look() }
"""
CATEGORIES = "benchmark,cc,blink.animations,devtools.timeline,disabled-by-default-devtools.timeline"


class Profile(NamedTuple):
    """A device and its network."""

    name: str
    processor: int
    delay: float
    """Milliseconds for every request."""
    rate: float
    """Megabits a second."""


PROFILES = [
    Profile("this machine", 1, 0, 0),
    Profile("mid-range phone, 4G", SLOWER, 60, 9),
    Profile("mid-range phone, slow 4G", SLOWER, 150, 1.6),
]


def throttle(session: CDPSession, profile: Profile) -> None:
    """Make a page as slow as a profile."""
    session.send("Network.enable")
    if profile.rate:
        rate = profile.rate * 1_000_000 / 8
        conditions = {
            "offline": False,
            "latency": profile.delay,
            "downloadThroughput": rate,
            "uploadThroughput": rate,
        }
        session.send("Network.emulateNetworkConditions", conditions)
    session.send("Emulation.setCPUThrottlingRate", {"rate": profile.processor})


class Visit(NamedTuple):
    """Milliseconds until something is painted and until the page can be used, and how many bytes came."""

    painted: float
    usable: float
    bytes: int


def visit(browser: Browser, address: str, profile: Profile, selector: str) -> Visit:
    """The first visit of somebody."""
    context = browser.new_context(service_workers="block", locale="en-GB")
    page = context.new_page()
    page.add_init_script(f"({SEEN})([{json.dumps(selector)}])")
    throttle(context.new_cdp_session(page), profile)
    page.goto(address)
    page.wait_for_function("() => window.seen")
    painted, usable, size = page.evaluate(
        "[performance.getEntriesByName('first-contentful-paint')[0].startTime, window.seen,"
        " performance.getEntriesByType('resource').reduce((sum, one) => sum + one.encodedBodySize, 0)]"
    )
    context.close()
    return Visit(painted, usable, size)


@contextmanager
def traced(session: CDPSession) -> Iterator[list[dict[str, Any]]]:
    """What Chromium notes about its own work meanwhile; the list is filled at the end."""
    found: list[dict[str, Any]] = []
    ended: list[bool] = []
    session.on("Tracing.dataCollected", lambda part: found.extend(part["value"]))
    session.on("Tracing.tracingComplete", lambda _: ended.append(True))
    session.send("Tracing.start", {"categories": CATEGORIES, "transferMode": "ReportEvents"})
    yield found
    session.send("Tracing.end")
    while not ended:
        session.send("Browser.getVersion")


class Flown(NamedTuple):
    """Frames while cards and pebbles were in the air."""

    flights: int
    frames: int
    dropped: int
    main_thread: int
    """Animations that the compositor could not run by itself."""
    longest: float
    """Milliseconds of the longest piece of work on the page's own thread."""


def fly(browser: Browser, house: House, processor: int) -> Flown:
    """Play a few moves with movement on, on a slow processor, and read the trace."""
    made = make(
        house.address,
        name="Ana",
        seats=[{}, {"kind": "bot"}],
        options={"seats": 2, "first": 0, "creatures": CREATURES},
        seed="flights",
    )
    context = browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    page = context.new_page()
    page.add_init_script("""localStorage['fabletop.prefs'] ??= '{"speed": "normal"}'""")
    page.goto(house.address + private(made))
    page.locator(ASKED).wait_for()
    session = context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": processor})
    with traced(session) as events:
        for _ in range(MOVES):
            move(page)
    context.close()
    return read(events)


def move(page: Page) -> None:
    """Take the first thing that glows, and wait for what comes of it."""
    page.locator(ASKED).wait_for(timeout=30_000)
    before = page.locator(".chooser").get_attribute("data-choice")
    page.locator("[data-option]:not([disabled])").last.evaluate("node => node.click()")
    page.wait_for_function(
        "before => document.querySelector('.chooser').dataset.choice !== before", arg=before, timeout=30_000
    )


def spans(events: list[dict[str, Any]]) -> list[tuple[float, float]]:
    """When something was in the air: from the beginning to the end of the animation of a flyer."""
    begun: dict[str, float] = {}
    found: list[tuple[float, float]] = []
    for event in sorted(events, key=lambda event: event.get("ts", 0)):
        if event.get("name") != "Animation":
            continue
        key = str(event.get("id2"))
        if "flyer" in event["args"].get("data", {}).get("nodeName", ""):
            begun[key] = event["ts"]
        elif event["ph"] == "e" and key in begun:
            found.append((begun.pop(key), event["ts"] - LANDING))
    return found


def read(events: list[dict[str, Any]]) -> Flown:
    """Count in a trace. A frame is dropped if Chromium says so and somebody could have seen it."""
    air = spans(events)

    def in_air(event: dict[str, Any]) -> bool:
        return any(start <= event["ts"] <= end for start, end in air)

    states: Counter[str] = Counter()
    for event in events:
        if event.get("name") == "PipelineReporter" and event.get("ph") == "b" and in_air(event):
            frame = event["args"].get("frame_reporter") or event["args"].get("chrome_frame_reporter") or {}
            if frame.get("state") != "STATE_DROPPED" or frame.get("affects_smoothness"):
                states[frame.get("state", "")] += 1
    failed = [
        event
        for event in events
        if event.get("name") == "Animation" and event.get("args", {}).get("data", {}).get("compositeFailed")
    ]
    tasks = [event.get("dur", 0) for event in events if event.get("name") == "RunTask" and in_air(event)]
    shown = states["STATE_PRESENTED_ALL"] + states["STATE_PRESENTED_PARTIAL"]
    dropped = states["STATE_DROPPED"]
    return Flown(len(air), shown + dropped, dropped, len(failed), max(tasks, default=0) / 1000)


def table(head: list[str], lines: list[list[str]]) -> str:
    """As Markdown, so that it can be kept."""
    rows = [head, ["---", *("---:" for _ in head[1:])], *lines]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main() -> int:
    """Measure and print."""
    module_of("build").build()
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        print("there is no chromium; on Debian: apt-get install chromium", file=sys.stderr)
        return 3
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        house = House(Path(folder))
        house.start()
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            measure(browser, house)
        finally:
            browser.close()
            house.stop()
    return 0


def measure(browser: Browser, house: House) -> None:
    """All of it."""
    made = make(house.address, name="Ana", seats=[{}, {"kind": "bot"}], options={"seats": 2, "first": 0})
    pages = [("home", "/", ".game .button.main"), ("table", f"/t/{made['table']}", ".grid")]
    lines = []
    for profile in PROFILES:
        for name, path, selector in pages:
            found = [visit(browser, house.address + path, profile, selector) for _ in range(VISITS)]
            painted = min(one.painted for one in found)
            usable = min(one.usable for one in found)
            size = max(one.bytes for one in found)
            lines.append(
                [f"{name}, {profile.name}", f"{painted:.0f} ms", f"{usable:.0f} ms", f"{size / 1000:.0f} kB"]
            )
    print(f"First visit, best of {VISITS}:\n")
    print(table(["page", "first paint", "can be used", "compressed"], lines))
    lines = []
    for processor in (1, SLOWER):
        flown = fly(browser, house, processor)
        lost = f"{flown.dropped} of {flown.frames}"
        slow = "this machine" if processor == 1 else f"processor {processor} times slower"
        lines.append([slow, str(flown.flights), lost, str(flown.main_thread), f"{flown.longest:.0f} ms"])
    print(f"\nFrames while something flies, {MOVES} steps on a phone's screen:\n")
    print(table(["", "flights", "frames dropped", "animations off the compositor", "longest task"], lines))


if __name__ == "__main__":
    sys.exit(main())
