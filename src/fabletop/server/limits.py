"""Rates: a bucket fills steadily and every request takes a drop; an empty bucket means: too many. And who is meant by
that: an address."""

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
"""Bits of an IPv6 address that a household has in common; it may choose the others as it likes."""


def address(request: web.Request, behind_proxy: bool) -> str:
    """Where a request comes from; with a proxy in front, what that one says: the last of all that the header names."""
    if behind_proxy:
        forwarded = ",".join(request.headers.getall("X-Forwarded-For", []))
        if forwarded:
            return forwarded.rpartition(",")[2].strip()[:64]
    return request.remote or "?"


def household(request: web.Request, behind_proxy: bool) -> str:
    """For whom limits are counted: an IPv4 address, or all IPv6 addresses of one household."""
    found = address(request, behind_proxy)
    try:
        parsed = ipaddress.ip_address(found.partition("%")[0])
    except ValueError:
        return found
    if parsed.version == 4:
        return found
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, ONE_HOUSE), strict=False))


class Bucket:
    """So many per second, with bursts of `most`."""

    __slots__ = ("drops", "most", "rate", "seen")

    def __init__(self, rate: float, most: float, now: float) -> None:
        self.rate = rate
        self.most = most
        self.drops = most
        self.seen = now

    def take(self, now: float) -> bool:
        """Is there room for one more?"""
        self.drops = min(self.most, self.drops + (now - self.seen) * self.rate)
        self.seen = now
        if self.drops < 1:
            return False
        self.drops -= 1
        return True


class Buckets:
    """A bucket for everybody, by address; those unheard of for longest are forgotten first."""

    def __init__(self, rate: float, most: float, clock: Callable[[], float] = monotonic) -> None:
        self.rate = rate
        self.most = most
        self.clock = clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, who: str) -> bool:
        """Is there room for one more of this address?"""
        now = self.clock()
        bucket = self._buckets.get(who)
        if bucket is None:
            bucket = self._buckets[who] = Bucket(self.rate, self.most, now)
            if len(self._buckets) > MOST_KEPT:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(who)
        return bucket.take(now)
