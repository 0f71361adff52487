"""Notices: an address that is called when it is somebody's turn and they are away.

Safeguards: https only, every address that the host name stands for must be public, the connection goes to an address
that was checked, no redirects, a short time limit; errors are kept with the hook and three in a row switch it off. A
person is told once, not with every move: the next notice waits until they have been here.
"""

import asyncio
import ipaddress
import logging
import socket
import time
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from fabletop.server.metrics import Metrics
from fabletop.server.push import push_key
from fabletop.server.refusals import Refused
from fabletop.server.settings import Settings
from fabletop.server.store import Hook, Store, StoreDown

log = logging.getLogger("fabletop.server")
MOST_FAILURES = 3
PUSHED = "+push"
"""Stands behind the key of a hook that is the endpoint of a browser's push subscription."""
SECONDS = 5.0


def is_public(address: str) -> bool:
    """May the server call this address on somebody's behalf?"""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    return found.is_global and not found.is_multicast


def checked_url(url: str, trusted: Iterable[str] = ()) -> str:
    """The host of an address that may be called; Refused says what is wrong with it."""
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname or ""
    except ValueError:
        raise Refused("bad_message", "this is no address") from None
    if host in trusted:
        return host
    if parts.scheme != "https" or not host:
        raise Refused("bad_message", "a webhook needs an address that begins with https://")
    if parts.username is not None or parts.password is not None:
        raise Refused("bad_message", "a webhook's address must not contain a password")
    if port not in (None, 443):
        raise Refused("bad_message", "a webhook is called on the usual port of https")
    try:
        literal = is_public(host)
    except ValueError:
        return host  # a name: checked when it is resolved
    if not literal:
        raise Refused("bad_message", "a webhook must be a public address")
    return host


class PublicOnly(AbstractResolver):
    """Resolves names, and refuses those of which any address is not public; the connection goes to what was checked."""

    def __init__(self, trusted: Iterable[str]) -> None:
        self.trusted = frozenset(trusted)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """All addresses of a host, or an error."""
        found = await asyncio.get_running_loop().getaddrinfo(
            host, port, type=socket.SOCK_STREAM, family=socket.AF_UNSPEC
        )
        if host not in self.trusted and not all(is_public(str(info[4][0])) for info in found):
            raise OSError(f"{host} is not a public address")
        return [
            ResolveResult(
                hostname=host,
                host=str(info[4][0]),
                port=port,
                family=info[0],
                proto=info[2],
                flags=socket.AI_NUMERICHOST,
            )
            for info in found
        ]

    async def close(self) -> None:
        """Nothing to close."""


class Notices:
    """Calls webhooks. One that hangs or fails holds nobody up."""

    def __init__(self, settings: Settings, store: Store, metrics: Metrics) -> None:
        self.settings = settings
        self.store = store
        self.metrics = metrics
        self.key = push_key(settings.push_key)
        self._told: set[tuple[str, str]] = set()
        self._session: aiohttp.ClientSession | None = None

    def check(self, url: str) -> None:
        """May this address be called?"""
        checked_url(url, self.settings.trusted_hooks)

    def seen(self, table: str, key: str) -> None:
        """The person has been here: the next notice may be sent."""
        self._told -= {(table, key), (table, key + PUSHED)}

    async def call(self, table: str, game: str, keys: Iterable[str]) -> None:
        """It is the turn of those with these keys at a table."""
        wanted = {
            key + kind for key in keys for kind in ("", PUSHED) if (table, key + kind) not in self._told
        }
        if not wanted:
            return
        try:
            hooks = [hook for hook in await self.store.hooks(table) if hook.key in wanted]
            for hook in hooks:
                if hook.failures < MOST_FAILURES:
                    self._told.add((table, hook.key))
                    await self._post(hook, game)
        except StoreDown:
            log.warning("notices wait: the store does not answer")

    async def _post(self, hook: Hook, game: str) -> None:
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
                hook.url, allow_redirects=False, **self._letter(hook, game)
            ) as answer:
                error = "" if answer.status < 300 else f"answered {answer.status}"
                if hook.key.endswith(PUSHED) and answer.status in (404, 410):  # the browser has unsubscribed
                    await self.store.hook(hook._replace(url=""))
                    return
        except (aiohttp.ClientError, OSError, TimeoutError, Refused) as problem:
            error = type(problem).__name__
        self.metrics.notices.labels("failed" if error else "sent").inc()
        if error or hook.failures:
            failures = hook.failures + 1 if error else 0
            await self.store.hook(hook._replace(failures=failures, error=error))

    def _letter(self, hook: Hook, game: str) -> dict[str, Any]:
        """What is sent: a few words to a webhook, nothing but a signature to a push service."""
        if hook.key.endswith(PUSHED):
            assert self.key is not None
            return {"headers": self.key.headers(hook.url, self.settings.public, time.time()), "data": b""}
        text = f"It is your turn in {game.replace('_', ' ')}."
        url = f"{self.settings.public}/t/{hook.table}"
        return {"json": {"table": hook.table, "game": game, "text": text, "url": url}}

    async def close(self) -> None:
        """Close what is open."""
        if self._session is not None:
            await self._session.close()
