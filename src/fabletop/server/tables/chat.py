"""The chat of a table: its last lines, their numbers, and how fast each person may write."""

from collections import deque
from collections.abc import Sequence

from fabletop.server.limits import Bucket
from fabletop.server.protocol import wire
from fabletop.server.services import Services
from fabletop.server.stores.base import ChatLine
from fabletop.server.tables.table import Table

SHOWN = 100
"""Lines that a person who joins the table receives."""


class TableChat:
    """The chat of one table. Lines are numbered from 1; a number is given away before the line is stored."""

    def __init__(self, table: Table, services: Services, lines: Sequence[ChatLine]) -> None:
        self._table = table
        self._services = services
        self._lines = deque(lines, maxlen=SHOWN)
        promised = [reply.line for reply in table.replies.values() if reply.line is not None]
        self._last = max([0, *promised, *(line.n for line in lines)])
        self._rates: dict[str, Bucket] = {}

    def allows(self, key: str) -> bool:
        """May this person write one more line now, over whichever connection?"""
        now, a_minute = self._services.ticks(), self._services.settings.chat_per_minute
        return self._rates.setdefault(key, Bucket(a_minute / 60, a_minute / 3, now)).take(now)

    def next_number(self) -> int:
        """The number of a new line."""
        self._last += 1
        return self._last

    def lacks(self, n: int) -> bool:
        """Is this line not stored yet? One that is older than all that are shown is."""
        if len(self._lines) == SHOWN and n < self._lines[0].n:
            return False
        return all(line.n != n for line in self._lines)

    async def store(self, n: int, seat: int, text: str) -> ChatLine:
        """Store a line. One that is stored under this number already stays as it is."""
        line = ChatLine(n, self._services.now(), seat, self._table.names[seat], text)
        await self._services.store.say(self._table.head.id, line)
        return line

    def add(self, line: ChatLine) -> None:
        """Show a stored line to people who join later."""
        self._lines.append(line)

    def shown(self) -> list[wire.ChatSays]:
        """The last lines."""
        return [says(line) for line in self._lines]


def says(line: ChatLine) -> wire.ChatSays:
    """A line of chat as it goes over the wire."""
    return wire.ChatSays(n=line.n, at=int(line.at), seat=line.seat, name=line.name, text=line.text)
