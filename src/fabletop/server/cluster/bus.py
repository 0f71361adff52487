"""Messages between workers. Each worker has a name; a message is bytes to one worker, at most once, in order.

A bus may lose messages when it breaks; whoever uses it is told (`on_loss`) and must not rely on what was under way. A
message to somebody who is not there comes back (`on_absent`).
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Any, Protocol

from fabletop.core.errors import FabletopError

log = logging.getLogger("fabletop.server")

Receive = Callable[[bytes], None]
Absent = Callable[[str, bytes], None]
Loss = Callable[[], None]
LARGEST_BATCH = 200


class Bus(Protocol):
    """The way to other workers."""

    async def open(self, worker: str, receive: Receive, on_loss: Loss, on_absent: Absent) -> None:
        """Be reached under this name from now on."""

    def send(self, worker: str, data: bytes) -> None:
        """Send; never waits."""

    @property
    def connected(self) -> bool:
        """Does it work at the moment?"""

    async def close(self) -> None:
        """Be reached no longer."""


class LocalBus:
    """Workers in one process; `names` is the room they share."""

    def __init__(self, names: dict[str, Receive] | None = None) -> None:
        self.names: dict[str, Receive] = {} if names is None else names
        self._own = ""
        self._absent: Absent = lambda worker, data: None

    async def open(self, worker: str, receive: Receive, on_loss: Loss, on_absent: Absent) -> None:
        """Be reached under this name."""
        self._own, self._absent = worker, on_absent
        self.names[worker] = receive

    def send(self, worker: str, data: bytes) -> None:
        """Deliver with the next turn of the event loop, as a real bus would: never from inside the sender."""
        asyncio.get_running_loop().call_soon(self._deliver, worker, data)

    def _deliver(self, worker: str, data: bytes) -> None:
        receive = self.names.get(worker)
        if receive is None:
            self._absent(worker, data)
        else:
            receive(data)

    @property
    def connected(self) -> bool:
        """Always."""
        return True

    async def close(self) -> None:
        """Be reached no longer."""
        self.names.pop(self._own, None)


class RedisBus:
    """Workers that find each other through Redis (extra `redis`): a channel for each."""

    def __init__(self, address: str, prefix: str = "fabletop") -> None:
        try:
            from redis import asyncio as redis
        except ImportError:
            raise FabletopError(
                "a bus over Redis needs the extra `redis`: pip install 'fabletop[redis]'"
            ) from None
        self._redis: Any = redis.Redis.from_url(address, socket_timeout=None, socket_connect_timeout=3)
        self.prefix = prefix
        self._queue: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []
        self._connected = False
        self._first = asyncio.Event()

    async def open(self, worker: str, receive: Receive, on_loss: Loss, on_absent: Absent) -> None:
        """Subscribe, and stay subscribed whatever happens."""
        self._tasks = [
            asyncio.ensure_future(self._listen(worker, receive, on_loss)),
            asyncio.ensure_future(self._publish(on_loss, on_absent)),
        ]
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._first.wait(), 5)

    def send(self, worker: str, data: bytes) -> None:
        """Queue for publishing."""
        self._queue.put_nowait((worker, data))

    @property
    def connected(self) -> bool:
        """Are we subscribed?"""
        return self._connected

    async def _listen(self, worker: str, receive: Receive, on_loss: Loss) -> None:
        while True:
            pubsub = self._redis.pubsub()
            try:
                await pubsub.subscribe(f"{self.prefix}:{worker}")
                async for message in pubsub.listen():
                    if message["type"] == "subscribe":
                        self._connected = True
                        self._first.set()
                    elif message["type"] == "message":
                        receive(message["data"])
            except asyncio.CancelledError:
                raise
            except Exception as error:
                log.warning("the bus broke: %s", type(error).__name__)
            finally:
                if self._connected:
                    self._connected = False
                    on_loss()
                with contextlib.suppress(Exception):
                    await pubsub.aclose()
            await asyncio.sleep(0.2)

    async def _publish(self, on_loss: Loss, on_absent: Absent) -> None:
        while True:
            batch = [await self._queue.get()]
            while len(batch) < LARGEST_BATCH and not self._queue.empty():
                batch.append(self._queue.get_nowait())
            try:
                async with self._redis.pipeline(transaction=False) as pipe:
                    for worker, data in batch:
                        pipe.publish(f"{self.prefix}:{worker}", data)
                    reached = await pipe.execute()
            except asyncio.CancelledError:
                raise
            except Exception as error:
                log.warning("%d messages to other workers were lost: %s", len(batch), type(error).__name__)
                on_loss()
                await asyncio.sleep(0.2)
                continue
            for (worker, data), count in zip(batch, reached, strict=True):
                if not count:
                    on_absent(worker, data)

    async def close(self) -> None:
        """Unsubscribe."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._redis.aclose()


def bus_for(address: str) -> Bus:
    """The bus that an address means."""
    if address.startswith(("redis://", "rediss://", "unix://")):
        return RedisBus(address)
    if address:
        raise FabletopError("a bus is redis://…, rediss://… or unix://…")
    return LocalBus()
