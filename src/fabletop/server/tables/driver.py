"""The minder of a live table: lets the bots move, and moves for people whose time is out."""

import asyncio

from fabletop.bots.levels import DEFAULT
from fabletop.core.chance import Chance, stream_word
from fabletop.server.protocol.errors import ApiError
from fabletop.server.stores.entries import Acted
from fabletop.server.tables.actor import TableActor
from fabletop.server.tables.messages import seconds_left
from fabletop.server.tables.table import PLAYING

MOST_IN_A_STAGE = 500
"""More moves than bots need in one stage of a game; one that makes more is led out of its circle by chance."""


class Driver:
    """Looks after one table. `look` is called after every change and finds out what there is to do."""

    def __init__(self, actor: TableActor, opened: float) -> None:
        self.actor = actor
        self.credit_until = opened + actor.services.settings.credit
        self._bots: asyncio.Task[None] | None = None
        self._stage = (-1, 0)
        self._clock: asyncio.TimerHandle | None = None
        self._late: asyncio.Task[None] | None = None
        actor.on_change = self.look

    def look(self) -> None:
        """Start what has to be done."""
        actor = self.actor
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None
        if actor.error is not None or actor.table.status != PLAYING:
            return
        if self._bots is None and self._bot_seats():
            actor.at_work = True
            self._bots = actor.services.spawn(self._play())
        if self._late is not None:
            return
        waits = [wait for seat in actor.table.asked() if (wait := self._wait(seat)) is not None]
        if waits:
            self._clock = asyncio.get_running_loop().call_later(max(0.0, min(waits)) + 0.01, self._time_out)

    def stop(self) -> None:
        """The table is put away."""
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None
        if self._bots is not None:
            self._bots.cancel()
            self._bots = None
        if self._late is not None:
            self._late.cancel()

    # ---- bots -------------------------------------------------------------------------------

    def _bot_seats(self) -> list[int]:
        """The bots that are asked; where no person plays any more, they move only while somebody looks on."""
        table = self.actor.table
        if not self.actor.subscribers and not any(seat.is_person for seat in table.seats):
            return []
        return [seat for seat in table.asked() if table.seats[seat].bot]

    async def _play(self) -> None:
        try:
            while (seats := self._bot_seats()) and self.actor.error is None:
                await self._move(seats[0])
        except ApiError:
            pass  # the store is down or the table has moved: whoever loads it next goes on
        finally:
            self._bots = None
            self._rest()

    def _rest(self) -> None:
        self.actor.at_work = self._bots is not None or self._late is not None

    async def _move(self, seat: int) -> None:
        actor, pause = self.actor, self.actor.services.settings.bot_pause
        if pause:
            await asyncio.sleep(pause)
        asked = actor.table.cursors[seat].choice
        action = await self.thought(seat, actor.table.seats[seat].bot, lost=self._in_circles())
        same = actor.table.cursors[seat].choice == asked and actor.table.status == PLAYING
        if action is None or not same or not actor.table.seats[seat].bot or actor.error is not None:
            return
        await actor.write(Acted(actor.services.now(), seat, action, by="bot"))
        actor.services.metrics.actions.by["bot"] += 1

    def _in_circles(self) -> bool:
        """Have bots made so many moves in one stage of the game that one of them must be going round in circles?"""
        assert self.actor.table.sitting is not None
        stage, count = self.actor.table.sitting.state.stage, self._stage[1]
        self._stage = (stage, count + 1 if stage == self._stage[0] else 0)
        return count > MOST_IN_A_STAGE

    async def thought(self, seat: int, level: str, lost: bool = False) -> str | None:
        """What a bot would do in this seat: it gets the view and the choice of the seat, and chance of its own."""
        table, thinkers = self.actor.table, self.actor.services.thinkers
        choice = table.choice(seat)
        if choice is None or table.sitting is None:
            return None
        made = sum(who == seat for who, _ in table.sitting.actions)
        word = stream_word(table.head.seed, f"bot {seat}", made)
        action = None if lost else await thinkers.choose(level, table.sitting.view(seat), choice, word)
        self.actor.services.metrics.dropped.set(thinkers.dropped)
        return table.game.actions[Chance(word).pick(choice.options) if action is None else action]

    # ---- clocks -----------------------------------------------------------------------------

    def _wait(self, seat: int) -> float | None:
        """How long to wait for a person; after a restart everybody has a moment to come back."""
        actor = self.actor
        if actor.table.seats[seat].bot:
            return None
        now = actor.services.now()
        left = seconds_left(actor.table, seat, now)
        return None if left is None else max(left, self.credit_until - now)

    def _time_out(self) -> None:
        self._clock = None
        self.actor.at_work = True
        self._late = self.actor.services.spawn(self._see_to_the_late())

    async def _see_to_the_late(self) -> None:
        try:
            await self._move_for_the_late()
        finally:
            self._late = None
            self._rest()
        self.look()

    async def _move_for_the_late(self) -> None:
        actor = self.actor
        late = [seat for seat in actor.table.asked() if (wait := self._wait(seat)) is not None and wait <= 0]
        for seat in late:
            asked = actor.table.cursors[seat].choice
            action = await self.thought(seat, DEFAULT)
            same = actor.table.cursors[seat].choice == asked and actor.table.status == PLAYING
            if action is None or not same or actor.error is not None or actor.table.seats[seat].bot:
                continue
            try:
                await actor.write(Acted(actor.services.now(), seat, action, by="clock"))
            except ApiError:
                return
            actor.services.metrics.actions.by["clock"] += 1
