"""The schema of the database, step by step: a database of any earlier version is brought to the newest one.

The steps are never edited once released; a change is a new step. `{bytes}`, `{real}`, `{clustered}` stand for what
the two databases call differently.
"""

from collections.abc import Iterator

from fabletop.core.errors import FabletopError

STEPS: tuple[tuple[str, ...], ...] = (
    (
        (
            "CREATE TABLE tables (id TEXT PRIMARY KEY, head TEXT NOT NULL, game TEXT NOT NULL, listed INTEGER NOT NULL,"
            " made {real} NOT NULL, length INTEGER NOT NULL, status TEXT NOT NULL, free INTEGER NOT NULL, due {real},"
            " updated {real} NOT NULL, asked INTEGER NOT NULL, home TEXT NOT NULL DEFAULT '',"
            " fence INTEGER NOT NULL DEFAULT 0)"
        ),
        (
            "CREATE TABLE log (table_id TEXT NOT NULL, n INTEGER NOT NULL, entry TEXT NOT NULL,"
            " PRIMARY KEY (table_id, n)){clustered}"
        ),
        "CREATE TABLE snapshots (table_id TEXT PRIMARY KEY, data {bytes} NOT NULL)",
        "CREATE TABLE keys (key TEXT NOT NULL, table_id TEXT NOT NULL, PRIMARY KEY (key, table_id)){clustered}",
        "CREATE TABLE workers (id TEXT PRIMARY KEY, until {real} NOT NULL)",
        (
            "CREATE TABLE chat (table_id TEXT NOT NULL, n INTEGER NOT NULL, at {real} NOT NULL, seat INTEGER NOT NULL,"
            " name TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (table_id, n)){clustered}"
        ),
        "CREATE INDEX tables_open ON tables (status, listed, made)",
    ),
    (
        (
            "CREATE TABLE hooks (table_id TEXT NOT NULL, key TEXT NOT NULL, url TEXT NOT NULL,"
            " failures INTEGER NOT NULL, error TEXT NOT NULL, PRIMARY KEY (table_id, key)){clustered}"
        ),
        "CREATE INDEX tables_due ON tables (due)",
        "CREATE INDEX keys_table ON keys (table_id)",
    ),
    (
        "DROP INDEX tables_open",
        "DROP INDEX tables_due",
        "CREATE INDEX tables_open ON tables (made) WHERE status = 'open' AND listed = 1 AND free > 0",
        "CREATE INDEX tables_due ON tables (due) WHERE due IS NOT NULL",
    ),
    (
        "ALTER TABLE hooks ADD COLUMN told INTEGER NOT NULL DEFAULT 0",
        "CREATE INDEX hooks_untold ON hooks (table_id) WHERE told = 0 AND failures < 3",
        "DROP INDEX tables_open",
        "CREATE INDEX tables_open ON tables (made, id) WHERE status = 'open' AND listed = 1 AND free > 0",
    ),
    (
        "DROP TABLE workers",
        (
            "CREATE TABLE workers (id TEXT PRIMARY KEY, run TEXT NOT NULL, beat INTEGER NOT NULL,"
            " address TEXT NOT NULL)"
        ),
        "CREATE TABLE cluster (id INTEGER PRIMARY KEY, secret TEXT NOT NULL)",
    ),
    ("ALTER TABLE tables ADD COLUMN summary TEXT NOT NULL DEFAULT ''",),
)
"""Version n of the schema is what the first n steps make."""

VERSION = len(STEPS)

SQLITE = {"bytes": "BLOB", "real": "REAL", "clustered": " WITHOUT ROWID"}
POSTGRES = {"bytes": "BYTEA", "real": "DOUBLE PRECISION", "clustered": ""}

PARTS = ("log", "snapshots", "keys", "chat", "hooks")
"""What belongs to a table, by `table_id`."""


class TooNew(FabletopError):
    """The database was written by a newer Fabletop."""

    def __init__(self, version: int) -> None:
        super().__init__(
            f"the database has schema version {version}, this Fabletop knows up to {VERSION}; use a newer Fabletop"
        )


def statements(have: int, dialect: dict[str, str]) -> Iterator[str]:
    """What brings a database from version `have` to the newest."""
    if have > VERSION:
        raise TooNew(have)
    for step in STEPS[have:]:
        for text in step:
            yield text.format(**dialect)
