"""Power cuts on SQLite: nothing acknowledged is lost; and the trial can fail."""

import asyncio

import pytest

from tests.torture.history import History
from tests.torture.players import Room
from tests.torture.power import cut_power
from tests.torture.preload import Disk
from tests.torture.servers import Worker, file_in

TABLES, SECONDS, CUTS = 6, 2.0, 50


async def cut(folder, **inner):
    """Play for a while on a disk that takes its time, kill the server once, then cut the power at many moments."""
    disk, history = Disk(file_in(folder), folder, slow=3000), History()
    worker = Worker("--database", str(disk.database), preload=disk.environment, copy_after=60, **inner)
    await worker.start()
    room = Room([worker.address], history, "power", on_note=lambda: disk.mark(b"%d" % len(history.events)))

    async def disturb():
        await asyncio.sleep(SECONDS / 2)
        await worker.kill()
        await worker.start()
        await asyncio.sleep(SECONDS / 2)

    try:
        await room.run(TABLES, disturb)
    finally:
        await worker.kill()
    return history, await cut_power(disk.journal, history.events, CUTS, "power", folder)


async def test_nothing_acknowledged_is_lost_in_a_power_cut(tmp_path):
    history, outcome = await cut(tmp_path)
    assert outcome.findings == []
    assert outcome.cuts >= CUTS - 5
    assert outcome.syncs > 20
    assert history.acknowledged() > 50


@pytest.mark.parametrize(
    "inner",
    [{"pragmas": ["synchronous=OFF"]}, {"pragmas": ["synchronous=NORMAL"]}, {"early": True}],
    ids=["off", "normal", "early"],
)
async def test_power_cuts_find_a_store_that_acknowledges_too_early(tmp_path, inner):
    _, outcome = await cut(tmp_path, **inner)
    assert "lost" in {finding.kind for finding in outcome.findings}
