"""A game as the bots see it: the options of a choice, what knowledge thinks of them, and how a play-out goes.

One text for Python and for C (`world.pxd`; see CONTRIBUTING, "The engine and its .pxd"). A **world** is a root that a
view describes, and one imagined game that starts there. A game plugs in with one subclass, `Knowledge` in
`bots/<game>/knowledge.py`, made from a view, with ten small methods:

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

The rest follows from these: drawing an option by its score, play-outs. All numbers are whole, and none that is divided
is negative, so the compiled and the interpreted text agree to the last bit on every machine.
"""

from __future__ import annotations

from typing import Any

from fabletop.bots.constants import FULL, LEAN, MOST_SEATS, NOBODY, OPTIONS, POINT
from fabletop.core import chance

COMPILED = not __file__.endswith(".py")

MASK64 = chance.MASK64
GOLDEN = chance.GOLDEN
if not COMPILED:  # compiled it is C, in splitmix.pxd
    globals().update(scramble=chance.scramble)


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
