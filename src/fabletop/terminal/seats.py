"""The seats of a table: their names, the people at this screen, and the bots in the other seats."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fabletop.bots.hint import MILLISECONDS, adviser
from fabletop.bots.ismcts import Ismcts
from fabletop.bots.levels import DEFAULT, GRACE, LONGEST, Steady, cores
from fabletop.bots.specs import Spec
from fabletop.core.chance import Chance, stream_word
from fabletop.core.errors import BadOptions
from fabletop.core.sitting import Sitting

NAMES = ("Ana", "Ben", "Cleo", "Dov", "Eli", "Fay")


@dataclass(frozen=True, slots=True)
class Seating:
    """The names by seat, and the seats of the people at this screen; bots have the rest.

    `bots` names a bot for every seat, and is ignored for seats of people; `milliseconds` overrides their thinking time.
    """

    names: tuple[str, ...]
    people: tuple[int, ...]
    bots: tuple[str, ...] = ()
    milliseconds: float | None = None

    @property
    def shares_screen(self) -> bool:
        """Do several people use this screen, so that a curtain is needed between them?"""
        return len(self.people) > 1

    def bot(self, seat: int) -> Spec:
        """Which bot plays for a seat."""
        return Spec.read(self.bots[seat] if self.bots else DEFAULT, own=True)

    def about(self, lang: str) -> dict[str, Any]:
        """The seating as a record stores it."""
        bots = {str(seat): self.bot(seat).text for seat in range(len(self.names)) if seat not in self.people}
        time = {} if self.milliseconds is None else {"milliseconds": self.milliseconds}
        return {"people": list(self.people), "bots": bots, **time, "lang": lang}


def seating(
    seats: int,
    people: int = 1,
    names: Sequence[str] = (),
    bots: Sequence[str] = (),
    milliseconds: float | None = None,
) -> Seating:
    """The first seats for the people, bots on the rest; seats without a given name get one.

    One bot is for all seats without people; several are for one such seat each, in order.
    """
    if not 0 <= people <= seats:
        raise BadOptions(f"{people} people cannot share {seats} seats; choose 0 to {seats} people")
    if len(names) > seats:
        raise BadOptions(f"{len(names)} names for {seats} seats; give at most {seats}")
    given = [name.strip() for name in names]
    free = [name for name in NAMES if name not in given]
    whole = [given[seat] if seat < len(given) and given[seat] else free.pop(0) for seat in range(seats)]
    if len(set(whole)) < seats:
        raise BadOptions("two seats have the same name; give each its own")
    specs = [Spec.read(text, own=True).text for text in bots] or [DEFAULT]
    if len(specs) not in (1, seats - people):
        raise BadOptions(f"{len(specs)} bots for {seats - people} seats; name one for all, or one for each")
    seated = specs * seats if len(specs) == 1 else [DEFAULT] * people + specs
    return Seating(tuple(whole), tuple(range(people)), tuple(seated[:seats]), milliseconds)


def seating_of(names: Sequence[str], seats: int, about: Mapping[str, Any]) -> Seating:
    """The seating of a record; a record from another program has one person, in seat 0."""
    result = seating(seats, 1, list(dict.fromkeys(names))[:seats])
    people = about.get("people")
    if isinstance(people, list) and all(isinstance(seat, int) and 0 <= seat < seats for seat in people):
        result = replace(result, people=tuple(sorted(set(people))))
    bots = about.get("bots")
    if isinstance(bots, dict):
        result = replace(result, bots=tuple(_known(bots.get(str(seat))) for seat in range(seats)))
    time = about.get("milliseconds")
    if isinstance(time, int | float) and time > 0:
        result = replace(result, milliseconds=float(time))
    return result


def _known(text: object) -> str:
    """A bot as a record names it; the default where this version does not know it. Nothing that a record names is
    imported."""
    try:
        return Spec.read(str(text)).text
    except BadOptions:
        return DEFAULT


def bot_in(sitting: Sitting, seating: Seating, seat: int) -> Steady:
    """The bot in this seat, for its next answer.

    Its chance depends on the seed and on the number of the seat's actions, so a resumed game continues as it
    would have, unless bots search by the clock.
    """
    chance = _chance(sitting, "bot", seat)
    made = seating.bot(seat).made(chance, milliseconds=seating.milliseconds)
    if isinstance(made, Steady):
        return made
    limit = None
    if isinstance(made, Ismcts):
        limit = LONGEST if made.iterations is not None else made.milliseconds / 1000 + GRACE
    return Steady(made, chance, limit)


def adviser_for(sitting: Sitting, seating: Seating, seat: int) -> Ismcts:
    """The bot that gives hints."""
    time = MILLISECONDS if seating.milliseconds is None else seating.milliseconds
    return adviser(_chance(sitting, "hint", seat), milliseconds=time, threads=min(2, cores()))


def _chance(sitting: Sitting, stream: str, seat: int) -> Chance:
    return Chance(stream_word(sitting.seed, f"{stream} {seat}", sitting.made(seat)))
