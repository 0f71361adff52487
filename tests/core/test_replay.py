"""The replay cursor: any place of a record from any other, and several walks at once."""

import pytest

from fabletop.core.chance import Chance
from fabletop.core.errors import BadRecord
from fabletop.core.records import Record
from fabletop.core.replay import EVERY, ReplayCache, ReplayCursor
from fabletop.core.sitting import Sitting, steps
from fabletop.games import GAMES


@pytest.fixture(scope="module", params=GAMES)
def played(request):
    game = GAMES[request.param]
    sitting, chance = Sitting(game, {"seats": 3}, seed="replay"), Chance(5)
    while sitting.state.asked() and len(sitting.actions) < 90:
        seat = chance.pick(sitting.state.asked())
        sitting.act(seat, chance.pick(sitting.state.legal(seat)))
    record = sitting.record()
    return game, record, [(s.view(None), s.view(1), len(s.rows)) for s in steps(game, record)]


def seen(sitting):
    return sitting.view(None), sitting.view(1), len(sitting.rows)


def test_any_place_is_reached_without_having_been_there(played):
    game, record, straight = played
    cursor = ReplayCursor(game, record)
    for place in (50, 3, 49, 0, 61, 20, 21, 40, 39, cursor.length, 7):
        assert seen(cursor.go(place)) == straight[place]
        assert cursor.place == place
    assert cursor.go(10**6) is cursor.sitting
    assert cursor.place == cursor.length


def test_walks_that_take_turns_do_not_disturb_each_other(played):
    game, record, straight = played
    cursor = ReplayCursor(game, record)
    cursor.go(30)
    walks = {place: cursor.walk(place) for place in (75, 40, 64)}
    found = {}
    while walks:
        for place, walk in list(walks.items()):
            step = next(walk, None)
            if step is None:
                del walks[place]
            else:
                found[place] = step
    assert {place: seen(sitting) for place, sitting in found.items()} == {p: straight[p] for p in found}
    assert seen(cursor.sitting) == straight[30]


def test_a_step_back_replays_little(played, monkeypatch):
    game, record, _ = played
    cursor, acted = ReplayCursor(game, record), []
    cursor.go(cursor.length)
    act = Sitting.act
    monkeypatch.setattr(Sitting, "act", lambda self, *a: (acted.append(a), act(self, *a))[1])
    cursor.go(cursor.length - 1)
    assert len(acted) < EVERY


def test_a_record_that_does_not_replay_says_where():
    game = GAMES["equinox"]
    record = Record("equinox", game.rules, {"seats": 2}, "seed", ((1, "pass"),), ())
    with pytest.raises(BadRecord, match="action 1, '1 pass', cannot be replayed"):
        ReplayCursor(game, record).go(1)


def test_only_the_last_games_are_kept():
    game = GAMES["equinox"]
    record = Record("equinox", game.rules, {"seats": 2}, "seed", (), ())
    cache = ReplayCache(most=2)
    one, two = cache.cursor("one", game, record), cache.cursor("two", game, record)
    assert cache.cursor("one", game, record) is one
    cache.cursor("three", game, record)
    assert cache.cursor("one", game, record) is one
    assert cache.cursor("two", game, record) is not two
