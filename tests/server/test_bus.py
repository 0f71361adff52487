"""One contract for both buses."""

import asyncio

import pytest
import pytest_asyncio

from fabletop.core.errors import FabletopError
from fabletop.server.cluster.bus import LocalBus, RedisBus, bus_for


class Worker:
    """Somebody on the bus."""

    def __init__(self, bus, name):
        self.bus, self.name = bus, name
        self.heard, self.losses, self.absent = [], 0, []

    async def open(self):
        await self.bus.open(
            self.name, self.heard.append, self._lost, lambda worker, data: self.absent.append((worker, data))
        )
        return self

    def _lost(self):
        self.losses += 1

    async def until(self, holds, timeout=5):
        async with asyncio.timeout(timeout):
            while not holds():
                await asyncio.sleep(0.005)


@pytest_asyncio.fixture(params=["local", "redis"])
async def workers(request):
    """Three workers on one bus."""
    if request.param == "local":
        room = {}
        made = [Worker(LocalBus(room), f"w{n}") for n in range(3)]
    else:
        address = request.getfixturevalue("redis").address
        made = [Worker(RedisBus(address, prefix=f"t{id(request)}"), f"w{n}") for n in range(3)]
    for worker in made:
        await worker.open()
    yield made
    for worker in made:
        await worker.bus.close()


async def test_messages_arrive_whole_in_order_and_only_where_they_should(workers):
    one, two, three = workers
    assert all(worker.bus.connected for worker in workers)
    sent = [bytes([n % 256]) * (1 + n * 37) for n in range(300)]
    for data in sent:
        one.bus.send("w1", data)
        three.bus.send("w0", b"to one")
    await two.until(lambda: len(two.heard) == 300)
    assert two.heard == sent
    await one.until(lambda: len(one.heard) == 300)
    assert three.heard == []
    assert one.losses == two.losses == 0


async def test_nothing_is_delivered_from_inside_send(workers):
    one, two, _ = workers
    one.bus.send("w1", b"x")
    assert two.heard == []
    one.bus.send("w0", b"to myself")
    await one.until(lambda: one.heard == [b"to myself"])


async def test_a_message_to_nobody_comes_back(workers):
    one, two, _ = workers
    one.bus.send("w9", b"anybody?")
    await one.until(lambda: one.absent == [("w9", b"anybody?")])
    await two.bus.close()
    one.bus.send("w1", b"still there?")
    await one.until(lambda: len(one.absent) == 2)


async def test_a_bus_that_breaks_says_so_and_comes_back(redis):
    one, two = (
        await Worker(RedisBus(redis.address), "a").open(),
        await Worker(RedisBus(redis.address), "b").open(),
    )
    redis.stop()
    await one.until(lambda: one.losses > 0 and not one.bus.connected)
    one.bus.send("b", b"lost")
    redis.start()
    await one.until(lambda: one.bus.connected and two.bus.connected)
    before = one.losses
    one.bus.send("b", b"heard")
    await two.until(lambda: b"heard" in two.heard)
    assert one.losses >= before
    for worker in (one, two):
        await worker.bus.close()


def test_an_address_that_is_no_bus_is_refused():
    assert isinstance(bus_for(""), LocalBus)
    with pytest.raises(FabletopError, match="redis://"):
        bus_for("http://example.com")
