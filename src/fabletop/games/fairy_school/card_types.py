"""The shape of what a client needs to draw a card of Fairy School. The browser's types are generated from it."""

from typing import Annotated, NotRequired, TypedDict

from fabletop.games.fairy_school.algebra import Kind
from fabletop.games.fairy_school.cards import Deck


class CardAmounts(TypedDict, total=False):
    """A number of each element, where it is more than 0."""

    earth: Annotated[int, "E"]
    plant: Annotated[int, "V"]
    fire: Annotated[int, "F"]
    water: Annotated[int, "W"]
    air: Annotated[int, "A"]


class CardLine(TypedDict):
    """One line of a card's effect (F-6)."""

    cost: Annotated[CardAmounts, "what goes in"]
    times: Annotated[int, "up to how often it is used at once"]
    gains: Annotated[list[CardAmounts], "what comes out, one of these"]
    special: Annotated[Kind | None, "a special effect (F-6.3)"]
    count: Annotated[int, "how many cards a special effect takes"]
    up_to: NotRequired[Annotated[bool, "a special effect may take fewer; absent where there is none"]]
    text: Annotated[str, "the line in words"]


class CardData(TypedDict, total=False):
    """The `data` of a card or a final project. A field that does not apply is absent."""

    creature: Annotated[str, "the creature on it"]
    deck: Annotated[Deck, "where it belongs"]
    names: Annotated[list[str], "all cards that look like it: each starting deck has a copy (F-1.8)"]
    cost: Annotated[CardAmounts | None, "what a project costs; null for a card that is none"]
    lines: Annotated[list[CardLine], "its effect"]
    steps: Annotated[list[CardAmounts], "what each step of a final project costs"]
