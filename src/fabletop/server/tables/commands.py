"""What may be asked of a live table, verb by verb: who may, when, and what it does.

Every verb is authenticated by the hash of a token. Nothing is written before everything is checked.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from fabletop.bots.levels import DEFAULT, LEVELS
from fabletop.core.chance import Chance
from fabletop.core.errors import BadText, FabletopError
from fabletop.server.notify.webhooks import PUSHED
from fabletop.server.protocol import wire
from fabletop.server.protocol.errors import Refused, busy
from fabletop.server.stores.base import Hook, StoreDown
from fabletop.server.stores.entries import (
    Acted,
    Began,
    Closed,
    Entry,
    Left,
    Renewed,
    Returned,
    Sat,
    Stood,
    Undid,
)
from fabletop.server.tables.actor import Line, Live, chat_line, spread_chat
from fabletop.server.tables.messages import seconds_left_after_undo
from fabletop.server.tables.table import CLOSED, OPEN, OVER, PLAYING
from fabletop.server.tables.tokens import checked_line, checked_name, fresh_token, hashed

BOT_NAMES = ("Bramble", "Clover", "Fern", "Hazel", "Moss", "Rowan", "Sorrel", "Yarrow")

Answer = wire.Done | wire.Hinted


def checked_level(level: str) -> str:
    """A level of bots; empty is the usual one."""
    if not level:
        return DEFAULT
    if level not in LEVELS:
        raise Refused("bad_message", f"there is no level {level!r}; the levels are {', '.join(LEVELS)}")
    return level


def free_name(taken: list[str]) -> str:
    """A name for a bot that nobody at the table has."""
    others = {name.casefold() for name in taken}
    names = (*BOT_NAMES, *(f"{BOT_NAMES[0]} {n}" for n in range(2, 20)))
    return next(name for name in names if name.casefold() not in others)


async def act(live: Live, key: str, said: wire.Act, line: Line | None) -> Answer | None:
    """Answer a choice."""
    named = said.seat if said.seat is not None else line.viewer if line else None
    again = await _again(live, key, named, said)
    if again is not None:
        return again
    seat = live.seat_for(key, named)
    if live.table.seats[seat].bot:
        raise Refused("not_asked", "a bot plays for you; take your seat back first")
    began = live.house.ticks()
    try:
        action = live.table.checked_action(seat, said.choice, said.action)
    except BadText as error:
        raise Refused("bad_message", str(error)) from None
    entry = Acted(live.house.now(), seat, action, said.id)
    own = line if line is not None and line.viewer == seat else None
    stored, acknowledged = live.put(entry, line=own, done=said.id, since=began)
    if acknowledged:
        return None
    await live.durable(stored)
    return wire.Done(id=said.id, seq=live.table.readers[seat].seq)


async def _again(live: Live, key: str, named: int | None, said: wire.Act | wire.Undo) -> wire.Done | None:
    """The same id once more, at the seat that is named or at any of this token's: it was carried out then, and is
    acknowledged when it is durable."""
    table = live.table
    seat = next((s for s in table.seats_of(key) if (s, said.id) in table.ids and named in (None, s)), None)
    if seat is None:
        return None
    if table.ids[seat, said.id] != _meant(live, said):
        raise Refused("bad_message", f"the id {said.id!r} was used for something else")
    await live.caught_up()
    return wire.Done(id=said.id, seq=table.readers[seat].seq)


def _meant(live: Live, said: wire.Act | wire.Undo) -> str:
    """The action that a message names, however it is written, as a log has it; nothing for an undo."""
    if isinstance(said, wire.Undo):
        return ""
    game = live.table.game
    try:
        number = said.action if isinstance(said.action, int) else game.parse(said.action)
    except BadText:
        return "?"
    return game.actions[number] if number < len(game.actions) else "?"


async def undo(live: Live, key: str, said: wire.Undo, line: Line | None) -> Answer | None:
    """Take back the last action. The clock goes on as if it had not been taken."""
    named = said.seat if said.seat is not None else line.viewer if line else None
    again = await _again(live, key, named, said)
    if again is not None:
        return again
    seat = live.seat_for(key, named)
    if live.table.seats[seat].bot:
        raise Refused("not_asked", "a bot plays for you; take your seat back first")
    live.table.checked_undo(seat)
    if live.table.length >= live.house.settings.most_actions:
        raise Refused("cannot_undo", "too much has been done and taken back here; play on")
    left = seconds_left_after_undo(live.table, seat, live.house.now())
    if left is not None and left <= 0:
        raise Refused("cannot_undo", "this cannot be taken back: the time to think about it is over")
    own = line if line is not None and line.viewer == seat else None
    acknowledged = await live.write(Undid(live.house.now(), seat, said.id), line=own, done=said.id)
    return None if acknowledged else wire.Done(id=said.id, seq=live.table.readers[seat].seq)


async def chat(live: Live, key: str, said: wire.Chat, line: Line | None) -> Answer:
    """Say something."""
    seat = live.seat_for(key, line.viewer if line else None)
    text = checked_line(said.text)
    if not live.may_talk(key):
        raise Refused("too_many", "too many lines of chat; wait a moment")
    spoken = chat_line(live, seat, text)
    await live.house.store.say(live.table.head.id, spoken)
    spread_chat(live, spoken)
    return wire.Done()


async def hint(live: Live, key: str, said: wire.Hint, line: Line | None) -> Answer:
    """What a strong bot would do; from the view of the seat and nothing else."""
    table = live.table
    seat = live.seat_for(key, said.seat if said.seat is not None else line.viewer if line else None)
    if any(other != seat and not place.bot for other, place in enumerate(table.seats)):
        raise Refused("no_hint", "hints are for games in which all others are bots")
    choice = table.choice(seat) if table.status == PLAYING else None
    if choice is None or table.sitting is None:
        raise Refused("not_asked", "you are not asked anything now")
    if live.hinting:
        raise Refused("too_many", "one hint at a time")
    number = table.readers[seat].choice
    word = Chance.from_text(f"hint {table.head.id} {seat} {number}").word()
    live.hinting = True
    try:
        found = await live.house.thinkers.hint(
            table.sitting.view(seat), choice, word, live.house.settings.hint_milliseconds
        )
    finally:
        live.hinting = False
    if found is None:
        raise Refused("busy", "there is no hint to be had at the moment; try again")
    options: list[dict[str, Any]] = [{**o, "action": table.game.actions[int(o["action"])]} for o in found]
    return wire.Hinted(id=said.id, choice=number, options=options)


# ---- the company ----------------------------------------------------------------------------------------------------


def need_host(live: Live, key: str) -> None:
    """Only the one who made the table."""
    if not key or key != live.table.head.host:
        raise Refused("not_allowed", "only the host may do this; the host's token is needed")


def need_playing(live: Live) -> None:
    """Only while the game is on."""
    if live.table.status != PLAYING:
        raise Refused("not_playing", f"the table is {live.table.status}, nothing is being played")


async def sit(live: Live, said: wire.Sit) -> wire.Done:
    """Sit down; with the last seat taken the game begins."""
    table = live.table
    if table.status != OPEN:
        raise Refused("taken", f"nobody can sit down any more: the table is {table.status}")
    name = checked_name(said.name)
    if name.casefold() in (seat.name.casefold() for seat in table.seats):
        raise Refused("taken", f"somebody here is called {name} already; choose another name")
    free = [number for number, seat in enumerate(table.seats) if seat.is_open]
    if said.seat is not None and said.seat not in free:
        raise Refused("taken", f"seat {said.seat} is not free; free are {free}")
    seat, token, now = free[0] if said.seat is None else said.seat, fresh_token(), live.house.now()
    entries: list[Entry] = [Sat(now, seat, name, key=hashed(token))]
    if len(free) == 1:
        entries.append(Began(now))
    await live.write(*entries)
    return wire.Done(token=token, seat=seat, table=table.head.id)


async def start(live: Live, key: str, said: wire.Start, line: Line | None) -> Answer:
    """Deal; bots take the open seats."""
    need_host(live, key)
    table = live.table
    if table.status != OPEN:
        raise Refused("not_playing", f"the table is {table.status}; only an open one can be started")
    level, now = checked_level(said.level), live.house.now()
    names = [seat.name for seat in table.seats]
    entries: list[Entry] = []
    for number, seat in enumerate(table.seats):
        if seat.is_open:
            name = free_name(names)
            names.append(name)
            entries.append(Sat(now, number, name, bot=level))
    await live.write(*entries, Began(now))
    return wire.Done()


async def stand(live: Live, key: str, said: wire.Stand, line: Line | None) -> Answer:
    """Get up before the game has begun."""
    live.seat_for(key, None)
    if live.table.status != OPEN:
        raise Refused("not_playing", "the game has begun; use `leave` or `resign`")
    now, seats = live.house.now(), live.table.seats_of(key)
    theirs = [other for other in live.lines if other.key == key]
    for other in theirs:  # before anybody else can sit down there
        other.viewer, other.seats = None, ()
    await live.write(*(Stood(now, seat) for seat in seats))
    if not live.table.head.spectators and key != live.table.head.host:
        for other in theirs:
            live.part(other)
            other.end(wire.Bye("you have got up from a table that is not open to spectators", again=False))
    return wire.Done()


async def leave(live: Live, key: str, said: wire.Leave, line: Line | None) -> Answer:
    """A bot plays on."""
    live.seat_for(key, None)
    need_playing(live)
    level, now = checked_level(said.level), live.house.now()
    entries = [Left(now, s, level) for s in live.table.seats_of(key) if not live.table.seats[s].bot]
    if entries:
        await live.write(*entries)
    return wire.Done()


async def back(live: Live, key: str, said: wire.Back, line: Line | None) -> Answer:
    """Take the seat back from the bot."""
    live.seat_for(key, None)
    need_playing(live)
    seats = [(s, live.table.seats[s]) for s in live.table.seats_of(key)]
    if all(seat.resigned for _, seat in seats):
        raise Refused("not_allowed", "you have resigned; the bot plays your seat to the end")
    entries = [Returned(live.house.now(), s) for s, seat in seats if seat.bot and not seat.resigned]
    if entries:
        await live.write(*entries)
    return wire.Done()


async def resign(live: Live, key: str, said: wire.Resign, line: Line | None) -> Answer:
    """Give up for good; when no person is left, the table is closed."""
    live.seat_for(key, None)
    need_playing(live)
    now, mine = live.house.now(), live.table.seats_of(key)
    entries: list[Entry] = [
        Left(now, s, DEFAULT, for_good=True) for s in mine if not live.table.seats[s].resigned
    ]
    others = [
        seat for s, seat in enumerate(live.table.seats) if s not in mine and seat.key and not seat.resigned
    ]
    if not others:
        entries.append(Closed(now, "resigned"))
    if entries:
        await live.write(*entries)
    return wire.Done()


async def replace(live: Live, key: str, said: wire.Replace, line: Line | None) -> Answer:
    """A bot plays for somebody who keeps the others waiting."""
    if key != live.table.head.host:
        live.seat_for(key, None)
    need_playing(live)
    seats = live.table.seats
    if said.seat >= len(seats) or not seats[said.seat].is_person:
        raise Refused("not_allowed", f"seat {said.seat} is not played by a person")
    if said.seat not in live.table.asked():
        raise Refused("not_asked", f"seat {said.seat} does not keep anybody waiting")
    waited = min(live.away_for(said.seat), live.house.now() - live.table.asked_since[said.seat])
    wait = live.house.settings.away - waited
    if wait > 0:
        raise Refused(
            "not_allowed", f"{seats[said.seat].name} is here or has just gone; wait {wait:.0f} seconds"
        )
    await live.write(Left(live.house.now(), said.seat, checked_level(said.level)))
    return wire.Done()


async def renew(live: Live, key: str, said: wire.Renew, line: Line | None) -> Answer:
    """A new token for an old one."""
    live.seat_for(key, None)
    token = fresh_token()
    await live.write(Renewed(live.house.now(), key, hashed(token)))
    for hook in await live.house.store.hooks(live.table.head.id):
        if hook.key.removesuffix(PUSHED) == key:
            await live.house.store.hook(hook._replace(key=hook.key.replace(key, hashed(token))))
            await live.house.store.hook(hook._replace(url=""))
    for other in list(live.lines):
        if other.key == key and other is not line:
            live.part(other)
            other.end(wire.Bye("the token of this seat has been changed", again=False))
    if line is not None:
        line.key = hashed(token)
    return wire.Done(token=token)


async def close(live: Live, key: str, said: wire.Close, line: Line | None) -> Answer:
    """Give the game up: the last person may, and the host where not more than one person plays."""
    table = live.table
    people = {seat.key for seat in table.seats if seat.key and not seat.resigned}
    if people != {key}:
        need_host(live, key)
        if len(people) > 1 and table.status == PLAYING:
            raise Refused("not_allowed", "others are playing; they can go on without you")
    if table.status in (OVER, CLOSED):
        raise Refused("not_playing", f"the table is {table.status} already")
    await live.write(Closed(live.house.now(), "closed"))
    return wire.Done()


async def webhook(live: Live, key: str, said: wire.Webhook, line: Line | None) -> Answer:
    """Where to call when it is this seat's turn."""
    live.seat_for(key, None)
    if said.url:
        live.house.notices.check(said.url)
    await live.house.store.hook(Hook(live.table.head.id, key, said.url))
    return wire.Done()


async def push(live: Live, key: str, said: wire.Push, line: Line | None) -> Answer:
    """Where to push when it is this seat's turn."""
    live.seat_for(key, None)
    if live.house.notices.key is None:
        raise Refused("not_allowed", "this server does not push; it lacks the extra `push`")
    if said.endpoint:
        live.house.notices.check(said.endpoint)
    await live.house.store.hook(Hook(live.table.head.id, key + PUSHED, said.endpoint))
    return wire.Done()


Verb = Callable[[Live, str, Any, Line | None], Awaitable[Answer | None]]
DO: dict[type[wire.Request], Verb] = {
    wire.Act: act,
    wire.Undo: undo,
    wire.Chat: chat,
    wire.Hint: hint,
    wire.Start: start,
    wire.Stand: stand,
    wire.Leave: leave,
    wire.Back: back,
    wire.Resign: resign,
    wire.Replace: replace,
    wire.Renew: renew,
    wire.Close: close,
    wire.Webhook: webhook,
    wire.Push: push,
}
"""The verbs that a live table carries out by itself; a rematch needs the desk."""


async def do(live: Live, key: str, said: wire.Request, line: Line | None) -> Answer | None:
    """Carry out a verb; None where the answer has already been sent with an update."""
    verb = DO.get(type(said))
    if verb is None:
        raise Refused("bad_message", "this cannot be asked of a table")
    try:
        return await verb(live, key, said, line)
    except Refused:
        raise
    except StoreDown:
        raise busy() from None
    except FabletopError as error:
        raise Refused("not_offered", str(error)) from None
