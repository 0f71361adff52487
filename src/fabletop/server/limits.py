"""Rate limits by token buckets, and the address for which a request counts."""

import ipaddress
from collections import OrderedDict
from collections.abc import Callable
from contextvars import ContextVar
from time import monotonic

from aiohttp import web

CLIENT: ContextVar[str] = ContextVar("client", default="?")
"""The address for which the present task works, as `household` names it; the tasks that it starts work for the same."""
MOST_KEPT = 50_000
ONE_HOUSE = 64
"""Bits of an IPv6 address that a household has in common; it can choose the others."""


def address(request: web.Request, behind_proxy: bool) -> str:
    """Where a request comes from; behind a proxy, the last address that its header names."""
    if behind_proxy:
        forwarded = ",".join(request.headers.getall("X-Forwarded-For", []))
        if forwarded:
            return forwarded.rpartition(",")[2].strip()[:64]
    return request.remote or "?"


def household(request: web.Request, behind_proxy: bool) -> str:
    """The address for which limits count: an IPv4 address, or the network of an IPv6 household."""
    return household_of(address(request, behind_proxy))


def household_of(address: str) -> str:
    """The same for an address."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if parsed.version == 4:
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, ONE_HOUSE), strict=False))


class Bucket:
    """A token bucket: `rate` a second, with bursts of `most`."""

    __slots__ = ("most", "rate", "tokens", "updated")

    def __init__(self, rate: float, most: float, now: float) -> None:
        self.rate = rate
        self.most = most
        self.tokens = most
        self.updated = now

    def take(self, now: float) -> bool:
        """Take one, if there is one."""
        tokens = self.tokens + (now - self.updated) * self.rate
        self.updated = now
        if tokens > self.most:
            tokens = self.most
        self.tokens = tokens - 1 if tokens >= 1 else tokens
        return tokens >= 1


class Buckets:
    """A bucket for each address; the one that was used longest ago is dropped first."""

    def __init__(self, rate: float, most: float, clock: Callable[[], float] = monotonic) -> None:
        self.rate = rate
        self.most = most
        self.clock = clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, who: str) -> bool:
        """Take one for this address, if there is one."""
        now = self.clock()
        bucket = self._buckets.get(who)
        if bucket is None:
            bucket = self._buckets[who] = Bucket(self.rate, self.most, now)
            if len(self._buckets) > MOST_KEPT:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(who)
        return bucket.take(now)
