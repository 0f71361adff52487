"""Players from the record: the same games as from views, and so nothing is known that the view does not tell."""

from collections.abc import Sequence
from typing import Any

import pytest

from fabletop.bots import Bot
from fabletop.bots.greedy import Greedy, knowledge_class, knowledge_of
from fabletop.bots.play import games, play, players_of, run_from_record, run_from_views
from fabletop.bots.player import Player
from fabletop.bots.specs import Spec
from fabletop.core.chance import Chance
from fabletop.core.errors import BadOptions
from fabletop.core.laws import all_options
from fabletop.core.sitting import Sitting, replay
from fabletop.games import GAMES

VARIANTS = [(name, options) for name, game in GAMES.items() for options in all_options(game)]
STYLES = {
    "greedy": ("greedy",),
    "random": ("uniform",),
    "mixed": ("thumbling", "gretel", "uniform", "greedy:slack=0.3"),
}


def named(options: Any) -> str:
    """A short name of the options in a test's id."""
    return "-".join(str(value) for value in options.values()) if isinstance(options, dict) else str(options)


def seated(style: Sequence[str], seats: int, seed: str) -> list[Bot]:
    """The bots of a style around the table, with chance of their own."""
    return [
        Spec.read(style[seat % len(style)]).made(Chance.from_text(f"{seed} {seat}")) for seat in range(seats)
    ]


@pytest.mark.parametrize(("name", "options"), VARIANTS, ids=named)
@pytest.mark.parametrize("style", STYLES)
def test_a_game_from_the_record_is_the_game_from_views(
    name: str, options: dict[str, Any], style: str
) -> None:
    """Every action, every event, the last state, and what chance the bots have left."""
    game = GAMES[name]
    for seed in ("spring", "autumn") if name == "equinox" else ("spring",):
        slow, quick = (Sitting(game, options, seed=seed) for _ in range(2))
        slow_bots, quick_bots = (seated(STYLES[style], slow.options["seats"], seed) for _ in range(2))
        run_from_views(slow, slow_bots)
        choices = run_from_record(quick, quick_bots)
        assert choices is not None
        assert 0 < sum(choices) < len(slow.actions)
        assert quick.actions == slow.actions
        assert quick.rows == slow.rows
        assert game.position(quick.state) == game.position(slow.state)
        assert quick.outcome == slow.outcome
        assert [bot.policy.chance.state for bot in quick_bots] == [  # type: ignore[attr-defined]
            bot.policy.chance.state
            for bot in slow_bots  # type: ignore[attr-defined]
        ]


@pytest.mark.parametrize(("name", "options"), VARIANTS, ids=named)
@pytest.mark.parametrize("style", ["greedy", "random"])
def test_the_record_tells_a_player_no_more_than_its_view(
    name: str, options: dict[str, Any], style: str
) -> None:
    """The scores in the true state are those from the view, and those in worlds that the seat takes for possible.

    The last of these have other hidden cards and another order of what lies hidden; the scores are the same to the bit.
    """
    game = GAMES[name]
    seen = 0
    sitting = Sitting(game, options, seed=f"moments {style}")
    bots = seated(STYLES[style], sitting.options["seats"], sitting.seed)
    chance = Chance.from_text(f"moments {name}")
    every = 3 if name == "equinox" else 11
    while pending := sitting.pending:
        for seat, choice in pending.items():
            if len(choice.options) > 1 and chance.below(every) == 0:
                seen += 1
                view = sitting.view(seat)
                world = knowledge_class(name)(sitting.state)
                scores = world.ratings_in(sitting.state, seat)
                assert set(scores) == set(choice.options)
                assert scores == knowledge_of(view).ratings(chance.word())
                for _ in range(2):
                    assert world.ratings_in(game.imagine(view, chance), seat) == scores
            sitting.act(seat, bots[seat].choose(sitting.view(seat), choice))
    assert seen > 20


def test_a_player_answers_as_the_bot_and_changes_nothing() -> None:
    for name, game in GAMES.items():
        sitting = Sitting(game, {"seats": 3}, seed="one decision")
        for number in range(60):
            seat, choice = next(iter(sitting.pending.items()))
            before = game.position(sitting.state)
            bot = Greedy(Chance(number))
            player = Player(knowledge_class(name)(sitting.state), Chance(number), bot.slack)
            taken = player.choose(sitting.state, seat)
            if len(choice.options) > 1:
                assert taken == bot.choose(sitting.view(seat), choice)
            assert game.position(sitting.state) == before
            sitting.act(seat, taken)


def test_a_player_that_is_not_asked_says_who_is() -> None:
    sitting = Sitting(GAMES["equinox"], {"seats": 3, "first": 1}, seed="asked")
    player = Player(knowledge_class("equinox")(sitting.state), Chance(1))
    for seat in (0, -1, 3, 40):
        with pytest.raises(ValueError, match=rf"seat {seat} is not asked; asked are \[1\]"):
            player.choose(sitting.state, seat)


def test_weights_go_with_the_player() -> None:
    for weights in (None, {"pebble_0": -200}):
        slow, quick = (Sitting(GAMES["equinox"], {"seats": 2}, seed="weights") for _ in range(2))
        run_from_views(slow, [Greedy(Chance(seat), weights=weights) for seat in range(2)])
        run_from_record(quick, [Greedy(Chance(seat), weights=weights) for seat in range(2)])
        assert quick.actions == slow.actions


def test_a_sitting_that_has_begun_is_played_on() -> None:
    for game in GAMES.values():
        slow, quick = (Sitting(game, {"seats": 3}, seed="begun") for _ in range(2))
        for sitting in (slow, quick):
            for _ in range(17):
                seat, choice = next(iter(sitting.pending.items()))
                sitting.act(seat, choice.options[-1])
        run_from_views(slow, seated(["greedy"], 3, "begun"))
        run_from_record(quick, seated(["greedy"], 3, "begun"))
        assert quick.actions == slow.actions


def test_a_game_from_the_record_can_be_replayed_and_not_taken_back() -> None:
    for name, game in GAMES.items():
        sitting = play(name, ["greedy"] * 3, seed="replayed")
        again = replay(game, sitting.record())
        assert again.rows == sitting.rows
        assert [sitting.made(seat) for seat in range(3)] == [again.made(seat) for seat in range(3)]
        assert all(sitting.undo_barrier(seat) == "acted" for seat in range(3))


def test_a_bot_that_looks_at_its_view_is_asked_with_it() -> None:
    """One such bot at the table is enough; nothing is carried out before it is known."""
    sitting = Sitting(GAMES["equinox"], {"seats": 2}, seed="asked")
    bots = [Spec.read(text).made(Chance(1)) for text in ("greedy", "ismcts:iterations=2")]
    assert players_of(sitting, bots) is None
    assert run_from_record(sitting, bots) is None
    assert sitting.actions == []
    assert play("equinox", bots, seed="asked").outcome is not None


def test_games_for_many_seeds() -> None:
    seeds = [f"many {number}" for number in range(5)]
    found = list(games("equinox", ["greedy", "uniform", "greedy"], seeds))
    assert [sitting.seed for sitting in found] == seeds
    assert [sitting.actions for sitting in found] == [
        play("equinox", ["greedy", "uniform", "greedy"], seed=seed).actions for seed in seeds
    ]
    bare = list(games("equinox", ["greedy", "uniform", "greedy"], seeds, events=False))
    assert [sitting.actions for sitting in bare] == [sitting.actions for sitting in found]
    assert all(len(sitting.rows) > 100 for sitting in found)
    with pytest.raises(BadOptions, match="2 bots for 3 seats"):
        next(games("equinox", ["greedy"] * 2, seeds, options={"seats": 3}))
