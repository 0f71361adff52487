"""Questions and options of Fairy School as the terminal table puts them: with costs, gains and what is left to do."""

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from fabletop.core.game import Choice
from fabletop.games.fairy_school.algebra import ELEMENTS, Special, Transformation
from fabletop.games.fairy_school.cards import BY_NAME, FINAL_BY_NAME
from fabletop.games.fairy_school.constants import RATE
from fabletop.games.fairy_school.text import card_title
from fabletop.terminal.boards.board import Look
from fabletop.terminal.boards.fairy_school.details import (
    PAWS,
    about_flow,
    card_words,
    column_cost,
    line_details,
    phase_help,
    rates,
)
from fabletop.terminal.boards.fairy_school.rows import held_by, say
from fabletop.terminal.boards.fairy_school.signs import can_pay, capital, cost_text, seen, signs
from fabletop.terminal.glyphs import glyphs

GOAL_KINDS = ("draft", "drop", "goal", "realise", "spend")
"""Questions about projects that are still to be realised."""
FOLLOW_UPS = ("line", "times", "gain", "recall", "scout", "repeat", "banish", "study_any")

# ---- questions


def questioned(look: Look, choice: Choice) -> str | None:
    """The question, or None where the game's own words say enough."""
    asks = QUESTIONS.get(choice.kind)
    return asks(look, choice) if asks is not None else None


def _draft(look: Look, choice: Choice) -> str:
    about = choice.about
    to = look.teller.say("to", about["to"])
    return look.teller.lexicon("fairy_school.choice.draft", pick=about["pick"], of=about["of"], to=to)


def _pay(look: Look, choice: Choice) -> str:
    about = choice.about
    text = say(
        look, "ask_pay",
        what=about_flow(seen(look), look), cost=look.teller.say("cost", about["cost"]),
        making=look.teller.say("making", about["making"]), rate=about["rate"], spent=about["spent"],
    )  # fmt: skip
    return f"{text} {say(look, 'ask_air')}" if _air_alone(look, choice) else text


def _convert(look: Look, choice: Choice) -> str:
    return say(look, "ask_convert")


def _convert_with(look: Look, choice: Choice) -> str:
    about = choice.about
    making = look.teller.say("making", about["making"])
    text = say(look, "ask_convert_with", making=making, rate=about["rate"], spent=about["spent"])
    return f"{text} {say(look, 'ask_air')}" if _air_alone(look, choice) else text


def _air_alone(look: Look, choice: Choice) -> bool:
    """Whether one air would do instead of the whole rate."""
    offered = {look.teller.game.actions[action] for action in choice.options}
    return choice.about["spent"] == 0 and choice.about["making"] != "air" and "spend-air" in offered


def _select(look: Look, choice: Choice) -> str:
    return say(look, f"ask_select_{len(choice.about['chosen'])}")


def _activate(look: Look, choice: Choice) -> str:
    cubes = choice.about["cubes"]
    return say(look, "ask_activate" if cubes else "ask_activate_none", cubes=cubes)


def _plan(look: Look, choice: Choice) -> str:
    left = choice.about["left"]
    return say(look, "ask_plan" if left else "ask_plan_done", left=left)


def _drop(look: Look, choice: Choice) -> str:
    left = choice.about["left"]
    return say(look, "ask_drop" if left > 0 else "ask_drop_done", left=left)


def _settle(look: Look, choice: Choice) -> str:
    left = choice.about["left"]
    return say(look, "ask_settle" if left else "ask_settle_done", left=left)


def _realise(look: Look, choice: Choice) -> str:
    most, realised = choice.about["most"], choice.about["realised"]
    if most is None:
        return say(look, "ask_realise_last")
    return say(look, "ask_realise", most=most, realised=realised)


QUESTIONS = {
    "draft": _draft,
    "pay": _pay,
    "convert": _convert,
    "convert_with": _convert_with,
    "select": _select,
    "activate": _activate,
    "plan": _plan,
    "drop": _drop,
    "settle": _settle,
    "realise": _realise,
}


# ---- options


def labelled(look: Look, text: str) -> str:
    """An option in words."""
    about: Mapping[str, Any] = look.choice.about if look.choice is not None else {}
    kind = look.choice.kind if look.choice is not None else ""
    head, _, tail = text.partition("-")
    plain = look.teller.say("action", text)
    if text in BY_NAME:
        return _card_label(look, text, plain, kind)
    if text == "step":
        return _step_label(look, plain)
    if head == "column":
        return _column_label(look, int(tail), plain)
    if head in ("top", "bottom"):
        return _space_label(look, text, int(tail), plain)
    if head in ("make", "spend"):
        return _conversion_label(look, head, tail, plain)
    if text == "pass" and kind in ("study", "recall", "repeat", "banish"):
        return say(look, f"pass_{kind}")
    if head in ("line", "times", "gain") and "card" in about:
        return _effect_label(look, head, int(tail), about, plain)
    return plain


def _card_label(look: Look, card: str, plain: str, kind: str) -> str:
    """A project with its cost only where it is one still; whose card it is; whether it takes a conversion."""
    word = look.teller.word
    if kind not in GOAL_KINDS:
        plain = word("action.card").format(
            title=card_title(card, word), symbols=look.teller.say("card_symbols", card)
        )
    if kind in ("activate", "repeat"):
        for player in seen(look)["players"]:
            if card in player["shared"] and player["seat"] != look.reader:
                return f"{glyphs().seats[player['seat']]} {plain}"
    if kind in ("realise", "spend") and look.reader is not None:
        if not can_pay(BY_NAME[card].cost, held_by(look, look.reader)):
            return f"{plain} {signs().convert}"
    return plain


def _step_label(look: Look, plain: str) -> str:
    player = seen(look)["players"][look.reader or 0]
    if player["final"] is None or player["steps"] >= len(FINAL_BY_NAME[player["final"]].steps):
        return plain
    cost = FINAL_BY_NAME[player["final"]].steps[player["steps"]]
    swap = "" if can_pay(cost, player["elements"]) else f" {signs().convert}"
    return f"{capital(say(look, 'step', step=player['steps'] + 1))}: {cost_text(cost).plain}{swap}"


def _column_label(look: Look, column: int, plain: str) -> str:
    if look.reader is None:
        return plain
    forest, use = seen(look)["players"][look.reader]["forest"], signs()
    top, bottom = (forest[row][column - 1] or glyphs().dot for row in ("top", "bottom"))
    swap = "" if can_pay(column_cost(column), held_by(look, look.reader)) else f" {use.convert}"
    return f"{plain}  {use.up}{top} {use.down}{bottom}{swap}"


def _space_label(look: Look, space: str, n: int, plain: str) -> str:
    cost = column_cost(n)
    price = cost_text(cost).plain if any(cost) else say(look, "free")
    paw = f" {signs().paw}" if space in PAWS else ""
    return f"{plain} ({price}){paw}"


def _conversion_label(look: Look, head: str, element: str, plain: str) -> str:
    if head == "make":
        made = look.teller.say("making", element)
        return say(look, "make", made=made, rate=RATE[ELEMENTS.index(element)])
    if look.reader is None:
        return plain
    return say(look, "give", plain=plain, count=held_by(look, look.reader)[element])


def _effect_label(look: Look, head: str, n: int, about: Mapping[str, Any], plain: str) -> str:
    """Lines by their symbols, gains by their elements, repetitions by what they cost."""
    lines = BY_NAME[about["card"]].effect.lines
    if head == "line":
        shown = look.teller.say("option", {"action": f"line-{n}", "card": about["card"]})
        return f"{plain}: {shown}"
    line = lines[about.get("line", 1) - 1]
    if isinstance(line, Special):
        return plain
    if head == "gain":
        return say(look, "take", amounts=look.teller.say("amounts", line.options[n - 1]))
    if isinstance(line, Transformation):
        paid = look.teller.say("amounts", [n * count for count in line.cost])
        return say(look, "times", times=plain, cost=paid)
    return plain


# ---- explanations


def explained(look: Look, text: str) -> Text | None:
    """What an option is about where no Thing on the board says it better."""
    about: Mapping[str, Any] = look.choice.about if look.choice is not None else {}
    head, _, tail = text.partition("-")
    if text in ("done", "pass"):
        return phase_help(look)
    if text in ("convert", "cancel") or head in ("make", "spend"):
        return rates(look)
    if head == "line" and "card" in about:
        return line_details(look, about["card"], int(tail))
    if head in ("times", "gain") and "card" in about:
        return Text("\n").join(card_words(look, about["card"]))
    if text in BY_NAME and look.choice is not None and look.choice.kind in FOLLOW_UPS:
        return Text("\n").join(card_words(look, text))
    return None
