"""Rating a player, a program or a model against the levels on fixed deals."""

import json
import re
import sys
from pathlib import Path

import pytest

from fabletop.cli import main
from fabletop.core.chance import Chance
from fabletop.core.errors import BadOptions, FabletopError
from fabletop.envs.players import Program, play
from fabletop.envs.text import TextEnv
from fabletop.lab.ladder import read
from fabletop.lab.matches import Played
from fabletop.lab.rate import plan_rating, play_one, show_rating

PROGRAM = """
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    if said["kind"] == "end":
        break
    option = said["text"].rpartition("means)\\n")[2].partition(" = ")[0]
    print("nonsense" if said["kind"] == "ask" and "## The question\\nPlay" in said["text"] else option, flush=True)
"""


class First:
    """A player in words that takes the first option."""

    def answer(self, text):
        return re.search(r"means\)\n(\S+) = ", text)[1]


class Mute:
    """No text."""

    def answer(self, text):
        return None


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "player.py"
    path.write_text(PROGRAM)
    return f"command:{sys.executable} {path}"


def rate(*arguments: str) -> int:
    return main(["rate", "equinox", *arguments, "--jobs=1", "--deals=2"])


def test_every_deal_is_played_against_every_level_in_every_seat() -> None:
    games = plan_rating("equinox", {"seats": 3}, "uniform", ["thumbling", "gretel"], 2, "fixed")
    assert len(games) == 2 * 2 * 3
    assert all(game.entrants[game.turned] == "uniform" for game in games)
    assert {game.seed for game in games} == {"fixed 0", "fixed 1"}
    assert games == plan_rating("equinox", {"seats": 3}, "uniform", ["thumbling", "gretel"], 2, "fixed")


def test_a_bot_is_rated_and_the_run_resumes(tmp_path: Path, capsys) -> None:
    out = tmp_path / "games.jsonl"
    assert rate("uniform", "--against=thumbling,gretel", f"--out={out}") == 0
    text = capsys.readouterr().out
    assert "uniform: 8 games on 2 deals" in text
    assert re.search(r"^gretel +[\d.]+ % \([\d.]+ to [\d.]+\) +50 %", text, re.MULTILINE)
    assert re.search(r"^uniform +\d+ \(", text, re.MULTILINE)
    lines = out.read_text().splitlines(keepends=True)
    out.write_text("".join(lines[:3]) + lines[3][:20])  # as after a kill
    assert rate("uniform", "--against=thumbling,gretel", f"--out={out}") == 0
    assert capsys.readouterr().out == text
    assert len(read(out)) == 8


def test_victories_and_margins_are_those_of_the_player_in_every_seat(capsys) -> None:
    games = []
    for one in plan_rating("equinox", {"seats": 3}, "greedy", ["uniform", "gretel"], 2, "won"):
        ahead = (
            one.entrants[0 if one.turned else 1] == "uniform"
        )  # wins against uniform, comes last against gretel
        scores = tuple(9.0 if (seat == one.turned) == ahead else 4.0 for seat in range(3))
        winners = tuple(seat for seat in range(3) if scores[seat] == 9)
        games.append(
            Played(
                one.game, 1, one.options, one.seed, one.entrants, one.turned, scores, winners,
                "deck_ran_out", 9, 9, (3, 3, 3), (0.0, 0.0, 0.0),
            )
        )  # fmt: skip
    show_rating("greedy", games)
    text = capsys.readouterr().out
    assert re.search(r"^uniform +100\.0 % \(.*\) +33 % +5\.00 \(.*\) +6", text, re.MULTILINE)
    assert re.search(r"^gretel +0\.0 % \(.*\) +33 % +-5\.00 \(.*\) +6", text, re.MULTILINE)


def test_a_program_plays_in_words_and_its_wrong_answers_are_counted(program: str, tmp_path, capsys) -> None:
    out = tmp_path / "games.jsonl"
    assert rate(program, "--against=uniform", f"--out={out}") == 0
    games = read(out)
    assert len(games) == 4
    assert all(game.wrong > 5 for game in games)
    assert "were no options" in capsys.readouterr().out


def test_a_player_that_never_ends_the_game_is_stopped() -> None:
    class Undecided:
        def answer(self, text):
            return re.findall(r"^(\S+) = ", text, re.MULTILINE)[-1]  # converts, and cancels the conversion

    env = TextEnv("fairy-school", {"seats": 2}, against="uniform", seed="for ever")
    with pytest.raises(FabletopError, match="not over after 60 questions; does the player open and cancel"):
        play(env, Undecided(), Chance(1), longest=60)


def test_settings_of_the_game_reach_the_games(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    short = ["--setup=beginners", "--length=short"]
    given = ["fairy-school", "uniform", "--against=gretel", "--seats=3", *short, "--deals=1", "--jobs=1"]
    assert main(["rate", *given, f"--out={out}"]) == 0
    assert [game.options for game in read(out)] == [
        {"seats": 3, "setup": "beginners", "length": "short", "wider": False}
    ] * 3


def test_an_object_with_answer_plays_the_same_game_every_time() -> None:
    (game, *_) = plan_rating("fairy_school", {"seats": 2}, f"{__name__}:First", ["uniform"], 1, "same")
    once, again = play_one(game), play_one(game)
    assert once.scores == again.scores
    assert once.wrong == 0


def test_an_object_of_ones_own_with_choose_is_a_bot() -> None:
    (game, *_) = plan_rating("equinox", {"seats": 2}, "fabletop.bots.uniform:Uniform", ["uniform"], 1, "own")
    assert play_one(game).winners


@pytest.mark.parametrize(
    ("player", "right"),
    [
        ("kasparov", "there is no bot 'kasparov'"),
        ("command: ", "it should look like command:python3 player.py"),
        ("gretel", "cannot be measured against itself"),
    ],
)
def test_a_player_that_there_is_not(player: str, right: str, capsys) -> None:
    assert rate(player) == 1
    assert right in capsys.readouterr().err


def test_wrong_numbers_are_refused(capsys) -> None:
    assert main(["rate", "equinox", "uniform", "--deals=0"]) == 1
    assert "at least 1" in capsys.readouterr().err
    assert main(["rate", "equinox", "uniform", "--seats=9"]) == 1
    assert "seats" in capsys.readouterr().err
    with pytest.raises(BadOptions, match="twice"):
        plan_rating("equinox", {}, "uniform", ["gretel", "gretel"], 1, "x")


def one_game() -> TextEnv:
    return TextEnv("equinox", {"seats": 2}, against="uniform", seed="program")


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("import sys; sys.exit(3)", "ended with code 3"),
        ("import time; time.sleep(60)", "has not answered for 0.2 seconds"),
    ],
)
def test_a_program_that_does_not_answer_ends_the_game_with_a_reason(code: str, says: str) -> None:
    with (
        Program(f'{sys.executable} -c "{code}"', patience=5 if "exit" in code else 0.2) as program,
        pytest.raises(FabletopError, match=says),
    ):
        play(one_game(), program, Chance(1))
    assert program.process.poll() is not None


def test_a_program_that_there_is_not() -> None:
    with pytest.raises(BadOptions, match="does not run"):
        Program("no-such-program-anywhere")


def test_an_answer_that_is_no_text_is_an_error() -> None:
    with pytest.raises(FabletopError, match="should return a text, not NoneType"):
        play(one_game(), Mute(), Chance(1))


def test_the_lines_of_the_protocol_are_json(tmp_path: Path) -> None:
    """The program hears its questions, and the end."""
    heard = tmp_path / "heard"
    path = tmp_path / "player.py"
    path.write_text(
        PROGRAM.replace(
            "said = json.loads(line)", f"said = json.loads(line); open({str(heard)!r}, 'a').write(line)"
        )
    )
    with Program(f"{sys.executable} {path}") as program:
        play(one_game(), program, Chance(1))
    lines = [json.loads(line) for line in heard.read_text().splitlines()]
    assert {line["kind"] for line in lines} == {"ask", "wrong", "end"}
    assert "## The game is over" in lines[-1]["text"]
