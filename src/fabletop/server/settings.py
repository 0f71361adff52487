"""What a host can set, and the limits that protect a server; every number has a default that suits a small server."""

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server runs. `worker` names it among several; it must be the same after a restart."""

    database: str = ""
    """A path, or postgresql://…; empty: `tables.sqlite` in the data folder."""
    host: str = "127.0.0.1"
    port: int = 8000
    worker: str = "worker-0"
    public: str = ""
    """The address at which people reach the server, for links in notifications; empty: the one on which it listens."""
    opens: bool = False
    """Open a browser as soon as the server is ready, and use any free port where the given one is in use."""
    internal: str = "127.0.0.1"
    """HOST or HOST:PORT on which other workers reach this one; without a port, any."""
    passing: Path | None = None
    """The folder of the Unix sockets over which the workers of one machine pass connections; set by the supervisor."""
    behind_proxy: bool = False
    """Take the client's address from the X-Forwarded-For of a proxy in front."""

    thinkers: int = 1
    """Processes in which bots search; those that do not search need none."""
    bot_pause: float = 0.4
    """Seconds that a bot takes for a move at least, so that people can follow; it thinks meanwhile. With 0 its time may
    show whether it had a choice."""
    bot_limit: float = 10.0
    """Seconds that a bot process may take at most; after that it is killed, and the bot plays what looks best."""
    hint_milliseconds: int = 1500

    view_gap: float = 0.25
    """Seconds between two views for one viewer, on average; updates come at once."""
    snapshot_every: int = 200
    """Entries of a log between two snapshots: fewer are replayed when a table is opened."""
    idle: float = 60.0
    """Seconds after which a table without subscribers is evicted."""
    away: float = 30.0
    """Seconds after which others may let a bot play for a person who is not connected."""
    credit: float = 15.0
    """Seconds that every player has at least when a table is opened after a restart."""
    sweep: float = 5.0
    """Seconds between two sweeps, which find tables on which a clock has run out."""
    lease: float = 6.0
    """Seconds for which a heartbeat holds; after that the worker's tables may be taken over."""
    notice_after: float = 60.0
    """Seconds that a person must have been away before a notice is sent."""
    drain: float = 5.0
    """Seconds that a shutdown waits for writes in progress."""

    tables_per_hour: float = 60
    """New tables from one address."""
    requests_per_second: float = 20
    """HTTP requests from one address."""
    sockets_per_address: int = 200
    looks_per_second: float = 10
    """Welcomes and looks for one address, with bursts of six times as many."""
    messages_per_second: float = 30
    """Messages on one socket, with bursts of three times as many."""
    chat_per_minute: float = 30
    """Lines of one seat."""
    reactions_per_minute: float = 20
    """Reactions of one person, with bursts of a quarter of them."""
    sockets: int = 20_000
    tables_in_memory: int = 50_000
    most_actions: int = 20_000
    """Actions that an imported record may have; a log with this many entries allows no undo."""
    backlog: int = 1 << 20
    """Bytes that may wait for a slow reader before its socket is closed."""

    push_key: Path | None = None
    """The file with the key for browser push; made if it is not there. None: no push."""
    static: Path | None = None
    """The browser client, where it is not in the package."""
    trusted_hooks: frozenset[str] = field(default_factory=frozenset)
    """Hosts that webhooks may call although they are not public; for tests and private networks."""

    @property
    def message_burst(self) -> float:
        """Messages that may come on one socket at once, after a pause."""
        return 3 * self.messages_per_second
