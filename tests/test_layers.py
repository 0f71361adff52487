"""Dependencies go one way: core ← games ← bots ← envs ← lab; bots ← server, terminal ← cli; lang knows core and games.

Inside the server: stores ← protocol ← notify, bots ← services ← tables ← api, and only the composition root
imports cluster. The checks read the sources and run nothing. Each check is itself tested on a tree that breaks it.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parent.parent / "src"

# What each part of the package may import of it, besides itself.
MAY_IMPORT: dict[str, set[str]] = {
    "pure": set(),
    "core": set(),
    "games": {"core"},
    "lang": {"core", "games"},
    "bots": {"core", "games"},
    "fuzz": {"core", "games", "bots"},
    "arguments": {"core", "games", "lang"},
    "envs": {"core", "games", "bots", "lang", "client", "arguments"},
    "lab": {"core", "games", "bots", "lang", "envs", "arguments"},
    "server": {"core", "games", "bots", "lang", "arguments"},
    "client": set(),
    "terminal": {"core", "games", "bots", "lang", "arguments"},
    "cli": {"core", "games", "bots", "lang", "fuzz", "lab", "envs", "server", "terminal", "arguments"},
    "__main__": {"core", "cli"},
    "__init__": {"pure", "core", "games"},
}

# What each room of the server may import of the server, besides itself. A room is a sub-package or a module.
SERVER_MAY_IMPORT: dict[str, set[str]] = {
    "__init__": set(),
    "settings": set(),
    "limits": set(),
    "logs": set(),
    "metrics": set(),
    "stores": set(),
    "protocol": {"stores"},
    "bots": {"settings", "logs", "metrics"},
    "notify": {"settings", "logs", "metrics", "stores", "protocol"},
    "services": {"settings", "limits", "logs", "metrics", "stores", "protocol", "bots", "notify"},
    "tables": {"settings", "limits", "logs", "metrics", "stores", "protocol", "bots", "notify", "services"},
    "api": {
        "settings",
        "limits",
        "logs",
        "metrics",
        "stores",
        "protocol",
        "bots",
        "notify",
        "services",
        "tables",
    },
    "admin": {"stores", "protocol", "tables"},
}
# The composition root connects the rooms and may import all of them; nothing else imports the root or the cluster.
SERVER_ROOT = {"app", "run", "command", "cluster"}

# Imports that still break the rules of the server. This set only shrinks: an entry that is no longer needed fails.
SERVER_EXCEPTIONS: set[str] = set()

GAMES = ("equinox", "fairy_school")
PLAIN = ("core", "games")  # standard library only, and none of:
FORBIDDEN = {"random", "time", "asyncio", "logging"}


def modules(source: Path) -> list[Path]:
    """Every module of the package."""
    return sorted((source / "fabletop").rglob("*.py"))


def place(path: Path, source: Path) -> tuple[str, ...]:
    """Where a module stands inside the package: ("games", "equinox", "engine")."""
    return path.relative_to(source / "fabletop").with_suffix("").parts


def imports(path: Path) -> Iterator[str]:
    """The dotted names that a module imports anywhere in its text, `from a import b` as a.b."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def wrong_directions(source: Path) -> list[str]:
    """Imports against the order of the layers, or from one game into the other."""
    wrong = []
    for path in modules(source):
        here = place(path, source)
        allowed = MAY_IMPORT.get(here[0])
        if allowed is None:
            wrong.append(f"{'/'.join(here)} belongs to no layer")
            continue
        for name in imports(path):
            package, *rest = name.split(".")
            if package != "fabletop":
                continue
            part = rest[0] if rest[0] in MAY_IMPORT else "__init__"
            if part not in allowed | {here[0]} and not (part == "__init__" and rest[0] == "__version__"):
                wrong.append(f"{'/'.join(here)} imports {name}")
            if here[0] == "games" and len(here) > 2 and part == "games" and rest[1] != here[1]:
                wrong.append(f"{'/'.join(here)} imports {name}")
    return wrong


def server_directions(source: Path) -> list[str]:
    """Imports between rooms of the server against their order."""
    wrong = []
    for path in modules(source):
        here = place(path, source)
        if here[0] != "server" or here[1] in SERVER_ROOT:
            continue
        allowed = SERVER_MAY_IMPORT.get(here[1])
        if allowed is None:
            wrong.append(f"{'/'.join(here)} belongs to no room of the server")
            continue
        for name in imports(path):
            if not name.startswith("fabletop.server."):
                continue
            if name.split(".")[2] not in allowed | {here[1]}:
                wrong.append(f"{'/'.join(here)} imports {name}")
    return wrong


def foreign_libraries(source: Path) -> list[str]:
    """Imports of core and games from outside the standard library, or from a part of it that has no place there."""
    wrong = []
    for path in modules(source):
        here = place(path, source)
        if here[0] not in PLAIN:
            continue
        for name in imports(path):
            top = name.partition(".")[0]
            if top != "fabletop" and (top not in sys.stdlib_module_names or top in FORBIDDEN):
                wrong.append(f"{'/'.join(here)} imports {name}")
    return wrong


def may_name_games(here: tuple[str, ...]) -> bool:
    """Whether a module may know a game by name: its own rooms, and the dict GAMES."""
    if here == ("games", "__init__") or here[:2] == ("terminal", "boards"):
        return True
    return here[0] in ("games", "bots", "envs", "lab") and any(
        game in part for part in here[1:] for game in GAMES
    )


def docstring_lines(text: str) -> set[int]:
    """The lines that docstrings take: examples there may name a game."""
    lines: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            lines.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return lines


def names_of_games(source: Path) -> list[str]:
    """Modules whose code names a game though they should reach it through GAMES; comments and docstrings are free."""
    wrong = []
    for path in modules(source):
        here = place(path, source)
        if may_name_games(here):
            continue
        text = path.read_text("utf-8")
        free = docstring_lines(text)
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT or token.start[0] in free:
                continue
            said = token.string.lower().replace("-", "_").replace(" ", "_")
            wrong += [f"{'/'.join(here)}:{token.start[0]} names {game}" for game in GAMES if game in said]
    return wrong


CHECKS = [wrong_directions, server_directions, foreign_libraries, names_of_games]


def excepted(fault: str) -> list[str]:
    """The exceptions that cover a fault: an exception names a module, the fault a name in it."""
    return [exception for exception in SERVER_EXCEPTIONS if f"{fault}.".startswith(f"{exception}.")]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_package_keeps_to_its_layers(check: Callable[[Path], list[str]]) -> None:
    assert modules(SRC)
    assert [fault for fault in check(SRC) if not excepted(fault)] == []


def test_every_exception_is_still_needed() -> None:
    needed = {exception for fault in server_directions(SRC) for exception in excepted(fault)}
    assert SERVER_EXCEPTIONS - needed == set(), "delete these from SERVER_EXCEPTIONS"


# ---------------------------------------------------------------------------------------------- the checks themselves

GOOD = {
    "__init__.py": "from fabletop import pure\nfrom fabletop.games import GAMES\n",
    "core/game.py": '"""For example GAMES["equinox"]."""\nimport hashlib\n# equinox is one\n',
    "games/__init__.py": "from fabletop.games.equinox import EQUINOX\n",
    "games/equinox/engine.py": "from fabletop.core.game import Game\nfrom fabletop.games.equinox.cards import X\n",
    "bots/equinox/knowledge.py": "from fabletop.games.equinox.engine import State\n",
    "lab/equinox/report.py": "from fabletop.bots.equinox.knowledge import Knowledge\n",
    "server/app.py": "from fabletop.server.cluster import forwarding\nfrom fabletop.server.api.routes import ROUTES\n",
    "server/run.py": "from fabletop.server.app import build\nfrom fabletop.server.cluster import supervisor\n",
    "server/services.py": "from fabletop.server.bots.pool import Pool\nfrom fabletop.server.notify.push import Push\n",
    "server/stores/sqlite.py": "from fabletop.server.stores.base import Store\nimport sqlite3\n",
    "server/protocol/wire.py": "from fabletop.server.stores.entries import Entry\n",
    "server/tables/actor.py": "from fabletop.server.services import Services\n",
    "server/api/handlers.py": "from fabletop.server.tables.actor import Actor\n",
    "server/cluster/worker.py": "from fabletop.server.run import run\n",
    "terminal/boards/equinox/board.py": "NAME = 'equinox'\nfrom fabletop.lang import Lexicon\nimport textual\n",
    "cli.py": "from fabletop import __version__\nfrom fabletop.terminal.app import App\nimport time\n",
}

BAD = {
    "core imports a game": (
        "core/x.py",
        "from fabletop.games import GAMES\n",
        "core/x imports fabletop.games.GAMES",
    ),
    "core imports inside a function": (
        "core/x.py",
        "def f():\n    import fabletop.bots.uniform\n",
        "core/x imports fabletop.bots.uniform",
    ),
    "core imports the whole package": (
        "core/x.py",
        "from fabletop import Sitting\n",
        "core/x imports fabletop.Sitting",
    ),
    "a game imports a language": (
        "games/equinox/x.py",
        "from fabletop.lang import Lexicon\n",
        "games/equinox/x imports fabletop.lang.Lexicon",
    ),
    "a game imports the other": (
        "games/equinox/x.py",
        "from fabletop.games.fairy_school import cards\n",
        "games/equinox/x imports fabletop.games.fairy_school.cards",
    ),
    "a bot imports a language": ("bots/x.py", "import fabletop.lang\n", "bots/x imports fabletop.lang"),
    "a bot imports the terminal": (
        "bots/x.py",
        "import fabletop.terminal\n",
        "bots/x imports fabletop.terminal",
    ),
    "a bot imports the lab": (
        "bots/x.py",
        "import fabletop.lab.matches\n",
        "bots/x imports fabletop.lab.matches",
    ),
    "the lab imports the command": ("lab/x.py", "import fabletop.cli\n", "lab/x imports fabletop.cli"),
    "the lab names a game outside its room": (
        "lab/ladder.py",
        "X = 'equinox'\n",
        "lab/ladder:1 names equinox",
    ),
    "the terminal imports the command": (
        "terminal/x.py",
        "import fabletop.cli\n",
        "terminal/x imports fabletop.cli",
    ),
    "a bot imports the server": (
        "bots/x.py",
        "import fabletop.server.app\n",
        "bots/x imports fabletop.server.app",
    ),
    "an environment imports the lab": (
        "envs/x.py",
        "import fabletop.lab.matches\n",
        "envs/x imports fabletop.lab.matches",
    ),
    "the server imports the terminal": (
        "server/api/x.py",
        "import fabletop.terminal\n",
        "server/api/x imports fabletop.terminal",
    ),
    "a store imports the protocol": (
        "server/stores/x.py",
        "from fabletop.server.protocol import wire\n",
        "server/stores/x imports fabletop.server.protocol.wire",
    ),
    "the protocol imports a table": (
        "server/protocol/x.py",
        "from fabletop.server.tables.actor import Actor\n",
        "server/protocol/x imports fabletop.server.tables.actor.Actor",
    ),
    "a table imports the api": (
        "server/tables/x.py",
        "from fabletop.server.api.handlers import make\n",
        "server/tables/x imports fabletop.server.api.handlers.make",
    ),
    "a table imports the cluster inside a function": (
        "server/tables/x.py",
        "def f():\n    import fabletop.server.cluster.forwarding\n",
        "server/tables/x imports fabletop.server.cluster.forwarding",
    ),
    "the api imports the cluster": (
        "server/api/x.py",
        "from fabletop.server.cluster import forwarding\n",
        "server/api/x imports fabletop.server.cluster.forwarding",
    ),
    "the api imports the application": (
        "server/api/x.py",
        "from fabletop.server.app import build\n",
        "server/api/x imports fabletop.server.app.build",
    ),
    "services import a table": (
        "server/services.py",
        "from fabletop.server.tables import registry\n",
        "server/services imports fabletop.server.tables.registry",
    ),
    "the bot pool imports services": (
        "server/bots/x.py",
        "from fabletop.server.services import Services\n",
        "server/bots/x imports fabletop.server.services.Services",
    ),
    "a notice imports services": (
        "server/notify/x.py",
        "from fabletop.server.services import Services\n",
        "server/notify/x imports fabletop.server.services.Services",
    ),
    "the metrics import a table": (
        "server/metrics.py",
        "import fabletop.server.tables.registry\n",
        "server/metrics imports fabletop.server.tables.registry",
    ),
    "a room of the server that nobody knows": (
        "server/x.py",
        "",
        "server/x belongs to no room of the server",
    ),
    "a part that nobody knows": ("helpers/x.py", "", "helpers/x belongs to no layer"),
    "core imports a library": ("core/x.py", "import numpy as np\n", "core/x imports numpy"),
    "a game imports random": ("games/equinox/x.py", "import random\n", "games/equinox/x imports random"),
    "a game imports from time": (
        "games/equinox/x.py",
        "from time import time\n",
        "games/equinox/x imports time.time",
    ),
    "core names a game in a string": ("core/x.py", "X = 'equinox'\n", "core/x:1 names equinox"),
    "the terminal names a game in code": (
        "terminal/x.py",
        "a = 1\nfairy_school = 2\n",
        "terminal/x:2 names fairy_school",
    ),
    "a bot for all names a game": (
        "bots/greedy.py",
        "X = 'Fairy School'\n",
        "bots/greedy:1 names fairy_school",
    ),
}


def tree(folder: Path, files: dict[str, str]) -> Path:
    """A source tree with these files in the package."""
    for name, text in files.items():
        path = folder / "fabletop" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def test_a_good_tree_passes(tmp_path: Path) -> None:
    source = tree(tmp_path, GOOD)
    assert [fault for check in CHECKS for fault in check(source)] == []


@pytest.mark.parametrize("case", BAD)
def test_a_bad_tree_is_caught(case: str, tmp_path: Path) -> None:
    name, text, fault = BAD[case]
    source = tree(tmp_path, {**GOOD, name: text})
    assert [found for check in CHECKS for found in check(source)] == [fault]
