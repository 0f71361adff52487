"""How fast studies run, and what Ray costs: python -m bench.lab [--games N] [--years N] [--no-ray]

Plays greedy games of Equinox with four seats and years of Fairy School through the whole lab, Parquet files included,
on two processes; then one study on two local processes, on a Ray cluster of two nodes with one core each, and of one
node, some rounds in turn. Prints the processor time of a game, which other programs on the machine hardly change, the
time that follows for two cores, the wall-clock times, and the ratios with the targets.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from fabletop.games import GAMES
from fabletop.lab.runner import Executor, run_study
from fabletop.lab.study import Match, Study


def study(game: str, deals: int) -> Study:
    """Greedy bots at four seats."""
    match = Match(game, game, ("greedy",), deals, "same", tables=(GAMES[game].options({"seats": 4}),))
    return Study("bench", "bench", (match,))


def processor() -> float:
    """The processor time of this process and of the workers that have ended."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def seconds(one: Study, executor: Executor) -> tuple[float, float]:
    """How long a study takes from the first game to the last file: by the wall clock, and in processor time."""
    with tempfile.TemporaryDirectory() as folder:
        began, used = time.perf_counter(), processor()
        run_study(one, Path(folder) / "out", executor, lambda done, total: None)
        return time.perf_counter() - began, processor() - used


@contextmanager
def cluster(nodes: int) -> Iterator[Executor]:
    """A Ray cluster of some nodes with one core each, whose worker processes have started."""
    import ray
    from ray.cluster_utils import Cluster

    some = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        for _ in range(nodes - 1):
            some.add_node(num_cpus=1)
        some.wait_for_nodes()
        executor = Executor(1, "ray", some.address)
        seconds(study("equinox", 8 * nodes), executor)
        yield executor
    finally:
        ray.shutdown()
        some.shutdown()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=100_000, help="games of Equinox (default 100000)")
    parser.add_argument("--years", type=int, default=20_000, help="years of Fairy School (default 20000)")
    parser.add_argument("--ray", type=int, default=20_000, help="games of a study on Ray (default 20000)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds with Ray (default 3)")
    parser.add_argument("--no-ray", action="store_true", help="leave Ray out")
    given = parser.parse_args()
    for game, count, target in (
        ("equinox", given.games, 100_000),
        ("fairy_school", given.years, 20_000),
    ):
        took, used = seconds(study(game, count), Executor(2))
        print(
            f"{game}: {count} games, {1000 * used / count:.2f} ms of processor time each, so {target} take "
            f"{target * used / count / 2:.0f} s of two cores (target: 120 s); here {took:.1f} s by the wall clock",
            flush=True,
        )
    if given.no_ray:
        return
    one = study("equinox", given.ray)
    times: dict[str, list[float]] = {"two processes": [], "two nodes": [], "one node": []}
    for _ in range(given.rounds):
        times["two processes"].append(seconds(one, Executor(2))[0])
        for name, nodes in (("two nodes", 2), ("one node", 1)):
            with cluster(nodes) as executor:
                times[name].append(seconds(one, executor)[0])
    local, two, single = map(median, times.values())
    print(
        f"{given.ray} games, medians of {given.rounds}: "
        + ", ".join(f"{name} {median(some):.1f} s" for name, some in times.items())
    )
    print(f"overhead of Ray {100 * (two / local - 1):.1f} % (target: below 10 %)")
    print(f"two nodes are {single / two:.2f} times one (target: 1.8)")


if __name__ == "__main__":
    main()
