"""Whole recorded games, replayed to the exact result, and told in three languages."""

from functools import cache

import pytest

from fabletop.core.records import parse
from fabletop.core.sitting import replay
from fabletop.games.equinox import EQUINOX
from fabletop.games.equinox.constants import CHOICE_IDS, CREATURE_IDS, REASON_IDS
from fabletop.lang import LANGUAGES, Lexicon
from fabletop.lang.lines import Teller
from tests.equinox.recorded import (
    RECORDS,
    TOLD,
    TRANSCRIPTS,
    WANTED,
    occurrences,
    records,
    result,
    transcript,
)
from tests.equinox.scene import PEOPLE

NAMES = sorted(path.stem for path in RECORDS.glob("*.json"))


@cache
def found(name):
    return frozenset(occurrences(records()[name]))


@pytest.mark.parametrize("name", NAMES)
def test_a_record_replays_to_the_exact_result(name):
    record = records()[name]
    assert result(replay(EQUINOX, record)) == record.about["result"]


@pytest.mark.parametrize("name", NAMES)
def test_a_record_is_written_as_it_was_read(name):
    record = records()[name]
    assert record.text() == (RECORDS / f"{name}.json").read_text(encoding="utf-8")
    assert parse(record.text()) == record


@pytest.mark.parametrize("what", sorted(WANTED))
def test_everything_occurs_in_some_record(what):
    assert any(what in found(name) for name in NAMES), f"no record has {what!r}"


def test_what_must_occur_is_everything_there_is():
    assert len([what for what in WANTED if what.startswith("power ")]) == len(
        CREATURE_IDS
    )  # no Ursus, but "through"
    assert len([what for what in WANTED if what.startswith("choice ")]) == len(CHOICE_IDS) - 1
    assert len([what for what in WANTED if what.startswith("end ")]) == len(REASON_IDS) - 1
    assert len([what for what in WANTED if what.startswith("event ")]) == len(EQUINOX.events.kinds)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_told_game_reads_as_it_always_did(lang):
    golden = (TRANSCRIPTS / f"{lang}.txt").read_text(encoding="utf-8")
    assert transcript(records()[TOLD], lang) == golden


UNTOLD = {"passed"}
"""Events that are not worth a line."""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_event_of_every_record_can_be_told_to_every_reader(lang):
    for record in records().values():
        sitting = replay(EQUINOX, record)
        for reader in (None, *range(record.options["seats"])):
            teller = Teller(Lexicon(lang), EQUINOX, PEOPLE, reader)
            for event in sitting.events(reader):
                line = teller.line(event)
                assert (line is None) == (event.kind in UNTOLD), event
                assert line is None or (line.strip() and "{" not in line and "None" not in line)
