"""Events, choices and options in words, as they read best for one reader.

A game's language file has a table per event kind with up to three ways to say it, each of them also for a reader who
may not see the private part:

    [event.gave]
    you = "You give {target} {card}"            # the reader stands in the field `seat`
    to_you = "{seat} gives you {card}"          # the reader stands in the field `target`, `owner` or `giver`
    them = "{seat} gives {target} {card}"
    them_hidden = "{seat} gives {target} a card"

Where the event has a `count` (or a list) of exactly one, a way ending in `_one` is preferred: `you_one`,
`them_hidden_one`. Where `seat` and `owner` are the same seat, a way ending in `_own` is: `you_own`. A way that is
missing falls back on `them`; an event without a table, or with an empty text, is not worth a line in the log. A
placeholder that is no field of the event, such as `{amounts}` for five fields, is filled in by the game from all its
fields.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from string import Formatter
from typing import Any

from fabletop.core.errors import BadText
from fabletop.core.events import Event
from fabletop.core.game import Choice, Game
from fabletop.lang import Lexicon

TO_YOU = ("target", "owner", "giver")
"""The fields in which a reader is addressed by what another seat does."""

SEAT_VALUES = frozenset({"seat", "target", "asker", "giver", "owner", "by"})
"""The names under which a choice keeps seats."""


@cache
def placeholders(template: str) -> tuple[str, ...]:
    """The names to be filled in."""
    return tuple(name for _, name, _, _ in Formatter().parse(template) if name)


class Teller:
    """Tells what happened in a game to one reader (a seat, or None for a spectator) in one language."""

    def __init__(self, lexicon: Lexicon, game: Game, names: Sequence[str], reader: int | None) -> None:
        self.lexicon = lexicon
        self.game = game
        self.names = names
        self.reader = reader
        self._kinds = game.events.named

    def word(self, key: str) -> str:
        """A word or template of this game's language file, or, file first, of another ("cards.creature.elf")."""
        own = f"{self.game.id}.{key}"
        return self.lexicon.template(own if own in self.lexicon else key)

    def say(self, kind: str, value: Any) -> str:
        """A value of some kind in words."""
        if kind.endswith("*"):
            return self.join([self.say(kind[:-1], item) for item in value])
        if kind == "seat":
            return str(self.names[value])
        if kind == "count":
            return str(value)
        return self.game.say(kind, value, self.word)

    def join(self, words: Sequence[str]) -> str:
        """A list in words: a, b and c."""
        if not words:
            return self.lexicon("common.list.none")
        if len(words) == 1:
            return words[0]
        return self.lexicon("common.list.and", first=", ".join(words[:-1]), last=words[-1])

    def line(self, event: Event) -> str | None:
        """The event as a line of the log, or None where it is not worth one."""
        ways = self.lexicon.table(f"{self.game.id}.event").get(event.kind)
        if ways is None:
            return None
        kind = self._kinds[event.kind]
        values = {f.name: self.say(f.kind, event[f.name]) for f in kind.fields if f.name in event.fields}
        template = str(ways[self._way(event, ways)])
        for name in placeholders(template):
            if name not in values:
                values[name] = self.game.say(name, event.fields, self.word)
        return template.format(**values) or None

    def label(self, action: int) -> str:
        """An option in words."""
        text = self.game.actions[action]
        if text.startswith("seat-"):
            return str(self.names[int(text.removeprefix("seat-"))])
        return self.game.say("action", text, self.word)

    def prompt(self, choice: Choice) -> str:
        """The question in words: `<game>.choice.<kind>`, filled with what it is about; empty where the language file
        has no words for it.

        A variant is preferred where the language file has it: `<kind>_none` where nothing but a pass is left, and
        `<kind>_<flag>` where a flag of what it is about is set.
        """
        key = f"{self.game.id}.choice.{choice.kind}"
        flags = [name for name, value in choice.about.items() if value is True]
        if [self.game.actions[action] for action in choice.options] == ["pass"]:
            flags.insert(0, "none")
        variants = [f"{key}_{flag}" for flag in flags if f"{key}_{flag}" in self.lexicon]
        try:
            return self.lexicon(
                variants[0] if variants else key,
                **{name: self._about(name, value) for name, value in choice.about.items()},
            )
        except KeyError:
            return ""

    def _about(self, name: str, value: Any) -> str:
        """A value of a choice in words."""
        if isinstance(value, list | tuple):
            return self.join([self._about(name.removesuffix("s"), item) for item in value])
        if name in SEAT_VALUES and isinstance(value, int):
            return str(self.names[value])
        if not isinstance(value, str | Mapping):
            return str(value)
        try:
            return self.say(name, value)
        except (KeyError, BadText):
            return str(value)

    def _seats_listed(self, event: Event) -> list[int]:
        """The seats in a list, such as the winners."""
        lists = [field.name for field in self._kinds[event.kind].fields if field.kind == "seat*"]
        return [seat for name in lists for seat in event[name]]

    def _way(self, event: Event, ways: Mapping[str, str]) -> str:
        """Which of the ways to say it suits this reader."""
        person = "them"
        if self.reader is not None and (
            event.fields.get("seat") == self.reader or self.reader in self._seats_listed(event)
        ):
            person = "you"
        elif self.reader is not None and self.reader in (event.fields.get(name) for name in TO_YOU):
            person = "to_you"
        hidden = "_hidden" if len(event.fields) < len(self._kinds[event.kind].fields) else ""
        lists = [len(value) for value in event.fields.values() if isinstance(value, list)]
        if "owner" in event.fields and event["owner"] == event.fields.get("seat"):
            hidden += "_own"
        singular = "_one" if 1 in (event.fields.get("count"), *lists) else ""
        for way in (f"{person}{hidden}", f"them{hidden}", person, "them"):
            for key in (way + singular, way):
                if key in ways:
                    return key
        raise KeyError(f"the event {event.kind} has no way to be told to {person}{hidden}")
