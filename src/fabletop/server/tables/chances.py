"""How the chances of the seats went in the course of a finished game, as bots judge them.

It is computed when somebody asks, point by point, by the processes of the bots, and each point waits for its turn there
like a hint. What has been found is kept as long as the table is in memory: whoever asks again goes on where it stopped,
and somebody who asks meanwhile waits for the same points.
"""

import asyncio

from fabletop.core.chance import Chance
from fabletop.core.game import Game
from fabletop.core.records import Record
from fabletop.core.sitting import Sitting
from fabletop.server.bots.scheduler import Rank
from fabletop.server.protocol.errors import worded
from fabletop.server.tables.actor import TableActor
from fabletop.server.tables.driver import asker_at
from fabletop.server.tables.replays import steps

MOST_POINTS = 60
MILLISECONDS = 60
"""Of thinking about a point."""
PATIENCE = 12.0
"""Seconds after which the person is asked to try again."""


async def points_of(game: Game, record: Record) -> list[int]:
    """The places of a record where somebody else is asked than before, and its ends; not more than MOST_POINTS."""
    places: list[int] = []
    asked: list[int] | None = None
    async for place, sitting in steps(game, record):
        now = sorted(sitting.pending)
        if now != asked:
            places.append(place)
            asked = now
    if places[-1] != place:
        places.append(place)
    if len(places) > MOST_POINTS:
        step = (len(places) - 1) / (MOST_POINTS - 1)
        places = [places[round(number * step)] for number in range(MOST_POINTS)]
    return places


async def chances_at(actor: TableActor, place: int, sitting: Sitting) -> list[float]:
    """The chances of all seats at a place of the record."""
    outcome = sitting.outcome
    if outcome is not None:
        return list(outcome.shares)
    shares = await actor.services.bots.chances(
        [sitting.view(seat) for seat in range(len(actor.table.seats))],
        Chance.from_text(f"chances {actor.table.head.id} {place}").word(),
        MILLISECONDS,
        asker_at(actor, Rank.HINT),
    )
    if shares is None:
        raise worded("busy", "chances_busy")
    return shares


async def find_chances(actor: TableActor, record: Record) -> dict[int, list[float]]:
    """The chances at every point of a finished game, by place."""
    try:
        async with asyncio.timeout(PATIENCE), actor.finds_chances:
            points = set(await points_of(actor.table.game, record))
            async for place, sitting in steps(actor.table.game, record):
                if place in points and place not in actor.chances:
                    actor.chances[place] = await chances_at(actor, place, sitting)
    except TimeoutError:
        raise worded("busy", "chances_busy") from None
    return actor.chances
