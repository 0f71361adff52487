"""Errors at calls that write: the store stays consistent, says whether it can write, and goes on."""

from tests.torture import trials
from tests.torture.tally import ERRORS, MOVES


async def test_the_store_survives_an_error_at_every_sync_and_at_a_sample_of_the_other_calls(quick_folder):
    """Without `sync_folder` and `rewrite_log` this finds losses."""
    tally = await trials.sweep(quick_folder, "1", 60, stride=25)
    assert tally.findings == []
    assert tally.tried[ERRORS] > 80
    assert tally.tried[MOVES] > 400


async def test_a_server_survives_errors_of_its_disk(quick_folder):
    tally = await trials.errors(quick_folder, "4", 3)
    assert tally.findings == []
    assert tally.tried[ERRORS] > 0
    assert tally.tried[MOVES] > 20
