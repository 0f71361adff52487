"""Rules page, F-6.3, F-6.5, F-6.7 and F-6.8: Repeat, Banish and Study, with their edges."""

from tests.fairy_school.scene import scene

# ---- Repeat


def test_repeat_activates_a_card_again_with_a_further_cube() -> None:  # F-6.3, F-6.8
    g = scene("""
        2 seats; phase activate
        ana: elements 1W; cubes 5; personal 10 1
    """)
    g.ana("1", "10", "line 2")
    assert g.elements("ana") == "2E", "the only card to repeat needs no choosing"
    assert g.cubes("ana") == 2
    assert g.log("ana")[-2:] == ["You activate Unicorn 1 once more", "You take 1 earth"]
    assert g.offered("ana") == "done"


def test_repeat_needs_a_card_activated_before() -> None:  # F-6.3, F-5.3
    g = scene("""
        2 seats; phase activate
        ana: elements 1W; personal 10 1
    """)
    g.ana("10")
    assert g.elements("ana") == "1V 1W", "nothing to repeat, so only the other line"


def test_repeat_needs_a_further_cube() -> None:  # F-6.8
    g = scene("""
        2 seats; phase activate
        ana: elements 1W; cubes 2; personal 10 1
    """)
    g.ana("1", "10")
    assert g.elements("ana") == "1E 1V 1W"


def test_repeat_chooses_the_line_again_and_pays_again() -> None:  # F-6.8
    g = scene("""
        2 seats; phase activate
        ana: elements 1W; personal 10 115
    """)
    g.ana("115", "line 1", "10", "line 2")
    assert (g.choice("ana").kind, g.choice("ana").about) == ("line", {"card": "115", "again": True})
    g.ana("line 2")
    assert g.elements("ana") == "4F 1A"
    g = scene("""
        2 seats; phase activate
        ana: elements 3W; personal 10 88
    """)
    g.ana("88", "10", "line 2")
    assert g.elements("ana") == "2E 4F"


def test_repeat_without_an_element_must_leave_enough_for_the_card() -> None:
    """F-5.3, F-6.8: what is left makes one water, for the Repeat or for the card it repeats, but not both."""
    g = scene("""
        2 seats; phase activate
        ana: elements 1W; personal 10 88
    """)
    g.ana("88", "10")
    assert g.elements("ana") == "1E 1V 2F", "of the siren only the plant was of use"


def test_repeat_on_a_neighbours_card_gives_the_second_cube_too() -> None:  # F-6.8
    g = scene("""
        2 seats; phase activate
        ana: elements 1W; personal 10
        ben: shared 13
    """)
    g.ana("13", "10", "line 2", "done")
    g.ben("done")
    assert g.kindness("ben") == "ana 2"
    assert "Ana activates your Unicorn 13 once more" in g.log("ben")
    assert "Ana leaves you 2 cubes: your kindness grows" in g.log("ben")
    assert g.cubes("ana") == 35


def test_repeat_never_takes_a_card_by_its_repeat_line() -> None:
    """F-6.3, F-6.8: the other line of a Repeat card may be repeated, the Repeat line never."""
    g = scene("""
        2 seats; phase activate
        ana: elements 3W; personal 10 1 96
        ben: shared 22
    """)
    g.ana("1", "10", "line 2", "96")
    assert g.offered("ana") == "1 10 pass"
    g.ana("10")
    assert g.elements("ana") == "3E 1V 1W", "the siren gave a plant; its Repeat line was not offered"


def test_repeat_cannot_take_its_own_card() -> None:
    """F-6.8: another card; a Repeat alone in the zones only exchanges."""
    g = scene("""
        2 seats; phase activate
        ana: elements 1W; personal 96
    """)
    g.ana("96")
    assert g.elements("ana") == "1E"
    assert g.offered("ana") == "done"


def test_repeat_with_an_element_may_be_taken_as_an_exchange() -> None:  # F-6.8, F-6.3
    g = scene("""
        2 seats; phase activate
        ana: elements 1W; personal 96 1
    """)
    g.ana("1", "96")
    assert g.offered("ana") == "1 pass"
    g.ana("pass")
    assert g.elements("ana") == "2E"
    assert g.cubes("ana") == 35


def test_one_card_may_be_repeated_several_times_by_different_repeats() -> None:  # F-6.8
    g = scene("""
        3 seats; phase activate
        ana: elements 3W; personal 10 1 96 100
    """)
    g.ana("1", "10", "line 2", "96", "1", "100", "1")
    assert g.elements("ana") == "5E 1F"
    assert g.told("ana", "repeated") == [{"seat": 0, "owner": 0, "card": "1", "line": 1}] * 3


def test_a_recall_a_scout_and_what_they_brought_may_be_repeated() -> None:  # F-6.8, F-6.4
    g = scene("""
        2 seats; phase activate
        ana: elements 2E 2V 3W; personal 9 11 10 96 100; discard 53 54 55; pile 1 2 3 4 5 6
    """)
    g.ana("9", "line 2", "53", "53", "11", "line 2")
    scouted = g.offered("ana").split()[0]
    g.ana(scouted)
    g.ana("10", "line 2", "9", "line 2", "54")
    assert "54" in g.zone("ana", "personal").split()
    g.ana("96", "11", "line 2")
    assert g.choice("ana").kind == "scout"
    g.ana(g.offered("ana").split()[0], "100", "53")
    assert [event["card"] for event in g.told("ana", "repeated")] == ["9", "11", "53"]


# ---- Banish


def test_banish_removes_an_unplayed_card_from_the_game() -> None:  # F-6.3
    g = scene("""
        2 seats; phase activate
        ana: elements 1F; personal 70; forest 57 . 62 . . / . . . 7 .
    """)
    g.ana("70", "line 2")
    assert g.offered("ana") == "7 57 62"
    g.ana("62")
    assert g.forest("ana") == "57 . . . . / . . . 7 ."
    assert g.zone("ana", "banished") == "62"
    assert g.log("ana")[-1] == "You banish Dragon 62 from your forest for good"


def test_banish_with_an_element_makes_removing_optional() -> None:  # F-6.7, F-6.3
    g = scene("""
        2 seats; phase activate
        ana: elements 1F; personal 12; forest 57 . . . . / . . . . .
    """)
    g.ana("12", "line 2")
    assert g.elements("ana") == "1E"
    assert g.offered("ana") == "57 pass"
    g.ana("pass")
    assert g.forest("ana") == "57 . . . . / . . . . ."


def test_banish_with_an_element_works_with_an_empty_forest() -> None:  # F-6.7
    g = scene("""
        2 seats; phase activate
        ana: elements 1F; personal 76
    """)
    g.ana("76")
    assert g.elements("ana") == "1V"
    assert g.offered("ana") == "done"


def test_banish_without_an_element_needs_a_card_and_must_remove_it() -> None:  # F-6.7, F-5.3
    g = scene("""
        2 seats; phase activate
        ana: elements 2F; personal 70; forest 57 62 . . . / . . . . .
        ben: elements 2F; personal 13; shared 14
    """)
    g.ana("70", "line 2")
    assert "pass" not in g.options("ana")
    g = scene("""
        2 seats; phase activate
        ana: elements 1F; personal 70
    """)
    g.ana("70")
    assert g.elements("ana") == "3F", "no card in the forest, so the line that gives two fires"


def test_banish_that_gives_its_own_price_back_is_no_exchange() -> None:
    """F-5.3, F-6.7: `Banish +F` returns the fire, so it does something only where a card is removed."""
    g = scene("""
        2 seats; phase activate
        ana: elements 1F; personal 98; forest 57 62 . . . / . . . . .
        ben: elements 1F; personal 13
    """)
    g.ana("98")
    assert g.elements("ana") == "1F"
    assert g.offered("ana") == "57 62", "no pass: the exchange alone would be a gift of a cube"
    g.ana("57")
    assert (g.elements("ana"), g.zone("ana", "banished")) == ("1F", "57")
    g = scene("""
        2 seats; phase activate
        ana: elements 1F; personal 98
        ben: personal 13
    """)
    assert g.asked == "ben"


def test_banish_does_not_touch_played_cards() -> None:  # F-6.3
    g = scene("""
        2 seats; phase activate
        ana: elements 1F; personal 12 1; shared 2; forest 57 . . . . / . . . . .
    """)
    g.ana("12", "line 2")
    assert g.offered("ana") == "57 pass"


def test_a_banished_project_no_longer_scores() -> None:  # F-6.5, F-8.1
    g = scene("""
        2 seats; phase activate
        ana: elements 1F; personal 12; forest 88 . . . . / . . . . .
    """)
    assert g.state.points()[0] == 3
    g.ana("12", "line 2", "88")
    assert g.state.points()[0] == 0
    assert g.zone("ana", "realised") == ""


# ---- Study


def test_study_any_creature_with_the_bonus_of_its_pair() -> None:  # F-6.3, F-1.6
    g = scene("""
        2 seats; phase activate
        ana: elements 1V 1F 1W 1A; personal 159; studied griffin elf
    """)
    g.ana("159")
    assert g.offered("ana").split() == [
        "unicorn", "gnome", "siren", "sea-serpent", "sylvide", "dragon", "phoenix", "sphinx", "salamander",
        "cockatrice",
    ]  # fmt: skip
    g.ana("cockatrice")
    assert g.elements("ana") == "1A"
    assert g.studied("ana") == "elf griffin cockatrice"


def test_study_of_the_sphinx_pair_lets_one_choose_the_bonus() -> None:  # F-6.3, F-1.4
    g = scene("""
        2 seats; phase activate
        ana: elements 1V 1F 1W 1A; personal 159; studied sphinx
    """)
    g.ana("159", "salamander", "water")
    assert g.elements("ana") == "1W"
    assert g.choice("ana").kind == "activate"


def test_study_cannot_be_activated_when_all_twelve_are_studied() -> None:  # F-6.7
    g = scene("""
        2 seats; phase activate
        ana: elements 2V 2F 2W 2A; personal 159 157
             studied unicorn gnome siren sea_serpent sylvide elf dragon phoenix sphinx salamander griffin cockatrice
    """)
    assert g.offered("ana") == "157 done"
    g.ana("157")
    assert g.elements("ana") == "4E 2V 2F 2W 2A"


def test_study_comes_in_addition_to_phase_5() -> None:  # F-6.7, F-5.5
    g = scene("""
        2 seats; phase activate
        ana: elements 1V 1F 1W 1A; personal 159; forest 1 . . . . / . . . . .
    """)
    g.ana("159", "elf", "done")
    assert (g.phase, g.offered("ana")) == ("study", "unicorn pass")
    g.ana("unicorn")
    assert g.studied("ana") == "unicorn elf"
