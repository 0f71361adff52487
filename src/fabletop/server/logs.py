"""Structured logs: one JSON object a line, in every process of the server. Tokens, keys, seeds, names and texts of
people never go in."""

import json
import logging
import re
import sys
import threading
import time
from types import TracebackType
from typing import TextIO

log = logging.getLogger("fabletop.server")

SECRET = re.compile(r"(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{32,}(?![A-Za-z0-9_-])|(?<=://)[^/\s@]+@")
"""What looks like a token, a hash or a seed, and passwords in addresses: a last line of defence."""
PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


def scrubbed(text: str) -> str:
    """The text without anything that may be a secret."""
    return SECRET.sub("…", text)


class JsonLines(logging.Formatter):
    """Formats a log record as a line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, whatever is in the message."""
        entry: dict[str, object] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
            + f".{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": scrubbed(record.getMessage()),
        }
        entry |= {k: scrubbed(str(v)) for k, v in vars(record).items() if k not in PLAIN}
        if record.exc_info:
            entry["error"] = scrubbed(self.formatException(record.exc_info))
        return json.dumps(entry, ensure_ascii=False)


def start_logging(level: str = "info", stream: TextIO | None = None) -> None:
    """Send all logs of this process to standard error as lines of JSON, with everything that Python itself would write
    there: warnings, and errors that nobody has caught, in any thread."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    logging.captureWarnings(True)
    sys.excepthook = _uncaught
    sys.unraisablehook = _unraisable
    threading.excepthook = _in_thread


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if isinstance(error, KeyboardInterrupt):
        return
    log.critical("the process ends with an error", exc_info=(kind, error, trace))


def _unraisable(fault: "sys.UnraisableHookArgs") -> None:
    error = fault.exc_value or fault.exc_type()
    log.error("an error was ignored: %s", fault.err_msg or "in a finalizer", exc_info=error)


def _in_thread(fault: threading.ExceptHookArgs) -> None:
    error = fault.exc_value or fault.exc_type()
    log.error("a thread ended with an error", exc_info=error)
