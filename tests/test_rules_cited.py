"""Every numbered rule of docs/rules is cited by a test, and the rules pages are in order.

A citation is the rule's number in a comment, a docstring or another string of a `test_*.py` file. A range
("from this one to that one") is no citation: the rules in between would be claimed without being named.
"""

import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PAGES = {"E": "equinox.md", "F": "fairy-school.md"}
RULES = TESTS.parent / "docs" / "rules"

# Numbers left out on purpose. A rule that is dropped keeps its number here, so that the others keep theirs.
GAPS: frozenset[str] = frozenset()

NUMBER = r"(?<![\w-])[EF]-\d+\.\d+(?!\d)"
NUMBERS = re.compile(NUMBER)
RANGE = re.compile(
    rf"{NUMBER}(?:\s*(?:to|through|until|[-–—]|\.\.+|…)\s*[EF]-\d+\.\d+|(?:[-–—]|\.\.+|…)\d+(?:\.\d+)?)"
)
DEFINITION = re.compile(r'^- <a id="([^"]*)"></a>\*\*([^*]*)\*\*', re.MULTILINE)
CITING_TOKENS = {tokenize.COMMENT, tokenize.STRING}
if hasattr(tokenize, "FSTRING_MIDDLE"):  # from Python 3.12 on the text of an f-string is a token of its own
    CITING_TOKENS.add(tokenize.FSTRING_MIDDLE)


def page(letter: str) -> str:
    return (RULES / PAGES[letter]).read_text(encoding="utf-8")


def rules_of(letter: str) -> list[str]:
    """The rule numbers one page defines, in the page's order."""
    return [number for _, number in DEFINITION.findall(page(letter))]


def citations(source: str) -> set[str]:
    """The rule numbers cited in one Python source."""
    cited: set[str] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in CITING_TOKENS:
            cited.update(NUMBERS.findall(RANGE.sub(" ", token.string)))
    return cited


@cache
def citations_by_file() -> dict[str, set[str]]:
    here = Path(__file__).resolve()
    return {
        str(path.relative_to(TESTS)): citations(path.read_text(encoding="utf-8"))
        for path in sorted(TESTS.rglob("test_*.py"))
        if path.resolve() != here
    }


def places(number: str) -> tuple[int, int]:
    section, rule = number[2:].split(".")
    return int(section), int(rule)


def missing_between(numbers: Iterable[str]) -> Iterator[str]:
    """The numbers a page skips. Sections count from 1, and so do their rules; a rule 0 may come before."""
    letter = ""
    last: dict[int, int] = {}
    found = set(numbers)
    for number in found:
        letter = number[0]
        section, rule = places(number)
        last[section] = max(last.get(section, 0), rule)
    for section in range(1, max(last, default=0) + 1):
        for rule in range(1, last.get(section, 1) + 1):
            if f"{letter}-{section}.{rule}" not in found:
                yield f"{letter}-{section}.{rule}"


@pytest.mark.parametrize("rule", [rule for letter in PAGES for rule in rules_of(letter)])
def test_rule_is_cited_by_a_test(rule: str) -> None:
    cited = any(rule in numbers for numbers in citations_by_file().values())
    assert cited, f"no test cites {rule}; name it in a comment or docstring of the test that covers it"


def test_tests_cite_only_rules_that_exist() -> None:
    known = {rule for letter in PAGES for rule in rules_of(letter)}
    unknown = {
        file: sorted(numbers - known) for file, numbers in citations_by_file().items() if numbers - known
    }
    assert not unknown, f"cited, but not in docs/rules: {unknown}"


@pytest.mark.parametrize("letter", PAGES)
def test_page_defines_its_rules_once_in_order_and_without_gaps(letter: str) -> None:
    rules = rules_of(letter)
    assert rules, f"{PAGES[letter]} defines no rules in the form the test reads"
    assert all(re.fullmatch(rf"{letter}-\d+\.\d+", rule) for rule in rules)
    assert len(rules) == len(set(rules)), sorted({rule for rule in rules if rules.count(rule) > 1})
    assert rules == sorted(rules, key=places)
    assert set(missing_between(rules)) == {gap for gap in GAPS if gap.startswith(letter)}


@pytest.mark.parametrize("letter", PAGES)
def test_every_line_that_starts_with_a_number_is_a_definition(letter: str) -> None:
    """A rule without its anchor would escape the other tests."""
    starts = re.findall(rf"^\s*[-*]\s+(?:<[^>]*>)*\W*({letter}-\d+\.\d+)", page(letter), re.MULTILINE)
    assert starts == rules_of(letter)


@pytest.mark.parametrize("letter", PAGES)
def test_anchors_and_links_match_the_numbers(letter: str) -> None:
    text = page(letter)
    anchors = [anchor for anchor, _ in DEFINITION.findall(text)]
    assert anchors == [rule.lower().replace(".", "-") for rule in rules_of(letter)]
    for label, target in re.findall(rf"\[({NUMBER})\]\(([^)]*)\)", text):
        assert target == "#" + label.lower().replace(".", "-")
    mentioned = set(NUMBERS.findall(text))
    assert mentioned <= set(rules_of(letter)), (
        f"mentioned but not defined: {mentioned - set(rules_of(letter))}"
    )


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f():  # E-7.8, E-7.10\n    pass\n", {"E-7.8", "E-7.10"}),
        ('def f():\n    """F-5.0: without a goal."""\n', {"F-5.0"}),
        ('x = "see E-1.1."\n', {"E-1.1"}),
        ("# E-7.1 to E-7.4\n", set()),
        ("# E-7.1–E-7.4, E-6.2\n", {"E-6.2"}),
        ("# E-7.1-7.4 and F-2.1..4\n", set()),
        ("# E-7.1 - 3 cards are drawn\n", {"E-7.1"}),
        ("# E-7.10 alone\n", {"E-7.10"}),
        ("x = E-7.1\n", set()),
        ("# RE-7.1, E-7, 7.1\n", set()),
    ],
)
def test_what_counts_as_a_citation(source: str, expected: set[str]) -> None:
    assert citations(source) == expected


def test_a_gap_is_noticed() -> None:
    assert list(missing_between(["E-1.1", "E-1.3", "E-3.1"])) == ["E-1.2", "E-2.1"]
    assert list(missing_between(["F-1.1", "F-1.2", "F-2.0", "F-2.1"])) == []
