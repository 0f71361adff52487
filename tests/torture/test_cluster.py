"""Workers that are killed, stopped and cut off, with clocks that jump: every answer is right. The trial can fail."""

import asyncio
import contextlib

import pytest

from fabletop.client import Client, RequestRefused
from fabletop.server.stores.sqlite import SqliteStore
from tests.server.hall import raw, table_of
from tests.torture import cluster
from tests.torture.checker import STALE, check
from tests.torture.history import ACT, INVOKE, LOOK, OK, History
from tests.torture.logs import logs_of
from tests.torture.proxy import HANG
from tests.torture.servers import faults
from tests.torture.tally import ANSWERS, CUTS, JUMPS, KILLS, MOVES, STOPS


@pytest.mark.parametrize("trial", [cluster.sqlite_two, cluster.postgres_two])
async def test_two_workers_answer_rightly_whatever_happens_to_them(quick_folder, trial):
    tally = await trial(quick_folder, "3", 4)
    assert tally.findings == []
    assert sum(tally.tried[what] for what in (KILLS, STOPS, CUTS, JUMPS)) > 1
    assert tally.tried[MOVES] > 50
    assert tally.tried[ANSWERS] > tally.tried[MOVES]


@contextlib.asynccontextmanager
async def east_and_west(folder, **inner):
    """Two workers on one file, a client of each, and a table that East owns."""
    file = folder / "tables.sqlite"
    east, west = (cluster.Node(name, folder, str(file), None, **inner) for name in ("east", "west"))
    try:
        await east.open()
        await west.open()
        async with Client(east.worker.address) as there, Client(west.worker.address) as here:
            yield east, there, here, *await table_of(there, "equinox", 2)
    finally:
        await west.close()
        await east.close()
    assert faults(east.worker.log) + faults(west.worker.log) == []


async def patient(ask):
    """Ask until there is an answer, and it is not `busy`."""
    async with asyncio.timeout(30):
        while True:
            try:
                return await asyncio.wait_for(ask(), 1)
            except TimeoutError:
                pass
            except RequestRefused as refusal:
                if refusal.code not in ("busy", "moved"):
                    raise
            await asyncio.sleep(0.1)


@pytest.mark.parametrize("forever", [False, True])
async def test_a_worker_that_answers_from_memory_past_its_lease_is_found(quick_folder, forever):
    """East stands still for longer than its lease. West takes over, and a move is made there; then East goes on."""
    history = History()
    async with east_and_west(quick_folder, forever=forever) as (east, there, here, table, tokens):
        views = [await there.get(table, "view", token) for token in tokens]
        seat = next(seat for seat, view in enumerate(views) if view["choice"])
        east.worker.stop()
        await patient(lambda: here.get(table, "view", tokens[seat]))
        async with here.connect(table, tokens[seat]) as place:
            action = place.choice["options"][0]
            history.note("Ana", 1, table, seat, INVOKE, ACT, "a1", action)
            await place.act(action, id="a1")
            history.note("Ana", 1, table, seat, OK, ACT, "a1", action)
        east.worker.go_on()
        history.note("Ben", 0, table, seat, INVOKE, LOOK, "look")
        told = await patient(lambda: there.get(table, "view", tokens[seat]))
        history.note("Ben", 0, table, seat, OK, LOOK, "look", seq=told["seq"])
    findings = check(history.events, await logs_of(SqliteStore(quick_folder / "tables.sqlite")))
    assert [finding.kind for finding in findings] == ([STALE] if forever else [])


async def test_a_client_is_told_when_the_worker_behind_its_own_falls_silent(quick_folder):
    """West forwards to East. When the network between them swallows everything, West says so and closes the socket."""
    async with east_and_west(quick_folder) as (east, there, here, table, tokens):
        await there.get(table, "view", tokens[0])  # now East owns it
        line = await raw(here, table, tokens[0])
        assert line.welcome["type"] == "welcome"
        east.inside.set(HANG)
        told = await line.hear("bye", timeout=4 * cluster.LEASE)
        assert (told["type"], told["again"]) == ("bye", True)
        await line.ws.close()
