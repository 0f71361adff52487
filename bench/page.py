"""The page docs/benchmarks.md: the table of one run, the machine it ran on, and how it was measured."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

import fabletop
from bench import search
from bench.clock import Measured
from bench.table import HEAD, READINGS_HEAD, Row, all_readings, as_markdown, cells

PEERS = ("open_spiel", "rlcard", "pettingzoo", "numpy")

WRITTEN = """\
Written by `python -m bench --write`, which takes about five minutes; `make bench` installs the peers and prints the
same tables. The [environments](benchmarks-envs.md) and the [server](benchmarks-tables.md) have pages of their own."""

METHOD = """\
## How it was measured

- One process on one pinned core, processor time, {rounds} rounds. Every round takes a reading of about {seconds} s of
  every probe in turn, so that all of them share the machine's good and bad minutes; the best reading of each counts.
  The last column of "All readings" says how far the rounds were apart.
- Uniformly random legal play from the deal to the end, four seats (skat has three, Leduc and Texas hold'em two).
- Speeds count decisions with more than one option, in brackets all decisions that are put to a player. Ratios are
  computed by both counts, each against the peer's fastest game by that count. The lower one is judged.
- *Native play-outs.* Ours is `Playouts.run`: complete rules, with everything that the engine keeps track of, the deal
  included. OpenSpiel's is its C++ `RandomRolloutEvaluator`, many roll-outs to one call, starting after the deal: of the
  ways in from its Python package the fastest we found. It returns no counts, so the decisions per game are measured
  beforehand by playing the very same deals from Python.
- *Stepped from Python.* Whole games from a new one to the end. OpenSpiel by `is_terminal`, `legal_actions` and
  `apply_action`: at a chance node `legal_actions` lists the outcomes, and in these games they are equally likely. Each
  action of chance counts as one of its decisions, the 52 cards of a deal as well. Fabletop by `new`, `asked`, `legal`
  and the checked `apply`. Both draw an action by one multiplication. The second table has the same loops after the
  deal, and the barest ones, with the methods looked up once. Decisions are counted in a second, untimed pass over the
  same games.
- *Clone.* From Python, a state in the middle of a game; against the quickest of OpenSpiel's card games.
- *RLCard.* Its game objects below the environment, since ours is the bare engine too; both deal, neither encodes
  observations. Its fastest games were taken; blackjack, no-limit hold'em, gin rummy, mahjong, bridge and doudizhu were
  much slower.
- *Interpreted.* The same engine with `FABLETOP_PURE=1`, in its own process, restarted in every round.
- *Greedy.* A decision is `Player.choose` for one seat of a state; a game is one of `fabletop.bots.play.games`, with its
  chance derived from the seed and all events.
- *Replay.* `fabletop.replay` of the longest of nine random games for four: parsing every action's text, deriving
  every action's chance from the seed, and noting all events.
- *Search.* `python -m bench.search` says how.

## What was left out

- *Kuhn poker* (five decisions a game) and *bridge's auction* (OpenSpiel's default bridge, which ends before a card is
  played) are faster than any game in which cards are played out. They are in the second table. Bridge with its card
  play is among the judged games.
- *Environments.* RLCard's and PettingZoo's environments encode an observation at every step, our play-outs do not: the
  ratios in the second table say what random play costs here and there, and nothing about the quality of either. They
  have no target.

## What it does not say

- The peers play other games. A decision of a trick-taking game and one of Equinox are not the same amount of work.
- From Python both engines spend most of the time in Python itself. An earlier version of this page reported more than
  five to one there: chance was drawn from `chance_outcomes` with `random.choices`, which is three times as slow as
  `legal_actions`, and only hearts was tried. The target, five, was replaced by one and a half.
- The interpreted engine was compared with RLCard's Uno by decisions with more than one option, where two thirds of the
  decisions are forced: more than nine to one. Against its fastest game objects it is between one and two, and the
  target is one. Search was judged against gin rummy by iterations: more than ten to one.
- Random play-outs of Fairy School never open a free conversion of elements; replayed games do, since they draw from
  everything that is offered.
- The machine is shared. Readings of one probe differ between rounds by up to the factor in the last column; ratios
  are steadier than speeds, but the third digit means nothing.
- The mean decisions per game of OpenSpiel's games carry a sampling error of well under one per cent.
"""


def machine() -> dict[str, str]:
    """What the results depend on, apart from the code."""
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
    """The processor's name, where the system gives it."""
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


def page(
    table: Sequence[Row],
    beside: Sequence[Row],
    measured: Measured,
    searches: tuple[Measured, dict[str, float]],
    rounds: int,
    seconds: float,
) -> str:
    """The text of docs/benchmarks.md."""
    facts = [[key, value] for key, value in machine().items()]
    return "\n".join(
        [
            "# Benchmarks",
            "",
            WRITTEN,
            "",
            "## Results",
            "",
            as_markdown(HEAD, cells(table)),
            "",
            "Not judged: other loops, games that were left out, and environments compared with a bare engine.",
            "",
            as_markdown(HEAD[:5], [line[:5] for line in cells(beside)]),
            "",
            f"Tree search on one core: {search.verdict(search.lowest(*searches))}. Gin rummy is not judged.",
            "",
            as_markdown(search.HEAD, search.table(*searches)),
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
