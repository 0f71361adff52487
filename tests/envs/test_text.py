"""The text environment: the same game as the engine, answers with their reasons, nothing hidden."""

import doctest
from pathlib import Path

import pytest

from fabletop import GAMES, Chance, Sitting
from fabletop.core.errors import BadOptions, NotOffered
from fabletop.envs import reader, text
from fabletop.envs.text import TextEnv
from fabletop.lang import LANGUAGES


def test_the_examples_run() -> None:
    for module in (text, reader):
        result = doctest.testmod(module)
        assert result.attempted > 0
        assert result.failed == 0


def test_the_page_shows_a_question_as_it_is() -> None:
    page = (Path(__file__).parents[2] / "docs" / "language-models.md").read_text("utf-8")
    env = TextEnv("equinox", {"seats": 3}, seat=0, against="gretel", lang="en", seed="midsummer")
    shown = [line.strip() for line in page.splitlines() if line.startswith("    ") and line.strip() != "…"]
    shown = shown[shown.index("## The question") : shown.index("pass = Pass") + 1]
    assert [line for line in env.observe()[1].splitlines() if line in shown] == shown


@pytest.mark.parametrize("game", GAMES)
def test_a_random_player_plays_the_same_game_as_on_the_engine(game: str) -> None:
    options = {"seats": 3}
    env = TextEnv(game, options, seat=None, seed="same")
    sitting = Sitting(GAMES[game], options, seed="same")
    chance = Chance(1)
    while pending := sitting.pending:
        seat = next(iter(pending))
        assert env.asked == tuple(pending)
        action = chance.pick(pending[seat].options)
        assert env.act(GAMES[game].actions[action], seat).done
        sitting.act(seat, action)
    assert env.over
    assert env.outcome == sitting.outcome
    assert env.sitting.actions == sitting.actions


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_seat_against_bots_reads_everything_in_its_language(game: str, lang: str) -> None:
    env = TextEnv(game, {"seats": 2}, seat=1, against="uniform", lang=lang, seed="words")
    log: list[str] = []
    for _ in range(40):
        seat, read = env.observe()
        assert seat == 1
        log += read.split("## ")[1].splitlines()[1:]
        for word in env.options():
            assert f"\n{word} = " in read
        assert env.act(env.options()[-1]).done
    nothing = env.readers[1].text("say.nothing_new")
    told = [line for line in log if line and line != nothing]
    assert told == env.log().splitlines()[: len(told)]
    assert env.readers[1].introduction().startswith({"en": "You", "fr": "Vous", "de": "Du"}[lang])


@pytest.mark.parametrize("game", GAMES)
def test_the_words_of_an_option_are_an_answer_too(game: str) -> None:
    env = TextEnv(game, seed="labels", against="uniform")
    choice = env.sitting.pending[0]
    label = env.readers[0].teller.label(choice.options[0])
    for answer in (
        label.upper(),
        f"[{label}]",
        f"I have thought about it.\n\nAnswer: {label}.",
        f"`{label}`",
    ):
        again = TextEnv(game, seed="labels", against="uniform")
        assert again.act(answer).done, answer
        assert next(action for seat, action in again.sitting.actions if seat == 0) == choice.options[0]


def test_an_answer_that_is_no_option_gets_the_reason_and_what_would_be_right() -> None:
    env = TextEnv("equinox", {"seats": 2, "first": 0}, seed="reasons")
    assert env.act("pass").done
    position = env.game.position(env.sitting.state)
    refused = env.act("Pass")
    assert not refused.done
    assert "you must play one. (rule E-5.5)" in refused.text
    assert f"Answer with one of these words: {', '.join(env.options())}." in refused.text
    assert "none of the options" in env.act("checkmate").text
    assert "empty" in env.act("  ").text
    assert env.why_not(env.options()[0]).endswith("can be chosen now.")
    assert "rule E-5.5" in env.why_not("pass")
    assert env.game.position(env.sitting.state) == position


def test_a_long_wrong_answer_is_shortened() -> None:
    env = TextEnv("equinox", seed="long")
    assert len(env.act("x" * 10_000).text) < 1000


@pytest.mark.parametrize("game", GAMES)
def test_what_a_seat_reads_does_not_depend_on_what_is_hidden_from_it(game: str) -> None:
    """Law 5 on text: the twin of a state has the same log, table, question and reasons for the same seat."""
    env = TextEnv(game, {"seats": 3}, seat=None, seed="twins")
    chance = Chance(2)
    for step in range(120):
        if env.over:
            break
        seat = chance.pick(env.asked)
        if step % 10 == 0:
            twin = TextEnv(game, {"seats": 3}, seat=None, seed="other")
            twin.sitting.state = env.game.imagine(env.sitting.view(seat), chance)
            assert env.observe(seat)[1].endswith(f"{env.table(seat)}\n\n{env.question(seat)}")
            assert twin.table(seat) == env.table(seat)
            assert twin.question(seat) == env.question(seat)
            for thing in (*env.game.actions[:: len(env.game.actions) // 20], "nonsense"):
                assert twin.why_not(thing, seat) == env.why_not(thing, seat)
        env.act(chance.pick(env.options(seat)), seat)


@pytest.mark.parametrize("game", GAMES)
def test_bots_of_ones_own_see_their_own_seats(game: str) -> None:
    asked = []

    class First:
        def choose(self, view, choice):
            asked.append((view["viewer"], choice.seat))
            return choice.options[0]

    env = TextEnv(game, {"seats": 3}, seat=1, against=[First(), "uniform"], seed="own")
    for _ in range(20):
        assert env.act(env.options()[0]).done
    assert set(asked) == {(0, 0)}


def test_after_the_end_there_is_the_result_and_nothing_to_answer() -> None:
    env = TextEnv("equinox", {"seats": 2}, against="uniform", seed="end")
    while not env.over:
        env.act(env.options()[0])
    assert "## The game is over" in env.observe()[1]
    assert env.act("pass") == (False, "The game is over, nothing can be answered any more.")
    assert env.why_not("pass") == "The game is over, nothing can be answered any more."
    with pytest.raises(NotOffered, match="over"):
        env.options()
    env.reset("again")
    assert not env.over


@pytest.mark.parametrize(
    ("given", "right"),
    [
        ({"game": "chess"}, "there are equinox, fairy-school"),
        ({"seat": 7}, "it should be 0 to 1"),
        ({"lang": "es"}, "there are en, fr, de"),
        ({"against": ["greedy", "greedy"]}, "2 bots for 1 other seats"),
        ({"against": "kasparov"}, "there is no bot 'kasparov'"),
        ({"names": ["Ana"]}, "1 names for 2 seats"),
        ({"options": {"seats": 9}}, "seats"),
    ],
)
def test_wrong_arguments_are_told_what_would_be_right(given: dict, right: str) -> None:
    with pytest.raises(BadOptions, match=right):
        TextEnv(**{"game": "equinox", "options": {"seats": 2}, **given})


def test_a_seat_of_a_bot_is_not_the_callers() -> None:
    env = TextEnv("equinox", {"seats": 2}, seat=0, seed="mine")
    with pytest.raises(NotOffered, match="yours are 0"):
        env.observe(1)
    assert "seat 1 is not yours" in env.act("pass", 1).text
