"""How a game is played and what its cards do, as text in one language."""

import unicodedata
from collections.abc import Sequence

from fabletop.core.game import CardEntry, Game
from fabletop.lang import Lexicon
from fabletop.lang.lines import Teller


def rules(game: Game, lexicon: Lexicon) -> str:
    """How the game is played, for somebody who has never seen it, heading by heading."""
    titles = {entry.id: entry.title for entry in card_entries(game, lexicon)}
    parts = []
    for section in lexicon.table(f"guide_{game.id}").values():
        lines = [text.format_map(titles) for key, text in section.items() if key != "title"]
        parts.append("\n".join((f"## {section['title']}", *lines)))
    return "\n\n".join(parts)


def cards(game: Game, lexicon: Lexicon, words: Sequence[str] = ()) -> str:
    """The cards in whose line all these words occur, one a line; empty where there are none."""
    entries = [entry for entry in card_entries(game, lexicon) if matches(entry, words)]
    return "\n".join(f"{entry.title} [{entry.group}] {entry.symbols}: {entry.text}" for entry in entries)


def card_entries(game: Game, lexicon: Lexicon) -> list[CardEntry]:
    """All cards of the game."""
    return list(game.cards(Teller(lexicon, game, (), None).word))


def plain(text: str) -> str:
    """A text without accents and capitals, so that `chene` finds `Chêne`."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def matches(entry: CardEntry, words: Sequence[str]) -> bool:
    """Do all the words occur in the entry's line?"""
    line = plain(f"{entry.id} {entry.group} {entry.title} {entry.symbols} {entry.text}")
    return all(plain(word) in line for word in words)
