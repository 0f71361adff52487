"""What all tests share: before the first one, compiled engines are brought up to date with their sources.

Python prefers an extension module to its source, so without this an edited engine would pass its tests
unread. `FABLETOP_PURE=1 pytest` compiles nothing and tests the interpreted engines.
"""

from __future__ import annotations

import pytest

import hatch_build


def pytest_configure(config: pytest.Config) -> None:
    """Compiles what is stale, once: the workers of pytest-xdist start after this and find it done."""
    if not hasattr(config, "workerinput"):
        built = hatch_build.build()
        if built.fresh or built.reason:
            print(built)
