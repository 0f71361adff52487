"""Studies: what their files say, the same results on any number of processes, interruptions, damage, bad input."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fabletop.cli import main
from fabletop.core.errors import FabletopError
from fabletop.core.records import parse
from fabletop.core.sitting import steps
from fabletop.games import GAMES
from fabletop.games.fairy_school.cards import own_card_text
from fabletop.lab.parallel import map_unordered
from fabletop.lab.results import Results, merge
from fabletop.lab.runner import ChunkSizes, Executor, chunks, run_study
from fabletop.lab.study import read_study
from fabletop.lab.work import Chunk, play_chunk

SMALL = """
seed = "small"
[[match]]
name = "levels"
game = "equinox"
bots = ["greedy", "uniform"]
pairing = "matrix"
deals = 2
seats = [2, 3]
decisions = true
records = 1
"""
TABLES = ("games", "facts", "decisions")


def quiet(done, total):
    """No progress bar."""


@pytest.fixture
def study(tmp_path):
    (tmp_path / "small.toml").write_text(SMALL)
    return read_study(tmp_path / "small.toml")


def files(folder: Path) -> list[bytes]:
    return [(folder / f"{name}.parquet").read_bytes() for name in TABLES]


def read(tmp_path, text, **changes):
    (tmp_path / "study.toml").write_text(text)
    return read_study(tmp_path / "study.toml", **changes)


# ------------------------------------------------------------------------------------------------ what is played


def test_every_deal_is_played_by_every_pair_in_every_rotation(study):
    jobs = study.jobs()
    assert [job.index for job in jobs] == list(range(len(jobs)))
    assert len(jobs) == 2 * (2 * 2) + 2 * (2 * 3)
    of_two = {job.planned.entrants for job in jobs if job.planned.options["seats"] == 2}
    assert of_two == {("greedy", "uniform"), ("uniform", "greedy")}


def test_lists_of_options_are_combined(tmp_path):
    study = read(
        tmp_path,
        '[[match]]\ngame = "equinox"\nseats = [2, 3]\noptions = { hand = [7, 8, 9], first = 0 }\ndeals = 1',
    )
    tables = study.matches[0].tables
    assert [(one["seats"], one["hand"]) for one in tables] == [(s, h) for s in (2, 3) for h in (7, 8, 9)]
    assert {one["first"] for one in tables} == {0}


def test_a_set_of_creatures_is_one_value_and_a_list_of_sets_several(tmp_path):
    eight = ["squeak", "moss_man", "stag", "rubble", "twinz", "hoot", "carmen", "fungy"]
    for value, count in ((eight, 1), ([eight, "random"], 2)):
        found = read(
            tmp_path,
            f'[[match]]\ngame = "equinox"\noptions = {{ creatures = {json.dumps(value)} }}\ndeals = 1',
        )
        assert len(found.matches[0].tables) == count


def test_repeats_have_the_same_deal_and_other_dice(tmp_path):
    study = read(
        tmp_path, '[[match]]\ngame = "equinox"\nbots = ["uniform"]\nseats = 2\nrepeats = 2\ndeals = 1'
    )
    part = play_chunk(Chunk(tuple(study.jobs())))
    assert len(part.indices) == 2
    first, second = study.jobs()
    assert first.planned.seed == second.planned.seed
    assert first.planned.turned != second.planned.turned


# ------------------------------------------------------------------------------------------------ the same everywhere


def test_one_process_and_two_give_the_same_bytes(study, tmp_path):
    one = run_study(study, tmp_path / "one", Executor(1), quiet)
    run_study(study, tmp_path / "two", Executor(2), quiet)
    assert files(tmp_path / "one") == files(tmp_path / "two")
    assert len(one.table("games")) == len(study.jobs()) == one.head["games"]
    assert not (tmp_path / "one" / "parts").exists()


def test_a_study_that_was_interrupted_goes_on_where_it_stopped(study, tmp_path):
    whole = tmp_path / "whole"
    run_study(study, whole, Executor(1), quiet)
    half = Results.of(tmp_path / "half", study, len(study.jobs()))
    sizes = ChunkSizes()
    todo = chunks(study, study.jobs(), sizes)
    for _ in range(3):
        half.keep(play_chunk(next(todo)))
    assert len(half.missing(study.jobs())) == len(study.jobs()) - 6
    seen = []
    run_study(study, tmp_path / "half", Executor(1), lambda done, total: seen.append(done))
    assert seen[0] == 6
    assert files(tmp_path / "half") == files(whole)


def test_chunks_take_four_seconds_and_the_last_ones_two():
    sizes = ChunkSizes()
    assert sizes.size(0, 10**6) == 2
    sizes.seconds[0], sizes.games[0] = 1.0, 1000
    assert [sizes.size(0, left) for left in (10**6, 24_000, 10_000, 100)] == [4000, 3000, 2000, 2000]
    sizes.seconds[0], sizes.games[0] = 30.0, 1
    assert sizes.size(0, 10) == 1


def test_two_runs_do_not_share_a_folder(study, tmp_path):
    results = Results.of(tmp_path / "out", study, len(study.jobs()))
    with results.alone(), pytest.raises(FabletopError, match="another run writes its results into"):
        run_study(study, tmp_path / "out", Executor(1), quiet)
    run_study(study, tmp_path / "out", Executor(1), quiet)


def test_a_part_that_was_cut_off_is_played_again(study, tmp_path):
    run_study(study, tmp_path / "whole", Executor(1), quiet)
    half = Results.of(tmp_path / "half", study, len(study.jobs()))
    todo = chunks(study, study.jobs(), ChunkSizes())
    for _ in range(2):
        half.keep(play_chunk(next(todo)))
    cut = sorted((tmp_path / "half" / "parts").glob("*.facts.parquet"))[0]
    cut.write_bytes(cut.read_bytes()[:100])
    assert len(half.missing(study.jobs())) == len(study.jobs()) - 2
    run_study(study, tmp_path / "half", Executor(1), quiet)
    assert files(tmp_path / "half") == files(tmp_path / "whole")


def test_parts_of_several_machines_make_the_whole(study, tmp_path):
    run_study(study, tmp_path / "whole", Executor(1), quiet)
    for number in (1, 2):
        run_study(study, tmp_path / f"part{number}", Executor(1), quiet, (number, 2))
    _, games, twice = merge([tmp_path / "part1", tmp_path / "part2", tmp_path / "part2"], tmp_path / "merged")
    assert (games, twice) == (len(study.jobs()), len(study.jobs()) // 2)
    assert files(tmp_path / "merged") == files(tmp_path / "whole")


def test_a_complete_study_is_not_played_again(study, tmp_path):
    run_study(study, tmp_path / "out", Executor(1), quiet)
    before = files(tmp_path / "out")
    seen = []
    run_study(study, tmp_path / "out", Executor(1), lambda done, total: seen.append((done, total)))
    assert seen == [(len(study.jobs()),) * 2]
    assert files(tmp_path / "out") == before


def die_once(item):
    """The first process that gets the item 3 dies; the next one finds the note."""
    number, folder = item
    note = Path(folder) / "died"
    if number == 3 and not note.exists():
        note.write_text("")
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def die(item):
    os.kill(os.getpid(), signal.SIGKILL)


def test_the_item_of_a_lost_process_is_done_again_and_counted_once(tmp_path):
    items = [(number, str(tmp_path)) for number in range(12)]
    assert sorted(map_unordered(die_once, items, 2)) == list(range(12))
    assert (tmp_path / "died").exists()


def test_processes_that_keep_dying_are_told_in_words(tmp_path):
    with pytest.raises(FabletopError, match="processes keep dying"):
        list(map_unordered(die, [1, 2], 2))


def there(group: int) -> bool:
    """Is any process of this group left?"""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_killed_run_leaves_no_process_behind_and_resumes(tmp_path, jobs):
    text = SMALL.replace("deals = 2", "deals = 60")
    (tmp_path / "long.toml").write_text(text)
    command = [sys.executable, "-m", "fabletop", "lab", "run", "long.toml", "--jobs", jobs]
    quietly = {"stderr": subprocess.DEVNULL, "start_new_session": True}
    with subprocess.Popen(command, cwd=tmp_path, **quietly) as run:
        deadline = time.monotonic() + 60
        while not list(tmp_path.glob("long/parts/*.games.parquet")) and time.monotonic() < deadline:
            time.sleep(0.02)
        run.kill()
    while there(run.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not there(run.pid)
    study = read_study(tmp_path / "long.toml")
    kept = len(study.jobs()) - len(Results.open(tmp_path / "long").missing(study.jobs()))
    assert 0 < kept < len(study.jobs())
    seen = []
    run_study(study, tmp_path / "long", Executor(1), lambda done, total: seen.append(done))
    assert seen[0] == kept
    run_study(study, tmp_path / "whole", Executor(1), quiet)
    assert files(tmp_path / "long") == files(tmp_path / "whole")


# ------------------------------------------------------------------------------------------------ rows


def test_rows_say_what_happened(study, tmp_path):
    results = run_study(study, tmp_path / "out", Executor(1), quiet)
    games = results.table("games").to_pylist()
    for row in games:
        assert len(row["points"]) == row["seats"] == len(row["bots"])
        assert sum(row["shares"]) == pytest.approx(1)
    kept = [row for row in games if row["record"]]
    assert {row["seats"] for row in kept} == {2, 3}
    record = parse(kept[0]["record"])
    *_, last = steps(GAMES["equinox"], record)
    assert last.outcome.scores == tuple(kept[0]["points"])
    decisions = results.table("decisions").to_pylist()
    first = [row for row in decisions if row["index"] == 0]
    assert [row["step"] for row in first] == list(range(games[0]["actions"]))
    assert all(row["options"] >= 1 and len(row["points"]) == 2 for row in first)
    assert first[-1]["turn"] == games[0]["turns"]
    survived = [
        row for row in results.table("facts").to_pylist() if row["name"] == "survived" and row["index"] == 0
    ]
    assert len(survived) == 8


def test_changed_cards_are_played_in_processes_of_their_own(tmp_path):
    text = own_card_text()
    line = next(line for line in text.splitlines() if line.startswith("1 "))
    (tmp_path / "cards.txt").write_text(
        text.replace(line, line.replace("     E   ", "     3E  ").replace("known", ""))
    )
    study = read(
        tmp_path,
        """[[match]]
        name = "present"
        game = "fairy-school"
        seats = 2
        deals = 1
        options = { length = "short" }
        [[match]]
        name = "changed"
        game = "fairy-school"
        seats = 2
        deals = 1
        options = { length = "short" }
        cards = "cards.txt"
        """,
    )
    results = run_study(study, tmp_path / "out", Executor(1), quiet)
    present, changed = results.table("games").to_pylist()
    assert present["digest"] == GAMES["fairy_school"].digest
    assert changed["digest"] != present["digest"]
    assert present["seed"] == changed["seed"]
    assert "FABLETOP_CARDS" not in os.environ


EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples" / "studies").glob("*.toml"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_are_studies(path):
    found = read_study(path, deals=1)
    assert found.name == path.stem
    assert found.jobs()


def test_there_are_examples_and_one_runs_as_it_is(tmp_path):
    assert {"levels", "luck", "hand", "fairy-school-cards"} <= {path.stem for path in EXAMPLES}
    study = read_study(next(path for path in EXAMPLES if path.stem == "hand"), deals=1)
    results = run_study(study, tmp_path / "hand", Executor(1), quiet)
    hands = [json.loads(options)["hand"] for options in results.table("games")["options"].to_pylist()]
    assert hands == [6, 7, 8, 9, 10]


# ------------------------------------------------------------------------------------------------ bad input

BAD = {
    "unknown bot": ('bots = ["gredy"]', "match 1: there is no bot 'gredy'"),
    "unknown option": (
        "options = { hnad = 7 }",
        "match 1: Equinox has no option 'hnad'; did you mean 'hand'?",
    ),
    "value out of range": ("options = { hand = 12 }", "from 6 to 10"),
    "unknown field": ("deels = 3", "match 1: a match has no field 'deels'; did you mean 'deals'?"),
    "wrong type": ('deals = "3"', "match 1: `deals` is '3'; it should be a whole number"),
    "too few": ("deals = 0", "should be at least 1"),
    "pairing": ('pairing = "all"', "it should be mixed, matrix or same"),
    "thinking by time": ('bots = ["puss"]', "say how far, such as puss:iterations=100"),
    "cards of Equinox": ('cards = "cards.txt"', "equinox has no card file"),
    "one twice": ('bots = ["greedy", "greedy"]', "a bot is named twice"),
}


@pytest.mark.parametrize(("line", "said"), BAD.values(), ids=BAD)
def test_a_study_with_a_mistake_names_the_place(line, said, tmp_path):
    (tmp_path / "cards.txt").write_text("")
    with pytest.raises(FabletopError) as error:
        read(tmp_path, f'[[match]]\ngame = "equinox"\n{line}\n')
    assert str(error.value).startswith(f"{tmp_path / 'study.toml'}: match 1: ")
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a study needs at least one [[match]]"),
        ("[[match]]\ngame = 'ludo'", "there is no game 'ludo'; there are equinox, fairy-school"),
        ("[[match]]\ndeals = 1", "`game` is missing"),
        ("match = 3", "at least one [[match]]"),
        ("[[match]", "no TOML file"),
        ("[[match]]\ngame='equinox'\n[[match]]\ngame='equinox'", "two matches are called 'equinox'"),
        (
            "[[match]]\ngame='equinox'\n[[mark]]\nmatch='x'\nvalue='points'\nlow=1\nhigh=2",
            "mark 1: there is no match 'x'",
        ),
        ("mark = 3\n[[match]]\ngame='equinox'", "`mark` is 3; it should be a list"),
    ],
)
def test_a_file_that_is_no_study_is_told_in_words(text, said, tmp_path):
    with pytest.raises(FabletopError) as error:
        read(tmp_path, text)
    assert said in str(error.value)


BAD_MARKS = {
    "unknown value": (
        "value = 'pointz'",
        "equinox has no mean of 'pointz'; `value` should be points or turns",
    ),
    "no rate": ("value = 'turns'\nstatistic = 'rate'", "no rate of 'turns'; `value` should be survived or "),
    "statistic": ("value = 'turns'\nstatistic = 'mode'", "`statistic` is 'mode'; it should be mean, median"),
    "seats": ("value = 'turns'\nseats = 5", "`seats` is 5; the match is played with 2, 3"),
    "no number": ("value = 'turns'\nto = 'ten'", "`to` is 'ten'; it should be a number"),
    "order": (
        "value = 'turns'\nstatistic = 'share'\nfrom = 9\nto = 3",
        "`from` is 9 and `to` 3; they should be",
    ),
    "unknown field": ("value = 'turns'\nhi = 3", "a mark has no field 'hi'"),
}


@pytest.mark.parametrize(("lines", "said"), BAD_MARKS.values(), ids=BAD_MARKS)
def test_a_mark_with_a_mistake_is_told_before_anything_is_played(lines, said, tmp_path):
    text = f"[[match]]\ngame='equinox'\nseats=[2, 3]\n[[mark]]\nmatch='equinox'\nlow=1\nhigh=2\n{lines}\n"
    with pytest.raises(FabletopError) as error:
        read(tmp_path, text)
    assert str(error.value).startswith(f"{tmp_path / 'study.toml'}: mark 1: ")
    assert said in str(error.value)


def test_a_card_line_with_a_mistake_names_line_and_column(tmp_path, capsys):
    text = own_card_text().replace("V+F | Scout 1", "V+F | Scuot 1")
    (tmp_path / "cards.txt").write_text(text)
    (tmp_path / "study.toml").write_text('[[match]]\ngame = "fairy-school"\ncards = "cards.txt"\n')
    assert main(["lab", "run", str(tmp_path / "study.toml"), "--out", str(tmp_path / "out")]) == 1
    told = capsys.readouterr().err
    line = next(n for n, one in enumerate(text.splitlines(), 1) if "Scuot" in one)
    assert f"cards.txt, line {line}, column " in told
    assert "'Scuot' is no special effect" in told
    assert not (tmp_path / "out").exists()


def test_results_of_another_study_are_not_mixed(study, tmp_path):
    run_study(study, tmp_path / "out", Executor(1), quiet)
    other = read(tmp_path, SMALL.replace('"small"', '"other"'))
    with pytest.raises(FabletopError, match="results of another study"):
        run_study(other, tmp_path / "out", Executor(1), quiet)
    assert len(Results.open(tmp_path / "out").table("games")) == len(study.jobs())


def test_results_of_another_version_or_cut_off_name_the_file(study, tmp_path):
    run_study(study, tmp_path / "out", Executor(1), quiet)
    path = tmp_path / "out" / "games.parquet"
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    with pytest.raises(FabletopError, match=r"games\.parquet: cut off or no Parquet file"):
        Results.open(tmp_path / "out").table("games")
    path.write_bytes(whole)
    head = tmp_path / "out" / "study.json"
    text = head.read_text()
    head.write_text(text.replace('"format": 1', '"format": 7'))
    with pytest.raises(FabletopError, match=r"study\.json: results of format 7; Fabletop \S+ reads format 1"):
        Results.open(tmp_path / "out")
    head.write_text(text[:30])
    with pytest.raises(FabletopError, match=r"study\.json: cut off"):
        Results.open(tmp_path / "out")


def test_a_folder_with_something_else_is_left_alone(study, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "letter.txt").write_text("dear")
    with pytest.raises(FabletopError, match="is not empty"):
        run_study(study, tmp_path / "out", Executor(1), quiet)


def test_the_command_says_what_it_did(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("small.toml").write_text(SMALL)
    assert main(["lab", "run", "small.toml", "--jobs=1", "--deals=1", "--part=1/1"]) == 0
    assert "10 games of 10 are in small" in capsys.readouterr().out
    assert main(["lab", "run", "small.toml", "--jobs=0"]) == 1
    assert main(["lab", "run", "small.toml", "--address=localhost:1"]) == 1
    assert "--address is for --on ray" in capsys.readouterr().err
    assert main(["lab", "merge", "small", "--out", "all"]) == 0
    assert main(["lab", "merge", "nothing", "--out", "other"]) == 1
    assert "nothing has no results" in capsys.readouterr().err
