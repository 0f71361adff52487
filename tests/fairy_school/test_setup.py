"""Rules page, section 2: set-ups, lengths, variants, and which of them go together."""

import itertools

import pytest

from fabletop.core.errors import BadOptions
from fabletop.games.fairy_school.cards import BEGINNER_PROJECTS, BY_NAME, CARDS, SETS
from tests.fairy_school.scene import GAME, PEOPLE, Scene, year

PROJECTS = {letter: {CARDS[i].name for i in ids} for letter, ids in BEGINNER_PROJECTS.items()}
SET_CARDS = {letter: {CARDS[i].name for i in ids} for letter, ids in SETS.items()}


def s_cards(g: Scene, who: str) -> tuple[list[str], list[str]]:
    """The S cards in a seat's forest, and those in its discard."""
    forest = [card for card in g.forest(who).split() if card in BY_NAME]
    return forest, g.zone(who, "discard").split()


def settle_all(g: Scene) -> None:
    """Everyone who places S cards puts the first two on the first two spaces."""
    for who in g.asked.split():
        for space in ("top 1", "top 2"):
            g.play(who, g.offered(who).split()[0], space)
        g.play(who, "done")


def draft_all(g: Scene) -> None:
    """Everybody takes the first card offered until the draft is over."""
    while g.phase in ("draft", "settle_draft"):
        for who in g.asked.split():
            g.play(who, g.offered(who).split()[0])


@pytest.mark.parametrize("setup", ["beginners", "normal", "expert"])
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_twelve_cards_to_draw_four_s_cards_cubes_and_elements(seats: int, setup: str) -> None:  # F-2.1, F-2.2
    g = year(seats=seats, setup=setup)
    if setup == "expert":
        draft_all(g)
        settle_all(g)
    for who in PEOPLE[:seats]:
        forest, discard = s_cards(g, who)
        # In the beginners' game planning has begun, and the pile shows what was drawn from it.
        own = g.view(who)["own"]["drawn"] + g.area(who)["pile"]["among"]
        assert len(own) == 12
        assert [len(forest), len(discard)] == [2, 2]
        assert all(BY_NAME[card].deck == "S" for card in (*forest, *discard))
        assert g.cubes(who) == 37
        assert g.elements(who) == "1E 1V 1F 1W"


def test_the_cards_of_a_set_say_where_they_start() -> None:  # F-2.2
    g = year(seats=5)
    for who in PEOPLE[:5]:
        letter = g.area(who)["set"]
        top = g.area(who)["forest"]["top"]
        for card in map(BY_NAME.__getitem__, SET_CARDS[letter]):
            if card.place:
                assert top[card.place - 1] == card.name
            else:
                assert card.name in g.zone(who, "discard").split()
        assert g.area(who)["forest"]["bottom"] == [None] * 5


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_beginners_get_their_sets_projects_without_a_draft(seats: int) -> None:  # F-2.3, F-1.10
    g = year(seats=seats, setup="beginners")
    assert g.phase == "plan"
    assert g.view(None)["trimester"] == 1
    given = set()
    for who in PEOPLE[:seats]:
        projects = set(g.zone(who, "projects").split())
        assert projects == PROJECTS[g.area(who)["set"]]
        given |= projects
    common = g.view(None)["common"]
    assert len(common) == seats
    assert all(BY_NAME[card].deck == "I" for card in common)
    assert not given & set(common)
    assert any(line.startswith("To the common discard: ") for line in g.log(None))


def test_the_normal_game_drafts_in_the_first_trimester_too() -> None:  # F-2.4
    g = year(seats=3)
    assert g.phase == "draft"
    assert [g.area(who)["set"] is None for who in PEOPLE[:3]] == [False] * 3
    assert all(BY_NAME[card].deck == "I" for card in g.offered("ana").split())


def test_the_sixth_player_places_two_of_four_cards_from_outside_the_sets() -> None:  # F-2.4, F-2.5
    g = year(seats=6)
    without = [who for who in PEOPLE if g.area(who)["set"] is None]
    assert len(without) == 1
    sixth = without[0]
    assert g.asked == sixth
    hand = g.offered(sixth).split()
    assert len(hand) == 4
    assert all(BY_NAME[card].deck == "S" and not BY_NAME[card].set for card in hand)
    g.play(sixth, hand[0])
    assert g.offered(sixth) == "top-1 top-2 top-3 top-4 top-5"
    g.play(sixth, "top 4", hand[3], "top 1", "done")
    assert g.forest(sixth) == f"{hand[3]} . . {hand[0]} . / . . . . ."
    assert g.zone(sixth, "discard").split() == sorted(hand[1:3], key=int)
    assert g.phase == "draft"


def test_any_seat_can_be_the_one_without_a_set() -> None:  # F-2.4
    assert len({year(f"seed {n}", seats=6).asked for n in range(40)}) == 6


def test_experts_draft_s_cards_to_the_left_and_place_two() -> None:  # F-2.5
    g = year(seats=3, setup="expert")
    assert g.phase == "settle_draft"
    hands = {who: g.offered(who).split() for who in PEOPLE[:3]}
    assert all(len(hand) == 4 for hand in hands.values())
    for who in PEOPLE[:3]:
        g.play(who, hands[who][0])
    assert g.offered("ben").split() == hands["ana"][1:]
    assert g.offered("cleo").split() == hands["ben"][1:]
    assert g.offered("ana").split() == hands["cleo"][1:]
    draft_all(g)
    assert g.phase == "settle"
    drafted = g.offered("ana").split()
    assert len(drafted) == 4
    g.ana(drafted[1], "top 5", drafted[2])
    assert g.offered("ana") == "top-1 top-2 top-3 top-4"
    g.ana("top 3")
    assert g.offered("ana") == "done"
    g.ana("done")
    settle_all(g)
    assert g.forest("ana") == f". . {drafted[2]} . {drafted[1]} / . . . . ."
    assert set(g.zone("ana", "discard").split()) == {drafted[0], drafted[3]}
    assert g.phase == "draft"


@pytest.mark.parametrize(
    ("setup", "length"), list(itertools.product(("beginners", "normal"), ("full", "short")))
)
def test_two_players_have_a_fifth_s_card_in_the_discard(setup: str, length: str) -> None:  # F-2.6
    g = year(seats=2, setup=setup, length=length)
    in_use = SET_CARDS[g.area("ana")["set"]] | SET_CARDS[g.area("ben")["set"]]
    for who in PEOPLE[:2]:
        forest, discard = s_cards(g, who)
        assert [len(forest), len(discard)] == [2, 3]
        extra = {*forest, *discard} - in_use
        assert len(extra) == 1
    assert len(g.told(None, "discarded")) == 2


def test_the_fifth_card_may_come_from_a_set_not_in_use() -> None:  # F-2.6
    sets = set()
    for n in range(40):
        for event in year(f"seed {n}", seats=2).told(None, "discarded"):
            sets.add(BY_NAME[event["cards"][0]].set)
    assert len(sets) > 2, "only cards outside all sets were dealt"


def test_two_experts_draft_five_and_place_two() -> None:  # F-2.6, F-2.5
    g = year(seats=2, setup="expert")
    assert len(g.offered("ana").split()) == 5
    draft_all(g)
    settle_all(g)
    forest, discard = s_cards(g, "ana")
    assert [len(forest), len(discard)] == [2, 3]


@pytest.mark.parametrize(("seats", "turns"), [(2, 4), (3, 3), (6, 3)])
def test_how_many_turns_a_trimester_has(seats: int, turns: int) -> None:  # F-2.6, F-3.1
    g = year(seats=seats)
    assert g.view(None)["turns"] == turns


def test_the_short_game_has_fewer_cubes() -> None:  # F-2.7
    g = year(seats=2, length="short")
    assert [g.cubes("ana"), g.cubes("ben")] == [32, 32]


def test_all_combinations_but_two_kinds_make_a_game() -> None:  # F-2.9
    for seats, setup, length, wider in itertools.product(
        range(2, 7), ("beginners", "normal", "expert"), ("full", "short"), (False, True)
    ):
        options = {"seats": seats, "setup": setup, "length": length, "wider": wider}
        if (setup == "beginners" and seats == 6) or (wider and seats < 4):
            with pytest.raises(BadOptions):
                GAME.options(options)
        else:
            assert GAME.options(options) == options
            assert year(**options).asked


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"seats": 6, "setup": "beginners"}, "five predefined sets"),
        ({"seats": 3, "wider": True}, "four seats or more, not 3"),
        ({"seats": 1}, "2 to 6"),
        ({"seats": 7}, "2 to 6"),
        ({"seats": "three"}, "2 to 6"),
        ({"seats": True}, "2 to 6"),
        ({"setup": "master"}, "beginners, normal or expert"),
        ({"length": "tiny"}, "full or short"),
        ({"wider": "maybe"}, "true or false"),
        ({"seets": 3}, "did you mean 'seats'"),
    ],
)
def test_a_refused_option_says_what_would_be_right(options: dict[str, object], why: str) -> None:  # F-2.9
    with pytest.raises(BadOptions, match=why):
        GAME.options(options)


def test_what_is_not_said_has_a_default() -> None:  # F-2.9
    assert GAME.options({}) == {"seats": 4, "setup": "normal", "length": "full", "wider": False}
