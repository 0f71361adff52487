"""The replay: a record step by step, forwards and backwards, from any seat's viewpoint."""

from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from fabletop.core.records import Record
from fabletop.core.replay import ReplayCursor
from fabletop.games import game_of
from fabletop.terminal.glyphs import coloured, glyphs, seat_names
from fabletop.terminal.preferences import Preferences
from fabletop.terminal.screens.frame import Frame
from fabletop.terminal.screens.help import REPLAY_KEYS, Help
from fabletop.terminal.seats import seating_of
from fabletop.terminal.widgets.chooser import Chooser
from fabletop.terminal.widgets.keyline import KeyLine
from fabletop.terminal.widgets.log import GameLog, styled_lines


class Replay(Frame):
    """Steps through a record. What is hidden from the viewpoint stays hidden."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space", "forward", show=False, priority=True),
        Binding("left,backspace", "back", show=False, priority=True),
        Binding("pagedown", "turn_forward", show=False, priority=True),
        Binding("pageup", "turn_back", show=False, priority=True),
        Binding("home", "to_start", show=False, priority=True),
        Binding("end", "to_end", show=False, priority=True),
        Binding("s", "spectate", show=False),
        Binding("escape", "leave", show=False),
    ]
    DEFAULT_CSS = """
    Replay #doing { padding: 0 0; }
    Replay Chooser { display: none; }
    Replay #fresh { padding: 0 1; height: auto; }
    """

    def __init__(self, record: Record, seat: int | None, preferences: Preferences) -> None:
        game = game_of(record)
        seats = int(game.options(record.options)["seats"])
        super().__init__(game, seating_of(record.names, seats, record.about).names, preferences)
        self.reader = seat
        self.cursor = ReplayCursor(game, record, self.board.HEADINGS)

    def compose(self) -> ComposeResult:
        """The frame, with what has just happened in place of the choices."""
        yield from super().compose()

    def on_mount(self) -> None:
        """Show the beginning."""
        self.query_one("#doing").mount(Static(id="fresh", markup=False))
        self.query_one(Chooser).can_focus = False
        self.call_after_refresh(self.redraw)
        self.board.focus()

    def redraw(self) -> None:
        """Draw the table as the viewer saw it at this place."""
        if not self.query("#fresh"):
            return
        cursor, say = self.cursor, self.preferences.say
        sitting = cursor.go(cursor.place)
        look = self.look_at(sitting.view(self.reader), None)
        self.board.show(look)
        story = sitting.events(self.reader)
        lines = styled_lines(story, look.teller, self.names, self.board.HEADINGS)
        self.query_one(GameLog).tell(lines)
        before = styled_lines(
            self.game.events.story(sitting.rows[: cursor.told_before], self.reader),
            look.teller,
            self.names,
            self.board.HEADINGS,
        )
        eyes = say("replay.spectator") if self.reader is None else seat_names(self.names)[self.reader]
        place = say("replay.place", place=cursor.place, length=cursor.length)
        self.write_title(
            self.preferences.game_name(self.game.id),
            self.board.title(look),
            say("replay.eyes", name=eyes),
        )
        self.query_one("#question", Static).update(self._doing(place))
        fresh = lines[len(before) :] if cursor.place else []
        self.query_one("#fresh", Static).update(Text("\n").join(fresh))
        self._draw_keys()

    def _doing(self, place: str) -> Text:
        """The place, and the seat that has just acted; only its own viewpoint shows what it chose."""
        if not self.cursor.place:
            return Text(place)
        seat, text = self.cursor.record.actions[self.cursor.place - 1]
        line = f"{place} {glyphs().dot} {seat_names(self.names)[seat]}"
        if seat == self.reader:
            line += f": {self.board.label(self.game.parse(text))}"
        return coloured(line, self.names)

    def _draw_keys(self) -> None:
        say, signs = self.preferences.say, glyphs()
        self.query_one(KeyLine).name_keys(
            [
                (signs.left, say("key.back"), "back"),
                (signs.right, say("key.forward"), "forward"),
                ("PgUp/PgDn", say("key.turn"), "turn_forward"),
                (f"0-{len(self.names) - 1} s", say("key.eyes"), "next_view"),
                ("?", say("key.help"), "help"),
                ("l", say("key.language"), "language"),
                ("q", say("key.leave"), "leave"),
            ]
        )

    # ---- moving -----------------------------------------------------------------------------

    def _go(self, place: int) -> None:
        self.cursor.go(place)
        self.redraw()

    def action_forward(self) -> None:
        """One action on."""
        self._go(self.cursor.place + 1)

    def action_back(self) -> None:
        """One action back."""
        self._go(self.cursor.place - 1)

    def action_turn_forward(self) -> None:
        """To the next turn."""
        self._go(self.cursor.turn_after())

    def action_turn_back(self) -> None:
        """To the beginning of this turn, or of the one before."""
        self._go(self.cursor.turn_before())

    def action_to_start(self) -> None:
        """Before the first action."""
        self._go(0)

    def action_to_end(self) -> None:
        """After the last action."""
        self._go(self.cursor.length)

    def see_as(self, viewer: int | None) -> None:
        """See it with the eyes of a seat, or of a spectator."""
        self.reader = viewer
        self.redraw()

    def action_spectate(self) -> None:
        """See it with the eyes of a spectator."""
        self.see_as(None)

    def action_next_view(self) -> None:
        """See it with the next pair of eyes."""
        eyes: list[int | None] = [None, *range(len(self.names))]
        self.see_as(eyes[(eyes.index(self.reader) + 1) % len(eyes)])

    def on_key(self, event: events.Key) -> None:
        """A digit is a seat."""
        if event.character and event.character.isdigit() and int(event.character) < len(self.names):
            event.stop()
            self.see_as(int(event.character))

    def action_help(self) -> None:
        """Explain keys and signs."""
        self.app.push_screen(Help(self.preferences, self.board, REPLAY_KEYS))

    def action_leave(self) -> None:
        """Leave."""
        self.app.exit()
