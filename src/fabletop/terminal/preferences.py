"""How this screen plays: its language, the pauses of its bots, whether a lone pass answers itself."""

from dataclasses import dataclass, field
from typing import Any

from fabletop.core.game import Game
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
    """Before a lone pass answers itself: as long as a person might take, so that it reveals nothing."""


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
