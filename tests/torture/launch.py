"""`fabletop` with a few inner settings changed, so that rare things happen often and deliberate faults can be shown.

FABLETOP_TORTURE is a JSON object: `copy_after` (jobs between two checkpoints), `pragmas` (in place of the store's),
`early` (acknowledge before the commit), `forever` (answer from memory when the lease has run out), `advertise` (the
internal address that other workers are told), `lease` (its seconds).
"""

import json
import os
import sys
from dataclasses import replace
from typing import Any

from fabletop import cli
from fabletop.server import app, command
from fabletop.server.stores import sqlite, sqlite_file
from fabletop.server.stores.lease import Lease


def _acknowledge_early() -> None:
    """Answer every append before its transaction begins: the fault that power cuts must find."""
    transact = sqlite.SqliteStore._transact

    def early(self: Any, batch: Any) -> None:
        done = [(future, None, None) for work, future in batch if isinstance(work, sqlite.Append)]
        self._loop.call_soon_threadsafe(sqlite._tell, done)
        transact(self, batch)

    sqlite.SqliteStore._transact = early  # type: ignore[method-assign]


def _advertise(address: str) -> None:
    """Have other workers connect through a proxy."""
    open_internal = app.Server._open_internal

    async def opened(self: Any, secret: str) -> str:
        await open_internal(self, secret)
        return address

    app.Server._open_internal = opened  # type: ignore[method-assign]


def main() -> int:
    """Change what FABLETOP_TORTURE says, then run the command line."""
    told = json.loads(os.environ.get("FABLETOP_TORTURE", "{}"))
    sqlite.COPY_AFTER = told.get("copy_after", sqlite.COPY_AFTER)
    sqlite_file.PRAGMAS = tuple(told.get("pragmas", sqlite_file.PRAGMAS))
    if told.get("early"):
        _acknowledge_early()
    if told.get("forever"):
        Lease.held = lambda self: self._until is not None  # type: ignore[method-assign]
        Lease._lapse = lambda self: None  # type: ignore[method-assign]
    if "advertise" in told:
        _advertise(told["advertise"])
    if "lease" in told:
        settings_of = command.settings_of
        command.settings_of = lambda arguments: replace(settings_of(arguments), lease=told["lease"])
    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
