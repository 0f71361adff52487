"""The terminal application: it opens the screens and says goodbye."""

from pathlib import Path
from typing import Any, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from fabletop.core.errors import FabletopError
from fabletop.core.game import Game
from fabletop.core.records import Record
from fabletop.core.sitting import Sitting
from fabletop.core.sitting import replay as replayed
from fabletop.games import game_of
from fabletop.terminal.glyphs import FOREST_NIGHT
from fabletop.terminal.preferences import Preferences
from fabletop.terminal.saves import fresh_path, unfinished
from fabletop.terminal.screens.replay import Replay
from fabletop.terminal.screens.start import Start
from fabletop.terminal.screens.table import Table
from fabletop.terminal.seats import Seating, seating_of


class FabletopApp(App[str]):
    """A table in the terminal. It returns the message to print after the screen is closed."""

    TITLE = "Fabletop"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    * { scrollbar-background: $background; scrollbar-background-hover: $background;
        scrollbar-background-active: $background; scrollbar-color: $panel; scrollbar-color-hover: $secondary;
        scrollbar-color-active: $primary; scrollbar-size-vertical: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c,ctrl+q", "quit", show=False)]

    def __init__(self, preferences: Preferences) -> None:
        super().__init__()
        self.preferences = preferences
        self.first: Any = None

    def on_mount(self) -> None:
        """Set the theme and open the first screen."""
        self.register_theme(FOREST_NIGHT)
        self.theme = FOREST_NIGHT.name
        if self.first is None:
            self.ask()
        else:
            self.push_screen(self.first)

    # ---- ways to begin ----------------------------------------------------------------------

    def ask(self, game: str | None = None) -> None:
        """Open the start screen."""
        screen = Start(self.preferences, self.begin, self.go_on, unfinished(), game)
        self.push_screen(screen)

    def begin(self, game: Game, options: dict[str, Any], seating: Seating, seed: str | None) -> None:
        """Open a table for a new game."""
        self.switch_screen(self.table(game, options, seating, seed))

    def table(self, game: Game, options: dict[str, Any], seating: Seating, seed: str | None) -> Table:
        """A table for a new game."""
        sitting = Sitting(game, options, seed=seed, names=seating.names)
        return self._table(sitting, seating, fresh_path(game.id))

    def go_on(self, path: Path, record: Record) -> None:
        """Open a saved game; if that fails, the start screen says why."""
        try:
            table = self.saved_table(path, record)
        except FabletopError as error:
            if isinstance(self.screen, Start):
                self.screen.problem(str(error))
            return
        self.switch_screen(table)

    def saved_table(self, path: Path, record: Record) -> Table:
        """A table for a saved game, as it was left."""
        sitting = replayed(game_of(record), record)
        seating = seating_of(record.names, sitting.state.seats, record.about)
        sitting.names = seating.names
        return self._table(sitting, seating, path)

    def _table(self, sitting: Sitting, seating: Seating, path: Path) -> Table:
        return Table(
            sitting, seating, self.preferences, path, self.say_goodbye, lambda: self._again(sitting.game.id)
        )

    def replay(self, record: Record, seat: int | None) -> Replay:
        """A screen that steps through a record."""
        return Replay(record, seat, self.preferences)

    def _again(self, game: str) -> None:
        """Clear the table and ask for another game."""
        while len(self.screen_stack) > 2:
            self.pop_screen()
        self.switch_screen(Start(self.preferences, self.begin, self.go_on, unfinished(), game))

    # ---- leaving ----------------------------------------------------------------------------

    def say_goodbye(self, words: str) -> None:
        """Leave; the words are printed when the screen is gone."""
        self.exit(words)

    async def action_quit(self) -> None:
        """Leave from wherever we are; a game on the table is saved first."""
        for screen in reversed(self.screen_stack):
            if isinstance(screen, Table):
                screen.action_leave()
                return
        self.exit()
