"""Recorded years: who plays them, what occurs in them, and how they are told.

`python -m tests.fairy_school.recorded` writes the transcripts again, which is needed when words change; with
`--records` it plays the records again first, for a new version of the rules. A difference nobody meant is a bug.
"""

import hashlib
import sys
from pathlib import Path
from typing import Any

from fabletop.bots.greedy import Greedy
from fabletop.core.chance import Chance
from fabletop.core.game import Choice
from fabletop.core.records import Record, load
from fabletop.core.sitting import Sitting, replay, steps
from fabletop.games.fairy_school.cards import BY_NAME
from fabletop.games.fairy_school.words import kind_of
from fabletop.lang import LANGUAGES, Lexicon
from fabletop.lang.lines import Teller
from tests.fairy_school.bot import NAMES, answer
from tests.fairy_school.scene import GAME

HERE = Path(__file__).parent
RECORDS = HERE / "records"
TRANSCRIPTS = HERE / "transcripts"
TOLD = "beginners"  # the record of the transcripts
TOLD_ACTIONS = 260

# Seeds found by looking for small years in which something rare happens.
YEARS: dict[str, tuple[str, dict[str, Any]]] = {
    "beginners": ("goal 5", {"seats": 2, "setup": "beginners", "length": "short", "wider": False}),
    "full": ("full 0", {"seats": 3, "setup": "normal", "length": "full", "wider": False}),
    "wider": ("wider 0", {"seats": 4, "setup": "expert", "length": "short", "wider": True}),
    "five": ("five 2", {"seats": 5, "setup": "beginners", "length": "short", "wider": True}),
    "six": ("six 4", {"seats": 6, "setup": "normal", "length": "short", "wider": False}),
    "twelve": ("twelve 0", {"seats": 2, "setup": "expert", "length": "short", "wider": False}),
}
ABLE = {"beginners", "full"}
"""Years of players who know the game, so that they run out of projects and come to use the dear cards."""


def decide(choice: Choice, view: Any, chance: Chance, able: bool) -> int:
    """The simple player of the tests, or one who knows the game; both now and then convert something without need."""
    convert = GAME.parse("convert")
    if convert in choice.options and chance.below(60) == 0:
        return convert
    if choice.kind in ("convert", "convert_with") and chance.below(8) == 0:
        return chance.pick(choice.options)
    return Greedy(chance).choose(view, choice) if able else answer(choice, view, chance)


def recorded(name: str) -> Record:
    """Play a year and record it with its result."""
    seed, options = YEARS[name]
    sitting = Sitting(GAME, options, seed=seed, names=NAMES[: options["seats"]])
    chance = Chance.from_text(f"recorded {seed}")
    while pending := sitting.pending:
        seat = chance.pick(sorted(pending))
        sitting.act(seat, decide(pending[seat], sitting.view(seat), chance, name in ABLE))
    return sitting.record(**result(sitting))


def result(sitting: Sitting) -> dict[str, Any]:
    """How a year ended, to the last card."""
    outcome = sitting.outcome
    assert outcome is not None, "the year is not over"
    return {
        "scores": list(outcome.scores),
        "winners": list(outcome.winners),
        "reason": outcome.reason,
        "position": hashlib.sha256(GAME.position(sitting.state).encode()).hexdigest(),
        "events": len(sitting.rows),
    }


def stored() -> dict[str, Record]:
    """The records by name."""
    return {path.stem: load(path) for path in sorted(RECORDS.glob("*.json"))}


def occurrences(record: Record) -> dict[str, set[str]]:
    """What occurs in a recorded year: questions, events, effect kinds, specials with their counts and bonuses."""
    found: dict[str, set[str]] = {
        "question": set(),
        "event": set(),
        "effect": set(),
        "special": set(),
        "phase": set(),
    }
    for sitting in steps(GAME, record):
        found["question"].update(choice.kind for choice in sitting.pending.values())
        found["phase"].add(str(sitting.view(None)["phase"]))
    for row in sitting.rows:
        if row[0] == 0:
            continue
        event = GAME.events.decode(row)
        found["event"].add(event.kind)
        if event.kind in ("activated", "repeated"):
            line = BY_NAME[event["card"]].effect.lines[event["line"] - 1]
            found["effect"].add(kind_of(line))
            found["special"].add(str(line))
    return found


def transcript(code: str, record: Record, actions: int = TOLD_ACTIONS) -> str:
    """The beginning of a recorded year as its first seat and a spectator are told it."""
    part = Record(
        record.game, record.rules, record.options, record.seed, record.actions[:actions], record.names
    )
    sitting = replay(GAME, part)
    told = []
    for reader, head in ((0, record.names[0]), (None, "*")):
        teller = Teller(Lexicon(code), GAME, record.names, reader)
        lines = [teller.line(event) for event in sitting.events(reader)]
        told.append("\n".join([f"== {head}", *(line for line in lines if line is not None)]))
    return "\n\n".join(told) + "\n"


def main() -> None:
    """Write the transcripts again; with --records play the records again first."""
    if "--records" in sys.argv:
        for name in YEARS:
            recorded(name).save(RECORDS / f"{name}.json")
    TRANSCRIPTS.mkdir(exist_ok=True)
    for code in LANGUAGES:
        text = transcript(code, stored()[TOLD])
        (TRANSCRIPTS / f"{code}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
