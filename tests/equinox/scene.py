"""Scenes: a drawn position, moves in words, the log in words.

    g = scene(\"\"\"
        round 2   turn ana   out: fiery_fang
                 fungy   hoot   ursus
        row 1      5a      7      3b
        row 2      .       4      .
        ana: fungy 9, ursus 2        ben: hoot 0
    \"\"\")
    g.ana("fungy 9", "use fiery_fang", "row 1")
    assert g.hand("ana") == "fungy 5, ursus 2"
    assert g.log("ben")[-1] == "Ana takes Fungy 5 into their hand (the 4 row)"

The drawing is the position text of the game (see fabletop.games.equinox.position); the phase is `play` unless it says
otherwise. A move is any text that fits one of the options; `*` answers with the only option there is.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from fabletop.core.errors import FabletopError
from fabletop.core.events import Event
from fabletop.core.game import Choice
from fabletop.games.equinox import EQUINOX
from fabletop.games.equinox.notation import read
from fabletop.games.equinox.position import NAMES
from fabletop.lang import Lexicon
from fabletop.lang.lines import Teller

PEOPLE = ("Ana", "Ben", "Cleo", "Dov", "Eli")


class Scene:
    """A game from a position on. Seats are called by their names in lower case, the spectator is None."""

    def __init__(self, state: Any) -> None:
        self.state = state
        self.rows: list[tuple[int, ...]] = []
        state.listen(True)

    # ---- playing

    def play(self, name: str, *moves: str) -> "Scene":
        """Answer the questions put to a seat, one move after the other."""
        for move in moves:
            assert self.asked == name, f"{name} wants to {move!r}, but {self.asked} is asked {self.asks!r}"
            self.state.apply(NAMES.index(name), self.meant(move))
            self.rows += self.state.heard()
        return self

    def ana(self, *moves: str) -> "Scene":
        return self.play("ana", *moves)

    def ben(self, *moves: str) -> "Scene":
        return self.play("ben", *moves)

    def cleo(self, *moves: str) -> "Scene":
        return self.play("cleo", *moves)

    def dov(self, *moves: str) -> "Scene":
        return self.play("dov", *moves)

    def eli(self, *moves: str) -> "Scene":
        return self.play("eli", *moves)

    def meant(self, move: str) -> int:
        """The option that a move in words means."""
        offered = self.choice.options
        if move == "*":
            assert len(offered) == 1, f"more than one option: {self.options}"
            return offered[0]
        text = re.sub(r"\b(ana|ben|cleo|dov|eli)\b", lambda who: f"seat-{NAMES.index(who[0])}", move)
        return read(text, offered)

    def refusal(self, name: str, move: str) -> str:
        """What the game says to an impossible move; it must leave everything as it was."""
        before, legal = EQUINOX.position(self.state), self.state.legal(NAMES.index(name))
        try:
            self.state.apply(NAMES.index(name), EQUINOX.parse(move))
        except FabletopError as error:
            assert EQUINOX.position(self.state) == before
            assert self.state.legal(NAMES.index(name)) == legal
            assert self.state.heard() == []
            return str(error)
        raise AssertionError(f"{name} was allowed to {move!r}")

    # ---- what is asked

    @property
    def choice(self) -> Choice:
        """The pending choice."""
        (choice,) = EQUINOX.pending(self.state).values()
        return choice

    @property
    def asked(self) -> str | None:
        """Who is asked; None when the game is over."""
        seats = self.state.asked()
        return NAMES[seats[0]] if seats else None

    @property
    def asks(self) -> str:
        """What is asked."""
        return self.choice.kind if self.asked else "over"

    @property
    def options(self) -> str:
        """The options as texts."""
        return ", ".join(EQUINOX.actions[a] for a in self.choice.options)

    def offers(self, move: str) -> bool:
        """Is this among the options?"""
        return EQUINOX.parse(move) in self.choice.options

    # ---- what can be seen

    def why(self, thing: str) -> str:
        """Why the seat that is asked cannot choose a thing, or what follows from an option: key and rule."""
        assert self.asked is not None
        found = EQUINOX.reasons(self.view(self.asked), self.choice)
        reason = found.get(thing) or found["*"]
        return f"{reason.key} {reason.rule}"

    def previews(self) -> Mapping[str, Any]:
        """What the options of the seat that is asked make of the row in play."""
        return EQUINOX.previews(EQUINOX.view(self.state, self.choice.seat), self.choice)

    def view(self, name: str | None = None) -> dict[str, Any]:
        return EQUINOX.view(self.state, None if name is None else NAMES.index(name))

    def hand(self, name: str) -> str:
        """A hand, in the order of the rules page."""
        return _cards(self.view(name)["own"]["hand"])

    def aside(self, name: str) -> str:
        return _cards(self.view(name)["own"]["aside"])

    def secret(self, name: str) -> str | None:
        return self.view(name)["own"]["secret"]

    def player(self, name: str) -> dict[str, Any]:
        """What everybody sees of a seat."""
        return self.view()["players"][NAMES.index(name)]

    def pebbles(self, name: str) -> int:
        """The pebbles a seat has available."""
        return self.player(name)["pebbles"]

    def column(self, creature: str) -> dict[str, Any]:
        (found,) = [entry for entry in self.view()["columns"] if entry["creature"] == creature]
        return found

    def cell(self, creature: str, row: int) -> dict[str, Any]:
        return self.column(creature)["cells"][row - 1]

    def top(self, creature: str, row: int) -> str | None:
        """The visible card of a cell."""
        return self.cell(creature, row)["top"]

    def pebble(self, creature: str, row: int) -> str | None:
        """Whose pebble lies on a cell."""
        return _name(self.cell(creature, row)["pebble"])

    def champion(self, creature: str) -> str:
        """Whose pebbles lie on a Champion card."""
        return ", ".join(NAMES[seat] for seat in self.column(creature)["champion"])

    def controller(self, creature: str) -> str | None:
        return _name(self.column(creature)["controller"])

    def out(self) -> str:
        """The eliminated creatures."""
        gone = [entry for entry in self.view()["columns"] if not entry["in_play"]]
        return ", ".join(entry["creature"] for entry in sorted(gone, key=lambda entry: entry["eliminated"]))

    @property
    def turn(self) -> str:
        return NAMES[self.view()["turn"]]

    @property
    def round(self) -> int:
        return self.view()["round"]

    @property
    def deck(self) -> int:
        return self.view()["deck"]

    @property
    def discard(self) -> int:
        return self.view()["discard"]

    def scores(self) -> tuple[float, ...]:
        outcome = EQUINOX.outcome(self.state)
        assert outcome is not None, "the game is not over"
        return outcome.scores

    def winners(self) -> str:
        outcome = EQUINOX.outcome(self.state)
        assert outcome is not None, "the game is not over"
        return ", ".join(NAMES[seat] for seat in outcome.winners)

    def reason(self) -> str:
        outcome = EQUINOX.outcome(self.state)
        assert outcome is not None, "the game is not over"
        return outcome.reason

    # ---- the log

    def events(self, name: str | None = None) -> list[Event]:
        """What a reader has been told since the scene began."""
        return EQUINOX.events.story(self.rows, None if name is None else NAMES.index(name))

    def log(self, name: str | None = None, lang: str = "en") -> list[str]:
        """The same in words."""
        return tell(self.events(name), None if name is None else NAMES.index(name), lang)


def scene(text: str) -> Scene:
    """The game as drawn."""
    return Scene(EQUINOX.from_position(text))


def tell(events: Sequence[Event], reader: int | None, lang: str) -> list[str]:
    """Events as lines of the log for one reader."""
    teller = Teller(Lexicon(lang), EQUINOX, PEOPLE, reader)
    return [line for event in events if (line := teller.line(event)) is not None]


def _cards(ids: Sequence[str]) -> str:
    return ", ".join(card.replace("-", " ") for card in ids)


def _name(seat: int | None) -> str | None:
    return None if seat is None else NAMES[seat]
