"""Reasons in words: why something cannot be chosen now, each said once for all things that it holds for."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from fabletop.core.game import Reason
from fabletop.games import GAMES
from fabletop.lang import Lexicon
from fabletop.lang.lines import Teller


class Why(NamedTuple):
    """A reason in words, the number of its rule, and the things that it holds for."""

    text: str
    rule: str
    things: list[str]


def in_words(teller: Teller, reasons: Mapping[str, Reason]) -> list[Why]:
    """The reasons of a choice, in the order in which the game gives them."""
    things: dict[Reason, list[str]] = {}
    for thing, reason in reasons.items():
        things.setdefault(reason, []).append(thing)
    code, game = teller.lexicon.code, teller.game.id
    return [Why(text_of(code, game, reason), reason.rule, named) for reason, named in things.items()]


@cache
def text_of(code: str, game: str, reason: Reason) -> str:
    """One reason in words. There are a few dozen, and a table says them at every choice."""
    teller = Teller(Lexicon(code), GAMES[game], (), None)
    values = {
        name: teller.say(name, value) if isinstance(value, str) else str(value)
        for name, value in reason.values
    }
    return teller.lexicon(f"{game}.why.{reason.key}", **values)
