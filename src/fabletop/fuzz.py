"""The fuzzer: thousands of random games that look for crashes, dead ends, endless games and lost cards.

Every finding is saved as a record, so that it can be replayed and turned into a test.
"""

from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from fabletop.core.chance import Chance
from fabletop.core.game import Game
from fabletop.core.laws import LONGEST, all_options
from fabletop.core.records import Record
from fabletop.core.sitting import Sitting
from fabletop.games import game_called


@dataclass(frozen=True, slots=True)
class Finding:
    """A game that went wrong: what happened, and the record that leads there."""

    what: str
    record: Record

    def save(self, folder: Path) -> Path:
        """Save the record; the file name has the game and the seed."""
        path = folder / f"{self.record.game}-{self.record.seed.replace(' ', '-')}.json"
        self.record.save(path)
        return path


@dataclass(frozen=True, slots=True)
class Run:
    """One fuzzed game: the number of actions, and the finding, if any."""

    actions: int
    finding: Finding | None


def fuzz_one(game_id: str, options: Mapping[str, Any], seed: str, longest: int = LONGEST) -> Run:
    """Play one random game, watching it."""
    game = game_called(game_id)
    sitting = Sitting(game, options, seed=seed)
    try:
        what = _watch(game, sitting, Chance.from_text(f"fuzz {seed}"), longest)
    except Exception as error:
        what = f"crash: {type(error).__name__}: {error}"
    finding = Finding(what, sitting.record(found=what)) if what else None
    return Run(len(sitting.actions), finding)


def _watch(game: Game, sitting: Sitting, chance: Chance, longest: int) -> str | None:
    counts = dict(game.counts(sitting.state))
    for _ in range(longest):
        pending = sitting.pending
        if not pending:
            return (
                None if sitting.outcome is not None else "dead end: nobody can move and there is no outcome"
            )
        seat = chance.pick(sorted(pending))
        if not pending[seat].options:
            return f"dead end: seat {seat} is asked {pending[seat].kind} and has no option"
        sitting.act(seat, chance.pick(pending[seat].options))
        now = dict(game.counts(sitting.state))
        if now != counts:
            return f"lost or made: {now} where there were {counts}"
    return f"endless: no end after {longest} actions"


def fuzz(game_id: str, games: int, seed: str, jobs: int = 1) -> Iterator[Run]:
    """Play `games` random games over all options of the game, on `jobs` processes; yields each as it ends."""
    spread = all_options(game_called(game_id))
    work = [(game_id, spread[i % len(spread)], f"{seed} {i}") for i in range(games)]
    if jobs <= 1:
        yield from (fuzz_one(*item) for item in work)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(
            fuzz_one, *zip(*work, strict=True), chunksize=max(1, min(50, games // (4 * jobs)))
        )
