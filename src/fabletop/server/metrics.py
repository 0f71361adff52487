"""Figures for Prometheus. Labels are few and fixed: no table, no seat, no address.

The workers of a machine share a port, so nobody can choose which of them is asked. Each therefore offers its figures to
the others, and the one that is asked answers for all of them.
"""

import asyncio
import logging
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import accumulate
from pathlib import Path

import msgspec
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from fabletop.server.tables.tokens import hashed

log = logging.getLogger("fabletop.server")
BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
SECONDS_TO_ANSWER = 1.0
"""A worker that takes longer is left out."""
ENDING = ".figures"
"""Tells the doors at which figures are offered from those through which connections are passed on."""


class Actions(Collector):
    """Actions carried out, and how long those of people took. Counted in plain numbers, since it is done with every
    move, and made into figures when somebody asks."""

    def __init__(self) -> None:
        self.by = {"person": 0, "bot": 0, "clock": 0}
        self.took = [0] * (len(BUCKETS) + 1)
        self.seconds = 0.0

    def person(self, seconds: float) -> None:
        """A person has acted, which took so long."""
        self.by["person"] += 1
        self.took[bisect_left(BUCKETS, seconds)] += 1
        self.seconds += seconds

    def collect(self) -> Iterator[Metric]:
        """The figures as the library wants them."""
        counts = CounterMetricFamily("fabletop_actions", "Actions carried out", labels=["by"])
        for who, count in self.by.items():
            counts.add_metric([who], count)
        yield counts
        limits = [*map(str, BUCKETS), "+Inf"]
        yield HistogramMetricFamily(
            "fabletop_action_seconds",
            "From the arrival of an action until it is durable and told",
            buckets=list(zip(limits, accumulate(self.took), strict=True)),
            sum_value=self.seconds,
        )


class Metrics:
    """The figures of one worker, in a registry of their own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.tables = Gauge("fabletop_tables", "Tables in memory", registry=self.registry)
        self.sockets = Gauge("fabletop_sockets", "Open sockets", registry=self.registry)
        self.made = Counter("fabletop_tables_made", "New tables", ["game"], registry=self.registry)
        self.actions = Actions()
        self.registry.register(self.actions)
        self.refused = Counter("fabletop_refused", "Requests refused", ["code"], registry=self.registry)
        self.load_seconds = Histogram(
            "fabletop_load_seconds", "Opening a table from the store", buckets=BUCKETS, registry=self.registry
        )
        self.dropped = Gauge(
            "fabletop_bots_dropped", "Bots that did not answer in time", registry=self.registry
        )
        self.faults = Counter("fabletop_faults", "Errors that should not happen", registry=self.registry)
        self.notices = Counter("fabletop_notices", "Notices sent", ["outcome"], registry=self.registry)

    def families(self) -> "list[Family]":
        """All of them, as they are now."""
        return [
            Family(m.name, m.type, m.documentation, [(s.name, dict(s.labels), s.value) for s in m.samples])
            for m in self.registry.collect()
        ]


class Family(msgspec.Struct, array_like=True):
    """A figure of one worker: a sample for each set of labels."""

    name: str
    kind: str
    says: str
    samples: list[tuple[str, dict[str, str], float]]


class Sheet(msgspec.Struct, array_like=True):
    """All figures of one worker."""

    worker: str
    families: list[Family]


class Machine:
    """The figures of all workers of this machine, each with the name of its worker."""

    def __init__(self, metrics: Metrics, worker: str, doors: Path | None) -> None:
        self.metrics = metrics
        self.worker = worker
        self._door = None if doors is None else doors / (hashed(worker)[:16] + ENDING)
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        """Offer our figures to the other workers: who connects gets them, and need say nothing."""
        if self._door is None:
            return
        try:
            self._door.unlink(missing_ok=True)  # of a worker of this name that was killed
            self._server = await asyncio.start_unix_server(self._tell, self._door)
        except OSError as error:
            log.warning("other workers cannot get the figures of this one: %s", error)

    def close(self) -> None:
        """Offer them no longer."""
        if self._door is not None and self._server is not None:
            self._server.close()
            self._door.unlink(missing_ok=True)

    async def text(self) -> bytes:
        """The figures of all workers that answer in time, as Prometheus reads them."""
        doors = [] if self._door is None else self._door.parent.glob("*" + ENDING)
        told = await asyncio.gather(*(_asked(door) for door in doors if door != self._door))
        sheets = [self._sheet(), *(sheet for sheet in told if sheet is not None)]
        return generate_latest(Joined(sorted(sheets, key=lambda sheet: sheet.worker)))

    def _sheet(self) -> Sheet:
        return Sheet(self.worker, self.metrics.families())

    def _tell(self, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(msgspec.json.encode(self._sheet()))
        writer.close()  # as soon as all is written


async def _asked(door: Path) -> Sheet | None:
    """What another worker tells; None where it is gone, or too slow."""
    try:
        async with asyncio.timeout(SECONDS_TO_ANSWER):
            cursor, writer = await asyncio.open_unix_connection(door)
            try:
                return msgspec.json.decode(await cursor.read(), type=Sheet)
            finally:
                writer.close()
    except (OSError, msgspec.DecodeError):  # the latter where it died while it was telling
        return None


class Joined(Collector):
    """Figures of several workers in one: every family once, every sample with the label `worker`."""

    def __init__(self, sheets: Iterable[Sheet]) -> None:
        self.sheets = list(sheets)

    def collect(self) -> Iterator[Metric]:
        """The figures as the library wants them."""
        # it belongs to no worker, so that it is the same series whichever was asked
        yield GaugeMetricFamily(
            "fabletop_workers_answered", "Workers of this machine whose figures these are", len(self.sheets)
        )
        joined: dict[str, Metric] = {}
        for sheet in self.sheets:
            for family in sheet.families:
                metric = joined.setdefault(family.name, Metric(family.name, family.says, family.kind))
                for name, labels, value in family.samples:
                    metric.add_sample(name, {**labels, "worker": sheet.worker}, value)
        yield from joined.values()
