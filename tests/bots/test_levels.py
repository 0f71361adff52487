"""Levels and bots by name: every level answers every question of both games, honestly and in time."""

import logging
from functools import cache
from pathlib import Path
from threading import Event
from time import perf_counter

import pytest

from fabletop.bots.ismcts import Ismcts
from fabletop.bots.levels import DEFAULT, LEVELS, Steady, bot, cores, in_time
from fabletop.bots.play import games
from fabletop.bots.search import COMPILED
from fabletop.bots.specs import SETTINGS, Spec
from fabletop.core.chance import Chance
from fabletop.core.errors import BadOptions
from fabletop.core.game import Choice, View
from fabletop.core.records import load
from fabletop.core.sitting import Sitting, steps
from fabletop.games import GAMES
from fabletop.games.equinox.constants import CHOICE_IDS
from fabletop.games.fairy_school.constants import question_names
from fabletop.lang import LANGUAGES, Lexicon

TESTS = Path(__file__).resolve().parents[1]
KINDS = {"equinox": set(CHOICE_IDS) - {"over"}, "fairy_school": set(question_names) - {"nothing"}}
FEW = 8 if COMPILED else 1


@cache
def of_each_kind(game: str) -> tuple[tuple[Sitting, int, Choice], ...]:
    """A moment for each kind of choice in the records of a game, with several options."""
    found: dict[str, tuple[Sitting, int, Choice]] = {}
    for path in sorted((TESTS / game / "records").glob("*.json")):
        for sitting in steps(GAMES[game], load(path)):
            for seat, choice in sitting.pending.items():
                if choice.kind not in found and len(choice.options) > 1:
                    found[choice.kind] = (sitting.fork(), seat, choice)
    return tuple(found[kind] for kind in sorted(found))


CASES = [pytest.param(game, level, id=f"{game}-{level}") for game in GAMES for level in LEVELS]


@pytest.mark.parametrize(("game", "level"), CASES)
def test_every_level_answers_every_kind_of_choice(
    game: str, level: str, caplog: pytest.LogCaptureFixture
) -> None:
    moments = of_each_kind(game)
    assert {choice.kind for _, _, choice in moments} == KINDS[game]
    for sitting, seat, choice in moments:
        assert bot(level, Chance(3), iterations=FEW).choose(sitting.view(seat), choice) in choice.options
    assert caplog.records == [], "no level had to fall back"


@pytest.mark.parametrize(("game", "level"), CASES)
def test_the_same_view_gets_the_same_answer(game: str, level: str) -> None:
    """A true state and one imagined from the view differ in what the seat may not know, and in nothing else."""
    for sitting, seat, choice in of_each_kind(game):
        view = sitting.view(seat)
        twin = GAMES[game].imagine(view, Chance(11))
        answers = [
            bot(level, Chance(3), iterations=FEW).choose(seen, asked)
            for seen, asked in (
                (view, choice),
                (GAMES[game].view(twin, seat), GAMES[game].pending(twin)[seat]),
            )
        ]
        assert answers[0] == answers[1], choice.kind


def test_a_beginner_does_not_convert_for_no_reason() -> None:
    texts = GAMES["fairy_school"].actions
    for sitting in games("fairy_school", ["thumbling"] * 3, ["beginner 1", "beginner 2"]):
        assert "convert" not in {texts[action] for _, action in sitting.actions}


@pytest.mark.parametrize("game", GAMES)
def test_levels_play_with_all_seat_counts(game: str) -> None:
    for seats in GAMES[game].seat_counts:
        sitting = Sitting(GAMES[game], {"seats": seats}, seed="levels")
        levels = [list(LEVELS)[seat % 2] for seat in range(seats)]
        for _ in range(60):
            for seat, choice in sitting.pending.items():
                player = bot(levels[seat], Chance(seat + len(sitting.actions)))
                sitting.act(seat, player.choose(sitting.view(seat), choice))
        for seat, choice in sitting.pending.items():
            for level in ("puss", "queen"):
                assert (
                    bot(level, Chance(1), iterations=FEW).choose(sitting.view(seat), choice) in choice.options
                )


def test_levels_have_a_name_and_a_sentence_in_every_language() -> None:
    assert DEFAULT in LEVELS
    for code in LANGUAGES:
        lexicon = Lexicon(code)
        assert set(lexicon.table("common.level")) == set(LEVELS)
        names = [lexicon(f"common.level.{level}.name") for level in LEVELS]
        assert len(set(names)) == len(LEVELS)
        assert all(len(name) <= 18 for name in names), "they stand in narrow columns"
        assert all(lexicon(f"common.level.{level}.text").endswith(".") for level in LEVELS)


def test_thinking_time_can_be_set() -> None:
    queen = bot("queen", Chance(1), milliseconds=40)
    assert isinstance(queen.inner, Ismcts)
    assert queen.inner.milliseconds == 40
    assert queen.inner.threads == min(4, cores())
    by_count = bot("queen", Chance(1), iterations=40)
    assert isinstance(by_count.inner, Ismcts)
    assert (by_count.inner.iterations, by_count.inner.threads) == (40, 1)
    with pytest.raises(BadOptions, match="there is no level 'king'; the levels are thumbling, gretel"):
        bot("king", Chance(1))


# ---------------------------------------------------------------------------------------------- never a stall


def moment() -> tuple[View, Choice]:
    sitting, seat, choice = of_each_kind("equinox")[0]
    return sitting.view(seat), choice


class Broken:
    """Fails, or says something that was not offered."""

    def __init__(self, answer: int | None) -> None:
        self.answer = answer

    def choose(self, view: View, choice: Choice) -> int:
        if self.answer is None:
            raise RuntimeError("no idea")
        return self.answer


class Sleepy:
    """Thinks until somebody wakes it."""

    def __init__(self) -> None:
        self.woken = Event()

    def choose(self, view: View, choice: Choice) -> int:
        self.woken.wait(60)
        return choice.options[0]


@pytest.mark.parametrize("answer", [None, -1])
def test_a_bot_that_fails_is_stood_in_for(answer: int | None, caplog: pytest.LogCaptureFixture) -> None:
    view, choice = moment()
    steady = Steady(Broken(answer), Chance(2))
    assert steady.choose(view, choice) in choice.options
    assert "had no answer" in caplog.text


def test_a_bot_that_never_comes_to_an_end_is_stood_in_for() -> None:
    view, choice = moment()
    sleepy = Sleepy()
    began = perf_counter()
    assert Steady(sleepy, Chance(2), limit=0.05).choose(view, choice) in choice.options
    assert perf_counter() - began < 10
    sleepy.woken.set()


def test_even_without_any_knowledge_there_is_an_answer(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)
    _, choice = moment()
    assert Steady(Broken(None), Chance(2)).choose({"game": "chess"}, choice) in choice.options


def test_a_lone_option_is_taken_without_asking() -> None:
    assert Steady(Broken(None), Chance(2)).choose({}, Choice(0, "use", (7,))) == 7


def test_stopping_ends_a_long_thought() -> None:
    view, choice = moment()
    queen = bot("queen", Chance(1), milliseconds=60_000)
    queen.stop()
    began = perf_counter()
    assert queen.choose(view, choice) in choice.options
    assert perf_counter() - began < 10


def test_in_time_says_what_was_thought() -> None:
    assert in_time(lambda: 3, None) == 3
    assert in_time(lambda: 3, 5.0) == 3


# ---------------------------------------------------------------------------------------------- bots by name


@pytest.mark.parametrize("name", SETTINGS)
def test_every_bot_can_be_had_by_name(name: str) -> None:
    view, choice = moment()
    spec = Spec.read(f" {name.upper()} ")
    assert spec.text == name
    assert spec.made(Chance(1), iterations=2, threads=1).choose(view, choice) in choice.options


def test_settings_have_one_way_to_be_written() -> None:
    spec = Spec.read("ismcts:threads=2:milliseconds=100000:heat=0.5")
    assert spec.text == "ismcts:heat=0.5:milliseconds=100000:threads=2"
    assert Spec.read(spec.text) == spec
    made = spec.made(Chance(1), milliseconds=7, threads=1)
    assert isinstance(made, Ismcts)
    assert (made.milliseconds, made.threads, made.heat) == (100000, 2, 0.5)
    assert spec.searches
    assert not Spec.read("greedy:slack=1").searches


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "fred",
            "there is no bot 'fred'; there are uniform, greedy, learned, ismcts, thumbling, gretel, puss, queen",
        ),
        ("uniform:slack=1", "uniform has no setting 'slack'; there is nothing to set"),
        ("greedy:speed=1", "greedy has no setting 'speed'; it knows slack"),
        ("puss:iterations=many", "iterations=many of puss should be a whole number"),
        ("puss:iterations=0", "should be at least 1"),
        ("puss:milliseconds=-3", "should be at least 0"),
        ("puss:milliseconds=nan", "should be at least 0"),
        ("puss:milliseconds=3:iterations=3", "choose one"),
    ],
)
def test_what_makes_no_bot_is_refused_in_words(text: str, message: str) -> None:
    with pytest.raises(BadOptions, match=message):
        Spec.read(text)
