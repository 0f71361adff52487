"""`python -m bench.fairness`: how long bots keep people waiting while one address asks for all the thinking it can get.

A real server process with its usual limits plays on loopback. Addresses come from X-Forwarded-For, so that one machine
can be many. At tables of other addresses one person each plays against a friendly bot (`gretel`), or a strong one
(`queen`). Meanwhile one address does nothing, or asks for hints at twenty tables all the time, or watches thirty tables
of five queens. A bot's wait is the time from the message after which it is the bot's turn to the next one, pause
included. The usual pause is 0.4 s; with `--bot-pause 0` one sees what the server needs.

Exits with 1 where the median wait for `gretel` is above `--most`.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

import aiohttp

from bench.loopback import Person, Running, made, server

TABLES, QUEENS = 30, 5
HINTS = 20
OTHERS = {"gretel": 8, "queen": 2}
"""Tables of other addresses against a bot of each level."""
GREEDY = "198.51.100.1"
"""The address that asks for everything."""
THINKS = 0.3
"""Seconds that a person thinks."""
SETTLES = 3.0
"""Seconds before the waits are counted."""
AT_ONCE = 0.1
"""Seconds between two tables of one address: the usual limits allow that."""


class Waits:
    """How long the bots at one person's table kept it waiting."""

    def __init__(self) -> None:
        self.taken: list[float] = []
        self.counting = False
        self._since: float | None = None
        self._choice: Any = None
        self._playing = False

    def hear(self, said: dict[str, Any]) -> None:
        """A message has come."""
        if "table" in said:
            self._playing = said["table"]["status"] == "playing"
        if said["type"] not in ("welcome", "update"):
            return
        now = time.perf_counter()
        if self._since is not None and self.counting:
            self.taken.append(now - self._since)
        self._choice = said.get("choice", self._choice)
        self._since = now if self._playing and self._choice is None else None

    def hang(self) -> None:
        """The trial ends: who still waits has waited so long at least."""
        if self._since is not None and self.counting and time.perf_counter() - self._since > 1.0:
            self.taken.append(time.perf_counter() - self._since)


def header(address: str) -> dict[str, str]:
    """A request from this address."""
    return {"X-Forwarded-For": address}


async def plays(session: aiohttp.ClientSession, at: Running, address: str, level: str, waits: Waits) -> None:
    """A person at an address plays against one bot, one game after the other."""
    while True:
        body = {"game": "equinox", "seats": [{"kind": "hot", "name": "Ana"}, {"kind": "bot", "level": level}]}
        table = await made(session, at.address, body, header(address))
        person = Person(session, at.address, header(address), waits.hear)
        await person.play({"table": table["table"], "token": table["token"]}, lambda: THINKS)


async def nothing(_: aiohttp.ClientSession, __: Running) -> list[Coroutine[Any, Any, None]]:
    """The greedy address is quiet."""
    return []


async def queens(session: aiohttp.ClientSession, at: Running) -> list[Coroutine[Any, Any, None]]:
    """The greedy address watches tables of queens."""

    async def watch(table: str) -> None:
        async with session.ws_connect(f"{at.address}/ws", headers=header(GREEDY), max_msg_size=0) as ws:
            await ws.send_json({"type": "hello", "table": table})
            async for _ in ws:
                pass

    body = {"game": "equinox", "seats": [{"kind": "bot", "level": "queen"}] * QUEENS}
    return [watch(await _made_slowly(session, at, body)) for _ in range(TABLES)]


async def hints(session: aiohttp.ClientSession, at: Running) -> list[Coroutine[Any, Any, None]]:
    """The greedy address asks for hints, again and again."""

    async def ask(table: str) -> None:
        for number in itertools.count():
            verb = f"{at.address}/api/tables/{table}/hint"
            async with session.post(
                verb, json={"id": f"{number}"}, headers={**header(GREEDY), **bearer[table]}
            ) as answer:
                await answer.read()
            await asyncio.sleep(1.0)

    body = {"game": "equinox", "seats": [{"kind": "hot"}, {"kind": "bot"}], "options": {"first": 0}}
    bearer: dict[str, dict[str, str]] = {}
    for _ in range(HINTS):
        table = await made(session, at.address, body, header(GREEDY))
        bearer[table["table"]] = {"Authorization": f"Bearer {table['token']}"}
        await asyncio.sleep(AT_ONCE)
    return [ask(table) for table in bearer]


async def _made_slowly(session: aiohttp.ClientSession, at: Running, body: dict[str, Any]) -> str:
    table = await made(session, at.address, body, header(GREEDY))
    await asyncio.sleep(AT_ONCE)
    return str(table["table"])


Burden = Callable[[aiohttp.ClientSession, Running], Coroutine[Any, Any, list[Coroutine[Any, Any, None]]]]
TRIALS: dict[str, Burden] = {
    "nothing else": nothing,
    f"hints at {HINTS} tables": hints,
    f"{TABLES} tables of {QUEENS} queens": queens,
}


@contextlib.asynccontextmanager
async def running(work: Sequence[Coroutine[Any, Any, None]]) -> AsyncIterator[list[asyncio.Task[None]]]:
    """Work in the background while this lasts."""
    tasks = [asyncio.ensure_future(one) for one in work]
    try:
        yield tasks
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def tried(burden: Burden, pause: float, seconds: float) -> dict[str, list[float]]:
    """The waits for the bots of each level under a burden."""
    options = ["--behind-proxy", "--bot-pause", str(pause)]
    numbers = itertools.count(1)
    waits = {level: [Waits() for _ in range(tables)] for level, tables in OTHERS.items()}
    connector = aiohttp.TCPConnector(limit=0)
    with tempfile.TemporaryDirectory() as folder:
        async with (
            server(Path(folder) / "tables.sqlite", options) as at,
            aiohttp.ClientSession(connector=connector) as session,
            running(await burden(session, at)) as burdens,
            running(
                [
                    plays(session, at, f"203.0.113.{next(numbers)}", level, one)
                    for level in OTHERS
                    for one in waits[level]
                ]
            ) as players,
        ):
            await asyncio.sleep(SETTLES)
            every = [one for level in OTHERS for one in waits[level]]
            for one in every:
                one.counting = True
            await asyncio.sleep(seconds)
            for one in every:
                one.hang()
                one.counting = False
            for task in (*burdens, *players):
                if task.done():
                    task.result()  # it ended too early: say why
    return {level: sorted(wait for one in waits[level] for wait in one.taken) for level in OTHERS}


async def run(asked: argparse.Namespace) -> int:
    """All trials."""
    print(f"bot pause {asked.bot_pause:g} s\n")
    print("| one address asks for | level of the others' bot | moves | median s | p95 s | longest s |")
    print("|---|---|---:|---:|---:|---:|", flush=True)
    good = True
    for name, burden in TRIALS.items():
        for level, waits in (await tried(burden, asked.bot_pause, asked.seconds)).items():
            middle, late, longest = (
                waits[min(len(waits) - 1, int(q * len(waits)))] if waits else float("inf")
                for q in (0.5, 0.95, 1.0)
            )
            print(
                f"| {name} | {level} | {len(waits)} | {middle:.2f} | {late:.2f} | {longest:.2f} |", flush=True
            )
            good &= level != "gretel" or middle <= asked.most
    return 0 if good else 1


def main(given: Sequence[str] | None = None) -> int:
    """Run it."""
    parser = argparse.ArgumentParser(prog="bench.fairness", description="Bots' waits while one address asks.")
    parser.add_argument("--seconds", type=float, default=20, help="how long each trial counts (20)")
    parser.add_argument("--bot-pause", type=float, default=0.4, help="the server's pause (0.4)")
    parser.add_argument("--most", type=float, default=0.5, help="the median wait that is still good (0.5)")
    return asyncio.run(run(parser.parse_args(given)))


if __name__ == "__main__":
    sys.exit(main())
