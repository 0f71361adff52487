"""What a seat or a spectator may see of a year, and the worlds it can imagine from that (rules page, section 10).

A view is built up from nothing, field by field. Everyone's area stands in `players`: the viewer's own as it is, the
others' as they stood when the stage began (F-3.2). What the viewer alone knows is in `own`, where it is in the middle
of something in `flow`; while seats are asked in order the flow is open to all.

`imagine` builds any one state that looks so to this viewer, and lets the engine draw the rest anew.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fabletop.core.chance import Chance
from fabletop.core.game import written
from fabletop.games.fairy_school import constants as c
from fabletop.games.fairy_school.algebra import ELEMENTS
from fabletop.games.fairy_school.cards import BY_NAME, CARDS, CREATURES, FINAL_BY_NAME, FINALS, SET_LETTERS
from fabletop.games.fairy_school.engine import State

DRAFTS = (c.PHASE_SETTLE_DRAFT, c.PHASE_DRAFT)
PICKED = (*DRAFTS, c.PHASE_DROP, c.PHASE_SETTLE)
NAMES = tuple(card.name for card in CARDS)
IDS = {name: card.id for name, card in BY_NAME.items()}
QUESTIONS = {name: number for number, name in enumerate(c.question_names)}


def names(cards: Iterable[int]) -> list[str]:
    """The names of cards."""
    return [NAMES[card] for card in cards]


def numbers(cards: Iterable[str]) -> list[int]:
    """The numbers of named cards."""
    return [IDS[name] for name in cards]


def amounts(values: Iterable[int]) -> dict[str, int]:
    """Five numbers of elements by name."""
    return dict(zip(ELEMENTS, values, strict=True))


def passing(at: Mapping[str, int]) -> int:
    """How many seats further a draft hand is passed (F-4.1, F-2.5): one to the left, or all but one, which is right."""
    return 1 if c.PASSED_LEFT[at["trimester"]] else at["seats"] - 1


# ---- the view


class Sight:
    """A state as it can be seen; whoever shows it to many viewers gets it as JSON, each area written only once for
    all to whom it is another's."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.at = state.table()
        seats, phase = self.at["seats"], self.at["phase"]
        self.facts = [state.facts(seat) for seat in range(seats)]
        self.asked = state.asked()
        staged = phase in (*PICKED, c.PHASE_PLAN)
        self.began = [state.area_began(seat) for seat in range(seats)] if staged else None
        self._others: list[bytes] = []

    def common(self) -> bytes:
        """What everybody sees, as JSON without braces."""
        return written(self.shared())[1:-1]

    def only(self, viewer: int | None) -> bytes:
        """What a seat, or a spectator (None), sees beside it, as JSON without braces."""
        self._others = self._others or [written(self._player(seat, None)) for seat in self.seats]
        areas = [
            written(self._player(seat, viewer)) if seat == viewer else self._others[seat]
            for seat in self.seats
        ]
        return b'"players":[%b],%b' % (b",".join(areas), written(self._beside(viewer))[1:-1])

    def view(self, viewer: int | None) -> dict[str, Any]:
        """All that a viewer sees."""
        players = [self._player(seat, viewer) for seat in self.seats]
        return self.shared() | {"players": players} | self._beside(viewer)

    @property
    def seats(self) -> range:
        """The seats of this game."""
        return range(self.at["seats"])

    def shared(self) -> dict[str, Any]:
        """What everybody sees."""
        at, lists = self.at, self.state.lists()
        seats = at["seats"]
        last = at["trimester"] == at["last"]
        return {
            "game": "fairy_school",
            "options": {
                "seats": seats,
                "setup": c.setup_names[at["setup"]],
                "length": c.length_names[at["short"]],
                "wider": bool(at["wider"]),
            },
            "stage": at["stage"],
            "trimester": 0 if last else at["trimester"],
            "set_up": at["trimester"] == 0,
            "turn": at["turn"],
            "turns": c.LAST_TURNS if last else 4 if seats == 2 else 3,
            "year_turn": at["year_turn"],
            "phase": c.phase_names[at["phase"]],
            "together": bool(at["together"]),
            "waiting": self.asked,
            "reach": [self.state.reach(seat) for seat in range(seats)],
            "common": names(sorted(lists["common"])),
            "finals": [FINALS[n].name for n in sorted(lists["finals"])],
            "order": lists["order"],
            "draft": _draft(at, self.facts, self.began),
            "ended": c.end_names[at["ended"] - 1] if at["ended"] else None,
        }

    def _beside(self, viewer: int | None) -> dict[str, Any]:
        """What a viewer sees beside everyone's area."""
        state, at = self.state, self.at
        return {
            "viewer": viewer,
            "own": None if viewer is None else _own(state, at, self.facts, self.began, viewer),
            "flow": _flow(state, at, viewer, self.asked),
        }

    def _player(self, seat: int, viewer: int | None) -> dict[str, Any]:
        """One seat's area, one's own as it is now."""
        state, was = self.state, self.began[seat] if self.began else None
        area = state.area(seat) if seat == viewer else was or state.area_began(seat)
        drawn = was["hand"] if was and self.at["phase"] == c.PHASE_PLAN else []
        return _player(self.at, area, self.facts[seat], drawn, seat, seat == viewer)


def _draft(
    at: Mapping[str, int], facts: Sequence[Mapping[str, Any]], began: Sequence[Mapping[str, Any]] | None
) -> dict[str, Any] | None:
    """How far a draft has come; its picks are secret until what was kept or settled is shown (F-4.3)."""
    if at["phase"] not in PICKED or began is None:
        return None
    size = len(facts[0]["picks"]) + (len(began[0]["hand"]) if at["phase"] in DRAFTS else 0)
    if size == 0:
        return None
    to = "left" if c.PASSED_LEFT[at["trimester"]] else "right"
    return {"round": at["draft_round"], "size": size, "to": to}


def _player(
    at: Mapping[str, int],
    area: Mapping[str, Any],
    facts: Mapping[str, Any],
    drawn: list[int],
    seat: int,
    own: bool,
) -> dict[str, Any]:
    """One seat's area: one's own as it is, another's as it stood when the stage began."""
    forest = [None if n == c.NONE else NAMES[n] for n in area["forest"]]
    pile, bag, sure = area["pile"], area["bag"], facts["sure"]
    owned = {*pile, *area["discard"], *area["personal"], *area["shared"], *drawn, *area["forest"]} - {c.NONE}
    if own:
        owned.update(facts["looked"])
    letter, final = facts["set"], facts["final"]
    return {
        "seat": seat,
        "set": SET_LETTERS[letter] if letter < c.SETS else None,
        "elements": amounts(area["elements"]),
        "cubes": area["cubes"],
        "kindness": sum(facts["kindness"]),
        "kindness_from": facts["kindness"],
        "studied": [name for i, name in enumerate(CREATURES) if area["studied"] >> i & 1],
        "forest": {"top": forest[: c.COLUMNS], "bottom": forest[c.COLUMNS :]},
        "personal": names(area["personal"]),
        "shared": names(area["shared"]),
        "discard": names(sorted(area["discard"])),
        "pile": {
            "count": len(pile),
            "top": names(reversed(pile[bag:])),
            "among": names(sorted(pile[:bag] if own else pile[:bag] + drawn[sure:])),
        },
        "drawn": {"count": len(drawn), "sure": names(drawn[:sure])} if drawn else None,
        "hand": len(area["hand"]) if at["phase"] != c.PHASE_DROP else 0,
        "projects": names(sorted(area["projects"])),
        "realised": names(sorted(n for n in owned if n >= c.PROJECT_FIRST)),
        "banished": names(area["banished"]),
        "final": None if final == c.NONE else FINALS[final].name,
        "steps": area["steps"],
    }


def _own(
    state: State,
    at: Mapping[str, int],
    facts: Sequence[Mapping[str, Any]],
    began: Sequence[Mapping[str, Any]] | None,
    seat: int,
) -> dict[str, Any]:
    """What a seat alone knows: its hand, picks, the hands it saw pass, cards it looks at, where its cubes lie.

    `began` has what was different in its area when the stage began: that is what the others still see (F-3.2).
    """
    pick = state.registers(seat)["card"] if at["phase"] in DRAFTS else c.NONE
    drawn = began[seat]["hand"] if began and at["phase"] == c.PHASE_PLAN else []
    was, now = (
        _player(at, area, facts[seat], drawn, seat, True)
        for area in (state.area_began(seat), state.area(seat))
    )
    return {
        "began": {key: value for key, value in was.items() if value != now[key]},
        "hand": names(state.area(seat)["hand"]),
        "pick": None if pick == c.NONE else NAMES[pick],
        "picks": names(facts[seat]["picks"]),
        "seen": [names(sorted(hand)) for hand in _seen(at, facts, began, seat)],
        "drawn": names(drawn),
        "looked": names(facts[seat]["looked"]),
        "used": [[NAMES[card], cubes] for card, cubes in facts[seat]["used"]],
    }


def _seen(
    at: Mapping[str, int],
    facts: Sequence[Mapping[str, Any]],
    began: Sequence[Mapping[str, Any]] | None,
    seat: int,
) -> list[list[int]]:
    """The draft hands that came to a seat, one for each round so far; they follow from the picks in their order."""
    seats, rounds, step = at["seats"], at["draft_round"], passing(at)
    held = at["phase"] in DRAFTS
    if began is None or at["phase"] == c.PHASE_PLAN or not (held or facts[seat]["picks"]):
        return []
    hands = []
    for number in range(rounds + 1 if held else rounds):
        pack = (seat - step * number) % seats
        hand = [facts[(pack + step * i) % seats]["picks"][i] for i in range(number, rounds)]
        if held:
            hand += began[(pack + step * rounds) % seats]["hand"]
        hands.append(hand)
    return hands


def _flow(state: State, at: Mapping[str, int], viewer: int | None, asked: list[int]) -> dict[str, Any] | None:
    """What the viewer is in the middle of; where seats are asked in order, what the asked one is."""
    seat = asked[0] if asked and not at["together"] else viewer
    if seat is None or seat not in asked:
        return None
    flow = state.registers(seat)
    card, making = flow["card"], flow["making"]
    return {
        "seat": seat,
        "question": c.question_names[flow["question"]],
        "card": None if card == c.NONE else NAMES[card],
        "line": flow["line"] + 1,
        "left": flow["left"],
        "again": bool(flow["again"]),
        "after": c.question_names[flow["after"]],
        "back": c.question_names[flow["back"]],
        "making": None if making == c.NO_ELEMENT else ELEMENTS[making],
        "spent": flow["spent"],
        "taken": flow["taken"],
        "columns": [n + 1 for n in range(c.COLUMNS) if flow["columns"] >> n & 1],
        "owed": amounts(state.owes(seat)),
        "given": amounts(state.gives(seat)),
    }


# ---- imagining


def imagine(seen: Mapping[str, Any], chance: Chance) -> State:
    """A whole state that this viewer could be in."""
    state = skeleton(seen)
    viewer = seen["viewer"]
    state.redeal(state.seats if viewer is None else viewer, chance.word())
    return state


def skeleton(seen: Mapping[str, Any]) -> State:
    """One state that looks so to this viewer; `State.redeal` draws what it cannot know."""
    options, viewer = seen["options"], seen["viewer"]
    seats: int = options["seats"]
    state = State(
        seats,
        c.setup_names.index(options["setup"]),
        c.length_names.index(options["length"]),
        int(options["wider"]),
    )
    at = state.table()
    at["stage"], at["turn"], at["year_turn"] = seen["stage"], seen["turn"], seen["year_turn"]
    at["phase"] = c.phase_names.index(seen["phase"])
    at["together"] = int(seen["together"])
    at["trimester"] = 0 if seen["set_up"] else seen["trimester"] or at["last"]
    at["draft_round"] = seen["draft"]["round"] if seen["draft"] else 0
    at["ended"] = 1 + c.end_names.index(seen["ended"]) if seen["ended"] else 0
    finals = [FINAL_BY_NAME[name].id for name in seen["finals"]]
    lists = {"chance": [], "common": numbers(seen["common"]), "finals": finals, "order": list(seen["order"])}
    state.put_table(at, lists)
    picks, hands = (
        _dealt(at, seen) if seen["draft"] else ([[] for _ in range(seats)], [[] for _ in range(seats)])
    )
    for player in seen["players"]:
        began = {**player, **seen["own"]["began"]} if player["seat"] == viewer else player
        _put_player(state, at, seen, began, picks[player["seat"]], hands[player["seat"]])
    state.mark_began()
    for seat in range(seats):
        if at["phase"] == c.PHASE_DROP and seat != viewer:
            area = state.area(seat)
            state.put_area(seat, {**area, "projects": area["projects"] + picks[seat]})
        elif seat == viewer:
            _put_player(state, at, seen, seen["players"][seat], [], [])
            state.put_area(seat, {**state.area(seat), "hand": numbers(seen["own"]["hand"])})
    _put_flows(state, seen)
    state.put_together()
    return state


def _put_player(
    state: State,
    at: Mapping[str, int],
    seen: Mapping[str, Any],
    player: Mapping[str, Any],
    picks: list[int],
    hand: list[int],
) -> None:
    seat, own = player["seat"], seen["own"] if player["seat"] == seen["viewer"] else None
    top = numbers(reversed(player["pile"]["top"]))
    among = numbers(player["pile"]["among"])
    bag = player["pile"]["count"] - len(top)
    drawn = player["drawn"]
    if own is not None:
        hand = _hand_began(at, seen, own)
    elif drawn:
        hand = numbers(drawn["sure"]) + among[bag:]
    elif at["phase"] == c.PHASE_SETTLE and player["hand"]:
        hand = picks or _sixth(seen, player["hand"])
    rows = player["forest"]["top"] + player["forest"]["bottom"]
    state.put_area(
        seat,
        {
            "elements": [player["elements"][name] for name in ELEMENTS],
            "cubes": player["cubes"],
            "studied": sum(1 << i for i, name in enumerate(CREATURES) if name in player["studied"]),
            "steps": player["steps"],
            "forest": [c.NONE if name is None else IDS[name] for name in rows],
            "bag": bag,
            "pile": among[:bag] + top,
            "discard": numbers(player["discard"]),
            "personal": numbers(player["personal"]),
            "shared": numbers(player["shared"]),
            "projects": numbers(player["projects"]),
            "hand": hand,
            "banished": numbers(player["banished"]),
        },
    )
    state.put_facts(
        seat,
        {
            "set": c.SETS if player["set"] is None else SET_LETTERS.index(player["set"]),
            "final": c.NONE if player["final"] is None else FINAL_BY_NAME[player["final"]].id,
            "kindness": player["kindness_from"],
            "sure": len(drawn["sure"]) if drawn else 0,
            "picks": picks if own is None else numbers(own["picks"]),
            "looked": numbers(own["looked"]) if own else [],
            "used": [(IDS[card], cubes) for card, cubes in own["used"]] if own else [],
        },
    )


def _hand_began(at: Mapping[str, int], seen: Mapping[str, Any], own: Mapping[str, Any]) -> list[int]:
    """The viewer's own hand as the stage began: what it holds, and what it has laid into the forest since."""
    if at["phase"] == c.PHASE_DROP:
        return []
    if at["phase"] != c.PHASE_SETTLE:
        return numbers(own["drawn"] or own["hand"])
    rows = seen["players"][seen["viewer"]]["forest"]["top"]
    before = own["began"].get("forest", {"top": rows})["top"]
    return numbers(own["hand"] + [name for name in rows if name is not None and name not in before])


def _dealt(at: Mapping[str, int], seen: Mapping[str, Any]) -> tuple[list[list[int]], list[list[int]]]:
    """Picks and hands of the others that fit the hands this viewer saw; which of them is left to the engine."""
    seats, rounds, size = at["seats"], at["draft_round"], seen["draft"]["size"]
    held = at["phase"] in DRAFTS
    viewer = seats if seen["viewer"] is None else seen["viewer"]
    step = passing(at)
    visits = [numbers(hand) for hand in seen["own"]["seen"]] if viewer < seats else []
    taken = numbers(seen["own"]["picks"]) if viewer < seats else []
    known = {card for hand in visits for card in hand} | _public(seen)
    deck = range(c.DECK_FIRST[at["trimester"]], c.DECK_END[at["trimester"]])
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
            later = range(number, len(visits))
            again = next((n for n in later if (pack + step * n) % seats == viewer), None)
            gone = [card for card in cards if again is None or card not in visits[again]]
            if gone:
                cards.remove(gone[0])
            picks[holder][number] = gone[0] if gone else unseen.pop()
        holder = (pack + step * rounds) % seats
        if held and holder != viewer:
            hands[holder] = cards or [unseen.pop() for _ in range(size - rounds)]
    return picks, hands


def _sixth(seen: Mapping[str, Any], count: int) -> list[int]:
    """S cards that the player without a set may hold (F-2.4)."""
    taken = _public(seen)
    return [card for card in range(c.S_FIRST, c.S_END) if card not in taken][:count]


def _public(seen: Mapping[str, Any]) -> set[int]:
    """Cards that lie somewhere in the viewer's sight."""
    found = set(numbers(seen["common"]))
    for player in seen["players"]:
        for zone in ("discard", "personal", "shared", "projects", "realised", "banished"):
            found.update(numbers(player[zone]))
        found.update(numbers(player["pile"]["among"]))
        found.update(numbers(name for row in player["forest"].values() for name in row if name is not None))
    return found


def _put_flows(state: State, seen: Mapping[str, Any]) -> None:
    """The open flow; of the others only that they are asked: the engine puts the right question when it deals again."""
    flow, own = seen["flow"], seen["own"]
    still = [0] * len(ELEMENTS)
    blank = state.registers(0)
    for seat in seen["waiting"]:
        state.put_registers(seat, {**blank, "question": c.ASK_DRAFT}, still, still)
    if own and own["pick"] is not None:
        pick = {**blank, "question": c.ASK_NOTHING, "card": IDS[own["pick"]]}
        state.put_registers(seen["viewer"], pick, still, still)
    if flow is None:
        return
    at = {
        "question": QUESTIONS[flow["question"]],
        "card": c.NONE if flow["card"] is None else IDS[flow["card"]],
        "line": flow["line"] - 1,
        "left": flow["left"],
        "again": int(flow["again"]),
        "after": QUESTIONS[flow["after"]],
        "back": QUESTIONS[flow["back"]],
        "making": c.NO_ELEMENT if flow["making"] is None else ELEMENTS.index(flow["making"]),
        "spent": flow["spent"],
        "taken": flow["taken"],
        "columns": sum(1 << (n - 1) for n in flow["columns"]),
    }
    owed = [flow["owed"][name] for name in ELEMENTS]
    given = [flow["given"][name] for name in ELEMENTS]
    state.put_registers(flow["seat"], at, owed, given)
