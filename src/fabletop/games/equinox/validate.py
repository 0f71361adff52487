"""Is a position sound? What the engine takes for granted, checked before it gets hold of it.

Compiled, the engine trusts its numbers: a cell that does not exist would be read all the same. So whatever comes from
outside passes through `check`, and an error says what is wrong with it.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from fabletop.core.errors import BadText
from fabletop.games.equinox import constants as c
from fabletop.games.equinox.options import SETTINGS

NAMES = ("ana", "ben", "cleo", "dov", "eli")
LONGEST = 2**31 - 1
LATER_ASKS = {
    c.ASK_HOOT_CREATURE: c.HOOT,
    c.ASK_HOOT_GIVE: c.HOOT,
    c.ASK_GOATMAN_KEEP: c.GOATMAN,
    c.ASK_HOPSCOTCH_WITH: c.HOPSCOTCH,
}
"""The questions that a power asks after its first one."""
ASKS_OF_POWER = (frozenset(c.POWER_ASKS) - {c.OVER}) | frozenset(LATER_ASKS)
ASKS_WITH_TARGET = frozenset((c.ASK_HOOT_CREATURE, c.ASK_HOOT_GIVE, c.ASK_GOATMAN_KEEP))

Data = Mapping[str, Any]
STUDIED = {setting.name: setting for setting in SETTINGS if setting.study}


class Number(NamedTuple):
    """The bounds of a number, and what it is where a position text does not name it."""

    most: Callable[[Data], int]
    least: int = 0
    default: int = 0


NUMBERS = {
    "discards": Number(lambda d: c.DISCARDS - (d["phase"] == c.ASK_DISCARD)),
    "resting": Number(lambda d: int(d["pebbles"][d["turn"]])),
    "idle": Number(lambda d: int(d["seats"]) - (d["phase"] != c.OVER)),
    "stage": Number(lambda d: LONGEST),
    **{
        name: Number(lambda d, most=setting.high: most, setting.low, setting.default)  # type: ignore[misc]
        for name, setting in STUDIED.items()
    },
}
"""The numbers that a position text may name: none is read without bounds."""


def check(d: Data) -> None:
    """BadText where something cannot be, in a state as the engine dumps and loads it."""
    check_table(d)
    check_turn(d)
    check_power(d)
    check_chosen(d)
    check_knowledge(d)


def demand(holds: bool, message: str) -> None:
    """Raise BadText unless it holds."""
    if not holds:
        raise BadText(message)


def check_table(d: Data) -> None:
    """Rounds, eliminated creatures, pebbles and secret predictions."""
    row, seats = d["row"], range(d["seats"])
    demand(0 <= row < c.ROWS, f"round {row + 1}: the rounds are 1 to {c.ROWS}")
    for column, gone in enumerate(d["gone"]):
        demand(
            gone == c.NONE or 0 <= gone <= row,
            "a creature cannot have been eliminated in a round that has not been played",
        )
        for later in range(min(row, gone) + 1, c.ROWS):
            at = later * c.COLUMNS + column
            demand(
                not d["piles"][at] and d["pebble"][at] == c.NONE,
                f"there can be nothing in the rows after round {row + 1}"
                if later > row
                else f"{c.CREATURE_IDS[column]} is out: its column can have nothing in row {later + 1}",
            )
    left = c.IN_GAME - sum(gone != c.NONE for gone in d["gone"])
    demand(
        left >= c.IN_GAME - c.ROWS, f"only {left} creatures are in play; {c.IN_GAME - c.ROWS} always remain"
    )
    for seat in seats:
        on_cells = d["pebble"].count(seat) + sum(bits >> seat & 1 for bits in d["champion"])
        total = on_cells + d["pebbles"][seat] + (d["secret"][seat] != c.NONE)
        demand(total == c.PEBBLES, f"{NAMES[seat]} has {total} pebbles instead of {c.PEBBLES}")
        secret = d["secret"][seat]
        demand(secret == c.NONE or secret < c.FIRST_CHAMELEON, "a secret prediction is a Creature card")


def check_turn(d: Data) -> None:
    """Whose turn it is, who is asked, and the numbers of this turn."""
    seats, phase = d["seats"], d["phase"]
    demand(d["turn"] < seats, f"there are only {seats} seats")
    asked = c.NONE if phase == c.OVER else d["target"] if phase == c.ASK_HOOT_GIVE else d["turn"]
    demand(d["actor"] == asked or asked == c.NONE, f"{c.CHOICE_IDS[phase]!r} is asked of {name(asked)}")
    demand(phase == c.OVER or bool(d["deck"]), "the deck is empty, so the game is over")
    for what, number in NUMBERS.items():
        most = number.most(d)
        demand(d[what] <= most, f"{what}={d[what]}: it can be {most} at most")
        demand(d[what] >= number.least, f"{what}={d[what]}: it must be {number.least} at least")


def name(seat: int) -> str:
    """A seat as it is called in a position."""
    return NAMES[seat] if seat < len(NAMES) else "nobody"


def check_power(d: Data) -> None:
    """Whose card was played, and whose power is in use (E-7.8)."""
    phase, home, power = d["phase"], d["home"], d["power"]
    if phase not in ASKS_OF_POWER:
        demand(
            home == power == c.NONE and not d["committed"], f"no power is in use at {c.CHOICE_IDS[phase]!r}"
        )
        return
    demand(c.NONE not in (home, power), "a power's question needs 'flow: home=… power=…'")
    demand(
        phase in (c.POWER_ASKS[power], *(later for later, whose in LATER_ASKS.items() if whose == power)),
        f"{c.CHOICE_IDS[phase]!r} is no question of {c.CREATURE_IDS[power]}",
    )
    demand(
        bool(d["in_play"] >> home & 1), f"{c.CREATURE_IDS[home]} is not in play, so its card cannot be played"
    )
    if home == power:
        demand(not d["committed"], "only a power that Fungy has borrowed is committed")
    else:
        demand(home == c.FUNGY, f"{c.CREATURE_IDS[home]} cannot use the power of {c.CREATURE_IDS[power]}")
        demand(
            d["gone"][power] != c.NONE,
            f"{c.CREATURE_IDS[power]} is not out, so Fungy cannot borrow its power",
        )
        demand(bool(d["committed"]), "a power that Fungy has borrowed is 'committed'")


def check_chosen(d: Data) -> None:
    """What was chosen on the way to the pending question."""
    phase, held, target = d["phase"], d["held"], d["target"]
    if phase in ASKS_WITH_TARGET:
        demand(
            target != c.NONE and target != d["turn"],
            f"{c.CHOICE_IDS[phase]!r} needs another seat as 'target=…'",
        )
    if phase == c.ASK_HOOT_GIVE:
        in_play = d["named"] != c.NONE and bool(d["in_play"] >> d["named"] & 1)
        demand(in_play, "'hoot_give' needs a creature in play as 'named=…'")
    if phase == c.ASK_COLUMN:
        chameleon = c.FIRST_CHAMELEON <= held < c.ANCESTOR and held in d["hands"][d["turn"]]
        demand(chameleon, "'column' needs the number of a Chameleon in hand as 'held=…'")
    elif phase == c.ASK_HOPSCOTCH_WITH:
        visible = held < c.CELLS and bool(d["in_play"] >> held % c.COLUMNS & 1) and bool(d["piles"][held])
        visible = visible and d["piles"][held][-1] < c.FIRST_CHAMELEON
        demand(
            visible, "'hopscotch_with' needs the number of a cell with a visible Creature card as 'held=…'"
        )
    else:
        demand(held == c.NONE, f"nothing is held at {c.CHOICE_IDS[phase]!r}")
    looked = [card for card in d["looked"] if card != c.NONE]
    if phase == c.ASK_GOATMAN_KEEP:
        three = len(d["looked"]) == len(set(looked)) == 3 and set(looked) <= set(d["hands"][target])
        demand(three, "'goatman_keep' needs the numbers of three cards of the target as 'looked=…'")
    else:
        demand(not looked, f"nobody looks at cards at {c.CHOICE_IDS[phase]!r}")


def check_knowledge(d: Data) -> None:
    """E-9: what the viewers know must be true, or no imagined world could fit it."""
    real = hidden_places(d)
    masks = dict(d["known"])
    for card, known in masks.items():
        called = c.CARD_IDS[card]
        demand(card in real, f"nobody can know of {called}: it is hidden with no seat")
        for viewer, mask in enumerate(known):
            knows = not mask or viewer == real[card][1] or mask >> real[card][0] & 1
            demand(bool(knows), f"what is known of {called} is wrong: it is elsewhere")
    for seat in range(d["seats"]):
        check_known_kinds(d, seat, masks)


def hidden_places(d: Data) -> dict[int, tuple[int, int]]:
    """Where every card that is hidden with a seat is, and with which seat."""
    places: dict[int, tuple[int, int]] = {}
    for seat in range(d["seats"]):
        places |= dict.fromkeys(d["hands"][seat], (c.AT_HAND + seat, seat))
        places |= dict.fromkeys(d["aside"][seat], (c.AT_ASIDE + seat, seat))
        places |= dict.fromkeys(d["unseen"][seat], (c.AT_UNSEEN, seat))
        if d["secret"][seat] != c.NONE:
            places[d["secret"][seat]] = (c.AT_SECRET + seat, seat)
    return places


def check_known_kinds(d: Data, seat: int, masks: Mapping[int, list[int]]) -> None:
    """What all know in general of a seat's cards: how many of a creature at least, and of which there is none."""
    for kind in range(c.COLUMNS):
        held = sum(card // c.STRENGTHS == kind for card in d["hands"][seat] + d["aside"][seat])
        demand(
            d["at_least"][seat * c.COLUMNS + kind] <= held,
            f"{NAMES[seat]} has fewer {c.CREATURE_IDS[kind]} cards than all know",
        )

    def lacks(kinds: int, card: int) -> bool:
        known = masks.get(card, [0])
        everybody = all(mask for viewer, mask in enumerate(known) if viewer != seat)
        return bool(kinds >> (card // c.STRENGTHS) & 1) and not (card in masks and everybody)

    secret = d["secret"][seat]
    wrong = any(lacks(d["none_hand"][seat], card) for card in d["hands"][seat])
    wrong |= secret != c.NONE and lacks(d["none_secret"][seat], secret)
    demand(not wrong, f"{NAMES[seat]} has a card that all know {NAMES[seat]} to lack")
