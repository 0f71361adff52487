"""Refusals are in the language of the client."""

import ast
from pathlib import Path

import pytest

from fabletop.lang import LANGUAGES, Lexicon
from fabletop.server.api.transport import language_of
from fabletop.server.protocol.errors import STATUS, ApiError, worded
from tests.server.hall import raw, table_of

SERVER = Path(__file__).parents[2] / "src" / "fabletop" / "server"


def keys_in_code():
    """The first part of every key that `worded` is called with; those made from several parts end in a bar."""
    for path in SERVER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "worded":
                key = node.args[1]
                yield key.value if isinstance(key, ast.Constant) else key.values[0].value


def test_every_text_is_used_and_every_use_has_a_text():
    used, texts = set(keys_in_code()), set(Lexicon("en").table("refusals.reason"))
    assert {key for key in used if not key.endswith("_")} <= texts
    assert {text for text in texts if text not in used and not text.startswith("undo_")} == set()
    assert set(Lexicon("en").table("refusals.code")) == set(STATUS)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_error_has_words_in_every_language(lang):
    gone = worded("not_allowed", "just_gone", 3.5, name="Ana", seconds=4)
    assert gone.wait == 3.5
    assert "Ana" in gone.in_language(lang)
    assert (gone.in_language(lang) == gone.message) == (lang == "en")
    plain = ApiError("bad_message", "the field x is wrong")
    assert (plain.in_language(lang) == plain.message) == (lang == "en")
    assert plain.in_language(None) == plain.message


def test_the_first_language_that_we_have_counts():
    class Request:
        def __init__(self, header):
            self.headers = {} if header is None else {"Accept-Language": header}

    headers = {None: None, "": None, "it, es;q=0.5": None, "it, de-CH;q=0.9, fr;q=0.8": "de", "FR": "fr"}
    assert {header: language_of(Request(header)) for header in headers} == headers


async def test_a_client_is_refused_in_its_language(open_hall):
    _, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    line = await raw(client, table, tokens[0], lang="de")
    await line.say({"type": "rematch", "id": "x"})
    assert (await line.hear("error"))["message"] == "eine Revanche gibt es erst nach dem Ende der Partie"
    async with client.session.get(
        f"{client.address}/api/tables/nothing", headers={"Accept-Language": "fr-FR,fr;q=0.9"}
    ) as answer:
        assert "cette table n’existe pas" in (await answer.json())["message"]
    async with client.session.get(f"{client.address}/api/tables/nothing") as answer:
        assert "there is no such table" in (await answer.json())["message"]
    stranger = await raw(client, "nothing", lang="fr")
    assert "cette table n’existe pas" in stranger.welcome["message"]
