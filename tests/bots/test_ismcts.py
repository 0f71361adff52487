"""The searching bot on Equinox: sound, honest, reproducible, in time, and stronger than greedy."""

from time import perf_counter

import pytest

from fabletop.bots.equinox.knowledge import Knowledge
from fabletop.bots.greedy import Greedy, knowledge_class
from fabletop.bots.ismcts import OFTEN, SOME, Ismcts, Thought, room_for
from fabletop.bots.pace import tolerance
from fabletop.bots.search import COMPILED
from fabletop.core.chance import Chance
from fabletop.core.sitting import Sitting
from fabletop.games.equinox import EQUINOX
from fabletop.games.equinox.constants import NONE, STRENGTHS
from tests.bots.moments import kinds, of_each_kind, wins
from tests.bots.twice import compiled_and_interpreted
from tests.equinox.scene import scene

FEW = 40 if COMPILED else 3


@pytest.mark.parametrize("kind", kinds())
def test_every_kind_of_choice_is_answered(kind: str) -> None:
    for sitting, seat, choice in of_each_kind(3):
        if choice.kind == kind:
            thought = Ismcts(Chance(1), iterations=FEW).think(sitting.view(seat), choice)
            assert {option.action for option in thought.options} == set(choice.options)
            assert sum(option.visits for option in thought.options) == thought.iterations == FEW
            assert all(0 <= option.victory <= 1 and option.points >= 0 for option in thought.options)
            assert thought.best == max(thought.options, key=lambda option: option.visits).action


@pytest.mark.parametrize("kind", kinds())
def test_a_decision_does_not_change_with_what_the_seat_may_not_know(kind: str) -> None:
    """A true state and its imagined twin: other cards in hidden places, the same view, the same thought."""
    for sitting, seat, choice in of_each_kind(2):
        if choice.kind == kind:
            view = sitting.view(seat)
            thoughts = []
            for state in (sitting.state, EQUINOX.imagine(view, Chance(5)), EQUINOX.imagine(view, Chance(6))):
                seen, asked = EQUINOX.view(state, seat), EQUINOX.pending(state)[seat]
                thoughts.append(Ismcts(Chance(3), iterations=FEW).think(seen, asked).options)
                assert Greedy(Chance(3)).choose(seen, asked) == Greedy(Chance(3)).choose(view, choice)
            assert thoughts[0] == thoughts[1] == thoughts[2]


def opening(seats: int) -> tuple[Sitting, int]:
    """A new game, and who begins."""
    sitting = Sitting(EQUINOX, {"seats": seats}, seed="opening")
    return sitting, next(iter(sitting.pending))


def thought_of(bot: Ismcts, seats: int = 3) -> Thought:
    """What a bot thinks about the first choice of a game."""
    sitting, seat = opening(seats)
    return bot.think(sitting.view(seat), sitting.pending[seat])


def test_the_same_seed_thinks_the_same() -> None:
    one, two = (thought_of(Ismcts(Chance(4), iterations=2 * FEW)) for _ in range(2))
    assert one.options == two.options
    other = thought_of(Ismcts(Chance(5), iterations=2 * FEW))
    assert one.options != other.options


def test_threads_share_the_work_and_stay_reproducible() -> None:
    one, two = (thought_of(Ismcts(Chance(4), iterations=2 * FEW + 1, threads=2)) for _ in range(2))
    assert one.options == two.options
    assert one.iterations == 2 * FEW + 1
    with pytest.raises(ValueError, match="at least one thread"):
        Ismcts(Chance(1), threads=0)


@pytest.mark.parametrize("milliseconds", [200, 600])
def test_thinking_takes_the_time_it_is_given(milliseconds: int) -> None:
    began = perf_counter()
    thought = thought_of(Ismcts(Chance(4), milliseconds=milliseconds))
    spent = perf_counter() - began
    assert thought.iterations > 0
    assert milliseconds / 1000 <= thought.seconds <= spent
    assert spent < milliseconds / 1000 + 5.0  # a busy machine may be late


def test_without_any_time_the_answer_is_greedys() -> None:
    for sitting, seat, choice in of_each_kind(1):
        view = sitting.view(seat)
        chance = Chance(8)
        answer = Ismcts(Chance(8), milliseconds=0).choose(view, choice)
        assert answer == Greedy(Chance(chance.word())).choose(view, choice)


def test_a_lone_option_needs_no_thought() -> None:
    sitting = Sitting(EQUINOX, {"seats": 2}, seed="lone")
    while True:
        ((seat, choice),) = sitting.pending.items()
        if len(choice.options) == 1:
            break
        sitting.act(seat, choice.options[-1])
    assert Ismcts(Chance(1), milliseconds=60_000).choose(sitting.view(seat), choice) == choice.options[0]


def test_more_than_two_options_get_visits() -> None:
    visited = [
        option for option in thought_of(Ismcts(Chance(4), iterations=10 * FEW)).options if option.visits
    ]
    assert len(visited) > 2


DECIDED = """
    round 5   turn ana   out: carmen 1, goatman 2, ursus 3, pilgrim 4
             squeak   stag   rubble   hoot   carmen   goatman   ursus   pilgrim
    row 1      10a     6b      .       .       1        1        1        1
    row 5      3       3       7       8       .        .        .        .
    ana: squeak 8, rubble 9, rubble 10, hoot 9, hoot 10       ben: squeak 0
"""
"""Squeak 8 wins at once, and nothing else does."""


def test_no_option_is_ruled_out_by_how_it_looks() -> None:
    g = scene(DECIDED)
    thought = Ismcts(Chance(1), iterations=2000).think(g.view("ana"), g.choice)
    assert all(option.visits > 1 for option in thought.options)


@pytest.mark.skipif(not COMPILED, reason="interpreted search is too slow to be sure in time")
def test_a_choice_that_is_decided_takes_less_time_than_there_is() -> None:
    g = scene(DECIDED)
    began = perf_counter()
    assert EQUINOX.actions[Ismcts(Chance(1), milliseconds=4000).choose(g.view("ana"), g.choice)] == "squeak-8"
    assert perf_counter() - began < 3.5
    assert Ismcts(Chance(1), milliseconds=300).think(g.view("ana"), g.choice).seconds >= 0.3


@pytest.mark.parametrize("slack", [0, 1])
def test_who_gains_nothing_passes(slack: float) -> None:
    """E-7.11: two cards of old rows could be swapped, in a game that is won."""
    g = scene("""
        round 5   turn ana   out: carmen 1, goatman 2, ursus 3, pilgrim 4
                 hopscotch   stag   rubble   hoot   carmen   goatman   ursus   pilgrim
        row 1      10a        6b      5a      5a      1        1        1        1
        row 2      7          7       .       .       .        2        2        2
        row 5      .          2       7       8       .        .        .        .
        ana: hopscotch 9, rubble 9       ben: stag 0
    """)
    g.ana("hopscotch 9")
    for seed in range(3):
        bot = Ismcts(Chance(seed), iterations=300, slack=slack)
        assert EQUINOX.actions[bot.choose(g.view("ana"), g.choice)] == "pass"


@pytest.mark.skipif(not COMPILED, reason="interpreted search is too slow to know two options well")
def test_slack_takes_what_is_hardly_worse_and_nothing_else() -> None:
    sitting, seat = opening(3)
    view, choice = sitting.view(seat), sitting.pending[seat]
    passing, others = EQUINOX.actions.index("pass"), 0
    for seed in range(12):
        best, *rest = Ismcts(Chance(seed), iterations=200).think(view, choice).options
        answer = Ismcts(Chance(seed), iterations=200, slack=1).choose(view, choice)
        assert Ismcts(Chance(seed), iterations=200, slack=1).choose(view, choice) == answer
        for option in rest:
            if option.action == answer != passing:
                others += 1
                assert option.worth >= best.worth - tolerance("equinox")
                assert option.visits >= max(SOME, best.visits / OFTEN)
    assert 1 <= others <= 11
    g = scene(DECIDED)
    for seed in range(12):
        bot = Ismcts(Chance(seed), iterations=200, slack=1)
        assert EQUINOX.actions[bot.choose(g.view("ana"), g.choice)] == "squeak-8"


@pytest.mark.skipif(not COMPILED, reason="interpreted search is too slow for matches")
def test_search_beats_greedy() -> None:
    def searching(chance: Chance) -> Ismcts:
        return Ismcts(chance, iterations=150)

    assert wins(searching, Greedy, 2, 10) >= 0.6


@pytest.mark.parametrize("horizon", [0, 1, 20])
def test_a_play_out_may_be_cut_off_and_guessed_at(horizon: int) -> None:
    for sitting, seat, choice in of_each_kind(1):
        thought = Ismcts(Chance(1), iterations=FEW, horizon=horizon).think(sitting.view(seat), choice)
        assert all(0 <= option.victory <= 1 for option in thought.options)
    sitting, seat = opening(4)
    rewards, shares, points = Knowledge(sitting.view(seat)).finish(3, 0, 0.1, horizon)
    assert len(rewards) == len(shares) == len(points) == 4
    assert 65536 * 0.9 < sum(shares) < 65536 * 1.1


def test_play_outs_end_the_game_and_share_the_victory() -> None:
    sitting, seat = opening(4)
    world = Knowledge(sitting.view(seat))
    for word in range(10):
        rewards, shares, points = world.finish(word, 20, 0.1, -1)
        assert 65536 - 4 <= sum(shares) <= 65536
        assert max(points) == points[shares.index(max(shares))]
        assert all(0 <= reward <= 65536 for reward in rewards)


def test_secrets_are_imagined_where_a_seat_stands_by_its_creature() -> None:
    """E-3.2: a secret bet is sooner on a creature with pebbles of the same seat than on one that is out."""
    fits: dict[tuple[bool, bool], set[float]] = {}
    for sitting, seat, _ in of_each_kind(6):
        view = sitting.view(seat)
        world = Knowledge(view)
        hidden = [s for s, player in enumerate(view["players"]) if player["secret"] and s != seat]
        if len(hidden) != 1:
            continue
        columns = {column["creature"]: column for column in view["columns"]}
        for word in range(30):
            fit = world.deal(word)
            card = world.secrets()[hidden[0]]
            assert card != NONE
            column = columns[EQUINOX.actions[card].rpartition("-")[0]]
            assert EQUINOX.actions[card].endswith(f"-{card % STRENGTHS}")
            backed = any(cell["pebble"] == hidden[0] for cell in column["cells"])
            fits.setdefault((column["in_play"], backed), set()).add(fit)
    assert max(fits[False, False]) < min(fits[True, False]) < min(fits[True, True])


SCRIPT = """
import json
from fabletop.bots.ismcts import Ismcts
from fabletop.bots.search import COMPILED
from fabletop.core.chance import Chance
from tests.bots.moments import of_each_kind
found = []
for sitting, seat, choice in of_each_kind(1):
    thought = Ismcts(Chance(2), iterations=4).think(sitting.view(seat), choice)
    found.append([choice.kind, [[o.action, o.visits, o.victory, o.points] for o in thought.options]])
print(json.dumps([COMPILED, found]))
"""


@pytest.mark.skipif(not COMPILED, reason="both are interpreted here: nothing to compare")
def test_compiled_and_interpreted_search_agree() -> None:
    compiled, interpreted = compiled_and_interpreted(SCRIPT)
    assert compiled == interpreted


def test_the_learned_player_has_a_say_in_the_first_guess() -> None:
    """After one iteration there is nothing but the first guess; without the net it is that of knowledge alone."""
    differ = 0
    for sitting, seat, choice in of_each_kind(3):
        view = sitting.view(seat)
        near = {}
        for net in (True, False):
            scores = knowledge_class("equinox", net)(view).ratings(7)
            near[net] = {action for action, score in scores.items() if score > max(scores.values()) - 0.03}
        guided, plain = (
            Ismcts(Chance(3), iterations=1, net=net).choose(view, choice) for net in (True, False)
        )
        assert plain in near[False]
        assert guided in near[True] | near[False]
        differ += guided not in near[False]
    assert differ > 0


def test_room_grows_with_the_time_there_is() -> None:
    assert room_for(10, 1000) == 1024
    assert room_for(1000, 0) == 4096
    assert room_for(None, 1000) == 1 << 17
    assert room_for(None, 10**9) == 1 << 22
