"""Metrics for Prometheus. Labels are few and fixed: no table, no seat, no address.

The workers of a machine share a port, so nobody can choose which of them is asked. The one that is asked therefore gets
the metrics of the others over their internal listeners, and answers for all of them.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from itertools import accumulate

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector

BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
SECONDS_TO_COLLECT = 1.0
"""A worker that takes longer is left out."""


class Actions(Collector):
    """Actions carried out, and how long those of people took. Counted in plain numbers, since it is done with every
    move, and turned into metrics when Prometheus asks."""

    def __init__(self) -> None:
        self.by = {"person": 0, "bot": 0, "clock": 0}
        self.took = [0] * (len(BUCKETS) + 1)
        self.seconds = 0.0

    def person(self, seconds: float) -> None:
        """A person has acted; `seconds` is the time it took."""
        self.by["person"] += 1
        self.took[bisect_left(BUCKETS, seconds)] += 1
        self.seconds += seconds

    def collect(self) -> Iterator[Metric]:
        """The metrics as the library wants them."""
        counts = CounterMetricFamily("fabletop_actions", "Actions carried out", labels=["by"])
        for who, count in self.by.items():
            counts.add_metric([who], count)
        yield counts
        limits = [*map(str, BUCKETS), "+Inf"]
        yield HistogramMetricFamily(
            "fabletop_action_seconds",
            "From the arrival of an action until it is durable and sent",
            buckets=list(zip(limits, accumulate(self.took), strict=True)),
            sum_value=self.seconds,
        )


class Metrics:
    """The metrics of one worker, in a registry of their own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
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

    def text(self) -> str:
        """All metrics of this worker, as Prometheus reads them."""
        return generate_latest(self.registry).decode()


class Joined(Collector):
    """Metrics of several workers in one: every family once, every sample with the label `worker`."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts

    def collect(self) -> Iterator[Metric]:
        """The metrics as the library wants them."""
        # it belongs to no worker, so that it is the same series whichever was asked
        yield GaugeMetricFamily(
            "fabletop_workers_answered", "Workers whose metrics these are", len(self.texts)
        )
        families: dict[str, Metric] = {}
        for worker, text in sorted(self.texts.items()):
            for family in text_string_to_metric_families(text):
                metric = families.setdefault(
                    family.name, Metric(family.name, family.documentation, family.type)
                )
                for sample in family.samples:
                    metric.add_sample(sample.name, {**sample.labels, "worker": worker}, sample.value)
        yield from families.values()


def joined(texts: Mapping[str, str]) -> str:
    """The metrics of several workers, by their names, as one text."""
    return generate_latest(Joined(texts)).decode()
