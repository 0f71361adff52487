"""A table in words for one seat: what it reads, and which option its answer means.

It knows a view, a choice and events of one seat and nothing else, so a table in this process and one on a server read
the same.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from fabletop.core.errors import BadText, FabletopError
from fabletop.core.events import Event
from fabletop.core.game import ANYTHING_ELSE, Choice, Game, Reason, View
from fabletop.lang import Lexicon
from fabletop.lang.lines import Teller
from fabletop.lang.reasons import text_of

WIDTH = 100
"""Characters within which a part of a table stays on one line."""
LONGEST_QUOTE = 60
"""Characters of a wrong answer that are quoted back."""
BRACKETS = re.compile(r"\[([^\[\]]+)\]")


class NoOption(FabletopError, ValueError):
    """An answer that means no option, or several. The text says why, and what would be right."""


class Reader:
    """What one seat reads of a game in one language."""

    def __init__(self, game: Game, seat: int, names: Sequence[str], lang: str = "en") -> None:
        self.game = game
        self.seat = seat
        self.names = tuple(names)
        self.lexicon = Lexicon(lang)
        self.teller = Teller(self.lexicon, game, self.names, seat)

    def text(self, key: str, **values: Any) -> str:
        """A sentence of this module's language file."""
        return self.lexicon(f"text.{key}", **values)

    # ---- reading ----------------------------------------------------------------------------

    def lines(self, events: Iterable[Event]) -> list[str]:
        """Events as lines of the log."""
        return [line for event in events if (line := self.teller.line(event))]

    def introduction(self) -> str:
        """Who the reader is, and who sits where."""
        names = ", ".join(f"{seat} {name}" for seat, name in enumerate(self.names))
        return self.text("say.seat", name=self.names[self.seat], seat=self.seat, names=names)

    def log(self, events: Sequence[Event]) -> str:
        """What has happened, under its heading."""
        return section(self.text("heading.log"), self.lines(events) or [self.text("say.nothing_new")])

    def table(self, view: View) -> str:
        """The view as an outline, under its heading. Its ids are those of the options."""
        return section(self.text("heading.table"), outline(view))

    def question(self, choice: Choice) -> str:
        """The question and its options, under their headings."""
        asked = self.teller.prompt(choice) or choice.kind
        options = [f"{word} = {self.teller.label(action)}" for word, action in self.words(choice).items()]
        return "\n\n".join(
            (
                section(self.text("heading.question"), [asked]),
                section(self.text("heading.options"), options),
            )
        )

    def waiting(self, seats: Sequence[int]) -> str:
        """Whom the table waits for."""
        return self.text("say.waiting", names=self.teller.join([self.names[seat] for seat in seats]))

    def done(self, action: int) -> str:
        """The action that was made."""
        return self.text("say.done", option=self.teller.label(action))

    def end(self, scores: Sequence[float], winners: Sequence[int]) -> str:
        """How the game ended."""
        lines = [
            self.text("say.points", name=name, points=f"{score:g}")
            for name, score in zip(self.names, scores, strict=True)
        ]
        lines.append(self.text("say.winners", names=self.teller.join([self.names[seat] for seat in winners])))
        return section(self.text("heading.end"), lines)

    # ---- answering --------------------------------------------------------------------------

    def words(self, choice: Choice) -> dict[str, int]:
        """The options by the words with which they are answered."""
        return {self.game.actions[action]: action for action in choice.options}

    def answer(self, view: View, choice: Choice, text: str) -> int:
        """The option that an answer means. NoOption says why it means none, and what would be right.

        An answer is the word of an option or what the option means, alone or in square brackets, or the last line of a
        longer text.
        """
        if not isinstance(text, str) or not text.strip():
            raise NoOption(f"{self.text('refusal.empty')} {self.right(choice)}")
        for part in parts(text):
            meant = self.meant(choice, part)
            if len(meant) == 1:
                return meant[0]
            if meant:
                options = ", ".join(self.game.actions[action] for action in meant)
                raise NoOption(self.text("refusal.several", answer=quoted(part), options=options))
        raise NoOption(f"{self.why_not(view, choice, next(parts(text)))} {self.right(choice)}")

    def meant(self, choice: Choice, part: str) -> list[int]:
        """The options that a text can mean."""
        action = self.parsed(part)
        if action in choice.options:
            return [action]
        plain = part.casefold()
        return [option for option in choice.options if self.teller.label(option).casefold() == plain]

    def parsed(self, part: str) -> int:
        """The number of the action with this text; -1 where there is none."""
        try:
            return self.game.parse(part)
        except BadText:
            return -1

    def right(self, choice: Choice) -> str:
        """What would be right."""
        return self.text("refusal.right", options=", ".join(self.words(choice)))

    def why_not(self, view: View, choice: Choice, thing: str) -> str:
        """Why something cannot be chosen now."""
        if self.meant(choice, thing):
            return self.text("why_not.option", answer=quoted(thing))
        action = self.parsed(thing)
        word = self.game.actions[action] if action >= 0 else thing
        reasons: Mapping[str, Reason] = self.game.reasons(view, choice)
        known = action >= 0 or thing in reasons
        reason = reasons.get(word, reasons.get(ANYTHING_ELSE)) if known else None
        if reason is None:
            return self.text("refusal.unknown", answer=quoted(thing))
        why = text_of(self.lexicon.code, self.game.id, reason)
        return self.text("refusal.why", answer=quoted(word), why=why, rule=reason.rule)


def parts(text: str) -> Iterator[str]:
    """The parts of a text that may be an answer, most likely first."""
    stripped = plain(text)
    yield stripped
    for inside in reversed(BRACKETS.findall(text)):
        yield plain(inside)
    lines = [line for line in map(plain, text.splitlines()) if line]
    if lines and lines[-1] != stripped:
        yield lines[-1]
        yield plain(lines[-1].partition(":")[2])


def plain(text: str) -> str:
    """A text without the quotation marks and full stops around it."""
    return text.strip().strip("\"'`*“”„«»[]\u00a0 \t").rstrip(".!").strip()


def quoted(text: str) -> str:
    """A wrong answer, shortened to be quoted."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_QUOTE else f"{line[: LONGEST_QUOTE - 1]}…"


def section(heading: str, lines: Sequence[str]) -> str:
    """Lines under a heading."""
    return "\n".join((f"## {heading}", *lines))


# ---------------------------------------------------------------------------------------------- outlines


def outline(value: Mapping[str, Any]) -> list[str]:
    """A view as lines of text; what is empty, nothing or no is left out.

    >>> print("\\n".join(outline({"deck": 7, "own": {"hand": ["hoot-1", "stag-2"]}, "named": None})))
    deck: 7
    own: hand hoot-1 stag-2
    """
    return [line for key, part in value.items() for line in _lines(key, part)]


def _lines(key: str, value: Any, indent: str = "") -> Iterator[str]:
    if _empty(value):
        return
    short = _inline(value)
    if len(short) + len(indent) + len(key) < WIDTH:
        yield f"{indent}{key}: {short}"
        return
    yield f"{indent}{key}:"
    inside = value.items() if isinstance(value, Mapping) else enumerate(value)
    for name, part in inside:
        yield from _lines(str(name), part, indent + "  ")


def _inline(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_inline(part)}" for key, part in value.items() if not _empty(part)) or "-"
    if isinstance(value, list | tuple):
        nested = any(isinstance(part, Mapping | list | tuple) for part in value)
        return (" / " if nested else " ").join(_inline(part) for part in value)
    if value is None:
        return "-"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _empty(value: Any) -> bool:
    """Nothing, no, or a table of nothing; a list of which only some places are empty is not."""
    if isinstance(value, Mapping):
        return all(_empty(part) for part in value.values())
    if isinstance(value, list | tuple):
        return all(part is None or (isinstance(part, Mapping) and _empty(part)) for part in value)
    return value is None or value is False
