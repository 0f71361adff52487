"""`python -m bench`: measure, print the table, and keep it where asked. With all peers it takes about five minutes."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from bench import ours, peers, search
from bench.clock import measure, pin
from bench.page import as_data, page
from bench.table import HEAD, NOT_INSTALLED, READINGS_HEAD, all_readings, as_text, beside_rows, cells, rows

PAGE = ours.ROOT / "docs" / "benchmarks.md"


def arguments(given: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="bench", description="Fabletop's engines side by side with their peers."
    )
    parser.add_argument("--quick", action="store_true", help="two short rounds: a look, not a measurement")
    parser.add_argument("--ours", action="store_true", help="leave the peers out")
    parser.add_argument("--rounds", type=int, help="how many rounds (6, quick 2)")
    parser.add_argument("--seconds", type=float, help="how long a reading takes (0.3, quick 0.02)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep every reading in a file")
    parser.add_argument("--write", action="store_true", help=f"renew docs/{PAGE.name}; needs all peers")
    parser.add_argument("--strict", action="store_true", help="fail if a target was measured and missed")
    return parser.parse_args(given)


def progress(text: str) -> None:
    """One line on the terminal that is written over; nothing where nobody watches."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def main(given: Sequence[str] | None = None) -> int:
    """Run it."""
    asked = arguments(given)
    rounds = asked.rounds or (2 if asked.quick else 6)
    seconds = asked.seconds or (0.02 if asked.quick else 0.3)
    core = pin()
    facts = ours.facts(with_peers=not asked.ours)
    probes = ours.probes() + ([] if asked.ours else peers.probes(asked.quick))
    measured = measure(probes, rounds=rounds, seconds=seconds, tell=progress)
    table, beside = rows(measured, facts), beside_rows(measured, facts)

    print("Decisions with more than one option per second, in brackets all decisions; one core.")
    print("The lower ratio of the two counts is judged.\n")
    print(as_text(HEAD, cells(table)))
    print("\nNot judged:\n")
    print(as_text(HEAD[:5], [line[:5] for line in cells(beside)]))
    searches = None
    if not asked.ours:
        progress("search")
        searches = search.searched(asked.quick)
        print(f"\nSearch:\n\n{as_text(search.HEAD, search.table(*searches))}")
        print(f"\n{search.verdict(search.lowest(*searches))}")
    print("\nAll readings:\n")
    print(as_text(READINGS_HEAD, all_readings(measured)))
    if measured.missing:
        print(f"\n{NOT_INSTALLED} ({'; '.join(sorted(set(measured.missing.values())))})")
    if asked.json:
        asked.json.write_text(json.dumps(as_data(table, measured, core), indent=1) + "\n", encoding="utf-8")
    if asked.write:
        if searches is None or any(row.reached is None for row in table):
            print(f"\ndocs/{PAGE.name} stays as it was: some results were not measured (make bench)")
            return 1
        PAGE.write_text(page(table, beside, measured, searches, rounds, seconds), encoding="utf-8")
        print(f"\nwrote docs/{PAGE.name}")
    return 1 if asked.strict and any(row.reached is False for row in table) else 0


if __name__ == "__main__":
    sys.exit(main())
