"""Interpreted or compiled: which of the two builds of an engine is loaded.

Where an extension module lies next to its source, Python loads the extension. `FABLETOP_PURE=1` in the environment
loads the source instead, for the whole process; so `import fabletop` loads this module first. `load_pure` loads the
interpreted twin of one compiled module in the same process, so that the two can be compared.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    ModuleSpec,
    SourceFileLoader,
)
from pathlib import Path
from types import FunctionType, ModuleType

TWIN = "__pure"
"""The suffix of an interpreted twin's name."""


@dataclass(frozen=True)
class SourceFinder(MetaPathFinder):
    """Finds the modules of one package by their source alone, as if there were no extension next to it."""

    package: str

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The source of `fullname`; None for modules of other packages."""
        if not fullname.startswith(self.package + "."):
            return None
        for entry in path or ():
            spec = FileFinder(entry, (SourceFileLoader, SOURCE_SUFFIXES)).find_spec(fullname)
            if spec is not None and spec.loader is not None:
                return spec
        return None


def is_pure_wanted() -> bool:
    """Does the environment ask for the interpreted engines?"""
    return os.environ.get("FABLETOP_PURE", "0") not in ("", "0")


def obey_environment(package: str = "fabletop") -> None:
    """Makes the modules of `package` load from source from now on, if FABLETOP_PURE says so."""
    finder = SourceFinder(package)
    if is_pure_wanted() and finder not in sys.meta_path:
        sys.meta_path.insert(0, finder)


def is_compiled(module: ModuleType) -> bool:
    """Was this module loaded from an extension?"""
    return isinstance(getattr(module.__spec__, "loader", None), ExtensionFileLoader)


def load_pure(name: str) -> ModuleType:
    """The interpreted twin of the module `name`, whatever `name` itself is; the same object at every call.

    The twin goes by the name with `__pure` at its end. Compiled modules that it imports are replaced by their twins
    too, so a twin never works on the arrays of a compiled state; all other modules are shared.
    """
    twin = sys.modules.get(name + TWIN)
    if twin is None:
        importlib.import_module(name)
        with compiled_modules_aside(name):
            importlib.import_module(name)
        twin = sys.modules[name + TWIN]
    return twin


@contextmanager
def compiled_modules_aside(name: str) -> Iterator[None]:
    """Inside, imports find sources. At the end the loaded modules become twins, and all others are restored."""
    package = name.partition(".")[0]
    before = set(sys.modules)
    aside = {
        other: module
        for other, module in sys.modules.items()
        if other == name or (other.startswith(package + ".") and is_compiled(module))
    }
    finder = SourceFinder(package)
    known_twins = {other: sys.modules[other + TWIN] for other in aside if other + TWIN in sys.modules}
    for other in aside:
        del sys.modules[other]
    sys.modules.update(known_twins)
    sys.meta_path.insert(0, finder)
    try:
        yield
        new = {other for other in sys.modules if other.startswith(package + ".")} - before
        for other in [*aside, *(other for other in new if has_extension(sys.modules[other]))]:
            if other in sys.modules:
                sys.modules[other + TWIN] = renamed(sys.modules.pop(other), other)
    finally:
        sys.meta_path.remove(finder)
        for other, module in aside.items():
            sys.modules[other] = module
            parent, _, leaf = other.rpartition(".")
            if parent in sys.modules:  # importing a submodule binds it in its package as well
                setattr(sys.modules[parent], leaf, module)


def has_extension(module: ModuleType) -> bool:
    """Is there a compiled module next to this source?"""
    source = Path(module.__file__ or "")
    return any(source.with_suffix(suffix).exists() for suffix in EXTENSION_SUFFIXES)


def renamed(module: ModuleType, name: str) -> ModuleType:
    """Rename a twin with its classes and functions, so that they can be pickled."""
    module.__name__ = name + TWIN
    for value in vars(module).values():
        if isinstance(value, type | FunctionType) and value.__module__ == name:
            value.__module__ = name + TWIN
    return module


obey_environment()
