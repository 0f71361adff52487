"""Studies on a real Ray cluster of several nodes on this machine: the same bytes, a lost node, a killed driver."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fabletop.cli import main
from fabletop.core.errors import FabletopError
from fabletop.games.fairy_school.cards import own_card_text
from fabletop.lab.parallel import connect, map_on_ray
from fabletop.lab.results import Results
from fabletop.lab.runner import Executor, run_study
from fabletop.lab.study import read_study

STUDY = """
seed = "ray"
[[match]]
name = "levels"
game = "equinox"
bots = ["greedy", "uniform"]
pairing = "matrix"
deals = 30
seats = [3, 4]
decisions = true
"""
TABLES = ("games", "facts", "decisions")


def quiet(done, total):
    """No progress bar."""


def files(folder: Path) -> list[bytes]:
    return [(folder / f"{name}.parquet").read_bytes() for name in TABLES]


@pytest.fixture(scope="module")
def cluster():
    # not importorskip: Ray is in the lock of developers, so that this is tested everywhere
    os.environ.setdefault("RAY_raylet_start_wait_time_s", "120")  # seconds; a busy machine needs more than 30
    import ray
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    yield made
    ray.shutdown()
    made.shutdown()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The study on one process of this machine."""
    folder = tmp_path_factory.mktemp("ray")
    (folder / "study.toml").write_text(STUDY)
    study = read_study(folder / "study.toml")
    run_study(study, folder / "whole", Executor(1), quiet)
    return study, folder


def test_a_cluster_gives_the_same_bytes_and_a_lost_node_costs_nothing(cluster, whole, tmp_path):
    study, folder = whole
    node = cluster.add_node(num_cpus=2)
    cluster.wait_for_nodes()
    run_study(study, folder / "cluster", Executor(1, "ray", cluster.address), quiet)
    assert files(folder / "cluster") == files(folder / "whole")

    def slow(item):
        """Notes where it was begun, and ends when a node is lost that is not its own."""
        import ray

        number, folder = item
        here = ray.get_runtime_context().get_node_id()
        (Path(folder) / here).mkdir(exist_ok=True)
        (Path(folder) / here / str(number)).write_text("")
        while number and not [path for path in Path(folder).glob("lost-*") if path.name != f"lost-{here}"]:
            time.sleep(0.05)
        return number

    begun = tmp_path / node.node_id
    found = []
    for number in map_on_ray(slow, [(n, str(tmp_path)) for n in range(8)], cluster.address):
        found.append(number)
        if number == 0:  # all others wait
            deadline = time.monotonic() + 60
            while not (waiting := [path.name for path in begun.glob("*") if path.name != "0"]):
                assert time.monotonic() < deadline, "the node was never given anything"
                time.sleep(0.05)
            cluster.remove_node(node, allow_graceful=False)
            (tmp_path / f"lost-{node.node_id}").write_text("")
    assert sorted(found) == list(range(8))
    for name in waiting:
        assert len(list(tmp_path.glob(f"*/{name}"))) == 2, "what the node had begun was begun again elsewhere"


def test_other_cards_travel_with_the_work(cluster, tmp_path):
    text = own_card_text()
    (tmp_path / "cards.txt").write_text(text.replace("5E 4V 4F 4W 1A    3E or", "4E 4V 4F 4W 1A    3E or"))
    (tmp_path / "cards.toml").write_text(
        '[[match]]\ngame = "fairy-school"\ncards = "cards.txt"\nseats = 2\noptions = { length = "short" }\ndeals = 1\n'
    )
    study = read_study(tmp_path / "cards.toml")
    run_study(study, tmp_path / "here", Executor(1), quiet)
    run_study(study, tmp_path / "there", Executor(1, "ray", cluster.address), quiet)
    assert (tmp_path / "here" / "games.parquet").read_bytes() == (
        tmp_path / "there" / "games.parquet"
    ).read_bytes()


def test_a_killed_driver_resumes(cluster, whole):
    study, folder = whole
    command = [sys.executable, "-m", "fabletop", "lab", "run", "study.toml", "--out", "killed", "--on", "ray"]
    with subprocess.Popen(
        [*command, "--address", cluster.address],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as driver:
        deadline = time.monotonic() + 90
        while not list((folder / "killed").glob("parts/*.games.parquet")) and time.monotonic() < deadline:
            time.sleep(0.01)
            assert driver.poll() is None or (folder / "killed" / "games.parquet").exists()
        driver.kill()
    seen = []
    run_study(
        study,
        folder / "killed",
        Executor(1, "ray", cluster.address),
        lambda done, total: seen.append((done, total)),
    )
    assert seen[0][0] > 0
    assert files(folder / "killed") == files(folder / "whole")
    assert len(Results.open(folder / "killed").table("games")) == len(study.jobs())


def test_a_mistake_in_the_work_is_told_as_it_is(cluster):
    def wrong(item):
        raise FabletopError("there is no such thing")

    with pytest.raises(FabletopError, match="no such thing"):
        list(map_on_ray(wrong, [1], cluster.address))


def test_a_cluster_that_cannot_be_reached_is_told_in_words(tmp_path, capsys, monkeypatch):
    import ray

    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(FabletopError, match=rf"no Ray cluster at 127\.0\.0\.1:{port} .*ray start --head"):
        connect(f"127.0.0.1:{port}")
    with pytest.raises(FabletopError, match="it should be HOST:PORT"):
        connect("somewhere")
    (tmp_path / "study.toml").write_text(STUDY)
    code = main(
        [
            "lab",
            "run",
            str(tmp_path / "study.toml"),
            "--out",
            str(tmp_path / "out"),
            "--on=ray",
            f"--address=127.0.0.1:{port}",
        ]
    )
    assert code == 1
    assert "no Ray cluster" in capsys.readouterr().err


def test_without_ray_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(FabletopError, match=r"fabletop\[ray\]"):
        connect(None)
