"""What clients asked and what they were told, in the order in which they noticed it."""

import json
import time
from pathlib import Path
from typing import NamedTuple

INVOKE, OK, FAIL, INFO, TOLD = "invoke", "ok", "fail", "info", "told"
"""An operation begins; is acknowledged; is refused for good; may be done or not; the server sent an update."""
ACT, UNDO, LOOK = "act", "undo", "look"


class Event(NamedTuple):
    """One line of a history. `viewer` is a seat, or None for a spectator. `op` pairs an invocation with its end; for
    `act` and `undo` it is the id under which the server was asked. `line` numbers a client's connections."""

    at: float
    client: str
    line: int
    table: str
    viewer: int | None
    kind: str
    what: str
    op: str = ""
    action: str = ""
    seq: int | None = None


class History:
    """The events of all clients of one trial. All clients live in one event loop, so the order of the list is the order
    of time."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def note(
        self,
        client: str,
        line: int,
        table: str,
        viewer: int | None,
        kind: str,
        what: str,
        op: str = "",
        action: str = "",
        seq: int | None = None,
    ) -> None:
        """Add an event that happens now."""
        self.events.append(Event(time.monotonic(), client, line, table, viewer, kind, what, op, action, seq))

    def acknowledged(self) -> int:
        """Moves and undos that were acknowledged."""
        return sum(event.kind == OK and event.what in (ACT, UNDO) for event in self.events)

    def save(self, path: Path) -> None:
        """As JSON lines."""
        path.write_text("".join(json.dumps(event) + "\n" for event in self.events), "utf-8")


def read(path: Path) -> list[Event]:
    """A history that was saved."""
    return [Event(*json.loads(line)) for line in path.read_text("utf-8").splitlines()]
