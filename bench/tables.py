"""`python -m bench.tables`: the moves a second that the server holds, compared with boardgame.io in the same run.

Each server gets one core, the client another; several workers share all cores with the client. Four seats a table,
every seat a socket of its own.

    saturation   100 tables, the next move as soon as the one before is published: moves a second, and how long each
                 took
    held         more and more tables, as long as 99 of 100 moves take less than 50 ms: first with the next move as soon
                 as the one before is published, then with a move a second at each table
    steady       1,000 tables, a move a second at each: how long each took

Ours plays Equinox by its full rules and stores every move durably (SQLite, synced) before it is published; the peer
plays a card game of a few lines in memory. Needs `picows` and, for the peer, node and npm; its packages go into
build/bench.

`--other PYTHON` compares with the server of another checkout instead, started with that checkout's Python. Both run all
the time and play in turns, so that they share the machine's good and bad seconds; nothing is written:

    python -m bench.tables --other ../before/.venv/bin/python --rounds 3
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import uvloop
from picows import ws_connect

from bench.players import SEATS, Count, Line, OurTable, PeerTable

ROOT = Path(__file__).resolve().parent.parent
PEER = ROOT / "bench" / "boardgame_io"
BUILT = ROOT / "build" / "bench" / "boardgame_io"
PAGE = ROOT / "docs" / "benchmarks-tables.md"
TEXT = """# The server compared with boardgame.io

Written by `{command}` (see [serving](serving.md)).

Both servers on the same machine in the same run, in turns: each has one core, the client another; several workers share
all cores with the client. Four seats a table, every seat a socket of its own. Ours plays Equinox by its full rules,
sends every viewer its own view with every move (`--view-gap 0`; usually a viewer gets about four a second at most, and
the events of every move), and has every move durably in SQLite (synced) before it is published; boardgame.io
plays a card game of a few lines in memory, of as many moves as a game of ours. Its state is cut for each player as ours
is, by a `playerView`. Short trials are made several times; the lines say the medians. The last column says how much of
the two cores others took meanwhile, other programs or the host of a virtual machine.{brief}
"""
BRIEF = " The trials that look for the most tables were left out (`--brief`)."
PAGE_SIZE = os.sysconf("SC_PAGE_SIZE")
TICK = os.sysconf("SC_CLK_TCK")


@dataclass
class Reading:
    """What one trial showed."""

    server: str
    trial: str
    moves: float
    """a second"""
    waits: list[float]
    cpu: float
    """Seconds of the server's processor per move."""
    memory: float
    """MB resident."""
    others: float
    """Cores that other processes or the machine's host used meanwhile: a measure of how quiet the machine was."""

    def at(self, share: float) -> float:
        """A quantile of the waits, in milliseconds."""
        return (
            1000 * sorted(self.waits)[min(len(self.waits) - 1, int(share * len(self.waits)))]
            if self.waits
            else 0.0
        )

    def row(self) -> str:
        """As a line of a table."""
        return (
            f"| {self.server} | {self.trial} | {self.moves:,.0f} | {self.at(0.5):.1f} | {self.at(0.99):.1f} |"
            f" {1e6 * self.cpu:.0f} | {self.memory:.0f} | {self.others:.2f} |"
        )


OURS, THEIRS, OTHER = "Fabletop", "boardgame.io", "the other checkout"
SATURATED, STEADY = "tables, as fast", "tables, a move every"
"""Parts of the names of these trials."""
HELD_FAST = "p99 under 50 ms, as many tables as fast as it goes"
HELD = "p99 under 50 ms, as many tables with a move a second"
LESS_IS_BETTER = ("µs", "p50", "p99")
SHORT_TURNS = 3
"""How often a short trial is made in a round: a machine's bad second must not decide."""
LONGER = 2
"""A reading with a move a second at each table is this many times as long: it has few moves, and what waits while the
machine stands still for a tenth of a second must not be the hundredth of them."""
TRIES = 3
"""How often a number of tables is tried before it counts as too many, for the same reason."""
Trial = Callable[[str, Any, tuple[str, list[int]]], Awaitable[Reading]]
HEAD = (
    "| server | trial | moves/s | p50 ms | p99 ms | server µs/move | MB | others' cores |\n"
    + "|---" * 8
    + "|"
)


# ---------------------------------------------------------------------------------------------- processes


def cpu_seconds(pids: Sequence[int]) -> float:
    """Processor time of processes so far."""
    total = 0.0
    for pid in pids:
        with contextlib.suppress(OSError):  # it has ended
            # the clock of clock_getcpuclockid(3): nanoseconds, where /proc counts hundredths of a second
            total += time.clock_gettime(~pid << 3 | 2)
    return total


def busy_seconds() -> float:
    """Processor time of the whole machine so far, with what its host gave to others, without what was idle."""
    user, nice, system, _, _, irq, soft, stolen, *_ = map(
        int, Path("/proc/stat").read_text().split("\n")[0].split()[1:]
    )
    return (user + nice + system + irq + soft + stolen) / TICK


def resident(pids: Sequence[int]) -> float:
    """Memory of processes in MB."""
    total = 0
    for pid in pids:
        with contextlib.suppress(FileNotFoundError):
            total += int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return total * PAGE_SIZE / 1e6


@contextlib.asynccontextmanager
async def process(
    command: Sequence[str], ready: str, cores: set[int], cwd: Path = ROOT
) -> AsyncIterator[tuple[int, str]]:
    """A server on one core; gives its process and the line in which it says that it is ready."""
    started = await asyncio.create_subprocess_exec(
        *command,
        stdout=asyncio.subprocess.PIPE,
        cwd=cwd,
        env={**os.environ, "NODE_ENV": "production", "NODE_PATH": str(BUILT / "node_modules")},
        preexec_fn=lambda: os.sched_setaffinity(0, cores),
    )
    assert started.stdout is not None
    try:
        while ready not in (line := (await asyncio.wait_for(started.stdout.readline(), 60)).decode()):
            if not line:
                raise RuntimeError(f"{command[0]} ended before it was ready")
        yield started.pid, line
    finally:
        started.terminate()
        try:
            await asyncio.wait_for(started.wait(), 20)
        except TimeoutError:
            started.kill()
            await started.wait()


# ---------------------------------------------------------------------------------------------- trials


class Crowd:
    """Tables at one server that play on, and how long their moves take."""

    def __init__(
        self, kind: type[OurTable] | type[PeerTable], at: tuple[str, list[int]], pause: float | None
    ) -> None:
        self.kind = kind
        self.address, self.pids = at
        self.count = Count(pause)
        self.tables: list[OurTable | PeerTable] = []

    async def __aenter__(self) -> Crowd:
        self.session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=20))
        return self

    async def __aexit__(self, *_: object) -> None:
        self.count.going = False
        await asyncio.sleep(0.3)
        for table in self.tables:
            for line in table.lines:
                if line.transport is not None:
                    line.transport.disconnect()
        await asyncio.sleep(0.5)
        await self.session.close()

    async def grow(self, to: int) -> None:
        """Open more tables while the others rest; then let all of them get going."""
        self.rest()
        new = [self.kind(self.address, self.session, self.count) for _ in range(to - len(self.tables))]
        for start in range(0, len(new), 20):
            await asyncio.gather(*(table.open() for table in new[start : start + 20]))
        self.tables += new
        await asyncio.sleep(1.0)
        await self.go()

    def rest(self) -> None:
        """Make no more moves for now."""
        self.count.rest()

    async def go(self) -> None:
        """Let all tables get going."""
        self.count.begin()
        await asyncio.sleep(1.5)

    async def reading(self, name: str, trial: str, seconds: float) -> Reading:
        """Count for a while."""
        count = self.count
        before = cpu_seconds(self.pids), busy_seconds(), cpu_seconds([os.getpid()]), time.perf_counter()
        count.moves, count.waits, count.counting = 0, [], True
        await asyncio.sleep(seconds)
        count.counting = False
        lasted = time.perf_counter() - before[3]
        used, own = cpu_seconds(self.pids) - before[0], cpu_seconds([os.getpid()]) - before[2]
        others = (busy_seconds() - before[1] - used - own) / lasted
        rate, cost = count.moves / lasted, used / max(1, count.moves)
        return Reading(name, trial, rate, count.waits, cost, resident(self.pids), others)


async def tried(
    name: str, kind: Any, at: tuple[str, list[int]], tables: int, pause: float | None, seconds: float
) -> Reading:
    """N tables."""
    async with Crowd(kind, at, pause) as crowd:
        await crowd.grow(tables)
        return await crowd.reading(name, named(tables, pause), seconds)


def named(tables: int, pause: float | None) -> str:
    """The name of a trial."""
    return f"{tables} tables, " + ("as fast as it goes" if pause is None else f"a move every {pause:g} s")


async def held(
    name: str, kind: Any, at: tuple[str, list[int]], step: int, pause: float | None, seconds: float
) -> Reading:
    """The most tables whose moves take less than 50 ms, 99 of 100: each time a fifth more, but at least `step`; so many
    that miss it each time end it. Growing by a share is as fine for the slower server as for the faster."""
    trial = HELD_FAST if pause is None else HELD
    best = Reading(name, trial, 0.0, [], 0.0, 0.0, 0.0)
    async with Crowd(kind, at, pause) as crowd:
        while True:
            tables = len(crowd.tables)
            await crowd.grow(tables + max(step, tables // 5))
            for _ in range(TRIES):
                now = await crowd.reading(name, trial, seconds)
                if now.at(0.99) < 50 and (pause is None or now.moves > 0.9 * len(crowd.tables) / pause):
                    best = now
                    break
            else:
                return best


async def in_turns(
    servers: Mapping[str, tuple[str, list[int]]], tables: int, pause: float | None, seconds: float, turns: int
) -> AsyncIterator[Reading]:
    """N tables at each of several servers of ours; one server plays while the others rest."""
    what = named(tables, pause)
    async with contextlib.AsyncExitStack() as stack:
        crowds = {
            name: await stack.enter_async_context(Crowd(OurTable, at, pause)) for name, at in servers.items()
        }
        for crowd in crowds.values():
            await crowd.grow(tables)
            crowd.rest()
        for _ in range(turns):
            for name, crowd in crowds.items():
                await asyncio.sleep(0.5)
                await crowd.go()
                yield await crowd.reading(name, what, seconds)
                crowd.rest()


def free_port() -> int:
    """A port that nobody listens on."""
    import socket

    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextlib.asynccontextmanager
async def ours(
    folder: Path, cores: set[int], workers: int = 1, python: str = sys.executable
) -> AsyncIterator[tuple[str, list[int]]]:
    """Our server, on a database of its own; that of another checkout with its `python`."""
    command = [python, "-m", "fabletop", "serve", "--port", "0", "--open-limits", "--log", "error"]
    command += ["--view-gap", "0"]  # every update carries its view, as the peer's does
    command += ["--database", str(folder / f"{time.monotonic_ns()}.sqlite")]
    if workers > 1:
        command += ["--workers", str(workers)]
    async with process(command, "Fabletop is at", cores) as (pid, line):
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        yield line.split()[3].rstrip(","), [pid, *map(int, children)]


@contextlib.asynccontextmanager
async def peer(cores: set[int]) -> AsyncIterator[tuple[str, list[int]]]:
    """The boardgame.io server."""
    port = free_port()
    async with process(["node", str(BUILT / "server.cjs"), str(port)], "ready", cores, BUILT) as (pid, _):
        yield f"http://127.0.0.1:{port}", [pid]


def install_peer() -> str:
    """Install boardgame.io under build/; says what is missing, or nothing."""
    if not shutil.which("node") or not shutil.which("npm"):
        return "boardgame.io was left out: node and npm are needed"
    BUILT.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "server.cjs"):
        shutil.copyfile(PEER / name, BUILT / name)
    if not (BUILT / "node_modules" / "boardgame.io").exists():
        told = subprocess.run(  # noqa: PLW1510 - said in words below
            ["npm", "install", "--no-audit", "--no-fund", "--omit=optional"],
            cwd=BUILT,
            capture_output=True,
            text=True,
        )
        if told.returncode:
            return f"boardgame.io was left out: npm failed ({told.stderr.strip().splitlines()[-1:]})"
    return ""


async def idle_memory(folder: Path, cores: set[int]) -> tuple[float, float]:
    """kB for a table that nobody looks at (just opened) and for a socket."""
    async with ours(folder, cores) as (address, pids), aiohttp.ClientSession() as session:
        body = {"game": "equinox", "seats": [{"kind": "hot", "name": f"N{n}"} for n in range(SEATS)]}
        made = []
        for _ in range(50):
            async with session.post(f"{address}/api/tables", json=body) as answer:
                made.append(await answer.json())
        start = resident(pids)
        for _ in range(1000):
            async with session.post(f"{address}/api/tables", json=body) as answer:
                made.append(await answer.json())
        for one in made[50:]:
            async with session.get(f"{address}/api/tables/{one['table']}") as answer:
                await answer.read()
        tables = resident(pids)
        lines = []
        for n in range(2000):
            one = made[50 + n % 1000]
            _, line = await ws_connect(lambda: Line(lambda data: None), f"ws{address[4:]}/ws")
            assert isinstance(line, Line)
            line.say(
                json.dumps(
                    {"type": "hello", "table": one["table"], "token": one["token"], "seat": n % 4}
                ).encode()
            )
            lines.append(line)
        await asyncio.sleep(2)
        sockets = resident(pids)
        for line in lines:
            if line.transport is not None:
                line.transport.disconnect()
    return tables - start, (sockets - tables) / 2


async def run(asked: argparse.Namespace) -> int:
    """All trials, the servers in turns, so that they share the machine's good and bad minutes."""
    this = asyncio.current_task()
    assert this is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, this.cancel)  # the servers end with us
    cores = sorted(os.sched_getaffinity(0))
    if asked.other:
        return await compared(asked, cores)
    missing = install_peer() if not asked.ours else "boardgame.io was left out"
    server, client = {cores[0]}, {cores[-1]}
    small, step, large = (20, 50, 100) if asked.quick else (100, 100, 1000)
    seconds = asked.seconds or (2 if asked.quick else 6)
    turns = 1 if asked.quick else SHORT_TURNS
    most: list[Trial] = [
        lambda name, kind, at: held(name, kind, at, step // 20, None, seconds / 2),
        lambda name, kind, at: held(name, kind, at, step, 1.0, LONGER * seconds),
    ]
    trials: list[Trial] = [
        *[lambda name, kind, at: tried(name, kind, at, small, None, seconds)] * turns,
        *([] if asked.brief else most),
        *[lambda name, kind, at: tried(name, kind, at, large, 1.0, seconds)] * turns,
    ]
    readings: list[Reading] = []

    def note(reading: Reading) -> None:
        readings.append(reading)
        print(reading.row(), flush=True)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for trial in trials * asked.rounds:
            os.sched_setaffinity(0, client)
            async with ours(folder, server) as at:
                note(await trial(OURS, OurTable, at))
            if not missing:
                async with peer(server) as at:
                    note(await trial(THEIRS, PeerTable, at))
            if asked.workers > 1:
                os.sched_setaffinity(0, cores)
                async with ours(folder, set(cores), asked.workers) as at:
                    note(await trial(f"{OURS}, {asked.workers} workers", OurTable, at))
        table_kb, socket_kb = await idle_memory(folder, server)
    said = f"- memory: {table_kb:.1f} kB for an open table, {socket_kb:.1f} kB for a socket\n"
    said += missing or summary(readings)
    print(f"\n{said}")
    if asked.write and not missing:
        rows = "\n".join(reading.row() for reading in readings)
        text = TEXT.format(command=asked.command, brief=BRIEF if asked.brief else "")
        PAGE.write_text(f"{text}\n{said}\n\n{HEAD}\n{rows}\n", encoding="utf-8")
    return 0


async def compared(asked: argparse.Namespace, cores: Sequence[int]) -> int:
    """Our server and that of another checkout, in turns."""
    small, large = (20, 100) if asked.quick else (100, 500)
    seconds, turns = asked.seconds or 2.0, SHORT_TURNS * asked.rounds
    os.sched_setaffinity(0, {cores[-1]})
    readings: list[Reading] = []
    with tempfile.TemporaryDirectory() as name:
        folder, core = Path(name), {cores[0]}
        async with ours(folder, core, python=asked.other) as other, ours(folder, core) as here:
            for trial, tables, pause in (("saturation", small, None), ("steady", large, 1.0)):
                if asked.only not in (None, trial):
                    continue
                async for reading in in_turns({OTHER: other, OURS: here}, tables, pause, seconds, turns):
                    readings.append(reading)
                    print(reading.row(), flush=True)
    print(f"\n{summary(readings, OTHER)}")
    return 0


def summary(readings: Sequence[Reading], peer: str = THEIRS) -> str:
    """How ours, with one worker or several, compares with the peer: medians over the rounds."""
    tables = next((int(r.trial.split()[0]) for r in readings if STEADY in r.trial), 0)
    figures: list[tuple[str, str, Callable[[Reading], float]]] = [
        ("µs of the server's processor per move at saturation", SATURATED, lambda r: 1e6 * r.cpu),
        (f"µs of the server's processor per move at {tables:,} tables", STEADY, lambda r: 1e6 * r.cpu),
        ("moves a second at saturation", SATURATED, lambda r: r.moves),
        ("p50 in ms at saturation", SATURATED, lambda r: r.at(0.5)),
        ("p99 in ms at saturation", SATURATED, lambda r: r.at(0.99)),
        ("moves a second with p99 under 50 ms, as fast as it goes", HELD_FAST, lambda r: r.moves),
        ("moves a second with p99 under 50 ms, one a second at each table", HELD, lambda r: r.moves),
        (f"p50 in ms at {tables:,} tables with a move a second each", STEADY, lambda r: r.at(0.5)),
        (f"p99 in ms at {tables:,} tables with a move a second each", STEADY, lambda r: r.at(0.99)),
    ]
    lines = []
    for what, trial, figure in figures:
        those = [r for r in readings if trial in r.trial]
        if not those:
            continue
        middle = {
            server: max(0.1, statistics.median(figure(r) for r in those if r.server == server))
            for server in dict.fromkeys(r.server for r in those)
        }
        theirs = middle.pop(peer)
        ratios = [
            f"{shown(ours)} ({server}, {max(ours, theirs) / min(ours, theirs):.2f} to one"
            f"{'' if (ours < theirs) == what.startswith(LESS_IS_BETTER) else ' the other way'})"
            for server, ours in middle.items()
        ]
        lines.append(f"- {what}: {', '.join(ratios)}; {peer} {shown(theirs)}")
    return "\n".join(lines)


def shown(figure: float) -> str:
    """A figure with three digits at least."""
    return f"{figure:,.0f}" if figure >= 100 else f"{figure:.1f}"


def main(given: Sequence[str] | None = None) -> int:
    """Run it."""
    parser = argparse.ArgumentParser(
        prog="bench.tables", description="The server compared with boardgame.io."
    )
    parser.add_argument("--quick", action="store_true", help="few tables, short: a look, not a measurement")
    parser.add_argument(
        "--brief", action="store_true", help="leave out the trials that look for the most tables"
    )
    parser.add_argument("--ours", action="store_true", help="leave the peer out")
    parser.add_argument("--other", metavar="PYTHON", help="compare with the checkout whose Python this is")
    parser.add_argument("--only", choices=("saturation", "steady"), help="one trial, with --other")
    parser.add_argument("--workers", type=int, default=1, help="also with this number of workers")
    parser.add_argument("--rounds", type=int, default=1, help="how often (1)")
    parser.add_argument("--seconds", type=float, help="how long each trial counts (6, quick 2)")
    parser.add_argument("--write", action="store_true", help=f"renew docs/{PAGE.name}")
    asked = parser.parse_args(given)
    asked.command = " ".join(["python -m bench.tables", *(sys.argv[1:] if given is None else given)])
    gc.disable()  # with thousands of sockets a collection here would be measured as a wait of the server's
    print(HEAD, flush=True)
    return uvloop.run(run(asked))


if __name__ == "__main__":
    sys.exit(main())
