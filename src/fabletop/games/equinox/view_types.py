"""The shape of a view of Equinox (E-9): what one seat or a spectator may see, field by field.

This is the only statement of it. `view.py` builds it, `view_reader.py` reads it; the JSON schema, docs/views.md and the
browser's types are generated from it. The texts are the meaning of each field.

Cards are named as in actions (`hoot-7`, `chameleon-3`, `ancestor`, `dryad`), seats by number. Cards that lie covered
stay in the view: nobody may look at them (E-5.6), but everybody saw them played.
"""

from typing import Annotated, Literal, NotRequired, TypedDict


class Power(TypedDict):
    """A creature's power that is in use."""

    creature: Annotated[str, "the creature whose card was played"]
    power: Annotated[str, "the creature whose power is used: another one for Fungy"]
    committed: Annotated[bool, "it cannot be declined any more, because Fungy has chosen it"]


class Cell(TypedDict):
    """One cell of a column."""

    top: Annotated[str | None, "the visible card"]
    strength: NotRequired[Annotated[float, "its strength (E-7.13); absent where there is no card"]]
    covered: Annotated[list[str], "the cards under it, bottom first"]
    pebble: Annotated[int | None, "the seat whose pebble lies here"]


class Column(TypedDict):
    """A creature's column."""

    creature: Annotated[str, "its creature"]
    in_play: Annotated[bool, "not eliminated"]
    eliminated: Annotated[int | None, "the round in which it was eliminated"]
    controller: Annotated[int | None, "the seat that controls it (E-4.2)"]
    champion: Annotated[list[int], "the seats with a pebble on its Champion card"]
    totals: Annotated[
        list[int | None],
        "by seat: what its pebbles here are worth together (E-4.1), null where it has none; empty without pebbles",
    ]
    cells: Annotated[list[Cell], "its five cells, round 1 first"]


class Player(TypedDict):
    """What everybody sees of a seat."""

    hand: Annotated[int, "cards in hand"]
    aside: Annotated[int, "cards that Stag set aside"]
    unseen: Annotated[int, "cards discarded unseen, with Carmen"]
    pebbles: Annotated[int, "pebbles left, those that rest included"]
    resting: Annotated[int, "pebbles that came back this turn and cannot be placed before the next"]
    secret: Annotated[bool, "an unrevealed secret prediction lies here"]
    secret_made: Annotated[bool, "a secret prediction was made at some time"]


class Lacks(TypedDict):
    """Creatures of which everybody knows that a seat has no card."""

    hand: Annotated[list[str], "none among the cards in hand that cannot be placed"]
    secret: Annotated[list[str], "not the card of the secret prediction"]


class Counted(TypedDict):
    """A pebble on a creature that is still in play at the end."""

    creature: Annotated[str, "the creature"]
    row: Annotated[int, "where it lies: a row, or 0 for the Champion card"]
    value: Annotated[float, "what it is worth (E-4.1, E-7.13)"]
    total: Annotated[float, "the points of its seat so far, when the pebbles worth least are counted first"]


class Reckoned(TypedDict):
    """How the points of a seat came about (E-8.1)."""

    seat: Annotated[int, "the seat"]
    pebbles: Annotated[list[Counted], "its pebbles that count, creature by creature"]
    by_row: Annotated[
        list[int], "how many of them lie on Champion cards and in rows 1 to 5: these break a tie (E-8.2)"
    ]


class Outcome(TypedDict):
    """The result of a game."""

    scores: Annotated[list[float], "points by seat"]
    winners: Annotated[list[int], "the seats that share the victory"]
    reason: Annotated[str, "why the game ended: `fifth_elimination`, `deck_ran_out` or `stalled`"]
    reckoning: Annotated[list[Reckoned], "how the points came about, by seat"]


class Own(TypedDict):
    """The cards that only the viewer knows."""

    hand: Annotated[list[str], "in hand"]
    aside: Annotated[
        list[str], "set aside by Stag: the owner can tell, since the rest of the hand is visible"
    ]
    secret: Annotated[str | None, "under the secret prediction"]
    unseen: Annotated[list[str], "discarded unseen"]
    held: Annotated[str | None, "the Chameleon that is about to be placed"]


class Known(TypedDict):
    """A hidden card of which something is known. Places are `hand-1`, `aside-1`, `secret-1` and `unseen`."""

    card: Annotated[str, "the card"]
    places: Annotated[list[str], "where it may be, as the viewer knows; empty for a card of the viewer's own"]
    public: Annotated[list[str], "where it may be, as everybody knows"]


class Common(TypedDict):
    """What every viewer sees."""

    game: Annotated[Literal["equinox"], "the game"]
    rules: Annotated[int, "the version of the rules"]
    seats: Annotated[int, "how many seats there are"]
    full_hand: Annotated[int, "the cards that a hand is filled up to (E-6.3)"]
    squeak_draws: Annotated[int, "the cards that Squeak draws (E-7.1)"]
    ursus_halves: Annotated[int, "the half points that Ursus adds to a card and to a pebble (E-7.13)"]
    worth: Annotated[list[int], "what a pebble is worth on a Champion card, then in rows 1 to 5 (E-4.1)"]
    pebbles: Annotated[int, "the pebbles that each seat has in all (E-1.1)"]
    creatures: Annotated[list[str], "the eight creatures of this game"]
    round: Annotated[int, "the round, 1 to 5"]
    turn: Annotated[int, "the seat whose turn it is"]
    waiting_for: Annotated[list[int], "the seat that is asked; empty when the game is over"]
    power: Annotated[Power | None, "the power in use"]
    target: Annotated[int | None, "the seat chosen so far (Hoot, Goatman)"]
    named: Annotated[str | None, "the creature named so far (Hoot)"]
    first_cell: Annotated[str | None, "the cell of Hopscotch's first card, such as `2-hoot`"]
    second_card: Annotated[bool, "Twinz's second card is being played"]
    carmen: Annotated[bool, "Carmen is active this turn"]
    discards: Annotated[int, "cards discarded so far this turn"]
    busy: Annotated[bool, "something counted as progress this turn (E-6.9)"]
    idle: Annotated[int, "turns in a row without progress (E-6.9)"]
    columns: Annotated[list[Column], "one per creature of this game"]
    players: Annotated[list[Player], "one per seat"]
    deck: Annotated[int, "cards in the deck"]
    discard: Annotated[int, "cards in the discard, seen and unseen"]
    discarded: Annotated[list[str], "the cards discarded face up"]
    lacks: Annotated[list[Lacks], "by seat"]
    at_least: Annotated[
        list[dict[str, int]], "by seat and creature: the fewest cards everybody knows it has, aside included"
    ]
    outcome: Annotated[Outcome | None, "the result, once the game is over"]


class Only(TypedDict):
    """What differs from viewer to viewer."""

    viewer: Annotated[int | None, "the seat whose view this is; null for a spectator"]
    phase: Annotated[str, "the kind of the pending choice, as far as the viewer may know; `over` at the end"]
    own: Annotated[Own | None, "the cards that only this viewer knows; null for a spectator"]
    looked: Annotated[list[str] | None, "the three cards that Goatman's player and their owner see"]
    known: Annotated[list[Known], "the hidden cards of which the viewer or everybody knows something"]


class View(Common, Only):
    """A view of Equinox."""
