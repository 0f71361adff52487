"""Shared client code knows no game: no name of one, none of its questions and none of its answers.

A game is reached through its parts (`web/src/games/index.ts`). The check reads the sources; it is itself tried on lines
that break it.
"""

import re
from pathlib import Path

import pytest

from fabletop import GAMES
from fabletop.games.equinox import constants as equinox
from fabletop.games.fairy_school import constants as fairy_school
from fabletop.server.protocol import wire
from tests.web.conftest import ROOT

SOURCE = ROOT / "web" / "src"
REGISTRY = SOURCE / "games" / "index.ts"

QUESTIONS = {*equinox.CHOICE_IDS[1:], *fairy_school.question_names[1:]}
ANSWERS = {action for game in GAMES.values() for action in game.actions}
MESSAGES = {
    kind.__struct_config__.tag for kind in (*wire.ClientMessage.__args__, *wire.ServerMessage.__args__)
}
WORDS = (QUESTIONS | ANSWERS) - MESSAGES

COMMENT = re.compile(r"<!--.*?-->|/\*.*?\*/|(?<!:)//[^\n]*", re.DOTALL)
STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
ATTRIBUTE = re.compile(r"[\w:-]+=\"[^\"{]*\"")
LITERAL = re.compile(r"[\"'`]([\w-]+)[\"'`]")


def shared_files() -> list[Path]:
    """The sources outside the games' own folders; tests may play a game, generated files name none."""
    own = [SOURCE / "games" / game for game in GAMES] + [SOURCE / "art"]
    files = [path for path in SOURCE.rglob("*") if path.suffix in (".ts", ".svelte")]
    return [
        path
        for path in sorted(files)
        if not path.name.endswith(".test.ts")
        and path.name != "wire.ts"
        and not any(folder in path.parents for folder in own)
    ]


def named(text: str, registry: bool = False) -> list[str]:
    """The games, questions and answers that a source names in its code."""
    code = COMMENT.sub("", STYLE.sub("", text))
    games = [] if registry else [game for game in GAMES if game in code.lower().replace(" ", "_")]
    return games + sorted({word for word in LITERAL.findall(ATTRIBUTE.sub("", code)) if word in WORDS})


def test_shared_code_names_no_game_no_question_and_no_answer() -> None:
    files = shared_files()
    assert len(files) > 30
    found = {
        str(path.relative_to(SOURCE)): named(path.read_text("utf-8"), path == REGISTRY) for path in files
    }
    assert {path: words for path, words in found.items() if words} == {}


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('if (choice.kind !== "predict") return;', ["predict"]),
        ('table.can("use")', ["use"]),
        ('import x from "../games/equinox/view.ts";', ["equinox"]),
        ('const game = "fairy_school";', ["fairy_school"]),
        ('case "done": // the message', []),
        ('// the question "predict" of Equinox', []),
        ('<p class="use">', []),
        ('<b onclick={() => table.choose("pass")}>', ["pass"]),
    ],
)
def test_a_name_is_found_in_code_alone(line: str, found: list[str]) -> None:
    assert named(line) == found
