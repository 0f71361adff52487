"""How long levels think: by the kind of a choice and the seats, which all know; and where time that was saved goes."""

import time

import pytest

from bench.waiting import PERSON, WANTED, answer_time, main, waited
from fabletop.bots.ismcts import MOST_SAVED, STRETCH, Ismcts
from fabletop.bots.levels import LEVELS, bot, cores
from fabletop.bots.pace import share, share_of
from fabletop.bots.specs import Spec
from fabletop.core.chance import Chance
from fabletop.core.sitting import Sitting
from fabletop.games import GAMES


@pytest.mark.parametrize("game", list(GAMES))
def test_every_kind_of_choice_has_a_share(game: str) -> None:
    for seats in GAMES[game].seat_counts:
        assert 0 < share(game, "any other kind", seats) <= 1
        sitting = Sitting(GAMES[game], {"seats": seats}, seed="pace")
        seat, choice = next(iter(sitting.pending.items()))
        assert share_of(sitting.view(seat), choice.kind) == share(game, choice.kind, seats) > 0


@pytest.mark.parametrize(("game", "seats"), [("equinox", 2), ("equinox", 4), ("fairy_school", 4)])
def test_a_game_against_queens_costs_a_person_minutes_at_most(game: str, seats: int) -> None:
    assert 0.5 < waited(game, seats, "queen", "a quiet evening", processes=1) <= 1.1 * WANTED[game]


def test_friendly_levels_cost_the_pauses_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert PERSON == 0
    assert answer_time("equinox", "play", 4, "gretel", together=False) == 0.4
    assert answer_time("fairy_school", "draft", 4, "gretel", together=True) == 0
    assert main(["--level", "gretel", "--games", "1"]) == 0
    assert "reached" in capsys.readouterr().out


def test_a_level_paces_itself_unless_its_time_is_set() -> None:
    assert bot("queen", Chance(1)).inner.paced  # type: ignore[attr-defined]
    assert not bot("queen", Chance(1), milliseconds=50).inner.paced  # type: ignore[attr-defined]
    assert LEVELS["queen"].milliseconds > LEVELS["puss"].milliseconds


def test_a_ladder_can_play_levels_as_they_play_at_a_table() -> None:
    played = LEVELS["queen"].threads
    for text, threads in (("queen", 1), ("queen:as_played=1", min(played, cores())), ("queen:threads=3", 3)):
        thinker = Spec.read(text).made(Chance(1), threads=1).inner  # type: ignore[attr-defined]
        assert (thinker.threads, thinker.paced) == (threads, True)


def test_a_choice_without_a_share_is_made_by_knowledge_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = Sitting(GAMES["equinox"], {"seats": 2}, seed="pace")
    seat, choice = next(iter(sitting.pending.items()))
    monkeypatch.setattr("fabletop.bots.ismcts.share_of", lambda view, kind: 0.0)
    thinker = Ismcts(Chance(1), milliseconds=60_000, paced=True)
    began = time.process_time()
    assert thinker.choose(sitting.view(seat), choice) in choice.options
    assert time.process_time() - began < 5


def test_time_that_was_saved_goes_to_close_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("fabletop.bots.ismcts.perf_counter", lambda: now[0])
    lead = [0]

    class Clocked:
        """A search that takes a hundredth of a second for each run, with a lead that is set."""

        spent = False

        def __init__(self, *given: object) -> None:
            self.done = 0

        def begin(self, word: int, first: object = None) -> None:
            pass

        def run(self, count: int) -> int:
            now[0] += 0.01
            self.done += 100
            return self.done

        def lead(self) -> int:
            return lead[0] * self.done // 100

        def tally(self) -> dict[str, object]:
            names = ("actions", "visits", "rewards", "victories", "points")
            return {"iterations": self.done, **{name: [] for name in names}}

    monkeypatch.setattr("fabletop.bots.ismcts.Search", Clocked)
    sitting = Sitting(GAMES["equinox"], {"seats": 2}, seed="pace")
    seat, choice = next(iter(sitting.pending.items()))
    view = sitting.view(seat)
    thinker = Ismcts(Chance(1), milliseconds=1000)

    def taken(given: int) -> float:
        began, lead[0] = now[0], given
        thinker.choose(view, choice)
        return now[0] - began

    assert taken(0) == pytest.approx(1.0, abs=0.02)  # close, but nothing was saved yet
    assert taken(90) < 0.6  # decided
    assert taken(0) == pytest.approx(1.5, abs=0.1)  # close, with what was saved
    assert taken(0) == pytest.approx(1.0, abs=0.1)
    for _ in range(3 * MOST_SAVED):
        taken(90)
    assert taken(50) == pytest.approx(0.6, abs=0.1)  # clear enough
    assert taken(0) == pytest.approx(STRETCH, abs=0.05)  # no longer, whatever was saved
    thinker.paced = True
    monkeypatch.setattr("fabletop.bots.ismcts.share_of", lambda view, kind: 0.1)
    assert taken(90) < 0.1  # a choice that matters less leaves what was saved
    monkeypatch.setattr("fabletop.bots.ismcts.share_of", lambda view, kind: 1.0)
    assert taken(0) == pytest.approx(STRETCH, abs=0.05)
