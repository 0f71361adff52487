"""The documentation is generated where it can be, and its examples run."""

import doctest
import importlib
import importlib.util
import re
from pathlib import Path

import pytest

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


def test_the_readme_example_runs():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    example = re.search(r"<!-- example -->(.*?)<!-- /example -->", text, re.DOTALL).group(1)
    code = re.search(r"```python\n(.*?)```", example, re.DOTALL).group(1)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(doctest.DocTestParser().get_doctest(code, {}, "README.md", None, 0))
    assert runner.tries >= 5
    assert runner.failures == 0


@pytest.mark.parametrize("module", ["fabletop.core.chance", "fabletop.core.laws", "fabletop.core.sitting"])
def test_examples_in_docstrings_run(module):
    result = doctest.testmod(importlib.import_module(module))
    assert result.attempted > 0
    assert result.failed == 0


def links(page):
    return re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "page", sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]), ids=lambda p: p.name
)
def test_links_between_pages_lead_somewhere(page):
    broken = [to for to in links(page) if "://" not in to and not (page.parent / to).exists()]
    assert broken == []
