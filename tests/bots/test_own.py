"""Bots of one's own: `module:attribute` in ladders and at the terminal, and games of bots from Python."""

import json
import sys

import pytest

from fabletop import GAMES, Chance, load, replay
from fabletop.bots.play import play
from fabletop.bots.specs import Spec
from fabletop.cli import main
from fabletop.core.errors import BadOptions
from fabletop.terminal.seats import seating, seating_of

MODULE = """
class Last:
    def choose(self, view, choice):
        return choice.options[-1]

class Drawing:
    def __init__(self, chance, depth=1):
        self.chance, self.depth = chance, depth

    def choose(self, view, choice):
        return self.chance.pick(choice.options)

class Nothing:
    pass

LAST = Last()
"""


@pytest.fixture
def own_bots(tmp_path, monkeypatch):
    (tmp_path / "own_bots.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    yield tmp_path
    sys.modules.pop("own_bots", None)


def test_a_class_or_an_object_of_ones_own_module_is_a_bot(own_bots):
    for text in ("own_bots:Last", "own_bots:LAST", "own_bots:Drawing"):
        spec = Spec.read(text, own=True)
        assert (spec.text, spec.searches) == (text, False)
        assert hasattr(spec.made(Chance(1), threads=1), "choose")
    made = Spec.read("own_bots:Drawing:depth=3", own=True).made(Chance(1))
    assert (made.depth, type(made.depth)) == (3, int)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nobody_has_this:Bot", "cannot be imported: No module named 'nobody_has_this'"),
        ("own_bots:Firts", "the module 'own_bots' has no 'Firts'"),
        ("own_bots:Nothing", "it should make an object with a method choose"),
        ("own_bots:Last:depth=2", "cannot be made: "),
        ("own_bots:Last:depth", "should be a name and a number"),
        ("owl", "there is no bot 'owl'; there are uniform, .* or module:attribute for one of your own"),
    ],
)
def test_what_is_no_bot_gets_words(own_bots, text, message):
    with pytest.raises(BadOptions, match=message):
        Spec.read(text, own=True).made(Chance(1))


def test_what_a_record_names_is_not_imported(own_bots):
    with pytest.raises(BadOptions, match="there is no bot 'own_bots'"):
        Spec.read("own_bots:Last")
    assert seating_of(["Ana", "Ben"], 2, {"bots": {"1": "own_bots:Last"}}).bots[1] == "gretel"
    assert "own_bots" not in sys.modules
    assert seating(2, 1, [], ["own_bots:Last"]).bot(1).text == "own_bots:Last"


@pytest.mark.parametrize("game", GAMES)
def test_a_game_of_bots_from_python_can_be_replayed(game, own_bots):
    class First:
        def choose(self, view, choice):
            assert view["viewer"] == choice.seat
            return choice.options[0]

    options = {"length": "short"} if game == "fairy_school" else {}
    sitting = play(game, [First(), "uniform"], seed="own", options=options)
    assert sitting.names == ("First", "uniform")
    assert sitting.outcome is not None
    again = play(GAMES[game], [First(), "uniform"], seed="own", options=options)
    assert again.actions == sitting.actions
    assert replay(GAMES[game], sitting.record()).outcome == sitting.outcome


def test_as_many_bots_as_seats():
    with pytest.raises(BadOptions, match="2 bots for 3 seats"):
        play("equinox", ["uniform", "greedy"], options={"seats": 3})


def test_a_ladder_takes_bots_of_ones_own_and_keeps_its_records(own_bots, capsys):
    out, records = own_bots / "games.jsonl", own_bots / "records"
    command = ["ladder", "equinox", "uniform", "own_bots:Last", "--seats", "2", "--deals", "1", "--jobs", "1"]
    assert main([*command, "--out", str(out), "--records", str(records)]) == 0
    assert "own_bots:Last" in capsys.readouterr().out
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(lines) == 2
    for line in lines:
        found = replay(GAMES["equinox"], load(records / line["record"]))
        assert list(found.outcome.scores) == line["scores"]
        assert list(found.names) == line["entrants"]
