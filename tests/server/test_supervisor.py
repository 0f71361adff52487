"""The supervisor: what it tells its workers, and what only it does."""

import asyncio
import os

from fabletop.server.cluster import supervisor
from fabletop.server.settings import Settings
from tests.server.hall import PATIENCE


async def test_only_the_supervisor_opens_a_browser(tmp_path, monkeypatch):
    started = []

    async def keep(settings, level, folder, listener, ready):
        started.append(settings)
        ready.set()

    def announced(settings):
        started.append(settings)
        os.kill(os.getpid(), supervisor.signal.SIGTERM)

    monkeypatch.setattr(supervisor, "_keep", keep)
    settings = Settings(worker="here", opens=True, internal="10.0.0.5:8100")
    async with asyncio.timeout(PATIENCE):
        await supervisor._supervise(settings, 2, "info", tmp_path, None, announced)
    assert [(one.worker, one.opens, one.internal) for one in started] == [
        ("here-0", False, "10.0.0.5:8100"),
        ("here-1", False, "10.0.0.5:8101"),
        ("here", True, "10.0.0.5:8100"),
    ]
    for number in (supervisor.signal.SIGTERM, supervisor.signal.SIGINT):
        asyncio.get_running_loop().remove_signal_handler(number)
