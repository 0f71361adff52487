"""Terminal tests keep their games in a folder of their own."""

import pytest


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """The data folder of the test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("NO_COLOR", raising=False)
    return tmp_path
