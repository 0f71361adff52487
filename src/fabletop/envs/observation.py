"""Observations of single states as numpy arrays: what a seat may know, what it may do, and a number for what it knows.

>>> from fabletop import GAMES, Sitting
>>> from fabletop.envs import observation
>>> game = GAMES["equinox"]
>>> state = Sitting(game, {"seats": 3}, seed="observation").state
>>> space = observation.space(game)
>>> seen = observation.observe(game, state, seat=0)
>>> seen.shape == (space.size,), int(seen[space.part("hand")].sum())
(True, 8)
>>> [game.actions[action] for action in observation.mask(game, state, state.asked()[0]).nonzero()[0]][-2:]
['reveal', 'champion-squeak']
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fabletop.core.game import Game
from fabletop.core.planes import Plane, size_of
from fabletop.games import game_called

Bytes = npt.NDArray[np.uint8]


class Space(NamedTuple):
    """The shape of a game's observations and masks, the same for every number of seats and every setting."""

    size: int
    """Bytes of an observation."""
    actions: int
    """Bytes of a mask: the size of the action catalogue."""
    planes: tuple[Plane, ...]
    """The parts of an observation, in the order in which they lie."""

    def part(self, name: str) -> slice:
        """Where a plane lies: `observation[..., space.part("hand")]`."""
        for plane in self.planes:
            if plane.name == name:
                return plane.part
        raise KeyError(f"there is no plane {name!r}; the planes are {', '.join(p.name for p in self.planes)}")

    @property
    def high(self) -> Bytes:
        """The highest value of each byte."""
        return np.concatenate([np.full(plane.length, plane.high, np.uint8) for plane in self.planes])


def space(game: Game | str) -> Space:
    """The shape of a game's observations and masks."""
    game = game_called(game)
    return Space(size_of(game.planes), len(game.actions), tuple(game.planes))


def observe(game: Game | str, state: Any, seat: int, out: Bytes | None = None) -> Bytes:
    """What a seat may know of a state; into `out`, if given."""
    game = game_called(game)
    if out is None:
        out = np.empty(size_of(game.planes), np.uint8)
    game.observe(state, seat, out)
    return out


def mask(game: Game | str, state: Any, seat: int, out: Bytes | None = None) -> Bytes:
    """A one for each action of the catalogue that is offered to a seat, else 0; into `out`, if given."""
    game = game_called(game)
    if out is None:
        out = np.empty(len(game.actions), np.uint8)
    game.mask(state, seat, out)
    return out


def information_state(game: Game | str, state: Any, seat: int) -> int:
    """64 bits for all that a seat knows: the same number where its views are the same, another where they differ.

    A view is more than an observation: it also says in which order some cards lie, and what everybody knows.
    """
    seen = json.dumps(game_called(game).view(state, seat), separators=(",", ":"))
    return int.from_bytes(hashlib.blake2b(seen.encode(), digest_size=8).digest(), "big")
