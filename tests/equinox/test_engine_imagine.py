"""Imagined worlds are drawn uniformly: compared with all deals, counted one by one."""

import json
from collections import Counter
from collections.abc import Iterator
from math import sqrt
from typing import Any

import pytest

from fabletop.core.chance import Chance
from fabletop.games.equinox import EQUINOX
from fabletop.games.equinox import constants as c
from fabletop.games.equinox.view_reader import skeleton

DECK = 99

UNKNOWN = """
    2 seats   turn ana
        hoot  stag  ursus
    ana: hoot 0
    ben: hoot 7, stag 1
    deck: ursus 5, chameleon 9, hoot 5, dryad
"""
HALF_KNOWN = """
    3 seats   turn ana
        hoot  stag  ursus
    ana: hoot 0
    ben: hoot 7, stag 1
    ben aside: stag 2
    cleo: stag 3, chameleon 2
    deck: ursus 5, chameleon 9
    known hoot 7: hand-1+hand-2
    known stag 2: hand-1+aside-1
    known stag 3: hand-2
    known chameleon 2: hand-1+aside-1+hand-2
"""
SECRETS = """
    3 seats   turn ana
        hoot  stag  ursus
    ana: hoot 0
    ben: stag 1, chameleon 2
    ben secret: ursus 3
    cleo: stag 3
    cleo unseen: hoot 4
    deck: ursus 5, hoot 9
    known hoot 4: hand-2+unseen
    lacks ben secret: stag
"""
LACKING = """
    3 seats   turn ana
        hoot  stag  ursus
    ana: hoot 0
    ben: stag 1, ursus 6
    cleo: hoot 3, chameleon 4
    cleo secret: ursus 8
    deck: ursus 5, hoot 9, stag 8
    lacks ben hand: hoot
    lacks cleo hand: stag
"""
AT_LEAST = """
    3 seats   turn ana
        hoot  stag  ursus
    ana: hoot 0
    ben: hoot 1, hoot 6
    ben aside: stag 4
    cleo: hoot 3, chameleon 4
    deck: ursus 5, hoot 9, stag 8
    at least ben: hoot 2
    at least cleo: hoot 1
    known hoot 6: hand-1+aside-1
"""
ALL_OF_IT = """
    3 seats   turn ana
        hoot  stag  ursus
    ana: hoot 0
    ben: hoot 7, stag 1
    ben aside: stag 2
    ben secret: ursus 3
    cleo: stag 3, chameleon 2
    cleo unseen: hoot 4
    deck: ursus 5, hoot 9
    known hoot 7: hand-1+hand-2
    known stag 2: hand-1+aside-1+secret-1
    known hoot 4: hand-2+unseen
    lacks ben secret: hoot
    lacks cleo hand: ursus
    at least ben: hoot 1
"""


def all_deals(d: dict[str, Any], viewer: int) -> set[tuple[tuple[int, int], ...]]:
    """Every way to lay the cards hidden from this viewer that fits what it knows, found by trying them all."""
    room: dict[int, int] = {DECK: len(d["deck"])}
    hidden = list(d["deck"])
    for seat in range(d["seats"]):
        if seat != viewer:
            for name, place in (("hands", c.AT_HAND), ("aside", c.AT_ASIDE)):
                room[place + seat] = len(d[name][seat])
                hidden += d[name][seat]
            room[c.AT_UNSEEN] = room.get(c.AT_UNSEEN, 0) + len(d["unseen"][seat])
            hidden += d["unseen"][seat]
            if d["secret"][seat] != c.NONE:
                room[c.AT_SECRET + seat] = 1
                hidden.append(d["secret"][seat])
    masks = {card: known[viewer] for card, known in d["known"] if known[viewer]}

    def may(card: int, place: int) -> bool:
        kind = card // c.STRENGTHS
        if (c.AT_SECRET <= place < c.AT_UNSEEN or place == c.AT_UNSEEN) and kind >= c.COLUMNS:
            return False
        if card in masks:
            return place != DECK and bool(masks[card] >> place & 1)
        if place < c.AT_ASIDE:
            return not d["none_hand"][place] >> kind & 1
        if c.AT_SECRET <= place < c.AT_UNSEEN:
            return not d["none_secret"][place - c.AT_SECRET] >> kind & 1
        return True

    def deal(cards: list[int], left: dict[int, int]) -> Iterator[tuple[tuple[int, int], ...]]:
        if not cards:
            yield ()
            return
        for place, free in left.items():
            if free and may(cards[0], place):
                for rest in deal(cards[1:], left | {place: free - 1}):
                    yield ((cards[0], place), *rest)

    def enough(found: tuple[tuple[int, int], ...]) -> bool:
        counted = Counter((p % 5, card // c.STRENGTHS) for card, p in found if p < c.AT_SECRET)
        bounds = enumerate(d["at_least"])
        return all(counted[i // c.COLUMNS, i % c.COLUMNS] >= n for i, n in bounds if i // c.COLUMNS != viewer)

    hidden = [min(card, c.DRYAD) for card in hidden]
    return {tuple(sorted(found)) for found in deal(hidden, room) if enough(found)}


def deal_of(d: dict[str, Any], viewer: int) -> tuple[tuple[int, int], ...]:
    """How the hidden cards of a state lie."""
    found = [(min(card, c.DRYAD), DECK) for card in d["deck"]]
    for seat in range(d["seats"]):
        if seat != viewer:
            found += [(min(card, c.DRYAD), c.AT_HAND + seat) for card in d["hands"][seat]]
            found += [(card, c.AT_ASIDE + seat) for card in d["aside"][seat]]
            found += [(card, c.AT_UNSEEN) for card in d["unseen"][seat]]
            if d["secret"][seat] != c.NONE:
                found.append((d["secret"][seat], c.AT_SECRET + seat))
    return tuple(sorted(found))


@pytest.mark.parametrize(
    ("text", "deals"),
    [(UNKNOWN, 15), (HALF_KNOWN, 21), (SECRETS, 0), (LACKING, 0), (AT_LEAST, 0), (ALL_OF_IT, 0)],
    ids=["unknown", "half known", "secrets", "lacking", "at least", "all of it"],
)
def test_all_deals_are_equally_likely(text: str, deals: int) -> None:
    # E-9: everything that the viewer does not know is drawn uniformly from what is consistent
    state = EQUINOX.from_position(text)
    viewer = 0
    possible = all_deals(state.dump(), viewer)
    assert len(possible) > 3
    if deals:
        assert len(possible) == deals
    draws = max(20 * len(possible), 2000)
    base = skeleton(json.loads(json.dumps(EQUINOX.view(state, viewer))))
    chance = Chance.from_text(text)
    counted: Counter[tuple[tuple[int, int], ...]] = Counter()
    for _ in range(draws):
        world = base.clone()
        world.redeal(viewer, chance.word())
        counted[deal_of(world.dump(), viewer)] += 1
    assert set(counted) <= possible, "a deal that cannot be"
    expected = draws / len(possible)
    chi_square = sum((counted[deal] - expected) ** 2 / expected for deal in possible)
    free = len(possible) - 1
    assert chi_square < free + 4 * sqrt(2 * free), f"{chi_square:.1f} with {free} degrees of freedom"


def test_what_cannot_be_is_given_up_in_the_end() -> None:
    """Knowledge that contradicts itself, as a hand-made view may have, must not hang a program."""
    view = json.loads(json.dumps(EQUINOX.view(EQUINOX.from_position(UNKNOWN), 0)))
    view["at_least"][1] = {"stag": 9}
    twin = EQUINOX.imagine(view, Chance(5))
    assert EQUINOX.view(twin, 0) == view
    view["known"] = [{"card": "hoot-7", "places": ["aside-1"], "public": []}]
    assert EQUINOX.counts(EQUINOX.imagine(view, Chance(5)))["cards"] == 102


def test_goatmans_cards_stay_secret_to_the_third() -> None:
    # E-7.9: the two players know the three cards, the third imagines any three
    state = EQUINOX.from_position("""
        3 seats   turn ana
                 goatman   hoot
        row 1      4a        .
        ana: goatman 3, hoot 1
        ben: hoot 2, hoot 3, hoot 4, hoot 5
        cleo: hoot 6
    """)
    state.apply(0, EQUINOX.parse("goatman 3"))
    state.apply(0, EQUINOX.parse("seat 1"))
    seen = EQUINOX.view(state, 0)["looked"]
    assert seen is not None
    assert seen == EQUINOX.view(state, 1)["looked"]
    assert EQUINOX.view(state, 2)["looked"] is None
    for viewer in (0, 1, 2, None):
        view = EQUINOX.view(state, viewer)
        looks = set()
        for word in range(40):
            twin = EQUINOX.imagine(view, Chance(word))
            assert EQUINOX.view(twin, viewer) == view
            looks.add(tuple(EQUINOX.view(twin, 0)["looked"]))
        assert (len(looks) > 1) == (viewer in (2, None))


def test_a_chosen_chameleon_shows_only_when_it_is_placed() -> None:
    # E-5.3, E-9: nobody sees a card before it lies on the table, so its owner may still think again
    state = EQUINOX.from_position("""
        2 seats   turn ana
                 hoot   stag
        ana: chameleon 3, hoot 1        ben: stag 1
    """)
    before = [EQUINOX.view(state, viewer) for viewer in (1, None)]
    state.apply(0, EQUINOX.parse("chameleon 3"))
    assert state.learned == 0
    assert [EQUINOX.view(state, viewer) for viewer in (1, None)] == before
    assert EQUINOX.view(state, 0)["phase"] == "column"
    state.apply(0, EQUINOX.parse("stag"))
    assert state.learned == 0b111, "the others see the Chameleon; ana sees what she drew"
