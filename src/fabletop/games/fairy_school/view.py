"""What a seat or a spectator may see of a year (rules page, section 10), built straight from the record.

`view_types.py` says what each field means. The viewer's own area is shown as it is, the others' as they were when the
stage began (F-3.2). What the viewer is in the middle of is in `flow`; while seats are asked in order, that is public.
Every viewer of a table gets a view with every move, so this is compiled with `view.pxd`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fabletop.core.game import Pack
from fabletop.games.fairy_school.algebra import ELEMENTS as ELEMENT_NAMES
from fabletop.games.fairy_school.cards import CARDS as CARD_TABLE
from fabletop.games.fairy_school.cards import CREATURES as CREATURE_NAMES
from fabletop.games.fairy_school.cards import FINALS as FINAL_TABLE
from fabletop.games.fairy_school.cards import SET_LETTERS
from fabletop.games.fairy_school.constants import (
    ASK_NOTHING,
    CARDS,
    COLUMNS,
    CREATURES,
    ELEMENTS,
    FINALS,
    HAND_MAX,
    LAST_TURNS,
    LOOKED_MAX,
    NONE,
    OWN_MAX,
    PASSED_LEFT,
    PHASE_DRAFT,
    PHASE_DROP,
    PHASE_PLAN,
    PHASE_SETTLE,
    PHASE_SETTLE_DRAFT,
    PICKS_MAX,
    PROJECT_FIRST,
    PROJECTS_MAX,
    SEATS_MAX,
    SETS,
    SHARED_MAX,
    SPACES,
    USED_MAX,
    end_names,
    length_names,
    phase_names,
    question_names,
    setup_names,
)
from fabletop.games.fairy_school.engine import State
from fabletop.games.fairy_school.view_types import Amounts, Common, Draft, Flow, Only, Own, Player, View

COMPILED = not __file__.endswith(".py")

NAMES = tuple(card.name for card in CARD_TABLE)
NAME_OR_NONE: tuple[Any, ...] = tuple(NAMES[card] if card < CARDS else None for card in range(256))
FINAL_OR_NONE: tuple[Any, ...] = tuple(
    FINAL_TABLE[final].name if final < FINALS else None for final in range(256)
)
SET_OR_NONE = tuple(SET_LETTERS[letter] if letter < SETS else None for letter in range(SETS + 1))
ELEMENT_OR_NONE = (*ELEMENT_NAMES, None)
CREATURE_IDS = tuple(CREATURE_NAMES)
PHASE_IDS = tuple(phase_names)
QUESTION_IDS = tuple(question_names)


def names(cards: Iterable[int]) -> list[str]:
    """The names of cards."""
    return [NAMES[card] for card in cards]


def amounts(values: Iterable[int]) -> Amounts:
    """Five numbers of elements by name."""
    earth, plant, fire, water, air = values
    return five(earth, plant, fire, water, air)


def five(earth: int, plant: int, fire: int, water: int, air: int) -> Amounts:
    """A number of each element."""
    return {"earth": earth, "plant": plant, "fire": fire, "water": water, "air": air}


def named(zone: list[int], start: int, count: int) -> list[Any]:
    """The names of the cards of a zone, from an index on."""
    return [NAME_OR_NONE[zone[i]] for i in range(start, start + count)]


class ViewBuilder:
    """Builds the views of one state. An area is built once for all viewers who see it as another's."""

    def __init__(self, state: State, pack: Pack | None = None) -> None:
        self.state = state
        self.pack = pack
        self.picking = (
            state.phase == PHASE_SETTLE_DRAFT
            or state.phase == PHASE_DRAFT
            or state.phase == PHASE_DROP
            or state.phase == PHASE_SETTLE
        )
        self.drafting = state.phase == PHASE_SETTLE_DRAFT or state.phase == PHASE_DRAFT
        self.others: list[Any] = [None] * state.seats
        self.n_sorted = 0
        if not COMPILED:
            self.sorted = list([0] * CARDS)

    def view(self, viewer: int | None) -> View:
        """What a seat, or a spectator (None), sees."""
        return {**self.common(), **self.only(viewer)}

    def common(self) -> Common:
        """The fields that every viewer sees alike."""
        state = self.state
        last = state.trimester == state.last
        self.n_sorted = 0
        self.sort(state.common, 0, state.n_common, 0)
        common = self.sorted_names()
        self.n_sorted = 0
        self.sort(state.finals, 0, state.n_finals, 0)
        return {
            "game": "fairy_school",
            "options": {
                "seats": state.seats,
                "setup": setup_names[state.setup],
                "length": length_names[state.short],
                "wider": state.wider != 0,
            },
            "stage": state.stage,
            "trimester": 0 if last else state.trimester,
            "set_up": state.trimester == 0,
            "turn": state.turn,
            "turns": LAST_TURNS if last else 4 if state.seats == 2 else 3,
            "year_turn": state.year_turn,
            "phase": PHASE_IDS[state.phase],
            "together": state.together != 0,
            "waiting": [s for s in range(state.seats) if state.question[s] != ASK_NOTHING],
            "reach": [self.reach(s) for s in range(state.seats)],
            "common": common,
            "finals": [FINAL_OR_NONE[self.sorted[i]] for i in range(self.n_sorted)],
            "order": [state.order[i] for i in range(state.at_order, state.n_order)],
            "draft": self.draft(),
            "ended": end_names[state.ended - 1] if state.ended else None,
        }

    def only(self, viewer: int | None) -> Only:
        """The fields that differ from viewer to viewer."""
        state = self.state
        number = NONE if viewer is None else viewer
        mine: Any = None if viewer is None else self.player(number, True, False)
        return {
            "players": [mine if s == number else self.other(s) for s in range(state.seats)],
            "viewer": viewer,
            "own": None if mine is None else self.own(number, mine),
            "flow": self.flow(number),
        }

    # ---------------------------------------------------------------- sorting

    def sort(self, zone: list[int], start: int, count: int, least: int) -> None:
        """Sort the cards of a zone in, those from `least` on; a card that is there already counts once."""
        for i in range(start, start + count):
            card = zone[i]
            if card < least or card == NONE:
                continue
            at = self.n_sorted
            while at > 0 and self.sorted[at - 1] > card:
                at -= 1
            if at > 0 and self.sorted[at - 1] == card:
                continue
            j = self.n_sorted
            while j > at:
                self.sorted[j] = self.sorted[j - 1]
                j -= 1
            self.sorted[at] = card
            self.n_sorted += 1

    def sorted_names(self) -> list[Any]:
        """What has been sorted in."""
        return [NAME_OR_NONE[self.sorted[i]] for i in range(self.n_sorted)]

    def in_order(self, zone: list[int], start: int, count: int) -> list[Any]:
        """The names of the cards of a zone in the order of the rules page."""
        if count == 0:
            return []
        self.n_sorted = 0
        self.sort(zone, start, count, 0)
        return self.sorted_names()

    # ---------------------------------------------------------------- the table

    def reach(self, seat: int) -> list[int]:
        """The seats whose shared cards this one may activate, itself first (F-5.3, F-2.8)."""
        state = self.state
        found = [seat]
        for k in range(state.neighbours()):
            found.append(state.neighbour(seat, k))
        return found

    def draft(self) -> Draft | None:
        """How far a draft has come; its picks are secret until what was kept or settled is shown (F-4.3)."""
        state = self.state
        if not self.picking:
            return None
        size = state.n_picks[0] + (state.was_n_hand[0] if self.drafting else 0)
        if size == 0:
            return None
        to = "left" if PASSED_LEFT[state.trimester] else "right"
        return {"round": state.draft_round, "size": size, "to": to}

    def other(self, seat: int) -> Any:
        """A seat's area as the others see it."""
        found = self.others[seat]
        if found is None:
            found = self.player(seat, False, True)
            if self.pack is not None:
                found = self.pack(found)
            self.others[seat] = found
        return found

    def player(self, seat: int, own: bool, began: bool) -> Player:
        """A seat's area, as its owner sees it or as the others do; as it is now, or as it was when the stage began."""
        state = self.state
        at = seat * OWN_MAX
        spaces = seat * SPACES
        if not began:
            elements = state.elements
            forest = state.forest
            pile = state.pile
            discard = state.discard
            personal = state.personal
            shared = state.shared
            projects = state.projects
            cubes = state.cubes[seat]
            studied = state.studied[seat]
            steps = state.steps[seat]
            n_bag = state.bag[seat]
            n_pile = state.n_pile[seat]
            n_discard = state.n_discard[seat]
            n_personal = state.n_personal[seat]
            n_shared = state.n_shared[seat]
            n_projects = state.n_projects[seat]
            n_hand = state.n_hand[seat]
            n_gone = state.n_banished[seat]
        else:
            elements = state.was_elements
            forest = state.was_forest
            pile = state.was_pile
            discard = state.was_discard
            personal = state.was_personal
            shared = state.was_shared
            projects = state.was_projects
            cubes = state.was_cubes[seat]
            studied = state.was_studied[seat]
            steps = state.was_steps[seat]
            n_bag = state.was_bag[seat]
            n_pile = state.was_n_pile[seat]
            n_discard = state.was_n_discard[seat]
            n_personal = state.was_n_personal[seat]
            n_shared = state.was_n_shared[seat]
            n_projects = state.was_n_projects[seat]
            n_hand = state.was_n_hand[seat]
            n_gone = state.was_n_banished[seat]
        drawn = state.was_n_hand[seat] if state.phase == PHASE_PLAN else 0
        sure = state.sure[seat]
        kindness = 0
        for i in range(state.seats):
            kindness += state.kindness[seat * SEATS_MAX + i]
        self.n_sorted = 0
        self.sort(pile, at, n_pile, PROJECT_FIRST)
        self.sort(discard, at, n_discard, PROJECT_FIRST)
        self.sort(personal, at, n_personal, PROJECT_FIRST)
        self.sort(shared, seat * SHARED_MAX, n_shared, PROJECT_FIRST)
        self.sort(state.was_hand, seat * HAND_MAX, drawn, PROJECT_FIRST)
        self.sort(forest, spaces, SPACES, PROJECT_FIRST)
        if own:
            self.sort(state.looked, seat * LOOKED_MAX, state.n_looked[seat], PROJECT_FIRST)
        realised = self.sorted_names()
        self.n_sorted = 0
        self.sort(pile, at, n_bag, 0)
        if not own and drawn > sure:
            self.sort(state.was_hand, seat * HAND_MAX + sure, drawn - sure, 0)
        among = self.sorted_names()
        return {
            "seat": seat,
            "set": SET_OR_NONE[state.set[seat]],
            "elements": five(
                elements[seat * ELEMENTS],
                elements[seat * ELEMENTS + 1],
                elements[seat * ELEMENTS + 2],
                elements[seat * ELEMENTS + 3],
                elements[seat * ELEMENTS + 4],
            ),
            "cubes": cubes,
            "kindness": kindness,
            "kindness_from": [state.kindness[seat * SEATS_MAX + i] for i in range(state.seats)],
            "studied": [CREATURE_IDS[i] for i in range(CREATURES) if (studied >> i) & 1],
            "forest": {
                "top": named(forest, spaces, COLUMNS),
                "bottom": named(forest, spaces + COLUMNS, SPACES - COLUMNS),
            },
            "personal": named(personal, at, n_personal),
            "shared": named(shared, seat * SHARED_MAX, n_shared),
            "discard": self.in_order(discard, at, n_discard),
            "pile": {
                "count": n_pile,
                "top": [NAME_OR_NONE[pile[at + n_pile - 1 - i]] for i in range(n_pile - n_bag)],
                "among": among,
            },
            "drawn": self.drawn(seat, drawn, sure) if drawn else None,
            "hand": 0 if state.phase == PHASE_DROP else n_hand,
            "projects": self.in_order(projects, seat * PROJECTS_MAX, n_projects),
            "realised": realised,
            "banished": named(state.banished, at, n_gone),
            "final": FINAL_OR_NONE[state.final[seat]],
            "steps": steps,
        }

    def drawn(self, seat: int, count: int, sure: int) -> Any:
        """What a seat drew in planning, as everybody knows."""
        return {"count": count, "sure": named(self.state.was_hand, seat * HAND_MAX, min(count, sure))}

    # ---------------------------------------------------------------- what one viewer alone knows

    def own(self, seat: int, mine: Player) -> Own:
        """What a seat alone knows: its hand, picks, the hands it saw pass, cards it looks at, where its cubes lie."""
        state = self.state
        planning = state.phase == PHASE_PLAN
        return {
            "began": self.began(seat, mine),
            "hand": named(state.hand, seat * HAND_MAX, state.n_hand[seat]),
            "pick": NAME_OR_NONE[state.card[seat]] if self.drafting else None,
            "picks": named(state.picks, seat * PICKS_MAX, state.n_picks[seat]),
            "seen": self.seen(seat),
            "drawn": named(state.was_hand, seat * HAND_MAX, state.was_n_hand[seat]) if planning else [],
            "looked": named(state.looked, seat * LOOKED_MAX, state.n_looked[seat]),
            "used": [
                [NAME_OR_NONE[state.used[seat * USED_MAX + i]], state.used_cubes[seat * USED_MAX + i]]
                for i in range(state.n_used[seat])
            ],
        }

    def began(self, seat: int, now: Any) -> dict[str, Any]:
        """What was different in a seat's area when the stage began: that is what the others still see (F-3.2)."""
        was: Any = self.player(seat, True, True)
        found = {}
        for name in was:
            if was[name] != now[name]:
                found[name] = was[name]
        return found

    def seen(self, seat: int) -> list[list[str]]:
        """The draft hands that came to a seat, one for each round so far; they follow from the picks in their order."""
        state = self.state
        if not self.picking or not (self.drafting or state.n_picks[seat] > 0):
            return []
        seats = state.seats
        step = state.passing()
        rounds = state.draft_round
        found = []
        for number in range(rounds + 1 if self.drafting else rounds):
            pack = (seat + (seats - step) * number) % seats
            self.n_sorted = 0
            for i in range(number, rounds):
                holder = (pack + step * i) % seats
                self.sort(state.picks, holder * PICKS_MAX + i, 1, 0)
            if self.drafting:
                holder = (pack + step * rounds) % seats
                self.sort(state.was_hand, holder * HAND_MAX, state.was_n_hand[holder], 0)
            found.append(self.sorted_names())
        return found

    def flow(self, viewer: int) -> Flow | None:
        """What the viewer is in the middle of; where seats are asked in order, what the asked one is."""
        state = self.state
        seat = viewer
        if not state.together:
            for s in range(state.seats):
                if state.question[s] != ASK_NOTHING:
                    seat = s
                    break
        if seat >= state.seats or state.question[seat] == ASK_NOTHING:
            return None
        at = seat * ELEMENTS
        return {
            "seat": seat,
            "question": QUESTION_IDS[state.question[seat]],
            "card": NAME_OR_NONE[state.card[seat]],
            "line": state.line[seat] + 1,
            "left": state.left[seat],
            "again": state.again[seat] != 0,
            "after": QUESTION_IDS[state.after[seat]],
            "back": QUESTION_IDS[state.back[seat]],
            "making": ELEMENT_OR_NONE[state.making[seat]],
            "spent": state.spent[seat],
            "taken": state.taken[seat],
            "columns": [n + 1 for n in range(COLUMNS) if (state.columns[seat] >> n) & 1],
            "owed": five(
                state.owed[at], state.owed[at + 1], state.owed[at + 2], state.owed[at + 3], state.owed[at + 4]
            ),
            "given": five(
                state.given[at],
                state.given[at + 1],
                state.given[at + 2],
                state.given[at + 3],
                state.given[at + 4],
            ),
        }
