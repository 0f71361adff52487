"""The ways into the terminal table that the command line uses."""

import pytest

from fabletop.core.errors import BadOptions, BadRecord, FabletopError
from fabletop.core.records import Record
from fabletop.games import GAMES
from fabletop.terminal.app import FabletopApp
from fabletop.terminal.run import log_lines, play, replay, resume
from fabletop.terminal.screens.replay import Replay
from fabletop.terminal.screens.start import Start
from fabletop.terminal.screens.table import Table
from tests.terminal.stage import played


@pytest.fixture
def opened(monkeypatch):
    """The applications that would have been run."""
    apps = []

    def run(self):
        apps.append(self)
        return "goodbye"

    monkeypatch.setattr(FabletopApp, "run", run)
    return apps


def test_without_a_game_or_options_the_start_screen_asks(opened, capsys):
    play(None, None, lang="de", seed=None, people=1, names=())
    play("equinox", None, lang="fr", seed=None, people=2, names=())
    assert [type(app.first) for app in opened] == [Start, Start]
    assert [app.preferences.lang for app in opened] == ["de", "fr"]
    assert opened[1].first.new_game.people[:3] == [True, True, False]
    assert capsys.readouterr().out == "goodbye\ngoodbye\n"


def test_with_options_the_table_opens(opened):
    play("equinox", {"seats": 3}, lang="en", seed="midsummer", people=2, names=("Zoë", "Yan"))
    (table,) = [app.first for app in opened]
    assert isinstance(table, Table)
    assert table.sitting.seed == "midsummer"
    assert table.seating.names == ("Zoë", "Yan", "Ana")
    assert table.seating.people == (0, 1)


@pytest.mark.parametrize(
    ("people", "names", "why"),
    [(4, (), "0 to 3"), (1, ("a", "b", "c", "d"), "at most 3"), (1, ("a", "a"), "same")],
)
def test_an_impossible_company_is_refused_before_anything_opens(opened, people, names, why):
    with pytest.raises(BadOptions, match=why):
        play("equinox", {"seats": 3}, lang="en", seed=None, people=people, names=names)
    assert opened == []


def test_a_saved_game_is_resumed_into_its_own_file(opened, tmp_path):
    record = played(seats=2).record(people=[1])
    resume(record, tmp_path / "mine.json", "en")
    (table,) = [app.first for app in opened]
    assert table.path == tmp_path / "mine.json"
    assert table.seating.people == (1,)
    assert len(table.sitting.actions) == len(record.actions)


def test_a_record_is_opened_for_replay(opened):
    replay(played(seats=2).record(), 1, "en")
    (screen,) = [app.first for app in opened]
    assert isinstance(screen, Replay)
    assert screen.reader == 1


def test_records_that_cannot_be_opened_say_why(opened, tmp_path):
    foreign = Record("draughts", 1, {"seats": 2}, "seed")
    for do in (
        lambda: resume(foreign, tmp_path / "x.json", "en"),
        lambda: replay(foreign, None, "en"),
        lambda: log_lines(foreign, None, "en"),
    ):
        with pytest.raises(FabletopError, match="draughts"):
            do()
    broken = Record("equinox", GAMES["equinox"].rules, {"seats": 2}, "seed", ((0, "hoot-7"), (0, "hoot-7")))
    with pytest.raises(BadRecord, match="action"):
        replay(broken, None, "en")
    assert opened == []
