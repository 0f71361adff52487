"""Evolution of weights: what a comparison measures, and that a generation moves towards what is better."""

from fabletop.bots.fairy_school.knowledge import SEARCH_WEIGHTS
from fabletop.lab.fairy_school import weights
from fabletop.lab.fairy_school.training import world_of


def test_the_point_of_origin_is_the_present_weights() -> None:
    found = weights.weights_at([0.0] * len(weights.CHANGED))
    assert found == SEARCH_WEIGHTS
    assert set(weights.CHANGED) | set(weights.FIXED) == set(SEARCH_WEIGHTS)


def test_equal_players_are_not_ahead_of_each_other() -> None:
    found = weights.leads(world_of(3), 3, [11, 12], {}, {})
    assert len(found) == 2
    assert all(abs(sum(deal)) < 1e-9 for deal in found), "from every seat, so the leads of a deal cancel out"


def test_a_player_who_does_not_care_for_points_falls_behind() -> None:
    found = weights.leads(world_of(2), 2, list(range(1, 7)), {"rho": 0, "study": 0, "cube": 4000}, {})
    assert sum(map(sum, found)) / 12 < -3


def test_a_generation_follows_its_better_half() -> None:
    evolution = weights.Evolution(3, {2: (1, 1.0)})
    aim = weights.CHANGED.index("gift")
    evolution.worth = lambda x, deals: float(x[aim])  # type: ignore[method-assign]
    for _ in range(5):
        evolution.step()
    assert evolution.mean[aim] > 0.1
    assert evolution.step_size >= weights.LEAST
    again = weights.Evolution(3, {2: (1, 1.0)})
    again.worth = lambda x, deals: float(x[aim])  # type: ignore[method-assign]
    again.step()
    assert again.generation == 1
    assert again.deals() != again.deals()
