"""Bots by name, as one types them: `uniform`, `greedy`, a level, with settings where wanted: `ismcts:iterations=2000`.

>>> Spec.read("ismcts:threads=2:milliseconds=50").text
'ismcts:milliseconds=50:threads=2'
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from fabletop.bots import Bot
from fabletop.bots.greedy import Greedy
from fabletop.bots.ismcts import Ismcts
from fabletop.bots.levels import LEVELS, bot
from fabletop.bots.uniform import Uniform
from fabletop.core.chance import Chance
from fabletop.core.errors import BadOptions

Number = type[int] | type[float]

THINKING: Mapping[str, Number] = {"iterations": int, "milliseconds": float, "threads": int}
SETTINGS: Mapping[str, Mapping[str, Number]] = {
    "uniform": {},
    "greedy": {"slack": float},
    "ismcts": {
        **THINKING,
        "explore": int,
        "heat": float,
        "prior": float,
        "stray": float,
        "horizon": int,
    },
    **{level.id: THINKING if level.searches else {} for level in LEVELS.values()},
}
"""What can be set of each bot."""
LEAST = {"iterations": 1, "threads": 1}
MAKERS: Mapping[str, Callable[..., Bot]] = {"uniform": Uniform, "greedy": Greedy, "ismcts": Ismcts}


@dataclass(frozen=True, slots=True)
class Spec:
    """A bot by name and settings."""

    name: str
    settings: tuple[tuple[str, float], ...] = ()

    @classmethod
    def read(cls, text: str) -> "Spec":
        """The bot that a text names; BadOptions says what there is."""
        name, *given = text.strip().lower().split(":")
        if name not in SETTINGS:
            raise BadOptions(f"there is no bot {name!r}; there are {', '.join(SETTINGS)}")
        found: dict[str, float] = {}
        for item in given:
            key, _, value = item.partition("=")
            found[key] = _number(name, key, value)
        if "iterations" in found and "milliseconds" in found:
            raise BadOptions(f"{text!r} sets both iterations and milliseconds; choose one")
        return cls(name, tuple(sorted(found.items())))

    @property
    def text(self) -> str:
        """The one way to write it."""
        return ":".join((self.name, *(f"{key}={value:.12g}" for key, value in self.settings)))

    @property
    def searches(self) -> bool:
        """Does it take its time?"""
        return "iterations" in SETTINGS[self.name]

    def made(self, chance: Chance, **more: Any) -> Bot:
        """A bot of this kind. What the spec does not set can be set by `more`, where that bot knows it."""
        known = {
            key: value for key, value in more.items() if key in SETTINGS[self.name] and value is not None
        }
        settings: dict[str, Any] = {**known, **dict(self.settings)}
        if "iterations" in dict(self.settings):
            settings.pop("milliseconds", None)
        if self.name in LEVELS:
            return bot(self.name, chance, **settings)
        return MAKERS[self.name](chance, **settings)


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
