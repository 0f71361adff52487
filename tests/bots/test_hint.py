"""Hints: the best option first, something to say about every other, from nothing but view and choice."""

import pytest

from fabletop.bots.hint import SPREAD, adviser, hint
from fabletop.bots.search import COMPILED
from fabletop.core.chance import Chance
from fabletop.games.equinox import EQUINOX
from tests.bots.moments import kinds, of_each_kind
from tests.equinox.scene import scene

MANY = 400 if COMPILED else 30


@pytest.mark.parametrize("kind", kinds())
def test_every_option_gets_its_part_of_the_thinking(kind: str) -> None:
    for sitting, seat, choice in of_each_kind(1):
        if choice.kind == kind:
            found = hint(sitting.view(seat), choice, Chance(1), iterations=MANY)
            assert {option.action for option in found.options} == set(choice.options)
            least = min(option.visits for option in found.options)
            assert least >= int(SPREAD * MANY / len(choice.options)) - 1
            assert found.options[0].visits == max(option.visits for option in found.options)
            assert sum(option.visits for option in found.options) == MANY


@pytest.mark.parametrize("kind", kinds())
def test_a_hint_depends_on_what_the_seat_may_know(kind: str) -> None:
    for sitting, seat, choice in of_each_kind(1):
        if choice.kind == kind:
            view = sitting.view(seat)
            twin = EQUINOX.imagine(view, Chance(5))
            assert EQUINOX.view(twin, seat) == view
            hints = [
                hint(seen, asked, Chance(2), iterations=MANY // 4).options
                for seen, asked in ((view, choice), (EQUINOX.view(twin, seat), EQUINOX.pending(twin)[seat]))
            ]
            assert hints[0] == hints[1]


@pytest.mark.skipif(not COMPILED, reason="interpreted search sees too few games to be a judge")
def test_a_blunder_looks_worse_than_the_hint() -> None:
    # E-6.5: in the last row, the lowest card decides between ana's creature and ben's
    g = scene("""
        round 5   turn ana   out: squeak, stag, rubble, hoot
                 squeak   stag   rubble   hoot   carmen   goatman   ursus   pilgrim
        row 1      .       .       .       .       8b      9a       4        3
        row 5      .       .       .       .       5       4        9        9
        ana: goatman 10, carmen 0, goatman 0       ben: hoot 0
    """)
    found = hint(g.view("ana"), g.choice, Chance(1), iterations=2000)
    by_name = {EQUINOX.actions[option.action]: option for option in found.options}
    assert EQUINOX.actions[found.best] != "goatman-0"
    assert by_name["goatman-0"].victory < found.options[0].victory - 0.2


def test_an_adviser_can_be_stopped() -> None:
    sitting, seat, choice = of_each_kind(1)[0]
    asked = adviser(Chance(1), milliseconds=60_000)
    asked.stop()
    assert asked.think(sitting.view(seat), choice).iterations == 0
