"""The work of a study: some games are played in one process and come back as rows.

A chunk is a few seconds of play. Its result is three small Parquet files as bytes, ready to be stored, so a process on
another machine needs no shared disk. What a game becomes depends on the game alone, not on the chunk, the process
or the machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from fabletop.core.sitting import Sitting
from fabletop.games import GAMES
from fabletop.lab.facts import cards_variable, measures_of
from fabletop.lab.matches import sitting_of, turns_in
from fabletop.lab.study import Job

TABLES = ("games", "facts", "decisions")
"""The tables of a result, one Parquet file each."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some games of one match; `cards` is the text of another card file, which the process must have been given."""

    jobs: tuple[Job, ...]
    cards: str = ""

    @property
    def environment(self) -> dict[str, str]:
        """What a process needs in its environment to play these games."""
        return {cards_variable(self.jobs[0].planned.game): self.cards} if self.cards else {}


@dataclass(frozen=True, slots=True)
class Part:
    """The result of a chunk: the numbers of its games, its tables, and how long it took."""

    indices: tuple[int, ...]
    match: int
    seconds: float
    tables: Mapping[str, bytes]


def play_chunk(chunk: Chunk) -> Part:
    """Play the games of a chunk."""
    from fabletop.lab.tables import packed

    began = perf_counter()
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in TABLES}
    for job in chunk.jobs:
        sitting, bots = sitting_of(job.planned)
        times = [(bot.choices, round(bot.seconds, 4)) for bot in bots]
        rows["games"].append(game_row(job, sitting, times))
        facts = measures_of(job.planned.game).facts(sitting)
        rows["facts"] += [{"index": job.index, **fact._asdict()} for fact in facts]
        if job.decisions:
            rows["decisions"] += decision_rows(job, sitting)
    tables = {name: packed(name, some) for name, some in rows.items() if some}
    indices = tuple(job.index for job in chunk.jobs)
    return Part(indices, chunk.jobs[0].match, perf_counter() - began, tables)


def game_row(job: Job, sitting: Sitting, times: Sequence[tuple[int, float]]) -> dict[str, Any]:
    """A game as one row."""
    outcome = sitting.outcome
    assert outcome is not None
    return {
        "index": job.index,
        "match": job.match,
        "game": job.planned.game,
        "rules": sitting.game.rules,
        "digest": sitting.game.digest,
        "options": json.dumps(job.planned.options, sort_keys=True),
        "seats": len(outcome.scores),
        "deal": job.deal,
        "repeat": job.repeat,
        "turned": job.planned.turned,
        "seed": job.planned.seed,
        "bots": job.planned.entrants,
        "points": outcome.scores,
        "shares": outcome.shares,
        "reason": outcome.reason,
        "turns": turns_in(sitting.game, sitting.rows),
        "actions": len(sitting.actions),
        "choices": [choices for choices, _ in times],
        "record": sitting.record(turned=job.planned.turned).text() if job.record else None,
        "seconds": [seconds for _, seconds in times],
    }


def decision_rows(job: Job, sitting: Sitting) -> Iterator[dict[str, Any]]:
    """Every decision of a game: it is played again from its actions, so the bots need not be asked."""
    game = GAMES[job.planned.game]
    points_now = measures_of(game.id).points_now
    again = Sitting(game, sitting.options, seed=sitting.seed)
    turn = seen = 0
    for step, (seat, action) in enumerate(sitting.actions):
        turn += turns_in(game, again.rows[seen:])
        seen = len(again.rows)
        choice = again.pending[seat]
        yield {
            "index": job.index,
            "step": step,
            "turn": turn,
            "seat": seat,
            "kind": choice.kind,
            "options": len(choice.options),
            "action": game.actions[action],
            "points": points_now(again.state),
        }
        again.act_offered(seat, action)
