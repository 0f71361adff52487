"""Who thinks next, and for how long: fair shares of a few bot processes.

The next to think is found by start-time fair queueing, on two levels. Each household has a virtual clock that runs
while its bots think. The household whose clock is furthest behind comes first, and among its tables the one whose clock
is furthest behind. A household that comes back after a while starts at the present: it saves up no claims. So thirty
tables of one household together get what one table of another household gets.

Thinking time shrinks before waits grow: everyone who waits should have an answer within a `CYCLE`, so each table gets
its share of one, where all tables count that have asked lately. Where the share of those who wait right now is less
than `LEAST`, the queue is full, and the bot plays without thinking ahead. Virtual clocks count in such shares, not in
seconds: a bot that thought for long while nobody else asked must not wait until all others have caught up.

Nothing here reads a clock or waits: the pool says what happens and when, and the same calls give the same order.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import count

CYCLE = 2.0
"""Seconds in which everyone who waits should be served once."""
LATELY = 3.0
"""Seconds for which a table that has asked counts as one that goes on asking."""
LEAST = 0.03
"""Seconds of thinking that are worth a turn; below that, search plays hardly better than what looks best at once."""

_order = count()


class Rank(IntEnum):
    """Who comes before whom, whatever the shares."""

    BOT = 0
    """A bot at a table that somebody watches."""
    HINT = 1
    """A hint or a review: one person waits for it, and it holds up no game."""
    UNWATCHED = 2
    """A bot at a table that nobody watches."""


@dataclass(frozen=True, slots=True)
class Asker:
    """For whom a bot thinks: a table, and the households of the people there."""

    table: str
    households: tuple[str, ...] = ()
    rank: Rank = Rank.UNWATCHED


@dataclass(eq=False, slots=True)
class Ticket:
    """A place in the queue. `granted` is set when it is its turn: the seconds that it may think."""

    asker: Asker
    wanted: float
    household: str = ""
    granted: float | None = None
    turns: tuple[float, float] = (0.0, 0.0)
    """What that is in turns of the household and of the table."""
    order: int = field(default_factory=_order.__next__)


class Shares:
    """Virtual clocks: how much each of several flows has been served, in turns. A flow counts while it has tickets."""

    def __init__(self) -> None:
        self.now = 0.0
        self.used: dict[str, float] = {}
        self.tickets: dict[str, int] = {}

    def enter(self, name: str) -> None:
        """A ticket more of this flow."""
        self.tickets[name] = self.tickets.get(name, 0) + 1
        if self.tickets[name] == 1:
            self.used[name] = max(self.used.get(name, 0.0), self.now)

    def start(self, name: str, turn: float) -> None:
        """A ticket of this flow is served: the present moves on to where it starts."""
        self.now = max(self.now, self.used[name])
        self.used[name] += turn
        for other in [n for n, used in self.used.items() if used <= self.now and n not in self.tickets]:
            del self.used[other]  # it would start at the present anyway

    def leave(self, name: str, unused: float) -> None:
        """A ticket of this flow is done, or given up; the `unused` part of its turn is given back."""
        self.used[name] -= unused
        self.tickets[name] -= 1
        if not self.tickets[name]:
            del self.tickets[name]
        if not self.tickets:
            self.used.clear()  # nobody waits: all are even
            self.now = 0.0


class Scheduler:
    """The queue for a number of processes, each of which serves one ticket at a time."""

    def __init__(self, processes: int) -> None:
        self.processes = processes
        self.waiting: list[Ticket] = []
        self.running: set[Ticket] = set()
        self._households = Shares()
        self._tables: dict[str, Shares] = {}
        self._asked: dict[tuple[str, str], tuple[float, Rank]] = {}
        """When each table of a household asked last, longest ago first."""

    def submit(self, asker: Asker, wanted: float, now: float) -> Ticket | None:
        """Queue up; None where the queue is so long that thinking is not worth it.

        Where people of several households play at a table, the one that asks for least pays.
        """
        used, tickets = self._households.used, self._households.tickets
        household = min(
            asker.households or ("",), key=lambda name: (tickets.get(name, 0), used.get(name, 0.0), name)
        )
        ticket = Ticket(asker, wanted, household)
        queue = [(t.household, t.order) for t in (*self.waiting, *self.running) if t.asker.rank <= asker.rank]
        if self._share(household, [*queue, (household, ticket.order)]) < LEAST:
            return None
        self.waiting.append(ticket)
        self._asked.pop((household, asker.table), None)
        self._asked[household, asker.table] = now, asker.rank
        self._households.enter(household)
        self._tables.setdefault(household, Shares()).enter(asker.table)
        return ticket

    def next(self, now: float) -> Ticket | None:
        """Whose turn it is now; None where all processes are busy or nobody waits."""
        if not self.waiting or len(self.running) >= self.processes:
            return None
        ticket = min(self.waiting, key=self._key)
        self._forget(now - LATELY)
        rank = ticket.asker.rank
        tables = {key for key, (_, other) in self._asked.items() if other <= rank}
        tables |= {
            (t.household, t.asker.table) for t in (*self.waiting, *self.running) if t.asker.rank <= rank
        }
        share = self._share(ticket.household, tables)
        ticket.granted = min(ticket.wanted, max(LEAST, share))
        own = sum(name == ticket.household for name, _ in tables)
        ticket.turns = ticket.granted / (share * own), ticket.granted / share
        self.waiting.remove(ticket)
        self.running.add(ticket)
        self._households.start(ticket.household, ticket.turns[0])
        self._tables[ticket.household].start(ticket.asker.table, ticket.turns[1])
        return ticket

    def done(self, ticket: Ticket, seconds: float = 0.0) -> None:
        """A ticket was served in `seconds`, or given up while it waited."""
        unused = 0.0
        if ticket.granted is None:
            self.waiting.remove(ticket)
        else:
            self.running.remove(ticket)
            unused = 1 - seconds / ticket.granted
        self._households.leave(ticket.household, unused * ticket.turns[0])
        tables = self._tables[ticket.household]
        tables.leave(ticket.asker.table, unused * ticket.turns[1])
        if not tables.tickets:
            del self._tables[ticket.household]

    def _key(self, ticket: Ticket) -> tuple[Rank, float, float, int]:
        household, table = ticket.household, ticket.asker.table
        return (
            ticket.asker.rank,
            self._households.used[household],
            self._tables[household].used[table],
            ticket.order,
        )

    def _share(self, household: str, active: Collection[tuple[str, object]]) -> float:
        """The seconds of a cycle for one of a household's flows, where these are active."""
        own = sum(name == household for name, _ in active)
        return CYCLE * self.processes / (len({name for name, _ in active}) * own)

    def _forget(self, before: float) -> None:
        """Forget the tables that have not asked since."""
        for key, (asked, _) in list(self._asked.items()):
            if asked >= before:
                break
            del self._asked[key]
