"""`imagine` is spread as it should be: over a thousand draws, in every kind of question of both games, cards that a
viewer cannot tell apart land in each place equally often.

Cards are alike for a viewer where they can be in the same places (and, in Equinox, are of the same kind). Their counts
by place are compared by chi-square. A generator that repeats itself, or prefers a card, fails.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from math import sqrt
from pathlib import Path

import pytest

from fabletop import GAMES, Chance, load
from fabletop.core.sitting import steps
from fabletop.games.equinox.constants import CHOICE_IDS, NONE, STRENGTHS
from fabletop.games.fairy_school.cards import BY_NAME
from fabletop.games.fairy_school.constants import PHASE_PLAN, question_names

DRAWS = 1000
KINDS = {"equinox": CHOICE_IDS[1:], "fairy_school": question_names[1:]}
"""The kinds of questions; the first name of each list says that nothing is asked."""
DRAWN = 3


def equinox_places(state) -> dict[int, str]:
    """Where each card lies, by its number; the two dryads and ancestors are alike."""
    d = state.dump()
    found = dict.fromkeys(d["deck"], "deck")
    for seat in range(d["seats"]):
        for zone in ("hands", "aside", "unseen"):
            found.update(dict.fromkeys(d[zone][seat], f"{zone} {seat}"))
        if d["secret"][seat] != NONE:
            found[d["secret"][seat]] = f"secret {seat}"
    return found


def fairy_school_places(state) -> dict[int, str]:
    """Where each card lies: hands and picks of the seats, the draw piles, or a deck that nobody has drawn from.

    A pile is a bag, so its places are the next cards that its seat draws, and the rest of it. Columns that are chosen
    in secret do not count: they have different prices, so their cards are not alike.
    """
    found = {}
    later = state.clone()
    for seat in range(state.seats):
        area = state.area(seat)
        found.update(dict.fromkeys(area["pile"], f"pile {seat}"))
        found.update(dict.fromkeys(area["hand"], f"hand {seat}"))
        found.update(dict.fromkeys(state.facts(seat)["picks"], f"picks {seat}"))
        later.put_area(seat, {"forest": [NONE] * DRAWN + area["forest"][DRAWN:], "hand": []})
    later.open_phase(PHASE_PLAN)
    for seat in range(state.seats):
        for i, card in enumerate(later.area(seat)["hand"]):
            found[card] = f"draw {i} of {seat}"
    return found


PLACES = {"equinox": equinox_places, "fairy_school": fairy_school_places}


def equinox_knowledge(state, view) -> dict[int, object]:
    """What the viewer knows of each card that it does not see: its creature, and where it can be."""
    viewer = view["viewer"]
    known = {card: masks[viewer] for card, masks in state.dump()["known"]}
    hidden = {card for card, place in equinox_places(state).items() if not place.endswith(f" {viewer}")}
    return {card: (card // STRENGTHS, known.get(card, 0)) for card in hidden}


def fairy_school_knowledge(state, view) -> dict[int, object]:
    """The same: the places where the view names the card, such as the pile of seat 1 or the first hand passed on; of a
    card that it does not name, the deck."""
    found = defaultdict(set)

    def walk(part, path) -> None:
        if isinstance(part, Mapping):
            for name, value in part.items():
                if name != "realised":
                    walk(value, (*path, name))
        elif isinstance(part, Sequence) and not isinstance(part, str):
            for i, value in enumerate(part):
                walk(value, path if isinstance(value, str) else (*path, i))
        elif part in BY_NAME:
            found[BY_NAME[part].id].add(path)

    walk(view, ())
    return {card.id: frozenset(found[card.id]) or card.deck for card in BY_NAME.values()}


KNOWLEDGE = {"equinox": equinox_knowledge, "fairy_school": fairy_school_knowledge}


@cache
def moments(game: str):
    """For each kind of question that the recorded games come to, a state and the seat that is asked."""
    found = {}
    for path in sorted((Path(__file__).parents[1] / game / "records").glob("*.json")):
        for sitting in steps(GAMES[game], load(path)):
            for seat, choice in sitting.pending.items():
                if len(sitting.actions) > 12 and choice.kind not in found:
                    found[choice.kind] = (sitting.state.clone(), seat)
    return found


def spread(game: str, state, viewer: int, imagine) -> tuple[float, int]:
    """Chi-square and degrees of freedom of where alike cards land."""
    rules, chance = GAMES[game], Chance(7)
    view = rules.view(state, viewer)
    counts: dict[int, Counter[str]] = defaultdict(Counter)
    for _ in range(DRAWS):
        for card, place in PLACES[game](imagine(view, chance)).items():
            counts[card][place] += 1
    alike = defaultdict(list)
    for card, known in KNOWLEDGE[game](imagine(view, chance), view).items():
        counts[card]["elsewhere"] = DRAWS - sum(counts[card].values())
        alike[known].append(counts[card])
    chi_square, free = 0.0, 0
    for cards in alike.values():
        for place in set().union(*cards):
            expected = sum(where[place] for where in cards) / len(cards)
            if 5 <= expected < DRAWS:
                chi_square += sum((where[place] - expected) ** 2 / expected for where in cards)
                free += len(cards) - 1
    return chi_square, free


def even(chi_square: float, free: int) -> bool:
    """Is the spread what chance allows?"""
    return chi_square < free + 5 * sqrt(2 * free) + 5


EVERY_KIND = pytest.mark.parametrize(
    ("game", "kind"), [(game, kind) for game, kinds in KINDS.items() for kind in kinds]
)


@EVERY_KIND
def test_cards_that_cannot_be_told_apart_land_everywhere_equally_often(game: str, kind: str) -> None:
    found = moments(game)
    assert kind in found, "no recorded game comes to this question"
    chi_square, free = spread(game, *found[kind], GAMES[game].imagine)
    assert free >= 20
    assert even(chi_square, free)


@EVERY_KIND
def test_a_generator_that_repeats_itself_is_noticed(game: str, kind: str) -> None:
    def repeating(view, chance):
        return GAMES[game].imagine(view, Chance(chance.below(40)))

    assert not even(*spread(game, *moments(game)[kind], repeating))


@pytest.mark.parametrize("game", GAMES)
def test_a_generator_that_prefers_a_card_is_noticed(game: str) -> None:
    """One that draws again where a certain card lies in a certain place."""
    kind = {"equinox": "goatman_keep", "fairy_school": "plan"}[game]
    state, seat = moments(game)[kind]
    places = PLACES[game](state)
    card = next(card for card, place in places.items() if place in ("deck", "draw 0 of 1"))

    def preferring(view, chance):
        world = GAMES[game].imagine(view, chance)
        return GAMES[game].imagine(view, chance) if PLACES[game](world)[card] == places[card] else world

    assert not even(*spread(game, state, seat, preferring))
