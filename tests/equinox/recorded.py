"""Recorded games: who plays them, what occurs in them, and how they are told.

`python -m tests.equinox.recorded` makes the records and the transcripts again. That is needed when the version of the
rules changes, or (transcripts only) when words change; a difference nobody meant is a bug.
"""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from fabletop.core.chance import Chance
from fabletop.core.game import Choice
from fabletop.core.records import Record, load
from fabletop.core.sitting import Sitting, replay, steps
from fabletop.games.equinox import EQUINOX
from fabletop.games.equinox.constants import CARD_IDS, CHOICE_IDS, CREATURE_IDS, REASON_IDS
from fabletop.lang import LANGUAGES
from tests.equinox.scene import PEOPLE, tell

HERE = Path(__file__).parent
RECORDS = HERE / "records"
TRANSCRIPTS = HERE / "transcripts"
TOLD = "three"  # the record of the transcripts

Player = Callable[[Sitting, Choice, Chance], int]


# ---- players with habits, so that rare things happen


def uniform(sitting: Sitting, choice: Choice, chance: Chance) -> int:
    """Anything."""
    return chance.pick(choice.options)


def eager(sitting: Sitting, choice: Choice, chance: Chance) -> int:
    """Bets early, plays the creatures it controls, and uses every power."""
    texts = [EQUINOX.actions[action] for action in choice.options]
    if choice.kind == "play":
        mine = {
            column["creature"]
            for column in sitting.view(choice.seat)["columns"]
            if column["controller"] == choice.seat
        }
        wanted = [text for text in texts if text.rpartition("-")[0] in mine or text in ("ancestor", "dryad")]
    else:
        wanted = [text for text in texts if text != "pass"]
    if not wanted or chance.below(8) == 0:
        return chance.pick(choice.options)
    return EQUINOX.parse(chance.pick(wanted))


def secretive(sitting: Sitting, choice: Choice, chance: Chance) -> int:
    """Eager, but bets secretly at once and never tells."""
    texts = [EQUINOX.actions[action] for action in choice.options]
    secrets = [text for text in texts if choice.kind == "predict" and text in CARD_IDS]
    if secrets:
        return EQUINOX.parse(chance.pick(secrets))
    if "reveal" in texts:
        return EQUINOX.parse("pass")
    return eager(sitting, choice, chance)


def hasty(sitting: Sitting, choice: Choice, chance: Chance) -> int:
    """Fills the row as fast as it can, so that the game comes to its fifth elimination (E-6.7)."""
    view = sitting.view(choice.seat)
    empty = {
        column["creature"]
        for column in view["columns"]
        if column["in_play"] and column["cells"][view["round"] - 1]["top"] is None
    }
    wanted = [
        action
        for action in choice.options
        if choice.kind in ("play", "column") and EQUINOX.actions[action].partition("-")[0] in empty
    ]
    return chance.pick(wanted) if wanted else eager(sitting, choice, chance)


def hoarder(sitting: Sitting, choice: Choice, chance: Chance) -> int:
    """Bets nothing, uses nothing, and keeps what cannot be played, until nobody can move (E-6.9)."""
    passing = EQUINOX.parse("pass")
    return passing if passing in choice.options else chance.pick(choice.options)


def played(options: dict[str, Any], seed: str, players: Sequence[Player]) -> Sitting:
    """A whole game."""
    sitting = Sitting(EQUINOX, options, seed=seed, names=PEOPLE[: options["seats"]])
    chance = Chance.from_text(f"moves {seed}")
    while sitting.pending:
        ((seat, choice),) = sitting.pending.items()
        sitting.act(seat, players[seat % len(players)](sitting, choice, chance))
    return sitting


# ---- what occurs in a record

WANTED = {
    *(f"power {creature}" for creature in CREATURE_IDS if creature != "ursus"),
    *(f"choice {kind}" for kind in CHOICE_IDS if kind != "over"),
    *(f"event {kind.name}" for kind in EQUINOX.events.kinds.values()),
    *(f"end {reason}" for reason in REASON_IDS if reason),
    *(f"seats {seats}" for seats in EQUINOX.seat_counts),
    *(f"first {way}" for way in ("lot", "seat", "birthdays")),
    *(f"creatures {way}" for way in ("random", "chosen")),
    "power through fungy",
    "tie-break",
    "half points",
}
"""Everything that must occur in some record."""


def occurrences(record: Record) -> Iterator[str]:
    """What occurs in a record, of all that could."""
    first, creatures = record.options["first"], record.options["creatures"]
    yield f"seats {record.options['seats']}"
    yield f"first {'lot' if first == 'lot' else 'seat' if isinstance(first, int) else 'birthdays'}"
    yield f"creatures {'random' if creatures == 'random' else 'chosen'}"
    sitting: Sitting
    for sitting in steps(EQUINOX, record):
        for choice in sitting.pending.values():
            yield f"choice {choice.kind}"
    for row in sitting.rows:
        event = EQUINOX.events.decode(row)
        yield f"event {event.kind}"
        if event.kind == "power_used":
            through = event["creature"] != event["power"]
            yield "power through fungy" if through else f"power {event['power']}"
            if through:
                yield "power fungy"
    outcome = sitting.outcome
    assert outcome is not None, "a record of an unfinished game"
    yield f"end {outcome.reason}"
    if outcome.scores.count(max(outcome.scores)) > len(outcome.winners):
        yield "tie-break"
    if any(score % 1 for score in outcome.scores):
        yield "half points"


def result(sitting: Sitting) -> dict[str, Any]:
    """How a game ended, in all detail that matters."""
    outcome, view = sitting.outcome, sitting.view(None)
    assert outcome is not None
    return {
        "scores": list(outcome.scores),
        "winners": list(outcome.winners),
        "reason": outcome.reason,
        "eliminated": [
            column["creature"]
            for column in sorted(view["columns"], key=lambda column: column["eliminated"] or 9)
            if not column["in_play"]
        ],
        "round": view["round"],
        "deck": view["deck"],
        "hands": [sitting.view(seat)["own"]["hand"] for seat in range(view["seats"])],
    }


# ---- telling


def transcript(record: Record, lang: str) -> str:
    """The whole game as seat 0 reads it, and as a spectator reads it."""
    sitting = replay(EQUINOX, record)
    parts = []
    for reader in (0, None):
        lines = tell(sitting.events(reader), reader, lang)
        parts.append(f"# {'spectator' if reader is None else record.names[reader]}\n" + "\n".join(lines))
    return "\n\n".join(parts) + "\n"


def records() -> dict[str, Record]:
    """The recorded games by name."""
    return {path.stem: load(path) for path in sorted(RECORDS.glob("*.json"))}


# ---- making


LENDERS = ["squeak", "moss_man", "rubble", "twinz", "fungy", "fiery_fang", "hopscotch", "pilgrim"]
BIRTHDAYS = {"birthdays": ["07-14", "02-29", "10-03", "12-24"], "today": "2026-05-17"}
TABLES: dict[str, tuple[dict[str, Any], tuple[Player, ...]]] = {
    "two": ({"seats": 2, "first": 1}, (eager, uniform)),
    "three": ({"seats": 3}, (eager,)),
    "four": ({"seats": 4, "first": BIRTHDAYS}, (eager, eager, uniform)),
    "five": ({"seats": 5, "creatures": LENDERS}, (secretive, eager)),
    "stalled": ({"seats": 2}, (hoarder,)),
    "uniform": ({"seats": 4}, (uniform,)),
    "three-left": ({"seats": 3}, (hasty,)),
}


def make_records(tries: int) -> None:
    """For each table the game, of all that were played, in which most occurs that the others lack."""
    missing = set(WANTED)
    for name, (options, players) in TABLES.items():
        best: tuple[int, Sitting] | None = None
        for n in range(tries):
            sitting = played(options, f"{name} {n}", players)
            found = len(missing & set(occurrences(sitting.record())))
            if best is None or found > best[0]:
                best = found, sitting
        assert best is not None
        sitting = best[1]
        missing -= set(occurrences(sitting.record()))
        sitting.record(result=result(sitting)).save(RECORDS / f"{name}.json")
        print(f"{name}: {len(sitting.actions)} actions, {result(sitting)}")
    print("nowhere:", ", ".join(sorted(missing)) or "nothing")


def make_transcripts() -> None:
    """The told game in three languages."""
    TRANSCRIPTS.mkdir(exist_ok=True)
    for lang in LANGUAGES:
        (TRANSCRIPTS / f"{lang}.txt").write_text(transcript(records()[TOLD], lang), encoding="utf-8")


if __name__ == "__main__":
    if "--records" in sys.argv:
        make_records(tries=60)
    make_transcripts()
    print(json.dumps(sorted(records())))
