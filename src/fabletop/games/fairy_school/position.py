"""A whole state of Fairy School as text that a person can read and write.

    fairy school, 3 seats, normal, full
    trimester I, turn 2, year turn 2, phase activate, stage 21
    common 82 91
    ana: set A; elements 3E 1V; cubes 36; kindness ben 2, cleo 1; studied gnome, elf
      forest 57 . 62 . . / . . 7 . 8
      pile 1 5 9 | 88                the bag, then the known cards on top, the topmost last
      discard 53 65; shared 2; personal 3 4; projects 82 91 95
    ben: …

`position` writes everything, the streams of chance and what everyone had when the stage began included, and reading
it back gives the same state. A text without `chance` is a scene: what it leaves out is filled in sensibly (start
elements, a full reserve of cubes, the rest of the start deck as draw pile), and its phase begins as at the table.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fabletop.core.chance import Chance
from fabletop.core.errors import BadText
from fabletop.games.fairy_school import constants as c
from fabletop.games.fairy_school.algebra import ELEMENTS, LETTERS
from fabletop.games.fairy_school.cards import BY_NAME, CREATURES, FINAL_BY_NAME, FINALS, SET_LETTERS
from fabletop.games.fairy_school.engine import State
from fabletop.games.fairy_school.validate import (
    check_area,
    check_asked,
    check_began,
    check_box,
    check_cards,
    check_facts,
    check_flow,
    check_seats,
    check_table,
)
from fabletop.games.fairy_school.view import NAMES, names

PEOPLE = ("ana", "ben", "cleo", "dov", "eli", "fay")
ZONES = {
    "discard": c.OWN_MAX,
    "shared": c.SHARED_MAX,
    "personal": c.OWN_MAX,
    "projects": c.PROJECTS_MAX,
    "hand": c.HAND_MAX,
    "banished": c.OWN_MAX,
}
REGISTERS = ("card", "line", "left", "again", "after", "back", "making", "spent", "taken", "columns")
REGISTER_REST = {"card": c.NONE, "making": c.NO_ELEMENT}
PHASES = {
    **{name: number for number, name in enumerate(c.phase_names)},
    "planning": c.PHASE_PLAN, "selection": c.PHASE_SELECT, "activation": c.PHASE_ACTIVATE, "studying": c.PHASE_STUDY,
    "projects": c.PHASE_REALISE, "realize": c.PHASE_REALISE, "finals": c.PHASE_FINAL, "spending": c.PHASE_SPEND,
}  # fmt: skip
TRIMESTERS = {"0": 0, "I": 1, "II": 2, "III": 3, "IV": 4, "1": 1, "2": 2, "3": 3, "4": 4}


# ---- writing


def position(state: State) -> str:
    """The whole state as text."""
    at, lists = state.table(), state.lists()
    wider = ", wider" if at["wider"] else ""
    lines = [
        f"fairy school, {at['seats']} seats, {c.setup_names[at['setup']]}, {c.length_names[at['short']]}{wider}",
        (
            f"trimester {at['trimester']}, turn {at['turn']}, year turn {at['year_turn']}, "
            f"phase {c.phase_names[at['phase']]}, stage {at['stage']}"
        ),
        "chance " + " ".join(f"{word:016x}" for word in lists["chance"]),
    ]
    if at["draft_round"]:
        lines.append(f"draft round {at['draft_round']}")
    if at["ended"]:
        lines.append(f"ended {c.end_names[at['ended'] - 1]}")
    if lists["common"]:
        lines.append(f"common {_cards(lists['common'])}")
    if lists["finals"]:
        lines.append("finals " + " ".join(FINALS[n].name for n in lists["finals"]))
    if lists["order"]:
        lines.append("order " + " ".join(PEOPLE[s] for s in lists["order"]))
    for seat in range(at["seats"]):
        lines += _seat_lines(state, seat)
    return "\n".join(lines) + "\n"


def _seat_lines(state: State, seat: int) -> list[str]:
    facts = state.facts(seat)
    now, began = _area_texts(state.area(seat)), _area_texts(state.area_began(seat))
    changed = [
        f"{key} {began.get(key, '')}".rstrip() for key in {**began, **now} if began.get(key) != now.get(key)
    ]
    head = [f"set {SET_LETTERS[facts['set']]}"] if facts["set"] < c.SETS else []
    head += [f"{key} {now.pop(key)}" for key in ("elements", "cubes")]
    if any(facts["kindness"]):
        head.append("kindness " + ", ".join(f"{PEOPLE[t]} {n}" for t, n in enumerate(facts["kindness"]) if n))
    if facts["final"] != c.NONE:
        head.append(f"final {FINALS[facts['final']].name}")
    head += [f"{key} {now.pop(key)}" for key in ("studied", "steps") if key in now]
    lines = [f"{PEOPLE[seat]}: {'; '.join(head)}"]
    lines += [f"  {key} {now.pop(key)}" for key in ("forest", "pile") if key in now]
    rest = [f"{key} {value}" for key, value in now.items()]
    rest += [f"{key} {_cards(facts[key])}" for key in ("picks", "looked") if facts[key]]
    if facts["sure"]:
        rest.append(f"sure {facts['sure']}")
    if facts["used"]:
        rest.append("used " + " ".join(f"{NAMES[card]}x{cubes}" for card, cubes in facts["used"]))
    if rest:
        lines.append(f"  {'; '.join(rest)}")
    if flow := _flow_text(state, seat):
        lines.append(f"  {flow}")
    if changed:
        lines.append(f"  began {'; '.join(changed)}")
    return lines


def _area_texts(area: Mapping[str, Any]) -> dict[str, str]:
    """What a seat can change in a stage, by key; empty things are left out."""
    texts = {"elements": _elements(area["elements"]), "cubes": str(area["cubes"])}
    if area["studied"]:
        texts["studied"] = " ".join(name for i, name in enumerate(CREATURES) if area["studied"] >> i & 1)
    if area["steps"]:
        texts["steps"] = str(area["steps"])
    forest = [NAMES[n] if n != c.NONE else "." for n in area["forest"]]
    if set(forest) != {"."}:
        texts["forest"] = f"{' '.join(forest[:5])} / {' '.join(forest[5:])}"
    if area["pile"]:
        bag, top = area["pile"][: area["bag"]], area["pile"][area["bag"] :]
        texts["pile"] = " ".join([*names(bag), *(["|", *names(top)] if top else [])])
    texts |= {zone: _cards(area[zone]) for zone in ZONES if area[zone]}
    return texts


def _flow_text(state: State, seat: int) -> str:
    at = state.registers(seat)
    rest = [f"{name}={at[name]}" for name in REGISTERS if at[name] != REGISTER_REST.get(name, 0)]
    for name, values in (("owed", state.owes(seat)), ("given", state.gives(seat))):
        if any(values):
            rest.append(f"{name}={_elements(values).replace(' ', '+')}")
    question = at["question"]
    return f"asked {' '.join([c.question_names[question], *rest])}" if question or rest else ""


def _cards(cards: Sequence[int]) -> str:
    return " ".join(names(cards))


def _elements(values: Sequence[int]) -> str:
    return " ".join(f"{n}{letter}" for n, letter in zip(values, LETTERS, strict=True) if n) or "none"


# ---- reading


def read_position(text: str) -> State:
    """The state that a text describes; BadText says which part of it is not understood."""
    return _Reading(text).state()


class _Reading:
    """A position being read, statement by statement."""

    def __init__(self, text: str) -> None:
        self.head: dict[str, Any] = {}
        self.areas: dict[int, dict[str, str]] = {}
        self.began: dict[int, dict[str, str]] = {}
        seat: int | None = None
        for line in text.splitlines():
            was = False
            for part in line.split("#")[0].split(";"):
                statement = part.strip()
                if match := re.match(r"(?i)(ana|ben|cleo|dov|eli|fay|seat \d|[a-f]):\s*", statement):
                    seat = _seat(match[1])
                    self.areas.setdefault(seat, {})
                    statement = statement[match.end() :]
                if re.match(r"began\b", statement):
                    was, statement = True, statement[5:].strip()
                if statement:
                    self._take(statement, seat, was)

    def _take(self, statement: str, seat: int | None, was: bool) -> None:
        key, _, value = statement.partition(" ")
        key = key.rstrip(":").lower()
        if seat is not None and key in SEAT_KEYS:
            (self.began if was else self.areas).setdefault(seat, {})[key] = value.strip()
        elif key in ("common", "finals", "order", "chance"):
            self.head[key] = value.strip()
        else:
            for item in statement.split(","):
                self._take_head(item.strip())

    def _take_head(self, item: str) -> None:
        if not item or item.lower() == "fairy school":
            return
        for pattern, keys in HEAD_PATTERNS:
            if match := re.fullmatch(pattern, item, re.IGNORECASE):
                for key, value in zip(keys, match.groups(), strict=True):
                    if value is not None:
                        self.head[key] = value
                return
        lowered = item.lower()
        if lowered in c.setup_names:
            self.head["setup"] = lowered
        elif lowered in c.length_names:
            self.head["length"] = lowered
        elif lowered == "wider":
            self.head["wider"] = True
        else:
            raise BadText(
                f"{item!r} is no part of a position; a seat's part begins with its name, such as 'ana:'"
            )

    def state(self) -> State:
        """Build it: exactly as written where the chance is given, else filled in and begun."""
        seats = int(self.head.get("seats", max(2, 1 + max(self.areas, default=0))))
        check_seats(seats, self.areas)
        setup = c.setup_names.index(self.head.get("setup", "normal"))
        state = State(seats, setup, int(self.head.get("length") == "short"), int("wider" in self.head))
        exact = "chance" in self.head
        phase = PHASES.get(str(self.head.get("phase", "plan")).lower())
        if phase is None:
            raise BadText(f"{self.head['phase']!r} is no phase; there are {', '.join(c.phase_names)}")
        at, lists = self._table(state.table(), phase)
        check_table(at, lists, exact)
        state.put_table(at, lists)
        written = [self.areas.get(seat, {}) for seat in range(seats)]
        areas = [self._area(texts, exact) for texts in written]
        check_cards(areas, lists["common"])
        for seat in range(seats):
            facts = self._facts(written[seat], seat, seats)
            check_facts(at, facts, exact)
            began = self._area({**written[seat], **self.began.get(seat, {})}, exact)
            check_began(at, began)
            check_area(at, areas[seat])
            flow, owed, given = _registers(written[seat].get("asked", "nothing"))
            if exact:
                check_flow(at, flow, areas[seat], facts)
            state.put_facts(seat, facts)
            state.put_area(seat, began)
            state.put_registers(seat, flow, owed, given)
        state.mark_began()
        for seat in range(seats):
            state.put_area(seat, areas[seat])
        state.put_together()
        check_box(at, state.placed(), [len(area["hand"]) for area in areas])
        if exact:
            asked = {seat: state.legal(seat) for seat in state.asked()}
            check_asked(at, asked, [len(area["hand"]) for area in areas])
        else:
            self._begin(state, phase)
        return state

    def _begin(self, state: State, phase: int) -> None:
        """Fill in what a scene leaves out, and begin its phase."""
        placed = state.placed()
        for seat in range(state.seats):
            if "pile" not in self.areas.get(seat, {}):  # the rest of the start deck
                rest = [card for card in range(12 * seat, 12 * seat + 12) if card not in placed]
                state.put_area(seat, {**state.area(seat), "pile": rest, "bag": len(rest)})
        state.put_together()
        chance = Chance.from_text("position")
        for stream in range(state.seats + 1):
            state.stir(stream, chance.word())
        state.open_phase(phase)

    def _table(self, at: dict[str, int], phase: int) -> tuple[dict[str, int], dict[str, list[int]]]:
        named = str(self.head.get("trimester", "1")).upper()
        at["trimester"] = at["last"] if named == "LAST" else TRIMESTERS.get(named, -1)
        if not 0 <= at["trimester"] <= at["last"]:
            raise BadText(
                f"{self.head['trimester']!r} is no trimester of this game; it should be I to III, or last"
            )
        at["turn"] = int(self.head.get("turn", 1))
        before = max(0, at["trimester"] - 1) * (4 if at["seats"] == 2 else 3)
        at["year_turn"] = int(self.head.get("year_turn", before + at["turn"]))
        at["stage"] = int(self.head.get("stage", 1))
        at["phase"] = phase
        at["together"] = int(phase not in (c.PHASE_GOAL, c.PHASE_FINAL))
        at["draft_round"] = int(self.head.get("draft_round", 0))
        if "ended" in self.head:
            at["ended"] = 1 + _place(self.head["ended"], c.end_names, "reason for an end")
        readers: dict[str, Callable[[str], int]] = {"common": _card, "finals": _final, "order": _seat}
        lists = {
            key: [read(word) for word in _words(self.head.get(key, ""))] for key, read in readers.items()
        }
        lists["chance"] = [_number(word, "[0-9a-f]+", 16) for word in self.head.get("chance", "").split()]
        return at, lists

    def _area(self, texts: Mapping[str, str], exact: bool) -> dict[str, Any]:
        full = c.CUBES_SHORT if self.head.get("length") == "short" else c.CUBES_FULL
        bag, _, top = texts.get("pile", "").partition("|")
        creatures = {_creature(word.replace("-", "_")) for word in _words(texts.get("studied", ""))}
        _, _, steps = texts.get("final", "").partition(" at ")
        area: dict[str, Any] = {
            "elements": _read_elements(texts.get("elements", "" if exact else "1E 1V 1F 1W")),
            "cubes": _number(texts.get("cubes", str(full))),
            "studied": sum(1 << creature for creature in creatures),
            "steps": _number(texts.get("steps") or steps or "0"),
            "forest": _read_forest(texts.get("forest", "")),
            "bag": len(_words(bag)),
            "pile": _read_cards(bag) + _read_cards(top),
        }
        for zone, room in ZONES.items():
            area[zone] = _read_cards(texts.get(zone, ""))
            if len(area[zone]) > room:
                raise BadText(f"{len(area[zone])} cards in {zone}; there is room for {room}")
        return area

    def _facts(self, texts: Mapping[str, str], seat: int, seats: int) -> dict[str, Any]:
        kindness = [0] * seats
        for giver, count in re.findall(r"([a-z]+)\s+(\d+)", texts.get("kindness", "")):
            kindness[_seat_of(giver, seats)] = int(count)
        if re.fullmatch(r"\d+", texts.get("kindness", "")):  # a bare number: from the neighbour on the left
            kindness[(seat + 1) % seats] = int(texts["kindness"])
        final, _, _ = texts.get("final", "").partition(" at ")
        used = [word.partition("x") for word in _words(texts.get("used", ""))]
        return {
            "set": _place(texts["set"].upper(), SET_LETTERS, "set") if "set" in texts else c.SETS,
            "final": _final(final) if final else c.NONE,
            "kindness": kindness,
            "sure": _number(texts.get("sure", "0")),
            "picks": _read_cards(texts.get("picks", "")),
            "looked": _read_cards(texts.get("looked", "")),
            "used": [(_card(name), _number(cubes or "1")) for name, _, cubes in used],
        }


def _registers(text: str) -> tuple[dict[str, int], list[int], list[int]]:
    """Where a seat is in its flow: what it is asked, and the registers that are not at rest."""
    first, *rest = text.split() or ["nothing"]
    at = {name: REGISTER_REST.get(name, 0) for name in REGISTERS}
    at["question"] = _place(first, c.question_names, "question")
    amounts = {"owed": [0] * len(LETTERS), "given": [0] * len(LETTERS)}
    for word in rest:
        name, _, value = word.partition("=")
        if name in amounts:
            amounts[name] = _read_elements(value.replace("+", " "))
        else:
            at[REGISTERS[_place(name, REGISTERS, "register")]] = _number(value)
    return at, amounts["owed"], amounts["given"]


SEAT_KEYS = {
    *ZONES, "set", "elements", "cubes", "kindness", "final", "studied", "steps", "forest", "pile", "sure", "picks",
    "looked", "used", "asked",
}  # fmt: skip
HEAD_PATTERNS = (
    (r"(\d) seats?", ("seats",)),
    (r"trimester (\w+)", ("trimester",)),
    (r"turn (\d+)(?: of trimester (\w+))?", ("turn", "trimester")),
    (r"year turn (\d+)", ("year_turn",)),
    (r"phase:? (\w+)", ("phase",)),
    (r"stage (\d+)", ("stage",)),
    (r"draft round (\d+)", ("draft_round",)),
    (r"ended (\w+)", ("ended",)),
)


def _seat(name: str) -> int:
    lowered = name.lower()
    if lowered in PEOPLE:
        return PEOPLE.index(lowered)
    if match := re.fullmatch(r"(?:seat )?(\d)", lowered):
        return int(match[1])
    if lowered in "abcdef":
        return "abcdef".index(lowered)
    raise BadText(f"{name!r} is no seat; they are {', '.join(PEOPLE)}")


def _card(name: str) -> int:
    if name not in BY_NAME:
        raise BadText(
            f"{name!r} is no card; cards are 1 to 163, and 5:1 to 6:12 for the fifth and sixth start deck"
        )
    return BY_NAME[name].id


def _final(name: str) -> int:
    if name not in FINAL_BY_NAME:
        raise BadText(f"{name!r} is no final project; they are F1 to F10 and f1 to f7")
    return FINAL_BY_NAME[name].id


def _creature(name: str) -> int:
    if name not in CREATURES:
        raise BadText(f"{name!r} is no creature; there are {', '.join(CREATURES)}")
    return CREATURES.index(name)


def _number(text: str, digits: str = "[0-9]+", base: int = 10) -> int:
    if len(text) > 20 or not re.fullmatch(digits, text):
        raise BadText(f"{text!r} should be a number")
    return int(text, base)


def _place(text: str, names: Sequence[str], what: str) -> int:
    """The place of a name among others."""
    if text not in names:
        raise BadText(f"{text!r} is no {what}; there are {', '.join(names)}")
    return list(names).index(text)


def _seat_of(name: str, seats: int) -> int:
    """A seat that exists."""
    seat = _seat(name)
    if seat >= seats:
        raise BadText(f"{name!r} has no seat; there are {seats}")
    return seat


def _words(text: str) -> list[str]:
    return [word for word in re.split(r"[\s,]+", text) if word]


def _read_cards(text: str) -> list[int]:
    return [_card(word) for word in _words(text)]


def _read_forest(text: str) -> list[int]:
    words = [word for word in re.split(r"[\s,/]+", text) if word]
    if len(words) not in (0, c.SPACES):
        raise BadText(f"a forest has ten spaces, five above and five below; here are {len(words)}")
    return [c.NONE if word == "." else _card(word) for word in words] or [c.NONE] * c.SPACES


def _read_elements(text: str) -> list[int]:
    values = [0] * len(ELEMENTS)
    for word in re.split(r"[\s,]+", text):
        if not word or word == "none":
            continue
        match = re.fullmatch(r"(\d*)([EVFWA])", word)
        if match is None:
            raise BadText(f"{word!r} is no amount of an element; it should look like 3E (E, V, F, W or A)")
        values[LETTERS.index(match[2])] += int(match[1] or 1)
    return values
