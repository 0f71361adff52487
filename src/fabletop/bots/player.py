"""Bots that play from the record: knowledge judges the state of the game itself, and no view is built.

A *policy* says how such a bot decides: by the scores of its game's knowledge, or at random. The scores use only what
the seat may know (see the knowledge of each game), so a player answers exactly what the bot of the same policy answers
from its view, with the same chance; `tests/bots/test_player.py` compares the two. A `Player` is one seat, a `Table`
plays a whole game in one loop, compiled with `player.pxd`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fabletop.bots.constants import MOST_SEATS, OPTIONS
from fabletop.bots.world import World
from fabletop.core import chance
from fabletop.core.chance import Chance
from fabletop.core.errors import FabletopError
from fabletop.core.sitting import SEAT_STREAMS

COMPILED = not __file__.endswith(".py")

MASK64 = chance.MASK64
GOLDEN = chance.GOLDEN
TABLE = "table"
EVERY, WHIMS, BEST = 0, 1, 2  # among which options is chosen
BLOCK = 4  # words that one hash gives
if not COMPILED:  # compiled it is C, in splitmix.pxd
    globals().update(scramble=chance.scramble)


class Player:
    """One seat's decisions. `slack` and `stray` are those of the bots; with `any_option` there is no knowledge."""

    def __init__(
        self, world: World, source: Chance, slack: float = 0.0, stray: float = 0.0, any_option: bool = False
    ) -> None:
        self.world = world
        self.source = source
        self.word = source.state
        self.slack = slack
        self.stray = 1000 * stray
        self.any_option = any_option
        self.choices = 0
        self.best = list([0] * OPTIONS)

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, as `Chance.below`."""
        self.word = (self.word + GOLDEN) & MASK64
        z: int = scramble(self.word)  # type: ignore[name-defined]  # noqa: F821
        return ((z >> 32) * n) >> 32

    def answer(self, seat: int) -> int:
        """The action that the seat takes; the only one where there is one."""
        self.world.consider(seat)
        if self.world.n_options == 1:
            return self.world.options[0]
        self.choices += 1
        if self.any_option:
            return self.pick(EVERY)
        if self.stray > 0 and self.below(1000) < self.stray:
            return self.pick(WHIMS)
        self.below(1)  # where a view is at hand, this word deals the hidden cards
        self.world.rate()
        return self.pick(BEST)

    def pick(self, which: int) -> int:
        """One of the options within `slack` points of the best, of those taken on a whim, or of all; chance decides."""
        least = self.world.points_of(self.world.top()) - self.slack
        n = 0
        for i in range(self.world.n_options):
            if (
                which == EVERY
                or (which == WHIMS and self.world.whim(i))
                or (which == BEST and self.world.points_of(i) >= least)
            ):
                action = self.world.options[i]
                at = n
                while at > 0 and self.best[at - 1] > action:
                    self.best[at] = self.best[at - 1]
                    at -= 1
                self.best[at] = action
                n += 1
        return self.best[self.below(n)]

    def choose(self, state: Any, seat: int) -> int:
        """What the seat answers in this state, which stays as it is; the seat must be asked."""
        self.world.follow(state)
        if seat < 0 or seat >= self.world.seats or not (self.world.pending() >> seat) & 1:
            raise ValueError(f"seat {seat} is not asked; asked are {state.asked()}")
        self.word = self.source.state
        action = self.answer(seat)
        self.source.state = self.word
        return action


class Table:
    """A game among players, carried out on its state; chance goes as `Sitting` says for the seed.

    `stage` and `made` are those of the sitting: the stage for which the table's stream was set last, and how many
    actions each seat has made.
    """

    def __init__(
        self, players: Sequence[Player], state: Any, seed: str, stage: int, made: Sequence[int]
    ) -> None:
        self.players = list(players)
        self.rules = self.players[0].world
        self.seats = len(self.players)
        self.state = state
        self.seed = seed
        self.stage = stage
        self.made = list([0] * MOST_SEATS)
        self.block = list([-1] * (MOST_SEATS + 1))
        self.words = list([0] * (BLOCK * (MOST_SEATS + 1)))
        for seat in range(self.seats):
            self.made[seat] = made[seat]

    def word_of(self, stream: int, counter: int) -> int:
        """`stream_word`, with the words of a block kept."""
        if self.block[stream] != counter // BLOCK:
            self.block[stream] = counter // BLOCK
            found = chance.four_words(
                self.seed, TABLE if stream == self.seats else SEAT_STREAMS[stream], counter // BLOCK
            )
            for i in range(BLOCK):
                self.words[BLOCK * stream + i] = found[i]
        return self.words[BLOCK * stream + counter % BLOCK]

    def play(self, rows: list[tuple[int, ...]] | None, longest: int) -> list[tuple[int, int]]:
        """Play to the end; returns the actions with their seats. Events go to `rows`, if wanted."""
        actions: list[tuple[int, int]] = []
        for player in self.players:
            player.world.follow(self.state)
            player.word = player.source.state
        rules = self.rules
        waiting = rules.pending()
        while waiting != 0:
            for seat in range(self.seats):
                if (waiting >> seat) & 1:
                    player = self.players[seat]
                    action = player.answer(seat)
                    self.made[seat] += 1
                    if rules.streams:
                        rules.stir(seat, self.word_of(seat, self.made[seat]))
                    if rules.stage() != self.stage:
                        self.stage = rules.stage()
                        rules.stir(self.seats, self.word_of(self.seats, self.stage))
                    rules.answer(seat, action)
                    actions.append((seat, action))
                    if rows is not None:
                        rules.hear(rows)
            if len(actions) >= longest:
                raise FabletopError(f"the game with seed {self.seed!r} has no end after {longest} actions")
            waiting = rules.pending()
        for player in self.players:
            player.source.state = player.word
        return actions
