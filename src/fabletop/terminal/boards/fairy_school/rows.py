"""The rows below the forest: what lies on the table now, as far as it matters in this phase.

A row has a label and Things. Their keys are place and name: `hand:88`, `shared:57`, `project:103`, `step:2`,
`final:F6`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from fabletop.games.fairy_school.cards import BY_NAME, FINAL_BY_NAME
from fabletop.games.fairy_school.catalogue import total_of
from fabletop.terminal.boards.board import Look
from fabletop.terminal.boards.fairy_school.signs import (
    Held,
    can_pay,
    card_text,
    cost_text,
    cut,
    project_text,
    seen,
    signs,
)
from fabletop.terminal.glyphs import SEAT_COLOURS, glyphs, seat_glyph

LABEL = 10
"""Cells of a row's label."""
CARD, PROJECT, OFFER, FINAL = 15, 21, 33, 33
"""Cells that a card, a project with its cost, one with its effect too, and a final project or a step need."""
DRAFTS = ("settle_draft", "draft")
ZONE_PHASES = ("select", "activate")

Item = tuple[str, Text, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of Things, and how many cells each needs at least."""

    name: str
    label: Text
    items: Sequence[Item]
    least: int = CARD


def say(look: Look, key: str, **values: Any) -> str:
    """A text of this board."""
    return look.teller.lexicon(f"terminal.fairy_school.{key}", **values)


def room(look: Look, least: int) -> int:
    """How many cells a Thing of a row gets."""
    width = look.width - LABEL
    columns = max(1, (width + 1) // (least + 1))
    return (width - columns + 1) // columns


def rows(look: Look, me: int, area: int) -> list[Row]:
    """The rows to show: what `me` holds and chooses from, then the zones, projects and final project of `area`."""
    shown = list(_held(look, area)) if me == area else []
    shown += _open(look)
    crowded = not look.tall and any(row.name in ("looked", "discard") for row in shown)
    if not crowded:
        shown += _zones(look, me, area)
    shown += _projects(look, area)
    return shown


def used(look: Look) -> dict[str, int]:
    """How many cubes of the reader lie on which card."""
    own = seen(look)["own"]
    return {str(card): int(cubes) for card, cubes in own["used"]} if own else {}


def held_by(look: Look, seat: int) -> Held:
    """The elements of a seat."""
    held: Held = seen(look)["players"][seat]["elements"]
    return held


def busy(look: Look) -> str | None:
    """The card with which the reader is in the middle of something."""
    flow = seen(look)["flow"]
    return flow["card"] if flow and flow["seat"] == look.reader else None


# ---- what one holds and chooses from


def _held(look: Look, seat: int) -> Iterator[Row]:
    own, view = seen(look)["own"], seen(look)
    if not own or seat != look.reader:
        return
    phase, flow = view["phase"], view["flow"]
    question = flow["question"] if flow else None
    if phase in DRAFTS:
        yield _cards(look, "hand", own["hand"])
        picks = [*own["picks"], *([own["pick"]] if own["pick"] else [])]
        if picks:
            yield _cards(look, "picks", picks)
    elif phase in ("settle", "plan") and own["hand"]:
        yield _cards(look, "hand", own["hand"])
    elif phase == "drop" and own["hand"]:
        yield _cards(look, "dropped", own["hand"])
    if own["looked"]:
        yield _cards(look, "looked", own["looked"])
    if question == "recall":
        yield _cards(look, "discard", view["players"][seat]["discard"])


def _open(look: Look) -> Iterator[Row]:
    """What all choose from in order: a project of the common discard, a final project."""
    view = seen(look)
    if view["phase"] == "goal" and view["common"]:
        yield _cards(look, "common", view["common"])
    if view["phase"] == "final" and view["finals"]:
        items = [(f"final:{name}", _whole_final(name, look), ()) for name in view["finals"]]
        yield Row("finals", _label(look, "finals"), items, FINAL)


def _cards(look: Look, place: str, names: Sequence[str]) -> Row:
    """Cards in a row; projects come with cost and effect."""
    projects = any(BY_NAME[name].is_project for name in names) and place not in ("looked", "discard")
    least = OFFER if projects and not (place == "hand" and seen(look)["phase"] == "plan") else CARD
    space = room(look, least)
    held = held_by(look, look.reader) if look.reader is not None else None
    items: list[Item] = []
    now = busy(look)
    for name in names:
        text = (
            project_text(name, space, look, held, effect=True)
            if least == OFFER
            else _marked(name, space, look, glyphs().now if name == now else " ")
        )
        items.append((f"{place}:{name}", text, ("-busy",) if name == now else ()))
    return Row(place, _label(look, place), items, least)


def _marked(name: str, space: int, look: Look, sign: str) -> Text:
    return Text.assemble(sign, card_text(name, space - len(sign), look))


def _whole_final(name: str, look: Look) -> Text:
    total = cost_text(total_of(FINAL_BY_NAME[name].steps))
    return Text.assemble(" ", (name, "bold"), f" {say(look, 'in_all')} ", total)


# ---- zones


def _zones(look: Look, me: int, area: int) -> Iterator[Row]:
    """The own personal and shared zone, then the shared zones that can be reached (F-5.3, F-2.8)."""
    players, view = seen(look)["players"], seen(look)
    reach = view["reach"][area]
    if view["phase"] not in ZONE_PHASES and not any(
        players[s]["shared"] or players[s]["personal"] for s in reach
    ):
        return
    yield _zone(look, "personal", area, players[area]["personal"], _label(look, "personal"))
    yield _zone(look, "shared", area, players[area]["shared"], _label(look, "shared"))
    for seat in reach[1:]:
        sign = side_sign(look, area, seat)
        name = cut(look.names[seat], LABEL - 3 - len(sign))
        label = Text.assemble(sign, seat_glyph(seat), " ", (name, SEAT_COLOURS[seat]))
        yield _zone(look, f"shared-{seat}", seat, players[seat]["shared"], label)


def side_sign(look: Look, area: int, seat: int) -> str:
    """Where a neighbour sits: left is the next seat (F-1.1)."""
    seats = len(look.names)
    if seats == 2:
        return ""
    wider = seen(look)["options"]["wider"]  # both that can be reached are on the side of the first
    nearest = seen(look)["reach"][area][1] if wider else seat
    return glyphs().left if nearest == (area + 1) % seats else glyphs().right


def _zone(look: Look, name: str, seat: int, cards: Sequence[str], label: Text) -> Row:
    cubes, now, space = used(look), busy(look), room(look, CARD)
    place = "personal" if name == "personal" else "shared"
    items: list[Item] = []
    for card in cards:
        count = cubes.get(card, 0)
        sign = glyphs().now if card == now else str(count) if count > 1 else signs().yes if count else " "
        items.append((f"{place}:{card}", _marked(card, space, look, sign), ("-busy",) if card == now else ()))
    if not items:
        items = [(f"row:{name}:none", Text(f" {glyphs().dot}", style="dim"), ())]
    return Row(name, label, items)


# ---- projects


def _projects(look: Look, seat: int) -> Iterator[Row]:
    player = seen(look)["players"][seat]
    held = held_by(look, seat)
    if player["projects"]:
        longest = max(
            len(name) + len(cost_text(BY_NAME[name].cost, held).plain) for name in player["projects"]
        )
        roomy = look.tall or seen(look)["phase"] == "drop" or longest + 2 > room(look, PROJECT)
        least = OFFER if roomy else PROJECT
        space = room(look, least)
        items: list[Item] = [
            (f"project:{name}", project_text(name, space, look, held, effect=least == OFFER), ())
            for name in player["projects"]
        ]
        yield Row("projects", _label(look, "projects"), items, least)
    if player["final"] is not None:
        yield _final(look, player, held)


def _final(look: Look, player: Mapping[str, Any], held: Held) -> Row:
    """The steps of the final project; where there is little room, only the next one."""
    steps, done = FINAL_BY_NAME[player["final"]].steps, player["steps"]
    label = Text.assemble((player["final"], "bold"), f" {done}/{len(steps)}")
    items: list[Item] = []
    for n, cost in enumerate(steps):
        if not look.tall and n != min(done, len(steps) - 1):
            continue
        sign = signs().yes if n < done else glyphs().now if n == done else signs().no
        can = f" {signs().yes}" if n == done and can_pay(cost, held) else ""
        what = say(look, "step", step=n + 1) if n == done or not look.tall else str(n + 1)
        text = Text.assemble(f"{sign}{what}: ", cost_text(cost, held if n == done else None), can)
        items.append((f"step:{n + 1}", text, ("-done",) if n < done else ()))
    return Row("final", label, items, FINAL)


def _label(look: Look, name: str) -> Text:
    return Text(cut(say(look, f"row_{name}"), LABEL - 1), style="dim")


def lies_before(look: Look, owner: int) -> int:
    """The seat in front of which an owner's shared cards lie (F-2.8): itself, but for the wider neighbourhood."""
    if not seen(look)["options"]["wider"]:
        return owner
    return next(seat for seat, reach in enumerate(seen(look)["reach"]) if reach[1] == owner)
