"""Writes src/lib/wire.ts: the messages of the server as TypeScript types, from the very types the server decodes with.

python web/wire_types.py           writes the file
python web/wire_types.py --check   says whether it is up to date, and changes nothing
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import msgspec

from fabletop.server import wire
from fabletop.server.entries import Pace, SeatPlan

PLACE = Path(__file__).resolve().parent / "src" / "lib" / "wire.ts"
HEAD = "// Made from the server's messages by wire_types.py: change fabletop/server/wire.py, then run it again.\n"
UNIONS = {"Said": wire.Said, "Says": wire.Says}
OTHERS = (wire.NewTable, wire.Sit, wire.Mine, wire.Branch, wire.TableNow, wire.ChoiceNow, Pace, SeatPlan)


def typescript(schema: Mapping[str, Any]) -> str:
    """A JSON schema as a TypeScript type."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(typescript(part) for part in schema["anyOf"]))
    if "enum" in schema:
        return " | ".join(f'"{value}"' for value in schema["enum"])
    if "const" in schema:
        return f'"{schema["const"]}"'
    kind = schema.get("type")
    if kind == "array":
        item = typescript(schema.get("items", {}))
        return f"({item})[]" if " " in item else f"{item}[]"
    if kind == "object":
        return "Record<string, unknown>"
    names = {
        "integer": "number",
        "number": "number",
        "string": "string",
        "boolean": "boolean",
        "null": "null",
    }
    return names.get(str(kind), "unknown")


def interface(name: str, schema: Mapping[str, Any]) -> str:
    """An object schema as an interface, with its description above it."""
    required = set(schema.get("required", ()))
    told = " ".join(str(schema.get("description", "")).split())
    lines = [f"/** {told} */"] if told else []
    lines.append(f"export interface {name} {{")
    for field, part in schema.get("properties", {}).items():
        mark = "" if field in required or field == "type" else "?"
        lines.append(f"  {field}{mark}: {typescript(part)};")
    return "\n".join([*lines, "}"])


def text() -> str:
    """The whole file."""
    kinds = [kind for union in UNIONS.values() for kind in get_args(union)] + list(OTHERS)
    _, components = msgspec.json.schema_components(kinds)
    parts = [HEAD]
    parts += [interface(name, schema) for name, schema in sorted(components.items())]
    parts += [
        f"export type {name} = {' | '.join(kind.__name__ for kind in get_args(union))};"
        for name, union in UNIONS.items()
    ]
    return "\n\n".join(parts) + "\n"


def main() -> int:
    """Write the file, or compare it."""
    if sys.argv[1:] == ["--check"]:
        if PLACE.read_text("utf-8") == text():
            return 0
        print("web/src/lib/wire.ts is stale: run python web/wire_types.py")
        return 1
    PLACE.write_text(text(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
