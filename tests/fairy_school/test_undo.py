"""Taking back: free for every seat in its own unfinished phase, until it has learned something."""

import pytest

from fabletop.core.errors import CannotUndo
from tests.fairy_school.scene import GAME, PEOPLE, Scene, year


def first(g: Scene, who: str) -> str:
    """The first useful option."""
    return g.offered(who).split()[0]


def until(g: Scene, phase: str) -> None:
    """Everybody takes the first option until the table is at a phase."""
    while g.phase != phase:
        for who in g.asked.split():
            if who in g.asked.split() and g.phase != phase:
                g.play(who, first(g, who))


def undo(g: Scene, who: str) -> str:
    """Take back the last action of a seat; returns its text."""
    assert g.sitting is not None
    taken = g.sitting.undo(PEOPLE.index(who))
    g.rows = g.sitting.rows
    return str(GAME.actions[taken])


def barrier(g: Scene, who: str) -> str | None:
    """Why a seat cannot take back."""
    assert g.sitting is not None
    return g.sitting.undo_barrier(PEOPLE.index(who))


def test_a_placement_is_taken_back() -> None:  # F-5.1
    g = year("undo", seats=3, setup="beginners")
    card = first(g, "ana")
    before = g.forest("ana")
    g.ana(card, "bottom 3")
    assert undo(g, "ana") == "bottom-3"
    assert undo(g, "ana") == card
    assert g.forest("ana") == before
    with pytest.raises(CannotUndo, match="nothing to take back"):
        undo(g, "ana")


def test_a_finished_phase_can_be_opened_again_while_others_are_at_it() -> None:
    """F-3.2: nobody has seen anything yet."""
    g = year("undo", seats=3, setup="beginners")
    until(g, "select")
    g.ana("column 3", "done")
    g.ben("column 3", "done")
    assert g.asked == "cleo"
    assert undo(g, "ana") == "done"
    assert undo(g, "ana") == "column-3"
    assert g.asked == "ana cleo"
    assert barrier(g, "ben") is None
    g.ana("column 1", "done")
    g.cleo("column 3", "done")
    assert g.told(None, "column_chosen")[0] == {"seat": 0, "column": 1}


def test_taking_back_leaves_the_others_alone() -> None:  # F-3.2
    g = year("undo", seats=3, setup="beginners")
    until(g, "select")
    g.ana("column 3")
    g.ben("column 1", "done")
    undo(g, "ana")
    assert g.view("ben")["flow"] is None
    assert g.zone("ben", "shared") != "" or g.elements("ben") == "1V 1F 1W"
    assert g.elements("ben") == "1V 1F 1W"


def test_a_closed_phase_stands() -> None:  # F-3.2
    g = year("undo", seats=2, setup="beginners")
    until(g, "select")
    g.ana("column 3", "done")
    g.ben("column 3", "done")
    assert g.phase == "activate"
    assert barrier(g, "ana") == "closed"
    assert barrier(g, "ben") == "learned"
    with pytest.raises(CannotUndo, match="everybody has finished this phase"):
        undo(g, "ana")


def with_a_scout_to_activate() -> Scene:
    """A year in which Ana has drawn her elf and plays it at once."""
    for n in range(50):
        g = year(f"scout {n}", seats=2, setup="beginners")
        if "11" in g.options("ana"):
            g.ana("11", "bottom 3")
            until(g, "select")
            g.ana("column 3", "done")
            g.ben("column 3", "done")
            return g
    pytest.fail("no year with a Scout to try")


def test_an_activation_is_taken_back_but_not_a_scout() -> None:  # F-6.3
    g = with_a_scout_to_activate()
    g.ana("11", "line 1")
    assert (g.elements("ana"), g.cubes("ana")) == ("1E 1V 2F 1W", 36)
    undo(g, "ana")
    undo(g, "ana")
    assert (g.elements("ana"), g.cubes("ana")) == ("1E 1V 1F 1W", 37)
    g.ana("11", "line 2")
    assert g.choice("ana").kind == "scout"
    assert barrier(g, "ana") == "learned"
    with pytest.raises(CannotUndo, match="showed somebody something hidden"):
        undo(g, "ana")
    g.ana(first(g, "ana"))
    assert barrier(g, "ana") is None, "what comes after may be taken back again"
    undo(g, "ana")
    assert g.choice("ana").kind == "scout"


def test_a_draft_pick_is_taken_back_until_the_hands_are_passed() -> None:  # F-4.1, F-4.3
    g = year("undo", seats=3)
    hand = g.offered("ana")
    g.ana(first(g, "ana"))
    undo(g, "ana")
    assert g.offered("ana") == hand
    for who in PEOPLE[:3]:
        g.play(who, first(g, who))
    assert barrier(g, "ana") == "closed"


def test_where_seats_choose_in_order_the_next_one_stops_undo() -> None:  # F-7.1
    g = year("undo", seats=2, length="short", setup="beginners")
    until(g, "final")
    who = g.asked
    other = "ben" if who == "ana" else "ana"
    g.play(who, first(g, who))
    assert g.asked == other
    assert barrier(g, who) is None, "an open choice, and nobody has acted on it"
    g.play(other, first(g, other))
    assert barrier(g, who) in ("acted", "closed")
