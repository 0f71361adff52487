"""What a Thing of the Fairy School board is and does, in words: shown when it is looked at."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rich.text import Text

from fabletop.games.fairy_school.algebra import ELEMENTS, LETTERS, Amounts
from fabletop.games.fairy_school.cards import BY_NAME, CREATURES, FINAL_BY_NAME, PAIR_BONUS
from fabletop.games.fairy_school.constants import COLUMN_COST, COLUMNS, NO_ELEMENT, PAW_BOTTOM, PAW_TOP, RATE
from fabletop.games.fairy_school.text import Phrases
from fabletop.games.fairy_school.words import kind_of, line_words
from fabletop.terminal.boards.board import Look
from fabletop.terminal.boards.fairy_school.rows import held_by, lies_before, say, used
from fabletop.terminal.boards.fairy_school.signs import (
    HUES,
    Held,
    capital,
    cost_text,
    creature_hue,
    creature_name,
    held_text,
    missing,
    seen,
    tint,
)
from fabletop.terminal.glyphs import SEAT_COLOURS

PAWS = (f"top-{PAW_TOP + 1}", f"bottom-{PAW_BOTTOM - COLUMNS + 1}")
"""The spaces with a paw (F-1.5)."""
GOALS = ("picks", "dropped", "project", "common")
"""Places where a project is still to be realised, so that its cost matters."""


def details(look: Look, key: str, me: int, area: int) -> Text:
    """What the Thing with this key is and does. `me` is whose table it is, `area` whose forest is shown."""
    first, _, rest = key.partition(":")
    if first == "row":
        return _row(look, rest, me)
    if first == "element":
        return _element(look, rest, me)
    if first == "creature":
        return _creature(look, rest, me)
    if first == "final":
        return _lines(_title(look.teller.say("final", rest)), *_steps(look, rest, 0))
    if first == "step":
        return _step(look, area, int(rest))
    if rest:
        return _card(look, first, rest, me, area)
    head, _, number = key.partition("-")
    if head == "seat":
        return _seat(look, int(number), me)
    if head == "column":
        return _column(look, int(number), area)
    if head in ("top", "bottom"):
        return _space(look, head, int(number), area)
    return OTHERS[key](look, me)


def _lines(*parts: str | Text) -> Text:
    return Text("\n").join(Text(part) if isinstance(part, str) else part for part in parts if part)


def _title(text: str, style: str = "") -> Text:
    return Text(capital(text), style=f"bold {style}")


# ---- cards


def card_words(look: Look, name: str) -> list[Text]:
    """Creature, number and effect in symbols; then the effect in words."""
    title = Text.assemble(
        (look.teller.say("card", name), f"bold {creature_hue(BY_NAME[name].creature)}"),
        "  ",
        tint(look.teller.say("card_symbols", name)),
    )
    return [title, Text(look.teller.say("card_text", name))]


def _card(look: Look, place: str, name: str, me: int, area: int) -> Text:
    card, view = BY_NAME[name], seen(look)
    lines = card_words(look, name)
    goal = card.is_project and (place in GOALS or (place == "hand" and view["phase"] == "draft"))
    if goal:
        lines.append(Text(say(look, "cost", cost=look.teller.say("amounts", card.cost))))
    if place == "project":
        lines.append(_payable(look, card.cost, held_by(look, area)))
    if goal:
        lines.append(Text(say(look, "project_worth"), style="dim"))
    if place == "shared":
        lines += _sharing(look, name, me)
    count = used(look).get(name, 0)
    if count:
        lines.append(Text(say(look, "used_one") if count == 1 else say(look, "used", count=count)))
    group = look.teller.say("deck", card.deck)
    lines.append(Text(group, style="dim"))
    if place == "hand" and view["phase"] in ("draft", "settle_draft"):
        lines.append(_studied_note(look, card.creature, me))
    return _lines(*lines)


def _payable(look: Look, cost: Amounts, held: Held) -> Text:
    lack = missing(cost, held)
    if not lack:
        return Text(say(look, "payable"))
    amounts = look.teller.say("amounts", [lack.get(name, 0) for name in ELEMENTS])
    return Text(say(look, "lacking", amounts=amounts))


def _sharing(look: Look, name: str, me: int) -> list[Text]:
    """Whose card it is, where it lies, and where a cube on it goes."""
    owner = next((p["seat"] for p in seen(look)["players"] if name in p["shared"]), None)
    if owner is None:
        return []
    names = look.teller.names
    lines = [say(look, "shared_own") if owner == me else say(look, "shared_their", seat=names[owner])]
    before = lies_before(look, owner)
    if before != owner:
        lines.append(say(look, "lies_before", seat=names[before]))
    return [Text(line) for line in lines]


def _studied_note(look: Look, creature: str, me: int) -> Text:
    known = creature in seen(look)["players"][me]["studied"]
    key = "creature_studied" if known else "creature_unstudied"
    return Text(say(look, key, creature=creature_name(creature, look)), style="dim")


# ---- forest


def column_cost(column: int) -> Amounts:
    """What it costs to play a column, counted from one (F-1.5)."""
    paid = [0, 0, 0, 0, 0]
    if COLUMN_COST[column - 1] != NO_ELEMENT:
        paid[COLUMN_COST[column - 1]] = 1
    earth, plant, fire, water, air = paid
    return earth, plant, fire, water, air


def _column(look: Look, column: int, area: int) -> Text:
    forest = seen(look)["players"][area]["forest"]
    lines: list[Text | str] = [
        _title(look.teller.say("column", column)),
        say(look, "column_cost", cost=look.teller.say("amounts", column_cost(column))),
    ]
    for row in ("top", "bottom"):
        card = forest[row][column - 1]
        what = look.teller.say("card", card) if card else say(look, "nothing")
        symbols = f"  {look.teller.say('card_symbols', card)}" if card else ""
        lines.append(Text.assemble(say(look, f"column_{row}", card=what), tint(symbols)))
    return _lines(*lines)


def _space(look: Look, row: str, n: int, area: int) -> Text:
    forest = seen(look)["players"][area]["forest"]
    card = (forest["top"] if row == "top" else forest["bottom"])[n - 1]
    space = capital(look.teller.say("space", f"{row}-{n}"))
    lines: list[Text | str] = list(card_words(look, card)) if card else [_title(space)]
    if card:
        lines.append(f"{space}.")
    lines.append(say(look, f"space_{row}"))
    if f"{row}-{n}" in PAWS:
        lines.append(say(look, "paw"))
    return _lines(*lines)


# ---- elements, creatures, final projects


def rates(look: Look) -> Text:
    """How elements are converted (F-1.3)."""
    names = {name: look.teller.say("making", name) for name in ELEMENTS}
    lines = [
        Text(say(look, "rate", rate=rate, made=look.teller.lexicon("terminal.fairy_school.or", **pair)))
        for rate, pair in (
            (RATE[0], {"first": names["earth"], "second": names["water"]}),
            (RATE[1], {"first": names["plant"], "second": names["fire"]}),
        )
    ]
    lines.append(Text(say(look, "rate", rate=RATE[4], made=names["air"])))
    lines.append(Text(say(look, "rate_air")))
    return _lines(_title(say(look, "convert_title")), *lines)


def _element(look: Look, element: str, me: int) -> Text:
    """How much there is of an element, and what can be had for it."""
    count = held_by(look, me)[element]
    name = look.teller.say("element", element)
    letter = LETTERS[ELEMENTS.index(element)]
    head = Text.assemble((f"{letter} {capital(name)}: {count}", f"bold {HUES[element]}"))
    return _lines(head, rates(look))


def _creature(look: Look, creature: str, me: int) -> Text:
    n = CREATURES.index(creature)
    other, bonus = CREATURES[n ^ 1], PAIR_BONUS[n // 2]
    gain = look.teller.word("cards.phrase.any") if len(bonus) > 1 else look.teller.say("amounts", bonus[0])
    names = [look.teller.names[p["seat"]] for p in seen(look)["players"] if creature in p["studied"]]
    mine = creature in seen(look)["players"][me]["studied"]
    return _lines(
        _title(creature_name(creature, look), creature_hue(creature)),
        say(look, "studied_you") if mine and me == look.reader else "",
        say(look, "pair", creature=creature_name(other, look), gain=gain),
        say(look, "studied_by", seats=look.teller.join(names)) if names else say(look, "studied_none"),
        Text(say(look, "creature_worth"), style="dim"),
    )


def _steps(look: Look, final: str, done: int) -> list[Text]:
    lines = []
    for n, cost in enumerate(FINAL_BY_NAME[final].steps, 1):
        mark = say(look, "step_done") if n <= done else ""
        line = Text.assemble(
            f"{capital(say(look, 'step', step=n))}: ", cost_text(cost), f" {mark}" if mark else ""
        )
        lines.append(line)
    return lines


def _step(look: Look, area: int, step: int) -> Text:
    player = seen(look)["players"][area]
    final = player["final"]
    assert final is not None
    cost = FINAL_BY_NAME[final].steps[step - 1]
    state = (
        Text(capital(say(look, "step_done")))
        if step <= player["steps"]
        else _payable(look, cost, held_by(look, area))
    )
    return _lines(
        _title(f"{look.teller.say('final', final)}, {say(look, 'step', step=step)}"),
        say(look, "cost", cost=look.teller.say("amounts", cost)),
        state,
        say(look, "step_worth"),
        *_steps(look, final, player["steps"]),
    )


# ---- seats and piles


def _listed(look: Look, cards: Iterable[str | None]) -> Text:
    """Cards with what they do, a line each."""
    shown = [card for card in cards if card]
    return _lines(
        *(
            Text.assemble(
                (look.teller.say("card", c), "bold"), "  ", tint(look.teller.say("card_symbols", c))
            )
            for c in shown
        )
    )


def _named(look: Look, key: str, cards: Sequence[str]) -> str:
    return (
        say(look, key, cards=look.teller.join([look.teller.say("card", card) for card in cards]))
        if cards
        else ""
    )


def _seat(look: Look, seat: int, me: int) -> Text:
    player, names = seen(look)["players"][seat], look.teller.names
    given = [f"{names[s]} {n}" for s, n in enumerate(player["kindness_from"]) if n]
    kindness = say(look, "kindness", count=player["kindness"])
    busy = seat in seen(look)["waiting"]
    costs = [
        Text.assemble("  ", look.teller.say("card", card), "  ", cost_text(BY_NAME[card].cost))
        for card in player["projects"]
    ]
    final = player["final"]
    return _lines(
        Text.assemble((names[seat], f"bold {SEAT_COLOURS[seat]}"), f"  {_where(look, seat, me)}"),
        Text.assemble(say(look, "has"), " ", held_text(player["elements"], zeros=True)),
        say(look, "cubes", count=player["cubes"]),
        f"{kindness} ({', '.join(given)})" if given else kindness,
        say(
            look, "creatures", creatures=look.teller.join([creature_name(c, look) for c in player["studied"]])
        ),
        say(look, "projects") if costs else "",
        *costs,
        _named(look, "realised", player["realised"]),
        say(look, "final_at", final=look.teller.say("final", final), steps=player["steps"]) if final else "",
        _named(look, "forest_top", [c for c in player["forest"]["top"] if c]),
        _named(look, "forest_bottom", [c for c in player["forest"]["bottom"] if c]),
        _named(look, "personal", player["personal"]),
        _named(look, "shared", player["shared"]),
        _named(look, "discard", player["discard"]),
        _named(look, "banished", player["banished"]),
        say(look, "pile", count=player["pile"]["count"]),
        say(look, "busy" if busy else "finished") if seen(look)["phase"] != "over" else "",
        Text(say(look, "gaze"), style="dim") if seat != me else "",
    )


def _where(look: Look, seat: int, me: int) -> str:
    seats = len(look.names)
    if seat == me or seats == 2:
        return ""
    if seat == (me + 1) % seats:
        return say(look, "left_neighbour")
    return say(look, "right_neighbour") if seat == (me - 1) % seats else ""


def _pile(look: Look, me: int) -> Text:
    pile = seen(look)["players"][me]["pile"]
    return _lines(
        _title(say(look, "pile", count=pile["count"])),
        _named(look, "pile_top", pile["top"]),
        _named(look, "pile_among", pile["among"]),
        Text(say(look, "pile_note"), style="dim"),
    )


def _discard(look: Look, me: int) -> Text:
    cards = seen(look)["players"][me]["discard"]
    title = _title(say(look, "discard_title", count=len(cards)))
    return _lines(title, _listed(look, cards) if cards else say(look, "nothing"))


def _common(look: Look, me: int) -> Text:
    cards = seen(look)["common"]
    lines = [
        Text.assemble(
            (look.teller.say("card", card), "bold"), "  ", cost_text(BY_NAME[card].cost, held_by(look, me))
        )
        for card in cards
    ]
    return _lines(
        _title(say(look, "common_title", count=len(cards))),
        Text(say(look, "common_note"), style="dim"),
        *lines,
    )


def _cubes(look: Look, me: int) -> Text:
    return _lines(
        _title(say(look, "cubes", count=seen(look)["players"][me]["cubes"])), say(look, "cubes_note")
    )


def _kindness(look: Look, me: int) -> Text:
    player, names = seen(look)["players"][me], look.teller.names
    given = [f"{names[s]}: {n}" for s, n in enumerate(player["kindness_from"]) if n]
    return _lines(_title(say(look, "kindness", count=player["kindness"])), *given, say(look, "kindness_note"))


def _studied(look: Look, me: int) -> Text:
    names = [creature_name(c, look) for c in seen(look)["players"][me]["studied"]]
    return _lines(
        _title(say(look, "creatures", creatures=look.teller.join(names))), say(look, "creature_worth")
    )


def _realised(look: Look, me: int) -> Text:
    cards = seen(look)["players"][me]["realised"]
    return _lines(
        _title(say(look, "realised_title", count=len(cards))),
        _listed(look, cards),
        say(look, "project_worth"),
    )


OTHERS: Mapping[str, Callable[[Look, int], Text]] = {
    "convert": lambda look, me: rates(look),
    "cubes": _cubes,
    "kindness": _kindness,
    "studied": _studied,
    "realised": _realised,
    "pile": _pile,
    "discard": _discard,
    "common": _common,
}


# ---- rows and phases


def _row(look: Look, name: str, me: int) -> Text:
    """What a row is: its label is a Thing too."""
    name = name.removesuffix(":none")
    place, _, seat = name.partition("-")
    if seat:
        owner = int(seat)
        lines: list[str | Text] = [say(look, "zone_their", seat=look.teller.names[owner])]
        if lies_before(look, owner) != owner:
            lines.append(say(look, "lies_before", seat=look.teller.names[lies_before(look, owner)]))
        return _lines(*lines)
    if name == "final":
        return Text(say(look, "about_final"))
    return Text(say(look, f"about_{place}"))


def phase_help(look: Look) -> Text:
    """What the phase is about, for those who play for the first time."""
    phase = seen(look)["phase"]
    return _lines(_title(look.teller.say("phase", phase)), say(look, f"phase_{phase}"))


def line_details(look: Look, name: str, number: int) -> Text:
    """One line of a card in words."""
    line = BY_NAME[name].effect.lines[number - 1]
    spoken = line_words(line, Phrases(look.teller.word, "cards"))
    kind = look.teller.word(f"cards.kind.{kind_of(line)}")
    return _lines(_title(kind), spoken)


def about_flow(view: Mapping[str, Any], look: Look) -> str:
    """What is being paid for, in words."""
    flow = view["flow"] or {}
    player = view["players"][flow.get("seat", 0)]
    if flow.get("after") == "select":
        return capital(look.teller.say("column", flow["left"] + 1))
    if flow.get("after") == "final":
        return capital(say(look, "step", step=player["steps"] + 1))
    return look.teller.say("card", flow["card"]) if flow.get("card") else ""
