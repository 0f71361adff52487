"""The ladder: matches in files of JSON lines, resumed after interruptions, merged, and turned into standings."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fabletop.core.errors import BadRecord
from fabletop.games import shown
from fabletop.lab.matches import Planned, Played, lead, play, read_line
from fabletop.lab.parallel import map_unordered
from fabletop.lab.ratings import WinCounts, connected_groups, ratings
from fabletop.lab.statistics import Estimate, mean, share


def read(path: Path) -> list[Played]:
    """The games of a file. An incomplete last line, as after a kill, is ignored."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise BadRecord(f"{path}: cannot be read ({error.strerror})") from None
    games = []
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        if not line.endswith("\n"):
            break
        try:
            games.append(read_line(line))
        except BadRecord as error:
            raise BadRecord(f"{path}, line {number}: {error}") from None
    return games


def truncate_incomplete(path: Path) -> None:
    """Cut off an incomplete last line."""
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole < len(data):
        with path.open("r+b") as file:
            file.truncate(whole)


def merged(files: Iterable[Sequence[Played]]) -> tuple[list[Played], int]:
    """The games of several files without duplicates, and the number of duplicates."""
    unique: dict[str, Played] = {}
    again = 0
    for games in files:
        for game in games:
            again += game.key in unique
            unique.setdefault(game.key, game)
    return list(unique.values()), again


def left(planned: Sequence[Planned], played: Sequence[Played]) -> list[Planned]:
    """The games of a plan that have not been played."""
    there = {game.key for game in played}
    return [game for game in planned if game.key not in there]


def run(
    planned: Sequence[Planned],
    processes: int,
    out: Path | None,
    play_one: Callable[[Planned], Played] = play,
) -> Iterator[Played]:
    """Play the games on some processes, each by `play_one`; each is written to the file as soon as it is over."""
    if out is None:
        yield from map_unordered(play_one, planned, processes)
        return
    out.parent.mkdir(parents=True, exist_ok=True)
    if out.exists():
        truncate_incomplete(out)
    with out.open("a", encoding="utf-8") as file:
        for game in map_unordered(play_one, planned, processes):
            file.write(game.line() + "\n")
            file.flush()
            yield game


# ---------------------------------------------------------------------------------------------- standings


def alike(games: Sequence[Played]) -> dict[str, list[Played]]:
    """The games grouped by game, version of the rules and options; only games of one group are comparable."""
    groups: dict[str, list[Played]] = {}
    for game in games:
        options = ", ".join(f"{name} {value}" for name, value in sorted(game.options.items()))
        cards = f", other cards ({game.digest})" if game.other_cards else ""
        groups.setdefault(f"{shown(game.game)}, rules {game.rules}{cards}, {options}", []).append(game)
    return dict(sorted(groups.items()))


@dataclass(frozen=True, slots=True)
class Standing:
    """One entrant of a ladder. `victory` is its share of the victory per seat played, `fair` that share if all bots
    were equal; `margin` is its points minus the mean of the others at the table."""

    name: str
    rating: Estimate
    seats: int
    victory: Estimate
    fair: float
    points: Estimate
    margin: Estimate
    milliseconds: float


def standings(games: Sequence[Played]) -> list[Standing]:
    """The standing of each entrant, best first, from at least one game; all games of one group."""
    deals: dict[str, list[Played]] = {}
    for game in games:
        deals.setdefault(game.seed, []).append(game)
    counts = []
    for deal in deals.values():
        counts.append(WinCounts())
        for game in deal:
            counts[-1].add_game(game.entrants, game.shares)
    return [standing(name, rated, list(deals.values())) for name, rated in ratings(counts).items()]


def standing(name: str, rated: Estimate, deals: Sequence[Sequence[Played]]) -> Standing:
    """One entrant, clustered by deal."""
    victory, points, margin = [], [], []
    fair: list[float] = []
    choices, seconds = 0, 0.0
    for deal in deals:
        seats = [(game, seat) for game in deal for seat, who in enumerate(game.entrants) if who == name]
        victory.append([game.shares[seat] for game, seat in seats])
        points.append([game.scores[seat] for game, seat in seats])
        margin.append([lead(game.scores, seat) for game, seat in seats])
        fair += [1 / len(game.entrants) for game, _ in seats]
        choices += sum(game.choices[seat] for game, seat in seats)
        seconds += sum(game.seconds[seat] for game, seat in seats)
    return Standing(
        name,
        rated,
        len(fair),
        share(victory),
        sum(fair) / len(fair),
        mean(points),
        mean(margin),
        1000 * seconds / max(1, choices),
    )


def unconnected_groups(games: Sequence[Played]) -> list[set[str]]:
    """Groups of entrants that never met each other; a single group if the ratings are comparable."""
    return connected_groups(sorted({tuple(sorted(game.entrants)) for game in games}))


HEADINGS = ("entrant", "rating", "victories", "fair", "points", "margin", "seats", "ms/choice")


def rows(ranking: Sequence[Standing]) -> list[tuple[str, ...]]:
    """The standings as cells of a table, under HEADINGS."""
    return [
        (
            standing.name,
            standing.rating.text(0),
            standing.victory.percent(),
            f"{100 * standing.fair:.0f} %",
            standing.points.text(1),
            standing.margin.text(2),
            str(standing.seats),
            f"{standing.milliseconds:.1f}",
        )
        for standing in ranking
    ]


def markdown(ranking: Sequence[Standing]) -> str:
    """The standings as a table for a page."""
    lines = [HEADINGS, ("---", *("---:",) * (len(HEADINGS) - 1)), *rows(ranking)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
