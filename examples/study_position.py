"""Study a position, step by step: python examples/study_position.py [WORLDS]

What does the seat at turn know, what can it do, and what is each option worth? Every option is tried in the same
imagined worlds and played to the end by `uniform`, so that the differences are those of the options.
"""

import sys

from fabletop import GAMES, Chance
from fabletop.envs.reader import outline
from fabletop.lab.statistics import share
from fabletop.lang import Lexicon
from fabletop.lang.lines import Teller

POSITION = """
    2 seats   turn ana
             hoot   stag   ursus   carmen   fungy   twinz   pilgrim   squeak
    row 1    4a     7b     .       3        9       2b      .         5
    ana: hoot 7, stag 2, ursus 9, chameleon 3
    ben: stag 5, carmen 8, fungy 1, twinz 6
"""


def result(game, world, seat, chance):
    """The share of the victory of a seat after a random game from here."""
    while asked := world.asked():
        world.apply(asked[0], chance.pick(world.legal(asked[0])))
    winners = game.outcome(world).winners
    return (seat in winners) / len(winners)


def study(worlds=200):
    """Print the position, and the options with their worth, best first."""
    game = GAMES["equinox"]
    state = game.from_position(POSITION)
    ((seat, choice),) = game.pending(state).items()
    view = game.view(state, seat)
    print("\n".join(outline(view)), "\n")

    teller, chance = Teller(Lexicon("en"), game, ("Ana", "Ben"), seat), Chance(1)
    won = {action: [] for action in choice.options}
    for _ in range(worlds):
        world = game.imagine(view, chance)  # a state in which this seat would see the same
        for action in choice.options:
            after = world.clone()
            after.apply(seat, action)
            won[action].append([result(game, after, seat, chance)])
    print(teller.prompt(choice))
    for action in sorted(won, key=lambda action: -sum(map(sum, won[action]))):
        print(f"{share(won[action]).percent():>28}  {teller.label(action)}")


if __name__ == "__main__":
    study(*map(int, sys.argv[1:]))
