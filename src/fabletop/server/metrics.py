"""Figures for Prometheus. Labels are few and fixed: no table, no seat, no address."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)


class Metrics:
    """The figures of one worker, in a registry of their own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.tables = Gauge("fabletop_tables", "Tables in memory", registry=self.registry)
        self.sockets = Gauge("fabletop_sockets", "Open sockets", registry=self.registry)
        self.made = Counter("fabletop_tables_made", "New tables", ["game"], registry=self.registry)
        self.actions = Counter("fabletop_actions", "Actions carried out", ["by"], registry=self.registry)
        self.by = {who: self.actions.labels(who) for who in ("person", "bot", "clock")}
        self.refused = Counter("fabletop_refused", "Requests refused", ["code"], registry=self.registry)
        self.action_seconds = Histogram(
            "fabletop_action_seconds",
            "From the arrival of an action until it is durable and told",
            buckets=BUCKETS,
            registry=self.registry,
        )
        self.load_seconds = Histogram(
            "fabletop_load_seconds", "Opening a table from the store", buckets=BUCKETS, registry=self.registry
        )
        self.dropped = Gauge(
            "fabletop_bots_dropped", "Bots that did not answer in time", registry=self.registry
        )
        self.faults = Counter("fabletop_faults", "Errors that should not happen", registry=self.registry)
        self.notices = Counter("fabletop_notices", "Notices sent", ["outcome"], registry=self.registry)

    def acted(self, seconds: float) -> None:
        """A person has acted, which took so long."""
        self.by["person"].inc()
        self.action_seconds.observe(seconds)

    def text(self) -> bytes:
        """As Prometheus reads it."""
        return generate_latest(self.registry)
