"""Games of bots from beginning to end.

>>> from fabletop.bots.play import games, play
>>> sitting = play("equinox", ["greedy", "uniform"], seed="midsummer")
>>> len(sitting.outcome.scores), sitting.record().names
(2, ('greedy', 'uniform'))
>>> [sitting.outcome.reason for sitting in games("equinox", ["greedy"] * 4, ["spring", "autumn"])]
['three-left', 'three-left']
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from fabletop.bots import Bot
from fabletop.bots.greedy import knowledge_class
from fabletop.bots.levels import policy_of
from fabletop.bots.player import Player, Table
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
    return next(games(game, bots, [seed], options=options, names=names))


def games(
    game: Game | str,
    bots: Sequence[Bot | str],
    seeds: Iterable[str | None],
    *,
    options: Options | None = None,
    names: Sequence[str] = (),
    events: bool = True,
) -> Iterator[Sitting]:
    """Play a game for each seed, as `play`, one after the other.

    Where no bot has to be asked with its view (`uniform`, `greedy`, `learned`, levels that do not search), a game is
    played in one compiled loop: the same game, many times as fast. Without `events` the sittings have no `rows`.
    """
    rules = game_called(game) if isinstance(game, str) else game
    given = {"seats": len(bots), **(options or {})}
    called = [bot if isinstance(bot, str) else type(bot).__name__ for bot in bots]
    specs = [Spec.read(bot, own=True) if isinstance(bot, str) else None for bot in bots]
    for seed in seeds:
        sitting = Sitting(rules, given, seed=seed, names=names or called)
        if len(bots) != sitting.options["seats"]:
            raise BadOptions(f"{len(bots)} bots for {sitting.options['seats']} seats; give one for each seat")
        seated = [
            bot if spec is None else spec.made(Chance.from_text(f"{sitting.seed} {seat}"))
            for seat, (bot, spec) in enumerate(zip(bots, specs, strict=True))
        ]
        run(sitting, seated, events=events)  # type: ignore[arg-type]
        yield sitting


def run(sitting: Sitting, bots: Sequence[Bot], *, events: bool = True) -> None:
    """Let the bots play a sitting to its end."""
    if run_from_record(sitting, bots, events=events) is None:
        run_from_views(sitting, bots)


def run_from_views(sitting: Sitting, bots: Sequence[Bot]) -> None:
    """Let the bots play a sitting to its end, each asked with its view and its choice."""
    while pending := sitting.pending:
        for seat, choice in pending.items():
            lone = len(choice.options) == 1
            sitting.act(seat, choice.options[0] if lone else bots[seat].choose(sitting.view(seat), choice))
        if len(sitting.actions) >= LONGEST:
            raise FabletopError(f"the game with seed {sitting.seed!r} has no end after {LONGEST} actions")


def run_from_record(sitting: Sitting, bots: Sequence[Bot], *, events: bool = True) -> list[int] | None:
    """The same in one loop, without views; returns how many choices with several options each seat had.

    None, and nothing is done, where a bot has to be asked with its view.
    """
    players = players_of(sitting, bots)
    if players is None:
        return None
    made = [sitting.made(seat) for seat in range(len(players))]
    table = Table(players, sitting.state, sitting.seed, sitting.table_stage, made)
    rows: list[tuple[int, ...]] = []
    sitting.state.listen(events)
    actions = table.play(rows if events else None, LONGEST)
    sitting.take_over(actions, rows, table.stage)
    return [player.choices for player in players]


def players_of(sitting: Sitting, bots: Sequence[Bot]) -> list[Player] | None:
    """Players from the record in place of the bots, if all of them can be played so."""
    players = [player_of(bot, sitting.game.id, sitting.state) for bot in bots]
    return None if None in players else players  # type: ignore[return-value]


def player_of(bot: Bot, game: str, state: Any) -> Player | None:
    """A player from the record in place of a bot, for states such as this one; None where the bot needs its view."""
    policy = policy_of(bot)
    if policy is None:
        return None
    weights = {} if policy.weights is None else {"weights": policy.weights}
    slack = 0.0 if policy.slack is None else policy.slack
    world = knowledge_class(game, policy.learned)(state, **weights)
    return Player(world, policy.chance, slack, policy.stray, policy.slack is None)
