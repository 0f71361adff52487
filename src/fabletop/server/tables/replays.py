"""Replaying a record without holding up the event loop."""

import asyncio

from fabletop.core.replay import ReplayCursor
from fabletop.core.sitting import Sitting

SLICE = 100
"""Actions that are replayed before others get their turn in the event loop."""


async def walked(cursor: ReplayCursor, place: int) -> Sitting:
    """The sitting at a place of a record; others get their turn in the event loop on the way."""
    sitting: Sitting
    for step, sitting in enumerate(cursor.walk(place)):  # noqa: B007 - the last one is wanted
        if step % SLICE == SLICE - 1:
            await asyncio.sleep(0)
    return sitting
