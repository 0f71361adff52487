"""Files for their owner alone: databases, backups and keys hold seeds of games that are still on."""

import os
from pathlib import Path


def private_folder(path: Path) -> None:
    """Create a folder that only its owner can enter; one that exists stays as it is."""
    path.mkdir(parents=True, exist_ok=True, mode=0o700)


def private_file(path: Path) -> None:
    """Create an empty file that only its owner can read; one that exists stays as it is."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
