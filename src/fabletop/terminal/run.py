"""Open the table: play, resume a saved game, step through a record, print its log.

play("equinox", {"seats": 4}, lang="en", seed="midsummer", people=1, names=(), bots=["gretel"])
resume(record, path, "fr")
replay(record, seat=None, lang="de")
log_lines(record, seat=0, lang="en")
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fabletop.core.errors import BadOptions
from fabletop.core.records import Record
from fabletop.core.sitting import replay as replayed
from fabletop.games import GAMES, game_of
from fabletop.lang import Lexicon
from fabletop.lang.lines import Teller
from fabletop.terminal.glyphs import ASCII, speaks_unicode, use_glyphs
from fabletop.terminal.preferences import Preferences
from fabletop.terminal.seats import seating, seating_of


def play(
    game: str | None,
    options: Mapping[str, Any] | None,
    *,
    lang: str,
    seed: str | None,
    people: int,
    names: Sequence[str],
    bots: Sequence[str] = (),
    milliseconds: float | None = None,
) -> None:
    """Open a table; without options, or without a game, the start screen asks for them.

    `bots` is one for all seats without people, or one for each; `milliseconds` their thinking time.
    """
    from fabletop.terminal.app import FabletopApp
    from fabletop.terminal.saves import unfinished
    from fabletop.terminal.screens.start import Start

    app = FabletopApp(Preferences(lang))
    if game is None or options is None:
        app.first = Start(app.preferences, app.begin, app.go_on, unfinished(), game, people)
    else:
        chosen = GAMES[game].options(options)
        seated = seating(chosen["seats"], people, names, bots, milliseconds)
        app.first = app.table(GAMES[game], chosen, seated, seed)
    _run(app)


def resume(record: Record, path: Path, lang: str) -> None:
    """Resume a saved game; it is saved to the same file again."""
    from fabletop.terminal.app import FabletopApp

    app = FabletopApp(Preferences(lang))
    app.first = app.saved_table(path, record)
    _run(app)


def replay(record: Record, seat: int | None, lang: str) -> None:
    """Step through a record from a seat's viewpoint, or a spectator's."""
    from fabletop.terminal.app import FabletopApp

    app = FabletopApp(Preferences(lang))
    app.first = app.replay(record, checked_seat(record, seat))
    _run(app)


def log_lines(record: Record, seat: int | None, lang: str) -> list[str]:
    """The log of a record as a seat, or a spectator, reads it."""
    game = game_of(record)
    sitting = replayed(game, record)
    names = seating_of(record.names, sitting.state.seats, record.about).names
    teller = Teller(Lexicon(lang), game, names, checked_seat(record, seat))
    lines = (teller.line(event) for event in sitting.events(seat))
    return [line for line in lines if line is not None]


def checked_seat(record: Record, seat: int | None) -> int | None:
    """The seat, if the record has it."""
    seats = record.options.get("seats")
    if seat is not None and isinstance(seats, int) and not 0 <= seat < seats:
        raise BadOptions(f"there is no seat {seat}; this game has the seats 0 to {seats - 1}")
    return seat


def _run(app: Any) -> None:
    """Run the application, then print its last message."""
    if not speaks_unicode():
        use_glyphs(ASCII)
        for stream in (sys.__stdout__, sys.__stderr__, sys.stdout, sys.stderr):
            if stream is not None and hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="fabletop.plainer")  # rather a plain letter than a crash
    words = app.run()
    if words:
        print(words)
