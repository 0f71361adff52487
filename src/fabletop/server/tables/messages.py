"""Messages about a table. Each is built for one viewer, from what that viewer may know.

The caches of this module are shared by all tables of a process and hold nothing that is secret from the viewer in their
key. They are bounded, and drop the oldest entries.
"""

import asyncio
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from fabletop.core.chance import Chance
from fabletop.core.events import Row
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


def undo_now(table: Table, seat: int | None) -> str | None:
    """Why a seat cannot take back its last action; None: it can."""
    if seat is None or table.sitting is None or table.status != PLAYING:
        return "nothing"
    return table.sitting.undo_barrier(seat)


class Preferences(NamedTuple):
    """Optional parts of messages to a subscriber: texts in a language, and the options that cannot be taken back."""

    lang: str | None = None
    reveals: bool = False


PLAIN = Preferences()


WORDS_KEPT = 16_384
"""Events whose text is cached, about half a kilobyte each. The names at a table are part of the key, so the cache fills
with stories of tables that are gone: it is as large as the stories of about forty tables that are being read."""


@lru_cache(maxsize=WORDS_KEPT)
def event_as_json(game: str, row: Row, viewer: int | None) -> msgspec.Raw:
    """An event without words, as a viewer whom it concerns or a spectator (None) may know it; the same at every
    table."""
    event = GAMES[game].events.redact(row, viewer)
    assert event is not None
    return msgspec.Raw(wire.encode(event.json()))


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

    __slots__ = ("_bytes", "_events", "_names", "_views", "_watched", "now", "table")

    def __init__(self, table: Table, now: float) -> None:
        self.table = table
        self.now = now
        self._bytes: ViewBytes | None = None
        self._views: dict[int | None, msgspec.Raw] = {}
        self._events: dict[tuple[int, str | None], tuple[Sequence[int], msgspec.Raw]] = {}
        self._watched: dict[tuple[Preferences, bool], bytes] = {}
        self._names: tuple[str, ...] = ()

    def message(self, update: ViewerUpdate, preferences: Preferences, with_view: bool, done: str) -> bytes:
        """The update for a viewer, with or without the view, with or without an acknowledgement."""
        viewer = update.viewer
        if viewer is None and (preferences, with_view) in self._watched:  # there may be many spectators
            return self._watched[preferences, with_view]
        data = wire.encode(
            wire.Update(
                seq=update.seq,
                events=self.events(viewer, update.places, preferences.lang),
                keep=UNSET if update.keep is None else update.keep,
                choice=self.choice(viewer, preferences) if update.new_choice else UNSET,
                undo=UNSET if viewer is None else undo_now(self.table, viewer),
                view=self.view(viewer) if with_view else UNSET,
                done=done or UNSET,
            )
        )
        if viewer is None:
            self._watched[preferences, with_view] = data
        return data

    def view(self, viewer: int | None) -> msgspec.Raw:
        """A view as bytes."""
        found = self._views.get(viewer)
        if found is None:
            if self._bytes is None:
                assert self.table.sitting is not None
                self._bytes = ViewBytes(self.table.game, self.table.sitting.state)
            found = self._views[viewer] = msgspec.Raw(self._bytes.view(viewer))
        return found

    def events(self, viewer: int | None, places: Sequence[int], lang: str | None) -> list[msgspec.Raw]:
        """The events at these places as this viewer may know them, with words where a language is asked for."""
        found = []
        for place in places:
            known = self._events.get((place, lang))
            if known is None:
                known = self._events[place, lang] = self._to_others(place, lang)
            named, to_others = known
            found.append(self._event(place, viewer, lang) if viewer in named else to_others)
        return found

    def _to_others(self, place: int, lang: str | None) -> tuple[Sequence[int], msgspec.Raw]:
        """The seats that an event names, and the event for all others; empty where they do not receive it."""
        assert self.table.sitting is not None
        row, events = self.table.sitting.rows[place], self.table.game.events
        others = self._event(place, None, lang) if events.hears(row, None) else msgspec.Raw()
        if lang is None and row[0] in events.alike:
            return (), others
        return events.concerned(row), others

    def _event(self, place: int, cursor: int | None, lang: str | None) -> msgspec.Raw:
        assert self.table.sitting is not None
        row = self.table.sitting.rows[place]
        if lang is None:
            return event_as_json(self.table.head.game, row, cursor)
        return event_in_words(self.table.head.game, self.names, row, cursor, lang)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats, found out once."""
        self._names = self._names or self.table.names
        return self._names

    def teller(self, viewer: int | None, lang: str | None) -> Teller | None:
        """Words for a viewer; None where no language is asked for."""
        return None if lang is None else teller_for(self.table.head.game, self.names, viewer, lang)

    def choice(self, seat: int | None, preferences: Preferences) -> wire.ChoiceNow | None:
        """The question that is put to a seat."""
        choice = None if seat is None or self.table.status != PLAYING else self.table.choice(seat)
        if seat is None or choice is None:
            return None
        left, teller = seconds_left(self.table, seat, self.now), self.teller(seat, preferences.lang)
        return wire.ChoiceNow(
            id=self.table.cursors[seat].choice,
            kind=choice.kind,
            options=[self.table.game.actions[action] for action in choice.options],
            about=dict(choice.about),
            prompt="" if teller is None else teller.prompt(choice),
            labels=[] if teller is None else [teller.label(action) for action in choice.options],
            left=None if left is None else max(0.0, round(left, 1)),
            reveals=self._revealing(seat, choice) if preferences.reveals else [],
            reasons=[] if teller is None else self._reasons(seat, choice, teller),
            previews={} if teller is None else self._previews(seat, choice),
        )

    def _reasons(self, seat: int, choice: Choice, teller: Teller) -> list[wire.ReasonNow]:
        """Why something else cannot be chosen, from what this seat may see."""
        assert self.table.sitting is not None
        found = self.table.game.reasons(self.table.sitting.view(seat), choice)
        return [wire.ReasonNow(*why) for why in in_words(teller, found)]

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
        undo=undo_now(table, viewer),
        chat=chat,
        run=run,
        host=host,
        id=look or UNSET,
    )
