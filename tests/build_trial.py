"""Builds the game in miniature for the tests of the build, once for all tests and workers."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import hatch_build

MINI = Path(__file__).with_name("mini")


def copy_of_mini(folder: Path) -> Path:
    """A directory with the package `mini` in it, sources only; an existing one is left as it is."""
    source = folder / "src"
    if not source.exists():
        shutil.copytree(
            MINI, source / "mini", ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True
        )
    return source


def built_mini(factory: pytest.TempPathFactory) -> Path:
    """A directory with `mini` compiled in it. The build's own lock makes a second worker wait for the first."""
    shared = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    source = shared / "mini"
    with hatch_build.one_at_a_time(shared / "mini-copy"):
        if not source.exists():
            copy_of_mini(shared / "fresh").rename(source)
    built = hatch_build.build(source, source=source, work=shared / "mini-work")
    if built.reason:  # in CI the build has raised instead
        pytest.skip(f"nothing to compare with: {built.reason}")
    return source


@contextmanager
def importable(source: Path) -> Iterator[None]:
    """Lets tests import `mini` from there, and leaves no trace of it."""
    sys.path.insert(0, str(source))
    finders = sys.meta_path[:]
    try:
        yield
    finally:
        sys.path.remove(str(source))
        sys.meta_path[:] = finders
        for name in [name for name in sys.modules if name.partition(".")[0] == "mini"]:
            del sys.modules[name]
