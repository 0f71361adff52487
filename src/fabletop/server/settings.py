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
    """The address under which people reach the server, for links in notices; empty: as it listens."""
    opens: bool = False
    """Open a browser as soon as the server is there, and take any port where the one that was asked for is taken."""
    internal: str = "127.0.0.1"
    """HOST or HOST:PORT on which other workers reach this one; without a port, any."""
    behind_proxy: bool = False
    """Is there a proxy in front whose X-Forwarded-For tells the true address?"""

    thinkers: int = 1
    """Processes in which bots search; those that do not search need none."""
    bot_pause: float = 0.4
    """Seconds that a bot takes for a move at least, so that people can follow; it thinks meanwhile. With 0 its time may
    tell whether it had a choice."""
    bot_limit: float = 10.0
    """Seconds that a bot process may take at most; after that it is killed, and the bot plays what looks best."""
    hint_milliseconds: int = 1500

    view_gap: float = 0.25
    """Seconds: a viewer gets its view with every update, but in the long run not more often than so."""
    snapshot_every: int = 200
    """Entries of a log between two snapshots: when a table is opened, fewer than so many are replayed."""
    idle: float = 60.0
    """Seconds after which a table that nobody looks at is put away."""
    away: float = 30.0
    """Seconds after which others may let a bot play for somebody who is not connected."""
    credit: float = 15.0
    """Seconds that everybody has at least when a table is opened again after a restart."""
    sweep: float = 5.0
    """Seconds between two looks for tables on which a clock has run out."""
    lease: float = 6.0
    """Seconds after which the tables of a worker that gives no sign of life may be taken over."""
    notice_after: float = 60.0
    """Seconds that somebody must have been away before a notice is sent."""
    drain: float = 5.0
    """Seconds that a shutdown waits for what is under way."""

    tables_per_hour: float = 60
    """New tables from one address."""
    requests_per_second: float = 20
    """HTTP requests from one address."""
    sockets_per_address: int = 200
    looks_per_second: float = 10
    """Times that one address is shown a table from its beginning, with bursts of six times as many."""
    messages_per_second: float = 30
    """Messages on one socket, with bursts of three times as many."""
    chat_per_minute: float = 30
    """Lines of one seat."""
    sockets: int = 20_000
    tables_in_memory: int = 50_000
    most_actions: int = 20_000
    """An imported record may have so many; in a log that has so many entries nothing can be taken back any more."""
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
