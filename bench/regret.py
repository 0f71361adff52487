"""Which bot chooses better: the same positions, and every option that one of them takes played on in the same deals.

    python -m bench.regret equinox ismcts:iterations=200 ismcts:iterations=2000 --seats 4 --out regret.jsonl

Whole games are noisy: with four seats a hundred of them separate a third of the victories from a quarter, and nothing
finer. Here the positions come from games among short searches: choices with three options and more. Each bot
answers in each of them, several times with other chance where `--times` says so. What the bots take is played to the
end of the game by the learned player in all seats, all options of a position in the same deals. What agrees costs
nothing. The judge should not think as the judged do: a search plays on by knowledge, these play-outs by the net.

Printed is what each bot gains over the first one in a choice, in shares of the victory and in points of lead, with 95 %
intervals clustered by game. `--out` keeps what was found, so that the same positions serve other bots as well.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

from fabletop.bots.greedy import knowledge_class
from fabletop.bots.ismcts import Ismcts
from fabletop.bots.specs import Spec
from fabletop.core.chance import Chance
from fabletop.core.sitting import Sitting
from fabletop.games import GAMES, game_called
from fabletop.lab.statistics import Estimate, mean

WHOLE = 65536  # a whole victory in the shares of a world
OPTIONS = 3
"""The fewest options of a choice that is worth a look."""
TRIES = 16
"""Deals that are tried to find one that fits what the others have done, as in a search."""
TO_THE_END: dict[str, dict[str, Any]] = {"fairy_school": {"span": None}}
"""What makes play-outs play to the end, where they would not."""
PER_POINT = {"equinox": 2, "fairy_school": 64}
"""As the worlds of the games count."""
DULL = ("discard", "order")
"""Kinds of choices in which there is next to nothing to find."""


@dataclass(frozen=True, slots=True)
class Position:
    """A choice of a game, and what the options that were played on are worth: share of the victory, points of lead."""

    game: str
    seats: int
    seed: str
    actions: list[list[int]]
    """Those before it: seat and action."""
    seat: int
    values: dict[int, tuple[float, float]] = field(default_factory=dict)

    def reached(self) -> Sitting:
        """The game so far."""
        sitting = Sitting(GAMES[self.game], {"seats": self.seats}, seed=self.seed)
        for seat, action in self.actions:
            sitting.act(seat, action)
        return sitting

    @property
    def word(self) -> str:
        """The start of all chance in this position."""
        return f"{self.seed} {len(self.actions)}"

    def answers(self, bot: str, times: int) -> list[int]:
        """What a bot takes, asked `times` times."""
        sitting = self.reached()
        view, choice = sitting.view(self.seat), sitting.pending[self.seat]
        bots = [
            Spec.read(bot, own=True).made(Chance.from_text(f"{self.word} {i}"), threads=1)
            for i in range(times)
        ]
        return [one.choose(view, choice) for one in bots]

    def play_on(self, wanted: Sequence[int], deals: int) -> None:
        """Find out what these options are worth."""
        world = knowledge_class(self.game, True)(
            self.reached().view(self.seat), **TO_THE_END.get(self.game, {})
        )
        chance = Chance.from_text(f"deals {self.word}")
        found = {action: [0.0, 0.0] for action in wanted}
        for _ in range(deals):
            word = chance.word()
            for _ in range(TRIES):
                if chance.below(1024) < 1024 * world.deal(word):
                    break
                word = chance.word()
            for action, sums in found.items():
                _, shares, points = world.finish(word, 0, 0.0, -1, action)
                others = (sum(points) - points[self.seat]) / (self.seats - 1)
                sums[0] += shares[self.seat] / WHOLE / deals
                sums[1] += (points[self.seat] - others) / PER_POINT[self.game] / deals
        self.values.update((action, (victory, lead)) for action, (victory, lead) in found.items())


class Source(NamedTuple):
    """Where positions come from: games among searches, and of their choices those of some kinds, `each` of a game."""

    game: str
    seats: int
    kinds: Sequence[str] = ()
    each: int = 5
    iterations: int = 50


def positions_of(source: Source, seed: str) -> list[Position]:
    """Some choices of a game that are worth a look."""
    game, seats, kinds, each, iterations = source
    sitting = Sitting(GAMES[game], {"seats": seats}, seed=seed)
    bots = [Ismcts(Chance.from_text(f"{seed} {seat}"), iterations=iterations) for seat in range(seats)]
    actions: list[list[int]] = []
    found = []
    while pending := sitting.pending:
        for seat, choice in pending.items():
            action = choice.options[0]
            if len(choice.options) > 1:
                action = bots[seat].choose(sitting.view(seat), choice)
                if len(choice.options) >= OPTIONS and (
                    choice.kind in kinds if kinds else choice.kind not in DULL
                ):
                    found.append(Position(game, seats, seed, list(actions), seat))
            sitting.act(seat, action)
            actions.append([seat, action])
    return Chance.from_text(f"which {seed}").shuffled(found)[:each]


class Kept:
    """The positions, and the file in which they are kept, if any: a line for each position, and for each value."""

    def __init__(self, file: Path | None) -> None:
        self.file = file
        self.positions: list[Position] = []
        lines = file.read_text("utf-8").splitlines() if file is not None and file.exists() else []
        for line in lines:
            data = json.loads(line)
            if "actions" in data:
                self.positions.append(Position(**data))
            else:
                self.positions[data["position"]].values[data["action"]] = (data["victory"], data["lead"])

    def note(self, **what: Any) -> None:
        """Add a line to the file."""
        if self.file is not None:
            with self.file.open("a", encoding="utf-8") as file:
                file.write(json.dumps(what) + "\n")

    def fill(self, source: Source, seed: str, count: int) -> None:
        """As many positions as are wanted."""
        number = len({position.seed for position in self.positions})
        while len(self.positions) < count:
            for position in positions_of(source, f"{seed} {number}")[: count - len(self.positions)]:
                self.positions.append(position)
                self.note(
                    game=source.game,
                    seats=source.seats,
                    seed=position.seed,
                    actions=position.actions,
                    seat=position.seat,
                )
            number += 1

    def value(self, at: int, wanted: set[int], deals: int) -> None:
        """Play on what has not been played on, if there is anything to compare."""
        position = self.positions[at]
        left = sorted(wanted - position.values.keys())
        if len(wanted) > 1 and left:
            position.play_on(left, deals)
            for action in left:
                victory, lead = position.values[action]
                self.note(position=at, action=action, victory=victory, lead=lead)


def worth(position: Position, taken: Sequence[int]) -> tuple[float, float]:
    """The mean worth of some answers; 0 where nothing had to be compared."""
    values = [position.values.get(action, (0.0, 0.0)) for action in taken]
    return sum(value[0] for value in values) / len(values), sum(value[1] for value in values) / len(values)


def by_game(positions: Sequence[Position], values: Sequence[float]) -> Estimate:
    """The mean, clustered by game."""
    clusters = defaultdict(list)
    for position, value in zip(positions, values, strict=True):
        clusters[position.seed].append(value)
    return mean(list(clusters.values()))


def main(given: Sequence[str] | None = None) -> int:
    """Ask the bots, play on, and print a row for each."""
    parser = argparse.ArgumentParser(prog="bench.regret", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("bots", nargs="+", help="the first is what the others are compared with")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--each", type=int, default=5, help="positions from a game, at most")
    parser.add_argument("--players", type=int, default=50, help="iterations of those who play these games")
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--times", type=int, default=1, help="answers of each bot in each position")
    parser.add_argument("--seed", default="regret")
    parser.add_argument("--kinds", default="", help="only these kinds of choices, with commas between them")
    parser.add_argument("--out", type=Path, help="keep what was found in this file, and go on from there")
    chosen = parser.parse_args(given)
    kept = Kept(chosen.out)
    kinds = chosen.kinds.split(",") if chosen.kinds else []
    source = Source(game_called(chosen.game).id, chosen.seats, kinds, chosen.each, chosen.players)
    kept.fill(source, chosen.seed, chosen.positions)
    positions = kept.positions[: chosen.positions]
    taken: dict[str, list[list[int]]] = {}
    milliseconds = {}
    for bot in chosen.bots:
        began = process_time()
        taken[bot] = [position.answers(bot, chosen.times) for position in positions]
        milliseconds[bot] = 1000 * (process_time() - began) / len(positions) / chosen.times
    for at in range(len(positions)):
        kept.value(at, {action for found in taken.values() for action in found[at]}, chosen.deals)
    print("| bot | victory gained by a choice | points | other choices | ms |")
    print("|---|---:|---:|---:|---:|")
    first = taken[chosen.bots[0]]
    for bot, answers in taken.items():
        gains = [
            tuple(one - two for one, two in zip(worth(position, mine), worth(position, theirs), strict=True))
            for position, mine, theirs in zip(positions, answers, first, strict=True)
        ]
        victory = by_game(positions, [gain[0] for gain in gains]).text(2, " %", 100)
        lead = by_game(positions, [gain[1] for gain in gains]).text(3)
        other = sum(
            one != two for a, b in zip(answers, first, strict=True) for one, two in zip(a, b, strict=True)
        )
        print(
            f"| `{bot}` | {victory} | {lead} | {other / chosen.times / len(positions):.0%} | {milliseconds[bot]:.1f} |"
        )
    games = len({position.seed for position in positions})
    print(f"\n{len(positions)} choices of {games} games")
    return 0


if __name__ == "__main__":
    sys.exit(main())
