"""What a trial has tried and found."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tests.torture.checker import KINDS, Finding
from tests.torture.history import History
from tests.torture.servers import Worker, faults

KILLS, STOPS, CUTS, JUMPS = "kills", "stops", "network cuts", "clock jumps"
POWER_CUTS, ERRORS, GAMES, MOVES, ANSWERS = (
    "power cuts",
    "injected errors",
    "games",
    "acknowledged moves",
    "checked answers",
)
"""An error that lasts until the disk is repaired counts once, however many calls it hits."""
TRIED = (KILLS, STOPS, CUTS, JUMPS, POWER_CUTS, ERRORS, GAMES, MOVES, ANSWERS)
STUCK, UNTRUE, CLOCK, FAULT = "stuck", "readiness untrue", "moved by the clock", "faults in the log"
FOUND = (*KINDS, STUCK, UNTRUE, CLOCK, FAULT)


@dataclass
class Tally:
    """Counts, findings, and the history that shows them."""

    tried: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    history: History = field(default_factory=History)

    def counted(self) -> "Tally":
        """With what the history says."""
        self.tried[MOVES] += self.history.acknowledged()
        self.tried[ANSWERS] += sum(event.seq is not None for event in self.history.events)
        return self

    def note_faults(self, workers: Iterable[Worker]) -> None:
        """Errors that no worker expected are findings too."""
        self.findings += [Finding(FAULT, "", error) for worker in workers for error in faults(worker.log)]

    def save(self, path: Path) -> None:
        """Save history and findings."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.history.save(path)
        text = "".join(f"{kind}: {table}: {text}\n" for kind, table, text in self.findings)
        path.with_suffix(".findings").write_text(text, "utf-8")


def table_of(tallies: dict[str, Tally]) -> str:
    """All trials as a table of text, with a column each and one for their sum."""
    columns = {
        **{name: tally.tried + Counter(f.kind for f in tally.findings) for name, tally in tallies.items()}
    }
    columns["all"] = sum(columns.values(), Counter())
    width = max(map(len, (*TRIED, *FOUND)))
    lines = [" " * width + "".join(f"{name:>14}" for name in columns)]
    for what in (*TRIED, *FOUND):
        lines.append(f"{what:{width}}" + "".join(f"{counts[what]:>14,}" for counts in columns.values()))
        if what == TRIED[-1]:
            lines.append("must be zero:")
    return "\n".join(lines)
