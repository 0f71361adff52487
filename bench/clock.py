"""Measuring: readings of processor time on one pinned core, taken in rounds so that all probes share the weather.

A machine that others use too gets slower and faster by the minute. So nothing is measured in one long go: every
round takes a short reading of every probe, and the best reading of each counts, which is the one that was disturbed
the least.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


class Reading(NamedTuple):
    """What was done in how much processor time: decisions with more than one option, and all of them.

    Probes that count something else (clones, replayed games) give the same number twice.
    """

    seconds: float
    real: float
    every: float

    @property
    def real_rate(self) -> float:
        """Decisions with more than one option per second."""
        return self.real / self.seconds

    @property
    def rate(self) -> float:
        """All decisions per second."""
        return self.every / self.seconds


Measure = Callable[[float], Reading]
"""Works for about this many seconds, and says what came of it."""


@dataclass(frozen=True)
class Probe:
    """Something to measure. `prepare` loads what it needs, once; ImportError from it means: not installed."""

    name: str
    prepare: Callable[[], Measure]


@dataclass
class Measured:
    """All readings by name of probe, one per round, and what could not be measured and why."""

    readings: dict[str, list[Reading]] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    def best(self, name: str) -> Reading | None:
        """The least disturbed reading of a probe; None if there is none."""
        taken = self.readings.get(name)
        return max(taken, key=lambda reading: reading.rate) if taken else None

    def best_of(self, names: Iterable[str]) -> dict[str, Reading]:
        """The best reading of each of these probes that was measured."""
        found = {name: self.best(name) for name in names}
        return {name: reading for name, reading in found.items() if reading is not None}


def pin() -> int | None:
    """Keep this process, and the ones it starts, on one core; which one, or None where that cannot be done."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    core = max(os.sched_getaffinity(0))  # the first core is where most machines handle their interrupts
    os.sched_setaffinity(0, {core})
    return core


def measure(
    probes: Sequence[Probe],
    *,
    rounds: int,
    seconds: float,
    tell: Callable[[str], None] = lambda _: None,
) -> Measured:
    """Take one reading of every probe per round, each of about `seconds`."""
    measured = Measured()
    ready: list[tuple[str, Measure]] = []
    for probe in probes:
        tell(f"preparing {probe.name}")
        try:
            ready.append((probe.name, probe.prepare()))
        except ImportError as error:
            measured.missing[probe.name] = str(error)
    gc.collect()
    gc.freeze()  # what one library keeps in memory must not slow the readings of another down
    for number in range(rounds):
        for name, take in ready:
            tell(f"round {number + 1} of {rounds}: {name}")
            gc.collect()
            measured.readings.setdefault(name, []).append(take(seconds))
    gc.unfreeze()
    tell("")
    return measured
