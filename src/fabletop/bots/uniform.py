"""A bot that takes any option with equal probability."""

from fabletop.bots import Policy
from fabletop.core.chance import Chance
from fabletop.core.game import Choice, View


class Uniform:
    """Uniform random play, reproducible by its chance."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.policy = Policy(chance, slack=None)

    def choose(self, view: View, choice: Choice) -> int:
        """Any option."""
        return self.chance.pick(choice.options)
