"""Each law holds for a game that keeps it, and catches a game that breaks it."""

import pytest

from fabletop.core import laws
from fabletop.core.laws import LAWS, LawBroken
from tests.core.toy import KEEP, SWAP, Toy, ToyState


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_the_toy_game_keeps_every_law(law, seed):
    LAWS[law](Toy(), {}, seed)


def broken(law, seeds="abcdefgh", **parts):
    """A toy game with some parts of its state replaced must break this law for some seed."""
    state = type("BrokenState", (ToyState,), parts)
    game = type("BrokenToy", (Toy,), {"state": state})()
    return breaks(law, game, seeds)


def breaks(law, game, seeds="abcdefgh"):
    said = []
    for seed in seeds:
        try:
            LAWS[law](game, {}, seed)
        except LawBroken as error:
            said.append(str(error))
    return bool(said) and all(text.startswith(f"law {law}:") for text in said)


def test_law_1_catches_an_endless_game(monkeypatch):
    monkeypatch.setattr(laws, "LONGEST", 50)
    assert broken(1, answer=lambda self, seat, action: None)


def test_law_1_catches_a_dead_end():
    def legal(self, seat):
        return [] if self.stage == 2 else ToyState.legal(self, seat)

    class DeadEnd(Toy):
        state = type("S", (ToyState,), {"legal": legal})

    with pytest.raises((LawBroken, ZeroDivisionError, IndexError)):
        LAWS[1](DeadEnd(), {}, "a")


def test_law_2_catches_what_is_accepted_unasked():
    def apply(self, seat, action):
        if action == KEEP and self.stage > 0:
            return
        ToyState.apply(self, seat, action)

    assert broken(2, apply=apply)


def test_law_2_catches_a_refusal_that_changes_something():
    def apply(self, seat, action):
        if 0 <= seat < self.seats and action not in self.legal(seat):
            self.hands[seat] += 1
        ToyState.apply(self, seat, action)

    assert broken(2, apply=apply)


def test_law_3_catches_chance_from_elsewhere():
    dealt = iter(range(1000))

    def swap(self, seat):
        self.words[seat] = next(dealt) << 60
        ToyState.swap(self, seat)

    assert broken(3, swap=swap)


def test_law_4_catches_one_stream_for_all_seats():
    def swap(self, seat):
        self.words[seat] = self.words[-1]
        ToyState.swap(self, seat)
        self.words[-1] = self.words[seat]

    assert broken(4, swap=swap)


def test_law_5_catches_a_view_that_shows_too_much():
    class Peek(Toy):
        def view(self, state, viewer):
            return super().view(state, viewer) | {"sum": sum(state.hands)}

    assert breaks(5, Peek())


def test_law_5_catches_an_event_that_tells_too_much():
    def answer(self, seat, action):
        ToyState.answer(self, seat, action)
        if action != 3:
            self.rows[-1:] = [(2, seat, self.hands[seat])] if self.on else []

    assert broken(5, answer=answer)


def test_law_5_catches_a_choice_that_depends_on_hidden_cards_of_others():
    def legal(self, seat):
        offered = ToyState.legal(self, seat)
        return [KEEP] if offered == [KEEP, SWAP] and self.hands[(seat + 1) % 3] > 4 else offered

    assert broken(5, legal=legal)


def test_law_5_catches_an_observation_of_what_is_hidden():
    def observe(self, state, seat, out):
        out[:] = bytes([state.stage, state.hands[seat - 1]])

    assert breaks(5, type("Telling", (Toy,), {"observe": observe})())


def test_law_1_catches_a_wrong_mask():
    def mask(self, state, seat, out):
        out[:] = bytes(len(out))

    assert breaks(1, type("Silent", (Toy,), {"mask": mask})())


def test_law_6_catches_a_twin_that_forgets_what_was_shown():
    class Forgetful(Toy):
        def imagine(self, view, chance):
            return super().imagine({**view, "shown": [None] * 3}, chance)

    assert breaks(6, Forgetful())


def test_law_7_catches_a_position_that_leaves_something_out():
    class Sloppy(Toy):
        def from_position(self, text):
            state = super().from_position(text)
            state.flow = [0] * 3
            return state

    assert breaks(7, Sloppy())


def test_law_8_catches_a_lost_card():
    def swap(self, seat):
        ToyState.swap(self, seat)
        self.bags[seat].clear()

    assert broken(8, swap=swap)


def test_law_9_catches_shared_lists():
    def clone(self):
        other = ToyState.clone(self)
        other.hands = self.hands
        return other

    assert broken(9, clone=clone)


def test_digests_tell_two_games_apart():
    one, other = list(laws.digests(Toy(), {}, "a")), list(laws.digests(Toy(), {}, "b"))
    assert one == list(laws.digests(Toy(), {}, "a"))
    assert one != other
