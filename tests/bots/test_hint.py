"""Hints: the best option first, something to say about every other, from nothing but view and choice."""

from collections.abc import Iterator
from itertools import islice

import pytest

from fabletop.bots.greedy import Greedy
from fabletop.bots.hint import SPREAD, adviser, hint, rest
from fabletop.bots.search import COMPILED
from fabletop.core.chance import Chance
from fabletop.core.game import Choice
from fabletop.core.sitting import Sitting
from fabletop.games.equinox import EQUINOX
from fabletop.games.fairy_school import FAIRY_SCHOOL
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


def asked_in_a_year(kind: str) -> Iterator[tuple[Sitting, Choice]]:
    """The first seat's questions of a kind, in a year between bots that look one step ahead."""
    sitting = Sitting(FAIRY_SCHOOL, {"seats": 3, "setup": "normal"}, seed="midsummer")
    bots = [Greedy(Chance(number)) for number in range(3)]
    while sitting.pending:
        seat = min(sitting.pending)
        choice = sitting.pending[seat]
        if seat == 0 and choice.kind == kind:
            yield sitting, choice
        sitting.act(seat, bots[seat].choose(sitting.view(seat), choice))


def test_a_hint_names_all_columns() -> None:
    # F-5.2: one or two columns are one decision, and what is paid for them is part of it
    seen: set[int] = set()
    for sitting, choice in islice(asked_in_a_year("select"), 12):
        if len(sitting.view(0)["flow"]["columns"]):
            continue
        first = choice.options[0]
        answers = [first, *rest(sitting.view(0), choice, first, Chance(1), milliseconds=20)]
        state = sitting.state.clone()
        for answer in answers:
            state.apply(0, answer)  # each is offered
        texts = [FAIRY_SCHOOL.actions[answer] for answer in answers]
        assert texts[-1] == "done"
        columns = [text for text in texts if text.startswith("column-")]
        assert 1 <= len(set(columns)) == len(columns) <= 2
        seen.add(len(columns))
    assert 2 in seen


def test_a_hint_places_all_drawn_cards() -> None:
    # F-5.1
    sitting, choice = next(asked_in_a_year("plan"))
    view = sitting.view(0)
    first = choice.options[0]
    answers = [first, *rest(view, choice, first, Chance(1), milliseconds=20)]
    state = sitting.state.clone()
    for answer in answers:
        state.apply(0, answer)
    after = FAIRY_SCHOOL.view(state, 0)
    forest = after["players"][0]["forest"]
    assert set(view["own"]["drawn"]) <= {*forest["top"], *forest["bottom"]}
    # what is hidden changes nothing
    twin = FAIRY_SCHOOL.imagine(view, Chance(5))
    assert FAIRY_SCHOOL.pending(twin)[0] == choice
    for answer in answers:
        twin.apply(0, answer)


def test_a_decision_of_its_own_has_no_rest() -> None:
    sitting, choice = next(asked_in_a_year("activate"))
    assert rest(sitting.view(0), choice, choice.options[0], Chance(1), milliseconds=20) == ()
