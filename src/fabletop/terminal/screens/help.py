"""Help: all keys, and the signs of the board."""

from typing import ClassVar

from rich.table import Table as Grid
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from fabletop.terminal.boards import Board
from fabletop.terminal.preferences import Preferences

TABLE_KEYS = (
    ("↑ ↓", "help.arrows"),
    ("Enter", "help.enter"),
    ("1…9 b…z", "help.shortcuts"),
    ("p, d", "help.pass"),
    ("Tab", "help.tab"),
    ("u", "help.undo"),
    ("h", "help.hint"),
    ("a", "help.auto_pass"),
    ("l", "help.language"),
    ("q", "help.quit"),
    ("?", "help.help"),
)
WATCH_KEYS = (
    ("Space", "help.halt"),
    ("n →", "help.step_on"),
    ("+ -", "help.speed"),
    ("v", "help.next_view"),
    ("Tab", "help.tab"),
    ("l", "help.language"),
    ("q", "help.quit"),
    ("?", "help.help"),
)
REPLAY_KEYS = (
    ("→ ←", "help.step"),
    ("PgDn PgUp", "help.turn"),
    ("Home End", "help.ends"),
    ("0…5", "help.seat"),
    ("s", "help.spectator"),
    ("Tab", "help.tab"),
    ("l", "help.language"),
    ("q", "help.leave"),
)


class Help(ModalScreen[None]):
    """Covers the table until a key is pressed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,question_mark", "app.pop_screen", show=False)
    ]
    DEFAULT_CSS = """
    Help { align: center middle; }
    Help VerticalScroll { width: 76; height: auto; max-height: 90%; background: $surface;
                          border: round $primary; padding: 0 2; }
    """

    def __init__(
        self, preferences: Preferences, board: Board, keys: tuple[tuple[str, str], ...] = TABLE_KEYS
    ) -> None:
        super().__init__()
        self.preferences, self.board, self.keys = preferences, board, keys

    def compose(self) -> ComposeResult:
        """Keys, mouse, signs."""
        say = self.preferences.say
        grid = Grid(box=None, show_header=False, padding=(0, 2, 0, 0))
        grid.add_column(no_wrap=True, style="bold")
        grid.add_column(ratio=1)
        for key, does in self.keys:
            grid.add_row(key, say(does))
        grid.add_row(say("help.mouse_name"), say("help.mouse"))
        grid.add_row("", "")
        for sign, meaning in self.board.legend():
            grid.add_row(sign, meaning)
        with VerticalScroll() as scroll:
            scroll.border_title = say("help.title")
            scroll.border_subtitle = say("help.close")
            yield Static(grid)

    def on_click(self) -> None:
        """A click closes it too."""
        self.app.pop_screen()
