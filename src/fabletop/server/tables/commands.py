"""What may be asked of a live table, verb by verb: who may, when, and what it does.

Every verb is authenticated by the hash of a token. Nothing is written before everything is checked.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from fabletop.bots.levels import DEFAULT, LEVELS
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
    Returned,
    Sat,
    Stood,
    Undid,
)
from fabletop.server.tables.actor import Subscriber, TableActor, chat_line, spread_chat
from fabletop.server.tables.driver import asker_at
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
        raise ApiError("bad_message", f"there is no level {level!r}; the levels are {', '.join(LEVELS)}")
    return level


def free_name(taken: list[str]) -> str:
    """A name for a bot that nobody at the table has."""
    others = {name.casefold() for name in taken}
    names = (*BOT_NAMES, *(f"{BOT_NAMES[0]} {n}" for n in range(2, 20)))
    return next(name for name in names if name.casefold() not in others)


async def act(actor: TableActor, key: str, said: wire.Act, subscriber: Subscriber | None) -> Answer | None:
    """Answer a choice."""
    named = said.seat if said.seat is not None else subscriber.viewer if subscriber else None
    again = await _again(actor, key, named, said)
    if again is not None:
        return again
    seat = actor.seat_for(key, named)
    if actor.table.seats[seat].bot:
        raise ApiError("not_asked", "a bot plays for you; take your seat back first")
    began = actor.services.ticks()
    try:
        action = actor.table.checked_action(seat, said.choice, said.action)
    except BadText as error:
        raise ApiError("bad_message", str(error)) from None
    entry = Acted(actor.services.now(), seat, action, said.id)
    own = subscriber if subscriber is not None and subscriber.viewer == seat else None
    stored, acknowledged = actor.put(entry, subscriber=own, done=said.id, since=began)
    if acknowledged:
        return None
    await actor.durable(stored)
    return wire.Done(id=said.id, seq=actor.table.cursors[seat].seq)


async def _again(
    actor: TableActor, key: str, named: int | None, said: wire.Act | wire.Undo
) -> wire.Done | None:
    """The same id once more, at the seat that is named or at any of this token's: it was carried out then, and is
    acknowledged when it is durable."""
    table = actor.table
    seat = next((s for s in table.seats_of(key) if (s, said.id) in table.ids and named in (None, s)), None)
    if seat is None:
        return None
    if table.ids[seat, said.id] != _meant(actor, said):
        raise ApiError("bad_message", f"the id {said.id!r} was used for something else")
    await actor.caught_up()
    return wire.Done(id=said.id, seq=table.cursors[seat].seq)


def _meant(actor: TableActor, said: wire.Act | wire.Undo) -> str:
    """The action that a message names, however it is written, as a log has it; nothing for an undo."""
    if isinstance(said, wire.Undo):
        return ""
    game = actor.table.game
    try:
        number = said.action if isinstance(said.action, int) else game.parse(said.action)
    except BadText:
        return "?"
    return game.actions[number] if number < len(game.actions) else "?"


async def undo(actor: TableActor, key: str, said: wire.Undo, subscriber: Subscriber | None) -> Answer | None:
    """Take back the last action. The clock goes on as if it had not been taken."""
    named = said.seat if said.seat is not None else subscriber.viewer if subscriber else None
    again = await _again(actor, key, named, said)
    if again is not None:
        return again
    seat = actor.seat_for(key, named)
    if actor.table.seats[seat].bot:
        raise ApiError("not_asked", "a bot plays for you; take your seat back first")
    actor.table.checked_undo(seat)
    if actor.table.length >= actor.services.settings.most_actions:
        raise ApiError("cannot_undo", "too much has been done and taken back here; play on")
    left = seconds_left_after_undo(actor.table, seat, actor.services.now())
    if left is not None and left <= 0:
        raise ApiError("cannot_undo", "this cannot be taken back: the time to think about it is over")
    own = subscriber if subscriber is not None and subscriber.viewer == seat else None
    acknowledged = await actor.write(Undid(actor.services.now(), seat, said.id), subscriber=own, done=said.id)
    return None if acknowledged else wire.Done(id=said.id, seq=actor.table.cursors[seat].seq)


async def chat(actor: TableActor, key: str, said: wire.Chat, subscriber: Subscriber | None) -> Answer:
    """Say something."""
    seat = actor.seat_for(key, subscriber.viewer if subscriber else None)
    text = checked_line(said.text)
    if not actor.may_talk(key):
        raise ApiError("too_many", "too many lines of chat; wait a moment")
    spoken = chat_line(actor, seat, text)
    await actor.services.store.say(actor.table.head.id, spoken)
    spread_chat(actor, spoken)
    return wire.Done()


async def hint(actor: TableActor, key: str, said: wire.Hint, subscriber: Subscriber | None) -> Answer:
    """What a strong bot would do; from the view of the seat and nothing else."""
    table = actor.table
    seat = actor.seat_for(
        key, said.seat if said.seat is not None else subscriber.viewer if subscriber else None
    )
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
        raise ApiError("busy", "there is no hint to be had at the moment; try again")
    options: list[dict[str, Any]] = [{**o, "action": table.game.actions[int(o["action"])]} for o in found]
    return wire.Hinted(id=said.id, choice=number, options=options)


# ---- the company ----------------------------------------------------------------------------------------------------


def need_host(actor: TableActor, key: str) -> None:
    """Only the one who made the table."""
    if not key or key != actor.table.head.host:
        raise ApiError("not_allowed", "only the host may do this; the host's token is needed")


def need_playing(actor: TableActor) -> None:
    """Only while the game is on."""
    if actor.table.status != PLAYING:
        raise ApiError("not_playing", f"the table is {actor.table.status}, nothing is being played")


async def sit(actor: TableActor, said: wire.Sit) -> wire.Done:
    """Sit down; with the last seat taken the game begins."""
    table = actor.table
    if table.status != OPEN:
        raise ApiError("taken", f"nobody can sit down any more: the table is {table.status}")
    name = checked_name(said.name)
    if name.casefold() in (seat.name.casefold() for seat in table.seats):
        raise ApiError("taken", f"somebody here is called {name} already; choose another name")
    free = [number for number, seat in enumerate(table.seats) if seat.is_open]
    if said.seat is not None and said.seat not in free:
        raise ApiError("taken", f"seat {said.seat} is not free; free are {free}")
    seat, token, now = free[0] if said.seat is None else said.seat, fresh_token(), actor.services.now()
    entries: list[Entry] = [Sat(now, seat, name, key=hashed(token))]
    if len(free) == 1:
        entries.append(Began(now))
    await actor.write(*entries)
    return wire.Done(token=token, seat=seat, table=table.head.id)


async def start(actor: TableActor, key: str, said: wire.Start, subscriber: Subscriber | None) -> Answer:
    """Deal; bots take the open seats."""
    need_host(actor, key)
    table = actor.table
    if table.status != OPEN:
        raise ApiError("not_playing", f"the table is {table.status}; only an open one can be started")
    level, now = checked_level(said.level), actor.services.now()
    names = [seat.name for seat in table.seats]
    entries: list[Entry] = []
    for number, seat in enumerate(table.seats):
        if seat.is_open:
            name = free_name(names)
            names.append(name)
            entries.append(Sat(now, number, name, bot=level))
    await actor.write(*entries, Began(now))
    return wire.Done()


async def stand(actor: TableActor, key: str, said: wire.Stand, subscriber: Subscriber | None) -> Answer:
    """Get up before the game has begun."""
    actor.seat_for(key, None)
    if actor.table.status != OPEN:
        raise ApiError("not_playing", "the game has begun; use `leave` or `resign`")
    now, seats = actor.services.now(), actor.table.seats_of(key)
    theirs = [other for other in actor.subscribers if other.key == key]
    for other in theirs:  # before anybody else can sit down there
        other.viewer, other.seats = None, ()
    await actor.write(*(Stood(now, seat) for seat in seats))
    if not actor.table.head.spectators and key != actor.table.head.host:
        for other in theirs:
            actor.part(other)
            other.end(wire.Bye("you have got up from a table that is not open to spectators", again=False))
    return wire.Done()


async def leave(actor: TableActor, key: str, said: wire.Leave, subscriber: Subscriber | None) -> Answer:
    """A bot plays on."""
    actor.seat_for(key, None)
    need_playing(actor)
    level, now = checked_level(said.level), actor.services.now()
    entries = [Left(now, s, level) for s in actor.table.seats_of(key) if not actor.table.seats[s].bot]
    if entries:
        await actor.write(*entries)
    return wire.Done()


async def back(actor: TableActor, key: str, said: wire.Back, subscriber: Subscriber | None) -> Answer:
    """Take the seat back from the bot."""
    actor.seat_for(key, None)
    need_playing(actor)
    seats = [(s, actor.table.seats[s]) for s in actor.table.seats_of(key)]
    if all(seat.resigned for _, seat in seats):
        raise ApiError("not_allowed", "you have resigned; the bot plays your seat to the end")
    entries = [Returned(actor.services.now(), s) for s, seat in seats if seat.bot and not seat.resigned]
    if entries:
        await actor.write(*entries)
    return wire.Done()


async def resign(actor: TableActor, key: str, said: wire.Resign, subscriber: Subscriber | None) -> Answer:
    """Give up for good; when no person is left, the table is closed."""
    actor.seat_for(key, None)
    need_playing(actor)
    now, mine = actor.services.now(), actor.table.seats_of(key)
    entries: list[Entry] = [
        Left(now, s, DEFAULT, for_good=True) for s in mine if not actor.table.seats[s].resigned
    ]
    others = [
        seat for s, seat in enumerate(actor.table.seats) if s not in mine and seat.key and not seat.resigned
    ]
    if not others:
        entries.append(Closed(now, "resigned"))
    if entries:
        await actor.write(*entries)
    return wire.Done()


async def replace(actor: TableActor, key: str, said: wire.Replace, subscriber: Subscriber | None) -> Answer:
    """A bot plays for somebody who keeps the others waiting."""
    if key != actor.table.head.host:
        actor.seat_for(key, None)
    need_playing(actor)
    seats = actor.table.seats
    if said.seat >= len(seats) or not seats[said.seat].is_person:
        raise ApiError("not_allowed", f"seat {said.seat} is not played by a person")
    if said.seat not in actor.table.asked():
        raise ApiError("not_asked", f"seat {said.seat} does not keep anybody waiting")
    waited = min(actor.away_for(said.seat), actor.services.now() - actor.table.asked_since[said.seat])
    wait = actor.services.settings.away - waited
    if wait > 0:
        raise ApiError(
            "not_allowed", f"{seats[said.seat].name} is here or has just gone; wait {wait:.0f} seconds"
        )
    await actor.write(Left(actor.services.now(), said.seat, checked_level(said.level)))
    return wire.Done()


async def renew(actor: TableActor, key: str, said: wire.Renew, subscriber: Subscriber | None) -> Answer:
    """A new token for an old one."""
    actor.seat_for(key, None)
    token = fresh_token()
    await actor.write(Renewed(actor.services.now(), key, hashed(token)))
    for hook in await actor.services.store.hooks(actor.table.head.id):
        if hook.key.removesuffix(PUSHED) == key:
            await actor.services.store.hook(hook._replace(key=hook.key.replace(key, hashed(token))))
            await actor.services.store.hook(hook._replace(url=""))
    for other in list(actor.subscribers):
        if other.key == key and other is not subscriber:
            actor.part(other)
            other.end(wire.Bye("the token of this seat has been changed", again=False))
    if subscriber is not None:
        subscriber.key = hashed(token)
    return wire.Done(token=token)


async def close(actor: TableActor, key: str, said: wire.Close, subscriber: Subscriber | None) -> Answer:
    """Give the game up: the last person may, and the host where not more than one person plays."""
    table = actor.table
    people = {seat.key for seat in table.seats if seat.key and not seat.resigned}
    if people != {key}:
        need_host(actor, key)
        if len(people) > 1 and table.status == PLAYING:
            raise ApiError("not_allowed", "others are playing; they can go on without you")
    if table.status in (OVER, CLOSED):
        raise ApiError("not_playing", f"the table is {table.status} already")
    await actor.write(Closed(actor.services.now(), "closed"))
    return wire.Done()


async def webhook(actor: TableActor, key: str, said: wire.Webhook, subscriber: Subscriber | None) -> Answer:
    """Where to call when it is this seat's turn."""
    actor.seat_for(key, None)
    if said.url:
        actor.services.notices.check(said.url)
    await actor.services.store.hook(Hook(actor.table.head.id, key, said.url))
    return wire.Done()


async def push(actor: TableActor, key: str, said: wire.Push, subscriber: Subscriber | None) -> Answer:
    """Where to push when it is this seat's turn."""
    actor.seat_for(key, None)
    if actor.services.notices.key is None:
        raise ApiError("not_allowed", "this server does not push; it lacks the extra `push`")
    if said.endpoint:
        actor.services.notices.check(said.endpoint)
    await actor.services.store.hook(Hook(actor.table.head.id, key + PUSHED, said.endpoint))
    return wire.Done()


Command = Callable[[TableActor, str, Any, Subscriber | None], Awaitable[Answer | None]]
DO: dict[type[wire.Request], Command] = {
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


async def do(actor: TableActor, key: str, said: wire.Request, subscriber: Subscriber | None) -> Answer | None:
    """Carry out a verb; None where the answer has already been sent with an update."""
    verb = DO.get(type(said))
    if verb is None:
        raise ApiError("bad_message", "this cannot be asked of a table")
    try:
        return await verb(actor, key, said, subscriber)
    except ApiError:
        raise
    except StoreDown:
        raise busy() from None
    except FabletopError as error:
        raise ApiError("not_offered", str(error)) from None
