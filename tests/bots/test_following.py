"""Judging follows the changes of a game: what is reused between two choices is what would be found from nothing."""

import pytest

from fabletop.bots.greedy import knowledge_of
from fabletop.core.sitting import Sitting
from fabletop.games import GAMES

GAMES_AND_SEATS = [(name, seats) for name, game in GAMES.items() for seats in game.seat_counts]


@pytest.mark.parametrize(("game", "seats"), GAMES_AND_SEATS)
def test_scores_are_those_found_from_nothing(game: str, seats: int) -> None:
    judged = 0
    for number in range(8 if game == "equinox" else 1):
        sitting = Sitting(GAMES[game], {"seats": seats}, seed=f"following {number}")
        world = knowledge_of(sitting.view(next(iter(sitting.pending))))
        choices, wrong = world.recheck(number)
        assert wrong == 0
        judged += choices
    assert judged > 100


@pytest.mark.parametrize("game", list(GAMES))
def test_a_world_that_was_used_before_plays_on_as_a_new_one(game: str) -> None:
    sitting = Sitting(GAMES[game], {"seats": 3}, seed="used")
    view = sitting.view(next(iter(sitting.pending)))
    used = knowledge_of(view)
    for word in range(20):
        used.finish(word, 20, 0.06, -1)
    assert used.finish(99, 20, 0.06, -1) == knowledge_of(view).finish(99, 20, 0.06, -1)
