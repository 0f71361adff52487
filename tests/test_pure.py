"""Which build of an engine is loaded, and the interpreted twin of a compiled one."""

from __future__ import annotations

import importlib
import importlib.machinery
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fabletop import pure
from tests.build_trial import built_mini, importable


@pytest.fixture
def mini(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    source = built_mini(tmp_path_factory)
    with importable(source):
        yield source


def test_python_prefers_the_compiled_module(mini: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FABLETOP_PURE", "0")
    pure.obey_environment("mini")
    engine = importlib.import_module("mini.engine")
    assert pure.is_compiled(engine)
    assert engine.COMPILED


def test_the_environment_turns_that_round(mini: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FABLETOP_PURE", "1")
    pure.obey_environment("mini")
    pure.obey_environment("mini")
    assert sys.meta_path.count(pure.SourceFinder("mini")) == 1
    engine = importlib.import_module("mini.engine")
    assert not pure.is_compiled(engine)
    assert Path(str(engine.__file__)) == mini / "mini" / "engine.py"
    assert not importlib.import_module("mini.playouts").State.__module__.endswith(pure.TWIN)


@pytest.mark.parametrize("wanted", ["0", "1"])
def test_import_fabletop_obeys(wanted: str) -> None:
    script = (
        "import sys, fabletop; fabletop.GAMES; from fabletop.pure import is_compiled;"
        "print(any(is_compiled(m) for n, m in sys.modules.items() if n.startswith('fabletop.')))"
    )
    environment = {**os.environ, "FABLETOP_PURE": wanted}
    told = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    package = Path(str(pure.__file__)).parent
    suffix = importlib.machinery.EXTENSION_SUFFIXES[0]
    extensions = [path for path in package.rglob("engine.*") if path.name.endswith(suffix)]
    assert told.stdout.strip() == str(wanted == "0" and bool(extensions))


def test_a_twin_agrees_with_its_compiled_module(mini: Path) -> None:
    compiled = importlib.import_module("mini.playouts")
    twin = pure.load_pure("mini.playouts")
    assert pure.is_compiled(compiled)
    assert not pure.is_compiled(twin)
    assert [twin.playouts(4, 5, seed) for seed in range(20)] == [
        compiled.playouts(4, 5, seed) for seed in range(20)
    ]


def test_a_twin_uses_twins(mini: Path) -> None:
    twin = pure.load_pure("mini.playouts")
    assert twin.State is pure.load_pure("mini.engine").State
    assert twin.State is not importlib.import_module("mini.engine").State


def test_a_twin_changes_nothing_for_others(mini: Path) -> None:
    engine = importlib.import_module("mini.engine")
    finders = sys.meta_path[:]
    twin = pure.load_pure("mini.engine")
    assert pure.load_pure("mini.engine") is twin
    assert importlib.import_module("mini.engine") is engine
    assert sys.modules["mini"].engine is engine
    assert sys.meta_path == finders


def test_a_twin_goes_by_its_own_name(mini: Path) -> None:
    twin = pure.load_pure("mini.engine")
    assert twin.__name__ == "mini.engine__pure"
    state = twin.State(3, 7)
    again = pickle.loads(pickle.dumps(state))
    assert type(again) is twin.State
    assert again.legal_actions() == state.legal_actions()


def test_a_module_that_was_never_compiled_has_a_twin_too(mini: Path) -> None:
    cards = importlib.import_module("mini.cards")
    twin = pure.load_pure("mini.cards")
    assert twin is not cards
    assert twin.CARD_VALUES == cards.CARD_VALUES


def test_a_twin_that_fails_leaves_everything_as_it_was(mini: Path, tmp_path: Path) -> None:
    engine = importlib.import_module("mini.engine")
    finders = sys.meta_path[:]
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        pure.load_pure("mini.no_such_module")
    assert sys.modules["mini.engine"] is engine
    assert sys.meta_path == finders
