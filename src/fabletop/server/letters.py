"""Letters: what is said to each viewer, built up from nothing for that viewer and nobody else."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from fabletop.core.chance import Chance
from fabletop.core.events import Row
from fabletop.core.game import Choice, Outcome, Sight
from fabletop.core.sitting import revealing
from fabletop.games import GAMES
from fabletop.server import wire
from fabletop.server.speaker import Speaker
from fabletop.server.table import OVER, PLAYING, Table, Touch

LATE = 10.0
"""Seconds for a choice of somebody whose time for the whole game is used up."""


def seconds_left(table: Table, seat: int, now: float) -> float | None:
    """How long the seat may still think about its choice; None: as long as it likes."""
    pace = table.head.pace
    if pace.kind == "none":
        return None
    allowed = pace.seconds if pace.kind == "move" else max(LATE, table.bank[seat])
    return allowed - (now - table.asked_since[seat])


def table_now(table: Table, here: Sequence[int] = ()) -> wire.TableNow:
    """The table as everybody sees it; `here` are the seats whose people are connected."""
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
            here=number in here,
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
        # while people act at once and unseen, the time of the last entry would tell of it
        updated=int(table.updated if table.status != PLAYING else head.at),
        outcome=None if over is None else outcome_json(over),
        followed=table.followed,
        closed=table.closed,
    )


def outcome_json(outcome: Outcome) -> dict[str, Any]:
    """A result as it goes over the wire."""
    return {
        "scores": list(outcome.scores),
        "winners": list(outcome.winners),
        "reason": outcome.reason,
        "reckoning": [dict(entry) for entry in outcome.reckoning],
    }


def undo_now(table: Table, seat: int | None) -> str | None:
    """Why a seat cannot take back its last action; None: it can."""
    if seat is None or table.sitting is None or table.status != PLAYING:
        return "nothing"
    return table.sitting.undo_barrier(seat)


class Manner(NamedTuple):
    """How somebody wants to be told: in words of a language, and with the options that cannot be taken back."""

    lang: str | None = None
    reveals: bool = False


PLAIN = Manner()


@lru_cache(maxsize=16_384)
def told(game: str, row: Row, viewer: int | None) -> msgspec.Raw:
    """An event without words, as a viewer whom it concerns or a spectator (None) may know it; the same at every table,
    so it is kept."""
    event = GAMES[game].events.redact(row, viewer)
    assert event is not None
    return msgspec.Raw(wire.encode(event.json()))


@lru_cache(maxsize=65_536)
def written(make: Callable[[Any], Any], key: Any) -> msgspec.Raw:
    """A part of a view as bytes: most are the same as at the last move, so those of some thousand tables are kept."""
    return msgspec.Raw(wire.encode(make(key)))


class Moment:
    """A table as it stands, on its way to several viewers: what is the same for many of them is written only once."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._sight: Sight | None = None
        self._common = b""
        self._views: dict[int | None, msgspec.Raw] = {}
        self._events: dict[tuple[int, int | None, str], msgspec.Raw] = {}
        self._speakers: dict[tuple[int | None, str], Speaker] = {}

    def view(self, viewer: int | None) -> msgspec.Raw:
        """A view as bytes."""
        if self._sight is None:
            assert self.table.sitting is not None
            self._sight = self.table.game.sight(self.table.sitting.state)
            self._common = wire.encode(self._sight.common(written))[:-1] + b","
        if viewer not in self._views:
            only = wire.encode(self._sight.only(viewer, written))
            self._views[viewer] = msgspec.Raw(self._common + only[1:])
        return self._views[viewer]

    def events(self, viewer: int | None, places: Iterable[int], lang: str | None) -> list[msgspec.Raw]:
        """The events at these places as this viewer may know them, in words too where a language is spoken."""
        assert self.table.sitting is not None
        rows, concerns = self.table.sitting.rows, self.table.readers[0].audience.concerns
        game = self.table.head.game
        found = []
        for place in places:
            row = rows[place]
            reader = viewer if concerns(row, viewer) else None
            found.append(told(game, row, reader) if lang is None else self._event(place, reader, lang))
        return found

    def _event(self, place: int, reader: int | None, lang: str) -> msgspec.Raw:
        key = (place, reader, lang)
        if key not in self._events:
            assert self.table.sitting is not None
            event = self.table.game.events.redact(self.table.sitting.rows[place], reader)
            speaker = self.speaker(reader, lang)
            assert event is not None
            assert speaker is not None
            self._events[key] = msgspec.Raw(wire.encode(speaker.event(event)))
        return self._events[key]

    def speaker(self, viewer: int | None, lang: str | None) -> Speaker | None:
        """Words for a viewer; none where no language is spoken."""
        if lang is None:
            return None
        if (viewer, lang) not in self._speakers:
            self._speakers[viewer, lang] = Speaker(self.table, viewer, lang)
        return self._speakers[viewer, lang]

    def choice(self, seat: int | None, now: float, manner: Manner) -> wire.ChoiceNow | None:
        """The question that is put to a seat."""
        choice = None if seat is None or self.table.status != PLAYING else self.table.choice(seat)
        if seat is None or choice is None:
            return None
        left, speaker = seconds_left(self.table, seat, now), self.speaker(seat, manner.lang)
        return wire.ChoiceNow(
            id=self.table.readers[seat].choice,
            kind=choice.kind,
            options=[self.table.game.actions[action] for action in choice.options],
            about=dict(choice.about),
            prompt="" if speaker is None else speaker.prompt(choice),
            labels=[] if speaker is None else [speaker.label(action) for action in choice.options],
            left=None if left is None else max(0.0, round(left, 1)),
            reveals=self._revealing(seat, choice) if manner.reveals else [],
        )

    def _revealing(self, seat: int, choice: Choice) -> list[str]:
        table = self.table
        assert table.sitting is not None
        chance = Chance.from_text(f"reveals {table.head.id} {seat} {table.readers[seat].choice}")
        found = revealing(table.game, table.sitting.view(seat), choice, chance)
        return [table.game.actions[action] for action in found]


def welcome(
    table: Table,
    viewer: int | None,
    *,
    seats: Sequence[int],
    here: Sequence[int],
    seq: int | None,
    now: float,
    manner: Manner,
    chat: list[Any],
    run: str,
    host: bool,
) -> wire.Welcome:
    """Everything that this viewer may know now; of its story only what it missed since update `seq`."""
    reader = table.reader(viewer)
    moment = Moment(table)
    keep = reader.missed_since(seq) if seq is not None else None
    keep = 0 if keep is None else keep
    view: Any = None
    events: list[Any] = []
    if table.sitting is not None:
        view = moment.view(viewer)
        events = moment.events(viewer, reader.places_from(table.sitting.rows, keep), manner.lang)
    return wire.Welcome(
        table=table_now(table, here),
        viewer=viewer,
        seats=list(seats),
        seq=reader.seq,
        keep=keep,
        events=events,
        view=view,
        choice=moment.choice(viewer, now, manner),
        undo=undo_now(table, viewer),
        chat=chat,
        run=run,
        host=host,
    )


class Letter:
    """One update for one viewer, written in as many ways as its readers need and not once more."""

    def __init__(self, moment: Moment, touch: Touch, now: float) -> None:
        self.moment = moment
        self.touch = touch
        self.now = now
        self.seq = moment.table.reader(touch.viewer).seq
        self._written: dict[tuple[Manner, bool, str], bytes] = {}
        self._undo: str | UnsetType | None = UNSET
        if touch.viewer is not None:
            self._undo = undo_now(moment.table, touch.viewer)

    def bytes(self, manner: Manner, with_view: bool, done: str) -> bytes:
        """The update in some manner, with or without the view, with or without an acknowledgement."""
        key = (manner, with_view, done)
        if key not in self._written:
            moment, touch = self.moment, self.touch
            choice: wire.ChoiceNow | UnsetType | None = UNSET
            if touch.asked_anew:
                choice = moment.choice(touch.viewer, self.now, manner)
            self._written[key] = wire.encode(
                wire.Update(
                    seq=self.seq,
                    events=moment.events(touch.viewer, touch.places, manner.lang),
                    keep=UNSET if touch.keep is None else touch.keep,
                    choice=choice,
                    undo=self._undo,
                    view=moment.view(touch.viewer) if with_view else UNSET,
                    done=done or UNSET,
                )
            )
        return self._written[key]
