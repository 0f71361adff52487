"""Bots know what their seat knows: here the hidden things are exchanged by hand, in the dump of a state.

Other tests compare a state with one that `imagine` has drawn. These do not depend on what `imagine` takes for hidden.
"""

import copy
from random import Random
from typing import Any

import pytest

from fabletop.bots.greedy import knowledge_class
from fabletop.bots.ismcts import Ismcts
from fabletop.bots.levels import LEVELS, bot
from fabletop.core.chance import Chance
from fabletop.core.game import Choice
from fabletop.games import GAMES


def exchanged(game: str, state: Any, seat: int, rng: Random) -> Any:
    """The same state with other cards wherever this seat cannot look, and with other chance to come."""
    d = copy.deepcopy(state.dump())
    if game == "equinox":
        others = [s for s in range(state.seats) if s != seat]
        told = {card for card, _ in d["known"]}
        places = [(d["deck"], i) for i in range(len(d["deck"]))]
        places += [(d["hands"][s], i) for s in others for i in range(len(d["hands"][s]))]
        places = [(cards, i) for cards, i in places if cards[i] not in told]
        d["word"] = rng.getrandbits(63)
    else:  # while hands are drafted, nobody has seen a hand but its holder
        hands = [area["hand"] for s, area in enumerate(d["areas"]) if s != seat]
        places = [(cards, i) for cards in hands for i in range(len(cards))]
        d["chance"] = [rng.getrandbits(63) for _ in d["chance"]]
    cards = [place[i] for place, i in places]
    rng.shuffle(cards)
    for (place, i), card in zip(places, cards, strict=True):
        place[i] = card
    twin = state.clone()
    twin.load(d)
    return twin


def twins(game: str, count: int) -> list[tuple[Any, Any, int, Choice]]:
    """States with their twins, and a seat that is asked and cannot tell them apart."""
    rng = Random(17)
    found = []
    for number in range(count):
        state = GAMES[game].new({"seats": 3}, [rng.getrandbits(63) for _ in range(4)])
        for _ in range(number if game == "equinox" else 0):
            seat, choice = next(iter(GAMES[game].pending(state).items()))
            state.apply(seat, bot("gretel", Chance(number)).choose(GAMES[game].view(state, seat), choice))
        seat, choice = next(iter(GAMES[game].pending(state).items()))
        twin = exchanged(game, state, seat, rng)
        assert twin.dump() != state.dump()
        assert GAMES[game].view(twin, seat) == GAMES[game].view(state, seat)
        found.append((state, twin, seat, choice))
    return found


@pytest.mark.parametrize("game", list(GAMES))
def test_levels_answer_the_same_whatever_is_hidden(game: str) -> None:
    for state, twin, seat, choice in twins(game, 8):
        for level in LEVELS:
            answers = {
                bot(level, Chance(3), iterations=40).choose(GAMES[game].view(one, seat), choice)
                for one in (state, twin)
            }
            assert len(answers) == 1


@pytest.mark.parametrize("game", list(GAMES))
def test_players_from_the_record_answer_the_same_whatever_is_hidden(game: str) -> None:
    for state, twin, seat, _ in twins(game, 8):
        world = knowledge_class(game)
        assert world(state).ratings_in(state, seat) == world(twin).ratings_in(twin, seat)


@pytest.mark.parametrize("game", list(GAMES))
def test_a_search_expects_the_same_whatever_is_hidden(game: str) -> None:
    for state, twin, seat, choice in twins(game, 4):
        thoughts = [
            Ismcts(Chance(5), iterations=60).think(GAMES[game].view(one, seat), choice).options
            for one in (state, twin)
        ]
        assert thoughts[0] == thoughts[1]
