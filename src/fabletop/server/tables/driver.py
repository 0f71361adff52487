"""The driver of a table: makes the moves of bots, and of people whose time is out.

A bot's pause starts when it is asked, and it thinks meanwhile. The pause is drawn, the same way for every choice: when
a bot answers depends on its level, the kind of the choice and the load of the server, and on nothing that it holds.
Where all seats decide at once, unseen, all bots think at once, while people do, and without a pause: nobody has to
follow them. When all people are done and have waited a moment, bots hurry. Everybody knows that they wait, so this too
reveals nothing of what a bot holds.
"""

import asyncio
import hashlib
import random

import msgspec

from fabletop.bots.levels import DEFAULT
from fabletop.core.chance import Chance, stream_word
from fabletop.server.bots.pool import Move
from fabletop.server.bots.scheduler import Asker, Rank
from fabletop.server.protocol.errors import ApiError
from fabletop.server.stores.background import RETRY
from fabletop.server.stores.entries import Acted
from fabletop.server.tables.actor import TableActor
from fabletop.server.tables.clocks import seconds_left
from fabletop.server.tables.lessons import rests, scripted
from fabletop.server.tables.table import PLAYING

MOST_IN_A_STAGE = 500
"""More moves than bots need in one stage of a game. After that they play what looks best; see `_answer`."""
SPREAD = 0.25
"""A pause is drawn from the one that is set, by up to this share more or less."""
HASTE = ((2.0, 0.0), (0.5, 0.15))
"""Where people have waited for this number of seconds for bots that decide at the same time as they: the share of its
time for which a bot thinks. Without any, it plays what looks best at once."""
PAUSES = random.Random()
"""A generator of its own: other code in the process may seed the global one, or check that nobody draws from it."""


def drawn_pause(pause: float) -> float:
    """Seconds that a bot takes for a move, around the pause that is set."""
    return pause * PAUSES.uniform(1 - SPREAD, 1 + SPREAD)


def asker_at(actor: TableActor, rank: Rank = Rank.BOT) -> Asker:
    """For whom bots think at a table: the people who play there and are connected; where there are none, the
    spectators. Nobody can burden somebody else's table by looking at it."""
    people = [subscriber for subscriber in actor.subscribers if subscriber.seats]
    households = {subscriber.household for subscriber in people or actor.subscribers}
    if rank is Rank.BOT and not actor.subscribers:
        rank = Rank.UNWATCHED
    return Asker(actor.table.head.id, tuple(sorted(households)), rank)


class Driver:
    """Drives one table. `look` is called after every change and starts what there is to do."""

    def __init__(self, actor: TableActor, opened: float) -> None:
        self.actor = actor
        self.credit_until = opened + actor.services.settings.credit
        self._bots: asyncio.Task[None] | None = None
        self._stage = (-1, 0)
        self._waits: float | None = None
        self._seen: set[bytes] = set()
        self._clock: asyncio.TimerHandle | None = None
        self._late: asyncio.Task[None] | None = None
        actor.on_change = self.look

    def look(self) -> None:
        """Start what has to be done."""
        actor = self.actor
        self._stop_clock()
        if actor.error is not None or actor.table.status != PLAYING:
            return
        self._haste()  # from now on people may wait
        if self._bots is None and self._bot_seats():
            actor.at_work = True
            self._bots = actor.services.spawn(self._play())
        if self._late is not None or actor.table.head.pace.kind == "none":
            return
        waits = [wait for seat in actor.table.asked() if (wait := self._wait(seat)) is not None]
        if waits:
            self._clock = asyncio.get_running_loop().call_later(max(0.0, min(waits)) + 0.01, self._time_out)

    def _look_again_later(self) -> None:
        """Something has failed that should not: the people at the table must not wait for ever."""
        self._stop_clock()
        self._clock = asyncio.get_running_loop().call_later(RETRY, self.look)

    def _stop_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def stop(self) -> None:
        """The table is evicted."""
        self._stop_clock()
        if self._bots is not None:
            self._bots.cancel()
            self._bots = None
        if self._late is not None:
            self._late.cancel()

    # ---- bots -------------------------------------------------------------------------------

    def _bot_seats(self) -> list[int]:
        """The bots that are asked. Where no person plays any more, they move only while somebody watches; in a lesson
        they wait while the learner has something to take back."""
        table = self.actor.table
        seats = [seat for seat in table.asked() if table.seats[seat].bot]
        if seats and table.head.lesson and rests(table):
            return []
        if seats and not self.actor.subscribers and not any(seat.is_person for seat in table.seats):
            return []
        return seats

    async def _play(self) -> None:
        try:
            while (seats := self._bot_seats()) and self.actor.error is None:
                async with asyncio.TaskGroup() as moves:
                    for seat in seats:
                        moves.create_task(self._move(seat))
        except* ApiError:
            pass  # the store is down or the table has moved: the worker that opens it next goes on
        except* Exception:
            self._look_again_later()
            raise
        finally:
            self._bots = None
            self._rest()

    def _rest(self) -> None:
        self.actor.at_work = self._bots is not None or self._late is not None

    async def _move(self, seat: int) -> None:
        actor, services = self.actor, self.actor.services
        pause = drawn_pause(services.settings.bot_pause)
        seen = not self._together()
        began = services.bots.clock()
        asked = actor.table.cursors[seat].choice
        answer = await self._answer(seat, actor.table.seats[seat].bot)
        if pause:  # without a pause bots are as quick as they can, and nothing is hidden
            due = max(began + pause if seen else 0.0, answer.due if answer is not None else 0.0)
            await asyncio.sleep(max(0.0, due - services.bots.clock()))
        same = actor.table.cursors[seat].choice == asked and actor.table.status == PLAYING
        if answer is None or not same or not actor.table.seats[seat].bot or actor.error is not None:
            return
        await actor.write(Acted(services.now(), seat, actor.table.game.actions[answer.action], by="bot"))
        services.metrics.actions.by["bot"] += 1

    def _together(self) -> bool:
        """Do the seats decide at once, unseen by each other?"""
        sitting = self.actor.table.sitting
        return sitting is not None and bool(sitting.state.together)

    def _haste(self) -> float:
        """The share of their time that bots think: less where people at the table have waited for them."""
        if not self._together() or not self._people_wait():
            self._waits = None
            return 1.0
        now = self.actor.services.bots.clock()
        if self._waits is None:
            self._waits = now
        waited = now - self._waits
        return next((share for seconds, share in HASTE if waited >= seconds), 1.0)

    def _people_wait(self) -> bool:
        """Are people connected who play here, and only bots asked?"""
        table = self.actor.table
        return any(subscriber.seats for subscriber in self.actor.subscribers) and all(
            table.seats[seat].bot for seat in table.asked()
        )

    def _stage_moves(self) -> int:
        """How many moves bots have made in this stage of the game."""
        assert self.actor.table.sitting is not None
        stage, count = self.actor.table.sitting.state.stage, self._stage[1]
        if stage != self._stage[0]:
            count = 0
            self._seen.clear()
        self._stage = (stage, count + 1)
        return count

    async def _answer(self, seat: int, level: str) -> Move | None:
        """What a bot would do in this seat: it gets the view and the choice of the seat, and chance of its own.

        A bot that goes round in circles plays what looks best. Where that too leads to a view that it had before, the
        circle is proven, and only a move at random is sure to lead out of it.
        """
        table, services = self.actor.table, self.actor.services
        choice = table.choice(seat)
        if choice is None or table.sitting is None:
            return None
        view, bots = table.sitting.view(seat), services.bots
        if (action := scripted(table, seat)) is not None:
            return Move(action, bots.clock())
        word = stream_word(table.head.seed, f"bot {seat}", table.sitting.made(seat))
        if self._stage_moves() <= MOST_IN_A_STAGE:
            answer = await bots.choose(level, view, choice, word, asker_at(self.actor), self._haste())
            services.metrics.dropped.set(bots.dropped)
            return answer
        seen = hashlib.sha256(msgspec.json.encode(view)).digest()
        if seen in self._seen:
            return Move(Chance(word).pick(choice.options), bots.clock())
        self._seen.add(seen)
        return Move(await bots.greedy(view, choice, word), bots.clock())

    # ---- clocks -----------------------------------------------------------------------------

    def _wait(self, seat: int) -> float | None:
        """Seconds to wait for a person; after a restart everyone gets time to reconnect."""
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
        except Exception:
            self._look_again_later()
            raise
        finally:
            self._late = None
            self._rest()
        self.look()

    async def _move_for_the_late(self) -> None:
        actor = self.actor
        late = [seat for seat in actor.table.asked() if (wait := self._wait(seat)) is not None and wait <= 0]
        for seat in late:
            asked = actor.table.cursors[seat].choice
            answer = await self._answer(seat, DEFAULT)
            same = actor.table.cursors[seat].choice == asked and actor.table.status == PLAYING
            if answer is None or not same or actor.error is not None or actor.table.seats[seat].bot:
                continue
            action = actor.table.game.actions[answer.action]
            try:
                await actor.write(Acted(actor.services.now(), seat, action, by="clock"))
            except ApiError:
                return
            actor.services.metrics.actions.by["clock"] += 1
