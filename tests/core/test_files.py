"""Files: a write that fails leaves the old file, and the data folder is where the system wants it."""

import os
from pathlib import Path

import pytest

from fabletop.core.files import data_folder, write_file


@pytest.mark.parametrize("before", [b"old", None])
def test_a_write_that_fails_leaves_what_was_there(tmp_path, monkeypatch, before):
    path = tmp_path / "game.json"
    if before is not None:
        write_file(path, before)

    def full(_):
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space"):
        write_file(path, b"new")
    assert [file.read_bytes() for file in tmp_path.iterdir()] == ([] if before is None else [before])


def test_a_write_replaces_an_older_file(tmp_path):
    path = tmp_path / "game.json"
    for data in (b"a long first text", b"short"):
        write_file(path, data)
        assert path.read_bytes() == data
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("home", "folder"),
    [
        ("/var/lib", "/var/lib/fabletop"),
        ("relative", "~/.local/share/fabletop"),
        ("", "~/.local/share/fabletop"),
    ],
)
def test_the_data_folder_is_under_xdg_data_home_where_that_is_absolute(monkeypatch, home, folder):
    monkeypatch.setenv("XDG_DATA_HOME", home)
    assert data_folder() == Path(folder).expanduser()
