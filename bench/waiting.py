"""How long one person waits for bots in a whole game, by the time that the server gives them.

    python -m bench.waiting [--level queen] [--games 5] [--processes 1]

Plays games in which every seat takes what looks best, and counts for all seats but one the time in which a level would
answer on the server: the thinking time of each choice, or the pause where that is longer. The time does not depend on
what is thought (see `fabletop.server.bots.pool`), so nothing needs to be thought. Where all seats decide at once, the
bots share the processes; that the person takes time as well is left out. So the results are upper bounds, for a server
that is not overloaded.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Sequence

from fabletop import GAMES, Chance
from fabletop.bots.greedy import Greedy
from fabletop.bots.levels import LEVELS
from fabletop.bots.pace import share
from fabletop.core.sitting import Sitting
from fabletop.server.bots.pool import MARGIN
from fabletop.server.settings import Settings

PERSON = 0
PAUSE = Settings().bot_pause
WANTED = {"equinox": 2.0, "fairy_school": 4.0}
"""Minutes that a whole game against queens may cost."""


def answer_time(game: str, kind: str, seats: int, level: str, together: bool) -> float:
    """Seconds until a bot of a level answers on the server, from the moment it is asked."""
    pause = 0.0 if together else PAUSE
    part = share(game, kind, seats) * LEVELS[level].milliseconds / 1000
    return max(pause, part + MARGIN) if part else pause


def waited(game: str, seats: int, level: str, seed: str, processes: int) -> float:
    """Minutes that the person waits in one game."""
    sitting = Sitting(GAMES[game], {"seats": seats}, seed=seed)
    bot = Greedy(Chance.from_text(seed))
    total = 0.0
    while sitting.pending:
        stage, together = sitting.state.stage, sitting.state.together
        times: dict[int, float] = defaultdict(float)
        while sitting.pending and sitting.state.stage == stage:
            seat, choice = next(iter(sitting.pending.items()))
            if seat != PERSON:
                times[seat] += answer_time(game, choice.kind, seats, level, together)
            sitting.act(seat, bot.choose(sitting.view(seat), choice))
        if times:
            total += max(*times.values(), sum(times.values()) / (processes if together else 1), 0.0)
    return total / 60


def main(given: Sequence[str] | None = None) -> int:
    """Play, print, and say whether the targets were reached."""
    parser = argparse.ArgumentParser(prog="bench.waiting", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--level", choices=list(LEVELS), default="queen")
    parser.add_argument("--games", type=int, default=5, metavar="N", help="games for each number of seats")
    parser.add_argument(
        "--processes", type=int, default=1, metavar="N", help="processes in which bots search"
    )
    asked = parser.parse_args(given)
    reached = True
    for name, game in GAMES.items():
        for seats in game.seat_counts:
            found = [
                waited(name, seats, asked.level, f"wait {n}", asked.processes) for n in range(asked.games)
            ]
            mean = sum(found) / len(found)
            reached &= mean <= WANTED[name]
            print(f"{name:13} {seats} seats  {mean:5.2f} minutes ({min(found):.2f} to {max(found):.2f})")
    print(f"target: {WANTED}, {'reached' if reached else 'MISSED'}")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
