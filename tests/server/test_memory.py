"""What a server keeps of tables that are gone: caches, and they are small."""

import tracemalloc

from fabletop import GAMES
from fabletop.core import chance
from fabletop.core.sitting import Sitting
from fabletop.server.tables import messages

ROWS = 30_000
MOST = 9e6
"""Bytes that the texts of tables that are gone may take."""


def story():
    """The events of a game, as spectators hear of them."""
    rules, luck = GAMES["equinox"], chance.Chance(1)
    sitting = Sitting(rules, {"seats": 2}, seed="seed")
    while asked := rules.pending(sitting.state):
        seat, choice = next(iter(asked.items()))
        sitting.act(seat, luck.pick(choice.options))
    return {row for row in sitting.rows if rules.events.redact(row, None) is not None}


def test_texts_of_tables_that_are_gone_take_little_memory():
    messages.event_in_words.cache_clear()
    told = story()
    tracemalloc.start()
    try:
        for number in range(ROWS // len(told)):  # the same story at table after table
            names = (f"Ana {number}", f"Ben {number}")
            for row in told:
                messages.event_in_words("equinox", names, row, None, "en")
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        messages.event_in_words.cache_clear()
    assert kept < MOST


def test_chance_keeps_few_words_of_seeds_that_are_gone():
    tracemalloc.start()
    try:
        for number in range(20_000):
            chance.stream_word(f"{number:064x}", "table", number)
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        chance.four_words.cache_clear()
        chance._begun.cache_clear()
    assert kept < 4e6
