"""Power cuts on SQLite: nothing acknowledged is lost; and the trial can fail."""

import pytest

from tests.torture import trials
from tests.torture.tally import KILLS, MOVES, POWER_CUTS

TWO_WORKERS, ONE_WORKER = "1", "2"
"""Seeds with which the trial starts this many."""


async def test_nothing_acknowledged_is_lost_in_a_power_cut(quick_folder):
    tally = await trials.power(quick_folder, TWO_WORKERS, 2)
    assert tally.findings == []
    assert tally.tried[KILLS] > 0
    assert tally.tried[POWER_CUTS] > 30
    assert tally.tried[MOVES] > 20


@pytest.mark.parametrize(
    "inner",
    [{"pragmas": ["synchronous=NORMAL"]}, {"early": True}],
    ids=["normal", "early"],
)
async def test_power_cuts_find_a_store_that_acknowledges_too_early(quick_folder, inner):
    found = set()
    for number in range(6):  # a busy machine makes few moves in this time
        folder = quick_folder / f"{number}"
        folder.mkdir()
        tally = await trials.power(folder, ONE_WORKER, 1.5, **inner)
        found = {finding.kind for finding in tally.findings}
        if "lost" in found:
            break
    assert "lost" in found
