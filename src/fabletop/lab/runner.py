"""Run a study: hand out chunks of a few seconds, store what comes back, resume what was interrupted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import TypeVar

from fabletop.core.errors import FabletopError
from fabletop.lab.parallel import map_on_ray, map_unordered
from fabletop.lab.results import Results
from fabletop.lab.study import Job, Study
from fabletop.lab.work import Chunk, Part, play_chunk

SECONDS = 4.0
"""How long a chunk should take."""
LEAST_SECONDS = 2.0
"""How long the last chunks of a match should take: short, so that all processes finish at about the same time."""
LAST = 8
"""A chunk is at most one of N parts of what is left, unless it would be too short."""
FIRST = 2
"""Games in a chunk before it is known how long a game of the match takes."""

Progress = Callable[[int, int], None]
Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Executor:
    """Where a study runs: on some processes of this machine, or on a Ray cluster."""

    processes: int = 1
    on: str = "local"
    address: str | None = None

    def run(self, chunks: Iterator[Chunk]) -> Iterator[Part]:
        """The parts, in the order in which they are ready."""
        if self.on == "ray":
            yield from map_on_ray(play_chunk, chunks, self.address, lambda chunk: chunk.environment)
            return
        # processes with other cards are other processes, so one set of cards comes after the other
        for environment, some in groupby(chunks, key=lambda chunk: chunk.environment):
            yield from map_unordered(play_chunk, some, self.processes, environment)

    def map(self, work: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
        """Any other work, in the order in which it is ready."""
        if self.on == "ray":
            return map_on_ray(work, items, self.address)
        return map_unordered(work, items, self.processes)


@dataclass
class ChunkSizes:
    """How many games make a chunk: by how long the games of each match took so far."""

    seconds: dict[int, float] = field(default_factory=dict)
    games: dict[int, int] = field(default_factory=dict)

    def learn(self, part: Part) -> None:
        """Take a part into account."""
        self.seconds[part.match] = self.seconds.get(part.match, 0.0) + part.seconds
        self.games[part.match] = self.games.get(part.match, 0) + len(part.indices)

    def size(self, match: int, left: int) -> int:
        """How many games of a match make a chunk, with `left` games to play."""
        if match not in self.games:
            return FIRST
        a_second = self.games[match] / max(1e-6, self.seconds[match])
        return max(1, round(min(SECONDS * a_second, max(LEAST_SECONDS * a_second, left / LAST))))


def chunks(study: Study, jobs: Sequence[Job], sizes: ChunkSizes) -> Iterator[Chunk]:
    """The jobs in chunks, match by match; the size is decided when a chunk is asked for."""
    for match, some in groupby(jobs, key=lambda job: job.match):
        left = list(some)
        while left:
            size = sizes.size(match, len(left))
            yield Chunk(tuple(left[:size]), study.matches[match].cards)
            del left[:size]


def run_study(
    study: Study, folder: Path, executor: Executor, progress: Progress, share: tuple[int, int] = (1, 1)
) -> Results:
    """Play what is missing in a folder of results. `share` is the part of this machine: (1, 3) is every third deal."""
    jobs = study.jobs()
    results = Results.of(folder, study, len(jobs))
    with results.alone():
        _play_missing(study, jobs, results, executor, progress, share)
    return results


def _play_missing(
    study: Study,
    jobs: Sequence[Job],
    results: Results,
    executor: Executor,
    progress: Progress,
    share: tuple[int, int],
) -> None:
    """Play what is missing, and put the tables together."""
    mine = [job for job in jobs if job.deal % share[1] == share[0] - 1]
    todo = results.missing(mine)
    done = len(mine) - len(todo)
    progress(done, len(mine))
    sizes = ChunkSizes()
    for part in executor.run(chunks(study, todo, sizes)):
        results.keep(part)
        sizes.learn(part)
        done += len(part.indices)
        progress(done, len(mine))
    if results.finish() < len(mine):
        raise FabletopError(
            f"some results in {results.folder} were damaged and are deleted; the same command plays them again"
        )


def parse_share(text: str) -> tuple[int, int]:
    """`2/3` as the second of three shares."""
    number, slash, count = text.partition("/")
    if not (slash and number.isdigit() and count.isdigit() and 1 <= int(number) <= int(count)):
        raise ValueError(text)
    return int(number), int(count)
