"""A rate limit on what a client sends."""

import asyncio


class Throttle:
    """A token bucket: at most `rate` messages a second, after a pause `burst` at once. Waits where there are more."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = burst
        self._tokens = burst
        self._seen = asyncio.get_running_loop().time()

    async def acquire(self) -> None:
        """Wait until one more may be sent."""
        loop = asyncio.get_running_loop()
        while True:
            now = loop.time()
            self._tokens = min(self.burst, self._tokens + (now - self._seen) * self.rate)
            self._seen = now
            if self._tokens >= 1:
                self._tokens -= 1
                return
            await asyncio.sleep((1 - self._tokens) / self.rate)
