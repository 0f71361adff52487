"""Search for any game: a tree over what each seat has seen, play-outs guided by a game's knowledge.

Two classes, one text for Python and for C (`search.pxd`; see CONTRIBUTING, "The engine and its .pxd").

**World** is a game as search sees it: a root that a view describes, and one imagined game that starts there. A game
plugs in with one subclass, `Knowledge` in `bots/<game>/knowledge.py`, made from a view, with ten small methods:

    imagine(word)        start again at the root with the hidden things drawn again; `word` starts all chance
    likelihood()         how well this deal fits what the others have done, 0 to FULL: a deal is kept with this chance
    asked()              the seat to answer next, NOBODY at the end; where several are asked at once, the viewer first,
                         then in seat order
    offer()              fill `options[:n_options]` for that seat
    rate()               fill `scores` for these options from what that seat may know: the game's knowledge, in `POINT`s
    act(action)          that seat answers
    sign(action, seat)   before it does: what another seat will see of it, any number; an action itself where it is open
    stage()              a number that changes whenever what was done unseen comes to light; `veiled` says that the
                         answers of the present stage are seen only then
    reckon()             fill `rewards` (0 to REWARD), `shares` of the victory (0 to REWARD) and `points`, one per seat;
                         before the end of the game a guess
    forget()             keep nothing of earlier choices: what `rate` reuses is the same as found from nothing

Where bots play from the record (`player`), a world judges the state of the game itself and imagines nothing. That needs
six more, which say of the state what those above say of an imagined game:

    follow(state)        judge this state from now on
    pending()            the seats that are asked, a bit for each
    consider(seat)       fill `options[:n_options]` for this seat; `rate` judges them
    stir(stream, word)   set a stream of chance: a seat's, where `streams` says that the game has them, or the table's
    answer(seat, action) that seat answers
    hear(rows)           add the events of the last answer to the rows

Everything else is here: drawing an option by its score, play-outs, the tree. All numbers are whole, and none that is
divided is negative, so the compiled and the interpreted text agree to the last bit on every machine.

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

from fabletop.core import chance

try:
    import cython  # type: ignore[import-untyped]
except ImportError:  # interpreted, and Cython is not installed
    from fabletop.bots import unlocked as cython

COMPILED = not __file__.endswith(".py")

NOBODY = 255
OPTIONS = 512  # the most options at once; the arrays of search.pxd have this size
MOST_SEATS = 8
DEPTH = 256  # more than the depth of any tree
REWARD = 65536
FULL = 1024  # a likelihood of one
POINT = 262144  # a point of the game in the scores of the options
TRIES = 16  # deals that are tried to find one that fits what the others have done
EVEN = 4096
FLOOR = (
    4  # an option that looks bad has this part of an even share as its prior, so that it is looked at again
)
DEALS = 4096  # different deals in a flat search; an option that has met them all has nothing to add
FIRST = (
    4  # where something else guesses first, knowledge has a part of the prior at the root: one in this many
)
DISCOUNT = 4  # in a flat search a first guess is worth a part of what it says in points: one in this many
WORST = 1000.0  # points; no score of a first guess is further from 0
AWAY = 1 << 24  # more than any sum of rewards per visit
BLUR = 256  # rewards that differ by less may change places

MASK64 = chance.MASK64
GOLDEN = chance.GOLDEN
OPTION_SALT = 0x94D049BB133111EB  # keeps the keys of options apart from those of nodes
if not COMPILED:  # compiled it is C, in splitmix.pxd
    globals().update(scramble=chance.scramble)

# the weight of an option i eighths of `heat` below the best: half as much for each eight of them
LEAN = [max(1, round(EVEN * 2 ** (-i / 8))) for i in range(128)]


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


def heat_of(points: float) -> int:
    """A heat in scores; 32 points and more are all the same, and what is computed with them fits into 32 bits."""
    return max(1, min(32 * POINT, round(points * POINT)))


class World:
    """A game as search sees it; a subclass has the methods that the module's docstring lists."""

    def __init__(self, seats: int, viewer: int) -> None:
        self.seats = seats
        self.viewer = viewer
        self.veiled = False
        self.per_point = 1  # `points` may count halves
        self.streams = False  # do the seats have streams of chance of their own?
        self.flat = False  # compare the options at the root only
        self.trust = 4  # the game's knowledge counts as this many play-outs there,
        self.slope = 1024  # with a point worth this much in rewards
        self.n_options = 0
        self.word = 0
        self.options = list([0] * OPTIONS)
        self.scores = list([0] * OPTIONS)
        self.weights = list([0] * OPTIONS)
        self.rewards = list([0] * MOST_SEATS)
        self.shares = list([0] * MOST_SEATS)
        self.points = list([0] * MOST_SEATS)

    # ---------------------------------------------------------------- what a game says

    def imagine(self, word: int) -> None:
        """Start again at the root with the hidden things drawn again."""
        self.word = word

    def likelihood(self) -> int:
        """How well this deal fits what the others have done, 0 to FULL."""
        return FULL

    def asked(self) -> int:
        """The seat to answer next, NOBODY at the end."""
        return NOBODY

    def offer(self) -> None:
        """Fill `options[:n_options]`."""
        self.n_options = 0

    def rate(self) -> None:
        """Fill `scores`."""
        for i in range(self.n_options):
            self.scores[i] = 0

    def act(self, action: int) -> None:
        """The seat that is asked answers."""

    def sign(self, action: int, seat: int) -> int:
        """What another seat will see of this action."""
        return action

    def stage(self) -> int:
        """A number that changes whenever what was done unseen comes to light."""
        return 0

    def reckon(self) -> None:
        """Fill `rewards`, `shares` and `points`."""

    def forget(self) -> None:
        """Judge the next choice from nothing: keep nothing of those before."""

    # ---------------------------------------------------------------- the same of the state itself

    def follow(self, state: Any) -> None:
        """Judge this state from now on. It is not copied, and what the seat may not know is not looked at."""

    def pending(self) -> int:
        """The seats that are asked, a bit for each."""
        return 0

    def consider(self, seat: int) -> None:
        """Fill `options[:n_options]` for this seat, for `rate` to judge."""
        self.n_options = 0

    def stir(self, stream: int, word: int) -> None:
        """Set a stream of chance."""

    def answer(self, seat: int, action: int) -> None:
        """This seat answers; the action is one of its options."""

    def hear(self, rows: list[tuple[int, ...]]) -> None:
        """Add the events of the last answer to the rows."""

    # ---------------------------------------------------------------- what follows from it

    def below(self, n: int) -> int:
        """A number from 0 to n - 1 from this world's own chance."""
        self.word = (self.word + GOLDEN) & MASK64
        z: int = scramble(self.word)  # type: ignore[name-defined]  # noqa: F821
        return ((z >> 32) * n) >> 32

    def weigh(self, heat: int) -> int:
        """Fill `weights` from `scores`: half the weight for each `heat` below the best. Returns their sum."""
        best = self.scores[0]
        for i in range(1, self.n_options):
            if self.scores[i] > best:
                best = self.scores[i]
        limit = 127 * heat // 8  # below it a product fits into 32 bits
        total = 0
        for i in range(self.n_options):
            down = best - self.scores[i]
            self.weights[i] = LEAN[8 * down // heat if down < limit else 127]
            total += self.weights[i]
        return total

    def draw(self, heat: int) -> int:
        """The index of a random option, weighted by score."""
        left = self.below(self.weigh(heat))
        i = 0
        while left >= self.weights[i]:
            left -= self.weights[i]
            i += 1
        return i

    def top(self) -> int:
        """The index of the option with the best score."""
        best = 0
        for i in range(1, self.n_options):
            if self.scores[i] > self.scores[best]:
                best = i
        return best

    def points_of(self, i: int) -> float:
        """The score of an option in points."""
        return float(self.scores[i]) / POINT

    def play_out(self, stray: int, heat: int, horizon: int) -> None:
        """Play on by the knowledge of the game, each seat by its own, and reckon.

        With chance `stray` in 1024 any option is taken; never in a flat search, where that would blur the comparison.
        After `horizon` choices the game is cut off and guessed at.
        """
        while self.asked() != NOBODY:
            self.offer()
            if self.n_options == 1:
                self.act(self.options[0])
            elif horizon == 0:
                break
            else:
                horizon -= 1
                if self.flat:
                    self.rate()
                    self.act(self.options[self.top()])
                elif stray > 0 and self.below(1024) < stray:
                    self.act(self.options[self.below(self.n_options)])
                else:
                    self.rate()
                    self.act(self.options[self.draw(heat)])
        self.reckon()

    def whim(self, i: int) -> bool:
        """May a beginner take this option for no reason?"""
        return True

    # ---------------------------------------------------------------- the boundary

    def whims(self) -> list[int]:
        """The options at the root that a beginner may take for no reason, ascending."""
        self.imagine(1)
        self.offer()
        return sorted(self.options[i] for i in range(self.n_options) if self.whim(i))

    def has_a_say(self) -> bool:
        """Whether a net, where there is one, corrects the scores of the choice at hand."""
        return True

    def plain(self) -> bool:
        """Whether the choice at the root matters so little that knowledge alone may make it."""
        return False

    def deal(self, word: int) -> float:
        """Imagine a deal, and say how well it fits what the others have done, 0 to 1."""
        self.imagine(word & MASK64)
        return float(self.likelihood()) / FULL

    def ratings(self, word: int) -> dict[int, float]:
        """The score of each option at the root, in points, by knowledge alone: action → score."""
        self.imagine(word & MASK64)
        if self.asked() == NOBODY:
            return {}
        self.offer()
        self.rate()
        return {self.options[i]: self.points_of(i) for i in range(self.n_options)}

    def ratings_in(self, state: Any, seat: int) -> dict[int, float]:
        """The same for a seat that is asked in this very state."""
        self.follow(state)
        self.consider(seat)
        self.rate()
        return {self.options[i]: self.points_of(i) for i in range(self.n_options)}

    def recheck(self, word: int) -> tuple[int, int]:
        """Play on from the root at random: how many choices were judged, and how many of them otherwise than from
        nothing. The second number is 0 if `rate` follows all changes."""
        judged = 0
        wrong = 0
        self.imagine(word & MASK64)
        while self.asked() != NOBODY:
            self.offer()
            chosen = self.below(self.n_options)
            if self.n_options > 1:
                self.rate()
                found = [self.scores[i] for i in range(self.n_options)]
                self.forget()
                self.rate()
                judged += 1
                wrong += found != [self.scores[i] for i in range(self.n_options)]
            self.act(self.options[chosen])
        return judged, wrong

    def finish(
        self, word: int, stray: int, heat: float, horizon: int, action: int = -1
    ) -> tuple[list[int], ...]:
        """One play-out from the root, with an action first where one is given: rewards, shares of the victory and
        points, one per seat."""
        self.imagine(word & MASK64)
        if action >= 0:
            self.act(action)
        self.play_out(stray, heat_of(heat), horizon)
        seats = range(self.seats)
        return (
            [self.rewards[s] for s in seats],
            [self.shares[s] for s in seats],
            [self.points[s] for s in seats],
        )


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
