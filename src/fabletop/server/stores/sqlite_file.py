"""A database file of SQLite: opening it, migrating it, and copying its write-ahead log without losing anything."""

import logging
import os
import sqlite3
from pathlib import Path
from time import monotonic, sleep

from fabletop.server.stores.schema import SQLITE, VERSION, statements

log = logging.getLogger("fabletop.server")
PATIENCE = 10.0
"""Seconds to wait for other processes that use the file."""
PRAGMAS = ("synchronous=FULL", "temp_store=MEMORY", "wal_autocheckpoint=0")
"""No automatic checkpoints: SQLite runs them inside a commit and does not report their errors."""


def connect(path: Path) -> sqlite3.Connection:
    """A connection that waits for others and loses nothing that was committed, even if the power fails."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=PATIENCE)
    try:
        _use_wal(connection)
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _use_wal(connection: sqlite3.Connection) -> None:
    """Several workers may make a new file at once, and here alone SQLite does not wait for another's lock."""
    deadline = monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or monotonic() > deadline:
                raise
            sleep(0.01)


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the schema to the newest version, all or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        (have,) = connection.execute("PRAGMA user_version").fetchone()
        for text in statements(have, SQLITE):
            connection.execute(text)
        connection.execute(f"PRAGMA user_version={VERSION}")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def rewrite_log(connection: sqlite3.Connection, path: Path) -> None:
    """Write the whole write-ahead log again, byte for byte, and sync it.

    It may hold a transaction whose sync failed before a process was killed. The system shows it as written and clean,
    so no later sync writes it. A power cut would lose it, with everything appended after it, and damage a database into
    which it is just being copied.
    """
    connection.execute("BEGIN IMMEDIATE")  # nobody else writes to the log meanwhile
    try:
        log = os.open(f"{path}-wal", os.O_RDWR | os.O_CLOEXEC)
        try:
            at = 0
            while data := os.pread(log, 1 << 20, at):
                at += os.pwrite(log, data, at)
            if at:
                os.fsync(log)
        finally:
            os.close(log)
    finally:
        connection.execute("ROLLBACK")


def copy_log(connection: sqlite3.Connection) -> bool:
    """Copy the log into the database as far as possible without waiting; False where that fails. The rest stays safe in
    the log."""
    try:
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    except sqlite3.Error as error:
        log.warning("SQLite's log could not be copied into the database: %s", error)
        return False
    return True


def rewrite_pages(connection: sqlite3.Connection) -> bool:
    """Write every page of the database into the log again; False where that fails.

    A page that was copied from the log is not synced before the whole log is copied. When that sync fails, the system
    may take the page for clean and never write it, while SQLite takes it for copied and would discard the log.
    """
    try:
        connection.execute("PRAGMA temp_store=FILE")  # it may be large
        connection.execute("VACUUM")
        connection.execute("PRAGMA temp_store=MEMORY")
    except sqlite3.Error as error:
        log.warning("SQLite's database could not be rewritten: %s", error)
        return False
    return True
