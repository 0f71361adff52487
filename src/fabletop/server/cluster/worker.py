"""The process of one of several workers: gets its settings and the listening socket from the supervisor."""

import logging
import os
import socket
import sys
import threading
from pathlib import Path

import msgspec

from fabletop.core.errors import FabletopError
from fabletop.server.cluster.supervisor import settings_from
from fabletop.server.logs import start_logging
from fabletop.server.run import run_loop, work

log = logging.getLogger("fabletop.server")


def main() -> None:
    """Serve until a signal comes, or until the supervisor is gone."""
    start = msgspec.json.decode(line_from(0))
    start_logging(start["level"])
    listener = socket.socket(fileno=int(sys.argv[1]))
    listener.setblocking(False)
    threading.Thread(target=_end_with_supervisor, daemon=True).start()
    try:
        run_loop(work(settings_from(start["settings"]), Path(start["folder"]), listener, announce=True))
    except FabletopError as error:  # such as a database that is not there; the supervisor tries again
        log.error("the worker cannot start: %s", error)
        sys.exit(1)


def line_from(number: int) -> bytes:
    """The first line of a pipe, and not a byte more."""
    line = bytearray()
    while (byte := os.read(number, 1)) not in (b"", b"\n"):
        line += byte
    return bytes(line)


def _end_with_supervisor() -> None:
    """The pipe is closed when the supervisor dies, however it dies."""
    while os.read(0, 1024):  # not through sys.stdin, whose lock would be in the way when this process ends
        pass
    os._exit(1)


if __name__ == "__main__":
    main()
