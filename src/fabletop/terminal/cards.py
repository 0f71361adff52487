"""The card list in the terminal: printed as a table, searched by words."""

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from fabletop.core.game import CardEntry, Game
from fabletop.lang import Lexicon
from fabletop.lang.handbook import card_entries, matches
from fabletop.terminal.glyphs import speaks_unicode


def print_cards(game: Game, words: Sequence[str], lang: str, console: Console | None = None) -> int:
    """Print the cards of a game in whose line all words occur; the exit code is 1 where there are none."""
    lexicon = Lexicon(lang)
    console = console or Console(highlight=False)
    entries = [entry for entry in card_entries(game, lexicon) if matches(entry, words)]
    if not entries:
        console.print(Text(lexicon("terminal.cards.none", words=" ".join(words))))
        return 1
    console.print(card_table(entries, lexicon))
    return 0


def card_table(entries: Sequence[CardEntry], lexicon: Lexicon) -> Table:
    """The entries as a table, a rule between the groups."""
    table = Table(box=box.SIMPLE_HEAD if speaks_unicode() else box.ASCII_DOUBLE_HEAD, pad_edge=False)
    table.add_column(lexicon("terminal.cards.group"), style="dim", no_wrap=True)
    table.add_column(lexicon("terminal.cards.title"), style="bold")
    table.add_column(lexicon("terminal.cards.symbols"))
    table.add_column(lexicon("terminal.cards.text"), ratio=1)
    group = None
    for entry in entries:
        if group is not None and entry.group != group:
            table.add_section()
        table.add_row(
            Text(entry.group if entry.group != group else ""),
            Text(entry.title),
            Text(entry.symbols),
            Text(entry.text),
        )
        group = entry.group
    return table
