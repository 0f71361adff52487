"""Search for any game: a tree over what each seat has seen, play-outs guided by a game's knowledge (see `world`).

One text for Python and for C (`search.pxd`; see CONTRIBUTING, "The engine and its .pxd").

**Search** is information-set Monte-Carlo tree search with multiple observers: each seat has its own tree, whose
nodes are what this seat did and saw since the root, and a play-out goes down all trees at once. So a seat cannot answer
what it has not seen (a secret prediction, the column that another is choosing at the same moment), which a single tree
would let it do. Draws are not part of what was seen: a node is met with other cards in hand at every visit, and
only the options of the moment are compared. A choice in the tree follows PUCT, with the game's knowledge as prior; for
the options at the root a better judge may give it, one that would be too slow to be asked everywhere (`begin`).

Where a turn is made of many small choices a tree never gets beyond the first few of them. Such a game says `flat`, and
only the options at the root are compared: each by play-outs in the same deals, deal by deal, so that what differs is
the option and not its luck. What the game's knowledge thinks of an option counts as `trust` play-outs, and those that
promise most get the most play-outs, as in the tree.

The trees share one hash table: the key of a node is a hash of the seat's trail, the key of an option a hash of node
and action. There is nothing else to keep: no lists of children, and no memory to ask for while searching.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import Any

from fabletop.bots.constants import (
    AWAY,
    BLUR,
    DEALS,
    DEPTH,
    DISCOUNT,
    EVEN,
    FIRST,
    FLOOR,
    FULL,
    MOST_SEATS,
    NOBODY,
    OPTION_SALT,
    OPTIONS,
    POINT,
    REWARD,
    TRIES,
)
from fabletop.bots.world import World, heat_of
from fabletop.core import chance

try:
    import cython  # type: ignore[import-untyped]
except ImportError:  # interpreted, and Cython is not installed
    from fabletop.bots import unlocked as cython

COMPILED = not __file__.endswith(".py")

MASK64 = chance.MASK64
GOLDEN = chance.GOLDEN
WORST = 1000.0  # points; no score of a first guess is further from 0
if not COMPILED:  # compiled it is C, in splitmix.pxd
    globals().update(scramble=chance.scramble)


def mixed(word: int) -> int:
    """A word whose every bit depends on every bit of the given one (SplitMix64)."""
    return scramble((word + GOLDEN) & MASK64)  # type: ignore[name-defined,no-any-return]  # noqa: F821


def root_of(n: int) -> int:
    """The square root of a number below 2**62, rounded down."""
    found = 0
    bit = 1 << 30
    while bit > 0:
        if (found | bit) * (found | bit) <= n:
            found |= bit
        bit >>= 1
    return found


class Search:
    """The trees over one world, and how they grow. `begin`, then `run` as long as there is time, then `tally`."""

    def __init__(
        self,
        world: World,
        room: int,
        explore: int,
        heat: float,
        prior: float,
        stray: int,
        horizon: int,
        spread: int = 0,
    ) -> None:
        if room < 1024 or room & (room - 1):
            raise ValueError(f"room for nodes is a power of two from 1024 on, not {room}")
        self.world = world
        self.room = room
        self.explore = explore
        self.heat = heat_of(heat)
        self.prior_heat = heat_of(prior)
        self.stray = stray
        self.horizon = horizon
        self.spread = spread
        self.word = 0
        self.used = 0
        self.depth = 0
        self.iterations = 0
        self.steps = 0
        self.n_root = 0
        self.first = 0
        self.top = 0
        self.spent = False  # there are no deals left to compare in
        self.keys = array("Q", bytes(8 * room))
        self.visits = array("Q", bytes(8 * room))
        self.totals = array("Q", bytes(8 * room))
        self.trail = list([0] * MOST_SEATS)
        self.unseen = list([0] * MOST_SEATS)
        self.path = list([0] * (2 * DEPTH))
        self.path_seat = list([0] * (2 * DEPTH))
        self.slots = list([0] * OPTIONS)
        self.root = list([0] * OPTIONS)
        self.root_visits = list([0] * OPTIONS)
        self.root_rewards = list([0] * OPTIONS)
        self.root_shares = list([0] * OPTIONS)
        self.root_points = list([0] * OPTIONS)
        self.root_ahead = list([0] * OPTIONS)
        self.root_prior = list([0] * OPTIONS)
        self.root_weight = list([0] * OPTIONS)
        self.weight = 0
        self.n_deals = 0
        self.usual = list([0] * DEALS)

    def find(self, key: int) -> int:
        """The slot of a key in the table, or the empty one where it would go."""
        at = key & (self.room - 1)
        while self.keys[at] != key and self.keys[at] != 0:
            at = (at + 1) & (self.room - 1)
        return at

    def add(self, at: int, key: int) -> None:
        """A key comes into the table."""
        self.keys[at] = key
        self.visits[at] = 0
        self.totals[at] = 0
        self.used += 1

    def imagine(self) -> None:
        """A deal that fits what has been seen, and as a rule what the others have done."""
        for _ in range(TRIES):
            self.word = (self.word + GOLDEN) & MASK64
            self.world.imagine(mixed(self.word))
            if self.world.below(FULL) < self.world.likelihood():
                break

    def note(self, at: int, seat: int) -> None:
        """A node or an option is on the way of this play-out."""
        self.path[self.depth] = at
        self.path_seat[self.depth] = seat
        self.depth += 1

    def select(self, node: int, key: int) -> int:
        """PUCT: the index of the option that promises most, or about which too little is known.

        An option that has not been tried is taken for as good as its node. Only the options of the moment count. What
        looks nearly equal is decided at random: else two seats that choose unseen by each other would fall into step.
        """
        if key == self.top:
            weight = self.recall()
        else:
            self.world.rate()
            weight = self.world.weigh(self.prior_heat)
        tried = 1
        for i in range(self.world.n_options):
            at = self.find(mixed(key ^ OPTION_SALT ^ (self.world.options[i] + 1)) | 1)
            self.slots[i] = at
            if self.keys[at] != 0:
                tried += self.visits[at]
        width = root_of(tried << 16) * self.explore
        hope = self.totals[node] // self.visits[node]
        floor = EVEN // (FLOOR * self.world.n_options)
        chosen = 0
        best = 0
        for i in range(self.world.n_options):
            at = self.slots[i]
            value = hope
            n = 0
            if self.keys[at] != 0 and self.visits[at] > 0:
                n = self.visits[at]
                value = self.totals[at] // n
            value += (width * max(floor, self.world.weights[i] * EVEN // weight) // (n + 1)) >> 12
            value += self.world.below(BLUR)
            if value >= best:
                best = value
                chosen = i
        return chosen

    def recall(self) -> int:
        """The weights of the options at the root, as `begin` has found them. Another deal may change their order."""
        for i in range(self.world.n_options):
            if self.root[i] == self.world.options[i]:
                self.world.weights[i] = self.root_weight[i]
            else:
                for j in range(self.n_root):
                    if self.root[j] == self.world.options[i]:
                        self.world.weights[i] = self.root_weight[j]
        return self.weight

    def even_out(self, chosen: int) -> int:
        """At the root, instead of what `select` has chosen: an option that has not had its part of the visits yet.

        `spread` in 1024 of all visits are for all options alike, so that there is something to say about each.
        """
        least = 0
        for i in range(self.n_root):
            if self.root_visits[i] < self.root_visits[least]:
                least = i
        if self.root_visits[least] * self.n_root * 1024 < self.iterations * self.spread:
            return least
        return chosen

    def tell(self, seat: int, action: int) -> None:
        """Carry out an action in the world, and add to every seat's trail what it sees of it."""
        veiled = self.world.veiled
        stage = self.world.stage()
        self.trail[seat] = mixed(self.trail[seat] ^ (action + 1))
        if veiled:
            self.unseen[seat] = mixed(self.unseen[seat] ^ (self.world.sign(action, NOBODY) + 1))
        else:
            for other in range(self.world.seats):
                if other != seat:
                    self.trail[other] = mixed(
                        self.trail[other] ^ ((self.world.sign(action, other) + 1) * 8 + seat)
                    )
        self.world.act(action)
        if veiled and self.world.stage() != stage:
            for actor in range(self.world.seats):
                for other in range(self.world.seats):
                    if other != actor:
                        self.trail[other] = mixed(self.trail[other] ^ self.unseen[actor])
                self.unseen[actor] = 0

    def descend(self) -> None:
        """Go down the trees from the root until a node is new, and add it."""
        for seat in range(self.world.seats):
            self.trail[seat] = mixed(seat)
            self.unseen[seat] = 0
        self.top = self.trail[self.world.viewer]
        self.depth = 0
        steps = 0
        while self.depth < 2 * DEPTH - 2 and steps < 4 * DEPTH:
            seat = self.world.asked()
            if seat == NOBODY:
                break
            self.world.offer()
            if self.world.n_options == 1 and steps > 0:
                self.tell(seat, self.world.options[0])
                steps += 1
                continue
            key = self.trail[seat]
            node = self.find(key)
            if self.keys[node] == 0:
                if 4 * self.used >= 3 * self.room:
                    break
                self.add(node, key)
                self.note(node, seat)
                if steps > 0:
                    break
                self.visits[node] = 1  # the root's own first visit: nothing is known, so all are equal
                self.totals[node] = REWARD // self.world.seats
            else:
                self.note(node, seat)
            i = self.select(node, key)
            if steps == 0 and self.spread > 0:
                i = self.even_out(i)
            at = self.slots[i]
            if self.keys[at] == 0 and 4 * self.used < 3 * self.room:
                self.add(at, mixed(key ^ OPTION_SALT ^ (self.world.options[i] + 1)) | 1)
            if self.keys[at] != 0:
                self.note(at, seat)
            if steps == 0:
                self.first = self.world.options[i]
            self.tell(seat, self.world.options[i])
            steps += 1
        self.steps += steps

    def back_up(self) -> None:
        """Every seat counts for itself: what it got, at its own nodes and options."""
        for i in range(self.depth):
            at = self.path[i]
            self.visits[at] += 1
            self.totals[at] += self.world.rewards[self.path_seat[i]]
        for i in range(self.n_root):
            if self.root[i] == self.first:
                self.root_visits[i] += 1
                self.root_rewards[i] += self.world.rewards[self.world.viewer]
                self.root_shares[i] += self.world.shares[self.world.viewer]
                self.root_points[i] += self.world.points[self.world.viewer]

    def iterate(self, count: int) -> None:
        """`count` times: imagine, descend, play out, back up."""
        for _ in range(count):
            if self.spent:
                break
            if self.world.flat:
                self.compare()
            else:
                self.imagine()
                self.descend()
                self.world.play_out(self.stray, self.heat, self.horizon)
            self.back_up()
            self.iterations += 1

    def promise(self, i: int) -> int:
        """How much better an option is than what is usual in the same deals, knowledge included; plus AWAY."""
        n = self.root_visits[i] + self.world.trust
        return (self.root_ahead[i] + self.world.trust * self.root_prior[i] + AWAY * n) // n

    def compare(self) -> None:
        """One play-out of the option at the root that promises most, or about which too little is known.

        The n-th play-out of every option is in the n-th deal. The first option in a deal sets what is usual there.
        """
        width = root_of((self.iterations + 1) << 8) * self.explore
        floor = EVEN // (FLOOR * self.n_root)
        chosen = 0
        best = 0
        for i in range(self.n_root):
            value = self.promise(i)
            share = max(floor, self.root_weight[i] * EVEN // self.weight)
            value += (width * share // (self.root_visits[i] + 1)) >> 12
            if value > best:
                best = value
                chosen = i
        if self.spread > 0:
            chosen = self.even_out(chosen)
        number = self.root_visits[chosen]
        self.first = self.root[chosen]
        self.depth = 0
        self.world.imagine(mixed((self.word + (number + 1) * GOLDEN) & MASK64))
        self.world.act(self.first)
        self.world.play_out(self.stray, self.heat, self.horizon)
        if number >= self.n_deals:
            self.usual[number] = self.world.rewards[self.world.viewer]
            self.n_deals = number + 1
        self.root_ahead[chosen] += self.world.rewards[self.world.viewer] - self.usual[number]
        self.spent = number + 1 == DEALS
        self.steps += 1

    # ---------------------------------------------------------------- the boundary

    def begin(self, word: int, first: Mapping[int, float] | None = None) -> list[int]:
        """Empty trees; returns the options at the root.

        `first` is a better first guess about them than that of knowledge, a score in points for each.
        """
        self.word = word & MASK64
        self.world.imagine(self.word)
        if self.world.asked() != self.world.viewer:
            raise ValueError(f"seat {self.world.viewer} is not asked, so there is nothing to search for")
        self.world.offer()
        self.n_root = self.world.n_options
        for i in range(self.n_root):
            self.root[i] = self.world.options[i]
            self.root_visits[i] = 0
            self.root_rewards[i] = 0
            self.root_shares[i] = 0
            self.root_points[i] = 0
        self.world.rate()
        self.weight = self.world.weigh(self.prior_heat)
        for i in range(self.n_root):
            self.root_weight[i] = self.world.weights[i]
        per_point = POINT // self.world.slope
        if first is not None:
            self.mix(first)
            per_point *= DISCOUNT
        if self.world.flat:
            top = self.world.scores[self.world.top()]
            self.n_deals = 0
            for i in range(self.n_root):
                self.root_ahead[i] = 0
                down = (top - self.world.scores[i]) // per_point
                self.root_prior[i] = -min(down, REWARD)
        self.used = 0
        self.iterations = 0
        self.steps = 0
        self.spent = False
        self.wipe()
        return [self.root[i] for i in range(self.n_root)]

    def mix(self, first: Mapping[int, float]) -> None:
        """Weights for the options at the root, a part of them by knowledge: what a line is worth shows only after some
        visits, so an option that either of the two likes should have them."""
        for i in range(self.n_root):
            self.world.scores[i] = round(POINT * max(-WORST, min(WORST, first[self.root[i]])))
        weight = self.world.weigh(self.prior_heat)
        for i in range(self.n_root):
            known = self.root_weight[i] * EVEN // self.weight
            self.root_weight[i] = known + (FIRST - 1) * (self.world.weights[i] * EVEN // weight)
        self.weight = FIRST * EVEN

    def wipe(self) -> None:
        """Forget all nodes."""
        for i in range(self.room):
            self.keys[i] = 0

    def run(self, count: int) -> int:
        """`count` more iterations; returns the total. Compiled, it releases the GIL."""
        with cython.nogil:
            self.iterate(count)
        return self.iterations

    def lead(self) -> int:
        """By how many visits the option at the root that has most of them is ahead of the next."""
        first = 0
        second = 0
        for i in range(self.n_root):
            if self.root_visits[i] > first:
                second = first
                first = self.root_visits[i]
            elif self.root_visits[i] > second:
                second = self.root_visits[i]
        return first - second

    def worth(self, i: int) -> float:
        """The reward that the search expects of an option at the root; a flat one, how much above what is usual."""
        if self.world.flat:
            return float(self.promise(i) - AWAY) / REWARD
        return float(self.root_rewards[i]) / (REWARD * max(1, self.root_visits[i]))

    def tally(self) -> dict[str, Any]:
        """What has been found: for each option at the root its visits and worth, and the sums of what they brought."""
        options = range(self.n_root)
        return {
            "iterations": self.iterations,
            "nodes": self.used,
            "steps": self.steps,
            "actions": [self.root[i] for i in options],
            "visits": [self.root_visits[i] for i in options],
            "rewards": [float(self.root_rewards[i]) / REWARD for i in options],
            "worth": [self.worth(i) for i in options],
            "victories": [float(self.root_shares[i]) / REWARD for i in options],
            "points": [float(self.root_points[i]) / self.world.per_point for i in options],
        }
