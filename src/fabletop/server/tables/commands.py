"""Commands: what a table can be asked to do, verb by verb: who may, when, and what it does.

`run` is the one way in, for sockets and HTTP alike. A command is registered by the type of its message. Nothing is
written before everything is checked.

What carries an `id` is done once: a command writes a `Replied` entry with its other entries, and the same id again gets
the first answer. Actions and undos keep their id in their own entry.
"""

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple, TypeVar, get_type_hints

from msgspec import structs

from fabletop.bots.levels import DEFAULT
from fabletop.core.chance import Chance
from fabletop.core.errors import BadText, FabletopError
from fabletop.server.bots.scheduler import Rank
from fabletop.server.notify.webhooks import PUSHED
from fabletop.server.protocol import wire
from fabletop.server.protocol.errors import ApiError, busy
from fabletop.server.stores.base import Hook, StoreDown
from fabletop.server.stores.entries import (
    Acted,
    Began,
    Closed,
    Entry,
    Left,
    Renewed,
    Replied,
    Returned,
    Sat,
    Stood,
    Undid,
)
from fabletop.server.tables.access import is_host, need_host, seat_for
from fabletop.server.tables.actor import TableActor
from fabletop.server.tables.creation import checked_level
from fabletop.server.tables.driver import asker_at
from fabletop.server.tables.messages import seconds_left_after_undo
from fabletop.server.tables.names import checked_name, free_name, need_own_name
from fabletop.server.tables.outbox import durable
from fabletop.server.tables.registry import Registry
from fabletop.server.tables.subscriber import Subscriber
from fabletop.server.tables.table import CLOSED, OPEN, OVER, PLAYING, Table
from fabletop.server.tables.tokens import checked_line, fresh_token, hashed

Reply = wire.Done | wire.Hinted


class Call(NamedTuple):
    """One message on its way: to which table, from whom (`key`), over which socket (None: over HTTP), with which id."""

    registry: Registry
    actor: TableActor
    key: str
    subscriber: Subscriber | None
    id: str = ""
    meant: str = ""
    """A hash of the message; empty where it has no id."""

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self.actor.table

    def now(self) -> float:
        """The time for the log."""
        return self.actor.services.now()

    def named(self, seat: int | None) -> int | None:
        """The seat that a message names, or else the one from which its socket looks."""
        return seat if seat is not None or self.subscriber is None else self.subscriber.viewer

    def seat(self, named: int | None = None) -> int:
        """The seat that the sender acts for."""
        return seat_for(self.table, self.key, named)

    def need_playing(self) -> None:
        """Refuse what makes sense only while the game is on."""
        if self.table.status != PLAYING:
            raise ApiError("not_playing", f"the table is {self.table.status}, nothing is being played")

    async def write(self, *entries: Entry, seat: int | None = None, line: int | None = None) -> None:
        """Write entries, and that this message is done; wait until both are durable."""
        replied = [Replied(self.now(), self.key, self.id, self.meant, seat, line)] if self.id else []
        if entries or replied:
            await self.actor.write(*entries, *replied)

    def done(self, **more: Any) -> wire.Done:
        """The answer."""
        return wire.Done(id=self.id, **more)


Command = Callable[[Call, Any], Awaitable[Reply | None]]
COMMANDS: dict[type[wire.Request], Command] = {}
"""What carries out a message, by its type."""
C = TypeVar("C", bound=Command)


def command(function: C) -> C:
    """Register a command for the type of its second parameter."""
    kind = get_type_hints(function)["message"]
    COMMANDS[kind] = function
    return function


async def run(
    registry: Registry, actor: TableActor, key: str, message: wire.Request, subscriber: Subscriber | None
) -> Reply | None:
    """Carry out a message at a table of this worker; None where the answer has been sent already, with an update or a
    welcome."""
    if actor.error is not None:
        raise actor.error
    carry_out = COMMANDS.get(type(message))
    if carry_out is None:
        raise ApiError("bad_message", "this cannot be asked of a table")
    call = Call(registry, actor, key, subscriber, getattr(message, "id", ""))
    try:
        if call.id and not isinstance(message, OWN_IDS):
            call = call._replace(key=_sender(key, message), meant=_hash(message))
            again = await _again(call, message)
            if again is not None:
                return again
        return await carry_out(call, message)
    except ApiError:
        raise
    except StoreDown:
        raise busy() from None
    except FabletopError as error:
        raise ApiError("not_offered", str(error)) from None


# ---- the same id once more ------------------------------------------------------------------------------------------

OWN_IDS = (wire.Act, wire.Undo, wire.Hint, wire.Look, wire.Rematch)
"""Messages whose id is kept in their own entry, or that may be carried out again: nothing is changed by them, or the
answer is the same."""


def _sender(key: str, message: wire.Request) -> str:
    """The key under which a message is remembered: nobody has one before sitting down, so it is that of the token which
    the client has chosen."""
    if isinstance(message, wire.Sit | wire.Renew) and message.token is None:
        raise ApiError("bad_message", "with an id, bring a token of your own: it could not be told again")
    return hashed(message.token) if isinstance(message, wire.Sit) else key


def _hash(message: wire.Request) -> str:
    """What a message means. It may hold a token, so only a hash is stored."""
    return hashlib.sha256(type(message).__name__.encode() + wire.encode(message)).hexdigest()[:32]


async def _again(call: Call, message: wire.Request) -> wire.Done | None:
    """The first answer to this id; None where it has not been used."""
    reply = call.table.replies.get((call.key, call.id))
    if reply is None:
        return None
    if reply.meant != call.meant:
        raise ApiError("bad_message", f"the id {call.id!r} was used for something else")
    await call.actor.caught_up()
    match message:
        case wire.Sit():
            return call.done(token=message.token, seat=reply.seat, table=call.table.head.id)
        case wire.Renew():
            assert message.token is not None
            await _move_hooks(call, hashed(message.token))
            return call.done(token=message.token)
        case wire.Chat():
            assert reply.seat is not None
            assert reply.line is not None
            await _store_line(call, reply.line, reply.seat, checked_line(message.text))
    return call.done()


async def _acted_again(call: Call, message: wire.Act | wire.Undo, named: int | None) -> wire.Done | None:
    """The same for an action or an undo, at the seat that is named or at any of the sender's."""
    table = call.table
    seat = next(
        (s for s in table.seats_of(call.key) if (s, call.id) in table.ids and named in (None, s)), None
    )
    if seat is None:
        return None
    if table.ids[seat, call.id] != _action_meant(table, message):
        raise ApiError("bad_message", f"the id {call.id!r} was used for something else")
    await call.actor.caught_up()
    return call.done(seq=table.cursors[seat].seq)


def _action_meant(table: Table, message: wire.Act | wire.Undo) -> str:
    """The action that a message names, however it is written, as a log has it; nothing for an undo."""
    if isinstance(message, wire.Undo):
        return ""
    try:
        number = message.action if isinstance(message.action, int) else table.game.parse(message.action)
    except BadText:
        return "?"
    return table.game.actions[number] if number < len(table.game.actions) else "?"


# ---- the game -------------------------------------------------------------------------------------------------------


@command
async def act(call: Call, message: wire.Act) -> Reply | None:
    """Answer a choice."""
    actor, table, named = call.actor, call.table, call.named(message.seat)
    again = await _acted_again(call, message, named)
    if again is not None:
        return again
    seat = call.seat(named)
    if table.seats[seat].bot:
        raise ApiError("not_asked", "a bot plays for you; take your seat back first")
    since = actor.services.ticks()
    try:
        action = table.checked_action(seat, message.choice, message.action)
    except BadText as error:
        raise ApiError("bad_message", str(error)) from None
    own = call.subscriber if call.subscriber is not None and call.subscriber.viewer == seat else None
    entry = Acted(call.now(), seat, table.game.actions[action], call.id)
    stored, acknowledged = actor.put(entry, subscriber=own, done=call.id, since=since, action=action)
    if acknowledged:
        return None
    await durable(stored)
    return call.done(seq=table.cursors[seat].seq)


@command
async def undo(call: Call, message: wire.Undo) -> Reply | None:
    """Take back the last action. The clock goes on as if it had not been taken."""
    actor, table, named = call.actor, call.table, call.named(message.seat)
    again = await _acted_again(call, message, named)
    if again is not None:
        return again
    seat = call.seat(named)
    if table.seats[seat].bot:
        raise ApiError("not_asked", "a bot plays for you; take your seat back first")
    table.checked_undo(seat)
    if table.length >= actor.services.settings.most_actions:
        raise ApiError("cannot_undo", "too much has been done and taken back here; play on")
    left = seconds_left_after_undo(table, seat, call.now())
    if left is not None and left <= 0:
        raise ApiError("cannot_undo", "this cannot be taken back: the time to think about it is over")
    own = call.subscriber if call.subscriber is not None and call.subscriber.viewer == seat else None
    acknowledged = await actor.write(Undid(call.now(), seat, call.id), subscriber=own, done=call.id)
    return None if acknowledged else call.done(seq=table.cursors[seat].seq)


@command
async def hint(call: Call, message: wire.Hint) -> Reply:
    """What a strong bot would do; from the view of the seat and nothing else."""
    actor, table, seat = call.actor, call.table, call.seat(call.named(message.seat))
    if any(other != seat and not place.bot for other, place in enumerate(table.seats)):
        raise ApiError("no_hint", "hints are for games in which all others are bots")
    choice = table.choice(seat) if table.status == PLAYING else None
    if choice is None or table.sitting is None:
        raise ApiError("not_asked", "you are not asked anything now")
    if actor.hinting:
        raise ApiError("too_many", "one hint at a time")
    number = table.cursors[seat].choice
    word = Chance.from_text(f"hint {table.head.id} {seat} {number}").word()
    actor.hinting = True
    try:
        found = await actor.services.thinkers.hint(
            table.sitting.view(seat),
            choice,
            word,
            actor.services.settings.hint_milliseconds,
            asker_at(actor, Rank.HINT),
        )
    finally:
        actor.hinting = False
    if found is None:
        raise ApiError("busy", "no hint is available at the moment; try again")
    options = [_advice(table, option) for option in found]
    return wire.Hinted(id=call.id, choice=number, options=options)


def _advice(table: Table, option: Mapping[str, Any]) -> wire.Advice:
    """What a bot found out about an option, with its text."""
    return wire.Advice(
        action=table.game.actions[int(option["action"])],
        victory=option["victory"],
        points=option["points"],
        visits=int(option["visits"]),
    )


@command
async def look(call: Call, message: wire.Look) -> None:
    """The whole view again, or from another seat."""
    if call.subscriber is None:
        raise ApiError("bad_message", "only a socket can look")
    await call.actor.show(call.subscriber, call.named(message.seat), None, call.id)


@command
async def chat(call: Call, message: wire.Chat) -> Reply:
    """Say something."""
    seat, text = call.seat(call.named(None)), checked_line(message.text)
    if not call.actor.chat.allows(call.key):
        raise ApiError("too_many", "too many lines of chat; wait a moment")
    line = call.actor.chat.next_number()
    await call.write(seat=seat, line=line)  # first: should we stop in between, the line is stored on retry
    await _store_line(call, line, seat, text)
    return call.done()


async def _store_line(call: Call, n: int, seat: int, text: str) -> None:
    """Store a line of chat and tell it, unless that is done already."""
    if call.actor.chat.lacks(n):
        line = await call.actor.chat.store(n, seat, text)
        if call.actor.chat.lacks(n):
            call.actor.spread(line)


# ---- seats ----------------------------------------------------------------------------------------------------------


@command
async def sit(call: Call, message: wire.Sit) -> Reply:
    """Sit down; with the last seat taken the game begins."""
    table = call.table
    if table.status != OPEN:
        raise ApiError("taken", f"nobody can sit down any more: the table is {table.status}")
    name = checked_name(message.name)
    need_own_name(name, [seat.name for seat in table.seats])
    free = [number for number, seat in enumerate(table.seats) if seat.is_open]
    if message.seat is not None and message.seat not in free:
        raise ApiError("taken", f"seat {message.seat} is not free; free are {free}")
    token = message.token or fresh_token()
    if table.seats_of(hashed(token)) or is_host(table, hashed(token)):
        raise ApiError("taken", "this token is used at this table already; make a new one")
    seat = free[0] if message.seat is None else message.seat
    entries: list[Entry] = [Sat(call.now(), seat, name, key=hashed(token))]
    if len(free) == 1:
        entries.append(Began(call.now()))
    await call.write(*entries, seat=seat)
    return call.done(token=token, seat=seat, table=table.head.id)


@command
async def start(call: Call, message: wire.Start) -> Reply:
    """Deal; bots take the open seats."""
    table = call.table
    need_host(table, call.key)
    if table.status != OPEN:
        raise ApiError("not_playing", f"the table is {table.status}; only an open one can be started")
    level, now = checked_level(message.level), call.now()
    names = [seat.name for seat in table.seats]
    entries: list[Entry] = []
    for number, seat in enumerate(table.seats):
        if seat.is_open:
            name = free_name(names)
            names.append(name)
            entries.append(Sat(now, number, name, bot=level))
    await call.write(*entries, Began(now))
    return call.done()


@command
async def stand(call: Call, message: wire.Stand) -> Reply:
    """Get up before the game has begun, or, as the host, free the seat of somebody."""
    actor, table = call.actor, call.table
    seats = table.seats_of(call.key)
    if message.seat is not None and is_host(table, call.key):
        if message.seat >= len(table.seats) or not table.seats[message.seat].is_person:
            raise ApiError("not_allowed", f"no person sits at seat {message.seat}")
        seats = (message.seat,)
    elif message.seat is not None:
        seats = (call.seat(message.seat),)
    else:
        call.seat()
    if table.status != OPEN:
        raise ApiError("not_playing", "the game has begun; use `leave`, `resign` or `replace`")
    keys = {table.seats[seat].key for seat in seats}
    theirs = [other for other in actor.subscribers if other.key in keys]
    for other in theirs:  # before anybody else can sit down there
        other.seats = tuple(seat for seat in other.seats if seat not in seats)
        if other.viewer in seats:
            other.viewer = other.seats[0] if other.seats else None
    await call.write(*(Stood(call.now(), seat) for seat in seats))
    for other in theirs:
        if not other.seats and not table.head.spectators and not is_host(table, other.key):
            actor.part(other)
            why = "your seat at a table that is not open to spectators is free again"
            other.end(wire.Bye(why, again=False))
    return call.done()


@command
async def leave(call: Call, message: wire.Leave) -> Reply:
    """A bot plays on."""
    call.seat()
    call.need_playing()
    level, table = checked_level(message.level), call.table
    mine = [seat for seat in table.seats_of(call.key) if not table.seats[seat].bot]
    await call.write(*(Left(call.now(), seat, level) for seat in mine))
    return call.done()


@command
async def back(call: Call, message: wire.Back) -> Reply:
    """Take the seat back from the bot."""
    call.seat()
    call.need_playing()
    seats = [(number, call.table.seats[number]) for number in call.table.seats_of(call.key)]
    if all(seat.resigned for _, seat in seats):
        raise ApiError("not_allowed", "you have resigned; the bot plays your seat to the end")
    left = [number for number, seat in seats if seat.bot and not seat.resigned]
    await call.write(*(Returned(call.now(), number) for number in left))
    return call.done()


@command
async def resign(call: Call, message: wire.Resign) -> Reply:
    """Give up for good; when no person is left, the table is closed."""
    call.seat()
    call.need_playing()
    now, seats, mine = call.now(), call.table.seats, call.table.seats_of(call.key)
    entries: list[Entry] = [Left(now, s, DEFAULT, for_good=True) for s in mine if not seats[s].resigned]
    if not any(s not in mine and seat.key and not seat.resigned for s, seat in enumerate(seats)):
        entries.append(Closed(now, "resigned"))
    await call.write(*entries)
    return call.done()


@command
async def replace(call: Call, message: wire.Replace) -> Reply:
    """A bot plays for somebody who keeps the others waiting."""
    actor, table = call.actor, call.table
    if not is_host(table, call.key):
        call.seat()
    call.need_playing()
    if message.seat >= len(table.seats) or not table.seats[message.seat].is_person:
        raise ApiError("not_allowed", f"seat {message.seat} is not played by a person")
    if message.seat not in table.asked():
        raise ApiError("not_asked", f"seat {message.seat} does not keep anybody waiting")
    waited = min(actor.away_for(message.seat), call.now() - table.asked_since[message.seat])
    wait = actor.services.settings.away - waited
    if wait > 0:
        name = table.seats[message.seat].name
        raise ApiError("not_allowed", f"{name} is here or has just gone; wait {wait:.0f} seconds")
    await call.write(Left(call.now(), message.seat, checked_level(message.level)))
    return call.done()


@command
async def renew(call: Call, message: wire.Renew) -> Reply:
    """A new token for an old one."""
    actor, table = call.actor, call.table
    call.seat()
    token = message.token or fresh_token()
    new = hashed(token)
    if new == call.key:
        return call.done(token=token)
    if table.seats_of(new) or is_host(table, new):
        raise ApiError("taken", "this token is used at this table already; make a new one")
    await call.write(Renewed(call.now(), call.key, new))
    await _move_hooks(call, new)
    for other in list(actor.subscribers):
        if other.key == call.key and other is not call.subscriber:
            actor.part(other)
            other.end(wire.Bye("the token of this seat has been changed", again=False))
    if call.subscriber is not None:
        call.subscriber.key = new
    return call.done(token=token)


async def _move_hooks(call: Call, new: str) -> None:
    """The webhooks of a person whose token was changed are those of the new token."""
    store = call.actor.services.store
    for hook in await store.hooks(call.table.head.id):
        if hook.key.removesuffix(PUSHED) == call.key:
            await store.hook(hook._replace(key=hook.key.replace(call.key, new)))
            await store.hook(hook._replace(url=""))


# ---- the table ------------------------------------------------------------------------------------------------------


@command
async def close(call: Call, message: wire.Close) -> Reply:
    """Give the game up: the last person may, and the host where not more than one person plays."""
    table = call.table
    people = {seat.key for seat in table.seats if seat.key and not seat.resigned}
    if people != {call.key}:
        need_host(table, call.key)
        if len(people) > 1 and table.status == PLAYING:
            raise ApiError("not_allowed", "others are playing; they can go on without you")
    if table.status in (OVER, CLOSED):
        raise ApiError("not_playing", f"the table is {table.status} already")
    await call.write(Closed(call.now(), "closed"))
    return call.done()


@command
async def rematch(call: Call, message: wire.Rematch) -> Reply:
    """The same people at a new table."""
    return structs.replace(await call.registry.rematch(call.actor, call.key), id=call.id)


@command
async def webhook(call: Call, message: wire.Webhook) -> Reply:
    """Where to call when it is this seat's turn."""
    call.seat()
    if message.url:
        call.actor.services.notices.check(message.url)
    await call.actor.services.store.hook(Hook(call.table.head.id, call.key, message.url))
    await call.write()
    return call.done()


@command
async def push(call: Call, message: wire.Push) -> Reply:
    """Where to push when it is this seat's turn."""
    call.seat()
    if call.actor.services.notices.key is None:
        raise ApiError("not_allowed", "this server does not push; it lacks the extra `push`")
    if message.endpoint:
        call.actor.services.notices.check(message.endpoint)
    await call.actor.services.store.hook(Hook(call.table.head.id, call.key + PUSHED, message.endpoint))
    await call.write()
    return call.done()
