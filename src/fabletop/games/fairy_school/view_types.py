"""The shape of a view of Fairy School (rules page, section 10): what one seat or a spectator may see, field by field.

This is the only statement of it. `view.py` builds it, `view_reader.py` reads it; the JSON schema, docs/views.md and the
browser's types are generated from it. The texts are the meaning of each field.

Cards and final projects are named as on the rules page (`17`, `5:3`, `F2`), seats by number. The viewer's own area is
shown as it is, the others' as they were when the stage began (F-3.2).
"""

from typing import Annotated, Any, Literal, TypedDict


class Amounts(TypedDict):
    """A number of each element."""

    earth: Annotated[int, "E"]
    plant: Annotated[int, "V"]
    fire: Annotated[int, "F"]
    water: Annotated[int, "W"]
    air: Annotated[int, "A"]


class Options(TypedDict):
    """The options of the game."""

    seats: Annotated[int, "how many seats there are"]
    setup: Annotated[str, "`beginners`, `normal` or `expert`"]
    length: Annotated[str, "`full` or `short`"]
    wider: Annotated[bool, "the wider neighbourhood (F-2.8)"]


class Draft(TypedDict):
    """How far a draft has come."""

    round: Annotated[int, "picks made so far"]
    size: Annotated[int, "cards in a hand at the start"]
    to: Annotated[str, "where the hands are passed: `left` or `right`"]


class Forest(TypedDict):
    """The two rows of a forest, five spaces each, from left to right."""

    top: Annotated[list[str | None], "the first space is a paw"]
    bottom: Annotated[list[str | None], "the last space is a paw"]


class Pile(TypedDict):
    """A draw pile."""

    count: Annotated[int, "how many cards"]
    top: Annotated[list[str], "the cards whose place is known, the uppermost first"]
    among: Annotated[list[str], "the other cards, in no order; together with cards drawn unseen"]


class Drawn(TypedDict):
    """The cards that a seat drew in planning."""

    count: Annotated[int, "how many"]
    sure: Annotated[list[str], "those that everybody can tell"]


class Player(TypedDict):
    """A seat's area."""

    seat: Annotated[int, "the seat"]
    set: Annotated[str | None, "its predefined set, `A` to `E`"]
    elements: Annotated[Amounts, "its elements"]
    cubes: Annotated[int, "cubes in its reserve"]
    kindness: Annotated[int, "cubes received"]
    kindness_from: Annotated[list[int], "the same by seat"]
    studied: Annotated[list[str], "the creatures it has studied"]
    forest: Annotated[Forest, "its forest"]
    personal: Annotated[list[str], "its personal zone"]
    shared: Annotated[list[str], "its shared zone, which the neighbours may use"]
    discard: Annotated[list[str], "its discard, in no order"]
    pile: Annotated[Pile, "its draw pile"]
    drawn: Annotated[Drawn | None, "what it drew, while it plans"]
    hand: Annotated[int, "cards in hand"]
    projects: Annotated[list[str], "its projects"]
    realised: Annotated[list[str], "the projects that it has realised, wherever they are now"]
    banished: Annotated[list[str], "its banished cards"]
    final: Annotated[str | None, "its final project"]
    steps: Annotated[int, "steps of the final project completed"]


class Own(TypedDict):
    """What only the viewer knows."""

    began: Annotated[
        dict[str, Any],
        "the fields of its area that were different when the stage began, as the others see them",
    ]
    hand: Annotated[list[str], "its hand"]
    pick: Annotated[str | None, "the card picked in this round of a draft"]
    picks: Annotated[list[str], "the cards picked before"]
    seen: Annotated[list[list[str]], "the draft hands that it has seen, one per round"]
    drawn: Annotated[list[str], "the cards it drew, while it plans"]
    looked: Annotated[list[str], "the cards it is looking at (scout)"]
    used: Annotated[list[list[str | int]], "the cards it has activated this turn, each with the cubes on it"]


class Flow(TypedDict):
    """What a seat is in the middle of."""

    seat: Annotated[int, "the seat"]
    question: Annotated[str, "the kind of the pending choice"]
    card: Annotated[str | None, "the card that the question is about"]
    line: Annotated[int, "the line of that card, 1 or 2"]
    left: Annotated[int, "how many times still to do"]
    again: Annotated[bool, "the card is activated by a repeat"]
    after: Annotated[str, "the choice that a payment belongs to"]
    back: Annotated[str, "the choice to return to after a conversion"]
    making: Annotated[str | None, "the element that is being made"]
    spent: Annotated[int, "elements put into it so far"]
    taken: Annotated[int, "projects realised, or cards settled, so far"]
    columns: Annotated[list[int], "the columns chosen so far, 1 to 5"]
    owed: Annotated[Amounts, "what is being paid"]
    given: Annotated[Amounts, "what has been put into the conversion"]


class Common(TypedDict):
    """What every viewer sees alike."""

    game: Annotated[Literal["fairy_school"], "the game"]
    options: Annotated[Options, "the options"]
    stage: Annotated[int, "a number that grows from stage to stage"]
    trimester: Annotated[int, "1 to 3; 0 in the last trimester and during set-up"]
    set_up: Annotated[bool, "the year has not begun yet"]
    turn: Annotated[int, "the turn in this trimester"]
    turns: Annotated[int, "how many turns this trimester has, at most"]
    year_turn: Annotated[int, "the turn in the year"]
    phase: Annotated[str, "what the table is at, such as `plan`; `over` at the end"]
    together: Annotated[bool, "all seats decide at once, unseen by each other"]
    waiting: Annotated[list[int], "the seats that have something to decide"]
    reach: Annotated[list[list[int]], "by seat: the seats whose shared cards it may activate, itself first"]
    common: Annotated[list[str], "the common discard"]
    finals: Annotated[list[str], "the final projects on offer"]
    order: Annotated[list[int], "the seats that are still to choose, in order"]
    draft: Annotated[Draft | None, "the draft under way"]
    ended: Annotated[str | None, "why the year ended: `final_completed` or `twelfth_turn`"]


class Only(TypedDict):
    """What differs from viewer to viewer."""

    players: Annotated[list[Player], "one per seat"]
    viewer: Annotated[int | None, "the seat whose view this is; null for a spectator"]
    own: Annotated[Own | None, "what only this viewer knows; null for a spectator"]
    flow: Annotated[
        Flow | None, "what the viewer is in the middle of; the asked seat, where one is asked at a time"
    ]


class View(Common, Only):
    """A view of Fairy School."""
