"""The guess of a year that is not played to its end: the learned table, and how near it comes."""

import json
from statistics import mean, stdev

import pytest

from fabletop.bots.fairy_school import guess as fairy_school_guess
from fabletop.bots.fairy_school.guess import STRETCHES, TRAIT_NAMES, TRAITS, learned
from fabletop.bots.fairy_school.knowledge import Knowledge
from fabletop.bots.greedy import Greedy
from fabletop.bots.ismcts import Ismcts
from fabletop.bots.search import COMPILED
from fabletop.core.chance import Chance
from fabletop.core.sitting import Sitting
from fabletop.games.fairy_school import constants as c
from tests.bots.years import margins, of_each_kind
from tests.fairy_school.scene import GAME


def test_the_table_has_a_number_for_every_trait_and_turn() -> None:
    assert len(learned()) == 2 * STRETCHES * TRAITS
    assert all(any(learned()[at : at + TRAITS]) for at in range(0, len(learned()), TRAITS))


def test_a_table_for_other_traits_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fairy_school_guess, "TRAIT_NAMES", ("luck", *TRAIT_NAMES[1:]))
    with pytest.raises(ValueError, match="train again"):
        learned()


def test_the_traits_of_a_situation() -> None:
    # F-1.2, F-1.7, F-2.1, F-4.2: at the first turn of the year
    world = Knowledge(Sitting(GAME, {"seats": 3}, seed="traits").view(0))
    world.begin(4)
    while world.state.phase != c.PHASE_PLAN:
        world.advance()
    row, numbers = world.situation(1)
    traits = dict(zip(TRAIT_NAMES, numbers, strict=True))
    assert row >= STRETCHES, "more than two seats"
    assert traits["constant"] == 1
    assert [traits[name] for name in ("earth", "plant", "fire", "water", "air")] == [1, 1, 1, 1, 0]
    assert (traits["cubes"], traits["near"], traits["deck_size"]) == (37, 74, 16)
    assert traits["projects"] == 3
    assert traits["studied"] == traits["steps"] == traits["kindness"] == traits["realised"] == 0


def test_the_guess_is_near_what_years_bring() -> None:
    """Half-way through the year: no bias worth speaking of, and nearer than the same guess for everybody."""
    years = 40 if COMPILED else 4
    world = Knowledge(Sitting(GAME, {"seats": 3}, seed="guess").view(0))
    guesses, scores = [], []
    for word in range(years):
        world.begin(word)
        while world.state.year_turn < 7:
            world.advance()
        guesses += [world.promised(seat) for seat in range(3)]
        world.year()
        scores += world.state.points()
    off = [guess - score for guess, score in zip(guesses, scores, strict=True)]
    assert abs(mean(off)) < (3 if COMPILED else 8)
    if COMPILED:
        assert stdev(off) < stdev(scores)


def test_which_card_is_placed_first_is_not_thought_about(monkeypatch: pytest.MonkeyPatch) -> None:
    # F-5.1: all drawn cards are placed; where they go matters
    thought = []
    monkeypatch.setattr(Ismcts, "think", lambda self, view, choice: thought.append(choice.kind))
    bot = Ismcts(Chance(1), iterations=1)
    for sitting, seat, choice in of_each_kind(1):
        if choice.kind == "plan":
            assert bot.choose(sitting.view(seat), choice) in choice.options
    assert thought == []
    assert [c.kind for s, t, c in of_each_kind(1) if Knowledge(s.view(t)).plain()] == ["plan"]


@pytest.mark.skipif(not COMPILED, reason="whole years of interpreted search take minutes")
def test_search_leaves_greedy_behind() -> None:
    assert mean(margins(lambda chance: Ismcts(chance, iterations=12), Greedy, 3, 12)) > 1


def test_the_table_is_written_as_it_is_read() -> None:
    text = fairy_school_guess.FILE.read_text(encoding="utf-8")
    found = json.loads(text)
    assert len(found["rows"]) == 2 * STRETCHES
    assert found["years"] > 1000
