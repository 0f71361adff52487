"""Who thinks next, and for how long: the scheduler of the bot pool, driven by a clock of the test's own."""

import heapq
from collections import Counter, defaultdict
from statistics import median

import pytest

from fabletop.server.bots.scheduler import CYCLE, LATELY, LEAST, Asker, Rank, Scheduler

QUEEN = 1.5


def asker(house, table, rank=Rank.BOT):
    return Asker(f"{house}{table}", (house,), rank)


class Simulation:
    """Tables that ask again as soon as they have their answer; time jumps from one event to the next."""

    def __init__(self, processes, askers, wanted=QUEEN, pause=0.4):
        self.scheduler, self.askers, self.wanted, self.pause = Scheduler(processes), askers, wanted, pause
        self.waits, self.granted, self.refused = defaultdict(list), defaultdict(list), Counter()

    def run(self, seconds):
        events = [(0.001 * n, n, "ask", who) for n, who in enumerate(self.askers)]
        number = len(events)
        asked = {}
        while events:
            now, _, what, who = heapq.heappop(events)
            if now > seconds:
                return
            if what == "ask":
                ticket = self.scheduler.submit(who, self.wanted, now)
                if ticket is None:
                    self.refused[who.households] += 1
                    number += 1
                    heapq.heappush(events, (now + self.pause, number, "ask", who))
                else:
                    asked[ticket] = now
            else:
                self.scheduler.done(who, who.granted)
                number += 1
                heapq.heappush(events, (now + self.pause, number, "ask", who.asker))
            while (ticket := self.scheduler.next(now)) is not None:
                self.waits[ticket.asker.households].append(now - asked.pop(ticket))
                self.granted[ticket.asker.households].append(ticket.granted)
                number += 1
                heapq.heappush(events, (now + ticket.granted, number, "done", ticket))


def test_alone_a_bot_thinks_at_once_and_as_long_as_it_wants():
    scheduler = Scheduler(1)
    ticket = scheduler.submit(asker("a", 1), QUEEN, 0.0)
    assert scheduler.next(0.0) is ticket
    assert ticket.granted == QUEEN
    assert scheduler.next(0.0) is None


def test_thirty_tables_of_one_household_do_not_hold_up_the_one_of_another():
    simulation = Simulation(1, [*(asker("greedy", n) for n in range(30)), asker("other", 0)])
    simulation.run(120)
    other, greedy = simulation.waits["other",], simulation.waits["greedy",]
    assert max(other[1:]) < CYCLE / 2
    assert max(greedy[60:]) < 2 * CYCLE
    thought = {house: sum(granted) for house, granted in simulation.granted.items()}
    assert thought["other",] == pytest.approx(thought["greedy",], rel=0.1), "it gets as much as all of them"


def test_households_that_ask_all_the_time_get_equal_shares():
    tables = [asker("a", n) for n in range(12)] + [asker("b", n) for n in range(3)]
    simulation = Simulation(1, tables, pause=0.0)
    simulation.run(200)
    a, b = (sum(simulation.granted[house,]) for house in "ab")
    assert a == pytest.approx(b, rel=0.1)


def test_tables_of_one_household_get_equal_shares():
    scheduler = Scheduler(1)
    busy, quiet = asker("a", 1), asker("a", 2)
    for _ in range(5):
        scheduler.submit(busy, QUEEN, 0.0)
    scheduler.submit(quiet, QUEEN, 0.0)
    first = scheduler.next(0.0)
    scheduler.done(first, first.granted)
    assert first.asker is busy
    assert scheduler.next(1.0).asker is quiet, "the other table has not been served yet"


@pytest.mark.parametrize("tables", [2, 8, 20])
def test_more_tables_mean_less_thinking_before_they_mean_longer_waits(tables):
    simulation = Simulation(1, [asker("a", n) for n in range(tables)])
    simulation.run(120)
    late = simulation.waits["a",][2 * tables :]
    assert max(late) < CYCLE
    assert median(simulation.granted["a",]) == pytest.approx(min(QUEEN, CYCLE / tables), rel=0.2)
    assert not simulation.refused


def test_a_queue_that_is_too_long_takes_no_more_of_this_household_but_others():
    scheduler = Scheduler(1)
    tickets = [scheduler.submit(asker("a", n), QUEEN, 0.0) for n in range(200)]
    taken = [ticket for ticket in tickets if ticket is not None]
    assert len(taken) == int(CYCLE / LEAST)
    assert scheduler.submit(asker("b", 0), QUEEN, 0.0) is not None


def test_more_processes_think_at_once():
    scheduler = Scheduler(3)
    for n in range(5):
        scheduler.submit(asker("a", n), QUEEN, 0.0)
    running = [scheduler.next(0.0) for _ in range(4)]
    assert running[3] is None
    assert all(ticket.granted == pytest.approx(3 * CYCLE / 5) for ticket in running[:3])


def test_hints_come_after_bots_and_tables_that_nobody_watches_last():
    scheduler = Scheduler(1)
    for rank in (Rank.UNWATCHED, Rank.HINT, Rank.BOT):
        scheduler.submit(asker("a", rank, rank), 0.1, 0.0)
    order = []
    while (ticket := scheduler.next(0.0)) is not None:
        order.append(ticket.asker.rank)
        scheduler.done(ticket, 0.1)
    assert order == [Rank.BOT, Rank.HINT, Rank.UNWATCHED]


def test_many_hints_take_no_thinking_time_from_bots():
    scheduler = Scheduler(1)
    for n in range(20):
        scheduler.submit(asker("a", n, Rank.HINT), QUEEN, 0.0)
    bot = scheduler.submit(asker("a", "bot"), QUEEN, 0.0)
    assert scheduler.next(0.0) is bot
    assert bot.granted == QUEEN


def test_where_two_households_play_the_one_that_asks_for_less_pays():
    scheduler = Scheduler(1)
    for n in range(10):
        scheduler.submit(asker("greedy", n), QUEEN, 0.0)
    assert scheduler.submit(Asker("both", ("greedy", "other"), Rank.BOT), QUEEN, 0.0).household == "other"


def test_what_is_not_used_is_given_back():
    scheduler = Scheduler(1)
    for house in "ab":
        scheduler.submit(asker(house, 1), 1.0, 0.0)
    first = scheduler.next(0.0)
    scheduler.done(first, 0.0)  # such as a choice with a lone option
    scheduler.submit(asker("a", 1), 1.0, 0.0)
    assert scheduler.next(0.0).household == "b"


def test_who_stops_waiting_leaves_the_queue():
    scheduler = Scheduler(1)
    running, waiting = (scheduler.submit(asker("a", n), 1.0, 0.0) for n in range(2))
    assert scheduler.next(0.0) is running
    scheduler.done(waiting)
    scheduler.done(running, 1.0)
    assert scheduler.next(0.0) is None
    assert not scheduler.waiting
    assert not scheduler.running


def test_a_household_that_rests_saves_up_no_claims_and_is_forgotten():
    scheduler = Scheduler(1)
    for n in range(1000):
        now = 10.0 * n
        ticket = scheduler.submit(asker(f"house {n}", n), 1.0, now)
        assert scheduler.next(now) is ticket
        assert ticket.granted == 1.0
        scheduler.done(ticket, 1.0)
    assert len(scheduler._households.used) < 5
    assert len(scheduler._tables) == 0
    assert len(scheduler._asked) <= 1 + LATELY / 10


def test_the_same_calls_give_the_same_order():
    orders = []
    for _ in range(2):
        simulation = Simulation(2, [asker("ab"[n % 2], n) for n in range(9)])
        simulation.run(30)
        orders.append((dict(simulation.waits), dict(simulation.granted)))
    assert orders[0] == orders[1]
