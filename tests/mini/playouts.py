"""Random games in a batch: a second compiled module, which uses the first one's C methods."""

from mini.constants import NONE, SEATS_MAX, TITLE
from mini.engine import State


def play_out(state: State) -> int:
    """Plays to the end at random; the number of decisions."""
    decisions = 0
    while state.n_legal > 0:
        state.move(state.legal[state.draw(state.n_legal)])
        decisions += 1
    return decisions if state.seats <= SEATS_MAX else NONE


def playouts(seats: int, games: int, seed: int) -> int:
    """The decisions of many games."""
    return sum(play_out(State(seats, seed + game)) for game in range(games))


def title() -> str:
    """A constant that is a Python object in both builds."""
    return TITLE
