"""Rules page, section 8: the score, ties, and the school report."""

import pytest

from tests.fairy_school.bot import played
from tests.fairy_school.scene import Scene, scene


def over(areas: str, length: str = "full") -> Scene:
    """A year that is over."""
    return scene(f"2 seats, {length}; trimester last, turn 3, phase over; ended final_completed\n{areas}")


@pytest.mark.parametrize(
    ("area", "part", "points"),
    [
        ("kindness ben 7", "kindness", 7),
        ("kindness ben 50", "kindness", 50),  # beyond the 42 squares of the scale
        ("pile 1 2 88; discard 82; forest 105 . . . . / . . . . 134", "projects", 12),
        ("projects 82 91", "projects", 0),  # not realised
        ("pile 1 49; discard 2 50; forest 3 . . . . / . . . . 51", "projects", 0),  # no projects
        ("final F1 at 3", "steps", 9),
        ("studied unicorn gnome elf", "creatures", 6),
        ("elements 9E", "elements", 0),
        ("elements 4E 3V 2F 1W", "elements", 1),
        ("elements 5A", "elements", 1),  # an air counts as two
        ("elements 9E 1A", "elements", 1),
        ("elements 10E 10V 10F 5W 2A", "elements", 3),
    ],
)
def test_what_scores(area: str, part: str, points: int) -> None:  # F-8.1
    base = {"kindness": 0, "projects": 0, "steps": 0, "creatures": 0, "elements": 0}
    g = over(f"ana: elements none; {area}\nben: elements none")
    reckoning = g.outcome.reckoning[0]
    assert {name: reckoning[name] for name in base} == {**base, part: points}
    assert reckoning["total"] == g.outcome.scores[0] == points


def test_the_parts_add_up() -> None:  # F-8.1
    g = over("""
        ana: elements 11E; kindness ben 4; pile 88 82; final F1 at 2; studied elf
        ben: elements none
    """)
    assert dict(g.outcome.reckoning[0]) == {
        "seat": 0, "kindness": 4, "projects": 6, "steps": 6, "creatures": 2, "elements": 1, "total": 19, "report": None,
    }  # fmt: skip


def test_most_points_wins_and_a_tie_is_shared() -> None:  # F-8.2
    g = over("ana: elements none; kindness ben 4\nben: elements none; kindness ana 5")
    assert (g.outcome.scores, g.outcome.winners) == ((4.0, 5.0), (1,))
    g = over("ana: elements none; kindness ben 6\nben: elements none; studied elf gnome siren")
    assert (g.outcome.scores, g.outcome.winners) == ((6.0, 6.0), (0, 1))


@pytest.mark.parametrize(
    ("points", "report"),
    [
        (84, None), (85, "passed"), (89, "passed"), (90, "distinction"), (94, "distinction"), (95, "congratulations"),
        (120, "congratulations"),
    ],
)  # fmt: skip
def test_the_school_report(points: int, report: str | None) -> None:  # F-8.2
    g = over(f"ana: elements none; kindness ben {points}\nben: elements none")
    assert g.outcome.reckoning[0]["report"] == report
    assert g.outcome.reckoning[1]["report"] is None


def test_the_short_game_has_no_school_report() -> None:  # F-8.2
    g = over("ana: elements none; kindness ben 95\nben: elements none", length="short")
    assert g.outcome.reckoning[0]["report"] is None


def test_the_end_of_a_year_is_told_to_everyone() -> None:  # F-8.1, F-8.2
    sitting = played("told", seats=3)
    outcome = sitting.outcome
    assert outcome is not None
    for viewer in (None, 0, 1, 2):
        told = sitting.events(viewer)
        scored = [event for event in told if event.kind == "scored"]
        assert [event["total"] for event in scored] == list(outcome.scores)
        for event, reckoning in zip(scored, outcome.reckoning, strict=True):
            parts = ("kindness", "projects", "steps", "creatures", "elements")
            assert sum(event[part] for part in parts) == event["total"] == reckoning["total"]
        assert told[-1].kind == "won"
        assert tuple(told[-1]["seats"]) == outcome.winners
