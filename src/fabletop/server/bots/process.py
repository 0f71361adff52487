"""A process in which bots think: one line of JSON in, one line out. Run by the pool, never by hand.

It gets views and choices and knows nothing else: no state, no seed, no table.
"""

import contextlib
import os
import sys
from typing import Any

import msgspec

from fabletop.bots.chances import chances
from fabletop.bots.hint import hint, rest
from fabletop.bots.levels import bot
from fabletop.bots.pace import whole
from fabletop.core.chance import Chance
from fabletop.core.game import Choice
from fabletop.server.logs import start_logging

NICENESS = 10
"""The server and its quick bots come first when processors are scarce; search gets what is left of its time."""


class BotRequest(msgspec.Struct, tag="choice"):
    """A choice to think about: as a bot of a `level`, or for a hint where that is empty."""

    view: dict[str, Any]
    seat: int
    kind: str
    options: list[int]
    about: dict[str, Any]
    word: int
    level: str = ""
    milliseconds: int | None = None


class ChancesRequest(msgspec.Struct, tag="chances"):
    """The views of all seats, to say what the chances of each are."""

    views: list[dict[str, Any]]
    word: int
    milliseconds: int


class BotReply(msgspec.Struct):
    """The action to take; for a hint also all options, best first, and the answers to what is asked then, where that
    belongs to the same decision."""

    action: int
    options: list[dict[str, float]] = []
    then: list[int] = []


class ChancesReply(msgspec.Struct):
    """Each seat's share of the victory."""

    chances: list[float]


def think(request: BotRequest) -> BotReply:
    """Choose, or give a hint."""
    choice = Choice(request.seat, request.kind, tuple(request.options), request.about)
    chance = Chance(request.word)
    if request.level:
        return BotReply(
            bot(request.level, chance, milliseconds=request.milliseconds).choose(request.view, choice)
        )
    time = (request.milliseconds or 1000) / (2 if whole(request.view["game"], choice.kind) else 1)
    advice = hint(request.view, choice, chance, milliseconds=time)
    then = rest(request.view, choice, advice.best, chance, milliseconds=time)
    options = [
        {"action": o.action, "victory": round(o.victory, 4), "points": round(o.points, 2), "visits": o.visits}
        for o in advice.options
    ]
    return BotReply(advice.best, options, [*then])


def answer(request: BotRequest | ChancesRequest) -> BotReply | ChancesReply:
    """The reply to a request."""
    if isinstance(request, BotRequest):
        return think(request)
    shares = chances(request.views, Chance(request.word), milliseconds=request.milliseconds)
    return ChancesReply([round(share, 4) for share in shares])


def main() -> None:
    """Answer requests until the input ends."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a bot prints must not get among the answers
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
    start_logging()
    decode = msgspec.json.Decoder(BotRequest | ChancesRequest).decode
    with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):  # the server is gone, or stops
        for line in sys.stdin.buffer:
            out.write(msgspec.json.encode(answer(decode(line))) + b"\n")
            out.flush()
    os._exit(0)  # without flushing `out` again, which would raise once more


if __name__ == "__main__":
    main()
