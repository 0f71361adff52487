"""A bot that takes what a trained net scores best, at once and without search."""

from fabletop.bots import Policy
from fabletop.bots.greedy import Greedy, knowledge_class
from fabletop.core.chance import Chance
from fabletop.core.game import Choice, View


class Learned(Greedy):
    """Greedy with the scores of `bots/<game>/learned.py`: the game's knowledge, corrected by a net (`bots.net`)."""

    def __init__(self, chance: Chance) -> None:
        super().__init__(chance, slack=0.0)
        self.policy = Policy(chance, 0.0, learned=True)

    def choose(self, view: View, choice: Choice) -> int:
        """The best option; where several are, chance decides."""
        return self.choose_with(knowledge_class(view["game"], True)(view), choice)
