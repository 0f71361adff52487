"""What an option makes of the row in play, shown before it is chosen (E-6.5).

Everything is computed from the seat's own view and choice, so a preview cannot show anything hidden. The things are the
texts of the action catalogue. Cards of the hand have one while a bet is asked for, too: what follows once they are
played.
"""

from collections.abc import Iterator

from fabletop.core.game import Choice
from fabletop.games.equinox import constants as c
from fabletop.games.equinox.preview_types import Preview, Standing
from fabletop.games.equinox.reasons import activates
from fabletop.games.equinox.view_types import Cell, View

Tops = dict[str, str | None]
"""The top card of each creature still in play in the current row."""

LIFTS = frozenset(("feather_fox", "fiery_fang", "pilgrim", "dryad"))
"""Questions whose answer takes the top card off a cell."""


def previews(view: View, choice: Choice) -> dict[str, Preview]:
    """What each option of a choice makes of the row in play, where it changes it."""
    options = [c.ACTION_IDS[action] for action in choice.options]
    if choice.kind == "predict":
        return dict(_hand(view, view["own"]["hand"] if view["own"] else []))
    if choice.kind == "play":
        return dict(_hand(view, options))
    if choice.kind == "column":
        return {creature: _after(view, {creature: choice.about["card"]}) for creature in options}
    if choice.kind in LIFTS:
        return dict(_lifted(view, options))
    if choice.kind == "hopscotch_with":
        return dict(_swapped(view, choice.about["first"], options))
    return {}


def _hand(view: View, cards: list[str]) -> Iterator[tuple[str, Preview]]:
    """E-5.1, E-5.3: cards that are played."""
    tops = _tops(view)
    for card in cards:
        kind = card.partition("-")[0]
        if kind in tops:
            yield card, {**_after(view, {kind: card}), "power": activates(view, kind)}
        elif kind == "chameleon":
            yield card, {"cells": [_cell(view, creature) for creature in tops]}


def _lifted(view: View, options: list[str]) -> Iterator[tuple[str, Preview]]:
    """E-7.10, E-7.12, E-7.14, E-7.16: a top card leaves the row in play, and what lay beneath counts again."""
    for text in options:
        row, _, creature = text.rpartition("-")
        if creature in _tops(view) and row in ("", str(view["round"])):
            covered = _cells(view, creature)[view["round"] - 1]["covered"]
            yield text, _after(view, {creature: covered[-1] if covered else None})


def _swapped(view: View, first: str, options: list[str]) -> Iterator[tuple[str, Preview]]:
    """E-7.11: two cards of a column change places."""
    for text in options:
        rows = {int(cell.partition("-")[0]) for cell in (first, text) if cell[0].isdigit()}
        creature = first.partition("-")[2]
        if len(rows) == 2 and view["round"] in rows:
            [other] = rows - {view["round"]}
            yield text, _after(view, {creature: _cells(view, creature)[other - 1]["top"]})


def _after(view: View, laid: Tops) -> Preview:
    """The row in play with other cards on top of it."""
    tops = _tops(view) | laid
    order: list[Standing] = [
        {"creature": creature, "card": card, "strength": _strength(view, card)}
        for creature, card in tops.items()
        if card is not None
    ]
    order.sort(key=lambda standing: standing["strength"])
    lowest = [standing["creature"] for standing in order if standing["strength"] == order[0]["strength"]]
    preview: Preview = {
        "cells": [_cell(view, creature) for creature in laid],
        "order": order,
        "missing": [creature for creature, card in tops.items() if card is None],
        "lowest": lowest,
    }
    if not preview["missing"] and len(lowest) == 1:
        preview["goes"] = lowest[0]
    return preview


def _tops(view: View) -> Tops:
    return {
        column["creature"]: column["cells"][view["round"] - 1]["top"]
        for column in view["columns"]
        if column["in_play"]
    }


def _cells(view: View, creature: str) -> list[Cell]:
    return next(column["cells"] for column in view["columns"] if column["creature"] == creature)


def _cell(view: View, creature: str) -> str:
    return f"{view['round']}-{creature}"


def _strength(view: View, card: str) -> float:
    """E-7.13: the number of a card, and what Ursus adds to its own."""
    kind, _, number = card.partition("-")
    return int(number) + (view["ursus_halves"] / 2 if kind == "ursus" else 0.0)
