"""How many ways there are to go on from fixed positions, to some depth: any change of the rules shows here."""

from typing import Any

import pytest

from tests.fairy_school.scene import GAME

POSITIONS = {
    "planning": """
        2 seats; phase plan
        ana: forest 57 . 62 . . / . . 7 8 9; hand 1 2 3
        ben: pile
    """,
    "selection": """
        2 seats; phase select
        ana: elements 1E 1V 4F 2W; forest 1 2 3 4 5 / 6 7 8 9 10
        ben: elements 3E
    """,
    "activation": """
        3 seats; phase activate
        ana: elements 1E 1V 2F 2W; personal 9 10 117; shared 1; discard 53 54; forest 57 62 . . . / . . . . .
        ben: elements none; shared 13
        cleo: elements 2W; shared 96
    """,
    "projects": """
        2 seats; trimester last, turn 2, phase realise
        ana: elements 4E 2V 6F 7W 1A; projects 82 90; final F6
        ben: elements none; final F1
    """,
    "goal": """
        3 seats; trimester I, turn 2, phase goal; common 82 91 95 86
        ana: elements 1E
        ben: elements 2E
        cleo: projects 80
    """,
}


def ways(state: Any, depth: int) -> int:
    """The number of sequences of actions of this length, all seats asked taken together."""
    if depth == 0:
        return 1
    total = 0
    for seat in state.asked():
        for action in state.legal(seat):
            after = state.clone()
            after.apply(seat, action)
            total += ways(after, depth - 1)
    return total


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("planning", (4, 23, 84)),
        ("selection", (10, 94, 729)),
        ("activation", (15, 189, 2048)),
        ("projects", (5, 28, 140)),
        ("goal", (4, 12, 372)),
    ],
)
def test_ways_to_go_on(name: str, counts: tuple[int, ...]) -> None:
    state = GAME.from_position(POSITIONS[name])
    assert tuple(ways(state, depth) for depth in (1, 2, 3)) == counts


def test_counting_leaves_the_position_alone() -> None:
    state = GAME.from_position(POSITIONS["activation"])
    before = GAME.position(state)
    ways(state, 2)
    assert GAME.position(state) == before
