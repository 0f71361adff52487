"""Scenes: a moment of a year at the school drawn as text, moves as words, everything seen in words.

    g = scene('''
        3 seats; trimester I, turn 2, phase activate
        ana: elements 3E 1V; cubes 5; shared 88; personal 9; discard 53
             forest 57 . 62 . . / . . 7 . 8
        ben: shared 58
    ''')
    g.ana("9", "line 2", "53", "done")
    assert g.elements("ana") == "2E 1V"

A scene is a position (see `games/fairy_school/position.py`): what it leaves out is filled in, and its phase begins as
at the table. `year` sits down for a whole year instead, with its seed.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pytest

from fabletop.core.errors import NotOffered
from fabletop.core.events import Event
from fabletop.core.game import Choice, Outcome
from fabletop.core.sitting import Sitting
from fabletop.games import GAMES
from fabletop.lang import Lexicon
from fabletop.lang.lines import Teller

GAME: Any = GAMES["fairy_school"]
PEOPLE = ("ana", "ben", "cleo", "dov", "eli", "fay")
LETTERS = {"earth": "E", "plant": "V", "fire": "F", "water": "W", "air": "A"}


def scene(text: str) -> "Scene":
    """The scene that a text draws."""
    state = GAME.from_position(text)
    state.listen(True)
    return Scene(state)


def year(seed: str = "scene", **options: Any) -> "Scene":
    """A new year, set up and dealt from a seed."""
    return Scene(None, Sitting(GAME, options, seed=seed))


class Scene:
    """A state with the words to play and to look at it."""

    def __init__(self, state: Any, sitting: Sitting | None = None) -> None:
        self.sitting = sitting
        self._state = state
        self.rows: list[tuple[int, ...]] = [] if sitting is None else sitting.rows

    @property
    def state(self) -> Any:
        """The engine's state; undo replaces it, so it is read each time."""
        return self._state if self.sitting is None else self.sitting.state

    # ---- playing

    def __getattr__(self, name: str) -> Callable[..., None]:
        if name not in PEOPLE:
            raise AttributeError(name)
        return partial(self.play, name)

    def play(self, who: str, *moves: str) -> None:
        """Moves of one seat, in words."""
        seat = PEOPLE.index(who)
        for move in moves:
            if self.sitting is not None:
                self.sitting.act(seat, move)
                self.rows = self.sitting.rows
            else:
                self.state.apply(seat, GAME.parse(move))
                self.rows += self.state.heard()

    def close(self) -> None:
        """Everybody who is still asked finishes the stage as it is."""
        stage = self.state.stage
        for seat in self.state.asked():
            if self.state.stage == stage:
                self.play(PEOPLE[seat], "done" if "done" in self.options(PEOPLE[seat]) else "pass")

    def refuses(self, who: str, move: str) -> str:
        """The move is not offered and changes nothing; returns what is said about it."""
        before = GAME.position(self.state)
        with pytest.raises(NotOffered) as refusal:
            self.play(who, move)
        assert GAME.position(self.state) == before
        return str(refusal.value)

    # ---- looking

    @property
    def asked(self) -> str:
        """Who has something to decide: `ana cleo`."""
        return " ".join(PEOPLE[seat] for seat in self.state.asked())

    @property
    def phase(self) -> str:
        """What the table is at."""
        return str(self.view(None)["phase"])

    def choice(self, who: str) -> Choice:
        """The question put to a seat."""
        choice: Choice = GAME.pending(self.state)[PEOPLE.index(who)]
        return choice

    def options(self, who: str) -> list[str]:
        """What a seat may answer; empty if it is not asked."""
        return [GAME.actions[action] for action in self.state.legal(PEOPLE.index(who))]

    def offered(self, who: str) -> str:
        """The same without the offer to convert, on one line."""
        return " ".join(option for option in self.options(who) if option != "convert")

    def why(self, who: str, thing: str) -> str:
        """Why a seat cannot choose a thing: key and rule."""
        found = GAME.reasons(self.view(who), self.choice(who))
        reason = found.get(thing) or found["*"]
        return f"{reason.key} {reason.rule}"

    def view(self, who: str | None) -> Mapping[str, Any]:
        """What a seat, or a spectator, may see."""
        seen: Mapping[str, Any] = GAME.view(self.state, None if who is None else PEOPLE.index(who))
        return seen

    def area(self, who: str, eyes: str | None = "") -> Mapping[str, Any]:
        """A seat's area as somebody sees it; as the seat itself does, unless said otherwise."""
        area: Mapping[str, Any] = self.view(who if eyes == "" else eyes)["players"][PEOPLE.index(who)]
        return area

    def elements(self, who: str, eyes: str | None = "") -> str:
        """`3E 1A`, or `none`."""
        held = self.area(who, eyes)["elements"]
        return " ".join(f"{n}{LETTERS[name]}" for name, n in held.items() if n) or "none"

    def forest(self, who: str, eyes: str | None = "") -> str:
        """`57 . 62 . . / . . 7 . 8`."""
        rows = self.area(who, eyes)["forest"]
        return " / ".join(" ".join(name or "." for name in rows[row]) for row in ("top", "bottom"))

    def zone(self, who: str, name: str, eyes: str | None = "") -> str:
        """The cards of a zone: discard, personal, shared, projects, realised, banished."""
        return " ".join(self.area(who, eyes)[name])

    def pile(self, who: str, eyes: str | None = "") -> str:
        """`1 5 9 | 88`: what the draw pile is made of, then the known cards on top, the topmost last."""
        pile = self.area(who, eyes)["pile"]
        top = ["|", *reversed(pile["top"])] if pile["top"] else []
        return " ".join([*pile["among"], *top])

    def cubes(self, who: str, eyes: str | None = "") -> int:
        """How many cubes a seat has in reserve."""
        return int(self.area(who, eyes)["cubes"])

    def kindness(self, who: str) -> str:
        """`ben 2, cleo 1`."""
        given = self.area(who)["kindness_from"]
        return ", ".join(f"{PEOPLE[giver]} {n}" for giver, n in enumerate(given) if n)

    def studied(self, who: str, eyes: str | None = "") -> str:
        """The creatures a seat has studied."""
        return " ".join(self.area(who, eyes)["studied"])

    def events(self, who: str | None) -> list[Event]:
        """What a seat or a spectator has been told."""
        return list(GAME.events.story(self.rows, None if who is None else PEOPLE.index(who)))

    def told(self, who: str | None, kind: str) -> list[Mapping[str, Any]]:
        """The events of one kind that a seat or a spectator has been told."""
        return [event.fields for event in self.events(who) if event.kind == kind]

    def log(self, who: str | None, code: str = "en") -> list[str]:
        """The log as it reads for a seat or a spectator."""
        names = [name.capitalize() for name in PEOPLE]
        teller = Teller(Lexicon(code), GAME, names, None if who is None else PEOPLE.index(who))
        lines = (teller.line(event) for event in self.events(who))
        return [line for line in lines if line is not None]

    @property
    def outcome(self) -> Outcome:
        """How the year ended."""
        outcome: Outcome | None = GAME.outcome(self.state)
        assert outcome is not None, "the year is not over"
        return outcome
