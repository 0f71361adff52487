"""Matches: the same deals, played with the entrants in every seat; each game is one line of JSON.

A *plan* lists the games of a match before any is played, and depends only on its arguments, so an
interrupted match can be resumed. A *pairing* is the bots at one table; every deal is played once for each seat, with
the bots rotated by one. All games of a deal have the same seed, and so the same cards, as far as the players' actions
allow.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from time import perf_counter
from typing import Any

from fabletop.bots import Bot
from fabletop.bots.play import run_from_record, run_from_views
from fabletop.bots.specs import Spec
from fabletop.core.chance import Chance
from fabletop.core.errors import BadOptions, BadRecord
from fabletop.core.events import Row
from fabletop.core.game import Choice, Game, View, victory_shares
from fabletop.core.sitting import Sitting
from fabletop.games import GAMES, game_called, shown

MARK, FORMAT = "game", 1


@dataclass(frozen=True, slots=True)
class Planned:
    """A game of a plan: `entrants` are specs by seat, `turned` is the rotation within its deal."""

    game: str
    options: Mapping[str, Any]
    seed: str
    entrants: tuple[str, ...]
    turned: int

    @property
    def key(self) -> str:
        """What makes this game this game and no other."""
        rules = GAMES[self.game].rules
        return _key(self.game, rules, self.options, self.seed, self.entrants, self.turned)


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played. `choices` counts by seat the choices that had several options, `seconds` the time they
    took; `actions` counts all answers, `turns` the turns as the game counts them."""

    game: str
    rules: int
    options: Mapping[str, Any]
    seed: str
    entrants: tuple[str, ...]
    turned: int
    scores: tuple[float, ...]
    winners: tuple[int, ...]
    reason: str
    turns: int
    actions: int
    choices: tuple[int, ...]
    seconds: tuple[float, ...]
    digest: str = ""
    """Of the cards and rules (`Game.digest`); older lines have none and count as of today's."""
    record: str = ""
    """The file with the record of the game, in the folder that was given for records."""
    wrong: int = 0
    """Answers of a player in words that were no options."""

    @property
    def key(self) -> str:
        """What makes this game this game and no other."""
        key = _key(self.game, self.rules, self.options, self.seed, self.entrants, self.turned)
        return f"{key} {self.digest}" if self.other_cards else key

    @property
    def other_cards(self) -> bool:
        """Was it played with other cards than there are now?"""
        return self.digest not in ("", GAMES[self.game].digest)

    @property
    def shares(self) -> tuple[float, ...]:
        """The share of the victory of each seat."""
        return victory_shares(self.winners, len(self.scores))

    def line(self) -> str:
        """The game as one line of JSON."""
        return json.dumps({"fabletop": MARK, "format": FORMAT, **asdict(self)}, ensure_ascii=False)


def read_line(line: str) -> Played:
    """Parse a line; BadRecord says what is wrong with it."""
    try:
        data = json.loads(line)
    except json.JSONDecodeError:
        raise BadRecord("not a line of JSON") from None
    if not isinstance(data, dict) or data.pop("fabletop", None) != MARK:
        raise BadRecord(f'no game of a ladder: it should begin with "fabletop": "{MARK}"')
    if data.pop("format", None) != FORMAT:
        raise BadRecord(f"another format; this version reads format {FORMAT}")
    try:
        entries: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in data.items()}
        played = Played(**entries)
        seats = len(played.entrants)
        sound = seats == len(played.scores) == len(played.choices) == len(played.seconds) and played.winners
        if not sound or not all(0 <= seat < seats for seat in played.winners):
            raise BadRecord("entrants, scores and winners do not fit each other")
    except TypeError:
        raise BadRecord("some entries are missing, or there are some too many") from None
    return played


def _key(game: str, rules: int, options: Mapping[str, Any], *rest: Any) -> str:
    return json.dumps([game, rules, dict(sorted(options.items())), *rest])


# ---------------------------------------------------------------------------------------------- planning


def plan(
    game: str,
    options: Mapping[str, Any],
    entrants: Sequence[str],
    deals: int,
    seed: str,
    against: str | None = None,
) -> list[Planned]:
    """All games of a match, deal by deal. With `against`, each entrant meets a whole table of that one."""
    played = game_called(game)
    game, chosen = played.id, played.options(options)
    seats: int = chosen["seats"]
    names = checked(entrants, against)
    other = None if against is None else Spec.read(against, own=True).text
    games = []
    for deal in range(deals):
        for table in tables(names, seats, deal, seed, other):
            for turn in range(seats):
                seated = tuple(table[(seat - turn) % seats] for seat in range(seats))
                games.append(Planned(game, chosen, f"{seed} {deal}", seated, turn))
    return games


def checked(entrants: Sequence[str], against: str | None) -> list[str]:
    """The canonical specs of the entrants; BadOptions where they make no match."""
    names = [Spec.read(text, own=True).text for text in entrants]
    if len(set(names)) < len(names):
        raise BadOptions(f"an entrant is named twice: {', '.join(names)}")
    if against is None and len(names) < 2:
        raise BadOptions("a ladder needs two entrants at least, or one and --against")
    if against is not None and Spec.read(against, own=True).text in names:
        raise BadOptions(f"{against} cannot be measured against itself")
    return names


def tables(
    names: Sequence[str], seats: int, deal: int, seed: str, against: str | None
) -> Iterator[list[str]]:
    """Who sits together in one deal, in random order.

    One table where there are fewer entrants than seats, or as many: they fill it as evenly as they can, and take turns
    at the places that are over. Where there are more entrants than seats, every combination has a table, one after the
    other from deal to deal.
    """
    if against is not None:
        yield from ([name] + [against] * (seats - 1) for name in names)
        return
    if len(names) > seats:
        groups = list(combinations(names, seats))
        # a stride that has no factor in common with the number of groups, so that entrants mix early
        table = list(groups[deal * _stride(len(groups)) % len(groups)])
    else:
        table = [names[(deal * (seats % len(names)) + place) % len(names)] for place in range(seats)]
    yield Chance.from_text(f"places {seed} {deal}").shuffled(table)


def _stride(count: int) -> int:
    stride = max(1, round(count * 0.618))
    while any(stride % n == 0 and count % n == 0 for n in range(2, stride + 1)):
        stride += 1
    return stride


# ---------------------------------------------------------------------------------------------- playing


class Timed:
    """A bot with a stopwatch: how many choices it was asked, and how many seconds they took."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.choices = 0
        self.seconds = 0.0

    def choose(self, view: View, choice: Choice) -> int:
        """What the bot says."""
        began = perf_counter()
        action = self.bot.choose(view, choice)
        self.seconds += perf_counter() - began
        self.choices += 1
        return action


def sitting_of(planned: Planned) -> tuple[Sitting, list[Timed]]:
    """Play a game to its end: the sitting with its events, and the bots with their times.

    The chance of a bot comes from the deal, its seat and the rotation. Where no bot has to be asked with its view, the
    game is played from the record; it has one clock, and its time is shared out by choices.
    """
    sitting = Sitting(GAMES[planned.game], planned.options, seed=planned.seed, names=planned.entrants)
    bots = [
        Timed(
            Spec.read(text, own=True).made(
                Chance.from_text(f"{planned.seed} {planned.turned} {seat}"), threads=1
            )
        )
        for seat, text in enumerate(planned.entrants)
    ]
    began = perf_counter()
    choices = run_from_record(sitting, [bot.bot for bot in bots])
    if choices is None:
        run_from_views(sitting, bots)
    else:
        each = (perf_counter() - began) / max(1, sum(choices))
        for bot, count in zip(bots, choices, strict=True):
            bot.choices, bot.seconds = count, each * count
    return sitting, bots


def turns_in(game: Game, rows: Sequence[Row]) -> int:
    """How many turns begin in these event rows, as the game counts turns."""
    turn_began = {number for number, kind in game.events.kinds.items() if kind.name == "turn_began"}
    return sum(row[0] in turn_began for row in rows)


def lead(scores: Sequence[float], seat: int) -> float:
    """By how many points a seat is above the mean of the others."""
    return scores[seat] - (sum(scores) - scores[seat]) / (len(scores) - 1)


def play(planned: Planned, records: Path | None = None) -> Played:
    """Play a game. With `records`, its record is saved in that folder."""
    sitting, bots = sitting_of(planned)
    return played_of(planned, sitting, [bot.choices for bot in bots], [bot.seconds for bot in bots], records)


def played_of(
    planned: Planned,
    sitting: Sitting,
    choices: Sequence[int],
    seconds: Sequence[float],
    records: Path | None = None,
    wrong: int = 0,
) -> Played:
    """A game that is over, as a line of results; with `records`, its record is saved in that folder."""
    game, outcome = sitting.game, sitting.outcome
    assert outcome is not None
    file = ""
    if records is not None:
        file = f"{shown(planned.game)}-{hashlib.sha256(planned.key.encode()).hexdigest()[:12]}.json"
        sitting.record(turned=planned.turned).save(records / file)
    return Played(
        planned.game,
        game.rules,
        planned.options,
        planned.seed,
        planned.entrants,
        planned.turned,
        outcome.scores,
        outcome.winners,
        outcome.reason,
        turns_in(game, sitting.rows),
        len(sitting.actions),
        tuple(choices),
        tuple(round(time, 6) for time in seconds),
        game.digest,
        file,
        wrong,
    )
