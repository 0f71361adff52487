"""Sets Fabletop up in .venv and runs a command there: python3 bootstrap.py play | test | check | …

Standard library only, so that a bare machine with Python 3.11 is enough. It makes the environment without pip, gets uv
(from PATH, else with this Python's pip), installs a lock with hashes, installs the project in place and compiles the
engines where a C compiler is found. Every step leaves a digest of what it was made from: what is up to date is not
done again, and a second start costs a few hundredths of a second; asking uv whether a lock is installed would take
0.12 s. No step ever touches the system's own Python.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
LOCKS = ROOT / "requirements"

OLDEST = (3, 11)
NEWER = ("python3.14", "python3.13", "python3.12", "python3.11")

# Each lock contains the ones before it: an environment made from the last needs none of the others.
LOCK_ORDER = ("play", "dev", "bench")
# What is made from the program: pages of docs/, and the types and numbers that the browser client uses.
GENERATORS = ("docs/generate.py", "web/wire_types.py", "web/game_facts.py")
NO_NODE = 3  # what web/build.py says where there is nothing to build with
NO_PACKAGES = 4  # and where npm cannot get the packages

COMMANDS = {
    "play": "set up, then open the table in the browser",
    "test": "set up, then run every test",
    "check": "format, lint and strict types of Python and client, docs, then every test",
    "docs": "bring generated pages and the client's generated types up to date",
    "bench": "install the libraries to compare with, then measure",
    "examples": "install the learning libraries, then run the tests of examples/",
    "fuzz": "look for faults with random games",
    "torture": "try to lose moves: kills, network cuts, power cuts, disk errors (ARGS='--minutes 30')",
    "screenshots": "pictures of the browser table, in build/screenshots",
    "sanitize": "the engines with bounds and overflow checks, and the tests that drive them",
    "clean": "remove everything that was built or installed",
    "help": "this list",
}


class SetupError(Exception):
    """A problem that the user has to fix; the message says what and how."""


# ---------------------------------------------------------------------------------------------- Python


def use_new_python(arguments: Sequence[str]) -> int | None:
    """Starts over with a newer Python where this one is too old; None if this one will do."""
    if sys.version_info >= OLDEST:
        return None
    for name in NEWER:
        newer = shutil.which(name)
        if newer:
            return subprocess.call([newer, str(Path(__file__).resolve()), *arguments])
    raise SetupError(
        f"Fabletop needs Python {OLDEST[0]}.{OLDEST[1]} or newer; this is {sys.version.split()[0]}, and no newer "
        f"one is on PATH. Install one, then say: python3.11 bootstrap.py {' '.join(arguments)}"
    )


def make_environment() -> None:
    """Makes .venv without pip, which is fast and works where ensurepip is missing, as on Debian."""
    import venv

    say(f"making .venv with Python {sys.version.split()[0]}")
    try:
        venv.EnvBuilder(with_pip=False, clear=True, symlinks=os.name != "nt").create(VENV)
    except OSError as error:
        raise SetupError(f"cannot make {VENV}: {error}") from error


# ---------------------------------------------------------------------------------------------- installing


def install(*what: str) -> None:
    """Installs into .venv with the first installer that manages it."""
    tried = []
    for command, environment in installers():
        done = subprocess.run([*command, *what], env={**os.environ, **environment}, cwd=ROOT, check=False)
        if done.returncode == 0:
            return
        tried.append("uv" if Path(command[0]).stem == "uv" else "pip")
    if not tried:
        raise SetupError(
            "neither uv nor pip is here. Install one of them (on Debian: apt install python3-pip, or python3-venv), "
            "then try again."
        )
    raise SetupError(
        f"cannot install {' '.join(what)} with {' or '.join(dict.fromkeys(tried))}; what they said is above. "
        "The first start needs the network and the Python package index: check the connection, proxy and "
        "certificates, then try again."
    )


def installers() -> Iterator[tuple[list[str], Mapping[str, str]]]:
    """The ways to install into .venv, best first: uv, uv with the system's certificates, pip."""
    uv = uv_path()
    if uv:
        command = [uv, "pip", "install", "--quiet", "--python", str(PYTHON)]
        yield command, {}
        yield command, {"UV_SYSTEM_CERTS": "1", "UV_NATIVE_TLS": "1"}
    pip = pip_command()
    if pip:
        yield [*pip, "install", "--quiet", "--disable-pip-version-check"], {}


def uv_path() -> str | None:
    """uv from PATH or .venv; else it is put into .venv with pip; None where that fails."""
    found = shutil.which("uv") or shutil.which("uv", path=str(BIN))
    pip = None if found else pip_command()
    if pip:
        say("getting uv")
        quiet = ["install", "--quiet", "--disable-pip-version-check", "--require-hashes"]
        subprocess.run([*pip, *quiet, "-r", str(LOCKS / "installer.lock")], check=False)
        found = shutil.which("uv", path=str(BIN))
    return found


def pip_command() -> list[str] | None:
    """A pip that installs into .venv: this Python's own, else one that ensurepip puts there; None where neither is."""
    own = [sys.executable, "-m", "pip", "--python", str(PYTHON)]
    inside = [str(PYTHON), "-m", "pip"]
    for command in (own, inside):
        if subprocess.run([*command, "--version"], capture_output=True, check=False).returncode == 0:
            return command
    made = subprocess.run([str(PYTHON), "-m", "ensurepip"], capture_output=True, check=False)
    return inside if made.returncode == 0 else None


# ---------------------------------------------------------------------------------------------- steps


def digest(paths: Sequence[Path], *also: object) -> str:
    """A digest of some files and other values."""
    sha = hashlib.sha256(repr((sys.version, str(ROOT), also)).encode())
    for path in paths:
        sha.update(path.read_bytes() + b"\0")
    return sha.hexdigest()


def is_done(step: str, wanted: str) -> bool:
    """Was a step taken with these inputs?"""
    note = VENV / f"fabletop-{step}"
    return note.exists() and note.read_text("utf-8") == wanted


def done(step: str, wanted: str) -> None:
    """Notes that a step was taken."""
    (VENV / f"fabletop-{step}").write_text(wanted, "utf-8")


def set_up(lock: str) -> None:
    """Install what a command with this lock needs and what is not there yet."""
    environment = digest([])
    if not PYTHON.exists() or not is_done("environment", environment):
        make_environment()
        done("environment", environment)

    enough = LOCK_ORDER[LOCK_ORDER.index(lock) :]
    digests = {name: digest([LOCKS / f"{name}.lock"]) for name in enough}
    if not any(is_done(name, wanted) for name, wanted in digests.items()):
        say(f"installing what requirements/{lock}.lock lists")
        install("--require-hashes", "-r", f"requirements/{lock}.lock")
        done(lock, digests[lock])

    if not is_done("engines", engines_digest()):
        if subprocess.run([str(PYTHON), "hatch_build.py"], cwd=ROOT, check=False).returncode:
            raise SetupError("the engines did not build; what went wrong is above")
        done("engines", engines_digest())

    build_client()

    project = digest([ROOT / "pyproject.toml"])
    if not is_done("project", project):
        say("installing fabletop in place")
        install("--no-build-isolation", "--no-deps", "-e", ".")
        done("project", project)


def install_examples() -> None:
    """Install the learning libraries: a lock, then torch by pip, which may be given a build without CUDA."""
    wanted = digest([LOCKS / "examples.lock", LOCKS / "torch.in"])
    if is_done("examples", wanted):
        return
    say("installing what requirements/examples.lock lists, and torch")
    install("--require-hashes", "--no-deps", "-r", "requirements/examples.lock")
    pip, torch = pip_command(), ("-r", "requirements/torch.in")
    quiet = ["install", "--quiet", "--disable-pip-version-check"]
    if not pip or subprocess.run([*pip, *quiet, *torch], cwd=ROOT, check=False).returncode:
        install(*torch)
    done("examples", wanted)


def build_client() -> None:
    """Build the browser client, with a Node from PyPI where this machine has none that is new enough."""
    build = [str(PYTHON), "web/build.py"]
    if subprocess.run([*build, "--check"], cwd=ROOT, capture_output=True, check=False).returncode == 0:
        return
    say("building the browser client")
    code = subprocess.run(build, cwd=ROOT, capture_output=True, check=False).returncode
    if code == NO_NODE:
        say("getting node, since there is none that is new enough")
        install("--require-hashes", "-r", "requirements/node.lock")
        code = subprocess.run(build, cwd=ROOT, check=False).returncode
    if code == NO_PACKAGES and os.environ.get("CI") != "true":
        say(
            "no browser client: npm could not get its packages, such as without a connection to its registry."
        )
        say("The terminal, the bots and the server's API work; later: python web/build.py")
    elif code:
        raise SetupError("the browser client did not build: python web/build.py says why")


def engines_digest() -> str:
    """A digest of the sources, the compiler and the compiled engines."""
    source = ROOT / "src"
    declared = {path for path in source.rglob("*.pxd") if path.name != "constants.pxd"}
    sources = {path for pxd in declared for path in pxd.parent.glob("*.py")}
    compiled = sorted(str(path) for pattern in ("*.so", "*.pyd") for path in source.rglob(pattern))
    tools = (shutil.which("cc"), shutil.which("gcc"), os.environ.get("CC"), os.environ.get("FABLETOP_PURE"))
    return digest([ROOT / "hatch_build.py", *sorted(declared | sources)], compiled, tools)


# ---------------------------------------------------------------------------------------------- commands


def steps(command: str, arguments: Sequence[str]) -> tuple[str, list[list[str]]]:
    """The lock that a command needs, and what is run one after the other until something fails."""
    python, fabletop = str(PYTHON), str(BIN / "fabletop")
    # Three processes on two cores: tests of the server and of the browser wait for half of their time. Each process
    # starts with a third of the tests, so that the tests of a module share a set-up.
    test = [python, "-m", "pytest", "-n", "3", "--dist", "worksteal"]
    return {
        "play": ("play", [[fabletop, "serve", "--open", *arguments]]),
        "test": ("dev", [[*test, *arguments]]),
        "check": (
            "dev",
            [
                [python, "-m", "ruff", "format", "--check", "--quiet", "."],
                [python, "-m", "ruff", "check", "--quiet", "."],
                [python, "-m", "mypy", "--strict", "src"],
                [python, "web/build.py", "--verify"],
                *([python, script, "--check"] for script in GENERATORS),
                [*test, *arguments],
            ],
        ),
        "docs": ("dev", [[python, script, *arguments] for script in GENERATORS]),
        "bench": ("bench", [[fabletop, "bench", *arguments]]),
        "examples": ("dev", [[python, "-m", "pytest", "tests/test_examples.py", *arguments]]),
        "fuzz": ("play", [[fabletop, "fuzz", *(arguments or ["equinox", "--games", "2000"])]]),
        "torture": ("dev", [[python, "-m", "tests.torture", *arguments]]),
        "screenshots": ("dev", [[python, "-m", "tests.web.screenshots", *arguments]]),
        "sanitize": (
            "dev",
            [
                [python, "hatch_build.py", "sanitize"],
                [python, "-m", "pytest", "tests/test_sanitized.py", *arguments],
            ],
        ),
    }[command]


def run(command: str, arguments: Sequence[str]) -> int:
    """Sets up, runs the steps of a command, and says how long both took."""
    started = time.time()
    lock, todo = steps(command, arguments)
    set_up(lock)
    if command == "examples":
        install_examples()
    ready = time.time()
    # The program can tell from this how long it took from the command to the first screen.
    environment = {**os.environ, "FABLETOP_STARTED": f"{started:.3f}"}
    if command == "examples":
        environment["FABLETOP_EXAMPLES"] = "1"  # what is missing is a failure
    # of `check`, everything but the tests needs one core and runs beside the others
    groups = [todo[:-1], todo[-1:]] if command == "check" else [[step] for step in todo]
    failed: list[tuple[list[str], int]] = []
    for group in groups:
        codes = [call(group[0], environment)] if len(group) == 1 else call_together(group, environment)
        failed = [(step, code) for step, code in zip(group, codes, strict=True) if code]
        if failed:
            break
    names = [" ".join([Path(step[0]).name, *step[1:]]) for step, _ in failed]
    said = f", failed in: {'; '.join(names)}" if names and len(todo) > 1 else ""
    say(f"set-up {ready - started:.1f} s, {command} {time.time() - ready:.1f} s{said}")
    return failed[0][1] if failed else 0


def call_together(group: Sequence[Sequence[str]], environment: Mapping[str, str]) -> list[int]:
    """Runs programs beside each other to their ends, prints what each of them wrote, and returns their exit codes."""
    from concurrent.futures import ThreadPoolExecutor

    def run(step: Sequence[str]) -> subprocess.CompletedProcess[str]:
        stdout, stderr = subprocess.PIPE, subprocess.STDOUT
        return subprocess.run(
            step, cwd=ROOT, env=environment, stdout=stdout, stderr=stderr, text=True, check=False
        )

    codes = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for done in pool.map(run, group):
            print(done.stdout, end="", flush=True)
            codes.append(done.returncode)
    return codes


def call(step: Sequence[str], environment: Mapping[str, str]) -> int:
    """Runs one program to its end; the program handles Ctrl-C."""
    with subprocess.Popen(step, cwd=ROOT, env=environment) as program:
        while True:
            try:
                return program.wait()
            except KeyboardInterrupt:
                continue


def clean() -> None:
    """Removes what this file and the tools have made, and nothing else."""
    for name in (
        ".venv",
        "build",
        "dist",
        "site",
        ".hypothesis",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        "web/node_modules",
        "src/fabletop/server/static",
    ):
        shutil.rmtree(ROOT / name, ignore_errors=True)
    for folder in ("src", "tests", "docs", "bench"):
        for cache in list((ROOT / folder).rglob("__pycache__")):
            shutil.rmtree(cache, ignore_errors=True)
    for pattern in ("*.so", "*.pyd", "*.digest", "constants.pxd"):
        for path in list((ROOT / "src").rglob(pattern)):
            path.unlink()


def say(text: str) -> None:
    """Print a line about the set-up on standard error."""
    print(f"fabletop: {text}", file=sys.stderr, flush=True)


def main(arguments: Sequence[str]) -> int:
    """Runs one command; the exit code is that of the program it ran."""
    command, rest = (arguments[0], arguments[1:]) if arguments else ("help", [])
    if command in ("help", "-h", "--help"):
        print("make COMMAND [ARGS='…'], or python3 bootstrap.py COMMAND [arguments]\n")
        print("\n".join(f"  {name:13}{what}" for name, what in COMMANDS.items()))
        return 0
    if command not in COMMANDS:
        say(f"there is no command {command!r}; there are {', '.join(COMMANDS)}")
        return 2
    try:
        newer = use_new_python(arguments)
        if newer is not None:
            return newer
        if command == "clean":
            clean()
            return 0
        return run(command, rest)
    except SetupError as error:
        say(str(error))
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
