"""What can be paid, by whatever conversions: the engine's rule against trying out everything (F-1.3, F-6.9)."""

from functools import cache
from itertools import combinations_with_replacement

from fabletop.core.chance import Chance
from fabletop.games import GAMES
from fabletop.games.fairy_school.algebra import LETTERS
from fabletop.games.fairy_school.cards import BY_NAME
from tests.fairy_school.scene import Scene, scene

GAME = GAMES["fairy_school"]
Hold = tuple[int, ...]
RATES = {"E": 3, "V": 4, "F": 4, "W": 3, "A": 6}
CHEAP = ("85", "88", "90", "98", "103")


def less(held: Hold, spent: Hold) -> Hold | None:
    left = tuple(a - b for a, b in zip(held, spent, strict=True))
    return left if min(left) >= 0 else None


@cache
def bundles(size: int) -> tuple[Hold, ...]:
    """All ways to take N elements."""
    return tuple(
        tuple(choice.count(k) for k in range(5)) for choice in combinations_with_replacement(range(5), size)
    )


@cache
def payable(held: Hold, cost: Hold) -> bool:
    """By trying every sequence of conversions."""
    if less(held, cost) is not None:
        return True
    if sum(held) < sum(cost):
        return False  # no conversion makes more elements than it takes
    for made, letter in enumerate(LETTERS):
        ways = list(bundles(RATES[letter])) + ([(0, 0, 0, 0, 1)] if letter != "A" else [])
        for spent in ways:
            left = less(held, spent)
            if left is not None and payable(tuple(n + (k == made) for k, n in enumerate(left)), cost):
                return True
    return False


def text_of(held: Hold) -> str:
    return " ".join(f"{n}{letter}" for n, letter in zip(held, LETTERS, strict=True) if n) or "none"


def purse(chance: Chance, most: int) -> Hold:
    held = [0] * 5
    for _ in range(chance.below(most + 1)):
        held[chance.below(5) if chance.below(2) else chance.below(4)] += 1
    return tuple(held)


def test_a_project_is_offered_exactly_when_some_conversions_pay_for_it() -> None:  # F-1.3, F-5.6, F-6.9
    chance = Chance.from_text("purses")
    verdicts = set()
    for _ in range(120):
        held = purse(chance, 10)
        g = scene(
            f"2 seats; trimester I, phase realise; ana: elements {text_of(held)}; projects {' '.join(CHEAP[:3])}"
        )
        offered = set(g.options("ana")) if g.phase == "realise" else set()
        for name in CHEAP[:3]:
            assert (name in offered) == payable(held, BY_NAME[name].cost), (held, name)
            verdicts.add((name in offered, less(held, BY_NAME[name].cost) is not None))
    assert verdicts == {(True, True), (True, False), (False, False)}


def test_a_column_is_offered_exactly_when_its_cost_can_be_paid() -> None:  # F-1.5, F-5.2, F-6.9
    chance = Chance.from_text("columns")
    costs = {
        1: (1, 0, 0, 0, 0),
        2: (0, 1, 0, 0, 0),
        3: (0, 0, 0, 0, 0),
        4: (0, 0, 1, 0, 0),
        5: (0, 0, 0, 1, 0),
    }
    for _ in range(80):
        held = purse(chance, 6)
        g = scene(f"2 seats; trimester I, phase select; ana: elements {text_of(held)}")
        for column, cost in costs.items():
            assert (f"column-{column}" in g.options("ana")) == payable(held, cost), (held, column)


def conversions(g: Scene) -> list[tuple[str, Hold]]:
    names = ("earth", "plant", "fire", "water", "air")
    return [(event["made"], tuple(event[name] for name in names)) for event in g.told("ana", "converted")]


def test_every_payment_works_out_and_converts_at_the_rates() -> None:  # F-1.3, F-6.9
    chance = Chance.from_text("payments")
    converted = 0
    for _ in range(150):
        held = purse(chance, 14)
        g = scene(
            f"2 seats; trimester I, phase realise; ana: elements {text_of(held)}; projects {' '.join(CHEAP[2:])}"
        )
        wanted = [name for name in g.options("ana") if name in CHEAP] if g.phase == "realise" else []
        if not wanted:
            continue
        name = chance.pick(wanted)
        g.ana(name)
        while g.choice("ana").kind == "pay":
            options = g.options("ana")
            assert options
            g.ana(chance.pick(options))
        assert name in g.area("ana")["realised"]
        left = list(held)
        for made, spent in conversions(g):
            converted += 1
            letter = LETTERS[("earth", "plant", "fire", "water", "air").index(made)]
            assert sum(spent) == RATES[letter] or spent == (0, 0, 0, 0, 1)
            left = [n - s for n, s in zip(left, spent, strict=True)]
            assert min(left) >= 0
            left[LETTERS.index(letter)] += 1
        left = [n - s for n, s in zip(left, BY_NAME[name].cost, strict=True)]
        assert g.elements("ana") == text_of(tuple(left))
    assert converted > 50


def test_nothing_is_converted_unasked() -> None:  # F-6.9
    g = scene("2 seats; trimester I, phase select; ana: elements 4W")
    g.ana("column 2")
    assert g.choice("ana").kind == "pay"
    assert g.options("ana") == ["spend-water"]  # the only way, and yet it is asked
    assert g.elements("ana") == "4W"
    g.ana("spend water")
    assert g.elements("ana") == "none"
    assert g.area("ana")["forest"]["top"] == [None] * 5
    assert conversions(g) == [("plant", (0, 0, 0, 4, 0))]


def test_what_can_be_paid_directly_is_not_asked_about() -> None:  # F-6.9
    g = scene("2 seats; trimester I, phase select; ana: elements 1V 1A")
    g.ana("column 2")
    assert g.choice("ana").kind == "select"
    assert g.elements("ana") == "1A"


def test_only_payments_that_leave_enough_are_offered() -> None:  # F-6.9
    # 1F is missing and 1W; the air must make the fire, since three spare elements make water but not fire.
    g = scene("2 seats; trimester I, phase realise; ana: elements 2E 3V 1F 1A; projects 98")
    g.ana("98")
    assert g.choice("ana").about["making"] == "fire"
    assert g.options("ana") == ["spend-air"]


def test_a_repeat_without_an_element_must_leave_enough_for_the_card_it_repeats() -> (
    None
):  # F-5.3, F-6.8, F-6.9
    g = scene("2 seats; trimester I, phase activate; ana: elements 4E 2F; personal 10 61")
    g.ana("61")  # F → 2V+W
    assert g.elements("ana") == "4E 2V 1F 1W"
    g = scene("2 seats; trimester I, phase activate; ana: elements 3E 1F; personal 10 61; used 61")
    g.ana("10", "line 2")
    assert g.choice("ana").kind == "pay"
    assert g.options("ana") == ["spend-earth"]  # the fire is for card 61
    g.ana("spend earth")
    assert g.elements("ana") == "2V 1W"
    g = scene("2 seats; trimester I, phase activate; ana: elements 2E 1F; personal 10 61; used 61")
    g.ana("10")
    assert g.elements("ana") == "2E 1V 1F"  # only line 1 was possible


def test_a_conversion_of_ones_own_accord() -> None:  # F-1.3, F-6.9
    g = scene("2 seats; trimester I, phase activate; ana: elements 2E 1V 1W 1A; personal 7")
    assert "convert" in g.options("ana")
    g.ana("convert")
    assert g.options("ana") == ["make-earth", "make-plant", "make-fire", "make-water", "cancel"]
    g.ana("make fire")
    assert g.options("ana") == ["spend-earth", "spend-plant", "spend-water", "spend-air", "cancel"]
    g.ana("cancel")
    assert g.choice("ana").kind == "activate"
    g.ana("convert", "make fire", "spend air")
    assert g.elements("ana") == "2E 1V 1F 1W"
    g.ana("convert", "make water", "spend plant")
    assert "cancel" not in g.options("ana")
    g.ana("spend earth", "spend earth")
    assert g.elements("ana") == "1F 2W"
    assert g.choice("ana").kind == "activate"


def test_converting_is_offered_with_every_question_but_where_a_price_is_being_settled() -> None:  # F-6.9
    seen: dict[str, set[bool]] = {}
    for number in range(4):
        setup = ("normal", "expert")[number % 2]
        state = GAME.new({"seats": 3, "setup": setup}, [number * 10 + k for k in range(4)])
        chance = Chance(number)
        while asked := state.asked():
            for seat, choice in GAME.pending(state).items():
                if sum(state.area(seat)["elements"]) >= 3:
                    seen.setdefault(choice.kind, set()).add(GAME.parse("convert") in choice.options)
            seat = chance.pick(asked)
            options = [a for a in state.legal(seat) if a != GAME.parse("convert")]
            state.apply(seat, chance.pick(options))
    anywhere = {
        "draft",
        "settle",
        "settle_space",
        "drop",
        "plan",
        "plan_space",
        "select",
        "activate",
        "gain",
        "recall",
    }
    anywhere |= {"scout", "banish", "study", "realise", "final", "bonus"}
    assert {kind for kind, found in seen.items() if found == {True}} >= anywhere
    assert {kind for kind, found in seen.items() if found == {False}} == {"line", "times", "repeat", "pay"}
    assert not [kind for kind, found in seen.items() if len(found) > 1]
