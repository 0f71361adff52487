"""A bot that looks one step ahead with a game's knowledge and takes what looks best."""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any

from fabletop.bots import Policy
from fabletop.bots.world import World
from fabletop.core.chance import Chance
from fabletop.core.game import Choice, View
from fabletop.games import GAMES


def knowledge_of(view: View, **more: Any) -> World:
    """The world of a view: class `Knowledge` of `bots/<game>`, made from the view and nothing else."""
    return knowledge_class(view["game"])(view, **more)


@cache
def knowledge_class(game: str, learned: bool = False) -> Callable[..., World]:
    """The class `Knowledge` of a game, or `Learned`: the same, its scores corrected by a net."""
    if game not in GAMES:
        raise ValueError(f"there is no game {game!r}; there are {', '.join(GAMES)}")
    module, name = ("learned", "Learned") if learned else ("knowledge", "Knowledge")
    world_class: Callable[..., World] = getattr(import_module(f"fabletop.bots.{game}.{module}"), name)
    return world_class


@cache
def search_settings(game: str) -> Mapping[str, Any]:
    """The arguments with which a game's knowledge guides a search (`SEARCH_SETTINGS` of its module), if any."""
    settings: Mapping[str, Any] = getattr(
        import_module(f"fabletop.bots.{game}.knowledge"), "SEARCH_SETTINGS", {}
    )
    return settings


@cache
def guides_search(game: str) -> bool:
    """Does the net of this game's learned player make the first guess of a search?"""
    net_player: Any = import_module(f"fabletop.bots.{game}.learned")
    return getattr(net_player, "IN_SEARCH", False) and net_player.FILE.exists()


class Greedy:
    """Takes an option whose score is within `slack` points of the best; which one of these, chance decides.

    `weights` stand in for those of the game's knowledge.
    """

    def __init__(
        self, chance: Chance, *, slack: float = 0.02, weights: Mapping[str, int] | None = None
    ) -> None:
        self.chance = chance
        self.slack = slack
        self.more = {} if weights is None else {"weights": weights}
        self.policy = Policy(chance, slack, weights=weights)

    def choose(self, view: View, choice: Choice) -> int:
        """One of the best options."""
        return self.choose_with(knowledge_of(view, **self.more), choice)

    def choose_with(self, world: World, choice: Choice) -> int:
        """The same for a knowledge that is there already."""
        scores = world.ratings(self.chance.word())
        offered = [(scores[action], action) for action in choice.options if action in scores]
        if not offered:
            return self.chance.pick(choice.options)
        best = max(offered)[0]
        return self.chance.pick([action for score, action in offered if score >= best - self.slack])
