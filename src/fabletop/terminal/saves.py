"""Saved games: one file each in the data folder, written after every action of a person."""

from datetime import datetime
from pathlib import Path

from fabletop.core.errors import FabletopError
from fabletop.core.files import data_folder
from fabletop.core.records import Record, load
from fabletop.core.sitting import Sitting
from fabletop.games import GAMES
from fabletop.terminal.seats import Seating


def fresh_path(game: str) -> Path:
    """A file for a new game, named by game and time, that does not exist yet."""
    stem = f"{game.replace('_', '-')}-{datetime.now().astimezone():%Y-%m-%d-%H%M}"
    number, path = 1, data_folder() / f"{stem}.json"
    while path.exists():
        number += 1
        path = data_folder() / f"{stem}-{number}.json"
    return path


def keep(sitting: Sitting, seating: Seating, lang: str, path: Path) -> None:
    """Save the game; OSError where the disk refuses."""
    about = seating.about(lang)
    about["over"] = not sitting.pending
    sitting.record(**about).save(path)


def unfinished(limit: int = 5) -> list[tuple[Path, Record]]:
    """Saved games that are not over, the newest first; files that are no records of these games are ignored."""
    saves: list[tuple[Path, Record]] = []
    try:
        files = sorted(data_folder().glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        return saves
    for path in files:
        try:
            record = load(path)
        except FabletopError:
            continue
        if record.game in GAMES and not record.about.get("over"):
            saves.append((path, record))
        if len(saves) == limit:
            break
    return saves
