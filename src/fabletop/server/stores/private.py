"""Files for their owner alone: databases, backups and keys hold seeds of games that are still on. Their names must
survive a power cut like their contents."""

import os
from pathlib import Path


def private_folder(path: Path) -> None:
    """Create a folder that only its owner can enter; one that exists stays as it is."""
    path.mkdir(parents=True, exist_ok=True, mode=0o700)


def private_file(path: Path) -> None:
    """Create an empty file that only its owner can read; one that exists stays as it is."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))


def sync_folder(path: Path) -> None:
    """Make the names of the files in a folder durable, and the folder's own. SQLite syncs the folder of a new log too,
    but ignores an error: then a power cut could remove the log with everything that was committed to it."""
    if not hasattr(os, "O_DIRECTORY"):
        return  # Windows cannot open a folder
    for folder in (path, path.parent):
        number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(number)
        finally:
            os.close(number)
