"""Environments: the games as other libraries and programs want to step through them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fabletop.core.game import Game
    from fabletop.envs.batch import VectorGames


def vector(game: Game | str, n: int, **settings: Any) -> VectorGames:
    """Many games stepped at once into numpy arrays; docs/envs.md says how. The settings are those of `VectorGames`.

    >>> from fabletop.envs import vector
    >>> games = vector("equinox", 64, seats=3, seed=1)
    >>> for _ in range(100):
    ...     games.step(games.sample())
    >>> games.observation.shape == (64, games.space.size), games.mask[0, games.sample()[0]]
    (True, np.uint8(1))
    """
    from fabletop.envs.batch import VectorGames

    return VectorGames(game, n, **settings)
