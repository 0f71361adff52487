"""A bot that searches: information-set Monte-Carlo tree search for any number of seats (see `search`).

>>> from fabletop import GAMES
>>> from fabletop.bots.ismcts import Ismcts
>>> from fabletop.core.chance import Chance
>>> game = GAMES["equinox"]
>>> state = game.new({"seats": 2}, [1, 2, 3])
>>> [(seat, choice)] = game.pending(state).items()
>>> thought = Ismcts(Chance(1), iterations=20).think(game.view(state, seat), choice)
>>> thought.iterations, thought.best in choice.options
(20, True)
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from threading import Event
from time import perf_counter
from typing import Any

from fabletop.bots.greedy import Greedy, guides_search, knowledge_class, knowledge_of, search_settings
from fabletop.bots.pace import share_of, tolerance
from fabletop.bots.search import Search
from fabletop.bots.world import World
from fabletop.core.chance import Chance
from fabletop.core.game import Choice, View
from fabletop.games import GAMES

SURE = 0.75
"""A choice is decided when the best option is ahead by this part of the visits to come: no other gets all of them."""
CLOSE = 0.25
"""A choice is close when the best option is ahead by less than this part of all visits."""
MOST_SAVED = 10
"""Time saved is kept for close choices, up to the time of this number of choices."""
STRETCH = 4
"""A close choice takes at most this multiple of its time, out of what was saved."""
SAME_VICTORY, SAME_POINTS = 0.004, 0.06
"""Differences that are taken for none."""
SOME = 5
"""Visits without which nothing is known of an option."""
OFTEN = 10
"""With slack an option counts only if the best one has at most this many times its visits."""
NET_HEAT = 0.1
"""As `prior`, for the first guess of a net: half the weight for each of these points below the best."""
SLICE = 0.002
"""Seconds between two looks at the clock, as far as one iteration lets it."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What search expects of one option: the share of the victory (0 to 1) and the seat's points, after `visits`;
    `worth` is what search compares."""

    action: int
    visits: int
    victory: float
    points: float
    worth: float


@dataclass(frozen=True, slots=True)
class Thought:
    """What came of thinking about a choice: the options, best first. Without any iteration the first is greedy's."""

    options: tuple[Expectation, ...]
    iterations: int
    seconds: float

    @property
    def best(self) -> int:
        """The action to take."""
        return self.options[0].action


class Ismcts:
    """Thinks `iterations` iterations, or some milliseconds if no number is given, and takes the option visited most.

    By time it stops as soon as the choice is decided. What that saves goes to later choices that are close: they may
    take four times the time. By iterations it is reproducible by the seed of `chance`, and by the number of threads.
    There is a move at hand at any moment: the greedy one before the first iteration.

    explore     how much the search tries what it knows little about (PUCT's constant, in 256ths)
    heat        in play-outs an option that is this many points worse is taken half as often
    prior       the same for the first guess of the tree about an option
    stray       the share of play-out choices that are made at random
    horizon     after this many play-out choices the game is guessed at; None plays to the end
    net         let the net of the learned player guess first what the options are worth, where that is stronger
    spread      the share of iterations that all options get alike, so that something is known of each
    paced       take `milliseconds` for the choices that matter most, and less for others (see `pace`)
    slack       take any option whose reward is below the best by at most so many times the game's tolerance (`pace`)
    room        how many nodes and options the tree can hold; by default as many as the time may need
    """

    def __init__(
        self,
        chance: Chance,
        *,
        iterations: int | None = None,
        milliseconds: float = 1000,
        threads: int = 1,
        explore: int = 256,
        heat: float = 0.06,
        prior: float = 0.25,
        stray: float = 0.02,
        horizon: int | None = None,
        net: bool = True,
        spread: float = 0.0,
        paced: bool = False,
        slack: float = 0.0,
        room: int | None = None,
        knowledge: dict[str, Any] | None = None,
    ) -> None:
        if threads < 1:
            raise ValueError(f"at least one thread has to think, not {threads}")
        self.chance = chance
        self.iterations = iterations
        self.milliseconds = milliseconds
        self.threads = threads
        self.explore = explore
        self.heat = heat
        self.prior = prior
        self.stray = stray
        self.horizon = horizon
        self.net = net
        self.spread = spread
        self.paced = paced
        self.slack = slack
        self.room = room
        self.knowledge = knowledge or {}
        self._stopped = Event()
        self._saved = 0.0  # seconds

    def stop(self) -> None:
        """Make an end of thinking, now and from now on: the answer is what has been found. Any thread may say so."""
        self._stopped.set()

    def choose(self, view: View, choice: Choice) -> int:
        """The option that search visited most; where a choice hardly matters, what looks best without thinking."""
        if len(choice.options) == 1:
            return choice.options[0]
        world = self._world(view)
        part = share_of(view, choice.kind) if self.paced else 1.0
        if world.plain() or part == 0:
            return Greedy(self.chance).choose_with(world, choice)
        seconds = part * self.milliseconds / 1000
        more = min(self._saved, (STRETCH - 1) * seconds)
        thought = self._think(view, world, choice, Limit(self.iterations, seconds, more))
        if self.iterations is None:
            most = MOST_SAVED * self.milliseconds / 1000
            self._saved = max(0.0, min(most, self._saved + seconds - thought.seconds))
        return self._decided(view, thought)

    def think(self, view: View, choice: Choice) -> Thought:
        """Search, and tell what to expect of every option."""
        limit = Limit(self.iterations, self.milliseconds / 1000, in_full=True)
        return self._think(view, self._world(view), choice, limit)

    def _world(self, view: View) -> World:
        """The game as the search sees it."""
        return knowledge_of(view, **{**search_settings(view["game"]), **self.knowledge})

    def _decided(self, view: View, thought: Thought) -> int:
        """The best option; but to pass, where that is as good: an action that brings nothing looks odd."""
        texts = GAMES[view["game"]].actions
        best = thought.options[0]
        for option in thought.options[1:]:
            if texts[option.action] == "pass" and option.visits >= SOME:
                better, more = option.victory - best.victory, option.points - best.points
                as_good = better > -SAME_VICTORY and more > -SAME_POINTS
                if (
                    10 * option.visits <= thought.iterations
                ):  # by luck it may look better than it is, hardly as good
                    as_good = abs(better) < SAME_VICTORY and abs(more) < SAME_POINTS
                if as_good:
                    return option.action
        return self._good_enough(view, thought)

    def _good_enough(self, view: View, thought: Thought) -> int:
        """The best option, or with some slack any that search has looked at often and that is hardly worse."""
        best = thought.options[0]
        if not self.slack or GAMES[view["game"]].actions[best.action] == "pass":
            return best.action
        seen, worth = max(SOME, best.visits / OFTEN), best.worth - self.slack * tolerance(view["game"])
        return self.chance.pick(
            [o.action for o in thought.options if o is best or (o.visits >= seen and o.worth >= worth)]
        )

    def _think(self, view: View, world: World, choice: Choice, limit: "Limit") -> Thought:
        began = perf_counter()
        words = [self.chance.word() for _ in range(self.threads)]
        ready = Greedy(Chance(words[0])).choose_with(world, choice)
        first = self._first(view)
        parts = limit.parts(self.threads)
        if self.threads == 1:
            tallies = [self._search(world, words[0], first, began, parts[0])]
        else:  # this thread has a tree of its own beside those of the pool
            with ThreadPoolExecutor(self.threads - 1) as pool:
                asked = [
                    pool.submit(self._search_anew, view, word, first, began, part)
                    for word, part in zip(words[1:], parts[1:], strict=True)
                ]
                tallies = [self._search(world, words[0], first, began, parts[0])]
                tallies += [one.result() for one in asked]
        iterations = sum(tally["iterations"] for tally in tallies)
        options = [expectation(action, tallies) for action in choice.options]
        options.sort(key=lambda o: (-o.visits, -o.victory, o.action != ready, o.action))
        return Thought(tuple(options), iterations, perf_counter() - began)

    def _first(self, view: View) -> dict[int, float] | None:
        """The first guess of a net about the options, in points of `prior`; None where knowledge makes it."""
        if not (self.net and guides_search(view["game"])):
            return None
        world = knowledge_class(view["game"], True)(view)
        if not world.has_a_say():
            return None
        scores = world.ratings(1)
        return {action: score * self.prior / NET_HEAT for action, score in scores.items()}

    def _search_anew(
        self, view: View, word: int, first: dict[int, float] | None, began: float, limit: "Limit"
    ) -> dict[str, Any]:
        """`_search` in a world of its own."""
        return self._search(self._world(view), word, first, began, limit)

    def _search(
        self, world: World, word: int, first: dict[int, float] | None, began: float, limit: "Limit"
    ) -> dict[str, Any]:
        """One tree, until the iterations are done or time is up; unless in full, until the choice is decided."""
        iterations, end = limit.iterations, began + limit.seconds
        room = self.room or room_for(iterations, 1000 * (limit.seconds + limit.more))
        horizon = -1 if self.horizon is None else self.horizon
        stray = round(1024 * self.stray)
        spread = round(1024 * self.spread)
        search = Search(world, room, self.explore, self.heat, self.prior, stray, horizon, spread)
        search.begin(word, first)
        batch, done = 1, 0
        now = perf_counter()
        while (iterations is None or done < iterations) and not (search.spent or self._stopped.is_set()):
            if iterations is not None:
                batch = min(batch, iterations - done)
            elif now >= end and (now >= end + limit.more or search.lead() > CLOSE * done):
                break
            done = search.run(batch)
            then, now = now, perf_counter()
            if iterations is None and not limit.in_full and now < end:
                left = done * (end - now) / (now - began)
                if search.lead() > SURE * left:
                    break
            if now - then < SLICE / 2:
                batch *= 2
            elif now - then > SLICE and batch > 1:
                batch //= 2
        return search.tally()


@dataclass(frozen=True, slots=True)
class Limit:
    """How long to think: a number of iterations, else of seconds, and `more` seconds where the choice is close.

    `in_full` thinks on when the choice is decided: there is something to say about all options.
    """

    iterations: int | None
    seconds: float
    more: float = 0.0
    in_full: bool = False

    def parts(self, threads: int) -> list["Limit"]:
        """That of each thread: they share the iterations."""
        if self.iterations is None:
            return [self] * threads
        return [replace(self, iterations=(self.iterations + i) // threads) for i in range(threads)]


def room_for(iterations: int | None, milliseconds: float) -> int:
    """Room for a node and an option per iteration, half of it empty; some 20 iterations fit in a millisecond."""
    wanted = 4 * (iterations if iterations is not None else 20 * milliseconds)
    room = 1024
    while room < wanted and room < 1 << 22:
        room *= 2
    return room


def expectation(action: int, tallies: list[dict[str, Any]]) -> Expectation:
    """What all trees together say of one action."""
    visits, victory, points, worth = 0, 0.0, 0.0, 0.0
    for tally in tallies:
        if action in tally["actions"]:
            i = tally["actions"].index(action)
            visits += tally["visits"][i]
            victory += tally["victories"][i]
            points += tally["points"][i]
            worth += tally["visits"][i] * tally["worth"][i]
    return Expectation(
        action, visits, victory / max(1, visits), points / max(1, visits), worth / max(1, visits)
    )
