"""The server is killed at random moments: nothing acknowledged is lost, nothing is done twice, all are back in play."""

import asyncio
import contextlib
import os
import signal
from dataclasses import dataclass, field

import aiohttp

from fabletop import Chance
from fabletop.client import Client, Connection, RequestRefused
from fabletop.server.stores.entries import Acted, Undid
from fabletop.server.stores.postgres import PostgresStore
from fabletop.server.stores.sqlite import SqliteStore
from tests.server.hall import PATIENCE, Process, table_of

KILLS = int(os.environ.get("FABLETOP_KILLS", "5"))
"""How often; set it higher for a long trial."""
TAKEN_BACK = "taken back"
TOO_LATE = ("stale", "not_asked", "cannot_undo")
"""What somebody may be told where others were quicker: by an answer, or by taking back what led to the question."""


@dataclass
class Player:
    """Somebody who answers at random, talks, takes back, and remembers what was acknowledged."""

    table: str
    seat: int
    place: Connection
    chance: Chance
    acknowledged: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    lines: int = 0

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
            if await self._done(self.place.act(action)):
                self.acknowledged.append(action)
            if self.place.undo_barrier is None and self.chance.below(6) == 0:
                if await self._done(self.place.undo()):
                    self.acknowledged.append(TAKEN_BACK)
            if self.chance.below(10) == 0:
                await self._talk()

    async def _done(self, asked) -> bool:
        try:
            await asked
        except RequestRefused as refusal:
            if refusal.code not in TOO_LATE:
                raise
            return False
        return True

    async def _talk(self) -> None:
        """Say something; whoever is not answered does not know whether it was heard."""
        self.lines += 1
        text = f"{self.seat} says {self.lines}"
        with contextlib.suppress(aiohttp.ClientError, ConnectionError, TimeoutError, RequestRefused):
            await self.place.client.do(self.table, "chat", self.place.token, text=text)
            self.said.append(text)


async def people(client, stack, tables, seats, address=None):
    """Tables with people, each at the end of a line of their own; at some also a bot, and at some a clock. With an
    address, that is where their lines lead."""
    found = []
    door = client if address is None else await stack.enter_async_context(Client(address))
    for n in range(tables):
        game, options = ("equinox", {})
        if n % 3 == 0 and address is None:
            game, options = "fairy_school", {"setup": "beginners", "length": "short"}
        pace = {"kind": "move", "seconds": 60} if n % 4 == 2 else {"kind": "none"}
        if n % 4 == 1:
            made = await client.make(game, ["open"] * seats + ["bot"], name="Ana", options=options)
            table, tokens = made["table"], [made["token"]]
            for name in ("Ben", "Cleo")[: seats - 1]:
                tokens.append((await client.sit(table, name))["token"])
        else:
            table, tokens = await table_of(client, game, seats, options=options, pace=pace)
        for seat, token in enumerate(tokens):
            place = await stack.enter_async_context(door.connect(table, token, patience=120))
            found.append(Player(table, seat, place, Chance(101 * n + seat)))
    return found


async def trial(address, disturb, *, tables, seats, through=None):
    """Play at many tables while `disturb` does its worst; then all must be back, and know what the server knows. Where
    their lines lead `through` another server, they play to the end."""
    stop, clock = asyncio.Event(), asyncio.get_running_loop().time
    async with Client(address) as client, contextlib.AsyncExitStack() as stack:
        players = await people(client, stack, tables, seats, through)
        tasks = [asyncio.ensure_future(player.play(stop)) for player in players]
        await disturb()
        before = [len(player.acknowledged) for player in players]
        deadline = clock() + 120
        while stuck := [
            player
            for player, count in zip(players, before, strict=True)
            if (through or len(player.acknowledged) <= count) and not player.place.over
        ]:
            for task in tasks:
                if task.done():
                    task.result()  # a player that was refused anything fails the test
            assert clock() < deadline, f"not back in play: {[player.told() for player in stuck]}"
            await asyncio.sleep(0.02)
        stop.set()
        await asyncio.wait(tasks, timeout=2)
        for task in tasks:
            if task.done():
                task.result()
            task.cancel()  # those who wait for somebody that has stopped
        await asyncio.wait(tasks)
        for player in players:
            place = player.place
            known = await settled(client, player)
            await place.until(lambda place=place, known=known: agree(place, known), PATIENCE)
            assert place.story == known["events"]
            assert set(player.said) <= {line["text"] for line in place.chat} or len(place.chat) >= 100
    return players


async def settled(client, player):
    """What the server knows of a player's game, when the bots have come to rest."""
    for _ in range(200):
        told = await client.get(player.table, "view", player.place.token)
        story = await client.get(player.table, "story", player.place.token)
        again = await client.get(player.table, "view", player.place.token)
        if told["seq"] == again["seq"]:
            return {**again, **story}
        await asyncio.sleep(0.05)
    raise AssertionError("the table does not come to rest")


def agree(place, known):
    """Has the player been told what the server knows?"""
    here, there = ({**(choice or {}), "left": None} for choice in (place.choice, known["choice"]))
    return place.seq == known["seq"] and here == there


async def check_log(store, players):
    """In the log is what was acknowledged, once, in order; and at most the one thing whose answer was not awaited. What
    was said and acknowledged is there too."""
    await store.open()
    try:
        tables = {player.table for player in players}
        logs = {table: (await store.load(table)).entries for table in tables}
        chats = {table: await store.chat(table, 10_000) for table in tables}
    finally:
        await store.close()
    for player in players:
        own = [
            entry
            for entry in logs[player.table]
            if isinstance(entry, Acted | Undid) and entry.seat == player.seat and entry.id
        ]
        assert len({entry.id for entry in own}) == len(own), "nothing is carried out twice"
        made = [entry.action if isinstance(entry, Acted) else TAKEN_BACK for entry in own]
        mine = player.acknowledged
        assert made[: len(mine)] == mine, "nothing acknowledged is lost"
        assert len(made) <= len(mine) + 1
        chat = chats[player.table]
        assert len({line.n for line in chat}) == len(chat), "every line has a number of its own"
        texts = [line.text for line in chat if line.seat == player.seat]
        assert [text for text in player.said if texts.count(text) != 1] == [], "no acknowledged line is lost"


def killer(server, kills, seconds):
    """Kills the server again and again, at random moments."""
    chance = Chance.from_text("kill")

    async def disturb():
        for _ in range(kills):
            await asyncio.sleep(seconds * (0.3 + chance.below(100) / 140))
            await server.kill()
            await server.start()

    return disturb


def assert_varied(players):
    """They have also talked and taken back."""
    assert sum(len(player.said) for player in players) > 10
    assert sum(player.acknowledged.count(TAKEN_BACK) for player in players) > 5


async def test_sqlite_survives_being_killed(tmp_path):
    file = tmp_path / "tables.sqlite"
    server = Process("--database", str(file))
    await server.start()
    try:
        players = await trial(server.address, killer(server, KILLS, 0.8), tables=24, seats=2)
    finally:
        await server.kill()
    assert sum(len(player.acknowledged) for player in players) > 200
    assert sum(player.place.reconnections for player in players) >= KILLS * 24
    assert_varied(players)
    await check_log(SqliteStore(file), players)


async def two_workers(postgres):
    """A server with two workers on PostgreSQL, and its database."""
    address = await postgres.fresh()
    server = Process("--database", address, "--workers", "2")
    await server.start()
    return server, PostgresStore(address)


async def test_two_workers_on_postgres_survive_being_killed(postgres):
    server, store = await two_workers(postgres)
    chance = Chance.from_text("workers")

    async def disturb():
        for n in range(KILLS):
            await asyncio.sleep(0.3 + chance.below(100) / 140)
            if n % 2:  # everything at once
                await server.kill()
                await server.start()
            else:  # one worker, while the other goes on
                os.kill(chance.pick(server.workers()), signal.SIGKILL)

    try:
        players = await trial(server.address, disturb, tables=24, seats=2)
    finally:
        await server.kill()
    assert sum(len(player.acknowledged) for player in players) > 100
    assert_varied(players)
    await check_log(store, players)


async def test_the_database_may_be_killed_while_playing(postgres):
    server, store = await two_workers(postgres)

    async def disturb():
        for _ in range(KILLS // 2):
            await asyncio.sleep(0.5)
            await asyncio.to_thread(postgres.stop)
            await asyncio.sleep(0.2)
            await asyncio.to_thread(postgres.start)
            await asyncio.sleep(0.5)

    try:
        players = await trial(server.address, disturb, tables=12, seats=2)
    finally:
        await server.kill()
    assert sum(len(player.acknowledged) for player in players) > 50
    await check_log(store, players)


async def test_either_of_two_servers_may_stop_or_die_while_one_forwards_to_the_other(postgres):
    """East has the tables, everybody's socket leads to West: every message is forwarded."""
    address = await postgres.fresh()
    shared = ("--database", address)
    east, west = Process(*shared, "--name", "east"), Process(*shared, "--name", "west")
    await east.start()

    async def disturb():
        for n in range(KILLS // 2):
            await asyncio.sleep(0.6)
            if n % 2:  # the one that forwards
                await west.kill()
                await west.start()
            else:  # the owner stands still, for less than its lease and once for longer
                os.kill(east.process.pid, signal.SIGSTOP)
                await asyncio.sleep(1.0 if n else 9.0)
                os.kill(east.process.pid, signal.SIGCONT)
        await asyncio.sleep(0.5)

    try:
        await west.start()
        players = await trial(east.address, disturb, tables=8, seats=2, through=west.address)
    finally:
        await west.kill()
        await east.kill()
    acknowledged = sum(len(player.acknowledged) for player in players)
    assert all(player.place.over for player in players), "everybody ends the game"
    assert acknowledged > 400
    assert all(player.place.reconnections >= 1 for player in players)
    await check_log(PostgresStore(address), players)
