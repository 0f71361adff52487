"""The preload libraries: compiled when they are needed, and controlled through files that the server maps."""

import mmap
import os
import shutil
import struct
import subprocess
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
CONTROL = struct.Struct("<7I")
"""`struct control` of disk.c."""
ON_WRITE, ON_SYNC, ON_TRUNCATE, ON_CREATE, ON_UNLINK, ON_FOLDER = 1, 2, 4, 8, 16, 32
EVERYTHING = 63


@cache
def compiled(name: str) -> Path:
    """The library of a C file, in `build/`; without a compiler the tests are skipped, but not in CI."""
    source = HERE / f"{name}.c"
    library = ROOT / "build" / "torture" / f"{name}.so"
    if library.exists() and library.stat().st_mtime > source.stat().st_mtime:
        return library
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        message = "there is no C compiler; the Debian package is gcc"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    library.parent.mkdir(parents=True, exist_ok=True)
    made = library.with_suffix(f".{os.getpid()}")
    flags = ("-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-fPIC", "-shared")
    subprocess.run([compiler, *flags, "-o", made, source, "-ldl"], check=True)
    made.rename(library)  # another test process may compile it at the same time
    return library


def _mapped(path: Path) -> mmap.mmap:
    """A file that this process and a server share."""
    with path.open("r+b") as file:
        return mmap.mmap(file.fileno(), 0)


class Disk:
    """The disk of a server: its journal, and the errors that it is made to return."""

    def __init__(self, database: Path, folder: Path, slow: int = 0) -> None:
        """`slow`: microseconds that a sync takes longer."""
        self.database = database
        self.journal = folder / "journal"
        self.slow = slow
        self.failed = 0
        """Calls that were made to fail between the last two calls of `arm` and `clear`."""
        self._control = folder / "control"
        if not self._control.exists():
            self._control.write_bytes(CONTROL.pack(0, 0, 0, 0, 0, 0, slow))
        self._shared = _mapped(self._control)

    @property
    def environment(self) -> dict[str, str]:
        """For the server."""
        return {
            "LD_PRELOAD": str(compiled("disk")),
            "FABLETOP_DISK_FILE": str(self.database),
            "FABLETOP_DISK_JOURNAL": str(self.journal),
            "FABLETOP_DISK_CONTROL": str(self._control),
        }

    def arm(self, number: int, error: int, which: int = EVERYTHING, *, sticky: bool = False) -> None:
        """Make a call fail, counted from 1 and from now; error 0 is a short write."""
        self.clear()
        self.failed = 0
        self._put(number, int(sticky), error, which, 0, 0)

    def clear(self) -> None:
        """No more errors."""
        self.failed += self.failing
        self._put(0, 0, 0, 0, 0, 0)

    def _put(self, *values: int) -> None:
        self._shared[:] = CONTROL.pack(*values, self.slow)

    @property
    def failing(self) -> int:
        """Calls that were made to fail since the disk was armed and not cleared."""
        return int(CONTROL.unpack(self._shared[:])[5])

    def mark(self, data: bytes) -> None:
        """Note something in the journal, between what the server does."""
        with self.journal.open("ab", buffering=0) as file:
            file.write(RECORD.pack(b"A", 0, 0, len(data), 0) + data)


RECORD = struct.Struct("<cBHIQ")
"""`struct record` of disk.c."""


class Clock:
    """The wall clock of a server."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.write_bytes(bytes(8))
        self._shared = _mapped(path)

    @property
    def environment(self) -> dict[str, str]:
        """For the server."""
        return {"LD_PRELOAD": str(compiled("clock")), "FABLETOP_CLOCK": str(self.path)}

    def jump(self, seconds: int) -> None:
        """Set the clock off by a number of seconds."""
        self._shared[:] = struct.pack("<q", seconds)
