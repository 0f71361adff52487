"""The form of the start screen: the settings of a new game, and the options that follow from them."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from fabletop.bots.levels import DEFAULT
from fabletop.core.errors import BadOptions
from fabletop.core.game import Game, Setting, offered
from fabletop.lang import Lexicon
from fabletop.terminal.seats import NAMES, Seating

BIRTHDAYS = "birthdays"
"""The way to find the first player that asks every seat for its birthday."""
DAY = re.compile(r"(\d{1,2})[-./ ](\d{1,2})\.?")

Say = Callable[..., str]


@dataclass(slots=True)
class NewGame:
    """A game that is being set up. `values` holds the settings by name; birthdays are kept by seat."""

    game: str
    seats: int
    names: list[str] = field(default_factory=lambda: list(NAMES))
    people: list[bool] = field(default_factory=lambda: [True] + [False] * (len(NAMES) - 1))
    levels: list[str] = field(default_factory=lambda: [DEFAULT] * len(NAMES))
    milliseconds: float | None = None
    birthdays: list[str] = field(default_factory=lambda: [""] * len(NAMES))
    values: dict[str, Any] = field(default_factory=dict)
    seed: str = ""

    def seating(self, say: Say) -> Seating:
        """The seating."""
        names = tuple(name.strip() for name in self.names[: self.seats])
        if not all(names):
            raise BadOptions(say("start.bad_empty_name", seat=names.index("") + 1))
        if len({name.casefold() for name in names}) < self.seats:
            raise BadOptions(say("start.bad_same_name"))
        people = tuple(seat for seat in range(self.seats) if self.people[seat])
        return Seating(names, people, tuple(self.levels[: self.seats]), self.milliseconds)

    def options(self, game: Game, say: Say) -> dict[str, Any]:
        """The options of the game; BadOptions says what would be right."""
        given: dict[str, Any] = {"seats": self.seats}
        for setting in offered(game.settings):
            given[setting.name] = self._value(setting, say)
        return game.options(given)

    def _value(self, setting: Setting, say: Say) -> Any:
        value = self.values.get(setting.name, setting.default)
        if setting.kind == "some" and isinstance(value, list) and len(value) != setting.count:
            raise BadOptions(say("start.bad_count", count=setting.count, chosen=len(value)))
        if setting.kind == "first" and value == BIRTHDAYS:
            days = [day_of(text, seat, say) for seat, text in enumerate(self.birthdays[: self.seats])]
            return {"birthdays": days, "today": date.today().isoformat()}  # noqa: DTZ011 - the players' own calendar
        if setting.kind == "first" and isinstance(value, int) and value >= self.seats:
            raise BadOptions(say("start.bad_first", seats=self.seats))
        return value


def day_of(text: str, seat: int, say: Say) -> str:
    """A birthday as month and day, `MM-DD`. `21.3.` and `21/03` are read as day and month, `03-21` as month and day."""
    match = DAY.fullmatch(text.strip())
    if match is None:
        raise BadOptions(say("start.bad_birthday", seat=seat + 1))
    first, second = int(match[1]), int(match[2])
    month, day = (first, second) if "-" in text else (second, first)
    try:
        date(2000, month, day)  # a leap year, for birthdays on 29 February
    except ValueError:
        raise BadOptions(say("start.bad_birthday", seat=seat + 1)) from None
    return f"{month:02}-{day:02}"


def setting_word(lexicon: Lexicon, game: str, setting: Setting, part: str) -> str:
    """A word about a setting: its `name`, its `help`, or one of its values (a creature has its own name)."""
    for key in (f"{game}.setting.{setting.name}.{part}", f"{game}.{setting.name.removesuffix('s')}.{part}"):
        if key in lexicon:
            return lexicon.template(key)
    return "" if part == "help" else part.replace("_", " ")
