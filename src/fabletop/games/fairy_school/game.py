"""Fairy School as everything outside knows it: the `Game` protocol over the engine.

The questions (`Choice.kind`) and what they are about (`Choice.about`):

    draft         deck, pick, of, to           take one card of the hand, the rest is passed on (F-4.1, F-2.5)
    settle        left                         an S card for the forest, or done (F-2.5)
    settle_space  card                         where
    drop          left                         a project for the common discard, or done (F-4.2)
    goal          trimester                    a project of the common discard (F-5.0)
    plan          left                         a drawn card to place, or done (F-5.1)
    plan_space    card                         where
    select        chosen, most                 a column, `most` more of them at most, or done (F-5.2)
    activate      cubes                        a card, or done (F-5.3)
    line          card, again                  which line
    times         card, line, most             how often (F-6.2)
    gain          card, line, left, gains      which gain
    recall        card, line, left             a card of the discard; pass after the first (F-6.3)
    scout         card, line, left             one of the cards looked at
    repeat        card, line                   a card activated before, or pass
    banish        card, line                   a card of the forest, or pass
    study_any     card, line                   a creature
    study         –                            a creature on a paw space, or pass (F-5.5)
    any           –                            the element of a pair's bonus (F-1.6)
    realise       realised, most, step         a project, the next step, or done (F-5.6, F-7.2)
    final         –                            a final project (F-7.1)
    bonus         –                            the element of the most advanced (F-7.3)
    spend         realised, most, step         what is left, at the end of the year (F-7.4)
    pay           for, card, cost, making, rate, spent      an element to convert, to be able to pay (F-6.9)
    convert       –                            what to make (F-1.3)
    convert_with  making, rate, spent          what goes into it

`left` counts what is still to do. `convert` is offered with all of these except `line`, `times`, `repeat` and `pay`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from fabletop.core.chance import Chance
from fabletop.core.events import EventTable
from fabletop.core.game import CardEntry, Choice, Options, Outcome, Pack, Reason, Setting, digest_of
from fabletop.core.planes import Plane
from fabletop.games.fairy_school import constants as c
from fabletop.games.fairy_school import observation
from fabletop.games.fairy_school import text as speech
from fabletop.games.fairy_school.algebra import ELEMENTS, Special, Transformation
from fabletop.games.fairy_school.card_types import CardData
from fabletop.games.fairy_school.cards import BEGINNER_PROJECTS, CARDS, DECKS, TABLE, card_lines
from fabletop.games.fairy_school.engine import State
from fabletop.games.fairy_school.events import EVENTS
from fabletop.games.fairy_school.notation import ACTION_TEXTS, parse_action
from fabletop.games.fairy_school.options import SEAT_COUNTS, SETTINGS, checked
from fabletop.games.fairy_school.position import position, read_position
from fabletop.games.fairy_school.preview_types import Preview
from fabletop.games.fairy_school.previews import previews
from fabletop.games.fairy_school.reasons import reasons
from fabletop.games.fairy_school.slot import FairySchoolSlot
from fabletop.games.fairy_school.view import ViewBuilder, amounts
from fabletop.games.fairy_school.view_reader import imagine
from fabletop.games.fairy_school.view_types import View

NUMBERS = (
    c.RATE, c.COLUMN_COST, c.PAIR_BONUS, c.CUBES_FULL, c.CUBES_SHORT, c.LAST_TURNS, c.KEPT, c.DRAFT_SIZE, c.SETTLED,
    c.REALISED_PER_TURN, c.SCOUTED, c.STEPS_LONG, c.STEPS_SHORT,
)  # fmt: skip
"""The numbers of the rules that a record depends on; the others only say how the engine stores things."""
HELD = ("pile", "discard", "personal", "shared", "projects", "hand", "banished")
REPORTS = ((95, "congratulations"), (90, "distinction"), (85, "passed"))
PAID_FOR = {
    c.ASK_SELECT: "column",
    c.ASK_LINE: "line",
    c.ASK_REALISE: "project",
    c.ASK_FINAL: "step",
}


class FairySchool:
    """The rules, names and numbers of Fairy School."""

    id = "fairy_school"
    rules = c.RULES
    digest = digest_of(c.RULES, numbers=NUMBERS, cards=card_lines(TABLE), beginners=BEGINNER_PROJECTS)
    seat_counts = SEAT_COUNTS
    settings: Sequence[Setting] = SETTINGS
    actions: Sequence[str] = ACTION_TEXTS
    events: EventTable = EVENTS
    view_type: type = View
    preview_type: type | None = Preview
    card_type: type | None = CardData
    planes: Sequence[Plane] = observation.PLANES

    def options(self, given: Options) -> dict[str, Any]:
        """F-2.9: seats 2 to 6, setup beginners, normal or expert, length full or short, wider neighbourhood or not."""
        return checked(given)

    def numbers(self, options: Options) -> tuple[int, int, int, int]:
        """The options as the engine takes them."""
        chosen = self.options(options)
        return (
            chosen["seats"],
            c.setup_names.index(chosen["setup"]),
            c.length_names.index(chosen["length"]),
            int(chosen["wider"]),
        )

    def new(self, options: Options, words: Sequence[int]) -> State:
        """The first state: set up, and asking for the first draft pick or the first placement."""
        state = State(*self.numbers(options))
        state.start_game(words)
        return state

    def pending(self, state: State) -> dict[int, Choice]:
        """Who is asked what."""
        return {seat: self._choice(state, seat) for seat in state.asked()}

    def _choice(self, state: State, seat: int) -> Choice:
        at = state.registers(seat)
        kind = c.question_names[at["question"]]
        return Choice(seat, kind, tuple(state.legal(seat)), about(state, seat, at))

    def half_step(self, state: State) -> int:
        """Nobody sees the parts of another seat's decision."""
        return 0

    def progress(self, state: State) -> dict[str, int]:
        """F-1.1: the trimester, of those that the year has (0 during the set-up), and its turn."""
        return {"trimester": state.trimester, "of": state.last, "turn": state.turn}

    def view(self, state: State, viewer: int | None) -> View:
        """What a seat, or a spectator, may see."""
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

    def slot(self, options: Options) -> FairySchoolSlot:
        """A row of a batch."""
        return FairySchoolSlot(*self.numbers(options))

    def reasons(self, view: View, choice: Choice) -> Mapping[str, Reason]:
        """Why the seat cannot choose what a person might try."""
        return reasons(view, choice)

    def previews(self, view: View, choice: Choice) -> Mapping[str, Preview]:
        """What follows from an option, and what the projects lack."""
        return previews(view, choice)

    def imagine(self, view: View, chance: Chance) -> State:
        """A state this viewer could be in."""
        return imagine(view, chance)

    def outcome(self, state: State) -> Outcome | None:
        """F-8: the score, a tie shared, and in the full game the school report."""
        if state.phase != c.PHASE_OVER or not state.ended:
            return None
        scores = state.points()
        best = max(scores)
        return Outcome(
            scores=tuple(float(score) for score in scores),
            winners=tuple(seat for seat, score in enumerate(scores) if score == best),
            reason=c.end_names[state.ended - 1],
            reckoning=tuple(self._reckoning(state, seat) for seat in range(state.seats)),
        )

    def _reckoning(self, state: State, seat: int) -> dict[str, Any]:
        names = ("kindness", "projects", "steps", "creatures", "elements")
        parts = dict(zip(names, state.parts(seat), strict=True))
        total = sum(parts.values())
        return {"seat": seat, **parts, "total": total, "report": None if state.short else report(total)}

    def parse(self, text: str) -> int:
        """The number of an action."""
        return parse_action(text)

    def position(self, state: State) -> str:
        """The whole state as text."""
        return position(state)

    def from_position(self, text: str) -> State:
        """The state that a text describes."""
        return read_position(text)

    def counts(self, state: State) -> Mapping[str, int]:
        """Law 8: all cards wherever they lie, and the cubes of each seat: in reserve, on cards, given away."""
        drafting = state.phase in (c.PHASE_SETTLE_DRAFT, c.PHASE_DRAFT)
        cards = len(state.lists()["common"]) + c.CARDS - len(state.placed())
        facts = [state.facts(seat) for seat in range(state.seats)]
        counts: dict[str, int] = {}
        for seat in range(state.seats):
            area = state.area(seat)
            cards += sum(len(area[zone]) for zone in HELD) + sum(card != c.NONE for card in area["forest"])
            cards += len(facts[seat]["looked"]) + (len(facts[seat]["picks"]) if drafting else 0)
            placed = sum(cubes for _, cubes in facts[seat]["used"])
            given = sum(facts[owner]["kindness"][seat] for owner in range(state.seats))
            counts[f"cubes of seat {seat}"] = area["cubes"] + placed + given
        return {"cards": cards, **counts}

    def say(self, kind: str, value: Any, word: Callable[[str], str]) -> str:
        """A value in words."""
        return speech.say(kind, value, word)

    def cards(self, word: Callable[[str], str]) -> Iterator[CardEntry]:
        """The card list."""
        return speech.cards(word)


def report(total: int) -> str | None:
    """F-8.2: what stands in the school report of the full game."""
    return next((name for mark, name in REPORTS if total >= mark), None)


def about(state: State, seat: int, at: Mapping[str, int]) -> dict[str, Any]:
    """What a question is about."""
    question = at["question"]
    if question == c.ASK_DRAFT:
        return {
            "deck": DECKS[1 + at["trimester"]],
            "pick": at["draft_round"] + 1,
            "of": at["hand"] + at["draft_round"],
            "to": "left" if c.PASSED_LEFT[at["trimester"]] else "right",
        }
    if question == c.ASK_SETTLE:
        return {"left": c.SETTLED - at["taken"]}
    if question in (c.ASK_SETTLE_SPACE, c.ASK_PLAN_SPACE):
        return {"card": CARDS[at["card"]].name}
    if question == c.ASK_DROP:
        return {"left": at["projects"] - c.KEPT}
    if question == c.ASK_GOAL:
        return {"trimester": at["trimester"]}
    if question == c.ASK_PLAN:
        return {"left": at["hand"]}
    if question == c.ASK_SELECT:
        chosen = [n + 1 for n in range(c.COLUMNS) if at["columns"] >> n & 1]
        return {"chosen": chosen, "most": c.SELECTED - len(chosen)}
    if question == c.ASK_ACTIVATE:
        return {"cubes": at["cubes"]}
    if question in (c.ASK_REALISE, c.ASK_SPEND):
        last = at["trimester"] == at["last"]
        steps = c.STEPS_SHORT if state.short else c.STEPS_LONG
        going = at["final"] != c.NONE and at["steps"] < steps
        return {
            "realised": at["taken"],
            "most": None if last else c.REALISED_PER_TURN,
            "step": at["steps"] + 1 if going else None,
        }
    if question == c.ASK_PAY:
        return _payment(state, seat, at)
    if question == c.ASK_CONVERT_WITH:
        return {"making": ELEMENTS[at["making"]], "rate": c.RATE[at["making"]], "spent": at["spent"]}
    return _effect(at) if c.ASK_LINE <= question <= c.ASK_STUDY_ANY else {}


def _payment(state: State, seat: int, at: Mapping[str, int]) -> dict[str, Any]:
    return {
        "for": PAID_FOR[at["after"]],
        "card": None if at["card"] == c.NONE else CARDS[at["card"]].name,
        "cost": amounts(state.owes(seat)),
        "making": ELEMENTS[at["making"]],
        "rate": c.RATE[at["making"]],
        "spent": at["spent"],
    }


def _effect(at: Mapping[str, int]) -> dict[str, Any]:
    """A follow-up question about the card that is being activated."""
    card, question = CARDS[at["card"]], at["question"]
    if question == c.ASK_LINE:
        return {"card": card.name, "again": bool(at["again"])}
    line = card.effect.lines[at["line"]]
    facts: dict[str, Any] = {"card": card.name, "line": at["line"] + 1}
    if question == c.ASK_TIMES and isinstance(line, Transformation):
        facts["most"] = line.times
    if question == c.ASK_GAIN and not isinstance(line, Special):
        facts |= {"left": at["left"], "gains": [amounts(option) for option in line.options]}
    if question in (c.ASK_RECALL, c.ASK_SCOUT):
        facts["left"] = at["left"]
    return facts


FAIRY_SCHOOL = FairySchool()
