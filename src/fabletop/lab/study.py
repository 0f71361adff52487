"""Studies: a TOML file says which bots play which games; from it follows the list of all games, in a fixed order.

    name = "levels"                     # of the results; default: the name of the file
    seed = "levels"                     # any text; the same seed gives the same deals

    [[match]]
    game = "equinox"
    bots = ["gretel", "puss:iterations=100"]
    pairing = "matrix"                  # mixed, matrix, same; `against = "greedy"` is one bot among copies of another
    deals = 50                          # each is played once in every rotation of the bots
    seats = [3, 4]                      # a list means: each of them
    options = { hand = [7, 8, 9] }      # options of the game; a list of values means: each of them
    cards = "cards.txt"                 # other cards, in the folder of the study
    repeats = 1                         # the same deals again, with other dice for the bots
    decisions = false                   # also a row for every decision
    records = 0                         # keep the records of the first N games of each table

`docs/lab.md` describes every field. A study that cannot be read says the place and what would be right.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import permutations, product
from pathlib import Path
from typing import Any

from fabletop.bots.specs import Spec
from fabletop.core.errors import BadOptions, FabletopError
from fabletop.games import GAMES, game_called, shown
from fabletop.lab.facts import checked_cards, measures_of
from fabletop.lab.matches import Planned, tables
from fabletop.lab.statistics import Estimate

PAIRINGS = ("mixed", "matrix", "same")
FORMAT = 1
"""Of studies and their results: a result of another format is not mixed with these."""


@dataclass(frozen=True, slots=True)
class Match:
    """Some bots that play one game with the same cards: every deal in each rotation, for each table of options."""

    name: str
    game: str
    bots: tuple[str, ...]
    deals: int
    pairing: str = "mixed"
    against: str = ""
    tables: tuple[Mapping[str, Any], ...] = ()
    """The options of each kind of table."""
    cards: str = ""
    """The text of a card file; empty for the cards of the package."""
    repeats: int = 1
    decisions: bool = False
    records: int = 0
    chosen: tuple[int, ...] = ()
    """The numbers of the deals, where they are not simply counted."""

    def lineups(self, seats: int, deal: int, seed: str) -> Iterator[list[str]]:
        """Who sits together in a deal, before they rotate."""
        if self.pairing == "same":
            yield from ([bot] * seats for bot in self.bots)
        elif self.pairing == "matrix":
            yield from ([bot] + [other] * (seats - 1) for bot, other in permutations(self.bots, 2))
        else:
            yield from tables(self.bots, seats, deal, seed, self.against or None)


@dataclass(frozen=True, slots=True)
class Job:
    """One game of a study. `index` counts all games of the study, `deal` those of its match."""

    index: int
    match: int
    deal: int
    repeat: int
    planned: Planned
    decisions: bool
    record: bool


@dataclass(frozen=True, slots=True)
class Mark:
    """A range that a value of a match should lie in. `statistic` is the mean or median of points, turns, actions or a
    fact; the share of the games in which it is between `from` and `to`; or, for all at once, the victories of the
    seats or of those who have a thing (above the fair share), and the rate of a fact for each thing."""

    match: str
    value: str
    statistic: str
    low: float
    high: float
    seats: int = 0
    least: float = 0.0
    most: float = 0.0

    def verdict(self, estimate: Estimate) -> str:
        """Whether a value lies in the range, if its whole interval says the same."""
        if self.low <= estimate.low and estimate.high <= self.high:
            return "met"
        if estimate.high < self.low or self.high < estimate.low:
            return "not met"
        return "not decided"


@dataclass(frozen=True, slots=True)
class Study:
    """A name, a seed, and the matches that are played."""

    name: str
    seed: str
    matches: tuple[Match, ...]
    marks: tuple[Mark, ...] = field(default=())

    def jobs(self) -> list[Job]:
        """All games, in the order in which they stand in the results. It depends on the study alone."""
        jobs: list[Job] = []
        for number, match in enumerate(self.matches):
            for options in match.tables:
                kept = match.records
                for deal, repeat in product(match.chosen or range(match.deals), range(match.repeats)):
                    for planned in self._games(match, options, deal, repeat):
                        jobs.append(Job(len(jobs), number, deal, repeat, planned, match.decisions, kept > 0))
                        kept -= 1
        return jobs

    def _games(self, match: Match, options: Mapping[str, Any], deal: int, repeat: int) -> Iterator[Planned]:
        seats: int = options["seats"]
        seed = f"{self.seed} {deal}"  # not of the match: the same deals in every match of a study
        for lineup in match.lineups(seats, deal, self.seed):
            turns = 1 if len(set(lineup)) == 1 else seats
            for turn in range(turns):
                seated = tuple(lineup[(seat - turn) % seats] for seat in range(seats))
                yield Planned(match.game, options, seed, seated, turn + repeat * seats)

    @property
    def digest(self) -> str:
        """What makes the results of two studies the same: their games, not their names."""
        facts = {
            "format": FORMAT,
            "seed": self.seed,
            "rules": {match.game: GAMES[match.game].digest for match in self.matches},
            "matches": [
                {field.name: getattr(match, field.name) for field in fields(match)} for match in self.matches
            ],
        }
        text = json.dumps(facts, sort_keys=True, default=list)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


# ---------------------------------------------------------------------------------------------- reading

TOP = ("name", "seed", "match", "mark")
OF_MATCH = (
    "name", "game", "bots", "deals", "pairing", "against", "seats", "options", "cards", "repeats", "decisions",
    "records",
)  # fmt: skip
OF_MARK = ("match", "value", "statistic", "low", "high", "seats", "from", "to")
STATISTICS = ("mean", "median", "share", "seats", "victories", "rate")


def read_study(path: Path, **changes: Any) -> Study:
    """A study from its file; FabletopError names the place. `changes` replace fields of every match, such as deals."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FabletopError(f"{path}: cannot be read ({error.strerror})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FabletopError(f"{path}: no TOML file: {error}") from None
    try:
        study = study_of(data, path.stem, path.parent)
    except FabletopError as error:
        raise FabletopError(f"{path}: {error}") from None
    return replace(study, matches=tuple(replace(match, **changes) for match in study.matches))


def study_of(data: Mapping[str, Any], name: str, folder: Path) -> Study:
    """A study from plain values; card files are looked for in `folder`."""
    known("the study", data, TOP)
    entries = data.get("match", [])
    if not isinstance(entries, list) or not entries:
        raise BadOptions("a study needs at least one [[match]]")
    matches = []
    for number, entry in enumerate(entries, 1):
        try:
            matches.append(match_of(entry, folder))
        except FabletopError as error:
            raise BadOptions(f"match {number}: {error}") from None
    names = [match.name for match in matches]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadOptions(f"two matches are called {twice!r}; give each a `name` of its own")
    marks = []
    for number, entry in enumerate(typed(data, "mark", list, []), 1):
        try:
            marks.append(mark_of(entry, matches))
        except FabletopError as error:
            raise BadOptions(f"mark {number}: {error}") from None
    title = typed(data, "name", str, name)
    return Study(title, typed(data, "seed", str, title), tuple(matches), tuple(marks))


def match_of(entry: Any, folder: Path) -> Match:
    """One match from its table."""
    if not isinstance(entry, Mapping):
        raise BadOptions("should be a table, written [[match]]")
    known("a match", entry, OF_MATCH)
    if "game" not in entry:
        raise BadOptions(f"`game` is missing; there are {', '.join(map(shown, GAMES))}")
    game = game_called(typed(entry, "game", str, "")).id
    bots = typed(entry, "bots", list, ["greedy"])
    against = typed(entry, "against", str, "")
    pairing = typed(entry, "pairing", str, "same" if len(bots) == 1 and not against else "mixed")
    if pairing not in PAIRINGS:
        raise BadOptions(
            f"`pairing` is {pairing!r}; it should be {', '.join(PAIRINGS[:-1])} or {PAIRINGS[-1]}"
        )
    if against and pairing != "mixed":
        raise BadOptions("`against` is a pairing of its own; leave `pairing` out")
    specs = tuple(spec_of(bot) for bot in bots)
    if len(set(specs)) < len(specs):
        raise BadOptions(f"a bot is named twice: {', '.join(specs)}")
    if pairing in ("mixed", "matrix") and not against and len(specs) < 2:
        raise BadOptions(f'one bot makes no {pairing} tables; `pairing = "same"` seats it everywhere')
    return Match(
        name=typed(entry, "name", str, game.replace("_", "-")),
        game=game,
        bots=specs,
        deals=at_least(entry, "deals", 1, 100),
        pairing=pairing,
        against=spec_of(against) if against else "",
        tables=tables_of(game, entry),
        cards=cards_of(game, entry, folder),
        repeats=at_least(entry, "repeats", 1, 1),
        decisions=typed(entry, "decisions", bool, False),
        records=at_least(entry, "records", 0, 0),
    )


def spec_of(bot: Any) -> str:
    """The one way to write a bot. Time limits are refused: how far a bot gets in a time differs from run to run."""
    if not isinstance(bot, str):
        raise BadOptions(f'`bots` has {bot!r}; a bot is a text, such as "greedy"')
    spec = Spec.read(bot, own=True)
    if spec.searches and "iterations" not in dict(spec.settings):
        raise BadOptions(
            f"{bot} thinks for a time, and so differs from run to run; say how far, such as {spec.name}:iterations=100"
        )
    return spec.text


def tables_of(game: str, entry: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Every combination of the seats and options that are given, checked by the game."""
    given = dict(typed(entry, "options", dict, {}))
    if "seats" in entry:
        given = {"seats": entry["seats"], **given}
    lists = {setting.name for setting in GAMES[game].settings if setting.kind == "some"}
    axes = []
    for key, value in given.items():
        several = isinstance(value, list) and not (key in lists and value and not isinstance(value[0], list))
        axes.append([(key, item) for item in value] if several else [(key, value)])
    tables = [GAMES[game].options(dict(some)) for some in product(*axes)]
    if not tables:
        raise BadOptions("an option has an empty list of values")
    return tuple(tables)


def cards_of(game: str, entry: Mapping[str, Any], folder: Path) -> str:
    """The text of another card file, read and checked."""
    file = typed(entry, "cards", str, "")
    return read_cards(game, folder / file) if file else ""


def read_cards(game: str, path: Path) -> str:
    """The text of a card file that the game can read."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadOptions(f"the card file {path} cannot be read ({error.strerror})") from None
    return checked_cards(game, text, str(path))


def mark_of(entry: Any, matches: Sequence[Match]) -> Mark:
    """One mark from its table, which is about something that its match has."""
    if not isinstance(entry, Mapping):
        raise BadOptions("should be a table, written [[mark]]")
    known("a mark", entry, OF_MARK)
    missing = [key for key in ("match", "value", "low", "high") if key not in entry]
    if missing:
        raise BadOptions(f"`{missing[0]}` is missing")
    name, statistic = typed(entry, "match", str, ""), typed(entry, "statistic", str, "mean")
    match = next((candidate for candidate in matches if candidate.name == name), None)
    if match is None:
        raise BadOptions(
            f"there is no match {name!r}; there are {', '.join(candidate.name for candidate in matches)}"
        )
    if statistic not in STATISTICS:
        raise BadOptions(f"`statistic` is {statistic!r}; it should be {', '.join(STATISTICS)}")
    value = typed(entry, "value", str, "")
    values = mark_values(match.game, statistic)
    if value not in values:
        raise BadOptions(
            f"{shown(match.game)} has no {statistic} of {value!r}; `value` should be {' or '.join(values)}"
        )
    seats, played = at_least(entry, "seats", 0, 0), sorted({table["seats"] for table in match.tables})
    if seats and seats not in played:
        raise BadOptions(f"`seats` is {seats}; the match is played with {', '.join(map(str, played))}")
    low, high, least, most = (number_of(entry, key) for key in ("low", "high", "from", "to"))
    if statistic == "share" and not least <= most:
        raise BadOptions(f"`from` is {least:g} and `to` {most:g}; they should be the other way round")
    if low > high:
        raise BadOptions(f"`low` is {low:g} and `high` {high:g}; they should be the other way round")
    return Mark(name, value, statistic, low, high, seats, least, most)


def mark_values(game: str, statistic: str) -> list[str]:
    """What a statistic of a mark can be about."""
    module = measures_of(game)
    if statistic == "seats":
        return ["victory"]
    if statistic == "rate":
        return list(module.RATES)
    if statistic == "victories":
        return [name for name in module.LABELS if name not in module.PLAIN]
    return ["points", "turns", "actions", *module.PLAIN]


def number_of(given: Mapping[str, Any], key: str) -> float:
    """A number; 0 where it is not given."""
    value = given.get(key, 0)
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise BadOptions(f"`{key}` is {value!r}; it should be a number")
    return float(value)


def known(what: str, given: Mapping[str, Any], fields_: Sequence[str]) -> None:
    """Refuse a field that does not exist."""
    for key in given:
        if key not in fields_:
            near = difflib.get_close_matches(key, fields_, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(fields_)}"
            raise BadOptions(f"{what} has no field {key!r}; {hint}")


def typed(given: Mapping[str, Any], key: str, kind: type, default: Any) -> Any:
    """A field of the right type."""
    value = given.get(key, default)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        names = {str: "a text", list: "a list", dict: "a table", bool: "true or false", int: "a whole number"}
        raise BadOptions(f"`{key}` is {value!r}; it should be {names[kind]}")
    return value


def at_least(given: Mapping[str, Any], key: str, least: int, default: int) -> int:
    """A whole number with a lower bound."""
    value: int = typed(given, key, int, default)
    if value < least:
        raise BadOptions(f"`{key}` is {value}; it should be at least {least}")
    return value
