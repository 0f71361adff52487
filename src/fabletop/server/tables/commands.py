"""Commands: what a table can be asked to do, verb by verb: who may, when, and what it does.

`run` is the one way in, for sockets and HTTP alike. A command is registered by the type of its message; those about
seats are in seating.py. Nothing is written before everything is checked.

What carries an `id` is done once: a command writes a `Replied` entry with its other entries, and the same id again gets
the first answer. Actions and undos keep their id in their own entry.
"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from fabletop.core.chance import Chance
from fabletop.core.errors import BadText, FabletopError
from fabletop.server.bots.scheduler import Rank
from fabletop.server.notify.webhooks import PUSHED
from fabletop.server.protocol import wire
from fabletop.server.protocol.errors import ApiError, busy, worded
from fabletop.server.stores.base import Hook, StoreDown
from fabletop.server.stores.entries import Acted, Agreed, Closed, Undid
from fabletop.server.tables.access import ENDED, need_host, seat_for
from fabletop.server.tables.actor import TableActor
from fabletop.server.tables.call import COMMANDS, Call, Reply, command
from fabletop.server.tables.clocks import seconds_left_after_undo
from fabletop.server.tables.driver import asker_at
from fabletop.server.tables.outbox import durable
from fabletop.server.tables.registry import Registry
from fabletop.server.tables.seating import move_hooks
from fabletop.server.tables.subscriber import Subscriber
from fabletop.server.tables.table import CLOSED, OVER, PLAYING, Table
from fabletop.server.tables.tokens import checked_line, fingerprint, hashed


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
    call = Call(registry, actor, actor.table, key, subscriber, getattr(message, "id", ""))
    try:
        if call.id and not isinstance(message, OWN_IDS):
            call = replace(
                call,
                key=_sender(key, message),
                meant=fingerprint(type(message).__name__, wire.encode(message)),
            )
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

OWN_IDS = (wire.Act, wire.Undo, wire.Hint, wire.Look, wire.React, wire.Rematch)
"""Messages whose id is kept in their own entry, or that may be carried out again: nothing is changed by them, or the
answer is the same."""


def _sender(key: str, message: wire.Request) -> str:
    """The key under which a message is remembered: nobody has one before sitting down, so it is that of the token which
    the client has chosen."""
    if isinstance(message, wire.Sit | wire.Renew) and message.token is None:
        raise ApiError("bad_message", "with an id, bring a token of your own: it could not be sent again")
    return hashed(message.token) if isinstance(message, wire.Sit) else key


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
            await move_hooks(call, hashed(message.token))
            return call.done(token=message.token)
        case wire.Chat():
            assert reply.seat is not None
            assert reply.line is not None
            await _store_line(call, reply.line, reply.seat, checked_line(message.text))
    return call.done()


def _acted_before(call: Call, named: int | None) -> int | None:
    """The seat at which an action or an undo has this id: the one that is named, or any of the sender's."""
    if named is not None:
        return named if (named, call.id) in call.table.ids and call.table.opens(call.key, named) else None
    return next((seat for seat in call.table.seats_of(call.key) if (seat, call.id) in call.table.ids), None)


async def _acted_again(call: Call, message: wire.Act | wire.Undo, seat: int) -> wire.Done:
    """The first answer to an action or an undo that is done."""
    table = call.table
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


def _own_seat(call: Call, named: int | None) -> int:
    """The seat for which the sender plays now."""
    seat = seat_for(call.table, call.key, named)
    if call.table.seats[seat].bot:
        raise worded("not_asked", "bot_plays")
    return seat


@command
async def act(call: Call, message: wire.Act) -> Reply | None:
    """Answer a choice."""
    actor, table, named = call.actor, call.table, call.named(message.seat)
    before = _acted_before(call, named)
    if before is not None:
        return await _acted_again(call, message, before)
    seat = _own_seat(call, named)
    since = actor.services.ticks()
    try:
        action = table.checked_action(seat, message.choice, message.action)
    except BadText as error:
        raise ApiError("bad_message", str(error)) from None
    entry = Acted(call.now(), seat, table.game.actions[action], call.id)
    stored, acknowledged = actor.put(
        entry, subscriber=call.at(seat), done=call.id, since=since, action=action
    )
    if acknowledged:
        return None
    await durable(stored)
    return call.done(seq=table.cursors[seat].seq)


@command
async def undo(call: Call, message: wire.Undo) -> Reply | None:
    """Take back the last action. The clock goes on as if it had not been taken."""
    actor, table, named = call.actor, call.table, call.named(message.seat)
    before = _acted_before(call, named)
    if before is not None:
        return await _acted_again(call, message, before)
    seat = _own_seat(call, named)
    table.checked_undo(seat)
    if table.length >= actor.services.settings.most_actions:
        raise worded("cannot_undo", "undo_long")
    left = seconds_left_after_undo(table, seat, call.now())
    if left is not None and left <= 0:
        raise worded("cannot_undo", "undo_time")
    entry = Undid(call.now(), seat, call.id)
    acknowledged = await actor.write(entry, subscriber=call.at(seat), done=call.id)
    return None if acknowledged else call.done(seq=table.cursors[seat].seq)


@command
async def hint(call: Call, message: wire.Hint) -> Reply:
    """What a strong bot would do; from the view of the seat and nothing else."""
    actor, table, seat = call.actor, call.table, call.seat(call.named(message.seat))
    if any(other != seat and not place.bot for other, place in enumerate(table.seats)):
        raise worded("no_hint", "no_hint")
    choice = table.choice(seat) if table.status == PLAYING else None
    if choice is None or table.sitting is None:
        raise worded("not_asked", "not_asked")
    if actor.hinting:
        raise worded("too_many", "one_hint")
    number = table.cursors[seat].choice
    word = Chance.from_text(f"hint {table.head.id} {seat} {number}").word()
    actor.hinting = True
    try:
        advice = await actor.services.bots.hint(
            table.sitting.view(seat),
            choice,
            word,
            actor.services.settings.hint_milliseconds,
            asker_at(actor, Rank.HINT),
        )
    finally:
        actor.hinting = False
    if advice is None:
        raise worded("busy", "hint_busy")
    options = [_advice(table, option) for option in advice.options]
    then = [table.game.actions[action] for action in advice.then]
    return wire.Hinted(id=call.id, choice=number, options=options, then=then)


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
        raise worded("too_many", "chat_limit")
    line = call.actor.chat.next_number()
    await call.write(seat=seat, line=line)  # first: should we stop in between, the line is stored on retry
    await _store_line(call, line, seat, text)
    return call.done()


async def _store_line(call: Call, n: int, seat: int, text: str) -> None:
    """Store a line of chat and publish it, unless that is done already."""
    if call.actor.chat.lacks(n):
        line = await call.actor.chat.store(n, seat, text)
        if call.actor.chat.lacks(n):
            call.actor.spread(line)


@command
async def react(call: Call, message: wire.React) -> Reply:
    """Show a reaction."""
    seat = call.seat(call.named(None))
    if not call.actor.reactions.take(call.key):
        raise worded("too_many", "reaction_limit")
    call.actor.show_reaction(seat, message.reaction)
    return call.done()


# ---- the table ------------------------------------------------------------------------------------------------------


@command
async def close(call: Call, message: wire.Close) -> Reply:
    """Give the game up: the last person may, and the host where not more than one person plays."""
    table = call.table
    people = {seat.key for seat in table.seats if seat.key and not seat.resigned}
    if people != {call.key}:
        need_host(table, call.key)
        if len(people) > 1 and table.status == PLAYING:
            raise worded("not_allowed", "others_play")
    if table.status in (OVER, CLOSED):
        raise worded("not_playing", "ended")
    await call.write(Closed(call.now(), "closed"))
    return call.done()


@command
async def rematch(call: Call, message: wire.Rematch) -> Reply:
    """Agree to play again; with the last agreement the new table is made."""
    call.seat()
    actor, table = call.actor, call.table
    if table.sitting is None or table.status not in ENDED:
        raise worded("not_playing", "rematch_early")
    if not table.followed and message.agree != (call.key in table.agreed):
        await actor.write(Agreed(call.now(), call.key, message.agree))
    if message.agree and not table.followed and _all_agree(call):
        return call.done(table=await call.registry.follow(actor))
    return call.done(table=table.followed)


def _all_agree(call: Call) -> bool:
    """Has everybody agreed to a rematch who is there, or been asked long enough?"""
    table, away = call.table, call.actor.services.settings.away
    if call.now() - min(table.agreed.values()) >= away:
        return True
    return all(
        seat.key in table.agreed or call.actor.away_for(number) >= away
        for number, seat in enumerate(table.seats)
        if seat.key
    )


@command
async def webhook(call: Call, message: wire.Webhook) -> Reply:
    """Where to call when it is this seat's turn."""
    call.seat()
    if message.url:
        call.actor.services.notifier.check(message.url)
    await call.actor.services.store.hook(Hook(call.table.head.id, call.key, message.url))
    await call.write()
    return call.done()


@command
async def push(call: Call, message: wire.Push) -> Reply:
    """Where to push when it is this seat's turn."""
    call.seat()
    if call.actor.services.notifier.key is None:
        raise ApiError("not_allowed", "this server does not push; it lacks the extra `push`")
    if message.endpoint:
        call.actor.services.notifier.check(message.endpoint)
    await call.actor.services.store.hook(Hook(call.table.head.id, call.key + PUSHED, message.endpoint))
    await call.write()
    return call.done()
