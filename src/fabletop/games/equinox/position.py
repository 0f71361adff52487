"""Equinox as text: whole positions, drawn so that a person can read and write them.

    equinox   2 seats
    round 2   turn ana   phase play   asks ana
    out: fiery_fang 1
                squeak  fungy   hoot   ursus …
    champion    .       b       .      .
    row 1       5a      c4/7    .b     3
    row 2       .       4       .      .
    ana: fungy 9, ursus 2        ben: hoot 0, dryad
    ben secret: hoot 3

In a cell stand the strengths of its pile, bottom first (`c4` is a Chameleon), then the letter of the seat whose
pebble lies there. Seats are `ana`, `ben`, `cleo`, `dov`, `eli`, or `a` to `e`. `position` writes everything, also what
the players know; when reading, what is missing gets a sensible default: cards not mentioned are in the deck (or
discarded, if the deck is given as a list or a number), pebbles not mentioned are in front of their owners, the phase is
`play`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fabletop.core.errors import BadText
from fabletop.games.equinox import constants as c
from fabletop.games.equinox.engine import State
from fabletop.games.equinox.notation import card_number, creature_number, plain
from fabletop.games.equinox.validate import NAMES, NUMBERS, check
from fabletop.games.equinox.view import creatures, places
from fabletop.games.equinox.view_reader import creature_bits, place_bits

LETTERS = "abcde"
WIDTH = 100
FLAGS = {"committed": "committed", "second": "twinz", "carmen": "carmen", "busy": "busy"}
CREATURES = ("home", "power", "named")


# ---- writing


def card_name(card: int) -> str:
    """A card as it stands in a position: the second Dryad has a name of its own."""
    if card == c.OTHER_DRYAD:
        return "dryad 2"
    return c.CARD_IDS[card].replace("-", " ")


def position(state: State) -> str:
    """The whole state, secrets and knowledge included."""
    d = state.dump()
    lines = [f"equinox   {d['seats']} seats", head_line(d)]
    out = sorted((row, column) for column, row in enumerate(d["gone"]) if row != c.NONE)
    if out:
        lines.append("out: " + ", ".join(f"{c.CREATURE_IDS[column]} {row + 1}" for row, column in out))
    lines += grid_lines(d)
    for seat in range(d["seats"]):
        lines += seat_lines(d, seat)
    lines.append("pebbles: " + ", ".join(f"{NAMES[s]} {n}" for s, n in enumerate(d["pebbles"])))
    lines.append("made: " + ", ".join(NAMES[s] for s in range(d["seats"]) if d["secret_made"] >> s & 1))
    lines += list_lines("discard", map(card_name, d["discarded"]))
    lines += list_lines("deck", map(card_name, d["deck"]))
    lines += knowledge_lines(d)
    lines.append(f"chance: {d['word']:016x}")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def head_line(d: Mapping[str, Any]) -> str:
    """Whose turn it is, what is asked, and what was chosen on the way there."""
    asks = "nobody" if d["actor"] == c.NONE else NAMES[d["actor"]]
    words = [
        f"round {d['row'] + 1}",
        f"turn {NAMES[d['turn']]}",
        f"phase {c.CHOICE_IDS[d['phase']]}",
        f"asks {asks}",
    ]
    flow = [f"{name}={c.CREATURE_IDS[d[name]]}" for name in CREATURES if d[name] != c.NONE]
    if d["target"] != c.NONE:
        flow.append(f"target={NAMES[d['target']]}")
    if d["held"] != c.NONE:
        flow.append(f"held={d['held']}")
    if d["looked"][0] != c.NONE:
        flow.append("looked=" + "+".join(str(card) for card in d["looked"]))
    flow += [f"{name}={d[name]}" for name, number in NUMBERS.items() if d[name] != number.default]
    flow += [flag for flag, name in FLAGS.items() if d[name]]
    if d["reason"]:
        flow.append(f"ended={c.REASON_IDS[d['reason']]}")
    return "   ".join(words) + ("   flow: " + " ".join(flow) if flow else "")


def grid_lines(d: Mapping[str, Any]) -> list[str]:
    """The columns under their creatures."""
    in_game = [column for column in range(c.COLUMNS) if d["in_game"] >> column & 1]
    rows = [["", *(c.CREATURE_IDS[column] for column in in_game)]]
    champions = ["".join(LETTERS[s] for s in range(d["seats"]) if d["champion"][i] >> s & 1) for i in in_game]
    rows.append(["champion", *(letters or "." for letters in champions)])
    for row in range(c.ROWS):
        cells = [row * c.COLUMNS + column for column in in_game]
        rows.append([f"row {row + 1}", *(cell_text(d["piles"][at], d["pebble"][at]) for at in cells)])
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["   ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) for row in rows]


def cell_text(pile: list[int], pebble: int) -> str:
    """A pile, bottom first, and the pebble on it."""
    kinds = ("c" if card >= c.FIRST_CHAMELEON else "" for card in pile)
    text = "/".join(f"{kind}{card % c.STRENGTHS}" for kind, card in zip(kinds, pile, strict=True)) or "."
    return text + ("" if pebble == c.NONE else LETTERS[pebble])


def seat_lines(d: Mapping[str, Any], seat: int) -> list[str]:
    """Hand, set-aside cards, unseen discards and secret of a seat."""
    name = NAMES[seat]
    lines = list_lines(name, map(card_name, d["hands"][seat])) or [f"{name}: none"]
    lines += list_lines(f"{name} aside", map(card_name, d["aside"][seat]))
    lines += list_lines(f"{name} unseen", map(card_name, d["unseen"][seat]))
    if d["secret"][seat] != c.NONE:
        lines.append(f"{name} secret: {card_name(d['secret'][seat])}")
    return lines


def knowledge_lines(d: Mapping[str, Any]) -> list[str]:
    """What each seat, and at last the spectator, knows of special cards; what all know of hands in general."""
    lines = []
    for card, masks in d["known"]:
        known = ("+".join(places(mask)) or "-" for mask in masks)
        lines.append(f"known {card_name(card)}: " + " | ".join(known))
    for seat in range(d["seats"]):
        for part in ("hand", "secret"):
            if d[f"none_{part}"][seat]:
                lines.append(f"lacks {NAMES[seat]} {part}: " + ", ".join(creatures(d[f"none_{part}"][seat])))
        bounds = d["at_least"][seat * c.COLUMNS : (seat + 1) * c.COLUMNS]
        if any(bounds):
            counts = ", ".join(f"{c.CREATURE_IDS[i]} {n}" for i, n in enumerate(bounds) if n)
            lines.append(f"at least {NAMES[seat]}: {counts}")
    return lines


def list_lines(key: str, words: Iterable[str]) -> list[str]:
    """A list under a key, broken into lines of a decent length."""
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + len(word) + 2 < WIDTH:
            lines[-1] += f", {word}"
        else:
            lines.append(f"{key}: {word}")
    return lines


# ---- reading

SEAT = r"ana|ben|cleo|dov|eli|[a-e]"
KEY = re.compile(
    rf"(?<![\w\-=])(?:(?P<key>(?:{SEAT})(?:\s+(?:aside|secret|unseen))?|lacks\s+(?:{SEAT})\s+(?:hand|secret)"
    rf"|at least\s+(?:{SEAT})|out|pebbles|made|discard|deck|flow|chance|creatures|known\s[^:]*)\s*:"
    r"|(?P<word>round|turn|phase|asks)(?=\s)|(?P<seats>\d+)\s+seats\b|(?P<game>equinox)(?=\s|$))",
    re.IGNORECASE,
)
CHANCE = re.compile(r"[0-9a-f]{1,16}", re.IGNORECASE)
CELL = re.compile(r"(?:[.\-]|(?P<pile>c?\d+(?:/c?\d+)*))?(?P<pebble>[a-e])?")


def seat_number(text: str) -> int:
    """The seat of this name or letter."""
    word = text.strip().lower()
    if word in NAMES:
        return NAMES.index(word)
    if len(word) == 1 and word in LETTERS:
        return LETTERS.index(word)
    raise BadText(f"{text.strip()!r} is no seat; seats are {', '.join(NAMES)}, or a to e")


def whole_number(text: str, what: str) -> int:
    """A number that stands in a position."""
    if not (text.strip().isascii() and text.strip().isdigit()):
        raise BadText(f"{what} should be a number, not {text.strip()!r}")
    return int(text)


def words_of(text: str) -> list[str]:
    """The parts of a list; `none` is an empty one."""
    return [word.strip() for word in text.split(",") if word.strip() not in ("", "none", "-")]


def entries(line: str) -> Iterator[tuple[str, str]]:
    """The keys of a line with what follows each."""
    keys = list(KEY.finditer(line))
    if not keys or line[: keys[0].start()].strip():
        raise BadText(
            f"cannot read {line.strip()!r}: expected a grid, or something like 'round 2' or 'ana: hoot 7'"
        )
    for match, after in zip(keys, [*keys[1:], None], strict=True):
        value = line[match.end() : after.start() if after else len(line)].strip()
        if match["seats"]:
            yield "seats", match["seats"]
        elif not match["game"]:
            yield re.sub(r"\s+", " ", (match["key"] or match["word"]).lower()), value


class Draft:
    """A position while it is being read: cards are handed out once each, and creatures join as they are mentioned."""

    def __init__(self) -> None:
        self.notes: dict[str, list[str]] = {}
        self.header: list[int] = []
        self.champions: list[str] = []
        self.rows: dict[int, list[str]] = {}
        self.creatures: list[int] = []
        self.placed: set[int] = set()
        self.seats = 2

    def note(self, key: str) -> str:
        """What was said under a key, the last time it was said."""
        return self.notes.get(key, [""])[-1]

    def all_words(self, key: str) -> list[str]:
        """The parts of a list that may be spread over several lines."""
        return [word for text in self.notes.get(key, []) for word in words_of(text)]

    def seat(self, text: str) -> int:
        """A seat, which makes the table as large as it must be."""
        seat = seat_number(text)
        self.seats = max(self.seats, seat + 1)
        return seat

    def join(self, creature: int) -> int:
        """A creature belongs to this game."""
        if creature not in self.creatures:
            self.creatures.append(creature)
        if len(self.creatures) > c.IN_GAME:
            raise BadText(
                f"more than {c.IN_GAME} creatures: {', '.join(c.CREATURE_IDS[i] for i in self.creatures)}"
            )
        return creature

    def take(self, card: int) -> int:
        """A card that can be in one place only."""
        if card == c.DRYAD and card in self.placed:
            card = c.OTHER_DRYAD
        if card in self.placed:
            raise BadText(f"{card_name(card)} is in two places")
        if card < c.FIRST_CHAMELEON:
            self.join(card // c.STRENGTHS)
        self.placed.add(card)
        return card

    def cards(self, key: str) -> list[int]:
        """The cards listed under a key."""
        return [self.take(read_card(word)) for word in self.all_words(key)]


def read_card(text: str) -> int:
    """A card of a position."""
    return c.OTHER_DRYAD if plain(text) == "dryad2" else card_number(text)


def from_position(text: str) -> State:
    """The state that a position describes; BadText says what cannot be understood or cannot be."""
    draft = Draft()
    for line in text.splitlines():
        if line.strip():
            read_line(draft, line)
    for keys in draft.notes:
        for word in re.findall(rf"\b(?:{SEAT})\b", keys if not keys.startswith("known") else ""):
            draft.seat(word)
    if "seats" in draft.notes:
        draft.seats = max(draft.seats, whole_number(draft.note("seats"), "the number of seats"))
    d = read_flow(draft)
    read_table(draft, d)
    read_seats(draft, d)
    read_rest(draft, d)
    read_knowledge(draft, d)
    check(d)
    state = State(d["seats"])
    state.load(d)
    if state.phase != c.OVER and state.n_options == 0:
        raise BadText(f"nothing can be answered to {c.CHOICE_IDS[d['phase']]!r} in this position")
    return state


def read_line(draft: Draft, line: str) -> None:
    """One line: of the grid, or of keys and values."""
    words = line.split()
    first = words[0].lower()
    if first == "row":
        row = whole_number(words[1] if len(words) > 1 else "", "the row")
        if not 1 <= row <= c.ROWS:
            raise BadText(f"row {row}: the rows are 1 to {c.ROWS}")
        draft.rows[row - 1] = words[2:]
    elif first == "champion":
        draft.champions = words[1:]
    elif all(word.lower() in c.CREATURE_IDS for word in words):
        draft.header = [draft.join(creature_number(word)) for word in words]
    else:
        for key, value in entries(line):
            if key[0] in LETTERS and (len(key) == 1 or key[1] == " "):
                key = NAMES[LETTERS.index(key[0])] + key[1:]
            draft.notes.setdefault(key, []).append(value)


def read_flow(draft: Draft) -> dict[str, Any]:
    """Whose turn it is and what is asked."""
    phase = draft.note("phase").lower() or "play"
    if phase not in c.CHOICE_IDS:
        raise BadText(f"{phase!r} is no phase; the phases are {', '.join(c.CHOICE_IDS)}")
    turn = draft.seat(draft.note("turn") or "ana")
    asks = draft.note("asks").lower()
    d: dict[str, Any] = dict.fromkeys((*CREATURES, "target", "held"), c.NONE)
    d |= dict.fromkeys((*FLAGS.values(), "reason"), 0)
    d |= {name: number.default for name, number in NUMBERS.items()}
    d |= {"turn": turn, "phase": c.CHOICE_IDS.index(phase), "looked": [c.NONE] * 3}
    for word in draft.note("flow").split():
        read_flow_word(draft, d, word)
    asked = d["target"] if phase == "hoot_give" else turn
    d["actor"] = c.NONE if phase == "over" or asks == "nobody" else draft.seat(asks) if asks else asked
    chance = draft.note("chance") or "0"
    if not CHANCE.fullmatch(chance):
        raise BadText(f"chance should be a word of up to 16 hexadecimal digits, not {chance!r}")
    d["word"] = int(chance, 16)
    return d


def read_flow_word(draft: Draft, d: dict[str, Any], word: str) -> None:
    """One of the small facts about the pending question and this turn."""
    name, _, value = word.partition("=")
    if word in FLAGS:
        d[FLAGS[word]] = 1
    elif name in CREATURES:
        d[name] = creature_number(value)
    elif name in NUMBERS or name == "held":
        d[name] = whole_number(value, name)
    elif name == "target":
        d[name] = draft.seat(value)
    elif name == "looked":
        d[name] = [whole_number(card, name) for card in value.split("+")]
    elif name == "ended" and value in c.REASON_IDS:
        d["reason"] = c.REASON_IDS.index(value)
    else:
        raise BadText(f"{word!r} is nothing that can be said of a turn")


def read_table(draft: Draft, d: dict[str, Any]) -> None:
    """The grid, and who is out."""
    d["gone"], d["champion"] = [c.NONE] * c.COLUMNS, [0] * c.COLUMNS
    d["piles"], d["pebble"] = [[] for _ in range(c.CELLS)], [c.NONE] * c.CELLS
    for word in draft.all_words("creatures"):
        draft.join(creature_number(word))
    for turn, word in enumerate(draft.all_words("out"), start=1):
        name, _, number = word.partition(" ")
        d["gone"][draft.join(creature_number(name))] = (
            whole_number(number, "the round") if number else turn
        ) - 1
    out = sum(row != c.NONE for row in d["gone"])
    d["row"] = (
        whole_number(draft.note("round"), "the round") - 1 if draft.note("round") else min(out, c.ROWS - 1)
    )
    for column, letters in zip(draft.header, draft.champions, strict=False):
        for letter in letters.replace(".", "").replace("-", ""):
            d["champion"][column] |= 1 << draft.seat(letter)
    for row, texts in draft.rows.items():
        if len(texts) > len(draft.header):
            raise BadText(f"row {row + 1} has {len(texts)} cells under {len(draft.header)} creatures")
        for column, text in zip(draft.header, texts, strict=False):
            read_cell(draft, d, row * c.COLUMNS + column, text.lower())


def read_cell(draft: Draft, d: dict[str, Any], cell: int, text: str) -> None:
    """A pile, bottom first, and the pebble on it."""
    match = CELL.fullmatch(text)
    if not match or not text:
        raise BadText(f"cannot read the cell {text!r}; write it like '5', '5a', '3/c4/5' or '.'")
    for part in match["pile"].split("/") if match["pile"] else []:
        strength = whole_number(part.removeprefix("c"), "a strength")
        if strength >= c.STRENGTHS:
            raise BadText(f"the strength in {text!r} should be 0 to 10")
        kind = c.CHAMELEON if part.startswith("c") else cell % c.COLUMNS
        d["piles"][cell].append(draft.take(kind * c.STRENGTHS + strength))
    if match["pebble"]:
        d["pebble"][cell] = draft.seat(match["pebble"])


def read_seats(draft: Draft, d: dict[str, Any]) -> None:
    """Hands, set-aside cards, unseen discards, secrets and pebbles."""
    seats = d["seats"] = draft.seats
    if seats > c.SEATS_MAX:
        raise BadText(f"{seats} seats: there are 2 to {c.SEATS_MAX}")
    for name, part in (("hands", ""), ("aside", " aside"), ("unseen", " unseen"), ("secret", " secret")):
        d[name] = [draft.cards(f"{NAMES[seat]}{part}") for seat in range(seats)]
    if any(len(cards) > 1 for cards in d["secret"]):
        raise BadText("a seat has one secret prediction at most")
    d["secret"] = [cards[0] if cards else c.NONE for cards in d["secret"]]
    placed = [d["pebble"].count(seat) + (d["secret"][seat] != c.NONE) for seat in range(seats)]
    champions = [sum(bits >> seat & 1 for bits in d["champion"]) for seat in range(seats)]
    d["pebbles"] = [c.PEBBLES - on - up for on, up in zip(placed, champions, strict=True)]
    for word in draft.all_words("pebbles"):
        name, _, number = word.partition(" ")
        d["pebbles"][draft.seat(name)] = whole_number(number, "the number of pebbles")
    made = {s for s in range(seats) if champions[s] or d["secret"][s] != c.NONE}
    made |= {draft.seat(word) for word in draft.all_words("made")}
    d["secret_made"] = sum(1 << seat for seat in made)


def read_rest(draft: Draft, d: dict[str, Any]) -> None:
    """The discards and the deck: cards not mentioned are in the deck, or discarded if the deck is given."""
    d["discarded"] = draft.cards("discard")
    given = draft.all_words("deck")
    size = whole_number(given[0], "the deck") if len(given) == 1 and given[0].isdigit() else None
    deck = draft.cards("deck") if size is None else []
    for creature in range(c.COLUMNS):
        if len(draft.creatures) < c.IN_GAME:
            draft.join(creature)
    d["in_game"] = sum(1 << creature for creature in draft.creatures)
    d["in_play"] = sum(1 << creature for creature in draft.creatures if d["gone"][creature] == c.NONE)
    everything = [
        k for k in range(c.CARDS) if k >= c.FIRST_CHAMELEON or d["in_game"] >> (k // c.STRENGTHS) & 1
    ]
    left = [card for card in everything if card not in draft.placed]
    if size is not None:
        deck, left = left[:size], left[size:]
    d["deck"] = deck if given else left
    d["discarded"] = sorted(d["discarded"] + (left if given else []))


def read_knowledge(draft: Draft, d: dict[str, Any]) -> None:
    """What the viewers know; by default what is public."""
    seats = d["seats"]
    d["known"] = []
    d["none_hand"], d["none_secret"], d["at_least"] = [0] * seats, [0] * seats, [0] * (seats * c.COLUMNS)
    for key, texts in draft.notes.items():
        words = key.split()
        if words[0] == "known":
            masks = [read_places(mask) for mask in texts[-1].split("|")]
            masks = masks * (seats + 1) if len(masks) == 1 else masks
            if len(masks) != seats + 1:
                raise BadText(f"{key}: {len(masks)} viewers, but there are {seats} seats and the spectator")
            d["known"].append((read_card(key.removeprefix("known ")), masks))
        elif words[0] == "lacks":
            names = [c.CREATURE_IDS[creature_number(word)] for word in draft.all_words(key)]
            d[f"none_{words[2]}"][draft.seat(words[1])] = creature_bits(names)
        elif words[0] == "at":
            for word in draft.all_words(key):
                name, _, number = word.rpartition(" ")
                at = draft.seat(words[2]) * c.COLUMNS + creature_number(name)
                d["at_least"][at] = whole_number(number, "the number of cards")


def read_places(text: str) -> int:
    """A set of hidden places."""
    names = [word.strip() for word in text.split("+") if word.strip() not in ("", "-")]
    for name in names:
        if name not in c.PLACE_IDS:
            raise BadText(f"{name!r} is no hidden place; those are {', '.join(c.PLACE_IDS)}")
    return place_bits(names)
