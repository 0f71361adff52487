"""Reasons in words: why something cannot be chosen now, each said once for all things that it holds for."""

from collections.abc import Mapping
from typing import NamedTuple

from fabletop.core.game import Reason
from fabletop.lang.lines import Teller


class Why(NamedTuple):
    """A reason in words, the number of its rule, and the things that it holds for."""

    text: str
    rule: str
    things: list[str]


def in_words(teller: Teller, found: Mapping[str, Reason]) -> list[Why]:
    """The reasons of a choice, in the order in which the game gives them."""
    things: dict[Reason, list[str]] = {}
    for thing, reason in found.items():
        things.setdefault(reason, []).append(thing)
    return [Why(text_of(teller, reason), reason.rule, named) for reason, named in things.items()]


def text_of(teller: Teller, reason: Reason) -> str:
    """One reason in words."""
    values = {
        name: teller.say(name, value) if isinstance(value, str) else str(value)
        for name, value in reason.values
    }
    return teller.lexicon(f"{teller.game.id}.why.{reason.key}", **values)
