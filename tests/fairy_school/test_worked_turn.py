"""The worked turn of the rulebook (its section 8), phase by phase.

Ana is the narrator, Ben her left and Cleo her right neighbour. Where the rulebook's pictures are lost, cards that do
what the text says stand in: the dragon that gives earth and fire, the siren with its water, the neighbours' griffin
and sylvide, the sphinx on a paw space, the sea serpent for 3E 1V 2F.
"""

from tests.fairy_school.scene import scene


def test_the_rulebooks_worked_turn() -> None:  # F-5.1, F-5.2, F-5.3, F-5.4, F-5.5, F-5.6, F-5.7
    g = scene("""
        3 seats; trimester I, turn 1, phase plan
        ana: elements 2E 2V 1F; cubes 37; projects 85 88 103
             forest 9 . . . . / . . 1 8 4
             hand 3 55 5 2 7 10; pile 6 11 12
        ben: projects 82; forest . . 57 . . / . . 13 . .; pile
        cleo: projects 91; forest . . 53 . . / . . 25 . .; pile
    """)

    # Phase 1: six empty spaces, six cards. Earth and fire for the neighbours go into the middle column.
    assert g.asked == "ana"
    g.ana("55", "top 3", "3", "top 2", "5", "bottom 2", "2", "top 4", "7", "top 5", "done")
    assert g.forest("ana", "ben") == "9 3 55 2 7 / 10 5 1 8 4"

    # Phase 2: the middle column is free, the one beside it costs a plant.
    g.ana("column 3", "column 2", "done")
    assert g.elements("ana") == "2E 1V 1F"
    g.ben("column 3", "done")
    g.cleo("column 3", "done")
    assert g.zone("ana", "shared", "ben") == "55 3"
    assert g.zone("ana", "personal", "ben") == "1 5"

    # Phase 3: the dragon, the siren, a griffin on the left and a sylvide on the right, then the other two.
    g.ana("55", "3")
    assert g.elements("ana") == "3E 1V 2F 1W"
    g.ana("57", "53", "1", "5", "done")
    assert g.elements("ana") == "5E 3V 2F 3W"
    assert g.cubes("ana") == 31
    g.ben("done")
    g.cleo("55", "done")

    # Phase 4: four cubes come back, the neighbours keep two; Cleo's cube on the dragon is a point of kindness.
    assert g.cubes("ana") == 35
    assert g.kindness("ana") == "cleo 1"
    assert (g.kindness("ben"), g.kindness("cleo")) == ("ana 1", "ana 1")

    # Phase 5: sphinx and sea serpent lie on the paws. The sphinx is studied, without a bonus; the rows close up.
    assert g.offered("ana") == "sea-serpent sphinx pass"
    g.ana("sphinx")
    assert g.elements("ana") == "5E 3V 2F 3W"
    assert g.studied("ana", "ben") == "sphinx"
    assert g.forest("ana", "ben") == "2 7 . . . / . . . 10 8"
    assert g.zone("ana", "discard") == "1 3 4 5 9 55"

    # Phase 6: the sea serpent costs 3E 1V 2F and goes on top of the draw pile.
    g.ana("85", "done")
    assert g.elements("ana") == "2E 2V 3W"
    assert g.zone("ana", "projects") == "88 103"

    # Phase 7: the next turn, in which the sea serpent is the first card drawn.
    assert (g.view(None)["turn"], g.phase) == (2, "plan")
    assert g.view("ana")["own"]["drawn"][0] == "85"
    assert "Ana realises the project Sea serpent 85" in g.log("cleo")
