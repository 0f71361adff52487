"""Boards: what is particular to a game on the terminal table. Only the modules in this folder name a game.

The frame (screens/) knows nothing of any game: it asks, answers, prints the log and keeps the record. A board draws one
game's view. To add one, write `boards/<game>/board.py` with a subclass of `Board` and enter it in `BOARDS` below.

A board is a container of `Thing`s: cards, cells, piles, seats; anything one may look at or choose. Each has a key, a
short text such as `cell-2-hoot`, unique on the board. The board's duties:

    compose()            yield the widgets; those that can be chosen or looked at are Things (fixed ones with their key,
                         changing ones, such as a hand, on a `Shelf`, which makes and hides Things as needed)
    draw(look)           put the view into the Things, all of them: `self.thing(key).put(text, "-class", …)`; sizes come
                         from `look.wide`, `look.tall` (both False at 80 × 24) and `look.width`
    title(look)          the line at the top: where in the game we are ("Round 2 · deck 54")
    key_of(action)       which Thing stands for this option of `self.look.choice`, or None where nothing does
    details(key)         what the Thing is and does, in words, as a rich Text; shown when it is looked at
    explain(action)      the same for an option; by default the details of its Thing
    label(action)        the option in words; by default `game.say("action", …)` in the reader's language
    question(choice)     the choice in words; by default `<game>.choice.<kind>`, see `Teller.prompt`
    order()              the options in the order of the list; by default by number
    legend()             signs and their meanings, for the help
    reckoning(…)         how a seat's points came about, a line of text each, for the result screen

What the base class does: Things that an option leads to are lit (class `-lit`) and answer a click;
the option highlighted in the list is mirrored on the board (class `-aimed`); the arrow keys move a cursor over the
Things when the board has the focus (class `-cursor`), Enter chooses. Where several options lead to one Thing, a click
moves to the first of them in the list instead of choosing.

`self.look` is what was drawn last. A `Look` holds the view, the reader's choice (None while it is not asked), the
`Teller` in the reader's language (`teller.word(key)` is a key of the game's language file, `teller.names` carry the
seat's shape), and the names without shapes. Colours and signs come from `fabletop.terminal.glyphs`. Keep CSS in the
board's DEFAULT_CSS, with fixed heights (a Thing has one line unless CSS says otherwise). The board has the classes
`-wide` (110 columns and more) and `-tall` (34 lines and more).
"""

from importlib import import_module

from fabletop.core.game import Game
from fabletop.terminal.boards.board import Board, Look, Shelf, Thing

__all__ = ["BOARDS", "Board", "Look", "Shelf", "Thing", "board_of"]

BOARDS = {
    "equinox": "fabletop.terminal.boards.equinox.board:EquinoxBoard",
    "fairy_school": "fabletop.terminal.boards.fairy_school.board:FairySchoolBoard",
}
"""Where each game's board is; loaded when it is wanted."""


def board_of(game: Game) -> type[Board]:
    """The board class of a game."""
    module, _, name = BOARDS[game.id].partition(":")
    board: type[Board] = getattr(import_module(module), name)
    return board
