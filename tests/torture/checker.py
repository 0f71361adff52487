"""Checks a history against the logs that the store has in the end. Pure: no clock, no network, no files.

The log of a table is the one order in which everything happened. A history is right if
- what was acknowledged, and what anybody was told, is in the log (otherwise *lost*);
- nothing is in it twice, nothing that was refused, and nothing that nobody asked for (*doubled*);
- what was acknowledged before something else began comes before it in the log, and the updates on one connection are
  numbered without a gap (*reordered*);
- an answer contains everything that anybody knew when it was asked for, and a client's sequence numbers never go back
  (*stale*).
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from tests.torture.history import ACT, FAIL, INVOKE, LOOK, OK, TOLD, UNDO, Event

LOST, DOUBLED, REORDERED, STALE = "lost", "doubled", "reordered", "stale"
KINDS = (LOST, DOUBLED, REORDERED, STALE)


class Entry(NamedTuple):
    """An action as it stands in the log; `action` is empty for an undo. `op` is the id under which a client asked for
    it, empty where nobody did: then `by` says who acted."""

    seat: int
    op: str
    action: str
    by: str = ""


class Log(NamedTuple):
    """The log of a table: its entries, and for every viewer the sequence number after each of them (first: before
    any)."""

    entries: Sequence[Entry | None]
    seqs: Mapping[int | None, Sequence[int]]

    def reach(self, viewer: int | None, seq: int) -> int:
        """The least number of entries after which a viewer has been told `seq`; more than there are if never."""
        return bisect_left(self.seqs[viewer], seq)


class Finding(NamedTuple):
    """Something that must not be."""

    kind: str
    table: str
    text: str


def check(history: Iterable[Event], logs: Mapping[str, Log]) -> list[Finding]:
    """Everything that is wrong, in the order of the history."""
    return [
        finding for table, events in _by_table(history).items() for finding in _check(table, events, logs)
    ]


def _by_table(history: Iterable[Event]) -> dict[str, list[Event]]:
    tables: dict[str, list[Event]] = {}
    for event in history:
        tables.setdefault(event.table, []).append(event)
    return tables


def _check(table: str, events: Sequence[Event], logs: Mapping[str, Log]) -> list[Finding]:
    log = logs.get(table)
    if log is None:
        return [Finding(LOST, table, "the whole table is missing")]
    return [
        Finding(kind, table, text)
        for check in (_once, _in_order, _fresh, _forward)
        for kind, text in check(events, log)
    ]


Problems = list[tuple[str, str]]


def _once(events: Sequence[Event], log: Log) -> Problems:
    """Everything acknowledged once, nothing else but what was asked for."""
    made = Counter((entry.seat, entry.op) for entry in log.entries if entry and entry.op)
    found: Problems = [
        (DOUBLED, f"seat {seat} asked for {op} once, and the log has it {count} times")
        for (seat, op), count in made.items()
        if count > 1
    ]
    action = {(entry.seat, entry.op): entry.action for entry in log.entries if entry}
    invoked = set()
    for event in events:
        if event.what not in (ACT, UNDO) or event.viewer is None:
            continue
        key = (event.viewer, event.op)
        if event.kind == INVOKE:
            invoked.add(key)
        elif event.kind == OK and key not in made:
            found.append(
                (LOST, f"{event.client}'s {event.what} {event.op} was acknowledged and is not in the log")
            )
        elif event.kind == OK and action[key] != event.action:
            found.append(
                (LOST, f"{event.client}'s {event.op} was {event.action!r}, and the log has {action[key]!r}")
            )
        elif event.kind == FAIL and key in made:
            found.append((DOUBLED, f"{event.client}'s {event.op} was refused, and is in the log"))
    found += [
        (DOUBLED, f"seat {seat} never asked for {op}") for seat, op in made if (seat, op) not in invoked
    ]
    return found


def _places(log: Log) -> dict[tuple[int, str], int]:
    """The number of entries up to and with each operation."""
    return {(entry.seat, entry.op): n for n, entry in enumerate(log.entries, 1) if entry and entry.op}


def _in_order(events: Sequence[Event], log: Log) -> Problems:
    """What was acknowledged before something began precedes it."""
    places, found, last = _places(log), [], 0
    behind = ""
    for event in events:
        if event.what not in (ACT, UNDO) or event.viewer is None:
            continue
        place = places.get((event.viewer, event.op))
        if place is None:
            continue
        if event.kind == INVOKE and place <= last:
            found.append((REORDERED, f"{event.op} began after {behind} was acknowledged, and precedes it"))
        elif event.kind == OK and place > last:
            last, behind = place, event.op
    return found


def _fresh(events: Sequence[Event], log: Log) -> Problems:
    """An answer contains what was known when it was asked for; what was told is in the log."""
    places, found = _places(log), []
    known, by = 0, ""
    needed: dict[tuple[str, str], tuple[int, str]] = {}
    for event in events:
        if event.kind == INVOKE and event.what == LOOK:
            needed[event.client, event.op] = (known, by)
        if event.kind == OK and event.what in (ACT, UNDO) and event.viewer is not None:
            place = places.get((event.viewer, event.op), 0)
            if place > known:
                known, by = place, f"{event.client}'s {event.op}"
        if event.seq is None:
            continue
        seqs = log.seqs[event.viewer]
        reached = log.reach(event.viewer, event.seq)
        if reached >= len(seqs):
            found.append((LOST, f"{event.client} was told seq {event.seq}, and the log ends with {seqs[-1]}"))
            continue
        if event.kind == OK and event.what == LOOK:
            must, why = needed.pop((event.client, event.op), (0, ""))
            if event.seq < seqs[must]:
                found.append(
                    (STALE, f"{event.client} asked after {why} and got seq {event.seq}, not {seqs[must]}")
                )
        if reached > known:
            known, by = reached, f"{event.client} was told {event.seq}"
    return found


def _forward(events: Sequence[Event], _: Log) -> Problems:
    """A client's numbers never go back; on one connection each update has the next one."""
    found: Problems = []
    highest: dict[tuple[str, int | None], int] = {}
    last: dict[tuple[str, int], int] = {}
    for event in events:
        if event.seq is None:
            continue
        who, line = (event.client, event.viewer), (event.client, event.line)
        if event.seq < highest.get(who, 0):
            found.append((STALE, f"{event.client} knew seq {highest[who]} and was told {event.seq}"))
        highest[who] = max(event.seq, highest.get(who, 0))
        if event.kind == TOLD:
            if line in last and event.seq != last[line] + 1:
                found.append((REORDERED, f"{event.client} was told seq {event.seq} after {last[line]}"))
            last[line] = event.seq
        elif event.what == LOOK and event.line:
            last[line] = event.seq
    return found
