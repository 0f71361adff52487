"""What all tests share: before the first one, compiled engines are brought up to date with their sources.

Python prefers an extension module to its source, so without this an edited engine would pass its tests
unread. `FABLETOP_PURE=1 pytest` compiles nothing and tests the interpreted engines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import hatch_build

WITH_BROWSER = Path(__file__).parent / "web"


def pytest_configure(config: pytest.Config) -> None:
    """Compiles what is stale, once: the workers of pytest-xdist start after this and find it done."""
    if not hasattr(config, "workerinput"):
        built = hatch_build.build()
        if built.fresh or built.reason:
            print(built)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts the tests with a browser first: they are the longest and busiest by far. So one worker of pytest-xdist
    begins with them, while others run tests of the server, which mostly wait; in the end all help with them."""
    items.sort(key=lambda item: WITH_BROWSER not in item.path.parents)


def skip_lines(reports: Iterable[pytest.TestReport]) -> Iterator[str]:
    """One line for each reason to skip, most frequent first: what is missing on a machine is told once."""
    reasons = Counter(str(report.longrepr[2]) for report in reports if isinstance(report.longrepr, tuple))
    for reason, times in reasons.most_common():
        yield f"SKIPPED [{times}] {reason.removeprefix('Skipped: ')}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Why tests were skipped."""
    for line in skip_lines(terminalreporter.stats.get("skipped", [])):
        terminalreporter.write_line(line)
