"""What a preview says comes true: the engine is asked, whole years at random, for several set-ups."""

from typing import Any

import pytest

from fabletop import GAMES
from fabletop.core import laws
from fabletop.core.sitting import Sitting
from fabletop.games.fairy_school.previews import conversions

GAME = GAMES["fairy_school"]
WORLDS: list[dict[str, Any]] = [
    {"seats": 2, "setup": "expert"},
    {"seats": 3, "setup": "beginners"},
    {"seats": 4, "setup": "normal", "wider": True, "length": "short"},
]


def area(sitting: Sitting, seat: int) -> dict[str, Any]:
    """A seat's own area as it sees it."""
    found: dict[str, Any] = sitting.view(seat)["players"][seat]
    return found


def pay(sitting: Sitting, seat: int) -> None:
    """Pay as the previews propose."""
    while seat in sitting.pending and sitting.pending[seat].kind == "pay":
        choice = sitting.pending[seat]
        told = GAME.previews(sitting.view(seat), choice)
        offered = {GAME.actions[action] for action in choice.options}
        [best] = [thing for thing, what in told.items() if what.get("best")]
        assert best in offered
        sitting.act(seat, GAME.parse(best))


@pytest.mark.parametrize("options", WORLDS)
def test_what_a_preview_says_comes_true(options: dict[str, Any]) -> None:
    checked = {"elements": 0, "cubes": 0, "exchanges": 0}
    for step, (sitting, seat, _) in enumerate(laws.walk(GAME, options, "previews")):
        choice = sitting.pending[seat]
        view = sitting.view(seat)
        told = GAME.previews(view, choice)
        if choice.kind in ("realise", "spend") and choice.about["realised"] != choice.about["most"]:
            offered = {GAME.actions[action] for action in choice.options}
            can = {thing for thing, what in told.items() if "exchanges" in what}
            assert can == offered & told.keys()
        if step % 3 or choice.kind in ("pay", "convert"):
            continue
        for action in choice.options:
            what = told.get(GAME.actions[action], {})
            if choice.kind in ("draft", "drop", "goal", "final") or not {"elements", "cubes"} & what.keys():
                continue
            after = sitting.fork()
            after.act(seat, action)
            pay(after, seat)
            if after.view(None)["stage"] != view["stage"]:
                continue  # what the others did is seen now, too
            new = after.events(seat)[len(sitting.events(seat)) :]
            if any(event.kind == "repeated" for event in new):
                continue  # the only card that can be repeated is repeated at once
            if "elements" in what:
                assert area(after, seat)["elements"] == what["elements"], (choice.kind, GAME.actions[action])
                checked["elements"] += 1
                checked["exchanges"] += bool(what.get("exchanges"))
            if "cubes" in what:
                asked = after.pending.get(seat)
                # the cube is put on a card when its line is chosen
                still = asked is not None and asked.kind == "line"
                assert area(after, seat)["cubes"] == what["cubes"] + still, (
                    choice.kind,
                    GAME.actions[action],
                )
                checked["cubes"] += 1
    assert all(count > 5 for count in checked.values()), checked


@pytest.mark.parametrize(
    ("has", "cost", "found"),
    [
        ([1, 0, 0, 0, 0], [1, 0, 0, 0, 0], []),
        ([0, 0, 0, 0, 1], [0, 1, 0, 0, 0], [(1, [0, 0, 0, 0, 1])]),  # one air is any other element
        ([0, 0, 0, 3, 0], [1, 0, 0, 0, 0], [(0, [0, 0, 0, 3, 0])]),  # three of anything make an earth
        ([0, 0, 0, 3, 0], [0, 1, 0, 0, 0], None),  # a plant takes four
        ([3, 0, 0, 3, 0], [0, 0, 0, 0, 1], [(4, [3, 0, 0, 3, 0])]),  # an air takes six
        # air goes to the plant, which is dearer, the rest makes the earth; water and not fire is given away
        ([0, 0, 4, 3, 1], [1, 1, 0, 0, 0], [(0, [0, 0, 0, 3, 0]), (1, [0, 0, 0, 0, 1])]),
    ],
)
def test_f_1_3_the_cheapest_conversions(
    has: list[int], cost: list[int], found: list[tuple[int, list[int]]] | None
) -> None:
    assert conversions(has, cost) == found
