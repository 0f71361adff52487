"""The path of an action through the server as docs/architecture.md describes it: traced, and compared with the page."""

import asyncio
import re
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

import fabletop
from tests.server.hall import hall, table_of, until

SOURCE = Path(fabletop.__file__).parent
PAGE = SOURCE.parents[1] / "docs" / "architecture.md"
LEFT_OUT = {"client", "engine", "view"}
"""Packages and modules that are not of the server, or compiled where there is a compiler."""
SPARE = 10
"""Functions more than the page counts before it must be counted again."""


def named() -> list[str]:
    """The functions that the page names."""
    return re.findall(r"`(\w+\.\w+)`", section().partition("Counted")[0])


def section() -> str:
    """The part of the page that describes the path."""
    return PAGE.read_text("utf-8").partition("## The path of an action")[2].partition("\n## ")[0]


class Trace:
    """The functions of the server in the order of their first call, in all threads; comprehensions do not count."""

    def __init__(self) -> None:
        self.on = False
        self.called: dict[str, None] = {}

    def note(self, frame, event, arg) -> None:
        """What `sys.setprofile` calls."""
        code, path = frame.f_code, Path(frame.f_code.co_filename)
        if self.on and event == "call" and path.is_relative_to(SOURCE):
            if not LEFT_OUT & {path.parent.name, path.stem} and "<" not in code.co_qualname:
                self.called[f"{path.stem}.{code.co_qualname}"] = None

    def missing(self) -> list[str]:
        """What the page names and nobody called."""
        short = {name.partition(".")[2] for name in list(self.called) if name.count(".") == 2}
        return [name for name in named() if name not in self.called and name not in short]


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
        table, tokens = await table_of(client, "equinox", 2, seed="the path")
        async with client.connect(table, tokens[0]) as one, client.connect(table, tokens[1]) as two:
            await one.until(lambda: one.choice or two.choice)
            acting, other = (one, two) if one.choice else (two, one)
            seq = other.seq
            await asyncio.sleep(0.2)  # background tasks of the two hellos are no part of it
            trace.on = True
            await acting.act(acting.choice["options"][0])
            await other.until(lambda: other.seq > seq)
            await until(lambda: not trace.missing())  # the driver looks after the frames are sent
            trace.on = False


@pytest.mark.asyncio
async def test_an_action_takes_the_path_that_the_page_describes(trace, tmp_path):
    with suppress(TimeoutError):
        await one_action(trace, tmp_path)
    assert trace.missing() == []
    assert len(named()) > 20
    path = list(trace.called)
    assert path.index("sqlite.append_all") < path.index("outbox.Outbox.flush")  # durable, then sent
    counted = int(re.search(r"(\d+) Python functions", section())[1])
    assert len(path) <= counted + SPARE
