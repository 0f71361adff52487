"""The searching bot on Fairy School: sound at every choice, honest, reproducible, and it never stalls."""

import pytest

from fabletop.bots.fairy_school.knowledge import Knowledge
from fabletop.bots.ismcts import Ismcts
from fabletop.bots.search import COMPILED
from fabletop.core.chance import Chance
from fabletop.core.sitting import Sitting
from tests.bots.twice import compiled_and_interpreted
from tests.bots.years import kinds, of_each_kind
from tests.fairy_school.scene import GAME

FEW = 12 if COMPILED else 2
NEAR = {"span": 0}
"""To the end of the present turn, which is quicker than what the bot does by itself."""


@pytest.mark.parametrize("kind", kinds())
def test_every_kind_of_choice_is_answered(kind: str) -> None:
    for sitting, seat, choice in of_each_kind(1):
        if choice.kind == kind:
            thought = Ismcts(Chance(1), iterations=FEW).think(sitting.view(seat), choice)
            assert {option.action for option in thought.options} == set(choice.options)
            assert sum(option.visits for option in thought.options) == thought.iterations == FEW
            assert all(0 <= option.victory <= 1 and option.points >= 0 for option in thought.options)
            assert GAME.actions[thought.best] != "convert"  # F-6.9: nothing is converted without need


@pytest.mark.parametrize("kind", kinds())
def test_a_decision_does_not_change_with_what_the_seat_may_not_know(kind: str) -> None:
    """F-3.2, F-4.3: a true state and its imagined twins have the same view, and lead to the same thought."""
    for sitting, seat, choice in of_each_kind(2):
        if choice.kind == kind:
            view = sitting.view(seat)
            thoughts = []
            for state in (sitting.state, GAME.imagine(view, Chance(5)), GAME.imagine(view, Chance(6))):
                seen, asked = GAME.view(state, seat), GAME.pending(state)[seat]
                thought = Ismcts(Chance(3), iterations=FEW, knowledge=NEAR).think(seen, asked)
                thoughts.append(thought.options)
            assert thoughts[0] == thoughts[1] == thoughts[2]


def test_the_same_seed_thinks_the_same() -> None:
    sitting, seat, choice = next(m for m in of_each_kind(1) if m[2].kind == "draft")
    view = sitting.view(seat)
    one, two, other = (
        Ismcts(Chance(seed), iterations=3 * FEW, knowledge=NEAR).think(view, choice).options
        for seed in (4, 4, 5)
    )
    assert one == two != other


def test_a_year_of_search_ends_without_a_detour() -> None:
    """A conversion and its cancelling would change nothing, and could go on for ever."""
    sitting = Sitting(GAME, {"seats": 2, "length": "short"}, seed="searching")
    bots = [Ismcts(Chance(seat), iterations=2, knowledge=NEAR) for seat in range(2)]
    while pending := sitting.pending:
        for seat, choice in pending.items():
            sitting.act(seat, bots[seat].choose(sitting.view(seat), choice))
    assert not any(GAME.actions[action] in ("convert", "cancel") for _, action in sitting.actions)
    assert sitting.outcome is not None
    assert min(sitting.outcome.scores) > 30


@pytest.mark.parametrize("span", [0, 1, None])
def test_play_outs_stop_where_they_are_told(span: int | None) -> None:
    """F-3.1: at the end of this turn, of the next, or of the year; the points are what the year would bring."""
    for sitting, seat, choice in of_each_kind(1):
        if choice.kind in ("activate", "draft"):
            world = Knowledge(sitting.view(seat), span=span)
            rewards, shares, points = world.finish(3, 0, 0.1, -1)
            assert len(rewards) == len(shares) == len(points) == sitting.state.seats
            assert (world.state.phase == 13) >= (span is None)
            assert all(0 <= some <= 64 * 160 for some in points)


SCRIPT = """
import json
from fabletop.bots.ismcts import Ismcts
from fabletop.bots.search import COMPILED
from fabletop.core.chance import Chance
from tests.bots.years import of_each_kind
found = []
for sitting, seat, choice in of_each_kind(1):
    thought = Ismcts(Chance(2), iterations=2, knowledge={"span": 0}).think(sitting.view(seat), choice)
    found.append([choice.kind, [[o.action, o.visits, o.victory, o.points] for o in thought.options]])
print(json.dumps([COMPILED, found]))
"""


@pytest.mark.skipif(not COMPILED, reason="both are interpreted here: nothing to compare")
def test_compiled_and_interpreted_search_agree() -> None:
    compiled, interpreted = compiled_and_interpreted(SCRIPT)
    assert compiled == interpreted
