"""The log on the screen, with the newest line visible."""

from collections.abc import Sequence

from rich.text import Text
from textual import events
from textual.widgets import RichLog

from fabletop.core.events import Event
from fabletop.lang.lines import Teller
from fabletop.terminal.glyphs import coloured, glyphs

INDENT = "  "


def styled_lines(
    story: Sequence[Event], teller: Teller, names: tuple[str, ...], headings: frozenset[str]
) -> list[Text]:
    """Events as lines, with names in the colours of their seats and highlighted headings."""
    lines = []
    for event in story:
        text = teller.line(event)
        if text is None:
            continue
        if event.kind in headings:
            line = coloured(f"{glyphs().rule * 2} {text}", names)
            line.stylize("bold")
        else:
            line = coloured(text, names)
        lines.append(line)
    return lines


def folded(line: Text, width: int) -> list[Text]:
    """A line cut at its spaces, no-break spaces excepted, with what follows indented."""
    cuts, start, last, room = [], 0, 0, width
    for end in [i for i, letter in enumerate(line.plain) if letter == " "] + [len(line.plain)]:
        if end - start > room and last > start:
            cuts.append(last)
            start, room = last + 1, width - len(INDENT)
        last = end
    first, *rest = line.divide(cuts)
    return [first, *(Text.assemble(INDENT, piece[1:]) for piece in rest)]


class GameLog(RichLog):
    """Shows lines and appends only new ones, so that a redraw does not disturb a reader who has scrolled back."""

    DEFAULT_CSS = """
    GameLog { background: transparent; scrollbar-size-vertical: 1; padding: 0 1; }
    GameLog:focus { background: $panel; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(wrap=False, markup=False, min_width=10, id=id)
        self._written: list[Text] = []
        self._width = 0

    def tell(self, lines: list[Text]) -> None:
        """Show these lines: what is already there stays, what is new comes below."""
        common = 0
        for old, new in zip(self._written, lines, strict=False):
            if old != new:
                break
            common += 1
        if common < len(self._written):
            self.clear()
            common = 0
        self._written = lines
        at_end = self.scroll_offset.y >= self.max_scroll_y - 1
        for line in lines[common:]:
            for piece in folded(line, self.scrollable_content_region.width or 40):
                self.write(piece, scroll_end=at_end or common == 0)

    def on_resize(self, event: events.Resize) -> None:
        """Lines are wrapped when they are written: write them again for another width."""
        if event.size.width != self._width:
            self._width = event.size.width
            lines, self._written = self._written, []
            self.clear()
            self.tell(lines)
