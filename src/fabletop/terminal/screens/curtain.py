"""The curtain between two people at one screen: nothing of either's view is on it."""

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from fabletop.terminal.glyphs import SEAT_COLOURS, seat_names
from fabletop.terminal.preferences import Preferences


class Curtain(Screen[None]):
    """Waits until the next person has sat down and presses a key."""

    DEFAULT_CSS = """
    Curtain { align: center middle; background: $surface; }
    Curtain Static { width: 100%; height: auto; text-align: center; }
    """

    def __init__(self, preferences: Preferences, names: tuple[str, ...], seat: int) -> None:
        super().__init__()
        self.preferences, self.names, self.seat = preferences, names, seat

    def compose(self) -> ComposeResult:
        """Whose turn it is to look."""
        name = Text(seat_names(self.names)[self.seat], style=f"bold {SEAT_COLOURS[self.seat]}")
        press = self.preferences.say("curtain.press", name=self.names[self.seat])
        yield Static(Text("\n\n").join([name, Text(press)]))

    def on_key(self, event: events.Key) -> None:
        """Enter or Space opens; other keys, pressed by the person who leaves, do not."""
        if event.key in ("enter", "space"):
            event.stop()
            self.dismiss()

    def on_click(self) -> None:
        """A click opens too."""
        self.dismiss()
