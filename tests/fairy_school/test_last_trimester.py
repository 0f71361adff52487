"""Rules page, section 7: final projects and the end of the year."""

import pytest

from tests.fairy_school.scene import PEOPLE, Scene, scene


@pytest.mark.parametrize(
    ("seats", "length", "pool"),
    [(2, "full", "F"), (4, "full", "F"), (6, "full", "F"), (3, "short", "f"), (6, "short", "f")],
)
def test_one_final_project_more_than_players_is_drawn(
    seats: int, length: str, pool: str
) -> None:  # F-7.1, F-2.7
    g = scene(f"{seats} seats, {length}; trimester last, phase final")
    finals = g.view(None)["finals"]
    assert len(finals) == len(set(finals)) == seats + 1
    assert all(name.startswith(pool) for name in finals)
    for _ in range(seats):
        who = g.asked
        g.play(who, g.offered(who).split()[-1])
    assert len({g.area(who)["final"] for who in PEOPLE[:seats]}) == seats
    assert len(g.view(None)["finals"]) == 1
    assert g.phase == "plan"


def test_f7_is_used_by_six_alone() -> None:  # F-1.8, F-2.7
    g = scene("6 seats, short; trimester last, phase final")
    assert set(g.view(None)["finals"]) == {f"f{n}" for n in range(1, 8)}
    for n in range(40):
        g = scene(
            "5 seats, short; trimester II, turn 3, phase realise; ana: elements 9E 9V 9F 9W; projects 82"
        )
        g.state.stir(5, n * 0x9E3779B97F4A7C15)
        g.ana("done")
        assert "f7" not in g.view(None)["finals"]


def test_finals_are_chosen_openly_most_kindness_first() -> None:  # F-7.1, F-5.0
    g = scene("""
        3 seats; trimester last, phase final
        ana: elements 5E; kindness ben 1
        ben: elements 4E; kindness ana 1
        cleo: elements 1E
    """)
    assert g.view(None)["order"] == [1, 0, 2]
    choice = g.offered("ben").split()[1]
    g.ben(choice)
    assert g.area("ben", "cleo")["final"] == choice
    assert choice not in g.offered("ana").split()
    assert g.log("cleo")[-1] == f"Ben chooses final project {choice}"


def last(areas: str, turn: int = 1, length: str = "full") -> Scene:
    """Phase 6 of a turn of the last trimester."""
    return scene(f"2 seats, {length}; trimester last, turn {turn}, phase realise\n{areas}")


def test_any_number_of_steps_strictly_from_top_to_bottom() -> None:
    """F-7.2: F6 costs 2F 3W, then 2E 2V 3F 4W 1A, then 3E 3V 5F 5W 1A."""
    g = last("""
        ana: elements 5E 5V 10F 12W 2A; final F6
        ben: final F1; elements none
    """)
    g.ana("step")
    assert g.elements("ana") == "5E 5V 8F 9W 2A"
    g.ana("step")
    assert g.elements("ana") == "3E 3V 5F 5W 1A"
    g.ana("step")
    assert g.elements("ana") == "none"
    assert g.area("ana")["steps"] == 3
    assert g.log("ana")[-1] == "You realise step 3 of final project F6"


def test_a_later_step_waits_for_the_one_before() -> None:
    """F-7.2: enough for the second step of F6 but not for the first."""
    g = last("""
        ana: elements 1E 1V; final F6
        ben: elements 2F 3W; final F6 at 1
    """)
    assert g.phase == "bonus"


def test_any_number_of_leftover_projects() -> None:  # F-7.2
    g = last("""
        ana: elements 40E 40V 40F 40W; final F6; projects 82 91 95
        ben: final F1; elements none
    """)
    g.ana("82", "91", "95", "step", "done")
    assert g.told(None, "realised") == [{"seat": 0, "card": card} for card in ("82", "91", "95")]


@pytest.mark.parametrize(("steps", "leaders"), [((2, 1), "ana"), ((1, 1), "ana ben"), ((0, 0), "ana ben")])
def test_the_most_advanced_gain_an_element_of_their_choice(steps: tuple[int, int], leaders: str) -> None:
    """F-7.3: all who tie, also at none."""
    g = last(f"""
        ana: elements none; final F6 at {steps[0]}
        ben: elements none; final F1 at {steps[1]}
    """)
    assert (g.phase, g.asked) == ("bonus", leaders)
    assert g.offered("ana") == "earth plant fire water"
    for who in leaders.split():
        g.play(who, "fire")
    assert g.elements("ana") == "1F"
    assert "Nobody is ahead of Ana, who takes 1 fire" in g.log(None)
    assert (g.phase, g.view(None)["turn"]) == ("plan", 2)


def test_the_bonus_is_chosen_unseen() -> None:  # F-7.3, F-3.2
    g = last("ana: elements none; final F6\nben: elements none; final F1")
    g.ana("water")
    assert g.elements("ana", "ben") == "none"
    g.ben("earth")
    assert g.elements("ana", "ben") == "1W"


def test_the_year_ends_with_the_turn_in_which_a_final_project_is_completed() -> None:
    """F-7.4: phase 6, the bonus of F-7.3, then the others spend what is left, then the score."""
    g = last("""
        ana: elements 2E 2V 2F 3W 1A; final F6 at 4; projects 82
        ben: elements 3E 1V; final F1; projects 84
    """)
    assert g.asked == "ana", "Ben can afford nothing yet"
    g.ana("step", "done")
    assert (g.phase, g.asked) == ("bonus", "ana"), "the bonus comes first, and Ana is ahead"
    assert "Ana has completed final project F6!" in g.log("ben")
    g.ana("earth")
    assert g.outcome.reason == "final_completed"
    assert g.phase == "over"


def test_those_who_have_not_completed_spend_what_is_left_without_limit() -> None:
    """F-7.4: three projects and a step; whoever has completed the final project is not asked."""
    g = scene("""
        3 seats; trimester last, turn 4, phase realise
        ana: elements 2E 2V 2F 3W 1A; final F6 at 4; projects 82
        ben: elements 40E 40V 40F 40W; final F1; projects 91 95 86
        cleo: elements none; final F2
    """)
    g.ana("step", "done")
    g.ben("done")
    g.ana("water")
    assert (g.phase, g.asked) == ("spend", "ben"), (
        "Ana has completed hers and may not spend, though 82 is left"
    )
    g.ben("91", "95", "86", "step", "done")
    assert g.outcome.winners == (1,)
    assert g.area("ben")["steps"] == 1
    kinds = [event.kind for event in g.events(None)]
    order = [
        kinds.index(kind)
        for kind in ("step_done", "final_completed", "leader_gained", "realised", "year_ended")
    ]
    assert order == sorted(order)


def test_completing_only_in_the_last_spending_brings_nothing_extra() -> None:  # F-7.4
    g = last("""
        ana: elements 2E 2V 2F 3W 1A; final F6 at 4
        ben: elements 3E 4V 2F 2W 1A; final F1 at 4
    """)
    g.ana("step", "done")
    g.ben("done")
    g.ana("fire")
    g.ben("step")
    g.close()
    assert g.area("ben")["steps"] == 5
    assert g.outcome.reckoning[1]["total"] == 15
    assert len(g.told(None, "leader_gained")) == 1
    assert len(g.told(None, "final_completed")) == 1


def test_several_may_complete_in_the_same_turn() -> None:  # F-7.4, F-7.3
    g = last("""
        ana: elements 2E 2V 2F 3W 1A; final F6 at 4
        ben: elements 3E 4V 2F 2W 1A; final F1 at 4
    """)
    g.ana("step", "done")
    g.ben("step", "done")
    assert g.asked == "ana ben"
    g.ana("fire")
    g.ben("fire")
    assert g.outcome.winners == (0, 1)


def test_the_short_game_ends_with_four_steps() -> None:  # F-7.4, F-2.7
    g = last(
        """
        ana: elements 2E 2V 3F 4W 1A; final f6 at 3
        ben: final f1; elements none
    """,
        length="short",
    )
    g.ana("step")
    assert g.area("ana")["steps"] == 4
    g.ana("done")
    g.ana("fire")
    assert g.outcome.reason == "final_completed"
    assert g.outcome.reckoning[0]["report"] is None
