"""Workers that are killed, stopped and cut off, with clocks that jump: every answer is right. The trial can fail."""

import asyncio

import pytest

from fabletop.client import Client
from tests.server.hall import raw, table_of
from tests.torture import cluster
from tests.torture.proxy import HANG
from tests.torture.servers import faults
from tests.torture.tally import ANSWERS, CLOCK, CUTS, JUMPS, KILLS, MOVES, STOPS


@pytest.mark.parametrize("trial", [cluster.sqlite_two, cluster.postgres_two])
async def test_two_workers_answer_rightly_whatever_happens_to_them(quick_folder, trial):
    tally = await trial(quick_folder, "3", 5)
    assert tally.findings == []
    assert sum(tally.tried[what] for what in (KILLS, STOPS, CUTS, JUMPS)) > 1
    assert tally.tried[MOVES] > 50
    assert tally.tried[ANSWERS] > tally.tried[MOVES]


async def stop_for_long(nodes, *_):
    """East stands still for longer than its lease, while West takes its tables over; then it goes on."""
    nodes[0].worker.stop()
    await asyncio.sleep(3 * cluster.LEASE)
    nodes[0].worker.go_on()
    await asyncio.sleep(1)


async def test_a_worker_that_answers_from_memory_past_its_lease_is_found(quick_folder):
    tally = await cluster.postgres_two(quick_folder, "3", 0, stop_for_long, forever=True)
    assert "stale" in {finding.kind for finding in tally.findings}
    assert CLOCK not in {finding.kind for finding in tally.findings}


async def test_a_client_is_told_when_the_worker_behind_its_own_falls_silent(quick_folder):
    """West forwards to East. When the network between them swallows everything, West says so and closes the socket."""
    file = quick_folder / "tables.sqlite"
    east, west = (cluster.Node(name, quick_folder, str(file), None) for name in ("east", "west"))
    try:
        await east.open()
        await west.open()
        async with Client(east.worker.address) as there, Client(west.worker.address) as here:
            table, tokens = await table_of(there, "equinox", 2)
            line = await raw(here, table, tokens[0])
            assert line.welcome["type"] == "welcome"
            east.inside.set(HANG)
            told = await line.hear("bye", timeout=4 * cluster.LEASE)
            assert (told["type"], told["again"]) == ("bye", True)
            await line.ws.close()
    finally:
        await west.close()
        await east.close()
    assert faults(west.worker.log) == []
