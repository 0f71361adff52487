"""The server is killed at random moments: no acknowledged action is lost, none is done twice, all are back in play."""

import asyncio
import contextlib
import os
import signal
from dataclasses import dataclass, field

import pytest

from fabletop import Chance
from fabletop.client import Client, Place
from fabletop.server.entries import Acted
from fabletop.server.postgres import PostgresStore
from fabletop.server.sqlite import SqliteStore
from tests.server.hall import Process, table_of

KILLS = int(os.environ.get("FABLETOP_KILLS", "4"))
"""How often; set it higher for a long trial."""


@dataclass
class Player:
    """Somebody who answers at random, and remembers what was acknowledged."""

    table: str
    seat: int
    place: Place
    chance: Chance
    acknowledged: list[str] = field(default_factory=list)

    def told(self) -> dict[str, object]:
        """What there is to say about somebody who does not get on."""
        place = self.place
        waits = list(place._unanswered)
        return {
            "seat": self.seat,
            "seq": place.seq,
            "choice": place.choice,
            "waits": waits,
            "error": place.error,
        }

    async def play(self, stop: asyncio.Event) -> None:
        """Until told to stop, or the game is over."""
        while not stop.is_set() and (choice := await self.place.next_choice()) is not None:
            action = self.chance.pick(choice["options"])
            await self.place.act(action)
            self.acknowledged.append(action)


async def people(client, stack, tables, seats):
    """Tables with a person in every seat, each at the end of a line of their own."""
    found = []
    for n in range(tables):
        game, options = (
            ("equinox", {}) if n % 3 else ("fairy_school", {"setup": "beginners", "length": "short"})
        )
        table, tokens = await table_of(client, game, seats, options=options)
        for seat, token in enumerate(tokens):
            place = await stack.enter_async_context(client.sit_at(table, token, patience=40))
            found.append(Player(table, seat, place, Chance(101 * n + seat)))
    return found


async def trial(address, disturb, *, tables, seats):
    """Play at many tables while `disturb` does its worst; then all must be back, and know what the server knows."""
    stop = asyncio.Event()
    async with Client(address) as client, contextlib.AsyncExitStack() as stack:
        players = await people(client, stack, tables, seats)
        tasks = [asyncio.ensure_future(player.play(stop)) for player in players]
        await disturb()
        before = [len(player.acknowledged) for player in players]
        deadline = asyncio.get_running_loop().time() + 40
        while stuck := [
            player
            for player, count in zip(players, before, strict=True)
            if len(player.acknowledged) <= count and not player.place.over
        ]:
            late = asyncio.get_running_loop().time() > deadline
            assert not late, f"not back in play: {[player.told() for player in stuck]}"
            await asyncio.sleep(0.02)
        stop.set()
        await asyncio.wait(tasks, timeout=2)
        for task in tasks:
            if task.done():
                task.result()  # a player that was refused anything fails the test
            task.cancel()  # those who wait for somebody that has stopped
        await asyncio.wait(tasks)
        for player in players:
            place = player.place
            told = await client.get(player.table, "view", place.token)
            await place.until(lambda place=place, told=told: place.seq == told["seq"], 10)
            assert place.story == (await client.get(player.table, "story", place.token))["events"]
            assert {**(place.choice or {}), "left": None} == {**(told["choice"] or {}), "left": None}
    return players


async def check_log(store, players):
    """In the log is what was acknowledged, once, in order; and at most the one action whose answer was not awaited."""
    await store.open()
    try:
        logs = {player.table: (await store.load(player.table)).entries for player in players}
    finally:
        await store.close()
    for player in players:
        acted = [
            entry for entry in logs[player.table] if isinstance(entry, Acted) and entry.seat == player.seat
        ]
        assert len({entry.id for entry in acted}) == len(acted), "no action is carried out twice"
        made, mine = [entry.action for entry in acted], player.acknowledged
        assert made[: len(mine)] == mine, "no acknowledged action is lost"
        assert len(made) <= len(mine) + 1


def killer(server, kills, seconds):
    """Kills the server again and again, at moments that hang on chance."""
    chance = Chance.from_text("kill")

    async def disturb():
        for _ in range(kills):
            await asyncio.sleep(seconds * (0.3 + chance.below(100) / 140))
            await server.kill()
            await server.start()

    return disturb


async def test_sqlite_survives_being_killed(tmp_path):
    file = tmp_path / "tables.sqlite"
    server = Process("--database", str(file))
    await server.start()
    try:
        players = await trial(server.address, killer(server, KILLS, 1.0), tables=24, seats=2)
    finally:
        await server.kill()
    assert sum(len(player.acknowledged) for player in players) > 200
    assert sum(player.place.reconnections for player in players) >= KILLS * 24
    await check_log(SqliteStore(file), players)


async def two_workers(postgres, redis):
    """A server with two workers on PostgreSQL and Redis, and its database."""
    address = await postgres.fresh()
    server = Process("--database", address, "--bus", redis.address, "--workers", "2")
    await server.start()
    return server, PostgresStore(address)


async def test_two_workers_on_postgres_survive_being_killed(postgres, redis):
    server, store = await two_workers(postgres, redis)
    chance = Chance.from_text("workers")

    async def disturb():
        for n in range(KILLS):
            await asyncio.sleep(0.5 + chance.below(100) / 100)
            if n % 2:  # everything at once
                await server.kill()
                await server.start()
            else:  # one worker, while the other goes on
                os.kill(chance.pick(server.workers()), signal.SIGKILL)

    try:
        players = await trial(server.address, disturb, tables=16, seats=2)
    finally:
        await server.kill()
    assert sum(len(player.acknowledged) for player in players) > 100
    await check_log(store, players)


@pytest.mark.parametrize("victim", ["postgres", "redis"])
async def test_the_database_and_the_bus_may_be_killed_while_playing(postgres, redis, victim):
    server, store = await two_workers(postgres, redis)
    service = postgres if victim == "postgres" else redis

    async def disturb():
        for _ in range(KILLS // 2):
            await asyncio.sleep(0.5)
            await asyncio.to_thread(service.stop)
            await asyncio.sleep(0.3)
            await asyncio.to_thread(service.start)
            await asyncio.sleep(0.5)

    try:
        players = await trial(server.address, disturb, tables=12, seats=2)
    finally:
        await server.kill()
    assert sum(len(player.acknowledged) for player in players) > 50
    await check_log(store, players)
