"""Bots think outside the event loop: those that search in processes that can be killed, the others in a thread.

A bot that takes what looks best at once (`gretel`, `thumbling`) needs a fraction of a millisecond and never queues. A
bot that searches waits for one of a few processes, in the order of the scheduler. Where it finds none in time, or its
process dies or hangs, it plays what looks best at once, like `gretel`. It never plays at random.

**Answer times reveal nothing.** Some choices need no search: those with a lone option, and those of which the bot knows
that they hardly matter. Both depend on what the bot holds. So every choice of a bot that searches takes the same way
through the queue, and its answer is due when a search of the granted time would have ended, however soon it is found.
That time depends on the kind of the choice and on the number of seats, which everybody knows.
"""

import asyncio
import contextlib
import logging
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any, NamedTuple, TypeVar

import msgspec

from fabletop.bots.levels import DEFAULT, LEVELS, bot
from fabletop.bots.pace import share_of
from fabletop.core.chance import Chance
from fabletop.core.game import Choice
from fabletop.server.bots.process import BotReply, BotRequest, ChancesReply, ChancesRequest
from fabletop.server.bots.scheduler import Asker, Scheduler, Ticket

log = logging.getLogger("fabletop.server")
AnyReply = TypeVar("AnyReply", BotReply, ChancesReply)
LONGEST_ANSWER = 1 << 20
PATIENCE = 3.0
"""Seconds that a bot waits in the queue before it plays what looks best at once."""
OVERTIME = 4.0
"""Seconds beyond its thinking time after which a process counts as hung; a new process may take up to the limit."""
MARGIN = 0.05
"""Seconds from the end of a search until its answer is here, on a machine that is not overloaded."""


class Move(NamedTuple):
    """An action, and the time by the pool's clock before which nobody may see it."""

    action: int
    due: float


class BotPool:
    """A number of processes, each of which thinks about one choice at a time; they start when they are first needed.

    `limit` is the longest that anything may take, in seconds.
    """

    def __init__(
        self,
        count: int,
        limit: float,
        program: tuple[str, ...] = ("-m", "fabletop.server.bots.process"),
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.limit = limit
        self.program = program
        self.clock = clock
        self.dropped = 0
        """Bots that played what looks best at once instead of searching."""
        self.scheduler = Scheduler(count)
        self._turns: dict[Ticket, asyncio.Event] = {}
        self._idle: list[asyncio.subprocess.Process] = []
        self._processes: set[asyncio.subprocess.Process] = set()
        self._thread: ThreadPoolExecutor | None = None

    async def choose(
        self, level: str, view: Mapping[str, Any], choice: Choice, word: int, asker: Asker, haste: float = 1.0
    ) -> Move:
        """What a bot of this level answers, with this share of its time."""
        bot = LEVELS.get(level, LEVELS[DEFAULT])  # an old table may name a level that is gone
        if not bot.searches:
            return Move(await self._quickly(bot.id, view, choice, word), self.clock())
        part = share_of(view, choice.kind) * haste
        if not part:
            return Move(await self.greedy(view, choice, word), self.clock())
        ticket = await self._turn(asker, part * bot.milliseconds / 1000)
        if ticket is None or ticket.granted is None:
            self.dropped += 1
            return Move(await self.greedy(view, choice, word), self.clock())
        due = self.clock() + ticket.granted + MARGIN
        if len(choice.options) == 1:
            self._leave(ticket, 0.0)
            return Move(choice.options[0], due)
        reply = await self._ask(bot_request(view, choice, word, level, ticket.granted), ticket, BotReply)
        if reply is None or reply.action not in choice.options:
            self.dropped += 1
            return Move(await self.greedy(view, choice, word), due)
        return Move(reply.action, due)

    async def greedy(self, view: Mapping[str, Any], choice: Choice, word: int) -> int:
        """What looks best at once."""
        return await self._quickly(DEFAULT, view, choice, word)

    async def hint(
        self, view: Mapping[str, Any], choice: Choice, word: int, milliseconds: int, asker: Asker
    ) -> BotReply | None:
        """The options, best first, with what to expect of them; None where there is no process in time."""
        ticket = await self._turn(asker, milliseconds / 1000)
        if ticket is None or ticket.granted is None:
            return None
        return await self._ask(bot_request(view, choice, word, "", ticket.granted), ticket, BotReply)

    async def chances(
        self, views: list[Mapping[str, Any]], word: int, milliseconds: int, asker: Asker
    ) -> list[float] | None:
        """Each seat's share of the victory; None where there is no process in time."""
        ticket = await self._turn(asker, milliseconds / 1000)
        if ticket is None or ticket.granted is None:
            return None
        request = ChancesRequest([dict(view) for view in views], word, max(1, round(1000 * ticket.granted)))
        reply = await self._ask(request, ticket, ChancesReply)
        return None if reply is None else reply.chances

    async def close(self) -> None:
        """End all processes and the thread."""
        for process in list(self._processes):
            await self._end(process)
        if self._thread is not None:
            self._thread.shutdown(wait=False, cancel_futures=True)
            self._thread = None

    # ---- without a process ------------------------------------------------------------------

    async def _quickly(self, level: str, view: Mapping[str, Any], choice: Choice, word: int) -> int:
        """In a thread: it takes a fraction of a millisecond, but the first time it loads what the bots know."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "bots")
        return await asyncio.get_running_loop().run_in_executor(
            self._thread, quick_choice, level, dict(view), choice, word
        )

    # ---- the queue --------------------------------------------------------------------------

    async def _turn(self, asker: Asker, wanted: float) -> Ticket | None:
        """Wait for a process; None where that takes too long. Who gets a ticket must `_leave` with it."""
        ticket = self.scheduler.submit(asker, wanted, self.clock())
        if ticket is None:
            return None
        turn = self._turns[ticket] = asyncio.Event()
        self._call()
        try:
            async with asyncio.timeout(min(PATIENCE, self.limit)):
                await turn.wait()
        except TimeoutError:
            pass
        except BaseException:
            self._leave(ticket, 0.0)
            raise
        if ticket.granted is None:
            self._leave(ticket, 0.0)
            return None
        return ticket

    def _call(self) -> None:
        """Call those whose turn it is."""
        while (ticket := self.scheduler.next(self.clock())) is not None:
            self._turns[ticket].set()

    def _leave(self, ticket: Ticket, seconds: float) -> None:
        """A ticket is done with."""
        del self._turns[ticket]
        self.scheduler.done(ticket, seconds)
        self._call()

    # ---- processes --------------------------------------------------------------------------

    async def _ask(
        self, request: BotRequest | ChancesRequest, ticket: Ticket, kind: type[AnyReply]
    ) -> AnyReply | None:
        """Ask a process; None where it dies or hangs. The ticket is done with afterwards."""
        assert ticket.granted is not None
        began, process = self.clock(), None
        within = min(self.limit, ticket.granted + OVERTIME)
        try:
            process = self._idle.pop() if self._idle else None
            if process is None or process.returncode is not None:
                await self._end(process)
                process, within = await self._start(), self.limit
            async with asyncio.timeout(within):
                reply = msgspec.json.decode(await self._talk(process, request), type=kind)
        except Exception as error:
            log.warning("a bot was dropped: %s", type(error).__name__)
            await self._end(process)
            return None
        except BaseException:
            # nobody waits for the answer any more, and it must not be taken for the next one
            await self._end(process)
            raise
        else:
            self._idle.append(process)
            return reply
        finally:
            self._leave(ticket, self.clock() - began)

    async def _talk(self, process: asyncio.subprocess.Process, request: BotRequest | ChancesRequest) -> bytes:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(msgspec.json.encode(request) + b"\n")
        await process.stdin.drain()
        return await process.stdout.readline()

    async def _start(self) -> asyncio.subprocess.Process:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *self.program,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LONGEST_ANSWER,
        )
        self._processes.add(process)
        return process

    async def _end(self, process: asyncio.subprocess.Process | None) -> None:
        if process is None:
            return
        self._processes.discard(process)
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def quick_choice(level: str, view: Mapping[str, Any], choice: Choice, word: int) -> int:
    """What a level that does not search answers."""
    return bot(level, Chance(word)).choose(view, choice)


def bot_request(view: Mapping[str, Any], choice: Choice, word: int, level: str, granted: float) -> BotRequest:
    """The request to a process: the view and the choice, how long to think, and its own word of chance."""
    about, options = dict(choice.about), list(choice.options)
    return BotRequest(
        dict(view), choice.seat, choice.kind, options, about, word, level, max(1, round(1000 * granted))
    )
