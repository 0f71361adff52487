"""Matches and the ladder: fair plans, files that can be broken off, taken up and merged, and what is printed."""

import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from fabletop.cli import main
from fabletop.core.errors import BadOptions, BadRecord
from fabletop.games import GAMES
from fabletop.lab.ladder import alike, left, markdown, merged, read, run, standings, unconnected_groups
from fabletop.lab.matches import Played, lead, plan, play, read_line
from fabletop.lab.parallel import map_unordered

TWO = {"seats": 2}


def some_games(deals: int = 2) -> list[Played]:
    return [play(one) for one in plan("equinox", TWO, ["uniform", "greedy"], deals, "test")]


# ---------------------------------------------------------------------------------------------- plans


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "entrants", [["uniform", "greedy"], ["uniform", "greedy", "puss", "queen", "gretel"]]
)
def test_every_deal_is_played_with_everybody_in_every_seat(game: str, entrants: list[str]) -> None:
    for seats in GAMES[game].seat_counts:
        planned = plan(game, {"seats": seats}, entrants, 60, "plan")
        assert len(planned) == 60 * seats
        assert len({one.key for one in planned}) == len(planned)
        seated: dict[str, list[Counter[str]]] = {}
        for one in planned:
            counts = seated.setdefault(one.seed, [Counter() for _ in range(seats)])
            for seat, name in enumerate(one.entrants):
                counts[seat][name] += 1
        assert len(seated) == 60
        for counts in seated.values():
            assert all(count == counts[0] for count in counts), "each as often in one seat as in another"
        total = Counter(name for one in planned for name in one.entrants)
        assert max(total.values()) - min(total.values()) <= 0.1 * max(total.values()), "all play as much"
        assert plan(game, {"seats": seats}, entrants, 60, "plan") == planned


def test_one_against_a_table_of_another() -> None:
    planned = plan("equinox", {"seats": 4}, ["greedy", "gretel"], 3, "s", against="uniform")
    assert len(planned) == 3 * 2 * 4
    for one in planned:
        assert Counter(one.entrants)["uniform"] == 3
    for name in ("greedy", "gretel"):
        places = sorted(one.entrants.index(name) for one in planned if name in one.entrants)
        assert places == sorted([0, 1, 2, 3] * 3)


@pytest.mark.parametrize(
    ("entrants", "against", "message"),
    [
        (["greedy"], None, "two entrants at least"),
        (["greedy", " GREEDY"], None, "named twice"),
        (["greedy"], "greedy", "against itself"),
        (["fred", "greedy"], None, "there is no bot 'fred'"),
    ],
)
def test_what_makes_no_match_is_refused(entrants: list[str], against: str | None, message: str) -> None:
    with pytest.raises(BadOptions, match=message):
        plan("equinox", TWO, entrants, 1, "s", against)


# ---------------------------------------------------------------------------------------------- games


def test_a_game_is_told_in_one_line_and_read_back() -> None:
    planned = plan("equinox", {"seats": 3}, ["uniform", "greedy"], 1, "test")[0]
    game = play(planned)
    assert game.key == planned.key
    assert "\n" not in game.line()
    assert read_line(game.line()) == game
    data = json.loads(game.line())
    assert data["rules"] == GAMES["equinox"].rules
    assert data["entrants"] == list(planned.entrants)
    assert max(game.scores) == game.scores[game.winners[0]]
    assert sum(game.shares) == pytest.approx(1)
    assert game.turns > 3
    assert game.actions >= sum(game.choices) > 20
    assert game.reason


def test_the_same_plan_gives_the_same_game() -> None:
    planned = plan("fairy_school", TWO, ["uniform", "thumbling"], 1, "test")[0]
    one, two = play(planned), play(planned)
    assert (one.scores, one.actions, one.winners) == (two.scores, two.actions, two.winners)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("x", "not a line of JSON"),
        ({"fabletop": "record"}, "no game of a ladder"),
        ({"format": 7}, "reads format 1"),
        ({"winners": [5]}, "do not fit"),
        ({"scores": [1]}, "do not fit"),
        ({"extra": 1}, "too many"),
    ],
)
def test_a_line_that_is_no_game_is_refused(change: object, message: str) -> None:
    line = some_games(1)[0].line()
    text = json.dumps({**json.loads(line), **change}) if isinstance(change, dict) else str(change)
    with pytest.raises(BadRecord, match=message):
        read_line(text)


# ---------------------------------------------------------------------------------------------- files


def test_a_match_broken_off_in_the_middle_of_a_line_goes_on(tmp_path: Path) -> None:
    planned = plan("equinox", TWO, ["uniform", "greedy"], 3, "test")
    out = tmp_path / "deep" / "out.jsonl"
    games = run(planned, 1, out)
    for _ in range(3):
        next(games)
    games.close()  # type: ignore[attr-defined]
    with out.open("a") as file:
        file.write('{"fabletop": "game", "form')
    there = read(out)
    assert len(there) == 3
    rest = left(planned, there)
    assert len(rest) == 3
    list(run(rest, 1, out))
    assert [game.key for game in read(out)] == [one.key for one in planned]
    straight = [play(one) for one in planned]
    assert [game.scores for game in read(out)] == [game.scores for game in straight]


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(some_games(1)[0].line() + "\nhello\n")
    with pytest.raises(BadRecord, match=r"bad.jsonl, line 2: not a line of JSON"):
        read(path)
    with pytest.raises(BadRecord, match="cannot be read"):
        read(tmp_path / "none.jsonl")


def test_files_are_merged_and_doubles_count_once() -> None:
    games = some_games(2)
    whole, again = merged([games[:3], games[2:]])
    assert whole == games
    assert again == 1


def test_processes_give_the_same_games_in_any_order() -> None:
    planned = plan("equinox", TWO, ["uniform", "greedy"], 2, "test")
    found = {game.key: game.scores for game in map_unordered(play, planned, 2)}
    assert found == {game.key: game.scores for game in some_games(2)}


# ---------------------------------------------------------------------------------------------- standings


def game_of(seed: str, entrants: tuple[str, ...], scores: tuple[float, ...], turned: int) -> Played:
    seats = len(entrants)
    best = max(scores)
    winners = tuple(seat for seat in range(seats) if scores[seat] == best)
    options = {"seats": seats}
    return Played(
        "equinox",
        1,
        options,
        seed,
        entrants,
        turned,
        scores,
        winners,
        "x",
        9,
        9,
        (4,) * seats,
        (0.2,) * seats,
    )


def test_games_with_other_cards_are_not_mixed_with_those_of_today() -> None:
    game = game_of("d 0", ("a", "b"), (10, 4), 0)
    today, other = replace(game, digest=GAMES["equinox"].digest), replace(game, digest="0123")
    assert read_line(other.line()) == other
    assert game.key == today.key != other.key
    assert [len(some) for some in alike([game, today, other]).values()] == [1, 2]


def test_standings_count_by_hand() -> None:
    games = [
        game_of("d 0", ("a", "b", "b"), (10, 4, 6), 0),
        game_of("d 0", ("b", "a", "b"), (7, 7, 1), 1),
        game_of("d 1", ("b", "b", "a"), (3, 2, 8), 2),
    ]
    first, second = standings(games)
    assert (first.name, second.name) == ("a", "b")
    assert (first.seats, second.seats) == (3, 6)
    assert first.victory.value == pytest.approx(2.5 / 3)
    assert second.victory.value == pytest.approx(0.5 / 6)
    assert first.points.value == pytest.approx(25 / 3)
    assert first.margin.value == pytest.approx((5 + 3 + 5.5) / 3)
    assert first.fair == pytest.approx(1 / 3)
    assert first.milliseconds == pytest.approx(50)
    assert lead(games[0].scores, 1) == pytest.approx(4 - 8)
    assert unconnected_groups(games) == [{"a", "b"}]
    assert markdown([first]).splitlines()[2].startswith("| a | ")


def test_games_of_different_kind_are_summed_up_apart() -> None:
    games = [game_of("d 0", ("a", "b"), (1, 2), 0), game_of("d 0", ("a", "b", "b"), (1, 2, 3), 0)]
    assert list(alike(games)) == ["equinox, rules 1, seats 2", "equinox, rules 1, seats 3"]


# ---------------------------------------------------------------------------------------------- the command


def test_the_ladder_prints_keeps_resumes_and_merges(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, other = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    command = ["ladder", "equinox", "greedy", "--against", "uniform", "--seats", "2", "--jobs", "1"]
    assert main([*command, "--deals", "2", "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "4 games, 2 deals" in printed
    assert printed.index("greedy ") < printed.index("uniform ")
    kept = out.read_bytes()
    assert main([*command, "--deals", "3", "--out", str(out)]) == 0
    assert out.read_bytes().startswith(kept), "what is there is not played again"
    assert "6 games, 3 deals" in capsys.readouterr().out
    assert main([*command, "--deals", "1", "--seed", "other", "--out", str(other)]) == 0
    capsys.readouterr()
    assert main(["ladder", "--from", str(out), str(other), str(out)]) == 0
    printed = capsys.readouterr().out
    assert "6 games are in these files more than once" in printed
    assert "8 games, 4 deals" in printed
    assert main(["ladder", "--from", str(out), "--markdown"]) == 0
    assert "| greedy | " in capsys.readouterr().out


def test_settings_of_the_game_reach_the_ladder(tmp_path: Path) -> None:
    out = tmp_path / "a.jsonl"
    words = [
        "ladder",
        "fairy-school",
        "uniform",
        "thumbling",
        "--seats",
        "2",
        "--length",
        "short",
        "--jobs",
        "1",
    ]
    assert main([*words, "--deals", "1", "--out", str(out)]) == 0
    assert {game.options["length"] for game in read(out)} == {"short"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "needs a game, or --from"),
        (["equinox", "greedy"], "two entrants at least"),
        (["equinox", "greedy", "fred"], "there is no bot 'fred'"),
        (["equinox", "--seats", "9"], "9"),
        (["equinox", "--deals", "0"], "must be at least 1"),
        (["--from", "nowhere.jsonl"], "cannot be read"),
    ],
)
def test_bad_use_of_the_ladder(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ladder", *words]) == 1
    assert message in capsys.readouterr().err


def test_an_interrupted_ladder_says_how_far_it_came(tmp_path: Path) -> None:
    """Ctrl+C in the middle: the games so far are kept and summed up."""
    script = f"""
import signal, sys, threading, time
from pathlib import Path
from fabletop.cli import main
out = Path({str(tmp_path / "a.jsonl")!r})
def interrupt():
    while not (out.exists() and out.read_bytes().count(b"\\n") >= 2):
        time.sleep(0.02)
    signal.raise_signal(signal.SIGINT)
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests may have it ignored
    threading.Thread(target=interrupt, daemon=True).start()
    sys.exit(main(["ladder", "equinox", "uniform", "greedy", "--seats", "2", "--deals", "500", "--jobs", "1",
                   "--out", str(out)]))
"""
    path = tmp_path / "script.py"
    path.write_text(script)
    told = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, timeout=120, check=False
    )
    assert told.returncode == 130, told.stderr
    assert "of 1000 games; the same command resumes from" in told.stdout
    assert "Traceback" not in told.stderr
    assert len(read(tmp_path / "a.jsonl")) >= 2
