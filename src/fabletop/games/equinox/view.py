"""What one viewer of Equinox may see, and the worlds that fit it (E-9).

A view is plain JSON, built up from nothing by `sight.py`:

    game, rules, seats, viewer        viewer: a seat, or null for the spectator
    creatures                         the eight of this game
    round, turn, phase, waiting_for   phase: the pending choice kind; waiting_for: the seats asked (one or none)
    power                             null, or {creature, power, committed}: whose card was played, whose power it is
    target, named, first_cell         the seat and creature chosen so far (Hoot, Goatman), the first card of Hopscotch
    second_card, carmen, discards     this turn: playing Twinz's second card; Carmen is active; cards discarded so far
    busy, idle                        did anything count as progress this turn; turns in a row without any (E-6.9)
    columns                           per creature: {creature, in_play, eliminated (round or null), controller,
                                      champion: [seats], cells: five of {top, covered, pebble}}
    players                           per seat: {hand, aside, unseen, pebbles, resting, secret, secret_made}: counts,
                                      and whether an unrevealed secret prediction lies there, or was ever made
    deck, discard                     how many; discarded: what was discarded face up
    own                               null, or {hand, aside, secret, unseen, held}: cards only this viewer knows
    looked                            null, or the three cards that Goatman's player and their owner see
    known                             hidden cards of which something is known: {card, places, public}
    lacks, at_least                   per seat, public: {hand, secret}: creatures of which there is none among the cards
                                      one cannot place; {creature: n}: as many at least, in hand and set aside
    outcome                           null, or {scores, winners, reason}

`covered` are the cards under the top one, bottom first: nobody may look at them (E-5.6), but all saw them played.
Places are `hand-1`, `aside-1`, `secret-1` and `unseen`.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from fabletop.core.chance import Chance
from fabletop.core.game import View
from fabletop.games.equinox import constants as c
from fabletop.games.equinox.engine import State

CARD_OF_ID = {text: card for card, text in reversed(list(enumerate(c.CARD_IDS)))}
CREATURE_OF_ID = {text: creature for creature, text in enumerate(c.CREATURE_IDS)}
PLACE_OF_ID = {text: place for place, text in enumerate(c.PLACE_IDS)}


CELL_OF_ID = {text: cell for cell, text in enumerate(c.ACTION_IDS[c.TO_CELL : c.TO_SEAT])}


def creatures(bits: int) -> list[str]:
    """A set of creatures by id."""
    return [creature for i, creature in enumerate(c.CREATURE_IDS) if bits >> i & 1]


def places(bits: int) -> list[str]:
    """A set of hidden places by id."""
    return [place for i, place in enumerate(c.PLACE_IDS) if bits >> i & 1]


def skeleton(view: View) -> State:
    """A state with this view in which the hidden cards lie anyhow: `redeal` must deal them before it is any good."""
    seats, viewer = view["seats"], view["viewer"]
    left = Pool(view["creatures"])
    d = flow_from(view)
    d |= table_from(view, left)
    own = view["own"] or {"hand": [], "aside": [], "secret": None, "unseen": [], "held": None}
    mine = {name: left.take_all(own[name]) for name in ("hand", "aside", "unseen")}
    secret = left.take(own["secret"]) if own["secret"] else c.NONE
    d["held"] = held_from(view)
    looked = looked_from(view, mine["hand"], left)
    d["looked"] = looked
    d["known"] = known_from(view, looked, left)
    # what the viewer knows something about is never in the deck, so it must be the first to be given away
    left.put_back([card for card, masks in d["known"] if viewer is None or masks[viewer]])
    players = view["players"]
    for name in ("hand", "aside", "unseen"):
        d["hands" if name == "hand" else name] = [
            mine[name] if seat == viewer else left.any(players[seat][name]) for seat in range(seats)
        ]
    d["secret"] = [
        secret if seat == viewer else (left.any(1)[0] if players[seat]["secret"] else c.NONE)
        for seat in range(seats)
    ]
    d["deck"] = left.rest()
    state = State(seats)
    state.load(d)
    return state


class Pool:
    """The cards of a game that have not been placed yet; the two Dryads are taken one after the other."""

    def __init__(self, in_game: Iterable[str]) -> None:
        kinds = [CREATURE_OF_ID[creature] for creature in in_game]
        self.cards = dict.fromkeys(
            [kind * c.STRENGTHS + k for kind in kinds for k in range(c.STRENGTHS)]
            + list(range(c.FIRST_CHAMELEON, c.CARDS))
        )

    def take(self, text: str) -> int:
        """The card of this id."""
        card = CARD_OF_ID[text]
        if card == c.DRYAD and card not in self.cards:
            card = c.OTHER_DRYAD
        del self.cards[card]
        return card

    def take_all(self, texts: Iterable[str]) -> list[int]:
        """The cards of these ids."""
        return [self.take(text) for text in texts]

    def put_back(self, numbers: Iterable[int]) -> None:
        """These cards are the next to be taken by `any`."""
        self.cards |= dict.fromkeys(numbers)

    def any(self, count: int) -> list[int]:
        """So many cards, whichever."""
        return [self.cards.popitem()[0] for _ in range(count)]  # the last one that was put in comes first

    def rest(self) -> list[int]:
        """What is left."""
        return list(self.cards)


def number_of(ids: Mapping[str, int], text: str | None) -> int:
    """The number behind an id, NONE for none."""
    return c.NONE if text is None else ids[text]


def bits_of(texts: Iterable[str], ids: Mapping[str, int]) -> int:
    """A set of ids as bits."""
    return sum(1 << ids[text] for text in texts)


def flow_from(view: View) -> dict[str, Any]:
    """Whose turn it is, what is asked, and what all know in general."""
    power = view["power"] or {"creature": None, "power": None, "committed": False}
    over = view["outcome"]
    at_least = [bounds.get(text, 0) for bounds in view["at_least"] for text in c.CREATURE_IDS]
    return {
        "seats": view["seats"],
        "stage": 0,
        "row": view["round"] - 1,
        "turn": view["turn"],
        "actor": view["waiting_for"][0] if view["waiting_for"] else c.NONE,
        "phase": c.CHOICE_IDS.index(view["phase"]),
        "home": number_of(CREATURE_OF_ID, power["creature"]),
        "power": number_of(CREATURE_OF_ID, power["power"]),
        "committed": int(power["committed"]),
        "target": c.NONE if view["target"] is None else view["target"],
        "named": number_of(CREATURE_OF_ID, view["named"]),
        "twinz": int(view["second_card"]),
        "carmen": int(view["carmen"]),
        "discards": view["discards"],
        "resting": view["players"][view["turn"]]["resting"],
        "busy": int(view["busy"]),
        "idle": view["idle"],
        "reason": c.REASON_IDS.index(over["reason"]) if over else 0,
        "pebbles": [player["pebbles"] for player in view["players"]],
        "secret_made": sum(1 << seat for seat, p in enumerate(view["players"]) if p["secret_made"]),
        "none_hand": [bits_of(lacks["hand"], CREATURE_OF_ID) for lacks in view["lacks"]],
        "none_secret": [bits_of(lacks["secret"], CREATURE_OF_ID) for lacks in view["lacks"]],
        "at_least": at_least,
        "word": 0,
    }


def table_from(view: View, left: Pool) -> dict[str, Any]:
    """The grid and the open discards."""
    piles: list[list[int]] = [[] for _ in range(c.CELLS)]
    pebble, gone, champion = [c.NONE] * c.CELLS, [c.NONE] * c.COLUMNS, [0] * c.COLUMNS
    in_play = 0
    for entry in view["columns"]:
        column = CREATURE_OF_ID[entry["creature"]]
        in_play |= entry["in_play"] << column
        if entry["eliminated"] is not None:
            gone[column] = entry["eliminated"] - 1
        champion[column] = sum(1 << seat for seat in entry["champion"])
        for row, cell in enumerate(entry["cells"]):
            at = row * c.COLUMNS + column
            piles[at] = left.take_all([*cell["covered"], *([cell["top"]] if cell["top"] else [])])
            pebble[at] = c.NONE if cell["pebble"] is None else cell["pebble"]
    return {
        "in_game": bits_of(view["creatures"], CREATURE_OF_ID),
        "in_play": in_play,
        "gone": gone,
        "piles": piles,
        "pebble": pebble,
        "champion": champion,
        "discarded": left.take_all(view["discarded"]),
    }


def held_from(view: View) -> int:
    """The Chameleon that this viewer is about to place, or Hopscotch's first cell."""
    if view["first_cell"] is not None:
        return CELL_OF_ID[view["first_cell"]]
    chosen = view["own"] and view["own"]["held"]
    return CARD_OF_ID[chosen] if chosen else c.NONE


def looked_from(view: View, hand: list[int], left: Pool) -> list[int]:
    """The cards that Goatman's player sees: in the viewer's own hand, or in the hand of the other."""
    if view["looked"] is None:
        return [c.NONE] * 3
    if view["target"] != view["viewer"]:
        return left.take_all(view["looked"])
    mine = sorted(hand)
    return [
        mine.pop([min(card, c.DRYAD) for card in mine].index(CARD_OF_ID[text])) for text in view["looked"]
    ]


def known_from(view: View, looked: list[int], left: Pool) -> list[tuple[int, list[int]]]:
    """The special cards with their masks: what the viewer knows, and what everybody knows."""
    found = []
    seen = [] if view["target"] == view["viewer"] else [card for card in looked if card != c.NONE]
    for entry in view["known"]:
        mask, public = bits_of(entry["places"], PLACE_OF_ID), bits_of(entry["public"], PLACE_OF_ID)
        card = CARD_OF_ID[entry["card"]]
        masks = [public] * (view["seats"] + 1)
        if mask == 0:  # one of the viewer's own cards, of which the others know something
            masks[view["viewer"]] = 0
        elif view["viewer"] is not None:
            masks[view["viewer"]] = mask
        if mask:
            there = [other for other in seen if min(other, c.DRYAD) == card]
            if there and mask == 1 << (c.AT_HAND + view["target"]):
                seen.remove(there[0])
                card = there[0]
            else:
                card = left.take(entry["card"])
        found.append((card, masks))
    return found


def imagine_from(view: View, chance: Chance) -> State:
    """A whole state that this viewer could be in, drawn uniformly from all that fits what the viewer knows."""
    state = skeleton(view)
    state.redeal(view["seats"] if view["viewer"] is None else view["viewer"], chance.word())
    return state
