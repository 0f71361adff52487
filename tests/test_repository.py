"""The repository: no local paths, one version, listed commands, complete locks."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

import bootstrap
import fabletop
from tests.conftest import skip_lines
from tests.server.services import PACKAGES

ROOT = Path(__file__).resolve().parent.parent
LOCKS = sorted((ROOT / "requirements").glob("*.lock"))

MACHINE_PATHS = re.compile(r"(?<![\w.~<])/(?:root|work|tmp|home|Users)/\w")
HOSTS = re.compile(r"https?://|index-url|find-links|pythonhosted")


BUILT = {".so", ".pyd", ".digest", ".pyc"}


def is_built(path: Path) -> bool:
    """Whether the build makes this file; such files are not tracked."""
    return path.suffix in BUILT or path.name == "constants.pxd"


def tracked_files() -> list[Path]:
    """What git would hold; outside a clone, every file that is not built."""
    if shutil.which("git") and (ROOT / ".git").exists():
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        return [ROOT / name for name in told.stdout.split("\0") if name and (ROOT / name).is_file()]
    folders = [ROOT / name for name in (".ci", "bench", "docs", "requirements", "src", "tests", "web")]
    files = [*ROOT.glob("*"), *(path for folder in folders for path in folder.rglob("*"))]
    return sorted(path for path in files if path.is_file() and not is_built(path))


def text_of(path: Path) -> str:
    """The file as text; pictures and the like are read as best they can be."""
    return path.read_text("utf-8", errors="replace")


def machine_paths(text: str) -> list[str]:
    """Paths that exist on somebody's machine only."""
    return MACHINE_PATHS.findall(text)


def test_no_file_names_a_path_of_one_machine() -> None:
    found = {str(path.relative_to(ROOT)): machine_paths(text_of(path)) for path in tracked_files()}
    assert {name: paths for name, paths in found.items() if paths} == {}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("see /" + "tmp/x", 1),
        ("'/" + "root/a' and /" + "work/b", 2),
        ("src/" + "work/x", 0),
        ("frame/" + "work", 0),
    ],
)
def test_a_path_of_a_machine_is_found(text: str, count: int) -> None:
    assert len(machine_paths(text)) == count


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_locks_name_no_host_and_pin_with_hashes(lock: Path) -> None:
    text = text_of(lock)
    assert not HOSTS.search(text)
    entries = re.split(r"\n(?=[\w])", "\n" + text.lstrip("\n"))
    pinned = [entry for entry in entries if re.match(r"\n?[\w.\-\[\]]+==", entry)]
    assert pinned
    assert all("--hash=sha256:" in entry for entry in pinned)
    loose = [line for line in text.splitlines() if re.match(r"[\w]", line) and "==" not in line.split(";")[0]]
    assert loose == []


def test_each_lock_has_its_source_and_contains_the_one_before() -> None:
    pins = {}
    for name in (*bootstrap.LOCK_ORDER, "examples", "installer", "node"):
        assert (ROOT / "requirements" / f"{name}.in").exists()
        lock = text_of(ROOT / "requirements" / f"{name}.lock")
        pins[name] = set(re.findall(r"^([\w.\-]+==\S+)", lock, re.MULTILINE))
    assert pins["play"] <= pins["dev"] <= pins["bench"]
    assert {path.stem for path in LOCKS} == set(pins)
    versions = {name: {pin.partition("==")[0] for pin in found} for name, found in pins.items()}
    shared = versions["examples"] & versions["dev"]
    assert {pin for pin in pins["examples"] if pin.partition("==")[0] in shared} <= pins["dev"]
    assert not any(name.startswith(("torch=", "nvidia", "cuda", "triton")) for name in pins["examples"])


def test_the_locks_cover_what_the_project_asks_for() -> None:
    project = tomllib.loads(text_of(ROOT / "pyproject.toml"))
    asked = {
        "play": project["project"]["dependencies"] + project["build-system"]["requires"],
        "dev": [
            requirement
            for extra in ("envs", "lab", "mcp", "openspiel", "ray")
            for requirement in project["project"]["optional-dependencies"][extra]
        ],
        "bench": project["dependency-groups"]["bench"],
    }
    for name, requirements in asked.items():
        sources = text_of(ROOT / "requirements" / f"{name}.in").splitlines()
        assert [requirement for requirement in requirements if requirement not in sources] == []


def test_the_version_stands_in_one_place() -> None:
    project = tomllib.loads(text_of(ROOT / "pyproject.toml"))
    assert "version" not in project["project"]
    assert project["tool"]["hatch"]["version"]["path"] == "src/fabletop/__init__.py"
    pattern = re.compile(
        r"^\s*(?:__version__|version)\s*=\s*[\"']" + re.escape(fabletop.__version__), re.MULTILINE
    )
    places = [str(path.relative_to(ROOT)) for path in tracked_files() if pattern.search(text_of(path))]
    assert places == ["src/fabletop/__init__.py"]


def test_the_changelog_has_a_place_for_what_comes() -> None:
    text = text_of(ROOT / "CHANGELOG.md")
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert headings[0] == "[Unreleased]"
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", heading) for heading in headings[1:])


def make_targets() -> set[str]:
    """The targets of the Makefile that are commands."""
    (phony,) = re.findall(r"^\.PHONY: (.*)$", text_of(ROOT / "Makefile"), re.MULTILINE)
    return set(phony.split())


def test_every_target_is_in_the_help() -> None:
    told = subprocess.run(
        [sys.executable, "bootstrap.py", "help"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    listed = set(re.findall(r"^  (\w+)  ", told.stdout, re.MULTILINE))
    assert listed == make_targets() == set(bootstrap.COMMANDS)


def test_every_target_is_in_the_readme() -> None:
    assert (
        set(re.findall(r"^\| `make (\w+)` \|", text_of(ROOT / "README.md"), re.MULTILINE)) == make_targets()
    )


def test_ci_runs_every_check() -> None:
    script = ROOT / ".ci" / "run"
    assert script.stat().st_mode & 0o111
    lines = text_of(script).splitlines()
    assert lines[0] == "#!/usr/bin/env bash"
    assert "set -euo pipefail" in lines
    assert [line for line in lines if "make " in line and line[0] != "#" and "command" not in line] == [
        "make examples",
        'if ! make check ARGS="--ignore=tests/test_examples.py"; then',
        '    make test ARGS="--verbose --last-failed --last-failed-no-failures none -n 0"',
    ]


def test_what_is_built_is_not_tracked() -> None:
    assert [path.name for path in tracked_files() if is_built(path)] == []


def test_what_is_built_is_ignored() -> None:
    ignored = text_of(ROOT / ".gitignore").splitlines()
    assert {"*.so", "*.pyd", "*.digest", "/src/fabletop/**/constants.pxd", "/.venv/", "/build/"} <= set(
        ignored
    )


def test_skips_are_told_once_for_each_reason_and_name_the_right_package():
    where = ("tests/a.py", 1, "Skipped: runuser is not installed")
    other = ("tests/b.py", 2, "Skipped: no IPv6")
    reports = [SimpleNamespace(longrepr=one) for one in (other, where, where, "a traceback")]
    assert list(skip_lines(reports)) == ["SKIPPED [2] runuser is not installed", "SKIPPED [1] no IPv6"]
    used = set(re.findall(r'found\("([a-z-]+)"\)', (ROOT / "tests/server/services.py").read_text("utf-8")))
    assert used <= set(PACKAGES)
    assert PACKAGES["runuser"] == "util-linux"


@pytest.mark.parametrize("package", ["tests", "bench", "examples"])
def test_no_installed_package_hides_ours(package: str, tmp_path: Path) -> None:
    """Some libraries install a top-level package called `tests`; a regular one anywhere on the path would win over a
    folder without `__init__.py`."""
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").write_text("")
    code = f"import sys; sys.path.append({str(tmp_path)!r}); import {package}; print({package}.__path__[0])"
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert Path(told.stdout.strip()) == ROOT / package
