"""The table: which readings are set against which, what the ratio has to be, and how that is printed.

Decisions can be counted in two ways: those with more than one option, or all that are put to a player. Both ratios are
computed, each against the peer's fastest game by that count; the lower one is judged, the other one stands next to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bench.clock import Measured, Reading
from bench.peers import OPENSPIEL, OTHER_OPENSPIEL, PETTINGZOO, RLCARD, RLCARD_CORE, STEPPED

NOT_INSTALLED = "not installed: make bench"
NOT_COMPILED = "engines not compiled"
NOT_MEASURED = "not measured"


@dataclass(frozen=True)
class Row:
    """One target: `value` is judged against `limit`; None, with a reason, where it could not be measured."""

    what: str
    ours: str
    other: str
    value: float | None
    limit: float
    at_least: bool = True
    unit: str = "×"
    beside: str = ""
    reason: str = ""

    @property
    def reached(self) -> bool | None:
        """Whether the target was reached; None if it was not measured."""
        if self.value is None:
            return None
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    @property
    def verdict(self) -> str:
        """The same in a word."""
        if self.reached is None:
            return self.reason
        return "reached" if self.reached else "MISSED"

    @property
    def measured(self) -> str:
        """The judged value, as text."""
        return "–" if self.value is None else f"{plain(self.value)}{self.unit}"

    @property
    def wanted(self) -> str:
        """The limit, as text."""
        return f"{'≥' if self.at_least else '≤'} {plain(self.limit)}{self.unit}"


@dataclass(frozen=True)
class Facts:
    """What a run knows apart from its readings."""

    compiled: bool
    equinox_bytes: int
    fairy_school_bytes: int
    with_peers: bool = True


# ---------------------------------------------------------------------------------------------- numbers as text


def plain(number: float) -> str:
    """Three significant digits, and no more: 12.3, 1,234, 0.456."""
    if number >= 100:
        return f"{number:,.0f}"
    if number >= 10:
        return f"{number:.1f}"
    return f"{number:.2f}"


def per_second(rate: float) -> str:
    """A speed: 12.3 M/s, 45.6 k/s, 789/s."""
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if rate >= size:
            return f"{plain(rate / size)}{letter}/s"
    return f"{plain(rate)}/s"


def duration(seconds: float) -> str:
    """A short time: 0.21 µs, 4.56 ms."""
    for size, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= size:
            return f"{plain(seconds / size)} {unit}"
    return f"{plain(seconds * 1e9)} ns"


def speed(reading: Reading) -> str:
    """Both counts of a reading."""
    return f"{per_second(reading.real_rate)} ({per_second(reading.rate)})"


# ---------------------------------------------------------------------------------------------- rows


def rows(measured: Measured, facts: Facts) -> list[Row]:
    """All targets, in order."""
    native = [f"openspiel {name}" for name in OPENSPIEL]
    core = [f"rlcard core {name}" for name in RLCARD_CORE]
    clones = [f"openspiel clone {name}" for name in OPENSPIEL]
    return [
        against_fastest("Equinox play-outs, OpenSpiel native", "equinox", native, 2, measured, facts),
        against_fastest(
            "Fairy School play-outs, OpenSpiel native", "fairy_school", native, 1, measured, facts
        ),
        against_fastest("Equinox play-outs, RLCard's game objects", "equinox", core, 100, measured, facts),
        against_fastest(
            "Equinox interpreted, RLCard's game objects",
            "equinox interpreted",
            core,
            1,
            measured,
            facts,
            pure=True,
        ),
        stepped_row("Equinox stepped from Python, whole games, pyspiel", "whole", 1.5, measured, facts),
        clone_row(clones, measured, facts),
        compiled_row(measured, facts),
        time_row("Equinox, a greedy decision", "equinox greedy decision", 5, "µs", measured, facts),
        time_row("Fairy School, a greedy decision", "fairy_school greedy decision", 5, "µs", measured, facts),
        time_row("Equinox, a greedy game for four", "equinox greedy game", 1.5, "ms", measured, facts),
        time_row(
            "Fairy School, a greedy year for four", "fairy_school greedy game", 12, "ms", measured, facts
        ),
        time_row(
            "Fairy School, a game replayed from its record", "fairy_school replay", 10, "ms", measured, facts
        ),
        size_row("Equinox state", facts.equinox_bytes, 4096, facts),
        size_row("Fairy School state", facts.fairy_school_bytes, 16384, facts),
    ]


def beside_rows(measured: Measured, facts: Facts) -> list[Row]:
    """Comparisons without a target: other loops, games that were left out, environments against an engine."""
    others = [
        against_fastest(
            f"Equinox play-outs, OpenSpiel {name}", "equinox", [f"openspiel {name}"], 1, measured, facts
        )
        for name in OTHER_OPENSPIEL
    ]
    environments = {
        "RLCard's environments": [f"rlcard {name}" for name in RLCARD],
        "PettingZoo's environments": [f"pettingzoo {name}" for name in PETTINGZOO],
        "PettingZoo's environments without wrappers": [f"pettingzoo raw {name}" for name in PETTINGZOO],
    }
    return [
        stepped_row("Equinox stepped from Python, after the deal", "dealt", 1, measured, facts),
        stepped_row(
            "Equinox stepped from Python, the barest loops after the deal", "bare", 1, measured, facts
        ),
        *others,
        *(
            against_fastest(f"Equinox play-outs, {what}", "equinox", names, 1, measured, facts)
            for what, names in environments.items()
        ),
    ]


def stepped_row(what: str, way: str, floor: float, measured: Measured, facts: Facts) -> Row:
    """Equinox driven from Python, over the fastest of OpenSpiel's games driven in the same way."""
    peers = [f"openspiel stepped {way} {name}" for name in STEPPED]
    return against_fastest(what, f"equinox stepped {way}", peers, floor, measured, facts)


def unmeasured(facts: Facts, names: Iterable[str], measured: Measured, pure: bool = False) -> str:
    """Why a comparison cannot be made; empty if it can."""
    if not facts.compiled and not pure:
        return NOT_COMPILED
    if not facts.with_peers:
        return NOT_MEASURED
    return NOT_INSTALLED if any(name in measured.missing for name in names) else NOT_MEASURED


def against_fastest(
    what: str,
    ours: str,
    peers: Sequence[str],
    floor: float,
    measured: Measured,
    facts: Facts,
    *,
    pure: bool = False,
) -> Row:
    """Our speed over that of the fastest of the peers."""
    mine, theirs = measured.best(ours), measured.best_of(peers)
    shown = speed(mine) if mine else "–"
    if mine is None or not theirs or not (facts.compiled or pure):
        reason = unmeasured(facts, peers, measured, pure)
        return Row(what, shown, f"fastest of {len(peers)}", None, floor, reason=reason)
    by_real = max(theirs, key=lambda name: theirs[name].real_rate)
    by_all = max(theirs, key=lambda name: theirs[name].rate)
    real, every = mine.real_rate / theirs[by_real].real_rate, mine.rate / theirs[by_all].rate
    judged = by_real if real <= every else by_all
    return Row(
        what,
        shown,
        f"{judged} {speed(theirs[judged])}",
        min(real, every),
        floor,
        beside=f"{plain(max(real, every))}×",
    )


def clone_row(peers: Sequence[str], measured: Measured, facts: Facts) -> Row:
    """The time of a clone, against the quickest clone of any of OpenSpiel's card games."""
    what = "Equinox clone, pyspiel"
    mine, theirs = measured.best("equinox clone"), measured.best_of(peers)
    shown = duration(1 / mine.rate) if mine else "–"
    if mine is None or not theirs or not facts.compiled:
        reason = unmeasured(facts, peers, measured)
        return Row(what, shown, f"quickest of {len(peers)}", None, 0.5, at_least=False, reason=reason)
    name, quickest = max(theirs.items(), key=lambda item: item[1].rate)
    other = f"{name} {duration(1 / quickest.rate)}"
    return Row(what, shown, other, quickest.rate / mine.rate, 0.5, at_least=False)


def compiled_row(measured: Measured, facts: Facts) -> Row:
    """The compiled engine over the interpreted one: the same text, the same games."""
    what = "Equinox compiled over interpreted"
    mine, other = measured.best("equinox"), measured.best("equinox interpreted")
    shown, against = (speed(reading) if reading else "–" for reading in (mine, other))
    if mine is None or other is None or not facts.compiled:
        return Row(what, shown, against, None, 80, reason=NOT_MEASURED if facts.compiled else NOT_COMPILED)
    return Row(
        what,
        shown,
        against,
        min(mine.real_rate / other.real_rate, mine.rate / other.rate),
        80,
        beside=f"{plain(max(mine.real_rate / other.real_rate, mine.rate / other.rate))}×",
    )


def size_row(what: str, size: int, limit: int, facts: Facts) -> Row:
    """The bytes of a state, which only a compiled engine can be asked for."""
    if not facts.compiled:
        return Row(what, "–", "", None, limit, at_least=False, unit=" B", reason=NOT_COMPILED)
    return Row(what, f"{size:,} B", "", size, limit, at_least=False, unit=" B")


def time_row(what: str, ours: str, limit: float, unit: str, measured: Measured, facts: Facts) -> Row:
    """How long one call takes."""
    mine = measured.best(ours)
    shown = duration(1 / mine.rate) if mine else "–"
    if mine is None or not facts.compiled:
        reason = NOT_MEASURED if facts.compiled else NOT_COMPILED
        return Row(what, shown, "", None, limit, at_least=False, unit=f" {unit}", reason=reason)
    parts = {"µs": 1e6, "ms": 1e3}[unit]
    return Row(what, shown, "", parts / mine.rate, limit, at_least=False, unit=f" {unit}")


# ---------------------------------------------------------------------------------------------- printing

HEAD = ("measure", "Fabletop", "against", "measured", "other count", "target", "")


def cells(table: Sequence[Row]) -> list[tuple[str, ...]]:
    """The table as text, one tuple per row."""
    return [(r.what, r.ours, r.other, r.measured, r.beside, r.wanted, r.verdict) for r in table]


def as_text(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """A table for the terminal, columns aligned."""
    widths = [max(len(line[i]) for line in (head, *body)) for i in range(len(head))]
    ruled = [head, ["─" * width for width in widths], *body]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in ruled
    )


def as_markdown(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """The same table for a page."""
    lines = [head, ["---"] * len(head), *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def all_readings(measured: Measured) -> list[tuple[str, ...]]:
    """Every probe with its best reading, and how far apart its readings were."""
    body: list[tuple[str, ...]] = []
    for name, taken in measured.readings.items():
        best = measured.best(name)
        assert best is not None
        worst = min(reading.rate for reading in taken)
        body.append((name, per_second(best.real_rate), per_second(best.rate), f"{plain(best.rate / worst)}×"))
    return body


READINGS_HEAD = ("probe", "more than one option", "all", "best over worst round")
