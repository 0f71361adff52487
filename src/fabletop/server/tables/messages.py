"""Messages about a table. Each is built for one viewer, from what that viewer may know.

The caches of this module are shared by all tables of a process and hold nothing that is secret from the viewer in their
key. They are bounded, and drop the oldest entries.
"""

import asyncio
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, structs

from fabletop.core.chance import Chance
from fabletop.core.events import Places, Row
from fabletop.core.game import Choice, Outcome
from fabletop.core.sitting import revealing
from fabletop.games import GAMES
from fabletop.lang import Lexicon
from fabletop.lang.lines import Teller
from fabletop.lang.reasons import in_words
from fabletop.server.protocol import wire
from fabletop.server.protocol.views import ViewBytes
from fabletop.server.tables.clocks import seconds_left
from fabletop.server.tables.table import OVER, PLAYING, Table, ViewerUpdate

AT_A_TIME = 200
"""Events for which words are found before others get their turn in the event loop."""


class Attendance(NamedTuple):
    """Who is connected to a table: the seats whose people are `here`, and how many spectators are `watching`."""

    here: Sequence[int] = ()
    watching: int = 0


NOBODY = Attendance()


def table_now(table: Table, present: Attendance = NOBODY) -> wire.TableNow:
    """The table as everybody sees it."""
    head = table.head
    seats = [
        wire.SeatNow(
            seat=number,
            kind="open" if seat.is_open else "person" if seat.key else "bot",
            name=seat.name,
            level=seat.bot,
            hot=seat.hot,
            left=bool(seat.key and seat.bot),
            resigned=seat.resigned,
            here=number in present.here,
        )
        for number, seat in enumerate(table.seats)
    ]
    over = table.sitting.outcome if table.sitting is not None and table.status == OVER else None
    return wire.TableNow(
        table=head.id,
        game=head.game,
        rules=head.rules,
        options=head.options,
        status=table.status,
        seats=seats,
        asked=table.asked(),
        pace=head.pace,
        listed=head.listed,
        spectators=head.spectators,
        chosen_seed=head.chosen_seed,
        source=head.source,
        commitment=table.commitment,
        made=int(head.at),
        # while people act at once and unseen, the time of the last entry would reveal it
        updated=int(table.updated if table.status != PLAYING else head.at),
        outcome=None if over is None else result_of(over),
        followed=table.followed,
        closed=table.closed,
        again=[number for number, seat in enumerate(table.seats) if seat.key in table.agreed],
        watching=present.watching,
        host=head.maker,
        lesson=head.lesson,
    )


def result_of(outcome: Outcome) -> wire.Result:
    """An outcome as it goes over the wire."""
    return wire.Result(
        scores=list(outcome.scores),
        winners=list(outcome.winners),
        reason=outcome.reason,
        reckoning=[dict(entry) for entry in outcome.reckoning],
    )


def undo_now(table: Table) -> Sequence[str | None]:
    """Why each seat cannot take back its last action; None: it can."""
    if table.sitting is None or table.status != PLAYING:
        return ["nothing"] * len(table.seats)
    return table.sitting.undo_barriers()


class Preferences(NamedTuple):
    """Optional parts of messages to a subscriber: texts in a language, and the options that cannot be taken back."""

    lang: str | None = None
    reveals: bool = False


PLAIN = Preferences()


WORDS_KEPT = 16_384
"""Events whose text is cached, about half a kilobyte each. The names at a table are part of the key, so the cache fills
with stories of tables that are gone: it is as large as the stories of about forty tables that are being read."""


@lru_cache(maxsize=WORDS_KEPT)
def event_as_json(game: str, row: Row) -> Mapping[int | None, msgspec.Raw]:
    """An event without words: as the seats may know it that may know more than others, and as all others may who
    receive it (None); the same at every table."""
    events = GAMES[game].events
    named = () if row[0] in events.alike else events.concerned(row)
    known = {viewer: events.redact(row, viewer) for viewer in (None, *named)}
    return {
        viewer: msgspec.Raw(wire.encode(event.json())) for viewer, event in known.items() if event is not None
    }


@lru_cache(maxsize=1024)
def teller_for(game: str, names: tuple[str, ...], viewer: int | None, lang: str) -> Teller:
    """Words for a viewer of a table at which people with these names sit."""
    return Teller(Lexicon(lang), GAMES[game], names, viewer)


@lru_cache(maxsize=WORDS_KEPT)
def event_in_words(game: str, names: tuple[str, ...], row: Row, viewer: int | None, lang: str) -> msgspec.Raw:
    """An event with its line of the log, as a viewer whom it concerns or a spectator (None) may know it. It is cached
    because finding the words is slow, and people who come to a table read its whole story."""
    event = GAMES[game].events.redact(row, viewer)
    assert event is not None
    line = teller_for(game, names, viewer, lang).line(event)
    return msgspec.Raw(wire.encode({**event.json(), "line": line}))


class Renderer:
    """Renders a table for several viewers: what is the same for many of them is written only once."""

    __slots__ = (
        "_named",
        "_names",
        "_places",
        "_readings",
        "_to_others",
        "_undo",
        "_views",
        "_watched",
        "now",
        "table",
    )

    def __init__(self, table: Table, now: float) -> None:
        self.table = table
        self.now = now
        self._undo = undo_now(table)
        self._views: ViewBytes | None = None
        self._places: Places = ()
        self._readings: list[Mapping[int | None, msgspec.Raw]] = []
        """The events at these places."""
        self._named: set[int] = set()
        """The seats that may know more of these events than others."""
        self._to_others: list[msgspec.Raw] = []
        """The same events for all other viewers."""
        self._watched: dict[tuple[Preferences, bool], bytes] = {}
        self._names: tuple[str, ...] = ()

    def message(self, update: ViewerUpdate, preferences: Preferences, with_view: bool, done: str) -> bytes:
        """The update for a viewer, with or without the view, with or without an acknowledgement."""
        viewer = update.viewer
        if viewer is None and (preferences, with_view) in self._watched:  # there may be many spectators
            return self._watched[preferences, with_view]
        message = wire.Update(
            seq=update.seq,
            events=self.events(viewer, update.places, preferences.lang),
            keep=UNSET if update.keep is None else update.keep,
            choice=self.choice(viewer, preferences) if update.new_choice else UNSET,
            undo=UNSET if viewer is None else self._undo[viewer],
            done=done or UNSET,
        )
        data = self.views.message(viewer, message) if with_view else wire.encode(message)
        if viewer is None:
            self._watched[preferences, with_view] = data
        return data

    @property
    def views(self) -> ViewBytes:
        """The views as bytes, built when one is asked for."""
        if self._views is None:
            assert self.table.sitting is not None
            self._views = ViewBytes(self.table.game, self.table.sitting.state)
        return self._views

    def view(self, viewer: int | None) -> msgspec.Raw:
        """A view as bytes."""
        return msgspec.Raw(self.views.view(viewer))

    def events(self, viewer: int | None, places: Places, lang: str | None) -> list[msgspec.Raw]:
        """The events at these places as this viewer may know them, with words where a language is asked for."""
        assert self.table.sitting is not None
        game, rows = self.table.game, self.table.sitting.rows
        if lang is not None:
            return [self._event(place, viewer, lang) for place in places]
        if places is not self._places:  # as a rule all viewers receive the same events
            self._places = places
            self._readings = [event_as_json(game.id, rows[place]) for place in places]
            self._named = {seat for reading in self._readings for seat in reading if seat is not None}
            self._to_others = [reading[None] for reading in self._readings if None in reading]
        if viewer not in self._named:
            return self._to_others
        return [reading[viewer] if viewer in reading else reading[None] for reading in self._readings]

    def _event(self, place: int, viewer: int | None, lang: str) -> msgspec.Raw:
        """An event with words."""
        assert self.table.sitting is not None
        row = self.table.sitting.rows[place]
        reader = viewer if viewer in self.table.game.events.concerned(row) else None
        return event_in_words(self.table.game.id, self.names, row, reader, lang)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats, found out once."""
        self._names = self._names or self.table.names
        return self._names

    def choice(self, seat: int | None, preferences: Preferences) -> wire.ChoiceNow | None:
        """The question that is put to a seat."""
        choice = None if seat is None or self.table.status != PLAYING else self.table.choice(seat)
        if seat is None or choice is None:
            return None
        left = seconds_left(self.table, seat, self.now)
        question = wire.ChoiceNow(
            id=self.table.cursors[seat].choice,
            kind=choice.kind,
            options=list(map(self.table.game.actions.__getitem__, choice.options)),
            about=dict(choice.about),
            left=None if left is None else max(0.0, round(left, 1)),
            reveals=self._revealing(seat, choice) if preferences.reveals else [],
        )
        if preferences.lang is None:
            return question
        return structs.replace(question, **self._in_words(seat, choice, preferences.lang))

    def _in_words(self, seat: int, choice: Choice, lang: str) -> dict[str, Any]:
        """What goes with a question where a language is asked for."""
        teller = teller_for(self.table.head.game, self.names, seat, lang)
        return {
            "prompt": teller.prompt(choice),
            "labels": [teller.label(action) for action in choice.options],
            "reasons": self._reasons(seat, choice, teller),
            "previews": self._previews(seat, choice),
        }

    def _reasons(self, seat: int, choice: Choice, teller: Teller) -> list[wire.ReasonNow]:
        """Why something else cannot be chosen, from what this seat may see."""
        assert self.table.sitting is not None
        reasons = self.table.game.reasons(self.table.sitting.view(seat), choice)
        return [wire.ReasonNow(*why) for why in in_words(teller, reasons)]

    def _previews(self, seat: int, choice: Choice) -> dict[str, Any]:
        """What follows from the options, from what this seat may see."""
        assert self.table.sitting is not None
        return dict(self.table.game.previews(self.table.sitting.view(seat), choice))

    def _revealing(self, seat: int, choice: Choice) -> list[str]:
        table = self.table
        assert table.sitting is not None
        chance = Chance.from_text(f"reveals {table.head.id} {seat} {table.cursors[seat].choice}")
        found = revealing(table.game, table.sitting.view(seat), choice, chance)
        return [table.game.actions[action] for action in found]


async def find_words(table: Table, viewer: int | None, seq: int | None, lang: str | None) -> None:
    """Fill the cache with the words for what a viewer missed since update `seq`, and let others have their turn in the
    event loop in between; a welcome is quick then."""
    if lang is None or table.sitting is None:
        return
    cursor, renderer = table.cursor(viewer), Renderer(table, 0.0)
    for start in range(cursor.kept_since(seq), cursor.told, AT_A_TIME):
        renderer.events(viewer, cursor.heard[start : start + AT_A_TIME], lang)
        await asyncio.sleep(0)


def welcome(
    table: Table,
    viewer: int | None,
    *,
    seats: Sequence[int],
    present: Attendance,
    seq: int | None,
    now: float,
    preferences: Preferences,
    chat: list[Any],
    run: str,
    host: bool,
    look: str = "",
) -> wire.Welcome:
    """Everything that this viewer may know now; of its story only what it missed since update `seq`. `look` is the id
    of the message that is answered."""
    cursor = table.cursor(viewer)
    renderer = Renderer(table, now)
    keep = cursor.kept_since(seq)
    view: Any = None
    events: list[Any] = []
    if table.sitting is not None:
        view = renderer.view(viewer)
        events = renderer.events(viewer, cursor.heard[keep:], preferences.lang)
    return wire.Welcome(
        table=table_now(table, present),
        viewer=viewer,
        seats=list(seats),
        seq=cursor.seq,
        keep=keep,
        events=events,
        view=view,
        choice=renderer.choice(viewer, preferences),
        undo="nothing" if viewer is None else undo_now(table)[viewer],
        chat=chat,
        run=run,
        host=host,
        id=look or UNSET,
    )
