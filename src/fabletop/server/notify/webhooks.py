"""Webhooks: an address that is called when it is a person's turn and they are away.

Safeguards: public addresses over https only (`addresses`), no redirects, a short time limit. A call that fails is
retried twice; when all attempts failed, the error is stored with the hook, and three such failures in a row disable it.
A person is notified once, not with every move: the next notice waits until they have returned. The store keeps who has
been notified, so a restart neither loses nor repeats one.
"""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Coroutine, Iterable
from typing import Any, NamedTuple

import aiohttp

from fabletop.server.metrics import Metrics
from fabletop.server.notify.addresses import PublicOnly, checked_url
from fabletop.server.notify.push import push_key
from fabletop.server.protocol.errors import ApiError
from fabletop.server.settings import Settings
from fabletop.server.stores.background import Background
from fabletop.server.stores.base import MOST_FAILURES, Hook, Store

PUSHED = "+push"
"""Suffix of the key of a hook that is the endpoint of a browser's push subscription."""
SECONDS = 5.0
"""Seconds that a call may take."""
PAUSES = (10.0, 60.0)
"""Seconds before the second and the third attempt."""
TABLES_AT_ONCE = 100
"""Tables that one sweep opens in order to notify a person."""


class Round:
    """Finds the tables at which somebody may have to be notified, `after` seconds after their last entry: first
    all of them, then those that became due since."""

    def __init__(self, after: float) -> None:
        self.after = after
        self._done = 0.0

    async def more(self, store: Store, now: float) -> list[str]:
        """Tables that became due since the last call."""
        until = now - self.after
        due = await store.to_notify(self._done, until)
        self._done = until
        return due


class Attempt(NamedTuple):
    """A person is being notified; `back` is set when they have returned by themselves."""

    task: "asyncio.Task[None]"
    back: asyncio.Event


class Notifier:
    """Calls webhooks. A call that hangs or fails delays no other."""

    def __init__(self, settings: Settings, store: Store, metrics: Metrics, background: Background) -> None:
        self.settings = settings
        self.store = store
        self.metrics = metrics
        self.background = background
        self.key = push_key(settings.push_key)
        after = settings.notice_after
        # the second one is for tables whose owner had died shortly before the first and still held its lease
        self._rounds = (Round(after), Round(after + 2 * settings.lease + settings.sweep))
        self._waiting: deque[str] = deque()
        self._attempts: dict[tuple[str, str], Attempt] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._session: aiohttp.ClientSession | None = None

    def check(self, url: str) -> None:
        """May this address be called?"""
        checked_url(url, self.settings.trusted_hooks)

    # ---- whose turn it is -------------------------------------------------------------------

    async def waiting(self, now: float, began: float) -> list[str]:
        """Tables that should be opened, if they are not, because somebody there may have to be notified. None until
        the server has run for a while: people who were connected before a restart need time to reconnect."""
        if now - began < self.settings.notice_after:
            return []
        for round_ in self._rounds:
            self._waiting.extend(await round_.more(self.store, now))
        return [self._waiting.popleft() for _ in range(min(len(self._waiting), TABLES_AT_ONCE))]

    def postpone(self, table: str) -> None:
        """A table that should be opened could not be."""
        self._waiting.append(table)

    def seen(self, table: str, key: str) -> None:
        """The person has been here: the next notice may be sent."""
        if not key:
            return
        attempt = self._attempts.get((table, key))
        if attempt is not None:
            attempt.back.set()
        self._spawn(self._clear(table, key, attempt))

    async def _clear(self, table: str, key: str, attempt: Attempt | None) -> None:
        """Note that the person has not been notified; nothing is written if that is stored already."""
        if attempt is not None:
            await asyncio.wait([attempt.task])  # it stores its own result at the end
        for hook in await self._hooks(table):
            if hook.notified and hook.key.removesuffix(PUSHED) == key:
                await self._note(hook._replace(notified=False))

    def call(self, table: str, game: str, keys: Iterable[str]) -> None:
        """It is the turn of the people with these keys: notify those who have not been, in the background."""
        for key in keys:
            if (table, key) not in self._attempts:
                back = asyncio.Event()
                task = self._spawn(self._call(table, game, key, back))
                self._attempts[table, key] = Attempt(task, back)

    async def _call(self, table: str, game: str, key: str, back: asyncio.Event) -> None:
        try:
            hooks = [hook for hook in await self._hooks(table) if hook.key.removesuffix(PUSHED) == key]
            calls = [self._tell(hook, game, back) for hook in hooks if self._works(hook)]
            for problem in await asyncio.gather(*calls, return_exceptions=True):
                if problem is not None:
                    raise problem
        finally:
            self._attempts.pop((table, key), None)

    def _works(self, hook: Hook) -> bool:
        """Is this hook to be called now?"""
        able = self.key is not None or not hook.key.endswith(PUSHED)
        return able and not hook.notified and hook.failures < MOST_FAILURES

    # ---- calling ----------------------------------------------------------------------------

    async def _tell(self, hook: Hook, game: str, back: asyncio.Event) -> None:
        """Call a hook until it answers, a few times at most, and note how it went."""
        error = await self._post(hook, game)
        for pause in PAUSES:
            if not error:
                break
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(back.wait(), pause)
            if back.is_set() or hook not in await self._hooks(hook.table):
                return  # the person is here, or wants to be called elsewhere
            error = await self._post(hook, game)
        self.metrics.notices.labels("failed" if error else "sent").inc()
        failures = hook.failures + 1 if error else 0
        await self._note(hook._replace(failures=failures, error=error, notified=True))

    async def _post(self, hook: Hook, game: str) -> str:
        """Call a hook once; what went wrong, if anything."""
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(
                    resolver=PublicOnly(self.settings.trusted_hooks), use_dns_cache=False, force_close=True
                ),
                timeout=aiohttp.ClientTimeout(total=SECONDS),
                trust_env=False,
            )
        try:
            checked_url(hook.url, self.settings.trusted_hooks)
            async with self._session.post(
                hook.url, allow_redirects=False, **self._content(hook, game)
            ) as answer:
                if hook.key.endswith(PUSHED) and answer.status in (404, 410):  # the browser has unsubscribed
                    await self.background.retried(lambda: self.store.hook(hook._replace(url="")))
                    return ""
                return "" if answer.status < 300 else f"answered {answer.status}"
        except (aiohttp.ClientError, OSError, TimeoutError, ApiError, ValueError) as problem:
            return type(problem).__name__

    def _content(self, hook: Hook, game: str) -> dict[str, Any]:
        """The content of a call: a few words to a webhook, nothing but a signature to a push service."""
        if hook.key.endswith(PUSHED):
            assert self.key is not None
            return {"headers": self.key.headers(hook.url, self.settings.public, time.time()), "data": b""}
        text = f"It is your turn in {game.replace('_', ' ')}."
        url = f"{self.settings.public}/t/{hook.table}"
        return {"json": {"table": hook.table, "game": game, "text": text, "url": url}}

    # ---- background tasks ------------------------------------------------------------------------

    def _spawn(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        task = self.background.spawn(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _hooks(self, table: str) -> list[Hook]:
        """The hooks of a table, as soon as the store can tell."""
        return await self.background.retried(lambda: self.store.hooks(table))

    async def _note(self, hook: Hook) -> None:
        """Note how a call went, as soon as the store can: until then the person is not called again."""
        await self.background.retried(lambda: self.store.called(hook))

    async def close(self) -> None:
        """Cancel the calls, which the next server makes, but note who has been here; close the session."""
        for attempt in list(self._attempts.values()):
            attempt.task.cancel()
        if self._tasks:
            _, left = await asyncio.wait(self._tasks, timeout=SECONDS)
            for task in left:
                task.cancel()
        if self._session is not None:
            await self._session.close()
