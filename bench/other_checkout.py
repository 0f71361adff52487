"""Answers for the bots of a checkout: started by `bench.against` with that checkout's Python, so it imports little.

Every line of standard input is a list: ["game", name, options, seed, {seat: [bot, text of its chance]}] begins a game,
["act", seat, action] carries an action out, ["ask", seat] is answered with a line [action, seconds of the processor],
["end"] with the points of the seats.
"""

import json
import sys
from time import process_time
from typing import Any

from fabletop import GAMES
from fabletop.bots import ismcts
from fabletop.bots.specs import Spec
from fabletop.core.chance import Chance
from fabletop.core.sitting import Sitting


def main() -> None:
    """Answer until the input ends."""
    setattr(ismcts, "perf_counter", process_time)  # noqa: B010  # milliseconds are those of the processor
    sitting: Any = None
    bots: dict[int, Any] = {}
    for line in sys.stdin:
        what, *rest = json.loads(line)
        if what == "game":
            name, options, seed, seats = rest
            sitting = Sitting(GAMES[name], options, seed=seed)
            bots = {
                int(seat): Spec.read(bot).made(Chance.from_text(text), threads=1)
                for seat, (bot, text) in seats.items()
            }
        elif what == "act":
            sitting.act(*rest)
        elif what == "end":
            print(json.dumps([float(points) for points in sitting.outcome.scores]), flush=True)
        else:
            (seat,) = rest
            choice = sitting.pending[seat]
            began = process_time()
            action = bots[seat].choose(sitting.view(seat), choice)
            print(json.dumps([action, process_time() - began]), flush=True)


main()
