"""The command line: help, good use, bad use."""

import json
import subprocess
import sys

import pytest

from fabletop import GAMES, Record, Sitting, game_called
from fabletop.arguments import given_options
from fabletop.cli import main, parser
from fabletop.core.errors import BadOptions
from fabletop.lab.matches import plan


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "fabletop", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_help_names_every_command():
    text = run("--help").stdout
    assert all(command in text for command in ("play", "replay", "cards", "ladder", "lab", "fuzz", "bench"))


def test_the_command_alone_prints_help(capsys):
    assert main([]) == 0
    assert capsys.readouterr().out == parser().format_help()


def help_of(*words, capsys):
    with pytest.raises(SystemExit) as end:
        main([*words, "--help"])
    assert end.value.code == 0
    return " ".join(capsys.readouterr().out.split())


def test_help_of_play_shows_that_a_game_is_optional(capsys):
    assert "usage: fabletop play [-h] [--lang LANG] [--resume FILE] [GAME ...]" in help_of(
        "play", capsys=capsys
    )
    assert "usage: fabletop play equinox [-h]" in help_of("play", "equinox", capsys=capsys)


@pytest.mark.parametrize(
    ("words", "stated"),
    [
        (["play", "equinox"], "number of seats, 2 to 5 (default 4)"),
        (["play", "equinox"], "seat that begins, counted from 0 (default: drawn at random)"),
        (["play", "fairy-school"], "Play Fairy School in the terminal."),
        (["play", "fairy-school"], "How many trimesters the year has (default: full). full: Four trimesters"),
        (["play", "fairy-school"], "For four fairies or more (default: no)"),
        (["ladder", "fairy-school"], "number of seats, 2 to 6 (default 4)"),
        (["replay"], "viewpoint of this seat, counted from 0 (default: a spectator)"),
        (["serve"], "bot processes per worker (default 1)"),
        (["serve"], "so that people can follow (default 0.4)"),
        (["serve"], "events and choices are sent at once (default 0.25)"),
    ],
)
def test_help_states_meanings_and_defaults(words, stated, capsys):
    assert stated in help_of(*words, capsys=capsys)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fuzz", "chess"], "there is no game 'chess'; there are equinox, fairy-school"),
        (["fuzz", "equinox", "--games", "0"], "must be at least 1"),
        (["play", "equinox"], "needs a terminal"),
        (["replay", "nowhere.json"], "cannot be read"),
        (["play", "--lang", "xx"], "invalid choice: 'xx'"),
        (["--no-such-option"], "unknown arguments: --no-such-option"),
        (["lab"], "STUDY"),
    ],
)
def test_bad_use_gets_a_clear_word_and_no_traceback(arguments, message):
    done = run(*arguments)
    assert done.returncode in (1, 2)
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_fuzz_counts_and_says_that_nothing_was_found(tmp_path):
    done = run("fuzz", "equinox", "--games", "8", "--jobs", "1", "--seed", "cli", "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("8 games of equinox, ")
    assert done.stdout.endswith("seed cli: nothing found\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("lang", ["en", "fr", "de"])
def test_replay_prints_the_log_of_a_record(tmp_path, capsys, name, lang):
    sitting = Sitting(GAMES[name], seed="log", names=["Ana", "Ben", "Cleo", "Dov"])
    for _ in range(60):
        seat = next(iter(sitting.pending))
        sitting.act(seat, sitting.pending[seat].options[0])
    path = tmp_path / "game.json"
    sitting.record().save(path)
    assert main(["replay", str(path), "--log", "--lang", lang]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 5
    assert any("Ana" in line for line in lines)


def test_replay_of_other_rules_is_refused(tmp_path, capsys):
    path = tmp_path / "old.json"
    Record("equinox", 99, {"seats": 2}, "s").save(path)
    assert main(["replay", str(path), "--log"]) == 1
    assert "version 99 of the rules of equinox" in capsys.readouterr().err


def options_of(*words):
    return given_options(GAMES["equinox"], parser().parse_args(["play", "equinox", *words]))


def test_nothing_given_means_that_the_player_is_asked():
    assert options_of() is None


def test_options_become_those_of_the_game():  # E-2.2
    eight = "hoot,stag,ursus,squeak,fungy,twinz,carmen,rubble"
    assert sorted(options_of("--creatures", eight)["creatures"]) == sorted(eight.split(","))
    assert options_of("--seats", "3", "--first", "2")["first"] == 2
    by_birthday = options_of("--birthdays", "03-01, 07-01")
    assert by_birthday["seats"] == 2
    assert by_birthday["first"]["birthdays"] == ["03-01", "07-01"]
    assert json.dumps(by_birthday)


@pytest.mark.parametrize(
    "words",
    [
        ["--seats", "9"],
        ["--creatures", "hoot,stag"],
        ["--creatures", "hoot,stag,ursus,squeak,fungy,twinz,carmen,rubble,pilgrim"],
        ["--first", "nobody"],
        ["--birthdays", "13-40,01-01"],
    ],
)
def test_impossible_options_are_refused(words):
    with pytest.raises(BadOptions):
        options_of(*words)


@pytest.fixture
def opened(monkeypatch):
    """What `fabletop play` would open."""
    calls = []
    monkeypatch.setattr("fabletop.terminal.command.need_terminal", lambda: None)
    monkeypatch.setattr("fabletop.terminal.run.play", lambda *given, **more: calls.append((given, more)))
    return calls


def test_play_seats_as_many_bots_as_are_named(opened):
    assert main(["play", "equinox", "--bots", "queen, puss,thumbling", "--think", "0.5"]) == 0
    (((game, options), more),) = opened
    assert (game, options["seats"]) == ("equinox", 4)
    assert (more["people"], more["bots"], more["milliseconds"]) == (1, ("queen", "puss", "thumbling"), 500)


def test_watching_needs_no_people(opened):
    assert main(["play", "fairy-school", "--watch", "--bots", "gretel"]) == 0
    (((_, options), more),) = opened
    assert options == GAMES["fairy_school"].options({})
    assert (more["people"], more["bots"], more["milliseconds"]) == (0, ("gretel",), None)


def test_without_options_the_start_screen_asks(opened):
    assert main(["play", "equinox"]) == 0
    assert opened[0][0] == ("equinox", None)


@pytest.mark.parametrize("time", ["0", "-1", "nan", "inf"])
def test_an_impossible_thinking_time_is_refused(opened, capsys, time):
    assert main(["play", "equinox", "--think", time]) == 1
    assert "should be some seconds" in capsys.readouterr().err
    assert opened == []


def test_cards_are_printed_and_searched(capsys):
    assert main(["cards", "fairy-school", "phoenix"]) == 0
    assert "88" in capsys.readouterr().out
    assert main(["cards", "fairy-school", "no-such-word"]) == 1


@pytest.mark.parametrize("name", ["fairy_school", "fairy-school", "Fairy School"])
def test_a_game_is_understood_however_it_is_written(name):
    assert game_called(name) is GAMES["fairy_school"]
    assert {one.game for one in plan(name, {"seats": 2}, ["uniform", "greedy"], 1, "s")} == {"fairy_school"}
    for command in (["cards", name], ["fuzz", name], ["rate", name, "greedy"]):
        assert parser().parse_args(command).game == "fairy_school"


def test_the_games_of_play_and_ladder_have_two_spellings_and_one_line_of_help(capsys):
    for command in ("play", "ladder"):
        for name in ("fairy_school", "fairy-school"):
            assert parser().parse_args([command, name]).game == "fairy_school"
        with pytest.raises(SystemExit):
            parser().parse_args([command, "--help"])
        assert "fairy_school" not in capsys.readouterr().out


def test_an_unknown_game_is_told_with_those_there_are():
    with pytest.raises(BadOptions, match="there is no game 'chess'; there are equinox, fairy-school"):
        game_called("chess")


def test_the_command_line_starts_without_the_screen_and_the_server() -> None:
    heavy = "import sys, fabletop.cli; print([name for name in ('textual', 'aiohttp', 'numpy') if name in sys.modules])"
    told = subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
