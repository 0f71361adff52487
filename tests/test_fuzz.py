"""The fuzzer finds what is wrong and nothing else."""

import pytest

from fabletop import GAMES, load
from fabletop.fuzz import all_options, fuzz, fuzz_one
from tests.core.toy import Toy, ToyState


@pytest.fixture
def toy(monkeypatch):
    def put(**parts):
        state = type("FaultyState", (ToyState,), parts)
        game = type("FaultyToy", (Toy,), {"state": state, "settings": ()})()
        monkeypatch.setitem(GAMES, "toy", game)

    return put


def test_a_sound_game_gives_no_findings(toy):
    toy()
    runs = list(fuzz("toy", 20, "seed"))
    assert [run.finding for run in runs] == [None] * 20
    assert all(run.actions == 9 for run in runs)


def raises(self, seat):
    raise RuntimeError("the bag is torn")


def loses(self, seat):
    ToyState.swap(self, seat)
    self.bags[seat].clear()


@pytest.mark.parametrize(
    ("parts", "what"),
    [
        ({"swap": raises}, "crash: RuntimeError: the bag is torn"),
        ({"swap": loses}, "lost or made"),
        ({"answer": lambda self, seat, action: None}, "endless"),
        ({"legal": lambda self, seat: []}, "dead end: seat"),
        ({"asked": lambda self: []}, "dead end: nobody can move"),
    ],
)
def test_what_is_wrong_is_found_and_saved(toy, tmp_path, parts, what):
    toy(**parts)
    if what == "dead end: nobody can move":
        GAMES["toy"].outcome = lambda state: None
    findings = [
        run.finding for run in (fuzz_one("toy", {}, f"s {i}", longest=300) for i in range(12)) if run.finding
    ]
    assert findings
    assert findings[0].what.startswith(what)
    record = load(findings[0].save(tmp_path))
    assert record.about["found"].startswith(what)


@pytest.mark.parametrize("name", GAMES)
def test_all_options_are_accepted_and_cover_every_seat_count(name):
    options = all_options(GAMES[name])
    assert {o["seats"] for o in options} == set(GAMES[name].seat_counts)
    assert all(GAMES[name].options(o) == o for o in options)


@pytest.mark.parametrize("name", GAMES)
def test_a_short_fuzz_of_the_real_games_on_two_processes(name):
    runs = list(fuzz(name, 12, "short", jobs=2))
    assert [run.finding for run in runs] == [None] * 12
