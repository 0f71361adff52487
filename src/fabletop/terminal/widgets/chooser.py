"""The chooser: the one way to answer every question, by arrows and Enter, by shortcut, or by mouse."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.text import Text
from textual.widgets import OptionList
from textual.widgets.option_list import Option

SHORTCUTS = "123456789bcefgijkmnorstvwxyz"
"""Keys for options in order. Letters that are commands (a, h, l, q, u), `p` for pass and `d` for done are left out."""
FIXED = {"pass": "p", "done": "d"}
"""Options that are frequent have a fixed key."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that can be chosen now: what it says, what it does, and the action it stands for, if it is one."""

    label: Text | str
    do: Callable[[], None]
    action: int | None = None
    text: str = ""


def shortcuts(entries: Sequence[Entry]) -> list[str]:
    """A key for each entry; empty where the keys have run out."""
    free = iter(SHORTCUTS)
    return [FIXED[entry.text] if entry.text in FIXED else next(free, "") for entry in entries]


class Chooser(OptionList):
    """The list of the current options."""

    DEFAULT_CSS = """
    Chooser {
        background: transparent; border: none; padding: 0 1; height: 1fr; scrollbar-size-vertical: 1;
    }
    Chooser:focus { border: none; background-tint: transparent; }
    Chooser > .option-list--option-highlighted { background: $panel; color: $foreground; text-style: bold; }
    Chooser:focus > .option-list--option-highlighted {
        background: $primary 40%; color: $foreground; text-style: bold reverse;
    }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, markup=False)
        self.entries: list[Entry] = []
        self.keys: list[str] = []

    def offer(self, entries: Sequence[Entry]) -> None:
        """Show these entries; the first one is highlighted."""
        self.entries = list(entries)
        self.keys = shortcuts(entries)
        self.clear_options()
        self.add_options(
            Option(Text.assemble((f"{key or ' '} ", "dim"), entry.label))
            for key, entry in zip(self.keys, self.entries, strict=True)
        )
        self.highlighted = 0 if entries else None

    def take(self, index: int) -> None:
        """Do what the entry says."""
        if 0 <= index < len(self.entries):
            self.entries[index].do()

    def take_key(self, key: str) -> bool:
        """Do what the entry with this shortcut says; False if there is none."""
        if not key or key not in self.keys:
            return False
        self.take(self.keys.index(key))
        return True

    def point_at(self, action: int) -> None:
        """Highlight the entry of an action."""
        for index, entry in enumerate(self.entries):
            if entry.action == action:
                self.highlighted = index

    @property
    def current(self) -> Entry | None:
        """The highlighted entry."""
        return self.entries[self.highlighted] if self.highlighted is not None else None
