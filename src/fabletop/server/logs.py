"""Structured logs: one JSON object a line. Tokens, keys, seeds, names and texts of people never go in."""

import json
import logging
import re
import sys
import time
from typing import TextIO

SECRET = re.compile(r"(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{32,}(?![A-Za-z0-9_-])|(?<=://)[^/\s@]+@")
"""Whatever looks like a token, a hash or a seed, and passwords in addresses: a last line of defence."""
PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


def scrubbed(text: str) -> str:
    """The text without anything that may be a secret."""
    return SECRET.sub("…", text)


class JsonLines(logging.Formatter):
    """A record of the log as a line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, whatever is in the message."""
        told: dict[str, object] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
            + f".{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": scrubbed(record.getMessage()),
        }
        told |= {k: scrubbed(str(v)) for k, v in vars(record).items() if k not in PLAIN}
        if record.exc_info:
            told["error"] = scrubbed(self.formatException(record.exc_info))
        return json.dumps(told, ensure_ascii=False)


def start_logging(level: str = "info", stream: TextIO | None = None) -> None:
    """Send all logs as JSON lines to standard error."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
