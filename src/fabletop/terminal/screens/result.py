"""The result: points, winners, and how the points came about."""

from collections.abc import Callable
from typing import ClassVar

from rich.table import Table as Grid
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import Screen
from textual.widgets import Button, Static

from fabletop.core.sitting import Sitting
from fabletop.terminal.boards import board_of
from fabletop.terminal.glyphs import coloured, glyphs, seat_glyph
from fabletop.terminal.preferences import Preferences
from fabletop.terminal.screens.frame import TALL


def points(value: float) -> str:
    """Points as people write them: 17, 4½."""
    whole = int(value)
    return f"{whole}{glyphs().half}" if value != whole else str(whole)


class Result(Screen[None]):
    """Shown when the game is over."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "leave", show=False),
        Binding("n", "again", show=False),
        Binding("escape,b", "back", show=False),
        Binding("l", "language", show=False),
    ]
    DEFAULT_CSS = """
    Result { align: center top; background: $background; }
    Result VerticalScroll { width: 100%; max-width: 100; height: 1fr; padding: 1 2; }
    Result #verdict { text-align: center; text-style: bold; color: $accent; width: 100%; }
    Result #reason { text-align: center; width: 100%; margin-bottom: 1; }
    Result Horizontal { height: 1; align: center middle; dock: bottom; margin-bottom: 1; }
    Result Button { margin: 0 1; min-width: 18; }
    """

    def __init__(
        self,
        sitting: Sitting,
        names: tuple[str, ...],
        preferences: Preferences,
        leave: Callable[[], None],
        again: Callable[[], None],
    ) -> None:
        super().__init__()
        self.sitting, self.names, self.preferences = sitting, names, preferences
        self.leave, self.again = leave, again

    def compose(self) -> ComposeResult:
        """Verdict, reason, table, buttons."""
        with VerticalScroll(can_focus=False):
            yield Static(id="verdict", markup=False)
            yield Static(id="reason", markup=False)
            yield Static(id="points")
        with Horizontal():
            yield Button("", id="again", variant="primary", compact=True)
            yield Button("", id="back", compact=True)
            yield Button("", id="leave", compact=True)

    def on_mount(self) -> None:
        """Fill in the words."""
        self.redraw()
        self.query_one("#again", Button).focus()

    def redraw(self) -> None:
        """All words in the language of now."""
        say, outcome = self.preferences.say, self.sitting.outcome
        assert outcome is not None, "a result is shown when the game is over"
        teller = self.preferences.teller(self.sitting.game, self.names, None)
        winners = teller.join([teller.names[seat] for seat in outcome.winners])
        verdict = say("result.shared" if len(outcome.winners) > 1 else "result.won", names=winners)
        self.query_one("#verdict", Static).update(coloured(verdict, self.names))
        self.query_one("#reason", Static).update(teller.word(f"reason.{outcome.reason}"))
        self.query_one("#points", Static).update(self._points())
        for button in ("again", "back", "leave"):
            self.query_one(f"#{button}", Button).label = say(f"result.{button}")

    def _points(self) -> Grid:
        outcome = self.sitting.outcome
        assert outcome is not None, "a result is shown when the game is over"
        say = self.preferences.say
        teller = self.preferences.teller(self.sitting.game, self.names, None)
        board = board_of(self.sitting.game)
        apart = "\n" if self.app.size.height >= TALL else f" {glyphs().dot} "
        grid = Grid(box=None, padding=(0, 2, 1, 0), expand=True)
        grid.add_column("")
        grid.add_column(say("result.name"))
        grid.add_column(say("result.points"), justify="right")
        grid.add_column(say("result.reckoning"), ratio=1)
        for seat in sorted(
            range(len(self.names)), key=lambda s: (s not in outcome.winners, -outcome.scores[s], s)
        ):
            won = seat in outcome.winners
            grid.add_row(
                Text(glyphs().winner if won else "", style="bold"),
                Text.assemble(seat_glyph(seat), " ", (self.names[seat], "bold" if won else "")),
                Text(points(outcome.scores[seat]), style="bold"),
                Text(apart.join(board.reckoning(outcome, seat, teller)), style="dim"),
            )
        return grid

    def on_button_pressed(self, message: Button.Pressed) -> None:
        """Play again, look at the table, or leave."""
        {"again": self.action_again, "back": self.action_back, "leave": self.action_leave}[
            str(message.button.id)
        ]()

    def action_again(self) -> None:
        """Another game."""
        self.again()

    def action_back(self) -> None:
        """Back to the table, to look at how it ended."""
        self.dismiss()

    def action_leave(self) -> None:
        """Leave the table."""
        self.leave()

    def action_language(self) -> None:
        """Go on to the next language."""
        self.preferences.next_language()
        self.redraw()
