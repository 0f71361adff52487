"""Presence: which subscribers look at a table, and which seats have their people connected."""

from fabletop.server.services import Services
from fabletop.server.tables.messages import Attendance
from fabletop.server.tables.subscriber import Subscriber
from fabletop.server.tables.table import Table


class Presence:
    """The subscribers of one table."""

    __slots__ = ("_left_at", "_services", "subscribers")

    def __init__(self, services: Services) -> None:
        self._services = services
        self.subscribers: list[Subscriber] = []
        self._left_at: dict[int, float] = {}

    def here(self) -> list[int]:
        """The seats whose people are connected."""
        return sorted({seat for subscriber in self.subscribers for seat in subscriber.seats})

    def watching(self) -> int:
        """How many look on without a seat."""
        return sum(not subscriber.seats for subscriber in self.subscribers)

    def replaceable(self, table: Table) -> dict[int, float]:
        """The people who are asked and not connected, each with the seconds until a bot may replace them.

        Not for everybody: it starts again with every step of theirs, also with those that nobody sees.
        """
        here, now, away = self.here(), self._services.now(), self._services.settings.away
        return {
            seat: max(0.0, away - min(self.away_for(seat), now - table.asked_since[seat]))
            for seat in table.asked()
            if table.seats[seat].is_person and seat not in here
        }

    def attendance(self) -> Attendance:
        """The attendance that everybody may see."""
        return Attendance(self.here(), self.watching())

    def away_for(self, seat: int) -> float:
        """Seconds for which the person of a seat has not been connected, as far as this worker knows."""
        if seat in self.here():
            return 0.0
        return self._services.now() - self._left_at.get(seat, self._services.began)

    def add(self, subscriber: Subscriber, viewer: int | None, seats: tuple[int, ...]) -> bool:
        """A subscriber looks from this viewpoint and opens these seats; True where other seats are here than before."""
        before = self.here()
        if subscriber not in self.subscribers:
            self.subscribers.append(subscriber)
        subscriber.viewer, subscriber.seats = viewer, seats
        for seat in seats:
            self._left_at.pop(seat, None)
        return self.here() != before

    def remove(self, subscriber: Subscriber) -> bool:
        """A subscriber is gone; True where other seats are here than before."""
        before = self.here()
        self.subscribers.remove(subscriber)
        here, now = self.here(), self._services.now()
        for seat in before:
            if seat not in here:
                self._left_at[seat] = now
        return here != before
