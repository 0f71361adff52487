"""Replaying a record without holding up the event loop."""

import asyncio
from collections.abc import AsyncIterator

from fabletop.core.game import Game
from fabletop.core.records import Record
from fabletop.core.replay import ReplayCursor
from fabletop.core.sitting import Sitting

SLICE = 100
"""Actions that are replayed before others get their turn in the event loop."""


async def steps(game: Game, record: Record) -> AsyncIterator[tuple[int, Sitting]]:
    """All places of a record, each with the sitting there; others get their turn in the event loop on the way."""
    for place, sitting in enumerate(ReplayCursor(game, record).walk(len(record.actions))):
        yield place, sitting
        if place % SLICE == SLICE - 1:
            await asyncio.sleep(0)


async def walked(cursor: ReplayCursor, place: int) -> Sitting:
    """The sitting at a place of a record; others get their turn in the event loop on the way."""
    sitting: Sitting
    for step, sitting in enumerate(cursor.walk(place)):  # noqa: B007 - the last one is wanted
        if step % SLICE == SLICE - 1:
            await asyncio.sleep(0)
    return sitting
