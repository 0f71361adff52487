"""Figures for Prometheus. Labels are few and fixed: no table, no seat, no address."""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


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

    def text(self) -> bytes:
        """As Prometheus reads it."""
        return generate_latest(self.registry)
