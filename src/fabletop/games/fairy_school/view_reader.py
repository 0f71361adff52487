"""The way back from a view of Fairy School to a state, read straight into the record.

Every bot begins with it, so it is compiled with `view_reader.pxd`. The order in which hidden cards are laid down is
part of what a bot answers: with the same view and the same chance it must stay the same.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from fabletop.core.chance import Chance
from fabletop.games.fairy_school.algebra import ELEMENTS as ELEMENT_NAMES
from fabletop.games.fairy_school.cards import BY_NAME, FINAL_BY_NAME, SET_LETTERS
from fabletop.games.fairy_school.cards import CREATURES as CREATURE_NAMES
from fabletop.games.fairy_school.constants import (
    ASK_DRAFT,
    ASK_NOTHING,
    DECK_END,
    DECK_FIRST,
    ELEMENTS,
    HAND_MAX,
    LOOKED_MAX,
    NO_ELEMENT,
    NONE,
    OWN_MAX,
    PHASE_DRAFT,
    PHASE_DROP,
    PHASE_SETTLE,
    PHASE_SETTLE_DRAFT,
    PICKS_MAX,
    PROJECTS_MAX,
    S_END,
    S_FIRST,
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
from fabletop.games.fairy_school.view_types import Amounts, Flow, Own, Player, View

IDS: dict[Any, int] = {None: NONE, **{name: card.id for name, card in BY_NAME.items()}}
FINAL_IDS: dict[str | None, int] = {None: NONE, **{name: card.id for name, card in FINAL_BY_NAME.items()}}
SET_IDS: dict[str | None, int] = {None: SETS, **{letter: i for i, letter in enumerate(SET_LETTERS)}}
ELEMENT_IDS: dict[str | None, int] = {None: NO_ELEMENT, **{name: i for i, name in enumerate(ELEMENT_NAMES)}}
CREATURE_IDS = {name: i for i, name in enumerate(CREATURE_NAMES)}
PHASE_IDS = {name: i for i, name in enumerate(phase_names)}
QUESTION_IDS = {name: i for i, name in enumerate(question_names)}


def imagine(view: View, chance: Chance) -> State:
    """A whole state that this viewer could be in."""
    state = skeleton(view)
    viewer = view["viewer"]
    state.redeal(state.seats if viewer is None else viewer, chance.word())
    return state


def skeleton(view: View) -> State:
    """One state that looks like this to the viewer; `State.redeal` draws what it cannot know."""
    return Reader(view).read()


@cache
def empty(seats: int, setup: str, length: str, wider: bool) -> State:
    """A record before the year begins: a copy of it is cheaper than a new one."""
    return State(seats, setup_names.index(setup), length_names.index(length), int(wider))


def numbers(cards: list[str]) -> list[int]:
    """The numbers of named cards."""
    return [IDS[name] for name in cards]


def fill(zone: list[int], start: int, cards: list[str]) -> int:
    """Put named cards into a zone, from an index on; how many."""
    n = 0
    for name in cards:
        zone[start + n] = IDS[name]
        n += 1
    return n


def lay(zone: list[int], start: int, cards: list[int]) -> int:
    """Put cards into a zone, from an index on; how many."""
    n = 0
    for card in cards:
        zone[start + n] = card
        n += 1
    return n


class Reader:
    """One view on its way to a state."""

    def __init__(self, view: View) -> None:
        options = view["options"]
        self.view = view
        self.state = empty(options["seats"], options["setup"], options["length"], options["wider"]).clone()
        self.viewer = options["seats"] if view["viewer"] is None else view["viewer"]

    def read(self) -> State:
        """All of the view."""
        view = self.view
        state = self.state
        self.read_table()
        if view["draft"] is None:
            for player in view["players"]:
                self.read_player(self.began(player), [], [])
        else:
            picks, hands = self.dealt()
            for player in view["players"]:
                self.read_player(self.began(player), picks[player["seat"]], hands[player["seat"]])
        state.snapshot()
        if state.phase == PHASE_DROP and view["draft"] is not None:
            for seat in range(state.seats):
                if seat != self.viewer:
                    at = seat * PROJECTS_MAX + state.n_projects[seat]
                    state.n_projects[seat] += lay(state.projects, at, picks[seat])
        own = view["own"]
        if own is not None:
            seat = self.viewer
            if own["began"]:
                self.read_player(view["players"][seat], [], [])
            state.n_hand[seat] = fill(state.hand, seat * HAND_MAX, own["hand"])
        for seat in view["waiting"]:
            state.question[seat] = (
                ASK_DRAFT  # only that it is asked: the engine puts the question when it deals again
            )
        if own is not None and own["pick"] is not None:
            state.question[self.viewer] = ASK_NOTHING
            state.card[self.viewer] = IDS[own["pick"]]
        if view["flow"] is not None:
            self.read_flow(view["flow"], view["flow"]["seat"])
        state.put_together()
        return state

    def read_table(self) -> None:
        """Where the year is, and what belongs to no seat."""
        view = self.view
        state = self.state
        state.stage = view["stage"]
        state.turn = view["turn"]
        state.year_turn = view["year_turn"]
        state.phase = PHASE_IDS[view["phase"]]
        state.together = view["together"]
        state.trimester = 0
        if not view["set_up"]:
            state.trimester = view["trimester"] or state.last
        draft = view["draft"]
        state.draft_round = 0 if draft is None else draft["round"]
        ended = view["ended"]
        state.ended = 0 if ended is None else 1 + end_names.index(ended)
        state.n_common = fill(state.common, 0, view["common"])
        n = 0
        for final in view["finals"]:
            state.finals[n] = FINAL_IDS[final]
            n += 1
        state.n_finals = n
        state.at_order = 0
        state.n_order = lay(state.order, 0, view["order"])

    def began(self, player: Player) -> Any:
        """A seat's area as it was when the stage began; of the others nothing else is seen (F-3.2)."""
        own = self.view["own"]
        if own is None or player["seat"] != self.viewer or not own["began"]:
            return player
        return {**player, **own["began"]}

    def hand_began(self, own: Own) -> list[str]:
        """The viewer's own hand as the stage began: what it holds, and what it has laid into the forest since."""
        state = self.state
        if state.phase == PHASE_DROP:
            return []
        if state.phase != PHASE_SETTLE:
            return own["drawn"] or own["hand"]
        now = self.view["players"][self.viewer]["forest"]["top"]
        was = own["began"]["forest"]["top"] if "forest" in own["began"] else now
        return own["hand"] + [name for name in now if name is not None and name not in was]

    def read_player(self, player: Player, picks: list[int], hand: list[int]) -> None:
        """A seat's area. `picks` and `hand` are what another seat may have in a draft."""
        state = self.state
        seat = player["seat"]
        own = self.view["own"] if seat == self.viewer else None
        at = seat * OWN_MAX
        elements = player["elements"]
        state.elements[seat * ELEMENTS] = elements["earth"]
        state.elements[seat * ELEMENTS + 1] = elements["plant"]
        state.elements[seat * ELEMENTS + 2] = elements["fire"]
        state.elements[seat * ELEMENTS + 3] = elements["water"]
        state.elements[seat * ELEMENTS + 4] = elements["air"]
        state.cubes[seat] = player["cubes"]
        state.studied[seat] = 0
        for name in player["studied"]:
            state.studied[seat] |= 1 << CREATURE_IDS[name]
        state.steps[seat] = player["steps"]
        forest = player["forest"]
        n = seat * SPACES
        for space in forest["top"]:
            state.forest[n] = IDS[space]
            n += 1
        for space in forest["bottom"]:
            state.forest[n] = IDS[space]
            n += 1
        pile = player["pile"]
        top = pile["top"]
        among = pile["among"]
        count = pile["count"]
        bag = count - len(top)
        for i in range(bag):
            state.pile[at + i] = IDS[among[i]]
        for i in range(bag, count):
            state.pile[at + i] = IDS[top[count - 1 - i]]
        state.bag[seat] = bag
        state.n_pile[seat] = count
        state.n_discard[seat] = fill(state.discard, at, player["discard"])
        state.n_personal[seat] = fill(state.personal, at, player["personal"])
        state.n_shared[seat] = fill(state.shared, seat * SHARED_MAX, player["shared"])
        state.n_projects[seat] = fill(state.projects, seat * PROJECTS_MAX, player["projects"])
        state.n_banished[seat] = fill(state.banished, at, player["banished"])
        state.set[seat] = SET_IDS[player["set"]]
        state.final[seat] = FINAL_IDS[player["final"]]
        n = seat * SEATS_MAX
        for kindness in player["kindness_from"]:
            state.kindness[n] = kindness
            n += 1
        drawn = player["drawn"]
        if drawn is not None:
            state.sure[seat] = len(drawn["sure"])
        n = seat * HAND_MAX
        if own is not None:
            state.n_hand[seat] = fill(state.hand, n, self.hand_began(own))
            self.read_own(own)
            return
        if drawn is not None:
            sure = fill(state.hand, n, drawn["sure"])
            state.n_hand[seat] = sure + fill(state.hand, n + sure, among[bag:])
        elif state.phase == PHASE_SETTLE and player["hand"]:
            state.n_hand[seat] = lay(state.hand, n, picks or self.sixth(player["hand"]))
        else:
            state.n_hand[seat] = lay(state.hand, n, hand)
        state.n_picks[seat] = lay(state.picks, seat * PICKS_MAX, picks)

    def read_own(self, own: Own) -> None:
        """What only the viewer knows."""
        state = self.state
        seat = self.viewer
        state.n_picks[seat] = fill(state.picks, seat * PICKS_MAX, own["picks"])
        state.n_looked[seat] = fill(state.looked, seat * LOOKED_MAX, own["looked"])
        n = 0
        for name, cubes in own["used"]:
            state.used[seat * USED_MAX + n] = IDS[name]
            state.used_cubes[seat * USED_MAX + n] = int(cubes)
            n += 1
        state.n_used[seat] = n

    def read_flow(self, flow: Flow, seat: int) -> None:
        """What a seat is in the middle of."""
        state = self.state
        state.question[seat] = QUESTION_IDS[flow["question"]]
        state.card[seat] = IDS[flow["card"]]
        state.line[seat] = flow["line"] - 1
        state.left[seat] = flow["left"]
        state.again[seat] = 1 if flow["again"] else 0
        state.after[seat] = QUESTION_IDS[flow["after"]]
        state.back[seat] = QUESTION_IDS[flow["back"]]
        state.making[seat] = ELEMENT_IDS[flow["making"]]
        state.spent[seat] = flow["spent"]
        state.taken[seat] = flow["taken"]
        state.columns[seat] = 0
        for column in flow["columns"]:
            state.columns[seat] |= 1 << (column - 1)
        self.read_amounts(state.owed, seat * ELEMENTS, flow["owed"])
        self.read_amounts(state.given, seat * ELEMENTS, flow["given"])

    def read_amounts(self, to: list[int], start: int, amounts: Amounts) -> None:
        """A number of each element."""
        to[start] = amounts["earth"]
        to[start + 1] = amounts["plant"]
        to[start + 2] = amounts["fire"]
        to[start + 3] = amounts["water"]
        to[start + 4] = amounts["air"]

    # ---------------------------------------------------------------- drafts

    def dealt(self) -> tuple[list[list[int]], list[list[int]]]:
        """Picks and hands of the others that fit the hands this viewer saw; which of them is left to the engine."""
        state = self.state
        view = self.view
        seats, rounds, viewer, step = state.seats, state.draft_round, self.viewer, state.passing()
        held = state.phase == PHASE_SETTLE_DRAFT or state.phase == PHASE_DRAFT
        draft, own = view["draft"], view["own"]
        assert draft is not None
        visits = [] if own is None else [numbers(hand) for hand in own["seen"]]
        taken = [] if own is None else numbers(own["picks"])
        known = self.public()
        for hand in visits:
            known.update(hand)
        deck = range(DECK_FIRST[state.trimester], DECK_END[state.trimester])
        unseen = [card for card in deck if card not in known]
        picks: list[list[int]] = [[0] * rounds for _ in range(seats)]
        hands: list[list[int]] = [[] for _ in range(seats)]
        for pack in range(seats):
            cards: list[int] = []
            for number in range(rounds):
                holder = (pack + step * number) % seats
                if holder == viewer:
                    cards = [card for card in visits[number] if card != taken[number]]
                    continue
                gone = cards
                for later in range(number, len(visits)):
                    if (pack + step * later) % seats == viewer:
                        gone = [card for card in cards if card not in visits[later]]
                        break
                chosen = gone[0] if gone else unseen.pop()
                if gone:
                    cards.remove(chosen)
                picks[holder][number] = chosen
            holder = (pack + step * rounds) % seats
            if held and holder != viewer:
                hands[holder] = cards or [unseen.pop() for _ in range(draft["size"] - rounds)]
        return picks, hands

    def sixth(self, count: int) -> list[int]:
        """S cards that the player without a set may hold (F-2.4)."""
        taken = self.public()
        return [card for card in range(S_FIRST, S_END) if card not in taken][:count]

    def public(self) -> set[int]:
        """The cards whose place the viewer can see."""
        found = set(numbers(self.view["common"]))
        for player in self.view["players"]:
            found.update(numbers(player["discard"]))
            found.update(numbers(player["personal"]))
            found.update(numbers(player["shared"]))
            found.update(numbers(player["projects"]))
            found.update(numbers(player["realised"]))
            found.update(numbers(player["banished"]))
            found.update(numbers(player["pile"]["among"]))
            forest = player["forest"]
            found.update([IDS[name] for name in forest["top"] + forest["bottom"] if name is not None])
        return found
