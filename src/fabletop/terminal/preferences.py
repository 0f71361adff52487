"""How this screen plays: its language, the pauses of its bots, whether a lone pass answers itself."""

from dataclasses import dataclass, field
from typing import Any

from fabletop.core.errors import BadText
from fabletop.core.game import Choice, Game
from fabletop.lang import LANGUAGES, Lexicon
from fabletop.lang.lines import Teller
from fabletop.terminal.glyphs import seat_names


@dataclass(frozen=True, slots=True)
class Pauses:
    """Pauses in seconds. Zero everywhere makes the table as fast as it can be, which tests like."""

    bot: float = 0.7
    """Before a bot's action that all can watch."""
    hidden: float = 0.03
    """Before a bot's action in a stage that all play at once: nobody sees it, so nobody needs the time."""
    lone_pass: float = 1.2
    """Before a lone pass answers itself: as long as a person might take, so that it tells nothing."""


NO_PAUSES = Pauses(0, 0, 0)


@dataclass(slots=True)
class Preferences:
    """What a person can change without changing the game."""

    lang: str
    pauses: Pauses = field(default_factory=Pauses)
    auto_pass: bool = True

    @property
    def lexicon(self) -> Lexicon:
        """The words of the language."""
        return Lexicon(self.lang)

    def say(self, key: str, /, **values: Any) -> str:
        """A text of the terminal's own language file."""
        return self.lexicon(f"terminal.{key}", **values)

    def next_language(self) -> None:
        """Go on to the next language."""
        codes = list(LANGUAGES)
        self.lang = codes[(codes.index(self.lang) + 1) % len(codes)]

    def teller(self, game: Game, names: tuple[str, ...], reader: int | None) -> Teller:
        """A teller whose names carry the shapes of their seats."""
        return Teller(self.lexicon, game, seat_names(names), reader)

    def game_name(self, game: str) -> str:
        """What a game is called."""
        return self.lexicon(f"{game}.name.title")

    def game_line(self, game: str) -> str:
        """What a game is about, in a sentence."""
        return self.lexicon(f"{game}.name.short")


SEAT_VALUES = frozenset({"seat", "target", "asker", "giver", "owner", "by"})
"""Names of values in a choice that are seats."""


def question(choice: Choice, teller: Teller) -> str:
    """The choice put in words: `<game>.choice.<kind>`, filled with what it is about.

    A variant is preferred where the language file has it: `<kind>_none` where nothing but a pass is left, and
    `<kind>_<flag>` where a flag of what it is about is set.
    """
    said = {name: _said(name, value, teller) for name, value in choice.about.items()}
    key = f"{teller.game.id}.choice.{choice.kind}"
    flags = [name for name, value in choice.about.items() if value is True]
    if [teller.game.actions[action] for action in choice.options] == ["pass"]:
        flags.insert(0, "none")
    variants = [f"{key}_{flag}" for flag in flags if f"{key}_{flag}" in teller.lexicon]
    return teller.lexicon(variants[0] if variants else key, **said)


def _said(name: str, value: Any, teller: Teller) -> str:
    if isinstance(value, list | tuple):
        return teller.join([_said(name.removesuffix("s"), item, teller) for item in value])
    if name in SEAT_VALUES and isinstance(value, int):
        return teller.names[value]
    if not isinstance(value, str):
        return str(value)
    try:
        return teller.say(name, value)
    except (KeyError, BadText):
        return value
