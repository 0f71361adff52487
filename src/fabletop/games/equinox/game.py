"""Equinox as the rest of Fabletop sees it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fabletop.core.chance import Chance
from fabletop.core.events import EventTable
from fabletop.core.game import CardEntry, Choice, Options, Outcome, Pack, Reason, Setting, digest_of
from fabletop.core.planes import Plane
from fabletop.games.equinox import constants as c
from fabletop.games.equinox import observation
from fabletop.games.equinox import text as speech
from fabletop.games.equinox.engine import State
from fabletop.games.equinox.events import EVENTS
from fabletop.games.equinox.notation import parse
from fabletop.games.equinox.options import SEAT_COUNTS, SETTINGS, checked, first_seat, study_numbers
from fabletop.games.equinox.position import from_position, position
from fabletop.games.equinox.preview_types import Preview
from fabletop.games.equinox.previews import previews
from fabletop.games.equinox.reasons import reasons
from fabletop.games.equinox.slot import EquinoxSlot
from fabletop.games.equinox.view import ViewBuilder, creatures, reckoning
from fabletop.games.equinox.view_reader import imagine
from fabletop.games.equinox.view_types import View

HALF_STEPS = frozenset((c.ASK_HOOT_CREATURE, c.ASK_HOPSCOTCH_WITH))
ROW_ASKS = frozenset((c.ASK_PREDICT, c.ASK_PLAY, c.ASK_COLUMN, c.ASK_FEATHER_FOX))


def about(state: State) -> dict[str, Any]:
    """What the pending question is about.

    Everywhere `row` where a card or pebble goes into the current one. A power's question names the `creature` that was
    played, the `power` in use (another one for Fungy) and whether it is `optional`; Hoot's and Goatman's name the
    `target` and the creature `named`, `asker` where another seat than the one at turn is asked.
    """
    phase = state.phase
    facts: dict[str, Any] = {"row": state.row + 1} if phase in ROW_ASKS else {}
    if phase == c.ASK_PREDICT:
        offered = state.legal_actions()
        facts["secret"] = offered[0] < c.TO_COLUMN
        facts["reveal"] = c.REVEAL in offered
    elif phase == c.ASK_PLAY:
        facts["second"] = bool(state.twinz)
    elif phase == c.ASK_COLUMN:
        facts["card"] = c.CARD_IDS[state.held]
    elif phase == c.ASK_DISCARD:
        facts["left"] = c.DISCARDS - state.discards
        facts["unseen"] = bool(state.carmen)
    if state.home != c.NONE:
        facts["creature"] = c.CREATURE_IDS[state.home]
        facts["power"] = c.CREATURE_IDS[state.power]
        facts["optional"] = not state.committed and phase in c.POWER_ASKS
    if phase in (c.ASK_HOOT_CREATURE, c.ASK_GOATMAN_KEEP):
        facts["target"] = state.target
    elif phase == c.ASK_HOOT_GIVE:
        facts["asker"] = state.turn
        facts["named"] = c.CREATURE_IDS[state.named]
    elif phase == c.ASK_HOPSCOTCH_WITH:
        facts["first"] = c.ACTION_IDS[c.TO_CELL + state.held]
    return facts


def creature_bits(options: Options) -> int:
    """A bit for each chosen creature, or 0 for a random choice."""
    chosen = options["creatures"]
    return 0 if chosen == "random" else sum(1 << c.CREATURE_IDS.index(creature) for creature in chosen)


class Equinox:
    """The game: names for what the engine does in numbers."""

    id = "equinox"
    rules = c.RULES
    digest = digest_of(
        c.RULES,
        creatures=c.CREATURE_IDS,
        numbers=(c.IN_GAME, c.ROWS, c.STRENGTHS, c.PEBBLES, c.HAND, c.DISCARDS, c.DECK),
        cards=c.CARD_IDS,
    )
    seat_counts = SEAT_COUNTS
    settings: Sequence[Setting] = SETTINGS
    actions: Sequence[str] = c.ACTION_IDS
    events: EventTable = EVENTS
    view_type: type = View
    preview_type: type | None = Preview
    card_type: type | None = None
    planes: Sequence[Plane] = observation.PLANES

    def options(self, given: Options) -> dict[str, Any]:
        """The given options checked and completed with the defaults."""
        return checked(given)

    def new(self, options: Options, words: Sequence[int]) -> State:
        """E-2: a new game. Only the table's stream of chance is used: one seat is asked at a time."""
        options = checked(options)
        state = State(options["seats"], *study_numbers(options))
        state.start_game(creature_bits(options), first_seat(options), words[-1])
        return state

    def pending(self, state: State) -> dict[int, Choice]:
        """Who is asked what; empty means that the game is over."""
        if state.phase == c.OVER:
            return {}
        options = tuple(state.legal_actions())
        return {state.actor: Choice(state.actor, c.CHOICE_IDS[state.phase], options, about(state))}

    def half_step(self, state: State) -> int:
        """E-7.6, E-7.11: a seat or a cell has been chosen, and something else is still to be chosen with it."""
        return state.phase if state.phase in HALF_STEPS else 0

    def progress(self, state: State) -> dict[str, int]:
        """E-3.1: the round, of five."""
        return {"round": min(state.row + 1, c.ROWS), "of": c.ROWS}

    def view(self, state: State, viewer: int | None) -> View:
        """E-9: what a seat, or a spectator (None), may see."""
        return ViewBuilder(state).view(viewer)

    def views(self, state: State, pack: Pack) -> ViewBuilder:
        """The views of one state for many viewers."""
        return ViewBuilder(state, pack)

    def observe(self, state: State, seat: int, out: Any) -> None:
        """Write what a seat may know into a buffer of bytes."""
        observation.observe(state, seat, out)

    def mask(self, state: State, seat: int, out: Any) -> None:
        """Write a byte for each action: 1 where it is offered to the seat."""
        observation.mask(state, seat, out)

    def slot(self, options: Options) -> EquinoxSlot:
        """A row of a batch."""
        options = checked(options)
        numbers = study_numbers(options)
        return EquinoxSlot(options["seats"], numbers, creature_bits(options), first_seat(options))

    def reasons(self, view: View, choice: Choice) -> Mapping[str, Reason]:
        """Why the seat cannot choose what a person might try."""
        return reasons(view, choice)

    def previews(self, view: View, choice: Choice) -> Mapping[str, Preview]:
        """What the options make of the row in play."""
        return previews(view, choice)

    def imagine(self, view: View, chance: Chance) -> State:
        """A whole state that this viewer could be in."""
        return imagine(view, chance)

    def outcome(self, state: State) -> Outcome | None:
        """E-8: the result, or None while the game goes on."""
        if state.phase != c.OVER:
            return None
        return Outcome(
            scores=tuple(halves / 2 for halves in state.half_points()),
            winners=tuple(state.winning()),
            reason=c.REASON_IDS[state.reason],
            reckoning=tuple(reckoning(state)),
        )

    def parse(self, text: str) -> int:
        """The number of an action."""
        return parse(text)

    def position(self, state: State) -> str:
        """The whole state as text that a person can read and write."""
        return position(state)

    def from_position(self, text: str) -> State:
        """The state that a position text describes."""
        return from_position(text)

    def counts(self, state: State) -> Mapping[str, int]:
        """How many cards and pebbles there are, wherever they are (law 8)."""
        d = state.dump()
        hidden = sum(map(len, (*d["hands"], *d["aside"], *d["unseen"], d["deck"])))
        secrets = sum(card != c.NONE for card in d["secret"])
        counts = {"cards": hidden + secrets + len(d["discarded"]) + sum(map(len, d["piles"]))}
        for seat in range(state.seats):
            on_table = d["pebble"].count(seat) + sum(bits >> seat & 1 for bits in d["champion"])
            counts[f"pebbles-{seat}"] = d["pebbles"][seat] + on_table + (d["secret"][seat] != c.NONE)
        return counts | {"creatures": len(creatures(d["in_game"]))}

    def say(self, kind: str, value: Any, word: speech.Word) -> str:
        """A value in words."""
        return speech.say(kind, value, word)

    def cards(self, word: speech.Word) -> Iterator[CardEntry]:
        """The cards of the game, and what each one does."""
        return speech.cards(word)


EQUINOX = Equinox()
