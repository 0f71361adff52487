"""A process in which bots think: one line of JSON in, one line out. Run by `thinkers`, never by hand.

It gets views and choices and knows nothing else: no state, no seed, no table.
"""

import contextlib
import os
import sys
from typing import Any

import msgspec

from fabletop.bots.hint import hint
from fabletop.bots.levels import bot
from fabletop.core.chance import Chance
from fabletop.core.game import Choice


class BotRequest(msgspec.Struct):
    """What is asked: a `level` to play like, or a hint where it is empty."""

    view: dict[str, Any]
    seat: int
    kind: str
    options: list[int]
    about: dict[str, Any]
    word: int
    level: str = ""
    milliseconds: int | None = None


class BotReply(msgspec.Struct):
    """What came of it."""

    action: int
    options: list[dict[str, float]] = []


def think(thought: BotRequest) -> BotReply:
    """Choose, or give a hint."""
    choice = Choice(thought.seat, thought.kind, tuple(thought.options), thought.about)
    chance = Chance(thought.word)
    if thought.level:
        return BotReply(
            bot(thought.level, chance, milliseconds=thought.milliseconds).choose(thought.view, choice)
        )
    found = hint(thought.view, choice, chance, milliseconds=thought.milliseconds or 1000)
    options = [
        {"action": o.action, "victory": round(o.victory, 4), "points": round(o.points, 2), "visits": o.visits}
        for o in found.options
    ]
    return BotReply(found.best, options)


def main() -> None:
    """Think until nobody asks any more."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a bot prints must not get among the answers
    with contextlib.suppress(OSError):
        os.nice(5)  # people's moves come before bots' thoughts
    decode = msgspec.json.Decoder(BotRequest).decode
    for line in sys.stdin.buffer:
        out.write(msgspec.json.encode(think(decode(line))) + b"\n")
        out.flush()


if __name__ == "__main__":
    main()
