"""Views on the wire: their bytes, and the JSON schemas of what games send, made from their types (`view_types.py` and
the like in `games/<game>`)."""

from collections.abc import Iterator
from typing import Any, NotRequired, get_origin, get_type_hints

import msgspec

from fabletop.core.game import Game
from fabletop.games import GAMES

REFERENCE = "#/components/schemas/"
COMMA = ord(",")

_encoder = msgspec.json.Encoder()


def raw(part: Any) -> msgspec.Raw:
    """A part of a view that several views share, encoded once."""
    return msgspec.Raw(_encoder.encode(part))


BEFORE_VIEW = b'{"view":'


class ViewBytes:
    """The views of one state as bytes. What all viewers see is encoded once; each viewer's own fields follow it."""

    __slots__ = ("_buffer", "_end", "_views")

    def __init__(self, game: Game, state: Any) -> None:
        self._views = game.views(state, raw)
        self._buffer = bytearray(BEFORE_VIEW)
        _encoder.encode_into(self._views.common(), self._buffer, len(BEFORE_VIEW))
        self._end = len(self._buffer) - 1

    def view(self, viewer: int | None) -> bytes:
        """What a seat, or a spectator (None), sees."""
        return bytes(self._with_own(viewer)[len(BEFORE_VIEW) :])

    def message(self, viewer: int | None, message: Any) -> bytes:
        """A message whose first field is the view of a viewer: written where the common fields already stand."""
        buffer = self._with_own(viewer)
        end = len(buffer)
        _encoder.encode_into(message, buffer, end)
        buffer[end] = COMMA  # the brace that opened the message
        return bytes(buffer)

    def _with_own(self, viewer: int | None) -> bytearray:
        buffer, end = self._buffer, self._end
        _encoder.encode_into(self._views.only(viewer), buffer, end)
        buffer[end] = COMMA  # the brace that closed the common fields, and then opened the viewer's own
        return buffer


def prefix(game: Game) -> str:
    """What the names of a game's types begin with where both games are described: `FairySchool`."""
    return game.id.title().replace("_", "")


def game_schemas(game: Game, reference: str = "{name}") -> dict[str, dict[str, Any]]:
    """The types of a game's views, previews and cards as JSON schemas by name, the view first. `reference` says how one
    names another."""
    schemas: dict[str, dict[str, Any]] = {}
    for root in (game.view_type, game.preview_type, game.card_type):
        if root is not None:
            schemas |= schemas_of(root, reference)
    return schemas


def schemas_of(root: type, reference: str = "{name}") -> dict[str, dict[str, Any]]:
    """A TypedDict and those that its fields use, as JSON schemas by name."""
    _, schemas = msgspec.json.schema_components([root], ref_template=reference)
    described: dict[str, dict[str, Any]] = {}
    for kind in typed_dicts(root):
        schema, hints = schemas[kind.__name__], get_type_hints(kind, include_extras=True)
        fields = {
            name: {**schema["properties"][name], "description": meaning(hint)} for name, hint in hints.items()
        }
        described[kind.__name__] = {**schema, "properties": fields, "additionalProperties": False}
    return described


def meaning(hint: Any) -> str:
    """What a field means: the text in its type, which may say first that the field is not required."""
    return str((hint.__args__[0] if get_origin(hint) is NotRequired else hint).__metadata__[0])


def typed_dicts(kind: Any) -> Iterator[Any]:
    """A TypedDict and those that its fields use, each once, in the order of the fields."""
    seen: list[Any] = []
    waiting = [kind]
    while waiting:
        part = waiting.pop(0)
        if hasattr(part, "__total__") and part not in seen:
            seen.append(part)
            waiting += get_type_hints(part).values()
        else:
            waiting = [*getattr(part, "__args__", ()), *waiting]
    yield from seen


def all_game_schemas() -> dict[str, dict[str, Any]]:
    """The types of all games for the OpenAPI description: `EquinoxView`, `FairySchoolPlayer`."""
    return {
        prefix(game) + name: schema
        for game in GAMES.values()
        for name, schema in game_schemas(game, f"{REFERENCE}{prefix(game)}{{name}}").items()
    }


VIEW_SCHEMA: dict[str, Any] = {
    "anyOf": [*({"$ref": f"{REFERENCE}{prefix(game)}View"} for game in GAMES.values()), {"type": "null"}]
}
"""A view of any game, or null where there is none."""
