"""Rates: a bucket fills steadily and every request takes a drop; an empty bucket means: too many."""

from collections import OrderedDict
from collections.abc import Callable
from time import monotonic

MOST_KEPT = 50_000


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
