"""The report on Fairy School: do its cards keep to the marks that section 9 of the rules sets?

    fabletop lab report fairy-school --games 8000 --out docs/reports

plays years among bots and writes `fairy-school.md` with its plots. Most years are played by knowledge alone, some
by search, which is stronger and slower; every number is from the run. The same arguments give the same numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path
from typing import Any

from fabletop.bots.fairy_school.knowledge import Knowledge
from fabletop.bots.ismcts import Ismcts
from fabletop.bots.uniform import Uniform
from fabletop.core.chance import Chance
from fabletop.games import GAMES
from fabletop.games.fairy_school import constants as c
from fabletop.games.fairy_school.cards import CARDS, FINALS, SET_LETTERS
from fabletop.lab.parallel import map_unordered
from fabletop.lab.plots import need_plots
from fabletop.lab.statistics import Estimate, mean, median, quantile, rate, share

GAME: Any = GAMES["fairy_school"]
SEATS = (3, 4)
PARTS = ("kindness", "projects", "steps", "creatures", "elements")
CHUNK = 20
"""Years in one batch of work."""
ITERATIONS = 10
"""Iterations of the searching players for each choice: few, so that there can be many years."""
SEARCHED, MATCHED = 240, 200
"""One year in N is also played by search in all seats, and one by a single seat against the others."""


@dataclass
class Tally:
    """What happened in some years with the same number of seats."""

    scores: list[list[int]] = field(default_factory=list)
    wins: list[list[float]] = field(default_factory=list)
    sets: list[list[int]] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    completed: int = 0
    parts: Counter[str] = field(default_factory=Counter)
    kept: Counter[int] = field(default_factory=Counter)
    realised: Counter[int] = field(default_factory=Counter)
    finals: Counter[int] = field(default_factory=Counter)
    finished: Counter[int] = field(default_factory=Counter)

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.scores + other.scores,
            self.wins + other.wins,
            self.sets + other.sets,
            self.turns + other.turns,
            self.completed + other.completed,
            self.parts + other.parts,
            self.kept + other.kept,
            self.realised + other.realised,
            self.finals + other.finals,
            self.finished + other.finished,
        )

    @property
    def points(self) -> list[int]:
        """The scores of all seats."""
        return [score for year in self.scores for score in year]

    def settle(self, state: Any, kept: set[tuple[int, int]]) -> None:
        """F-4.2: before projects are chosen again, or the year ends: which of those kept have been realised?"""
        for seat, card in kept:
            self.kept[card] += 1
            self.realised[card] += card not in state.area(seat)["projects"]
        kept.clear()

    def add(self, state: Any) -> None:
        """Count a finished year."""
        scores = state.points()
        best = max(scores)
        self.scores.append(scores)
        self.wins.append([(score == best) / scores.count(best) for score in scores])
        self.turns.append(state.turn)
        self.completed += state.ended == c.END_COMPLETED + 1
        self.sets.append([state.facts(seat)["set"] for seat in range(state.seats)])
        for seat in range(state.seats):
            area, final = state.area(seat), state.facts(seat)["final"]
            self.parts.update(dict(zip(PARTS, state.parts(seat), strict=True)))
            self.finals[final] += 1
            self.finished[final] += area["steps"] >= (c.STEPS_SHORT if state.short else c.STEPS_LONG)


# ---------------------------------------------------------------------------------------------- playing

Policy = Callable[[Any, int], int]


def world_of(seats: int) -> Knowledge:
    """A world in which years with N seats can be played."""
    return Knowledge(GAME.view(GAME.new({"seats": seats}, range(seats + 1)), 0))


def stages(world: Knowledge, answers: dict[int, Policy]) -> Iterator[int]:
    """Play a year stage by stage, some seats by `answers`, the others by knowledge; yields each phase that begins."""
    state = world.state
    while state.phase != c.PHASE_OVER:
        stage = state.stage
        for seat, answer in answers.items():
            while state.stage == stage and seat in state.asked():
                state.apply(seat, answer(state, seat))
        if state.stage == stage:
            world.advance()
        yield state.phase


def played(world: Knowledge, word: int, answers: dict[int, Policy], found: Tally) -> list[int]:
    """One year into a tally; returns its scores."""
    world.begin(word)
    kept: set[tuple[int, int]] = set()
    for phase in stages(world, answers):
        if phase == c.PHASE_PLAN:
            for seat in range(world.state.seats):
                kept.update((seat, card) for card in world.state.area(seat)["projects"])
        elif phase == c.PHASE_DRAFT:
            found.settle(world.state, kept)
    found.settle(world.state, kept)
    found.add(world.state)
    return found.scores[-1]


def searching(seed: int) -> Policy:
    """A seat that searches."""
    bot = Ismcts(Chance(seed), iterations=ITERATIONS)
    return lambda state, seat: bot.choose(GAME.view(state, seat), GAME.pending(state)[seat])


def at_random(seed: int) -> Policy:
    """A seat that takes any option."""
    bot = Uniform(Chance(seed))
    return lambda state, seat: bot.choose({}, GAME.pending(state)[seat])


@dataclass(frozen=True)
class Batch:
    """Some years to play: everybody alike (`greedy`, `search`), or one seat against the others (`search-greedy`)."""

    kind: str
    seats: int
    words: tuple[int, ...]


def play_batch(batch: Batch) -> tuple[Batch, Tally, list[float], list[float]]:
    """Play a batch; for one against the others also the margins in points and the shares of the victory."""
    world, found = world_of(batch.seats), Tally()
    margins, wins = [], []
    for number, word in enumerate(batch.words):
        one = number % batch.seats
        seats = list(range(batch.seats))
        if batch.kind == "search":
            answers = {seat: searching(word + seat) for seat in seats}
        elif batch.kind == "search-greedy":
            answers = {one: searching(word)}
        elif batch.kind == "greedy-lot":
            answers = {seat: at_random(word + seat) for seat in seats if seat != one}
        else:
            answers = {}
        scores = played(world, word, answers, found)
        others = [score for seat, score in enumerate(scores) if seat != one]
        margins.append(scores[one] - sum(others) / len(others))
        wins.append(found.wins[-1][one])
    return batch, found, margins, wins


def batches(games: int, seed: int) -> list[Batch]:
    """All that the report needs: years by knowledge, and fewer that take longer."""
    counts = [("greedy", seats, games) for seats in SEATS]
    counts += [("search", seats, max(2, games // SEARCHED)) for seats in SEATS]
    counts += [
        (kind, seats, max(seats, games // MATCHED))
        for kind in ("search-greedy", "greedy-lot")
        for seats in SEATS
    ]
    found = []
    for number, (kind, seats, count) in enumerate(counts):
        words = Chance(1000 * seed + number)
        size = batch_size(kind)
        for first in range(0, count, size):
            found.append(Batch(kind, seats, tuple(words.word() for _ in range(min(size, count - first)))))
    return found


def batch_size(kind: str) -> int:
    """How many years make a batch of work; a multiple of all numbers of seats where seats take turns."""
    return CHUNK if kind == "greedy" else 12 if kind != "search" else 2


@dataclass
class Findings:
    """Everything that was played."""

    tallies: dict[tuple[str, int], Tally]
    margins: dict[tuple[str, int], list[float]]
    wins: dict[tuple[str, int], list[float]]


def study(games: int, seed: int, processes: int, progress: Callable[[int, int], None]) -> Findings:
    """Play everything."""
    todo = batches(games, seed)
    results: dict[tuple[str, int], list[tuple[Batch, Tally, list[float], list[float]]]] = {}
    progress(0, len(todo))
    for number, result in enumerate(map_unordered(play_batch, todo, processes), start=1):
        results.setdefault((result[0].kind, result[0].seats), []).append(result)
        progress(number, len(todo))
    order = {batch: number for number, batch in enumerate(todo)}
    for some in results.values():
        some.sort(key=lambda result: order[result[0]])
    return Findings(
        {key: reduce(Tally.__add__, (tally for _, tally, _, _ in some)) for key, some in results.items()},
        {key: [m for _, _, margins, _ in some for m in margins] for key, some in results.items()},
        {key: [w for _, _, _, wins in some for w in wins] for key, some in results.items()},
    )


# ---------------------------------------------------------------------------------------------- numbers


def median_of(tally: Tally) -> Estimate:
    """The median score; the seats of a year are one cluster."""
    return median(tally.scores)


def right_length(tally: Tally) -> Estimate:
    """How often the last trimester took three to six turns."""
    return rate(sum(3 <= turns <= 6 for turns in tally.turns), len(tally.turns))


def seat_shares(tally: Tally, seats: int) -> list[Estimate]:
    """Each seat's share of the victories."""
    return [share([[year[seat]] for year in tally.wins]) for seat in range(seats)]


def set_shares(tally: Tally) -> list[Estimate]:
    """Each predefined set's share of the victories, among the years in which it was dealt."""
    found: list[list[list[float]]] = [[] for _ in SET_LETTERS]
    for wins, sets in zip(tally.wins, tally.sets, strict=True):
        for won, letter in zip(wins, sets, strict=True):
            found[letter].append([won])
    return [share(values) if values else rate(0, 0) for values in found]


def project_rates(tallies: Sequence[Tally]) -> dict[int, Estimate]:
    """How often each project was realised by those who kept it."""
    together = reduce(Tally.__add__, tallies)
    return {
        card.id: rate(together.realised[card.id], together.kept[card.id])
        for card in CARDS
        if card.is_project and together.kept[card.id]
    }


def farthest(shares: Sequence[Estimate], fair: float) -> Estimate:
    """By how much the worst of some shares is away from the fair one."""
    one = max(shares, key=lambda share: abs(share.value - fair))
    sides = sorted((abs(one.low - fair), abs(one.high - fair)))
    return Estimate(abs(one.value - fair), 0.0 if one.low <= fair <= one.high else sides[0], sides[1])


def verdict(found: Estimate, low: float, high: float) -> str:
    """In a table: whether a value is between two marks, if the whole interval is on the same side of them."""
    if low <= found.low and found.high <= high:
        return "yes"
    if found.high < low or high < found.low:
        return "**no**"
    inside = low <= found.value <= high
    return f"not decided by this sample; the value is {'inside' if inside else '**outside**'}"


# ---------------------------------------------------------------------------------------------- the page


def report(out: Path, *, games: int, seed: int, processes: int, progress: Callable[[int, int], None]) -> None:
    """Play, and write the page and its plots into a folder."""
    from fabletop.lab.fairy_school import plots

    need_plots()
    found = study(games, seed, processes, progress)
    out.mkdir(parents=True, exist_ok=True)
    plots.draw(found, out)
    (out / "fairy-school.md").write_text(page(found, games, seed), encoding="utf-8")


def page(found: Findings, games: int, seed: int) -> str:
    """The report as text."""
    few = len(found.margins["search-greedy", SEATS[0]])
    searched = len(found.tallies["search", SEATS[0]].turns)
    lines = [
        "# Fairy School: how the cards play",
        "",
        "Most cards are this project's own design ([cards.md](../cards.md) says which), so they have to prove",
        "themselves in play. Section 9 of the [rules](../rules/fairy-school.md) sets the marks; this page says how",
        "far they are met. It is written by",
        "",
        "```sh",
        f"fabletop lab report fairy-school --games {games} --seed {seed} --out docs/reports",
        "```",
        "",
        f"from {games} normal, full years with 3 seats and as many with 4, all played by *greedy* (knowledge alone,",
        f"one step ahead), and from fewer that take longer: {searched} each with *search* in every seat",
        f"({ITERATIONS} iterations a choice), and about {few} for each match below. The strong players of the marks",
        "are those who search; where they have played too few years, greedy's say what they can. Intervals are at",
        "95 %. A mark is met, or not met, if that is so for the whole interval.",
        "",
        "## The marks",
        "",
        *marks(found),
        "",
        "![Scores](fairy-school-scores.svg)",
        "",
        "![Turns of the last trimester](fairy-school-turns.svg)",
        "",
        "## Where the points come from",
        "",
        *where(found),
        "",
        "## Seats and sets",
        "",
        *fairness(found),
        "",
        "![Seats and sets](fairy-school-shares.svg)",
        "",
        "## Projects",
        "",
        *projects(found),
        "",
        "![Projects](fairy-school-projects.svg)",
        "",
        "## Final projects",
        "",
        *finals(found),
        "",
        "## How strong the players are",
        "",
        *strength(found),
        "",
    ]
    return "\n".join(lines)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table of the page."""
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]


def marks(found: Findings) -> list[str]:
    """The marks of section 9, one row each."""
    rows = []
    for kind in ("search", "greedy"):
        for seats in SEATS:
            middle = median_of(found.tallies[kind, seats])
            name = f"median score, {seats} seats, {kind}"
            rows.append([name, "85 to 95", middle.text(), verdict(middle, 85, 95)])
    for kind in ("search", "greedy"):
        for seats in SEATS:
            length = right_length(found.tallies[kind, seats])
            name = f"last trimester of 3 to 6 turns, {seats} seats, {kind}"
            rows.append([name, "90 % or more", length.percent(), verdict(length, 0.9, 1)])
    for seats in SEATS:
        tally = found.tallies["greedy", seats]
        for what, shares in (("seat", seat_shares(tally, seats)), ("set", set_shares(tally))):
            away = farthest(shares, 1 / seats)
            name = f"{what} farthest from its fair share, {seats} seats"
            rows.append([name, "3 points at most", away.text(1, " points", 100), verdict(away, 0, 0.03)])
    rates = project_rates([found.tallies["greedy", seats] for seats in SEATS])
    ours = [card for card in rates if CARDS[card].ours]
    for end, card in (("least", lowest(ours, rates)), ("most", highest(ours, rates))):
        what = f"{CARDS[card].name}: {rates[card].percent()}"
        name = f"project of ours realised {end} often"
        rows.append([name, "5 % to 95 %", what, verdict(rates[card], 0.05, 0.95)])
    return table(["mark", "wanted", "found", "met"], rows)


def lowest(cards: Sequence[int], rates: dict[int, Estimate]) -> int:
    """The card realised least often."""
    return min(cards, key=lambda card: rates[card].value)


def highest(cards: Sequence[int], rates: dict[int, Estimate]) -> int:
    """The card realised most often."""
    return max(cards, key=lambda card: rates[card].value)


def where(found: Findings) -> list[str]:
    """The parts of the score, and how the years ended."""
    head = ["", *(f"{seats} seats, {kind}" for kind in ("greedy", "search") for seats in SEATS)]
    tallies = [found.tallies[kind, seats] for kind in ("greedy", "search") for seats in SEATS]
    rows = [[part, *(f"{tally.parts[part] / len(tally.points):.1f}" for tally in tallies)] for part in PARTS]
    rows.append(["together", *(mean(tally.scores).text() for tally in tallies)])
    rows.append(
        [
            "middle eight tenths",
            *(f"{quantile(t.points, 0.1):.0f} to {quantile(t.points, 0.9):.0f}" for t in tallies),
        ]
    )
    rows.append(["winner's median", *(f"{quantile([max(y) for y in t.scores], 0.5):.0f}" for t in tallies)])
    rows.append(
        ["ended by a completed final project", *(rate(t.completed, len(t.turns)).percent() for t in tallies)]
    )
    return table(head, rows)


def fairness(found: Findings) -> list[str]:
    """The shares of the victory."""
    rows = []
    for seats in SEATS:
        tally = found.tallies["greedy", seats]
        named = [(f"seat {seat + 1}", one) for seat, one in enumerate(seat_shares(tally, seats))]
        named += [(f"set {letter}", one) for letter, one in zip(SET_LETTERS, set_shares(tally), strict=True)]
        rows += [[f"{name}, {seats} seats", f"{100 / seats:.1f} %", one.percent()] for name, one in named]
    return table(["", "fair", "victories"], rows)


def projects(found: Findings) -> list[str]:
    """The projects at both ends, and each trimester's mean."""
    tallies = [found.tallies["greedy", seats] for seats in SEATS]
    together, rates = reduce(Tally.__add__, tallies), project_rates(tallies)
    lines = []
    for deck in ("I", "II", "III"):
        cards = [card.id for card in CARDS if card.deck == deck and card.id in rates]
        kept, made = sum(together.kept[i] for i in cards), sum(together.realised[i] for i in cards)
        lines.append(f"- Trimester {deck}: {rate(made, kept).percent()} of those kept are realised.")
    lines += [
        "",
        "Realised means: before projects are chosen again, or for those of trimester III before the year ends.",
        "The mark is for the cards that are ours. The six of them least and the six most often realised by those",
        "who keep them:",
        "",
    ]

    def rows(cards: Sequence[int]) -> list[list[str]]:
        return [
            [
                CARDS[i].name,
                CARDS[i].deck,
                str(CARDS[i].effect).replace("|", "\\|"),
                f"{together.kept[i]}",
                rates[i].percent(),
            ]
            for i in cards
        ]

    order = sorted(rates, key=lambda card: rates[card].value)
    ours = [card for card in order if CARDS[card].ours]
    head = ["project", "trimester", "effect", "kept", "realised"]
    lines += table(head, rows((*ours[:6], *ours[-6:])))
    lines += [
        "",
        "The known cards stay as they were seen in print, whatever comes of it: some are so cheap and so good that",
        "nearly every player who keeps them realises them.",
        "",
    ]
    return lines + table(head, rows([card for card in order if not CARDS[card].ours]))


def finals(found: Findings) -> list[str]:
    """How often each final project was chosen and completed."""
    together = reduce(Tally.__add__, (found.tallies["greedy", seats] for seats in SEATS))
    rows = [
        [
            final.name,
            str(together.finals[final.id]),
            rate(together.finished[final.id], together.finals[final.id]).percent(),
        ]
        for final in FINALS
        if together.finals[final.id]
    ]
    return table(["final project", "chosen", "completed"], rows)


def strength(found: Findings) -> list[str]:
    """One seat against the others, by turns in each seat."""
    names = {
        "greedy-lot": "one greedy among players who choose at random",
        "search-greedy": f"one with search ({ITERATIONS} iterations) among greedy ones",
    }
    rows = []
    for kind, name in names.items():
        for seats in SEATS:
            margins, wins = found.margins[kind, seats], found.wins[kind, seats]
            rows.append(
                [
                    f"{name}, {seats} seats",
                    str(len(wins)),
                    mean([[margin] for margin in margins]).text(),
                    share([[won] for won in wins]).percent(),
                    f"{100 / seats:.1f} %",
                ]
            )
    head = ["", "years", "points ahead of the others' mean", "victories", "fair"]
    return table(head, rows)
