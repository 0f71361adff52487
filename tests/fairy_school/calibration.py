"""Years of the simple player by the hundred: do they end, how, and does every card line and every project see use?

    python -m tests.fairy_school.calibration 688 [seed]

This is a coarse look with players who do not plan; docs/reports/fairy-school.html has the figures of strong bots.
"""

import statistics
import sys
from collections import Counter
from dataclasses import dataclass, field
from itertools import product

from fabletop.core.sitting import Sitting
from fabletop.games.fairy_school.cards import BY_NAME, CARDS, FINALS, START_DECK_SIZE
from fabletop.games.fairy_school.words import kind_of
from tests.fairy_school.bot import played

PROJECTS = [card.name for card in CARDS if card.is_project]
LINES = [
    (card.name, line)
    for card in CARDS
    if card.deck != "start" or card.id < START_DECK_SIZE
    for line in range(1, len(card.effect.lines) + 1)
]


def printed(name: str) -> str:
    """The card of the first starting deck that this one is a copy of; any other card itself."""
    card = BY_NAME[name]
    return CARDS[card.id % START_DECK_SIZE].name if card.deck == "start" else name


@dataclass
class Tally:
    """What happened in all the years together."""

    years: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    last_turns: list[int] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    parts: Counter[str] = field(default_factory=Counter)
    reports: Counter[str] = field(default_factory=Counter)
    lines: Counter[tuple[str, int]] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)
    realised: Counter[str] = field(default_factory=Counter)
    finals: Counter[str] = field(default_factory=Counter)
    completed: Counter[str] = field(default_factory=Counter)
    decisions: list[int] = field(default_factory=list)

    def add(self, sitting: Sitting) -> None:
        """Count a finished year."""
        outcome = sitting.outcome
        assert outcome is not None, "the year did not end"
        self.years += 1
        self.reasons[outcome.reason] += 1
        self.scores += outcome.scores
        self.decisions.append(len(sitting.actions))
        for reckoning in outcome.reckoning:
            self.parts.update({k: v for k, v in reckoning.items() if k not in ("seat", "report")})
            self.reports[reckoning["report"] or "none"] += 1
        last = 0
        for event in sitting.events(None):
            if event.kind == "turn_began" and event["trimester"] == 0:
                last = event["turn"]
            elif event.kind in ("activated", "repeated"):
                name, line = printed(event["card"]), event["line"]
                self.lines[name, line] += 1
                self.kinds[kind_of(BY_NAME[name].effect.lines[line - 1])] += 1
            elif event.kind in ("kept", "projects_given"):
                self.kept.update(event["cards"])
            elif event.kind == "goal_taken":
                self.kept[event["card"]] += 1
            elif event.kind == "realised":
                self.realised[event["card"]] += 1
            elif event.kind == "final_chosen":
                self.finals[event["final"]] += 1
            elif event.kind == "final_completed":
                self.completed[event["final"]] += 1
        self.last_turns.append(last)

    @property
    def idle_lines(self) -> list[tuple[str, int]]:
        """Card lines that nobody used."""
        return [line for line in LINES if not self.lines[line]]

    @property
    def idle_projects(self) -> list[str]:
        """Projects that nobody realised."""
        return [name for name in PROJECTS if not self.realised[name]]

    def report(self) -> str:
        """All counts as text."""
        scores, turns = sorted(self.scores), self.last_turns
        tenths = statistics.quantiles(scores, n=10)
        rare = sorted(self.lines[line] for line in LINES)[:5]
        few = sorted(PROJECTS, key=lambda name: self.realised[name] / max(1, self.kept[name]))
        seats = len(scores)
        return "\n".join(
            [
                f"years {self.years}, decisions a year: median {statistics.median(self.decisions):.0f}",
                f"ended by {dict(self.reasons)}",
                f"turns of the last trimester: median {statistics.median(turns):.0f}, {min(turns)} to {max(turns)}",
                f"three to six turns in {sum(3 <= n <= 6 for n in turns) / self.years:.0%} of the years",
                f"scores: median {statistics.median(scores):.0f}, tenths {tenths[0]:.0f} to {tenths[-1]:.0f}",
                "on average " + ", ".join(f"{k} {v / seats:.1f}" for k, v in self.parts.items()),
                f"school reports {dict(self.reports)}",
                f"activations by kind {dict(self.kinds)}",
                f"card lines never used: {self.idle_lines or 'none'}; the rarest {rare} times",
                f"projects never realised: {self.idle_projects or 'none'}",
                "least often realised, of those kept: "
                + ", ".join(f"{n} {self.realised[n]}/{self.kept[n]}" for n in few[:6]),
                "most often: " + ", ".join(f"{n} {self.realised[n]}/{self.kept[n]}" for n in few[-6:]),
                "finals completed of chosen: "
                + ", ".join(f"{f.name} {self.completed[f.name]}/{self.finals[f.name]}" for f in FINALS),
            ]
        )


def tables() -> list[dict[str, object]]:
    """All seat counts and modes, the usual ones more often."""
    every = [
        {"seats": seats, "setup": setup, "length": length, "wider": wider}
        for seats, setup, length, wider in product(
            (2, 3, 4, 5, 6), ("beginners", "normal", "expert"), ("full", "short"), (False, True)
        )
        if not (setup == "beginners" and seats == 6) and not (wider and seats < 4)
    ]
    usual: list[dict[str, object]] = [{"seats": seats, "setup": "normal"} for seats in (3, 4)] * 20
    return usual + every


def tally(years: int, seed: str = "calibration") -> Tally:
    """So many years, going round the tables."""
    found, kinds = Tally(), tables()
    for n in range(years):
        found.add(played(f"{seed} {n}", **kinds[n % len(kinds)]))
    return found


if __name__ == "__main__":
    sys.stdout.write(tally(int(sys.argv[1]), *sys.argv[2:3]).report() + "\n")
