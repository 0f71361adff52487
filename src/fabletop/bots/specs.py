"""Bots by name, as one types them: `uniform`, `greedy`, `learned`, a level, with settings where wanted.

`ismcts:iterations=2000` has one.

A bot of one's own is `module:attribute`, also with settings: `my_module:MyBot:depth=3`. The attribute is a class or
function that makes the bot: it is called with a `Chance`, if it takes one, and with the settings as keywords.

>>> Spec.read("ismcts:threads=2:milliseconds=50").text
'ismcts:milliseconds=50:threads=2'
"""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

from fabletop.bots import Bot
from fabletop.bots.greedy import Greedy
from fabletop.bots.ismcts import Ismcts
from fabletop.bots.learned import Learned
from fabletop.bots.levels import LEVELS, bot
from fabletop.bots.uniform import Uniform
from fabletop.core.chance import Chance
from fabletop.core.errors import BadOptions

Number = type[int] | type[float]

THINKING: Mapping[str, Number] = {"iterations": int, "milliseconds": float, "threads": int}
AS_PLAYED = "as_played"
"""With `queen:as_played=1` a level thinks as it does at a table: with all its threads, also where others set them."""
SETTINGS: Mapping[str, Mapping[str, Number]] = {
    "uniform": {},
    "greedy": {"slack": float},
    "learned": {},
    "ismcts": {
        **THINKING,
        "explore": int,
        "heat": float,
        "prior": float,
        "stray": float,
        "horizon": int,
        "net": int,
        "paced": int,
        "slack": float,
    },
    **{level.id: {**THINKING, AS_PLAYED: int} if level.searches else {} for level in LEVELS.values()},
}
"""What can be set of each bot."""
LEAST = {"iterations": 1, "threads": 1}
MAKERS: Mapping[str, Callable[..., Bot]] = {
    "uniform": Uniform,
    "greedy": Greedy,
    "learned": Learned,
    "ismcts": Ismcts,
}


@dataclass(frozen=True, slots=True)
class Spec:
    """A bot by name and settings."""

    name: str
    settings: tuple[tuple[str, float], ...] = ()

    @classmethod
    def read(cls, text: str, *, own: bool = False) -> "Spec":
        """The bot that a text names; BadOptions says what there is.

        With `own`, also `module:attribute`, which is imported: only for texts that the user has typed, never for those
        that come with a record or over the wire.
        """
        name, *given = text.strip().lower().split(":")
        if name not in SETTINGS:
            if own and ":" in text:
                return _own(text.strip())
            more = ", or module:attribute for one of your own" if own else ""
            raise BadOptions(f"there is no bot {name!r}; there are {', '.join(SETTINGS)}{more}")
        settings: dict[str, float] = {}
        for item in given:
            key, _, value = item.partition("=")
            settings[key] = _number(name, key, value)
        if "iterations" in settings and "milliseconds" in settings:
            raise BadOptions(f"{text!r} sets both iterations and milliseconds; choose one")
        return cls(name, tuple(sorted(settings.items())))

    @property
    def text(self) -> str:
        """The one way to write it."""
        return ":".join((self.name, *(f"{key}={value:.12g}" for key, value in self.settings)))

    @property
    def searches(self) -> bool:
        """Does it take its time?"""
        return "iterations" in SETTINGS.get(self.name, {})

    def made(self, chance: Chance, **more: Any) -> Bot:
        """A bot of this kind. What the spec does not set can be set by `more`, where that bot knows it."""
        if self.name not in SETTINGS:
            return _made(self.name, chance, dict(self.settings))
        known = {
            key: value for key, value in more.items() if key in SETTINGS[self.name] and value is not None
        }
        settings: dict[str, Any] = {**known, **dict(self.settings)}
        if "iterations" in dict(self.settings):
            settings.pop("milliseconds", None)
        if settings.pop(AS_PLAYED, 0):
            settings = {key: value for key, value in settings.items() if key in dict(self.settings)}
        if self.name in LEVELS:
            return bot(self.name, chance, **settings)
        return MAKERS[self.name](chance, **settings)


def _own(text: str) -> Spec:
    """A bot of the user's own; BadOptions says what is wrong with it."""
    module, attribute, *given = text.split(":")
    settings = {}
    for item in given:
        key, _, value = item.partition("=")
        try:
            settings[key] = float(value)
        except ValueError:
            raise BadOptions(f"{item!r} of {text!r} should be a name and a number, such as depth=3") from None
    name = f"{module}:{attribute}"
    _attribute(name)
    return Spec(name, tuple(sorted(settings.items())))


def _attribute(name: str) -> Any:
    """What `module:attribute` means; modules in the current folder are found as well."""
    module, _, attribute = name.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        value: Any = import_module(module)
    except ImportError as error:
        raise BadOptions(f"the bot {name!r} cannot be imported: {error}") from None
    for part in attribute.split("."):
        if not hasattr(value, part):
            raise BadOptions(f"the module {module!r} has no {attribute!r}")
        value = getattr(value, part)
    return value


def created(name: str, chance: Chance, settings: Mapping[str, float]) -> Any:
    """What `module:attribute` makes, whatever it is."""
    result = _attribute(name)
    if callable(result):
        whole = {key: int(value) if value.is_integer() else value for key, value in settings.items()}
        takes = [p for p in signature(result).parameters.values() if p.name not in whole]
        positional = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD, Parameter.VAR_POSITIONAL)
        given = (chance,) if any(p.kind in positional for p in takes) else ()
        try:
            result = result(*given, **whole)
        except TypeError as error:
            raise BadOptions(f"the bot {name!r} cannot be made: {error}") from None
    return result


def _made(name: str, chance: Chance, settings: Mapping[str, float]) -> Bot:
    value = created(name, chance, settings)
    if not hasattr(value, "choose"):
        raise BadOptions(f"{name!r} is no bot: it should make an object with a method choose(view, choice)")
    bot: Bot = value
    return bot


def _number(name: str, key: str, value: str) -> float:
    known = SETTINGS[name]
    if key not in known:
        there = f"it knows {', '.join(known)}" if known else "there is nothing to set"
        raise BadOptions(f"{name} has no setting {key!r}; {there}")
    try:
        number = known[key](value)
    except ValueError:
        kind = "a whole number" if known[key] is int else "a number"
        raise BadOptions(f"{key}={value} of {name} should be {kind}, such as {key}=100") from None
    if not LEAST.get(key, 0) <= number < float("inf"):
        raise BadOptions(f"{key}={value} of {name} should be at least {LEAST.get(key, 0)}")
    return number
