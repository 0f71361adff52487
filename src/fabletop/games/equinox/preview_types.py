"""The shape of what Equinox says of an option before it is chosen. The browser's types are generated from it."""

from typing import Annotated, TypedDict


class Standing(TypedDict):
    """A creature in the row in play."""

    creature: Annotated[str, "the creature"]
    card: Annotated[str, "the card that counts for it: the top one"]
    strength: Annotated[float, "its strength (E-7.13)"]


class Preview(TypedDict, total=False):
    """The row in play after an option. A field that does not apply is absent."""

    cells: Annotated[
        list[str], "the cells whose top card changes, such as `2-hoot`; for a Chameleon all it can go to"
    ]
    order: Annotated[list[Standing], "the row in play afterwards, weakest first"]
    missing: Annotated[list[str], "creatures still in play that have no card there"]
    lowest: Annotated[list[str], "the creatures that share the lowest strength there"]
    goes: Annotated[str, "the creature that is then eliminated, unless something else changes the row"]
    power: Annotated[bool, "the card would activate its power"]
