"""Words for one reader: log lines of events, prompts and labels of choices, in the language the client asked for."""

from collections.abc import Mapping
from typing import Any

from fabletop.core.errors import BadText
from fabletop.core.events import Event
from fabletop.core.game import Choice, Game, Reason
from fabletop.lang import LANGUAGES, Lexicon
from fabletop.lang.lines import Teller
from fabletop.lang.reasons import Why, in_words

SEAT_VALUES = frozenset({"seat", "target", "asker", "giver", "owner", "by"})
"""Names of values in a choice that are seats."""


class Speaker:
    """Speaks one language to one viewer of a game at which people with these names sit."""

    def __init__(self, game: Game, names: tuple[str, ...], viewer: int | None, lang: str) -> None:
        self.teller = Teller(Lexicon(lang if lang in LANGUAGES else "en"), game, names, viewer)

    def event(self, event: Event) -> dict[str, Any]:
        """The event with its line of the log; `line` is null where it is not worth one."""
        return {**event.json(), "line": self.teller.line(event)}

    def label(self, action: int) -> str:
        """An option in words."""
        text = self.teller.game.actions[action]
        if text.startswith("seat-"):
            return str(self.teller.names[int(text.removeprefix("seat-"))])
        return self.teller.game.say("action", text, self.teller.word)

    def prompt(self, choice: Choice) -> str:
        """The question in words: the variant that the language file has for it, filled with what it is about."""
        lexicon, key = self.teller.lexicon, f"{self.teller.game.id}.choice.{choice.kind}"
        flags = [name for name, value in choice.about.items() if value is True]
        if [self.teller.game.actions[action] for action in choice.options] == ["pass"]:
            flags.insert(0, "none")
        keys = [f"{key}_{flag}" for flag in flags if f"{key}_{flag}" in lexicon]
        said = {name: self._said(name, value) for name, value in choice.about.items()}
        try:
            return lexicon(keys[0] if keys else key, **said)
        except KeyError:
            return ""

    def reasons(self, found: Mapping[str, Reason]) -> list[Why]:
        """The reasons of a choice in words."""
        return in_words(self.teller, found)

    def _said(self, name: str, value: Any) -> str:
        if isinstance(value, list | tuple):
            return self.teller.join([self._said(name.removesuffix("s"), item) for item in value])
        if name in SEAT_VALUES and isinstance(value, int):
            return str(self.teller.names[value])
        if not isinstance(value, str):
            return str(value)
        try:
            return self.teller.say(name, value)
        except (KeyError, BadText):
            return value
