"""The start screen: choose the game, the seats and the settings, or resume a saved game."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, ItemGrid, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Button, Checkbox, Input, Label, OptionList, Select, Static
from textual.widgets.option_list import Option

from fabletop.bots.levels import LEVELS
from fabletop.core.errors import FabletopError
from fabletop.core.game import Game, Setting, offered
from fabletop.core.records import Record
from fabletop.games import GAMES
from fabletop.lang import LANGUAGES, Lexicon
from fabletop.terminal.glyphs import seat_glyph
from fabletop.terminal.new_game import BIRTHDAYS, NewGame, setting_word
from fabletop.terminal.preferences import Preferences
from fabletop.terminal.screens.frame import TALL, WIDE
from fabletop.terminal.seats import Seating
from fabletop.terminal.widgets.keyline import KeyLine
from fabletop.terminal.widgets.tick import Tick

Begin = Callable[[Game, dict[str, Any], Seating, str | None], None]
GoOn = Callable[[Path, Record], None]

THINKING = (200, 500, 1000, 3000, 10_000)
"""Thinking times in milliseconds that can replace those of the levels."""


class Start(Screen[None]):
    """A form built from the settings of the game. A change of game or language rebuilds it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f5", "begin", show=False),
        Binding("f2", "language", show=False),
        Binding("escape", "leave", show=False),
        Binding("q", "leave", show=False),
        Binding("c", "go_on", show=False),
        Binding("s", "begin", show=False),
    ]
    DEFAULT_CSS = """
    Start { background: $background; }
    Start #banner { dock: top; height: 2; background: $panel; padding: 0 2; text-align: center; width: 100%;
                    text-wrap: nowrap; text-overflow: ellipsis; }
    Start VerticalScroll { padding: 1 2 0 2; scrollbar-size-vertical: 1; }
    Start .row { height: 1; }
    Start .row Label { width: 16; text-align: right; padding: 0 2 0 0; color: $foreground 80%; }
    Start Select { width: 30; }
    Start Select > SelectOverlay { max-height: 10; }
    Start Input { width: 30; }
    Start Input.name { width: 16; margin-right: 2; }
    Start Select.level { width: 20; margin-left: 2; }
    Start Input.birthday { width: 12; margin-left: 2; }
    Start .some { height: auto; margin: 0 0 0 16; }
    Start .help { color: $foreground 60%; padding-left: 2; width: 1fr; display: none; }
    Start.-wide .help { display: block; }
    Start.-tall .row { margin-bottom: 1; }
    Start.-tall .seat { margin-bottom: 0; }
    Start.-tall .last { margin-bottom: 1; }
    Start #saved-row { height: auto; max-height: 3; margin-bottom: 1; }
    Start #saved { height: auto; max-height: 3; border: none; padding: 0; width: 1fr; background: transparent;
                   scrollbar-size-vertical: 1; }
    Start #foot { dock: bottom; height: auto; margin-bottom: 1; padding: 0 2; }
    Start #problem { color: $error; text-style: bold; padding: 0 0 0 16; height: auto; width: 1fr; }
    Start #buttons { height: 1; padding-left: 16; margin: 1 0; }
    Start #buttons Button { margin-right: 2; min-width: 16; }
    """

    def __init__(
        self,
        preferences: Preferences,
        begin: Begin,
        go_on: GoOn,
        saved: list[tuple[Path, Record]],
        game: str | None = None,
        people: int = 1,
    ) -> None:
        super().__init__()
        self.preferences, self._begin, self._go_on = preferences, begin, go_on
        self.saved = saved
        self.new_game = default_game(game or next(iter(GAMES)))
        self.new_game.people = [seat < people for seat in range(len(self.new_game.people))]

    # ---- the form ---------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Banner, saved games, form, buttons."""
        say, lexicon, new_game = self.preferences.say, self.preferences.lexicon, self.new_game
        name = self.preferences.game_name(new_game.game)
        banner = Text.assemble(
            (f"Fabletop · {name}", "bold"), "\n", (self.preferences.game_line(new_game.game), "dim italic")
        )
        yield Static(banner, id="banner")
        with VerticalScroll(can_focus=False):
            if self.saved:
                with Horizontal(id="saved-row", classes="row"):
                    yield Label(say("start.saved"), markup=False)
                    yield OptionList(
                        *(Option(self._saved_line(r)) for _, r in self.saved), id="saved", markup=False
                    )
            with Horizontal(classes="row"):
                yield Label(say("start.game"), markup=False)
                yield _select([(self.preferences.game_name(g), g) for g in GAMES], new_game.game, "game")
            with Horizontal(classes="row"):
                yield Label(say("start.language"), markup=False)
                yield _select(
                    [(shown, code) for code, shown in LANGUAGES.items()], self.preferences.lang, "language"
                )
            with Horizontal(classes="row"):
                yield Label(say("start.seats"), markup=False)
                yield _select(
                    [(str(n), n) for n in GAMES[new_game.game].seat_counts], new_game.seats, "seats"
                )
            for seat in range(GAMES[new_game.game].seat_counts[-1]):
                yield from self._seat_row(seat)
            for setting in offered(GAMES[new_game.game].settings):
                yield from self._setting_row(setting, lexicon)
            with Horizontal(classes="row"):
                yield Label(say("start.seed"), markup=False)
                yield Input(new_game.seed, placeholder=say("start.seed_none"), id="seed", compact=True)
                yield Static(say("start.seed_help"), classes="help", markup=False)
            with Horizontal(classes="row"):
                yield Label(say("start.thinking"), markup=False)
                times: list[tuple[str, Any]] = [(say("start.thinking_own"), 0)]
                times += [(say("start.seconds", count=f"{ms / 1000:g}"), ms) for ms in THINKING]
                yield _select(times, int(new_game.milliseconds or 0), "thinking")
                yield Static(say("start.thinking_help"), classes="help", markup=False)
        with Vertical(id="foot"):
            yield Static(id="problem", markup=False)
            with Horizontal(id="buttons"):
                yield Button(say("start.begin"), id="begin", variant="primary", compact=True)
                if self.saved:
                    yield Button(say("start.go_on"), id="go_on", compact=True)
        yield KeyLine()

    def _seat_row(self, seat: int) -> Iterator[Widget]:
        say, lexicon, new_game = self.preferences.say, self.preferences.lexicon, self.new_game
        mark = Text.assemble(say("start.seat", number=seat + 1), " ", seat_glyph(seat))
        row = Horizontal(
            Label(mark),
            Input(new_game.names[seat], max_length=16, id=f"name-{seat}", classes="name", compact=True),
            Tick(say("start.person"), new_game.people[seat], id=f"person-{seat}"),
            _level_select(lexicon, new_game.levels[seat], seat),
            Input(
                new_game.birthdays[seat],
                placeholder=say("start.birthday"),
                id=f"birthday-{seat}",
                classes="birthday",
                compact=True,
            ),
            id=f"seat-{seat}",
            classes="row seat",
        )
        yield row

    def _setting_row(self, setting: Setting, lexicon: Any) -> Iterator[Widget]:
        """A setting as a control of its kind."""
        game, value = self.new_game.game, self.new_game.values.get(setting.name, setting.default)

        def word(part: str) -> str:
            return setting_word(lexicon, game, setting, part)

        control: list[Widget] = []
        if setting.kind == "one":
            control = [_select([(word(v), v) for v in setting.values], value, f"set-{setting.name}")]
        elif setting.kind == "number":
            numbers = [(str(n), n) for n in range(setting.low, setting.high + 1)]
            control = [_select(numbers, value, f"set-{setting.name}")]
        elif setting.kind == "yes":
            control = [Tick("", bool(value), id=f"set-{setting.name}")]
        elif setting.kind == "some":
            own = isinstance(value, list)
            ways = [(word(str(setting.default)), False), (self.preferences.say("start.choose"), True)]
            chosen = value if own else []
            ticks = [Tick(word(v), v in chosen, id=f"some-{setting.name}-{v}") for v in setting.values]
            some = ItemGrid(*ticks, id=f"set-{setting.name}", classes="some", min_column_width=18)
            some.display = own
            yield self._row(word, [_select(ways, own, f"way-{setting.name}")])
            yield some
            return
        elif setting.kind == "first":
            ways_first: list[tuple[str, Any]] = [(word(str(setting.default)), setting.default)]
            ways_first += [(self.new_game.names[s], s) for s in range(self.new_game.seats)]
            ways_first.append((word(BIRTHDAYS), BIRTHDAYS))
            if isinstance(value, int) and value >= self.new_game.seats:
                value = setting.default
            control = [_select(ways_first, value, f"set-{setting.name}")]
        yield self._row(word, control)

    def _row(self, word: Callable[[str], str], control: list[Widget]) -> Widget:
        return Horizontal(
            Label(word("name"), markup=False),
            *control,
            Static(word("help"), classes="help", markup=False),
            classes="row",
        )

    def _saved_line(self, record: Record) -> str:
        people = ", ".join(record.names)
        return self.preferences.say(
            "start.saved_line",
            game=self.preferences.game_name(record.game),
            names=people,
            count=len(record.actions),
        )

    def on_mount(self) -> None:
        """Ready to play with one key."""
        self._show_seats()
        say = self.preferences.say
        keys = [("Tab", say("key.next"), "focus_next"), ("F5", say("key.begin"), "begin")]
        if self.saved:
            keys.append(("c", say("key.go_on"), "go_on"))
        keys += [("F2", say("key.language"), "language"), ("Esc", say("key.quit"), "leave")]
        self.query_one(KeyLine).name_keys(keys)
        self.query_one("#begin", Button).focus()

    def on_resize(self) -> None:
        """Where there is room, every setting says what it means."""
        self.set_class(self.size.width >= WIDE, "-wide")
        self.set_class(self.size.height >= TALL, "-tall")
        self._show_seats()

    def _show_seats(self) -> None:
        """Rows for the seats there are, with birthdays where those decide who begins."""
        ask = BIRTHDAYS in self.new_game.values.values()
        for seat in range(GAMES[self.new_game.game].seat_counts[-1]):
            row = self.query_one(f"#seat-{seat}")
            row.display = seat < self.new_game.seats
            row.set_class(seat == self.new_game.seats - 1, "last")
            self.query_one(f"#birthday-{seat}").display = ask
            level = self.query_one(f"#level-{seat}")
            level.display = not self.new_game.people[seat] and (not ask or self.size.width >= WIDE)

    async def _rebuild(self) -> None:
        self.problem("")
        await self.recompose()
        self.on_mount()

    # ---- reading the form -------------------------------------------------------------------

    @on(Select.Changed, "#game")
    async def game_changed(self, message: Select.Changed) -> None:
        """Another game has other settings."""
        if message.value != self.new_game.game:
            old, self.new_game = self.new_game, default_game(str(message.value))
            self.new_game.names, self.new_game.people, self.new_game.seed = old.names, old.people, old.seed
            self.new_game.levels, self.new_game.milliseconds = old.levels, old.milliseconds
            await self._rebuild()

    @on(Select.Changed, "#language")
    async def language_changed(self, message: Select.Changed) -> None:
        """Everything in another language."""
        if message.value != self.preferences.lang:
            self.preferences.lang = str(message.value)
            await self._rebuild()

    @on(Select.Changed, "#seats")
    async def seats_changed(self, message: Select.Changed) -> None:
        """More seats, or fewer; the choices for the first seat change with them."""
        if message.value != self.new_game.seats:
            assert isinstance(message.value, int), "the values of this control are numbers"
            self.new_game.seats = message.value
            await self._rebuild()

    @on(Select.Changed)
    def setting_changed(self, message: Select.Changed) -> None:
        """A setting, or the way to choose some."""
        kind, _, name = str(message.select.id).partition("-")
        if kind == "level":
            self.new_game.levels[int(name)] = str(message.value)
            level = self.preferences.lexicon(f"common.level.{message.value}.text")
            message.select.tooltip = level
        elif kind == "thinking":
            self.new_game.milliseconds = float(message.value) if message.value in THINKING else None
        elif kind == "set":
            self.new_game.values[name] = message.value
            self._show_seats()
        elif kind == "way":
            some = self.query_one(f"#set-{name}")
            some.display = bool(message.value)
            self.new_game.values[name] = self._ticked(name) if message.value else self._default(name)
            if message.value:
                some.query(Tick).first().focus()

    def _default(self, name: str) -> Any:
        return next(s.default for s in GAMES[self.new_game.game].settings if s.name == name)

    def _ticked(self, name: str) -> list[str]:
        ticks = self.query_one(f"#set-{name}").query(Tick)
        return [str(tick.id).removeprefix(f"some-{name}-") for tick in ticks if tick.value]

    @on(Checkbox.Changed)
    def ticked(self, message: Checkbox.Changed) -> None:
        """A person at this screen, some of many, or a setting that is on or off."""
        self.problem("")
        kind, name, *_ = str(message.checkbox.id).split("-")
        if kind == "person":
            self.new_game.people[int(name)] = message.value
            self._show_seats()
        elif kind == "some":
            self.new_game.values[name] = self._ticked(name)
        else:
            self.new_game.values[name] = message.value

    @on(Input.Changed)
    def typed(self, message: Input.Changed) -> None:
        """Names, birthdays, the seed."""
        kind, _, number = str(message.input.id).partition("-")
        if kind == "seed":
            self.new_game.seed = message.value
        else:
            (self.new_game.names if kind == "name" else self.new_game.birthdays)[int(number)] = message.value

    # ---- doing ------------------------------------------------------------------------------

    def problem(self, text: str) -> None:
        """Say in place what is wrong."""
        self.query_one("#problem", Static).update(text)

    @on(Button.Pressed, "#begin")
    def action_begin(self) -> None:
        """Begin with what is filled in, or say what is wrong with it."""
        game = GAMES[self.new_game.game]
        try:
            seating = self.new_game.seating(self.preferences.say)
            options = self.new_game.options(game, self.preferences.say)
        except FabletopError as error:
            self.problem(str(error))
            return
        self._begin(game, options, seating, self.new_game.seed.strip() or None)

    @on(Button.Pressed, "#go_on")
    def action_go_on(self) -> None:
        """Resume the newest saved game."""
        if self.saved:
            self._go_on(*self.saved[0])

    @on(OptionList.OptionSelected, "#saved")
    def saved_chosen(self, message: OptionList.OptionSelected) -> None:
        """Resume this saved game."""
        self._go_on(*self.saved[message.option_index])

    async def action_language(self) -> None:
        """Switch to the next language."""
        self.preferences.next_language()
        await self._rebuild()

    def action_focus_next(self) -> None:
        """To the next field."""
        self.focus_next()

    def action_leave(self) -> None:
        """Leave without a game."""
        self.app.exit()


def default_game(game: str) -> NewGame:
    """A new game with the default settings."""
    return NewGame(game, int(GAMES[game].options({})["seats"]))


def _level_select(lexicon: Lexicon, level: str, seat: int) -> Select[Any]:
    select = _select(
        [(lexicon(f"common.level.{name}.name"), name) for name in LEVELS], level, f"level-{seat}"
    )
    select.add_class("level")
    select.tooltip = lexicon(f"common.level.{level}.text")
    return select


def _select(options: list[tuple[str, Any]], value: Any, name: str) -> Select[Any]:
    return Select(options, value=value, allow_blank=False, id=name, compact=True)
