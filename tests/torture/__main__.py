"""`make torture`: everything that must not lose a move, tried for minutes or hours.

    make torture ARGS="--minutes 30 --seed 7 --only power"

Clients play on real servers and record what they ask and what they are told, while
  power     the power fails on SQLite: what is not synced is lost, kept in part, or torn
  sweep     every call of the SQLite store that writes fails in turn: no space, I/O error, failed sync, short write
  errors    the same on a server with people at its tables; /readyz must tell the truth
  one       a single worker on SQLite is killed and stopped, and its clock jumps
  two       the same with two workers on one file, which are also cut off from each other
  postgres  two workers on PostgreSQL, which are also cut off from the database
Then every history is checked against the log: nothing lost, doubled, reordered or stale.

A finding's history is saved in build/torture/, with the command that repeats the trial. A seed repeats what is chosen
at random; it cannot repeat how the system schedules processes. The exit code is 1 where anything was found.
"""

import argparse
import asyncio
import contextlib
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.torture import cluster, trials
from tests.torture.checker import Finding
from tests.torture.preload import ROOT
from tests.torture.servers import new_folder
from tests.torture.tally import STUCK, Tally, table_of

Trial = Callable[[Path, str, float], Awaitable[Tally]]
TRIALS: dict[str, Trial] = {
    "power": trials.power,
    "sweep": trials.sweep,
    "errors": trials.errors,
    "one": cluster.sqlite_one,
    "two": cluster.sqlite_two,
    "postgres": cluster.postgres_two,
}
SECONDS = 20.0
"""Of one trial, without its set-up and its checks."""


def main() -> int:
    """Run trials until the time is up; the exit code."""
    parser = argparse.ArgumentParser(
        "make torture", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=10.0, help="how long (default 10)")
    parser.add_argument("--seed", type=int, help="the first seed; every round takes the next (default: any)")
    parser.add_argument("--only", choices=TRIALS, action="append", help="only this trial; can be repeated")
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"of one trial (default {SECONDS:g})")
    given = parser.parse_args()
    seed = random.SystemRandom().randrange(10**6) if given.seed is None else given.seed
    names = list(dict.fromkeys(given.only or TRIALS))
    tallies = {name: Tally() for name in names}
    with contextlib.suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(run(tallies, seed, given.minutes * 60, given.seconds))
    print(table_of(tallies))
    return 1 if any(tally.findings for tally in tallies.values()) else 0


async def run(tallies: dict[str, Tally], seed: int, seconds: float, each: float) -> None:
    """Round after round of all trials, until the time is up; at least one trial of each kind."""
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)  # its servers end with it
    names = list(tallies)
    deadline, first = time.monotonic() + seconds, seed
    while seed == first or time.monotonic() < deadline:
        for name in list(names):
            if seed > first and time.monotonic() > deadline:
                break
            began = time.monotonic()
            try:
                tally = await one(name, str(seed), each)
            except pytest.skip.Exception as reason:  # a program is missing, and this is not CI
                print(f"{name} is left out: {reason}", flush=True)
                names.remove(name)
                continue
            except (
                subprocess.SubprocessError
            ) as reason:  # such as a database that a busy machine cannot make in time
                print(f"{name} {seed} did not begin: {reason}", flush=True)
                continue
            tallies[name].tried += tally.tried
            tallies[name].findings += tally.findings
            say(name, seed, tally, time.monotonic() - began, each)
        seed += 1


async def one(name: str, seed: str, seconds: float) -> Tally:
    """One trial in a folder of its own."""
    folder = new_folder()
    try:
        return await TRIALS[name](folder, seed, seconds)
    except (AssertionError, OSError, TimeoutError) as error:  # such as a server that does not start
        return Tally(findings=[Finding(STUCK, "", f"the trial broke off: {error!r}")])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def say(name: str, seed: int, tally: Tally, seconds: float, each: float) -> None:
    """Print what a trial tried, and save what it found."""
    tried = ", ".join(f"{count:,} {what}" for what, count in tally.tried.items() if count)
    print(f"{name} {seed}: {tried} in {seconds:.0f} s: {len(tally.findings)} findings", flush=True)
    if not tally.findings:
        return
    path = ROOT / "build" / "torture" / f"{name}-{seed}.jsonl"
    tally.save(path)
    for finding in tally.findings[:5]:
        print(f"  {finding.kind}: {finding.table} {finding.text}")
    print(f"  saved in {path.relative_to(ROOT)}; again: make torture ARGS=", end="")
    print(f'"--only {name} --seed {seed} --seconds {each:g} --minutes 0"', flush=True)


if __name__ == "__main__":
    sys.exit(main())
