"""The folder with the results of a study.

study.json            which study, and how many games it has
parts/                what has been played so far, a few files for each chunk; gone when the study is complete
games.parquet         one row a game
facts.parquet         one row for each thing that was noted of a game
decisions.parquet     one row a decision, for matches that ask for it
times.parquet         how long each seat thought; the one table that differs from run to run
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from fabletop import __version__
from fabletop.core.errors import FabletopError
from fabletop.core.files import write_file
from fabletop.lab import tables
from fabletop.lab.study import FORMAT, Job, Mark, Match, Study
from fabletop.lab.work import TABLES, Part

if sys.platform != "win32":
    import fcntl

HEAD = "study.json"


class Results:
    """The results of one study in a folder: what is there, what is missing."""

    def __init__(self, folder: Path, head: dict[str, Any]) -> None:
        self.folder = folder
        self.head = head

    @classmethod
    def of(cls, folder: Path, study: Study, count: int) -> Results:
        """The folder of a study, made if need be; one with the results of another study is refused."""
        head = {
            "fabletop": "study",
            "format": FORMAT,
            "name": study.name,
            "digest": study.digest,
            "seed": study.seed,
            "games": count,
            "matches": [match.name for match in study.matches],
            "about": json.loads(json.dumps([asdict(match) for match in study.matches])),
            "marks": [asdict(mark) for mark in study.marks],
        }
        if (folder / HEAD).exists():
            present = cls.open(folder)
            if present.head["digest"] != study.digest:
                raise FabletopError(
                    f"{folder} has the results of another study ({present.head['name']!r}, or the same one before it "
                    "was changed); choose another --out, or delete that folder"
                )
            present.head = head
        elif folder.exists() and any(folder.iterdir()):
            raise FabletopError(f"{folder} is not empty and has no results of a study; choose another --out")
        (folder / "parts").mkdir(parents=True, exist_ok=True)
        write_file(folder / HEAD, (json.dumps(head, indent=1) + "\n").encode())
        return cls(folder, head)

    @classmethod
    def open(cls, folder: Path) -> Results:
        """Results that are there already."""
        path = folder / HEAD
        try:
            head = json.loads(path.read_text(encoding="utf-8"))
        except OSError:
            raise FabletopError(
                f"{folder} has no results: {HEAD} is missing; `fabletop lab run` makes them"
            ) from None
        except ValueError:
            raise FabletopError(f"{path}: cut off or no JSON; delete it and run the study again") from None
        if not isinstance(head, dict) or head.get("fabletop") != "study":
            raise FabletopError(f'{path}: no study: it should have "fabletop": "study"')
        if head.get("format") != FORMAT:
            raise FabletopError(
                f"{path}: results of format {head.get('format')}; Fabletop {__version__} reads format {FORMAT}, so run "
                "the study again into another folder"
            )
        return cls(folder, head)

    def study(self) -> Study:
        """The study that was played."""
        matches = []
        for about in self.head["about"]:
            values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in about.items()}
            matches.append(Match(**values))
        marks = tuple(Mark(**mark) for mark in self.head["marks"])
        return Study(self.head["name"], self.head["seed"], tuple(matches), marks)

    # ------------------------------------------------------------------------------------------ parts

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Nobody else runs the study in this folder meanwhile: a second run is refused. Windows has no such lock."""
        if sys.platform == "win32":
            yield
            return
        held = os.open(self.folder, os.O_RDONLY)
        try:
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise FabletopError(
                    f"another run writes its results into {self.folder}; wait for it, or use another folder"
                ) from None
            yield
        finally:
            os.close(held)

    def keep(self, part: Part) -> None:
        """Store what a chunk gave. The games come last: a part without them does not count."""
        name = f"{part.indices[0]:08}-{len(part.indices):06}"
        for table in sorted(part.tables, key=TABLES.index, reverse=True):
            write_file(self.folder / "parts" / f"{name}.{table}.parquet", part.tables[table])

    def parts(self, table: str) -> Iterable[tuple[Path, pa.Table]]:
        """The stored parts of a table; damaged ones are deleted, so that they are played again."""
        for path in sorted((self.folder / "parts").glob(f"*.{table}.parquet")):
            if not path.with_name(path.name.replace(f".{table}.", ".games.")).exists():
                continue
            try:
                yield path, tables.read(path)
            except FabletopError:
                for other in path.parent.glob(path.name.split(".")[0] + ".*"):
                    other.unlink()

    def done(self) -> set[int]:
        """The numbers of the games that have been played."""
        numbers: set[int] = set()
        for table in reversed(TABLES):  # the games last: their parts may go with those of another table
            numbers = {n for _, some in self.parts(table) for n in some["index"].to_pylist()}
        if (self.folder / "games.parquet").exists():
            numbers |= set(self.table("games")["index"].to_pylist())
        return numbers

    def missing(self, jobs: Sequence[Job]) -> list[Job]:
        """The games that are still to be played."""
        done = self.done()
        return [job for job in jobs if job.index not in done]

    # ------------------------------------------------------------------------------------------ the whole

    def finish(self) -> int:
        """Make the tables from the parts, each game once, in their order; returns the number of games."""
        taken: set[int] = set()
        whole: dict[str, list[pa.Table]] = {name: [] for name in (*TABLES, "times")}
        if (self.folder / "games.parquet").exists():
            taken = self._add(whole, {name: self.table(name) for name in whole}, taken)
        for path, games in self.parts("games"):
            stem = path.name.split(".")[0]
            part = {"games": games}
            for name in TABLES[1:]:
                other = path.with_name(f"{stem}.{name}.parquet")
                part[name] = tables.read(other) if other.exists() else tables.SCHEMAS[name].empty_table()
            taken = self._add(whole, part, taken)
        self._write(whole)
        shutil.rmtree(self.folder / "parts")
        return len(taken)

    @staticmethod
    def _add(whole: dict[str, list[pa.Table]], part: dict[str, pa.Table], taken: set[int]) -> set[int]:
        """Add the games of a part that are not there yet."""
        indices = set(part["games"]["index"].to_pylist())
        new = np.array(sorted(indices - taken), dtype=np.int32)
        games = part["games"]
        if "times" not in part:
            part = {**part, "times": games.select(["index", "seconds"])}
        elif "seconds" not in games.column_names:
            part = {**part, "games": games.append_column("seconds", part["times"]["seconds"])}
        for name, table in part.items():
            keep = np.isin(table["index"].to_numpy(), new)
            whole[name].append(table.filter(pa.array(keep)))
        return taken | indices

    def _write(self, whole: dict[str, list[pa.Table]]) -> None:
        about = {b"fabletop": json.dumps({k: self.head[k] for k in ("format", "name", "digest")}).encode()}
        for name in TABLES:
            table = tables.joined(name, [part.cast(tables.SCHEMAS[name]) for part in whole[name]])
            if name == "games":
                times = table.select(["index", "seconds"])
                table = table.drop_columns(["seconds"])
            if name != "decisions" or len(table):
                tables.write(table, self.folder / f"{name}.parquet", about)
        tables.write(times, self.folder / "times.parquet", about)

    def table(self, name: str) -> pa.Table:
        """A table of the whole."""
        path = self.folder / f"{name}.parquet"
        if name == "decisions" and not path.exists():
            return tables.SCHEMAS[name].empty_table()
        table = tables.read(path)
        about = json.loads((table.schema.metadata or {}).get(b"fabletop", b"{}"))
        if about.get("format") != FORMAT or about.get("digest") != self.head["digest"]:
            raise FabletopError(
                f"{path}: of another study or another version than {HEAD} in the same folder; "
                "run the study again into another folder"
            )
        return table


def merge(folders: Sequence[Path], out: Path) -> tuple[Results, int, int]:
    """The results of several machines as one: the results, the number of games, and how many were there twice."""
    parts = [Results.open(folder) for folder in folders]
    for results in parts[1:]:
        if results.head["digest"] != parts[0].head["digest"]:
            raise FabletopError(f"{results.folder} has the results of another study than {parts[0].folder}")
    if out.exists() and any(out.iterdir()):
        raise FabletopError(f"{out} is not empty; choose another --out")
    out.mkdir(parents=True, exist_ok=True)
    whole: dict[str, list[pa.Table]] = {name: [] for name in (*TABLES, "times")}
    taken: set[int] = set()
    count = 0
    for results in parts:
        if not (results.folder / "games.parquet").exists():
            raise FabletopError(f"{results.folder} is not finished; run its study again, which resumes it")
        part = {name: results.table(name) for name in whole}
        count += len(part["games"])
        taken = Results._add(whole, part, taken)
    result = Results(out, parts[0].head)
    write_file(out / HEAD, (json.dumps(result.head, indent=1) + "\n").encode())
    result._write(whole)
    return result, len(taken), count - len(taken)
