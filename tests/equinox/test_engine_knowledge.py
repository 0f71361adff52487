"""What the viewers know is never wrong, and imagined worlds fit it."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from fabletop.core.chance import Chance
from fabletop.core.sitting import start_words
from fabletop.games.equinox import EQUINOX
from fabletop.games.equinox import constants as c
from fabletop.games.equinox.engine import State


def places_of(d: dict[str, Any]) -> dict[int, int]:
    """Where every hidden card really is."""
    found = {}
    for seat in range(d["seats"]):
        found |= dict.fromkeys(d["hands"][seat], c.AT_HAND + seat)
        found |= dict.fromkeys(d["aside"][seat], c.AT_ASIDE + seat)
        found |= dict.fromkeys(d["unseen"][seat], c.AT_UNSEEN)
        if d["secret"][seat] != c.NONE:
            found[d["secret"][seat]] = c.AT_SECRET + seat
    return found


def owns(d: dict[str, Any], viewer: int, card: int) -> bool:
    """Is the card hidden with this viewer?"""
    if viewer == d["seats"]:
        return False
    held = d["hands"][viewer] + d["aside"][viewer] + d["unseen"][viewer] + [d["secret"][viewer]]
    return card in held


def wrong(d: dict[str, Any]) -> str:
    """What is wrong with the knowledge in this state, or nothing."""
    real = places_of(d)
    masks = dict(d["known"])
    for card, known in masks.items():
        for viewer, mask in enumerate(known):
            if owns(d, viewer, card) or mask == 0:
                continue
            if card not in real or not mask >> real[card] & 1:
                return f"viewer {viewer} is wrong about {c.CARD_IDS[card]}: {mask:b} but {real.get(card)}"
    for seat in range(d["seats"]):
        held = d["hands"][seat] + d["aside"][seat]
        for kind in range(c.COLUMNS):
            if sum(card // c.STRENGTHS == kind for card in held) < d["at_least"][seat * c.COLUMNS + kind]:
                return f"seat {seat} has fewer {c.CREATURE_IDS[kind]} than all know"
        for viewer in range(d["seats"] + 1):
            unplaced = [k for k in d["hands"][seat] if not masks.get(k, [0] * 9)[viewer]]
            if viewer != seat and any(d["none_hand"][seat] >> (k // c.STRENGTHS) & 1 for k in unplaced):
                return f"seat {seat} holds what it was known to lack"
        secret = d["secret"][seat]
        if secret != c.NONE and secret not in masks and d["none_secret"][seat] >> (secret // c.STRENGTHS) & 1:
            return f"the secret of seat {seat} is what all know that it is not"
    return ""


def positions(seats: int, seed: int) -> Iterator[State]:
    """The states of a random game."""
    state = EQUINOX.new({"seats": seats}, start_words(f"knowledge {seed}", seats))
    chance = Chance(seed)
    while state.phase != c.OVER:
        yield state
        state.step(chance.below(state.n_options))
    yield state


@pytest.mark.parametrize("seats", EQUINOX.seat_counts)
def test_nobody_is_ever_wrong(seats: int) -> None:
    # E-9: what the players saw holds until the cards move on
    special = 0
    for seed in range(8):
        for state in positions(seats, seed):
            d = state.dump()
            assert wrong(d) == ""
            special += len(d["known"])
    assert special > 100


@pytest.mark.parametrize("seats", EQUINOX.seat_counts)
def test_imagined_worlds_fit_what_the_viewer_knows(seats: int) -> None:
    chance = Chance(99)
    compared = 0
    for seed in range(2):
        for count, state in enumerate(positions(seats, 50 + seed)):
            if count % 4:
                continue
            for viewer in (None, *range(seats)):
                view = json.loads(json.dumps(EQUINOX.view(state, viewer)))
                twin = EQUINOX.imagine(view, chance)
                d = twin.dump()
                real = places_of(d)
                at = seats if viewer is None else viewer
                assert wrong(d) == ""
                assert EQUINOX.view(twin, viewer) == view
                for card, masks in d["known"]:
                    if masks[at] and not owns(d, at, card):
                        assert masks[at] >> real[card] & 1
                        compared += 1
    assert compared > 0


def test_redealing_a_clone_is_imagining_its_view() -> None:
    for count, state in enumerate(positions(3, 7)):
        if count % 5:
            continue
        for viewer in range(4):
            seen = None if viewer == 3 else viewer
            world = state.clone()
            world.redeal(viewer, 1234 + count)
            assert EQUINOX.view(world, seen) == EQUINOX.view(state, seen)
            assert EQUINOX.counts(world) == EQUINOX.counts(state)
            assert wrong(world.dump()) == ""
