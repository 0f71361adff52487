"""The way of one action through the server, as docs/architecture.md tells it: traced, and compared with the page."""

import asyncio
import re
import sys
import threading
from pathlib import Path

import pytest

import fabletop
from tests.server.hall import hall, table_of

SOURCE = Path(fabletop.__file__).parent
PAGE = SOURCE.parents[1] / "docs" / "architecture.md"
LEFT_OUT = {"client", "engine", "sight"}
"""Modules that are not of the server, or compiled where there is a compiler."""
SPARE = 10
"""Functions more than the page counts before it must be counted again."""


def section() -> str:
    """The part of the page that tells the way."""
    return PAGE.read_text("utf-8").partition("## The way of an action")[2].partition("\n## ")[0]


class Trace:
    """The functions of the server in the order of their first call, in all threads; comprehensions do not count."""

    def __init__(self) -> None:
        self.on = False
        self.called: dict[str, None] = {}

    def note(self, frame, event, arg) -> None:
        """What `sys.setprofile` calls."""
        code, path = frame.f_code, Path(frame.f_code.co_filename)
        if self.on and event == "call" and path.is_relative_to(SOURCE) and path.stem not in LEFT_OUT:
            if "<" not in code.co_qualname:
                self.called[f"{path.stem}.{code.co_qualname}"] = None


@pytest.fixture
def trace():
    traced = Trace()
    before = sys.getprofile()
    threading.setprofile(traced.note)
    sys.setprofile(traced.note)
    yield traced
    sys.setprofile(before)
    threading.setprofile(before)


async def one_action(trace: Trace, folder: Path) -> None:
    """Two people at a table of Equinox, each over a socket; one of them acts."""
    async with hall(folder, sweep=999.0, lease=999.0) as (_, client):
        table, tokens = await table_of(client, "equinox", 2, seed="the way")
        async with client.sit_at(table, tokens[0]) as one, client.sit_at(table, tokens[1]) as two:
            await one.until(lambda: one.choice or two.choice)
            acting, other = (one, two) if one.choice else (two, one)
            seq = other.seq
            await asyncio.sleep(0.2)  # what the two hellos have started is no part of it
            trace.on = True
            await acting.act(acting.choice["options"][0])
            await other.until(lambda: other.seq > seq)
            await asyncio.sleep(0.1)
            trace.on = False


@pytest.mark.asyncio
async def test_an_action_goes_the_way_that_the_page_tells(trace, tmp_path):
    await one_action(trace, tmp_path)
    named = re.findall(r"`(\w+\.\w+)`", section().partition("Counted")[0])
    short = {name.partition(".")[2] for name in trace.called if name.count(".") == 2}
    assert [name for name in named if name not in trace.called and name not in short] == []
    assert len(named) > 20
    way = list(trace.called)
    assert way.index("sqlite.append_all") < way.index("outbox.Outbox.flush")  # durable, then told
    counted = int(re.search(r"(\d+) Python functions", section())[1])
    assert len(way) <= counted + SPARE
