"""Colours and glyphs: the palette, seat colours and shapes, and an ASCII set for terminals without Unicode."""

import codecs
import sys
import unicodedata
from dataclasses import dataclass

from rich.text import Text
from textual.theme import Theme

AMBER, BLUE, GREEN, ROSE, VIOLET, GREY = "#f0b44c", "#7db2ff", "#7fcf8a", "#f08fa8", "#c39bf5", "#b9c0cb"
SEAT_COLOURS = (AMBER, BLUE, GREEN, ROSE, VIOLET, GREY)

FOREST_NIGHT = Theme(
    name="forest-night",
    primary="#e8a94b",  # dawn amber
    secondary="#7fa6d9",  # dusk blue
    accent="#f0b44c",
    warning="#e8a94b",
    error="#f08a7a",
    success="#7fcf8a",
    foreground="#e9e4d8",
    background="#11151d",
    surface="#181e29",
    panel="#212938",
    dark=True,
    variables={"button-focus-text-style": "bold underline"},
)


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The glyphs that the table draws with; every set has the same meanings."""

    seats: tuple[str, ...]
    now: str
    chameleon: str
    times: str
    cards: str
    pebbles: str
    hidden: str
    aside: str
    looked: str
    half: str
    winner: str
    dot: str
    person: str
    bot: str
    left: str
    right: str
    ellipsis: str
    rule: str


UNICODE = Glyphs(
    seats=("●", "◆", "▲", "■", "★", "⬢"),
    now="▸",
    chameleon="≈",
    times="×",
    cards="▮",
    pebbles="○",
    hidden="?",
    aside="↓",
    looked="◇",
    half="½",
    winner="♔",
    dot="·",
    person="☺",
    bot="⚙",
    left="←",
    right="→",
    ellipsis="…",
    rule="─",
)
ASCII = Glyphs(
    seats=("o", "v", "^", "#", "*", "%"),
    now=">",
    chameleon="~",
    times="x",
    cards="c",
    pebbles="p",
    hidden="?",
    aside="-",
    looked="=",
    half=".5",
    winner="!",
    dot="-",
    person="+",
    bot="@",
    left="<-",
    right="->",
    ellipsis="~",
    rule="-",
)


def speaks_unicode(encoding: str | None = None) -> bool:
    """Can the terminal's encoding represent the glyphs?"""
    name = encoding if encoding is not None else (getattr(sys.stdout, "encoding", None) or "ascii")
    try:
        "●◆▲■★⬢≈▸".encode(name)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


PLAIN = str.maketrans("│─┌┐└┘╭╮╰╯·…’‘“”„«»–—×→←↑↓\u00a0\u202f▼▲●◆■★", '|-++++++++-~\'\'"""""--x><^v  v^ov#*')
"""One character for one character, so that the layout does not change."""


def plainer(error: UnicodeError) -> tuple[str, int]:
    """A codec error handler: the letter without its accent, or an ASCII character."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    plain = ""
    for sign in error.object[error.start : error.end].translate(PLAIN):
        letter = unicodedata.normalize("NFKD", sign)[0]
        plain += letter if letter.isascii() else "?"
    return plain, error.end


codecs.register_error("fabletop.plainer", plainer)

_chosen = [UNICODE]


def glyphs() -> Glyphs:
    """The glyphs in use."""
    return _chosen[0]


def use_glyphs(chosen: Glyphs) -> None:
    """Use these glyphs from now on."""
    _chosen[0] = chosen


def seat_glyph(seat: int) -> Text:
    """A seat's shape in its colour."""
    return Text(glyphs().seats[seat], style=SEAT_COLOURS[seat])


def seat_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names prefixed with the shape of their seat, as in prompts and in the log."""
    shapes = glyphs().seats
    return tuple(f"{shapes[seat]} {name}" for seat, name in enumerate(names))


def coloured(line: str, names: tuple[str, ...]) -> Text:
    """A line in which every marked name has the colour of its seat."""
    return tinted(Text(line), names)


def tinted(text: Text, names: tuple[str, ...]) -> Text:
    """A text in which every marked name has the colour of its seat."""
    text = text.copy()
    for seat, name in enumerate(seat_names(names)):
        text.highlight_words([name], style=SEAT_COLOURS[seat])
    return text
