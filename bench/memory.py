"""`python -m bench.memory --minutes 60`: the memory of a server under a long steady load.

A real server process plays on loopback. At every table two people and a bot play at random, in all three languages;
people leave and come back in the middle of a game; a game that is over is followed by one at a new table, with other
names, and the old table is evicted. So tables, tokens, names and stories are new all the time while their number stays
the same: what still grows after a few minutes is never freed.

Prints the resident memory of the server (without its bot processes) every minute and the ratio of the end to the tenth
minute, and exits with 1 where that is above `--most`.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import secrets
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import aiohttp

from bench.loopback import Person, Running, made, resident, server

PEOPLE = 2
MINUTE = 60.0
SETTLED = 10
"""Minutes after which memory should not grow any more."""
STAYS = 60
"""Moves after which a person's socket is closed and another one opened."""
GAMES = ("equinox", "equinox", "fairy_school")
LANGUAGES = ("en", "fr", "de")
READINGS = 12
"""Readings of a minute; the median counts."""


class Load:
    """Tables that are played, and what has happened at them."""

    def __init__(self, at: Running, tables: int, rate: float) -> None:
        self.at = at
        self.tables = tables
        self.pause = tables / rate
        """Seconds between two moves of people at one table."""
        self.moves = 0
        self.games = 0
        self.faults: list[str] = []

    async def keep_playing(self, number: int, session: aiohttp.ClientSession) -> None:
        """One game after the other."""
        await asyncio.sleep(self.pause * random.random())
        while True:
            try:
                await self._game(number, session)
                self.games += 1
            except (aiohttp.ClientError, RuntimeError, TimeoutError) as error:
                self.faults.append(f"{type(error).__name__}: {error}")
                await asyncio.sleep(1)

    async def _game(self, number: int, session: aiohttp.ClientSession) -> None:
        names = [f"{name} {secrets.token_hex(3)}" for name in ("Ana", "Ben")]
        seats = [{"kind": "hot", "name": name} for name in names]
        body = {"game": GAMES[number % len(GAMES)], "seats": [*seats, {"kind": "bot", "level": "gretel"}]}
        table = await made(session, self.at.address, body)
        lang = LANGUAGES[number // len(GAMES) % len(LANGUAGES)]
        hello = {"table": table["table"], "token": table["token"], "lang": lang}
        await asyncio.gather(*(self._person(session, {**hello, "seat": seat}) for seat in range(PEOPLE)))

    async def _person(self, session: aiohttp.ClientSession, hello: dict[str, object]) -> None:
        person, status = Person(session, self.at.address), ""
        while status not in ("over", "closed"):
            status = await person.play(hello, self._next, STAYS)

    def _next(self) -> float:
        """Seconds before the next move."""
        self.moves += 1
        return self.pause * random.uniform(0.5, 1.5)


async def median_memory(pid: int, seconds: float) -> float:
    """The resident memory over a while in MB."""
    taken = []
    for _ in range(READINGS):
        await asyncio.sleep(seconds / READINGS)
        taken.append(resident(pid))
    return statistics.median(taken)


async def run(asked: argparse.Namespace) -> int:
    """Load a server, and watch it."""
    options = ["--open-limits", "--bot-pause", "0"]
    with tempfile.TemporaryDirectory() as folder:
        async with server(Path(folder) / "tables.sqlite", options) as at, aiohttp.ClientSession() as session:
            print(f"server {at.pid}: {resident(at.pid):.1f} MB at the start", flush=True)
            load = Load(at, asked.tables, asked.moves)
            players = [
                asyncio.create_task(load.keep_playing(number, session)) for number in range(asked.tables)
            ]
            try:
                curve = await watched(load, asked.minutes)
            finally:
                for task in players:
                    task.cancel()
                await asyncio.gather(*players, return_exceptions=True)
    for fault in load.faults[:5]:
        print(fault)
    settled = curve[min(SETTLED, len(curve)) - 1]
    ratio = curve[-1] / settled
    minutes = min(SETTLED, len(curve))
    print(
        f"{load.moves} moves, {load.games} games, {len(load.faults)} faults; {settled:.1f} MB after {minutes} minutes,"
        f" {curve[-1]:.1f} MB after {len(curve)}: ratio {ratio:.3f}"
    )
    return 0 if ratio <= asked.most and not load.faults else 1


async def watched(load: Load, minutes: int) -> list[float]:
    """The memory after each minute."""
    print("\n| minute | MB | moves/s | games ended |\n|---:|---:|---:|---:|", flush=True)
    curve: list[float] = []
    for minute in range(1, minutes + 1):
        moves, began = load.moves, time.monotonic()
        curve.append(await median_memory(load.at.pid, MINUTE))
        rate = (load.moves - moves) / (time.monotonic() - began)
        print(f"| {minute} | {curve[-1]:.1f} | {rate:.1f} | {load.games} |", flush=True)
    return curve


def main(given: Sequence[str] | None = None) -> int:
    """Run it."""
    parser = argparse.ArgumentParser(prog="bench.memory", description="Memory of a server under steady load.")
    parser.add_argument("--minutes", type=int, default=60, help="how long (60)")
    parser.add_argument("--tables", type=int, default=12, help="tables at a time (12)")
    parser.add_argument("--moves", type=float, default=40, help="moves of people a second, all in all (40)")
    parser.add_argument("--most", type=float, default=1.05, help="the ratio that is still good (1.05)")
    asked = parser.parse_args(given)
    os.nice(5)  # it leaves the processor to others; so does the server it starts
    return asyncio.run(run(asked))


if __name__ == "__main__":
    sys.exit(main())
