"""The line of keys at the foot of a screen, in the reader's language; each can be clicked too."""

from collections.abc import Sequence

from textual.content import Content
from textual.widgets import Static


class KeyLine(Static):
    """Keys and what they do."""

    DEFAULT_CSS = """
    KeyLine { dock: bottom; height: 1; background: $panel; color: $foreground 80%; padding: 0 1;
              link-color: $foreground 80%; link-style: none; link-color-hover: $accent;
              link-background-hover: transparent; link-style-hover: underline; }
    """

    def name_keys(self, keys: Sequence[tuple[str, str, str]]) -> None:
        """Show keys: the key, what it does, and the action of the screen behind it."""
        parts = [
            Content.from_markup(
                f"[@click=screen.{action}][b $accent]$key[/] $does[/]",
                key=key,
                does=does.replace(" ", "\u00a0"),
            )
            for key, does, action in keys
        ]
        self.update(Content("  ").join(parts), layout=False)
