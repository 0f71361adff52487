"""Every plane of an observation of Equinox says what the view says, and nothing else is in it."""

import itertools
import json

import pytest

from fabletop.core import laws
from fabletop.core.chance import Chance
from fabletop.games.equinox import constants as c
from fabletop.games.equinox import observation
from fabletop.games.equinox.game import EQUINOX

CREATURES = c.CREATURE_IDS
CARDS = c.CARD_IDS[: c.SHOWN]


def one_hot(ids, *chosen):
    return [int(name in chosen) for name in ids]


def counted(cards):
    return [cards.count(card) for card in CARDS]


def number(card):
    return 0 if card is None else CARDS.index(card) + 1


def expected(view):
    """An observation as the view tells it, by plane."""
    seats, viewer = view["seats"], view["viewer"]
    around = [(viewer + r) % seats for r in range(seats)]
    absent = [None] * (c.SEATS_MAX - seats)
    own, power = view["own"], view["power"] or {}
    columns = {column["creature"]: column for column in view["columns"]}
    cells = [
        columns[name]["cells"][row] if name in columns else None
        for row in range(c.ROWS)
        for name in CREATURES
    ]

    def each(of):
        return [of(seat) if seat is not None else 0 for seat in (*around, *absent)]

    def grid(of, names=CREATURES):
        return [of(seat, name) if seat is not None else 0 for seat in (*around, *absent) for name in names]

    under = dict.fromkeys(CARDS, 0)
    for cell in filter(None, cells):
        pile = [*cell["covered"], *([cell["top"]] if cell["top"] else [])]
        under |= {above: number(below) for below, above in itertools.pairwise(pile)}
    known = [0] * c.SHOWN
    for entry in view["known"]:
        flags = 0
        for place in entry["places"]:
            kind, _, seat = place.partition("-")
            r = (int(seat or viewer) - viewer) % seats
            if kind == "unseen":
                flags |= 64
            elif r:
                flags |= {"hand": 1 << (r - 1), "aside": 16, "secret": 32}[kind]
        known[CARDS.index(entry["card"])] |= flags
    players = view["players"]
    return {
        "seats": [seats],
        "full_hand": [view["full_hand"]],
        "round": [view["round"]],
        "deck": [view["deck"]],
        "discards": [view["discards"]],
        "idle": [view["idle"]],
        "busy": [view["busy"]],
        "second_card": [view["second_card"]],
        "carmen": [view["carmen"]],
        "committed": [power.get("committed", False)],
        "reason": [c.REASON_IDS.index(view["outcome"]["reason"]) if view["outcome"] else 0],
        "first_cell": [c.ACTION_IDS.index(view["first_cell"]) - c.TO_CELL + 1 if view["first_cell"] else 0],
        "placing": [number(own["held"])],
        "looked": sorted(map(number, view["looked"] or [None] * 3)),
        "phase": one_hot(c.CHOICE_IDS, view["phase"]),
        "creature": one_hot(CREATURES, power.get("creature")),
        "power": one_hot(CREATURES, power.get("power")),
        "named": one_hot(CREATURES, view["named"]),
        "in_game": one_hot(CREATURES, *view["creatures"]),
        "in_play": [int(name in columns and columns[name]["in_play"]) for name in CREATURES],
        "eliminated": [(columns[name]["eliminated"] or 0) if name in columns else 0 for name in CREATURES],
        "top": [number(cell and cell["top"]) for cell in cells],
        "strength": [int(cell["top"].partition("-")[2]) + 1 if cell and cell["top"] else 0 for cell in cells],
        "under": [under[card] for card in CARDS[: c.ANCESTOR]],
        "hand_size": each(lambda s: players[s]["hand"]),
        "aside_size": each(lambda s: players[s]["aside"]),
        "unseen_size": each(lambda s: players[s]["unseen"]),
        "pebbles": each(lambda s: players[s]["pebbles"]),
        "resting": each(lambda s: players[s]["resting"]),
        "has_secret": each(lambda s: players[s]["secret"]),
        "secret_made": each(lambda s: players[s]["secret_made"]),
        "turn": each(lambda s: s == view["turn"]),
        "asked": each(lambda s: s in view["waiting_for"]),
        "target": each(lambda s: s == view["target"]),
        "pebble": grid(lambda s, i: bool(cells[i]) and cells[i]["pebble"] == s, range(c.CELLS)),
        "champion": grid(lambda s, name: name in columns and s in columns[name]["champion"]),
        "controller": grid(lambda s, name: name in columns and columns[name]["controller"] == s),
        "lacks_hand": grid(lambda s, name: name in view["lacks"][s]["hand"]),
        "lacks_secret": grid(lambda s, name: name in view["lacks"][s]["secret"]),
        "at_least": grid(lambda s, name: view["at_least"][s].get(name, 0)),
        "hand": counted(own["hand"]),
        "own": [
            (card in own["aside"]) + 2 * (card == own["secret"]) + 4 * (card in own["unseen"])
            for card in CARDS
        ],
        "known": known,
        "discarded": counted(view["discarded"]),
    }


@pytest.mark.parametrize("options", laws.all_options(EQUINOX), ids=json.dumps)
def test_every_plane_says_what_the_view_says(options):
    names = [plane.name for plane in EQUINOX.planes]
    chance = Chance.from_text(json.dumps(options))
    for sitting, _, _ in laws.walk(EQUINOX, options, "planes"):
        seat = chance.below(sitting.state.seats)
        told = expected(EQUINOX.view(sitting.state, seat))
        assert list(told) == names
        seen = laws.observed(EQUINOX, sitting.state, seat)[0]
        for plane in EQUINOX.planes:
            assert list(seen[plane.part]) == told[plane.name], (plane.name, seat, len(sitting.actions))
            assert max(seen[plane.part]) <= plane.high, plane.name
    for seat in range(sitting.state.seats):
        told = expected(EQUINOX.view(sitting.state, seat))
        seen = laws.observed(EQUINOX, sitting.state, seat)[0]
        assert list(seen) == [value for plane in names for value in told[plane]]


def test_the_planes_fill_the_observation():
    assert sum(plane.length for plane in EQUINOX.planes) == observation.SIZE
    assert all(
        a.offset + a.length == b.offset for a, b in zip(EQUINOX.planes, EQUINOX.planes[1:], strict=False)
    )
