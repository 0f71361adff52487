"""Late views: where updates come too fast to carry a view each, the last view follows by itself."""

import asyncio
from collections.abc import Sequence

from fabletop.server.protocol import wire
from fabletop.server.services import Services
from fabletop.server.tables.messages import Renderer
from fabletop.server.tables.outbox import Outbox
from fabletop.server.tables.subscriber import Subscriber
from fabletop.server.tables.table import Table


class LateViews:
    """Sends views to the stale subscribers of one table as soon as their rate limit allows it."""

    __slots__ = ("_outbox", "_services", "_subscribers", "_table", "_timer")

    def __init__(
        self, table: Table, services: Services, subscribers: Sequence[Subscriber], outbox: Outbox
    ) -> None:
        self._table = table
        self._services = services
        self._subscribers = subscribers
        self._outbox = outbox
        self._timer: asyncio.TimerHandle | None = None

    def stop(self) -> None:
        """Send no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def later(self) -> None:
        """Send views to the stale subscribers soon."""
        if self._timer is None:
            gap = self._services.settings.view_gap
            self._timer = asyncio.get_running_loop().call_later(gap, self._send)

    def _send(self) -> None:
        self._timer = None
        if self._outbox:
            self.later()
            return
        if self._table.sitting is None:
            return
        renderer, ticks = Renderer(self._table, self._services.now()), self._services.ticks()
        written: dict[int | None, bytes] = {}
        for subscriber in self._subscribers:
            if not subscriber.stale:
                continue
            if not subscriber.views.take(ticks):
                self.later()
                continue
            viewer = subscriber.viewer
            if viewer not in written:
                written[viewer] = wire.encode(
                    wire.ViewNow(self._table.cursor(viewer).seq, renderer.view(viewer))
                )
            subscriber.stale = False
            self._outbox.post(subscriber, written[viewer])
