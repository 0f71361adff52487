"""Build hook: compiles the engines where a C compiler is found; without one the package stays interpreted.

A module `X.py` with an `X.pxd` next to it is compiled with Cython into an extension module in the same folder.
Python prefers the extension; `FABLETOP_PURE=1` prefers the source (see `fabletop.pure`). Three steps:

1. *Constants.* For each `constants.py` next to a compiled module a `constants.pxd` is written: the module's upper-case
   integers become C constants, its upper-case flat tuples of integers become constant C arrays.
2. *Staging.* The sources are copied into a working directory. On the way, `from ….constants import A, B` loses those
   names that are C constants now, since Cython would refuse to assign to them. No other character changes.
3. *Compiling*, with a digest of all inputs next to each result: up-to-date results are kept.

The same functions serve the wheel, the editable installation, the tests and `make sanitize`. By hand:

    python hatch_build.py              compile in place what is stale
    python hatch_build.py sanitize     a copy of the package in build/sanitize with bounds and overflow checks

The browser client is built by `web/build.py`, which the hook calls; without node the package has none.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import importlib.metadata
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
SRC = ROOT / "src"

DIRECTIVES: dict[str, Any] = {
    "language_level": 3,
    "annotation_typing": False,  # `int` in the sources is for people and mypy; C types come from the .pxd
    "infer_types": True,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
}
FLAGS = (
    ()
    if sys.platform == "win32"
    else ("-O3", "-g0", "-fno-strict-aliasing", "-Wno-unused-function", "-Wno-unused-const-variable")
)
SANITIZE = (
    "-fsanitize=bounds,undefined",
    "-fno-sanitize-recover=all",
    "-static-libubsan",
    "-fno-wrapv",  # Python's own flags make overflow wrap round silently
    "-O0",  # compiling takes longer than the games that are played with it, and the reports need no symbols
    "-g0",
)

C_INT = range(-(2**31), 2**31)


# Imports a constants module without running the `__init__` of the packages it lies in: those import the engines, which
# may be the part that does not work yet. It runs in its own process, so that nothing stays loaded.
READ_CONSTANTS = """
import importlib.util, json, pathlib, sys
source, dotted = sys.argv[1:]
sys.path.insert(0, source)
parts = dotted.split(".")
for depth in range(1, len(parts)):
    name, folder = ".".join(parts[:depth]), pathlib.Path(source, *parts[:depth])
    spec = importlib.util.spec_from_file_location(
        name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    sys.modules[name] = importlib.util.module_from_spec(spec)
def fits(value):
    return type(value) is int and -2**31 <= value < 2**31
def is_constant(value):
    if type(value) is tuple:
        return len(value) > 0 and all(map(fits, value))
    return fits(value) or type(value) is int and 0 <= value < 2**64
found = vars(importlib.import_module(dotted)).items()
json.dump({n: v for n, v in found if n.isupper() and n[0] != "_" and is_constant(v)}, sys.stdout)
"""


class PureBuild(Exception):
    """Why nothing could be compiled; the interpreted engines are used instead."""


class Built(NamedTuple):
    """The result of a build: the extension modules, the new ones, and why there are none."""

    extensions: tuple[Path, ...] = ()
    fresh: tuple[Path, ...] = ()
    reason: str = ""

    def __str__(self) -> str:
        compiled = ", ".join(sorted({path.parent.name for path in self.fresh}))
        if self.reason:
            return (
                f"Fabletop: {f'compiled {compiled}; ' if compiled else ''}interpreted engines ({self.reason})"
            )
        if self.fresh:
            return f"Fabletop: compiled {compiled}"
        if self.extensions:
            return "Fabletop: the compiled engines are up to date"
        return "Fabletop: nothing to compile"


# ---------------------------------------------------------------------------------------------- constants


def constants_of(path: Path, source: Path) -> dict[str, int | tuple[int, ...]]:
    """The upper-case integers and non-empty flat integer tuples of a constants module that C can hold."""
    dotted = ".".join(path.relative_to(source).with_suffix("").parts)
    command = [sys.executable, "-c", READ_CONSTANTS, str(source), dotted]
    read = subprocess.run(command, capture_output=True, text=True, check=False)
    if read.returncode:
        raise PureBuild(f"{path.relative_to(source)} cannot be read: {read.stderr.strip()}")
    values = json.loads(read.stdout)
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}


def constants_pxd(path: Path, source: Path) -> str:
    """The text of the `constants.pxd` for a constants module."""
    prefix = "_".join(path.relative_to(source).parent.parts)  # keeps the C names of two games apart
    small: list[str] = []
    verbatim: list[str] = []
    declared: list[str] = []
    for name, value in constants_of(path, source).items():
        if isinstance(value, tuple):
            items = ", ".join(map(str, value))
            verbatim.append(f"static const int {prefix}_{name}[{len(value)}] = {{{items}}};")
            declared.append(f'const int {name} "{prefix}_{name}"[{len(value)}]')
        elif value in C_INT:
            small.append(f"{name} = {value}")
        else:
            declared.append(f'const unsigned long long {name} "{value:#x}ULL"')
    lines = [f"# Made from {path.name} by hatch_build.py: change that file, not this one."]
    if small:
        lines += ["cdef enum:", *(f"    {line}" for line in small)]
    if declared:
        lines.append("cdef extern from *:")
        if verbatim:
            lines += ['    """', *(f"    {line}" for line in verbatim), '    """']
        lines += [f"    {line}" for line in declared]
    return "\n".join(lines) + "\n"


def write_constants(source: Path) -> list[Path]:
    """Writes each `constants.pxd` that is missing or out of date, and returns the constants modules."""
    modules = sorted({module.with_name("constants.py") for module in modules_to_compile(source)})
    modules = [path for path in modules if path.exists()]
    for path in modules:
        text = constants_pxd(path, source)
        pxd = path.with_suffix(".pxd")
        if not pxd.exists() or pxd.read_text("utf-8") != text:
            replace_text(pxd, text)
    return modules


def strike_constants(text: str, known: dict[str, set[str]]) -> str:
    """The source without those imported names that the C compiler knows already, line for line as long as before.

    `known` maps the dotted name of a constants module to its C constants. Only imports at module level count.
    """
    try:
        statements = ast.parse(text).body
    except SyntaxError:
        return text  # Cython will say it better, with the line in front of it
    lines = text.splitlines()
    for node in statements:
        if not isinstance(node, ast.ImportFrom) or node.level or node.module not in known:
            continue
        kept = [a for a in node.names if a.name not in known[node.module] or a.asname not in (None, a.name)]
        if len(kept) == len(node.names):
            continue
        last = node.end_lineno or node.lineno
        lines[node.lineno - 1 : last] = [""] * (last - node.lineno + 1)
        if kept:
            names = ", ".join(a.name if a.asname is None else f"{a.name} as {a.asname}" for a in kept)
            lines[node.lineno - 1] = f"from {node.module} import {names}"
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------------------------------------- compiling


def modules_to_compile(source: Path) -> list[Path]:
    """Every module with its own `.pxd`, except constants."""
    paired = (pxd.with_suffix(".py") for pxd in source.rglob("*.pxd") if pxd.name != "constants.pxd")
    return sorted(path for path in paired if path.exists())


def is_pure_wanted() -> bool:
    """Whether the environment asks for the interpreted engines."""
    return os.environ.get("FABLETOP_PURE", "0") not in ("", "0")


def compiler_name() -> str:
    """The C compiler to use; raises `PureBuild` where there is none, or no Python headers for it."""
    if is_pure_wanted():
        raise PureBuild("FABLETOP_PURE is set")
    try:
        importlib.metadata.version("Cython")
    except importlib.metadata.PackageNotFoundError:
        raise PureBuild("Cython is not installed") from None
    if sys.platform == "win32":
        return "cl"  # setuptools finds Microsoft's compiler outside PATH, or fails, and that is caught
    configured = str(sysconfig.get_config_var("CC") or "cc").split()[0]
    wanted = os.environ.get("CC", "").split()[:1] or [configured, "cc", "gcc", "clang"]
    found = next((name for name in wanted if shutil.which(name)), None)
    if found is None:
        raise PureBuild("no C compiler found")
    if not (Path(sysconfig.get_paths()["include"]) / "Python.h").exists():
        raise PureBuild("a C compiler, but no Python.h; Debian has it in python3-dev")
    return found


def digest_of(module: Path, source: Path, flags: Sequence[str]) -> str:
    """A digest of everything that determines the result of compiling `module`."""
    sha = hashlib.sha256()
    for path in [Path(__file__), module, *sorted(declarations_of(module, source))]:
        sha.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    versions = (importlib.metadata.version("Cython"), sys.version, sysconfig.get_platform())
    sha.update(repr((versions, sorted(DIRECTIVES.items()), tuple(flags))).encode())
    return sha.hexdigest()


def declarations_of(module: Path, source: Path) -> set[Path]:
    """The `.pxd` of a module, and those that it cimports from, directly or not."""
    found: set[Path] = set()
    waiting = [module.with_suffix(".pxd")]
    while waiting:
        pxd = waiting.pop()
        if pxd in found or not pxd.exists():
            continue
        found.add(pxd)
        for name in re.findall(r"^\s*from\s+([\w.]+)\s+cimport\b", pxd.read_text("utf-8"), re.MULTILINE):
            waiting.append(source.joinpath(*name.split(".")).with_suffix(".pxd"))
    return found


def extension_path(module: Path, source: Path, target: Path) -> Path:
    """The path of the extension of `module`: next to it, or at the same place under another target."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX") or ".so"
    return (target / module.relative_to(source)).with_suffix(suffix)


def digest_path(made: Path) -> Path:
    """The file next to an extension or its C that holds the digest of its inputs."""
    return made.with_name(made.name + ".digest")


def is_current(made: Path, digest: str) -> bool:
    """Is it there, and made from these sources?"""
    note = digest_path(made)
    return made.exists() and note.exists() and note.read_text("utf-8") == digest


def build(
    target: Path = SRC,
    extra_flags: Sequence[str] = (),
    *,
    source: Path = SRC,
    work: Path = ROOT / "build" / "c",
) -> Built:
    """Compiles what is stale among the modules under `source` into `target`, and says what was done.

    A `target` other than the source tree becomes a package tree of its own: put it first on `sys.path`. C files stay in
    `work` for inspection. Without a compiler no stale extension is left behind,
    so that Python takes the sources; where the environment says CI=true, that is an error instead.
    """
    target, source, work = target.resolve(), source.resolve(), work.resolve()
    flags = (*FLAGS, *extra_flags)
    stale = modules = modules_to_compile(source)
    places = {module: extension_path(module, source, target) for module in modules}
    made: dict[Path, Path] = {}
    reason = ""
    with one_at_a_time(work):
        if target != source:
            copy_package(source, target)
        try:
            if modules:
                compiler = compiler_name()
                write_constants(source)
                wanted = {module: digest_of(module, source, flags) for module in modules}
                stale = [module for module in modules if not is_current(places[module], wanted[module])]
                made, reason = compile_what_can_be(stale, source, work, flags, compiler)
        except PureBuild as why:
            reason = str(why)
        asked_for = is_pure_wanted()
        if reason and os.environ.get("CI") == "true" and not asked_for:
            raise PureBuild(reason)
        for module in stale:
            if module in made:
                replace_file(made[module], places[module])
                replace_text(digest_path(places[module]), wanted[module])
            elif not asked_for:  # an extension that does not follow its source must not be what Python loads
                places[module].unlink(missing_ok=True)
                digest_path(places[module]).unlink(missing_ok=True)
    there = () if asked_for else tuple(path for path in places.values() if path.exists())
    return Built(there, tuple(places[module] for module in made), reason)


def compile_what_can_be(
    modules: Sequence[Path], source: Path, work: Path, flags: Sequence[str], compiler: str
) -> tuple[dict[Path, Path], str]:
    """All modules together if that works, else one by one; what was made, and why something was not."""
    try:
        return (compile_modules(modules, source, work, flags, compiler) if modules else {}), ""
    except PureBuild as why:
        if len(modules) == 1:
            return {}, str(why)
    made: dict[Path, Path] = {}
    reasons: list[str] = []
    for module in modules:
        one, reason = compile_what_can_be([module], source, work, flags, compiler)
        made |= one
        reasons += [f"{module.parent.name}: {reason}"] if reason else []
    return made, "; ".join(reasons)


def compile_modules(
    modules: Sequence[Path], source: Path, work: Path, flags: Sequence[str], compiler: str
) -> dict[Path, Path]:
    """Compiles the modules in the working directory; raises `PureBuild` with the compiler's words already printed."""
    from Cython.Compiler.Errors import CompileError
    from setuptools import Distribution, Extension
    from setuptools.errors import BaseError

    stage(source, work)
    names = {module: ".".join(module.relative_to(source).with_suffix("").parts) for module in modules}
    with inside(work), environment(None if sys.platform == "win32" else compiler):
        try:
            translate(names, source, work)
            extensions = [
                Extension(
                    name,
                    [str(module.relative_to(source).with_suffix(".c"))],
                    extra_compile_args=list(flags),
                    extra_link_args=[flag for flag in flags if "sanitize" in flag or "ubsan" in flag],
                )
                for module, name in names.items()
            ]
            command = Distribution({"ext_modules": extensions}).get_command_obj("build_ext")
            command.build_lib = str(work / "lib")
            command.build_temp = str(work / "objects")
            command.parallel = os.cpu_count() or 1
            command.force = True
            command.ensure_finalized()
            command.run()
        except CompileError as error:
            raise PureBuild(f"Cython refused the source: {error}") from error
        except (BaseError, OSError) as error:
            raise PureBuild(f"{compiler} failed: {error}") from error
        return {module: Path(command.get_ext_fullpath(names[module])).resolve() for module in modules}


def translate(names: Mapping[Path, str], source: Path, work: Path) -> None:
    """Writes the C of the modules where it is stale: it is the same whatever the flags."""
    from Cython.Build import cythonize
    from setuptools import Extension

    places = {module: (work / module.relative_to(source)).with_suffix(".c") for module in names}
    wanted = {module: digest_of(module, source, ()) for module in names}
    stale = [module for module in names if not is_current(places[module], wanted[module])]
    extensions = [Extension(names[module], [str(module.relative_to(source))]) for module in stale]
    cythonize(extensions, compiler_directives=DIRECTIVES, quiet=True, force=True)
    for module in stale:
        replace_text(digest_path(places[module]), wanted[module])


def stage(source: Path, work: Path) -> None:
    """Copies the sources into the working directory, C constants struck from the imports of compiled modules."""
    constants = {path: path.relative_to(source).with_suffix("") for path in write_constants(source)}
    known = {".".join(dotted.parts): set(constants_of(path, source)) for path, dotted in constants.items()}
    compiled = set(modules_to_compile(source))
    for path in sorted(source.rglob("*.p*")):
        if path.suffix not in (".py", ".pxd"):
            continue
        text = path.read_text("utf-8")
        copy = work / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(strike_constants(text, known) if path in compiled else text, "utf-8")


def copy_package(source: Path, target: Path) -> None:
    """Mirrors the packages under `source`, without anything compiled."""
    left_out = shutil.ignore_patterns("*.so", "*.pyd", "*.digest", "__pycache__", "*.egg-info")
    shutil.copytree(source, target, dirs_exist_ok=True, ignore=left_out)


# ---------------------------------------------------------------------------------------------- files


def replace_text(path: Path, text: str) -> None:
    """Writes a file in one step, so that a reader sees the old text or the new, never half."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    fresh.write_text(text, "utf-8")
    fresh.replace(path)


def replace_file(made: Path, place: Path) -> None:
    """Puts a built file in its place in one step; a running process keeps the one it has loaded."""
    place.parent.mkdir(parents=True, exist_ok=True)
    fresh = place.with_name(f"{place.name}.{os.getpid()}")
    shutil.copy2(made, fresh)
    fresh.replace(place)


@contextlib.contextmanager
def one_at_a_time(work: Path) -> Iterator[None]:
    """Lets two builds in one working directory follow each other instead of mixing."""
    work.mkdir(parents=True, exist_ok=True)
    with (work / "lock").open("w") as lock:
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def inside(directory: Path) -> Iterator[None]:
    """Works in a directory for a while: setuptools takes relative paths from there."""
    with contextlib.chdir(directory):
        yield


@contextlib.contextmanager
def environment(compiler: str | None) -> Iterator[None]:
    """Names the compiler to setuptools, which else takes the one Python itself was built with."""
    before = os.environ.get("CC")
    if compiler is not None and before is None:
        os.environ["CC"] = compiler
    try:
        yield
    finally:
        if compiler is not None and before is None:
            del os.environ["CC"]


# ---------------------------------------------------------------------------------------------- the browser client


def client_builder() -> Any:
    """The module `web/build.py`, or None in a source tree without the client."""
    path = ROOT / "web" / "build.py"
    if not path.exists():
        return None
    spec = importlib.util.spec_from_file_location("fabletop_web_build", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its NamedTuple looks its own module up
    spec.loader.exec_module(module)
    return module


def build_client() -> str:
    """Builds the browser client where it is stale. Without node or npm's packages the package has none, and says so; in
    CI that is an error."""
    client = client_builder()
    if client is None:
        return "no sources of the browser client"
    try:
        return str(client.build())
    except client.CannotBuild as why:
        if os.environ.get("CI") == "true":
            raise
        return f"no browser client in this package, the rest is there: {why}"


# ---------------------------------------------------------------------------------------------- hatchling


class CompileHook(BuildHookInterface):
    """What hatchling calls for a wheel, and for the editable installation, which is a wheel too."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """A node for the browser client, where it has to be built and there is none."""
        client = client_builder()
        return [] if client is None else list(client.wanted_dependencies())

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        client = build_client()
        show = self.app.display_warning if client.startswith("no ") else self.app.display_info
        show(f"Fabletop: {client}")
        built = build()
        self.app.display_info(str(built))
        if built.extensions:
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
            if version != "editable":
                inside_wheel = {str(path): str(path.relative_to(SRC)) for path in built.extensions}
                build_data["force_include"].update(inside_wheel)


if __name__ == "__main__":
    if sys.argv[1:] == ["sanitize"]:
        print(build(ROOT / "build" / "sanitize", SANITIZE))
    elif sys.argv[1:]:
        sys.exit("usage: hatch_build.py [sanitize]")
    else:
        print(build())
