"""docs/architecture.md names every package of the program, and none that is gone."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "architecture.md"
ROW = re.compile(r"^\| `(\w+(?:/\w+)*)` \| (.*) \|$", re.MULTILINE)


def packages(source: Path) -> set[str]:
    """Every package below a folder, as a path: "server/api"."""
    folders = (path.parent.relative_to(source) for path in source.rglob("__init__.py"))
    return {folder.as_posix() for folder in folders} - {"."}


def described(text: str) -> dict[str, str]:
    """The packages of the page's table, each with what it is for."""
    return dict(ROW.findall(text))


def faults(source: Path, text: str) -> list[str]:
    """Where the page and the packages differ."""
    there, on_page = packages(source), described(text)
    missing = [f"{name} is missing from the page" for name in sorted(there - set(on_page))]
    gone = [f"{name} is on the page, but there is no such package" for name in sorted(set(on_page) - there)]
    modules = [
        f"{name} names the module {found}" for name in sorted(on_page) for found in named(on_page[name])
    ]
    return missing + gone + modules


def named(text: str) -> list[str]:
    """Modules of the package that a description names; documents and data files are free."""
    return re.findall(r"\b\w+\.(?:py|pxd)\b", text)


def test_the_page_names_every_package_and_no_other() -> None:
    assert faults(ROOT / "src" / "fabletop", PAGE.read_text("utf-8")) == []


def test_a_page_that_is_wrong_is_noticed(tmp_path: Path) -> None:
    for name in ("", "core", "server", "server/api"):
        (tmp_path / name).mkdir(exist_ok=True)
        (tmp_path / name / "__init__.py").touch()
    rows = ["| `core` | what both games share |", "| `server` | tables |", "| `server/api` | HTTP |"]
    assert faults(tmp_path, "\n".join(rows)) == []
    assert faults(tmp_path, "\n".join(rows[:2])) == ["server/api is missing from the page"]
    more = [*rows, "| `envs` | environments |"]
    assert faults(tmp_path, "\n".join(more)) == ["envs is on the page, but there is no such package"]
    wrong = [*rows[1:], "| `core` | chance.py and others |"]
    assert faults(tmp_path, "\n".join(wrong)) == ["core names the module chance.py"]
