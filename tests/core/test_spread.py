"""`imagine` is spread as it should be: over a thousand draws, in every phase of both games, cards that a viewer cannot
tell apart land in each place equally often.

Cards are alike for a viewer where they can be in the same places (and, in Equinox, are of the same kind). Their counts
by place are compared by chi-square. A generator that repeats itself, or prefers a card, fails.
"""

from collections import Counter, defaultdict
from math import sqrt

import pytest

from fabletop import GAMES, Chance
from fabletop.games.equinox import constants as c

DRAWS = 1000
PHASES = {"equinox": 21, "fairy_school": 23}
"""Kinds of questions: all of Equinox, and all of Fairy School that random games reach with the present cards."""


def equinox_places(state) -> dict[int, str]:
    """Where each card lies, by its number; the two dryads and ancestors are alike."""
    d = state.dump()
    found = dict.fromkeys(d["deck"], "deck")
    for seat in range(d["seats"]):
        for zone in ("hands", "aside", "unseen"):
            found.update(dict.fromkeys(d[zone][seat], f"{zone} {seat}"))
        if d["secret"][seat] != c.NONE:
            found[d["secret"][seat]] = f"secret {seat}"
    return found


def fairy_school_places(state) -> dict[int, str]:
    """Where each card lies: piles, hands and picks of the seats, or a deck that nobody has drawn from.

    Columns that are chosen in secret do not count: they have different prices, so their cards are not alike.
    """
    found = {}
    for seat in range(state.seats):
        area, facts = state.area(seat), state.facts(seat)
        for zone in ("pile", "hand"):
            found.update(dict.fromkeys(area[zone], f"{zone} {seat}"))
        found.update(dict.fromkeys(facts["picks"], f"picks {seat}"))
    return found


PLACES = {"equinox": equinox_places, "fairy_school": fairy_school_places}


def kind_of(game: str, state, card: int) -> str:
    """Cards of different kinds are not alike: knowledge can be about a creature, and in Fairy School about where a card
    was when the stage began."""
    if game == "equinox":
        return str(card // c.STRENGTHS)
    began = [state.area_began(seat) for seat in range(state.seats)]
    return " ".join(
        zone for area in began for zone in ("discard", "personal", "shared", "forest") if card in area[zone]
    )


def moments(game: str):
    """A state for every kind of question that a few random games come to, with the seat that is asked."""
    rules = GAMES[game]
    found = {}
    for seed in range(6):
        chance = Chance(seed)
        options = {"seats": 3} | ({"setup": ("expert", "normal")[seed % 2]} if game == "fairy_school" else {})
        state = rules.new(rules.options(options), [chance.word() for _ in range(4)])
        step = 0
        while pending := rules.pending(state):
            step += 1
            seat = chance.pick(list(pending))
            if step > 12 and pending[seat].kind not in found:
                found[pending[seat].kind] = (state.clone(), seat)
            state.apply(seat, chance.pick(state.legal(seat)))
    return found


def spread(game: str, state, viewer: int, imagine) -> tuple[float, int]:
    """Chi-square and degrees of freedom of where alike cards land."""
    rules, chance = GAMES[game], Chance(7)
    view = rules.view(state, viewer)
    counts: dict[int, Counter[str]] = defaultdict(Counter)
    for _ in range(DRAWS):
        for card, place in PLACES[game](imagine(view, chance)).items():
            counts[card][place] += 1
    for where in counts.values():
        if sum(where.values()) < DRAWS:
            where["elsewhere"] = DRAWS - sum(where.values())
    alike = defaultdict(list)
    for card, where in counts.items():
        if len(where) > 1:
            alike[kind_of(game, state, card), frozenset(where)].append(where)
    chi_square, free = 0.0, 0
    for cards in alike.values():
        if len(cards) < 2:
            continue
        for place in cards[0]:
            expected = sum(where[place] for where in cards) / len(cards)
            if expected >= 5:
                chi_square += sum((where[place] - expected) ** 2 / expected for where in cards)
                free += len(cards) - 1
    return chi_square, free


@pytest.mark.parametrize("game", GAMES)
def test_cards_that_cannot_be_told_apart_land_everywhere_equally_often(game: str) -> None:
    found = moments(game)
    assert len(found) >= PHASES[game], sorted(found)
    wrong, tested = [], 0
    for kind, (state, seat) in found.items():
        chi_square, free = spread(game, state, seat, GAMES[game].imagine)
        tested += free
        if chi_square > free + 5 * sqrt(2 * free) + 5:
            wrong.append(f"{kind}: {chi_square:.0f} with {free} degrees of freedom")
    assert wrong == []
    assert tested > 100


@pytest.mark.parametrize("game", GAMES)
def test_a_generator_that_repeats_itself_is_noticed(game: str) -> None:
    state, seat = next(iter(moments(game).values()))

    def stuck(view, chance):
        return GAMES[game].imagine(view, Chance(1 + chance.below(4)))

    chi_square, free = spread(game, state, seat, stuck)
    assert chi_square > 10 * free
