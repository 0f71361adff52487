"""Who sits at the table: names, which seats are people at this screen, and the bots on the others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fabletop.bots.uniform import Uniform
from fabletop.core.chance import Chance, stream_word
from fabletop.core.errors import BadOptions
from fabletop.core.sitting import Sitting

NAMES = ("Ana", "Ben", "Cleo", "Dov", "Eli", "Fay")
BOT = "uniform"


@dataclass(frozen=True, slots=True)
class Company:
    """The names by seat, and the seats of the people at this screen; bots have the rest."""

    names: tuple[str, ...]
    people: tuple[int, ...]

    @property
    def shares_screen(self) -> bool:
        """Do several people use this screen, so that a curtain is needed between them?"""
        return len(self.people) > 1

    def about(self, lang: str) -> dict[str, Any]:
        """What a record keeps of the company."""
        bots = {str(seat): BOT for seat in range(len(self.names)) if seat not in self.people}
        return {"people": list(self.people), "bots": bots, "lang": lang}


def company(seats: int, people: int = 1, names: Sequence[str] = ()) -> Company:
    """The first seats for the people, bots on the rest; seats without a given name get one."""
    if not 0 <= people <= seats:
        raise BadOptions(f"{people} people cannot share {seats} seats; choose 0 to {seats} people")
    if len(names) > seats:
        raise BadOptions(f"{len(names)} names for {seats} seats; give at most {seats}")
    given = [name.strip() for name in names]
    free = [name for name in NAMES if name not in given]
    whole = [given[seat] if seat < len(given) and given[seat] else free.pop(0) for seat in range(seats)]
    if len(set(whole)) < seats:
        raise BadOptions("two seats have the same name; give each its own")
    return Company(tuple(whole), tuple(range(people)))


def company_of(names: Sequence[str], seats: int, about: Mapping[str, Any]) -> Company:
    """The company as a record keeps it; a record from elsewhere has one person, in seat 0."""
    found = company(seats, 1, list(dict.fromkeys(names))[:seats])
    people = about.get("people")
    if isinstance(people, list) and all(isinstance(seat, int) and 0 <= seat < seats for seat in people):
        found = Company(found.names, tuple(sorted(set(people))))
    return found


def bot_action(sitting: Sitting, seat: int) -> int:
    """What the bot in this seat answers: it sees its view and its choice, nothing else.

    Its chance hangs on the seed and on how often the seat has acted, so a resumed game goes on as it would have.
    """
    made = sum(who == seat for who, _ in sitting.actions)
    bot = Uniform(Chance(stream_word(sitting.seed, f"bot {seat}", made)))
    return bot.choose(sitting.view(seat), sitting.pending[seat])
