"""Files for their owner alone: databases, backups and keys hold seeds of games that are still on. Their names must
survive a power cut like their contents."""

import logging
import os
from pathlib import Path

log = logging.getLogger("fabletop.server")


def private_folder(path: Path) -> None:
    """Create a folder that only its owner can enter; one that exists stays as it is."""
    path.mkdir(parents=True, exist_ok=True, mode=0o700)


def private_file(path: Path) -> None:
    """Create an empty file that only its owner can read; remove the permissions of others from an existing one."""
    number = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        if hasattr(os, "fchmod") and os.fstat(number).st_mode & 0o077:
            os.fchmod(number, 0o600)
    except PermissionError:
        log.warning("%s is readable by others, and belongs to another user: run chmod 600 on it", path)
    finally:
        os.close(number)


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
