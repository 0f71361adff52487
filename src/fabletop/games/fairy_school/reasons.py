"""Why a seat cannot choose a thing in Fairy School now.

The things are the texts of the action catalogue (`notation.py`): cards, spaces, columns, creatures, elements, `done`,
`pass`, `convert`. What is payable is the engine's business: a card whose lines have something to do and that is still
not offered cannot be paid for.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from fabletop.core.game import ANYTHING_ELSE, Choice, Reason, View
from fabletop.games.fairy_school import constants as c
from fabletop.games.fairy_school.algebra import ELEMENTS, Line, Special
from fabletop.games.fairy_school.cards import BY_NAME, CREATURES
from fabletop.games.fairy_school.notation import ACTION_TEXTS

NamedReasons = Iterator[tuple[str, Reason]]
OptionTexts = set[str]

SIMPLE: Mapping[str, str] = {
    "draft": "F-4.1",
    "drop": "F-4.2",
    "plan": "F-5.1",
    "line": "F-5.3",
    "gain": "F-6.1",
    "recall": "F-6.3",
    "scout": "F-6.3",
    "banish": "F-6.3",
    "final": "F-7.1",
    "convert_with": "F-1.3",
}
"""Questions of which one sentence says what they want, with the rule."""

MUST: Mapping[str, tuple[str, Reason]] = {
    "settle": ("done", Reason("settle_first", "F-2.5")),
    "drop": ("done", Reason("drop_first", "F-4.2")),
    "plan": ("done", Reason("plan_first", "F-5.1")),
    "select": ("done", Reason("column_first", "F-5.2")),
    "recall": ("pass", Reason("recall_first", "F-6.7")),
    "scout": ("pass", Reason("scout_first", "F-6.7")),
    "repeat": ("pass", Reason("repeat_first", "F-6.8")),
    "banish": ("pass", Reason("banish_first", "F-6.7")),
    "goal": ("pass", Reason("goal_first", "F-5.0")),
}
"""Why a question cannot be ended or passed yet."""

ONE_DECISION = frozenset(("line", "times", "repeat", "pay"))
"""F-6.9: the steps of one activation, in which nothing else is converted."""


def reasons(view: View, choice: Choice) -> dict[str, Reason]:
    """Why the seat cannot choose what a person might try."""
    options = {ACTION_TEXTS[action] for action in choice.options}
    by_thing: dict[str, Reason] = {}
    if choice.kind in SIMPLE:
        rule = "F-2.5" if choice.kind == "draft" and view["set_up"] else SIMPLE[choice.kind]
        by_thing[ANYTHING_ELSE] = Reason(choice.kind, rule)
    if choice.kind in MUST:
        action, reason = MUST[choice.kind]
        by_thing[action] = reason
    if choice.kind in ONE_DECISION:
        by_thing["convert"] = Reason("one_decision", "F-6.9")
    elif choice.kind not in ("convert", "convert_with"):
        by_thing["convert"] = Reason("convert_few", "F-1.3")
    if choice.kind in BY_QUESTION:
        by_thing |= BY_QUESTION[choice.kind](view, choice, options)
    return {thing: reason for thing, reason in by_thing.items() if thing not in options}


def _player(view: View) -> Mapping[str, Any]:
    """The area of the seat that is asked."""
    player: Mapping[str, Any] = view["players"][view["viewer"]]
    return player


def _spaces(view: View) -> list[str | None]:
    """The ten spaces of the own forest, top row first."""
    forest = _player(view)["forest"]
    return [*forest["top"], *forest["bottom"]]


def _settle(view: View, choice: Choice, options: OptionTexts) -> NamedReasons:
    """F-2.5: two of the cards, then done."""
    yield ANYTHING_ELSE, Reason("settle" if choice.about["left"] else "settle_enough", "F-2.5")


def _settle_space(view: View, choice: Choice, options: OptionTexts) -> NamedReasons:
    """F-2.5: an empty space of the top row."""
    yield ANYTHING_ELSE, Reason("settle_space", "F-2.5")


def _plan_space(view: View, choice: Choice, options: OptionTexts) -> NamedReasons:
    """F-5.1: an empty space."""
    yield ANYTHING_ELSE, Reason("plan_space", "F-5.1")


def _goal(view: View, choice: Choice, options: OptionTexts) -> NamedReasons:
    """F-5.0: a project of this trimester."""
    yield ANYTHING_ELSE, Reason("goal", "F-5.0")


def _select(view: View, choice: Choice, options: OptionTexts) -> NamedReasons:
    """F-5.2: one or two columns, each paid for."""
    chosen = choice.about["chosen"]
    for column in range(1, c.COLUMNS + 1):
        if column in chosen:
            yield f"column-{column}", Reason("column_chosen", "F-5.2")
        elif choice.about["most"] == 0:
            yield f"column-{column}", Reason("column_two", "F-5.2")
        else:
            cost = c.COLUMN_COST[column - 1]
            if cost < len(ELEMENTS):
                yield f"column-{column}", Reason("column_cost", "F-5.2", (("element", ELEMENTS[cost]),))


def _activate(view: View, choice: Choice, options: OptionTexts) -> NamedReasons:
    """F-5.3: reachable cards, each once, with a cube, if a line can be paid and does something."""
    yield ANYTHING_ELSE, Reason("activate", "F-5.3")
    player, used = _player(view), {card for card, _ in view["own"]["used"]}
    reach = view["reach"][view["viewer"]]
    yield from ((card, Reason("not_played", "F-5.2")) for card in _spaces(view) if card is not None)
    for other in view["players"]:
        if other["seat"] not in reach:
            yield from ((card, Reason("not_reached", "F-5.3")) for card in other["shared"])
    for card in (*player["personal"], *(card for seat in reach for card in view["players"][seat]["shared"])):
        if card in used:
            yield card, Reason("once", "F-5.3")
        elif player["cubes"] == 0:
            yield card, Reason("no_cube", "F-5.3")
        else:
            yield card, _unusable(view, card)


def _unusable(view: View, card: str) -> Reason:
    """Why no line of a card can be used: too dear, where one of them has something to do."""
    idle = [_idle(view, card, line) for line in BY_NAME[card].effect.lines]
    return Reason("line_cost", "F-5.3") if None in idle else next(reason for reason in idle if reason)


def _idle(view: View, card: str, line: Line) -> Reason | None:
    """F-6.7, F-6.8: why a line has nothing to do; None if it has."""
    if not isinstance(line, Special):
        return None
    gives = line.bonus is not None and line.cost != tuple(int(k == line.bonus) for k in range(len(ELEMENTS)))
    if gives:
        return None
    player = _player(view)
    if line.kind == "recall" and not player["discard"]:
        return Reason("recall_empty", "F-6.7")
    if line.kind == "scout" and not player["discard"] and not player["pile"]["count"]:
        return Reason("scout_empty", "F-6.7")
    if line.kind == "banish" and not any(_spaces(view)):
        return Reason("banish_empty", "F-6.7")
    if line.kind == "study" and len(player["studied"]) == len(CREATURES):
        return Reason("study_all", "F-6.7")
    if line.kind == "repeat" and (
        player["cubes"] < 2 or all(other == card for other, _ in view["own"]["used"])
    ):
        return Reason("repeat_empty", "F-6.8")
    return None


def _times(view: View, choice: Choice, options: OptionTexts) -> NamedReasons:
    """F-6.2: as often as it can be paid at once."""
    yield ANYTHING_ELSE, Reason("times", "F-6.2")


def _repeat(view: View, choice: Choice, options: OptionTexts) -> NamedReasons:
    """F-6.8: another card activated this turn, with a further cube, not by its Repeat line."""
    yield ANYTHING_ELSE, Reason("repeat", "F-6.8")
    for card, _ in view["own"]["used"]:
        if card == choice.about["card"]:
            yield card, Reason("repeat_self", "F-6.8")
        else:
            yield card, Reason("repeat_cost" if _player(view)["cubes"] else "no_cube", "F-6.8")


def _studied(view: View, choice: Choice, options: OptionTexts) -> NamedReasons:
    """F-5.5, F-6.3: a creature not studied before; in phase 5 one on a paw space."""
    rule = "F-5.5" if choice.kind == "study" else "F-6.3"
    yield ANYTHING_ELSE, Reason(choice.kind, rule)
    for creature in _player(view)["studied"]:
        yield creature.replace("_", "-"), Reason("studied", rule)


def _element(view: View, choice: Choice, options: OptionTexts) -> NamedReasons:
    """F-1.4, F-7.3: any element but air."""
    yield ELEMENTS[c.AIR], Reason("no_air", "F-1.4" if choice.kind == "any" else "F-7.3")


def _realise(view: View, choice: Choice, options: OptionTexts) -> NamedReasons:
    """F-5.6, F-7.2: current projects and, in the last trimester, steps in order; what can be paid."""
    player, most, rule = _player(view), choice.about["most"], "F-5.6" if choice.about["most"] else "F-7.2"
    yield ANYTHING_ELSE, Reason("realise", rule)
    enough = most is not None and choice.about["realised"] >= most
    for card in player["projects"]:
        yield card, Reason("two_projects" if enough else "project_cost", rule)
    if player["final"] is None:
        yield "step", Reason("step_later", "F-7.2")
    else:
        yield "step", Reason("step_cost" if choice.about["step"] is not None else "steps_done", "F-7.2")


def _pay(view: View, choice: Choice, options: OptionTexts) -> NamedReasons:
    """F-6.9: what is itself owed, or whose loss would leave too little, cannot be converted."""
    yield from ((f"spend-{element}", Reason("pay", "F-6.9")) for element in ELEMENTS)


def _convert(view: View, choice: Choice, options: OptionTexts) -> NamedReasons:
    """F-1.3: the rates."""
    for k, element in enumerate(ELEMENTS):
        yield f"make-{element}", Reason("convert", "F-1.3", (("rate", c.RATE[k]),))


BY_QUESTION: Mapping[str, Callable[[View, Choice, OptionTexts], NamedReasons]] = {
    "settle": _settle,
    "settle_space": _settle_space,
    "plan_space": _plan_space,
    "goal": _goal,
    "select": _select,
    "activate": _activate,
    "times": _times,
    "repeat": _repeat,
    "study": _studied,
    "study_any": _studied,
    "any": _element,
    "bonus": _element,
    "realise": _realise,
    "spend": _realise,
    "pay": _pay,
    "convert": _convert,
}
