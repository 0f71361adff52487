"""The table: one sitting, the people at this screen and their bots; without people, bots to watch."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import OptionList, Static

from fabletop.core.game import Choice
from fabletop.core.sitting import Sitting
from fabletop.terminal.boards import Board, Look
from fabletop.terminal.glyphs import coloured, glyphs, seat_names
from fabletop.terminal.preferences import Preferences
from fabletop.terminal.saves import keep
from fabletop.terminal.screens.curtain import Curtain
from fabletop.terminal.screens.frame import Frame
from fabletop.terminal.screens.help import TABLE_KEYS, WATCH_KEYS, Help
from fabletop.terminal.screens.hint import Hint
from fabletop.terminal.screens.result import Result
from fabletop.terminal.seats import Seating, adviser_for, bot_in
from fabletop.terminal.thinking import Thinking
from fabletop.terminal.widgets.chooser import Chooser, Entry
from fabletop.terminal.widgets.keyline import KeyLine
from fabletop.terminal.widgets.log import GameLog, styled_lines

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""How much faster than usual bots can be watched."""


class Table(Frame):
    """A game being played. `go_on` finds out what comes next; everything else leads back to it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "undo", show=False),
        Binding("a", "auto_pass", show=False),
        Binding("h", "hint", show=False),
        Binding("space", "halt", show=False, priority=True),
        Binding("n,right", "step", show=False, priority=True),
        Binding("plus,equals_sign", "faster", show=False),
        Binding("minus", "slower", show=False),
        Binding("v", "next_view", show=False),
    ]

    class Answered(Message):
        """A bot has thought."""

        def __init__(self, thinking: Thinking[int]) -> None:
            super().__init__()
            self.thinking = thinking

    def __init__(
        self,
        sitting: Sitting,
        seating: Seating,
        preferences: Preferences,
        path: Path,
        leave: Callable[[str], None],
        again: Callable[[], None],
    ) -> None:
        super().__init__(sitting.game, seating.names, preferences)
        self.sitting = sitting
        self.seating = seating
        self.path = path
        self.leave = leave
        self.again = again
        self.next_person: int | None = None
        self.watched = not seating.people
        self.halted = False
        self.speed = SPEEDS.index(1.0)
        self._timer: Timer | None = None
        self._thinking: Thinking[int] | None = None
        self._drawn: Any = None
        self._asks = Text()
        if not seating.shares_screen and seating.people:
            self.reader = seating.people[0]

    # ---- what comes next --------------------------------------------------------------------

    def on_mount(self) -> None:
        """Begin, or go on where the game was left."""
        self.save()
        self.query_one(Chooser).focus()
        if self.seating.shares_screen:
            self._first_person()
        else:
            self.go_on()

    def _first_person(self) -> None:
        """Several people share the screen: it is hidden until the person who is asked has sat down."""
        asked = [seat for seat in self.sitting.pending if seat in self.seating.people]
        self.draw_curtain(asked[0] if asked else self.seating.people[0])

    def go_on(self) -> None:
        """Find out who is asked now; show it; let the bots think."""
        self._stop_timer()
        people, bots = self._asked()
        while bots and not self._pause() and not self.seating.bot(bots[0]).searches:
            bot = bot_in(self.sitting, self.seating, bots[0])
            self._bot_acts(bots[0], bot.choose(self.sitting.view(bots[0]), self.sitting.pending[bots[0]]))
            people, bots = self._asked()
        self.next_person = people[0] if people and self.reader not in people else None
        self.redraw()
        choice = self._own_choice()
        self._let_think(bots)
        if bots:
            return
        if choice is not None and self._is_lone_pass(choice) and self.preferences.auto_pass:
            self._later(self.preferences.pauses.lone_pass, self.act, choice.options[0])

    def _asked(self) -> tuple[list[int], list[int]]:
        """The people and the bots who have something to decide."""
        asked = list(self.sitting.pending)
        people = [seat for seat in asked if seat in self.seating.people]
        return people, [seat for seat in asked if seat not in people]

    def _own_choice(self) -> Choice | None:
        """What the reader is asked; a spectator who looks over a bot's shoulder is asked nothing."""
        if self.reader is None or self.reader not in self.seating.people:
            return None
        return self.sitting.pending.get(self.reader)

    def _pause(self) -> float:
        """How long the next bot takes at least."""
        pauses = self.preferences.pauses
        return (pauses.hidden if self.sitting.state.together else pauses.bot) / SPEEDS[self.speed]

    def _later(self, pause: float, do: Callable[[int], None], number: int) -> None:
        self._timer = self.set_timer(max(pause, 0.001), lambda: do(number))

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _is_lone_pass(self, choice: Choice) -> bool:
        return len(choice.options) == 1 and self.game.actions[choice.options[0]] == "pass"

    # ---- bots -------------------------------------------------------------------------------

    def _let_think(self, bots: list[int]) -> None:
        """Set the next bot thinking, unless one is about a question that still stands."""
        thinking = self._thinking
        if thinking is not None and (thinking.seat not in bots or not thinking.still_asked(self.sitting)):
            self._stop_thinking()
        if self._thinking is not None:
            self._when_ready()
        elif bots:
            seat = bots[0]
            bot = bot_in(self.sitting, self.seating, seat)
            view, choice = self.sitting.view(seat), self.sitting.pending[seat]
            self._thinking = Thinking(seat, view, choice, bot.choose, bot.stop, self._tell)
            self._thinking.start()

    def _tell(self, thinking: Thinking[int]) -> None:
        """Called in the bot's thread: hand the answer to the event loop."""
        self.post_message(self.Answered(thinking))

    def on_table_answered(self, message: Answered) -> None:
        """A bot knows what to do; it does so when its time has come."""
        if message.thinking is self._thinking:
            self._when_ready()

    def _when_ready(self) -> None:
        """The bot acts when it has thought and enough time has gone by, and not while the game is halted."""
        thinking = self._thinking
        if thinking is not None and thinking.answer is not None and not self.halted:
            self._stop_timer()
            self._later(self._pause() - thinking.spent(), self._bot_turn, thinking.seat)

    def _bot_turn(self, seat: int) -> None:
        thinking, self._thinking = self._thinking, None
        if thinking is not None and thinking.answer is not None:
            self._bot_acts(seat, thinking.answer)
        self.go_on()

    def _stop_thinking(self) -> None:
        if self._thinking is not None:
            self._thinking.drop()
            self._thinking = None

    def on_unmount(self) -> None:
        """Stop the thread of a closed table."""
        self._stop_thinking()

    def _bot_acts(self, seat: int, action: int) -> None:
        self.sitting.act(seat, action)
        if self.sitting.outcome is not None:
            self.save()

    def act(self, action: int) -> None:
        """The reader answers."""
        if self._own_choice() is None or self.reader is None:
            return  # a second click on an answered question
        if action not in self.sitting.state.legal(self.reader):
            return
        self.notice("")
        self.sitting.act(self.reader, action)
        self.save()
        self.go_on()

    # ---- people at one screen ---------------------------------------------------------------

    def hand_over(self) -> None:
        """The reader has seen enough: the next person comes."""
        if self.next_person is not None:
            self.draw_curtain(self.next_person)

    def draw_curtain(self, seat: int) -> None:
        """Hide everything until this person has sat down."""
        self.notice("")
        self.detail(Text())
        self.app.push_screen(Curtain(self.preferences, self.names, seat), lambda _: self._sit_down(seat))

    def _sit_down(self, seat: int) -> None:
        self.reader = seat
        self._drawn = None
        self.go_on()

    # ---- drawing ----------------------------------------------------------------------------

    def redraw(self) -> None:
        """Draw the board, the log and what may be done, as the reader may see them."""
        if self.seating.shares_screen and self.reader is None:
            return
        pending = self.sitting.pending
        choice = self._own_choice()
        look = self.look_at(self.sitting.view(self.reader), choice)
        drawn = (
            look.view,
            choice,
            self.preferences.lang,
            look.width,
            look.tall,
            self.next_person,
            self.reader,
        )
        self._draw_title(list(pending), look)
        if drawn == self._drawn:
            return
        self._draw_keys()
        self._drawn = drawn
        self.board.show(look)
        self.query_one(GameLog).tell(
            styled_lines(self.sitting.events(self.reader), look.teller, self.names, self.board.HEADINGS)
        )
        self._draw_choice(choice)

    def _draw_title(self, asked: list[int], look: Look) -> None:
        others = [seat_names(self.names)[seat] for seat in asked if seat != self.reader]
        title = self.board.title(look)
        waiting = self.preferences.say("table.waiting", seats=look.teller.join(others)) if others else ""
        if len(others) == 1 and others[0] in title:
            waiting = ""  # the board says already whose turn it is
        self.write_title(self.preferences.game_name(self.game.id), title, waiting, self._watch_words())

    def _watch_words(self) -> str:
        """How the game is watched: the viewpoint and the speed."""
        if not self.watched:
            return ""
        say = self.preferences.say
        eyes = "" if self.reader is None else say("replay.eyes", name=seat_names(self.names)[self.reader])
        speed = say("watch.halted") if self.halted else f"{glyphs().times}{SPEEDS[self.speed]:g}"
        return f" {glyphs().dot} ".join(word for word in (eyes, speed) if word)

    def _draw_keys(self) -> None:
        say = self.preferences.say
        if self.watched:
            self.query_one(KeyLine).name_keys(
                [
                    ("?", say("key.help"), "help"),
                    (say("key.space"), say("key.go" if self.halted else "key.halt"), "halt"),
                    ("n", say("key.step"), "step"),
                    ("+", "", "faster"),
                    ("-", say("key.speed"), "slower"),
                    ("v", say("key.eyes"), "next_view"),
                    *([("l", say("key.language"), "language")] if self.has_class("-wide") else []),
                    ("q", say("key.quit"), "leave"),
                ]
            )
            return
        switch = "on" if self.preferences.auto_pass else "off"
        self.query_one(KeyLine).name_keys(
            [
                ("?", say("key.help"), "help"),
                ("h", say("key.hint"), "hint"),
                ("u", say("key.undo"), "undo"),
                ("Tab", say("key.focus"), "next_part"),
                ("a", say("key.auto_pass", state=say(f"state.{switch}")), "auto_pass"),
                *(
                    [("l", say("key.language"), "language")] if self.has_class("-wide") else []
                ),  # else in the help
                ("q", say("key.quit"), "leave"),
            ]
        )

    def _draw_choice(self, choice: Choice | None) -> None:
        entries, asks = self._entries(choice)
        if asks != self._asks:
            self._asks = asks
            self.query_one("#question", Static).update(asks)
        self.query_one(Chooser).offer(entries)
        if not entries:
            self.detail(Text(self.preferences.say("table.look"), style="dim"))

    def _entries(self, choice: Choice | None) -> tuple[list[Entry], Text]:
        """What may be done now, and the question it answers."""
        say, teller = self.preferences.say, self.board.look.teller
        if choice is not None:
            texts = self.game.actions
            entries = [
                Entry(self.board.label(action), partial(self.act, action), action, texts[action])
                for action in self.board.order()
            ]
            return entries, coloured(f"{glyphs().now} {self.board.question(choice)}", self.names)
        if self.sitting.outcome is not None:
            return [Entry(say("table.result"), self.show_result)], Text(say("table.over"))
        if self.next_person is not None:
            name = teller.names[self.next_person]
            return [Entry(say("table.hand_over", name=name), self.hand_over)], coloured(
                say("table.next", name=name), self.names
            )
        return [], Text(say("watch.wait" if self.watched else "table.wait"), style="dim")

    # ---- looking and choosing ---------------------------------------------------------------

    def on_option_list_option_highlighted(self, message: OptionList.OptionHighlighted) -> None:
        """Mirror the highlighted option on the board and say what it is about."""
        entry = self.query_one(Chooser).current
        action = entry.action if entry is not None else None
        choice = self.board.look.choice
        if action is None or choice is None or action not in choice.options:
            self.board.aim(None)
            return
        self.board.aim(action)
        self.detail(self.board.explain(action))

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """Do what was selected in the list."""
        self.query_one(Chooser).take(message.option_index)

    def on_board_chosen(self, message: Board.Chosen) -> None:
        """Do what was selected on the board."""
        self.act(message.action)

    def on_board_tried(self, message: Board.Tried) -> None:
        """Say why that cannot be chosen."""
        self.notice(message.why)

    def on_board_aimed(self, message: Board.Aimed) -> None:
        """The Thing has several options: go on in the list."""
        chooser = self.query_one(Chooser)
        chooser.point_at(message.action)
        chooser.focus()

    def on_key(self, event: events.Key) -> None:
        """Shortcuts of the options."""
        if event.character and self.query_one(Chooser).take_key(event.character):
            event.stop()

    # ---- watching, hints --------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys for watching are no keys where there are people: there they choose options."""
        if action in ("halt", "step", "faster", "slower", "next_view"):
            return self.watched and self.sitting.outcome is None
        return True

    def action_halt(self) -> None:
        """Halt the bots, or let them go on."""
        self.halted = not self.halted
        self._stop_timer()
        self._show_pace()
        self._when_ready()

    def action_step(self) -> None:
        """One action, and halt."""
        self.halted = True
        self._stop_timer()
        self._show_pace()
        if self._thinking is not None and self._thinking.answer is not None:
            self._bot_turn(self._thinking.seat)

    def action_faster(self) -> None:
        """Shorter pauses."""
        self._change_speed(1)

    def action_slower(self) -> None:
        """Longer pauses."""
        self._change_speed(-1)

    def _change_speed(self, step: int) -> None:
        self.speed = max(0, min(len(SPEEDS) - 1, self.speed + step))
        self._show_pace()
        self._when_ready()

    def action_next_view(self) -> None:
        """See the game with the next pair of eyes."""
        eyes: list[int | None] = [None, *range(len(self.names))]
        self.reader = eyes[(eyes.index(self.reader) + 1) % len(eyes)]
        self.redraw()

    def _show_pace(self) -> None:
        self._draw_keys()
        self._draw_title(list(self.sitting.pending), self.board.look)

    def action_hint(self) -> None:
        """The option that a strong player would choose, and the expected result of each."""
        choice = self._own_choice()
        if choice is None or self.reader is None:
            self.notice(self.preferences.say("hint.not_now"))
            return
        asked = adviser_for(self.sitting, self.seating, self.reader)
        labels = {action: self.board.label(action) for action in choice.options}
        self.app.push_screen(Hint(self.preferences, self.sitting.view(self.reader), choice, asked, labels))

    # ---- undo, saving, leaving --------------------------------------------------------------

    def action_undo(self) -> None:
        """Take back the reader's last action, or say why not."""
        if self.reader is None or self.reader not in self.seating.people:
            return
        barrier = self.sitting.undo_barrier(self.reader)
        if barrier is not None:
            self.notice(self.preferences.say("undo.barred", why=self.preferences.say(f"undo.{barrier}")))
            return
        taken = self.sitting.undo(self.reader)
        self.save()
        self.go_on()
        label = self.board.label(taken)
        self.notice(self.preferences.say("undo.done", action=label))

    def action_auto_pass(self) -> None:
        """Switch automatic answering of a lone pass on or off."""
        self.preferences.auto_pass = not self.preferences.auto_pass
        self._draw_keys()
        self.go_on()

    def action_help(self) -> None:
        """Explain keys and signs."""
        self.app.push_screen(Help(self.preferences, self.board, WATCH_KEYS if self.watched else TABLE_KEYS))

    def save(self) -> None:
        """Save the game; an error is shown, and the game continues."""
        try:
            keep(self.sitting, self.seating, self.preferences.lang, self.path)
        except OSError as error:
            self.notice(self.preferences.say("save.failed", path=self.path, why=error.strerror or str(error)))

    def action_leave(self) -> None:
        """Save, and say where."""
        self._stop_timer()
        self._stop_thinking()
        try:
            keep(self.sitting, self.seating, self.preferences.lang, self.path)
        except OSError as error:
            self.leave(self.preferences.say("save.failed", path=self.path, why=error.strerror or str(error)))
            return
        key = "save.over" if self.sitting.outcome is not None else "save.done"
        self.leave(self.preferences.say(key, path=self.path))

    def show_result(self) -> None:
        """The points, and how they came about."""
        screen: Screen[None] = Result(
            self.sitting, self.names, self.preferences, self.action_leave, self.again
        )
        self.app.push_screen(screen)
