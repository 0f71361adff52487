"""Why a seat cannot choose a thing in Equinox now, and which of its cards would activate a power.

The things are the texts of the action catalogue: cards, columns (a creature), cells (`2-hoot`), `seat-1`,
`champion-hoot`, `secret`, `reveal`, `use`, `pass`. A cell of the current row goes by its column where columns are asked
for. While a card is still to be played, `power-hoot` says whether a Hoot card would activate its power.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from fabletop.core.game import ANYTHING_ELSE, Choice, Reason, View
from fabletop.games.equinox import constants as c

QUESTIONS: Mapping[str, str] = {
    "column": "E-5.3",
    "use": "E-5.2",
    "moss_man": "E-7.2",
    "stag": "E-7.3",
    "rubble": "E-7.4",
    "hoot_seat": "E-7.6",
    "hoot_creature": "E-7.6",
    "hoot_give": "E-7.6",
    "fungy": "E-7.8",
    "goatman_seat": "E-7.9",
    "goatman_keep": "E-7.9",
    "fiery_fang": "E-7.10",
    "hopscotch": "E-7.11",
    "hopscotch_with": "E-7.11",
    "feather_fox": "E-7.12",
    "pilgrim": "E-7.14",
    "ancestor": "E-7.15",
    "dryad": "E-7.16",
}
"""The rule behind each question about a target; all other things get one common reason."""

NO_PASS: Mapping[str, Reason] = {
    "play": Reason("must_play", "E-5.5"),
    "column": Reason("chosen_card", "E-5.3"),
    "ancestor": Reason("tree_works", "E-5.4"),
    "dryad": Reason("tree_works", "E-5.4"),
    "hoot_give": Reason("must_give", "E-7.6"),
}
"""Why a question has to be answered; a power that has begun is carried out (E-5.2)."""

POWER_BEGAN = Reason("power_began", "E-5.2")


def reasons(view: View, choice: Choice) -> dict[str, Reason]:
    """Why the seat cannot choose what a person might try, and which of its cards would activate a power."""
    options = {c.ACTION_IDS[action] for action in choice.options}
    if choice.kind == "predict":
        by_thing = dict(_predicting(view, options))
    elif choice.kind == "play":
        by_thing = dict(_playing(view, options))
    elif choice.kind == "discard":
        by_thing = dict(_discarding(view, options))
    else:
        by_thing = {ANYTHING_ELSE: Reason(choice.kind, QUESTIONS[choice.kind])}
    if "pass" not in options:
        by_thing["pass"] = NO_PASS.get(choice.kind, POWER_BEGAN)
    return by_thing


def kind_of(card: str) -> str:
    """`hoot-7`: hoot; `dryad`: dryad."""
    return card.partition("-")[0]


def _predicting(view: View, options: set[str]) -> Iterator[tuple[str, Reason]]:
    """E-3.1 to E-3.4: where no pebble can go, and why a card makes no secret prediction."""
    player = view["players"][view["viewer"]]
    none_left = player["pebbles"] == 0
    yield ANYTHING_ELSE, Reason("no_pebble" if none_left else "current_row", "E-3.1")
    for column in view["columns"]:
        if column["creature"] not in options and not none_left:
            yield column["creature"], Reason("pebble_there" if column["in_play"] else "predict_out", "E-3.1")
    for card in view["own"]["hand"]:
        if card in options:
            continue
        if player["secret_made"]:
            yield card, Reason("secret_made", "E-3.2")
        elif view["round"] > 1:
            yield card, Reason("secret_round", "E-3.2")
        else:
            yield card, Reason("no_pebble" if none_left else "secret_kind", "E-3.2")
    if not player["secret"]:
        yield "reveal", Reason("no_secret", "E-3.4")
    yield from _powers(view)


def _playing(view: View, options: set[str]) -> Iterator[tuple[str, Reason]]:
    """E-5.1: cards of eliminated creatures cannot be played."""
    yield ANYTHING_ELSE, Reason("play", "E-5.1")
    for card in view["own"]["aside"]:
        yield card, Reason("set_aside", "E-7.3")
    for card in view["own"]["hand"]:
        if card not in options:
            yield card, Reason("play_out", "E-5.1")
    yield from _powers(view)


def _powers(view: View) -> Iterator[tuple[str, Reason]]:
    """E-5.2: for each creature in the hand and in play, whether its card would activate its power."""
    held = {kind_of(card) for card in view["own"]["hand"]} - {c.CREATURE_IDS[c.URSUS]}
    for column in view["columns"]:
        if column["creature"] in held and column["in_play"]:
            yield f"power-{column['creature']}", _power(view, column)


def _power(view: View, column: Mapping[str, Any]) -> Reason:
    """E-5.2: whether a card that is played into this column activates its power."""
    top = column["cells"][view["round"] - 1]["top"]
    if top is not None and kind_of(top) == "chameleon":
        return Reason("covers_chameleon", "E-5.2")
    return Reason("controls" if column["controller"] == view["viewer"] else "no_control", "E-5.2")


def activates(view: View, creature: str) -> bool:
    """E-5.2: would a card of this creature activate its power?"""
    return any(reason.key == "controls" for thing, reason in _powers(view) if thing == f"power-{creature}")


def _discarding(view: View, options: set[str]) -> Iterator[tuple[str, Reason]]:
    """E-6.1: Creature cards of eliminated creatures only, with Carmen of any; Chameleons and Trees never."""
    yield ANYTHING_ELSE, Reason("discard_unseen", "E-7.7") if view["carmen"] else Reason("discard", "E-6.1")
    for card in view["own"]["aside"]:
        yield card, Reason("set_aside", "E-7.3")
    for card in view["own"]["hand"]:
        if card not in options:
            creature = kind_of(card) in c.CREATURE_IDS
            yield card, Reason("discard_in_play" if creature else "discard_kind", "E-6.1")
