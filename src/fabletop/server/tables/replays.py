"""Finished games that somebody looks through: a cursor for each of the last few, so that the next step is quick."""

import asyncio
from collections import OrderedDict

from fabletop.core.game import Game
from fabletop.core.records import Record
from fabletop.core.replay import ReplayCursor
from fabletop.core.sitting import Sitting

KEPT = 16
"""Games whose snapshots are kept."""
SLICE = 100
"""Actions that are replayed before others get their turn in the event loop."""


class Replays:
    """The replay cursors of one worker. They are keyed by table, so only a record that no longer grows is kept."""

    def __init__(self) -> None:
        self._cursors: OrderedDict[str, ReplayCursor] = OrderedDict()

    async def at(self, table: str, game: Game, record: Record, place: int, *, final: bool) -> Sitting:
        """The game of a table after `place` actions; `final`: its record does not change any more."""
        cursor = self._cursors.pop(table, None) if final else None
        if cursor is None:
            cursor = ReplayCursor(game, record)
        if final:
            self._cursors[table] = cursor
            while len(self._cursors) > KEPT:
                self._cursors.popitem(last=False)
        return await walked(cursor, place)


async def walked(cursor: ReplayCursor, place: int) -> Sitting:
    """The sitting at a place of a record; others get their turn in the event loop on the way."""
    sitting: Sitting
    for step, sitting in enumerate(cursor.walk(place)):  # noqa: B007 - the last one is wanted
        if step % SLICE == SLICE - 1:
            await asyncio.sleep(0)
    return sitting
