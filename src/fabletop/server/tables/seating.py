"""Seating: the commands by which people take seats, leave them to bots, and change their tokens."""

from math import ceil

from fabletop.bots.levels import DEFAULT
from fabletop.server.notify.webhooks import PUSHED
from fabletop.server.protocol import wire
from fabletop.server.protocol.errors import ApiError, worded
from fabletop.server.stores.base import StoreDown
from fabletop.server.stores.entries import Began, Closed, Entry, Left, Renewed, Returned, Sat, Stood
from fabletop.server.tables.access import is_host, need_host
from fabletop.server.tables.call import Call, Reply, command
from fabletop.server.tables.creation import checked_level
from fabletop.server.tables.names import checked_name, free_name, need_own_name
from fabletop.server.tables.table import OPEN
from fabletop.server.tables.tokens import fresh_token, hashed


@command
async def sit(call: Call, message: wire.Sit) -> Reply:
    """Sit down; with the last seat taken the game begins."""
    table = call.table
    if table.status != OPEN:
        raise worded("taken", "table_begun")
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
            raise worded("not_allowed", "no_person")
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
            freed = worded("not_allowed", "seat_freed")
            other.end(wire.Bye(freed.in_language(other.preferences.lang), again=False))
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
        raise worded("not_allowed", "resigned")
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
        raise worded("not_allowed", "no_person")
    if message.seat not in table.asked():
        raise worded("not_asked", "not_waiting")
    name, wait = table.seats[message.seat].name, actor.presence.replaceable(table).get(message.seat)
    if wait is None:
        raise worded("not_allowed", "is_here", name=name)
    if wait > 0:
        raise worded("not_allowed", "just_gone", wait, name=name, seconds=ceil(wait))
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
    for other in list(actor.subscribers):
        if other.key == call.key and other is not call.subscriber:
            actor.part(other)
            changed = worded("not_allowed", "token_changed")
            other.end(wire.Bye(changed.in_language(other.preferences.lang), again=False))
    if call.subscriber is not None:
        call.subscriber.key = new
    try:
        await move_hooks(call, new)
    except StoreDown:  # the old token is of no use any more, so the new one must be sent
        background = actor.services.background
        background.spawn(background.retried(lambda: move_hooks(call, new)))
    return call.done(token=token)


async def move_hooks(call: Call, new: str) -> None:
    """The webhooks of a person whose token was changed are those of the new token."""
    store = call.actor.services.store
    for hook in await store.hooks(call.table.head.id):
        if hook.key.removesuffix(PUSHED) == call.key:
            await store.hook(hook._replace(key=hook.key.replace(call.key, new)))
            await store.hook(hook._replace(url=""))
