"""Whole years retold from their events: everyone has what the cards, the conversions and the bonuses gave, no more."""

from collections.abc import Iterator

import pytest

from fabletop.core import laws
from fabletop.core.events import Event
from fabletop.games.fairy_school.algebra import ELEMENTS, Line, Production, Transformation
from fabletop.games.fairy_school.cards import BY_NAME
from fabletop.lang import Lexicon
from fabletop.lang.lines import Teller
from tests.fairy_school.bot import played
from tests.fairy_school.scene import GAME

RATES = (3, 4, 4, 3, 6)


def five(event: Event) -> tuple[int, ...]:
    """The amounts that an event tells of."""
    return tuple(event[name] for name in ELEMENTS)


def one(element: int | str) -> tuple[int, ...]:
    """One of an element."""
    at = ELEMENTS.index(element) if isinstance(element, str) else element
    return tuple(int(k == at) for k in range(5))


def plus(held: tuple[int, ...], more: tuple[int, ...], sign: int = 1) -> tuple[int, ...]:
    """A purse with something added or taken away."""
    return tuple(a + sign * b for a, b in zip(held, more, strict=True))


def activations(events: list[Event], seat: int) -> Iterator[tuple[Line, list[Event]]]:
    """The lines that a seat used, each with what it then did until the next one."""
    line: Line | None = None
    since: list[Event] = []
    for event in events:
        own = event.fields.get("seat") == seat
        if (own and event.kind in ("activated", "repeated")) or event.kind in ("rested", "kindness_got"):
            if line is not None:
                yield line, since
            line, since = None, []
            if event.kind in ("activated", "repeated"):
                line = BY_NAME[event["card"]].effect.lines[event["line"] - 1]
        elif own:
            since.append(event)


def check_line(line: Line, done: list[Event]) -> None:
    """F-6.1 to F-6.3, F-6.6: what was paid and taken is what the line says."""
    study = next((i for i, event in enumerate(done) if event.kind == "studied"), len(done))
    paid = [five(event) for event in done if event.kind == "paid"]
    gained = [five(event) for event in done[:study] if event.kind == "gained"]
    if isinstance(line, Production):
        assert (paid, len(gained)) == ([], 1)
        assert gained[0] in line.options
    elif isinstance(line, Transformation):
        assert 1 <= len(gained) <= line.times
        assert paid == [tuple(len(gained) * n for n in line.cost)]
        assert all(gain in line.options for gain in gained)
    else:
        assert paid == [line.cost]
        assert gained == ([] if line.bonus is None else [one(line.bonus)])


@pytest.mark.parametrize("seats", [2, 3, 6])
@pytest.mark.parametrize("sensible", [True, False])
def test_a_year_retold_ends_with_the_same_elements(seats: int, sensible: bool) -> None:
    """F-1.2, F-1.3, F-6.1, F-6.2, F-6.3, F-6.6: nothing comes from nowhere, and every line gives what it says."""
    seed = f"retold {seats}"
    options = {"seats": seats, "length": "short", "setup": "expert"}
    sitting = played(seed, **options) if sensible else laws.played(GAME, options, seed)
    events = sitting.events(None)
    purses: list[tuple[int, ...]] = [(1, 1, 1, 1, 0)] * seats
    for event in events:
        seat = event.fields.get("seat", 0)
        if event.kind == "paid":
            purses[seat] = plus(purses[seat], five(event), -1)
        elif event.kind == "converted":
            given, made = five(event), ELEMENTS.index(event["made"])
            assert sum(given) == RATES[made] or (given == one("air") and made != 4)
            purses[seat] = plus(plus(purses[seat], given, -1), one(made))
        elif event.kind == "gained":
            purses[seat] = plus(purses[seat], five(event))
        elif event.kind == "leader_gained":
            purses[seat] = plus(purses[seat], one(event["element"]))
        assert min(purses[seat]) >= 0
    for seat in range(seats):
        held = sitting.view(seat)["players"][seat]["elements"]
        assert purses[seat] == tuple(held.values())
        used = list(activations(events, seat))
        for line, done in used:
            check_line(line, done)
        assert len(used) > 10


def test_the_final_projects_on_offer_are_told_by_their_names() -> None:  # F-7.1
    sitting = played("told", seats=2, length="short")
    event = next(event for event in sitting.events(None) if event.kind == "finals_drawn")
    for code, start in (
        ("en", "Final projects to choose from: f"),
        ("fr", "Projets finaux au choix\u00a0: f"),
        ("de", "Abschlussprojekte zur Auswahl: f"),
    ):
        line = Teller(Lexicon(code), GAME, ("Ana", "Ben"), None).line(event)
        assert line is not None
        assert line.startswith(start)
        assert line.endswith(", ".join(event["finals"]))
