"""A table: its head and its log, folded. No clock, no network, no store: the same log gives the same table.

`fold` takes an entry that has been checked and returns which viewers get an update. `checked_action` and
`checked_undo` check a request before anything changes.
"""

import logging
from array import array
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from fabletop.core.chance import commitment
from fabletop.core.events import Places, Row, hear_all
from fabletop.core.game import Choice, Game
from fabletop.core.sitting import Sitting, other_cards
from fabletop.games import GAMES, action_numbers
from fabletop.server.protocol.errors import ApiError, worded
from fabletop.server.stores.entries import (
    Acted,
    Agreed,
    Began,
    Closed,
    Entry,
    Followed,
    Head,
    Left,
    Renewed,
    Replied,
    Returned,
    Sat,
    Stood,
    Undid,
)
from fabletop.server.tables.delivery import Cursor

log = logging.getLogger("fabletop.server")
OPEN, PLAYING, OVER, CLOSED = "open", "playing", "over", "closed"
SNAPSHOT_FORM = 3
"""A snapshot of another form is not used."""


class Seat(msgspec.Struct):
    """A place at the table. `bot` is the level of the bot that plays it now; `key` the hash of a person's token."""

    name: str = ""
    key: str = ""
    bot: str = ""
    hot: bool = False
    resigned: bool = False

    @property
    def is_open(self) -> bool:
        """Can somebody sit down here?"""
        return not self.key and not self.bot

    @property
    def is_person(self) -> bool:
        """Does a person play here now?"""
        return bool(self.key) and not self.bot


class ViewerUpdate(msgspec.Struct, frozen=True):
    """The update `seq` of one viewer: the first `keep` of its events remain, then come those at
    `places`. `new_choice`: its choice is another one, or gone."""

    viewer: int | None
    seq: int
    keep: int | None
    places: Places
    new_choice: bool


class Change(msgspec.Struct, frozen=True):
    """The effect of an entry: which viewers get an update, and whether the table itself (seats, status) has changed."""

    updates: dict[int | None, ViewerUpdate]
    table: bool


class Table:
    """The fold of a log."""

    def __init__(self, head: Head) -> None:
        if head.game not in GAMES:
            raise ApiError("unknown", f"this server does not play {head.game!r}")
        self.head = head
        self.game: Game = GAMES[head.game]
        if head.rules != self.game.rules:
            raise ApiError(
                "not_playing",
                f"played under version {head.rules} of the rules of {head.game}; "
                f"this server plays version {self.game.rules}",
            )
        if head.digest not in ("", self.game.digest):
            raise ApiError("not_playing", other_cards("this table plays", self.game, head.digest))
        count: int = head.options["seats"]
        self.seats = [Seat() for _ in range(count)]
        self.sitting: Sitting | None = None
        self.cursors = [Cursor(self.game.events, seat) for seat in range(count)]
        self.cursors.append(Cursor(self.game.events, None))
        self.length = 0
        self.kept = 0
        """How many entries are in the last snapshot."""
        self.ids: dict[tuple[int, str], str] = {}
        """What each seat has done, by the id that it gave: the action, or nothing for an undo."""
        self.replies: dict[tuple[str, str], Replied] = {}
        """The other verbs that are done, by the key and the id with which they were asked for."""
        self.status = OPEN
        self.closed = ""
        self.followed = ""
        self.agreed: dict[str, float] = {}
        """The people who want a rematch, by their keys, and since when."""
        self.summary: tuple[Mapping[str, int], str] | None = None
        """What lists show, and of which progress; None where the seats have changed since (listing.py)."""
        self.updated = head.at
        self._asked: list[int] = []
        """The seats that the game asks, since the last entry."""
        self.asked_since = [0.0] * count
        self.bank = [head.pace.seconds] * count
        self.clocks: list[list[tuple[float, float]]] = [[] for _ in range(count)]
        """For each action that a seat may take back: since when it was asked, and what was in its bank. A seat that
        takes it back has that again, and no new time to think."""

    # ---- looking ----------------------------------------------------------------------------

    @property
    def commitment(self) -> str:
        """What is published before the game so that the seed can be checked after it."""
        return commitment(self.head.seed, self.head.salt)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats."""
        return tuple(seat.name or f"{number + 1}" for number, seat in enumerate(self.seats))

    def asked(self) -> list[int]:
        """The seats that have something to decide."""
        return self._asked if self.status == PLAYING else []

    def cursor(self, viewer: int | None) -> Cursor:
        """A viewer's place in the story."""
        return self.cursors[len(self.seats) if viewer is None else viewer]

    def choice(self, seat: int) -> Choice | None:
        """The question that is put to a seat."""
        if self.sitting is None or self.cursors[seat].choice < 0:
            return None
        return self.sitting.pending.get(seat)

    def opens(self, key: str, seat: int) -> bool:
        """Does a token open this seat, by its hash?"""
        return bool(key) and seat < len(self.seats) and self.seats[seat].key == key

    def seats_of(self, key: str) -> tuple[int, ...]:
        """The seats that a token opens, by its hash."""
        return tuple([i for i, seat in enumerate(self.seats) if seat.key == key]) if key else ()

    # ---- checking ---------------------------------------------------------------------------

    def checked_action(self, seat: int, choice: int | None, action: int | str) -> int:
        """The number of an action that the seat may take now; ApiError says why not. This is where legality is asked:
        `fold` trusts the number."""
        if self.status != PLAYING or self.sitting is None:
            raise worded("not_playing", "nothing_played")
        cursor = self.cursors[seat]
        if choice is not None and choice != cursor.choice and choice <= cursor.seq:
            raise ApiError("stale", f"choice {choice} has already been answered or taken back")
        if choice is not None and choice > cursor.seq:
            raise ApiError("stale", f"choice {choice} has not been put to you")
        if cursor.choice < 0:
            raise worded("not_asked", "not_asked")
        if isinstance(action, str):
            known = action_numbers(self.head.game).get(action)
            number = self.game.parse(action) if known is None else known
        else:
            number = action
        if not self.sitting.state.offers(seat, number):
            shown = self.game.actions[number] if 0 <= number < len(self.game.actions) else number
            raise ApiError("not_offered", f"{shown} is not among the options of choice {cursor.choice}")
        return number

    def checked_undo(self, seat: int) -> None:
        """Can the seat take back its last action?"""
        if self.status != PLAYING or self.sitting is None:
            raise worded("not_playing", "nothing_played")
        why = self.sitting.undo_barrier(seat)
        if why is not None:
            raise worded("cannot_undo", f"undo_{why}")

    # ---- folding ----------------------------------------------------------------------------

    def fold(self, entry: Entry, action: int | None = None) -> Change:
        """Take one more entry of the log. `action` is the number of an action that `checked_action` has just checked;
        without it, as on replay, the text of the entry is looked up and checked."""
        self._note(entry)
        match entry:
            case Acted():
                return self._act(entry, action)
            case Undid():
                return self._undo(entry)
            case Began():
                return self._begin(entry)
            case Replied():
                return Change({}, False)
            case _:
                self._arrange(entry)
                return Change({}, True)

    def _note(self, entry: Entry) -> None:
        self.length += 1
        if not isinstance(entry, Replied):
            self.updated = entry.at
        match entry:
            case Acted() if entry.id:
                self.ids[entry.seat, entry.id] = entry.action
            case Undid() if entry.id:
                self.ids[entry.seat, entry.id] = ""
            case Replied():
                self.replies[entry.key, entry.id] = entry
            case Renewed():  # what was asked for with the old token may be asked for again with the new one
                known = [reply for (key, _), reply in self.replies.items() if key == entry.old]
                self.replies.update({(entry.key, reply.id): reply for reply in known})

    def _arrange(self, entry: Entry) -> None:
        """Entries that concern the seats and the table, not the game."""
        self.summary = None
        match entry:
            case Sat():
                self.seats[entry.seat] = Seat(entry.name, entry.key, entry.bot, entry.hot)
            case Stood():
                self.seats[entry.seat] = Seat()
            case Left():
                self.seats[entry.seat].bot = entry.level
                self.seats[entry.seat].resigned = entry.for_good
            case Returned():
                self.seats[entry.seat].bot = ""
                self.asked_since[entry.seat] = entry.at
            case Renewed():
                for seat in self.seats:
                    if seat.key == entry.old:
                        seat.key = entry.key
                if entry.old in self.agreed:
                    self.agreed[entry.key] = self.agreed.pop(entry.old)
            case Agreed():
                self.agreed.pop(entry.key, None)
                if entry.agree:
                    self.agreed[entry.key] = entry.at
            case Followed():
                self.followed = entry.table
            case Closed():
                self.closed = entry.reason
                self.status = CLOSED

    def _begin(self, entry: Began) -> Change:
        head = self.head
        self.sitting = Sitting(
            self.game, head.options, seed=head.seed, names=self.names, salt=head.salt, start=head.start
        )
        self.status = PLAYING
        return Change(self._viewer_updates(None, entry.at), True)

    def _act(self, entry: Acted, action: int | None) -> Change:
        assert self.sitting is not None
        state = self.sitting.state
        half_step = self.game.half_step(state)
        pace = self.head.pace
        if pace.kind != "none":
            if self.sitting.undo_barrier(entry.seat) is not None:
                self.clocks[entry.seat].clear()
            self.clocks[entry.seat].append((self.asked_since[entry.seat], self.bank[entry.seat]))
        if pace.kind == "game":
            spent = max(0.0, entry.at - self.asked_since[entry.seat])
            self.bank[entry.seat] = max(0.0, self.bank[entry.seat] - spent) + pace.extra
        if action is None:
            self.sitting.act(entry.seat, action_numbers(self.head.game).get(entry.action, entry.action))
        else:
            self.sitting.act_offered(entry.seat, action)
        seen = self.game.half_step(state) != half_step
        updates = self._viewer_updates(entry.seat, entry.at, seen)
        over = not self._asked and self.sitting.outcome is not None
        if over:
            self.status = OVER
        return Change(updates, over)

    def _viewer_updates(
        self, actor: int | None, at: float, seen: bool = False
    ) -> dict[int | None, ViewerUpdate]:
        """The viewers that get an update for the last action: none for whom nothing is different.

        A viewer sees a difference if it acted, receives an event, has learned something, or if everybody does: other
        seats are asked, or the decision under way has got a step further (`seen`).
        """
        assert self.sitting is not None
        state, before, asked = self.sitting.state, self._asked, self.sitting.state.asked()
        self._asked = asked
        everybody, learned = seen or asked != before, state.learned
        heard = hear_all(self.cursors, self.sitting.rows)
        updates = {}
        for number, cursor in enumerate(self.cursors):
            places = heard[number]
            if everybody or places or number == actor or learned >> number & 1:
                seq, concerned = cursor.update(), cursor.choice >= 0 or number in asked
                new = concerned and self._put(number, number == actor or number not in before, at)
                updates[cursor.viewer] = ViewerUpdate(cursor.viewer, seq, None, places, new)
        return updates

    def _put(self, number: int, new: bool, at: float) -> bool:
        """Put its choice to a viewer; True where it gets another one, or no longer has one."""
        asked = number in self._asked
        other = self.cursors[number].put(asked, new)
        if other and asked:
            self.asked_since[number] = at
        return other

    def _undo(self, entry: Undid) -> Change:
        """Take back; viewers whose story is the same with and without it get no update."""
        assert self.sitting is not None
        old, before, choices = self.sitting.rows, self._asked, self.sitting.pending
        self.sitting.undo(entry.seat)
        rows, now = self.sitting.rows, self.sitting.pending
        self._asked = self.sitting.state.asked()
        updates = {}
        for number, cursor in enumerate(self.cursors):
            heard = cursor.hear_again(rows)
            keep = self._agree(cursor, old, heard, rows)
            news = cursor.heard[keep:]
            new = number == entry.seat or choices.get(number) != now.get(number)
            if not (new or keep < len(heard) or news or self._asked != before):
                continue
            seq = cursor.update(keep)
            new = self._put(number, new or number not in before, entry.at)
            kept = keep if keep < len(heard) else None
            updates[cursor.viewer] = ViewerUpdate(cursor.viewer, seq, kept, news, new)
        if self.clocks[entry.seat]:
            self.asked_since[entry.seat], self.bank[entry.seat] = self.clocks[entry.seat].pop()
        return Change(updates, False)

    def _agree(self, cursor: Cursor, old: Sequence[Row], heard: Places, rows: Sequence[Row]) -> int:
        """How many events are the same to this viewer as before; `heard` are those of the old rows that it had
        received."""
        redact, viewer, count = self.game.events.redact, cursor.viewer, 0
        for was, now in zip(heard, cursor.heard, strict=False):
            if old[was] != rows[now] and redact(old[was], viewer) != redact(rows[now], viewer):
                break
            count += 1
        return count

    # ---- snapshots --------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """What a reload need not replay: the sitting, and each viewer's place. A cache; the log is the truth."""
        assert self.sitting is not None
        cursors = [[r.choice, list(r.knew), r.undone] for r in self.cursors]
        return msgspec.json.encode(
            {
                "form": SNAPSHOT_FORM,
                "length": self.length,
                "sitting": self.sitting.saved(),
                "readers": cursors,
                "asked_since": self.asked_since,
                "bank": self.bank,
                "clocks": self.clocks,
                "status": self.status,
            }
        )

    def _restore(self, saved: Mapping[str, Any]) -> None:
        head = self.head
        self.sitting = Sitting.resumed(
            self.game, head.options, head.seed, self.names, saved["sitting"], head.salt, head.start
        )
        for cursor, (choice, knew, undone) in zip(self.cursors, saved["readers"], strict=True):
            cursor.hear(self.sitting.rows)
            cursor.seq, cursor.choice, cursor.knew = len(knew) - 1, choice, array("I", knew)
            cursor.undone = [(seq, keep) for seq, keep in undone]
        self._asked = self.sitting.state.asked()
        self.asked_since, self.bank, self.status = saved["asked_since"], saved["bank"], saved["status"]
        self.clocks = [[(since, bank) for since, bank in clock] for clock in saved["clocks"]]

    def _skip(self, entry: Entry) -> None:
        """Fold an entry whose effect on the game a snapshot holds."""
        self._note(entry)
        if not isinstance(entry, Acted | Undid | Began):
            self._arrange(entry)


def opened(head: Head, entries: Sequence[Entry], snapshot: bytes | None = None) -> Table:
    """The table as it stood after the last entry. A snapshot that does not fit or is damaged is not used."""
    table = (snapshot and _from_snapshot(head, entries, snapshot)) or Table(head)
    for entry in entries[table.length :]:
        table.fold(entry)
    return table


def _from_snapshot(head: Head, entries: Sequence[Entry], snapshot: bytes) -> Table | None:
    """The table as it stood when the snapshot was made; None where that cannot be."""
    table = Table(head)
    try:
        saved = msgspec.json.decode(snapshot)
        if saved["form"] != SNAPSHOT_FORM or not 0 < saved["length"] <= len(entries):
            return None
        for entry in entries[: saved["length"]]:
            table._skip(entry)
        table._restore(saved)
    except Exception as error:  # it is only a cache: whatever is wrong with it, the log is right
        log.warning("a snapshot of table %s cannot be used: %s", head.id, type(error).__name__)
        return None
    table.kept = table.length
    return table
