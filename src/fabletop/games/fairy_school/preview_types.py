"""The shape of what Fairy School says of an option before it is chosen. The browser's types are generated from it."""

from typing import Annotated, TypedDict

from fabletop.games.fairy_school.view_types import Amounts


class Exchange(TypedDict):
    """One conversion (F-1.3)."""

    made: Annotated[str, "the element that is made"]
    given: Annotated[Amounts, "what goes into it"]


class Preview(TypedDict, total=False):
    """What follows from an option, as far as it is certain. A field that does not apply is absent."""

    cost: Annotated[Amounts, "what it costs"]
    lack: Annotated[Amounts, "what of the cost is missing"]
    exchanges: Annotated[
        list[Exchange], "the cheapest conversions that close the gap; absent where none can close it"
    ]
    gain: Annotated[Amounts, "what it gives"]
    elements: Annotated[Amounts, "the elements of the seat afterwards"]
    cubes: Annotated[int, "the cubes in its reserve afterwards"]
    to: Annotated[int, "the seat whose kindness grows by the cube"]
    rate: Annotated[int, "how many elements make one"]
    best: Annotated[bool, "the cheapest way to pay begins with this"]
