"""Records: game, rules version, options, seed and actions, which is enough to replay a game at any time.

A record is a JSON file, described in docs/records.md. Reading checks everything that can be checked without the game; a
damaged or foreign file gets a `BadRecord` that says what is wrong. Saving replaces the file in one step, so a crash
leaves the old file or the new one, never half of one.
"""

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from reprlib import repr as in_short
from typing import Any

from fabletop.core.errors import BadRecord
from fabletop.core.files import write_file

FORMAT = 1
MARK = "record"
MOST_DIGITS = 18
"""Of a whole number; so it fits everywhere where numbers have 64 bits."""
DEEPEST = 8
"""The deepest nesting of lists and objects; the options of a game need three."""
LONGEST_ACTION = 80


@dataclass(frozen=True, slots=True)
class Record:
    """Enough to replay a game: `actions` are pairs of seat and action text, in order of arrival."""

    game: str
    rules: int
    options: Mapping[str, Any]
    seed: str
    actions: tuple[tuple[int, str], ...] = ()
    names: tuple[str, ...] = ()
    about: Mapping[str, Any] = field(default_factory=dict)
    """What else a program keeps with the game, such as which seats are bots. Replaying ignores it."""
    salt: str = ""
    """With the seed it makes the commitment; empty where none was published with a salt."""
    digest: str = ""
    """Of the cards and rules it was played with (`Game.digest`); older records have none."""

    def text(self) -> str:
        """The record as JSON, one action to a line."""
        head = {
            "fabletop": MARK,
            "format": FORMAT,
            "game": self.game,
            "rules": self.rules,
            **({"digest": self.digest} if self.digest else {}),
            "options": dict(self.options),
            "seed": self.seed,
            **({"salt": self.salt} if self.salt else {}),
            "names": list(self.names),
            "about": dict(self.about),
        }
        lines = [
            f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}," for key, value in head.items()
        ]
        actions = ",\n".join(f"    {json.dumps(f'{seat} {action}')}" for seat, action in self.actions)
        return (
            "\n".join(
                ["{", *lines, f'  "actions": [{chr(10) + actions + chr(10) + "  " if actions else ""}]', "}"]
            )
            + "\n"
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a file, all or nothing."""
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, self.text().encode())


def load(path: str | os.PathLike[str]) -> Record:
    """Read a record from a file."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise BadRecord(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise BadRecord(f"{path}: not a text file, so no Fabletop record") from None
    try:
        return parse(text)
    except BadRecord as error:
        raise BadRecord(f"{path}: {error}") from None


def parse(text: str) -> Record:
    """Read a record from its JSON text."""
    try:
        data = json.loads(
            text,
            parse_int=_whole,
            parse_float=_finite,
            parse_constant=_no_number,
            object_pairs_hook=_object,
        )
    except (json.JSONDecodeError, RecursionError) as error:
        where = (
            f" in line {error.lineno}, column {error.colno}"
            if isinstance(error, json.JSONDecodeError)
            else ""
        )
        raise BadRecord(f"not a JSON text{where}; the file is damaged or no Fabletop record") from None
    if not isinstance(data, dict) or data.get("fabletop") != MARK:
        raise BadRecord(f'no Fabletop record: it does not begin with "fabletop": "{MARK}"')
    if type(data.get("format")) is not int or data["format"] != FORMAT:
        raise BadRecord(
            f"record format {in_short(data.get('format'))} is unknown; this version reads format {FORMAT}"
        )
    _check_sound(data)
    return Record(
        game=_entry(data, "game", str),
        rules=_entry(data, "rules", int),
        options=_entry(data, "options", dict),
        seed=_entry(data, "seed", str),
        actions=tuple(_action(i, entry) for i, entry in enumerate(_entry(data, "actions", list))),
        names=tuple(_name(i, name) for i, name in enumerate(_entry({"names": [], **data}, "names", list))),
        about=data.get("about", {}) if isinstance(data.get("about", {}), dict) else {},
        salt=_entry({"salt": "", **data}, "salt", str),
        digest=_entry({"digest": "", **data}, "digest", str),
    )


def _entry(data: dict[str, Any], key: str, kind: type) -> Any:
    if key not in data:
        raise BadRecord(f"the entry {key!r} is missing")
    value = data[key]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise BadRecord(f"the entry {key!r} should be of type {kind.__name__}, not {type(value).__name__}")
    return value


def _action(index: int, entry: object) -> tuple[int, str]:
    seat, _, text = entry.partition(" ") if isinstance(entry, str) else ("", "", "")
    if not (seat.isascii() and seat.isdigit() and len(seat) <= 2 and 0 < len(text) <= LONGEST_ACTION):
        raise BadRecord(
            f"action {index + 1} is {in_short(entry)}; it should be a seat and an action, such as '0 pass'"
        )
    return int(seat), text


def _name(index: int, name: object) -> str:
    if not isinstance(name, str):
        raise BadRecord(f"the name of seat {index} is {in_short(name)}; it should be a text")
    return name


# ---- what JSON can say and a record cannot --------------------------------------------------------------------------


def _whole(text: str) -> int:
    if len(text.lstrip("-")) > MOST_DIGITS:
        raise BadRecord(
            f"a number of {len(text.lstrip('-'))} digits; in a record none has more than {MOST_DIGITS}"
        )
    return int(text)


def _finite(text: str) -> float:
    if not math.isfinite(float(text)):
        raise BadRecord(f"the number {in_short(text)} is too large")
    return float(text)


def _no_number(text: str) -> None:
    raise BadRecord(f"{text} is no number in JSON, so none in a record")


def _object(entries: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; programs do not agree which of two entries of one name counts."""
    found: dict[str, Any] = {}
    for key, value in entries:
        if key in found:
            raise BadRecord(f"the entry {in_short(key)} is there twice")
        found[key] = value
    return found


def _check_sound(data: object) -> None:
    """Nothing nested without end, and only texts that can be written down again."""
    level = [data]
    for _ in range(DEEPEST):
        level = [part for value in level for part in _parts(value)]
    if level:
        raise BadRecord(f"lists or objects within each other, more than {DEEPEST} deep")
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise BadRecord("a text with half a character, a surrogate without its other half") from None


def _parts(value: object) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
