"""Names, rule texts and log lines in English, French and German.

A language is a folder of TOML files; keys are the ids used in code, values are templates for `str.format`. `Lexicon`
looks them up. `lines` turns events, choices and options into words for one reader, `reasons` why something cannot be
chosen, `handbook` the rules and the cards.
"""

import locale
import os
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGES = {"en": "English", "fr": "Français", "de": "Deutsch"}


def preferred() -> str:
    """The language of the environment, where we have it; else English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            code = os.environ[name][:2].lower()
            return code if code in LANGUAGES else "en"
    code = (locale.getlocale()[0] or "en")[:2].lower()
    return code if code in LANGUAGES else "en"


@cache
def _file(code: str, name: str) -> Mapping[str, Any]:
    return tomllib.loads((files(__name__) / code / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def _text(code: str, path: str) -> str | None:
    """The text behind a key; None where there is none, or a table."""
    node: Any = _file(code, path.partition(".")[0])
    for key in path.split(".")[1:]:
        node = node.get(key) if isinstance(node, dict) else None
    return node if isinstance(node, str) else None


class Lexicon:
    """One language. `lexicon("equinox.creature.hoot")` is file, then table, then key."""

    def __init__(self, code: str) -> None:
        if code not in LANGUAGES:
            raise ValueError(f"unknown language {code!r}: choose one of {', '.join(LANGUAGES)}")
        self.code = code

    def table(self, path: str) -> Mapping[str, Any]:
        """A whole file or a table of it."""
        name, *keys = path.split(".")
        node: Any = _file(self.code, name)
        for key in keys:
            node = node[key]
        if not isinstance(node, dict):
            raise KeyError(f"{path} is a text, not a table")
        return node

    def __contains__(self, path: str) -> bool:
        return _text(self.code, path) is not None

    def template(self, path: str) -> str:
        """The text behind a key, unfilled."""
        text = _text(self.code, path)
        if text is None:
            raise KeyError(f"there is no text {path}")
        return text

    def __call__(self, path: str, /, **values: Any) -> str:
        return self.template(path).format(**values)
