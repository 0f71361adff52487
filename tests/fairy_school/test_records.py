"""Recorded years replay to the exact result, have everything in them, and read as written down."""

import pytest

from fabletop.core.records import Record
from fabletop.core.sitting import replay
from fabletop.games.fairy_school import constants as c
from fabletop.games.fairy_school.algebra import KINDS
from fabletop.lang import LANGUAGES
from tests.fairy_school import recorded
from tests.fairy_school.recorded import GAME, occurrences, result, stored, transcript

RECORDS = stored()

# Rare: four turns without a project while the common discard has none either. test_turn_start.py has the scene.
NOT_RECORDED = {"goal_missing"}


@pytest.fixture(scope="module")
def found() -> dict[str, set[str]]:
    """What occurs in all records together."""
    together: dict[str, set[str]] = {}
    for record in RECORDS.values():
        for kind, names in occurrences(record).items():
            together.setdefault(kind, set()).update(names)
    return together


@pytest.mark.parametrize("name", RECORDS)
def test_a_recorded_year_replays_to_the_exact_result(name: str) -> None:
    """Scores, winners, reason, the number of events, and the whole last position, chance included."""
    record = RECORDS[name]
    assert result(replay(GAME, record)) == record.about


def test_the_records_are_those_of_the_list() -> None:
    assert RECORDS.keys() == recorded.YEARS.keys()
    for name, (seed, options) in recorded.YEARS.items():
        assert (RECORDS[name].seed, RECORDS[name].options) == (seed, options)


def test_every_question_is_asked_in_some_record(found: dict[str, set[str]]) -> None:
    assert found["question"] == set(c.question_names) - {"nothing"}


def test_every_phase_and_every_kind_of_event_occurs_in_some_record(found: dict[str, set[str]]) -> None:
    assert found["phase"] == set(c.phase_names)
    assert found["event"] == {kind.name for kind in GAME.events.kinds.values()} - NOT_RECORDED


def test_every_kind_of_effect_occurs_in_some_record(
    found: dict[str, set[str]],
) -> None:  # F-6.1, F-6.2, F-6.3
    assert found["effect"] == {"production", "transformation", *KINDS}
    lines = found["special"]
    for special in ("Recall 1", "Recall 2", "Scout 1", "Scout 2", "Repeat", "Banish", "Study"):
        assert special in lines
    for family in ("Recall", "Repeat", "Banish"):
        assert any(line.startswith(family) and "+" in line for line in lines)


def test_every_mode_and_every_end_occurs_in_some_record() -> None:  # F-2.9, F-3.1, F-7.4
    options = [record.options for record in RECORDS.values()]
    assert {o["setup"] for o in options} == set(c.setup_names)
    assert {o["length"] for o in options} == set(c.length_names)
    assert {o["wider"] for o in options} == {True, False}
    assert {o["seats"] for o in options} == set(GAME.seat_counts)
    assert {record.about["reason"] for record in RECORDS.values()} == set(c.end_names)


def test_any_beginning_of_a_record_replays() -> None:
    record = RECORDS["wider"]
    for length in (0, 1, 300, 900):
        part = Record(record.game, record.rules, record.options, record.seed, record.actions[:length])
        assert [f"{s} {GAME.actions[a]}" for s, a in replay(GAME, part).actions] == [
            f"{s} {text}" for s, text in record.actions[:length]
        ]


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_transcript_reads_as_written_down(code: str) -> None:
    """After a change of words: python -m tests.fairy_school.recorded, and read the difference."""
    golden = (recorded.TRANSCRIPTS / f"{code}.txt").read_text(encoding="utf-8")
    assert transcript(code, RECORDS[recorded.TOLD]) == golden
