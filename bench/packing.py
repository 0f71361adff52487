"""What it costs to show a game and to start thinking about it: views, views for a whole table, Knowledge, greedy games.

    python -m bench.packing [--quick]

Processor time on one core, best of five. The positions are the middles of eight random games for four; a figure is the
mean over them. *View*: `Game.view` of the seat that is asked. *Table*: the views of all four seats as the server sends
them, as bytes. *Knowledge*: what a bot makes of a view before it rates or searches. *Greedy*: games of a ladder of
greedy players per second.

An older tree is measured with its own environment and this file: `PYTHONPATH=<old>/src:. <old>/.venv/bin/python -m
bench.packing`. Before views were typed, a game wrote its views as bytes itself (`game.sight`).
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable, Sequence
from time import process_time
from typing import Any

from bench.clock import pin
from bench.table import as_text

GAMES = ("equinox", "fairy_school")
SEATS = 4
DEALS = 8
ROUNDS = 5
HEAD = ("game", "view µs", "table µs", "Knowledge µs", "greedy games/s")


def middles(name: str) -> list[tuple[Any, int]]:
    """States in the middle of random games, each with a seat that is asked."""
    game = importlib.import_module("fabletop").GAMES[name]
    chance_of = importlib.import_module("fabletop.core.chance").Chance.from_text
    found = []
    for deal in range(DEALS):
        actions = random_game(game, chance_of(f"middle {deal}"), None)
        state = random_game(game, chance_of(f"middle {deal}"), actions // 2)
        found.append((state, min(state.asked())))
    return found


def random_game(game: Any, chance: Any, stop: int | None) -> Any:
    """Play at random: the state after `stop` actions, or the number of actions of the whole game."""
    state = game.new({"seats": SEATS}, [chance.word() for _ in range(SEATS + 1)])
    number = 0
    while asked := state.asked():
        if number == stop:
            return state
        state.apply(asked[0], chance.pick(state.legal(asked[0])))
        number += 1
    return number


def sent(game: Any) -> Callable[[Any], list[bytes]]:
    """What makes the views of all seats as bytes."""
    if hasattr(game, "sight"):
        join = importlib.import_module("fabletop.core.game").view_text

        def written(state: Any) -> list[bytes]:
            sight = game.sight(state)
            common = sight.common()
            return [join(common, sight.only(seat)) for seat in range(SEATS)]

        return written
    view_bytes = importlib.import_module("fabletop.server.protocol.views").ViewBytes

    def encoded(state: Any) -> list[bytes]:
        views = view_bytes(game, state)
        return [views.view(seat) for seat in range(SEATS)]

    return encoded


def spent(work: Callable[[], object], times: int) -> float:
    """Microseconds of processor time for one piece of work, best of the rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        began = process_time()
        for _ in range(times):
            work()
        best = min(best, (process_time() - began) / times)
    return 1e6 * best


def mean(works: Sequence[Callable[[], object]], times: int) -> float:
    """The mean cost of several pieces of work, in microseconds."""
    return sum(spent(work, times) for work in works) / len(works)


def greedy_rate(name: str, deals: int) -> float:
    """Games per second of a ladder of greedy players."""
    matches = importlib.import_module("fabletop.lab.matches")
    planned = matches.plan(name, {"seats": SEATS}, ["greedy", "gretel"], deals, "packing")
    return len(planned) / (spent(lambda: [matches.play(game) for game in planned], 1) / 1e6)


def row(name: str, times: int, deals: int) -> list[str]:
    """The figures of one game."""
    game = importlib.import_module("fabletop").GAMES[name]
    knowledge_of = importlib.import_module("fabletop.bots.greedy").knowledge_of
    positions, written = middles(name), sent(game)
    views = [game.view(state, seat) for state, seat in positions]
    figures = (
        mean([lambda at=at: game.view(*at) for at in positions], times),
        mean([lambda at=at: written(at[0]) for at in positions], times),
        mean([lambda view=view: knowledge_of(view) for view in views], times),
        greedy_rate(name, deals),
    )
    return [name, *(f"{figure:.1f}" for figure in figures)]


def main(given: Sequence[str] | None = None) -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="bench.packing", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a look, not a measurement")
    quick: bool = parser.parse_args(given).quick
    pin()
    print(as_text(HEAD, [row(name, 20 if quick else 400, 1 if quick else 2) for name in GAMES]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
