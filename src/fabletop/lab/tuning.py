"""Which weights of a game's knowledge play better? A hill-climb by play among themselves, for both games.

    python -m fabletop.lab.tuning equinox --seats 4 --games 400 --rounds 30
    python -m fabletop.lab.tuning equinox --try fiery_fang=-20,0,24 --games 2000

Greedy players meet. One of them has weights of which one was changed, the others have those of before; it sits in every
seat by turns, with the same deals in each. A change stays if the changed player is ahead by more than chance would
explain, in a match and then in a longer one with other deals. `--try` climbs nothing and only measures the values that
are given.

The weights are printed; to keep them, put them into WEIGHTS of `bots/<game>/knowledge.py`, and show with
`fabletop ladder` that nothing got worse. The same arguments give the same weights.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module

from fabletop.bots.greedy import Greedy
from fabletop.bots.play import run
from fabletop.core.chance import Chance
from fabletop.core.sitting import Sitting
from fabletop.games import GAMES
from fabletop.lab.matches import lead
from fabletop.lab.statistics import Estimate, mean

LONGER = 3
"""The second match that a change has to win is this many times as long as the first."""
FACTORS = (50, 70, 85, 120, 140, 200)
"""What a weight may become, in hundredths of what it was."""

Weights = Mapping[str, int]


def weights_of(game: str) -> dict[str, int]:
    """The weights that a game's knowledge has."""
    weights: dict[str, int] = dict(import_module(f"fabletop.bots.{game}.knowledge").WEIGHTS)
    return weights


def margin(game: str, seats: int, deal: str, seat: int, own: Weights, others: Weights) -> float:
    """The lead in points of a seat with its own weights over the mean of the others, in one game."""
    sitting = Sitting(GAMES[game], {"seats": seats}, seed=deal)
    bots = [
        Greedy(Chance.from_text(f"{deal} {number}"), weights=own if number == seat else others)
        for number in range(seats)
    ]
    run(sitting, bots, events=False)
    assert sitting.outcome is not None
    return lead(sitting.outcome.scores, seat)


def match(game: str, seats: int, games: int, seed: str, own: Weights, others: Weights) -> Estimate:
    """The lead of one player over the others in about N games, each deal from every seat."""
    return mean(
        [
            [margin(game, seats, f"{seed} {deal}", seat, own, others) for seat in range(seats)]
            for deal in range(max(2, games // seats))
        ]
    )


def changed(value: int, chance: Chance) -> int:
    """A changed weight; small weights change by a small step."""
    if abs(value) < 4:
        return value + chance.pick((-2, -1, 1, 2))
    return value * chance.pick(FACTORS) // 100


def climb(
    game: str,
    *,
    seats: int,
    games: int,
    rounds: int,
    seed: int,
    only: Sequence[str] = (),
    say: Callable[[str], None] = print,
) -> dict[str, int]:
    """Change weights N times and keep the better ones. Returns all weights."""
    chance = Chance(seed)
    best = weights_of(game)
    for number in range(rounds):
        key = chance.pick(only or tuple(best))
        value = changed(best[key], chance)
        if value == best[key]:
            continue
        tried = {**best, key: value}
        deals = f"tuning {seed} {number}"
        if match(game, seats, games, deals, tried, best).low <= 0:
            continue
        gain = match(game, seats, LONGER * games, f"{deals} again", tried, best)
        if gain.low > 0:
            say(f"{key} {best[key]} → {value}: {gain.text(2)} points ahead")
            best = tried
    return best


def weight_values(text: str, game: str) -> tuple[str, list[int]]:
    """`fiery_fang=-20,0` as a weight and the values to try."""
    key, _, values = text.partition("=")
    if key not in weights_of(game) or not values:
        raise argparse.ArgumentTypeError(f"{text!r} should be a weight and values, such as squeak=0,30")
    return key, [int(value) for value in values.split(",")]


def main(arguments: Sequence[str] | None = None) -> None:
    """Climb, or measure."""
    parser = argparse.ArgumentParser(description="Let weights of a game's knowledge play each other.")
    parser.add_argument("game", type=lambda text: text.replace("-", "_"), choices=sorted(GAMES))
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=(), metavar="WEIGHT")
    parser.add_argument("--try", dest="tried", metavar="WEIGHT=VALUE,…")
    given = parser.parse_args(arguments)
    if given.tried:
        key, values = weight_values(given.tried, given.game)
        base = weights_of(given.game)
        for value in values:
            gain = match(
                given.game, given.seats, given.games, f"try {given.seed}", {**base, key: value}, base
            )
            print(f"{key} {base[key]} → {value}: {gain.text(2)} points ahead", flush=True)
        return
    best = climb(
        given.game,
        seats=given.seats,
        games=given.games,
        rounds=given.rounds,
        seed=given.seed,
        only=given.only,
    )
    print({key: value for key, value in best.items() if value != weights_of(given.game)[key]} or "no change")


if __name__ == "__main__":
    main()
