"""One game of bots from beginning to end.

>>> from fabletop.bots.play import play
>>> sitting = play("equinox", ["greedy", "uniform"], seed="midsummer")
>>> len(sitting.outcome.scores), sitting.record().names
(2, ('greedy', 'uniform'))
"""

from collections.abc import Sequence

from fabletop.bots import Bot
from fabletop.bots.specs import Spec
from fabletop.core.chance import Chance
from fabletop.core.errors import BadOptions, FabletopError
from fabletop.core.game import Game, Options
from fabletop.core.sitting import Sitting
from fabletop.games import game_called

LONGEST = 100_000
"""Actions after which something must be wrong."""


def play(
    game: Game | str,
    bots: Sequence[Bot | str],
    *,
    seed: str | None = None,
    options: Options | None = None,
    names: Sequence[str] = (),
) -> Sitting:
    """Play a game, one bot for each seat, and return the sitting: its `outcome`, its `record()`.

    A bot is an object with `choose(view, choice)`, or a text as `fabletop ladder` takes it, such as `greedy`. Bots that
    are named draw their chance from the seed, so the same seed gives the same game. A choice with one option is
    answered without asking the bot.
    """
    rules = game_called(game) if isinstance(game, str) else game
    given = {"seats": len(bots), **(options or {})}
    called = [bot if isinstance(bot, str) else type(bot).__name__ for bot in bots]
    sitting = Sitting(rules, given, seed=seed, names=names or called)
    if len(bots) != sitting.options["seats"]:
        raise BadOptions(f"{len(bots)} bots for {sitting.options['seats']} seats; give one for each seat")
    seated = [
        Spec.read(bot, own=True).made(Chance.from_text(f"{sitting.seed} {seat}"))
        if isinstance(bot, str)
        else bot
        for seat, bot in enumerate(bots)
    ]
    run(sitting, seated)
    return sitting


def run(sitting: Sitting, bots: Sequence[Bot]) -> None:
    """Let the bots play a sitting to its end."""
    while pending := sitting.pending:
        for seat, choice in pending.items():
            lone = len(choice.options) == 1
            sitting.act(seat, choice.options[0] if lone else bots[seat].choose(sitting.view(seat), choice))
        if len(sitting.actions) >= LONGEST:
            raise FabletopError(f"the game with seed {sitting.seed!r} has no end after {LONGEST} actions")
