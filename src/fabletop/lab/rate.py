"""The command `fabletop rate`: how strong a player is, measured alone against each level on fixed deals.

A player is a bot as `fabletop ladder` takes it, `module:attribute` for one of one's own (an object with `choose(view,
choice)`, or with `answer(text)` for a player in words), or `command:…` for a program that reads and writes text.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from rich.console import Console
from rich.table import Table

from fabletop.bots.specs import Spec, created
from fabletop.core.chance import Chance
from fabletop.core.errors import BadOptions
from fabletop.envs.players import ATTEMPTS, COMMAND, PATIENCE, Program, TextPlayer
from fabletop.envs.players import play as play_text
from fabletop.envs.text import TextEnv
from fabletop.games import GAMES, game_called
from fabletop.lab.console import play_missing
from fabletop.lab.ladder import standings
from fabletop.lab.matches import Planned, Played, lead, play, played_of
from fabletop.lab.statistics import mean, share


def player_name(text: str) -> str:
    """The player as results name it; BadOptions where there is none."""
    if text.startswith(COMMAND):
        if not text.removeprefix(COMMAND).strip():
            raise BadOptions(f"{text!r} names no program; it should look like {COMMAND}python3 player.py")
        return text
    return Spec.read(text, own=True).text


def text_player(text: str, chance: Chance) -> TextPlayer | None:
    """The player, if it is an object that plays in words; None for a bot."""
    spec = Spec.read(text, own=True)
    if ":" not in spec.name:
        return None
    made = created(spec.name, chance, dict(spec.settings))
    return made if isinstance(made, TextPlayer) and not hasattr(made, "choose") else None


def plan_rating(
    game: str, options: Mapping[str, Any], player: str, levels: Sequence[str], deals: int, seed: str
) -> list[Planned]:
    """All games: every deal against every level, with the player in each seat."""
    played = game_called(game)
    chosen = played.options(options)
    seats: int = chosen["seats"]
    name = player_name(player)
    others = [Spec.read(level).text for level in levels]
    if name in others:
        raise BadOptions(f"{name} cannot be measured against itself; name other bots with --against")
    if len(set(others)) < len(others):
        raise BadOptions(f"an opponent is named twice: {', '.join(others)}")
    return [
        Planned(
            played.id,
            chosen,
            f"{seed} {deal}",
            tuple(name if seat == own else other for seat in range(seats)),
            own,
        )
        for deal in range(deals)
        for other in others
        for own in range(seats)
    ]


def play_one(
    planned: Planned, *, lang: str = "en", patience: float = PATIENCE, attempts: int = ATTEMPTS
) -> Played:
    """Play a game of the plan. A player in words plays through a text environment."""
    own = planned.turned
    name = planned.entrants[own]
    chances = [
        Chance.from_text(f"{planned.seed} {planned.turned} {seat}") for seat in range(len(planned.entrants))
    ]
    if name.startswith(COMMAND):
        with Program(name.removeprefix(COMMAND), patience) as program:
            return _in_words(planned, program, chances, lang, attempts)
    player = text_player(name, chances[own])
    return play(planned) if player is None else _in_words(planned, player, chances, lang, attempts)


def _in_words(
    planned: Planned, player: TextPlayer | Program, chances: Sequence[Chance], lang: str, attempts: int
) -> Played:
    own, seats = planned.turned, range(len(planned.entrants))
    others = [
        Spec.read(planned.entrants[seat]).made(chances[seat], threads=1) for seat in seats if seat != own
    ]
    env = TextEnv(
        GAMES[planned.game], planned.options, seat=own, against=others, lang=lang, seed=planned.seed
    )
    began = perf_counter()
    wrong = play_text(env, player, Chance.from_text(f"{planned.seed} wrong answers"), attempts)
    seconds = perf_counter() - began
    actions = [sum(seat == who for who, _ in env.sitting.actions) for seat in seats]
    spent = [seconds if seat == own else 0.0 for seat in seats]
    return played_of(planned, env.sitting, actions, spent, wrong=wrong)


# ---------------------------------------------------------------------------------------------- results


def opponent(game: Played) -> str:
    """The bot in the other seats."""
    return game.entrants[game.turned - 1]


def show_rating(name: str, games: Sequence[Played]) -> None:
    """Print how the player did against each opponent, then the ratings of all."""
    console = Console(width=None if Console().is_terminal else 160, highlight=False)
    if not games:
        console.print("no games yet")
        return
    deals = len({game.seed for game in games})
    dealt = "one deal" if deals == 1 else f"{deals} deals"
    console.print(f"{name}: {len(games)} games on {dealt}; 95 % intervals in brackets", markup=False)
    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("against", "victories", "fair", "margin", "games"):
        table.add_column(heading, justify="left" if heading == "against" else "right", no_wrap=True)
    for other in dict.fromkeys(map(opponent, games)):
        some = [game for game in games if opponent(game) == other]
        clusters = {seed: [game for game in some if game.seed == seed] for seed in {g.seed for g in some}}
        won = share([[game.shares[game.turned] for game in deal] for deal in clusters.values()])
        margin = mean([[lead(game.scores, game.turned) for game in deal] for deal in clusters.values()])
        fair = f"{100 / len(some[0].entrants):.0f} %"
        table.add_row(other, won.percent(), fair, margin.text(2), str(len(some)))
    console.print(table)
    ratings = Table(box=None, padding=(0, 2, 0, 0))
    ratings.add_column("player", no_wrap=True)
    ratings.add_column("rating", justify="right", no_wrap=True)
    for standing in standings(games):
        ratings.add_row(standing.name, standing.rating.text(0))
    console.print()
    console.print(ratings)
    wrong = sum(game.wrong for game in games)
    if wrong:
        answers = sum(game.choices[game.turned] for game in games)
        console.print(f"{wrong} answers in {answers} actions were no options", markup=False)


# ---------------------------------------------------------------------------------------------- command


def rate(
    game: str,
    player: str,
    levels: Sequence[str],
    *,
    options: Mapping[str, Any],
    deals: int,
    seed: str,
    processes: int,
    out: Path | None,
    lang: str,
    attempts: int,
    patience: float,
) -> int:
    """Rate a player, as far as its games are not in the file yet, and print the result."""
    planned = plan_rating(game, options, player, levels, deals, seed)
    play_it = partial(play_one, lang=lang, patience=patience, attempts=attempts)
    return play_missing(planned, play_it, processes, out, partial(show_rating, player_name(player)))
