"""Files: where the program keeps its own, and a write that leaves the old file or the new one, never half of one."""

import os
from pathlib import Path


def data_folder() -> Path:
    """Where games and tables are kept: `fabletop` under XDG_DATA_HOME, or under ~/.local/share."""
    home = os.environ.get("XDG_DATA_HOME")
    base = Path(home) if home and Path(home).is_absolute() else Path.home() / ".local" / "share"
    return base / "fabletop"


def write_file(path: Path, data: bytes) -> None:
    """Write a file durably and in one step, also over an older one."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with draft.open("wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
