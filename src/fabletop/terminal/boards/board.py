"""The base of all boards: Things that can be looked at and chosen, and the cursor that moves over them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.geometry import Offset
from textual.message import Message
from textual.widgets import Static

from fabletop.core.game import ANYTHING_ELSE, Choice, Outcome, View
from fabletop.games import action_numbers
from fabletop.lang.lines import Teller
from fabletop.lang.reasons import in_words


@dataclass(frozen=True, slots=True)
class Look:
    """What a board draws: one reader's view and choice, in words of the reader's language, at a size."""

    view: View
    choice: Choice | None
    teller: Teller
    names: tuple[str, ...]
    wide: bool = False
    tall: bool = False
    width: int = 76
    """Columns that the board has."""

    @property
    def reader(self) -> int | None:
        """The seat that reads, or None for a spectator."""
        return self.teller.reader


class Thing(Static):
    """Something on a board that one can look at and, while an option leads to it, choose."""

    DEFAULT_CSS = """
    Thing { width: 1fr; height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    Thing.-lit { background: $primary 14%; }
    Thing.-lit:hover { background: $primary 30%; }
    Thing.-aimed { background: $primary 50%; }
    Thing.-cursor { background: $secondary 50%; }
    Thing.-aimed:nocolor, Thing.-cursor:nocolor { text-style: reverse; }
    """

    class Clicked(Message):
        """The Thing was clicked."""

        def __init__(self, thing: "Thing") -> None:
            super().__init__()
            self.thing = thing

    class Hovered(Message):
        """The mouse came over the Thing."""

        def __init__(self, thing: "Thing") -> None:
            super().__init__()
            self.thing = thing

    def __init__(self, key: str, *, classes: str = "") -> None:
        super().__init__("", markup=False, classes=classes)
        self.key = key
        self.actions: list[int] = []
        self._text = self._shown = Text()
        self._worn: frozenset[str] = frozenset()

    def put(self, text: Text | str, *worn: str) -> None:
        """Show a text, wearing these classes and no longer those of the last time."""
        self._text = Text(text) if isinstance(text, str) else text
        self.actions = []
        self._show()
        for name in self._worn.difference(worn):
            self.remove_class(name)
        self._worn = frozenset(worn)
        for name in worn:
            self.add_class(name)

    def offer(self, action: int) -> None:
        """One more option leads here."""
        self.actions.append(action)
        self._show()

    def _show(self) -> None:
        """What can be chosen is underlined and stands on a lighter ground: never by colour alone."""
        shown = self._text.copy()
        if self.actions:
            shown.highlight_regex(r"\S+", "bold underline")
        self.set_class(bool(self.actions), "-lit")
        if shown != self._shown or shown.style != self._shown.style:
            self._shown = shown
            self.update(shown, layout=False)  # a Thing's size does not depend on its text

    def on_click(self, event: events.Click) -> None:
        """Pass the click on to the board."""
        event.stop()
        self.post_message(self.Clicked(self))

    def on_enter(self, event: events.Enter) -> None:
        """Tell the board that the mouse is here."""
        self.post_message(self.Hovered(self))


class Shelf(Container):
    """Things whose number changes, such as a hand of cards: as many to a line as fit.

    It knows its own height, because a grid that works out its columns while it is laid out measures too many lines.
    """

    DEFAULT_CSS = "Shelf { layout: grid; grid-gutter: 0 1; }"

    def __init__(self, least_width: int, *, lines: int = 1, id: str | None = None, classes: str = "") -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self.least_width = least_width
        self.lines = lines
        """How many lines a Thing has."""
        self.count = 0

    def on_resize(self) -> None:
        """Another width has room for another number of columns."""
        self._arrange()

    def _arrange(self) -> None:
        width = self.size.width or self.app.size.width
        columns = max(1, (width + 1) // (self.least_width + 1))
        self.styles.grid_size_columns = columns
        self.styles.grid_rows = str(self.lines)
        self.styles.height = self.lines * -(-self.count // columns)

    def fill(self, items: Sequence[tuple[str, Text | str, Iterable[str]]]) -> None:
        """Show these Things: key, text and classes of each."""
        things = list(self.query_children(Thing))
        fresh = [Thing(key) for key, _, _ in items[len(things) :]]
        if fresh:
            self.mount(*fresh)
        for thing in things[len(items) :]:
            thing.key = ""
            thing.put("")
            thing.display = False
        for thing, (key, text, worn) in zip([*things, *fresh], items, strict=False):
            thing.key = key
            thing.put(text, *worn)
            thing.display = True
        self.count = len(items)
        self.display = bool(items)
        self._arrange()


class Board(Container):
    """One game's view, drawn. See the package for what a subclass has to do."""

    DEFAULT_CSS = """
    Board { height: auto; width: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(0,-1)", show=False),
        Binding("down", "move(0,1)", show=False),
        Binding("left", "move(-1,0)", show=False),
        Binding("right", "move(1,0)", show=False),
        Binding("enter,space", "take", show=False),
    ]
    HEADINGS: ClassVar[frozenset[str]] = frozenset()
    """Kinds of events whose lines stand out in the log: where a round or a turn begins."""
    can_focus = True

    class Chosen(Message):
        """A Thing that stands for exactly one option was chosen."""

        def __init__(self, action: int) -> None:
            super().__init__()
            self.action = action

    class Aimed(Message):
        """A Thing that stands for several options was chosen: the list shall show the first of them."""

        def __init__(self, action: int) -> None:
            super().__init__()
            self.action = action

    class Looked(Message):
        """A Thing is being looked at; None where no longer."""

        def __init__(self, key: str | None) -> None:
            super().__init__()
            self.key = key

    class Tried(Message):
        """A Thing that stands for no option was chosen; `why` it cannot be, in words."""

        def __init__(self, why: str) -> None:
            super().__init__()
            self.why = why

    look: Look
    _cursor: Thing | None = None

    # ---- what a board has to say ------------------------------------------------------------

    def draw(self, look: Look) -> None:
        """Put the view into the Things."""
        raise NotImplementedError

    def title(self, look: Look) -> str:
        """Where in the game we are."""
        raise NotImplementedError

    def key_of(self, action: int) -> str | None:
        """The key of the Thing that stands for this option."""
        raise NotImplementedError

    def details(self, key: str) -> Text:
        """What the Thing is and does."""
        raise NotImplementedError

    def explain(self, action: int) -> Text:
        """What the option is about."""
        key = self.key_of(action)
        return self.details(key) if key is not None else Text()

    def label(self, action: int) -> str:
        """The option in words."""
        return self.look.teller.label(action)

    def question(self, choice: Choice) -> str:
        """The choice in words."""
        return self.look.teller.prompt(choice)

    def why_not(self, key: str, *more: str) -> str:
        """Why a Thing cannot be chosen now, with the rule: from the reasons of the options that lead to it, else from
        those of the `more` things; empty where the game gives none."""
        choice, teller = self.look.choice, self.look.teller
        if choice is None:
            return ""
        reasons = teller.game.reasons(self.look.view, choice)
        numbers = action_numbers(teller.game.id)
        own = {
            thing: reason
            for thing, reason in reasons.items()
            if (number := numbers.get(thing)) is not None
            and number not in choice.options
            and self.key_of(number) == key
        }
        chosen = own or {thing: reasons[thing] for thing in more if thing in reasons}
        return "\n".join(f"{why.text} ({why.rule})" for why in in_words(teller, chosen))

    def legend(self) -> list[tuple[Text | str, str]]:
        """The signs of this board and what they mean, for the help."""
        return []

    @classmethod
    def reckoning(cls, outcome: Outcome, seat: int, teller: Teller) -> list[str]:
        """How the points of a seat came about."""
        entry: Mapping[str, Any] = outcome.reckoning[seat] if seat < len(outcome.reckoning) else {}
        return [f"{name}: {value}" for name, value in entry.items()]

    # ---- showing ----------------------------------------------------------------------------

    def show(self, look: Look) -> None:
        """Draw the view and light up what the choice offers."""
        self.look = look
        self.set_class(look.wide, "-wide")
        self.set_class(look.tall, "-tall")
        self.draw(look)
        self.aim(None)
        things = {thing.key: thing for thing in self.things()}
        for action in self.order():
            key = self.key_of(action)
            if key is not None and key in things:
                things[key].offer(action)

    def order(self) -> list[int]:
        """The options in the order in which a person would look for them."""
        return list(self.look.choice.options) if self.look.choice is not None else []

    def things(self) -> list[Thing]:
        """The Things on the board now."""
        return [thing for thing in self.query(Thing) if thing.key and thing.display]

    def thing(self, key: str) -> Thing:
        """The Thing with this key."""
        return next(thing for thing in self.query(Thing) if thing.key == key)

    def aim(self, action: int | None) -> None:
        """Mirror the option that is highlighted in the list."""
        for thing in self.query(Thing):
            thing.set_class(action is not None and action in thing.actions, "-aimed")

    # ---- looking and choosing ---------------------------------------------------------------

    def on_thing_clicked(self, message: Thing.Clicked) -> None:
        """A click chooses what is lit, and looks at what is not."""
        message.stop()
        self._put_cursor(message.thing)
        self._take(message.thing)

    def on_thing_hovered(self, message: Thing.Hovered) -> None:
        """The mouse looks."""
        message.stop()
        if message.thing.key:
            self.post_message(self.Looked(message.thing.key))

    def on_leave(self) -> None:
        """The mouse is gone."""
        self.post_message(self.Looked(None))

    def action_take(self) -> None:
        """Choose the Thing under the cursor."""
        if self._cursor is not None and self._cursor.key:
            self._take(self._cursor)

    def _take(self, thing: Thing) -> None:
        if len(thing.actions) == 1:
            self.post_message(self.Chosen(thing.actions[0]))
        elif thing.actions:
            self.post_message(self.Aimed(thing.actions[0]))
        elif thing.key and (why := self.why_not(thing.key, ANYTHING_ELSE)):
            self.post_message(self.Tried(why))

    def action_move(self, right: int, down: int) -> None:
        """Move the cursor to the next Thing in this direction."""
        here = self._cursor
        shown = [thing for thing in self.things() if thing.region.area]
        if here is None or here not in shown:
            self._put_cursor(self._beginning())
            return
        start = _middle(here)
        ahead = [
            (_distance(_middle(thing) - start, right, down), thing)
            for thing in shown
            if thing is not here and _is_ahead(_middle(thing) - start, right, down)
        ]
        if ahead:
            self._put_cursor(min(ahead, key=lambda pair: pair[0])[1])

    def _beginning(self) -> Thing | None:
        """Where a cursor begins: where the list points, else at something that can be chosen."""
        shown = [thing for thing in self.things() if thing.region.area]
        aimed = [thing for thing in shown if thing.has_class("-aimed")]
        lit = [thing for thing in shown if thing.actions]
        return next(iter(aimed or lit or shown), None)

    def on_focus(self) -> None:
        """The keys are here: begin where the list points, and show the cursor."""
        self._put_cursor(self._beginning())
        for thing in self.query(Thing):
            thing.set_class(thing is self._cursor, "-cursor")

    def on_blur(self) -> None:
        """The keys are elsewhere: hide the cursor."""
        for thing in self.query(Thing):
            thing.remove_class("-cursor")

    def _put_cursor(self, thing: Thing | None) -> None:
        if self._cursor is not None:
            self._cursor.remove_class("-cursor")
        self._cursor = thing
        if thing is not None:
            thing.set_class(self.has_focus, "-cursor")
            self.post_message(self.Looked(thing.key))


def _middle(thing: Thing) -> Offset:
    """The middle of a Thing, in cells; doubled downwards, as a cell is about twice as high as wide."""
    region = thing.region
    return Offset(region.x + region.width // 2, 2 * region.y + region.height)


def _is_ahead(way: Offset, right: int, down: int) -> bool:
    return way.x * right + way.y * down > 0


def _distance(way: Offset, right: int, down: int) -> int:
    """How far a Thing lies in a direction; what lies aside counts double."""
    along = abs(way.x * right + way.y * down)
    aside = abs(way.x * down) + abs(way.y * right)
    return along + 2 * aside
