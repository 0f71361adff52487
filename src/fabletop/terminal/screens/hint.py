"""The hint: the option that a strong player would choose, and the expected result of each."""

from collections.abc import Mapping
from typing import ClassVar

from rich.table import Table as Grid
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Static

from fabletop.bots.ismcts import Expectation, Ismcts, Thought
from fabletop.core.game import Choice, View
from fabletop.terminal.glyphs import glyphs
from fabletop.terminal.preferences import Preferences
from fabletop.terminal.thinking import Thinking

BAR = 10
"""Characters of a full bar."""


class Hint(ModalScreen[None]):
    """Covers the table while the adviser thinks and until a key is pressed. It sees what the reader sees."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,enter,h", "close", show=False)]
    DEFAULT_CSS = """
    Hint { align: center middle; }
    Hint VerticalScroll { width: 76; height: auto; max-height: 90%; background: $surface;
                          border: round $primary; padding: 0 2; }
    Hint #advice { text-style: bold; color: $accent; margin-bottom: 1; }
    """

    class Ready(Message):
        """The adviser has thought."""

        def __init__(self, thinking: Thinking[Thought]) -> None:
            super().__init__()
            self.thinking = thinking

    def __init__(
        self,
        preferences: Preferences,
        view: View,
        choice: Choice,
        adviser: Ismcts,
        labels: Mapping[int, Text | str],
    ) -> None:
        super().__init__()
        self.preferences, self.labels = preferences, labels
        self.thought: Thought | None = None
        self.thinking = Thinking(choice.seat, view, choice, adviser.think, adviser.stop, self._tell)

    def compose(self) -> ComposeResult:
        """One line of advice, and the options."""
        with VerticalScroll() as scroll:
            scroll.border_title = self.preferences.say("hint.title")
            scroll.border_subtitle = self.preferences.say("help.close")
            yield Static(self.preferences.say("hint.thinking"), id="advice", markup=False)
            yield Static(id="options")

    def on_mount(self) -> None:
        """Ask."""
        self.thinking.start()

    def _tell(self, thinking: Thinking[Thought]) -> None:
        self.post_message(self.Ready(thinking))

    def on_hint_ready(self, message: Ready) -> None:
        """Show what was found."""
        self.thought = message.thinking.answer
        if self.thought is not None:
            best = _plain(self.labels[self.thought.best])
            self.query_one("#advice", Static).update(self.preferences.say("hint.best", action=best))
            self.query_one("#options", Static).update(self._grid(self.thought))

    def _grid(self, thought: Thought) -> Grid:
        """The best option first, the others by what they promise."""
        say, lexicon = self.preferences.say, self.preferences.lexicon
        point = lexicon("common.number.point")
        grid = Grid(box=None, padding=(0, 1, 0, 0), expand=True)
        grid.add_column("")
        grid.add_column(say("hint.option"), ratio=1)
        grid.add_column(say("hint.victory"), justify="right", no_wrap=True)
        grid.add_column("", no_wrap=True)
        grid.add_column(say("hint.points"), justify="right", no_wrap=True)
        grid.add_column(say("hint.visits"), justify="right", no_wrap=True, style="dim")
        for option in shown(thought):
            best = option.action == thought.best
            share = lexicon("common.number.percent", number=f"{100 * option.victory:.0f}")
            points = f"{option.points:.1f}".replace(".", point) if option.visits else "?"
            grid.add_row(
                glyphs().now if best else "",
                Text(_plain(self.labels[option.action]), style="bold" if best else ""),
                share if option.visits else "?",
                Text("=" * round(BAR * option.victory), style="bold" if best else "dim"),
                points,
                str(option.visits),
            )
        return grid

    def action_close(self) -> None:
        """Back to the table."""
        self.thinking.drop()
        self.dismiss()

    def on_unmount(self) -> None:
        """Stop the thread of a closed panel."""
        self.thinking.drop()

    def on_click(self) -> None:
        """A click closes it too."""
        self.action_close()


def shown(thought: Thought) -> list[Expectation]:
    """The options as a person wants to read them."""
    best, *others = thought.options
    return [best, *sorted(others, key=lambda option: (-option.victory, -option.points))]


def _plain(label: Text | str) -> str:
    return label.plain if isinstance(label, Text) else label
