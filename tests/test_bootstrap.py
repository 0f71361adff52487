"""The bootstrap: which steps it repeats, and its messages where something is missing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import bootstrap


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout of nothing but what the bootstrap reads, with every installation noted instead of done."""
    for name in ("requirements", "src/fabletop/games/equinox", ".venv/bin"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("play.lock", "dev.lock", "bench.lock", "examples.lock", "torch.in"):
        (tmp_path / "requirements" / name).write_text(name)
    for name in ("pyproject.toml", "hatch_build.py", "src/fabletop/games/equinox/engine.py"):
        (tmp_path / name).write_text("")
    (tmp_path / "src/fabletop/games/equinox/engine.pxd").write_text("")
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    monkeypatch.setattr(bootstrap, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(bootstrap, "PYTHON", tmp_path / ".venv/bin/python")
    monkeypatch.setattr(bootstrap, "LOCKS", tmp_path / "requirements")
    return tmp_path


@pytest.fixture
def taken(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The steps that a set-up takes, in order."""
    steps: list[str] = []

    def make_environment() -> None:
        steps.append("environment")
        shutil.rmtree(checkout / ".venv")
        (checkout / ".venv/bin").mkdir(parents=True)
        (checkout / ".venv/bin/python").touch()

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        if command[-1] != "--check":  # looking is no step
            steps.append(command[-1])
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(bootstrap, "make_environment", make_environment)
    monkeypatch.setattr(bootstrap, "install", lambda *what: steps.append(what[-1]))
    monkeypatch.setattr(bootstrap.subprocess, "run", run)
    return steps


FIRST = ["environment", "requirements/play.lock", "hatch_build.py", "."]


def test_everything_once(taken: list[str]) -> None:
    bootstrap.set_up("play")
    assert taken == FIRST
    bootstrap.set_up("play")
    assert taken == FIRST


def test_developing_adds_to_playing_and_serves_it_too(taken: list[str]) -> None:
    bootstrap.set_up("play")
    bootstrap.set_up("dev")
    bootstrap.set_up("play")
    assert taken == [*FIRST, "requirements/dev.lock"]


@pytest.mark.parametrize(
    ("name", "again"),
    [
        ("requirements/play.lock", ["requirements/play.lock"]),
        ("src/fabletop/games/equinox/engine.py", ["hatch_build.py"]),
        ("src/fabletop/games/equinox/engine.pxd", ["hatch_build.py"]),
        ("hatch_build.py", ["hatch_build.py"]),
        ("pyproject.toml", ["."]),
    ],
)
def test_a_change_repeats_its_step_alone(
    taken: list[str], checkout: Path, name: str, again: list[str]
) -> None:
    bootstrap.set_up("play")
    (checkout / name).write_text("# changed")
    bootstrap.set_up("play")
    assert taken == [*FIRST, *again]


def test_a_lost_extension_is_built_again(taken: list[str], checkout: Path) -> None:
    extension = checkout / "src/fabletop/games/equinox/engine.so"
    extension.touch()
    bootstrap.set_up("play")
    extension.unlink()
    bootstrap.set_up("play")
    assert taken == [*FIRST, "hatch_build.py"]


@pytest.mark.parametrize(
    ("codes", "steps"),
    [
        ([0], []),  # it is up to date
        ([1, 0], ["web/build.py"]),
        ([1, 3, 0], ["web/build.py", "requirements/node.lock", "web/build.py"]),
    ],
)
def test_the_client_is_built_with_a_node_of_its_own_where_there_is_none(
    monkeypatch: pytest.MonkeyPatch, codes: list[int], steps: list[str]
) -> None:
    taken, left = [], iter(codes)

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        if command[-1] != "--check":
            taken.append(command[-1])
        return subprocess.CompletedProcess(command, next(left))

    monkeypatch.setattr(bootstrap.subprocess, "run", run)
    monkeypatch.setattr(bootstrap, "install", lambda *what: taken.append(what[-1]))
    bootstrap.build_client()
    assert taken == steps


def test_without_npms_registry_the_set_up_goes_on_and_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = bootstrap.NO_PACKAGES
    monkeypatch.setattr(
        bootstrap.subprocess, "run", lambda command, **_: subprocess.CompletedProcess(command, code)
    )
    monkeypatch.delenv("CI", raising=False)
    bootstrap.build_client()
    assert "no browser client: npm could not get its packages" in "".join(capsys.readouterr())
    monkeypatch.setenv("CI", "true")
    with pytest.raises(bootstrap.SetupError):
        bootstrap.build_client()


def test_a_client_that_does_not_build_stops_the_set_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        bootstrap.subprocess, "run", lambda command, **_: subprocess.CompletedProcess(command, 1)
    )
    with pytest.raises(bootstrap.SetupError, match=r"web/build\.py says why"):
        bootstrap.build_client()


def test_another_python_or_another_place_starts_over(
    taken: list[str], checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bootstrap.set_up("play")
    monkeypatch.setattr(bootstrap.sys, "version", "3.99")
    bootstrap.set_up("play")
    assert taken == [*FIRST, *FIRST]


def test_an_old_python_hands_over_to_a_newer_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap.sys, "version_info", (3, 9, 2))
    monkeypatch.setattr(
        bootstrap.shutil, "which", lambda name: f"/bin/{name}" if name == "python3.12" else None
    )
    called: list[list[str]] = []
    monkeypatch.setattr(bootstrap.subprocess, "call", lambda command: called.append(command) or 0)
    assert bootstrap.use_new_python(["test"]) == 0
    assert [called[0][0], called[0][-1]] == ["/bin/python3.12", "test"]


def test_an_old_python_alone_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bootstrap.sys, "version_info", (3, 9, 2))
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: None)
    assert bootstrap.main(["play"]) == 1
    assert "needs Python 3.11 or newer" in capsys.readouterr().err


def test_no_network_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    failing = [[sys.executable, "-c", "raise SystemExit(1)"]] * 2
    monkeypatch.setattr(bootstrap, "installers", lambda: iter([(command, {}) for command in failing]))
    with pytest.raises(bootstrap.SetupError, match="needs the network"):
        bootstrap.install("textual")


def test_no_installer_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "installers", lambda: iter([]))
    with pytest.raises(bootstrap.SetupError, match="neither uv nor pip"):
        bootstrap.install("textual")


def test_the_second_installer_helps_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    note = tmp_path / "installed"
    ways = [
        [sys.executable, "-c", "raise SystemExit(1)"],
        [sys.executable, "-c", f"import pathlib; pathlib.Path({str(note)!r}).touch()"],
    ]
    monkeypatch.setattr(bootstrap, "installers", lambda: iter([(command, {}) for command in ways]))
    bootstrap.install("textual")
    assert note.exists()


def test_an_unknown_command_lists_the_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert bootstrap.main(["paly"]) == 2
    assert "there are play, test, check" in capsys.readouterr().err


def test_every_command_has_steps() -> None:
    for command in set(bootstrap.COMMANDS) - {"help", "clean"}:
        lock, steps = bootstrap.steps(command, [])
        assert lock in bootstrap.LOCK_ORDER
        assert steps


def test_check_covers_python_client_docs_and_tests() -> None:
    _, steps = bootstrap.steps("check", [])
    called = [" ".join(step[1:]) for step in steps]
    wanted = ["-m ruff format --check", "-m ruff check", "-m mypy --strict", "web/build.py --verify"]
    wanted += [f"{script} --check" for script in bootstrap.GENERATORS] + ["-m pytest"]
    assert [call.startswith(start) for call, start in zip(called, wanted, strict=True)] == [True] * len(
        wanted
    )


def test_steps_stop_at_the_first_failure_and_its_code_is_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    todo = [[sys.executable, "-c", f"raise SystemExit({code})"] for code in (0, 3, 5)]
    monkeypatch.setattr(bootstrap, "set_up", lambda lock: None)
    monkeypatch.setattr(bootstrap, "steps", lambda command, arguments: ("dev", todo))
    assert bootstrap.main(["check"]) == 3
    said = capsys.readouterr().err
    assert "set-up 0.0 s, check" in said
    assert "SystemExit(3)" in said
    assert "SystemExit(5)" not in said


def test_checks_run_beside_each_other_and_all_that_fail_are_named(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    waits = "import pathlib, time\nwhile not pathlib.Path({!r}).exists(): time.sleep(0.01)\nprint('first')"
    makes = "import pathlib; pathlib.Path({!r}).touch(); print('second'); raise SystemExit({})"
    path = str(tmp_path / "made")
    codes = [waits.format(path), makes.format(path, 3), makes.format(path, 5), "print('tests')"]
    monkeypatch.setattr(bootstrap.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(bootstrap, "set_up", lambda lock: None)
    todo = [[sys.executable, "-c", code] for code in codes]
    monkeypatch.setattr(bootstrap, "steps", lambda command, arguments: ("dev", todo))
    assert bootstrap.main(["check"]) == 3
    said = capfd.readouterr()
    assert said.out.split() == ["first", "second", "second"]
    assert "SystemExit(3)" in said.err
    assert "SystemExit(5)" in said.err


def test_clean_removes_only_what_was_made(checkout: Path) -> None:
    engine = checkout / "src/fabletop/games/equinox"
    for name in ("engine.so", "engine.so.digest", "constants.pxd"):
        (engine / name).touch()
    bootstrap.clean()
    assert not (checkout / ".venv").exists()
    assert sorted(path.name for path in engine.iterdir()) == ["engine.pxd", "engine.py"]
    assert (checkout / "requirements/play.lock").exists()


def test_the_examples_get_their_lock_and_then_torch_by_pip(
    taken: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap, "pip_command", lambda: ["pip"])
    for _ in range(2):
        bootstrap.install_examples()
    assert taken == ["requirements/examples.lock", "requirements/torch.in"]
