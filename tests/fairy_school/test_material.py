"""Rules page, section 1: fairies, elements, conversions, boards and cubes."""

import pytest

from tests.fairy_school.scene import PEOPLE, scene, year

SETUPS = ("beginners", "normal", "expert")


@pytest.mark.parametrize("seats", range(2, 7))
def test_two_to_six_fairies_sit_down(seats: int) -> None:  # F-1.1
    g = year(seats=seats)
    assert len(g.view(None)["players"]) == seats


def test_left_is_the_next_seat_and_right_the_one_before() -> None:  # F-1.1, F-5.3
    g = scene("""
        5 seats; phase activate
        ana: shared 1
        ben: shared 13
        cleo: shared 25
        dov: shared 37
        eli: shared 5:1
    """)
    assert g.offered("ana") == "1 13 5:1 done"
    assert g.offered("ben") == "1 13 25 done"
    assert g.offered("cleo") == "13 25 37 done"
    assert g.offered("eli") == "1 37 5:1 done"


def test_two_neighbours_who_are_the_same_fairy_share_one_zone() -> None:
    """F-1.1: with two players each shared card can be activated once by each, not once for either side."""
    g = scene("""
        2 seats; phase activate
        ana: elements none; shared 1
        ben: elements none; shared 13
    """)
    assert g.offered("ana") == "1 13 done"
    g.ana("13")
    assert g.offered("ana") == "1 done"
    g.ana("done")
    g.ben("13", "1", "done")
    assert g.kindness("ben") == "ana 1"
    assert g.kindness("ana") == "ben 1"


@pytest.mark.parametrize("setup", SETUPS)
def test_everyone_starts_with_one_of_each_element_but_air(setup: str) -> None:  # F-1.2, F-2.1
    g = year(seats=3, setup=setup)
    assert [g.elements(who) for who in PEOPLE[:3]] == ["1E 1V 1F 1W"] * 3


def test_a_fairy_may_hold_any_number_of_elements() -> None:  # F-1.2
    g = scene("""
        2 seats; phase activate
        ana: elements 99E 40V 40F 40W 40A; personal 137 107 134
    """)
    g.ana("137", "107", "134")
    assert g.elements("ana") == "103E 43V 45F 40W 40A"


@pytest.mark.parametrize(
    ("made", "given"),
    [
        ("earth", ["fire"] * 3),
        ("water", ["fire", "plant", "air"]),
        ("plant", ["fire"] * 4),
        ("fire", ["water", "water", "earth", "earth"]),
        ("air", ["fire", "fire", "plant", "plant", "water", "earth"]),
    ],
)
def test_any_elements_convert_at_the_rate_of_what_is_made(made: str, given: list[str]) -> None:
    """F-1.3: three for an earth or a water, four for a plant or a fire, six for an air, of whatever kinds."""
    g = scene("""
        2 seats; phase select
        ana: elements 5E 5V 5F 5W 5A
    """)
    before = dict(g.area("ana")["elements"])
    g.ana("convert", f"make {made}", *(f"spend {element}" for element in given))
    after = g.area("ana")["elements"]
    for element, had in before.items():
        gained = 1 if element == made else 0
        assert after[element] == had - given.count(element) + gained
    assert len(given) == {"earth": 3, "water": 3, "plant": 4, "fire": 4, "air": 6}[made]
    assert g.choice("ana").kind == "select"


@pytest.mark.parametrize("made", ["earth", "plant", "fire", "water"])
def test_air_is_the_joker(made: str) -> None:  # F-1.3
    g = scene("""
        2 seats; phase select
        ana: elements 1A
    """)
    g.ana("convert", f"make {made}", "spend air")
    assert g.area("ana")["elements"][made] == 1
    assert g.area("ana")["elements"]["air"] == 0
    assert g.log("ana")[-1].startswith("You convert 1 air into 1 ")


def test_air_cannot_be_made_from_one_air_and_too_few_elements_make_nothing() -> None:  # F-1.3
    g = scene("""
        2 seats; phase select
        ana: elements 2E 1V 1A
        ben: elements 1E 1V
    """)
    g.ana("convert")
    assert g.offered("ana") == "make-earth make-plant make-fire make-water cancel"
    assert "convert" not in g.options("ben")


def test_any_on_the_board_is_any_element_but_air() -> None:
    """F-1.4, F-1.6: the bonus of sphinx and salamander."""
    g = scene("""
        2 seats; phase study
        ana: elements none; studied sphinx; forest 59 . . . . / . . . . .
    """)
    g.ana("salamander")
    assert g.choice("ana").kind == "any"
    assert g.offered("ana") == "earth plant fire water"
    g.ana("fire")
    assert g.elements("ana") == "1F"


def test_any_on_a_card_is_any_element_but_air() -> None:  # F-1.4, F-6.1
    g = scene("""
        2 seats; phase activate
        ana: elements none; personal 75
    """)
    g.ana("75")
    assert g.offered("ana") == "gain-1 gain-2 gain-3 gain-4"
    gains = g.choice("ana").about["gains"]
    assert [[name for name, n in gain.items() if n] for gain in gains] == [
        ["earth"],
        ["plant"],
        ["fire"],
        ["water"],
    ]


@pytest.mark.parametrize(
    ("column", "left"),
    [(1, "1V 1F 1W"), (2, "1E 1F 1W"), (3, "1E 1V 1F 1W"), (4, "1E 1V 1W"), (5, "1E 1V 1F")],
)
def test_what_the_columns_cost(column: int, left: str) -> None:  # F-1.5, F-5.2
    g = scene("""
        2 seats; phase select
        ana: elements 1E 1V 1F 1W; forest 1 2 3 4 5 / 6 7 8 9 10
    """)
    g.ana(f"column {column}")
    assert g.elements("ana") == left
    assert g.zone("ana", "shared") == str(column)
    assert g.zone("ana", "personal") == str(5 + column)


def test_the_paws_are_at_the_top_left_and_the_bottom_right() -> None:  # F-1.5, F-5.5
    g = scene("""
        2 seats; phase study
        ana: forest 1 2 3 4 5 / 6 7 8 9 10
    """)
    assert g.offered("ana") == "unicorn siren pass"


@pytest.mark.parametrize(
    ("first", "second", "card", "bonus"),
    [
        ("unicorn", "gnome", 2, "1E"),
        ("siren", "sea-serpent", 4, "1W"),
        ("sylvide", "elf", 11, "1V"),
        ("dragon", "phoenix", 6, "1F"),
        ("griffin", "cockatrice", 58, "1A"),
    ],
)
def test_the_second_creature_of_a_pair_gives_the_bonus_between_them(
    first: str, second: str, card: int, bonus: str
) -> None:  # F-1.6, F-5.5
    for known, gain in ((first, bonus), ("sphinx", "none")):
        g = scene(f"""
            2 seats; phase study
            ana: elements none; studied {known}; forest {card} . . . . / . . . . .
        """)
        g.ana(second)
        assert g.elements("ana") == gain
        assert second.replace("-", "_") in g.studied("ana").split()


@pytest.mark.parametrize(("length", "cubes"), [("full", 37), ("short", 32)])
def test_cubes_for_the_whole_year(length: str, cubes: int) -> None:  # F-1.7, F-2.7
    g = year(seats=4, length=length)
    assert [g.cubes(who) for who in PEOPLE[:4]] == [cubes] * 4
    assert [g.kindness(who) for who in PEOPLE[:4]] == [""] * 4


def test_cubes_given_away_never_come_back() -> None:  # F-1.7, F-5.4
    g = scene("""
        2 seats; phase activate
        ana: cubes 2; shared 1; personal 2
        ben: cubes 9; shared 13
    """)
    g.ana("13", "1", "done")
    g.ben("done")
    assert g.cubes("ana") == 1
    assert g.kindness("ben") == "ana 1"


def test_every_seat_has_its_own_starting_deck() -> None:  # F-1.8, F-2.1
    g = year(seats=6)
    for who, deck in zip(PEOPLE, ("1 12", "13 24", "25 36", "37 48", "5:1 5:12", "6:1 6:12"), strict=True):
        pile = g.area(who)["pile"]
        assert pile["count"] == 12
        assert (pile["among"][0], pile["among"][-1]) == tuple(deck.split())


def test_sets_are_dealt_at_random() -> None:  # F-1.10
    dealt = {
        tuple(event["set"] for event in year(f"seed {n}", seats=2).told(None, "set_dealt")) for n in range(40)
    }
    assert {letter for pair in dealt for letter in pair} == set("ABCDE")
    assert len(dealt) > 10


def test_projects_of_unused_sets_are_ordinary_cards() -> None:
    """F-1.10: over some years, a beginners' project of a set that nobody has turns up in the common discard."""
    found = set()
    for n in range(30):
        g = year(f"seed {n}", seats=2, setup="beginners")
        given = {card for event in g.told(None, "projects_given") for card in event["cards"]}
        common = set(g.view(None)["common"])
        assert not given & common
        found |= common & {
            "82",
            "91",
            "95",
            "86",
            "90",
            "99",
            "80",
            "94",
            "97",
            "85",
            "92",
            "98",
            "81",
            "89",
            "100",
        }
    assert found
