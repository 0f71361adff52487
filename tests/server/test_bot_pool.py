"""Bots on the server: what looks best where there is no process for them, and times that tell nothing."""

import asyncio
import contextlib
import itertools
import os
import random
import signal
import time
from collections import defaultdict
from types import SimpleNamespace

import pytest

from fabletop import GAMES, Chance
from fabletop.bots import pace
from fabletop.bots.greedy import Greedy
from fabletop.bots.levels import LEVELS
from fabletop.core.game import Choice
from fabletop.core.sitting import Sitting
from fabletop.server.bots.pool import MARGIN, BotPool, Move
from fabletop.server.bots.process import BotReply
from fabletop.server.bots.scheduler import CYCLE, Asker, Rank
from fabletop.server.tables import driver
from tests.server.hall import PATIENCE, hall, play, until

STUCK = ("-c", "import time; time.sleep(1000)")
DYING = ("-c", "import sys; sys.stdin.readline(); raise SystemExit(1)")
LYING = ("-c", "import sys\nfor line in sys.stdin: print('{\"action\": 99999}', flush=True)")
HERE = Asker("table", ("house",), Rank.BOT)


def choices(game, count):
    """Choices with several options, each with the view of the seat that is asked."""
    rules, chance, found = GAMES[game], Chance(1), []
    for number in itertools.count():
        sitting = Sitting(rules, {"seats": 3}, seed=f"{number}")
        while asked := rules.pending(sitting.state):
            seat, choice = next(iter(asked.items()))
            if len(choice.options) > 2:
                found.append((sitting.view(seat), choice))
            if len(found) == count:
                return found
            sitting.act(seat, chance.pick(choice.options))
    return found


def best(view, choice, word):
    return Greedy(Chance(word)).choose(view, choice)


@contextlib.asynccontextmanager
async def pool(*given, **more):
    made = BotPool(*given, **more)
    try:
        yield made
    finally:
        await made.close()


# ---- no process in time ---------------------------------------------------------------------


@pytest.mark.parametrize("game", list(GAMES))
@pytest.mark.parametrize("program", [STUCK, DYING, LYING], ids=["stuck", "dying", "lying"])
async def test_a_bot_whose_process_fails_plays_what_looks_best(game, program):
    asked = choices(game, 12)
    async with pool(1, 0.1, program) as bots:
        for word, (view, choice) in enumerate(asked):
            answer = await bots.choose("queen", view, choice, word, HERE)
            assert answer.action == best(view, choice, word)
        assert bots.dropped == len(asked)


@pytest.mark.parametrize("game", list(GAMES))
async def test_a_starving_pool_never_yields_a_move_at_random(game):
    asked = choices(game, 150)
    async with pool(1, 0.3, STUCK) as bots:
        answers = await asyncio.gather(
            *(
                bots.choose(
                    "queen", view, choice, word, Asker(f"{word}", (f"{word % 3}",), Rank(word % 2 * 2))
                )
                for word, (view, choice) in enumerate(asked)
            )
        )
        assert [a.action for a in answers] == [best(v, c, word) for word, (v, c) in enumerate(asked)]
        assert bots.dropped == sum(pace.share_of(view, choice.kind) > 0 for view, choice in asked)
        assert not bots.scheduler.waiting
        assert not bots.scheduler.running


async def test_a_process_that_is_killed_is_replaced(tmp_path):
    (view, choice), *_ = choices("equinox", 1)
    async with pool(1, 60) as bots:
        assert (await bots.choose("puss", view, choice, 1, HERE)).action in choice.options
        [process] = bots._processes
        os.kill(process.pid, signal.SIGKILL)
        await process.wait()
        assert (await bots.choose("puss", view, choice, 1, HERE)).action in choice.options
        assert bots.dropped == 0
        [other] = bots._processes
        assert other.pid != process.pid


async def test_friendly_bots_do_not_wait_for_strong_ones():
    asked = choices("fairy_school", 40)
    async with pool(1, 10, STUCK) as bots:
        await bots.choose("gretel", *asked[0], 1, HERE)  # loads what it knows
        strong = [
            asyncio.ensure_future(bots.choose("queen", *one, 1, Asker(f"{n}", ("house",), Rank.BOT)))
            for n, one in enumerate(asked[:20])
        ]
        await asyncio.sleep(0.05)
        began = time.monotonic()
        for level, (view, choice) in itertools.product(("gretel", "thumbling"), asked):
            assert (await bots.choose(level, view, choice, 1, HERE)).action in choice.options
        assert time.monotonic() - began < 10, "less than a strong one may take"
        assert not any(one.done() for one in strong)
        for one in strong:
            one.cancel()
        await asyncio.gather(*strong, return_exceptions=True)
        assert not bots.scheduler.waiting
        assert not bots.scheduler.running


async def test_thinking_time_shrinks_when_many_ask():
    granted = []

    class Noting(BotPool):
        async def _ask(self, asked, ticket, kind):
            granted.append(asked.milliseconds)
            await asyncio.sleep(0.001)
            self._leave(ticket, ticket.granted)
            return BotReply(asked.options[0])

    (view, choice), *_ = choices("equinox", 1)
    bots = Noting(1, 10)
    await bots.choose("queen", view, choice, 1, Asker("first", ("house",), Rank.BOT))
    assert granted == [LEVELS["queen"].milliseconds]
    granted.clear()
    await asyncio.gather(
        *(bots.choose("queen", view, choice, 1, Asker(f"{n}", ("house",), Rank.BOT)) for n in range(20))
    )
    assert max(granted[1:]) <= 1000 * CYCLE / 19
    assert bots.dropped == 0


async def test_bots_that_go_round_in_circles_play_what_looks_best_and_leave_a_proven_circle(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(driver, "MOST_IN_A_STAGE", -1)
    asked = []

    class Greedily(BotPool):
        async def greedy(self, view, choice, word):
            asked.append(choice.options)
            return choice.options[-1]

    async with hall(tmp_path) as (hall_, client):
        hall_.server.services.bots = Greedily(1, 1)
        made = await client.make("equinox", ["hot", "hot"], options={"first": 0})
        async with client.connect(made["table"], made["token"]) as place:
            await play(place, Chance(1), until=lambda: place.choice and len(place.choice["options"]) > 2)
            table, drive = hall_.actor(made["table"]).table, hall_.server.registry.drivers[made["table"]]
            [seat] = table.asked()
            options = table.choice(seat).options
            assert (await drive._answer(seat, "queen")).action == options[-1]
            assert asked == [options]
            assert (await drive._answer(seat, "queen")).action in options
            assert asked == [options], "the same view again: only chance leads out"


# ---- for whom they think --------------------------------------------------------------------


def lines(*given):
    """A table that is watched from these households, with the seats of each line."""
    subscribers = [SimpleNamespace(household=house, seats=seats) for house, seats in given]
    return SimpleNamespace(subscribers=subscribers, table=SimpleNamespace(head=SimpleNamespace(id="t")))


def test_bots_think_for_those_who_play_and_a_spectator_cannot_burden_a_table():
    playing = lines(("ana", (0,)), ("greedy", ()), ("ben", (1,)))
    assert driver.asker_at(playing) == Asker("t", ("ana", "ben"), Rank.BOT)
    assert driver.asker_at(playing, Rank.HINT) == Asker("t", ("ana", "ben"), Rank.HINT)
    assert driver.asker_at(lines(("greedy", ()))) == Asker("t", ("greedy",), Rank.BOT)
    assert driver.asker_at(lines()) == Asker("t", (), Rank.UNWATCHED)


async def test_a_table_knows_the_households_of_those_who_watch(tmp_path):
    async with hall(tmp_path) as (hall_, client):
        made = await client.make("equinox", ["hot", "gretel"])
        async with client.connect(made["table"], made["token"]):
            assert driver.asker_at(hall_.actor(made["table"])).households == ("127.0.0.1",)


# ---- time tells nothing ---------------------------------------------------------------------


class FakeTime:
    """Time that passes only where somebody sleeps."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


def with_options(choice, count):
    return Choice(choice.seat, choice.kind, choice.options[:count], choice.about)


class Searching(BotPool):
    """Processes that need `share` of the time they are granted."""

    share = 1.0

    async def _ask(self, asked, ticket, kind):
        self.clock.now += self.share * ticket.granted
        self._leave(ticket, self.share * ticket.granted)
        return BotReply(asked.options[0])


@pytest.mark.parametrize("level", ["queen", "puss"])
async def test_an_answer_is_due_at_the_same_time_whether_there_was_anything_to_think_about(level):
    (view, choice), *_ = choices("equinox", 1)
    dues = {}
    for name, count, share in [("lone", 1, 0.0), ("decided", 3, 0.1), ("open", 3, 1.0)]:
        clock = FakeTime()
        bots = Searching(1, 10, clock=clock)
        bots.share = share
        answer = await bots.choose(level, view, with_options(choice, count), 1, HERE)
        dues[name] = answer.due - 1000.0
        assert not bots.scheduler.running
    assert dues["lone"] == dues["decided"] == dues["open"]
    assert dues["open"] > MARGIN


@pytest.mark.parametrize("level", ["thumbling", "gretel", "queen"])
async def test_bots_move_after_the_same_pauses_with_one_option_and_with_many(tmp_path, monkeypatch, level):
    clock, moved, seconds = FakeTime(), {1: [], 2: []}, defaultdict(set)

    async def sleep(seconds):
        clock.now += seconds
        await asyncio.sleep(0)

    async with hall(tmp_path, bot_pause=0.4) as (hall_, client):
        bots = hall_.server.services.bots = Searching(1, 10, clock=clock)
        made = await client.make("equinox", ["hot", level], options={"first": 0})
        async with client.connect(made["table"], made["token"]) as place:
            actor = hall_.actor(made["table"])
            write = actor.write

            async def writes(entry):
                choice = actor.table.choice(1)
                moved[min(len(choice.options), 2)].append(choice.kind)
                seconds[choice.kind].add(round(clock.now - began[0], 6))
                await write(entry)

            began = [clock.now]
            drive = hall_.server.registry.drivers[made["table"]]
            answers = drive._answer

            async def answer(seat, name):
                began[0] = clock.now
                bots.share = random.random()  # as soon as a search is decided
                return await answers(seat, name)

            monkeypatch.setattr(actor, "write", writes)
            monkeypatch.setattr(drive, "_answer", answer)
            monkeypatch.setattr(driver, "asyncio", SimpleNamespace(**{**vars(asyncio), "sleep": sleep}))
            monkeypatch.setattr(driver, "drawn_pause", lambda pause: pause)
            await play(place, Chance(4), until=lambda: len(moved[1]) >= 5 and len(moved[2]) >= 5)
            monkeypatch.undo()
    assert len(moved[1]) >= 5
    assert len(moved[2]) >= 5
    for kind, every in seconds.items():
        thinks = pace.share("equinox", kind, 2) * LEVELS[level].milliseconds / 1000 + MARGIN
        assert every == {max(0.4, round(thinks, 6))}, kind


async def test_where_all_decide_at_once_all_bots_think_at_once_and_without_a_pause(tmp_path, monkeypatch):
    busy, most, slept = [0], [0], []

    class Counting(BotPool):
        async def choose(self, level, view, choice, word, asker, haste=1.0):
            busy[0] += 1
            most.append(busy[0])
            await asyncio.sleep(0.01)
            busy[0] -= 1
            return Move(choice.options[0], self.clock() + 0.001)

    async def sleep(seconds):
        slept.append(seconds)
        await asyncio.sleep(0)

    async with hall(tmp_path, bot_pause=5.0) as (hall_, client):
        hall_.server.services.bots = Counting(1, 10)
        monkeypatch.setattr(driver, "asyncio", SimpleNamespace(**{**vars(asyncio), "sleep": sleep}))
        made = await client.make("fairy_school", ["hot", "queen", "queen"])
        async with client.connect(made["table"], made["token"]):
            await until(lambda: len(slept) >= 2)  # one pick each, then they wait for the person
        monkeypatch.undo()
    assert max(most) == 2
    assert max(slept) < 1


async def test_bots_hurry_when_people_have_waited_for_them(tmp_path, monkeypatch):
    done, ticks = asyncio.Event(), itertools.count()
    hurried: list[tuple[bool, float]] = []

    class Slow(BotPool):
        async def choose(self, level, view, choice, word, asker, haste=1.0):
            hurried.append((done.is_set(), haste))
            await done.wait()
            return Move(choice.options[0], 0.0)

    monkeypatch.setattr(driver, "HASTE", ((12, 0.0), (2, 0.5)))
    async with hall(tmp_path) as (hall_, client):
        hall_.server.services.bots = Slow(1, 10, clock=lambda: float(next(ticks)))
        made = await client.make("fairy_school", ["hot", "queen", "queen"], options={"setup": "beginners"})
        async with client.connect(made["table"], made["token"]) as place, asyncio.timeout(PATIENCE):
            while 0 in place.view["waiting"]:
                if place.choice:
                    await place.act(place.choice["options"][0])
                await asyncio.sleep(0)
            done.set()
            while not hurried or hurried[-1][1]:
                await asyncio.sleep(0.01)
    # while the person was at it they took their time
    assert {haste for waits, haste in hurried if not waits} == {1.0}
    shares = [haste for waits, haste in hurried if waits and haste < 1]
    assert shares == sorted(shares, reverse=True)
    assert set(shares) == {0.5, 0.0}


async def test_pauses_are_drawn_around_the_one_that_is_set(tmp_path):
    drawn = [driver.drawn_pause(0.4) for _ in range(500)]
    assert min(drawn) > 0.29
    assert max(drawn) < 0.51
    assert max(drawn) - min(drawn) > 0.1
    assert driver.drawn_pause(0.0) == 0.0
