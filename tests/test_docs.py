"""The documentation is generated where it can be, and its examples run."""

import doctest
import importlib
import importlib.util
import re
import shlex
from pathlib import Path
from textwrap import dedent

import pytest

from fabletop.cli import main, parser

ROOT = Path(__file__).resolve().parents[1]


def generator():
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_generated_pages_are_up_to_date():
    assert generator().stale() == [], "run `make docs`"


def test_a_stale_page_is_noticed(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("old")
    assert not generator().up_to_date(page, "new")
    assert not generator().up_to_date(tmp_path / "none.md", "new")
    assert generator().up_to_date(page, "old")


PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
BLOCK = re.compile(r"^ *```python\n(.*?)^ *```", re.DOTALL | re.MULTILINE)

RUN_ELSEWHERE = {
    "CONTRIBUTING.md": "patterns that need their C types; tests/mini shows and compiles them",
    "client.md": "a bot that needs a server; tests/server/test_client.py runs it",
}
"""Pages whose Python code is no complete program."""


def blocks(page):
    """The Python code of a page, block by block."""
    return [dedent(code) for code in BLOCK.findall(page.read_text(encoding="utf-8"))]


def run_page(page, names, code):
    """Run one block: a session with prompts as a doctest, anything else as it stands."""
    if not code.startswith(">>>"):
        exec(compile(code, page.name, "exec"), names)
        return
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(doctest.DocTestParser().get_doctest(code, names, page.name, None, 0))
    assert runner.tries >= 5
    assert runner.failures == 0


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if blocks(page) and page.name not in RUN_ELSEWHERE],
    ids=lambda page: page.name,
)
def test_the_code_of_a_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    for code in blocks(page):
        if "import pandas" not in code:
            run_page(page, names, code)


def test_the_pages_with_code_are_found():
    found = {page.name for page in PAGES if blocks(page)}
    assert {"README.md", "research.md", "bots.md", "records.md", *RUN_ELSEWHERE} <= found


def test_the_ladder_file_suits_the_example_with_pandas(tmp_path, monkeypatch):
    pandas = pytest.importorskip("pandas", reason="pandas is not a dependency; one example uses it")
    monkeypatch.chdir(tmp_path)
    assert (
        main(
            [
                "ladder",
                "equinox",
                "greedy",
                "uniform",
                "--seats=2",
                "--deals=1",
                "--jobs=1",
                "--out=results.jsonl",
            ]
        )
        == 0
    )
    page = ROOT / "docs" / "research.md"
    (code,) = [code for code in blocks(page) if "import pandas" in code]
    names = {}
    run_page(page, names, code)
    assert isinstance(names["games"], pandas.DataFrame)


def test_code_that_fails_is_noticed(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```python\nassert 1 + 1 == 3\n```\n")
    with pytest.raises(AssertionError):
        run_page(page, {}, *blocks(page))


def commands(page):
    """The command lines of a page that start with `fabletop`, in its code blocks, without their comments."""
    lines = re.findall(
        r"^(?: {4})?(?:\.venv/bin/)?fabletop (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE
    )
    return [line.partition(" #")[0].strip() for line in lines]


@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)], ids=lambda page: page.name)
def test_the_commands_on_a_page_are_understood(page, capsys):
    wrong = []
    for command in commands(page):
        try:
            parser().parse_args(shlex.split(command))
        except SystemExit:
            wrong.append(f"fabletop {command}: {capsys.readouterr().err}")
    assert wrong == []


def test_a_wrong_command_is_noticed(tmp_path, capsys):
    page = tmp_path / "page.md"
    page.write_text("Text:\n\n    fabletop play equinox --chairs 4   # four\n")
    with pytest.raises(AssertionError):
        test_the_commands_on_a_page_are_understood(page, capsys)


@pytest.mark.parametrize("module", ["fabletop.core.chance", "fabletop.core.laws", "fabletop.core.sitting"])
def test_examples_in_docstrings_run(module):
    result = doctest.testmod(importlib.import_module(module))
    assert result.attempted > 0
    assert result.failed == 0


def links(page):
    return re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page):
    broken = [to for to in links(page) if "://" not in to and not (page.parent / to).exists()]
    assert broken == []
