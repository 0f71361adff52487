"""How fast studies run, and what Ray costs: python -m bench.lab [--games N] [--years N] [--no-ray]

Plays greedy games of Equinox with four seats and years of Fairy School through the whole lab, Parquet files included,
on two processes; then one study three times: on two local processes, on a Ray cluster of two nodes with one core
each, and of one node. Prints the times and ratios, with the targets.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from fabletop.games import GAMES
from fabletop.lab.runner import Place, run_study
from fabletop.lab.study import Match, Study


def study(game: str, deals: int) -> Study:
    """Greedy bots at four seats."""
    return Study(
        "bench",
        "bench",
        (Match(game, game, ("greedy",), deals, "same", tables=(GAMES[game].options({"seats": 4}),)),),
    )


def seconds(one: Study, place: Place) -> float:
    """How long a study takes, from the first game to the last file."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        run_study(one, Path(folder) / "out", place, lambda done, total: None)
        return time.perf_counter() - began


def on_ray(one: Study, nodes: int) -> float:
    """The same on a cluster of some nodes with one core each; starting it, and its worker processes, does not count."""
    import ray
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        for _ in range(nodes - 1):
            cluster.add_node(num_cpus=1)
        cluster.wait_for_nodes()
        place = Place(1, "ray", cluster.address)
        seconds(study("equinox", 8 * nodes), place)
        return seconds(one, place)
    finally:
        ray.shutdown()
        cluster.shutdown()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=100_000, help="games of Equinox (default 100000)")
    parser.add_argument("--years", type=int, default=20_000, help="years of Fairy School (default 20000)")
    parser.add_argument(
        "--part", type=int, default=5, help="a study on Ray has one game for N of these (default 5)"
    )
    parser.add_argument("--no-ray", action="store_true", help="leave Ray out")
    given = parser.parse_args()
    for game, count in (("equinox", given.games), ("fairy_school", given.years)):
        took = seconds(study(game, count), Place(2))
        print(
            f"{game}: {count} games on two processes in {took:.1f} s, {count / took:.0f} a second (target: 120 s)",
            flush=True,
        )
    if given.no_ray:
        return
    one = study("equinox", given.games // given.part)
    local, two, single = seconds(one, Place(2)), on_ray(one, 2), on_ray(one, 1)
    print(
        f"{len(one.jobs())} games: two processes {local:.1f} s, two nodes {two:.1f} s, one node {single:.1f} s"
    )
    print(f"overhead of Ray {100 * (two / local - 1):.1f} % (target: below 10 %)")
    print(f"two nodes are {single / two:.2f} times one (target: 1.8)")


if __name__ == "__main__":
    main()
