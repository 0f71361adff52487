"""Bots of this checkout against bots of another one, such as an earlier commit with its own environment.

    python -m bench.against ../before/.venv/bin/python equinox ismcts:milliseconds=5 --other ismcts:milliseconds=5 \
        --seats 4 --deals 50 --seed fresh --out against.jsonl

The other checkout plays in a process of its own, on a copy of the game with the same seed, and hears every action. One
bot of this checkout sits among bots of the other, every deal from every seat. All bots think on one thread, and their
milliseconds are those of the processor on both sides, so a busy machine favours nobody. The number of games is fixed
by `--deals`; the same command with `--out` goes on where it was broken off.

Where the rules of the two differ, the copies may part: such a game is left out and counted.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from subprocess import PIPE, Popen
from time import process_time
from typing import Any

from fabletop.bots import ismcts
from fabletop.bots.specs import Spec
from fabletop.core.chance import Chance
from fabletop.core.sitting import Sitting
from fabletop.games import GAMES, game_called
from fabletop.lab import ladder
from fabletop.lab.matches import Planned, Played, played_of

CHILD = Path(__file__).with_name("other_checkout.py")
OTHER = "other:"
"""Before the names of the other checkout's bots in the results."""


class Parted(Exception):
    """The two copies of a game are no longer the same."""


class Checkout:
    """The process of the other checkout."""

    def __init__(self, python: str) -> None:
        self.process = Popen([python, "-I", str(CHILD)], stdin=PIPE, stdout=PIPE, text=True)

    def tell(self, *what: Any) -> None:
        """Send a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(what) + "\n")

    def ask(self, *what: Any) -> list[Any]:
        """Send a line, and read the one that answers it."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.tell(*what)
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise Parted
        found: list[Any] = json.loads(line)
        return found

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.communicate()


def plan(game: str, seats: int, bot: str, other: str, deals: int, seed: str) -> list[Planned]:
    """One bot of this checkout among bots of the other, every deal from every seat."""
    played = game_called(game)
    options = played.options({"seats": seats})
    one, rest = Spec.read(bot, own=True).text, OTHER + other
    return [
        Planned(
            played.id,
            options,
            f"{seed} {deal}",
            tuple(one if seat == turn else rest for seat in range(seats)),
            turn,
        )
        for deal in range(deals)
        for turn in range(seats)
    ]


def play(planned: Planned, checkout: Checkout) -> Played:
    """Play a game; `Parted` where the copies part."""
    texts = [f"{planned.seed} {planned.turned} {seat}" for seat in range(len(planned.entrants))]
    sitting = Sitting(GAMES[planned.game], planned.options, seed=planned.seed)
    others = {s: who.removeprefix(OTHER) for s, who in enumerate(planned.entrants) if who.startswith(OTHER)}
    own = {
        seat: Spec.read(who, own=True).made(Chance.from_text(texts[seat]), threads=1)
        for seat, who in enumerate(planned.entrants)
        if seat not in others
    }
    seated = {seat: [who, texts[seat]] for seat, who in others.items()}
    checkout.tell("game", planned.game, {"seats": len(planned.entrants)}, planned.seed, seated)
    choices, seconds = [0] * len(texts), [0.0] * len(texts)
    while pending := sitting.pending:
        for seat, choice in pending.items():
            action = choice.options[0]
            if len(choice.options) > 1:
                choices[seat] += 1
                if seat in own:
                    began = process_time()
                    action = own[seat].choose(sitting.view(seat), choice)
                    seconds[seat] += process_time() - began
                else:
                    action, spent = checkout.ask("ask", seat)
                    seconds[seat] += spent
            if action not in choice.options:
                raise Parted
            sitting.act(seat, action)
            checkout.tell("act", seat, action)
    played = played_of(planned, sitting, choices, seconds)
    if checkout.ask("end") != [float(points) for points in played.scores]:
        raise Parted
    return played


def games(planned: Sequence[Planned], python: str, out: Path | None) -> tuple[list[Played], int]:
    """Play what has not been played; all games of the plan, and how many of them were left out."""
    kept = ladder.read(out) if out is not None and out.exists() else []
    wanted = {game.key for game in planned}
    found = [game for game in kept if game.key in wanted]
    parted = 0
    checkout = Checkout(python)
    for game in ladder.left(planned, found):
        try:
            found.append(play(game, checkout))
        except (Parted, BrokenPipeError):
            parted += 1
            checkout.close()
            checkout = Checkout(python)
            continue
        if out is not None:
            with out.open("a", encoding="utf-8") as file:
                file.write(found[-1].line() + "\n")
    checkout.close()
    return found, parted


def main(given: Sequence[str] | None = None) -> int:
    """Play and print the standings."""
    parser = argparse.ArgumentParser(prog="bench.against", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("python", help="the Python of the other checkout's environment")
    parser.add_argument("game")
    parser.add_argument("bot", help="of this checkout")
    parser.add_argument("--other", required=True, help="the bot of the other checkout in all other seats")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--deals", type=int, default=50)
    parser.add_argument("--seed", default="against")
    parser.add_argument("--out", type=Path, help="append every game to this file")
    chosen = parser.parse_args(given)
    setattr(ismcts, "perf_counter", process_time)  # noqa: B010  # milliseconds are those of the processor
    planned = plan(chosen.game, chosen.seats, chosen.bot, chosen.other, chosen.deals, chosen.seed)
    found, parted = games(planned, chosen.python, chosen.out)
    print(ladder.markdown(ladder.standings(found)), end="")
    print(f"{len(found)} games" + (f", {parted} left out: the copies parted" if parted else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
