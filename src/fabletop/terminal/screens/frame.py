"""What the table and the replay have in common: a board, a log and details, laid out for the size of the terminal."""

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical, VerticalScroll
from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import Static

from fabletop.core.game import Choice, Game, View
from fabletop.terminal.boards import Board, Look, board_of
from fabletop.terminal.glyphs import coloured, glyphs, tinted
from fabletop.terminal.preferences import Preferences
from fabletop.terminal.widgets.chooser import Chooser
from fabletop.terminal.widgets.keyline import KeyLine
from fabletop.terminal.widgets.log import GameLog

LEAST = (76, 22)
"""Columns and lines below which a table cannot be drawn."""
WIDE, TALL = 110, 34
PANEL = 40
"""Columns of the log next to the board on a wide terminal."""


class TooSmall(Static):
    """Stands in for the screen where the terminal is too small for it."""

    DEFAULT_CSS = """
    TooSmall { display: none; layer: above; width: 100%; height: 100%; background: $background;
               content-align: center middle; text-align: center; padding: 1; }
    """


class Frame(Screen[None]):
    """A screen around a board."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "next_part", show=False),
        Binding("shift+tab", "next_part(True)", show=False),
        Binding("question_mark", "help", show=False),
        Binding("l", "language", show=False),
        Binding("q", "leave", show=False),
    ]
    DEFAULT_CSS = """
    Frame { layers: below above; background: $background; }
    Frame #title { dock: top; height: 1; background: $panel; padding: 0 1; text-style: bold; }
    Frame #body { height: 1fr; layout: grid; grid-size: 2; grid-columns: 1fr 1fr; grid-rows: auto 1fr; }
    Frame Board { column-span: 2; padding: 0 1; }
    Frame #doing { height: 1fr; }
    Frame #question { height: auto; padding: 0 1; color: $accent; text-style: bold; }
    Frame #notice { height: auto; padding: 0 1; color: $warning; display: none; }
    Frame #notice.-on { display: block; }
    Frame #panel { height: 1fr; border-left: solid $panel; }
    Frame GameLog { height: 3fr; }
    Frame #details { height: 2fr; padding: 0 1; background: $surface; scrollbar-size-vertical: 1; }
    Frame.-tiny TooSmall { display: block; }
    Frame.-wide #body { layout: vertical; }
    Frame.-wide #doing { margin-top: 1; }
    Frame.-wide #panel { dock: right; width: 40; height: 100%; }
    Frame.-wide GameLog { height: 2fr; }
    Frame.-wide #details { height: 1fr; padding: 1 1; }
    """

    def __init__(self, game: Game, names: tuple[str, ...], preferences: Preferences) -> None:
        super().__init__()
        self.game = game
        self.names = names
        self.preferences = preferences
        self.board: Board = board_of(game)(id="board")
        self.reader: int | None = None
        self._laid_for = Size(0, 0)

    def compose(self) -> ComposeResult:
        """Board above, options below, log and details to the right."""
        yield Static(id="title", markup=False)
        with Container(id="body"):
            yield self.board
            with Vertical(id="doing"):
                yield Static(id="question", markup=False)
                yield Static(id="notice", markup=False)
                yield Chooser(id="chooser")
            with Vertical(id="panel"):
                yield GameLog(id="log")
                with VerticalScroll(id="details", can_focus=False):
                    yield Static(id="detail", markup=False)
        yield KeyLine()
        yield TooSmall(markup=False)

    # ---- size -------------------------------------------------------------------------------

    def on_resize(self) -> None:
        """Choose the layout for this size."""
        wide, tall = self.size.width >= WIDE, self.size.height >= TALL
        tiny = self.size.width < LEAST[0] or self.size.height < LEAST[1]
        changed = self.size != self._laid_for
        self.set_class(wide, "-wide")
        self.set_class(tall, "-tall")
        self.set_class(tiny, "-tiny")
        if tiny:
            self.query_one(TooSmall).update(
                self.preferences.say("small", width=self.size.width, height=self.size.height)
            )
        self._laid_for = self.size
        if changed:
            self.redraw()

    # ---- drawing ----------------------------------------------------------------------------

    def redraw(self) -> None:
        """Redraw everything, as after a change of language or size."""
        raise NotImplementedError

    def look_at(self, view: View, choice: Choice | None) -> Look:
        """What the board is to draw."""
        teller = self.preferences.teller(self.game, self.names, self.reader)
        wide, tall = self.has_class("-wide"), self.has_class("-tall")
        width = self.size.width - (PANEL if wide else 0) - 2
        return Look(view, choice, teller, self.names, wide, tall, width)

    def write_title(self, *parts: str) -> None:
        """The line at the top."""
        line = f" {glyphs().dot} ".join(part for part in parts if part)
        self.query_one("#title", Static).update(coloured(line, self.names), layout=False)

    def notice(self, text: str | Text) -> None:
        """A word to the reader, which stays until the next action; empty takes it away."""
        widget = self.query_one("#notice", Static)
        if text or widget.has_class("-on"):
            widget.update(text)
            widget.set_class(bool(text), "-on")

    def detail(self, text: Text) -> None:
        """Say what is being looked at."""
        self.query_one("#detail", Static).update(tinted(text, self.names))
        self.query_one("#details", VerticalScroll).scroll_home(animate=False)

    def on_board_looked(self, message: Board.Looked) -> None:
        """Say what the Thing under the mouse or the cursor is and does."""
        if message.key is not None:
            why = self.board.why_not(message.key)
            text = self.board.details(message.key)
            self.detail(Text.assemble(text, "\n" if text and why else "", (why, "italic")))

    # ---- keys -------------------------------------------------------------------------------

    def action_next_part(self, back: bool = False) -> None:
        """From the choices to the board, on to the log, and round again."""
        parts = [self.query_one(Chooser), self.board, self.query_one(GameLog)]
        parts = [part for part in parts if part.focusable]
        here = parts.index(self.focused) if self.focused in parts else -1
        parts[(here + (-1 if back else 1)) % len(parts)].focus()

    def action_language(self) -> None:
        """Switch to the next language."""
        self.preferences.next_language()
        self.redraw()
