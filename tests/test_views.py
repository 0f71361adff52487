"""Views are exactly what their types say, on random play, and the same with and without the compiler."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints, is_typeddict

import msgspec
import pytest

from fabletop import GAMES
from fabletop.bots.greedy import knowledge_of
from fabletop.core.chance import Chance
from fabletop.core.game import Game
from fabletop.core.sitting import Sitting
from fabletop.lang import LANGUAGES, Lexicon
from fabletop.lang.handbook import card_entries
from fabletop.server.api.handlers import Handlers
from fabletop.server.api.openapi import openapi
from fabletop.server.protocol.views import ViewBytes, schemas_of, typed_dicts

WORLDS: list[tuple[str, dict[str, Any]]] = [
    *(("equinox", {"seats": seats}) for seats in range(2, 6)),
    ("fairy_school", {"seats": 2, "setup": "beginners", "length": "short"}),
    ("fairy_school", {"seats": 2, "setup": "expert"}),
    ("fairy_school", {"seats": 3, "length": "short"}),
    ("fairy_school", {"seats": 4, "setup": "expert", "wider": True}),
    ("fairy_school", {"seats": 5, "setup": "beginners"}),
    ("fairy_school", {"seats": 6, "setup": "normal", "wider": True}),
    ("fairy_school", {"seats": 6, "setup": "expert", "length": "short"}),
]


# what is asked for each part of each view
hints = cache(get_type_hints)
origin_of = cache(get_origin)
arguments_of = cache(get_args)


def faults(value: Any, kind: Any, path: str = "view") -> list[str]:
    """Where a value is not of a type, as a list of places."""
    if kind is Any or type(value) is kind:
        return []
    if is_typeddict(kind):
        fields = hints(kind)
        if not isinstance(value, dict) or not kind.__required_keys__ <= value.keys() <= fields.keys():
            return [f"{path}: {sorted(value) if isinstance(value, dict) else value}"]
        return [fault for name in value for fault in faults(value[name], fields[name], f"{path}.{name}")]
    origin, arguments = origin_of(kind), arguments_of(kind)
    if origin is list and isinstance(value, list):
        return [fault for item in value for fault in faults(item, arguments[0], f"{path}[]")]
    if origin is dict and isinstance(value, dict):
        return [fault for item in value.values() for fault in faults(item, arguments[1], f"{path}{{}}")]
    if origin is Literal:
        return [] if value in arguments else [f"{path}: {value!r}"]
    if origin is not None and origin not in (list, dict):  # a union
        return [] if any(not faults(value, one, path) for one in arguments) else [f"{path}: {value!r}"]
    return [f"{path}: {value!r} is no {kind}"]


def walk(game: Game, options: dict[str, Any], seed: str, every: int = 1) -> Iterator[Any]:
    """A random game: its states, every so often and wherever a phase begins."""
    chance = Chance.from_text(seed)
    state = game.new(options, [chance.word() for _ in range(options["seats"] + 1)])
    number, phase = 0, None
    while asked := state.asked():
        if number % every == 0 or state.phase != phase:
            yield state
        number, phase = number + 1, state.phase
        seat = chance.pick(asked)
        state.apply(seat, chance.pick(state.legal(seat)))
    yield state


@pytest.mark.parametrize(("name", "options"), WORLDS)
def test_views_are_of_their_type(name: str, options: dict[str, Any]) -> None:
    game = GAMES[name]
    phases = set()
    for state in walk(game, options, f"shape {options}", 1 if name == "equinox" else 9):
        for viewer in (None, *range(options["seats"])):
            view = game.view(state, viewer)
            assert faults(view, game.view_type) == []
            if view["own"] and "began" in view["own"]:  # a part of the viewer's own area
                area = {**view["players"][viewer], **view["own"]["began"]}
                assert faults(area, arguments_of(hints(game.view_type)["players"])[0]) == []
        phases.add(view["phase"])
    assert len(phases) > 8
    assert "over" in phases


@pytest.mark.parametrize("name", GAMES)
def test_a_view_of_another_shape_is_noticed(name: str) -> None:
    game = GAMES[name]
    view = dict(Sitting(game, {}, seed="shape").view(0))
    own, first = dict(view["own"]), dict(view["players"][0])
    del first["hand"]
    more = []
    if name == "equinox":
        column = view["columns"][0]
        more = [
            {**view, "columns": [{**column, "cells": [{**column["cells"][0], "strength": 7}]}]},
            {**view, "columns": [{**column, "cells": [{**column["cells"][0], "weight": 7.0}]}]},
        ]
    assert faults(view, game.view_type) == []
    for wrong in (
        {**view, "more": 1},
        {key: value for key, value in view.items() if key != "own"},
        {**view, "viewer": "0"},
        {**view, "own": {**own, "hand": [1]}},
        {**view, "players": [first, *view["players"][1:]]},
        *more,
    ):
        assert faults(wrong, game.view_type) != []


@pytest.mark.parametrize(("name", "options"), WORLDS[::2])
def test_the_bytes_of_a_view_are_the_view(name: str, options: dict[str, Any]) -> None:
    game = GAMES[name]
    for state in walk(game, options, f"bytes {options}", 7):
        sent = ViewBytes(game, state)
        for viewer in (*range(options["seats"]), None):
            assert json.loads(sent.view(viewer)) == game.view(state, viewer)


@pytest.mark.parametrize("name", GAMES)
def test_the_schema_names_every_field_with_its_meaning(name: str) -> None:
    game = GAMES[name]
    schemas = schemas_of(game.view_type)
    assert next(iter(schemas)) == "View"
    assert list(schemas["View"]["properties"]) == list(Sitting(game, {}, seed="schema").view(None))
    optional = {kind.__name__: kind.__optional_keys__ for kind in typed_dicts(game.view_type)}
    assert [fields for fields in optional.values() if fields] == ([{"strength"}] if name == "equinox" else [])
    for kind, schema in schemas.items():
        assert sorted(schema["required"]) == sorted(schema["properties"].keys() - optional[kind])
        assert all(part["description"] for part in schema["properties"].values())


@pytest.mark.parametrize("name", GAMES)
def test_the_data_of_a_card_is_what_its_type_says(name: str) -> None:
    game = GAMES[name]
    for lang in LANGUAGES:
        for entry in card_entries(game, Lexicon(lang)):
            data = json.loads(msgspec.json.encode(entry.data))
            assert (data == {}) if game.card_type is None else (data and not faults(data, game.card_type)), (
                entry
            )


def test_openapi_describes_the_views() -> None:
    schemas = openapi(Handlers)["components"]["schemas"]
    text = json.dumps(schemas)
    assert {"EquinoxView", "EquinoxCell", "FairySchoolView", "FairySchoolPlayer"} <= schemas.keys()
    named = {part.partition('"')[0] for part in text.split('"#/components/schemas/')[1:]}
    assert named <= schemas.keys()
    assert {"EquinoxView", "FairySchoolView"} <= named


def test_a_spectator_s_view_is_no_view_for_a_bot() -> None:
    for game in GAMES.values():
        with pytest.raises(ValueError, match="spectator"):
            knowledge_of(Sitting(game, {}, seed="bot").view(None))


def digest() -> str:
    """A digest of views, of views as a server packs them, and of states imagined from views, of both games."""
    found = hashlib.sha256()
    for name, options in (WORLDS[1], WORLDS[3], *WORLDS[5:7], WORLDS[9]):
        game = GAMES[name]
        for state in walk(game, options, f"same {options}", 5 if name == "equinox" else 60):
            packed = game.views(state, lambda part: {"packed": part})
            for viewer in (None, *range(options["seats"])):
                view = game.view(state, viewer)
                found.update(msgspec.json.encode(view))
                found.update(msgspec.json.encode([packed.common(), packed.only(viewer)]))
                found.update(game.position(game.imagine(view, Chance(1))).encode())
    return found.hexdigest()


def test_compiled_and_interpreted_views_are_the_same() -> None:
    code = "import sys; sys.path.insert(0, 'tests'); import test_views; print(test_views.digest())"
    command = [sys.executable, "-c", code]
    env = {**os.environ, "FABLETOP_PURE": "1"}
    pure = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    assert pure.stdout.strip() == digest()
