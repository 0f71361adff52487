"""Bots think outside the event loop, in processes that can be ended: no bot can slow a table that is not its own.

A process that does not answer in time, or dies, is replaced; the table then gets None and makes a simple move.
"""

import asyncio
import contextlib
import logging
import sys
from collections.abc import Mapping
from typing import Any

import msgspec

from fabletop.core.game import Choice
from fabletop.server.bots.process import BotReply, BotRequest

log = logging.getLogger("fabletop.server")
LONGEST_ANSWER = 1 << 20


class BotPool:
    """So many processes; each thinks about one choice at a time. They start when they are first needed."""

    def __init__(
        self, count: int, limit: float, program: tuple[str, ...] = ("-m", "fabletop.server.bots.process")
    ) -> None:
        self.limit = limit
        self.program = program
        self.dropped = 0
        self._free: asyncio.LifoQueue[asyncio.subprocess.Process | None] = asyncio.LifoQueue()
        for _ in range(count):
            self._free.put_nowait(None)
        self._hinting = asyncio.Semaphore(1)
        """One hint at a time stands in the queue, so that bots, for whom whole tables wait, come first."""
        self._processes: set[asyncio.subprocess.Process] = set()
        self._decode = msgspec.json.Decoder(BotReply).decode

    async def choose(self, level: str, view: Mapping[str, Any], choice: Choice, word: int) -> int | None:
        """What a bot of this level answers; None if it does not answer in time."""
        if len(choice.options) == 1:
            return choice.options[0]
        answer = await self._ask(thought(view, choice, word, level))
        return answer.action if answer is not None and answer.action in choice.options else None

    async def hint(
        self, view: Mapping[str, Any], choice: Choice, word: int, milliseconds: int
    ) -> list[dict[str, float]] | None:
        """The options, best first, with what is to be expected of them; None if that takes too long."""
        asked = thought(view, choice, word, "")
        asked.milliseconds = milliseconds
        try:
            await asyncio.wait_for(self._hinting.acquire(), self.limit)
        except TimeoutError:
            return None
        try:
            answer = await self._ask(asked)
        finally:
            self._hinting.release()
        return None if answer is None else answer.options

    async def _ask(self, asked: BotRequest) -> BotReply | None:
        try:
            process = await asyncio.wait_for(self._free.get(), self.limit)
        except TimeoutError:
            self.dropped += 1
            return None
        try:
            if process is None or process.returncode is not None:
                process = await self._start()
            return await asyncio.wait_for(self._talk(process, asked), self.limit)
        except Exception as error:
            self.dropped += 1
            log.warning("a bot was dropped: %s", type(error).__name__)
            await self._end(process)
            process = None
            return None
        except BaseException:
            await self._end(process)
            process = None
            raise
        finally:
            self._free.put_nowait(process)

    async def _talk(self, process: asyncio.subprocess.Process, asked: BotRequest) -> BotReply:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(msgspec.json.encode(asked) + b"\n")
        await process.stdin.drain()
        return self._decode(await process.stdout.readline())

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

    async def close(self) -> None:
        """End all processes."""
        for process in list(self._processes):
            await self._end(process)


def thought(view: Mapping[str, Any], choice: Choice, word: int, level: str) -> BotRequest:
    """What a thinker is told: the view and the choice, and a word of chance of its own."""
    return BotRequest(
        dict(view), choice.seat, choice.kind, list(choice.options), dict(choice.about), word, level
    )
